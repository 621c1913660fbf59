/* Sentences that were printed in English, taken apart by the formats of the catalogue. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/words/catalogue.h"
#include "src/base/words/words.h"

#define OF_SAID   "said\004"
#define ARGUMENTS 9

/* What a conversion of a format printed. */
struct argument {
    const char *at;
    size_t length;
    bool words;
};

static bool is_literal(const char *format)
{
    return *format != '%' || format[1] == '%';
}

static size_t conversion_length(const char *format)
{
    return 1 + strcspn(format + 1, "diuxfegs") + 1;
}

/* Can `format` have printed the text from `text` to `end`? A conversion takes as little as it can. */
static bool fits(const char *format, const char *text, const char *end, struct argument argument[],
                 size_t left)
{
    for (; *format != '\0' && is_literal(format); format += *format == '%' ? 2 : 1)
        if (text == end || *text++ != *format)
            return false;
    if (*format == '\0' || left == 0)
        return *format == '\0' && text == end;
    const size_t length = conversion_length(format);
    argument->at = text;
    argument->words = format[length - 1] == 's';
    for (argument->length = 0; text + argument->length <= end; argument->length++) {
        const char *const next = text + argument->length;
        if (fits(format + length, next, end, argument + 1, left - 1))
            return true;
        if (next == end || (!argument->words && strchr("+-.0123456789aefin", *next) == NULL))
            return false;
    }
    return false;
}

static size_t count_literals(const char *format)
{
    size_t count = 0;
    while (*format != '\0') {
        count += is_literal(format);
        format += !is_literal(format) ? conversion_length(format) : *format == '%' ? 2 : 1;
    }
    return count;
}

/* The translation of the format that fits and has most of its own words; NULL: none. */
static const char *find_format(const char *text, size_t length, struct argument argument[ARGUMENTS])
{
    const char *found = NULL;
    size_t most = 0;
    for (size_t i = 0; i < words_count(); i++) {
        struct argument own[ARGUMENTS];
        const char *const original = words_original(i), *const format = original + strlen(OF_SAID);
        if (strncmp(original, OF_SAID, strlen(OF_SAID)) != 0 || count_literals(format) <= most ||
            !fits(format, text, text + length, own, ARGUMENTS))
            continue;
        memcpy(argument, own, sizeof own);
        most = count_literals(format);
        found = words_translation(i);
    }
    return found;
}

static void put_said(FILE *out, const char *text, size_t length);

static void put_translation(FILE *out, const char *format, const struct argument *argument)
{
    while (*format != '\0') {
        if (is_literal(format)) {
            fputc(*format, out);
            format += *format == '%' ? 2 : 1;
            continue;
        }
        char number[48];
        snprintf(number, sizeof number, "%.*s", (int)argument->length, argument->at);
        words_point(number);
        if (argument->words)
            put_said(out, argument->at, argument->length);
        else
            fputs(number, out);
        argument++;
        format += conversion_length(format);
    }
}

/* The first part behind `mark` and a blank that a format fits, or else the last one if `any`; 0: none. */
static size_t find_part(const char *text, size_t length, char mark, bool any)
{
    struct argument argument[ARGUMENTS];
    size_t last = 0;
    for (size_t at = 1; at + 2 < length; at++)
        if (text[at] == mark && text[at + 1] == ' ') {
            if (find_format(text + at + 2, length - at - 2, argument) != NULL)
                return at + 2;
            last = at + 2;
        }
    return any ? last : 0;
}

/* Of "SENTENCE; ADVICE", "NAME: SENTENCE" and "NAME: SENTENCE; NAME: SENTENCE" each part by itself. */
static void put_said(FILE *out, const char *text, size_t length)
{
    struct argument argument[ARGUMENTS];
    size_t part = find_part(text, length, ';', false);
    const char *const format = part == 0 ? find_format(text, length, argument) : NULL;
    if (format != NULL) {
        put_translation(out, format, argument);
        return;
    }
    part = part == 0 ? find_part(text, length, ';', true) : part;
    part = part == 0 ? find_part(text, length, ':', false) : part;
    if (part == 0) {
        fwrite(text, 1, length, out);
        return;
    }
    put_said(out, text, part - 2);
    fwrite(text + part - 2, 1, 2, out);
    put_said(out, text + part, length - part);
}

char *words_of_said(const char *sentence)
{
    char *said = NULL;
    size_t size = 0;
    FILE *const out = sentence != NULL ? open_memstream(&said, &size) : NULL;
    if (out == NULL)
        return NULL;
    if (T(sentence) != sentence)
        fputs(T(sentence), out);
    else
        put_said(out, sentence, strlen(sentence));
    return fclose(out) == 0 ? said : NULL;
}
