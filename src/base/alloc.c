/* C memory: thin wrappers over malloc, and arenas. */
#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Single blocks -------------------------------------------------------------------------------------------- */

static _Thread_local unsigned fails_in;          /* allocations until the one that fails; 0: none does */

unsigned mem_fail_at(unsigned n) {
    unsigned left = fails_in;
    fails_in = n;
    return left;
}

static inline bool fails(void) { return UNLIKELY(fails_in != 0) && --fails_in == 0; }

void *mem_alloc(size_t size) { return fails() ? NULL : malloc(size ? size : 1); }

void *mem_zalloc(size_t size) { return fails() ? NULL : calloc(1, size ? size : 1); }

void *mem_calloc(size_t count, size_t size) {
    if (fails()) return NULL;
    return count && size ? calloc(count, size) : calloc(1, 1);
}

void *mem_realloc(void *p, size_t size) { return fails() ? NULL : realloc(p, size ? size : 1); }

void mem_free(void *p) { free(p); }

void *mem_dup(const void *p, size_t size) {
    void *copy = mem_alloc(size);
    if (copy && size) memcpy(copy, p, size);
    return copy;
}

char *mem_strndup(const char *s, size_t len) {
    char *copy = mem_alloc(len + 1);
    if (copy) {
        memcpy(copy, s, len);
        copy[len] = 0;
    }
    return copy;
}

char *mem_strdup(const char *s) { return mem_strndup(s, strlen(s)); }

char *mem_vprintf(const char *fmt, va_list args) {
    char *text = NULL;
    if (fails()) return NULL;
    return vasprintf(&text, fmt, args) < 0 ? NULL : text;
}

char *mem_printf(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *text = mem_vprintf(fmt, args);
    va_end(args);
    return text;
}

/* ---- Arenas --------------------------------------------------------------------------------------------------- */

/* [chunk header | data ... ] -> older chunk; the arena itself lies at the start of its first chunk's data, so that a
 * hidden class costs one malloc. */
struct chunk {
    struct chunk *older;
    size_t        size;          /* whole malloc block */
};

struct arena {
    const char   *name;
    struct chunk *newest;
    char         *next, *end;    /* free part of the newest chunk */
    size_t        taken, used;
};

#define FIRST_CHUNK ((size_t)1 << 10)
#define CHUNK_STEP  ((size_t)512)
#define LAST_CHUNK  ((size_t)256 << 10)
#define MALLOC_HEAD 16           /* malloc's own word, so that a chunk does not spill into the next size class */

static _Atomic size_t all_arenas, watched = SIZE_MAX;
static void (*_Atomic watcher)(void);

static struct chunk *new_chunk(size_t size) {
    struct chunk *c = mem_calloc(1, size);
    if (!c) return NULL;
    c->size = size;
    size_t total = atomic_fetch_add_explicit(&all_arenas, size, memory_order_relaxed) + size;
    if (UNLIKELY(total >= atomic_load_explicit(&watched, memory_order_relaxed)) && atomic_exchange(&watched, SIZE_MAX) != SIZE_MAX)
        atomic_load(&watcher)();
    return c;
}

struct arena *arena_new(const char *name) {
    struct chunk *c = new_chunk(FIRST_CHUNK - MALLOC_HEAD);
    if (!c) return NULL;
    struct arena *a = (struct arena *)(c + 1);
    a->name = name;
    a->newest = c;
    a->next = (char *)(a + 1);
    a->end = (char *)c + c->size;
    a->taken = c->size;
    return a;
}

void *arena_alloc(struct arena *a, size_t size) {
    if (size > SIZE_MAX / 2) return NULL;
    size = ALIGN_UP(MAX(size, (size_t)1), 8);
    if (LIKELY(size <= (size_t)(a->end - a->next))) {
        void *p = a->next;
        a->next += size;
        a->used += size;
        return p;
    }
    /* A big block gets a chunk of its own behind the newest, whose rest stays in use. */
    size_t grow = MIN(MAX(ALIGN_UP(a->taken / 8, CHUNK_STEP), CHUNK_STEP), LAST_CHUNK);
    bool   alone = size > grow / 4;
    size_t want = alone ? size + sizeof(struct chunk) : grow - MALLOC_HEAD;
    struct chunk *c = new_chunk(want);
    if (!c) return NULL;
    a->taken += want;
    a->used += size;
    if (alone) {
        c->older = a->newest->older;
        a->newest->older = c;
        return c + 1;
    }
    c->older = a->newest;
    a->newest = c;
    a->next = (char *)(c + 1) + size;
    a->end = (char *)c + want;
    return c + 1;
}

void *arena_dup(struct arena *a, const void *p, size_t size) {
    void *copy = arena_alloc(a, size);
    if (copy && size) memcpy(copy, p, size);
    return copy;
}

char *arena_strndup(struct arena *a, const char *s, size_t len) {
    char *copy = arena_alloc(a, len + 1);
    if (copy) memcpy(copy, s, len);
    return copy;
}

void arena_free(struct arena *a) {
    if (!a) return;
    size_t taken = a->taken;
    for (struct chunk *c = a->newest, *older; c; c = older) {
        older = c->older;
        free(c);
    }
    atomic_fetch_sub_explicit(&all_arenas, taken, memory_order_relaxed);
}

size_t arena_size(const struct arena *a) { return a->taken; }
size_t arena_used(const struct arena *a) { return a->used; }
void arena_watch(size_t bytes, void (*reached)(void)) {
    atomic_store(&watched, SIZE_MAX);
    atomic_store(&watcher, reached);
    atomic_store(&watched, bytes);
}

size_t arena_total(void)                 { return atomic_load_explicit(&all_arenas, memory_order_relaxed); }
