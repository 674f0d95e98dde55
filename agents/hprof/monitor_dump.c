/* monitor_dump.c: what each thread does and which monitors are in use at one moment (HP-046). */
#include <stdio.h>
#include <string.h>

#include "hprof.h"
#include "monitors.h"

enum { MONITORS_MAX = 4096 };

/* Monitors met, as local references. */
struct met { jobject objects[MONITORS_MAX]; uint32_t count; };

static const char *status_of(jint state) {
    if (state & JVMTI_THREAD_STATE_TERMINATED) return "ZO";
    if (!(state & JVMTI_THREAD_STATE_ALIVE)) return "NS";
    if (state & JVMTI_THREAD_STATE_SLEEPING) return "SL";
    if (state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) return "MW";
    if (state & JVMTI_THREAD_STATE_WAITING) return "CW";
    return state & JVMTI_THREAD_STATE_RUNNABLE ? "R" : "UN";
}

static void write_thread(struct hprof *h, jthread thread, const struct thread_info *t) {
    jint state = 0;
    if ((*h->env)->GetThreadState(h->env, thread, &state) != JVMTI_ERROR_NONE) return;
    output_format(h->out, "    THREAD %u, trace %u, status: %s%s%s%s\n", t->serial, trace_serial(t->trace),
                  state & JVMTI_THREAD_STATE_SUSPENDED ? "S|" : "",
                  state & JVMTI_THREAD_STATE_INTERRUPTED ? "intr|" : "",
                  state & JVMTI_THREAD_STATE_IN_NATIVE ? "native|" : "", status_of(state));
}

static void add_monitor(JNIEnv *jni, struct met *met, jobject object) {
    for (uint32_t i = 0; i < met->count; i++)
        if ((*jni)->IsSameObject(jni, met->objects[i], object)) return;
    if (met->count < MONITORS_MAX) met->objects[met->count++] = object;
}

static void add_monitors_of(struct hprof *h, JNIEnv *jni, struct met *met, jthread thread) {
    jint count = 0;
    jobject *owned = NULL, contended = NULL;
    if ((*h->env)->GetOwnedMonitorInfo(h->env, thread, &count, &owned) == JVMTI_ERROR_NONE) {
        for (jint i = 0; i < count; i++) add_monitor(jni, met, owned[i]);
        hprof_free(h, owned);
    }
    if ((*h->env)->GetCurrentContendedMonitor(h->env, thread, &contended) == JVMTI_ERROR_NONE && contended != NULL)
        add_monitor(jni, met, contended);
}

static void write_waiters(struct hprof *h, JNIEnv *jni, const char *what, const jthread *threads, jint count) {
    if (count == 0) return;
    output_format(h->out, "\t%s:", what);
    for (jint i = 0; i < count; i++) {
        const struct thread_info *t = thread_of(h, jni, threads[i]);
        output_format(h->out, "%s thread %u", i > 0 ? "," : "", t != NULL ? t->serial : 0);
    }
    output_format(h->out, "\n");
}

/* Older VMs list those that wait to be notified among those that wait to enter, too. */
static void drop_notify_waiters(JNIEnv *jni, jvmtiMonitorUsage *usage) {
    jint kept = 0;
    for (jint i = 0; i < usage->waiter_count; i++) {
        bool waits = false;
        for (jint k = 0; k < usage->notify_waiter_count; k++)
            waits = waits || (*jni)->IsSameObject(jni, usage->waiters[i], usage->notify_waiters[k]);
        if (!waits) usage->waiters[kept++] = usage->waiters[i];
    }
    usage->waiter_count = kept;
}

static void write_monitor(struct hprof *h, JNIEnv *jni, jobject object) {
    jvmtiMonitorUsage usage;
    if ((*h->env)->GetObjectMonitorUsage(h->env, object, &usage) != JVMTI_ERROR_NONE) return;
    jclass klass = (*jni)->GetObjectClass(jni, object);
    const struct class_info *c = class_of(h, jni, klass);
    const struct thread_info *owner = usage.owner != NULL ? thread_of(h, jni, usage.owner) : NULL;
    output_format(h->out, "    MONITOR %s\n", c != NULL ? c->name : "<unknown>");
    if (owner != NULL) output_format(h->out, "\towner: thread %u, entry count: %d\n", owner->serial, usage.entry_count);
    else output_format(h->out, "\tunowned\n");
    drop_notify_waiters(jni, &usage);
    write_waiters(h, jni, "waiting to enter", usage.waiters, usage.waiter_count);
    write_waiters(h, jni, "waiting to be notified", usage.notify_waiters, usage.notify_waiter_count);
    hprof_free(h, usage.waiters);
    hprof_free(h, usage.notify_waiters);
}

static void note_stacks(struct hprof *h, JNIEnv *jni, const jvmtiStackInfo *list, jint count) {
    for (jint i = 0; i < count; i++) {
        struct thread_info *t = thread_of(h, jni, list[i].thread);
        if (t != NULL) t->trace = trace_put(h, jni, list[i].frame_buffer, list[i].frame_count, t->serial, true);
    }
    traces_write(h);
}

void monitor_dump_write(struct hprof *h, JNIEnv *jni) {
    jint count = 0;
    jvmtiStackInfo *list = NULL;
    if ((*jni)->PushLocalFrame(jni, 64) != 0) {
        (*jni)->ExceptionClear(jni);
        fprintf(stderr, "hprof: out of memory for local references\n");
        return;
    }
    if (hprof_ok(h, (*h->env)->GetAllStackTraces(h->env, h->options.depth, &list, &count), "GetAllStackTraces")) {
        struct met met = {.count = 0};
        note_stacks(h, jni, list, count);
        output_format(h->out, "MONITOR DUMP BEGIN\n");
        for (jint i = 0; i < count; i++) {
            const struct thread_info *t = thread_of(h, jni, list[i].thread);
            if (t == NULL) continue;
            write_thread(h, list[i].thread, t);
            add_monitors_of(h, jni, &met, list[i].thread);
        }
        for (uint32_t i = 0; i < met.count; i++) write_monitor(h, jni, met.objects[i]);
        output_format(h->out, "MONITOR DUMP END\n");
        output_commit(h->out);
        hprof_free(h, list);
    }
    (*jni)->PopLocalFrame(jni, NULL);
}
