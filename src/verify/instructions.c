/* The effect of every instruction on the frame. JVMS 4.10.1.9. */
#include "verify/verify_internal.h"

#include "classfile/descriptor.h"

/* The instruction being checked. */
struct instruction {
    uint8_t op; /* behind a wide prefix: the modified one */
    bool wide;
    int32_t bci;
    uint32_t length;
    const uint8_t *p; /* operands */
    bool this_uninit; /* set when invokespecial <init> initialized this */
    bool falls_through;
};

static bool bad_code(struct verifier *v, const struct instruction *in, const char *message) {
    return reject(v, reason_code(in->bci), "%s", message);
}

/* ---- the regular instructions, straight from opcodes.def ------------------------------------------------------- */

static bool apply_pops(struct verifier *v, const char *pops) {
    for (size_t n = strlen(pops); n > 0; n--) {
        bool fine;
        switch (pops[n - 1]) {
        case 'I': fine = pop(v, VTYPE(INTEGER), NULL); break;
        case 'F': fine = pop(v, VTYPE(FLOAT), NULL); break;
        case 'J': fine = pop2(v, VTYPE(LONG)); break;
        case 'D': fine = pop2(v, VTYPE(DOUBLE)); break;
        case 'A': fine = pop(v, VTYPE(ANY_REFERENCE), NULL); break;
        default: fine = pop(v, VTYPE(ANY_CATEGORY1), NULL);
        }
        if (!fine) return false;
    }
    return true;
}

static bool apply_pushes(struct verifier *v, const char *pushes) {
    for (; *pushes; pushes++) {
        bool fine;
        switch (*pushes) {
        case 'I': fine = push(v, VTYPE(INTEGER)); break;
        case 'F': fine = push(v, VTYPE(FLOAT)); break;
        case 'J': fine = push2(v, VTYPE(LONG)); break;
        case 'D': fine = push2(v, VTYPE(DOUBLE)); break;
        default: /* aconst_null */ fine = push(v, VTYPE_NULL);
        }
        if (!fine) return false;
    }
    return true;
}

static bool apply_table(struct verifier *v, const struct instruction *in) {
    return apply_pops(v, opcode_pops[in->op]) && apply_pushes(v, opcode_pushes[in->op]);
}

/* ---- constant pool operands ------------------------------------------------------------------------------------ */

static bool check_cp_index(struct verifier *v, const struct instruction *in, uint16_t index) {
    if (index > 0 && index < v->cf->cp.count) return true;
    return reject(v, reason_index(FAULT_CP_INDEX, in->bci, index), "Illegal constant pool index %d in class %s", index,
                  external_name(v, v->this_name));
}

/* `tags`: bit per enum cp_tag_value. */
static bool check_cp_type(struct verifier *v, const struct instruction *in, uint16_t index, uint32_t tags) {
    if (!check_cp_index(v, in, index)) return false;
    if (tags >> cp_tag(v->cf, index) & 1) return true;
    return reject(v, reason_index(FAULT_CP_INDEX, in->bci, index), "Illegal type at constant pool entry %d in class %s",
                  index, external_name(v, v->this_name));
}

static bool class_operand(struct verifier *v, const struct instruction *in, uint16_t index, struct vtype *out) {
    if (!check_cp_type(v, in, index, 1u << CP_Class)) return false;
    *out = vtype_reference(cp_class_name(v->cf, index));
    return !vtype_is_null(*out) || no_memory(v);
}

/* ---- loads, stores, stack -------------------------------------------------------------------------------------- */

/* Local index and type letter of a load or store; `base` is the first opcode of its family. */
static uint32_t local_operand(const struct instruction *in, uint8_t base, char *kind) {
    static const char kinds[] = "IJFDA";
    if (in->op < base + 5) {
        *kind = kinds[in->op - base];
        return in->wide ? op_u2(in->p) : in->p[0];
    }
    *kind = kinds[(in->op - base - 5) / 4];
    return (in->op - base - 5u) % 4;
}

static bool load(struct verifier *v, const struct instruction *in) {
    char kind;
    uint32_t index = local_operand(in, OP_iload, &kind);
    struct vtype t;
    switch (kind) {
    case 'I': return get_local(v, index, VTYPE(INTEGER), &t) && push(v, VTYPE(INTEGER));
    case 'F': return get_local(v, index, VTYPE(FLOAT), &t) && push(v, VTYPE(FLOAT));
    case 'J': return get_local2(v, index, VTYPE(LONG)) && push2(v, VTYPE(LONG));
    case 'D': return get_local2(v, index, VTYPE(DOUBLE)) && push2(v, VTYPE(DOUBLE));
    default: return get_local(v, index, VTYPE(ANY_REFERENCE), &t) && push(v, t);
    }
}

