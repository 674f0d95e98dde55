/* table.c: stable arrays and numberings. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

void *stable_make(struct stable *s, uint32_t i) {
    if (i / STABLE_CHUNK >= STABLE_CHUNKS) return NULL;
    if (atomic_load(&s->chunks[i / STABLE_CHUNK]) == NULL) {
        char *chunk = calloc(STABLE_CHUNK, s->size);
        if (chunk == NULL) return NULL;
        atomic_store(&s->chunks[i / STABLE_CHUNK], chunk);
    }
    return stable_get(s, i);
}

void stable_free(struct stable *s) {
    for (unsigned i = 0; i < STABLE_CHUNKS; i++) {
        free(atomic_load(&s->chunks[i]));
        atomic_store(&s->chunks[i], NULL);
    }
}

struct numbered {
    uint32_t hash, next;                /* next entry of the bucket + 1                                   */
    size_t length;
    unsigned char *key;
};

static uint32_t hash_of(const unsigned char *p, size_t n) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 0x100000001b3u;
    return (uint32_t)(h ^ h >> 32);
}

static bool grow(struct numbering *t) {
    uint32_t capacity = t->capacity > 0 ? t->capacity * 2 : 256;
    struct numbered *entries = realloc(t->entries, capacity * sizeof *entries);
    if (entries == NULL) return false;
    t->entries = entries;
    uint32_t *buckets = calloc((size_t)capacity * 2, sizeof *buckets);
    if (buckets == NULL) return false;
    free(t->buckets);
    t->buckets = buckets;
    t->bucket_count = capacity * 2;
    t->capacity = capacity;
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t *bucket = &buckets[entries[i].hash % t->bucket_count];
        entries[i].next = *bucket;
        *bucket = i + 1;
    }
    return true;
}

uint32_t numbering_put(struct numbering *t, const void *key, size_t n, bool *fresh) {
    uint32_t hash = hash_of(key, n);
    *fresh = false;
    for (uint32_t i = t->bucket_count > 0 ? t->buckets[hash % t->bucket_count] : 0; i != 0;
         i = t->entries[i - 1].next) {
        const struct numbered *e = &t->entries[i - 1];
        if (e->hash == hash && e->length == n && memcmp(e->key, key, n) == 0) return i - 1;
    }
    if (t->count == t->capacity && !grow(t)) return NO_INDEX;
    unsigned char *copy = malloc(n > 0 ? n : 1);
    if (copy == NULL) return NO_INDEX;
    memcpy(copy, key, n);
    uint32_t *bucket = &t->buckets[hash % t->bucket_count];
    t->entries[t->count] = (struct numbered){hash, *bucket, n, copy};
    *bucket = ++t->count;
    *fresh = true;
    return t->count - 1;
}

const void *numbering_key(const struct numbering *t, uint32_t number, size_t *n) {
    *n = t->entries[number].length;
    return t->entries[number].key;
}

void numbering_free(struct numbering *t) {
    for (uint32_t i = 0; i < t->count; i++) free(t->entries[i].key);
    free(t->entries);
    free(t->buckets);
    memset(t, 0, sizeof *t);
}
