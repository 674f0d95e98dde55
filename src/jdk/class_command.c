/* class_command.c — diagnostic commands on classes: lists, the hierarchy, and the tables by which they are found. */
#include <math.h>
#include <stdlib.h>

#include "base/options.h"
#include "base/table.h"
#include "jdk/diagnostic_table.h"

struct class_list { struct class **data; size_t count, capacity; };

static bool is_listed(const struct class *c) { return !class_is_primitive(c) && !class_is_array(c); }

static bool push_class(void *arg, struct class *c) {
    struct class_list *list = arg;
    return !is_listed(c) || vec_push(list, c);
}

static uintptr_t loader_address(const struct class *c) { return c->loader->is_boot ? 0 : (uintptr_t)c->loader; }

/* ---- VM.classes -------------------------------------------------------------------------------------------------- */

static const char *state_name(const struct class *c) {
    if (class_is_array(c)) return "";
    switch (atomic_load(&c->state)) {
    case CLASS_LINKED: return "linked";
    case CLASS_INITIALIZING: return "being_initialized";
    case CLASS_INITIALIZED: return "fully_initialized";
    case CLASS_ERROR: return "initialization_error";
    default: return "loaded";
    }
}

static size_t class_bytes(const struct class *c) { return c->arena != NULL ? arena_size(c->arena) : sizeof *c; }

static void put_loader_data(FILE *out, const struct loader *l) {
    fprintf(out, "loader data: 0x%016lx ", (unsigned long)(uintptr_t)l);
    if (l->object == NULL) fprintf(out, "of 'bootstrap'");
    else
        fprintf(out, "for instance a '%s'{0x%016lx}", class_of(l->object)->name->bytes,
                (unsigned long)(uintptr_t)l->object);
}

/* Words before what a class file flags so, as HotSpot writes them: `synchronized` is ACC_SUPER, too. */
static void put_access(FILE *out, unsigned flags) {
    static const struct { unsigned flag; const char *word; } words[] = {
        {ACC_PUBLIC, "public"}, {ACC_PRIVATE, "private"}, {ACC_PROTECTED, "protected"}, {ACC_STATIC, "static"},
        {ACC_FINAL, "final"}, {ACC_SYNCHRONIZED, "synchronized"}, {ACC_VOLATILE, "volatile"},
        {ACC_TRANSIENT, "transient"}, {ACC_NATIVE, "native"}, {ACC_INTERFACE, "interface"}, {ACC_ABSTRACT, "abstract"},
        {ACC_SYNTHETIC, "synthetic"}};
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if ((flags & words[i].flag) != 0) fprintf(out, "%s ", words[i].word);
}

/* Static fields of the class, or those of its objects, inherited ones first. */
static void put_fields_of(FILE *out, const struct class *c, bool are_static) {
    if (!are_static && c->super != NULL) put_fields_of(out, c->super, false);
    for (uint32_t i = 0; i < c->field_count; i++) {
        const struct field *f = &c->fields[i];
        if (((f->access_flags & ACC_STATIC) != 0) != are_static) continue;
        fprintf(out, " - ");
        if (f->cf == NULL) fprintf(out, "injected ");
        else put_access(out, f->access_flags);
        fprintf(out, "'%s' '%s' @%u \n", f->name->bytes, f->desc->bytes, (unsigned)f->offset);
    }
}

static void put_fields(FILE *out, const struct class *c, bool are_static, uint32_t words) {
    fprintf(out, " - ---- %s fields (%u words):\n", are_static ? "static" : "non-static", (unsigned)words);
    put_fields_of(out, c, are_static);
}

/* Where references lie in an object: the first and the last of each row of them. */
static void put_spans(FILE *out, const struct shape *s) {
    fprintf(out, " - non-static oop maps (%u entries): ", (unsigned)s->span_count);
    for (uint32_t i = 0; i < s->span_count; i++)
        fprintf(out, "%u-%u ", (unsigned)s->spans[i].offset,
                (unsigned)(s->spans[i].offset + (s->spans[i].count - 1) * sizeof(struct object *)));
    fputc('\n', out);
}

/* Which classes there are, and for each (by its place among them) those that extend or implement it itself. */
struct family {
    struct class_list classes;
    struct int_table first;              /* class, to the place of its youngest child and 1 */
    VEC(struct kin { struct class *class; size_t next; }) kin;
};

static bool add_child(struct family *f, const struct class *parent, struct class *child) {
    uint64_t next = 0;
    int_table_get(&f->first, (uintptr_t)parent, &next);
    return vec_push(&f->kin, (struct kin){child, next}) && int_table_put(&f->first, (uintptr_t)parent, f->kin.count);
}

static size_t first_child(const struct family *f, const struct class *parent) {
    uint64_t place = 0;
    int_table_get(&f->first, (uintptr_t)parent, &place);
    return place;
}

