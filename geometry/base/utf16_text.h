/** Text saved as UTF-16, which readers of bytes take for a binary file. */
#ifndef GEOMETRY_UTF16_TEXT_H
#define GEOMETRY_UTF16_TEXT_H

#include <stddef.h>

#include "geometry/base/failure.h"

/** FAILURE_INPUT where `bytes` begin as UTF-16 (or UTF-32) text does: with its mark, or with letters of which
 * every other byte is zero. Else 0. */
int utf16_refuse(const void *bytes, size_t size, struct failure *failure);

#endif
