/* home.h — where a value is while a method calls others: in the slot of the frame that the interpreter has for it.
 *
 * Nothing else of a frame outlasts a call: registers are the callee's, and its frame begins where the caller's
 * arguments do. So in a scope with calls each value that a variable holds (a local, or an operand below the arguments
 * of a call) has that variable's slot as its home, and no other. Values are made so: phis have the home of their
 * variable, and where a value is assigned to a local, or is an operand while something is called, a copy of it has that
 * home, which becomes the same register where it can (allocate.c). A local that is assigned while an operand has its
 * value leaves that operand a copy. So two values with one home never live at a time, as long as values without a home
 * do not live across calls: gvn.c and loop.c see to that.
 *
 * What is inlined has its slots where the interpreter's frame would have them (scope.base). An argument that has a home
 * in the caller keeps that, since the caller does not change its variables meanwhile; others get that of the local.
 * Before a call all variables of all scopes that are in each other there go to their slots, whatever their homes. A
 * scope that calls nothing has no homes. */
#ifndef VITRINE_JIT_OPTIMISING_HOME_H
#define VITRINE_JIT_OPTIMISING_HOME_H

#include "jit/optimising/build.h"

enum { NO_HOME = 0 };
/* The slot of a scope's variable, counted from the first scope's first local. */
static inline uint32_t slot_of_variable(const struct scope *s, uint32_t v) {
    return s->base + (v < s->locals ? v : v + FRAME_SLOTS);
}
/* Do variables of the current scope have homes? */
static inline bool has_homes(const struct ir *g) { return g->scope == 0 ? g->calls : g->scopes[g->scope].calls; }
/* Of the current scope's variable. */
static inline uint32_t home_of_variable(const struct ir *g, uint32_t v) {
    return has_homes(g) ? slot_of_variable(&g->scopes[g->scope], v) + 1 : NO_HOME;
}
/* The slot that the value has as its home, plus 1. */
static inline uint32_t home_of(const struct node *n) {
    return n->op == NODE_home || n->op == NODE_argument ? (uint32_t)n->imm + 1 : n->home;
}

/* While nodes are built; without calls in the scope they do nothing. */

/* What a local that is assigned n holds then; operands with its old value become copies. */
node_id assign_home(struct builder *b, uint32_t local, node_id n);
/* Operands up to `depth` get homes: what is called does not take them. */
void give_operands_homes(struct builder *b, uint32_t depth);
/* The scope's locals are the arguments, `count` slots, with which it is called. */
void give_arguments_homes(struct builder *b, uint32_t count);
/* Operands from `from` on have changed places: those that are not at home become copies. */
void move_operands(struct builder *b, uint32_t from);

#endif
