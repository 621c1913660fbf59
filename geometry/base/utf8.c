#include "geometry/base/utf8.h"

#include <stdbool.h>

size_t utf8_length(const unsigned char *text, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = text[0] < 0x80             ? 1
                          : (text[0] & 0xE0) == 0xC0 ? 2
                          : (text[0] & 0xF0) == 0xE0 ? 3
                          : (text[0] & 0xF8) == 0xF0 ? 4
                                                     : 0;
    if (length == 0)
        return 0;
    uint32_t number = length == 1 ? text[0] : text[0] & (0x7FU >> length);
    for (size_t k = 1; k < length; k++) {
        if ((text[k] & 0xC0) != 0x80)
            return 0;
        number = number << 6 | (text[k] & 0x3FU);
    }
    const bool is_surrogate = number >= 0xD800 && number <= 0xDFFF;
    if (number < least[length] || number > 0x10FFFF || is_surrogate)
        return 0;
    if (code != NULL)
        *code = number;
    return length;
}
