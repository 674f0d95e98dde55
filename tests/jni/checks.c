/* What -Xcheck:jni finds: a case for every row of src/jni/check_messages.def, run alone. What follows a warning is not
 * looked at. */
#include <pthread.h>

#include "jni_cases.h"

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static void *use_environment(void *arg) {
    struct fixture *f = arg;
    J(GetVersion);
    return NULL;
}
static JavaVM *java_vm;
static uint64_t no_handle[4];
static void *attach_and_use_environment(void *arg) {
    void *env;
    (*java_vm)->AttachCurrentThread(java_vm, &env, NULL);
    return use_environment(arg);
}
static void run_in_thread(void *(*body)(void *), struct fixture *f) {
    pthread_t thread;
    J(GetJavaVM, &java_vm);
    pthread_create(&thread, NULL, body, f);
    pthread_join(thread, NULL);
}
CHECK(GetVersion, no_thread, NO_THREAD) { run_in_thread(use_environment, f); }
CHECK(GetVersion, wrong_thread, WRONG_THREAD) { run_in_thread(attach_and_use_environment, f); }

/* ---- state ------------------------------------------------------------------------------------------------------- */

CHECK(NewStringUTF, exception_pending, EXCEPTION_PENDING) { J(Throw, f->throwable); J(NewStringUTF, "x"); }
CHECK(GetVersion, exception_unchecked, UNCHECKED_EXCEPTION) {
    J(CallIntMethod, f->self, f->methods[4], 1);
    J(GetVersion);
    J(GetVersion);
}
CHECK(GetVersion, exception_thrown_and_unchecked, EXCEPTION_PENDING) {
    J(CallIntMethod, f->self, J(GetMethodID, f->c, "throwingInstance", "(I)I"), 1);
    J(GetVersion);
}
CHECK_OURS(GetVersion, in_critical, IN_CRITICAL) { J(GetPrimitiveArrayCritical, f->ints, NULL); J(GetVersion); }
CHECK_OURS(NewLocalRef, too_many, LOCAL_CAPACITY) { for (int k = 0; k < 2000; k++) J(NewLocalRef, f->text); }
CHECK_OURS(EnsureLocalCapacity, too_many, LOCAL_CAPACITY) {
    J(EnsureLocalCapacity, 100);
    for (int k = 0; k < 300; k++) J(NewLocalRef, f->text);
}
CHECK_OURS(PushLocalFrame, too_many, LOCAL_CAPACITY) {
    J(PushLocalFrame, 10);
    for (int k = 0; k < 43; k++) J(NewLocalRef, f->text);
    J(PopLocalFrame, NULL);
}
CHECK(PushLocalFrame, negative, NEGATIVE_CAPACITY) { J(PushLocalFrame, -1); }
CHECK(EnsureLocalCapacity, negative, NEGATIVE_CAPACITY) { J(EnsureLocalCapacity, -1); }

/* ---- references -------------------------------------------------------------------------------------------------- */

static jobject stale_local(struct fixture *f) {
    J(PushLocalFrame, 4);
    jobject o = J(NewStringUTF, "stale");
    J(PopLocalFrame, NULL);
    return o;
}
static jobject stale_global(struct fixture *f) {
    jobject g = J(NewGlobalRef, f->text);
    J(DeleteGlobalRef, g);
    return g;
}
CHECK_OURS(GetObjectClass, null, NULL_OBJECT) { J(GetObjectClass, NULL); }
CHECK(GetObjectClass, stale_global, BAD_REFERENCE) { J(GetObjectClass, stale_global(f)); }
CHECK_OURS(GetObjectClass, stale_local, BAD_REFERENCE) { J(GetObjectClass, stale_local(f)); }
CHECK_OURS(GetObjectClass, forged, BAD_REFERENCE) { J(GetObjectClass, (jobject)f->methods[4]); }
CHECK_OURS(GetObjectClass, deleted_local, BAD_REFERENCE) { J(DeleteLocalRef, f->local); J(GetObjectClass, f->local); }
CHECK_OURS(NewGlobalRef, forged, BAD_REFERENCE) { J(NewGlobalRef, (jobject)(uintptr_t)0x1230); }
CHECK_OURS(IsSameObject, forged, BAD_REFERENCE) { J(IsSameObject, f->text, (jobject)no_handle); }
CHECK_OURS(CallObjectMethodA, bad_argument, BAD_REFERENCE) {
    J(CallObjectMethodA, f->self, f->methods[8], &(const jvalue){.l = stale_global(f)});
}
CHECK_OURS(CallObjectMethod, bad_argument, BAD_REFERENCE) {
    J(CallObjectMethod, f->self, f->methods[8], stale_global(f));
}
CHECK(DeleteGlobalRef, local, BAD_GLOBAL) { J(DeleteGlobalRef, f->local); }
CHECK(DeleteGlobalRef, twice, BAD_REFERENCE) { J(DeleteGlobalRef, stale_global(f)); }
CHECK(DeleteLocalRef, global, BAD_LOCAL) { J(DeleteLocalRef, f->global); }
CHECK(DeleteWeakGlobalRef, global, BAD_WEAK) { J(DeleteWeakGlobalRef, f->global); }

