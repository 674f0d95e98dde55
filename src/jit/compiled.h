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
/* Where compiled code begins the instruction that the frame is at, with all operands at home; NULL: nowhere. watched:
 * in code that has inlined nothing. IN_VM; no safepoint until the thread is there. */
const uint8_t *jit_entry_at(const struct frame *f, bool watched);
/* Where the method's code goes on with a frame that has been made and reported, in a thread for which methods are
 * watched; NULL: where it would go on anyway. *inlines: there is none that has inlined nothing. As jit_entry_at. */
const uint8_t *jit_watched_begin(struct method_code *code, bool *inlines);
/* The thread has left `running`, code of `code`, where the exit counts: the method may get other code, which is entered
 * from then on. IN_VM. */
void jit_code_counts(struct method_code *code, const struct code_blob *running);
/* Its code cannot go on in a loop that it runs in: true if it has other code now. IN_VM. */
bool jit_code_lacks(struct method_code *code);
/* What b's pc table has for pc; of a stub, PCS_CALLED if it is a part of the instruction that calls it, else
 * PCS_NO_FRAME. Signal handlers too. */
int32_t jit_bci_in(const struct code_blob *b, const uint8_t *pc);

#endif
