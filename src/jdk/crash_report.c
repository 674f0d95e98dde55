/* crash_report.c — signals that would end the process, and the report of a fatal error, hs_err_pid<N>.log: for those
 * signals and for the VM's own fatal().
 *
 * Everything here may run in a signal handler of a broken process: no locks, no allocation, output by write(2). Each
 * section is a step; a step that fails in turn, or gets stuck, says so and the next one goes on. fatal() sees to it
 * that only one thread reports. */
#include "jdk/crash_report.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/events.h"
#include "base/options.h"
#include "base/os.h"
#include "base/perf_data.h"
#include "jdk/crash_frames.h"
#include "jdk/error_command.h"
#include "jdk/hooks.h"
#include "jdk/jvm.h"
#include "jdk/memory_fault.h"
#include "jdk/report.h"
#include "jit/compiled.h"
#include "thread/identity.h"

enum { MAX_THREADS = 500, STACK_BYTES = 512, CODE_BYTES = 32, SECOND_NANOS = 1000000000 };

static _Atomic bool installed;           /* its handlers are */

/* What is reported. */
struct crash {
    int signo;                           /* 0: fatal()                                                            */
    const siginfo_t *info;
    const ucontext_t *context;           /* NULL: fatal()                                                         */
    const char *file, *message;
    int line;
    struct crash_place at;
    struct os_thread *thread;            /* NULL: no thread of the VM                                             */
    /* of a VM that is well, since locks guard them; otherwise NULL */
    const char *log;
    const struct cache_figures *code;
};

typedef void write_step(struct out *o, const struct crash *c);

/* Where a step that fails goes on; `reporter` is the kernel id of the thread that runs one, 0 outside. SIGALRM: it has
 * taken too long. */
static sigjmp_buf next_step;
static _Atomic int reporter;
static volatile sig_atomic_t failed_signal;
static int64_t steps_end;                /* os_nanotime() when all of them have                                   */

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static const char *state_name(const struct java_thread *t) {
    switch (thread_activity(t)) {
    case ACTIVITY_STARTING: return "_thread_new";
    case ACTIVITY_RUNS: return t->frame != NULL ? "_thread_in_Java" : "_thread_in_vm";
    case ACTIVITY_FOREIGN: return "_thread_in_native";
    case ACTIVITY_WAITS: case ACTIVITY_UNMOUNTED: return "_thread_blocked";
    case ACTIVITY_ENDED: break;
    }
    return "_thread_terminated";
}

