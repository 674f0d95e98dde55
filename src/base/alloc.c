/* C memory: thin wrappers over malloc, and arenas. What they hand out is noted in the account of memory.h, if one is
 * kept. */
#include "base/alloc.h"

#include "base/hooks.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Single blocks -------------------------------------------------------------------------------------------- */

static _Thread_local unsigned fails_in;          /* allocations until the one that fails; 0: none does */

unsigned mem_fail_at(unsigned n) {
    unsigned left = fails_in;
    fails_in = n;
    return left;
}

static inline bool fails(void) {
#ifdef VITRINE_CHECK
    base_hooks.allocates();
#endif
    return UNLIKELY(fails_in != 0) && --fails_in == 0;
}

static NOINLINE void *noted(void *p, size_t size, enum memory_category of, void *frame) {
    memory_note(p, size, of, MEMORY_BLOCK, frame);
    return p;
}

/* What a function of this file gives out; noted if somebody asks for an account. In functions that are called from
 * outside only, whose frame leads to the caller. Two ways, of which the usual one ends in malloc. */
#define TAKEN(p, size, of) \
    (LIKELY(!memory_is_tracked()) ? (p) : noted((p), (size), (of), __builtin_frame_address(0)))

void *mem_alloc_for(enum memory_category of, size_t size) {
    return TAKEN(fails() ? NULL : malloc(size ? size : 1), size, of);
}

void *mem_zalloc_for(enum memory_category of, size_t size) {
    return TAKEN(fails() ? NULL : calloc(1, size ? size : 1), size, of);
}

void *mem_calloc_for(enum memory_category of, size_t count, size_t size) {
    if (fails()) return NULL;
    return TAKEN(count && size ? calloc(count, size) : calloc(1, 1), count * size, of);
}

void *mem_alloc_aligned_for(enum memory_category of, size_t alignment, size_t size) {
    void *p;
    if (fails() || posix_memalign(&p, alignment, size) != 0) return NULL;
    return TAKEN(p, size, of);
}

/* Another thread may be given the old block as soon as it is free: its note goes before. */
static NOINLINE void *realloc_noted(enum memory_category of, void *p, size_t size, void *frame) {
    struct memory_note old;
    bool noted = memory_forget(p, &old);
    void *fresh = realloc(p, size ? size : 1);
    if (fresh) memory_note(fresh, size, of, MEMORY_BLOCK, frame);
    else if (noted) memory_note_again(&old);
    return fresh;
}

void *mem_realloc_for(enum memory_category of, void *p, size_t size) {
    if (fails()) return NULL;
    if (memory_is_tracked()) return realloc_noted(of, p, size, __builtin_frame_address(0));
    return realloc(p, size ? size : 1);
}

static NOINLINE void free_noted(void *p) {
    struct memory_note old;
    memory_forget(p, &old);
    free(p);
}

void mem_free(void *p) {
    if (LIKELY(!memory_is_tracked())) free(p);
    else free_noted(p);
}

static ALWAYS_INLINE void *dup_raw(const void *p, size_t size, size_t room) {
    char *copy = fails() ? NULL : malloc(room ? room : 1);
    if (copy && size) memcpy(copy, p, size);
    return copy;
}

void *mem_dup_for(enum memory_category of, const void *p, size_t size) {
    return TAKEN(dup_raw(p, size, size), size, of);
}

static ALWAYS_INLINE char *strndup_raw(const char *s, size_t len) {
    char *copy = dup_raw(s, len, len + 1);
    if (copy) copy[len] = 0;
    return copy;
}

char *mem_strndup_for(enum memory_category of, const char *s, size_t len) {
    return TAKEN(strndup_raw(s, len), len + 1, of);
}

char *mem_strdup_for(enum memory_category of, const char *s) {
    size_t len = strlen(s);
    return TAKEN(strndup_raw(s, len), len + 1, of);
}

static char *vprintf_raw(const char *fmt, va_list args) {
    char *text = NULL;
    if (fails()) return NULL;
    return vasprintf(&text, fmt, args) < 0 ? NULL : text;
}

char *mem_vprintf_for(enum memory_category of, const char *fmt, va_list args) {
    char *text = vprintf_raw(fmt, args);
    return TAKEN(text, text ? strlen(text) + 1 : 0, of);
}

char *mem_printf_for(enum memory_category of, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *text = vprintf_raw(fmt, args);
    va_end(args);
    return TAKEN(text, text ? strlen(text) + 1 : 0, of);
}

/* ---- Arenas --------------------------------------------------------------------------------------------------- */

/* [chunk header | data ... ] -> older chunk; the arena itself lies at the start of its first chunk's data, so that a
 * hidden class costs one malloc. */
struct chunk {
    struct chunk *older;
};

struct arena {
    const char   *name;
    struct chunk *newest;
    char         *next, *end;    /* free part of the newest chunk */
    size_t        used;
    size_t        taken : 56, of : 8;    /* of: enum memory_category */
};

