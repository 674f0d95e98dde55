/* monitors.c — monitors that no other thread wants, as monitor_enter_fast and monitor_exit_fast do it; all else is
 * C's. JVMS 2.11.10. */
#include "jit/monitors.h"

#include "exec/engine.h"
#include "exec/frame.h"
#include "jit/stub_parts.h"
#include "thread/monitor.h"

#ifdef ASM_MACHINE

static const enum asm_reg OBJECT = REG_C1, THREAD = REG_JAVA, WORD = REG_C2, COUNT = REG_COUNT,
                          HOLDER = REG_C0;       /* the frame for which it is done, whose record may not be there   */

static struct asm_mem frame_flags(void) { return asm_at(REG_FRAME, offsetof(struct frame, flags)); }
static struct asm_mem thread_field(size_t offset) { return asm_at(THREAD, (int32_t)offset); }
static struct asm_mem attention(void) { return asm_at(REG_THREAD, offsetof(struct os_thread, attention)); }

static void by_runtime(struct assembler *a, const struct stubs *s, runtime_function *f) {
    asm_constant(a, REG_SCRATCH, (uintptr_t)f);
    asm_jump_to(a, s->runtime);
}

/* The top operand. */
static void load_object(struct assembler *a, struct asm_label *null) {
    asm_load(a, U64, OBJECT, asm_at(REG_FRAME, offsetof(struct frame, sp)));
    asm_load(a, U64, OBJECT, asm_at(OBJECT, -8));
    asm_alu(a, ALU_TEST, W64, OBJECT, OBJECT);
    asm_branch(a, COND_EQUAL, null);
}

/* What the thread's thin monitors hold. */
static void load_thin_word(struct assembler *a, struct asm_label *none) {
    asm_load(a, U32, WORD, thread_field(offsetof(struct java_thread, slot)));
    asm_address(a, COUNT, asm_at(WORD, -1));
    asm_alu_constant(a, ALU_CMP, W32, COUNT, MONITOR_THIN_SLOTS - 1);
    asm_branch(a, COND_NOT_BELOW, none);
    asm_shift_constant(a, SHIFT_LEFT, W32, WORD, MONITOR_OWNER_SHIFT);
    asm_alu_constant(a, ALU_OR, W32, WORD, MONITOR_THIN);
}

/* r = the address of lock entry number COUNT - `back`. */
static struct asm_mem entry(struct assembler *a, enum asm_reg r, int32_t back, size_t offset) {
    _Static_assert(sizeof(struct lock_entry) == 16, "the index is shifted by 4");
    asm_move(a, W32, r, COUNT);
    asm_shift_constant(a, SHIFT_LEFT, W64, r, 4);
    asm_alu_load(a, ALU_ADD, W64, r, thread_field(offsetof(struct java_thread, locks)));
    return asm_at(r, (int32_t)offset - 16 * back);
}

static struct asm_mem monitor(void) { return asm_at(OBJECT, offsetof(struct object, monitor)); }

/* The thread has the monitor, which holds REG_RESULT, not WORD: one recursion more or less than there is. Plain store:
 * nobody else changes the word meanwhile. */
static void recurse(struct assembler *a, uint32_t limit, int32_t by, struct asm_label *slow) {
    const enum asm_reg held = REG_SCRATCH;
    asm_move(a, W32, held, REG_RESULT);
    asm_alu(a, ALU_XOR, W32, held, WORD);                /* recursions, if nothing else differs                     */
    asm_alu_constant(a, ALU_CMP, W32, held, MONITOR_RECURSION);
    asm_branch(a, COND_ABOVE, slow);
    asm_alu_constant(a, ALU_CMP, W32, held, (int32_t)limit);
    asm_branch(a, COND_EQUAL, slow);
    asm_alu_constant(a, ALU_ADD, W32, REG_RESULT, by);
    asm_store(a, W32, monitor(), REG_RESULT);
}

/* OBJECT's monitor is the frame's in the register, or `slow` with nothing done. */
static void enter_for(struct assembler *a, enum asm_reg frame, struct asm_label *slow) {
    struct asm_label entered = {0};
    load_thin_word(a, slow);
    asm_load(a, U32, COUNT, thread_field(offsetof(struct java_thread, lock_count)));
    asm_alu_load(a, ALU_CMP, W32, COUNT, thread_field(offsetof(struct java_thread, lock_capacity)));
    asm_branch(a, COND_EQUAL, slow);
    asm_constant(a, REG_RESULT, 0);
    asm_compare_exchange(a, W32, monitor(), WORD);
    asm_branch_short(a, COND_EQUAL, &entered);
    recurse(a, MONITOR_RECURSION, 1, slow);
    asm_bind(a, &entered);
    struct asm_mem object = entry(a, WORD, 0, offsetof(struct lock_entry, object));
    asm_store(a, W64, object, OBJECT);
    asm_store(a, W64, asm_at(WORD, offsetof(struct lock_entry, frame)), frame);
    asm_alu_store_constant(a, ALU_ADD, W32, thread_field(offsetof(struct java_thread, lock_count)), 1);
}

