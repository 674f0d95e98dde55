/* known.c — see known.h. Where a branch leads back, or frames come in, all is forgotten but what is steady. */
#include "jit/optimising/known.h"

#include "base/alloc.h"
#include "exec/engine.h"
#include "heap/heap.h"
#include "jit/optimising/inline.h"
#include "jit/optimising/support.h"
#include "link/link.h"

static struct known known_int(int32_t v) { return (struct known){KNOWN_INT, false, v}; }

static struct scope *current(const struct ir *g) { return &g->scopes[g->scope]; }

/* ---- what stays -------------------------------------------------------------------------------------------------- */

/* @Stable: it stays as soon as it is not zero. */
static bool is_stable(const struct field *f) { return f->cf != NULL && f->cf->vm_flags & CF_STABLE; }

/* Before a constructor has assigned it the field is zero; then nothing is known. */
static struct known load_known(struct object *of, const struct field *f, bool zero_stays) {
    switch (f->type) {
    case T_OBJECT: case T_ARRAY: {
        struct known k = known_object(heap_load_ref(of, f->offset));
        k.is_stable = f->type == T_ARRAY && is_stable(f);
        return k;
    }
    case T_BOOLEAN: case T_BYTE: case T_SHORT: case T_CHAR: case T_INT: {
        int32_t v = (int32_t)field_load(of, f->offset, f->type);
        return v != 0 || zero_stays ? known_int(v) : known_nothing();
    }
    default: return known_nothing();
    }
}

static struct known static_field(const struct ir *g, uint32_t bci) {
    struct compiler *c = g->c;
    c->bci = bci;
    const struct field *f = is_quick(c) && !is_watched(c) ? field_named(c) : NULL;
    /* System.out and its like change all the same                                                                 */
    if (f == NULL || f->holder == known_class(java_lang_System)) return known_nothing();
    bool stays = field_stays(f), may_stay = f->access_flags & ACC_STATIC && is_stable(f);
    return stays || may_stay ? load_known(f->holder->statics, f, stays) : known_nothing();
}

/* It is a constant as long as nobody sets another (jit_set_target): then all goes that has the scope. */
static struct known site_target(const struct ir *g, struct object *site) {
    struct scope *s = current(g);
    if (g->scope == 0 || (s->site != NULL && s->site != site)) return known_nothing();
    struct known target = known_object(g->target_of(site));
    if (target.kind != KNOWN_NOTHING) s->site = site;
    return target;
}

static struct known instance_field(const struct ir *g, uint32_t bci) {
    struct compiler *c = g->c;
    struct object *of = object_known(known_operand(g, bci, 0));
    c->bci = bci;
    const struct field *f = of != NULL && is_quick(c) && !is_watched(c) ? field_named(c) : NULL;
    bool has_it = f != NULL && !(f->access_flags & ACC_STATIC) && class_is_subtype(class_of(of), f->holder);
    if (has_it && field_is_site_target(f)) return field_is_assigned(f) ? known_nothing() : site_target(g, of);
    return has_it && (field_is_trusted(f) || is_stable(f)) ? load_known(of, f, false) : known_nothing();
}

static struct known element(const struct ir *g, uint32_t bci) {
    struct known array = known_operand(g, bci, 1), index = known_operand(g, bci, 0);
    struct object *of = object_known(array);
    if (of == NULL || !array.is_stable || index.kind != KNOWN_INT) return known_nothing();
    if (index.value < 0 || index.value >= array_length(of)) return known_nothing();
    struct object *o = heap_array_get(of, (uint32_t)index.value);
    struct known k = known_object(o);
    k.is_stable = o != NULL && class_is_array(class_of(o));
    return k;
}

static struct known length(const struct ir *g, uint32_t bci) {
    struct object *array = object_known(known_operand(g, bci, 0));
    return array != NULL && class_is_array(class_of(array)) ? known_int(array_length(array)) : known_nothing();
}

static struct known constant(const struct ir *g, uint32_t bci, uint16_t i) {
    struct compiler *c = g->c;
    c->bci = bci;
    switch (cp_tag(class_file(c), i)) {
    case CP_Integer: return known_int(cp_int(class_file(c), i));
    case CP_String: return is_quick(c) ? known_object((struct object *)(uintptr_t)known_cell(c, i)) : known_nothing();
    case CP_Class:
        return is_quick(c) ? known_object(((struct class *)(uintptr_t)known_cell(c, i))->mirror) : known_nothing();
    default: return known_nothing();
    }
}

