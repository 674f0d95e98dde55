/* stack_map.c — which slots of a frame hold references at a position of a method's bytecode.
 *
 *     verified class file with StackMapTable --> frame at or before the position --+--> follow the straight line
 *     anything else --> data flow, once per method --> start of its basic block ---+    to the position
 *
 * A state is one bit per slot: a reference or not. Where paths meet, a slot is a reference if it is one on all of them:
 * verified code cannot use any other. Subroutines (jsr, ret) are the exception: a local that they leave alone keeps its
 * meaning for the caller. Their code has one state per chain of callers, and the return addresses lying in the frame
 * tell which one applies.
 *
 * Tools ask more of a local: whether it holds a value at all. Only for them the state has two bit vectors more, `held`
 * (a value begins in this local) and `second` (the second half of one lies there); the collector's has not. */
#include "exec/stack_map.h"

#include "base/alloc.h"
#include "base/base.h"
#include "classfile/descriptor.h"
#include "exec/exec_internal.h"

enum { MAX_ADDRESSES = 8 };    /* return addresses in one state: nesting of subroutines, plus copies */

/* A return address lies in this slot. */
struct address {
    uint32_t slot, target;
};

struct simulation {
    const struct method_code *code;
    const struct classfile *cf;
    const uint8_t *bytes;    /* original instructions */
    uint32_t length;
    uint32_t locals, top, limit;    /* slots: operands are [locals, top) */
    uint64_t *refs;    /* bits of [0, top); those above are undefined */
    uint64_t *held, *second;             /* bits of [0, locals), behind refs; NULL: nobody asks */
    uint32_t address_count;
    struct address addresses[MAX_ADDRESSES];
    bool stored;    /* a local has changed */
    bool broken;    /* the code is not what a verifier lets pass */
};

static void simulation_init(struct simulation *sim, const struct method_code *code, uint64_t *refs) {
    *sim = (struct simulation){.code = code,
                               .cf = code_cf(code),
                               .bytes = code_source(code)->code,
                               .length = code_source(code)->code_length,
                               .locals = code->max_locals,
                               .top = code->max_locals,
                               .limit = (uint32_t)code->max_locals + code->max_stack,
                               .refs = refs};
}

/* `refs` has room for STACK_MAP_PARTS vectors, and what locals hold is followed too. */
static void simulate_values(struct simulation *sim, uint32_t words) {
    sim->held = sim->refs + STACK_MAP_HELD * words;
    sim->second = sim->refs + STACK_MAP_SECOND * words;
}

/* ---- slots ------------------------------------------------------------------------------------------------------- */

static inline bool bit(const uint64_t *bits, uint32_t i) { return bits[i >> 6] >> (i & 63) & 1; }
static inline void set_bit(uint64_t *bits, uint32_t i, bool on) {
    uint64_t mask = (uint64_t)1 << (i & 63);
    bits[i >> 6] = on ? bits[i >> 6] | mask : bits[i >> 6] & ~mask;
}

static void clear_from(uint64_t *bits, uint32_t i, uint32_t words) {
    uint32_t w = i >> 6;
    if (w >= words) return;
    bits[w] &= ((uint64_t)1 << (i & 63)) - 1;
    memset(bits + w + 1, 0, (words - w - 1) * sizeof *bits);
}

/* The return address in a slot, 0 for none. */
static uint32_t address_in(const struct simulation *sim, uint32_t slot) {
    for (uint32_t i = 0; i < sim->address_count; i++)
        if (sim->addresses[i].slot == slot) return sim->addresses[i].target;
    return 0;
}

static void set_address(struct simulation *sim, uint32_t slot, uint32_t target) {
    for (uint32_t i = 0; i < sim->address_count; i++)
        if (sim->addresses[i].slot == slot) sim->addresses[i--] = sim->addresses[--sim->address_count];
    if (target == 0) return;
    if (sim->address_count == MAX_ADDRESSES) sim->broken = true;
    else sim->addresses[sim->address_count++] = (struct address){slot, target};
}

/* What a slot holds: a reference, a return address (`target`), or neither. */
struct value {
    bool ref;
    uint32_t target;
};

static struct value get(const struct simulation *sim, uint32_t slot) {
    return (struct value){bit(sim->refs, slot), UNLIKELY(sim->address_count != 0) ? address_in(sim, slot) : 0};
}

static void set(struct simulation *sim, uint32_t slot, struct value v) {
    set_bit(sim->refs, slot, v.ref);
    if (UNLIKELY(sim->address_count != 0 || v.target != 0)) set_address(sim, slot, v.target);
}

static void push_value(struct simulation *sim, struct value v) {
    if (UNLIKELY(sim->top >= sim->limit)) sim->broken = true;
    else set(sim, sim->top++, v);
}

static inline void push(struct simulation *sim, bool ref) { push_value(sim, (struct value){ref, 0}); }

/* By the letter of a descriptor, or of the table of opcodes. */
static void push_kind(struct simulation *sim, char kind) {
    switch (kind) {
    case 'V': break;
    case 'A': case 'L': case '[': push(sim, true); break;
    case 'J': case 'D':
        push(sim, false);
        push(sim, false);
        break;
    default: push(sim, false); break;
    }
}

