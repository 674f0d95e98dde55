/* intrinsic.c — methods of exec/intrinsic.def that take some machine instructions. They stand where the method is
 * called and no other can be selected, as its C function stands in for it in the interpreter: while nobody could see
 * the difference, and a native method has not got another function by JNI. Otherwise, and where the function would
 * decline, the method is called from code behind the method's own. */
#include "jit/baseline/compiler.h"

#include "classfile/descriptor.h"
#include "exec/exec.h"
#include "link/known.h"
#include "thread/thread.h"

struct form {
    const char *name;                    /* the function in the table                                              */
    void (*write)(struct compiler *c, struct standing *s, const struct form *f);
    enum asm_width width;                /* of arguments; of floating-point ones W32 or W64                        */
    uint8_t detail;
    bool (*is_possible)(void);           /* on this processor; NULL: always                                        */
};

static enum asm_float_type type_of(const struct form *f) { return f->width == W64 ? F64 : F32; }
static uint32_t slots_of(const struct form *f) { return f->width == W64 ? 2 : 1; }

/* Leaves for `slow` once the method has got another function; the stubs lie within 4 GiB. */
static void expect_leaf(struct compiler *c, const struct method *m, struct asm_label *slow) {
    asm_constant(&c->a, REG_SCRATCH, (uintptr_t)m);
    asm_alu_store_constant(&c->a, ALU_CMP, W32, asm_at(REG_SCRATCH, offsetof(struct method, compiled_entry)),
                           (int32_t)(uint32_t)(uintptr_t)c->stubs->call_leaf);
    asm_branch(&c->a, COND_NOT_EQUAL, slow);
}

/* All arguments are where they stay, and the result's register is taken. */
static void begin(struct compiler *c, struct standing *s) {
    const struct method *m = (const struct method *)(uintptr_t)known_cell(c, s->cell);
    for (uint32_t i = 0; i < s->slots; i++) s->arguments[i] = c->stack[s->depth - s->slots + i];
    asm_test_bits(&c->a, thread_field(offsetof(struct os_thread, attention)), WATCH_ANY | POLL_LIBRARY);
    asm_branch(&c->a, COND_NOT_EQUAL, &s->begin);
    if (m->access_flags & ACC_NATIVE) expect_leaf(c, m, &s->begin);
}

static enum asm_reg result_register(struct compiler *c, struct standing *s) {
    enum asm_reg r = take_register(c);
    s->result = (struct value){.kind = REGISTER, .reg = (uint8_t)r};
    return r;
}

static unsigned result_floating(struct compiler *c, struct standing *s, enum asm_float_type t) {
    unsigned x = take_floating(c);
    s->result = (struct value){.kind = FLOATING, .reg = (uint8_t)(FIRST_FLOATING + x), .float_type = (uint8_t)t};
    return x;
}

/* The operands, each of f->width, and where the result is to be. */
struct general { enum asm_reg first, second, result; };
struct floating { unsigned first, second, result; };

static struct general begin_general(struct compiler *c, struct standing *s, const struct form *f) {
    struct general g = {in_register(c, s->slots), REG_NONE, REG_NONE};
    if (s->slots > slots_of(f)) g.second = in_register(c, s->slots - slots_of(f));
    if (c->places[c->bci].kind != 'V') g.result = result_register(c, s);
    begin(c, s);
    return g;
}

/* The result begins as the first. */
static struct general begin_moved(struct compiler *c, struct standing *s, const struct form *f) {
    struct general g = begin_general(c, s, f);
    asm_move(&c->a, f->width, g.result, g.first);
    return g;
}

static struct floating begin_floating(struct compiler *c, struct standing *s, const struct form *f) {
    struct floating g = {in_floating(c, type_of(f), s->slots), 0, 0};
    if (s->slots > slots_of(f)) g.second = in_floating(c, type_of(f), s->slots - slots_of(f));
    g.result = result_floating(c, s, type_of(f));
    begin(c, s);
    return g;
}

/* ---- integers ---------------------------------------------------------------------------------------------------- */

static void absolute(struct compiler *c, struct standing *s, const struct form *f) {
    struct general g = begin_moved(c, s, f);
    asm_negate(&c->a, f->width, g.result);
    asm_select(&c->a, COND_NEGATIVE, f->width, g.result, g.first);
}

