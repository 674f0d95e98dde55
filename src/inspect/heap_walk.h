/* heap_walk.h: the one traversal of the object graph: from the roots or from an object, breadth first, every reachable
 * object expanded once, every reference of an expanded object reported once.
 *
 * What the VM keeps beside an object is folded into its owner: static fields, resolved constants, the loader and so on
 * are references of the class mirror. */
#ifndef VITRINE_INSPECT_HEAP_WALK_H
#define VITRINE_INSPECT_HEAP_WALK_H

#include "heap/heap.h"
#include "link/resolve.h"

/* Kinds of references and roots, numbered as in JVM TI (jvmtiHeapReferenceKind). */
enum walk_kind {
    WALK_CLASS = 1,
    WALK_FIELD,
    WALK_ARRAY_ELEMENT,
    WALK_CLASS_LOADER,
    WALK_SIGNERS,
    WALK_PROTECTION_DOMAIN,
    WALK_INTERFACE,
    WALK_STATIC_FIELD,
    WALK_CONSTANT_POOL,
    WALK_SUPERCLASS,
    WALK_ROOT_JNI_GLOBAL = 21,
    WALK_ROOT_SYSTEM_CLASS,
    WALK_ROOT_MONITOR,
    WALK_ROOT_STACK_LOCAL,
    WALK_ROOT_JNI_LOCAL,
    WALK_ROOT_THREAD,
    WALK_ROOT_OTHER
};

struct walk_field {
    uint32_t offset;                     /* from the start of the object (static: of the statics object)       */
    int32_t index;                       /* field index of JVM TI: interfaces' fields first, then from Object down */
    char type;                           /* descriptor character; '[' is 'L'                                   */
};

/* What a walk knows of a class, made when its first instance is met and kept for the walk. */
struct walk_class {
    struct class *class;
    uint8_t kind;                        /* enum shape_kind                                                     */
    uint8_t element_shift;
    char element_type;                   /* arrays: descriptor character                                        */
    uint32_t size;                       /* instances, bytes                                                    */
    uint32_t reference_count, primitive_count;
    struct walk_field *fields;           /* instance fields, inherited ones included: references, then primitives */
    int64_t visitor_tag;                 /* for the visitor's use                                               */
    uint32_t visitor_epoch;
    void *visitor_data;
    bool followed;                       /* walk_visitor.whole: its mirror has been reached                     */
};

static inline int64_t walk_size(const struct walk_class *c, const struct object *o) {
    if (c->kind != SHAPE_REF_ARRAY && c->kind != SHAPE_PRIM_ARRAY) return c->size;
    return (int64_t)((ARRAY_DATA + ((uint64_t)(uint32_t)array_length(o) << c->element_shift) + OBJECT_ALIGN - 1) &
                     ~(uint64_t)(OBJECT_ALIGN - 1));
}
static inline int32_t walk_length(const struct walk_class *c, const struct object *o) {
    return c->kind == SHAPE_REF_ARRAY || c->kind == SHAPE_PRIM_ARRAY ? array_length(o) : -1;
}

/* Where on a thread's stack a root of kind STACK_LOCAL or JNI_LOCAL lies. */
struct walk_stack_root {
    struct java_thread *thread;
    struct method_code *code;            /* the version that runs; NULL: no Java frame                           */
    int32_t depth, bci, slot;
};

struct walk_reference {
    struct object *referrer;             /* NULL: root                                                          */
    struct object *object;
    struct walk_class *referrer_class;   /* NULL: root                                                          */
    struct walk_class *class;            /* of object                                                           */
    const struct walk_stack_root *stack; /* of STACK_LOCAL and JNI_LOCAL, else NULL                             */
    jobject handle;                      /* of roots of kind JNI_GLOBAL only                                    */
    enum walk_kind kind;
    int32_t index;                       /* FIELD, STATIC_FIELD: field index; ARRAY_ELEMENT; CONSTANT_POOL; else -1 */
};

enum walk_answer { WALK_SKIP = 0, WALK_EXPAND = 1, WALK_STOP = 2 };

/* Called with the world stopped: must not allocate in the heap, stop, or block on anything that runs Java code. */
struct walk_visitor {
    enum walk_answer (*reference)(void *arg, const struct walk_reference *r);
    /* NULL, or: `o` has been reached and its references come next. False stops the walk. */
    bool (*object)(void *arg, struct object *o, struct walk_class *c);
    void *arg;
    /* `object` sees the fields or elements and the class itself: they are followed without a report. Reported are roots
     * and what the VM keeps beside a class mirror. */
    bool whole;
};

struct heap_walk;
/* World stopped. NULL: out of memory. */
struct heap_walk *heap_walk_new(const struct walk_visitor *visitor);
void heap_walk_free(struct heap_walk *w);
/* The visitor looks up each object's tag in this table: the walk has it on its way to the processor by then. */
void heap_walk_expect_tags(struct heap_walk *w, const struct tag_table *tags);
/* From the roots, or (initial not NULL) from one object, of which no reference is reported. False: out of memory. */
bool heap_walk_follow(struct heap_walk *w, struct object *initial);
/* The record of an object's or a class's class; NULL: out of memory. For walks that are driven by other means. */
struct walk_class *heap_walk_class(struct heap_walk *w, uint32_t class_id);
/* Memory for the visitor, cleared by nobody, that goes with the walk. NULL: out of memory. */
void *heap_walk_alloc(struct heap_walk *w, size_t bytes);
/* Static fields declared by c itself: references first; counts as in struct walk_class. Freed with the walk. NULL: out
 * of memory (or none: *references = *primitives = 0). */
struct walk_field *heap_walk_statics(struct heap_walk *w, struct class *c, uint32_t *references, uint32_t *primitives);
/* The array that ClassLoader.setSigners gave the class, or NULL. */
struct object *class_signers(const struct class *c);
/* The objects that resolution has put into c's constant pool, its call sites included, until visit returns false; then
 * false. World stopped. */
bool class_constants(const struct class *c, bool (*visit)(void *arg, int32_t index, struct object *o), void *arg);

#endif
