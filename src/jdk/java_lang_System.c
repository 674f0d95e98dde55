/* java_lang_System.c — time, properties, array copies, exit, memory figures, libraries: System, Runtime,
 * Shutdown, VM. */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/options.h"
#include "base/os.h"
#include "jdk/boot.h"
#include "jdk/jvm.h"
#include "jdk/hooks.h"
#include "jdk/thread_life.h"

JVM jint JVM_GetInterfaceVersion(void);
JVM jint JVM_GetInterfaceVersion(void) { return 6; }

JVM jlong JVM_CurrentTimeMillis(JNIEnv *env, jclass c);
JVM jlong JVM_CurrentTimeMillis(JNIEnv *env, jclass c) {
    (void)env;
    (void)c;
    return os_wall_millis();
}
JVM jlong JVM_NanoTime(JNIEnv *env, jclass c);
JVM jlong JVM_NanoTime(JNIEnv *env, jclass c) {
    (void)env;
    (void)c;
    return os_nanotime();
}

/* Nanoseconds between offset (seconds since the epoch) and now; -1 when they do not fit. */
JVM jlong JVM_GetNanoTimeAdjustment(JNIEnv *env, jclass c, jlong offset);
JVM jlong JVM_GetNanoTimeAdjustment(JNIEnv *env, jclass c, jlong offset) {
    (void)env;
    (void)c;
    const int64_t max_difference = INT64_C(0x0100000000);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t difference = now.tv_sec - offset;
    if (difference >= max_difference || difference <= -max_difference) return -1;
    return difference * INT64_C(1000000000) + now.tv_nsec;
}

/* ---- arraycopy --------------------------------------------------------------------------------------------------- */

static char *describe_array(struct object *a) {
    struct class *c = class_of(a);
    if (c->shape.kind == SHAPE_REF_ARRAY) return mem_printf("object array[%d]", array_length(a));
    char *name = class_external_name(c->component);
    char *text = mem_printf("%s[%d]", name ? name : "?", array_length(a));
    mem_free(name);
    return text;
}

static void throw_not_array(struct os_thread *self, struct object *o, const char *which) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    char *name = class_external_name(class_of(o));
    throw_message(self, "java/lang/ArrayStoreException", "arraycopy: %s type %s is not an array", which,
                  name ? name : "?");
    mem_free(name);
}

static bool check_range(struct os_thread *self, struct object *src, int32_t src_pos, struct object *dst,
                        int32_t dst_pos, int32_t n) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    const char *what = NULL;
    struct object *array = src;
    int32_t at = 0;
    bool last = false;
    if (src_pos < 0) what = "source index", at = src_pos;
    else if (dst_pos < 0) what = "destination index", at = dst_pos, array = dst;
    else if (n < 0) what = "length", at = n;
    else if ((uint32_t)src_pos + (uint32_t)n > (uint32_t)array_length(src))
        what = "last source index", at = (int32_t)((uint32_t)src_pos + (uint32_t)n), last = true;
    else if ((uint32_t)dst_pos + (uint32_t)n > (uint32_t)array_length(dst))
        what = "last destination index", at = (int32_t)((uint32_t)dst_pos + (uint32_t)n), last = true, array = dst;
    if (what == NULL) return true;
    if (!last && array == src && at == n && strcmp(what, "length") == 0) {
        throw_message(self, "java/lang/ArrayIndexOutOfBoundsException", "arraycopy: length %d is negative", n);
        return false;
    }
    char *text = describe_array(array);
    throw_message(self, "java/lang/ArrayIndexOutOfBoundsException", "arraycopy: %s %u out of bounds for %s", what,
                  (unsigned)at, text ? text : "?");
    if (!last) {
        self->exception = NULL;
        throw_message(self, "java/lang/ArrayIndexOutOfBoundsException", "arraycopy: %s %d out of bounds for %s", what,
                      at, text ? text : "?");
    }
    mem_free(text);
    return false;
}

static void copy_checked(struct os_thread *self, struct object *src, int32_t src_pos, struct object *dst,
                         int32_t dst_pos, int32_t n) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *element = class_of(dst)->component;
    for (int32_t i = 0; i < n; i++) {
        struct object *o = heap_array_get(src, src_pos + i);
        if (o != NULL && !object_is_instance(o, element)) {
            struct class *given = class_of(src)->component;
            char *from = class_external_name(given), *to = class_external_name(element);
            throw_message(self, "java/lang/ArrayStoreException",
                          class_is_subtype(element, given)
                              ? "arraycopy: element type mismatch: can not cast one of the elements of %s[] to the "
                                "type of the destination array, %s"
                              : "arraycopy: type mismatch: can not copy %s[] into %s[]",
                          from ? from : "?", to ? to : "?");
            mem_free(from);
            mem_free(to);
            return;
        }
        heap_array_set(dst, dst_pos + i, o);
        if ((i & 0x3fff) == 0x3fff) thread_poll(self);
    }
}

