/* jdk_jfr_internal_JVM.c — Flight Recorder, which this VM declines. The library asks by calling isAvailable and drops
 * the answer: only that the function cannot be linked says "no". Everything that would record is then refused with the
 * library's own exceptions; what is called all the same answers as if no event were enabled. */
#include "jdk/natives.h"

static void no_recorder(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM);
    (void)args, (void)result;
    throw_message(self, "java/lang/UnsatisfiedLinkError", "%s.%s: this VM has no Flight Recorder",
                  m->holder->name->bytes, m->name->bytes);
}

static void nothing(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM);
    (void)self, (void)m, (void)args;
    *result = 0;
}

static const struct native_binding bindings[] = {
    {NULL, NULL, nothing, IN_BOTH},
    {"isAvailable", NULL, no_recorder, IN_BOTH},
};
const struct native_class natives_jdk_jfr_internal_JVM = {"jdk/jfr/internal/JVM", bindings, ARRAY_LEN(bindings),
                                                          IN_BOTH};
