/* Address space: reserving, committing, gaps below an address, mapped files. */
#include "base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/events.h"
#include "base/lock.h"
#include "base/table.h"

size_t os_page_size(void) {
    static _Atomic size_t size;
    size_t s = atomic_load_explicit(&size, memory_order_relaxed);
    if (UNLIKELY(!s)) {
        s = (size_t)sysconf(_SC_PAGESIZE);
        atomic_store_explicit(&size, s, memory_order_relaxed);
    }
    return s;
}

/* ---- Registry of reservations --------------------------------------------------------------------------------- */

/* How much of a range counts as committed: what os_commit said; or what the kernel has in memory of it, where all of it
 * is accessible from the start and hardly used; or nothing: the pages are a file's, or another view's. */
enum counted { COUNT_COMMITTED, COUNT_RESIDENT, COUNT_NOTHING };

struct range {
    uintptr_t start;
    size_t    size;
    uint8_t   of, counted;
    bool      foreign;                  /* os_release_all leaves it       */
    struct memory_commit *commits;      /* by address; only while tracked; straight from malloc: who commits may be */
    size_t    commit_count, capacity;   /* where no other memory can be taken                                       */
    void     *frames[MEMORY_FRAMES];
};

static struct lock registry_lock = LOCK_INIT("mappings", OS);
static VEC(struct range) registry;
static size_t peak_committed[MEMORY_CATEGORIES];

/* Straight from malloc: a mapping is not to fail where -XX:FailToolAllocation lets a block of a tool function fail. */
static bool grow_registry(void) {
    size_t capacity = registry.capacity ? 2 * registry.capacity : 32;
    struct range *more = realloc(registry.data, capacity * sizeof *more);
    if (!more) return false;
    registry.data = more;
    registry.capacity = capacity;
    return true;
}

static bool remember(void *p, size_t size, enum memory_category of, enum counted counted, bool foreign, void *frame) {
    struct range r = { .start = (uintptr_t)p, .size = size, .of = (uint8_t)of, .counted = (uint8_t)counted,
                       .foreign = foreign };
    memory_call_site(frame, r.frames);
    lock_acquire(&registry_lock);
    bool ok = registry.count < registry.capacity || grow_registry();
    if (ok) registry.data[registry.count++] = r;
    lock_release(&registry_lock);
    return ok;
}

static struct range *range_of(const void *p) {
    for (size_t i = registry.count; i-- > 0;)
        if ((uintptr_t)p - registry.data[i].start < registry.data[i].size) return &registry.data[i];
    return NULL;
}

static void forget(void *p) {
    lock_acquire(&registry_lock);
    struct range *r = range_of(p);
    if (r && r->start == (uintptr_t)p) {
        free(r->commits);
        *r = registry.data[--registry.count];
    }
    lock_release(&registry_lock);
}

void os_release_all(void) {
    lock_acquire(&registry_lock);
    size_t kept = 0;
    for (size_t i = 0; i < registry.count; i++) {
        struct range *r = &registry.data[i];
        if (r->foreign) {
            registry.data[kept++] = *r;
            continue;
        }
        munmap((void *)r->start, r->size);
        free(r->commits);
    }
    registry.count = kept;
    lock_release(&registry_lock);
}

size_t os_reserved_total(void) {
    size_t total = 0;
    lock_acquire(&registry_lock);
    for (size_t i = 0; i < registry.count; i++) total += registry.data[i].foreign ? 0 : registry.data[i].size;
    lock_release(&registry_lock);
    return total;
}

void os_account_for(enum memory_category of, void *p, size_t size) {
    size = ALIGN_UP(size, os_page_size());
    (void)remember(p, size, of, COUNT_RESIDENT, true, __builtin_frame_address(0));
}

void os_unaccount(void *p) { forget(p); }

void os_account_stack(void) {
    uintptr_t low, high;
    size_t guard;
    if (memory_is_tracked() && os_thread_stack_bounds(&low, &high, &guard))
        os_account_for(MEMORY_THREAD_STACK, (void *)low, high - low);
}

