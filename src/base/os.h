/* The operating system: memory, threads, time, futexes, libraries, signals, the machine's limits (64-bit Linux). */
#ifndef VITRINE_BASE_OS_H
#define VITRINE_BASE_OS_H

#include <pthread.h>
#include <signal.h>
#include <sys/types.h>

#include "base/base.h"
#include "base/memory.h"

/* ---- Memory --------------------------------------------------------------------------------------------------- */

size_t os_page_size(void);

/* Address space without memory behind it; NULL when refused. hint may be NULL. Sizes are rounded up to pages. */
void *os_reserve_for(enum memory_category of, void *hint, size_t size) MUST_CHECK;
/* A gap wholly below `limit`, the highest that fits, aligned (a power of two >= page). NULL when there is none. */
void *os_reserve_below_for(enum memory_category of, uintptr_t limit, size_t size, size_t align) MUST_CHECK;
/* The largest size that os_reserve_below(limit, ., align) could give now. */
size_t os_largest_gap_below(uintptr_t limit, size_t align);
/* Aligned anywhere. */
void *os_reserve_aligned_for(enum memory_category of, size_t size, size_t align) MUST_CHECK;
#define os_reserve(hint, size)                 os_reserve_for(MEMORY_OF, hint, size)
#define os_reserve_below(limit, size, align)   os_reserve_below_for(MEMORY_OF, limit, size, align)
#define os_reserve_aligned(size, align)        os_reserve_aligned_for(MEMORY_OF, size, align)

bool  os_commit(void *p, size_t size) MUST_CHECK;      /* readable, writable, zero; false when memory is refused     */
void  os_decommit(void *p, size_t size);               /* memory back, address space stays, inaccessible             */
void  os_discard(void *p, size_t size);                /* memory back, stays accessible and reads as zero            */
void  os_release(void *p, size_t size);                /* undoes os_reserve* of exactly this range                   */
bool  os_is_mapped(const void *p, size_t size);        /* by the kernel's word; for crash reports                    */

/* Memory for machine code, `size` in whole pages, which takes none before it is used. Two views of it: what is written
 * at *writable runs at *runs. Where the system refuses that, both are one, of which os_code_protect switches parts.
 * Each view is given back by os_release. False: neither can be had. */
bool  os_code_reserve_for(enum memory_category of, size_t size, void **writable, void **runs) MUST_CHECK;
#define os_code_reserve(size, writable, runs)  os_code_reserve_for(MEMORY_OF, size, writable, runs)
/* Of one view: whole pages become executable, or writable. False: the system refuses. */
bool  os_code_protect(void *p, size_t size, bool executable) MUST_CHECK;

/* Ranges that DestroyJavaVM gives back: os_reserve* registers, os_release removes. */
void   os_release_all(void);
void   os_keep(void *p);                    /* not this one any more                      */
/* A mapping that others made and give back goes into the account of memory.h, until os_unaccount. Without memory for
 * that it is left out. */
void   os_account_for(enum memory_category of, void *p, size_t size);
#define os_account(p, size) os_account_for(MEMORY_OF, p, size)
void   os_unaccount(void *p);
/* The calling thread's C stack, while tracking is on; for threads that are no `struct os_thread`. */
void   os_account_stack(void);
void   os_unaccount_stack(void);
size_t os_reserved_total(void);

/* A whole file, read only. */
struct os_file_map { void *data; size_t size; };
bool os_map_file(const char *path, struct os_file_map *out, char **err);   /* err: caller frees; NULL err allowed */
void os_unmap_file(struct os_file_map *map);

/* Physical memory, and what the container or cgroup allows (0 = no limit). Bytes. */
uint64_t os_physical_memory(void);          /* the smaller of machine and container       */
uint64_t os_host_memory(void);
uint64_t os_container_memory_limit(void);
uint64_t os_resident_memory(void);          /* of this process                            */

/* ---- Processors ----------------------------------------------------------------------------------------------- */

int    os_host_cpu_count(void);             /* online                                     */
int    os_cpu_count(void);                  /* affinity and cgroup quota applied, >= 1    */

/* ---- Time ----------------------------------------------------------------------------------------------------- */

int64_t os_nanotime(void);                  /* monotonic                                  */
int64_t os_wall_millis(void);
void    os_wall_time(int64_t *seconds, int64_t *nanos);
int64_t os_process_cpu_ns(void);
int64_t os_thread_cpu_ns(void);             /* calling thread                             */
/* -1 when the thread is gone; the user part has the resolution of a clock tick. */
int64_t os_cpu_ns_of_tid(pid_t tid, bool user_only);
/* What proc(5) calls its state: R runs or could, S sleeps, D sleeps and is not to be woken, Z and X have ended ...; 0
 * when there is no such thread. */
char    os_state_of_tid(pid_t tid);
bool    os_thread_exists(pid_t tid);    /* in this process: not ended, as far as the kernel knows */

/* ---- Waiting -------------------------------------------------------------------------------------------------- */

