/* The symbol table: stripes of chained hash tables, each with its own lock.
 *
 * A lookup takes the stripe's lock for a few dozen instructions; stripes are many, so that threads rarely meet. The
 * last release unlinks under the lock: a count that went to 0 may be raised again only by a lookup holding the same
 * lock, and whoever finds it still 0 there frees it. */
#include "base/symbol.h"

#include "base/alloc.h"
#include "base/lock.h"
#include "base/table.h"

struct node {
    struct node  *next;
    struct symbol symbol;
};

#define STRIPES 64

struct stripe {
    struct lock   lock;
    struct node **buckets;
    size_t        capacity;      /* power of two, or 0 */
    size_t        count, bytes;
} __attribute__((aligned(64)));

static struct stripe stripes[STRIPES] = { [0 ... STRIPES - 1] = { .lock = LOCK_INIT("symbol stripe", SYMBOL) } };

static struct node *node_of(struct symbol *s) { return CONTAINER_OF(s, struct node, symbol); }

static uint32_t hash_of(const char *bytes, size_t len) {
    uint64_t h = 0x243F6A8885A308D3u ^ len;
    uint64_t w;
    for (; len >= 8; bytes += 8, len -= 8) {
        memcpy(&w, bytes, 8);
        h = (h ^ w) * 0x9E3779B97F4A7C15u;
        h ^= h >> 32;
    }
    w = 0;
    memcpy(&w, bytes, len);
    h = (h ^ w) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(h ^ h >> 32);
}

static struct stripe *stripe_of(uint32_t hash)          { return &stripes[hash % STRIPES]; }
static size_t bucket_of(const struct stripe *s, uint32_t hash) { return hash / STRIPES & (s->capacity - 1); }

static bool grow(struct stripe *s) {
    size_t        capacity = s->capacity ? s->capacity * 2 : 64;
    struct node **buckets = mem_calloc(capacity, sizeof *buckets);
    if (!buckets) return false;
    for (size_t i = 0; i < s->capacity; i++)
        for (struct node *n = s->buckets[i], *next; n; n = next) {
            next = n->next;
            struct node **head = &buckets[n->symbol.hash / STRIPES & (capacity - 1)];
            n->next = *head;
            *head = n;
        }
    mem_free(s->buckets);
    s->buckets = buckets;
    s->capacity = capacity;
    return true;
}

static struct symbol *find(const struct stripe *s, uint32_t hash, const char *bytes, size_t len) {
    if (!s->capacity) return NULL;
    for (struct node *n = s->buckets[bucket_of(s, hash)]; n; n = n->next)
        if (n->symbol.hash == hash && n->symbol.length == len && memcmp(n->symbol.bytes, bytes, len) == 0)
            return &n->symbol;
    return NULL;
}

static struct symbol *insert(struct stripe *s, uint32_t hash, const char *bytes, size_t len) {
    /* A failed growth only makes chains longer, unless there is no table at all. */
    if (s->count >= s->capacity && !grow(s) && !s->capacity) return NULL;
    struct node *n = mem_alloc(sizeof *n + len + 1);
    if (!n) return NULL;
    atomic_init(&n->symbol.refs, 1);
    n->symbol.hash = hash;
    n->symbol.length = (uint16_t)len;
    memcpy(n->symbol.bytes, bytes, len);
    n->symbol.bytes[len] = 0;
    struct node **head = &s->buckets[bucket_of(s, hash)];
    n->next = *head;
    *head = n;
    s->count++;
    s->bytes += sizeof *n + len + 1;
    return &n->symbol;
}

static struct symbol *get(const char *bytes, size_t len, bool create) {
    if (len > SYMBOL_MAX_LENGTH) return NULL;
    uint32_t       hash = hash_of(bytes, len);
    struct stripe *s = stripe_of(hash);
    lock_acquire(&s->lock);
    struct symbol *found = find(s, hash, bytes, len);
    if (found) atomic_fetch_add_explicit(&found->refs, 1, memory_order_relaxed);
    else if (create) found = insert(s, hash, bytes, len);
    lock_release(&s->lock);
    return found;
}

