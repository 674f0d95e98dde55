/* The table from machine code to bytecode: whatever is written is found at every offset, whether bytecode goes on, goes
 * back or is none, and at an offset to which two places belong the last one counts. */
#include "jit/pcs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"

enum { CODE = 4000, MOST_BCI = 65535 };

static int32_t expected[CODE];

static void note(struct pcs_writer *w, uint32_t offset, int32_t bci) {
    pcs_add(w, offset, bci);
    for (uint32_t i = offset; i < CODE; i++) expected[i] = bci;
}

static void look_everywhere(const struct pcs_writer *w) {
    assert_false(w->table.failed);
    const uint8_t *end = w->table.bytes + w->table.length;
    for (uint32_t i = 0; i < CODE; i++) assert_int_equal(pcs_find(w->table.bytes, end, i), expected[i]);
}

static void test_places(void **state UNUSED) {
    struct pcs_writer w = {.table = {.bytes = NULL}};
    note(&w, 0, PCS_NO_FRAME);
    note(&w, 40, 0);
    note(&w, 41, MOST_BCI);
    note(&w, 200, 1);
    note(&w, 200, 2);                    /* an instruction that needs no code                                      */
    note(&w, 3000, PCS_CALLED);
    note(&w, 3001, PCS_NO_FRAME);
    look_everywhere(&w);
    mem_free(w.table.bytes);
}

static void test_any_places(void **state UNUSED) {
    srand(1);
    for (int round = 0; round < 50; round++) {
        struct pcs_writer w = {.table = {.bytes = NULL}};
        for (uint32_t offset = 0; offset < CODE; offset += (uint32_t)(rand() % (round * 7 + 2)))
            note(&w, offset, rand() % (MOST_BCI + 3) + PCS_CALLED);
        look_everywhere(&w);
        mem_free(w.table.bytes);
    }
}

static void test_offsets(void **state UNUSED) {
    struct pcs_writer w = {.table = {.bytes = NULL}};
    pcs_add(&w, 7, 300);
    pcs_add(&w, 900, 12);
    pcs_add(&w, 3000, MOST_BCI);
    assert_int_equal(pcs_offset_of(w.table.bytes, w.table.bytes + w.table.length, 300), 7);
    assert_int_equal(pcs_offset_of(w.table.bytes, w.table.bytes + w.table.length, 12), 900);
    assert_int_equal(pcs_offset_of(w.table.bytes, w.table.bytes + w.table.length, MOST_BCI), 3000);
    assert_int_equal(pcs_offset_of(w.table.bytes, w.table.bytes + w.table.length, 0), -1);
    assert_int_equal(pcs_offset_of(w.table.bytes, w.table.bytes, 300), -1);
    pcs_begin(&w);
    pcs_add(&w, 5, 4);
    assert_int_equal(pcs_offset_of(w.table.bytes, w.table.bytes + w.table.length, 4), 5);
    assert_int_equal(pcs_offset_of(w.table.bytes, w.table.bytes + w.table.length, 300), -1);
    mem_free(w.table.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_any_places),
                                       cmocka_unit_test(test_offsets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
