#include "geometry/mesh/marker_name.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

size_t marker_prefix(const char *text, size_t length, enum marker_kind *kind)
{
    static const char *const prefix[] = {[MARKER_SOURCE] = "source:", [MARKER_RECEIVER] = "receiver:"};
    for (int k = MARKER_SOURCE; k <= MARKER_RECEIVER; ++k) {
        const size_t long_as = strlen(prefix[k]);
        if (length >= long_as && strncasecmp(text, prefix[k], long_as) == 0) {
            *kind = (enum marker_kind)k;
            return long_as;
        }
    }
    return 0;
}

/* Not isalnum: a name must not depend on the user's locale. */
static bool may_stand_in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

void marker_clean_name(const char *text, size_t length, enum marker_kind kind, char *name, size_t capacity)
{
    size_t at = 0;
    while (length > 0 && is_blank(text[0])) {
        ++text;
        --length;
    }
    while (length > 0 && is_blank(text[length - 1]))
        --length;
    for (size_t k = 0; k < length && at + 1 < capacity; ++k) {
        if (may_stand_in_name(text[k]))
            name[at++] = text[k];
        else if (((unsigned char)text[k] & 0xC0u) != 0x80u) /* not a later byte of the same character */
            name[at++] = '_';
    }
    name[at] = '\0';
    if (at == 0)
        (void)snprintf(name, capacity, "%s", kind == MARKER_SOURCE ? "source" : "receiver");
}
