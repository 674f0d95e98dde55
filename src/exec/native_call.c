/* native_call.c — calling a C function with arguments known only at run time. */
#include "exec/exec_internal.h"
#include "exec/native_call.h"

#include <ffi.h>

#include "base/alloc.h"
#include "base/base.h"
#include "classfile/descriptor.h"
#include "exec/foreign_call.h"

static bool is_floating(char kind) { return kind == 'F' || kind == 'D'; }
static bool is_narrow(char kind) { return kind == 'Z' || kind == 'B' || kind == 'C' || kind == 'S'; }

/* The C ABI wants them extended to 32 bits; in bytecode any int will do. */
static void narrow(char kind, uint64_t *slot) {
    switch (kind) {
    case 'Z': *slot &= 1; break;
    case 'B': *slot = (uint32_t)(int8_t)*slot; break;
    case 'C': *slot = (uint16_t)*slot; break;
    case 'S': *slot = (uint32_t)(int16_t)*slot; break;
    default: break;
    }
}

/* The callee's own slots: nobody reads them as they were. */
static uint64_t call_narrow(JNIEnv *env, jobject receiver, void *fn, const struct native_signature *s, uint64_t *args) {
    uint64_t *slot = args;
    for (unsigned i = 0; i < s->count; i++) {
        narrow(s->kinds[i], slot);
        slot += desc_kind_slots(s->kinds[i]);
    }
    return s->call_narrowed(env, receiver, fn, s, args);
}

/* A reference argument as a handle. */
static ALWAYS_INLINE uint64_t handle_of(uint64_t *slot) { return *slot != 0 ? (uint64_t)(uintptr_t)slot : 0; }

#if defined(__x86_64__)

/* ---- most methods: by C types that fill the registers just so. A callee looks at no more of them than it has
 * parameters, and the caller takes its words off the stack again. Where there is no argument something else of the Java
 * stack is read: that is cheaper than to ask for each. */

typedef uint64_t (*none_function)(JNIEnv *env, jobject receiver);
typedef uint64_t (*words_function)(JNIEnv *env, jobject receiver, uint64_t, uint64_t, uint64_t, uint64_t);
typedef uint64_t (*more_words_function)(JNIEnv *env, jobject receiver, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                                        uint64_t);
typedef uint64_t (*mixed_function)(JNIEnv *env, jobject receiver, uint64_t, uint64_t, uint64_t, uint64_t, double,
                                   double, double, double, double, double, double, double);
typedef double (*floating_function)(JNIEnv *env, jobject receiver, uint64_t, uint64_t, uint64_t, uint64_t, double,
                                    double, double, double, double, double, double, double);
/* The functions are of other types than these: that is the point. */
#define OF_ANY_TYPE __attribute__((no_sanitize("undefined")))

/* Word i: of numbers alone, of references alone, of either kind. */
static ALWAYS_INLINE uint64_t number(const struct native_signature *s, uint64_t *args, unsigned i) {
    return args[s->word_slots[i]];
}
static ALWAYS_INLINE uint64_t handle(const struct native_signature *s, uint64_t *args, unsigned i) {
    (void)s;
    return handle_of(args + i);
}
static ALWAYS_INLINE uint64_t either(const struct native_signature *s, uint64_t *args, unsigned i) {
    uint64_t *slot = args + s->word_slots[i];
    return s->references >> i & 1 ? handle_of(slot) : *slot;
}

static ALWAYS_INLINE double floating(const struct native_signature *s, const uint64_t *args, unsigned i) {
    double d;
    memcpy(&d, args + s->floating_slots[i], sizeof d);
    return d;
}

