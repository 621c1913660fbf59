/** Bytes as base64 text (RFC 4648, section 4, padded), for data in JSON, glTF and pages. */
#ifndef GEOMETRY_BASE64_H
#define GEOMETRY_BASE64_H

#include <stddef.h>
#include <stdio.h>

/** Write `size` bytes to `stream`; closing it reports errors. */
void base64_write(FILE *stream, const void *data, size_t size);

/** The same as a string, owned by the caller; NULL when memory ran out. */
char *base64_text(const void *data, size_t size);

/** All characters of the code: those of section 4, and `-` and `_` of URLs (section 5) for `+` and `/`. */
#define BASE64_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"

/** Decode text, at most `room` bytes into `data`; returns their number. Decoding stops at the first character
 * that is not in BASE64_DIGITS. */
size_t base64_read(const char *text, void *data, size_t room);

#endif
