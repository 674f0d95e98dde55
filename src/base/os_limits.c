/* What the machine and the container allow: memory and processors, cgroup versions 1 and 2. */
#include "base/os.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"

#define NO_LIMIT 0

/* ---- Where our cgroup is -------------------------------------------------------------------------------------- */

/* Directory of this process's cgroup for a version 1 controller ("memory", "cpu") or of the unified hierarchy, and the
 * mount point above which no limit is looked for. */
struct cgroup {
    char path[4096];
    char mount[4096];
    bool unified;
};

/* "12:memory:/docker/x" or "0::/user.slice": the path of the controller; false when the line is not there. */
static bool cgroup_relative_path(const char *controller, char *out, size_t size, bool *unified) {
    FILE *f = fopen("/proc/self/cgroup", "re");
    if (!f) return false;
    char line[4352];
    bool found = false, found_v1 = false;
    while (!found_v1 && fgets(line, sizeof line, f)) {
        char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
        if (!path) continue;
        *list++ = 0;
        *path++ = 0;
        path[strcspn(path, "\n")] = 0;
        bool match_v2 = strcmp(line, "0") == 0 && *list == 0;
        bool match_v1 = false;
        char *save = NULL;
        for (char *name = strtok_r(list, ",", &save); name; name = strtok_r(NULL, ",", &save))
            if (strcmp(name, controller) == 0) match_v1 = true;
        if (match_v1 || (match_v2 && !found)) {
            snprintf(out, size, "%s", path);
            *unified = !match_v1;
            found = true;
            found_v1 = match_v1;
        }
    }
    fclose(f);
    return found;
}

/* mountinfo: "36 35 98:0 ROOT MOUNTPOINT options ... - TYPE source SUPEROPTIONS". */
static bool cgroup_mount(const char *controller, bool unified, char *root, char *mount, size_t size) {
    FILE *f = fopen("/proc/self/mountinfo", "re");
    if (!f) return false;
    char line[8192], type[64], super[1024];
    bool found = false;
    while (!found && fgets(line, sizeof line, f)) {
        char  r[4096], m[4096];
        char *tail = strstr(line, " - ");
        if (!tail || sscanf(line, "%*s %*s %*s %4095s %4095s", r, m) != 2) continue;
        super[0] = 0;
        if (sscanf(tail + 3, "%63s %*s %1023s", type, super) < 1) continue;
        if (unified) {
            found = strcmp(type, "cgroup2") == 0;
        } else if (strcmp(type, "cgroup") == 0) {
            char *save = NULL;
            for (char *name = strtok_r(super, ",", &save); name; name = strtok_r(NULL, ",", &save))
                if (strcmp(name, controller) == 0) found = true;
        }
        if (found) {
            snprintf(root, size, "%s", r);
            snprintf(mount, size, "%s", m);
        }
    }
    fclose(f);
    return found;
}

static bool find_cgroup(const char *controller, struct cgroup *out) {
    char relative[4096], root[4096];
    if (!cgroup_relative_path(controller, relative, sizeof relative, &out->unified)) return false;
    if (!cgroup_mount(controller, out->unified, root, out->mount, sizeof out->mount)) return false;
    /* In a container the mount shows only our part of the hierarchy: ROOT is a prefix of our path, or unrelated
     * to it. */
    const char *rest = relative;
    size_t      n = strlen(root);
    if (n > 1 && strncmp(relative, root, n) == 0) rest = relative + n;
    else if (n > 1) rest = "";
    if (strcmp(rest, "/") == 0 || strncmp(rest, "/..", 3) == 0) rest = "";
    return (size_t)snprintf(out->path, sizeof out->path, "%s%s", out->mount, rest) < sizeof out->path;
}

/* Calls read for our directory and each above it up to the mount point; the smallest non-zero answer wins. */
static uint64_t tightest(const char *controller, uint64_t (*read)(const char *dir, bool unified)) {
    struct cgroup c;
    if (!find_cgroup(controller, &c)) return NO_LIMIT;
    uint64_t best = NO_LIMIT;
    size_t   top = strlen(c.mount);
    for (;;) {
        uint64_t limit = read(c.path, c.unified);
        if (limit != NO_LIMIT && (best == NO_LIMIT || limit < best)) best = limit;
        char *slash = strrchr(c.path, '/');
        if (!slash || (size_t)(slash - c.path) < top || strlen(c.path) <= top) break;
        *slash = 0;
    }
    return best;
}

