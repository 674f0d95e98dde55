/* Verification types: made from descriptors, and the assignability rule. JVMS 4.10.1.2. */
#include "verify/verify_internal.h"

#include "classfile/descriptor.h"

struct symbol *hold_symbol(struct verifier *v, const char *text, size_t len) {
    if (v->symbols.count > 0) { /* the same component type is asked for in a row, in loops over an array */
        struct symbol *last = vec_last(&v->symbols);
        if (last->length == len && memcmp(last->bytes, text, len) == 0) return last;
    }
    struct symbol *s = symbol_intern(text, len);
    if (s == NULL || !vec_push(&v->symbols, s)) {
        symbol_release(s);
        no_memory(v);
        return NULL;
    }
    return s;
}

bool component_type(struct verifier *v, struct vtype array, struct vtype *out) {
    const struct symbol *name = vtype_name(array);
    struct symbol *component;
    switch (name->bytes[1]) {
    case 'Z': *out = VTYPE(BOOLEAN); return true;
    case 'B': *out = VTYPE(BYTE); return true;
    case 'C': *out = VTYPE(CHAR); return true;
    case 'S': *out = VTYPE(SHORT); return true;
    case 'I': *out = VTYPE(INTEGER); return true;
    case 'J': *out = VTYPE(LONG); return true;
    case 'F': *out = VTYPE(FLOAT); return true;
    case 'D': *out = VTYPE(DOUBLE); return true;
    case '[': component = hold_symbol(v, name->bytes + 1, name->length - 1u); break;
    case 'L': component = hold_symbol(v, name->bytes + 2, name->length - 3u); break;
    default: *out = VTYPE(TOP); return true;
    }
    *out = vtype_reference(component);
    return component != NULL;
}

/* ---- assignability --------------------------------------------------------------------------------------------- */

static bool ask(struct verifier *v, enum verify_answer answer, bool *yes) {
    *yes = answer == VERIFY_YES;
    if (answer == VERIFY_THREW) v->status = VERIFY_PENDING;
    return answer != VERIFY_THREW;
}

/* `to` is a class or interface other than Object and `from`. Loads `to` first, as HotSpot does. */
static bool class_assignable(struct verifier *v, struct vtype to, struct vtype from, bool is_protected, bool *yes,
                             bool *is_interface) {
    const struct verify_hooks *h = v->hooks;
    struct symbol *to_name = vtype_name(to), *from_name = vtype_name(from);
    bool interface;
    if (!ask(v, h->is_interface(h->ctx, to_name), &interface)) return false;
    if (is_interface != NULL) *is_interface = interface;
    if (interface && (!is_protected || from_name != v->java_lang_Object)) {
        /* an interface is treated like Object, but arrays implement two interfaces only */
        *yes = !vtype_is_array(from) || to_name == v->java_lang_Cloneable || to_name == v->java_io_Serializable;
        return true;
    }
    if (!vtype_is_object(from)) {
        *yes = false;
        return true;
    }
    return ask(v, h->is_subclass(h->ctx, from_name, to_name), yes);
}

bool reference_assignable(struct verifier *v, struct vtype to, struct vtype from, bool is_protected, bool *yes,
                          bool *is_interface) {
    /* Arrays of arrays lose one dimension per turn. */
    for (;;) {
        *yes = vtype_is_null(from) || vtype_equals(to, from);
        if (*yes || vtype_is_null(to)) return true;
        if (vtype_is_object(to)) {
            *yes = vtype_name(to) == v->java_lang_Object;
            if (*yes) return true;
            size_t slot = (to.bits >> 4 ^ from.bits >> 3) % ARRAY_LEN(v->assignable_cache);
            bool cached = !is_protected && is_interface == NULL && v->assignable_cache[slot].to == vtype_name(to) &&
                          v->assignable_cache[slot].from == vtype_name(from);
            if (cached) {
                *yes = true;
                return true;
            }
            if (!class_assignable(v, to, from, is_protected, yes, is_interface)) return false;
            if (*yes && !is_protected) {
                v->assignable_cache[slot].to = vtype_name(to);
                v->assignable_cache[slot].from = vtype_name(from);
            }
            return true;
        }
        if (!vtype_is_array(to) || !vtype_is_array(from)) return true;
        struct vtype to_component, from_component;
        if (!component_type(v, to, &to_component) || !component_type(v, from, &from_component)) return false;
        if (vtype_equals(to_component, VTYPE(TOP)) || vtype_equals(from_component, VTYPE(TOP))) return true;
        if (!vtype_is_reference(to_component) || !vtype_is_reference(from_component)) {
            *yes = vtype_equals(to_component, from_component); /* primitives must be the same */
            return true;
        }
        to = to_component;
        from = from_component;
    }
}

