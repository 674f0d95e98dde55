/* perf_dump.h — -XX:+DumpPerfJit: machine code for Linux perf, as it is made, in the format that perf's documentation
 * calls jitdump. `perf inject --jit` makes files of it, with the code, its names and lines. */
#ifndef VITRINE_JIT_PERF_DUMP_H
#define VITRINE_JIT_PERF_DUMP_H

#include <stdio.h>

#include "jit/asm.h"
#include "jit/cache.h"

struct perf_dump {
    FILE *file;                          /* NULL: nothing is written                                               */
    void *mark;                          /* an executable page of it: perf records that it was mapped              */
    uint64_t pieces;                     /* of code in it                                                          */
};

/* All: the caller's lock. */

/* Begins jit-<pid>.dump in the current directory. Where that cannot be, a warning says so, and nothing is written. */
void perf_dump_begin(struct perf_dump *d);
/* Adds published code. callers: a stub's; NULL: it is a method's. */
void perf_dump_add(struct perf_dump *d, const struct code_blob *b, const struct asm_callers *callers);
/* So many bytes stay free behind each piece of code then: perf takes the description of its frames to lie there. */
enum { PERF_DUMP_BEHIND = 512 };
void perf_dump_end(struct perf_dump *d);

#endif
