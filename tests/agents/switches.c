/* switches.c: what several threads want to be sent, each for itself (tests/jvmti/Switches.java). */
#include "agent_support.h"

enum kind { METHOD_ENTRY, METHOD_EXIT, SINGLE_STEP, EXCEPTION, EXCEPTION_CATCH, SAMPLED_OBJECT_ALLOC, BREAKPOINT,
            FIELD_ACCESS, FIELD_MODIFICATION, FRAME_POP, KINDS };
enum { THREADS = 3 };

static const jvmtiEvent events[KINDS] = {
    JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT, JVMTI_EVENT_SINGLE_STEP, JVMTI_EVENT_EXCEPTION,
    JVMTI_EVENT_EXCEPTION_CATCH, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, JVMTI_EVENT_BREAKPOINT, JVMTI_EVENT_FIELD_ACCESS,
    JVMTI_EVENT_FIELD_MODIFICATION, JVMTI_EVENT_FRAME_POP,
};

static struct worker {
    jthread thread;
    jclass work, ints;                            /* the class, and that of the arrays that it makes                */
    jmethodID leaf, turn, fail;
    jfieldID read, written;
    int pops;                                     /* turn's frames are asked for; of the worker's own thread        */
} workers[THREADS];
static _Thread_local struct worker *mine;
static _Thread_local int sent[KINDS];

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void count(enum kind kind, jmethodID method, jmethodID wanted) {
    if (mine != NULL && method == wanted) sent[kind]++;
}

#define EVENT(name, ...) \
    static void JNICALL name(jvmtiEnv *e __attribute__((unused)), JNIEnv *jni __attribute__((unused)), \
                             jthread t __attribute__((unused)), __VA_ARGS__)
#define UNUSED __attribute__((unused))

EVENT(on_entry, jmethodID m) { count(METHOD_ENTRY, m, mine ? mine->leaf : NULL); }
EVENT(on_exit_, jmethodID m, jboolean by UNUSED, jvalue v UNUSED) { count(METHOD_EXIT, m, mine ? mine->leaf : NULL); }
EVENT(on_step, jmethodID m, jlocation l UNUSED) { count(SINGLE_STEP, m, mine ? mine->leaf : NULL); }
EVENT(on_exception, jmethodID m, jlocation l UNUSED, jobject o UNUSED, jmethodID by UNUSED, jlocation at UNUSED) {
    count(EXCEPTION, m, mine ? mine->fail : NULL);
}
EVENT(on_catch, jmethodID m, jlocation l UNUSED, jobject o UNUSED) {
    count(EXCEPTION_CATCH, m, mine ? mine->turn : NULL);
}
EVENT(on_sampled, jobject o UNUSED, jclass c, jlong size UNUSED) {
    if (mine != NULL && (*jni)->IsSameObject(jni, c, mine->ints)) sent[SAMPLED_OBJECT_ALLOC]++;
}
EVENT(on_breakpoint, jmethodID m, jlocation l UNUSED) { count(BREAKPOINT, m, mine ? mine->leaf : NULL); }
EVENT(on_access, jmethodID m, jlocation l UNUSED, jclass c UNUSED, jobject o UNUSED, jfieldID f) {
    if (mine != NULL && f == mine->read) count(FIELD_ACCESS, m, mine->turn);
}
EVENT(on_modification, jmethodID m, jlocation l UNUSED, jclass c UNUSED, jobject o UNUSED, jfieldID f, char s UNUSED,
      jvalue v UNUSED) {
    if (mine != NULL && f == mine->written) count(FIELD_MODIFICATION, m, mine->turn);
}
EVENT(on_pop, jmethodID m, jboolean by UNUSED) { count(FRAME_POP, m, mine ? mine->turn : NULL); }

/* Of what nobody here wants, and of the second environment. */
EVENT(on_alloc, jobject o UNUSED, jclass c UNUSED, jlong size UNUSED) {}
EVENT(on_any_entry, jmethodID m UNUSED) {}
EVENT(on_any_step, jmethodID m UNUSED, jlocation l UNUSED) {}

/* ---- what the program asks for ----------------------------------------------------------------------------------- */

JNIEXPORT void JNICALL Java_Switches_begin(JNIEnv *jni, jclass c, jint number, jthread thread, jclass work) {
    (void)c;
    struct worker *w = &workers[number];
    w->thread = (*jni)->NewGlobalRef(jni, thread);
    w->work = (*jni)->NewGlobalRef(jni, work);
    w->ints = (*jni)->NewGlobalRef(jni, (*jni)->GetObjectClass(jni, (*jni)->NewIntArray(jni, 0)));
    w->leaf = (*jni)->GetStaticMethodID(jni, work, "leaf", "(I)I");
    w->fail = (*jni)->GetStaticMethodID(jni, work, "fail", "(I)V");
    w->turn = (*jni)->GetMethodID(jni, work, "turn", "(I)I");
    w->read = (*jni)->GetFieldID(jni, work, "read", "I");
    w->written = (*jni)->GetFieldID(jni, work, "written", "I");
    mine = w;
}

