/* exits.c — see exits.h. A row (rows.h) says of an exit, whose end is the offset: its depth with its kind, and how many
 * operands it has; for each operand the difference of its index to the one before, its place, and what that needs
 * besides. A constant's sign is its lowest bit. Behind the operands of an exit that is come back from: the registers, a
 * bit each, how many slots, and how far each lies behind the one before. Behind the operands of an exit with objects:
 * how many; of each the class, and how many fields and monitors; of each field its kind, its offset, its place and what
 * that needs; of each monitor its frame and its order. */
#include "jit/exits.h"

static uint64_t sign_last(int64_t v) { return (uint64_t)v << 1 ^ (uint64_t)(v >> 63); }
static int64_t sign_first(uint64_t v) { return (int64_t)(v >> 1 ^ -(v & 1)); }

static void put_place(struct numbers_writer *w, const struct exit_operand *o) {
    numbers_put(w, o->place);
    if (o->place == EXIT_CONSTANT) numbers_put(w, sign_last(o->constant));
    if (o->place == EXIT_LOCAL || o->place == EXIT_OBJECT) numbers_put(w, o->local);
}

void exits_add(struct exits_writer *e, uint32_t end, unsigned kind, uint32_t depth, const struct exit_operand *operands,
               uint32_t count) {
    struct numbers_writer *w = &e->rows.table;
    uint32_t before = 0;
    (void)rows_add(&e->rows, end);
    numbers_put(w, (uint64_t)depth << EXIT_KIND_BITS | kind);
    numbers_put(w, count);
    for (const struct exit_operand *o = operands; o < operands + count; before = o->index, o++) {
        numbers_put(w, o->index - before);
        put_place(w, o);
    }
}

void exits_begin_objects(struct exits_writer *w, uint32_t count) { numbers_put(&w->rows.table, count); }

void exits_add_object(struct exits_writer *e, const struct class *class, const struct exit_field *fields,
                      uint32_t count, const struct exit_monitor *monitors, uint32_t monitor_count) {
    struct numbers_writer *w = &e->rows.table;
    numbers_put(w, (uintptr_t)class);
    numbers_put(w, count);
    numbers_put(w, monitor_count);
    for (const struct exit_field *f = fields; f < fields + count; f++) {
        numbers_put(w, (uint8_t)f->kind);
        numbers_put(w, f->value.index);
        put_place(w, &f->value);
    }
    for (const struct exit_monitor *m = monitors; m < monitors + monitor_count; m++) {
        numbers_put(w, m->frame);
        numbers_put(w, m->order);
    }
}

void exits_add_places(struct exits_writer *e, uint32_t words, const uint64_t slots[static EXIT_SLOT_WORDS]) {
    struct numbers_writer *w = &e->rows.table;
    uint32_t count = 0, next = 0;
    for (uint32_t i = 0; i < EXIT_SLOT_WORDS; i++) count += (uint32_t)__builtin_popcountll(slots[i]);
    numbers_put(w, words);
    numbers_put(w, count);
    for (uint32_t i = 0; i < EXIT_MOST_SLOTS; i++) {
        if (!(slots[i / 64] >> i % 64 & 1)) continue;
        numbers_put(w, i - next);
        next = i + 1;
    }
}

static uint64_t take(const uint8_t **p) { return numbers_take(p, *p + NUMBER_BYTES); }

static struct exit_operand next_operand(const uint8_t **p, uint32_t before) {
    struct exit_operand o = {.index = before + (uint32_t)take(p)};
    o.place = (uint8_t)take(p);
    if (o.place == EXIT_CONSTANT) o.constant = sign_first(take(p));
    if (o.place == EXIT_LOCAL || o.place == EXIT_OBJECT) o.local = (uint16_t)take(p);
    return o;
}

static void skip_operands(const uint8_t **p) {
    for (uint64_t count = take(p); count > 0; count--) next_operand(p, 0);
}

struct exit_objects exits_objects(const uint8_t *p) {
    skip_operands(&p);
    uint32_t count = (uint32_t)take(&p);
    return (struct exit_objects){.at = p, .count = count};
}

bool exits_next_field(struct exit_objects *o, struct exit_field *out) {
    if (o->fields == 0) return false;
    o->fields--;
    out->kind = (char)take(&o->at);
    out->value = next_operand(&o->at, 0);
    return true;
}

static void pass_over_fields(struct exit_objects *o) {
    struct exit_field f;
    while (exits_next_field(o, &f)) continue;
}

bool exits_next_monitor(struct exit_objects *o, struct exit_monitor *out) {
    pass_over_fields(o);
    if (o->monitors == 0) return false;
    o->monitors--;
    out->frame = (uint32_t)take(&o->at);
    out->order = (uint32_t)take(&o->at);
    return true;
}

static void pass_over_rest(struct exit_objects *o) {
    struct exit_monitor m;
    while (exits_next_monitor(o, &m)) continue;
}

