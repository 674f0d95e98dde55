/* background.c: changes what waits to be compiled, for the program Background. */
#include "agent_support.h"

static int hits;

JNIEXPORT void JNICALL Java_Background_breakpoint(JNIEnv *, jclass, jclass, jstring, jboolean);
JNIEXPORT void JNICALL Java_Background_breakpoint(JNIEnv *jni, jclass program, jclass c, jstring name, jboolean set) {
    (void)program;
    const char *text = (*jni)->GetStringUTFChars(jni, name, NULL);
    jmethodID m = (*jni)->GetStaticMethodID(jni, c, text, "(I)I");
    (*jni)->ReleaseStringUTFChars(jni, name, text);
    if (set) ok((*jvmti)->SetBreakpoint(jvmti, m, 0), "SetBreakpoint");
    else ok((*jvmti)->ClearBreakpoint(jvmti, m, 0), "ClearBreakpoint");
}

JNIEXPORT jint JNICALL Java_Background_hits(JNIEnv *, jclass);
JNIEXPORT jint JNICALL Java_Background_hits(JNIEnv *jni, jclass program) {
    (void)jni, (void)program;
    return __atomic_load_n(&hits, __ATOMIC_SEQ_CST);
}

JNIEXPORT void JNICALL Java_Background_watch(JNIEnv *, jclass, jboolean);
JNIEXPORT void JNICALL Java_Background_watch(JNIEnv *jni, jclass program, jboolean set) {
    jfieldID f = (*jni)->GetStaticFieldID(jni, program, "factor", "I");
    if (set) ok((*jvmti)->SetFieldAccessWatch(jvmti, program, f), "SetFieldAccessWatch");
    else ok((*jvmti)->ClearFieldAccessWatch(jvmti, program, f), "ClearFieldAccessWatch");
}

JNIEXPORT void JNICALL Java_Background_redefine(JNIEnv *, jclass, jclass, jbyteArray);
JNIEXPORT void JNICALL Java_Background_redefine(JNIEnv *jni, jclass program, jclass c, jbyteArray file) {
    (void)program;
    jvmtiClassDefinition new = {.klass = c, .class_byte_count = (*jni)->GetArrayLength(jni, file)};
    jbyte *bytes = (*jni)->GetByteArrayElements(jni, file, NULL);
    new.class_bytes = (unsigned char *)bytes;
    ok((*jvmti)->RedefineClasses(jvmti, 1, &new), "RedefineClasses");
    (*jni)->ReleaseByteArrayElements(jni, file, bytes, JNI_ABORT);
}

JNIEXPORT void JNICALL Java_Background_entries(JNIEnv *, jclass, jboolean);
JNIEXPORT void JNICALL Java_Background_entries(JNIEnv *jni, jclass program, jboolean watched) {
    (void)jni, (void)program;
    jvmtiEventMode mode = watched ? JVMTI_ENABLE : JVMTI_DISABLE;
    ok((*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_METHOD_ENTRY, NULL), "SetEventNotificationMode");
}

static void on_entry(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m) { (void)env, (void)jni, (void)t, (void)m; }

static void on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    (void)env, (void)jni, (void)t, (void)m, (void)at;
    __atomic_add_fetch(&hits, 1, __ATOMIC_SEQ_CST);
}

static void on_access(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                      jfieldID f) {
    (void)c, (void)o, (void)f;
    on_breakpoint(env, jni, t, m, at);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    jvmtiCapabilities wanted = {.can_generate_breakpoint_events = 1, .can_redefine_classes = 1,
                                .can_generate_field_access_events = 1,
                                .can_generate_method_entry_events = 1};
    jvmtiEventCallbacks callbacks = {.Breakpoint = on_breakpoint, .FieldAccess = on_access,
                                     .MethodEntry = on_entry};
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    the_vm = vm;
    if (!ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities") ||
        !ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks"))
        return JNI_ERR;
    enable(JVMTI_EVENT_BREAKPOINT);
    enable(JVMTI_EVENT_FIELD_ACCESS);
    return JNI_OK;
}
