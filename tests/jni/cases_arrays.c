/* Arrays (JNI specification, chapter 4: "Array Operations"). */
#include "jni_cases.h"

CASE(GetArrayLength, good) { say("%d", J(GetArrayLength, f->ints)); }
CASE(GetArrayLength, kinds) {
    say("%d %d %d", J(GetArrayLength, f->strings), J(GetArrayLength, J(NewByteArray, 0)),
        J(GetArrayLength, J(NewObjectArray, 2, J(FindClass, "[I"), NULL)));
}
CASE_UNDEFINED(GetArrayLength, null, "0 | java.lang.NullPointerException") { say("%d", J(GetArrayLength, NULL)); }

CASE(NewObjectArray, good) { say("%d", J(NewObjectArray, 3, f->string_class, f->text) != NULL); }
CASE(NewObjectArray, filled) {
    jobjectArray a = J(NewObjectArray, 3, f->string_class, f->text);
    say("%d %d", J(GetArrayLength, a), J(IsSameObject, J(GetObjectArrayElement, a, 2), f->text));
}
CASE(NewObjectArray, empty) { say("%d", J(GetArrayLength, J(NewObjectArray, 0, f->string_class, NULL))); }
CASE(NewObjectArray, negative) { J(NewObjectArray, -2, f->string_class, NULL); }
CASE(NewObjectArray, too_long) { J(NewObjectArray, INT32_MAX, f->string_class, NULL); }
CASE_UNDEFINED(NewObjectArray, null, "0 | java.lang.NullPointerException") {
    say("%d", J(NewObjectArray, 1, NULL, NULL) != NULL);
}
CASE(GetObjectArrayElement, good) { say("%d", J(GetObjectArrayElement, f->strings, 1) != NULL); }
CASE(GetObjectArrayElement, element) {
    say_object(f, J(GetObjectArrayElement, f->strings, 1));
    say_object(f, J(GetObjectArrayElement, f->strings, 2));
}
CASE(GetObjectArrayElement, behind) { J(GetObjectArrayElement, f->strings, 3); }
CASE(GetObjectArrayElement, negative) { J(GetObjectArrayElement, f->strings, -1); }
CASE_UNDEFINED(GetObjectArrayElement, null, "0 | java.lang.NullPointerException") {
    say("%d", J(GetObjectArrayElement, NULL, 0) != NULL);
}
CASE(SetObjectArrayElement, good) { J(SetObjectArrayElement, f->strings, 2, f->text); }
CASE(SetObjectArrayElement, and_back) {
    J(SetObjectArrayElement, f->strings, 0, NULL);
    say("%d", J(GetObjectArrayElement, f->strings, 0) == NULL);
}
CASE(SetObjectArrayElement, behind) { J(SetObjectArrayElement, f->strings, 3, NULL); }
CASE(SetObjectArrayElement, negative) { J(SetObjectArrayElement, f->strings, INT32_MIN, NULL); }
CASE(SetObjectArrayElement, wrong_type) { J(SetObjectArrayElement, f->strings, 1, f->c); }
CASE(SetObjectArrayElement, wrong_type_behind) { J(SetObjectArrayElement, f->strings, 5, f->c); }
CASE(SetObjectArrayElement, wrong_nested_type) {
    J(SetObjectArrayElement, J(NewObjectArray, 3, J(FindClass, "[[Ljava/lang/String;"), NULL), 1, f->ints);
}

