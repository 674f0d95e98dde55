/* breakpoint.c: the Breakpoint chapter. Every environment has its own set; the engine counts. */
#include "exec/exec.h"
#include "jvmti_frequent.h"
#include "probe/probe.h"

/* A method's position, and the location. When the class goes its keys do (jvmti_breakpoints_forget). */
static uint64_t key_of(const struct method *m, int64_t location) { return method_position(m) | (uint64_t)location; }
static struct method *method_of_key(uint64_t key) { return method_at_position(key); }

/* Object.<init> is not really called while nobody can see the difference. */
static bool is_object_init(const struct method *m) {
    return m->flags & METHOD_INIT && m->holder == known_class(java_lang_Object);
}

static void object_init_changed(const struct method *m) {
    REQUIRES(STOPPED);
    const struct method_code *code = atomic_load(&m->code);
    probe_watch_object_init(code_has_breakpoints(code) || code->owner->number != 0);
}

/* The method that an id means by now, if it still has that location and env may set breakpoints. World stopped: until
 * then the class may have been unloaded or redefined, and env disposed of. */
static jvmtiError find(const struct jvmti_env *env, jmethodID id, jlocation location, struct method **out) {
    *out = method_of_id(id);
    jvmtiError err = jvmti_env_still_has(env, JVMTI_CAP_can_generate_breakpoint_events);
    if (err != JVMTI_ERROR_NONE) return err;
    if (*out == NULL) return JVMTI_ERROR_INVALID_METHODID;
    return breakpoint_is_location(*out, location) ? JVMTI_ERROR_NONE : JVMTI_ERROR_INVALID_LOCATION;
}

/* Locations are known of linked classes only. False: it cannot be linked. May reach safepoints; the class is alive at
 * the end. */
static bool link(struct os_thread *self, struct class *holder) {
    if (atomic_load(&holder->state) != CLASS_LOADED) return true;
    uint64_t held = slot_ref(class_mirror(holder));
    bool linked = class_link(self, holder);
    self->exception = NULL;
    thread_keep(&held);
    return linked;
}

jvmtiError jvmti_set_breakpoint(struct jvmti_env *env, struct os_thread *self, struct method *method,
                                jlocation location) {
    jmethodID id = method_id(method);
    if (location < 0 || location > UINT16_MAX) return JVMTI_ERROR_INVALID_LOCATION;
    if (!link(self, method->holder)) return JVMTI_ERROR_INVALID_METHODID;
    safepoint_begin(self, "SetBreakpoint");
    MAY_ALLOCATE("the call answers OUT_OF_MEMORY");
    jvmtiError err = find(env, id, location, &method);
    uint64_t key = err == JVMTI_ERROR_NONE ? key_of(method, location) : 0;
    bool is_init = err == JVMTI_ERROR_NONE && is_object_init(method);
    if (err != JVMTI_ERROR_NONE) {
        /* nothing to set */
    } else if (int_table_get(&env->breakpoints, key, NULL)) {
        err = JVMTI_ERROR_DUPLICATE;
    } else if (!int_table_put(&env->breakpoints, key, 0)) {
        err = JVMTI_ERROR_OUT_OF_MEMORY;
    } else if (!breakpoint_set(method, location)) {
        int_table_remove(&env->breakpoints, key, NULL);
        err = JVMTI_ERROR_OUT_OF_MEMORY;
    }
    if (is_init) object_init_changed(method);
    safepoint_end(self);
    if (is_init) probes_changed(self);
    return err;
}

jvmtiError jvmti_clear_breakpoint(struct jvmti_env *env, struct os_thread *self, struct method *method,
                                  jlocation location) {
    jmethodID id = method_id(method);
    if (location < 0 || location > UINT16_MAX) return JVMTI_ERROR_INVALID_LOCATION;
    safepoint_begin(self, "ClearBreakpoint");
    jvmtiError err = find(env, id, location, &method);
    bool is_init = err == JVMTI_ERROR_NONE && is_object_init(method);
    if (err == JVMTI_ERROR_NONE && !int_table_remove(&env->breakpoints, key_of(method, location), NULL))
        err = JVMTI_ERROR_NOT_FOUND;
    if (err == JVMTI_ERROR_NONE) breakpoint_clear(method, location);
    if (is_init) object_init_changed(method);
    safepoint_end(self);
    if (is_init) probes_changed(self);
    return err;
}

static NOINLINE void send_to_several(struct os_thread *self, struct frame *f) {
    REQUIRES(IN_VM | MAY_STOP);
    uint64_t key = key_of(frame_method(f), frame_bci(f));
    int index;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = jvmti_next_env(env, index)) {
        index = env->index;
        if (int_table_get(&env->breakpoints, key, NULL))
            jvmti_post_breakpoint(self, env, f->code, (jlocation)(key & 0xffff));
    }
}

void jvmti_on_breakpoint(struct os_thread *self, struct frame *f) {
    REQUIRES(IN_VM | MAY_STOP);
    struct jvmti_env *only = jvmti_only_env();
    if (UNLIKELY(only == NULL)) send_to_several(self, f);
    else if (f->code->code[frame_location(f)] == OP_breakpoint)    /* its own, unless that has just gone */
        jvmti_send_breakpoint(self, only, f->code, frame_location(f));
}

/* ---- giving them back -------------------------------------------------------------------------------------------- */

static bool release_one(uint64_t key, uint64_t value, void *arg) {
    (void)value, (void)arg;
    struct method *m = method_of_key(key);
    if (m) breakpoint_clear(m, (int64_t)(key & 0xffff));
    return true;
}

static bool release_own(uint64_t key, uint64_t value, void *arg) {
    const struct method *m = method_of_key(key);
    release_one(key, value, arg);
    if (m != NULL && is_object_init(m)) object_init_changed(m);
    return true;
}

void jvmti_breakpoints_release(struct os_thread *self, struct jvmti_env *env) {
    REQUIRES(IN_VM | MAY_STOP);
    if (env->breakpoints.count == 0) return;
    if (self) safepoint_begin(self, "breakpoints given back");
    int_table_iterate(&env->breakpoints, release_own, NULL);
    int_table_free(&env->breakpoints);
    if (self == NULL) return;
    safepoint_end(self);
    probes_changed(self);
}

/* Some of them: there is no memory to be had in a stop. */
struct collected {
    const struct class *of;
    size_t count;
    uint64_t keys[64];
};

static bool collect_of_class(uint64_t key, uint64_t value, void *arg) {
    (void)value;
    struct collected *c = arg;
    struct method *m = method_of_key(key);
    if (m != NULL && m->holder == c->of) c->keys[c->count++] = key;
    return c->count < ARRAY_LEN(c->keys);
}

void jvmti_breakpoints_forget(struct class *c) {
    REQUIRES(STOPPED);
    for (struct jvmti_env *env = jvmti_first_env(); env; env = atomic_load(&env->next)) {
        struct collected found = {.of = c};
        do {
            found.count = 0;
            int_table_iterate(&env->breakpoints, collect_of_class, &found);
            for (size_t i = 0; i < found.count; i++) {
                int_table_remove(&env->breakpoints, found.keys[i], NULL);
                release_one(found.keys[i], 0, NULL);
            }
        } while (found.count != 0);
    }
}
