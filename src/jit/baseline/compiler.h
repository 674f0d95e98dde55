/* compiler.h — what the files of the baseline compiler share. */
#ifndef VITRINE_JIT_BASELINE_COMPILER_H
#define VITRINE_JIT_BASELINE_COMPILER_H

#include "classfile/opcodes.h"
#include "exec/frame.h"
#include "exec/engine.h"
#include "exec/quick.h"
#include "jit/asm.h"
#include "jit/baseline/baseline.h"
#include "jit/exits.h"
#include "jit/inlined.h"
#include "jit/pcs.h"

/* Where an operand is, while code is being made. The operand at index i of the stack has slot i of the frame as its
 * home; long and double have it in the first of their two. */
enum value_kind {
    IN_SLOT,                             /* at home                                                                */
    CONSTANT,                            /* ints with their sign extended; float and double by bits                 */
    LOCAL,                               /* a local variable's value: not stored to since                          */
    REGISTER,
    FLOATING,                            /* floating-point register                                                */
    UPPER                                /* second half of a long or double: nothing                               */
};
struct value {
    uint8_t kind;
    uint8_t reg;                         /* machine register, or FIRST_FLOATING + number                           */
    uint8_t float_type;                  /* of FLOATING: enum asm_float_type                                       */
    uint16_t local;
    int64_t constant;
};

/* General registers come first. An int in one has its upper half zero or its sign there, as in the frame. */
enum { FIRST_FLOATING = 16, REGISTERS = 32, FLOATING_SCRATCH = 15 };

/* By bytecode index; all zero of what is no instruction, or not reached. */
struct place {
    uint16_t depth;                      /* operands before it, slots                                              */
    uint16_t target;                     /* its index in `targets`, if it is one                                    */
    uint8_t arguments;                   /* of an invocation: their slots, receiver included                        */
    char kind;                           /* ... the letter of what it returns; of a field's instruction: of that    */
    uint8_t now;                         /* the opcode that the interpreter had there: opcode_now                   */
    bool is_reached : 1;
    bool compiles : 1;                   /* there is code for it: else it leaves                                    */
    bool is_target : 1;                  /* a branch or an exception leads there                                    */
    bool is_entry : 1;                   /* ... a branch backwards or an exception: the frame may come back here    */
    bool enters_loop : 1;                /* ... of what is not in its loop: loops_load                              */
    bool calls_leaf : 1;                 /* a leaf stood in for what it calls: leaf_called                         */
    bool calls_access : 1;               /* what it calls accesses memory by Unsafe: access_called                  */
    bool is_asked : 1, left_often : 1;   /* of the optimising compiler: has_left_often                              */
};
struct target {
    struct asm_label label;              /* its code                                                               */
    uint32_t bci;
    uint32_t loop_end;                   /* the last branch backwards to it                                         */
};

/* A loop that keeps local variables in registers: loops.c. The frame has their values too. */
enum { LOOP_REGISTERS = 10 };
struct kept_local {
    uint16_t local;
    uint8_t reg;                         /* as value.reg                                                           */
    uint8_t float_type;                  /* of floating-point ones: enum asm_float_type                             */
};
struct loop {
    uint32_t begin, end;                 /* its header; the last branch to that                                     */
    struct asm_label inside;             /* the header, once the registers are loaded                               */
    uint32_t registers;                  /* bits                                                                   */
    uint32_t count;
    struct kept_local kept[LOOP_REGISTERS];
};

/* Leaves the compiled code at the instruction `bci`, with these operands; those not listed are at home. */
struct leave {
    struct asm_label label;
    uint32_t bci, depth;
    uint8_t kind;                        /* enum exit_kind                                                          */
    bool is_written;
    uint32_t first, count;               /* in `left`                                                              */
};

/* An intrinsic's instructions stand where a method is called; its slow way is to call it. */
enum { STANDING_SLOTS = 6 };
struct standing {
    struct asm_label begin, back;
    uint32_t bci, depth, slots;
    uint16_t cell;                       /* the method's                                                           */
    struct value arguments[STANDING_SLOTS], result;      /* result: in a register                                   */
    const struct loop *loop;             /* whose registers it is to load; NULL: none                               */
};