void os_unaccount_stack(void) {
    uintptr_t low, high;
    size_t guard;
    if (memory_is_tracked() && os_thread_stack_bounds(&low, &high, &guard)) os_unaccount((void *)low);
}

/* ---- Reserving ------------------------------------------------------------------------------------------------ */

static void *reserve_raw(void *where, size_t size, int extra) {
    void *p = mmap(where, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | extra, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void *registered(void *p, size_t size, enum memory_category of, enum counted counted, void *frame) {
    if (p && !remember(p, size, of, counted, false, frame)) {
        munmap(p, size);
        return NULL;
    }
    return p;
}

/* Java stacks are accessible as a whole, and hardly used. */
static enum counted counted_of(enum memory_category of) {
    return of == MEMORY_THREAD_STACK ? COUNT_RESIDENT : COUNT_COMMITTED;
}

void *os_reserve_for(enum memory_category of, void *hint, size_t size) {
    size = ALIGN_UP(size, os_page_size());
    return registered(reserve_raw(hint, size, 0), size, of, counted_of(of), __builtin_frame_address(0));
}

void *os_reserve_aligned_for(enum memory_category of, size_t size, size_t align) {
    size_t page = os_page_size();
    size = ALIGN_UP(size, page);
    if (align <= page) return os_reserve_for(of, NULL, size);
    if (size > SIZE_MAX - align) return NULL;
    char *p = reserve_raw(NULL, size + align, 0);
    if (!p) return NULL;
    char  *start = (char *)ALIGN_UP((uintptr_t)p, align);
    size_t before = (size_t)(start - p), after = align - before;
    if (before) munmap(p, before);
    if (after) munmap(start + size, after);
    return registered(start, size, of, counted_of(of), __builtin_frame_address(0));
}

/* Gaps in the address space below `limit`, lowest first, from the kernel's list of mappings. */
struct gap { uintptr_t start; size_t size; };
typedef VEC(struct gap) gap_list;

#define LOWEST_ADDRESS ((uintptr_t)1 << 20)     /* stays clear of vm.mmap_min_addr and of null dereferences */
#define BRK_ROOM       (64 * MIB)               /* malloc's heap grows upwards into the gap above it        */

static bool read_gaps(uintptr_t limit, gap_list *out) {
    FILE *f = fopen("/proc/self/maps", "re");
    if (!f) return false;
    char      line[4352];
    uintptr_t free_from = LOWEST_ADDRESS;
    bool      ok = true;
    while (ok && free_from < limit && fgets(line, sizeof line, f)) {
        uintptr_t start, end;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &start, &end) != 2) continue;
        if (start > free_from) {
            uintptr_t top = MIN(start, limit);
            ok = vec_push(out, (struct gap){ free_from, top - free_from });
        }
        if (strstr(line, "[heap]")) end += BRK_ROOM;
        if (end > free_from) free_from = end;
    }
    if (ok && free_from < limit) ok = vec_push(out, (struct gap){ free_from, limit - free_from });
    fclose(f);
    return ok;
}

void *os_reserve_below_for(enum memory_category of, uintptr_t limit, size_t size, size_t align) {
    size_t   page = os_page_size();
    gap_list gaps = { 0 };
    void    *found = NULL;
    size = ALIGN_UP(size, page);
    if (align < page) align = page;
    if (size && size <= limit && read_gaps(limit, &gaps)) {
        for (size_t i = gaps.count; !found && i-- > 0;) {
            struct gap g = gaps.data[i];
            if (g.size < size) continue;
            uintptr_t at = ALIGN_DOWN(g.start + g.size - size, align);
            if (at < g.start) continue;
            /* Another thread may have mapped something since the list was read: then the next gap. */
            void *p = reserve_raw((void *)at, size, MAP_FIXED_NOREPLACE);
            if (p && p != (void *)at) {
                munmap(p, size);                /* a kernel before 4.17 takes the flag for a mere hint */
                p = NULL;
            }
            found = p;
        }
    }
    vec_free(&gaps);
    return registered(found, size, of, counted_of(of), __builtin_frame_address(0));
}