/* The children of an interface are the classes that implement it, and whose superclass does not. */
static bool add_to_family(void *arg, struct class *c) {
    struct family *f = arg;
    if (class_is_primitive(c)) return true;
    if (!vec_push(&f->classes, c)) return false;
    if (class_is_array(c) || c->is_interface) return true;
    if (c->super != NULL && !add_child(f, c->super, c)) return false;
    for (uint32_t i = 0; i < c->secondary_count; i++)
        if (c->secondary[i]->is_interface && !(c->super != NULL && class_is_subtype(c->super, c->secondary[i])) &&
            !add_child(f, c->secondary[i], c))
            return false;
    return true;
}

static void put_subclasses(FILE *out, const struct family *f, const struct class *c) {
    enum { SHOWN = 4 };
    size_t count = 0;
    fprintf(out, " - sub:               ");
    for (size_t i = c->is_interface ? 0 : first_child(f, c); i != 0; i = f->kin.data[i - 1].next)
        if (count++ < SHOWN) fprintf(out, "'%s'   ", f->kin.data[i - 1].class->name->bytes);
    if (count >= SHOWN) fprintf(out, "(%zu more klasses...)", count - SHOWN);
    fputc('\n', out);
}

/* 2 stands for any number above 1. */
static void put_implementors(FILE *out, const struct family *f, const struct class *c) {
    size_t first = first_child(f, c);
    bool is_one = first != 0 && f->kin.data[first - 1].next == 0;
    fprintf(out, " - nof implementors:  %d\n", first == 0 ? 0 : is_one ? 1 : 2);
    if (is_one) fprintf(out, " - implementor:    \n   '%s'\n", f->kin.data[first - 1].class->name->bytes);
}

static void put_text(FILE *out, const struct class *c, const char *title, uint16_t utf8) {
    if (utf8 != 0) fprintf(out, " - %-18s '%s'\n", title, cp_symbol(c->cf, utf8)->bytes);
}

/* What HotSpot says of a class, without the addresses of its own tables. */
static void put_details(FILE *out, const struct family *f, const struct class *c, const char *name) {
    fprintf(out, "%s {0x%016lx}\n - instance size:     %u\n - klass size:        %zu\n - access:            ", name,
            (unsigned long)(uintptr_t)c, (unsigned)(c->shape.instance_size / 8), class_bytes(c) / 8);
    put_access(out, c->access_flags);
    fprintf(out, "\n - state:             %s\n - name:              '%s'\n - super:             ", state_name(c),
            c->name->bytes);
    fprintf(out, c->super != NULL ? "'%s'\n" : "null\n", c->super != NULL ? c->super->name->bytes : "");
    put_subclasses(out, f, c);
    if (c->is_interface) put_implementors(out, f, c);
    fprintf(out, " - arrays:            ");
    fprintf(out, atomic_load(&c->array_class) != NULL ? "'%s'[]\n" : "null\n", c->name->bytes);
    fprintf(out, " - local interfaces:  %u\n - methods:           %u\n - class loader data:  ", c->interface_count,
            c->method_count);
    put_loader_data(out, c->loader);
    fputc('\n', out);
    put_text(out, c, "source file:", c->cf->source_file);
    put_text(out, c, "generic signature:", c->cf->signature);
    fprintf(out, " - java mirror:       a 'java/lang/Class'{0x%016lx} = '%s'\n", (unsigned long)(uintptr_t)c->mirror,
            c->name->bytes);
    fprintf(out, " - vtable length      %u\n - itable length      %u\n", c->vtable_length, c->itable_count);
    put_fields(out, c, true, c->statics != NULL ? (c->statics_shape.instance_size - OBJECT_HEADER) / 8 : 0);
    put_fields(out, c, false, c->fields_end > OBJECT_HEADER ? (c->fields_end - OBJECT_HEADER + 7) / 8 : 0);
    put_spans(out, &c->shape);
}

/* In the words of the command's help. */
static const char *flags_of(const struct class *c, char flags[static 5]) {
    size_t n = 0;
    bool has_final_method = false;
    for (const struct method *m = NULL; (m = class_next_method(c, m)) != NULL;)
        if ((m->access_flags & ACC_FINAL) != 0) has_final_method = true;
    if (c->shape.has_finalizer) flags[n++] = 'F';
    if (has_final_method) flags[n++] = 'f';
    if (!class_is_array(c) && atomic_load(&c->state) >= CLASS_LINKED) flags[n++] = 'W';
    if (c->version != NULL && c->version->number != 0) flags[n++] = 'R';
    flags[n] = '\0';
    return flags;
}