/* What a switch jumps by: where it leads for each key, behind the method's code. */
struct jump_table {
    struct asm_label label;
    uint32_t bci;
    struct loop *loop;                   /* that the switch is in; NULL: none                                      */
};

/* Made once, and the memory that it has taken is used again. */
struct compiler {
    struct assembler a;
    uint8_t *buffer;                     /* what is made                                                            */
    uint32_t buffer_size;
    struct method_code *code;
    const struct cf_code *source;        /* its original bytes are what is compiled                                */
    const struct stubs *stubs;
    uint8_t takes[OP_LIMIT], gives[OP_LIMIT];            /* operand slots by opcode, where it tells                 */
    struct place *places;
    uint32_t place_capacity;
    struct target *targets;
    uint32_t target_count, target_capacity;
    bool locks;                          /* it enters monitors                                                     */
    bool has_loops;                      /* there are branches backwards                                            */
    bool keeps_this;                     /* local variable 0 is the receiver throughout                             */
    int32_t *counter;                    /* what calls and turns of loops spend; NULL: nothing                       */
    struct receivers *receivers;         /* where calls note theirs; NULL: they do not                              */

    uint32_t bci, length;                /* the instruction                                                        */
    uint32_t loop_end;                   /* loops that have begun last until there                                  */
    struct loop *loops;                  /* those with registers of their own, none in another                      */
    uint32_t loop_count, loop_capacity, next_loop;
    struct loop *loop;                   /* the one that the instruction is in, or NULL                             */
    bool is_reported;                    /* it has a breakpoint, whose events have been sent                        */
    struct value *stack;                 /* max_stack of them                                                       */
    uint32_t stack_capacity;
    uint32_t depth;
    uint16_t uses[REGISTERS];            /* operands that are in the register                                      */
    uint32_t used;                       /* bits: registers with any                                               */
    uint32_t holding;                    /* ... with a local variable's value: the frame has it too                 */
    uint16_t holds[REGISTERS];           /* ... that variable                                                      */
    uint32_t pinned;                     /* registers that the instruction has in hand                             */
    uint32_t not_null;                   /* ... whose value is known to be a reference other than null              */

    struct leave *leaves;
    uint32_t leave_count, leave_capacity;
    struct exit_operand *left;
    uint32_t left_count, left_capacity;
    bool leave_is_current;               /* the newest is of this instruction, and no operand has moved since      */

    struct standing *standings;
    uint32_t standing_count, standing_capacity;

    struct jump_table *tables;
    uint32_t table_count, table_capacity;

    uint32_t *ways;                      /* baseline_code.ways                                                      */
    uint32_t way_count, way_capacity;
    struct asm_label leaving;
    uint32_t entered;                    /* offset: the frame has been made                                         */
    struct pcs_writer pcs, entries;
    uint32_t noted_from;                 /* offset: what follows belongs to noted_bci, and has no row yet           */
    int32_t noted_bci;
    struct exits_writer exits;
    struct inlined_writer inlined;
    bool failed;                         /* no memory                                                              */
};

/* ---- flow.c ------------------------------------------------------------------------------------------------------ */

/* Fills c->takes and c->gives, once. */
void flow_read_opcodes(struct compiler *c);
/* Fills c->places and c->targets. NULL: done; else why not. */
const char *flow_find(struct compiler *c);
/* Operand slots that the instruction at bci takes, and gives. */
void flow_effect(const struct compiler *c, uint32_t bci, uint32_t *takes, uint32_t *gives);
/* By opcode, what most instructions need not be asked for. */
enum flow_trait {
    FLOW_LOCAL = 1,                      /* it names a local variable                                              */
    FLOW_STORES = 2,                     /* ... and changes it                                                     */
    FLOW_BRANCHES = 4,
    FLOW_ENDS = 8,                       /* it never goes on with the next                                         */
    FLOW_LOOKED_AT = 16,                 /* what it names matters, or it is not compiled                            */
    FLOW_VARIES = 32                     /* takes and gives do not tell all                                        */
};
extern const uint8_t flow_traits[256];

