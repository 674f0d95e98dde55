/* perf_data.h — performance counters in the layout of the JDK's sun.perfdata buffers, version 2.0: what jps and jstat
 * of another process read. The buffer is a file /tmp/hsperfdata_<user>/<pid> that both map (perf_file.h), or, with
 * -XX:+PerfDisableSharedMem, memory of this process alone. A counter is a cell of eight bytes in it: whoever counts
 * stores there, and nothing else happens. */
#ifndef VITRINE_BASE_PERF_DATA_H
#define VITRINE_BASE_PERF_DATA_H

#include "base/base.h"
#include "base/lock.h"
#include "vm/vm.h"

enum perf_counter {
#define LONG(id, name, units, variability) PERF_##id,
#define TEXT(id, name, size, variability) PERF_##id,
#include "base/perf_counters.def"
#undef LONG
#undef TEXT
    PERF_COUNT
};

enum perf_units { UNITS_NONE = 1, UNITS_BYTES, UNITS_TICKS, UNITS_EVENTS, UNITS_STRING, UNITS_HERTZ };
enum perf_variability { VARIABILITY_CONSTANT = 1, VARIABILITY_MONOTONIC, VARIABILITY_VARIABLE };

/* What vm->perf points to. */
struct perf_data {
    _Atomic int64_t *cells[PERF_COUNT];  /* of numbers; all the same one where nothing is kept (-XX:-UsePerfData) */
    char *texts[PERF_COUNT];             /* of texts, NUL-terminated; NULL where nothing is kept                  */
    _Atomic int64_t nowhere;
    struct lock lock;                    /* for new entries                                                       */
    char *memory;                        /* the buffer; NULL: nothing is kept                                     */
    size_t size;
    struct perf_spill *spilled;          /* entries for which the buffer had no room                              */
    int fd;                              /* of the file, locked as long as it is ours; -1: none                   */
    char *path;                          /* of the file; NULL: none                                               */
    _Atomic bool ended;                  /* the file is gone                                                      */
};

/* Makes vm->perf and the counters of perf_counters.def. False: no memory. After the options have been read. */
bool perf_data_create(void) MUST_CHECK;
/* What there is may be read from now on: tools wait for it. */
void perf_data_show(void);
/* What -XX:+PerfDataSaveToFile asks for is written, and the file goes. Once; any thread; also before perf_data_create,
 * and with no VM. Counters go on to be counted, where nobody else sees them. */
void perf_data_end(void);
/* The same without what is saved, for a process that crashes: async-signal-safe. */
void perf_data_crash(void);
/* Gives the memory back: no buffer over a counter is in use any more. */
void perf_data_destroy(void);

static inline void perf_set(enum perf_counter c, int64_t value) {
    struct perf_data *p = vm->perf;
    if (p != NULL) atomic_store_explicit(p->cells[c], value, memory_order_relaxed);
}
static inline void perf_add(enum perf_counter c, int64_t n) {
    struct perf_data *p = vm->perf;
    if (p != NULL) atomic_fetch_add_explicit(p->cells[c], n, memory_order_relaxed);
}
static inline int64_t perf_get(enum perf_counter c) {
    struct perf_data *p = vm->perf;
    return p != NULL ? atomic_load_explicit(p->cells[c], memory_order_relaxed) : 0;
}
/* Cut to the counter's size. Who reads it meanwhile may see parts of both. One thread at a time for each. */
void perf_set_text(enum perf_counter c, const char *text);

/* A further counter, zeroed: a number, or a text of `size` bytes with its NUL. Lives as long as vm->perf. NULL: the
 * name is taken (*taken), or no memory. Any thread. */
void *perf_new_long(const char *name, enum perf_units units, enum perf_variability variability, bool *taken);
void *perf_new_text(const char *name, size_t size, enum perf_variability variability, bool *taken);
/* A text that does not change, cut to PerfMaxStringConstLength. Without memory there is none. */
void perf_new_constant(const char *name, const char *text);

#endif
