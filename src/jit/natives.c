/* natives.c — see natives.h. */
#include "jit/natives.h"

#include "link/class.h"
#include "thread/thread.h"

#ifdef ASM_MACHINE

static const enum asm_reg METHOD = REG_RESULT, ARGUMENTS = REG_COUNT;

/* The stack as compiled code has it is kept here while C runs: C preserves it, and compiled code does not expect it
 * back. */
static const enum asm_reg STACK = REG_KEPT;

/* May the function stand in, as the interpreter's entry asks (exec/intrinsic.h)? */
static void ask(struct assembler *a, struct asm_label *slow) {
    struct asm_label bound = {0};
    asm_test_bits(a, asm_at(REG_THREAD, offsetof(struct os_thread, attention)), WATCH_ANY | POLL_LIBRARY);
    asm_branch(a, COND_NOT_EQUAL, slow);
    asm_test_bits(a, asm_at(METHOD, offsetof(struct method, access_flags)), ACC_NATIVE);
    asm_branch_short(a, COND_EQUAL, &bound);
    asm_alu_store_constant(a, ALU_CMP, W64, asm_at(METHOD, offsetof(struct method, native_code)), 0);
    asm_branch(a, COND_EQUAL, slow);
    asm_bind(a, &bound);
}

/* No frame is made: the function neither stops nor throws. */
void call_leaf_write(struct assembler *a, const uint8_t *call) {
    enum { KEPT_METHOD = 0, KEPT_ARGUMENTS = 8, RESULT = 16, ROOM = 32 };
    struct asm_label slow = {0}, declined = {0};
    ask(a, &slow);
    asm_move(a, W64, STACK, REG_STACK);
    asm_note_return_at(a, STACK);
    asm_address(a, REG_STACK, asm_at(REG_STACK, -ROOM));
    asm_alu_constant(a, ALU_AND, W64, REG_STACK, -16);
    asm_store(a, W64, asm_at(REG_STACK, KEPT_METHOD), METHOD);
    asm_store(a, W64, asm_at(REG_STACK, KEPT_ARGUMENTS), ARGUMENTS);
    asm_move(a, W64, REG_C0, ARGUMENTS);
    asm_address(a, REG_C1, asm_at(REG_STACK, RESULT));
    asm_call_load(a, asm_at(METHOD, offsetof(struct method, leaf)));
    asm_alu_constant(a, ALU_TEST, W32, REG_RESULT, UINT8_MAX);
    asm_branch_short(a, COND_EQUAL, &declined);
    asm_load(a, U64, REG_RESULT, asm_at(REG_STACK, RESULT));
    asm_move(a, W64, REG_STACK, STACK);
    asm_note_return(a);
    asm_return(a);
    asm_note_return_at(a, STACK);
    asm_bind(a, &declined);
    asm_load(a, U64, METHOD, asm_at(REG_STACK, KEPT_METHOD));
    asm_load(a, U64, ARGUMENTS, asm_at(REG_STACK, KEPT_ARGUMENTS));
    asm_move(a, W64, REG_STACK, STACK);
    asm_note_return(a);
    asm_bind(a, &slow);
    asm_jump_to(a, call);
}

#endif
