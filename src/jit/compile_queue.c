/* compile_queue.c — see compile_queue.h. */
#include "jit/compile_queue.h"

#include "base/alloc.h"
#include "base/os.h"
#include "jit/baseline/baseline.h"
#include "thread/thread.h"

void compile_queue_init(struct compile_queue *q, uint32_t workers) {
    *q = (struct compile_queue){.most_started = MIN(workers, (uint32_t)MOST_WORKERS)};
    q->end = &q->first;
}

void compile_queue_free(struct compile_queue *q) {
    for (struct compile_request *r; (r = compile_queue_take(q)) != NULL;) mem_free(r);
    for (uint32_t i = 0; i < MOST_WORKERS; i++) {
        mem_free(atomic_load(&q->workers[i].current));
        baseline_destroy(q->workers[i].compiler);
    }
}

static size_t count_lookups(const struct lookup_cache *cache) {
    size_t n = 0;
    for (size_t i = 0; cache != NULL && i < ARRAY_LEN(cache->entries); i++) n += cache->entries[i].target != NULL;
    return n;
}

struct compile_request *compile_request_new(struct method_code *code, const struct code_blob *running) {
    REQUIRES(IN_VM);
    const struct os_thread *self = current_thread();
    const struct lookup_cache *cache = self->lookup_cache;
    size_t n = count_lookups(cache);
    struct compile_request *r = mem_zalloc(sizeof *r + n * sizeof *r->lookups);
    if (r == NULL) return NULL;
    *r = (struct compile_request){.code = code, .running = running, .looked = os_nanotime(), .asker = self->java,
                                  .watched = atomic_load_explicit(&self->attention, memory_order_relaxed) & WATCH_ANY};
    for (size_t i = 0; r->lookup_count < n; i++)
        if (cache->entries[i].target != NULL) r->lookups[r->lookup_count++] = cache->entries[i];
    return r;
}

void compile_queue_add(struct compile_queue *q, struct compile_request *r) {
    *q->end = r;
    q->end = &r->next;
    q->length++;
}

static bool is_any(const struct compile_request *r UNUSED, const void *arg UNUSED) { return true; }

struct compile_request *compile_queue_take(struct compile_queue *q) { return compile_queue_remove(q, is_any, NULL); }

struct compile_request *compile_queue_remove(struct compile_queue *q, compile_request_function *is_meant,
                                             const void *arg) {
    for (struct compile_request **at = &q->first, *r; (r = *at) != NULL; at = &r->next) {
        if (!is_meant(r, arg)) continue;
        *at = r->next;
        if (r->next == NULL) q->end = at;
        q->length--;
        return r;
    }
    return NULL;
}
