/* loader_command.c — diagnostic commands on class loaders: their tree, and the memory that their classes take. */
#include <strings.h>

#include "base/options.h"
#include "base/table.h"
#include "jdk/diagnostic_table.h"

/* What a loader has, in order of the tree. */
struct loader_row {
    struct loader *loader, *parent;      /* parent NULL: the boot loader's own row                                */
    size_t classes, hidden;              /* array classes not counted                                             */
    size_t bytes, used, hidden_bytes, hidden_used;
    size_t chunks, rest;                 /* rest: free in the newest chunk of each arena                          */
};

struct loader_rows { struct loader_row *data; size_t count, capacity; };

static struct loader *parent_of(const struct loader *l) {
    struct object *o = l->object != NULL ? heap_load_ref(l->object, known_offset(ClassLoader_parent)) : NULL;
    struct loader *parent = o != NULL ? (struct loader *)(uintptr_t)field_load(o, known_offset(ClassLoader_loader),
                                                                               T_LONG)
                                      : NULL;
    return parent != NULL || l->object == NULL ? parent : vm->boot_loader;
}

static void add_loader(void *arg, struct loader *l) {
    struct loader_rows *rows = arg;
    struct loader_row row = {.loader = l, .parent = parent_of(l)};
    if (l->holder.arena != NULL) {
        row.bytes = arena_size(l->holder.arena);
        row.used = arena_used(l->holder.arena);
        row.chunks = arena_chunks(l->holder.arena);
        row.rest = arena_rest(l->holder.arena);
    }
    (void)vec_push(rows, row);
}

static bool count_class(void *arg, struct class *c) {
    struct loader_rows *rows = arg;
    if (c->arena == NULL) return true;
    for (size_t i = 0; i < rows->count; i++) {
        struct loader_row *row = &rows->data[i];
        if (row->loader != c->loader) continue;
        size_t bytes = arena_size(c->arena), used = arena_used(c->arena);
        row->classes++;
        row->bytes += bytes;
        row->used += used;
        row->chunks += arena_chunks(c->arena);
        row->rest += arena_rest(c->arena);
        row->hidden += c->is_hidden;
        row->hidden_bytes += c->is_hidden ? bytes : 0;
        row->hidden_used += c->is_hidden ? used : 0;
    }
    return true;
}

/* The boot loader comes first; the others do so from the oldest on. */
static void put_in_order(struct loader_rows *rows) {
    for (size_t i = 1, k = rows->count; i + 1 < k; i++) {
        struct loader_row row = rows->data[i];
        rows->data[i] = rows->data[--k];
        rows->data[k] = row;
    }
}

/* Of all loaders. The caller has disabled collections, and frees the rows. */
static struct loader_rows count_all(struct os_thread *self) {
    struct loader_rows rows = {0};
    loaders_walk(self, add_loader, &rows);
    put_in_order(&rows);
    class_walk_all(count_class, &rows);
    return rows;
}

static char *type_name(const struct loader *l) {
    return l->object == NULL ? mem_strdup("<boot class loader>") : class_external_name(class_of(l->object));
}

/* ---- VM.classloader_stats ---------------------------------------------------------------------------------------- */

static unsigned long klass_address(const struct loader *l) {
    return l != NULL && l->object != NULL ? (unsigned long)(uintptr_t)class_of(l->object) : 0;
}

