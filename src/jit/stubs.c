/* stubs.c — see stubs.h. How C enters compiled code and gets back:
 *
 *      interpret, exec_invoke
 *         | method.enter(self, m, args, result)
 *         v                                                     C stack at the call
 *      enter: saves C's registers,                              +-----------------------+
 *         | loads those of the contract                         | return address into C |
 *         | call                                                | C's registers         |
 *         v                                                     | result pointer        |
 *      code of m                                                | segment's old base    |
 *         | return                                              +-----------------------+
 *         |  enter: *result = value, C gets NULL                | return addresses: all | <- REG_STACK in
 *         | jump to interpret, or, with frames, by `ended`      | that compiled code    |    compiled code
 *         v  C gets the method                                  | has on this stack     |
 *                                                               +-----------------------+
 *
 * The collector does not look at what lies above, nor at the return addresses: the C segment begins anew where compiled
 * code calls C. */
#include "jit/stubs.h"

#include "exec/engine.h"
#include "exec/frame.h"
#include "heap/heap.h"
#include "jit/allocation.h"
#include "jit/call_sites.h"
#include "jit/copy.h"
#include "jit/exits.h"
#include "jit/method_events.h"
#include "jit/method_handles.h"
#include "jit/monitors.h"
#include "jit/natives.h"
#include "jit/run.h"
#include "jit/stub_parts.h"

#ifdef ASM_MACHINE

enum { ROOM = 1024 };                    /* more than any of these takes */

struct request {
    const struct stubs *stubs;
    struct stubs *made;                  /* the same, while they are made                                          */
    struct method_code *code;
    struct asm_callers *callers;         /* NULL: nobody wants to know                                             */
};

/* What begins at `begin` and is written to `to`; returns its length. */
static size_t assemble(void *to, size_t size, const uint8_t *begin,
                       void (*write)(struct assembler *a, const struct request *r), const struct request *r) {
    struct assembler a;
    asm_begin(&a, to, size, begin);
    if (r->callers != NULL) asm_note_callers(&a, r->callers);
    write(&a, r);
    size_t length = asm_end(&a);
    vm_assert(length != 0, "code that cannot be encoded");
    return length;
}

/* Assembles twice: how long it is does not depend on which blob it is in. */
static const struct code_blob *make(struct code_cache *c, struct code_blob header,
                                    void (*write)(struct assembler *a, const struct request *r),
                                    const struct request *r) {
    uint8_t measured[ROOM];
    header.length = (uint32_t)assemble(measured, ROOM, code_blob_begin((const struct code_blob *)c->runs), write, r);
    struct code_blob *b = code_cache_take(c, &header);
    if (b == NULL) return NULL;
    const uint8_t *begin = code_blob_begin(b);
    assemble(code_cache_writable(c, begin), header.length, begin, write, r);
    return code_cache_publish(c, b) ? b : NULL;
}

/* ---- C enters ---------------------------------------------------------------------------------------------------- */

static struct asm_mem segment_base(struct assembler *a, enum asm_reg r) {
    asm_load(a, U64, r, asm_at(REG_THREAD, offsetof(struct os_thread, segment)));
    return asm_at(r, offsetof(struct c_segment, base));
}

void store_youngest(struct assembler *a) {
    asm_store(a, W64, asm_at(REG_JAVA, offsetof(struct java_thread, frame)), REG_FRAME);
}

void load_java(struct assembler *a) {
    asm_load(a, U64, REG_JAVA, asm_at(REG_THREAD, offsetof(struct os_thread, java)));
}

/* REG_C0: thread, REG_C3: result pointer. */
static void begin_compiled(struct assembler *a) {
    asm_c_begin(a);
    asm_push(a, REG_C3);
    asm_move(a, W64, REG_THREAD, REG_C0);
    struct asm_mem base = segment_base(a, REG_RESULT);
    asm_load(a, U64, REG_C0, base);
    asm_push(a, REG_C0);
    asm_constant(a, REG_SHAPES, (uintptr_t)shape_table);
    load_java(a);
}

