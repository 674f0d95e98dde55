/* Version, classes, modules, reflection, exceptions (JNI specification, chapter 4: "Version Information" to
 * "Exceptions"). */
#include "jni_cases.h"

CASE(GetVersion, good) { say("%x", J(GetVersion)); }

/* A class file of 66 bytes: public class D extends Object, no member, version 52. */
static const unsigned char tiny[] = {
    0xca, 0xfe, 0xba, 0xbe, 0,    0,   0,   52,  0,   5,   1,   0,   1,   'D', 7,   0,   1,   1,
    0,    16,   'j',  'a',  'v',  'a', '/', 'l', 'a', 'n', 'g', '/', 'O', 'b', 'j', 'e', 'c', 't',
    7,    0,    3,    0,    0x21, 0,   2,   0,   4,   0,   0,   0,   0,   0,   0,   0,   0,
};
CASE(DefineClass, good) { say("%d", J(DefineClass, "D", f->loader, (const jbyte *)tiny, sizeof tiny) != NULL); }
CASE(DefineClass, twice) { J(DefineClass, "D", f->loader, (const jbyte *)tiny, sizeof tiny); }
CASE(DefineClass, no_name) { J(DefineClass, NULL, f->loader, (const jbyte *)tiny, sizeof tiny); }
CASE(DefineClass, other_name) { J(DefineClass, "Other", f->loader, (const jbyte *)tiny, sizeof tiny); }
CASE(DefineClass, cut_off) { J(DefineClass, "D2", f->loader, (const jbyte *)tiny, 20); }
CASE(DefineClass, empty) { J(DefineClass, "D3", f->loader, (const jbyte *)tiny, 0); }
CASE(DefineClass, junk) { J(DefineClass, "D4", NULL, (const jbyte *)"junk", 4); }
CASE(DefineClass, java_package) { J(DefineClass, "java/D5", f->loader, (const jbyte *)tiny, sizeof tiny); }

CASE(FindClass, good) { say("%d", J(FindClass, "java/lang/String") != NULL); }
CASE(FindClass, array) { say("%d %d", J(FindClass, "[[Ljava/lang/String;") != NULL, J(FindClass, "[I") != NULL); }
CASE(FindClass, missing) { J(FindClass, "no/Such"); }
/* The pending exception stays, or another one takes its place. */
CASE(FindClass, while_pending) {
    J(Throw, f->throwable);
    jclass c = J(FindClass, "java/lang/String"), loaded = J(FindClass, "java/util/concurrent/Phaser");
    jthrowable still = J(ExceptionOccurred);
    J(ExceptionClear);
    say("%d %d %d", c != NULL, loaded != NULL, J(IsSameObject, still, f->throwable));
}
CASE(FindClass, missing_while_pending) { J(Throw, f->throwable); J(FindClass, "no/Such"); }
CASE(FindClass, empty) { J(FindClass, ""); }
CASE(FindClass, null) { J(FindClass, NULL); }
CASE(FindClass, dots) { J(FindClass, "java.lang.String"); }
CASE(FindClass, descriptor) { J(FindClass, "Ljava/lang/String;"); }
CASE(FindClass, primitive) { J(FindClass, "int"); }
CASE(FindClass, bad_array) { J(FindClass, "["); }
CASE(FindClass, array_of_nothing) { J(FindClass, "[V"); }
CASE(FindClass, array_missing) { J(FindClass, "[Lno/Such;"); }
CASE(FindClass, failing) {
    J(FindClass, "EveryFunction$Failing");
    say("%d", J(ExceptionCheck));
    J(ExceptionClear);
    J(FindClass, "EveryFunction$Failing");
}
static jclass deep_array(struct fixture *f, int dimensions) {
    char name[300];
    memset(name, '[', (size_t)dimensions);
    strcpy(name + dimensions, "I");
    return J(FindClass, name);
}
CASE(FindClass, deepest) { say("%d", deep_array(f, 255) != NULL); }
/* HotSpot makes an array class that the class file format cannot name. */
CASE_UNDEFINED(FindClass, too_deep, "0 | java.lang.IllegalArgumentException: too many dimensions") {
    say("%d", deep_array(f, 256) != NULL);
}

