#include "rooms/text/yaml_write.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* Letters, digits and _ - . /, beginning with a letter, and no word with a special meaning in YAML. */
static bool is_plain(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char *const words[] = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
    if (text[0] == '\0' || strchr(letters, text[0]) == NULL)
        return false;
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
        if (strcasecmp(words[w], text) == 0)
            return false;
    for (const char *p = text; *p != '\0'; p++)
        if (strchr(letters, *p) == NULL && strchr("0123456789_-./", *p) == NULL &&
            !(*p == ' ' && p[1] != '\0' && p[1] != ' '))
            return false;
    return true;
}

void yaml_put_text(FILE *stream, const char *text)
{
    if (is_plain(text)) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (const char *p = text; *p != '\0'; p++) {
        const unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\')
            fprintf(stream, "\\%c", c);
        else if (c < ' ' || c == 0x7F)
            fprintf(stream, "\\x%02X", c);
        else
            fputc(c, stream);
    }
    fputc('"', stream);
}
