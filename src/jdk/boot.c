/* boot.c — starting the class library: what has to be initialised in which order before main can run. */
#include "jdk/boot.h"

#include <limits.h>
#include <stdlib.h>

#include "base/lock.h"
#include "base/options.h"
#include "base/os.h"
#include "jdk/attach_listener.h"
#include "jdk/code_delivery.h"
#include "jdk/hooks.h"
#include "jdk/jvm.h"
#include "jdk/native_memory.h"
#include "jdk/out_of_memory.h"
#include "jdk/thread_life.h"
#include "jdk/upcall_stub.h"
#include "jit/jit.h"
#include "probe/probe.h"
#include "thread/identity.h"

/* ---- properties -------------------------------------------------------------------------------------------------- */

static void property(const char *key, const char *value, bool writeable) {
    if (options_property(vm->options, key) == NULL) options_set_property(vm->options, key, value, false, writeable);
}

/* Where the JDK's libraries are, and where we are if that is elsewhere (a further VM of a JDK, -XXaltjvm, an embedder):
 * our agents lie beside us. malloc'd; NULL: out of memory. */
static char *boot_library_path(void) {
    char own[PATH_MAX] = "", usual[PATH_MAX] = "";
    const char *self = NULL;
    char *server = mem_printf("%s/lib/server/libjvm.so", vm->java_home);
    if (server == NULL) return NULL;
    char *path = NULL, *slash = NULL;
    if (os_library_of((const void *)(uintptr_t)boot_library_path, &self, NULL, NULL, NULL) &&
        realpath(self, own) != NULL && realpath(server, usual) != NULL && strcmp(own, usual) != 0)
        slash = strrchr(own, '/');
    if (slash != NULL) path = mem_printf("%s/lib:%.*s", vm->java_home, (int)(slash - own), own);
    else path = mem_printf("%s/lib", vm->java_home);
    mem_free(server);
    return path;
}

void boot_properties(void) {
    char spec[8], version[64];
    snprintf(spec, sizeof spec, "%d", (int)vm->library);
    snprintf(version, sizeof version, "%d-vitrine", (int)vm->library);
    options_set_property(vm->options, "java.home", vm->java_home, false, true);
    property("java.vm.specification.name", "Java Virtual Machine Specification", false);
    property("java.vm.specification.vendor", "Oracle Corporation", false);
    property("java.vm.specification.version", spec, false);
    property("java.vm.name", "Vitrine 64-Bit VM", false);
    property("java.vm.vendor", "Vitrine", false);
    property("java.vm.version", version, false);
    property("java.vm.info", jit_mode(), false);
    if (jit_is_used()) property("sun.management.compiler", "Vitrine 64-Bit Tiered Compilers", false);
    property("jdk.debug", "release", false);
    property("java.class.path", "", true);
    const char *path = os_env("LD_LIBRARY_PATH");
    const char *usual = vm->library == LIBRARY_17
                            ? "/usr/java/packages/lib:/usr/lib/x86_64-linux-gnu/jni:/lib/x86_64-linux-gnu:/usr/lib/"
                              "x86_64-linux-gnu:/usr/lib/jni:/lib:/usr/lib"
                            : "/usr/java/packages/lib:/usr/lib64:/lib64:/lib:/usr/lib";
    char *library_path = path && *path ? mem_printf("%s:%s", path, usual) : mem_strdup(usual);
    char *boot_path = boot_library_path();
    if (library_path != NULL) property("java.library.path", library_path, true);
    if (boot_path != NULL) property("sun.boot.library.path", boot_path, true);
    mem_free(library_path);
    mem_free(boot_path);
}

/* ---- pending references ------------------------------------------------------------------------------------------ */

void references_pending(void) {
    struct jdk_state *s = vm->jdk;
    if (s == NULL) return;
    lock_acquire(&s->pending_lock);
    cond_notify_all(&s->pending_cond);
    lock_release(&s->pending_lock);
}

void references_wait_pending(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    while (!heap_has_pending_references()) {
        thread_block_begin(self);
        lock_acquire(&vm->jdk->pending_lock);
        if (!heap_has_pending_references()) cond_wait(&vm->jdk->pending_cond, &vm->jdk->pending_lock, COND_FOREVER);
        lock_release(&vm->jdk->pending_lock);
        thread_block_end(self);
    }
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static bool initialize(struct os_thread *self, const char *name) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_find_boot(self, name);
    return c == NULL ? self->exception == NULL : class_initialize(self, c);
}

static bool construct(struct os_thread *self, struct object *o, const char *desc, uint64_t a, uint64_t b) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct method *init = class_method_cstr(class_of(o), "<init>", desc);
    uint64_t args[3] = {slot_ref(o), a, b};
    return java_call(self, init, args, NULL);
}

/* The ThreadGroups "system" and "main", and the java.lang.Thread of the creating thread. */
static bool main_thread(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *group = known_class(java_lang_ThreadGroup), *thread = known_class(java_lang_Thread);
    if (!class_initialize(self, group)) return false;
    struct object *system = heap_alloc_instance(self, &group->shape);
    if (system == NULL) return false;
    vm->system_thread_group = system;
    if (!construct(self, system, "()V", 0, 0)) return false;
    struct object *main = heap_alloc_instance(self, &group->shape);
    struct object *name = main ? string_from_cstr(self, "main") : NULL;
    if (name == NULL) return false;
    vm->main_thread_group = main;
    if (!construct(self, main, "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V", slot_ref(system), slot_ref(name)))
        return false;
    if (!class_initialize(self, thread)) return false;
    struct object *mirror = heap_alloc_instance(self, &thread->shape);
    if (mirror == NULL) return false;
    self->java->mirror = mirror;
    self->current_thread_object = mirror;
    strcpy(self->java->name, "main");    /* for messages; the kernel's name of the thread stays the launcher's */
    field_store(mirror, known_offset(Thread_eetop), T_LONG, thread_eetop(self->java));
    if (vm->library == LIBRARY_17) field_store(mirror, known_offset(Thread_priority), T_INT, 5);
    if (!construct(self, mirror, "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V", slot_ref(main), slot_ref(name)))
        return false;
    thread_mirror_set_status(mirror, 0x5);
    return true;
}

