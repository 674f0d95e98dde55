/* deadlock.h — cycles of threads that wait for each other. */
#ifndef VITRINE_JDK_DEADLOCK_H
#define VITRINE_JDK_DEADLOCK_H

#include "thread/thread.h"

/* What a thread waits for and who has it. */
struct thread_wait {
    struct object *object;    /* monitor's object or java.util.concurrent synchronizer; NULL: does not wait */
    bool is_monitor;
    struct java_thread *owner;    /* NULL: nobody we know */
};

/* concurrent: waiting for an AbstractOwnableSynchronizer counts too. World stopped. */
struct thread_wait thread_wait_of(struct java_thread *t, bool concurrent);

/* Calls visit for each cycle with its threads, each waiting for the next one and the last for the first. World stopped.
 * False: out of memory. */
bool deadlocks_find(bool concurrent, void (*visit)(void *arg, struct java_thread *const *cycle, size_t n), void *arg);

#endif
