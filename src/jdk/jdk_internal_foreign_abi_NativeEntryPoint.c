/* jdk_internal_foreign_abi_NativeEntryPoint.c — calls of C functions through method handles (25): a NativeEntryPoint's
 * stub is a foreign_function, by which MethodHandle.linkToNative makes the call. */
#include "base/alloc.h"
#include "jdk/foreign.h"
#include "jdk/jvm.h"
#include "jdk/natives.h"

JVM jboolean JVM_IsForeignLinkerSupported(void);
JVM jboolean JVM_IsForeignLinkerSupported(void) { return FOREIGN_LINKER; }

#if FOREIGN_LINKER

/* (MethodType, ABIDescriptor, VMStorage[] arguments, VMStorage[] results, boolean needsReturnBuffer, int capturedState,
 * boolean needsTransition)long: a critical function's call, which needs no transition, does without harm. */
static void make_stub(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING);
    foreign_entry_point_25(foreign_field(m->holder, "downcallStubAddress", "J"));
    struct foreign_function *f = foreign_function_new(self, arg_object(args, 0), arg_object(args, 2),
                                                      arg_object(args, 3));
    if (f != NULL) f->captures_errno = (arg_int(args, 5) & CAPTURE_ERRNO) != 0;
    *result = (uint64_t)(uintptr_t)f;
}

static void free_stub(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM);
    (void)self, (void)m;
    mem_free((void *)(uintptr_t)arg_long(args, 0));
    *result = 1;
}

#else
#define make_stub native_unsupported
#define free_stub native_unsupported
#endif

static const struct native_binding bindings[] = {
    {"registerNatives", NULL, native_nothing, IN_BOTH},
    {"makeDowncallStub", NULL, make_stub, IN_BOTH},
    {"freeDowncallStub0", NULL, free_stub, IN_BOTH},
};
const struct native_class natives_jdk_internal_foreign_abi_NativeEntryPoint = {
    "jdk/internal/foreign/abi/NativeEntryPoint", bindings, ARRAY_LEN(bindings), IN_25};
