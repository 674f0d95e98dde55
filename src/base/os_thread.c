/* Threads, time, futexes, memory barriers. */
#include "base/os.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"

#define NS_PER_S 1000000000LL

/* ---- Time ----------------------------------------------------------------------------------------------------- */

static int64_t clock_ns(clockid_t clock) {
    struct timespec t;
    return clock_gettime(clock, &t) == 0 ? t.tv_sec * NS_PER_S + t.tv_nsec : -1;
}

int64_t os_nanotime(void)       { return clock_ns(CLOCK_MONOTONIC); }
int64_t os_wall_millis(void)    { return clock_ns(CLOCK_REALTIME) / 1000000; }
int64_t os_process_cpu_ns(void) { return clock_ns(CLOCK_PROCESS_CPUTIME_ID); }
int64_t os_thread_cpu_ns(void)  { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }

void os_wall_time(int64_t *seconds, int64_t *nanos) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    *seconds = t.tv_sec;
    *nanos = t.tv_nsec;
}

/* The thread's stat; *fields: behind the command's closing parenthesis (a name may contain anything), NULL where it
 * cannot be read. */
static char *stat_of_tid(pid_t tid, const char **fields) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)tid);
    char *text = os_read_text(path, 4096), *end = text ? strrchr(text, ')') : NULL;
    *fields = end ? end + 1 : NULL;
    return text;
}

bool os_thread_exists(pid_t tid) { return syscall(SYS_tgkill, getpid(), tid, 0) == 0; }

char os_state_of_tid(pid_t tid) {
    const char *p;
    char *text = stat_of_tid(tid, &p), state;
    bool told = p && sscanf(p, " %c", &state) == 1;
    mem_free(text);
    return told ? state : 0;
}

/* utime is field 14. */
static int64_t user_ns_of_tid(pid_t tid) {
    const char *p;
    char *text = stat_of_tid(tid, &p);
    unsigned long long ticks;
    int64_t ns = -1;
    if (p && sscanf(p, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu", &ticks) == 1)
        ns = (int64_t)ticks * (NS_PER_S / sysconf(_SC_CLK_TCK));
    mem_free(text);
    return ns;
}

int64_t os_cpu_ns_of_tid(pid_t tid, bool user_only) {
    if (user_only) return user_ns_of_tid(tid);
    return clock_ns((clockid_t)(~(unsigned)tid << 3 | 6));     /* the kernel's per-thread scheduler clock of tid */
}

/* ---- Waiting -------------------------------------------------------------------------------------------------- */

static long futex(_Atomic uint32_t *word, int op, uint32_t value, const struct timespec *time) {
    return syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, time, NULL, FUTEX_BITSET_MATCH_ANY);
}

static int wait_result(long rc) { return rc == 0 || errno == EAGAIN ? 0 : errno; }

int os_futex_wait(_Atomic uint32_t *word, uint32_t expected, int64_t timeout_ns) {
    if (timeout_ns == INT64_MAX) return wait_result(futex(word, FUTEX_WAIT, expected, NULL));
    if (timeout_ns <= 0) return atomic_load(word) == expected ? ETIMEDOUT : 0;
    struct timespec t = { timeout_ns / NS_PER_S, timeout_ns % NS_PER_S };
    return wait_result(futex(word, FUTEX_WAIT, expected, &t));
}

int os_futex_wait_until(_Atomic uint32_t *word, uint32_t expected, int64_t deadline_ns, bool realtime) {
    if (deadline_ns == INT64_MAX) return os_futex_wait(word, expected, INT64_MAX);
    if (deadline_ns < 0) deadline_ns = 0;
    struct timespec t = { deadline_ns / NS_PER_S, deadline_ns % NS_PER_S };
    return wait_result(futex(word, FUTEX_WAIT_BITSET | (realtime ? FUTEX_CLOCK_REALTIME : 0), expected, &t));
}

void os_futex_wake(_Atomic uint32_t *word, int count) { futex(word, FUTEX_WAKE, (uint32_t)count, NULL); }

/* Registration is per process and lasts; a race of two registrations is harmless. */
bool os_membarrier_available(void) {
    static _Atomic int state;                  /* 0 unknown, 1 yes, 2 no */
    int s = atomic_load(&state);
    if (s == 0) {
        long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
        bool ok = commands > 0 && commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED &&
                  syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
        s = ok ? 1 : 2;
        atomic_store(&state, s);
    }
    return s == 1;
}

bool os_membarrier(void) {
    return os_membarrier_available() && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void os_yield(void) { sched_yield(); }

/* ---- Threads -------------------------------------------------------------------------------------------------- */

int os_thread_create(pthread_t *out, void *(*body)(void *), void *arg, size_t stack_size, bool detached) {
    pthread_attr_t attr;
    pthread_t      thread;
    int            rc = pthread_attr_init(&attr);
    if (rc != 0) return rc;
    if (stack_size) {
        stack_size = ALIGN_UP(MAX(stack_size, (size_t)PTHREAD_STACK_MIN), os_page_size());
        rc = pthread_attr_setstacksize(&attr, stack_size);
    }
    if (rc == 0 && detached) rc = pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    if (rc == 0) rc = pthread_create(&thread, &attr, body, arg);
    pthread_attr_destroy(&attr);
    if (rc == 0 && out) *out = thread;
    return rc;
}

pid_t os_thread_id(void) {
    static _Thread_local pid_t id;
    if (UNLIKELY(!id)) id = gettid();
    return id;
}

void os_thread_set_name(const char *name) {
    char   cut[16];
    size_t n = strlen(name);
    if (n > 15) {
        n = 15;
        while (n > 0 && ((uint8_t)name[n] & 0xc0) == 0x80) n--;
    }
    memcpy(cut, name, n);
    cut[n] = 0;
    pthread_setname_np(pthread_self(), cut);
}

#define MAIN_STACK_MAX (8 * MIB)

bool os_thread_stack_bounds(uintptr_t *low, uintptr_t *high, size_t *guard) {
    pthread_attr_t attr;
    void  *start;
    size_t size, guard_size = 0;
    if (pthread_getattr_np(pthread_self(), &attr) != 0) return false;
    bool ok = pthread_attr_getstack(&attr, &start, &size) == 0 && pthread_attr_getguardsize(&attr, &guard_size) == 0;
    pthread_attr_destroy(&attr);
    if (!ok) return false;
    *high = (uintptr_t)start + size;
    *low = (uintptr_t)start;
    /* The primordial thread's stack grows on demand; with an unlimited rlimit its low end would mean nothing. */
    if (os_thread_id() == os_pid()) {
        if (size > MAIN_STACK_MAX) *low = *high - MAIN_STACK_MAX;
        guard_size = 2 * os_page_size();
    }
    *guard = guard_size;
    return true;
}
