/* object_free.c: ObjectFree events: queued while the world is stopped, sent by a thread of the VM's own.
 *
 * The queue is a vector that the delivering thread takes as a whole; `queued` and `delivered` count entries, so that
 * ForceGarbageCollection can wait for what its collection found. */
#include <pthread.h>

#include "base/table.h"
#include "jvmti_gen.h"
#include "probe/probe.h"

struct freed_tag {
    int environment;
    int64_t tag;
};

struct freed_queue {
    struct lock lock;
    struct cond changed;                          /* queued or delivered grew                                     */
    VEC(struct freed_tag) tags;
    uint64_t queued, delivered;
    bool started, ending;                         /* ending: what is queued is sent, and nobody waits for it       */
    uintptr_t thread;                             /* its pthread_t                                                */
};

static struct freed_queue *queue(void) { return vm->jvmti->freed; }

bool freed_queue_create(void) {
    struct freed_queue *q = mem_zalloc(sizeof *q);
    if (q == NULL) return false;
    lock_init(&q->lock, "freed tags", LOCK_RANK_TAG);
    vm->jvmti->freed = q;
    return true;
}

void freed_queue_add(int environment, int64_t tag) {
    struct freed_queue *q = queue();
    lock_acquire(&q->lock);
    /* Short of memory an event is lost, as the specification allows no way to report it. */
    if (vec_push(&q->tags, (struct freed_tag){environment, tag})) q->queued++;
    else log_warning(jvmti, "out of memory: an ObjectFree event is lost");
    cond_notify_all(&q->changed);
    lock_release(&q->lock);
}

static struct jvmti_env *env_of_index(int index) {
    lock_acquire(&vm->jvmti->lock);
    struct jvmti_env *env = jvmti_first_env();
    while (env && env->index != index) env = atomic_load(&env->next);
    lock_release(&vm->jvmti->lock);
    return env;
}

static void deliver(void *arg) {
    struct freed_queue *q = arg;
    lock_acquire(&q->lock);
    for (;;) {
        while (q->tags.count == 0 && !q->ending) cond_wait(&q->changed, &q->lock, COND_FOREVER);
        if (q->tags.count == 0) break;
        struct freed_tag *tags = q->tags.data;
        size_t count = q->tags.count;
        q->tags.data = NULL;
        q->tags.count = q->tags.capacity = 0;
        lock_release(&q->lock);
        for (size_t i = 0; i < count; i++) jvmti_post_object_free(NULL, env_of_index(tags[i].environment), tags[i].tag);
        mem_free(tags);
        lock_acquire(&q->lock);
        q->delivered += count;
        cond_notify_all(&q->changed);
    }
    lock_release(&q->lock);
}

bool freed_queue_start(void) {
    struct freed_queue *q = queue();
    lock_acquire(&q->lock);
    bool start = !q->started;
    q->started = true;
    lock_release(&q->lock);
    if (!start || thread_start_internal("JVMTI ObjectFree", deliver, q, &q->thread)) return true;
    q->started = false;
    return false;
}

void freed_queue_flush(struct os_thread *self) {
    struct freed_queue *q = queue();
    thread_block_begin(self);
    lock_acquire(&q->lock);
    uint64_t wanted = q->queued;
    while (q->started && !q->ending && q->delivered < wanted) cond_wait(&q->changed, &q->lock, COND_FOREVER);
    lock_release(&q->lock);
    thread_block_end(self);
}

void freed_queue_end(void) {
    struct freed_queue *q = queue();
    lock_acquire(&q->lock);
    q->ending = true;
    cond_notify_all(&q->changed);
    lock_release(&q->lock);
}

void jvmti_stop_delivery(void) {
    struct freed_queue *q = vm->jvmti ? queue() : NULL;
    if (q == NULL) return;
    freed_queue_end();
    if (q->started) pthread_join((pthread_t)q->thread, NULL);
    q->started = false;
}

void freed_queue_destroy(void) {
    struct freed_queue *q = queue();
    jvmti_stop_delivery();
    vec_free(&q->tags);
    mem_free(q);
    vm->jvmti->freed = NULL;
}
