/* class_histogram.c — instances and bytes by class: GC.class_histogram, jmap -histo. */
#include <stdlib.h>

#include "base/table.h"
#include "jdk/diagnostic_command.h"
#include "jdk/jvm.h"

struct entry {
    struct class *class;
    char *name;
    uint64_t instances, bytes;
};

struct histogram {
    struct int_table index;    /* class id -> position in entries + 1 */
    VEC(struct entry) entries;
    bool failed;
};

/* World stopped. */
static bool count(void *arg, struct object *o) {
    struct histogram *h = arg;
    uint64_t at = 0;
    if (shape_of(o)->kind == SHAPE_STATICS) return true; /* the VM's own */
    if (!int_table_get(&h->index, o->class_id, &at)) {
        h->failed = !vec_push(&h->entries, (struct entry){.class = class_of(o)}) ||
                    !int_table_put(&h->index, o->class_id, h->entries.count);
        if (h->failed) return false;
        at = h->entries.count;
    }
    h->entries.data[at - 1].instances++;
    h->entries.data[at - 1].bytes += object_size(o);
    return true;
}

static int by_bytes(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes < y->bytes ? 1 : -1;
    return strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

static void put_module(FILE *out, const struct class *c) {
    const struct class *element = class_element(c);
    const struct module_record *m = class_is_primitive(element) ? known_class(java_lang_Object)->module
                                                                : element->module;
    if (m != NULL && m->name != NULL && m->version != NULL) fprintf(out, " (%s@%s)", m->name->bytes, m->version->bytes);
    else if (m != NULL && m->name != NULL) fprintf(out, " (%s)", m->name->bytes);
}

bool class_histogram_print(struct os_thread *self, bool live_only, FILE *out) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct histogram h = {0};
    uint64_t instances = 0, bytes = 0;
    if (live_only) heap_collect(self, "Heap Inspection Initiated GC", false);
    safepoint_begin(self, "ClassHistogram");
    MAY_ALLOCATE("the histogram says what is missing");
    heap_walk(count, &h);
    for (size_t i = 0; i < h.entries.count; i++) h.entries.data[i].name = class_external_name(h.entries.data[i].class);
    if (h.entries.count != 0) qsort(h.entries.data, h.entries.count, sizeof *h.entries.data, by_bytes);
    fprintf(out, " num     #instances         #bytes  class name "
                 "(module)\n-------------------------------------------------------\n");
    for (size_t i = 0; i < h.entries.count; i++) {
        struct entry *e = &h.entries.data[i];
        instances += e->instances;
        bytes += e->bytes;
        fprintf(out, "%4zu: %13" PRIu64 " %14" PRIu64 "  %s", i + 1, e->instances, e->bytes, e->name ? e->name : "?");
        put_module(out, e->class);
        fputc('\n', out);
        mem_free(e->name);
    }
    safepoint_end(self);
    fprintf(out, "Total %13" PRIu64 " %14" PRIu64 "\n", instances, bytes);
    if (h.failed) fprintf(out, "WARNING: out of memory, the histogram is not complete\n");
    int_table_free(&h.index);
    vec_free(&h.entries);
    return !h.failed;
}
