/* patience.h — how long it pays to look for something before sleeping until it comes. Threads that take turns find
 * each other awake: a hand-over costs a microsecond then, and ten times that, or thirty, where one is to be woken. Who
 * would look in vain learns soon that it does not pay. */
#ifndef VITRINE_THREAD_PATIENCE_H
#define VITRINE_THREAD_PATIENCE_H

#include "base/base.h"

struct os_thread;

/* Starts as zeros, or with PATIENCE_FIRST. Racy: it decides about time alone. */
struct patience {
    _Atomic int32_t pauses;              /* to look for so long; not above 0: occasions not tried since it was 0   */
    _Atomic int32_t lost;                /* times in a row that it came to 0, up to a limit                       */
};

enum { PATIENCE_FIRST = 1000 };          /* pauses: more than it takes to wake a thread                           */

/* How many pauses to look now; 0: not at all. An occasion in 64 is tried though nothing has been gained lately, then,
 * as long as it goes on like that, one in 128, up to 4,096: who sleeps is late itself, so its partner's looking cannot
 * pay before its own does. */
int32_t patience_now(struct patience *p);
void patience_learn(struct patience *p, bool paid);

/* Processors of this machine, asked for once. */
uint32_t thread_processors(void);

/* Looks at *word, which said `seen`, for as long as it pays. True: it has changed. Stops and requests for the thread
 * end it. Caller is IN_VM. */
bool thread_looks(struct os_thread *self, struct patience *p, const _Atomic uint32_t *word, uint32_t seen);

#endif
