/* call.c — invocations, and instructions that C does. All operands are at home, so the callee finds its arguments
 * where its locals are to be, and the frame is complete for whoever looks. An invocation selects its callee here where
 * the interpreter has it quick and little is to be done; else a stub does (jit/call_sites.h). JVMS 6.5. */
#include "jit/baseline/compiler.h"

#include "classfile/descriptor.h"
#include "jit/call_sites.h"
#include "jit/receivers.h"
#include "link/resolve.h"

/* ---- the record -------------------------------------------------------------------------------------------------- */

/* The upper half is there as long as the frame is; C would have to wait for a half that has just been stored. */
void store_pc(struct compiler *c, bool whole) {
    uintptr_t begin = (uintptr_t)c->code->code, end = begin + c->source->code_length, pc = begin + c->bci;
    if (!whole && begin >> 32 == end >> 32) {
        asm_store_constant(&c->a, W32, frame_field(offsetof(struct frame, pc)), (int32_t)(uint32_t)pc);
    } else {
        asm_constant(&c->a, REG_SCRATCH, pc);
        asm_store(&c->a, W64, frame_field(offsetof(struct frame, pc)), REG_SCRATCH);
    }
}

/* To the operand with index i. */
static void store_sp(struct compiler *c, enum asm_reg r, uint32_t i) {
    asm_address(&c->a, r, slot_of_operand(i));
    asm_store(&c->a, W64, frame_field(offsetof(struct frame, sp)), r);
}

void store_position(struct compiler *c, bool whole) {
    store_pc(c, whole);
    store_sp(c, REG_RESULT, c->depth);
}

/* ---- invocations ------------------------------------------------------------------------------------------------- */

struct call {
    uint8_t op;
    uint16_t index;                      /* of the constant pool                                                   */
    uint32_t arguments;                  /* slots                                                                  */
    enum asm_reg receiver;               /* where it is besides at home; REG_NONE: nowhere, or there is none         */
    bool may_be_null;                    /* ... it                                                                  */
};

static void load_arguments(struct compiler *c, const struct call *k) {
    asm_address(&c->a, REG_COUNT, slot_of_operand(c->depth - k->arguments));
}

static uint32_t site_of(const struct call *k) { return k->index | k->arguments << CALL_SITE_ARGUMENTS_SHIFT; }

/* A stub finds the callee. */
static void call_by(struct compiler *c, const struct call *k, const uint8_t *stub) {
    load_arguments(c, k);
    asm_constant(&c->a, REG_C1, site_of(k));
    call_stub(c, stub);
}

/* ... and what it is is not known yet: only the receiver's class is noted. */
static void call_unresolved(struct compiler *c, const struct call *k) {
    struct receiver_site *s = receivers_site(c->receivers, c->bci);
    if (s == NULL) {
        call_by(c, k, c->stubs->call_site);
        return;
    }
    s->site = site_of(k);
    load_arguments(c, k);
    asm_constant(&c->a, REG_C1, (uintptr_t)s);
    call_stub(c, c->stubs->call_noted_site);
}

/* The receiver, in whatever register. What is thrown without one is the interpreter's. */
static enum asm_reg load_receiver(struct compiler *c, const struct call *k) {
    enum asm_reg r = k->receiver;
    if (r == REG_NONE) asm_load(&c->a, U64, r = REG_C2, slot_of_operand(c->depth - k->arguments));
    if (k->may_be_null) {
        asm_alu(&c->a, ALU_TEST, W64, r, r);
        leave_if(c, COND_EQUAL);
    }
    return r;
}

/* The method, which is in REG_RESULT. */
static void call_method(struct compiler *c, const struct call *k) {
    load_arguments(c, k);
    asm_call_load(&c->a, asm_at(REG_RESULT, offsetof(struct method, compiled_entry)));
}

static void call_known(struct compiler *c, const struct call *k) {
    if (k->may_be_null) (void)load_receiver(c, k);
    load_cell(c, REG_RESULT, k->index);
    call_method(c, k);
}

/* A stub notes the receiver's class and selects the method. False: there is nothing to note. */
static bool call_noted(struct compiler *c, const struct call *k, const struct method *named, const uint8_t *stub) {
    struct receiver_site *s = receivers_site(c->receivers, c->bci);
    if (s == NULL || (named->access_flags | named->holder->access_flags) & ACC_FINAL) return false;
    s->named = named;
    s->vtable_offset = named->vtable_index >= 0 ? (uint32_t)named->vtable_index * 8 : 0;
    load_arguments(c, k);
    asm_constant(&c->a, REG_C1, (uintptr_t)s);
    call_stub(c, stub);
    return true;
}

/* The method with the vtable index of the one in the cell, of the receiver's class: here in loops and in optimised
 * code, elsewhere in a stub, which takes half the room. */
static void call_virtual(struct compiler *c, const struct call *k) {
    const enum asm_reg vtable = REG_C2;
    const struct method *m = (const struct method *)(uintptr_t)known_cell(c, k->index);
    if (call_noted(c, k, m, c->stubs->call_noted_virtual)) return;
    if (!in_loop(c)) {
        load_arguments(c, k);
        asm_constant(&c->a, REG_RESULT, 8 * (uint64_t)m->vtable_index);
        call_stub(c, c->stubs->call_virtual);
        return;
    }
    load_vtable(c, vtable, load_receiver(c, k));
    asm_load(&c->a, U64, REG_RESULT, asm_at(vtable, 8 * m->vtable_index));
    call_method(c, k);
}

/* What the receiver's class has for the method in the cell, by a stub. */
static void call_interface(struct compiler *c, const struct call *k) {
    const struct method *m = (const struct method *)(uintptr_t)known_cell(c, k->index);
    if (call_noted(c, k, m, c->stubs->call_noted_interface)) return;
    load_arguments(c, k);
    asm_constant(&c->a, REG_RESULT, (uintptr_t)m);
    call_stub(c, c->stubs->call_interface);
}

