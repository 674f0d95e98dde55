/* inlined.c — see inlined.h. */
#include "jit/inlined.h"

#include "base/base.h"

void inlined_begin(struct inlined_writer *w, uint32_t methods) {
    w->table.length = w->offset = w->method = w->bci = 0;
    numbers_put(&w->table, methods);
}

void inlined_add(struct inlined_writer *w, const struct inlined_method *m) {
    numbers_put(&w->table, m->parent);
    numbers_put(&w->table, m->bci);
    numbers_put(&w->table, m->base);
    numbers_put(&w->table, (uintptr_t)m->code);
    numbers_put(&w->table, (uintptr_t)m->receiver);
}

void inlined_note(struct inlined_writer *w, uint32_t offset, uint32_t method, uint32_t bci) {
    if (method == w->method && bci == w->bci) return;
    numbers_put(&w->table, offset - w->offset);
    numbers_put(&w->table, method);
    numbers_put(&w->table, bci);
    w->offset = offset;
    w->method = method;
    w->bci = bci;
}

static uint32_t take(struct inlined_reader *r) { return (uint32_t)numbers_take(&r->at, r->end); }

struct inlined_reader inlined_read(const struct code_blob *b) {
    const uint8_t *end = code_blob_begin(b) + b->length;
    struct inlined_reader r = {.at = end - b->inlined, .end = end};
    r.methods = take(&r);
    return r;
}

bool inlined_next_method(struct inlined_reader *r, struct inlined_method *out) {
    if (r->methods == 0) return false;
    r->methods--;
    out->parent = take(r);
    out->bci = take(r);
    out->base = take(r);
    out->code = (struct method_code *)(uintptr_t)numbers_take(&r->at, r->end);
    out->receiver = (struct class *)(uintptr_t)numbers_take(&r->at, r->end);
    return true;
}

bool inlined_next_row(struct inlined_reader *r) {
    if (r->at >= r->end) return false;
    r->offset += take(r);
    r->method = take(r);
    r->bci = take(r);
    return true;
}

static struct inlined_method method_at(const struct code_blob *b, uint32_t number) {
    struct inlined_reader r = inlined_read(b);
    struct inlined_method m = {.code = NULL};
    while (number-- > 0 && inlined_next_method(&r, &m)) continue;
    return m;
}

void inlined_find(const struct code_blob *b, const void *pc, struct inlined_place *out) {
    uint32_t offset = (uint32_t)((const uint8_t *)pc - code_blob_begin(b)), method = 0, bci = 0;
    struct inlined_method m;
    out->count = 0;
    if (b->inlined == 0) return;
    struct inlined_reader r = inlined_read(b);
    while (inlined_next_method(&r, &m)) continue;
    while (inlined_next_row(&r) && r.offset <= offset) {
        method = r.method;
        bci = r.bci;
    }
    for (; method != 0 && out->count < INLINED_LEVELS; method = m.parent) {
        m = method_at(b, method);
        out->frames[out->count++] = (struct inlined_frame){m, bci};
        bci = m.bci;
    }
}
