/* class_id.c — class ids and the tables from ids to classes and to their vtables. An id is the row of a class in the
 * table, and stands in the header of its instances. The row of a class that is gone is given again: a collection has
 * found no instance then, and what threads remember by class ids is forgotten in the same stop. Ids of methods and
 * fields (class.h) carry the row's generation, which goes up when a class is gone of which such ids were given out; so
 * those still say that they mean nothing. Pages with nothing but rows that stay empty for good go back.
 *
 * How long rows last, at 100 classes a second that are unloaded again; there are 2^26, or 2^20 where address space is
 * limited:
 *   - nobody asks for ids: for ever.
 *   - a tool asks for ids of each class: a row lasts for 2^17 classes, all of them for 2^43: 2,800 years; 2^20 rows for
 *     43 years.
 *   - the ids tell places of fields (class.h): the row is lost with the first class. A quarter of the rows may go that
 *     way (46 hours; of 2^20: 44 minutes); from then on ids of classes that can be unloaded tell no places, JNI looks
 *     such fields up, and the other rows last for 2,000 years (of 2^20: 32). Classes of the library's own loaders are
 *     unloaded with the VM only, and theirs tell places until three quarters are lost.
 *   - the ids of obsolete versions are given out: these have room for 2^5 generations, so the row is lost when such an
 *     id could come again, after 32 classes at most. */
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/os.h"
#include "link/link_internal.h"

enum { MOST_CLASS_IDS = 1 << CLASS_ID_BITS, LEAST_CLASS_IDS = 1 << 20 };
enum { TABLE_PAGE = 4096, GROUP_ROWS = TABLE_PAGE / sizeof(uint32_t) };      /* a page of generations               */
enum { ROW_BYTES = sizeof(struct shape *) + sizeof(struct method **) };
#define ROW_HAD_OBSOLETE (1u << 31)                          /* ids of obsolete versions were given out              */

struct shape **shape_table;
struct method ***vtable_table;
_Atomic uint32_t next_class_id = 1;
static uint32_t class_ids_end;
static uint32_t *generations;                                /* by row, with ROW_HAD_OBSOLETE                        */
static _Atomic uint64_t *free_rows;                          /* bit per row                                           */
static _Atomic uint32_t free_count;
static _Atomic uint32_t first_free;                          /* a word of free_rows, usually the lowest with a bit    */
static _Atomic uint16_t dead_rows[MOST_CLASS_IDS / GROUP_ROWS];
static _Atomic uint32_t rows_with_places;                    /* that are lost with their class                       */

/* Address space only; little of it where the process may not have much. */
bool class_ids_reserve(void) {
    if (shape_table != NULL) return true;
    struct rlimit limit;
    size_t most = MOST_CLASS_IDS;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        while (most > LEAST_CLASS_IDS && most * ROW_BYTES > limit.rlim_cur / 16) most /= 2;
    for (size_t rows = most; rows >= LEAST_CLASS_IDS; rows /= 2) {
        size_t bytes = rows * ROW_BYTES + rows / 8 + rows * sizeof *generations;
        char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) continue;
        os_account(p, bytes);
        shape_table = (struct shape **)p;
        vtable_table = (struct method ***)(p + rows * sizeof *shape_table);
        free_rows = (_Atomic uint64_t *)(p + rows * ROW_BYTES);
        generations = (uint32_t *)(p + rows * ROW_BYTES + rows / 8);
        class_ids_end = (uint32_t)rows;
        return true;
    }
    return false;
}

static uint32_t take_free_from(uint32_t word) {
    for (; word < class_ids_end / 64; word++) {
        uint64_t bits = atomic_load_explicit(&free_rows[word], memory_order_relaxed);
        while (bits != 0) {
            uint64_t bit = bits & -bits;
            bits = atomic_fetch_and(&free_rows[word], ~bit);
            if (!(bits & bit)) continue;
            atomic_fetch_sub(&free_count, 1);
            atomic_store(&first_free, word);
            return word * 64 + (uint32_t)__builtin_ctzll(bit);
        }
    }
    return 0;
}

/* The lowest, so that tables by class id stay short. */
static uint32_t take_free(void) {
    uint32_t id = 0;
    if (atomic_load(&free_count) != 0) id = take_free_from(atomic_load(&first_free));
    return id == 0 && atomic_load(&free_count) != 0 ? take_free_from(0) : id;
}