static bool store(struct verifier *v, const struct instruction *in) {
    char kind;
    uint32_t index = local_operand(in, OP_istore, &kind);
    struct vtype t;
    switch (kind) {
    case 'I': return pop(v, VTYPE(INTEGER), NULL) && set_local(v, index, VTYPE(INTEGER));
    case 'F': return pop(v, VTYPE(FLOAT), NULL) && set_local(v, index, VTYPE(FLOAT));
    case 'J': return pop2(v, VTYPE(LONG)) && set_local2(v, index, VTYPE(LONG));
    case 'D': return pop2(v, VTYPE(DOUBLE)) && set_local2(v, index, VTYPE(DOUBLE));
    default: return pop(v, VTYPE(ANY_REFERENCE), &t) && set_local(v, index, t);
    }
}

static bool increment(struct verifier *v, const struct instruction *in) {
    uint32_t index = in->wide ? op_u2(in->p) : in->p[0];
    struct vtype t;
    return get_local(v, index, VTYPE(INTEGER), &t) && set_local(v, index, t);
}

/* Is `t` null or an array whose component's descriptor begins with one of `letters`? */
static bool is_array_of(struct vtype t, const char *letters) {
    return vtype_is_null(t) || (vtype_is_array(t) && strchr(letters, vtype_name(t)->bytes[1]) != NULL);
}

/* Pops the array reference of an array instruction; `array` is "[I" and so on, "[ZB" for byte or boolean, "[L[" for
 * references. */
static bool pop_array(struct verifier *v, const struct instruction *in, const char *array, struct vtype *out) {
    if (!pop(v, VTYPE(ANY_REFERENCE), out)) return false;
    if (is_array_of(*out, array + 1)) return true;
    struct reason why;
    if (array[2] == 0) {
        struct symbol *name = hold_symbol(v, array, 2);
        if (name == NULL) return false;
        why = reason_types(in->bci, stack_top(v), origin_type(ORIGIN_IMPLICIT, vtype_reference(name)));
    } else if (array[1] == 'L') {
        why = reason_types(in->bci, stack_top(v), origin_type(ORIGIN_IMPLICIT, VTYPE(ANY_REFERENCE)));
    } else {
        why = reason_type(in->bci, stack_top(v));
    }
    return reject(v, why, "Bad type on operand stack in %s", opcode_names[in->op]);
}

/* In the order of the opcodes. */
static const char array_kinds[8][4] = { "[I", "[J", "[F", "[D", "[L[", "[ZB", "[C", "[S" };

static bool array_load(struct verifier *v, const struct instruction *in) {
    struct vtype array, component;
    if (!pop(v, VTYPE(INTEGER), NULL) || !pop_array(v, in, array_kinds[in->op - OP_iaload], &array)) return false;
    if (in->op != OP_aaload) return apply_pushes(v, opcode_pushes[in->op]);
    if (vtype_is_null(array)) return push(v, VTYPE_NULL);
    return component_type(v, array, &component) && push(v, component);
}

static bool array_store(struct verifier *v, const struct instruction *in) {
    struct vtype array;
    const char *pops = opcode_pops[in->op] + 2; /* behind "AI" */
    bool value = in->op == OP_aastore ? pop(v, vtype_reference(v->java_lang_Object), NULL) : apply_pops(v, pops);
    return value && pop(v, VTYPE(INTEGER), NULL) && pop_array(v, in, array_kinds[in->op - OP_iastore], &array);
}

/* Pops one category 2 or two category 1 values; `*upper` was on top. */
static bool pop_pair(struct verifier *v, const struct instruction *in, struct vtype *upper, struct vtype *lower) {
    if (!pop_any(v, upper)) return false;
    if (vtype_is_category1(*upper)) return pop(v, VTYPE(ANY_CATEGORY1), lower);
    if (vtype_is_category2_2nd(*upper)) return pop(v, VTYPE(ANY_CATEGORY2), lower);
    return reject(v, reason_type(in->bci, stack_top(v)), "Bad type on operand stack in %s", opcode_names[in->op]);
}

static bool push_all(struct verifier *v, const struct vtype *types, int count) {
    for (int i = 0; i < count; i++)
        if (!push(v, types[i])) return false;
    return true;
}

