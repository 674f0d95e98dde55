/* code_queue.h — what happens to compiled code, for those who are notified of it. Code is made where no thread may
 * stop, and goes while the world is stopped. So it is queued, if anybody wants to know, until a thread that may run
 * foreign code takes it (jdk/code_delivery.c), in the order in which it happened. */
#ifndef VITRINE_JIT_CODE_QUEUE_H
#define VITRINE_JIT_CODE_QUEUE_H

#include "base/lock.h"
#include "base/table.h"
#include "jit/cache.h"
#include "thread/thread.h"

#include <jni.h>

struct code_change {
    const struct code_blob *blob;
    struct method_code *code;            /* what it was made for; NULL: a stub, or it goes                         */
    jmethodID method;                    /* it goes: for identification; NULL: it has been made                    */
};

struct code_queue {
    struct lock lock;                    /* what follows                                                           */
    struct cond idle;                    /* `sends` was reset                                                      */
    VEC(struct code_change) changes;
    size_t next;                         /* the first of them that has not been taken                              */
    bool sends, ended;                   /* a thread notifies of one; no more are queued                            */
    struct java_thread *_Atomic sender;
};

void code_queue_init(struct code_queue *q);
void code_queue_free(struct code_queue *q);
/* b has been published. IN_VM, holds no lock. */
void code_queue_made(struct code_queue *q, const struct code_blob *b);
/* The code in b is compiled from a method that goes; nobody finds it any more. False: nobody wants to know; else its
 * room is given back (jit_give_back) when that has been said. World stopped. */
bool code_queue_goes(struct code_queue *q, const struct code_blob *b) MUST_CHECK;

/* Sends one change. IN_VM, may stop. */
typedef void code_change_function(struct os_thread *self, const struct code_change *change);
/* The calling thread is the one to be woken when there is something to send. */
void code_queue_sender(struct os_thread *self);
/* Sends what is queued, in the calling thread. IN_VM, may stop, holds no lock. */
void code_queue_send(struct os_thread *self, code_change_function *send);
/* The VM ends: waits a while for what is being sent, sends the rest, and takes nothing more. IN_VM, may stop. */
void code_queue_close(struct os_thread *self, code_change_function *send);
/* Is it still what was made? */
bool code_change_is_current(const struct code_change *change);

#endif
