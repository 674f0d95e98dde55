/* watched_field.c: the Watched Field chapter. Every environment has its own two sets; the engine knows which fields
 * anybody watches. */
#include "exec/exec.h"
#include "jdk/natives.h"
#include "jvmti/extension.h"
#include "jvmti_frequent.h"

static uint64_t key_of(const struct field *f) { return (uint64_t)(uintptr_t)field_id(f); }

/* What all environments together want of a field. World stopped. */
static void update(struct field *f) {
    uint8_t watch = 0;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = atomic_load(&env->next)) {
        if (int_table_get(&env->access_watches, key_of(f), NULL)) watch |= FIELD_WATCH_ACCESS;
        if (int_table_get(&env->modification_watches, key_of(f), NULL)) watch |= FIELD_WATCH_MODIFICATION;
    }
    field_set_watch(f, watch);
}

/* The field that an id means by now, if env may still watch fields. World stopped: until then the class may have been
 * unloaded, and env disposed of. */
static jvmtiError find(const struct jvmti_env *env, int capability, uint64_t key, struct field **out) {
    *out = field_of_id((jfieldID)(uintptr_t)key);
    jvmtiError err = jvmti_env_still_has(env, capability);
    return err == JVMTI_ERROR_NONE && *out == NULL ? JVMTI_ERROR_INVALID_FIELDID : err;
}

static jvmtiError set(struct os_thread *self, const struct jvmti_env *env, int capability, struct int_table *watches,
                      struct field *f) {
    REQUIRES(IN_VM | MAY_STOP);
    uint64_t key = key_of(f);
    safepoint_begin(self, "field watch");
    MAY_ALLOCATE("the call answers OUT_OF_MEMORY");
    jvmtiError err = find(env, capability, key, &f);
    if (err == JVMTI_ERROR_NONE && int_table_get(watches, key, NULL)) err = JVMTI_ERROR_DUPLICATE;
    if (err == JVMTI_ERROR_NONE && !int_table_put(watches, key, 0)) err = JVMTI_ERROR_OUT_OF_MEMORY;
    if (err == JVMTI_ERROR_NONE) update(f);
    safepoint_end(self);
    return err;
}

static jvmtiError clear(struct os_thread *self, const struct jvmti_env *env, int capability, struct int_table *watches,
                        struct field *f) {
    REQUIRES(IN_VM | MAY_STOP);
    uint64_t key = key_of(f);
    safepoint_begin(self, "field watch");
    jvmtiError err = find(env, capability, key, &f);
    if (err == JVMTI_ERROR_NONE && !int_table_remove(watches, key, NULL)) err = JVMTI_ERROR_NOT_FOUND;
    if (err == JVMTI_ERROR_NONE) update(f);
    safepoint_end(self);
    return err;
}

jvmtiError jvmti_set_field_access_watch(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                        struct field *field) {
    (void)klass;
    return set(self, env, JVMTI_CAP_can_generate_field_access_events, &env->access_watches, field);
}

jvmtiError jvmti_clear_field_access_watch(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                          struct field *field) {
    (void)klass;
    return clear(self, env, JVMTI_CAP_can_generate_field_access_events, &env->access_watches, field);
}

jvmtiError jvmti_set_field_modification_watch(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                              struct field *field) {
    (void)klass;
    return set(self, env, JVMTI_CAP_can_generate_field_modification_events, &env->modification_watches, field);
}

jvmtiError jvmti_clear_field_modification_watch(struct jvmti_env *env, struct os_thread *self, struct class *klass,
                                                struct field *field) {
    (void)klass;
    return clear(self, env, JVMTI_CAP_can_generate_field_modification_events, &env->modification_watches, field);
}

/* ---- accesses by reflection, variable handles and Unsafe: on request --------------------------------------------- */

static struct class *unsafe_class(struct os_thread *self) { return class_find_boot(self, "jdk/internal/misc/Unsafe"); }

/* World stopped. */
static void update_reflective(struct class *unsafe) {
    bool on = false;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = atomic_load(&env->next)) on |= env->reflective_watches;
    unsafe_report_fields(unsafe, on);
}

static void set_reflective(struct os_thread *self, struct jvmti_env *env, bool on) {
    REQUIRES(IN_VM);
    struct class *unsafe = unsafe_class(self);           /* loaded long ago */
    safepoint_begin(self, "reflective field events");
    env->reflective_watches = on && !jvmti_env_is_gone(env);
    update_reflective(unsafe);
    safepoint_end(self);
}

