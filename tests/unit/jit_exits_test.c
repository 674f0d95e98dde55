/* The table of exits: each finds its own operands, wherever they are, and puts those alone into their homes; in a long
 * table, too, and where a row is longer than any chunk. */
#include "jit/exits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "one_chunk.h"

enum { FROM = 1000, EXITS = 40, SLOTS = 400, UNTOUCHED = 77 };

static struct exit_registers registers;
static uint64_t locals[70000];

static void fill(void) {
    for (unsigned i = 0; i < EXIT_WORDS; i++) registers.words[i] = 0x1000000000u + i;
    for (unsigned i = 0; i < EXIT_FLOATS; i++) registers.floats[i] = 0x2000000000u + i;
    for (unsigned i = 0; i < ARRAY_LEN(locals); i++) locals[i] = 0x3000000000u + i;
}

static const struct { struct exit_operand operand; uint64_t value; } operands[] = {
    {{.place = EXIT_REGISTER}, 0x1000000000u},
    {{.place = EXIT_REGISTER + EXIT_WORDS - 1}, 0x1000000000u + EXIT_WORDS - 1},
    {{.place = EXIT_DOUBLE}, 0x2000000000u},
    {{.place = EXIT_DOUBLE + EXIT_FLOATS - 1}, 0x2000000000u + EXIT_FLOATS - 1},
    {{.place = EXIT_FLOAT + 3}, 3},
    {{.place = EXIT_CONSTANT, .constant = 0}, 0},
    {{.place = EXIT_CONSTANT, .constant = -1}, UINT64_MAX},
    {{.place = EXIT_CONSTANT, .constant = 64}, 64},
    {{.place = EXIT_CONSTANT, .constant = INT64_MIN}, (uint64_t)INT64_MIN},
    {{.place = EXIT_CONSTANT, .constant = INT64_MAX}, INT64_MAX},
    {{.place = EXIT_LOCAL, .local = 0}, 0x3000000000u},
    {{.place = EXIT_LOCAL, .local = 65535}, 0x3000000000u + 65535},
};

/* The exit `number` has so many operands, the first in operand `number` of the table. */
static uint32_t count_of(unsigned number) { return number % 14; }
static uint32_t index_of(unsigned number, uint32_t i) { return number + i * (1 + number * 3 % 25); }
static size_t row_of(unsigned number, uint32_t i) { return (number + i) % ARRAY_LEN(operands); }

static const struct exit_field fields[] = {
    {'J', {.index = 8, .place = EXIT_CONSTANT, .constant = -7}},
    {'L', {.index = 16, .place = EXIT_OBJECT, .local = 0}},
    {'I', {.index = 20, .place = EXIT_REGISTER + 2}},
};

static const struct exit_monitor monitors[] = {{3, 70000}, {511, 5}};

static void write_objects(struct exits_writer *w) {
    exits_begin_objects(w, 2);
    exits_add_object(w, NULL, fields, 1, monitors, ARRAY_LEN(monitors));
    exits_add_object(w, (const struct class *)(uintptr_t)0x7f0012345678, fields, ARRAY_LEN(fields), monitors, 1);
}

/* Exits are of any length apart. */
static uint32_t end_of(unsigned number) { return FROM + 5 + 5 * number + number * number * 3; }

static void write(struct exits_writer *w) {
    exits_begin(w);
    for (unsigned e = 0; e < EXITS; e++) {
        struct exit_operand left[16];
        for (uint32_t i = 0; i < count_of(e); i++) {
            left[i] = operands[row_of(e, i)].operand;
            left[i].index = index_of(e, i);
        }
        exits_add(w, end_of(e), e % (1u << EXIT_KIND_BITS), 200 + e * 50, left, count_of(e));
        if (e & EXIT_OBJECTS) write_objects(w);
    }
    assert_false(w->rows.table.failed);
}

