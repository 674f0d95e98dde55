/* asm.h — the macro assembler: one function for each operation that compiled code is made of. Whoever calls it knows
 * operations, widths and the registers' roles, and not the machine; the encodings are in asm_x86_64.c.
 *
 * An assembler writes into the caller's buffer. When that is full, or an operation cannot be encoded (a short jump that
 * is too long), it is spoilt and writes nothing more: asm_end tells. Of two registers the first is the destination and
 * the first operand. Immediates have 32 bits, sign-extended; asm_constant loads wider ones. Nothing here takes locks
 * or memory, or knows of threads. */
#ifndef VITRINE_JIT_ASM_H
#define VITRINE_JIT_ASM_H

#include "base/base.h"

#ifdef __x86_64__
#define ASM_MACHINE "x86-64"

/* General registers, numbered as the machine does. A name is a role. What a role holds while compiled code runs:
 * docs/compiler.md. */
enum asm_reg {
    REG_RESULT = 0,                      /* rax: of calls; quotient; what asm_compare_exchange expects            */
    REG_COUNT = 1,                       /* rcx: of shifts; where the callee's locals begin                       */
    REG_REMAINDER = 2,                   /* rdx: of asm_divide                                                    */
    REG_FRAME = 3,                       /* rbx: youngest frame                                                   */
    REG_STACK = 4,                       /* rsp                                                                   */
    REG_FRAME_POINTER = 5,               /* rbp: of C, for whoever walks its stack: compiled code keeps it         */
    REG_SHAPES = 12,                     /* r12: shape_table                                                      */
    REG_JAVA = 13,                       /* r13: os_thread.java                                                   */
    REG_THREAD = 15,                     /* r15: struct os_thread                                                 */
    REG_SCRATCH = 11,                    /* r11: nobody's; what asm_call_c and the like use                       */
    REG_KEPT = 14,                       /* r14: C preserves it                                                   */
    REG_C0 = 7, REG_C1 = 6, REG_C2 = 2, REG_C3 = 1, REG_C4 = 8, REG_C5 = 9,      /* rdi, rsi, rdx, rcx, r8, r9:
                                          * arguments of C functions                                               */
    REG_SPARE = 10,                      /* r10: nobody's, beside the arguments of C functions                     */
    REG_NONE = -1
};
/* Bits of the registers that have no role while a method's own code runs, but for what single operations ask. */
enum { ASM_REGISTERS = 16, ASM_VALUE_REGISTERS = 0x47c7 };
/* Those of them for which no operation asks. */
#define ASM_PLAIN_REGISTERS {REG_KEPT, 9, 8, 10}
/* Where C has its first arguments, words and floating-point ones (in those registers from 0 on); all others lie on the
 * stack, a word each, the first one on top. A floating-point result is in register 0. */
#define ASM_C_REGISTERS {REG_C0, REG_C1, REG_C2, REG_C3, REG_C4, REG_C5}
enum { ASM_C_WORDS = 6, ASM_C_FLOATS = 8 };
#endif

/* Floating-point registers are numbers, 0 to 15. */

enum asm_width { W8, W16, W32, W64 };
/* What asm_load and asm_extend make of a value: U* fill the register with zeros; S8 and S16 extend the sign to 32 bits
 * (the rest is zero), S32 to 64. U64 is the plain word. */
enum asm_type { U8, S8, U16, S16, U32, S32, U64 };
enum asm_float_type { F32, F64 };

enum asm_alu { ALU_ADD = 0, ALU_OR = 1, ALU_AND = 4, ALU_SUB = 5, ALU_XOR = 6, ALU_CMP = 7, ALU_TEST = 8 };
enum asm_shift { SHIFT_ROL = 0, SHIFT_ROR = 1, SHIFT_LEFT = 4, SHIFT_RIGHT = 5, SHIFT_ARITHMETIC = 7 };
enum asm_float_op { FLOAT_SQRT = 0x51, FLOAT_ADD = 0x58, FLOAT_MUL = 0x59, FLOAT_SUB = 0x5c, FLOAT_DIV = 0x5e };
/* AND_NOT: the complement of the first and the second. */
enum asm_float_logic { FLOAT_AND = 0x54, FLOAT_AND_NOT = 0x55, FLOAT_OR = 0x56, FLOAT_XOR = 0x57 };
/* To the nearest whole number, of two to the even one; to the next lower; to the next higher. */
enum asm_round { ROUND_NEAREST = 8, ROUND_DOWN = 9, ROUND_UP = 10 };

