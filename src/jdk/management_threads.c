/* management_threads.c — java.lang.management's view of threads: ThreadInfo, processor time, allocation, deadlocks. */
#include "base/os.h"
#include "base/table.h"
#include "inspect/owned_monitor.h"
#include "inspect/thread_info.h"
#include "jdk/deadlock.h"
#include "jdk/jmm.h"
#include "jdk/jvm.h"
#include "jdk/stack_snapshot.h"
#include "jdk/thread_life.h"
#include "thread/identity.h"
#include "thread/monitor.h"

/* The upper bits of ThreadInfo's state argument. */
enum { INFO_SUSPENDED = 0x00100000, INFO_NATIVE = 0x00400000 };

/* The live platform thread of that id. World stopped, or caller holds the thread list. */
static struct java_thread *thread_by_id(int64_t id) {
    for (struct java_thread *t = threads_first(); t != NULL; t = t->next)
        if (thread_is_of_program(t) && thread_id_of(t->mirror) == id) return t;
    return NULL;
}

/* ---- snapshots: taken with the world stopped, made into objects afterwards --------------------------------------- */

/* The objects are kept by handles: a snapshot outlives the stop, and what it names may die meanwhile. */
struct locked { jobject object; int32_t depth; };
struct snapshot {
    jobject thread, lock, owner;
    int32_t state;
    int64_t blocked_count, blocked_millis, waited_count, waited_millis;   /* times: -1 when they are not taken  */
    struct stack_snapshot stack;
    VEC(struct locked) monitors;
    VEC(jobject) synchronizers;
};

struct request {
    struct os_thread *self;
    bool monitors, synchronizers;
    int32_t max_depth;                   /* -1: the whole stack                                                  */
    struct snapshot *all;                /* thread NULL: no such thread                                          */
    size_t count;
    bool failed;                         /* memory ran out                                                       */
};

static void free_snapshots(struct request *r) {
    for (size_t i = 0; i < r->count; i++) {
        stack_snapshot_free(&r->all[i].stack);
        vec_free(&r->all[i].monitors);
        vec_free(&r->all[i].synchronizers);
    }
    mem_free(r->all);
}

/* A handle; the world stands, so that it cannot be made by running Java code. */
static jobject keep(struct request *r, struct object *o) {
    jobject h = o ? handle_global(o) : NULL;
    if (o != NULL && h == NULL) r->failed = true;
    return h;
}

/* Global handles of a request, given back at the end. */
static void release(jobject h) {
    if (h != NULL) handle_global_delete(h);
}
static void release_snapshots(struct request *r) {
    for (size_t i = 0; i < r->count; i++) {
        struct snapshot *s = &r->all[i];
        release(s->thread);
        release(s->lock);
        release(s->owner);
        for (size_t k = 0; k < s->monitors.count; k++) release(s->monitors.data[k].object);
        for (size_t k = 0; k < s->synchronizers.count; k++) release(s->synchronizers.data[k]);
    }
    free_snapshots(r);
}

static void note_monitor(struct request *r, struct snapshot *s, struct object *o, int32_t depth) {
    if (!vec_push(&s->monitors, (struct locked){keep(r, o), depth})) r->failed = true;
}

static bool is_noted(const struct snapshot *s, const struct object *o) {
    for (size_t i = 0; i < s->monitors.count; i++)
        if (s->monitors.data[i].object != NULL && handle_get(s->monitors.data[i].object) == o) return true;
    return false;
}

/* Of each frame from the innermost monitor on, but for those it begins with that the thread waits in or to enter: as
 * HotSpot has it, which looks no further than the first monitor that is another one. */
static void note_monitors(struct request *r, struct snapshot *s, struct java_thread *t) {
    const struct object *awaited = awaited_monitor(t);
    int32_t depth = 0;
    for (struct frame_cursor c = frame_first(t); cursor_valid(&c); frame_next(&c), depth++) {
        if (r->max_depth >= 0 && depth >= r->max_depth) break;
        bool others = false;
        for (uint32_t i = t->lock_count; i-- > 0;) {
            if (!cursor_holds(&c, &t->locks[i]) || (!others && t->locks[i].object == awaited)) continue;
            others = true;
            note_monitor(r, s, t->locks[i].object, depth);
        }
    }
    for (uint32_t i = 0; i < t->lock_count; i++) {           /* by JNI: of no frame */
        struct object *o = t->locks[i].object;
        if (t->locks[i].frame == NULL && o != awaited && !is_noted(s, o)) note_monitor(r, s, o, -1);
    }
}

