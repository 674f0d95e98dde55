/* call_sites.h — the stubs `call_site`, `call_interface` and `call_virtual`, by which invocations in compiled code find
 * what they call, and those that note the receiver's class before.
 *
 * Called in a frame whose pc is current, with all operands at home: REG_COUNT says where the arguments begin, REG_C1
 * holds the index in the constant pool and, above it, how many slots the arguments take. They end in the callee, which
 * returns behind the call. */
#ifndef VITRINE_JIT_CALL_SITES_H
#define VITRINE_JIT_CALL_SITES_H

#include "jit/asm.h"

enum { CALL_SITE_ARGUMENTS_SHIFT = 16 };

/* By the opcode that the interpreter has there. invoke: the stub, for all that is not quick in a common form. */
void call_site_write(struct assembler *a, const uint8_t *invoke);
/* Of an invokeinterface that is quick: REG_RESULT holds the interface's method. REG_C1 is nothing. */
void call_interface_write(struct assembler *a, const uint8_t *invoke);
/* Of an invokevirtual that is quick and selects by the vtable: by its offset there, which REG_RESULT holds. REG_C1 is
 * nothing. */
void call_virtual_write(struct assembler *a, const uint8_t *invoke);
/* Of the two, where code counts: REG_C1 holds the struct receiver_site, which knows what is called. */
void call_noted_interface_write(struct assembler *a, const uint8_t *invoke);
void call_noted_virtual_write(struct assembler *a, const uint8_t *invoke);
void call_noted_site_write(struct assembler *a, const uint8_t *call_site);

/* All three are different, and change; the receiver is not null. */
struct interface_registers { enum asm_reg receiver, entry, base; };
/* `method`, of an interface, becomes what the thread's cache has for it and the receiver's class; or `unknown` is next,
 * and it is as it was. */
void select_interface_write(struct assembler *a, enum asm_reg method, const struct interface_registers *r,
                            struct asm_label *unknown);

#endif
