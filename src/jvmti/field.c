/* field.c: the Field chapter. */
#include "jvmti_gen.h"

static char *generic_of(const struct field *f) {
    struct span s = cp_utf8(f->holder->cf, f->cf->signature_index);
    return tool_strndup((const char *)s.data, s.size);
}

jvmtiError jvmti_get_field_name(struct jvmti_env *env, struct os_thread *self, struct class *klass, struct field *field,
                                char **name_ptr, char **signature_ptr, char **generic_ptr) {
    (void)env, (void)self, (void)klass;
    bool has_generic = generic_ptr && field->cf && field->cf->signature_index;
    char *name = name_ptr ? tool_strdup(field->name->bytes) : NULL;
    char *signature = signature_ptr ? tool_strdup(field->desc->bytes) : NULL;
    char *generic = has_generic ? generic_of(field) : NULL;
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

jvmtiError jvmti_get_field_declaring_class(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                           struct field *field, jclass *declaring_class_ptr) {
    (void)env, (void)klass;
    jclass handle = (jclass)handle_local(self, class_mirror(field->holder));
    if (handle == NULL) {
        self->exception = NULL;
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    *declaring_class_ptr = handle;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_field_modifiers(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                     struct field *field, jint *modifiers_ptr) {
    (void)env, (void)self, (void)klass;
    *modifiers_ptr = field->access_flags;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_is_field_synthetic(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                    struct field *field, jboolean *is_synthetic_ptr) {
    (void)env, (void)self, (void)klass;
    *is_synthetic_ptr = (field->access_flags & ACC_SYNTHETIC) != 0;
    return JVMTI_ERROR_NONE;
}