static void put_thread(struct out *o, const struct java_thread *t) {
    uintptr_t low = 0, high = 0;
    (void)thread_c_stack(t, &low, &high);
    put(o, "JavaThread \"%s\"%s [%s, id=%d, stack(0x%016lx,0x%016lx) (%zuK)]", t->name, t->daemon ? " daemon" : "",
        state_name(t), thread_tid(t), (unsigned long)low, (unsigned long)high, (size_t)(high - low) / KIB);
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

static const char *signal_code(int signo, int code) {
    if (signo == SIGSEGV) return code == SEGV_MAPERR ? "SEGV_MAPERR" : code == SEGV_ACCERR ? "SEGV_ACCERR" : NULL;
    if (signo == SIGBUS)
        return code == BUS_ADRALN   ? "BUS_ADRALN"
               : code == BUS_ADRERR ? "BUS_ADRERR"
               : code == BUS_OBJERR ? "BUS_OBJERR"
                                    : NULL;
    if (signo == SIGFPE) return code == FPE_INTDIV ? "FPE_INTDIV" : code == FPE_INTOVF ? "FPE_INTOVF" : NULL;
    if (signo == SIGILL) return code == ILL_ILLOPC ? "ILL_ILLOPC" : code == ILL_ILLOPN ? "ILL_ILLOPN" : NULL;
    return NULL;
}

static bool wants_core(void) { return vm->options->flags.CreateCoredumpOnCrash; }

static void core(struct out *o, const struct crash *c) {
    (void)c;
    struct rlimit limit;
    if (!wants_core()) put(o, "# CreateCoredumpOnCrash turned off, no core file dumped\n");
    else if (getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur == 0)
        put(o, "# No core dump will be written. Core dumps have been disabled. To enable core dumping, try \"ulimit -c "
               "unlimited\" before starting "
               "Java again\n");
    else put(o, "# A core dump will be written as the system is set up to do it\n");
    put(o, "#\n");
}

static void put_versions(struct out *o) {
    const char *name = options_property(vm->options, "java.vm.name"),
               *version = options_property(vm->options, "java.vm.version");
    put(o, "#\n# JRE version: class library of JDK %d in %s\n", (int)vm->library, vm->java_home);
    put(o, "# Java VM: %s (%s, %s, compressed oops, mark-region gc, linux)\n",
        name ? name : vm_short_name, version ? version : "starting", jit_mode());
}

static void headline(struct out *o, const struct crash *c) {
    put(o, "#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n");
    int tid = (int)os_thread_id();
    if (c->signo != 0) {
        char name[32];
        put(o, "#  %s (0x%x) at pc=0x%016lx, pid=%d, tid=%d\n", os_signal_name(c->signo, name, sizeof name),
            (unsigned)c->signo, (unsigned long)c->at.pc, (int)os_pid(), tid);
    } else {
        const char *slash = strrchr(c->file, '/');
        put(o, "#  Internal Error (%s:%d), pid=%d, tid=%d\n#  fatal error: %s\n", slash ? slash + 1 : c->file, c->line,
            (int)os_pid(), tid, c->message);
    }
    put_versions(o);
}

static void problematic_frame(struct out *o, const struct crash *c) {
    if (c->signo == 0) return;
    put(o, "# Problematic frame:\n# ");
    crash_put_native_frame(o, c->at.pc, false);
    put(o, "#\n");
    crash_put_jni_function(o, &c->at);
}

/* "Sun Nov  1 09:08:07 2026 UTC". gmtime() takes a lock, and may allocate. */
static void put_date(struct out *o, time_t now) {
    static const char days[7][4] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};      /* from 1970-01-01 on  */
    static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov",
                                       "Dec"};
    static const unsigned lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    unsigned long day = (unsigned long)now / 86400, left = day, second = (unsigned long)now % 86400;
    unsigned year = 1970, month = 0;
    bool is_leap = false;
    for (unsigned n = 365; left >= n; n = 365 + is_leap) {
        left -= n;
        year++;
        is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }
    for (unsigned n; left >= (n = lengths[month] + (month == 1 && is_leap)); month++) left -= n;
    put(o, "%s %s %2lu %02lu:%02lu:%02lu %u UTC", days[day % 7], months[month], left + 1, second / 3600,
        second / 60 % 60, second % 60, year);
}

static void summary(struct out *o, const struct crash *c) {
    (void)c;
    put(o, "\n---------------  S U M M A R Y ------------\n\nCommand Line: %s %s\n\n",
        vm->options->jvm_args ? vm->options->jvm_args : "", vm->options->java_command ? vm->options->java_command : "");
    struct utsname u;
    if (uname(&u) == 0) put(o, "Host: %s, %ld cores, %luM, %s %s\n", u.machine, sysconf(_SC_NPROCESSORS_ONLN),
                               (unsigned long)sysconf(_SC_PHYS_PAGES) / (MIB / os_page_size()), u.sysname, u.release);
    put(o, "Time: ");
    put_date(o, time(NULL));
    double elapsed = (double)(os_nanotime() - vm->start_nanos) / 1e9;
    unsigned s = (unsigned)elapsed;
    put(o, " elapsed time: %.6f seconds (%ud %uh %um %us)\n", elapsed, s / 86400, s / 3600 % 24, s / 60 % 60, s % 60);
}

static void put_compilation(struct out *o, const struct java_thread *t) {
    char text[512];
    if (t != NULL && jit_current_compilation(t, text, sizeof text))
        put(o, "\n\n\nCurrent CompileTask:\nC2:%s", text);
}

