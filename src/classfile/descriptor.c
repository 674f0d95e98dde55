/* Field and method descriptors and the names in them. */
#include "classfile/descriptor.h"

#include <string.h>

#include "base/symbol.h"

/* ---- eight characters at a time: most of what is checked in a class file are names -------------------------- */

#define EACH_BYTE(c) (UINT64_C(0x0101010101010101) * (uint8_t)(c))

static inline uint64_t eight_at(const char *text) {
    uint64_t v;
    memcpy(&v, text, sizeof v);
    return v;
}

/* The top bit of each byte of v that is c; above such a byte also that of one that is c ^ 1. */
static inline uint64_t bytes_equal_to(uint64_t v, char c) {
    v ^= EACH_BYTE(c);
    return (v - EACH_BYTE(1)) & ~v & EACH_BYTE(0x80);
}

static inline bool is_illegal(char c, bool slash_too, bool angles_too) {
    return c == '.' || c == ';' || c == '[' || (slash_too && c == '/') || (angles_too && (c == '<' || c == '>'));
}

static inline uint64_t illegal_bytes(uint64_t v, bool slash_too, bool angles_too) {
    uint64_t hits = bytes_equal_to(v, '.') | bytes_equal_to(v, ';') | bytes_equal_to(v, '[');
    if (slash_too) hits |= bytes_equal_to(v, '/');
    if (angles_too) hits |= bytes_equal_to(v, '<') | bytes_equal_to(v, '>');
    return hits;
}

static inline __attribute__((always_inline)) bool has_illegal_char(const char *text, size_t len, bool slash_too,
                                                                   bool angles_too) {
    if (len < sizeof(uint64_t)) {
        for (size_t i = 0; i < len; i++)
            if (is_illegal(text[i], slash_too, angles_too)) return true;
        return false;
    }
    uint64_t hits = illegal_bytes(eight_at(text + len - sizeof(uint64_t)), slash_too, angles_too);
    for (size_t i = 0; i + sizeof(uint64_t) < len; i += sizeof(uint64_t))
        hits |= illegal_bytes(eight_at(text + i), slash_too, angles_too);
    return hits != 0;
}

/* Eight neighbouring pairs, from text on. */
static inline uint64_t slash_pairs(const char *text) {
    return bytes_equal_to(eight_at(text), '/') & bytes_equal_to(eight_at(text + 1), '/');
}

/* Two slashes in a row? In a text without a full stop, the character that bytes_equal_to may take for a slash. */
static inline bool has_double_slash(const char *text, size_t len) {
    if (len <= sizeof(uint64_t)) {
        for (size_t i = 1; i < len; i++)
            if (text[i] == '/' && text[i - 1] == '/') return true;
        return false;
    }
    size_t last = len - 1 - sizeof(uint64_t);
    uint64_t hits = slash_pairs(text + last);
    for (size_t i = 0; i < last; i += sizeof(uint64_t)) hits |= slash_pairs(text + i);
    return hits != 0;
}

bool name_is_valid_unqualified(const char *text, size_t len) {
    return len > 0 && !has_illegal_char(text, len, true, false);
}

bool name_is_valid_method(const char *text, size_t len) {
    if ((len == 6 && memcmp(text, "<init>", 6) == 0) || (len == 8 && memcmp(text, "<clinit>", 8) == 0)) return true;
    return len > 0 && !has_illegal_char(text, len, true, true);
}

bool name_is_valid_class(const char *text, size_t len, bool allow_array) {
    if (len == 0) return false;
    if (text[0] == '[') return allow_array && descriptor_is_valid_field(text, len);
    if (has_illegal_char(text, len, false, false) || text[0] == '/' || text[len - 1] == '/') return false;
    return !has_double_slash(text, len);
}

