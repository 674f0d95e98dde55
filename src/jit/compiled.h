/* compiled.h — what compiled.c has for the room itself. */
#ifndef VITRINE_JIT_COMPILED_H
#define VITRINE_JIT_COMPILED_H

#include "jit/jit.h"
#include "jit/stubs.h"

/* There are stubs as soon as anything is compiled. */
const struct stubs *jit_stubs(void);
/* Gives m, a native method whose signature is known (exec/native_call.h), its native stub (natives.h). False: there is
 * no room for it. IN_VM, no safepoint. */
bool jit_make_native_stub(struct method *m);
/* Where compiled code begins the instruction that the frame is at, with all operands at home; NULL: nowhere.
 * IN_VM; no safepoint until the thread is there. */
const uint8_t *jit_entry_at(const struct frame *f);
/* The thread has left `running`, code of `code`, where the exit counts: the method may get other code, which is entered
 * from then on; for_good: it gets it. IN_VM. */
void jit_code_counts(struct method_code *code, const struct code_blob *running, bool for_good);
/* Compiled code would go on with a frame of it, and has no entry there, which `is_handler`, or lies behind what a tool
 * has had it leave for: if it is optimised, that counts. IN_VM. */
void jit_entry_lacks(struct method_code *code, bool is_handler);
/* Its code cannot go on in a loop that it runs in: true if it has other code now. IN_VM. */
bool jit_code_lacks(struct method_code *code);
/* What the thread is compiling, if it is one of the optimising compiler's, as PrintCompilation has it. False: nothing.
 * Signal handlers too. jit/background.c */
bool jit_current_compilation(const struct java_thread *t, char *text, size_t size);
/* What b's pc table has for pc; of a stub, PCS_CALLED if it is a part of the instruction that calls it, else
 * PCS_NO_FRAME. Signal handlers too. */
int32_t jit_bci_in(const struct code_blob *b, const uint8_t *pc);

#endif
