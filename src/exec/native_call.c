/* native_call.c — calling a C function with arguments known only at run time. */
#include "exec/native_call.h"

#include <ffi.h>

#include "base/alloc.h"
#include "base/base.h"
#include "classfile/descriptor.h"

struct native_signature *native_signature_new(const struct method *m) {
    int count = desc_arg_count(m->desc->bytes, m->desc->length);
    struct native_signature *s = mem_zalloc(sizeof *s + (size_t)count + 1);
    if (s == NULL) return NULL;
    struct desc_type t;
    unsigned general = 2, floating = 0; /* env and receiver are taken */
    s->is_floating = m->return_type == T_FLOAT || m->return_type == T_DOUBLE;
    for (struct desc_iter it = desc_begin(m->desc->bytes, m->desc->length); desc_next(&it, &t);) {
        char kind = t.kind == '[' || t.kind == 'L' ? 'L' : t.kind == 'J' || t.kind == 'F' || t.kind == 'D' ? t.kind : 'I';
        if (t.kind == 'Z' || t.kind == 'B' || t.kind == 'C' || t.kind == 'S') kind = t.kind;
        s->kinds[s->count++] = kind;
        if (kind == 'F' || kind == 'D') {
            s->is_floating = true;
            if (floating < 8) floating++; else s->stack_words++;
        } else {
            if (general < 6) general++; else s->stack_words++;
        }
    }
    return s;
}

/* An argument as the C ABI wants it: int-likes extended to 64 bits, references as handles of their slot. */
static ALWAYS_INLINE uint64_t native_argument(char kind, uint64_t *slot) {
    if (LIKELY(kind == 'I')) return (uint64_t)(int64_t)(int32_t)*slot;
    switch (kind) {
    case 'L': return *slot == 0 ? 0 : (uint64_t)(uintptr_t)slot;
    case 'Z': return *slot & 1;
    case 'B': return (uint64_t)(int64_t)(int8_t)*slot;
    case 'C': return (uint16_t)*slot;
    case 'S': return (uint64_t)(int64_t)(int16_t)*slot;
    default: return *slot;
    }
}

#if defined(__x86_64__)

/* ---- most methods: by C types that fill the registers just so. A callee looks at no more of them than it has parameters, and the
 * caller takes its words off the stack again. */

enum { GENERAL = 4, FLOATING = 8, STACKED = 2 }; /* arguments behind env and receiver, floating ones, words on the stack */

typedef uint64_t (*words_function)(JNIEnv *env, jobject receiver, uint64_t, uint64_t, uint64_t, uint64_t);
typedef uint64_t (*more_words_function)(JNIEnv *env, jobject receiver, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
typedef uint64_t (*mixed_function)(JNIEnv *env, jobject receiver, uint64_t, uint64_t, uint64_t, uint64_t, double, double, double, double, double,
                                   double, double, double);
typedef double (*floating_function)(JNIEnv *env, jobject receiver, uint64_t, uint64_t, uint64_t, uint64_t, double, double, double, double, double,
                                    double, double, double);
/* The functions are of other types than these: that is the point. */
#define OF_ANY_TYPE __attribute__((no_sanitize("undefined")))

/* No floating-point argument or result, no more than GENERAL + STACKED arguments. */
OF_ANY_TYPE static ALWAYS_INLINE uint64_t call_with_words(void *fn, JNIEnv *env, jobject receiver, const struct native_signature *s, uint64_t *slot) {
    uint64_t w[GENERAL + STACKED] = { 0 };
    for (unsigned i = 0; i < s->count; i++) {
        w[i] = native_argument(s->kinds[i], slot);
        slot += s->kinds[i] == 'J' ? 2 : 1;
    }
    if (s->stack_words == 0) return ((words_function)fn)(env, receiver, w[0], w[1], w[2], w[3]);
    return ((more_words_function)fn)(env, receiver, w[0], w[1], w[2], w[3], w[4], w[5]);
}

/* Nothing on the stack. */
OF_ANY_TYPE static NOINLINE uint64_t call_mixed(void *fn, JNIEnv *env, jobject receiver, const struct native_signature *s, uint64_t *slot,
                                                enum basic_type result) {
    uint64_t w[GENERAL] = { 0 };
    double f[FLOATING] = { 0 };
    unsigned general = 0, floating = 0;
    for (unsigned i = 0; i < s->count; i++) {
        char kind = s->kinds[i];
        if (kind == 'F' || kind == 'D') memcpy(&f[floating++], slot, sizeof *f);
        else w[general++] = native_argument(kind, slot);
        slot += kind == 'J' || kind == 'D' ? 2 : 1;
    }
    if (result != T_FLOAT && result != T_DOUBLE)
        return ((mixed_function)fn)(env, receiver, w[0], w[1], w[2], w[3], f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]);
    double d = ((floating_function)fn)(env, receiver, w[0], w[1], w[2], w[3], f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]);
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return result == T_FLOAT ? (uint32_t)bits : bits;
}

/* ---- any method ------------------------------------------------------------------------------------------------------------- */

struct call_registers {
    uint64_t general[6];
    uint64_t floating[8];
    uint64_t rax, xmm0;
};