size_t descriptor_type_length(const char *text, size_t len, bool allow_void) {
    size_t dims = 0;
    while (dims < len && text[dims] == '[')
        if (++dims > 255) return 0;
    if (dims == len) return 0;
    switch (text[dims]) {
    case 'V': return allow_void && dims == 0 ? 1 : 0;
    case 'B':
    case 'C':
    case 'D':
    case 'F':
    case 'I':
    case 'J':
    case 'S':
    case 'Z': return dims + 1;
    case 'L': {
        const char *name = text + dims + 1;
        const char *semicolon = memchr(name, ';', len - dims - 1);
        if (semicolon == NULL || !name_is_valid_class(name, (size_t)(semicolon - name), false)) return 0;
        return (size_t)(semicolon - text) + 1;
    }
    default: return 0;
    }
}

bool descriptor_is_valid_field(const char *text, size_t len) {
    return len > 0 && descriptor_type_length(text, len, false) == len;
}

/* Walks over a whole method descriptor; false if malformed. */
static bool measure(const char *text, size_t len, int *slots, int *count) {
    *slots = *count = 0;
    if (len == 0 || text[0] != '(') return false;
    const char *p = text + 1, *end = text + len;
    while (p < end && *p != ')') {
        size_t n = descriptor_type_length(p, (size_t)(end - p), false);
        if (n == 0) return false;
        *slots += desc_kind_slots(*p);
        *count += 1;
        p += n;
    }
    if (p == end) return false;
    p++;
    return p < end && descriptor_type_length(p, (size_t)(end - p), true) == (size_t)(end - p);
}

bool descriptor_is_valid_method(const char *text, size_t len, bool instance) {
    int slots, count;
    return measure(text, len, &slots, &count) && slots + (instance ? 1 : 0) <= 255;
}

int desc_arg_slots(const char *text, size_t len) {
    int slots, count;
    return measure(text, len, &slots, &count) ? slots : -1;
}

int desc_arg_count(const char *text, size_t len) {
    int slots, count;
    return measure(text, len, &slots, &count) ? count : -1;
}

/* ---- iteration over valid descriptors -------------------------------------------------------------------------- */

struct desc_iter desc_begin(const char *text, size_t len) {
    return (struct desc_iter){ text + 1, text + len };
}

struct desc_type desc_first(const char *text, size_t len) {
    size_t n = 0;
    while (n < len && text[n] == '[') n++;
    if (n < len && text[n] == 'L') {
        const char *semicolon = memchr(text + n, ';', len - n);
        n = semicolon != NULL ? (size_t)(semicolon - text) : len - 1;
    }
    return (struct desc_type){ text[0], text, n < len ? n + 1 : len };
}

bool desc_next(struct desc_iter *it, struct desc_type *out) {
    if (it->p >= it->end || *it->p == ')') return false;
    *out = desc_first(it->p, (size_t)(it->end - it->p));
    it->p += out->len;
    return true;
}

int desc_slots(const char *text, size_t len, char *result) {
    int slots = 0;
    struct desc_iter it = desc_begin(text, len);
    for (struct desc_type t; desc_next(&it, &t);) slots += desc_kind_slots(t.kind);
    *result = it.end - it.p > 1 ? it.p[1] : 'V';
    return slots;
}

struct desc_type desc_return(const char *text, size_t len) {
    if (len == 0 || text[0] != '(') return desc_first(text, len);
    struct desc_iter it = desc_begin(text, len);
    struct desc_type parameter;
    while (desc_next(&it, &parameter)) {
        /* to the closing parenthesis; a search for ')' would find those in class names */
    }
    const char *start = it.p < it.end ? it.p + 1 : it.end;
    return desc_first(start, (size_t)(it.end - start));
}

struct desc_type desc_class_name(struct desc_type t) {
    if (t.kind == 'L') return (struct desc_type){ t.kind, t.text + 1, t.len - 2 };
    return t;
}

int desc_symbol_arg_slots(const struct symbol *desc) { return desc_arg_slots(desc->bytes, desc->length); }

char desc_symbol_return_kind(const struct symbol *desc) { return desc_return(desc->bytes, desc->length).kind; }
