/* Address space: reserving, committing, gaps below an address, mapped files. */
#include "base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
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

struct range { uintptr_t start; size_t size; };

static struct lock registry_lock = LOCK_INIT("mappings", OS);
static VEC(struct range) registry;

static bool remember(void *p, size_t size) {
    lock_acquire(&registry_lock);
    bool ok = vec_push(&registry, (struct range){ (uintptr_t)p, size });
    lock_release(&registry_lock);
    return ok;
}

static void forget(void *p) {
    lock_acquire(&registry_lock);
    for (size_t i = registry.count; i-- > 0;)
        if (registry.data[i].start == (uintptr_t)p) {
            registry.data[i] = registry.data[--registry.count];
            break;
        }
    lock_release(&registry_lock);
}

void os_release_all(void) {
    lock_acquire(&registry_lock);
    for (size_t i = 0; i < registry.count; i++) munmap((void *)registry.data[i].start, registry.data[i].size);
    vec_free(&registry);
    lock_release(&registry_lock);
}

size_t os_reserved_total(void) {
    size_t total = 0;
    lock_acquire(&registry_lock);
    for (size_t i = 0; i < registry.count; i++) total += registry.data[i].size;
    lock_release(&registry_lock);
    return total;
}

/* ---- Reserving ------------------------------------------------------------------------------------------------ */

static void *reserve_raw(void *where, size_t size, int extra) {
    void *p = mmap(where, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | extra, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void *registered(void *p, size_t size) {
    if (p && !remember(p, size)) {
        munmap(p, size);
        return NULL;
    }
    return p;
}

void *os_reserve(void *hint, size_t size) {
    size = ALIGN_UP(size, os_page_size());
    return registered(reserve_raw(hint, size, 0), size);
}

void *os_reserve_aligned(size_t size, size_t align) {
    size_t page = os_page_size();
    size = ALIGN_UP(size, page);
    if (align <= page) return os_reserve(NULL, size);
    if (size > SIZE_MAX - align) return NULL;
    char *p = reserve_raw(NULL, size + align, 0);
    if (!p) return NULL;
    char  *start = (char *)ALIGN_UP((uintptr_t)p, align);
    size_t before = (size_t)(start - p), after = align - before;
    if (before) munmap(p, before);
    if (after) munmap(start + size, after);
    return registered(start, size);
}

/* Gaps in the address space below `limit`, lowest first, from the kernel's list of mappings. */
typedef VEC(struct range) gap_list;

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
            ok = vec_push(out, (struct range){ free_from, top - free_from });
        }
        if (strstr(line, "[heap]")) end += BRK_ROOM;
        if (end > free_from) free_from = end;
    }
    if (ok && free_from < limit) ok = vec_push(out, (struct range){ free_from, limit - free_from });
    fclose(f);
    return ok;
}

void *os_reserve_below(uintptr_t limit, size_t size, size_t align) {
    size_t   page = os_page_size();
    gap_list gaps = { 0 };
    void    *found = NULL;
    size = ALIGN_UP(size, page);
    if (align < page) align = page;
    if (size && size <= limit && read_gaps(limit, &gaps)) {
        for (size_t i = gaps.count; !found && i-- > 0;) {
            struct range g = gaps.data[i];
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
    return registered(found, size);
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

bool os_commit(void *p, size_t size) {
    return mprotect(p, ALIGN_UP(size, os_page_size()), PROT_READ | PROT_WRITE) == 0;
}

/* A fresh mapping over the range, so that the kernel also drops its commit charge. */
void os_decommit(void *p, size_t size) {
    size = ALIGN_UP(size, os_page_size());
    if (!reserve_raw(p, size, MAP_FIXED)) madvise(p, size, MADV_DONTNEED);
}

void os_discard(void *p, size_t size) { madvise(p, ALIGN_UP(size, os_page_size()), MADV_DONTNEED); }

void os_release(void *p, size_t size) {
    forget(p);
    munmap(p, ALIGN_UP(size, os_page_size()));
}

void os_keep(void *p) { forget(p); }

/* ---- Machine code --------------------------------------------------------------------------------------------- */

static void *map_view(int fd, size_t size, int protection) {
    void *p = mmap(NULL, size, protection, MAP_SHARED | MAP_NORESERVE, fd, 0);
    return registered(p == MAP_FAILED ? NULL : p, size);
}

static bool reserve_views(size_t size, void **writable, void **runs) {
    int fd = memfd_create("code", MFD_CLOEXEC);
    if (fd < 0) return false;
    bool sized = ftruncate(fd, (off_t)size) == 0;
    *writable = sized ? map_view(fd, size, PROT_READ | PROT_WRITE) : NULL;
    *runs = *writable ? map_view(fd, size, PROT_READ | PROT_EXEC) : NULL;
    close(fd);
    if (*runs) return true;
    if (*writable) os_release(*writable, size);
    return false;
}

bool os_code_reserve(size_t size, void **writable, void **runs) {
    if (reserve_views(size, writable, runs)) return true;
    *writable = *runs = os_reserve(NULL, size);
    if (!*runs) return false;
    size_t page = os_page_size();
    if (os_code_protect(*runs, page, false) && os_code_protect(*runs, page, true)) return true;
    os_release(*runs, size);
    return false;
}

bool os_code_protect(void *p, size_t size, bool executable) {
    return mprotect(p, size, PROT_READ | (executable ? PROT_EXEC : PROT_WRITE)) == 0;
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
    return true;
}

void os_unmap_file(struct os_file_map *map) {
    if (map->data) munmap(map->data, map->size);
    *map = (struct os_file_map){ 0 };
}
