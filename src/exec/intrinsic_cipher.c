/* intrinsic_cipher.c — com.sun.crypto.provider: AES (FIPS 197) by the processor's instructions, as blocks and in the
 * modes ECB, CBC and CTR (NIST SP 800-38A), and GHASH (SP 800-38D) by its carry-less products. GCM is made of the last
 * two. Without these instructions the library's code runs, and for a long text, so that the world can stop within. */
#include "exec/intrinsic.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/base.h"
#include "link/known.h"

#define FUNCTION(name) INTRINSIC_FUNCTION(name)
#define INT_ARG(i) ((int32_t)args[i])

enum {
    BLOCK = 16,
    AT_ONCE = 8,                         /* blocks: an instruction waits for the one before in the same block       */
    LONGEST = 1 << 22                    /* bytes: a few milliseconds                                               */
};

struct text {
    const uint8_t *in;
    uint8_t *out;
    size_t length;
    const struct object *in_array, *out_array;
};

/* What CTR keeps between calls: `used` bytes of `mask`, the block that was encrypted last, are used up. */
struct counter {
    uint8_t *next, *mask;
    uint32_t used;
};

#ifdef __x86_64__

/* ---- AES by instructions ----------------------------------------------------------------------------------------- */

#define AES ALWAYS_INLINE __attribute__((target("aes,sse4.1")))
#define AES_FUNCTION __attribute__((target("aes,sse4.1")))
#define PRODUCTS __attribute__((target("pclmul,sse4.1")))
#define OF_ALL _Pragma("GCC unroll 8") for (int i = 0; i < count; i++)

static bool has_aes(void) { return __builtin_cpu_supports("aes") && __builtin_cpu_supports("sse4.1"); }

static inline __m128i load(const void *p) { return _mm_loadu_si128(p); }
static inline void store(void *p, __m128i v) { _mm_storeu_si128(p, v); }

/* In the order in which the rounds use them. */
struct round_keys {
    __m128i of[15];
    int rounds;
};

/* AESCrypt.K has a key's four columns as big-endian words. That to decrypt begins with the last round's key and has
 * the others as the equivalent inverse cipher needs them (FIPS 197, 5.3.5). */
static AES void load_keys(struct round_keys *k, struct object *words, bool decrypting) {
    const __m128i swap = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    const uint8_t *from = array_data(words);
    int count = array_length(words) / 4;
    for (int i = 0; i < count; i++)
        k->of[i] = _mm_shuffle_epi8(load(from + BLOCK * ((i + decrypting) % count)), swap);
    k->rounds = count - 1;
}

static AES void encrypt(const struct round_keys *k, __m128i *b, int count) {
    OF_ALL b[i] = _mm_xor_si128(b[i], k->of[0]);
    for (int r = 1; r < k->rounds; r++) {
        const __m128i key = k->of[r];
        OF_ALL b[i] = _mm_aesenc_si128(b[i], key);
    }
    OF_ALL b[i] = _mm_aesenclast_si128(b[i], k->of[k->rounds]);
}

