/* support.h — which instructions there are nodes for. */
#ifndef VITRINE_JIT_OPTIMISING_SUPPORT_H
#define VITRINE_JIT_OPTIMISING_SUPPORT_H

#include "jit/optimising/ir.h"

enum support {
    SUPPORT_BUILT,
    SUPPORT_JUMPS, SUPPORT_PASSES,       /* a branch that always, or never, goes where it leads: one way            */
    SUPPORT_KNOWN,                       /* a load whose result is known; a cast that a known object passes          */
    SUPPORT_LEAVES,                      /* the frame leaves there: it has not come so far yet, or it is rare        */
    SUPPORT_DECLINED                     /* the method is not compiled                                             */
};
/* Of the instruction at bci, behind flow_find; sets g->why_not where it is declined. */
enum support instruction_support(struct ir *g, uint32_t bci);
/* Was that SUPPORT_KNOWN? */
bool is_known_at(const struct ir *g, uint32_t bci);
/* Has code left there often, though it was taken not to (jit/left.h)? The same answer throughout a compilation. */
bool has_left_often_at(struct ir *g, uint32_t bci);
/* Is the handler there entered by frames of optimised code? Where not, they go on in the interpreter. */
bool handler_is_entered(struct ir *g, uint32_t bci);
/* Do the instructions from bci on, until something branches, say that none of them has run? */
bool is_untouched(struct compiler *c, uint32_t bci);
/* The field of the quick instruction at c->bci; NULL: it is not known. */
const struct field *field_named(const struct compiler *c);
/* Does a static field keep the value that it has now? System.out and its like do only until something is called. */
bool field_stays(const struct field *f);

/* Does build_intrinsic have nodes for the invocation at c->bci? Is it Class.isInstance? build_intrinsic.c */
bool is_built_inline(const struct compiler *c);
bool asks_for_class(const struct compiler *c);
/* Of that, or of Unsafe.allocateInstance, in the current scope: the class, if it is known; else NULL. */
const struct class *class_known_at(const struct ir *g, uint32_t bci);
/* Of a virtual call: Object.hashCode, if it is taken to select that. */
const struct method *hash_guessed_at(const struct ir *g, uint32_t bci);
/* What the load there gives, in the current scope. */
struct known known_at(const struct ir *g, uint32_t bci);

#endif