static void thread(struct out *o, const struct crash *c) {
    put(o, "\n---------------  T H R E A D  ---------------\n\n");
    if (c->thread == NULL) {
        put(o, "Current thread is native thread\n");
    } else {
        put(o, "Current thread (0x%016lx):  ", (unsigned long)(uintptr_t)c->thread->java);
        put_thread(o, c->thread->java);
        put_compilation(o, c->thread->java);
        put(o, "\n\nStack: [0x%016lx,0x%016lx],  sp=0x%016lx,  free space=%ldk\n",
            (unsigned long)c->thread->c_stack_low, (unsigned long)c->thread->c_stack_high, (unsigned long)c->at.sp,
            (long)(c->at.sp - c->thread->c_stack_low) / 1024);
        const char *lock = lock_innermost_name();
        if (lock != NULL) put(o, "Innermost lock held: %s\n", lock);
    }
}

static void native_stack(struct out *o, const struct crash *c) { crash_put_native_frames(o, &c->at, c->signo == 0); }

static void java_stack(struct out *o, const struct crash *c) {
    if (c->thread != NULL) crash_put_java_frames(o, c->thread->java, c->context);
}

static void signal_details(struct out *o, const struct crash *c) {
    if (c->signo == 0) return;
    char name[32];
    const char *code = signal_code(c->signo, c->info->si_code);
    put(o, "\nsiginfo: si_signo: %d (%s), si_code: %d", c->signo, os_signal_name(c->signo, name, sizeof name),
        c->info->si_code);
    if (code != NULL) put(o, " (%s), si_addr: 0x%016lx\n", code, (unsigned long)(uintptr_t)c->info->si_addr);
    else put(o, ", sent by process %d\n", (int)c->info->si_pid);
    put(o, "\nRegisters:\n");
    crash_put_registers(o, c->context);
}

static void memory_around(struct out *o, const struct crash *c) {
    put(o, "\nTop of Stack: (sp=0x%016lx)\n", (unsigned long)c->at.sp);
    crash_put_bytes(o, ALIGN_DOWN(c->at.sp, (uintptr_t)8), STACK_BYTES, 8);
    put(o, "\nInstructions: (pc=0x%016lx)\n", (unsigned long)c->at.pc);
    crash_put_bytes(o, ALIGN_DOWN(c->at.pc, (uintptr_t)16) - CODE_BYTES, 2 * CODE_BYTES, 1);
}

static void process(struct out *o, const struct crash *c) {
    (void)c;
    put(o, "\n---------------  P R O C E S S  ---------------\n");
}

/* Racy: the other threads run on. */
static void threads(struct out *o, const struct crash *c) {
    put(o, "\nJava Threads: ( => current thread )\n");
    int n = 0;
    for (struct java_thread *t = vm->threads ? threads_first() : NULL; t != NULL && n < MAX_THREADS; t = t->next, n++) {
        put(o, "%s0x%016lx ", c->thread != NULL && t == c->thread->java ? "=>" : "  ", (unsigned long)(uintptr_t)t);
        put_thread(o, t);
        put(o, "\n");
    }
    put(o, "Total: %d\n\nVM state: %s\n", n,
        vm->threads && safepoint_active() ? "at safepoint" : "not at safepoint (normal execution)");
}

static void heap(struct out *o, const struct crash *c) {
    (void)c;
    if (vm->heap == NULL) return;
    struct heap_stats s;
    uintptr_t low, high;
    heap_stats(&s);
    heap_bounds(&low, &high);
    put(o, "\nHeap address: 0x%016lx, size: %zu MB, Compressed Oops mode: Zero based, Oop shift amount: 3\n",
        (unsigned long)low, s.max / MIB);
    char text[HEAP_DESCRIPTION];
    heap_describe(text, sizeof text, " ");
    put(o, "\nHeap:\n%s", text);
    struct heap_collection g;
    if (!heap_last_collection(&g)) put(o, "\nLast collection: none\n");
    else put(o, "\nLast collection:\nEvent: %.3f GC(%" PRIu64 ") Pause Full (%s) %zuK->%zuK(%zuK) %.3fms\n",
        (double)(g.ended - vm->start_nanos) / 1e9, g.number, g.cause, g.before / KIB, g.after / KIB, g.capacity / KIB,
        (double)(g.ended - g.began) / 1e6);
}

