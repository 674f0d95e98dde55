/* dump.h: heap dumps: one walk over the references of the heap (dump_walk.c), written in the binary (dump_binary.c) or
 * text form (dump_text.c) while it goes on, with the world stopped. What must be asked of JVM TI or the VM of the
 * classes that were loaded just before it is asked behind it, and the records of these classes are put in front of the
 * dump. */
#ifndef HPROF_DUMP_H
#define HPROF_DUMP_H

#include <jvmti.h>

#include <stdbool.h>
#include <stdint.h>

#include "classes.h"
#include "heap_record.h"

struct hprof;
struct dump;

/* Where a root comes from; thread: serial, 0 unknown; frame: -1 none. */
struct dump_root {
    jvmtiHeapReferenceKind kind;
    uint64_t id;
    uint32_t thread, trace;
    int32_t frame;
    const struct class_info *class;
};

/* What is common to an object's record. */
struct dump_object { uint64_t id; uint32_t trace; int64_t size; const struct class_info *class; };

/* How a dump is written. Called under the hprof lock, most of them with the world stopped: no JVM TI, no JNI. */
struct dump_form {
    bool sizes;                             /* wants dump_object.size of arrays                               */
    bool (*begin)(struct dump *d);          /* false: out of memory, reported                                     */
    void (*root)(struct dump *d, const struct dump_root *r);
    /* values: the class's own fields, then the superclass's and so on, as the binary format has them */
    void (*instance)(struct dump *d, const struct dump_object *o, const unsigned char *values);
    /* elements: identifiers as the binary format has them */
    void (*object_array)(struct dump *d, const struct dump_object *o, uint32_t length, const unsigned char *elements);
    /* elements: as the VM has them; NULL: zeros */
    void (*primitive_array)(struct dump *d, const struct dump_object *o, uint32_t length, char type,
                            const void *elements);
    void (*class)(struct dump *d, const struct class_info *c);
    /* behind the walk, not with the world stopped: calls write, and what it writes as records comes to stand in front
     * of the dump */
    void (*in_front)(struct dump *d, JNIEnv *jni, void (*write)(struct dump *d, JNIEnv *jni));
    void (*end)(struct dump *d, bool complete);
};
extern const struct dump_form dump_binary, dump_text;

struct pending;
struct deferred;

struct dump {
    struct hprof *h;
    jvmtiEnv *env;                          /* whose tags number the objects                                  */
    bool own_env;
    const struct dump_form *form;
    uint64_t base, next;                    /* tags of this dump's objects: base...next - 1                   */
    uint64_t objects, bytes;
    bool failed;                            /* memory or identifiers ran out                                  */
    /* walk */
    bool whole;                             /* by FollowObjects                                               */
    struct pending *current, *spare, *buckets[1024];
    struct class_info *mirrors;             /* KNOWN_MIRROR: those met; whole: those made                      */
    struct array_note **notes;              /* arrays met: two levels, by object number                       */
    struct deferred *deferred;
    size_t deferred_count, deferred_capacity;
    /* forms */
    struct heap_writer writer;              /* binary                                                         */
    uint64_t front;                         /* binary: where the dump begins in the file                      */
    struct output *spool;                   /* text, and binary where nothing can be inserted: NULL if not needed */
};

/* Writes a whole heap dump. Lock held. */
void dump_write(struct hprof *h, JNIEnv *jni);

#endif
