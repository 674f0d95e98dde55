/* intrinsic_string.c — strings, their bytes, arrays and index checks. A Latin-1 string has one byte for a char, others
 * have two. */
#include "exec/intrinsic.h"

#include "base/base.h"
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

/* What has been computed before; the code computes and keeps it. */
FUNCTION(string_hash_code) {
    struct object *s = arg_array(args, 0);
    uint32_t hash = (uint32_t)field_load(s, known_offset(String_hash), T_INT);
    *result = hash;
    return hash != 0;
}

static bool equal_arrays(struct object *a, struct object *b, unsigned shift) {
    size_t size = (size_t)(uint32_t)array_length(a) << shift;
    return array_length(a) == array_length(b) && memcmp(array_data(a), array_data(b), size) == 0;
}

FUNCTION(string_equals) {
    struct object *a = arg_array(args, 0), *b = arg_array(args, 1);
    *result = a == b;
    if (a == b || b == NULL || class_of(b) != known_class(java_lang_String)) return true;
    if (value_of(a) == NULL || value_of(b) == NULL) return false;
    *result = is_utf16(a) == is_utf16(b) && equal_arrays(value_of(a), value_of(b), 0);
    return true;
}

/* ---- bytes of strings ------------------------------------------------------------------------------------------ */

FUNCTION(bytes_equal) {
    struct object *a = arg_array(args, 0), *b = arg_array(args, 1);
    if (a == NULL || b == NULL) return false;
    *result = equal_arrays(a, b, 0);
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

FUNCTION(latin1_compare) {
    struct object *a = arg_array(args, 0), *b = arg_array(args, 1);
    if (a == NULL || b == NULL) return false;
    int32_t n = MIN(array_length(a), array_length(b)), i = 0;
    const uint8_t *x = bytes_of(a), *y = bytes_of(b);
    while (i < n && x[i] == y[i]) i++;
    *result = (uint32_t)(i < n ? x[i] - y[i] : array_length(a) - array_length(b));
    return true;
}

FUNCTION(latin1_hash_code) {
    struct object *a = arg_array(args, 0);
    if (a == NULL) return false;
    uint32_t hash = 0;
    for (int32_t i = 0, n = array_length(a); i < n; i++) hash = 31 * hash + bytes_of(a)[i];
    *result = hash;
    return true;
}

FUNCTION(utf16_hash_code) {
    struct object *a = arg_array(args, 0);
    if (a == NULL) return false;
    uint32_t hash = 0;
    for (int32_t i = 0, n = array_length(a) >> 1; i < n; i++) hash = 31 * hash + char_at(a, i);
    *result = hash;
    return true;
}

/* (value, char, from, to) */
FUNCTION(latin1_index_of_char) {
    struct object *a = arg_array(args, 0);
    int32_t from = INT_ARG(2), to = INT_ARG(3);
    if (a == NULL || from < 0 || to > array_length(a)) return false;
    const uint8_t *found = from < to ? memchr(bytes_of(a) + from, INT_ARG(1) & 0xff, (size_t)(to - from)) : NULL;
    *result = (uint32_t)(found != NULL ? (int32_t)(found - bytes_of(a)) : -1);
    return true;
}

/* (value, its length, wanted, its length, from) */
FUNCTION(latin1_index_of) {
    struct object *a = arg_array(args, 0), *wanted = arg_array(args, 2);
    int32_t length = INT_ARG(1), count = INT_ARG(3), from = INT_ARG(4);
    if (a == NULL || wanted == NULL || count < 1 || from < 0) return false;
    if (!range_fits(0, count, array_length(wanted)) || !range_fits(0, length, array_length(a))) return false;
    const uint8_t *found = NULL;
    if (from <= length - count)
        found = memmem(bytes_of(a) + from, (size_t)(length - from), bytes_of(wanted), (size_t)count);
    *result = (uint32_t)(found != NULL ? (int32_t)(found - bytes_of(a)) : -1);
    return true;
}

/* (bytes, offset, chars, offset in chars, count); the chars may be held in a byte array */
FUNCTION(latin1_inflate) {
    struct object *from = arg_array(args, 0), *to = arg_array(args, 2);
    int32_t from_offset = INT_ARG(1), to_offset = INT_ARG(3), count = INT_ARG(4);
    if (from == NULL || to == NULL || !range_fits(from_offset, count, array_length(from))) return false;
    bool of_bytes = class_of(to)->component == vm->link->primitives[T_BYTE];
    if (!range_fits(to_offset, count, array_length(to) >> of_bytes)) return false;
    uint16_t *chars = (uint16_t *)array_data(to) + to_offset;
    for (int32_t i = 0; i < count; i++) chars[i] = bytes_of(from)[from_offset + i];
    *result = 0;
    return true;
}

/* How many bytes stand before the first negative one; -1: the arguments are not good. */
static int32_t positives(const uint64_t *args) {
    struct object *a = arg_array(args, 0);
    int32_t offset = INT_ARG(1), count = INT_ARG(2), i = 0;
    if (a == NULL || !range_fits(offset, count, array_length(a))) return -1;
    const uint8_t *bytes = bytes_of(a) + offset;
    for (uint64_t word; i + 8 <= count; i += 8) {
        memcpy(&word, bytes + i, sizeof word);
        if (word & 0x8080808080808080u) break;
    }
    while (i < count && bytes[i] < 0x80) i++;
    return i;
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

/* ---- arrays ---------------------------------------------------------------------------------------------------- */

FUNCTION(check_index) {
    *result = (uint32_t)INT_ARG(0);
    return INT_ARG(0) >= 0 && INT_ARG(0) < INT_ARG(1);
}

/* The first index below `count` at which elements of `size` bytes differ, or -1. */
static int32_t mismatch(const uint8_t *a, const uint8_t *b, int32_t count, size_t size) {
    size_t i = 0, end = (size_t)(uint32_t)count * size;
    for (uint64_t x, y; i + 8 <= end; i += 8) {
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        if (x != y) break;
    }
    while (i < end && a[i] == b[i]) i++;
    return i < end ? (int32_t)(i / size) : -1;
}

static bool mismatch_in(const uint64_t *args, uint64_t *result, size_t size) {
    struct object *a = arg_array(args, 0), *b = arg_array(args, 1);
    int32_t count = INT_ARG(2);
    if (a == NULL || b == NULL || !range_fits(0, count, array_length(a)) || count > array_length(b)) return false;
    *result = (uint32_t)mismatch(array_data(a), array_data(b), count, size);
    return true;
}

FUNCTION(mismatch_bytes) { return mismatch_in(args, result, 1); }
FUNCTION(mismatch_chars) { return mismatch_in(args, result, 2); }
FUNCTION(mismatch_ints) { return mismatch_in(args, result, 4); }

/* (array, from, array, from, count) */
FUNCTION(mismatch_byte_ranges) {
    struct object *a = arg_array(args, 0), *b = arg_array(args, 2);
    int32_t count = INT_ARG(4);
    if (a == NULL || b == NULL || !range_fits(INT_ARG(1), count, array_length(a))) return false;
    if (!range_fits(INT_ARG(3), count, array_length(b))) return false;
    *result = (uint32_t)mismatch(bytes_of(a) + INT_ARG(1), bytes_of(b) + INT_ARG(3), count, 1);
    return true;
}

#define ARRAY_EQUALS(size, shift)                                              \
    FUNCTION(array_equals_##size) {                                            \
        struct object *a = arg_array(args, 0), *b = arg_array(args, 1);        \
        *result = a == b || (a != NULL && b != NULL && equal_arrays(a, b, shift)); \
        return true;                                                           \
    }
ARRAY_EQUALS(1, 0)
ARRAY_EQUALS(2, 1)
ARRAY_EQUALS(4, 2)
ARRAY_EQUALS(8, 3)
