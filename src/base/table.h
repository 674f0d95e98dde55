/* A growable vector and small open-addressing hash tables. None of them locks. */
#ifndef VITRINE_BASE_TABLE_H
#define VITRINE_BASE_TABLE_H

#include "base/alloc.h"

/* Vector: VEC(struct x *) list = {0}; if (!vec_push(&list, p)) -> no memory. Free with vec_free. */
#define VEC(type) struct { type *data; size_t count, capacity; }
#define vec_push(v, ...)                                                                           \
    ((v)->count < (v)->capacity ||                                                                 \
     vec_grow_(MEMORY_OF, (void **)&(v)->data, &(v)->capacity, sizeof *(v)->data, (v)->count + 1)  \
         ? ((v)->data[(v)->count++] = (__VA_ARGS__), true) : false)
#define vec_reserve(v, n)                                                                          \
    ((n) <= (v)->capacity ||                                                                       \
     vec_grow_(MEMORY_OF, (void **)&(v)->data, &(v)->capacity, sizeof *(v)->data, (n)))
#define vec_pop(v)   ((v)->data[--(v)->count])
#define vec_last(v)  ((v)->data[(v)->count - 1])
#define vec_clear(v) ((void)((v)->count = 0))
#define vec_free(v)  (mem_free((v)->data), (v)->data = NULL, (v)->count = (v)->capacity = 0)
bool vec_grow_(enum memory_category of, void **data, size_t *capacity, size_t element, size_t wanted);

/* Map of 64-bit keys to 64-bit values; any key allowed. Zero-initialised is empty. */
struct int_table {
    struct int_entry { uint64_t key, value; } *slots;
    size_t   capacity;          /* power of two, or 0 */
    size_t   count;             /* with key 0         */
    bool     has_zero;          /* key 0 marks a free slot, so its value lives here */
    uint64_t zero_value;
};
bool   int_table_put_for(enum memory_category of, struct int_table *t, uint64_t key, uint64_t value) MUST_CHECK;
#define int_table_put(t, key, value) int_table_put_for(MEMORY_OF, t, key, value)      /* false: no memory           */
bool   int_table_get(const struct int_table *t, uint64_t key, uint64_t *out_value);   /* out may be NULL            */
bool   int_table_remove(struct int_table *t, uint64_t key, uint64_t *out_value);
void   int_table_free(struct int_table *t);
/* visit returns false to stop; it must not change the table. */
void   int_table_iterate(const struct int_table *t, bool (*visit)(uint64_t key, uint64_t value, void *arg), void *arg);

/* The same keyed by and holding pointers. */
struct ptr_table { struct int_table map; };
static inline bool ptr_table_put(struct ptr_table *t, const void *key, const void *value) {
    return int_table_put(&t->map, (uintptr_t)key, (uintptr_t)value);
}
static inline void *ptr_table_get(const struct ptr_table *t, const void *key) {
    uint64_t v;
    return int_table_get(&t->map, (uintptr_t)key, &v) ? (void *)(uintptr_t)v : NULL;
}
static inline void *ptr_table_remove(struct ptr_table *t, const void *key) {
    uint64_t v;
    return int_table_remove(&t->map, (uintptr_t)key, &v) ? (void *)(uintptr_t)v : NULL;
}
static inline size_t ptr_table_count(const struct ptr_table *t) { return t->map.count; }
static inline void   ptr_table_free(struct ptr_table *t) { int_table_free(&t->map); }

/* Map of byte strings to pointers; the table owns copies of its keys. */
/* The shape of a hash table, for tools. A table of open addresses has one entry at most in a bucket. */
struct table_figures {
    size_t buckets, bucket_bytes, entries, entry_bytes, literal_bytes;
    size_t longest;                      /* entries of one bucket              */
    double squares;                      /* sum of the squares of such numbers */
};
struct table_figures int_table_figures(const struct int_table *t);

struct str_table {
    struct str_entry { char *key; uint32_t length, hash; void *value; } *slots;
    size_t capacity, count;
};
bool  str_table_put_for(enum memory_category of, struct str_table *t, const char *key, size_t len,
                        void *value) MUST_CHECK;
#define str_table_put(t, key, len, value) str_table_put_for(MEMORY_OF, t, key, len, value)
void *str_table_get(const struct str_table *t, const char *key, size_t len);
bool  str_table_contains(const struct str_table *t, const char *key, size_t len);
void *str_table_remove(struct str_table *t, const char *key, size_t len);
void  str_table_free(struct str_table *t);

#endif
