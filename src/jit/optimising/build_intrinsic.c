/* build_intrinsic.c — nodes for methods of exec/intrinsic.def that take some machine instructions, as the baseline
 * compiler's (baseline/intrinsic.c), and for Object.<init>, which does nothing. While somebody could see that a method
 * does not run the frame leaves before it: check_watch. So it does where only the library's code says what is to
 * happen. Its other methods are called as the C functions that they are, without frames. */
#include "jit/optimising/build.h"
#include "jit/optimising/support.h"

#include "classfile/descriptor.h"
#include "exec/exec.h"
#include "link/known.h"
#include "thread/thread.h"

struct form {
    const char *name;                    /* the function in the table                                              */
    void (*build)(struct builder *b, const struct form *f);
    uint8_t type, count;                 /* enum node_type: of the operands; how many                               */
    uint8_t gives;                       /* enum node_type                                                         */
    uint8_t detail;                      /* enum math_op, mostly                                                   */
    bool (*is_possible)(void);           /* on this processor; NULL: always                                        */
};

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */

static struct node operands_of(struct builder *b, const struct form *f, enum node_op op) {
    struct node n = {.op = (uint8_t)op, .type = f->gives, .detail = f->detail};
    for (unsigned i = f->count; i-- > 0;) n.in[i] = pop_value(b, (enum node_type)f->type);
    return n;
}

static void push_math(struct builder *b, struct node n) {
    if (n.op == NODE_math_checked) n.state = build_state(b);
    if (ir_goes_on(b->g)) push_value(b, build_value(b, n));
}

static void math(struct builder *b, const struct form *f) { push_math(b, operands_of(b, f, NODE_math)); }
static void math_checked(struct builder *b, const struct form *f) {
    push_math(b, operands_of(b, f, NODE_math_checked));
}

/* By 1. */
static void step_checked(struct builder *b, const struct form *f) {
    struct node n = operands_of(b, f, NODE_math_checked);
    n.in[1] = build_constant(b, (enum node_type)f->type, 1);
    push_math(b, n);
}

static void rotate(struct builder *b, const struct form *f) {
    node_id by = pop_value(b, TYPE_INT), x = pop_value(b, (enum node_type)f->type);
    if (!ir_goes_on(b->g)) return;
    push_value(b, build_value(b, (struct node){.op = NODE_shift, .type = f->type, .detail = f->detail, .in = {x, by}}));
}

/* (index, length, ...): the index, if anything. */
static void check_index(struct builder *b, const struct form *f UNUSED) {
    if (b->c->places[b->bci].arguments == 3) (void)pop_value(b, TYPE_REF);
    node_id length = pop_value(b, TYPE_INT), index = pop_value(b, TYPE_INT);
    if (!ir_goes_on(b->g)) return;
    if (!is_not_negative(b->g, length)) build_check(b, NODE_check_negative, length, 0, 0);
    build_check(b, NODE_check_bounds, index, length, 0);
    if (b->c->places[b->bci].kind != 'V') push_value(b, index);
}

static void check_long_index(struct builder *b, const struct form *f) {
    (void)pop_value(b, TYPE_REF);
    math_checked(b, f);
}

/* ---- strings ----------------------------------------------------------------------------------------------------- */

struct text { node_id value, coder, length; };           /* its array, 0 or 1, its chars                           */

static node_id final_field(struct builder *b, node_id o, node_id guard, char kind, uint32_t offset) {
    uint8_t flags = kind == '[' ? NODE_FINAL | NODE_BYTES : NODE_FINAL;
    return build_effect(b, (struct node){.op = NODE_load_field, .type = kind == '[' ? TYPE_REF : TYPE_INT,
                                         .detail = (uint8_t)kind, .flags = flags, .in = {o}, .guard = guard,
                                         .imm = offset});
}

static node_id length_of(struct builder *b, node_id array, node_id guard) {
    return build_value(b, (struct node){.op = NODE_array_length, .type = TYPE_INT, .in = {array}, .guard = guard});
}

static node_id in_chars(struct builder *b, node_id bytes, node_id coder) {
    return build_value(b, (struct node){.op = NODE_shift, .type = TYPE_INT, .detail = SHIFT_RIGHT,
                                        .in = {bytes, coder}});
}

static node_id coder_of(struct builder *b, node_id string) {
    return final_field(b, string, build_null_check(b, string), 'B', known_offset(String_coder));
}