static void code(struct out *o, const struct crash *c) {
    size_t metadata = arena_total() / KIB;
    put(o, "\nMetaspace: used %zuK, committed %zuK, reserved %zuK\n", metadata, metadata, metadata);
    if (c->code == NULL) return;
    char text[CODE_CACHE_DESCRIPTION];
    code_cache_describe(c->code, text);
    put(o, "\n%s", text);
}

struct agents { struct out *out; bool any; };
static void put_agent(void *arg, const char *name) {
    struct agents *a = arg;
    put(a->out, "%s  %s\n", a->any ? "" : "\n", name);
    a->any = true;
}

static void arguments(struct out *o, const struct crash *c) {
    const struct vm_options *p = vm->options;
    const char *path = options_property(p, "java.class.path");
    const char *launcher = options_property(p, "sun.java.launcher");
    struct agents agents = {o, false};
    put(o, "\nJVMTI agents:");
    jdk_hooks.agents_visit(put_agent, &agents);
    put(o, "%s\nVM Arguments:\njvm_args: %s\njava_command: %s\njava_class_path (initial): %s\nLauncher Type: %s\n",
        agents.any ? "" : " none\n", p->jvm_args ? p->jvm_args : "<none>",
        p->java_command ? p->java_command : "<unknown>", path ? path : "<not set>", launcher ? launcher : "generic");
    if (c->log != NULL) {
        put(o, "\nLogging:\n");
        put_text(o, c->log);
    }
    report_environment(o);
}

static void signal_handlers(struct out *o, const struct crash *c) {
    (void)c;
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGQUIT, SIGHUP, SIGINT, SIGTERM};
    put(o, "\nSignal Handlers:\n");
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
        struct sigaction a;
        char name[32];
        if (sigaction(signals[i], NULL, &a) != 0) continue;
        put(o, "%9s: ", os_signal_name(signals[i], name, sizeof name));
        uintptr_t handler = a.sa_flags & SA_SIGINFO ? (uintptr_t)a.sa_sigaction : (uintptr_t)a.sa_handler;
        if (handler == (uintptr_t)SIG_DFL) put(o, "SIG_DFL\n");
        else if (handler == (uintptr_t)SIG_IGN) put(o, "SIG_IGN\n");
        else crash_put_native_frame(o, handler, false);
    }
}

static void libraries(struct out *o, const struct crash *c) {
    (void)c;
    put(o, "\nDynamic libraries:\n");
    unsigned lines = put_file(o, "/proc/self/maps");
    if (vm->library != LIBRARY_17) put(o, "Total number of mappings: %u\n", lines);
}

static void events(struct out *o, const struct crash *c) {
    (void)c;
    static struct event_copy e;                     /* one thread reports */
    for (int i = 0; events_are_kept() && i < EVENT_LOGS; i++) {
        enum event_log log = (enum event_log)i;
        if (event_log_name(log) == NULL) continue;
        size_t n = event_count(log);
        put(o, "\n%s (%lu events):\n%s", event_log_title(log), (unsigned long)n, n == 0 ? "No events\n" : "");
        for (size_t k = 0; k < n; k++) {
            if (!event_read(log, k, &e)) continue;
            put(o, "Event: %ld.%03ld ", (long)(e.nanos / 1000000000), (long)(e.nanos / 1000000 % 1000));
            if (e.thread != NULL) put(o, "Thread 0x%016lx ", (unsigned long)(uintptr_t)e.thread);
            put(o, "%s\n", e.text);
        }
    }
}

static void the_system(struct out *o, const struct crash *c) {
    (void)c;
    report_system(o);
}

/* is_general: of a VM that is well, too. The first are for the screen, too. */
enum { HEAD_STEPS = 3 };
static const struct {
    const char *name;
    write_step *write;
    bool is_general;
} steps[] = {
    {"headline", headline, false}, {"problematic frame", problematic_frame, false}, {"core", core, false},
    {"summary", summary, true}, {"thread", thread, false},
    {"native stack", native_stack, false}, {"Java stack", java_stack, false}, {"signal", signal_details, false},
    {"memory", memory_around, false}, {"process", process, true}, {"threads", threads, false}, {"heap", heap, true},
    {"code", code, true}, {"events", events, true}, {"libraries", libraries, true}, {"arguments", arguments, true},
    {"signal handlers", signal_handlers, true}, {"system", the_system, true},
};

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Seconds that all steps may take together; 0: any. */
static int64_t log_timeout(void) { return (int64_t)MIN(vm->options->flags.ErrorLogTimeout, (uint64_t)INT32_MAX); }

