/* java_lang_reflect_Array.c — the natives of java.lang.reflect.Array. */
#include "jdk/jvm.h"
#include "jdk/reflect.h"
#include "probe/probe.h"

/* The array behind the handle; NULL with NullPointerException or IllegalArgumentException pending. */
static struct object *array_of(struct os_thread *self, jobject h, bool primitive) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *a = handle_get(h);
    if (a == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return NULL;
    }
    struct class *c = class_of(a);
    if (class_is_array(c) && (!primitive || c->shape.kind == SHAPE_PRIM_ARRAY)) return a;
    throw_message(self, "java/lang/IllegalArgumentException",
                  class_is_array(c) ? "Argument is not an array of primitive type" : "Argument is not an array");
    return NULL;
}

static bool index_ok(struct os_thread *self, struct object *a, jint i) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (i >= 0 && i < array_length(a)) return true;
    throw_new(self, "java/lang/ArrayIndexOutOfBoundsException");
    return false;
}

static enum basic_type element_type(struct object *a) {
    struct class *component = class_of(a)->component;
    return class_is_primitive(component) ? component->basic_type : T_OBJECT;
}

static struct object *element_address(struct object *a, jint i) {
    return (struct object *)((char *)array_data(a) + ((size_t)i << class_of(a)->shape.element_shift));
}
static uint64_t element_load(struct object *a, jint i, enum basic_type type) {
    return field_load(element_address(a, i), 0, type);
}
static void element_store(struct object *a, jint i, enum basic_type type, uint64_t value) {
    field_store(element_address(a, i), 0, type, value);
}

JVM jint JVM_GetArrayLength(JNIEnv *env, jobject array);
JVM jint JVM_GetArrayLength(JNIEnv *env, jobject array) {
    NATIVE_ENTRY(env);
    struct object *a = array_of(self, array, false);
    return a ? array_length(a) : 0;
}

/* The element, boxed if need be. */
JVM jobject JVM_GetArrayElement(JNIEnv *env, jobject array, jint index);
JVM jobject JVM_GetArrayElement(JNIEnv *env, jobject array, jint index) {
    NATIVE_ENTRY(env);
    struct object *a = array_of(self, array, false);
    if (a == NULL || !index_ok(self, a, index)) return NULL;
    enum basic_type type = element_type(a);
    return handle_local(self,
                        type == T_OBJECT ? heap_array_get(a, index) : box(self, type, element_load(a, index, type)));
}

static jvalue jvalue_of(enum basic_type type, uint64_t slot) {
    union { uint64_t slot; jfloat f; jdouble d; } u = {.slot = slot};
    jvalue v = {.j = 0};
    switch (type) {
    case T_BOOLEAN: v.z = (jboolean)slot; break;
    case T_BYTE: v.b = (jbyte)slot; break;
    case T_CHAR: v.c = (jchar)slot; break;
    case T_SHORT: v.s = (jshort)slot; break;
    case T_INT: v.i = (jint)slot; break;
    case T_LONG: v.j = (jlong)slot; break;
    case T_FLOAT: v.f = u.f; break;
    case T_DOUBLE: v.d = u.d; break;
    default: break;
    }
    return v;
}

static uint64_t slot_of(enum basic_type type, jvalue v) {
    union { uint64_t slot; jfloat f; jdouble d; } u = {.slot = 0};
    switch (type) {
    case T_BOOLEAN: return v.z != 0;
    case T_BYTE: return slot_int(v.b);
    case T_CHAR: return v.c;
    case T_SHORT: return slot_int(v.s);
    case T_INT: return slot_int(v.i);
    case T_LONG: return (uint64_t)v.j;
    case T_FLOAT: u.f = v.f; return u.slot;
    case T_DOUBLE: u.d = v.d; return u.slot;
    default: return 0;
    }
}

/* The element widened to `wanted`, a basic type code. */
JVM jvalue JVM_GetPrimitiveArrayElement(JNIEnv *env, jobject array, jint index, jint wanted);
JVM jvalue JVM_GetPrimitiveArrayElement(JNIEnv *env, jobject array, jint index, jint wanted) {
    NATIVE_ENTRY(env);
    struct object *a = array_of(self, array, true);
    if (a == NULL || !index_ok(self, a, index)) return (jvalue){.j = 0};
    enum basic_type type = element_type(a);
    uint64_t value = element_load(a, index, type);
    if (!widen_primitive(type, (enum basic_type)wanted, &value)) {
        throw_message(self, "java/lang/IllegalArgumentException", "argument type mismatch");
        return (jvalue){.j = 0};
    }
    return jvalue_of((enum basic_type)wanted, value);
}