/* A string has an array once it has been made. */
static struct text text_of(struct builder *b, node_id string) {
    struct text t = {0, 0, 0};
    node_id guard = build_null_check(b, string);
    t.value = final_field(b, string, guard, '[', known_offset(String_value));
    guard = build_null_check(b, t.value);
    if (!ir_goes_on(b->g)) return t;
    t.coder = coder_of(b, string);
    node_id bytes = length_of(b, t.value, guard);
    if (ir_goes_on(b->g)) t.length = in_chars(b, bytes, t.coder);
    return t;
}

/* 1 or 0 from what is not negative: the sign of one less. */
static node_id is_zero(struct builder *b, node_id n) {
    node_id less = build_value(b, (struct node){.op = NODE_alu, .type = TYPE_INT, .detail = ALU_ADD,
                                                .in = {n, build_constant(b, TYPE_INT, -1)}});
    if (!ir_goes_on(b->g)) return 0;
    return build_value(b, (struct node){.op = NODE_shift, .type = TYPE_INT, .detail = SHIFT_RIGHT,
                                        .in = {less, build_constant(b, TYPE_INT, 31)}});
}

/* detail: whether it has none. */
static void text_length(struct builder *b, const struct form *f) {
    node_id string = pop_value(b, TYPE_REF);
    struct text t = text_of(b, string);
    if (!ir_goes_on(b->g)) return;
    if (f->detail) t.length = is_zero(b, t.length);
    if (ir_goes_on(b->g)) push_value(b, t.length);
}

/* detail: asked is whether it is 0. */
static void text_coder(struct builder *b, const struct form *f) {
    node_id coder = coder_of(b, pop_value(b, TYPE_REF));
    if (!ir_goes_on(b->g)) return;
    if (f->detail)
        coder = build_value(b, (struct node){.op = NODE_alu, .type = TYPE_INT, .detail = ALU_XOR,
                                             .in = {coder, build_constant(b, TYPE_INT, 1)}});
    push_value(b, coder);
}

static struct node char_in(node_id value, node_id index, node_id coder, node_id guard) {
    return (struct node){.op = NODE_text_char, .type = TYPE_INT, .in = {value, index, coder}, .guard = guard};
}

static void text_char_at(struct builder *b, const struct form *f UNUSED) {
    node_id index = pop_value(b, TYPE_INT), string = pop_value(b, TYPE_REF);
    struct text t = text_of(b, string);
    if (!ir_goes_on(b->g)) return;
    struct node n = char_in(t.value, index, t.coder, build_check(b, NODE_check_bounds, index, t.length, 0));
    n.flags = NODE_FINAL;
    if (ir_goes_on(b->g)) push_value(b, build_effect(b, n));
}

/* The array has a char of that width there. */
static node_id check_char(struct builder *b, node_id array, node_id index, node_id coder) {
    node_id guard = build_null_check(b, array);
    node_id bytes = length_of(b, array, guard);
    node_id chars = ir_goes_on(b->g) ? in_chars(b, bytes, coder) : 0;
    return ir_goes_on(b->g) ? build_check(b, NODE_check_bounds, index, chars, guard) : 0;
}

/* detail: of two bytes. */
static void char_in_bytes(struct builder *b, const struct form *f) {
    node_id index = pop_value(b, TYPE_INT), array = pop_value(b, TYPE_REF);
    node_id coder = build_constant(b, TYPE_INT, f->detail), guard = check_char(b, array, index, coder);
    if (ir_goes_on(b->g)) push_value(b, build_effect(b, char_in(array, index, coder, guard)));
}

static void char_to_bytes(struct builder *b, const struct form *f UNUSED) {
    node_id v = pop_value(b, TYPE_INT), index = pop_value(b, TYPE_INT), array = pop_value(b, TYPE_REF);
    node_id guard = check_char(b, array, index, build_constant(b, TYPE_INT, 1));
    build_effect(b, (struct node){.op = NODE_put_char, .in = {array, index, v}, .guard = guard});
}

/* ---- objects and threads ----------------------------------------------------------------------------------------- */

static void object_class(struct builder *b, const struct form *f UNUSED) {
    node_id o = pop_value(b, TYPE_REF), guard = build_null_check(b, o);
    struct node n = {.op = NODE_object_class, .type = TYPE_REF, .flags = NODE_NOT_NULL, .in = {o}, .guard = guard};
    if (ir_goes_on(b->g)) push_value(b, build_value(b, n));
}

static void this_thread(struct builder *b, const struct form *f UNUSED) {
    push_value(b, build_effect(b, (struct node){.op = NODE_this_thread, .type = TYPE_REF, .flags = NODE_NOT_NULL}));
}

/* ---- by name ----------------------------------------------------------------------------------------------------- */