/* detail: the second is taken if that holds of the first and it. */
static void choose(struct compiler *c, struct standing *s, const struct form *f) {
    struct general g = begin_moved(c, s, f);
    asm_alu(&c->a, ALU_CMP, f->width, g.result, g.second);
    asm_select(&c->a, (enum asm_cond)f->detail, f->width, g.result, g.second);
}

static void compare_unsigned(struct compiler *c, struct standing *s, const struct form *f) {
    struct general g = begin_general(c, s, f);
    asm_alu(&c->a, ALU_CMP, f->width, g.first, g.second);
    asm_set(&c->a, COND_ABOVE, g.result);
    asm_set(&c->a, COND_BELOW, REG_SCRATCH);
    asm_alu(&c->a, ALU_SUB, W32, g.result, REG_SCRATCH);
}

static void count_ones(struct compiler *c, struct standing *s, const struct form *f) {
    struct general g = begin_general(c, s, f);
    asm_count_ones(&c->a, f->width, g.result, g.first);
}

/* The number of zeros above the highest bit, or (detail) below the lowest. */
static void count_zeros(struct compiler *c, struct standing *s, const struct form *f) {
    struct general g = begin_general(c, s, f);
    bool below = f->detail;
    int32_t bits = f->width == W64 ? 64 : 32;
    asm_constant(&c->a, REG_SCRATCH, (uint64_t)(below ? bits : 2 * bits - 1));
    asm_scan(&c->a, f->width, !below, g.result, g.first);
    asm_select(&c->a, COND_EQUAL, W32, g.result, REG_SCRATCH);
    if (!below) asm_alu_constant(&c->a, ALU_XOR, W32, g.result, bits - 1);
}

/* detail: how the lower half comes down that was swapped up, or 0. */
static void swap_bytes(struct compiler *c, struct standing *s, const struct form *f) {
    struct general g = begin_moved(c, s, f);
    asm_swap_bytes(&c->a, f->width, g.result);
    if (f->detail) asm_shift_constant(&c->a, (enum asm_shift)f->detail, f->width, g.result, 16);
}

/* Neighbouring bits, pairs and fours change places, then the bytes. */
static void reverse_bits(struct compiler *c, struct standing *s, const struct form *f) {
    static const uint64_t lower[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f};
    enum asm_reg upper = take_register(c);
    struct general g = begin_moved(c, s, f);
    for (unsigned i = 0; i < ARRAY_LEN(lower); i++) {
        asm_constant(&c->a, REG_SCRATCH, f->width == W64 ? lower[i] : (uint32_t)lower[i]);
        asm_move(&c->a, f->width, upper, g.result);
        asm_shift_constant(&c->a, SHIFT_RIGHT, f->width, upper, 1u << i);
        asm_alu(&c->a, ALU_AND, f->width, upper, REG_SCRATCH);
        asm_alu(&c->a, ALU_AND, f->width, g.result, REG_SCRATCH);
        asm_shift_constant(&c->a, SHIFT_LEFT, f->width, g.result, 1u << i);
        asm_alu(&c->a, ALU_OR, f->width, g.result, upper);
    }
    asm_swap_bytes(&c->a, f->width, g.result);
}

static void multiply_high(struct compiler *c, struct standing *s, const struct form *f) {
    take_these(c, 1u << REG_RESULT | 1u << REG_REMAINDER);
    enum asm_reg first = in_register(c, 2 * slots_of(f)), second = in_register(c, slots_of(f));
    s->result = (struct value){.kind = REGISTER, .reg = REG_REMAINDER};
    begin(c, s);
    asm_move(&c->a, f->width, REG_RESULT, first);
    asm_multiply_high(&c->a, f->width, second);
}

/* By a distance of which the lowest bits count. detail: the direction. */
static void rotate(struct compiler *c, struct standing *s, const struct form *f) {
    take_these(c, 1u << REG_COUNT);
    struct general g = begin_moved(c, s, f);
    asm_move(&c->a, W32, REG_COUNT, g.second);
    asm_shift(&c->a, (enum asm_shift)f->detail, f->width, g.result);
}

