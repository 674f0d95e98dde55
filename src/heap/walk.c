/* walk.c — finding objects: by address, one after the other, bitmaps for traversals, verification. */
#include "heap/heap_internal.h"

#include "base/alloc.h"
#include "base/log.h"

/* ---- by address -------------------------------------------------------------------------------------------------- */

/* Head of the large object whose pages `word` lies in, 0 when none. */
static uintptr_t large_head(const struct heap *h, uintptr_t word) {
    size_t page = page_of(h, word);
    if (!(h->used[page / PAGES_PER_BLOCK] >> (page % PAGES_PER_BLOCK) & 1)) return 0;
    uint32_t entry = h->pages[page];
    if (!(entry & PAGE_HEAD)) {
        if (entry == 0 || entry > page) return 0;
        page -= entry;
        if (!(h->pages[page] & PAGE_HEAD)) return 0;
    }
    return h->base + (page << HEAP_PAGE_SHIFT);
}

/* The last start at or before `word` in its block, 0 when none. */
static uintptr_t start_before(const struct heap *h, const uint8_t *bits, uintptr_t word) {
    uintptr_t low = ALIGN_DOWN(word - h->base, (uintptr_t)BLOCK_SIZE) + h->base;
    for (uintptr_t group = ALIGN_DOWN(word, (uintptr_t)512);; group -= 512) {
        uint64_t w;
        memcpy(&w, &bits[group >> 6], sizeof w);
        if (group + 512 > word) {
            unsigned keep = (unsigned)((word - group) >> 3) + 1;
            if (keep < 64) w &= ((uint64_t)1 << keep) - 1;
        }
        if (w != 0) return group + ((uintptr_t)(63 - __builtin_clzll(w)) << 3);
        if (group <= low) return 0;
    }
}

struct object *heap_find_start(const struct heap *h, const uint8_t *bits, uintptr_t word) {
    if (!heap_contains(h, word)) return NULL;
    uintptr_t at;
    switch (h->kind[block_of(h, word)]) {
    case BLOCK_FREE: return NULL;
    case BLOCK_LARGE: at = large_head(h, word); break;
    default: at = start_before(h, bits, word); break;
    }
    if (at == 0 || !bits_test(bits, at)) return NULL;
    struct object *o = (struct object *)at;
    return word - at < object_size(o) ? o : NULL;
}

struct object *heap_object_at(uintptr_t word) { return heap_find_start(vm->heap, vm->heap->starts, word); }

