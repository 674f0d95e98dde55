/* cost.c: what each environment costs: events delivered and functions called, the time of both, and the memory that
 * functions hand out, while `Vitrine.agents measure=true` asks for it. */
#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>

#include "base/os.h"
#include "jvmti/cost.h"
#include "probe/probe.h"

struct figures { _Atomic uint64_t count, amount; };      /* amount: ns or bytes */

struct jvmti_costs {
    _Atomic int64_t began, ended;                        /* ns; ended 0: not yet */
    struct figures events[JVMTI_COST_EXTENSION_EVENT - JVMTI_EVENT_FIRST + 1];
    struct figures calls[JVMTI_FUNCTION_LAST + 2];       /* the last one: functions that JVM TI has no number for */
    struct figures given, taken_back;
};

/* The innermost call of this thread that is measured. */
static _Thread_local struct jvmti_call *measured;

static void add(struct figures *f, uint64_t amount) {
    atomic_fetch_add_explicit(&f->count, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&f->amount, amount, memory_order_relaxed);
}

/* Where what began at `start` is to be added; NULL: nowhere. */
static struct jvmti_costs *costs_since(const struct jvmti_env *env, int64_t start) {
    if (!jvmti_env_is_measured(env)) return NULL;
    struct jvmti_costs *c = atomic_load(&env->costs);
    return start >= atomic_load(&c->began) ? c : NULL;
}

void jvmti_cost_enter(struct jvmti_call *call) {
    call->outer = measured;
    measured = call;
}

void jvmti_call_measured(struct jvmti_call *call) {
    measured = call->outer;
    struct jvmti_costs *c = costs_since(call->env, call->start);
    if (c == NULL) return;
    size_t offset = (size_t)((uintptr_t)call->row - (uintptr_t)jvmti_function_rows);
    add(&c->calls[MIN(offset / sizeof *call->row, ARRAY_LEN(c->calls) - 1)], (uint64_t)(os_nanotime() - call->start));
}

void jvmti_cost_of_event(const struct jvmti_env *env, int event, int64_t start, int64_t now) {
    struct jvmti_costs *c = costs_since(env, start);
    if (c != NULL) add(&c->events[event - JVMTI_EVENT_FIRST], (uint64_t)(now - start));
}

void jvmti_cost_of_block(void *p, bool given) {
    struct jvmti_costs *c = LIKELY(measured == NULL) ? NULL : costs_since(measured->env, measured->start);
    if (c != NULL && p != NULL) add(given ? &c->given : &c->taken_back, malloc_usable_size(p));
}

/* ---- the switch -------------------------------------------------------------------------------------------------- */

static void clear(struct figures *f, size_t n) {
    for (size_t i = 0; i < n; i++) {
        atomic_store(&f[i].count, 0);
        atomic_store(&f[i].amount, 0);
    }
}

void jvmti_cost_forget(struct jvmti_env *env) {
    struct jvmti_costs *c = atomic_load(&env->costs);
    if (c != NULL) atomic_store(&c->began, 0);
}

void jvmti_cost_begin(struct jvmti_env *env) {
    struct jvmti_costs *c = atomic_load(&env->costs);
    if (c == NULL) c = mem_zalloc(sizeof *c);
    if (c == NULL) return;
    atomic_store(&c->began, os_nanotime());              /* what runs now does not count any more */
    atomic_store(&c->ended, 0);
    clear(c->events, ARRAY_LEN(c->events));
    clear(c->calls, ARRAY_LEN(c->calls));
    clear(&c->given, 1);
    clear(&c->taken_back, 1);
    atomic_store(&env->costs, c);
    atomic_store(&env->magic, JVMTI_ENV_MEASURED);
}

static void cost_end(struct jvmti_env *env) {
    if (!jvmti_env_is_measured(env)) return;
    atomic_store(&env->magic, JVMTI_ENV_MAGIC);
    atomic_store(&atomic_load(&env->costs)->ended, os_nanotime());
}

/* The lock, because environments are made by threads that are not in the VM. */
void jvmti_measure(struct os_thread *self, bool on) {
    REQUIRES(IN_VM | MAY_STOP);
    struct jvmti_state *state = vm->jvmti;
    safepoint_begin(self, "Agents");
    MAY_ALLOCATE("an environment is not measured");
    lock_acquire(&state->lock);
    atomic_store(&state->measures, on);
    for (struct jvmti_env *env = jvmti_first_env(); env != NULL; env = atomic_load(&env->next))
        if (on) jvmti_cost_begin(env);
        else cost_end(env);
    lock_release(&state->lock);
    safepoint_end(self);
    probes_changed(self);
}

/* ---- report ------------------------------------------------------------------------------------------------------ */

struct row { const char *name; uint64_t count, nanos; };

static int slower_first(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    if (x->nanos != y->nanos) return x->nanos > y->nanos ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void put_rows(FILE *out, const char *title, struct row *rows, size_t n) {
    uint64_t count = 0, nanos = 0;
    for (size_t i = 0; i < n; i++) {
        count += rows[i].count;
        nanos += rows[i].nanos;
    }
    fprintf(out, "  %-15s %" PRIu64 ", %.3f ms\n", title, count, (double)nanos / 1e6);
    qsort(rows, n, sizeof *rows, slower_first);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "    %-32s %12" PRIu64 " %14.3f ms\n", rows[i].name, rows[i].count, (double)rows[i].nanos / 1e6);
}

static size_t collect(struct row *rows, size_t n, const char *name, struct figures *f) {
    uint64_t count = atomic_load(&f->count);
    if (name == NULL || count == 0) return n;
    rows[n] = (struct row){name, count, atomic_load(&f->amount)};
    return n + 1;
}

void jvmti_cost_report(struct jvmti_env *env, FILE *out) {
    struct jvmti_costs *c = atomic_load(&env->costs);
    struct row rows[ARRAY_LEN(c->calls)];
    size_t n = 0;
    if (c == NULL) return;
    int64_t began = atomic_load(&c->began), ended = atomic_load(&c->ended);
    if (began == 0) return;
    fprintf(out, "  Measured:       %.3f s%s\n", (double)((ended != 0 ? ended : os_nanotime()) - began) / 1e9,
            ended != 0 ? ", ended" : "");
    _Static_assert(ARRAY_LEN(c->events) <= ARRAY_LEN(rows), "rows for events");
    for (size_t i = 0; i < ARRAY_LEN(c->events) - 1; i++)
        n = collect(rows, n, jvmti_event_rows[i].name, &c->events[i]);
    n = collect(rows, n, "ClassUnload", &c->events[ARRAY_LEN(c->events) - 1]);
    put_rows(out, "Callbacks ran:", rows, n);
    n = 0;
    for (size_t i = 0; i < ARRAY_LEN(c->calls) - 1; i++)
        n = collect(rows, n, jvmti_function_rows[i].name, &c->calls[i]);
    n = collect(rows, n, "extension functions", &c->calls[ARRAY_LEN(c->calls) - 1]);
    put_rows(out, "Functions ran:", rows, n);
    fprintf(out, "  Memory:         given %" PRIu64 " bytes in %" PRIu64 " blocks, taken back %" PRIu64 " in %" PRIu64
            "\n", atomic_load(&c->given.amount), atomic_load(&c->given.count), atomic_load(&c->taken_back.amount),
            atomic_load(&c->taken_back.count));
}
