/* code_queue.h — what tools are to hear of compiled code. Code is made where no thread may stop and goes while the
 * world is stopped, so what has happened is queued, if anybody wants it, and sent by a thread that may run foreign code
 * (jdk/code_delivery.c), in the order in which it happened. */
#ifndef VITRINE_JIT_CODE_QUEUE_H
#define VITRINE_JIT_CODE_QUEUE_H

#include "base/lock.h"
#include "base/table.h"
#include "jit/cache.h"
#include "thread/thread.h"

#include <jni.h>

/* From `offset` in the code on it is bci, up to the next place. */
struct code_place { uint32_t offset; int32_t bci; };

/* A blob as tools are told of it. */
struct code_report {
    jmethodID method;                    /* what it is the compiled code of; NULL: none's, as a stub                */
    const char *name;                    /* where that is NULL                                                     */
    const uint8_t *begin;
    uint32_t length;                     /* bytes; no tables                                                       */
    struct code_place *places;           /* offsets ascend, two in a row differ in bci; malloc'd                    */
    uint32_t place_count;                /* 0: none, or no memory for them                                         */
};

struct code_queue {
    struct lock lock;                    /* what follows                                                           */
    struct cond idle;                    /* `sends` was reset                                                      */
    VEC(struct code_news) news;
    size_t next;                         /* the first of them that has not been sent                               */
    bool sends, ended;                   /* a thread is sending one; no more are taken                              */
    struct java_thread *_Atomic sender;
};

void code_queue_init(struct code_queue *q);
void code_queue_free(struct code_queue *q);
/* b has been published. IN_VM, holds no lock. */
void code_queue_made(struct code_queue *q, const struct code_blob *b);
/* The code in b is compiled from a method that goes; nobody finds it any more. False: nobody wants to know; else its
 * room is given back (jit_give_back) when tools have been told. World stopped. */
bool code_queue_goes(struct code_queue *q, const struct code_blob *b) MUST_CHECK;

/* The calling thread is the one to be woken when there is something to send. */
void code_queue_sender(struct os_thread *self);
/* Sends what is queued, in the calling thread. IN_VM, may stop, holds no lock. */
void code_queue_send(struct os_thread *self);
/* Keeps the class of the report's method by a local reference in a frame of its own, which handle_frame_pop ends.
 * False: no memory. IN_VM. */
bool code_report_hold(struct os_thread *self, const struct code_report *r) MUST_CHECK;
/* The VM ends: waits a while for what is being sent, sends the rest, and takes nothing more. IN_VM, may stop. */
void code_queue_close(struct os_thread *self);
/* Sends, in the calling thread, which goes on to PRIMORDIAL, that there are stubs. */
void code_queue_tell_stubs(struct os_thread *self);

/* The published blob that follows the one at *at, or the first, *at being NULL; *at moves on to it. False: there is
 * none. The report's places are the caller's to free; its method's class is there at least until the thread's next
 * safepoint. IN_VM. */
bool code_report_next(const struct code_blob **at, struct code_report *out);

#endif
