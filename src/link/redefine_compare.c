/* redefine_compare.c — comparing two class files of one class: what must not change, and which methods did. */
#include "base/options.h"
#include "classfile/opcodes.h"
#include "link/redefine.h"

#include <string.h>

/* ---- constants --------------------------------------------------------------------------------------------------- */

/* Dynamic constants may name each other; deeper than this they count as different. */
enum { MAX_CONSTANT_DEPTH = 32 };

static bool same_constant(const struct classfile *a, uint16_t i, const struct classfile *b, uint16_t k, unsigned depth);

static bool same_bootstrap(const struct classfile *a, uint16_t i, const struct classfile *b, uint16_t k,
                           unsigned depth) {
    uint16_t n = cf_bootstrap_arg_count(a, i);
    if (n != cf_bootstrap_arg_count(b, k) ||
        !same_constant(a, cf_bootstrap_method_ref(a, i), b, cf_bootstrap_method_ref(b, k), depth))
        return false;
    for (uint16_t arg = 0; arg < n; arg++)
        if (!same_constant(a, cf_bootstrap_arg(a, i, arg), b, cf_bootstrap_arg(b, k, arg), depth)) return false;
    return true;
}

/* The bytes in the files: code is compared in a stop, where nothing can be interned. */
static bool same_utf8(const struct classfile *a, uint16_t i, const struct classfile *b, uint16_t k) {
    struct span s = cp_utf8(a, i), t = cp_utf8(b, k);
    return s.size == t.size && memcmp(s.data, t.data, s.size) == 0;
}

static bool same_name_and_type(const struct classfile *a, uint16_t i, const struct classfile *b, uint16_t k) {
    uint16_t x = cp_ref_nat_index(a, i), y = cp_ref_nat_index(b, k);
    return same_utf8(a, cp_nat_name_index(a, x), b, cp_nat_name_index(b, y))
           && same_utf8(a, cp_nat_desc_index(a, x), b, cp_nat_desc_index(b, y));
}

static bool same_constant(const struct classfile *a, uint16_t i, const struct classfile *b, uint16_t k,
                          unsigned depth) {
    uint8_t tag = cp_tag(a, i);
    if (tag != cp_tag(b, k) || depth > MAX_CONSTANT_DEPTH) return false;
    switch (tag) {
    case CP_Integer:
    case CP_Float: return memcmp(cp_payload(a, i), cp_payload(b, k), 4) == 0;
    case CP_Long:
    case CP_Double: return memcmp(cp_payload(a, i), cp_payload(b, k), 8) == 0;
    case CP_Class:
    case CP_String:
    case CP_MethodType: return same_utf8(a, cp_utf8_index(a, i), b, cp_utf8_index(b, k));
    case CP_Fieldref:
    case CP_Methodref:
    case CP_InterfaceMethodref:
        return same_constant(a, cp_ref_class_index(a, i), b, cp_ref_class_index(b, k), depth)
               && same_name_and_type(a, i, b, k);
    case CP_MethodHandle:
        return cp_method_handle_kind(a, i) == cp_method_handle_kind(b, k)
               && same_constant(a, cp_method_handle_ref(a, i), b, cp_method_handle_ref(b, k), depth + 1);
    case CP_Dynamic:
    case CP_InvokeDynamic:
        return same_name_and_type(a, i, b, k) &&
               same_bootstrap(a, cp_bootstrap_index(a, i), b, cp_bootstrap_index(b, k), depth + 1);
    default: return false;
    }
}

/* ---- code -------------------------------------------------------------------------------------------------------- */

/* Bytes of the constant-pool index behind the opcode; 0: the instruction has none. */
static unsigned index_bytes(uint8_t op) {
    switch (op) {
    case OP_ldc: return 1;
    case OP_ldc_w:
    case OP_ldc2_w:
    case OP_getstatic:
    case OP_putstatic:
    case OP_getfield:
    case OP_putfield:
    case OP_invokevirtual:
    case OP_invokespecial:
    case OP_invokestatic:
    case OP_invokeinterface:
    case OP_invokedynamic:
    case OP_new:
    case OP_anewarray:
    case OP_checkcast: case OP_instanceof: case OP_multianewarray: return 2;
    default: return 0;
    }
}

static bool same_handlers(const struct classfile *a, const struct cf_code *x, const struct classfile *b,
                          const struct cf_code *y) {
    if (x->handler_count != y->handler_count) return false;
    for (uint16_t i = 0; i < x->handler_count; i++) {
        struct cf_handler h = cf_handler_at(x, i), g = cf_handler_at(y, i);
        if (h.start_pc != g.start_pc || h.end_pc != g.end_pc || h.handler_pc != g.handler_pc) return false;
        if ((h.catch_type == 0) != (g.catch_type == 0)) return false;
        if (h.catch_type != 0 && !same_constant(a, h.catch_type, b, g.catch_type, 0)) return false;
    }
    return true;
}

bool code_is_equivalent(const struct method_code *a, const struct method_code *b) {
    const struct classfile *in_a = code_cf(a), *in_b = code_cf(b);
    const struct cf_code *x = code_source(a), *y = code_source(b);
    if (a->member->access_flags != b->member->access_flags || (x == NULL) != (y == NULL)) return false;
    if (x == NULL) return true;
    if (x->code_length != y->code_length || x->max_stack != y->max_stack || x->max_locals != y->max_locals)
        return false;
    for (uint32_t bci = 0, length; bci < x->code_length; bci += length) {
        const uint8_t *p = x->code + bci, *q = y->code + bci;
        length = opcode_length(x->code, bci, x->code_length);
        if (length == 0 || *p != *q || length != opcode_length(y->code, bci, y->code_length)) return false;
        unsigned skipped = 1 + index_bytes(*p);
        if (memcmp(p + skipped, q + skipped, length - skipped) != 0) return false;
        if (skipped == 2 && !same_constant(in_a, p[1], in_b, q[1], 0)) return false;
        if (skipped == 3 && !same_constant(in_a, cf_u2(p + 1), in_b, cf_u2(q + 1), 0)) return false;
    }
    return same_handlers(in_a, x, in_b, y);
}

