#include "geometry/base/name_text.h"

#include <stdbool.h>
#include <stdint.h>

/* Length of the character that begins at `p` (RFC 3629: the shortest form, no surrogates), and its number; 0
 * for bytes that are none. */
static size_t decode(const unsigned char *p, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = p[0] < 0x80             ? 1
                          : (p[0] & 0xE0) == 0xC0 ? 2
                          : (p[0] & 0xF0) == 0xE0 ? 3
                          : (p[0] & 0xF8) == 0xF0 ? 4
                                                  : 0;
    if (length == 0)
        return 0;
    *code = length == 1 ? p[0] : p[0] & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | (p[i] & 0x3FU);
    }
    const bool fine = *code >= least[length] && *code <= 0x10FFFF && !(*code >= 0xD800 && *code <= 0xDFFF);
    return fine ? length : 0;
}

/* C0, DEL and C1; line and paragraph separators; what turns the direction of writing; byte order marks and
 * what is no character. */
static bool is_invisible(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF || (code & 0xFFFE) == 0xFFFE;
}

void name_text(const char *name, char *out)
{
    uint32_t code = 0;
    bool utf8 = true;
    size_t length = 0;
    for (const unsigned char *p = (const unsigned char *)name; utf8 && *p != '\0'; p += length)
        utf8 = (length = decode(p, &code)) > 0;
    for (const unsigned char *p = (const unsigned char *)name; *p != '\0'; p += length) {
        length = utf8 ? decode(p, &code) : 1;
        if (!utf8)
            code = *p;
        if (is_invisible(code)) {
            *out++ = '?';
        } else if (!utf8 && code >= 0x80) {
            *out++ = (char)(0xC0 | code >> 6);
            *out++ = (char)(0x80 | (code & 0x3F));
        } else {
            for (size_t i = 0; i < length; i++)
                *out++ = (char)p[i];
        }
    }
    *out = '\0';
}
