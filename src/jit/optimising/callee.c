/* callee.c — see callee.h. */
#include "jit/optimising/callee.h"

#include "exec/engine.h"
#include "heap/heap.h"
#include "jit/optimising/known.h"
#include "jit/optimising/support.h"
#include "jit/receivers.h"
#include "link/link.h"
#include "link/resolve.h"

/* ---- receivers --------------------------------------------------------------------------------------------------- */

/* What an interface's method has selected in the thread that asks, if it was the same for all that it remembers. */
static struct callee selected(const struct ir *g, const struct method *m) {
    struct callee k = {.guarded = true};
    for (size_t i = 0; i < g->lookups.count; i++) {
        const struct lookup_entry *e = &g->lookups.entries[i];
        if (e->interface_method != m || e->target == NULL) continue;
        if (k.method != NULL && k.receiver != class_of_id(e->class_id)) return (struct callee){0};
        k.method = (struct method *)(uintptr_t)e->target;
        k.receiver = class_of_id(e->class_id);
    }
    return k.receiver != NULL ? k : (struct callee){0};
}

/* What m selects of c's; NULL: nothing, or there is no such class any more. */
static struct method *selected_of(struct method *m, struct class *c) {
    if (c == NULL) return NULL;
    vm_assert(atomic_load(&c->state) >= CLASS_LINKED, "a receiver's class is not linked");
    if (!class_is_subtype(c, m->holder)) return NULL;
    if (m->holder->is_interface) return class_select_interface(c, m);
    return m->vtable_index >= 0 && (uint32_t)m->vtable_index < c->vtable_length ? c->vtable[m->vtable_index] : NULL;
}

/* What m selects of the class that at least half of the receivers had. */
static struct callee of_most(const struct receivers_seen *seen, struct method *m) {
    bool is_other = seen->other_calls > seen->first_calls;
    uint32_t most = is_other ? seen->other_calls : seen->first_calls;
    struct class *c = class_of_id(is_other ? seen->other : seen->first);
    if (2 * most < seen->first_calls + seen->other_calls + seen->more_calls) return (struct callee){0};
    return (struct callee){.method = selected_of(m, c), .guarded = true, .receiver = c, .calls_others = true};
}

/* By the receivers that the call has had: of one class, whose objects are told fastest, of two that have the same
 * method, or mostly of one. Where code has left for it often there were others meanwhile. */
static struct callee noted(struct receivers_seen seen, struct method *m, bool left_often) {
    struct class *first = class_of_id(seen.first);
    struct method *target = selected_of(m, first);
    if (target == NULL) return (struct callee){0};
    if (left_often) return of_most(&seen, m);
    if (seen.other == 0) return (struct callee){.method = target, .guarded = true, .receiver = first};
    bool same = !m->holder->is_interface && selected_of(m, class_of_id(seen.other)) == target;
    return same ? (struct callee){.method = target, .guarded = true} : of_most(&seen, m);
}

/* ---- method handles ---------------------------------------------------------------------------------------------- */

bool is_lambda_form(const struct method_code *code) {
    return code->member != NULL && code->member->vm_flags & CF_LAMBDA_FORM_COMPILED;
}

static struct callee adapter_of(const struct call_site *site, bool of_handle) {
    const struct call_target *t = atomic_load_explicit(&site->target, memory_order_acquire);
    if (t == NULL) return (struct callee){0};
    return (struct callee){.method = t->adapter, .of_handle = of_handle, .appendix = t->appendix,
                           .passing = t->appendix != NULL ? PASSES_APPENDIX : PASSES_OPERANDS};
}

/* invokeBasic runs what the handle's form has been compiled to. */
static struct callee entry_of_handle(const struct ir *g, uint32_t bci) {
    struct object *handle = object_known(known_operand(g, bci, g->c->places[bci].arguments - 1u));
    if (handle == NULL || !class_is_subtype(class_of(handle), known_class(java_lang_invoke_MethodHandle)))
        return (struct callee){0};
    struct object *form = heap_load_ref(handle, known_offset(MethodHandle_form));
    struct object *entry = form != NULL ? heap_load_ref_acquire(form, known_offset(LambdaForm_vmentry)) : NULL;
    struct method *m = entry != NULL ? member_name_target(entry) : NULL;
    bool fits = m != NULL && m->access_flags & ACC_STATIC && m->arg_slots == g->c->places[bci].arguments;
    return fits ? (struct callee){.method = m, .of_handle = true} : (struct callee){0};
}

