/* natives.c — see natives.h. */
#include "jit/natives.h"

#include "classfile/descriptor.h"
#include "exec/frame.h"
#include "exec/native_call.h"
#include "jit/compiled.h"
#include "jit/stub_parts.h"
#include "link/class.h"
#include "thread/handle.h"

#ifdef ASM_MACHINE

static const enum asm_reg METHOD = REG_RESULT, ARGUMENTS = REG_COUNT;

/* The stack as compiled code has it is kept here while C runs: C preserves it, and compiled code does not expect it
 * back. */
static const enum asm_reg STACK = REG_KEPT;

static struct asm_mem thread_field(size_t offset) { return asm_at(REG_THREAD, (int32_t)offset); }
static struct asm_mem attention(void) { return thread_field(offsetof(struct os_thread, attention)); }

/* ---- leaves ------------------------------------------------------------------------------------------------------ */

/* May the function stand in, as the interpreter's entry asks (exec/intrinsic.h)? */
static void ask(struct assembler *a, struct asm_label *slow) {
    struct asm_label bound = {0};
    asm_test_bits(a, attention(), WATCH_ANY | POLL_LIBRARY);
    asm_branch(a, COND_NOT_EQUAL, slow);
    asm_test_bits(a, asm_at(METHOD, offsetof(struct method, access_flags)), ACC_NATIVE);
    asm_branch_short(a, COND_EQUAL, &bound);
    asm_alu_store_constant(a, ALU_CMP, W64, asm_at(METHOD, offsetof(struct method, native_code)), 0);
    asm_branch(a, COND_EQUAL, slow);
    asm_bind(a, &bound);
}

/* METHOD and ARGUMENTS are kept over a call of C, in a frame that ends at STACK. */
enum { KEPT_METHOD = 0, KEPT_ARGUMENTS = 8, KEPT_RESULT = 16, ROOM_OF_KEPT = 32 };

static void keep(struct assembler *a) {
    store_youngest(a);
    asm_move(a, W64, STACK, REG_STACK);
    asm_note_return_at(a, STACK);
    asm_address(a, REG_STACK, asm_at(REG_STACK, -ROOM_OF_KEPT));
    asm_alu_constant(a, ALU_AND, W64, REG_STACK, -16);
    asm_store(a, W64, asm_at(REG_STACK, KEPT_METHOD), METHOD);
    asm_store(a, W64, asm_at(REG_STACK, KEPT_ARGUMENTS), ARGUMENTS);
}

static void take_back(struct assembler *a) {
    asm_load(a, U64, METHOD, asm_at(REG_STACK, KEPT_METHOD));
    asm_load(a, U64, ARGUMENTS, asm_at(REG_STACK, KEPT_ARGUMENTS));
    asm_move(a, W64, REG_STACK, STACK);
    asm_note_return(a);
}

/* No frame is made: the function neither stops nor throws. */
void call_leaf_write(struct assembler *a, const uint8_t *call) {
    struct asm_label slow = {0}, declined = {0};
    ask(a, &slow);
    keep(a);
    asm_move(a, W64, REG_C0, ARGUMENTS);
    asm_address(a, REG_C1, asm_at(REG_STACK, KEPT_RESULT));
    asm_call_load(a, asm_at(METHOD, offsetof(struct method, leaf)));
    asm_alu_constant(a, ALU_TEST, W32, REG_RESULT, UINT8_MAX);
    asm_branch_short(a, COND_EQUAL, &declined);
    asm_load(a, U64, REG_RESULT, asm_at(REG_STACK, KEPT_RESULT));
    asm_move(a, W64, REG_STACK, STACK);
    asm_note_return(a);
    asm_return(a);
    asm_note_return_at(a, STACK);
    asm_bind(a, &declined);
    take_back(a);
    asm_bind(a, &slow);
    asm_jump_to(a, call);
}