size_t os_largest_gap_below(uintptr_t limit, size_t align) {
    gap_list gaps = { 0 };
    size_t   largest = 0;
    align = MAX(align, os_page_size());
    if (read_gaps(limit, &gaps))
        for (size_t i = 0; i < gaps.count; i++) {
            uintptr_t start = ALIGN_UP(gaps.data[i].start, align);
            uintptr_t end = ALIGN_DOWN(gaps.data[i].start + gaps.data[i].size, align);
            if (end > start && end - start > largest) largest = end - start;
        }
    vec_free(&gaps);
    return largest;
}

/* ---- Committing ----------------------------------------------------------------------------------------------- */

static bool commit_push(struct range *r, struct memory_commit c) {
    if (r->commit_count == r->capacity) {
        size_t capacity = r->capacity ? 2 * r->capacity : 8;
        struct memory_commit *more = realloc(r->commits, capacity * sizeof *more);
        if (!more) return false;
        r->commits = more;
        r->capacity = capacity;
    }
    r->commits[r->commit_count++] = c;
    return true;
}

/* Removes [start, end) from what is committed. Lock held. */
static bool uncommit(struct range *r, uintptr_t start, uintptr_t end) {
    for (size_t i = 0; i < r->commit_count; i++) {
        struct memory_commit *c = &r->commits[i], rest = *c;
        if (c->end <= start || c->start >= end) continue;
        if (c->start < start && c->end > end) {             /* a hole in the middle: its upper end is a new one */
            c->end = start;
            rest.start = end;
            if (!commit_push(r, rest)) return false;
            memmove(&r->commits[i + 2], &r->commits[i + 1],
                    (r->commit_count - i - 2) * sizeof rest);
            r->commits[i + 1] = rest;
            return true;
        }
        if (c->start < start) c->end = start;
        else if (c->end > end) c->start = end;
        else c->end = c->start;
    }
    size_t kept = 0;
    for (size_t i = 0; i < r->commit_count; i++)
        if (r->commits[i].end > r->commits[i].start) r->commits[kept++] = r->commits[i];
    r->commit_count = kept;
    return true;
}

static size_t committed_of(enum memory_category of) {
    size_t total = 0;
    for (size_t i = 0; i < registry.count; i++)
        for (size_t j = 0; registry.data[i].of == of && j < registry.data[i].commit_count; j++)
            total += registry.data[i].commits[j].end - registry.data[i].commits[j].start;
    return total;
}

/* Without memory for the note it counts too little. */
static void note_commit(void *p, size_t size, bool committed, void *frame) {
    struct memory_commit fresh = { (uintptr_t)p, (uintptr_t)p + size, { NULL } };
    memory_call_site(frame, fresh.frames);
    lock_acquire(&registry_lock);
    struct range *r = range_of(p);
    if (r && r->counted == COUNT_COMMITTED && uncommit(r, fresh.start, fresh.end) && committed) {
        size_t i = 0;
        while (i < r->commit_count && r->commits[i].end < fresh.start) i++;
        struct memory_commit *at = i < r->commit_count ? &r->commits[i] : NULL;
        if (at && at->end == fresh.start && memcmp(at->frames, fresh.frames, sizeof fresh.frames) == 0) {
            at->end = fresh.end;
        } else if (commit_push(r, fresh)) {
            while (i < r->commit_count - 1 && r->commits[i].start < fresh.start) i++;
            memmove(&r->commits[i + 1], &r->commits[i], (r->commit_count - i - 1) * sizeof fresh);
            r->commits[i] = fresh;
        }
        peak_committed[r->of] = MAX(peak_committed[r->of], committed_of(r->of));
    }
    lock_release(&registry_lock);
}

bool os_commit(void *p, size_t size) {
    size = ALIGN_UP(size, os_page_size());
    if (mprotect(p, size, PROT_READ | PROT_WRITE) != 0) return false;
    if (memory_is_tracked()) note_commit(p, size, true, __builtin_frame_address(0));
    return true;
}

