#include "src/base/table/number_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "src/base/words/words.h"

#define LARGE 1e15 /* no length or time; digits would fill the line */
#define MINUS "\xE2\x88\x92"

const char *number_text(double value, int decimals, char text[NUMBER_TEXT_MAX])
{
    char digits[NUMBER_TEXT_MAX - sizeof MINUS];
    if (fabs(value) >= LARGE) {
        snprintf(digits, sizeof digits, "%.17g", value);
    } else if (decimals >= 0) {
        snprintf(digits, sizeof digits, "%.*f", decimals, value);
    } else {
        const int before = value != 0 ? (int)floor(log10(fabs(value))) + 1 : 1;
        const double unit = pow(10, before + decimals);
        snprintf(digits, sizeof digits, "%.*f", -decimals > before ? -decimals - before : 0,
                 before > -decimals ? round(value / unit) * unit : value);
    }
    const bool negative = digits[0] == '-', zero = strspn(digits, "-0.") == strlen(digits);
    words_point(digits);
    snprintf(text, NUMBER_TEXT_MAX, "%s%s", negative && !zero ? MINUS : "", digits + negative);
    return text;
}

const char *number_text_count(double value, char text[NUMBER_TEXT_MAX])
{
    char digits[40];
    const bool large = fabs(value) >= LARGE;
    snprintf(digits, sizeof digits, large ? "%.17g" : "%.0f", fabs(value));
    const size_t count = strlen(digits);
    size_t used = (size_t)snprintf(text, NUMBER_TEXT_MAX, "%s", value < 0 ? MINUS : "");
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, NUMBER_TEXT_MAX - used, "%s%c",
                                 !large && i > 0 && (count - i) % 3 == 0 ? "\xE2\x80\xAF" : "", digits[i]);
    return text;
}

const char *number_bytes_unit(double bytes, double *scale)
{
    static const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
    int power = 0;
    *scale = 1;
    while (power < 4 && fabs(bytes) * *scale >= 999.5) {
        power++;
        *scale /= 1000;
    }
    return unit[power];
}

const char *format_bytes(double bytes, char text[32])
{
    static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    int u = 0;
    while (u < 5 && bytes >= 999.5) {
        bytes /= 1000;
        u++;
    }
    snprintf(text, 32, u == 0 ? "%.0f %s" : "%.3g %s", bytes, unit[u]);
    return text;
}

const char *format_seconds(double seconds, char text[32])
{
    if (!(seconds < 1e9))
        snprintf(text, 32, "more than 30 years");
    else if (seconds < 59.5)
        snprintf(text, 32, "%.2g s", seconds);
    else if (seconds < 3570)
        snprintf(text, 32, "%d min %d s", (int)(seconds + 0.5) / 60, (int)(seconds + 0.5) % 60);
    else
        snprintf(text, 32, "%.1f h", seconds / 3600);
    return text;
}

const char *format_hertz(double hertz, char text[32])
{
    snprintf(text, 32, hertz < 100 ? "%.3g" : "%.0f", hertz);
    return text;
}