static char *cgroup_text(const char *dir, const char *file) {
    char *path = mem_printf("%s/%s", dir, file);
    char *text = path ? os_read_text(path, 256) : NULL;
    mem_free(path);
    return text;
}

/* A number; "max", absent and -1 are no number. */
static bool cgroup_number(const char *dir, const char *file, uint64_t *out) {
    char *text = cgroup_text(dir, file), *end;
    bool  ok = false;
    if (text && *text >= '0' && *text <= '9') {
        errno = 0;
        *out = strtoull(text, &end, 10);
        ok = errno == 0 && end != text;
    }
    mem_free(text);
    return ok;
}

/* ---- Memory --------------------------------------------------------------------------------------------------- */

uint64_t os_host_memory(void) { return (uint64_t)sysconf(_SC_PHYS_PAGES) * os_page_size(); }

static uint64_t memory_limit_of(const char *dir, bool unified) {
    uint64_t limit;
    if (!cgroup_number(dir, unified ? "memory.max" : "memory.limit_in_bytes", &limit)) return NO_LIMIT;
    return limit >= os_host_memory() ? NO_LIMIT : limit;         /* version 1 says "none" with a huge number */
}

uint64_t os_container_memory_limit(void) { return tightest("memory", memory_limit_of); }

uint64_t os_physical_memory(void) {
    uint64_t host = os_host_memory(), limit = os_container_memory_limit();
    return limit != NO_LIMIT && limit < host ? limit : host;
}

/* A line "Name:   123 kB" of a /proc file, in bytes; 0 when missing. */
static uint64_t proc_kib(const char *file, const char *name) {
    FILE *f = fopen(file, "re");
    if (!f) return 0;
    char     line[256];
    uint64_t value = 0;
    size_t   n = strlen(name);
    while (fgets(line, sizeof line, f))
        if (strncmp(line, name, n) == 0 && line[n] == ':') {
            value = strtoull(line + n + 1, NULL, 10) * 1024;
            break;
        }
    fclose(f);
    return value;
}

uint64_t os_resident_memory(void) { return proc_kib("/proc/self/status", "VmRSS"); }

/* ---- Processors ----------------------------------------------------------------------------------------------- */

int os_host_cpu_count(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (int)n : 1;
}

static int affinity_count(void) {
    for (int bits = 1024; bits <= 1 << 20; bits *= 4) {          /* machines with more than 1024 processors exist */
        cpu_set_t *set = CPU_ALLOC((size_t)bits);
        if (!set) break;
        size_t size = CPU_ALLOC_SIZE((size_t)bits);
        int    rc = sched_getaffinity(0, size, set), n = rc == 0 ? CPU_COUNT_S(size, set) : 0;
        int    error = errno;
        CPU_FREE(set);
        if (rc == 0) return n;
        if (error != EINVAL) break;
    }
    return os_host_cpu_count();
}

/* Quota in whole processors, rounded up; 0 when there is none. */
static uint64_t cpu_quota_of(const char *dir, bool unified) {
    uint64_t quota = 0, period = 0;
    if (unified) {
        char *text = cgroup_text(dir, "cpu.max");
        int   n = text ? sscanf(text, "%" SCNu64 " %" SCNu64, &quota, &period) : 0;
        mem_free(text);
        if (n != 2) return 0;
    } else if (!cgroup_number(dir, "cpu.cfs_quota_us", &quota) || !cgroup_number(dir, "cpu.cfs_period_us", &period)) {
        return 0;
    }
    return quota && period ? (quota + period - 1) / period : 0;
}

int os_cpu_count(void) {
    int      n = affinity_count();
    uint64_t quota = tightest("cpu", cpu_quota_of);
    if (quota && quota < (uint64_t)n) n = (int)quota;
    return MAX(n, 1);
}
