/* natives.c — binds the VM's own native methods when their class is defined. */
#include <stdlib.h>

#include "jdk/natives.h"

#include "base/base.h"

static const struct native_class *const all[] = {
    &natives_java_lang_Object,
    &natives_jdk_internal_misc_Unsafe,
    &natives_java_lang_invoke_MethodHandleNatives,
    &natives_java_lang_invoke_MethodHandle,
    &natives_java_lang_invoke_VarHandle,
    &natives_java_lang_invoke_VarHandles,
    &natives_jdk_internal_misc_ScopedMemoryAccess,
    &natives_jdk_internal_perf_Perf,
    &natives_jdk_internal_jimage_NativeImageBuffer,
    &natives_jdk_internal_vm_vector_VectorSupport,
    &natives_jdk_internal_vm_Continuation,
    &natives_jdk_jfr_internal_JVM,
    &natives_jdk_internal_foreign_abi_NativeEntryPoint,
    &natives_jdk_internal_foreign_abi_UpcallLinker,
    &natives_jdk_internal_foreign_abi_UpcallStubs,
    &natives_jdk_internal_invoke_NativeEntryPoint,
    &natives_jdk_internal_foreign_abi_ProgrammableInvoker,
    &natives_jdk_internal_foreign_abi_ProgrammableUpcallHandler,
};

void native_nothing(struct os_thread *self UNUSED, struct method *m UNUSED, uint64_t *args UNUSED,
                    uint64_t *result UNUSED) {}

void native_unsupported(struct os_thread *self, struct method *m, uint64_t *args UNUSED, uint64_t *result UNUSED) {
    REQUIRES(IN_VM);
    throw_message(self, "java/lang/UnsupportedOperationException", "%s.%s is not supported by this VM",
                  m->holder->name->bytes, m->name->bytes);
}

struct object *native_direct_buffer(struct os_thread *self, void *address, size_t capacity) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_find_boot(self, "java/nio/DirectByteBuffer");
    if (c == NULL || !class_ensure_initialized(self, c)) return NULL;
    struct method *init = class_method_cstr(c, "<init>", vm->library == LIBRARY_17 ? "(JI)V" : "(JJ)V");
    struct object *o = heap_alloc_instance(self, &c->shape);
    uint64_t args[5] = {slot_ref(o), (uint64_t)(uintptr_t)address, 0, capacity, 0};
    return o != NULL && java_call(self, init, args, NULL) ? o : NULL;
}

static bool here(enum native_library l) { return l == IN_BOTH || abs((int)l) == (int)vm->library; }

void natives_bind(struct class *c) {
    intrinsics_bind(c);
    object_bind_hash(c);
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        if (strcmp(all[i]->name, c->name->bytes) != 0 || !here(all[i]->library)) continue;
        for (struct method *m = NULL; (m = class_next_method(c, m)) != NULL;) {
            for (unsigned b = 0; b < all[i]->count; b++) {
                const struct native_binding *n = &all[i]->bindings[b];
                bool has_code = !(m->access_flags & ACC_NATIVE);
                if (here(n->library) && has_code == (n->library == INSTEAD_17) &&
                    (n->name == NULL || strcmp(n->name, m->name->bytes) == 0) &&
                    (n->desc == NULL || strcmp(n->desc, m->desc->bytes) == 0))
                    method_set_intrinsic(m, n->function);
            }
        }
    }
}

