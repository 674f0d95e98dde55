/* thread.h — threads: identity and carrier, state transitions, safepoints, handshakes, the chain of C segments. */
#ifndef VITRINE_THREAD_THREAD_H
#define VITRINE_THREAD_THREAD_H

#include <sys/select.h>                 /* sigset_t */

#include "base/lock.h"
#include "heap/object.h"
#include "thread/contention.h"
#include "thread/patience.h"
#include "thread/contract.h"
#include "vm/vm.h"

struct frame;                            /* exec/frame.h */
struct handle_block;                     /* thread/handle.h */
struct heap_visitor;                     /* heap/heap.h */
struct monitor;
struct raw_monitor;                      /* thread/raw_monitor.h */

/* Whether a thread may touch objects now. IN_VM covers interpreted Java and VM C code. */
enum thread_state {
    THREAD_NEW,                          /* not started or not yet attached                                   */
    THREAD_IN_VM,                        /* may touch objects; must reach a poll soon                         */
    THREAD_IN_NATIVE,                    /* runs foreign code; touches objects only through handles           */
    THREAD_BLOCKED,                      /* waits inside the VM; touches nothing                              */
    THREAD_TERMINATED
};

/* Bits of os_thread.attention, the one word that says what needs the thread's attention: why it has to take the slow
 * path at its next poll, marks for those who look at it (POLL_END and above), and in the highest byte enum
 * thread_watch. */
enum poll_bit {
    POLL_SAFEPOINT = 1, POLL_HANDSHAKE = 2, POLL_SUSPEND = 4, POLL_ASYNC_EXCEPTION = 8,
    POLL_SINGLE_STEP = 16, POLL_POP_FRAME = 32, POLL_EARLY_RETURN = 64,
    POLL_END = 128,                      /* the VM has ended: the thread does not come back into it            */
    POLL_FENCE = 1 << 21,    /* always set where the kernel has no membarrier: transitions fence themselves */
    POLL_FIELDS = 1 << 22,               /* fields are watched, in every thread: JNI looks whether this one is */
    POLL_LIBRARY = 1 << 23,              /* in every thread: nothing stands in for a library method inline      */
    POLL_STOPS = POLL_SAFEPOINT | POLL_HANDSHAKE | POLL_SUSPEND,
    POLL_ANY = 0xff                      /* everything that a poll has to look at: one byte                     */
};

/* Bits of os_thread.attention, too: what an engine has to report to probe/, or may not take a short cut around. They
 * cause no poll. */
enum thread_watch {
    WATCH_METHODS = 1 << 24,             /* entries and exits of methods                                       */
    WATCH_STEPS = 1 << 25,               /* every instruction (the stops come by POLL_SINGLE_STEP)             */
    WATCH_OBJECT_INIT = 1 << 26,         /* Object.<init> has a breakpoint or other code: it is really called  */
    WATCH_ANY = 0x7f << 24
};

/* How far a Java thread's life has come. It only goes forward. */
enum thread_life {
    LIFE_LIVES,                          /* since it came to the list                                          */
    LIFE_ENDED,                          /* Java knows that it has ended; its last acts may still run           */
    LIFE_GONE                            /* off the list: the record goes when nobody keeps it (pins)           */
};

/* Thread.threadStatus, in JVM TI's thread state bits. */
enum thread_status {
    THREAD_STATUS_NEW = 0, THREAD_STATUS_RUNNABLE = 0x5, THREAD_STATUS_SLEEPING = 0xe1,
    THREAD_STATUS_WAITING = 0x191, THREAD_STATUS_TIMED_WAITING = 0x1a1,
    THREAD_STATUS_PARKED = 0x291, THREAD_STATUS_TIMED_PARKED = 0x2a1,
    THREAD_STATUS_BLOCKED = 0x401, THREAD_STATUS_TERMINATED = 0x2
};

/* A stretch of C stack that holds VM frames: from base (older, higher address) down to exit (where it left into foreign
 * code, into a stop, or into a wait). The collector scans [exit, base) of every segment conservatively. */
struct c_segment {
    struct c_segment *previous;
    uintptr_t base;
    uintptr_t exit;                      /* 0 while the segment is running; a collector says where it was asked */
};

/* An object locked by a Java thread: by a frame's bytecode or synchronized method, or by JNI MonitorEnter
 * (frame NULL). */
struct lock_entry {
    struct object *object;
    struct frame *frame;
};