JVM void JVM_SetArrayElement(JNIEnv *env, jobject array, jint index, jobject value);
JVM void JVM_SetArrayElement(JNIEnv *env, jobject array, jint index, jobject value) {
    NATIVE_ENTRY(env);
    struct object *a = array_of(self, array, false), *o = handle_get(value);
    if (a == NULL) return;
    enum basic_type from, type = element_type(a);
    uint64_t slot;
    if (type == T_OBJECT) {
        if (!index_ok(self, a, index)) return;
        if (o != NULL && !object_is_instance(o, class_of(a)->component))
            throw_message(self, "java/lang/IllegalArgumentException", "array element type mismatch");
        else heap_array_set(a, index, o);
        return;
    }
    if (o == NULL || !unbox(o, &from, &slot)) {
        if (o == NULL) throw_new(self, "java/lang/IllegalArgumentException");
        else throw_message(self, "java/lang/IllegalArgumentException", "argument type mismatch");
        return;
    }
    if (!index_ok(self, a, index)) return;
    if (!widen_primitive(from, type, &slot))
        throw_message(self, "java/lang/IllegalArgumentException", "argument type mismatch");
    else element_store(a, index, type, slot);
}

/* `given` is the basic type of the value. */
JVM void JVM_SetPrimitiveArrayElement(JNIEnv *env, jobject array, jint index, jvalue value, unsigned char given);
JVM void JVM_SetPrimitiveArrayElement(JNIEnv *env, jobject array, jint index, jvalue value, unsigned char given) {
    NATIVE_ENTRY(env);
    struct object *a = array_of(self, array, true);
    if (a == NULL || !index_ok(self, a, index)) return;
    enum basic_type type = element_type(a);
    uint64_t slot = slot_of((enum basic_type)given, value);
    if (!widen_primitive((enum basic_type)given, type, &slot))
        throw_message(self, "java/lang/IllegalArgumentException", "argument type mismatch");
    else element_store(a, index, type, slot);
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

enum { MAX_DIMENSIONS = 255 };

/* The element class that the mirror names; NULL: exception pending. */
static struct class *element_class(struct os_thread *self, jclass element, uint32_t dimensions) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = jclass_class(element);
    if (c == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return NULL;
    }
    uint32_t has = class_is_array(c) ? c->dimensions : 0;
    if ((class_is_primitive(c) && c->basic_type == T_VOID) || has + dimensions > MAX_DIMENSIONS) {
        throw_new(self, "java/lang/IllegalArgumentException");
        return NULL;
    }
    return c;
}

static bool length_ok(struct os_thread *self, jint n) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (n >= 0) return true;
    throw_message(self, "java/lang/NegativeArraySizeException", "%d", n);
    return false;
}

JVM jobject JVM_NewArray(JNIEnv *env, jclass element, jint length);
JVM jobject JVM_NewArray(JNIEnv *env, jclass element, jint length) {
    NATIVE_ENTRY(env);
    if (element != NULL && !length_ok(self, length)) return NULL;
    struct class *c = element_class(self, element, 1);
    struct object *a = c ? new_ref_array(self, c, length) : NULL;
    if (a != NULL) probe_vm_object_alloc(self, a);
    return handle_local(self, a);
}

/* Arrays of arrays without recursion: `level` says how deep the array in hand lies, `at` how far each level has been
 * filled. */
static struct object *new_multi(struct os_thread *self, struct class *const *classes, const jint *lengths, uint32_t n) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *stack[MAX_DIMENSIONS];
    int32_t at[MAX_DIMENSIONS];
    uint32_t level = 0;
    stack[0] = heap_alloc_array(self, &classes[0]->shape, lengths[0]);
    at[0] = 0;
    if (stack[0] == NULL) return NULL;
    probe_vm_object_alloc(self, stack[0]);
    for (;;) {
        if (level + 1 < n && at[level] < lengths[level]) {
            struct object *a = heap_alloc_array(self, &classes[level + 1]->shape, lengths[level + 1]);
            if (a == NULL) return NULL;
            probe_vm_object_alloc(self, a);
            heap_array_set(stack[level], at[level]++, a);
            stack[++level] = a;
            at[level] = 0;
        } else if (level-- == 0) {
            return stack[0];
        }
    }
}

JVM jobject JVM_NewMultiArray(JNIEnv *env, jclass element, jintArray dimensions);
JVM jobject JVM_NewMultiArray(JNIEnv *env, jclass element, jintArray dimensions) {
    NATIVE_ENTRY(env);
    struct object *d = handle_get(dimensions);
    if (element == NULL || d == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return NULL;
    }
    uint32_t n = (uint32_t)array_length(d);
    if (n == 0) {
        throw_new(self, "java/lang/IllegalArgumentException");
        return NULL;
    }
    struct class *c = n > MAX_DIMENSIONS ? NULL : element_class(self, element, n);
    if (c == NULL) {
        if (self->exception == NULL) throw_new(self, "java/lang/IllegalArgumentException");
        return NULL;
    }
    jint lengths[MAX_DIMENSIONS];
    struct class *classes[MAX_DIMENSIONS];
    memcpy(lengths, array_data(d), n * sizeof *lengths);
    for (uint32_t i = 0; i < n; i++) {
        if (!length_ok(self, lengths[i])) return NULL;
    }
    for (uint32_t i = n; i-- > 0;) {
        c = class_array_of(self, c);
        if (c == NULL) return NULL;
        classes[i] = c;
    }
    return handle_local(self, new_multi(self, classes, lengths, n));
}