/* pop, pop2, dup*, swap. Types are numbered from the top. */
static bool stack_operation(struct verifier *v, const struct instruction *in) {
    struct vtype t1, t2, t3, t4;
    const struct vtype one = VTYPE(ANY_CATEGORY1);
    switch (in->op) {
    case OP_pop: return pop(v, one, NULL);
    case OP_pop2: return pop_pair(v, in, &t1, &t2);
    case OP_dup: return pop(v, one, &t1) && push_all(v, (struct vtype[]){ t1, t1 }, 2);
    case OP_dup_x1: return pop(v, one, &t1) && pop(v, one, &t2) && push_all(v, (struct vtype[]){ t1, t2, t1 }, 3);
    case OP_dup_x2:
        return pop(v, one, &t1) && pop_pair(v, in, &t2, &t3) && push_all(v, (struct vtype[]){ t1, t3, t2, t1 }, 4);
    case OP_dup2: return pop_pair(v, in, &t1, &t2) && push_all(v, (struct vtype[]){ t2, t1, t2, t1 }, 4);
    case OP_dup2_x1:
        return pop_pair(v, in, &t1, &t2) && pop(v, one, &t3) && push_all(v, (struct vtype[]){ t2, t1, t3, t2, t1 }, 5);
    case OP_dup2_x2:
        return pop_pair(v, in, &t1, &t2) && pop_pair(v, in, &t3, &t4) &&
               push_all(v, (struct vtype[]){ t2, t1, t4, t3, t2, t1 }, 6);
    default: /* swap */ return pop(v, one, &t1) && pop(v, one, &t2) && push_all(v, (struct vtype[]){ t1, t2 }, 2);
    }
}

static bool load_constant(struct verifier *v, const struct instruction *in) {
    const struct classfile *cf = v->cf;
    uint16_t index = in->op == OP_ldc ? in->p[0] : op_u2(in->p);
    bool wide_value = in->op == OP_ldc2_w;
    uint32_t tags = wide_value ? 1u << CP_Double | 1u << CP_Long | 1u << CP_Dynamic
                               : 1u << CP_Integer | 1u << CP_Float | 1u << CP_String | 1u << CP_Class |
                                     1u << CP_MethodHandle | 1u << CP_MethodType | 1u << CP_Dynamic;
    if (!check_cp_type(v, in, index, tags)) return false;
    switch (cp_tag(cf, index)) {
    case CP_Integer: return push(v, VTYPE(INTEGER));
    case CP_Float: return push(v, VTYPE(FLOAT));
    case CP_Long: return push2(v, VTYPE(LONG));
    case CP_Double: return push2(v, VTYPE(DOUBLE));
    case CP_String: return push(v, vtype_reference(v->java_lang_String));
    case CP_Class: return push(v, vtype_reference(v->java_lang_Class));
    case CP_MethodHandle: return push(v, vtype_reference(v->java_lang_invoke_MethodHandle));
    case CP_MethodType: return push(v, vtype_reference(v->java_lang_invoke_MethodType));
    default: {
        struct span desc = cp_utf8(cf, cp_nat_desc_index(cf, cp_ref_nat_index(cf, index)));
        struct vtype types[2];
        int n = types_of_field(v, (const char *)desc.data, desc.size, types);
        if (n == 0) return false;
        if (n != (wide_value ? 2 : 1) && !check_cp_type(v, in, index, tags & ~(1u << CP_Dynamic))) return false;
        return push_all(v, types, n);
    }
    }
}

/* ---- control flow ---------------------------------------------------------------------------------------------- */

static bool branch(struct verifier *v, struct instruction *in) {
    if (!apply_pops(v, opcode_pops[in->op])) return false;
    bool far = in->op == OP_goto_w;
    in->falls_through = !far && in->op != OP_goto;
    return check_jump(v, in->bci, far ? op_s4(in->p) : op_s2(in->p));
}

