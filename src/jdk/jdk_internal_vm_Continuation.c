/* jdk_internal_vm_Continuation.c — continuations, which JVM_IsContinuationsSupported declines: virtual threads are
 * bound to platform threads, so that nothing is ever pinned and the library never enters one. */
#include "jdk/jvm.h"
#include "jdk/natives.h"

/* Reason 0: not pinned. */
static void not_pinned(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM);
    (void)self, (void)m, (void)args;
    *result = 0;
}

static const struct native_binding bindings[] = {
    {"registerNatives", NULL, native_nothing, IN_BOTH},
    {"pin", NULL, native_nothing, IN_BOTH},
    {"unpin", NULL, native_nothing, IN_BOTH},
    {"isPinned0", NULL, not_pinned, IN_BOTH},
    {"doYield", NULL, native_unsupported, IN_BOTH},
    {"enterSpecial", NULL, native_unsupported, IN_BOTH},
};
const struct native_class natives_jdk_internal_vm_Continuation = {"jdk/internal/vm/Continuation", bindings,
                                                                  ARRAY_LEN(bindings), IN_25};

/* What libjava's Continuation.registerNatives calls: the natives are bound already when the class is defined. */
JVM void JVM_RegisterContinuationMethods(JNIEnv *env, jclass c);
JVM void JVM_RegisterContinuationMethods(JNIEnv *env, jclass c) { (void)env, (void)c; }