/* detail: the operation, EXACT_PRODUCT or EXACT_NEGATION. A second operand that is not there is 1. */
enum { EXACT_PRODUCT = ALU_TEST + 1, EXACT_NEGATION };
static void exact(struct compiler *c, struct standing *s, const struct form *f) {
    struct general g = begin_moved(c, s, f);
    enum asm_alu operation = (enum asm_alu)f->detail;
    if (f->detail == EXACT_PRODUCT) asm_multiply(&c->a, f->width, g.result, g.second);
    else if (f->detail == EXACT_NEGATION) asm_negate(&c->a, f->width, g.result);
    else if (g.second != REG_NONE) asm_alu(&c->a, operation, f->width, g.result, g.second);
    else asm_alu_constant(&c->a, operation, f->width, g.result, 1);
    asm_branch(&c->a, COND_OVERFLOW, &s->begin);
}

/* (index, length, ...): the index, if anything. */
static void check_index(struct compiler *c, struct standing *s, const struct form *f) {
    struct general g = begin_general(c, s, f);
    asm_alu(&c->a, ALU_TEST, f->width, g.first, g.first);
    asm_branch(&c->a, COND_NEGATIVE, &s->begin);
    asm_alu(&c->a, ALU_CMP, f->width, g.first, g.second);
    asm_branch(&c->a, COND_NOT_LESS, &s->begin);
    if (g.result != REG_NONE) asm_move(&c->a, f->width, g.result, g.first);
}

static void same_bits(struct compiler *c, struct standing *s, const struct form *f) { begin_moved(c, s, f); }

/* ---- floating point ---------------------------------------------------------------------------------------------- */

/* Through the scratch register. */
static void load_bits(struct compiler *c, const struct form *f, unsigned x, uint64_t of_double, uint32_t of_float) {
    asm_constant(&c->a, REG_SCRATCH, f->width == W64 ? of_double : of_float);
    asm_float_from_word(&c->a, f->width, x, REG_SCRATCH);
}

static void expect_number(struct compiler *c, struct standing *s, const struct form *f, unsigned x) {
    asm_float_compare(&c->a, type_of(f), x, x);
    asm_branch(&c->a, COND_UNORDERED, &s->begin);
}

static void square_root(struct compiler *c, struct standing *s, const struct form *f) {
    struct floating g = begin_floating(c, s, f);
    asm_float(&c->a, FLOAT_SQRT, type_of(f), g.result, g.first);
}

static void absolute_floating(struct compiler *c, struct standing *s, const struct form *f) {
    struct floating g = begin_floating(c, s, f);
    load_bits(c, f, g.result, INT64_MAX, INT32_MAX);
    asm_float_bits(&c->a, FLOAT_AND, g.result, g.first);
}

static void round_floating(struct compiler *c, struct standing *s, const struct form *f) {
    struct floating g = begin_floating(c, s, f);
    expect_number(c, s, f, g.first);
    asm_float_round(&c->a, (enum asm_round)f->detail, type_of(f), g.result, g.first);
}

/* The next lower integer, and one more if it is half or further away. The least one may stand for what has none. */
static void round_to_integer(struct compiler *c, struct standing *s, const struct form *f) {
    unsigned from = in_floating(c, type_of(f), s->slots), lower = take_floating(c), above = take_floating(c);
    enum asm_reg r = result_register(c, s);
    begin(c, s);
    asm_float_round(&c->a, ROUND_DOWN, type_of(f), lower, from);
    asm_float_to_int(&c->a, f->width, r, type_of(f), lower);
    asm_alu_constant(&c->a, ALU_CMP, f->width, r, 1);
    asm_branch(&c->a, COND_OVERFLOW, &s->begin);
    asm_float_move(&c->a, above, from);
    asm_float(&c->a, FLOAT_SUB, type_of(f), above, lower);
    load_bits(c, f, lower, 0x3fe0000000000000, 0x3f000000);
    asm_float_compare(&c->a, type_of(f), above, lower);
    asm_set(&c->a, COND_NOT_BELOW, REG_SCRATCH);
    asm_alu(&c->a, ALU_ADD, f->width, r, REG_SCRATCH);
}

/* The first, if that is `detail` than the second; of equal ones, which may be zeros, the sign that is less or greater:
 * of the least, either's; of the greatest, both's. */
