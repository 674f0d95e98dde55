/* functions.c: what the programs of tests/differential/foreign/ call, and what calls them back. An ordinary C library:
 * it knows nothing of Java. */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* ---- each type alone: comes back changed, so that nothing else can pass for it ----------------------------------- */

EXPORT bool not_bool(bool v);
EXPORT bool not_bool(bool v) { return !v; }
#define CHANGED(name, type, change) \
    EXPORT type name(type v); \
    EXPORT type name(type v) { return (type)(change); }
CHANGED(next_i8, int8_t, v + 1)
CHANGED(next_i16, int16_t, v + 1)
CHANGED(next_u16, uint16_t, v + 1)
CHANGED(next_i32, int32_t, v ^ 0x55)
CHANGED(next_i64, int64_t, v ^ 0x5555555555)
CHANGED(half_f32, float, v / 2)
CHANGED(half_f64, double, v / 2)
CHANGED(after_pointer, char *, v + 1)
EXPORT void set_i32(int32_t *where, int32_t v);
EXPORT void set_i32(int32_t *where, int32_t v) { *where = v; }

/* ---- more than the registers hold -------------------------------------------------------------------------------- */

static uint64_t fold(uint64_t folded, const void *value, size_t size) {
    uint64_t v = 0;
    memcpy(&v, value, size);
    folded = (folded ^ v) * 0x9e3779b97f4a7c15u;
    return folded ^ folded >> 29;
}
#define FOLD(v) folded = fold(folded, &(v), sizeof(v))

EXPORT int64_t fold_integers(int8_t a, int16_t b, uint16_t c, int32_t d, int64_t e, bool f, int8_t g, int16_t h,
                             uint16_t i, int32_t j, int64_t k, bool l);
EXPORT int64_t fold_integers(int8_t a, int16_t b, uint16_t c, int32_t d, int64_t e, bool f, int8_t g, int16_t h,
                             uint16_t i, int32_t j, int64_t k, bool l) {
    uint64_t folded = 1;
    FOLD(a); FOLD(b); FOLD(c); FOLD(d); FOLD(e); FOLD(f); FOLD(g); FOLD(h); FOLD(i); FOLD(j); FOLD(k); FOLD(l);
    return (int64_t)folded;
}
EXPORT double sum_floating(float a, double b, float c, double d, float e, double f, float g, double h, float i,
                           double j, float k);
EXPORT double sum_floating(float a, double b, float c, double d, float e, double f, float g, double h, float i,
                           double j, float k) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k;
}
EXPORT int64_t fold_mixed(int32_t a, double b, int64_t c, float d, void *e, double f, int8_t g, float h, int64_t i,
                          double j, int32_t k, double l, int64_t m, float n, double o, double p, float q, int16_t r);
EXPORT int64_t fold_mixed(int32_t a, double b, int64_t c, float d, void *e, double f, int8_t g, float h, int64_t i,
                          double j, int32_t k, double l, int64_t m, float n, double o, double p, float q, int16_t r) {
    uint64_t folded = 1;
    FOLD(a); FOLD(b); FOLD(c); FOLD(d); FOLD(e); FOLD(f); FOLD(g); FOLD(h); FOLD(i); FOLD(j); FOLD(k); FOLD(l);
    FOLD(m); FOLD(n); FOLD(o); FOLD(p); FOLD(q); FOLD(r);
    return (int64_t)folded;
}

/* ---- structures by value, and calls back with them --------------------------------------------------------------- */

struct i1 { int8_t a; };
struct i2 { int32_t a, b; };
struct f2 { float a, b; };
struct f3 { float a, b, c; };
struct fi { float a; int32_t b; };
struct df { double a; float b; };
struct dl { double a; int64_t b; };
struct ld { int64_t a; double b; };
struct d2 { double a, b; };
struct l2 { int64_t a, b; };
struct odd { int8_t a[3]; };
struct c12 { int16_t a[6]; };
struct nested { struct fi a; struct i2 b; };
struct big { int64_t a; double b; int32_t c; float d; };
struct array_of { struct f2 a[3]; };
union either { int64_t i; double d; };
union floats { float f; double d; };
struct with_union { int32_t tag; union either u; };

