/* class.c: the Class chapter: lists of classes and what a class file says of a class. */
#include "base/table.h"
#include "jvmti_gen.h"

#include <string.h>

/* ---- lists ------------------------------------------------------------------------------------------------------- */

struct class_list {
    VEC(struct class *) classes;
    struct loader *loader;                        /* GetClassLoaderClasses                                        */
    bool failed;
};

/* Mirrors of the list as local references, in memory for the agent. Classes stay alive while self holds them in C. */
static jvmtiError give_classes(struct os_thread *self, struct class *const *classes, size_t count, jint *count_ptr,
                               jclass **out) {
    REQUIRES(IN_VM);
    jclass *list = tool_alloc(count * sizeof *list);
    if (list == NULL && count > 0) return JVMTI_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) {
        list[i] = (jclass)handle_local(self, class_mirror(classes[i]));
        if (list[i]) continue;
        while (i-- > 0) handle_local_delete(self, list[i]);
        tool_free(list);
        self->exception = NULL;
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    *count_ptr = (jint)count;
    *out = list;
    return JVMTI_ERROR_NONE;
}

static bool add_loaded(void *arg, struct class *c) {
    struct class_list *l = arg;
    if (class_is_primitive(c) || class_mirror(c) == NULL) return true;
    l->failed = !vec_push(&l->classes, c);
    return !l->failed;
}

jvmtiError jvmti_get_loaded_classes(struct jvmti_env *env, struct os_thread *self, jint *class_count_ptr,
                                    jclass **classes_ptr) {
    (void)env;
    struct class_list l = {0};
    /* While the world stands no class can be unloaded between being listed and being held. */
    safepoint_begin(self, "GetLoadedClasses");
    MAY_ALLOCATE("the call answers OUT_OF_MEMORY");
    class_walk_all(add_loaded, &l);
    jvmtiError err = l.failed ? JVMTI_ERROR_OUT_OF_MEMORY
                              : give_classes(self, l.classes.data, l.classes.count, class_count_ptr, classes_ptr);
    safepoint_end(self);
    vec_free(&l.classes);
    return err;
}

/* Is the loader an initiating one of c? The defining loader always is; array classes follow their element, and those of
 * primitive types can be found through every loader. */
static bool add_initiated(void *arg, struct class *c) {
    struct class_list *l = arg;
    struct class *element = class_element(c);
    if (class_is_primitive(c) || class_mirror(c) == NULL || element->is_hidden) return true;
    bool initiated = class_is_primitive(element) || element->loader == l->loader ||
                     class_find_loaded(l->loader, element->name) == element;
    if (initiated) l->failed = !vec_push(&l->classes, c);
    return !l->failed;
}

