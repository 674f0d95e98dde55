/* stack.c: Java stacks of stopped threads. */
#include "inspect/stack.h"

#include "classfile/descriptor.h"
#include "exec/stack_map.h"
#include "heap/heap.h"

#include <string.h>

int stack_depth(const struct java_thread *t) {
    int n = 0;
    for (const struct frame *f = t->frame; f; f = f->caller) n++;
    return n;
}

struct frame *stack_frame_at(const struct java_thread *t, int depth) {
    struct frame *f = t->frame;
    while (f && depth-- > 0) f = f->caller;
    return f;
}

int stack_collect(const struct java_thread *t, int start, int max, struct stack_entry out[]) {
    int n = 0;
    for (struct frame *f = stack_frame_at(t, start); f && n < max; f = f->caller)
        out[n++] = (struct stack_entry){frame_method(f), frame_bci(f)};
    return n;
}

/* ---- references ----------------------------------------------------------------------------------------------------- */

static bool visit_slot(uint64_t value, int slot, bool (*visit)(void *arg, int slot, struct object *o), void *arg) {
    return !heap_is_object((void *)(uintptr_t)value) || visit(arg, slot, (struct object *)(uintptr_t)value);
}

static bool native_arguments(const struct frame *f, bool (*visit)(void *arg, int slot, struct object *o), void *arg) {
    const struct method *m = frame_method(f);
    int slot = 0;
    if (!(m->access_flags & ACC_STATIC) && !visit_slot(f->locals[slot++], 0, visit, arg)) return false;
    struct desc_iter it = desc_begin(m->desc->bytes, m->desc->length);
    for (struct desc_type t; desc_next(&it, &t); slot += desc_kind_slots(t.kind))
        if ((t.kind == 'L' || t.kind == '[') && !visit_slot(f->locals[slot], slot, visit, arg)) return false;
    return true;
}

/* The map is the one before the instruction; what the instruction has popped already lies above sp, or is the callee's. */
bool frame_references(const struct frame *f, const struct frame *callee, bool (*visit)(void *arg, int slot, struct object *o), void *arg) {
    if (f->flags & FRAME_NATIVE) return native_arguments(f, visit, arg);
    int locals = f->code->max_locals;
    uint32_t words = stack_map_words(f->code);
    uint64_t bits[words + 1];
    int operands = stack_map_of_frame(f, bits, words);
    if (operands < 0) return true;
    const uint64_t *end = callee && callee->locals < f->sp ? callee->locals : f->sp;
    int live = (int)(end - frame_stack(f));
    if (live < operands) operands = live;
    for (int i = 0; i < locals + operands; i++) {
        if (!(bits[i >> 6] >> (i & 63) & 1)) continue;
        uint64_t value = i < locals ? f->locals[i] : frame_stack(f)[i - locals];
        if (!visit_slot(value, i, visit, arg)) return false;
    }
    return true;
}
