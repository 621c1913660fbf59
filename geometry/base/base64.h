/** Bytes as text of 64 characters (RFC 4648, section 4, padded), for data that stands in JSON, glTF and
 * pages. */
#ifndef GEOMETRY_BASE64_H
#define GEOMETRY_BASE64_H

#include <stddef.h>
#include <stdio.h>

/** Write `size` bytes on `stream`; an error shows when that is closed. */
void base64_write(FILE *stream, const void *data, size_t size);

/** The same as a string, owned by the caller; NULL when memory ran out. */
char *base64_text(const void *data, size_t size);

#endif
