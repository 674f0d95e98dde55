/* jdk_internal_reflect_ConstantPool.c — constant pools as the annotation parser reads them. The "constant pool object"
 * is the Class. */
#include "jdk/jvm.h"
#include "jdk/reflect.h"
#include "link/resolve.h"

/* The class whose pool it is, if `index` lies in it and has one of the tags in `tags` (bit per tag; 0 = any). NULL:
 * exception pending. */
static struct class *pool(struct os_thread *self, jobject pool_object, jint index, uint32_t tags) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = jclass_class(pool_object);
    if (c == NULL || c->cf == NULL || index <= 0 || index >= c->cf->cp.count) {
        throw_message(self, "java/lang/IllegalArgumentException", "Constant pool index out of bounds");
        return NULL;
    }
    if (tags == 0 || tags >> cp_tag(c->cf, (uint16_t)index) & 1) return c;
    throw_message(self, "java/lang/IllegalArgumentException", "Wrong type at constant pool index");
    return NULL;
}

enum {
    IS_MEMBER = 1 << CP_Fieldref | 1 << CP_Methodref | 1 << CP_InterfaceMethodref,
    IS_METHOD = 1 << CP_Methodref | 1 << CP_InterfaceMethodref,
    HAS_NAME_AND_TYPE = IS_MEMBER | 1 << CP_Dynamic | 1 << CP_InvokeDynamic
};

JVM jobject JVM_GetClassConstantPool(JNIEnv *env, jclass cls);
JVM jobject JVM_GetClassConstantPool(JNIEnv *env, jclass cls) {
    NATIVE_ENTRY(env);
    struct class *c = jclass_class(cls), *k = known_class(jdk_internal_reflect_ConstantPool);
    if (c->cf == NULL || !class_ensure_initialized(self, k)) return NULL;
    struct object *o = heap_alloc_instance(self, &k->shape);
    if (o != NULL) heap_store_ref(o, known_offset(ConstantPool_constantPoolOop), c->mirror);
    return handle_local(self, o);
}

JVM jint JVM_ConstantPoolGetSize(JNIEnv *env, jobject unused, jobject p);
JVM jint JVM_ConstantPoolGetSize(JNIEnv *env, jobject unused, jobject p) {
    NATIVE_ENTRY(env);
    (void)unused;
    struct class *c = jclass_class(p);
    return c->cf ? c->cf->cp.count : 0;
}

static struct class *class_entry(struct os_thread *self, struct class *c, uint16_t index, bool resolve) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (resolve) return resolve_class(self, c->version, index);
    return (struct class *)(uintptr_t)atomic_load_explicit(&c->version->cells[index], memory_order_acquire);
}

JVM jclass JVM_ConstantPoolGetClassAt(JNIEnv *env, jobject unused, jobject p, jint index);
JVM jclass JVM_ConstantPoolGetClassAt(JNIEnv *env, jobject unused, jobject p, jint index) {
    NATIVE_ENTRY(env);
    (void)unused;
    struct class *c = pool(self, p, index, 1 << CP_Class);
    return c ? mirror_handle(self, class_entry(self, c, (uint16_t)index, true)) : NULL;
}
JVM jclass JVM_ConstantPoolGetClassAtIfLoaded(JNIEnv *env, jobject unused, jobject p, jint index);
JVM jclass JVM_ConstantPoolGetClassAtIfLoaded(JNIEnv *env, jobject unused, jobject p, jint index) {
    NATIVE_ENTRY(env);
    (void)unused;
    struct class *c = pool(self, p, index, 1 << CP_Class);
    return c ? mirror_handle(self, class_entry(self, c, (uint16_t)index, false)) : NULL;
}

JVM jint JVM_ConstantPoolGetClassRefIndexAt(JNIEnv *env, jobject unused, jobject p, jint index);
JVM jint JVM_ConstantPoolGetClassRefIndexAt(JNIEnv *env, jobject unused, jobject p, jint index) {
    NATIVE_ENTRY(env);
    (void)unused;
    struct class *c = pool(self, p, index, IS_MEMBER);
    return c ? cp_ref_class_index(c->cf, (uint16_t)index) : 0;
}
JVM jint JVM_ConstantPoolGetNameAndTypeRefIndexAt(JNIEnv *env, jobject unused, jobject p, jint index);
JVM jint JVM_ConstantPoolGetNameAndTypeRefIndexAt(JNIEnv *env, jobject unused, jobject p, jint index) {
    NATIVE_ENTRY(env);
    (void)unused;
    struct class *c = pool(self, p, index, HAS_NAME_AND_TYPE);
    return c ? cp_ref_nat_index(c->cf, (uint16_t)index) : 0;
}

static struct object *member_at(struct os_thread *self, jobject p, jint index, bool field, bool resolve) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = pool(self, p, index, field ? 1 << CP_Fieldref : IS_METHOD);
    if (c == NULL) return NULL;
    uint16_t i = (uint16_t)index;
    struct class *in = class_entry(self, c, cp_ref_class_index(c->cf, i), resolve);
    if (in == NULL) return NULL;
    struct symbol *name = cp_ref_name(c->cf, i), *desc = cp_ref_desc(c->cf, i);
    struct field *f = field ? class_lookup_field(in, name, desc) : NULL;
    struct method *m = field ? NULL : class_find_method(in, name, desc);
    if (f != NULL) return reflect_field(self, f);
    if (m != NULL) return reflect_method(self, m);
    throw_message(self, "java/lang/RuntimeException", "Unable to look up %s in target class",
                  field ? "field" : "method");
    return NULL;
}