/* ---- classes ----------------------------------------------------------------------------------------------------- */

/* A weak reference, for the class it never was, when its object is gone. */
CHECK(GetSuperclass, cleared, NULL_CLASS) {
    jclass system = J(FindClass, "java/lang/System");
    jmethodID gc = J(GetStaticMethodID, system, "gc", "()V");
    jstring s = J(NewString, (const jchar[]) { 'u', 'n', 'i', 'q', 'u', 'e' }, 6);
    jweak weak = J(NewWeakGlobalRef, s);
    J(DeleteLocalRef, s);
    while (!J(IsSameObject, weak, NULL)) {
        J(CallStaticVoidMethod, system, gc);
        J(ExceptionCheck);
    }
    J(GetSuperclass, weak);
}
CHECK(GetSuperclass, null, BAD_REFERENCE) { J(GetSuperclass, NULL); }
CHECK(AllocObject, null, BAD_REFERENCE) { J(AllocObject, NULL); }
CHECK(GetFieldID, null_class, BAD_REFERENCE) { J(GetFieldID, NULL, "i", "I"); }
CHECK(AllocObject, stale, BAD_REFERENCE) { J(AllocObject, stale_global(f)); }
CHECK_OURS(NewStringUTF, too_many, LOCAL_CAPACITY) { for (int k = 0; k < 200; k++) J(NewStringUTF, "x"); }
CHECK_OURS(FindClass, too_many, LOCAL_CAPACITY) { for (int k = 0; k < 200; k++) J(FindClass, "java/lang/String"); }
CHECK(GetSuperclass, stale, BAD_REFERENCE) { J(GetSuperclass, stale_global(f)); }
CHECK(AllocObject, string, NOT_A_CLASS) { J(AllocObject, f->text); }
CHECK(GetMethodID, of_primitive, NOT_A_CLASS) {
    jclass w = J(FindClass, "java/lang/Integer");
    J(GetMethodID, J(GetStaticObjectField, w, J(GetStaticFieldID, w, "TYPE", "Ljava/lang/Class;")), "x", "()V");
}
CHECK(ThrowNew, string, NOT_THROWABLE) { J(ThrowNew, f->string_class, "text"); }
CHECK(Throw, string, NOT_THROWABLE) { J(Throw, f->text); }
CHECK_OURS(Throw, null, NULL_THROWABLE) { J(Throw, NULL); }
CHECK(FindClass, descriptor, BAD_CLASS_NAME) { J(FindClass, "Ljava/lang/String;"); }
CHECK(FindClass, not_utf8, CLASS_NAME_UTF8) { J(FindClass, "no/\xffSuch"); }
CHECK_OURS(NewStringUTF, not_utf8, BAD_UTF8) { J(NewStringUTF, "\xff\xfe"); }
CHECK_OURS(DefineClass, loader, NOT_A_LOADER) { J(DefineClass, "X", f->text, (const jbyte *)"x", 1); }
CHECK_OURS(FromReflectedMethod, string, NOT_REFLECTED) { J(FromReflectedMethod, f->text); }
CHECK_OURS(FromReflectedField, method, NOT_REFLECTED) { J(FromReflectedField, f->constructor); }
CHECK_OURS(GetFieldID, no_name, NULL_POINTER) { J(GetFieldID, f->c, NULL, "I"); }
CHECK_OURS(GetJavaVM, nowhere, NULL_POINTER) { J(GetJavaVM, NULL); }
CHECK_OURS(NewString, nothing, NULL_POINTER) { J(NewString, NULL, 2); }
CHECK_OURS(RegisterNatives, nothing, NULL_POINTER) { J(RegisterNatives, f->c, NULL, 1); }

