/* stack.c: Java stacks of stopped threads. */
#include "inspect/stack.h"

#include "classfile/descriptor.h"
#include "exec/stack_map.h"
#include "heap/heap.h"

#include <string.h>

int stack_depth(const struct java_thread *t) {
    PROMISES_NO_SAFEPOINT();
    REQUIRES_STILL(t);
    int n = 0;
    for (struct frame_cursor c = frame_first(t); cursor_valid(&c); frame_next(&c)) n++;
    return n;
}

/* ---- references -------------------------------------------------------------------------------------------------- */

static bool visit_slot(uint64_t value, int slot, bool (*visit)(void *arg, int slot, struct object *o), void *arg) {
    return !heap_is_object((void *)(uintptr_t)value) || visit(arg, slot, (struct object *)(uintptr_t)value);
}

static bool native_arguments(const struct frame_cursor *c, bool (*visit)(void *arg, int slot, struct object *o),
                             void *arg) {
    const struct method *m = cursor_method(c);
    const uint64_t *locals = cursor_locals(c);
    int slot = 0;
    if (!(m->access_flags & ACC_STATIC) && !visit_slot(locals[slot++], 0, visit, arg)) return false;
    struct desc_iter it = desc_begin(m->desc->bytes, m->desc->length);
    for (struct desc_type t; desc_next(&it, &t); slot += desc_kind_slots(t.kind))
        if ((t.kind == 'L' || t.kind == '[') && !visit_slot(locals[slot], slot, visit, arg)) return false;
    return true;
}

/* The map is the one before the instruction; what the instruction has popped already lies above sp, or is
 * the callee's. */
bool frame_references(const struct frame_cursor *c, bool (*visit)(void *arg, int slot, struct object *o), void *arg) {
    if (cursor_is_native(c)) return native_arguments(c, visit, arg);
    int locals = (int)cursor_local_count(c), live = (int)cursor_operand_count(c);
    uint32_t words = stack_map_words(cursor_code(c));
    uint64_t bits[words + 1];
    int operands = cursor_map(c, bits, words);
    if (operands < 0) return true;
    bool hidden = live > operands;       /* the last argument of a method-handle call, which no map shows */
    if (live < operands) operands = live;
    for (int i = 0; i < locals + operands; i++) {
        if (!(bits[i >> 6] >> (i & 63) & 1)) continue;
        uint64_t value = i < locals ? cursor_locals(c)[i] : cursor_operands(c)[i - locals];
        if (!visit_slot(value, i, visit, arg)) return false;
    }
    return !hidden || visit_slot(cursor_operands(c)[operands], locals + operands, visit, arg);
}
