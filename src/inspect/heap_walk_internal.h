/* heap_walk_internal.h: state of a traversal, shared by heap_walk.c and heap_roots.c. */
#ifndef VITRINE_INSPECT_HEAP_WALK_INTERNAL_H
#define VITRINE_INSPECT_HEAP_WALK_INTERNAL_H

#include "inspect/heap_walk.h"

struct queue_chunk;

enum { RING = 32 };                      /* power of two: references under way                                  */

struct heap_walk {
    struct walk_visitor visitor;
    struct heap_bitmap *visited;         /* reached: in the queue or expanded                                   */
    struct arena *arena;
    struct walk_class **classes;         /* by class id                                                         */
    uint32_t class_capacity;
    bool stopped, failed;
    struct queue_chunk *head, *tail, *spare;
    unsigned head_used, tail_used;
    unsigned ring_first, ring_last;
    struct walk_reference ring[RING];
};

/* Hands one reference to the visitor and queues its object as the visitor says. */
void walk_report(struct heap_walk *w, struct walk_reference *r);
/* Reports every root. */
void walk_roots(struct heap_walk *w);

#endif