static void copy_primitives(struct os_thread *self, struct object *src, int32_t src_pos, struct object *dst,
                            int32_t dst_pos, int32_t n) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    unsigned shift = shape_of(src)->element_shift;
    char *from = (char *)array_data(src) + ((size_t)src_pos << shift),
         *to = (char *)array_data(dst) + ((size_t)dst_pos << shift);
    size_t bytes = (size_t)n << shift, step = 64 * 1024;
    if (bytes <= step) {
        memmove(to, from, bytes);
    } else if (to <= from) {
        for (size_t done = 0; done < bytes; done += step) {
            memmove(to + done, from + done, MIN(step, bytes - done));
            thread_poll(self);
        }
    } else {
        for (size_t left = bytes; left > 0;) {
            size_t k = MIN(step, left);
            left -= k;
            memmove(to + left, from + left, k);
            thread_poll(self);
        }
    }
}

void system_arraycopy(struct os_thread *self, struct object *src, int32_t src_pos, struct object *dst, int32_t dst_pos,
                      int32_t n) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (src == NULL || dst == NULL) {
        throw_new(self, "java/lang/NullPointerException");
        return;
    }
    struct class *from = class_of(src), *to = class_of(dst);
    if (!class_is_array(from)) { throw_not_array(self, src, "source"); return; }
    if (!class_is_array(to)) { throw_not_array(self, dst, "destination"); return; }
    bool from_refs = from->shape.kind == SHAPE_REF_ARRAY, to_refs = to->shape.kind == SHAPE_REF_ARRAY;
    if (from_refs != to_refs || (!from_refs && from != to)) {
        char *a = from_refs ? mem_strdup("object array[]") : mem_printf("%s[]", class_primitive_name(from->component));
        char *b = to_refs ? mem_strdup("object array[]") : mem_printf("%s[]", class_primitive_name(to->component));
        throw_message(self, "java/lang/ArrayStoreException",
                      from_refs == to_refs ? "arraycopy: type mismatch: can not copy %s into %s"
                                           : "arraycopy: type mismatch: can not copy %s into %s",
                      a ? a : "?", b ? b : "?");
        mem_free(a);
        mem_free(b);
        return;
    }
    if (!check_range(self, src, src_pos, dst, dst_pos, n) || n == 0) return;
    if (!from_refs) copy_primitives(self, src, src_pos, dst, dst_pos, n);
    else if (from == to || class_is_subtype(from->component, to->component))
        heap_copy_refs(self, src, src_pos, dst, dst_pos, n);
    else copy_checked(self, src, src_pos, dst, dst_pos, n);
}

JVM void JVM_ArrayCopy(JNIEnv *env, jclass c, jobject src, jint src_pos, jobject dst, jint dst_pos, jint n);
JVM void JVM_ArrayCopy(JNIEnv *env, jclass c, jobject src, jint src_pos, jobject dst, jint dst_pos, jint n) {
    NATIVE_ENTRY(env);
    (void)c;
    system_arraycopy(self, handle_get(src), src_pos, handle_get(dst), dst_pos, n);
}

/* ---- properties -------------------------------------------------------------------------------------------------- */

/* The VM's own properties and those of the command line: key, value alternating. */
JVM jobjectArray JVM_GetProperties(JNIEnv *env);
JVM jobjectArray JVM_GetProperties(JNIEnv *env) {
    NATIVE_ENTRY(env);
    struct vm_options *o = vm->options;
    struct object *array = new_ref_array(self, known_class(java_lang_String), (int32_t)(2 * o->properties.count));
    for (size_t i = 0; array != NULL && i < o->properties.count; i++) {
        struct object *key = string_from_platform(self, o->properties.data[i].key);
        if (key == NULL) return NULL;
        heap_array_set(array, (int32_t)(2 * i), key);
        struct object *value = string_from_platform(self,
                                                    o->properties.data[i].value ? o->properties.data[i].value : "");
        if (value == NULL) return NULL;
        heap_array_set(array, (int32_t)(2 * i + 1), value);
    }
    return handle_local(self, array);
}