static void choose_floating(struct compiler *c, struct standing *s, const struct form *f) {
    struct floating g = begin_floating(c, s, f);
    struct asm_label done = {0}, equal = {0};
    bool least = f->detail == COND_BELOW;
    asm_float_move(&c->a, g.result, g.first);
    asm_float_compare(&c->a, type_of(f), g.first, g.second);
    asm_branch(&c->a, COND_UNORDERED, &s->begin);
    asm_branch_short(&c->a, (enum asm_cond)f->detail, &done);
    asm_branch_short(&c->a, COND_EQUAL, &equal);
    asm_float_move(&c->a, g.result, g.second);
    asm_jump_short(&c->a, &done);
    asm_bind(&c->a, &equal);
    asm_float_bits(&c->a, least ? FLOAT_OR : FLOAT_AND, g.result, g.second);
    asm_bind(&c->a, &done);
}

/* A result that is no number is the library's. */
static void fused(struct compiler *c, struct standing *s, const struct form *f) {
    unsigned third = in_floating(c, type_of(f), slots_of(f));
    struct floating g = begin_floating(c, s, f);
    asm_float_move(&c->a, g.result, g.first);
    asm_float_fused(&c->a, type_of(f), g.result, g.second, third);
    expect_number(c, s, f, g.result);
}

static void copy_sign(struct compiler *c, struct standing *s, const struct form *f) {
    unsigned sign = take_floating(c);
    struct floating g = begin_floating(c, s, f);
    expect_number(c, s, f, g.second);
    load_bits(c, f, g.result, INT64_MAX, INT32_MAX);
    asm_float_move(&c->a, sign, g.result);
    asm_float_bits(&c->a, FLOAT_AND, g.result, g.first);
    asm_float_bits(&c->a, FLOAT_AND_NOT, sign, g.second);
    asm_float_bits(&c->a, FLOAT_OR, g.result, sign);
}

/* Zeros and what is no number stay; of others the sign is laid upon 1. */
static void sign_of_floating(struct compiler *c, struct standing *s, const struct form *f) {
    unsigned one = take_floating(c);
    struct floating g = begin_floating(c, s, f);
    struct asm_label done = {0};
    asm_float_move(&c->a, g.result, g.first);
    asm_float_bits(&c->a, FLOAT_XOR, one, one);
    asm_float_compare(&c->a, type_of(f), g.first, one);
    asm_branch_short(&c->a, COND_UNORDERED, &done);
    asm_branch_short(&c->a, COND_EQUAL, &done);
    load_bits(c, f, g.result, (uint64_t)INT64_MIN, (uint32_t)INT32_MIN);
    asm_float_bits(&c->a, FLOAT_AND, g.result, g.first);
    load_bits(c, f, one, 0x3ff0000000000000, 0x3f800000);
    asm_float_bits(&c->a, FLOAT_OR, g.result, one);
    asm_bind(&c->a, &done);
}

static void bits_of_floating(struct compiler *c, struct standing *s, const struct form *f) {
    unsigned from = in_floating(c, type_of(f), slots_of(f));
    enum asm_reg r = result_register(c, s);
    begin(c, s);
    expect_number(c, s, f, from);
    asm_float_to_word(&c->a, f->width, r, from);
}

/* ---- strings ----------------------------------------------------------------------------------------------------- */

static struct asm_mem coder_of(enum asm_reg string) { return asm_at(string, (int32_t)known_offset(String_coder)); }
static struct asm_mem length_of(enum asm_reg array) { return asm_at(array, offsetof(struct array, length)); }

/* The array of a string, which has one once it has been made. */
static void load_value(struct compiler *c, struct standing *s, enum asm_reg value, enum asm_reg string) {
    enum { REF_SHIFT = 3 };              /* of ref_t                                                               */
    asm_load(&c->a, U32, value, asm_at(string, (int32_t)known_offset(String_value)));
    asm_alu(&c->a, ALU_TEST, W32, value, value);
    asm_branch(&c->a, COND_EQUAL, &s->begin);
    asm_shift_constant(&c->a, SHIFT_LEFT, W64, value, REF_SHIFT);
}

/* detail: whether it has none. */
static void text_length(struct compiler *c, struct standing *s, const struct form *f) {
    enum asm_reg string = in_register(c, 1), value = take_register(c), r = result_register(c, s);
    begin(c, s);
    load_value(c, s, value, string);
    asm_load(&c->a, U32, r, length_of(value));
    asm_move(&c->a, W32, value, r);
    asm_shift_constant(&c->a, SHIFT_RIGHT, W32, value, 1);
    asm_alu_store_constant(&c->a, ALU_CMP, W8, coder_of(string), 0);
    asm_select(&c->a, COND_NOT_EQUAL, W32, r, value);
    if (!f->detail) return;
    asm_alu(&c->a, ALU_TEST, W32, r, r);
    asm_set(&c->a, COND_EQUAL, r);
}

