/* errors.c: what every function answers to calls that are wrong, and the names of all errors. */
#include "agent_support.h"

#define TRY(call) say("%-70s %s", #call, error_text((*jvmti)->call))

/* Calls that the specification gives an error and HotSpot does not (or it crashes): made when the agent's option is
 * "strict". */
#define TRY_STRICT(call) do { if (strict) TRY(call); } while (0)

static int strict;

static jvmtiError number(int n) { return (jvmtiError)n; }

static void error_names(void) {
    for (int i = -1; i < 130; i++) {
        char *name;
        if ((*jvmti)->GetErrorName(jvmti, number(i), &name) == JVMTI_ERROR_NONE) {
            say("error %d %s", i, name);
            release(name);
        }
    }
}

JNIEXPORT void JNICALL Java_Errors_run(JNIEnv *jni, jclass self, jobject object, jthread fresh, jthread done,
                                       jclass array) {
    jvmtiEnv *env = jvmti;
    jint i, j;
    jlong l;
    jboolean b;
    char *s;
    jclass *classes;
    jobject o;
    jobject *objects;
    jthread thread = NULL;
    jmethodID m = (*jni)->GetStaticMethodID(jni, self, "main", "([Ljava/lang/String;)V");
    jmethodID native =
        (*jni)->GetStaticMethodID(jni, self, "run",
                                  "(Ljava/lang/Object;Ljava/lang/Thread;Ljava/lang/Thread;Ljava/lang/Class;)V");
    jfieldID f = (*jni)->GetFieldID(jni, self, "field", "I");
    jclass other = (*jni)->FindClass(jni, "java/lang/Integer");
    jvmtiThreadInfo thread_info;
    jvmtiFrameInfo frames[4];
    jvmtiHeapCallbacks callbacks;
    unsigned char *p;
    jrawMonitorID monitor;
    jlong tags[2] = {1, 0};
    memset(&callbacks, 0, sizeof callbacks);
    (void)env;

    jvmtiCapabilities potential, early = {.can_generate_early_vmstart = 1},
                                 early_hook = {.can_generate_early_class_hook_events = 1};
    ok((*jvmti)->GetPotentialCapabilities(jvmti, &potential), "GetPotentialCapabilities");
    say("offered in the live phase: %d %d", potential.can_generate_early_vmstart,
        potential.can_generate_early_class_hook_events);
    TRY(AddCapabilities(jvmti, &early));
    TRY(AddCapabilities(jvmti, &early_hook));
    TRY(Allocate(jvmti, -1, &p));
    TRY(Allocate(jvmti, 0, &p));
    say("Allocate(0) gives NULL: %d", p == NULL);
    TRY(Allocate(jvmti, 10, NULL));
    TRY(Deallocate(jvmti, NULL));
    TRY(GetErrorName(jvmti, number(1), &s));
    TRY(GetErrorName(jvmti, number(0), NULL));
    TRY(GetPhase(jvmti, NULL));
    TRY(GetVersionNumber(jvmti, NULL));
    TRY(SetVerboseFlag(jvmti, 77, 1));
    TRY(GetJLocationFormat(jvmti, NULL));
    TRY_STRICT(SetEventNotificationMode(jvmti, 5, JVMTI_EVENT_VM_DEATH, NULL));
    TRY(SetEventNotificationMode(jvmti, JVMTI_ENABLE, 1000, NULL));
    TRY_STRICT(SetEventNotificationMode(jvmti, JVMTI_ENABLE, 72, NULL));
    TRY(SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, (*jni)->NewLocalRef(jni, object)));
    jthread current;
    ok((*jvmti)->GetCurrentThread(jvmti, &current), "GetCurrentThread");
    TRY(SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, current));
    TRY(SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, current));
    TRY(SetEventNotificationMode(jvmti, JVMTI_DISABLE, JVMTI_EVENT_CLASS_LOAD, current));
    TRY(SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, object));
    TRY(SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, fresh));
    TRY(SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, done));
    TRY(SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE, NULL));
    TRY(SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, NULL));
    TRY(SetEventCallbacks(jvmti, NULL, -1));
    TRY(GenerateEvents(jvmti, JVMTI_EVENT_VM_INIT));
    TRY(GenerateEvents(jvmti, JVMTI_EVENT_COMPILED_METHOD_LOAD));
    TRY(SetExtensionEventCallback(jvmti, 12345, NULL));

    TRY(GetThreadState(jvmti, object, &i));
    TRY(GetThreadState(jvmti, current, NULL));
    TRY(GetThreadInfo(jvmti, object, &thread_info));
    TRY(GetThreadInfo(jvmti, current, NULL));
    TRY(GetStackTrace(jvmti, object, 0, 4, frames, &i));
    TRY(GetStackTrace(jvmti, fresh, 0, 4, frames, &i));
    TRY(GetStackTrace(jvmti, done, 0, 4, frames, &i));
    TRY(GetStackTrace(jvmti, NULL, 0, -1, frames, &i));
    TRY(GetStackTrace(jvmti, NULL, 0, 4, NULL, &i));
    TRY(GetStackTrace(jvmti, NULL, 0, 4, frames, NULL));
    TRY(GetFrameCount(jvmti, fresh, &i));
    TRY(GetFrameLocation(jvmti, NULL, -1, &m, &l));
    TRY(GetFrameLocation(jvmti, NULL, 1000, &m, &l));
    m = (*jni)->GetStaticMethodID(jni, self, "main", "([Ljava/lang/String;)V");
    TRY(GetAllThreads(jvmti, &i, NULL));
    TRY(GetAllThreads(jvmti, NULL, &objects));
    TRY(GetThreadListStackTraces(jvmti, 1, &object, 1, (jvmtiStackInfo **)&p));
    TRY(GetThreadListStackTraces(jvmti, -1, &object, 1, (jvmtiStackInfo **)&p));
    TRY(GetThreadListStackTraces(jvmti, 1, NULL, 1, (jvmtiStackInfo **)&p));
    TRY(SetThreadLocalStorage(jvmti, object, NULL));
    TRY(SetThreadLocalStorage(jvmti, done, NULL));

    TRY(GetClassSignature(jvmti, NULL, &s, NULL));
    TRY(GetClassSignature(jvmti, object, &s, NULL));
    TRY(GetClassSignature(jvmti, self, NULL, NULL));
    TRY(GetClassStatus(jvmti, self, NULL));
    TRY(GetClassMethods(jvmti, NULL, &i, (jmethodID **)&p));
    TRY(GetClassMethods(jvmti, array, &i, (jmethodID **)&p));
    say("methods of an array class: %d", i);
    TRY(GetClassMethods(jvmti, self, &i, NULL));
    TRY(GetSourceFileName(jvmti, self, &s));
    TRY(GetBytecodes(jvmti, m, &i, &p));
    TRY(GetConstantPool(jvmti, self, &i, &j, &p));
    TRY(GetClassVersionNumbers(jvmti, array, &i, &j));
    TRY_STRICT(GetClassLoaderClasses(jvmti, object, &i, &classes));
    TRY(GetFieldName(jvmti, self, f, NULL, NULL, NULL));
    TRY(GetFieldName(jvmti, self, NULL, &s, NULL, NULL));
    TRY(GetFieldName(jvmti, NULL, f, &s, NULL, NULL));
    TRY(GetFieldModifiers(jvmti, self, f, NULL));
    TRY(IsFieldSynthetic(jvmti, self, f, &b));
    TRY(GetMethodName(jvmti, NULL, &s, NULL, NULL));
    TRY(GetMethodName(jvmti, m, NULL, NULL, NULL));
    TRY(GetMaxLocals(jvmti, native, &i));
    TRY(GetArgumentsSize(jvmti, native, &i));
    TRY(GetMethodLocation(jvmti, native, &l, &l));
    TRY(GetMethodLocation(jvmti, m, NULL, &l));
    TRY(GetLineNumberTable(jvmti, m, &i, (jvmtiLineNumberEntry **)&p));
    TRY(IsMethodNative(jvmti, native, &b));

    TRY(GetObjectSize(jvmti, NULL, &l));
    TRY(GetObjectSize(jvmti, object, NULL));
    TRY(GetObjectHashCode(jvmti, NULL, &i));
    TRY(GetTag(jvmti, object, &l));
    TRY(FollowReferences(jvmti, 0, NULL, NULL, &callbacks, NULL));
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_tag_objects = 1;
    TRY(AddCapabilities(jvmti, NULL));
    TRY(AddCapabilities(jvmti, &wanted));
    TRY(GetTag(jvmti, NULL, &l));
    TRY(GetTag(jvmti, object, NULL));
    TRY(SetTag(jvmti, NULL, 1));
    TRY(FollowReferences(jvmti, 0, NULL, NULL, NULL, NULL));
    TRY_STRICT(FollowReferences(jvmti, 0, object, NULL, &callbacks, NULL));
    TRY_STRICT(IterateThroughHeap(jvmti, 0, object, &callbacks, NULL));
    TRY_STRICT(GetObjectsWithTags(jvmti, 2, tags, &i, NULL, NULL));
    TRY(GetObjectsWithTags(jvmti, 1, NULL, &i, NULL, NULL));
    TRY(GetObjectsWithTags(jvmti, -1, tags, &i, NULL, NULL));
    TRY(GetObjectsWithTags(jvmti, 1, tags, NULL, NULL, NULL));
    TRY(GetObjectsWithTags(jvmti, 0, tags, &i, &objects, NULL));
    say("objects with no tags: %d", i);
    TRY(RelinquishCapabilities(jvmti, &wanted));
    TRY(GetTag(jvmti, object, &l));

    TRY(CreateRawMonitor(jvmti, "x", NULL));
    TRY(RawMonitorEnter(jvmti, NULL));
    TRY(RawMonitorEnter(jvmti, (jrawMonitorID)&i));
    TRY(CreateRawMonitor(jvmti, "x", &monitor));
    TRY(RawMonitorExit(jvmti, monitor));
    TRY(DestroyRawMonitor(jvmti, monitor));
    TRY(GetSystemProperty(jvmti, NULL, &s));
    TRY(GetTime(jvmti, NULL));
    TRY(GetThreadCpuTime(jvmti, NULL, &l));
    TRY(GetCurrentThreadCpuTimerInfo(jvmti, NULL));
    TRY(GetTopThreadGroups(jvmti, NULL, NULL));
    TRY_STRICT(GetThreadGroupInfo(jvmti, object, (jvmtiThreadGroupInfo *)&p));
    TRY(GetClassLoader(jvmti, self, NULL));
    TRY(GetPotentialCapabilities(jvmti, NULL));
    TRY(SetBreakpoint(jvmti, m, 0));
    TRY(SuspendThread(jvmti, current));
    TRY(RedefineClasses(jvmti, 0, NULL));
    (void)o, (void)thread, (void)other;
    error_names();
    jint version = 0, maximum;
    ok((*jvmti)->GetVersionNumber(jvmti, &version), "GetVersionNumber");
    maximum = version >> 16 & 0xfff;
    say("version %x major %d", (unsigned)version, maximum);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)reserved;
    strict = options && strcmp(options, "strict") == 0;
    return attach_jvmti(vm);
}