/* A thread's place in a fat monitor's entry queue or wait set; it is in at most one of them. Guarded by the monitor's
 * lock. */
struct monitor_node {
    struct monitor_node *next, *previous;
    struct java_thread *thread;
    uint8_t queue;                       /* enum monitor_queue (monitor.c)                                     */
    bool suspended;                      /* would not run if woken: others go first                            */
    bool timed;                          /* in a wait with a time limit                                        */
    _Atomic bool woken;                  /* has been woken and has not tried again yet                         */
};

/* What a tool wants done with the youngest frame once the thread runs on (POLL_POP_FRAME, POLL_EARLY_RETURN). */
struct frame_request {
    struct frame *frame;                 /* NULL: nothing is wanted                                            */
    uint64_t value;                      /* early return: the result, as a slot                                */
    bool is_reference;                   /* ... which is an object: root                                       */
};

/* A tool is asked before it is sent an event: on the thread concerned, IN_VM, at no safepoint. False: it is content
 * without the event. A member may be NULL: always send. include/vitrine.h has them as tools see them. */
struct event_filters {
    jboolean (JNICALL *method_entry)(void *storage, jmethodID method);
    jboolean (JNICALL *method_exit)(void *storage, jmethodID method, jboolean by_exception);
    jboolean (JNICALL *allocation)(void *storage, jlong class_tag, jlong size, jlong *tag_ptr);
};

/* ... and what it keeps for the thread. Changed with the world stopped, storage by the tool as it likes. */
struct event_filter {
    const struct event_filters *filters;
    void *_Atomic storage;
};

/* Rooms that keep a record of their own for Java threads. */
enum thread_room { EXT_PROBE, EXT_JVMTI, EXT_JVMPI, EXT_COUNT };

/* Slots behind java_thread.stack_limit that the youngest frame of compiled code may take without asking: what it calls
 * asks for its own. */
enum { JAVA_STACK_UNASKED = 128 };

/* Identity of a Java thread: what stays with it when it changes its carrier. What a room above keeps for a thread is in
 * its extension record (identity.h); lint.thread_identity names the words that the engine reads too often for that. */
struct java_thread {
    struct java_thread *next, *previous; /* thread list                                                        */
    struct object *mirror;               /* java.lang.Thread; root                                             */
    struct os_thread *carrier;           /* thread/'s own (identity.h): NULL while unmounted, which is not ended */
    _Atomic uint8_t life;                /* enum thread_life                                                   */
    _Atomic uint32_t asked;              /* unmounted: the bits that its next carrier's attention word gets          */
    struct lock hold;                    /* HANDSHAKE: of those who operate on it; mounting would take it, too  */
    _Atomic uint32_t pins;               /* how many may still look at this record and its carrier's; futex    */
    uint32_t slot;                       /* lock owner number (20 bits, 0 = none lent yet)                     */
    struct frame *frame;                 /* youngest Java frame, wherever C runs; of compiled code, where that
                                          * runs itself, the signal handler's frame_first_at_signal knows it       */
    struct frame *c_caller;              /* ... when C last called Java: what has it as its caller is called from C */
    uint64_t *stack_low, *stack_high;    /* Java stack: grows upwards from low; [low, high)                    */
    uint64_t *stack_limit;               /* StackOverflowError above this (a reserve is kept behind it)             */
    struct lock_entry *locks; uint32_t lock_count, lock_capacity;
    _Atomic uint64_t event_mask;         /* probe/: which events are wanted for this thread                    */
    _Atomic bool suspended;              /* by a tool or Thread.suspend, until resumed once                     */
    struct frame_request request;
    struct object *reported_exception;   /* thrown, reported, not caught yet: report_throw, report_catch; weak      */
    const struct frame *step_frame;      /* with step_pc: the instruction at which steps began, in an event     */
    const uint8_t *step_pc;              /* ... before it: its own step is not sent. NULL: none                 */
    uint32_t steps_hidden;               /* in so many resolutions that began while it was stepped: hide_steps  */
    _Atomic(struct monitor *) blocked_on;/* monitor it waits to enter                                          */
    _Atomic(struct monitor *) waiting_on;/* monitor in Object.wait                                             */
    struct object *blocked_object;       /* object of the two above; root                                      */
    const struct class *_Atomic awaited_class;   /* thread_awaits_class                                         */
    struct contention blocked, waited;   /* figures of the two above, and of parking and sleeping              */
    struct object *pending_async;        /* exception to be thrown at the next poll; root                      */
    _Atomic bool interrupted;            /* mirrors Thread.interrupted                                         */
    bool daemon;
    bool hidden;                         /* VM-internal: shown neither to tools nor to the program             */
    uint32_t classes_defined;            /* by it; for thread dumps                                               */
    bool of_tool;                        /* RunAgentThread's: shown to tools alone                             */
    _Atomic bool attaching;              /* its Thread object is being constructed: shown to nobody             */
    bool vm_exit_waits;                  /* a user thread that DestroyJavaVM waits for                         */
    void *_Atomic extensions[EXT_COUNT]; /* what other rooms keep for it: thread_extension                     */
    struct event_filter *_Atomic method_filter;  /* asked at entries and exits; NULL: the events are sent       */
    _Atomic bool held;                   /* suspended by a profiler, beside `suspended`: thread_hold           */
    _Atomic(struct raw_monitor *) raw_entering, raw_waiting;   /* raw monitor it waits to enter, or in         */
    struct park_state { _Atomic int permit; _Atomic uint32_t word; struct patience patience; } park;
    struct object *scoped_cache;         /* 25: scoped value cache; root                                       */
    _Atomic uint32_t wake;               /* futex of sleep, wait and monitor entry: any change wakes           */
    struct monitor_node node;
    char name[64];                       /* as given to thread_set_name, for messages                          */
};

