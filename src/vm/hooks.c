/* hooks.c: the one place where rooms are bound to those above them: what each table of hooks leads to.
 *
 * The tables are constants, so that a call through one costs what a call through a pointer costs, and needs no test.
 * They are weak: a unit test of a room may bring its own. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "exec/backtrace.h"
#include "exec/exec.h"
#include "exec/hooks.h"
#include "heap/heap.h"
#include "heap/hooks.h"
#include "jdk/boot.h"
#include "jdk/crash_report.h"
#include "jdk/memory_fault.h"
#include "jdk/hooks.h"
#include "jdk/management.h"
#include "jdk/natives.h"
#include "jdk/out_of_memory.h"
#include "jdk/perf_counters.h"
#include "jdk/thread_life.h"
#include "jit/jit.h"
#include "jni/jni_room.h"
#include "jvmti/hooks.h"
#include "jvmti/tools.h"
#include "link/call.h"
#include "link/hooks.h"
#include "probe/probe.h"
#include "thread/contract.h"
#include "thread/hooks.h"
#include "vm/startup.h"

#define WEAK __attribute__((weak))

/* ---- base/ ------------------------------------------------------------------------------------------------------- */

WEAK const struct base_hooks base_hooks = {
    .crash = crash_report_fatal,
    .log_changed = jni_log_changed,
    .arena_reached = management_wake,
#ifdef VITRINE_CHECK
    .allocates = contract_allocates,
#endif
};

/* ---- thread/ ----------------------------------------------------------------------------------------------------- */

/* The reverse of the order in which the rooms are made. */
static void thread_ends(struct os_thread *t) {
    jit_thread_ends(t);
    exec_thread_ends(t);
    heap_thread_ends(t);
}

static void wake(void) {
    heap_wake_waiters();
    freed_queue_end();
    link_wake_waiters();
    jdk_wake_waiters();
}

static void set_status(struct java_thread *t, int32_t status) { thread_mirror_set_status(t->mirror, status); }

WEAK const struct thread_hooks thread_hooks = {
    .visit_frames = exec_visit_frames,
    .stack_goes = link_stack_goes,
    .exited = java_thread_exited,
    .ends = thread_ends,
    .free_extension = {[EXT_PROBE] = mem_free, [EXT_JVMTI] = jvmti_thread_extension_free, [EXT_JVMPI] = mem_free},
    .wake = wake,
    .read_interrupted = java_thread_read_interrupted,
    .set_status = set_status,
    .out_of_memory = throw_out_of_memory,
    .memory_fault = memory_fault_throw,
};

/* ---- heap/ ------------------------------------------------------------------------------------------------------- */

static void collected(const struct heap_collection *c) {
    perf_counters_collected(c);
    management_collected(c);
}

static void clear_weak(bool (*is_live)(struct object *o)) {
    link_clear_weak(is_live);
    jit_clear_weak(is_live);
}

WEAK const struct heap_hooks heap_hooks = {
    .visit_roots = link_visit_roots,
    .visit_holder = link_visit_holder,
    .holder_of = link_holder_of,
    .clear_weak = clear_weak,
    .unload = link_unload,
    .collected = collected,
    .references_pending = references_pending,
    .out_of_memory = out_of_memory,
    .class_name = link_class_name,
    .usage_reached = management_wake,
};

/* ---- link/ ------------------------------------------------------------------------------------------------------- */

static void class_unloads(struct class *c) {
    if (class_has_breakpoints(c)) probe_breakpoints_go(c);
    exec_class_unloads(c);
    jit_class_unloads(c);
}

static void class_ids_retired(void) {
    exec_class_ids_retired();
    jit_class_ids_retired();
}

static void class_redefined(struct class *c) {
    probe_class_redefined(c);
    intrinsics_class_redefined(c);
    jit_class_redefined(c);
}

static void version_unloads(struct class_version *v) {
    exec_version_unloads(v);
    jit_version_unloads(v);
}

WEAK const struct link_hooks link_hooks = {
    .entry = exec_entry,
    .compiled_entry = jit_compiled_entry,
    .invoke = exec_invoke,
    .out_of_memory = out_of_memory,
    .fill_in = backtrace_fill,
    .bind_natives = natives_bind,
    .class_unloads = class_unloads,
    .class_ids_retired = class_ids_retired,
    .class_redefined = class_redefined,
    .methods_deleted = exec_methods_deleted,
    .version_is_running = exec_version_is_running,
    .version_unloads = version_unloads,
};

/* ---- exec/ ------------------------------------------------------------------------------------------------------- */

WEAK const struct exec_hooks exec_hooks = {
    .native_method = jni_link_native,
    .compile = jit_compile,
    .leaf_entry = jit_leaf_entry,
    .run_compiled = jit_run_compiled,
    .code_changed = jit_code_changed,
    .frame_is_in_register = jit_frame_is_in_register,
    .compiled_bci = jit_bci_at,
    .inlined_at = jit_inlined_at,
    .frame_forgotten = probe_frame_forgotten,
};

/* ---- jdk/, jvmti/ ------------------------------------------------------------------------------------------------ */

WEAK const struct jdk_hooks jdk_hooks = {
    .early_start = jvmti_early_start,
    .end = vm_end,
    .exit = vm_exit_process,
    .library_open = native_library_open,
    .library_close = native_library_close,
    .library_entry = native_library_entry,
    .agent_attach = agent_attach,
    .agent_function = agent_function,
    .agents_report = agents_report,
    .attach_caller = vm_attach_caller,
    .detach_caller = vm_detach_caller,
    .agents_visit = agents_visit,
};

WEAK const struct jvmti_hooks jvmti_hooks = {
    .jni_original = jni_original_functions,
    .jni_active = jni_active_functions,
    .jni_replace = jni_set_functions,
};
