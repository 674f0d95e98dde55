/* Fields (JNI specification, chapter 4: "Accessing Fields of Objects", "Accessing Static Fields"). */
#include "jni_cases.h"

CASE(GetFieldID, good) { say("%d", J(GetFieldID, f->c, "i", "I") == f->fields[4]); }
CASE(GetFieldID, inherited) { say("%d", J(GetFieldID, J(FindClass, "EveryFunction$Derived"), "i", "I") != NULL); }
CASE(GetFieldID, missing) { J(GetFieldID, f->c, "nothing_like_it", "I"); }
CASE(GetFieldID, wrong_type) { J(GetFieldID, f->c, "i", "J"); }
CASE(GetFieldID, is_static) { J(GetFieldID, f->c, "si", "I"); }
CASE(GetFieldID, empty) { J(GetFieldID, f->c, "", ""); }
CASE(GetFieldID, array) { J(GetFieldID, J(FindClass, "[I"), "length", "I"); }
CASE_UNDEFINED(GetFieldID, null_class, "0 | java.lang.NullPointerException") {
    say("%d", J(GetFieldID, NULL, "i", "I") != NULL);
}
CASE(GetStaticFieldID, good) { say("%d", J(GetStaticFieldID, f->c, "si", "I") == f->statics[4]); }
CASE(GetStaticFieldID, inherited) {
    say("%d", J(GetStaticFieldID, J(FindClass, "EveryFunction$Derived"), "si", "I") != NULL);
}
CASE(GetStaticFieldID, of_interface) {
    jclass k = J(FindClass, "EveryFunction$Square");
    say("%d", J(GetStaticIntField, k, J(GetStaticFieldID, k, "SIDES", "I")));
}
CASE(GetStaticFieldID, missing) { J(GetStaticFieldID, f->c, "nothing_like_it", "I"); }
CASE(GetStaticFieldID, wrong_type) { J(GetStaticFieldID, f->c, "si", "J"); }
CASE(GetStaticFieldID, is_instance) { J(GetStaticFieldID, f->c, "i", "I"); }
CASE_UNDEFINED(GetStaticFieldID, null_class, "0 | java.lang.NullPointerException") {
    say("%d", J(GetStaticFieldID, NULL, "si", "I") != NULL);
}

