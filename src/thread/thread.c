/* Life of threads: attaching, starting, ending; the lists of Java threads and carriers. */
#include "thread/thread_internal.h"

#include <errno.h>
#include <setjmp.h>

#include "base/events.h"
#include "base/options.h"
#include "base/perf_data.h"
#include "thread/exited.h"

_Thread_local struct os_thread *current_thread_tls;


enum {
    DEFAULT_STACK = 1 << 20,
    JAVA_STACK_MINIMUM = 64 << 10,
    JAVA_STACK_RESERVE = 32 << 10,       /* behind stack_limit: what the VM runs to throw StackOverflowError    */
    NATIVE_STACK_MINIMUM = 256 << 10,
    NATIVE_STACK_RESERVE = 96 << 10,     /* below c_stack_limit: what a C function may need without asking again */
    SIGNAL_STACK = 64 << 10,    /* behind the Java stack: for the crash report when the C stack is at its end */
    FIRST_LOCKS = 16
};

_Static_assert(JAVA_STACK_UNASKED * sizeof(uint64_t) <= JAVA_STACK_RESERVE / 2, "compiled code takes too much of it");

static size_t default_stack(void) {
    size_t wanted = vm->options ? vm->options->thread_stack_size : 0;
    return wanted ? wanted : DEFAULT_STACK;
}

/* Bytes of a Java stack's mapping with the signal stack behind it, for a stack of `java_stack_bytes` (0: the usual
 * size). */
static size_t stack_mapping(size_t java_stack_bytes) {
    size_t bytes = java_stack_bytes ? java_stack_bytes : default_stack();
    return ALIGN_UP(MAX(bytes, (size_t)JAVA_STACK_MINIMUM) + JAVA_STACK_RESERVE, os_page_size()) + SIGNAL_STACK;
}

static size_t stack_mapping_of(const struct java_thread *j) {
    return (size_t)((char *)j->stack_high - (char *)j->stack_low) + SIGNAL_STACK;
}

/* ---- the room ---------------------------------------------------------------------------------------------------- */

bool threads_create(void) {
    struct thread_list *list = exited_prepare() ? mem_zalloc(sizeof *list) : NULL;
    if (!list) return false;
    lock_init(&list->lock, "thread list", LOCK_RANK_THREADS);
    lock_init(&list->stop_lock, "stop of the world", LOCK_RANK_SAFEPOINT);
    list->usual_stack = stack_mapping(0);
    vm->threads = list;
    return true;
}

void thread_list_join_ended(struct thread_list *list) {
    for (uint32_t n; (n = atomic_load(&list->leaving)) != 0;) os_futex_wait(&list->leaving, n, INT64_MAX);
    uintptr_t ended = atomic_exchange(&list->ended, 0);
    if (ended != 0) pthread_join((pthread_t)ended, NULL);
}

void threads_destroy(void) {
    struct thread_list *list = thread_list();
    if (!list) return;
    thread_list_join_ended(list);
    for (struct os_thread *t = list->carriers, *next; t; t = next) {
        next = t->next;
        thread_strip(t);
        if (t == current_thread()) {
            if (t->has_signal_stack) sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
            thread_unbind(t);
        }
        thread_records_free(t);
    }
    for (size_t i = 0; i < ARRAY_LEN(list->spare_stacks); i++)
        if (list->spare_stacks[i]) os_release(list->spare_stacks[i], list->usual_stack);
    mem_free(list);
    vm->threads = NULL;
}

struct java_thread *threads_first(void) { return thread_list()->java; }

unsigned threads_count(unsigned *daemons, unsigned *peak, uint64_t *started) {
    struct thread_list *list = thread_list();
    if (daemons) *daemons = list->daemons;
    if (peak) *peak = list->peak;
    if (started) *started = list->started;
    return list->count;
}

void threads_reset_peak(struct os_thread *self) {
    REQUIRES(IN_VM);
    threads_lock(self);
    thread_list()->peak = thread_list()->count;
    perf_set(PERF_THREADS_PEAK, thread_list()->peak);
    threads_unlock(self);
}

