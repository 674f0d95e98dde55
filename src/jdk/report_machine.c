/* report_machine.c — what the report of a fatal error says of the machine, and of the process's surroundings. */
#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/options.h"
#include "base/os.h"
#include "jdk/jvm.h"
#include "jdk/report.h"

/* ---- files of the kernel ----------------------------------------------------------------------------------------- */

/* The beginning of a file as text, "" if it cannot be read. */
static void read_file(const char *path, char *text, size_t size) {
    size_t n = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    for (ssize_t got = 1; fd >= 0 && n < size - 1 && got != 0;) {
        got = read(fd, text + n, size - 1 - n);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) break;
        n += (size_t)got;
    }
    if (fd >= 0) close(fd);
    text[n] = '\0';
}

/* A file of one line, with a title; nothing if it cannot be read. */
static void put_line(struct out *o, const char *path, const char *what) {
    char text[512];
    read_file(path, text, sizeof text);
    if (*text != '\0') put(o, "%s%s: %.*s\n", path, what, (int)strcspn(text, "\n"), text);
}

/* The number behind `name` in the text of /proc/self/status, in KB; 0: there is none. */
static size_t status_of(const char *status, const char *name) {
    const char *at = strstr(status, name);
    return at != NULL ? strtoul(at + strlen(name), NULL, 10) : 0;
}

/* ---- surroundings ------------------------------------------------------------------------------------------------ */

static void put_release(struct out *o) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/release", vm->java_home);
    put(o, "\nRelease file:\n");
    put_file(o, path);
}

static void put_locale(struct out *o) {
    static const struct { const char *name; int category; } categories[] = {
        {"LC_ALL", LC_ALL}, {"LC_COLLATE", LC_COLLATE}, {"LC_CTYPE", LC_CTYPE}, {"LC_MESSAGES", LC_MESSAGES},
        {"LC_MONETARY", LC_MONETARY}, {"LC_NUMERIC", LC_NUMERIC}, {"LC_TIME", LC_TIME}};
    put(o, "\nActive Locale:\n");
    for (size_t i = 0; i < ARRAY_LEN(categories); i++) {
        const char *value = setlocale(categories[i].category, NULL);
        put(o, "%s=%s\n", categories[i].name, value != NULL ? value : "<unknown>");
    }
}

void report_environment(struct out *o) {
    static const char *const variables[] = {
        "JAVA_HOME", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH", "PATH", "LD_LIBRARY_PATH",
        "LD_PRELOAD", "SHELL", "DISPLAY", "LANG", "LC_ALL", "LC_CTYPE", "LC_NUMERIC", "LC_TIME", "TERM", "TMPDIR",
        "TZ"};
    if (vm->library != LIBRARY_17) put_release(o);
    put(o, "\nEnvironment Variables:\n");
    for (size_t i = 0; i < ARRAY_LEN(variables); i++) {
        const char *value = os_env(variables[i]);
        if (value != NULL) put(o, "%s=%s\n", variables[i], value);
    }
    put_locale(o);
}

/* ---- the machine ------------------------------------------------------------------------------------------------- */

static void put_limit(struct out *o, rlim_t limit, bool in_kb) {
    if (limit == RLIM_INFINITY) put(o, "infinity");
    else put(o, "%lu%s", (unsigned long)(in_kb ? limit / KIB : limit), in_kb ? "k" : "");
}

static void put_limits(struct out *o) {
    static const struct { const char *name; int which; bool in_kb; } limits[] = {
        {"STACK", RLIMIT_STACK, true}, {"CORE", RLIMIT_CORE, true}, {"NPROC", RLIMIT_NPROC, false},
        {"NOFILE", RLIMIT_NOFILE, false}, {"AS", RLIMIT_AS, true}, {"CPU", RLIMIT_CPU, false},
        {"DATA", RLIMIT_DATA, true}, {"FSIZE", RLIMIT_FSIZE, true}, {"MEMLOCK", RLIMIT_MEMLOCK, true}};
    put(o, "rlimit (soft/hard):");
    for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
        struct rlimit l;
        if (getrlimit((__rlimit_resource_t)limits[i].which, &l) != 0) continue;
        put(o, "%s %s ", i == 0 ? "" : " ,", limits[i].name);
        put_limit(o, l.rlim_cur, limits[i].in_kb);
        put(o, "/");
        put_limit(o, l.rlim_max, limits[i].in_kb);
    }
    put(o, "\n");
}