/* What the thread waits for and who has it, by its status: the record of a wait is made before the status and goes
 * after it. A thread that is blocked by a monitor which nobody owns at the moment is said to run. */
static void note_wait(struct request *r, struct snapshot *s, struct java_thread *t) {
    struct object *lock = NULL;
    struct java_thread *owner = NULL;
    switch (s->state) {
    case THREAD_STATUS_BLOCKED:
    case THREAD_STATUS_WAITING:
    case THREAD_STATUS_TIMED_WAITING: {
        lock = awaited_monitor(t);
        owner = lock ? monitor_owner(lock, NULL) : NULL;
        bool hidden = owner ? thread_is_attaching(owner) : s->state == THREAD_STATUS_BLOCKED;
        if (lock == NULL || hidden) s->state = THREAD_STATUS_RUNNABLE, lock = NULL, owner = NULL;
        break;
    }
    case THREAD_STATUS_PARKED:
    case THREAD_STATUS_TIMED_PARKED:
        lock = heap_load_ref(t->mirror, known_offset(Thread_parkBlocker));
        owner = thread_wait_of(t, true).owner;
        break;
    default: break;
    }
    s->lock = keep(r, lock);
    s->owner = keep(r, owner ? owner->mirror : NULL);
}

static void note_thread(struct request *r, struct snapshot *s, struct java_thread *t) {
    struct thread_info info;
    thread_info_of(t->mirror, &info);
    s->thread = keep(r, t->mirror);
    s->state = info.status;
    note_wait(r, s, t);
    if (atomic_load(&t->suspended)) s->state |= INFO_SUSPENDED;
    if (thread_activity(t) == ACTIVITY_FOREIGN) s->state |= INFO_NATIVE;
    bool timed = atomic_load(&vm->contention_timed);
    s->blocked_count = (int64_t)atomic_load(&t->blocked.count);
    s->waited_count = (int64_t)atomic_load(&t->waited.count);
    s->blocked_millis = timed ? contention_nanos(&t->blocked) / 1000000 : -1;
    s->waited_millis = timed ? contention_nanos(&t->waited) / 1000000 : -1;
    stack_snapshot_take(&s->stack, t, r->max_depth, true);
    if (s->stack.failed) r->failed = true;
    if (r->monitors) note_monitors(r, s, t);
}

static bool note_synchronizer(void *arg, struct object *o) {
    struct request *r = arg;
    if (shape_of(o)->kind != SHAPE_INSTANCE ||
        !object_is_instance(o, known_class(java_util_concurrent_locks_AbstractOwnableSynchronizer)))
        return true;
    struct object *owner = heap_load_ref(o, known_offset(AbstractOwnableSynchronizer_exclusiveOwnerThread));
    for (size_t i = 0; owner != NULL && i < r->count; i++) {
        if (r->all[i].thread == NULL || handle_get(r->all[i].thread) != owner) continue;
        if (!vec_push(&r->all[i].synchronizers, keep(r, o))) r->failed = true;
        break;
    }
    return !r->failed;
}

/* ids NULL: every live thread, all of whose number is found out under the stop. */
static bool take_snapshots(struct request *r, const jlong *ids, size_t n) {
    safepoint_begin(r->self, "ThreadDump");
    MAY_ALLOCATE("OutOfMemoryError follows the stop");
    if (ids == NULL)
        for (struct java_thread *t = threads_first(); t != NULL; t = t->next) n += thread_is_of_program(t);
    r->all = mem_calloc(n ? n : 1, sizeof *r->all);
    if (r->all == NULL) {
        r->failed = true;
    } else if (ids != NULL) {
        r->count = n;
        for (size_t i = 0; i < n; i++) {
            struct java_thread *t = thread_by_id(ids[i]);
            if (t != NULL) note_thread(r, &r->all[i], t);
        }
    } else {
        for (struct java_thread *t = threads_first(); t != NULL; t = t->next)
            if (thread_is_of_program(t)) note_thread(r, &r->all[r->count++], t);
    }
    if (r->synchronizers && !r->failed) heap_walk(note_synchronizer, r);
    safepoint_end(r->self);
    if (r->failed) throw_out_of_memory(r->self, "thread information");
    return !r->failed;
}

