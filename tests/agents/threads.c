/* threads.c: thread lists, states, facts, stacks, thread-local storage, thread groups and raw monitors. */
#include "agent_support.h"
#include <unistd.h>

static jrawMonitorID monitor;
static int notified, waiting;            /* guarded by the monitor */

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Threads whose name begins with "t-" and main, by name. */
JNIEXPORT void JNICALL Java_Threads_list(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    jint n;
    jthread *threads;
    char *lines[100];
    int used = 0;
    if (!ok((*jvmti)->GetAllThreads(jvmti, &n, &threads), "GetAllThreads")) return;
    for (jint i = 0; i < n && used < 100; i++) {
        jvmtiThreadInfo info;
        jvmtiThreadGroupInfo group;
        jint state;
        ok((*jvmti)->GetThreadInfo(jvmti, threads[i], &info), "GetThreadInfo");
        if (strncmp(info.name, "t-", 2) == 0 || strcmp(info.name, "main") == 0) {
            ok((*jvmti)->GetThreadState(jvmti, threads[i], &state), "GetThreadState");
            ok((*jvmti)->GetThreadGroupInfo(jvmti, info.thread_group, &group), "GetThreadGroupInfo");
            /* IN_NATIVE depends on how the library blocks, and is checked apart. */
            if (asprintf(&lines[used],
                         "thread %s priority %d daemon %d group %s (max %d, daemon %d) state %x loader %d", info.name,
                         info.priority, info.is_daemon, group.name, group.max_priority, group.is_daemon,
                         (unsigned)(state & ~JVMTI_THREAD_STATE_IN_NATIVE), info.context_class_loader != NULL) > 0)
                used++;
            release(group.name);
        }
        release(info.name);
    }
    release(threads);
    qsort(lines, used, sizeof *lines, by_text);
    for (int i = 0; i < used; i++) {
        say("%s", lines[i]);
        free(lines[i]);
    }
}

static void print_frames(const jvmtiFrameInfo *frames, jint n) {
    for (jint i = 0; i < n; i++) {
        char *name, *signature, holder[200];
        jclass c;
        ok((*jvmti)->GetMethodName(jvmti, frames[i].method, &name, &signature, NULL), "GetMethodName");
        ok((*jvmti)->GetMethodDeclaringClass(jvmti, frames[i].method, &c), "GetMethodDeclaringClass");
        class_text(c, holder, sizeof holder);
        /* Positions in the library's own methods are its business. */
        if (strncmp(holder, "LThreads", 8) == 0)
            say("  %s.%s%s at %d", holder, name, signature, (int)frames[i].location);
        else say("  %s.%s%s", holder, name, signature);
        release(name);
        release(signature);
    }
}

JNIEXPORT void JNICALL Java_Threads_stack(JNIEnv *jni, jclass self, jthread t, jint start, jint max) {
    (void)jni, (void)self;
    jvmtiFrameInfo frames[100];
    jint n = -1;
    jvmtiError err = (*jvmti)->GetStackTrace(jvmti, t, start, max, frames, &n);
    say("stack from %d at most %d: %s", start, max, error_text(err));
    if (!err) print_frames(frames, n);
    jint depth = -1;
    err = (*jvmti)->GetFrameCount(jvmti, t, &depth);
    say(" depth: %s, %d", error_text(err), depth);
    jmethodID m;
    jlocation l = -5;
    say(" location at depth %d: %s", start, error_text((*jvmti)->GetFrameLocation(jvmti, t, start, &m, &l)));
}

/* A thread that runs and that nobody has suspended: it stops for as long as its frames are read. */
JNIEXPORT void JNICALL Java_Threads_running(JNIEnv *jni, jclass self, jthread t) {
    (void)self;
    jvmtiFrameInfo frames[20];
    jint n = 0, found = 0;
    jclass spinner = (*jni)->FindClass(jni, "Threads$Spinner");
    jvmtiError err = (*jvmti)->GetStackTrace(jvmti, t, 0, 20, frames, &n);
    for (jint i = 0; i < n; i++) found += frames[i].method == (*jni)->GetMethodID(jni, spinner, "run", "()V");
    say("running: %s, its loop among the frames %d", error_text(err), found);
}

