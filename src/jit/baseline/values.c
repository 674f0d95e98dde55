/* values.c — where operands are while code is being made. Registers are given out as they come; when none is left the
 * oldest operand that has one goes home. */
#include "jit/baseline/compiler.h"

enum { FLOATING_REGISTERS = 0x7fff };    /* all but the scratch register                                           */

struct asm_mem slot_of_local(const struct compiler *c, uint32_t i) {
    return asm_at(REG_FRAME, 8 * ((int32_t)i - (int32_t)c->code->max_locals));
}

struct asm_mem slot_of_operand(uint32_t i) { return asm_at(REG_FRAME, 8 * (int32_t)(FRAME_SLOTS + i)); }

/* ---- registers --------------------------------------------------------------------------------------------------- */

static uint32_t bit_of(unsigned r) { return (uint32_t)1 << r; }
static bool is_floating(unsigned r) { return r >= FIRST_FLOATING; }

/* The loop's register for it, or -1. */
static int kept_register(const struct compiler *c, uint32_t local) {
    const struct loop *l = c->loop;
    for (uint32_t i = 0; l != NULL && i < l->count; i++)
        if (l->kept[i].local == local) return l->kept[i].reg;
    return -1;
}

static bool is_kept(const struct compiler *c, unsigned r) { return c->loop != NULL && c->loop->registers >> r & 1; }

static int holder_of(const struct compiler *c, uint32_t local, bool floating) {
    const uint32_t words = ((uint32_t)1 << FIRST_FLOATING) - 1;
    for (uint32_t left = c->holding & (floating ? ~words : words); left != 0; left &= left - 1) {
        int r = __builtin_ctz(left);
        if (c->holds[r] == local) return r;
    }
    return -1;
}

/* The register has the local variable's value now; or none's. */
static void hold(struct compiler *c, unsigned r, uint32_t local) {
    c->holds[r] = (uint16_t)local;
    c->holding |= bit_of(r);
}
static void hold_none(struct compiler *c, unsigned r) { c->holding &= ~bit_of(r); }

/* One operand more is in the register. */
static void use(struct compiler *c, unsigned r) {
    c->uses[r]++;
    c->used |= bit_of(r);
}

void store_value(struct compiler *c, struct asm_mem m, const struct value *v) {
    int holder = v->kind == LOCAL ? holder_of(c, v->local, false) : -1;
    switch (v->kind) {
    case CONSTANT:
        if (v->constant == (int32_t)v->constant) {
            asm_store_constant(&c->a, W64, m, (int32_t)v->constant);
        } else {
            asm_constant(&c->a, REG_SCRATCH, (uint64_t)v->constant);
            asm_store(&c->a, W64, m, REG_SCRATCH);
        }
        break;
    case LOCAL:
        if (holder < 0) asm_load(&c->a, U64, holder = REG_SCRATCH, slot_of_local(c, v->local));
        asm_store(&c->a, W64, m, (enum asm_reg)holder);
        break;
    case REGISTER: asm_store(&c->a, W64, m, v->reg); break;
    case FLOATING: asm_float_store(&c->a, v->float_type, m, v->reg - FIRST_FLOATING); break;
    default: break;
    }
}

static void release(struct compiler *c, const struct value *v) {
    if ((v->kind == REGISTER || v->kind == FLOATING) && --c->uses[v->reg] == 0) c->used &= ~bit_of(v->reg);
}

static void go_home(struct compiler *c, uint32_t i) {
    struct value *v = &c->stack[i];
    if (v->kind == IN_SLOT || v->kind == UPPER) return;
    store_value(c, slot_of_operand(i), v);
    release(c, v);
    v->kind = IN_SLOT;
    c->leave_is_current = false;
}

/* One of `set` that nothing is in; rather one without a local's value. */
static int free_register(const struct compiler *c, uint32_t set) {
    uint32_t unused = set & ~c->pinned & ~c->used, empty = unused & ~c->holding;
    return unused == 0 ? -1 : __builtin_ctz(empty != 0 ? empty : unused);
}

static unsigned take_of(struct compiler *c, uint32_t set) {
    if (c->loop != NULL) set &= ~c->loop->registers;
    int r = free_register(c, set);
    for (uint32_t i = 0; r < 0 && i < c->depth; i++) {
        const struct value *v = &c->stack[i];
        if ((v->kind != REGISTER && v->kind != FLOATING) || c->pinned & bit_of(v->reg) || !(set & bit_of(v->reg)))
            continue;
        go_home(c, i);
        r = free_register(c, set);
    }
    vm_assert(r >= 0, "an instruction needs more registers than there are");
    hold_none(c, (unsigned)r);
    c->not_null &= ~bit_of((unsigned)r);
    c->pinned |= bit_of((unsigned)r);
    return (unsigned)r;
}

