/* signals.c: samples by signals.
 *
 * What the handler needs is there before the first signal comes: slots, each with room for one stack. A handler takes
 * the next slot if that is free, fills it, and marks it full; whoever drains names the methods and frees the slot. That
 * is done every few hundredths of a second, so that classes seldom go before their methods are named: frames whose
 * method is gone by then are left out.
 *
 * The handler stays installed for good, and the library mapped, since a signal may be pending in a thread that blocks
 * it. Signals that are not ours go to the handler that was there before. */
#include "signals.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <vitrine.h>

#include "hprof.h"
#include "samples.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { SLOTS_LEAST = 64, SLOTS_MOST = 1024, SLOT_BYTES = 16 << 20 };
enum { TOKEN = 0x48505253 };            /* upper half of a timer's value: it is one of ours               */
enum slot_state { SLOT_FREE, SLOT_FILLING, SLOT_FULL };

/* Frames follow: vitrineCallFrame, or ASGCT_CallFrame from AsyncGetCallTrace. */
struct slot {
    uint32_t serial;                    /* of the thread; 0: not known                                    */
    uint32_t weight;                    /* intervals that passed: timers are looked at in the clock's ticks */
    jint count;                         /* frames, or UNKNOWN_STACK                                       */
    jint unused;
};
enum { UNKNOWN_STACK = -1 };

/* A thread's timer. Numbered from 1 on; the number is the lower half of the timer's value. */
struct watch {
    timer_t timer;
    pid_t tid;
    uint32_t serial;                    /* of the thread; 0: not known                                    */
    uint32_t next_free;
    bool armed;
};

struct signals {
    struct hprof *h;
    AsyncGetCallTrace_t trace;          /* NULL: h->call_trace, which is better, is offered               */
    uint32_t slot_count;
    size_t slot_size;
    char *slots;
    _Atomic unsigned char *states;      /* enum slot_state of each slot                                   */
    atomic_uint next;
    atomic_ulong lost;                  /* weight of samples that found no free slot                      */
    jvmtiFrameInfo *frames;             /* a stack while it is drained; lock held                         */
    struct stable watches;              /* struct watch; lock held, but for the handler's look at serial  */
    atomic_uint watch_count;
    uint32_t free_watch;
    uint32_t met_count;                 /* watches of threads that were there: their end is not reported  */
    bool stopped, refused;
};

/* The profile that is sampled, for handlers, and how many of them are running. */
static _Atomic(struct signals *) sampled;
static atomic_int handling;
static struct sigaction previous;
static bool installed;

/* ---- the handler ------------------------------------------------------------------------------------------------- */

/* Frames written, 0 when the thread runs no Java code, or UNKNOWN_STACK. */
static jint take_stack(struct signals *s, void *frames, void *context) {
    jint depth = s->h->options.depth > 0 ? s->h->options.depth : 1;
    if (s->trace == NULL) {
        jint count = 0;
        jvmtiError error = s->h->call_trace(s->h->env, context, depth, frames, &count);
        return error == JVMTI_ERROR_NONE ? count : error == JVMTI_ERROR_OPAQUE_FRAME ? UNKNOWN_STACK : 0;
    }
    ASGCT_CallTrace trace = {NULL, 0, frames};
    if ((*s->h->vm)->GetEnv(s->h->vm, (void **)&trace.env_id, JNI_VERSION_1_6) != JNI_OK) return 0;
    s->trace(&trace, depth, context);
    switch (trace.num_frames) {
    case ASGCT_NO_CLASS_LOAD:
    case ASGCT_UNKNOWN_NOT_JAVA:
    case ASGCT_NOT_WALKABLE_NOT_JAVA:
    case ASGCT_THREAD_EXIT: return 0;
    default: return trace.num_frames >= 0 ? trace.num_frames : UNKNOWN_STACK;
    }
}