#define ARRAY(Name, type, letter, k, value) \
    CASE(New##Name##Array, good) { say("%d", J(New##Name##Array, 4) != NULL); } \
    CASE(New##Name##Array, bounds) { say("%d ", J(GetArrayLength, J(New##Name##Array, 0))); J(New##Name##Array, -1); } \
    CASE(New##Name##Array, too_long) { J(New##Name##Array, INT32_MAX); } \
    CASE(Get##Name##ArrayElements, good) { \
        jboolean copy = 7; \
        type *p = J(Get##Name##ArrayElements, f->arrays[k], &copy); \
        say("%d %d", p != NULL, copy); \
        J(Release##Name##ArrayElements, f->arrays[k], p, JNI_ABORT); \
    } \
    CASE(Get##Name##ArrayElements, empty) { \
        type##Array a = J(New##Name##Array, 0); \
        type *p = J(Get##Name##ArrayElements, a, NULL); \
        say("%d", p != NULL); \
        J(Release##Name##ArrayElements, a, p, 0); \
    } \
    CASE_UNDEFINED(Get##Name##ArrayElements, null, "0 | java.lang.NullPointerException") { \
        say("%d", J(Get##Name##ArrayElements, NULL, NULL) != NULL); } \
    CASE(Release##Name##ArrayElements, good) { J(Release##Name##ArrayElements, f->arrays[k], f->elements[k], 0); } \
    CASE(Release##Name##ArrayElements, modes) { \
        type *p = f->elements[k], out[4]; \
        p[0] = (type)value; \
        J(Release##Name##ArrayElements, f->arrays[k], p, JNI_COMMIT); \
        p[1] = (type)value; \
        J(Release##Name##ArrayElements, f->arrays[k], p, JNI_ABORT); \
        J(Get##Name##ArrayRegion, f->arrays[k], 0, 4, out); \
        say("%d %d", out[0] == (type)value, out[1] == 0); \
    } \
    CASE(Get##Name##ArrayRegion, good) { type out[4]; J(Get##Name##ArrayRegion, f->arrays[k], 1, 3, out); \
        say("%g", (double)out[0]); } \
    CASE(Get##Name##ArrayRegion, nothing) { J(Get##Name##ArrayRegion, f->arrays[k], 4, 0, NULL); \
        J(Get##Name##ArrayRegion, f->arrays[k], 0, 0, NULL); } \
    CASE(Get##Name##ArrayRegion, too_long) { type out[4]; J(Get##Name##ArrayRegion, f->arrays[k], 2, 3, out); } \
    CASE(Get##Name##ArrayRegion, overflow) { type out[4]; \
        J(Get##Name##ArrayRegion, f->arrays[k], INT32_MAX, INT32_MAX, out); } \
    CASE(Get##Name##ArrayRegion, negative_start) { type out[4]; J(Get##Name##ArrayRegion, f->arrays[k], -1, 1, out); } \
    CASE(Get##Name##ArrayRegion, negative_length) { type out[4]; J(Get##Name##ArrayRegion, f->arrays[k], 1, -1, out); \
        } \
    CASE_UNDEFINED(Get##Name##ArrayRegion, null, " | java.lang.NullPointerException") { type out[4]; \
        J(Get##Name##ArrayRegion, NULL, 0, 1, out); } \
    CASE(Set##Name##ArrayRegion, good) { type in[2] = { 1, 0 }; J(Set##Name##ArrayRegion, f->arrays[k], 1, 2, in); } \
    CASE(Set##Name##ArrayRegion, and_back) { \
        type in[2] = { (type)value, 1 }, out[4]; \
        J(Set##Name##ArrayRegion, f->arrays[k], 1, 2, in); \
        J(Get##Name##ArrayRegion, f->arrays[k], 0, 4, out); \
        say("%g %d %g %g", (double)out[0], out[1] == (type)value, (double)out[2], (double)out[3]); \
    } \
    CASE(Set##Name##ArrayRegion, too_long) { type in[4] = { 0 }; J(Set##Name##ArrayRegion, f->arrays[k], 1, 4, in); } \
    CASE(Set##Name##ArrayRegion, negative_start) { type in[4] = { 0 }; \
        J(Set##Name##ArrayRegion, f->arrays[k], INT32_MIN, 1, in); } \
    CASE(Set##Name##ArrayRegion, negative_length) { type in[4] = { 0 }; \
        J(Set##Name##ArrayRegion, f->arrays[k], 1, INT32_MIN, in); } \
    CASE_UNDEFINED(Set##Name##ArrayRegion, null, " | java.lang.NullPointerException") { type in[4] = { 0 }; \
        J(Set##Name##ArrayRegion, NULL, 0, 1, in); }
PRIMITIVES(ARRAY)

CASE(GetPrimitiveArrayCritical, good) {
    jint *p = J(GetPrimitiveArrayCritical, f->ints, NULL);
    say("%d", p != NULL);
    J(ReleasePrimitiveArrayCritical, f->ints, p, 0);
}
CASE(GetPrimitiveArrayCritical, contents) {
    jint *p = J(GetPrimitiveArrayCritical, f->ints, NULL), out[3];
    int first = p[0];
    p[1] = 77;
    J(ReleasePrimitiveArrayCritical, f->ints, p, 0);
    J(GetIntArrayRegion, f->ints, 0, 3, out);
    say("%d %d %d", first, out[1], out[2]);
}
CASE(GetPrimitiveArrayCritical, nested) {
    jint *p = J(GetPrimitiveArrayCritical, f->ints, NULL);
    jdouble *q = J(GetPrimitiveArrayCritical, f->arrays[7], NULL);
    q[0] = p[2];
    J(ReleasePrimitiveArrayCritical, f->arrays[7], q, JNI_COMMIT);
    J(ReleasePrimitiveArrayCritical, f->ints, p, JNI_ABORT);
    jdouble out[1];
    J(GetDoubleArrayRegion, f->arrays[7], 0, 1, out);
    say("%g", out[0]);
}
CASE_UNDEFINED(GetPrimitiveArrayCritical, null, "0 | java.lang.NullPointerException") {
    say("%d", J(GetPrimitiveArrayCritical, NULL, NULL) != NULL);
}
CASE(ReleasePrimitiveArrayCritical, good) {
    f->critical = J(GetPrimitiveArrayCritical, f->ints, NULL);
    J(ReleasePrimitiveArrayCritical, f->ints, f->critical, JNI_ABORT);
}
