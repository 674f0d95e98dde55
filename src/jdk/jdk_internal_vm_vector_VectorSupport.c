/* jdk_internal_vm_vector_VectorSupport.c — vector intrinsics: none, the library computes lane by lane. */
#include "jdk/natives.h"

static void no_intrinsics(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING);
    (void)self, (void)m, (void)args;
    *result = 0;
}

static void no_lanes(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING);
    (void)self, (void)m, (void)args;
    *result = slot_int(-1);
}

/* Chooses between compiled vector math libraries, which only intrinsics would call. */
static void cpu_features(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM);
    (void)m, (void)args;
    *result = slot_ref(string_from_cstr(self, ""));
}

static const struct native_binding bindings[] = {
    {"registerNatives", NULL, no_intrinsics, IN_BOTH},
    {"getMaxLaneCount", NULL, no_lanes, IN_BOTH},
    {"getCPUFeatures", NULL, cpu_features, IN_25},
};
const struct native_class natives_jdk_internal_vm_vector_VectorSupport = {"jdk/internal/vm/vector/VectorSupport",
                                                                          bindings, ARRAY_LEN(bindings), IN_BOTH};
