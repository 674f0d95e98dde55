/* jdk_internal_misc_Signal.c — operating system signals for Java: dispositions, and the thread "Signal Dispatcher" that
 * runs the handlers.
 *
 *   handler (any thread) --> pending[signo]++, eventfd --> dispatcher --> Signal.dispatch(signo), or for SIGQUIT a
 * thread dump
 */
#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/options.h"
#include "base/os.h"
#include "jdk/attach_listener.h"
#include "jdk/boot.h"
#include "jdk/jvm.h"
#include "jdk/perf_counters.h"
#include "jdk/service_thread.h"
#include "jdk/thread_dump.h"
#include "jdk/thread_life.h"
#include "probe/probe.h"

enum { SIGNALS = 65, DISPATCHER_PRIORITY = 9 };

/* What Signal.handle0 passes and gets for a disposition. */
#define HANDLER_DEFAULT    ((void *)0)
#define HANDLER_IGNORE     ((void *)1)
#define HANDLER_DISPATCHER ((void *)2)
#define HANDLER_REFUSED    ((void *)-1)

struct signal_state {
    int wake;                            /* eventfd                                                              */
    _Atomic uint32_t pending[SIGNALS];
};

/* Handlers under way. Outlives the VM, as they may: a signal can hit any thread of the process. */
static _Atomic uint32_t handling;

/* Async-signal-safe. */
static void on_signal(int signo, siginfo_t *info, void *context) {
    (void)info, (void)context;
    int error = errno;
    atomic_fetch_add(&handling, 1);
    struct vm *v = vm;
    struct signal_state *s = v && v->jdk ? v->jdk->signals : NULL;
    if (s != NULL && signo > 0 && signo < SIGNALS) {
        uint64_t one = 1;
        atomic_fetch_add(&s->pending[signo], 1);
        while (write(s->wake, &one, sizeof one) < 0 && errno == EINTR) {}
    }
    atomic_fetch_sub(&handling, 1);
    errno = error;
}

/* ---- the library's side ------------------------------------------------------------------------------------------ */

JVM jint JVM_FindSignal(const char *name);
JVM jint JVM_FindSignal(const char *name) { return os_signal_number(name); }