enum asm_reg take_register(struct compiler *c) { return (enum asm_reg)take_of(c, ASM_VALUE_REGISTERS); }
unsigned take_floating(struct compiler *c) {
    return take_of(c, (uint32_t)FLOATING_REGISTERS << FIRST_FLOATING) - FIRST_FLOATING;
}

/* What is in r, which is pinned or kept, moves to another register, which is not: it may go home for the sake of the
 * next. */
static void move_from(struct compiler *c, unsigned r) {
    bool not_null = c->not_null & bit_of(r);
    hold_none(c, r);
    c->not_null &= ~bit_of(r);
    if (c->uses[r] == 0) return;
    unsigned other = is_floating(r) ? FIRST_FLOATING + take_floating(c) : (unsigned)take_register(c);
    if (is_floating(r)) asm_float_move(&c->a, other - FIRST_FLOATING, r - FIRST_FLOATING);
    else asm_move(&c->a, W64, other, r);
    if (not_null) c->not_null |= bit_of(other);
    for (uint32_t i = 0; i < c->depth; i++) {
        struct value *v = &c->stack[i];
        if ((v->kind == REGISTER || v->kind == FLOATING) && v->reg == r) v->reg = (uint8_t)other;
    }
    c->uses[other] = c->uses[r];
    c->uses[r] = 0;
    c->used = (c->used | bit_of(other)) & ~bit_of(r);
    c->pinned &= ~bit_of(other);
    c->leave_is_current = false;
}

void take_these(struct compiler *c, uint32_t set) {
    vm_assert(!(c->pinned & set), "a register is in hand already");
    c->pinned |= set;
    for (; set != 0; set &= set - 1) move_from(c, (unsigned)__builtin_ctz(set));
}

static void forget_local(struct compiler *c, uint32_t i) {
    for (uint32_t left = c->holding; left != 0; left &= left - 1) {
        unsigned r = (unsigned)__builtin_ctz(left);
        if (c->holds[r] == i) hold_none(c, r);
    }
}

/* ---- operands where an instruction wants them -------------------------------------------------------------------- */

static void now_in(struct compiler *c, struct value *v, unsigned r) {
    release(c, v);
    v->kind = is_floating(r) ? FLOATING : REGISTER;
    v->reg = (uint8_t)r;
    use(c, r);
    c->pinned |= bit_of(r);
    c->leave_is_current = false;
}

static bool is_this(const struct compiler *c, const struct value *v) {
    return v->kind == LOCAL && v->local == 0 && c->keeps_this;
}

static struct asm_mem memory_of(const struct compiler *c, const struct value *v) {
    return v->kind == LOCAL ? slot_of_local(c, v->local) : slot_of_operand((uint32_t)(v - c->stack));
}

static void load_constant(struct compiler *c, enum asm_reg r, int64_t v) {
    if (v == 0) asm_zero(&c->a, r);
    else asm_constant(&c->a, r, (uint64_t)v);
}

enum asm_reg in_register(struct compiler *c, uint32_t from_top) {
    struct value *v = operand_at(c, from_top);
    int holder = v->kind == LOCAL ? holder_of(c, v->local, false) : -1;
    if (v->kind == REGISTER) {
        c->pinned |= bit_of(v->reg);
    } else if (holder >= 0) {
        now_in(c, v, (unsigned)holder);
    } else {
        enum asm_reg r = take_register(c);
        if (v->kind == CONSTANT) {
            load_constant(c, r, v->constant);
        } else if (v->kind == FLOATING) {
            asm_float_to_word(&c->a, v->float_type == F32 ? W32 : W64, r, v->reg - FIRST_FLOATING);
        } else {
            asm_load(&c->a, U64, r, memory_of(c, v));
            if (v->kind == LOCAL) hold(c, r, v->local);
            if (is_this(c, v)) c->not_null |= bit_of(r);
        }
        now_in(c, v, r);
    }
    return v->reg;
}

static void load_floating(struct compiler *c, enum asm_float_type t, unsigned x, const struct value *v) {
    enum asm_width w = t == F32 ? W32 : W64;
    if (v->kind == CONSTANT && v->constant == 0) {
        asm_float_bits(&c->a, FLOAT_XOR, x, x);
    } else if (v->kind == CONSTANT) {
        asm_constant(&c->a, REG_SCRATCH, (uint64_t)v->constant);
        asm_float_from_word(&c->a, w, x, REG_SCRATCH);
    } else if (v->kind == REGISTER) {
        asm_float_from_word(&c->a, w, x, v->reg);
    } else {
        asm_float_load(&c->a, t, x, memory_of(c, v));
    }
}