static bool check_switch(struct verifier *v, struct instruction *in) {
    const uint8_t *code = v->code->code;
    bool lookup = in->op == OP_lookupswitch;
    uint32_t aligned = ((uint32_t)in->bci + 4) & ~3u;
    in->falls_through = false;
    if (v->cf->major < 51)
        for (uint32_t i = (uint32_t)in->bci + 1; i < aligned; i++)
            if (code[i] != 0) return bad_code(v, in, "Nonzero padding byte in lookupswitch or tableswitch");
    if (!pop(v, VTYPE(INTEGER), NULL)) return false;
    struct op_switch s = op_switch_decode(code, (uint32_t)in->bci);
    if (!lookup && s.count > 65535) return bad_code(v, in, "too many keys in tableswitch");
    for (uint32_t k = 1; lookup && k < s.count; k++)
        if (op_s4(s.table + 8 * (k - 1)) >= op_s4(s.table + 8 * k))
            return bad_code(v, in, "Bad lookupswitch instruction");
    if (!check_jump(v, in->bci, s.default_offset)) return false;
    for (uint32_t k = 0; k < s.count; k++)
        if (!check_jump(v, in->bci, op_switch_offset(&s, lookup, k))) return false;
    return true;
}

static bool return_value(struct verifier *v, struct instruction *in) {
    struct vtype t;
    bool popped;
    in->falls_through = false;
    switch (in->op) {
    case OP_ireturn: popped = pop(v, VTYPE(INTEGER), &t); break;
    case OP_lreturn: popped = pop(v, VTYPE(LONG_2ND), NULL) && pop(v, VTYPE(LONG), &t); break;
    case OP_freturn: popped = pop(v, VTYPE(FLOAT), &t); break;
    case OP_dreturn: popped = pop(v, VTYPE(DOUBLE_2ND), NULL) && pop(v, VTYPE(DOUBLE), &t); break;
    default: popped = pop(v, VTYPE(ANY_REFERENCE), &t);
    }
    if (!popped) return false;
    bool is_void = vtype_equals(v->return_type, VTYPE(TOP)), fits = false;
    if (!is_void && !assignable(v, v->return_type, t, false, &fits)) return false;
    return fits || reject(v, reason_types(in->bci, stack_top(v), origin_type(ORIGIN_SIGNATURE, v->return_type)), "%s",
                          is_void ? "Method does not expect a return value" : "Bad return type");
}

static bool return_void(struct verifier *v, struct instruction *in) {
    in->falls_through = false;
    if (!vtype_equals(v->return_type, VTYPE(TOP))) return bad_code(v, in, "Method expects a return value");
    if (cf_member_name(v->cf, v->method) == v->init_name && (v->current.flags & FLAG_THIS_UNINIT))
        return bad_code(v, in, "Constructor must call super() or this() before return");
    return true;
}

/* ---- fields ---------------------------------------------------------------------------------------------------- */

static bool declares_field(const struct classfile *cf, const struct symbol *name, const struct symbol *desc) {
    for (uint32_t k = 0; k < cf->field_count; k++)
        if (cf_member_name(cf, &cf->fields[k]) == name && cf_member_desc(cf, &cf->fields[k]) == desc) return true;
    return false;
}

/* If the member is protected, inherited and of another package, `object` must be of the current class or below it. */
static bool check_protected(struct verifier *v, const struct instruction *in, struct symbol *holder,
                            struct symbol *name, struct symbol *desc, bool is_method, struct vtype object) {
    const struct verify_hooks *h = v->hooks;
    struct vtype this_type = vtype_reference(v->this_name);
    if (vtype_equals(object, this_type) || !h->has_super_named(h->ctx, holder)) return true;
    enum verify_answer elsewhere = h->is_protected_elsewhere(h->ctx, holder, name, desc, is_method);
    if (elsewhere == VERIFY_THREW) {
        v->status = VERIFY_PENDING;
        return false;
    }
    if (elsewhere == VERIFY_NO) return true;
    if (is_method && holder == v->java_lang_Object && vtype_is_array(object) && name == v->clone_name)
        return true; /* arrays have a public clone() */
    bool fits;
    if (!assignable(v, this_type, object, true, &fits)) return false;
    return fits || reject(v, reason_types(in->bci, stack_top(v), origin_type(ORIGIN_IMPLICIT, this_type)),
                          "Bad access to protected data in %s", opcode_names[in->op]);
}

static bool pop_field_value(struct verifier *v, const struct vtype *types, int n) {
    for (int i = n - 1; i >= 0; i--)
        if (!pop(v, types[i], NULL)) return false;
    return true;
}

