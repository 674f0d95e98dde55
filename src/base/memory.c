/* Notes of the C memory in use: a hash table of blocks in shards, counters by category and by call site. The tables'
 * own memory comes straight from the C library, so that noting never calls itself. */
#include "base/memory.h"

#include <link.h>
#include <pthread.h>
#include <stdlib.h>

_Atomic uint8_t memory_tracking = TRACKING_UNDECIDED;

static const char *const names[] = {
#define MEMORY(category, name) name,
#include "base/memory.def"
#undef MEMORY
};

const char *memory_category_name(enum memory_category c) { return names[c]; }

/* ---- counters ---------------------------------------------------------------------------------------------------- */

/* Bytes and blocks that were in use at most are noted without a lock: two threads that reach a peak at once may leave
 * the count of either. */
struct counter { _Atomic size_t bytes, count, peak_bytes, peak_count; };

static void counter_add(struct counter *c, size_t bytes, size_t count) {
    size_t now = atomic_fetch_add_explicit(&c->bytes, bytes, memory_order_relaxed) + bytes;
    size_t blocks = atomic_fetch_add_explicit(&c->count, count, memory_order_relaxed) + count;
    size_t peak = atomic_load_explicit(&c->peak_bytes, memory_order_relaxed);
    while (now >= peak)
        if (atomic_compare_exchange_weak_explicit(&c->peak_bytes, &peak, now, memory_order_relaxed,
                                                  memory_order_relaxed)) {
            atomic_store_explicit(&c->peak_count, blocks, memory_order_relaxed);
            break;
        }
}

static void counter_subtract(struct counter *c, size_t bytes, size_t count) {
    atomic_fetch_sub_explicit(&c->bytes, bytes, memory_order_relaxed);
    atomic_fetch_sub_explicit(&c->count, count, memory_order_relaxed);
}

static struct memory_use counter_read(const struct counter *c) {
    return (struct memory_use){
        atomic_load_explicit(&c->bytes, memory_order_relaxed), atomic_load_explicit(&c->count, memory_order_relaxed),
        atomic_load_explicit(&c->peak_bytes, memory_order_relaxed),
        atomic_load_explicit(&c->peak_count, memory_order_relaxed)};
}

static struct counter blocks[MEMORY_CATEGORIES], arenas[MEMORY_CATEGORIES], all_blocks;
static _Atomic size_t overhead, early;

/* ---- call sites -------------------------------------------------------------------------------------------------- */

struct site {
    void          *frames[MEMORY_FRAMES];
    uint32_t       next;                            /* in the bucket; 0: none */
    uint8_t        of;
    struct counter use;
};

enum { SITE_BUCKETS = 4099, SITES_PER_PIECE = 512, SITE_PIECES = 128 };

static pthread_mutex_t site_lock = PTHREAD_MUTEX_INITIALIZER;
static struct site *_Atomic site_pieces[SITE_PIECES];
static uint32_t site_buckets[SITE_BUCKETS], site_count;      /* numbered from 1 */
static uintptr_t text_low, text_high;

static struct site *site_at(uint32_t number) {
    struct site *piece = atomic_load_explicit(&site_pieces[number / SITES_PER_PIECE], memory_order_acquire);
    return &piece[number % SITES_PER_PIECE];
}

static int find_text(struct dl_phdr_info *info, size_t size UNUSED, void *arg UNUSED) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        uintptr_t low = info->dlpi_addr + h->p_vaddr, here = (uintptr_t)memory_note;
        if (h->p_type != PT_LOAD || here < low || here - low >= h->p_memsz) continue;
        text_low = low;
        text_high = low + h->p_memsz;
        return 1;
    }
    return 0;
}

/* Our functions keep the frame pointer, so that the frame of one leads to its caller's; others need not. */
void memory_call_site(void *frame, void *frames[MEMORY_FRAMES]) {
    enum { FARTHEST = 1 << 18 };                    /* a greater step is no frame pointer */
    memset(frames, 0, MEMORY_FRAMES * sizeof *frames);
    if (atomic_load_explicit(&memory_tracking, memory_order_relaxed) != TRACKING_DETAIL) return;
    uintptr_t at = (uintptr_t)frame;
    for (int i = 0; i < MEMORY_FRAMES; i++) {
        uintptr_t *words = (uintptr_t *)at, outer = words[0];
        frames[i] = (void *)words[1];
        if (words[1] < text_low || words[1] >= text_high) return;
        if (outer <= at || outer - at > FARTHEST || !IS_ALIGNED(outer, 8)) return;
        at = outer;
    }
}

static struct site *site_add(uint32_t number) {
    if (number / SITES_PER_PIECE >= SITE_PIECES) return NULL;
    if (site_pieces[number / SITES_PER_PIECE] == NULL) {
        struct site *piece = calloc(SITES_PER_PIECE, sizeof *piece);
        if (piece == NULL) return NULL;
        atomic_fetch_add_explicit(&overhead, SITES_PER_PIECE * sizeof *piece, memory_order_relaxed);
        atomic_store_explicit(&site_pieces[number / SITES_PER_PIECE], piece, memory_order_release);
    }
    return site_at(number);
}