/* ---- methods and fields ------------------------------------------------------------------------------------------ */

CHECK(CallStaticIntMethodA, other_class, WRONG_METHOD) {
    J(CallStaticIntMethodA, f->string_class, f->static_methods[4], &(const jvalue){.i = 1});
}
CHECK(CallIntMethod, other_object, WRONG_METHOD) { J(CallIntMethod, f->text, f->methods[4], 1); }
CHECK_OURS(CallIntMethod, forged, WRONG_METHOD) { J(CallIntMethod, f->self, NO_METHOD, 1); }
CHECK_OURS(NewObject, no_constructor, WRONG_METHOD) { J(NewObject, f->c, f->methods[4], 1); }
CHECK_OURS(CallIntMethod, static_method, STATIC_METHOD) { J(CallIntMethod, f->self, f->static_methods[4], 1); }
CHECK_OURS(CallStaticIntMethod, instance_method, INSTANCE_METHOD) { J(CallStaticIntMethod, f->c, f->methods[4], 1); }
CHECK_OURS(CallShortMethod, int_method, RESULT_TYPE) { J(CallShortMethod, f->self, f->methods[4], 1); }
CHECK_OURS(CallIntMethodA, no_arguments, NULL_POINTER) { J(CallIntMethodA, f->self, f->methods[4], NULL); }
CHECK_OURS(CallStaticObjectMethod, wrong_argument, VALUE_CLASS) {
    J(CallStaticObjectMethod, f->string_class,
      J(GetStaticMethodID, f->string_class, "copyValueOf", "([C)Ljava/lang/String;"), f->ints);
}
CHECK(GetIntField, static_field, STATIC_FIELD) { J(GetIntField, f->self, f->statics[4]); }
CHECK(GetStaticIntField, instance_field, INSTANCE_FIELD) { J(GetStaticIntField, f->c, f->fields[4]); }
CHECK_OURS(GetIntField, other_object, WRONG_FIELD) { J(GetIntField, f->throwable, f->fields[4]); }
CHECK_OURS(GetIntField, forged, WRONG_FIELD) { J(GetIntField, f->self, NO_FIELD); }
CHECK(GetStaticIntField, other_class, WRONG_STATIC_FIELD) { J(GetStaticIntField, f->object_class, f->statics[4]); }
CHECK(GetIntField, null, NULL_OBJECT) { J(GetIntField, NULL, f->fields[4]); }
CHECK(SetIntField, other_type, FIELD_TYPE) { J(SetIntField, f->self, f->fields[5], 1); }
CHECK(GetObjectField, primitive, FIELD_TYPE) { J(GetObjectField, f->self, f->fields[4]); }
CHECK(SetStaticIntField, other_type, STATIC_FIELD_TYPE) { J(SetStaticIntField, f->c, f->statics[5], 1); }
CHECK_OURS(SetObjectField, other_class, VALUE_CLASS) {
    J(SetObjectField, f->throwable,
      J(GetFieldID, J(FindClass, "java/lang/Throwable"), "detailMessage", "Ljava/lang/String;"), f->ints);
}

/* ---- strings and arrays ------------------------------------------------------------------------------------------ */

