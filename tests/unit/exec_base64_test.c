/* Base64: vectors against C alone, up to pages that cannot be touched; an odd character in each place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "base/base.h"
#include "exec/base64.h"

enum { GROUPS = 70, BYTES = 3 * GROUPS, CHARS = 4 * GROUPS, PAGE = 1 << 16 };

/* `size` bytes, then none. */
static uint8_t *before_end(size_t size) {
    uint8_t *p = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(p != MAP_FAILED && mprotect(p + PAGE, PAGE, PROT_NONE) == 0);
    return p + PAGE - size;
}

static void test_every_length(void **state) {
    (void)state;
    uint8_t *bytes_end = before_end(0), *chars_end = before_end(0), *back_end = before_end(0), chars[CHARS];
    for (size_t groups = 0; groups <= GROUPS; groups++) {
        uint8_t *bytes = bytes_end - 3 * groups, *to = chars_end - 4 * groups, *back = back_end - 3 * groups;
        for (int round = 0; round < 100; round++) {
            bool url = round % 2;
            for (size_t i = 0; i < 3 * groups; i++) bytes[i] = round < 2 ? 0xff : (uint8_t)random();
            base64_encode_portable(bytes, groups, chars, url);
            base64_encode(bytes, groups, to, url);
            assert_memory_equal(chars, to, 4 * groups);
            memset(back, 0, 3 * groups);
            assert_int_equal(base64_decode(to, groups, back, url), groups);
            assert_memory_equal(bytes, back, 3 * groups);
        }
    }
    base64_encode_portable((const uint8_t *)"Many", 1, chars, false);
    assert_memory_equal(chars, "TWFu", 4);
}

static void test_odd_characters(void **state) {
    (void)state;
    uint8_t bytes[BYTES], chars[CHARS], back[2][BYTES];
    for (size_t i = 0; i < BYTES; i++) bytes[i] = (uint8_t)random();
    for (int url = 0; url < 2; url++) {
        base64_encode(bytes, GROUPS, chars, url);
        for (size_t at = 0; at < CHARS; at++) {
            uint8_t was = chars[at];
            for (int c = 0; c < 256; c++) {
                chars[at] = (uint8_t)c;
                memset(back, 0x77, sizeof back);
                size_t done = base64_decode(chars, GROUPS, back[0], url);
                assert_int_equal(done, base64_decode_portable(chars, GROUPS, back[1], url));
                assert_memory_equal(back[0], back[1], BYTES);
                bool odd = c == 0 || strchr(url ? "-_" : "+/", c) == NULL;
                for (const char *p = "azAZ09"; *p != 0; p += 2) odd &= c < p[0] || c > p[1];
                assert_int_equal(done, odd ? at / 4 : (size_t)GROUPS);
            }
            chars[at] = was;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_length), cmocka_unit_test(test_odd_characters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
