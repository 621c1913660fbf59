/** Characters of UTF-8 (RFC 3629). */
#ifndef GEOMETRY_UTF8_H
#define GEOMETRY_UTF8_H

#include <stddef.h>
#include <stdint.h>

/** Length in bytes of the character at `text`, which is zero-terminated, and its number in `*code` (may be
 * NULL). 0 if it is invalid: overlong, half of a surrogate pair or a number beyond 10FFFF. */
size_t utf8_length(const unsigned char *text, uint32_t *code);

#endif