static void put_class(FILE *out, const struct family *f, const struct class *c, bool verbose) {
    char flags[5], *name = class_external_name(c);
    fprintf(out, "0x%016lx  %4zu  %-20s  %-7s  %-5s  \n", (unsigned long)(uintptr_t)c, class_bytes(c) / 8,
            state_name(c), flags_of(c, flags), name != NULL ? name : "?");
    if (verbose && !class_is_array(c)) put_details(out, f, c, name != NULL ? name : "?");
    mem_free(name);
}

bool command_vm_classes(struct request *r) {
    struct family f = {0};
    heap_disable_gc(r->self);            /* nothing is unloaded or moves meanwhile */
    class_walk_all(add_to_family, &f);
    fprintf(r->out, "%-18s  %4s  %-20s  %-7s  %s  \n", "KlassAddr", "Size", "State", "Flags", "ClassName");
    for (size_t i = 0; i < f.classes.count; i++) put_class(r->out, &f, f.classes.data[i], r->on[0]);
    heap_enable_gc(r->self);
    vec_free(&f.classes);
    vec_free(&f.kin);
    int_table_free(&f.first);
    return true;
}

/* ---- VM.class_hierarchy ------------------------------------------------------------------------------------------ */

enum { HIERARCHY_INTERFACES, HIERARCHY_SUBCLASSES };

struct hierarchy {
    FILE *out;
    struct class_list classes;
    struct ptr_table wanted;             /* classes on the way to those of the name; empty: all                   */
    bool interfaces;
};

static void put_indent(FILE *out, int depth) { while (depth-- > 0) fputs("|  ", out); }

static void put_name(FILE *out, const struct class *c) {
    char *name = class_external_name(c);
    fprintf(out, loader_address(c) == 0 ? "%s/null" : "%s/0x%016lx", name != NULL ? name : "?",
            (unsigned long)loader_address(c));
    mem_free(name);
}

static void put_interface(FILE *out, int depth, const struct class *c, const char *how) {
    put_indent(out, depth);
    fprintf(out, "implements ");
    put_name(out, c);
    fprintf(out, " (%s intf)\n", how);
}

static bool is_declared(const struct class *c, const struct class *interface) {
    for (uint32_t i = 0; i < c->interface_count; i++)
        if (c->interfaces[i] == interface) return true;
    return false;
}

static void put_interfaces(const struct hierarchy *h, const struct class *c, int depth) {
    for (uint32_t i = 0; i < c->interface_count; i++) put_interface(h->out, depth, c->interfaces[i], "declared");
    for (uint32_t i = 0; i < c->secondary_count; i++)
        if (c->secondary[i]->is_interface && c->secondary[i] != c && !is_declared(c, c->secondary[i]))
            put_interface(h->out, depth, c->secondary[i], "inherited");
}

/* Recursion is as deep as the hierarchy. */
static void put_hierarchy(struct hierarchy *h, const struct class *c, int depth) {
    put_indent(h->out, depth - 1);
    if (depth > 0) fputs("|--", h->out);
    put_name(h->out, c);
    fputs(c->is_interface ? " (intf)\n" : "\n", h->out);
    if (h->interfaces) put_interfaces(h, c, depth);
    for (size_t i = 0; i < h->classes.count; i++) {
        const struct class *sub = h->classes.data[i];
        bool wanted = h->wanted.map.count == 0 || ptr_table_get(&h->wanted, sub) != NULL;
        if (sub->super == c && wanted) put_hierarchy(h, sub, depth + 1);
    }
}

/* The classes of that name, with those above and, if asked for, below them. False: there is none, or no memory. */
static bool choose(struct hierarchy *h, const char *name, bool below) {
    bool found = false;
    for (size_t i = 0; i < h->classes.count; i++) {
        char *own = class_external_name(h->classes.data[i]);
        bool same = own != NULL && strcmp(own, name) == 0;
        mem_free(own);
        if (!same) continue;
        found = true;
        for (const struct class *c = h->classes.data[i]; c != NULL; c = c->super)
            if (!ptr_table_put(&h->wanted, c, c)) return false;
        for (size_t k = 0; below && k < h->classes.count; k++) {
            const struct class *c = h->classes.data[k];
            while (c != NULL && c != h->classes.data[i]) c = c->super;
            if (c != NULL && !ptr_table_put(&h->wanted, h->classes.data[k], h->classes.data[k])) return false;
        }
    }
    return found;
}