static AES void decrypt(const struct round_keys *k, __m128i *b, int count) {
    OF_ALL b[i] = _mm_xor_si128(b[i], k->of[0]);
    for (int r = 1; r < k->rounds; r++) {
        const __m128i key = k->of[r];
        OF_ALL b[i] = _mm_aesdec_si128(b[i], key);
    }
    OF_ALL b[i] = _mm_aesdeclast_si128(b[i], k->of[k->rounds]);
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

static AES void ecb_of(const struct round_keys *k, const struct text *t, size_t at, int count, bool decrypting) {
    __m128i b[AT_ONCE];
    OF_ALL b[i] = load(t->in + at + BLOCK * i);
    if (decrypting)
        decrypt(k, b, count);
    else
        encrypt(k, b, count);
    OF_ALL store(t->out + at + BLOCK * i, b[i]);
}

static AES void ecb_of_all(struct object *words, const struct text *t, bool decrypting) {
    struct round_keys k;
    size_t at = 0;
    load_keys(&k, words, decrypting);
    for (; t->length - at >= BLOCK * AT_ONCE; at += BLOCK * AT_ONCE) ecb_of(&k, t, at, AT_ONCE, decrypting);
    for (; t->length - at >= BLOCK; at += BLOCK) ecb_of(&k, t, at, 1, decrypting);
}

AES_FUNCTION static void encrypt_blocks(struct object *words, const struct text *t) { ecb_of_all(words, t, false); }
AES_FUNCTION static void decrypt_blocks(struct object *words, const struct text *t) { ecb_of_all(words, t, true); }

AES_FUNCTION static void encrypt_chain(struct object *words, const struct text *t, uint8_t *previous) {
    struct round_keys k;
    load_keys(&k, words, false);
    __m128i b = load(previous);
    for (size_t at = 0; at < t->length; at += BLOCK) {
        b = _mm_xor_si128(b, load(t->in + at));
        encrypt(&k, &b, 1);
        store(t->out + at, b);
    }
    store(previous, b);
}

static AES __m128i decrypt_links(const struct round_keys *k, const struct text *t, size_t at, int count,
                                 __m128i previous) {
    __m128i b[AT_ONCE], read[AT_ONCE];
    OF_ALL b[i] = read[i] = load(t->in + at + BLOCK * i);
    decrypt(k, b, count);
    OF_ALL store(t->out + at + BLOCK * i, _mm_xor_si128(b[i], i == 0 ? previous : read[i - 1]));
    return read[count - 1];
}

AES_FUNCTION static void decrypt_chain(struct object *words, const struct text *t, uint8_t *previous) {
    struct round_keys k;
    size_t at = 0;
    load_keys(&k, words, true);
    __m128i last = load(previous);
    for (; t->length - at >= BLOCK * AT_ONCE; at += BLOCK * AT_ONCE) last = decrypt_links(&k, t, at, AT_ONCE, last);
    for (; t->length - at >= BLOCK; at += BLOCK) last = decrypt_links(&k, t, at, 1, last);
    store(previous, last);
}

/* 128 bits. */
struct wide_count {
    uint64_t upper, lower;
};

static AES __m128i count_on(struct wide_count *n) {
    __m128i block = _mm_set_epi64x((int64_t)__builtin_bswap64(n->lower), (int64_t)__builtin_bswap64(n->upper));
    n->upper += ++n->lower == 0;
    return block;
}

/* -> the last block's mask */
static AES __m128i mask_blocks(const struct round_keys *k, const struct text *t, size_t at, int count,
                               struct wide_count *n) {
    __m128i b[AT_ONCE];
    OF_ALL b[i] = count_on(n);
    encrypt(k, b, count);
    OF_ALL store(t->out + at + BLOCK * i, _mm_xor_si128(b[i], load(t->in + at + BLOCK * i)));
    return b[count - 1];
}

static size_t mask_bytes(const struct text *t, size_t at, struct counter *c) {
    for (; c->used < BLOCK && at < t->length; at++) t->out[at] = t->in[at] ^ c->mask[c->used++];
    return at;
}

AES_FUNCTION static void mask_text(struct object *words, const struct text *t, struct counter *c) {
    size_t at = mask_bytes(t, 0, c);
    if (at == t->length) return;
    struct round_keys k;
    uint64_t big_endian[2];
    load_keys(&k, words, false);
    memcpy(big_endian, c->next, BLOCK);
    struct wide_count n = {__builtin_bswap64(big_endian[0]), __builtin_bswap64(big_endian[1])};
    __m128i mask = load(c->mask);
    for (; t->length - at >= BLOCK * AT_ONCE; at += BLOCK * AT_ONCE) mask = mask_blocks(&k, t, at, AT_ONCE, &n);
    for (; t->length - at >= BLOCK; at += BLOCK) mask = mask_blocks(&k, t, at, 1, &n);
    if (at < t->length) {
        mask = count_on(&n);
        encrypt(&k, &mask, 1);
        c->used = 0;
    }
    store(c->mask, mask);
    mask_bytes(t, at, c);
    store(c->next, count_on(&n));
}

/* ---- GHASH by carry-less products -------------------------------------------------------------------------------- */

/* The products of elements as S. Gueron's POLYVAL has them (RFC 8452, appendix A): with the bytes reversed and the
 * subkey times x they are those of GHASH. `middle` is to be added to both, by half. */
struct product {
    __m128i low, middle, high;
};

PRODUCTS static inline void add_product(struct product *p, __m128i a, __m128i b) {
    p->low = _mm_xor_si128(p->low, _mm_clmulepi64_si128(a, b, 0x00));
    p->high = _mm_xor_si128(p->high, _mm_clmulepi64_si128(a, b, 0x11));
    p->middle = _mm_xor_si128(p->middle, _mm_xor_si128(_mm_clmulepi64_si128(a, b, 0x01),
                                                       _mm_clmulepi64_si128(a, b, 0x10)));
}

/* Divided by x^128, modulo the polynomial x^128 + x^127 + x^126 + x^121 + 1: twice by x^64. */
PRODUCTS static inline __m128i reduced(const struct product *p) {
    const __m128i upper = _mm_cvtsi64_si128((int64_t)0xc200000000000000);
    __m128i low = _mm_xor_si128(p->low, _mm_slli_si128(p->middle, 8)),
            high = _mm_xor_si128(p->high, _mm_srli_si128(p->middle, 8));
    low = _mm_xor_si128(_mm_shuffle_epi32(low, 0x4e), _mm_clmulepi64_si128(low, upper, 0x00));
    low = _mm_xor_si128(_mm_shuffle_epi32(low, 0x4e), _mm_clmulepi64_si128(low, upper, 0x00));
    return _mm_xor_si128(low, high);
}

PRODUCTS static inline __m128i times(__m128i a, __m128i b) {
    struct product p = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
    add_product(&p, a, b);
    return reduced(&p);
}

/* The subkey times x. */
static __m128i times_x(uint64_t upper, uint64_t lower) {
    uint64_t carry = -(upper >> 63);
    return _mm_set_epi64x((int64_t)((upper << 1 | lower >> 63) ^ (carry & 0xc200000000000000)),
                          (int64_t)(lower << 1 ^ (carry & 1)));
}

/* The sums of several blocks have one division: power[i] is the subkey's (i + 1)th. */
PRODUCTS static void hash_blocks(const uint8_t *p, size_t blocks, uint64_t *state, const uint64_t *subkey) {
    const __m128i reverse = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m128i power[AT_ONCE] = {times_x(subkey[0], subkey[1])};
    __m128i sum = _mm_set_epi64x((int64_t)state[0], (int64_t)state[1]);
    if (blocks >= AT_ONCE)
        for (int i = 1; i < AT_ONCE; i++) power[i] = times(power[i - 1], power[0]);
    for (; blocks >= AT_ONCE; blocks -= AT_ONCE, p += BLOCK * AT_ONCE) {
        struct product all = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
        for (int i = 0; i < AT_ONCE; i++) {
            __m128i block = _mm_shuffle_epi8(load(p + BLOCK * i), reverse);
            add_product(&all, i == 0 ? _mm_xor_si128(block, sum) : block, power[AT_ONCE - 1 - i]);
        }
        sum = reduced(&all);
    }
    for (; blocks > 0; blocks--, p += BLOCK)
        sum = times(_mm_xor_si128(_mm_shuffle_epi8(load(p), reverse), sum), power[0]);
    state[0] = (uint64_t)_mm_extract_epi64(sum, 1);
    state[1] = (uint64_t)_mm_cvtsi128_si64(sum);
}

static bool has_products(void) { return __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1"); }

#else
static bool has_aes(void) { return false; }
static bool has_products(void) { return false; }
static void encrypt_blocks(struct object *words UNUSED, const struct text *t UNUSED) {}
static void decrypt_blocks(struct object *words UNUSED, const struct text *t UNUSED) {}
static void encrypt_chain(struct object *words UNUSED, const struct text *t UNUSED, uint8_t *previous UNUSED) {}
static void decrypt_chain(struct object *words UNUSED, const struct text *t UNUSED, uint8_t *previous UNUSED) {}
static void mask_text(struct object *words UNUSED, const struct text *t UNUSED, struct counter *c UNUSED) {}
static void hash_blocks(const uint8_t *p UNUSED, size_t blocks UNUSED, uint64_t *state UNUSED,
                        const uint64_t *subkey UNUSED) {}
#endif

/* ---- arguments ------------------------------------------------------------------------------------------------- */

/* The round keys of an AESCrypt whose code is the library's; NULL: it has none, or is another cipher. */
static struct object *keys_of(struct object *cipher) {
    if (!has_aes() || cipher == NULL || class_of(cipher) != known_class(com_sun_crypto_provider_AESCrypt)) return NULL;
    if (!class_of(cipher)->version->bytes_mapped || !known_has(AESCrypt_K) || !known_has(AESCrypt_limit)) return NULL;
    struct object *words = heap_load_ref(cipher, known_offset(AESCrypt_K));
    if (words == NULL) return NULL;
    int32_t length = array_length(words);
    if ((int32_t)field_load(cipher, known_offset(AESCrypt_limit), T_INT) != length - 4) return NULL;
    return length == 44 || length == 52 || length == 60 ? words : NULL;
}

/* Those of a mode's cipher. */
static struct object *keys_in(struct object *mode) {
    if (!known_has(FeedbackCipher_embeddedCipher) || !known_has(FeedbackCipher_blockSize)) return NULL;
    if (field_load(mode, known_offset(FeedbackCipher_blockSize), T_INT) != BLOCK) return NULL;
    return keys_of(heap_load_ref(mode, known_offset(FeedbackCipher_embeddedCipher)));
}

static bool text_between(struct text *t, struct object *in, int32_t in_offset, struct object *out, int32_t out_offset,
                         int32_t length) {
    if (in == NULL || out == NULL || length > LONGEST || !range_fits(in_offset, length, array_length(in)) ||
        !range_fits(out_offset, length, array_length(out)))
        return false;
    *t = (struct text){(const uint8_t *)array_data(in) + in_offset, (uint8_t *)array_data(out) + out_offset,
                       (size_t)length, in, out};
    return true;
}

/* (mode, array, offset, length, array, offset), which returns the length. */
static bool text_of(const uint64_t *args, uint64_t *result, struct text *t) {
    *result = (uint32_t)INT_ARG(3);
    return text_between(t, arg_array(args, 1), INT_ARG(2), arg_array(args, 4), INT_ARG(5), INT_ARG(3));
}

/* If the texts overlap: does what is written lie at least `apart` bytes before what is read? */
static bool reads_ahead(const struct text *t, size_t apart) {
    uintptr_t in = (uintptr_t)t->in, out = (uintptr_t)t->out;
    return out + apart <= in || in + t->length <= out;
}

/* A block that the mode keeps in an array of its own. */
static uint8_t *block_of(struct object *mode, uint32_t offset, const struct text *t) {
    struct object *a = offset != 0 ? heap_load_ref(mode, offset) : NULL;
    return a != NULL && array_length(a) == BLOCK && a != t->in_array && a != t->out_array ? array_data(a) : NULL;
}

/* (cipher, array, offset, array, offset) */
static bool block_between(const uint64_t *args, struct text *t) {
    return text_between(t, arg_array(args, 1), INT_ARG(2), arg_array(args, 3), INT_ARG(4), BLOCK);
}

typedef void blocks_function(struct object *keys, const struct text *t);

static ALWAYS_INLINE bool one_block(const uint64_t *args, uint64_t *result, blocks_function *of_blocks) {
    struct text t;
    struct object *keys = keys_of(arg_array(args, 0));
    if (keys == NULL || !block_between(args, &t)) return false;
    of_blocks(keys, &t);
    *result = 0;
    return true;
}

FUNCTION(aes_encrypt_block) { return one_block(args, result, encrypt_blocks); }
FUNCTION(aes_decrypt_block) { return one_block(args, result, decrypt_blocks); }

static ALWAYS_INLINE bool each_block(const uint64_t *args, uint64_t *result, blocks_function *of_blocks) {
    struct text t;
    struct object *keys = keys_in(arg_array(args, 0));
    if (keys == NULL || !text_of(args, result, &t) || !reads_ahead(&t, 0)) return false;
    of_blocks(keys, &t);
    return true;
}

FUNCTION(ecb_encrypt) { return each_block(args, result, encrypt_blocks); }
FUNCTION(ecb_decrypt) { return each_block(args, result, decrypt_blocks); }

FUNCTION(cbc_encrypt) {
    struct text t;
    struct object *mode = arg_array(args, 0), *keys = keys_in(mode);
    if (keys == NULL || !text_of(args, result, &t) || t.length % BLOCK != 0) return false;
    uint8_t *previous = block_of(mode, known_offset(CipherBlockChaining_r), &t);
    if (previous == NULL) return false;
    encrypt_chain(keys, &t, previous);
    return true;
}

/* The library's code reads a block once more when it has written one. */
FUNCTION(cbc_decrypt) {
    struct text t;
    struct object *mode = arg_array(args, 0), *keys = keys_in(mode);
    if (keys == NULL || !text_of(args, result, &t) || t.length % BLOCK != 0 || !reads_ahead(&t, BLOCK)) return false;
    uint8_t *previous = block_of(mode, known_offset(CipherBlockChaining_r), &t);
    if (previous == NULL) return false;
    decrypt_chain(keys, &t, previous);
    return true;
}

FUNCTION(ctr_crypt) {
    struct text t;
    struct object *mode = arg_array(args, 0), *keys = keys_in(mode);
    uint32_t used_at = known_offset(CounterMode_used);
    if (keys == NULL || used_at == 0 || !text_of(args, result, &t) || !reads_ahead(&t, 0)) return false;
    struct counter c = {block_of(mode, known_offset(CounterMode_counter), &t),
                        block_of(mode, known_offset(CounterMode_encryptedCounter), &t),
                        (uint32_t)field_load(mode, used_at, T_INT)};
    if (c.next == NULL || c.mask == NULL || c.next == c.mask || c.used > BLOCK) return false;
    mask_text(keys, &t, &c);
    field_store(mode, used_at, T_INT, c.used);
    return true;
}

/* (array, offset, blocks, state, subkey and room for its powers) */
FUNCTION(ghash_blocks) {
    struct object *bytes = arg_array(args, 0), *state = arg_array(args, 3), *subkey = arg_array(args, 4);
    int32_t blocks = INT_ARG(2);
    if (!has_products() || bytes == NULL || state == NULL || subkey == NULL || state == subkey) return false;
    if (blocks < 0 || blocks > LONGEST / BLOCK || !range_fits(INT_ARG(1), blocks * BLOCK, array_length(bytes)) ||
        array_length(state) != 2 || array_length(subkey) < 2)
        return false;
    hash_blocks((const uint8_t *)array_data(bytes) + INT_ARG(1), (size_t)blocks, array_data(state), array_data(subkey));
    *result = 0;
    return true;
}
