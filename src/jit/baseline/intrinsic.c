/* intrinsic.c — methods of exec/intrinsic.def that take some machine instructions. They stand where the method is
 * called, as its C function stands in for it in the interpreter: while nobody could see the difference, and a native
 * method has not got another function by JNI. Otherwise, and where the function would decline, the method is called
 * from code behind the method's own. */
#include "jit/baseline/compiler.h"

#include "classfile/descriptor.h"
#include "exec/exec.h"
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

/* ---- integers ---------------------------------------------------------------------------------------------------- */

static void absolute(struct compiler *c, struct standing *s, const struct form *f) {
    enum asm_reg from = in_register(c, slots_of(f)), r = result_register(c, s);
    begin(c, s);
    asm_move(&c->a, f->width, r, from);
    asm_negate(&c->a, f->width, r);
    asm_select(&c->a, COND_NEGATIVE, f->width, r, from);
}

/* detail: the second is taken if that holds of the first and it. */
static void choose(struct compiler *c, struct standing *s, const struct form *f) {
    enum asm_reg first = in_register(c, 2 * slots_of(f)), second = in_register(c, slots_of(f));
    enum asm_reg r = result_register(c, s);
    begin(c, s);
    asm_move(&c->a, f->width, r, first);
    asm_alu(&c->a, ALU_CMP, f->width, r, second);
    asm_select(&c->a, (enum asm_cond)f->detail, f->width, r, second);
}

static void count_ones(struct compiler *c, struct standing *s, const struct form *f) {
    enum asm_reg from = in_register(c, slots_of(f)), r = result_register(c, s);
    begin(c, s);
    asm_count_ones(&c->a, f->width, r, from);
}

/* The number of zeros above the highest bit, or (detail) below the lowest. */
static void count_zeros(struct compiler *c, struct standing *s, const struct form *f) {
    enum asm_reg from = in_register(c, slots_of(f)), none = take_register(c), r = result_register(c, s);
    bool below = f->detail;
    int32_t bits = f->width == W64 ? 64 : 32;
    begin(c, s);
    asm_constant(&c->a, none, (uint64_t)(below ? bits : 2 * bits - 1));
    asm_scan(&c->a, f->width, !below, r, from);
    asm_select(&c->a, COND_EQUAL, W32, r, none);
    if (!below) asm_alu_constant(&c->a, ALU_XOR, W32, r, bits - 1);
}

static void swap_bytes(struct compiler *c, struct standing *s, const struct form *f) {
    enum asm_reg from = in_register(c, slots_of(f)), r = result_register(c, s);
    begin(c, s);
    asm_move(&c->a, f->width, r, from);
    asm_swap_bytes(&c->a, f->width, r);
}

static void multiply_high(struct compiler *c, struct standing *s, const struct form *f) {
    take_these(c, 1u << REG_RESULT | 1u << REG_REMAINDER);
    enum asm_reg first = in_register(c, 2 * slots_of(f)), second = in_register(c, slots_of(f));
    s->result = (struct value){.kind = REGISTER, .reg = REG_REMAINDER};
    begin(c, s);
    asm_move(&c->a, f->width, REG_RESULT, first);
    asm_multiply_high(&c->a, f->width, second);
}

/* ---- floating point ---------------------------------------------------------------------------------------------- */

static void square_root(struct compiler *c, struct standing *s, const struct form *f) {
    unsigned from = in_floating(c, type_of(f), slots_of(f)), x = result_floating(c, s, type_of(f));
    begin(c, s);
    asm_float(&c->a, FLOAT_SQRT, type_of(f), x, from);
}

static void absolute_floating(struct compiler *c, struct standing *s, const struct form *f) {
    unsigned from = in_floating(c, type_of(f), slots_of(f)), x = result_floating(c, s, type_of(f));
    begin(c, s);
    asm_constant(&c->a, REG_SCRATCH, f->width == W64 ? (uint64_t)INT64_MAX : (uint64_t)INT32_MAX);
    asm_float_from_word(&c->a, f->width, x, REG_SCRATCH);
    asm_float_bits(&c->a, FLOAT_AND, x, from);
}

static void round_floating(struct compiler *c, struct standing *s, const struct form *f) {
    unsigned from = in_floating(c, type_of(f), slots_of(f)), x = result_floating(c, s, type_of(f));
    begin(c, s);
    asm_float_compare(&c->a, type_of(f), from, from);
    asm_branch(&c->a, COND_UNORDERED, &s->begin);
    asm_float_round(&c->a, (enum asm_round)f->detail, type_of(f), x, from);
}

/* The first, if that is `detail` than the second; of equal ones, which may be zeros, the sign that is less or greater:
 * of the least, either's; of the greatest, both's. */
static void choose_floating(struct compiler *c, struct standing *s, const struct form *f) {
    unsigned first = in_floating(c, type_of(f), 2 * slots_of(f)), second = in_floating(c, type_of(f), slots_of(f));
    unsigned x = result_floating(c, s, type_of(f));
    struct asm_label done = {0}, equal = {0};
    bool least = f->detail == COND_BELOW;
    begin(c, s);
    asm_float_move(&c->a, x, first);
    asm_float_compare(&c->a, type_of(f), first, second);
    asm_branch(&c->a, COND_UNORDERED, &s->begin);
    asm_branch_short(&c->a, (enum asm_cond)f->detail, &done);
    asm_branch_short(&c->a, COND_EQUAL, &equal);
    asm_float_move(&c->a, x, second);
    asm_jump_short(&c->a, &done);
    asm_bind(&c->a, &equal);
    asm_float_bits(&c->a, least ? FLOAT_OR : FLOAT_AND, x, second);
    asm_bind(&c->a, &done);
}

