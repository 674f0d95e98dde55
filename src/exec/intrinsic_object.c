/* intrinsic_object.c — native methods that ask about objects, classes and threads or copy short arrays: what they
 * tell is at hand, so that neither a frame nor handles are needed. */
#include "exec/intrinsic.h"

#include "base/base.h"

#define FUNCTION(name) INTRINSIC_OF_NATIVE(name)
#define INT_ARG(i) ((int32_t)args[i])

FUNCTION(object_class) {
    *result = slot_ref(class_of(arg_array(args, 0))->mirror);
    return true;
}

FUNCTION(identity_hash) {
    struct object *o = arg_array(args, 0);
    *result = o != NULL ? (uint32_t)heap_identity_hash(o) : 0;
    return true;
}

FUNCTION(current_thread) {
    const struct os_thread *self = current_thread();
    *result = slot_ref(self->current_thread_object != NULL ? self->current_thread_object : self->java->mirror);
    return true;
}

FUNCTION(refers_to) {
    *result = heap_reference_refers_to(arg_array(args, 0), arg_array(args, 1));
    return true;
}

/* ---- java.lang.Class --------------------------------------------------------------------------------------------- */

FUNCTION(class_is_instance) {
    struct object *o = arg_array(args, 1);
    *result = o != NULL && object_is_instance(o, class_of_mirror(arg_array(args, 0)));
    return true;
}

FUNCTION(class_is_assignable_from) {
    struct object *other = arg_array(args, 1);
    if (other == NULL) return false;
    struct class *above = class_of_mirror(arg_array(args, 0));
    struct class *c = class_of_mirror(other);
    *result = c == above || (!class_is_primitive(c) && !class_is_primitive(above) && class_is_subtype(c, above));
    return true;
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

enum { LONGEST_COPY = 1 << 15 };         /* bytes: longer copies let the world stop between two pieces              */

/* Both are arrays, and an element of the one may be one of the other's. */
static bool may_copy_to(const struct class *from, const struct class *to) {
    if (from == to) return class_is_array(from);
    return from->shape.kind == SHAPE_REF_ARRAY && to->shape.kind == SHAPE_REF_ARRAY;
}

/* False: an element is none of the other array's, of which the native method says so; it copies those before it. */
static bool copy_checked(struct object *from, int32_t at, struct object *to, int32_t to_at, int32_t count) {
    struct class *component = class_of(to)->component;
    for (int32_t i = 0; i < count; i++) {
        struct object *o = heap_array_get(from, at + i);
        if (o != NULL && !object_is_instance(o, component)) return false;
        heap_array_set(to, to_at + i, o);
    }
    return true;
}

/* (array, from, array, to, count) */
FUNCTION(copy_array) {
    struct object *from = arg_array(args, 0), *to = arg_array(args, 2);
    int32_t at = INT_ARG(1), to_at = INT_ARG(3), count = INT_ARG(4);
    if (from == NULL || to == NULL || !may_copy_to(class_of(from), class_of(to))) return false;
    const struct shape *s = shape_of(from);
    if (!range_fits(at, count, array_length(from)) || !range_fits(to_at, count, array_length(to))) return false;
    if (count > LONGEST_COPY >> s->element_shift) return false;
    *result = 0;
    if (s->kind == SHAPE_REF_ARRAY) {
        const struct class *a = class_of(from), *b = class_of(to);
        if (a != b && !class_is_subtype(a->component, b->component)) return copy_checked(from, at, to, to_at, count);
        heap_copy_refs(current_thread(), from, at, to, to_at, count);
    } else {
        memmove((char *)array_data(to) + ((size_t)to_at << s->element_shift),
                (const char *)array_data(from) + ((size_t)at << s->element_shift), (size_t)count << s->element_shift);
    }
    return true;
}
