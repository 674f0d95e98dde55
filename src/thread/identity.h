/* identity.h — a Java thread as the other rooms see it, whether it runs, waits, is unmounted or has ended. Which
 * carrier executes it, if any, only thread/ knows.
 *
 *                        its first transition                 thread_mark_ended           off the list
 *     ACTIVITY_STARTING ---------------------> RUNS <-> FOREIGN ----------------> ENDED -----------------> freed when
 *                                              RUNS <-> WAITS                                              nobody keeps
 * it RUNS <-> UNMOUNTED  (a continuation that no carrier executes)
 *
 * Unless something else is said, a function may be called in any state, takes no lock that is ranked outside THREADS,
 * and `t` is kept: it is the caller's own thread, the caller holds the list lock, has stopped the world, or is in a
 * handshake with t (REQUIRES_KEPT). An answer about a thread that is not still is true only of the moment. */
#ifndef VITRINE_THREAD_IDENTITY_H
#define VITRINE_THREAD_IDENTITY_H

#include "thread/thread.h"

/* ---- life and activity ------------------------------------------------------------------------------------------- */

enum thread_activity {
    ACTIVITY_STARTING,                   /* on the list, and has not come into the VM yet                      */
    ACTIVITY_RUNS,                       /* executes Java or VM code                                           */
    ACTIVITY_FOREIGN,                    /* executes foreign code                                              */
    ACTIVITY_WAITS,                      /* waits inside the VM                                                */
    ACTIVITY_UNMOUNTED,                  /* lives, and no carrier executes it                                  */
    ACTIVITY_ENDED                       /* Java knows it as ended                                             */
};
/* Also in a signal handler, where t may be any listed thread. */
enum thread_activity thread_activity(const struct java_thread *t);

/* Has Java been notified that it ended? Having no carrier is no end. Its last acts may still run, and it be listed. */
static inline bool thread_has_ended(const struct java_thread *t) { return atomic_load(&t->life) != LIFE_LIVES; }
/* From now on t has ended for everybody but itself. In t, state IN_VM, together with what tells Java. */
void thread_mark_ended(struct java_thread *t);

/* How many classes it has defined: counted by link/, in t; read at any time. */
static inline void thread_count_defined_class(struct java_thread *t) { t->classes_defined++; }
static inline uint32_t thread_defined_classes(const struct java_thread *t) { return t->classes_defined; }

/* ---- the operating-system thread that executes it ---------------------------------------------------------------- */

/* Kernel id; 0: none does, or it has not begun. Also in a signal handler. */
int thread_tid(const struct java_thread *t);
/* Processor time used so far in ns, or in user mode only; 0 before it begins, -1: no OS thread executes it, or that has
 * ended. */
int64_t thread_cpu_ns(const struct java_thread *t, bool user_only);
/* Bounds of the C stack it runs on. False: no OS thread executes it. Also in a signal handler. */
bool thread_c_stack(const struct java_thread *t, uintptr_t *low, uintptr_t *high);
/* The JNIEnv it runs with, by which JVMPI knows it; NULL: none executes it. */
JNIEnv *thread_jni_env(const struct java_thread *t);
/* The listed thread of a JNIEnv, which may be a stale one; NULL: none. Caller holds the list lock, or the world is
 * stopped. */
struct java_thread *thread_of_env(const JNIEnv *env);
/* Its allocation buffer; NULL: unmounted, it has none. */
const struct tlab *thread_tlab(const struct java_thread *t);
/* What Thread.eetop holds while t lives: a profiler that looks for "the VM's thread" expects there an address whose
 * first word points to something readable, which is the value of one pthread key on that thread (exited_bind), and from
 * which the JNIEnv* is equally far in all threads. t may be new and unlisted. */
uint64_t thread_eetop(const struct java_thread *t);
/* As given, for messages, and for the system where an OS thread executes t. Standard UTF-8. */
void thread_set_name(struct java_thread *t, const char *name);
/* While its Thread object is being constructed a thread that attaches itself is shown to nobody. Any thread. */
void thread_set_attaching(struct java_thread *t, bool attaching);
bool thread_is_attaching(const struct java_thread *t);

/* The carriers, for what rooms keep per carrier (allocation buffers, JNI tables); then ->next. Caller holds the list
 * lock, or the world is stopped. */
struct os_thread *carriers_first(void);

/* ---- asking something of it -------------------------------------------------------------------------------------- */

/* Sets/clears bits that the thread finds at its next poll, or once it is mounted again: those of enum poll_bit that
 * concern the Java thread (POLL_SUSPEND, POLL_ASYNC_EXCEPTION, POLL_SINGLE_STEP, POLL_POP_FRAME, POLL_EARLY_RETURN). */
void thread_ask(struct java_thread *t, uint32_t bits);
void thread_unask(struct java_thread *t, uint32_t bits);
/* The bits set for it now, those of enum thread_watch included. */
uint32_t thread_asked(const struct java_thread *t);
/* Replaces its watch bits (enum thread_watch). */
void thread_set_watch(struct java_thread *t, uint32_t watch);

/* ---- what other rooms keep for it -------------------------------------------------------------------------------- */

/* The room's record for t, NULL while it has none. It is the room's own, and goes with t's records
 * (thread_hooks.free_extension). Any thread, any state; t is kept, or the caller's own. */
static inline void *thread_extension(const struct java_thread *t, enum thread_room room) {
    return atomic_load_explicit(&t->extensions[room], memory_order_acquire);
}
/* Makes `record` the room's, which excludes others that do the same, and has given back the record before. */
static inline void thread_extension_set(struct java_thread *t, enum thread_room room, void *record) {
    atomic_store_explicit(&t->extensions[room], record, memory_order_release);
}
/* The room's record, made of `bytes` zeros when t has none. Several threads may do that at once. NULL: out
 * of memory. */
void *thread_extend(struct java_thread *t, enum thread_room room, size_t bytes);

/* ---- what it refers to ------------------------------------------------------------------------------------------- */

/* What the records of t and of its carrier refer to, frames and handles apart: the one list of it, for the collector
 * and for heap walks. World stopped. */
enum thread_root { THREAD_ROOT_MIRROR, THREAD_ROOT_MONITOR, THREAD_ROOT_OTHER };
typedef void thread_root_visitor(void *arg, enum thread_root kind, struct object *o);
void thread_each_root(const struct java_thread *t, thread_root_visitor *visit, void *arg);
/* The objects of its local handles, the youngest first, until visit returns false. `base`: what the frame of handles
 * begins with; a native method's lies in its frame, behind the record. World stopped. */
typedef bool thread_local_visitor(void *arg, const struct handle_block *base, struct object *o);
void thread_each_local(const struct java_thread *t, thread_local_visitor *visit, void *arg);

#endif
