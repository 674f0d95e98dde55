/* jdk_internal_misc_ScopedMemoryAccess.c — closing a shared memory session while other threads may be inside an access
 * to it.
 *
 * An access runs in a method marked @Scoped that keeps the session in a local. No poll stands between its liveness
 * check and the access itself unless that method's frame is still there, so looking at the top frames of every stopped
 * thread shows who is inside. */
#include "base/table.h"
#include "jdk/natives.h"
#include "thread/identity.h"

/* Accesses are shallow: the @Scoped method is at most so many frames down. */
enum { SCOPED_DEPTH = 10 };

struct close_request {
    struct object *session;
    struct object *error;                /* thrown in those inside; NULL: only count them                        */
    bool found;
};

static bool is_inside(struct java_thread *t, struct object *session) {
    int depth = 0;
    for (struct frame_cursor c = frame_first(t); cursor_valid(&c) && depth < SCOPED_DEPTH; frame_next(&c), depth++) {
        const struct cf_member *member = cursor_code(&c)->member;
        if (member == NULL || !(member->vm_flags & CF_SCOPED)) continue;
        for (unsigned i = 0; i < cursor_local_count(&c); i++)
            if (slot_object(cursor_locals(&c)[i]) == session) return true;
        return false;
    }
    return false;
}

static void check_thread(void *arg, struct java_thread *t) {
    struct close_request *r = arg;
    if (!is_inside(t, r->session)) return;
    r->found = true;
    if (r->error == NULL) return;
    t->pending_async = r->error;
    thread_ask(t, POLL_ASYNC_EXCEPTION);
}

static void close_scope(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    (void)m;
    bool throwing = vm->library != LIBRARY_17;
    struct close_request r = {.session = arg_object(args, 1), .error = throwing ? arg_object(args, 2) : NULL};
    VEC(struct java_thread *) all = {0};
    bool ok = true;
    threads_lock(self);
    for (struct java_thread *t = threads_first(); t != NULL && ok; t = t->next)
        if (t != self->java) ok = vec_push(&all, t);
    threads_unlock(self);
    if (!ok) throw_out_of_memory(self, "closing a memory session");
    for (size_t i = 0; ok && i < all.count; i++) thread_handshake(self, all.data[i], NULL, check_thread, &r);
    vec_free(&all);
    if (!throwing) *result = !r.found;
}

static const struct native_binding bindings[] = {
    {"registerNatives", NULL, native_nothing, IN_BOTH},
    {"closeScope0", NULL, close_scope, IN_BOTH},
};
const struct native_class natives_jdk_internal_misc_ScopedMemoryAccess = {"jdk/internal/misc/ScopedMemoryAccess",
                                                                          bindings, ARRAY_LEN(bindings), IN_BOTH};
