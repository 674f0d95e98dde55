/* service_thread.c — Java threads that the VM makes for its own services. */
#include "jdk/service_thread.h"

#include "jdk/jvm.h"
#include "jdk/thread_life.h"

bool service_thread_start(struct os_thread *self, const char *name, int priority, bool hidden,
                          void (*body)(struct os_thread *self, void *arg), void *arg) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = known_class(java_lang_Thread);
    struct object *mirror = heap_alloc_instance(self, &c->shape);
    struct object *text = mirror ? string_from_cstr(self, name) : NULL;
    uint64_t args[3] = {slot_ref(mirror), slot_ref(vm->system_thread_group), slot_ref(text)};
    if (text == NULL || !java_call(self, known_method(Thread_init_group_name), args, NULL)) return false;
    thread_mirror_set_facts(mirror, true, priority);
    if (vm->library == LIBRARY_17) {
        uint64_t member[2] = {slot_ref(vm->system_thread_group), slot_ref(mirror)};
        if (!java_call(self, known_method(ThreadGroup_add), member, NULL)) return false;
    }
    return hidden ? thread_start_hidden(self, mirror, body, arg) : thread_start_java(self, mirror, body, arg);
}
