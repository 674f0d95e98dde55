/* Compression functions: known digests, and the processor's instructions against C alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "exec/digest.h"

enum { MOST_BLOCKS = 9, LARGEST_BLOCK = 8 * KECCAK_WORDS };

/* Of the empty message, which is one block of padding; the digests as in RFC 1321, FIPS 180 and FIPS 202. */
static void test_empty_message(void **unused) {
    (void)unused;
    const uint8_t padded[128] = {0x80};
    uint32_t md5[] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    md5_blocks(md5, padded, 1, 64);
    assert_memory_equal(md5, "\xd4\x1d\x8c\xd9\x8f\x00\xb2\x04\xe9\x80\x09\x98\xec\xf8\x42\x7e", 16);
    uint32_t sha1[] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    sha1_blocks(sha1, padded, 1, 64);
    assert_int_equal(sha1[0], 0xda39a3ee);
    assert_int_equal(sha1[4], 0xafd80709);
    uint32_t sha256[] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    sha256_blocks(sha256, padded, 1, 64);
    assert_int_equal(sha256[0], 0xe3b0c442);
    assert_int_equal(sha256[7], 0x7852b855);
    uint64_t sha512[] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                         0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
    sha512_blocks(sha512, padded, 1, 128);
    assert_true(sha512[0] == 0xcf83e1357eefb8bd && sha512[7] == 0xa538327af927da3e);
    uint64_t sha3[KECCAK_WORDS] = {0};
    uint8_t block[136] = {0x06};
    block[135] = 0x80;
    keccak_blocks(sha3, block, 1, sizeof block);
    assert_memory_equal(sha3, "\xa7\xff\xc6\xf8\xbf\x1e\xd7\x66\x51\xc1\x47\x56\xa0\x61\xd6\x62", 16);
}

static void compare(digest_blocks *f, digest_blocks *portable, size_t size, const uint8_t *bytes) {
    uint64_t state[KECCAK_WORDS], same[KECCAK_WORDS];
    for (size_t i = 0; i < KECCAK_WORDS; i++) state[i] = same[i] = (uint64_t)random() << 33 ^ (uint64_t)random();
    for (size_t count = 0; count <= MOST_BLOCKS; count++) {
        f(state, bytes + count, count, size);
        portable(same, bytes + count, count, size);
        assert_memory_equal(state, same, sizeof state);      /* and what lies behind the state is as it was        */
    }
}

static void test_instructions(void **unused) {
    (void)unused;
    uint8_t bytes[MOST_BLOCKS * (LARGEST_BLOCK + 1)];
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)random();
        compare(sha1_blocks, sha1_blocks_portable, 64, bytes);
        compare(sha256_blocks, sha256_blocks_portable, 64, bytes);
        compare(sha512_blocks, sha512_blocks_portable, 128, bytes);
        for (size_t size = 8; size <= LARGEST_BLOCK; size += 8)
            compare(keccak_blocks, keccak_blocks_portable, size, bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_empty_message), cmocka_unit_test(test_instructions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