static void pop(struct simulation *sim, uint32_t n) {
    if (UNLIKELY(sim->top - sim->locals < n)) {
        sim->broken = true;
        n = sim->top - sim->locals;
    }
    sim->top -= n;
    for (uint32_t i = 0; i < sim->address_count; i++)
        if (sim->addresses[i].slot >= sim->top) sim->addresses[i--] = sim->addresses[--sim->address_count];
}

/* A local that is overwritten takes the other half of its value with it. */
static void release(struct simulation *sim, uint32_t local) {
    if (bit(sim->second, local)) set_bit(sim->held, local - 1, false);
    if (local + 1 < sim->locals) set_bit(sim->second, local + 1, false);
    set_bit(sim->held, local, false);
    set_bit(sim->second, local, false);
}

static void hold(struct simulation *sim, uint32_t local, uint32_t slots) {
    release(sim, local);
    if (slots == 2) release(sim, local + 1);
    set_bit(sim->held, local, true);
    if (slots == 2) set_bit(sim->second, local + 1, true);
}

static void store(struct simulation *sim, uint32_t local, uint32_t slots) {
    if (local + slots > sim->locals || sim->top - sim->locals < slots) {
        sim->broken = true;
        return;
    }
    struct value v = get(sim, sim->top - slots);
    pop(sim, slots);
    set(sim, local, v);
    if (slots == 2) set(sim, local + 1, (struct value){false, 0});
    if (UNLIKELY(sim->held != NULL)) hold(sim, local, slots);
    sim->stored = true;
}

/* dup and its relatives: the top `count` slots go once more below the `under` slots beneath them. */
static void duplicate(struct simulation *sim, uint32_t count, uint32_t under) {
    struct value moved[4];
    uint32_t n = count + under;
    if (sim->top - sim->locals < n) {
        sim->broken = true;
        return;
    }
    for (uint32_t i = 0; i < n; i++) moved[i] = get(sim, sim->top - n + i);
    sim->top -= n;
    for (uint32_t i = 0; i < count; i++) push_value(sim, moved[under + i]);
    for (uint32_t i = 0; i < n; i++) push_value(sim, moved[i]);
}

