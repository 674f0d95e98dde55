/* What threads hold: exact roots of their records, and the C segments that are scanned conservatively. */
#include "thread/roots.h"
#include "thread/thread_internal.h"

static void visit_segments(struct heap_visitor *v, struct os_thread *t, uintptr_t running_exit) {
    for (struct c_segment *s = t->segment; s; s = s->previous) {
        /* Only the youngest segment of the thread that stopped the world may still be running; the collector has said in `exit`
         * where it was asked for. */
        uintptr_t low = s->exit ? s->exit : s == t->segment ? running_exit : 0;
        vm_assert(low != 0, "a stopped thread's C segment has no end");
        if (low && low < s->base) heap_visit_words(v, (const void *)ALIGN_DOWN(low, 8), (const void *)s->base);
    }
}

NOINLINE void threads_visit_roots(struct heap_visitor *v) {
    struct thread_list *list = thread_list();
    struct os_thread *self = current_thread();
    __builtin_unwind_init();
    uintptr_t here = thread_stack_pointer();
    for (struct java_thread *t = list->java; t; t = t->next) {
        heap_visit(v, t->mirror);
        heap_visit(v, t->blocked_object);
        heap_visit(v, t->pending_async);
        heap_visit(v, t->scoped_cache);
        if (t->request.is_reference) heap_visit(v, (struct object *)(uintptr_t)t->request.value);
        for (uint32_t i = 0; i < t->lock_count; i++) heap_visit(v, t->locks[i].object);
        if (thread_visit_frames) thread_visit_frames(v, t);
    }
    for (struct os_thread *t = list->carriers; t; t = t->next) {
        heap_visit(v, t->exception);
        heap_visit(v, t->current_thread_object);
        handles_visit_local(v, t);
        visit_segments(v, t, t == self ? here : 0);
    }
}