JVM jstring JVM_GetTemporaryDirectory(JNIEnv *env);
JVM jstring JVM_GetTemporaryDirectory(JNIEnv *env) {
    NATIVE_ENTRY(env);
    return handle_local(self, string_from_cstr(self, "/tmp"));
}

/* sun.jvm.args, sun.jvm.flags and sun.java.command for attaching tools. */
JVM jobject JVM_InitAgentProperties(JNIEnv *env, jobject properties);
JVM jobject JVM_InitAgentProperties(JNIEnv *env, jobject properties) {
    NATIVE_ENTRY(env);
    const char *pairs[3][2] = {{"sun.java.command", vm->options->java_command},
                               {"sun.jvm.flags", vm->options->jvm_flags},
                               {"sun.jvm.args", vm->options->jvm_args}};
    struct object *target = handle_get(properties);
    struct method *set = class_method_cstr(class_of(target), "setProperty",
                                           "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Object;");
    for (int i = 0; i < 3 && set != NULL; i++) {
        struct object *key = string_from_cstr(self, pairs[i][0]);
        struct object *value = key ? string_from_platform(self, pairs[i][1] ? pairs[i][1] : "") : NULL;
        uint64_t args[3] = {slot_ref(target), slot_ref(key), slot_ref(value)};
        if (value == NULL || !java_call_virtual(self, set, args, NULL)) return NULL;
    }
    return properties;
}

/* ---- Runtime ----------------------------------------------------------------------------------------------------- */

JVM void JVM_BeforeHalt(void);
JVM void JVM_BeforeHalt(void) {}
JVM void JVM_Halt(jint code);
JVM void JVM_Halt(jint code) {
    JNIEnv *env = thread_env(current_thread());
    NATIVE_ENTRY(env);
    jdk_hooks.end(self);
    jdk_hooks.exit(code);
}

JVM void JVM_GC(void);
JVM void JVM_GC(void) {
    JNIEnv *env = thread_env(current_thread());
    NATIVE_ENTRY(env);
    if (!vm->options->flags.DisableExplicitGC) heap_collect(self, "System.gc()", false);
}
JVM jlong JVM_MaxObjectInspectionAge(void);
JVM jlong JVM_MaxObjectInspectionAge(void) {
    struct heap_stats s;
    heap_stats(&s);
    return os_wall_millis() - (s.last_gc_millis != 0 ? s.last_gc_millis : vm->start_millis);
}
JVM jlong JVM_TotalMemory(void);
JVM jlong JVM_TotalMemory(void) {
    struct heap_stats s;
    heap_stats(&s);
    return (jlong)s.committed;
}
JVM jlong JVM_FreeMemory(void);
JVM jlong JVM_FreeMemory(void) {
    struct heap_stats s;
    heap_stats(&s);
    return (jlong)(s.committed > s.used ? s.committed - s.used : 0);
}
JVM jlong JVM_MaxMemory(void);
JVM jlong JVM_MaxMemory(void) {
    struct heap_stats s;
    heap_stats(&s);
    return (jlong)s.max;
}
JVM jint JVM_ActiveProcessorCount(void);
JVM jint JVM_ActiveProcessorCount(void) {
    return vm->options->flags.ActiveProcessorCount > 0 ? (jint)vm->options->flags.ActiveProcessorCount
                                                       : (jint)os_cpu_count();
}
JVM jboolean JVM_IsUseContainerSupport(void);
JVM jboolean JVM_IsUseContainerSupport(void) { return vm->options->flags.UseContainerSupport; }
JVM jboolean JVM_IsContainerized(void);
JVM jboolean JVM_IsContainerized(void) {
    return vm->options->flags.UseContainerSupport && os_container_memory_limit() != 0;
}

JVM jobjectArray JVM_GetVmArguments(JNIEnv *env);
JVM jobjectArray JVM_GetVmArguments(JNIEnv *env) {
    NATIVE_ENTRY(env);
    size_t n = vm->options->jvm_arg_list.count;
    if (n == 0) return NULL;
    struct object *array = new_ref_array(self, known_class(java_lang_String), (int32_t)n);
    for (size_t i = 0; array != NULL && i < n; i++) {
        struct object *s = string_from_platform(self, vm->options->jvm_arg_list.data[i]);
        if (s == NULL) return NULL;
        heap_array_set(array, (int32_t)i, s);
    }
    return handle_local(self, array);
}

JVM jstring JVM_InternString(JNIEnv *env, jstring s);
JVM jstring JVM_InternString(JNIEnv *env, jstring s) {
    NATIVE_ENTRY(env);
    return s ? handle_local(self, string_intern(self, handle_get(s))) : NULL;
}

