/* code_queue.c — see code_queue.h. */
#include "jit/code_queue.h"

#include "base/log.h"
#include "jit/jit.h"
#include "link/link.h"
#include "thread/probe_point.h"

/* How long the end of the VM waits for a callback that has not returned. */
#define CALLBACK_PATIENCE_NS INT64_C(1000000000)

void code_queue_init(struct code_queue *q) { lock_init(&q->lock, "changes of compiled code", LOCK_RANK_CODE_CHANGES); }
void code_queue_free(struct code_queue *q) { vec_free(&q->changes); }

/* ---- queueing ---------------------------------------------------------------------------------------------------- */

static bool add(struct code_queue *q, struct code_change change) {
    lock_acquire(&q->lock);
    bool added = !q->ended && vec_push(&q->changes, change);
    if (!added && !q->ended) log_warning(jit, "out of memory: tools are not notified of compiled code");
    lock_release(&q->lock);
    struct java_thread *sender = atomic_load(&q->sender);
    if (added && sender != NULL) thread_unpark(sender);
    return added;
}

void code_queue_made(struct code_queue *q, const struct code_blob *b) {
    if (probe_wanted_by_world(b->pcs != 0 ? PROBE_compiled_method_load : PROBE_dynamic_code_generated))
        add(q, (struct code_change){b, b->method, NULL});
}

bool code_queue_goes(struct code_queue *q, const struct code_blob *b) {
    REQUIRES(STOPPED);
    if (b->pcs == 0 || !probe_wanted_by_world(PROBE_compiled_method_unload)) return false;
    MAY_ALLOCATE("an event is lost, with a warning");
    return add(q, (struct code_change){b, NULL, method_code_id(b->method)});
}

/* ---- sending ----------------------------------------------------------------------------------------------------- */

bool code_change_is_current(const struct code_change *change) {
    const struct code_blob *b = change->blob;
    return jit_blob_at(b) == b && b->method == change->code;
}

/* Those that were queued before the end are sent by the thread that ends. */
static void send_all(struct os_thread *self, struct code_queue *q, bool at_end, code_change_function *send) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    lock_acquire(&q->lock);
    while (!q->sends && q->ended == at_end && q->next < q->changes.count) {
        struct code_change change = q->changes.data[q->next++];
        if (q->next == q->changes.count) {
            vec_free(&q->changes);
            q->next = 0;
        }
        q->sends = true;
        lock_release(&q->lock);
        send(self, &change);
        lock_acquire(&q->lock);
        q->sends = false;
        cond_notify_all(&q->idle);
    }
    lock_release(&q->lock);
}

void code_queue_sender(struct os_thread *self) { atomic_store(&jit_queue()->sender, self->java); }
void code_queue_send(struct os_thread *self, code_change_function *send) {
    send_all(self, jit_queue(), false, send);
}

void code_queue_close(struct os_thread *self, code_change_function *send) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct code_queue *q = jit_queue();
    thread_block_begin(self);
    lock_acquire(&q->lock);
    q->ended = true;
    bool in_callback = atomic_load(&q->sender) == self->java;
    while (q->sends && !in_callback && cond_wait(&q->idle, &q->lock, CALLBACK_PATIENCE_NS)) continue;
    lock_release(&q->lock);
    thread_block_end(self);
    send_all(self, q, true, send);
}