/* The exit that a thread has left compiled code by: a loop may do so again and again. */
struct known_exit {
    const uint8_t *end;                  /* by self->leaving                                                    */
    const uint8_t *operands;             /* in the table of exits: those that are not at home; NULL: all are    */
    uint32_t compilation;                /* whose code that is: other code may come to lie there                */
    int32_t bci;
    uint32_t depth, kind;                /* how many slots of operands; enum exit_kind                          */
};

/* Carrier: one operating-system thread known to the VM. `env` is first, so a JNIEnv* is the address of this record. */
struct os_thread {
    const struct JNINativeInterface_ *env;
    struct java_thread *java;            /* the mounted Java thread; NULL for VM-internal threads (collector)  */
    const void *const *_Atomic dispatch; /* interpreter's table: fast or trap                                  */
    _Atomic uint32_t attention;          /* enum poll_bit, enum thread_watch                                   */
    _Atomic uint32_t state;              /* enum thread_state                                                  */
    struct object *exception;            /* pending exception; root                                            */
    struct tlab tlab;
    struct c_segment *segment;           /* youngest segment; NULL while no VM code is on the stack            */
    struct handle_block *handles;        /* youngest local handle block                                        */
    uintptr_t c_stack_low, c_stack_limit, c_stack_high; /* native stack bounds; no deeper calls below limit    */
    int tid; uintptr_t pthread;          /* kernel id; pthread_t                                               */
    uint32_t gc_disabled;                /* nesting of heap_disable_gc                                         */
    bool stack_is_stale;                 /* thread_clean_stack has something to do                              */
    uint32_t critical;                   /* nesting of JNI critical sections                                   */
    _Atomic bool memory_fault;           /* a mapped file turned out shorter than its mapping: error at the next poll */
    volatile bool foreign_memory;        /* accesses memory by an address of Java's: foreign_memory.h              */
    bool has_signal_stack;               /* the VM's own one, behind the Java stack                            */
    bool attached;                       /* came by AttachCurrentThread (or is the creating thread)            */
    struct os_thread *next, *previous;   /* list of carriers                                                   */
    struct handshake *handshake;         /* pending operation, see thread_handshake                            */
    void *lookup_cache;                  /* exec/: interface method cache, owned                               */
    const struct class_version *verifying; /* link/: whose class file the JDK's old verifier asks for; or NULL       */
    int32_t until_switch;                /* jit/: branches and returns until the next (-XX:SwitchTierEvery)     */
    int32_t until_deoptimize;            /* ... checks until the next (-XX:DeoptimizeEvery)                      */
    uint64_t switch_seed;                /* ... and what the distances after that are drawn from                 */
    const uint8_t *leaving;              /* ... the end of the exit by which the youngest frame leaves, until its record
                                          * is current; NULL: it does not                                       */
    const uint8_t *allocating;           /* ... behind a call of the stub `allocate`, for which C makes the object, or
                                          * behind another instruction that C does; NULL: C does none           */
    bool floats_are_free;                /* ... and no floating-point register holds anything then              */
    bool no_room;                        /* ... and it is that stub which has found no room                      */
    uint32_t allocations_by_c;           /* ... how many objects C has allocated for it                             */
    struct known_exit last_exit;
    struct whole_exit *whole_exit;       /* ... what has been read of one, owned; NULL: nothing                     */
    /* 25: what Thread.currentThread() answers (mirror unless setCurrentThread); root */
    struct object *current_thread_object;
    struct lock transition;              /* keeps attention and dispatch in step                                    */
    _Atomic uint32_t poll_waiting;       /* the bits of `attention` for whose end the thread sleeps; 0: it does not  */
    bool kept;                           /* counted in stop_counts.kept                                        */
    _Atomic uint32_t left;               /* counts departures from the VM while a handshake is wanted; futex   */
    struct c_segment first_segment;      /* of thread_attach_current and of started threads                    */
    struct handle_block *spare_handles;  /* recycled blocks of the standard size                               */
    const char *held_reason;             /* why it stopped the world, while it does                            */
    bool comes_back;                     /* the VM ended while it waited to enter it                           */
    bool loads;                          /* left, and it may be about to load a field: see thread_may_load     */
    int64_t used_at_end;    /* processor time it had used when it was asked to end, ns */
    struct java_thread *pinned;          /* whose records it keeps from being freed                            */
    void *end_frame;    /* jmp_buf: where a thread goes that finds the VM ended; NULL: it stops for good */
    _Atomic uint32_t fate;               /* enum thread_fate                                                   */
    sigset_t mask_before;                /* signals that it had blocked when it was bound, and has again then  */
};

