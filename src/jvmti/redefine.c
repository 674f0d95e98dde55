/* redefine.c: the functions of the Class chapter that give classes new class files. */
#include "link/redefine.h"

#include "base/alloc.h"
#include "jvmti_gen.h"

static jvmtiError error_of(enum redefine_status status) {
    static const jvmtiError errors[] = {
        [REDEFINE_OK] = JVMTI_ERROR_NONE,
        [REDEFINE_NO_MEMORY] = JVMTI_ERROR_OUT_OF_MEMORY,
        [REDEFINE_INTERNAL] = JVMTI_ERROR_INTERNAL,
        [REDEFINE_INVALID_CLASS] = JVMTI_ERROR_INVALID_CLASS,
        [REDEFINE_UNSUPPORTED_VERSION] = JVMTI_ERROR_UNSUPPORTED_VERSION,
        [REDEFINE_INVALID_FORMAT] = JVMTI_ERROR_INVALID_CLASS_FORMAT,
        [REDEFINE_CIRCULAR] = JVMTI_ERROR_CIRCULAR_CLASS_DEFINITION,
        [REDEFINE_FAILS_VERIFICATION] = JVMTI_ERROR_FAILS_VERIFICATION,
        [REDEFINE_NAMES_DIFFER] = JVMTI_ERROR_NAMES_DONT_MATCH,
        [REDEFINE_METHOD_ADDED] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_ADDED,
        [REDEFINE_METHOD_DELETED] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_DELETED,
        [REDEFINE_METHOD_MODIFIERS] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED,
        [REDEFINE_FIELDS] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED,
        [REDEFINE_HIERARCHY] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED,
        [REDEFINE_CLASS_MODIFIERS] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED,
        [REDEFINE_CLASS_ATTRIBUTE] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED,
    };
    return errors[status];
}

/* The class of a handle in an agent's array; the parameter checks look only at the array's own pointer. */
static jvmtiError modifiable_class(struct os_thread *self, jclass handle, struct class **out) {
    REQUIRES(IN_VM);
    struct object *mirror = jvmti_object_of(self, handle);
    if (mirror == NULL || class_of(mirror) != known_class(java_lang_Class)) return JVMTI_ERROR_INVALID_CLASS;
    *out = class_of_mirror(mirror);
    return class_is_modifiable(*out) ? JVMTI_ERROR_NONE : JVMTI_ERROR_UNMODIFIABLE_CLASS;
}

jvmtiError jvmti_is_modifiable_class(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                     jboolean *is_modifiable_class_ptr) {
    (void)env, (void)self;
    *is_modifiable_class_ptr = class_is_modifiable(klass);
    return JVMTI_ERROR_NONE;
}

/* Local references of the VM's own keep the classes: the agent's may be deleted while the class files pass
 * the hooks. */
static jvmtiError redefine(struct os_thread *self, struct class_redefinition *set, jint count, jvmtiError err) {
    REQUIRES(IN_VM | MAY_STOP);
    if (err == JVMTI_ERROR_NONE && count > 0) {
        struct object *pending = exception_take(self);
        bool framed = handle_frame_push(self, (uint32_t)count, false), kept = framed;
        for (jint i = 0; kept && i < count; i++) kept = handle_local(self, class_mirror(set[i].class)) != NULL;
        err = kept ? error_of(classes_redefine(self, set, (size_t)count)) : JVMTI_ERROR_OUT_OF_MEMORY;
        if (framed) handle_frame_pop(self);
        self->exception = pending;
    }
    mem_free(set);
    return err;
}

jvmtiError jvmti_redefine_classes(struct jvmti_env *env, struct os_thread *self, jint class_count,
                                  const jvmtiClassDefinition *class_definitions) {
    (void)env;
    struct class_redefinition *set = mem_calloc((size_t)class_count, sizeof *set);
    jvmtiError err = set ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
    for (jint i = 0; err == JVMTI_ERROR_NONE && i < class_count; i++) {
        const jvmtiClassDefinition *d = &class_definitions[i];
        if (d->klass == NULL) err = JVMTI_ERROR_INVALID_CLASS;
        else if (d->class_byte_count <= 0) err = JVMTI_ERROR_INVALID_CLASS_FORMAT;
        else if (d->class_bytes == NULL) err = JVMTI_ERROR_NULL_POINTER;
        else err = modifiable_class(self, d->klass, &set[i].class);
        if (err != JVMTI_ERROR_NONE) break;
        set[i].bytes = d->class_bytes;
        set[i].length = (size_t)d->class_byte_count;
    }
    return redefine(self, set, class_count, err);
}

jvmtiError jvmti_retransform_classes(struct jvmti_env *env, struct os_thread *self, jint class_count,
                                     const jclass *classes) {
    (void)env;
    struct class_redefinition *set = mem_calloc((size_t)class_count, sizeof *set);
    jvmtiError err = set ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
    for (jint i = 0; err == JVMTI_ERROR_NONE && i < class_count; i++)
        err = modifiable_class(self, classes[i], &set[i].class);
    return redefine(self, set, class_count, err);
}
