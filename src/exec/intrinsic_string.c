/* intrinsic_string.c — strings and their bytes. A Latin-1 string has one byte for a char, others have two. */
#include "exec/intrinsic.h"

#include "base/base.h"
#include "exec/runs.h"
#include "link/known.h"

#define FUNCTION(name) INTRINSIC_FUNCTION(name)
#define INT_ARG(i) ((int32_t)args[i])

static const uint8_t *bytes_of(struct object *array) { return array_data(array); }

static uint16_t char_at(struct object *array, int32_t i) {
    uint16_t c;
    memcpy(&c, bytes_of(array) + 2 * (size_t)(uint32_t)i, sizeof c);
    return c;
}

/* ---- java.lang.String ------------------------------------------------------------------------------------------ */

static struct object *value_of(struct object *string) { return heap_load_ref(string, known_offset(String_value)); }
static bool is_utf16(struct object *string) { return *((uint8_t *)string + known_offset(String_coder)) != 0; }

FUNCTION(string_length) {
    struct object *s = arg_array(args, 0), *value = value_of(s);
    if (value == NULL) return false;
    *result = (uint64_t)array_length(value) >> is_utf16(s);
    return true;
}

FUNCTION(string_is_empty) {
    struct object *value = value_of(arg_array(args, 0));
    if (value == NULL) return false;
    *result = array_length(value) == 0;
    return true;
}

FUNCTION(string_coder) {
    *result = is_utf16(arg_array(args, 0));
    return true;
}

FUNCTION(string_is_latin1) {
    *result = !is_utf16(arg_array(args, 0));
    return true;
}

FUNCTION(string_char_at) {
    struct object *s = arg_array(args, 0), *value = value_of(s);
    bool wide = is_utf16(s);
    if (value == NULL || (uint32_t)INT_ARG(1) >= (uint32_t)array_length(value) >> wide) return false;
    *result = wide ? char_at(value, INT_ARG(1)) : bytes_of(value)[INT_ARG(1)];
    return true;
}

/* ---- bytes of strings ------------------------------------------------------------------------------------------ */

FUNCTION(bytes_equal) {
    struct object *a = arg_array(args, 0), *b = arg_array(args, 1);
    if (a == NULL || b == NULL) return false;
    *result = arrays_equal(a, b, 0);
    return true;
}

FUNCTION(latin1_char_at) {
    struct object *a = arg_array(args, 0);
    if (a == NULL || (uint32_t)INT_ARG(1) >= (uint32_t)array_length(a)) return false;
    *result = bytes_of(a)[INT_ARG(1)];
    return true;
}

FUNCTION(utf16_char_at) {
    struct object *a = arg_array(args, 0);
    if (a == NULL || (uint32_t)INT_ARG(1) >= (uint32_t)array_length(a) >> 1) return false;
    *result = char_at(a, INT_ARG(1));
    return true;
}

FUNCTION(utf16_put_char) {
    struct object *a = arg_array(args, 0);
    if (a == NULL || (uint32_t)INT_ARG(1) >= (uint32_t)array_length(a) >> 1) return false;
    ((uint16_t *)array_data(a))[INT_ARG(1)] = (uint16_t)args[2];
    *result = 0;
    return true;
}

/* ---- which of two comes first ------------------------------------------------------------------------------------ */

FUNCTION(latin1_compare) {
    struct object *a = arg_array(args, 0), *b = arg_array(args, 1);
    if (a == NULL || b == NULL) return false;
    int32_t n = MIN(array_length(a), array_length(b));
    const uint8_t *x = bytes_of(a), *y = bytes_of(b);
    int32_t i = (int32_t)runs_alike(x, y, (size_t)n);
    *result = (uint32_t)(i < n ? x[i] - y[i] : array_length(a) - array_length(b));
    return true;
}

FUNCTION(utf16_compare) {
    struct object *a = arg_array(args, 0), *b = arg_array(args, 1);
    if (a == NULL || b == NULL) return false;
    int32_t a_length = array_length(a) >> 1, b_length = array_length(b) >> 1, n = MIN(a_length, b_length);
    int32_t i = (int32_t)(runs_alike(bytes_of(a), bytes_of(b), 2 * (size_t)n) / 2);
    *result = (uint32_t)(i < n ? char_at(a, i) - char_at(b, i) : a_length - b_length);
    return true;
}

static int32_t compare_mixed(struct object *wide, struct object *latin1) {
    int32_t length = array_length(wide) >> 1, n = MIN(length, array_length(latin1));
    int32_t i = (int32_t)runs_alike_widened(bytes_of(wide), bytes_of(latin1), (size_t)n);
    return i < n ? char_at(wide, i) - bytes_of(latin1)[i] : length - array_length(latin1);
}

