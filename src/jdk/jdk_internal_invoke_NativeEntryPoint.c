/* jdk_internal_invoke_NativeEntryPoint.c — the incubating foreign linker of 17, declined: registers and adapters are
 * not to be had. */
#include "jdk/natives.h"

static const struct native_binding entry_point[] = {
    {"registerNatives", NULL, native_nothing, IN_BOTH},
    {"vmStorageToVMReg", NULL, native_unsupported, IN_BOTH},
};
const struct native_class natives_jdk_internal_invoke_NativeEntryPoint = {"jdk/internal/invoke/NativeEntryPoint",
                                                                          entry_point, ARRAY_LEN(entry_point), IN_17};

static const struct native_binding invoker[] = {
    {"registerNatives", NULL, native_nothing, IN_BOTH},
    {"invokeNative", NULL, native_unsupported, IN_BOTH},
    {"generateAdapter", NULL, native_unsupported, IN_BOTH},
};
const struct native_class natives_jdk_internal_foreign_abi_ProgrammableInvoker = {
    "jdk/internal/foreign/abi/ProgrammableInvoker", invoker, ARRAY_LEN(invoker), IN_17};

static void not_optimized(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM);
    (void)self, (void)m, (void)args;
    *result = 0;
}
static const struct native_binding upcall[] = {
    {"registerNatives", NULL, native_nothing, IN_BOTH},
    {"supportsOptimizedUpcalls", NULL, not_optimized, IN_BOTH},
    {"allocateOptimizedUpcallStub", NULL, native_unsupported, IN_BOTH},
    {"allocateUpcallStub", NULL, native_unsupported, IN_BOTH},
};
const struct native_class natives_jdk_internal_foreign_abi_ProgrammableUpcallHandler = {
    "jdk/internal/foreign/abi/ProgrammableUpcallHandler", upcall, ARRAY_LEN(upcall), IN_17};
