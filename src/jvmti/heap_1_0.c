/* heap_1_0.c: the Heap (1.0) chapter: the older traversals, over the same walks as the Heap chapter. */
#include "inspect/heap_walk.h"
#include "jvmti_gen.h"

#include <string.h>

struct basic_walk {
    struct tag_table *tags;
    struct heap_walk *walk;
    jvmtiHeapRootCallback root;
    jvmtiStackReferenceCallback stack;
    jvmtiObjectReferenceCallback reference;
    jvmtiHeapObjectCallback object;
    jvmtiHeapObjectFilter filter;
    struct class *only;                           /* instances of it and of its subclasses; NULL: all             */
    void *user_data;
    jvmtiError err;
};

static jlong class_tag(const struct basic_walk *w, const struct walk_class *wc) {
    return wc->class ? heap_tag_get(w->tags, class_mirror(wc->class)) : 0;
}

static bool write_tag(struct basic_walk *w, struct object *o, jlong before, jlong after) {
    if (before == after || heap_tag_set_stopped(w->tags, o, after)) return true;
    w->err = JVMTI_ERROR_OUT_OF_MEMORY;
    return false;
}

static enum walk_answer answer_of(jint control) {
    return control == JVMTI_ITERATION_ABORT ? WALK_STOP : control == JVMTI_ITERATION_IGNORE ? WALK_SKIP : WALK_EXPAND;
}

/* ---- references -------------------------------------------------------------------------------------------------- */

/* A root. The kinds are numbered from 1 here. */
static jint call_root(const struct basic_walk *w, const struct walk_reference *r, jlong of_class, jlong *tag) {
    jvmtiHeapRootKind kind = (jvmtiHeapRootKind)((int)r->kind - WALK_ROOT_JNI_GLOBAL + JVMTI_HEAP_ROOT_JNI_GLOBAL);
    jlong size = walk_size(r->class, r->object);
    if (r->kind != WALK_ROOT_STACK_LOCAL && r->kind != WALK_ROOT_JNI_LOCAL)
        return w->root ? w->root(kind, of_class, size, tag, w->user_data) : JVMTI_ITERATION_CONTINUE;
    if (w->stack == NULL) return JVMTI_ITERATION_CONTINUE;
    const struct walk_stack_root *s = r->stack;
    jlong thread_tag = s->thread->mirror ? heap_tag_get(w->tags, s->thread->mirror) : 0;
    return w->stack(kind, of_class, size, tag, thread_tag, s->depth, s->code ? method_code_id(s->code) : NULL,
                    r->kind == WALK_ROOT_STACK_LOCAL ? s->slot : -1, w->user_data);
}

/* References to superclasses had no kind of their own yet. */
static jint call_reference(const struct basic_walk *w, const struct walk_reference *r, jlong of_class, jlong *tag) {
    jvmtiObjectReferenceKind kind = r->kind == WALK_SUPERCLASS ? JVMTI_REFERENCE_CLASS
                                                               : (jvmtiObjectReferenceKind)r->kind;
    jlong referrer_tag = r->referrer == r->object ? *tag : heap_tag_get(w->tags, r->referrer);
    return w->reference(kind, of_class, walk_size(r->class, r->object), tag, referrer_tag, r->index, w->user_data);
}

static enum walk_answer report_reference(void *arg, const struct walk_reference *r) {
    struct basic_walk *w = arg;
    jlong tag = heap_tag_get(w->tags, r->object), before = tag, of_class = class_tag(w, r->class);
    jint control = r->referrer == NULL ? call_root(w, r, of_class, &tag) : call_reference(w, r, of_class, &tag);
    if (!write_tag(w, r->object, before, tag)) return WALK_STOP;
    /* Without a callback for them no references are followed. */
    return w->reference == NULL && control != JVMTI_ITERATION_ABORT ? WALK_SKIP : answer_of(control);
}

