/* The Invocation API: JNI_CreateJavaVM, JNI_GetDefaultJavaVMInitArgs, JNI_GetCreatedJavaVMs, and the functions of a
 * JavaVM. */
#include <stdio.h>

#include "base/options.h"
#include "base/os.h"
#include "jdk/thread_life.h"
#include "jni/jni_room.h"
#include "jvmpi/jvmpi.h"
#include "jvmti/tools.h"
#include "probe/probe.h"
#include "thread/handle.h"
#include "vm/startup.h"

enum { NO_VM, VM_STARTING, VM_RUNNING, VM_ENDING };
/* The list of VMs: there is at most one over one copy of the library. */
static _Atomic int vm_life = NO_VM;
/* A thread is in DestroyJavaVM. */
static _Atomic bool destroying;

/* The calling thread's record, unless it is one that an earlier VM had to leave. */
static struct os_thread *attached_thread(void) {
    struct os_thread *self = current_thread();
    return self && !thread_is_left(self) ? self : NULL;
}

/* A thread that an earlier VM left becomes a stranger. False: frames of that VM are on its stack. */
static bool forget_earlier_vm(void) {
    struct os_thread *self = current_thread();
    if (!self || !thread_is_left(self)) return true;
    if (self->java->frame) return false;
    thread_forget_left(self);
    return true;
}

/* Before the VM exists any version that one of the libraries knows will do. */
static bool is_supported(jint version) { return jni_is_supported_version(version, vm ? (int)vm->library : 25); }

JNIEXPORT jint JNICALL JNI_CreateJavaVM(JavaVM **out, void **env, void *args) {
    const JavaVMInitArgs *init = args;
    int none = NO_VM;
    if (!init || !is_supported(init->version)) return JNI_EVERSION;
    if (!atomic_compare_exchange_strong(&vm_life, &none, VM_STARTING)) return JNI_EEXIST;
    if (!forget_earlier_vm()) {
        atomic_store(&vm_life, NO_VM);
        return JNI_ERR;
    }
    fflush(stderr);                      /* where the VM says what is wrong with its options, past the buffer    */
    JNIEnv *main_env;
    jint r = vm_start(init, (uintptr_t)__builtin_frame_address(0) + 16, &main_env);
    atomic_store(&vm_life, r == JNI_OK ? VM_RUNNING : NO_VM);
    fflush(stdout);                      /* what agents have written stands before what the program writes       */
    fflush(stderr);
    if (r != JNI_OK) return r;
    *out = vm_java_vm;
    *(JNIEnv **)env = main_env;
    return JNI_OK;
}

/* What the launcher reads of the JDK 1.1 structure. */
struct init_args_1_1 {
    jint version;
    char **properties;
    jint checkSource, nativeStackSize, javaStackSize;
};

JNIEXPORT jint JNICALL JNI_GetDefaultJavaVMInitArgs(void *args) {
    jint version = *(jint *)args;
    if (version == JNI_VERSION_1_1) ((struct init_args_1_1 *)args)->javaStackSize = (jint)options_default_stack_size();
    return is_supported(version) ? JNI_OK : JNI_ERR;
}

JNIEXPORT jint JNICALL JNI_GetCreatedJavaVMs(JavaVM **out, jsize room, jsize *count) {
    bool running = atomic_load(&vm_life) == VM_RUNNING;
    if (count) *count = running;
    if (running && room > 0 && out) out[0] = vm_java_vm;
    return JNI_OK;
}

/* ---- attaching --------------------------------------------------------------------------------------------------- */

/* `base`: an address above the frames that will hold objects. */
static jint attach_at(uintptr_t base, void **env, void *args, bool daemon) {
    struct os_thread *self = attached_thread();
    if (self) {
        *env = thread_env(self);
        return JNI_OK;
    }
    *env = NULL;
    if (!forget_earlier_vm()) return JNI_ERR;
    const JavaVMAttachArgs *a = args;
    if (a && !is_supported(a->version) && a->version != JNI_VERSION_1_1) return JNI_EVERSION;
    self = thread_attach_current(base, 0, daemon);
    if (!self) return JNI_ENOMEM;
    struct object *group = a ? handle_get(a->group) : NULL;
    if (!java_thread_attach_object(self, a ? a->name : NULL, group, daemon)) {
        self->exception = NULL;
        self->java->mirror = NULL;
        thread_detach_current(self);
        return JNI_ERR;
    }
    probe_thread_begin(self);
    thread_exit_vm(self, &self->first_segment);
    *env = thread_env(self);
    return JNI_OK;
}

/* From the start phase on Thread objects can be made: an agent's callback for VMStart or VMInit may wait for a thread
 * that attaches. */
static bool may_attach(void) {
    int life = atomic_load(&vm_life);
    if (life != VM_STARTING) return life == VM_RUNNING;
    struct vm *v = vm;
    int phase = v ? atomic_load(&v->phase) : PHASE_ONLOAD;
    return phase == PHASE_START || phase == PHASE_LIVE;
}

