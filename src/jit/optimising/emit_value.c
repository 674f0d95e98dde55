/* emit_value.c — machine code of nodes that compute. */
#include "jit/optimising/emit.h"

#include "heap/heap.h"
#include "link/link.h"

/* ---- exits ------------------------------------------------------------------------------------------------------- */

static struct emitted_exit *add_exit(struct emitter *e, struct emitted_exit x) {
    for (uint32_t i = e->exit_count; i-- > 0 && e->exit_count - i <= 16;) {
        struct emitted_exit *o = &e->exits[i];
        bool same = o->state == x.state && o->bci == x.bci && o->depth == x.depth && o->kind == x.kind;
        if (same && o->back == x.back && o->passed == x.passed) return o;
    }
    vm_assert(e->exit_count < e->exit_capacity, "more exits than nodes that leave");
    e->exits[e->exit_count] = x;
    return &e->exits[e->exit_count++];
}

static uint8_t kind_of_exit(const struct node *n) {
    switch (n->op) {
    case NODE_poll: case NODE_give: case NODE_check_monitors: return 0;
    case NODE_check_watch: case NODE_check_leaf: return EXIT_COUNTS | EXIT_FOR_GOOD;
    default: return EXIT_COUNTS;
    }
}

static struct emitted_exit exit_with_state(struct emitter *e, const struct node *n) {
    const struct state *s = &e->g->states[n->state];
    return (struct emitted_exit){.state = n->state, .bci = (uint32_t)s->bci, .depth = s->depth, .scope = s->scope};
}

struct asm_label *exit_of(struct emitter *e, const struct node *n) {
    struct emitted_exit x = exit_with_state(e, n);
    x.kind = kind_of_exit(n);
    return &add_exit(e, x)->label;
}

struct asm_label *exit_behind_leaf(struct emitter *e, const struct node *n) {
    struct emitted_exit x = exit_with_state(e, n);
    x.kind = kind_of_exit(n);
    x.passed = (node_id)(n - e->g->nodes);
    return &add_exit(e, x)->label;
}

struct emitted_exit *exit_and_back_of(struct emitter *e, const struct node *n) {
    struct emitted_exit x = exit_with_state(e, n);
    x.back = (node_id)(n - e->g->nodes);
    return add_exit(e, x);
}

struct asm_label *exit_at_home(struct emitter *e, uint32_t bci, uint32_t depth) {
    return &add_exit(e, (struct emitted_exit){.bci = bci, .depth = depth})->label;
}

/* ---- integers ---------------------------------------------------------------------------------------------------- */

static bool is_in_register(const struct emitter *e, node_id n, enum asm_reg r) {
    struct value_place p = e->places->places[n];
    return !is_constant(emitted(e, n)) && p.kind == PLACE_REGISTER && (enum asm_reg)p.number == r;
}

/* A sum of what is in registers, or of that and a constant, in a third register. */
static bool emit_sum(struct emitter *e, node_id id, const struct node *n) {
    enum asm_width w = width_of_type(n->type);
    enum asm_reg r = result_general(e, id);
    struct value_place x = e->places->places[n->in[0]], y = e->places->places[n->in[1]];
    const struct node *by = emitted(e, n->in[1]);
    int64_t step = n->detail == ALU_ADD ? by->imm : -by->imm;
    bool adds = n->detail == ALU_ADD || (n->detail == ALU_SUB && is_constant(by)), fits = step == (int32_t)step;
    if (!adds || is_constant(emitted(e, n->in[0])) || x.kind != PLACE_REGISTER) return false;
    if (is_in_register(e, n->in[0], r) || is_in_register(e, n->in[1], r)) return false;
    if (is_constant(by) ? !fits : y.kind != PLACE_REGISTER) return false;
    enum asm_reg first = (enum asm_reg)x.number;
    asm_sum(&e->c->a, w, r, is_constant(by) ? asm_at(first, (int32_t)step)
                                            : asm_indexed(first, (enum asm_reg)y.number, 0, 0));
    keep_general(e, id, r);
    return true;
}

