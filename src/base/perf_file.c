/* perf_file.c — see perf_file.h. Other users may write to /tmp: nothing there is believed before it has been looked at
 * through an open descriptor. */
#include "base/perf_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/options.h"
#include "base/os.h"

#define PREFIX "hsperfdata_"
enum { NAME_BYTES = 1024, MODE_DIRECTORY = 0755, MODE_FILE = 0600, PATH_BYTES = 4096 };

/* ---- whom to trust ----------------------------------------------------------------------------------------------- */

/* Ours or root's; whatever root looks at is good. */
static bool is_owner_good(const struct stat *st) {
    uid_t me = geteuid();
    return me == 0 || st->st_uid == me || st->st_uid == 0;
}

static bool is_directory_safe(const struct stat *st) {
    return S_ISDIR(st->st_mode) && (st->st_mode & (S_IWGRP | S_IWOTH)) == 0 && is_owner_good(st);
}

/* A regular file that has no second name. */
static bool is_file_safe(int fd) {
    struct stat st;
    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink <= 1 && is_owner_good(&st);
}

/* The directory, opened; -1: there is none, or it is not to be trusted. */
static int open_directory(const char *path) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || (fstat(fd, &st) == 0 && is_directory_safe(&st))) return fd;
    close(fd);
    errno = EPERM;
    return -1;
}

/* The number that a name consists of; 0: it is no number. */
static int pid_of(const char *name) {
    char *end;
    long pid = *name >= '0' && *name <= '9' ? strtol(name, &end, 10) : 0;
    return pid > 0 && pid <= INT32_MAX && *end == '\0' ? (int)pid : 0;
}

/* ---- our own file ------------------------------------------------------------------------------------------------ */

/* Whether its process is gone: nobody of the user's has this number, and nobody in another container, who would hold a
 * lock on the file. The lock comes last: it would be in the way of a process that is about to take its own. */
static bool is_stale(int directory, const char *name, int pid) {
    if (pid != os_pid() && (kill(pid, 0) == 0 || (errno != ESRCH && errno != EPERM))) return false;
    int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return errno == ELOOP;
    bool locked = flock(fd, LOCK_EX | LOCK_NB) != 0;
    close(fd);
    return !locked;
}

/* Files that dead processes have left, and whatever else is not supposed to be there. */
static void clean(int directory) {
    int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
    if (dir == NULL) {
        if (copy >= 0) close(copy);
        return;
    }
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        int pid = pid_of(e->d_name);
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        if (pid == 0 || is_stale(directory, e->d_name, pid)) unlinkat(directory, e->d_name, 0);
    }
    closedir(dir);
}

/* All of its pages exist: a full disk shows here, and not by SIGBUS when somebody counts. */
static void *map_new(int fd, size_t size) {
    int error = ftruncate(fd, 0) != 0 ? errno : posix_fallocate(fd, 0, (off_t)size);
    void *memory = error == 0 ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (memory != MAP_FAILED) return memory;
    errno = error != 0 ? error : errno;
    return NULL;
}