/* A fresh mapping over the range, so that the kernel also drops its commit charge. */
void os_decommit(void *p, size_t size) {
    size = ALIGN_UP(size, os_page_size());
    if (!reserve_raw(p, size, MAP_FIXED)) madvise(p, size, MADV_DONTNEED);
    if (memory_is_tracked()) note_commit(p, size, false, NULL);
}

void os_discard(void *p, size_t size) { madvise(p, ALIGN_UP(size, os_page_size()), MADV_DONTNEED); }

void os_release(void *p, size_t size) {
    forget(p);
    munmap(p, ALIGN_UP(size, os_page_size()));
}

void os_keep(void *p) {
    lock_acquire(&registry_lock);
    struct range *r = range_of(p);
    if (r) r->foreign = true;
    lock_release(&registry_lock);
}

/* ---- Machine code --------------------------------------------------------------------------------------------- */

/* The same memory once more: that is what mremap makes of no bytes of a shared mapping. */
static void *second_view(void *runs, size_t size) {
    void *p = mremap(runs, 0, size, MREMAP_MAYMOVE);
    if (p == MAP_FAILED) return NULL;
    if (mprotect(p, size, PROT_READ | PROT_WRITE) == 0) return p;
    munmap(p, size);
    return NULL;
}

/* Anonymous memory: of code that is in a file, be it one of memfd's, perf does not look into /tmp/perf-<pid>.map. */
static bool reserve_views(size_t size, void **writable, void **runs, enum memory_category of, void *frame) {
    void *p = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *runs = registered(p == MAP_FAILED ? NULL : p, size, of, COUNT_RESIDENT, frame);
    *writable = *runs ? registered(second_view(*runs, size), size, of, COUNT_NOTHING, frame) : NULL;
    if (*writable) return true;
    if (*runs) os_release(*runs, size);
    return false;
}

bool os_code_reserve_for(enum memory_category of, size_t size, void **writable, void **runs) {
    if (reserve_views(size, writable, runs, of, __builtin_frame_address(0))) return true;
    *writable = *runs = registered(reserve_raw(NULL, size, 0), size, of, COUNT_RESIDENT, __builtin_frame_address(0));
    if (!*runs) return false;
    size_t page = os_page_size();
    if (os_code_protect(*runs, page, false) && os_code_protect(*runs, page, true)) return true;
    os_release(*runs, size);
    return false;
}

bool os_code_protect(void *p, size_t size, bool executable) {
    int modes = PROT_READ | (executable ? PROT_EXEC : PROT_WRITE);
    event_note(EVENT_PROTECTION, NULL,
               "Protecting memory [0x%016" PRIxPTR ",0x%016" PRIxPTR "] with protection modes %x", (uintptr_t)p,
               (uintptr_t)p + size, (unsigned)modes);
    return mprotect(p, size, modes) == 0;
}

/* msync fails with ENOMEM for unmapped pages; unlike a pipe write it needs no descriptor and works in a handler. */
bool os_is_mapped(const void *p, size_t size) {
    uintptr_t start = ALIGN_DOWN((uintptr_t)p, os_page_size());
    uintptr_t end = (uintptr_t)p + MAX(size, (size_t)1);
    return end > start && msync((void *)start, end - start, MS_ASYNC) == 0;
}

/* ---- Mapped files --------------------------------------------------------------------------------------------- */

static bool say(char **err, const char *what, const char *path, int error) {
    if (err) *err = mem_printf("%s %s: %s", what, path, strerror(error));
    return false;
}