/* ... of the youngest frame, and returned. */
static void enter(struct assembler *a, struct asm_label *slow) {
    enter_for(a, REG_FRAME, slow);
    asm_alu_store_constant(a, ALU_OR, W32, frame_flags(), FRAME_HOLDS_LOCKS);
    asm_return(a);
}

/* The monitor of the newest lock entry, OBJECT's, is left once; `slow`: nothing is done. */
static void leave(struct assembler *a, struct asm_label *slow) {
    struct asm_label last = {0}, left = {0};
    load_thin_word(a, slow);
    asm_load(a, U32, REG_RESULT, monitor());
    asm_alu(a, ALU_CMP, W32, REG_RESULT, WORD);
    asm_branch_short(a, COND_EQUAL, &last);
    recurse(a, 0, -1, slow);
    asm_jump_short(a, &left);
    asm_bind(a, &last);
    asm_store_constant(a, W32, monitor(), 0);
    asm_bind(a, &left);
    asm_alu_store_constant(a, ALU_SUB, W32, thread_field(offsetof(struct java_thread, lock_count)), 1);
}

/* EQUAL: it is C's to do. */
static void declines(struct assembler *a) {
    asm_zero(a, REG_RESULT);
    asm_return(a);
}

/* COUNT and THREAD; none: `none`. */
static void count_locks(struct assembler *a, struct asm_label *none) {
    asm_load(a, U32, COUNT, thread_field(offsetof(struct java_thread, lock_count)));
    asm_alu(a, ALU_TEST, W32, COUNT, COUNT);
    asm_branch(a, COND_EQUAL, none);
}

void monitorenter_write(struct assembler *a, const struct stubs *s) {
    struct asm_label slow = {0};
    load_object(a, &slow);
    enter(a, &slow);
    asm_bind(a, &slow);
    by_runtime(a, s, runtime_monitorenter);
}

void try_enter_write(struct assembler *a) {
    struct asm_label slow = {0};
    enter(a, &slow);                     /* its last result is the frame's flags                                   */
    asm_bind(a, &slow);
    declines(a);
}

static void pass_holder(struct assembler *a) {
    asm_move(a, W64, REG_C2, HOLDER);
    asm_move(a, W64, REG_C0, REG_THREAD);
}

/* A fat monitor that nobody else wants is a leaf's of C; REG_C1 has the object. */
static void returns_leaf(struct assembler *a, uint64_t (*leaf)(struct os_thread *, struct object *, struct frame *)) {
    ask_leaf(a, (uintptr_t)leaf, pass_holder, false);
    asm_alu(a, ALU_TEST, W64, REG_RESULT, REG_RESULT);
    asm_return(a);
}

void frame_enters_write(struct assembler *a) {
    struct asm_label slow = {0};
    enter_for(a, HOLDER, &slow);         /* ... how many monitors the thread has                                   */
    asm_return(a);
    asm_bind(a, &slow);
    returns_leaf(a, monitor_try_enter);
}

/* The newest lock entry is OBJECT's, and the frame's in the register, and is left. */
static void leave_newest(struct assembler *a, enum asm_reg frame, struct asm_label *slow) {
    count_locks(a, slow);
    asm_alu_load(a, ALU_CMP, W64, OBJECT, entry(a, WORD, 1, offsetof(struct lock_entry, object)));
    asm_branch(a, COND_NOT_EQUAL, slow);
    asm_alu_load(a, ALU_CMP, W64, frame, asm_at(WORD, (int32_t)offsetof(struct lock_entry, frame) - 16));
    asm_branch(a, COND_NOT_EQUAL, slow);
    leave(a, slow);
}

void frame_exits_write(struct assembler *a) {
    struct asm_label slow = {0};
    leave_newest(a, HOLDER, &slow);
    asm_alu(a, ALU_TEST, W64, OBJECT, OBJECT);
    asm_return(a);
    asm_bind(a, &slow);
    returns_leaf(a, monitor_try_exit);
}