bool assignable(struct verifier *v, struct vtype to, struct vtype from, bool is_protected, bool *yes) {
    *yes = vtype_equals(to, from) || vtype_equals(to, VTYPE(TOP));
    if (*yes) return true;
    if (vtype_is_reference(to)) {
        if (vtype_is_reference(from)) return reference_assignable(v, to, from, is_protected, yes, NULL);
        return true;
    }
    if ((to.bits & 3) == 2) return true; /* uninitialized: only itself */
    switch ((enum vtype_kind)(to.bits >> 8)) {
    case KIND_ANY_REFERENCE: *yes = vtype_is_reference(from) || vtype_is_uninitialized(from); break;
    case KIND_ANY_CATEGORY1: *yes = vtype_is_category1(from); break;
    case KIND_ANY_CATEGORY2: *yes = vtype_is_category2(from); break;
    case KIND_BOOLEAN:
    case KIND_BYTE:
    case KIND_SHORT:
    case KIND_CHAR: *yes = vtype_equals(from, VTYPE(INTEGER)); break;
    default: break;
    }
    return true;
}

/* ---- descriptors ----------------------------------------------------------------------------------------------- */

int types_of_field(struct verifier *v, const char *text, size_t len, struct vtype out[2]) {
    struct symbol *name;
    switch (text[0]) {
    case 'Z':
    case 'B':
    case 'C':
    case 'S':
    case 'I': out[0] = VTYPE(INTEGER); return 1;
    case 'F': out[0] = VTYPE(FLOAT); return 1;
    case 'J':
        out[0] = VTYPE(LONG);
        out[1] = VTYPE(LONG_2ND);
        return 2;
    case 'D':
        out[0] = VTYPE(DOUBLE);
        out[1] = VTYPE(DOUBLE_2ND);
        return 2;
    case 'L': name = hold_symbol(v, text + 1, len - 2); break;
    default: name = hold_symbol(v, text, len);
    }
    out[0] = vtype_reference(name);
    return name != NULL ? 1 : 0;
}

static const struct method_types *translate_descriptor(struct verifier *v, struct symbol *desc) {
    struct vtype types[256 + 4];
    int n = 0, args;
    struct desc_type t;
    for (struct desc_iter it = desc_begin(desc->bytes, desc->length); desc_next(&it, &t);) {
        if (n > 255) break; /* more than 255 slots: refused at run time, the first ones are enough to type-check */
        int k = types_of_field(v, t.text, t.len, &types[n]);
        if (k == 0) return NULL;
        n += k;
    }
    args = n;
    t = desc_return(desc->bytes, desc->length);
    if (t.kind != 'V') {
        int k = types_of_field(v, t.text, t.len, &types[n]);
        if (k == 0) return NULL;
        n += k;
    }
    struct method_types *result = arena_alloc(v->class_arena, sizeof *result + (size_t)n * sizeof types[0]);
    if (result == NULL) {
        no_memory(v);
        return NULL;
    }
    result->argument_slots = args;
    result->return_slots = n - args;
    memcpy(result->types, types, (size_t)n * sizeof types[0]);
    return result;
}

const struct method_types *types_of_descriptor(struct verifier *v, struct symbol *desc) {
    const struct method_types *types = ptr_table_get(&v->descriptors, desc);
    if (types != NULL) return types;
    types = translate_descriptor(v, desc);
    if (types != NULL && !ptr_table_put(&v->descriptors, desc, types)) {
        no_memory(v);
        return NULL;
    }
    return types;
}