/* Calls `to` for each instruction that the one at bci branches to. */
typedef void flow_target_function(void *arg, uint32_t from, int64_t to);
void flow_targets(const struct compiler *c, uint32_t bci, flow_target_function *to, void *arg);
static inline bool flow_branches(uint8_t op) { return flow_traits[op] & FLOW_BRANCHES; }
/* Nothing is compiled behind it but for branches: it returns, jumps, or is none of what is compiled. */
static inline bool flow_ends(const struct compiler *c, uint32_t bci) {
    return flow_traits[c->source->code[bci]] & FLOW_ENDS || !c->places[bci].compiles;
}
/* The local variable that the instruction at p names; -1: none. */
int32_t flow_local(const uint8_t *p);

/* As opcode_length. */
static inline uint32_t length_at(const struct compiler *c, uint32_t bci) {
    uint32_t length = opcode_lengths[c->source->code[bci]], n = c->source->code_length;
    return LIKELY(length != 0 && length <= n - bci) ? length : opcode_length(c->source->code, bci, n);
}
static inline struct asm_label *label_of(const struct compiler *c, uint32_t bci) {
    return &c->targets[c->places[bci].target].label;
}

/* ---- loops.c ----------------------------------------------------------------------------------------------------- */

/* Behind flow_find: fills c->loops. */
void loops_find(struct compiler *c);
/* Code is made from the begin. */
void loops_begin(struct compiler *c);
/* The instruction at c->bci is next. */
static inline void loops_go_on(struct compiler *c) {
    if (c->loop != NULL && c->bci > c->loop->end) c->loop = NULL;
    if (c->next_loop < c->loop_count && c->bci == c->loops[c->next_loop].begin) c->loop = &c->loops[c->next_loop++];
}
/* It is a target, whose label is bound, and nothing is in registers: in a loop its variables are. */
void loops_pass(struct compiler *c);
/* Something was called: they get them again. */
void loops_load(struct compiler *c, const struct loop *l);
/* Where the instruction branches to `to`. */
struct asm_label *loops_way(struct compiler *c, uint32_t to);

/* ---- values.c ---------------------------------------------------------------------------------------------------- */

struct asm_mem slot_of_local(const struct compiler *c, uint32_t i);
struct asm_mem slot_of_operand(uint32_t i);
static inline struct value *operand_at(struct compiler *c, uint32_t from_top) { return &c->stack[c->depth - from_top]; }

/* A register that nothing is in, pinned. */
enum asm_reg take_register(struct compiler *c);
unsigned take_floating(struct compiler *c);
/* These, by bits; what is in them moves elsewhere. Nothing is pinned yet. */
void take_these(struct compiler *c, uint32_t set);

/* Operand `from_top` (1: the top slot) in a register, which is pinned and not to be written. */
enum asm_reg in_register(struct compiler *c, uint32_t from_top);
unsigned in_floating(struct compiler *c, enum asm_float_type t, uint32_t from_top);
/* ... that may be written: it is in no other operand, and no local's value. */
enum asm_reg own_register(struct compiler *c, uint32_t from_top);
unsigned own_floating(struct compiler *c, enum asm_float_type t, uint32_t from_top);
/* A copy of an integer or reference operand to r, which has been taken. */
void load_operand(struct compiler *c, enum asm_reg r, uint32_t from_top);
/* The register that a reference or integer is in already, or REG_NONE. */
enum asm_reg register_of(const struct compiler *c, uint32_t from_top);
/* False: a reference that is known not to be. */
bool may_be_null(const struct compiler *c, uint32_t from_top);
/* In memory, if it can be an operand there; else base is REG_NONE. */
struct asm_mem in_memory(struct compiler *c, uint32_t from_top);

void drop(struct compiler *c, uint32_t slots);
void push_register(struct compiler *c, enum asm_reg r);
void push_floating(struct compiler *c, enum asm_float_type t, unsigned x);
void push_constant(struct compiler *c, int64_t v);
void push_local(struct compiler *c, uint32_t i);
void push_upper(struct compiler *c);
/* A copy of a value that is on the stack; it may be at home there. */
struct value hold_value(struct compiler *c, uint32_t from_top);
void push_held(struct compiler *c, struct value v);
void drop_held(struct compiler *c, struct value v);