/* ---- ThreadInfo objects ------------------------------------------------------------------------------------------ */

static struct object *handles_array(struct os_thread *self, size_t n, jobject (*at)(const struct snapshot *, size_t),
                                    const struct snapshot *s) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *out = new_ref_array(self, known_class(java_lang_Object), (int32_t)n);
    for (size_t i = 0; out != NULL && i < n; i++) heap_array_set(out, (int32_t)i, handle_get(at(s, i)));
    return out;
}
static jobject monitor_at(const struct snapshot *s, size_t i) { return s->monitors.data[i].object; }
static jobject synchronizer_at(const struct snapshot *s, size_t i) { return s->synchronizers.data[i]; }

static struct object *new_thread_info(struct os_thread *self, const struct snapshot *s, bool with_locks) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_find_boot(self, "java/lang/management/ThreadInfo");
    if (c == NULL || !class_ensure_initialized(self, c)) return NULL;
    struct object *trace = stack_snapshot_elements(self, &s->stack);
    struct object *info = trace ? heap_alloc_instance(self, &c->shape) : NULL;
    if (info == NULL) return NULL;
    uint64_t args[17] = {slot_ref(info),
                         slot_ref(handle_get(s->thread)),
                         slot_int(s->state),
                         slot_ref(handle_get(s->lock)),
                         slot_ref(handle_get(s->owner)),
                         (uint64_t)s->blocked_count,
                         0,
                         (uint64_t)s->blocked_millis,
                         0,
                         (uint64_t)s->waited_count,
                         0,
                         (uint64_t)s->waited_millis,
                         0,
                         slot_ref(trace)};
    const char *desc = "(Ljava/lang/Thread;ILjava/lang/Object;Ljava/lang/Thread;JJJJ[Ljava/lang/StackTraceElement;)V";
    if (with_locks) {
        desc = "(Ljava/lang/Thread;ILjava/lang/Object;Ljava/lang/Thread;JJJJ[Ljava/lang/StackTraceElement;[Ljava/lang/"
               "Object;[I[Ljava/lang/Object;)V";
        struct object *monitors = handles_array(self, s->monitors.count, monitor_at, s);
        struct object *depths = monitors ? heap_alloc_array(self, &vm->link->primitive_arrays[T_INT]->shape,
                                                            (int32_t)s->monitors.count)
                                         : NULL;
        struct object *synchronizers = depths ? handles_array(self, s->synchronizers.count, synchronizer_at, s) : NULL;
        if (synchronizers == NULL) return NULL;
        for (size_t i = 0; i < s->monitors.count; i++) ((jint *)array_data(depths))[i] = s->monitors.data[i].depth;
        args[14] = slot_ref(monitors);
        args[15] = slot_ref(depths);
        args[16] = slot_ref(synchronizers);
    }
    struct method *init = class_method_cstr(c, "<init>", desc);
    return java_call(self, init, args, NULL) ? info : NULL;
}

/* Copy of a long[]; NULL with an exception pending (NullPointerException for null, IllegalArgumentException for an id
 * below 1). */
static jlong *copy_ids(struct os_thread *self, jlongArray ids, size_t *n) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct object *a = handle_get(ids);
    if (a == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return NULL;
    }
    *n = (size_t)array_length(a);
    jlong *copy = mem_dup(array_data(a), *n * sizeof *copy);
    if (copy == NULL) throw_out_of_memory(self, "thread ids");
    for (size_t i = 0; copy != NULL && i < *n; i++) {
        if (copy[i] > 0) continue;
        throw_message(self, "java/lang/IllegalArgumentException", "Invalid thread ID entry");
        mem_free(copy);
        return NULL;
    }
    return copy;
}