bool command_vm_classloader_stats(struct request *r) {
    heap_disable_gc(r->self);
    struct loader_rows rows = count_all(r->self);
    struct loader_row all = {.loader = NULL};
    char total[32];
    fprintf(r->out, "ClassLoader         Parent              CLD*               Classes   ChunkSz   BlockSz  Type\n");
    for (size_t i = rows.count; i-- > 0;) {    /* from the youngest on */
        const struct loader_row *row = &rows.data[i];
        char *type = type_name(row->loader);
        fprintf(r->out, "0x%016lx  0x%016lx  0x%016lx  %6zu  %8zu  %8zu  %s\n", klass_address(row->loader),
                klass_address(row->parent), (unsigned long)(uintptr_t)row->loader, row->classes - row->hidden,
                row->bytes - row->hidden_bytes, row->used - row->hidden_used, type != NULL ? type : "?");
        if (row->hidden != 0)
            fprintf(r->out, "%58s  %6zu  %8zu  %8zu   + hidden classes\n", "", row->hidden, row->hidden_bytes,
                    row->hidden_used);
        all.classes += row->classes;
        all.bytes += row->bytes;
        all.used += row->used;
        mem_free(type);
    }
    snprintf(total, sizeof total, "Total = %zu", rows.count);
    fprintf(r->out,
            "%-58s  %6zu  %8zu  %8zu  \nChunkSz: Total size of all allocated metaspace chunks\n"
            "BlockSz: Total size of all allocated metaspace blocks (each chunk has several blocks)\n",
            total, all.classes, all.bytes, all.used);
    heap_enable_gc(r->self);
    vec_free(&rows);
    return true;
}

/* ---- VM.classloaders --------------------------------------------------------------------------------------------- */

enum { TREE_CLASSES, TREE_VERBOSE, TREE_PREFIX = 512 };

struct tree {
    struct request *r;
    struct loader_rows rows;
    char prefix[TREE_PREFIX];
};

static void put_title(FILE *out, const struct loader *l, size_t more) {
    if (l->object == NULL) {
        fputs("<bootstrap>\n", out);
        return;
    }
    struct object *name = heap_load_ref(l->object, known_offset(ClassLoader_name));
    char *text = name != NULL ? string_dup_utf8(name) : NULL, *type = class_external_name(class_of(l->object));
    if (text != NULL) fprintf(out, "\"%s\", ", text);
    fputs(type != NULL ? type : "?", out);
    if (more != 0) fprintf(out, " (+ %zu more)", more);
    fputc('\n', out);
    mem_free(text);
    mem_free(type);
}

struct listing { FILE *out; const char *prefix; struct loader *loader; bool hidden; size_t count; };

static bool list_class(void *arg, struct class *c) {
    struct listing *l = arg;
    if (c->loader != l->loader || class_is_primitive(c) || c->is_hidden != l->hidden) return true;
    char *name = class_external_name(c);
    fprintf(l->out, "%s%17s%s %s\n", l->prefix, l->count != 0 ? "" : l->hidden ? "Hidden Classes" : "Classes",
            l->count != 0 ? " " : ":", name != NULL ? name : "?");
    l->count++;
    mem_free(name);
    return true;
}

static void list_classes(struct tree *t, struct loader *l, bool hidden) {
    struct listing list = {t->r->out, t->prefix, l, hidden, 0};
    class_walk_all(list_class, &list);
    if (list.count != 0)
        fprintf(list.out, "%s%19s(%zu %sclass%s)\n%s\n", t->prefix, "", list.count, hidden ? "hidden " : "",
                list.count == 1 ? "" : "es", t->prefix);
}

static void put_addresses(const struct tree *t, const struct loader *l) {
    FILE *out = t->r->out;
    fprintf(out, "%s%17s: 0x%016lx\n", t->prefix, "Loader Oop", (unsigned long)(uintptr_t)l->object);
    fprintf(out, "%s%17s: 0x%016lx\n", t->prefix, "Loader Data", (unsigned long)(uintptr_t)l);
    fprintf(out, "%s%17s: 0x%016lx\n%s\n", t->prefix, "Loader Klass", klass_address(l), t->prefix);
}

static bool has_children(const struct tree *t, size_t i) {
    for (size_t k = 0; k < t->rows.count; k++)
        if (t->rows.data[k].parent == t->rows.data[i].loader) return true;
    return false;
}

static bool have_same_name(const struct loader *a, const struct loader *b) {
    struct object *x = heap_load_ref(a->object, known_offset(ClassLoader_name)),
                  *y = heap_load_ref(b->object, known_offset(ClassLoader_name));
    if (x == NULL || y == NULL) return x == y;
    char *first = string_dup_utf8(x), *second = string_dup_utf8(y);
    bool same = first != NULL && second != NULL && strcmp(first, second) == 0;
    mem_free(first);
    mem_free(second);
    return same;
}

