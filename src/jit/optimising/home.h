/* home.h — where a value is while a method calls others: in the slot of the frame that the interpreter has for it.
 *
 * Nothing else of a frame outlasts a call: registers are the callee's, and its frame begins where the caller's
 * arguments do. So in a method with calls each value that a variable holds (a local, or an operand below the arguments
 * of a call) has that variable's slot as its home, and no other. Values are made so: phis have the home of their
 * variable, and where a value is assigned to a local, or is an operand while something is called, a copy of it has that
 * home, which becomes the same register where it can (allocate.c). A local that is assigned while an operand has its
 * value leaves that operand a copy. So two values with one home never live at a time, as long as values without a home
 * do not live across calls: gvn.c and loop.c see to that. What is inlined calls nothing, and its variables have no
 * homes. */
#ifndef VITRINE_JIT_OPTIMISING_HOME_H
#define VITRINE_JIT_OPTIMISING_HOME_H

#include "jit/optimising/build.h"

enum { NO_HOME = 0 };
/* Of the current scope's variable. */
static inline uint32_t home_of_variable(const struct ir *g, uint32_t v) { return g->scope == 0 ? v + 1 : NO_HOME; }
/* The variable whose slot the value has as its home, plus 1. */
uint32_t home_of(const struct ir *g, const struct node *n);
/* The slot of a variable, counted from the frame's first local. */
uint32_t slot_of_variable(const struct ir *g, uint32_t variable);

/* While nodes are built; without calls in the method they do nothing. */

/* What a local that is assigned n holds then; operands with its old value become copies. */
node_id assign_home(struct builder *b, uint32_t local, node_id n);
/* Operands up to `depth` get homes: what is called does not take them. */
void give_operands_homes(struct builder *b, uint32_t depth);
/* Operands from `from` on have changed places: those that are not at home become copies. */
void move_operands(struct builder *b, uint32_t from);

#endif
