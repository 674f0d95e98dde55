/* jdk_internal_foreign_abi_UpcallLinker.c — function pointers that call Java (25): declined with the foreign linker. */
#include "jdk/natives.h"

static const struct native_binding bindings[] = {
    {"registerNatives", NULL, native_nothing, IN_BOTH},
    {"makeUpcallStub", NULL, native_unsupported, IN_BOTH},
};
const struct native_class natives_jdk_internal_foreign_abi_UpcallLinker = {"jdk/internal/foreign/abi/UpcallLinker",
                                                                           bindings, ARRAY_LEN(bindings), IN_25};