/* Loads all argument registers, copies `words` from `stack`, calls fn, stores both result registers. */
static NOINLINE void call_with_registers(void *fn, struct call_registers *r, const uint64_t *stack, uint64_t words) {
    /* rbx keeps the stack pointer and r12 the registers' record over the call; the compiler saves both. */
    __asm__ volatile(
        "movq %%rsp, %%rbx\n\t"
        "movq %%rdi, %%r12\n\t"
        "movq %%rax, %%r11\n\t"
        "subq $128, %%rsp\n\t"           /* past this function's red zone */
        "leaq (,%%rcx,8), %%rdx\n\t"
        "subq %%rdx, %%rsp\n\t"
        "andq $-16, %%rsp\n\t"
        "1: testq %%rcx, %%rcx\n\t"
        "jz 2f\n\t"
        "decq %%rcx\n\t"
        "movq (%%rsi,%%rcx,8), %%rdx\n\t"
        "movq %%rdx, (%%rsp,%%rcx,8)\n\t"
        "jmp 1b\n\t"
        "2: movsd 48(%%r12), %%xmm0\n\t"
        "movsd 56(%%r12), %%xmm1\n\t"
        "movsd 64(%%r12), %%xmm2\n\t"
        "movsd 72(%%r12), %%xmm3\n\t"
        "movsd 80(%%r12), %%xmm4\n\t"
        "movsd 88(%%r12), %%xmm5\n\t"
        "movsd 96(%%r12), %%xmm6\n\t"
        "movsd 104(%%r12), %%xmm7\n\t"
        "movq 0(%%r12), %%rdi\n\t"
        "movq 8(%%r12), %%rsi\n\t"
        "movq 16(%%r12), %%rdx\n\t"
        "movq 24(%%r12), %%rcx\n\t"
        "movq 32(%%r12), %%r8\n\t"
        "movq 40(%%r12), %%r9\n\t"
        "movl $8, %%eax\n\t"
        "callq *%%r11\n\t"
        "movq %%rax, 112(%%r12)\n\t"
        "movsd %%xmm0, 120(%%r12)\n\t"
        "movq %%rbx, %%rsp\n\t"
        : "+a"(fn), "+D"(r), "+S"(stack), "+c"(words)
        :
        : "rbx", "r12", "rdx", "r8", "r9", "r10", "r11", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
          "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

static NOINLINE uint64_t call_any(void *fn, JNIEnv *env, jobject receiver, const struct native_signature *s, uint64_t *args, enum basic_type result) {
    struct call_registers r;
    uint64_t stack[s->count + 1];        /* small: programs recurse through native methods */
    unsigned general = 2, floating = 0, words = 0;
    r.general[0] = (uint64_t)(uintptr_t)env;
    r.general[1] = (uint64_t)(uintptr_t)receiver;
    uint64_t *slot = args;
    for (unsigned i = 0; i < s->count; i++) {
        char kind = s->kinds[i];
        if (kind == 'F' || kind == 'D') {
            if (floating < 8) r.floating[floating++] = *slot; else stack[words++] = *slot;
        } else {
            uint64_t v = native_argument(kind, slot);
            if (general < 6) r.general[general++] = v; else stack[words++] = v;
        }
        slot += kind == 'J' || kind == 'D' ? 2 : 1;
    }
    while (general < 6) r.general[general++] = 0;
    while (floating < 8) r.floating[floating++] = 0;
    call_with_registers(fn, &r, stack, words);
    return result == T_FLOAT ? (uint32_t)r.xmm0 : result == T_DOUBLE ? r.xmm0 : r.rax;
}

uint64_t native_call(void *fn, JNIEnv *env, jobject receiver, const struct native_signature *s, uint64_t *args, enum basic_type result) {
    if (LIKELY(!s->is_floating && s->stack_words <= STACKED)) return call_with_words(fn, env, receiver, s, args);
    return s->stack_words == 0 ? call_mixed(fn, env, receiver, s, args, result) : call_any(fn, env, receiver, s, args, result);
}

#else

uint64_t native_call(void *fn, JNIEnv *env, jobject receiver, const struct native_signature *s, uint64_t *args, enum basic_type result) {
    ffi_type *types[258];
    void *values[258];
    uint64_t storage[258];
    storage[0] = (uint64_t)(uintptr_t)env;
    storage[1] = (uint64_t)(uintptr_t)receiver;
    types[0] = types[1] = &ffi_type_pointer;
    uint64_t *slot = args;
    unsigned n = 2;
    for (unsigned i = 0; i < s->count; i++, n++) {
        char kind = s->kinds[i];
        storage[n] = kind == 'F' || kind == 'D' ? *slot : native_argument(kind, slot);
        types[n] = kind == 'F' ? &ffi_type_float : kind == 'D' ? &ffi_type_double : &ffi_type_sint64;
        slot += kind == 'J' || kind == 'D' ? 2 : 1;
    }
    for (unsigned i = 0; i < n; i++) values[i] = &storage[i];
    ffi_cif cif;
    ffi_type *rtype = result == T_FLOAT ? &ffi_type_float : result == T_DOUBLE ? &ffi_type_double : result == T_VOID ? &ffi_type_void : &ffi_type_sint64;
    uint64_t out = 0;
    if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, n, rtype, types) == FFI_OK) ffi_call(&cif, FFI_FN(fn), &out, values);
    return out;
}

#endif
