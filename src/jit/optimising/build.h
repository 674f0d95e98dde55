/* build.h — what the files that make nodes from bytecode share. */
#ifndef VITRINE_JIT_OPTIMISING_BUILD_H
#define VITRINE_JIT_OPTIMISING_BUILD_H

#include "jit/optimising/ir.h"

/* A phi of a loop's header, and the variable that it is. */
struct open_phi { node_id phi; uint32_t variable; };

enum { CONSTANTS_KEPT = 64 };
struct builder {
    struct ir *g;
    struct compiler *c;
    block_id block;
    uint32_t bci;                        /* the instruction                                                        */
    uint32_t before;                     /* operands before it                                                     */
    uint32_t depth;                      /* ... as far as it has come                                               */
    uint32_t state;                      /* of the instruction; 0: not made yet                                     */
    node_id *now;                        /* locals, then operands; 0: nothing, or a local that is never assigned; of
                                          * the current scope                                                      */
    node_id constants[CONSTANTS_KEPT];
    struct open_phi *open;
    uint32_t open_count, open_capacity;
    uint64_t *map;                       /* of stack_map_of_values                                                  */
};

/* Does an instruction; the last one of a block that branches or returns ends it. build_instruction.c */
void build_instruction(struct builder *b);
/* False: it is none of these. build_allocation.c */
bool build_allocation(struct builder *b, uint8_t op);
bool build_monitor(struct builder *b, uint8_t op);       /* build_monitor.c                                        */
/* The current scope, an inlined method, takes its own monitor before its first instruction, to which it has come; it
 * gives that back before it returns, and has given back all others, or else the interpreter returns. */
void build_own_enter(struct builder *b);
void build_monitors_left(struct builder *b);
bool build_intrinsic(struct builder *b, uint8_t op);     /* build_intrinsic.c                                      */
bool build_access(struct builder *b);                     /* an invocation; build_access.c                          */
bool build_exchange(struct builder *b, const struct method *m);               /* likewise, of one with a leaf */
/* The quotient or remainder of two operands, ints or longs. divide.c */
void build_division(struct builder *b, enum node_type type, bool remainder);
/* The remainder of two operands, by C. build_intrinsic.c */
void build_float_remainder(struct builder *b, enum node_type type);

/* An invocation; false: it is none. call.c */
bool build_call(struct builder *b, uint8_t op);

/* ---- build.c ----------------------------------------------------------------------------------------------------- */

/* The value of n, which is appended to the block, or one that is there already. */
node_id build_value(struct builder *b, struct node n);
/* ... of two operands, or of one: y is 0. */
node_id build_two(struct builder *b, enum node_op op, enum node_type type, uint8_t detail, node_id x, node_id y);
/* Appends what gives no value. */
node_id build_effect(struct builder *b, struct node n);
/* An int, long or reference that is an operand of instructions; floats, doubles and others are literals. */
node_id build_constant(struct builder *b, enum node_type type, int64_t value);
/* The frame before the instruction: until then nothing has been pushed or assigned. */
uint32_t build_state(struct builder *b);
/* ... as it is now. */
uint32_t build_state_behind(struct builder *b);
/* The scope's variables as they are, in g->values. */
uint32_t build_kept(struct builder *b);
/* What the variable, of the predecessors' scope, is at the begin of the block; a phi of it has that home (home.h). 0:
 * nothing, or several things. */
node_id build_merge(struct builder *b, uint32_t variable, uint32_t home);

node_id pop_value(struct builder *b, enum node_type type);
void push_value(struct builder *b, node_id n);
node_id read_local(struct builder *b, uint32_t i, enum node_type type);
void assign_local(struct builder *b, uint32_t i, node_id n);

/* ---- build_instruction.c ----------------------------------------------------------------------------------------- */

enum node_type type_of_kind(char kind);  /* of a descriptor's letter                                               */
/* A node that leaves with the instruction's state; guard 0: none. */
node_id build_check(struct builder *b, enum node_op op, node_id x, node_id y, node_id guard);
/* 0: it is known not to be null. */
node_id build_null_check(struct builder *b, node_id o);

/* Leaves where the thread's attention has one of these bits. build_intrinsic.c */
void build_watch_check(struct builder *b, uint32_t bits);

#endif
