#include "src/base/path_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/failure.h"

char *path_in(const char *folder, const char *format, ...)
{
    const size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    const size_t size = length + (size_t)vsnprintf(NULL, 0, format, values) + 2;
    char *path = malloc(size);
    if (path != NULL) {
        const size_t used = (size_t)snprintf(path, size, "%s%s", folder, slash);
        vsnprintf(path + used, size - used, format, again);
    }
    va_end(again);
    va_end(values);
    return path;
}

char *path_folder(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    while (length > 0 && path[length - 1] != '/')
        length--;
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length > 0 ? strndup(path, length) : strdup(".");
}

size_t path_channel(const char *text, int *channel)
{
    const char *at = strrchr(text, '@');
    const size_t length = at != NULL ? (size_t)(at - text) : 0, digits = at != NULL ? strlen(at + 1) : 0;
    const bool is_one = length >= 4 && strncasecmp(at - 4, ".wav", 4) == 0 && digits >= 1 && digits <= 4 &&
                        strspn(at + 1, "0123456789") == digits && at[1] != '0';
    *channel = is_one ? atoi(at + 1) : 0;
    return is_one ? length : strlen(text);
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

const char *path_shown(const char *path, char text[PATH_SHOWN_MAX])
{
    (void)snprintf(text, PATH_SHOWN_MAX, "%s", path);
    blot_control_characters(text);
    return text;
}

bool path_begins_with(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

bool path_ends_with(const char *name, const char *with)
{
    const size_t length = strlen(name), tail = strlen(with);
    return length >= tail && strcmp(name + length - tail, with) == 0;
}
