/* operands.c — values in registers and memory while code is written; moves that are done at once. */
#include "jit/optimising/emit.h"

static struct value_place place_of(const struct emitter *e, node_id n) { return e->places->places[n]; }

struct asm_mem slot_at(const struct emitter *e, uint32_t number) {
    return asm_at(REG_FRAME, 8 * ((int32_t)number - (int32_t)e->g->scopes[0].locals) - frame_of(e->g, e->youngest));
}

bool is_in_slot(const struct emitter *e, node_id n, struct asm_mem *m) {
    struct value_place p = place_of(e, n);
    if (p.kind != PLACE_SLOT) return false;
    *m = slot_at(e, p.number);
    return true;
}

void load_bits(struct emitter *e, enum asm_reg r, int64_t v) { asm_constant(&e->c->a, r, (uint64_t)v); }

static bool has_bits(const struct emitter *e, node_id n) {
    return is_constant(emitted(e, n)) || place_of(e, n).kind == PLACE_REMADE;
}

enum asm_reg in_general(struct emitter *e, node_id n, enum asm_reg scratch) {
    if (place_of(e, n).kind == PLACE_REGISTER) return (enum asm_reg)place_of(e, n).number;
    into_general(e, scratch, n);
    return scratch;
}

void into_general(struct emitter *e, enum asm_reg r, node_id n) {
    struct value_place p = place_of(e, n);
    enum asm_width w = width_of_type(emitted(e, n)->type);
    if (has_bits(e, n)) load_bits(e, r, emitted(e, n)->imm);
    else if (p.kind == PLACE_SLOT) asm_load(&e->c->a, w == W32 ? U32 : U64, r, slot_at(e, p.number));
    else if (p.kind == PLACE_FLOATING) asm_float_to_word(&e->c->a, w, r, p.number);
    else if ((enum asm_reg)p.number != r) asm_move(&e->c->a, w, r, (enum asm_reg)p.number);
}

unsigned in_float(struct emitter *e, node_id n) {
    struct value_place p = place_of(e, n);
    if (p.kind == PLACE_FLOATING) return p.number;
    asm_float_load(&e->c->a, float_of_type(emitted(e, n)->type), FLOAT_SCRATCH, slot_at(e, p.number));
    return FLOAT_SCRATCH;
}

enum asm_reg result_general(const struct emitter *e, node_id n) {
    struct value_place p = place_of(e, n);
    return p.kind == PLACE_REGISTER ? (enum asm_reg)p.number : REG_SCRATCH;
}

unsigned result_float(const struct emitter *e, node_id n) {
    struct value_place p = place_of(e, n);
    return p.kind == PLACE_FLOATING ? p.number : FLOAT_SCRATCH;
}

void keep_general(struct emitter *e, node_id n, enum asm_reg r) {
    struct asm_mem m;
    if (is_in_slot(e, n, &m)) asm_store(&e->c->a, W64, m, r);
}

void keep_float(struct emitter *e, node_id n, unsigned x) {
    struct asm_mem m;
    if (is_in_slot(e, n, &m)) asm_float_store(&e->c->a, F64, m, x);
}

void apply(struct emitter *e, enum asm_alu op, enum asm_width w, enum asm_reg r, node_id n, enum asm_reg scratch) {
    struct asm_mem m;
    if (is_constant(emitted(e, n))) asm_alu_constant(&e->c->a, op, w, r, (int32_t)emitted(e, n)->imm);
    else if (is_in_slot(e, n, &m)) asm_alu_load(&e->c->a, op, w, r, m);
    else asm_alu(&e->c->a, op, w, r, in_general(e, n, scratch));
}

/* ---- moves ------------------------------------------------------------------------------------------------------- */

static bool is_same_place(struct value_place x, struct value_place y) {
    return x.kind == y.kind && x.number == y.number;
}

static void add_move_from(struct emitter *e, node_id from, struct value_place at, struct value_place to) {
    struct moves *m = &e->moves;
    struct move row = {at, to, emitted(e, from)->imm, emitted(e, from)->type};
    if (has_bits(e, from) || emitted(e, from)->op == NODE_literal) row.from.kind = PLACE_NONE;
    if (row.from.kind != PLACE_NONE && is_same_place(row.from, to)) return;
    if (!make_room((void **)&m->rows, &m->capacity, m->count + 1, sizeof *m->rows)) e->c->failed = true;
    else m->rows[m->count++] = row;
}

void add_move(struct emitter *e, node_id from, struct value_place to) { add_move_from(e, from, place_of(e, from), to); }