static int open_own(int directory, const char *name) {
    int fd = openat(directory, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, MODE_FILE);
    if (fd < 0) return -1;
    if (is_file_safe(fd) && flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
    int error = errno == EWOULDBLOCK ? EWOULDBLOCK : EPERM;
    close(fd);
    errno = error;
    return -1;
}

/* The name of the user that the process acts as; false: it has none. */
static bool user_name(char *out, size_t size) {
    struct passwd entry, *found = NULL;
    char buffer[NAME_BYTES];
    if (getpwuid_r(geteuid(), &entry, buffer, sizeof buffer, &found) != 0 || found == NULL) return false;
    return *found->pw_name != '\0' && (size_t)snprintf(out, size, "%s", found->pw_name) < size;
}

void *perf_file_create(const char *temp, size_t size, int *fd, char **path) {
    char user[NAME_BYTES], name[16];
    char *directory = user_name(user, sizeof user) ? mem_printf("%s/" PREFIX "%s", temp, user) : NULL;
    if (directory == NULL) {
        log_debug(perf, "no performance data file: the user has no name");
        return NULL;
    }
    if (mkdir(directory, MODE_DIRECTORY) != 0 && errno != EEXIST)
        log_debug(perf, "%s: %s", directory, strerror(errno));
    int at = open_directory(directory);
    if (at < 0) log_warning(perf, "%s: not used for performance data: %s", directory, strerror(errno));
    if (at >= 0) clean(at);
    snprintf(name, sizeof name, "%d", (int)os_pid());
    int file = at >= 0 ? open_own(at, name) : -1;
    void *memory = file >= 0 ? map_new(file, size) : NULL;
    if (at >= 0 && memory == NULL) {
        log_warning(perf_memops, "Cannot use file %s/%s because %s (errno = %d)", directory, name, strerror(errno),
                    errno);
        if (file >= 0) unlinkat(at, name, 0);
    }
    if (at >= 0) close(at);
    *path = memory != NULL ? mem_printf("%s/%s", directory, name) : NULL;
    mem_free(directory);
    if (memory == NULL && file >= 0) close(file);
    *fd = memory != NULL ? file : -1;
    return memory;
}

/* ---- files of other processes ------------------------------------------------------------------------------------ */

/* The process's own number in the container that it lives in, by the last word of the line NSpid; 0: it lives in
 * none. */
static int pid_inside(int pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    char *text = os_read_text(path, 16 * KIB), *line = text != NULL ? strstr(text, "\nNSpid:") : NULL;
    int last = 0, seen = 0;
    if (line != NULL) {
        line[1 + strcspn(line + 1, "\n")] = '\0';
        char *rest = line + sizeof "\nNSpid:" - 1;
        for (char *word; (word = strsep(&rest, "\t ")) != NULL;)
            if (pid_of(word) != 0) {
                last = pid_of(word);
                seen++;
            }
    }
    mem_free(text);
    return seen > 1 ? last : 0;
}

/* Looks in the directories of all users below `temp` for the newest file of that process; writes the directory's
 * path. */
static bool find_directory(const char *temp, const char *file, char *out, size_t size) {
    DIR *dir = opendir(temp);
    time_t newest = 0;
    bool found = false;
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        if (strncmp(e->d_name, PREFIX, sizeof PREFIX - 1) != 0) continue;
        char path[PATH_BYTES];
        struct stat st;
        if ((size_t)snprintf(path, sizeof path, "%s/%s", temp, e->d_name) >= sizeof path) continue;
        int at = open_directory(path);
        if (at >= 0 && fstatat(at, file, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
            (!found || st.st_ctime > newest)) {
            newest = st.st_ctime;
            found = (size_t)snprintf(out, size, "%s", path) < size;
        }
        if (at >= 0) close(at);
    }
    if (dir != NULL) closedir(dir);
    return found;
}

#define ILLEGAL "java/lang/IllegalArgumentException"
#define IO_ERROR "java/io/IOException"

static void *refuse(const char **exception, const char **message, const char *what, const char *text) {
    *exception = what;
    *message = text;
    return NULL;
}

static void *map_file(int fd, bool writable, size_t *size, const char **exception, const char **message) {
    struct stat st;
    if (!is_file_safe(fd) || fstat(fd, &st) != 0) return refuse(exception, message, ILLEGAL, "Process not found");
    if (st.st_size <= 0 || !IS_ALIGNED(st.st_size, os_page_size()))
        return refuse(exception, message, IO_ERROR, "Invalid PerfMemory size");
    *size = (size_t)st.st_size;
    void *memory = mmap(NULL, *size, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd, 0);
    if (memory != MAP_FAILED) return memory;
    return refuse(exception, message, "java/lang/OutOfMemoryError", "Could not map PerfMemory");
}

void *perf_file_attach(const char *temp, int pid, bool writable, size_t *size, const char **exception,
                       const char **message) {
    char seen[PATH_BYTES], name[16], directory[PATH_BYTES];
    int inside = pid_inside(pid);
    if (inside != 0) snprintf(seen, sizeof seen, "/proc/%d/root%s", pid, temp);
    else snprintf(seen, sizeof seen, "%s", temp);
    snprintf(name, sizeof name, "%d", inside != 0 ? inside : pid);
    if (!find_directory(seen, name, directory, sizeof directory))
        return refuse(exception, message, ILLEGAL, "Could not map vmid to user Name");
    int at = open_directory(directory);
    int fd = at >= 0 ? openat(at, name, (writable ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_CLOEXEC) : -1, error = errno;
    if (at >= 0) close(at);
    if (fd < 0) {
        if (at < 0 || error == ENOENT) return refuse(exception, message, ILLEGAL, "Process not found");
        if (error == EACCES) return refuse(exception, message, ILLEGAL, "Permission denied");
        return refuse(exception, message, IO_ERROR, "Could not open PerfMemory");
    }
    void *memory = map_file(fd, writable, size, exception, message);
    close(fd);
    return memory;
}
