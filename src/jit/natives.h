/* natives.h — the stubs by which compiled code calls what C functions do.
 *
 * method.compiled_entry of such methods: the method is in REG_RESULT, its arguments begin at REG_COUNT. A JNI function
 * is called in two parts:
 *
 *      call_native, one for all methods            a native stub, one for each shape of signature
 *      asks whether anything is uncommon,  ----->  thread to foreign code, arguments to C's places, call, thread
 *      makes the frame and its handle block        back into the VM, the result's type; the frame goes
 *              |                                              |
 *              v uncommon, no stub yet                        v anything has come up
 *      call_native_by_c: exec/invoke.c does it all   native_ended: exec/invoke.c does what is left to do
 *
 * So whoever binds or unbinds a method need not know of this. What is uncommon: something watches methods, the method
 * is not bound or its monitor not to be had at once, a stack is used up. */
#ifndef VITRINE_JIT_NATIVES_H
#define VITRINE_JIT_NATIVES_H

#include "jit/asm.h"
#include "jit/stubs.h"

struct native_signature;

/* Called with a leaf_function in REG_RESULT and its arguments' address in REG_COUNT: EQUAL: it declines, else its
 * result is in REG_RESULT. Of the registers that hold values only REG_KEPT is as before. */
void leaf_write(struct assembler *a);
/* Of methods with a leaf (exec/intrinsic.h); where more is to be done it ends in `call`, the stub. */
void call_leaf_write(struct assembler *a, const uint8_t *call);
/* Of native methods; of those that are intrinsics in VM state (link/class.h), which need no second part. by_c: the stub
 * call_native_by_c, which has been made, as has try_enter. */
void call_native_write(struct assembler *a, const struct stubs *stubs);
void call_intrinsic_write(struct assembler *a, const uint8_t *by_c);
/* Jumped to from a native stub: the function has returned REG_RESULT, the thread's state is IN_VM. */
void native_ended_write(struct assembler *a);

/* ---- native stubs: they lie in the part of the cache that is kept for them (code_cache_keep), and all of it is
 * described by one row: the return address is where REG_KEPT points to --------------------------------------------- */

/* So many grains of the cache. */
enum { NATIVE_STUB_GRAINS = 2048 };
/* The stub of m's shape, which has been made before, or is now: *made. NULL: there is no room. Under the lock of the
 * cache. */
const struct code_blob *native_stub_of(struct code_cache *c, const struct stubs *stubs, const struct method *m,
                                       const struct native_signature *s, bool *made);

#endif
