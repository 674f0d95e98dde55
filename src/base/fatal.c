/* The end of the road: fatal errors and failed assertions. */
#include "base/base.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hooks.h"

static _Atomic(void (*)(void)) registered_abort;
static _Atomic int           reporting;          /* kernel thread id of the thread that reports */

void base_set_abort_hook(void (*hook)(void))     { atomic_store(&registered_abort, hook); }

/* stdio may be the thing that is broken, so the sentence goes out by write(2). */
static void say(const char *text) {
    size_t  left = strlen(text);
    ssize_t n;
    while (left > 0 && (n = write(STDERR_FILENO, text, left)) > 0) {
        text += n;
        left -= (size_t)n;
    }
}

/* False: this thread reports already, and failed on the way. */
static bool begin_report(void) {
    int self = (int)gettid();
    int nobody = 0;
    if (!atomic_compare_exchange_strong(&reporting, &nobody, self)) {
        if (nobody == self) return false;
        for (;;) pause();                        /* another thread reports and ends the process */
    }
    return true;
}

NORETURN static void abort_process(void) {
    void (*abort_hook)(void) = atomic_load(&registered_abort);
    if (abort_hook) abort_hook();
    abort();
}

void base_die(void (*report)(void *arg), void *arg) {
    if (!begin_report()) _exit(128 + SIGABRT);   /* no second report */
    report(arg);
    abort_process();
}

NORETURN static void end_process(const char *file, int line, const char *message) {
    char text[1536];
    snprintf(text, sizeof text, "Internal error (%s:%d): %s\n", file, line, message);
    bool first = begin_report();
    bool reported = base_hooks.crash(file, line, message);
    if (!first || !reported) say(text);
    if (!first) _exit(128 + SIGABRT);
    abort_process();
}

void fatal_at(const char *file, int line, const char *fmt, ...) {
    char    message[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    end_process(file, line, message);
}

void base_assert_failed(const char *file, int line, const char *cond, const char *fmt, ...) {
    char    message[1024];
    int     n = snprintf(message, sizeof message, "assertion failed: %s ", cond);
    va_list args;
    va_start(args, fmt);
    if (n > 0 && (size_t)n < sizeof message) vsnprintf(message + n, sizeof message - (size_t)n, fmt, args);
    va_end(args);
    end_process(file, line, message);
}
