/* foreign_memory.h — C code that accesses memory by an address of Java's: what lies there may be a mapped file with no
 * memory behind it (jdk/memory_fault.h). */
#ifndef VITRINE_THREAD_FOREIGN_MEMORY_H
#define VITRINE_THREAD_FOREIGN_MEMORY_H

#include "thread/thread.h"

/* Functions that do so themselves, with nothing inlined elsewhere. What they call does it between the two below. */
#define ACCESSES_FOREIGN_MEMORY __attribute__((section("foreign_memory"), noinline))

static inline void foreign_memory_begin(struct os_thread *self) {
    self->foreign_memory = true;
    atomic_signal_fence(memory_order_seq_cst);
}
static inline void foreign_memory_end(struct os_thread *self) {
    atomic_signal_fence(memory_order_seq_cst);
    self->foreign_memory = false;
}

#endif
