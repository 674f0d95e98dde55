/* emit.h — from nodes that have places to machine code. */
#ifndef VITRINE_JIT_OPTIMISING_EMIT_H
#define VITRINE_JIT_OPTIMISING_EMIT_H

#include "jit/optimising/allocate.h"

/* A value goes to a place. */
struct move {
    struct value_place from, to;         /* from: PLACE_NONE: `constant`                                            */
    int64_t constant;
    uint8_t type;                        /* enum node_type                                                         */
};
struct moves { struct move *rows; uint32_t count, capacity; };

/* Where a frame leaves. */
struct emitted_exit {
    struct asm_label label;
    uint32_t state;                      /* 0: everything is at home                                               */
    uint32_t bci, depth;                 /* in the scope                                                           */
    uint32_t scope;
    uint8_t kind;                        /* enum exit_kind, beside EXIT_WHOLE and EXIT_INLINED                      */
    node_id passed;                      /* the call of C whose arguments have been passed; 0: none                 */
    node_id back;                        /* C does its instruction, and the code goes on; 0: nothing comes back     */
    struct asm_label behind;             /* ... there                                                              */
    struct asm_label no_room;            /* of an allocation: where the stub `allocate` is asked first              */
    bool allocates;                      /* it is one, of the class with this id and so many bytes; size 0: a        */
    uint32_t class_id, size;             /* register has it                                                         */
};

struct emitter {
    struct ir *g;
    struct compiler *c;
    const struct allocation *places;
    struct asm_label *labels;            /* by block                                                               */
    block_id *layout;                    /* g->order_count blocks, as they are written                              */
    struct emitted_exit *exits;
    uint32_t exit_count, exit_capacity;
    struct exit_operand *operands;
    node_id *objects;                    /* virtual ones of the exit at hand: one refers only to those before it      */
    uint32_t object_count, object_capacity;
    node_id passed;                      /* that of the exit at hand                                               */
    struct moves moves;
    struct reported { struct asm_label label; node_id give; } *reported; /* returns that are reported              */
    uint32_t reported_count, reported_capacity;
    struct jump { struct asm_label label; block_id block; } *tables;     /* of switches                             */
    uint32_t table_count, table_capacity;
    block_id next;                       /* whose code follows; ROOT: none                                         */
    uint64_t *records;                   /* by block: the scopes whose frames' records are written at its end        */
    uint64_t *written;                   /* ... of the block at hand                                               */
    uint32_t record_words;               /* of each                                                                */
    uint32_t youngest;                   /* the scope whose frame is the youngest, and REG_FRAME                     */
    uint32_t loop;                       /* of the block written last: block.loop                                    */
};

/* Writes the method's code, between its entry and the tables: the compiler's write function. emit.c */
void emit_method(struct emitter *e);
/* layout.c: *out has room for g->order_count blocks. False: there is no memory. */
bool layout_blocks(const struct ir *g, block_id *out);

/* ---- operands.c -------------------------------------------------------------------------------------------------- */

static inline struct node *emitted(const struct emitter *e, node_id n) { return node_of(e->g, n); }
static inline enum asm_width width_of_type(uint8_t type) {
    return type == TYPE_INT || type == TYPE_FLOAT ? W32 : W64;
}
static inline enum asm_float_type float_of_type(uint8_t type) { return type == TYPE_FLOAT ? F32 : F64; }
/* Where the scope's frame is, if it has one: bytes behind the first scope's. */
static inline int32_t frame_of(const struct ir *g, uint32_t scope) {
    const struct scope *s = &g->scopes[scope];
    return 8 * ((int32_t)(s->base + s->locals) - (int32_t)g->scopes[0].locals);
}
struct asm_mem slot_at(const struct emitter *e, uint32_t number);
/* It is in memory: *m. */
bool is_in_slot(const struct emitter *e, node_id n, struct asm_mem *m);
/* An integer or reference in a register: its own, or `scratch`. */
enum asm_reg in_general(struct emitter *e, node_id n, enum asm_reg scratch);
/* ... that has it now, whatever it was. */
void into_general(struct emitter *e, enum asm_reg r, node_id n);
/* A floating-point value in its own register, or FLOAT_SCRATCH. */
unsigned in_float(struct emitter *e, node_id n);
/* Where the node's value is to be written; scratch registers if that is memory. Behind that: keep_*. */
enum asm_reg result_general(const struct emitter *e, node_id n);
unsigned result_float(const struct emitter *e, node_id n);
void keep_general(struct emitter *e, node_id n, enum asm_reg r);
void keep_float(struct emitter *e, node_id n, unsigned x);
/* r op n, wherever that is; `scratch` for what is no operand of instructions. */
void apply(struct emitter *e, enum asm_alu op, enum asm_width w, enum asm_reg r, node_id n, enum asm_reg scratch);
void load_bits(struct emitter *e, enum asm_reg r, int64_t v);
static inline enum asm_reg other_scratch(enum asm_reg r) { return r == REG_SCRATCH ? SECOND_SCRATCH : REG_SCRATCH; }

