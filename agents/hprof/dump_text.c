/* dump_text.c: heap dumps as text (HP-047, HP-048). The heading states totals that are known only behind the walk, so
 * the rest waits in a spool. */
#include <stdlib.h>

#include "dump.h"
#include "hprof.h"

static bool begin(struct dump *d) {
    d->spool = output_spool();
    return d->spool != NULL;
}

static const char *kind_name(jvmtiHeapReferenceKind kind) {
    switch (kind) {
    case JVMTI_HEAP_REFERENCE_JNI_GLOBAL: return "<JNI global ref>";
    case JVMTI_HEAP_REFERENCE_SYSTEM_CLASS: return "<system class>";
    case JVMTI_HEAP_REFERENCE_MONITOR: return "<busy monitor>";
    case JVMTI_HEAP_REFERENCE_THREAD: return "<thread>";
    case JVMTI_HEAP_REFERENCE_STACK_LOCAL: return "<Java stack>";
    case JVMTI_HEAP_REFERENCE_JNI_LOCAL: return "<JNI local ref>";
    default: return "<unknown>";
    }
}

static void root(struct dump *d, const struct dump_root *r) {
    output_format(d->spool, "ROOT %llx (kind=%s", (unsigned long long)r->id, kind_name(r->kind));
    if (r->class != NULL) output_format(d->spool, ", name=%s", r->class->name);
    if (r->kind == JVMTI_HEAP_REFERENCE_THREAD)
        output_format(d->spool, ", id=%u, trace=%u", r->thread, trace_serial(r->trace));
    else if (r->frame >= 0) output_format(d->spool, ", thread=%u, frame=%d", r->thread, r->frame);
    output_format(d->spool, ")\n");
}

/* The reference fields that c declares, whose values begin at `values`. */
static void fields(struct dump *d, const struct class_info *c, const unsigned char *values) {
    int id_size = d->h->records.id_size;
    for (uint32_t i = 0, at = 0; i < c->field_count; i++) {
        const struct field_info *f = &c->fields[i];
        if (f->is_static) continue;
        uint64_t id = f->type == 'L' ? load_id(values + at, id_size) : 0;
        if (id != 0) output_format(d->spool, "\t%s\t%llx\n", f->name, (unsigned long long)id);
        at += type_size(f->type, id_size);
    }
}

static void instance(struct dump *d, const struct dump_object *o, const unsigned char *values) {
    output_format(d->spool, "OBJ %llx (sz=%lld, trace=%u, class=%s@%x)\n", (unsigned long long)o->id,
                  (long long)o->size, trace_serial(o->trace), o->class->name, o->class->known.id);
    for (const struct class_info *c = o->class; c != NULL; c = c->super)
        fields(d, c, values + o->class->data_size - c->data_size);
}

static void array_head(struct dump *d, const struct dump_object *o, uint32_t length) {
    output_format(d->spool, "ARR %llx (sz=%lld, trace=%u, nelems=%u, elem type=", (unsigned long long)o->id,
                  (long long)o->size, trace_serial(o->trace), length);
}

static void object_array(struct dump *d, const struct dump_object *o, uint32_t length, const unsigned char *elements) {
    int id_size = d->h->records.id_size;
    size_t n = 0;
    while (o->class->name[n] != '\0') n++;
    array_head(d, o, length);
    output_bytes(d->spool, o->class->name, n - 2);              /* the element's name: without the last [] */
    output_format(d->spool, "@%x)\n", o->class->known.id);
    for (uint32_t i = 0; i < length; i++) {
        uint64_t id = load_id(elements + (size_t)i * (size_t)id_size, id_size);
        if (id != 0) output_format(d->spool, "\t[%u]\t%llx\n", i, (unsigned long long)id);
    }
}

static void primitive_array(struct dump *d, const struct dump_object *o, uint32_t length, char type,
                            const void *elements) {
    (void)elements;
    array_head(d, o, length);
    output_format(d->spool, "%s)\n", type_name(type));
}

static void reference(struct dump *d, const char *what, uint64_t id) {
    if (id != 0) output_format(d->spool, "\t%s\t\t%llx\n", what, (unsigned long long)id);
}

static void class(struct dump *d, const struct class_info *c) {
    int id_size = d->h->records.id_size;
    output_format(d->spool, "CLS %x (name=%s, trace=%u)\n", c->known.id, c->name, TRACE_SERIAL_BASE);
    reference(d, "super", c->super != NULL ? c->super->known.id : 0);
    reference(d, "loader", c->loader);
    reference(d, "signers", c->signers);
    reference(d, "domain", c->domain);
    for (uint32_t i = 0; i < c->field_count; i++) {
        const struct field_info *f = &c->fields[i];
        uint64_t id = f->is_static && f->type == 'L' ? load_id(c->statics + f->value, id_size) : 0;
        if (id != 0) output_format(d->spool, "\tstatic %s\t%llx\n", f->name, (unsigned long long)id);
    }
}

static void in_front(struct dump *d, JNIEnv *jni, void (*write)(struct dump *d, JNIEnv *jni)) { write(d, jni); }

static void end(struct dump *d, bool complete) {
    char date[32];
    if (d->spool == NULL) return;
    output_format(d->h->out, "HEAP DUMP BEGIN (%llu objects, %llu bytes) %s\n", (unsigned long long)d->objects,
                  (unsigned long long)d->bytes, hprof_date(date));
    output_append(d->h->out, d->spool);
    output_format(d->h->out, complete ? "HEAP DUMP END\n" : "HEAP DUMP END (not complete)\n");
    output_commit(d->h->out);
}

const struct dump_form dump_text = {true, begin, root, instance, object_array, primitive_array, class, in_front, end};
