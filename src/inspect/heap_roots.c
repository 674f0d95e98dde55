/* heap_roots.c: what keeps objects alive from outside the heap, root by root. Only exact roots: what the collector finds by
 * scanning the VM's own C frames is not reported. */
#include "inspect/heap_walk_internal.h"
#include "inspect/stack.h"
#include "thread/handle.h"

static void root(struct heap_walk *w, enum walk_kind kind, struct object *o) {
    if (o == NULL) return;
    struct walk_reference r = {.kind = kind, .index = -1, .object = o};
    walk_report(w, &r);
}

/* ---- classes and handles ---------------------------------------------------------------------------------------------- */

static bool system_class(void *arg, struct class *c) {
    struct heap_walk *w = arg;
    if (c->shape.holder && c->shape.holder->permanent) root(w, WALK_ROOT_SYSTEM_CLASS, class_mirror(c));
    return !w->stopped && !w->failed;
}

static bool global_handle(void *arg, jobject handle, struct object *o) {
    struct heap_walk *w = arg;
    struct walk_reference r = {.kind = WALK_ROOT_JNI_GLOBAL, .index = -1, .object = o, .handle = handle};
    walk_report(w, &r);
    return !w->stopped && !w->failed;
}

/* ---- threads ---------------------------------------------------------------------------------------------------------- */

struct frame_roots {
    struct heap_walk *walk;
    enum walk_kind kind;
    struct walk_stack_root stack;
};

static void stack_root(struct heap_walk *w, enum walk_kind kind, const struct walk_stack_root *stack, struct object *o) {
    struct walk_reference r = {.kind = kind, .index = -1, .object = o, .stack = stack};
    walk_report(w, &r);
}

static bool frame_slot(void *arg, int slot, struct object *o) {
    struct frame_roots *f = arg;
    f->stack.slot = slot;
    stack_root(f->walk, f->kind, &f->stack, o);
    return !f->walk->stopped && !f->walk->failed;
}

static void frames(struct heap_walk *w, struct java_thread *t) {
    int depth = 0;
    struct frame *callee = NULL;
    for (struct frame *f = t->frame; f && !w->stopped && !w->failed; callee = f, f = f->caller, depth++) {
        struct frame_roots roots = {w, f->flags & FRAME_NATIVE ? WALK_ROOT_JNI_LOCAL : WALK_ROOT_STACK_LOCAL,
                                    {.thread = t, .code = f->code, .depth = depth, .bci = frame_bci(f)}};
        frame_references(f, callee, frame_slot, &roots);
    }
}

/* Handle blocks do not say which frame made them: all are given to the youngest. */
static void local_handles(struct heap_walk *w, struct java_thread *t) {
    struct walk_stack_root stack = {.thread = t, .code = t->frame ? t->frame->code : NULL, .bci = -1};
    for (struct handle_block *b = t->carrier ? t->carrier->handles : NULL; b; b = b->previous)
        for (uint32_t i = 0; i < b->used && !w->stopped && !w->failed; i++)
            if (b->slots[i]) stack_root(w, WALK_ROOT_JNI_LOCAL, &stack, (struct object *)(uintptr_t)b->slots[i]);
}

static void thread(struct heap_walk *w, struct java_thread *t) {
    root(w, t->hidden ? WALK_ROOT_OTHER : WALK_ROOT_THREAD, t->mirror);
    frames(w, t);
    local_handles(w, t);
    for (uint32_t i = 0; i < t->lock_count; i++) root(w, WALK_ROOT_MONITOR, t->locks[i].object);
    root(w, WALK_ROOT_MONITOR, t->blocked_object);
    root(w, WALK_ROOT_OTHER, t->pending_async);
    root(w, WALK_ROOT_OTHER, t->scoped_cache);
    if (t->carrier) {
        root(w, WALK_ROOT_OTHER, t->carrier->exception);
        root(w, WALK_ROOT_OTHER, t->carrier->current_thread_object);
    }
}

void walk_roots(struct heap_walk *w) {
    handles_walk_global(false, global_handle, w);
    class_walk_all(system_class, w);
    for (struct java_thread *t = threads_first(); t; t = t->next) thread(w, t);
    root(w, WALK_ROOT_OTHER, vm->main_thread_group);
    root(w, WALK_ROOT_OTHER, vm->system_thread_group);
    for (size_t i = 0; i < ARRAY_LEN(vm->link->out_of_memory_errors); i++) root(w, WALK_ROOT_OTHER, vm->link->out_of_memory_errors[i]);
    root(w, WALK_ROOT_OTHER, vm->link->stack_overflow_error);
}