/* What flags say: after ALU_CMP and ALU_TEST of integers; BELOW and ABOVE of unsigned ones, and after
 * asm_float_compare, which is UNORDERED where one is no number. */
enum asm_cond {
    COND_OVERFLOW = 0, COND_NOT_OVERFLOW = 1, COND_BELOW = 2, COND_NOT_BELOW = 3, COND_EQUAL = 4, COND_NOT_EQUAL = 5,
    COND_NOT_ABOVE = 6, COND_ABOVE = 7, COND_NEGATIVE = 8, COND_NOT_NEGATIVE = 9, COND_UNORDERED = 10,
    COND_ORDERED = 11, COND_LESS = 12, COND_NOT_LESS = 13, COND_NOT_GREATER = 14, COND_GREATER = 15
};
/* Holds where c does not. */
static inline enum asm_cond asm_not(enum asm_cond c) { return c ^ 1; }

/* base + (index << shift) + displacement. The stack register is no index: it stands where there is none. */
struct asm_mem { int8_t base, index; uint8_t shift; int32_t displacement; };
static inline struct asm_mem asm_at(enum asm_reg base, int32_t displacement) {
    return (struct asm_mem){(int8_t)base, REG_STACK, 0, displacement};
}
static inline struct asm_mem asm_indexed(enum asm_reg base, enum asm_reg index, unsigned shift, int32_t displacement) {
    return (struct asm_mem){(int8_t)base, (int8_t)index, (uint8_t)shift, displacement};
}

/* How an unwinder finds what the code returns to: the stack pointer that its caller has behind the call, and the
 * registers that the caller had. */
struct asm_caller {
    uint32_t from;                       /* offset in the code from which it holds                                 */
    int8_t base;                         /* the stack pointer is base + displacement                               */
    bool indirect;                       /* ... or a word more than what lies there                                */
    int32_t displacement;
    uint8_t saved[ASM_REGISTERS];        /* so many words below that stack pointer; 0: still in its register        */
};
struct asm_callers { uint32_t count; struct asm_caller rows[24]; };

struct assembler {
    uint8_t *start, *next, *end;
    intptr_t moves_by;                   /* from where the code is written to where it runs                       */
    struct asm_callers *callers;         /* NULL: nobody wants to know                                             */
    bool spoilt;
};

/* A place in the code, all zero before it is used or bound. The uses are chained through their displacements. */
struct asm_label { uint32_t bound, uses, short_uses; };      /* offsets from the start, plus 1; 0: none           */

/* Code is written to [buffer, buffer + size) and runs at `runs_at`, which matters for asm_jump_to and the like, and
 * asm_align. */
void asm_begin(struct assembler *a, void *buffer, size_t size, const void *runs_at);
/* Bytes written; 0: spoilt. Every label that is used has been bound. */
size_t asm_end(const struct assembler *a);

/* ---- words: W32 clears the upper half of its destination register; W8 and W16 are for memory alone --------------- */

void asm_constant(struct assembler *a, enum asm_reg r, uint64_t value);
void asm_move(struct assembler *a, enum asm_width w, enum asm_reg to, enum asm_reg from);
void asm_extend(struct assembler *a, enum asm_type t, enum asm_reg to, enum asm_reg from);
void asm_load(struct assembler *a, enum asm_type t, enum asm_reg r, struct asm_mem m);
void asm_store(struct assembler *a, enum asm_width w, struct asm_mem m, enum asm_reg r);
void asm_store_constant(struct assembler *a, enum asm_width w, struct asm_mem m, int32_t value);
void asm_address(struct assembler *a, enum asm_reg r, struct asm_mem m);
/* The number that is the address; W64 or W32. */
void asm_sum(struct assembler *a, enum asm_width w, enum asm_reg r, struct asm_mem terms);
void asm_address_of(struct assembler *a, enum asm_reg r, struct asm_label *l);
void asm_push(struct assembler *a, enum asm_reg r);
void asm_pop(struct assembler *a, enum asm_reg r);
void asm_pop_to(struct assembler *a, struct asm_mem m);