jvmtiError JNICALL jvmti_extension_set_reflective_field_events(jvmtiEnv *env, ...) {
    static const struct jvmti_function_row row = {.name = "SetReflectiveFieldEvents",
                                                  .phases = 1u << PHASE_START | 1u << PHASE_LIVE,
                                                  .attached = true,
                                                  .built = true};
    va_list args;
    va_start(args, env);
    bool on = va_arg(args, int) != JNI_FALSE;
    va_end(args);
    struct jvmti_call call;
    jvmtiError err = jvmti_call_begin(&call, env, &row);
    if (err == JVMTI_ERROR_NONE) set_reflective(call.self, call.env, on);
    jvmti_call_end(&call);
    return err;
}

/* Is env to be notified of accesses in f? Of all intrinsics only those of Unsafe access fields. */
static bool applies(const struct jvmti_env *env, const struct frame *f) {
    return LIKELY(!(f->flags & FRAME_NATIVE)) || env->reflective_watches || frame_method(f)->entry != ENTRY_INTRINSIC;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* They come for fields that some environment watches so: if there is only one, it does. */

static NOINLINE void send_to_several_access(struct os_thread *self, struct frame *f, struct field *field,
                                         struct object *o) {
    REQUIRES(IN_VM | MAY_STOP);
    int index;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = jvmti_next_env(env, index)) {
        index = env->index;
        if (int_table_get(&env->access_watches, key_of(field), NULL) && applies(env, f))
            jvmti_post_field_access(self, env, f->code, frame_location(f), field->holder, o, field);
    }
}

void jvmti_on_field_access(struct os_thread *self, struct frame *f, struct field *field, struct object *o) {
    REQUIRES(IN_VM | MAY_STOP);
    struct jvmti_env *only = jvmti_only_env();
    if (UNLIKELY(only == NULL)) send_to_several_access(self, f, field, o);
    else if (applies(only, f))
        jvmti_send_field_access(self, only, f->code, frame_location(f), field->holder, o, field);
}

static struct jvmti_slot slot_of(const struct field *f, uint64_t value) { return (struct jvmti_slot){f->type, value}; }

static NOINLINE void send_to_several_modification(struct os_thread *self, struct frame *f, struct field *field,
                                               struct object *o, uint64_t value) {
    REQUIRES(IN_VM | MAY_STOP);
    int index;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = jvmti_next_env(env, index)) {
        index = env->index;
        if (int_table_get(&env->modification_watches, key_of(field), NULL) && applies(env, f))
            jvmti_post_field_modification(self, env, f->code, frame_location(f), field->holder, o, field,
                                          field->desc->bytes[0], slot_of(field, value));
    }
}

void jvmti_on_field_modification(struct os_thread *self, struct frame *f, struct field *field, struct object *o,
                                 uint64_t value) {
    REQUIRES(IN_VM | MAY_STOP);
    struct jvmti_env *only = jvmti_only_env();
    if (UNLIKELY(only == NULL)) send_to_several_modification(self, f, field, o, value);
    else if (applies(only, f))
        jvmti_send_field_modification(self, only, f->code, frame_location(f), field->holder, o, field,
                                      field->desc->bytes[0], slot_of(field, value));
}

/* ---- giving them back -------------------------------------------------------------------------------------------- */

static bool update_one(uint64_t key, uint64_t value, void *arg) {
    (void)value, (void)arg;
    struct field *f = field_of_id((jfieldID)(uintptr_t)key);             /* NULL: unloaded */
    if (f) update(f);
    return true;
}

static void release(struct int_table *watches) {
    struct int_table old = *watches;
    *watches = (struct int_table){0};
    int_table_iterate(&old, update_one, NULL);
    int_table_free(&old);
}

void jvmti_watches_release(struct os_thread *self, struct jvmti_env *env, bool access, bool modification) {
    REQUIRES(IN_VM | MAY_STOP);
    if (access && modification && env->reflective_watches && self) set_reflective(self, env, false);
    if (env->access_watches.count == 0 && env->modification_watches.count == 0) return;
    if (self) safepoint_begin(self, "field watches given back");
    if (access) release(&env->access_watches);
    if (modification) release(&env->modification_watches);
    if (self) safepoint_end(self);
}