/* ---- native libraries -------------------------------------------------------------------------------------------- */

JVM void *JVM_LoadLibrary(const char *name, jboolean throw_exception);
JVM void *JVM_LoadLibrary(const char *name, jboolean throw_exception) {
    char *why = NULL;
    void *handle = jdk_hooks.library_open(name, throw_exception ? &why : NULL);
    if (handle == NULL && throw_exception) {
        char *text = mem_printf("%s: %s", name, why ? why : "cannot be loaded");
        JNIEnv *env = thread_env(current_thread());
        NATIVE_ENTRY(env);
        throw_message(self, "java/lang/UnsatisfiedLinkError", "%s", text ? text : name);
        mem_free(text);
    }
    mem_free(why);
    return handle;
}
JVM void JVM_UnloadLibrary(void *handle);
JVM void JVM_UnloadLibrary(void *handle) { jdk_hooks.library_close(handle); }
JVM void *JVM_FindLibraryEntry(void *handle, const char *name);
JVM void *JVM_FindLibraryEntry(void *handle, const char *name) { return jdk_hooks.library_entry(handle, name); }
JVM void *JVM_LoadZipLibrary(void);
JVM void *JVM_LoadZipLibrary(void) {
    char *path = mem_printf("%s/lib/libzip.so", vm->java_home);
    void *handle = path ? jdk_hooks.library_open(path, NULL) : NULL;
    mem_free(path);
    return handle;
}
JVM char *JVM_NativePath(char *path);
JVM char *JVM_NativePath(char *path) { return path; }

/* ---- what this VM supports --------------------------------------------------------------------------------------- */

JVM jboolean JVM_IsPreviewEnabled(void);
JVM jboolean JVM_IsPreviewEnabled(void) { return vm->options->enable_preview; }
JVM jboolean JVM_IsContinuationsSupported(void);
/* virtual threads are bound to platform threads */
JVM jboolean JVM_IsContinuationsSupported(void) { return JNI_FALSE; }
JVM jboolean JVM_IsStaticallyLinked(void);
JVM jboolean JVM_IsStaticallyLinked(void) { return JNI_FALSE; }
JVM jboolean JVM_IsFinalizationEnabled(JNIEnv *env);
JVM jboolean JVM_IsFinalizationEnabled(JNIEnv *env) {
    (void)env;
    return vm->options->finalization;
}
JVM void JVM_ReportFinalizationComplete(JNIEnv *env, jobject o);
JVM void JVM_ReportFinalizationComplete(JNIEnv *env, jobject o) { (void)env; (void)o; }
JVM jboolean JVM_PrintWarningAtDynamicAgentLoad(void);
JVM jboolean JVM_PrintWarningAtDynamicAgentLoad(void) {
    return vm->options->flags.EnableDynamicAgentLoading &&
           flag_origin_of(vm->options, FLAG_ID_EnableDynamicAgentLoading) == FLAG_DEFAULT;
}

/* Class-data sharing: there is no archive; every question has its "no". */
JVM void JVM_InitializeFromArchive(JNIEnv *env, jclass c);
JVM void JVM_InitializeFromArchive(JNIEnv *env, jclass c) { (void)env; (void)c; }
JVM void JVM_DefineArchivedModules(JNIEnv *env, jobject platform, jobject system);
JVM void JVM_DefineArchivedModules(JNIEnv *env, jobject platform, jobject system) {
    (void)env;
    (void)platform;
    (void)system;
}
JVM jlong JVM_GetRandomSeedForDumping(void);
JVM jlong JVM_GetRandomSeedForDumping(void) { return 0; }
JVM void JVM_LogLambdaFormInvoker(JNIEnv *env, jstring line);
JVM void JVM_LogLambdaFormInvoker(JNIEnv *env, jstring line) { (void)env; (void)line; }
JVM void JVM_DumpClassListToFile(JNIEnv *env, jstring file);
JVM void JVM_DumpClassListToFile(JNIEnv *env, jstring file) { (void)env; (void)file; }
JVM void JVM_DumpDynamicArchive(JNIEnv *env, jstring file);
JVM void JVM_DumpDynamicArchive(JNIEnv *env, jstring file) { (void)env; (void)file; }
JVM void JVM_RegisterLambdaProxyClassForArchiving(JNIEnv *env, jclass caller, jstring name, jobject t, jobject mt,
                                                  jobject im, jobject dt, jclass lambda);