#define FIELD(Name, type, letter, k, value) \
    CASE(Get##Name##Field, good) { say("%g", (double)J(Get##Name##Field, f->self, f->fields[k])); } \
    CASE(Set##Name##Field, good) { J(Set##Name##Field, f->self, f->fields[k], (type)value); } \
    CASE(Set##Name##Field, and_back) { \
        J(Set##Name##Field, f->self, f->fields[k], (type)value); \
        type back = J(Get##Name##Field, f->self, f->fields[k]); \
        say("%d %g", back == (type)value, (double)back); \
    } \
    CASE(GetStatic##Name##Field, good) { say("%g", (double)J(GetStatic##Name##Field, f->c, f->statics[k])); } \
    CASE(SetStatic##Name##Field, good) { J(SetStatic##Name##Field, f->c, f->statics[k], (type)value); } \
    CASE(SetStatic##Name##Field, and_back) { \
        J(SetStatic##Name##Field, f->c, f->statics[k], (type)value); \
        type back = J(GetStatic##Name##Field, f->c, f->statics[k]); \
        J(SetStatic##Name##Field, f->c, f->statics[k], 0); \
        say("%d %g", back == (type)value, (double)back); \
    } \
    CASE_UNDEFINED(Get##Name##Field, null, "0 | java.lang.NullPointerException") { \
        say("%g", (double)J(Get##Name##Field, NULL, f->fields[k])); } \
    CASE_UNDEFINED(Set##Name##Field, null, " | java.lang.NullPointerException") { \
        J(Set##Name##Field, NULL, f->fields[k], 0); } \
    CASE_UNDEFINED(Get##Name##Field, bad_id, \
        "0 | java.lang.InternalError: invalid jfieldID 0x7ffffff100010001 passed to Get" #Name "Field") { \
        say("%g", (double)J(Get##Name##Field, f->self, NO_FIELD)); \
    } \
    CASE_UNDEFINED(Set##Name##Field, bad_id, \
        " | java.lang.InternalError: invalid jfieldID 0x7ffffff100010001 passed to Set" #Name "Field") { \
        J(Set##Name##Field, f->self, NO_FIELD, 0); \
    } \
    CASE_UNDEFINED(GetStatic##Name##Field, bad_id, \
        "0 | java.lang.InternalError: invalid jfieldID 0x7ffffff100010001 passed to GetStatic" #Name "Field") { \
        say("%g", (double)J(GetStatic##Name##Field, f->c, NO_FIELD)); \
    } \
    CASE_UNDEFINED(SetStatic##Name##Field, bad_id, \
        " | java.lang.InternalError: invalid jfieldID 0x7ffffff100010001 passed to SetStatic" #Name "Field") { \
        J(SetStatic##Name##Field, f->c, NO_FIELD, 0); \
    }
PRIMITIVES(FIELD)

/* Of an object of a class below the field's; by a weak handle; by one that has been deleted. */
#define LOAD(Name, type, letter, k, value)                                                         \
    CASE(Get##Name##Field, of_subclass) {                                                          \
        jobject o = J(NewObject, f->derived_class, J(GetMethodID, f->derived_class, "<init>", "(I)V"), 5); \
        J(Set##Name##Field, o, f->fields[k], (type)value);                                         \
        type back = J(Get##Name##Field, o, f->fields[k]);                                           \
        say("%d %g", back == (type)value, (double)back);                                           \
    }                                                                                              \
    CASE(Get##Name##Field, weak) {                                                                 \
        jweak w = J(NewWeakGlobalRef, f->self);                                                    \
        J(Set##Name##Field, f->self, f->fields[k], (type)value);                                   \
        say("%d", J(Get##Name##Field, w, f->fields[k]) == J(Get##Name##Field, f->self, f->fields[k])); \
        J(DeleteWeakGlobalRef, w);                                                                 \
    }                                                                                              \
    CASE_UNDEFINED(Get##Name##Field, deleted, "0 | java.lang.NullPointerException") {              \
        jobject g = J(NewGlobalRef, f->self);                                                      \
        J(DeleteGlobalRef, g);                                                                     \
        say("%g", (double)J(Get##Name##Field, g, f->fields[k]));                                   \
    }
PRIMITIVES(LOAD)

CASE(SetBooleanField, wide) {
    J(SetBooleanField, f->self, f->fields[0], 2);
    say("%d", J(GetBooleanField, f->self, f->fields[0]));
}
CASE(SetStaticBooleanField, wide) {
    J(SetStaticBooleanField, f->c, f->statics[0], 2);
    say("%d", J(GetStaticBooleanField, f->c, f->statics[0]));
}
CASE(SetBooleanField, odd) {
    J(SetBooleanField, f->self, f->fields[0], 3);
    say("%d", J(GetBooleanField, f->self, f->fields[0]));
}
CASE(GetObjectField, good) { say("%d", J(GetObjectField, f->self, f->fields[8]) != NULL); }
CASE(SetObjectField, good) { J(SetObjectField, f->self, f->fields[8], f->text); }
CASE(SetObjectField, and_back) {
    J(SetObjectField, f->self, f->fields[8], f->text);
    say("%d ", J(IsSameObject, J(GetObjectField, f->self, f->fields[8]), f->text));
    J(SetObjectField, f->self, f->fields[8], NULL);
    say("%d", J(GetObjectField, f->self, f->fields[8]) == NULL);
}
CASE(SetObjectField, is_volatile) {
    jfieldID vl = J(GetFieldID, f->c, "vl", "Ljava/lang/Object;"), vi = J(GetFieldID, f->c, "vi", "I");
    J(SetObjectField, f->self, vl, f->text);
    J(SetIntField, f->self, vi, 77);
    say("%d %d", J(IsSameObject, J(GetObjectField, f->self, vl), f->text), J(GetIntField, f->self, vi));
}
CASE(SetIntField, is_final) {
    jfieldID n = J(GetFieldID, f->c, "number", "I");
    J(SetIntField, f->self, n, 99);
    say("%d", J(GetIntField, f->self, n));
}
CASE(GetStaticIntField, constant) { say("%d", J(GetStaticIntField, f->c, J(GetStaticFieldID, f->c, "FIXED", "I"))); }
CASE(GetStaticObjectField, good) { say("%d", J(GetStaticObjectField, f->c, f->statics[8]) != NULL); }
CASE(SetStaticObjectField, good) { J(SetStaticObjectField, f->c, f->statics[8], NULL); }
CASE(SetStaticObjectField, and_back) {
    J(SetStaticObjectField, f->c, f->statics[8], f->ints);
    say("%d", J(IsSameObject, J(GetStaticObjectField, f->c, f->statics[8]), f->ints));
    J(SetStaticObjectField, f->c, f->statics[8], NULL);
}
CASE_UNDEFINED(GetObjectField, null, "null | java.lang.NullPointerException") {
    say_object(f, J(GetObjectField, NULL, f->fields[8]));
}
CASE_UNDEFINED(GetObjectField, bad_id,
               "0 | java.lang.InternalError: invalid jfieldID 0x7ffffff100010001 passed to GetObjectField") {
    say("%d", J(GetObjectField, f->self, NO_FIELD) != NULL);
}
CASE_UNDEFINED(GetObjectField, static_id,
               "0 | java.lang.InternalError: static field EveryFunction.sl passed to GetObjectField") {
    say("%d", J(GetObjectField, f->self, f->statics[8]) != NULL);
}
CASE_UNDEFINED(GetObjectField, other_class,
               "0 | java.lang.InternalError: field EveryFunction.l of an object of class java.lang.String passed to "
               "GetObjectField") {
    say("%d", J(GetObjectField, f->text, f->fields[8]) != NULL);
}
/* Ids of narrower fields: HotSpot reads what lies there. */
CASE_UNDEFINED(GetLongField, narrower, "1 -5 65000 -300 -70000 1 -5 65000 -300 1 -5 1 -6 1.5") {
    jobject o = J(AllocObject, f->c);
    jbyte before = J(GetStaticByteField, f->c, f->statics[1]);
    J(SetBooleanField, o, f->fields[0], JNI_TRUE);
    J(SetByteField, o, f->fields[1], -5);
    J(SetCharField, o, f->fields[2], 65000);
    J(SetShortField, o, f->fields[3], -300);
    J(SetIntField, o, f->fields[4], -70000);
    J(SetFloatField, o, f->fields[6], 1.5f);
    J(SetStaticByteField, f->c, f->statics[1], -6);
    for (int k = 0; k < 5; k++) say("%lld ", (long long)J(GetLongField, o, f->fields[k]));
    for (int k = 0; k < 4; k++) say("%d ", J(GetIntField, o, f->fields[k]));
    for (int k = 0; k < 2; k++) say("%d ", J(GetShortField, o, f->fields[k]));
    say("%d ", J(GetCharField, o, f->fields[0]));
    say("%d %.1f", J(GetStaticIntField, f->c, f->statics[1]), J(GetDoubleField, o, f->fields[6]));
    J(SetStaticByteField, f->c, f->statics[1], before);
}
CASE_UNDEFINED(GetLongField, other_type,
               "0 | java.lang.InternalError: field EveryFunction.f of type F passed to GetLongField") {
    say("%d", J(GetLongField, f->self, f->fields[6]) != 0);
}
CASE_UNDEFINED(GetStaticObjectField, other_type,
               "0 | java.lang.InternalError: field EveryFunction.sj of type J passed to GetStaticObjectField") {
    say("%d", J(GetStaticObjectField, f->c, f->statics[5]) != NULL);
}
CASE_UNDEFINED(SetObjectField, bad_id,
               " | java.lang.InternalError: invalid jfieldID 0x7ffffff100010001 passed to SetObjectField") {
    J(SetObjectField, f->self, NO_FIELD, NULL);
}
CASE_UNDEFINED(GetStaticIntField, instance_id,
               "0 | java.lang.InternalError: instance field EveryFunction.i passed to GetStaticIntField") {
    say("%d", J(GetStaticIntField, f->c, f->fields[4]));
}
