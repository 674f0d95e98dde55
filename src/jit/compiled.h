/* compiled.h — what compiled.c has for the room itself. */
#ifndef VITRINE_JIT_COMPILED_H
#define VITRINE_JIT_COMPILED_H

#include "jit/code_queue.h"
#include "jit/jit.h"
#include "jit/stubs.h"

/* There are stubs as soon as anything is compiled. */
const struct stubs *jit_stubs(void);
/* Where compiled code of `code` begins the instruction at pc, with all operands at home; NULL: there is no such place.
 * IN_VM; no safepoint until the thread is there. */
const uint8_t *jit_entry_at(struct method_code *code, const uint8_t *pc);
struct code_queue *jit_queue(void);
/* As code_cache_next; IN_VM: it stays until the next safepoint. */
const struct code_blob *jit_next_blob(const struct code_blob *b);
/* Tools have been told that b is gone. */
void jit_give_back(const struct code_blob *b);

#endif