/* REG_RESULT is kept; the result pointer goes to REG_C3. */
static void end_compiled(struct assembler *a) {
    asm_note_c_frame(a);
    asm_pop(a, REG_C0);
    struct asm_mem base = segment_base(a, REG_C1);
    asm_store(a, W64, base, REG_C0);
    asm_pop(a, REG_C3);
}

static const uint8_t *address_here(const struct assembler *a) {
    return (const uint8_t *)((intptr_t)a->next + a->moves_by);
}

static void write_returned(struct assembler *a) {
    store_youngest(a);
    end_compiled(a);
    asm_store(a, W64, asm_at(REG_C3, 0), REG_RESULT);
    asm_constant(a, REG_RESULT, 0);
    asm_c_return(a);
}

void load_youngest(struct assembler *a) {
    asm_load(a, U64, REG_FRAME, asm_at(REG_JAVA, offsetof(struct java_thread, frame)));
}

static void write_enter(struct assembler *a, const struct request *r) {
    begin_compiled(a);
    load_youngest(a);
    asm_load(a, U64, REG_SCRATCH, asm_at(REG_C1, offsetof(struct method, code)));
    asm_load(a, U64, REG_SCRATCH, asm_at(REG_SCRATCH, offsetof(struct method_code, compiled)));
    asm_move(a, W64, REG_COUNT, REG_C2);
    asm_constant(a, REG_C1, FRAME_COMPILED | FRAME_ENTRY);
    asm_call_register(a, REG_SCRATCH);
    r->made->enter_returned = address_here(a);
    write_returned(a);
}

static void write_enter_loop(struct assembler *a, const struct request *r) {
    begin_compiled(a);
    asm_move(a, W64, REG_FRAME, REG_C1);
    asm_call_register(a, REG_C2);
    r->made->enter_loop_returned = address_here(a);
    write_returned(a);
}

/* REG_RESULT: what C gets; the entry frame's own word is on top. */
static void write_ended(struct assembler *a, const struct request *r UNUSED) {
    asm_pop(a, REG_C3);
    end_compiled(a);
    asm_c_return(a);
}

/* ---- compiled code asks C ---------------------------------------------------------------------------------------- */

void make_way(struct assembler *a, size_t bytes) {
    asm_address(a, REG_RESULT, way(bytes));
    asm_note_return_at(a, REG_RESULT);
    asm_address(a, REG_STACK, asm_at(REG_STACK, -ROOM_OF_WAY));
    asm_alu_constant(a, ALU_AND, W64, REG_STACK, -16);
    asm_store(a, W64, way(offsetof(struct way_on, sp)), REG_RESULT);
    asm_note_return_by(a, way(offsetof(struct way_on, sp)));
    asm_store(a, W64, segment_base(a, REG_SCRATCH), REG_STACK);
    asm_zero(a, REG_KEPT);               /* C would keep on its stack what nobody needs any more: objects, maybe    */
}

void call_c(struct assembler *a, uintptr_t function, enum asm_reg on) {
    asm_move(a, W64, on, REG_STACK);
    asm_move(a, W64, REG_C0, REG_THREAD);
    asm_constant(a, REG_RESULT, function);
    asm_call_register(a, REG_RESULT);
    load_java(a);
}

static void into_c(struct assembler *a, uintptr_t function, enum asm_reg on, size_t bytes) {
    make_way(a, bytes);
    call_c(a, function, on);
}

void back_from_c(struct assembler *a) {
    asm_load(a, U64, REG_STACK, way(offsetof(struct way_on, sp)));
    asm_note_return(a);
}

void go_on_there(struct assembler *a) {
    asm_note_return_by(a, way(offsetof(struct way_on, sp)));
    load_youngest(a);
    asm_load(a, U64, REG_RESULT, way(offsetof(struct way_on, value)));
    asm_load(a, U64, REG_SCRATCH, way(offsetof(struct way_on, address)));
    back_from_c(a);
    asm_jump_register(a, REG_SCRATCH);
}

