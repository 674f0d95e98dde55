/* java.lang.Thread objects of threads that C code attaches; what the thread room asks of the library. */
#include "jdk/thread_life.h"
#include "jni/jni_internal.h"
#include "thread/exited.h"
#include "thread/identity.h"

static void set_field(struct object *o, const char *name, enum basic_type type, const char *desc, uint64_t value) {
    struct field *f = jni_field_cstr(class_of(o), name, desc);
    if (f) field_store(o, f->offset, type, value);
}

/* The record that holds priority and daemon: the thread itself (17) or its holder (25). */
static struct object *field_holder(struct object *thread) {
    struct object *holder = jni_read_ref(thread, "holder", "Ljava/lang/Thread$FieldHolder;");
    return holder ? holder : thread;
}

static bool call(struct os_thread *self, struct object *receiver, const char *name, const char *desc,
                 struct object *argument) {
    REQUIRES(IN_VM);
    struct method *m = class_method_cstr(class_of(receiver), name, desc);
    uint64_t args[2] = { slot_ref(receiver), slot_ref(argument) };
    return m && java_call_virtual(self, m, args, NULL);
}

static bool construct(struct os_thread *self, const char *name, struct object *group, bool daemon) {
    REQUIRES(IN_VM | MAY_STOP);
    struct java_thread *t = self->java;
    struct class *c = known_class(java_lang_Thread);
    struct object *thread = jni_allocate(self, c);
    if (!thread) return false;
    if (!group) group = vm->main_thread_group;
    t->mirror = thread;
    self->current_thread_object = thread;
    field_store(thread, known_offset(Thread_eetop), T_LONG, thread_eetop(t));
    set_field(thread, "priority", T_INT, "I", 5);  /* 17: the constructor asks the current thread, which is this one */
    struct object *text = name ? string_from_cstr(self, name) : NULL;
    if (name && !text) return false;
    const char *desc = name ? "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V"
                            : "(Ljava/lang/ThreadGroup;Ljava/lang/Runnable;)V";
    struct method *constructor = class_method_cstr(c, "<init>", desc);
    uint64_t args[3] = { slot_ref(thread), slot_ref(group), slot_ref(text) };
    if (!constructor || !java_call(self, constructor, args, NULL)) return false;
    if (daemon) set_field(field_holder(thread), "daemon", T_BOOLEAN, "Z", 1);
    if (name) thread_set_name(t, name);
    thread_mirror_set_status(thread, THREAD_STATUS_RUNNABLE);
    /* 17: the group lists it from then on. */
    return vm->library != LIBRARY_17 || !group || call(self, group, "add", "(Ljava/lang/Thread;)V", thread);
}

bool java_thread_attach_object(struct os_thread *self, const char *name, struct object *group, bool daemon) {
    REQUIRES(IN_VM | MAY_STOP);
    thread_set_attaching(self->java, true);
    if (!construct(self, name, group, daemon)) return false;
    thread_set_attaching(self->java, false);
    return true;
}

/* The library clears Thread.interrupted without a call into the VM: the field is the truth. */
bool java_thread_read_interrupted(struct java_thread *t, bool clear) {
    uint32_t offset = known_offset(Thread_interrupted);
    bool interrupted = field_load(t->mirror, offset, T_BOOLEAN) != 0;
    if (interrupted && clear) {
        field_store(t->mirror, offset, T_BOOLEAN, 0);
        atomic_store(&t->interrupted, false);
    }
    return interrupted;
}

NOINLINE void java_thread_exited(struct os_thread *self) {
    REQUIRES(MAY_STOP);
    struct c_segment segment;
    thread_enter_vm(self, &segment);
    exited_drop_frames(self);
    thread_finish(self);
    thread_detach_current(self);
}