JNIEXPORT void JNICALL Java_Switches_event(JNIEnv *jni, jclass c, jint number, jint kind, jboolean on) {
    (void)jni, (void)c;
    ok((*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE, events[kind],
                                          workers[number].thread), "SetEventNotificationMode");
}

JNIEXPORT void JNICALL Java_Switches_place(JNIEnv *jni, jclass c, jint number, jint kind, jboolean on) {
    (void)jni, (void)c;
    struct worker *w = &workers[number];
    if (kind == BREAKPOINT)
        ok(on ? (*jvmti)->SetBreakpoint(jvmti, w->leaf, 0) : (*jvmti)->ClearBreakpoint(jvmti, w->leaf, 0),
           "a breakpoint");
    if (kind == FIELD_ACCESS)
        ok(on ? (*jvmti)->SetFieldAccessWatch(jvmti, w->work, w->read)
              : (*jvmti)->ClearFieldAccessWatch(jvmti, w->work, w->read), "a watch on reading");
    if (kind == FIELD_MODIFICATION)
        ok(on ? (*jvmti)->SetFieldModificationWatch(jvmti, w->work, w->written)
              : (*jvmti)->ClearFieldModificationWatch(jvmti, w->work, w->written), "a watch on writing");
    if (kind == FRAME_POP) w->pops = on;
}

JNIEXPORT jint JNICALL Java_Switches_sent(JNIEnv *jni, jclass c, jint kind) {
    (void)jni, (void)c;
    int n = sent[kind];
    sent[kind] = 0;
    return n;
}

JNIEXPORT void JNICALL Java_Switches_arrive(JNIEnv *jni, jclass c) {
    (void)jni, (void)c;
    if (mine->pops) ok((*jvmti)->NotifyFramePop(jvmti, NULL, 1), "NotifyFramePop");
}

/* An environment that wants of all threads what each of them may want, too. */
static void come_and_go(void) {
    jvmtiEnv *second;
    jvmtiCapabilities wanted = {.can_generate_method_entry_events = 1, .can_generate_single_step_events = 1};
    jvmtiEventCallbacks callbacks = {.MethodEntry = on_any_entry, .SingleStep = on_any_step};
    if ((*the_vm)->GetEnv(the_vm, (void **)&second, JVMTI_VERSION_1_2) != JNI_OK) say("FAILED GetEnv");
    else if (ok((*second)->AddCapabilities(second, &wanted), "AddCapabilities") &&
             ok((*second)->SetEventCallbacks(second, &callbacks, sizeof callbacks), "SetEventCallbacks") &&
             ok((*second)->SetEventNotificationMode(second, JVMTI_ENABLE, JVMTI_EVENT_METHOD_ENTRY, NULL), "entries") &&
             ok((*second)->SetEventNotificationMode(second, JVMTI_ENABLE, JVMTI_EVENT_SINGLE_STEP, NULL), "steps"))
        ok((*second)->DisposeEnvironment(second), "DisposeEnvironment");
}

JNIEXPORT void JNICALL Java_Switches_restless(JNIEnv *jni, jclass c, jint what, jboolean second) {
    (void)jni, (void)c;
    if (what < 10 && second) {
        come_and_go();
        return;
    }
    jvmtiEventMode mode = what % 2 == 0 ? JVMTI_ENABLE : JVMTI_DISABLE;
    ok((*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_VM_OBJECT_ALLOC, NULL), "VMObjectAlloc");
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    jvmtiCapabilities wanted = {
        .can_generate_method_entry_events = 1, .can_generate_method_exit_events = 1,
        .can_generate_single_step_events = 1, .can_generate_exception_events = 1,
        .can_generate_sampled_object_alloc_events = 1, .can_generate_breakpoint_events = 1,
        .can_generate_field_access_events = 1, .can_generate_field_modification_events = 1,
        .can_generate_frame_pop_events = 1, .can_generate_vm_object_alloc_events = 1,
    };
    jvmtiEventCallbacks callbacks = {
        .MethodEntry = on_entry, .MethodExit = on_exit_, .SingleStep = on_step, .Exception = on_exception,
        .ExceptionCatch = on_catch, .SampledObjectAlloc = on_sampled, .Breakpoint = on_breakpoint,
        .FieldAccess = on_access, .FieldModification = on_modification, .FramePop = on_pop, .VMObjectAlloc = on_alloc,
    };
    if (attach_jvmti(vm) != JNI_OK || !ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities") ||
        !ok((*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks), "SetEventCallbacks") ||
        !ok((*jvmti)->SetHeapSamplingInterval(jvmti, 0), "SetHeapSamplingInterval")) return JNI_ERR;
    return JNI_OK;
}
