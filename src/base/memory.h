/* memory.h — what C memory and mappings are for (memory.def), and the account of them that -XX:NativeMemoryTracking
 * asks for. Until the options are known every block is noted; with tracking off the notes go, and nothing is noted any
 * more. At the end of a VM they go, too, and the next one begins as the first: blocks that were taken before, or while
 * tracking was off, are unknown to it. Any thread. */
#ifndef VITRINE_BASE_MEMORY_H
#define VITRINE_BASE_MEMORY_H

#include "base/base.h"

enum memory_category {
#define MEMORY(category, name) MEMORY_##category,
#include "base/memory.def"
#undef MEMORY
    MEMORY_CATEGORIES
};

/* The category of what a file takes: cmake/memory.cmake. */
#ifndef MEMORY_OF
#define MEMORY_OF MEMORY_INTERNAL
#endif

enum memory_tracking { TRACKING_UNDECIDED, TRACKING_OFF, TRACKING_SUMMARY, TRACKING_DETAIL };
extern _Atomic uint8_t memory_tracking;             /* enum memory_tracking */

static inline bool memory_is_tracked(void) {
    return UNLIKELY(atomic_load_explicit(&memory_tracking, memory_order_relaxed) != TRACKING_OFF);
}

/* Takes effect at once. TRACKING_OFF and _UNDECIDED forget all notes, sites and peaks. The caller is the only thread of
 * the VM; threads that an earlier one has left may be giving blocks back. */
void memory_set_tracking(enum memory_tracking level);

/* ---- blocks: for alloc.c ----------------------------------------------------------------------------------------- */

/* An arena counts once, with its first chunk. */
enum memory_kind { MEMORY_BLOCK, MEMORY_ARENA, MEMORY_CHUNK };

struct memory_note {
    uintptr_t address;
    size_t    size;
    uint32_t  site;                                 /* 0: not known */
    uint8_t   of, kind;
};

/* Notes a block that was just taken; NULL: nothing. `frame` is the frame of the function that was called for it. */
void memory_note(void *p, size_t size, enum memory_category of, enum memory_kind kind, void *frame);
/* Removes the note before the block is given back. False: there is none. */
bool memory_forget(void *p, struct memory_note *out);
/* Puts a note back that memory_forget removed. */
void memory_note_again(const struct memory_note *note);

/* ---- call sites -------------------------------------------------------------------------------------------------- */

enum { MEMORY_FRAMES = 4 };

/* Return addresses outwards, innermost first; NULL behind the last. Ends with the first caller that is not of this
 * library. Only with TRACKING_DETAIL, otherwise none. */
void memory_call_site(void *frame, void *frames[MEMORY_FRAMES]);

/* ---- figures ----------------------------------------------------------------------------------------------------- */

struct memory_use { size_t bytes, count, peak_bytes, peak_count; };    /* peak_count: at the peak of bytes */

struct memory_site {
    void *frames[MEMORY_FRAMES];
    enum memory_category of;
    struct memory_use use;
};

/* A mapping of the VM. */
struct memory_commit { uintptr_t start, end; void *frames[MEMORY_FRAMES]; };
struct memory_range {
    uintptr_t start;
    size_t    size, committed;
    enum memory_category of;
    void     *frames[MEMORY_FRAMES];                /* of who reserved it */
    struct memory_commit *commits;                  /* by address; empty where the kernel was asked what is in use */
    size_t    commit_count;
};

struct memory_snapshot {
    struct memory_use blocks[MEMORY_CATEGORIES], arenas[MEMORY_CATEGORIES], all_blocks;  /* arenas in it */
    size_t reserved[MEMORY_CATEGORIES], committed[MEMORY_CATEGORIES], peak_committed[MEMORY_CATEGORIES];
    size_t overhead;                                /* bytes of the notes themselves */
    struct memory_site *sites;                      /* NULL without TRACKING_DETAIL */
    size_t site_count;
    struct memory_range *ranges;                    /* by address */
    size_t range_count;
};

/* False: no memory. Freed by memory_snapshot_free. */
bool memory_snapshot_take(struct memory_snapshot *out) MUST_CHECK;
void memory_snapshot_free(struct memory_snapshot *s);
/* For memory_snapshot_take: the ranges that os_memory.c knows of. */
bool memory_ranges_copy(struct memory_snapshot *out) MUST_CHECK;
/* For memory_set_tracking. */
void memory_ranges_forget_peaks(void);
/* Adds a range that this room does not know of: the stack of a thread. */
bool memory_snapshot_add(struct memory_snapshot *s, uintptr_t low, uintptr_t high, enum memory_category of) MUST_CHECK;

const char *memory_category_name(enum memory_category c);

/* The notes' own figures, for VM.native_memory statistics. */
struct memory_statistics { size_t buckets, sites, empty, unused, longest, median, depths[MEMORY_FRAMES + 1], early; };
void memory_statistics(struct memory_statistics *out);

#endif
