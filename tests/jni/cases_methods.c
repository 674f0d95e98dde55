/* Calling methods (JNI specification, chapter 4: "Calling Instance Methods", "Calling Static Methods"). */
#include "jni_cases.h"

CASE(GetMethodID, good) { say("%d", J(GetMethodID, f->c, "i", "(I)I") == f->methods[4]); }
CASE(GetMethodID, inherited) {
    say("%d %d", J(GetMethodID, J(FindClass, "EveryFunction$Derived"), "j", "(J)J") == f->methods[5],
        J(GetMethodID, J(FindClass, "EveryFunction$Square"), "name", "()Ljava/lang/String;") != NULL);
}
CASE(GetMethodID, of_array) { say("%d", J(GetMethodID, J(FindClass, "[I"), "hashCode", "()I") != NULL); }
CASE(GetMethodID, constructor) {
    say("%d ", J(GetMethodID, f->c, "<init>", "(I)V") == f->init);
    J(GetMethodID, f->c, "<init>", "()V");
}
CASE(GetMethodID, initializer) { J(GetMethodID, f->c, "<clinit>", "()V"); }
CASE(GetMethodID, missing) { J(GetMethodID, f->c, "nothing_like_it", "()V"); }
CASE(GetMethodID, wrong_type) { J(GetMethodID, f->c, "i", "()V"); }
CASE(GetMethodID, is_static) { J(GetMethodID, f->c, "si", "(I)I"); }
CASE(GetMethodID, empty) { J(GetMethodID, f->c, "", ""); }
CASE_UNDEFINED(GetMethodID, null_class, "0 | java.lang.NullPointerException") {
    say("%d", J(GetMethodID, NULL, "i", "(I)I") != NULL);
}
CASE(GetStaticMethodID, good) { say("%d", J(GetStaticMethodID, f->c, "si", "(I)I") == f->static_methods[4]); }
CASE(GetStaticMethodID, inherited) {
    say("%d", J(GetStaticMethodID, J(FindClass, "EveryFunction$Derived"), "si", "(I)I") == f->static_methods[4]);
}
CASE(GetStaticMethodID, of_interface) {
    jclass k = J(FindClass, "EveryFunction$Shape");
    say("%d", J(CallStaticIntMethod, k, J(GetStaticMethodID, k, "sides", "()I")));
}
CASE(GetStaticMethodID, missing) { J(GetStaticMethodID, f->c, "nothing_like_it", "()V"); }
CASE(GetStaticMethodID, is_instance) { J(GetStaticMethodID, f->c, "i", "(I)I"); }

