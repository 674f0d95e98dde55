/* The table of inlined methods: at every offset the methods that are inlined there are found, each with its caller's;
 * walks find every method and every row. Nothing but the table is read if it is damaged. */
#include "jit/inlined.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "one_chunk.h"

enum { CODE = 3000, MOST_METHODS = 199 };

static struct inlined_method methods[MOST_METHODS + 1];         /* by number                                        */
static uint32_t method_count;
static struct { uint32_t method, bci; } expected[CODE];
static struct { uint32_t offset, method, bci; } noted[CODE];
static uint32_t noted_count;

/* Calls within calls until they are no deeper, then from the begin. */
static void make_methods(struct inlined_writer *w, uint32_t count) {
    method_count = count;
    inlined_begin(w, count);
    for (uint32_t i = 1; i <= count; i++) {
        uintptr_t code = (i & 1 ? 0x7fffffffff00u : 0x550000001000u) + i, receiver = (i % 3) * 0x7f1234567890u;
        methods[i] = (struct inlined_method){.code = (struct method_code *)code,
                                             .parent = i % INLINED_LEVELS == 1 ? 0 : i - 1,
                                             .bci = i * 329, .base = 510 - i,
                                             .receiver = (struct class *)receiver,
                                             .site = (const struct object *)(i % 2 * 0x6edcba987650u)};
        inlined_add(w, &methods[i]);
    }
    memset(expected, 0, sizeof expected);
    noted_count = 0;
}

static void note(struct inlined_writer *w, uint32_t offset, uint32_t method, uint32_t bci) {
    uint32_t before = noted_count;
    inlined_note(w, offset, method, bci);
    bool is_new = before == 0 ? method != 0 || bci != 0
                              : noted[before - 1].method != method || noted[before - 1].bci != bci;
    if (is_new) {
        assert_true(noted_count < CODE);
        noted[noted_count].offset = offset;
        noted[noted_count].method = method;
        noted[noted_count++].bci = bci;
    }
    for (uint32_t i = offset; i < CODE; i++) {
        expected[i].method = method;
        expected[i].bci = bci;
    }
}

static void make_rows(struct inlined_writer *w, uint32_t step) {
    note(w, 0, 0, 0);
    for (uint32_t at = step; at < CODE; at += 1 + at * 7 % step) {
        uint32_t method = at * 31 % (method_count + 1);
        note(w, at, method, method == 0 ? 0 : at * 67 % 65536);
    }
}

/* Code with that table behind it. */
static struct code_blob *make_blob(const uint8_t *table, uint32_t length) {
    struct code_blob *b = NULL;
    assert_int_equal(posix_memalign((void **)&b, _Alignof(struct code_blob), sizeof *b + CODE + length), 0);
    *b = (struct code_blob){.method = NULL, .inlined = length & 0x3ffffff, .length = CODE + length};
    if (length != 0) memcpy((uint8_t *)(b + 1) + CODE, table, length);
    return b;
}

static void look_at(const struct code_blob *b, uint32_t offset) {
    struct inlined_place place;
    uint32_t n = 0, bci = expected[offset].bci;
    inlined_find(b, code_blob_begin(b) + offset, &place);
    for (uint32_t method = expected[offset].method; method != 0; method = methods[method].parent, n++) {
        const struct inlined_method *found = &place.frames[n].method, *wanted = &methods[method];
        assert_true(n < place.count);
        assert_int_equal(place.frames[n].bci, bci);
        assert_true(found->code == wanted->code && found->receiver == wanted->receiver && found->site == wanted->site);
        assert_int_equal(found->parent, wanted->parent);
        assert_int_equal(found->bci, wanted->bci);
        assert_int_equal(found->base, wanted->base);
        bci = wanted->bci;
    }
    assert_int_equal(place.count, n);
}

static void walk(const struct code_blob *b) {
    struct inlined_reader r = inlined_read(b);
    struct inlined_method m;
    uint32_t number = 0;
    while (inlined_next_method(&r, &m)) {
        assert_true(++number <= method_count);
        assert_true(m.code == methods[number].code && m.receiver == methods[number].receiver &&
                    m.site == methods[number].site);
        assert_int_equal(m.parent, methods[number].parent);
    }
    assert_int_equal(number, method_count);
    for (uint32_t i = 0; i < noted_count; i++) {
        assert_true(inlined_next_row(&r));
        assert_int_equal(r.rows.offset, noted[i].offset);
        assert_int_equal(r.method, noted[i].method);
        assert_int_equal(r.bci, noted[i].bci);
    }
    assert_false(inlined_next_row(&r) || inlined_next_method(&r, &m));
}

