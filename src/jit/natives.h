/* natives.h — the stubs by which compiled code calls what C functions do.
 *
 * method.compiled_entry of such methods: the method is in REG_RESULT, its arguments begin at REG_COUNT. Where more is
 * to be done than they do they end in `call`, the stub. */
#ifndef VITRINE_JIT_NATIVES_H
#define VITRINE_JIT_NATIVES_H

#include "jit/asm.h"

/* Of methods with a leaf (exec/intrinsic.h). */
void call_leaf_write(struct assembler *a, const uint8_t *call);

#endif
