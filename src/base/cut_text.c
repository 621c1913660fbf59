#include "src/base/cut_text.h"

#include <string.h>

int cut_text_bytes(const char *text, int most)
{
    int bytes = (int)strnlen(text, (size_t)most + 1);
    if (bytes <= most)
        return bytes;
    for (bytes = most; bytes > 0 && ((unsigned char)text[bytes] & 0xC0) == 0x80;)
        bytes--;
    return bytes;
}