static void emit_alu(struct emitter *e, node_id id, struct node *n) {
    if (emit_sum(e, id, n)) return;
    enum asm_width w = width_of_type(n->type);
    enum asm_reg r = result_general(e, id);
    node_id x = n->in[0], y = n->in[1];
    if (is_in_register(e, y, r) && n->detail != ALU_SUB) {
        x = n->in[1];
        y = n->in[0];
    }
    into_general(e, r, x);
    apply(e, (enum asm_alu)n->detail, w, r, y, other_scratch(r));
    keep_general(e, id, r);
}

static void emit_multiply(struct emitter *e, node_id id, struct node *n) {
    struct assembler *a = &e->c->a;
    enum asm_width w = width_of_type(n->type);
    enum asm_reg r = result_general(e, id);
    node_id x = n->in[0], y = n->in[1];
    struct asm_mem m;
    if (is_constant(emitted(e, y))) {
        asm_multiply_constant(a, w, r, in_general(e, x, REG_SCRATCH), (int32_t)emitted(e, y)->imm);
    } else {
        if (is_in_register(e, y, r)) {
            x = n->in[1];
            y = n->in[0];
        }
        into_general(e, r, x);
        if (is_in_slot(e, y, &m)) asm_multiply_load(a, w, r, m);
        else asm_multiply(a, w, r, in_general(e, y, other_scratch(r)));
    }
    keep_general(e, id, r);
}

/* By REG_COUNT, which holds nothing else meanwhile. */
static void shift_by_register(struct emitter *e, node_id id, struct node *n) {
    struct assembler *a = &e->c->a;
    enum asm_width w = width_of_type(n->type);
    enum asm_reg r = result_general(e, id), by = r == REG_COUNT || is_in_register(e, n->in[1], r) ? REG_SCRATCH : r;
    into_general(e, by, n->in[0]);
    into_general(e, REG_COUNT, n->in[1]);
    asm_shift(a, (enum asm_shift)n->detail, w, by);
    if (by != r) asm_move(a, w, r, by);
    keep_general(e, id, r);
}

static void emit_shift(struct emitter *e, node_id id, struct node *n) {
    const struct node *by = emitted(e, n->in[1]);
    if (!is_constant(by)) {
        shift_by_register(e, id, n);
        return;
    }
    enum asm_reg r = result_general(e, id);
    unsigned count = (unsigned)by->imm & (n->type == TYPE_LONG ? 63 : 31);
    into_general(e, r, n->in[0]);
    asm_shift_constant(&e->c->a, (enum asm_shift)n->detail, width_of_type(n->type), r, count);
    keep_general(e, id, r);
}

/* The least number by -1 overflows to itself, and the machine would trap. */
static void emit_divide(struct emitter *e, node_id id, struct node *n) {
    struct assembler *a = &e->c->a;
    struct asm_label by_minus_one = {0}, done = {0};
    enum asm_width w = width_of_type(n->type);
    const struct node *y = emitted(e, n->in[1]);
    bool is_simple = is_constant(y) && y->imm != -1;
    into_general(e, REG_RESULT, n->in[0]);
    enum asm_reg by = in_general(e, n->in[1], REG_SCRATCH), from = n->detail ? REG_REMAINDER : REG_RESULT;
    if (!is_simple) {
        asm_alu_constant(a, ALU_CMP, w, by, -1);
        asm_branch_short(a, COND_EQUAL, &by_minus_one);
    }
    asm_divide(a, w, by);
    if (!is_simple) {
        asm_jump_short(a, &done);
        asm_bind(a, &by_minus_one);
        if (n->detail) asm_zero(a, REG_REMAINDER);
        else asm_negate(a, w, REG_RESULT);
        asm_bind(a, &done);
    }
    enum asm_reg r = result_general(e, id);
    if (r != from) asm_move(a, w, r, from);
    keep_general(e, id, r);
}

