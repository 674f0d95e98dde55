/* ir.h — the optimising compiler's form of a method: values that are assigned once, in blocks.
 *
 * A node is an instruction, and the value that it gives. Blocks hold them in order, phis first, what ends the block
 * last. A frame state says what an interpreter's frame would hold before an instruction; what may leave compiled code
 * has one. Local variables that the method never assigns need no value in states: they are in their slots throughout.
 *
 * Control comes into a method at its begin (root, whose successor is the first block) and, from other engines, at each
 * loop: BLOCK_ENTRY reads the frame and goes on in the loop's BLOCK_BEFORE, where all ways into the loop meet. For the
 * dominators the root leads there as well. The unwinder comes in at handlers, and nothing else does: what throws has no
 * edge to them, but the frame is whole then, and the handler's BLOCK_ENTRY reads it.
 *
 * What is inlined is a *scope*: a method with the place where it is called in another. Its blocks stand between the one
 * that ends with the call and the call's BLOCK_RESULT. Its locals are values; a state in it has the caller's state at
 * the call as its outer one. It has a place on the Java stack where the interpreter would make its frame, and a frame
 * there while it calls what is not inlined. Only the method's own loops and handlers are entered.
 *
 * A *virtual object* is not allocated (escape.c): its fields are values. Where a state holds its reference, it has an
 * `object` node in its place, which is in no block, and says what the object is there: its class, a value for each
 * field, and how its monitor is held. Who leaves with that state makes the object, and enters the monitor. Several
 * slots of a state and its outer ones with the same node hold the same object. */
#ifndef VITRINE_JIT_OPTIMISING_IR_H
#define VITRINE_JIT_OPTIMISING_IR_H

#include "jit/baseline/compiler.h"
#include "jit/compile_command.h"

enum node_type { TYPE_NONE, TYPE_INT, TYPE_LONG, TYPE_FLOAT, TYPE_DOUBLE, TYPE_REF };

/* NODE(name, group): VALUE: gives one, and is nothing but that (equal ones may be made one, and moved); READ: gives
 * what memory holds; FIXED: gives a value in its place; CHECK: leaves with its state where what it says does not hold;
 * EFFECT: does something; END: ends the block. */
#define NODES(NODE) \
    NODE(none, FIXED) NODE(constant, FIXED) NODE(literal, VALUE) NODE(home, VALUE) NODE(argument, FIXED) \
    NODE(phi, FIXED) NODE(alu, VALUE) NODE(multiply, VALUE) NODE(shift, VALUE) NODE(negate, VALUE) \
    NODE(divide, VALUE) NODE(float_binary, VALUE) NODE(float_negate, VALUE) NODE(convert, VALUE) \
    NODE(compare, VALUE) NODE(array_length, VALUE) NODE(load_field, READ) NODE(load_element, READ) \
    NODE(store_field, EFFECT) NODE(store_element, EFFECT) NODE(instance_of, VALUE) \
    NODE(check_null, CHECK) NODE(check_bounds, CHECK) NODE(check_zero, CHECK) NODE(check_negative, CHECK) \
    NODE(check_limit, CHECK) NODE(check_cast, CHECK) NODE(check_store, CHECK) NODE(check_callee, CHECK) \
    NODE(check_class, CHECK) NODE(check_is_null, CHECK) \
    NODE(poll, EFFECT) \
    NODE(math, VALUE) NODE(math_checked, CHECK) NODE(check_watch, CHECK) NODE(check_leaf, CHECK) \
    NODE(check_init, CHECK) NODE(text_char, READ) NODE(put_char, EFFECT) NODE(object_class, VALUE) \
    NODE(this_thread, READ) NODE(call_leaf, EFFECT) NODE(call_math, CHECK) \
    NODE(load_raw, READ) NODE(store_raw, EFFECT) NODE(compare_raw, EFFECT) NODE(exchange_raw, EFFECT) \
    NODE(fence, EFFECT) \
    NODE(monitor_enter, EFFECT) NODE(monitor_exit, EFFECT) NODE(check_monitors, EFFECT) \
    NODE(new_object, EFFECT) NODE(new_array, EFFECT) NODE(new_arrays, EFFECT) \
    NODE(copy, FIXED) NODE(object, FIXED) NODE(call, EFFECT) \
    NODE(jump, END) NODE(branch, END) NODE(branch_instance, END) NODE(branch_class, END) NODE(choose, END) \
    NODE(give, END) NODE(throw, END) NODE(leave, END)
