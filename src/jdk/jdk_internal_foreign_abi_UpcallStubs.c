/* jdk_internal_foreign_abi_UpcallStubs.c — releasing C functions that call method handles. */
#include "jdk/natives.h"
#include "jdk/upcall_stub.h"

/* (long address)boolean: false if no stub has it. */
static void free_stub(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM);
    (void)self, (void)m;
    *result = upcall_stub_free((const void *)(uintptr_t)arg_long(args, 0));
}

static const struct native_binding bindings[] = {
    {"registerNatives", NULL, native_nothing, IN_BOTH},
    {"freeUpcallStub0", NULL, free_stub, IN_BOTH},
};
const struct native_class natives_jdk_internal_foreign_abi_UpcallStubs = {"jdk/internal/foreign/abi/UpcallStubs",
                                                                          bindings, ARRAY_LEN(bindings), IN_BOTH};