/* detail: asked is whether it is 0. */
static void text_coder(struct compiler *c, struct standing *s, const struct form *f) {
    enum asm_reg string = in_register(c, 1), r = result_register(c, s);
    begin(c, s);
    asm_load(&c->a, U8, r, coder_of(string));
    if (f->detail) asm_alu_constant(&c->a, ALU_XOR, W32, r, 1);
}

/* An array of `size` bytes has that char, of one or two bytes. */
static void expect_char(struct compiler *c, struct standing *s, enum asm_reg size, enum asm_reg index, bool wide) {
    if (wide) asm_shift_constant(&c->a, SHIFT_RIGHT, W32, size, 1);
    asm_alu(&c->a, ALU_CMP, W32, index, size);
    asm_branch(&c->a, COND_NOT_BELOW, &s->begin);
}

/* The char in an array of `r` bytes. */
static void load_char(struct compiler *c, struct standing *s, enum asm_reg r, enum asm_reg value, enum asm_reg index,
                      bool wide) {
    expect_char(c, s, r, index, wide);
    asm_load(&c->a, wide ? U16 : U8, r, asm_indexed(value, index, wide, ARRAY_DATA));
}

static void text_char_at(struct compiler *c, struct standing *s, const struct form *f UNUSED) {
    enum asm_reg string = in_register(c, 2), index = in_register(c, 1), value = take_register(c);
    enum asm_reg r = result_register(c, s);
    struct asm_label wide = {0}, done = {0};
    begin(c, s);
    load_value(c, s, value, string);
    asm_load(&c->a, U32, r, length_of(value));
    asm_alu_store_constant(&c->a, ALU_CMP, W8, coder_of(string), 0);
    asm_branch_short(&c->a, COND_NOT_EQUAL, &wide);
    load_char(c, s, r, value, index, false);
    asm_jump_short(&c->a, &done);
    asm_bind(&c->a, &wide);
    load_char(c, s, r, value, index, true);
    asm_bind(&c->a, &done);
}

static void load_size(struct compiler *c, struct standing *s, enum asm_reg size, enum asm_reg array) {
    asm_alu(&c->a, ALU_TEST, W64, array, array);
    asm_branch(&c->a, COND_EQUAL, &s->begin);
    asm_load(&c->a, U32, size, length_of(array));
}

/* detail: of two bytes. */
static void char_in_bytes(struct compiler *c, struct standing *s, const struct form *f) {
    enum asm_reg value = in_register(c, 2), index = in_register(c, 1), r = result_register(c, s);
    begin(c, s);
    load_size(c, s, r, value);
    load_char(c, s, r, value, index, f->detail);
}

static void char_to_bytes(struct compiler *c, struct standing *s, const struct form *f UNUSED) {
    enum asm_reg value = in_register(c, 3), index = in_register(c, 2), from = in_register(c, 1);
    begin(c, s);
    load_size(c, s, REG_SCRATCH, value);
    expect_char(c, s, REG_SCRATCH, index, true);
    asm_store(&c->a, W16, asm_indexed(value, index, 1, ARRAY_DATA), from);
}

/* ---- objects and threads ----------------------------------------------------------------------------------------- */

static void object_class(struct compiler *c, struct standing *s, const struct form *f UNUSED) {
    enum asm_reg o = in_register(c, 1), r = result_register(c, s);
    begin(c, s);
    load_class(c, r, o);
    asm_load(&c->a, U64, r, asm_at(r, offsetof(struct class, mirror)));
}

static void running_thread(struct compiler *c, struct standing *s, const struct form *f UNUSED) {
    enum asm_reg r = result_register(c, s);
    struct asm_label found = {0};
    begin(c, s);
    asm_load(&c->a, U64, r, thread_field(offsetof(struct os_thread, current_thread_object)));
    asm_alu(&c->a, ALU_TEST, W64, r, r);
    asm_branch_short(&c->a, COND_NOT_EQUAL, &found);
    asm_load(&c->a, U64, r, asm_at(REG_JAVA, offsetof(struct java_thread, mirror)));
    asm_bind(&c->a, &found);
}

