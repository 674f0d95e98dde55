/* cache.c — see cache.h. Free room is found by bits, so that nothing that decides about it lies in the cache itself. */
#include "jit/cache.h"

#include "base/os.h"

enum { LEAST_GRAIN = 64, WORD_BITS = 64 };     /* a cache line; code begins at one, its header in the one before    */

static size_t grains_of(const struct code_cache *c, size_t bytes) { return ALIGN_UP(bytes, c->grain) / c->grain; }
static size_t blob_grains(const struct code_cache *c, size_t code) {
    return grains_of(c, sizeof(struct code_blob) + code + c->behind);
}
static size_t grain_count(const struct code_cache *c) { return (c->size - c->first) / c->grain; }
static size_t index_of(const struct code_cache *c, const void *p) {
    return (size_t)((const uint8_t *)p - c->runs - c->first) / c->grain;
}
static struct code_blob *blob_at(const struct code_cache *c, size_t i) {
    return (struct code_blob *)code_cache_grain(c, i);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static size_t bitmap_bytes(const struct code_cache *c) { return ALIGN_UP(c->size / c->grain, WORD_BITS) / 8; }

static void *bitmap(const struct code_cache *c) {
    void *p = os_reserve(NULL, bitmap_bytes(c));
    if (p != NULL && !os_commit(p, bitmap_bytes(c))) {
        os_release(p, bitmap_bytes(c));
        p = NULL;
    }
    return p;
}

bool code_cache_create(struct code_cache *c, size_t size) {
    *c = (struct code_cache){.size = ALIGN_UP(size, os_page_size())};
    if (!os_code_reserve(c->size, (void **)&c->writable, (void **)&c->runs)) return false;
    c->grain = c->writable == c->runs ? os_page_size() : LEAST_GRAIN;
    c->first = c->writable == c->runs ? 0 : LEAST_GRAIN - sizeof(struct code_blob);
    c->begins = bitmap(c);
    c->taken = bitmap(c);
    if (c->begins != NULL && c->taken != NULL) return true;
    code_cache_destroy(c);
    return false;
}

void code_cache_destroy(struct code_cache *c) {
    if (c->taken != NULL) os_release(c->taken, bitmap_bytes(c));
    if (c->begins != NULL) os_release((void *)c->begins, bitmap_bytes(c));
    if (c->writable != c->runs) os_release(c->writable, c->size);
    os_release(c->runs, c->size);
    *c = (struct code_cache){.size = 0};
}

/* ---- room -------------------------------------------------------------------------------------------------------- */

static bool is_taken(const struct code_cache *c, size_t i) { return c->taken[i / WORD_BITS] >> i % WORD_BITS & 1; }

static void set_taken(struct code_cache *c, size_t from, size_t count, bool taken) {
    for (size_t i = from; i < from + count; i++) {
        uint64_t bit = (uint64_t)1 << i % WORD_BITS;
        if (taken) c->taken[i / WORD_BITS] |= bit;
        else c->taken[i / WORD_BITS] &= ~bit;
    }
    if (!taken) {
        c->free_from = MIN(c->free_from, from);
        c->used -= count * c->grain;
    } else {
        if (c->free_from == from) c->free_from = from + count;
        c->used += count * c->grain;
        c->most_used = MAX(c->most_used, c->used);
    }
}

/* The first `count` free grains in a row; false: there are none. */
static bool find_gap(struct code_cache *c, size_t count, size_t *from) {
    size_t end = grain_count(c), run = 0;
    for (size_t i = c->free_from; i < end; i++) {
        if (run == 0 && i % WORD_BITS == 0 && c->taken[i / WORD_BITS] == UINT64_MAX) {
            i += WORD_BITS - 1;
            continue;
        }
        run = is_taken(c, i) ? 0 : run + 1;
        if (run < count) continue;
        *from = i + 1 - count;
        return true;
    }
    return false;
}

static bool switch_pages(struct code_cache *c, size_t from, size_t count, bool executable) {
    return c->writable != c->runs || os_code_protect(c->runs + from * c->grain, count * c->grain, executable);
}

struct code_blob *code_cache_take(struct code_cache *c, const struct code_blob *header) {
    size_t from, count = blob_grains(c, header->length);
    if (!find_gap(c, count, &from) || !switch_pages(c, from, count, false)) return NULL;
    set_taken(c, from, count, true);
    *(struct code_blob *)code_cache_writable(c, blob_at(c, from)) = *header;
    return blob_at(c, from);
}

void code_cache_keep(struct code_cache *c, size_t grains) {
    enum { PART = 16 };
    size_t count = MIN(grains, grain_count(c) / PART);
    if (!find_gap(c, count, &c->kept_from)) count = 0;
    c->kept_next = c->kept_from;
    c->kept_end = c->kept_from + count;
    set_taken(c, c->kept_from, count, true);
    c->used -= count * c->grain;         /* until blobs are in it                                                   */
    c->most_used = c->used;
}

struct code_blob *code_cache_take_kept(struct code_cache *c, const struct code_blob *header) {
    size_t from = c->kept_next, count = blob_grains(c, header->length);
    if (count > c->kept_end - from || !switch_pages(c, from, count, false)) return NULL;
    c->kept_next += count;
    c->used += count * c->grain;
    c->most_used = MAX(c->most_used, c->used);
    *(struct code_blob *)code_cache_writable(c, blob_at(c, from)) = *header;
    return blob_at(c, from);
}

/* What has been written is the other view's as well: this one need not keep its pages, which would count twice. */
static void let_go_of_pages(struct code_cache *c, size_t written) {
    enum { MOST_KEPT = 256 * 1024 };
    if (c->writable == c->runs || (c->written += written) < MOST_KEPT) return;
    c->written = 0;
    os_discard(c->writable, c->size);
}

bool code_cache_publish(struct code_cache *c, const struct code_blob *b) {
    size_t i = index_of(c, b), count = blob_grains(c, b->length);
    if (!switch_pages(c, i, count, true)) {
        bool is_kept = i >= c->kept_from && i < c->kept_end;
        if (is_kept) c->used -= count * c->grain;        /* nothing else may lie there                              */
        else set_taken(c, i, count, false);
        return false;
    }
    c->blobs++;
    let_go_of_pages(c, count * c->grain);
    atomic_fetch_or_explicit(&c->begins[i / WORD_BITS], (uint64_t)1 << i % WORD_BITS, memory_order_release);
    return true;
}

void code_cache_hide(struct code_cache *c, const struct code_blob *b) {
    size_t i = index_of(c, b);
    vm_assert(code_cache_find(c, b) == b, "no blob begins here");
    atomic_fetch_and_explicit(&c->begins[i / WORD_BITS], ~((uint64_t)1 << i % WORD_BITS), memory_order_relaxed);
    c->blobs--;
}

void code_cache_give_back(struct code_cache *c, const struct code_blob *b) {
    set_taken(c, index_of(c, b), blob_grains(c, b->length), false);
}

void code_cache_drop(struct code_cache *c, const struct code_blob *b) {
    code_cache_hide(c, b);
    code_cache_give_back(c, b);
}

const struct code_blob *code_cache_next(const struct code_cache *c, const struct code_blob *b) {
    size_t end = grain_count(c);
    for (size_t i = b == NULL ? 0 : index_of(c, b) + 1; i < end; i++) {
        uint64_t bits = atomic_load_explicit(&c->begins[i / WORD_BITS], memory_order_acquire) >> i % WORD_BITS;
        if (bits & 1) return blob_at(c, i);
        if (bits == 0) i |= WORD_BITS - 1;
    }
    return NULL;
}

const struct code_blob *code_cache_find(const struct code_cache *c, const void *pc) {
    if ((uintptr_t)pc - (uintptr_t)c->runs - c->first >= c->size - c->first) return NULL;
    size_t i = index_of(c, pc), word = i / WORD_BITS;
    uint64_t bits = atomic_load_explicit(&c->begins[word], memory_order_acquire);
    bits &= UINT64_MAX >> (WORD_BITS - 1 - i % WORD_BITS);
    while (bits == 0) {
        if (word == 0) return NULL;
        bits = atomic_load_explicit(&c->begins[--word], memory_order_acquire);
    }
    const struct code_blob *b = blob_at(c, word * WORD_BITS + WORD_BITS - 1 - (size_t)__builtin_clzll(bits));
    return (const uint8_t *)pc < code_blob_begin(b) + b->length ? b : NULL;
}
