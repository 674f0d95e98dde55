/* The table from machine code to bytecode: whatever is written is found at every offset, whether bytecode goes on, goes
 * back or is none, and at an offset to which two places belong the last one counts. A walk finds every row. A search
 * reads one chunk of a long table, and nothing but the table if that is damaged. */
#include "jit/pcs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "one_chunk.h"

enum { CODE = 4000, MOST_BCI = 65535, ROWS = 3 * CODE };

static int32_t expected[CODE];
static struct { uint32_t offset; int32_t bci; } noted[ROWS];
static uint32_t noted_count;

static void note(struct pcs_writer *w, uint32_t offset, int32_t bci) {
    pcs_add(w, offset, bci);
    if (noted_count == 0 || noted[noted_count - 1].bci != bci) {
        assert_true(noted_count < ROWS);
        noted[noted_count].offset = offset;
        noted[noted_count++].bci = bci;
    }
    for (uint32_t i = offset; i < CODE; i++) expected[i] = bci;
}

static void begin(struct pcs_writer *w) {
    pcs_begin(w);
    memset(expected, 0, sizeof expected);
    noted_count = 0;
}

static void walk(const struct pcs_writer *w) {
    struct pcs_reader r = pcs_read(w->rows.table.bytes, w->rows.table.bytes + w->rows.table.length);
    for (uint32_t i = 0; i < noted_count; i++) {
        assert_true(pcs_next(&r));
        assert_int_equal(r.rows.offset, noted[i].offset);
        assert_int_equal(r.bci, noted[i].bci);
    }
    assert_false(pcs_next(&r));
    assert_false(pcs_next(&r));
}

static void look_everywhere(const struct pcs_writer *w) {
    assert_false(w->rows.table.failed);
    const uint8_t *end = w->rows.table.bytes + w->rows.table.length;
    for (uint32_t i = 0; i < CODE; i++) assert_int_equal(pcs_find(w->rows.table.bytes, end, i), expected[i]);
    assert_int_equal(pcs_find(w->rows.table.bytes, end, UINT32_MAX), expected[CODE - 1]);
    walk(w);
}

static void test_places(void **state UNUSED) {
    struct pcs_writer w = {.bci = 0};
    begin(&w);
    note(&w, 0, PCS_NO_FRAME);
    note(&w, 40, 0);
    note(&w, 41, MOST_BCI);
    note(&w, 200, 1);
    note(&w, 200, 2);                    /* an instruction that needs no code                                      */
    note(&w, 3000, PCS_CALLED);
    note(&w, 3001, PCS_NO_FRAME);
    look_everywhere(&w);
    mem_free(w.rows.table.bytes);
}

static void test_any_places(void **state UNUSED) {
    srand(1);
    for (int round = 0; round < 50; round++) {
        struct pcs_writer w = {.bci = 0};
        begin(&w);
        for (uint32_t offset = 0; offset < CODE; offset += (uint32_t)(rand() % (round * 7 + 2)))
            note(&w, offset, rand() % (MOST_BCI + 3) + PCS_CALLED);
        look_everywhere(&w);
        mem_free(w.rows.table.bytes);
    }
}

static void test_offsets(void **state UNUSED) {
    struct pcs_writer w = {.bci = 0};
    pcs_add(&w, 7, 300);
    pcs_add(&w, 900, 12);
    pcs_add(&w, 3000, MOST_BCI);
    assert_int_equal(pcs_offset_of(w.rows.table.bytes, w.rows.table.bytes + w.rows.table.length, 300), 7);
    assert_int_equal(pcs_offset_of(w.rows.table.bytes, w.rows.table.bytes + w.rows.table.length, 12), 900);
    assert_int_equal(pcs_offset_of(w.rows.table.bytes, w.rows.table.bytes + w.rows.table.length, MOST_BCI), 3000);
    assert_int_equal(pcs_offset_of(w.rows.table.bytes, w.rows.table.bytes + w.rows.table.length, 0), -1);
    assert_int_equal(pcs_offset_of(w.rows.table.bytes, w.rows.table.bytes, 300), -1);
    pcs_begin(&w);
    pcs_add(&w, 5, 4);
    assert_int_equal(pcs_offset_of(w.rows.table.bytes, w.rows.table.bytes + w.rows.table.length, 4), 5);
    assert_int_equal(pcs_offset_of(w.rows.table.bytes, w.rows.table.bytes + w.rows.table.length, 300), -1);
    mem_free(w.rows.table.bytes);
}