struct value_place steady_place(const struct emitter *e, node_id n) {
    uint32_t kept = e->places->kept[n];
    return kept != 0 ? (struct value_place){PLACE_SLOT, kept - 1} : place_of(e, n);
}

void add_steady_move(struct emitter *e, node_id from, struct value_place to) {
    add_move_from(e, from, steady_place(e, from), to);
}

static void store_bits(struct emitter *e, struct asm_mem m, int64_t v) {
    if (v == (int32_t)v) {
        asm_store_constant(&e->c->a, W64, m, (int32_t)v);
    } else {
        load_bits(e, REG_SCRATCH, v);
        asm_store(&e->c->a, W64, m, REG_SCRATCH);
    }
}

static void move_bits(struct emitter *e, struct value_place to, int64_t v) {
    if (to.kind == PLACE_REGISTER) {
        load_bits(e, (enum asm_reg)to.number, v);
    } else if (to.kind == PLACE_SLOT) {
        store_bits(e, slot_at(e, to.number), v);
    } else if (v == 0) {
        asm_float_bits(&e->c->a, FLOAT_XOR, to.number, to.number);
    } else {
        load_bits(e, REG_SCRATCH, v);
        asm_float_from_word(&e->c->a, W64, to.number, REG_SCRATCH);
    }
}

/* All 64 bits, whatever the type. */
static void move(struct emitter *e, struct value_place from, struct value_place to) {
    struct assembler *a = &e->c->a;
    if (from.kind == PLACE_REGISTER && to.kind == PLACE_REGISTER) {
        asm_move(a, W64, (enum asm_reg)to.number, (enum asm_reg)from.number);
    } else if (from.kind == PLACE_REGISTER && to.kind == PLACE_FLOATING) {
        asm_float_from_word(a, W64, to.number, (enum asm_reg)from.number);
    } else if (from.kind == PLACE_REGISTER) {
        asm_store(a, W64, slot_at(e, to.number), (enum asm_reg)from.number);
    } else if (from.kind == PLACE_FLOATING && to.kind == PLACE_FLOATING) {
        asm_float_move(a, to.number, from.number);
    } else if (from.kind == PLACE_FLOATING && to.kind == PLACE_REGISTER) {
        asm_float_to_word(a, W64, (enum asm_reg)to.number, from.number);
    } else if (from.kind == PLACE_FLOATING) {
        asm_float_store(a, F64, slot_at(e, to.number), from.number);
    } else if (to.kind == PLACE_REGISTER) {
        asm_load(a, U64, (enum asm_reg)to.number, slot_at(e, from.number));
    } else if (to.kind == PLACE_FLOATING) {
        asm_float_load(a, F64, to.number, slot_at(e, from.number));
    } else {
        asm_load(a, U64, REG_SCRATCH, slot_at(e, from.number));
        asm_store(a, W64, slot_at(e, to.number), REG_SCRATCH);
    }
}

static bool is_read(const struct moves *m, struct value_place p, uint32_t but) {
    for (uint32_t i = 0; i < m->count; i++)
        if (i != but && m->rows[i].from.kind != PLACE_NONE && is_same_place(m->rows[i].from, p)) return true;
    return false;
}

/* Those first whose place nobody reads any more; of a circle one value waits in FLOAT_SCRATCH. Constants are last. */
void make_moves(struct emitter *e) {
    const struct value_place waiting = {PLACE_FLOATING, FLOAT_SCRATCH};
    struct moves *m = &e->moves;
    for (uint32_t left = 0; left != m->count;) {
        left = m->count;
        for (uint32_t i = 0; i < m->count; i++) {
            if (m->rows[i].from.kind == PLACE_NONE || is_read(m, m->rows[i].to, i)) continue;
            move(e, m->rows[i].from, m->rows[i].to);
            m->rows[i--] = m->rows[--m->count];
        }
        for (uint32_t i = 0; i < m->count && left == m->count; i++) {
            struct value_place from = m->rows[i].from;
            if (from.kind == PLACE_NONE) continue;
            move(e, from, waiting);
            for (uint32_t k = 0; k < m->count; k++) {
                struct value_place *p = &m->rows[k].from;
                if (p->kind != PLACE_NONE && is_same_place(*p, from)) *p = waiting;
            }
            left++;                      /* once more                                                              */
        }
    }
    for (uint32_t i = 0; i < m->count; i++) move_bits(e, m->rows[i].to, m->rows[i].constant);
    m->count = 0;
}
