/* heap.c: the Heap chapter: tags, traversals with their filters and callbacks, forced collection.
 Reports are in
 * heap_report.h. */
#include "jvmti/heap_report.h"

#include "base/alloc.h"
#include "base/table.h"
#include "inspect/thread_info.h"

#include <stdlib.h>
#include <string.h>

static ALWAYS_INLINE bool reported(const struct report *rep, const struct walk_class *wc, jlong tag, jlong class_tag) {
    if (rep->only && wc->class != rep->only) return false;
    if (rep->filter == 0) return true;
    if (rep->filter & (tag ? JVMTI_HEAP_FILTER_TAGGED : JVMTI_HEAP_FILTER_UNTAGGED)) return false;
    return !(rep->filter & (class_tag ? JVMTI_HEAP_FILTER_CLASS_TAGGED : JVMTI_HEAP_FILTER_CLASS_UNTAGGED));
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static jvalue value_at(const struct object *base, const struct walk_field *f) {
    jvalue v;
    memset(&v, 0, sizeof v);
    const char *p = (const char *)base + f->offset;
    switch (f->type) {
    case 'Z': case 'B': memcpy(&v, p, 1); break;
    case 'C': case 'S': memcpy(&v, p, 2); break;
    case 'I': case 'F': memcpy(&v, p, 4); break;
    default: memcpy(&v, p, 8); break;
    }
    return v;
}

static bool primitive_fields(struct report *rep, struct object *o, struct walk_class *wc, struct object *base,
                             jvmtiHeapReferenceKind kind, const struct walk_field *fields, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        jlong tag = tag_of(rep, o), before = tag;
        jvmtiHeapReferenceInfo info;
        memset(&info, 0, sizeof info);
        info.field.index = fields[i].index;
        jint answer = rep->callbacks.primitive_field_callback(kind, &info, class_tag(rep, wc), &tag,
                                                              value_at(base, &fields[i]),
                                                              (jvmtiPrimitiveType)fields[i].type, rep->user_data);
        if (!take(rep, o, wc, before, tag, answer)) return false;
    }
    return true;
}

bool jvmti_report_static_fields(struct report *rep, struct object *mirror, struct walk_class *wc) {
    struct class *c = class_of_mirror(mirror);
    if (c == NULL || class_is_primitive(c)) return true;
    uint32_t references, primitives;
    struct walk_field *fields = heap_walk_statics(rep->walk, c, &references, &primitives);
    return primitive_fields(rep, mirror, wc, c->statics, JVMTI_HEAP_REFERENCE_STATIC_FIELD,
                            fields ? fields + references : NULL, primitives);
}

static bool string_value(struct report *rep, struct object *o, struct walk_class *wc) {
    int32_t length = string_length(o);
    if (length > rep->chars_capacity) {
        jchar *grown = mem_realloc(rep->chars, (size_t)length * sizeof *grown);
        if (grown == NULL) {
            rep->err = JVMTI_ERROR_OUT_OF_MEMORY;
            return false;
        }
        rep->chars = grown;
        rep->chars_capacity = length;
    }
    for (int32_t i = 0; i < length; i++) rep->chars[i] = string_char_at(o, i);
    jlong tag = tag_of(rep, o), before = tag;
    jint answer = rep->callbacks.string_primitive_value_callback(class_tag(rep, wc), walk_size(wc, o), &tag, rep->chars,
                                                                 length, rep->user_data);
    return take(rep, o, wc, before, tag, answer);
}

static bool array_values(struct report *rep, struct object *o, struct walk_class *wc) {
    jlong tag = tag_of(rep, o), before = tag;
    jint answer = rep->callbacks.array_primitive_value_callback(class_tag(rep, wc), walk_size(wc, o), &tag,
                                                                array_length(o), (jvmtiPrimitiveType)wc->element_type,
                                                                array_data(o), rep->user_data);
    return take(rep, o, wc, before, tag, answer);
}

