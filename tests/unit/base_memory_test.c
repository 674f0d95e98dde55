/* The account of C memory: counts by category and site, peaks, blocks that move, and what a later VM still knows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/alloc.h"
#include "base/os.h"

static struct memory_snapshot now(void) {
    struct memory_snapshot s;
    assert_true(memory_snapshot_take(&s));
    return s;
}

static struct memory_use blocks(enum memory_category of) {
    struct memory_snapshot s = now();
    struct memory_use use = s.blocks[of];
    memory_snapshot_free(&s);
    return use;
}

static void test_blocks(void **state) {
    (void)state;
    memory_set_tracking(TRACKING_SUMMARY);
    struct memory_use before = blocks(MEMORY_CODE);
    char *p = mem_alloc_for(MEMORY_CODE, 1000), *q = mem_zalloc_for(MEMORY_CODE, 24);
    assert_int_equal(blocks(MEMORY_CODE).bytes - before.bytes, 1024);
    assert_int_equal(blocks(MEMORY_CODE).count - before.count, 2);
    p = mem_realloc_for(MEMORY_CODE, p, 3000);
    assert_int_equal(blocks(MEMORY_CODE).bytes - before.bytes, 3024);
    mem_free(p);
    mem_free(q);
    assert_int_equal(blocks(MEMORY_CODE).bytes, before.bytes);
    assert_int_equal(blocks(MEMORY_CODE).peak_bytes, before.bytes + 3024);
    struct arena *a = arena_new_of(MEMORY_CODE, "test", 100000);
    struct memory_snapshot s = now();
    assert_int_equal(s.arenas[MEMORY_CODE].count, 1);
    assert_true(s.arenas[MEMORY_CODE].bytes >= 100000);
    memory_snapshot_free(&s);
    arena_free(a);
    s = now();
    assert_int_equal(s.arenas[MEMORY_CODE].bytes, 0);
    memory_snapshot_free(&s);
}

/* Many at once, so that tables grow and gaps close. */
static void test_many(void **state) {
    (void)state;
    enum { MANY = 20000 };
    static void *taken[MANY];
    memory_set_tracking(TRACKING_SUMMARY);
    size_t before = blocks(MEMORY_MODULE).bytes;
    for (int i = 0; i < MANY; i++) taken[i] = mem_alloc_for(MEMORY_MODULE, (size_t)i % 100);
    for (int i = 0; i < MANY; i += 2) mem_free(taken[i]);
    assert_int_equal(blocks(MEMORY_MODULE).count, MANY / 2);
    for (int i = 1; i < MANY; i += 2) mem_free(taken[i]);
    assert_int_equal(blocks(MEMORY_MODULE).bytes, before);
}

static void test_sites(void **state) {
    (void)state;
    memory_set_tracking(TRACKING_DETAIL);
    void *p = mem_alloc_for(MEMORY_LOGGING, 12345);
    struct memory_snapshot s = now();
    size_t found = 0;
    for (size_t i = 0; i < s.site_count; i++)
        found += s.sites[i].of == MEMORY_LOGGING && s.sites[i].use.bytes == 12345 && s.sites[i].frames[0] != NULL;
    assert_int_equal(found, 1);
    memory_snapshot_free(&s);
    mem_free(p);
}

/* The end of a VM. */
static void test_again(void **state) {
    (void)state;
    struct memory_statistics st;
    memory_set_tracking(TRACKING_DETAIL);
    void *stays = mem_alloc_for(MEMORY_GC, 5000), *early;
    char *range = os_reserve_for(MEMORY_GC, NULL, MIB);
    assert_true(range && os_commit(range, MIB));
    mem_free(mem_alloc_for(MEMORY_GC, MIB));
    struct memory_snapshot s = now();
    assert_true(s.blocks[MEMORY_GC].peak_bytes >= MIB && s.peak_committed[MEMORY_GC] >= MIB && s.site_count != 0);
    memory_snapshot_free(&s);
    os_release(range, MIB);

    memory_set_tracking(TRACKING_UNDECIDED);
    early = mem_alloc_for(MEMORY_GC, 70);
    memory_set_tracking(TRACKING_DETAIL);
    mem_free(stays);                             /* of the VM before */
    s = now();
    assert_int_equal(s.blocks[MEMORY_GC].bytes, 70);
    assert_int_equal(s.blocks[MEMORY_GC].peak_bytes, 70);
    assert_int_equal(s.peak_committed[MEMORY_GC], 0);
    assert_int_equal(s.site_count, 0);
    memory_snapshot_free(&s);
    memory_statistics(&st);
    assert_int_equal(st.sites, 0);
    assert_int_equal(st.early, 1);
    mem_free(early);
    assert_int_equal(blocks(MEMORY_GC).bytes, 0);
    void *fresh = mem_alloc_for(MEMORY_GC, 80);  /* sites are counted anew */
    s = now();
    assert_int_equal(s.site_count, 1);
    assert_int_equal(s.sites[0].use.bytes, 80);
    memory_snapshot_free(&s);
    mem_free(fresh);
}

static void test_off(void **state) {
    (void)state;
    memory_set_tracking(TRACKING_OFF);
    void *p = mem_alloc_for(MEMORY_GC, 100);
    struct memory_snapshot s = now();
    assert_int_equal(s.all_blocks.bytes, 0);
    memory_snapshot_free(&s);
    mem_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks), cmocka_unit_test(test_many), cmocka_unit_test(test_sites),
        cmocka_unit_test(test_again), cmocka_unit_test(test_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
