/* Arrays: lengths, object arrays, primitive arrays: elements, regions, critical access. */
#include "jni/jni_internal.h"

jsize JNICALL jni_GetArrayLength(JNIEnv *env, jarray h) {
    NATIVE_ENTRY(env);
    struct object *a = jni_object(self, h, JNI_NAME);
    return a ? array_length(a) : 0;
}

/* ---- object arrays ----------------------------------------------------------------------------------------------- */

static bool length_is_good(struct os_thread *self, jsize length) {
    REQUIRES(IN_VM | MAY_STOP);
    if (length >= 0) return true;
    PENDING_ASIDE(self);
    throw_message(self, "java/lang/NegativeArraySizeException", "%d", length);
    return false;
}

jobjectArray JNICALL jni_NewObjectArray(JNIEnv *env, jsize length, jclass handle, jobject initial) {
    NATIVE_ENTRY(env);
    PENDING_ASIDE(self);
    struct class *component = jni_class(handle, JNI_NAME);
    if (!component) {
        jni_throw_null(self);
        return NULL;
    }
    if (!length_is_good(self, length)) return NULL;
    struct class *c = class_array_of(self, component);
    struct object *a = c ? heap_alloc_array(self, &c->shape, length) : NULL;
    struct object *value = jni_get(initial, JNI_NAME);
    if (a && value) for (jsize i = 0; i < length; i++) heap_array_set(a, i, value);
    return handle_local(self, a);
}

static bool index_is_good(struct os_thread *self, struct object *a, jsize i) {
    REQUIRES(IN_VM | MAY_STOP);
    if (i >= 0 && i < array_length(a)) return true;
    PENDING_ASIDE(self);
    throw_message(self, "java/lang/ArrayIndexOutOfBoundsException", "Index %d out of bounds for length %d", i,
                  array_length(a));
    return false;
}

jobject JNICALL jni_GetObjectArrayElement(JNIEnv *env, jobjectArray h, jsize i) {
    NATIVE_ENTRY(env);
    struct object *a = jni_object(self, h, JNI_NAME);
    return a && index_is_good(self, a, i) ? handle_local(self, heap_array_get(a, i)) : NULL;
}

void JNICALL jni_SetObjectArrayElement(JNIEnv *env, jobjectArray h, jsize i, jobject v) {
    NATIVE_ENTRY(env);
    struct object *a = jni_object(self, h, JNI_NAME), *value = jni_get(v, JNI_NAME);
    if (!a || !index_is_good(self, a, i)) return;
    struct class *c = class_of(a);
    if (value && !object_is_instance(value, c->component)) {
        char *from = class_external_name(class_of(value)), *to = class_external_name(class_element(c));
        char dimensions[512] = "";
        for (uint32_t d = c->dimensions; d > 1; d--) strcat(dimensions, "[]");
        PENDING_ASIDE(self);
        throw_message(self, "java/lang/ArrayStoreException", "type mismatch: can not store %s to %s[%d]%s",
                      from ? from : "?", to ? to : "?", i, dimensions);
        mem_free(from);
        mem_free(to);
        return;
    }
    heap_array_set(a, i, value);
}

/* ---- primitive arrays -------------------------------------------------------------------------------------------- */

static struct object *new_primitive_array(struct os_thread *self, enum basic_type type, jsize length) {
    REQUIRES(IN_VM | MAY_STOP);
    PENDING_ASIDE(self);
    return length_is_good(self, length) ? heap_alloc_array(self, &vm->link->primitive_arrays[type]->shape, length)
                                        : NULL;
}

static bool region_fits(struct os_thread *self, struct object *a, jsize start, jsize length) {
    REQUIRES(IN_VM | MAY_STOP);
    if (length >= 0 && start >= 0 && start <= array_length(a) - length) return true;
    PENDING_ASIDE(self);
    if (length < 0) throw_message(self, "java/lang/ArrayIndexOutOfBoundsException", "Length %d is negative", length);
    else
        throw_message(self, "java/lang/ArrayIndexOutOfBoundsException",
                      "Array region %d..%" PRId64 " out of bounds for length %d", start, (int64_t)start + length,
                      array_length(a));
    return false;
}

