/* emit_record.c — frames of what is inlined. They lie where the interpreter would have them, and have a record only
 * where somebody may look: at calls, here, and where C is asked to do an instruction, which makes them itself
 * (make_frames in jit/run.c).
 *
 *      first scope     locals  record  operands ...
 *      inlined                                 locals  record  operands ...        <- the youngest frame, REG_FRAME
 *      callee                                                          locals ...
 *
 * Between calls, as soon as it matters, the first scope's frame is the youngest, and the table of what is inlined says
 * the rest (jit/inlined.h). A record is written at the first call in its scope, on each way there, and is good until
 * the scope is left: nothing else lies there meanwhile, and who wants its frame to do anything else lets it leave.
 * Behind that only the position changes. */
#include "jit/optimising/emit.h"

#include "thread/thread.h"

enum { BITS = 64 };

static bool is_written(const struct emitter *e, uint32_t scope) { return e->written[scope / BITS] >> scope % BITS & 1; }

/* ---- which records are written ----------------------------------------------------------------------------------- */

static uint64_t *records_of(const struct emitter *e, block_id b) { return e->records + (size_t)b * e->record_words; }

/* Those of scopes that the block's is not in are not there any more. */
static void keep_those_of(struct emitter *e, uint32_t scope, uint64_t *bits) {
    for (uint32_t w = 0; w < e->record_words; w++) {
        uint64_t kept = 0;
        for (uint32_t s = scope; s != 0; s = e->g->scopes[s].parent)
            if (s / BITS == w) kept |= (uint64_t)1 << s % BITS;
        bits[w] &= kept;
    }
}

/* What all ways have written that lead there. A loop's own ways do not take away what was written before it. */
void begin_records(struct emitter *e, block_id b) {
    const struct ir *g = e->g;
    const struct block *p = block_of(g, b);
    e->written = records_of(e, b);
    bool is_first = true;
    for (uint32_t i = 0; i < p->predecessors; i++) {
        const struct block *from = block_of(g, predecessor(g, p, i));
        bool is_done = from->number < p->number;
        if (!is_done && p->is_header) continue;
        for (uint32_t w = 0; w < e->record_words; w++) {
            uint64_t bits = is_done ? records_of(e, predecessor(g, p, i))[w] : 0;
            e->written[w] = is_first ? bits : e->written[w] & bits;
        }
        is_first = false;
    }
    if (is_first) memset(e->written, 0, e->record_words * sizeof *e->written);
    keep_those_of(e, p->scope, e->written);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static struct asm_mem record(const struct emitter *e, uint32_t scope, size_t offset) {
    return asm_at(REG_FRAME, frame_of(e->g, scope) - frame_of(e->g, e->youngest) + (int32_t)offset);
}

static void write_position(struct emitter *e, uint32_t scope, uint32_t bci, bool whole) {
    const struct scope *s = &e->g->scopes[scope];
    uintptr_t begin = (uintptr_t)s->code->code, end = begin + s->source->code_length, pc = begin + bci;
    struct asm_mem m = record(e, scope, offsetof(struct frame, pc));
    if (!whole && begin >> 32 == end >> 32) {
        asm_store_constant(&e->c->a, W32, m, (int32_t)(uint32_t)pc);
    } else {
        load_bits(e, REG_SCRATCH, (int64_t)pc);
        asm_store(&e->c->a, W64, m, REG_SCRATCH);
    }
}

_Static_assert(offsetof(struct frame, call_length) == offsetof(struct frame, flags) + 4, "both are stored at once");

static void write_record(struct emitter *e, uint32_t scope, uint32_t bci) {
    struct assembler *a = &e->c->a;
    const struct scope *s = &e->g->scopes[scope];
    enum asm_reg caller = REG_FRAME;
    asm_address(a, REG_SCRATCH, slot_at(e, s->base));
    asm_store(a, W64, record(e, s->parent, offsetof(struct frame, sp)), REG_SCRATCH);
    if (s->parent != e->youngest) asm_address(a, caller = REG_SCRATCH, record(e, s->parent, 0));
    asm_store(a, W64, record(e, scope, offsetof(struct frame, caller)), caller);
    load_bits(e, REG_SCRATCH, (intptr_t)s->code);
    asm_store(a, W64, record(e, scope, offsetof(struct frame, code)), REG_SCRATCH);
    write_position(e, scope, bci, true);
    uint32_t locks = s->locks || s->synchronized ? FRAME_HOLDS_LOCKS : 0;        /* or may                            */
    asm_store_constant(a, W64, record(e, scope, offsetof(struct frame, flags)),
                       (int32_t)(FRAME_COMPILED | FRAME_INLINED | locks));
    e->written[scope / BITS] |= (uint64_t)1 << scope % BITS;
}

/* `changes`: the position of the scope's frame may have been another. */
static void write_all(struct emitter *e, uint32_t scope, uint32_t bci, bool changes) {
    bool has_record = scope == 0 || is_written(e, scope);
    if (scope != 0) write_all(e, e->g->scopes[scope].parent, e->g->scopes[scope].bci, !has_record);
    if (!has_record) write_record(e, scope, bci);
    else if (changes) write_position(e, scope, bci, false);
}

void write_records(struct emitter *e, uint32_t scope, uint32_t bci) { write_all(e, scope, bci, true); }

/* ---- the youngest frame ------------------------------------------------------------------------------------------ */

void set_youngest(struct emitter *e, uint32_t scope) {
    struct assembler *a = &e->c->a;
    if (e->youngest == scope) return;
    asm_address(a, REG_FRAME, record(e, scope, 0));
    e->youngest = scope;
}

/* What only computes, and the next call in the same scope, which then finds its frame. Where a signal handler looks
 * meanwhile, the program counter says more than the record (frame_first_at_signal). */
bool is_done_by_any(const struct emitter *e, const struct node *n) {
    switch (n->op) {
    case NODE_copy: case NODE_home: case NODE_literal: case NODE_alu: case NODE_multiply: case NODE_shift:
    case NODE_negate: case NODE_float_binary: case NODE_float_negate: case NODE_array_length: case NODE_load_field:
    case NODE_load_element:
        return true;
    case NODE_call: return e->g->states[n->state].scope == e->youngest;
    default: return false;
    }
}