/* ---- what must not change ---------------------------------------------------------------------------------------- */

static struct symbol *class_name_or_null(const struct classfile *cf, uint16_t index) {
    return index ? cp_class_name(cf, index) : NULL;
}

static bool list_has(const struct classfile *cf, uint32_t list, const struct symbol *name) {
    for (uint16_t i = 0; i < cf_list_count(cf, list); i++)
        if (cp_class_name(cf, cf_list_at(cf, list, i)) == name) return true;
    return false;
}

/* As many names, and each of the one in the other; their order may change. */
static bool same_class_list(const struct classfile *a, uint32_t x, const struct classfile *b, uint32_t y) {
    uint16_t n = cf_list_count(a, x);
    if ((x == 0) != (y == 0) || n != cf_list_count(b, y)) return false;
    for (uint16_t i = 0; i < n; i++)
        if (!list_has(b, y, cp_class_name(a, cf_list_at(a, x, i)))) return false;
    return true;
}

static struct symbol *symbol_or_null(const struct classfile *cf, uint16_t index) {
    return index ? cp_symbol(cf, index) : NULL;
}

static bool same_record(const struct classfile *a, const struct classfile *b) {
    if (a->is_record != b->is_record || a->record_count != b->record_count) return false;
    for (uint16_t i = 0; i < a->record_count; i++) {
        const struct cf_record_component *x = &a->record_components[i], *y = &b->record_components[i];
        if (cp_symbol(a, x->name_index) != cp_symbol(b, y->name_index) ||
            cp_symbol(a, x->desc_index) != cp_symbol(b, y->desc_index) ||
            symbol_or_null(a, x->signature_index) != symbol_or_null(b, y->signature_index))
            return false;
    }
    return true;
}

static bool same_hierarchy(const struct classfile *a, const struct classfile *b) {
    if (a->super_name != b->super_name || a->interface_count != b->interface_count) return false;
    for (uint16_t i = 0; i < a->interface_count; i++)
        if (cp_class_name(a, cf_interface(a, i)) != cp_class_name(b, cf_interface(b, i))) return false;
    return true;
}

static bool same_member(const struct classfile *a, const struct cf_member *x, const struct classfile *b,
                        const struct cf_member *y) {
    return cf_member_name(a, x) == cf_member_name(b, y) && cf_member_desc(a, x) == cf_member_desc(b, y);
}

static bool same_fields(const struct classfile *a, const struct classfile *b) {
    if (a->field_count != b->field_count) return false;
    for (uint16_t i = 0; i < a->field_count; i++) {
        const struct cf_member *x = &a->fields[i], *y = &b->fields[i];
        if (!same_member(a, x, b, y) || x->access_flags != y->access_flags) return false;
    }
    return true;
}

/* The method of cf that has the name and descriptor of m, a method of `of`. */
static const struct cf_member *find_method(const struct classfile *cf, const struct classfile *of,
                                           const struct cf_member *m) {
    for (uint16_t i = 0; i < cf->method_count; i++)
        if (same_member(cf, &cf->methods[i], of, m)) return &cf->methods[i];
    return NULL;
}

/* No call selects it, so that no table has a place for it. */
static bool may_come_and_go(const struct cf_member *m) {
    return vm->options->flags.AllowRedefinitionToAddDeleteMethods && m->access_flags & ACC_PRIVATE &&
           m->access_flags & (ACC_STATIC | ACC_FINAL);
}

/* A native method may get a body, and the other way round: HotSpot is not strict here, and tools rely on the first. */
static enum redefine_status check_methods(const struct classfile *old, const struct classfile *fresh) {
    uint16_t added = 0;
    for (uint16_t i = 0; i < fresh->method_count; i++) {
        const struct cf_member *y = &fresh->methods[i], *x = find_method(old, fresh, y);
        if (x == NULL && !may_come_and_go(y)) return REDEFINE_METHOD_ADDED;
        if (x == NULL) added++;
        else if ((x->access_flags ^ y->access_flags) & ~ACC_NATIVE) return REDEFINE_METHOD_MODIFIERS;
    }
    if (fresh->method_count - added == old->method_count) return REDEFINE_OK;
    for (uint16_t i = 0; i < old->method_count; i++)
        if (!may_come_and_go(&old->methods[i]) && find_method(fresh, old, &old->methods[i]) == NULL)
            return REDEFINE_METHOD_DELETED;
    return REDEFINE_OK;
}

enum redefine_status redefinition_check(const struct class *c, const struct classfile *fresh) {
    const struct classfile *old = c->cf;
    if (!same_hierarchy(old, fresh)) return REDEFINE_HIERARCHY;
    if (atomic_load(&c->state) == CLASS_ERROR) return REDEFINE_INVALID_CLASS;
    if (class_name_or_null(old, old->nest_host) != class_name_or_null(fresh, fresh->nest_host) ||
        !same_class_list(old, old->nest_members, fresh, fresh->nest_members) || !same_record(old, fresh) ||
        !same_class_list(old, old->permitted_subclasses, fresh, fresh->permitted_subclasses))
        return REDEFINE_CLASS_ATTRIBUTE;
    if (old->access_flags != fresh->access_flags) return REDEFINE_CLASS_MODIFIERS;
    if (!same_fields(old, fresh)) return REDEFINE_FIELDS;
    return check_methods(old, fresh);
}