/* The calling thread's record; NULL on threads that are not attached. */
extern _Thread_local struct os_thread *current_thread_tls;
static inline struct os_thread *current_thread(void) { return current_thread_tls; }
/* Sets it. A signal handler on this thread finds a whole record or none: t is complete before, and taken apart only
 * afterwards. */
static inline void current_thread_set(struct os_thread *t) {
    atomic_signal_fence(memory_order_seq_cst);
    *(struct os_thread *volatile *)&current_thread_tls = t;
    atomic_signal_fence(memory_order_seq_cst);
}
static inline struct os_thread *thread_from_env(JNIEnv *env) { return (struct os_thread *)env; }
static inline JNIEnv *thread_env(struct os_thread *t) { return (JNIEnv *)&t->env; }

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

bool threads_create(void);               /* makes vm->threads; before any other call                            */
/* Frees the records of all threads on the list; the caller, if it is one of them, is not attached any more. After
 * threads_end_others. */
void threads_destroy(void);

/* Attaches the calling OS thread as a carrier with a fresh java_thread (mirror NULL until the caller sets it), state
 * IN_VM with a first segment based at `base` (an address in the caller's frame). NULL when memory is short or the VM is
 * exiting. */
struct os_thread *thread_attach_current(uintptr_t base, size_t java_stack_bytes, bool daemon);
/* The reverse: the thread holds no monitor any more and is gone from every list. State must be IN_VM. */
void thread_detach_current(struct os_thread *self);

/* Whom a thread is shown to, who may count it. */
enum thread_audience { THREAD_SHOWN, THREAD_SHOWN_TO_TOOLS, THREAD_HIDDEN };

/* Starts a new OS thread running `body(self, arg)` in state IN_VM as a Java thread with `mirror`. The java_thread is on
 * the list and mirror's eetop is set by `prepare(jt)` before the thread runs. native_stack/java_stack in bytes, 0 =
 * default. False: EAGAIN etc. */
bool thread_start(struct os_thread *self, struct object *mirror, size_t stack_bytes, bool daemon,
                  enum thread_audience audience, const char *name, void (*prepare)(struct java_thread *jt),
                  void (*body)(struct os_thread *self, void *arg), void *arg);
/* Blocks until no non-daemon Java thread but `self` lives. */
void threads_wait_for_users(struct os_thread *self);

/* The class whose initialisation by another thread it waits for, as thread dumps say; NULL: none any more. */
static inline void thread_awaits_class(struct os_thread *self, const struct class *c) {
    atomic_store(&self->java->awaited_class, c);
}

/* What the resolution of a name runs is not stepped through, as on HotSpot: class loaders, initialisers, bootstrap
 * methods. False: the thread is not stepped now, and what follows is seen by whoever begins to step meanwhile. */
