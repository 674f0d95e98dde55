/* method_handles.h — the stubs by which compiled code calls MethodHandle.invokeBasic and linkTo*: they find what the
 * form or the MemberName leads to, as the interpreter's entries do (exec/invoke.c).
 *
 * method.compiled_entry of these methods: the method is in REG_RESULT, its arguments begin at REG_COUNT. They end in
 * what they have found. Where something is null, or not found so easily, they end in `call`, the stub. */
#ifndef VITRINE_JIT_METHOD_HANDLES_H
#define VITRINE_JIT_METHOD_HANDLES_H

#include "jit/asm.h"

void invoke_basic_write(struct assembler *a, const uint8_t *call);
void link_to_static_write(struct assembler *a, const uint8_t *call);
void link_to_special_write(struct assembler *a, const uint8_t *call);
void link_to_virtual_write(struct assembler *a, const uint8_t *call);
void link_to_interface_write(struct assembler *a, const uint8_t *call);

#endif