static void take_sample(struct signals *s, uint32_t number, uint32_t weight, void *context) {
    if (number > atomic_load(&s->watch_count)) return;      /* from before this profile */
    uint32_t i = atomic_fetch_add(&s->next, 1) % s->slot_count;
    unsigned char expected = SLOT_FREE;
    if (!atomic_compare_exchange_strong(&s->states[i], &expected, SLOT_FILLING)) {
        atomic_fetch_add(&s->lost, weight);
        return;
    }
    struct slot *slot = (struct slot *)(s->slots + i * s->slot_size);
    slot->serial = ((const struct watch *)stable_get(&s->watches, number))->serial;
    slot->weight = weight;
    slot->count = take_stack(s, slot + 1, context);
    atomic_store(&s->states[i], slot->count != 0 ? SLOT_FULL : SLOT_FREE);
}

static bool is_ours(const siginfo_t *info) {
    return info->si_code == SI_TIMER && (uint64_t)(uintptr_t)info->si_value.sival_ptr >> 32 == TOKEN;
}

/* Does what would have happened without us. */
static void pass_on(int number, siginfo_t *info, void *context) {
    if (previous.sa_flags & SA_SIGINFO) {
        previous.sa_sigaction(number, info, context);
    } else if (previous.sa_handler == SIG_DFL) {
        signal(number, SIG_DFL);
        raise(number);
    } else if (previous.sa_handler != SIG_IGN) {
        previous.sa_handler(number);
    }
}

static void on_signal(int number, siginfo_t *info, void *context) {
    if (!is_ours(info)) {
        pass_on(number, info, context);
        return;
    }
    int error = errno;
    atomic_fetch_add(&handling, 1);
    struct signals *s = atomic_load(&sampled);
    if (s != NULL && atomic_load(&s->h->collecting)) {
        int64_t before = overhead_clock();
        take_sample(s, (uint32_t)(uintptr_t)info->si_value.sival_ptr,
                    info->si_overrun > 0 ? (uint32_t)info->si_overrun + 1 : 1, context);
        overhead_add(&s->h->overhead, overhead_clock() - before);
    }
    atomic_fetch_sub(&handling, 1);
    errno = error;
}

static bool install(void) {
    if (installed) return true;
    Dl_info here;
    /* stays mapped */
    if (dladdr(&installed, &here) == 0 || dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD) == NULL) return false;
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    /* What was there is known before the first signal comes to ours, which may be another agent's. */
    return installed = sigaction(SIGPROF, NULL, &previous) == 0 && sigaction(SIGPROF, &action, NULL) == 0;
}

/* ---- timers ------------------------------------------------------------------------------------------------------ */

static pid_t own_tid(void) { return (pid_t)syscall(SYS_gettid); }

/* The clock of a thread's processor time, by the kernel's numbering. */
static clockid_t clock_of(pid_t tid) {
    enum { OF_A_THREAD = 4, SCHEDULED = 2 };
    return (clockid_t)(~(unsigned)tid << 3 | OF_A_THREAD | SCHEDULED);
}

static bool arm(struct signals *s, struct watch *w, uint32_t number) {
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGPROF;
    event.sigev_notify_thread_id = w->tid;
    event.sigev_value.sival_ptr = (void *)(uintptr_t)((uint64_t)TOKEN << 32 | number);
    if (timer_create(clock_of(w->tid), &event, &w->timer) != 0) return false;
    /* The first one comes at any part of the interval, so that threads that live shorter than that are counted as often
     * as they should. */
    long interval = (long)s->h->options.interval,
         first = 1 + (long)((uint64_t)hprof_now() * UINT64_C(0x9e3779b97f4a7c15) >> 32) % (interval * 1000000);
    struct itimerspec times = {.it_interval = {interval / 1000, interval % 1000 * 1000000},
                               .it_value = {first / 1000000000, first % 1000000000}};
    w->armed = timer_settime(w->timer, 0, &times, NULL) == 0;
    if (!w->armed) timer_delete(w->timer);
    return w->armed;
}

static void disarm(struct signals *s, uint32_t number) {
    struct watch *w = stable_get(&s->watches, number);
    if (!w->armed) return;
    timer_delete(w->timer);
    w->armed = false;
    w->next_free = s->free_watch;
    s->free_watch = number;
}

