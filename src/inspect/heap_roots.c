/* heap_roots.c: what keeps objects alive from outside the heap, root by root. Only exact roots: what the collector
 * finds by scanning the VM's own C frames is not reported. */
#include "inspect/heap_walk_internal.h"
#include "inspect/stack.h"
#include "thread/handle.h"
#include "thread/identity.h"

static void root(struct heap_walk *w, enum walk_kind kind, struct object *o) {
    if (o == NULL) return;
    struct walk_reference r = {.kind = kind, .index = -1, .object = o};
    walk_report(w, &r);
}

/* ---- classes and handles ----------------------------------------------------------------------------------------- */

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

/* ---- threads ----------------------------------------------------------------------------------------------------- */

struct frame_roots {
    struct heap_walk *walk;
    enum walk_kind kind;
    struct walk_stack_root stack;
};

static void stack_root(struct heap_walk *w, enum walk_kind kind, const struct walk_stack_root *stack,
                       struct object *o) {
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
    struct frame_cursor c = frame_first(t);
    for (; cursor_valid(&c) && !w->stopped && !w->failed; frame_next(&c), depth++) {
        struct frame_roots roots = {w, cursor_is_native(&c) ? WALK_ROOT_JNI_LOCAL : WALK_ROOT_STACK_LOCAL,
                                    {.thread = t, .code = cursor_code(&c), .depth = depth, .bci = cursor_bci(&c)}};
        frame_references(&c, frame_slot, &roots);
    }
}

struct local_roots {
    struct heap_walk *walk;
    struct walk_stack_root stack;
    const struct handle_block *base;     /* of those that are visited                                             */
    struct frame_cursor native;          /* the native frame with the handles that came last; at first the youngest */
    int depth;                           /* ... its                                                                */
};

/* The handles of a callback, which has no frame of its own, are given to the youngest frame. */
static void come_to(struct local_roots *l, const struct handle_block *base) {
    struct frame_cursor c = l->native, youngest = frame_first(l->stack.thread);
    int depth = l->depth;
    l->base = base;
    while (cursor_valid(&c) && !(cursor_is_native(&c) && (const void *)cursor_operands(&c) == base)) {
        frame_next(&c);
        depth++;
    }
    bool is_found = cursor_valid(&c);
    l->stack.code = is_found ? cursor_code(&c) : cursor_valid(&youngest) ? cursor_code(&youngest) : NULL;
    l->stack.depth = is_found ? depth : 0;
    if (!is_found) return;
    l->native = c;
    l->depth = depth;
}

static bool local_handle(void *arg, const struct handle_block *base, struct object *o) {
    struct local_roots *l = arg;
    struct heap_walk *w = l->walk;
    if (base != l->base) come_to(l, base);
    stack_root(w, WALK_ROOT_JNI_LOCAL, &l->stack, o);
    return !w->stopped && !w->failed;
}

static void local_handles(struct heap_walk *w, struct java_thread *t) {
    struct local_roots roots = {.walk = w, .stack = {.thread = t, .bci = -1}, .native = frame_first(t)};
    if (!w->stopped && !w->failed) thread_each_local(t, local_handle, &roots);
}

struct record_roots {
    struct heap_walk *walk;
    const struct java_thread *thread;
};

/* The thread's own object counts once, as the thread. */
static void record_root(void *arg, enum thread_root kind, struct object *o) {
    const struct record_roots *r = arg;
    if (kind == THREAD_ROOT_MIRROR) root(r->walk, r->thread->hidden ? WALK_ROOT_OTHER : WALK_ROOT_THREAD, o);
    else if (kind == THREAD_ROOT_MONITOR) root(r->walk, WALK_ROOT_MONITOR, o);
    else if (o != r->thread->mirror) root(r->walk, WALK_ROOT_OTHER, o);
}

static void thread(struct heap_walk *w, struct java_thread *t) {
    struct record_roots r = {w, t};
    thread_each_root(t, record_root, &r);
    frames(w, t);
    local_handles(w, t);
}

void walk_roots(struct heap_walk *w) {
    handles_walk_global(false, global_handle, w);
    class_walk_all(system_class, w);
    for (struct java_thread *t = threads_first(); t; t = t->next) thread(w, t);
    root(w, WALK_ROOT_OTHER, vm->main_thread_group);
    root(w, WALK_ROOT_OTHER, vm->system_thread_group);
    for (size_t i = 0; i < ARRAY_LEN(vm->link->out_of_memory_errors); i++)
        root(w, WALK_ROOT_OTHER, vm->link->out_of_memory_errors[i]);
    root(w, WALK_ROOT_OTHER, vm->link->stack_overflow_error);
}
