/* Native side of tests/jni/JniFunctions.java: one case per JNI function or rule; the text of each is compared with
 * HotSpot's. */
#include <jni.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char text[4096];
#define SAY(...) snprintf(text, sizeof text, __VA_ARGS__)

/* A Java string as C text; only one at a time. */
static const char *utf(JNIEnv *e, jstring s) {
    static char copy[1024];
    if (!s) return "null";
    const char *c = (*e)->GetStringUTFChars(e, s, NULL);
    snprintf(copy, sizeof copy, "%s", c ? c : "?");
    if (c) (*e)->ReleaseStringUTFChars(e, s, c);
    return copy;
}

static jstring varargs(JNIEnv *e, jobject o, jmethodID m, ...) {
    va_list ap;
    va_start(ap, m);
    jstring s = (*e)->CallObjectMethodV(e, o, m, ap);
    va_end(ap);
    return s;
}

static jint JNICALL registered(JNIEnv *e, jclass c, jint a) { (void)e, (void)c; return a + 1; }

typedef void (*test_case)(JNIEnv *e, jclass c, jobject self, jobject extra);
#define CASE(name) static void name(JNIEnv *e, jclass c, jobject self, jobject extra)
#define QUIET (void)e, (void)c, (void)self, (void)extra

CASE(version) {
    QUIET;
    JavaVM *java_vm;
    void *env;
    jint r = (*e)->GetJavaVM(e, &java_vm);
    jint got = (*java_vm)->GetEnv(java_vm, &env, JNI_VERSION_1_6);
    SAY("%d %d %d %d", (*e)->GetVersion(e), r, got, env == e);
}
CASE(bad_version) {
    QUIET;
    JavaVM *java_vm;
    void *env = e;
    (*e)->GetJavaVM(e, &java_vm);
    jint r = (*java_vm)->GetEnv(java_vm, &env, 0x12345);
    SAY("%d %d", r, env == NULL);
}
CASE(find_class) {
    QUIET;
    jclass k = (*e)->FindClass(e, "[[Ljava/lang/String;");
    SAY("%d %d", k != NULL, (*e)->GetSuperclass(e, k) != NULL);
}
CASE(find_missing) { QUIET; (*e)->FindClass(e, "no/Such"); }
CASE(find_dots) { QUIET; (*e)->FindClass(e, "java.lang.String"); }
CASE(find_array_missing) { QUIET; (*e)->FindClass(e, "[Lno/Such;"); }
CASE(find_descriptor) { QUIET; (*e)->FindClass(e, "Ljava/lang/String;"); }
CASE(find_failing) { QUIET; (*e)->FindClass(e, "JniFunctions$Failing"); }
CASE(superclass) {
    QUIET;
    jclass shape = (*e)->FindClass(e, "JniFunctions$Shape"), object = (*e)->FindClass(e, "java/lang/Object");
    SAY("%d %d %d", (*e)->GetSuperclass(e, shape) == NULL, (*e)->GetSuperclass(e, object) == NULL,
        (*e)->IsSameObject(e, (*e)->GetSuperclass(e, c), object));
}
CASE(assignable) {
    QUIET;
    jclass shape = (*e)->FindClass(e, "JniFunctions$Shape"), square = (*e)->FindClass(e, "JniFunctions$Square");
    SAY("%d %d %d %d", (*e)->IsAssignableFrom(e, square, shape), (*e)->IsAssignableFrom(e, shape, square),
        (*e)->IsInstanceOf(e, self, c),
        (*e)->IsInstanceOf(e, NULL, shape));
}
CASE(alloc_interface) { QUIET; (*e)->AllocObject(e, (*e)->FindClass(e, "JniFunctions$Shape")); }
CASE(alloc_abstract) { QUIET; (*e)->AllocObject(e, (*e)->FindClass(e, "JniFunctions$Abstract")); }
CASE(alloc_class) { QUIET; (*e)->AllocObject(e, (*e)->FindClass(e, "java/lang/Class")); }
CASE(alloc_object) {
    QUIET;
    jobject o = (*e)->AllocObject(e, c);
    SAY("%d", (*e)->GetIntField(e, o, (*e)->GetFieldID(e, c, "fixed", "I")));
}
CASE(new_object) {
    QUIET;
    jmethodID m = (*e)->GetMethodID(e, c, "<init>", "(IJDLjava/lang/String;)V");
    jobject o = (*e)->NewObject(e, c, m, 5, (jlong)1 << 33, 2.5, (*e)->NewStringUTF(e, "made"));
    jvalue v[4] = { { .i = 6 }, { .j = 9 }, { .d = 1.5 }, { .l = NULL } };
    jobject p = (*e)->NewObjectA(e, c, m, v);
    SAY("%d %lld %g %s %d %g", (*e)->GetIntField(e, o, (*e)->GetFieldID(e, c, "fixed", "I")),
        (long long)(*e)->GetLongField(e, o, (*e)->GetFieldID(e, c, "j", "J")),
        (*e)->GetDoubleField(e, o, (*e)->GetFieldID(e, c, "d", "D")),
        utf(e, (*e)->GetObjectField(e, o, (*e)->GetFieldID(e, c, "o", "Ljava/lang/Object;"))),
        (*e)->GetIntField(e, p, (*e)->GetFieldID(e, c, "fixed", "I")),
        (*e)->GetDoubleField(e, p, (*e)->GetFieldID(e, c, "d", "D")));
}
CASE(mixed_call) {
    QUIET;
    jmethodID m = (*e)->GetMethodID(e, c, "mixed", "(ZBCSIJFDLjava/lang/Object;[I)Ljava/lang/String;");
    jstring s = (*e)->CallObjectMethod(e, self, m, JNI_TRUE, -3, 0xffff, -300, 1 << 30, -((jlong)1 << 40), 0.25, -0.125,
                                       extra, NULL);
    char first[512];
    snprintf(first, sizeof first, "%s", utf(e, s));
    s = varargs(e, self, m, JNI_FALSE, 127, 65, 300, -1, (jlong)5, -1.5, 3.0, NULL, extra && 0 ? extra : NULL);
    SAY("%s | %s", first, utf(e, s));
}
CASE(mixed_array_call) {
    QUIET;
    jmethodID m = (*e)->GetMethodID(e, c, "mixed", "(ZBCSIJFDLjava/lang/Object;[I)Ljava/lang/String;");
    jvalue v[10] = {{.z = 1},         {.b = -128},  {.c = 0xd800}, {.s = -32768}, {.i = INT32_MIN},
                    {.j = INT64_MIN}, {.f = 1e30f}, {.d = 1e300},  {.l = NULL},   {.l = (*e)->NewIntArray(e, 2)}};
    SAY("%s", utf(e, (*e)->CallNonvirtualObjectMethodA(e, self, c, m, v)));
}
CASE(many_arguments) {
    QUIET;
    jmethodID m = (*e)->GetStaticMethodID(e, c, "smixed", "(DJFISCBZDDDDDDDFJJJJ)Ljava/lang/String;");
    SAY("%s", utf(e, (*e)->CallStaticObjectMethod(e, c, m, 1.5, (jlong)2, 3.5, 4, 5, 6, 7, JNI_TRUE, 8., 9., 10., 11.,
                                                  12., 13., 14., 15., (jlong)16, (jlong)17, (jlong)18, (jlong)19)));
}
#define ID(name, desc) (*e)->GetMethodID(e, c, name, desc)
#define SID(name, desc) (*e)->GetStaticMethodID(e, c, name, desc)
CASE(results) {
    QUIET;
    SAY("%d %d %d %d %d %lld %g %g", (*e)->CallBooleanMethod(e, self, ID("rz", "(I)Z"), 256),
        (*e)->CallByteMethod(e, self, ID("rb", "(I)B"), 0x1ff),
        (*e)->CallCharMethod(e, self, ID("rc", "(I)C"), 0x1ffff),
        (*e)->CallShortMethod(e, self, ID("rs", "(I)S"), 0x18000), (*e)->CallIntMethod(e, self, ID("ri", "(I)I"), -5),
        (long long)(*e)->CallLongMethod(e, self, ID("rj", "(I)J"), -5),
        (*e)->CallFloatMethod(e, self, ID("rf", "(I)F"), 5), (*e)->CallDoubleMethod(e, self, ID("rd", "(I)D"), 5));
}
CASE(nonvirtual_results) {
    QUIET;
    SAY("%d %d %d %d %d %lld %g %g", (*e)->CallNonvirtualBooleanMethod(e, self, c, ID("rz", "(I)Z"), 0),
        (*e)->CallNonvirtualByteMethod(e, self, c, ID("rb", "(I)B"), 0x1ff),
        (*e)->CallNonvirtualCharMethod(e, self, c, ID("rc", "(I)C"), 0x1ffff),
        (*e)->CallNonvirtualShortMethod(e, self, c, ID("rs", "(I)S"), 0x18000),
        (*e)->CallNonvirtualIntMethod(e, self, c, ID("ri", "(I)I"), -5),
        (long long)(*e)->CallNonvirtualLongMethod(e, self, c, ID("rj", "(I)J"), -5),
        (*e)->CallNonvirtualFloatMethod(e, self, c, ID("rf", "(I)F"), 5),
        (*e)->CallNonvirtualDoubleMethod(e, self, c, ID("rd", "(I)D"), 5));
}
CASE(static_results) {
    QUIET;
    SAY("%d %d %d %d %d %lld %g %g", (*e)->CallStaticBooleanMethod(e, c, SID("srz", "(I)Z"), 1),
        (*e)->CallStaticByteMethod(e, c, SID("srb", "(I)B"), 0x1ff),
        (*e)->CallStaticCharMethod(e, c, SID("src", "(I)C"), 0x1ffff),
        (*e)->CallStaticShortMethod(e, c, SID("srs", "(I)S"), 0x18000),
        (*e)->CallStaticIntMethod(e, c, SID("sri", "(I)I"), -5),
        (long long)(*e)->CallStaticLongMethod(e, c, SID("srj", "(I)J"), -5),
        (*e)->CallStaticFloatMethod(e, c, SID("srf", "(I)F"), 5),
        (*e)->CallStaticDoubleMethod(e, c, SID("srd", "(I)D"), 5));
}
CASE(dispatch) {
    QUIET;
    jclass base = (*e)->FindClass(e, "JniFunctions$Base"), derived = (*e)->FindClass(e, "JniFunctions$Derived"),
           shape = (*e)->FindClass(e, "JniFunctions$Shape"), square = (*e)->FindClass(e, "JniFunctions$Square");
    jmethodID who = (*e)->GetMethodID(e, base, "who", "()Ljava/lang/String;"),
              name = (*e)->GetMethodID(e, shape, "name", "()Ljava/lang/String;");
    jobject d = (*e)->NewObject(e, derived, (*e)->GetMethodID(e, derived, "<init>", "()V")),
            q = (*e)->NewObject(e, square, (*e)->GetMethodID(e, square, "<init>", "()V"));
    char a[64], b[64], f[64];
    snprintf(a, sizeof a, "%s", utf(e, (*e)->CallObjectMethod(e, d, who)));
    snprintf(b, sizeof b, "%s", utf(e, (*e)->CallNonvirtualObjectMethod(e, d, base, who)));
    snprintf(f, sizeof f, "%s", utf(e, (*e)->CallObjectMethod(e, q, name)));
    SAY("%s %s %s %s", a, b, f, utf(e, (*e)->CallNonvirtualObjectMethod(e, q, shape, name)));
}
CASE(call_throws) {
    QUIET;
    (*e)->CallStaticVoidMethod(e, c, SID("thrower", "(Ljava/lang/String;)V"), (*e)->NewStringUTF(e, "thrown"));
    jthrowable t = (*e)->ExceptionOccurred(e);
    (*e)->ExceptionClear(e);
    SAY("%d %d %d", t != NULL, (*e)->ExceptionCheck(e), (*e)->Throw(e, t));
}
CASE(throw_new) { QUIET; SAY("%d", (*e)->ThrowNew(e, (*e)->FindClass(e, "java/io/IOException"), "new")); }
CASE(throw_new_null) { QUIET; SAY("%d", (*e)->ThrowNew(e, (*e)->FindClass(e, "java/io/IOException"), NULL)); }
CASE(describe) {
    QUIET;
    (*e)->ThrowNew(e, (*e)->FindClass(e, "java/lang/Error"), "described");
    (*e)->ExceptionDescribe(e);
    SAY("%d", (*e)->ExceptionCheck(e));
}
CASE(field_missing) { QUIET; (*e)->GetFieldID(e, c, "nope", "I"); }
CASE(field_wrong_type) { QUIET; (*e)->GetFieldID(e, c, "i", "J"); }
CASE(field_static_as_instance) { QUIET; (*e)->GetFieldID(e, c, "si", "I"); }
CASE(field_instance_as_static) { QUIET; (*e)->GetStaticFieldID(e, c, "i", "I"); }
CASE(method_unknown_name) { QUIET; (*e)->GetMethodID(e, c, "nowhere_to_be_found", "()V"); }
CASE(method_wrong_type) { QUIET; (*e)->GetMethodID(e, c, "ri", "()V"); }
CASE(method_static_as_instance) { QUIET; (*e)->GetMethodID(e, c, "sri", "(I)I"); }
CASE(method_instance_as_static) { QUIET; (*e)->GetStaticMethodID(e, c, "ri", "(I)I"); }
CASE(method_array_class) { QUIET; (*e)->GetMethodID(e, (*e)->FindClass(e, "[I"), "main", "([Ljava/lang/String;)V"); }
CASE(method_inherited) { QUIET; SAY("%d", (*e)->GetMethodID(e, (*e)->FindClass(e, "[I"), "hashCode", "()I") != NULL); }
CASE(set_fields) {
    QUIET;
    (*e)->SetBooleanField(e, self, (*e)->GetFieldID(e, c, "z", "Z"), 3);
    (*e)->SetByteField(e, self, (*e)->GetFieldID(e, c, "b", "B"), -4);
    (*e)->SetCharField(e, self, (*e)->GetFieldID(e, c, "c", "C"), 0xfffe);
    (*e)->SetShortField(e, self, (*e)->GetFieldID(e, c, "s", "S"), -400);
    (*e)->SetIntField(e, self, (*e)->GetFieldID(e, c, "i", "I"), 1 << 28);
    (*e)->SetLongField(e, self, (*e)->GetFieldID(e, c, "j", "J"), (jlong)1 << 50);
    (*e)->SetFloatField(e, self, (*e)->GetFieldID(e, c, "f", "F"), 1.25f);
    (*e)->SetDoubleField(e, self, (*e)->GetFieldID(e, c, "d", "D"), 2.25);
    (*e)->SetObjectField(e, self, (*e)->GetFieldID(e, c, "o", "Ljava/lang/Object;"), extra);
    (*e)->SetLongField(e, self, (*e)->GetFieldID(e, c, "v", "J"), 77);
    (*e)->SetIntField(e, self, (*e)->GetFieldID(e, c, "fixed", "I"), 8);
    SAY("%d %d %d %d %d %lld %g %g %d %lld", (*e)->GetBooleanField(e, self, (*e)->GetFieldID(e, c, "z", "Z")),
        (*e)->GetByteField(e, self, (*e)->GetFieldID(e, c, "b", "B")),
        (*e)->GetCharField(e, self, (*e)->GetFieldID(e, c, "c", "C")),
        (*e)->GetShortField(e, self, (*e)->GetFieldID(e, c, "s", "S")),
        (*e)->GetIntField(e, self, (*e)->GetFieldID(e, c, "i", "I")),
        (long long)(*e)->GetLongField(e, self, (*e)->GetFieldID(e, c, "j", "J")),
        (*e)->GetFloatField(e, self, (*e)->GetFieldID(e, c, "f", "F")),
        (*e)->GetDoubleField(e, self, (*e)->GetFieldID(e, c, "d", "D")),
        (*e)->IsSameObject(e, extra, (*e)->GetObjectField(e, self, (*e)->GetFieldID(e, c, "o", "Ljava/lang/Object;"))),
        (long long)(*e)->GetLongField(e, self, (*e)->GetFieldID(e, c, "v", "J")));
    (*e)->SetObjectField(e, self, (*e)->GetFieldID(e, c, "o", "Ljava/lang/Object;"), NULL);
}
CASE(set_static_fields) {
    QUIET;
    (*e)->SetStaticBooleanField(e, c, (*e)->GetStaticFieldID(e, c, "sz", "Z"), 1);
    (*e)->SetStaticByteField(e, c, (*e)->GetStaticFieldID(e, c, "sb", "B"), -4);
    (*e)->SetStaticCharField(e, c, (*e)->GetStaticFieldID(e, c, "sc", "C"), 0xfffe);
    (*e)->SetStaticShortField(e, c, (*e)->GetStaticFieldID(e, c, "ss", "S"), -400);
    (*e)->SetStaticIntField(e, c, (*e)->GetStaticFieldID(e, c, "si", "I"), 1 << 28);
    (*e)->SetStaticLongField(e, c, (*e)->GetStaticFieldID(e, c, "sj", "J"), (jlong)1 << 50);
    (*e)->SetStaticFloatField(e, c, (*e)->GetStaticFieldID(e, c, "sf", "F"), 1.25f);
    (*e)->SetStaticDoubleField(e, c, (*e)->GetStaticFieldID(e, c, "sd", "D"), 2.25);
    (*e)->SetStaticObjectField(e, c, (*e)->GetStaticFieldID(e, c, "so", "Ljava/lang/Object;"),
                               (*e)->NewStringUTF(e, "static"));
    SAY("%d %d %d %d %d %lld %g %g %s", (*e)->GetStaticBooleanField(e, c, (*e)->GetStaticFieldID(e, c, "sz", "Z")),
        (*e)->GetStaticByteField(e, c, (*e)->GetStaticFieldID(e, c, "sb", "B")),
        (*e)->GetStaticCharField(e, c, (*e)->GetStaticFieldID(e, c, "sc", "C")),
        (*e)->GetStaticShortField(e, c, (*e)->GetStaticFieldID(e, c, "ss", "S")),
        (*e)->GetStaticIntField(e, c, (*e)->GetStaticFieldID(e, c, "si", "I")),
        (long long)(*e)->GetStaticLongField(e, c, (*e)->GetStaticFieldID(e, c, "sj", "J")),
        (*e)->GetStaticFloatField(e, c, (*e)->GetStaticFieldID(e, c, "sf", "F")),
        (*e)->GetStaticDoubleField(e, c, (*e)->GetStaticFieldID(e, c, "sd", "D")),
        utf(e, (*e)->GetStaticObjectField(e, c, (*e)->GetStaticFieldID(e, c, "so", "Ljava/lang/Object;"))));
}
CASE(strings) {
    QUIET;
    jchar wide[] = { 'a', 0, 0xe9, 0x20ac, 0xd83d, 0xde00, 'z' }, back[8] = { 0 };
    jstring s = (*e)->NewString(e, wide, 7), t = (*e)->NewString(e, wide, 3), empty = (*e)->NewStringUTF(e, "");
    char bytes[64] = "", hex[200] = "";
    (*e)->GetStringUTFRegion(e, s, 0, 7, bytes);
    for (unsigned char *p = (unsigned char *)bytes; *p; p++) sprintf(hex + strlen(hex), "%02x", *p);
    (*e)->GetStringRegion(e, s, 2, 3, back);
    jboolean copy;
    const jchar *chars = (*e)->GetStringChars(e, t, &copy), *critical;
    int last = chars[2], zero = chars[3];
    (*e)->ReleaseStringChars(e, t, chars);
    critical = (*e)->GetStringCritical(e, s, &copy);
    int c0 = critical[0], c6 = critical[6];
    (*e)->ReleaseStringCritical(e, s, critical);
    critical = (*e)->GetStringCritical(e, t, &copy);
    c0 += critical[2];
    (*e)->ReleaseStringCritical(e, t, critical);
    SAY("%d %d %d %s %x %x %d %d %d %d %d %s.%d", (*e)->GetStringLength(e, s), (*e)->GetStringUTFLength(e, s),
        (*e)->GetStringUTFLength(e, t), hex, back[0], back[2], last, zero,
        c0, c6, (*e)->GetStringLength(e, empty), utf(e, empty), (*e)->NewStringUTF(e, NULL) == NULL);
}
CASE(string_region_end) { QUIET; jchar b[9]; (*e)->GetStringRegion(e, (*e)->NewStringUTF(e, "hello"), 3, 4, b); }
CASE(string_region_negative) {
    QUIET;
    char b[9];
    (*e)->GetStringUTFRegion(e, (*e)->NewStringUTF(e, "hello"), -1, 2, b);
}
CASE(int_array) {
    QUIET;
    jint in[] = { 1, -2, 3, INT32_MAX, 5 }, out[5] = { 0 };
    jintArray a = (*e)->NewIntArray(e, 5);
    (*e)->SetIntArrayRegion(e, a, 0, 5, in);
    jint *p = (*e)->GetIntArrayElements(e, a, NULL);
    p[0] = 100;
    (*e)->ReleaseIntArrayElements(e, a, p, JNI_COMMIT);
    p[1] = 200;
    (*e)->ReleaseIntArrayElements(e, a, p, JNI_ABORT);
    (*e)->GetIntArrayRegion(e, a, 0, 5, out);
    jint *q = (*e)->GetPrimitiveArrayCritical(e, a, NULL);
    q[4] = 55;
    (*e)->ReleasePrimitiveArrayCritical(e, a, q, 0);
    (*e)->GetIntArrayRegion(e, a, 4, 1, out + 4);
    SAY("%d %d %d %d %d %d", (*e)->GetArrayLength(e, a), out[0], out[1], out[2], out[3], out[4]);
}
#define ARRAY_CASE(Name, type)                                                                     \
    CASE(array_##type) {                                                                           \
        QUIET;                                                                                     \
        type##Array a = (*e)->New##Name##Array(e, 4);                                              \
        type in[2] = { 1, 2 }, out[4];                                                             \
        (*e)->Set##Name##ArrayRegion(e, a, 1, 2, in);                                              \
        (*e)->Set##Name##ArrayRegion(e, a, 4, 0, NULL);                                            \
        (*e)->Get##Name##ArrayRegion(e, a, 0, 4, out);                                             \
        type *p = (*e)->Get##Name##ArrayElements(e, a, NULL);                                      \
        p[3] = 1;                                                                                  \
        (*e)->Release##Name##ArrayElements(e, a, p, 0);                                            \
        (*e)->Get##Name##ArrayRegion(e, a, 3, 1, out + 3);                                         \
        SAY("%g %g %g %g %d", (double)out[0], (double)out[1], (double)out[2], (double)out[3],      \
            (*e)->Get##Name##ArrayElements(e, (*e)->New##Name##Array(e, 0), NULL) != NULL);        \
    }
ARRAY_CASE(Boolean, jboolean) ARRAY_CASE(Byte, jbyte) ARRAY_CASE(Char, jchar) ARRAY_CASE(Short, jshort)
ARRAY_CASE(Long, jlong) ARRAY_CASE(Float, jfloat) ARRAY_CASE(Double, jdouble)
CASE(array_region_end) { QUIET; jint b[9]; (*e)->GetIntArrayRegion(e, (*e)->NewIntArray(e, 5), 3, 4, b); }
CASE(array_region_length) { QUIET; jint b[9]; (*e)->GetIntArrayRegion(e, (*e)->NewIntArray(e, 5), 3, -1, b); }
CASE(array_region_start) { QUIET; jdouble b[9]; (*e)->SetDoubleArrayRegion(e, (*e)->NewDoubleArray(e, 5), -1, 1, b); }
CASE(array_negative) { QUIET; (*e)->NewIntArray(e, -1); }
CASE(object_array_negative) { QUIET; (*e)->NewObjectArray(e, -2, c, NULL); }
CASE(object_array) {
    QUIET;
    jclass s = (*e)->FindClass(e, "java/lang/String");
    jobjectArray a = (*e)->NewObjectArray(e, 3, s, (*e)->NewStringUTF(e, "init"));
    (*e)->SetObjectArrayElement(e, a, 1, NULL);
    SAY("%d %d %s", (*e)->GetArrayLength(e, a), (*e)->GetObjectArrayElement(e, a, 1) == NULL,
        utf(e, (*e)->GetObjectArrayElement(e, a, 2)));
}
CASE(array_store) {
    QUIET;
    (*e)->SetObjectArrayElement(e, (*e)->NewObjectArray(e, 3, (*e)->FindClass(e, "java/lang/String"), NULL), 1, c);
}
CASE(array_store_nested) {
    QUIET;
    (*e)->SetObjectArrayElement(e, (*e)->NewObjectArray(e, 3, (*e)->FindClass(e, "[[Ljava/lang/String;"), NULL), 1, c);
}
CASE(references) {
    QUIET;
    jobject local = (*e)->NewLocalRef(e, extra), global = (*e)->NewGlobalRef(e, local);
    jweak weak = (*e)->NewWeakGlobalRef(e, local);
    int types = (*e)->GetObjectRefType(e, local) * 1000 + (*e)->GetObjectRefType(e, global) * 100 +
                (*e)->GetObjectRefType(e, weak) * 10 + (*e)->GetObjectRefType(e, NULL);
    int same = (*e)->IsSameObject(e, local, global) + (*e)->IsSameObject(e, weak, global) +
               (*e)->IsSameObject(e, NULL, NULL);
    (*e)->DeleteGlobalRef(e, global);
    (*e)->DeleteWeakGlobalRef(e, weak);
    (*e)->DeleteLocalRef(e, local);
    SAY("%d %d %d %d %d", types, same, (*e)->GetObjectRefType(e, c), (*e)->GetObjectRefType(e, self),
        (*e)->NewGlobalRef(e, NULL) == NULL);
}
/* Many references of one kind: what becomes of them, and that each costs the same however many there are. */
enum { MANY = 1 << 18, FEW = 1 << 12 };
static jobject *many;

struct reference_kind {
    jobject (JNICALL *make)(JNIEnv *e, jobject o);
    void (JNICALL *delete)(JNIEnv *e, jobject o);
    jobjectRefType type;
};
static struct reference_kind global_kind(JNIEnv *e) {
    return (struct reference_kind){ (*e)->NewGlobalRef, (*e)->DeleteGlobalRef, JNIGlobalRefType };
}
static struct reference_kind weak_kind(JNIEnv *e) {
    return (struct reference_kind){ (*e)->NewWeakGlobalRef, (*e)->DeleteWeakGlobalRef, JNIWeakGlobalRefType };
}

/* How many of [from, MANY), each step-th, are of this kind and name o. */
static int count_named(JNIEnv *e, struct reference_kind k, int from, int step, jobject o) {
    int n = 0;
    for (int i = from; i < MANY; i += step)
        n += (*e)->GetObjectRefType(e, many[i]) == k.type && (*e)->IsSameObject(e, many[i], o);
    return n;
}
static void many_references(JNIEnv *e, struct reference_kind k, jobject one, jobject other) {
    many = malloc(MANY * sizeof *many);
    for (int i = 0; i < MANY; i++) many[i] = k.make(e, one);
    int made = count_named(e, k, 0, 1, one);
    for (int i = 0; i < MANY; i += 2) k.delete(e, many[i]);
    int gone = 0;
    for (int i = 0; i < MANY; i += 2) gone += (*e)->GetObjectRefType(e, many[i]) == JNIInvalidRefType;
    int left = count_named(e, k, 1, 2, one);
    for (int i = 0; i < MANY; i += 2) many[i] = k.make(e, other);
    int again = count_named(e, k, 0, 2, other), kept = count_named(e, k, 1, 2, one);
    for (int i = MANY - 1; i >= 0; i--) k.delete(e, many[i]);
    SAY("%d made, %d gone, %d left, %d made again, %d kept", made, gone, left, again, kept);
    free(many);
}
CASE(many_globals) { QUIET; many_references(e, global_kind(e), self, extra); }
CASE(many_weaks) { QUIET; many_references(e, weak_kind(e), self, extra); }

/* This thread's processor time for a reference when `count` are made and then deleted, in nanoseconds: the least of
 * some rounds. */
static double reference_cost(JNIEnv *e, struct reference_kind k, jobject o, int count) {
    double least = 0;
    for (int round = 0; round < 3; round++) {
        struct timespec a, b;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
        for (int done = 0; done < MANY; done += count) {
            for (int i = 0; i < count; i++) many[i] = k.make(e, o);
            for (int i = 0; i < count; i++) k.delete(e, many[i]);
        }
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
        double ns = ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / MANY;
        if (round == 0 || ns < least) least = ns;
    }
    return least;
}
/* A search through all would make 64 times as many 64 times as dear. */
static void reference_costs(JNIEnv *e, struct reference_kind k, jobject o) {
    many = malloc(MANY * sizeof *many);
    double few = reference_cost(e, k, o, FEW), lots = reference_cost(e, k, o, MANY);
    free(many);
    if (lots < 4 * few) SAY("does not grow with their number");
    else SAY("%.0f ns with %d, %.0f ns with %d", few, FEW, lots, MANY);
}
CASE(cost_of_globals) { QUIET; reference_costs(e, global_kind(e), self); }
CASE(cost_of_weaks) { QUIET; reference_costs(e, weak_kind(e), self); }
CASE(local_frames) {
    QUIET;
    int r = (*e)->PushLocalFrame(e, 10);
    jobject o = NULL;
    for (int i = 0; i < 1000; i++) o = (*e)->NewStringUTF(e, "frame");
    o = (*e)->PopLocalFrame(e, o);
    SAY("%d %s %d %d", r, utf(e, o), (*e)->EnsureLocalCapacity(e, 100), (*e)->PushLocalFrame(e, -1));
    (*e)->ExceptionClear(e);
}
static void JNICALL nothing(JNIEnv *e, jclass c) { (void)e, (void)c; }
CASE(register_not_native) {
    QUIET;
    JNINativeMethod m = { (char *)"notNative", (char *)"(I)I", (void *)registered };
    SAY("%d", (*e)->RegisterNatives(e, c, &m, 1));
}
CASE(register_wrong_type) {
    QUIET;
    JNINativeMethod m = { (char *)"registered", (char *)"()V", (void *)registered };
    SAY("%d", (*e)->RegisterNatives(e, c, &m, 1));
}
CASE(register_unknown) {
    QUIET;
    JNINativeMethod m = { (char *)"nobody_has_this_name", (char *)"()V", (void *)registered };
    SAY("%d", (*e)->RegisterNatives(e, c, &m, 1));
}
CASE(register_good) {
    QUIET;
    JNINativeMethod m = { (char *)"registered", (char *)"(I)I", (void *)registered };
    int r = (*e)->RegisterNatives(e, c, &m, 1);
    SAY("%d %d", r, (*e)->CallStaticIntMethod(e, c, SID("registered", "(I)I"), 41));
}
/* A warning says so; the name is that of JDK 17, or of later ones. */
CASE(register_of_platform) {
    QUIET;
    jclass thread = (*e)->FindClass(e, "java/lang/Thread");
    for (int k = 0; k < 2; k++) {
        JNINativeMethod m = { (char *)(k ? "yield0" : "yield"), (char *)"()V", (void *)nothing };
        SAY("%d", (*e)->RegisterNatives(e, thread, &m, 1));
        (*e)->ExceptionClear(e);
    }
}
CASE(monitors) {
    QUIET;
    jint enter = (*e)->MonitorEnter(e, extra), again = (*e)->MonitorEnter(e, extra);
    SAY("%d %d %d %d", enter, again, (*e)->MonitorExit(e, extra), (*e)->MonitorExit(e, extra));
}
CASE(monitor_not_owned) { QUIET; (*e)->MonitorExit(e, extra); }
CASE(direct_buffer) {
    QUIET;
    static char storage[64];
    jobject b = (*e)->NewDirectByteBuffer(e, storage, 64);
    SAY("%d %lld %d %lld", (*e)->GetDirectBufferAddress(e, b) == storage,
        (long long)(*e)->GetDirectBufferCapacity(e, b), (*e)->GetDirectBufferAddress(e, extra) == NULL,
        (long long)(*e)->GetDirectBufferCapacity(e, extra));
}
CASE(direct_buffer_negative) { QUIET; (*e)->NewDirectByteBuffer(e, text, -5); }
CASE(reflection) {
    QUIET;
    jmethodID ri = ID("ri", "(I)I"), init = ID("<init>", "(I)V"), sri = SID("sri", "(I)I");
    jfieldID i = (*e)->GetFieldID(e, c, "i", "I"), si = (*e)->GetStaticFieldID(e, c, "si", "I");
    jobject m = (*e)->ToReflectedMethod(e, c, ri, JNI_FALSE), k = (*e)->ToReflectedMethod(e, c, init, JNI_FALSE),
            f = (*e)->ToReflectedField(e, c, i, JNI_FALSE);
    jmethodID to_string = (*e)->GetMethodID(e, (*e)->FindClass(e, "java/lang/Object"), "toString",
                                            "()Ljava/lang/String;");
    char a[128], b[128];
    snprintf(a, sizeof a, "%s", utf(e, (*e)->CallObjectMethod(e, m, to_string)));
    snprintf(b, sizeof b, "%s", utf(e, (*e)->CallObjectMethod(e, k, to_string)));
    SAY("%d %d %d %d %d %s, %s, %s", (*e)->FromReflectedMethod(e, m) == ri, (*e)->FromReflectedMethod(e, k) == init,
        (*e)->FromReflectedField(e, f) == i,
        (*e)->FromReflectedMethod(e, (*e)->ToReflectedMethod(e, c, sri, JNI_TRUE)) == sri,
        (*e)->FromReflectedField(e, (*e)->ToReflectedField(e, c, si, JNI_TRUE)) == si, a, b,
        utf(e, (*e)->CallObjectMethod(e, f, to_string)));
}
CASE(module) {
    QUIET;
    jobject ours = (*e)->GetModule(e, c), base = (*e)->GetModule(e, (*e)->FindClass(e, "[Ljava/lang/String;"));
    jmethodID to_string = (*e)->GetMethodID(e, (*e)->FindClass(e, "java/lang/Object"), "toString",
                                            "()Ljava/lang/String;");
    SAY("%d %s", ours != NULL, utf(e, (*e)->CallObjectMethod(e, base, to_string)));
}
CASE(define_class) { QUIET; jbyte junk[4] = { 1, 2, 3, 4 }; (*e)->DefineClass(e, "Junk", NULL, junk, 4); }

static const struct { const char *name; test_case run; } cases[] = {
#define C(name) { #name, name }
    C(version), C(bad_version), C(find_class), C(find_missing), C(find_dots), C(find_array_missing),
    C(find_descriptor), C(find_failing), C(find_failing), C(superclass), C(assignable),
    C(alloc_interface), C(alloc_abstract), C(alloc_class), C(alloc_object), C(new_object), C(mixed_call),
    C(mixed_array_call), C(many_arguments), C(results), C(nonvirtual_results),
    C(static_results), C(dispatch), C(call_throws), C(throw_new), C(throw_new_null), C(describe), C(field_missing),
    C(field_wrong_type), C(field_static_as_instance),
    C(field_instance_as_static), C(method_unknown_name), C(method_wrong_type), C(method_static_as_instance),
    C(method_instance_as_static), C(method_array_class), C(method_inherited),
    C(set_fields), C(set_static_fields), C(strings), C(string_region_end), C(string_region_negative), C(int_array),
    C(array_jboolean), C(array_jbyte), C(array_jchar), C(array_jshort),
    C(array_jlong), C(array_jfloat), C(array_jdouble), C(array_region_end), C(array_region_length),
    C(array_region_start), C(array_negative), C(object_array_negative), C(object_array),
    C(array_store), C(array_store_nested), C(references), C(cost_of_globals), C(cost_of_weaks), C(many_globals),
    C(many_weaks), C(local_frames), C(register_not_native), C(register_wrong_type), C(register_unknown),
    C(register_good), C(register_of_platform), C(monitors),
    C(monitor_not_owned), C(direct_buffer), C(direct_buffer_negative), C(reflection), C(module), C(define_class),
};

JNIEXPORT jint JNICALL Java_JniFunctions_count(JNIEnv *e, jclass c) {
    (void)e, (void)c;
    return sizeof cases / sizeof cases[0];
}

JNIEXPORT jstring JNICALL Java_JniFunctions_run(JNIEnv *e, jclass c, jint k, jobject self, jobject extra) {
    char line[4200];
    text[0] = '\0';
    cases[k].run(e, c, self, extra);
    if ((*e)->ExceptionCheck(e)) return NULL;
    snprintf(line, sizeof line, "%s: %s", cases[k].name, text);
    return (*e)->NewStringUTF(e, line);
}

JNIEXPORT jstring JNICALL Java_JniFunctions_this_1and(JNIEnv *e, jobject self, jlong a, jdouble b, jobject o) {
    SAY("%lld %g %d %s", (long long)a, b, self != NULL, utf(e, o));
    return (*e)->NewStringUTF(e, text);
}
JNIEXPORT jstring JNICALL Java_JniFunctions_locked(JNIEnv *e, jclass c) {
    jint enter = (*e)->MonitorEnter(e, c);
    SAY("%d %d", enter, (*e)->MonitorExit(e, c));
    return (*e)->NewStringUTF(e, text);
}
JNIEXPORT jbyteArray JNICALL Java_JniFunctions_escaped_11name_1_000e9(JNIEnv *e, jclass c, jobjectArray a, jstring b) {
    (void)c, (void)b;
    return (*e)->NewByteArray(e, (*e)->GetArrayLength(e, a));
}
JNIEXPORT jint JNICALL Java_JniFunctions_overloaded__I(JNIEnv *e, jclass c, jint a) { (void)e, (void)c; return a * 2; }
JNIEXPORT jint JNICALL Java_JniFunctions_overloaded__JLjava_lang_String_2(JNIEnv *e, jclass c, jlong a, jstring b) {
    (void)c;
    return (jint)a * 10 + (*e)->GetStringLength(e, b);
}
/* Results wider than their type: only the type's bits count. */
JNIEXPORT jint JNICALL Java_JniFunctions_nz(JNIEnv *e, jclass c) { (void)e, (void)c; return 0x101; }
JNIEXPORT jint JNICALL Java_JniFunctions_nb(JNIEnv *e, jclass c) { (void)e, (void)c; return 0x1ff; }
JNIEXPORT jint JNICALL Java_JniFunctions_nc(JNIEnv *e, jclass c) { (void)e, (void)c; return 0x1ffff; }
JNIEXPORT jint JNICALL Java_JniFunctions_ns(JNIEnv *e, jclass c) { (void)e, (void)c; return 0x1ffff; }
JNIEXPORT void JNICALL Java_JniFunctions_again(JNIEnv *e, jclass c) {
    (*e)->CallStaticVoidMethod(e, c, (*e)->GetStaticMethodID(e, c, "recurse", "()V"));
}
