/** Bytes as text of 64 characters (RFC 4648, section 4, padded), for data in JSON, glTF and
 * pages. */
#ifndef GEOMETRY_BASE64_H
#define GEOMETRY_BASE64_H

#include <stddef.h>
#include <stdio.h>

/** Write `size` bytes on `stream`; an error shows when that is closed. */
void base64_write(FILE *stream, const void *data, size_t size);

/** The same as a string, owned by the caller; NULL when memory ran out. */
char *base64_text(const void *data, size_t size);

/** All characters that stand for bits: those of such a text, and `-` and `_` of URLs (section 5) for `+` and
 * `/`. */
#define BASE64_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"

/** Bytes of such a text, at most `room` of them into `data`; how many there were. What follows a character
 * that is none of BASE64_DIGITS is left out. */
size_t base64_read(const char *text, void *data, size_t room);

#endif