void monitorexit_write(struct assembler *a, const struct stubs *s) {
    struct asm_label slow = {0};
    load_object(a, &slow);
    leave_newest(a, REG_FRAME, &slow);
    asm_return(a);
    asm_bind(a, &slow);
    by_runtime(a, s, runtime_monitorexit);
}

void entered_synchronized_write(struct assembler *a, const struct stubs *s) {
    struct asm_label slow = {0};
    asm_alu_store_constant(a, ALU_TEST, W32, attention(), POLL_ANY | WATCH_METHODS | WATCH_STEPS);
    asm_branch(a, COND_NOT_EQUAL, &slow);
    asm_alu(a, ALU_TEST, W64, OBJECT, OBJECT);
    asm_branch(a, COND_EQUAL, &slow);
    enter(a, &slow);
    asm_bind(a, &slow);
    asm_jump_to(a, s->entered);
}

/* COUNT and WORD, as entry() sets them for the newest lock entry; EQUAL if it is the frame's. No entry at all: `none`;
 * nothing is to be done here: `slow`. */
static void compare_newest(struct assembler *a, struct asm_label *none, struct asm_label *slow) {
    asm_alu_store_constant(a, ALU_TEST, W32, attention(), POLL_ANY | WATCH_METHODS | WATCH_STEPS);
    asm_branch(a, COND_NOT_EQUAL, slow);
    asm_alu_store_constant(a, ALU_TEST, W32, frame_flags(), FRAME_HOLDS_LOCKS);
    asm_branch(a, COND_EQUAL, slow);
    count_locks(a, none);
    asm_alu_load(a, ALU_CMP, W64, REG_FRAME, entry(a, WORD, 1, offsetof(struct lock_entry, frame)));
}

static void holds_no_locks(struct assembler *a) {
    asm_alu_store_constant(a, ALU_AND, W32, frame_flags(), ~FRAME_HOLDS_LOCKS);
    asm_return(a);
}

/* The newest lock entry, which is the frame's, with COUNT and WORD as entry() sets them, is left, if it is its only
 * one. OBJECT, where it is `slow`, is whose monitor that is. */
static void leave_only(struct assembler *a, enum asm_reg frame, struct asm_label *others, struct asm_label *slow) {
    struct asm_label alone = {0};
    asm_load(a, U64, OBJECT, asm_at(WORD, (int32_t)offsetof(struct lock_entry, object) - 16));
    asm_alu_constant(a, ALU_CMP, W32, COUNT, 1);
    asm_branch_short(a, COND_EQUAL, &alone);
    asm_alu_load(a, ALU_CMP, W64, frame, asm_at(WORD, (int32_t)offsetof(struct lock_entry, frame) - 32));
    asm_branch(a, COND_EQUAL, others);
    asm_bind(a, &alone);
    leave(a, slow);
}

void leaves_synchronized_write(struct assembler *a) {
    struct asm_label slow = {0};
    compare_newest(a, &slow, &slow);
    asm_branch(a, COND_NOT_EQUAL, &slow);
    leave_only(a, REG_FRAME, &slow, &slow);
    holds_no_locks(a);
    asm_bind(a, &slow);
    asm_return(a);
}

void leaves_monitors_write(struct assembler *a) {
    struct asm_label slow = {0}, none = {0};
    compare_newest(a, &none, &slow);
    asm_branch(a, COND_EQUAL, &slow);
    asm_bind(a, &none);
    holds_no_locks(a);
    asm_bind(a, &slow);
    asm_return(a);
}

void frame_exits_own_write(struct assembler *a) {
    struct asm_label others = {0}, slow = {0};
    count_locks(a, &others);
    asm_alu_load(a, ALU_CMP, W64, HOLDER, entry(a, WORD, 1, offsetof(struct lock_entry, frame)));
    asm_branch(a, COND_NOT_EQUAL, &others);
    leave_only(a, HOLDER, &others, &slow);
    asm_alu(a, ALU_TEST, W64, OBJECT, OBJECT);
    asm_return(a);
    asm_bind(a, &slow);
    returns_leaf(a, monitor_try_exit);
    asm_bind(a, &others);
    declines(a);
}

void frame_holds_write(struct assembler *a) {
    struct asm_label none = {0};
    count_locks(a, &none);
    asm_alu_load(a, ALU_CMP, W64, HOLDER, entry(a, WORD, 1, offsetof(struct lock_entry, frame)));
    asm_return(a);
    asm_bind(a, &none);
    asm_alu(a, ALU_TEST, W64, HOLDER, HOLDER);
    asm_return(a);
}

#endif
