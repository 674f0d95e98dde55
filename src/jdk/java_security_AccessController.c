/* java_security_AccessController.c — the protection domains on the stack (17's access control). */
#include "jdk/jvm.h"
#include "jdk/thread_life.h"

/* executePrivileged(action, context, caller) marks where a doPrivileged began. */
static bool is_privileged_frame(const struct method *m) {
    return m->holder == known_class(java_security_AccessController) && strcmp(m->name->bytes, "executePrivileged") == 0;
}

struct domains {
    struct object *last;                 /* consecutive equal ones count once                                    */
    int32_t count;
    struct object *into;                 /* array to be filled, or NULL: only count                              */
};

static void add(struct domains *d, struct object *domain) {
    if (domain == NULL || domain == d->last) return;
    if (d->into != NULL && d->count < array_length(d->into)) heap_array_set(d->into, d->count, domain);
    d->count++;
    d->last = domain;
}

/* Domains from the youngest frame to the first privileged one or the end; returns where the walk ended. */
static struct frame_cursor walk(struct os_thread *self, struct domains *d) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct frame_cursor f = frame_first(self->java);
    for (; cursor_valid(&f); frame_next(&f)) {
        if (!is_privileged_frame(cursor_method(&f))) {
            add(d, cursor_method(&f)->holder->protection_domain);
            continue;
        }
        struct object *caller = slot_object(cursor_locals(&f)[2]);
        if (caller != NULL) add(d, class_of_mirror(caller)->protection_domain);
        break;
    }
    return f;
}

/* AccessControlContext of the running thread; null when everything up to a doPrivileged without context is of the
 * system. */
JVM jobject JVM_GetStackAccessControlContext(JNIEnv *env, jclass c);
JVM jobject JVM_GetStackAccessControlContext(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    (void)c;
    struct domains counted = {NULL, 0, NULL};
    struct frame_cursor end = walk(self, &counted);
    bool privileged = cursor_valid(&end);
    struct object *privileged_context = privileged ? slot_object(cursor_locals(&end)[1]) : NULL;
    struct domains filled = {NULL, 0, NULL};
    if (counted.count != 0) {
        filled.into = new_ref_array(self, known_class(java_security_ProtectionDomain), counted.count);
        if (filled.into == NULL) return NULL;
        walk(self, &filled);
    } else if (privileged && privileged_context == NULL) {
        return NULL;
    }
    struct class *k = known_class(java_security_AccessControlContext);
    if (!class_ensure_initialized(self, k)) return NULL;
    struct object *o = heap_alloc_instance(self, &k->shape);
    if (o == NULL) return NULL;
    heap_store_ref(o, known_offset(AccessControlContext_context), filled.into);
    heap_store_ref(o, known_offset(AccessControlContext_privilegedContext), privileged_context);
    field_store(o, known_offset(AccessControlContext_isPrivileged), T_BOOLEAN, privileged);
    field_store(o, known_offset(AccessControlContext_isAuthorized), T_BOOLEAN, 1);
    return handle_local(self, o);
}

JVM jobject JVM_GetInheritedAccessControlContext(JNIEnv *env, jclass c);
JVM jobject JVM_GetInheritedAccessControlContext(JNIEnv *env, jclass c) {
    NATIVE_ENTRY(env);
    (void)c;
    return handle_local(self, heap_load_ref(self->java->mirror, known_offset(Thread_inheritedAccessControlContext)));
}