bool os_map_file(const char *path, struct os_file_map *out, char **err) {
    struct stat st;
    void *data = NULL;
    int   fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);   /* a FIFO would wait for a writer */
    if (fd < 0) return say(err, "cannot open", path, errno);
    if (fstat(fd, &st) != 0) {
        int error = errno;
        close(fd);
        return say(err, "cannot read the size of", path, error);
    }
    if (!S_ISREG(st.st_mode)) {
        close(fd);
        return say(err, "cannot map", path, S_ISDIR(st.st_mode) ? EISDIR : EINVAL);
    }
    if (st.st_size > 0) data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    int error = errno;
    close(fd);
    if (data == MAP_FAILED) return say(err, "cannot map", path, error);
    *out = (struct os_file_map){ data, (size_t)st.st_size };
    size_t size = ALIGN_UP(out->size, os_page_size());
    if (data && !remember(data, size, MEMORY_CLASS_LIBRARY, COUNT_NOTHING, true, __builtin_frame_address(0))) {
        munmap(data, out->size);
        return say(err, "cannot map", path, ENOMEM);
    }
    return true;
}

void os_unmap_file(struct os_file_map *map) {
    if (map->data) {
        forget(map->data);
        munmap(map->data, map->size);
    }
    *map = (struct os_file_map){ 0 };
}

/* ---- The account ---------------------------------------------------------------------------------------------- */

/* Bytes of it that are in memory. */
static size_t resident_bytes(uintptr_t start, size_t size) {
    unsigned char pages[4096];
    size_t page = os_page_size(), total = 0;
    for (size_t at = 0; at < size; at += sizeof pages * page) {
        size_t n = MIN((size - at) / page, sizeof pages);
        if (mincore((void *)(start + at), n * page, pages) != 0) continue;
        for (size_t i = 0; i < n; i++) total += pages[i] & 1 ? page : 0;
    }
    return total;
}

static int by_start(const void *a, const void *b) {
    const struct memory_range *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

static bool copy_range(struct memory_range *to, const struct range *from) {
    *to = (struct memory_range){ .start = from->start, .size = from->size, .of = from->of,
                                 .commit_count = from->commit_count };
    memcpy(to->frames, from->frames, sizeof to->frames);
    if (from->counted == COUNT_RESIDENT) to->committed = resident_bytes(from->start, from->size);
    if (to->commit_count == 0) return true;
    to->commits = malloc(to->commit_count * sizeof *to->commits);
    if (!to->commits) return false;
    memcpy(to->commits, from->commits, to->commit_count * sizeof *to->commits);
    for (size_t i = 0; i < to->commit_count; i++) to->committed += to->commits[i].end - to->commits[i].start;
    return true;
}

void memory_ranges_forget_peaks(void) {
    lock_acquire(&registry_lock);
    memset(peak_committed, 0, sizeof peak_committed);
    lock_release(&registry_lock);
}

bool memory_ranges_copy(struct memory_snapshot *out) {
    lock_acquire(&registry_lock);
    out->ranges = malloc((registry.count + 1) * sizeof *out->ranges);
    bool ok = out->ranges != NULL;
    for (size_t i = 0; ok && i < registry.count; i++) {
        struct memory_range *r = &out->ranges[out->range_count++];
        ok = copy_range(r, &registry.data[i]);
        out->reserved[r->of] += r->size;
        out->committed[r->of] += r->committed;
    }
    for (size_t i = 0; i < MEMORY_CATEGORIES; i++)
        out->peak_committed[i] = peak_committed[i] = MAX(peak_committed[i], out->committed[i]);
    lock_release(&registry_lock);
    if (ok) qsort(out->ranges, out->range_count, sizeof *out->ranges, by_start);
    return ok;
}

bool memory_snapshot_add(struct memory_snapshot *s, uintptr_t low, uintptr_t high, enum memory_category of) {
    struct memory_range *more = realloc(s->ranges, (s->range_count + 1) * sizeof *more);
    if (!more) return false;
    s->ranges = more;
    struct memory_range *r = &more[s->range_count++];
    *r = (struct memory_range){ .start = low, .size = high - low, .of = of,
                                .committed = resident_bytes(low, high - low) };
    s->reserved[of] += r->size;
    s->committed[of] += r->committed;
    s->peak_committed[of] = MAX(s->peak_committed[of], s->committed[of]);
    qsort(s->ranges, s->range_count, sizeof *s->ranges, by_start);
    return true;
}
