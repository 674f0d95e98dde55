/* heap_report.h: what the callbacks of a heap walk receive: shared by the Heap chapter's functions and FollowObjects.
 *
 * Tags are looked up for every report and written back when the callback changed them. The tag of a class is cached in
 * the walk's record of the class; the cache is renewed when a callback tags a class mirror. */
#ifndef VITRINE_JVMTI_HEAP_REPORT_H
#define VITRINE_JVMTI_HEAP_REPORT_H

#include "inspect/heap_walk.h"
#include "jvmti_gen.h"

struct report {
    struct tag_table *tags;
    const _Atomic uint64_t *tag_words;            /* of tags                                                      */
    struct heap_walk *walk;
    jint filter;
    struct class *only;                           /* exact class, or NULL                                         */
    jvmtiHeapCallbacks callbacks;
    void *user_data;
    uint32_t epoch;                               /* of the class-tag cache                                       */
    jvmtiError err;
    struct object *referrer;                      /* of the last report, and its tag                              */
    jlong referrer_tag;
    jlong first_number;    /* FollowObjects: what objects without a tag are numbered from; else 0 */
    jchar *chars;                                 /* buffer for string values                                     */
    int32_t chars_capacity;
};

/* ---- tags during a walk ------------------------------------------------------------------------------------------ */

/* Around the walk, as soon as `tags` is known. World stopped. */
static inline void report_begin(struct report *rep) {
    rep->tag_words = heap_tag_words(rep->tags);
    heap_tags_fill_begin(rep->tags);
}
static inline void report_end(struct report *rep) { heap_tags_fill_end(rep->tags); }

/* The tag that a callback sees. */
static ALWAYS_INLINE jlong tag_of(const struct report *rep, const struct object *o) {
    jlong tag = heap_tag_get_stopped(rep->tags, rep->tag_words, o);
    return tag == 0 && UNLIKELY(rep->first_number != 0)
               ? rep->first_number + (jlong)(((uintptr_t)o - heap_low) / OBJECT_ALIGN)
               : tag;
}

static ALWAYS_INLINE jlong class_tag(struct report *rep, struct walk_class *wc) {
    if (UNLIKELY(wc->visitor_epoch != rep->epoch)) {
        wc->visitor_tag = wc->class ? heap_tag_get(rep->tags, class_mirror(wc->class)) : 0;
        wc->visitor_epoch = rep->epoch;
    }
    return wc->visitor_tag;
}

static ALWAYS_INLINE bool write_tag(struct report *rep, struct object *o, struct walk_class *wc, jlong tag) {
    if (wc->kind == SHAPE_MIRROR) rep->epoch++;
    if (o == rep->referrer) rep->referrer_tag = tag;
    if (heap_tag_set_stopped(rep->tags, o, tag)) return true;
    rep->err = JVMTI_ERROR_OUT_OF_MEMORY;
    return false;
}

/* Takes over what a callback did: its answer, and the tag it may have changed. False: the walk ends. */
static ALWAYS_INLINE bool take(struct report *rep, struct object *o, struct walk_class *wc, jlong before, jlong after,
                               jint answer) {
    if (before != after && !write_tag(rep, o, wc, after)) return false;
    return !(answer & JVMTI_VISIT_ABORT);
}

/* A visitor's `reference` that calls heap_reference_callback. arg: the report. World stopped. */
enum walk_answer jvmti_report_reference(void *arg, const struct walk_reference *r);
/* Calls primitive_field_callback for each static field of a primitive type that the class of the mirror declares.
 * False: the walk ends. */
bool jvmti_report_static_fields(struct report *rep, struct object *mirror, struct walk_class *wc);

#endif
