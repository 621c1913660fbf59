#include "geometry/base/utf16_text.h"

#include <stdbool.h>

#define LOOKED_AT 16u

/* True if in each of the first pairs of bytes the one at `zero` is 0 and the other is not. */
static bool has_alternate_zeros(const unsigned char *bytes, size_t size, size_t zero)
{
    size_t pairs = 0;
    for (; 2 * pairs + 1 < size && pairs < LOOKED_AT / 2; ++pairs)
        if (bytes[2 * pairs + zero] != 0 || bytes[2 * pairs + 1 - zero] == 0)
            return false;
    return pairs >= 2;
}

int utf16_refuse(const void *bytes, size_t size, struct failure *failure)
{
    const unsigned char *head = bytes;
    const bool mark =
        size >= 2 && ((head[0] == 0xFF && head[1] == 0xFE) || (head[0] == 0xFE && head[1] == 0xFF));
    const bool wide_mark = size >= 4 && head[0] == 0 && head[1] == 0 && head[2] == 0xFE && head[3] == 0xFF;
    if (!mark && !wide_mark && !has_alternate_zeros(head, size, 0) && !has_alternate_zeros(head, size, 1))
        return 0;
    return failure_fix(failure_set(failure, FAILURE_INPUT, "it is text in UTF-16, and only UTF-8 is read"),
                       failure, "save it as UTF-8 (in Windows' Notepad: Save As, Encoding)");
}
