#include "geometry/import/resource_uri.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/base64.h"

#define SHOWN 60 /* bytes of a URI quoted in a sentence */

bool resource_uri_is_data(const char *uri)
{
    return strncasecmp(uri, "data:", 5) == 0;
}

static int hex_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static int refuse_uri(struct failure *failure, const char *uri, const char *why)
{
    return failure_set(failure, FAILURE_INPUT,
                       "the URI \"%.*s\" %s; only files in the model's own folder are read", SHOWN, uri, why);
}

/* NULL if `path` (`length` bytes) stays in its folder, else the reason. */
static const char *find_fault(const char *path, size_t length)
{
    if (length == 0)
        return "is empty";
    for (size_t k = 0; k < length; ++k)
        if ((unsigned char)path[k] < 0x20 || path[k] == 0x7f)
            return "contains a control character";
    if (memchr(path, '\\', length) != NULL)
        return "contains a backslash";
    if (path[0] == '/')
        return "is absolute";
    /* Text before a colon in the first component would be a scheme or a drive. */
    const size_t first = strcspn(path, "/");
    if (memchr(path, ':', first) != NULL)
        return "has a scheme";
    for (const char *component = path;; ++component) {
        const size_t part = strcspn(component, "/");
        if (part == 2 && memcmp(component, "..", 2) == 0)
            return "leaves its folder by \"..\"";
        component += part;
        if (*component == '\0')
            break;
    }
    return path[length - 1] == '/' ? "is a folder" : NULL;
}

int resource_uri_path(const char *uri, char **path, struct failure *failure)
{
    size_t length = 0;
    char *decoded = malloc(strlen(uri) + 1);
    if (decoded == NULL)
        return failure_memory(failure, strlen(uri) + 1, "a URI");
    const char *wrong = NULL;
    for (const char *at = uri; *at != '\0' && wrong == NULL; ++at) {
        char c = *at;
        if (c == '%') {
            const int high = hex_value(at[1]), low = high < 0 ? -1 : hex_value(at[2]);
            if (low < 0) {
                wrong = "has a percent sign without two hexadecimal digits";
                break;
            }
            c = (char)(16 * high + low);
            at += 2;
        }
        decoded[length++] = c;
    }
    decoded[length] = '\0';
    if (wrong == NULL)
        wrong = find_fault(decoded, length);
    if (wrong != NULL) {
        free(decoded);
        return refuse_uri(failure, uri, wrong);
    }
    *path = decoded;
    return 0;
}

int resource_uri_data(const char *uri, size_t expected, unsigned char **bytes, size_t *size,
                      struct failure *failure)
{
    const char *comma = strchr(uri, ',');
    if (comma == NULL || comma - uri < 12 || strncasecmp(comma - 7, ";base64", 7) != 0)
        return failure_set(failure, FAILURE_INPUT, "the URI \"%.*s...\" is not base64", SHOWN, uri);
    const char *text = comma + 1;
    size_t length = strlen(text);
    for (int padding = 0; padding < 2 && length > 0 && text[length - 1] == '='; ++padding)
        --length;
    const size_t decoded_size = length / 4 * 3 + (length % 4 > 0 ? length % 4 - 1 : 0);
    if (length % 4 == 1 || decoded_size < expected)
        return failure_set(failure, FAILURE_INPUT,
                           "its base64 data has %zu bytes, which is fewer than the byteLength %zu",
                           decoded_size, expected);
    const size_t known = strspn(text, BASE64_DIGITS);
    if (known < length)
        return failure_set(failure, FAILURE_INPUT, "its base64 data contains the byte 0x%02x at place %zu",
                           (unsigned)(unsigned char)text[known], known);
    unsigned char *decoded = malloc(decoded_size + 1);
    if (decoded == NULL)
        return failure_memory(failure, decoded_size + 1, "base64 data");
    (void)base64_read(text, decoded, decoded_size);
    *bytes = decoded;
    *size = decoded_size;
    return 0;
}
