/** URIs of a model's buffers: a file beneath its folder, or base64 in the text itself. */
#ifndef GEOMETRY_RESOURCE_URI_H
#define GEOMETRY_RESOURCE_URI_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"

/** Does `uri` begin with "data:" in any case? */
bool resource_uri_is_data(const char *uri);

/** Percent-decode `uri` to a relative path that stays in the folder. FAILURE_INPUT when, after decoding, it
 * is empty, has a scheme (`file:`, `http:`, `C:`), is absolute, has a component `..`, or holds a backslash, a
 * zero or another control character; or when a percent sign is followed by no two hexadecimal digits. `*path`
 * is owned by the caller. */
int resource_uri_path(const char *uri, char **path, struct failure *failure);

/** Decode "data:[type];base64,...". FAILURE_INPUT when it is not base64, when a character is none of
 * base64's, or when it holds fewer bytes than `expected`. `*bytes` holds `*size` bytes and is owned by the
 * caller. */
int resource_uri_data(const char *uri, size_t expected, unsigned char **bytes, size_t *size,
                      struct failure *failure);

#endif