/* Loaders of one class and name that have the same parent, and are nobody's. */
static bool are_alike(const struct tree *t, size_t i, size_t k) {
    const struct loader_row *a = &t->rows.data[i], *b = &t->rows.data[k];
    return a->parent == b->parent && a->parent != NULL && klass_address(a->loader) == klass_address(b->loader) &&
           have_same_name(a->loader, b->loader) && !has_children(t, i) && !has_children(t, k);
}

/* How many in [from, to) are like row i. */
static size_t count_alike(const struct tree *t, size_t i, size_t from, size_t to) {
    size_t n = 0;
    for (size_t k = from; k < to; k++) n += are_alike(t, i, k);
    return n;
}

static bool folds(const struct tree *t) { return !t->r->on[TREE_CLASSES] && !t->r->on[TREE_VERBOSE]; }

/* The next child of `parent` behind row i. Those alike are shown once, unless the details of each are asked for. */
static size_t next_child(const struct tree *t, const struct loader *parent, size_t i) {
    for (i++; i < t->rows.count; i++)
        if (t->rows.data[i].parent == parent && (!folds(t) || count_alike(t, i, 0, i) == 0)) return i;
    return SIZE_MAX;
}

/* Recursion is as deep as the tree; what would not fit into the prefix is drawn further left. */
static void put_tree(struct tree *t, size_t i, bool last) {
    struct loader *l = t->rows.data[i].loader;
    FILE *out = t->r->out;
    size_t length = strlen(t->prefix), child = next_child(t, l, l == vm->boot_loader ? 0 : SIZE_MAX);
    fprintf(out, "%s+-- ", t->prefix);
    put_title(out, l, folds(t) ? count_alike(t, i, i + 1, t->rows.count) : 0);
    if (length + 13 < sizeof t->prefix) {
        strcat(t->prefix, last ? "      " : "|     ");
        strcat(t->prefix, child != SIZE_MAX ? "|     " : "      ");
    }
    fprintf(out, "%s\n", t->prefix);
    if (t->r->on[TREE_VERBOSE]) put_addresses(t, l);
    if (t->r->on[TREE_CLASSES]) list_classes(t, l, false);
    if (t->r->on[TREE_CLASSES]) list_classes(t, l, true);
    if (length + 13 < sizeof t->prefix) t->prefix[length + 6] = '\0';
    while (child != SIZE_MAX) {
        size_t next = next_child(t, l, child);
        put_tree(t, child, next == SIZE_MAX);
        child = next;
    }
    t->prefix[length] = '\0';
}

bool command_vm_classloaders(struct request *r) {
    struct tree t = {.r = r};
    heap_disable_gc(r->self);
    t.rows = count_all(r->self);
    if (t.rows.count != 0) put_tree(&t, 0, true);    /* the boot loader comes first */
    heap_enable_gc(r->self);
    vec_free(&t.rows);
    return true;
}

/* ---- VM.metaspace ------------------------------------------------------------------------------------------------ */

enum { META_BASIC, META_LOADERS, META_CLASSES, META_CHUNK_TYPES, META_SPACE_TYPES, META_SPACES, META_FREE, META_SCALE };

struct scale { const char *unit; size_t bytes; };    /* bytes 0: each figure in the unit that suits it */

/* False: it is none. */
static bool scale_of(const char *text, struct scale *out) {
    static const struct { const char *names[3]; struct scale scale; } scales[] = {
        {{"1", "b", "bytes"}, {"bytes", 1}}, {{"k", "kb", "K"}, {"KB", KIB}}, {{"m", "mb", "M"}, {"MB", MIB}},
        {{"g", "gb", "G"}, {"GB", GIB}}, {{"dynamic", "dynamic", "dynamic"}, {NULL, 0}}};
    for (size_t i = 0; i < ARRAY_LEN(scales); i++)
        for (size_t k = 0; k < ARRAY_LEN(scales[i].names); k++)
            if (strcasecmp(text, scales[i].names[k]) == 0) {
                *out = scales[i].scale;
                return true;
            }
    return false;
}

