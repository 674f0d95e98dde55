/* frame_cursor.c — the answers of a cursor that take more than a look at the record. */
#include "exec/frame_cursor.h"

#include "exec/stack_map.h"

/* Callers lie below those they call. */
bool cursor_in_place(const struct frame_cursor *c) {
    uintptr_t at = (uintptr_t)c->frame, low = (uintptr_t)c->thread->stack_low;
    uintptr_t high = c->callee != NULL ? (uintptr_t)c->callee : (uintptr_t)c->thread->stack_high;
    return at % sizeof(uint64_t) == 0 && at >= low && at + sizeof *c->frame <= high;
}

int cursor_map(const struct frame_cursor *c, uint64_t *bits, uint32_t words) {
    return stack_map_of_frame(c->frame, bits, words);
}

int cursor_values(const struct frame_cursor *c, uint64_t *bits) {
    return stack_map_of_values(cursor_code(c), cursor_bci(c), c->frame, bits);
}
