/* Modified UTF-8, UTF-16, Latin-1 and standard UTF-8. */
#include "base/utf8.h"

#include "base/alloc.h"

static inline bool is_tail(uint8_t b) { return (b & 0xc0) == 0x80; }

/* ---- Reading modified UTF-8 ----------------------------------------------------------------------------------- */

bool utf8_valid(const char *bytes, size_t n) {
    const uint8_t *p = (const uint8_t *)bytes, *end = p + n;
    while (p < end) {
        uint8_t b = *p;
        if (LIKELY(b < 0x80)) {
            if (b == 0) return false;
            p++;
        } else if ((b & 0xe0) == 0xc0) {
            if (end - p < 2 || !is_tail(p[1])) return false;
            p += 2;
        } else if ((b & 0xf0) == 0xe0) {
            if (end - p < 3 || !is_tail(p[1]) || !is_tail(p[2])) return false;
            p += 3;
        } else {
            return false;                       /* a tail without head, or 0xf0-0xff */
        }
    }
    return true;
}

uint16_t utf8_next(const char **pp, const char *end) {
    const uint8_t *p = (const uint8_t *)*pp;
    size_t  left = (size_t)(end - *pp);
    uint8_t b = *p;
    if (LIKELY(b < 0x80)) {
        *pp += 1;
        return b;
    }
    if ((b & 0xe0) == 0xc0 && left >= 2 && is_tail(p[1])) {
        *pp += 2;
        return (uint16_t)((b & 0x1f) << 6 | (p[1] & 0x3f));
    }
    if ((b & 0xf0) == 0xe0 && left >= 3 && is_tail(p[1]) && is_tail(p[2])) {
        *pp += 3;
        return (uint16_t)((b & 0x0f) << 12 | (p[1] & 0x3f) << 6 | (p[2] & 0x3f));
    }
    *pp += 1;
    return b;
}

size_t utf8_length(const char *bytes, size_t n) {
    const char *p = bytes, *end = bytes + n;
    size_t units = 0;
    for (; p < end; units++) utf8_next(&p, end);
    return units;
}

bool utf8_is_ascii(const char *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        if ((uint8_t)bytes[i] >= 0x80) return false;
    return true;
}

bool utf8_is_latin1(const char *bytes, size_t n, size_t *out_length) {
    const char *p = bytes, *end = bytes + n;
    size_t units = 0;
    for (; p < end; units++)
        if (utf8_next(&p, end) > 0xff) return false;
    *out_length = units;
    return true;
}

void utf8_decode(const char *bytes, size_t n, uint16_t *out) {
    for (const char *p = bytes, *end = bytes + n; p < end;) *out++ = utf8_next(&p, end);
}

void utf8_decode_latin1(const char *bytes, size_t n, uint8_t *out) {
    for (const char *p = bytes, *end = bytes + n; p < end;) *out++ = (uint8_t)utf8_next(&p, end);
}

/* ---- Writing modified UTF-8 ----------------------------------------------------------------------------------- */

static inline size_t size_of_char(uint16_t c) { return c - 1u < 0x7f ? 1 : c < 0x800 ? 2 : 3; }