/* The top operand, of one or two slots, becomes the local variable's value and goes. */
void store_local(struct compiler *c, uint32_t i, uint32_t slots);
/* The local variable's value in a register, pinned, that may be written: for keep_local. */
enum asm_reg take_local(struct compiler *c, uint32_t i);
/* r, written anew, is the local variable's value. */
void keep_local(struct compiler *c, uint32_t i, enum asm_reg r);
/* Every operand but the newest `but` slots goes home. */
void flush_operands(struct compiler *c, uint32_t but);
void store_value(struct compiler *c, struct asm_mem m, const struct value *v);
/* Something is called: operands are at home, registers hold nothing afterwards. */
void forget_registers(struct compiler *c);
/* ... but the loop's registers, which hold what they held. */
void forget_operands(struct compiler *c);
/* A branch leads here: operands are at home, registers hold nothing. */
void begin_block(struct compiler *c, uint32_t depth);

/* ---- compile.c --------------------------------------------------------------------------------------------------- */

/* *array has room for `count` of `size` bytes; what is in it stays. False: no memory. */
bool make_room(void **array, uint32_t *capacity, uint32_t count, size_t size);
/* Leaves for the interpreter, which does this instruction; its operands are as they are now, and still on the stack.
 * Registers that hold one have not been written to. In loops the exit is behind the method's own code; elsewhere it
 * stands here, which is shorter, and is jumped over. */
void leave_if(struct compiler *c, enum asm_cond cond);
void leave_now(struct compiler *c);
static inline bool in_loop(const struct compiler *c) { return c->bci < c->loop_end; }
/* Takes `cost` from *c->counter, if there is one; leaves where nothing is left. */
void count_towards_optimising(struct compiler *c, uint32_t cost);
/* What runs in the stub returns behind the call. */
void call_stub(struct compiler *c, const uint8_t *stub);
void jump_to_stub(struct compiler *c, const uint8_t *stub);
/* The instruction's; NULL: no memory. */
struct standing *new_standing(struct compiler *c);
/* From here on the machine code belongs to bci, or to PCS_*. */
void note_pc(struct compiler *c, int32_t bci);

/* ---- what the optimising compiler begins and ends with, too ------------------------------------------------------ */

/* Looks at the method: flow_find. NULL: done; else why it is not compiled. */
const char *code_begin(struct compiler *c, struct method_code *code);
/* The code, by `write`, which may be called again with a larger buffer, and the tables. */
typedef void code_write_function(struct compiler *c, void *arg);
const char *code_write(struct compiler *c, code_write_function *write, void *arg, struct baseline_code *out);
/* The frame is made, and its entry reported. */
void write_entry(struct compiler *c);
/* Behind all exits, which call c->leaving. */
void write_leaving(struct compiler *c);

static inline const uint8_t *instruction(const struct compiler *c) { return c->source->code + c->bci; }
static inline const struct classfile *class_file(const struct compiler *c) { return code_cf(c->code); }
static inline struct asm_mem thread_field(size_t offset) { return asm_at(REG_THREAD, (int32_t)offset); }
static inline struct asm_mem frame_field(size_t offset) { return asm_at(REG_FRAME, (int32_t)offset); }

/* ---- the instructions; each leaves the stack as it is behind it. False: not one of these ------------------------- */

bool compile_arithmetic(struct compiler *c, uint8_t op);
bool compile_conversion(struct compiler *c, uint8_t op);
bool compile_constant_or_local(struct compiler *c, uint8_t op);
bool compile_stack(struct compiler *c, uint8_t op);
bool compile_control(struct compiler *c, uint8_t op);
/* Behind all of the method's code: what its switches jump by. */
void write_tables(struct compiler *c);
/* The next instruction with it: c->length is that of both. */
bool compile_compare_and_branch(struct compiler *c, uint8_t op);
static inline bool is_comparison(uint8_t op) { return op >= OP_lcmp && op <= OP_dcmpg; }
bool compile_field(struct compiler *c, uint8_t op);
bool compile_array(struct compiler *c, uint8_t op);
bool compile_allocation(struct compiler *c, uint8_t op);
bool compile_type_check(struct compiler *c, uint8_t op);
bool compile_call(struct compiler *c, uint8_t op);
/* Instructions that C does. */
bool compile_in_runtime(struct compiler *c, uint8_t op);
void compile_by(struct compiler *c, runtime_function *f);
/* The invocation at c->bci, with all c->depth operands at home and the record's pc current; its receiver, if it needs
 * one that is not null, is not, and is also in `receiver` (REG_NONE: nowhere). Where it was not quick a stub does all,
 * the check of the receiver, too. The result is in REG_RESULT. call.c */