/* ---- floating point ---------------------------------------------------------------------------------------------- */

static bool is_in_float(const struct emitter *e, node_id n, unsigned x) {
    struct value_place p = e->places->places[n];
    return p.kind == PLACE_FLOATING && p.number == x;
}

static void emit_float_binary(struct emitter *e, node_id id, struct node *n) {
    struct assembler *a = &e->c->a;
    enum asm_float_type t = float_of_type(n->type);
    unsigned x = result_float(e, id);
    node_id first = n->in[0], second = n->in[1];
    struct asm_mem m;
    if (is_in_float(e, second, x)) {     /* of those that do not commute the second is elsewhere                    */
        first = n->in[1];
        second = n->in[0];
    }
    if (is_in_slot(e, first, &m)) asm_float_load(a, t, x, m);
    else if (!is_in_float(e, first, x)) asm_float_move(a, x, in_float(e, first));
    if (is_in_slot(e, second, &m)) asm_float_from_memory(a, (enum asm_float_op)n->detail, t, x, m);
    else asm_float(a, (enum asm_float_op)n->detail, t, x, in_float(e, second));
    keep_float(e, id, x);
}

/* In its own register, or in x. */
unsigned in_this_float(struct emitter *e, node_id n, unsigned x) {
    struct asm_mem m;
    if (!is_in_slot(e, n, &m)) return in_float(e, n);
    asm_float_load(&e->c->a, float_of_type(emitted(e, n)->type), x, m);
    return x;
}

void into_float(struct emitter *e, unsigned x, node_id n) {
    unsigned from = in_this_float(e, n, x);
    if (from != x) asm_float_move(&e->c->a, x, from);
}

static void emit_float_negate(struct emitter *e, node_id id, struct node *n) {
    struct assembler *a = &e->c->a;
    enum asm_width w = width_of_type(n->type);
    unsigned x = result_float(e, id);
    if (x != FLOAT_SCRATCH) into_float(e, x, n->in[0]);
    load_bits(e, REG_SCRATCH, w == W64 ? INT64_MIN : (int64_t)1 << 31);
    if (x != FLOAT_SCRATCH) {
        asm_float_from_word(a, w, FLOAT_SCRATCH, REG_SCRATCH);
        asm_float_bits(a, FLOAT_XOR, x, FLOAT_SCRATCH);
    } else {
        into_general(e, SECOND_SCRATCH, n->in[0]);
        asm_alu(a, ALU_XOR, w, SECOND_SCRATCH, REG_SCRATCH);
        asm_float_from_word(a, w, x, SECOND_SCRATCH);
    }
    keep_float(e, id, x);
}

void emit_float_compare(struct emitter *e, const struct node *n, uint8_t op) {
    bool exchanges = op == OP_fcmpg || op == OP_dcmpg;
    enum asm_float_type t = op == OP_fcmpl || op == OP_fcmpg ? F32 : F64;
    node_id first = n->in[exchanges ? 1 : 0], second = n->in[exchanges ? 0 : 1];
    struct asm_mem m;
    unsigned x = in_float(e, first);
    if (is_in_slot(e, second, &m)) asm_float_compare_load(&e->c->a, t, x, m);
    else asm_float_compare(&e->c->a, t, x, in_float(e, second));
}

/* A number: 1, 0 or -1. */
static void emit_compare(struct emitter *e, node_id id, struct node *n) {
    struct assembler *a = &e->c->a;
    enum asm_reg r = result_general(e, id), less = other_scratch(r);
    if (n->detail == OP_lcmp) {
        apply(e, ALU_CMP, W64, in_general(e, n->in[0], REG_SCRATCH), n->in[1], SECOND_SCRATCH);
        asm_set(a, COND_GREATER, r);
        asm_set(a, COND_LESS, less);
        asm_alu(a, ALU_SUB, W32, r, less);
    } else {
        bool exchanges = n->detail == OP_fcmpg || n->detail == OP_dcmpg;
        emit_float_compare(e, n, n->detail);
        asm_set(a, exchanges ? COND_BELOW : COND_ABOVE, r);
        asm_set(a, exchanges ? COND_ABOVE : COND_BELOW, less);
        asm_alu(a, ALU_SUB, W32, r, less);
    }
    keep_general(e, id, r);
}

