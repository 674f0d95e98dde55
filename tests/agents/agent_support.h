/* agent_support.h: what the test agents share: one environment, printing, error names, names of classes and methods. */
#ifndef AGENT_SUPPORT_H
#define AGENT_SUPPORT_H

#include <jvmti.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* An agent of several files says `extern` and defines them in one. */
#ifndef AGENT_STATE
#define AGENT_STATE static
#endif

AGENT_STATE JavaVM *the_vm;
AGENT_STATE jvmtiEnv *jvmti;

/* Prints one line at once and whole, so that the lines of Java and of the agent's threads stay in order. */
__attribute__((format(printf, 1, 2), unused)) static void say(const char *format, ...) {
    va_list args;
    va_start(args, format);
    flockfile(stdout);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    fflush(stdout);
    funlockfile(stdout);
}

__attribute__((unused)) static const char *error_text(jvmtiError err) {
    static __thread char texts[4][64];            /* a line may show several */
    static __thread unsigned turn;
    char *text = texts[turn++ % 4], *name = NULL;
    if ((*jvmti)->GetErrorName(jvmti, err, &name) != JVMTI_ERROR_NONE)
        snprintf(text, sizeof texts[0], "error %d", (int)err);
    else snprintf(text, sizeof texts[0], "%s", name + strlen("JVMTI_ERROR_"));
    if (name) (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    return text;
}

/* Says so when a call that must succeed does not; returns whether it did. */
__attribute__((unused)) static int ok(jvmtiError err, const char *what) {
    if (err != JVMTI_ERROR_NONE) say("FAILED %s: %s", what, error_text(err));
    return err == JVMTI_ERROR_NONE;
}

__attribute__((unused)) static void release(void *p) { (*jvmti)->Deallocate(jvmti, p); }

/* Copies into `out`, so that callers need not free. */
__attribute__((unused)) static const char *class_text(jclass c, char *out, size_t size) {
    char *signature = NULL;
    if (!ok((*jvmti)->GetClassSignature(jvmti, c, &signature, NULL), "GetClassSignature")) return "?";
    snprintf(out, size, "%s", signature);
    release(signature);
    return out;
}

__attribute__((unused)) static const char *thread_text(jthread t, char *out, size_t size) {
    jvmtiThreadInfo info;
    if (!ok((*jvmti)->GetThreadInfo(jvmti, t, &info), "GetThreadInfo")) return "?";
    snprintf(out, size, "%s", info.name);
    release(info.name);
    return out;
}

__attribute__((unused)) static const char *phase_text(void) {
    jvmtiPhase phase;
    if (!ok((*jvmti)->GetPhase(jvmti, &phase), "GetPhase")) return "?";
    switch (phase) {
    case JVMTI_PHASE_ONLOAD: return "onload";
    case JVMTI_PHASE_PRIMORDIAL: return "primordial";
    case JVMTI_PHASE_START: return "start";
    case JVMTI_PHASE_LIVE: return "live";
    case JVMTI_PHASE_DEAD: return "dead";
    }
    return "?";
}

__attribute__((unused)) static void enable(jvmtiEvent event) {
    ok((*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, event, NULL), "SetEventNotificationMode");
}

__attribute__((unused)) static jint attach_jvmti(JavaVM *vm) {
    the_vm = vm;
    return (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2);
}

__attribute__((unused)) static void sleep_for(long nanoseconds) {
    struct timespec t = {nanoseconds / 1000000000L, nanoseconds % 1000000000L};
    while (nanosleep(&t, &t) != 0) {}
}

/* Nanoseconds of a clock that only goes forward. */
__attribute__((unused)) static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

/* An agent's thread "watcher": one whose name is given takes no number from those that the program's threads get. */
__attribute__((unused)) static jvmtiError start_watcher(JNIEnv *jni, jvmtiStartFunction body) {
    jclass c = (*jni)->FindClass(jni, "java/lang/Thread");
    jobject thread = (*jni)->NewObject(jni, c, (*jni)->GetMethodID(jni, c, "<init>", "(Ljava/lang/String;)V"),
                                       (*jni)->NewStringUTF(jni, "watcher"));
    return (*jvmti)->RunAgentThread(jvmti, thread, body, NULL, JVMTI_THREAD_NORM_PRIORITY);
}

/* NULL: the VM does not offer it. */
__attribute__((unused)) static jvmtiExtensionFunction extension_function(const char *id) {
    jint count = 0;
    jvmtiExtensionFunctionInfo *list = NULL;
    jvmtiExtensionFunction found = NULL;
    if (!ok((*jvmti)->GetExtensionFunctions(jvmti, &count, &list), "GetExtensionFunctions")) return NULL;
    for (jint i = 0; i < count; i++) {
        if (strcmp(list[i].id, id) == 0) found = list[i].func;
        for (jint p = 0; p < list[i].param_count; p++) release(list[i].params[p].name);
        release(list[i].id);
        release(list[i].short_description);
        release(list[i].params);
        release(list[i].errors);
    }
    release(list);
    return found;
}

#endif
