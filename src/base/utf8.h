/* Modified UTF-8 (JVMS 4.4.7), UTF-16, Latin-1 and standard UTF-8: sizes, conversions, validity, hashes. */
#ifndef VITRINE_BASE_UTF8_H
#define VITRINE_BASE_UTF8_H

#include "base/base.h"

/* Whether `n` bytes are modified UTF-8 as JVMS 4.4.7 demands: no zero byte, no byte 0xf0-0xff, complete sequences.
 * Over-long forms of 2 and 3 bytes are accepted as HotSpot accepts them. */
bool utf8_valid(const char *bytes, size_t n);

/* Reading. The bytes should be valid; malformed ones never read past n: a bad byte counts as one char of its
 * own value. */
size_t utf8_length(const char *bytes, size_t n);                         /* UTF-16 units                          */
bool   utf8_is_latin1(const char *bytes, size_t n, size_t *out_length);  /* all chars <= 0xff; length in chars    */
bool   utf8_is_ascii(const char *bytes, size_t n);
void   utf8_decode(const char *bytes, size_t n, uint16_t *out);          /* out holds utf8_length() units         */
void   utf8_decode_latin1(const char *bytes, size_t n, uint8_t *out);    /* only if utf8_is_latin1                */

/* Writing modified UTF-8: size in bytes without NUL, then the bytes (no NUL is added). */
size_t utf8_size_of_utf16(const uint16_t *chars, size_t n);
size_t utf8_size_of_latin1(const uint8_t *chars, size_t n);
size_t utf8_encode_utf16(const uint16_t *chars, size_t n, char *out);    /* returns bytes written                 */
size_t utf8_encode_latin1(const uint8_t *chars, size_t n, char *out);

/* One char as modified UTF-8 (1 to 3 bytes); returns bytes written. */
size_t utf8_put(uint16_t c, char *out);
/* One char from *pp (< end); advances *pp by 1 to 3. */
uint16_t utf8_next(const char **pp, const char *end);

/* String.hashCode of the characters. */
uint32_t utf8_hash(const char *bytes, size_t n);
uint32_t latin1_hash(const uint8_t *chars, size_t n);

/* Standard UTF-8 (files, environment, command line) <-> UTF-16. Malformed input becomes U+FFFD. The *_size functions
 * give the exact room needed. */
size_t   utf8_standard_length(const char *bytes, size_t n);              /* UTF-16 units                          */
void     utf8_standard_decode(const char *bytes, size_t n, uint16_t *out);
size_t   utf8_standard_size(const uint16_t *chars, size_t n);            /* bytes; unpaired surrogates become '?' */
size_t   utf8_standard_encode(const uint16_t *chars, size_t n, char *out);

/* Modified UTF-8 from standard UTF-8, NUL-terminated, caller frees with mem_free. NULL when out of memory. */
char    *utf8_from_standard(const char *bytes, size_t n);
char    *utf8_to_standard(const char *bytes, size_t n);

#endif
