#include "src/base/told_apart.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define DIGITS_MOST 12

/* Decimals with which the larger of two has so many significant digits. */
static int decimals_for(double first, double second, int digits)
{
    const double larger = fmax(fabs(first), fabs(second));
    const int whole = larger > 0 && larger < 1e300 ? (int)floor(log10(larger)) + 1 : 1;
    return digits > whole ? digits - whole : 0;
}

static struct told with_decimals(double first, double second, int decimals)
{
    struct told told;
    snprintf(told.first, sizeof told.first, "%.*f", decimals, first);
    snprintf(told.second, sizeof told.second, "%.*f", decimals, second);
    return told;
}

struct told told_decimals(double first, double second, int decimals)
{
    const int most = decimals_for(first, second, DIGITS_MOST);
    struct told told = with_decimals(first, second, decimals);
    while (first != second && strcmp(told.first, told.second) == 0 && decimals < most)
        told = with_decimals(first, second, ++decimals);
    return told;
}

static bool ends_with(const char *text, char last)
{
    const size_t length = strlen(text);
    return length > 0 && text[length - 1] == last;
}

static void shorten(struct told *told)
{
    told->first[strlen(told->first) - 1] = '\0';
    told->second[strlen(told->second) - 1] = '\0';
}

struct told told_digits(double first, double second, int digits)
{
    struct told told = told_decimals(first, second, decimals_for(first, second, digits));
    while (strchr(told.first, '.') != NULL && ends_with(told.first, '0') && ends_with(told.second, '0'))
        shorten(&told);
    if (ends_with(told.first, '.'))
        shorten(&told);
    if (first == 0)
        snprintf(told.first, sizeof told.first, "0");
    if (second == 0)
        snprintf(told.second, sizeof told.second, "0");
    return told;
}

int told_bytes(const char *text, int most)
{
    int bytes = (int)strnlen(text, (size_t)most + 1);
    if (bytes <= most)
        return bytes;
    for (bytes = most; bytes > 0 && ((unsigned char)text[bytes] & 0xC0) == 0x80;)
        bytes--;
    return bytes;
}