unsigned in_floating(struct compiler *c, enum asm_float_type t, uint32_t from_top) {
    struct value *v = operand_at(c, from_top);
    int holder = v->kind == LOCAL ? holder_of(c, v->local, true) : -1;
    if (v->kind == FLOATING) {
        c->pinned |= bit_of(v->reg);
    } else if (holder >= 0) {
        now_in(c, v, (unsigned)holder);
    } else {
        unsigned x = take_floating(c);
        load_floating(c, t, x, v);
        if (v->kind == LOCAL) hold(c, FIRST_FLOATING + x, v->local);
        now_in(c, v, FIRST_FLOATING + x);
    }
    v->float_type = t;
    return v->reg - FIRST_FLOATING;
}

enum asm_reg own_register(struct compiler *c, uint32_t from_top) {
    enum asm_reg r = in_register(c, from_top), copy;
    if (c->uses[r] > 1 || is_kept(c, r)) {
        copy = take_register(c);
        asm_move(&c->a, W64, copy, r);
        now_in(c, operand_at(c, from_top), copy);
        r = copy;
    }
    hold_none(c, r);
    c->not_null &= ~bit_of(r);
    return r;
}

enum asm_reg register_of(const struct compiler *c, uint32_t from_top) {
    const struct value *v = &c->stack[c->depth - from_top];
    if (v->kind == REGISTER) return (enum asm_reg)v->reg;
    return v->kind == LOCAL ? (enum asm_reg)holder_of(c, v->local, false) : REG_NONE;
}

bool may_be_null(const struct compiler *c, uint32_t from_top) {
    enum asm_reg r = register_of(c, from_top);
    return !is_this(c, &c->stack[c->depth - from_top]) && (r == REG_NONE || !(c->not_null & bit_of(r)));
}

void load_operand(struct compiler *c, enum asm_reg r, uint32_t from_top) {
    const struct value *v = operand_at(c, from_top);
    int holder = v->kind == LOCAL ? holder_of(c, v->local, false) : v->kind == REGISTER ? v->reg : -1;
    if (holder >= 0) asm_move(&c->a, W64, r, (enum asm_reg)holder);
    else if (v->kind == CONSTANT) load_constant(c, r, v->constant);
    else asm_load(&c->a, U64, r, memory_of(c, v));
}

unsigned own_floating(struct compiler *c, enum asm_float_type t, uint32_t from_top) {
    unsigned x = in_floating(c, t, from_top), copy;
    if (c->uses[FIRST_FLOATING + x] > 1 || is_kept(c, FIRST_FLOATING + x)) {
        copy = take_floating(c);
        asm_float_move(&c->a, copy, x);
        now_in(c, operand_at(c, from_top), FIRST_FLOATING + copy);
        operand_at(c, from_top)->float_type = t;
        x = copy;
    }
    hold_none(c, FIRST_FLOATING + x);
    return x;
}

struct asm_mem in_memory(struct compiler *c, uint32_t from_top) {
    const struct value *v = operand_at(c, from_top);
    bool is = v->kind == IN_SLOT ||
              (v->kind == LOCAL && holder_of(c, v->local, false) < 0 && holder_of(c, v->local, true) < 0);
    return is ? memory_of(c, v) : asm_at(REG_NONE, 0);
}

/* ---- the stack --------------------------------------------------------------------------------------------------- */

void drop(struct compiler *c, uint32_t slots) {
    for (; slots != 0; slots--) {
        release(c, &c->stack[--c->depth]);
        c->leave_is_current = false;
    }
}

static void push(struct compiler *c, struct value v) {
    if (v.kind == REGISTER || v.kind == FLOATING) use(c, v.reg);
    c->stack[c->depth++] = v;
    c->leave_is_current = false;
}

void push_register(struct compiler *c, enum asm_reg r) { push(c, (struct value){.kind = REGISTER, .reg = (uint8_t)r}); }
void push_floating(struct compiler *c, enum asm_float_type t, unsigned x) {
    push(c, (struct value){.kind = FLOATING, .reg = (uint8_t)(FIRST_FLOATING + x), .float_type = (uint8_t)t});
}
void push_constant(struct compiler *c, int64_t v) { push(c, (struct value){.kind = CONSTANT, .constant = v}); }
void push_local(struct compiler *c, uint32_t i) { push(c, (struct value){.kind = LOCAL, .local = (uint16_t)i}); }
void push_upper(struct compiler *c) { push(c, (struct value){.kind = UPPER}); }

