#include "src/draw/html.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/utf8.h"
#include "src/words/words.h"

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

/* `sentence`: what a reader reads, and not what may be copied to be run. */
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

/* Names of a run's data stand in a key too. */
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

/* "1 234 567", thin blanks between. */
static void put_thousands(FILE *page, double value)
{
    char digits[40];
    snprintf(digits, sizeof digits, fabs(value) < 1e15 ? "%.0f" : "%.17g", fabs(value));
    const size_t count = strlen(digits);
    if (value < 0)
        fputs("\xE2\x88\x92", page);
    for (size_t i = 0; i < count; i++)
        fprintf(page, "%s%c", i > 0 && (count - i) % 3 == 0 && fabs(value) < 1e15 ? "\xE2\x80\xAF" : "",
                digits[i]);
}

static void put_plain(FILE *page, double value, int decimals)
{
    char text[64];
    if (fabs(value) >= 1e15) /* no length or time; digits would fill the line */
        snprintf(text, sizeof text, "%.17g", value);
    else if (decimals >= 0)
        snprintf(text, sizeof text, "%.*f", decimals, value);
    else {
        /* So many digits, without an exponent: 7840, 78.4, 0.0784. */
        const int digits = -decimals, before = value != 0 ? (int)floor(log10(fabs(value))) + 1 : 1;
        const double unit = pow(10, before - digits);
        snprintf(text, sizeof text, "%.*f", digits > before ? digits - before : 0,
                 before > digits ? round(value / unit) * unit : value);
    }
    if (strspn(text, "-0.") == strlen(text) && text[0] == '-')
        memmove(text, text + 1, strlen(text)); /* no -0 */
    words_point(text);
    fprintf(page, "%s%s", text[0] == '-' ? "\xE2\x88\x92" : "", text + (text[0] == '-'));
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
    value = begin_number(page, value, scale, key);
    if (!isfinite(value))
        return false;
    put_plain(page, value, decimals);
    fputs("</data>", page);
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
    const char *const shown = T(word);
    if (shown == word) {
        html_string(page, word, "%s", text);
        return;
    }
    fputs("<data", page);
    put_key(page, text);
    fputs(" value=\"", page);
    html_piece(page, word, strlen(word));
    fputs("\">", page);
    html_text(page, shown);
    fputs("</data>", page);
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
    static const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
    char text[KEY_MOST];
    int power = 0;
    double scale = 1;
    FORMAT_KEY(text, key);
    while (power < 4 && fabs(bytes) * scale >= 999.5) {
        power++;
        scale /= 1000;
    }
    if (put_number(page, bytes, -3, scale, text))
        fprintf(page, "&nbsp;%s", unit[power]);
}

void html_count(FILE *page, double count, const char *key, ...)
{
    char text[KEY_MOST];
    FORMAT_KEY(text, key);
    const double value = begin_number(page, count, 1, text);
    if (!isfinite(value))
        return;
    put_thousands(page, value);
    fputs("</data>", page);
}

/* ---- tables ---- */

void html_heads(FILE *page, size_t count, const char *const head[])
{
    fputs("<thead><tr>", page);
    for (size_t i = 0; i < count; i++)
        fprintf(page, "<th scope=\"col\">%s</th>", head[i]);
    fputs("</tr></thead>\n<tbody>\n", page);
}

void html_row_end(FILE *page)
{
    fputs("</tr>\n", page);
}

void html_table_end(FILE *page)
{
    fputs("</tbody>\n</table>\n", page);
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