/* Large pages as the kernel hands them out. */
static void put_huge_pages(struct out *o) {
    static const char *const files[] = {"enabled", "hpage_pmd_size", "shmem_enabled", "defrag"};
    put(o, "\n");
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        char path[128];
        snprintf(path, sizeof path, "/sys/kernel/mm/transparent_hugepage/%s", files[i]);
        put_line(o, path, i == 3 ? " (defrag/compaction efforts parameter)" : "");
    }
}

static void put_process_memory(struct out *o) {
    char status[4096];
    read_file("/proc/self/status", status, sizeof status);
    put(o, "\nProcess Memory:\nVirtual Size: %zuK (peak: %zuK)\n", status_of(status, "VmSize:"),
        status_of(status, "VmPeak:"));
    put(o, "Resident Set Size: %zuK (peak: %zuK) (anon: %zuK, file: %zuK, shmem: %zuK)\nSwapped out: %zuK\n",
        status_of(status, "VmRSS:"), status_of(status, "VmHWM:"), status_of(status, "RssAnon:"),
        status_of(status, "RssFile:"), status_of(status, "RssShmem:"), status_of(status, "VmSwap:"));
}

static void put_kernel_limits(struct out *o) {
    put(o, "\n");
    put_line(o, "/proc/sys/kernel/threads-max", " (system-wide limit on the number of threads)");
    put_line(o, "/proc/sys/vm/max_map_count", " (maximum number of memory map areas a process may have)");
    put_line(o, "/proc/sys/vm/swappiness",
             " (control to define how aggressively the kernel swaps out anonymous memory)");
    put_line(o, "/proc/sys/kernel/pid_max", " (system-wide limit on number of process identifiers)");
}

/* What the machine allows this process. */
static void put_container(struct out *o) {
    uint64_t limit = os_container_memory_limit();
    put(o, "\ncontainer (cgroup) information:\nactive_processor_count: %d\n", os_cpu_count());
    if (limit == 0) put(o, "memory_limit_in_bytes: unlimited\n");
    else put(o, "memory_limit_in_bytes: %zu k\n", (size_t)(limit / KIB));
}

/* One line of /proc/cpuinfo's first processor. */
static void put_cpu_line(struct out *o, const char *info, const char *name) {
    const char *line = strstr(info, name);
    if (line != NULL) put(o, "%.*s\n", (int)strcspn(line, "\n"), line);
}

static void put_cpu(struct out *o) {
    char info[4096];
    read_file("/proc/cpuinfo", info, sizeof info);
    put(o, "\nCPU: total %d (initial active %d)\nCPU Model and flags from /proc/cpuinfo:\n", os_host_cpu_count(),
        os_cpu_count());
    put_cpu_line(o, info, "model name");
    put_cpu_line(o, info, "flags");
    char online[128];
    read_file("/sys/devices/system/cpu/online", online, sizeof online);
    put(o, "\nOnline cpus: %.*s\n", (int)strcspn(online, "\n"), online);
}

void report_system(struct out *o) {
    struct utsname u;
    struct sysinfo s = {0};
    put(o, "\n---------------  S Y S T E M  ---------------\n\nOS:\n");
    put_file(o, "/etc/os-release");
    if (uname(&u) == 0) put(o, "uname: %s %s %s %s\n", u.sysname, u.release, u.version, u.machine);
    bool known = sysinfo(&s) == 0;
    if (known)
        put(o, "OS uptime: %ld days %ld:%02ld hours\n", s.uptime / 86400, s.uptime / 3600 % 24, s.uptime / 60 % 60);
    put(o, "libc: glibc %s\n", gnu_get_libc_version());
    put_limits(o);
    double load[3];
    if (getloadavg(load, 3) == 3) put(o, "load average: %.2f %.2f %.2f\n", load[0], load[1], load[2]);
    put(o, "\n/proc/meminfo:\n");
    put_file(o, "/proc/meminfo");
    put_huge_pages(o);
    put_process_memory(o);
    put_kernel_limits(o);
    put_container(o);
    put_cpu(o);
    if (known)
        put(o, "\nMemory: %zuk page, physical %zuk(%zuk free), swap %zuk(%zuk free)\n", os_page_size() / KIB,
            (size_t)s.totalram * s.mem_unit / KIB, (size_t)s.freeram * s.mem_unit / KIB,
            (size_t)s.totalswap * s.mem_unit / KIB, (size_t)s.freeswap * s.mem_unit / KIB);
    put(o, "\nvm_info: %s, compiled by " __VERSION__ "\n\nEND.\n", vm_short_name);
}
