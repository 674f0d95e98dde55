/* loops.c — local variables in registers: those of the innermost loops that call nothing on their way round. Each
 * store goes to the frame too, so exits, collections and tools find there what they always find, and a register has
 * only to be loaded where the loop is entered. */
#include "jit/baseline/compiler.h"

/* Where aastore needs one more, the last is an operand's as elsewhere. */
static const uint8_t kept_words[] = ASM_PLAIN_REGISTERS;
enum { KEPT_FLOATS = 6, FIRST_KEPT_FLOAT = FLOATING_SCRATCH - KEPT_FLOATS };
_Static_assert(ARRAY_LEN(kept_words) + KEPT_FLOATS == LOOP_REGISTERS, "");

enum local_type { WORD, FLOAT, DOUBLE, MIXED };

struct candidate {
    uint16_t local;
    uint8_t type;                        /* enum local_type                                                        */
    uint32_t uses;
};

/* One look at a loop's instructions; variables more than these stay in the frame. */
enum { CANDIDATES = 24 };
struct look {
    struct candidate candidates[CANDIDATES];
    uint32_t count;
    bool calls;                          /* since the last instruction that does not go on                         */
    bool stores_references;              /* aastore                                                                */
};

/* ---- which loops, and what is in them ---------------------------------------------------------------------------- */

static bool is_header(const struct compiler *c, uint32_t bci) {
    const struct place *p = &c->places[bci];
    return p->is_entry && c->targets[p->target].loop_end >= bci;
}

static enum local_type type_of(const uint8_t *p) {
    static const uint8_t types[] = {WORD, WORD, FLOAT, DOUBLE, WORD};        /* i, l, f, d, a                       */
    uint8_t op = *p == OP_wide ? p[1] : *p;
    if (op == OP_iinc) return WORD;
    if (op >= OP_istore_0) return types[(op - OP_istore_0) / 4];
    if (op >= OP_istore) return types[op - OP_istore];
    if (op >= OP_iload_0) return types[(op - OP_iload_0) / 4];
    return types[op - OP_iload];
}

static void note_use(struct look *k, uint32_t local, enum local_type type) {
    uint32_t i = 0;
    while (i < k->count && k->candidates[i].local != local) i++;
    if (i == CANDIDATES) return;
    if (i == k->count) k->candidates[k->count++] = (struct candidate){(uint16_t)local, (uint8_t)type, 0};
    if (k->candidates[i].type != type) k->candidates[i].type = MIXED;
    k->candidates[i].uses++;
}

/* Does C run there, or a method? No register survives that. */
static bool is_call(struct compiler *c) {
    uint8_t op = *instruction(c);
    if (c->code->code[c->bci] == OP_breakpoint) return true;
    switch (op) {
    case OP_multianewarray: case OP_monitorenter: case OP_monitorexit: case OP_frem: case OP_drem: return true;
    case OP_getstatic: case OP_putstatic: case OP_getfield: case OP_putfield: return is_watched(c);
    default: break;
    }
    if (op < OP_invokevirtual || op > OP_invokedynamic) return false;
    return !is_intrinsic(c);
}

/* False: this loop's variables stay in the frame. A call is all right if nothing behind it comes back to the loop: what
 * is thrown is often made there. */
static bool look_at(struct compiler *c, struct look *k) {
    const uint8_t *p = instruction(c);
    if (k->calls && c->places[c->bci].is_target) return false;
    k->calls |= is_call(c);
    k->stores_references |= *p == OP_aastore;
    int32_t local = flow_local(p);
    if (local >= 0) note_use(k, (uint32_t)local, type_of(p));
    if ((*p >= OP_ireturn && *p <= OP_return) || *p == OP_athrow) k->calls = false;
    return !k->calls || !flow_branches(*p);
}

static bool look_through(struct compiler *c, struct look *k, uint32_t begin, uint32_t end) {
    for (c->bci = begin; c->bci <= end; c->bci += c->length) {
        const struct place *p = &c->places[c->bci];
        c->length = length_at(c, c->bci);
        if (c->length == 0 || (c->bci != begin && is_header(c, c->bci))) return false;
        if (p->is_reached && !look_at(c, k)) return false;
    }
    return !k->calls;
}

