/* frame_roots.c — the references in Java frames, for the collector: exact, by stack maps. */
#include "base/base.h"
#include "base/log.h"
#include "classfile/descriptor.h"
#include "exec/exec_internal.h"
#include "exec/stack_map.h"

/* A slot that its map calls a reference. Anything else than an object there means a wrong map, or bad code that no verifier has seen. */
static void visit_slot(struct heap_visitor *v, const struct frame *f, uint32_t slot, uint64_t value) {
    if (value == 0) return;
    if (LIKELY(heap_is_object((void *)(uintptr_t)value))) {
        heap_visit(v, slot_object(value));
        return;
    }
    vm_assert(false, "%s.%s%s at %d: slot %u holds %#" PRIx64 ", which is no object", frame_method(f)->holder->name->bytes,
              frame_method(f)->name->bytes, frame_method(f)->desc->bytes, frame_bci(f), slot, value);
    heap_visit_word(v, (uintptr_t)value);
}

static void visit_native(struct heap_visitor *v, const struct frame *f) {
    const struct method *m = frame_method(f);
    uint32_t slot = 0;
    if (!(m->access_flags & ACC_STATIC)) {
        visit_slot(v, f, 0, f->locals[0]);
        slot = 1;
    }
    struct desc_iter it = desc_begin(m->desc->bytes, m->desc->length);
    for (struct desc_type t; desc_next(&it, &t); slot += (uint32_t)desc_kind_slots(t.kind))
        if (t.kind == 'L' || t.kind == '[') visit_slot(v, f, slot, f->locals[slot]);
}

/* `end`: where the frame's operands end. Between the instruction's begin and a call it makes they are a prefix of what the map before
 * the instruction shows; one more is the hidden last argument of a method-handle call. */
static void visit_bytecode(struct heap_visitor *v, const struct frame *f, const uint64_t *end) {
    uint32_t words = stack_map_words(f->code), locals = f->code->max_locals;
    uint64_t bits[words + 1];
    int operands = stack_map_of_frame(f, bits, words);
    int depth = (int)(end - frame_stack(f));
    vm_assert(operands >= 0 && depth >= 0 && depth <= operands + 1, "%s.%s%s at %d: %d operands, %d by the stack map",
              frame_method(f)->holder->name->bytes, frame_method(f)->name->bytes, frame_method(f)->desc->bytes, frame_bci(f), depth, operands);
    if (UNLIKELY(operands < 0 || depth < 0 || depth > operands + 1)) {
        heap_visit_words(v, f->locals, f->locals + locals);
        heap_visit_words(v, frame_stack(f), frame_stack(f) + f->code->max_stack);
        return;
    }
    if (depth > operands) heap_visit_word(v, (uintptr_t)frame_stack(f)[operands]);
    else operands = depth;
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
            uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(rest);
            if (slot < locals) visit_slot(v, f, slot, f->locals[slot]);
            else if (slot - locals < (uint32_t)operands) visit_slot(v, f, slot, frame_stack(f)[slot - locals]);
        }
    }
}

void exec_visit_frames(struct heap_visitor *v, struct java_thread *t) {
    const uint64_t *end = t->frame != NULL ? t->frame->sp : NULL;
    for (const struct frame *f = t->frame; f != NULL; f = f->caller) {
        heap_visit_holder(v, frame_method(f)->holder->shape.holder);
        if (f->flags & FRAME_NATIVE) visit_native(v, f);
        else visit_bytecode(v, f, end);
        /* What the callee has as arguments is no longer its caller's. */
        if (f->caller != NULL) end = f->locals < f->caller->sp ? f->locals : f->caller->sp;
    }
}
