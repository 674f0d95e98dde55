/* The checks behind thread/contract.h; CHECK builds only. */
#include "thread/contract.h"

#include "base/alloc.h"
#include "thread/thread_internal.h"

#ifdef VITRINE_CHECK

/* How many functions on the calling thread's C stack have promised to reach no safepoint. */
static _Thread_local uint32_t promises;

static void fail(const char *condition, const char *function, const char *file, int line) {
    fatal("contract broken: %s requires %s (%s:%d)", function, condition, file, line);
}

void contract_may_stop(const char *function, const char *file, int line) {
    if (UNLIKELY(promises)) fail("that no caller has promised to reach no safepoint", function, file, line);
}

void contract_check(unsigned conditions, const char *function, const char *file, int line) {
    struct os_thread *self = current_thread();
    if (conditions & IN_VM && self && atomic_load(&self->state) != THREAD_IN_VM) fail("IN_VM", function, file, line);
    if (conditions & NO_PENDING && self && self->exception) fail("NO_PENDING", function, file, line);
    if (conditions & STOPPED && thread_list() && !safepoint_active()) fail("STOPPED", function, file, line);
    if (conditions & (NO_LOCK | MAY_STOP) && lock_held_below(LOCK_RANK_SAFEPOINT))
        fail("NO_LOCK", function, file, line);
    if (conditions & MAY_STOP) contract_may_stop(function, file, line);
}

int contract_promise(void) { return (int)++promises; }
void contract_keep(int *promise) { promises = (uint32_t)*promise - 1; }

static _Thread_local uint32_t allowances;

int contract_allow(void) { return (int)++allowances; }
void contract_forbid(int *allowed) { allowances = (uint32_t)*allowed - 1; }

void contract_allocates(void) {
    if (LIKELY(allowances != 0) || vm == NULL || thread_list() == NULL) return;
    if (!safepoint_active() || atomic_load(&thread_list()->stopper) != os_thread_id()) return;
    fatal("contract broken: C memory is taken in a stop for \"%s\", where MAY_ALLOCATE does not say why that may fail",
          current_thread() && current_thread()->held_reason ? current_thread()->held_reason : "no thread");
}

void contract_still(const struct java_thread *t, const char *function, const char *file, int line) {
    struct os_thread *self = current_thread();
    if (!self || self->java == t || lock_held_by_me(&t->hold) || safepoint_active()) return;
    fail("a thread that does not run", function, file, line);
}

void contract_kept(const struct java_thread *t, const char *function, const char *file, int line) {
    struct os_thread *self = current_thread();
    if (!self || self->java == t || self->pinned == t || lock_held_by_me(&thread_list()->lock) || safepoint_active())
        return;
    fail("a thread that cannot go meanwhile", function, file, line);
}

#endif