struct symbol *symbol_intern(const char *bytes, size_t len) { return get(bytes, len, true); }
struct symbol *symbol_intern_cstr(const char *s)            { return get(s, strlen(s), true); }
struct symbol *symbol_lookup(const char *bytes, size_t len) { return get(bytes, len, false); }
struct symbol *symbol_lookup_cstr(const char *s)            { return get(s, strlen(s), false); }

struct symbol *symbol_intern_printf(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *text = mem_vprintf(fmt, args);
    va_end(args);
    struct symbol *s = text ? symbol_intern_cstr(text) : NULL;
    mem_free(text);
    return s;
}

struct symbol *symbol_retain(struct symbol *s) {
    vm_assert(atomic_load(&s->refs) > 0, "symbol %s is dead", s->bytes);
    atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
    return s;
}

static void unlink_node(struct stripe *s, struct node *n) {
    struct node **link = &s->buckets[bucket_of(s, n->symbol.hash)];
    while (*link != n) link = &(*link)->next;
    *link = n->next;
    s->count--;
    s->bytes -= sizeof *n + n->symbol.length + 1u;
    mem_free(n);
}

void symbol_release(struct symbol *s) {
    if (!s) return;
    /* The last holder's step from 1 to 0 happens under the lock, so that no lookup can meet a dying symbol. */
    uint32_t refs = atomic_load_explicit(&s->refs, memory_order_relaxed);
    while (refs > 1)
        if (atomic_compare_exchange_weak_explicit(&s->refs, &refs, refs - 1, memory_order_release,
                                                  memory_order_relaxed))
            return;
    struct stripe *t = stripe_of(s->hash);
    lock_acquire(&t->lock);
    if (atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) == 1) unlink_node(t, node_of(s));
    lock_release(&t->lock);
}

bool symbol_equals(const struct symbol *s, const char *cstr) { return strcmp(s->bytes, cstr) == 0; }

void symbol_stats(size_t *count, size_t *bytes) {
    *count = *bytes = 0;
    for (int i = 0; i < STRIPES; i++) {
        lock_acquire(&stripes[i].lock);
        *count += stripes[i].count;
        *bytes += stripes[i].bytes + stripes[i].capacity * sizeof(struct node *);
        lock_release(&stripes[i].lock);
    }
}

void symbol_figures(struct table_figures *out) {
    *out = (struct table_figures){.bucket_bytes = sizeof(struct node *), .entry_bytes = sizeof(struct node)};
    for (int i = 0; i < STRIPES; i++) {
        struct stripe *s = &stripes[i];
        lock_acquire(&s->lock);
        out->buckets += s->capacity;
        out->entries += s->count;
        out->literal_bytes += s->bytes - s->count * sizeof(struct node);
        for (size_t b = 0; b < s->capacity; b++) {
            size_t n = 0;
            for (const struct node *node = s->buckets[b]; node; node = node->next) n++;
            out->longest = MAX(out->longest, n);
            out->squares += (double)n * (double)n;
        }
        lock_release(&s->lock);
    }
}

void symbol_iterate(void (*visit)(struct symbol *, void *), void *arg) {
    for (int i = 0; i < STRIPES; i++) {
        struct stripe *s = &stripes[i];
        lock_acquire(&s->lock);
        for (size_t b = 0; b < s->capacity; b++)
            for (struct node *n = s->buckets[b]; n; n = n->next) visit(&n->symbol, arg);
        lock_release(&s->lock);
    }
}

void symbol_table_destroy(void) {
    for (int i = 0; i < STRIPES; i++) {
        struct stripe *s = &stripes[i];
        lock_acquire(&s->lock);
        for (size_t b = 0; b < s->capacity; b++)
            for (struct node *n = s->buckets[b], *next; n; n = next) {
                next = n->next;
                mem_free(n);
            }
        mem_free(s->buckets);
        s->buckets = NULL;
        s->capacity = s->count = s->bytes = 0;
        lock_release(&s->lock);
    }
}