/* The first of the two places for what stands at p. */
static struct java_thread **places(struct java_thread **table, const void *p) {
    return &table[((uint32_t)((uintptr_t)p >> 3) * 0x9E3779B1u >> (32 - THREAD_PLACE_BITS)) & ~1u];
}

static void place(struct java_thread **two, struct java_thread *t) {
    two[1] = two[0];
    two[0] = t;
}

struct java_thread *thread_of_mirror(struct object *mirror) {
    if (!mirror) return NULL;
    struct thread_list *list = thread_list();
    struct java_thread **two = places(list->by_mirror, mirror);
    for (int i = 0; i < 2; i++)
        if (two[i] && two[i]->mirror == mirror) return two[i];
    for (struct java_thread *t = list->java; t; t = t->next)
        if (t->mirror == mirror) {
            place(two, t);
            return t;
        }
    return NULL;
}

bool thread_is_listed(struct thread_list *list, struct java_thread *t) {
    struct java_thread **two = places(list->by_record, t);
    if (two[0] == t || two[1] == t) return true;
    for (const struct java_thread *p = list->java; p; p = p->next)
        if (p == t) {
            place(two, t);
            return true;
        }
    return false;
}

static void clear_places(struct java_thread **table, size_t count, const struct java_thread *t) {
    for (size_t i = 0; i < count; i++)
        if (table[i] == t) table[i] = NULL;
}

