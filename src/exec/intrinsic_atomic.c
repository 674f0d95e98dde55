/* intrinsic_atomic.c — methods of Unsafe that replace a value, or add to it, and give what was there. The library
 * does so by compareAndSet, again and again until it succeeds. Memory outside of objects is the library's; so are
 * fields while accesses to them are reported (unsafe_access.h). */
#include "exec/intrinsic.h"

#define FUNCTION(name) INTRINSIC_IF(name, !vm->exec->accesses_reported)
#define EXCHANGE(name, exchange, type)                                                                          \
    FUNCTION(name) {                                                                                            \
        if (args[1] == 0) return false;                                                                         \
        *result = exchange((_Atomic type *)(uintptr_t)(args[1] + args[2]), (type)args[4]);                      \
        return true;                                                                                            \
    }
EXCHANGE(get_and_add_int, atomic_fetch_add, uint32_t)
EXCHANGE(get_and_add_long, atomic_fetch_add, uint64_t)
EXCHANGE(get_and_set_int, atomic_exchange, uint32_t)
EXCHANGE(get_and_set_long, atomic_exchange, uint64_t)
