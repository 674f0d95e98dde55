/* left.h — where optimised code has left though it was taken not to: at a call whose receiver had another method than
 * was inlined, at what had never been executed. Places are bytecodes of methods, inlined or not. What is compiled later
 * does not guess there again (optimising/inline.c, support.c). Under the lock of compiled code. */
#ifndef VITRINE_JIT_LEFT_H
#define VITRINE_JIT_LEFT_H

#include "base/table.h"

struct method_code;

/* By struct method_code: a byte for each of its bytecode, that counts. */
struct left_places { struct ptr_table map; };

/* It has left there, one time more. True: that is often now, and code that is made anew will differ. */
bool left_note(struct left_places *l, const struct method_code *code, uint32_t bci);
bool left_often(const struct left_places *l, const struct method_code *code, uint32_t bci);
void left_forget(struct left_places *l, const struct method_code *code);
void left_free(struct left_places *l);

#endif
