/* The run-time image reader against real JDK images and damaged copies.
 *
 * usage: base_jimage_test [IMAGE...]     default: lib/modules of every JDK under /usr/lib/jvm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/jimage.h"
#include "base/memory.h"

static char **images;
static size_t image_count;

static struct jimage *open_image(const char *path) {
    char *err = NULL;
    struct jimage *j = jimage_open(path, &err);
    if (!j) fail_msg("%s", err ? err : "no reason given");
    return j;
}

static void test_object_class(void **state) {
    (void)state;
    for (size_t i = 0; i < image_count; i++) {
        struct jimage *j = open_image(images[i]);
        struct span s;
        assert_true(jimage_find(j, "java.base", "java/lang/Object.class", &s));
        assert_memory_equal(s.data, "\xCA\xFE\xBA\xBE", 4);
        assert_true(jimage_find(j, "java.base", "module-info.class", &s));
        assert_memory_equal(s.data, "\xCA\xFE\xBA\xBE", 4);
        assert_false(jimage_find(j, "java.base", "java/lang/Objekt.class", &s));
        assert_false(jimage_find(j, "java.bas", "java/lang/Object.class", &s));
        assert_false(jimage_find(j, "", "", &s));
        assert_string_equal(jimage_package_module(j, "java/lang"), "java.base");
        assert_string_equal(jimage_package_module(j, "java.util.concurrent"), "java.base");
        assert_null(jimage_package_module(j, "no/such/package"));
        jimage_close(j);
    }
}

struct tally { struct jimage *j; size_t resources, classes; };

static bool check_entry(const struct jimage_entry *e, void *arg) {
    struct tally *t = arg;
    if (!*e->module || strcmp(e->module, "packages") == 0 || strcmp(e->module, "modules") == 0) return true;
    char *name =
        mem_printf("%s%s%s%s%s", e->parent, *e->parent ? "/" : "", e->base, *e->extension ? "." : "", e->extension);
    struct span s;
    assert_true(jimage_find(t->j, e->module, name, &s));
    assert_int_equal(s.size, e->size);
    t->resources++;
    if (strcmp(e->extension, "class") == 0) {
        assert_memory_equal(s.data, "\xCA\xFE\xBA\xBE", 4);
        t->classes++;
    }
    mem_free(name);
    return true;
}

static void test_every_resource(void **state) {
    (void)state;
    for (size_t i = 0; i < image_count; i++) {
        struct tally t = { open_image(images[i]), 0, 0 };
        jimage_iterate(t.j, check_entry, &t);
        assert_true(t.classes > 5000);
        print_message("%s: %zu resources, %zu classes\n", images[i], t.resources, t.classes);
        jimage_close(t.j);
    }
}

static bool touch_entry(const struct jimage_entry *e, void *arg) {
    struct tally *t = arg;
    char *name = mem_printf("%s%s%s.%s", e->parent, *e->parent ? "/" : "", e->base, e->extension);
    struct span s;
    volatile uint8_t sum = 0;
    if (jimage_find(t->j, e->module, name, &s))
        for (size_t k = 0; k < s.size; k += 4096) sum = (uint8_t)(sum + s.data[k]);
    (void)sum;
    mem_free(name);
    return ++t->resources < 2000;
}

/* A copy of the index with bytes changed at random: either refused, or every look-up stays inside the file. */
static void test_damaged(void **state) {
    (void)state;
    char path[] = "/tmp/base_jimage_XXXXXX";
    int  fd = mkstemp(path);
    FILE *in = fopen(images[0], "rb");
    size_t size = 6u << 20;
    uint8_t *bytes = malloc(size);
    assert_non_null(in);
    size = fread(bytes, 1, size, in);
    fclose(in);
    srand(1);
    for (int round = 0; round < 60; round++) {
        uint8_t *copy = malloc(size);
        memcpy(copy, bytes, size);
        for (int k = 0; k < 1 + round * 40; k++) {
            size_t at = (size_t)rand() % (round % 2 ? size : 28);
            copy[at] = (uint8_t)rand();
        }
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(pwrite(fd, copy, round % 3 ? size : (size_t)rand() % size, 0) > 0, 1);
        char *err = NULL;
        struct tally t = { jimage_open(path, &err), 0, 0 };
        if (t.j) {
            jimage_iterate(t.j, touch_entry, &t);
            jimage_package_module(t.j, "java/lang");
            jimage_close(t.j);
        } else {
            assert_non_null(err);
            assert_non_null(strstr(err, path));
        }
        mem_free(err);
        free(copy);
    }
    free(bytes);
    close(fd);
    unlink(path);
}

/* A resource of 16 bytes says that it holds a gigabyte. It is refused without memory for that. */
static void test_claims(void **state) {
    (void)state;
    enum { CLAIMED = 1 << 30, MOST = 1 << 20 };
    static const char strings[] = "\0java.base\0zip\0compact-cp\0x";
    static const struct { const char *method; uint32_t at; } methods[] = { { "zip", 11 }, { "compact-cp", 15 } };
    const uint32_t x = sizeof strings - 2;
    const uint8_t location[] = { 1 << 3, 1, 3 << 3, (uint8_t)x, 6 << 3, 45, 7 << 3 | 3, CLAIMED >> 24, 0, 0, 0, 0 };
    memory_set_tracking(TRACKING_SUMMARY);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        char path[] = "/tmp/base_jimage_XXXXXX";
        FILE *f = fdopen(mkstemp(path), "wb");
        const uint32_t header[] = { 0xCAFEDADA, 1 << 16, 0, 1, 1, sizeof location, sizeof strings, UINT32_MAX, 0 };
        struct __attribute__((packed)) {
            uint32_t magic;
            uint64_t size, unpacked;
            uint32_t method, config;
            uint8_t last, packed[16];
        } resource = { 0xCAFEFAFA, 16, CLAIMED, methods[i].at, 0, 1, { 0 } };
        assert_string_equal(strings + methods[i].at, methods[i].method);
        assert_true(fwrite(header, sizeof header, 1, f) && fwrite(location, sizeof location, 1, f) &&
                    fwrite(strings, sizeof strings, 1, f) && fwrite(&resource, sizeof resource, 1, f));
        fclose(f);
        struct jimage *j = open_image(path);
        struct tally t = { j, 0, 0 };
        jimage_iterate(j, touch_entry, &t);
        assert_int_equal(t.resources, 1);
        struct span s;
        assert_false(jimage_find(j, "java.base", "x", &s));
        jimage_close(j);
        unlink(path);
    }
    struct memory_snapshot used;
    assert_true(memory_snapshot_take(&used));
    assert_in_range(used.all_blocks.peak_bytes, 1, MOST);
    memory_snapshot_free(&used);
    memory_set_tracking(TRACKING_OFF);
}

static void test_missing(void **state) {
    (void)state;
    char *err = NULL;
    assert_null(jimage_open("/nonexistent/modules", &err));
    assert_non_null(strstr(err, "/nonexistent/modules"));
    mem_free(err);
    assert_null(jimage_open("/", &err));
    mem_free(err);
    assert_null(jimage_open("/dev/null", &err));
    mem_free(err);
}

int main(int argc, char **argv) {
    glob_t found = { 0 };
    images = argv + 1;
    image_count = (size_t)argc - 1;
    if (image_count == 0) {
        glob("/usr/lib/jvm/*-amd64/lib/modules", 0, NULL, &found);
        images = found.gl_pathv;
        image_count = found.gl_pathc;
    }
    if (image_count == 0) return 77;             /* no JDK: skipped */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_object_class),
        cmocka_unit_test(test_every_resource),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
