/* method_events.c — see method_events.h. Nothing but the event is wanted in nearly all cases: no monitor, no poll, no
 * step, no filter, one kind of return; and nothing has come up when its receivers are done. */
#include "jit/method_events.h"

#include "exec/frame.h"
#include "jit/stub_parts.h"
#include "thread/probe_point.h"

#ifdef ASM_MACHINE

enum { NOT_PLAIN = POLL_ANY | WATCH_STEPS };         /* of os_thread.attention: run.c's to do                      */

static struct asm_mem of_frame(size_t offset) { return asm_at(REG_FRAME, (int32_t)offset); }
static struct asm_mem of_thread(size_t offset) { return asm_at(REG_THREAD, (int32_t)offset); }
static struct asm_mem of_java(size_t offset) { return asm_at(REG_JAVA, (int32_t)offset); }

/* NOT_EQUAL: the record of the frame has one of these flags. */
static void test_flags(struct assembler *a, uint32_t flags) {
    asm_test_bits(a, of_frame(offsetof(struct frame, flags)), flags);
}

static void branch_if_not_plain(struct assembler *a, struct asm_label *to) {
    asm_alu_store_constant(a, ALU_TEST, W32, of_thread(offsetof(struct os_thread, attention)), NOT_PLAIN);
    asm_branch(a, COND_NOT_EQUAL, to);
}

/* The event is not wanted of this thread, or a filter is to be asked. */
static void branch_unless_sent(struct assembler *a, unsigned event, struct asm_label *to) {
    asm_alu_store_constant(a, ALU_CMP, W64, of_java(offsetof(struct java_thread, method_filter)), 0);
    asm_branch(a, COND_NOT_EQUAL, to);
    asm_test_bits(a, of_java(offsetof(struct java_thread, event_mask)), (uint32_t)PROBE_MASK(event));
    asm_branch(a, COND_EQUAL, to);
}
_Static_assert(PROBE_MASK(PROBE_method_entry) <= UINT32_MAX && PROBE_MASK(PROBE_method_exit) <= UINT32_MAX,
               "bits of event_mask's lower half");

/* Where the function stands that is called for the event. In the CHECK build it looks at the frame before. */
#ifdef VITRINE_CHECK
static void (*const report_entry)(struct os_thread *, struct frame *) = run_report_entry;
static void (*const report_exit)(struct os_thread *, struct frame *, bool, uint64_t) = run_report_exit;
#define RECEIVER(event) (&report_##event)
#else
#define RECEIVER(event) (&vm->probe_receivers->method_##event)
#endif

/* Arguments but the thread and the frame are in place. */
static void call_receiver(struct assembler *a, const void *receiver) {
    asm_move(a, W64, REG_C1, REG_FRAME);
    asm_move(a, W64, REG_C0, REG_THREAD);
    asm_constant(a, REG_RESULT, (uintptr_t)receiver);
    asm_call_load(a, asm_at(REG_RESULT, 0));
    load_java(a);
}

/* After the event. */
static void branch_if_anything_is_up(struct assembler *a, struct asm_label *to) {
    asm_alu_store_constant(a, ALU_CMP, W64, of_thread(offsetof(struct os_thread, exception)), 0);
    asm_branch(a, COND_NOT_EQUAL, to);
    branch_if_not_plain(a, to);
}

/* What is left, or all of it, is done by a function of run.c, whose arguments but the thread, the frame and the last,
 * `on`, are in place. */
static void call_run(struct assembler *a, uintptr_t function, enum asm_reg on) {
    asm_move(a, W64, REG_C1, REG_FRAME);
    call_c(a, function, on);
}

/* ... which has answered: compiled code goes on with the youngest frame as `done` has it, or elsewhere. */
static void go_on_as_answered(struct assembler *a, struct asm_label *done) {
    struct asm_label elsewhere = {0};
    asm_alu(a, ALU_TEST, W32, REG_RESULT, REG_RESULT);
    asm_branch(a, COND_EQUAL, &elsewhere);
    load_youngest(a);
    asm_jump(a, done);
    asm_bind(a, &elsewhere);
    go_on_there(a);
}

/* A frame that has just been made. The method goes on at method_code.entered, as if it had called the stub from there;
 * but a return without a call would have the processor expect the wrong one, here and when the method returns. */