static void check(const struct exits_writer *w, unsigned e) {
    uint64_t stack[SLOTS], expected[SLOTS];
    for (unsigned i = 0; i < SLOTS; i++) stack[i] = expected[i] = UNTOUCHED;
    for (uint32_t i = 0; i < count_of(e); i++) expected[index_of(e, i)] = operands[row_of(e, i)].value;
    struct exit_row row = exits_find(w->rows.table.bytes, w->rows.table.bytes + w->rows.table.length, end_of(e));
    assert_int_equal(row.operands != NULL, count_of(e) != 0);
    if (row.operands != NULL) exits_go_home(row.operands, &registers, stack, locals);
    assert_int_equal(row.kind, e % (1u << EXIT_KIND_BITS));
    assert_int_equal(row.depth, 200 + e * 50);
    assert_memory_equal(stack, expected, sizeof stack);
}

static void test_exits(void **state UNUSED) {
    struct exits_writer w = {.rows = {.offset = 0}};
    fill();
    for (int round = 0; round < 2; round++) {            /* the second time in the memory of the first              */
        write(&w);
        for (unsigned e = 0; e < EXITS; e++) check(&w, e);
    }
    mem_free(w.rows.table.bytes);
}

static void check_whole(const struct exit_row *row, bool in_order, uint64_t *homes, const uint64_t *expected,
                        size_t size) {
    static struct exit_values v;
    exits_read_whole(row->operands, row->kind, &v);
    assert_int_equal(v.in_order, in_order);
    assert_int_equal(v.slot_count, 0);
    exits_go_home_whole(&v, &registers, homes);
    assert_memory_equal(homes, expected, size);
}

/* Locals that change places among themselves, and with an operand. */
static void test_whole_exit(void **state UNUSED) {
    enum { HOMES = 8 };
    const struct exit_operand left[] = {{.index = 0, .place = EXIT_LOCAL, .local = 1},
                                        {.index = 1, .place = EXIT_LOCAL, .local = 0},
                                        {.index = 2, .place = EXIT_REGISTER + 3},
                                        {.index = 6, .place = EXIT_LOCAL, .local = 2},
                                        {.index = 7, .place = EXIT_CONSTANT, .constant = -5}};
    uint64_t homes[HOMES], expected[HOMES] = {101, 100, 0, 103, 104, 105, 102, (uint64_t)-5};
    struct exits_writer w = {.rows = {.offset = 0}};
    fill();
    expected[2] = registers.words[3];
    for (unsigned i = 0; i < HOMES; i++) homes[i] = 100 + i;
    exits_begin(&w);
    exits_add(&w, FROM, EXIT_WHOLE, 2, left, ARRAY_LEN(left));
    struct exit_row row = exits_find(w.rows.table.bytes, w.rows.table.bytes + w.rows.table.length, FROM);
    assert_int_equal(row.kind, EXIT_WHOLE);
    check_whole(&row, false, homes, expected, sizeof homes);
    mem_free(w.rows.table.bytes);
}

/* One that has its value from where another goes only later. */
static void test_whole_in_order(void **state UNUSED) {
    const struct exit_operand left[] = {{.index = 1, .place = EXIT_LOCAL, .local = 2},
                                        {.index = 2, .place = EXIT_LOCAL, .local = 2},
                                        {.index = 3, .place = EXIT_FLOAT + 4}};
    uint64_t homes[] = {100, 101, 102, 103}, expected[] = {100, 102, 102, 0};
    struct exits_writer w = {.rows = {.offset = 0}};
    fill();
    expected[3] = (uint32_t)registers.floats[4];
    exits_begin(&w);
    exits_add(&w, FROM, EXIT_WHOLE, 2, left, ARRAY_LEN(left));
    struct exit_row row = exits_find(w.rows.table.bytes, w.rows.table.bytes + w.rows.table.length, FROM);
    check_whole(&row, true, homes, expected, sizeof homes);
    mem_free(w.rows.table.bytes);
}

