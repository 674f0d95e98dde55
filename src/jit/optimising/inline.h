/* inline.h — methods that are built into the one that calls them. */
#ifndef VITRINE_JIT_OPTIMISING_INLINE_H
#define VITRINE_JIT_OPTIMISING_INLINE_H

#include "jit/optimising/build.h"
#include "jit/optimising/inlining_report.h"

/* What is compiled, looked at and built is the scope's from now on. */
void enter_scope(struct ir *g, uint32_t scope);
/* Of the instruction, in bytes. */
uint32_t scope_length_at(const struct ir *g, uint32_t scope, uint32_t bci);
/* The scope that stands for the call at bci in the current one; 0: none does. */
uint32_t inlined_at(const struct ir *g, uint32_t bci);
/* ... which is made, if the method is one to be inlined, as long as g->inlines. */
uint32_t inline_call(struct ir *g, uint32_t bci);
/* Whatever is reached of the first scope without leaving: methods to be inlined are found. Handlers are not. */
void look_at_first(struct ir *g);
static inline bool is_return(uint8_t op) { return op >= OP_ireturn && op <= OP_return; }

/* The block ends with the question which of the two ways of the call it is to be. */
void build_question(struct builder *b, uint32_t callee);
/* The call has been made; the block ends as one does that returns from the callee. */
void build_called_instead(struct builder *b, uint32_t callee);
/* The block ends with the call, the instruction at hand: b is in the callee then, with its arguments. */
void build_inlined_call(struct builder *b, uint32_t callee);
/* The block begins where the callee has returned. */
void build_result(struct builder *b, uint32_t callee);
/* The value that an inlined method returns, 0: none, is its only operand then; the block ends. */
void build_inlined_return(struct builder *b, node_id value);

/* For -XX:+PrintInlining: the call at bci is an intrinsic's; and all that was noted. */
void note_intrinsic(struct ir *g, uint32_t bci, const struct method *guessed);
void report_inlining(const struct ir *g, struct inlining_report *out);

void free_scopes(struct ir *g);

#endif
