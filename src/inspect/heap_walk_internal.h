/* heap_walk_internal.h: state of a traversal, shared by heap_walk.c and heap_roots.c. */
#ifndef VITRINE_INSPECT_HEAP_WALK_INTERNAL_H
#define VITRINE_INSPECT_HEAP_WALK_INTERNAL_H

#include "inspect/heap_walk.h"

struct stack_chunk;

enum { RING = 32, AHEAD = 16 };          /* powers of two: references under way, objects on the way to be expanded */

struct heap_walk {
    struct walk_visitor visitor;
    struct heap_bitmap *visited;         /* reached: on the stack or expanded                                   */
    struct arena *arena;
    struct walk_class **classes;         /* by class id                                                         */
    uint32_t class_capacity;
    const _Atomic uint64_t *tag_words;   /* of the table that the visitor looks into; NULL: none                 */
    bool stopped, failed;
    struct stack_chunk *top, *spare;
    unsigned top_used;
    struct object *ahead[AHEAD];
    unsigned ahead_first, ahead_count;
    unsigned ring_first, ring_last;
    struct walk_reference ring[RING];
};

/* Hands one reference to the visitor and queues its object as the visitor says. */
void walk_report(struct heap_walk *w, struct walk_reference *r);
/* Reports every root. */
void walk_roots(struct heap_walk *w);

#endif
