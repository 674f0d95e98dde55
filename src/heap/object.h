/* object.h — the layout of objects and what the collector must know of a class; common ground of all rooms.
 *
 *   struct object                        struct array
 *   +0  class id   (32)                  +0   class id (32) | monitor word (32)
 *   +4  monitor word (32)                +8   length (32)   | unused (32)
 *   +8  fields ...                       +16  elements ...
 *
 * Objects are 8-byte aligned and at least 16 bytes; they never move. A reference in the heap (field or element) is a
 * `ref_t`: address >> 3, 0 = null. Everywhere else (frames, C variables, handles) references are plain addresses.
 * Only heap/ stores references into objects (heap/heap.h, access layer).
 */
#ifndef VITRINE_HEAP_OBJECT_H
#define VITRINE_HEAP_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t ref_t;                 /* compressed reference as it lies in the heap */

struct object {
    uint32_t class_id;                  /* index of the class in shape_table           */
    _Atomic uint32_t monitor;           /* thread/monitor.h draws it                   */
};

struct array {
    struct object object;
    int32_t length;
    uint32_t unused;
    /* elements follow at ARRAY_DATA */
};

enum { OBJECT_HEADER = 8, ARRAY_DATA = 16, OBJECT_MIN = 16, OBJECT_ALIGN = 8 };

static inline struct object *ref_decode(ref_t r) { return (struct object *)((uintptr_t)r << 3); }
static inline ref_t ref_encode(const struct object *o) { return (ref_t)((uintptr_t)o >> 3); }

static inline int32_t array_length(const struct object *a) { return ((const struct array *)a)->length; }
static inline void *array_data(struct object *a) { return (char *)a + ARRAY_DATA; }

enum shape_kind {
    SHAPE_INSTANCE,                     /* fields only                                              */
    SHAPE_REF_ARRAY,
    SHAPE_PRIM_ARRAY,
    SHAPE_MIRROR,                       /* java.lang.Class: instance + the class it stands for       */
    SHAPE_LOADER,                       /* java.lang.ClassLoader and subclasses: instance + holder   */
    SHAPE_REFERENCE,                    /* java.lang.ref.Reference subclasses; see reference_kind    */
    SHAPE_STATICS,                      /* VM-internal: static fields of one class                   */
    SHAPE_PRIMITIVE                     /* int.class etc.: has no instances                          */
};

enum reference_kind { REF_NONE, REF_SOFT, REF_WEAK, REF_FINAL, REF_PHANTOM };

/* A run of `count` adjacent reference fields from `offset` (bytes from the object's start). */
struct ref_span {
    uint32_t offset;
    uint32_t count;
};

/* What the collector and the heap walkers need of a class; the first member of struct class (link/class.h), and of the
 * record that describes a class's statics object. Immutable once published, except `holder`'s mark. */
struct shape {
    uint32_t id;
    uint8_t kind;                       /* enum shape_kind                                        */
    uint8_t element_shift;              /* arrays: log2 of the element size                       */
    uint8_t reference_kind;             /* enum reference_kind                                    */
    bool has_finalizer;                 /* instances are to be registered with Finalizer          */
    uint32_t instance_size;             /* bytes, multiple of 8; not for arrays                   */
    uint32_t span_count;                /* reference fields, inherited ones included. Reference's */
    const struct ref_span *spans;       /*   referent and discovered are NOT among them           */
    struct class_holder *holder;        /* what must live while instances live                    */
};

/* The unit of class unloading: a loader with all its ordinary classes, or one weak hidden class.
 * Marked when an instance of one of its classes, a mirror or the loader object is reached; marking it visits
 * its roots. */
struct class_holder {
    struct class_holder *next;          /* all holders, list owned by link/                       */
    _Atomic bool marked;                /* reached in the current marking (permanent ones: always) */
    bool permanent;                     /* boot loader: never unloaded                            */
    uint32_t scanned_roots;             /* for link/'s use                                        */
};

/* By class id; NULL where there is no class. The id of a class that is gone is given again: link/class_id.c. */
extern struct shape **shape_table;

static inline struct shape *shape_of(const struct object *o) { return shape_table[o->class_id]; }

/* Size in bytes of an object, multiple of OBJECT_ALIGN. */
static inline size_t object_size(const struct object *o) {
    const struct shape *s = shape_of(o);
    if (s->kind == SHAPE_REF_ARRAY || s->kind == SHAPE_PRIM_ARRAY) {
        size_t n = ARRAY_DATA + ((size_t)(uint32_t)array_length(o) << s->element_shift);
        return (n + OBJECT_ALIGN - 1) & ~(size_t)(OBJECT_ALIGN - 1);
    }
    return s->instance_size;
}

/* A thread's private allocation buffer: bump from top to end, memory already zero. Lies in struct os_thread, all zero
 * at first. end is limit, or nearer where an allocation has to take the slow path (stress mode: at once; sampling:
 * where a sample is due). The rest is heap/'s own. */
struct tlab {
    uintptr_t top;
    uintptr_t end;
    uint64_t allocated_before;          /* bytes allocated by the thread outside [start, top)      */
    uintptr_t start;
    uintptr_t limit;                    /* end of the free lines                                   */
    uintptr_t block_next, block_end;    /* lines of the current block still to be looked at        */
    size_t uncounted;                   /* bytes of its lines that nobody but the thread knows of  */
    size_t left_over;                   /* ... that it had, and has not used                       */
    uintptr_t overflow_top, overflow_end; /* second buffer: objects larger than a line that did not fit */
    uintptr_t top_before;               /* when it wanted a block for the second buffer last       */
    bool overflow_whole;                /* the second buffer is a block of its own                 */
    bool no_small;                      /* it allocates none, as far as that is known              */
    bool in_sample;                     /* heap/sample.c: the hook is running                      */
    uint64_t sample_at;                 /* bytes allocated at which the next sample is due         */
    uint64_t sample_random;
};

#endif