/* ---- conversions ------------------------------------------------------------------------------------------------- */

/* The machine answers the least number for what does not fit. Then: the largest for what is positive, 0 for what is no
 * number. */
static void float_to_word(struct emitter *e, node_id id, struct node *n, enum asm_float_type from) {
    struct assembler *a = &e->c->a;
    struct asm_label done = {0}, no_number = {0};
    enum asm_width w = width_of_type(n->type), bits = from == F64 ? W64 : W32;
    enum asm_reg r = result_general(e, id);
    unsigned x = in_float(e, n->in[0]);
    asm_float_to_int(a, w, r, from, x);
    asm_alu_constant(a, ALU_CMP, w, r, 1);               /* overflows for the least number alone                    */
    asm_branch_short(a, COND_NOT_OVERFLOW, &done);
    asm_float_compare(a, from, x, x);
    asm_branch_short(a, COND_UNORDERED, &no_number);
    enum asm_reg sign = other_scratch(r);
    asm_float_to_word(a, bits, sign, x);
    asm_alu(a, ALU_TEST, bits, sign, sign);
    asm_branch_short(a, COND_NEGATIVE, &done);
    asm_alu_constant(a, ALU_SUB, w, r, 1);
    asm_jump_short(a, &done);
    asm_bind(a, &no_number);
    asm_zero(a, r);
    asm_bind(a, &done);
    keep_general(e, id, r);
}

static void word_to_float(struct emitter *e, node_id id, struct node *n, enum asm_width from) {
    unsigned x = result_float(e, id);
    enum asm_reg r = in_general(e, n->in[0], REG_SCRATCH);
    asm_float_bits(&e->c->a, FLOAT_XOR, x, x);           /* else it waits for what was there                        */
    asm_float_from_int(&e->c->a, float_of_type(n->type), x, from, r);
    keep_float(e, id, x);
}

static void float_to_float(struct emitter *e, node_id id, struct node *n) {
    unsigned x = in_float(e, n->in[0]), y = result_float(e, id);
    if (x != y) asm_float_bits(&e->c->a, FLOAT_XOR, y, y);
    asm_float_convert(&e->c->a, float_of_type(n->type), y, x);
    keep_float(e, id, y);
}

static void extend(struct emitter *e, node_id id, struct node *n, enum asm_type t) {
    enum asm_reg r = result_general(e, id);
    asm_extend(&e->c->a, t, r, in_general(e, n->in[0], REG_SCRATCH));
    keep_general(e, id, r);
}