/* by_value_X: changed and back. to_X: hands the first argument to the function behind it, and folds what that
 * answers. After three integers and six floats few registers are left. */
#define STRUCTURE(name, type, change) \
    EXPORT type by_value_##name(type v); \
    EXPORT type by_value_##name(type v) { change; return v; } \
    EXPORT type late_##name(int32_t a, int64_t b, int32_t c, double d, float e, double f, float g, double h, float i, \
                            type v, int32_t after); \
    EXPORT type late_##name(int32_t a, int64_t b, int32_t c, double d, float e, double f, float g, double h, float i, \
                            type v, int32_t after) { \
        if (a + b + c != 6 || d + e + f + g + h + i != 21 || after != 77) memset(&v, 0x7f, sizeof v); \
        change; \
        return v; \
    } \
    EXPORT type back_##name(type v, type (*f)(type, int32_t)); \
    EXPORT type back_##name(type v, type (*f)(type, int32_t)) { change; return f(v, 78); }
STRUCTURE(i1, struct i1, v.a++)
STRUCTURE(i2, struct i2, v.a += v.b)
STRUCTURE(f2, struct f2, v.a += v.b)
STRUCTURE(f3, struct f3, v.c += v.a)
STRUCTURE(fi, struct fi, v.a += (float)v.b)
STRUCTURE(df, struct df, v.a += v.b)
STRUCTURE(dl, struct dl, (v.a += 1, v.b += 2))
STRUCTURE(ld, struct ld, (v.a += 1, v.b += 2))
STRUCTURE(d2, struct d2, (v.a += 1, v.b += 2))
STRUCTURE(l2, struct l2, (v.a += 1, v.b += 2))
STRUCTURE(odd, struct odd, v.a[2]++)
STRUCTURE(c12, struct c12, v.a[5]++)
STRUCTURE(nested, struct nested, v.b.b += v.a.b)
STRUCTURE(big, struct big, (v.a++, v.b += 2, v.c += 3, v.d += 4))
STRUCTURE(array_of, struct array_of, v.a[2].b += v.a[0].a)
STRUCTURE(either, union either, v.i++)
STRUCTURE(floats, union floats, v.d += 1)
STRUCTURE(with_union, struct with_union, (v.tag++, v.u.i++))

/* ---- variable arguments ------------------------------------------------------------------------------------------ */

/* kinds: i int, l long, d double, p pointer to a string; appends to `out`. */
EXPORT int32_t print_kinds(char *out, const char *kinds, ...);
EXPORT int32_t print_kinds(char *out, const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    char *p = out;
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': p += sprintf(p, "%d ", va_arg(list, int)); break;
        case 'l': p += sprintf(p, "%ld ", va_arg(list, long)); break;
        case 'd': p += sprintf(p, "%g ", va_arg(list, double)); break;
        case 'p': p += sprintf(p, "%s ", va_arg(list, char *)); break;
        case 's': { struct ld s = va_arg(list, struct ld); p += sprintf(p, "{%ld %g} ", (long)s.a, s.b); break; }
        default: p += sprintf(p, "? "); break;
        }
    }
    va_end(list);
    return (int32_t)(p - out);
}

/* ---- errno, and memory that Java lends --------------------------------------------------------------------------- */

EXPORT int32_t fail_with(int32_t error);
EXPORT int32_t fail_with(int32_t error) { errno = error; return -1; }
EXPORT int64_t sum_and_double(int32_t *values, int32_t count);
EXPORT int64_t sum_and_double(int32_t *values, int32_t count) {
    int64_t sum = 0;
    for (int32_t i = 0; i < count; i++) sum += values[i], values[i] *= 2;
    errno = count;
    return sum;
}
/* Compares, so that two arrays are lent at once; behind six registers. */
EXPORT int32_t compare_late(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, const uint8_t *x,
                            const uint8_t *y, int64_t size);
EXPORT int32_t compare_late(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, const uint8_t *x,
                            const uint8_t *y, int64_t size) {
    if (a + b + c + d + e + f != 21) return -99;
    int r = memcmp(x, y, (size_t)size);
    return r < 0 ? -1 : r > 0;
}

/* ---- calls back -------------------------------------------------------------------------------------------------- */

#define BACK(name, type, result) \
    EXPORT type name(type (*f)(type), type v); \
    EXPORT type name(type (*f)(type), type v) { return result; }
