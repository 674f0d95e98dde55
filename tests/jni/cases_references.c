/* References, objects, natives, monitors, buffers, the VM (JNI specification, chapter 4: "Global and Local References",
 * "Object Operations", "Registering Native Methods", "Monitor Operations", "NIO Support", "Java VM Interface"). */
#include "jni_cases.h"

CASE(PushLocalFrame, good) { say("%d", J(PushLocalFrame, 10)); J(PopLocalFrame, NULL); }
CASE(PushLocalFrame, bounds) {
    say("%d ", J(PushLocalFrame, 0));
    J(PopLocalFrame, NULL);
    say("%d", J(PushLocalFrame, -1));
}
CASE(PopLocalFrame, good) { J(PushLocalFrame, 4); say("%d", J(PopLocalFrame, NULL) == NULL); }
CASE(PopLocalFrame, result) {
    J(PushLocalFrame, 10);
    jobject o = NULL;
    for (int k = 0; k < 1000; k++) o = J(NewStringUTF, "frame");
    say_object(f, J(PopLocalFrame, o));
}
CASE(PopLocalFrame, nested) {
    J(PushLocalFrame, 10);
    jobject outer = J(NewStringUTF, "outer");
    J(PushLocalFrame, 10);
    jobject inner = J(PopLocalFrame, J(NewStringUTF, "inner"));
    say_object(f, inner);
    say_object(f, J(PopLocalFrame, outer));
}
CASE(NewGlobalRef, good) { jobject g = J(NewGlobalRef, f->text); say("%d", g != NULL); J(DeleteGlobalRef, g); }
CASE(NewGlobalRef, null) { say("%d", J(NewGlobalRef, NULL) != NULL); }
CASE(NewGlobalRef, types) {
    jobject from_weak = J(NewGlobalRef, f->weak), again = J(NewGlobalRef, f->global);
    say("%d %d %d", J(IsSameObject, from_weak, f->text), again != f->global, J(GetObjectRefType, again));
    J(DeleteGlobalRef, from_weak);
    J(DeleteGlobalRef, again);
}
CASE(DeleteGlobalRef, good) { J(DeleteGlobalRef, f->global); f->global = NULL; }
CASE(DeleteGlobalRef, null) { J(DeleteGlobalRef, NULL); }
CASE_UNDEFINED(DeleteGlobalRef, twice, "0 0") {
    J(DeleteGlobalRef, f->global);
    say("%d ", J(GetObjectRefType, f->global));
    J(DeleteGlobalRef, f->global);
    say("%d", J(NewLocalRef, f->global) != NULL);
    f->global = NULL;
}
CASE_UNDEFINED(DeleteGlobalRef, local, "fixture") { J(DeleteGlobalRef, f->text); say_object(f, f->text); }
CASE(DeleteLocalRef, good) { J(DeleteLocalRef, f->local); }
CASE(DeleteLocalRef, null) { J(DeleteLocalRef, NULL); }
CASE_UNDEFINED(DeleteLocalRef, twice, "0 1") {
    J(DeleteLocalRef, f->local);
    J(DeleteLocalRef, f->local);
    say("%d ", J(GetObjectRefType, f->local));
    say("%d", J(NewStringUTF, "x") != NULL);
}
CASE(DeleteLocalRef, many) {
    for (int k = 0; k < 10000; k++) J(DeleteLocalRef, J(NewStringUTF, "many"));
    say("%d", J(ExceptionCheck));
}
CASE(IsSameObject, good) { say("%d", J(IsSameObject, f->text, f->global)); }
CASE(IsSameObject, kinds) {
    say("%d %d %d %d", J(IsSameObject, f->text, f->weak), J(IsSameObject, NULL, NULL), J(IsSameObject, f->text, NULL),
        J(IsSameObject, f->text, f->c));
}
CASE(NewLocalRef, good) { jobject o = J(NewLocalRef, f->text); say("%d", o != NULL && o != f->text); }
CASE(NewLocalRef, null) { say("%d", J(NewLocalRef, NULL) != NULL); }
CASE(EnsureLocalCapacity, good) { say("%d", J(EnsureLocalCapacity, 10)); }
CASE(EnsureLocalCapacity, bounds) { say("%d %d", J(EnsureLocalCapacity, 0), J(EnsureLocalCapacity, -1)); }
CASE(NewWeakGlobalRef, good) {
    jweak w = J(NewWeakGlobalRef, f->text);
    say("%d", w != NULL);
    J(DeleteWeakGlobalRef, w);
}
CASE(NewWeakGlobalRef, null) { say("%d", J(NewWeakGlobalRef, NULL) != NULL); }
CASE(DeleteWeakGlobalRef, good) { J(DeleteWeakGlobalRef, f->weak); f->weak = NULL; }
CASE(DeleteWeakGlobalRef, null) { J(DeleteWeakGlobalRef, NULL); }
CASE_UNDEFINED(DeleteWeakGlobalRef, twice, "0") {
    J(DeleteWeakGlobalRef, f->weak);
    J(DeleteWeakGlobalRef, f->weak);
    say("%d", J(GetObjectRefType, f->weak));
    f->weak = NULL;
}
CASE(GetObjectRefType, good) { say("%d", J(GetObjectRefType, f->text)); }
CASE(GetObjectRefType, kinds) {
    say("%d %d %d %d %d", J(GetObjectRefType, f->global), J(GetObjectRefType, f->weak), J(GetObjectRefType, f->c),
        J(GetObjectRefType, f->self), J(GetObjectRefType, NULL));
}
/* HotSpot knows the block, not the slot. */
CASE_UNDEFINED(GetObjectRefType, deleted, "0") {
    J(DeleteLocalRef, f->local);
    say("%d", J(GetObjectRefType, f->local));
}
CASE_UNDEFINED(GetObjectRefType, forged, "0 0 0") {
    say("%d %d %d", J(GetObjectRefType, (jobject)f->chars), J(GetObjectRefType, (jobject)16),
        J(GetObjectRefType, (jobject)f->init));
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

CASE(AllocObject, good) { say("%d", J(AllocObject, f->c) != NULL); }
CASE(AllocObject, fields) {
    jobject o = J(AllocObject, f->c);
    say("%d", J(GetIntField, o, J(GetFieldID, f->c, "number", "I")));
}
CASE(AllocObject, is_interface) { J(AllocObject, J(FindClass, "EveryFunction$Shape")); }
CASE(AllocObject, is_abstract) { J(AllocObject, J(FindClass, "EveryFunction$Abstract")); }
CASE(AllocObject, is_class) { J(AllocObject, J(GetObjectClass, f->c)); }
CASE(AllocObject, array) { J(AllocObject, J(FindClass, "[I")); }
CASE_UNDEFINED(AllocObject, null, "0 | java.lang.NullPointerException") { say("%d", J(AllocObject, NULL) != NULL); }

static jobject list(struct fixture *f, jclass c, jmethodID m, ...) {
    va_list ap;
    va_start(ap, m);
    jobject o = J(NewObjectV, c, m, ap);
    va_end(ap);
    return o;
}
CASE(NewObject, good) { say("%d", J(NewObject, f->c, f->init, 5) != NULL); }
CASE(NewObjectV, good) { say("%d", list(f, f->c, f->init, 6) != NULL); }
CASE(NewObjectA, good) { say("%d", J(NewObjectA, f->c, f->init, &(const jvalue) { .i = 7 }) != NULL); }
CASE(NewObject, number) {
    jfieldID number = J(GetFieldID, f->c, "number", "I");
    say("%d %d %d", J(GetIntField, J(NewObject, f->c, f->init, INT32_MIN), number),
        J(GetIntField, list(f, f->c, f->init, INT32_MAX), number),
        J(GetIntField, J(NewObjectA, f->c, f->init, &(const jvalue){.i = -1}), number));
}
CASE(NewObject, throwing) {
    jclass k = J(FindClass, "EveryFunction$Throwing");
    say("%d", J(NewObject, k, J(GetMethodID, k, "<init>", "()V")) != NULL);
}
CASE(NewObject, is_abstract) {
    jclass k = J(FindClass, "EveryFunction$Abstract");
    say("%d", J(NewObject, k, J(GetMethodID, k, "<init>", "()V")) != NULL);
}
CASE_UNDEFINED(NewObject, bad_id,
               "0 | java.lang.InternalError: invalid jmethodID 0x7ffffff100010001 passed to NewObject") {
    say("%d", J(NewObject, f->c, NO_METHOD) != NULL);
}
CASE(GetObjectClass, good) { say("%d", J(GetObjectClass, f->text) != NULL); }
CASE(GetObjectClass, same) {
    say("%d %d", J(IsSameObject, J(GetObjectClass, f->text), f->string_class),
        J(IsSameObject, J(GetObjectClass, f->ints), J(FindClass, "[I")));
}
CASE_UNDEFINED(GetObjectClass, null, "0 | java.lang.NullPointerException") {
    say("%d", J(GetObjectClass, NULL) != NULL);
}
/* An address that leads to no object, one that leads nowhere, an id in a reference's place. */
static uint64_t no_object[2] = { 5, 5 };
CASE_ENDS_UNDEFINED(GetObjectClass, no_object, "in GetObjectClass: ") { J(GetObjectClass, (jobject)no_object); }
CASE_ENDS_UNDEFINED(GetArrayLength, no_object, "in GetArrayLength: ") { J(GetArrayLength, (jarray)no_object); }
CASE_ENDS_UNDEFINED(GetIntField, no_object, "in GetIntField: ") { J(GetIntField, (jobject)no_object, f->fields[4]); }
CASE_ENDS_UNDEFINED(CallIntMethod, no_object, "in CallIntMethod: ") {
    J(CallIntMethod, (jobject)no_object, f->methods[4], 1);
}
CASE_ENDS_UNDEFINED(CallObjectMethod, argument_no_object, "in CallObjectMethod: ") {
    J(CallObjectMethod, f->self, f->methods[8], (jobject)no_object);
}
CASE_ENDS_UNDEFINED(GetStringUTFChars, nowhere, "JNI function called by native code: GetStringUTFChars") {
    J(GetStringUTFChars, (jstring)(uintptr_t)0x123456000, NULL);
}
CASE_ENDS_UNDEFINED(CallVoidMethod, id_as_object, "JNI function called by native code: CallVoidMethod") {
    J(CallVoidMethod, (jobject)f->methods[4], f->methods[9], NULL);
}
CASE(IsInstanceOf, good) { say("%d", J(IsInstanceOf, f->text, f->string_class)); }
CASE(IsInstanceOf, kinds) {
    say("%d %d %d", J(IsInstanceOf, f->text, f->object_class), J(IsInstanceOf, f->text, f->c),
        J(IsInstanceOf, NULL, f->c));
}
CASE(IsVirtualThread, good) { if (J(GetVersion) >= 0x00150000) say("%d", J(IsVirtualThread, f->text)); }

/* ---- natives ----------------------------------------------------------------------------------------------------- */

static jint JNICALL native_one(JNIEnv *e, jclass c, jint v) { (void)e, (void)c; return v + 1; }
static jint JNICALL native_two(JNIEnv *e, jclass c, jint v) { (void)e, (void)c; return v + 2; }
static jint register_as(struct fixture *f, const char *name, const char *desc, void *function) {
    return J(RegisterNatives, f->c, &(const JNINativeMethod) { (char *)name, (char *)desc, function }, 1);
}
CASE(RegisterNatives, good) { say("%d", register_as(f, "registered", "(I)I", (void *)native_one)); }
CASE(RegisterNatives, again) {
    jmethodID m = J(GetStaticMethodID, f->c, "registered", "(I)I");
    register_as(f, "registered", "(I)I", (void *)native_one);
    say("%d ", J(CallStaticIntMethod, f->c, m, 10));
    register_as(f, "registered", "(I)I", (void *)native_two);
    say("%d", J(CallStaticIntMethod, f->c, m, 10));
}
CASE(RegisterNatives, not_native) { say("%d", register_as(f, "si", "(I)I", (void *)native_one)); }
CASE(RegisterNatives, wrong_type) { say("%d", register_as(f, "registered", "()V", (void *)native_one)); }
CASE(RegisterNatives, unknown) { say("%d", register_as(f, "nobody_has_this_name", "()V", (void *)native_one)); }
CASE(RegisterNatives, malformed) { say("%d", register_as(f, "registered", "(I", (void *)native_one)); }
CASE(RegisterNatives, none) { say("%d", J(RegisterNatives, f->c, NULL, 0)); }
CASE(UnregisterNatives, good) { say("%d", J(UnregisterNatives, f->derived_class)); }
CASE(UnregisterNatives, unlinked) {
    register_as(f, "registered", "(I)I", (void *)native_one);
    say("%d ", J(UnregisterNatives, f->c));
    J(CallStaticIntMethod, f->c, J(GetStaticMethodID, f->c, "registered", "(I)I"), 1);
}

/* ---- monitors, buffers, the VM ----------------------------------------------------------------------------------- */

CASE(MonitorEnter, good) { say("%d", J(MonitorEnter, f->self)); J(MonitorExit, f->self); }
CASE(MonitorEnter, nested) {
    say("%d ", J(MonitorEnter, f->self));
    say("%d ", J(MonitorEnter, f->self));
    for (int k = 0; k < 3; k++) say("%d ", J(MonitorExit, f->self));
}
CASE(MonitorEnter, null) { say("%d", J(MonitorEnter, NULL)); }
CASE(MonitorExit, good) { J(MonitorEnter, f->self); say("%d", J(MonitorExit, f->self)); }
CASE(MonitorExit, not_owner) { say("%d", J(MonitorExit, f->self)); }
CASE(MonitorExit, null) { say("%d", J(MonitorExit, NULL)); }

static char storage[64];
CASE(NewDirectByteBuffer, good) { say("%d", J(NewDirectByteBuffer, storage, sizeof storage) != NULL); }
CASE(NewDirectByteBuffer, bounds) {
    jobject b = J(NewDirectByteBuffer, storage, 0);
    say("%d %lld ", J(GetDirectBufferAddress, b) == storage, (long long)J(GetDirectBufferCapacity, b));
    J(NewDirectByteBuffer, storage, -1);
}
CASE(NewDirectByteBuffer, too_long) {
    if (J(GetVersion) >= 0x00150000) J(NewDirectByteBuffer, storage, (jlong)INT32_MAX + 1);
}
CASE(GetDirectBufferAddress, good) { say("%d", J(GetDirectBufferAddress, f->buffer) != NULL); }
static jobject from_java(struct fixture *f, const char *method) {
    return J(CallStaticObjectMethod, f->c, J(GetStaticMethodID, f->c, method, "()Ljava/lang/Object;"));
}
CASE(GetDirectBufferAddress, kinds) {
    say("%d %d %d %d", J(GetDirectBufferAddress, from_java(f, "heapBuffer")) != NULL,
        J(GetDirectBufferAddress, from_java(f, "directBuffer")) != NULL,
        J(GetDirectBufferAddress, from_java(f, "view")) != NULL, J(GetDirectBufferAddress, f->text) != NULL);
}
CASE(GetDirectBufferCapacity, good) { say("%lld", (long long)J(GetDirectBufferCapacity, f->buffer)); }
CASE(GetDirectBufferCapacity, kinds) {
    say("%lld %lld %lld %lld", (long long)J(GetDirectBufferCapacity, from_java(f, "heapBuffer")),
        (long long)J(GetDirectBufferCapacity, from_java(f, "directBuffer")),
        (long long)J(GetDirectBufferCapacity, from_java(f, "view")), (long long)J(GetDirectBufferCapacity, f->text));
}
CASE_UNDEFINED(GetDirectBufferCapacity, null, "-1 0") {
    say("%lld %d", (long long)J(GetDirectBufferCapacity, NULL), J(GetDirectBufferAddress, NULL) != NULL);
}

CASE(GetJavaVM, good) {
    JavaVM *vm = NULL;
    jint r = J(GetJavaVM, &vm);
    say("%d %d", r, vm != NULL);
}
CASE(GetJavaVM, env) {
    JavaVM *vm;
    void *env = NULL, *old = f;
    J(GetJavaVM, &vm);
    jint good = (*vm)->GetEnv(vm, &env, JNI_VERSION_1_6), bad = (*vm)->GetEnv(vm, &old, 0x12345);
    say("%d %d %d %d", good, env == f->env, bad, old == NULL);
}
