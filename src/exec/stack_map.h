/* stack_map.h — the two ways to a stack map, which tests compare, and what the visit of a frame needs. */
#ifndef VITRINE_EXEC_STACK_MAP_H
#define VITRINE_EXEC_STACK_MAP_H

#include "exec/exec.h"

/* Words of a map of any position in `code`. */
static inline uint32_t stack_map_words(const struct method_code *code) { return ((uint32_t)code->max_locals + code->max_stack + 63) / 64; }

/* As stack_map_at before the instruction, for the position of a frame of a stopped or the current thread: where subroutines (jsr) make
 * slots depend on the caller, the return addresses in the frame tell. */
int stack_map_of_frame(const struct frame *f, uint64_t *bits, uint32_t bits_words);

/* From the StackMapTable: one pass from the nearest frame, or the method's entry. -1: unreachable, or the table is not for this code. */
int stack_map_by_table(const struct method_code *code, uint32_t bci, uint64_t *bits);
/* From data flow over the whole method; computed once and kept in code->stack_maps. `frame` may be NULL. -1: unreachable, code that
 * makes no sense, or no memory. */
int stack_map_by_flow(struct method_code *code, uint32_t bci, const struct frame *frame, uint64_t *bits);

/* The classes of some maps are gone. World stopped. */
void stack_maps_forget(void);

#endif