/* In `width` columns without the unit. */
static void put_size(FILE *out, size_t bytes, const struct scale *s, int width) {
    struct scale own = s->bytes != 0       ? *s
                       : bytes >= GIB      ? (struct scale){"GB", GIB}
                       : bytes >= MIB      ? (struct scale){"MB", MIB}
                       : bytes >= KIB      ? (struct scale){"KB", KIB}
                                           : (struct scale){"bytes", 1};
    if (own.bytes == 1) fprintf(out, "%*zu bytes", width > 2 ? width - 2 : 0, bytes);
    else fprintf(out, "%*.2f %s", width, (double)bytes / (double)own.bytes, own.unit);
}

static void put_percentage(FILE *out, size_t part, size_t total) {
    double percent = total != 0 ? (double)part * 100 / (double)total : 0;
    if (total == 0) fprintf(out, "(  ?%%)");
    else if (part != 0 && percent < 1) fprintf(out, "( <1%%)");
    else if (part != total && percent > 99) fprintf(out, "(>99%%)");
    else fprintf(out, "(%3.0f%%)", percent);
}

static void put_part(FILE *out, size_t part, size_t total, const struct scale *scale, const char *what) {
    fprintf(out, ", ");
    put_size(out, part, scale, 7);
    fputc(' ', out);
    put_percentage(out, part, total);
    fprintf(out, " %s", what);
}

static size_t waste(const struct loader_row *row) { return row->bytes - row->used - row->rest; }

/* Chunks come from malloc: all of them is committed, and nothing is given back before its class goes. */
static void put_usage(FILE *out, const struct loader_row *row, const struct scale *scale) {
    bool is_17 = vm->library == LIBRARY_17;
    fprintf(out, "%6zu chunk%s, ", row->chunks, row->chunks != 1 ? "s" : "");
    if (is_17 && row->chunks == 1) fputc(' ', out);
    put_size(out, row->bytes, scale, is_17 ? 9 : 8);
    fprintf(out, " capacity");
    put_part(out, row->bytes, row->bytes, scale, "committed");
    put_part(out, row->used, row->bytes, scale, "used");
    put_part(out, row->rest, row->bytes, scale, "free");
    put_part(out, waste(row), row->bytes, scale, "waste ");
    fprintf(out, ", deallocated: 0 blocks with ");
    put_size(out, 0, scale, 0);
    fputc('\n', out);
}

static const char *plural(size_t n) { return n == 1 ? "class" : "classes"; }

struct listed_classes { FILE *out; struct loader *loader; size_t count; };

static bool put_class(void *arg, struct class *c) {
    struct listed_classes *l = arg;
    if (c->loader != l->loader || c->arena == NULL) return true;
    char *name = class_external_name(c);
    fprintf(l->out, "      %4zu:    %s\n", ++l->count, name != NULL ? name : "?");
    mem_free(name);
    return true;
}

static void put_loader(struct request *r, size_t number, const struct loader_row *row, const struct scale *scale) {
    struct object *o = row->loader->object;
    struct object *name_object = o != NULL ? heap_load_ref(o, known_offset(ClassLoader_name)) : NULL;
    char *type = o != NULL ? class_external_name(class_of(o)) : NULL;
    char *name = name_object != NULL ? string_dup_utf8(name_object) : NULL;
    fprintf(r->out, "%4zu: CLD 0x%016lx: ", number, (unsigned long)(uintptr_t)row->loader);
    if (o == NULL) fprintf(r->out, "\"<bootstrap>\"");
    if (name != NULL) fprintf(r->out, "\"%s\" ", name);
    if (o != NULL) fprintf(r->out, "instance of %s", type != NULL ? type : "?");
    mem_free(name);
    mem_free(type);
    if (r->on[META_CLASSES]) {
        struct listed_classes listed = {r->out, row->loader, 0};
        fprintf(r->out, "\n      Loaded classes:\n");
        class_walk_all(put_class, &listed);
        fprintf(r->out, "      -total-: %zu %s\n", row->classes, plural(row->classes));
    } else {
        fprintf(r->out, ", %zu %s\n", row->classes, plural(row->classes));
    }
    put_usage(r->out, row, scale);
    fputc('\n', r->out);
}

