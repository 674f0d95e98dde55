/* compiled_code.c: reports of compiled code, with the bytecode that each part of it belongs to. */
#include "inspect/compiled_code.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/table.h"
#include "jit/compiled.h"
#include "jit/inlined.h"
#include "jit/jit.h"
#include "jit/pcs.h"
#include "link/link.h"
#include "thread/handle.h"

/* The machine code before the frame's begin belongs to the first bytecode; what gives it up, to the one before; the
 * code behind the exits is the frame's begin again. */
static bool place_of(const struct pcs_reader *row, int32_t before, int32_t *bci) {
    *bci = row->bci;
    if (row->bci == PCS_NO_FRAME && (row->rows.offset == 0 || before == PCS_CALLED)) *bci = 0;
    return *bci >= 0;
}

static void add_places(struct code_report *r, const uint8_t *pcs, const uint8_t *end) {
    VEC(struct code_place) places = {0};
    int32_t before = 0, bci;
    for (struct pcs_reader row = pcs_read(pcs, end); pcs_next(&row); before = row.bci) {
        if (!place_of(&row, before, &bci)) continue;
        if (places.count != 0 && vec_last(&places).bci == bci) continue;
        if (!vec_push(&places, (struct code_place){row.rows.offset, bci})) {
            vec_free(&places);
            return;
        }
    }
    r->places = places.data;
    r->place_count = (uint32_t)places.count;
}

struct stacks { VEC(struct code_stack) rows; VEC(struct code_stack_frame) frames; };

/* Where no frame of the method is, none is noted. */
static bool add_stack(struct stacks *s, const struct code_blob *b, uint32_t offset) {
    const uint8_t *pc = code_blob_begin(b) + offset;
    struct inlined_place place;
    int32_t bci = jit_bci_in(b, pc);
    struct code_stack row = {offset, (uint32_t)s->frames.count, 0};
    if (bci < 0) return true;
    inlined_find(b, pc, &place);
    for (; row.count < place.count; row.count++) {
        const struct inlined_frame *f = &place.frames[row.count];
        struct code_stack_frame frame = {method_code_id(f->method.code), (int32_t)f->bci};
        if (!vec_push(&s->frames, frame)) return false;
    }
    row.count++;
    return vec_push(&s->frames, (struct code_stack_frame){method_code_id(b->method), bci}) && vec_push(&s->rows, row);
}

/* Wherever the pc table or that of inlined methods says something new. */
static bool find_stacks(struct stacks *s, const struct code_report *r, const struct code_blob *b) {
    struct inlined_reader inlined = inlined_read(b);
    uint32_t next = 0;
    for (bool more = inlined_next_row(&inlined); more || next < r->place_count;) {
        uint32_t at = next < r->place_count ? r->places[next].offset : UINT32_MAX;
        if (more) at = MIN(at, inlined.rows.offset);
        if (at < r->length && !add_stack(s, b, at)) return false;
        while (next < r->place_count && r->places[next].offset == at) next++;
        while (more && inlined.rows.offset == at) more = inlined_next_row(&inlined);
    }
    return true;
}

static void add_stacks(struct code_report *r, const struct code_blob *b) {
    struct stacks s = {0};
    if (!find_stacks(&s, r, b)) {
        vec_free(&s.rows);
        vec_free(&s.frames);
        return;
    }
    r->stacks = s.rows.data;
    r->stack_count = (uint32_t)s.rows.count;
    r->frames = s.frames.data;
}

void code_report_free(struct code_report *r) {
    mem_free(r->places);
    mem_free(r->stacks);
    mem_free(r->frames);
}

struct code_report code_report_of(const struct code_blob *b) {
    PROMISES_NO_SAFEPOINT();
    const uint8_t *begin = code_blob_begin(b);
    struct code_report r = {.name = b->method == NULL ? b->name : NULL, .begin = begin, .length = b->length};
    if (b->pcs != 0) {
        r.method = method_code_id(b->method);
        r.length = b->pcs;
        add_places(&r, begin + b->pcs, begin + b->entries);
        if (b->inlined != 0) add_stacks(&r, b);
    } else if (b->method != NULL) {
        r.name = "interpreted";
    }
    return r;
}

bool code_report_next(const struct code_blob **at, struct code_report *out) {
    PROMISES_NO_SAFEPOINT();
    *at = jit_next_blob(*at);
    if (*at != NULL) *out = code_report_of(*at);
    return *at != NULL;
}

bool code_report_hold(struct os_thread *self, const struct code_report *r) {
    REQUIRES(IN_VM | NO_PENDING);
    struct object *mirror = class_mirror(method_of_id(r->method)->holder);
    if (!handle_frame_push(self, 1, false)) {
        self->exception = NULL;
        log_warning(jit, "out of memory: tools are not notified of compiled code");
        return false;
    }
    handle_local(self, mirror);
    return true;
}
