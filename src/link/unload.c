/* unload.c — what keeps classes alive, and how they go: the collector's view of loaders, hidden classes and their
 * roots. */
#include "base/events.h"
#include "base/log.h"
#include "base/perf_data.h"
#include "heap/heap.h"
#include "link/link_internal.h"
#include "link/resolve_internal.h"
#include "thread/handle.h"
#include "thread/monitor.h"
#include "thread/roots.h"

/* ---- marking: called by marking threads, read only --------------------------------------------------------------- */

static bool visit_initiated(uint64_t key, uint64_t value, void *arg) {
    (void)key;
    heap_visit_holder(arg, ((struct class *)(uintptr_t)value)->shape.holder);
    return true;
}

static void visit_class(struct heap_visitor *v, struct class *c) {
    heap_visit(v, c->mirror);
    heap_visit(v, c->statics);
    heap_visit(v, c->protection_domain);
    heap_visit(v, c->signers);
    heap_visit(v, c->class_data_root);
    heap_visit(v, c->init_error);
    if (c->super != NULL) heap_visit_holder(v, c->super->shape.holder);
    for (uint32_t i = 0; i < c->interface_count; i++) heap_visit_holder(v, c->interfaces[i]->shape.holder);
}

void link_visit_holder(struct heap_visitor *v, struct class_holder *base) {
    struct holder_record *h = (struct holder_record *)base;
    heap_visit(v, h->object);
    for (struct class *c = __atomic_load_n(&h->classes, __ATOMIC_ACQUIRE); c != NULL; c = c->next_in_holder)
        visit_class(v, c);
    holder_visit_roots(v, h);
    if (h != &h->loader->holder) {       /* a hidden class: its loader */
        heap_visit_holder(v, &h->loader->holder.base);
        return;
    }
    modules_visit(v, h->loader);
    dictionary_visit(h->loader, visit_initiated, v);
}

struct class_holder *link_holder_of(struct object *o) {
    if (shape_of(o)->kind == SHAPE_MIRROR) {
        struct class *c = class_of_mirror(o);
        return c ? c->shape.holder : NULL;
    }
    struct loader *l = (struct loader *)(uintptr_t)field_load(o, known_offset(ClassLoader_loader), T_LONG);
    return l ? &l->holder.base : NULL;
}

void link_visit_roots(struct heap_visitor *v) {
    threads_visit_roots(v);
    handles_visit_global(v);
    for (size_t i = 0; i < ARRAY_LEN(vm->link->out_of_memory_errors); i++)
        heap_visit(v, vm->link->out_of_memory_errors[i]);
    heap_visit(v, vm->link->stack_overflow_error);
    heap_visit(v, vm->main_thread_group);
    heap_visit(v, vm->system_thread_group);
    link_visit_holder(v, &vm->boot_loader->holder.base);
    for (struct class_holder *h = li()->holders; h != NULL; h = h->next)
        if (!vm->options->flags.ClassUnloading || atomic_load(&((struct holder_record *)h)->defining) != 0)
            heap_visit_holder(v, h);
}

void link_clear_weak(bool (*is_live)(struct object *o)) {
    handles_clear_weak(is_live);
    monitors_sweep(is_live);
    strings_clear_weak(is_live);
    threads_clear_weak(is_live);
}

/* ---- unloading: world stopped, one thread ------------------------------------------------------------------------ */

void class_version_free(struct class_version *v) {
    struct arena *arena = v->arena, *of_class = v->class->arena;
    resolution_errors_free(v);
    for (uint32_t i = 0; i < v->code_count; i++) mem_free(atomic_load(&v->codes[i].stack_maps));
    classfile_release(v->cf);
    if (arena != of_class) arena_free(arena);
}

static void free_added_methods(struct class *c) {
    struct added_methods *added = c->added_methods;
    if (added == NULL) return;
    for (uint32_t slot = added->first; slot < c->method_count; slot++) {
        struct method *m = class_method_at(c, slot);
        symbol_release(m->name);
        symbol_release(m->desc);
    }
    for (unsigned i = 0; i < ARRAY_LEN(added->blocks); i++) mem_free(added->blocks[i]);
    mem_free(added);
}

