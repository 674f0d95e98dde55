/* intrinsic_atomic.c — methods of Unsafe that replace a value, or add to it, and give what was there: the library does
 * that by compareAndSet, again and again until it succeeds. Memory outside of objects is the library's; so are fields
 * while accesses to them are reported (unsafe_access.h). */
#include "exec/intrinsic.h"

#define FUNCTION(name) INTRINSIC_IF(name, !vm->exec->accesses_reported)
#define PLACE(type) ((_Atomic type *)(uintptr_t)(args[1] + args[2]))

FUNCTION(get_and_add_int) {
    if (args[1] == 0) return false;
    *result = atomic_fetch_add(PLACE(uint32_t), (uint32_t)args[4]);
    return true;
}

FUNCTION(get_and_add_long) {
    if (args[1] == 0) return false;
    *result = atomic_fetch_add(PLACE(uint64_t), args[4]);
    return true;
}

FUNCTION(get_and_set_int) {
    if (args[1] == 0) return false;
    *result = atomic_exchange(PLACE(uint32_t), (uint32_t)args[4]);
    return true;
}

FUNCTION(get_and_set_long) {
    if (args[1] == 0) return false;
    *result = atomic_exchange(PLACE(uint64_t), args[4]);
    return true;
}
