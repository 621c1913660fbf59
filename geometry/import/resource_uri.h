/** URIs of a model's buffers: a file beneath its folder, or base64 in the text itself. */
#ifndef GEOMETRY_RESOURCE_URI_H
#define GEOMETRY_RESOURCE_URI_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"

/** True if `uri` begins with "data:" in any case. */
bool resource_uri_is_data(const char *uri);

/** Percent-decode `uri` to a relative path that stays in the folder. FAILURE_INPUT if the decoded path is
 * empty or absolute, has a scheme (`file:`, `http:`, `C:`) or a component `..`, or contains a backslash or a
 * control character; also if a percent sign lacks its two hexadecimal digits. `*path` is owned by the caller.
 */
int resource_uri_path(const char *uri, char **path, struct failure *failure);

/** Decode "data:[type];base64,...". FAILURE_INPUT if it is not base64 or has fewer bytes than `expected`.
 * `*bytes` has `*size` bytes and is owned by the caller. */
int resource_uri_data(const char *uri, size_t expected, unsigned char **bytes, size_t *size,
                      struct failure *failure);

#endif