/* The number of the site; 0: too many, or no memory. */
static uint32_t site_find(void *const frames[MEMORY_FRAMES], enum memory_category of) {
    uintptr_t hash = of;
    for (int i = 0; i < MEMORY_FRAMES; i++) hash = hash * 31 + ((uintptr_t)frames[i] >> 1);
    uint32_t *bucket = &site_buckets[hash % SITE_BUCKETS], found;
    pthread_mutex_lock(&site_lock);
    for (found = *bucket; found != 0; found = site_at(found)->next) {
        struct site *s = site_at(found);
        if (s->of == of && memcmp(s->frames, frames, sizeof s->frames) == 0) break;
    }
    struct site *fresh = found == 0 ? site_add(site_count + 1) : NULL;
    if (fresh != NULL) {
        memcpy(fresh->frames, frames, sizeof fresh->frames);
        fresh->of = (uint8_t)of;
        fresh->next = *bucket;
        *bucket = found = ++site_count;
    }
    pthread_mutex_unlock(&site_lock);
    return found;
}

/* ---- notes ------------------------------------------------------------------------------------------------------- */

/* Open addresses with linear probing; address 0 is a free slot. */
struct shard {
    pthread_mutex_t     lock;
    struct memory_note *notes;
    size_t              capacity, count;            /* capacity: a power of two, or 0 */
};

enum { SHARDS = 16, FIRST_NOTES = 64 };

#define SHARD { .lock = PTHREAD_MUTEX_INITIALIZER }
#define FOUR_SHARDS SHARD, SHARD, SHARD, SHARD
static struct shard shards[SHARDS] = { FOUR_SHARDS, FOUR_SHARDS, FOUR_SHARDS, FOUR_SHARDS };

static uint64_t hash_of(uintptr_t address) { return (uint64_t)(address >> 4) * 0x9E3779B97F4A7C15u; }
static struct shard *shard_of(uintptr_t address) { return &shards[hash_of(address) >> 60]; }
static size_t home_of(const struct shard *s, uintptr_t address) {
    return (size_t)(hash_of(address) >> 24) & (s->capacity - 1);
}

static size_t find(const struct shard *s, uintptr_t address) {
    size_t i = home_of(s, address);
    while (s->notes[i].address != 0 && s->notes[i].address != address) i = (i + 1) & (s->capacity - 1);
    return i;
}

static bool grow(struct shard *s) {
    struct shard bigger = { .capacity = s->capacity != 0 ? s->capacity * 2 : FIRST_NOTES };
    bigger.notes = calloc(bigger.capacity, sizeof *bigger.notes);
    if (bigger.notes == NULL) return false;
    for (size_t i = 0; i < s->capacity; i++)
        if (s->notes[i].address != 0) bigger.notes[find(&bigger, s->notes[i].address)] = s->notes[i];
    free(s->notes);
    atomic_fetch_add_explicit(&overhead, (bigger.capacity - s->capacity) * sizeof *s->notes, memory_order_relaxed);
    s->notes = bigger.notes;
    s->capacity = bigger.capacity;
    return true;
}

static void count(const struct memory_note *n, bool more) {
    size_t one = n->kind != MEMORY_CHUNK;
    struct counter *by[] = { &(n->kind == MEMORY_BLOCK ? blocks : arenas)[n->of], &all_blocks,
                             n->site != 0 ? &site_at(n->site)->use : NULL };
    for (size_t i = 0; i < ARRAY_LEN(by) && by[i] != NULL; i++)
        if (more) counter_add(by[i], n->size, i == 0 ? one : 1);
        else counter_subtract(by[i], n->size, i == 0 ? one : 1);
}

/* The lock of s is held: what is noted and what is counted go together. */
static void insert(struct shard *s, const struct memory_note *note) {
    if (s->count * 4 >= s->capacity * 3 && !grow(s)) return;
    s->notes[find(s, note->address)] = *note;
    s->count++;
    count(note, true);
}

void memory_note_again(const struct memory_note *note) {
    struct shard *s = shard_of(note->address);
    pthread_mutex_lock(&s->lock);
    insert(s, note);
    pthread_mutex_unlock(&s->lock);
}

void memory_note(void *p, size_t size, enum memory_category of, enum memory_kind kind, void *frame) {
    if (p == NULL) return;
    void *frames[MEMORY_FRAMES];
    struct memory_note note = { (uintptr_t)p, size, 0, (uint8_t)of, (uint8_t)kind };
    memory_call_site(frame, frames);
    struct shard *s = shard_of(note.address);
    pthread_mutex_lock(&s->lock);
    if (frames[0] != NULL) note.site = site_find(frames, of);
    if (memory_tracking == TRACKING_UNDECIDED) atomic_fetch_add_explicit(&early, 1, memory_order_relaxed);
    insert(s, &note);
    pthread_mutex_unlock(&s->lock);
}