static bool is_ignored(int signo) {
    struct sigaction now;
    return sigaction(signo, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN;
}

static bool is_shutdown_signal(int signo) { return signo == SIGHUP || signo == SIGINT || signo == SIGTERM; }

static void *disposition(const struct sigaction *a) {
    if (a->sa_flags & SA_SIGINFO)
        return a->sa_sigaction == on_signal ? HANDLER_DISPATCHER : (void *)(uintptr_t)a->sa_sigaction;
    return a->sa_handler == SIG_DFL   ? HANDLER_DEFAULT
           : a->sa_handler == SIG_IGN ? HANDLER_IGNORE
                                      : (void *)(uintptr_t)a->sa_handler;
}

static bool install(int signo, void *handler) {
    struct sigaction action = {.sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    if (handler == HANDLER_DISPATCHER) {
        action.sa_flags |= SA_SIGINFO;
        action.sa_sigaction = on_signal;
    } else {
        action.sa_handler = handler == HANDLER_DEFAULT  ? SIG_DFL
                            : handler == HANDLER_IGNORE ? SIG_IGN
                                                        : (void (*)(int))(uintptr_t)handler;
    }
    return os_signal_install(signo, &action);
}

JVM void *JVM_RegisterSignal(jint signo, void *handler);
JVM void *JVM_RegisterSignal(jint signo, void *handler) {
    bool reduced = vm->options->reduce_signals;
    if (signo == SIGFPE || signo == SIGILL || signo == SIGSEGV || (signo == SIGQUIT && !reduced))
        return HANDLER_REFUSED;
    if (is_shutdown_signal(signo)) {
        if (reduced) return HANDLER_REFUSED;
        if (is_ignored(signo)) return HANDLER_IGNORE; /* nohup and the like: stays so */
    }
    struct sigaction before;
    if (signo <= 0 || signo >= SIGNALS || sigaction(signo, NULL, &before) != 0 || !install(signo, handler))
        return HANDLER_REFUSED;
    return disposition(&before);
}

JVM jboolean JVM_RaiseSignal(jint signo);
JVM jboolean JVM_RaiseSignal(jint signo) {
    if (vm->options->reduce_signals) {
        if (is_shutdown_signal(signo) || signo == SIGQUIT) return JNI_FALSE;
    } else if (is_shutdown_signal(signo) && is_ignored(signo)) {
        return JNI_FALSE;
    }
    raise(signo);
    return JNI_TRUE;
}

/* ---- the dispatcher ---------------------------------------------------------------------------------------------- */

static void dispatch(struct os_thread *self, int signo) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (signo == SIGQUIT) {
        if (attach_listener_triggered(self)) return;
        thread_dump_print(self);
        probe_data_dump_request(self);
        return;
    }
    struct class *c = class_find_boot(self, "jdk/internal/misc/Signal");
    uint64_t args[1] = {slot_int(signo)};
    if (c != NULL) java_call_static_named(self, c, "dispatch", "(I)V", args, NULL);
    if (self->exception == NULL) return;
    char *name = class_external_name(class_of(exception_take(self))), signal_name[32];
    vm_print(true,
             "WARNING: Exception %s occurred dispatching signal %s to handler- the VM may need to be forcibly "
             "terminated\n",
             name ? name : "?", os_signal_name(signo, signal_name, sizeof signal_name));
    mem_free(name);
}

static bool take(struct signal_state *s, int signo) {
    uint32_t n = atomic_load(&s->pending[signo]);
    while (n != 0 && !atomic_compare_exchange_weak(&s->pending[signo], &n, n - 1)) {}
    return n != 0;
}

/* Until there is something to dispatch. Meanwhile the clock of the performance data goes on, where the library has
 * tools read it. False: the descriptor is gone. */
static bool wait_for_signal(const struct signal_state *s) {
    struct pollfd wake = {.fd = s->wake, .events = POLLIN};
    int interval = perf_counters_interval(), ready = 1;
    while (interval >= 0 && (ready = poll(&wake, 1, interval)) == 0) perf_counters_tick();
    uint64_t n;
    return ready < 0 ? errno == EINTR : read(s->wake, &n, sizeof n) >= 0 || errno == EINTR;
}

static void dispatcher(struct os_thread *self, void *arg) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    struct signal_state *s = arg;
    sigset_t quit;
    sigemptyset(&quit);
    sigaddset(&quit, SIGQUIT);
    pthread_sigmask(SIG_UNBLOCK, &quit, NULL); /* who started the process may have had it blocked, as HotSpot has */
    for (;;) {
        thread_block_begin(self);
        bool open = wait_for_signal(s);
        thread_block_end(self);
        thread_poll(self);
        self->exception = NULL;          /* a stop request does not end a service */
        if (!open) return;
        for (int signo = 1; signo < SIGNALS; signo++)
            while (take(s, signo)) dispatch(self, signo);
    }
}

void signal_dispatcher_wake(void) {
    struct signal_state *s = vm->jdk->signals;
    uint64_t one = 1;
    if (s != NULL) while (write(s->wake, &one, sizeof one) < 0 && errno == EINTR) {}
}

void signals_destroy(void) {
    struct signal_state *s = vm->jdk->signals;
    for (int signo = 1; signo < SIGNALS; signo++) {
        struct sigaction now;
        if (sigaction(signo, NULL, &now) == 0 && now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_signal)
            os_signal_restore(signo);
    }
    vm->jdk->signals = NULL;
    while (atomic_load(&handling) != 0) os_yield(); /* a few instructions of a handler that began before */
    if (s == NULL) return;
    close(s->wake);
    mem_free(s);
}

bool signal_dispatcher_start(struct os_thread *self) {
    REQUIRES(IN_VM | NO_PENDING | MAY_STOP);
    if (vm->options->reduce_signals) return true;
    struct signal_state *s = mem_zalloc(sizeof *s);
    int fd = s ? eventfd(0, EFD_CLOEXEC) : -1;
    if (fd < 0) {
        mem_free(s);
        throw_out_of_memory(self, "signal dispatcher");
        return false;
    }
    s->wake = fd;
    vm->jdk->signals = s;
    if (!service_thread_start(self, "Signal Dispatcher", DISPATCHER_PRIORITY, false, dispatcher, s)) return false;
    install(SIGQUIT, HANDLER_DISPATCHER);
    return true;
}
