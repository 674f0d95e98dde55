/* env.c: the records behind jvmtiEnv: creation, disposal, per-thread records, start and end of the room. */
#include "jvmti/tools.h"

#include "base/alloc.h"
#include "exec/frame.h"
#include "jvmti_gen.h"
#include "jdk/boot.h"
#include "jdk/thread_life.h"
#include "jni/jni_room.h"
#include "probe/probe.h"

#include <string.h>

/* ---- the slab ----------------------------------------------------------------------------------------------------- */

struct jvmti_env_chunk jvmti_first_chunk;
static struct jvmti_env_chunk *_Atomic chunks = &jvmti_first_chunk;
static struct jvmti_env *spare_first, *spare_last;   /* disposed of, the one that was so first in front; by ->next */
static unsigned spares;
static struct lock chunks_lock = LOCK_INIT("tool environment slab", SLAB);

enum { KEPT_SPARES = 32 };               /* so many disposed ones are still recognised                              */

/* The record of the environment that was disposed of first, if enough others have been since. Caller holds chunks_lock. */
static struct jvmti_env *spare_take(void) {
    if (spares <= KEPT_SPARES) return NULL;
    struct jvmti_env *env = spare_first;
    spare_first = atomic_load(&env->next);
    spares--;
    memset(env, 0, sizeof *env);
    return env;
}

static void spare_give(struct jvmti_env *env) {
    atomic_store(&env->next, NULL);
    lock_acquire(&chunks_lock);
    if (spares++ == 0) spare_first = env;
    else atomic_store(&spare_last->next, env);
    spare_last = env;
    lock_release(&chunks_lock);
}

static struct jvmti_env *slab_take(void) {
    lock_acquire(&chunks_lock);
    struct jvmti_env *env = spare_take();
    struct jvmti_env_chunk *c = atomic_load(&chunks);
    if (env == NULL && c->used == JVMTI_CHUNK_ENVS) {
        struct jvmti_env_chunk *fresh = mem_zalloc(sizeof *fresh);
        if (fresh != NULL) {
            fresh->next = c;
            atomic_store(&chunks, fresh);
        }
        c = fresh;
    }
    if (env == NULL && c != NULL) env = &c->envs[c->used++];
    lock_release(&chunks_lock);
    return env;
}

/* Is `env` the address of a record that was handed out? No lock, no read of *env. */
bool jvmti_env_is_ours(const jvmtiEnv *env) {
    for (struct jvmti_env_chunk *c = atomic_load(&chunks); c; c = c->next) {
        uintptr_t low = (uintptr_t)c->envs, p = (uintptr_t)env;
        if (p >= low && p < low + sizeof c->envs) return (p - low) % sizeof *c->envs == 0 && (p - low) / sizeof *c->envs < c->used;
    }
    return false;
}

bool jvmti_env_has_ended(const jvmtiEnv *env) {
    return jvmti_env_is_ours(env) && ((const struct jvmti_env *)env)->functions == &jvmti_functions_ended;
}

/* ---- creation and disposal ------------------------------------------------------------------------------------------ */

struct jvmti_env *jvmti_env_new(jint version) {
    struct jvmti_env *env = slab_take();
    if (env == NULL) return NULL;
    env->functions = &jvmti_functions;
    env->magic = JVMTI_ENV_MAGIC;
    env->version = version;
    lock_init(&env->callbacks_lock, "event callbacks", LOCK_RANK_PROBES);
    struct jvmti_state *state = vm->jvmti;
    lock_acquire(&state->lock);
    env->index = state->env_count++;
    if (state->last) atomic_store(&state->last->next, env);
    else atomic_store(&state->first, env);
    state->last = env;
    lock_release(&state->lock);
    log_debug(jvmti, "environment %d: created", env->index);
    return env;
}

struct jvmti_env *jvmti_env_after(int index) {
    struct jvmti_env *env = jvmti_first_env();
    while (env && env->index <= index) env = atomic_load(&env->next);
    return env;
}

