/* force_early_return.c: the Force Early Return chapter. */
#include "inspect/execution.h"
#include "jvmti_gen.h"

struct forced {
    const struct java_thread *self;
    char kind;
    uint64_t value;
    jvmtiError err;
};

static void force_op(void *arg, struct java_thread *t) {
    struct forced *forced = arg;
    forced->err = jvmti_frame_error(t, forced->self);
    if (forced->err == JVMTI_ERROR_NONE)
        forced->err = jvmti_frame_answer(frame_return_request(t, forced->kind, forced->value));
}

static jvmtiError force(struct os_thread *self, struct jvmti_thread thread, char kind, uint64_t value) {
    REQUIRES(IN_VM);
    struct forced forced = {.self = self->java, .kind = kind, .value = value};
    if (!thread_handshake(self, thread.java, thread.object, force_op, &forced)) return JVMTI_ERROR_THREAD_NOT_ALIVE;
    return forced.err;
}

jvmtiError jvmti_force_early_return_object(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                           struct object *value) {
    (void)env;
    return force(self, thread, 'L', slot_ref(value));
}

jvmtiError jvmti_force_early_return_int(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                        jint value) {
    (void)env;
    return force(self, thread, 'I', slot_int(value));
}

jvmtiError jvmti_force_early_return_long(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                         jlong value) {
    (void)env;
    return force(self, thread, 'J', (uint64_t)value);
}

jvmtiError jvmti_force_early_return_float(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                          jfloat value) {
    (void)env;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return force(self, thread, 'F', bits);
}

jvmtiError jvmti_force_early_return_double(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread,
                                           jdouble value) {
    (void)env;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return force(self, thread, 'D', bits);
}

jvmtiError jvmti_force_early_return_void(struct jvmti_env *env, struct os_thread *self, struct jvmti_thread thread) {
    (void)env;
    return force(self, thread, 'V', 0);
}