static void look_everywhere(const struct inlined_writer *w) {
    assert_false(w->rows.table.failed);
    struct code_blob *b = make_blob(w->rows.table.bytes, w->rows.table.length);
    for (uint32_t i = 0; i < CODE; i++) look_at(b, i);
    walk(b);
    free(b);
}

static void test_tables(void **state UNUSED) {
    static const uint32_t counts[] = {1, 2, 31, 32, 33, 127, 128, MOST_METHODS};
    struct inlined_writer w = {.method = 0};
    for (size_t i = 0; i < ARRAY_LEN(counts); i++)
        for (uint32_t step = 1; step < 2 * CODE; step *= 3) {
            make_methods(&w, counts[i]);
            make_rows(&w, step);
            look_everywhere(&w);
        }
    mem_free(w.rows.table.bytes);
}

/* No row, one, two and so on, over the first chunks. */
static void test_lengths(void **state UNUSED) {
    struct inlined_writer w = {.method = 0};
    for (uint32_t rows = 0; rows < 2 * ROWS_CHUNK; rows++) {
        make_methods(&w, 3);
        for (uint32_t i = 0; i < rows; i++) note(&w, 2 + i * 5 - i % 2 * 5, 1 + i % 3, i);
        look_everywhere(&w);
    }
    mem_free(w.rows.table.bytes);
}

static void test_nothing(void **state UNUSED) {
    struct code_blob *b = make_blob(NULL, 0);
    struct inlined_place place = {.count = 7};
    struct inlined_method m;
    struct inlined_reader r = inlined_read(b);
    assert_false(inlined_next_method(&r, &m) || inlined_next_row(&r));
    inlined_find(b, code_blob_begin(b), &place);
    assert_int_equal(place.count, 0);
    free(b);
}

/* Of the rows of all chunks but one nothing is read. */
static void test_search_reads_one_chunk(void **state UNUSED) {
    struct inlined_writer w = {.method = 0};
    make_methods(&w, 40);
    make_rows(&w, 9);
    struct code_blob *b = make_blob(w.rows.table.bytes, w.rows.table.length);
    const uint8_t *end = w.rows.table.bytes + w.rows.table.length;
    size_t rows = (size_t)(code_blob_begin(b) + b->length - inlined_read(b).rows.at);
    for (uint32_t offset = 0; offset < CODE; offset++) {
        uint8_t *copy = (uint8_t *)(b + 1) + b->length - rows;
        assert_true(copy_one_chunk(copy, end - rows, end, offset) > 20);
        look_at(b, offset);
    }
    free(b);
    mem_free(w.rows.table.bytes);
}

static void look_at_damaged(const struct code_blob *b) {
    struct inlined_place place;
    struct inlined_method m;
    struct inlined_reader r = inlined_read(b);
    uint32_t read = 0;
    while (inlined_next_method(&r, &m)) read++;
    while (inlined_next_row(&r)) read++;
    assert_true(read <= b->inlined);
    for (uint32_t i = 0; i < CODE; i += 61) {
        inlined_find(b, code_blob_begin(b) + i, &place);
        assert_true(place.count <= INLINED_LEVELS);
    }
}

/* What is cut off anywhere, or has another byte anywhere. */
static void test_damaged(void **state UNUSED) {
    static const uint8_t bytes[] = {0, 1, 0x7f, 0x80, 0xff};
    struct inlined_writer w = {.method = 0};
    make_methods(&w, 5);
    make_rows(&w, 9);
    struct code_blob *whole = make_blob(w.rows.table.bytes, w.rows.table.length);
    for (uint32_t length = 1; length < w.rows.table.length; length++) {
        struct code_blob *b = make_blob(w.rows.table.bytes, length);
        uint8_t *at = (uint8_t *)(whole + 1) + CODE + length, was = *at;
        look_at_damaged(b);
        for (size_t i = 0; i < ARRAY_LEN(bytes); i++) {
            *at = bytes[i];
            look_at_damaged(whole);
        }
        *at = was;
        free(b);
    }
    free(whole);
    mem_free(w.rows.table.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables), cmocka_unit_test(test_lengths),
                                       cmocka_unit_test(test_nothing), cmocka_unit_test(test_search_reads_one_chunk),
                                       cmocka_unit_test(test_damaged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
