/** Names of positions in a model: `source:pulpit`, `receiver:pew 12`. */
#ifndef GEOMETRY_MARKER_NAME_H
#define GEOMETRY_MARKER_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/mesh/mesh.h"

/** "source" or "receiver". */
const char *marker_kind_name(enum marker_kind kind);

/** Does `text` (`length` bytes) begin with `source:` or `receiver:` in any case? Then `*kind` is set, and the
 * number of bytes of the prefix returned; else 0. */
size_t marker_prefix(const char *text, size_t length, enum marker_kind *kind);

/** The name behind the prefix without blanks around it, every character but letters, digits, `_` and `-`
 * turned into one `_` (one for a whole UTF-8 character); "source" or "receiver" where nothing is left. Cut to
 * fit `name`. */
void marker_clean_name(const char *text, size_t length, enum marker_kind kind, char *name, size_t capacity);

#endif
