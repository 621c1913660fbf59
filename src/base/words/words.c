#include "src/base/words/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/base/words/catalogue.h"

#define OF_SCRIPT "script\004"

const char *const words_code[WORDS_LANGUAGES + 1] = {[WORDS_ENGLISH] = "en", [WORDS_GERMAN] = "de"};

static const struct catalogue catalogues[WORDS_LANGUAGES] = {[WORDS_GERMAN] = {words_german}};

static enum words_language chosen = WORDS_ENGLISH;

void words_set(enum words_language language)
{
    chosen = language;
}

enum words_language words_language_of(const char *code)
{
    for (int l = 0; l < WORDS_LANGUAGES; l++)
        if (code != NULL && strcmp(code, words_code[l]) == 0)
            return (enum words_language)l;
    return WORDS_ENGLISH;
}

enum words_language words_language(void)
{
    return chosen;
}

const char *words_of(const char *english)
{
    const char *const other =
        english != NULL && english[0] != '\0' ? catalogue_find(&catalogues[chosen], english) : NULL;
    return other != NULL ? other : english; /* "" is the head of a catalogue */
}

size_t words_count(void)
{
    return catalogue_count(&catalogues[chosen]);
}

const char *words_original(size_t index)
{
    return catalogue_original(&catalogues[chosen], index);
}

const char *words_translation(size_t index)
{
    return catalogue_translation(&catalogues[chosen], index);
}

cJSON *words_of_script(void)
{
    const size_t count = words_count(), length = strlen(OF_SCRIPT);
    cJSON *const words = count > 0 ? cJSON_CreateObject() : NULL;
    for (size_t i = 0; words != NULL && i < count; i++) {
        const char *const original = words_original(i);
        if (strncmp(original, OF_SCRIPT, length) == 0)
            cJSON_AddStringToObject(words, original + length, words_translation(i));
    }
    return words;
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
