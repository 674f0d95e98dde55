/* What the collector offers to those who report roots. Implemented by heap/, a room above: this is the one link-time
 * dependency of the thread room on it. The same declarations stand in heap/heap.h. */
#ifndef VITRINE_THREAD_ROOTS_H
#define VITRINE_THREAD_ROOTS_H

#include "heap/object.h"

struct heap_visitor;
void heap_visit(struct heap_visitor *v, struct object *o);
void heap_visit_words(struct heap_visitor *v, const void *low, const void *high);

/* Forgets what threads remember of dead objects without keeping them. World stopped. */
void threads_clear_weak(bool (*is_live)(struct object *o));

#endif