/* Nobody finds t any more. */
static void forget_places(struct thread_list *list, const struct java_thread *t) {
    clear_places(places(list->by_record, t), 2, t);
    if (t->mirror) clear_places(places(list->by_mirror, t->mirror), 2, t);
    else clear_places(list->by_mirror, THREAD_PLACES, t);     /* it may have had one */
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* A Java stack of `mapping` bytes, not cleared; NULL: no memory. */
static uint64_t *stack_new(size_t mapping) {
    struct thread_list *list = thread_list();
    for (size_t i = 0; mapping == list->usual_stack && i < ARRAY_LEN(list->spare_stacks); i++) {
        uint64_t *spare = atomic_exchange(&list->spare_stacks[i], NULL);
        if (spare) return spare;
    }
    uint64_t *low = os_reserve_for(MEMORY_THREAD_STACK, NULL, mapping);
    if (low && !os_commit(low, mapping)) {
        os_release(low, mapping);
        return NULL;
    }
    return low;
}

/* Keeps the stack of an ending thread for the next one: mapping one is most of what a short attachment costs. */
static void stack_keep(struct thread_list *list, struct java_thread *j) {
    if (stack_mapping_of(j) != list->usual_stack) return;
    for (size_t i = 0; i < ARRAY_LEN(list->spare_stacks); i++) {
        uint64_t *none = NULL;
        if (!atomic_compare_exchange_strong(&list->spare_stacks[i], &none, j->stack_low)) continue;
        j->stack_low = NULL;
        return;
    }
}

void thread_records_free(struct os_thread *t) {
    struct java_thread *j = t->java;
    if (j) {
        for (int i = 0; i < EXT_COUNT; i++)
            if (j->extensions[i]) thread_hooks.free_extension[i](j->extensions[i]);
        if (j->stack_low) os_release(j->stack_low, stack_mapping_of(j));
        mem_free(j->locks);
        mem_free(j);
    }
    mem_free(t);
}

static struct os_thread *records_new(size_t java_stack_bytes, bool daemon) {
    struct os_thread *t = mem_zalloc(sizeof *t);
    if (!t) return NULL;
    struct java_thread *j = t->java = mem_zalloc(sizeof *j);
    if (!j) { mem_free(t); return NULL; }
    size_t mapping = stack_mapping(java_stack_bytes);
    j->locks = mem_alloc(FIRST_LOCKS * sizeof *j->locks);
    j->lock_capacity = FIRST_LOCKS;
    j->stack_low = stack_new(mapping);
    if (j->stack_low) {
        j->stack_high = (uint64_t *)((char *)j->stack_low + (mapping - SIGNAL_STACK));
        j->stack_limit = (uint64_t *)((char *)j->stack_high - JAVA_STACK_RESERVE);
    }
    if (!j->locks || !j->stack_low) { thread_records_free(t); return NULL; }
    j->carrier = t;
    j->daemon = daemon;
    j->vm_exit_waits = !daemon;
    j->node.thread = j;
    t->env = atomic_load(&vm->jni_functions);
    lock_init(&t->transition, "carrier", LOCK_RANK_CARRIER);
    lock_init(&j->hold, "handshake", LOCK_RANK_HANDSHAKE);
    atomic_init(&t->attention, os_membarrier_available() ? 0 : POLL_FENCE);
    atomic_init(&t->dispatch, thread_dispatch_fast);
    return t;
}

static void bind(struct os_thread *t) {
    current_thread_set(t);
    exited_bind(t);
}

void thread_unbind(struct os_thread *t) {
    bind(NULL);
    pthread_sigmask(SIG_SETMASK, &t->mask_before, NULL);
}

/* What only the thread itself can find out. */
static void bind_to_calling_thread(struct os_thread *t) {
    uintptr_t low, high;
    size_t guard;
    t->tid = (int)os_thread_id();
    t->pthread = (uintptr_t)pthread_self();
    if (os_thread_stack_bounds(&low, &high, &guard)) {
        size_t reserve = MIN((size_t)NATIVE_STACK_RESERVE, (high - low) / 4);
        t->c_stack_low = low;
        t->c_stack_high = high;
        t->c_stack_limit = low + guard + reserve;
    }
    stack_t old, own = { .ss_sp = t->java->stack_high, .ss_size = SIGNAL_STACK };
    t->has_signal_stack = sigaltstack(NULL, &old) == 0 && (old.ss_flags & SS_DISABLE) && sigaltstack(&own, NULL) == 0;
    bind(t);
    os_signal_unblock(&t->mask_before);
}

static bool is_counted(const struct java_thread *j) { return !j->hidden && !j->of_tool; }

static void show_counts(const struct thread_list *list) {
    perf_set(PERF_THREADS_STARTED, (int64_t)list->started);
    perf_set(PERF_THREADS_LIVE, list->count);
    perf_set(PERF_THREADS_PEAK, list->peak);
    perf_set(PERF_THREADS_DAEMON, list->daemons);
}

/* Caller holds the list lock. */
static void list_insert(struct thread_list *list, struct os_thread *t) {
    struct java_thread *j = t->java;
    atomic_fetch_or(&t->attention, list->marks);
    t->next = list->carriers;
    if (t->next) t->next->previous = t;
    list->carriers = t;
    j->previous = list->java_last;
    if (j->previous) j->previous->next = j; else list->java = j;
    list->java_last = j;
    if (is_counted(j)) {
        list->count++;
        list->started++;
        if (j->daemon) list->daemons++;
        if (list->count > list->peak) list->peak = list->count;
        show_counts(list);
    }
    if (j->vm_exit_waits) atomic_fetch_add(&list->users, 1);
}

void thread_list_remove(struct thread_list *list, struct os_thread *t) {
    struct java_thread *j = t->java;
    if (t->previous) t->previous->next = t->next; else list->carriers = t->next;
    if (t->next) t->next->previous = t->previous;
    if (j->previous) j->previous->next = j->next; else list->java = j->next;
    if (j->next) j->next->previous = j->previous; else list->java_last = j->previous;
    forget_places(list, j);
    if (!is_counted(j)) return;
    list->count--;
    if (j->daemon) list->daemons--;
    show_counts(list);
}

/* ---- attaching and ending ---------------------------------------------------------------------------------------- */

static void enter_first_segment(struct os_thread *t, uintptr_t base) {
    t->first_segment = (struct c_segment){ .previous = NULL, .base = base, .exit = 0 };
    transition_enter(t, THREAD_IN_NATIVE, POLL_STOPS);
    t->segment = &t->first_segment;
}

struct os_thread *thread_attach_current(uintptr_t base, size_t java_stack_bytes, bool daemon) {
    if (!vm_guard_enter()) return NULL;
    struct thread_list *list = thread_list();
    struct os_thread *t = records_new(java_stack_bytes, daemon);
    if (!t) {
        vm_guard_leave();
        return NULL;
    }
    t->attached = true;
    atomic_init(&t->state, THREAD_IN_NATIVE);
    bind_to_calling_thread(t);
    if (!threads_lock_for_change(NULL)) {
        if (t->has_signal_stack) sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
        thread_unbind(t);
        thread_records_free(t);
        vm_guard_leave();
        return NULL;
    }
    list_insert(list, t);
    lock_release(&list->lock);
    vm_guard_leave();
    enter_first_segment(t, base);
    log_debug(os_thread, "Thread attached (tid: %d).", t->tid);
    event_note(EVENT_THREAD, t->java, "Thread added: 0x%016" PRIxPTR, (uintptr_t)t->java);
    return t;
}

/* Threads join each other, so that at most one that has ended is not joined: where one waits for that, who ends joins
 * it first. Nobody who joins another waits to be joined meanwhile: else ends would come in turn, and threads that are
 * started faster than that would pile up. The end of the VM joins the last one. */
static void let_others_join(struct thread_list *list) {
    for (uintptr_t other = 0; !atomic_compare_exchange_strong(&list->ended, &other, (uintptr_t)pthread_self());
         other = 0) {
        other = atomic_exchange(&list->ended, 0);
        if (other != 0) pthread_join((pthread_t)other, NULL);
    }
    if (atomic_fetch_sub(&list->leaving, 1) == 1) os_futex_wake(&list->leaving, OS_WAKE_ALL);
}

void thread_detach_current(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    struct thread_list *list = thread_list();
    vm_assert(self == current_thread(), "detaching another thread");
    monitor_exit_all(self);
    thread_hooks.ends(self);
    handle_release_all(self);
    monitor_release_slot(self->java);
    bool waited_for = self->java->vm_exit_waits, attached = self->attached;
    log_debug(os_thread, "Thread finished (tid: %d).", self->tid);
    event_note(EVENT_THREAD, self->java, "Thread exited: 0x%016" PRIxPTR, (uintptr_t)self->java);

    if (self->has_signal_stack) sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL);
    (void)threads_lock_for_change(self);
    thread_list_remove(list, self);
    stack_keep(list, self->java);        /* here: behind the lock the VM may be gone */
    if (!attached) atomic_fetch_add(&list->leaving, 1);
    self->java->mirror = NULL;
    atomic_store(&self->java->life, LIFE_GONE);
    atomic_store(&self->state, THREAD_TERMINATED);
    lock_release(&list->lock);
    transition_fence(self);
    transition_notify(self);
    struct java_thread *t = self->java;
    for (uint32_t pins; (pins = atomic_fetch_or(&t->pins, PINS_AWAITED) & ~PINS_AWAITED) != 0;)
        os_futex_wait(&t->pins, PINS_AWAITED | pins, INT64_MAX);
    thread_unbind(self);
    thread_records_free(self);
    /* Unless it is to be joined the VM may go as soon as the count falls; the wake uses only the address. */
    if (waited_for) {
        atomic_fetch_sub(&list->users, 1);
        os_futex_wake(&list->users, OS_WAKE_ALL);
    }
    if (!attached) let_others_join(list);
}