/* The first slot, the last, and some between; with operands, and without. */
static void test_slots(void **state UNUSED) {
    static const uint32_t wanted[] = {0, 1, 63, 64, 200, EXIT_MOST_SLOTS - 1};
    const struct exit_operand left[] = {{.index = 3, .place = EXIT_CONSTANT, .constant = 7}};
    uint64_t slots[EXIT_SLOT_WORDS] = {0}, none[EXIT_SLOT_WORDS] = {0};
    struct exits_writer w = {.rows = {.offset = 0}};
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++) slots[wanted[i] / 64] |= (uint64_t)1 << wanted[i] % 64;
    exits_begin(&w);
    for (uint32_t e = 0; e < 3; e++) {
        exits_add(&w, FROM + e, EXIT_WHOLE | EXIT_BACK, e, left, e % 2);
        exits_add_places(&w, 0x4001u << e, e == 2 ? none : slots);
    }
    const uint8_t *end = w.rows.table.bytes + w.rows.table.length;
    static struct exit_values v;
    for (uint32_t e = 0; e < 3; e++) {
        struct exit_row row = exits_find(w.rows.table.bytes, end, FROM + e);
        exits_read_whole(row.operands, row.kind, &v);
        assert_int_equal(row.depth, e);
        assert_int_equal(v.count, e % 2);
        assert_int_equal(v.words, 0x4001u << e);
        assert_int_equal(v.slot_count, e < 2 ? ARRAY_LEN(wanted) : 0);
        for (size_t i = 0; i < v.slot_count; i++) assert_int_equal(v.slots[i], wanted[i]);
    }
    mem_free(w.rows.table.bytes);
}

/* Objects of which one refers to the other, and is in two slots. */
static void test_objects(void **state UNUSED) {
    const struct exit_operand left[] = {{.index = 1, .place = EXIT_OBJECT, .local = 1},
                                        {.index = 2, .place = EXIT_CONSTANT, .constant = 9},
                                        {.index = 3, .place = EXIT_OBJECT, .local = 1},
                                        {.index = 4, .place = EXIT_OBJECT, .local = 0}};
    const uint64_t made[] = {501, 502};
    uint64_t homes[] = {10, 11, 12, 13, 14}, before[] = {10, 0, 9, 0, 0}, after[] = {10, 502, 9, 502, 501};
    struct exits_writer w = {.rows = {.offset = 0}};
    struct exit_field f = {0};
    fill();
    exits_begin(&w);
    exits_add(&w, FROM, EXIT_WHOLE | EXIT_OBJECTS, 2, left, ARRAY_LEN(left));
    write_objects(&w);
    exits_add(&w, FROM + 9, EXIT_WHOLE, 3, left, 0);
    struct exit_row row = exits_find(w.rows.table.bytes, w.rows.table.bytes + w.rows.table.length, FROM);
    assert_int_equal(exits_find(w.rows.table.bytes, w.rows.table.bytes + w.rows.table.length, FROM + 9).depth, 3);
    check_whole(&row, true, homes, before, sizeof homes);
    exits_put_objects(row.operands, made, homes);
    assert_memory_equal(homes, after, sizeof homes);
    struct exit_objects o = exits_objects(row.operands);
    struct exit_monitor m;
    assert_true(exits_next_object(&o) && o.class == NULL && o.fields == 1 && o.monitors == ARRAY_LEN(monitors));
    assert_true(exits_next_field(&o, &f) && !exits_next_field(&o, &f));
    assert_true(exits_next_monitor(&o, &m) && m.frame == 3 && m.order == 70000);
    assert_true(exits_next_object(&o) && (uintptr_t)o.class == 0x7f0012345678);
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        const uint64_t values[] = {(uint64_t)-7, 0, registers.words[2]};
        assert_true(exits_next_field(&o, &f));
        assert_int_equal(f.kind, fields[i].kind);
        assert_int_equal(f.value.index, fields[i].value.index);
        assert_int_equal(exits_field_value(&f, &registers, locals), values[i]);
    }
    assert_int_equal(f.value.place, EXIT_REGISTER + 2);
    assert_true(!exits_next_field(&o, &f) && exits_next_monitor(&o, &m) && m.frame == 3 && m.order == 70000);
    assert_false(exits_next_monitor(&o, &m) || exits_next_object(&o));
    mem_free(w.rows.table.bytes);
}

