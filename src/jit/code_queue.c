/* code_queue.c — see code_queue.h. */
#include "jit/code_queue.h"

#include "base/alloc.h"
#include "base/log.h"
#include "jit/compiled.h"
#include "jit/pcs.h"
#include "link/link.h"
#include "thread/handle.h"
#include "thread/probe_point.h"

/* Something that happened to a blob. */
struct code_news {
    const struct code_blob *blob;
    struct method_code *code;            /* its own, when it was made; NULL: it goes                               */
    jmethodID method;                    /* when it goes: for identification                                       */
};

/* How long the end of the VM waits for a callback that has not returned. */
#define CALLBACK_PATIENCE_NS INT64_C(1000000000)

void code_queue_init(struct code_queue *q) { lock_init(&q->lock, "news of compiled code", LOCK_RANK_CODE_NEWS); }
void code_queue_free(struct code_queue *q) { vec_free(&q->news); }

/* ---- what is told of a blob -------------------------------------------------------------------------------------- */

/* The machine code before the frame's begin belongs to the first bytecode; what gives it up, to the one before; the
 * code behind the exits is the frame's begin again. */
static bool place_of(const struct pcs_row *row, int32_t before, int32_t *bci) {
    *bci = row->bci;
    if (row->bci == PCS_NO_FRAME && (row->from == 0 || before == PCS_LEAVING)) *bci = 0;
    return *bci >= 0;
}

static void add_places(struct code_report *r, const uint8_t *pcs, const uint8_t *end) {
    VEC(struct code_place) places = {0};
    int32_t before = 0, bci;
    for (struct pcs_row row = {0, 0}; pcs_next(&row, &pcs, end); before = row.bci) {
        if (!place_of(&row, before, &bci)) continue;
        if (places.count != 0 && vec_last(&places).offset == row.from) places.count--;   /* it needs no code        */
        if (places.count != 0 && vec_last(&places).bci == bci) continue;
        if (!vec_push(&places, (struct code_place){row.from, bci})) {
            vec_free(&places);
            return;
        }
    }
    r->places = places.data;
    r->place_count = (uint32_t)places.count;
}

static struct code_report report(const struct code_blob *b) {
    const uint8_t *begin = code_blob_begin(b);
    struct code_report r = {.name = b->name, .begin = begin, .length = b->length};
    if (b->pcs != 0) {
        r.method = method_code_id(b->method);
        r.length = b->pcs;
        add_places(&r, begin + b->pcs, begin + b->entries);
    } else if (b->method != NULL) {
        r.name = "interpreted";
    }
    return r;
}

bool code_report_next(const struct code_blob **at, struct code_report *out) {
    PROMISES_NO_SAFEPOINT();
    *at = jit_next_blob(*at);
    if (*at != NULL) *out = report(*at);
    return *at != NULL;
}

bool code_report_hold(struct os_thread *self, const struct code_report *r) {
    REQUIRES(IN_VM | NO_PENDING);
    struct object *mirror = class_mirror(method_of_id(r->method)->holder);
    if (!handle_frame_push(self, 1, false)) {
        self->exception = NULL;
        log_warning(jit, "out of memory: tools do not hear of compiled code");
        return false;
    }
    handle_local(self, mirror);
    return true;
}

/* Tells it to whoever wants it now. */
static void tell(struct os_thread *self, const struct code_report *r) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (r->method == NULL) {
        probe_dynamic_code_generated(self, r->name, r->begin, r->length);
    } else if (code_report_hold(self, r)) {
        probe_compiled_method_load(self, r);
        handle_frame_pop(self);
    }
}

void code_queue_tell_stubs(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct code_report r;
    for (const struct code_blob *at = NULL; code_report_next(&at, &r);) tell(self, &r);
}

/* ---- queueing ---------------------------------------------------------------------------------------------------- */

static bool add(struct code_queue *q, struct code_news news) {
    lock_acquire(&q->lock);
    bool added = !q->ended && vec_push(&q->news, news);
    if (!added && !q->ended) log_warning(jit, "out of memory: tools do not hear of compiled code");
    lock_release(&q->lock);
    struct java_thread *sender = atomic_load(&q->sender);
    if (added && sender != NULL) thread_unpark(sender);
    return added;
}

void code_queue_made(struct code_queue *q, const struct code_blob *b) {
    if (probe_wanted_by_world(b->pcs != 0 ? PROBE_compiled_method_load : PROBE_dynamic_code_generated))
        add(q, (struct code_news){b, b->method, NULL});
}

bool code_queue_goes(struct code_queue *q, const struct code_blob *b) {
    REQUIRES(STOPPED);
    if (b->pcs == 0 || !probe_wanted_by_world(PROBE_compiled_method_unload)) return false;
    MAY_ALLOCATE("an event is lost, with a warning");
    return add(q, (struct code_news){b, NULL, method_code_id(b->method)});
}

/* ---- sending ----------------------------------------------------------------------------------------------------- */

static void send(struct os_thread *self, const struct code_news *news) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const struct code_blob *b = news->blob;
    if (news->code == NULL) {
        probe_compiled_method_unload(self, news->method, code_blob_begin(b));
        jit_give_back(b);
    } else if (jit_blob_at(b) == b && b->method == news->code) {         /* else it is gone already                */
        struct code_report r = report(b);
        tell(self, &r);
        mem_free(r.places);
    }
}

/* Those that were queued before the end are sent by the thread that ends. */
static void send_all(struct os_thread *self, struct code_queue *q, bool at_end) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    lock_acquire(&q->lock);
    while (!q->sends && q->ended == at_end && q->next < q->news.count) {
        struct code_news news = q->news.data[q->next++];
        if (q->next == q->news.count) {
            vec_free(&q->news);
            q->next = 0;
        }
        q->sends = true;
        lock_release(&q->lock);
        send(self, &news);
        lock_acquire(&q->lock);
        q->sends = false;
        cond_notify_all(&q->idle);
    }
    lock_release(&q->lock);
}

void code_queue_sender(struct os_thread *self) { atomic_store(&jit_queue()->sender, self->java); }
void code_queue_send(struct os_thread *self) { send_all(self, jit_queue(), false); }

void code_queue_close(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct code_queue *q = jit_queue();
    thread_block_begin(self);
    lock_acquire(&q->lock);
    q->ended = true;
    bool in_callback = atomic_load(&q->sender) == self->java;
    while (q->sends && !in_callback && cond_wait(&q->idle, &q->lock, CALLBACK_PATIENCE_NS)) continue;
    lock_release(&q->lock);
    thread_block_end(self);
    send_all(self, q, true);
}