FUNCTION(utf16_compare_to_latin1) {
    struct object *a = arg_array(args, 0), *b = arg_array(args, 1);
    if (a == NULL || b == NULL) return false;
    *result = (uint32_t)compare_mixed(a, b);
    return true;
}

FUNCTION(latin1_compare_to_utf16) {
    struct object *a = arg_array(args, 0), *b = arg_array(args, 1);
    if (a == NULL || b == NULL) return false;
    *result = (uint32_t)-compare_mixed(b, a);
    return true;
}

/* ---- where something stands -------------------------------------------------------------------------------------- */

/* (value, char, from, to) */
FUNCTION(latin1_index_of_char) {
    struct object *a = arg_array(args, 0);
    int32_t from = INT_ARG(2), to = INT_ARG(3);
    if (a == NULL || from < 0 || to > array_length(a)) return false;
    const uint8_t *found = from < to ? memchr(bytes_of(a) + from, INT_ARG(1) & 0xff, (size_t)(to - from)) : NULL;
    *result = (uint32_t)(found != NULL ? (int32_t)(found - bytes_of(a)) : -1);
    return true;
}

FUNCTION(utf16_index_of_char) {
    struct object *a = arg_array(args, 0);
    int32_t from = INT_ARG(2), to = INT_ARG(3);
    if (a == NULL || from < 0 || from > to || to > array_length(a) >> 1) return false;
    size_t count = (size_t)(to - from);
    struct runs r = {.a = bytes_of(a) + 2 * (size_t)from, .first = (uint16_t)args[1]};
    size_t found = (uint32_t)args[1] <= UINT16_MAX ? runs_find(&r, 2 * count, runs_is_char) / 2 : count;
    *result = found < count ? (uint32_t)from + found : UINT32_MAX;
    return true;
}

/* A text in an array: `count` chars of one byte or two. */
struct text {
    struct object *array;
    int32_t count;
    bool wide;
};

static bool fits(const struct text *t) {
    return t->array != NULL && range_fits(0, t->count, array_length(t->array) >> t->wide);
}

/* Is it `wanted` that stands at `at` in `in`, where its first and last char do? */
static ALWAYS_INLINE bool stands_at(const struct text *in, const struct text *wanted, int32_t at) {
    if (wanted->count <= 2) return true;
    const uint8_t *there = bytes_of(in->array) + ((size_t)(uint32_t)(at + 1) << in->wide);
    const uint8_t *inner = bytes_of(wanted->array) + ((size_t)1 << wanted->wide);
    size_t n = (size_t)(wanted->count - 2);
    if (in->wide != wanted->wide) return runs_alike_widened(there, inner, n) == n;
    return memcmp(there, inner, n << in->wide) == 0;
}

static uint16_t char_of(const struct text *t, int32_t i) {
    return t->wide ? char_at(t->array, i) : bytes_of(t->array)[i];
}

/* The first place from `from` on. False: it takes long, and the world is to stop in between. */
static ALWAYS_INLINE bool search(const struct text *in, const struct text *wanted, int32_t from, uint64_t *result) {
    enum { MOST = 1 << 24 };             /* chars compared in vain: about a millisecond                             */
    const unsigned shift = in->wide;
    int32_t left = MOST, last = in->count - wanted->count;
    const uint16_t first_char = char_of(wanted, 0), last_char = char_of(wanted, wanted->count - 1);
    for (int32_t at = from; at <= last; at++, left -= wanted->count) {
        if (left < 0) return false;
        const uint8_t *p = bytes_of(in->array) + ((size_t)(uint32_t)at << shift);
        struct runs r = {p, p + ((size_t)(uint32_t)(wanted->count - 1) << shift), first_char, last_char};
        size_t size = (size_t)(last - at + 1) << shift;
        at += (int32_t)(runs_find(&r, size, in->wide ? runs_are_chars : runs_are_bytes) >> shift);
        if (at > last || !stands_at(in, wanted, at)) continue;
        *result = (uint32_t)at;
        return true;
    }
    *result = UINT32_MAX;
    return true;
}

/* (value, wanted) */
static ALWAYS_INLINE bool index_of(const uint64_t *args, uint64_t *result, bool wide, bool wide_wanted) {
    struct object *a = arg_array(args, 0), *b = arg_array(args, 1);
    if (a == NULL || b == NULL) return false;
    struct text in = {a, array_length(a) >> wide, wide}, wanted = {b, array_length(b) >> wide_wanted, wide_wanted};
    *result = 0;
    return wanted.count == 0 ? array_length(b) == 0 : search(&in, &wanted, 0, result);
}

