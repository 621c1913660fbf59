/** Detects text in UTF-16, which byte readers take for a binary file. */
#ifndef GEOMETRY_UTF16_TEXT_H
#define GEOMETRY_UTF16_TEXT_H

#include <stddef.h>

#include "geometry/base/failure.h"

/** FAILURE_INPUT if `bytes` begin like UTF-16 (or UTF-32) text: with its mark, or with letters of which every
 * other byte is zero. Else 0. */
int utf16_refuse(const void *bytes, size_t size, struct failure *failure);

#endif
