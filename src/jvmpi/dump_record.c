/* dump_record.c: one object as a record: class, instance, array of objects, array of a primitive type. */
#include "jvmpi/dump_record.h"

#include <string.h>

enum { DUMP_INITIAL = 64 * 1024 };

void dump_bytes(struct dump *d, const void *bytes, size_t count) {
    if (d->capacity - d->used < count && !d->failed) {
        size_t wanted = d->capacity ? d->capacity : DUMP_INITIAL;
        while (wanted - d->used < count) wanted *= 2;
        char *fresh = mem_realloc(d->data, wanted);
        d->failed = fresh == NULL;
        if (fresh) {
            d->data = fresh;
            d->capacity = wanted;
        }
    }
    if (d->failed) return;
    memcpy(d->data + d->used, bytes, count);
    d->used += count;
}

static jint array_kind(const struct class *c) {
    return c->shape.kind == SHAPE_REF_ARRAY ? JVMPI_CLASS : c->component->basic_type;
}

void dump_kind(struct dump *d, struct object *o) {
    dump_u1(d, class_is_array(class_of(o)) ? array_kind(class_of(o)) : JVMPI_NORMAL_OBJECT);
    dump_pointer(d, jvmpi_id(o));
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static void dump_value(struct dump *d, struct object *base, const struct field *f) {
    if (f->type == T_OBJECT || f->type == T_ARRAY) dump_pointer(d, heap_load_ref(base, f->offset));
    else if (d->level == JVMPI_DUMP_LEVEL_2)
        dump_bytes(d, (const char *)base + f->offset, basic_type_size((enum basic_type)f->type));
}

/* The fields that c itself declares, in the order in which CLASS_LOAD lists them. */
static void dump_fields(struct dump *d, struct object *base, const struct class *c, bool statics) {
    for (uint32_t i = 0; i < c->field_count; i++) {
        const struct field *f = &c->fields[i];
        if (f->cf && ((f->access_flags & ACC_STATIC) != 0) == statics) dump_value(d, base, f);
    }
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static void dump_instance(struct dump *d, struct object *o) {
    dump_u1(d, JVMPI_GC_INSTANCE_DUMP);
    dump_pointer(d, jvmpi_id(o));
    dump_class_id(d, class_of(o));
    dump_u4(d, 0);
    size_t start = d->used;
    for (const struct class *c = class_of(o); c; c = c->super) dump_fields(d, o, c, false);
    if (d->failed) return;
    uint32_t count = (uint32_t)(d->used - start);
    memcpy(d->data + start - sizeof count, &count, sizeof count);
}

static void dump_object_array(struct dump *d, struct object *o) {
    int32_t n = array_length(o);
    dump_u1(d, JVMPI_GC_OBJ_ARRAY_DUMP);
    dump_pointer(d, jvmpi_id(o));
    dump_u4(d, (uint32_t)n);
    dump_class_id(d, class_of(o)->component);
    for (int32_t i = 0; i < n; i++) dump_pointer(d, jvmpi_id(heap_array_get(o, i)));
}

static void dump_primitive_array(struct dump *d, struct object *o) {
    const struct class *c = class_of(o);
    dump_u1(d, JVMPI_GC_PRIM_ARRAY_DUMP);
    dump_pointer(d, jvmpi_id(o));
    dump_u4(d, (uint32_t)array_length(o));
    dump_u1(d, array_kind(c));
    if (d->level == JVMPI_DUMP_LEVEL_2)
        dump_bytes(d, array_data(o), (size_t)(uint32_t)array_length(o) << c->shape.element_shift);
}

struct constants {
    struct dump *dump;
    uint32_t count;
};

enum { CONSTANTS_MAX = 0xffff };

static bool dump_constant(void *arg, int32_t index, struct object *o) {
    struct constants *k = arg;
    if (k->count == CONSTANTS_MAX) return false;
    k->count++;
    dump_u2(k->dump, (uint32_t)index);
    dump_u1(k->dump, class_of(o)->shape.kind == SHAPE_REF_ARRAY ? JVMPI_CLASS : JVMPI_NORMAL_OBJECT);
    dump_pointer(k->dump, jvmpi_id(o));
    return true;
}

/* What resolution has put there: classes, strings and the like. The other constants stand in the class file. */
static void dump_constants(struct dump *d, const struct class *c) {
    struct constants k = {d, 0};
    dump_u2(d, 0);
    size_t start = d->used;
    (void)class_constants(c, dump_constant, &k);
    uint16_t count = (uint16_t)k.count;
    if (!d->failed) memcpy(d->data + start - sizeof count, &count, sizeof count);
}

static void dump_class(struct dump *d, struct object *mirror) {
    struct class *c = class_of_mirror(mirror);
    bool plain = c && !class_is_primitive(c);
    dump_u1(d, JVMPI_GC_CLASS_DUMP);
    dump_pointer(d, jvmpi_id(mirror));
    dump_class_id(d, plain && !c->is_interface ? c->super : NULL);
    dump_pointer(d, c && c->loader ? jvmpi_id(c->loader->object) : NULL);
    dump_pointer(d, c ? jvmpi_id(class_signers(c)) : NULL);
    dump_pointer(d, c ? jvmpi_id(c->protection_domain) : NULL);
    dump_pointer(d, jvmpi_id(heap_load_ref(mirror, known_offset(Class_name))));
    dump_pointer(d, NULL);
    dump_u4(d, plain && !class_is_array(c) ? c->shape.instance_size : 0);
    for (uint32_t i = 0; plain && i < c->interface_count; i++) dump_class_id(d, c->interfaces[i]);
    if (!plain) {
        dump_u2(d, 0);
        return;
    }
    dump_constants(d, c);
    if (c->statics) dump_fields(d, c->statics, c, true);
}

void dump_object(struct dump *d, struct object *o) {
    REQUIRES(STOPPED);
    switch (shape_of(o)->kind) {
    case SHAPE_MIRROR: dump_class(d, o); break;
    case SHAPE_REF_ARRAY: dump_object_array(d, o); break;
    case SHAPE_PRIM_ARRAY: dump_primitive_array(d, o); break;
    default: dump_instance(d, o); break;
    }
}
