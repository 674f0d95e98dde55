/* main.c: the order of the cases, from Agent_OnLoad to Agent_OnUnload. Options: the path of a JAR; before it "strict,"
 * for the calls that only our VM survives, "quiet," for no calls but those that the program asks for. */
#include "every_call.h"

static char *jar;
static bool quiet;

static void add_all_capabilities(void) {
    jvmtiCapabilities all;
    ok((*jvmti)->GetPotentialCapabilities(jvmti, &all), "GetPotentialCapabilities");
    all.can_generate_early_vmstart = 0;           /* the start phase as everybody knows it */
    ok((*jvmti)->AddCapabilities(jvmti, &all), "AddCapabilities");
}

static void JNICALL on_class_file(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
                                  jobject domain, jint size, const unsigned char *bytes, jint *new_size,
                                  unsigned char **new_bytes) {
    static bool done;
    jvmtiPhase phase;
    (void)env, (void)jni, (void)redefined, (void)loader, (void)name, (void)domain, (void)size, (void)bytes,
        (void)new_size, (void)new_bytes;
    ok((*jvmti)->GetPhase(jvmti, &phase), "GetPhase");
    if (phase != JVMTI_PHASE_PRIMORDIAL || done) return;
    done = true;
    in_phase("primordial", phase);
}

/* Objects that the start phase has already. */
static void JNICALL on_vm_start(jvmtiEnv *env, JNIEnv *jni) {
    (void)env;
    fixture.jni = jni;
    fixture.self = (*jni)->FindClass(jni, "java/lang/String");
    fixture.object = (*jni)->NewStringUTF(jni, "object");
    fixture.spin = (*jni)->GetMethodID(jni, fixture.self, "length", "()I");
    fixture.field = (*jni)->GetFieldID(jni, fixture.self, "hash", "I");
    in_phase("start", JVMTI_PHASE_START);
    memset(&fixture, 0, sizeof fixture);
    fixture.jar = jar;
}

/* Later class files are nobody's business. */
static void JNICALL on_vm_init(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
    (void)jni, (void)thread;
    ok((*env)->SetEventNotificationMode(env, JVMTI_DISABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL), "disable");
}

static void begin(JNIEnv *jni, jclass self, jobjectArray objects) {
    jobject o[16];
    for (int i = 0; i < 16; i++) o[i] = (*jni)->GetObjectArrayElement(jni, objects, i);
    fixture = (struct fixture){
        .jni = jni, .self = self, .jar = jar, .object = o[0], .victim = o[1], .fresh = o[2], .done = o[3],
        .waiter = o[4], .group = o[5],
        .loader = o[6], .module = o[7], .named = o[8], .exception = o[9], .array = o[10],
        .virtual_thread = o[11], .virtual_fresh = o[12], .unlinked = o[13], .extended = o[14], .stripped = o[15],
        .spin = (*jni)->GetStaticMethodID(jni, self, "spinInt", "(IJFDLEveryCall;)I"),
        .native = (*jni)->GetStaticMethodID(jni, self, "run", "([Ljava/lang/Object;)V"),
        .field = (*jni)->GetFieldID(jni, self, "field", "I"),
    };
    jclass integer = (*jni)->FindClass(jni, "java/lang/Integer");
    fixture.primitive = (*jni)->GetStaticObjectField(jni, integer,
                                                     (*jni)->GetStaticFieldID(jni, integer, "TYPE",
                                                                              "Ljava/lang/Class;"));
    fixture.other = (*jni)->GetFieldID(jni, integer, "value", "I");
    late = true;
}

JNIEXPORT void JNICALL Java_EveryCall_run(JNIEnv *jni, jclass self, jobjectArray objects) {
    begin(jni, self, objects);
    in_phase("live", JVMTI_PHASE_LIVE);
    capability_cases();
    parameter_cases();
    thread_cases();
    environment_cases();
    callback_cases();
    error_cases();
    let_go();
    late = false;
    memset(&fixture, 0, sizeof fixture);
}

JNIEXPORT void JNICALL Java_EveryCall_runOutOfMemory(JNIEnv *jni, jclass self, jobjectArray objects) {
    begin(jni, self, objects);
    out_of_memory();
    let_go();
    memset(&fixture, 0, sizeof fixture);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    if (attach_jvmti(vm) != JNI_OK || (*vm)->GetEnv(vm, (void **)&bare, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
    strict = strncmp(options, "strict,", 7) == 0;
    quiet = strncmp(options, "quiet,", 6) == 0;
    fixture.jar = jar = strdup(strict ? options + 7 : quiet ? options + 6 : options);
    add_all_capabilities();
    if (quiet) return JNI_OK;
    in_phase("onload", JVMTI_PHASE_ONLOAD);
    error_cases_in_onload();
    jvmtiEventCallbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ClassFileLoadHook = on_class_file;
    callbacks.VMStart = on_vm_start;
    callbacks.VMInit = on_vm_init;
    ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks");
    enable(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    enable(JVMTI_EVENT_VM_START);
    enable(JVMTI_EVENT_VM_INIT);
    return JNI_OK;
}

JNIEXPORT void JNICALL Agent_OnUnload(JavaVM *vm) {
    (void)vm;
    fixture.jar = jar;
    if (!quiet) in_phase("dead", JVMTI_PHASE_DEAD);
}