jint jmm_GetThreadInfo(JNIEnv *env, jlongArray ids, jint max_depth, jobjectArray result) {
    NATIVE_ENTRY(env);
    size_t n = 0;
    if (max_depth < -1) {
        throw_message(self, "java/lang/IllegalArgumentException", "Invalid maxDepth");
        return -1;
    }
    jlong *list = copy_ids(self, ids, &n);
    if (list == NULL) return -1;
    if (result == NULL || (size_t)array_length(handle_get(result)) != n) {
        mem_free(list);
        throw_message(self, "java/lang/IllegalArgumentException",
                      "The length of the given ThreadInfo array does not match the length of the given array of thread "
                      "IDs");
        return -1;
    }
    struct request r = {.self = self, .max_depth = max_depth};
    bool ok = take_snapshots(&r, list, n);
    mem_free(list);
    for (size_t i = 0; ok && i < r.count; i++) {
        struct object *info = r.all[i].thread ? new_thread_info(self, &r.all[i], false) : NULL;
        ok = self->exception == NULL;
        if (ok) heap_array_set(handle_get(result), (int32_t)i, info);
    }
    release_snapshots(&r);
    return 0;
}

jobjectArray jmm_DumpThreads(JNIEnv *env, jlongArray ids, jboolean monitors, jboolean synchronizers, jint max_depth) {
    NATIVE_ENTRY(env);
    size_t n = 0;
    jlong *list = ids ? copy_ids(self, ids, &n) : NULL;
    if (ids != NULL && list == NULL) return NULL;
    struct request r = {.self = self,
                        .monitors = monitors,
                        .synchronizers = synchronizers,
                        .max_depth = max_depth == INT32_MAX ? -1 : max_depth};
    bool ok = take_snapshots(&r, list, n);
    mem_free(list);
    struct class *c = ok ? class_find_boot(self, "java/lang/management/ThreadInfo") : NULL;
    struct object *out = c ? new_ref_array(self, c, (int32_t)r.count) : NULL;
    for (size_t i = 0; out != NULL && i < r.count; i++) {
        struct object *info = r.all[i].thread ? new_thread_info(self, &r.all[i], true) : NULL;
        if (self->exception != NULL) out = NULL;
        else heap_array_set(out, (int32_t)i, info);
    }
    release_snapshots(&r);
    return handle_local(self, out);
}

/* ---- contention -------------------------------------------------------------------------------------------------- */

bool management_reset_contention(struct os_thread *self, int64_t id, bool counts, bool times) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    bool found = id == 0;
    threads_lock(self);
    for (struct java_thread *t = threads_first(); t != NULL; t = t->next) {
        if (id != 0 && (!thread_is_visible(t) || thread_id_of(t->mirror) != id)) continue;
        found = true;
        struct contention *both[] = {&t->blocked, &t->waited};
        for (size_t i = 0; i < ARRAY_LEN(both); i++) {
            if (counts) atomic_store(&both[i]->count, 0);
            if (times) contention_reset_time(both[i]);
        }
    }
    threads_unlock(self);
    return found;
}

/* ---- deadlocks --------------------------------------------------------------------------------------------------- */

struct cycle_list { VEC(jobject) threads; bool failed; };

static void note_cycle(void *arg, struct java_thread *const *cycle, size_t n) {
    struct cycle_list *l = arg;
    for (size_t i = 0; i < n; i++) {
        jobject h = handle_global(cycle[i]->mirror);
        if (h == NULL || !vec_push(&l->threads, h)) l->failed = true;
    }
}

