/* background.c — see background.h. */
#include "jit/background.h"

#include <unistd.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/options.h"
#include "base/os.h"
#include "jit/compiled.h"
#include "jit/listing.h"
#include "thread/identity.h"

enum {
    WAITING = 2,                         /* more than these wait for each worker: there may be another one          */
    MILLISECOND = 1000000
};

uint32_t background_workers(void) {
    const struct vm_options *o = vm->options;
    bool in_turn = o->flags.SwitchTierEvery != 0 || o->flags.DeoptimizeEvery != 0;
    if (!o->optimises || !o->flags.BackgroundCompilation || o->mode != VM_MODE_MIXED || in_turn) return 0;
    int64_t all = o->flags.CICompilerCount, baseline = o->flags.TieredCompilation ? MAX(all / 3, 1) : 0;
    return (uint32_t)MAX(MIN(all - baseline, (int64_t)MOST_WORKERS), 1);
}

static void say(const struct method_code *code, const char *what, const char *why) {
    const struct method *m = code->method;
    log_debug(jit, "%s.%s%s %s%s", m->holder->name->bytes, m->name->bytes, m->desc->bytes, what, why);
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

bool waits_for_code(struct jit_state *j, const struct method_code *code) {
    return j->requests.most_started == 0 || !may_be_optimised(j, code) ||
           command_denies(&j->policy.commands, COMMAND_BackgroundCompilation, code->method);
}

/* Wakes one that has nothing to do. False: there is none. */
static bool wake_worker(struct compile_queue *q) {
    for (uint32_t i = 0; i < q->started; i++) {
        struct java_thread *t = atomic_load(&q->workers[i].thread);
        if (t == NULL || atomic_load(&q->workers[i].current) != NULL) continue;
        thread_unpark(t);
        return true;
    }
    return false;
}

bool request_code(struct jit_state *j, struct method_code *code, const struct code_blob *running) {
    struct compile_queue *q = &j->requests;
    struct guesses *g = guesses_of(j, code);
    if (g == NULL || g->requested) return false;
    struct compile_request *r = compile_request_new(code, running);
    if (r == NULL) return false;
    g->requested = true;
    r->id = ++j->last_id;
    r->counter = budget_again();
    compile_queue_add(q, r);
    say(code, "is to be optimised", "");
    if (wake_worker(q) || q->starts || q->started >= q->most_started) return false;
    q->starts = q->started == 0 || q->length > WAITING * q->started;
    return q->starts;
}

/* After so much a request that was dropped through no fault of the method's is made again. */
static int32_t ask_again(void) {
    enum { SOONER = 16 };
    return vm->options->optimising_budget / SOONER + 1;
}

/* ---- dropping ---------------------------------------------------------------------------------------------------- */

/* It may be asked for again, after so many turns. */
static void forget_request(struct jit_state *j, const struct method_code *code, int32_t turns, const char *why) {
    say(code, "is not to be optimised any more: ", why);
    struct guesses *g = ptr_table_get(&j->guesses, code);
    if (g == NULL) return;
    g->requested = false;
    g->until_optimised = turns;
}

static void drop_waiting(struct jit_state *j, compile_request_function *is_meant, const void *arg, int32_t turns,
                         const char *why) {
    for (struct compile_request *r; (r = compile_queue_remove(&j->requests, is_meant, arg)) != NULL; mem_free(r))
        forget_request(j, r->code, turns, why);
}

/* Those, too, that a worker has taken, and has not begun with. */
static void drop_requests(struct jit_state *j, compile_request_function *is_meant, const void *arg, int32_t turns,
                          const char *why) {
    struct compile_queue *q = &j->requests;
    drop_waiting(j, is_meant, arg, turns, why);
    for (uint32_t i = 0; i < MOST_WORKERS; i++) {
        struct compile_request *r = atomic_load(&q->workers[i].current);
        if (r == NULL || r->code == NULL || !is_meant(r, arg)) continue;
        forget_request(j, r->code, turns, why);
        r->code = NULL;
    }
}

static bool is_any(const struct compile_request *r UNUSED, const void *arg UNUSED) { return true; }
static bool is_for_code(const struct compile_request *r, const void *code) { return r->code == code; }
static bool is_for_version(const struct compile_request *r, const void *version) { return r->code->owner == version; }
static bool is_for_old(const struct compile_request *r, const void *class) {
    const struct method *m = r->code->method;
    return m->holder == class && atomic_load(&m->code) != r->code;
}

void drop_requests_for(struct jit_state *j, const struct method_code *code) {
    REQUIRES(STOPPED);
    drop_requests(j, is_for_code, code, vm->options->optimising_budget, "its code is made anew");
}

void drop_requests_of_version(struct jit_state *j, const struct class_version *v) {
    REQUIRES(STOPPED);
    drop_requests(j, is_for_version, v, vm->options->optimising_budget, "its class goes");
}

void drop_requests_of_old(struct jit_state *j, const struct class *c) {
    REQUIRES(STOPPED);
    drop_requests(j, is_for_old, c, budget_again(), "its class has been redefined");
}

/* Threads forget what calls of interfaces have selected in them when classes go (exec_class_ids_retired), and with them
 * those who have asked. */
void drop_all_requests(struct jit_state *j) {
    REQUIRES(STOPPED);
    drop_requests(j, is_any, NULL, ask_again(), "classes go");
}

/* ---- compiling --------------------------------------------------------------------------------------------------- */

/* Has nobody called its method, has no loop of it turned, for long? What is stale so is dropped by HotSpot, too. */
static bool has_cooled(const struct compile_request *r, const void *now) {
    return *(const int64_t *)now - r->looked > vm->options->flags.TieredCompileTaskTimeout * MILLISECOND;
}

static void look_at_requests(struct jit_state *j) {
    int64_t now = os_nanotime();
    for (struct compile_request *r = j->requests.first; r != NULL; r = r->next) {
        const struct guesses *g = ptr_table_get(&j->guesses, r->code);
        if (g == NULL || g->until_optimised == r->counter) continue;
        r->counter = g->until_optimised;
        r->looked = now;
    }
    drop_waiting(j, has_cooled, &now, vm->options->optimising_budget, "it has cooled down");
}

/* The next one becomes the worker's current one. */
static bool take_request(struct jit_state *j, struct compile_worker *w) {
    lock_acquire(&j->lock);
    look_at_requests(j);
    struct compile_request *r = compile_queue_take(&j->requests);
    atomic_store(&w->current, r);
    lock_release(&j->lock);
    return r != NULL;
}

/* What tools watch now in the thread that asked, if they did then: its code would do without what others may have. */
static uint32_t still_watched(struct os_thread *self, const struct compile_request *r) {
    uint32_t watched = 0;
    if (LIKELY(r->watched == 0)) return 0;
    threads_lock(self);
    for (struct java_thread *t = threads_first(); t != NULL; t = t->next)
        if (t == r->asker) watched = thread_asked(t) & WATCH_ANY;
    threads_unlock(self);
    return watched;
}

/* Is there nothing to do for the request any more? */
static bool is_over(struct jit_state *j, const struct compile_request *r) {
    return r->code == NULL || j->stopped || ptr_table_get(&j->blobs, r->code) != r->running ||
           !may_be_optimised(j, r->code);
}

/* The code is there, or there will be none that is optimised: then there is code that does not count. Loops that run
 * leave at their next turn, and find it. */
static const struct code_blob *end_request(struct jit_state *j, struct guesses *g, struct compilation *k,
                                           bool is_seen) {
    const struct code_blob *b = end_compilation(j, k);
    if (b == NULL && !j->stopped && !is_seen) {
        g->declined = true;
        b = compile_here(j, k->code, LEVEL_BASELINE);
    }
    g->requested = false;
    g->until_optimised = b != NULL ? 0 : budget_again();
    return b;
}

static bool is_hot_now(const struct method_code *code) {
    lock_acquire(&vm->jit->lock);
    bool is = is_hot(code);
    lock_release(&vm->jit->lock);
    return is;
}

static bool has_left_often_now(const struct method_code *code, uint32_t bci) {
    lock_acquire(&vm->jit->lock);
    bool has = has_left_often(code, bci);
    lock_release(&vm->jit->lock);
    return has;
}

static struct receivers_seen receivers_now(const struct method_code *code, uint32_t bci) {
    lock_acquire(&vm->jit->lock);
    struct receivers_seen seen = receivers_at(code, bci);
    lock_release(&vm->jit->lock);
    return seen;
}

static struct object *target_of_site_now(struct object *site) {
    lock_acquire(&vm->jit->lock);
    struct object *target = target_of_site(site);
    lock_release(&vm->jit->lock);
    return target;
}

static const struct code_blob *compile_request(struct jit_state *j, struct compile_worker *w,
                                               const struct compile_request *r, bool is_seen) {
    PROMISES_NO_SAFEPOINT();
    lock_acquire(&j->lock);
    if (is_over(j, r)) {
        if (r->code != NULL) forget_request(j, r->code, budget_again(), "it is the baseline compiler's");
        lock_release(&j->lock);
        return NULL;
    }
    struct guesses *g = guesses_of(j, r->code);
    vm_assert(g != NULL && g->requested, "a request without what is known of its method");
    struct compilation k = {.code = r->code, .level = LEVEL_OPTIMISED, .id = r->id};
    struct optimising_options how = options_of(j, g, &k, is_seen, (struct lookups){r->lookups, r->lookup_count});
    how.is_hot = is_hot_now;
    how.has_left_often = has_left_often_now;
    how.receivers_at = receivers_now;
    how.target_of = target_of_site_now;
    lock_release(&j->lock);
    int64_t begin = os_nanotime();
    k.why_not = optimising_compile(w->compiler, k.code, how, &k.made);
    k.nanos = os_nanotime() - begin;
    lock_acquire(&j->lock);
    vm_assert(r->code == k.code && (j->stopped || ptr_table_get(&j->blobs, k.code) == r->running),
              "what was compiled has other code: nobody may stop meanwhile");
    const struct code_blob *b = NULL;
    if (!j->stopped) b = end_request(j, g, &k, is_seen);
    else vec_free(&k.report.lines);      /* there is no room for more code                                         */
    lock_release(&j->lock);
    return b;
}

static void do_request(struct os_thread *self, struct jit_state *j, struct compile_worker *w) {
    REQUIRES(IN_VM | MAY_STOP);
    struct compile_request *r = atomic_load(&w->current);
    uint32_t watched = still_watched(self, r) | (watched_here() & POLL_LIBRARY);
    const struct code_blob *b = compile_request(j, w, r, watched != 0);
    if (b != NULL) code_made(j, b);
    lock_acquire(&j->lock);
    atomic_store(&w->current, NULL);
    lock_release(&j->lock);
    mem_free(r);
}

/* ---- the threads ------------------------------------------------------------------------------------------------- */

/* -XX:CompilationGate: until that file is there. The request may be dropped meanwhile. */
static void wait_for_gate(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    const char *gate = vm->options->flags.CompilationGate;
    while (gate != NULL && *gate != 0 && access(gate, F_OK) != 0) {
        thread_park(self, false, MILLISECOND);
        thread_poll(self);
    }
}

static void work(struct os_thread *self, void *worker) {
    REQUIRES(IN_VM);
    struct compile_worker *w = worker;
    atomic_store(&w->thread, self->java);
    for (;;) {
        while (take_request(vm->jit, w)) {
            wait_for_gate(self);
            do_request(self, vm->jit, w);
            thread_poll(self);
        }
        thread_is_interrupted(self->java, true);
        thread_park(self, false, 0);
        thread_poll(self);
        self->exception = NULL;          /* a stop request does not end it                                         */
    }
}

static bool start_thread(struct os_thread *self, struct compile_worker *w, uint32_t index) {
    REQUIRES(IN_VM | MAY_STOP);
    char name[32];
    snprintf(name, sizeof name, "C2 CompilerThread%u", index);
    return w->compiler != NULL && thread_start(self, NULL, 0, true, THREAD_HIDDEN, name, NULL, work, w);
}

/* Where no thread is to be had, methods are compiled by those that run them: thread_start has warned. */
void start_worker(struct jit_state *j, struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    struct compile_queue *q = &j->requests;
    struct compile_worker *w = &q->workers[q->started];
    if (w->compiler == NULL) w->compiler = baseline_create(&j->stubs);
    bool started = start_thread(self, w, q->started);
    lock_acquire(&j->lock);
    q->starts = false;
    q->started += started;
    if (!started) q->most_started = q->started;
    if (q->most_started == 0) drop_waiting(j, is_any, NULL, 1, "there is no thread for that");
    lock_release(&j->lock);
}

/* ---- looking at them --------------------------------------------------------------------------------------------- */

void jit_print_requests(FILE *out) {
    struct jit_state *j = vm->jit;
    struct compile_queue *q = &j->requests;
    fputs("Current compiles: \n", out);
    lock_acquire(&j->lock);
    for (uint32_t i = 0; i < q->started; i++) {
        const struct compile_request *r = atomic_load(&q->workers[i].current);
        if (r == NULL || r->code == NULL) continue;
        fprintf(out, "C2 CompilerThread%u  ", i);
        listing_request(out, r);
    }
    fputc('\n', out);
    if (j->used) fputs("Baseline compile queue:\nEmpty\n\n", out);
    if (j->used && vm->options->optimises) {
        fputs(q->first == NULL ? "Optimising compile queue:\nEmpty\n" : "Optimising compile queue:\n", out);
        for (const struct compile_request *r = q->first; r != NULL; r = r->next) listing_request(out, r);
        fputc('\n', out);
    }
    lock_release(&j->lock);
}

bool jit_current_compilation(const struct java_thread *t, char *text, size_t size) {
    for (uint32_t i = 0; vm->jit != NULL && i < MOST_WORKERS; i++) {
        const struct compile_worker *w = &vm->jit->requests.workers[i];
        const struct compile_request *r = atomic_load(&w->current);
        if (atomic_load(&w->thread) != t || r == NULL || r->code == NULL) continue;
        listing_current(text, size, r);
        return true;
    }
    return false;
}
