#include "src/present/compare/distinct_numbers.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "src/base/words/words.h"

#define DIGITS_MOST 12

/* Decimals with which the larger of two has so many significant digits. */
static int decimals_for(double first, double second, int digits)
{
    const double larger = fmax(fabs(first), fabs(second));
    const int whole = larger > 0 && larger < 1e300 ? (int)floor(log10(larger)) + 1 : 1;
    return digits > whole ? digits - whole : 0;
}

static struct distinct_numbers with_decimals(double first, double second, int decimals)
{
    struct distinct_numbers numbers;
    snprintf(numbers.first, sizeof numbers.first, "%.*f", decimals, first);
    snprintf(numbers.second, sizeof numbers.second, "%.*f", decimals, second);
    return numbers;
}

static struct distinct_numbers find_decimals(double first, double second, int decimals)
{
    const int most = decimals_for(first, second, DIGITS_MOST);
    struct distinct_numbers numbers = with_decimals(first, second, decimals);
    while (first != second && strcmp(numbers.first, numbers.second) == 0 && decimals < most)
        numbers = with_decimals(first, second, ++decimals);
    return numbers;
}

static bool ends_with(const char *text, char last)
{
    const size_t length = strlen(text);
    return length > 0 && text[length - 1] == last;
}

static void shorten_numbers(struct distinct_numbers *numbers)
{
    numbers->first[strlen(numbers->first) - 1] = '\0';
    numbers->second[strlen(numbers->second) - 1] = '\0';
}

static struct distinct_numbers in_language(struct distinct_numbers numbers)
{
    words_point(numbers.first);
    words_point(numbers.second);
    return numbers;
}

struct distinct_numbers distinct_decimals(double first, double second, int decimals)
{
    return in_language(find_decimals(first, second, decimals));
}

struct distinct_numbers distinct_digits(double first, double second, int digits)
{
    struct distinct_numbers numbers = find_decimals(first, second, decimals_for(first, second, digits));
    while (strchr(numbers.first, '.') != NULL && ends_with(numbers.first, '0') &&
           ends_with(numbers.second, '0'))
        shorten_numbers(&numbers);
    if (ends_with(numbers.first, '.'))
        shorten_numbers(&numbers);
    if (first == 0)
        snprintf(numbers.first, sizeof numbers.first, "0");
    if (second == 0)
        snprintf(numbers.second, sizeof numbers.second, "0");
    return in_language(numbers);
}
