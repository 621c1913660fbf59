#include "geometry/base/base64.h"

#include <stdint.h>
#include <stdlib.h>

/* Up to three bytes as four characters. */
static void encode_three(const unsigned char *data, size_t left, char four[4])
{
    static const char digit[] = BASE64_DIGITS;
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
        encode_three(byte + at, size - at, four);
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
        encode_three(byte + at, size - at, to);
    *to = '\0';
    return text;
}

static int value_of(char digit)
{
    return digit >= 'A' && digit <= 'Z'   ? digit - 'A'
           : digit >= 'a' && digit <= 'z' ? digit - 'a' + 26
           : digit >= '0' && digit <= '9' ? digit - '0' + 52
           : digit == '+' || digit == '-' ? 62
           : digit == '/' || digit == '_' ? 63
                                          : -1;
}

size_t base64_read(const char *text, void *data, size_t room)
{
    unsigned char *byte = data;
    uint32_t bits = 0;
    unsigned held = 0;
    size_t size = 0;
    for (; value_of(*text) >= 0; text++) {
        bits = bits << 6 | (uint32_t)value_of(*text);
        held += 6;
        if (held < 8)
            continue;
        held -= 8;
        if (size < room)
            byte[size] = (unsigned char)(bits >> held & 0xFF);
        size++;
    }
    return size;
}