static void free_class(struct class *c) {
    class_id_retire(c->shape.id, atomic_load(&c->ids_given));
    class_id_retire(c->statics_shape.id, 0);
    method_index_free(c);
    mem_free(c->initial_bytes);
    for (uint32_t i = 0; c->methods != NULL && i < c->method_count; i++) mem_free(class_method_at(c, i)->native_data);
    free_added_methods(c);
    for (struct class_version *v = c->version, *older; v != NULL; v = older) {
        older = v->older;
        class_version_free(v);
    }
    if (c->cf == NULL) {                 /* an array class: a record of its own */
        symbol_release(c->name);
        if (class_is_array(c)) mem_free(c);
        return;
    }
    struct arena *arena = c->arena;      /* c lies in it */
    if (c->version == NULL) classfile_release(c->cf);
    arena_free(arena);
}

static void unload_class(struct class *c) {
    if (log_enabled(LOG_class_unload, LOG_INFO)) {
        MAY_ALLOCATE("the line has no name");
        char *name = class_external_name(c);
        log_info(class_unload, "unloading class %s 0x%016lx", name ? name : "?", (unsigned long)(uintptr_t)c);
        mem_free(name);
    }
    event_note(EVENT_UNLOAD, NULL, "Unloading class 0x%016lx '%s'", (unsigned long)(uintptr_t)c, c->name->bytes);
    link_hooks.class_unloads(c);
    li()->unloaded++;
    perf_add(PERF_CLASSES_UNLOADED, 1);
    if (c->cf != NULL) perf_add(PERF_CLASS_BYTES_UNLOADED, (int64_t)c->cf->length);
    free_class(c);
}

static void unload_holder(struct holder_record *h, void (*dispose)(struct class *c)) {
    struct loader *l = h->loader;
    if (h == &l->holder) constraints_purge(l);     /* reads the classes that constraints name */
    for (struct class *c = h->classes, *next; c != NULL; c = next) {
        next = c->next_in_holder;
        dispose(c);
    }
    for (struct class *c = h->failed, *next; c != NULL; c = next) {
        next = c->next_in_holder;
        free_class(c);
    }
    holder_free_roots(h);
    struct arena *arena = h->arena;
    if (h == &l->holder) {
        for (struct loader **p = &li()->loaders; *p != NULL; p = &(*p)->next)
            if (*p == l) {
                *p = l->next;
                break;
            }
        module_tables_free(l);
        dictionary_free(l);
        mem_free(l);
    } else {
        mem_free(h);
    }
    arena_free(arena);
}

void link_unload(void) {
    struct class_holder **p = &li()->holders;
    bool any = false;
    while (*p != NULL) {
        struct class_holder *h = *p;
        if (h->permanent) {
            p = &h->next;
        } else if (atomic_load(&h->marked)) {
            atomic_store(&h->marked, false);
            p = &h->next;
        } else {
            *p = h->next;
            any = true;
            unload_holder((struct holder_record *)h, unload_class);
        }
    }
    if (any) link_hooks.class_ids_retired();
    metadata_set_mark();
    boot_image_trim();
}

const char *link_class_name(const struct object *o) {
    const struct class *c = shape_of(o)->kind == SHAPE_STATICS ? class_of_statics(o) : class_of(o);
    return c->name->bytes;
}

void link_destroy(void) {
    if (vm->link == NULL) return;
    for (struct class_holder *h = li()->holders, *next; h != NULL; h = next) {
        next = h->next;
        unload_holder((struct holder_record *)h, free_class);
    }
    strings_destroy();
    boot_path_destroy();
    mem_free(vm->link->internal);
    mem_free(vm->link);
    vm->link = NULL;
    vm->boot_loader = NULL;
}

void class_counts(uint64_t *loaded, uint64_t *unloaded) {
    *loaded = __atomic_load_n(&li()->loaded, __ATOMIC_RELAXED);
    *unloaded = __atomic_load_n(&li()->unloaded, __ATOMIC_RELAXED);
}
