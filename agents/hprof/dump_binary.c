/* dump_binary.c: heap dumps in the binary format 1.0.2 (HP-061 ... HP-074): segments of whole sub-records, then the end record. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "hprof.h"

enum {
    ROOT_JNI_GLOBAL = 0x01, ROOT_JNI_LOCAL = 0x02, ROOT_JAVA_FRAME = 0x03, ROOT_STICKY_CLASS = 0x05, ROOT_MONITOR_USED = 0x07,
    ROOT_THREAD_OBJECT = 0x08, CLASS_DUMP = 0x20, INSTANCE_DUMP = 0x21, OBJECT_ARRAY_DUMP = 0x22, PRIMITIVE_ARRAY_DUMP = 0x23,
    ROOT_UNKNOWN = 0xFF
};
enum { SEGMENT = 1 << 20 };

/* ---- segments -------------------------------------------------------------------------------------------------------- */

static void flush_segment(struct dump *d) {
    struct hprof *h = d->h;
    if (d->segment_used == 0) return;
    record_begin(h, RECORD_HEAP_DUMP_SEGMENT, (uint32_t)d->segment_used);
    output_bytes(h->out, d->segment, d->segment_used);
    output_commit(h->out);
    d->segment_used = 0;
}

/* Room for a sub-record of n bytes; NULL: it needs a segment of its own. */
static unsigned char *room(struct dump *d, size_t n) {
    if (n > SEGMENT) return NULL;
    if (d->segment_used + n > SEGMENT) flush_segment(d);
    d->segment_used += n;
    return d->segment + d->segment_used - n;
}

static unsigned char *next_id(const struct dump *d, unsigned char *p, uint64_t id) {
    store_id(p, id, d->h->records.id_size);
    return p + d->h->records.id_size;
}

static unsigned char *next_u4(unsigned char *p, uint32_t v) {
    store_u4(p, v);
    return p + 4;
}

static bool begin(struct dump *d) {
    d->segment = malloc(SEGMENT);
    if (d->segment == NULL) fprintf(stderr, "hprof: out of memory for a segment\n");
    return d->segment != NULL;
}

/* ---- roots ------------------------------------------------------------------------------------------------------------- */

static void root(struct dump *d, const struct dump_root *r) {
    size_t id = (size_t)d->h->records.id_size;
    unsigned char *p = room(d, 1 + id + (id > 8 ? id : 8));
    unsigned char *start = p;
    bool with_frame = false;
    switch (r->kind) {
    case JVMTI_HEAP_REFERENCE_JNI_GLOBAL: *p++ = ROOT_JNI_GLOBAL; break;
    case JVMTI_HEAP_REFERENCE_SYSTEM_CLASS: *p++ = ROOT_STICKY_CLASS; break;
    case JVMTI_HEAP_REFERENCE_MONITOR: *p++ = ROOT_MONITOR_USED; break;
    case JVMTI_HEAP_REFERENCE_THREAD: *p++ = r->thread != 0 ? ROOT_THREAD_OBJECT : ROOT_UNKNOWN; break;
    case JVMTI_HEAP_REFERENCE_STACK_LOCAL: *p++ = ROOT_JAVA_FRAME, with_frame = true; break;
    case JVMTI_HEAP_REFERENCE_JNI_LOCAL: *p++ = ROOT_JNI_LOCAL, with_frame = true; break;
    default: *p++ = ROOT_UNKNOWN; break;
    }
    p = next_id(d, p, r->id);
    if (*start == ROOT_JNI_GLOBAL) p = next_id(d, p, r->id);        /* JVM TI does not tell the reference itself */
    if (*start == ROOT_THREAD_OBJECT) p = next_u4(next_u4(p, r->thread), trace_serial(r->trace));
    if (with_frame) p = next_u4(next_u4(p, r->thread), (uint32_t)r->frame);
    d->segment_used = (size_t)(p - d->segment);
}

/* ---- objects ------------------------------------------------------------------------------------------------------------ */

/* Writes a sub-record whose head has been put together and whose body follows; one that does not fit the buffer gets a segment of
 * its own. */
static void write_parts(struct dump *d, const unsigned char *head, size_t head_size, const void *body, size_t body_size) {
    unsigned char *p = room(d, head_size + body_size);
    if (p != NULL) {
        memcpy(p, head, head_size);
        if (body_size > 0) memcpy(p + head_size, body, body_size);
        return;
    }
    flush_segment(d);
    record_begin(d->h, RECORD_HEAP_DUMP_SEGMENT, (uint32_t)(head_size + body_size));
    output_bytes(d->h->out, head, head_size);
    output_bytes(d->h->out, body, body_size);
    output_commit(d->h->out);
}

static void instance(struct dump *d, const struct dump_object *o, const unsigned char *values) {
    unsigned char head[32], *p = head;
    *p++ = INSTANCE_DUMP;
    p = next_u4(next_id(d, p, o->id), trace_serial(o->trace));
    p = next_u4(next_id(d, p, o->class->known.id), o->class->data_size);
    write_parts(d, head, (size_t)(p - head), values, o->class->data_size);
}

/* A segment's length has 32 bits: what does not fit is left out, with a line that says so. */
static uint32_t fitting(uint32_t length, size_t size) {
    uint32_t most = (uint32_t)((UINT32_MAX - 64) / size);
    if (length <= most) return length;
    fprintf(stderr, "hprof: an array of %u elements is cut to %u, the most that the format can hold\n", length, most);
    return most;
}

