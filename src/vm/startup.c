/* Bringing the VM up and down: the rooms in order, the boot of the class library, the end of the process. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/events.h"
#include "base/jdk_home.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/os.h"
#include "base/perf_data.h"
#include "base/symbol.h"
#include "exec/disassemble.h"
#include "jdk/boot.h"
#include "jdk/crash_report.h"
#include "jdk/attach_listener.h"
#include "jdk/code_delivery.h"
#include "jdk/compiler_command.h"
#include "jdk/foreign.h"
#include "jdk/frame_text.h"
#include "jdk/native_memory.h"
#include "jdk/natives.h"
#include "jdk/perf_counters.h"
#include "jdk/thread_life.h"
#include "jit/jit.h"
#include "jni/jni_room.h"
#include "jvmpi/jvmpi.h"
#include "jvmti/tools.h"
#include "probe/probe.h"
#include "thread/handle.h"
#include "thread/monitor.h"
#include "verify/verify.h"
#include "vm/startup.h"

struct vm *vm;

/* The one record. It outlives every VM, since threads of the embedder may hold the JavaVM* that points to it longer
 * than they should. */
static struct vm record = { .jni = &jni_invoke_functions };

JavaVM *const vm_java_vm = &record.jni;

void vm_exit_process(int code) {
    void (*hook)(int) = vm && vm->options ? vm->options->exit_hook : NULL;
    perf_data_end();
    if (hook) hook(code);
    exit(code);
}

static void give_back(bool threads_left, bool objects_in_use);

/* HotSpot's words for a VM that cannot start. Takes `sentence`. Under the java launcher HotSpot's exit code as well; an
 * embedder gets everything back and may try again. */
static jint cannot_start(struct os_thread *self, char *sentence) {
    REQUIRES(IN_VM | MAY_STOP);
    bool unexplained = !sentence && !(self && self->exception); /* the library has said why */
    if (!unexplained) vm_print(false, "Error occurred during initialization of VM\n");
    if (sentence) vm_print(false, "%s\n", sentence);
    log_info(startup, "The VM could not be created: %s",
             sentence      ? sentence
             : unexplained ? "see above"
                           : "an exception");
    mem_free(sentence);
    if (self && self->exception) {
        throwable_print(exception_take(self));
        vm_print(false, "\n");
    }
    if (options_property(vm->options, "sun.java.launcher")) vm_exit_process(1);
    if (self) {
        atomic_store(&vm->exiting, true);
        if (vm->exec) thread_note_exit(self);
        safepoint_begin(self, "Exit");
        vm_destroy(self);
    } else {
        give_back(false, false);
    }
    return JNI_ERR;
}

static jint result_of(enum options_result r) {
    switch (r) {
    case OPTIONS_OK: return JNI_OK;
    case OPTIONS_INVALID: return JNI_EINVAL;
    case OPTIONS_NO_MEMORY: return JNI_ENOMEM;
    default: return JNI_ERR;
    }
}

static bool find_libjava(const char *path, uintptr_t base, void *found) {
    (void)base;
    const char *slash = strrchr(path, '/');
    if (strcmp(slash ? slash + 1 : path, "libjava.so") != 0) return true;
    *(const char **)found = path;
    return false;
}

/* A library of an earlier VM that could not be unloaded holds that VM's ids and handles. */
static bool libraries_are_fresh(char **error) {
    const char *left = NULL;
    os_library_iterate(find_libjava, &left);
    if (left)
        *error = mem_printf("The native libraries of a virtual machine are still loaded (%s): a thread of it has not "
                            "returned from native code yet, "
                            "or the process itself has opened them",
                            left);
    return !left;
}

/* The value of the last -Djava.home= among the options, or NULL. */
static const char *wanted_home(const JavaVMInitArgs *args) {
    static const char key[] = "-Djava.home=";
    const char *home = NULL;
    for (jint i = 0; i < args->nOptions; i++) {
        const char *text = args->options[i].optionString;
        if (text && strncmp(text, key, sizeof key - 1) == 0) home = text + sizeof key - 1;
    }
    return home;
}

/* options_parse has refused other values. */
static void set_memory_tracking(const struct vm_options *options) {
    const char *level = options->flags.NativeMemoryTracking;
    memory_set_tracking(level && strcmp(level, "detail") == 0 ? TRACKING_DETAIL
                        : level && strcmp(level, "summary") == 0 ? TRACKING_SUMMARY : TRACKING_OFF);
    if (options->flags.PrintNMTStatistics && !memory_is_tracked())
        vm_warning("PrintNMTStatistics is disabled, because native memory tracking is not enabled");
}

