/* breakpoint.c: the Breakpoint chapter. Every environment has its own set; the engine counts. */
#include "exec/exec.h"
#include "jvmti_gen.h"
#include "probe/probe.h"

/* A method's id with the location where its version and mark stand. */
static uint64_t key_of(const struct method *m, int64_t location) { return ((uint64_t)(uintptr_t)method_id(m) & ~(uint64_t)0xffff) | (uint64_t)location; }
static struct method *method_of_key(uint64_t key) { return method_of_id((jmethodID)(uintptr_t)((key & ~(uint64_t)0xffff) | 1)); }

/* Object.<init> is not really called while nobody could tell. */
static void object_init_changed(struct os_thread *self, const struct method *m) {
    if (!(m->flags & METHOD_INIT) || m->holder != known_class(java_lang_Object)) return;
    const struct method_code *code = atomic_load(&((struct method *)m)->code);
    probe_watch_object_init(self, code_has_breakpoints(code) || code->owner->number != 0);
}

jvmtiError jvmti_set_breakpoint(struct jvmti_env *env, struct os_thread *self, struct method *method, jlocation location) {
    struct class *holder = method->holder;
    if (location < 0 || location > UINT16_MAX) return JVMTI_ERROR_INVALID_LOCATION;
    if (atomic_load(&holder->state) == CLASS_LOADED && !class_link(self, holder)) {
        self->exception = NULL;
        return JVMTI_ERROR_INVALID_METHODID;
    }
    if (!breakpoint_is_location(method, location)) return JVMTI_ERROR_INVALID_LOCATION;
    uint64_t key = key_of(method, location);
    jvmtiError err = JVMTI_ERROR_NONE;
    safepoint_begin(self, "SetBreakpoint");
    if (int_table_get(&env->breakpoints, key, NULL)) {
        err = JVMTI_ERROR_DUPLICATE;
    } else if (!int_table_put(&env->breakpoints, key, 0)) {
        err = JVMTI_ERROR_OUT_OF_MEMORY;
    } else if (!breakpoint_set(method, location)) {
        int_table_remove(&env->breakpoints, key, NULL);
        err = JVMTI_ERROR_OUT_OF_MEMORY;
    }
    safepoint_end(self);
    object_init_changed(self, method);
    return err;
}

jvmtiError jvmti_clear_breakpoint(struct jvmti_env *env, struct os_thread *self, struct method *method, jlocation location) {
    if (location < 0 || location > UINT16_MAX || !breakpoint_is_location(method, location)) return JVMTI_ERROR_INVALID_LOCATION;
    safepoint_begin(self, "ClearBreakpoint");
    bool found = int_table_remove(&env->breakpoints, key_of(method, location), NULL);
    if (found) breakpoint_clear(method, location);
    safepoint_end(self);
    object_init_changed(self, method);
    return found ? JVMTI_ERROR_NONE : JVMTI_ERROR_NOT_FOUND;
}

void jvmti_on_breakpoint(struct os_thread *self, struct frame *f) {
    uint64_t key = key_of(frame_method(f), frame_bci(f));
    int index;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = jvmti_next_env(env, index)) {
        index = env->index;
        if (int_table_get(&env->breakpoints, key, NULL)) jvmti_post_breakpoint(self, env, f->code, (jlocation)(key & 0xffff));
    }
}

/* ---- giving them back ------------------------------------------------------------------------------------------------------- */

static bool release_one(uint64_t key, uint64_t value, void *arg) {
    (void)value, (void)arg;
    struct method *m = method_of_key(key);           /* NULL: unloaded */
    if (m) breakpoint_clear(m, (int64_t)(key & 0xffff));
    return true;
}

void jvmti_breakpoints_release(struct os_thread *self, struct jvmti_env *env) {
    if (env->breakpoints.count == 0) return;
    if (self) safepoint_begin(self, "breakpoints given back");
    int_table_iterate(&env->breakpoints, release_one, NULL);
    int_table_free(&env->breakpoints);
    if (self) safepoint_end(self);
}

struct collected {
    const struct class *of;
    VEC(uint64_t) keys;
};

static bool collect_of_class(uint64_t key, uint64_t value, void *arg) {
    (void)value;
    struct collected *c = arg;
    struct method *m = method_of_key(key);
    return m == NULL || m->holder != c->of || vec_push(&c->keys, key);
}

void jvmti_breakpoints_forget(struct class *c) {
    for (struct jvmti_env *env = jvmti_first_env(); env; env = atomic_load(&env->next)) {
        struct collected found = {.of = c};
        int_table_iterate(&env->breakpoints, collect_of_class, &found);
        for (size_t i = 0; i < found.keys.count; i++) {
            int_table_remove(&env->breakpoints, found.keys.data[i], NULL);
            release_one(found.keys.data[i], 0, NULL);
        }
        vec_free(&found.keys);
    }
}