/* All that the rows say is their number. */
static void test_long_table(void **state UNUSED) {
    enum { ROWS = 3000 };
    struct exits_writer w = {.rows = {.offset = 0}};
    for (uint32_t rows = 1; rows <= ROWS; rows += rows < 2 * ROWS_CHUNK ? 1 : 700) {
        exits_begin(&w);
        for (uint32_t i = 0; i < rows; i++) exits_add(&w, 5 + i * 5, EXIT_COUNTS, i, NULL, 0);
        assert_false(w.rows.table.failed);
        for (uint32_t i = 0; i < rows; i++) {
            struct exit_row row = exits_find(w.rows.table.bytes, w.rows.table.bytes + w.rows.table.length, 5 + i * 5);
            assert_int_equal(row.depth, i);
            assert_int_equal(row.kind, EXIT_COUNTS);
            assert_null(row.operands);
        }
    }
    mem_free(w.rows.table.bytes);
}

/* Rows whose lengths have numbers of one, two and three bytes. */
static void test_long_rows(void **state UNUSED) {
    static const uint32_t counts[] = {0, 1, 3, 30, 31, 32, 100, 1300, 1, 4000, 0, 1};
    struct exits_writer w = {.rows = {.offset = 0}};
    fill();
    struct exit_operand *left = mem_alloc(4000 * sizeof *left);
    uint64_t *stack = mem_alloc(4000 * sizeof *stack);
    assert_true(left != NULL && stack != NULL);
    for (uint32_t i = 0; i < 4000; i++)
        left[i] = (struct exit_operand){.index = i, .place = EXIT_LOCAL, .local = 40000};
    for (size_t i = 0; i < ARRAY_LEN(counts); i++) exits_add(&w, (uint32_t)(i + 1) * 5, 0, counts[i], left, counts[i]);
    for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
        struct exit_row row = exits_find(w.rows.table.bytes, w.rows.table.bytes + w.rows.table.length,
                                         (uint32_t)(i + 1) * 5);
        assert_int_equal(row.depth, counts[i]);
        memset(stack, 0, 4000 * sizeof *stack);
        if (row.operands != NULL) exits_go_home(row.operands, &registers, stack, locals);
        for (uint32_t k = 0; k < 4000; k++) assert_int_equal(stack[k], k < counts[i] ? locals[40000] : 0);
    }
    assert_true(w.rows.table.length > 5 * 4000);
    mem_free(left);
    mem_free(stack);
    mem_free(w.rows.table.bytes);
}

/* Of the rows of all chunks but one nothing is read. */
static void test_search_reads_one_chunk(void **state UNUSED) {
    struct exits_writer w = {.rows = {.offset = 0}};
    write(&w);
    uint32_t length = w.rows.table.length;
    uint8_t *copy = mem_alloc(length);
    assert_non_null(copy);
    for (unsigned e = 0; e < EXITS; e++) {
        assert_true(copy_one_chunk(copy, w.rows.table.bytes, w.rows.table.bytes + length, end_of(e)) > EXITS / 4);
        struct exit_row row = exits_find(copy, copy + length, end_of(e));
        assert_int_equal(row.depth, 200 + e * 50);
        assert_int_equal(row.operands != NULL, count_of(e) != 0);
    }
    mem_free(copy);
    mem_free(w.rows.table.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exits), cmocka_unit_test(test_whole_exit),
        cmocka_unit_test(test_whole_in_order),
                                       cmocka_unit_test(test_slots), cmocka_unit_test(test_objects),
                                       cmocka_unit_test(test_long_table), cmocka_unit_test(test_long_rows),
                                       cmocka_unit_test(test_search_reads_one_chunk)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