void return_from_c(struct assembler *a) {
    struct asm_label elsewhere = {0};
    asm_alu(a, ALU_TEST, W32, REG_RESULT, REG_RESULT);
    asm_branch(a, COND_EQUAL, &elsewhere);
    asm_load(a, U64, REG_RESULT, way(offsetof(struct way_on, value)));
    back_from_c(a);
    asm_return(a);
    asm_bind(a, &elsewhere);
    go_on_there(a);
}

static void write_to_call(struct assembler *a, uintptr_t function) {
    store_youngest(a);
    asm_move(a, W64, REG_C1, REG_RESULT);
    asm_move(a, W64, REG_C2, REG_COUNT);
    into_c(a, function, REG_C3, 0);
    return_from_c(a);
}

void branch_if_used_up(struct assembler *a, struct asm_label *to) {
    asm_move(a, W64, REG_SCRATCH, REG_STACK);
    asm_load(a, U64, REG_C0, asm_at(REG_THREAD, offsetof(struct os_thread, c_stack_low)));
    asm_load(a, U64, REG_C1, asm_at(REG_THREAD, offsetof(struct os_thread, c_stack_limit)));
    asm_alu(a, ALU_SUB, W64, REG_SCRATCH, REG_C0);
    asm_alu(a, ALU_SUB, W64, REG_C1, REG_C0);
    asm_alu(a, ALU_CMP, W64, REG_SCRATCH, REG_C1);
    asm_branch(a, COND_BELOW, to);
}

/* ---- leaves ------------------------------------------------------------------------------------------------------ */

static struct asm_mem leaving(void) { return asm_at(REG_THREAD, offsetof(struct os_thread, leaving)); }

/* What lies on the stack while C runs. */
enum { BEFORE = sizeof(struct exit_registers), ROOM_OF_SAVED = ALIGN_UP(BEFORE + 8, 16) };

static bool is_changed_by_c(enum asm_reg r) { return r != REG_RESULT && r != REG_COUNT && r != REG_KEPT; }

/* Saves what C may change, or `restores` it. Compiled code uses 64 bits of a floating-point register. */
static void save(struct assembler *a, bool floats_are_free, bool restores) {
    for (unsigned i = 0; i < EXIT_WORDS; i++) {
        struct asm_mem m = way(offsetof(struct exit_registers, words) + 8 * i);
        if (!(ASM_VALUE_REGISTERS >> i & 1) || !is_changed_by_c((enum asm_reg)i)) continue;
        if (restores) asm_load(a, U64, (enum asm_reg)i, m);
        else asm_store(a, W64, m, (enum asm_reg)i);
    }
    for (unsigned i = 0; i < EXIT_FLOATS && !floats_are_free; i++) {
        struct asm_mem m = way(offsetof(struct exit_registers, floats) + 8 * i);
        if (restores) asm_float_load(a, F64, i, m);
        else asm_float_store(a, F64, m, i);
    }
}

/* While the stack is not the caller's os_thread.leaving says where that is. */
void ask_leaf(struct assembler *a, uintptr_t function, void (*pass)(struct assembler *a), bool floats_are_free) {
    store_youngest(a);
    asm_load(a, U64, REG_COUNT, way(0));
    asm_store(a, W64, leaving(), REG_COUNT);
    asm_move(a, W64, REG_SCRATCH, REG_STACK);
    asm_note_return_at(a, REG_SCRATCH);
    asm_address(a, REG_STACK, asm_at(REG_STACK, -ROOM_OF_SAVED));
    asm_alu_constant(a, ALU_AND, W64, REG_STACK, -16);
    asm_store(a, W64, way(BEFORE), REG_SCRATCH);
    asm_note_return_by(a, way(BEFORE));
    save(a, floats_are_free, false);
    pass(a);
    asm_constant(a, REG_RESULT, function);
    asm_call_register(a, REG_RESULT);
    save(a, floats_are_free, true);
    asm_load(a, U64, REG_STACK, way(BEFORE));
    asm_note_return(a);
    asm_store_constant(a, W64, leaving(), 0);
}

