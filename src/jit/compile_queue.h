/* compile_queue.h — what the optimising compiler has been asked for, and the threads that take it up.
 *
 *      request_code               take_request               compile_request
 *      asked for ---------------> waits ------------------> current of a worker ----> installed, or declined
 *                                   |                          |
 *                                   +----- dropped: what it was asked for is not there any more, or not hot
 *
 * A request holds nothing alive: whoever takes code, a class or a version of one away drops, in the same stop, the
 * requests that name it. All of it is guarded by the lock of compiled code (jit_state.lock), but for what a worker's
 * own thread does with its compiler. */
#ifndef VITRINE_JIT_COMPILE_QUEUE_H
#define VITRINE_JIT_COMPILE_QUEUE_H

#include "exec/engine.h"
#include "jit/cache.h"

struct compiler;
struct java_thread;

struct compile_request {
    struct compile_request *next;
    struct method_code *code;            /* NULL: dropped after a worker had taken it                              */
    const struct code_blob *running;     /* its code, which counts: nothing else may have come in its place          */
    uint32_t id;                         /* of the compilation                                                     */
    int64_t looked;                      /* when its method was last found to have done something                    */
    int32_t counter;                     /* guesses.until_optimised then                                           */
    const struct java_thread *asker;     /* may be gone: compared, not looked at                                    */
    uint32_t watched;                    /* what tools watched in it: bits of os_thread.attention                    */
    size_t lookup_count;
    struct lookup_entry lookups[];       /* what calls of interfaces had selected in it                              */
};

/* A thread that compiles. */
struct compile_worker {
    _Atomic(struct java_thread *) thread;        /* NULL: not yet there                                            */
    struct compile_request *_Atomic current;     /* set under the lock, by the worker; read by crash reports as well */
    struct compiler *compiler;           /* the worker's own                                                       */
};

enum { MOST_WORKERS = 8 };
struct compile_queue {
    struct compile_request *first, **end;
    uint32_t length;
    struct compile_worker workers[MOST_WORKERS];
    uint32_t started, most_started;      /* of the workers                                                         */
    bool starts;                         /* a thread is starting another one                                        */
};

void compile_queue_init(struct compile_queue *q, uint32_t workers);
void compile_queue_free(struct compile_queue *q);
/* Takes what the calling thread knows along. NULL: no memory. */
struct compile_request *compile_request_new(struct method_code *code, const struct code_blob *running);
void compile_queue_add(struct compile_queue *q, struct compile_request *r);
/* The oldest; NULL: there is none. */
struct compile_request *compile_queue_take(struct compile_queue *q);

typedef bool compile_request_function(const struct compile_request *r, const void *arg);
/* One of those that wait; the caller frees it. NULL: there is none of which is_meant is true. No memory is taken. */
struct compile_request *compile_queue_remove(struct compile_queue *q, compile_request_function *is_meant,
                                             const void *arg);

#endif
