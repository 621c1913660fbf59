#include "geometry/base/name_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "geometry/base/utf8.h"

/* C0, DEL and C1; line and paragraph separators; changes of writing direction; byte order marks and
 * non-characters. */
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
        utf8 = (length = utf8_length(p, &code)) > 0;
    for (const unsigned char *p = (const unsigned char *)name; *p != '\0'; p += length) {
        length = utf8 ? utf8_length(p, &code) : 1;
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

void blot_all_but(char *text, const char *kept)
{
    const unsigned char *from = (const unsigned char *)text;
    while (*from != '\0') {
        uint32_t code = 0;
        const size_t length = utf8_length(from, &code);
        const bool stays =
            length > 0 && (!is_invisible(code) || (code < 0x20 && strchr(kept, (int)code) != NULL));
        if (!stays)
            *text++ = '?';
        for (size_t i = 0; stays && i < length; i++)
            *text++ = (char)from[i];
        from += length > 0 ? length : 1;
    }
    *text = '\0';
}
