/* Output of profiles: files that are cut behind their last whole, records put in front of what was written, compressed
 * members. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "hprof/stream.h"

enum { BLOCK = 1 << 20, LARGE = 3 * BLOCK + 12345 };

static int failures, last_error;

static void failed(const char *what, const char *name, int error) {
    (void)what, (void)name;
    failures++;
    last_error = error;
}

static int fresh_file(void) {
    char path[] = "/tmp/hprof_stream_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    unlink(path);
    failures = last_error = 0;
    return fd;
}

/* An output to a file, and a second descriptor of that file. */
static struct output *open_output(int fd, int gzip_level, int *again) {
    *again = dup(fd);
    struct output *o = output_new(&(struct output_form){.fd = fd, .gzip_level = gzip_level, .failed = failed});
    assert_non_null(o);
    return o;
}

/* As good as random, so that it cannot be packed. */
static unsigned char byte_at(size_t i, unsigned seed) {
    uint32_t x = (uint32_t)i + seed * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x45d9f3bu;
    x = (x ^ x >> 16) * 0x45d9f3bu;
    return (unsigned char)(x >> 16);
}

static void write_pattern(struct output *o, size_t n, unsigned seed) {
    unsigned char block[4096];
    for (size_t done = 0, part; done < n; done += part) {
        part = n - done < sizeof block ? n - done : sizeof block;
        for (size_t i = 0; i < part; i++) block[i] = byte_at(done + i, seed);
        output_bytes(o, block, part);
    }
    output_commit(o);
}

/* What is in the file, unpacked if it is packed. */
static unsigned char *content(int fd, size_t *n) {
    struct stat status;
    assert_int_equal(fstat(fd, &status), 0);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    size_t most = 16u << 20;
    unsigned char *all = malloc(most);
    gzFile file = gzdopen(fd, "rb");                /* reads what is not packed as it is */
    assert_non_null(file);
    int got = gzread(file, all, (unsigned)most);
    assert_true(got >= 0);
    *n = (size_t)got;
    gzclose(file);
    return all;
}

static void check_pattern(const unsigned char *p, size_t n, unsigned seed) {
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++) wrong += p[i] != byte_at(i, seed);
    assert_int_equal(wrong, 0);
}

static struct output *aside(int gzip_level, size_t n) {
    struct output *o = output_new(
        &(struct output_form){.fd = memfd_create("aside", MFD_CLOEXEC), .gzip_level = gzip_level, .failed = failed});
    assert_non_null(o);
    write_pattern(o, n, 77);
    return o;
}

/* What was written comes behind what is inserted, and writing goes on at the end; small and large, packed or not. */
static void insertion(void **state) {
    static const size_t sizes[][2] = {{0, 100},    {100, 0},       {100, 50},     {LARGE, 10},
                                      {10, LARGE}, {LARGE, LARGE}, {BLOCK, BLOCK}};
    (void)state;
    for (int level = 0; level <= 6; level += 6)
        for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            int file;
            struct output *o = open_output(fresh_file(), level, &file);
            assert_true(output_insertable(o));
            write_pattern(o, 1000, 1);
            uint64_t at = output_position(o);
            write_pattern(o, sizes[i][0], 2);
            output_insert(o, at, aside(level, sizes[i][1]));
            write_pattern(o, 500, 3);
            uint64_t written;
            assert_int_equal(output_finish(o, &written), 0);
            assert_int_equal(failures, 0);
            struct stat status;
            assert_int_equal(fstat(file, &status), 0);
            assert_int_equal(status.st_size, written);
            size_t n;
            unsigned char *all = content(file, &n);
            assert_int_equal(n, 1000 + sizes[i][0] + sizes[i][1] + 500);
            check_pattern(all, 1000, 1);
            check_pattern(all + 1000, sizes[i][1], 77);
            check_pattern(all + 1000 + sizes[i][1], sizes[i][0], 2);
            check_pattern(all + n - 500, 500, 3);
            free(all);
        }
}

static void not_insertable(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct output *o = output_new(&(struct output_form){.fd = ends[1]});
    assert_false(output_insertable(o));
    output_close(o);
    close(ends[0]);
    o = output_new(&(struct output_form){.fd = open("/dev/null", O_WRONLY)});
    assert_false(output_insertable(o));
    output_close(o);
}

static struct rlimit before;

static void limit_files(rlim_t most) {
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, before.rlim_max}), 0);
}

/* No room for what is inserted: the file stays as it was, and nothing comes behind it. */
static void no_room_for_insertion(void **state) {
    (void)state;
    int file;
    struct output *o = open_output(fresh_file(), 0, &file);
    write_pattern(o, 1000, 1);
    uint64_t at = output_position(o);
    write_pattern(o, LARGE, 2);
    output_flush(o);
    struct output *from = aside(0, 5000);
    output_flush(from);
    limit_files(1000 + LARGE + 4000);
    output_insert(o, at, from);
    write_pattern(o, 500, 3);
    int error = output_finish(o, NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(error, EFBIG);
    assert_int_equal(failures, 1);
    size_t n;
    unsigned char *all = content(file, &n);
    assert_int_equal(n, 1000 + LARGE);
    check_pattern(all, 1000, 1);
    check_pattern(all + 1000, LARGE, 2);
    free(all);
}

/* A file that may not grow is cut behind the last whole that fits, the error reported once, and what comes
 * later dropped. */
static void cut_behind_the_last_whole(void **state) {
    (void)state;
    for (int level = 0; level <= 6; level += 6) {
        int file;
        struct output *o = open_output(fresh_file(), level, &file);
        limit_files(2 * BLOCK + BLOCK / 2);
        for (int i = 0; i < 1000; i++) write_pattern(o, 10007, (unsigned)i);
        int error = output_finish(o, NULL);
        setrlimit(RLIMIT_FSIZE, &before);
        assert_int_equal(error, EFBIG);
        assert_int_equal(failures, 1);
        assert_int_equal(last_error, EFBIG);
        size_t n;
        unsigned char *all = content(file, &n);
        assert_int_equal(n % 10007, 0);
        assert_in_range(n, BLOCK, 2 * BLOCK + BLOCK / 2);
        for (size_t i = 0; i < n / 10007; i++) check_pattern(all + i * 10007, 10007, (unsigned)i);
        free(all);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(insertion),
        cmocka_unit_test(not_insertable),
        cmocka_unit_test(no_room_for_insertion),
        cmocka_unit_test(cut_behind_the_last_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
