/* holder_roots.h — objects that resolution attached to a class: they live as long as its holder. */
#ifndef VITRINE_LINK_HOLDER_ROOTS_H
#define VITRINE_LINK_HOLDER_ROOTS_H

#include "link/class.h"

struct heap_visitor;

/* Keeps `o` alive as long as c's holder lives. False: OutOfMemoryError pending. Thread: IN_VM. */
bool holder_add_root(struct os_thread *self, struct class *c, struct object *o);
/* Zeroed memory that lives as long as c's holder. NULL: none left. Any thread. */
void *holder_alloc(struct class *c, size_t size);
/* For link/'s visit_holder: reports them. World stopped. */
void holder_visit_roots(struct heap_visitor *v, struct holder_record *h);
/* When the holder is unloaded. */
void holder_free_roots(struct holder_record *h);

#endif
