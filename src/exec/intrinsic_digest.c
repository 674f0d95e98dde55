/* intrinsic_digest.c — sun.security.provider: blocks of a message go into the state of its digest (exec/digest.c).
 * The library's code also has arrays for the words of a block, which nobody else reads: they stay as they are. */
#include "exec/intrinsic.h"

#include "exec/digest.h"
#include "link/known.h"

#define FUNCTION(name) INTRINSIC_FUNCTION(name)
#define INT_ARG(i) ((int32_t)args[i])

enum { LONGEST = 1 << 18 };              /* bytes: about a millisecond, without instructions for it                 */

enum algorithm { MD5, SHA1, SHA256, SHA512, SHA3, ALGORITHMS };

static const struct {
    enum known_class class;
    enum known_field state;
    digest_blocks *blocks;
    int32_t words, size;                 /* of the state, and bytes of a block; 0: the instance tells               */
} algorithms[ALGORITHMS] = {
    [MD5] = {KC_sun_security_provider_MD5, KF_MD5_state, md5_blocks, 4, 64},
    [SHA1] = {KC_sun_security_provider_SHA, KF_SHA_state, sha1_blocks, 5, 64},
    [SHA256] = {KC_sun_security_provider_SHA2, KF_SHA2_state, sha256_blocks, 8, 64},
    [SHA512] = {KC_sun_security_provider_SHA5, KF_SHA5_state, sha512_blocks, 8, 128},
    [SHA3] = {KC_sun_security_provider_SHA3, KF_SHA3_state, keccak_blocks, KECCAK_WORDS, 0},
};

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* Those of `bytes` that begin at `offset`, and each one's size behind it, up to `last`. The count; 0: declined. */
static ALWAYS_INLINE int32_t add_blocks(enum algorithm a, struct object *digest, struct object *bytes, int32_t offset,
                                        int32_t last) {
    uint32_t at = vm->link->offsets[algorithms[a].state];
    if (at == 0 || !known_has(DigestBase_blockSize)) return 0;
    struct object *state = heap_load_ref(digest, at);
    int32_t size = algorithms[a].size;
    if (size == 0) size = (int32_t)field_load(digest, known_offset(DigestBase_blockSize), T_INT);
    if (state == NULL || array_length(state) < algorithms[a].words || bytes == NULL) return 0;
    if (size <= 0 || size / 8 > KECCAK_WORDS || offset < 0 || last < offset) return 0;
    int32_t count = (last - offset) / size + 1;
    if (count > LONGEST / size || !range_fits(offset, count * size, array_length(bytes))) return 0;
    algorithms[a].blocks(array_data(state), (const uint8_t *)array_data(bytes) + offset, (size_t)count, (size_t)size);
    return count * size;
}

/* (digest, bytes, offset) */
static ALWAYS_INLINE bool add_block(enum algorithm a, const uint64_t *args, uint64_t *result) {
    *result = 0;
    return add_blocks(a, arg_array(args, 0), arg_array(args, 1), INT_ARG(2), INT_ARG(2)) != 0;
}

FUNCTION(md5_block) { return add_block(MD5, args, result); }
FUNCTION(sha1_block) { return add_block(SHA1, args, result); }
FUNCTION(sha256_block) { return add_block(SHA256, args, result); }
FUNCTION(sha512_block) { return add_block(SHA512, args, result); }
FUNCTION(sha3_block) { return add_block(SHA3, args, result); }

FUNCTION(keccak) {
    struct object *state = arg_array(args, 0);
    if (state == NULL || array_length(state) < KECCAK_WORDS) return false;
    keccak_permute((uint64_t *)array_data(state));
    *result = 0;
    return true;
}

/* (digest, bytes, offset, where the last block may begin). The code that the method's own calls is the library's. */
FUNCTION(digest_blocks) {
    struct object *digest = arg_array(args, 0);
    struct class *c = class_of(digest);
    for (unsigned a = 0; a < ALGORITHMS; a++) {
        struct class *holder = vm->link->classes[algorithms[a].class];
        if (holder == NULL || (holder != c && holder != c->super)) continue;
        if (!holder->version->bytes_mapped || !c->version->bytes_mapped) return false;
        int32_t added = add_blocks(a, digest, arg_array(args, 1), INT_ARG(2), INT_ARG(3));
        *result = (uint32_t)(INT_ARG(2) + added);
        return added != 0;
    }
    return false;
}