/* Pops the object of getfield or putfield. */
static bool pop_field_object(struct verifier *v, const struct instruction *in, uint16_t index, struct vtype holder,
                             struct symbol *name, struct symbol *desc, struct vtype *object) {
    if (in->op == OP_getfield) return pop(v, holder, object);
    if (!pop_any(v, object)) return false;
    /* A constructor may store into the class's own fields before it calls super(). */
    if (vtype_equals(*object, vtype_uninitialized(THIS_BCI)) && vtype_equals(holder, vtype_reference(v->this_name)) &&
        declares_field(v->cf, name, desc))
        *object = vtype_reference(v->this_name);
    bool fits;
    if (!assignable(v, holder, *object, false, &fits)) return false;
    return fits || reject(v, reason_types(in->bci, stack_top(v), origin_cp(index, holder)),
                          "Bad type on operand stack in putfield");
}

static bool field_access(struct verifier *v, const struct instruction *in) {
    const struct classfile *cf = v->cf;
    uint16_t index = op_u2(in->p);
    bool is_static = in->op == OP_getstatic || in->op == OP_putstatic;
    if (!check_cp_type(v, in, index, 1u << CP_Fieldref)) return false;
    struct symbol *name = cp_ref_name(cf, index), *desc = cp_ref_desc(cf, index),
                  *holder_name = cp_ref_class_name(cf, index);
    if (name == NULL || desc == NULL || holder_name == NULL) return no_memory(v);
    struct vtype holder = vtype_reference(holder_name), types[2], object;
    if (!vtype_is_object(holder) && !(is_static && vtype_is_array(holder)))
        return reject(v, reason_type(in->bci, origin_cp(index, holder)),
                      "Expecting reference to class in class %s at constant pool index %d",
                      external_name(v, v->this_name), index);
    int n = types_of_field(v, desc->bytes, desc->length, types);
    if (n == 0) return false;
    switch (in->op) {
    case OP_getstatic: return push_all(v, types, n);
    case OP_putstatic: return pop_field_value(v, types, n);
    case OP_putfield:
        if (!pop_field_value(v, types, n)) return false;
        break;
    default: break;
    }
    if (!pop_field_object(v, in, index, holder, name, desc, &object) ||
        !check_protected(v, in, holder_name, name, desc, false, object))
        return false;
    return in->op == OP_putfield || push_all(v, types, n);
}

/* ---- invocations ----------------------------------------------------------------------------------------------- */

static bool covered(const struct verifier *v, const struct instruction *in) {
    return in->bci >= v->covered_from && in->bci < v->covered_to;
}

/* this(...) or super(...). */
static bool init_this(struct verifier *v, struct instruction *in, struct vtype holder) {
    struct vtype this_type = vtype_reference(v->this_name);
    if (vtype_name(holder) != v->this_name && vtype_name(holder) != v->cf->super_name)
        return reject(
            v, reason_types(in->bci, origin_type(ORIGIN_IMPLICIT, holder), origin_type(ORIGIN_IMPLICIT, this_type)),
            "Bad <init> method call");
    /* Handlers see `this` as it was before the call. */
    if (covered(v, in) && !check_handlers_at(v, in->bci, true)) return false;
    initialize_object(v, vtype_uninitialized(THIS_BCI), this_type);
    in->this_uninit = true;
    return true;
}

/* The constructor call for the object that the `new` at uninitialized type `t` made. */
static bool init_new(struct verifier *v, struct instruction *in, uint16_t ref_index, struct vtype holder,
                     struct symbol *desc, struct vtype t) {
    const struct verify_hooks *h = v->hooks;
    uint32_t new_bci = vtype_bci(t);
    if (new_bci + 3 > v->code->code_length || v->code->code[new_bci] != OP_new)
        return reject(v, reason_code((int32_t)new_bci), "Expecting new instruction");
    uint16_t class_index = op_u2(v->code->code + new_bci + 1);
    struct vtype made, this_type = vtype_reference(v->this_name);
    if (!class_operand(v, in, class_index, &made)) return false;
    if (!vtype_equals(made, holder))
        return reject(v, reason_types(in->bci, origin_cp(class_index, made), origin_cp(ref_index, holder)),
                      "Call to wrong <init> method");
    if (h->has_super_named(h->ctx, vtype_name(holder))) {
        enum verify_answer elsewhere = h->is_protected_elsewhere(h->ctx, vtype_name(holder), v->init_name, desc, true);
        bool fits = true;
        if (elsewhere == VERIFY_THREW) v->status = VERIFY_PENDING;
        if (elsewhere == VERIFY_THREW || (elsewhere == VERIFY_YES && !assignable(v, this_type, made, true, &fits)))
            return false;
        if (!fits)
            return reject(v,
                          reason_types(in->bci, origin_cp(class_index, made), origin_type(ORIGIN_IMPLICIT, this_type)),
                          "Bad access to protected <init> method");
    }
    if (covered(v, in) && !check_handlers_at(v, in->bci, in->this_uninit)) return false;
    initialize_object(v, t, made);
    return true;
}

