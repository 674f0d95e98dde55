/* digest.h — the compression functions of message digests: what blocks of a message make of a state, which they
 * replace. For exec/intrinsic_digest.c. */
#ifndef VITRINE_EXEC_DIGEST_H
#define VITRINE_EXEC_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* The state is of 4 words of 32 bits (MD5), 5 (SHA-1), 8 (SHA-256), of 8 of 64 (SHA-512) or of the 25 of Keccak; a
 * block of 64 bytes, of 128 (SHA-512), or of `size`, of which Keccak takes whole words, at most 25. */
typedef void digest_blocks(void *state, const uint8_t *blocks, size_t count, size_t size);

enum { KECCAK_WORDS = 25 };

digest_blocks md5_blocks;
/* These do as the processor can. */
digest_blocks sha1_blocks, sha256_blocks, sha512_blocks, keccak_blocks;
void keccak_permute(uint64_t *state);

/* For tests: in C alone. */
digest_blocks sha1_blocks_portable, sha256_blocks_portable, sha512_blocks_portable, keccak_blocks_portable;

#endif