static void put_waste(FILE *out, const struct loader_row *all, const struct scale *scale) {
    static const char *const titles[] = {"        Waste in chunks in use: ", "        Free in chunks in use: ",
                                         "                       -total-: "};
    const size_t amounts[] = {waste(all), all->rest, waste(all) + all->rest};
    fprintf(out, "\nWaste (unused committed space):%s(percentages refer to total committed size ",
            vm->library == LIBRARY_17 ? "" : " ");
    put_size(out, all->bytes, scale, 0);
    fprintf(out, "):\n");
    for (size_t i = 0; i < ARRAY_LEN(titles); i++) {
        fputs(titles[i], out);
        put_size(out, amounts[i], scale, i == 1 ? 8 : 7);
        fputc(' ', out);
        put_percentage(out, amounts[i], all->bytes);
        fputc('\n', out);
    }
}

static void put_setting(FILE *out, const char *name, size_t bytes) {
    fprintf(out, "%s: ", name);
    put_size(out, bytes, &(struct scale){NULL, 0}, 0);
    fputc('\n', out);
}

static void put_settings(FILE *out) {
    size_t most = vm->options->flags.MaxMetaspaceSize;
    if (most >= SIZE_MAX / 2) fprintf(out, "MaxMetaspaceSize: unlimited\n");
    else put_setting(out, "MaxMetaspaceSize", most);
    fprintf(out, "No class space\n");
    put_setting(out, "Initial GC threshold", vm->options->flags.MetaspaceSize);
    put_setting(out, "Current GC threshold", metadata_mark());
    fprintf(out, "CDS: off\n");
}

static void put_report(struct request *r, const struct loader_rows *rows, const struct loader_row *all,
                       const struct scale *scale) {
    if (r->on[META_LOADERS]) {
        fprintf(r->out, "Usage per loader:\n\n");
        for (size_t i = 0; i < rows->count; i++) put_loader(r, i + 1, &rows->data[i], scale);
        fputc('\n', r->out);
    }
    fprintf(r->out, "Total Usage - %zu loader%s, %zu %s:\n", rows->count, rows->count == 1 ? "" : "s", all->classes,
            plural(all->classes));
    put_usage(r->out, all, scale);
    if (r->on[META_CHUNK_TYPES] || r->on[META_SPACE_TYPES] || r->on[META_SPACES] || r->on[META_FREE])
        fprintf(r->out, "\nEach class has memory of its own: there are no spaces and free lists.\n");
    put_waste(r->out, all, scale);
    fprintf(r->out, "\nSettings:\n");
}

bool command_vm_metaspace(struct request *r) {
    struct scale scale = {NULL, 0};
    bool known = r->options[META_SCALE] == NULL || scale_of(r->options[META_SCALE], &scale);
    heap_disable_gc(r->self);
    struct loader_rows rows = count_all(r->self);
    struct loader_row all = {.loader = NULL};
    for (size_t i = 0; i < rows.count; i++) {
        all.classes += rows.data[i].classes;
        all.bytes += rows.data[i].bytes;
        all.used += rows.data[i].used;
        all.chunks += rows.data[i].chunks;
        all.rest += rows.data[i].rest;
    }
    if (vm->library != LIBRARY_17)
        fprintf(r->out, "Metaspace        used %zuK, committed %zuK, reserved %zuK\n", all.used / KIB, all.bytes / KIB,
                all.bytes / KIB);
    if (!known) fprintf(r->out, "Invalid scale: \"%s\". Will use dynamic scaling.\n", r->options[META_SCALE]);
    fputc('\n', r->out);
    if (r->on[META_BASIC]) {
        fprintf(r->out, "Usage:\n ");
        put_size(r->out, all.used, &scale, 7);
        fprintf(r->out, " used.\n\n");
    } else {
        put_report(r, &rows, &all, &scale);
    }
    put_settings(r->out);
    heap_enable_gc(r->self);
    vec_free(&rows);
    return true;
}