/* A table of nothing but one row, of two, and so on, over the first chunks; the first row is not at the begin. */
static void test_lengths(void **state UNUSED) {
    struct pcs_writer w = {.bci = 0};
    for (uint32_t rows = 0; rows < 4 * ROWS_CHUNK; rows++) {
        begin(&w);
        for (uint32_t i = 0; i < rows; i++) note(&w, 3 + i * 9, (int32_t)(i * i % 400));
        look_everywhere(&w);
    }
    mem_free(w.rows.table.bytes);
}

/* Where a chunk begins, several rows are at one offset: the last counts, whichever chunk it is in. */
static void test_same_offsets(void **state UNUSED) {
    struct pcs_writer w = {.bci = 0};
    for (uint32_t before = 0; before < 2 * ROWS_CHUNK; before++) {
        begin(&w);
        for (uint32_t i = 0; i < before; i++) note(&w, i, (int32_t)i + 1);
        for (int32_t i = 0; i < 5; i++) note(&w, 300, 1000 + i);
        note(&w, 301, 5);
        look_everywhere(&w);
    }
    mem_free(w.rows.table.bytes);
}

static void write_long(struct pcs_writer *w) {
    begin(w);
    for (uint32_t offset = 5; offset < CODE; offset += 1 + offset * 7 % 11)
        note(w, offset, (int32_t)(offset * 31 % 900));
}

/* Of the rows of all chunks but one nothing is read. */
static void test_search_reads_one_chunk(void **state UNUSED) {
    struct pcs_writer w = {.bci = 0};
    write_long(&w);
    uint32_t length = w.rows.table.length, chunks = 0;
    uint8_t *copy = mem_alloc(length);
    assert_non_null(copy);
    for (uint32_t offset = 0; offset < CODE; offset++) {
        chunks = copy_one_chunk(copy, w.rows.table.bytes, w.rows.table.bytes + length, offset);
        assert_int_equal(pcs_find(copy, copy + length, offset), expected[offset]);
    }
    assert_in_range(chunks, length / (2 * ROWS_CHUNK), length / ROWS_CHUNK + 1);
    mem_free(copy);
    mem_free(w.rows.table.bytes);
}

/* A chunk so long that what is behind it is where it begins. */
static void test_too_long(void **state UNUSED) {
    static const uint8_t table[] = {0, 0xf5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 14, 3, 0};
    assert_int_equal(pcs_find(table, table + sizeof table, 1000), 7);
}

static void look_at_damaged(const uint8_t *table, uint32_t length) {
    uint32_t rows = 0;
    for (struct pcs_reader r = pcs_read(table, table + length); pcs_next(&r); rows++) assert_true(rows < length);
    for (uint32_t i = 0; i < CODE; i += 37) (void)pcs_find(table, table + length, i);
    (void)pcs_offset_of(table, table + length, 12345);
}

/* What is cut off anywhere, or has another byte anywhere: nothing is read behind it, and everything ends. */
static void test_damaged(void **state UNUSED) {
    static const uint8_t bytes[] = {0, 1, 0x7f, 0x80, 0xff};
    struct pcs_writer w = {.bci = 0};
    write_long(&w);
    for (uint32_t length = 0; length < w.rows.table.length; length++) {
        uint8_t *copy = mem_alloc(length + 1);
        assert_non_null(copy);
        memcpy(copy, w.rows.table.bytes, length);
        copy[length] = 1;
        look_at_damaged(copy, length);
        for (size_t i = 0; length != 0 && i < ARRAY_LEN(bytes); i++) {
            uint8_t was = w.rows.table.bytes[length];
            w.rows.table.bytes[length] = bytes[i];
            look_at_damaged(w.rows.table.bytes, w.rows.table.length);
            w.rows.table.bytes[length] = was;
        }
        mem_free(copy);
    }
    assert_int_equal(pcs_find(w.rows.table.bytes, w.rows.table.bytes, 7), 0);
    look_everywhere(&w);
    mem_free(w.rows.table.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_any_places),
                                       cmocka_unit_test(test_offsets), cmocka_unit_test(test_lengths),
                                       cmocka_unit_test(test_same_offsets),
                                       cmocka_unit_test(test_search_reads_one_chunk),
                                       cmocka_unit_test(test_too_long), cmocka_unit_test(test_damaged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