void attention_write(struct assembler *a) {
    const enum asm_reg code = REG_C2, on = REG_RESULT;
    struct asm_label by_c = {0}, ended = {0}, entered = {0}, answered = {0};
    store_youngest(a);
    asm_load(a, U64, code, of_frame(offsetof(struct frame, code)));
    asm_load(a, U8, on, asm_at(code, offsetof(struct method_code, entered)));
    asm_alu_load(a, ALU_ADD, W64, on, asm_at(code, offsetof(struct method_code, compiled)));
    asm_push(a, on);
    make_way(a, 0);
    asm_alu_store_constant(a, ALU_CMP, W8, asm_at(code, offsetof(struct method_code, uncommon)), 0);
    asm_branch(a, COND_NOT_EQUAL, &by_c);
    branch_if_not_plain(a, &by_c);
    branch_unless_sent(a, PROBE_method_entry, &by_c);
    asm_address(a, REG_RESULT, of_frame(FRAME_SLOTS * 8));
    asm_store(a, W64, of_frame(offsetof(struct frame, sp)), REG_RESULT);
    call_receiver(a, RECEIVER(entry));
    branch_if_anything_is_up(a, &ended);
    test_flags(a, FRAME_LEAVES);
    asm_branch(a, COND_NOT_EQUAL, &ended);
    asm_bind(a, &entered);
    back_from_c(a);
    asm_pop(a, REG_SCRATCH);
    asm_jump_register(a, REG_SCRATCH);
    asm_bind(a, &by_c);
    asm_note_return_by(a, way(offsetof(struct way_on, sp)));
    call_run(a, (uintptr_t)run_entered, REG_C2);
    asm_jump(a, &answered);
    asm_bind(a, &ended);
    call_run(a, (uintptr_t)run_entry_reported, REG_C2);
    asm_bind(a, &answered);
    go_on_as_answered(a, &entered);
}

/* `value` becomes the frame's only operand, of the type that its method returns. Changes REG_RESULT and REG_C4. */
static void push_result(struct assembler *a, enum asm_reg value) {
    const enum asm_reg type = REG_RESULT, sp = REG_C4;
    struct asm_label pushed = {0};
    asm_load(a, U64, type, of_frame(offsetof(struct frame, code)));
    asm_load(a, U64, type, asm_at(type, offsetof(struct method_code, method)));
    asm_load(a, U8, type, asm_at(type, offsetof(struct method, return_type)));
    asm_address(a, sp, of_frame(FRAME_SLOTS * 8));
    asm_alu_constant(a, ALU_CMP, W32, type, T_VOID);
    asm_branch_short(a, COND_EQUAL, &pushed);
    asm_store(a, W64, asm_at(sp, 0), value);
    asm_address(a, sp, asm_at(sp, 8));
    _Static_assert(T_LONG - T_DOUBLE == 4, "one bit tells them apart");
    asm_alu_constant(a, ALU_SUB, W32, type, T_DOUBLE);
    asm_alu_constant(a, ALU_TEST, W32, type, ~(T_LONG - T_DOUBLE));
    asm_branch_short(a, COND_NOT_EQUAL, &pushed);
    asm_address(a, sp, asm_at(sp, 8));
    asm_bind(a, &pushed);
    asm_store(a, W64, of_frame(offsetof(struct frame, sp)), sp);
}

/* A frame that returns REG_RESULT. */
void returns_write(struct assembler *a) {
    const enum asm_reg value = REG_C3;
    struct asm_label by_c = {0}, ended = {0}, returned = {0}, answered = {0};
    const struct asm_mem flags = of_frame(offsetof(struct frame, flags));
    store_youngest(a);
    asm_move(a, W64, value, REG_RESULT);
    make_way(a, 0);
    test_flags(a, FRAME_ANY & ~(uint32_t)FRAME_PLAIN);
    asm_branch(a, COND_NOT_EQUAL, &by_c);
    branch_if_not_plain(a, &by_c);
    branch_unless_sent(a, PROBE_method_exit, &by_c);
    push_result(a, value);
    asm_store(a, W64, way(offsetof(struct way_on, value)), value);
    asm_alu_store_constant(a, ALU_OR, W32, flags, FRAME_EXITING);
    asm_zero(a, REG_C2);
    call_receiver(a, RECEIVER(exit));
    branch_if_anything_is_up(a, &ended);
    test_flags(a, FRAME_POP_EVENT | FRAME_CALLER_LEAVES);
    asm_branch(a, COND_NOT_EQUAL, &ended);
    asm_alu_store_constant(a, ALU_AND, W32, flags, ~FRAME_EXITING);
    asm_load(a, U64, REG_FRAME, of_frame(offsetof(struct frame, caller)));
    store_youngest(a);
    asm_bind(a, &returned);
    asm_load(a, U64, REG_RESULT, way(offsetof(struct way_on, value)));
    back_from_c(a);
    asm_return(a);
    asm_bind(a, &by_c);
    asm_note_return_by(a, way(offsetof(struct way_on, sp)));
    asm_move(a, W64, REG_C2, value);
    call_run(a, (uintptr_t)run_return, REG_C3);
    asm_jump(a, &answered);
    asm_bind(a, &ended);
    call_run(a, (uintptr_t)run_exit_reported, REG_C2);
    asm_bind(a, &answered);
    go_on_as_answered(a, &returned);
}

#endif