void write_call(struct compiler *c, uint8_t op, enum asm_reg receiver);
/* Of the invokedynamic instruction at c->bci, which is linked. */
const struct call_site *dynamic_site(const struct compiler *c);

/* The invocation calls the method at constant-pool index `cell`, whose arguments are the operands on top: done, if an
 * intrinsic is. intrinsic.c */
bool compile_intrinsic(struct compiler *c, uint8_t op, uint16_t cell);
/* Is it one? */
bool is_intrinsic(const struct compiler *c);
/* The method that the invocation calls, if that is certain and a leaf stands in for it; NULL: it is not. */
const struct method *leaf_called(const struct compiler *c);
/* ... if it is one of exec/unsafe_access.h. */
const struct method *access_called(const struct compiler *c);
/* Does a leaf stand in for the method? For a native one once it is bound, so that tools are notified. For flow.c. */
bool is_leaf(const struct compiler *c, const struct method *m);
/* Behind the method's own code: the slow ways of those that were. */
void write_standings(struct compiler *c);
/* r op operand `from_top`, wherever that one is. arithmetic.c */
void apply_operand(struct compiler *c, enum asm_alu op, enum asm_width w, enum asm_reg r, uint32_t from_top);
/* The frame's record says that it is at this instruction; `whole`: C reads that at once. REG_SCRATCH is lost. call.c */
void store_pc(struct compiler *c, bool whole);
/* ... with the operands that it has now, all at home. */
void store_position(struct compiler *c, bool whole);
/* The opcode that the interpreter had there when flow.c looked. Other threads make instructions quick meanwhile; all
 * that is asked while a method is compiled is answered as of then, so that one question has one answer. */
static inline uint8_t opcode_now(const struct compiler *c) {
    vm_assert(c->places[c->bci].now != OP_nop, "an instruction that flow.c has not looked at");
    return c->places[c->bci].now;
}
/* Leaves unless the instruction stands there in this quick form. Quick instructions stay so; the code is made anew when
 * a field is watched. */
void expect_quick(struct compiler *c, uint8_t quick);
/* The cell at constant-pool index i, behind expect_quick. */
void load_cell(struct compiler *c, enum asm_reg r, uint16_t i);
uint64_t known_cell(const struct compiler *c, uint16_t i);       /* of an instruction that is quick already          */
static inline bool is_quick(const struct compiler *c) { return opcode_now(c) != *instruction(c); }
/* Does it call Object.<init>, which does nothing? */
static inline bool is_object_init(const struct compiler *c) {
    return *instruction(c) == OP_invokespecial && opcode_now(c) == quick_opcode(OP_invokespecial, FORM_OBJECT_INIT);
}
/* The instruction's field, if a tool watches it, its loads or its stores; NULL otherwise. What is watched does not
 * change while a method is compiled, and when it does the code goes (field_set_watch). memory.c */
const struct field *watched_field(const struct compiler *c);
/* The instruction is a load or a store of a field, and somebody watches that. memory.c */
bool is_watched(const struct compiler *c);
/* How a value of this descriptor letter lies in memory. memory.c */
enum asm_type memory_type(char kind);
enum asm_width memory_width(char kind);
/* Leaves where r is null. */
void check_null(struct compiler *c, enum asm_reg r);
/* The class of the object in `o` goes to `to`. */
void load_class(struct compiler *c, enum asm_reg to, enum asm_reg o);
/* Its class's table of methods, without looking at the class. */
void load_vtable(struct compiler *c, enum asm_reg to, enum asm_reg o);
/* The two registers of call_subtype, taken; nothing is pinned yet. */
void take_classes(struct compiler *c);
#define CLASS_HELD   REG_C0
#define CLASS_WANTED REG_C1
/* EQUAL if the one class is the other or a subtype; both are lost. */
void call_subtype(struct compiler *c);
/* A reference in the heap at `m`: the barriers of heap/heap.h. `value` is lost. */
void store_reference(struct compiler *c, struct asm_mem m, enum asm_reg value);
/* What heap_mark_card does for the slot at m, which a reference has been stored to: nothing without VITRINE_CARDS, else
 * `spare` and REG_SCRATCH are lost. */
void mark_card(struct compiler *c, struct asm_mem m, enum asm_reg spare);

#endif
