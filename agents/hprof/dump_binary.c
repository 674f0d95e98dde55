/* dump_binary.c: heap dumps in the binary format 1.0.2 (HP-061 ... HP-074), by the writer that the VM's own heap dumps
 * have too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "hprof.h"

static uint32_t micros(void *arg) { return record_time(arg); }

/* Beforehand: nothing may come between the segments, VisualVM reads a dump only if they follow each other. */
static void write_field_names(struct hprof *h) {
    for (uint32_t id = 1; id <= h->classes.known_count; id++) {
        const struct class_info *c = class_by_tag(h, id);
        for (uint32_t i = 0; c != NULL && !c->unloaded && i < c->field_count; i++)
            (void)record_name(h, c->fields[i].name);
    }
}

static bool begin(struct dump *d) {
    write_field_names(d->h);
    bool insertable = output_insertable(d->h->out);
    if (insertable) d->front = output_position(d->h->out);
    else if ((d->spool = output_spool()) == NULL) return false;
    d->writer = (struct heap_writer){.out = insertable ? d->h->out : d->spool,
                                     .id_size = d->h->records.id_size,
                                     .micros = micros,
                                     .arg = d->h};
    if (heap_writer_begin(&d->writer)) return true;
    fprintf(stderr, "hprof: out of memory for a segment\n");
    return false;
}

/* In front of a dump that waits in a spool is what is written now; else the records are put aside, and inserted. */
static void in_front(struct dump *d, JNIEnv *jni, void (*write)(struct dump *d, JNIEnv *jni)) {
    struct output *out = d->h->out;
    if (output_failed(out)) return;
    if (d->spool == NULL && (d->h->out = output_aside(&d->h->options)) == NULL) d->failed = true;
    write(d, jni);
    write_field_names(d->h);
    if (d->spool == NULL && d->h->out != NULL) output_insert(out, d->front, d->h->out);
    d->h->out = out;
}

/* ---- roots ------------------------------------------------------------------------------------------------------- */

static enum heap_root_kind kind_of(const struct dump_root *r) {
    switch (r->kind) {
    case JVMTI_HEAP_REFERENCE_JNI_GLOBAL: return ROOT_JNI_GLOBAL;
    case JVMTI_HEAP_REFERENCE_SYSTEM_CLASS: return ROOT_STICKY_CLASS;
    case JVMTI_HEAP_REFERENCE_MONITOR: return ROOT_MONITOR_USED;
    case JVMTI_HEAP_REFERENCE_THREAD: return r->thread != 0 ? ROOT_THREAD_OBJECT : ROOT_UNKNOWN;
    case JVMTI_HEAP_REFERENCE_STACK_LOCAL: return ROOT_JAVA_FRAME;
    case JVMTI_HEAP_REFERENCE_JNI_LOCAL: return ROOT_JNI_LOCAL;
    default: return ROOT_UNKNOWN;
    }
}

/* JVM TI does not report a JNI global reference itself: the object stands for it. */
static void root(struct dump *d, const struct dump_root *r) {
    heap_write_root(&d->writer,
                    &(struct heap_root){kind_of(r), r->id, r->id, r->thread, trace_serial(r->trace), r->frame});
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

static void instance(struct dump *d, const struct dump_object *o, const unsigned char *values) {
    heap_write_instance(&d->writer, o->id, trace_serial(o->trace), o->class->known.id, values, o->class->data_size);
}

/* A segment's length has 32 bits: what does not fit is left out, with a line that says so. */
static void report_cut(uint32_t length, uint32_t written) {
    if (written != length)
        fprintf(stderr, "hprof: an array of %u elements is cut to %u, the most that the format can hold\n", length,
                written);
}

static void copy_ids_4(void *arg, unsigned char *to, const void *from, size_t first, size_t count) {
    (void)arg;
    memcpy(to, (const char *)from + first * 4, count * 4);
}

static void copy_ids_8(void *arg, unsigned char *to, const void *from, size_t first, size_t count) {
    (void)arg;
    memcpy(to, (const char *)from + first * 8, count * 8);
}

static void object_array(struct dump *d, const struct dump_object *o, uint32_t length, const unsigned char *elements) {
    report_cut(length, heap_write_object_array(&d->writer, o->id, trace_serial(o->trace), o->class->known.id, length,
                                             elements, d->writer.id_size == 4 ? copy_ids_4 : copy_ids_8));
}

static void primitive_array(struct dump *d, const struct dump_object *o, uint32_t length, char type,
                            const void *elements) {
    report_cut(length, heap_write_primitive_array(&d->writer, o->id, trace_serial(o->trace), type, length, elements));
}

/* ---- classes ----------------------------------------------------------------------------------------------------- */

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
    heap_put_class(&d->writer, &p,
                   &(struct heap_class){c->known.id, c->super != NULL ? c->super->known.id : 0, c->loader, c->signers,
                                        c->domain, TRACE_SERIAL_BASE, c->data_size});
    put_u2(&p, 0);                      /* constant pool: HotSpot's dumps have none either */
    put_statics(d, &p, c);
    put_fields(d, &p, c);
    heap_write_class(&d->writer, &p);
}

static void end(struct dump *d, bool complete) {
    heap_writer_end(&d->writer, complete);
    if (d->spool != NULL) output_append(d->h->out, d->spool);
    output_commit(d->h->out);
    if (!complete) return;
    struct packet p = {0};
    put_u4(&p, d->bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)d->bytes);
    put_u4(&p, d->objects > UINT32_MAX ? UINT32_MAX : (uint32_t)d->objects);
    put_u8(&p, d->bytes);
    put_u8(&p, d->objects);
    record_write(d->h, RECORD_HEAP_SUMMARY, &p);
}

const struct dump_form dump_binary = {false,           begin, root,     instance, object_array,
                                      primitive_array, class, in_front, end};
