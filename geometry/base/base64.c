#include "geometry/base/base64.h"

#include <stdint.h>
#include <stdlib.h>

/* Up to three bytes as four characters. */
static void make_four(const unsigned char *data, size_t left, char four[4])
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint32_t bits = (uint32_t)data[0] << 16 | (left > 1 ? (uint32_t)data[1] << 8 : 0) |
                          (left > 2 ? (uint32_t)data[2] : 0);
    four[0] = digit[bits >> 18];
    four[1] = digit[bits >> 12 & 63];
    four[2] = left > 1 ? digit[bits >> 6 & 63] : '=';
    four[3] = left > 2 ? digit[bits & 63] : '=';
}

void base64_write(FILE *stream, const void *data, size_t size)
{
    const unsigned char *byte = data;
    for (size_t at = 0; at < size; at += 3) {
        char four[4];
        make_four(byte + at, size - at, four);
        (void)fwrite(four, 1, sizeof four, stream);
    }
}

char *base64_text(const void *data, size_t size)
{
    const unsigned char *byte = data;
    char *text = size < SIZE_MAX / 2 ? malloc((size + 2) / 3 * 4 + 1) : NULL;
    if (text == NULL)
        return NULL;
    char *to = text;
    for (size_t at = 0; at < size; at += 3, to += 4)
        make_four(byte + at, size - at, to);
    *to = '\0';
    return text;
}