/* ---- starting ---------------------------------------------------------------------------------------------------- */

enum { GATE_CLOSED, GATE_OPEN };

struct start {
    struct os_thread *thread;
    void (*body)(struct os_thread *self, void *arg);
    void *arg;
    _Atomic uint32_t gate;               /* futex: opens when the thread is listed                              */
};

/* POSIX cancellation ends a thread that is in foreign code when the VM ends. One that ends by itself detaches later
 * (exited.c). */
static void cancelled(void *p) {
    struct os_thread *t = p;
    if (atomic_load(&t->attention) & POLL_END) thread_finish_end(t);
}

static NOINLINE void run_started(struct os_thread *t, void (*body)(struct os_thread *self, void *arg), void *arg) {
    REQUIRES(MAY_STOP);
    jmp_buf end;
    t->end_frame = &end;
    pthread_cleanup_push(cancelled, t);
    if (_setjmp(end) == 0) {
        enter_first_segment(t, (uintptr_t)__builtin_frame_address(0) + 16);
        body(t, arg);
        thread_detach_current(t);
    } else {
        thread_finish_end(current_thread());
    }
    pthread_cleanup_pop(0);
}

static void *start_main(void *p) {
    struct start *start = p, copy;
    while (atomic_load(&start->gate) == GATE_CLOSED) os_futex_wait(&start->gate, GATE_CLOSED, INT64_MAX);
    copy.thread = start->thread;
    copy.body = start->body;
    copy.arg = start->arg;
    mem_free(start);
    bind_to_calling_thread(copy.thread);
    if (copy.thread->java->name[0]) os_thread_set_name(copy.thread->java->name);
    log_debug(os_thread, "Thread is alive (tid: %d).", copy.thread->tid);
    event_note(EVENT_THREAD, copy.thread->java, "Thread added: 0x%016" PRIxPTR, (uintptr_t)copy.thread->java);
    run_started(copy.thread, copy.body, copy.arg);
    return NULL;
}

