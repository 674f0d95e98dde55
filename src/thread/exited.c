/* Threads that end while they are attached. Java knows them as ended, and DestroyJavaVM does not wait for them: POSIX
 * notifies us by the destructor of a key. Its first call is passed over, so that a destructor of the program may use
 * the VM and detach the thread itself. */
#include "thread/exited.h"

#include <pthread.h>
#include <setjmp.h>

#include "thread/thread_internal.h"

static pthread_key_t key;
static bool has_key;

enum { SECOND_CALL = 1 };                /* in the value's lowest bit */

static void ended(void *value) {
    uintptr_t bits = (uintptr_t)value;
    if (!(bits & SECOND_CALL)) {
        pthread_setspecific(key, (void *)(bits | SECOND_CALL));
        return;
    }
    struct os_thread *self = (struct os_thread *)(bits & ~(uintptr_t)SECOND_CALL);
    if (thread_is_left(self)) {
        thread_forget_left(self);
        return;
    }
    jmp_buf end;                         /* where it comes to if the VM ends meanwhile */
    self->end_frame = &end;
    if (_setjmp(end) == 0) thread_hooks.exited(self);
    else thread_finish_end(current_thread());
}

void exited_drop_frames(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    self->segment->previous = NULL;
    self->java->frame = NULL;
    handle_release_all(self);
    monitor_exit_all(self);
}

bool exited_prepare(void) {
    if (!has_key) has_key = pthread_key_create(&key, ended) == 0;
    return has_key;
}

void exited_bind(struct os_thread *t) { pthread_setspecific(key, t); }

/* The library may be closed, and threads that it does not know of may end. */
__attribute__((destructor)) static void give_key_back(void) {
    if (has_key) pthread_key_delete(key);
}
