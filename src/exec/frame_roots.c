/* frame_roots.c — the references in Java frames, for the collector: exact, by stack maps. */
#include "base/base.h"
#include "base/log.h"
#include "classfile/descriptor.h"
#include "exec/exec_internal.h"
#include "exec/frame_cursor.h"
#include "exec/stack_map.h"

/* A slot that its map calls a reference. Anything else than an object there means a wrong map, or bad code that no
 * verifier has seen. */
static void visit_slot(struct heap_visitor *v, const struct frame_cursor *c, uint32_t slot, uint64_t value) {
    if (value == 0) return;
    if (LIKELY(heap_is_object((void *)(uintptr_t)value))) {
        heap_visit(v, slot_object(value));
        return;
    }
    const struct method *m = cursor_method(c);
    (void)m;
    vm_assert(false, "%s.%s%s at %d: slot %u holds %#" PRIx64 ", which is no object", m->holder->name->bytes,
              m->name->bytes, m->desc->bytes, cursor_bci(c), slot, value);
    heap_visit_word(v, (uintptr_t)value);
}

static void visit_native(struct heap_visitor *v, const struct frame_cursor *c) {
    const struct method *m = cursor_method(c);
    const uint64_t *locals = cursor_locals(c);
    uint32_t slot = 0;
    if (!(m->access_flags & ACC_STATIC)) {
        visit_slot(v, c, 0, locals[0]);
        slot = 1;
    }
    struct desc_iter it = desc_begin(m->desc->bytes, m->desc->length);
    for (struct desc_type t; desc_next(&it, &t); slot += (uint32_t)desc_kind_slots(t.kind))
        if (t.kind == 'L' || t.kind == '[') visit_slot(v, c, slot, locals[slot]);
}

/* Between the instruction's begin and a call it makes the operands are a prefix of what the map before the instruction
 * shows; one more is the hidden last argument of a method-handle call. */
static void visit_bytecode(struct heap_visitor *v, const struct frame_cursor *c) {
    const struct method_code *code = cursor_code(c);
    const uint64_t *locals = cursor_locals(c), *stack = cursor_operands(c);
    uint32_t words = stack_map_words(code), local_count = code->max_locals;
    uint64_t bits[words + 1];
    int operands = cursor_map(c, bits, words), depth = (int)(cursor_operands_end(c) - stack);
    bool fits = operands >= 0 && depth >= 0 && depth <= operands + 1;
    vm_assert(fits, "%s.%s%s at %d (%s): %d operands, %d by the stack map", code->method->holder->name->bytes,
              code->method->name->bytes, code->method->desc->bytes, cursor_bci(c),
              quick_name(code_opcode(code, code->code + cursor_bci(c))), depth, operands);
    if (UNLIKELY(!fits)) {
        heap_visit_words(v, locals, locals + local_count);
        heap_visit_words(v, stack, stack + code->max_stack);
        return;
    }
    if (depth > operands) heap_visit_word(v, (uintptr_t)stack[operands]);
    else operands = depth;
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
            uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(rest);
            if (slot < local_count) visit_slot(v, c, slot, locals[slot]);
            else if (slot - local_count < (uint32_t)operands) visit_slot(v, c, slot, stack[slot - local_count]);
        }
    }
}

void exec_visit_frames(struct heap_visitor *v, struct java_thread *t) {
    for (struct frame_cursor c = frame_first(t); cursor_valid(&c); frame_next(&c)) {
        heap_visit_holder(v, cursor_method(&c)->holder->shape.holder);
        if (cursor_is_native(&c)) visit_native(v, &c);
        else visit_bytecode(v, &c);
    }
}