enum node_op {
#define NODE(name, group) NODE_##name,
    NODES(NODE)
#undef NODE
    NODE_LIMIT
};
enum node_group { GROUP_FIXED, GROUP_VALUE, GROUP_READ, GROUP_CHECK, GROUP_EFFECT, GROUP_END };
extern const uint8_t node_groups[NODE_LIMIT];
extern const char *const node_names[NODE_LIMIT];

/* Detail of `math`, which are the same everywhere, and of `math_checked`, which leaves where only the library says what
 * the result is. By the type of the first operand; what they are: baseline/intrinsic.c. */
enum math_op {
    MATH_ABS, MATH_MIN, MATH_MAX, MATH_COMPARE_UNSIGNED, MATH_BIT_COUNT, MATH_LEADING_ZEROS, MATH_TRAILING_ZEROS,
    MATH_REVERSE, MATH_REVERSE_BYTES, MATH_REVERSE_CHAR, MATH_REVERSE_SHORT, MATH_MULTIPLY_HIGH, MATH_SQRT,
    MATH_SIGNUM, MATH_SAME_BITS, MATH_FLOAT_BITS, MATH_IDENTITY_HASH,
    MATH_ADD_EXACT, MATH_SUBTRACT_EXACT, MATH_MULTIPLY_EXACT, MATH_NEGATE_EXACT, MATH_CHECK_INDEX, MATH_FMA,
    MATH_COPY_SIGN, MATH_ROUND, MATH_FLOOR, MATH_CEIL, MATH_RINT
};

typedef uint32_t node_id;                /* index in ir.nodes; 0: none                                             */
typedef uint32_t block_id;               /* index in ir.blocks                                                     */
enum { NODE_INPUTS = 4, ROOT = 0 };

enum node_flag {
    NODE_NOT_NULL = 1,                   /* a reference that is known not to be null                                */
    NODE_STAYS = 2,                      /* must not move: a condition that is no check guards it                   */
    NODE_VOLATILE = 4,                   /* accesses do not move over it; give: monitors are given back             */
    NODE_USED = 8,                       /* of use.c                                                               */
    NODE_CAST = 16,                      /* a reference whose class is checked somewhere: what is read by it stays   */
    NODE_BYTES = 32,                     /* ... of an array, if it is one of bytes, and not of booleans              */
    NODE_FINAL = 64,                     /* reads what does not change once it can be read                          */
    NODE_BRANCHED = 128                  /* of gvn.c: a check that the branch to `block` makes; it is in none       */
};

struct node {
    uint8_t op, type;                    /* enum node_op, node_type                                                 */
    uint8_t detail;                      /* alu, shift, float_binary: the assembler's operation; convert, compare, give:
                                          * the opcode; of memory: the descriptor's letter; branches: enum asm_cond
                                          * (branch_instance: NOT_EQUAL, if it is one); divide: whether it is the
                                          * remainder; calls: slots of arguments; choose: whether it jumps by a
                                          * table; monitor_exit: whether an inlined method's own one is left         */
    uint8_t flags;                       /* enum node_flag                                                         */
    int32_t bci;
    block_id block;
    node_id in[NODE_INPUTS];
    node_id guard;                       /* a check without which it must not be done; 0: none                      */
    uint32_t state;                      /* index in ir.states; 0: none                                            */
    node_id next, before;                /* in its block                                                           */
    node_id same;                        /* the node that has taken its place; 0: none                             */
    uint32_t memory;                     /* gvn.c: of loads, which memory they see; of values, behind which calls;
                                          * of check_watch and check_leaf, behind which poll they come             */
    uint32_t home;                       /* phi, copy: the slot of the variable that it is, plus 1; 0: none         */
    int64_t imm;                         /* constant, literal: bits; home, argument: the slot; phi: where its inputs
                                          * begin in ir.inputs; fields: offset, or the address of static ones;
                                          * classes, of new_array that of the array; call_leaf, call_math: the
                                          * function; branch: the opcode of a comparison, or 0; iand: do the
                                          * operands have bits in common?
                                          * check_callee: what the receiver's class has at its vtable index;
                                          * check_class, branch_class: the receiver's; object: index in ir.objects;
                                          * load_raw, store_raw, compare_raw, exchange_raw: raw_part; fence: whether
                                          * loads behind it wait for stores before it; monitors: the scope whose
                                          * frame they are                                                          */
};

