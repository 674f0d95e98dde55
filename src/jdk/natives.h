/* natives.h — native methods that the VM itself implements (no JDK library does), and a few others: tables by class,
 * bound when the class is defined.
 *
 * They are intrinsics (link/class.h): C functions in VM state that read their arguments from the frame's slots: the
 * receiver first, long and double in the first of their two slots. */
#ifndef VITRINE_JDK_NATIVES_H
#define VITRINE_JDK_NATIVES_H

#include "exec/exec.h"
#include "heap/heap.h"
#include "link/link.h"

/* INSTEAD_17: in 17, and of a method that has code, which takes for granted what only holds in HotSpot. */
enum native_library { IN_BOTH, IN_17 = 17, IN_25 = 25, INSTEAD_17 = -17 };

struct native_binding {
    const char *name;                    /* NULL: every native method; rows behind it take precedence              */
    const char *desc;                    /* NULL: whatever the library declares                                  */
    intrinsic_function function;
    enum native_library library;
};

struct native_class {
    const char *name;                    /* java/lang/Object                                                     */
    const struct native_binding *bindings;
    unsigned count;
    enum native_library library;
};

/* Each file of jdk/ with such natives exports one of these; natives.c lists them. */
extern const struct native_class natives_java_lang_Object, natives_jdk_internal_misc_Unsafe,
    natives_java_lang_invoke_MethodHandleNatives, natives_java_lang_invoke_MethodHandle,
    natives_java_lang_invoke_VarHandle, natives_java_lang_invoke_VarHandles,
    natives_jdk_internal_misc_ScopedMemoryAccess, natives_jdk_internal_perf_Perf,
    natives_jdk_internal_jimage_NativeImageBuffer, natives_jdk_internal_vm_vector_VectorSupport,
    natives_jdk_internal_vm_Continuation, natives_jdk_jfr_internal_JVM,
    natives_jdk_internal_foreign_abi_NativeEntryPoint, natives_jdk_internal_foreign_abi_UpcallLinker,
    natives_jdk_internal_foreign_abi_UpcallStubs, natives_jdk_internal_invoke_NativeEntryPoint,
    natives_jdk_internal_foreign_abi_ProgrammableInvoker, natives_jdk_internal_foreign_abi_ProgrammableUpcallHandler;

/* An intrinsic that does nothing: registerNatives and the like. */
void native_nothing(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result);
/* Throws UnsupportedOperationException naming the method: optional features that the VM declines. */
void native_unsupported(struct os_thread *self, struct method *m, uint64_t *args, uint64_t *result);

/* A java.nio.DirectByteBuffer over memory that Java does not own and that outlives it. NULL: exception pending. Runs
 * Java code. */
struct object *native_direct_buffer(struct os_thread *self, void *address, size_t capacity);

/* Whether accesses to watched fields by jdk.internal.misc.Unsafe (its class is c) fire the field probes, from their
 * intrinsic's frame. World stopped. */
void unsafe_report_fields(struct class *c, bool on);

/* Of java.lang.Object: hashCode has its function. java_lang_Object.c */
void object_bind_hash(struct class *c);
/* link_hooks.bind_natives. */
void natives_bind(struct class *c);

static inline struct object *arg_object(const uint64_t *args, unsigned i) {
    return (struct object *)(uintptr_t)args[i];
}
static inline int32_t arg_int(const uint64_t *args, unsigned i) { return (int32_t)args[i]; }
static inline int64_t arg_long(const uint64_t *args, unsigned i) { return (int64_t)args[i]; }

#endif