/* They set the flags; CMP and TEST do nothing else. */
void asm_alu(struct assembler *a, enum asm_alu op, enum asm_width w, enum asm_reg r, enum asm_reg s);
void asm_alu_constant(struct assembler *a, enum asm_alu op, enum asm_width w, enum asm_reg r, int32_t value);
void asm_alu_load(struct assembler *a, enum asm_alu op, enum asm_width w, enum asm_reg r, struct asm_mem m);
void asm_alu_store(struct assembler *a, enum asm_alu op, enum asm_width w, struct asm_mem m, enum asm_reg r);
void asm_alu_store_constant(struct assembler *a, enum asm_alu op, enum asm_width w, struct asm_mem m, int32_t value);
/* EQUAL where none of these bits is set; it may look at no more of the 32 than their byte. */
void asm_test_bits(struct assembler *a, struct asm_mem m, uint32_t bits);
void asm_negate(struct assembler *a, enum asm_width w, enum asm_reg r);
void asm_complement(struct assembler *a, enum asm_width w, enum asm_reg r);
void asm_multiply(struct assembler *a, enum asm_width w, enum asm_reg r, enum asm_reg s);
void asm_multiply_load(struct assembler *a, enum asm_width w, enum asm_reg r, struct asm_mem m);
void asm_multiply_constant(struct assembler *a, enum asm_width w, enum asm_reg r, enum asm_reg s, int32_t value);
/* REG_RESULT by s, signed: the upper half of the product to REG_REMAINDER. */
void asm_multiply_high(struct assembler *a, enum asm_width w, enum asm_reg s);
/* Not every processor has these three. */
bool asm_counts_ones(void);
void asm_count_ones(struct assembler *a, enum asm_width w, enum asm_reg r, enum asm_reg s);
bool asm_rounds(void);
void asm_float_round(struct assembler *a, enum asm_round how, enum asm_float_type t, unsigned x, unsigned y);
bool asm_fuses(void);
/* x * y + z, rounded once. */
void asm_float_fused(struct assembler *a, enum asm_float_type t, unsigned x, unsigned y, unsigned z);
/* The number of the highest bit that is set in s, or the lowest; EQUAL: none is, and r is nothing. */
void asm_scan(struct assembler *a, enum asm_width w, bool highest, enum asm_reg r, enum asm_reg s);
void asm_swap_bytes(struct assembler *a, enum asm_width w, enum asm_reg r);
/* REG_RESULT by s, signed: quotient to REG_RESULT, remainder to REG_REMAINDER. s is neither, not 0, and not -1 where
 * the quotient would be too large. */
void asm_divide(struct assembler *a, enum asm_width w, enum asm_reg s);
/* By REG_COUNT; by 1 to 63 (31). */
void asm_shift(struct assembler *a, enum asm_shift op, enum asm_width w, enum asm_reg r);
void asm_shift_constant(struct assembler *a, enum asm_shift op, enum asm_width w, enum asm_reg r, unsigned count);
/* 0; flags change. */
void asm_zero(struct assembler *a, enum asm_reg r);
/* 1 or 0; s, if the condition holds. */
void asm_set(struct assembler *a, enum asm_cond c, enum asm_reg r);
void asm_select(struct assembler *a, enum asm_cond c, enum asm_width w, enum asm_reg r, enum asm_reg s);

/* Atomic, and a fence both ways. The register gets what was there; compare_exchange stores r where memory equals
 * REG_RESULT (COND_EQUAL), which gets what was there otherwise. */
void asm_exchange(struct assembler *a, enum asm_width w, struct asm_mem m, enum asm_reg r);
void asm_exchange_add(struct assembler *a, enum asm_width w, struct asm_mem m, enum asm_reg r);
void asm_compare_exchange(struct assembler *a, enum asm_width w, struct asm_mem m, enum asm_reg r);
/* Later loads come after earlier stores. */
void asm_fence(struct assembler *a);

/* ---- floating point ---------------------------------------------------------------------------------------------- */

void asm_float_move(struct assembler *a, unsigned to, unsigned from);
void asm_float_load(struct assembler *a, enum asm_float_type t, unsigned x, struct asm_mem m);
void asm_float_store(struct assembler *a, enum asm_float_type t, struct asm_mem m, unsigned x);
void asm_float(struct assembler *a, enum asm_float_op op, enum asm_float_type t, unsigned x, unsigned y);
void asm_float_from_memory(struct assembler *a, enum asm_float_op op, enum asm_float_type t, unsigned x,
                           struct asm_mem m);
