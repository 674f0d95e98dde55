/* select_callee.c — what an invocation runs, as the interpreter's own instructions find it (ops_invokes.inc): for
 * engines that do the common forms themselves. JVMS 6.5. */
#include "exec/exec_internal.h"

static uint16_t operand(const uint8_t *pc) { uint16_t v; memcpy(&v, pc + 1, 2); return v; }

static void *cell_of(const struct frame *f) {
    return (void *)(uintptr_t)atomic_load_explicit(&f->code->cells[operand(f->pc)], memory_order_acquire);
}

/* The receiver of m, whose arguments are the top operands. NULL: exception pending. */
static struct object *receiver_of(struct os_thread *self, const struct frame *f, const struct method *m) {
    struct object *o = slot_object(f->sp[-(int)m->arg_slots]);
    if (o == NULL) throw_new(self, "java/lang/NullPointerException");
    return o;
}

static struct method *select_virtual(struct os_thread *self, const struct frame *f) {
    struct method *m = cell_of(f);
    struct object *o = receiver_of(self, f, m);
    return o != NULL ? class_of(o)->vtable[m->vtable_index] : NULL;
}

static struct method *select_direct(struct os_thread *self, const struct frame *f) {
    struct method *m = cell_of(f);
    return receiver_of(self, f, m) != NULL ? m : NULL;
}

/* Really called: who comes here does not know that it does nothing, or somebody would see that it is not called. */
static struct method *select_object_init(struct os_thread *self, struct frame *f) {
    struct method *m = vm->exec->object_init;
    struct object *o = receiver_of(self, f, m);
    if (o == NULL || !shape_of(o)->has_finalizer) return o != NULL ? m : NULL;
    return object_register_finalizer(self, o) ? m : NULL;
}

static struct method *select_in_interface(struct os_thread *self, struct frame *f, bool has_place) {
    struct method *m = cell_of(f);
    struct object *o = receiver_of(self, f, m);
    if (o == NULL) return NULL;
    struct class *c = class_of(o);
    bool implements = !has_place && m->holder->is_interface && class_is_subtype(c, m->holder);
    if (!implements && !receiver_implements(self, f, c)) return NULL;
    return has_place ? c->vtable[m->vtable_index] : m;
}

static struct method *select_itable(struct os_thread *self, const struct frame *f) {
    struct method *m = cell_of(f);
    struct object *o = receiver_of(self, f, m);
    return o != NULL ? select_interface(self, class_of(o), m) : NULL;
}

/* The adapter of a linked call site, with its appendix as the last argument. */
static struct method *select_adapter(struct frame *f, struct call_site *site) {
    struct call_target *target = atomic_load_explicit(&site->target, memory_order_acquire);
    if (target->appendix != NULL) *f->sp++ = slot_ref(target->appendix);
    return target->adapter;
}

static struct method *select_handle(struct os_thread *self, struct frame *f) {
    struct call_site *site = cell_of(f);
    struct call_target *target = atomic_load_explicit(&site->target, memory_order_acquire);
    if (f->sp[-(int)target->adapter->arg_slots + (target->appendix != NULL)] != 0) return select_adapter(f, site);
    throw_new(self, "java/lang/NullPointerException");
    return NULL;
}

static struct method *select_dynamic(struct os_thread *self, struct frame *f) {
    int32_t index;
    memcpy(&index, f->pc + 1, sizeof index);
    struct call_site *site = resolve_call_site(self, f->code->owner, (uint32_t)index);
    return site != NULL ? select_adapter(f, site) : NULL;
}

static struct method *select_quick(struct os_thread *self, struct frame *f, uint8_t op) {
    switch (op) {
    case OP_invokevirtual_q: return select_virtual(self, f);
    case OP_invokevirtual_direct: case OP_invokespecial_q: return select_direct(self, f);
    case OP_invokespecial_object_init: return select_object_init(self, f);
    case OP_invokestatic_q: return cell_of(f);
    case OP_invokeinterface_q: return select_itable(self, f);
    case OP_invokeinterface_vtable: return select_in_interface(self, f, true);
    case OP_invokeinterface_direct: return select_in_interface(self, f, false);
    case OP_invokehandle_q: return select_handle(self, f);
    case OP_invokedynamic: case OP_invokedynamic_q: return select_dynamic(self, f);
    default: vm_assert(false, "%s is no invocation", quick_name(op)); return NULL;
    }
}

uint32_t call_length_at(const struct frame *f) {
    uint8_t op = code_source(f->code)->code[f->pc - f->code->code];
    return op == OP_invokeinterface || op == OP_invokedynamic ? 5 : 3;
}

struct method *select_callee(struct os_thread *self, struct frame *f) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    uint8_t op = code_source(f->code)->code[f->pc - f->code->code];
    bool quickened = false;
    uint8_t now = code_opcode(f->code, f->pc);
    if (op == OP_invokedynamic || now != op) return select_quick(self, f, now);
    struct method *m = quicken_invoke(self, f, &quickened);
    return m == NULL || !quickened ? m : select_quick(self, f, code_opcode(f->code, f->pc));
}
