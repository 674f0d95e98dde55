/* local_variable.c: the Local Variable chapter. */
#include "inspect/local.h"

#include "jvmti_gen.h"

#include <string.h>

struct local_access {
    const struct java_thread *self;
    jint depth, slot;
    char kind;
    bool store;
    uint64_t value;
    jvmtiError err;
};

static jvmtiError error_of(enum local_result result) {
    switch (result) {
    case LOCAL_OK: return JVMTI_ERROR_NONE;
    case LOCAL_NO_FRAME: return JVMTI_ERROR_NO_MORE_FRAMES;
    case LOCAL_OPAQUE: return JVMTI_ERROR_OPAQUE_FRAME;
    case LOCAL_NO_SLOT: return JVMTI_ERROR_INVALID_SLOT;
    case LOCAL_TYPE: return JVMTI_ERROR_TYPE_MISMATCH;
    case LOCAL_NO_MEMORY: return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    return JVMTI_ERROR_INTERNAL;
}

/* JDK 17 reads and changes the variables of threads that run too, newer ones demand that the thread is suspended. */
static jvmtiError thread_error(const struct java_thread *t, const struct java_thread *self) {
    return vm->library == LIBRARY_17 ? JVMTI_ERROR_NONE : jvmti_frame_error(t, self);
}

static void access_op(void *arg, struct java_thread *t) {
    struct local_access *a = arg;
    uint64_t *place;
    a->err = thread_error(t, a->self);
    if (a->err) return;
    a->err = error_of(
        local_find(t, a->depth, a->slot, a->kind, a->store, a->kind == 'L' ? slot_object(a->value) : NULL, &place));
    if (a->err) return;
    if (a->store) *place = a->value;
    else a->value = *place;
}

static jvmtiError access_local(struct os_thread *self, struct jvmti_thread thread, struct local_access *a) {
    REQUIRES(IN_VM);
    a->self = self->java;
    return thread_handshake(self, thread.java, thread.object, access_op, a) ? a->err : JVMTI_ERROR_THREAD_NOT_ALIVE;
}

static jvmtiError give_handle(struct os_thread *self, struct object *o, jobject *out) {
    REQUIRES(IN_VM);
    jobject handle = handle_local(self, o);
    if (o && handle == NULL) {
        self->exception = NULL;
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    *out = handle;
    return JVMTI_ERROR_NONE;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

jvmtiError jvmti_get_local_object(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread, jint depth,
                                  jint slot, jobject *value_ptr) {
    (void)env;
    struct local_access a = {.depth = depth, .slot = slot, .kind = 'L'};
    jvmtiError err = access_local(self, thread, &a);
    return err ? err : give_handle(self, slot_object(a.value), value_ptr);
}

#define GET_LOCAL(name, type, letter) \
    jvmtiError jvmti_get_local_##name(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread, \
        jint depth, jint slot, \
                                      type *value_ptr) { \
        (void)env; \
        struct local_access a = {.depth = depth, .slot = slot, .kind = letter}; \
        jvmtiError err = access_local(self, thread, &a); \
        if (err == JVMTI_ERROR_NONE) memcpy(value_ptr, &a.value, sizeof *value_ptr); \
        return err; \
    }
GET_LOCAL(int, jint, 'I')
GET_LOCAL(long, jlong, 'J')
GET_LOCAL(float, jfloat, 'F')
GET_LOCAL(double, jdouble, 'D')

static void receiver_op(void *arg, struct java_thread *t) {
    struct local_access *a = arg;
    struct object *receiver = NULL;
    a->err = thread_error(t, a->self);
    if (a->err == JVMTI_ERROR_NONE) a->err = error_of(local_receiver(t, a->depth, &receiver));
    a->value = slot_ref(receiver);
}

jvmtiError jvmti_get_local_instance(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                    jint depth, jobject *value_ptr) {
    (void)env;
    struct local_access a = {.self = self->java, .depth = depth};
    if (!thread_handshake(self, thread.java, thread.object, receiver_op, &a)) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    return a.err ? a.err : give_handle(self, slot_object(a.value), value_ptr);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

jvmtiError jvmti_set_local_object(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread, jint depth,
                                  jint slot, struct object *value) {
    (void)env;
    struct local_access a = {.depth = depth, .slot = slot, .kind = 'L', .store = true, .value = slot_ref(value)};
    return access_local(self, thread, &a);
}

#define SET_LOCAL(name, type, letter) \
    jvmtiError jvmti_set_local_##name(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread, \
        jint depth, jint slot, \
                                      type value) { \
        (void)env; \
        struct local_access a = {.depth = depth, .slot = slot, .kind = letter, .store = true}; \
        memcpy(&a.value, &value, sizeof value); \
        return access_local(self, thread, &a); \
    }
SET_LOCAL(int, jint, 'I')
SET_LOCAL(long, jlong, 'J')
SET_LOCAL(float, jfloat, 'F')
SET_LOCAL(double, jdouble, 'D')
