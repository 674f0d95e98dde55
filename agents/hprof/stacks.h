/* stacks.h: everything that was collected as weighted stacks, for the forms that show stacks: collapsed,
 * pprof, html. */
#ifndef HPROF_STACKS_H
#define HPROF_STACKS_H

#include <jvmti.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"
#include "table.h"

struct hprof;
struct class_info;
struct output;

enum stack_kind { STACK_CPU, STACK_ALLOCATION, STACK_CONTENTION, STACK_KINDS };

/* A stack with its weight: samples or nanoseconds of CPU, allocated bytes, nanoseconds waited. */
struct weighted {
    uint32_t trace;
    const struct class_info *class; /* what was allocated or waited for; NULL */
    uint64_t weight;
};

struct weights { struct weighted *rows; uint32_t count; const char *name, *unit; };

/* The stacks of one kind with weights over 0; none when it was not asked for. rows: malloc'd. Lock held. */
struct weights stacks_of(struct hprof *h, enum stack_kind kind);

/* Stacks of one kind as a tree: what they have in common from the outermost frame on is there once, and lines are not
 * told apart. */
struct tree {
    const char *name, *unit;
    bool collected;                     /* asked for, though there may be nothing                         */
    struct numbering nodes;             /* struct tree_node; a node comes after the one it lies in        */
    uint64_t *self;                     /* weight of the stacks that end in a node                        */
    uint32_t capacity;
};
struct tree_node { uint32_t parent; /* NO_INDEX: outermost */ uint32_t frame; };

/* What a frame of a tree is; as a letter, the first of its key. */
enum frame_kind { FRAME_METHOD = 'm', FRAME_NATIVE = 'n', FRAME_CLASS = 'c', FRAME_THREAD = 't', FRAME_UNKNOWN = '?' };

struct trees {
    struct numbering frames;            /* frame_kind and name                                            */
    struct tree kinds[STACK_KINDS];
};

/* All that was collected. What there is no memory for is left out. Lock held. */
void trees_make(struct hprof *h, struct trees *t);
void trees_free(struct trees *t);
struct tree_node tree_node(const struct tree *t, uint32_t node);
/* The name of a frame, of n bytes. */
const char *tree_frame(const struct trees *t, uint32_t frame, enum frame_kind *kind, size_t *n);

/* Writes the whole file anew, as FORM_COLLAPSED, FORM_PPROF or FORM_HTML. Lock held. */
void stacks_write(struct hprof *h, JNIEnv *jni, enum form form, struct output *out);

void pprof_write(struct hprof *h, struct output *out);
void html_write(struct hprof *h, JNIEnv *jni, struct output *out);

#endif
