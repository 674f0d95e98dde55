/* known.h — what is known of values while blocks are found, before there are nodes: objects that static final fields,
 * call sites and the final fields of such objects hold, and small ints. So a method handle that never changes is
 * followed to what it calls (callee.c), and a branch that always goes one way has one. */
#ifndef VITRINE_JIT_OPTIMISING_KNOWN_H
#define VITRINE_JIT_OPTIMISING_KNOWN_H

#include "jit/optimising/support.h"

/* Of the current scope, for which there is room: the next instruction is its first; `arguments` are what it is called
 * with, NULL: nothing is known. */
void known_begin(struct ir *g, const struct known *arguments, uint32_t count);
/* A way leads from here to where *met is kept, which holds what is known on all of them; NULL: this is the first. */
void known_meet(struct ir *g, struct known **met);
/* The next instruction is there; `met` is NULL if not all ways have been seen. */
void known_come_to(struct ir *g, struct known **met);
/* Before the instruction at bci: the operand, counted from the top. */
struct known known_operand(const struct ir *g, uint32_t bci, uint32_t from_top);
/* The instruction has been done, and goes on with the next. `result`: of what it calls. */
void known_step(struct ir *g, uint32_t bci, struct known result);
/* The instruction returns from the scope. */
void known_return(struct ir *g, uint32_t bci);
/* What a call of the scope gives. */
struct known known_result(const struct scope *s);
/* A branch on what is known: SUPPORT_JUMPS or SUPPORT_PASSES; of anything else SUPPORT_BUILT. */
enum support known_branch(const struct ir *g, uint32_t bci);
/* What a load of a field or element gives. */
struct known known_loaded(const struct ir *g, uint32_t bci);
/* Does a known object pass the cast? */
bool passes_cast(const struct ir *g, uint32_t bci);
/* Before Class.isInstance: the class that it asks for; NULL: it is not known, or primitive. */
const struct class *known_class_asked(const struct ir *g, uint32_t bci);
/* Does the invocation at c->bci call Unsafe.allocateInstance? Before that: its class, if an object of that is made as
 * `new` makes one; NULL: it is not known, or another. */
bool allocates_instance(struct compiler *c);
const struct class *known_class_allocated(const struct ir *g, uint32_t bci);

static inline struct known known_nothing(void) { return (struct known){KNOWN_NOTHING, false, 0}; }
static inline struct known known_object(const struct object *o) {
    return (struct known){o != NULL ? KNOWN_OBJECT : KNOWN_NOTHING, false, (intptr_t)o};
}
static inline struct object *object_known(struct known k) {
    return k.kind == KNOWN_OBJECT ? (struct object *)(uintptr_t)k.value : NULL;
}

#endif