JVM void JVM_RegisterLambdaProxyClassForArchiving(JNIEnv *env, jclass caller, jstring name, jobject t, jobject mt,
                                                  jobject im, jobject dt, jclass lambda) {
    (void)env; (void)caller; (void)name; (void)t; (void)mt; (void)im; (void)dt; (void)lambda;
}
JVM jclass JVM_LookupLambdaProxyClassFromArchive(JNIEnv *env, jclass caller, jstring name, jobject t, jobject mt,
                                                 jobject im, jobject dt);
JVM jclass JVM_LookupLambdaProxyClassFromArchive(JNIEnv *env, jclass caller, jstring name, jobject t, jobject mt,
                                                 jobject im, jobject dt) {
    (void)env; (void)caller; (void)name; (void)t; (void)mt; (void)im; (void)dt;
    return NULL;
}
JVM jboolean JVM_IsCDSDumpingEnabled(JNIEnv *env);
JVM jboolean JVM_IsCDSDumpingEnabled(JNIEnv *env) { (void)env; return JNI_FALSE; }
JVM jboolean JVM_IsSharingEnabled(JNIEnv *env);
JVM jboolean JVM_IsSharingEnabled(JNIEnv *env) { (void)env; return JNI_FALSE; }
JVM jboolean JVM_IsDumpingClassList(JNIEnv *env);
JVM jboolean JVM_IsDumpingClassList(JNIEnv *env) { (void)env; return JNI_FALSE; }
JVM jint JVM_GetCDSConfigStatus(void);
JVM jint JVM_GetCDSConfigStatus(void) { return 0; }
JVM jboolean JVM_NeedsClassInitBarrierForCDS(JNIEnv *env, jclass c);
JVM jboolean JVM_NeedsClassInitBarrierForCDS(JNIEnv *env, jclass c) { (void)env; (void)c; return JNI_FALSE; }

/* ---- references -------------------------------------------------------------------------------------------------- */

JVM jobject JVM_GetAndClearReferencePendingList(JNIEnv *env);
JVM jobject JVM_GetAndClearReferencePendingList(JNIEnv *env) {
    NATIVE_ENTRY(env);
    return handle_local(self, heap_take_pending_references());
}
JVM jboolean JVM_HasReferencePendingList(JNIEnv *env);
JVM jboolean JVM_HasReferencePendingList(JNIEnv *env) {
    NATIVE_ENTRY(env);
    return heap_has_pending_references();
}
JVM void JVM_WaitForReferencePendingList(JNIEnv *env);
JVM void JVM_WaitForReferencePendingList(JNIEnv *env) {
    NATIVE_ENTRY(env);
    references_wait_pending(self);
}
JVM jboolean JVM_ReferenceRefersTo(JNIEnv *env, jobject reference, jobject o);
JVM jboolean JVM_ReferenceRefersTo(JNIEnv *env, jobject reference, jobject o) {
    NATIVE_ENTRY(env);
    return heap_reference_refers_to(handle_get(reference), handle_get(o));
}
JVM jboolean JVM_PhantomReferenceRefersTo(JNIEnv *env, jobject reference, jobject o);
JVM jboolean JVM_PhantomReferenceRefersTo(JNIEnv *env, jobject reference, jobject o) {
    NATIVE_ENTRY(env);
    return heap_reference_refers_to(handle_get(reference), handle_get(o));
}
JVM void JVM_ReferenceClear(JNIEnv *env, jobject reference);
JVM void JVM_ReferenceClear(JNIEnv *env, jobject reference) {
    NATIVE_ENTRY(env);
    heap_reference_clear(handle_get(reference));
}

/* ---- raw monitors of the JDK's own C libraries (libzip): their locks, held over their code. No rank: nothing in the
 * VM waits for one  */

JVM void *JVM_RawMonitorCreate(void);
JVM void *JVM_RawMonitorCreate(void) {
    pthread_mutex_t *m = mem_zalloc(sizeof *m);
    if (m != NULL) pthread_mutex_init(m, NULL);
    return m;
}
JVM void JVM_RawMonitorDestroy(void *monitor);
JVM void JVM_RawMonitorDestroy(void *monitor) {
    pthread_mutex_destroy(monitor);
    mem_free(monitor);
}
JVM jint JVM_RawMonitorEnter(void *monitor);
JVM jint JVM_RawMonitorEnter(void *monitor) { return pthread_mutex_lock(monitor) == 0 ? 0 : -1; }
JVM void JVM_RawMonitorExit(void *monitor);
JVM void JVM_RawMonitorExit(void *monitor) { pthread_mutex_unlock(monitor); }
