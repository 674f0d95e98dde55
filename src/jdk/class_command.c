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

static void put_members(FILE *out, const struct class *c) {
    for (uint32_t i = 0; i < c->field_count; i++) {
        const struct field *f = &c->fields[i];
        fprintf(out, " - %s'%s' '%s' @%u \n", f->access_flags & ACC_STATIC ? "static " : "", f->name->bytes,
                f->desc->bytes, f->offset);
    }
}

static void put_details(FILE *out, const struct class *c, const char *name) {
    fprintf(out, "%s {0x%016lx}\n - instance size:     %u\n - klass size:        %zu\n - state:             %s\n", name,
            (unsigned long)(uintptr_t)c, (unsigned)(c->shape.instance_size / 8), class_bytes(c) / 8, state_name(c));
    fprintf(out, " - name:              '%s'\n - super:             ", c->name->bytes);
    fprintf(out, c->super != NULL ? "'%s'\n" : "null\n", c->super != NULL ? c->super->name->bytes : "");
    fprintf(out, " - local interfaces:  %u\n - methods:           %u\n", c->interface_count, c->method_count);
    fprintf(out, " - vtable length      %u\n - itable length      %u\n", c->vtable_length, c->itable_count);
    put_members(out, c);
}

struct class_output { FILE *out; bool verbose; };

static bool put_class(void *arg, struct class *c) {
    const struct class_output *o = arg;
    if (class_is_primitive(c)) return true;
    char flags[4] = "", *name = class_external_name(c);
    size_t n = 0;
    if (c->shape.has_finalizer) flags[n++] = 'f';
    if (!class_is_array(c) && atomic_load(&c->state) >= CLASS_LINKED) flags[n++] = 'W';
    flags[n] = '\0';
    fprintf(o->out, "0x%016lx  %4zu  %-20s  %-7s  %-5s  \n", (unsigned long)(uintptr_t)c, class_bytes(c) / 8,
            state_name(c), flags, name != NULL ? name : "?");
    if (o->verbose && !class_is_array(c)) put_details(o->out, c, name != NULL ? name : "?");
    mem_free(name);
    return true;
}

bool command_vm_classes(struct request *r) {
    struct class_output o = {r->out, r->on[0]};
    fprintf(r->out, "%-18s  %4s  %-20s  %-7s  %s  \n", "KlassAddr", "Size", "State", "Flags", "ClassName");
    class_walk_all(put_class, &o);
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

static void put_loader_data(FILE *out, const struct loader *l) {
    fprintf(out, "loader data: 0x%016lx ", (unsigned long)(uintptr_t)l);
    if (l->object == NULL) fprintf(out, "of 'bootstrap'");
    else
        fprintf(out, "for instance a '%s'{0x%016lx}", class_of(l->object)->name->bytes,
                (unsigned long)(uintptr_t)l->object);
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