static void warn_not_started(const char *function, int err, size_t stack_bytes) {
    const char *code = strerrorname_np(err);
    log_warning(os_thread,
                "Failed to start thread \"Unknown thread\" - %s failed (%s) for attributes: stacksize: %zuk, "
                "guardsize: 0k, detached.",
                function, code ? code : "?", stack_bytes / KIB);
}

bool thread_start(struct os_thread *self, struct object *mirror, size_t stack_bytes, bool daemon,
                  enum thread_audience audience, const char *name, void (*prepare)(struct java_thread *jt),
                  void (*body)(struct os_thread *self, void *arg), void *arg) {
    struct thread_list *list = thread_list();
    struct start *start = mem_zalloc(sizeof *start);
    struct os_thread *t = start ? records_new(stack_bytes, daemon) : NULL;
    if (!t) {
        mem_free(start);
        warn_not_started("mmap", ENOMEM, stack_bytes ? stack_bytes : default_stack());
        return false;
    }
    struct java_thread *j = t->java;
    j->mirror = mirror;
    j->hidden = audience == THREAD_HIDDEN;
    j->of_tool = audience == THREAD_SHOWN_TO_TOOLS;
    t->current_thread_object = mirror;
    atomic_init(&t->state, THREAD_NEW);
    if (name) strncpy(j->name, name, sizeof j->name - 1);
    *start = (struct start){ .thread = t, .body = body, .arg = arg };

    /* Listed first: at every stop, a listed thread has its pthread, and none runs that is not listed. */
    (void)threads_lock_for_change(self);
    list_insert(list, t);
    lock_release(&list->lock);
    size_t native = MAX(stack_bytes ? stack_bytes : default_stack(), (size_t)NATIVE_STACK_MINIMUM) +
                    NATIVE_STACK_RESERVE;
    pthread_t thread;
    int err = os_thread_create(&thread, start_main, start, native, false);
    if (err) {
        (void)threads_lock_for_change(self);
        thread_list_remove(list, t);
        if (is_counted(j)) perf_set(PERF_THREADS_STARTED, (int64_t)--list->started);
        if (j->vm_exit_waits) atomic_fetch_sub(&list->users, 1);
        lock_release(&list->lock);
        warn_not_started("pthread_create", err, native - NATIVE_STACK_RESERVE);
        thread_records_free(t);
        mem_free(start);
        return false;
    }
    t->pthread = (uintptr_t)thread;
    if (prepare) prepare(j);
    atomic_store(&start->gate, GATE_OPEN);
    os_futex_wake(&start->gate, 1);
    return true;
}

NOINLINE void threads_wait_for_users(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    struct thread_list *list = thread_list();
    uint32_t mine = self && self->java->vm_exit_waits ? 1 : 0;
    if (self) thread_block_begin(self);
    for (uint32_t users; (users = atomic_load(&list->users)) > mine;) os_futex_wait(&list->users, users, INT64_MAX);
    if (self) thread_block_end(self);
}

bool thread_reserve_lock(struct os_thread *self) {
    REQUIRES(IN_VM);
    struct java_thread *t = self->java;
    if (t->lock_count < t->lock_capacity) return true;
    struct lock_entry *more = mem_realloc(t->locks, 2 * (size_t)t->lock_capacity * sizeof *more);
    if (!more) {
        thread_hooks.out_of_memory(self, "lock stack");
        return false;
    }
    t->locks = more;
    t->lock_capacity *= 2;
    return true;
}