static ALWAYS_INLINE uint64_t bits_of(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

#define FOUR(word) word(s, args, 0), word(s, args, 1), word(s, args, 2), word(s, args, 3)
#define SIX(word) FOUR(word), word(s, args, 4), word(s, args, 5)
#define EIGHT(word) SIX(word), word(s, args, 6), word(s, args, 7)
#define CALLER(name, type, take, ...) \
    OF_ANY_TYPE static uint64_t name(JNIEnv *env, jobject receiver, void *fn, const struct native_signature *s, \
        uint64_t *args) { \
        (void)s, (void)args; \
        return take(((type)fn)(env, receiver __VA_OPT__(,) __VA_ARGS__)); \
    }

CALLER(call_none, none_function, )
CALLER(call_numbers, words_function, , FOUR(number))
CALLER(call_more_numbers, more_words_function, , SIX(number))
CALLER(call_handles, words_function, , FOUR(handle))
CALLER(call_more_handles, more_words_function, , SIX(handle))
CALLER(call_either, words_function, , FOUR(either))
CALLER(call_more_either, more_words_function, , SIX(either))
CALLER(call_floating, floating_function, bits_of, 0, 0, 0, 0, EIGHT(floating))
CALLER(call_mixed, mixed_function, , FOUR(either), EIGHT(floating))
CALLER(call_mixed_for_floating, floating_function, bits_of, FOUR(either), EIGHT(floating))

/* ---- any method -------------------------------------------------------------------------------------------------- */

_Static_assert(offsetof(struct foreign_registers, vector) == 48 &&
                   offsetof(struct foreign_registers, general_result) == 112 &&
                   offsetof(struct foreign_registers, vector_result) == 128,
               "the code below has the offsets as numbers");

NOINLINE void native_call_registers(void *fn, struct foreign_registers *r, const uint64_t *stack, uint64_t words) {
    /* rbx keeps the stack pointer and r12 the registers' record over the call; the compiler saves both. */
    __asm__ volatile("movq %%rsp, %%rbx\n\t"
                     "movq %%rdi, %%r12\n\t"
                     "movq %%rax, %%r11\n\t"
                     "subq $128, %%rsp\n\t" /* past this function's red zone */
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
                     "movq %%rdx, 120(%%r12)\n\t"
                     "movsd %%xmm0, 128(%%r12)\n\t"
                     "movsd %%xmm1, 136(%%r12)\n\t"
                     "movq %%rbx, %%rsp\n\t"
                     : "+a"(fn), "+D"(r), "+S"(stack), "+c"(words)
                     :
                     : "rbx", "r12", "rdx", "r8", "r9", "r10", "r11", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3",
                       "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15");
}

static uint64_t call_any(JNIEnv *env, jobject receiver, void *fn, const struct native_signature *s, uint64_t *args) {
    struct foreign_registers r;
    uint64_t stack[s->count + 1];        /* small: programs recurse through native methods */
    unsigned general = 2, floating = 0, words = 0;
    r.general[0] = (uint64_t)(uintptr_t)env;
    r.general[1] = (uint64_t)(uintptr_t)receiver;
    uint64_t *slot = args;
    for (unsigned i = 0; i < s->count; i++) {
        char kind = s->kinds[i];
        if (is_floating(kind)) {
            if (floating < 8) r.vector[floating++] = *slot; else stack[words++] = *slot;
        } else {
            uint64_t v = kind == 'L' ? handle_of(slot) : *slot;
            if (general < 6) r.general[general++] = v; else stack[words++] = v;
        }
        slot += desc_kind_slots(kind);
    }
    while (general < 6) r.general[general++] = 0;
    while (floating < 8) r.vector[floating++] = 0;
    native_call_registers(fn, &r, stack, words);
    return s->returns_floating ? r.vector_result[0] : r.general_result[0];
}

static native_caller *caller_for(const struct native_signature *s, unsigned words, unsigned floating) {
    bool more = words > NATIVE_WORDS;
    if (words > NATIVE_WORDS + NATIVE_STACKED || floating > NATIVE_FLOATING) return call_any;
    if (floating != 0 || s->returns_floating) {
        if (more) return call_any;
        return !s->returns_floating ? call_mixed : words == 0 ? call_floating : call_mixed_for_floating;
    }
    if (words == 0) return call_none;
    if (s->references == 0) return more ? call_more_numbers : call_numbers;
    if (s->references == (1u << words) - 1) return more ? call_more_handles : call_handles;
    return more ? call_more_either : call_either;
}

#else

static uint64_t call_any(JNIEnv *env, jobject receiver, void *fn, const struct native_signature *s, uint64_t *args) {
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
        storage[n] = kind == 'L' ? handle_of(slot) : *slot;
        types[n] = kind == 'F' ? &ffi_type_float : kind == 'D' ? &ffi_type_double : &ffi_type_sint64;
        slot += desc_kind_slots(kind);
    }
    for (unsigned i = 0; i < n; i++) values[i] = &storage[i];
    ffi_cif cif;
    ffi_type *rtype = !s->returns_floating           ? &ffi_type_sint64
                      : s->result_mask == UINT32_MAX ? &ffi_type_float
                                                     : &ffi_type_double;
    uint64_t out = 0;
    if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, n, rtype, types) == FFI_OK) ffi_call(&cif, FFI_FN(fn), &out, values);
    return out;
}

static native_caller *caller_for(const struct native_signature *s, unsigned words, unsigned floating) {
    (void)s, (void)words, (void)floating;
    return call_any;
}

#endif

/* ---- signatures -------------------------------------------------------------------------------------------------- */

static void describe_result(struct native_signature *s, enum basic_type type) {
    s->result_mask = UINT64_MAX;
    switch (type) {
    case T_BOOLEAN:
    case T_BYTE:
    case T_SHORT: s->result = RESULT_NARROW; break;
    case T_CHAR: s->result_mask = UINT16_MAX; break;
    case T_INT: s->result_mask = UINT32_MAX; break;
    case T_FLOAT: s->result_mask = UINT32_MAX; s->returns_floating = true; break;
    case T_DOUBLE: s->returns_floating = true; break;
    case T_OBJECT:
    case T_ARRAY: s->result = RESULT_REFERENCE; break;
    default: break;
    }
}

struct native_signature *native_signature_new(const struct method *m) {
    struct native_signature *s = mem_zalloc(sizeof *s + (size_t)desc_arg_count(m->desc->bytes, m->desc->length) + 1);
    if (s == NULL) return NULL;
    struct desc_type t;
    unsigned words = 0, floating = 0, slot = 0;
    bool narrows = false;
    for (struct desc_iter it = desc_begin(m->desc->bytes, m->desc->length); desc_next(&it, &t);
         slot += (unsigned)desc_kind_slots(t.kind)) {
        char kind = t.kind == '[' ? 'L' : t.kind;
        s->kinds[s->count++] = kind;
        narrows |= is_narrow(kind);
        if (is_floating(kind)) {
            if (floating < NATIVE_FLOATING) s->floating_slots[floating] = (uint8_t)slot;
            floating++;
        } else {
            if (words < NATIVE_WORDS + NATIVE_STACKED) {
                s->word_slots[words] = (uint8_t)slot;
                s->references |= (uint8_t)((kind == 'L') << words);
            }
            words++;
        }
    }
    describe_result(s, m->return_type);
    s->call_narrowed = caller_for(s, words, floating);
    s->call = narrows ? call_narrow : s->call_narrowed;
    return s;
}
