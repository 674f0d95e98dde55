/* What the machine and the container allow: memory and processors, cgroup versions 1 and 2. A crash report asks, too:
 * nothing here allocates. */
#include "base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NO_LIMIT 0

/* ---- Files of the kernel -------------------------------------------------------------------------------------- */

/* Its lines, one after the other; too long a line is cut into several. */
struct lines { int fd; size_t begin, end; char text[8192]; };

static bool lines_open(struct lines *l, const char *path) {
    l->fd = open(path, O_RDONLY | O_CLOEXEC);
    l->begin = l->end = 0;
    return l->fd >= 0;
}

static bool lines_read_more(struct lines *l) {
    ssize_t n;
    memmove(l->text, l->text + l->begin, l->end - l->begin);
    l->end -= l->begin;
    l->begin = 0;
    do n = read(l->fd, l->text + l->end, sizeof l->text - 1 - l->end);
    while (n < 0 && errno == EINTR);
    if (n > 0) l->end += (size_t)n;
    return n > 0;
}

/* Without its end, until the next call; NULL: there is none. */
static char *lines_next(struct lines *l) {
    char *end;
    while ((end = memchr(l->text + l->begin, '\n', l->end - l->begin)) == NULL && lines_read_more(l)) continue;
    if (end == NULL && l->begin == l->end) return NULL;
    char *line = l->text + l->begin;
    l->begin = end != NULL ? (size_t)(end + 1 - l->text) : l->end;
    *(end != NULL ? end : l->text + l->end) = 0;
    return line;
}

/* A line "Name:   123 kB" of a /proc file, in bytes; 0 when missing. */
static uint64_t proc_kib(const char *file, const char *name) {
    struct lines f;
    if (!lines_open(&f, file)) return 0;
    uint64_t value = 0;
    size_t   n = strlen(name);
    for (char *line; value == 0 && (line = lines_next(&f)) != NULL;)
        if (strncmp(line, name, n) == 0 && line[n] == ':') value = strtoull(line + n + 1, NULL, 10) * 1024;
    close(f.fd);
    return value;
}

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
    struct lines f;
    if (!lines_open(&f, "/proc/self/cgroup")) return false;
    bool found = false, found_v1 = false;
    for (char *line; !found_v1 && (line = lines_next(&f)) != NULL;) {
        char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
        if (!path) continue;
        *list++ = 0;
        *path++ = 0;
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
    close(f.fd);
    return found;
}

/* mountinfo: "36 35 98:0 ROOT MOUNTPOINT options ... - TYPE source SUPEROPTIONS". */
static bool cgroup_mount(const char *controller, bool unified, char *root, char *mount, size_t size) {
    struct lines f;
    if (!lines_open(&f, "/proc/self/mountinfo")) return false;
    char type[64], super[1024];
    bool found = false;
    for (char *line; !found && (line = lines_next(&f)) != NULL;) {
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
    close(f.fd);
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

/* A file of one line; "" when it cannot be read. */
static const char *cgroup_line(const char *dir, const char *file, struct lines *space) {
    char path[4352];
    const char *line = NULL;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", dir, file) < sizeof path && lines_open(space, path)) {
        line = lines_next(space);
        close(space->fd);
    }
    return line != NULL ? line : "";
}

/* A number; "max", absent and -1 are no number. */
static bool cgroup_number(const char *dir, const char *file, uint64_t *out) {
    struct lines space;
    const char  *line = cgroup_line(dir, file, &space);
    if (*line < '0' || *line > '9') return false;
    errno = 0;
    *out = strtoull(line, NULL, 10);
    return errno == 0;
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

uint64_t os_resident_memory(void) { return proc_kib("/proc/self/status", "VmRSS"); }

/* ---- Processors ----------------------------------------------------------------------------------------------- */

int os_host_cpu_count(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (int)n : 1;
}

/* Machines with more than 1024 processors exist. */
static int affinity_count(void) {
    cpu_set_t sets[16];
    if (sched_getaffinity(0, sizeof sets, sets) == 0) return CPU_COUNT_S(sizeof sets, sets);
    return os_host_cpu_count();
}

/* Quota in whole processors, rounded up; 0 when there is none. */
static uint64_t cpu_quota_of(const char *dir, bool unified) {
    uint64_t quota = 0, period = 0;
    if (unified) {
        struct lines space;
        if (sscanf(cgroup_line(dir, "cpu.max", &space), "%" SCNu64 " %" SCNu64, &quota, &period) != 2) return 0;
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