/* All 128 bits, at any address. */
void asm_vector_load(struct assembler *a, unsigned x, struct asm_mem m);
void asm_vector_store(struct assembler *a, struct asm_mem m, unsigned x);
/* Bit by bit, all 128. */
void asm_float_bits(struct assembler *a, enum asm_float_logic op, unsigned x, unsigned y);
void asm_float_compare(struct assembler *a, enum asm_float_type t, unsigned x, unsigned y);
void asm_float_compare_load(struct assembler *a, enum asm_float_type t, unsigned x, struct asm_mem m);
void asm_float_convert(struct assembler *a, enum asm_float_type to, unsigned x, unsigned y);
void asm_float_from_int(struct assembler *a, enum asm_float_type t, unsigned x, enum asm_width w, enum asm_reg r);
/* Towards zero; the least number where that is not possible. */
void asm_float_to_int(struct assembler *a, enum asm_width w, enum asm_reg r, enum asm_float_type t, unsigned x);
/* The same bits. */
void asm_float_from_word(struct assembler *a, enum asm_width w, unsigned x, enum asm_reg r);
void asm_float_to_word(struct assembler *a, enum asm_width w, enum asm_reg r, unsigned x);

/* ---- control ----------------------------------------------------------------------------------------------------- */

/* Jumps backwards take the shorter form that fits, jumps forwards the long one; the _short ones always the short one,
 * which reaches 127 bytes. */
void asm_bind(struct assembler *a, struct asm_label *l);
void asm_jump(struct assembler *a, struct asm_label *l);
void asm_jump_short(struct assembler *a, struct asm_label *l);
void asm_branch(struct assembler *a, enum asm_cond c, struct asm_label *l);
void asm_branch_short(struct assembler *a, enum asm_cond c, struct asm_label *l);
void asm_call(struct assembler *a, struct asm_label *l);
/* To code less than 2 GiB away. */
void asm_jump_to(struct assembler *a, const void *target);
void asm_call_to(struct assembler *a, const void *target);
void asm_branch_to(struct assembler *a, enum asm_cond c, const void *target);
/* By the entry `index`, 0 being the first, of a table that stands elsewhere: its label bound, and nothing but entries
 * behind it. The upper half of the index is zero; it is lost, and REG_SCRATCH is. */
void asm_jump_by_table(struct assembler *a, struct asm_label *table, enum asm_reg index);
void asm_table_entry(struct assembler *a, struct asm_label *l);
void asm_jump_register(struct assembler *a, enum asm_reg r);
void asm_call_register(struct assembler *a, enum asm_reg r);
void asm_jump_load(struct assembler *a, struct asm_mem m);
void asm_call_load(struct assembler *a, struct asm_mem m);
void asm_return(struct assembler *a);
/* Must not be reached. */
void asm_trap(struct assembler *a);
/* Nothing, up to the next multiple of `to`, a power of two up to 64. */
void asm_align(struct assembler *a, unsigned to);

/* Begin and end of a function that C calls and that uses every register: what C wants preserved is saved, and the frame
 * pointer set. The stack is then off its alignment by one word, as it is behind a call. */
void asm_c_begin(struct assembler *a);
void asm_c_return(struct assembler *a);

/* ---- callers ----------------------------------------------------------------------------------------------------- */

/* From here on *callers is kept: the return address is on top, registers are the caller's. Pushes, pops, additions to
 * the stack pointer (asm_address) and the two functions above note what they change; the rest says whoever moves the
 * stack pointer otherwise. */
void asm_note_callers(struct assembler *a, struct asm_callers *callers);
/* The return address is on top; it is where r points to; where the word at m points to. */
void asm_note_return(struct assembler *a);
void asm_note_return_at(struct assembler *a, enum asm_reg r);
void asm_note_return_by(struct assembler *a, struct asm_mem m);
/* As asm_c_begin leaves it. */
void asm_note_c_frame(struct assembler *a);
/* What DWARF calls the registers, by enum asm_reg, and the return address. */
extern const uint8_t asm_dwarf_registers[ASM_REGISTERS];
enum { ASM_DWARF_RETURN = 16 };

#endif