/* Where load_raw, store_raw, compare_raw and exchange_raw access: in[0] + (in[1] << shift) + displacement; of inputs
 * that are 0 nothing is added. What they access, if it may be no object's, may have no memory behind it: they have a
 * state then, and leave before the instruction where that is found out (jdk/memory_fault.h). */
struct raw_part {
    int32_t displacement;
    uint8_t shift;                       /* 0 where there is no in[0]                                              */
    bool is_strong;                      /* store_raw: loads behind it wait for it; compare_raw: gives what was there,
                                          * and not whether it was what is expected; exchange_raw: adds             */
};
static inline int64_t raw_imm(struct raw_part p) {
    return (int64_t)((uint32_t)p.displacement | (uint64_t)p.shift << 32 | (uint64_t)p.is_strong << 40);
}
static inline struct raw_part raw_part(const struct node *n) {
    uint64_t imm = (uint64_t)n->imm;
    return (struct raw_part){(int32_t)(uint32_t)imm, (uint8_t)(imm >> 32), imm >> 40 & 1};
}

/* What an `object` node says. Its monitor, which is not entered, is held for frames of these scopes, that first for
 * which it was entered first: `enter` is the node that did, and grows with time. */
struct held_monitor { node_id enter; uint32_t scope; };
struct held_monitors { uint32_t count; struct held_monitor of[EXIT_MOST_MONITORS]; };
struct virtual_object {
    const struct class *class;
    struct held_monitors held;
    uint32_t first;                      /* in ir.inputs: the fields' values                                        */
    uint32_t fields, count;              /* in ir.fields                                                           */
};
struct object_field { uint32_t offset; char kind; };     /* the descriptor's letter                                 */

struct state {
    int32_t bci;
    uint32_t depth;                      /* operand slots                                                          */
    uint32_t first;                      /* in ir.values: the locals, then the operands; 0: nothing to say          */
    uint32_t locals;                     /* how many of those                                                      */
    uint32_t scope;                      /* index in ir.scopes                                                     */
    uint32_t outer;                      /* the caller's, without the arguments; 0: it is the method itself         */
    bool wanted;                         /* a node that is wanted has it, or a state that it is the outer one of    */
};

/* What is known of a value while blocks are found: known.h. */
enum known_kind { KNOWN_NOTHING, KNOWN_OBJECT, KNOWN_INT, KNOWN_METHOD };
struct known {
    uint8_t kind;                        /* enum known_kind                                                        */
    bool is_stable;                      /* an array whose elements, once they are not null, stay                   */
    int64_t value;                       /* the object's or method's address, or the int                           */
};

/* How a call comes to the callee's arguments: its operands; with the call site's appendix behind them; or without the
 * MemberName, the last one, that says what linkTo* calls. */
enum passing { PASSES_OPERANDS, PASSES_APPENDIX, PASSES_NO_MEMBER };

/* A method that is compiled: the first, which has the frame, and those that are inlined. */
struct scope {
    struct method_code *code;
    const struct cf_code *source;
    struct place *places;                /* of flow_find; of the first the compiler's                               */
    uint32_t *block_at;                  /* by bytecode index: plus 1                                               */
    uint8_t *support;                    /* by bytecode index: enum support plus 1; of the first NULL               */
    bool keeps_this;
    bool locks, synchronized;            /* of what is inlined: it has monitorenter; its call enters a monitor      */
    uint32_t parent, bci;                /* the scope that calls it, and where                                     */
    uint32_t level;                      /* 0: the first                                                           */
    uint32_t base;                       /* its first local, if it had a frame, counted from the first scope's      */
    uint32_t locals, variables;          /* ... and operands                                                       */
    uint32_t result;                     /* the call's BLOCK_RESULT; 0: it never returns                            */
    uint32_t state, kept, depth;         /* the caller at the call, without the arguments: its state; in ir.values   */
    bool calls, throws, stops;           /* it, or what is inlined in it, has call nodes; something may be thrown but
                                          * by exits; others may run                                               */
    const char *why_no_calls;            /* what it calls must be inlined, or it is not; NULL: it may call           */
    const struct method *guarded;        /* whose vtable index says whether the call is one of it; NULL: always      */
    struct class *receiver;              /* ... for which the call is one of it, and for no other; NULL: see guarded */
    bool calls_others;                   /* of another receiver the method is called, and nobody leaves             */
    struct class *interface;             /* which the receiver must have; NULL: it does                             */
    uint8_t passing;                     /* enum passing                                                           */
    bool of_handle;                      /* the first argument is a method handle, which must not be null            */
    const struct object *appendix;       /* NULL: none                                                             */
    uint32_t own_levels;                 /* as `level`, but for forms of method handles                             */
    struct known *known, *steady;        /* locals and operands as they are, while blocks are found; locals that hold
                                          * the same wherever they hold anything                                   */
    struct known returned;
    bool returns;
    const struct object *site;           /* the call site whose target it takes for a constant; NULL: none          */
};