#define FIRST_CHUNK ((size_t)1 << 10)
#define CHUNK_STEP  ((size_t)512)
#define LAST_CHUNK  ((size_t)256 << 10)
#define TAKEN_MOST  (((size_t)1 << 56) - 1)
#define MALLOC_HEAD 8            /* malloc's own word in front of a block, whose sizes go in steps of 16 */

static _Atomic size_t all_arenas, watched = SIZE_MAX;

static struct chunk *new_chunk(size_t size, enum memory_category of, enum memory_kind kind, void *frame) {
    struct chunk *c = fails() ? NULL : calloc(1, size);
    if (!c) return NULL;
    if (memory_is_tracked()) memory_note(c, size, of, kind, frame);
    size_t total = atomic_fetch_add_explicit(&all_arenas, size, memory_order_relaxed) + size;
    if (UNLIKELY(total >= atomic_load_explicit(&watched, memory_order_relaxed)) &&
        atomic_exchange(&watched, SIZE_MAX) != SIZE_MAX)
        base_hooks.arena_reached();
    return c;
}

/* The size of a chunk for `data` bytes: all that malloc takes for it. */
static size_t chunk_size(size_t data) { return ALIGN_UP(sizeof(struct chunk) + data + MALLOC_HEAD, 16) - MALLOC_HEAD; }

static struct arena *make_arena(enum memory_category of, const char *name, size_t size, void *frame) {
    if (size > SIZE_MAX / 2) return NULL;
    size_t want = chunk_size(sizeof(struct arena) + size);
    struct chunk *c = new_chunk(want, of, MEMORY_ARENA, frame);
    if (!c) return NULL;
    struct arena *a = (struct arena *)(c + 1);
    a->name = name;
    a->newest = c;
    a->next = (char *)(a + 1);
    a->end = (char *)c + want;
    a->taken = want & TAKEN_MOST;
    a->of = of;
    return a;
}

struct arena *arena_new_of(enum memory_category of, const char *name, size_t size) {
    return make_arena(of, name, size, __builtin_frame_address(0));
}

struct arena *arena_new_usual(enum memory_category of, const char *name) {
    return make_arena(of, name, FIRST_CHUNK - MALLOC_HEAD - sizeof(struct chunk) - sizeof(struct arena),
                      __builtin_frame_address(0));
}

/* The rest of the newest chunk so far is given up. */
static bool add_chunk(struct arena *a, size_t size, void *frame) {
    struct chunk *c = new_chunk(size, a->of, MEMORY_CHUNK, frame);
    if (!c) return false;
    c->older = a->newest;
    a->newest = c;
    a->next = (char *)(c + 1);
    a->end = (char *)c + size;
    a->taken += size & TAKEN_MOST;
    return true;
}

bool arena_expect(struct arena *a, size_t size) {
    if (size > SIZE_MAX / 2) return false;
    return size <= (size_t)(a->end - a->next) || add_chunk(a, chunk_size(size), __builtin_frame_address(0));
}

/* The newest chunk has room. */
static inline void *take(struct arena *a, size_t size) {
    void *p = a->next;
    a->next += size;
    a->used += size;
    return p;
}

/* A block in a chunk of its own, behind the newest, whose rest stays in use. */
static void *alloc_alone(struct arena *a, size_t size, void *frame) {
    size_t want = chunk_size(size);
    struct chunk *c = new_chunk(want, a->of, MEMORY_CHUNK, frame);
    if (!c) return NULL;
    a->taken += want & TAKEN_MOST;
    a->used += size;
    c->older = a->newest->older;
    a->newest->older = c;
    return c + 1;
}

void *arena_alloc(struct arena *a, size_t size) {
    if (size > SIZE_MAX / 2) return NULL;
    size = ALIGN_UP(MAX(size, (size_t)1), 8);
    if (LIKELY(size <= (size_t)(a->end - a->next))) return take(a, size);
    size_t grow = MIN(MAX(ALIGN_UP(a->taken / 8, CHUNK_STEP), CHUNK_STEP), LAST_CHUNK);
    if (size > grow / 4) return alloc_alone(a, size, __builtin_frame_address(0));
    return add_chunk(a, grow - MALLOC_HEAD, __builtin_frame_address(0)) ? take(a, size) : NULL;
}

void *arena_alloc_last(struct arena *a, size_t size) {
    if (size > SIZE_MAX / 2) return NULL;
    size = ALIGN_UP(MAX(size, (size_t)1), 8);
    return size <= (size_t)(a->end - a->next) ? take(a, size) : alloc_alone(a, size, __builtin_frame_address(0));
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
        mem_free(c);
    }
    atomic_fetch_sub_explicit(&all_arenas, taken, memory_order_relaxed);
}

size_t arena_size(const struct arena *a) { return a->taken; }
size_t arena_used(const struct arena *a) { return a->used; }
size_t arena_rest(const struct arena *a) { return (size_t)(a->end - a->next); }
size_t arena_chunks(const struct arena *a) {
    size_t n = 0;
    for (const struct chunk *c = a->newest; c; c = c->older) n++;
    return n;
}
void arena_watch(size_t bytes) { atomic_store(&watched, bytes); }

size_t arena_total(void)                 { return atomic_load_explicit(&all_arenas, memory_order_relaxed); }
