/* call.c — invocations, and instructions that C does. All operands are at home, so the callee finds its arguments
 * where its locals are to be, and the frame is complete for whoever looks. An invocation is done here where the
 * interpreter has it quick in a common form; else the stub `invoke` finds out what it calls. JVMS 6.5. */
#include "jit/baseline/compiler.h"

#include "classfile/descriptor.h"
#include "heap/heap.h"
#include "link/link.h"

static struct asm_mem frame_field(size_t offset) { return asm_at(REG_FRAME, (int32_t)offset); }

/* ---- the record -------------------------------------------------------------------------------------------------- */

/* The upper half is there as long as the frame is. */
static void store_pc(struct compiler *c) {
    uintptr_t begin = (uintptr_t)c->code->code, end = begin + c->source->code_length, pc = begin + c->bci;
    if (begin >> 32 == end >> 32) {
        asm_store_constant(&c->a, W32, frame_field(offsetof(struct frame, pc)), (int32_t)(uint32_t)pc);
    } else {
        asm_constant(&c->a, REG_RESULT, pc);
        asm_store(&c->a, W64, frame_field(offsetof(struct frame, pc)), REG_RESULT);
    }
}

/* To the operand with index i. */
static void store_sp(struct compiler *c, enum asm_reg r, uint32_t i) {
    asm_address(&c->a, r, slot_of_operand(i));
    asm_store(&c->a, W64, frame_field(offsetof(struct frame, sp)), r);
}

void store_position(struct compiler *c) {
    store_pc(c);
    store_sp(c, REG_RESULT, c->depth);
}

void reload(struct compiler *c) {
    forget_registers(c);
    if (!c->quickens) return;
    asm_load(&c->a, U64, REG_CODE, frame_field(offsetof(struct frame, code)));
    asm_load(&c->a, U64, REG_CELLS, asm_at(REG_CODE, offsetof(struct method_code, cells)));
    asm_load(&c->a, U64, REG_CODE, asm_at(REG_CODE, offsetof(struct method_code, code)));
}

void call_runtime(struct compiler *c, runtime_function *f) {
    asm_constant(&c->a, REG_SCRATCH, (uintptr_t)f);
    call_stub(c, c->stubs->runtime);
    reload(c);
}

/* ---- invocations ------------------------------------------------------------------------------------------------- */

struct call {
    uint8_t op;
    uint16_t index;                      /* of the constant pool                                                   */
    uint32_t arguments;                  /* slots                                                                  */
    uint8_t now;                         /* the opcode that the interpreter has there: others may make it quick      */
    uint32_t aside;                      /* index plus 1; 0: none yet                                              */
};

/* Where the stub `invoke` does it. */
static struct asm_label *slow(struct compiler *c, struct call *k) {
    if (k->aside == 0 && new_aside(c)) k->aside = c->aside_count;
    return c->failed ? &c->entered : &c->asides[k->aside - 1].begin;
}

static void compare_opcode(struct compiler *c, uint8_t quick) {
    asm_alu_store_constant(&c->a, ALU_CMP, W8, asm_at(REG_CODE, (int32_t)c->bci), quick);
}

/* Quick already: it stays so. */
static void expect(struct compiler *c, struct call *k, uint8_t quick) {
    if (is_quick(c)) {
        if (k->now != quick) asm_jump(&c->a, slow(c, k));
        return;
    }
    compare_opcode(c, quick);
    asm_branch(&c->a, COND_NOT_EQUAL, slow(c, k));
}

/* The receiver goes to r. What is thrown without one is the interpreter's. */
static void load_receiver(struct compiler *c, struct call *k, enum asm_reg r) {
    asm_load(&c->a, U64, r, slot_of_operand(c->depth - k->arguments));
    asm_alu(&c->a, ALU_TEST, W64, r, r);
    if (is_quick(c)) leave_if(c, COND_EQUAL);
    else asm_branch(&c->a, COND_EQUAL, slow(c, k));
}