/* What an instruction loads, where that is known; of Class.isInstance the class for which it asks, of
 * Unsafe.allocateInstance that of which it makes an object, both by their mirrors. */
struct noted { uint32_t scope, bci; struct known value; };

/* A call that was looked at: inlined, or why not. */
struct call_seen { uint32_t scope, bci; const struct method *method; const char *what; bool is_inlined; };

enum { MOST_VARIABLES = EXIT_MOST_OPERANDS };            /* of scopes in each other                                */
/* Where a call is inlined for one class of receivers and made for others: the block that asks, and the two ways. */
enum block_part { PART_NONE, PART_ASKS, PART_INLINED, PART_CALLS };
enum block_kind { BLOCK_CODE, BLOCK_BEFORE, BLOCK_ENTRY, BLOCK_EDGE, BLOCK_RESULT };
struct block {
    uint8_t kind;                        /* enum block_kind                                                        */
    bool is_header, is_entered;          /* ... of a loop; which is entered by a BLOCK_ENTRY                        */
    bool has_run;                        /* build.c: its nodes have been made                                      */
    bool leaves;                         /* BLOCK_CODE: at its last instruction                                    */
    uint32_t bci, end;                   /* BLOCK_CODE: its first and its last instruction; else `bci` of the loop  */
    uint32_t scope;                      /* index in ir.scopes                                                     */
    uint32_t callee;                     /* BLOCK_RESULT: whose result; BLOCK_CODE: whose call ends it; or 0        */
    uint8_t part;                        /* BLOCK_CODE: enum block_part, of the call that ends it                    */
    uint32_t first_successor, successors;        /* in ir.edges                                                    */
    uint32_t first_predecessor, predecessors;    /* in ir.edges; phis have an input for each                       */
    uint32_t number;                     /* its place in ir.order                                                  */
    block_id dominator;
    uint32_t dominates_from, dominates_to;       /* numbers in the dominator tree                                  */
    uint32_t loop;                       /* the innermost one it is in, plus 1; 0: none                             */
    uint32_t depth;                      /* of loops                                                               */
    node_id first, last;
    uint32_t variables;                  /* where in ir.values its variables are at its end; of a handler's entry, until
                                          * that is built, those of an instruction that the handler covers          */
    uint32_t outer;                      /* BLOCK_BEFORE in what is inlined: its caller's state; 0: scope.state     */
    uint32_t memory, polls, calls;       /* gvn.c: at its end                                                      */
    node_id watch;                       /* likewise                                                               */
    bool follows_watch;
};

/* A row of the first scope's exception table whose handler is entered: for what is thrown from bci `from` on and before
 * `to`. Several may have one handler, and its entry. */
struct ir_handler {
    uint32_t from, to, bci;
    block_id entry;                      /* 0: nothing has been found that it covers                                */
};

struct ir_loop {
    block_id header, before, entry;      /* entry 0: none                                                          */
    uint32_t parent;                     /* plus 1; 0: none                                                        */
    uint32_t size;                       /* blocks                                                                 */
    uint32_t members;                    /* in ir.bits: by block                                                   */
    bool calls;                          /* its blocks call methods                                                */
};

