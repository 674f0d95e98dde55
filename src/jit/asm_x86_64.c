/* asm_x86_64.c — the encodings of the macro assembler's operations on x86-64. Intel SDM, volume 2. */
#include "jit/asm.h"

#ifdef ASM_MACHINE

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

void asm_begin(struct assembler *a, void *buffer, size_t size, const void *runs_at) {
    uint8_t *start = buffer;
    *a = (struct assembler){.start = start, .next = start, .end = start + size,
                            .moves_by = (intptr_t)((uintptr_t)runs_at - (uintptr_t)buffer)};
}

size_t asm_end(const struct assembler *a) { return a->spoilt ? 0 : (size_t)(a->next - a->start); }

static void spoil(struct assembler *a) {
    a->spoilt = true;
    a->end = a->next;
}

/* At most so many bytes are written at a time, whether or not they count. */
enum { LONGEST = 16 };
static bool has_room(const struct assembler *a) { return (size_t)(a->end - a->next) >= LONGEST; }

static NOINLINE void emit_last(struct assembler *a, const uint8_t *bytes, const uint8_t *end) {
    if (a->end - a->next < end - bytes) {
        spoil(a);
        return;
    }
    memcpy(a->next, bytes, (size_t)(end - bytes));
    a->next += end - bytes;
}

/* At most eight bytes, in the machine's own order. */
static void emit(struct assembler *a, uint64_t value, unsigned bytes) {
    if (UNLIKELY(!has_room(a))) {
        emit_last(a, (const uint8_t *)&value, (const uint8_t *)&value + bytes);
        return;
    }
    memcpy(a->next, &value, sizeof value);
    a->next += bytes;
}

static bool fits_8(int64_t v) { return v == (int8_t)v; }

/* ---- callers ----------------------------------------------------------------------------------------------------- */

static const uint8_t preserved[] = {3, 12, 13, 14, 15};      /* beside the frame pointer */

const uint8_t asm_dwarf_registers[ASM_REGISTERS] = {0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};

/* The row that holds from here on, at first as the one before. NULL: nobody wants it. */
static struct asm_caller *caller_row(struct assembler *a) {
    struct asm_callers *c = a->callers;
    if (c == NULL) return NULL;
    uint32_t from = (uint32_t)(a->next - a->start);
    if (c->rows[c->count - 1].from == from) return &c->rows[c->count - 1];
    if (c->count == ARRAY_LEN(c->rows)) {
        spoil(a);
        return NULL;
    }
    struct asm_caller *r = &c->rows[c->count++];
    *r = r[-1];
    r->from = from;
    return r;
}

static void note(struct assembler *a, int base, bool indirect, int32_t displacement) {
    struct asm_caller *r = caller_row(a);
    if (r != NULL) *r = (struct asm_caller){r->from, (int8_t)base, indirect, displacement, {0}};
}

static void note_moved(struct assembler *a, int32_t bytes) {
    if (a->callers == NULL || a->callers->rows[a->callers->count - 1].base != REG_STACK) return;
    struct asm_caller *r = caller_row(a);
    if (r != NULL) r->displacement += bytes;
}

/* In the word on top. */
static void note_saved(struct assembler *a, enum asm_reg saved) {
    struct asm_caller *r = caller_row(a);
    if (r != NULL) r->saved[saved] = (uint8_t)(r->displacement / 8);
}

void asm_note_callers(struct assembler *a, struct asm_callers *callers) {
    *callers = (struct asm_callers){.count = 1};
    a->callers = callers;
    asm_note_return(a);
}

void asm_note_return(struct assembler *a) { note(a, REG_STACK, false, 8); }
void asm_note_return_at(struct assembler *a, enum asm_reg r) { note(a, r, false, 8); }
void asm_note_return_by(struct assembler *a, struct asm_mem m) { note(a, m.base, true, m.displacement); }

