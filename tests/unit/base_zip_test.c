/* Jar reading: stored and deflated entries, zip64, leading bytes, damaged files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/zip.h"

static char directory[] = "/tmp/base_zip_XXXXXX";

/* The jars are made by Python's zipfile, an implementation of its own. */
static int make_jars(void **state) {
    (void)state;
    if (!mkdtemp(directory)) return -1;
    char *command = mem_printf(
        "cd %s && python3 -c '\n"
        "import zipfile\n"
        "with zipfile.ZipFile(\"a.jar\", \"w\") as z:\n"
        "    z.writestr(\"stored.txt\", b\"plain\", zipfile.ZIP_STORED)\n"
        "    z.writestr(\"p/deflated.txt\", b\"abc\" * 100000, zipfile.ZIP_DEFLATED)\n"
        "    z.writestr(\"empty\", b\"\", zipfile.ZIP_DEFLATED)\n"
        "    z.writestr(\"d/\", b\"\")\n"
        "    z.comment = b\"a comment PK\"\n"
        "with open(\"pre.jar\", \"wb\") as f: f.write(b\"#!/bin/sh\\n\" + open(\"a.jar\", \"rb\").read())\n"
        "with zipfile.ZipFile(\"z64.jar\", \"w\") as z:\n"
        "    for i in range(66000): z.writestr(\"e%%d\" %% i, b\"\")\n"
        "    with z.open(\"big\", \"w\", force_zip64=True) as f: f.write(b\"zip64\")\n"
        "'", directory);
    int rc = system(command);
    mem_free(command);
    return rc;
}

static int remove_jars(void **state) {
    (void)state;
    char *command = mem_printf("rm -rf %s", directory);
    int rc = system(command);
    mem_free(command);
    return rc;
}

static struct zip *open_jar(const char *name) {
    char *path = mem_printf("%s/%s", directory, name), *err = NULL;
    struct zip *z = zip_open(path, &err);
    if (!z) fail_msg("%s", err);
    mem_free(path);
    return z;
}

static void check_entry(struct zip *z, const char *name, const char *content, size_t size) {
    char *err = NULL;
    const struct zip_entry *e = zip_find(z, name);
    assert_non_null(e);
    assert_int_equal(e->size, size);
    uint8_t *bytes = zip_read(z, e, &err);
    if (!bytes) fail_msg("%s", err);
    assert_memory_equal(bytes, content, MIN(size, strlen(content)));
    assert_int_equal(bytes[size], 0);
    mem_free(bytes);
}

static void test_plain(void **state) {
    (void)state;
    const char *jars[] = { "a.jar", "pre.jar" };
    for (int i = 0; i < 2; i++) {
        struct zip *z = open_jar(jars[i]);
        assert_int_equal(zip_count(z), 4);
        check_entry(z, "stored.txt", "plain", 5);
        check_entry(z, "p/deflated.txt", "abcabc", 300000);
        check_entry(z, "empty", "", 0);
        assert_non_null(zip_find(z, "d/"));
        assert_null(zip_find(z, "d"));
        assert_null(zip_find(z, ""));
        assert_null(zip_entry_at(z, 4));
        zip_close(z);
    }
}

static void test_zip64(void **state) {
    (void)state;
    struct zip *z = open_jar("z64.jar");
    assert_int_equal(zip_count(z), 66001);
    check_entry(z, "big", "zip64", 5);
    check_entry(z, "e65999", "", 0);
    zip_close(z);
}

static void test_bad_files(void **state) {
    (void)state;
    char *err = NULL;
    assert_null(zip_open("/nonexistent.jar", &err));
    assert_non_null(strstr(err, "/nonexistent.jar"));
    mem_free(err);
    assert_null(zip_open("/", &err));
    mem_free(err);
    assert_null(zip_open("/dev/null", &err));
    mem_free(err);
}

/* Cut and changed copies: opening or reading fails with a sentence, nothing reads outside. */
static void test_damaged(void **state) {
    (void)state;
    uint8_t bytes[4096];
    char *path = mem_printf("%s/a.jar", directory), *bad = mem_printf("%s/bad.jar", directory);
    FILE *f = fopen(path, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    assert_in_range(size, 300, 4000);
    srand(2);
    for (int round = 0; round < 3000; round++) {
        uint8_t copy[4096];
        memcpy(copy, bytes, size);
        size_t n = round % 5 == 0 ? (size_t)rand() % size : size;
        for (int k = 0; k <= round % 7; k++) copy[(size_t)rand() % size] = (uint8_t)(round % 3 ? rand() : 0xff);
        f = fopen(bad, "wb");
        fwrite(copy, 1, n, f);
        fclose(f);
        char *err = NULL;
        struct zip *z = zip_open(bad, &err);
        if (!z) {
            assert_non_null(strstr(err, bad));
            mem_free(err);
            continue;
        }
        for (size_t i = 0; i < zip_count(z); i++) {
            uint8_t *content = zip_read(z, zip_entry_at(z, i), &err);
            if (!content) assert_non_null(err);
            mem_free(content);
            mem_free(err);
        }
        zip_close(z);
    }
    mem_free(path);
    mem_free(bad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_zip64),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, make_jars, remove_jars);
}