/* Calls method.enter, and asks run.c only if something has come up meanwhile: an exception, or that the caller
 * leaves. */
static void write_call_native_by_c(struct assembler *a, const struct request *r) {
    struct asm_label used_up = {0}, ended = {0};
    store_youngest(a);
    branch_if_used_up(a, &used_up);
    asm_load(a, U8, REG_C0, asm_at(REG_RESULT, offsetof(struct method, arg_slots)));
    asm_address(a, REG_C0, asm_indexed(REG_COUNT, REG_C0, 3, 0));
    asm_store(a, W64, asm_at(REG_FRAME, offsetof(struct frame, sp)), REG_C0);
    asm_move(a, W64, REG_C1, REG_RESULT);
    asm_move(a, W64, REG_C2, REG_COUNT);
    make_way(a, 0);
    asm_store(a, W64, way(offsetof(struct native_way_on, callee)), REG_C1);
    asm_move(a, W64, REG_C0, REG_THREAD);
    asm_address(a, REG_C3, way(offsetof(struct way_on, value)));
    asm_call_load(a, asm_at(REG_C1, offsetof(struct method, enter)));
    load_java(a);
    asm_alu_store_constant(a, ALU_CMP, W64, asm_at(REG_THREAD, offsetof(struct os_thread, exception)), 0);
    asm_branch(a, COND_NOT_EQUAL, &ended);
    asm_test_bits(a, asm_at(REG_FRAME, offsetof(struct frame, flags)), FRAME_LEAVES);
    asm_branch(a, COND_NOT_EQUAL, &ended);
    asm_test_bits(a, asm_at(REG_THREAD, offsetof(struct os_thread, attention)), WATCH_STEPS | POLL_ANY);
    asm_branch(a, COND_NOT_EQUAL, &ended);
    asm_load(a, U64, REG_RESULT, way(offsetof(struct way_on, value)));
    back_from_c(a);
    asm_return(a);
    asm_bind(a, &used_up);
    asm_jump_to(a, r->stubs->call);
    asm_bind(a, &ended);
    asm_note_return_by(a, way(offsetof(struct way_on, sp)));
    call_c(a, (uintptr_t)run_native_ended, REG_C1);
    return_from_c(a);
}

static void write_call(struct assembler *a, const struct request *r UNUSED) { write_to_call(a, (uintptr_t)run_call); }
static void write_call_interpreted(struct assembler *a, const struct request *r UNUSED) {
    write_to_call(a, (uintptr_t)run_interpreted);
}

static void write_invoke(struct assembler *a, const struct request *r UNUSED) {
    struct asm_label elsewhere = {0};
    store_youngest(a);
    into_c(a, (uintptr_t)run_invoke, REG_C1, 0);
    asm_alu(a, ALU_TEST, W64, REG_RESULT, REG_RESULT);
    asm_branch(a, COND_EQUAL, &elsewhere);
    asm_load(a, U64, REG_COUNT, way(offsetof(struct way_on, value)));
    back_from_c(a);
    asm_jump_load(a, asm_at(REG_RESULT, offsetof(struct method, compiled_entry)));
    asm_bind(a, &elsewhere);
    go_on_there(a);
}

static void write_call_site(struct assembler *a, const struct request *r) { call_site_write(a, r->stubs->invoke); }
static void write_call_interface(struct assembler *a, const struct request *r) {
    call_interface_write(a, r->stubs->invoke);
}

static void write_call_virtual(struct assembler *a, const struct request *r) {
    call_virtual_write(a, r->stubs->invoke);
}

static void write_call_noted_interface(struct assembler *a, const struct request *r) {
    call_noted_interface_write(a, r->stubs->invoke);
}

static void write_call_noted_site(struct assembler *a, const struct request *r) {
    call_noted_site_write(a, r->stubs->call_site);
}