CASE(FromReflectedMethod, good) { say("%d", J(FromReflectedMethod, f->constructor) == f->init); }
CASE_UNDEFINED(FromReflectedMethod, null, "0 | java.lang.NullPointerException") {
    say("%d", J(FromReflectedMethod, NULL) != NULL);
}
CASE_UNDEFINED(FromReflectedMethod, string, "0") { say("%d", J(FromReflectedMethod, f->text) != NULL); }
CASE(FromReflectedField, good) { say("%d", J(FromReflectedField, f->member) == f->fields[4]); }
CASE_UNDEFINED(FromReflectedField, null, "0 | java.lang.NullPointerException") {
    say("%d", J(FromReflectedField, NULL) != NULL);
}
CASE_UNDEFINED(FromReflectedField, string, "0") { say("%d", J(FromReflectedField, f->text) != NULL); }
CASE(ToReflectedMethod, good) {
    jobject m = J(ToReflectedMethod, f->c, f->methods[4], JNI_FALSE);
    say("%d", m != NULL);
}
CASE(ToReflectedMethod, text) { say_object(f, J(ToReflectedMethod, f->c, f->methods[4], JNI_FALSE)); }
CASE(ToReflectedMethod, is_static) { say_object(f, J(ToReflectedMethod, f->c, f->static_methods[4], JNI_TRUE)); }
CASE(ToReflectedMethod, is_constructor) { say_object(f, J(ToReflectedMethod, f->c, f->init, JNI_FALSE)); }
CASE_UNDEFINED(ToReflectedMethod, bad_id,
               "0 | java.lang.InternalError: invalid jmethodID 0x7ffffff100010001 passed to ToReflectedMethod") {
    say("%d", J(ToReflectedMethod, f->c, NO_METHOD, JNI_FALSE) != NULL);
}
CASE(ToReflectedField, good) { say("%d", J(ToReflectedField, f->c, f->fields[4], JNI_FALSE) != NULL); }
CASE(ToReflectedField, text) { say_object(f, J(ToReflectedField, f->c, f->fields[8], JNI_FALSE)); }
CASE(ToReflectedField, is_static) { say_object(f, J(ToReflectedField, f->c, f->statics[5], JNI_TRUE)); }
CASE_UNDEFINED(ToReflectedField, bad_id,
               "0 | java.lang.InternalError: invalid jfieldID 0x7ffffff100010001 passed to ToReflectedField") {
    say("%d", J(ToReflectedField, f->c, NO_FIELD, JNI_FALSE) != NULL);
}

CASE(GetSuperclass, good) { say("%d", J(GetSuperclass, f->string_class) != NULL); }
CASE(GetSuperclass, kinds) {
    jclass shape = J(FindClass, "EveryFunction$Shape"), array = J(FindClass, "[I"),
           derived = J(FindClass, "EveryFunction$Derived");
    say("%d %d %d %d", J(GetSuperclass, shape) == NULL, J(GetSuperclass, f->object_class) == NULL,
        J(IsSameObject, J(GetSuperclass, array), f->object_class), J(IsSameObject, J(GetSuperclass, derived), f->c));
}
static jclass primitive(struct fixture *f, const char *wrapper) {
    jclass w = J(FindClass, wrapper);
    return J(GetStaticObjectField, w, J(GetStaticFieldID, w, "TYPE", "Ljava/lang/Class;"));
}
CASE(GetSuperclass, primitive) { say("%d", J(GetSuperclass, primitive(f, "java/lang/Integer")) == NULL); }
CASE_UNDEFINED(GetSuperclass, null, "0") { say("%d", J(GetSuperclass, NULL) != NULL); }
CASE(IsAssignableFrom, good) { say("%d", J(IsAssignableFrom, f->string_class, f->object_class)); }
CASE(IsAssignableFrom, kinds) {
    jclass shape = J(FindClass, "EveryFunction$Shape"), square = J(FindClass, "EveryFunction$Square"),
           i = primitive(f, "java/lang/Integer"), j = primitive(f, "java/lang/Long"),
           strings = J(FindClass, "[Ljava/lang/String;"), objects = J(FindClass, "[Ljava/lang/Object;");
    say("%d %d %d %d %d %d %d", J(IsAssignableFrom, square, shape), J(IsAssignableFrom, shape, square),
        J(IsAssignableFrom, i, i), J(IsAssignableFrom, i, j), J(IsAssignableFrom, i, f->object_class),
        J(IsAssignableFrom, strings, objects), J(IsAssignableFrom, objects, strings));
}
CASE_UNDEFINED(IsAssignableFrom, null, "0 0") {
    say("%d %d", J(IsAssignableFrom, NULL, f->c), J(IsAssignableFrom, f->c, NULL));
}

