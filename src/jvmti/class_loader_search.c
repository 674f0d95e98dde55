/* class_loader_search.c: the Class Loader Search chapter. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/zip.h"
#include "jvmti_gen.h"

#include <string.h>

static jvmtiError check_archive(const char *path) {
    char *reason = NULL;
    struct zip *zip = zip_open(path, &reason);
    jvmtiError err = zip ? JVMTI_ERROR_NONE : reason ? JVMTI_ERROR_ILLEGAL_ARGUMENT : JVMTI_ERROR_OUT_OF_MEMORY;
    mem_free(reason);
    zip_close(zip);
    return err;
}

/* In the OnLoad phase any segment is taken; it is looked at when the path is used. */
static bool append(char **path, const char *segment) {
    char *longer = *path && **path ? mem_printf("%s:%s", *path, segment) : mem_strdup(segment);
    if (longer == NULL) return false;
    mem_free(*path);
    *path = longer;
    return true;
}

jvmtiError jvmti_add_to_bootstrap_class_loader_search(struct jvmti_env *env, struct os_thread *self,
                                                      const char *segment) {
    (void)env, (void)self;
    bool ok;
    if (atomic_load(&vm->phase) == PHASE_ONLOAD) {
        ok = append(&vm->options->boot_append, segment);
    } else {
        jvmtiError err = check_archive(segment);
        if (err) return err;
        ok = boot_path_append(segment);
    }
    return ok ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
}

static jvmtiError append_to_system_loader(struct os_thread *self, const char *segment) {
    REQUIRES(IN_VM | MAY_STOP);
    struct class *c = known_class(java_lang_ClassLoader);
    uint64_t args[2] = {0, 0};
    if (!java_call_static_named(self, c, "getSystemClassLoader", "()Ljava/lang/ClassLoader;", NULL, &args[0]))
        return JVMTI_ERROR_INTERNAL;
    struct object *loader = slot_object(args[0]), *text = string_from_platform(self, segment);
    if (text == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    struct method *m = class_method_cstr(class_of(loader), "appendToClassPathForInstrumentation",
                                         "(Ljava/lang/String;)V");
    if (m == NULL) return JVMTI_ERROR_CLASS_LOADER_UNSUPPORTED;
    args[1] = slot_ref(text);
    return java_call(self, m, args, NULL) ? JVMTI_ERROR_NONE : JVMTI_ERROR_INTERNAL;
}

jvmtiError jvmti_add_to_system_class_loader_search(struct jvmti_env *env, struct os_thread *self, const char *segment) {
    (void)env;
    if (atomic_load(&vm->phase) == PHASE_ONLOAD) {
        const char *path = options_property(vm->options, "java.class.path");
        char *longer = path && *path ? mem_printf("%s:%s", path, segment) : mem_strdup(segment);
        bool ok = longer && options_set_property(vm->options, "java.class.path", longer, false, true);
        mem_free(longer);
        return ok ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;
    }
    jvmtiError err = check_archive(segment);
    if (err) return err;
    unsigned failing = mem_fail_at(0);
    err = append_to_system_loader(self, segment);
    mem_fail_at(failing);
    self->exception = NULL;
    return err;
}
