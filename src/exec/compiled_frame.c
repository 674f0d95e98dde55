/* compiled_frame.c — compiled code calls something else; a frame passes from it to the interpreter. */
#include "exec/exec_internal.h"
#include "exec/stack_map.h"

#include "base/base.h"
#include "base/log.h"

#ifdef VITRINE_CHECK
/* The MemberName that linkTo* has followed is no argument of what it calls. */
static bool drops_member_name(const struct frame *f) {
    if (code_opcode(f->code, f->pc) != quick_opcode(OP_invokestatic, FORM_DIRECT)) return false;
    uint16_t index;
    memcpy(&index, f->pc + 1, sizeof index);
    const struct method *m = (const struct method *)(uintptr_t)atomic_load(&f->code->cells[index]);
    return m->entry >= ENTRY_LINK_TO_STATIC && m->entry <= ENTRY_LINK_TO_NATIVE;
}

/* What bits say are references are some, of the locals and of so many operands. */
static void check_references(const struct frame *f, const uint64_t *bits, int operands) {
    for (uint32_t i = 0; i < f->code->max_locals + (uint32_t)operands; i++) {
        uint64_t slot = i < f->code->max_locals ? frame_locals(f)[i] : frame_stack(f)[i - f->code->max_locals];
        vm_assert(!(bits[i >> 6] >> (i & 63) & 1) || slot == 0 || heap_may_be_object(slot_object(slot)),
                  "slot %u is no reference", i);
    }
}

/* In a call there may be a call site's appendix too, and no MemberName. */
static bool fits_call(const struct frame *f, int found, int operands) {
    return found == operands || found == operands + 1 || (found == operands - 1 && drops_member_name(f));
}

/* Operands and references are what the stack map says. */
static void check_slots(struct frame *f, bool in_call) {
    uint32_t words = stack_map_words(f->code);
    uint64_t bits[words + 1];
    int operands = stack_map_of_frame(f, bits, words);
    if (operands < 0) return;
    int found = (int)(f->sp - frame_stack(f));
    vm_assert(in_call ? fits_call(f, found, operands) : found == operands, "%d operands instead of %d", found,
              operands);
    check_references(f, bits, MIN(found, operands));
}

/* f calls what is inlined in it, without the arguments. */
static void check_caller(struct frame *f, const struct frame *callee) {
    uint32_t words = stack_map_words(f->code);
    uint64_t bits[words + 1];
    int operands = stack_map_of_frame(f, bits, words), arguments = frame_method(callee)->arg_slots;
    if (operands < 0) return;
    vm_assert(f->sp == frame_locals(callee), "an inlined frame is not where its caller's operands end");
    int found = (int)(f->sp - frame_stack(f));
    vm_assert(fits_call(f, found + arguments, operands), "the caller of an inlined frame has other operands");
    check_references(f, bits, found);
}

void compiled_frame_stops(struct frame *f) {
    REQUIRES(IN_VM);
    vm_assert(current_thread()->segment->exit == 0, "the C segment of a running thread has an end");
    check_slots(f, true);
    for (; f->flags & FRAME_INLINED; f = f->caller) check_caller(f->caller, f);
}
#else
static void check_slots(struct frame *f UNUSED, bool in_call UNUSED) {}
#endif

/* The frame is the interpreter's: compiled code does not say how long its calls are, and the next loop is to ask for it
 * again. */
static void hand_over(struct frame *f) {
    f->flags &= ~(uint32_t)(FRAME_COMPILED | FRAME_LEAVES | FRAME_CALLER_LEAVES | FRAME_INLINED);
    f->call_length = call_length_at(f);
    f->code->budget = LOOP_COST;
}

void compiled_frame_left(struct frame *f) {
    REQUIRES(IN_VM);
    hand_over(f);
    vm_assert(code_is_location(f->code, frame_bci(f)), "compiled code leaves within an instruction");
    check_slots(f, false);
    const struct method *m = frame_method(f);
    log_trace(jit, "%s.%s%s leaves at %d", m->holder->name->bytes, m->name->bytes, m->desc->bytes, frame_bci(f));
}

uint32_t compiled_frames_left(struct frame *f) {
    REQUIRES(IN_VM);
    uint32_t words = frame_words(f);
    compiled_frame_left(f);
    while (!(f->flags & FRAME_ENTRY)) {
        f = f->caller;
        words += frame_words(f);
        hand_over(f);
    }
    return words;
}

void adopt_frames(struct frame *f) {
    while (!(f->flags & FRAME_ENTRY)) f = f->caller;
    f->flags &= ~(uint32_t)FRAME_ENTRY;
}