CHECK(GetStringLength, array, NOT_A_STRING) { J(GetStringLength, f->ints); }
CHECK(GetStringUTFChars, null, NOT_A_STRING) { J(GetStringUTFChars, NULL, NULL); }
CHECK(GetArrayLength, string, NOT_AN_ARRAY) { J(GetArrayLength, f->text); }
CHECK(GetArrayLength, null, NOT_AN_ARRAY) { J(GetArrayLength, NULL); }
CHECK(GetObjectArrayElement, ints, NOT_OBJECTS) { J(GetObjectArrayElement, f->ints, 0); }
CHECK(GetIntArrayElements, strings, NOT_PRIMITIVES) { J(GetIntArrayElements, f->strings, NULL); }
CHECK(GetPrimitiveArrayCritical, strings, NOT_PRIMITIVES) { J(GetPrimitiveArrayCritical, f->strings, NULL); }
CHECK(GetLongArrayElements, ints, ELEMENT_TYPE) { J(GetLongArrayElements, f->ints, NULL); }
CHECK(SetByteArrayRegion, ints, ELEMENT_TYPE) { jbyte b = 0; J(SetByteArrayRegion, f->ints, 0, 1, &b); }
CHECK_OURS(GetIntArrayRegion, nowhere, NULL_POINTER) { J(GetIntArrayRegion, f->ints, 0, 1, NULL); }
CHECK(ReleaseIntArrayElements, null, LENT_NULL) { J(ReleaseIntArrayElements, f->ints, NULL, 0); }
CHECK(ReleaseIntArrayElements, written_behind, LENT_BOUNDS) {
    jint *p = J(GetIntArrayElements, f->ints, NULL);
    p[3] = 4;
    J(ReleaseIntArrayElements, f->ints, p, 0);
}
CHECK_OURS(ReleasePrimitiveArrayCritical, written_before, LENT_BOUNDS) {
    jint *p = J(GetPrimitiveArrayCritical, f->ints, NULL);
    p[-1] = 4;
    J(ReleasePrimitiveArrayCritical, f->ints, p, 0);
}
CHECK(ReleaseStringChars, written_behind, LENT_CHARS_BOUNDS) {
    jchar *p = (jchar *)J(GetStringChars, f->text, NULL);
    p[8] = 'x';
    J(ReleaseStringChars, f->text, p);
}
CHECK(ReleaseStringUTFChars, written_behind, LENT_CHARS_BOUNDS) {
    char *p = (char *)J(GetStringUTFChars, f->text, NULL);
    p[8] = 'x';
    J(ReleaseStringUTFChars, f->text, p);
}
CHECK(ReleaseStringChars, of_utf, LENT_UNKNOWN) {
    J(ReleaseStringChars, f->text, (const jchar *)J(GetStringUTFChars, f->text, NULL));
}
CHECK(ReleaseStringUTFChars, of_utf16, LENT_UNKNOWN) {
    J(ReleaseStringUTFChars, f->text, (const char *)J(GetStringChars, f->text, NULL));
}
CHECK_OURS(ReleaseStringUTFChars, forged, LENT_UNKNOWN) {
    static const char never_lent[] = "long enough for HotSpot to look for its guards";
    J(ReleaseStringUTFChars, f->text, &never_lent[20]);
}
CHECK_OURS(ReleaseIntArrayElements, twice, LENT_UNKNOWN) {
    jint *p = J(GetIntArrayElements, f->ints, NULL);
    J(ReleaseIntArrayElements, f->ints, p, 0);
    J(ReleaseIntArrayElements, f->ints, p, 0);
}
CHECK(ReleasePrimitiveArrayCritical, of_elements, LENT_UNKNOWN) {
    jint *p = J(GetIntArrayElements, f->ints, NULL);
    J(ReleasePrimitiveArrayCritical, f->ints, p, 0);
}
CHECK_OURS(ReleaseIntArrayElements, of_another, LENT_FOR_ANOTHER) {
    jint *p = J(GetIntArrayElements, f->ints, NULL);
    J(ReleaseIntArrayElements, (jintArray)f->arrays[4], p, 0);
}
CHECK(ReleaseIntArrayElements, mode, RELEASE_MODE) {
    J(ReleaseIntArrayElements, f->ints, J(GetIntArrayElements, f->ints, NULL), 77);
}
