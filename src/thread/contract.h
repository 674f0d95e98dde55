/* contract.h — what a function demands of its caller, said once in code and checked by the CHECK build.
 *
 *     bool class_link(struct os_thread *self, struct class *c) {
 *         REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
 *
 * The conditions concern the calling thread; one that the VM does not know yet, or any more, satisfies IN_VM and
 * NO_PENDING trivially. In other builds the macros are nothing. A violation is fatal and names function, condition and
 * place. REQUIRES adds no variable to the caller's frame: the CHECK build's frames are scanned, too. */
#ifndef VITRINE_THREAD_CONTRACT_H
#define VITRINE_THREAD_CONTRACT_H

#include "base/base.h"

struct java_thread;

enum contract {
    IN_VM = 1, /* the state is THREAD_IN_VM: the thread may touch objects */
    STOPPED = 2, /* the world is stopped */
    NO_PENDING = 4, /* no exception is pending */
    MAY_STOP = 8, /* the function may reach a safepoint: NO_LOCK, and no caller has promised not to */
    NO_LOCK = 16 /* the thread holds no internal lock, but for that of a stop of the world      */
};

#ifdef VITRINE_CHECK
void contract_check(unsigned conditions, const char *function, const char *file, int line);
void contract_still(const struct java_thread *t, const char *function, const char *file, int line);
void contract_kept(const struct java_thread *t, const char *function, const char *file, int line);
void contract_may_stop(const char *function, const char *file, int line);
int contract_promise(void);
void contract_keep(int *promise);
int contract_allow(void);
void contract_forbid(int *allowed);
/* base_hooks: C memory is about to be taken. */
void contract_allocates(void);

/* At the beginning of a function. */
#define REQUIRES(conditions) contract_check((conditions), __func__, __FILE__, __LINE__)
/* Until the function returns, the thread neither polls, blocks nor stops others. */
#define PROMISES_NO_SAFEPOINT() __attribute__((cleanup(contract_keep), unused)) int promise = contract_promise()
/* The thread that has stopped the world takes no C memory: a stop that needs some could fail where nothing may. Until
 * the end of the block it may nevertheless; `why` says what happens when there is none. */
#define MAY_ALLOCATE(why)                                     \
    _Static_assert(sizeof(why) > 1, "an exception has a reason"); \
    __attribute__((cleanup(contract_forbid), unused)) int allowed = contract_allow()
/* Thread t does not run: it is the calling one, the world is stopped, or the calling one has it in a handshake. That t
 * has no carrier is not enough: it may get one at any time. */
#define REQUIRES_STILL(t) contract_still((t), __func__, __FILE__, __LINE__)
/* Thread t stays: it is the calling one, the caller holds the list lock or has stopped the world, or it is in a
 * handshake with t. */
#define REQUIRES_KEPT(t) contract_kept((t), __func__, __FILE__, __LINE__)
/* Here the thread polls, blocks or stops others: nobody up the stack may have promised not to. */
#define STOPS_HERE() contract_may_stop(__func__, __FILE__, __LINE__)
#else
#define REQUIRES(conditions)    _Static_assert((conditions) != 0, "a contract says something")
#define PROMISES_NO_SAFEPOINT() _Static_assert(true, "")
#define MAY_ALLOCATE(why)       _Static_assert(sizeof(why) > 1, "an exception has a reason")
#define REQUIRES_STILL(t)       ((void)(t))
#define REQUIRES_KEPT(t)        ((void)(t))
#define STOPS_HERE()            ((void)0)
#endif

#endif