static jint JNICALL AttachCurrentThread(JavaVM *java_vm, void **env, void *args) {
    (void)java_vm;
    if (!may_attach()) { *env = NULL; return JNI_ERR; }
    return attach_at((uintptr_t)__builtin_frame_address(0) + 16, env, args, false);
}

static jint JNICALL AttachCurrentThreadAsDaemon(JavaVM *java_vm, void **env, void *args) {
    (void)java_vm;
    if (!may_attach()) { *env = NULL; return JNI_ERR; }
    return attach_at((uintptr_t)__builtin_frame_address(0) + 16, env, args, true);
}

static jint JNICALL DetachCurrentThread(JavaVM *java_vm) {
    (void)java_vm;
    struct os_thread *self = attached_thread();
    if (!self) return forget_earlier_vm() ? JNI_OK : JNI_ERR;
    if (self->java->frame) return JNI_ERR;         /* Java code still runs on it */
    struct c_segment segment;
    thread_enter_vm(self, &segment);
    thread_finish(self);
    thread_detach_current(self);
    return JNI_OK;
}

/* A thread that the VM itself has started for an agent and had to leave ends here: to its agent nothing may fail that
 * the end of the VM has overtaken (libjdwp would report an error and end the process with it). */
static NOINLINE void stop_left_agent_thread(void) {
    static _Atomic uint32_t never;
    struct os_thread *self = current_thread();
    if (!self || self->attached || !thread_is_left(self)) return;
    for (;;) os_futex_wait(&never, 0, INT64_MAX);
}

JNIEnv *vm_attach_caller(bool *detach) {
    *detach = false;
    stop_left_agent_thread();
    struct os_thread *self = attached_thread();
    if (self) return thread_env(self);
    void *env = NULL;
    bool stays = vm != NULL && vm->library != LIBRARY_17;
    if (may_attach() && attach_at((uintptr_t)__builtin_frame_address(0) + 16, &env, NULL, stays) == JNI_OK) {
        *detach = !stays;
        return env;
    }
    if (may_attach() && vm_guard_enter()) {          /* so there is no memory                                     */
        vm_guard_leave();
        return NULL;
    }
    static _Atomic uint32_t never;
    for (;;) os_futex_wait(&never, 0, INT64_MAX);
}

void vm_detach_caller(void) { DetachCurrentThread(vm_java_vm); }

static jint JNICALL GetEnv(JavaVM *java_vm, void **env, jint version) {
    *env = NULL;
    stop_left_agent_thread();
    int life = atomic_load(&vm_life);
    struct os_thread *self = attached_thread();
    /* While the VM ends its libraries' JNI_OnUnload may ask, on the thread that ends it. */
    if (life == NO_VM || (life == VM_ENDING && !self)) return JNI_EDETACHED;
    if (jvmti_is_version(version) || jvmpi_is_version(version)) {
        /* An agent asks in VMDeath too, when the VM is ending already: on a thread of its own the VM waits for it
         * anyway. */
        if (!self && !vm_guard_enter()) return JNI_EDETACHED;
        jint r = jvmti_is_version(version) ? jvmti_get_env(java_vm, env, version)
                                           : jvmpi_get_env(env, version, agent_starting());
        if (!self) vm_guard_leave();
        return r;
    }
    if (!self) return JNI_EDETACHED;
    if (!is_supported(version) && version != JNI_VERSION_1_1) return JNI_EVERSION;
    *env = thread_env(self);
    return JNI_OK;
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static NOINLINE void destroy(struct os_thread *self) {
    REQUIRES(MAY_STOP);
    struct c_segment segment;
    thread_enter_vm(self, &segment);
    threads_wait_for_users(self);
    struct class *shutdown = class_find_boot(self, "java/lang/Shutdown");
    if (shutdown && class_ensure_initialized(self, shutdown))
        java_call_static_named(self, shutdown, "shutdown", "()V", NULL, NULL);
    self->exception = NULL;
    library_resources_end_thread(self);
    vm_end(self);
    atomic_store(&vm_life, VM_ENDING);
    vm_destroy(self);
}

static jint JNICALL DestroyJavaVM(JavaVM *java_vm) {
    (void)java_vm;
    if (atomic_load(&vm_life) != VM_RUNNING || atomic_exchange(&destroying, true)) return JNI_ERR;
    JavaVMAttachArgs args = { JNI_VERSION_1_6, (char *)"DestroyJavaVM", NULL };
    void *env;
    jint r = attach_at((uintptr_t)__builtin_frame_address(0) + 16, &env, &args, false);
    if (r == JNI_OK && current_thread()->java->frame) r = JNI_ERR; /* Java code is on the stack */
    if (r == JNI_OK) {
        destroy(current_thread());
        atomic_store(&vm_life, NO_VM);
    }
    atomic_store(&destroying, false);
    return r;
}

const struct JNIInvokeInterface_ jni_invoke_functions = {
    .DestroyJavaVM = DestroyJavaVM,
    .AttachCurrentThread = AttachCurrentThread,
    .DetachCurrentThread = DetachCurrentThread,
    .GetEnv = GetEnv,
    .AttachCurrentThreadAsDaemon = AttachCurrentThreadAsDaemon,
};