#define INT_AND_LONG(name, build, count, detail, is_possible)                      \
    {name "_int", build, TYPE_INT, count, TYPE_INT, detail, is_possible},           \
    {name "_long", build, TYPE_LONG, count, TYPE_LONG, detail, is_possible}
#define INT_OF_INT_AND_LONG(name, count, detail, is_possible)                      \
    {name "_int", math, TYPE_INT, count, TYPE_INT, detail, is_possible},            \
    {name "_long", math, TYPE_LONG, count, TYPE_INT, detail, is_possible}
#define FLOAT_AND_DOUBLE(name, build, count, detail, is_possible)                  \
    {name "_float", build, TYPE_FLOAT, count, TYPE_FLOAT, detail, is_possible},     \
    {name, build, TYPE_DOUBLE, count, TYPE_DOUBLE, detail, is_possible}

static const struct form forms[] = {
    INT_AND_LONG("abs", math, 1, MATH_ABS, NULL),
    INT_AND_LONG("min", math, 2, MATH_MIN, NULL),
    INT_AND_LONG("max", math, 2, MATH_MAX, NULL),
    INT_OF_INT_AND_LONG("compare_unsigned", 2, MATH_COMPARE_UNSIGNED, NULL),
    INT_OF_INT_AND_LONG("bit_count", 1, MATH_BIT_COUNT, asm_counts_ones),
    INT_OF_INT_AND_LONG("leading_zeros", 1, MATH_LEADING_ZEROS, NULL),
    INT_OF_INT_AND_LONG("trailing_zeros", 1, MATH_TRAILING_ZEROS, NULL),
    INT_AND_LONG("reverse", math, 1, MATH_REVERSE, NULL),
    INT_AND_LONG("reverse_bytes", math, 1, MATH_REVERSE_BYTES, NULL),
    {"reverse_bytes_char", math, TYPE_INT, 1, TYPE_INT, MATH_REVERSE_CHAR, NULL},
    {"reverse_bytes_short", math, TYPE_INT, 1, TYPE_INT, MATH_REVERSE_SHORT, NULL},
    {"multiply_high", math, TYPE_LONG, 2, TYPE_LONG, MATH_MULTIPLY_HIGH, NULL},
    INT_AND_LONG("rotate_left", rotate, 2, SHIFT_ROL, NULL),
    INT_AND_LONG("rotate_right", rotate, 2, SHIFT_ROR, NULL),
    INT_AND_LONG("add_exact", math_checked, 2, MATH_ADD_EXACT, NULL),
    INT_AND_LONG("increment_exact", step_checked, 1, MATH_ADD_EXACT, NULL),
    INT_AND_LONG("subtract_exact", math_checked, 2, MATH_SUBTRACT_EXACT, NULL),
    INT_AND_LONG("decrement_exact", step_checked, 1, MATH_SUBTRACT_EXACT, NULL),
    INT_AND_LONG("multiply_exact", math_checked, 2, MATH_MULTIPLY_EXACT, NULL),
    INT_AND_LONG("negate_exact", math_checked, 1, MATH_NEGATE_EXACT, NULL),
    {"check_index_int", check_index, TYPE_INT, 2, TYPE_INT, 0, NULL},
    {"check_index_long", check_long_index, TYPE_LONG, 2, TYPE_LONG, MATH_CHECK_INDEX, NULL},
    {"sqrt", math, TYPE_DOUBLE, 1, TYPE_DOUBLE, MATH_SQRT, NULL},
    FLOAT_AND_DOUBLE("abs", math, 1, MATH_ABS, NULL),
    FLOAT_AND_DOUBLE("fma", math_checked, 3, MATH_FMA, asm_fuses),
    FLOAT_AND_DOUBLE("copy_sign", math_checked, 2, MATH_COPY_SIGN, NULL),
    FLOAT_AND_DOUBLE("signum", math, 1, MATH_SIGNUM, NULL),
    {"round_float", math, TYPE_FLOAT, 1, TYPE_INT, MATH_ROUND, asm_rounds},
    {"round", math, TYPE_DOUBLE, 1, TYPE_LONG, MATH_ROUND, asm_rounds},
    {"floor", math, TYPE_DOUBLE, 1, TYPE_DOUBLE, MATH_FLOOR, asm_rounds},
    {"ceil", math, TYPE_DOUBLE, 1, TYPE_DOUBLE, MATH_CEIL, asm_rounds},
    {"rint", math, TYPE_DOUBLE, 1, TYPE_DOUBLE, MATH_RINT, asm_rounds},
    FLOAT_AND_DOUBLE("min", math, 2, MATH_MIN, NULL),
    FLOAT_AND_DOUBLE("max", math, 2, MATH_MAX, NULL),
    {"float_to_int_bits", math, TYPE_FLOAT, 1, TYPE_INT, MATH_FLOAT_BITS, NULL},
    {"double_to_long_bits", math, TYPE_DOUBLE, 1, TYPE_LONG, MATH_FLOAT_BITS, NULL},
    {"same_32_bits", math, TYPE_INT, 1, TYPE_FLOAT, MATH_SAME_BITS, NULL},
    {"same_64_bits", math, TYPE_LONG, 1, TYPE_DOUBLE, MATH_SAME_BITS, NULL},
    {"string_length", text_length, 0, 0, 0, false, NULL},
    {"string_is_empty", text_length, 0, 0, 0, true, NULL},
    {"string_coder", text_coder, 0, 0, 0, false, NULL},
    {"string_is_latin1", text_coder, 0, 0, 0, true, NULL},
    {"string_char_at", text_char_at, 0, 0, 0, 0, NULL},
    {"latin1_char_at", char_in_bytes, 0, 0, 0, false, NULL},
    {"utf16_char_at", char_in_bytes, 0, 0, 0, true, NULL},
    {"utf16_put_char", char_to_bytes, 0, 0, 0, 0, NULL},
    {"object_class", object_class, 0, 0, 0, 0, NULL},
    {"identity_hash", math, TYPE_REF, 1, TYPE_INT, MATH_IDENTITY_HASH, NULL},
    {"current_thread", this_thread, 0, 0, 0, 0, NULL},
};
#undef INT_AND_LONG
#undef INT_OF_INT_AND_LONG
#undef FLOAT_AND_DOUBLE

