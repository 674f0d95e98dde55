/* Java threads by their identity: questions and requests that find the carrier, if there is one. */
#include "thread/identity.h"

#include "thread/thread_internal.h"

/* ---- life and activity ------------------------------------------------------------------------------------------- */

enum thread_activity thread_activity(const struct java_thread *t) {
    if (thread_has_ended(t)) return ACTIVITY_ENDED;
    if (t->carrier == NULL) return ACTIVITY_UNMOUNTED;
    switch (atomic_load(&t->carrier->state)) {
    case THREAD_NEW: return ACTIVITY_STARTING;
    case THREAD_IN_VM: return ACTIVITY_RUNS;
    case THREAD_IN_NATIVE: return ACTIVITY_FOREIGN;
    case THREAD_BLOCKED: return ACTIVITY_WAITS;
    default: return ACTIVITY_ENDED;
    }
}

void thread_mark_ended(struct java_thread *t) {
    REQUIRES(IN_VM);
    uint8_t lives = LIFE_LIVES;
    atomic_compare_exchange_strong(&t->life, &lives, LIFE_ENDED);
}

/* ---- the operating-system thread --------------------------------------------------------------------------------- */

int thread_tid(const struct java_thread *t) { return t->carrier ? t->carrier->tid : 0; }

int64_t thread_cpu_ns(const struct java_thread *t, bool user_only) {
    REQUIRES_KEPT(t);
    if (t->carrier == NULL) return -1;
    return t->carrier->tid != 0 ? os_cpu_ns_of_tid(t->carrier->tid, user_only) : 0;
}

bool thread_c_stack(const struct java_thread *t, uintptr_t *low, uintptr_t *high) {
    if (t->carrier == NULL) return false;
    *low = t->carrier->c_stack_low;
    *high = t->carrier->c_stack_high;
    return true;
}

JNIEnv *thread_jni_env(const struct java_thread *t) {
    REQUIRES_KEPT(t);
    return t->carrier ? thread_env(t->carrier) : NULL;
}

struct java_thread *thread_of_env(const JNIEnv *env) {
    for (struct os_thread *c = carriers_first(); c; c = c->next)
        if (thread_env(c) == env) return c->java;
    return NULL;
}

const struct tlab *thread_tlab(const struct java_thread *t) {
    REQUIRES_KEPT(t);
    return t->carrier ? &t->carrier->tlab : NULL;
}

uint64_t thread_eetop(const struct java_thread *t) { return (uint64_t)(uintptr_t)t->carrier; }

static void set_system_name(struct os_thread *carrier, const char *name) {
    if (carrier == current_thread()) {
        os_thread_set_name(name);
        return;
    }
    char cut[16] = "";
    size_t n = strnlen(name, sizeof cut - 1);
    if (n == sizeof cut - 1)
        while (n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80) n--;
    memcpy(cut, name, n);
    pthread_setname_np((pthread_t)carrier->pthread, cut);
}

void thread_set_attaching(struct java_thread *t, bool attaching) { atomic_store(&t->attaching, attaching); }
bool thread_is_attaching(const struct java_thread *t) { return atomic_load(&t->attaching); }

void thread_set_name(struct java_thread *t, const char *name) {
    REQUIRES_KEPT(t);
    memset(t->name, 0, sizeof t->name);
    strncpy(t->name, name, sizeof t->name - 1);
    if (t->carrier) set_system_name(t->carrier, name);
}

struct os_thread *carriers_first(void) { return thread_list()->carriers; }

/* ---- requests ---------------------------------------------------------------------------------------------------- */

enum { OF_THREAD = POLL_SUSPEND | POLL_ASYNC_EXCEPTION | POLL_SINGLE_STEP | POLL_POP_FRAME | POLL_EARLY_RETURN };

/* Whoever keeps t keeps its carrier: it is mounted and unmounted in none of the ways in which a thread may be kept. */
void thread_ask(struct java_thread *t, uint32_t bits) {
    REQUIRES_KEPT(t);
    vm_assert(!(bits & ~(uint32_t)OF_THREAD), "asked of a Java thread what concerns its carrier");
    if (t->carrier) thread_request(t->carrier, bits);
    else atomic_fetch_or(&t->asked, bits);
}

void thread_unask(struct java_thread *t, uint32_t bits) {
    REQUIRES_KEPT(t);
    if (t->carrier) thread_unrequest(t->carrier, bits);
    else atomic_fetch_and(&t->asked, ~bits);
}

uint32_t thread_asked(const struct java_thread *t) {
    REQUIRES_KEPT(t);
    return atomic_load(t->carrier ? &t->carrier->attention : &t->asked) & (OF_THREAD | WATCH_ANY);
}

void thread_set_watch(struct java_thread *t, uint32_t watch) {
    REQUIRES_KEPT(t);
    _Atomic uint32_t *word = t->carrier ? &t->carrier->attention : &t->asked;
    uint32_t seen = atomic_load(word);
    while (!atomic_compare_exchange_weak(word, &seen, (seen & ~(uint32_t)WATCH_ANY) | watch)) {}
}

/* ---- what other rooms keep for it -------------------------------------------------------------------------------- */

void *thread_extend(struct java_thread *t, enum thread_room room, size_t bytes) {
    void *record = thread_extension(t, room);
    if (record) return record;
    void *fresh = mem_zalloc(bytes);
    if (!fresh || atomic_compare_exchange_strong(&t->extensions[room], &record, fresh)) return fresh;
    mem_free(fresh);
    return record;
}

/* ---- what it refers to ------------------------------------------------------------------------------------------- */

void java_thread_each_root(const struct java_thread *t, thread_root_visitor *visit, void *arg) {
    visit(arg, THREAD_ROOT_MIRROR, t->mirror);
    for (uint32_t i = 0; i < t->lock_count; i++) visit(arg, THREAD_ROOT_MONITOR, t->locks[i].object);
    visit(arg, THREAD_ROOT_MONITOR, t->blocked_object);
    visit(arg, THREAD_ROOT_OTHER, t->pending_async);
    visit(arg, THREAD_ROOT_OTHER, t->scoped_cache);
    if (t->request.is_reference) visit(arg, THREAD_ROOT_OTHER, (struct object *)(uintptr_t)t->request.value);
}

void carrier_each_root(const struct os_thread *t, thread_root_visitor *visit, void *arg) {
    visit(arg, THREAD_ROOT_OTHER, t->exception);
    visit(arg, THREAD_ROOT_OTHER, t->current_thread_object);
}

void thread_each_root(const struct java_thread *t, thread_root_visitor *visit, void *arg) {
    REQUIRES(STOPPED);
    java_thread_each_root(t, visit, arg);
    if (t->carrier) carrier_each_root(t->carrier, visit, arg);
}

static const struct handle_block *base_of(const struct handle_block *b) {
    while (b->previous != NULL && (b->overflow || b->pushed)) b = b->previous;
    return b;
}

void thread_each_local(const struct java_thread *t, thread_local_visitor *visit, void *arg) {
    REQUIRES(STOPPED);
    const struct handle_block *base = NULL;
    for (struct handle_block *b = t->carrier ? t->carrier->handles : NULL; b; b = b->previous) {
        if (base == NULL) base = base_of(b);
        for (uint32_t i = 0; i < b->used; i++)
            if (b->slots[i] && !visit(arg, base, (struct object *)(uintptr_t)b->slots[i])) return;
        if (b == base) base = NULL;
    }
}
