/* method.c: the Method chapter. Everything is read from the class file of the version that the id means. */
#include "jvmti_gen.h"

#include <string.h>

static char *generic_of(const struct method_code *c) {
    struct span s = cp_utf8(code_cf(c), c->member->signature_index);
    return tool_strndup((const char *)s.data, s.size);
}

jvmtiError jvmti_get_method_name(struct jvmti_env *env, struct os_thread *self, struct method_code *method,
                                 char **name_ptr, char **signature_ptr, char **generic_ptr) {
    (void)env, (void)self;
    bool has_generic = generic_ptr && method->member && method->member->signature_index;
    char *name = name_ptr ? tool_strdup(method->method->name->bytes) : NULL;
    char *signature = signature_ptr ? tool_strdup(method->method->desc->bytes) : NULL;
    char *generic = has_generic ? generic_of(method) : NULL;
    if ((name_ptr && !name) || (signature_ptr && !signature) || (has_generic && !generic)) {
        tool_free(name);
        tool_free(signature);
        tool_free(generic);
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    if (name_ptr) *name_ptr = name;
    if (signature_ptr) *signature_ptr = signature;
    if (generic_ptr) *generic_ptr = generic;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_method_declaring_class(struct jvmti_env *env, struct os_thread *self, struct method_code *method,
                                            jclass *declaring_class_ptr) {
    (void)env;
    jclass handle = (jclass)handle_local(self, class_mirror(method->method->holder));
    if (handle == NULL) {
        self->exception = NULL;
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    *declaring_class_ptr = handle;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_method_modifiers(struct jvmti_env *env, struct os_thread *self, struct method_code *method,
                                      jint *modifiers_ptr) {
    (void)env, (void)self;
    *modifiers_ptr = method->method->access_flags;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_is_method_native(struct jvmti_env *env, struct os_thread *self, struct method_code *method,
                                  jboolean *is_native_ptr) {
    (void)env, (void)self;
    *is_native_ptr = (method->method->access_flags & ACC_NATIVE) != 0;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_is_method_synthetic(struct jvmti_env *env, struct os_thread *self, struct method_code *method,
                                     jboolean *is_synthetic_ptr) {
    (void)env, (void)self;
    *is_synthetic_ptr = (method->method->access_flags & ACC_SYNTHETIC) != 0;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_is_method_obsolete(struct jvmti_env *env, struct os_thread *self, struct method_code *method,
                                    jboolean *is_obsolete_ptr) {
    (void)env, (void)self;
    *is_obsolete_ptr = method_code_is_obsolete(method) || method_is_deleted(method->method);
    return JVMTI_ERROR_NONE;
}

/* ---- sizes and positions: abstract methods have no code ---------------------------------------------------------- */

jvmtiError jvmti_get_max_locals(struct jvmti_env *env, struct os_thread *self, struct method_code *method,
                                jint *max_ptr) {
    (void)env, (void)self;
    const struct cf_code *code = code_source(method);
    *max_ptr = code ? code->max_locals : 0;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_arguments_size(struct jvmti_env *env, struct os_thread *self, struct method_code *method,
                                    jint *size_ptr) {
    (void)env, (void)self;
    *size_ptr = method->method->arg_slots;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_method_location(struct jvmti_env *env, struct os_thread *self, struct method_code *method,
                                     jlocation *start_location_ptr, jlocation *end_location_ptr) {
    (void)env, (void)self;
    const struct cf_code *code = code_source(method);
    *start_location_ptr = code ? 0 : -1;
    *end_location_ptr = code ? (jlocation)code->code_length - 1 : -1;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_line_number_table(struct jvmti_env *env, struct os_thread *self, struct method_code *method,
                                       jint *entry_count_ptr, jvmtiLineNumberEntry **table_ptr) {
    (void)env, (void)self;
    const struct classfile *cf = code_cf(method);
    const struct cf_code *code = code_source(method);
    if (code == NULL || code->line_numbers == 0) return JVMTI_ERROR_ABSENT_INFORMATION;
    uint32_t count = cf_line_count(cf, code), n = 0;
    jvmtiLineNumberEntry *table = tool_alloc(count * sizeof *table);
    if (table == NULL && count > 0) return JVMTI_ERROR_OUT_OF_MEMORY;
    struct cf_line row;
    for (struct cf_line_iter it = cf_lines(cf, code); n < count && cf_lines_next(&it, &row);)
        table[n++] = (jvmtiLineNumberEntry){row.start_pc, row.line};
    *entry_count_ptr = (jint)n;
    *table_ptr = table;
    return JVMTI_ERROR_NONE;
}

/* One row of the answer; false: out of memory, with what it has so far in *out. */
static bool give_local(const struct classfile *cf, const struct cf_local_variable *row, jvmtiLocalVariableEntry *out) {
    struct span name = cp_utf8(cf, row->name_index), desc = cp_utf8(cf, row->desc_index);
    *out = (jvmtiLocalVariableEntry){.start_location = row->start_pc, .length = row->length, .slot = row->slot};
    out->name = tool_strndup((const char *)name.data, name.size);
    out->signature = tool_strndup((const char *)desc.data, desc.size);
    if (row->signature_index) {
        struct span generic = cp_utf8(cf, row->signature_index);
        out->generic_signature = tool_strndup((const char *)generic.data, generic.size);
    }
    return out->name && out->signature && (out->generic_signature || !row->signature_index);
}

/* Methods without variables have no table either where others of the class have one. */
static bool has_variable_tables(const struct classfile *cf) {
    for (uint32_t i = 0; i < cf->method_count; i++)
        if (cf->methods[i].code && cf->methods[i].code->has_local_variables) return true;
    return false;
}

jvmtiError jvmti_get_local_variable_table(struct jvmti_env *env, struct os_thread *self, struct method_code *method,
                                          jint *entry_count_ptr, jvmtiLocalVariableEntry **table_ptr) {
    (void)env, (void)self;
    const struct classfile *cf = code_cf(method);
    const struct cf_code *code = code_source(method);
    if (code == NULL || !has_variable_tables(cf)) return JVMTI_ERROR_ABSENT_INFORMATION;
    uint32_t count = cf_local_variable_count(cf, code), n = 0;
    struct cf_local_variable *rows = mem_alloc(count * sizeof *rows);
    jvmtiLocalVariableEntry *table = tool_alloc(count * sizeof *table);
    bool ok = rows && (table || count == 0);
    if (ok) cf_local_variables(cf, code, rows);
    while (ok && n < count) ok = give_local(cf, &rows[n], &table[n]), n++;
    mem_free(rows);
    if (ok) {
        *entry_count_ptr = (jint)count;
        *table_ptr = table;
        return JVMTI_ERROR_NONE;
    }
    while (table && n-- > 0) {
        tool_free(table[n].name);
        tool_free(table[n].signature);
        tool_free(table[n].generic_signature);
    }
    tool_free(table);
    return JVMTI_ERROR_OUT_OF_MEMORY;
}

jvmtiError jvmti_get_bytecodes(struct jvmti_env *env, struct os_thread *self, struct method_code *method,
                               jint *bytecode_count_ptr, unsigned char **bytecodes_ptr) {
    (void)env, (void)self;
    const struct cf_code *code = code_source(method);
    unsigned char *copy = NULL;
    if (code != NULL) {
        copy = tool_alloc(code->code_length);
        if (copy == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
        memcpy(copy, code->code, code->code_length);
    }
    *bytecode_count_ptr = code != NULL ? (jint)code->code_length : 0;
    *bytecodes_ptr = copy;
    return JVMTI_ERROR_NONE;
}
