/* Compiler helpers, assertions and the small types that every room shares. */
#ifndef VITRINE_BASE_BASE_H
#define VITRINE_BASE_BASE_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define NORETURN          __attribute__((noreturn))
#define PRINTF_LIKE(a, b) __attribute__((format(printf, a, b)))
#define EXPORT            __attribute__((visibility("default")))
#define MUST_CHECK        __attribute__((warn_unused_result))
#define NOINLINE          __attribute__((noinline))
#define ALWAYS_INLINE     inline __attribute__((always_inline))
#define UNUSED            __attribute__((unused))

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* `a` is a power of two. */
#define ALIGN_UP(x, a)   (((x) + ((__typeof__(x))(a) - 1)) & ~((__typeof__(x))(a) - 1))
#define ALIGN_DOWN(x, a) ((x) & ~((__typeof__(x))(a) - 1))
#define IS_ALIGNED(x, a) (((uintptr_t)(x) & ((uintptr_t)(a) - 1)) == 0)

#define MIN(a, b) ({ __typeof__(a) min_a_ = (a); __typeof__(b) min_b_ = (b); min_a_ < min_b_ ? min_a_ : min_b_; })
#define MAX(a, b) ({ __typeof__(a) max_a_ = (a); __typeof__(b) max_b_ = (b); max_a_ > max_b_ ? max_a_ : max_b_; })

#define CONTAINER_OF(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

/* Bytes in the largest unit of which there are a hundred: 20480K, 133M. */
struct amount { size_t number; char unit; };
static inline struct amount amount_of(size_t bytes) {
    return bytes >= 100 * GIB   ? (struct amount){ bytes / GIB, 'G' }
           : bytes >= 100 * MIB ? (struct amount){ bytes / MIB, 'M' }
           : bytes >= 100 * KIB ? (struct amount){ bytes / KIB, 'K' }
                                : (struct amount){ bytes, 'B' };
}

/* Bytes somebody else owns. */
struct span {
    const uint8_t *data;
    size_t         size;
};

/* The VM cannot go on: prints the sentence, calls base_hooks.crash once, ends through the abort hook or abort().
 * Any thread, any state; never hangs (a second failure while reporting ends the process at once). */
NORETURN void fatal_at(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);
#define fatal(...) fatal_at(__FILE__, __LINE__, __VA_ARGS__)

/* The end of fatal() for a failure that has no sentence: `report` runs once, under the same
 * rules. Async-signal-safe. */
NORETURN void base_die(void (*report)(void *arg), void *arg);

/* Replaces abort() at the end of fatal(): the embedder's `abort` option. */
void base_set_abort_hook(void (*hook)(void));

/* An internal assumption, tested in CHECK builds only. */
#ifdef VITRINE_CHECK
#define vm_assert(cond, ...)                                                                       \
    do {                                                                                           \
        if (UNLIKELY(!(cond))) base_assert_failed(__FILE__, __LINE__, #cond, "" __VA_ARGS__);      \
    } while (0)
#else
#define vm_assert(cond, ...)                                                                       \
    do {                                                                                           \
        if (0) { (void)(cond); base_assert_failed(__FILE__, __LINE__, #cond, "" __VA_ARGS__); }    \
    } while (0)
#endif
NORETURN void base_assert_failed(const char *file, int line, const char *cond, const char *fmt, ...) PRINTF_LIKE(4, 5);

#endif