static void write_call_noted_virtual(struct assembler *a, const struct request *r) {
    call_noted_virtual_write(a, r->stubs->invoke);
}

static void write_call_leaf(struct assembler *a, const struct request *r) { call_leaf_write(a, r->stubs->call); }
static void write_leaf(struct assembler *a, const struct request *r UNUSED) { leaf_write(a); }
static void write_call_native(struct assembler *a, const struct request *r) {
    call_native_write(a, r->stubs);
}
static void write_native_ended(struct assembler *a, const struct request *r UNUSED) { native_ended_write(a); }
static void write_call_intrinsic(struct assembler *a, const struct request *r) {
    call_intrinsic_write(a, r->stubs->call_native_by_c);
}

static void write_invoke_basic(struct assembler *a, const struct request *r) { invoke_basic_write(a, r->stubs->call); }
static void write_link_to_static(struct assembler *a, const struct request *r) {
    link_to_static_write(a, r->stubs->call);
}
static void write_link_to_special(struct assembler *a, const struct request *r) {
    link_to_special_write(a, r->stubs->call);
}
static void write_link_to_virtual(struct assembler *a, const struct request *r) {
    link_to_virtual_write(a, r->stubs->call);
}
static void write_link_to_interface(struct assembler *a, const struct request *r) {
    link_to_interface_write(a, r->stubs->call);
}

static void write_monitorenter(struct assembler *a, const struct request *r) { monitorenter_write(a, r->stubs); }
static void write_monitorexit(struct assembler *a, const struct request *r) { monitorexit_write(a, r->stubs); }
static void write_entered_synchronized(struct assembler *a, const struct request *r) {
    entered_synchronized_write(a, r->stubs);
}
static void write_try_enter(struct assembler *a, const struct request *r UNUSED) { try_enter_write(a); }
static void write_leaves_synchronized(struct assembler *a, const struct request *r UNUSED) {
    leaves_synchronized_write(a);
}
static void write_leaves_monitors(struct assembler *a, const struct request *r UNUSED) { leaves_monitors_write(a); }
static void write_frame_enters(struct assembler *a, const struct request *r UNUSED) { frame_enters_write(a); }
static void write_frame_exits(struct assembler *a, const struct request *r UNUSED) { frame_exits_write(a); }
static void write_frame_exits_own(struct assembler *a, const struct request *r UNUSED) { frame_exits_own_write(a); }
static void write_frame_holds(struct assembler *a, const struct request *r UNUSED) { frame_holds_write(a); }

static void write_runtime(struct assembler *a, const struct request *r UNUSED) {
    store_youngest(a);
    asm_move(a, W64, REG_C1, REG_SCRATCH);
    into_c(a, (uintptr_t)run_runtime, REG_C2, 0);
    return_from_c(a);
}

static void write_breakpoint(struct assembler *a, const struct request *r UNUSED) {
    store_youngest(a);
    asm_move(a, W64, REG_C1, REG_FRAME);
    into_c(a, (uintptr_t)run_breakpoint, REG_C2, 0);
    return_from_c(a);
}

static void write_entered(struct assembler *a, const struct request *r UNUSED) {
    store_youngest(a);
    asm_move(a, W64, REG_C1, REG_FRAME);
    into_c(a, (uintptr_t)run_entered, REG_C2, 0);
    return_from_c(a);
}

static void write_attention(struct assembler *a, const struct request *r UNUSED) { attention_write(a); }
static void write_returns(struct assembler *a, const struct request *r UNUSED) { returns_write(a); }

_Static_assert(ASM_VALUE_REGISTERS < 1 << EXIT_WORDS, "all that hold operands are saved");

/* What write_leave has saved, where REG_RESULT is the stack pointer from before. */
static struct asm_mem saved_at(size_t offset) {
    return asm_at(REG_RESULT, (int32_t)offset - (int32_t)sizeof(struct exit_registers));
}

