/* C memory: checked allocation where running out is a result, and arenas. */
#ifndef VITRINE_BASE_ALLOC_H
#define VITRINE_BASE_ALLOC_H

#include "base/base.h"
#include "base/memory.h"

/* All return NULL when memory runs out; a size of 0 gives a unique non-NULL block. Any thread. What the block is for
 * is, without _for, what the file takes memory for (MEMORY_OF). */
void *mem_alloc_for(enum memory_category of, size_t size) MUST_CHECK;
void *mem_zalloc_for(enum memory_category of, size_t size) MUST_CHECK;
void *mem_calloc_for(enum memory_category of, size_t count, size_t size) MUST_CHECK;     /* zeroed; overflow of the
                                                                                            product gives NULL  */
void *mem_alloc_aligned_for(enum memory_category of, size_t alignment, size_t size) MUST_CHECK;   /* alignment: a power
                                                                                            of two, 8 or more   */
void *mem_realloc_for(enum memory_category of, void *p, size_t size) MUST_CHECK;         /* on failure p stays valid */
void  mem_free(void *p);                                     /* NULL is allowed                             */
void *mem_dup_for(enum memory_category of, const void *p, size_t size) MUST_CHECK;
char *mem_strdup_for(enum memory_category of, const char *s) MUST_CHECK;
char *mem_strndup_for(enum memory_category of, const char *s, size_t len) MUST_CHECK;    /* exactly len bytes, a NUL */
char *mem_printf_for(enum memory_category of, const char *fmt, ...) PRINTF_LIKE(2, 3) MUST_CHECK;
char *mem_vprintf_for(enum memory_category of, const char *fmt, va_list args) MUST_CHECK;
#define mem_alloc(size)                    mem_alloc_for(MEMORY_OF, size)
#define mem_zalloc(size)                   mem_zalloc_for(MEMORY_OF, size)
#define mem_calloc(count, size)            mem_calloc_for(MEMORY_OF, count, size)
#define mem_alloc_aligned(alignment, size) mem_alloc_aligned_for(MEMORY_OF, alignment, size)
#define mem_realloc(p, size)               mem_realloc_for(MEMORY_OF, p, size)
#define mem_dup(p, size)                   mem_dup_for(MEMORY_OF, p, size)
#define mem_strdup(s)                      mem_strdup_for(MEMORY_OF, s)
#define mem_strndup(s, len)                mem_strndup_for(MEMORY_OF, s, len)
#define mem_printf(...)                    mem_printf_for(MEMORY_OF, __VA_ARGS__)
#define mem_vprintf(fmt, args)             mem_vprintf_for(MEMORY_OF, fmt, args)

/* The n-th allocation that this thread makes from now on fails, arenas' included; 0: none. Answers how many were left
 * before it came to that (0: it has failed, or none was to). For tests of what happens then. */
unsigned mem_fail_at(unsigned n);

/* A set of blocks that die together. Chunks of 512 bytes at least and of an eighth of what it has, up to
 * 256 KiB; a block that is big beside that is taken by itself, so that little is left over: most arenas are a class's
 * and live long. Not thread safe: the owner's lock guards it. */
struct arena;
struct arena *arena_new_usual(enum memory_category of, const char *name) MUST_CHECK;     /* name: static string, for
                                                                                            statistics          */
/* As arena_new, but the first chunk has just room for blocks that make `size` bytes together. */
struct arena *arena_new_of(enum memory_category of, const char *name, size_t size) MUST_CHECK;
#define arena_new(name)           arena_new_usual(MEMORY_OF, name)
#define arena_new_for(name, size) arena_new_of(MEMORY_OF, name, size)
/* The next blocks will make `size` bytes together: they come from one chunk that has just room for them. False: out of
 * memory. */
bool          arena_expect(struct arena *a, size_t size) MUST_CHECK;
/* As arena_alloc, but if the newest chunk has no room the block gets a chunk of its own: for the last blocks that an
 * arena is asked for. */
void         *arena_alloc_last(struct arena *a, size_t size) MUST_CHECK;
void         *arena_alloc(struct arena *a, size_t size) MUST_CHECK;   /* zeroed, 8-aligned, NULL when out   */
void         *arena_dup(struct arena *a, const void *p, size_t size) MUST_CHECK;
char         *arena_strndup(struct arena *a, const char *s, size_t len) MUST_CHECK;
void          arena_free(struct arena *a);                   /* NULL is allowed                             */
size_t        arena_size(const struct arena *a);             /* bytes taken from the system                 */
size_t        arena_used(const struct arena *a);             /* bytes handed out                            */
size_t        arena_chunks(const struct arena *a);
size_t        arena_rest(const struct arena *a);             /* bytes free in the newest chunk              */

/* Bytes in all living arenas of the process (taken from the system). */
size_t        arena_total(void);
/* Calls base_hooks.arena_reached once, as soon as arena_total() is `bytes`; SIZE_MAX: never. Replaces the
 * watch before. */
void          arena_watch(size_t bytes);

#endif