struct ir {
    struct compiler *c;
    struct node *nodes;
    uint32_t node_count, node_capacity;
    struct block *blocks;
    uint32_t block_count, block_capacity;
    struct ir_loop *loops;
    uint32_t loop_count, loop_capacity;
    struct ir_handler *handlers;
    uint32_t handler_count, handler_capacity;
    struct state *states;
    uint32_t state_count, state_capacity;
    uint32_t *edges, edge_count, edge_capacity;
    uint32_t *inputs, input_count, input_capacity;
    uint32_t *values, value_count, value_capacity;
    uint64_t *bits;
    uint32_t bit_count, bit_capacity;    /* words                                                                  */
    struct virtual_object *objects;
    uint32_t object_count, object_capacity;
    struct object_field *fields;
    uint32_t field_count, field_capacity;
    uint32_t *order, order_count, order_capacity;        /* blocks: dominators first, loops together              */
    uint32_t *block_at, block_at_capacity;       /* of the first scope                                              */
    struct scope *scopes;
    uint32_t scope_count, scope_capacity;
    uint32_t scope;                      /* the compiler's `code` and `places` are this one's, and the next two     */
    uint8_t *assigned;                   /* by local: what is compiled of the method assigns it                     */
    uint32_t assigned_capacity;
    uint32_t locals, variables;          /* ... and operands                                                       */
    uint32_t area;                       /* slots that all scopes' locals and operands would take                    */
    uint32_t inlined_bytes;              /* of bytecode                                                            */
    bool (*is_hot)(const struct method_code *code);
    bool (*has_left_often)(const struct method_code *code, uint32_t bci);
    struct receivers_seen (*receivers_at)(const struct method_code *code, uint32_t bci);
    struct object *(*target_of)(struct object *site);
    const struct compile_commands *commands;
    struct lookups lookups;              /* what calls of interfaces have selected                                  */
    struct call_seen *seen;              /* if `reports`                                                           */
    uint32_t seen_count, seen_capacity;
    struct noted *noted;
    uint32_t noted_count, noted_capacity;
    bool reports;
    bool inlines;                        /* methods, while blocks are found                                        */
    bool hoists_checks, is_watched;      /* checks may move; tools watch methods or library code in this thread     */
    bool enters_all;                     /* handlers that look rare, too                                           */
    bool leaves_at_events;               /* where a breakpoint is, or a watched field; otherwise it is not compiled  */
    bool has_events;                     /* it does so somewhere, or would                                         */
    bool calls;                          /* it has call nodes: homes matter, see home.h                            */
    bool elides;                         /* objects that nobody else sees are not allocated                         */
    bool elides_monitors;                /* ... and their monitors not entered                                      */
    bool allocations_watched;            /* ... unless tools watch                                                 */
    uint8_t allocations;                 /* enum allocations                                                       */
    const char *why_not;                 /* the method is not compiled                                             */
};

static inline struct node *node_of(const struct ir *g, node_id n) { return &g->nodes[n]; }
static inline struct block *block_of(const struct ir *g, block_id b) { return &g->blocks[b]; }
static inline enum node_group group_of(const struct node *n) { return (enum node_group)node_groups[n->op]; }
static inline block_id successor(const struct ir *g, const struct block *b, uint32_t i) {
    return g->edges[b->first_successor + i];
}
static inline block_id predecessor(const struct ir *g, const struct block *b, uint32_t i) {
    return g->edges[b->first_predecessor + i];
}
static inline node_id phi_input(const struct ir *g, const struct node *phi, uint32_t i) {
    return g->inputs[(uint32_t)phi->imm + i];
}
static inline const struct virtual_object *object_of(const struct ir *g, node_id n) {
    return &g->objects[g->nodes[n].imm];
}
static inline bool in_bits(const struct ir *g, uint32_t bits, uint32_t i) {
    return g->bits[bits + i / 64] >> i % 64 & 1;
}
/* Its code goes on behind it where C does the instruction in its place. */
static inline bool may_be_done_by_c(const struct node *n) {
    return n->op == NODE_new_object || n->op == NODE_new_array || n->op == NODE_new_arrays ||
           n->op == NODE_monitor_enter || n->op == NODE_monitor_exit;
}
static inline bool is_constant(const struct node *n) { return n->op == NODE_constant; }
/* Does it do nothing but store? */
static inline bool is_store(const struct node *n) {
    return n->op == NODE_store_field || n->op == NODE_store_element || n->op == NODE_put_char ||
           n->op == NODE_store_raw || n->op == NODE_compare_raw || n->op == NODE_exchange_raw || n->op == NODE_fence;
}
/* The node that stands for n now. */
static inline node_id resolve(const struct ir *g, node_id n) {
    while (g->nodes[n].same != 0) n = g->nodes[n].same;
    return n;
}
static inline bool dominates(const struct ir *g, block_id a, block_id b) {
    const struct block *x = block_of(g, a), *y = block_of(g, b);
    return x->dominates_from <= y->dominates_from && y->dominates_to <= x->dominates_to;
}
/* `other` takes the place of n. */
static inline void replace(struct ir *g, node_id n, node_id other) {
    g->nodes[n].same = other;
    g->nodes[other].flags |= g->nodes[n].flags & NODE_CAST;
}
/* A local of the current scope that has values: others are in their slots throughout. */
static inline bool is_variable(const struct ir *g, uint32_t local) { return g->scope != 0 || g->assigned[local]; }
static inline bool gives_value(const struct node *n) { return n->type != TYPE_NONE && n->same == 0; }
static inline bool is_float_type(uint8_t type) { return type == TYPE_FLOAT || type == TYPE_DOUBLE; }
static inline bool is_wide_type(uint8_t type) { return type == TYPE_LONG || type == TYPE_DOUBLE; }

