/* unsafe_access.h — native methods of jdk.internal.misc.Unsafe that access a field, an element or memory elsewhere, and
 * its fence: compilers have instructions in their place. Where a tool could see that the method is not called, or JNI
 * has given it another function, POLL_LIBRARY says so in every thread. */
#ifndef VITRINE_EXEC_UNSAFE_ACCESS_H
#define VITRINE_EXEC_UNSAFE_ACCESS_H

#include "link/class.h"

enum unsafe_kind { UNSAFE_GET, UNSAFE_PUT, UNSAFE_COMPARE_AND_SET, UNSAFE_COMPARE_AND_EXCHANGE, UNSAFE_FENCE };
struct unsafe_access {
    uint8_t kind;                        /* enum unsafe_kind                                                       */
    char type;                           /* of what is accessed: the descriptor's letter                            */
    bool is_volatile;                    /* of a fence: what is stored before it is seen before what is read behind  */
};

/* False: m is none of them, has another function, or -XX:DisableIntrinsic names it. */
bool unsafe_access_of(const struct method *m, struct unsafe_access *out);
/* Whether fields that are watched are reported where such a method accesses them. World stopped. */
void unsafe_accesses_reported(bool on);
/* Such a method gets another function: no code does without the call any more. IN_VM, may stop. */
void unsafe_access_rebound(struct os_thread *self);

#endif