static void object_array(struct dump *d, const struct dump_object *o, uint32_t length, const unsigned char *elements) {
    unsigned char head[32], *p = head;
    length = fitting(length, (size_t)d->h->records.id_size);
    *p++ = OBJECT_ARRAY_DUMP;
    p = next_u4(next_u4(next_id(d, p, o->id), trace_serial(o->trace)), length);
    p = next_id(d, p, o->class->known.id);
    write_parts(d, head, (size_t)(p - head), elements, (size_t)length * (size_t)d->h->records.id_size);
}

/* Copies elements in network byte order; from NULL: zeros. */
static void copy_swapped(unsigned char *to, const unsigned char *from, size_t count, size_t size) {
    if (from == NULL) {
        memset(to, 0, count * size);
    } else if (size == 1) {
        memcpy(to, from, count);
    } else if (size == 2) {
        for (size_t i = 0; i < count; i++) {
            uint16_t v;
            memcpy(&v, from + i * 2, 2);
            v = __builtin_bswap16(v);
            memcpy(to + i * 2, &v, 2);
        }
    } else if (size == 4) {
        for (size_t i = 0; i < count; i++) {
            uint32_t v;
            memcpy(&v, from + i * 4, 4);
            store_u4(to + i * 4, v);
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            uint64_t v;
            memcpy(&v, from + i * 8, 8);
            store_u8(to + i * 8, v);
        }
    }
}

static void write_large(struct dump *d, const unsigned char *head, size_t head_size, const unsigned char *elements, size_t count, size_t size) {
    flush_segment(d);
    record_begin(d->h, RECORD_HEAP_DUMP_SEGMENT, (uint32_t)(head_size + count * size));
    output_bytes(d->h->out, head, head_size);
    for (size_t done = 0, part; done < count; done += part) {
        part = count - done < SEGMENT / size ? count - done : SEGMENT / size;
        copy_swapped(d->segment, elements != NULL ? elements + done * size : NULL, part, size);
        output_bytes(d->h->out, d->segment, part * size);
    }
    output_commit(d->h->out);
}

static void primitive_array(struct dump *d, const struct dump_object *o, uint32_t length, char type, const void *elements) {
    unsigned char head[32], *p = head;
    size_t size = type_size(type, 8);
    length = fitting(length, size);
    *p++ = PRIMITIVE_ARRAY_DUMP;
    p = next_u4(next_u4(next_id(d, p, o->id), trace_serial(o->trace)), length);
    *p++ = (unsigned char)type_number(type);
    size_t head_size = (size_t)(p - head);
    unsigned char *to = room(d, head_size + length * size);
    if (to == NULL) {
        write_large(d, head, head_size, elements, length, size);
        return;
    }
    memcpy(to, head, head_size);
    copy_swapped(to + head_size, elements, length, size);
}

/* ---- classes ------------------------------------------------------------------------------------------------------------ */

static void put_statics(struct dump *d, struct packet *p, const struct class_info *c) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->field_count; i++) count += c->fields[i].is_static;
    put_u2(p, count);
    for (uint32_t i = 0; i < c->field_count; i++) {
        const struct field_info *f = &c->fields[i];
        if (!f->is_static) continue;
        put_id(d->h, p, record_name(d->h, f->name));
        put_u1(p, type_number(f->type));
        put_bytes(p, c->statics + f->value, type_size(f->type, d->h->records.id_size));
    }
}

static void put_fields(struct dump *d, struct packet *p, const struct class_info *c) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->field_count; i++) count += !c->fields[i].is_static;
    put_u2(p, count);
    for (uint32_t i = 0; i < c->field_count; i++) {
        if (c->fields[i].is_static) continue;
        put_id(d->h, p, record_name(d->h, c->fields[i].name));
        put_u1(p, type_number(c->fields[i].type));
    }
}

static void class(struct dump *d, const struct class_info *c) {
    struct packet p = {0};
    put_u1(&p, CLASS_DUMP);
    put_id(d->h, &p, c->known.id);
    put_u4(&p, TRACE_SERIAL_BASE);
    put_id(d->h, &p, c->super != NULL ? c->super->known.id : 0);
    put_id(d->h, &p, c->loader);
    put_id(d->h, &p, c->signers);
    put_id(d->h, &p, c->domain);
    put_id(d->h, &p, 0);
    put_id(d->h, &p, 0);
    put_u4(&p, c->data_size);
    put_u2(&p, 0);                      /* constant pool: HotSpot's dumps have none either */
    put_statics(d, &p, c);
    put_fields(d, &p, c);
    if (!p.failed) write_parts(d, p.data, p.used, NULL, 0);
    free(p.data);
}

static void end(struct dump *d, bool complete) {
    struct hprof *h = d->h;
    if (d->segment != NULL) flush_segment(d);
    free(d->segment);
    if (!complete) return;
    struct packet p = {0};
    record_write(h, RECORD_HEAP_DUMP_END, &p);
    put_u4(&p, d->bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)d->bytes);
    put_u4(&p, d->objects > UINT32_MAX ? UINT32_MAX : (uint32_t)d->objects);
    put_u8(&p, d->bytes);
    put_u8(&p, d->objects);
    record_write(h, RECORD_HEAP_SUMMARY, &p);
}

const struct dump_form dump_binary = {false, begin, root, instance, object_array, primitive_array, class, flush_segment, end};
