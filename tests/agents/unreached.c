/* unreached.c: breakpoints, watched fields and frame pops of the program Unreached. */
#include "agent_support.h"

enum { X = 0 };                                   /* the slot of hot's argument                                       */

static int events, sum;
static jboolean asking;
static jmethodID hot, mixed;
static jlocation store;                           /* where hot begins to store                                        */

static void look(jthread t) {
    jint x = 0;
    ok((*jvmti)->GetLocalInt(jvmti, t, 0, X, &x), "GetLocalInt");
    events++;
    sum += x;
}

static void on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    (void)env, (void)jni;
    if (m == mixed) {
        events++;
        sum += (int)at;
        return;
    }
    if (m != hot || at != store) say("FAILED: another place");
    look(t);
}

static void on_access(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                      jfieldID f) {
    (void)env, (void)jni, (void)at, (void)c, (void)o, (void)f;
    if (m != hot) say("FAILED: another method");
    look(t);
}

static void on_modification(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                            jfieldID f, char type, jvalue value) {
    (void)env, (void)jni, (void)at, (void)c, (void)o, (void)f;
    if (m != hot || type != 'I' || value.i >= 0) say("FAILED: another method or value");
    look(t);
}

static void on_frame_pop(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jboolean by_exception) {
    (void)env, (void)jni, (void)m;
    if (by_exception) say("FAILED: an exception");
    look(t);
}

JNIEXPORT void JNICALL Java_Unreached_asking(JNIEnv *env, jclass c, jboolean on) {
    (void)env, (void)c;
    asking = on;
}

JNIEXPORT void JNICALL Java_Unreached_ask(JNIEnv *env, jclass c) {
    (void)env, (void)c;
    if (asking) ok((*jvmti)->NotifyFramePop(jvmti, NULL, 1), "NotifyFramePop");
}

/* The location of the second line of hot. */
static void find(JNIEnv *env, jclass c) {
    jint count = 0;
    jvmtiLineNumberEntry *lines = NULL;
    hot = (*env)->GetStaticMethodID(env, c, "hot", "(I)I");
    if (!ok((*jvmti)->GetLineNumberTable(jvmti, hot, &count, &lines), "GetLineNumberTable")) return;
    store = count > 1 ? lines[1].start_location : -1;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)lines);
}

JNIEXPORT void JNICALL Java_Unreached_begin(JNIEnv *env, jclass c, jstring name) {
    const char *what = (*env)->GetStringUTFChars(env, name, NULL);
    if (hot == NULL) find(env, c);
    if (what[0] == 'b') ok((*jvmti)->SetBreakpoint(jvmti, hot, store), "SetBreakpoint");
    if (what[0] == 'a')
        ok((*jvmti)->SetFieldAccessWatch(jvmti, c, (*env)->GetStaticFieldID(env, c, "looked", "I")), "access");
    if (what[0] == 'm')
        ok((*jvmti)->SetFieldModificationWatch(jvmti, c, (*env)->GetStaticFieldID(env, c, "stored", "I")),
           "modification");
    (*env)->ReleaseStringUTFChars(env, name, what);
}

/* Whatever is set; the others are not. */
JNIEXPORT void JNICALL Java_Unreached_end(JNIEnv *env, jclass c) {
    (*jvmti)->ClearBreakpoint(jvmti, hot, store);
    (*jvmti)->ClearFieldAccessWatch(jvmti, c, (*env)->GetStaticFieldID(env, c, "looked", "I"));
    (*jvmti)->ClearFieldModificationWatch(jvmti, c, (*env)->GetStaticFieldID(env, c, "stored", "I"));
}

JNIEXPORT jboolean JNICALL Java_Unreached_breakAt(JNIEnv *env, jclass c, jint bci, jboolean set) {
    if (mixed == NULL) mixed = (*env)->GetStaticMethodID(env, c, "mixed", "(JDI[I)I");
    return (set ? (*jvmti)->SetBreakpoint(jvmti, mixed, bci) : (*jvmti)->ClearBreakpoint(jvmti, mixed, bci)) ==
           JVMTI_ERROR_NONE;
}

JNIEXPORT jstring JNICALL Java_Unreached_events(JNIEnv *env, jclass c) {
    char text[64];
    (void)c;
    snprintf(text, sizeof text, "%d events, %d", events, sum);
    return (*env)->NewStringUTF(env, text);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    the_vm = vm;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities capabilities = {
        .can_generate_breakpoint_events = 1, .can_generate_field_access_events = 1,
        .can_generate_field_modification_events = 1, .can_access_local_variables = 1, .can_get_line_numbers = 1,
        .can_generate_frame_pop_events = 1,
    };
    jvmtiEventCallbacks callbacks = {.Breakpoint = on_breakpoint, .FieldAccess = on_access,
                                     .FieldModification = on_modification, .FramePop = on_frame_pop};
    if (!ok((*jvmti)->AddCapabilities(jvmti, &capabilities), "AddCapabilities")) return JNI_ERR;
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    enable(JVMTI_EVENT_BREAKPOINT);
    enable(JVMTI_EVENT_FIELD_ACCESS);
    enable(JVMTI_EVENT_FIELD_MODIFICATION);
    enable(JVMTI_EVENT_FRAME_POP);
    return JNI_OK;
}
