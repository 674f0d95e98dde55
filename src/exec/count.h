/* count.h — which instructions ran, and which exceptions they threw: only in the coverage build (make COVERAGE=1).
 * Each process appends "opcode <name> <times>" and "throw <opcode> <class> <times>" to a file of its own in
 * $VITRINE_COUNTS when it ends; scripts/coverage.py adds them up. */
#ifndef VITRINE_EXEC_COUNT_H
#define VITRINE_EXEC_COUNT_H

#include "exec/exec_internal.h"

#ifdef VITRINE_COVERAGE
extern _Atomic uint64_t counted_opcodes[256];
/* The exception pending in self has just been thrown by, or out of, the instruction at frame->pc. */
void count_throw(struct os_thread *self, const struct frame *frame);

static inline uint8_t counted_opcode(const struct frame *frame, const uint8_t *pc) {
    return code_source(frame->code)->code[pc - frame->code->code];
}
static inline void count_opcode(const struct frame *frame, const uint8_t *pc) {
    atomic_fetch_add_explicit(&counted_opcodes[counted_opcode(frame, pc)], 1, memory_order_relaxed);
}
#else
static inline void count_throw(struct os_thread *self UNUSED, const struct frame *frame UNUSED) {}
static inline void count_opcode(const struct frame *frame UNUSED, const uint8_t *pc UNUSED) {}
#endif

#endif
