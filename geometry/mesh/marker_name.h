/** Names of positions in a model: `source:pulpit`, `receiver:pew 12`. */
#ifndef GEOMETRY_MARKER_NAME_H
#define GEOMETRY_MARKER_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/mesh/mesh.h"

/** "source" or "receiver". */
const char *marker_kind_name(enum marker_kind kind);

/** Length of the prefix `source:` or `receiver:`, in any case, at the beginning of `text` (`length` bytes),
 * and its `*kind`; 0 without a prefix. */
size_t marker_prefix(const char *text, size_t length, enum marker_kind *kind);

/** The name behind the prefix, without blanks around it. Every character but letters, digits, `_` and `-`
 * becomes one `_` (one for a whole UTF-8 character). An empty name becomes "source" or "receiver". Cut to fit
 * `name`. */
void marker_clean_name(const char *text, size_t length, enum marker_kind kind, char *name, size_t capacity);

#endif