static const struct form *form_of(const struct method *m) {
    const char *name = m != NULL ? intrinsic_of(m) : NULL;
    for (size_t i = 0; name != NULL && i < ARRAY_LEN(forms); i++)
        if (strcmp(forms[i].name, name) == 0)
            return forms[i].is_possible == NULL || forms[i].is_possible() ? &forms[i] : NULL;
    return NULL;
}

/* ---- C functions ------------------------------------------------------------------------------------------------- */

enum { MOST_OPERANDS = 2 };              /* of call_math                                                           */

/* The function gives nothing but what its operands say, or declines. */
static void call_math(struct builder *b, leaf_function *f, const enum node_type *types, unsigned count,
                      enum node_type gives) {
    struct node n = {.op = NODE_call_math, .type = (uint8_t)gives, .imm = (intptr_t)f, .state = build_state(b)};
    for (unsigned i = count; i-- > 0;) {
        n.in[i] = pop_value(b, types[i]);
        n.detail += is_wide_type((uint8_t)types[i]) ? 2 : 1;
    }
    if (ir_goes_on(b->g)) push_value(b, build_value(b, n));
}

void build_float_remainder(struct builder *b, enum node_type type) {
    const enum node_type types[] = {type, type};
    call_math(b, type == TYPE_FLOAT ? leaf_frem : leaf_drem, types, ARRAY_LEN(types), type);
}

/* Those of its parameters that are few and no references; 0: others are. */
static unsigned few_types(const struct method *m, enum node_type types[MOST_OPERANDS]) {
    unsigned count = 0;
    struct desc_type t;
    struct desc_iter it = desc_begin(m->desc->bytes, m->desc->length);
    if (!(m->access_flags & ACC_STATIC)) return 0;
    for (; desc_next(&it, &t); count++) {
        if (count == MOST_OPERANDS || type_of_kind(t.kind) == TYPE_REF) return 0;
        types[count] = type_of_kind(t.kind);
    }
    return count;
}

/* The function has its arguments from the state; it may read and write whatever it is given. */
static void call_leaf(struct builder *b, const struct method *m, enum node_type gives) {
    const struct place *p = &b->c->places[b->bci];
    struct node n = {.op = NODE_call_leaf, .type = (uint8_t)gives, .detail = p->arguments, .flags = NODE_VOLATILE,
                     .imm = (intptr_t)m->leaf, .state = build_state(b)};
    node_id receiver = b->now[b->g->locals + b->depth - p->arguments];
    if (!(m->access_flags & ACC_STATIC)) n.guard = build_null_check(b, receiver);
    b->depth -= p->arguments;
    node_id result = build_effect(b, n);
    if (gives != TYPE_NONE && ir_goes_on(b->g)) push_value(b, result);
}

