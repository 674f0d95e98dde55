/* follow_objects.c: the extension function FollowObjects: the objects that can be reached, each reported once and as a
 * whole: for tools that look at everything, such as heap dumps, one call an object in place of one for every reference
 * and value. */
#include <vitrine.h>

#include "base/alloc.h"
#include "jvmti/extension.h"
#include "jvmti/heap_report.h"

struct following {
    vitrineObjectWalk walk;                       /* what the tool has of this record                             */
    struct report report;
    vitrineObjectCallbacks callbacks;
    bool stopped;                                 /* by the tool, or out of memory, before the walk               */
    struct heap_bitmap *statics;                  /* the objects that hold static fields: their class stands for them */
};

_Static_assert(sizeof(vitrineFieldPlace) == sizeof(struct walk_field) &&
                   offsetof(vitrineFieldPlace, offset) == offsetof(struct walk_field, offset) &&
                   offsetof(vitrineFieldPlace, index) == offsetof(struct walk_field, index) &&
                   offsetof(vitrineFieldPlace, type) == offsetof(struct walk_field, type),
               "tools get the walk's own list of fields");

static void JNICALL reference_tags(const vitrineObjectWalk *walk, const void *references, jint count, jlong *tags) {
    const struct following *f = CONTAINER_OF(walk, const struct following, walk);
    const ref_t *refs = references;
    for (jint i = 0; i < count; i++) {
        struct object *o = ref_decode(refs[i]);
        if (o != NULL && UNLIKELY(heap_bitmap_test(f->statics, o))) o = class_mirror(class_of_statics(o));
        tags[i] = o != NULL ? tag_of(&f->report, o) : 0;
    }
}

/* The tool's record of a class. NULL: out of memory. */
static vitrineObjectClass *object_class(struct following *f, struct walk_class *wc) {
    vitrineObjectClass *c = wc->visitor_data;
    if (UNLIKELY(c == NULL)) {
        wc->visitor_data = c = heap_walk_alloc(f->report.walk, sizeof *c);
        if (c == NULL) return NULL;
        *c = (vitrineObjectClass){.fields = (const vitrineFieldPlace *)(const void *)wc->fields,
                                  .field_count = (jint)(wc->reference_count + wc->primitive_count),
                                  .reference_count = (jint)wc->reference_count,
                                  .element_type = wc->element_type};
    }
    c->tag = class_tag(&f->report, wc);
    return c;
}

/* A visitor's `object`. */
static bool report_object(void *arg, struct object *o, struct walk_class *wc) {
    struct following *f = arg;
    struct report *rep = &f->report;
    bool is_array = wc->kind == SHAPE_REF_ARRAY || wc->kind == SHAPE_PRIM_ARRAY;
    jlong tag = tag_of(rep, o);
    vitrineObject reported = {tag, walk_size(wc, o), is_array ? array_length(o) : -1,
                          is_array ? array_data(o) : (const void *)o, object_class(f, wc)};
    if (reported.klass == NULL) {
        rep->err = JVMTI_ERROR_OUT_OF_MEMORY;
        return false;
    }
    jint answer = f->callbacks.object(&f->walk, &reported, rep->user_data);
    return take(rep, o, wc, tag, reported.tag, answer) &&
           (wc->kind != SHAPE_MIRROR || jvmti_report_static_fields(rep, o, wc));
}

static enum walk_answer report_reference(void *arg, const struct walk_reference *r) {
    return jvmti_report_reference(&((struct following *)arg)->report, r);
}

/* class_walk_all's visitor: notes where static fields are, and lets the tool tag the class. */
static bool meet_class(void *arg, struct class *c) {
    struct following *f = arg;
    struct report *rep = &f->report;
    if (c->statics != NULL) (void)heap_bitmap_test_and_set(f->statics, c->statics);
    struct object *mirror = c->mirror;
    if (mirror == NULL || heap_tag_get(rep->tags, mirror) != 0) return true;
    struct walk_class *wc = heap_walk_class(rep->walk, mirror->class_id);
    if (wc != NULL) {
        jlong tag = 0;
        jint answer = f->callbacks.untagged_class(walk_size(wc, mirror), &tag, rep->user_data);
        f->stopped = !take(rep, mirror, wc, 0, tag, answer);
    } else {
        rep->err = JVMTI_ERROR_OUT_OF_MEMORY;
        f->stopped = true;
    }
    return !f->stopped;
}

/* World stopped. */
static void follow(struct following *f) {
    struct report *rep = &f->report;
    struct walk_visitor visitor = {report_reference, report_object, f, true};
    rep->walk = heap_walk_new(&visitor);
    f->statics = heap_bitmap_new();
    bool ok = rep->walk != NULL && f->statics != NULL;
    if (ok) class_walk_all(meet_class, f);
    if ((!ok || (!f->stopped && !heap_walk_follow(rep->walk, NULL))) && rep->err == JVMTI_ERROR_NONE)
        rep->err = JVMTI_ERROR_OUT_OF_MEMORY;
    heap_bitmap_free(f->statics);
    heap_walk_free(rep->walk);
}

static jvmtiError follow_objects(struct os_thread *self, struct jvmti_env *env, jlong first_number,
                                 const vitrineObjectCallbacks *callbacks, const void *user_data) {
    REQUIRES(IN_VM | MAY_STOP);
    if (callbacks == NULL || !callbacks->untagged_class || !callbacks->heap_reference || !callbacks->static_field ||
        !callbacks->object)
        return JVMTI_ERROR_NULL_POINTER;
    if (first_number <= 0 || first_number > INT64_MAX - UINT32_MAX) return JVMTI_ERROR_ILLEGAL_ARGUMENT;
    struct following f = {
        .walk = {reference_tags}, .callbacks = *callbacks,
        .report = {.user_data = (void *)user_data, .epoch = 1, .first_number = first_number,
                   .callbacks = {.heap_reference_callback = callbacks->heap_reference,
                       .primitive_field_callback = callbacks->static_field}},
    };
    safepoint_begin(self, "FollowObjects");
    MAY_ALLOCATE("the call answers OUT_OF_MEMORY");
    if ((f.report.err = jvmti_tags_in_stop(env, &f.report.tags)) == JVMTI_ERROR_NONE) {
        report_begin(&f.report);
        follow(&f);
        report_end(&f.report);
    }
    safepoint_end(self);
    return f.report.err;
}

jvmtiError JNICALL jvmti_extension_follow_objects(jvmtiEnv *env, ...) {
    static const struct jvmti_function_row row = {.name = "FollowObjects",
                                                  .needs = 1u << JVMTI_CAP_can_tag_objects,
                                                  .phases = 1u << PHASE_LIVE,
                                                  .attached = true,
                                                  .built = true};
    va_list args;
    va_start(args, env);
    jlong first_number = va_arg(args, jlong);
    const vitrineObjectCallbacks *callbacks = va_arg(args, const vitrineObjectCallbacks *);
    const void *user_data = va_arg(args, const void *);
    va_end(args);
    struct jvmti_call call;
    jvmtiError err = jvmti_call_begin(&call, env, &row);
    if (err == JVMTI_ERROR_NONE) err = follow_objects(call.self, call.env, first_number, callbacks, user_data);
    jvmti_call_end(&call);
    return err;
}