static uint32_t rows_end(void) {
    uint64_t limit = vm->options->flags.ClassIdLimit;
    return limit != 0 && limit < class_ids_end ? (uint32_t)limit : class_ids_end;
}

static uint32_t take_fresh(void) {
    uint32_t end = rows_end(), id = atomic_load_explicit(&next_class_id, memory_order_relaxed);
    do
        if (id >= end) return 0;
    while (!atomic_compare_exchange_weak(&next_class_id, &id, id + 1));
    return id;
}

uint32_t class_id_new(void) {
    uint32_t id = take_free();
    return id != 0 ? id : take_fresh();
}

bool class_take_id(struct class *c) {
    uint32_t id = c->shape.id = class_id_new();
    if (id == 0) return false;
    c->method_ids = method_ids_from(id, generations[id] & ~ROW_HAD_OBSOLETE);
    c->field_ids = field_ids_from(id, generations[id] & ~ROW_HAD_OBSOLETE);
    return true;
}

bool class_decides_places(struct class *c) {
    const struct loader *l = c->loader;
    uint32_t quarter = rows_end() / 4, most = l->is_boot || l->is_platform || l->is_app ? 3 * quarter : quarter;
    uint8_t decision = atomic_fetch_add(&rows_with_places, 1) < most ? PLACES_GIVEN : PLACES_REFUSED;
    uint8_t given = atomic_load(&c->ids_given);
    bool decided = false;
    while (!(given & (PLACES_GIVEN | PLACES_REFUSED)) && !decided)
        decided = atomic_compare_exchange_weak(&c->ids_given, &given, given | decision);
    if (!decided || decision == PLACES_REFUSED) atomic_fetch_sub(&rows_with_places, 1);
    return (decided ? decision : given) & PLACES_GIVEN;
}

/* Whoever comes first makes it; a stop may have made the version obsolete meanwhile. */
jmethodID method_code_id_slow(struct method_code *code) {
    uint64_t plain = (uint64_t)(uintptr_t)method_id(code->method), id = CODE_ID_NOT_GIVEN;
    if (atomic_compare_exchange_strong(&code->id, &id, plain)) return (jmethodID)(uintptr_t)plain;
    if (id == CODE_ID_OBSOLETE) {
        note_ids_given(code->method->holder, OBSOLETE_IDS_GIVEN);
        id = (plain & ~0xffffull) | METHOD_ID_OBSOLETE | (uint64_t)(code->owner->number + 1u) << 1 | 1;
        atomic_store(&code->id, id);
    }
    return (jmethodID)(uintptr_t)id;
}

void class_id_retire(uint32_t id, uint8_t given) {
    if (id == 0) return;
    shape_table[id] = NULL;
    vtable_table[id] = NULL;
    bool used_up = given & PLACES_GIVEN;
    if (given & (IDS_GIVEN | OBSOLETE_IDS_GIVEN)) {
        uint32_t row = (generations[id] | (given & OBSOLETE_IDS_GIVEN ? ROW_HAD_OBSOLETE : 0)) + 1;
        generations[id] = row;
        used_up |= (row & ~ROW_HAD_OBSOLETE) == ID_GENERATIONS ||
                   (row & ROW_HAD_OBSOLETE && row % OBSOLETE_GENERATIONS == 0);
    }
    if (used_up) {
        uint32_t group = id / GROUP_ROWS;
        if (atomic_fetch_add(&dead_rows[group], 1) == GROUP_ROWS - 1 && os_page_size() == TABLE_PAGE) {
            os_discard(&shape_table[group * GROUP_ROWS], GROUP_ROWS * sizeof *shape_table);
            os_discard(&vtable_table[group * GROUP_ROWS], GROUP_ROWS * sizeof *vtable_table);
            os_discard(&generations[group * GROUP_ROWS], GROUP_ROWS * sizeof *generations);
        }
        return;
    }
    uint32_t word = id / 64;
    atomic_fetch_or(&free_rows[word], 1ull << (id % 64));
    atomic_fetch_add(&free_count, 1);
    if (word < atomic_load(&first_free)) atomic_store(&first_free, word);
}