static inline bool hide_steps(struct os_thread *self) {
    if (!(atomic_load_explicit(&self->attention, memory_order_relaxed) & WATCH_STEPS)) return false;
    self->java->steps_hidden++;
    return true;
}
static inline void show_steps(struct os_thread *self, bool hidden) { self->java->steps_hidden -= hidden; }

/* Iteration; caller holds the list lock (threads_lock) or the world is stopped. */
void threads_lock(struct os_thread *self);
void threads_unlock(struct os_thread *self);
struct java_thread *threads_first(void);  /* the oldest; then ->next */
/* Those that the program can see. */
unsigned threads_count(unsigned *daemons, unsigned *peak, uint64_t *started);
void threads_reset_peak(struct os_thread *self);   /* the peak becomes the present count                    */
/* The live thread whose java.lang.Thread is `mirror`, or NULL. Caller holds the list lock. */
struct java_thread *thread_of_mirror(struct object *mirror);

/* The stack pointer: exactly where the calling function's frame ends. What lies below belongs to functions called later
 * or is left over from earlier ones, and a left-over word can keep an object alive for as long as the thread stays
 * here. The frame address is an unused input, so that the compiler has made the frame, saved registers included, before
 * the stack pointer is read. For functions that call others (leaf functions may keep something in the red zone below).
 * Not alloca(0): that takes stack at every turn of a loop under AddressSanitizer. */
static inline __attribute__((always_inline)) uintptr_t thread_stack_pointer(void) {
    uintptr_t sp;
#if defined(__x86_64__)
    __asm__ volatile("movq %%rsp, %0" : "=r"(sp) : "r"(__builtin_frame_address(0)));
#elif defined(__aarch64__)
    __asm__ volatile("mov %0, sp" : "=r"(sp) : "r"(__builtin_frame_address(0)));
#else
#error "the stack pointer of this machine"
#endif
    return sp;
}

/* ---- the end of the VM ------------------------------------------------------------------------------------------- */

/* Who disposes of a carrier's records once the VM has ended. */
enum thread_fate {
    THREAD_LIVES,
    THREAD_ENDED,                        /* came to its end and left them to the VM                            */
    THREAD_LEFT                          /* the VM could not wait for it: it takes them along                  */
};
/* Keeps the VM from being taken apart under a thread that is not attached. False: there is none, or it is about to go.
 * The holder does not block. */
bool vm_guard_enter(void);
void vm_guard_leave(void);
/* The VM ends: no attachment, no new thread succeeds from now on, and whoever waits to make one gives up. The world is
 * stopped by the caller (`self`) and stays so. */
void threads_begin_end(struct os_thread *self);
/* Brings every other thread of the VM to its end. A thread that the VM started and that stands in the VM or in Java
 * unwinds to its first frame at once, no Java code runs on it any more, and it is joined. Before `left` is notified of
 * a thread that cannot be ended (it is in foreign code, or it is the embedder's), it has been asked to stop; such a
 * thread keeps its records, stops or ends when it wants to come back, and is gone from the lists. `foreign(t)` tells
 * about the foreign code that t is in. What thread_may_load lets a thread touch stays until then; where t->loads it
 * must stay for good. After threads_begin_end. */
enum foreign_code {
    FOREIGN_UNKNOWN,                     /* nothing can be said about it                                       */
    FOREIGN_CANCELLABLE,                 /* POSIX cancellation may unwind it (deferred)                        */
    FOREIGN_RETURNS                      /* it comes back soon: it is our own                                  */
};
void threads_end_others(struct os_thread *self, enum foreign_code (*foreign)(struct java_thread *t),
                        void (*left)(struct os_thread *t, void *arg), void *arg);
/* Is it a thread of a VM that has been destroyed? */
static inline bool thread_is_left(const struct os_thread *t) { return atomic_load(&t->fate) == THREAD_LEFT; }
/* Forgets such a thread; the caller is that thread. */
void thread_forget_left(struct os_thread *self);
/* The calling thread has nothing left to do in this VM and waits for its end. State IN_VM. */
_Noreturn void thread_wait_for_end(struct os_thread *self);

/* Behind a call: keeps the compiler from giving up the caller's frame before it. */
#define thread_keep_frame() __asm__ volatile("" ::: "memory")

/* Too little C stack for another upcall? On a stack that is not the thread's own (an alternate signal stack, a
 * coroutine's) nothing is known, and the answer is no. */
static inline __attribute__((always_inline)) bool thread_c_stack_is_used_up(const struct os_thread *self) {
    return (uintptr_t)__builtin_frame_address(0) - self->c_stack_low < self->c_stack_limit - self->c_stack_low;
}