static void exchange(struct simulation *sim) {
    if (sim->top - sim->locals < 2) {
        sim->broken = true;
        return;
    }
    struct value above = get(sim, sim->top - 1), below = get(sim, sim->top - 2);
    set(sim, sim->top - 2, above);
    set(sim, sim->top - 1, below);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* Descriptor of a member, Dynamic or InvokeDynamic entry: the bytes in the file, since nothing may be interned here. */
static struct span descriptor(const struct classfile *cf, uint16_t index) {
    return cp_utf8(cf, cp_nat_desc_index(cf, cp_ref_nat_index(cf, index)));
}

static bool has_descriptor(const struct classfile *cf, uint16_t index) {
    uint8_t tag = cp_tag(cf, index);
    return tag == CP_Fieldref || tag == CP_Methodref || tag == CP_InterfaceMethodref || tag == CP_InvokeDynamic ||
           tag == CP_Dynamic;
}

/* Slots of the arguments of a valid method descriptor; *result is the letter of its return type. */
static uint32_t argument_slots(struct span desc, char *result) {
    const uint8_t *p = desc.data + 1, *end = desc.data + desc.size;
    uint32_t slots = 0;
    while (p < end && *p != ')') {
        slots += *p == 'J' || *p == 'D' ? 2 : 1;
        while (p < end && *p == '[') p++;
        if (p < end && *p == 'L') {
            const uint8_t *semicolon = memchr(p, ';', (size_t)(end - p));
            p = semicolon ? semicolon : end;
        }
        if (p < end) p++;
    }
    *result = p + 1 < end ? (char)p[1] : 'V';
    return slots;
}

static void load_constant(struct simulation *sim, uint16_t index) {
    switch (cp_tag(sim->cf, index)) {
    case CP_Integer: case CP_Float: push(sim, false); break;
    case CP_Long: case CP_Double: push_kind(sim, 'J'); break;
    case CP_Dynamic: push_kind(sim, (char)descriptor(sim->cf, index).data[0]); break;
    default: push(sim, true); break;
    }
}

static void access_field(struct simulation *sim, uint8_t op, uint16_t index) {
    if (!has_descriptor(sim->cf, index)) {
        sim->broken = true;
        return;
    }
    char kind = (char)descriptor(sim->cf, index).data[0];
    if (op == OP_getfield) pop(sim, 1);
    if (op == OP_putfield || op == OP_putstatic) pop(sim, (uint32_t)desc_kind_slots(kind) + (op == OP_putfield));
    else push_kind(sim, kind);
}

static void invoke(struct simulation *sim, uint8_t op, uint16_t index) {
    if (!has_descriptor(sim->cf, index)) {
        sim->broken = true;
        return;
    }
    char result;
    uint32_t slots = argument_slots(descriptor(sim->cf, index), &result);
    pop(sim, slots + (op != OP_invokestatic && op != OP_invokedynamic));
    push_kind(sim, result);
}

static uint32_t local_operand(const uint8_t *p) { return p[0] == OP_wide ? op_u2(p + 2) : p[1]; }

/* The effect of the instruction at bci, jumps apart. */
static void execute(struct simulation *sim, uint32_t bci) {
    const uint8_t *p = sim->bytes + bci;
    uint8_t op = p[0] == OP_wide ? p[1] : p[0];
    switch (op) {
    case OP_istore: case OP_fstore: case OP_astore: store(sim, local_operand(p), 1); return;
    case OP_lstore: case OP_dstore: store(sim, local_operand(p), 2); return;
    case OP_istore_0: case OP_istore_1: case OP_istore_2: case OP_istore_3:
    case OP_fstore_0: case OP_fstore_1: case OP_fstore_2: case OP_fstore_3:
    case OP_astore_0:
    case OP_astore_1:
    case OP_astore_2:
    case OP_astore_3: store(sim, (op - OP_istore_0) & 3, 1); return;
    case OP_lstore_0: case OP_lstore_1: case OP_lstore_2: case OP_lstore_3:
    case OP_dstore_0:
    case OP_dstore_1:
    case OP_dstore_2:
    case OP_dstore_3: store(sim, (op - OP_lstore_0) & 3, 2); return;
    case OP_ldc: load_constant(sim, p[1]); return;
    case OP_ldc_w: case OP_ldc2_w: load_constant(sim, op_u2(p + 1)); return;
    case OP_getstatic:
    case OP_putstatic:
    case OP_getfield:
    case OP_putfield: access_field(sim, op, op_u2(p + 1)); return;
    case OP_invokevirtual: case OP_invokespecial: case OP_invokestatic: case OP_invokeinterface: case OP_invokedynamic:
        invoke(sim, op, op_u2(p + 1));
        return;
    case OP_multianewarray:
        pop(sim, p[3]);
        push(sim, true);
        return;
    case OP_dup: duplicate(sim, 1, 0); return;
    case OP_dup_x1: duplicate(sim, 1, 1); return;
    case OP_dup_x2: duplicate(sim, 1, 2); return;
    case OP_dup2: duplicate(sim, 2, 0); return;
    case OP_dup2_x1: duplicate(sim, 2, 1); return;
    case OP_dup2_x2: duplicate(sim, 2, 2); return;
    case OP_swap: exchange(sim); return;
    case OP_jsr: case OP_jsr_w: push_value(sim, (struct value){false, bci + opcode_lengths[op]}); return;
    default: {
        uint32_t popped = 0;
        for (const char *t = opcode_pops[op]; *t; t++) popped += *t == 'J' || *t == 'D' ? 2 : 1;
        pop(sim, popped);
        for (const char *t = opcode_pushes[op]; *t; t++) push_kind(sim, *t);
        return;
    }
    }
}

/* Nothing follows on this instruction directly. */
static bool ends_line(const uint8_t *p) {
    switch (*p) {
    case OP_goto:
    case OP_goto_w:
    case OP_jsr:
    case OP_jsr_w:
    case OP_ret:
    case OP_tableswitch:
    case OP_lookupswitch:
    case OP_athrow:
    case OP_ireturn: case OP_lreturn: case OP_freturn: case OP_dreturn: case OP_areturn: case OP_return: return true;
    case OP_wide: return p[1] == OP_ret;
    default: return false;
    }
}

/* Straight on from `at`; false when the line ends before bci. */
static bool follow_line(struct simulation *sim, uint32_t at, uint32_t bci) {
    while (at < bci && !sim->broken) {
        uint32_t length = opcode_length(sim->bytes, at, sim->length);
        if (length == 0 || ends_line(sim->bytes + at)) return false;
        execute(sim, at);
        at += length;
    }
    return at == bci && !sim->broken;
}

/* The state at a method's entry. Returns the locals in use. */
static uint32_t enter(struct simulation *sim, uint64_t *second_halves) {
    const struct cf_member *m = sim->code->member;
    uint32_t n = 0, words = (sim->limit + 63) / 64;
    memset(sim->refs, 0, (sim->held ? STACK_MAP_PARTS : 1) * words * sizeof *sim->refs);
    sim->top = sim->locals;
    if (!(m->access_flags & ACC_STATIC) && sim->locals > 0) {
        if (sim->held) hold(sim, n, 1);
        set_bit(sim->refs, n++, true);
    }
    const struct symbol *desc = cf_member_desc(sim->cf, m);
    struct desc_iter it = desc_begin(desc->bytes, desc->length);
    for (struct desc_type t; desc_next(&it, &t);) {
        uint32_t slots = (uint32_t)desc_kind_slots(t.kind);
        if (n + slots > sim->locals) {
            sim->broken = true;
            return n;
        }
        if (sim->held) hold(sim, n, slots);
        if (t.kind == 'L' || t.kind == '[') set_bit(sim->refs, n, true);
        else if (slots == 2 && second_halves) set_bit(second_halves, n + 1, true);
        n += slots;
    }
    return n;
}

/* ---- the StackMapTable ------------------------------------------------------------------------------------------- */

struct table {
    const uint8_t *p, *end;
    struct simulation *sim;
    uint32_t used;    /* locals that the frames so far declare */
    uint64_t *second_halves;    /* bits by local: belongs to the entry before */
};

static uint32_t take1(struct table *t) {
    if (t->p < t->end) return *t->p++;
    t->sim->broken = true;
    return 0;
}
static uint32_t take2(struct table *t) {
    uint32_t high = take1(t);
    return high << 8 | take1(t);
}

/* One verification_type_info into slot *at, which must stay below limit. */
static void take_type(struct table *t, uint32_t *at, uint32_t limit, uint64_t *second_halves) {
    enum { TYPE_TOP = 0, TYPE_DOUBLE = 3, TYPE_LONG = 4, TYPE_NULL = 5, TYPE_OBJECT = 7, TYPE_UNINITIALIZED = 8 };
    uint32_t type = take1(t), slots = type == TYPE_DOUBLE || type == TYPE_LONG ? 2 : 1;
    if (type == TYPE_OBJECT || type == TYPE_UNINITIALIZED) take2(t);
    if (type > TYPE_UNINITIALIZED || *at + slots > limit) {
        t->sim->broken = true;
        return;
    }
    set_bit(t->sim->refs, *at, type >= TYPE_NULL);
    if (t->sim->held && *at < t->sim->locals) {
        if (type == TYPE_TOP) release(t->sim, *at);
        else hold(t->sim, *at, slots);
    }
    if (second_halves) set_bit(second_halves, *at, false);
    if (slots == 2) {
        set_bit(t->sim->refs, *at + 1, false);
        if (second_halves) set_bit(second_halves, *at + 1, true);
    }
    *at += slots;
}

static void take_locals(struct table *t, uint32_t entries) {
    while (entries-- > 0 && !t->sim->broken) take_type(t, &t->used, t->sim->locals, t->second_halves);
}

static void take_operands(struct table *t, uint32_t entries) {
    while (entries-- > 0 && !t->sim->broken) take_type(t, &t->sim->top, t->sim->limit, NULL);
}

static void chop(struct table *t, uint32_t entries) {
    for (; entries > 0; entries--) {
        if (t->used == 0) {
            t->sim->broken = true;
            return;
        }
        t->used--;
        if (bit(t->second_halves, t->used) && t->used > 0) t->used--;
        set_bit(t->sim->refs, t->used, false);
        if (t->sim->held) release(t->sim, t->used);
    }
}

static void take_frame(struct table *t, uint32_t tag) {
    struct simulation *sim = t->sim;
    sim->top = sim->locals;
    if ((tag >= 64 && tag < 128) || tag == 247) {
        take_operands(t, 1);
    } else if (tag >= 248 && tag <= 250) {
        chop(t, 251 - tag);
    } else if (tag >= 252 && tag <= 254) {
        take_locals(t, tag - 251);
    } else if (tag == 255) {
        uint32_t before = t->used;
        t->used = 0;
        take_locals(t, take2(t));
        for (uint32_t i = t->used; i < before; i++) {
            set_bit(sim->refs, i, false);
            if (sim->held) release(sim, i);
        }
        take_operands(t, take2(t));
    } else if (tag >= 128 && tag < 247) {
        sim->broken = true;
    }
}

/* Brings the simulation to the last frame at or before bci; returns its position. */
static uint32_t nearest_frame(struct simulation *sim, uint32_t bci) {
    struct span attribute = cf_attribute(sim->cf, code_source(sim->code)->stack_map);
    uint32_t words = sim->locals / 64 + 1;
    uint64_t second_halves[words];
    memset(second_halves, 0, words * sizeof *second_halves);
    struct table t = {attribute.data, attribute.data + attribute.size, sim, enter(sim, second_halves), second_halves};
    if (attribute.size < 2) return 0;
    uint32_t at = 0;
    for (uint32_t i = 0, count = take2(&t); i < count && !sim->broken; i++) {
        uint32_t tag = take1(&t);
        uint32_t next = (i == 0 ? 0 : at + 1) + (tag < 64 ? tag : tag < 128 ? tag - 64 : take2(&t));
        if (next > bci) break;
        take_frame(&t, tag);
        at = next;
    }
    return at;
}

static int by_table(const struct method_code *code, uint32_t bci, uint64_t *bits, bool values) {
    struct simulation sim;
    simulation_init(&sim, code, bits);
    if (values) simulate_values(&sim, stack_map_words(code));
    uint32_t at = nearest_frame(&sim, bci);
    if (sim.broken || !follow_line(&sim, at, bci)) return -1;
    clear_from(bits, sim.top, stack_map_words(code));
    return (int)(sim.top - sim.locals);
}

int stack_map_by_table(const struct method_code *code, uint32_t bci, uint64_t *bits) {
    return by_table(code, bci, bits, false);
}

/* ---- data flow --------------------------------------------------------------------------------------------------- */

/* Which subroutines are running: the return addresses of the jsr instructions that led here. NULL: none. */
struct context {
    struct context *parent, *next;    /* next: of all contexts */
    uint32_t target;
};

/* State at the start of a basic block, in one context. */
struct entry {
    struct entry *next;    /* of the same block */
    struct entry *next_pending;
    struct context *context;
    uint32_t bci, top;
    uint32_t address_count;
    bool pending;
    struct address addresses[MAX_ADDRESSES];
    uint64_t refs[];
};

struct flow {
    struct simulation sim;
    struct arena *arena;
    uint32_t words, size;                /* of the references, and of all that a state knows */
    uint8_t *leaders;    /* by bci: a basic block starts here */
    struct entry **blocks;    /* by bci */
    struct entry *pending;
    struct context *contexts;
    size_t bytes;
    bool no_memory;
};

enum { MAX_FLOW_BYTES = 64 << 20 };    /* for one method: many nested subroutines multiply */

/* What data flow leaves behind, in one block of memory: the states at the starts of blocks, by position. */
struct stack_maps {
    uint32_t count, words, size;         /* size: words of a state */
    bool broken;
    struct start {
        uint32_t bci;
        int32_t depth;    /* -1: never reached */
        uint32_t address_count, first_address;
    } *starts;
    uint64_t *refs;                      /* `size` words per start */
    struct address *addresses;
};

static void *flow_alloc(struct flow *f, size_t size) {
    f->bytes += size;
    void *p = arena_alloc(f->arena, size);
    if (p == NULL) f->no_memory = true;
    if (f->bytes > MAX_FLOW_BYTES) f->sim.broken = true;
    return p;
}

/* What all paths agree on; whether there was less of it than before. */
static bool merge_values(struct simulation *sim, struct entry *e, uint32_t words) {
    uint64_t *held = e->refs + STACK_MAP_HELD * words, *second = e->refs + STACK_MAP_SECOND * words;
    bool changed = false;
    for (uint32_t i = 0; i < sim->locals; i++) {
        bool wide = i + 1 < sim->locals && bit(second, i + 1);
        if (!bit(held, i)) continue;
        bool wide_here = i + 1 < sim->locals && bit(sim->second, i + 1);
        if (bit(sim->held, i) && bit(sim->refs, i) == bit(e->refs, i) && wide_here == wide) continue;
        set_bit(held, i, false);
        if (wide) set_bit(second, i + 1, false);
        changed = true;
    }
    return changed;
}

/* The context of the subroutine that returns to `target`, with these callers. NULL: no memory. */
static struct context *context_of(struct flow *f, struct context *caller, uint32_t target) {
    for (struct context *c = f->contexts; c != NULL; c = c->next)
        if (c->parent == caller && c->target == target) return c;
    struct context *c = flow_alloc(f, sizeof *c);
    if (c == NULL) return NULL;
    *c = (struct context){caller, f->contexts, target};
    f->contexts = c;
    return c;
}

/* The context without the subroutines whose return address lies in none of the first `slots`: left by a jump or an
 * exception, they never return. Kept, they would multiply the contexts of the code that went on. */
static struct context *still_running(struct flow *f, struct context *c, uint32_t slots) {
    if (c == NULL) return NULL;
    struct context *callers = still_running(f, c->parent, slots);
    for (uint32_t i = 0; i < f->sim.address_count; i++)
        if (f->sim.addresses[i].target == c->target && f->sim.addresses[i].slot < slots)
            return callers == c->parent ? c : context_of(f, callers, c->target);
    return callers;
}

/* The state goes on at `target`: merged with what is known there. To a handler it goes with the exception as only
 * operand. */
static void flow_to(struct flow *f, int64_t target, struct context *context, bool handler) {
    struct simulation *sim = &f->sim;
    if (target < 0 || target >= sim->length || !f->leaders[target] || (handler && sim->limit == sim->locals)) {
        sim->broken = true;
        return;
    }
    uint32_t top = handler ? sim->locals + 1 : sim->top;
    context = still_running(f, context, handler ? sim->locals : sim->top);
    struct entry *e = f->blocks[target];
    while (e != NULL && e->context != context) e = e->next;
    bool changed = e == NULL;
    if (e == NULL) {
        e = flow_alloc(f, sizeof *e + f->size * sizeof *e->refs);
        if (e == NULL) return;
        *e = (struct entry){.next = f->blocks[target], .context = context, .bci = (uint32_t)target, .top = top};
        f->blocks[target] = e;
        memcpy(e->refs, sim->refs, f->size * sizeof *e->refs);
        clear_from(e->refs, handler ? sim->locals : top, f->words);
        if (handler) set_bit(e->refs, sim->locals, true);
        for (uint32_t i = 0; i < sim->address_count; i++)
            if (sim->addresses[i].slot < (handler ? sim->locals : top))
                e->addresses[e->address_count++] = sim->addresses[i];
    } else if (e->top != top) {
        sim->broken = true;
        return;
    } else {
        if (sim->held) changed = merge_values(sim, e, f->words);
        for (uint32_t w = 0; w < f->words; w++) {
            uint64_t kept = sim->refs[w];
            if (handler && w >= sim->locals >> 6) /* the operands of the entry stay as they are */
                kept = w == sim->locals >> 6 ? kept | ~(uint64_t)0 << (sim->locals & 63) : ~(uint64_t)0;
            changed |= (e->refs[w] & ~kept) != 0;
            e->refs[w] &= kept;
        }
        for (uint32_t i = 0; i < e->address_count; i++) {
            if (address_in(sim, e->addresses[i].slot) == e->addresses[i].target) continue;
            e->addresses[i--] = e->addresses[--e->address_count];
            changed = true;
        }
    }
    if (!changed || e->pending) return;
    e->pending = true;
    e->next_pending = f->pending;
    f->pending = e;
}

static void mark_leader(struct flow *f, int64_t bci) {
    if (bci >= 0 && bci < f->sim.length) f->leaders[bci] = 1;
}

static bool is_branch(uint8_t op) { return (op >= OP_ifeq && op <= OP_jsr) || op == OP_ifnull || op == OP_ifnonnull; }

/* Finds where basic blocks start; false: malformed code. */
static bool find_leaders(struct flow *f) {
    const struct cf_code *source = code_source(f->sim.code);
    const uint8_t *code = source->code;
    mark_leader(f, 0);
    for (uint16_t i = 0; i < source->handler_count; i++) mark_leader(f, cf_handler_at(source, i).handler_pc);
    for (uint32_t bci = 0, length; bci < source->code_length; bci += length) {
        length = opcode_length(code, bci, source->code_length);
        if (length == 0 || code[bci] >= OP_LIMIT) return false;
        uint8_t op = code[bci];
        if (is_branch(op)) mark_leader(f, (int64_t)bci + op_s2(code + bci + 1));
        else if (op == OP_goto_w || op == OP_jsr_w) mark_leader(f, (int64_t)bci + op_s4(code + bci + 1));
        else if (op == OP_tableswitch || op == OP_lookupswitch) {
            struct op_switch s = op_switch_decode(code, bci);
            mark_leader(f, (int64_t)bci + s.default_offset);
            for (uint32_t k = 0; k < s.count; k++)
                mark_leader(f, (int64_t)bci + op_switch_offset(&s, op == OP_lookupswitch, k));
        }
        if (ends_line(code + bci)) mark_leader(f, (int64_t)bci + length);
    }
    return true;
}

/* The context of a subroutine called from `caller`. Calling one again that is running means that its first activation
 * was left for good. */
static struct context *enter_subroutine(struct flow *f, struct context *caller, uint32_t target) {
    for (struct context *c = caller; c != NULL; c = c->parent)
        if (c->target == target) return c;
    return context_of(f, caller, target);
}

/* Where the instruction at bci jumps to; its effect on the stack is done. */
static void flow_branches(struct flow *f, uint32_t bci, struct context *context) {
    const uint8_t *p = f->sim.bytes + bci;
    uint8_t op = *p;
    switch (op) {
    case OP_tableswitch:
    case OP_lookupswitch: {
        struct op_switch s = op_switch_decode(f->sim.bytes, bci);
        flow_to(f, (int64_t)bci + s.default_offset, context, false);
        for (uint32_t k = 0; k < s.count; k++)
            flow_to(f, (int64_t)bci + op_switch_offset(&s, op == OP_lookupswitch, k), context, false);
        break;
    }
    case OP_goto_w: flow_to(f, (int64_t)bci + op_s4(p + 1), context, false); break;
    case OP_jsr:
    case OP_jsr_w: {
        struct context *inner = enter_subroutine(f, context, bci + opcode_lengths[op]);
        if (inner != NULL) flow_to(f, (int64_t)bci + (op == OP_jsr ? op_s2(p + 1) : op_s4(p + 1)), inner, false);
        break;
    }
    case OP_wide:
    case OP_ret:
        if (op == OP_ret || p[1] == OP_ret) {
            uint32_t target = address_in(&f->sim, op == OP_ret ? p[1] : op_u2(p + 2));
            struct context *c = context;
            while (c != NULL && c->target != target) c = c->parent;
            if (target == 0 || c == NULL) f->sim.broken = true;
            else flow_to(f, target, c->parent, false);
        }
        break;
    default:
        if (is_branch(op)) flow_to(f, (int64_t)bci + op_s2(p + 1), context, false);
        break;
    }
}

static void flow_block(struct flow *f, struct entry *e) {
    struct simulation *sim = &f->sim;
    const struct cf_code *source = code_source(sim->code);
    memcpy(sim->refs, e->refs, f->size * sizeof *e->refs);
    memcpy(sim->addresses, e->addresses, sizeof e->addresses);
    sim->address_count = e->address_count;
    sim->top = e->top;
    sim->stored = true;
    uint32_t at = e->bci;
    for (;;) {
        for (uint16_t i = 0; i < source->handler_count; i++) {
            struct cf_handler h = cf_handler_at(source, i);
            if (at >= h.start_pc && at < h.end_pc && (sim->stored || at == h.start_pc))
                flow_to(f, h.handler_pc, e->context, true);
        }
        sim->stored = false;
        execute(sim, at);
        if (sim->broken || f->no_memory) return;
        flow_branches(f, at, e->context);
        if (ends_line(sim->bytes + at)) return;
        at += opcode_length(sim->bytes, at, sim->length);
        if (at >= sim->length) {
            sim->broken = true;
            return;
        }
        if (f->leaders[at]) {
            flow_to(f, at, e->context, false);
            return;
        }
    }
}

static struct stack_maps *flow_result(struct flow *f) {
    uint32_t starts = 0, addresses = 0;
    for (uint32_t bci = 0; bci < f->sim.length; bci++) {
        if (!f->leaders[bci]) continue;
        starts += f->blocks[bci] == NULL;
        for (struct entry *e = f->blocks[bci]; e != NULL; e = e->next) {
            starts++;
            addresses += e->address_count;
        }
    }
    struct stack_maps *m = mem_zalloc(sizeof *m + starts * (sizeof *m->starts + f->size * sizeof *m->refs)
                                      + addresses * sizeof *m->addresses);
    if (m == NULL) return NULL;
    m->words = f->words;
    m->size = f->size;
    m->starts = (struct start *)(m + 1);
    m->refs = (uint64_t *)(m->starts + starts);
    m->addresses = (struct address *)(m->refs + (size_t)starts * f->size);
    uint32_t address = 0;
    for (uint32_t bci = 0; bci < f->sim.length; bci++) {
        if (!f->leaders[bci]) continue;
        if (f->blocks[bci] == NULL) m->starts[m->count++] = (struct start){bci, -1, 0, 0};
        for (struct entry *e = f->blocks[bci]; e != NULL; e = e->next) {
            memcpy(m->refs + (size_t)m->count * m->size, e->refs, m->size * sizeof *m->refs);
            memcpy(m->addresses + address, e->addresses, e->address_count * sizeof *m->addresses);
            m->starts[m->count++] = (struct start){bci, (int32_t)(e->top - f->sim.locals), e->address_count, address};
            address += e->address_count;
        }
    }
    return m;
}

/* NULL: no memory. */
static struct stack_maps *flow_analyse(const struct method_code *code, bool values) {
    struct flow f = {.arena = arena_new("stack maps"), .words = stack_map_words(code)};
    if (f.arena == NULL) return NULL;
    f.size = values ? STACK_MAP_PARTS * f.words : f.words;
    simulation_init(&f.sim, code, flow_alloc(&f, (f.size + 1) * sizeof(uint64_t)));
    if (values) simulate_values(&f.sim, f.words);
    f.leaders = flow_alloc(&f, f.sim.length);
    f.blocks = flow_alloc(&f, f.sim.length * sizeof *f.blocks);
    struct stack_maps *result = NULL;
    if (!f.no_memory) {
        f.sim.broken = !find_leaders(&f);
        enter(&f.sim, NULL);
        if (!f.sim.broken) flow_to(&f, 0, NULL, false);
        while (f.pending != NULL && !f.sim.broken && !f.no_memory) {
            struct entry *e = f.pending;
            f.pending = e->next_pending;
            e->pending = false;
            flow_block(&f, e);
        }
        if (f.sim.broken) {
            result = mem_zalloc(sizeof *result);
            if (result != NULL) result->broken = true;
        } else if (!f.no_memory) {
            result = flow_result(&f);
        }
    }
    arena_free(f.arena);
    return result;
}

/* NULL: no memory. None is asked for in a stop: what has a frame has been entered. */
static struct stack_maps *maps_of(struct method_code *code) {
    struct stack_maps *m = atomic_load_explicit(&code->stack_maps, memory_order_acquire);
    if (m != NULL || (vm != NULL && safepoint_active())) return m;
    m = flow_analyse(code, false);
    void *expected = NULL;
    if (m != NULL && !atomic_compare_exchange_strong_explicit(&code->stack_maps, &expected, m, memory_order_acq_rel,
                                                              memory_order_acquire)) {
        mem_free(m);
        m = expected;
    }
    return m;
}

void stack_maps_prepare(struct method_code *code) {
    if (maps_of(code) != NULL) __atomic_fetch_and(&code->uncommon, (uint8_t)~CODE_UNMAPPED, __ATOMIC_RELAXED);
}

/* Whether the return addresses of the state are those that lie in the frame. */
static bool addresses_match(const struct simulation *sim, const struct frame *frame) {
    for (uint32_t i = 0; i < sim->address_count; i++) {
        uint32_t slot = sim->addresses[i].slot;
        uint64_t value = slot < sim->locals ? frame_locals(frame)[slot] : frame_stack(frame)[slot - sim->locals];
        if ((uint32_t)value != sim->addresses[i].target) return false;
    }
    return true;
}

/* The state of start i, followed to bci; true if it is the frame's. */
static bool state_at(const struct method_code *code, const struct stack_maps *m, uint32_t i, uint32_t bci,
                     const struct frame *frame, struct simulation *sim, uint64_t *bits) {
    const struct start *s = &m->starts[i];
    simulation_init(sim, code, bits);
    if (m->size > m->words) simulate_values(sim, m->words);
    if (s->depth < 0) return false;
    memcpy(bits, m->refs + (size_t)i * m->size, m->size * sizeof *bits);
    memcpy(sim->addresses, m->addresses + s->first_address, s->address_count * sizeof *sim->addresses);
    sim->address_count = s->address_count;
    sim->top = sim->locals + (uint32_t)s->depth;
    if (!follow_line(sim, s->bci, bci) || (frame != NULL && !addresses_match(sim, frame))) return false;
    clear_from(bits, sim->top, m->words);
    return true;
}

/* The answer of the maps `m`, in as many words as a state has. */
static int by_flow(const struct method_code *code, const struct stack_maps *m, uint32_t bci, const struct frame *frame,
                   uint64_t *bits) {
    if (m == NULL || m->broken || m->count == 0) return -1;
    uint32_t low = 0, high = m->count;   /* the last start at or before bci is in [low, high) */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (m->starts[middle].bci <= bci) low = middle; else high = middle;
    }
    struct simulation sim;
    int depth = state_at(code, m, low, bci, frame, &sim, bits) ? (int)(sim.top - sim.locals) : -1;
    for (uint32_t i = low; i-- > 0 && m->starts[i].bci == m->starts[low].bci;) { /* the other contexts */
        uint64_t other[m->size];
        if (!state_at(code, m, i, bci, frame, &sim, depth < 0 ? bits : other)) continue;
        if (depth >= 0)
            for (uint32_t w = 0; w < m->size; w++) bits[w] &= other[w];
        else depth = (int)(sim.top - sim.locals);
    }
    return depth;
}