static void emit_convert(struct emitter *e, node_id id, struct node *n) {
    switch (n->detail) {
    case OP_i2l: extend(e, id, n, S32); break;
    case OP_l2i: extend(e, id, n, U32); break;
    case OP_i2b: extend(e, id, n, S8); break;
    case OP_i2c: extend(e, id, n, U16); break;
    case OP_i2s: extend(e, id, n, S16); break;
    case OP_i2f: case OP_i2d: word_to_float(e, id, n, W32); break;
    case OP_l2f: case OP_l2d: word_to_float(e, id, n, W64); break;
    case OP_f2i: case OP_f2l: float_to_word(e, id, n, F32); break;
    case OP_d2i: case OP_d2l: float_to_word(e, id, n, F64); break;
    default: float_to_float(e, id, n); break;
    }
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static bool is_reference(char kind) { return kind == 'L' || kind == '['; }

static struct asm_mem field_at(struct emitter *e, const struct node *n) {
    if (n->in[0] != 0) return asm_at(in_general(e, n->in[0], REG_SCRATCH), (int32_t)n->imm);
    load_bits(e, REG_SCRATCH, n->imm);
    return asm_at(REG_SCRATCH, 0);
}

static struct asm_mem element_at(struct emitter *e, const struct node *n) {
    static const uint8_t shifts[] = {[W8] = 0, [W16] = 1, [W32] = 2, [W64] = 3};
    unsigned shift = shifts[memory_width((char)n->detail)];
    const struct node *i = emitted(e, n->in[1]);
    enum asm_reg array = in_general(e, n->in[0], REG_SCRATCH);
    if (is_small_index(i)) return asm_at(array, ARRAY_DATA + ((int32_t)i->imm << shift));
    return asm_indexed(array, in_general(e, n->in[1], SECOND_SCRATCH), shift, ARRAY_DATA);
}

void load_from(struct emitter *e, node_id id, const struct node *n, struct asm_mem m) {
    char kind = (char)n->detail;
    if (kind == 'F' || kind == 'D') {
        unsigned x = result_float(e, id);
        asm_float_load(&e->c->a, kind == 'F' ? F32 : F64, x, m);
        keep_float(e, id, x);
        return;
    }
    enum asm_reg r = result_general(e, id);
    asm_load(&e->c->a, memory_type(kind), r, m);
    if (is_reference(kind)) asm_shift_constant(&e->c->a, SHIFT_LEFT, W64, r, 3);
    keep_general(e, id, r);
}

/* REG_SCRATCH is wanted for the value: an address of which it is part goes to the second. */
struct asm_mem in_second(struct emitter *e, struct asm_mem m) {
    if (m.base != REG_SCRATCH) return m;
    asm_address(&e->c->a, SECOND_SCRATCH, m);
    return asm_at(SECOND_SCRATCH, 0);
}

static void store_ref(struct emitter *e, node_id v, struct asm_mem m) {
    struct asm_mem to = in_second(e, m);
    into_general(e, REFERENCE_COPY, v);
    store_reference(e->c, to, REFERENCE_COPY);
}

/* Of bytes, or of booleans, which keep the lowest bit. */
static void store_byte(struct emitter *e, node_id v, struct asm_mem m) {
    struct assembler *a = &e->c->a;
    struct asm_label stored = {0};
    asm_alu_store_constant(a, ALU_CMP, W32, asm_at(m.base, offsetof(struct object, class_id)),
                           (int32_t)vm->link->primitive_arrays[T_BOOLEAN]->shape.id);
    struct asm_mem to = in_second(e, m);                 /* neither this nor the next changes the flags             */
    into_general(e, REG_SCRATCH, v);
    asm_branch_short(a, COND_NOT_EQUAL, &stored);
    asm_alu_constant(a, ALU_AND, W32, REG_SCRATCH, 1);
    asm_bind(a, &stored);
    asm_store(a, W8, to, REG_SCRATCH);
}

void store_to(struct emitter *e, const struct node *n, node_id v, struct asm_mem m) {
    struct assembler *a = &e->c->a;
    char kind = (char)n->detail;
    const struct node *value = emitted(e, v);
    bool is_byte = n->op == NODE_store_element && kind == 'B' && !(emitted(e, n->in[0])->flags & NODE_BYTES);
    bool is_null = is_constant(value) && value->type == TYPE_REF;
    if (is_byte) {
        store_byte(e, v, m);
    } else if (is_reference(kind) && !is_null) {
        store_ref(e, v, m);
    } else if (is_constant(value)) {
        asm_store_constant(a, memory_width(kind), m, (int32_t)value->imm);
    } else if (kind == 'F' || kind == 'D') {
        asm_float_store(a, kind == 'F' ? F32 : F64, m, in_float(e, v));
    } else if (e->places->places[v].kind == PLACE_REGISTER) {
        asm_store(a, memory_width(kind), m, (enum asm_reg)e->places->places[v].number);
    } else {
        struct asm_mem to = in_second(e, m);
        into_general(e, REG_SCRATCH, v);
        asm_store(a, memory_width(kind), to, REG_SCRATCH);
    }
}

static void emit_store_field(struct emitter *e, const struct node *n) {
    store_to(e, n, n->in[1], field_at(e, n));
    if (n->flags & NODE_VOLATILE) asm_fence(&e->c->a);
}

static void emit_length(struct emitter *e, node_id id, struct node *n) {
    enum asm_reg r = result_general(e, id);
    asm_load(&e->c->a, U32, r, asm_at(in_general(e, n->in[0], REG_SCRATCH), offsetof(struct array, length)));
    keep_general(e, id, r);
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

void compare_class(struct emitter *e, const struct node *n, enum asm_reg object, enum asm_reg wanted) {
    struct assembler *a = &e->c->a;
    const struct class *k = (const struct class *)(uintptr_t)n->imm;
    if (is_exact(n)) {
        struct asm_mem id = asm_at(object, offsetof(struct object, class_id));
        asm_alu_store_constant(a, ALU_CMP, W32, id, (int32_t)k->shape.id);
        return;
    }
    if (is_in_display(n)) {
        load_class(e->c, REG_SCRATCH, object);
        load_bits(e, wanted, n->imm);
        asm_alu_load(a, ALU_CMP, W64, wanted,
                     asm_at(REG_SCRATCH, (int32_t)(offsetof(struct class, display) + k->depth * sizeof k)));
        return;
    }
    struct asm_label found = {0};
    load_class(e->c, CLASS_HELD, object);
    load_bits(e, CLASS_WANTED, n->imm);
    if (k->is_interface) {
        asm_alu_load(a, ALU_CMP, W64, CLASS_WANTED, asm_at(CLASS_HELD, offsetof(struct class, secondary_cache)));
        asm_branch_short(a, COND_EQUAL, &found);
    }
    call_subtype(e->c);
    asm_bind(a, &found);
}

static void emit_check_cast(struct emitter *e, struct node *n) {
    struct assembler *a = &e->c->a;
    struct asm_label done = {0};
    enum asm_reg object = in_general(e, n->in[0], REG_SCRATCH);
    asm_alu(a, ALU_TEST, W64, object, object);
    asm_branch(a, COND_EQUAL, &done);
    compare_class(e, n, object, CLASS_WANTED);
    asm_branch(a, COND_NOT_EQUAL, exit_of(e, n));
    asm_bind(a, &done);
}

static void emit_instance_of(struct emitter *e, node_id id, struct node *n) {
    struct assembler *a = &e->c->a;
    struct asm_label is_null = {0}, done = {0};
    enum asm_reg object = in_general(e, n->in[0], REG_SCRATCH), r = result_general(e, id);
    asm_alu(a, ALU_TEST, W64, object, object);
    asm_branch(a, COND_EQUAL, &is_null);
    compare_class(e, n, object, r == REG_SCRATCH ? SECOND_SCRATCH : r);
    asm_set(a, COND_EQUAL, r);
    asm_jump(a, &done);
    asm_bind(a, &is_null);
    asm_zero(a, r);
    asm_bind(a, &done);
    keep_general(e, id, r);
}

void compare_with_class(struct emitter *e, const struct node *n) {
    uint32_t id = ((const struct class *)(uintptr_t)n->imm)->shape.id;
    struct asm_mem m = asm_at(in_general(e, n->in[0], REG_SCRATCH), offsetof(struct object, class_id));
    asm_alu_store_constant(&e->c->a, ALU_CMP, W32, m, (int32_t)id);
}

/* The receiver's class is this one. */
static void emit_check_class(struct emitter *e, struct node *n) {
    compare_with_class(e, n);
    asm_branch(&e->c->a, COND_NOT_EQUAL, exit_of(e, n));
}

/* The receiver's class has the method at its vtable index. */
static void emit_check_callee(struct emitter *e, struct node *n) {
    struct assembler *a = &e->c->a;
    const struct method *m = (const struct method *)(uintptr_t)n->imm;
    load_vtable(e->c, REG_SCRATCH, in_general(e, n->in[0], REG_SCRATCH));
    load_bits(e, CLASS_WANTED, n->imm);
    asm_alu_load(a, ALU_CMP, W64, CLASS_WANTED, asm_at(REG_SCRATCH, 8 * m->vtable_index));
    asm_branch(a, COND_NOT_EQUAL, exit_of(e, n));
}

/* May the array hold the reference? */
static void emit_check_store(struct emitter *e, struct node *n) {
    struct assembler *a = &e->c->a;
    struct asm_label fits = {0};
    enum asm_reg value = in_general(e, n->in[1], REG_SCRATCH);
    asm_alu(a, ALU_TEST, W64, value, value);
    asm_branch(a, COND_EQUAL, &fits);
    load_class(e->c, CLASS_HELD, value);
    load_class(e->c, CLASS_WANTED, in_general(e, n->in[0], REG_SCRATCH));
    asm_load(a, U64, CLASS_WANTED, asm_at(CLASS_WANTED, offsetof(struct class, component)));
    asm_alu(a, ALU_CMP, W64, CLASS_HELD, CLASS_WANTED);
    asm_branch_short(a, COND_EQUAL, &fits);
    asm_alu_load(a, ALU_CMP, W64, CLASS_WANTED, asm_at(CLASS_HELD, offsetof(struct class, display[0])));
    asm_branch_short(a, COND_EQUAL, &fits);              /* anything is an Object                                  */
    call_subtype(e->c);
    asm_branch(a, COND_NOT_EQUAL, exit_of(e, n));
    asm_bind(a, &fits);
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

void compare_with_zero(struct emitter *e, node_id id) {
    enum asm_width w = width_of_type(emitted(e, id)->type);
    struct asm_mem m;
    if (is_in_slot(e, id, &m)) {
        asm_alu_store_constant(&e->c->a, ALU_CMP, w, m, 0);
    } else {
        enum asm_reg r = in_general(e, id, REG_SCRATCH);
        asm_alu(&e->c->a, ALU_TEST, w, r, r);
    }
}

static void emit_check_bounds(struct emitter *e, struct node *n) {
    struct assembler *a = &e->c->a;
    const struct node *i = emitted(e, n->in[0]);
    struct asm_mem m;
    if (!is_constant(i)) {
        apply(e, ALU_CMP, W32, in_general(e, n->in[0], REG_SCRATCH), n->in[1], SECOND_SCRATCH);
        asm_branch(a, COND_NOT_BELOW, exit_of(e, n));
        return;
    }
    if (is_in_slot(e, n->in[1], &m)) asm_alu_store_constant(a, ALU_CMP, W32, m, (int32_t)i->imm);
    else asm_alu_constant(a, ALU_CMP, W32, in_general(e, n->in[1], REG_SCRATCH), (int32_t)i->imm);
    asm_branch(a, COND_NOT_ABOVE, exit_of(e, n));
}

/* Leaves where the first is greater. */
static void emit_check_limit(struct emitter *e, struct node *n) {
    apply(e, ALU_CMP, W32, in_general(e, n->in[0], REG_SCRATCH), n->in[1], SECOND_SCRATCH);
    asm_branch(&e->c->a, COND_GREATER, exit_of(e, n));
}

static void emit_check_zero(struct emitter *e, struct node *n, enum asm_cond leaves) {
    compare_with_zero(e, n->in[0]);
    asm_branch(&e->c->a, leaves, exit_of(e, n));
}

/* ---- by node ----------------------------------------------------------------------------------------------------- */

static void emit_word(struct emitter *e, node_id id) {
    enum asm_reg r = result_general(e, id);
    into_general(e, r, emitted(e, id)->in[0]);
    asm_negate(&e->c->a, width_of_type(emitted(e, id)->type), r);
    keep_general(e, id, r);
}

/* Where it is in its home already nothing is done. */
void emit_local(struct emitter *e, node_id id) {
    const struct node *n = emitted(e, id);
    struct value_place p = e->places->places[id];
    struct assembler *a = &e->c->a;
    struct asm_mem home = slot_at(e, (uint32_t)n->imm);
    if (p.kind == PLACE_FLOATING) {
        asm_float_load(a, float_of_type(n->type), p.number, home);
    } else if (p.kind == PLACE_REGISTER) {
        asm_load(a, n->type == TYPE_INT ? U32 : U64, (enum asm_reg)p.number, home);
    } else if (p.number != (uint32_t)n->imm) {
        asm_load(a, U64, REG_SCRATCH, home);
        asm_store(a, W64, slot_at(e, p.number), REG_SCRATCH);
    }
}

void emit_literal(struct emitter *e, node_id id) {
    struct value_place p = e->places->places[id];
    int64_t v = emitted(e, id)->imm;
    if (p.kind == PLACE_REMADE) return;
    if (p.kind == PLACE_REGISTER) {
        load_bits(e, (enum asm_reg)p.number, v);
    } else if (p.kind == PLACE_FLOATING && v == 0) {
        asm_float_bits(&e->c->a, FLOAT_XOR, p.number, p.number);
    } else {
        load_bits(e, REG_SCRATCH, v);
        if (p.kind == PLACE_FLOATING) asm_float_from_word(&e->c->a, W64, p.number, REG_SCRATCH);
        else asm_store(&e->c->a, W64, slot_at(e, p.number), REG_SCRATCH);
    }
}

static void emit_copy(struct emitter *e, node_id id, struct node *n) {
    e->moves.count = 0;
    add_move(e, n->in[0], e->places->places[id]);
    make_moves(e);
}

void emit_node(struct emitter *e, node_id id) {
    struct node *n = emitted(e, id);
    switch (n->op) {
    case NODE_literal: emit_literal(e, id); break;
    case NODE_home: case NODE_argument: emit_local(e, id); break;
    case NODE_copy: emit_copy(e, id, n); break;
    case NODE_call: emit_call(e, id); break;
    case NODE_alu: emit_alu(e, id, n); break;
    case NODE_multiply: emit_multiply(e, id, n); break;
    case NODE_shift: emit_shift(e, id, n); break;
    case NODE_negate: emit_word(e, id); break;
    case NODE_divide: emit_divide(e, id, n); break;
    case NODE_float_binary: emit_float_binary(e, id, n); break;
    case NODE_float_negate: emit_float_negate(e, id, n); break;
    case NODE_convert: emit_convert(e, id, n); break;
    case NODE_compare: emit_compare(e, id, n); break;
    case NODE_array_length: emit_length(e, id, n); break;
    case NODE_load_field: load_from(e, id, n, field_at(e, n)); break;
    case NODE_load_element: load_from(e, id, n, element_at(e, n)); break;
    case NODE_store_field: emit_store_field(e, n); break;
    case NODE_store_element: store_to(e, n, n->in[2], element_at(e, n)); break;
    case NODE_instance_of: emit_instance_of(e, id, n); break;
    case NODE_check_null: case NODE_check_zero: emit_check_zero(e, n, COND_EQUAL); break;
    case NODE_check_negative: emit_check_zero(e, n, COND_NEGATIVE); break;
    case NODE_check_bounds: emit_check_bounds(e, n); break;
    case NODE_check_limit: emit_check_limit(e, n); break;
    case NODE_check_is_null: emit_check_zero(e, n, COND_NOT_EQUAL); break;
    case NODE_check_cast: emit_check_cast(e, n); break;
    case NODE_check_callee: emit_check_callee(e, n); break;
    case NODE_check_class: emit_check_class(e, n); break;
    case NODE_check_store: emit_check_store(e, n); break;
    default:
        if (!emit_allocation(e, id) && !emit_access(e, id) && !emit_intrinsic(e, id) && !emit_monitor(e, id) &&
            !emit_leaf(e, id))
            vm_assert(n->op == NODE_phi, "no code for %s", node_names[n->op]);
        break;
    }
}
