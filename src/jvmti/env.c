/* env.c: the records behind jvmtiEnv: creation, disposal, per-thread records, start and end of the room. */
#include "jvmti/tools.h"

#include "base/alloc.h"
#include "jvmti/cost.h"
#include "jvmti_gen.h"
#include "jvmti/hooks.h"
#include "probe/probe.h"
#include "thread/identity.h"

#include <string.h>

/* ---- the slab ---------------------------------------------------------------------------------------------------- */

struct jvmti_env_chunk jvmti_first_chunk;
static struct jvmti_env_chunk *_Atomic chunks = &jvmti_first_chunk;
static struct jvmti_env *spare_first, *spare_last;   /* disposed of, the one that was so first in front; by ->next */
static unsigned spares;
static struct lock chunks_lock = LOCK_INIT("tool environment slab", SLAB);

enum { KEPT_SPARES = 32 };               /* so many disposed ones are still recognised                              */

/* The record of the environment that was disposed of first, if enough others have been since. Caller
 * holds chunks_lock. */
static struct jvmti_env *spare_take(void) {
    if (spares <= KEPT_SPARES) return NULL;
    struct jvmti_env *env = spare_first;
    spare_first = atomic_load(&env->next);
    spares--;
    struct jvmti_costs *costs = atomic_load(&env->costs);   /* to which a late call may still add */
    memset(env, 0, sizeof *env);
    atomic_store(&env->costs, costs);
    jvmti_cost_forget(env);
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
        if (p >= low && p < low + sizeof c->envs)
            return (p - low) % sizeof *c->envs == 0 && (p - low) / sizeof *c->envs < c->used;
    }
    return false;
}

bool jvmti_env_has_ended(const jvmtiEnv *env) {
    return jvmti_env_is_ours(env) && ((const struct jvmti_env *)env)->functions == &jvmti_functions_ended;
}

/* ---- creation and disposal --------------------------------------------------------------------------------------- */