int stack_map_by_flow(struct method_code *code, uint32_t bci, const struct frame *frame, uint64_t *bits) {
    return by_flow(code, maps_of(code), bci, frame, bits);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* Finished maps of up to 56 slots, overwritten at will: a direct-mapped table that readers and writers share without
 * locks. An entry that two of them wrote at once has a `check` that fits neither key. */
struct cached_map {
    _Atomic uint64_t check;    /* key ^ value */
    _Atomic uint64_t value;    /* operand slots (8) | bits (56) */
};
enum { CACHE_SIZE = 4096, CACHED_SLOTS = 56 };
static struct cached_map cache[CACHE_SIZE];
static _Atomic bool cache_used;    /* since it was last emptied */

void stack_maps_forget(void) {
    if (!atomic_load_explicit(&cache_used, memory_order_relaxed)) return;
    atomic_store_explicit(&cache_used, false, memory_order_relaxed);
    for (size_t i = 0; i < CACHE_SIZE; i++) {
        atomic_store_explicit(&cache[i].check, 0, memory_order_relaxed);
        atomic_store_explicit(&cache[i].value, 0, memory_order_relaxed);
    }
}

static int map_at(struct method_code *code, int32_t bci, const struct frame *frame, uint64_t *bits,
                  uint32_t bits_words) {
    if (code_source(code) == NULL || bci < 0 || (uint32_t)bci >= code_source(code)->code_length ||
        bits_words < stack_map_words(code))
        return -1;
    bool small = (uint32_t)code->max_locals + code->max_stack <= CACHED_SLOTS &&
                 !(code->method->flags & METHOD_HAS_JSR);
    uint64_t key = (uint64_t)(uintptr_t)code << 16 | (uint32_t)bci;
    struct cached_map *c = &cache[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 52];
    if (LIKELY(small)) {
        uint64_t value = atomic_load_explicit(&c->value, memory_order_relaxed);
        if ((atomic_load_explicit(&c->check, memory_order_relaxed) ^ value) == key) {
            if (bits_words != 0) bits[0] = value >> 8;
            return (int)(value & 0xff);
        }
    }
    int operands = -1;
    if (class_version_has_stack_maps(code->owner)) operands = stack_map_by_table(code, (uint32_t)bci, bits);
    if (operands < 0) operands = stack_map_by_flow(code, (uint32_t)bci, frame, bits);
    if (small && operands >= 0) {
        uint64_t value = (stack_map_words(code) ? bits[0] << 8 : 0) | (uint32_t)operands;
        atomic_store_explicit(&c->value, value, memory_order_relaxed);
        atomic_store_explicit(&c->check, key ^ value, memory_order_relaxed);
        if (!atomic_load_explicit(&cache_used, memory_order_relaxed))
            atomic_store_explicit(&cache_used, true, memory_order_relaxed);
    }
    return operands;
}

int stack_map_of_values(struct method_code *code, int32_t bci, const struct frame *frame, uint64_t *bits) {
    if (code_source(code) == NULL || bci < 0 || (uint32_t)bci >= code_source(code)->code_length) return -1;
    int operands = class_version_has_stack_maps(code->owner) ? by_table(code, (uint32_t)bci, bits, true) : -1;
    if (operands >= 0) return operands;
    struct stack_maps *m = flow_analyse(code, true);
    operands = by_flow(code, m, (uint32_t)bci, frame, bits);
    mem_free(m);
    return operands;
}

int stack_map_of_frame(const struct frame *f, uint64_t *bits, uint32_t bits_words) {
    return map_at(f->code, frame_bci(f), f, bits, bits_words);
}

int stack_map_at(struct method_code *code, int32_t bci, bool in_call, uint64_t *bits, uint32_t bits_words) {
    int operands = map_at(code, bci, NULL, bits, bits_words);
    if (operands < 0 || !in_call) return operands;
    const uint8_t *p = code_source(code)->code + bci;
    if (*p < OP_invokevirtual || *p > OP_invokedynamic) return operands;
    char result;
    int popped = (int)argument_slots(descriptor(code_cf(code), op_u2(p + 1)), &result) +
                 (*p != OP_invokestatic && *p != OP_invokedynamic);
    operands = popped < operands ? operands - popped : 0;
    clear_from(bits, (uint32_t)code->max_locals + (uint32_t)operands, stack_map_words(code));
    return operands;
}
