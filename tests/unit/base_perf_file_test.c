/* Files of performance counters: whom they are taken from, what of dead processes goes, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/os.h"
#include "base/perf_file.h"

enum { SIZE = 32768 };

static char temp[64], directory[256];

static int fresh(void **state) {
    (void)state;
    strcpy(temp, "/tmp/perf_file_test_XXXXXX");
    assert_non_null(mkdtemp(temp));
    snprintf(directory, sizeof directory, "%s/hsperfdata_%s", temp, getpwuid(geteuid())->pw_name);
    return 0;
}

static int gone(void **state) {
    (void)state;
    char command[512];
    snprintf(command, sizeof command, "rm -rf %s", temp);
    return system(command);
}

static const char *in_directory(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static const char *own(void) {
    char name[16];
    snprintf(name, sizeof name, "%d", (int)getpid());
    return in_directory(name);
}

static void write_file(const char *path) {
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "x", 1), 1);
    close(fd);
}

/* Whether a file could be made; it is given back at once. */
static bool can_create(void) {
    int fd = -1;
    char *path = NULL;
    void *memory = perf_file_create(temp, SIZE, &fd, &path);
    if (memory == NULL) {
        assert_int_equal(fd, -1);
        assert_null(path);
        return false;
    }
    assert_string_equal(path, own());
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(st.st_size, SIZE);
    assert_int_equal(stat(directory, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0755);
    munmap(memory, SIZE);
    close(fd);
    mem_free(path);
    return true;
}

static void is_private(void **state) {
    (void)state;
    umask(022);
    assert_true(can_create());
}

static void foreign_directories(void **state) {
    (void)state;
    assert_int_equal(mkdir(directory, 0700), 0);
    assert_int_equal(chmod(directory, 0777), 0);
    assert_false(can_create());          /* somebody else may write there */
    assert_int_equal(rmdir(directory), 0);
    assert_int_equal(symlink(temp, directory), 0);
    assert_false(can_create());          /* it leads elsewhere */
    assert_int_equal(unlink(directory), 0);
    write_file(directory);
    assert_false(can_create());          /* it is none */
}

static void foreign_files(void **state) {
    (void)state;
    assert_int_equal(mkdir(directory, 0755), 0);
    char target[512], again[512];
    snprintf(target, sizeof target, "%s/target", temp);
    snprintf(again, sizeof again, "%s", own());
    write_file(target);
    assert_int_equal(link(target, again), 0);
    assert_true(can_create());           /* what has this process's number is stale: it went */
    struct stat st;
    assert_int_equal(stat(target, &st), 0);
    assert_int_equal(st.st_size, 1);     /* and what it was a name of was left alone */
    assert_int_equal(unlink(again), 0);
    assert_int_equal(symlink(target, again), 0);
    assert_true(can_create());
    assert_int_equal(stat(target, &st), 0);
    assert_int_equal(st.st_size, 1);
    int fd = open(again, O_RDONLY);
    assert_true(flock(fd, LOCK_EX) == 0);    /* as by a process of the same number in another container */
    assert_false(can_create());
    close(fd);
}

static void dead_processes(void **state) {
    (void)state;
    assert_int_equal(mkdir(directory, 0755), 0);
    pid_t dead = fork();
    if (dead == 0) _exit(0);
    waitpid(dead, NULL, 0);
    char name[16], locked[16], living[16];
    snprintf(name, sizeof name, "%d", (int)dead);
    snprintf(living, sizeof living, "%d", (int)getppid());
    snprintf(locked, sizeof locked, "%d", 4194304 + 1);    /* beyond the kernel's largest number */
    write_file(in_directory(name));
    write_file(in_directory(living));
    write_file(in_directory(locked));
    write_file(in_directory("notes"));
    int fd = open(in_directory(locked), O_RDONLY);
    assert_true(flock(fd, LOCK_EX) == 0);
    assert_true(can_create());
    assert_false(os_file_exists(in_directory(name)));
    assert_false(os_file_exists(in_directory("notes")));
    assert_true(os_file_exists(in_directory(living)));
    assert_true(os_file_exists(in_directory(locked)));
    close(fd);
}

static void attaching(void **state) {
    (void)state;
    const char *exception = NULL, *message = NULL;
    size_t size = 0;
    assert_null(perf_file_attach(temp, getpid(), false, &size, &exception, &message));
    assert_string_equal(exception, "java/lang/IllegalArgumentException");
    assert_string_equal(message, "Could not map vmid to user Name");
    int fd = -1;
    char *path = NULL;
    char *memory = perf_file_create(temp, SIZE, &fd, &path);
    assert_non_null(memory);
    strcpy(memory, "counted");
    char *seen = perf_file_attach(temp, getpid(), false, &size, &exception, &message);
    assert_non_null(seen);
    assert_int_equal(size, SIZE);
    assert_string_equal(seen, "counted");
    munmap(seen, size);
    assert_int_equal(ftruncate(fd, 100), 0);
    assert_null(perf_file_attach(temp, getpid(), false, &size, &exception, &message));
    assert_string_equal(exception, "java/io/IOException");
    assert_string_equal(message, "Invalid PerfMemory size");
    munmap(memory, SIZE);
    close(fd);
    mem_free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(is_private, fresh, gone),
        cmocka_unit_test_setup_teardown(foreign_directories, fresh, gone),
        cmocka_unit_test_setup_teardown(foreign_files, fresh, gone),
        cmocka_unit_test_setup_teardown(dead_processes, fresh, gone),
        cmocka_unit_test_setup_teardown(attaching, fresh, gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
