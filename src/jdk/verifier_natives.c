/* verifier_natives.c — what the JDK's libverify, the verifier for class files before version 50, reads of a class.
 * Methods and fields are counted as in the class file. Texts belong to the class and live as long as it does. */
#include "jdk/jvm.h"

/* A version that is to replace the current one, while that is verified. */
static const struct classfile *file_of(jclass c) {
    const struct class *k = jclass_class(c);
    const struct class_version *v = current_thread()->verifying;
    return v != NULL && v->class == k ? v->cf : k->cf;
}
static const struct cf_member *method_at(jclass c, jint i) { return &file_of(c)->methods[i]; }

JVM const char *JVM_GetClassNameUTF(JNIEnv *env, jclass c);
JVM const char *JVM_GetClassNameUTF(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    return jclass_class(c)->name->bytes;
}

/* One tag per entry; types has room for all. */
JVM void JVM_GetClassCPTypes(JNIEnv *env, jclass c, unsigned char *types);
JVM void JVM_GetClassCPTypes(JNIEnv *env, jclass c, unsigned char *types) {
    NATIVE_ENTRY(env);
    const struct classfile *cf = file_of(c);
    if (cf == NULL) return;
    types[0] = CP_Unusable;
    for (uint32_t i = 1; i < cf->cp.count; i++) types[i] = cp_tag(cf, (uint16_t)i);
}
JVM jint JVM_GetClassCPEntriesCount(JNIEnv *env, jclass c);
JVM jint JVM_GetClassCPEntriesCount(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    return file_of(c) ? file_of(c)->cp.count : 0;
}
JVM jint JVM_GetClassFieldsCount(JNIEnv *env, jclass c);
JVM jint JVM_GetClassFieldsCount(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    return file_of(c) ? file_of(c)->field_count : 0;
}
JVM jint JVM_GetClassMethodsCount(JNIEnv *env, jclass c);
JVM jint JVM_GetClassMethodsCount(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    return file_of(c) ? file_of(c)->method_count : 0;
}

/* ---- one method -------------------------------------------------------------------------------------------------- */

static uint32_t exceptions_of(const struct cf_member *m) { return m->extra ? m->extra->exceptions : 0; }

JVM void JVM_GetMethodIxExceptionIndexes(JNIEnv *env, jclass c, jint i, unsigned short *indexes);
JVM void JVM_GetMethodIxExceptionIndexes(JNIEnv *env, jclass c, jint i, unsigned short *indexes) {
    NATIVE_ENTRY(env);
    uint32_t list = exceptions_of(method_at(c, i));
    for (uint16_t k = 0; k < cf_list_count(file_of(c), list); k++) indexes[k] = cf_list_at(file_of(c), list, k);
}
JVM void JVM_GetMethodIxByteCode(JNIEnv *env, jclass c, jint i, unsigned char *code);
JVM void JVM_GetMethodIxByteCode(JNIEnv *env, jclass c, jint i, unsigned char *code) {
    NATIVE_ENTRY(env);
    const struct cf_code *source = method_at(c, i)->code;
    if (source != NULL) memcpy(code, source->code, source->code_length);
}

struct exception_table_entry { jint start_pc, end_pc, handler_pc, catch_type; };
JVM void JVM_GetMethodIxExceptionTableEntry(JNIEnv *env, jclass c, jint i, jint entry,
                                            struct exception_table_entry *out);
JVM void JVM_GetMethodIxExceptionTableEntry(JNIEnv *env, jclass c, jint i, jint entry,
                                            struct exception_table_entry *out) {
    NATIVE_ENTRY(env);
    struct cf_handler h = cf_handler_at(method_at(c, i)->code, (uint16_t)entry);
    *out = (struct exception_table_entry){h.start_pc, h.end_pc, h.handler_pc, h.catch_type};
}

#define METHOD_FACT(type, function, value)                                                         \
    JVM type function(JNIEnv *env, jclass c, jint i);                                              \
    JVM type function(JNIEnv *env, jclass c, jint i) {                                             \
        NATIVE_ENTRY(env);                                                                         \
        const struct cf_member *m = method_at(c, i);                                               \
        return value;                                                                              \
    }