static jvmtiError follow(struct basic_walk *w, const struct jvmti_env *env, struct os_thread *self,
                         struct object *initial) {
    struct walk_visitor visitor = {report_reference, NULL, w, false};
    safepoint_begin(self, "IterateOverReachableObjects");
    MAY_ALLOCATE("the call answers OUT_OF_MEMORY");
    if ((w->err = jvmti_tags_in_stop(env, &w->tags)) == JVMTI_ERROR_NONE) {
        w->walk = heap_walk_new(&visitor);
        if ((w->walk == NULL || !heap_walk_follow(w->walk, initial)) && w->err == JVMTI_ERROR_NONE)
            w->err = JVMTI_ERROR_OUT_OF_MEMORY;
        heap_walk_free(w->walk);
    }
    safepoint_end(self);
    return w->err;
}

jvmtiError jvmti_iterate_over_objects_reachable_from_object(struct jvmti_env *env, struct os_thread *self,
                                                            struct object *object,
                                                            jvmtiObjectReferenceCallback object_reference_callback,
                                                            const void *user_data) {
    struct basic_walk w = {.reference = object_reference_callback, .user_data = (void *)(uintptr_t)user_data};
    return follow(&w, env, self, object);
}

jvmtiError jvmti_iterate_over_reachable_objects(struct jvmti_env *env, struct os_thread *self,
                                                jvmtiHeapRootCallback heap_root_callback,
                                                jvmtiStackReferenceCallback stack_ref_callback,
                                                jvmtiObjectReferenceCallback object_ref_callback,
                                                const void *user_data) {
    struct basic_walk w = {.root = heap_root_callback, .stack = stack_ref_callback, .reference = object_ref_callback,
                           .user_data = (void *)(uintptr_t)user_data};
    return follow(&w, env, self, NULL);
}

/* ---- every object ------------------------------------------------------------------------------------------------ */

static bool report_object(void *arg, struct object *o) {
    struct basic_walk *w = arg;
    struct walk_class *wc = heap_walk_class(w->walk, o->class_id);
    if (wc == NULL) {
        w->err = JVMTI_ERROR_OUT_OF_MEMORY;
        return false;
    }
    if (wc->kind == SHAPE_STATICS || (w->only && !class_is_subtype(wc->class, w->only))) return true;
    jlong tag = heap_tag_get(w->tags, o), before = tag;
    if (!(w->filter & (tag ? JVMTI_HEAP_OBJECT_TAGGED : JVMTI_HEAP_OBJECT_UNTAGGED))) return true;
    jint control = w->object(class_tag(w, wc), walk_size(wc, o), &tag, w->user_data);
    return write_tag(w, o, before, tag) && control != JVMTI_ITERATION_ABORT;
}

static enum walk_answer nothing(void *arg, const struct walk_reference *r) {
    (void)arg, (void)r;
    return WALK_STOP;
}

static jvmtiError iterate(struct jvmti_env *env, struct os_thread *self, struct class *only,
                          jvmtiHeapObjectFilter filter, jvmtiHeapObjectCallback callback, const void *user_data) {
    struct basic_walk w = {.object = callback,
                           .filter = filter,
                           .only = only,
                           .user_data = (void *)(uintptr_t)user_data};
    struct walk_visitor visitor = {nothing, NULL, &w, false};
    uint64_t held = slot_ref(only != NULL ? class_mirror(only) : NULL);
    safepoint_begin(self, "IterateOverHeap");
    MAY_ALLOCATE("the call answers OUT_OF_MEMORY");
    if ((w.err = jvmti_tags_in_stop(env, &w.tags)) == JVMTI_ERROR_NONE) {
        w.walk = heap_walk_new(&visitor);
        if (w.walk) heap_walk(report_object, &w);
        else w.err = JVMTI_ERROR_OUT_OF_MEMORY;
        heap_walk_free(w.walk);
    }
    safepoint_end(self);
    thread_keep(&held);
    return w.err;
}

jvmtiError jvmti_iterate_over_heap(struct jvmti_env *env, struct os_thread *self, jvmtiHeapObjectFilter object_filter,
                                   jvmtiHeapObjectCallback heap_object_callback, const void *user_data) {
    return iterate(env, self, NULL, object_filter, heap_object_callback, user_data);
}

jvmtiError jvmti_iterate_over_instances_of_class(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                                 jvmtiHeapObjectFilter object_filter,
                                                 jvmtiHeapObjectCallback heap_object_callback, const void *user_data) {
    if (class_is_primitive(klass)) return JVMTI_ERROR_NONE;          /* has no instances */
    return iterate(env, self, klass, object_filter, heap_object_callback, user_data);
}
