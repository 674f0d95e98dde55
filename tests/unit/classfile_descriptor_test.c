/* Descriptors, names and instruction lengths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "classfile/descriptor.h"
#include "classfile/opcodes.h"

#define TEXT(s) s, strlen(s)

static void test_field_descriptors(void **state) {
    (void)state;
    static const char *const good[] = { "I",      "J",      "Z",    "[I", "[[[D", "La;", "Ljava/lang/String;",
                                        "[Lp/q;", "La)b(;", "L<x>;" };
    static const char *const bad[] = { "",     "V",    "[",      "[V",    "X",   "II", "L;", "La",
                                       "La/;", "L/a;", "La//b;", "La.b;", "L[;", "[[", "Ia" };
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) assert_true(descriptor_is_valid_field(TEXT(good[k])));
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) assert_false(descriptor_is_valid_field(TEXT(bad[k])));
    char deep[300];
    memset(deep, '[', sizeof deep);
    deep[255] = 'I';
    assert_true(descriptor_is_valid_field(deep, 256));
    deep[255] = '[';
    deep[256] = 'I';
    assert_false(descriptor_is_valid_field(deep, 257));
}

static void test_method_descriptors(void **state) {
    (void)state;
    assert_int_equal(desc_arg_slots(TEXT("()V")), 0);
    assert_int_equal(desc_arg_slots(TEXT("(IJLjava/lang/String;[D)D")), 5);
    assert_int_equal(desc_arg_count(TEXT("(IJLjava/lang/String;[D)D")), 4);
    static const char *const bad[] = { "", "()", "(V)V", "(I", "I)V", "()VV", "(L)V", "((I)V", "()[V" };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) assert_int_equal(desc_arg_slots(TEXT(bad[k])), -1);
    char many[300] = "(";
    memset(many + 1, 'I', 255);
    strcpy(many + 256, ")V");
    assert_true(descriptor_is_valid_method(TEXT(many), false));
    assert_false(descriptor_is_valid_method(TEXT(many), true));
}

static void test_iteration(void **state) {
    (void)state;
    static const char *const expected[] = { "I", "[[J", "La)b;", "D", "[Lx/Y;" };
    const char *desc = "(I[[JLa)b;D[Lx/Y;)Lr/T;";
    struct desc_type t;
    size_t n = 0;
    for (struct desc_iter it = desc_begin(TEXT(desc)); desc_next(&it, &t); n++) {
        assert_int_equal(t.len, strlen(expected[n]));
        assert_memory_equal(t.text, expected[n], t.len);
        assert_int_equal(t.kind, expected[n][0]);
    }
    assert_int_equal(n, 5);
    t = desc_return(TEXT(desc));
    assert_int_equal(t.kind, 'L');
    struct desc_type name = desc_class_name(t);
    assert_int_equal(name.len, 3);
    assert_memory_equal(name.text, "r/T", 3);
    assert_int_equal(desc_return(TEXT("[I")).kind, '[');
}

static void test_names(void **state) {
    (void)state;
    assert_true(name_is_valid_unqualified(TEXT("a-b<>()")));
    assert_false(name_is_valid_unqualified(TEXT("a/b")));
    assert_true(name_is_valid_method(TEXT("<init>")));
    assert_true(name_is_valid_method(TEXT("<clinit>")));
    assert_false(name_is_valid_method(TEXT("<x>")));
    assert_true(name_is_valid_class(TEXT("[[I"), true));
    assert_false(name_is_valid_class(TEXT("[[I"), false));
    assert_false(name_is_valid_class(TEXT("a;"), true));
}

static void test_lengths(void **state) {
    (void)state;
    static const uint8_t code[] = {
        OP_iconst_0,
        OP_tableswitch,
        0,
        0,
        0,
        0,
        0,
        9,
        0,
        0,
        0,
        1,
        0,
        0,
        0,
        2,
        0,
        0,
        0,
        8,
        0,
        0,
        0,
        7, /* 1..24 */
        OP_lookupswitch,
        0,
        0,
        0,
        0,
        0,
        0,
        1,
        0,
        0,
        0,
        1,
        0,
        0,
        0,
        5,
        0,
        0,
        0,
        6,
        OP_wide,
        OP_iinc,
        0,
        1,
        0,
        2,
        OP_wide,
        OP_nop,
    };
    uint32_t len = sizeof code;
    assert_int_equal(opcode_length(code, 0, len), 1);
    assert_int_equal(opcode_length(code, 1, len), 23);
    struct op_switch s = op_switch_decode(code, 1);
    assert_int_equal(s.count, 2);
    assert_int_equal(s.default_offset, 9);
    assert_int_equal(op_switch_offset(&s, false, 1), 7);
    assert_int_equal(opcode_length(code, 24, len), 20);
    s = op_switch_decode(code, 24);
    assert_int_equal(s.count, 1);
    assert_int_equal(op_switch_offset(&s, true, 0), 6);
    assert_int_equal(opcode_length(code, 44, len), 6);
    assert_int_equal(opcode_length(code, 50, len), 0); /* wide nop */
    assert_int_equal(opcode_length(code, 44, 49), 0);  /* cut off */
    assert_int_equal(opcode_length(code, 1, 23), 0);
    assert_int_equal(opcode_length((const uint8_t[]){ 202 }, 0, 1), 0);
    for (int op = 0; op < OP_LIMIT; op++) {
        const char *format = opcode_formats[op];
        bool computed = format[0] != 'b';
        assert_int_equal(opcode_lengths[op], computed ? 0 : strlen(format));
    }
}

/* Wherever a character stands that no name has, in names of every length around those that are checked by eights. */
static void every_place_of_an_illegal_character(void **state) {
    (void)state;
    char text[40];
    for (size_t len = 1; len < sizeof text; len++)
        for (size_t at = 0; at < len; at++) {
            memset(text, 'a', sizeof text);
            assert_true(name_is_valid_class(text, len, false) && name_is_valid_method(text, len));
            for (const char *c = ".;["; *c; c++) {
                text[at] = *c;
                if (*c != '[' || at > 0) assert_false(name_is_valid_class(text, len, true));
                assert_false(name_is_valid_unqualified(text, len));
                assert_false(name_is_valid_method(text, len));
            }
            for (const char *c = "<>"; *c; c++) {
                text[at] = *c;
                assert_true(name_is_valid_class(text, len, false) && name_is_valid_unqualified(text, len));
                assert_false(name_is_valid_method(text, len));
            }
            text[at] = '/';
            assert_int_equal(at > 0 && at + 1 < len, name_is_valid_class(text, len, false));
            assert_false(name_is_valid_unqualified(text, len) || name_is_valid_method(text, len));
            if (at + 1 == len) continue;
            text[at + 1] = '.';
            assert_false(name_is_valid_class(text, len, false));
            text[at + 1] = '/';
            assert_false(name_is_valid_class(text, len, false));
            text[at + 1] = 'a';
            if (at < 1 || at + 3 >= len) continue;
            text[at + 2] = '/';
            assert_true(name_is_valid_class(text, len, false));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_field_descriptors),
        cmocka_unit_test(test_method_descriptors),
        cmocka_unit_test(every_place_of_an_illegal_character),
        cmocka_unit_test(test_iteration),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