/* linkTo*: what its last argument names. */
static struct callee linked(struct ir *g, uint32_t bci, enum method_entry entry) {
    struct object *member = object_known(known_operand(g, bci, 0));
    if (member == NULL || class_of(member) != known_class(java_lang_invoke_MemberName)) return (struct callee){0};
    struct method *m = member_name_target(member);
    bool is_static = entry == ENTRY_LINK_TO_STATIC;
    if (m == NULL || m->arg_slots + 1 != g->c->places[bci].arguments) return (struct callee){0};
    if (is_static != ((m->access_flags & ACC_STATIC) != 0)) return (struct callee){0};
    if (is_static && !class_is_initialized(m->holder)) return (struct callee){0};
    struct callee k = {.method = m, .passing = PASSES_NO_MEMBER};
    if (is_static || entry == ENTRY_LINK_TO_SPECIAL) return k;
    struct object *receiver = object_known(known_operand(g, bci, g->c->places[bci].arguments - 1u));
    if (receiver != NULL && !has_left_often_at(g, bci)) {
        k.method = selected_of(m, class_of(receiver));
        k.guarded = true;
        k.receiver = class_of(receiver);
        return k;
    }
    bool is_virtual = entry == ENTRY_LINK_TO_VIRTUAL && !m->holder->is_interface && m->vtable_index >= 0;
    if (!is_virtual || member_name_vmindex(member) != m->vtable_index) return (struct callee){0};
    k.guarded = !((m->access_flags | m->holder->access_flags) & ACC_FINAL);
    return k.guarded && has_left_often_at(g, bci) ? (struct callee){0} : k;
}

/* By invokeinterface, of a receiver that is known, or NULL. */
static struct callee private_in_interface(struct method *m, const struct object *receiver) {
    if (!m->holder->is_interface) return (struct callee){0};
    bool has_it = receiver != NULL && class_is_subtype(class_of(receiver), m->holder);
    return (struct callee){.method = m, .interface = has_it ? NULL : m->holder};
}

/* ---- the invocation ---------------------------------------------------------------------------------------------- */

struct callee callee_at(struct ir *g, uint32_t bci) {
    struct compiler *c = g->c;
    uint8_t op = c->source->code[bci], now;
    c->bci = bci;
    if (!is_quick(c)) return (struct callee){0};
    now = opcode_now(c);
    if (op == OP_invokedynamic) return adapter_of(dynamic_site(c), false);
    int64_t cell = known_cell(c, op_u2(c->source->code + bci + 1));
    if (now == quick_opcode(OP_invokevirtual, FORM_HANDLE))
        return adapter_of((const struct call_site *)(uintptr_t)cell, true);
    struct method *m = (struct method *)(uintptr_t)cell;
    if (m->entry == ENTRY_INVOKE_BASIC) return entry_of_handle(g, bci);
    if (m->entry >= ENTRY_LINK_TO_STATIC && m->entry <= ENTRY_LINK_TO_INTERFACE) return linked(g, bci, m->entry);
    struct object *receiver = object_known(known_operand(g, bci, c->places[bci].arguments - 1u));
    if (now == quick_opcode(OP_invokeinterface, FORM_DIRECT)) return private_in_interface(m, receiver);
    if (now == quick_opcode(op, FORM_DIRECT)) return (struct callee){.method = m};
    if (now == quick_opcode(OP_invokevirtual, FORM_TABLE) && (m->access_flags | m->holder->access_flags) & ACC_FINAL)
        return (struct callee){.method = m};
    bool is_virtual = now == quick_opcode(OP_invokevirtual, FORM_TABLE), left_often = has_left_often_at(g, bci);
    if (!is_virtual && now != quick_opcode(OP_invokeinterface, FORM_PLAIN)) return (struct callee){0};
    if (receiver != NULL && !left_often)
        return (struct callee){.method = selected_of(m, class_of(receiver)), .guarded = true,
                               .receiver = class_of(receiver)};
    struct receivers_seen seen = g->receivers_at(c->code, bci);
    if (seen.first != 0) return noted(seen, m, left_often);
    if (left_often) return (struct callee){0};
    return is_virtual ? (struct callee){.method = m, .guarded = true} : selected(g, m);
}
