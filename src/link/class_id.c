/* class_id.c — class ids and the table from ids to classes. An id is never given twice in the process, so that a stale one (in a method
 * id, a cache, a handle) always says so; what a dead class leaves is an empty row, and pages with nothing but dead rows go back. */
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/os.h"
#include "link/link_internal.h"

enum { MOST_CLASS_IDS = 1 << 26, LEAST_CLASS_IDS = 1 << 20, TABLE_PAGE = 4096, ROWS_PER_PAGE = TABLE_PAGE / sizeof(struct shape *) };

_Static_assert((uint32_t)MOST_CLASS_IDS <= (uint32_t)FIELD_ID_CLASS_IDS, "a field's id has no room for its class");

struct shape **shape_table;
_Atomic uint32_t next_class_id = 1;
static uint32_t class_ids_end;
static uint16_t dead_rows[MOST_CLASS_IDS / ROWS_PER_PAGE];   /* by page of the table; world stopped */

/* Address space only; little of it where the process may not have much. Outlives every VM of the process. */
static bool reserve_table(void) {
    struct rlimit limit;
    size_t most = MOST_CLASS_IDS;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        while (most > LEAST_CLASS_IDS && most * sizeof(struct shape *) > limit.rlim_cur / 32) most /= 2;
    for (size_t rows = most; rows >= LEAST_CLASS_IDS; rows /= 2) {
        void *p = mmap(NULL, rows * sizeof(struct shape *), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) continue;
        shape_table = p;
        class_ids_end = (uint32_t)rows;
        return true;
    }
    return false;
}

uint32_t class_id_new(void) {
    if (shape_table == NULL && !reserve_table()) return 0;
    uint32_t id = atomic_load_explicit(&next_class_id, memory_order_relaxed);
    do
        if (id >= class_ids_end) return 0;
    while (!atomic_compare_exchange_weak(&next_class_id, &id, id + 1));
    return id;
}

void class_id_retire(uint32_t id) {
    if (id == 0) return;
    shape_table[id] = NULL;
    uint32_t page = id / ROWS_PER_PAGE;
    if (++dead_rows[page] == ROWS_PER_PAGE && os_page_size() == TABLE_PAGE) os_discard(&shape_table[page * ROWS_PER_PAGE], TABLE_PAGE);
}
