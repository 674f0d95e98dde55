/* cache.h — the code cache: address space for machine code, and what lies where in it.
 *
 *      written here                         run here: the same memory, or (mprotect) the very same pages
 *      +--------+------+--------+-- ...     +--------+------+--------+-- ...
 *      | header | code | header | code      | header | code | header | code
 *      +--------+------+--------+-- ...     +--------+------+--------+-- ...
 *
 * No page is ever writable and executable at one address at a time. Code that is published does not change until it is
 * dropped. Everything but code_cache_find is done under the caller's lock. */
#ifndef VITRINE_JIT_CACHE_H
#define VITRINE_JIT_CACHE_H

#include "base/base.h"

struct method_code;

/* In HotSpot's counting: native methods, code that counts nothing, the optimising compiler's. */
enum compilation_level { LEVEL_NATIVE = 0, LEVEL_BASELINE = 1, LEVEL_OPTIMISED = 4 };

/* What optimised code does about objects that nobody else sees: it allocates none of them; all, since tools watch. */
enum allocations { ALLOCATIONS_ANY, ALLOCATIONS_ELIDED, ALLOCATIONS_WATCHED };

/* Stands in front of its code; where it runs. */
struct code_blob {
    _Alignas(32) struct method_code *method;     /* what it is the code of; NULL: a stub                             */
    union {
        const char *name;                /* of a stub                                                              */
        struct {
            uint32_t id;                 /* of the compilation; 0: it is code that has the method interpreted       */
            uint32_t level : 4;          /* enum compilation_level                                                 */
            uint32_t allocations : 2;    /* enum allocations                                                       */
            uint32_t leaves_at_events : 1;       /* somewhere it leaves for a breakpoint, or a watched field       */
            uint32_t inlined : 25;       /* how long the table of inlined methods is (inlined.h), at the end; 0: none */
        };
    };
    uint32_t length;                     /* of the code, bytes, its tables included                                 */
    uint32_t pcs;                        /* where that begins (pcs.h); 0: it has none                              */
    union {
        uint32_t entries;                /* where the table of its loops and handlers begins                       */
        uint32_t way;                    /* without pcs: so far above the stack pointer lies the way_on while a C
                                          * function runs that it has called                                       */
    };
    uint32_t exits;                      /* where that of its exits does (exits.h), up to that of inlined methods   */
};
static inline const uint8_t *code_blob_begin(const struct code_blob *b) { return (const uint8_t *)(b + 1); }

struct code_cache {
    uint8_t *writable, *runs;            /* the two views: equal where pages are switched instead                  */
    size_t size;                         /* of each, bytes                                                         */
    size_t grain;                        /* blobs begin at its multiples: what can be switched by itself           */
    size_t first;                        /* ... counted from here, bytes                                           */
    _Atomic uint64_t *begins;            /* a bit for each grain: a published blob begins there                     */
    uint64_t *taken;                     /* ... the grain is part of a blob                                        */
    size_t free_from;                    /* no free grain lies before this one                                     */
    size_t behind;                       /* bytes that stay free behind each blob; the owner may set it at first   */
    size_t kept_from, kept_next, kept_end;       /* grains of code_cache_keep; the next that is free                */
    _Atomic size_t used;                 /* bytes; read without the lock too                                       */
    size_t most_used;
    size_t written;                      /* ... since the view that writes was without pages                       */
    uint32_t blobs;
};

/* Reserves a cache of `size` bytes, rounded up to pages. False: the system gives no memory, or allows no code in it. */
bool code_cache_create(struct code_cache *c, size_t size) MUST_CHECK;
/* Nobody runs anything in it any more. */
void code_cache_destroy(struct code_cache *c);

/* Room for a blob with this header, and for its code, to be written at code_cache_writable of the blob's own begin;
 * nobody sees it yet. NULL: no gap is large enough, or the system refuses to make the pages writable. */
struct code_blob *code_cache_take(struct code_cache *c, const struct code_blob *header);
/* Where what runs at p is written. */
static inline void *code_cache_writable(const struct code_cache *c, const void *p) {
    return c->writable + ((const uint8_t *)p - c->runs);
}
/* Where the i-th grain runs. */
static inline uint8_t *code_cache_grain(const struct code_cache *c, size_t i) {
    return c->runs + c->first + i * c->grain;
}
/* Keeps room for code that stays as long as the cache, at most so many grains and a part of the whole, and that the
 * unwind table describes as one: nothing else lies in it. Once, before anything is given back. */
void code_cache_keep(struct code_cache *c, size_t grains);
/* As code_cache_take, in that room. */
struct code_blob *code_cache_take_kept(struct code_cache *c, const struct code_blob *header);
static inline const uint8_t *code_cache_kept_begin(const struct code_cache *c) {
    return code_cache_grain(c, c->kept_from);
}
static inline const uint8_t *code_cache_kept_end(const struct code_cache *c) {
    return code_cache_grain(c, c->kept_end);
}
/* Its code has been written. From here on it may run, and is found. False: the system refuses to make the pages
 * executable; the room is given back. */
bool code_cache_publish(struct code_cache *c, const struct code_blob *b) MUST_CHECK;
/* No thread runs it or will: nobody finds it any more. */
void code_cache_hide(struct code_cache *c, const struct code_blob *b);
/* The room of a hidden blob may be taken again. */
void code_cache_give_back(struct code_cache *c, const struct code_blob *b);
/* Both. */
void code_cache_drop(struct code_cache *c, const struct code_blob *b);
/* The first published blob that begins behind `b`; of all, b being NULL. NULL: there is none. */
const struct code_blob *code_cache_next(const struct code_cache *c, const struct code_blob *b);

/* The published blob that `pc` lies in, header included, or NULL. Any thread, also in a signal handler: the answer
 * stays good while the blob does, as it does for a thread that runs it. */
const struct code_blob *code_cache_find(const struct code_cache *c, const void *pc);

#endif