/* The primitive values of an object that has been visited. False: the walk ends. */
static bool report_values(void *arg, struct object *o, struct walk_class *wc) {
    struct report *rep = arg;
    if (!reported(rep, wc, tag_of(rep, o), class_tag(rep, wc))) return true;
    if (rep->callbacks.primitive_field_callback) {
        /* The fields of a java.lang.Class object itself are the VM's: a class has its static ones to report. */
        bool go_on = wc->kind == SHAPE_MIRROR
            ? jvmti_report_static_fields(rep, o, wc)
            : primitive_fields(rep, o, wc, o, JVMTI_HEAP_REFERENCE_FIELD, wc->fields + wc->reference_count,
                               wc->primitive_count);
        if (!go_on) return false;
    }
    if (wc->kind == SHAPE_PRIM_ARRAY) return !rep->callbacks.array_primitive_value_callback || array_values(rep, o, wc);
    if (rep->callbacks.string_primitive_value_callback && wc->class == known_class(java_lang_String))
        return string_value(rep, o, wc);
    return true;
}

/* ---- references -------------------------------------------------------------------------------------------------- */

static jlong thread_tag(struct report *rep, const struct java_thread *t) {
    return t->mirror ? heap_tag_get(rep->tags, t->mirror) : 0;
}

static jlong thread_id(const struct java_thread *t) { return t->mirror ? thread_id_of(t->mirror) : 0; }

/* Fills in what the kind of reference has to say; NULL when that is nothing. */
static ALWAYS_INLINE jvmtiHeapReferenceInfo *describe(struct report *rep, const struct walk_reference *r,
                                                      jvmtiHeapReferenceInfo *out) {
    switch (r->kind) {
    case WALK_FIELD: case WALK_STATIC_FIELD: out->field.index = r->index; return out;
    case WALK_ARRAY_ELEMENT: out->array.index = r->index; return out;
    case WALK_CONSTANT_POOL: out->constant_pool.index = r->index; return out;
    case WALK_ROOT_STACK_LOCAL:
        out->stack_local = (jvmtiHeapReferenceInfoStackLocal){thread_tag(rep, r->stack->thread),
                                                              thread_id(r->stack->thread),
                                                              r->stack->depth,
                                                              method_code_id(r->stack->code),
                                                              r->stack->bci,
                                                              r->stack->slot};
        return out;
    case WALK_ROOT_JNI_LOCAL:
        out->jni_local = (jvmtiHeapReferenceInfoJniLocal){thread_tag(rep, r->stack->thread),
                                                          thread_id(r->stack->thread), r->stack->depth,
                                                          r->stack->code ? method_code_id(r->stack->code) : NULL};
        return out;
    default: return NULL;
    }
}

enum walk_answer jvmti_report_reference(void *arg, const struct walk_reference *r) {
    REQUIRES(STOPPED);
    struct report *rep = arg;
    /* The class of an object: its tag is at hand. */
    jlong tag = r->kind == WALK_CLASS ? class_tag(rep, r->referrer_class) : tag_of(rep, r->object);
    jlong before = tag, of_class = class_tag(rep, r->class);
    if (!reported(rep, r->class, tag, of_class)) return WALK_EXPAND;
    jvmtiHeapReferenceInfo info;
    jvmtiHeapReferenceInfo *given = describe(rep, r, &info);
    int32_t length = walk_length(r->class, r->object);
    jint answer;
    if (r->referrer == NULL) {
        answer = rep->callbacks.heap_reference_callback((jvmtiHeapReferenceKind)r->kind, given, of_class, 0,
                                                        walk_size(r->class, r->object), &tag, NULL, length,
                                                        rep->user_data);
    } else if (r->referrer == r->object) {
        answer = rep->callbacks.heap_reference_callback((jvmtiHeapReferenceKind)r->kind, given, of_class, of_class,
                                                        walk_size(r->class, r->object), &tag, &tag, length,
                                                        rep->user_data);
    } else {
        if (r->referrer != rep->referrer) {
            rep->referrer = r->referrer;
            rep->referrer_tag = tag_of(rep, r->referrer);
        }
        jlong referrer_before = rep->referrer_tag;
        answer = rep->callbacks.heap_reference_callback((jvmtiHeapReferenceKind)r->kind, given, of_class,
                                                        class_tag(rep, r->referrer_class),
                                                        walk_size(r->class, r->object), &tag, &rep->referrer_tag,
                                                        length, rep->user_data);
        if (rep->referrer_tag != referrer_before && !write_tag(rep, r->referrer, r->referrer_class, rep->referrer_tag))
            return WALK_STOP;
    }
    if (!take(rep, r->object, r->class, before, tag, answer)) return WALK_STOP;
    return answer & JVMTI_VISIT_OBJECTS ? WALK_EXPAND : WALK_SKIP;
}