bool memory_forget(void *p, struct memory_note *out) {
    struct shard *s = shard_of((uintptr_t)p);
    pthread_mutex_lock(&s->lock);
    size_t i = s->capacity != 0 && p != NULL ? find(s, (uintptr_t)p) : 0;
    bool found = s->capacity != 0 && p != NULL && s->notes[i].address != 0;
    if (found) {
        *out = s->notes[i];
        s->count--;
        size_t last = s->capacity - 1, j = i;
        for (;;) {                                  /* what stands behind the gap moves up, if its home allows */
            j = (j + 1) & last;
            if (s->notes[j].address == 0) break;
            if (((j - home_of(s, s->notes[j].address)) & last) < ((j - i) & last)) continue;
            s->notes[i] = s->notes[j];
            i = j;
        }
        s->notes[i].address = 0;
        count(out, false);
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

/* The pieces of sites stay, empty: a realloc under way may hold the number of one. */
static void forget_sites(void) {
    pthread_mutex_lock(&site_lock);
    size_t pieces = 0;
    while (pieces < SITE_PIECES && site_pieces[pieces] != NULL)
        memset(site_pieces[pieces++], 0, SITES_PER_PIECE * sizeof(struct site));
    if (site_count != 0) memset(site_buckets, 0, sizeof site_buckets);
    site_count = 0;
    overhead = pieces * SITES_PER_PIECE * sizeof(struct site);
    pthread_mutex_unlock(&site_lock);
}

static void forget_all(void) {
    for (size_t i = 0; i < SHARDS; i++) pthread_mutex_lock(&shards[i].lock);
    for (size_t i = 0; i < SHARDS; i++) {
        struct shard *s = &shards[i];
        free(s->notes);
        s->notes = NULL;
        s->capacity = s->count = 0;
    }
    forget_sites();
    memset(blocks, 0, sizeof blocks);
    memset(arenas, 0, sizeof arenas);
    memset(&all_blocks, 0, sizeof all_blocks);
    early = 0;
    for (size_t i = SHARDS; i-- > 0;) pthread_mutex_unlock(&shards[i].lock);
    memory_ranges_forget_peaks();
}

void memory_set_tracking(enum memory_tracking level) {
    if (level == TRACKING_DETAIL) dl_iterate_phdr(find_text, NULL);
    atomic_store(&memory_tracking, (uint8_t)level);
    if (level == TRACKING_OFF || level == TRACKING_UNDECIDED) forget_all();
}

/* ---- figures ----------------------------------------------------------------------------------------------------- */

/* For memory_snapshot_take: the sites that are in use. */
static bool copy_sites(struct memory_snapshot *out) {
    pthread_mutex_lock(&site_lock);
    uint32_t n = site_count;
    pthread_mutex_unlock(&site_lock);
    if (n == 0) return true;
    out->sites = malloc(n * sizeof *out->sites);
    if (out->sites == NULL) return false;
    for (uint32_t i = 1; i <= n; i++) {
        struct site *from = site_at(i);
        struct memory_site *to = &out->sites[out->site_count];
        *to = (struct memory_site){ .of = from->of, .use = counter_read(&from->use) };
        memcpy(to->frames, from->frames, sizeof to->frames);
        out->site_count += to->use.bytes != 0;
    }
    return true;
}

bool memory_snapshot_take(struct memory_snapshot *out) {
    *out = (struct memory_snapshot){ .overhead = atomic_load(&overhead), .all_blocks = counter_read(&all_blocks) };
    for (size_t i = 0; i < MEMORY_CATEGORIES; i++) {
        out->blocks[i] = counter_read(&blocks[i]);
        out->arenas[i] = counter_read(&arenas[i]);
    }
    if (copy_sites(out) && memory_ranges_copy(out)) return true;
    memory_snapshot_free(out);
    return false;
}

void memory_snapshot_free(struct memory_snapshot *s) {
    for (size_t i = 0; i < s->range_count; i++) free(s->ranges[i].commits);
    free(s->ranges);
    free(s->sites);
    *s = (struct memory_snapshot){ .sites = NULL };
}

void memory_statistics(struct memory_statistics *out) {
    size_t lengths[SITE_BUCKETS];
    *out = (struct memory_statistics){ .buckets = SITE_BUCKETS, .early = atomic_load(&early) };
    pthread_mutex_lock(&site_lock);
    out->sites = site_count;
    for (size_t b = 0; b < SITE_BUCKETS; b++) {
        lengths[b] = 0;
        for (uint32_t n = site_buckets[b]; n != 0; n = site_at(n)->next) lengths[b]++;
        out->unused += lengths[b] == 0;
        out->longest = MAX(out->longest, lengths[b]);
    }
    for (uint32_t n = 1; n <= site_count; n++) {
        int depth = 0;
        while (depth < MEMORY_FRAMES && site_at(n)->frames[depth] != NULL) depth++;
        out->depths[depth]++;
        out->empty += counter_read(&site_at(n)->use).count == 0;
    }
    pthread_mutex_unlock(&site_lock);
    size_t at_most[64] = { 0 }, seen = 0;
    for (size_t b = 0; b < SITE_BUCKETS; b++) at_most[MIN(lengths[b], (size_t)63)]++;
    for (size_t n = 0; n < ARRAY_LEN(at_most); n++)
        if ((seen += at_most[n]) > SITE_BUCKETS / 2) {
            out->median = n;
            break;
        }
}