/* What C functions leave on the stack others take for their own before they write there, and the collector sees it. An
 * OutOfMemoryError lets a program drop what fills its heap: a word that is left of that would keep it, and bring the
 * next error. So the heap marks the stack as stale, and it is cleaned below whoever takes the exception or looks for
 * its handler, and, once more and then for good, below who goes on behind the handler, further up. */
void thread_clean_stack_slow(void);
static inline void thread_clean_stack(struct os_thread *self, bool for_good) {
    if (__builtin_expect(!self->stack_is_stale, 1)) return;
    thread_clean_stack_slow();
    self->stack_is_stale = !for_good;
}

/* ---- transitions ------------------------------------------------------------------------------------------------- */
/* Plain stores on the fast path; the stopping side uses membarrier. */

/* Foreign code calls the VM (every JNI and JVM_ function): NATIVE -> IN_VM with a new segment based at the caller. May
 * block. */
void thread_enter_vm_slow(struct os_thread *self);
/* Tells those who wait for this thread that it has left the VM. Touches nothing but the thread's record. */
void thread_left_vm_slow(struct os_thread *self);
enum { POLL_ENTER_MASK = POLL_STOPS | POLL_FENCE, POLL_LEAVE_MASK = POLL_SAFEPOINT | POLL_HANDSHAKE | POLL_FENCE };
static inline __attribute__((always_inline)) void thread_enter_vm(struct os_thread *self, struct c_segment *seg) {
    seg->previous = self->segment;
    seg->base = (uintptr_t)__builtin_frame_address(0) + 16;
    seg->exit = 0;
    atomic_store_explicit(&self->state, THREAD_IN_VM, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(atomic_load_explicit(&self->attention, memory_order_relaxed) & POLL_ENTER_MASK, 0))
        thread_enter_vm_slow(self);
    self->segment = seg;
}
static inline __attribute__((always_inline)) void thread_exit_vm(struct os_thread *self, struct c_segment *seg) {
    self->segment = seg->previous;
    atomic_store_explicit(&self->state, THREAD_IN_NATIVE, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(atomic_load_explicit(&self->attention, memory_order_relaxed) & POLL_LEAVE_MASK, 0))
        thread_left_vm_slow(self);
}

/* The attention word, read once: as an atomic load, but compilers do not make an atomic one an operand of the
 * instruction that uses it. */
static inline __attribute__((always_inline)) uint32_t thread_poll_word(const struct os_thread *self) {
    const uint32_t *word = (const uint32_t *)(const void *)&self->attention;
    return *word;
}

/* NATIVE -> IN_VM for a few loads and stores: what lies between the two neither blocks, polls, allocates nor calls Java
 * code, and so has no segment; whoever wants the thread to stop waits for the end. begin: 0, or somebody may want
 * something; the thread then goes on with thread_enter_vm, as it also may from within a glance. end false: somebody
 * does, and is notified by thread_left_vm_slow. */