/* Options, java.home, the record itself. On failure everything is given back. */
static jint make_record(const JavaVMInitArgs *args, char **error) {
    struct jdk_home home;
    *error = NULL;
    if (!libraries_are_fresh(error) || !jdk_home_find(&home, wanted_home(args), error)) return JNI_ERR;
    struct vm_options *options = mem_zalloc(sizeof *options);
    struct option_input *given = mem_calloc((size_t)args->nOptions + 1, sizeof *given);
    struct vm *v = &record;
    memset(v, 0, sizeof *v);
    v->jni = &jni_invoke_functions;
    v->library = home.feature == 17 ? LIBRARY_17 : LIBRARY_25;
    v->java_home = mem_strdup(home.home);
    v->options = options;
    v->start_nanos = os_nanotime();
    v->start_millis = os_wall_millis();
    jdk_home_free(&home);
    if (!options || !given || !v->java_home) {
        mem_free(options);
        mem_free(given);
        mem_free(v->java_home);
        return JNI_ENOMEM;
    }
    for (jint i = 0; i < args->nOptions; i++)
        given[i] = (struct option_input){ args->options[i].optionString, args->options[i].extraInfo };
    enum options_result r = options_parse(options, (int)v->library, given, (size_t)args->nOptions,
                                          args->ignoreUnrecognized);
    if (r == OPTIONS_OK && !intrinsics_check_options(options, (int)v->library)) r = OPTIONS_ERROR;
    if (r == OPTIONS_OK) r = options_settle(options);
    mem_free(given);
    if (r == OPTIONS_EXIT) {
        int code = options->exit_code;
        void (*hook)(int) = options->exit_hook;
        if (hook) hook(code);
        exit(code);
    }
    if (r == OPTIONS_OK) {
        set_memory_tracking(options);
        vm = v;
        return JNI_OK;
    }
    options_free(options);
    mem_free(options);
    mem_free(v->java_home);
    return result_of(r);
}

static void heap_config_from_options(struct heap_config *c) {
    const struct vm_options *o = vm->options;
    *c = (struct heap_config){
        .initial_bytes = o->initial_heap, .max_bytes = o->max_heap, .max_is_explicit = o->max_heap_explicit,
        .workers = (unsigned)MIN(o->flags.ParallelGCThreads, (uint64_t)64),
        .stress_every = (unsigned)MIN(o->flags.CollectEvery, (uint64_t)UINT32_MAX),
        .mark_chunks = MAX(o->flags.MarkStackSizeMax / HEAP_MARK_ITEMS, (size_t)1),
        .verify_before = o->flags.VerifyBeforeGC, .verify_after = o->flags.VerifyAfterGC,
        .time_ratio = (uint32_t)MIN(o->flags.GCTimeRatio, (uint64_t)UINT32_MAX),
        .least_free = (uint32_t)o->flags.MinHeapFreeRatio, .most_free = (uint32_t)o->flags.MaxHeapFreeRatio,
        .soft_ms_per_mb = o->flags.SoftRefLRUPolicyMSPerMB,
    };
}

/* Logging, hooks and dispositions, which belong to the process: as they were. */
static void end_process_state(void) {
    base_set_abort_hook(NULL);
    log_shutdown();
}

jint vm_start(const JavaVMInitArgs *args, uintptr_t base, JNIEnv **env) {
    char *error;
    log_init();
    jint r = make_record(args, &error);
    if (r != JNI_OK) {
        if (error) {
            vm_print(false, "Error occurred during initialization of VM\n%s\n", error);
            log_info(startup, "The VM could not be created: %s", error);
        }
        mem_free(error);
        end_process_state();
        return r;
    }
    log_tell_configuration();
    if (!vm->options->flags.InstallSignalHandlers) vm->options->reduce_signals = true;
    os_signal_note_all(vm->options->flags.InstallSignalHandlers, !vm->options->reduce_signals);
    if (vm->options->flags.InstallSignalHandlers) crash_report_install();
    events_create();
    if (!perf_data_create()) return cannot_start(NULL, mem_strdup("Out of memory"));
    if (!threads_create() || !monitors_create()) return cannot_start(NULL, mem_strdup("Out of memory"));
    handles_create();
    struct heap_config heap;
    heap_config_from_options(&heap);
    if (!heap_create(&heap, &error)) return cannot_start(NULL, error);
    struct os_thread *self = thread_attach_current(base, 0, false);
    if (!self) return cannot_start(NULL, mem_strdup("Could not allocate the main thread"));
    if (!probes_create() || !jvmpi_create() || !jvmti_create()) return cannot_start(NULL, mem_strdup("Out of memory"));
    if (!exec_create()) return cannot_start(NULL, mem_strdup("Could not prepare the interpreter"));
    if (!class_ids_reserve()) return cannot_start(NULL, mem_strdup("Could not reserve the table of classes"));
    if (!jit_create()) return cannot_start(NULL, mem_strdup("Out of memory"));
    if (!jit_read_policy()) {
        give_back(false, false);
        return JNI_ERR;
    }
    if (!jni_create()) return cannot_start(NULL, mem_strdup("Out of memory"));

    boot_properties();
    perf_counters_name();
    probe_enter_phase(self, PHASE_ONLOAD);
    if (!agents_start(self, &error)) return cannot_start(NULL, error);
    probe_enter_phase(self, PHASE_PRIMORDIAL);
    code_delivery_stubs(self);

    if (!link_create(self, &error)) return cannot_start(self, error);
    if (!exec_link(self)) return cannot_start(self, mem_strdup("The class library lacks what the interpreter needs"));
    if (!jdk_boot(self)) return cannot_start(self, NULL);

    perf_counters_started();
    log_info(startuptime, "VM started in %" PRId64 " ms", (os_nanotime() - vm->start_nanos) / 1000000);
    *env = thread_env(self);
    thread_exit_vm(self, &self->first_segment);
    return JNI_OK;
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

static void print_method_data(struct os_thread *self) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) return;
    methods_print_data(self, out, NULL, NULL);
    if (fclose(out) == 0) vm_print(false, "%s", text);
    free(text);
}