/* The method is not compiled; the first reason counts. */
void ir_declines(struct ir *g, const char *why);
static inline bool ir_goes_on(const struct ir *g) { return g->why_not == NULL; }
/* A node in no block; 0: not enough memory, or the method is too large. */
node_id ir_new_node(struct ir *g, struct node n);
void ir_append(struct ir *g, block_id b, node_id n);
/* In front of `at`, which is in a block. */
void ir_insert(struct ir *g, node_id at, node_id n);
void ir_unlink(struct ir *g, node_id n);
/* Calls `visit` for each input of n, those of its state included, and in the place of a virtual object the values of
 * its fields; it may change them. */
typedef void ir_input_function(void *arg, node_id *in, bool in_state);
void ir_inputs(struct ir *g, struct node *n, ir_input_function *visit, void *arg);
/* ... for those that are not of its state; for those of one state, without its caller's. Nodes share states, so who
 * wants to see each input once goes through the states by themselves. */
void ir_operands(struct ir *g, struct node *n, ir_input_function *visit, void *arg);
void ir_state_inputs(struct ir *g, uint32_t state, ir_input_function *visit, void *arg);
/* Each input of what is in blocks, and of all states, becomes what it is replaced by. */
void ir_use_leaders(struct ir *g);
/* ... for the fields' values of a virtual object, and of those that it refers to. */
void ir_object_inputs(struct ir *g, node_id object, ir_input_function *visit, void *arg);
void ir_free(struct ir *g);

/* ---- the passes; each leaves g->why_not alone or sets it --------------------------------------------------------- */

void cfg_build(struct ir *g);            /* cfg.c: blocks, loops, order; behind flow_find                           */
void cfg_dominators(struct ir *g);       /* order.c                                                                */
void find_assigned_locals(struct ir *g);         /* build.c: g->assigned                                           */
void build_nodes(struct ir *g);          /* build.c                                                                */
void note_calls(struct ir *g);           /* home.c: which loops call methods                                       */
/* What a new node is: another one that is there, or itself, changed. fold.c */
node_id fold_node(struct ir *g, struct node *n);
void number_values(struct ir *g);        /* gvn.c: of equal nodes the dominating one remains                         */
void simplify_phis(struct ir *g);        /* use.c: phis that stand for one value                                     */
void lead_past_branches(struct ir *g);   /* branches.c: ways that know where a branch leads                        */
void replace_objects(struct ir *g);      /* escape.c: by their fields; before there is a number_values               */
void hoist_invariants(struct ir *g);     /* loop.c                                                                 */
void remove_ranges(struct ir *g);        /* range.c: checks of bounds that a loop's condition makes                  */
void fuse_tests(struct ir *g);           /* branches.c: branches that ask themselves what an object is               */
void remove_unused(struct ir *g);        /* use.c: nodes that nobody wants; no states are made behind it              */
#ifdef VITRINE_CHECK
void ir_verify(struct ir *g, const char *pass);          /* verify.c                                               */
#else
static inline void ir_verify(struct ir *g UNUSED, const char *pass UNUSED) {}
#endif
/* The state with which a loop is begun, as the block before it has it. loop.c */
uint32_t state_before(struct ir *g, const struct ir_loop *l);
bool is_not_negative(const struct ir *g, node_id n);     /* range.c: for certain                                   */
bool is_index_below(const struct ir *g, node_id index, node_id length);                /* likewise, and not negative */
/* dump.c: as text; as a graph for dot. */
void ir_print(const struct ir *g, const char *pass);
void ir_print_graph(const struct ir *g);

#endif
