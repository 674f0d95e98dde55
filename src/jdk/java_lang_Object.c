/* java_lang_Object.c — hashCode, clone, wait, notify. */
#include "base/alloc.h"
#include "base/base.h"
#include "jdk/jvm.h"
#include "jdk/natives.h"
#include "thread/monitor.h"
#include "probe/probe.h"

#define NATIVE(name) \
    static void name(struct os_thread *self UNUSED, struct method *m UNUSED, uint64_t *args UNUSED, \
                     uint64_t *result UNUSED)

JVM jint JVM_IHashCode(JNIEnv *env, jobject o);
JVM jint JVM_IHashCode(JNIEnv *env, jobject o) {
    NATIVE_ENTRY(env);
    return o ? heap_identity_hash(handle_get(o)) : 0;
}

/* The library registers the same function, but asks for hashes before that. */
void object_bind_hash(struct class *c) {
    if (strcmp(c->name->bytes, "java/lang/Object") != 0) return;
    struct method *m = class_method_cstr(c, "hashCode", "()I");      /* none, if another Object stands there */
    jint (*function)(JNIEnv *, jobject) = JVM_IHashCode;
    void *address;
    memcpy(&address, &function, sizeof address);
    if (m != NULL && m->access_flags & ACC_NATIVE) method_set_native(m, address, true);
}

NATIVE(clone) {
    struct object *o = arg_object(args, 0);
    struct class *c = class_of(o);
    if (!class_is_array(c) &&
        (!class_is_subtype(c, known_class(java_lang_Cloneable)) || c->shape.reference_kind != REF_NONE)) {
        char *name = class_external_name(c);
        throw_message(self, "java/lang/CloneNotSupportedException", "%s", name ? name : "?");
        mem_free(name);
        return;
    }
    struct object *copy = heap_clone(self, o);
    if (copy == NULL) return;
    probe_vm_object_alloc(self, copy);
    if (c->shape.has_finalizer && !object_register_finalizer(self, copy)) return;
    *result = slot_ref(copy);
}

NATIVE(wait) {
    int64_t millis = arg_long(args, 1);
    if (millis < 0) {
        throw_message(self, "java/lang/IllegalArgumentException", "timeout value is negative");
        return;
    }
    switch (monitor_wait(self, arg_object(args, 0), millis, 0)) {
    case WAIT_NOT_OWNER:
        throw_message(self, "java/lang/IllegalMonitorStateException", "current thread is not owner");
        break;
    case WAIT_INTERRUPTED: throw_new(self, "java/lang/InterruptedException"); break;
    default: break;
    }
}

static void notify(struct os_thread *self, struct object *o, bool all) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (!monitor_notify(self, o, all))
        throw_message(self, "java/lang/IllegalMonitorStateException", "current thread is not owner");
}
NATIVE(notify_one) { notify(self, arg_object(args, 0), false); }
NATIVE(notify_all) { notify(self, arg_object(args, 0), true); }

static const struct native_binding bindings[] = {
    {"clone", NULL, clone, IN_BOTH}, {"notify", "()V", notify_one, IN_BOTH},
    {"notifyAll", "()V", notify_all, IN_BOTH}, {"wait", "(J)V", wait, IN_17}, {"wait0", "(J)V", wait, IN_25},
};
const struct native_class natives_java_lang_Object = {"java/lang/Object", bindings, ARRAY_LEN(bindings), IN_BOTH};
