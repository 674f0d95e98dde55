/* Growth of vectors; open-addressing hash tables with linear probing and backward-shift deletion. */
#include "base/table.h"

/* ---- Vector --------------------------------------------------------------------------------------------------- */

bool vec_grow_(enum memory_category of, void **data, size_t *capacity, size_t element, size_t wanted) {
    size_t n = MAX(*capacity + *capacity / 2, (size_t)8);
    if (n < wanted) n = wanted;
    if (n > SIZE_MAX / element) return false;
    void *p = mem_realloc_for(of, *data, n * element);
    if (!p) return false;
    *data = p;
    *capacity = n;
    return true;
}

/* ---- 64-bit keys ---------------------------------------------------------------------------------------------- */

/* Fibonacci hashing: keys are often aligned addresses, whose low bits are all alike. */
static size_t int_home(uint64_t key, size_t capacity) {
    return (size_t)((key * 0x9E3779B97F4A7C15u) >> 20) & (capacity - 1);
}

static size_t int_find(const struct int_table *t, uint64_t key) {
    size_t i = int_home(key, t->capacity);
    while (t->slots[i].key != 0 && t->slots[i].key != key) i = (i + 1) & (t->capacity - 1);
    return i;
}

static bool int_resize(enum memory_category of, struct int_table *t, size_t capacity) {
    struct int_table bigger = { .slots = mem_calloc_for(of, capacity, sizeof *t->slots), .capacity = capacity };
    if (!bigger.slots) return false;
    for (size_t i = 0; i < t->capacity; i++)
        if (t->slots[i].key) bigger.slots[int_find(&bigger, t->slots[i].key)] = t->slots[i];
    mem_free(t->slots);
    t->slots = bigger.slots;
    t->capacity = capacity;
    return true;
}

bool int_table_put_for(enum memory_category of, struct int_table *t, uint64_t key, uint64_t value) {
    if (key == 0) {
        t->count += !t->has_zero;
        t->has_zero = true;
        t->zero_value = value;
        return true;
    }
    if (t->capacity == 0 && !int_resize(of, t, 8)) return false;
    size_t i = int_find(t, key);
    if (t->slots[i].key == 0) {
        if ((t->count + 1) * 4 > t->capacity * 3) {
            if (!int_resize(of, t, t->capacity * 2)) return false;
            i = int_find(t, key);
        }
        t->slots[i].key = key;
        t->count++;
    }
    t->slots[i].value = value;
    return true;
}

bool int_table_get(const struct int_table *t, uint64_t key, uint64_t *out_value) {
    uint64_t value;
    if (key == 0) {
        if (!t->has_zero) return false;
        value = t->zero_value;
    } else {
        if (t->capacity == 0) return false;
        size_t i = int_find(t, key);
        if (t->slots[i].key == 0) return false;
        value = t->slots[i].value;
    }
    if (out_value) *out_value = value;
    return true;
}

bool int_table_remove(struct int_table *t, uint64_t key, uint64_t *out_value) {
    if (!int_table_get(t, key, out_value)) return false;
    t->count--;
    if (key == 0) {
        t->has_zero = false;
        return true;
    }
    size_t mask = t->capacity - 1, hole = int_find(t, key);
    for (size_t i = (hole + 1) & mask; t->slots[i].key; i = (i + 1) & mask) {
        size_t home = int_home(t->slots[i].key, t->capacity);
        if (((i - home) & mask) >= ((i - hole) & mask)) {      /* its probe path runs over the hole */
            t->slots[hole] = t->slots[i];
            hole = i;
        }
    }
    t->slots[hole].key = 0;
    return true;
}

void int_table_free(struct int_table *t) {
    mem_free(t->slots);
    *t = (struct int_table){ 0 };
}

void int_table_iterate(const struct int_table *t, bool (*visit)(uint64_t, uint64_t, void *), void *arg) {
    if (t->has_zero && !visit(0, t->zero_value, arg)) return;
    for (size_t i = 0; i < t->capacity; i++)
        if (t->slots[i].key && !visit(t->slots[i].key, t->slots[i].value, arg)) return;
}

/* ---- Strings -------------------------------------------------------------------------------------------------- */

static uint32_t str_hash(const char *key, size_t len) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < len; i++) h = (h ^ (uint8_t)key[i]) * 16777619u;
    return h;
}

static size_t str_find(const struct str_table *t, const char *key, size_t len, uint32_t hash) {
    size_t i = hash & (t->capacity - 1);
    for (; t->slots[i].key; i = (i + 1) & (t->capacity - 1)) {
        const struct str_entry *e = &t->slots[i];
        if (e->hash == hash && e->length == len && memcmp(e->key, key, len) == 0) break;
    }
    return i;
}

static bool str_resize(enum memory_category of, struct str_table *t, size_t capacity) {
    struct str_entry *slots = mem_calloc_for(of, capacity, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < t->capacity; i++) {
        if (!t->slots[i].key) continue;
        size_t at = t->slots[i].hash & (capacity - 1);
        while (slots[at].key) at = (at + 1) & (capacity - 1);
        slots[at] = t->slots[i];
    }
    mem_free(t->slots);
    t->slots = slots;
    t->capacity = capacity;
    return true;
}

bool str_table_put_for(enum memory_category of, struct str_table *t, const char *key, size_t len, void *value) {
    if (len > UINT32_MAX - 1) return false;
    if ((t->count + 1) * 4 > t->capacity * 3 && !str_resize(of, t, t->capacity ? t->capacity * 2 : 8)) return false;
    uint32_t hash = str_hash(key, len);
    size_t   i = str_find(t, key, len, hash);
    if (!t->slots[i].key) {
        char *copy = mem_strndup_for(of, key, len);
        if (!copy) return false;
        t->slots[i] = (struct str_entry){ copy, (uint32_t)len, hash, NULL };
        t->count++;
    }
    t->slots[i].value = value;
    return true;
}

static struct str_entry *str_entry_of(const struct str_table *t, const char *key, size_t len) {
    if (t->capacity == 0) return NULL;
    struct str_entry *e = &t->slots[str_find(t, key, len, str_hash(key, len))];
    return e->key ? e : NULL;
}

void *str_table_get(const struct str_table *t, const char *key, size_t len) {
    const struct str_entry *e = str_entry_of(t, key, len);
    return e ? e->value : NULL;
}

bool str_table_contains(const struct str_table *t, const char *key, size_t len) {
    return str_entry_of(t, key, len) != NULL;
}

void *str_table_remove(struct str_table *t, const char *key, size_t len) {
    struct str_entry *e = str_entry_of(t, key, len);
    if (!e) return NULL;
    void  *value = e->value;
    size_t mask = t->capacity - 1, hole = (size_t)(e - t->slots);
    mem_free(e->key);
    for (size_t i = (hole + 1) & mask; t->slots[i].key; i = (i + 1) & mask) {
        size_t home = t->slots[i].hash & mask;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            t->slots[hole] = t->slots[i];
            hole = i;
        }
    }
    t->slots[hole] = (struct str_entry){ 0 };
    t->count--;
    return value;
}

void str_table_free(struct str_table *t) {
    for (size_t i = 0; i < t->capacity; i++) mem_free(t->slots[i].key);
    mem_free(t->slots);
    *t = (struct str_table){ 0 };
}

struct table_figures int_table_figures(const struct int_table *t) {
    return (struct table_figures){.buckets = t->capacity, .bucket_bytes = sizeof *t->slots, .entries = t->count,
                                  .longest = t->count != 0, .squares = (double)t->count};
}
