/* dependencies.c: what the program Dependencies does to code that another thread runs, and counts of it. */
#include "agent_support.h"

#include <stdatomic.h>

static atomic_int counted;

static void on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at) {
    (void)env, (void)jni, (void)t, (void)m;
    if (at == 0) counted++;
}

static void on_access(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                      jfieldID f) {
    (void)env, (void)jni, (void)t, (void)m, (void)at, (void)c, (void)o, (void)f;
    counted++;
}

static void on_modification(jvmtiEnv *env, JNIEnv *jni, jthread t, jmethodID m, jlocation at, jclass c, jobject o,
                            jfieldID f, char type, jvalue value) {
    (void)env, (void)jni, (void)t, (void)m, (void)at, (void)c, (void)o, (void)f, (void)value;
    if (type == 'I') counted++;
}

static void on_sample(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o, jclass c, jlong size) {
    char name[64];
    (void)env, (void)jni, (void)t, (void)o, (void)size;
    if (strcmp(class_text(c, name, sizeof name), "LDependencies$Made;") == 0) counted++;
}

static void on_vm_alloc(jvmtiEnv *env, JNIEnv *jni, jthread t, jobject o, jclass c, jlong size) {
    char name[128];
    (void)env, (void)jni, (void)t, (void)o, (void)size;
    if (strstr(class_text(c, name, sizeof name), "LDependencies$$Lambda") == name) counted++;
}

#define TOOL(type, name, ...) \
    JNIEXPORT type JNICALL Java_Dependencies_##name(JNIEnv *env, jclass c, ##__VA_ARGS__)

TOOL(void, redefine, jclass of, jbyteArray bytes) {
    (void)c;
    jvmtiClassDefinition new = {of, (*env)->GetArrayLength(env, bytes), NULL};
    jbyte *b = (*env)->GetByteArrayElements(env, bytes, NULL);
    new.class_bytes = (unsigned char *)b;
    ok((*jvmti)->RedefineClasses(jvmti, 1, &new), "RedefineClasses");
    (*env)->ReleaseByteArrayElements(env, bytes, b, JNI_ABORT);
}

TOOL(void, breakpoint, jclass callee, jboolean set) {
    (void)c;
    jmethodID m = (*env)->GetStaticMethodID(env, callee, "value", "()I");
    counted = 0;
    ok(set ? (*jvmti)->SetBreakpoint(jvmti, m, 0) : (*jvmti)->ClearBreakpoint(jvmti, m, 0), "breakpoint");
}

TOOL(void, watch, jboolean access, jboolean set) {
    jfieldID f = (*env)->GetStaticFieldID(env, c, access ? "looked" : "stored", "I");
    counted = 0;
    if (access)
        ok(set ? (*jvmti)->SetFieldAccessWatch(jvmti, c, f) : (*jvmti)->ClearFieldAccessWatch(jvmti, c, f), "access");
    else
        ok(set ? (*jvmti)->SetFieldModificationWatch(jvmti, c, f) : (*jvmti)->ClearFieldModificationWatch(jvmti, c, f),
           "modification");
}

static void switch_event(jvmtiEvent event, jboolean on) {
    counted = 0;
    ok((*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, event, NULL),
       "SetEventNotificationMode");
}

TOOL(void, samples, jboolean on) { (void)env, (void)c; switch_event(JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, on); }
TOOL(void, vmAllocations, jboolean on) { (void)env, (void)c; switch_event(JVMTI_EVENT_VM_OBJECT_ALLOC, on); }

JNIEXPORT void JNICALL Java_Dependencies_assign__I(JNIEnv *env, jclass c, jint base) {
    (*env)->SetStaticIntField(env, c, (*env)->GetStaticFieldID(env, c, "BASE", "I"), base);
}

JNIEXPORT void JNICALL Java_Dependencies_assign__Ljava_lang_invoke_MethodHandle_2(JNIEnv *env, jclass c, jobject h) {
    jfieldID f = (*env)->GetStaticFieldID(env, c, "FIXED", "Ljava/lang/invoke/MethodHandle;");
    (*env)->SetStaticObjectField(env, c, f, h);
}

TOOL(jint, events) { (void)env, (void)c; return counted; }

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    the_vm = vm;
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities capabilities = {
        .can_generate_breakpoint_events = 1, .can_generate_field_access_events = 1,
        .can_generate_field_modification_events = 1, .can_redefine_classes = 1,
        .can_generate_sampled_object_alloc_events = 1, .can_generate_vm_object_alloc_events = 1,
    };
    jvmtiEventCallbacks callbacks = {.Breakpoint = on_breakpoint, .FieldAccess = on_access,
                                     .FieldModification = on_modification, .SampledObjectAlloc = on_sample,
                                     .VMObjectAlloc = on_vm_alloc};
    if (!ok((*jvmti)->AddCapabilities(jvmti, &capabilities), "AddCapabilities")) return JNI_ERR;
    ok((*jvmti)->SetHeapSamplingInterval(jvmti, 0), "SetHeapSamplingInterval");
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    enable(JVMTI_EVENT_BREAKPOINT);
    enable(JVMTI_EVENT_FIELD_ACCESS);
    enable(JVMTI_EVENT_FIELD_MODIFICATION);
    return JNI_OK;
}
