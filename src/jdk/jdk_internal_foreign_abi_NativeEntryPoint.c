/* jdk_internal_foreign_abi_NativeEntryPoint.c — calls out of Java through method handles (25): the foreign linker is
 * declined (JVM_IsForeignLinkerSupported), so that Linker.nativeLinker() refuses before it comes here. */
#include "jdk/natives.h"

static const struct native_binding bindings[] = {
    {"registerNatives", NULL, native_nothing, IN_BOTH},
    {"makeDowncallStub", NULL, native_unsupported, IN_BOTH},
    {"freeDowncallStub0", NULL, native_unsupported, IN_BOTH},
};
const struct native_class natives_jdk_internal_foreign_abi_NativeEntryPoint = {
    "jdk/internal/foreign/abi/NativeEntryPoint", bindings, ARRAY_LEN(bindings), IN_25};
