/* hooks.h: what the heap asks of the rooms above it, but for events. A table of constants that vm/hooks.c fills; a unit
 * test of this room may define its own.
 *
 * Order in a collection: gc_start, visit_roots (visit_holder, holder_of), clear_weak, object_free, gc_marked, unload,
 * collected, gc_finish, and after the world runs again references_pending. There is no collection before
 * heap_set_reference_layout: until then nobody could say where the roots are. */
#ifndef VITRINE_HEAP_HOOKS_H
#define VITRINE_HEAP_HOOKS_H

#include <stdbool.h>

struct class_holder;
struct heap_collection;
struct heap_visitor;
struct object;
struct os_thread;

struct heap_hooks {
    /* At a safepoint, by the collecting thread: thread stacks, handles, the VM's own roots. */
    void (*visit_roots)(struct heap_visitor *v);
    /* Mirrors, statics, cells, the loader object. By marking threads that are no carriers, several at once (each holder
     * is visited once per marking, by one of them): takes no locks and only reads. */
    void (*visit_holder)(struct heap_visitor *v, struct class_holder *h);
    /* The holder that an object of SHAPE_MIRROR or SHAPE_LOADER stands for; NULL: none. As visit_holder. */
    struct class_holder *(*holder_of)(struct object *mirror_or_loader);
    /* Weak handles, string table, monitors. World stopped. */
    void (*clear_weak)(bool (*is_live)(struct object *o));
    /* Unmarked holders go; clears `marked` of the others that are not permanent. World stopped. */
    void (*unload)(void);
    /* The figures of a collection. World stopped. */
    void (*collected)(const struct heap_collection *c);
    /* References wait to be enqueued. After a collection, in the thread that asked for it. */
    void (*references_pending)(void);
    /* Makes OutOfMemoryError pending; nothing before the class library stands. IN_VM. */
    void (*out_of_memory)(struct os_thread *self, const char *message);
    /* The name of an object's class in the binary form, for messages of verification. Any state. */
    const char *(*class_name)(const struct object *o);
    /* More is in use than heap_watch_usage has asked for. In the thread that allocates, which may hold locks: only
     * wakes somebody. */
    void (*usage_reached)(void);
};
extern const struct heap_hooks heap_hooks;

#endif