/* The three ways to pass arguments, each through one function per family. */
#define METHODS(Name, type, letter, k, value, PASSED, SHOW) \
    static type Name##_list(struct fixture *f, int family, ...) { \
        va_list ap; \
        va_start(ap, family); \
        type r = family == 0 ? J(Call##Name##MethodV, f->self, f->methods[k], ap) \
            : family == 1 ? J(CallNonvirtual##Name##MethodV, f->self, f->c, f->methods[k], ap) \
                : J(CallStatic##Name##MethodV, f->c, f->static_methods[k], ap); \
        va_end(ap); \
        return r; \
    } \
    CASE(Call##Name##Method, good) { SHOW(J(Call##Name##Method, f->self, f->methods[k], PASSED value)); } \
    CASE(Call##Name##MethodV, good) { SHOW(Name##_list(f, 0, PASSED value)); } \
    CASE(Call##Name##MethodA, good) { SHOW(J(Call##Name##MethodA, f->self, f->methods[k], \
        &(const jvalue) { .letter = (type)value })); } \
    CASE(CallNonvirtual##Name##Method, good) { SHOW(J(CallNonvirtual##Name##Method, f->self, f->c, f->methods[k], \
        PASSED value)); } \
    CASE(CallNonvirtual##Name##MethodV, good) { SHOW(Name##_list(f, 1, PASSED value)); } \
    CASE(CallNonvirtual##Name##MethodA, good) { SHOW(J(CallNonvirtual##Name##MethodA, f->self, f->c, f->methods[k], \
        &(const jvalue) { .letter = (type)value })); } \
    CASE(CallStatic##Name##Method, good) { SHOW(J(CallStatic##Name##Method, f->c, f->static_methods[k], \
        PASSED value)); } \
    CASE(CallStatic##Name##MethodV, good) { SHOW(Name##_list(f, 2, PASSED value)); } \
    CASE(CallStatic##Name##MethodA, good) { SHOW(J(CallStatic##Name##MethodA, f->c, f->static_methods[k], \
        &(const jvalue) { .letter = (type)value })); } \
    CASE_UNDEFINED(Call##Name##Method, null, " | java.lang.NullPointerException") { \
        J(Call##Name##Method, NULL, f->methods[k], PASSED value); } \
    CASE_UNDEFINED(Call##Name##MethodA, bad_id, \
        " | java.lang.InternalError: invalid jmethodID 0x7ffffff100010001 passed to Call" #Name "MethodA") { \
        J(Call##Name##MethodA, f->self, NO_METHOD, NULL); \
    } \
    CASE_UNDEFINED(CallNonvirtual##Name##MethodA, bad_id, \
        " | java.lang.InternalError: invalid jmethodID 0x7ffffff100010001 passed to CallNonvirtual" #Name "MethodA") { \
        J(CallNonvirtual##Name##MethodA, f->self, f->c, NO_METHOD, NULL); \
    } \
    CASE_UNDEFINED(CallStatic##Name##MethodA, bad_id, \
        " | java.lang.InternalError: invalid jmethodID 0x7ffffff100010001 passed to CallStatic" #Name "MethodA") { \
        J(CallStatic##Name##MethodA, f->c, NO_METHOD, NULL); \
    }
#define SHOW_NUMBER(call) say("%g", (double)(call))
#define SHOW_OBJECT(call) say("%d", (call) != NULL)
METHODS(Boolean, jboolean, z, 0, JNI_TRUE, (int), SHOW_NUMBER)
METHODS(Byte, jbyte, b, 1, -128, (int), SHOW_NUMBER)
METHODS(Char, jchar, c, 2, 0xffff, (int), SHOW_NUMBER)
METHODS(Short, jshort, s, 3, -32768, (int), SHOW_NUMBER)
METHODS(Int, jint, i, 4, INT32_MIN, (jint), SHOW_NUMBER)
METHODS(Long, jlong, j, 5, INT64_MIN, (jlong), SHOW_NUMBER)
METHODS(Float, jfloat, f, 6, 0.125, (double), SHOW_NUMBER)
METHODS(Double, jdouble, d, 7, -1e300, (double), SHOW_NUMBER)
METHODS(Object, jobject, l, 8, f->text, (jobject), SHOW_OBJECT)

static void void_list(struct fixture *f, int family, ...) {
    va_list ap;
    va_start(ap, family);
    if (family == 0) J(CallVoidMethodV, f->self, f->methods[9], ap);
    else if (family == 1) J(CallNonvirtualVoidMethodV, f->self, f->c, f->methods[9], ap);
    else J(CallStaticVoidMethodV, f->c, f->static_methods[9], ap);
    va_end(ap);
}
CASE(CallVoidMethod, good) { J(CallVoidMethod, f->self, f->methods[9], f->text); }
CASE(CallVoidMethodV, good) { void_list(f, 0, f->text); }
CASE(CallVoidMethodA, good) { J(CallVoidMethodA, f->self, f->methods[9], &(const jvalue) { .l = f->text }); }
CASE(CallNonvirtualVoidMethod, good) { J(CallNonvirtualVoidMethod, f->self, f->c, f->methods[9], f->text); }
CASE(CallNonvirtualVoidMethodV, good) { void_list(f, 1, f->text); }
CASE(CallNonvirtualVoidMethodA, good) {
    J(CallNonvirtualVoidMethodA, f->self, f->c, f->methods[9], &(const jvalue){.l = f->text});
}
CASE(CallStaticVoidMethod, good) { J(CallStaticVoidMethod, f->c, f->static_methods[9], NULL); }
CASE(CallStaticVoidMethodV, good) { void_list(f, 2, NULL); }
CASE(CallStaticVoidMethodA, good) { J(CallStaticVoidMethodA, f->c, f->static_methods[9], &(const jvalue){.l = NULL}); }

CASE(CallIntMethod, throwing) {
    say("%d", J(CallIntMethod, f->self, J(GetMethodID, f->c, "throwingInstance", "(I)I"), 5));
}
CASE(CallStaticIntMethod, throwing) {
    say("%d", J(CallStaticIntMethod, f->c, J(GetStaticMethodID, f->c, "throwing", "(I)I"), 6));
}
CASE(CallIntMethod, dispatch) {
    jclass k = J(FindClass, "EveryFunction$Derived");
    jobject o = J(NewObject, k, J(GetMethodID, k, "<init>", "(I)V"), 1);
    say("%d %d", J(CallIntMethod, o, f->methods[4], 1), J(CallNonvirtualIntMethod, o, f->c, f->methods[4], 1));
}
CASE(CallVoidMethod, is_abstract) {
    jclass k = J(FindClass, "EveryFunction$Abstract");
    say("%d", J(GetMethodID, k, "gone", "()V") != NULL);
}
CASE_UNDEFINED(
    CallStaticIntMethod, instance_id,
    "0 | java.lang.InternalError: instance method 'int EveryFunction.i(int)' passed to CallStaticIntMethod") {
    say("%d", J(CallStaticIntMethod, f->c, f->methods[4], 1));
}
CASE_UNDEFINED(CallIntMethod, other_class,
               "0 | java.lang.InternalError: method 'int EveryFunction.i(int)' of an object of class java.lang.String "
               "passed to CallIntMethod") {
    say("%d", J(CallIntMethod, f->text, f->methods[4], 1));
}
CASE_UNDEFINED(CallObjectMethod, other_type,
               "0 | java.lang.InternalError: method 'long EveryFunction.j(long)' passed to CallObjectMethod") {
    say("%d", J(CallObjectMethod, f->self, f->methods[5], (jlong)77) != NULL);
}
CASE(CallBooleanMethod, wide) {
    say("%d %d %d %d", J(CallBooleanMethod, f->self, f->methods[0], 2),
        J(CallBooleanMethod, f->self, f->methods[0], 256), J(CallBooleanMethod, f->self, f->methods[0], 3),
        J(CallBooleanMethodA, f->self, f->methods[0], &(const jvalue){.z = 2}));
}
CASE(CallByteMethod, wide) {
    say("%d %d %d", J(CallByteMethod, f->self, f->methods[1], 0x1ff),
        J(CallCharMethod, f->self, f->methods[2], 0x1ffff), J(CallShortMethod, f->self, f->methods[3], 0x18000));
}
