#include "src/draw/html.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/utf8.h"
#include "src/base/table/number_text.h"
#include "src/base/words/words.h"

#define KEY_MOST 200

/* Does a unit, or a per cent sign, begin here and end before the next letter or digit? */
static bool is_unit(const unsigned char *text, const unsigned char *end)
{
    static const char *const unit[] = {"%", "s", "ms", "dB", "Hz", "kHz", "m", "mm", "kB", "MB", "GB"};
    for (size_t u = 0; u < sizeof unit / sizeof unit[0]; u++) {
        const size_t length = strlen(unit[u]);
        if ((size_t)(end - text) >= length && memcmp(text, unit[u], length) == 0 &&
            (text + length == end || (!isalnum(text[length]) && text[length] != '_')))
            return true;
    }
    return false;
}

/* Does `_` stand in a name? In a file, an address or a setting it is kept. */
static bool is_of_name(const unsigned char *text, const unsigned char *at, const unsigned char *end)
{
    while (at > text && at[-1] > ' ')
        at--;
    for (; at<end && * at> ' '; at++)
        if (strchr("/\\=<>", *at) != NULL || (*at == '.' && at + 1 < end && isalnum(at[1])))
            return false;
    return true;
}

/* `sentence`: text to read, not text to copy and run. */
static void put_escaped(FILE *page, const char *text, size_t bytes, bool sentence)
{
    static const char *const entity[128] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
    const unsigned char *at = (const unsigned char *)text, *const end = at + bytes;
    while (at < end) {
        const size_t length = utf8_length(at, NULL);
        if (*at < 128 && entity[*at] != NULL)
            fputs(entity[*at], page);
        else if (sentence && *at == ' ' && (const char *)at != text && isdigit(at[-1]) &&
                 is_unit(at + 1, end))
            fputs("&nbsp;", page);
        else if (sentence && *at == '_' && is_of_name((const unsigned char *)text, at, end))
            fputc(' ', page);
        else if (length == 0 || *at < 0x20 || *at == 0x7F)
            fputc('?', page);
        else
            fwrite(at, 1, length, page);
        at += length > 0 ? length : 1;
    }
}

void html_piece(FILE *page, const char *text, size_t bytes)
{
    put_escaped(page, text, bytes, false);
}

void html_text(FILE *page, const char *text)
{
    if (text != NULL)
        put_escaped(page, text, strlen(text), true);
}

/* A key can contain names of a run's data. */
static void put_key(FILE *page, const char *key)
{
    fputs(" data-key=\"", page);
    html_piece(page, key, strlen(key));
    fputc('"', page);
}

static void put_absent(FILE *page, const char *key)
{
    fputs("<span class=\"absent\"", page);
    put_key(page, key);
    fputs(">\xE2\x80\x93</span>", page);
}

/* NaN where it is absent, which is written then. */
static double begin_number(FILE *page, double value, double scale, const char *key)
{
    if (!isfinite(value)) {
        put_absent(page, key);
        return NAN;
    }
    fputs("<data", page);
    put_key(page, key);
    fprintf(page, " value=\"%.17g\"", value);
    if (scale != 1)
        fprintf(page, " data-scale=\"%.17g\"", scale);
    fputc('>', page);
    return value * scale;
}

/* The key of the caller's last arguments, in `text` of KEY_MOST bytes. */
#define FORMAT_KEY(text, key)                                                                                \
    do {                                                                                                     \
        va_list values;                                                                                      \
        va_start(values, key);                                                                               \
        vsnprintf(text, KEY_MOST, key, values);                                                              \
        va_end(values);                                                                                      \
    } while (0)

static bool put_number(FILE *page, double value, int decimals, double scale, const char *key)
{
    char text[NUMBER_TEXT_MAX];
    value = begin_number(page, value, scale, key);
    if (!isfinite(value))
        return false;
    fprintf(page, "%s</data>", number_text(value, decimals, text));
    return true;
}

bool html_number(FILE *page, double value, int decimals, double scale, const char *key, ...)
{
    char text[KEY_MOST];
    FORMAT_KEY(text, key);
    return put_number(page, value, decimals, scale, text);
}

void html_word(FILE *page, const char *word, const char *key, ...)
{
    char text[KEY_MOST];
    FORMAT_KEY(text, key);
    char *const shown = words_of_said(word);
    if (shown == NULL || strcmp(shown, word) == 0) {
        html_string(page, word, "%s", text);
        free(shown);
        return;
    }
    fputs("<data", page);
    put_key(page, text);
    fputs(" value=\"", page);
    html_piece(page, word, strlen(word));
    fputs("\">", page);
    html_text(page, shown);
    fputs("</data>", page);
    free(shown);
}

void html_string(FILE *page, const char *string, const char *key, ...)
{
    char text[KEY_MOST];
    FORMAT_KEY(text, key);
    if (string == NULL) {
        put_absent(page, text);
        return;
    }
    fputs("<span", page);
    put_key(page, text);
    fputc('>', page);
    html_text(page, string);
    fputs("</span>", page);
}

void html_bytes(FILE *page, double bytes, const char *key, ...)
{
    char text[KEY_MOST];
    double scale;
    FORMAT_KEY(text, key);
    const char *const unit = number_bytes_unit(bytes, &scale);
    if (put_number(page, bytes, -3, scale, text))
        fprintf(page, "&nbsp;%s", unit);
}

void html_count(FILE *page, double count, const char *key, ...)
{
    char text[KEY_MOST], digits[NUMBER_TEXT_MAX];
    FORMAT_KEY(text, key);
    const double value = begin_number(page, count, 1, text);
    if (isfinite(value))
        fprintf(page, "%s</data>", number_text_count(value, digits));
}

void html_json(FILE *page, const char *json)
{
    const unsigned char *at = (const unsigned char *)json, *begin = at;
    while (*at != '\0') {
        const size_t length = utf8_length(at, NULL);
        if (*at != '<' && length > 0) {
            at += length;
            continue;
        }
        fwrite(begin, 1, (size_t)(at - begin), page);
        fputs(*at == '<' ? "\\u003c" : "?", page);
        begin = ++at;
    }
    fwrite(begin, 1, (size_t)(at - begin), page);
}
