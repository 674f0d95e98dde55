/* Memory below an address, futexes, locks and conditions, signals, libraries, limits, tables, arenas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/os.h"
#include "base/table.h"

static void test_reserve_below(void **state) {
    (void)state;
    uintptr_t limit = (uintptr_t)1 << 35;
    size_t size = 64 * MIB, before = os_reserved_total();
    char *a = os_reserve_below(limit, size, 32 * KIB), *b = os_reserve_below(limit, size, MIB);
    assert_non_null(a);
    assert_non_null(b);
    assert_true((uintptr_t)a + size <= limit && (uintptr_t)b + size <= limit);
    assert_true(IS_ALIGNED(a, 32 * KIB) && IS_ALIGNED(b, MIB));
    assert_true(b + size <= a || a + size <= b);
    assert_int_equal(os_reserved_total() - before, 2 * size);
    assert_true(os_commit(a, MIB));
    a[0] = a[MIB - 1] = 1;
    os_discard(a, MIB);
    assert_int_equal(a[0], 0);
    os_decommit(a, MIB);
    assert_true(os_commit(a, MIB));
    assert_int_equal(a[MIB - 1], 0);
    assert_true(os_largest_gap_below(limit, MIB) > 0);
    assert_null(os_reserve_below(limit, limit + 1, MIB));
    os_release(a, size);
    assert_false(os_is_mapped(a, 1));
    os_release_all();
    assert_false(os_is_mapped(b, 1));
    assert_int_equal(os_reserved_total(), 0);
    char *c = os_reserve_aligned(MIB, 16 * MIB);
    assert_true(c && IS_ALIGNED(c, 16 * MIB));
    os_release(c, MIB);
}

static void test_waiting(void **state) {
    (void)state;
    _Atomic uint32_t word = 1;
    int64_t start = os_nanotime();
    assert_int_equal(os_futex_wait(&word, 1, 20000000), ETIMEDOUT);
    assert_true(os_nanotime() - start >= 20000000);
    assert_int_equal(os_futex_wait(&word, 2, INT64_MAX), 0);
    assert_int_equal(os_futex_wait_until(&word, 1, os_nanotime() + 1000000, false), ETIMEDOUT);
    assert_int_equal(os_futex_wait_until(&word, 1, os_wall_millis() * 1000000 + 1000000, true), ETIMEDOUT);
    if (os_membarrier_available()) assert_true(os_membarrier());
}

static struct lock shared = LOCK_INIT("shared", HEAP);
static struct cond turned = COND_INIT;
static int turn, sum;

static void *take_turns(void *arg) {
    int me = (int)(intptr_t)arg;
    for (int i = 0; i < 2000; i++) {
        lock_acquire(&shared);
        while (turn != me) cond_wait(&turned, &shared, COND_FOREVER);
        sum++;
        turn = (turn + 1) % 3;
        cond_notify_all(&turned);
        lock_release(&shared);
    }
    return NULL;
}

static void test_locks(void **state) {
    (void)state;
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(os_thread_create(&t[i], take_turns, (void *)(intptr_t)i, 256 * KIB, false), 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    assert_int_equal(sum, 6000);
    lock_acquire(&shared);
    assert_true(lock_held_by_me(&shared));
    assert_false(lock_try(&shared));
    assert_false(cond_wait(&turned, &shared, 1000000));
    lock_release(&shared);
    assert_true(lock_try(&shared));
    lock_release(&shared);
}

#ifdef VITRINE_CHECK
static void test_rank_violation(void **state) {
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        struct lock inner = LOCK_INIT("inner", SYMBOL), outer = LOCK_INIT("outer", THREADS);
        close(2);
        lock_acquire(&inner);
        lock_acquire(&outer);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}
#endif

static void handler(int signo) { (void)signo; }

static void test_signals(void **state) {
    (void)state;
    struct sigaction mine = { .sa_handler = handler }, now;
    char name[16];
    assert_true(os_signal_install(SIGUSR1, &mine));
    assert_true(os_signal_install(SIGUSR1, &mine));
    assert_true(os_signal_previous(SIGUSR1, &now));
    assert_ptr_equal(now.sa_handler, SIG_DFL);
    os_signal_restore_all();
    sigaction(SIGUSR1, NULL, &now);
    assert_ptr_equal(now.sa_handler, SIG_DFL);
    assert_true(os_signal_install(SIGUSR2, &mine));
    os_signal_forget_range((uintptr_t)handler, (uintptr_t)handler + 1);
    sigaction(SIGUSR2, NULL, &now);
    assert_ptr_equal(now.sa_handler, SIG_DFL);
    os_signal_restore_all();
    assert_string_equal(os_signal_name(SIGSEGV, name, sizeof name), "SIGSEGV");
    assert_int_equal(os_signal_number("HUP"), SIGHUP);
    assert_int_equal(os_signal_number("SIGQUIT"), SIGQUIT);
    assert_int_equal(os_signal_number("NOSUCH"), -1);
    assert_false(os_signal_install(0, &mine));
}

static void test_libraries(void **state) {
    (void)state;
    char *err = NULL;
    const char *path;
    assert_null(os_library_open("/nonexistent.so", &err));
    assert_string_equal(err, "/nonexistent.so: cannot open shared object file: No such file or directory");
    mem_free(err);
    void *handle = os_library_open("libz.so.1", &err);
    assert_non_null(handle);
    assert_non_null(os_library_find(handle, "inflate"));
    assert_null(os_library_find(handle, "no_such_symbol"));
    assert_true(os_library_of((void *)(uintptr_t)os_library_find(handle, "inflate"), &path, NULL, NULL, NULL));
    assert_non_null(strstr(path, "libz"));
    os_library_close_all();
}

static void test_machine(void **state) {
    (void)state;
    uintptr_t low, high;
    size_t guard;
    int here;
    assert_in_range(os_cpu_count(), 1, os_host_cpu_count());
    assert_true(os_physical_memory() > 0 && os_physical_memory() <= os_host_memory());
    assert_true(os_resident_memory() > 0);
    assert_true(os_thread_stack_bounds(&low, &high, &guard));
    assert_true(low < (uintptr_t)&here && (uintptr_t)&here < high);
    assert_true(os_cpu_ns_of_tid(os_thread_id(), false) > 0);
    assert_true(os_cpu_ns_of_tid(os_thread_id(), true) >= 0);
    assert_int_equal(os_cpu_ns_of_tid(1 << 22, false), -1);
    assert_true(os_thread_cpu_ns() > 0 && os_process_cpu_ns() >= os_thread_cpu_ns());
    assert_null(os_read_text("/nonexistent", 10));
    char *text = os_read_text("/proc/self/maps", 1 << 20);
    assert_true(strlen(text) > 500);
    mem_free(text);
}

static bool add_up(uint64_t key, uint64_t value, void *arg) {
    *(uint64_t *)arg += key + value;
    return true;
}

static void test_tables(void **state) {
    (void)state;
    struct int_table t = { 0 };
    struct str_table s = { 0 };
    uint64_t total = 0, value;
    char key[16];
    assert_false(int_table_get(&t, 5, NULL));
    for (uint64_t i = 0; i < 10000; i++) assert_true(int_table_put(&t, i * 4096, i));
    for (uint64_t i = 0; i < 10000; i += 2) assert_true(int_table_remove(&t, i * 4096, NULL));
    for (uint64_t i = 0; i < 10000; i++) {
        assert_int_equal(int_table_get(&t, i * 4096, &value), i % 2);
        if (i % 2) assert_int_equal(value, i);
    }
    assert_int_equal(t.count, 5000);
    int_table_iterate(&t, add_up, &total);
    assert_int_equal(total, 25000000ull * 4097);
    int_table_free(&t);
    for (intptr_t i = 0; i < 3000; i++) {
        int n = snprintf(key, sizeof key, "key%d", (int)i);
        assert_true(str_table_put(&s, key, (size_t)n, (void *)(i + 1)));
    }
    assert_ptr_equal(str_table_remove(&s, "key7", 4), (void *)8);
    assert_null(str_table_get(&s, "key7", 4));
    assert_ptr_equal(str_table_get(&s, "key2999", 7), (void *)3000);
    assert_false(str_table_contains(&s, "key", 3));
    str_table_free(&s);
}

static void test_arena(void **state) {
    (void)state;
    size_t before = arena_total();
    struct arena *a = arena_new("test");
    assert_int_equal(arena_size(a), 1016);
    for (size_t i = 1; i < 3000; i++) {
        char *p = arena_alloc(a, i % 700);
        assert_true(IS_ALIGNED(p, 8));
        for (size_t k = 0; k < i % 700; k++) assert_int_equal(p[k], 0);
        memset(p, 0xff, i % 700);
    }
    assert_true(arena_size(a) - arena_used(a) < arena_used(a) / 8);
    assert_non_null(arena_alloc(a, MIB));
    assert_null(arena_alloc(a, SIZE_MAX - 5));
    assert_string_equal(arena_strndup(a, "hello world", 5), "hello");
    arena_free(a);
    assert_int_equal(arena_total(), before);
}

/* What a class of middling size takes: little beside what it uses. */
static void test_arena_slack(void **state) {
    (void)state;
    struct arena *a = arena_new("test");
    for (size_t i = 0; i < 12; i++) {
        assert_non_null(arena_alloc(a, 64));
        assert_non_null(arena_alloc(a, 24 + i * 60));
    }
    assert_in_range(arena_size(a), arena_used(a), arena_used(a) * 5 / 4);
    arena_free(a);
}