BACK(back_bool, bool, f(v) ? false : true)
BACK(back_i8, int8_t, (int8_t)(f(v) + 1))
BACK(back_i16, int16_t, (int16_t)(f(v) + 1))
BACK(back_u16, uint16_t, (uint16_t)(f(v) + 1))
BACK(back_i32, int32_t, f(v) + 1)
BACK(back_i64, int64_t, f(v) + 1)
BACK(back_f32, float, f(v) + 1)
BACK(back_f64, double, f(v) + 1)
BACK(back_pointer, char *, f(v) + 1)
/* What lies above a narrow argument is not the callee's business. */
EXPORT int32_t back_dirty(int64_t (*f)(int64_t), int64_t v);
EXPORT int32_t back_dirty(int64_t (*f)(int64_t), int64_t v) { return (int32_t)f(v); }
EXPORT void back_void(void (*f)(void), int32_t times);
EXPORT void back_void(void (*f)(void), int32_t times) { while (times-- > 0) f(); }
typedef double many(int32_t, double, int64_t, float, void *, double, int8_t, float, int64_t, double, int32_t, double,
                    int64_t, float, double, double, float, int16_t, bool, uint16_t);
EXPORT double back_many(many *f, void *p);
EXPORT double back_many(many *f, void *p) {
    return f(1, 2.5, -3, 4.25f, p, 6, -7, 8.5f, 9, 10, -11, 12, 13, 14, 15, 16, 17, -18, true, 65535) * 2;
}
EXPORT int64_t recurse(int64_t (*f)(int64_t), int64_t depth);
EXPORT int64_t recurse(int64_t (*f)(int64_t), int64_t depth) { return depth == 0 ? 0 : f(depth - 1) + depth; }

/* `threads` threads that the caller does not know of call f `calls` times each with their number; the sum. */
struct caller { pthread_t thread; int64_t (*f)(int64_t); int64_t number, sum; int32_t calls; };
static void *call_back(void *argument) {
    struct caller *c = argument;
    for (int32_t i = 0; i < c->calls; i++) c->sum += c->f(c->number);
    return NULL;
}
EXPORT int64_t from_threads(int64_t (*f)(int64_t), int32_t threads, int32_t calls);
EXPORT int64_t from_threads(int64_t (*f)(int64_t), int32_t threads, int32_t calls) {
    struct caller *all = calloc((size_t)threads, sizeof *all);
    int64_t sum = 0;
    for (int32_t i = 0; i < threads; i++) {
        all[i] = (struct caller){.f = f, .number = i + 1, .calls = calls};
        if (pthread_create(&all[i].thread, NULL, call_back, &all[i]) != 0) abort();
    }
    for (int32_t i = 0; i < threads; i++) {
        pthread_join(all[i].thread, NULL);
        sum += all[i].sum;
    }
    free(all);
    return sum;
}

/* A thread that goes on calling after this has returned. */
static void *call_for_ever(void *f) {
    for (int64_t i = 0;; i++) ((int64_t (*)(int64_t))f)(i);
    return NULL;
}
EXPORT void keep_calling(int64_t (*f)(int64_t));
EXPORT void keep_calling(int64_t (*f)(int64_t)) {
    pthread_t t;
    if (pthread_create(&t, NULL, call_for_ever, (void *)f) != 0) abort();
    pthread_detach(t);
}

/* Keeps a function for later. */
static int64_t (*kept)(int64_t);
EXPORT void keep(int64_t (*f)(int64_t));
EXPORT void keep(int64_t (*f)(int64_t)) { kept = f; }
EXPORT int64_t call_kept(int64_t v);
EXPORT int64_t call_kept(int64_t v) { return kept(v); }

EXPORT int32_t counter = 41;
EXPORT struct i2 pair = {3, 4};
EXPORT const char *const greeting = "hello from C";
EXPORT int32_t next_count(void);
EXPORT int32_t next_count(void) { return ++counter; }

/* Says in flags[0] that it has come, and returns when flags[1] is set. */
EXPORT void wait_here(volatile int64_t *flags);
EXPORT void wait_here(volatile int64_t *flags) {
    flags[0] = 1;
    while (!flags[1]) usleep(1000);
}