/* ---- by name ----------------------------------------------------------------------------------------------------- */

#define INT_AND_LONG(name, write, detail, is_possible) \
    {name "_int", write, W32, detail, is_possible}, {name "_long", write, W64, detail, is_possible}
#define FLOAT_AND_DOUBLE(name, write, detail, is_possible) \
    {name "_float", write, W32, detail, is_possible}, {name, write, W64, detail, is_possible}

static const struct form forms[] = {
    INT_AND_LONG("abs", absolute, 0, NULL),
    INT_AND_LONG("min", choose, COND_GREATER, NULL),
    INT_AND_LONG("max", choose, COND_LESS, NULL),
    INT_AND_LONG("compare_unsigned", compare_unsigned, 0, NULL),
    INT_AND_LONG("bit_count", count_ones, 0, asm_counts_ones),
    INT_AND_LONG("leading_zeros", count_zeros, false, NULL),
    INT_AND_LONG("trailing_zeros", count_zeros, true, NULL),
    INT_AND_LONG("reverse", reverse_bits, 0, NULL),
    INT_AND_LONG("reverse_bytes", swap_bytes, 0, NULL),
    {"reverse_bytes_char", swap_bytes, W32, SHIFT_RIGHT, NULL},
    {"reverse_bytes_short", swap_bytes, W32, SHIFT_ARITHMETIC, NULL},
    {"multiply_high", multiply_high, W64, 0, NULL},
    INT_AND_LONG("rotate_left", rotate, SHIFT_ROL, NULL),
    INT_AND_LONG("rotate_right", rotate, SHIFT_ROR, NULL),
    INT_AND_LONG("add_exact", exact, ALU_ADD, NULL),
    INT_AND_LONG("increment_exact", exact, ALU_ADD, NULL),
    INT_AND_LONG("subtract_exact", exact, ALU_SUB, NULL),
    INT_AND_LONG("decrement_exact", exact, ALU_SUB, NULL),
    INT_AND_LONG("multiply_exact", exact, EXACT_PRODUCT, NULL),
    INT_AND_LONG("negate_exact", exact, EXACT_NEGATION, NULL),
    INT_AND_LONG("check_index", check_index, 0, NULL),
    {"sqrt", square_root, W64, 0, NULL},
    FLOAT_AND_DOUBLE("abs", absolute_floating, 0, NULL),
    FLOAT_AND_DOUBLE("fma", fused, 0, asm_fuses),
    FLOAT_AND_DOUBLE("copy_sign", copy_sign, 0, NULL),
    FLOAT_AND_DOUBLE("signum", sign_of_floating, 0, NULL),
    FLOAT_AND_DOUBLE("round", round_to_integer, 0, asm_rounds),
    {"floor", round_floating, W64, ROUND_DOWN, asm_rounds},
    {"ceil", round_floating, W64, ROUND_UP, asm_rounds},
    {"rint", round_floating, W64, ROUND_NEAREST, asm_rounds},
    FLOAT_AND_DOUBLE("min", choose_floating, COND_BELOW, NULL),
    FLOAT_AND_DOUBLE("max", choose_floating, COND_ABOVE, NULL),
    {"float_to_int_bits", bits_of_floating, W32, 0, NULL},
    {"double_to_long_bits", bits_of_floating, W64, 0, NULL},
    {"same_32_bits", same_bits, W32, 0, NULL},
    {"same_64_bits", same_bits, W64, 0, NULL},
    {"string_length", text_length, W32, false, NULL},
    {"string_is_empty", text_length, W32, true, NULL},
    {"string_coder", text_coder, W32, false, NULL},
    {"string_is_latin1", text_coder, W32, true, NULL},
    {"string_char_at", text_char_at, W32, 0, NULL},
    {"latin1_char_at", char_in_bytes, W32, false, NULL},
    {"utf16_char_at", char_in_bytes, W32, true, NULL},
    {"utf16_put_char", char_to_bytes, W32, 0, NULL},
    {"object_class", object_class, W64, 0, NULL},
    {"current_thread", running_thread, W64, 0, NULL},
};
#undef INT_AND_LONG
#undef FLOAT_AND_DOUBLE