/* World stopped. */
static void unlink_env(struct jvmti_env *env) {
    struct jvmti_state *state = vm->jvmti;
    lock_acquire(&state->lock);
    struct jvmti_env *before = NULL, *next = atomic_load(&env->next);
    for (struct jvmti_env *e = jvmti_first_env(); e != env; e = atomic_load(&e->next)) before = e;
    atomic_store(before ? &before->next : &state->first, next);
    if (next == NULL) state->last = before;
    lock_release(&state->lock);
}

void jvmti_env_dispose(struct os_thread *self, struct jvmti_env *env) {
    env->functions = &jvmti_functions_disposed;
    if (atomic_exchange(&env->disposed, true)) return;      /* the end of the VM has given everything back */
    atomic_store(&env->capabilities, 0);
    atomic_store(&env->enabled, 0);
    atomic_store(&env->has_callback, 0);
    atomic_store(&env->class_unload, NULL);
    atomic_store(&env->storage, NULL);
    probes_changed(self);
    jvmti_breakpoints_release(self, env);
    jvmti_watches_release(self, env, true, true);
    /* Threads look at their records without a lock, and a heap walk or a collection may be using the tags. */
    if (self) safepoint_begin(self, "DisposeEnvironment");
    for (struct java_thread *t = threads_first(); t; t = t->next) jvmti_thread_data_forget(t, env);
    struct tag_table *tags = atomic_exchange(&env->tags, NULL);
    if (tags) heap_tags_free(tags);
    jvmti_native_prefixes_free(env);
    int_table_free(&env->breakpoints);           /* empty by now, but for their memory                            */
    int_table_free(&env->access_watches);
    int_table_free(&env->modification_watches);
    log_debug(jvmti, "environment %d: disposed", env->index);
    if (self == NULL) return;
    unlink_env(env);
    safepoint_end(self);
    spare_give(env);
}

/* ---- per thread ------------------------------------------------------------------------------------------------------- */

struct jvmti_thread_data *jvmti_thread_data(struct jvmti_env *env, struct java_thread *t, bool create) {
    for (struct jvmti_thread_data *d = t->tool_data; d; d = d->next)
        if (d->env == env) return d;
    struct jvmti_thread_data *d = create ? mem_zalloc(sizeof *d) : NULL;
    if (d) {
        d->env = env;
        d->filter.filters = &env->filters;
        d->next = t->tool_data;
        t->tool_data = d;
    }
    return d;
}

void jvmti_thread_data_forget(struct java_thread *t, struct jvmti_env *env) {
    struct jvmti_thread_data *kept = NULL, *next;
    for (struct jvmti_thread_data *d = t->tool_data; d; d = next) {
        next = d->next;
        if (env == NULL || d->env == env) {
            vec_free(&d->frame_pops);
            mem_free(d);
        } else {
            d->next = kept;
            kept = d;
        }
    }
    t->tool_data = kept;
}

/* ---- what the room wants of the probes ---------------------------------------------------------------------------------- */

enum vm_phase jvmti_phase(const struct jvmti_env *env) {
    if (env->functions == &jvmti_functions_ended) return PHASE_DEAD;
    enum vm_phase phase = (enum vm_phase)atomic_load(&vm->phase);
    bool early = phase == PHASE_PRIMORDIAL && atomic_load(&vm->jvmti->early_start) && jvmti_has(env, JVMTI_CAP_can_generate_early_vmstart);
    return early ? PHASE_START : phase;
}

/* Those of the events in mask that the phase does not rule out. */
static uint64_t allowed_in(enum vm_phase phase, uint64_t mask) {
    for (int e = JVMTI_EVENT_FIRST; mask != 0 && e <= JVMTI_EVENT_LAST; e++)
        if (!(jvmti_event_rows[e - JVMTI_EVENT_FIRST].phases >> phase & 1)) mask &= ~PROBE_MASK(e);
    return mask;
}

