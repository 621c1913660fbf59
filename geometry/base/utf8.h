/** Characters of UTF-8 (RFC 3629). */
#ifndef GEOMETRY_UTF8_H
#define GEOMETRY_UTF8_H

#include <stddef.h>
#include <stdint.h>

/** Bytes of the character that begins at `text`, which ends with a zero byte, and its number in `*code` (may
 * be NULL). 0 where there is none: no overlong form, half of a surrogate pair or number beyond 10FFFF. */
size_t utf8_length(const unsigned char *text, uint32_t *code);

#endif