static inline __attribute__((always_inline)) uint32_t thread_glance_begin(struct os_thread *self) {
    atomic_store_explicit(&self->state, THREAD_IN_VM, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    return thread_poll_word(self) & ~(uint32_t)WATCH_ANY;
}
static inline __attribute__((always_inline)) bool thread_glance_end(struct os_thread *self) {
    atomic_store_explicit(&self->state, THREAD_IN_NATIVE, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    return __builtin_expect(!(thread_poll_word(self) & POLL_LEAVE_MASK), 1);
}

/* May the thread, in foreign code, load a primitive field of an object that a strong handle holds without entering the
 * VM? Objects do not move, stops leave primitive fields alone, and the end of the VM outlasts such a load before it
 * takes anything away that it touches: the handle, the object, and what tells the heap's bounds (end.c). Nothing else
 * may be touched. No fence: nobody waits for the load. */
static inline __attribute__((always_inline)) bool thread_may_load(const struct os_thread *self) {
    return __builtin_expect(!(thread_poll_word(self) & (POLL_STOPS | POLL_END | POLL_FIELDS)), 1);
}

/* VM code calls foreign code: spill registers, note where the segment ends, IN_VM -> NATIVE. Use as a pair in one C
 * function. Should the foreign code end the thread (pthread_exit, cancellation), the stack goes without
 * thread_from_native: thread_unwound (unwound.c), which the unwinder calls for every such function, sees to it. That
 * costs a word of unwind information and no instruction. */
static inline __attribute__((always_inline)) void thread_to_native(struct os_thread *self) {
    STOPS_HERE();
    __builtin_unwind_init();
    __asm__ volatile(".cfi_personality 0x1b, thread_unwound");
    self->segment->exit = thread_stack_pointer();
    atomic_store_explicit(&self->state, THREAD_IN_NATIVE, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(atomic_load_explicit(&self->attention, memory_order_relaxed) & POLL_LEAVE_MASK, 0))
        thread_left_vm_slow(self);
}
static inline __attribute__((always_inline)) void thread_from_native(struct os_thread *self) {
    atomic_store_explicit(&self->state, THREAD_IN_VM, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(atomic_load_explicit(&self->attention, memory_order_relaxed) & POLL_ENTER_MASK, 0))
        thread_enter_vm_slow(self);
    self->segment->exit = 0;
}

/* VM code runs bytecode: spill registers, end the segment here. The interpreter begins the new one, `inner`, below its
 * own frame (thread_begin_below), which is not scanned: one activation lasts for as long as a program's main loop, and
 * what the compiler left in its slots would keep objects alive all that time. Use as a pair in one C function. */
static inline __attribute__((always_inline)) void thread_to_bytecode(struct os_thread *self, struct c_segment *inner) {
    __builtin_unwind_init();
    self->segment->exit = thread_stack_pointer();
    inner->previous = self->segment;
    inner->base = 0;
    inner->exit = 0;
    self->segment = inner;
}
static inline __attribute__((always_inline)) void thread_from_bytecode(struct os_thread *self,
                                                                       const struct c_segment *inner) {
    self->segment = inner->previous;
    self->segment->exit = 0;
}
static inline __attribute__((always_inline)) void thread_begin_below(struct os_thread *self) {
    self->segment->base = thread_stack_pointer();
}

/* Up to here `word` lies in the calling function's frame or in a register that its callees save: the collector
 * sees it. */
static inline __attribute__((always_inline)) void thread_keep(const uint64_t *word) {
    __asm__ volatile("" : : "m"(*word));
}

/* The same of an array that lies there. */
static inline __attribute__((always_inline)) void thread_keep_all(const void *words) {
    __asm__ volatile("" : : "r"(words) : "memory");
}

/* VM code blocks (lock, futex, I/O): like thread_to_native with state BLOCKED; the end waits while a stop is in
 * progress. */
#define thread_block_begin(self) \
    do { \
        __builtin_unwind_init(); \
        thread_block_begin_at((self), thread_stack_pointer()); \
    } while (0)
void thread_block_begin_at(struct os_thread *self, uintptr_t sp);
void thread_block_end_slow(struct os_thread *self);
/* Inline, so that the waiting is never a tail call: the frame with the spilled registers must stay. */
static inline __attribute__((always_inline)) void thread_block_end(struct os_thread *self) {
    thread_block_end_slow(self);
    thread_keep_frame();
}

/* A poll: returns at once unless a bit of the attention word asks for more. May stop, run handshakes, suspend; may
 * leave an exception pending (stop). */
void thread_poll_slow(struct os_thread *self);
static inline void thread_poll(struct os_thread *self) {
    STOPS_HERE();
    if (__builtin_expect(atomic_load_explicit(&self->attention, memory_order_relaxed) & POLL_ANY, 0))
        thread_poll_slow(self);
}
/* Is anything of WATCH_ANY wanted of the thread? Not 0 if so: the byte that holds these bits, with one instruction. */
static inline __attribute__((always_inline)) uint8_t thread_is_watched(const struct os_thread *self) {
    return ((const volatile uint8_t *)&self->attention)[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 3 : 0];
}
/* Sets/clears poll bits and thereby the interpreter's dispatch table. Any thread, t staying; thread_ask is for Java
 * threads. */
void thread_request(struct os_thread *t, uint32_t bits);
void thread_unrequest(struct os_thread *t, uint32_t bits);
/* Sets or clears bits outside POLL_ANY in every thread, also in those to come. World stopped. */
void threads_mark(uint32_t bits, bool on);
/* Set by exec/: the two tables. */
extern const void *const *thread_dispatch_fast, *const *thread_dispatch_trap;
/* Sets the two tables and gives every thread the one that fits its attention word. */
void threads_set_dispatch(const void *const *fast, const void *const *trap);
/* Records where the running segment ends, for a thread that goes on running while others scan its stack (the stopper of
 * the world, in the function that stays active during the scan). */
#define thread_note_exit(self) do { __builtin_unwind_init(); (self)->segment->exit = thread_stack_pointer(); } while (0)

/* ---- stops ------------------------------------------------------------------------------------------------------- */

/* Stops all other threads at safepoints; nests for the same thread. self may be NULL only on VM-internal threads. The
 * threads that the stop before has kept from running go on first; one that gets no processor is not waited for longer
 * than STOP_PATIENCE_NS. */
enum { STOP_PATIENCE_NS = 10000000 };
void safepoint_begin(struct os_thread *self, const char *reason);
void safepoint_end(struct os_thread *self);
bool safepoint_active(void);
/* Who looks a thread up and then comes to it may find that it has ended and its record's memory is another thread's.
 * The functions below therefore take the thread's mirror too: that of a thread that is gone is nobody else's. NULL:
 * whoever has the record. */

/* Runs op(arg, t) in the calling thread while `t` is stopped, in native code or blocked (right away for the current
 * thread). op must not poll, block or allocate objects. An unmounted thread is operated on where its frames stand.
 * Caller holds no lock. False: t is gone; while op runs, thread_has_ended tells whether Java already knows it
 * as ended. */
bool thread_handshake(struct os_thread *self, struct java_thread *t, struct object *mirror,
                      void (*op)(void *arg, struct java_thread *t), void *arg);

/* Suspension as JVM TI means it: one resume ends it. thread_suspend waits until t is stopped or in native/blocked;
 * suspending oneself returns after the resume. */
enum suspend_result { SUSPEND_DONE, SUSPEND_ALREADY, SUSPEND_ENDED };
enum suspend_result thread_suspend(struct os_thread *self, struct java_thread *t, struct object *mirror);
/* As thread_suspend, but the caller does not wait for its own suspension: it stops at its next poll or return to the
 * VM. */
enum suspend_result thread_suspend_later(struct os_thread *self, struct java_thread *t, struct object *mirror);
/* False: not suspended, or ended. */
bool thread_resume(struct os_thread *self, struct java_thread *t, struct object *mirror);
/* The same for a profiler (JVMPI), independent of the above: a thread runs when it is neither suspended nor held. Not
 * for the caller itself. */
enum suspend_result thread_hold(struct os_thread *self, struct java_thread *t, struct object *mirror);
bool thread_let_go(struct os_thread *self, struct java_thread *t, struct object *mirror);
/* The current thread runs foreign code although it is suspended: it stops when it enters the VM. */
static inline bool thread_is_suspended_in_native(const struct os_thread *self) {
    return atomic_load(&self->attention) & POLL_SUSPEND && atomic_load(&self->state) == THREAD_IN_NATIVE;
}
/* Returns when it has been resumed. State IN_NATIVE, and stays so. */
void thread_wait_while_suspended(struct os_thread *self);

/* A slot of t's Java stack before its youngest frame: there lie the arguments of native methods. Thread: t itself. */
static inline bool thread_stack_holds(const struct java_thread *t, const uint64_t *slot) {
    return slot >= t->stack_low && slot < (const uint64_t *)t->frame && (uintptr_t)slot % sizeof *slot == 0;
}

/* Reports a thread's exact roots (mirror, exception, handles, lock stack...) and its C segments; Java frames are
 * visited by thread_hooks.visit_frames. World stopped. */
void threads_visit_roots(struct heap_visitor *v);

/* ---- blocking Java operations ------------------------------------------------------------------------------------ */

/* Unsafe.park: ns, or ms since epoch; 0 = for ever */
void thread_park(struct os_thread *self, bool absolute, int64_t time);
void thread_unpark(struct java_thread *t);    /* caller holds the list lock or owns t */
bool thread_sleep(struct os_thread *self, int64_t nanos);  /* false: interrupted (flag cleared by the caller's rules) */
void thread_interrupt(struct java_thread *t);                                      /* wakes park, sleep and wait */
/* Makes t, which is not the caller, throw `exception` at its next poll; wakes park, sleep and wait. Under the list
 * lock. */
void thread_stop(struct java_thread *t, struct object *exception);
/* The flag Thread.interrupted as Java code sees it, cleared on demand; without a mirror java_thread.interrupted counts.
 * Caller is in the VM and t is alive. */
bool thread_is_interrupted(struct java_thread *t, bool clear);


#endif