struct jvmti_env *jvmti_env_new(jint version) {
    struct jvmti_env *env = slab_take();
    if (env == NULL) return NULL;
    env->functions = &jvmti_functions;
    env->magic = JVMTI_ENV_MAGIC;
    env->version = version;
    const char *agent = agent_starting() != NULL ? agent_starting() : "", *slash = strrchr(agent, '/');
    snprintf(env->agent, sizeof env->agent, "%s", slash != NULL ? slash + 1 : agent);
    lock_init(&env->callbacks_lock, "event callbacks", LOCK_RANK_PROBES);
    struct jvmti_state *state = vm->jvmti;
    lock_acquire(&state->lock);
    env->index = state->env_count++;
    if (atomic_load(&state->measures)) jvmti_cost_begin(env);
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
    if (atomic_exchange(&env->disposed, true)) return;      /* the end of its VM has given everything back */
    REQUIRES(IN_VM | MAY_STOP);
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

/* ---- per thread -------------------------------------------------------------------------------------------------- */

struct jvmti_thread_data *jvmti_thread_data(struct jvmti_env *env, struct java_thread *t, bool create) {
    for (struct jvmti_thread_data *d = thread_extension(t, EXT_JVMTI); d; d = d->next)
        if (d->env == env) return d;
    struct jvmti_thread_data *d = create ? mem_zalloc(sizeof *d) : NULL;
    if (d) {
        d->env = env;
        d->filter.filters = &env->filters;
        d->next = thread_extension(t, EXT_JVMTI);
        thread_extension_set(t, EXT_JVMTI, d);        /* the thread itself reads without the lock */
    }
    return d;
}

static void thread_data_free(struct jvmti_thread_data *d) {
    vec_free(&d->frame_pops);
    mem_free(d);
}

void jvmti_thread_data_forget(struct java_thread *t, struct jvmti_env *env) {
    struct jvmti_thread_data *kept = NULL, *next;
    for (struct jvmti_thread_data *d = thread_extension(t, EXT_JVMTI); d; d = next) {
        next = d->next;
        if (env == NULL || d->env == env) {
            thread_data_free(d);
        } else {
            d->next = kept;
            kept = d;
        }
    }
    thread_extension_set(t, EXT_JVMTI, kept);
}

void jvmti_thread_extension_free(void *record) {
    for (struct jvmti_thread_data *d = record, *next; d; d = next) {
        next = d->next;
        thread_data_free(d);
    }
}

/* ---- what the room wants of the probes --------------------------------------------------------------------------- */

enum vm_phase jvmti_phase(const struct jvmti_env *env) {
    if (env->functions == &jvmti_functions_ended) return PHASE_DEAD;
    enum vm_phase phase = (enum vm_phase)atomic_load(&vm->phase);
    bool early = phase == PHASE_PRIMORDIAL && atomic_load(&vm->jvmti->early_start) &&
                 jvmti_has(env, JVMTI_CAP_can_generate_early_vmstart);
    return early ? PHASE_START : phase;
}

/* Those of the events in mask that the phase does not rule out. */
static uint64_t allowed_in(enum vm_phase phase, uint64_t mask) {
    for (int e = JVMTI_EVENT_FIRST; mask != 0 && e <= JVMTI_EVENT_LAST; e++)
        if (!(jvmti_event_rows[e - JVMTI_EVENT_FIRST].phases >> phase & 1)) mask &= ~PROBE_MASK(e);
    return mask;
}

uint64_t jvmti_wanted_events(struct jvmti_env *env, struct java_thread *t) {
    uint64_t enabled = atomic_load(&env->enabled);
    if (t == NULL) enabled |= atomic_load(&env->enabled_somewhere);
    struct jvmti_thread_data *d = t ? jvmti_thread_data(env, t, false) : NULL;
    if (d) enabled |= atomic_load(&d->enabled);
    enum vm_phase phase = jvmti_phase(env);
    if (phase == PHASE_PRIMORDIAL && !jvmti_hook_is_early(env))
        enabled &= ~PROBE_MASK(JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);
    return allowed_in(phase, enabled & atomic_load(&env->has_callback));
}

/* Events enabled for t (or at all, for t NULL) that would be delivered now. For t NULL each environment's events are
 * computed anew, too: what it gets from any thread: all but VMStart, which it gets once. */
static uint64_t wanted(struct java_thread *t) {
    uint64_t mask = 0;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = atomic_load(&env->next)) {
        if (atomic_load(&env->class_unload)) mask |= PROBE_MASK(PROBE_vm_init) | PROBE_MASK(PROBE_gc_marked);
        if (atomic_load(&env->enabled_somewhere) & PROBE_MASK(JVMTI_EVENT_OBJECT_FREE))
            mask |= PROBE_MASK(PROBE_vm_init) | PROBE_MASK(JVMTI_EVENT_VM_DEATH);
        uint64_t deliverable = jvmti_wanted_events(env, t);
        mask |= deliverable;
        if (t == NULL)
            atomic_store(&env->for_all, jvmti_env_is_measured(env) ? 0
                                        : deliverable & atomic_load(&env->enabled) & ~PROBE_MASK(JVMTI_EVENT_VM_START));
    }
    return mask;
}

static void forget_thread(struct java_thread *t) { jvmti_thread_data_forget(t, NULL); }

static const struct probe_subscriber subscriber = {
    .name = "jvmti",
    .mask = wanted,
    .filter = jvmti_event_filter,
    .forget_thread = forget_thread,
    .frame_forgotten = jvmti_on_frame_forgotten,
    .breakpoints_go = jvmti_breakpoints_forget,
#define SUBSCRIBE_EVENT(name) .name = jvmti_on_##name,
#define SUBSCRIBE_OTHER(name)
#define PROBE(scope, interface, name, number, parameters, arguments) SUBSCRIBE_##interface(name)
#include "thread/probes.def"
#undef PROBE
    .gc_marked = jvmti_on_gc_marked,
};

/* The early start phase: only environments that have asked for it are notified now. */
void jvmti_early_start(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
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
    probe_subscribe(&subscriber);
    return true;
}

void jvmti_destroy(void) {
    if (vm->jvmti == NULL) return;
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
    if (vm->jvmti->jni_functions) jvmti_hooks.jni_replace(jvmti_hooks.jni_original());
    mem_free(vm->jvmti->jni_functions);
    freed_queue_destroy();
    unload_queue_destroy();
    mem_free(vm->jvmti);
    vm->jvmti = NULL;
}

/* ---- GetEnv ------------------------------------------------------------------------------------------------------ */

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
