/* histogram.c: the class histogram: one pass over the heap after a collection. */
#include "histogram.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hprof.h"

struct count { struct hprof *h; struct class_total *totals; uint32_t classes; };

static jint JNICALL on_object(jlong class_tag, jlong size, jlong *tag_ptr, jint length, void *user_data) {
    (void)tag_ptr, (void)length;
    struct count *count = user_data;
    const struct class_info *c = class_by_tag(count->h, class_tag);
    if (c == NULL || c->known.id > count->classes) return JVMTI_VISIT_OBJECTS;
    struct class_total *total = &count->totals[c->known.id];
    total->class = c;
    total->objects++;
    total->bytes += (uint64_t)size;
    return JVMTI_VISIT_OBJECTS;
}

static bool walk(struct hprof *h, struct count *count) {
    jvmtiHeapCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_iteration_callback = on_object;
    return hprof_ok(h, (*h->env)->IterateThroughHeap(h->env, 0, NULL, &callbacks, count), "IterateThroughHeap");
}

static int by_bytes(const void *a, const void *b) {
    const struct class_total *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    if (x->objects != y->objects) return x->objects > y->objects ? -1 : 1;
    if (x->class == NULL || y->class == NULL) return (x->class == NULL) - (y->class == NULL);
    return strcmp(x->class->name, y->class->name);
}

struct class_total *histogram_take(struct hprof *h, JNIEnv *jni, uint32_t *count) {
    *count = 0;
    hprof_ok(h, (*h->env)->ForceGarbageCollection(h->env), "ForceGarbageCollection");
    if (!classes_refresh(h, jni, NULL, NULL)) return NULL;
    uint32_t classes = h->classes.known_count;
    struct count all = {h, calloc((size_t)classes + 1, sizeof *all.totals), classes};
    if (all.totals == NULL) {
        fprintf(stderr, "hprof: out of memory for the class histogram\n");
        return NULL;
    }
    if (!walk(h, &all)) {
        free(all.totals);
        return NULL;
    }
    qsort(all.totals, (size_t)classes + 1, sizeof *all.totals, by_bytes);
    while (*count <= classes && all.totals[*count].objects > 0) ++*count;
    return all.totals;
}
