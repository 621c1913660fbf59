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

int cut_text_blanks(const char *name, int width)
{
    int letters = 0;
    for (; *name != '\0'; name++)
        letters += ((unsigned char)*name & 0xC0) != 0x80;
    return letters < width ? width - letters : 0;
}