/* What is at home cannot be anywhere else's value: it moves to a register. */
struct value hold_value(struct compiler *c, uint32_t from_top) {
    if (operand_at(c, from_top)->kind == IN_SLOT) (void)in_register(c, from_top);
    struct value v = *operand_at(c, from_top);
    if (v.kind == REGISTER || v.kind == FLOATING) use(c, v.reg);
    return v;
}
void push_held(struct compiler *c, struct value v) { push(c, v); }
void drop_held(struct compiler *c, struct value v) { release(c, &v); }

/* The local variable changes: operands that are its value until now keep it elsewhere. */
static void part_from_local(struct compiler *c, uint32_t i) {
    for (uint32_t k = 1; k <= c->depth; k++)
        if (operand_at(c, k)->kind == LOCAL && operand_at(c, k)->local == i) (void)in_register(c, k);
    int kept = kept_register(c, i);
    if (kept < 0 || c->uses[kept] == 0) return;
    move_from(c, (unsigned)kept);
    hold(c, (unsigned)kept, i);
}

/* ... to v, in a register or a constant, and so does the loop's register for it. */
static void set_kept(struct compiler *c, unsigned kept, const struct value *v) {
    unsigned x = kept - FIRST_FLOATING, from = v->reg - FIRST_FLOATING;
    bool not_null = v->kind == REGISTER && c->not_null & bit_of(v->reg);
    if (is_floating(kept) && v->kind == FLOATING) asm_float_move(&c->a, x, from);
    else if (is_floating(kept)) load_floating(c, F64, x, v);
    else if (v->kind == CONSTANT) load_constant(c, (enum asm_reg)kept, v->constant);
    else if (v->kind == REGISTER) asm_move(&c->a, W64, (enum asm_reg)kept, v->reg);
    else asm_float_to_word(&c->a, v->float_type == F32 ? W32 : W64, (enum asm_reg)kept, from);
    c->not_null &= ~bit_of(kept);
    if (not_null) c->not_null |= bit_of(kept);
}

void store_local(struct compiler *c, uint32_t i, uint32_t slots) {
    part_from_local(c, i);
    struct value *v = operand_at(c, slots);
    if (v->kind == IN_SLOT || v->kind == LOCAL) (void)in_register(c, slots);
    forget_local(c, i);
    store_value(c, slot_of_local(c, i), v);
    int kept = kept_register(c, i);
    if (kept >= 0) set_kept(c, (unsigned)kept, v);
    if (kept >= 0) hold(c, (unsigned)kept, i);
    else if ((v->kind == REGISTER || v->kind == FLOATING) && !is_kept(c, v->reg)) hold(c, v->reg, i);
    drop(c, slots);
}

enum asm_reg take_local(struct compiler *c, uint32_t i) {
    part_from_local(c, i);
    int holder = holder_of(c, i, false);
    if (holder >= 0 && c->uses[holder] == 0) {
        c->pinned |= bit_of((unsigned)holder);
        c->not_null &= ~bit_of((unsigned)holder);
        return (enum asm_reg)holder;
    }
    enum asm_reg r = take_register(c);
    if (holder >= 0) asm_move(&c->a, W64, r, (enum asm_reg)holder);
    else asm_load(&c->a, U64, r, slot_of_local(c, i));
    return r;
}

void keep_local(struct compiler *c, uint32_t i, enum asm_reg r) {
    forget_local(c, i);
    asm_store(&c->a, W64, slot_of_local(c, i), r);
    int kept = kept_register(c, i);
    if (kept >= 0 && kept != (int)r) asm_move(&c->a, W64, (enum asm_reg)kept, r);
    hold(c, kept >= 0 ? (unsigned)kept : (unsigned)r, i);
}

void flush_operands(struct compiler *c, uint32_t but) {
    for (uint32_t i = 0; i + but < c->depth; i++) go_home(c, i);
}

static void forget(struct compiler *c, uint32_t but) {
    memset(c->uses, 0, sizeof c->uses);
    c->holding &= but;
    c->used = c->pinned = c->not_null = 0;
    c->leave_is_current = false;
}

void forget_registers(struct compiler *c) { forget(c, 0); }
void forget_operands(struct compiler *c) { forget(c, c->loop != NULL ? c->loop->registers : 0); }

void begin_block(struct compiler *c, uint32_t depth) {
    for (uint32_t i = 0; i < depth; i++) c->stack[i].kind = IN_SLOT;
    forget_registers(c);
    c->depth = depth;
}
