/* intrinsic_digest.c — sun.security.provider: blocks of a message go into the state of its digest (exec/digest.c). The
 * library's code also has arrays for the words of a block, which nobody else reads: they stay as they are. */
#include "exec/intrinsic.h"

#include "exec/digest.h"

#define FUNCTION(name) INTRINSIC_FUNCTION(name)
#define INT_ARG(i) ((int32_t)args[i])
#define PACKAGE "sun/security/provider/"

enum { LONGEST = 1 << 18 };              /* bytes: about a millisecond, without instructions for it                 */

enum algorithm { MD5, SHA1, SHA256, SHA512, SHA3 };

static const struct {
    const char *class_name, *state_type;
    digest_blocks *blocks;
    int32_t words, size;                 /* of the state, and bytes of a block; 0: the instance tells               */
} algorithms[DIGEST_CLASSES] = {
    [MD5] = {PACKAGE "MD5", "[I", md5_blocks, 4, 64},
    [SHA1] = {PACKAGE "SHA", "[I", sha1_blocks, 5, 64},
    [SHA256] = {PACKAGE "SHA2", "[I", sha256_blocks, 8, 64},
    [SHA512] = {PACKAGE "SHA5", "[J", sha512_blocks, 8, 128},
    [SHA3] = {PACKAGE "SHA3", "[J", keccak_blocks, KECCAK_WORDS, 0},
};

/* ---- where the fields are ---------------------------------------------------------------------------------------- */

static struct class *class_above(struct class *c, const char *name) {
    while (c != NULL && strcmp(c->name->bytes, name) != 0) c = c->super;
    return c;
}

/* 0: there is none. */
static uint32_t offset_of(const struct class *c, const char *name, const char *type) {
    for (uint32_t i = 0; c != NULL && i < c->field_count; i++) {
        const struct field *f = &c->fields[i];
        if (f->cf != NULL && !(f->access_flags & ACC_STATIC) && strcmp(f->name->bytes, name) == 0 &&
            strcmp(f->desc->bytes, type) == 0)
            return f->offset;
    }
    return 0;
}

/* Threads that come here together write the same. False: the class is not as the library has it. */
static bool meet(struct digest_class *d, enum algorithm a, struct class *c) {
    struct class *holder = class_above(c, algorithms[a].class_name);
    d->state = offset_of(holder, "state", algorithms[a].state_type);
    d->size = offset_of(class_above(c, PACKAGE "DigestBase"), "blockSize", "I");
    if (d->state == 0 || d->size == 0) return false;
    atomic_store_explicit(&d->holder, holder, memory_order_release);
    return true;
}

static struct class *holder_of(struct digest_class *d) {
    return atomic_load_explicit(&d->holder, memory_order_acquire);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* Those of `bytes` that begin at `offset`, and each one's size behind it, up to `last`. The count; 0: declined. */
static ALWAYS_INLINE int32_t add_blocks(struct digest_class *d, enum algorithm a, struct object *digest,
                                        struct object *bytes, int32_t offset, int32_t last) {
    struct object *state = heap_load_ref(digest, d->state);
    int32_t size = algorithms[a].size;
    if (size == 0) size = (int32_t)field_load(digest, d->size, T_INT);
    if (state == NULL || array_length(state) < algorithms[a].words || bytes == NULL) return 0;
    if (size <= 0 || size / 8 > KECCAK_WORDS || offset < 0 || last < offset) return 0;
    int32_t count = (last - offset) / size + 1;
    if (count > LONGEST / size || !range_fits(offset, count * size, array_length(bytes))) return 0;
    algorithms[a].blocks(array_data(state), (const uint8_t *)array_data(bytes) + offset, (size_t)count, (size_t)size);
    return count * size;
}

/* (digest, bytes, offset) */
static ALWAYS_INLINE bool add_block(enum algorithm a, const uint64_t *args, uint64_t *result) {
    struct object *digest = arg_array(args, 0);
    struct digest_class *d = &vm->exec->digests[a];
    if (UNLIKELY(holder_of(d) == NULL) && !meet(d, a, class_of(digest))) return false;
    *result = 0;
    return add_blocks(d, a, digest, arg_array(args, 1), INT_ARG(2), INT_ARG(2)) != 0;
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

/* (digest, bytes, offset, where the last block may begin). Of a class that has been met above, and whose code, which
 * that of this method calls, is still the library's. */
FUNCTION(digest_blocks) {
    struct object *digest = arg_array(args, 0);
    struct class *c = class_of(digest);
    for (unsigned a = 0; a < DIGEST_CLASSES; a++) {
        struct class *holder = holder_of(&vm->exec->digests[a]);
        if (holder == NULL || (holder != c && holder != c->super)) continue;
        if (!holder->version->bytes_mapped || !c->version->bytes_mapped) return false;
        int32_t added = add_blocks(&vm->exec->digests[a], a, digest, arg_array(args, 1), INT_ARG(2), INT_ARG(3));
        *result = (uint32_t)(INT_ARG(2) + added);
        return added != 0;
    }
    return false;
}