bool heap_is_object(const void *p) {
    const struct heap *h = vm->heap;
    uintptr_t a = (uintptr_t)p;
    if (!heap_contains(h, a) || !IS_ALIGNED(a, OBJECT_ALIGN)) return false;
    switch (h->kind[block_of(h, a)]) {
    case BLOCK_FREE: return false;
    case BLOCK_LARGE: return large_head(h, a) == a && bits_test(h->starts, a);
    default: return bits_test(h->starts, a);
    }
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static bool walk_small(const uint8_t *bits, uintptr_t block, bool (*visit)(void *arg, struct object *o), void *arg) {
    for (uintptr_t group = block; group < block + BLOCK_SIZE; group += 512) {
        uint64_t w;
        memcpy(&w, &bits[group >> 6], sizeof w);
        while (w != 0) {
            uintptr_t at = group + ((uintptr_t)__builtin_ctzll(w) << 3);
            w &= w - 1;
            if (w != 0) __builtin_prefetch((void *)(group + ((uintptr_t)__builtin_ctzll(w) << 3)));
            if (!visit(arg, (struct object *)at)) return false;
        }
    }
    return true;
}

bool heap_walk_bits(const struct heap *h, const uint8_t *bits, bool (*visit)(void *arg, struct object *o), void *arg) {
    REQUIRES(STOPPED);
    PROMISES_NO_SAFEPOINT();
    for (size_t b = skip_gap(h, 0); b < h->blocks; b = skip_gap(h, b + 1)) {
        if (h->kind[b] == BLOCK_FREE) continue;
        if (h->kind[b] != BLOCK_LARGE) {
            if (!walk_small(bits, block_address(h, b), visit, arg)) return false;
            continue;
        }
        for (size_t page = b * PAGES_PER_BLOCK; page < (b + 1) * PAGES_PER_BLOCK; page++) {
            uintptr_t at = h->base + (page << HEAP_PAGE_SHIFT);
            if (large_head(h, at) == at && bits_test(bits, at) && !visit(arg, (struct object *)at)) return false;
        }
    }
    return true;
}

struct dead_walk {
    bool (*visit)(void *arg, struct object *o);
    void *arg;
};
static bool visit_dead(void *arg, struct object *o) {
    struct dead_walk *w = arg;
    return bits_test(vm->heap->marks, (uintptr_t)o) || w->visit(w->arg, o);
}

void heap_walk_dead(bool (*visit)(void *arg, struct object *o), void *arg) {
    struct dead_walk w = { visit, arg };
    heap_walk(visit_dead, &w);
}

void heap_walk(bool (*visit)(void *arg, struct object *o), void *arg) {
    heap_walk_bits(vm->heap, vm->heap->starts, visit, arg);
}

/* ---- bitmaps ----------------------------------------------------------------------------------------------------- */

struct heap_bitmap *heap_bitmap_new(void) {
    const struct heap *h = vm->heap;
    struct heap_bitmap *b = mem_alloc(sizeof *b);
    if (b == NULL) return NULL;
    /* calloc maps zero pages for sizes like this, so only what is touched costs memory. */
    b->memory = mem_calloc((h->end - h->base) >> 6, 1);
    if (b->memory == NULL) { mem_free(b); return NULL; }
    b->bits = (uint8_t *)b->memory - (h->base >> 6);
    return b;
}

void heap_bitmap_free(struct heap_bitmap *b) {
    if (b == NULL) return;
    mem_free(b->memory);
    mem_free(b);
}

void heap_each_slot(struct object *o, void (*visit)(void *arg, struct object *o, size_t offset), void *arg) {
    const struct heap *h = vm->heap;
    const struct shape *s = shape_of(o);
    if (s->kind == SHAPE_REF_ARRAY) {
        for (int32_t i = 0; i < array_length(o); i++) visit(arg, o, ARRAY_DATA + (size_t)i * sizeof(ref_t));
        return;
    }
    for (uint32_t i = 0; i < s->span_count; i++)
        for (uint32_t n = 0; n < s->spans[i].count; n++) visit(arg, o, s->spans[i].offset + n * sizeof(ref_t));
    if (s->kind != SHAPE_REFERENCE || !h->layout_known) return;
    visit(arg, o, h->layout.referent);
    visit(arg, o, h->layout.discovered);
}

/* ---- verification ------------------------------------------------------------------------------------------------ */

struct verification {
    struct heap_visitor visitor;         /* first: roots are checked too */
    const char *when;
    unsigned faults;
    struct object *previous;
    uintptr_t previous_end;
};

static PRINTF_LIKE(2, 3) void fault(struct verification *v, const char *fmt, ...) {
    if (v->faults++ >= 20) return;       /* one fault usually makes many */
    char text[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    vm_print(true, "heap verification %s: %s\n", v->when, text);
}

const char *heap_class_name(const struct object *o) {
    return heap_hooks.class_name(o);
}

static void verify_slot(void *arg, struct object *o, size_t offset) {
    struct verification *v = arg;
    ref_t r = *(ref_t *)((char *)o + offset);
    if (r != 0 && !heap_is_object(ref_decode(r)))
        fault(v, "object %p (%s): reference at offset %zu is %p, which is no object", (void *)o, heap_class_name(o),
              offset, (void *)ref_decode(r));
}

static bool verify_object(void *arg, struct object *o) {
    struct verification *v = arg;
    const struct heap *h = vm->heap;
    const struct shape *s = shape_of(o);
    if ((uintptr_t)o < v->previous_end) fault(v, "object %p lies inside object %p", (void *)o, (void *)v->previous);
    if (s == NULL) { fault(v, "object %p has class id %u, which does not exist", (void *)o, o->class_id); return true; }
    if (s->kind == SHAPE_PRIMITIVE) {
        fault(v, "object %p has a primitive type's class id %u", (void *)o, o->class_id);
        return true;
    }
    size_t size = object_size(o);
    size_t b = block_of(h, (uintptr_t)o);
    if (size < OBJECT_MIN || size % OBJECT_ALIGN != 0) fault(v, "object %p has size %zu", (void *)o, size);
    if ((uintptr_t)o + size > (h->kind[b] == BLOCK_LARGE ? h->end : block_address(h, b + 1)))
        fault(v, "object %p of %zu bytes crosses its block's end", (void *)o, size);
    v->previous = o;
    v->previous_end = (uintptr_t)o + size;
    for (uint32_t i = 0; s->kind != SHAPE_REF_ARRAY && i < s->span_count; i++) {
        size_t end = s->spans[i].offset + s->spans[i].count * sizeof(ref_t);
        if (end <= size) continue;
        fault(v, "class id %u has a reference field at %zu, behind its end", s->id, end - sizeof(ref_t));
        return true;
    }
    heap_each_slot(o, verify_slot, v);
    return true;
}

static void verify_root(struct heap_visitor *visitor, struct object *o) {
    struct verification *v = (struct verification *)visitor;
    if (!heap_is_object(o)) fault(v, "a root is %p, which is no object", (void *)o);
}

unsigned heap_verify(const char *when) {
    REQUIRES(STOPPED);
    struct heap *h = vm->heap;
    struct verification v = { .visitor = { verify_root, NULL, NULL }, .when = when };
    heap_walk(verify_object, &v);
    if (h->layout_known) heap_hooks.visit_roots(&v.visitor);
    if (v.faults != 0) vm_print(true, "heap verification %s: %u faults\n", when, v.faults);
    log_info(gc_verify, "Verifying %s: %u faults", when, v.faults);
    return v.faults;
}
