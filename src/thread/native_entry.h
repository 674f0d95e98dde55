/* native_entry.h — the bracket around every function that foreign code calls (JNI, JVM_*, JVM TI): NATIVE -> IN_VM and
 * back. */
#ifndef VITRINE_THREAD_NATIVE_ENTRY_H
#define VITRINE_THREAD_NATIVE_ENTRY_H

#include "thread/handle.h"
#include "thread/thread.h"

struct native_entry {
    struct c_segment segment;
    struct os_thread *self;
};

static inline __attribute__((always_inline)) void native_entry_leave(struct native_entry *e) {
    thread_exit_vm(e->self, &e->segment);
}

/* First statement of such a function: declares `self`, enters the VM, leaves it when the function returns (after its
 * return expression has been evaluated, so `return handle_local(self, o);` is right). */
#define NATIVE_ENTRY(jnienv)                                                                          \
    __attribute__((cleanup(native_entry_leave))) struct native_entry native_entry_;                    \
    struct os_thread *const self = native_entry_.self = thread_from_env(jnienv);                       \
    thread_enter_vm(self, &native_entry_.segment)

#endif