static void bits_of_floating(struct compiler *c, struct standing *s, const struct form *f) {
    unsigned from = in_floating(c, type_of(f), slots_of(f));
    enum asm_reg r = result_register(c, s);
    begin(c, s);
    asm_float_compare(&c->a, type_of(f), from, from);
    asm_branch(&c->a, COND_UNORDERED, &s->begin);
    asm_float_to_word(&c->a, f->width, r, from);
}

static void same_bits(struct compiler *c, struct standing *s, const struct form *f) {
    enum asm_reg from = in_register(c, slots_of(f)), r = result_register(c, s);
    begin(c, s);
    asm_move(&c->a, f->width, r, from);
}

/* ---- by name ----------------------------------------------------------------------------------------------------- */

static const struct form forms[] = {
    {"abs_int", absolute, W32, 0, NULL},
    {"abs_long", absolute, W64, 0, NULL},
    {"min_int", choose, W32, COND_GREATER, NULL},
    {"max_int", choose, W32, COND_LESS, NULL},
    {"min_long", choose, W64, COND_GREATER, NULL},
    {"max_long", choose, W64, COND_LESS, NULL},
    {"bit_count_int", count_ones, W32, 0, asm_counts_ones},
    {"bit_count_long", count_ones, W64, 0, asm_counts_ones},
    {"leading_zeros_int", count_zeros, W32, false, NULL},
    {"leading_zeros_long", count_zeros, W64, false, NULL},
    {"trailing_zeros_int", count_zeros, W32, true, NULL},
    {"trailing_zeros_long", count_zeros, W64, true, NULL},
    {"reverse_bytes_int", swap_bytes, W32, 0, NULL},
    {"reverse_bytes_long", swap_bytes, W64, 0, NULL},
    {"multiply_high", multiply_high, W64, 0, NULL},
    {"sqrt", square_root, W64, 0, NULL},
    {"abs", absolute_floating, W64, 0, NULL},
    {"abs_float", absolute_floating, W32, 0, NULL},
    {"floor", round_floating, W64, ROUND_DOWN, asm_rounds},
    {"ceil", round_floating, W64, ROUND_UP, asm_rounds},
    {"rint", round_floating, W64, ROUND_NEAREST, asm_rounds},
    {"min", choose_floating, W64, COND_BELOW, NULL},
    {"max", choose_floating, W64, COND_ABOVE, NULL},
    {"min_float", choose_floating, W32, COND_BELOW, NULL},
    {"max_float", choose_floating, W32, COND_ABOVE, NULL},
    {"float_to_int_bits", bits_of_floating, W32, 0, NULL},
    {"double_to_long_bits", bits_of_floating, W64, 0, NULL},
    {"same_32_bits", same_bits, W32, 0, NULL},
    {"same_64_bits", same_bits, W64, 0, NULL},
};

/* What the instruction may be done by. Of a native method only once it is bound, so that tools are told.
 * What an intrinsic stands in for is a leaf. */
static const struct form *form_here(const struct compiler *c, uint16_t cell) {
    if (c->is_told || opcode_now(c) != quick_opcode(OP_invokestatic, FORM_DIRECT)) return NULL;
    const struct method *m = (const struct method *)(uintptr_t)known_cell(c, cell);
    bool unbound = m->access_flags & ACC_NATIVE && atomic_load(&m->native_code) == NULL;
    bool is_leaf = atomic_load_explicit(&m->compiled_entry, memory_order_acquire) == c->stubs->call_leaf;
    bool is_known = c->places[c->bci].is_intrinsic;
    const char *name = is_leaf && (!unbound || is_known) ? intrinsic_of(m) : NULL;
    for (size_t i = 0; name != NULL && i < ARRAY_LEN(forms); i++)
        if (strcmp(forms[i].name, name) == 0)
            return forms[i].is_possible == NULL || forms[i].is_possible() ? &forms[i] : NULL;
    return NULL;
}

bool is_intrinsic(const struct compiler *c) { return form_here(c, op_u2(instruction(c) + 1)) != NULL; }

bool compile_intrinsic(struct compiler *c, uint16_t cell) {
    const struct form *f = form_here(c, cell);
    struct standing *s = f != NULL ? new_standing(c) : NULL;
    if (s == NULL) return false;
    const struct method *m = (const struct method *)(uintptr_t)known_cell(c, cell);
    s->slots = m->arg_slots;
    s->cell = cell;
    s->loop = c->loop;
    flush_operands(c, s->slots);
    f->write(c, s, f);
    asm_bind(&c->a, &s->back);
    drop(c, s->slots);
    forget_registers(c);
    loops_hold(c);
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
        else asm_float_from_word(&c->a, W64, s->result.reg - FIRST_FLOATING, REG_RESULT);
        if (s->loop != NULL) loops_load(c, s->loop);
        asm_jump(&c->a, &s->back);
    }
}