bool command_vm_class_hierarchy(struct request *r) {
    struct hierarchy h = {.out = r->out, .interfaces = r->on[HIERARCHY_INTERFACES]};
    heap_disable_gc(r->self);            /* nothing is unloaded meanwhile */
    class_walk_all(push_class, &h.classes);
    if (r->arguments[0] == NULL || choose(&h, r->arguments[0], r->on[HIERARCHY_SUBCLASSES]))
        put_hierarchy(&h, known_class(java_lang_Object), 0);
    heap_enable_gc(r->self);
    vec_free(&h.classes);
    ptr_table_free(&h.wanted);
    return true;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

/* In the layout of HotSpot's hash tables. */
static void put_figures(FILE *out, const char *title, const struct table_figures *f) {
    size_t slots = f->buckets * f->bucket_bytes;
    double n = f->buckets != 0 ? (double)f->buckets : 1, mean = (double)f->entries / n,
           variance = f->squares / n - mean * mean;
    fprintf(out, "%s statistics:\n", title);
    fprintf(out, "Number of buckets       : %9zu = %9zu bytes, each %zu\n", f->buckets, slots, f->bucket_bytes);
    fprintf(out, "Number of entries       : %9zu = %9zu bytes, each %zu\n", f->entries, f->entries * f->entry_bytes,
            f->entry_bytes);
    if (f->literal_bytes != 0)
        fprintf(out, "Number of literals      : %9zu = %9zu bytes, avg %7.3f\n", f->entries, f->literal_bytes,
                (double)f->literal_bytes / (double)f->entries);
    fprintf(out, "Total footprint         : %9s = %9zu bytes\n", "",
            slots + f->entries * f->entry_bytes + f->literal_bytes);
    fprintf(out,
            "Average bucket size     : %9.3f\nVariance of bucket size : %9.3f\nStd. dev. of bucket size: %9.3f\n"
            "Maximum bucket size     : %9zu\n",
            mean, variance, sqrt(variance > 0 ? variance : 0), f->longest);
}

/* In printable characters of ASCII, on one line. */
static void put_escaped(FILE *out, const char *text) {
    static const char plain[] = "\t\r\n\\", letters[] = "trn\\";
    for (const char *p = text; *p != '\0'; p++) {
        const char *special = strchr(plain, *p);
        if (special != NULL) fprintf(out, "\\%c", letters[special - plain]);
        else fprintf(out, *p >= ' ' && *p <= '~' ? "%c" : "\\x%02x", (unsigned char)*p);
    }
    fputc('\n', out);
}

static bool put_string(void *arg, struct object *s) {
    char *text = string_dup_utf8(s);
    if (text != NULL) {
        fprintf(arg, "%zu: ", strlen(text));
        put_escaped(arg, text);
    }
    mem_free(text);
    return true;
}

bool command_vm_stringtable(struct request *r) {
    struct table_figures f;
    if (r->on[0]) {
        fprintf(r->out, "VERSION: 1.1\n");
        strings_walk(put_string, r->out);
        return true;
    }
    strings_figures(&f);
    put_figures(r->out, "StringTable", &f);
    return true;
}

static void put_symbol(struct symbol *s, void *out) {
    fprintf(out, "%u %u: ", s->length, atomic_load(&s->refs));
    put_escaped(out, s->bytes);
}

bool command_vm_symboltable(struct request *r) {
    struct table_figures f;
    if (r->on[0]) {
        fprintf(r->out, "VERSION: 1.1\n");
        symbol_iterate(put_symbol, r->out);
        return true;
    }
    symbol_figures(&f);
    put_figures(r->out, "SymbolTable", &f);
    return true;
}

struct dictionary_output { FILE *out; const struct loader *loader; };

static bool put_known_class(uint64_t symbol, uint64_t class, void *arg) {
    (void)symbol;
    const struct dictionary_output *o = arg;
    const struct class *c = (const struct class *)(uintptr_t)class;
    char *name = class_external_name(c);
    fprintf(o->out, " %c%s", c->loader != o->loader ? '^' : ' ', name != NULL ? name : "?");
    if (!o->loader->is_boot) {
        fputs(", ", o->out);
        put_loader_data(o->out, c->loader);
        fputs(", ", o->out);
    }
    fputc('\n', o->out);
    mem_free(name);
    return true;
}

static void put_dictionary(void *arg, struct loader *l) {
    const struct request *r = arg;
    struct table_figures f = dictionary_figures(l);
    char *loader = loader_name_and_id(l),
         *title = mem_printf("System Dictionary for %s class loader", loader ? loader : "?");
    if (r->on[0]) {
        fputs("Dictionary for ", r->out);
        put_loader_data(r->out, l);
        fprintf(r->out, "\nJava dictionary (table_size=%zu, classes=%zu%s)\n", f.buckets, f.entries,
                vm->library == LIBRARY_17 ? ", resizable=true" : "");
        fputs("^ indicates that initiating loader is different from defining loader\n", r->out);
        dictionary_visit(l, put_known_class, &(struct dictionary_output){r->out, l});
        fputc('\n', r->out);
    } else {
        put_figures(r->out, title ? title : "", &f);
    }
    mem_free(title);
    mem_free(loader);
}

bool command_vm_systemdictionary(struct request *r) {
    loaders_walk(r->self, put_dictionary, r);
    return true;
}