static bool invoke_init(struct verifier *v, struct instruction *in, uint16_t index, struct vtype holder,
                        struct symbol *desc) {
    struct vtype t;
    if (!pop(v, VTYPE(ANY_REFERENCE), &t)) return false;
    if (vtype_equals(t, vtype_uninitialized(THIS_BCI))) return init_this(v, in, holder);
    if (vtype_is_uninitialized(t)) return init_new(v, in, index, holder, desc, t);
    return reject(v, reason_type(in->bci, stack_top(v)), "Bad operand type when invoking <init>");
}

static bool is_direct_interface(const struct verifier *v, const struct symbol *name) {
    for (uint32_t k = 0; k < v->cf->interface_count; k++)
        if (cp_class_name(v->cf, cf_interface(v->cf, (uint16_t)k)) == name) return true;
    return false;
}

/* invokespecial of a method other than <init>: the class itself, a direct superinterface or a superclass. */
static bool check_special_target(struct verifier *v, const struct instruction *in, uint16_t index,
                                 struct vtype holder) {
    struct symbol *name = vtype_name(holder);
    if (name == v->this_name || name == v->cf->super_name || is_direct_interface(v, name)) return true;
    bool fits, is_interface = false;
    if (!reference_assignable(v, holder, vtype_reference(v->this_name), false, &fits, &is_interface)) return false;
    if (!fits)
        return bad_code(v, in, "Bad invokespecial instruction: current class isn't assignable to reference class.");
    if (v->hooks->release <= 17)
        return cp_tag(v->cf, index) != CP_InterfaceMethodref ||
               bad_code(v, in,
                        "Bad invokespecial instruction: interface method reference is in an indirect superinterface.");
    return !is_interface ||
           bad_code(v, in,
                    "Bad invokespecial instruction: interface method to invoke is not in a direct superinterface.");
}

static uint32_t invoke_tags(const struct verifier *v, uint8_t op) {
    switch (op) {
    case OP_invokeinterface: return 1u << CP_InterfaceMethodref;
    case OP_invokedynamic: return 1u << CP_InvokeDynamic;
    case OP_invokespecial:
    case OP_invokestatic: return 1u << CP_Methodref | (v->cf->major >= 52 ? 1u << CP_InterfaceMethodref : 0);
    default: return 1u << CP_Methodref;
    }
}

static bool check_invoke_operands(struct verifier *v, const struct instruction *in, const struct method_types *types) {
    if (in->op == OP_invokeinterface) {
        if (in->p[2] != types->argument_slots + 1)
            return bad_code(v, in, "Inconsistent args count operand in invokeinterface");
        if (in->p[3] != 0) return bad_code(v, in, "Fourth operand byte of invokeinterface must be zero");
    }
    if (in->op == OP_invokedynamic && (in->p[2] != 0 || in->p[3] != 0))
        return bad_code(v, in, "Third and fourth operand bytes of invokedynamic must be zero");
    return true;
}

/* Pops the receiver of a method other than <init>. */
static bool pop_receiver(struct verifier *v, const struct instruction *in, struct vtype holder, struct symbol *name,
                         struct symbol *desc) {
    struct vtype object;
    switch (in->op) {
    case OP_invokespecial: return pop(v, vtype_reference(v->this_name), NULL);
    case OP_invokeinterface: return pop(v, holder, NULL);
    default: return pop(v, holder, &object) && check_protected(v, in, vtype_name(holder), name, desc, true, object);
    }
}

