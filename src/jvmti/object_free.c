/* object_free.c: ObjectFree events: queued while the world is stopped, sent by the thread of delivery.c, one at a time.
 *
 * `queued` and `delivered` count entries, so that ForceGarbageCollection can wait for what its collection found. */
#include "base/table.h"
#include "jvmti/tools.h"
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
    size_t next;                                  /* the first of them that has not been sent                     */
    uint64_t queued, delivered;
    bool ending;                                  /* nothing more is queued, and nobody waits                     */
};

/* How long the end of the VM waits for a callback that has not returned. */
#define CALLBACK_PATIENCE_NS INT64_C(1000000000)

static struct freed_queue *queue(void) { return vm->jvmti->freed; }

bool freed_queue_create(void) {
    struct freed_queue *q = mem_zalloc(sizeof *q);
    if (q == NULL) return false;
    lock_init(&q->lock, "freed tags", LOCK_RANK_TAG);
    vm->jvmti->freed = q;
    return true;
}

void freed_queue_add(int environment, int64_t tag) {
    REQUIRES(STOPPED);
    struct freed_queue *q = queue();
    lock_acquire(&q->lock);
    bool first = q->tags.count == 0;
    MAY_ALLOCATE("an event is lost: the specification has no way to report it");
    if (!q->ending && vec_push(&q->tags, (struct freed_tag){environment, tag})) q->queued++;
    else if (!q->ending) log_warning(jvmti, "out of memory: an ObjectFree event is lost");
    lock_release(&q->lock);
    if (first) delivery_wake();
}

static struct jvmti_env *env_of_index(int index) {
    lock_acquire(&vm->jvmti->lock);
    struct jvmti_env *env = jvmti_first_env();
    while (env && env->index != index) env = atomic_load(&env->next);
    lock_release(&vm->jvmti->lock);
    return env;
}

bool freed_queue_is_wanted(void) {
    for (struct jvmti_env *env = jvmti_first_env(); env; env = atomic_load(&env->next))
        if (atomic_load(&env->enabled_somewhere) & PROBE_MASK(JVMTI_EVENT_OBJECT_FREE)) return true;
    return false;
}

void freed_queue_send(struct os_thread *self) {
    struct freed_queue *q = queue();
    lock_acquire(&q->lock);
    while (q->next < q->tags.count) {
        struct freed_tag freed = q->tags.data[q->next++];
        if (q->next == q->tags.count) {
            vec_free(&q->tags);
            q->next = 0;
        }
        lock_release(&q->lock);
        jvmti_post_object_free(self, env_of_index(freed.environment), freed.tag);
        lock_acquire(&q->lock);
        q->delivered++;
        if (q->delivered == q->queued) cond_notify_all(&q->changed);
    }
    lock_release(&q->lock);
}

static NOINLINE void wait_for_delivery(struct os_thread *self, struct freed_queue *q, int64_t patience) {
    thread_block_begin(self);
    lock_acquire(&q->lock);
    uint64_t wanted = q->queued;
    while (!q->ending && q->delivered < wanted && cond_wait(&q->changed, &q->lock, patience)) continue;
    lock_release(&q->lock);
    thread_block_end(self);
}

void freed_queue_flush(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    struct jvmti_state *s = vm->jvmti;
    if (atomic_load(&s->delivery_started) && atomic_load(&s->delivery_thread) != self->java)
        wait_for_delivery(self, queue(), COND_FOREVER);
}

void freed_queue_close(struct os_thread *self) {
    freed_queue_send(self);
    wait_for_delivery(self, queue(), CALLBACK_PATIENCE_NS);
    freed_queue_end();
}

void freed_queue_end(void) {
    if (vm->jvmti == NULL) return;
    struct freed_queue *q = queue();
    lock_acquire(&q->lock);
    q->ending = true;
    cond_notify_all(&q->changed);
    lock_release(&q->lock);
}

void freed_queue_destroy(void) {
    struct freed_queue *q = queue();
    vec_free(&q->tags);
    mem_free(q);
    vm->jvmti->freed = NULL;
}
