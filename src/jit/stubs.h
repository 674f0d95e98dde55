/* stubs.h — code that belongs to no method, and the code by which methods go back to the interpreter. */
#ifndef VITRINE_JIT_STUBS_H
#define VITRINE_JIT_STUBS_H

#include "jit/asm.h"
#include "jit/cache.h"
#include "link/class.h"

/* Where the stubs begin. None is a C function: registers are as compiled code has them. */
struct stubs {
    const uint8_t *enter;                /* C arguments of a method_entry_function, REG_SCRATCH: compiled code that is
                                          * called; its result goes where C wants it                               */
    const uint8_t *interpret;            /* jumped to with the caller's return address on top and a method in
                                          * REG_RESULT: it is interpreted in place of the one that was called         */
    const uint8_t *leave;                /* jumped to in a frame of compiled code, whose operands are at home, with the
                                          * caller's return address on top and the word below in REG_LEAVING, which is
                                          * kept: the interpreter goes on with the frame                           */
};

/* REG_LEAVING holds the bytecode index, and above these bits how many slots of operands there are. */
enum { LEAVING_DEPTH_SHIFT = 16 };

/* Both false or NULL: the cache has no room, or the machine is not one that the assembler knows. */
bool stubs_make(struct code_cache *c, struct stubs *out) MUST_CHECK;
/* Compiled code for `code` that makes no frame and has it interpreted. It begins with what method.enter can be. */
const struct code_blob *stubs_make_bounce(struct code_cache *c, const struct stubs *s, struct method_code *code);

#endif