void leaf_write(struct assembler *a) {
    store_youngest(a);
    enum { RESULT = 0, BEFORE = 8, ROOM = 16 };
    asm_move(a, W64, REG_SCRATCH, REG_STACK);
    asm_note_return_at(a, REG_SCRATCH);
    asm_address(a, REG_STACK, asm_at(REG_STACK, -ROOM));
    asm_alu_constant(a, ALU_AND, W64, REG_STACK, -16);
    asm_store(a, W64, asm_at(REG_STACK, BEFORE), REG_SCRATCH);
    asm_note_return_by(a, asm_at(REG_STACK, BEFORE));
    asm_move(a, W64, REG_C0, REG_COUNT);
    asm_address(a, REG_C1, asm_at(REG_STACK, RESULT));
    asm_call_register(a, REG_RESULT);
    asm_alu_constant(a, ALU_TEST, W32, REG_RESULT, UINT8_MAX);
    asm_load(a, U64, REG_RESULT, asm_at(REG_STACK, RESULT));             /* flags stay as they are                  */
    asm_load(a, U64, REG_STACK, asm_at(REG_STACK, BEFORE));
    asm_note_return(a);
    asm_return(a);
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* From write_frame on. */
static const enum asm_reg CODE = REG_C2, FRAME = REG_C1, END = REG_C4;

static struct asm_mem of_frame(size_t offset) { return asm_at(FRAME, (int32_t)offset); }
static struct asm_mem of_block(size_t offset) { return of_frame(sizeof(struct frame) + offset); }

/* The method's frame as call_native in exec/invoke.c makes it, which is not the youngest yet; or `slow`. METHOD,
 * ARGUMENTS and REG_SPARE are kept. */
static void write_frame(struct assembler *a, struct asm_label *slow) {
    const enum asm_reg slots = FRAME;
    branch_if_used_up(a, slow);
    asm_load(a, U64, CODE, asm_at(METHOD, offsetof(struct method, code)));
    asm_load(a, U8, slots, asm_at(METHOD, offsetof(struct method, arg_slots)));
    asm_address(a, FRAME, asm_indexed(ARGUMENTS, slots, 3, 0));
    asm_address(a, END, of_block(sizeof(struct handle_block)));
    asm_alu_load(a, ALU_CMP, W64, END, asm_at(REG_JAVA, offsetof(struct java_thread, stack_limit)));
    asm_branch(a, COND_ABOVE, slow);
    asm_store(a, W64, asm_at(REG_FRAME, offsetof(struct frame, sp)), FRAME);     /* behind the arguments            */
    asm_store(a, W64, of_frame(offsetof(struct frame, code)), CODE);
    asm_store(a, W64, of_frame(offsetof(struct frame, caller)), REG_FRAME);
    asm_store_constant(a, W64, of_frame(offsetof(struct frame, pc)), 0);
    _Static_assert(offsetof(struct frame, call_length) == offsetof(struct frame, flags) + 4, "one store for both");
    asm_store_constant(a, W64, of_frame(offsetof(struct frame, flags)), FRAME_NATIVE);
    asm_store(a, W64, of_frame(offsetof(struct frame, sp)), END);
}

/* EQUAL: the method is not synchronized. */
static void test_synchronized(struct assembler *a) {
    asm_test_bits(a, asm_at(CODE, offsetof(struct method_code, uncommon)), CODE_SYNCHRONIZED);
}

/* It becomes the youngest. */
static void enter_frame(struct assembler *a) {
    asm_store(a, W64, asm_at(REG_JAVA, offsetof(struct java_thread, frame)), FRAME);
}

/* REG_FRAME, its caller, becomes it again. */
static void leave_frame(struct assembler *a) {
    asm_store(a, W64, asm_at(REG_JAVA, offsetof(struct java_thread, frame)), REG_FRAME);
}

/* After the call, in VM state: an exception, a watched exit, a reason to stop, a caller that leaves. */
static void branch_if_anything_is_up(struct assembler *a, struct asm_label *to) {
    const int32_t anything = POLL_ANY | POLL_ENTER_MASK | WATCH_METHODS | WATCH_STEPS;
    asm_alu_store_constant(a, ALU_TEST, W32, attention(), anything);
    asm_branch(a, COND_NOT_EQUAL, to);
    asm_alu_store_constant(a, ALU_CMP, W64, thread_field(offsetof(struct os_thread, exception)), 0);
    asm_branch(a, COND_NOT_EQUAL, to);
    asm_test_bits(a, asm_at(REG_FRAME, offsetof(struct frame, flags)), FRAME_LEAVES);
    asm_branch(a, COND_NOT_EQUAL, to);
}

/* ---- intrinsics in VM state -------------------------------------------------------------------------------------- */

void call_intrinsic_write(struct assembler *a, const uint8_t *by_c) {
    struct asm_label slow = {0}, ended = {0};
    store_youngest(a);
    asm_test_bits(a, attention(), WATCH_METHODS);
    asm_branch(a, COND_NOT_EQUAL, &slow);
    write_frame(a, &slow);
    test_synchronized(a);
    asm_branch(a, COND_NOT_EQUAL, &slow);
    enter_frame(a);
    asm_move(a, W64, REG_C2, ARGUMENTS);
    asm_move(a, W64, REG_C1, METHOD);
    make_way(a, 0);
    asm_store_constant(a, W64, way(offsetof(struct way_on, value)), 0);
    asm_move(a, W64, REG_C0, REG_THREAD);
    asm_address(a, REG_C3, way(offsetof(struct way_on, value)));
    asm_call_load(a, asm_at(REG_C1, offsetof(struct method, intrinsic)));
    load_java(a);
    branch_if_anything_is_up(a, &ended);
    leave_frame(a);
    asm_load(a, U64, REG_RESULT, way(offsetof(struct way_on, value)));
    back_from_c(a);
    asm_return(a);
    asm_bind(a, &slow);
    asm_jump_to(a, by_c);
    asm_bind(a, &ended);
    asm_note_return_by(a, way(offsetof(struct way_on, sp)));
    call_c(a, (uintptr_t)run_intrinsic_ended, REG_C1);
    return_from_c(a);
}

/* ---- native methods ---------------------------------------------------------------------------------------------- */

/* What call_native hands on beside METHOD and ARGUMENTS. */
static const enum asm_reg FUNCTION = REG_SPARE;

/* As handle_frame_begin. */
static void begin_handles(struct assembler *a) {
    const enum asm_reg block = REG_C5;
    _Static_assert(offsetof(struct handle_block, used) == 8 && offsetof(struct handle_block, unchecked) == 16 &&
                       offsetof(struct handle_block, capacity) == 24 && sizeof(struct handle_block) == 32,
                   "these words are all of it");
    asm_load(a, U64, block, thread_field(offsetof(struct os_thread, handles)));
    asm_store(a, W64, of_block(offsetof(struct handle_block, previous)), block);
    asm_store_constant(a, W64, of_block(offsetof(struct handle_block, used)), 0);
    asm_store_constant(a, W64, of_block(offsetof(struct handle_block, unchecked)), 0);
    asm_store_constant(a, W64, of_block(offsetof(struct handle_block, capacity)), 0);
    asm_address(a, block, of_block(0));
    asm_store(a, W64, thread_field(offsetof(struct os_thread, handles)), block);
}

/* The frame, which has been written, becomes the youngest and takes the monitor; then on at `locked`. Or it goes again,
 * and `slow`. REG_C5 and FUNCTION are kept, too. */
static void lock_frame(struct assembler *a, const struct stubs *stubs, struct asm_label *locked,
                       struct asm_label *slow) {
    const enum asm_reg object = REG_C1;
    struct asm_label of_object = {0}, has_object = {0};
    enter_frame(a);
    asm_push(a, METHOD);
    asm_push(a, ARGUMENTS);
    asm_move(a, W64, REG_FRAME, FRAME);
    asm_test_bits(a, asm_at(METHOD, offsetof(struct method, access_flags)), ACC_STATIC);
    asm_branch_short(a, COND_EQUAL, &of_object);
    asm_load(a, U64, object, asm_at(METHOD, offsetof(struct method, holder)));
    asm_load(a, U64, object, asm_at(object, offsetof(struct class, mirror)));
    asm_jump_short(a, &has_object);
    asm_bind(a, &of_object);
    asm_load(a, U64, object, asm_at(ARGUMENTS, 0));
    asm_bind(a, &has_object);
    asm_call_to(a, stubs->try_enter);
    asm_pop(a, ARGUMENTS);               /* flags stay as they are                                                  */
    asm_pop(a, METHOD);
    asm_move(a, W64, FRAME, REG_FRAME);
    asm_load(a, U64, REG_FRAME, of_frame(offsetof(struct frame, caller)));
    asm_branch(a, COND_NOT_EQUAL, locked);
    leave_frame(a);
    asm_jump(a, slow);
}

void call_native_write(struct assembler *a, const struct stubs *stubs) {
    const enum asm_reg stub = REG_C5;
    struct asm_label again = {0}, slow = {0}, unmade = {0}, synchronized = {0}, entered = {0};
    store_youngest(a);
    asm_bind(a, &again);
    asm_test_bits(a, attention(), WATCH_METHODS);
    asm_branch(a, COND_NOT_EQUAL, &slow);
    asm_load(a, U64, FUNCTION, asm_at(METHOD, offsetof(struct method, native_code)));
    asm_alu(a, ALU_TEST, W64, FUNCTION, FUNCTION);
    asm_branch(a, COND_EQUAL, &slow);
    asm_load(a, U64, stub, asm_at(METHOD, offsetof(struct method, native_data)));
    asm_alu(a, ALU_TEST, W64, stub, stub);
    asm_branch(a, COND_EQUAL, &slow);
    asm_alu_store_constant(a, ALU_CMP, W64, asm_at(stub, offsetof(struct native_signature, stub)), 0);
    asm_branch(a, COND_EQUAL, &unmade);
    write_frame(a, &slow);
    test_synchronized(a);
    asm_branch(a, COND_NOT_EQUAL, &synchronized);
    enter_frame(a);
    asm_bind(a, &entered);
    asm_load(a, U64, REG_SCRATCH, asm_at(stub, offsetof(struct native_signature, stub)));
    begin_handles(a);
    asm_move(a, W64, STACK, REG_STACK);
    asm_note_return_at(a, STACK);
    asm_jump_register(a, REG_SCRATCH);
    asm_note_return(a);
    asm_bind(a, &synchronized);
    lock_frame(a, stubs, &entered, &slow);
    asm_bind(a, &unmade);
    keep(a);
    asm_move(a, W64, REG_C0, METHOD);
    asm_constant(a, REG_RESULT, (uintptr_t)jit_make_native_stub);
    asm_call_register(a, REG_RESULT);
    asm_alu_constant(a, ALU_TEST, W32, REG_RESULT, UINT8_MAX);
    take_back(a);                                        /* flags stay as they are                                  */
    asm_branch(a, COND_NOT_EQUAL, &again);
    asm_bind(a, &slow);
    asm_jump_to(a, stubs->call_native_by_c);
}

/* The way_on lies where the stub has put one, below the stack that the collector was to leave out: it sees the value
 * while tools run. */
void native_ended_write(struct assembler *a) {
    asm_note_return_at(a, STACK);
    asm_address(a, REG_STACK, asm_at(REG_STACK, -ROOM_OF_WAY));
    asm_store(a, W64, way(offsetof(struct way_on, sp)), STACK);
    asm_store(a, W64, way(offsetof(struct way_on, value)), REG_RESULT);
    asm_note_return_by(a, way(offsetof(struct way_on, sp)));
    call_c(a, (uintptr_t)run_function_ended, REG_C1);
    return_from_c(a);
}

/* ---- native stubs ------------------------------------------------------------------------------------------------ */

static bool is_floating(char kind) { return kind == 'F' || kind == 'D'; }

/* More than any name takes, and any code. */
enum { NAME_ROOM = 288, CODE_ROOM = 8192 };

/* By the parameters, references being L, and the result: what has the same name has the same stub. Returns its
 * length. */
static size_t put_name(const struct method *m, char name[NAME_ROOM]) {
    int n = snprintf(name, NAME_ROOM, m->access_flags & ACC_STATIC ? "native_static_" : "native_");
    struct desc_type t;
    struct desc_iter it = desc_begin(m->desc->bytes, m->desc->length);
    while (desc_next(&it, &t)) name[n++] = t.kind == '[' ? 'L' : t.kind;
    name[n++] = '_';
    char result = desc_return(m->desc->bytes, m->desc->length).kind;
    name[n++] = result == '[' ? 'L' : result;
    name[n] = 0;
    return (size_t)n;
}

/* Bytes of arguments on the stack, which stays aligned. */
static uint32_t stacked_bytes(const struct native_signature *s) {
    unsigned words = 2, floats = 0;
    for (unsigned i = 0; i < s->count; i++) {
        if (is_floating(s->kinds[i])) floats++;
        else words++;
    }
    unsigned stacked = (words > ASM_C_WORDS ? words - ASM_C_WORDS : 0) +
                       (floats > ASM_C_FLOATS ? floats - ASM_C_FLOATS : 0);
    return ALIGN_UP(stacked * 8, 16);
}

/* While arguments are moved: where they lie; 0. */
static const enum asm_reg SLOTS = REG_RESULT, ZERO = REG_SCRATCH;

/* A word in the slot; references as handles. The C ABI wants the narrow ones extended to 32 bits; in bytecode any int
 * will do. */
static void load_word(struct assembler *a, char kind, enum asm_reg r, struct asm_mem slot) {
    switch (kind) {
    case 'L':
        asm_address(a, r, slot);
        asm_alu_store_constant(a, ALU_CMP, W64, slot, 0);
        asm_select(a, COND_EQUAL, W64, r, ZERO);
        break;
    case 'J': asm_load(a, U64, r, slot); break;
    default:
        asm_load(a, U32, r, slot);
        if (kind == 'Z') asm_alu_constant(a, ALU_AND, W32, r, 1);
        else if (kind != 'I') asm_extend(a, kind == 'B' ? S8 : kind == 'S' ? S16 : U16, r, r);
    }
}

/* The arguments that C has on the stack (stacked), or in registers. */
static void move_arguments(struct assembler *a, const struct native_signature *s, bool is_static, bool stacked) {
    static const enum asm_reg registers[] = ASM_C_REGISTERS;
    const enum asm_reg through = REG_C2;
    unsigned words = 2, floats = 0, on_stack = 0, slot = is_static ? 0 : 1;
    for (unsigned i = 0; i < s->count; i++) {
        char kind = s->kinds[i];
        struct asm_mem from = asm_at(SLOTS, 8 * (int32_t)slot);
        slot += (unsigned)desc_kind_slots(kind);
        unsigned number = is_floating(kind) ? floats++ : words++;
        bool is_stacked = number >= (is_floating(kind) ? ASM_C_FLOATS : ASM_C_WORDS);
        if (is_stacked != stacked) continue;
        if (is_stacked) {
            if (is_floating(kind)) asm_load(a, U64, through, from);
            else load_word(a, kind, through, from);
            asm_store(a, W64, way(8 * on_stack++), through);
        } else if (is_floating(kind)) {
            asm_float_load(a, kind == 'F' ? F32 : F64, number, from);
        } else {
            load_word(a, kind, registers[number], from);
        }
    }
}

/* As thread_to_native; what led here is no object. */
static void to_native(struct assembler *a, struct asm_label *wanted) {
    const enum asm_reg segment = REG_C2;
    asm_load(a, U64, segment, thread_field(offsetof(struct os_thread, segment)));
    asm_store(a, W64, asm_at(segment, offsetof(struct c_segment, base)), REG_STACK);
    asm_store(a, W64, asm_at(segment, offsetof(struct c_segment, exit)), REG_STACK);
    asm_store_constant(a, W32, thread_field(offsetof(struct os_thread, state)), THREAD_IN_NATIVE);
    asm_alu_store_constant(a, ALU_TEST, W32, attention(), POLL_LEAVE_MASK);
    asm_branch(a, COND_NOT_EQUAL, wanted);
}

/* Somebody waits until the thread has left the VM. */
static void report_left(struct assembler *a, struct asm_label *wanted, struct asm_label *on) {
    enum { SLOTS_KEPT = 0, RECEIVER_KEPT = 8, FUNCTION_KEPT = 16, ROOM = 32 };
    asm_bind(a, wanted);
    asm_address(a, REG_STACK, asm_at(REG_STACK, -ROOM));
    asm_store(a, W64, way(SLOTS_KEPT), SLOTS);
    asm_store(a, W64, way(RECEIVER_KEPT), REG_C1);
    asm_store(a, W64, way(FUNCTION_KEPT), FUNCTION);
    asm_move(a, W64, REG_C0, REG_THREAD);
    asm_constant(a, REG_RESULT, (uintptr_t)thread_left_vm_slow);
    asm_call_register(a, REG_RESULT);
    asm_load(a, U64, SLOTS, way(SLOTS_KEPT));
    asm_load(a, U64, REG_C1, way(RECEIVER_KEPT));
    asm_load(a, U64, FUNCTION, way(FUNCTION_KEPT));
    asm_address(a, REG_STACK, asm_at(REG_STACK, ROOM));
    asm_jump(a, on);
}

/* What the function has returned, as a slot: result_of in exec/invoke.c. */
static void make_slot(struct assembler *a, enum basic_type type) {
    struct asm_label null = {0};
    switch (type) {
    case T_BOOLEAN:
        asm_alu_constant(a, ALU_TEST, W32, REG_RESULT, UINT8_MAX);
        asm_set(a, COND_NOT_EQUAL, REG_RESULT);
        break;
    case T_BYTE: asm_extend(a, S8, REG_RESULT, REG_RESULT); break;
    case T_SHORT: asm_extend(a, S16, REG_RESULT, REG_RESULT); break;
    case T_CHAR: asm_extend(a, U16, REG_RESULT, REG_RESULT); break;
    case T_INT: asm_extend(a, U32, REG_RESULT, REG_RESULT); break;
    case T_OBJECT:
    case T_ARRAY:
        asm_alu(a, ALU_TEST, W64, REG_RESULT, REG_RESULT);
        asm_branch_short(a, COND_EQUAL, &null);
        asm_alu_constant(a, ALU_AND, W64, REG_RESULT, ~HANDLE_KIND_MASK);
        asm_load(a, U64, REG_RESULT, asm_at(REG_RESULT, 0));
        asm_bind(a, &null);
        break;
    default: break;
    }
}

static void load_frame(struct assembler *a) {
    load_java(a);
    asm_load(a, U64, FRAME, asm_at(REG_JAVA, offsetof(struct java_thread, frame)));
}

/* EQUAL: the frame holds no monitor. */
static void test_locks(struct assembler *a) {
    asm_test_bits(a, of_frame(offsetof(struct frame, flags)), FRAME_HOLDS_LOCKS);
}

/* The frame gives its monitor back, and then on at `unlocked`; or `slow`. The result is kept. */
static void unlock_frame(struct assembler *a, const struct stubs *stubs, int32_t stacked, struct asm_label *unlocked,
                         struct asm_label *slow) {
    struct asm_mem result = way((size_t)stacked + offsetof(struct way_on, value));
    asm_store(a, W64, result, REG_RESULT);
    asm_move(a, W64, REG_FRAME, FRAME);
    asm_call_to(a, stubs->leaves_synchronized);
    asm_load(a, U64, REG_FRAME, asm_at(REG_FRAME, offsetof(struct frame, caller)));
    asm_load(a, U64, REG_RESULT, result);
    load_frame(a);
    test_locks(a);
    asm_branch(a, COND_EQUAL, unlocked);
    asm_jump(a, slow);
}

/* EQUAL: no block of handles has been added. */
static void compare_handles(struct assembler *a) {
    const enum asm_reg block = REG_C2;
    asm_address(a, block, of_block(0));
    asm_alu_load(a, ALU_CMP, W64, block, thread_field(offsetof(struct os_thread, handles)));
}

/* As handle_frame_end then. */
static void end_handles(struct assembler *a) {
    const enum asm_reg block = REG_C2;
    asm_load(a, U64, block, of_block(offsetof(struct handle_block, previous)));
    asm_store(a, W64, thread_field(offsetof(struct os_thread, handles)), block);
}

/* Jumped to by call_native. */
static void write_native_stub(struct assembler *a, const struct method *m, const struct native_signature *s,
                              const struct stubs *stubs) {
    const enum asm_reg segment = REG_COUNT;
    bool is_static = (m->access_flags & ACC_STATIC) != 0;
    int32_t stacked = (int32_t)stacked_bytes(s);
    struct asm_label wanted = {0}, left = {0}, ended = {0}, locked = {0}, unlocked = {0};
    if (is_static) {
        asm_load(a, U64, REG_C1, asm_at(METHOD, offsetof(struct method, holder)));
        asm_alu_constant(a, ALU_ADD, W64, REG_C1, offsetof(struct class, mirror));
    } else {
        asm_move(a, W64, REG_C1, ARGUMENTS);
    }
    asm_move(a, W64, SLOTS, ARGUMENTS);
    asm_address(a, REG_STACK, asm_at(REG_STACK, -ROOM_OF_WAY - stacked));
    asm_alu_constant(a, ALU_AND, W64, REG_STACK, -16);
    asm_store(a, W64, way((size_t)stacked + offsetof(struct way_on, sp)), STACK);
    to_native(a, &wanted);
    asm_bind(a, &left);
    asm_constant(a, ZERO, 0);
    move_arguments(a, s, is_static, true);
    move_arguments(a, s, is_static, false);
    asm_move(a, W64, REG_C0, REG_THREAD);                /* whose first member is the JNIEnv                        */
    asm_call_register(a, FUNCTION);
    if (m->return_type == T_FLOAT || m->return_type == T_DOUBLE)
        asm_float_to_word(a, m->return_type == T_FLOAT ? W32 : W64, REG_RESULT, 0);
    asm_store_constant(a, W32, thread_field(offsetof(struct os_thread, state)), THREAD_IN_VM);
    branch_if_anything_is_up(a, &ended);
    load_frame(a);
    compare_handles(a);
    asm_branch(a, COND_NOT_EQUAL, &ended);
    test_locks(a);
    asm_branch(a, COND_NOT_EQUAL, &locked);
    asm_bind(a, &unlocked);
    end_handles(a);
    asm_load(a, U64, segment, thread_field(offsetof(struct os_thread, segment)));
    asm_store_constant(a, W64, asm_at(segment, offsetof(struct c_segment, exit)), 0);
    make_slot(a, m->return_type);
    leave_frame(a);
    asm_move(a, W64, REG_STACK, STACK);
    asm_return(a);
    report_left(a, &wanted, &left);
    asm_bind(a, &locked);
    unlock_frame(a, stubs, stacked, &unlocked, &ended);
    asm_bind(a, &ended);
    asm_jump_to(a, stubs->native_ended);
}

static const struct code_blob *find(const struct code_cache *c, const char *name) {
    for (const struct code_blob *b = code_cache_next(c, NULL); b != NULL; b = code_cache_next(c, b)) {
        if ((const uint8_t *)b >= code_cache_kept_end(c)) break;
        if (strcmp(b->name, name) == 0) return b;
    }
    return NULL;
}

/* The name stands behind the code. */
const struct code_blob *native_stub_of(struct code_cache *c, const struct stubs *stubs, const struct method *m,
                                       const struct native_signature *s, bool *made) {
    char name[NAME_ROOM];
    size_t name_length = put_name(m, name) + 1;
    uint8_t code[CODE_ROOM];
    const struct code_blob *found = find(c, name);
    *made = false;
    if (found != NULL) return found;
    struct assembler a;
    asm_begin(&a, code, sizeof code, code_cache_kept_begin(c));
    write_native_stub(&a, m, s, stubs);
    size_t length = asm_end(&a);
    vm_assert(length != 0, "code that cannot be encoded");
    struct code_blob header = {.length = (uint32_t)(length + name_length), .way = stacked_bytes(s)};
    struct code_blob *b = code_cache_take_kept(c, &header);
    if (b == NULL) return NULL;
    uint8_t *to = code_cache_writable(c, code_blob_begin(b));
    ((struct code_blob *)code_cache_writable(c, b))->name = (const char *)code_blob_begin(b) + length;
    asm_begin(&a, to, length, code_blob_begin(b));
    write_native_stub(&a, m, s, stubs);
    memcpy(to + length, name, name_length);
    *made = code_cache_publish(c, b);
    return *made ? b : NULL;
}

#else

const struct code_blob *native_stub_of(struct code_cache *c UNUSED, const struct stubs *stubs UNUSED,
                                       const struct method *m UNUSED, const struct native_signature *s UNUSED,
                                       bool *made UNUSED) {
    return NULL;
}

#endif
