/* intrinsic.h — methods of the class library that a C function stands for, by the table exec/intrinsic.def.
 *
 * Where a tool could see that a method's own code does not run, it runs: while the thread steps or its method entries
 * and exits are posted, while a breakpoint is set in any class of the boot loader, and once the method has been
 * redefined with other code. A class that comes with other bytes than the library's is not bound at all. */
#ifndef VITRINE_EXEC_INTRINSIC_H
#define VITRINE_EXEC_INTRINSIC_H

#include "exec/exec_internal.h"

#define INTRINSIC(class_name, name, descriptor, function, library, id) \
    method_entry_function intrinsic_##function;                        \
    leaf_function leaf_##function;
#include "exec/intrinsic.def"
#undef INTRINSIC

/* Do -XX:DisableIntrinsic and -XX:ControlIntrinsic say so of the id that is the method's name behind a `_`? */
bool intrinsic_is_disabled(const char *method);

/* ---- for the functions ----------------------------------------------------------------------------------------- */

/* Begins the two functions of a row, which have the same body: it follows, (args, result) -> whether it has stood in.
 * The one is method.enter of its methods: the body is asked where it may stand in and `condition` holds; otherwise the
 * method's own code runs. The other, the leaf, compiled code calls from a stub that does the same (jit/natives.c). */
#define INTRINSIC_IF(name, condition)                                                                                 \
    static ALWAYS_INLINE bool name##_of(const uint64_t *args, uint64_t *result);                                      \
    bool leaf_##name(const uint64_t *args, uint64_t *result) { return name##_of(args, result); }                      \
    struct method *intrinsic_##name(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {     \
        bool done = intrinsic_may_stand_in(self) && (condition) && LIKELY(name##_of(args, result));                   \
        return done ? NULL : intrinsic_own_code(self, m, args, result);                                               \
    }                                                                                                                 \
    static ALWAYS_INLINE bool name##_of(const uint64_t *args UNUSED, uint64_t *result)
#define INTRINSIC_FUNCTION(name) INTRINSIC_IF(name, true)
/* Of rows with native methods: those are bound first, so that tools are notified. */
#define INTRINSIC_OF_NATIVE(name) INTRINSIC_IF(name, intrinsic_is_bound(m))

static inline bool intrinsic_is_bound(const struct method *m) {
    return m->entry != ENTRY_NATIVE || atomic_load_explicit(&m->native_code, memory_order_relaxed) != NULL;
}
static inline struct method *intrinsic_own_code(struct os_thread *self, struct method *m, uint64_t *args,
                                                uint64_t *result) {
    return UNLIKELY(m->entry == ENTRY_NATIVE) ? entry_native(self, m, args, result) : m;
}

/* May a function be called instead of the method's own code now? Thread: IN_VM, self; no poll until it has been. */
static inline bool intrinsic_may_stand_in(const struct os_thread *self) {
    return LIKELY(!thread_is_watched(self)) && LIKELY(vm->exec->library_breakpoints == 0);
}

static inline struct object *arg_array(const uint64_t *args, unsigned i) { return (struct object *)(uintptr_t)args[i]; }

/* Do `count` elements from `offset` lie in an array of `length`? */
static inline bool range_fits(int32_t offset, int32_t count, int32_t length) {
    return offset >= 0 && count >= 0 && offset <= length - count;
}

#endif
