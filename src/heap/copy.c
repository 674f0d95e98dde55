/* copy.c — bulk operations of the access layer: copies of reference arrays, clones. */
#include "heap/heap_internal.h"

/* A thread reaches a poll after at most this much copying. */
#define COPY_SLICE (64 * KIB)

/* memmove moves these 4-aligned elements with loads and stores of 4 bytes or wider multiples, so nobody sees half a
 * reference. */
void heap_copy_refs(struct os_thread *self, struct object *src, int32_t src_index, struct object *dst,
                    int32_t dst_index, int32_t count) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const char *from = (const char *)array_data(src) + (size_t)src_index * sizeof(ref_t);
    char *to = (char *)array_data(dst) + (size_t)dst_index * sizeof(ref_t);
    size_t bytes = (size_t)count * sizeof(ref_t);
    if (LIKELY(bytes <= COPY_SLICE)) {
        memmove(to, from, bytes);
        cards_mark(to, bytes);
        return;
    }
    if (from < to && to < from + bytes) {
        while (bytes > 0) {
            size_t n = MIN(bytes, COPY_SLICE);
            bytes -= n;
            memmove(to + bytes, from + bytes, n);
            cards_mark(to + bytes, n);
            thread_poll(self);
        }
        return;
    }
    for (size_t done = 0; done < bytes; done += COPY_SLICE) {
        size_t n = MIN(bytes - done, COPY_SLICE);
        memmove(to + done, from + done, n);
        cards_mark(to + done, n);
        thread_poll(self);
    }
}

struct object *heap_clone(struct os_thread *self, struct object *o) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const struct shape *s = shape_of(o);
    bool is_array = s->kind == SHAPE_REF_ARRAY || s->kind == SHAPE_PRIM_ARRAY;
    struct object *copy = is_array ? heap_alloc_array(self, s, array_length(o)) : heap_alloc_instance(self, s);
    if (copy == NULL) return NULL;
    size_t from = is_array ? ARRAY_DATA : OBJECT_HEADER, size = object_size(o);
    for (size_t at = from; at < size;) {
        size_t n = MIN(size - at, COPY_SLICE);
        memcpy((char *)copy + at, (char *)o + at, n);
        if (s->kind != SHAPE_PRIM_ARRAY) cards_mark((char *)copy + at, n);
        at += n;
        if (at < size) thread_poll(self);
    }
    return copy;
}
