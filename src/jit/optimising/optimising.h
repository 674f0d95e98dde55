/* optimising.h — the optimising compiler: hot methods, by way of an intermediate form (ir.h).
 *
 *      cfg.c order.c     blocks, loops, dominators
 *      build.c ...       nodes from bytecode
 *      home.c call.c     where values are while something is called
 *      branches.c        ways that know where a branch leads
 *      escape.c          objects that nobody else sees, which are values then
 *      gvn.c use.c loop.c range.c       what need not be computed, or not here
 *      allocate.c        registers
 *      emit.c ...        machine code
 *
 * Its frames are the interpreter's as the baseline compiler's are, but their locals and operands are not at home while
 * the method's own code runs; they are while what it calls does (home.h). What is not simple is an exit, which brings
 * them there. */
#ifndef VITRINE_JIT_OPTIMISING_OPTIMISING_H
#define VITRINE_JIT_OPTIMISING_OPTIMISING_H

#include "exec/engine.h"
#include "jit/baseline/baseline.h"
#include "jit/compile_command.h"
#include "jit/optimising/inlining_report.h"
#include "jit/receivers.h"

/* How a method is compiled. */
struct optimising_options {
    bool hoists_checks;                  /* checks that a loop makes at each turn may be made before it             */
    bool is_watched;                     /* tools watch methods, or those of the library, in the thread that asks   */
    bool inlines;                        /* methods may be built into it                                           */
    bool elides;                         /* objects that nobody else sees are not allocated                         */
    bool elides_monitors;                /* ... and their monitors not entered                                      */
    bool allocations_watched;            /* ... unless tools watch allocations                                     */
    bool enters_all;                     /* by handlers that look rare, too                                         */
    bool leaves_at_events;               /* breakpoints and accesses to watched fields are the interpreter's        */
    bool prints;                         /* -XX:+PrintIR                                                           */
    struct lookups lookups;              /* what calls of interfaces have selected in the thread that asks          */
    bool (*is_hot)(const struct method_code *code);      /* what is called so often that it pays to inline its calls */
    bool (*has_left_often)(const struct method_code *code, uint32_t bci);        /* jit/left.h                      */
    struct receivers_seen (*receivers_at)(const struct method_code *code, uint32_t bci);     /* jit/receivers.h     */
    /* The target of a call site: the code relies on it from now on. NULL: it must not. */
    struct object *(*target_of)(struct object *site);
    const struct compile_commands *commands;     /* which speak of inline and dontinline                           */
    struct inlining_report *report;      /* to be filled; NULL: nobody wants it                                    */
};

#ifdef ASM_MACHINE
/* As baseline_compile, with the same compiler's memory. */
const char *optimising_compile(struct compiler *c, struct method_code *code, struct optimising_options options,
                               struct baseline_code *out);
#else
static inline const char *optimising_compile(struct compiler *c UNUSED, struct method_code *code UNUSED,
                                             struct optimising_options options UNUSED,
                                             struct baseline_code *out UNUSED) {
    return "there is no assembler for this machine";
}
#endif

#endif
