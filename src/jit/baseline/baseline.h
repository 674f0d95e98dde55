/* baseline.h — the baseline compiler: one pass over a method's bytecode, which makes the interpreter's frames.
 *
 *      flow.c        what is reached, how deep the operands are there, where branches lead
 *      values.c      operands during compilation: constants, registers, places in the frame
 *      compile.c     begin and end of the code, the dispatch by opcode, exits, the pc table
 *      arithmetic.c  conversion.c  control.c  stack.c  memory.c  allocation.c  call.c      the instructions
 *
 * What is not simple is an *exit*: the operands go to the frame, and the interpreter does the instruction from its
 * begin and goes on with the frame; or, where that would happen again and again, a call into C that does the
 * instruction (jit/run.h). At calls all operands are at home, so that the frame can be anybody's. */
#ifndef VITRINE_JIT_BASELINE_BASELINE_H
#define VITRINE_JIT_BASELINE_BASELINE_H

#include "jit/stubs.h"

struct compiler;
struct receivers;

/* The compiler's, until it compiles again; runs at any address in the code cache that is a multiple of BASELINE_ALIGN,
 * once it has been moved. */
struct baseline_code {
    const uint8_t *bytes;
    const uint32_t *ways;                /* where in `bytes` there are relative addresses of stubs                 */
    uint32_t way_count;
    uint32_t length;                     /* of machine code and tables                                             */
    uint32_t pcs, entries, exits;        /* where the tables begin (struct code_blob)                              */
    uint32_t inlined;                    /* how long the last table is                                             */
    uint32_t entered;                    /* where a frame has been made                                            */
    uint8_t allocations;                 /* enum allocations                                                       */
    bool leaves_at_events;               /* see code_blob                                                          */
    bool counts;                         /* calls and turns of loops                                               */
};
enum { BASELINE_ALIGN = 32 };

/* Its code runs at `to`: the bytes of it that are there already become what they must be; they are written at
 * `writable`. */
void baseline_move(const struct baseline_code *made, const struct stubs *stubs, const uint8_t *to, uint8_t *writable);

#ifdef ASM_MACHINE
/* What compiles, for one thread at a time; it keeps memory for the next method. NULL: no memory. */
struct compiler *baseline_create(const struct stubs *stubs);
void baseline_destroy(struct compiler *c);
/* Compiles a version of a method; NULL: *out is set. Otherwise why it is not compiled. Calls and turns of loops spend
 * *counter, and note their receivers; NULL: nothing is counted, or noted. Takes memory; no locks, no safepoint. Nothing
 * redefines or breaks the method meanwhile: the thread is IN_VM and does not poll. */
const char *baseline_compile(struct compiler *c, struct method_code *code, int32_t *counter,
                             struct receivers *receivers, struct baseline_code *out);
#else
static inline struct compiler *baseline_create(const struct stubs *stubs UNUSED) { return NULL; }
static inline void baseline_destroy(struct compiler *c UNUSED) {}
static inline const char *baseline_compile(struct compiler *c UNUSED, struct method_code *code UNUSED,
                                           int32_t *counter UNUSED, struct receivers *receivers UNUSED,
                                           struct baseline_code *out UNUSED) {
    return "there is no assembler for this machine";
}
#endif

#endif