/* NULL: the instruction does not say. */
static const struct method *known_callee(const struct compiler *c, uint8_t op, uint16_t cell) {
    if (c->is_reported || (op != OP_invokestatic && op != OP_invokevirtual)) return NULL;
    uint8_t now = opcode_now(c);
    bool by_table = op == OP_invokevirtual && now == quick_opcode(op, FORM_TABLE);
    if (!by_table && now != quick_opcode(op, FORM_DIRECT)) return NULL;
    const struct method *m = (const struct method *)(uintptr_t)known_cell(c, cell);
    return by_table && !((m->access_flags | m->holder->access_flags) & ACC_FINAL) ? NULL : m;
}

bool is_leaf(const struct compiler *c, const struct method *m) {
    bool bound = !(m->access_flags & ACC_NATIVE) || atomic_load(&m->native_code) != NULL;
    return bound && atomic_load(&m->compiled_entry) == c->stubs->call_leaf;
}

const struct method *leaf_called(const struct compiler *c) {
    const uint8_t *p = instruction(c);
    const struct method *m = known_callee(c, *p, op_u2(p + 1));
    return m != NULL && c->places[c->bci].calls_leaf ? m : NULL;
}

const struct method *access_called(const struct compiler *c) {
    const uint8_t *p = instruction(c);
    return c->places[c->bci].calls_access ? known_callee(c, *p, op_u2(p + 1)) : NULL;
}

/* What the instruction may be done by. */
static const struct form *form_here(const struct compiler *c, uint8_t op, uint16_t cell) {
    const struct method *m = known_callee(c, op, cell);
    if (m == NULL) return NULL;
    const char *name = c->places[c->bci].calls_leaf ? intrinsic_of(m) : NULL;
    for (size_t i = 0; name != NULL && i < ARRAY_LEN(forms); i++)
        if (strcmp(forms[i].name, name) == 0)
            return forms[i].is_possible == NULL || forms[i].is_possible() ? &forms[i] : NULL;
    return NULL;
}

bool is_intrinsic(const struct compiler *c) {
    const uint8_t *p = instruction(c);
    return form_here(c, *p, op_u2(p + 1)) != NULL;
}

/* Without one the interpreter throws. */
static void expect_receiver(struct compiler *c, uint32_t from_top) {
    if (!may_be_null(c, from_top)) return;
    enum asm_reg r = in_register(c, from_top);
    asm_alu(&c->a, ALU_TEST, W64, r, r);
    leave_if(c, COND_EQUAL);
}

bool compile_intrinsic(struct compiler *c, uint8_t op, uint16_t cell) {
    const struct form *f = form_here(c, op, cell);
    struct standing *s = f != NULL ? new_standing(c) : NULL;
    if (s == NULL) return false;
    const struct method *m = (const struct method *)(uintptr_t)known_cell(c, cell);
    s->slots = m->arg_slots;
    s->cell = cell;
    s->loop = c->loop;
    flush_operands(c, s->slots);
    if (op == OP_invokevirtual) expect_receiver(c, s->slots);
    f->write(c, s, f);
    asm_bind(&c->a, &s->back);
    drop(c, s->slots);
    forget_operands(c);
    if (c->places[c->bci].kind == 'V') return true;
    push_held(c, s->result);
    if (desc_kind_slots(c->places[c->bci].kind) == 2) push_upper(c);
    return true;
}

void write_standings(struct compiler *c) {
    forget_registers(c);
    for (uint32_t i = 0; i < c->standing_count && !c->failed; i++) {
        struct standing *s = &c->standings[i];
        note_pc(c, (int32_t)s->bci);
        c->bci = s->bci;
        c->depth = s->depth;
        asm_bind(&c->a, &s->begin);
        for (uint32_t k = 0; k < s->slots; k++)
            store_value(c, slot_of_operand(s->depth - s->slots + k), &s->arguments[k]);
        store_position(c, false);
        load_cell(c, REG_RESULT, s->cell);
        asm_address(&c->a, REG_COUNT, slot_of_operand(s->depth - s->slots));
        asm_call_load(&c->a, asm_at(REG_RESULT, offsetof(struct method, compiled_entry)));
        forget_registers(c);
        if (s->result.kind == REGISTER) asm_move(&c->a, W64, s->result.reg, REG_RESULT);
        else if (s->result.kind == FLOATING)
            asm_float_from_word(&c->a, W64, s->result.reg - FIRST_FLOATING, REG_RESULT);
        if (s->loop != NULL) loops_load(c, s->loop);
        asm_jump(&c->a, &s->back);
    }
}
