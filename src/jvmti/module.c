/* module.c: the Module chapter. What changes a module is done by the class library, which keeps its own view and hands
 * the changes to the VM. */
#include "link/module.h"

#include "base/alloc.h"
#include "jvmti_gen.h"

#include <string.h>

/* ---- lists ------------------------------------------------------------------------------------------------------- */

struct module_list {
    struct object **objects;
    size_t count, capacity;
    bool failed;
};

static void add_module(void *arg, struct object *module) {
    struct module_list *l = arg;
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 128;
        struct object **more = mem_realloc(l->objects, capacity * sizeof *more);
        if (more == NULL) {
            l->failed = true;
            return;
        }
        l->objects = more;
        l->capacity = capacity;
    }
    l->objects[l->count++] = module;
}

static void delete_handles(struct os_thread *self, jobject *list, size_t count) {
    REQUIRES(IN_VM);
    while (count-- > 0) handle_local_delete(self, list[count]);
    tool_free(list);
    self->exception = NULL;
}

jvmtiError jvmti_get_all_modules(struct jvmti_env *env, struct os_thread *self, jint *module_count_ptr,
                                 jobject **modules_ptr) {
    (void)env;
    struct module_list l = {0};
    /* While the world stands no module goes between being listed and being held. */
    safepoint_begin(self, "GetAllModules");
    MAY_ALLOCATE("the call answers OUT_OF_MEMORY");
    modules_walk(add_module, &l);
    jobject *list = l.failed ? NULL : tool_alloc((l.count ? l.count : 1) * sizeof *list);
    size_t made = 0;
    while (list != NULL && made < l.count && (list[made] = handle_local(self, l.objects[made])) != NULL) made++;
    safepoint_end(self);
    mem_free(l.objects);
    if (list == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    if (made < l.count) {
        delete_handles(self, list, made);
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    *module_count_ptr = (jint)l.count;
    *modules_ptr = list;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_named_module(struct jvmti_env *env, struct os_thread *self, struct object *class_loader,
                                  const char *package_name, jobject *module_ptr) {
    (void)env;
    struct loader *loader = class_loader ? loader_of_object(self, class_loader) : vm->boot_loader;
    struct symbol *name = symbol_lookup_cstr(package_name);
    struct package *p = loader && name ? package_lookup(loader, name) : NULL;
    symbol_release(name);
    struct object *module = p && p->module->name ? p->module->object : NULL;
    jobject handle = handle_local(self, module);
    bool short_of_memory = loader == NULL || (module != NULL && handle == NULL);
    self->exception = NULL;
    if (short_of_memory) return JVMTI_ERROR_OUT_OF_MEMORY;
    *module_ptr = handle;
    return JVMTI_ERROR_NONE;
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

/* A static method of jdk.internal.module.Modules. */
static jvmtiError change(struct os_thread *self, const char *name, const char *desc, const uint64_t *args) {
    REQUIRES(IN_VM);
    unsigned failing = mem_fail_at(0);
    struct class *modules = class_find_boot(self, "jdk/internal/module/Modules");
    if (modules != NULL) java_call_static_named(self, modules, name, desc, args, NULL);
    mem_fail_at(failing);
    struct object *e = exception_take(self);
    if (e == NULL) return modules ? JVMTI_ERROR_NONE : JVMTI_ERROR_INTERNAL;
    const char *what = class_of(e)->name->bytes;
    if (strcmp(what, "java/lang/OutOfMemoryError") == 0) return JVMTI_ERROR_OUT_OF_MEMORY;
    return strcmp(what, "java/lang/IllegalArgumentException") == 0 ? JVMTI_ERROR_ILLEGAL_ARGUMENT
                                                                   : JVMTI_ERROR_INTERNAL;
}

jvmtiError jvmti_add_module_reads(struct jvmti_env *env, struct os_thread *self, struct object *module,
                                  struct object *to_module) {
    (void)env;
    uint64_t args[2] = {slot_ref(module), slot_ref(to_module)};
    return change(self, "addReads", "(Ljava/lang/Module;Ljava/lang/Module;)V", args);
}

static jvmtiError open_package(struct os_thread *self, const char *name, struct object *module, const char *package,
                               struct object *to_module) {
    REQUIRES(IN_VM);
    struct object *text = string_from_cstr(self, package); /* as the language spells it: with periods */
    self->exception = NULL;
    if (text == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    uint64_t args[3] = {slot_ref(module), slot_ref(text), slot_ref(to_module)};
    return change(self, name, "(Ljava/lang/Module;Ljava/lang/String;Ljava/lang/Module;)V", args);
}

jvmtiError jvmti_add_module_exports(struct jvmti_env *env, struct os_thread *self, struct object *module,
                                    const char *pkg_name, struct object *to_module) {
    (void)env;
    return open_package(self, "addExports", module, pkg_name, to_module);
}

jvmtiError jvmti_add_module_opens(struct jvmti_env *env, struct os_thread *self, struct object *module,
                                  const char *pkg_name, struct object *to_module) {
    (void)env;
    return open_package(self, "addOpens", module, pkg_name, to_module);
}

jvmtiError jvmti_add_module_uses(struct jvmti_env *env, struct os_thread *self, struct object *module,
                                 struct class *service) {
    (void)env;
    if (class_is_primitive(service)) return JVMTI_ERROR_INVALID_CLASS;
    uint64_t args[2] = {slot_ref(module), slot_ref(class_mirror(service))};
    return change(self, "addUses", "(Ljava/lang/Module;Ljava/lang/Class;)V", args);
}

jvmtiError jvmti_add_module_provides(struct jvmti_env *env, struct os_thread *self, struct object *module,
                                     struct class *service, struct class *impl_class) {
    (void)env;
    if (class_is_primitive(service) || class_is_primitive(impl_class)) return JVMTI_ERROR_INVALID_CLASS;
    uint64_t args[3] = {slot_ref(module), slot_ref(class_mirror(service)), slot_ref(class_mirror(impl_class))};
    return change(self, "addProvides", "(Ljava/lang/Module;Ljava/lang/Class;Ljava/lang/Class;)V", args);
}

jvmtiError jvmti_is_modifiable_module(struct jvmti_env *env, struct os_thread *self, struct object *module,
                                      jboolean *is_modifiable_module_ptr) {
    (void)env, (void)self, (void)module;
    *is_modifiable_module_ptr = JNI_TRUE;
    return JVMTI_ERROR_NONE;
}