uint64_t jvmti_wanted_events(struct jvmti_env *env, struct java_thread *t) {
    uint64_t enabled = t ? atomic_load(&env->enabled) : atomic_load(&env->enabled_somewhere);
    struct jvmti_thread_data *d = t ? jvmti_thread_data(env, t, false) : NULL;
    if (d) enabled |= d->enabled;
    enum vm_phase phase = jvmti_phase(env);
    if (phase == PHASE_PRIMORDIAL && !jvmti_hook_is_early(env)) enabled &= ~PROBE_MASK(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    return allowed_in(phase, enabled & atomic_load(&env->has_callback));
}

/* Events enabled for t (or at all, for t NULL) that would be delivered now. For t NULL each environment is told, too, what it gets from
 * any thread: all but VMStart, which it gets once. */
static uint64_t wanted(struct java_thread *t) {
    uint64_t mask = 0;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = atomic_load(&env->next)) {
        if (atomic_load(&env->class_unload)) mask |= PROBE_MASK(PROBE_VM_INIT) | PROBE_MASK(PROBE_GC_MARKED);
        uint64_t deliverable = jvmti_wanted_events(env, t);
        mask |= deliverable;
        if (t == NULL) atomic_store(&env->for_all, deliverable & atomic_load(&env->enabled) & ~PROBE_MASK(JVMTI_EVENT_VM_START));
    }
    return mask;
}

static void forget_thread(struct java_thread *t) { jvmti_thread_data_forget(t, NULL); }

/* For threads that end without telling the probes. */
static void thread_ends(struct os_thread *t) { jvmti_thread_data_forget(t->java, NULL); }

static void on_object_free(struct os_thread *self, int environment, int64_t tag) {
    (void)self;
    freed_queue_add(environment, tag);
}

static void on_vm_init(struct os_thread *self) {
    jvmti_post_vm_init(self);
    unload_queue_vm_init(self);
}

static void on_exception(struct os_thread *self, struct frame *f, struct object *e, struct method_code *catcher, int32_t catch_bci) {
    jvmti_post_exception(self, f->code, frame_location(f), e, catcher, catch_bci);
}
static void on_exception_catch(struct os_thread *self, struct frame *f, struct object *e) {
    jvmti_post_exception_catch(self, f->code, frame_bci(f), e);
}
static void on_single_step(struct os_thread *self, struct frame *f) { jvmti_post_single_step(self, f->code, frame_bci(f)); }
static void on_method_entry(struct os_thread *self, struct frame *f) { jvmti_post_method_entry(self, f->code); }
static void on_method_exit(struct os_thread *self, struct frame *f, bool by_exception, uint64_t value) {
    jvmti_post_method_exit(self, f->code, by_exception, (struct jvmti_slot){by_exception ? T_VOID : frame_method(f)->return_type, value});
}

static void on_monitor_waited(struct os_thread *self, struct object *o, bool timed_out) { jvmti_post_monitor_waited(self, o, timed_out); }
static void on_resource_exhausted(struct os_thread *self, int flags, const char *description) {
    jvmti_post_resource_exhausted(self, flags, NULL, description);
}
static void on_vm_object_alloc(struct os_thread *self, struct object *o) {
    jvmti_post_vm_object_alloc(self, o, class_of(o), (jlong)object_size(o));
}
static void on_sampled_object_alloc(struct os_thread *self, struct object *o) {
    struct event_filter *filter = atomic_load_explicit(&self->java->allocation_filter, memory_order_acquire);
    if (filter != NULL && !jvmti_ask_allocation_filter(filter, o)) return;
    jvmti_post_sampled_object_alloc(self, o, class_of(o), (jlong)object_size(o));
}

static const struct probe_subscriber subscriber = {
    .name = "jvmti",
    .mask = wanted,
    .filter = jvmti_event_filter,
    .forget_thread = forget_thread,
    .frame_forgotten = jvmti_on_frame_forgotten,
    .class_redefined = jvmti_breakpoints_forget,
    .vm_init = on_vm_init,
    .vm_death = jvmti_post_vm_death,
    .thread_start = jvmti_post_thread_start,
    .thread_end = jvmti_post_thread_end,
    .class_file_load = jvmti_post_class_file_load,
    .class_load = jvmti_post_class_load,
    .class_prepare = jvmti_post_class_prepare,
    .vm_start = jvmti_post_vm_start,
    .exception = on_exception,
    .exception_catch = on_exception_catch,
    .single_step = on_single_step,
    .frame_pop = jvmti_on_frame_pop,
    .breakpoint = jvmti_on_breakpoint,
    .field_access = jvmti_on_field_access,
    .field_modification = jvmti_on_field_modification,
    .method_entry = on_method_entry,
    .method_exit = on_method_exit,
    .monitor_wait = jvmti_post_monitor_wait,
    .monitor_waited = on_monitor_waited,
    .monitor_contended_enter = jvmti_post_monitor_contended_enter,
    .monitor_contended_entered = jvmti_post_monitor_contended_entered,
    .resource_exhausted = on_resource_exhausted,
    .vm_object_alloc = on_vm_object_alloc,
    .sampled_object_alloc = on_sampled_object_alloc,
    .virtual_thread_start = jvmti_post_virtual_thread_start,
    .virtual_thread_end = jvmti_post_virtual_thread_end,
    .data_dump_request = jvmti_post_data_dump_request,
    .gc_start = jvmti_post_garbage_collection_start,
    .gc_finish = jvmti_post_garbage_collection_finish,
    .object_free = on_object_free,
    .gc_marked = jvmti_on_gc_marked,
};