METHOD_FACT(jint, JVM_GetMethodIxExceptionsCount, cf_list_count(file_of(c), exceptions_of(m)))
METHOD_FACT(jint, JVM_GetMethodIxByteCodeLength, m->code ? (jint)m->code->code_length : 0)
METHOD_FACT(jint, JVM_GetMethodIxExceptionTableLength, m->code ? m->code->handler_count : 0)
METHOD_FACT(jint, JVM_GetMethodIxModifiers, m->access_flags)
METHOD_FACT(jint, JVM_GetMethodIxLocalsCount, m->code ? m->code->max_locals : 0)
METHOD_FACT(jint, JVM_GetMethodIxArgsSize, m->arg_slots + (m->access_flags & ACC_STATIC ? 0 : 1))
METHOD_FACT(jint, JVM_GetMethodIxMaxStack, m->code ? m->code->max_stack : 0)
METHOD_FACT(jboolean, JVM_IsConstructorIx, symbol_equals(cf_member_name(file_of(c), m), "<init>"))
METHOD_FACT(const char *, JVM_GetMethodIxNameUTF, cf_member_name(file_of(c), m)->bytes)
METHOD_FACT(const char *, JVM_GetMethodIxSignatureUTF, cf_member_desc(file_of(c), m)->bytes)

/* Methods made by the VM are not among the class file's. */
JVM jboolean JVM_IsVMGeneratedMethodIx(JNIEnv *env, jclass c, jint i);
JVM jboolean JVM_IsVMGeneratedMethodIx(JNIEnv *env, jclass c, jint i) {
    (void)env, (void)c, (void)i;
    return JNI_FALSE;
}

JVM jint JVM_GetFieldIxModifiers(JNIEnv *env, jclass c, jint i);
JVM jint JVM_GetFieldIxModifiers(JNIEnv *env, jclass c, jint i) {
    NATIVE_ENTRY(env);
    return file_of(c)->fields[i].access_flags;
}

/* ---- constant-pool entries; the caller has checked their tags ---------------------------------------------------- */

#define ENTRY_TEXT(function, read)                                                                 \
    JVM const char *function(JNIEnv *env, jclass c, jint i);                                       \
    JVM const char *function(JNIEnv *env, jclass c, jint i) {                                      \
        NATIVE_ENTRY(env);                                                                         \
        struct symbol *s = read(file_of(c), (uint16_t)i);                                          \
        return s ? s->bytes : NULL;                                                                \
    }
ENTRY_TEXT(JVM_GetCPMethodNameUTF, cp_ref_name)
ENTRY_TEXT(JVM_GetCPMethodSignatureUTF, cp_ref_desc)
ENTRY_TEXT(JVM_GetCPFieldNameUTF, cp_ref_name)
ENTRY_TEXT(JVM_GetCPFieldSignatureUTF, cp_ref_desc)
ENTRY_TEXT(JVM_GetCPClassNameUTF, cp_class_name)
ENTRY_TEXT(JVM_GetCPFieldClassNameUTF, cp_ref_class_name)
ENTRY_TEXT(JVM_GetCPMethodClassNameUTF, cp_ref_class_name)

JVM void JVM_ReleaseUTF(const char *text);
JVM void JVM_ReleaseUTF(const char *text) { (void)text; }

/* Flags of the field or method that entry i names, if `called` declares it; else -1. */
JVM jint JVM_GetCPFieldModifiers(JNIEnv *env, jclass c, jint i, jclass called);
JVM jint JVM_GetCPFieldModifiers(JNIEnv *env, jclass c, jint i, jclass called) {
    NATIVE_ENTRY(env);
    struct field *f = class_find_field(jclass_class(called), cp_ref_name(file_of(c), (uint16_t)i),
                                       cp_ref_desc(file_of(c), (uint16_t)i));
    return f ? f->access_flags : -1;
}
JVM jint JVM_GetCPMethodModifiers(JNIEnv *env, jclass c, jint i, jclass called);
JVM jint JVM_GetCPMethodModifiers(JNIEnv *env, jclass c, jint i, jclass called) {
    NATIVE_ENTRY(env);
    struct method *m = class_find_method(jclass_class(called), cp_ref_name(file_of(c), (uint16_t)i),
                                         cp_ref_desc(file_of(c), (uint16_t)i));
    return m ? m->access_flags : -1;
}

JVM jboolean JVM_IsSameClassPackage(JNIEnv *env, jclass a, jclass b);
JVM jboolean JVM_IsSameClassPackage(JNIEnv *env, jclass a, jclass b) {
    NATIVE_ENTRY(env);
    return class_same_package(jclass_class(a), jclass_class(b));
}
