/* copy.h — the stub `copy`: see stubs.h. */
#ifndef VITRINE_JIT_COPY_H
#define VITRINE_JIT_COPY_H

#include "jit/asm.h"

void copy_write(struct assembler *a);

#endif
