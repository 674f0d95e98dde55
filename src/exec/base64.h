/* base64.h — Base64 (RFC 4648) in groups: 3 bytes are 4 characters. For exec/intrinsic_base64.c. */
#ifndef VITRINE_EXEC_BASE64_H
#define VITRINE_EXEC_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `url`: in the alphabet that has - and _ for + and /. The two runs do not overlap. */
void base64_encode(const uint8_t *bytes, size_t groups, uint8_t *chars, bool url);
/* How many groups there are before the first that has another character. */
size_t base64_decode(const uint8_t *chars, size_t groups, uint8_t *bytes, bool url);

/* For tests: in C alone. */
void base64_encode_portable(const uint8_t *bytes, size_t groups, uint8_t *chars, bool url);
size_t base64_decode_portable(const uint8_t *chars, size_t groups, uint8_t *bytes, bool url);

#endif
