/* jdk_internal_vm_ThreadSnapshot.c — a thread's state, stack and locks at one moment, for the library's own thread
 * dumps (25). */
#include "inspect/thread_info.h"
#include "jdk/jvm.h"
#include "jdk/stack_snapshot.h"

/* ThreadSnapshot.BlockerLockType and OwnedLockType. */
enum { PARK_BLOCKER, WAITING_TO_LOCK, WAITING_ON };
enum { LOCKED };

struct owned { jobject object; int32_t depth; };

/* Objects are held by global handles: the thread runs on while they are made into fields. */
struct thread_facts {
    struct stack_snapshot stack;
    VEC(struct owned) locks;
    jobject blocker;
    int32_t blocker_type, status;
    bool failed;
};

static jobject keep(struct thread_facts *s, struct object *o) {
    jobject h = handle_global(o);
    if (h == NULL) s->failed = true;
    return h;
}

/* Handshake operation. */
static void look(void *arg, struct java_thread *t) {
    struct thread_facts *s = arg;
    struct thread_info info;
    thread_info_of(t->mirror, &info);
    s->status = info.status;
    stack_snapshot_take(&s->stack, t, -1, false);
    int32_t depth = 0;
    for (struct frame_cursor c = frame_first(t); cursor_valid(&c); frame_next(&c)) {
        if (cursor_method(&c)->flags & METHOD_HIDDEN) continue;
        for (uint32_t i = t->lock_count; i-- > 0;) {
            if (!cursor_holds(&c, &t->locks[i])) continue;
            if (!vec_push(&s->locks, (struct owned){keep(s, t->locks[i].object), depth})) s->failed = true;
        }
        depth++;
    }
    struct object *blocker = NULL;
    if (atomic_load(&t->blocked_on) != NULL) blocker = t->blocked_object, s->blocker_type = WAITING_TO_LOCK;
    else if (atomic_load(&t->waiting_on) != NULL) blocker = t->blocked_object, s->blocker_type = WAITING_ON;
    else blocker = heap_load_ref(t->mirror, known_offset(Thread_parkBlocker)), s->blocker_type = PARK_BLOCKER;
    if (blocker != NULL) s->blocker = keep(s, blocker);
    if (s->stack.failed) s->failed = true;
}

static void forget(struct thread_facts *s) {
    for (size_t i = 0; i < s->locks.count; i++)
        if (s->locks.data[i].object != NULL) handle_global_delete(s->locks.data[i].object);
    vec_free(&s->locks);
    if (s->blocker != NULL) handle_global_delete(s->blocker);
    stack_snapshot_free(&s->stack);
}

/* ThreadLock[]; NULL: exception pending. */
static struct object *lock_objects(struct os_thread *self, const struct thread_facts *s) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = known_class(jdk_internal_vm_ThreadSnapshot_ThreadLock);
    if (!class_ensure_initialized(self, c)) return NULL;
    struct object *all = new_ref_array(self, c, (int32_t)s->locks.count);
    for (size_t i = 0; all != NULL && i < s->locks.count; i++) {
        struct object *o = heap_alloc_instance(self, &c->shape);
        if (o == NULL) return NULL;
        field_store(o, known_offset(ThreadLock_depth), T_INT, slot_int(s->locks.data[i].depth));
        field_store(o, known_offset(ThreadLock_typeOrdinal), T_INT, LOCKED);
        heap_store_ref(o, known_offset(ThreadLock_obj), handle_get(s->locks.data[i].object));
        heap_array_set(all, (int32_t)i, o);
    }
    return all;
}

static struct object *new_snapshot(struct os_thread *self, struct object *mirror, const struct thread_facts *s) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = known_class(jdk_internal_vm_ThreadSnapshot);
    if (!class_ensure_initialized(self, c)) return NULL;
    struct object *o = heap_alloc_instance(self, &c->shape);
    struct object *trace = o ? stack_snapshot_elements(self, &s->stack) : NULL;
    uint64_t args[1] = {slot_ref(trace)}, finished = 0; /* decides how the elements print themselves */
    if (trace == NULL || !java_call_static_named(self, known_class(java_lang_StackTraceElement), "of",
                                                 "([Ljava/lang/StackTraceElement;)[Ljava/lang/StackTraceElement;",
                                                 args, &finished))
        return NULL;
    struct object *locks = lock_objects(self, s);
    if (locks == NULL) return NULL;
    heap_store_ref(o, known_offset(ThreadSnapshot_name), heap_load_ref(mirror, known_offset(Thread_name)));
    field_store(o, known_offset(ThreadSnapshot_threadStatus), T_INT, slot_int(s->status));
    heap_store_ref(o, known_offset(ThreadSnapshot_stackTrace), slot_object(finished));
    heap_store_ref(o, known_offset(ThreadSnapshot_locks), locks);
    field_store(o, known_offset(ThreadSnapshot_blockerTypeOrdinal), T_INT, slot_int(s->blocker_type));
    heap_store_ref(o, known_offset(ThreadSnapshot_blockerObject), handle_get(s->blocker));
    return o;
}

/* null: the thread has ended or not started. Virtual threads are bound to threads of their own and have no carrier. */
JVM jobject JVM_CreateThreadSnapshot(JNIEnv *env, jobject thread);
JVM jobject JVM_CreateThreadSnapshot(JNIEnv *env, jobject thread) {
    NATIVE_ENTRY(env);
    struct object *mirror = handle_get(thread);
    struct thread_facts s = {0};
    threads_lock(self);
    struct java_thread *t = thread_of_mirror(mirror);
    threads_unlock(self);
    bool alive = t != NULL && thread_handshake(self, t, mirror, look, &s);
    struct object *snapshot = NULL;
    if (s.failed) throw_out_of_memory(self, "thread snapshot");
    else if (alive) snapshot = new_snapshot(self, mirror, &s);
    forget(&s);
    return handle_local(self, snapshot);
}
