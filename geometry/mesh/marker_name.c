#include "geometry/mesh/marker_name.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const char *marker_kind_name(enum marker_kind kind)
{
    return kind == MARKER_SOURCE ? "source" : "receiver";
}

size_t marker_prefix(const char *text, size_t length, enum marker_kind *kind)
{
    for (int k = MARKER_SOURCE; k <= MARKER_RECEIVER; ++k) {
        const char *name = marker_kind_name((enum marker_kind)k);
        const size_t letters = strlen(name);
        if (length > letters && strncasecmp(text, name, letters) == 0 && text[letters] == ':') {
            *kind = (enum marker_kind)k;
            return letters + 1;
        }
    }
    return 0;
}

/* Not isalnum: a name must not depend on the user's locale. */
static bool is_name_character(char c)
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
        if (is_name_character(text[k]))
            name[at++] = text[k];
        else if (((unsigned char)text[k] & 0xC0u) != 0x80u) /* not a later byte of the same character */
            name[at++] = '_';
    }
    name[at] = '\0';
    if (at == 0)
        (void)snprintf(name, capacity, "%s", marker_kind_name(kind));
}