static void static_int(enum known_field f, enum basic_type type, uint64_t value) {
    field_store(vm->link->field_holders[f]->statics, vm->link->offsets[f], type, value);
}

static bool unsafe_constants(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (!initialize(self, "jdk/internal/misc/UnsafeConstants")) return false;
    static_int(KF_UnsafeConstants_ADDRESS_SIZE0, T_INT, sizeof(void *));
    static_int(KF_UnsafeConstants_PAGE_SIZE, T_INT, os_page_size());
    static_int(KF_UnsafeConstants_BIG_ENDIAN, T_BOOLEAN, 0);
    static_int(KF_UnsafeConstants_UNALIGNED_ACCESS, T_BOOLEAN, 1);
    static_int(KF_UnsafeConstants_DATA_CACHE_LINE_FLUSH_SIZE, T_INT, 0);
    return true;
}

static bool call_static(struct os_thread *self, const char *class_name, const char *name, const char *desc,
                        const uint64_t *args, uint64_t *result) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct class *c = class_find_boot(self, class_name);
    return c != NULL && java_call_static_named(self, c, name, desc, args, result);
}

static bool all_initialized(struct os_thread *self, const char *const *names) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    for (; *names != NULL; names++)
        if (!initialize(self, *names)) return false;
    return true;
}

void jdk_wake_waiters(void) {
    if (vm->jdk == NULL) return;
    references_pending();
    signal_dispatcher_wake();
    attach_listener_wake();
}

void jdk_destroy(void) {
    if (vm->jdk == NULL) return;
    attach_listener_destroy();
    signals_destroy();
    management_destroy();
    upcall_stubs_destroy();
    native_memory_forget_baseline();
    mem_free(vm->jdk);
    vm->jdk = NULL;
}

bool jdk_boot(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    vm->jdk = mem_zalloc(sizeof *vm->jdk);
    if (vm->jdk == NULL) return false;
    lock_init(&vm->jdk->pending_lock, "pending references", LOCK_RANK_SERVICE);
    vm->jdk->next_thread_id = 4;         /* main is 3 */
    options_set_property(vm->options, "jdk.boot.class.path.append",
                         vm->options->boot_append ? vm->options->boot_append : "", true, true);
    jdk_hooks.early_start(self);

    if (!initialize(self, "java/lang/String")) return false;
    field_store(known_statics(String_COMPACT_STRINGS), known_offset(String_COMPACT_STRINGS), T_BOOLEAN,
                vm->options->flags.CompactStrings);
    static const char *const early[] = {"java/lang/System", "java/lang/Class", NULL};
    static const char *const middle[] = {"java/lang/reflect/Method", "java/lang/ref/Finalizer", NULL};
    static const char *const errors[] = {
        "java/lang/Throwable", "java/lang/OutOfMemoryError", "java/lang/NullPointerException",
        "java/lang/ClassCastException", "java/lang/ArrayStoreException",
        "java/lang/ArithmeticException", "java/lang/StackOverflowError", "java/lang/IllegalMonitorStateException",
            "java/lang/IllegalArgumentException", NULL};
    static const char *const invoke[] = {"java/lang/invoke/MethodHandle", "java/lang/invoke/ResolvedMethodName",
                                         "java/lang/invoke/MemberName", "java/lang/invoke/MethodHandleNatives", NULL};
    if (!all_initialized(self, early) || !main_thread(self) || !initialize(self, "java/lang/Module") ||
        !unsafe_constants(self) || !all_initialized(self, middle))
        return false;
    if (!call_static(self, "java/lang/System", "initPhase1", "()V", NULL, NULL)) return false;
    if (!all_initialized(self, errors)) return false;
    vm->jdk->reports_out_of_memory = true;
    attach_listener_remove_stale();
    if (!signal_dispatcher_start(self)) return false;
    if (!all_initialized(self, invoke)) return false;
    /* print to stderr, with a trace */
    uint64_t flags[2] = {vm->options->flags.DisplayVMOutputToStderr, log_enabled(LOG_init, LOG_DEBUG)}, result = 0;
    if (!call_static(self, "java/lang/System", "initPhase2", "(ZZ)I", flags, &result)) return false;
    if ((int32_t)result != 0) return false; /* it has printed why */
    probe_enter_phase(self, PHASE_START);
    if (!call_static(self, "java/lang/System", "initPhase3", "()V", NULL, NULL)) return false;
    uint64_t loader;
    if (!call_static(self, "java/lang/ClassLoader", "getSystemClassLoader", "()Ljava/lang/ClassLoader;", NULL,
                     &loader) ||
        !call_static(self, "java/lang/ClassLoader", "getPlatformClassLoader", "()Ljava/lang/ClassLoader;", NULL,
                     &loader))
        return false;
    probe_enter_phase(self, PHASE_LIVE);
    code_delivery_begin(self);
    vm->jdk->booted = true;
    attach_listener_start_early(self);
    return self->exception == NULL && management_agent_start(self);
}
