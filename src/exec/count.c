/* count.c — see count.h. Empty outside of the coverage build. */
#include "exec/count.h"

#ifdef VITRINE_COVERAGE
#include "base/lock.h"
#include "classfile/opcodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAIRS_MAX = 8192 };

/* By opcode and class name, in the order of their first throw. */
static struct thrown { uint8_t opcode; char class_name[119]; uint64_t times; } pairs[PAIRS_MAX];
static size_t pair_count;
static struct lock pair_lock = LOCK_INIT("counted throws", SLAB);
_Atomic uint64_t counted_opcodes[256];

void count_throw(struct os_thread *self, const struct frame *frame) {
    REQUIRES(IN_VM);
    if (self->exception == NULL || code_source(frame->code) == NULL) return;
    const char *name = class_of(self->exception)->name->bytes;
    uint8_t opcode = counted_opcode(frame, frame->pc);
    lock_acquire(&pair_lock);
    size_t i = 0;
    while (i < pair_count && (pairs[i].opcode != opcode || strcmp(pairs[i].class_name, name) != 0)) i++;
    if (i == pair_count && pair_count < PAIRS_MAX && strlen(name) < sizeof pairs[i].class_name) {
        pairs[pair_count++].opcode = opcode;
        strcpy(pairs[i].class_name, name);
    }
    if (i < pair_count) pairs[i].times++;
    lock_release(&pair_lock);
}

__attribute__((destructor)) static void write_counts(void) {
    const char *directory = getenv("VITRINE_COUNTS");
    char path[4096];
    if (directory == NULL || snprintf(path, sizeof path, "%s/%d", directory, (int)getpid()) >= (int)sizeof path) return;
    mkdir(directory, 0777);
    FILE *f = fopen(path, "a");
    if (f == NULL) return;
    for (int i = 0; i < 256; i++)
        if (atomic_load(&counted_opcodes[i]) != 0)
            fprintf(f, "opcode %s %" PRIu64 "\n", opcode_names[i], atomic_load(&counted_opcodes[i]));
    for (size_t i = 0; i < pair_count; i++)
        fprintf(f, "throw %s %s %" PRIu64 "\n", opcode_names[pairs[i].opcode], pairs[i].class_name, pairs[i].times);
    fclose(f);
}
#endif
