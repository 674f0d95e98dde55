/* heap_record.c: the heap part of a binary HPROF file: segments of whole sub-records. */
#include "heap_record.h"

#include <stdlib.h>

#include "stream.h"

enum { CLASS_DUMP = 0x20, INSTANCE_DUMP = 0x21, OBJECT_ARRAY_DUMP = 0x22, PRIMITIVE_ARRAY_DUMP = 0x23 };
enum { SEGMENT = 1 << 20, HEAD_MAX = 32 };

/* ---- segments ---------------------------------------------------------------------------------------------------- */

static void begin_segment(struct heap_writer *w, size_t length) {
    write_record_head(w->out, RECORD_HEAP_DUMP_SEGMENT, w->micros(w->arg), (uint32_t)length);
}

void heap_writer_flush(struct heap_writer *w) {
    if (w->used == 0) return;
    begin_segment(w, w->used);
    output_bytes(w->out, w->segment, w->used);
    output_commit(w->out);
    w->used = 0;
}

/* Room for a sub-record of n bytes; NULL: it needs a segment of its own. */
static unsigned char *room(struct heap_writer *w, size_t n) {
    if (n > SEGMENT) return NULL;
    if (w->used + n > SEGMENT) heap_writer_flush(w);
    w->used += n;
    return w->segment + w->used - n;
}

static unsigned char *next_id(const struct heap_writer *w, unsigned char *p, uint64_t id) {
    store_id(p, id, w->id_size);
    return p + w->id_size;
}

static unsigned char *next_u4(unsigned char *p, uint32_t v) {
    store_u4(p, v);
    return p + 4;
}

bool heap_writer_begin(struct heap_writer *w) {
    w->used = 0;
    w->segment = malloc(SEGMENT);
    return w->segment != NULL;
}

void heap_writer_end(struct heap_writer *w, bool complete) {
    if (w->segment != NULL) heap_writer_flush(w);
    free(w->segment);
    w->segment = NULL;
    struct packet none = {0};
    if (complete) write_record(w->out, RECORD_HEAP_DUMP_END, w->micros(w->arg), &none);
}

/* ---- roots ------------------------------------------------------------------------------------------------------- */