/* A linked call site leads to the same adapter for ever; its appendix, if there is one, is the last argument. The class
 * of the code keeps both alive. */
static void call_adapter(struct compiler *c, const struct call *k, const struct call_site *site) {
    const struct call_target *t = atomic_load_explicit(&site->target, memory_order_acquire);
    if (k->may_be_null) (void)load_receiver(c, k);
    if (t->appendix != NULL) {
        asm_constant(&c->a, REG_RESULT, slot_ref(t->appendix));
        asm_store(&c->a, W64, slot_of_operand(c->depth), REG_RESULT);
    }
    asm_constant(&c->a, REG_RESULT, (uintptr_t)t->adapter);
    call_method(c, k);
}

const struct call_site *dynamic_site(const struct compiler *c) {
    int32_t index;
    memcpy(&index, c->code->code + c->bci + 1, sizeof index);
    return &c->code->owner->call_sites[index];
}

/* By invokeinterface, the method of an interface that the receiver must have: if it has not, a stub says so. */
static void call_private(struct compiler *c, const struct call *k, const struct method *m) {
    struct asm_label lacks_it = {0}, done = {0};
    load_class(c, CLASS_HELD, load_receiver(c, k));
    asm_constant(&c->a, CLASS_WANTED, (uintptr_t)m->holder);
    call_subtype(c);
    asm_branch_short(&c->a, COND_NOT_EQUAL, &lacks_it);
    load_cell(c, REG_RESULT, k->index);
    call_method(c, k);
    asm_jump_short(&c->a, &done);
    asm_bind(&c->a, &lacks_it);
    call_by(c, k, c->stubs->call_site);
    asm_bind(&c->a, &done);
}

static void call_direct(struct compiler *c, const struct call *k) {
    const struct method *m = (const struct method *)(uintptr_t)known_cell(c, k->index);
    if (k->op != OP_invokeinterface) call_known(c, k);
    else if (m->holder->is_interface) call_private(c, k, m);
    else call_by(c, k, c->stubs->call_site);
}

static void call_quick(struct compiler *c, const struct call *k) {
    uint8_t now = opcode_now(c);
    if (now == quick_opcode(k->op, FORM_DIRECT)) call_direct(c, k);
    else if (now == quick_opcode(OP_invokevirtual, FORM_TABLE)) call_virtual(c, k);
    else if (now == quick_opcode(OP_invokevirtual, FORM_HANDLE))
        call_adapter(c, k, (const struct call_site *)(uintptr_t)known_cell(c, k->index));
    else if (now == quick_opcode(OP_invokedynamic, FORM_PLAIN)) call_adapter(c, k, dynamic_site(c));
    else if (now == quick_opcode(OP_invokeinterface, FORM_PLAIN)) call_interface(c, k);
    else call_by(c, k, c->stubs->call_site);
}

void write_call(struct compiler *c, uint8_t op, enum asm_reg receiver) {
    struct call k = {op, op_u2(instruction(c) + 1), c->places[c->bci].arguments, receiver, false};
    if (is_quick(c)) call_quick(c, &k);
    else call_unresolved(c, &k);
}

static void push_result(struct compiler *c, char kind) {
    if (kind == 'V') return;
    c->pinned |= 1u << REG_RESULT;
    push_register(c, REG_RESULT);
    if (desc_kind_slots(kind) == 2) push_upper(c);
}

bool compile_call(struct compiler *c, uint8_t op) {
    if (op < OP_invokevirtual || op > OP_invokedynamic) return false;
    struct call k = {op, op_u2(instruction(c) + 1), c->places[c->bci].arguments, REG_NONE, false};
    if (compile_intrinsic(c, op, k.index)) return true;
    if (op != OP_invokestatic && op != OP_invokedynamic) {
        k.receiver = register_of(c, k.arguments);
        k.may_be_null = may_be_null(c, k.arguments);
    }
    flush_operands(c, 0);
    store_pc(c, false);
    if (is_quick(c)) call_quick(c, &k);
    else call_unresolved(c, &k);
    forget_registers(c);
    drop(c, k.arguments);
    push_result(c, c->places[c->bci].kind);
    return true;
}

/* ---- instructions that C does ------------------------------------------------------------------------------------ */

static runtime_function *function_of(uint8_t op) {
    switch (op) {
    case OP_athrow: return runtime_athrow;
    case OP_multianewarray: return runtime_multianewarray;
    case OP_frem: return runtime_frem;
    case OP_drem: return runtime_drem;
    default: return NULL;
    }
}

/* By the function, or the stub. */
static void compile_out_of_line(struct compiler *c, runtime_function *f, const uint8_t *stub) {
    uint32_t takes, gives;
    flow_effect(c, c->bci, &takes, &gives);
    flush_operands(c, 0);
    store_position(c, f != NULL);
    if (f != NULL) asm_constant(&c->a, REG_SCRATCH, (uintptr_t)f);
    call_stub(c, stub);
    forget_registers(c);
    drop(c, takes);
    begin_block(c, c->depth + gives);
}

void compile_by(struct compiler *c, runtime_function *f) { compile_out_of_line(c, f, c->stubs->runtime); }

bool compile_in_runtime(struct compiler *c, uint8_t op) {
    runtime_function *f = function_of(op);
    if (f != NULL) compile_by(c, f);
    else if (op == OP_monitorenter) compile_out_of_line(c, NULL, c->stubs->monitorenter);
    else if (op == OP_monitorexit) compile_out_of_line(c, NULL, c->stubs->monitorexit);
    else return false;
    return true;
}
