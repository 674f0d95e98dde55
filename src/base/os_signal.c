/* Signal dispositions we changed, so that they can be put back. */
#include "base/os.h"

#include <errno.h>
#include <stdio.h>

#include "base/lock.h"

#define SIGNALS 65

static struct lock      signal_lock = LOCK_INIT("signal dispositions", OS);
static struct sigaction previous[SIGNALS], ours[SIGNALS];
static bool             installed[SIGNALS];
static struct sigaction at_start[SIGNALS];       /* os_signal_note_all                               */
static bool             noted;
static sigset_t         unblocked;               /* os_signal_unblock                                */

static bool in_range(int signo) { return signo > 0 && signo < SIGNALS; }

static uintptr_t handler_of(const struct sigaction *a) {
    return a->sa_flags & SA_SIGINFO ? (uintptr_t)a->sa_sigaction : (uintptr_t)a->sa_handler;
}

static bool points_into(const struct sigaction *a, uintptr_t low, uintptr_t high) {
    return handler_of(a) >= low && handler_of(a) < high;
}

static bool same_handler(const struct sigaction *a, const struct sigaction *b) {
    return handler_of(a) == handler_of(b);
}

bool os_signal_install(int signo, const struct sigaction *action) {
    struct sigaction before;
    if (!in_range(signo)) {
        errno = EINVAL;
        return false;
    }
    lock_acquire(&signal_lock);
    bool ok = sigaction(signo, action, &before) == 0;
    if (ok && !installed[signo]) {
        previous[signo] = before;
        installed[signo] = true;
    }
    if (ok) ours[signo] = *action;
    lock_release(&signal_lock);
    return ok;
}

void os_signal_faults(sigset_t *out) {
    static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };
    sigemptyset(out);
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) sigaddset(out, signals[i]);
}

static void choose_unblocked(bool faults, bool shutdown) {
    static const int signals[] = { SIGHUP, SIGINT, SIGTERM };
    if (faults) os_signal_faults(&unblocked);
    else sigemptyset(&unblocked);
    for (size_t i = 0; shutdown && i < ARRAY_LEN(signals); i++)
        if (handler_of(&at_start[signals[i]]) != (uintptr_t)SIG_IGN) sigaddset(&unblocked, signals[i]);
}

void os_signal_note_all(bool faults, bool shutdown) {
    lock_acquire(&signal_lock);
    for (int s = 1; s < SIGNALS; s++)
        if (sigaction(s, NULL, &at_start[s]) != 0) at_start[s] = (struct sigaction){ .sa_handler = SIG_DFL };
    noted = true;
    choose_unblocked(faults, shutdown);
    lock_release(&signal_lock);
}

void os_signal_unblock(sigset_t *before) { pthread_sigmask(SIG_UNBLOCK, &unblocked, before); }

bool os_signal_previous(int signo, struct sigaction *out) {
    if (!in_range(signo)) return false;
    lock_acquire(&signal_lock);
    bool known = installed[signo];
    if (known) *out = previous[signo];
    lock_release(&signal_lock);
    return known;
}

bool os_signal_restore(int signo) {
    if (!in_range(signo)) return false;
    lock_acquire(&signal_lock);
    struct sigaction now;
    bool ok = installed[signo] && sigaction(signo, NULL, &now) == 0;
    /* Somebody who has put his own handler there since keeps it. */
    if (ok && same_handler(&now, &ours[signo])) ok = sigaction(signo, &previous[signo], NULL) == 0;
    installed[signo] = false;
    lock_release(&signal_lock);
    return ok;
}

void os_signal_restore_all(void) {
    for (int s = 1; s < SIGNALS; s++) os_signal_restore(s);
}

bool os_signal_handled_in(uintptr_t low, uintptr_t high) {
    struct sigaction now;
    for (int s = 1; s < SIGNALS; s++)
        if (sigaction(s, NULL, &now) == 0 && points_into(&now, low, high)) return true;
    return false;
}

void os_signal_forget_range(uintptr_t low, uintptr_t high) {
    struct sigaction now;
    lock_acquire(&signal_lock);
    for (int s = 1; s < SIGNALS; s++) {
        struct sigaction fallback = { .sa_handler = SIG_DFL };
        if (noted && !points_into(&at_start[s], low, high)) fallback = at_start[s];
        if (installed[s] && points_into(&previous[s], low, high)) previous[s] = fallback;
        if (sigaction(s, NULL, &now) == 0 && points_into(&now, low, high))
            sigaction(s, installed[s] ? &previous[s] : &fallback, NULL);
    }
    lock_release(&signal_lock);
}

/* ---- Names ---------------------------------------------------------------------------------------------------- */

static const struct { const char *name; int signo; } aliases[] = {
    { "CLD", SIGCHLD }, { "POLL", SIGPOLL }, { "IOT", SIGIOT }, { "UNUSED", SIGSYS },
};

const char *os_signal_name(int signo, char *buf, size_t size) {
    const char *name = in_range(signo) ? sigabbrev_np(signo) : NULL;
    if (name) snprintf(buf, size, "SIG%s", name);
    else if (signo >= SIGRTMIN && signo <= SIGRTMAX)
        snprintf(buf, size, signo == SIGRTMIN ? "SIGRTMIN" : "SIGRTMIN+%d", signo - SIGRTMIN);
    else snprintf(buf, size, "SIG%d", signo);
    return buf;
}

int os_signal_number(const char *name) {
    if (strncmp(name, "SIG", 3) == 0) name += 3;
    for (int s = 1; s < SIGNALS; s++) {
        const char *known = sigabbrev_np(s);
        if (known && strcmp(known, name) == 0) return s;
    }
    for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
        if (strcmp(aliases[i].name, name) == 0) return aliases[i].signo;
    if (strcmp(name, "RTMIN") == 0) return SIGRTMIN;
    if (strcmp(name, "RTMAX") == 0) return SIGRTMAX;
    return -1;
}