void asm_note_c_frame(struct assembler *a) {
    note(a, REG_FRAME_POINTER, false, 16);
    struct asm_caller *r = caller_row(a);
    if (r == NULL) return;
    r->saved[REG_FRAME_POINTER] = 2;
    for (size_t i = 0; i < ARRAY_LEN(preserved); i++) r->saved[preserved[i]] = (uint8_t)(3 + i);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* An opcode is a number: its last byte, over it 0x0f for the second map, over that the prefix that it has to have, over
 * that another one. */
#define MAP_2      0x0f00u
#define MAP_3      0x3a00u               /* behind 0x0f                                                            */
#define OPERAND_16 0x660000u
#define PACKED_64  0x660000u
#define SCALAR_32  0xf30000u
#define SCALAR_64  0xf20000u
#define LOCK       0xf0000000u
enum { REX = 0x40, REX_W = 8, REX_R = 4, REX_X = 2, REX_B = 1 };

/* Registers 4 to 7 as bytes exist with this prefix alone; without it they are the second bytes of 0 to 3. */
static unsigned byte_rex(enum asm_width w, int reg) { return w == W8 && reg >= 4 ? REX : 0; }
static unsigned wide(enum asm_width w) { return w == W64 ? REX | REX_W : 0; }
static unsigned operand_size(enum asm_width w) { return w == W16 ? OPERAND_16 : 0; }
/* Opcodes whose lowest bit says that the operand is not a byte. */
static unsigned sized(unsigned opcode, enum asm_width w) { return operand_size(w) | (w == W8 ? opcode & ~1u : opcode); }

/* Prefixes and opcode, at p; what is behind them. */
static ALWAYS_INLINE uint8_t *put_opcode(uint8_t *p, unsigned opcode, unsigned rex, int reg, int index, int base) {
    if (UNLIKELY(opcode >> 16)) {
        if (opcode >> 16 & 0xff) *p++ = (uint8_t)(opcode >> 16);
        if (opcode >> 24) *p++ = (uint8_t)(opcode >> 24);
    }
    rex |= (reg & 8u) / 8 * REX_R | (index & 8u) / 8 * REX_X | (base & 8u) / 8 * REX_B;
    *p = (uint8_t)(REX | rex);
    p += rex != 0;
    if (opcode & 0xff00) {
        if ((opcode & 0xff00) == MAP_3) *p++ = MAP_2 >> 8;
        *p++ = (uint8_t)(opcode >> 8);
    }
    *p++ = (uint8_t)opcode;
    return p;
}

static unsigned modrm(unsigned mode, int reg, int rm) { return mode << 6 | (reg & 7u) << 3 | (rm & 7u); }

static ALWAYS_INLINE uint8_t *put_rr(uint8_t *p, unsigned opcode, unsigned rex, int reg, int rm) {
    p = put_opcode(p, opcode, rex, reg, 0, rm);
    *p++ = (uint8_t)modrm(3, reg, rm);
    return p;
}

/* Base 5 (13) without a displacement would mean something else, and so would base 4 (12) without an index byte. */
static ALWAYS_INLINE uint8_t *put_rm(uint8_t *p, unsigned opcode, unsigned rex, int reg, struct asm_mem m) {
    p = put_opcode(p, opcode, rex, reg, m.index, m.base);
    unsigned mode = m.displacement == 0 && (m.base & 7) != 5 ? 0 : fits_8(m.displacement) ? 1 : 2;
    if (UNLIKELY(m.index != REG_STACK || (m.base & 7) == 4)) {
        *p++ = (uint8_t)modrm(mode, reg, 4);
        *p++ = (uint8_t)modrm(m.shift, m.index, m.base);
    } else {
        *p++ = (uint8_t)modrm(mode, reg, m.base);
    }
    memcpy(p, &m.displacement, sizeof m.displacement);
    return p + (mode == 2 ? 4 : mode);
}

static NOINLINE void emit_opcode(struct assembler *a, unsigned opcode, unsigned rex, int reg, int base) {
    uint8_t last[LONGEST];
    if (LIKELY(has_room(a))) a->next = put_opcode(a->next, opcode, rex, reg, 0, base);
    else emit_last(a, last, put_opcode(last, opcode, rex, reg, 0, base));
}

/* The operands are two registers; reg may be a part of the opcode. */
static NOINLINE void emit_rr(struct assembler *a, unsigned opcode, unsigned rex, int reg, int rm) {
    uint8_t last[LONGEST];
    if (LIKELY(has_room(a))) a->next = put_rr(a->next, opcode, rex, reg, rm);
    else emit_last(a, last, put_rr(last, opcode, rex, reg, rm));
}

static NOINLINE void emit_rm_last(struct assembler *a, unsigned opcode, unsigned rex, int reg, struct asm_mem m) {
    uint8_t last[LONGEST];
    emit_last(a, last, put_rm(last, opcode, rex, reg, m));
}

/* ... a register and memory. Inlined where it is for the operations that most code is made of. */
static ALWAYS_INLINE void emit_rm_here(struct assembler *a, unsigned opcode, unsigned rex, int reg, struct asm_mem m) {
    if (LIKELY(has_room(a))) a->next = put_rm(a->next, opcode, rex, reg, m);
    else emit_rm_last(a, opcode, rex, reg, m);
}
static NOINLINE void emit_rm(struct assembler *a, unsigned opcode, unsigned rex, int reg, struct asm_mem m) {
    emit_rm_here(a, opcode, rex, reg, m);
}

static void emit_immediate(struct assembler *a, enum asm_width w, int32_t value) {
    emit(a, (uint32_t)value, w == W8 ? 1 : w == W16 ? 2 : 4);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

void asm_constant(struct assembler *a, enum asm_reg r, uint64_t value) {
    if (value == (uint32_t)value) {
        emit_opcode(a, 0xb8 | (r & 7u), 0, 0, r);
        emit(a, value, 4);
    } else if ((int64_t)value == (int32_t)value) {
        emit_rr(a, 0xc7, wide(W64), 0, r);
        emit(a, value, 4);
    } else {
        emit_opcode(a, 0xb8 | (r & 7u), wide(W64), 0, r);
        emit(a, value, 8);
    }
}

void asm_move(struct assembler *a, enum asm_width w, enum asm_reg to, enum asm_reg from) {
    emit_rr(a, 0x89, wide(w), from, to);
}

static const struct { unsigned opcode; uint8_t rex; } loads[] = {
    [U8] = {MAP_2 | 0xb6, 0}, [S8] = {MAP_2 | 0xbe, 0},  [U16] = {MAP_2 | 0xb7, 0}, [S16] = {MAP_2 | 0xbf, 0},
    [U32] = {0x8b, 0},        [S32] = {0x63, REX | REX_W}, [U64] = {0x8b, REX | REX_W},
};

void asm_extend(struct assembler *a, enum asm_type t, enum asm_reg to, enum asm_reg from) {
    if (t == U32) asm_move(a, W32, to, from);
    else emit_rr(a, loads[t].opcode, loads[t].rex | byte_rex(t <= S8 ? W8 : W32, from), to, from);
}

void asm_load(struct assembler *a, enum asm_type t, enum asm_reg r, struct asm_mem m) {
    emit_rm_here(a, loads[t].opcode, loads[t].rex, r, m);
}

void asm_store(struct assembler *a, enum asm_width w, struct asm_mem m, enum asm_reg r) {
    emit_rm_here(a, sized(0x89, w), wide(w) | byte_rex(w, r), r, m);
}

void asm_store_constant(struct assembler *a, enum asm_width w, struct asm_mem m, int32_t value) {
    emit_rm(a, sized(0xc7, w), wide(w), 0, m);
    emit_immediate(a, w, value);
}

void asm_sum(struct assembler *a, enum asm_width w, enum asm_reg r, struct asm_mem terms) {
    emit_rm_here(a, 0x8d, wide(w), r, terms);
}

void asm_address(struct assembler *a, enum asm_reg r, struct asm_mem m) {
    asm_sum(a, W64, r, m);
    if (r == REG_STACK && m.base == REG_STACK && m.index == REG_STACK) note_moved(a, -m.displacement);
}

void asm_push(struct assembler *a, enum asm_reg r) {
    emit_opcode(a, 0x50 | (r & 7u), 0, 0, r);
    note_moved(a, 8);
}

void asm_pop(struct assembler *a, enum asm_reg r) {
    emit_opcode(a, 0x58 | (r & 7u), 0, 0, r);
    note_moved(a, -8);
}

void asm_pop_to(struct assembler *a, struct asm_mem m) {
    emit_rm(a, 0x8f, 0, 0, m);
    note_moved(a, -8);
}

/* TEST is no row of the eight; its two forms are the same. */
static unsigned alu_opcode(enum asm_alu op, bool to_register) {
    return op == ALU_TEST ? 0x85 : (unsigned)op << 3 | (to_register ? 3 : 1);
}

void asm_alu(struct assembler *a, enum asm_alu op, enum asm_width w, enum asm_reg r, enum asm_reg s) {
    emit_rr(a, alu_opcode(op, false), wide(w), s, r);
}

void asm_alu_load(struct assembler *a, enum asm_alu op, enum asm_width w, enum asm_reg r, struct asm_mem m) {
    emit_rm(a, sized(alu_opcode(op, true), w), wide(w) | byte_rex(w, r), r, m);
}

void asm_alu_store(struct assembler *a, enum asm_alu op, enum asm_width w, struct asm_mem m, enum asm_reg r) {
    emit_rm(a, sized(alu_opcode(op, false), w), wide(w) | byte_rex(w, r), r, m);
}

void asm_alu_constant(struct assembler *a, enum asm_alu op, enum asm_width w, enum asm_reg r, int32_t value) {
    if (op != ALU_TEST && fits_8(value)) {
        emit_rr(a, 0x83, wide(w), op, r);
        emit(a, (uint32_t)value, 1);
        return;
    }
    if (r == REG_RESULT) emit_opcode(a, op == ALU_TEST ? 0xa9 : (unsigned)op << 3 | 5, wide(w), 0, 0);
    else if (op == ALU_TEST) emit_rr(a, 0xf7, wide(w), 0, r);
    else emit_rr(a, 0x81, wide(w), op, r);
    emit(a, (uint32_t)value, 4);
}

void asm_alu_store_constant(struct assembler *a, enum asm_alu op, enum asm_width w, struct asm_mem m, int32_t value) {
    if (op == ALU_TEST) {
        emit_rm(a, sized(0xf7, w), wide(w), 0, m);
    } else if (w != W8 && fits_8(value)) {
        emit_rm(a, operand_size(w) | 0x83, wide(w), op, m);
        w = W8;
    } else {
        emit_rm(a, sized(0x81, w), wide(w), op, m);
    }
    emit_immediate(a, w, value);
}

void asm_test_bits(struct assembler *a, struct asm_mem m, uint32_t bits) {
    int32_t byte = bits == 0 ? 0 : __builtin_ctz(bits) / 8;
    if (bits >> 8 * byte > 0xff) {
        asm_alu_store_constant(a, ALU_TEST, W32, m, (int32_t)bits);
    } else {
        m.displacement += byte;          /* the first byte is the lowest                                          */
        asm_alu_store_constant(a, ALU_TEST, W8, m, (int32_t)(bits >> 8 * byte));
    }
}

void asm_zero(struct assembler *a, enum asm_reg r) { asm_alu(a, ALU_XOR, W32, r, r); }

void asm_negate(struct assembler *a, enum asm_width w, enum asm_reg r) { emit_rr(a, 0xf7, wide(w), 3, r); }
void asm_complement(struct assembler *a, enum asm_width w, enum asm_reg r) { emit_rr(a, 0xf7, wide(w), 2, r); }

void asm_multiply(struct assembler *a, enum asm_width w, enum asm_reg r, enum asm_reg s) {
    emit_rr(a, MAP_2 | 0xaf, wide(w), r, s);
}

void asm_multiply_load(struct assembler *a, enum asm_width w, enum asm_reg r, struct asm_mem m) {
    emit_rm(a, MAP_2 | 0xaf, wide(w), r, m);
}

void asm_multiply_constant(struct assembler *a, enum asm_width w, enum asm_reg r, enum asm_reg s, int32_t value) {
    emit_rr(a, fits_8(value) ? 0x6b : 0x69, wide(w), r, s);
    emit(a, (uint32_t)value, fits_8(value) ? 1 : 4);
}

void asm_multiply_high(struct assembler *a, enum asm_width w, enum asm_reg s) { emit_rr(a, 0xf7, wide(w), 5, s); }

bool asm_counts_ones(void) { return __builtin_cpu_supports("popcnt"); }
void asm_count_ones(struct assembler *a, enum asm_width w, enum asm_reg r, enum asm_reg s) {
    emit_rr(a, SCALAR_32 | MAP_2 | 0xb8, wide(w), r, s);
}

void asm_scan(struct assembler *a, enum asm_width w, bool highest, enum asm_reg r, enum asm_reg s) {
    emit_rr(a, MAP_2 | (highest ? 0xbd : 0xbc), wide(w), r, s);
}

void asm_swap_bytes(struct assembler *a, enum asm_width w, enum asm_reg r) {
    emit_opcode(a, MAP_2 | 0xc8 | (r & 7u), wide(w), 0, r);
}

void asm_divide(struct assembler *a, enum asm_width w, enum asm_reg s) {
    vm_assert(s != REG_RESULT && s != REG_REMAINDER, "the divisor lies where the dividend is");
    emit_opcode(a, 0x99, wide(w), 0, 0);
    emit_rr(a, 0xf7, wide(w), 7, s);
}

void asm_shift(struct assembler *a, enum asm_shift op, enum asm_width w, enum asm_reg r) {
    emit_rr(a, 0xd3, wide(w), op, r);
}

void asm_shift_constant(struct assembler *a, enum asm_shift op, enum asm_width w, enum asm_reg r, unsigned count) {
    emit_rr(a, count == 1 ? 0xd1 : 0xc1, wide(w), op, r);
    if (count != 1) emit(a, count, 1);
}

void asm_set(struct assembler *a, enum asm_cond c, enum asm_reg r) {
    emit_rr(a, MAP_2 | 0x90 | (unsigned)c, byte_rex(W8, r), 0, r);
    asm_extend(a, U8, r, r);
}

void asm_select(struct assembler *a, enum asm_cond c, enum asm_width w, enum asm_reg r, enum asm_reg s) {
    emit_rr(a, MAP_2 | 0x40 | (unsigned)c, wide(w), r, s);
}

void asm_exchange(struct assembler *a, enum asm_width w, struct asm_mem m, enum asm_reg r) {
    emit_rm(a, sized(0x87, w), wide(w) | byte_rex(w, r), r, m);
}

void asm_exchange_add(struct assembler *a, enum asm_width w, struct asm_mem m, enum asm_reg r) {
    emit_rm(a, sized(LOCK | MAP_2 | 0xc1, w), wide(w) | byte_rex(w, r), r, m);
}

void asm_compare_exchange(struct assembler *a, enum asm_width w, struct asm_mem m, enum asm_reg r) {
    emit_rm(a, sized(LOCK | MAP_2 | 0xb1, w), wide(w) | byte_rex(w, r), r, m);
}

/* Cheaper than mfence. */
void asm_fence(struct assembler *a) {
    emit_rm(a, LOCK | 0x83, 0, ALU_OR, asm_at(REG_STACK, 0));
    emit(a, 0, 1);
}

/* ---- floating point ---------------------------------------------------------------------------------------------- */

static unsigned scalar(enum asm_float_type t) { return (t == F32 ? SCALAR_32 : SCALAR_64) | MAP_2; }
static unsigned packed(enum asm_float_type t) { return (t == F32 ? 0 : PACKED_64) | MAP_2; }

void asm_float_move(struct assembler *a, unsigned to, unsigned from) {
    emit_rr(a, MAP_2 | 0x28, 0, (int)to, (int)from);
}

void asm_float_load(struct assembler *a, enum asm_float_type t, unsigned x, struct asm_mem m) {
    emit_rm(a, scalar(t) | 0x10, 0, (int)x, m);
}

void asm_float_store(struct assembler *a, enum asm_float_type t, struct asm_mem m, unsigned x) {
    emit_rm(a, scalar(t) | 0x11, 0, (int)x, m);
}

void asm_vector_load(struct assembler *a, unsigned x, struct asm_mem m) { emit_rm(a, MAP_2 | 0x10, 0, (int)x, m); }

void asm_vector_store(struct assembler *a, struct asm_mem m, unsigned x) { emit_rm(a, MAP_2 | 0x11, 0, (int)x, m); }

void asm_float(struct assembler *a, enum asm_float_op op, enum asm_float_type t, unsigned x, unsigned y) {
    emit_rr(a, scalar(t) | (unsigned)op, 0, (int)x, (int)y);
}

void asm_float_from_memory(struct assembler *a, enum asm_float_op op, enum asm_float_type t, unsigned x,
                           struct asm_mem m) {
    emit_rm(a, scalar(t) | (unsigned)op, 0, (int)x, m);
}

bool asm_rounds(void) { return __builtin_cpu_supports("sse4.1"); }
void asm_float_round(struct assembler *a, enum asm_round how, enum asm_float_type t, unsigned x, unsigned y) {
    emit_rr(a, OPERAND_16 | MAP_3 | (t == F32 ? 0x0a : 0x0b), 0, (int)x, (int)y);
    emit(a, how, 1);
}

/* The VEX prefix has the bits of the REX prefix, the map and the second operand inverted. */
bool asm_fuses(void) { return __builtin_cpu_supports("fma"); }
void asm_float_fused(struct assembler *a, enum asm_float_type t, unsigned x, unsigned y, unsigned z) {
    enum { VEX = 0xc4, FUSED_213 = 0xa9 };
    enum { MAP_38 = 2, NO_R = 0x80, NO_X = 0x40, NO_B = 0x20, W = 0x80, OPERAND_SIZE = 1 };
    unsigned registers = (x & 8 ? 0 : NO_R) | NO_X | (z & 8 ? 0 : NO_B) | MAP_38;
    unsigned operands = (t == F64 ? W : 0) | (~y & 15) << 3 | OPERAND_SIZE;
    emit(a, VEX | registers << 8 | operands << 16 | (uint32_t)FUSED_213 << 24, 4);
    emit(a, modrm(3, (int)x, (int)z), 1);
}

void asm_float_bits(struct assembler *a, enum asm_float_logic op, unsigned x, unsigned y) {
    emit_rr(a, MAP_2 | (unsigned)op, 0, (int)x, (int)y);
}

void asm_float_compare(struct assembler *a, enum asm_float_type t, unsigned x, unsigned y) {
    emit_rr(a, packed(t) | 0x2e, 0, (int)x, (int)y);
}

void asm_float_compare_load(struct assembler *a, enum asm_float_type t, unsigned x, struct asm_mem m) {
    emit_rm(a, packed(t) | 0x2e, 0, (int)x, m);
}

void asm_float_convert(struct assembler *a, enum asm_float_type to, unsigned x, unsigned y) {
    emit_rr(a, scalar(to == F32 ? F64 : F32) | 0x5a, 0, (int)x, (int)y);
}

void asm_float_from_int(struct assembler *a, enum asm_float_type t, unsigned x, enum asm_width w, enum asm_reg r) {
    emit_rr(a, scalar(t) | 0x2a, wide(w), (int)x, r);
}

void asm_float_to_int(struct assembler *a, enum asm_width w, enum asm_reg r, enum asm_float_type t, unsigned x) {
    emit_rr(a, scalar(t) | 0x2c, wide(w), r, (int)x);
}

void asm_float_from_word(struct assembler *a, enum asm_width w, unsigned x, enum asm_reg r) {
    emit_rr(a, PACKED_64 | MAP_2 | 0x6e, wide(w), (int)x, r);
}

void asm_float_to_word(struct assembler *a, enum asm_width w, enum asm_reg r, unsigned x) {
    emit_rr(a, PACKED_64 | MAP_2 | 0x7e, wide(w), (int)x, r);
}

/* ---- labels ------------------------------------------------------------------------------------------------------ */

static uint32_t here(const struct assembler *a) { return (uint32_t)(a->next - a->start) + 1; }

/* A displacement of four bytes to l, counted from its own end; until l is bound it holds the use before this one. */
static NOINLINE void emit_use(struct assembler *a, struct asm_label *l) {
    uint32_t use = here(a);
    emit(a, l->bound ? l->bound - (use + 4) : l->uses, 4);
    if (!l->bound && !a->spoilt) l->uses = use;
}

/* The same in one byte. The uses of a label lie near each other, or the oldest is too far from it anyway: the byte
 * holds the way back to the one before, 0 for the oldest. */
static void emit_short_use(struct assembler *a, struct asm_label *l) {
    uint32_t use = here(a);
    int64_t value = l->bound        ? (int64_t)l->bound - (use + 1)
                    : l->short_uses ? (int64_t)use - l->short_uses
                                    : 0;
    if (!fits_8(value)) spoil(a);
    emit(a, (uint8_t)value, 1);
    if (!l->bound && !a->spoilt) l->short_uses = use;
}

void asm_bind(struct assembler *a, struct asm_label *l) {
    vm_assert(!l->bound, "a label is bound twice");
    if (a->spoilt) return;
    l->bound = here(a);
    for (uint32_t use = l->uses, before; use != 0; use = before) {
        uint8_t *at = a->start + use - 1;
        uint32_t way = l->bound - (use + 4);
        memcpy(&before, at, 4);
        memcpy(at, &way, 4);
    }
    for (uint32_t use = l->short_uses, before; use != 0; use = before) {
        uint8_t *at = a->start + use - 1;
        int64_t way = (int64_t)l->bound - (use + 1);
        before = *at ? use - *at : 0;
        if (!fits_8(way)) spoil(a);
        *at = (uint8_t)way;
    }
}

/* Does a short jump here, of two bytes, reach back to l? */
static bool is_near(const struct assembler *a, const struct asm_label *l) {
    return l->bound && fits_8((int64_t)l->bound - (here(a) + 2));
}

void asm_jump_short(struct assembler *a, struct asm_label *l) {
    emit(a, 0xeb, 1);
    emit_short_use(a, l);
}

void asm_jump(struct assembler *a, struct asm_label *l) {
    if (is_near(a, l)) {
        asm_jump_short(a, l);
        return;
    }
    emit(a, 0xe9, 1);
    emit_use(a, l);
}

void asm_branch_short(struct assembler *a, enum asm_cond c, struct asm_label *l) {
    emit(a, 0x70 | (unsigned)c, 1);
    emit_short_use(a, l);
}

void asm_branch(struct assembler *a, enum asm_cond c, struct asm_label *l) {
    if (is_near(a, l)) {
        asm_branch_short(a, c, l);
        return;
    }
    emit(a, 0x800f | (unsigned)c << 8, 2);
    emit_use(a, l);
}

void asm_call(struct assembler *a, struct asm_label *l) {
    emit(a, 0xe8, 1);
    emit_use(a, l);
}

void asm_address_of(struct assembler *a, enum asm_reg r, struct asm_label *l) {
    emit_opcode(a, 0x8d, wide(W64), r, 0);
    emit(a, modrm(0, r, 5), 1);
    emit_use(a, l);
}

/* An entry is a use of its label: the way there from the entry's end. */
enum { ENTRY_SHIFT = 2, ENTRY_BYTES = 1 << ENTRY_SHIFT };
void asm_table_entry(struct assembler *a, struct asm_label *l) { emit_use(a, l); }

void asm_jump_by_table(struct assembler *a, struct asm_label *table, enum asm_reg index) {
    asm_address_of(a, REG_SCRATCH, table);
    asm_address(a, REG_SCRATCH, asm_indexed(REG_SCRATCH, index, ENTRY_SHIFT, ENTRY_BYTES));
    asm_load(a, S32, index, asm_at(REG_SCRATCH, -ENTRY_BYTES));
    asm_alu(a, ALU_ADD, W64, REG_SCRATCH, index);
    asm_jump_register(a, REG_SCRATCH);
}

/* ---- control ----------------------------------------------------------------------------------------------------- */

static void emit_way_to(struct assembler *a, const void *target) {
    intptr_t way = (intptr_t)((uintptr_t)target - (uintptr_t)(a->next + 4) - (uintptr_t)a->moves_by);
    if (way != (int32_t)way) spoil(a);
    emit(a, (uint32_t)way, 4);
}

void asm_jump_to(struct assembler *a, const void *target) {
    emit(a, 0xe9, 1);
    emit_way_to(a, target);
}

void asm_call_to(struct assembler *a, const void *target) {
    emit(a, 0xe8, 1);
    emit_way_to(a, target);
}

void asm_branch_to(struct assembler *a, enum asm_cond c, const void *target) {
    emit(a, 0x0f | (0x80u | c) << 8, 2);
    emit_way_to(a, target);
}

void asm_jump_register(struct assembler *a, enum asm_reg r) { emit_rr(a, 0xff, 0, 4, r); }
void asm_call_register(struct assembler *a, enum asm_reg r) { emit_rr(a, 0xff, 0, 2, r); }
void asm_jump_load(struct assembler *a, struct asm_mem m) { emit_rm(a, 0xff, 0, 4, m); }
void asm_call_load(struct assembler *a, struct asm_mem m) { emit_rm(a, 0xff, 0, 2, m); }
void asm_return(struct assembler *a) { emit(a, 0xc3, 1); }
void asm_trap(struct assembler *a) { emit(a, 0x0b0f, 2); }

/* The recommended forms: one instruction for up to nine bytes, a load of an address with a longer and longer form. */
void asm_align(struct assembler *a, unsigned to) {
    static const uint8_t nops[][9] = {
        {0x90}, {0x66, 0x90}, {0x0f, 0x1f, 0x00}, {0x0f, 0x1f, 0x40}, {0x0f, 0x1f, 0x44}, {0x66, 0x0f, 0x1f, 0x44},
        {0x0f, 0x1f, 0x80}, {0x0f, 0x1f, 0x84}, {0x66, 0x0f, 0x1f, 0x84},
    };
    uintptr_t at = (uintptr_t)a->next + (uintptr_t)a->moves_by;
    for (size_t left = ALIGN_UP(at, to) - at, n; left != 0 && !a->spoilt; left -= n) {
        n = MIN(left, ARRAY_LEN(nops));
        for (size_t i = 0; i < n; i++) emit(a, nops[n - 1][i], 1);
    }
}

void asm_c_begin(struct assembler *a) {
    asm_push(a, REG_FRAME_POINTER);
    note_saved(a, REG_FRAME_POINTER);
    asm_move(a, W64, REG_FRAME_POINTER, REG_STACK);
    for (size_t i = 0; i < ARRAY_LEN(preserved); i++) asm_push(a, preserved[i]);
    asm_note_c_frame(a);
}

void asm_c_return(struct assembler *a) {
    for (size_t i = ARRAY_LEN(preserved); i-- > 0;) asm_pop(a, preserved[i]);
    asm_pop(a, REG_FRAME_POINTER);
    asm_note_return(a);
    asm_return(a);
}

#endif