/* The one of these types that is used most; NULL: none is left. */
static struct candidate *most_used(struct look *k, bool floating) {
    struct candidate *most = NULL;
    for (uint32_t i = 0; i < k->count; i++) {
        struct candidate *n = &k->candidates[i];
        if (n->uses == 0 || n->type == MIXED || (n->type != WORD) != floating) continue;
        if (most == NULL || n->uses > most->uses) most = n;
    }
    return most;
}

static void keep(struct loop *l, struct candidate *n, uint8_t reg) {
    l->kept[l->count++] = (struct kept_local){n->local, reg, n->type == FLOAT ? F32 : F64};
    l->registers |= (uint32_t)1 << reg;
    n->uses = 0;
}

static void give_registers(struct loop *l, struct look *k) {
    uint32_t words = ARRAY_LEN(kept_words) - k->stores_references;
    struct candidate *n;
    for (uint32_t i = 0; i < words && (n = most_used(k, false)) != NULL; i++) keep(l, n, kept_words[i]);
    for (uint8_t i = 0; i < KEPT_FLOATS && (n = most_used(k, true)) != NULL; i++)
        keep(l, n, (uint8_t)(FIRST_FLOATING + FIRST_KEPT_FLOAT + i));
}

static void find_loop(struct compiler *c, uint32_t begin) {
    struct loop l = {.begin = begin, .end = c->targets[c->places[begin].target].loop_end};
    struct look k = {.count = 0};
    if (!look_through(c, &k, begin, l.end)) return;
    give_registers(&l, &k);
    if (l.count == 0) return;
    c->failed |= !make_room((void **)&c->loops, &c->loop_capacity, c->loop_count + 1, sizeof *c->loops);
    if (!c->failed) c->loops[c->loop_count++] = l;
}

/* ---- where they are entered -------------------------------------------------------------------------------------- */

static const struct loop *loop_of(const struct compiler *c, uint32_t bci) {
    uint32_t low = 0, high = c->loop_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->loops[middle].end < bci) low = middle + 1;
        else high = middle;
    }
    return low < c->loop_count && c->loops[low].begin <= bci ? &c->loops[low] : NULL;
}

static void note_branch(void *compiler, uint32_t from, int64_t to) {
    struct compiler *c = compiler;
    const struct loop *l = loop_of(c, (uint32_t)to);
    c->places[to].enters_loop |= l != NULL && loop_of(c, from) != l;
}

/* The places to which something else leads than the loop itself: branches, and what resumes frames. */
static void find_entries(struct compiler *c) {
    for (uint32_t bci = 0, length; bci < c->source->code_length; bci += length) {
        struct place *p = &c->places[bci];
        length = length_at(c, bci);
        if (length == 0) return;
        if (!p->is_reached) continue;
        flow_targets(c, bci, note_branch, c);
        p->enters_loop |= p->is_entry;
    }
}

void loops_find(struct compiler *c) {
    c->loop_count = 0;
    for (uint32_t bci = 0; c->has_loops && bci < c->source->code_length; bci++)
        if (is_header(c, bci)) find_loop(c, bci);
    if (c->loop_count != 0) find_entries(c);
}

/* ---- while code is made ------------------------------------------------------------------------------------------ */

void loops_begin(struct compiler *c) {
    c->loop = NULL;
    c->next_loop = 0;
    for (uint32_t i = 0; i < c->loop_count; i++) c->loops[i].inside = (struct asm_label){0};
}

void loops_load(struct compiler *c, const struct loop *l) {
    for (uint32_t i = 0; i < l->count; i++) {
        const struct kept_local *k = &l->kept[i];
        struct asm_mem m = slot_of_local(c, k->local);
        if (k->reg < FIRST_FLOATING) asm_load(&c->a, U64, (enum asm_reg)k->reg, m);
        else asm_float_load(&c->a, (enum asm_float_type)k->float_type, k->reg - FIRST_FLOATING, m);
    }
}

void loops_pass(struct compiler *c) {
    struct loop *l = c->loop;
    if (l == NULL) return;
    if (c->places[c->bci].enters_loop) loops_load(c, l);
    if (c->bci == l->begin) asm_bind(&c->a, &l->inside);
    for (uint32_t i = 0; i < l->count; i++) c->holds[l->kept[i].reg] = l->kept[i].local;
    c->holding |= l->registers;
}

struct asm_label *loops_way(struct compiler *c, uint32_t to) {
    return c->loop != NULL && to == c->loop->begin ? &c->loop->inside : label_of(c, to);
}