/* Floating-point registers, which are many, are kept where they may hold something. */
static void write_leave(struct assembler *a, const struct request *r) {
    struct asm_label elsewhere = {0}, saved = {0}, restored = {0};
    store_youngest(a);
    asm_address(a, REG_STACK, asm_at(REG_STACK, -(int32_t)sizeof(struct exit_registers)));
    for (unsigned i = 0; i < EXIT_WORDS; i++)
        if (ASM_VALUE_REGISTERS >> i & 1)
            asm_store(a, W64, way(offsetof(struct exit_registers, words) + 8 * i), (enum asm_reg)i);
    asm_alu_store_constant(a, ALU_CMP, W8, asm_at(REG_THREAD, offsetof(struct os_thread, floats_are_free)), 0);
    asm_branch(a, COND_NOT_EQUAL, &saved);
    for (unsigned i = 0; i < EXIT_FLOATS; i++)
        asm_float_store(a, F64, way(offsetof(struct exit_registers, floats) + 8 * i), i);
    asm_bind(a, &saved);
    asm_move(a, W64, REG_C1, REG_STACK);
    into_c(a, (uintptr_t)run_left, REG_C2, sizeof(struct exit_registers));
    asm_alu(a, ALU_TEST, W32, REG_RESULT, REG_RESULT);
    asm_branch(a, COND_EQUAL, &elsewhere);
    asm_alu_constant(a, ALU_CMP, W32, REG_RESULT, ALLOCATED);
    asm_load(a, U64, REG_RESULT, way(offsetof(struct way_on, sp)));
    asm_branch(a, COND_NOT_EQUAL, &restored);
    for (unsigned i = 0; i < EXIT_FLOATS; i++)
        asm_float_load(a, F64, i, saved_at(offsetof(struct exit_registers, floats) + 8 * i));
    asm_bind(a, &restored);
    for (unsigned i = 0; i < EXIT_WORDS; i++)
        if (ASM_VALUE_REGISTERS >> i & 1 && i != REG_RESULT)
            asm_load(a, U64, (enum asm_reg)i, saved_at(offsetof(struct exit_registers, words) + 8 * i));
    asm_load(a, U64, REG_RESULT, way(offsetof(struct way_on, value)));
    asm_load(a, U64, REG_SCRATCH, way(offsetof(struct way_on, address)));
    back_from_c(a);
    asm_push(a, REG_SCRATCH);
    asm_jump_to(a, r->stubs->back);
    asm_bind(a, &elsewhere);
    go_on_there(a);
}

/* To compiled code for which C has done an instruction, as if that had called this: so a signal handler finds where it
 * is, from os_thread.leaving and then from the return address. */