/* Waits while *word == expected. timeout in ns (INT64_MAX: none). 0 woken or value differs, EINTR, ETIMEDOUT. */
int  os_futex_wait(_Atomic uint32_t *word, uint32_t expected, int64_t timeout_ns);
/* Until an absolute time: CLOCK_REALTIME milliseconds-based when realtime, else CLOCK_MONOTONIC nanoseconds. */
int  os_futex_wait_until(_Atomic uint32_t *word, uint32_t expected, int64_t deadline_ns, bool realtime);
void os_futex_wake(_Atomic uint32_t *word, int count);
#define OS_WAKE_ALL INT32_MAX

/* Every thread of the process passes a full memory barrier before this returns. False: the kernel cannot (callers then
 * need fences on the other side: ask once at start-up). */
bool os_membarrier_available(void);
bool os_membarrier(void);

void os_yield(void);

/* ---- Threads -------------------------------------------------------------------------------------------------- */

/* Starts a detached (or joinable) thread with a stack of at least stack_size bytes (0: default).
 * Returns 0 or an errno (EAGAIN: no more threads). Signals of the new thread are as the creator's. */
int   os_thread_create(pthread_t *out, void *(*body)(void *), void *arg, size_t stack_size, bool detached) MUST_CHECK;
pid_t os_thread_id(void);                            /* kernel id, cached                                            */
void  os_thread_set_name(const char *name);          /* calling thread; cut to 15 bytes at a char boundary           */
/* Bounds of the calling thread's C stack: [low, high). The main thread's low end follows its rlimit.
 * guard: bytes at the low end that must not be touched. */
bool  os_thread_stack_bounds(uintptr_t *low, uintptr_t *high, size_t *guard);

/* ---- Process -------------------------------------------------------------------------------------------------- */

pid_t os_pid(void);
/* Copies `text` with %p replaced by the process id and %% by %; always ends it. Async-signal-safe. */
void  os_expand_process_id(const char *text, char *out, size_t size);
const char *os_env(const char *name);                /* NULL when unset                                              */
char **os_environ(void);
const char *os_temp_dir(void);                       /* "/tmp"                                                       */
bool  os_file_exists(const char *path);
bool  os_is_directory(const char *path);
bool  os_is_regular(const char *path);
bool  os_is_same_file(const char *path, const char *other);    /* both exist, links followed */
char *os_read_text(const char *path, size_t max);    /* NUL-terminated, caller frees; NULL when unreadable           */

/* ---- Libraries ------------------------------------------------------------------------------------------------ */

/* dlopen(RTLD_LAZY). NULL: *err (if given) is the loader's sentence, caller frees. Registered
 * for os_library_close_all. */
void *os_library_open(const char *path, char **err);
void *os_library_find(void *handle, const char *name);     /* handle NULL: the process (RTLD_DEFAULT)                 */
void  os_library_close(void *handle);
void  os_library_forget_all(void);                         /* they stay loaded for good                              */
void  os_library_stays(void *handle);                      /* closing it leaves its code mapped                      */
/* The addresses that the library of a handle is mapped at. False: not a library of its own (the program). */
bool  os_library_range(void *handle, uintptr_t *low, uintptr_t *high);
bool  os_library_contains(void *handle, const void *address);
void  os_library_close_all(void);                          /* newest first                                            */
/* File and base of the library an address lies in; false when none. Strings belong to the loader. */
bool  os_library_of(const void *address, const char **out_path, uintptr_t *out_base, const char **out_symbol,
                    uintptr_t *out_symbol_address);
/* The same for functions that a library hides: from the symbol table of its file. offset: from the library's base.
 * Allocates nothing and takes no locks. False: none, or the file has no such table. */
bool  os_symbol_in_file(const char *path, uintptr_t offset, char *out_name, size_t size, uintptr_t *out_offset);
/* Path through the loaded libraries that contain address ranges: visit returns false to stop. */
void  os_library_iterate(bool (*visit)(const char *path, uintptr_t base, void *arg), void *arg);

/* ---- Signals -------------------------------------------------------------------------------------------------- */

/* Installs a handler and remembers what was there, once per signal. False with errno when the kernel refuses. */
bool os_signal_install(int signo, const struct sigaction *action);
/* The disposition found before our first installation; false when we never installed one. */
bool os_signal_previous(int signo, struct sigaction *out);
/* Unless somebody else has installed a handler since. */
bool os_signal_restore(int signo);
void os_signal_restore_all(void);
/* Remembers what all dispositions are, before the VM or a library of the JDK changes any; and chooses what
 * os_signal_unblock unblocks: with `faults` the signals of faults, with `shutdown` SIGHUP, SIGINT and SIGTERM, but not
 * those that are ignored. */
void os_signal_note_all(bool faults, bool shutdown);
/* The signals of faults, which no thread of the VM's may have blocked: the kernel would end the process with no
 * report. */
void os_signal_faults(sigset_t *out);
/* The calling thread has none of the signals blocked that os_signal_note_all chose. *before: its mask until now. */
void os_signal_unblock(sigset_t *before);
/* Is any signal's handler code in [low, high)? */
bool os_signal_handled_in(uintptr_t low, uintptr_t high);
/* Handlers that point into [low, high) are put back to what os_signal_note_all found, or the default: before a library
 * is unloaded. */
void os_signal_forget_range(uintptr_t low, uintptr_t high);
const char *os_signal_name(int signo, char *buf, size_t size);   /* "SIGSEGV" */
int   os_signal_number(const char *name);                        /* "SEGV" or "SIGSEGV"; -1 when unknown */

#endif