static enum walk_answer expand_all(void *arg, const struct walk_reference *r) {
    (void)arg, (void)r;
    return WALK_EXPAND;
}

static void report_init(struct report *rep, jint filter, struct class *only, const jvmtiHeapCallbacks *callbacks,
                        const void *user_data) {
    memset(rep, 0, sizeof *rep);
    rep->filter = filter;
    rep->only = only;
    rep->callbacks = *callbacks;
    rep->user_data = (void *)user_data;
    rep->epoch = 1;
}

jvmtiError jvmti_tags_in_stop(const struct jvmti_env *env, struct tag_table **out) {
    *out = atomic_load(&env->tags);
    return *out != NULL ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_ENVIRONMENT;
}

static bool wants_values(const struct report *rep) {
    return rep->callbacks.primitive_field_callback || rep->callbacks.array_primitive_value_callback ||
           rep->callbacks.string_primitive_value_callback;
}

jvmtiError jvmti_follow_references(struct jvmti_env *env, struct os_thread *self, jint heap_filter, struct class *klass,
                                   struct object *initial_object, const jvmtiHeapCallbacks *callbacks,
                                   const void *user_data) {
    if (klass && class_is_primitive(klass)) return JVMTI_ERROR_NONE;          /* has no instances */
    struct report rep;
    report_init(&rep, heap_filter, klass, callbacks, user_data);
    struct walk_visitor visitor = {callbacks->heap_reference_callback ? jvmti_report_reference : expand_all,
                                   wants_values(&rep) ? report_values : NULL, &rep, false};
    safepoint_begin(self, "FollowReferences");
    MAY_ALLOCATE("the call answers OUT_OF_MEMORY");
    if ((rep.err = jvmti_tags_in_stop(env, &rep.tags)) == JVMTI_ERROR_NONE) {
        report_begin(&rep);
        rep.walk = heap_walk_new(&visitor);
        if (rep.walk) heap_walk_expect_tags(rep.walk, rep.tags);
        bool whole = rep.walk != NULL && heap_walk_follow(rep.walk, initial_object);
        if (!whole && rep.err == JVMTI_ERROR_NONE) rep.err = JVMTI_ERROR_OUT_OF_MEMORY;
        heap_walk_free(rep.walk);
        report_end(&rep);
    }
    safepoint_end(self);
    mem_free(rep.chars);
    return rep.err;
}

/* ---- every object ------------------------------------------------------------------------------------------------ */

static bool report_object(void *arg, struct object *o) {
    struct report *rep = arg;
    struct walk_class *wc = heap_walk_class(rep->walk, o->class_id);
    if (UNLIKELY(wc == NULL)) {
        rep->err = JVMTI_ERROR_OUT_OF_MEMORY;
        return false;
    }
    if (wc->kind == SHAPE_STATICS) return true;
    if (rep->callbacks.heap_iteration_callback) {
        jlong tag = tag_of(rep, o), before = tag, of_class = class_tag(rep, wc);
        if (!reported(rep, wc, tag, of_class)) return true;
        jint answer = rep->callbacks.heap_iteration_callback(of_class, walk_size(wc, o), &tag, walk_length(wc, o),
                                                             rep->user_data);
        if (!take(rep, o, wc, before, tag, answer)) return false;
    }
    return !wants_values(rep) || report_values(rep, o, wc);
}

jvmtiError jvmti_iterate_through_heap(struct jvmti_env *env, struct os_thread *self, jint heap_filter,
                                      struct class *klass, const jvmtiHeapCallbacks *callbacks, const void *user_data) {
    if (klass && class_is_primitive(klass)) return JVMTI_ERROR_NONE;
    struct report rep;
    report_init(&rep, heap_filter, klass, callbacks, user_data);
    struct walk_visitor visitor = {expand_all, NULL, &rep, false};
    safepoint_begin(self, "IterateThroughHeap");
    MAY_ALLOCATE("the call answers OUT_OF_MEMORY");
    if ((rep.err = jvmti_tags_in_stop(env, &rep.tags)) == JVMTI_ERROR_NONE) {
        report_begin(&rep);
        rep.walk = heap_walk_new(&visitor);
        if (rep.walk) heap_walk(report_object, &rep);
        else rep.err = JVMTI_ERROR_OUT_OF_MEMORY;
        heap_walk_free(rep.walk);
        report_end(&rep);
    }
    safepoint_end(self);
    mem_free(rep.chars);
    return rep.err;
}