/* (value, its length, wanted, its length, from) */
static ALWAYS_INLINE bool index_of_from(const uint64_t *args, uint64_t *result, bool wide, bool wide_wanted) {
    struct text in = {arg_array(args, 0), INT_ARG(1), wide}, wanted = {arg_array(args, 2), INT_ARG(3), wide_wanted};
    int32_t from = INT_ARG(4);
    return fits(&in) && fits(&wanted) && wanted.count > 0 && from >= 0 && from <= in.count &&
           search(&in, &wanted, from, result);
}

FUNCTION(latin1_index_of) { return index_of(args, result, false, false); }
FUNCTION(latin1_index_of_from) { return index_of_from(args, result, false, false); }
FUNCTION(utf16_index_of) { return index_of(args, result, true, true); }
FUNCTION(utf16_index_of_from) { return index_of_from(args, result, true, true); }
FUNCTION(utf16_index_of_latin1) { return index_of(args, result, true, false); }
FUNCTION(utf16_index_of_latin1_from) { return index_of_from(args, result, true, false); }

/* ---- from one byte to two and back: (from, offset, to, offset, count) ---------------------------------------- */

/* In an array of chars, or of bytes that stand for some. */
static int32_t chars_in(struct object *array) {
    return array_length(array) >> (class_of(array)->component == vm->link->primitives[T_BYTE]);
}

FUNCTION(latin1_inflate) {
    struct object *from = arg_array(args, 0), *to = arg_array(args, 2);
    int32_t from_offset = INT_ARG(1), to_offset = INT_ARG(3), count = INT_ARG(4);
    if (from == NULL || to == NULL || from == to || !range_fits(from_offset, count, array_length(from))) return false;
    if (!range_fits(to_offset, count, chars_in(to))) return false;
    runs_widen((uint16_t *)array_data(to) + to_offset, bytes_of(from) + from_offset, (size_t)count);
    *result = 0;
    return true;
}

/* How many chars have been copied before one that has a bit of `above`; -1: the arguments are not good. */
static int32_t narrow(const uint64_t *args, uint16_t above) {
    struct object *from = arg_array(args, 0), *to = arg_array(args, 2);
    int32_t from_offset = INT_ARG(1), to_offset = INT_ARG(3), count = INT_ARG(4);
    if (from == NULL || to == NULL || from == to || !range_fits(from_offset, count, chars_in(from))) return -1;
    if (!range_fits(to_offset, count, array_length(to))) return -1;
    return (int32_t)runs_narrow((uint8_t *)array_data(to) + to_offset, (const uint16_t *)array_data(from) + from_offset,
                                (size_t)count, above);
}

FUNCTION(encode_latin1) {
    int32_t n = narrow(args, 0xff00);
    *result = (uint32_t)n;
    return n >= 0;
}

FUNCTION(encode_ascii) {
    int32_t n = narrow(args, 0xff80);
    *result = (uint32_t)n;
    return n >= 0;
}

/* All or, in library 17, none. */
FUNCTION(utf16_compress) {
    int32_t n = narrow(args, 0xff00);
    *result = n < INT_ARG(4) && vm->library == LIBRARY_17 ? 0 : (uint32_t)n;
    return n >= 0;
}

/* (value, from, to, chars, offset) */
FUNCTION(utf16_get_chars) {
    struct object *value = arg_array(args, 0), *to = arg_array(args, 3);
    int32_t from = INT_ARG(1), count = INT_ARG(2) - from, offset = INT_ARG(4);
    if (value == NULL || to == NULL || !range_fits(from, count, array_length(value) >> 1)) return false;
    if (!range_fits(offset, count, array_length(to))) return false;
    memcpy((uint16_t *)array_data(to) + offset, bytes_of(value) + 2 * (size_t)from, 2 * (size_t)count);
    *result = 0;
    return true;
}

/* ---- bytes above 127 --------------------------------------------------------------------------------------------- */

/* How many bytes stand before the first negative one; -1: the arguments are not good. */
static int32_t positives(const uint64_t *args) {
    struct object *a = arg_array(args, 0);
    int32_t offset = INT_ARG(1), count = INT_ARG(2);
    if (a == NULL || !range_fits(offset, count, array_length(a))) return -1;
    return (int32_t)runs_find(&(struct runs){.a = bytes_of(a) + offset}, (size_t)count, runs_negative);
}

FUNCTION(has_negatives) {
    int32_t n = positives(args);
    *result = n != INT_ARG(2);
    return n >= 0;
}

FUNCTION(count_positives) {
    int32_t n = positives(args);
    *result = (uint32_t)n;
    return n >= 0;
}
