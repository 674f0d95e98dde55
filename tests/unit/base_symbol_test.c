/* The symbol table: one symbol per string, counts, threads that intern and release the same names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/symbol.h"

static void test_identity(void **state) {
    (void)state;
    struct symbol *a = symbol_intern_cstr("java/lang/Object"), *b = symbol_intern("java/lang/Object!", 16);
    assert_ptr_equal(a, b);
    assert_int_equal(a->refs, 2);
    assert_int_equal(a->length, 16);
    assert_string_equal(a->bytes, "java/lang/Object");
    assert_true(symbol_equals(a, "java/lang/Object"));
    symbol_release(b);
    assert_ptr_equal(symbol_lookup_cstr("java/lang/Object"), a);
    symbol_release(a);
    symbol_release(a);
    assert_null(symbol_lookup_cstr("java/lang/Object"));
}

static void test_limits(void **state) {
    (void)state;
    char *big = malloc(65536);
    memset(big, 'x', 65536);
    assert_null(symbol_intern(big, 65536));
    struct symbol *s = symbol_intern(big, 65535);
    assert_int_equal(s->length, 65535);
    assert_int_equal(s->bytes[65535], 0);
    symbol_release(s);
    struct symbol *empty = symbol_intern("", 0);
    assert_int_equal(empty->length, 0);
    symbol_release(empty);
    struct symbol *printed = symbol_intern_printf("%s$%d", "Foo", 7);
    assert_string_equal(printed->bytes, "Foo$7");
    symbol_release(printed);
    symbol_release(NULL);
    free(big);
}

enum { NAMES = 5000, THREADS = 4, ROUNDS = 40 };

static void *intern_all(void *arg) {
    char name[32];
    struct symbol *held[NAMES];
    (void)arg;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < NAMES; i++) {
            snprintf(name, sizeof name, "pkg/Class%d", i);
            held[i] = symbol_intern_cstr(name);
            if (!symbol_equals(held[i], name)) abort();
        }
        for (int i = 0; i < NAMES; i++) symbol_release(held[i]);
    }
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    pthread_t t[THREADS];
    size_t count, bytes;
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&t[i], NULL, intern_all, NULL), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
    symbol_stats(&count, &bytes);
    assert_int_equal(count, 0);
}

static void count_visit(struct symbol *s, void *arg) {
    (void)s;
    ++*(size_t *)arg;
}

static void test_destroy(void **state) {
    (void)state;
    char name[32];
    size_t seen = 0, count, bytes;
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "left%d", i);
        assert_non_null(symbol_intern_cstr(name));
    }
    symbol_iterate(count_visit, &seen);
    assert_int_equal(seen, 1000);
    symbol_table_destroy();
    symbol_stats(&count, &bytes);
    assert_int_equal(count, 0);
    struct symbol *again = symbol_intern_cstr("again");
    assert_non_null(again);
    symbol_release(again);
    symbol_table_destroy();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