/* An arena whose owner says what will come takes what that needs, the heads of its chunks, and what malloc rounds
 * up. */
static void test_arena_expected(void **state) {
    (void)state;
    size_t before = arena_total();
    struct arena *a = arena_new_for("test", 400);
    size_t head = arena_size(a) - 400;
    assert_in_range(head, 0, 80);
    for (int i = 0; i < 5; i++) assert_non_null(arena_alloc(a, 80 - (size_t)i));
    assert_int_equal(arena_size(a), 400 + head);
    assert_true(arena_expect(a, 1000));
    size_t expected = arena_size(a);
    assert_in_range(expected, 400 + head + 1000, 400 + head + 1024);
    assert_true(arena_expect(a, 600));             /* there is room */
    for (int i = 0; i < 5; i++) assert_non_null(arena_alloc(a, 184));
    assert_int_equal(arena_size(a), expected);
    assert_non_null(arena_alloc_last(a, 40));      /* so is here */
    assert_int_equal(arena_size(a), expected);
    assert_non_null(arena_alloc_last(a, 200));
    assert_in_range(arena_size(a), expected + 200, expected + 224);
    assert_non_null(arena_alloc(a, 40));           /* the rest has stayed in use */
    assert_in_range(arena_size(a), expected + 200, expected + 224);
    assert_false(arena_expect(a, SIZE_MAX - 5));
    assert_null(arena_alloc_last(a, SIZE_MAX - 5));
    assert_null(arena_new_for("test", SIZE_MAX - 5));
    arena_free(a);
    assert_int_equal(arena_total(), before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reserve_below),
        cmocka_unit_test(test_waiting),
        cmocka_unit_test(test_locks),
#ifdef VITRINE_CHECK
        cmocka_unit_test(test_rank_violation),
#endif
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_libraries),
        cmocka_unit_test(test_machine),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_arena_slack),
        cmocka_unit_test(test_arena_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
