/* jdk_internal_foreign_abi_UpcallLinker.c — C functions that call method handles (25). */
#include "jdk/foreign.h"
#include "jdk/natives.h"

#if FOREIGN_LINKER

/* (MethodHandle, ABIDescriptor, CallRegs, boolean needsReturnBuffer, long returnBufferSize)long */
static void make_stub(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    (void)m;
    const void *f = foreign_upcall_new(self, arg_object(args, 0), arg_object(args, 2), arg_long(args, 4));
    *result = (uint64_t)(uintptr_t)f;
}

#else
#define make_stub native_unsupported
#endif

static const struct native_binding bindings[] = {
    {"registerNatives", NULL, native_nothing, IN_BOTH},
    {"makeUpcallStub", NULL, make_stub, IN_BOTH},
};
const struct native_class natives_jdk_internal_foreign_abi_UpcallLinker = {"jdk/internal/foreign/abi/UpcallLinker",
                                                                           bindings, ARRAY_LEN(bindings), IN_25};