jvmtiError jvmti_get_class_loader_classes(struct jvmti_env *env, struct os_thread *self,
                                          struct object *initiating_loader, jint *class_count_ptr,
                                          jclass **classes_ptr) {
    (void)env;
    struct class_list l = {.loader = initiating_loader ? loader_of_object(self, initiating_loader) : vm->boot_loader};
    if (l.loader == NULL) {
        self->exception = NULL;
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    uint64_t held = slot_ref(initiating_loader);          /* l.loader goes with it */
    safepoint_begin(self, "GetClassLoaderClasses");
    MAY_ALLOCATE("the call answers OUT_OF_MEMORY");
    class_walk_all(add_initiated, &l);
    jvmtiError err = l.failed ? JVMTI_ERROR_OUT_OF_MEMORY
                              : give_classes(self, l.classes.data, l.classes.count, class_count_ptr, classes_ptr);
    safepoint_end(self);
    thread_keep(&held);
    vec_free(&l.classes);
    return err;
}

/* ---- signature, status, modifiers -------------------------------------------------------------------------------- */

/* "Lname;"; a hidden class's suffix stands behind a dot. */
static char *signature_of(const struct class *c) {
    if (class_is_primitive(c)) {
        static const char *const names[] = {"boolean", "Z", "byte",  "B", "char",   "C", "short", "S", "int", "I",
                                            "long",    "J", "float", "F", "double", "D", "void",  "V"};
        for (size_t i = 0; i < ARRAY_LEN(names); i += 2)
            if (symbol_equals(c->name, names[i])) return tool_strdup(names[i + 1]);
        return NULL;
    }
    if (class_is_array(c) && !class_element(c)->is_hidden) return tool_strndup(c->name->bytes, c->name->length);
    const struct class *element = class_element(c);
    size_t dimensions = class_is_array(c) ? c->dimensions : 0, n = element->name->length;
    char *out = tool_alloc(dimensions + n + 3);
    if (out == NULL) return NULL;
    memset(out, '[', dimensions);
    char *name = out + dimensions;
    name[0] = 'L';
    memcpy(name + 1, element->name->bytes, n);
    memcpy(name + 1 + n, ";", 2);
    char *plus = element->is_hidden ? strrchr(name, '+') : NULL;
    if (plus) *plus = '.';
    return out;
}

static char *utf8_entry(const struct classfile *cf, uint16_t index) {
    struct span s = cp_utf8(cf, index);
    return tool_strndup((const char *)s.data, s.size);
}

jvmtiError jvmti_get_class_signature(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                     char **signature_ptr, char **generic_ptr) {
    (void)env, (void)self;
    char *signature = signature_ptr ? signature_of(klass) : NULL;
    bool generic = generic_ptr && klass->cf && klass->cf->signature;
    char *generic_text = generic ? utf8_entry(klass->cf, klass->cf->signature) : NULL;
    if ((signature_ptr && signature == NULL) || (generic && generic_text == NULL)) {
        tool_free(signature);
        tool_free(generic_text);
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    if (signature_ptr) *signature_ptr = signature;
    if (generic_ptr) *generic_ptr = generic_text;
    return JVMTI_ERROR_NONE;
}

static bool is_prepared(const struct class *c) {
    uint8_t state = atomic_load(&c->state);
    return state != CLASS_LOADED && (state != CLASS_ERROR || c->verified);
}

jvmtiError jvmti_get_class_status(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                  jint *status_ptr) {
    (void)env, (void)self;
    jint status = 0;
    if (class_is_array(klass)) {
        status = JVMTI_CLASS_STATUS_ARRAY;
    } else if (class_is_primitive(klass)) {
        status = JVMTI_CLASS_STATUS_PRIMITIVE;
    } else {
        uint8_t state = atomic_load(&klass->state);
        if (is_prepared(klass)) status |= JVMTI_CLASS_STATUS_VERIFIED | JVMTI_CLASS_STATUS_PREPARED;
        if (state == CLASS_INITIALIZED) status |= JVMTI_CLASS_STATUS_INITIALIZED;
        if (state == CLASS_ERROR) status |= JVMTI_CLASS_STATUS_ERROR;
    }
    *status_ptr = status;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_class_modifiers(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                     jint *modifiers_ptr) {
    (void)env, (void)self;
    jint modifiers = klass->modifiers & ~ACC_SUPER;
    /* Not part of Class.getModifiers(); the libraries' own VM adds it: 17 as in the class file, 25 to everything but
     * primitives. */
    bool add_super = vm->library == LIBRARY_17 ? klass->cf && (klass->cf->access_flags & ACC_SUPER)
                                               : !class_is_primitive(klass);
    *modifiers_ptr = add_super ? modifiers | ACC_SUPER : modifiers;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_is_interface(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                              jboolean *is_interface_ptr) {
    (void)env, (void)self;
    *is_interface_ptr = klass->is_interface;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_is_array_class(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                jboolean *is_array_class_ptr) {
    (void)env, (void)self;
    *is_array_class_ptr = class_is_array(klass);
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_class_loader(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                  jobject *classloader_ptr) {
    (void)env;
    struct object *loader = klass->loader ? klass->loader->object : NULL;
    jobject handle = handle_local(self, loader);
    if (loader && handle == NULL) {
        self->exception = NULL;
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    *classloader_ptr = handle;
    return JVMTI_ERROR_NONE;
}

/* ---- members ----------------------------------------------------------------------------------------------------- */

jvmtiError jvmti_get_class_methods(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                   jint *method_count_ptr, jmethodID **methods_ptr) {
    (void)env, (void)self;
    bool plain = !class_is_array(klass) && !class_is_primitive(klass);
    if (plain && !is_prepared(klass)) return JVMTI_ERROR_CLASS_NOT_PREPARED;
    uint32_t most = plain ? klass->method_count : 0, count = 0;
    jmethodID *list = tool_alloc(most * sizeof *list);
    if (list == NULL && most > 0) return JVMTI_ERROR_OUT_OF_MEMORY;
    for (const struct method *m = NULL; plain && (m = class_next_method(klass, m)) != NULL;)
        list[count++] = method_id(m);
    *method_count_ptr = (jint)count;
    *methods_ptr = list;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_class_fields(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                  jint *field_count_ptr, jfieldID **fields_ptr) {
    (void)env, (void)self;
    bool plain = !class_is_array(klass) && !class_is_primitive(klass);
    if (plain && !is_prepared(klass)) return JVMTI_ERROR_CLASS_NOT_PREPARED;
    uint32_t count = 0;
    while (plain && count < klass->field_count && klass->fields[count].cf) count++;
    jfieldID *list = tool_alloc(count * sizeof *list);
    if (list == NULL && count > 0) return JVMTI_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; i++) list[i] = field_id(&klass->fields[i]);
    *field_count_ptr = (jint)count;
    *fields_ptr = list;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_implemented_interfaces(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                            jint *interface_count_ptr, jclass **interfaces_ptr) {
    (void)env;
    bool plain = !class_is_array(klass) && !class_is_primitive(klass);
    if (plain && !is_prepared(klass)) return JVMTI_ERROR_CLASS_NOT_PREPARED;
    return give_classes(self, klass->interfaces, plain ? klass->interface_count : 0, interface_count_ptr,
                        interfaces_ptr);
}

/* ---- the class file ---------------------------------------------------------------------------------------------- */

jvmtiError jvmti_get_source_file_name(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                      char **source_name_ptr) {
    (void)env, (void)self;
    if (klass->cf == NULL || klass->cf->source_file == 0) return JVMTI_ERROR_ABSENT_INFORMATION;
    char *name = utf8_entry(klass->cf, klass->cf->source_file);
    if (name == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    *source_name_ptr = name;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_source_debug_extension(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                            char **source_debug_extension_ptr) {
    (void)env, (void)self;
    if (klass->cf == NULL || klass->cf->source_debug_extension == 0) return JVMTI_ERROR_ABSENT_INFORMATION;
    struct span s = cf_attribute(klass->cf, klass->cf->source_debug_extension);
    char *text = tool_strndup((const char *)s.data, s.size);
    if (text == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    *source_debug_extension_ptr = text;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_class_version_numbers(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                           jint *minor_version_ptr, jint *major_version_ptr) {
    (void)env, (void)self;
    if (klass->cf == NULL) return JVMTI_ERROR_ABSENT_INFORMATION;
    *minor_version_ptr = klass->cf->minor;
    *major_version_ptr = klass->cf->major;
    return JVMTI_ERROR_NONE;
}

/* The bytes between the count and access_flags. */
jvmtiError jvmti_get_constant_pool(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                   jint *constant_pool_count_ptr, jint *constant_pool_byte_count_ptr,
                                   unsigned char **constant_pool_bytes_ptr) {
    (void)env, (void)self;
    const struct classfile *cf = klass->cf;
    enum { POOL_START = 10 };                     /* magic, minor, major, constant_pool_count                     */
    if (cf == NULL) return JVMTI_ERROR_ABSENT_INFORMATION;
    size_t size = cf->body - POOL_START;
    unsigned char *bytes = tool_alloc(size);
    if (bytes == NULL && size > 0) return JVMTI_ERROR_OUT_OF_MEMORY;
    if (size > 0) memcpy(bytes, cf->bytes + POOL_START, size);
    *constant_pool_count_ptr = cf->cp.count;
    *constant_pool_byte_count_ptr = (jint)size;
    *constant_pool_bytes_ptr = bytes;
    return JVMTI_ERROR_NONE;
}