void heap_write_root(struct heap_writer *w, const struct heap_root *r) {
    unsigned char *start = room(w, HEAD_MAX), *p = start;
    *p++ = (unsigned char)r->kind;
    p = next_id(w, p, r->id);
    if (r->kind == ROOT_JNI_GLOBAL) p = next_id(w, p, r->reference);
    if (r->kind == ROOT_THREAD_OBJECT) p = next_u4(next_u4(p, r->thread), r->trace);
    if (r->kind == ROOT_JAVA_FRAME || r->kind == ROOT_JNI_LOCAL) p = next_u4(next_u4(p, r->thread), (uint32_t)r->frame);
    w->used = (size_t)(p - w->segment);
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

static size_t instance_head(const struct heap_writer *w, unsigned char *head, uint64_t id, uint32_t trace,
                            uint64_t class_id, uint32_t size) {
    unsigned char *p = head;
    *p++ = INSTANCE_DUMP;
    p = next_u4(next_id(w, p, id), trace);
    p = next_u4(next_id(w, p, class_id), size);
    return (size_t)(p - head);
}

unsigned char *heap_instance_values(struct heap_writer *w, uint64_t id, uint32_t trace, uint64_t class_id,
                                    uint32_t size) {
    unsigned char *p = room(w, 9 + 2 * (size_t)w->id_size + size);
    return p == NULL ? NULL : p + instance_head(w, p, id, trace, class_id, size);
}

/* A sub-record that does not fit the buffer gets a segment of its own. */
static void write_parts(struct heap_writer *w, const unsigned char *head, size_t head_size, const void *body,
                        size_t body_size) {
    unsigned char *p = room(w, head_size + body_size);
    if (p != NULL) {
        memcpy(p, head, head_size);
        if (body_size > 0) memcpy(p + head_size, body, body_size);
        return;
    }
    heap_writer_flush(w);
    begin_segment(w, head_size + body_size);
    output_bytes(w->out, head, head_size);
    output_bytes(w->out, body, body_size);
    output_commit(w->out);
}

void heap_write_instance(struct heap_writer *w, uint64_t id, uint32_t trace, uint64_t class_id,
                         const unsigned char *values, uint32_t size) {
    unsigned char head[HEAD_MAX];
    write_parts(w, head, instance_head(w, head, id, trace, class_id, size), values, size);
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

static void write_array(struct heap_writer *w, const unsigned char *head, size_t head_size, size_t count, size_t size,
                        const void *elements, heap_elements *copy) {
    unsigned char *to = room(w, head_size + count * size);
    if (to != NULL) {
        memcpy(to, head, head_size);
        copy(w->arg, to + head_size, elements, 0, count);
        return;
    }
    heap_writer_flush(w);
    begin_segment(w, head_size + count * size);
    output_bytes(w->out, head, head_size);
    for (size_t done = 0, part; done < count; done += part) {
        part = count - done < SEGMENT / size ? count - done : SEGMENT / size;
        copy(w->arg, w->segment, elements, done, part);
        output_bytes(w->out, w->segment, part * size);
    }
    output_commit(w->out);
}

static uint32_t fitting(uint32_t length, size_t size) {
    uint32_t most = (uint32_t)((UINT32_MAX - 2 * HEAD_MAX) / size);
    return length <= most ? length : most;
}

uint32_t heap_write_object_array(struct heap_writer *w, uint64_t id, uint32_t trace, uint64_t class_id, uint32_t length,
                                 const void *elements, heap_elements *copy) {
    unsigned char head[HEAD_MAX], *p = head;
    length = fitting(length, (size_t)w->id_size);
    *p++ = OBJECT_ARRAY_DUMP;
    p = next_u4(next_u4(next_id(w, p, id), trace), length);
    p = next_id(w, p, class_id);
    write_array(w, head, (size_t)(p - head), length, (size_t)w->id_size, elements, copy);
    return length;
}

static void copy_bytes(void *arg, unsigned char *to, const void *from, size_t first, size_t count) {
    (void)arg;
    memcpy(to, (const unsigned char *)from + first, count);
}

static void copy_swapped_2(void *arg, unsigned char *to, const void *from, size_t first, size_t count) {
    (void)arg;
    const unsigned char *p = (const unsigned char *)from + first * 2;
    for (size_t i = 0; i < count; i++) {
        uint16_t v;
        memcpy(&v, p + i * 2, 2);
        v = __builtin_bswap16(v);
        memcpy(to + i * 2, &v, 2);
    }
}

static void copy_swapped_4(void *arg, unsigned char *to, const void *from, size_t first, size_t count) {
    (void)arg;
    const unsigned char *p = (const unsigned char *)from + first * 4;
    for (size_t i = 0; i < count; i++) {
        uint32_t v;
        memcpy(&v, p + i * 4, 4);
        store_u4(to + i * 4, v);
    }
}

static void copy_swapped_8(void *arg, unsigned char *to, const void *from, size_t first, size_t count) {
    (void)arg;
    const unsigned char *p = (const unsigned char *)from + first * 8;
    for (size_t i = 0; i < count; i++) {
        uint64_t v;
        memcpy(&v, p + i * 8, 8);
        store_u8(to + i * 8, v);
    }
}

static void zeros_1(void *arg, unsigned char *to, const void *from, size_t first, size_t count) {
    (void)arg, (void)from, (void)first;
    memset(to, 0, count);
}
static void zeros_2(void *arg, unsigned char *to, const void *from, size_t first, size_t count) {
    zeros_1(arg, to, from, first, count * 2);
}
static void zeros_4(void *arg, unsigned char *to, const void *from, size_t first, size_t count) {
    zeros_1(arg, to, from, first, count * 4);
}
static void zeros_8(void *arg, unsigned char *to, const void *from, size_t first, size_t count) {
    zeros_1(arg, to, from, first, count * 8);
}

uint32_t heap_write_primitive_array(struct heap_writer *w, uint64_t id, uint32_t trace, char type, uint32_t length,
                                    const void *elements) {
    static heap_elements *const copies[9] =
        {[1] = copy_bytes, [2] = copy_swapped_2, [4] = copy_swapped_4, [8] = copy_swapped_8};
    static heap_elements *const zeros[9] = {[1] = zeros_1, [2] = zeros_2, [4] = zeros_4, [8] = zeros_8};
    unsigned char head[HEAD_MAX], *p = head;
    size_t size = type_size(type, 8);
    length = fitting(length, size);
    *p++ = PRIMITIVE_ARRAY_DUMP;
    p = next_u4(next_u4(next_id(w, p, id), trace), length);
    *p++ = (unsigned char)type_number(type);
    write_array(w, head, (size_t)(p - head), length, size, elements, elements != NULL ? copies[size] : zeros[size]);
    return length;
}

/* ---- classes ----------------------------------------------------------------------------------------------------- */

void heap_put_class(const struct heap_writer *w, struct packet *p, const struct heap_class *c) {
    put_u1(p, CLASS_DUMP);
    put_identifier(p, c->id, w->id_size);
    put_u4(p, c->trace);
    put_identifier(p, c->super, w->id_size);
    put_identifier(p, c->loader, w->id_size);
    put_identifier(p, c->signers, w->id_size);
    put_identifier(p, c->domain, w->id_size);
    put_identifier(p, 0, w->id_size);
    put_identifier(p, 0, w->id_size);
    put_u4(p, c->size);
}

void heap_write_class(struct heap_writer *w, struct packet *p) {
    if (!p->failed) write_parts(w, p->data, p->used, NULL, 0);
    packet_free(p);
}
