/* cost.c: what each environment costs: events delivered and functions called, and the time of both, while
 * `Vitrine.agents measure=on` asks for it. Measured environments leave the short ways by what these test anyway: they
 * get no event "for all" threads, and have another magic number. So nothing is slower while nobody asks. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/os.h"
#include "jvmti/cost.h"
#include "jvmti_gen.h"
#include "probe/probe.h"

struct figures { _Atomic uint64_t count, nanos; };

struct jvmti_costs {
    int64_t began;
    struct figures events[JVMTI_EVENT_LAST - JVMTI_EVENT_FIRST + 1], calls[JVMTI_FUNCTION_LAST + 1];
};

static void add(struct figures *f, uint64_t count, int64_t nanos) {
    atomic_fetch_add_explicit(&f->count, count, memory_order_relaxed);
    atomic_fetch_add_explicit(&f->nanos, (uint64_t)nanos, memory_order_relaxed);
}

void jvmti_cost_of_call(const struct jvmti_call *call, int64_t nanos) {
    struct jvmti_costs *c = call->env != NULL ? atomic_load(&call->env->costs) : NULL;
    if (c != NULL) add(&c->calls[call->row - jvmti_function_rows], 1, nanos);
}

void jvmti_cost_of_event(const struct jvmti_env *env, jvmtiEvent event, uint64_t count, int64_t nanos) {
    struct jvmti_costs *c = atomic_load(&env->costs);
    if (c != NULL) add(&c->events[event - JVMTI_EVENT_FIRST], count, nanos);
}

void jvmti_cost_begin(struct jvmti_env *env) {
    struct jvmti_costs *fresh = mem_zalloc(sizeof *fresh);
    if (fresh == NULL) return;
    fresh->began = os_nanotime();
    mem_free(atomic_exchange(&env->costs, fresh));
    env->magic = JVMTI_ENV_MEASURED;
}

void jvmti_cost_forget(struct jvmti_env *env) {
    mem_free(atomic_exchange(&env->costs, NULL));
}

/* Nobody is between a look at an environment's figures and their use: that is done IN_VM. */
void jvmti_measure(struct os_thread *self, bool on) {
    REQUIRES(IN_VM | MAY_STOP);
    safepoint_begin(self, "Agents");
    MAY_ALLOCATE("an environment is not measured");
    atomic_store(&vm->jvmti->measures, on);
    for (struct jvmti_env *env = jvmti_first_env(); env != NULL; env = atomic_load(&env->next)) {
        if (on) jvmti_cost_begin(env);
        else env->magic = JVMTI_ENV_MAGIC;
    }
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
    rows[n] = (struct row){name, count, atomic_load(&f->nanos)};
    return n + 1;
}

void jvmti_cost_report(struct jvmti_env *env, FILE *out) {
    struct jvmti_costs *c = atomic_load(&env->costs);
    struct row rows[JVMTI_FUNCTION_LAST + 1];
    size_t n = 0;
    if (c == NULL) return;
    fprintf(out, "  Measured:       %.3f s%s\n", (double)(os_nanotime() - c->began) / 1e9,
            env->magic == JVMTI_ENV_MEASURED ? "" : " ago begun, ended");
    _Static_assert(ARRAY_LEN(c->events) <= ARRAY_LEN(rows), "rows for events");
    for (size_t i = 0; i < ARRAY_LEN(c->events); i++) n = collect(rows, n, jvmti_event_rows[i].name, &c->events[i]);
    put_rows(out, "Callbacks ran:", rows, n);
    n = 0;
    for (size_t i = 0; i < ARRAY_LEN(c->calls); i++) n = collect(rows, n, jvmti_function_rows[i].name, &c->calls[i]);
    put_rows(out, "Functions ran:", rows, n);
}
