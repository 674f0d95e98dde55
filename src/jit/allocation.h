/* allocation.h — the stub `allocate`: see stubs.h. */
#ifndef VITRINE_JIT_ALLOCATION_H
#define VITRINE_JIT_ALLOCATION_H

#include "jit/asm.h"

/* floats_are_free: no floating-point register holds anything where it is called. */
void allocate_write(struct assembler *a, bool floats_are_free);

#endif
