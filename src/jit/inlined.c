/* inlined.c — see inlined.h. */
#include "jit/inlined.h"

#include "base/base.h"

/* Bytes of what a record has, one behind the other: pointers are of user space, there are fewer methods than 256. */
enum {
    PARENT_BYTES = 1,
    BCI_BYTES = 2,
    BASE_BYTES = 2,
    LOW_BYTES = 4,                       /* of a pointer                                                           */
    HIGH_BYTES = 2,
    RECORD_BYTES = PARENT_BYTES + BCI_BYTES + BASE_BYTES + 3 * (LOW_BYTES + HIGH_BYTES)
};

void inlined_begin(struct inlined_writer *w, uint32_t methods) {
    rows_begin(&w->rows);
    w->method = w->bci = 0;
    numbers_put(&w->rows.table, methods);
}

static void put(struct inlined_writer *w, uint64_t v, unsigned bytes) {
    vm_assert(v >> 8 * bytes == 0, "a record has room for it");
    numbers_put_fixed(&w->rows.table, v, bytes);
}

static void put_pointer(struct inlined_writer *w, const void *p) {
    put(w, (uint32_t)(uintptr_t)p, LOW_BYTES);
    put(w, (uintptr_t)p >> 8 * LOW_BYTES, HIGH_BYTES);
}

void inlined_add(struct inlined_writer *w, const struct inlined_method *m) {
    put(w, m->parent, PARENT_BYTES);
    put(w, m->bci, BCI_BYTES);
    put(w, m->base, BASE_BYTES);
    put_pointer(w, m->code);
    put_pointer(w, m->receiver);
    put_pointer(w, m->site);
}

void inlined_note(struct inlined_writer *w, uint32_t offset, uint32_t method, uint32_t bci) {
    if (method == w->method && bci == w->bci) return;
    (void)rows_add(&w->rows, offset);
    numbers_put(&w->rows.table, method);
    numbers_put(&w->rows.table, bci);
    w->method = method;
    w->bci = bci;
}

static ALWAYS_INLINE struct inlined_reader read_table(const struct code_blob *b) {
    const uint8_t *end = code_blob_begin(b) + b->length, *p = end - b->inlined;
    uint64_t count = numbers_take(&p, end);
    count = MIN(count, (size_t)(end - p) / RECORD_BYTES);
    return (struct inlined_reader){.methods = p, .count = (uint32_t)count,
                                   .rows = rows_of(p + count * RECORD_BYTES, end)};
}

struct inlined_reader inlined_read(const struct code_blob *b) { return read_table(b); }

/* In two parts, each loaded as it is. */
static ALWAYS_INLINE void *take_pointer(const uint8_t **p) {
    uint64_t low = numbers_take_fixed(p, LOW_BYTES);
    return (void *)(uintptr_t)(numbers_take_fixed(p, HIGH_BYTES) << 8 * LOW_BYTES | low);
}

/* That with the number `index` + 1. */
static ALWAYS_INLINE struct inlined_method method_at(const uint8_t *methods, uint32_t index) {
    const uint8_t *p = methods + (size_t)index * RECORD_BYTES;
    struct inlined_method m;
    m.parent = (uint32_t)numbers_take_fixed(&p, PARENT_BYTES);
    m.bci = (uint32_t)numbers_take_fixed(&p, BCI_BYTES);
    m.base = (uint32_t)numbers_take_fixed(&p, BASE_BYTES);
    m.code = take_pointer(&p);
    m.receiver = take_pointer(&p);
    m.site = take_pointer(&p);
    return m;
}

bool inlined_next_method(struct inlined_reader *r, struct inlined_method *out) {
    if (r->next == r->count) return false;
    *out = method_at(r->methods, r->next++);
    return true;
}

static ALWAYS_INLINE bool next_row(struct inlined_reader *r) {
    bool is_first;
    if (!rows_next(&r->rows, &is_first)) return false;
    r->method = (uint32_t)rows_take(&r->rows);
    r->bci = (uint32_t)rows_take(&r->rows);
    return true;
}

bool inlined_next_row(struct inlined_reader *r) { return next_row(r); }

void inlined_find(const struct code_blob *b, const void *pc, struct inlined_place *out) {
    uint32_t offset = (uint32_t)((const uint8_t *)pc - code_blob_begin(b)), method = 0, bci = 0;
    out->count = 0;
    if (b->inlined == 0) return;
    struct inlined_reader r = read_table(b);
    rows_seek(&r.rows, offset);
    while (next_row(&r) && r.rows.offset <= offset) {
        method = r.method;
        bci = r.bci;
    }
    while (method != 0 && method <= r.count && out->count < INLINED_LEVELS) {
        struct inlined_frame *f = &out->frames[out->count++];
        *f = (struct inlined_frame){method_at(r.methods, method - 1), bci};
        method = f->method.parent;
        bci = f->method.bci;
    }
}
