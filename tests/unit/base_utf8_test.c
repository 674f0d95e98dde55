/* Modified UTF-8 and its neighbours: validity, sizes, round trips over all chars, hashes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"

static void test_valid(void **state) {
    (void)state;
    assert_true(utf8_valid("abc", 3));
    assert_true(utf8_valid("", 0));
    assert_true(utf8_valid("\xc0\x80", 2));
    assert_true(utf8_valid("\xed\xa0\x80", 3));             /* a lone surrogate is a char like others */
    assert_false(utf8_valid("a\0b", 3));
    assert_false(utf8_valid("\x80", 1));
    assert_false(utf8_valid("\xc3", 1));
    assert_false(utf8_valid("\xc3(", 2));
    assert_false(utf8_valid("\xe2\x82", 2));
    assert_false(utf8_valid("\xe2(\xac", 3));
    assert_false(utf8_valid("\xf0\x9f\x98\x80", 4));
    assert_false(utf8_valid("\xff", 1));
}

static void test_every_char(void **state) {
    (void)state;
    for (uint32_t c = 0; c <= 0xffff; c++) {
        uint16_t in = (uint16_t)c, out = 0;
        char bytes[3];
        size_t n = utf8_encode_utf16(&in, 1, bytes);
        assert_int_equal(n, utf8_size_of_utf16(&in, 1));
        assert_int_equal(n, c == 0 ? 2 : c < 0x80 ? 1 : c < 0x800 ? 2 : 3);
        assert_true(utf8_valid(bytes, n));
        assert_int_equal(utf8_length(bytes, n), 1);
        utf8_decode(bytes, n, &out);
        assert_int_equal(out, c);
        assert_int_equal(utf8_hash(bytes, n), c);
        size_t length;
        assert_int_equal(utf8_is_latin1(bytes, n, &length), c <= 0xff);
        assert_int_equal(utf8_is_ascii(bytes, n), c > 0 && c < 0x80);
    }
}

static void test_latin1(void **state) {
    (void)state;
    uint8_t all[256], back[256];
    char bytes[600];
    for (int i = 0; i < 256; i++) all[i] = (uint8_t)i;
    size_t n = utf8_encode_latin1(all, 256, bytes), length;
    assert_int_equal(n, utf8_size_of_latin1(all, 256));
    assert_int_equal(n, 127 + 2 * 129);
    assert_true(utf8_is_latin1(bytes, n, &length));
    assert_int_equal(length, 256);
    utf8_decode_latin1(bytes, n, back);
    assert_memory_equal(all, back, 256);
    assert_int_equal(latin1_hash(all, 256), utf8_hash(bytes, n));
}

static void test_hash(void **state) {
    (void)state;
    assert_int_equal(utf8_hash("hello", 5), 99162322);
    assert_int_equal(latin1_hash((const uint8_t *)"java.lang.Object", 16), 1063877011u);
}

static void test_malformed_reading(void **state) {
    (void)state;
    const char broken[] = { 'a', (char)0xe2, (char)0x82 };
    uint16_t out[3];
    assert_int_equal(utf8_length(broken, 3), 3);
    utf8_decode(broken, 3, out);
    assert_int_equal(out[0], 'a');
}

static void test_standard(void **state) {
    (void)state;
    const char *smile = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80";
    uint16_t chars[8];
    char back[16];
    assert_int_equal(utf8_standard_length(smile, 10), 5);
    utf8_standard_decode(smile, 10, chars);
    assert_int_equal(chars[3], 0xd83d);
    assert_int_equal(chars[4], 0xde00);
    assert_int_equal(utf8_standard_size(chars, 5), 10);
    assert_int_equal(utf8_standard_encode(chars, 5, back), 10);
    assert_memory_equal(back, smile, 10);
    char *modified = utf8_from_standard(smile, 10);
    assert_int_equal(strlen(modified), 12);
    assert_true(utf8_valid(modified, 12));
    char *standard = utf8_to_standard(modified, 12);
    assert_string_equal(standard, smile);
    mem_free(modified);
    mem_free(standard);
    /* over-long, surrogate, beyond the last code point, cut off: each bad byte becomes U+FFFD */
    assert_int_equal(utf8_standard_length("\xc0\x80", 2), 2);
    assert_int_equal(utf8_standard_length("\xed\xa0\x80", 3), 3);
    assert_int_equal(utf8_standard_length("\xf4\x90\x80\x80", 4), 4);
    assert_int_equal(utf8_standard_length("\xe2\x82", 2), 2);
    uint16_t lone = 0xd800;
    assert_int_equal(utf8_standard_size(&lone, 1), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_every_char),
        cmocka_unit_test(test_latin1),
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_malformed_reading),
        cmocka_unit_test(test_standard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