NOINLINE void vm_end(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    /* If another thread ends the VM, this one has nothing left to do and stops at the last safepoint. */
    if (atomic_exchange(&vm->exiting, true)) thread_wait_for_end(self);
    self->exception = NULL;
    if (vm->options->flags.PrintMethodData) print_method_data(self);
    if (vm->options->flags.PrintNMTStatistics && memory_is_tracked() && vm->jdk) native_memory_print(self);
    perf_map_at_exit();
    attach_listener_close();
    int phase = atomic_load(&vm->phase);
    code_delivery_end(self);
    if (phase == PHASE_LIVE || phase == PHASE_START) probe_enter_phase(self, PHASE_DEAD);
    agents_stop(self);
    safepoint_begin(self, "Exit");
    perf_data_end();
}

/* What the VM could not get back from its threads. */
struct remains { bool threads, objects_in_use; };

/* Cancellation unwinds the stack: only over code of which we know that it lets that happen. */
static enum foreign_code foreign_code(struct java_thread *t) {
    bool native = false;
    struct frame_cursor c = frame_first(t);
    if (cursor_valid(&c) && native_code_is_ours(atomic_load(&cursor_method(&c)->native_code))) return FOREIGN_RETURNS;
    for (; cursor_valid(&c); frame_next(&c)) {
        struct method *m = cursor_method(&c);
        void *code = m->entry == ENTRY_NATIVE ? atomic_load(&m->native_code) : NULL;
        if (foreign_is_call(m)) return FOREIGN_UNKNOWN;
        if (code && !native_code_is_jdk(code) && !native_code_is_ours(code)) return FOREIGN_UNKNOWN;
        native |= code != NULL;
    }
    return native ? FOREIGN_CANCELLABLE : FOREIGN_UNKNOWN;
}

static void thread_left(struct os_thread *t, void *arg) {
    struct remains *r = arg;
    r->threads = true;
    r->objects_in_use |= t->loads || t->critical != 0;
    bool explained = false;
    for (struct frame_cursor c = frame_first(t->java); cursor_valid(&c) && vm->jni_state; frame_next(&c)) {
        struct method *m = cursor_method(&c);
        void *code = m->entry == ENTRY_NATIVE ? atomic_load(&m->native_code) : NULL;
        if (code) native_libraries_keep(code);
        if (foreign_is_call(m)) native_libraries_keep(NULL);
        explained |= code != NULL && !t->attached;
    }
    if (!explained && vm->jni_state) native_libraries_keep(NULL);
}

void vm_destroy(struct os_thread *self) {
    REQUIRES(IN_VM | MAY_STOP);
    MAY_ALLOCATE("what cannot be given back stays behind; nobody waits for the end of this stop");
    struct remains r = { false, false };
    bool was_live = vm->jdk && vm->jdk->booted;
    threads_begin_end(self);
    threads_end_others(self, foreign_code, thread_left, &r);
    link_threads_ended();
    if (was_live && !r.threads) library_resources_give_back(self);
    if (vm->jni_state) native_libraries_unload(self);
    verify_close_old();
    give_back(r.threads, r.objects_in_use);
}

/* The rooms in the reverse order of vm_start; each knows whether it has been made. No thread of the VM runs any more
 * but this one. */
static void give_back(bool threads_left, bool objects_in_use) {
    jdk_destroy();
    jvmti_destroy();
    jvmpi_destroy();
    link_destroy();
    jni_destroy();
    jit_destroy();
    exec_destroy();
    probes_destroy();
    heap_destroy(objects_in_use);
    if (vm->threads) {
        handles_destroy();
        monitors_destroy();
        threads_destroy();
    }
    native_libraries_close();
    crash_report_uninstall();
    events_destroy();
    os_signal_restore_all();
    if (threads_left) {
        os_library_forget_all();
    } else {
        os_library_close_all();
        os_release_all();
    }
    perf_data_destroy();
    options_free(vm->options);
    mem_free(vm->options);
    mem_free(vm->java_home);
    symbol_table_destroy();
    vm = NULL;
    end_process_state();
    memory_set_tracking(TRACKING_UNDECIDED);
}