/* The method, which is in REG_RESULT. */
static void call_method(struct compiler *c, const struct call *k) {
    asm_address(&c->a, REG_COUNT, slot_of_operand(c->depth - k->arguments));
    asm_call_load(&c->a, asm_at(REG_RESULT, offsetof(struct method, compiled_entry)));
}

static void call_direct(struct compiler *c, struct call *k, bool has_receiver) {
    expect(c, k, quick_opcode(k->op, FORM_DIRECT));
    if (has_receiver) load_receiver(c, k, REG_C2);
    load_cell(c, REG_RESULT, k->index);
    call_method(c, k);
}

/* The method with the vtable index of the one in REG_RESULT, of the receiver's class. */
static void call_virtual(struct compiler *c, struct call *k) {
    const enum asm_reg receiver = REG_C2;
    struct asm_label found = {0}, virtual = {0};
    uint8_t table = quick_opcode(OP_invokevirtual, FORM_TABLE), direct = quick_opcode(OP_invokevirtual, FORM_DIRECT);
    if (is_quick(c) && k->now != table) {
        call_direct(c, k, true);
        return;
    }
    load_receiver(c, k, receiver);
    if (is_quick(c)) {
        const struct method *m = (const struct method *)(uintptr_t)known_cell(c, k->index);
        load_class(c, receiver, receiver);
        asm_load(&c->a, U64, receiver, asm_at(receiver, offsetof(struct class, vtable)));
        asm_load(&c->a, U64, REG_RESULT, asm_at(receiver, 8 * m->vtable_index));
        call_method(c, k);
        return;
    }
    compare_opcode(c, table);
    asm_branch_short(&c->a, COND_EQUAL, &virtual);
    compare_opcode(c, direct);
    asm_branch(&c->a, COND_NOT_EQUAL, slow(c, k));
    load_cell(c, REG_RESULT, k->index);                  /* the cell comes before the opcode                      */
    asm_jump_short(&c->a, &found);
    asm_bind(&c->a, &virtual);
    load_cell(c, REG_RESULT, k->index);
    load_class(c, receiver, receiver);
    asm_load(&c->a, U32, REG_RESULT, asm_at(REG_RESULT, offsetof(struct method, vtable_index)));
    asm_load(&c->a, U64, receiver, asm_at(receiver, offsetof(struct class, vtable)));
    asm_load(&c->a, U64, REG_RESULT, asm_indexed(receiver, REG_RESULT, 3, 0));
    asm_bind(&c->a, &found);
    call_method(c, k);
}

_Static_assert(sizeof(struct lookup_entry) == 24, "the index is multiplied by 3 and 8");

/* By the thread's cache. */
static void call_interface(struct compiler *c, struct call *k) {
    const enum asm_reg id = REG_C2, entry = REG_C0, base = REG_C1;
    load_receiver(c, k, id);
    expect(c, k, quick_opcode(OP_invokeinterface, FORM_PLAIN));
    load_cell(c, REG_RESULT, k->index);
    asm_load(&c->a, U32, id, asm_at(id, offsetof(struct object, class_id)));
    asm_move(&c->a, W64, entry, REG_RESULT);
    asm_shift_constant(&c->a, SHIFT_RIGHT, W64, entry, 5);
    asm_alu(&c->a, ALU_XOR, W32, entry, id);
    asm_alu_constant(&c->a, ALU_AND, W32, entry, LOOKUP_CACHE_SIZE - 1);
    asm_address(&c->a, entry, asm_indexed(entry, entry, 1, 0));
    asm_load(&c->a, U64, base, thread_field(offsetof(struct os_thread, lookup_cache)));
    asm_address(&c->a, entry, asm_indexed(base, entry, 3, 0));
    asm_alu_load(&c->a, ALU_CMP, W32, id, asm_at(entry, offsetof(struct lookup_entry, class_id)));
    asm_branch(&c->a, COND_NOT_EQUAL, slow(c, k));
    asm_alu_load(&c->a, ALU_CMP, W64, REG_RESULT, asm_at(entry, offsetof(struct lookup_entry, interface_method)));
    asm_branch(&c->a, COND_NOT_EQUAL, slow(c, k));
    asm_load(&c->a, U64, REG_RESULT, asm_at(entry, offsetof(struct lookup_entry, target)));
    call_method(c, k);
}

