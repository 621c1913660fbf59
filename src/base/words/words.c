#include "src/base/words/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const words_code[WORDS_LANGUAGES + 1] = {[WORDS_ENGLISH] = "en", [WORDS_GERMAN] = "de"};

static enum words_language chosen = WORDS_ENGLISH;

void words_set(enum words_language language)
{
    chosen = language;
}

enum words_language words_language(void)
{
    return chosen;
}

const char *words_of(const char *english)
{
    static const struct words_table *const german[] = {&german_summary, &german_figures, &german_room,
                                                       &german_run,     &german_compare, &german_glossary,
                                                       &german_script};
    if (english == NULL || chosen == WORDS_ENGLISH)
        return english;
    for (size_t t = 0; t < sizeof german / sizeof german[0]; t++)
        for (size_t i = 0; i < german[t]->count; i++)
            if (strcmp(german[t]->pair[i].english, english) == 0)
                return german[t]->pair[i].other;
    return english;
}

struct words_table words_of_script(void)
{
    return chosen == WORDS_GERMAN ? german_script : (struct words_table){0};
}

/* Only numbers are handed over: a point is the decimal sign. */
void words_point(char *number)
{
    for (char *point = number; chosen == WORDS_GERMAN && (point = strchr(point, '.')) != NULL;)
        *point = ',';
}

struct words_number words_number(const char *format, ...)
{
    struct words_number number;
    va_list values;
    va_start(values, format);
    (void)vsnprintf(number.text, sizeof number.text, format, values);
    va_end(values);
    words_point(number.text);
    return number;
}
