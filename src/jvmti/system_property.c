/* system_property.c: the System Properties chapter: the VM's view of them, without those kept from Java code. */
#include "base/options.h"
#include "jvmti_gen.h"

#include <string.h>

static const struct vm_property *find(const char *key) {
    struct vm_options *o = vm->options;
    for (size_t i = 0; i < o->properties.count; i++) {
        const struct vm_property *p = &o->properties.data[i];
        if (!p->internal && strcmp(p->key, key) == 0) return p;
    }
    return NULL;
}

static void free_all(char **list, size_t count) {
    for (size_t i = 0; i < count; i++) tool_free(list[i]);
    tool_free(list);
}

jvmtiError jvmti_get_system_properties(struct jvmti_env *env, struct os_thread *self, jint *count_ptr,
                                       char ***property_ptr) {
    (void)env, (void)self;
    struct vm_options *o = vm->options;
    size_t count = 0;
    char **list = tool_alloc((o->properties.count + 1) * sizeof *list);
    if (list == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < o->properties.count; i++) {
        if (o->properties.data[i].internal) continue;
        if ((list[count] = tool_strdup(o->properties.data[i].key)) == NULL) {
            free_all(list, count);
            return JVMTI_ERROR_OUT_OF_MEMORY;
        }
        count++;
    }
    *count_ptr = (jint)count;
    *property_ptr = list;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_get_system_property(struct jvmti_env *env, struct os_thread *self, const char *property,
                                     char **value_ptr) {
    (void)env, (void)self;
    const struct vm_property *p = find(property);
    if (p == NULL) return JVMTI_ERROR_NOT_AVAILABLE;
    char *copy = tool_strdup(p->value);
    if (copy == NULL) return JVMTI_ERROR_OUT_OF_MEMORY;
    *value_ptr = copy;
    return JVMTI_ERROR_NONE;
}

jvmtiError jvmti_set_system_property(struct jvmti_env *env, struct os_thread *self, const char *property,
                                     const char *value_ptr) {
    (void)env, (void)self;
    const struct vm_property *p = find(property);
    if (p == NULL || !p->writeable) return JVMTI_ERROR_NOT_AVAILABLE;
    if (value_ptr == NULL) return JVMTI_ERROR_NONE;
    return options_set_property(vm->options, property, value_ptr, false, true) ? JVMTI_ERROR_NONE
                                                                               : JVMTI_ERROR_OUT_OF_MEMORY;
}
