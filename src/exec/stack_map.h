/* stack_map.h — the two ways to a stack map, which tests compare, and what the visit of a frame needs. */
#ifndef VITRINE_EXEC_STACK_MAP_H
#define VITRINE_EXEC_STACK_MAP_H

#include "exec/exec.h"

/* Words of a map of any position in `code`. */
static inline uint32_t stack_map_words(const struct method_code *code) {
    return ((uint32_t)code->max_locals + code->max_stack + 63) / 64;
}

/* As stack_map_at before the instruction, for the position of a frame of a stopped or the current thread: where
 * subroutines (jsr) make slots depend on the caller, the return addresses in the frame tell. */
int stack_map_of_frame(const struct frame *f, uint64_t *bits, uint32_t bits_words);

/* What a tool asks besides: the vectors, stack_map_words(code) each, that follow one another in `bits`. HELD and SECOND
 * are by local: a value begins there; the second half of a long or double lies there. A local that is in neither holds
 * nothing that the code could use. */
enum { STACK_MAP_REFS, STACK_MAP_HELD, STACK_MAP_SECOND, STACK_MAP_PARTS };
/* As stack_map_of_frame with all parts; `frame` may be NULL. Computed anew each time, and kept nowhere: -1 is also no
 * memory. */
int stack_map_of_values(struct method_code *code, int32_t bci, const struct frame *frame, uint64_t *bits);

/* From the StackMapTable: one pass from the nearest frame, or the method's entry. -1: unreachable, or the table is not
 * for this code. */
int stack_map_by_table(const struct method_code *code, uint32_t bci, uint64_t *bits);
/* From data flow over the whole method; computed once and kept in code->stack_maps, never with the world stopped.
 * `frame` may be NULL. -1: unreachable, code that makes no sense, or no memory. */
int stack_map_by_flow(struct method_code *code, uint32_t bci, const struct frame *frame, uint64_t *bits);

/* Before code with CODE_UNMAPPED runs: computes what stack_map_by_flow keeps, so that no stop has to. Without memory
 * for it the next call tries again, and the collector takes every word of the frame for a reference that it may be. */
void stack_maps_prepare(struct method_code *code);

/* The classes of some maps are gone. World stopped. */
void stack_maps_forget(void);

#endif