JNIEXPORT void JNICALL Java_Threads_stacks(JNIEnv *jni, jclass self, jobjectArray threads) {
    (void)self;
    jint n = (*jni)->GetArrayLength(jni, threads), all;
    jthread list[20];
    for (jint i = 0; i < n; i++) list[i] = (*jni)->GetObjectArrayElement(jni, threads, i);
    jvmtiStackInfo *infos;
    if (!ok((*jvmti)->GetThreadListStackTraces(jvmti, n, list, 50, &infos), "GetThreadListStackTraces")) return;
    for (jint i = 0; i < n; i++) {
        char name[100];
        say("%s same %d state %x frames", thread_text(infos[i].thread, name, sizeof name),
            (*jni)->IsSameObject(jni, infos[i].thread, list[i]),
            (unsigned)(infos[i].state & ~JVMTI_THREAD_STATE_IN_NATIVE));
        print_frames(infos[i].frame_buffer, infos[i].frame_count);
    }
    release(infos);
    if (!ok((*jvmti)->GetAllStackTraces(jvmti, 2, &infos, &all), "GetAllStackTraces")) return;
    int found = 0, limited = 1;
    for (jint i = 0; i < all; i++) {
        limited &= infos[i].frame_count <= 2;
        for (jint k = 0; k < n; k++) found += (*jni)->IsSameObject(jni, infos[i].thread, list[k]);
    }
    say("in all stack traces: %d, none deeper than asked: %d", found, limited);
    release(infos);
}

JNIEXPORT jint JNICALL Java_Threads_state(JNIEnv *jni, jclass self, jthread t) {
    (void)jni, (void)self;
    jint state = -1;
    ok((*jvmti)->GetThreadState(jvmti, t, &state), "GetThreadState");
    return state;
}

JNIEXPORT void JNICALL Java_Threads_storage(JNIEnv *jni, jclass self, jthread t, jlong value) {
    (void)jni, (void)self;
    void *data = NULL;
    jvmtiError err = (*jvmti)->GetThreadLocalStorage(jvmti, t, &data);
    say("storage: %s, %ld", error_text(err), err ? 0 : (long)data);
    err = (*jvmti)->SetThreadLocalStorage(jvmti, t, (void *)value);
    if (err) say("set: %s", error_text(err));
}

/* ---- raw monitors ------------------------------------------------------------------------------------------------ */

JNIEXPORT void JNICALL Java_Threads_rawWait(JNIEnv *jni, jclass self, jlong millis) {
    (void)jni, (void)self;
    ok((*jvmti)->RawMonitorEnter(jvmti, monitor), "enter");
    ok((*jvmti)->RawMonitorEnter(jvmti, monitor), "enter again");
    jvmtiError err = JVMTI_ERROR_NONE;
    waiting++;
    if (millis == 0) while (!notified && !err) err = (*jvmti)->RawMonitorWait(jvmti, monitor, 0);
    else err = (*jvmti)->RawMonitorWait(jvmti, monitor, millis);
    waiting--;
    say("raw wait: %s", error_text(err));
    ok((*jvmti)->RawMonitorExit(jvmti, monitor), "exit");
    ok((*jvmti)->RawMonitorExit(jvmti, monitor), "exit again");
    say("exit once too often: %s", error_text((*jvmti)->RawMonitorExit(jvmti, monitor)));
}

/* Until a thread is in RawMonitorWait: it has counted itself, and has given the monitor up. */
JNIEXPORT void JNICALL Java_Threads_awaitRawWait(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    for (int found = 0; !found; usleep(1000)) {
        ok((*jvmti)->RawMonitorEnter(jvmti, monitor), "enter");
        found = waiting;
        ok((*jvmti)->RawMonitorExit(jvmti, monitor), "exit");
    }
}

JNIEXPORT void JNICALL Java_Threads_rawNotify(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    ok((*jvmti)->RawMonitorEnter(jvmti, monitor), "enter");
    notified = 1;
    ok((*jvmti)->RawMonitorNotifyAll(jvmti, monitor), "notify");
    ok((*jvmti)->RawMonitorExit(jvmti, monitor), "exit");
}

static long counter;

JNIEXPORT jlong JNICALL Java_Threads_rawCount(JNIEnv *jni, jclass self, jint times) {
    (void)jni, (void)self;
    for (jint i = 0; i < times; i++) {
        (*jvmti)->RawMonitorEnter(jvmti, monitor);
        counter++;
        (*jvmti)->RawMonitorExit(jvmti, monitor);
    }
    return counter;
}