/* Nothing is called, unless somebody would see that, or the class has finalizers. */
static void call_object_init(struct compiler *c, struct call *k) {
    const enum asm_reg class = REG_C2;
    expect(c, k, quick_opcode(OP_invokespecial, FORM_OBJECT_INIT));
    load_receiver(c, k, class);
    load_class(c, class, class);
    asm_alu_store_constant(&c->a, ALU_CMP, W8, asm_at(class, offsetof(struct class, shape.has_finalizer)), 0);
    asm_branch(&c->a, COND_NOT_EQUAL, slow(c, k));
    asm_alu_store_constant(&c->a, ALU_TEST, W32, thread_field(offsetof(struct os_thread, attention)), WATCH_ANY);
    asm_branch(&c->a, COND_NOT_EQUAL, slow(c, k));
}

static bool calls_object_init(const struct compiler *c, uint16_t i) {
    return strcmp(cp_ref_class_name(class_file(c), i)->bytes, "java/lang/Object") == 0 &&
           strcmp(cp_ref_name(class_file(c), i)->bytes, "<init>") == 0;
}

static void call_by(struct compiler *c, struct call *k) {
    if (c->is_told && !is_quick(c)) {    /* what stands there is the breakpoint                                    */
        asm_jump(&c->a, slow(c, k));
        return;
    }
    switch (k->op) {
    case OP_invokestatic: call_direct(c, k, false); break;
    case OP_invokespecial:
        if (calls_object_init(c, k->index)) call_object_init(c, k);
        else call_direct(c, k, true);
        break;
    case OP_invokevirtual: call_virtual(c, k); break;
    case OP_invokeinterface: call_interface(c, k); break;
    default: asm_jump(&c->a, slow(c, k)); break;
    }
}

static void push_result(struct compiler *c, char kind) {
    if (kind == 'V') return;
    c->pinned |= 1u << REG_RESULT;
    push_register(c, REG_RESULT);
    if (desc_kind_slots(kind) == 2) push_upper(c);
}

bool compile_call(struct compiler *c, uint8_t op) {
    if (op < OP_invokevirtual || op > OP_invokedynamic) return false;
    struct call k = {op, op_u2(instruction(c) + 1), call_arguments(c, c->bci),
                     opcode_now(c), 0};
    flush_operands(c, 0);
    store_pc(c);
    call_by(c, &k);
    if (c->failed) return true;
    if (k.aside != 0) asm_bind(&c->a, &c->asides[k.aside - 1].back);
    reload(c);
    drop(c, k.arguments);
    push_result(c, call_result(c, c->bci));
    return true;
}

/* ---- instructions that C does ------------------------------------------------------------------------------------ */

static runtime_function *function_of(uint8_t op) {
    switch (op) {
    case OP_athrow: return runtime_athrow;
    case OP_monitorenter: return runtime_monitorenter;
    case OP_monitorexit: return runtime_monitorexit;
    case OP_multianewarray: return runtime_multianewarray;
    case OP_frem: return runtime_frem;
    case OP_drem: return runtime_drem;
    default: return NULL;
    }
}

void compile_by(struct compiler *c, runtime_function *f) {
    uint32_t takes, gives;
    flow_effect(c, c->bci, &takes, &gives);
    flush_operands(c, 0);
    store_position(c);
    call_runtime(c, f);
    drop(c, takes);
    begin_block(c, c->depth + gives);
}

bool compile_in_runtime(struct compiler *c, uint8_t op) {
    runtime_function *f = function_of(op);
    if (f != NULL) compile_by(c, f);
    return f != NULL;
}
