/* The run over a class and over one method. JVMS 4.10.1.6. */
#include "verify/verify_internal.h"

#include "classfile/descriptor.h"

/* ---- one method ------------------------------------------------------------------------------------------------ */

/* Marks where instructions begin. */
static bool mark_instructions(struct verifier *v) {
    const struct cf_code *code = v->code;
    for (uint32_t bci = 0; bci < code->code_length;) {
        uint32_t length = opcode_length(code->code, bci, code->code_length);
        if (length == 0) return reject(v, reason_code((int32_t)bci), "Bad instruction");
        v->marks[bci] = code->code[bci] == OP_new ? BCI_NEW : BCI_INSTRUCTION;
        bci += length;
    }
    return true;
}

static bool starts_instruction(const struct verifier *v, uint32_t bci) {
    return bci < v->code->code_length && v->marks[bci] != 0;
}

static bool check_handler(struct verifier *v, struct cf_handler h) {
    if (!starts_instruction(v, h.start_pc))
        return reject_format(v, "Illegal exception table start_pc %d", h.start_pc);
    if (h.end_pc != v->code->code_length && !starts_instruction(v, h.end_pc))
        return reject_format(v, "Illegal exception table end_pc %d", h.end_pc);
    if (!starts_instruction(v, h.handler_pc))
        return reject_format(v, "Illegal exception table handler_pc %d", h.handler_pc);
    if (h.catch_type != 0) {
        struct vtype caught = vtype_reference(cp_class_name(v->cf, h.catch_type)),
                     throwable = vtype_reference(v->java_lang_Throwable);
        bool fits;
        if (vtype_is_null(caught)) return no_memory(v);
        if (!assignable(v, throwable, caught, false, &fits)) return false;
        if (!fits)
            return reject(
                v,
                reason_types(h.handler_pc, origin_cp(h.catch_type, caught), origin_type(ORIGIN_IMPLICIT, throwable)),
                "Catch type is not a subclass of Throwable in exception handler %d", h.handler_pc);
    }
    v->covered_from = MIN(v->covered_from, (int32_t)h.start_pc);
    v->covered_to = MAX(v->covered_to, (int32_t)h.end_pc);
    return true;
}

static bool check_handlers(struct verifier *v) {
    v->covered_from = (int32_t)v->code->code_length;
    v->covered_to = -1;
    for (uint32_t k = 0; k < v->code->handler_count; k++)
        if (!check_handler(v, cf_handler_at(v->code, (uint16_t)k))) return false;
    return true;
}

static bool check_local_variable_rows(struct verifier *v) {
    uint32_t count = cf_local_variable_count(v->cf, v->code);
    if (count == 0) return true;
    struct cf_local_variable *rows = arena_alloc(v->arena, count * sizeof *rows);
    if (rows == NULL) return no_memory(v);
    cf_local_variables(v->cf, v->code, rows);
    for (uint32_t k = 0; k < count; k++) {
        if (!starts_instruction(v, rows[k].start_pc))
            return reject_format(v, "Illegal local variable table start_pc %d", rows[k].start_pc);
        uint32_t end = (uint32_t)rows[k].start_pc + rows[k].length;
        if (end != v->code->code_length && !starts_instruction(v, end))
            return reject_format(v, "Illegal local variable table length %d", rows[k].length);
    }
    return true;
}

static struct vtype declared_return_type(struct verifier *v, struct desc_type t, bool *fine) {
    *fine = true;
    switch (t.kind) {
    case 'V': return VTYPE(TOP);
    case 'Z': return VTYPE(BOOLEAN);
    case 'B': return VTYPE(BYTE);
    case 'C': return VTYPE(CHAR);
    case 'S': return VTYPE(SHORT);
    default: {
        struct vtype types[2];
        *fine = types_of_field(v, t.text, t.len, types) > 0;
        return types[0];
    }
    }
}

/* The frame at the entry: receiver and arguments. */
static bool make_initial_frame(struct verifier *v) {
    const struct cf_code *code = v->code;
    struct vframe *f = &v->current;
    *f = (struct vframe){ 0 };
    f->locals = arena_alloc(v->arena, (code->max_locals + 1u) * sizeof *f->locals);
    f->stack = arena_alloc(v->arena, (code->max_stack + 1u) * sizeof *f->stack);
    struct symbol *desc = cf_member_desc(v->cf, v->method);
    const struct method_types *types = types_of_descriptor(v, desc);
    if (types == NULL) return false;
    if (f->locals == NULL || f->stack == NULL) return no_memory(v);
    for (uint32_t i = 0; i < code->max_locals; i++) f->locals[i] = VTYPE(TOP);
    for (uint32_t i = 0; i < code->max_stack; i++) f->stack[i] = VTYPE(TOP);
    int32_t n = 0;
    if (!(v->method->access_flags & ACC_STATIC)) {
        bool constructor = cf_member_name(v->cf, v->method) == v->init_name && v->this_name != v->java_lang_Object;
        f->locals[n++] = constructor ? vtype_uninitialized(THIS_BCI) : vtype_reference(v->this_name);
        f->flags = constructor ? FLAG_THIS_UNINIT : 0;
    }
    for (int32_t i = 0; i < types->argument_slots && n < code->max_locals; i++) f->locals[n++] = types->types[i];
    f->locals_size = n;
    bool fine;
    v->return_type = declared_return_type(v, desc_return(desc->bytes, desc->length), &fine);
    return fine;
}

