/* Which directory is a JDK we serve: good ones, missing ones, other versions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/jdk_home.h"

static char directory[] = "/tmp/base_jdk_home_XXXXXX";

static void make_jdk(const char *name, const char *release, bool modules) {
    char *command = mem_printf("mkdir -p %s/%s/lib && cd %s/%s && %s lib/modules && printf '%s' > release", directory,
                               name, directory, name, modules ? "touch" : "rm -f", release);
    assert_int_equal(system(command), 0);
    mem_free(command);
}

static char *read_jdk(const char *name, struct jdk_home *h) {
    char *path = mem_printf("%s/%s", directory, name), *err = NULL;
    bool  ok = jdk_home_read(h, path, &err);
    assert_int_equal(ok, err == NULL);
    mem_free(path);
    return err;
}

static void test_good(void **state) {
    struct jdk_home h;
    (void)state;
    make_jdk("25/", "IMPLEMENTOR=\"Me\"\nJAVA_VERSION=\"25.0.1\"\nJAVA_RUNTIME_VERSION=\"25.0.1+8\"\n", true);
    assert_null(read_jdk("25/", &h));
    assert_int_equal(h.feature, 25);
    assert_string_equal(h.version, "25.0.1");
    assert_string_equal(h.runtime_version, "25.0.1+8");
    assert_string_equal(h.vendor, "Me");
    assert_string_equal(h.home + strlen(h.home) - 3, "/25");
    jdk_home_free(&h);
    make_jdk("17", "JAVA_VERSION=\"17\"", true);
    assert_null(read_jdk("17", &h));
    assert_int_equal(h.feature, 17);
    assert_string_equal(h.runtime_version, "17");
    jdk_home_free(&h);
}

static void expect(const char *name, const char *words) {
    struct jdk_home h;
    char *err = read_jdk(name, &h);
    if (!err || !strstr(err, words)) fail_msg("'%s' lacks '%s'", err ? err : "", words);
    mem_free(err);
}

static void test_bad(void **state) {
    (void)state;
    make_jdk("21", "JAVA_VERSION=\"21.0.2\"\n", true);
    make_jdk("none", "", true);
    make_jdk("empty", "JAVA_VERSION=\"25\"\n", false);
    expect("21", "is a JDK 21.0.2; this VM serves JDK 17 and JDK 25");
    expect("none", "is a JDK of unknown version");
    expect("empty", "no lib/modules");
    expect("nowhere", "There is no JDK at");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_bad),
    };
    if (!mkdtemp(directory)) return 1;
    int   failed = cmocka_run_group_tests(tests, NULL, NULL);
    char *command = mem_printf("rm -rf %s", directory);
    if (system(command) != 0) failed++;
    mem_free(command);
    return failed;
}
