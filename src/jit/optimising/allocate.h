/* allocate.h — registers for values. */
#ifndef VITRINE_JIT_OPTIMISING_ALLOCATE_H
#define VITRINE_JIT_OPTIMISING_ALLOCATE_H

#include "jit/optimising/ir.h"

enum place_kind {
    PLACE_NONE,                          /* no value, or a constant                                                */
    PLACE_REGISTER, PLACE_FLOATING,      /* number                                                                 */
    PLACE_SLOT,                          /* of the frame, counted from its first local                              */
    PLACE_REMADE                         /* a literal of no floating-point type: made where it is used               */
};
struct value_place { uint8_t kind; uint32_t number; };

/* A register gets a value back behind a call. */
struct reload { node_id call, value; };

/* A value is wanted behind a node at which C may do the instruction. */
struct stay { node_id node, value; };

struct allocation {
    struct value_place *places;          /* by node                                                                */
    uint32_t *kept;                      /* by node: the slot where it is besides, from its definition on, plus 1;
                                          * 0: it is in its place alone                                            */
    uint8_t *wanted;                     /* by node: a phi is looked for in its place before a call is made         */
    struct reload *reloads;              /* those of one call stand together                                       */
    uint32_t reload_count, reload_capacity;
    struct stay *stays;                  /* those of one node stand together                                       */
    uint32_t stay_count, stay_capacity;
    uint32_t slots;                      /* behind the frame's operands                                            */
    bool second_is_free;                 /* SECOND_SCRATCH holds nothing                                           */
    bool has_floats;                     /* values are in floating-point registers                                  */
    uint32_t outgoing;                   /* ... the first of those slots that are arguments of C functions           */
    struct saved_value { node_id call; struct value_place place; uint32_t slot; } *saved;
                                         /* by call, in the order of the code: what a call loses and is wanted behind
                                          * it, and where it is meanwhile                                           */
    uint32_t saved_count, saved_capacity;
};

/* For what values that are in memory need besides REG_SCRATCH. */
#define SECOND_SCRATCH ((enum asm_reg)10)
#define FLOAT_SCRATCH  ((unsigned)FLOATING_SCRATCH)
/* Free where a node computes with floating-point values; FLOAT_THIRD where three are its operands. */
#define FLOAT_SECOND   ((unsigned)FLOATING_SCRATCH - 1)
#define FLOAT_THIRD    ((unsigned)FLOATING_SCRATCH - 2)
/* What the barriers make of a reference that is stored. */
#ifdef VITRINE_CARDS
#define REFERENCE_COPY REG_C2
#else
#define REFERENCE_COPY REG_SCRATCH
#endif

/* Registers that the node's machine code changes, by bits, its result aside. */
uint32_t registers_lost(const struct ir *g, const struct node *n);
/* How a class is looked for. Nothing is a subtype of it: by the object's own class; else, does its class say all in the
 * display? Otherwise the stub `subtype` is asked. */
bool is_exact(const struct node *check);
bool is_in_display(const struct node *check);

/* A C function is called: of the registers only REG_KEPT stays as it is. */
static inline bool is_call(const struct node *n) { return n->op == NODE_call_leaf || n->op == NODE_call_math; }

/* An index that may be part of an address. */
bool is_small_index(const struct node *i);

/* g is not changed; its why_not is set where there is no memory. The caller frees *out, whatever comes of it. */
void allocate_registers(struct ir *g, struct allocation *out);
void allocation_free(struct allocation *out);

#endif