bool exits_next_object(struct exit_objects *o) {
    pass_over_rest(o);
    if (o->count == 0) return false;
    o->count--;
    o->class = (struct class *)(uintptr_t)take(&o->at);
    o->fields = (uint32_t)take(&o->at);
    o->monitors = (uint32_t)take(&o->at);
    return true;
}

static void skip_places(const uint8_t **p) {
    take(p);
    for (uint64_t count = take(p); count > 0; count--) take(p);
}

/* Behind the operands of a row. */
static void skip_objects(const uint8_t **p) {
    struct exit_objects o = {.count = (uint32_t)take(p)};
    for (o.at = *p; exits_next_object(&o);) continue;
    *p = o.at;
}

struct exit_row exits_find(const uint8_t *exits, const uint8_t *end, uint32_t at) {
    struct rows r = rows_of(exits, end);
    rows_seek(&r, at);
    for (bool is_first; rows_next(&r, &is_first);) {
        uint32_t head = (uint32_t)rows_take(&r);
        const uint8_t *operands = r.at;
        uint32_t kind = head & ((1u << EXIT_KIND_BITS) - 1);
        if (r.offset == at)
            return (struct exit_row){rows_take(&r) != 0 || kind & EXIT_BACK ? operands : NULL, head >> EXIT_KIND_BITS,
                                     kind};
        skip_operands(&r.at);
        if (kind & EXIT_OBJECTS) skip_objects(&r.at);
        else if (kind & EXIT_BACK) skip_places(&r.at);
    }
    vm_assert(false, "no exit ends there");
    return (struct exit_row){NULL, 0, 0};
}

static uint64_t value_of(const struct exit_operand *o, const struct exit_registers *r, const uint64_t *locals) {
    if (o->place == EXIT_CONSTANT) return (uint64_t)o->constant;
    if (o->place == EXIT_LOCAL) return locals[o->local];
    if (o->place == EXIT_OBJECT) return 0;
    if (o->place >= EXIT_FLOAT) return (uint32_t)r->floats[o->place - EXIT_FLOAT];
    return o->place >= EXIT_DOUBLE ? r->floats[o->place - EXIT_DOUBLE] : r->words[o->place];
}

void exits_go_home(const uint8_t *p, const struct exit_registers *r, uint64_t *stack, const uint64_t *locals) {
    uint32_t index = 0;
    for (uint64_t count = take(&p); count > 0; count--) {
        struct exit_operand o = next_operand(&p, index);
        index = o.index;
        stack[index] = value_of(&o, r, locals);
    }
}

void exits_read_whole(const uint8_t *p, uint32_t kind, struct exit_values *out) {
    uint64_t homes[EXIT_SLOT_WORDS] = {0};               /* of the operands so far                                  */
    uint32_t index = 0, next = 0;
    out->count = (uint32_t)take(&p);
    out->slot_count = out->words = 0;
    out->in_order = true;
    vm_assert(out->count <= EXIT_MOST_OPERANDS, "an exit with %u operands", out->count);
    for (uint32_t i = 0; i < out->count; i++) {
        struct exit_operand o = out->operands[i] = next_operand(&p, index);
        index = o.index;
        if (o.place == EXIT_LOCAL && homes[o.local / 64] >> o.local % 64 & 1) out->in_order = false;
        homes[index / 64] |= (uint64_t)1 << index % 64;
    }
    if (!(kind & EXIT_BACK)) return;
    out->words = (uint32_t)take(&p);
    out->slot_count = (uint32_t)take(&p);
    for (uint32_t i = 0; i < out->slot_count; i++, next++) out->slots[i] = (uint16_t)(next += (uint32_t)take(&p));
}

static NOINLINE void change_places(const struct exit_values *v, const struct exit_registers *r, uint64_t *locals) {
    uint64_t values[EXIT_MOST_OPERANDS];
    for (uint32_t i = 0; i < v->count; i++) values[i] = value_of(&v->operands[i], r, locals);
    for (uint32_t i = 0; i < v->count; i++) locals[v->operands[i].index] = values[i];
    explicit_bzero(values, v->count * sizeof *values);   /* the collector may look at this part of the C stack later */
}

void exits_go_home_whole(const struct exit_values *v, const struct exit_registers *r, uint64_t *locals) {
    if (UNLIKELY(!v->in_order)) {
        change_places(v, r, locals);
        return;
    }
    for (uint32_t i = 0; i < v->count; i++) locals[v->operands[i].index] = value_of(&v->operands[i], r, locals);
}

uint64_t exits_field_value(const struct exit_field *f, const struct exit_registers *r, const uint64_t *locals) {
    return value_of(&f->value, r, locals);
}

void exits_put_objects(const uint8_t *p, const uint64_t *objects, uint64_t *locals) {
    uint32_t index = 0;
    for (uint64_t count = take(&p); count > 0; count--) {
        struct exit_operand o = next_operand(&p, index);
        index = o.index;
        if (o.place == EXIT_OBJECT) locals[index] = objects[o.local];
    }
}