/* Thread[] of all threads in cycles; null: there are none. */
static jobjectArray find_deadlocks(struct os_thread *self, bool concurrent) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct cycle_list l = {0};
    safepoint_begin(self, "FindDeadlocks");
    MAY_ALLOCATE("OutOfMemoryError follows the stop");
    if (!deadlocks_find(concurrent, note_cycle, &l)) l.failed = true;
    safepoint_end(self);
    struct object *out = NULL;
    if (l.failed) throw_out_of_memory(self, "deadlock detection");
    else if (l.threads.count != 0) out = new_ref_array(self, known_class(java_lang_Thread), (int32_t)l.threads.count);
    for (size_t i = 0; i < l.threads.count; i++) {
        if (out != NULL) heap_array_set(out, (int32_t)i, handle_get(l.threads.data[i]));
        release(l.threads.data[i]);
    }
    vec_free(&l.threads);
    return handle_local(self, out);
}

jobjectArray jmm_FindDeadlockedThreads(JNIEnv *env, jboolean monitors_only) {
    NATIVE_ENTRY(env);
    return find_deadlocks(self, !monitors_only);
}
jobjectArray jmm_FindMonitorDeadlockedThreads(JNIEnv *env) {
    NATIVE_ENTRY(env);
    return find_deadlocks(self, false);
}

/* ---- processor time and allocation: -1 for a thread that is not there -------------------------------------------- */

/* id 0: the current thread. */
static int64_t with_thread(struct os_thread *self, int64_t id, int64_t (*read)(struct java_thread *t, bool flag),
                           bool flag) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (id < 0) {
        throw_message(self, "java/lang/IllegalArgumentException", "Invalid thread ID");
        return -1;
    }
    if (id == 0) return read(self->java, flag);
    threads_lock(self);
    struct java_thread *t = thread_by_id(id);
    int64_t value = t ? read(t, flag) : -1;
    threads_unlock(self);
    return value;
}

static int64_t cpu_time(struct java_thread *t, bool user_and_system) { return thread_cpu_ns(t, !user_and_system); }
static int64_t allocated(struct java_thread *t, bool unused) {
    (void)unused;
    return heap_thread_allocated(t);
}

jlong jmm_GetThreadCpuTimeWithKind(JNIEnv *env, jlong id, jboolean user_and_system) {
    NATIVE_ENTRY(env);
    return with_thread(self, id, cpu_time, user_and_system);
}
jlong jmm_GetThreadCpuTime(JNIEnv *env, jlong id) { return jmm_GetThreadCpuTimeWithKind(env, id, JNI_TRUE); }
jlong jmm_GetOneThreadAllocatedMemory(JNIEnv *env, jlong id) {
    NATIVE_ENTRY(env);
    return with_thread(self, id, allocated, false);
}

static void fill_times(struct os_thread *self, jlongArray ids, jlongArray out,
                       int64_t (*read)(struct java_thread *t, bool flag), bool flag) {
    REQUIRES(IN_VM);
    size_t n = 0;
    jlong *list = copy_ids(self, ids, &n);
    if (list == NULL) return;
    if (out == NULL || (size_t)array_length(handle_get(out)) != n) {
        throw_message(self, "java/lang/IllegalArgumentException",
                      "The length of the given long array does not match the length of the given array of thread IDs");
    } else {
        for (size_t i = 0; i < n; i++) {
            int64_t value = with_thread(self, list[i], read, flag);
            ((jlong *)array_data(handle_get(out)))[i] = value;
        }
    }
    mem_free(list);
}
void jmm_GetThreadCpuTimesWithKind(JNIEnv *env, jlongArray ids, jlongArray times, jboolean user_and_system) {
    NATIVE_ENTRY(env);
    fill_times(self, ids, times, cpu_time, user_and_system);
}
void jmm_GetThreadAllocatedMemory(JNIEnv *env, jlongArray ids, jlongArray sizes) {
    NATIVE_ENTRY(env);
    fill_times(self, ids, sizes, allocated, false);
}

/* Of all threads, ended ones included. */
jlong jmm_GetTotalThreadAllocatedMemory(JNIEnv *env) {
    NATIVE_ENTRY(env);
    struct heap_stats s;
    heap_stats(&s);
    return (jlong)s.allocated_total;
}

/* Internal threads are not shown: none is filled in. */
jint jmm_GetInternalThreadTimes(JNIEnv *env, jobjectArray names, jlongArray times) {
    (void)env, (void)names, (void)times;
    return 0;
}