/* 0: none. */
static void set_timer(int64_t nanos) {
    const struct itimerval t = {.it_value = {nanos / SECOND_NANOS, nanos % SECOND_NANOS / 1000}};
    (void)setitimer(ITIMER_REAL, &t, NULL);
}

/* A step has a quarter of what all have, so that three may get stuck. */
static void begin_step(void) {
    int64_t quarter = log_timeout() * SECOND_NANOS / 4;
    atomic_store(&reporter, (int)os_thread_id());        /* or the timer would find nobody                            */
    if (quarter != 0) set_timer(MAX(MIN(quarter, steps_end - os_nanotime()), INT64_C(1000)));
}

static bool is_out_of_time(void) { return os_nanotime() >= steps_end; }

/* A step that fails comes back here through sigsetjmp. */
static void run_step(struct out *o, const char *name, write_step *write, const struct crash *c) {
    const int64_t began = os_nanotime();
    if (is_out_of_time()) return;
    if (sigsetjmp(next_step, 1) == 0) {
        begin_step();
        write(o, c);
    } else if (failed_signal == SIGALRM) {
        put(o, "\n[timeout occurred during error reporting in step \"%s\"] after %d s.\n", name,
            (int)((os_nanotime() - began) / SECOND_NANOS));
        if (is_out_of_time())
            put(o, "\n------ Timeout during error reporting after %d s. ------\n", (int)log_timeout());
    } else {
        put(o, "\n[error occurred during error reporting (%s), signal %d]\n", name, (int)failed_signal);
    }
    set_timer(0);
    atomic_store(&reporter, 0);
    out_flush(o);
}

/* The file that -XX:ErrorFile names; where that cannot be had, in the working directory, and then in the directory for
 * temporary files. */
static struct report_file { char path[2048]; int fd; /* -1: none */ } file;

static void open_report(struct out *o UNUSED, const struct crash *c UNUSED) {
    const struct vm_flags *flags = &vm->options->flags;
    char directory[1024] = "";
    const char *given = flags->ErrorFile;
    enum { MODE = O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC };
    if (flags->ErrorFileToStdout || flags->ErrorFileToStderr) return;
    if (given != NULL && *given != 0) {
        os_expand_process_id(given, file.path, sizeof file.path);
        file.fd = open(file.path, MODE, 0666);
    }
    if (file.fd < 0 && getcwd(directory, sizeof directory) != NULL) {
        snprintf(file.path, sizeof file.path, "%s/hs_err_pid%d.log", directory, (int)os_pid());
        file.fd = open(file.path, MODE, 0666);
    }
    if (file.fd >= 0) return;
    snprintf(file.path, sizeof file.path, "%s/hs_err_pid%d.log", os_temp_dir(), (int)os_pid());
    file.fd = open(file.path, MODE, 0666);
}

/* A failure while a step runs on this thread ends the step. */
static void leave_step(int signo) {
    if (atomic_load(&reporter) != (int)os_thread_id()) return;
    atomic_store(&reporter, 0);
    failed_signal = signo;
    siglongjmp(next_step, 1);
}

/* The kernel lets any thread have the signal. */
static void on_timer(int signo) {
    leave_step(signo);
    int stuck = atomic_load(&reporter);
    if (stuck != 0) (void)tgkill(os_pid(), stuck, signo);
}

/* Whoever wants commands to look at the process wants them however long the report has taken, as on HotSpot. */
static bool has_error_commands(void) { return vm->options->flags.OnError != NULL && *vm->options->flags.OnError != 0; }

static void limit_steps(void) {
    struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_ONSTACK | SA_RESTART};
    sigset_t timer;
    sigemptyset(&action.sa_mask);
    sigemptyset(&timer);
    sigaddset(&timer, SIGALRM);
    steps_end = log_timeout() == 0 || has_error_commands() ? INT64_MAX : os_nanotime() + log_timeout() * SECOND_NANOS;
    (void)sigaction(SIGALRM, &action, NULL);
    (void)pthread_sigmask(SIG_UNBLOCK, &timer, NULL);
}