static void write_back(struct assembler *a, const struct request *r UNUSED) {
    asm_alu(a, ALU_TEST, W64, REG_RESULT, REG_RESULT);                   /* not BELOW                               */
    asm_store_constant(a, W64, asm_at(REG_THREAD, offsetof(struct os_thread, leaving)), 0);
    asm_return(a);
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

static void return_if(struct assembler *a, enum asm_cond c) {
    struct asm_label on = {0};
    asm_branch_short(a, asm_not(c), &on);
    asm_return(a);
    asm_bind(a, &on);
}

/* As class_is_subtype. */
static void write_subtype(struct assembler *a, const struct request *r UNUSED) {
    const enum asm_reg held = REG_C0, wanted = REG_C1, list = REG_C2, number = REG_SCRATCH;
    struct asm_label again = {0}, by_list = {0}, next = {0};
    struct asm_mem cache = asm_at(held, offsetof(struct class, secondary_cache));
    asm_bind(a, &again);
    asm_alu(a, ALU_CMP, W64, held, wanted);
    return_if(a, COND_EQUAL);
    asm_alu_store_constant(a, ALU_CMP, W8, asm_at(wanted, offsetof(struct class, is_interface)), 0);
    asm_branch_short(a, COND_NOT_EQUAL, &by_list);
    asm_load(a, U32, number, asm_at(wanted, offsetof(struct class, depth)));
    asm_alu_constant(a, ALU_CMP, W32, number, ARRAY_LEN(((struct class *)0)->display));
    asm_branch_short(a, COND_NOT_BELOW, &by_list);
    asm_alu_load(a, ALU_CMP, W64, wanted, asm_indexed(held, number, 3, offsetof(struct class, display)));
    return_if(a, COND_EQUAL);
    /* arrays by their components: of primitives, which have no subtypes, there are those of one class alone */
    asm_alu_store_constant(a, ALU_CMP, W8, asm_at(wanted, offsetof(struct class, shape.kind)), SHAPE_REF_ARRAY);
    return_if(a, COND_NOT_EQUAL);
    asm_alu_store_constant(a, ALU_CMP, W8, asm_at(held, offsetof(struct class, shape.kind)), SHAPE_REF_ARRAY);
    return_if(a, COND_NOT_EQUAL);
    asm_load(a, U64, held, asm_at(held, offsetof(struct class, component)));
    asm_load(a, U64, wanted, asm_at(wanted, offsetof(struct class, component)));
    asm_jump(a, &again);
    asm_bind(a, &by_list);
    asm_alu_load(a, ALU_CMP, W64, wanted, cache);
    return_if(a, COND_EQUAL);
    asm_load(a, U64, list, asm_at(held, offsetof(struct class, secondary)));
    asm_load(a, U32, number, asm_at(held, offsetof(struct class, secondary_count)));
    asm_bind(a, &next);
    asm_alu_constant(a, ALU_SUB, W32, number, 1);
    return_if(a, COND_BELOW);                            /* NOT_EQUAL, too                                          */
    asm_alu_load(a, ALU_CMP, W64, wanted, asm_indexed(list, number, 3, 0));
    asm_branch(a, COND_NOT_EQUAL, &next);
    asm_store(a, W64, cache, wanted);
    asm_return(a);
}

static void write_allocate(struct assembler *a, const struct request *r UNUSED) { allocate_write(a, true); }
static void write_allocate_beside_floats(struct assembler *a, const struct request *r UNUSED) {
    allocate_write(a, false);
}

static void write_copy(struct assembler *a, const struct request *r UNUSED) { copy_write(a); }

/* ---- where run.c sends a thread ---------------------------------------------------------------------------------- */

/* REG_RESULT is what the frame returns whose word is on top. */
static void write_give(struct assembler *a, const struct request *r UNUSED) { asm_return(a); }

/* REG_RESULT: the code with which the youngest frame goes on. */
static void write_resume(struct assembler *a, const struct request *r UNUSED) {
    asm_jump_register(a, REG_RESULT);
}

/* ---- methods that are interpreted -------------------------------------------------------------------------------- */

/* What C has called leaves its return address: C interprets the method itself. */
static void write_interpret(struct assembler *a, const struct request *r) {
    struct asm_label from_c = {0};
    store_youngest(a);
    asm_load(a, U64, REG_RESULT, asm_at(REG_RESULT, offsetof(struct method_code, method)));
    asm_alu_constant(a, ALU_TEST, W32, REG_C1, FRAME_ENTRY);
    asm_branch(a, COND_NOT_EQUAL, &from_c);
    asm_jump_to(a, r->stubs->call_interpreted);
    asm_bind(a, &from_c);
    asm_pop(a, REG_C3);
    end_compiled(a);
    asm_c_return(a);
}

static void write_bounce(struct assembler *a, const struct request *r) {
    asm_constant(a, REG_RESULT, (uintptr_t)r->code->method);
    asm_return(a);
    asm_align(a, BOUNCE_CALLED);
    asm_constant(a, REG_RESULT, (uintptr_t)r->code->method);
    asm_jump_to(a, r->stubs->call_interpreted);
}

bool stubs_make(struct code_cache *c, struct stubs *out, stub_callers_list *callers) {
    *out = (struct stubs){.enter = NULL};
    const struct {
        const char *name;
        void (*write)(struct assembler *a, const struct request *r);
        const uint8_t **begin;
    } all[] = {
        {"enter", write_enter, &out->enter},
        {"call_interpreted", write_call_interpreted, &out->call_interpreted},
        {"interpret", write_interpret, &out->interpret},
        {"call", write_call, &out->call},
        {"call_native_by_c", write_call_native_by_c, &out->call_native_by_c},
        {"try_enter", write_try_enter, &out->try_enter},
        {"call_native", write_call_native, &out->call_native},
        {"native_ended", write_native_ended, &out->native_ended},
        {"call_intrinsic", write_call_intrinsic, &out->call_intrinsic},
        {"call_leaf", write_call_leaf, &out->call_leaf},
        {"leaf", write_leaf, &out->leaf},
        {"invoke_basic", write_invoke_basic, &out->invoke_basic},
        {"link_to_static", write_link_to_static, &out->link_to_static},
        {"link_to_special", write_link_to_special, &out->link_to_special},
        {"link_to_virtual", write_link_to_virtual, &out->link_to_virtual},
        {"link_to_interface", write_link_to_interface, &out->link_to_interface},
        {"invoke", write_invoke, &out->invoke},
        {"call_site", write_call_site, &out->call_site},
        {"call_interface", write_call_interface, &out->call_interface},
        {"call_virtual", write_call_virtual, &out->call_virtual},
        {"call_noted_interface", write_call_noted_interface, &out->call_noted_interface},
        {"call_noted_virtual", write_call_noted_virtual, &out->call_noted_virtual},
        {"call_noted_site", write_call_noted_site, &out->call_noted_site},
        {"runtime", write_runtime, &out->runtime},
        {"breakpoint", write_breakpoint, &out->breakpoint},
        {"entered", write_entered, &out->entered},
        {"attention", write_attention, &out->attention},
        {"returns", write_returns, &out->returns},
        {"monitorenter", write_monitorenter, &out->monitorenter},
        {"monitorexit", write_monitorexit, &out->monitorexit},
        {"entered_synchronized", write_entered_synchronized, &out->entered_synchronized},
        {"leaves_synchronized", write_leaves_synchronized, &out->leaves_synchronized},
        {"leaves_monitors", write_leaves_monitors, &out->leaves_monitors},
        {"frame_enters", write_frame_enters, &out->frame_enters},
        {"frame_exits", write_frame_exits, &out->frame_exits},
        {"frame_exits_own", write_frame_exits_own, &out->frame_exits_own},
        {"frame_holds", write_frame_holds, &out->frame_holds},
        {"back", write_back, &out->back},
        {"leave", write_leave, &out->leave},
        {"subtype", write_subtype, &out->subtype},
        {"allocate", write_allocate, &out->allocate},
        {"allocate_beside_floats", write_allocate_beside_floats, &out->allocate_beside_floats},
        {"copy", write_copy, &out->copy},
        {"enter_loop", write_enter_loop, &out->enter_loop},
        {"give", write_give, &out->give},
        {"resume", write_resume, &out->resume},
        {"ended", write_ended, &out->ended},
    };
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        struct stub_callers s;
        s.blob = make(c, (struct code_blob){.name = all[i].name}, all[i].write,
                      &(struct request){out, out, NULL, &s.callers});
        if (s.blob == NULL || !vec_push(callers, s)) return false;
        *all[i].begin = code_blob_begin(s.blob);
    }
    return true;
}

const struct code_blob *stubs_make_bounce(struct code_cache *c, const struct stubs *s, struct method_code *code) {
    return make(c, (struct code_blob){.method = code}, write_bounce, &(struct request){s, NULL, code, NULL});
}

#else

bool stubs_make(struct code_cache *c UNUSED, struct stubs *out UNUSED, stub_callers_list *callers UNUSED) {
    return false;
}

const struct code_blob *stubs_make_bounce(struct code_cache *c UNUSED, const struct stubs *s UNUSED,
                                          struct method_code *code UNUSED) {
    return NULL;
}

#endif
