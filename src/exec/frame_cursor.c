/* frame_cursor.c — the answers of a cursor that take more than a look at the record. */
#include "exec/frame_cursor.h"

#include "exec/stack_map.h"

int cursor_map(const struct frame_cursor *c, uint64_t *bits, uint32_t words) {
    return stack_map_of_frame(c->frame, bits, words);
}

int cursor_values(const struct frame_cursor *c, uint64_t *bits) {
    return stack_map_of_values(cursor_code(c), cursor_bci(c), c->frame, bits);
}