static void call_function(struct builder *b, const struct method *m) {
    enum node_type types[MOST_OPERANDS], gives = type_of_kind(b->c->places[b->bci].kind);
    unsigned count = few_types(m, types);
    if (count != 0 && gives != TYPE_NONE) call_math(b, m->leaf, types, count, gives);
    else call_leaf(b, m, gives);
}

/* ---- invocations ------------------------------------------------------------------------------------------------- */

bool is_built_inline(const struct compiler *c) {
    return is_object_init(c) || leaf_called(c) != NULL || access_called(c) != NULL;
}

bool asks_for_class(const struct compiler *c) {
    const struct method *m = leaf_called(c);
    return m != NULL && strcmp(intrinsic_of(m), "class_is_instance") == 0;
}

/* Class.isInstance of a class that is known. */
static bool is_instance(struct builder *b) {
    const struct class *k = asks_for_class(b->c) ? class_known_at(b->g, b->bci) : NULL;
    if (k == NULL) return false;
    node_id o = pop_value(b, TYPE_REF), class = pop_value(b, TYPE_REF);
    if (!ir_goes_on(b->g)) return true;
    (void)build_null_check(b, class);
    push_value(b, build_value(b, (struct node){.op = NODE_instance_of, .type = TYPE_INT, .in = {o},
                                               .imm = (intptr_t)k}));
    return true;
}

void build_watch_check(struct builder *b, uint32_t bits) {
    build_effect(b, (struct node){.op = NODE_check_watch, .flags = NODE_STAYS, .imm = bits, .state = build_state(b)});
}

/* Nothing is called, unless somebody would see that, or the class has finalizers. */
static void object_init(struct builder *b) {
    (void)build_state(b);
    node_id o = pop_value(b, TYPE_REF), guard = build_null_check(b, o);
    if (!ir_goes_on(b->g)) return;
    const struct node *n = node_of(b->g, o);
    bool is_known = n->op == NODE_new_object && !((const struct class *)(uintptr_t)n->imm)->shape.has_finalizer;
    if (!is_known) build_check(b, NODE_check_init, o, 0, guard);
    build_watch_check(b, WATCH_ANY);
}

/* Another function by JNI, of the same method or of one that takes floats for ints: what stands here is not called. */
static void check_leaf(struct builder *b, const struct method *m) {
    if (!(m->access_flags & ACC_NATIVE)) return;
    build_effect(b, (struct node){.op = NODE_check_leaf, .flags = NODE_STAYS, .imm = (intptr_t)m,
                                  .state = build_state(b)});
}

/* Object.hashCode of receivers that have had no other one so far: support.c. */
static bool guessed_hash(struct builder *b, uint8_t op) {
    const struct method *m = op == OP_invokevirtual ? hash_guessed_at(b->g, b->bci) : NULL;
    if (m == NULL) return false;
    (void)build_state(b);
    build_watch_check(b, WATCH_ANY | POLL_LIBRARY);
    check_leaf(b, m);
    if (!ir_goes_on(b->g)) return true;
    node_id o = b->now[b->g->locals + b->depth - 1], guard = build_null_check(b, o);
    build_effect(b, (struct node){.op = NODE_check_callee, .in = {o}, .guard = guard, .imm = (intptr_t)m,
                                  .state = build_state(b)});
    push_math(b, operands_of(b, form_of(m), NODE_math));
    return true;
}

/* same_32_bits and same_64_bits go both ways. */
static struct form as_called(const struct compiler *c, const struct form *f) {
    struct form g = *f;
    char kind = c->places[c->bci].kind;
    if (f->detail != MATH_SAME_BITS || f->build != math || (kind != 'I' && kind != 'J')) return g;
    g.type = f->gives;
    g.gives = f->type;
    return g;
}

bool build_intrinsic(struct builder *b, uint8_t op) {
    struct compiler *c = b->c;
    if (op < OP_invokevirtual || op > OP_invokestatic) return false;
    c->bci = b->bci;
    if (is_object_init(c)) {
        object_init(b);
        return true;
    }
    if (build_access(b) || guessed_hash(b, op)) return true;
    const struct method *m = leaf_called(c);
    if (m == NULL) return false;
    const struct form *f = form_of(m);
    (void)build_state(b);
    build_watch_check(b, WATCH_ANY | POLL_LIBRARY);
    check_leaf(b, m);
    if (is_instance(b) || build_exchange(b, m)) return true;
    if (f == NULL) {
        call_function(b, m);
        return true;
    }
    struct form called = as_called(c, f);
    called.build(b, &called);
    return true;
}
