/* libFuzzer target: the verifier on every class file that the parser accepts. Names decide what hierarchy it sees. */
#include "base/alloc.h"
#include "base/symbol.h"
#include "classfile/classfile.h"
#include "verify/verify.h"

static unsigned hash_of(const struct symbol *s) {
    unsigned h = 7;
    for (unsigned i = 0; i < s->length; i++) h = h * 31 + (unsigned char)s->bytes[i];
    return h >> 3;
}

/* One answer in 64 is a failure to load. */
static enum verify_answer answer(unsigned h) { return h % 64 == 63 ? VERIFY_THREW : h % 2 ? VERIFY_YES : VERIFY_NO; }

static enum verify_answer is_interface(void *ctx, struct symbol *name) {
    (void)ctx;
    return answer(hash_of(name));
}

static enum verify_answer is_subclass(void *ctx, struct symbol *from, struct symbol *to) {
    (void)ctx;
    return answer(hash_of(from) ^ hash_of(to));
}

static bool has_super_named(void *ctx, struct symbol *name) {
    const struct classfile *cf = ctx;
    return name == cf->super_name || hash_of(name) % 8 == 0;
}

static enum verify_answer is_protected_elsewhere(void *ctx, struct symbol *holder, struct symbol *name,
                                                 struct symbol *desc, bool is_method) {
    (void)ctx;
    return answer(hash_of(holder) ^ hash_of(name) ^ hash_of(desc) ^ is_method);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena *arena = arena_new("fuzz");
    struct cf_parse_args args = { .bytes = data, .length = size, .max_major = 69 };
    struct cf_error error;
    struct classfile *cf = arena != NULL ? classfile_parse(arena, &args, &error) : NULL;
    if (cf != NULL && cf->major >= VERIFY_STACKMAP_MAJOR) {
        for (int release = 17; release <= 25; release += 8) {
            struct verify_hooks hooks = { cf,          release,         is_interface,
                                          is_subclass, has_super_named, is_protected_elsewhere };
            struct verify_result result;
            enum verify_status status = verify_class(cf, &hooks, &result);
            if (status == VERIFY_REJECTED && (result.exception == NULL || result.message == NULL)) __builtin_trap();
            mem_free(result.message);
        }
    }
    if (cf != NULL) classfile_release(cf);
    arena_free(arena);
    return 0;
}