JNIEXPORT void JNICALL Java_Threads_rawErrors(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    jrawMonitorID other;
    ok((*jvmti)->CreateRawMonitor(jvmti, "other", &other), "CreateRawMonitor");
    say("wait without owning: %s", error_text((*jvmti)->RawMonitorWait(jvmti, other, 1)));
    say("notify without owning: %s", error_text((*jvmti)->RawMonitorNotify(jvmti, other)));
    say("create without a name: %s", error_text((*jvmti)->CreateRawMonitor(jvmti, NULL, &other)));
    ok((*jvmti)->RawMonitorEnter(jvmti, other), "enter");
    say("destroy while owning: %s", error_text((*jvmti)->DestroyRawMonitor(jvmti, other)));
    say("enter a destroyed one: %s", error_text((*jvmti)->RawMonitorEnter(jvmti, other)));
    say("enter none: %s", error_text((*jvmti)->RawMonitorEnter(jvmti, NULL)));
}

/* ---- groups ------------------------------------------------------------------------------------------------------ */

static void print_group(jthreadGroup g, int depth) {
    jvmtiThreadGroupInfo info;
    jint threads, groups;
    jthread *thread_list;
    jthreadGroup *group_list;
    if (!ok((*jvmti)->GetThreadGroupInfo(jvmti, g, &info), "GetThreadGroupInfo")) return;
    ok((*jvmti)->GetThreadGroupChildren(jvmti, g, &threads, &thread_list, &groups, &group_list),
       "GetThreadGroupChildren");
    int ours = 0;
    for (jint i = 0; i < threads; i++) {
        char name[100];
        thread_text(thread_list[i], name, sizeof name);
        ours += strncmp(name, "t-", 2) == 0 || strcmp(name, "main") == 0;
    }
    if (strcmp(info.name, "InnocuousThreadGroup") != 0)
        say("%*sgroup %s max %d parent %d, threads of ours %d", 2 * depth, "", info.name, info.max_priority,
            info.parent != NULL, ours);
    for (jint i = 0; i < groups; i++) print_group(group_list[i], depth + 1);
    release(info.name);
    release(thread_list);
    release(group_list);
}

JNIEXPORT void JNICALL Java_Threads_groups(JNIEnv *jni, jclass self) {
    (void)jni, (void)self;
    jint n;
    jthreadGroup *tops;
    if (!ok((*jvmti)->GetTopThreadGroups(jvmti, &n, &tops), "GetTopThreadGroups")) return;
    for (jint i = 0; i < n; i++) print_group(tops[i], 0);
    release(tops);
}

JNIEXPORT void JNICALL Java_Threads_cpu(JNIEnv *jni, jclass self, jthread t) {
    (void)jni, (void)self;
    jlong nanos = -1, mine = -1;
    jvmtiTimerInfo info;
    jint processors = 0;
    ok((*jvmti)->GetThreadCpuTime(jvmti, t, &nanos), "GetThreadCpuTime");
    ok((*jvmti)->GetCurrentThreadCpuTime(jvmti, &mine), "GetCurrentThreadCpuTime");
    say("processor time of a thread %d, of this one %d", nanos >= 0, mine > 0);
    ok((*jvmti)->GetThreadCpuTimerInfo(jvmti, &info), "GetThreadCpuTimerInfo");
    say("cpu timer kind %d max %lx forward %d backward %d", info.kind, (unsigned long)info.max_value,
        info.may_skip_forward, info.may_skip_backward);
    ok((*jvmti)->GetTimerInfo(jvmti, &info), "GetTimerInfo");
    say("timer kind %d max %lx forward %d backward %d", info.kind, (unsigned long)info.max_value, info.may_skip_forward,
        info.may_skip_backward);
    ok((*jvmti)->GetAvailableProcessors(jvmti, &processors), "GetAvailableProcessors");
    say("processors %d", processors);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
    (void)options, (void)reserved;
    if (attach_jvmti(vm) != JNI_OK) return JNI_ERR;
    jvmtiCapabilities wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.can_get_thread_cpu_time = wanted.can_get_current_thread_cpu_time = 1;
    ok((*jvmti)->AddCapabilities(jvmti, &wanted), "AddCapabilities");
    ok((*jvmti)->CreateRawMonitor(jvmti, "test", &monitor), "CreateRawMonitor");
    return JNI_OK;
}