CASE(GetModule, good) { say("%d", J(GetModule, f->string_class) != NULL); }
CASE(GetModule, text) { say_object(f, J(GetModule, J(FindClass, "[Ljava/lang/String;"))); }
CASE(GetModule, primitive) { say_object(f, J(GetModule, primitive(f, "java/lang/Integer"))); }
CASE(GetModule, null) { say_object(f, J(GetModule, NULL)); }
CASE_UNDEFINED(GetModule, string, "null | java.lang.NullPointerException: class is null") {
    say_object(f, J(GetModule, f->text));
}

/* ---- exceptions -------------------------------------------------------------------------------------------------- */

CASE(Throw, good) { say("%d", J(Throw, f->throwable)); }
CASE_UNDEFINED(Throw, null, "0 | java.lang.NullPointerException") { say("%d", J(Throw, NULL)); }
CASE(Throw, over_another) {
    J(ThrowNew, J(FindClass, "java/io/IOException"), "first");
    J(Throw, f->throwable);
}
CASE(ThrowNew, good) { jclass k = J(GetObjectClass, f->throwable); say("%d", J(ThrowNew, k, "new")); }
CASE(ThrowNew, no_message) { say("%d", J(ThrowNew, J(FindClass, "java/io/IOException"), NULL)); }
CASE(ThrowNew, no_constructor) { say("%d", J(ThrowNew, J(FindClass, "EveryFunction$Odd"), "text")); }
CASE(ThrowNew, unicode) { say("%d", J(ThrowNew, J(FindClass, "java/io/IOException"), "\xc3\xa9\xe2\x82\xac")); }
CASE(ThrowNew, is_abstract) { say("%d", J(ThrowNew, J(FindClass, "java/lang/VirtualMachineError"), "text")); }
CASE_UNDEFINED(ThrowNew, null, "0 | java.lang.NullPointerException") { say("%d", J(ThrowNew, NULL, "text")); }
CASE(ExceptionOccurred, good) { say("%d", J(ExceptionOccurred) != NULL); }
CASE(ExceptionOccurred, pending) {
    J(Throw, f->throwable);
    say("%d", J(IsSameObject, J(ExceptionOccurred), f->throwable));
}
CASE(ExceptionCheck, good) { say("%d", J(ExceptionCheck)); }
CASE(ExceptionCheck, pending) { J(Throw, f->throwable); say("%d", J(ExceptionCheck)); }
CASE(ExceptionClear, good) { J(ExceptionClear); }
CASE(ExceptionClear, pending) { J(Throw, f->throwable); J(ExceptionClear); say("%d", J(ExceptionCheck)); }
CASE(ExceptionDescribe, good) { J(ExceptionDescribe); }
CASE(ExceptionDescribe, pending) { J(Throw, f->throwable); J(ExceptionDescribe); say("%d", J(ExceptionCheck)); }
CASE_ENDS(FatalError, good) { J(FatalError, "told to"); }
CASE_ENDS_UNDEFINED(FatalError, null, "FATAL ERROR in native method: ") { J(FatalError, NULL); }
