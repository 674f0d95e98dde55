/* dump_walk.h: what the two ways of walking the heap for a dump share: by references and values (dump_walk.c), by whole
 * objects (dump_whole.c). Lock held; inside heap callbacks. */
#ifndef HPROF_DUMP_WALK_H
#define HPROF_DUMP_WALK_H

#include "dump.h"
#include "hprof.h"

/* The identifier of what has a tag. */
static inline uint64_t dump_id(const struct dump *d, jlong tag) {
    uint64_t number = (uint64_t)(tag & TAG_ID_MASK);
    return number < KNOWN_MAX ? number : number - d->base + KNOWN_MAX;
}

/* FollowObjects. False: it did not get to the end. */
bool dump_follow_whole(struct dump *d);

/* Counts an object of a class (NULL: not known yet). */
void dump_count(struct dump *d, struct class_info *c, jlong size);
/* ... and notes that this dump has met it, once. */
void dump_meet_known(struct dump *d, struct known *k, struct class_info *c, jlong size);
/* A record for a mirror of which nothing is known, and its tag. NULL: out of memory, noted. */
struct class_info *dump_new_mirror(struct dump *d, jlong *tag);
/* Is enough known of the class to write its instances? NULL: no. */
bool dump_is_ready(const struct dump *d, const struct class_info *c);
/* Keeps something for the time behind the walk, see struct deferred. */
void dump_defer(struct dump *d, jlong tag, char type, int32_t index, uint64_t value);
void dump_note_array(struct dump *d, uint64_t number, jint length, jlong size);

/* Callbacks: of everything; of roots, and of what a class has beside the fields of its mirror. user_data: the dump. */
jint JNICALL dump_on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                               jlong referrer_class_tag, jlong size, jlong *tag_ptr, jlong *referrer_tag_ptr,
                               jint length, void *user_data);
jint JNICALL dump_on_primitive_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info, jlong class_tag,
                                     jlong *tag_ptr, jvalue value, jvmtiPrimitiveType value_type, void *user_data);

#endif