size_t utf8_put(uint16_t c, char *out) {
    if (LIKELY(c - 1u < 0x7f)) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {                            /* U+0000 too, so that no byte is 0 */
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    out[0] = (char)(0xe0 | c >> 12);
    out[1] = (char)(0x80 | (c >> 6 & 0x3f));
    out[2] = (char)(0x80 | (c & 0x3f));
    return 3;
}

size_t utf8_size_of_utf16(const uint16_t *chars, size_t n) {
    size_t size = 0;
    for (size_t i = 0; i < n; i++) size += size_of_char(chars[i]);
    return size;
}

size_t utf8_size_of_latin1(const uint8_t *chars, size_t n) {
    size_t size = 0;
    for (size_t i = 0; i < n; i++) size += size_of_char(chars[i]);
    return size;
}

size_t utf8_encode_utf16(const uint16_t *chars, size_t n, char *out) {
    char *p = out;
    for (size_t i = 0; i < n; i++) p += utf8_put(chars[i], p);
    return (size_t)(p - out);
}

size_t utf8_encode_latin1(const uint8_t *chars, size_t n, char *out) {
    char *p = out;
    for (size_t i = 0; i < n; i++) p += utf8_put(chars[i], p);
    return (size_t)(p - out);
}

/* ---- Hashes --------------------------------------------------------------------------------------------------- */

uint32_t utf8_hash(const char *bytes, size_t n) {
    uint32_t h = 0;
    for (const char *p = bytes, *end = bytes + n; p < end;) h = 31 * h + utf8_next(&p, end);
    return h;
}

uint32_t latin1_hash(const uint8_t *chars, size_t n) {
    uint32_t h = 0;
    for (size_t i = 0; i < n; i++) h = 31 * h + chars[i];
    return h;
}

/* ---- Standard UTF-8 ------------------------------------------------------------------------------------------- */

#define REPLACEMENT 0xfffd

/* One code point; a malformed sequence gives U+FFFD for its first byte. */
static uint32_t next_code_point(const uint8_t **pp, const uint8_t *end) {
    const uint8_t *p = *pp;
    uint32_t b = *p;
    int      tails = b < 0x80 ? 0 : b >= 0xc2 && b < 0xe0 ? 1 : (b & 0xf0) == 0xe0 ? 2 : b >= 0xf0 && b < 0xf5 ? 3 : -1;
    if (tails == 0) {
        *pp = p + 1;
        return b;
    }
    if (tails > 0 && end - p > tails) {
        uint32_t c = b & (0x3fu >> tails);
        int      i = 1;
        for (; i <= tails && is_tail(p[i]); i++) c = c << 6 | (p[i] & 0x3f);
        bool complete = i > tails;
        bool shortest = tails == 1 || c >= (tails == 2 ? 0x800u : 0x10000u);
        if (complete && shortest && c <= 0x10ffff && (c & ~0x7ffu) != 0xd800) {
            *pp = p + tails + 1;
            return c;
        }
    }
    *pp = p + 1;
    return REPLACEMENT;
}

size_t utf8_standard_length(const char *bytes, size_t n) {
    const uint8_t *p = (const uint8_t *)bytes, *end = p + n;
    size_t units = 0;
    while (p < end) units += next_code_point(&p, end) > 0xffff ? 2 : 1;
    return units;
}

void utf8_standard_decode(const char *bytes, size_t n, uint16_t *out) {
    const uint8_t *p = (const uint8_t *)bytes, *end = p + n;
    while (p < end) {
        uint32_t c = next_code_point(&p, end);
        if (c > 0xffff) {
            *out++ = (uint16_t)(0xd7c0 + (c >> 10));
            *out++ = (uint16_t)(0xdc00 | (c & 0x3ff));
        } else {
            *out++ = (uint16_t)c;
        }
    }
}

static uint32_t join_surrogates(const uint16_t *chars, size_t n, size_t *i) {
    uint32_t c = chars[(*i)++];
    if ((c & 0xfc00) == 0xd800 && *i < n && (chars[*i] & 0xfc00) == 0xdc00)
        return 0x10000 + ((c & 0x3ff) << 10) + (chars[(*i)++] & 0x3ff);
    return (c & 0xf800) == 0xd800 ? '?' : c;
}

static size_t standard_bytes(uint32_t c, char out[4]) {
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x10000) {
        size_t n = c < 0x800 ? 2 : 3;
        out[0] = (char)(n == 2 ? 0xc0 | c >> 6 : 0xe0 | c >> 12);
        out[n - 2] = n == 2 ? out[0] : (char)(0x80 | (c >> 6 & 0x3f));
        out[n - 1] = (char)(0x80 | (c & 0x3f));
        return n;
    }
    out[0] = (char)(0xf0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3f));
    out[2] = (char)(0x80 | (c >> 6 & 0x3f));
    out[3] = (char)(0x80 | (c & 0x3f));
    return 4;
}

size_t utf8_standard_size(const uint16_t *chars, size_t n) {
    size_t size = 0;
    char   sink[4];
    for (size_t i = 0; i < n;) size += standard_bytes(join_surrogates(chars, n, &i), sink);
    return size;
}

size_t utf8_standard_encode(const uint16_t *chars, size_t n, char *out) {
    char *p = out, four[4];
    for (size_t i = 0; i < n;) {
        size_t k = standard_bytes(join_surrogates(chars, n, &i), four);
        memcpy(p, four, k);
        p += k;
    }
    return (size_t)(p - out);
}

char *utf8_from_standard(const char *bytes, size_t n) {
    size_t    units = utf8_standard_length(bytes, n);
    uint16_t *chars = mem_calloc(units, sizeof *chars);
    if (!chars) return NULL;
    utf8_standard_decode(bytes, n, chars);
    char *text = mem_alloc(utf8_size_of_utf16(chars, units) + 1);
    if (text) text[utf8_encode_utf16(chars, units, text)] = 0;
    mem_free(chars);
    return text;
}

char *utf8_to_standard(const char *bytes, size_t n) {
    size_t    units = utf8_length(bytes, n);
    uint16_t *chars = mem_calloc(units, sizeof *chars);
    if (!chars) return NULL;
    utf8_decode(bytes, n, chars);
    char *text = mem_alloc(utf8_standard_size(chars, units) + 1);
    if (text) text[utf8_standard_encode(chars, units, text)] = 0;
    mem_free(chars);
    return text;
}