/* The number of a thread's new watch; 0: it cannot be sampled. */
static uint32_t watch(struct signals *s, pid_t tid, uint32_t serial) {
    uint32_t number = s->free_watch != 0 ? s->free_watch : s->watch_count + 1;
    struct watch *w = stable_make(&s->watches, number);
    if (w == NULL) return 0;
    uint32_t next = w->next_free;
    w->tid = tid;
    w->serial = serial;
    bool fresh = number > s->watch_count;
    if (fresh) atomic_store(&s->watch_count, number);
    else s->free_watch = next;
    if (arm(s, w, number)) return number;
    w->next_free = s->free_watch;
    s->free_watch = number;
    return 0;
}

/* The watch of a thread among the first `count`; 0: none. */
static uint32_t find_watch(struct signals *s, pid_t tid, uint32_t count) {
    for (uint32_t i = 1; i <= count; i++) {
        const struct watch *w = stable_get(&s->watches, i);
        if (w->armed && w->tid == tid) return i;
    }
    return 0;
}

void signals_thread_start(struct signals *s, struct thread_info *t) {
    if (s->stopped || t->watch != 0) return;
    pid_t tid = own_tid();
    uint32_t old = find_watch(s, tid, s->met_count);      /* its own, or of a thread that is gone and had this id */
    if (old != 0) disarm(s, old);
    t->watch = watch(s, tid, t->serial);
    if (t->watch != 0 || s->refused) return;
    s->refused = true;
    fprintf(stderr, "hprof: the thread %s cannot be sampled: %s\n", t->name, strerror(errno));
}

void signals_thread_end(struct signals *s, struct thread_info *t) {
    if (t->watch != 0) disarm(s, t->watch);
    t->watch = 0;
}

/* Threads of the VM's own may be among them: their stacks are empty. */
static void watch_all(struct signals *s) {
    DIR *tasks = opendir("/proc/self/task");
    for (const struct dirent *d; tasks != NULL && (d = readdir(tasks)) != NULL;) {
        pid_t tid = (pid_t)atoi(d->d_name);
        if (tid > 0 && find_watch(s, tid, s->watch_count) == 0) watch(s, tid, 0);
    }
    if (tasks != NULL) closedir(tasks);
    s->met_count = s->watch_count;
}

/* ---- start ------------------------------------------------------------------------------------------------------- */

/* AsyncGetCallTrace of the library that this VM is in, of which a process may have several. */
static AsyncGetCallTrace_t find_trace(struct hprof *h) {
    Dl_info vm;
    if (dladdr((void *)(*h->vm)->GetEnv, &vm) == 0) return NULL;
    void *library = dlopen(vm.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL) return NULL;
    AsyncGetCallTrace_t found = (AsyncGetCallTrace_t)dlsym(library, "AsyncGetCallTrace");
    dlclose(library);
    return found;
}

static void make_ids(jvmtiEnv *env, jclass klass) {
    jint count = 0;
    jmethodID *methods = NULL;
    if ((*env)->GetClassMethods(env, klass, &count, &methods) == JVMTI_ERROR_NONE && methods != NULL)
        (*env)->Deallocate(env, (unsigned char *)methods);
}

void JNICALL signals_on_class_load(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass) {
    (void)env, (void)jni, (void)thread, (void)klass;
}

void JNICALL signals_on_class_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass) {
    (void)jni, (void)thread;
    make_ids(env, klass);
}

/* Ids for all methods that there are and will be. */
static bool make_all_ids(struct hprof *h, JNIEnv *jni) {
    jint count = 0;
    jclass *list = NULL;
    hprof_lock(h);
    h->prepares = true;
    bool ok =
        (*h->env)->SetEventNotificationMode(h->env, JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD, NULL) == JVMTI_ERROR_NONE &&
        (*h->env)->SetEventNotificationMode(h->env, JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, NULL) == JVMTI_ERROR_NONE;
    hprof_unlock(h);
    if (!ok || (*h->env)->GetLoadedClasses(h->env, &count, &list) != JVMTI_ERROR_NONE) return false;
    for (jint i = 0; i < count; i++) {
        make_ids(h->env, list[i]);
        (*jni)->DeleteLocalRef(jni, list[i]);
    }
    hprof_free(h, list);
    return true;
}