bool check_handlers_at(struct verifier *v, int32_t bci, bool this_uninit) {
    const struct cf_code *code = v->code;
    for (uint32_t k = 0; k < code->handler_count; k++) {
        struct cf_handler h = cf_handler_at(code, (uint16_t)k);
        if (bci < h.start_pc || bci >= h.end_pc) continue;
        if (!this_uninit && v->handler_checked[k] == v->changes)
            continue; /* same locals, same flags as when it matched before */
        struct vtype thrown =
            vtype_reference(h.catch_type != 0 ? cp_class_name(v->cf, h.catch_type) : v->java_lang_Throwable);
        if (vtype_is_null(thrown)) return no_memory(v);
        struct vframe at_handler = v->current;
        at_handler.offset = bci;
        at_handler.flags |= this_uninit ? FLAG_THIS_UNINIT : 0;
        at_handler.stack_mark = -1;
        at_handler.stack_size = 0;
        if (code->max_stack < 1)
            return reject(v, reason_frame(FAULT_STACK_OVERFLOW, bci, &at_handler), "Operand stack overflow");
        at_handler.stack =
            arena_alloc(v->arena, sizeof thrown); /* a refusal shows it after this function has returned */
        if (at_handler.stack == NULL) return no_memory(v);
        at_handler.stack[0] = thrown;
        at_handler.stack_size = 1;
        bool matches;
        struct reason why = { 0 };
        if (!match_frame(v, &at_handler, find_frame(v, h.handler_pc), h.handler_pc, &matches, &why)) return false;
        if (!matches) return reject(v, why, "Stack map does not match the one at exception handler %d", h.handler_pc);
        if (!this_uninit) v->handler_checked[k] = v->changes;
    }
    return true;
}

static bool verify_code(struct verifier *v) {
    const struct cf_code *code = v->code;
    v->marks = arena_alloc(v->arena, code->code_length);
    v->handler_checked = arena_alloc(v->arena, code->handler_count * sizeof *v->handler_checked);
    if (v->marks == NULL || v->handler_checked == NULL) return no_memory(v);
    v->changes = 1; /* no handler has been checked with it */
    return make_initial_frame(v) && mark_instructions(v) && check_handlers(v) && check_local_variable_rows(v) &&
           parse_stackmap(v) && verify_instructions(v);
}

static bool verify_one(struct verifier *v, const struct cf_member *m) {
    if (m->code == NULL) return true;
    v->method = m;
    v->code = m->code;
    v->arena = arena_new("verify method");
    if (v->arena == NULL) return no_memory(v);
    bool fine = verify_code(v);
    if (v->status == VERIFY_REJECTED) add_details(v);
    arena_free(v->arena);
    v->arena = NULL;
    return fine;
}

/* ---- the run --------------------------------------------------------------------------------------------------- */

static bool start_run(struct verifier *v, const struct classfile *cf, const struct verify_hooks *hooks,
                      struct verify_result *result) {
    *result = (struct verify_result){ 0 };
    *v =
        (struct verifier){ .cf = cf, .hooks = hooks, .result = result, .status = VERIFY_PASSED, .this_name = cf->name };
    v->class_arena = arena_new("verify class");
    if (v->class_arena == NULL) return no_memory(v);
    const struct {
        struct symbol **slot;
        const char *name;
    } known[] = {
        { &v->java_lang_Object, "java/lang/Object" },
        { &v->java_lang_String, "java/lang/String" },
        { &v->java_lang_Class, "java/lang/Class" },
        { &v->java_lang_Throwable, "java/lang/Throwable" },
        { &v->java_lang_invoke_MethodHandle, "java/lang/invoke/MethodHandle" },
        { &v->java_lang_invoke_MethodType, "java/lang/invoke/MethodType" },
        { &v->java_lang_Cloneable, "java/lang/Cloneable" },
        { &v->java_io_Serializable, "java/io/Serializable" },
        { &v->init_name, "<init>" },
        { &v->clone_name, "clone" },
    };
    for (size_t k = 0; k < ARRAY_LEN(known); k++)
        if ((*known[k].slot = hold_symbol(v, known[k].name, strlen(known[k].name))) == NULL) return false;
    return true;
}

static enum verify_status end_run(struct verifier *v) {
    for (size_t k = 0; k < v->symbols.count; k++) symbol_release(v->symbols.data[k]);
    vec_free(&v->symbols);
    ptr_table_free(&v->descriptors);
    arena_free(v->class_arena);
    if (v->status != VERIFY_REJECTED) {
        mem_free(v->result->message);
        *v->result = (struct verify_result){ 0 };
    }
    return v->status;
}

enum verify_status verify_class(const struct classfile *cf, const struct verify_hooks *hooks,
                                struct verify_result *result) {
    struct verifier v;
    bool going = start_run(&v, cf, hooks, result);
    for (uint32_t k = 0; going && k < cf->method_count; k++) going = verify_one(&v, &cf->methods[k]);
    return end_run(&v);
}