/* The elements are copied: a caller may let them drift and throw the changes away. */
static void *get_elements(struct os_thread *self, jarray h, size_t size, jboolean *is_copy, const char *function) {
    REQUIRES(IN_VM | MAY_STOP);
    struct object *a = jni_object(self, h, function);
    if (!a) return NULL;
    size_t bytes = (size_t)array_length(a) * size;
    void *out = mem_alloc(bytes ? bytes : size);
    if (!out) {
        PENDING_ASIDE(self);
        throw_out_of_memory(self, "GetArrayElements");
        return NULL;
    }
    memcpy(out, array_data(a), bytes);
    if (is_copy) *is_copy = JNI_TRUE;
    return out;
}

static void release_elements(jarray h, void *elements, size_t size, jint mode, const char *function) {
    struct object *a = jni_get(h, function);
    if (!a || !elements) return;
    if (mode != JNI_ABORT) memcpy(array_data(a), elements, (size_t)array_length(a) * size);
    if (mode != JNI_COMMIT) mem_free(elements);
}

#define ARRAYS(Name, type, basic, member)                                                          \
    type##Array JNICALL jni_New##Name##Array(JNIEnv *env, jsize length) {                          \
        NATIVE_ENTRY(env);                                                                         \
        return handle_local(self, new_primitive_array(self, basic, length));                       \
    }                                                                                              \
    type *JNICALL jni_Get##Name##ArrayElements(JNIEnv *env, type##Array h, jboolean *is_copy) {    \
        NATIVE_ENTRY(env);                                                                         \
        return get_elements(self, h, sizeof(type), is_copy, JNI_NAME);                             \
    }                                                                                              \
    void JNICALL jni_Release##Name##ArrayElements(JNIEnv *env, type##Array h, type *elements, jint mode) { \
        NATIVE_ENTRY(env);                                                                         \
        release_elements(h, elements, sizeof(type), mode, JNI_NAME);                               \
    }                                                                                              \
    void JNICALL jni_Get##Name##ArrayRegion(JNIEnv *env, type##Array h, jsize start, jsize length, type *out) { \
        NATIVE_ENTRY(env);                                                                         \
        struct object *a = jni_object(self, h, JNI_NAME);                                          \
        if (a && region_fits(self, a, start, length) && length)                                    \
            memcpy(out, (type *)array_data(a) + start, (size_t)length * sizeof(type));             \
    }                                                                                              \
    void JNICALL jni_Set##Name##ArrayRegion(JNIEnv *env, type##Array h, jsize start, jsize length, const type *in) { \
        NATIVE_ENTRY(env);                                                                         \
        struct object *a = jni_object(self, h, JNI_NAME);                                          \
        if (a && region_fits(self, a, start, length) && length)                                    \
            memcpy((type *)array_data(a) + start, in, (size_t)length * sizeof(type));              \
    }

JNI_PRIMITIVES(ARRAYS)

/* Objects do not move and live as long as the handle: the elements themselves. */
void *JNICALL jni_GetPrimitiveArrayCritical(JNIEnv *env, jarray h, jboolean *is_copy) {
    NATIVE_ENTRY(env);
    struct object *a = jni_object(self, h, JNI_NAME);
    if (!a) return NULL;
    if (is_copy) *is_copy = JNI_FALSE;
    self->critical++;
    return array_data(a);
}

void JNICALL jni_ReleasePrimitiveArrayCritical(JNIEnv *env, jarray h, void *elements, jint mode) {
    (void)h, (void)elements, (void)mode;
    struct os_thread *self = thread_from_env(env);
    if (self->critical) self->critical--;
}