static bool make_slots(struct signals *s, size_t frame_size) {
    size_t depth = s->h->options.depth > 0 ? (size_t)s->h->options.depth : 1;
    s->slot_size = sizeof(struct slot) + depth * frame_size;
    size_t count = SLOT_BYTES / s->slot_size;
    s->slot_count = count < SLOTS_LEAST ? SLOTS_LEAST : count > SLOTS_MOST ? SLOTS_MOST : (uint32_t)count;
    s->slots = calloc(s->slot_count, s->slot_size);
    s->states = calloc(s->slot_count, sizeof *s->states);
    s->frames = malloc(depth * sizeof *s->frames);
    return s->slots != NULL && s->states != NULL && s->frames != NULL;
}

/* What there is before the first signal. */
static bool prepare(struct signals *s, JNIEnv *jni) {
    struct hprof *h = s->h;
    s->watches.size = sizeof(struct watch);
    s->trace = h->call_trace == NULL ? find_trace(h) : NULL;
    if (h->call_trace == NULL && s->trace == NULL) return false;
    return make_slots(s, s->trace == NULL ? sizeof(vitrineCallFrame) : sizeof(ASGCT_CallFrame)) &&
           (s->trace == NULL || make_all_ids(h, jni)) && install();
}

void signals_start(struct hprof *h, JNIEnv *jni, _Atomic(struct signals *) *into) {
    struct signals *s = calloc(1, sizeof *s);
    if (s == NULL) return;
    s->h = h;
    if (!prepare(s, jni)) {
        signals_free(s);
        return;
    }
    atomic_store(&sampled, s);
    hprof_lock(h);
    struct thread_info *t = thread_current(h);
    if (t != NULL) t->watch = watch(s, own_tid(), t->serial);
    bool possible = t == NULL || t->watch != 0;
    if (possible) {
        atomic_store(into, s);                       /* threads that begin from here on watch themselves */
        watch_all(s);
    }
    hprof_unlock(h);
    if (possible) return;
    signals_stop(h, s);
    signals_free(s);
}

/* ---- what was taken ---------------------------------------------------------------------------------------------- */

static void count_slot(struct hprof *h, JNIEnv *jni, struct signals *s, const struct slot *slot) {
    const vitrineCallFrame *ours = (const vitrineCallFrame *)(slot + 1);
    const ASGCT_CallFrame *theirs = (const ASGCT_CallFrame *)(slot + 1);
    for (jint i = 0; i < slot->count; i++) {
        if (s->trace == NULL) s->frames[i] = (jvmtiFrameInfo){ours[i].method, ours[i].location};
        else s->frames[i] = (jvmtiFrameInfo){theirs[i].method_id, theirs[i].lineno >= 0 ? theirs[i].lineno : -1};
    }
    uint32_t trace = slot->count > 0 ? trace_put(h, jni, s->frames, slot->count, slot->serial, true) : 0;
    samples_add(h, trace, slot->weight);
}

void signals_drain(struct hprof *h, JNIEnv *jni, struct signals *s) {
    if ((*jni)->PushLocalFrame(jni, 64) != 0) {
        (*jni)->ExceptionClear(jni);
        return;
    }
    hprof_lock(h);
    for (uint32_t i = 0; i < s->slot_count; i++) {
        if (atomic_load(&s->states[i]) != SLOT_FULL) continue;
        count_slot(h, jni, s, (const struct slot *)(s->slots + i * s->slot_size));
        atomic_store(&s->states[i], SLOT_FREE);
    }
    unsigned long lost = atomic_exchange(&s->lost, 0);
    if (lost > 0) samples_add(h, 0, lost);
    hprof_unlock(h);
    (*jni)->PopLocalFrame(jni, NULL);
}

/* ---- end --------------------------------------------------------------------------------------------------------- */

void signals_stop(struct hprof *h, struct signals *s) {
    hprof_lock(h);
    s->stopped = true;
    for (uint32_t i = 1; i <= s->watch_count; i++) disarm(s, i);
    hprof_unlock(h);
    atomic_store(&sampled, NULL);
    while (atomic_load(&handling) > 0) sched_yield();
}

void signals_free(struct signals *s) {
    if (s == NULL) return;
    stable_free(&s->watches);
    free(s->slots);
    free((void *)s->states);
    free(s->frames);
    free(s);
}