#define MEMBER_AT(function, field, resolve)                                                        \
    JVM jobject function(JNIEnv *env, jobject unused, jobject p, jint index);                      \
    JVM jobject function(JNIEnv *env, jobject unused, jobject p, jint index) {                     \
        NATIVE_ENTRY(env);                                                                         \
        (void)unused;                                                                              \
        return handle_local(self, member_at(self, p, index, field, resolve));                      \
    }
MEMBER_AT(JVM_ConstantPoolGetMethodAt, false, true)
MEMBER_AT(JVM_ConstantPoolGetMethodAtIfLoaded, false, false)
MEMBER_AT(JVM_ConstantPoolGetFieldAt, true, true)
MEMBER_AT(JVM_ConstantPoolGetFieldAtIfLoaded, true, false)

static jobjectArray string_array(struct os_thread *self, struct symbol *const *symbols, int32_t n) {
    struct object *out = new_ref_array(self, known_class(java_lang_String), n);
    for (int32_t i = 0; out != NULL && i < n; i++) {
        struct object *s = string_from_symbol(self, symbols[i], false);
        if (s == NULL) return NULL;
        heap_array_set(out, i, s);
    }
    return handle_local(self, out);
}

/* {class, name, descriptor} */
JVM jobjectArray JVM_ConstantPoolGetMemberRefInfoAt(JNIEnv *env, jobject unused, jobject p, jint index);
JVM jobjectArray JVM_ConstantPoolGetMemberRefInfoAt(JNIEnv *env, jobject unused, jobject p, jint index) {
    NATIVE_ENTRY(env);
    (void)unused;
    struct class *c = pool(self, p, index, IS_MEMBER);
    if (c == NULL) return NULL;
    uint16_t i = (uint16_t)index;
    return string_array(self,
                        (struct symbol *const[]){cp_ref_class_name(c->cf, i), cp_ref_name(c->cf, i),
                                                 cp_ref_desc(c->cf, i)},
                        3);
}
/* {name, descriptor} */
JVM jobjectArray JVM_ConstantPoolGetNameAndTypeRefInfoAt(JNIEnv *env, jobject unused, jobject p, jint index);
JVM jobjectArray JVM_ConstantPoolGetNameAndTypeRefInfoAt(JNIEnv *env, jobject unused, jobject p, jint index) {
    NATIVE_ENTRY(env);
    (void)unused;
    struct class *c = pool(self, p, index, 1 << CP_NameAndType);
    if (c == NULL) return NULL;
    return string_array(self,
                        (struct symbol *const[]){cp_nat_name(c->cf, (uint16_t)index),
                                                 cp_nat_desc(c->cf, (uint16_t)index)},
                        2);
}

#define NUMBER_AT(function, type, tag, read)                                                       \
    JVM type function(JNIEnv *env, jobject unused, jobject p, jint index);                         \
    JVM type function(JNIEnv *env, jobject unused, jobject p, jint index) {                        \
        NATIVE_ENTRY(env);                                                                         \
        (void)unused;                                                                              \
        struct class *c = pool(self, p, index, 1 << (tag));                                        \
        return c ? read(c->cf, (uint16_t)index) : 0;                                               \
    }
NUMBER_AT(JVM_ConstantPoolGetIntAt, jint, CP_Integer, cp_int)
NUMBER_AT(JVM_ConstantPoolGetLongAt, jlong, CP_Long, cp_long)
NUMBER_AT(JVM_ConstantPoolGetFloatAt, jfloat, CP_Float, cp_float)
NUMBER_AT(JVM_ConstantPoolGetDoubleAt, jdouble, CP_Double, cp_double)

JVM jstring JVM_ConstantPoolGetStringAt(JNIEnv *env, jobject unused, jobject p, jint index);
JVM jstring JVM_ConstantPoolGetStringAt(JNIEnv *env, jobject unused, jobject p, jint index) {
    NATIVE_ENTRY(env);
    (void)unused;
    struct class *c = pool(self, p, index, 1 << CP_String);
    uint64_t value;
    enum basic_type type;
    return c && resolve_constant(self, c->version, (uint16_t)index, &value, &type)
               ? handle_local(self, slot_object(value))
               : NULL;
}
JVM jstring JVM_ConstantPoolGetUTF8At(JNIEnv *env, jobject unused, jobject p, jint index);
JVM jstring JVM_ConstantPoolGetUTF8At(JNIEnv *env, jobject unused, jobject p, jint index) {
    NATIVE_ENTRY(env);
    (void)unused;
    struct class *c = pool(self, p, index, 1 << CP_Utf8);
    return c ? handle_local(self, string_from_symbol(self, cp_symbol(c->cf, (uint16_t)index), false)) : NULL;
}

JVM jbyte JVM_ConstantPoolGetTagAt(JNIEnv *env, jobject unused, jobject p, jint index);
JVM jbyte JVM_ConstantPoolGetTagAt(JNIEnv *env, jobject unused, jobject p, jint index) {
    NATIVE_ENTRY(env);
    (void)unused;
    struct class *c = pool(self, p, index, 0);
    return c ? (jbyte)cp_tag(c->cf, (uint16_t)index) : 0;
}
