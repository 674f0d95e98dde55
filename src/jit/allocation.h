/* allocation.h — the stub `allocate`: see stubs.h. */
#ifndef VITRINE_JIT_ALLOCATION_H
#define VITRINE_JIT_ALLOCATION_H

#include "jit/asm.h"

/* floats_are_free: no floating-point register holds anything where it is called. */
void allocate_write(struct assembler *a, bool floats_are_free);
/* heap_set_start of the object in REG_RESULT. REG_C0, REG_C1, REG_COUNT and REG_SCRATCH are lost. */
void allocation_write_start(struct assembler *a);

#endif