static void report(const struct crash *c) {
    static struct out out;               /* the stack may be short */
    const struct vm_flags *flags = &vm->options->flags;
    out = (struct out){.fd = STDOUT_FILENO};
    file.fd = -1;
    limit_steps();
    for (size_t i = 0; i < HEAD_STEPS; i++) run_step(&out, steps[i].name, steps[i].write, c);
    run_step(&out, "report file", open_report, c);
    if (file.fd >= 0)
        put(&out, "# An error report file with more information is saved as:\n# %s\n", file.path);
    else if (!flags->ErrorFileToStdout && !flags->ErrorFileToStderr)
        put(&out, "# Can not save log file, dump to screen..\n");
    out_flush(&out);
    out.fd = file.fd >= 0 ? file.fd : flags->ErrorFileToStderr ? STDERR_FILENO : STDOUT_FILENO;
    for (size_t i = 0; i < ARRAY_LEN(steps); i++) run_step(&out, steps[i].name, steps[i].write, c);
    if (file.fd >= 0) close(file.fd);
    out.fd = STDOUT_FILENO;
    put(&out, is_out_of_time() ? "# [ timer expired, abort... ]\n" : "#\n");
    out_flush(&out);
    if (has_error_commands()) {
        put(&out, "#\n# -XX:OnError=\"%s\"\n", flags->OnError);
        out_flush(&out);
        error_commands_run(flags->OnError, " ...");
    }
    perf_data_crash();
    if (!wants_core()) _exit(1);
}

void crash_report_info(struct os_thread *self, int fd) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct out out = {.fd = fd};
    struct cache_figures figures = jit_cache_figures();
    char *log = log_describe();
    const struct crash none = {.thread = self, .log = log, .code = &figures};
    safepoint_begin(self, "VM.info");
    put_versions(&out);
    for (size_t i = 0; i < ARRAY_LEN(steps); i++)
        if (steps[i].is_general) steps[i].write(&out, &none);
    out_flush(&out);
    safepoint_end(self);
    mem_free(log);
}

static void report_signal(void *arg) { report(arg); }

static void on_signal(int signo, siginfo_t *info, void *context) {
    leave_step(signo);
    if (memory_fault_handle(signo, info, context, current_thread())) return;
    struct crash c = {.signo = signo, .info = info, .context = context, .at = crash_place_of(context)};
    c.thread = current_thread();
    base_die(report_signal, &c);
}

bool crash_report_fatal(const char *file, int line, const char *message) {
    if (!atomic_load(&installed)) return false;
    leave_step(SIGABRT);
    struct crash c = {.file = file, .line = line, .message = message};
    c.at = (struct crash_place){(uintptr_t)__builtin_return_address(0), thread_stack_pointer(),
                                (uintptr_t)__builtin_frame_address(0)};
    c.thread = current_thread();
    report(&c);
    return true;
}

/* The system call that raised it has an errno for it. A handler, not SIG_IGN, which programs that we start would
 * inherit. */
static void on_failed_write(int signo) { (void)signo; }

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL}, harmless_signals[] = {SIGPIPE, SIGXFSZ};

void crash_report_install(void) {
    atomic_store(&installed, true);
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < ARRAY_LEN(fatal_signals); i++) os_signal_install(fatal_signals[i], &action);
    struct sigaction harmless = {.sa_handler = on_failed_write, .sa_flags = SA_RESTART};
    sigemptyset(&harmless.sa_mask);
    for (size_t i = 0; i < ARRAY_LEN(harmless_signals); i++) os_signal_install(harmless_signals[i], &harmless);
}

void crash_report_uninstall(void) {
    for (size_t i = 0; i < ARRAY_LEN(fatal_signals); i++) os_signal_restore(fatal_signals[i]);
    for (size_t i = 0; i < ARRAY_LEN(harmless_signals); i++) os_signal_restore(harmless_signals[i]);
    atomic_store(&installed, false);
}