static bool invoke(struct verifier *v, struct instruction *in) {
    const struct classfile *cf = v->cf;
    uint16_t index = op_u2(in->p);
    if (!check_cp_type(v, in, index, invoke_tags(v, in->op))) return false;
    struct symbol *name = cp_ref_name(cf, index), *desc = cp_ref_desc(cf, index);
    struct vtype holder = VTYPE_NULL;
    if (in->op != OP_invokedynamic) holder = vtype_reference(cp_ref_class_name(cf, index));
    else if (cf->major < 51)
        return reject_format(v, "invokedynamic instructions not supported by this class file version (%d), class %s",
                             cf->major, external_name(v, v->this_name));
    if (name == NULL || desc == NULL || (in->op != OP_invokedynamic && vtype_is_null(holder))) return no_memory(v);
    const struct method_types *types = types_of_descriptor(v, desc);
    if (types == NULL || !check_invoke_operands(v, in, types)) return false;
    bool is_init = name == v->init_name;
    if (name->bytes[0] == '<') {
        if (in->op != OP_invokespecial || !is_init) return bad_code(v, in, "Illegal call to internal method");
    } else if (in->op == OP_invokespecial && !check_special_target(v, in, index, holder)) {
        return false;
    }
    for (int32_t i = types->argument_slots - 1; i >= 0; i--)
        if (!pop(v, types->types[i], NULL)) return false;
    if (in->op != OP_invokestatic && in->op != OP_invokedynamic) {
        bool fine = is_init ? invoke_init(v, in, index, holder, desc) : pop_receiver(v, in, holder, name, desc);
        if (!fine) return false;
    }
    if (types->return_slots > 0 && is_init) return bad_code(v, in, "Return type must be void in <init> method");
    return push_all(v, types->types + types->argument_slots, types->return_slots);
}

/* ---- objects --------------------------------------------------------------------------------------------------- */

static bool new_object(struct verifier *v, const struct instruction *in) {
    uint16_t index = op_u2(in->p);
    struct vtype t;
    if (!class_operand(v, in, index, &t)) return false;
    if (!vtype_is_object(t)) return reject(v, reason_type(in->bci, origin_cp(index, t)), "Illegal new instruction");
    return push(v, vtype_uninitialized((uint16_t)in->bci));
}

static bool new_primitive_array(struct verifier *v, const struct instruction *in) {
    static const char names[][3] = { "[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J" };
    uint8_t kind = in->p[0];
    if (kind < T_BOOLEAN || kind > T_LONG) return bad_code(v, in, "Illegal newarray instruction");
    struct symbol *name = hold_symbol(v, names[kind - T_BOOLEAN], 2);
    return name != NULL && pop(v, VTYPE(INTEGER), NULL) && push(v, vtype_reference(name));
}

static bool new_reference_array(struct verifier *v, const struct instruction *in) {
    struct vtype component;
    if (!class_operand(v, in, op_u2(in->p), &component) || !pop(v, VTYPE(INTEGER), NULL)) return false;
    const struct symbol *name = vtype_name(component);
    bool is_array = vtype_is_array(component);
    char *text = arena_alloc(v->arena, name->length + 4u);
    if (text == NULL) return no_memory(v);
    size_t n = 0;
    text[n++] = '[';
    if (!is_array) text[n++] = 'L';
    memcpy(text + n, name->bytes, name->length);
    n += name->length;
    if (!is_array) text[n++] = ';';
    if (is_array && name->length > 255 && name->bytes[254] == '[')
        return bad_code(v, in, "Illegal anewarray instruction, array has more than 255 dimensions");
    struct symbol *array = hold_symbol(v, text, n);
    return array != NULL && push(v, vtype_reference(array));
}

static bool new_multi_array(struct verifier *v, const struct instruction *in) {
    uint16_t index = op_u2(in->p);
    int dims = in->p[2];
    struct vtype t;
    if (!class_operand(v, in, index, &t)) return false;
    if (!vtype_is_array(t))
        return reject(v, reason_type(in->bci, origin_cp(index, t)),
                      "Illegal constant pool index in multianewarray instruction");
    int depth = 0;
    while (vtype_name(t)->bytes[depth] == '[') depth++;
    if (dims < 1 || depth < dims)
        return reject(v, reason_code(in->bci), "Illegal dimension in multianewarray instruction: %d", dims);
    for (int i = 0; i < dims; i++)
        if (!pop(v, VTYPE(INTEGER), NULL)) return false;
    return push(v, t);
}

static bool array_length(struct verifier *v, const struct instruction *in) {
    struct vtype t;
    if (!pop(v, VTYPE(ANY_REFERENCE), &t)) return false;
    if (!vtype_is_null(t) && !vtype_is_array(t))
        return reject(v, reason_type(in->bci, stack_top(v)), "Bad type on operand stack in arraylength");
    return push(v, VTYPE(INTEGER));
}

static bool check_cast(struct verifier *v, const struct instruction *in) {
    struct vtype t;
    return class_operand(v, in, op_u2(in->p), &t) && pop(v, vtype_reference(v->java_lang_Object), NULL) &&
           push(v, in->op == OP_checkcast ? t : VTYPE(INTEGER));
}