static bool is_same(struct known x, struct known y) {
    return x.kind == y.kind && x.value == y.value && x.is_stable == y.is_stable;
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

static struct known *local_of(const struct ir *g, uint32_t i) { return &current(g)->known[i]; }
static bool is_wide_store(uint8_t op) {
    return op == OP_lstore || op == OP_dstore || op_is_in(op, OP_lstore_0, OP_lstore_3) ||
           op_is_in(op, OP_dstore_0, OP_dstore_3);
}

/* As long as nothing is known of it, `value` counts. */
static bool is_assigned_once(const struct scope *s, uint32_t local) {
    return s->steady[local].kind == KNOWN_NOTHING && s->steady[local].value == 1;
}

static struct known *stack_of(const struct ir *g, uint32_t i) { return &current(g)->known[current(g)->locals + i]; }

/* A local that one instruction assigns, or that is an argument and none does, holds that wherever it is read. Not so in
 * the first scope: its frame may come from the interpreter, where a tool has set the local. */
static void count_stores(const struct ir *g) {
    const struct compiler *c = g->c;
    struct scope *s = current(g);
    uint32_t arguments = s->code->method->arg_slots;
    for (uint32_t i = 0; i < s->locals; i++)
        s->steady[i] = (struct known){.kind = KNOWN_NOTHING, .value = g->scope == 0 ? 2 : i < arguments};
    for (uint32_t bci = 0; bci < s->source->code_length; bci += length_at(c, bci)) {
        const uint8_t *p = s->source->code + bci;
        uint8_t op = *p == OP_wide ? p[1] : *p;
        if (!(flow_traits[op] & FLOW_STORES)) continue;
        uint32_t i = (uint32_t)flow_local(p);
        for (uint32_t k = i; k < i + 2 && k < s->locals; k++) s->steady[k].value += k == i || is_wide_store(op);
    }
}

void known_begin(struct ir *g, const struct known *arguments, uint32_t count) {
    struct scope *s = current(g);
    count_stores(g);
    memset(s->known, 0, s->variables * sizeof *s->known);
    for (uint32_t i = 0; i < count && arguments != NULL; i++) {
        s->known[i] = arguments[i];
        if (is_assigned_once(s, i)) s->steady[i] = arguments[i];
    }
}

void known_meet(struct ir *g, struct known **met) {
    const struct scope *s = current(g);
    if (*met != NULL) {
        for (uint32_t i = 0; i < s->variables; i++)
            if (!is_same((*met)[i], s->known[i])) (*met)[i] = known_nothing();
        return;
    }
    *met = mem_alloc((s->variables + 1) * sizeof **met);
    if (*met == NULL) ir_declines(g, "out of memory");
    else memcpy(*met, s->known, s->variables * sizeof **met);
}

void known_come_to(struct ir *g, struct known **met) {
    struct scope *s = current(g);
    if (met != NULL && *met != NULL) {
        memcpy(s->known, *met, s->variables * sizeof *s->known);
    } else {
        memset(s->known + s->locals, 0, (s->variables - s->locals) * sizeof *s->known);
        memcpy(s->known, s->steady, s->locals * sizeof *s->known);
    }
}

struct known known_operand(const struct ir *g, uint32_t bci, uint32_t from_top) {
    uint32_t depth = g->c->places[bci].depth;
    return from_top < depth ? *stack_of(g, depth - 1 - from_top) : known_nothing();
}

static void assign(const struct ir *g, const uint8_t *p, uint8_t op, struct known v) {
    uint32_t i = (uint32_t)flow_local(p);
    bool wide = is_wide_store(op);
    if (wide || op == OP_iinc) v = known_nothing();
    *local_of(g, i) = v;
    if (v.kind != KNOWN_NOTHING && is_assigned_once(current(g), i)) current(g)->steady[i] = v;
    if (wide && i + 1 < current(g)->locals) *local_of(g, i + 1) = known_nothing();
}

/* What the instruction pushes, where that is one slot. */
static struct known pushed(const struct ir *g, uint32_t bci, uint8_t op) {
    const uint8_t *p = g->c->source->code + bci;
    if (op_is_in(op, OP_iconst_m1, OP_iconst_5)) return known_int(op - OP_iconst_0);
    if (op_is_in(op, OP_aload_0, OP_aload_3) || op_is_in(op, OP_iload_0, OP_iload_3))
        return *local_of(g, (uint32_t)flow_local(p));
    switch (op) {
    case OP_bipush: return known_int((int8_t)p[1]);
    case OP_sipush: return known_int(op_s2(p + 1));
    case OP_ldc: return constant(g, bci, p[1]);
    case OP_ldc_w: return constant(g, bci, op_u2(p + 1));
    case OP_aload: case OP_iload: return *local_of(g, (uint32_t)flow_local(p));
    case OP_getstatic: return static_field(g, bci);
    case OP_getfield: return instance_field(g, bci);
    case OP_aaload: return element(g, bci);
    case OP_arraylength: return length(g, bci);
    case OP_checkcast: case OP_dup: return known_operand(g, bci, 0);
    default: return known_nothing();
    }
}

void known_step(struct ir *g, uint32_t bci, struct known result) {
    struct compiler *c = g->c;
    const uint8_t *p = c->source->code + bci;
    uint8_t op = *p == OP_wide ? p[1] : *p;
    uint32_t takes, gives, depth = c->places[bci].depth;
    struct known top = known_operand(g, bci, 0), v = *p == OP_wide ? known_nothing() : pushed(g, bci, op);
    if (op_is_in(op, OP_invokevirtual, OP_invokedynamic)) v = result;
    flow_effect(c, bci, &takes, &gives);
    if (flow_traits[op] & FLOW_STORES) assign(g, p, op, top);
    if (op == OP_dup) takes = 0, gives = 1;              /* what is below stays                                    */
    for (uint32_t i = depth - takes; i < depth - takes + gives; i++) *stack_of(g, i) = known_nothing();
    if (gives == 1) *stack_of(g, depth - takes) = v;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

void known_return(struct ir *g, uint32_t bci) {
    struct scope *s = current(g);
    uint8_t op = g->c->source->code[bci];
    struct known v = op == OP_areturn || op == OP_ireturn ? known_operand(g, bci, 0) : known_nothing();
    if (v.kind == KNOWN_INT) v.value = (int32_t)narrowed_result(g->c->code->method->return_type, (uint32_t)v.value);
    s->returned = !s->returns || is_same(v, s->returned) ? v : known_nothing();
    s->returns = true;
}

struct known known_result(const struct scope *s) { return s->returns ? s->returned : known_nothing(); }

const struct class *known_class_asked(const struct ir *g, uint32_t bci) {
    struct object *o = object_known(known_operand(g, bci, 1));
    return o != NULL && class_of(o) == known_class(java_lang_Class) ? class_of_mirror(o) : NULL;
}

bool allocates_instance(struct compiler *c) {
    if (c->source->code[c->bci] != OP_invokevirtual || !is_quick(c)) return false;
    uint8_t now = opcode_now(c);
    if (now != quick_opcode(OP_invokevirtual, FORM_TABLE) && now != quick_opcode(OP_invokevirtual, FORM_DIRECT))
        return false;
    const struct method *m = (const struct method *)(uintptr_t)known_cell(c, op_u2(instruction(c) + 1));
    return m->entry == ENTRY_INTRINSIC && strcmp(m->name->bytes, "allocateInstance") == 0 &&
           strcmp(m->holder->name->bytes, "jdk/internal/misc/Unsafe") == 0;
}

const struct class *known_class_allocated(const struct ir *g, uint32_t bci) {
    struct object *o = object_known(known_operand(g, bci, 0));
    const struct class *k = o != NULL && class_of(o) == known_class(java_lang_Class) ? class_of_mirror(o) : NULL;
    bool is_plain = k != NULL && !class_is_array(k) && class_is_initialized(k) && !k->shape.has_finalizer &&
                    !(k->access_flags & (ACC_ABSTRACT | ACC_INTERFACE)) && k != known_class(java_lang_Class);
    return is_plain ? k : NULL;
}

bool passes_cast(const struct ir *g, uint32_t bci) {
    struct compiler *c = g->c;
    struct object *o = object_known(known_operand(g, bci, 0));
    c->bci = bci;
    if (o == NULL || !is_quick(c)) return false;
    return class_is_subtype(class_of(o), (struct class *)(uintptr_t)known_cell(c, op_u2(c->source->code + bci + 1)));
}

struct known known_loaded(const struct ir *g, uint32_t bci) { return pushed(g, bci, g->c->source->code[bci]); }

static enum support goes(bool jumps) { return jumps ? SUPPORT_JUMPS : SUPPORT_PASSES; }

enum support known_branch(const struct ir *g, uint32_t bci) {
    struct known x = known_operand(g, bci, 0), y = known_operand(g, bci, 1);
    bool are_objects = x.kind == KNOWN_OBJECT && y.kind == KNOWN_OBJECT;
    bool are_ints = x.kind == KNOWN_INT && y.kind == KNOWN_INT;
    switch (g->c->source->code[bci]) {
    case OP_ifnull: return x.kind == KNOWN_OBJECT ? SUPPORT_PASSES : SUPPORT_BUILT;
    case OP_ifnonnull: return x.kind == KNOWN_OBJECT ? SUPPORT_JUMPS : SUPPORT_BUILT;
    case OP_if_acmpeq: return are_objects ? goes(x.value == y.value) : SUPPORT_BUILT;
    case OP_if_acmpne: return are_objects ? goes(x.value != y.value) : SUPPORT_BUILT;
    case OP_ifeq: return x.kind == KNOWN_INT ? goes(x.value == 0) : SUPPORT_BUILT;
    case OP_ifne: return x.kind == KNOWN_INT ? goes(x.value != 0) : SUPPORT_BUILT;
    case OP_iflt: return x.kind == KNOWN_INT ? goes(x.value < 0) : SUPPORT_BUILT;
    case OP_ifge: return x.kind == KNOWN_INT ? goes(x.value >= 0) : SUPPORT_BUILT;
    case OP_ifgt: return x.kind == KNOWN_INT ? goes(x.value > 0) : SUPPORT_BUILT;
    case OP_ifle: return x.kind == KNOWN_INT ? goes(x.value <= 0) : SUPPORT_BUILT;
    case OP_if_icmpeq: return are_ints ? goes(y.value == x.value) : SUPPORT_BUILT;
    case OP_if_icmpne: return are_ints ? goes(y.value != x.value) : SUPPORT_BUILT;
    default: return SUPPORT_BUILT;
    }
}