/* ---- tags one by one --------------------------------------------------------------------------------------------- */

jvmtiError jvmti_get_tag(struct jvmti_env *env, struct os_thread *self, struct object *object, jlong *tag_ptr) {
    (void)self;
    *tag_ptr = heap_tag_get(atomic_load(&env->tags), object);
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_set_tag(struct jvmti_env *env, struct os_thread *self, struct object *object, jlong tag) {
    (void)self;
    return heap_tag_set(atomic_load(&env->tags), object, tag) ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}

struct tagged {
    struct os_thread *self;
    const jlong *wanted;                          /* sorted                                                       */
    size_t wanted_count;
    bool failed, with_objects;
    VEC(jobject) objects;
    VEC(jlong) tags;
};

static int by_tag(const void *a, const void *b) {
    jlong x = *(const jlong *)a, y = *(const jlong *)b;
    return x < y ? -1 : x > y;
}

static bool is_wanted(void *arg, int64_t tag) {
    const struct tagged *t = arg;
    jlong key = tag;
    return bsearch(&key, t->wanted, t->wanted_count, sizeof key, by_tag) != NULL;
}

/* The world is stopped, so the object cannot die before its handle holds it. */
static bool collect_tagged(void *arg, struct object *o, int64_t tag) {
    struct tagged *t = arg;
    jobject handle = t->with_objects ? handle_local(t->self, o) : NULL;
    t->failed = (t->with_objects && handle == NULL) || !vec_push(&t->objects, handle) || !vec_push(&t->tags, tag);
    return !t->failed;
}

static jvmtiError give_tagged(const struct tagged *t, jint *count_ptr, jobject **objects, jlong **tags) {
    size_t n = t->objects.count;
    jobject *o = objects ? tool_alloc(n * sizeof *o) : NULL;
    jlong *g = tags ? tool_alloc(n * sizeof *g) : NULL;
    if (n > 0 && ((objects && o == NULL) || (tags && g == NULL))) {
        tool_free(o);
        tool_free(g);
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    if (o) memcpy(o, t->objects.data, n * sizeof *o);
    if (g) memcpy(g, t->tags.data, n * sizeof *g);
    if (objects) *objects = o;
    if (tags) *tags = g;
    *count_ptr = (jint)n;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_objects_with_tags(struct jvmti_env *env, struct os_thread *self, jint tag_count, const jlong *tags,
                                       jint *count_ptr, jobject **object_result_ptr, jlong **tag_result_ptr) {
    for (jint i = 0; i < tag_count; i++)
        if (tags[i] == 0) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    jlong *sorted = mem_dup(tags, (size_t)tag_count * sizeof *tags);
    if (sorted == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    qsort(sorted, (size_t)tag_count, sizeof *sorted, by_tag);
    struct tagged t = {.self = self,
                       .wanted = sorted,
                       .wanted_count = (size_t)tag_count,
                       .with_objects = object_result_ptr != NULL};
    safepoint_begin(self, "GetObjectsWithTags");
    MAY_ALLOCATE("the call answers OUT_OF_MEMORY");
    struct tag_table *table;
    jvmtiError err = jvmti_tags_in_stop(env, &table);
    if (err == JVMTI_ERROR_NONE) heap_tags_walk(table, is_wanted, collect_tagged, &t);
    safepoint_end(self);
    if (err == JVMTI_ERROR_NONE)
        err = t.failed ? JVMTI_ERROR_OUT_OF_MEMORY : give_tagged(&t, count_ptr, object_result_ptr, tag_result_ptr);
    if (err)
        for (size_t i = 0; i < t.objects.count; i++) handle_local_delete(self, t.objects.data[i]);
    if (t.failed) self->exception = NULL;
    vec_free(&t.objects);
    vec_free(&t.tags);
    mem_free(sorted);
    return err;
}

/* ---- collection -------------------------------------------------------------------------------------------------- */

jvmtiError jvmti_force_garbage_collection(struct jvmti_env *env, struct os_thread *self) {
    (void)env;
    heap_collect(self, "JvmtiEnv ForceGarbageCollection", false);
    freed_queue_flush(self);
    return JVMTI_ERROR_NONE;
}
