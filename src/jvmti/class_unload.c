/* class_unload.c: the extension event ClassUnload: names are noted while the world is stopped, and sent by the thread
 * of delivery.c, which has a JNIEnv as the event demands. */
#include "base/os.h"
#include "jvmti/cost.h"
#include "jvmti/extension.h"
#include "jvmti_gen.h"
#include "probe/probe.h"

enum { CALLBACK_LOCAL_REFERENCES = 16 };

struct unload_queue {
    struct lock lock;                             /* guards what follows                                          */
    VEC(char *) names;                            /* internal form; mem_free                                      */
};

static struct unload_queue *queue(void) { return vm->jvmti->unloads; }

bool unload_queue_create(void) {
    struct unload_queue *q = mem_zalloc(sizeof *q);
    if (q == NULL) return false;
    lock_init(&q->lock, "unloaded classes", LOCK_RANK_TOOL_ENV);
    vm->jvmti->unloads = q;
    return true;
}

static void names_free(char **names, size_t count) {
    for (size_t i = 0; i < count; i++) mem_free(names[i]);
    mem_free(names);
}

void unload_queue_destroy(void) {
    struct unload_queue *q = queue();
    names_free(q->names.data, q->names.count);
    mem_free(q);
    vm->jvmti->unloads = NULL;
}

bool unload_queue_is_wanted(void) {
    for (struct jvmti_env *env = jvmti_first_env(); env; env = atomic_load(&env->next))
        if (atomic_load(&env->class_unload)) return true;
    return false;
}

/* ---- noting: world stopped --------------------------------------------------------------------------------------- */

static bool note_dead(void *arg, struct class *c) {
    struct unload_queue *q = arg;
    const struct class_holder *h = c->shape.holder;
    if (h == NULL || h->permanent || atomic_load(&h->marked) || class_is_array(c)) return true;
    size_t size = strlen(c->name->bytes) + 1;
    char *name = mem_alloc(size);
    if (name != NULL) memcpy(name, c->name->bytes, size);
    if (name != NULL && vec_push(&q->names, name)) return true;
    mem_free(name);
    log_warning(jvmti, "out of memory: a ClassUnload event is lost");
    return true;
}

void jvmti_on_gc_marked(struct os_thread *self) {
    REQUIRES(STOPPED | IN_VM);
    (void)self;
    struct unload_queue *q = queue();
    if (!unload_queue_is_wanted()) return;
    MAY_ALLOCATE("an event is lost, with a warning");
    lock_acquire(&q->lock);
    class_walk_all(note_dead, q);
    bool some = q->names.count != 0;
    lock_release(&q->lock);
    if (some) delivery_wake();
}

/* ---- sending ----------------------------------------------------------------------------------------------------- */

static void send(struct os_thread *self, struct jvmti_env *env, const char *name) {
    REQUIRES(IN_VM);
    jvmtiExtensionEvent callback = atomic_load(&env->class_unload);
    if (callback == NULL || atomic_load(&env->disposed) || jvmti_phase(env) != PHASE_LIVE) return;
    if (!handle_frame_push(self, CALLBACK_LOCAL_REFERENCES, false)) {
        self->exception = NULL;
        log_warning(jvmti_event, "ClassUnload: out of memory, the event is not sent");
        return;
    }
    log_debug(jvmti_event, "ClassUnload to environment %d", env->index);
    log_trace(jvmti, "[%d] event ClassUnload(name \"%s\")", env->index, name);
    int64_t start = jvmti_env_is_measured(env) ? os_nanotime() : 0;
    thread_to_native(self);
    callback((jvmtiEnv *)env, thread_env(self), name);
    thread_from_native(self);
    if (start != 0) jvmti_cost_of_event(env, JVMTI_COST_EXTENSION_EVENT, start, os_nanotime());
    handle_frame_pop(self);
    self->exception = NULL;
}

static void send_to_all(struct os_thread *self, const char *name) {
    REQUIRES(IN_VM);
    int index;
    for (struct jvmti_env *env = jvmti_first_env(); env; env = jvmti_next_env(env, index)) {
        index = env->index;
        send(self, env, name);
    }
}

void unload_queue_send(struct os_thread *self) {
    struct unload_queue *q = queue();
    lock_acquire(&q->lock);
    char **names = q->names.data;
    size_t count = q->names.count;
    q->names.data = NULL;
    q->names.count = q->names.capacity = 0;
    lock_release(&q->lock);
    for (size_t i = 0; i < count; i++) send_to_all(self, names[i]);
    names_free(names, count);
}

jvmtiError jvmti_set_class_unload_callback(struct jvmti_env *env, struct os_thread *self,
                                           jvmtiExtensionEvent callback) {
    if (callback != NULL && jvmti_phase(env) == PHASE_LIVE && !delivery_start(self)) return JVMTI_ERROR_OUT_OF_MEMORY;
    atomic_store(&env->class_unload, callback);
    probes_changed(self);
    return JVMTI_ERROR_NONE;
}