static bool throw(struct verifier * v, struct instruction *in) {
    in->falls_through = false;
    return pop(v, vtype_reference(v->java_lang_Throwable), NULL);
}

/* ---- dispatch -------------------------------------------------------------------------------------------------- */

static bool apply(struct verifier *v, struct instruction *in) {
    switch (in->op) {
    case OP_nop ... OP_sipush:
    case OP_iadd ... OP_lxor:
    case OP_i2l ... OP_dcmpg: return apply_table(v, in);
    case OP_ldc ... OP_ldc2_w: return load_constant(v, in);
    case OP_iload ... OP_aload_3: return load(v, in);
    case OP_iaload ... OP_saload: return array_load(v, in);
    case OP_istore ... OP_astore_3: return store(v, in);
    case OP_iastore ... OP_sastore: return array_store(v, in);
    case OP_pop ... OP_swap: return stack_operation(v, in);
    case OP_iinc: return increment(v, in);
    case OP_ifeq ... OP_goto:
    case OP_ifnull ... OP_goto_w: return branch(v, in);
    case OP_tableswitch:
    case OP_lookupswitch: return check_switch(v, in);
    case OP_ireturn ... OP_areturn: return return_value(v, in);
    case OP_return: return return_void(v, in);
    case OP_getstatic ... OP_putfield: return field_access(v, in);
    case OP_invokevirtual ... OP_invokedynamic: return invoke(v, in);
    case OP_new: return new_object(v, in);
    case OP_newarray: return new_primitive_array(v, in);
    case OP_anewarray: return new_reference_array(v, in);
    case OP_arraylength: return array_length(v, in);
    case OP_athrow: return throw(v, in);
    case OP_checkcast:
    case OP_instanceof: return check_cast(v, in);
    case OP_monitorenter:
    case OP_monitorexit: return pop(v, VTYPE(ANY_REFERENCE), NULL);
    case OP_multianewarray: return new_multi_array(v, in);
    default: /* jsr, ret and their wide forms: not since version 51 */
        return reject(v, reason_code(in->bci), "Bad instruction: %02x", in->op);
    }
}

/* Brings the current frame together with the stack map's frame at bci, if it has one. */
static bool meet_frame(struct verifier *v, int32_t bci, int32_t *next_frame, bool falls_through) {
    if (*next_frame >= v->frame_count)
        return falls_through || reject(v, reason_code(bci), "Expecting a stack map frame");
    int32_t offset = v->frames[*next_frame].offset;
    if (!falls_through && offset > bci)
        return reject(v, (struct reason){ .fault = FAULT_MISSING_STACKMAP, .bci = bci }, "Expecting a stack map frame");
    if (offset > bci) return true;
    if (falls_through) {
        bool matches;
        struct reason why = { 0 };
        if (!match_frame(v, &v->current, *next_frame, bci, &matches, &why)) return false;
        if (!matches) return reject(v, why, "Instruction type does not match stack map");
    }
    adopt_frame(v, (*next_frame)++);
    return true;
}

static struct instruction decode(const struct verifier *v, int32_t bci) {
    const struct cf_code *code = v->code;
    const uint8_t *at = code->code + bci;
    struct instruction in = { .op = at[0], .bci = bci, .p = at + 1, .falls_through = true };
    in.length = opcode_length(code->code, (uint32_t)bci, code->code_length);
    if (in.op == OP_wide) {
        in.wide = true;
        in.op = at[1];
        in.p = at + 2;
    }
    return in;
}

bool verify_instructions(struct verifier *v) {
    bool falls_through = true;
    int32_t next_frame = 0;
    for (int32_t bci = 0; (uint32_t)bci < v->code->code_length;) {
        v->current.offset = bci;
        v->current.stack_mark = v->current.stack_size;
        if (!meet_frame(v, bci, &next_frame, falls_through)) return false;
        struct instruction in = decode(v, bci);
        bool in_handlers = covered(v, &in), is_store = in.op >= OP_istore && in.op <= OP_astore_3;
        /* A store changes what the handlers would see, so they are checked with the locals before it. */
        if (in_handlers && is_store && !check_handlers_at(v, bci, false)) return false;
        if (!apply(v, &in)) return false;
        if (in_handlers && !is_store && !check_handlers_at(v, bci, in.this_uninit)) return false;
        falls_through = in.falls_through;
        bci += (int32_t)in.length;
    }
    return !falls_through ||
           reject(v, reason_code((int32_t)v->code->code_length), "Control flow falls through code end");
}
