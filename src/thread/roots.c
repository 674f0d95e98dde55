/* What threads hold: exact roots of their records, and the C segments that are scanned conservatively. */
#include "thread/roots.h"
#include "thread/thread_internal.h"

#ifdef VITRINE_CHECK
static bool is_own_stack(const struct os_thread *t, uintptr_t address) {
    return address > t->c_stack_low && address <= t->c_stack_high;
}

/* A segment lies in the stack of a thread that runs, below the older ones. What a coroutine or a signal's stack holds
 * is only known to be mapped. */
static void check_segment(const struct os_thread *t, const struct c_segment *s, uintptr_t low) {
    vm_assert(atomic_load(&t->fate) == THREAD_LIVES && os_thread_exists(t->tid),
              "a C segment of thread %d, which has ended", t->tid);
    vm_assert(low >= s->base || os_is_mapped((const void *)low, s->base - low),
              "a C segment of thread %d in memory that is gone", t->tid);
    vm_assert(is_own_stack(t, low) == is_own_stack(t, s->base),
              "a C segment of thread %d begins and ends in different stacks", t->tid);
    const struct c_segment *older = s->previous;
    vm_assert(!older || os_is_mapped(older, sizeof *older),
              "a C segment of thread %d is recorded in memory that is gone", t->tid);
    vm_assert(!older || s->base <= older->base || !is_own_stack(t, s->base) || !is_own_stack(t, older->base),
              "C segments of thread %d are not in the order of its stack", t->tid);
}
#endif

static void visit_segments(struct heap_visitor *v, struct os_thread *t, uintptr_t running_exit) {
#ifdef VITRINE_CHECK
    vm_assert(!t->segment || os_is_mapped(t->segment, sizeof *t->segment),
              "a C segment of thread %d is recorded in memory that is gone", t->tid);
#endif
    for (struct c_segment *s = t->segment; s; s = s->previous) {
        /* Only the youngest segment of the thread that stopped the world may still be running; the collector has said
         * in `exit` where it was asked for. */
        uintptr_t low = s->exit ? s->exit : s == t->segment ? running_exit : 0;
        vm_assert(low != 0, "a stopped thread's C segment has no end");
#ifdef VITRINE_CHECK
        check_segment(t, s, low);
#endif
        if (low && low < s->base) heap_visit_words(v, (const void *)ALIGN_DOWN(low, 8), (const void *)s->base);
    }
}

static void visit_root(void *arg, enum thread_root kind, struct object *o) {
    (void)kind;
    heap_visit(arg, o);
}

NOINLINE void threads_visit_roots(struct heap_visitor *v) {
    REQUIRES(STOPPED);
    struct thread_list *list = thread_list();
    struct os_thread *self = current_thread();
    __builtin_unwind_init();
    uintptr_t here = thread_stack_pointer();
    for (struct java_thread *t = list->java; t; t = t->next) {
        java_thread_each_root(t, visit_root, v);
        thread_hooks.visit_frames(v, t);
    }
    for (struct os_thread *t = list->carriers; t; t = t->next) {
        carrier_each_root(t, visit_root, v);
        handles_visit_local(v, t);
        visit_segments(v, t, t == self ? here : 0);
    }
}

/* An exception that has died uncaught (native code dropped it): its address may become another one's. */
void threads_clear_weak(bool (*is_live)(struct object *o)) {
    REQUIRES(STOPPED);
    for (struct java_thread *t = threads_first(); t; t = t->next)
        if (t->reported_exception && !is_live(t->reported_exception)) t->reported_exception = NULL;
}