static void on_phase(struct os_thread *self, int phase) { probe_enter_phase(self, (enum vm_phase)phase); }

/* The early start phase: only environments that have asked for it are told now. */
static void on_early_start(struct os_thread *self) {
    atomic_store(&vm->jvmti->early_start, true);
    probes_changed(self);
    probe_vm_start(self);
}

bool jvmti_create(void) {
    vm->jvmti = mem_zalloc(sizeof *vm->jvmti);
    if (vm->jvmti == NULL) return false;
    lock_init(&vm->jvmti->lock, "tool environments", LOCK_RANK_TOOL_ENV);
    if (!freed_queue_create() || !unload_queue_create()) {
        if (vm->jvmti->freed) freed_queue_destroy();
        mem_free(vm->jvmti);
        vm->jvmti = NULL;
        return false;
    }
    thread_register_waker(freed_queue_end);
    thread_register_end(thread_ends);
    probe_subscribe(&subscriber);
    phase_hook = on_phase;
    early_start_hook = on_early_start;
    thread_started_hook = probe_thread_begin;
    thread_ending_hook = probe_thread_finish;
    jni_agent_lookup = agent_find_native;
    jni_method_prefixes = jvmti_native_prefixes;
    jni_bind_hook = jvmti_native_method_bind;
    return true;
}

void jvmti_destroy(void) {
    if (vm->jvmti == NULL) return;
    phase_hook = NULL;
    early_start_hook = NULL;
    thread_started_hook = NULL;
    thread_ending_hook = NULL;
    jni_agent_lookup = NULL;
    jni_method_prefixes = NULL;
    jni_bind_hook = NULL;
    for (struct jvmti_env *env = jvmti_first_env(), *next; env; env = next) {
        next = atomic_load(&env->next);
        atomic_store(&env->disposed, true);
        env->functions = &jvmti_functions_ended;
        struct tag_table *tags = atomic_exchange(&env->tags, NULL);
        if (tags) heap_tags_free(tags);
        jvmti_native_prefixes_free(env);
        spare_give(env);
    }
    agents_forget();
    if (vm->jvmti->jni_functions) jni_set_functions(jni_original_functions());
    mem_free(vm->jvmti->jni_functions);
    freed_queue_destroy();
    unload_queue_destroy();
    mem_free(vm->jvmti);
    vm->jvmti = NULL;
}

/* ---- GetEnv ------------------------------------------------------------------------------------------------------------- */

static bool version_is_known(jint version) {
    unsigned major = (unsigned)version >> 16 & 0xfff, minor = (unsigned)version >> 8 & 0xff;
    if (major == 1) return minor <= 2;
    return major >= 9 && major <= 28;
}

jint jvmti_get_env(JavaVM *java_vm, void **out, jint version) {
    (void)java_vm;
    if (!jvmti_is_version(version) || !version_is_known(version) || atomic_load(&vm->phase) == PHASE_DEAD) {
        *out = NULL;
        return JNI_EVERSION;
    }
    jint own = 0x30000000 + ((jint)vm->library << 16);
    struct jvmti_env *env = jvmti_env_new(version > own ? version : own);
    *out = env;
    return env ? JNI_OK : JNI_ENOMEM;
}