/* EQUAL if the object in the register, which is not null, is an instance of n's class. `wanted` is lost, and what
 * registers_lost says. emit_value.c */
/* The class of the node's object with the one that it names. */
void compare_with_class(struct emitter *e, const struct node *n);
void compare_class(struct emitter *e, const struct node *n, enum asm_reg object, enum asm_reg wanted);

/* Does the moves as if all at once; REG_SCRATCH and FLOAT_SCRATCH are lost. */
void make_moves(struct emitter *e);
void add_move(struct emitter *e, node_id from, struct value_place to);
/* Where the value is also where no instruction but a state wants it. */
struct value_place steady_place(const struct emitter *e, node_id n);
void add_steady_move(struct emitter *e, node_id from, struct value_place to);

/* ---- emit_call.c ------------------------------------------------------------------------------------------------- */

void emit_call(struct emitter *e, node_id id);
void emit_throw(struct emitter *e, const struct node *n);
/* A value that lives across calls goes home, where it has just been defined. */
void emit_keep(struct emitter *e, node_id id);

/* ---- emit_record.c: frames of what is inlined, while it calls ---------------------------------------------------- */

/* The block begins: e->written. */
void begin_records(struct emitter *e, block_id b);
/* The frames of the scope and of those that it is inlined in are complete, but for the youngest one's sp, which is
 * before the instruction bci; REG_SCRATCH is lost. */
void write_records(struct emitter *e, uint32_t scope, uint32_t bci);
/* From here on the frame of the scope, whose record is written, is e->youngest. REG_SCRATCH is lost; flags are kept. */
void set_youngest(struct emitter *e, uint32_t scope);
/* May an inlined scope's frame be that while the node is done? Where not, the first scope's is. */
bool is_done_by_any(const struct emitter *e, const struct node *n);

/* ---- emit_value.c: nodes that give values, memory, checks -------------------------------------------------------- */

void emit_node(struct emitter *e, node_id id);
/* Flags for an integer or reference, which may be in memory, by 0. */
void compare_with_zero(struct emitter *e, node_id id);
/* The same place in memory without REG_SCRATCH, which is wanted for the value. */
struct asm_mem in_second(struct emitter *e, struct asm_mem m);
/* What lies at m becomes the node's value; v goes there, as the node's detail says. */
void load_from(struct emitter *e, node_id id, const struct node *n, struct asm_mem m);
void store_to(struct emitter *e, const struct node *n, node_id v, struct asm_mem m);
/* A local from its slot, or what is made anew. */
void emit_local(struct emitter *e, node_id id);
void emit_literal(struct emitter *e, node_id id);
/* A label that leaves with the node's state. */
struct asm_label *exit_of(struct emitter *e, const struct node *n);
/* The same behind a call of a function of C, whose arguments are where they were passed. */
struct asm_label *exit_behind_leaf(struct emitter *e, const struct node *n);
struct asm_label *exit_at_home(struct emitter *e, uint32_t bci, uint32_t depth);
/* An exit of its own for C to do the node's instruction, where os_thread.allocating says so: the code goes on `behind`,
 * with the result in REG_RESULT and all else as it was. */
struct emitted_exit *exit_and_back_of(struct emitter *e, const struct node *n);
/* The value's own register, or x, into which it is loaded if it is in memory. Moves it to x. emit_value.c */
unsigned in_this_float(struct emitter *e, node_id n, unsigned x);
void into_float(struct emitter *e, unsigned x, node_id n);
/* Flags for a comparison opcode of floats, in[0] with in[1]; exchanged for those that count what is no number as
 * greater. */
void emit_float_compare(struct emitter *e, const struct node *n, uint8_t op);

/* ---- emit_intrinsic.c -------------------------------------------------------------------------------------------- */

/* False: it is none of these nodes. */
bool emit_intrinsic(struct emitter *e, node_id id);

/* ---- emit_access.c ----------------------------------------------------------------------------------------------- */

bool emit_access(struct emitter *e, node_id id);         /* false: it is none of these nodes                        */

/* ---- emit_leaf.c ------------------------------------------------------------------------------------------------- */

bool emit_leaf(struct emitter *e, node_id id);           /* false: it is none of these nodes                        */
/* Where a leaf finds what it is called with, by slots. */
static inline struct value_place outgoing(const struct emitter *e, uint32_t slot) {
    return (struct value_place){PLACE_SLOT, e->places->outgoing + slot};
}

/* ---- emit_monitor.c ---------------------------------------------------------------------------------------------- */

bool emit_monitor(struct emitter *e, node_id id);        /* false: it is none of these nodes                        */
/* The frame is about to return: what it holds, and nobody else wants, is given back. */
void emit_give_back(struct emitter *e);

/* ---- emit_allocation.c ------------------------------------------------------------------------------------------- */

/* False: it is none of these nodes. */
bool emit_allocation(struct emitter *e, node_id id);
/* The stub makes the object; if it cannot, the exit follows, by which C does. */
void emit_no_room(struct emitter *e, struct emitted_exit *x);
/* C does the node's instruction; REG_RESULT is what that gives. */
void emit_by_c(struct emitter *e, const struct node *n);

#endif
