#define _GNU_SOURCE /* strcasestr */
#include "rooms/text/table_text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "geometry/base/regular_file.h"

/* ---- words and numbers ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

void text_trim(const char **text, size_t *length)
{
    while (*length > 0 && is_blank((*text)[0])) {
        ++*text;
        --*length;
    }
    while (*length > 0 && is_blank((*text)[*length - 1]))
        --*length;
}

/* A plain decimal number and nothing else; false for words, hexadecimal, "nan" and "inf". */
bool text_number(const char *text, size_t length, double *value)
{
    char copy[64], *end;
    text_trim(&text, &length);
    if (length == 0 || length >= sizeof copy || strspn(text, "0123456789.eE+-") < length)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *value = strtod(copy, &end);
    return *end == '\0';
}

bool text_comma_number(const char *text, size_t length, double *value)
{
    char copy[64];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *comma = strchr(copy, ',');
    if (comma != NULL && strchr(copy, '.') == NULL)
        *comma = '.';
    return text_number(copy, length, value);
}

bool text_frequency(const char *text, double *frequency)
{
    size_t length = strlen(text);
    if (length > 2 && strcasecmp(text + length - 2, "Hz") == 0)
        length -= 2;
    const bool kilo = length > 1 && (text[length - 1] == 'k' || text[length - 1] == 'K');
    const char *mark = text + strcspn(text, ",. ");
    char whole[40];
    if (!kilo && strspn(mark + (mark < text + length), "0123456789") == 3 && mark + 4 == text + length) {
        length = (size_t)snprintf(whole, sizeof whole, "%.*s%.3s", (int)(mark - text), text, mark + 1);
        text = whole;
    }
    if (!text_comma_number(text, length - kilo, frequency))
        return false;
    *frequency *= kilo ? 1000 : 1;
    return true;
}

bool text_is_of_frequencies(const char *heading)
{
    static const char *const parts[] = {"freq", "fr\xC3\xA9q", "frec", "hz", "terz", "oktav", "octav"};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        if (strcasestr(heading, parts[p]) != NULL)
            return true;
    return strcasecmp(heading, "f") == 0;
}

void text_append(char *list, size_t capacity, const char *format, ...)
{
    const size_t used = strlen(list);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(list + used, capacity - used, format, arguments);
    va_end(arguments);
}

/* ---- files ---- */

static int open_stream(const char *path, FILE **stream, struct failure *failure)
{
    int descriptor;
    uint64_t bytes;
    TRY(regular_file_open(path, &descriptor, &bytes, failure));
    if (bytes <= TABLE_BYTES_MAX && (*stream = fdopen(descriptor, "r")) != NULL)
        return 0;
    (void)close(descriptor);
    if (bytes <= TABLE_BYTES_MAX)
        return failure_memory(failure, BUFSIZ, path);
    return failure_at(failure_set(failure, FAILURE_INPUT,
                                  "the file has %llu bytes; a table of materials has at most %d MiB",
                                  (unsigned long long)bytes, TABLE_BYTES_MAX >> 20),
                      failure, path, 0);
}

int csv_open(struct csv **out, const char *path, struct failure *failure)
{
    struct csv *csv = *out = malloc(sizeof *csv);
    if (csv == NULL)
        return failure_memory(failure, sizeof *csv, "reading a table of materials");
    csv->line = 0;
    csv->separator = '\0';
    csv->at = NULL;
    const int code = open_stream(path, &csv->stream, failure);
    if (code != 0) {
        free(csv);
        *out = NULL;
    }
    return code;
}

void csv_close(struct csv *csv)
{
    (void)fclose(csv->stream);
    free(csv);
}

/* The one of comma, semicolon and tab that a line has most of outside quotes; a comma without any. */
static char find_separator(const char *line)
{
    static const char separators[] = ",;\t";
    size_t count[sizeof separators - 1] = {0}, most = 0;
    bool quoted = false;
    for (; *line != '\0'; line++) {
        const char *at = strchr(separators, *line);
        quoted ^= *line == '"';
        if (at != NULL && !quoted)
            count[at - separators]++;
    }
    for (size_t s = 1; s < sizeof count / sizeof *count; s++)
        most = count[s] > count[most] ? s : most;
    return separators[most];
}

int csv_next_line(struct csv *csv, bool *more, struct failure *failure)
{
    for (;;) {
        size_t length = 0;
        int c = 0;
        errno = 0;
        while (length + 1 < sizeof csv->text && c != '\n' && (c = getc(csv->stream)) != EOF)
            csv->text[length++] = (char)c;
        csv->text[length] = '\0';
        if (ferror(csv->stream))
            return failure_set(failure, FAILURE_INPUT, "could not be read: %s", strerror(errno));
        *more = length > 0;
        if (!*more) {
            csv->line = 0;
            return 0;
        }
        ++csv->line;
        if (strlen(csv->text) < length)
            return failure_set(failure, FAILURE_INPUT, "here is a zero byte: save the table as CSV in UTF-8");
        if (length + 1 == sizeof csv->text && c != '\n')
            return failure_set(failure, FAILURE_INPUT, "the line is longer than %d bytes",
                               TABLE_LINE_MAX - 2);
        csv->at = csv->text;
        if (csv->line == 1 && strncmp(csv->at, "\xEF\xBB\xBF", 3) == 0)
            csv->at += 3;
        /* Spreadsheets write a row without anything as separators. */
        const char *content = csv->at + strspn(csv->at, " \t\r\n"),
                   *anything = content + strspn(content, ",; \t\r\n");
        if (*anything == '\0' || *content == '#')
            continue;
        if (csv->separator == '\0')
            csv->separator = find_separator(csv->at);
        return 0;
    }
}

int csv_first_field(struct csv *csv, char **field, struct failure *failure)
{
    bool more;
    TRY(csv_next_line(csv, &more, failure));
    return more ? csv_next_field(csv, field, failure)
                : failure_set(failure, FAILURE_INPUT, "the table is empty");
}

int csv_next_field(struct csv *csv, char **field, struct failure *failure)
{
    *field = NULL;
    if (csv->at == NULL)
        return 0;
    const char *const blanks = csv->separator == '\t' ? " " : " \t";
    char *begin = csv->at + strspn(csv->at, blanks), *end;
    if (*begin == '"') {
        char *to = ++begin, *from = begin;
        while (*from != '\0' && !(from[0] == '"' && from[1] != '"')) {
            from += from[0] == '"' ? 1 : 0; /* "" is one " */
            *to++ = *from++;
        }
        const char *rest = *from == '"' ? from + 1 + strspn(from + 1, blanks) : from;
        rest += strspn(rest, "\r\n");
        if (*from != '"' || (*rest != csv->separator && *rest != '\0'))
            return failure_set(failure, FAILURE_INPUT, "a quote is not closed before a separator");
        csv->at = *rest != '\0' ? (char *)rest + 1 : NULL;
        *to = '\0';
        *field = begin;
        return 0;
    }
    end = strchr(begin, csv->separator);
    csv->at = end == NULL ? NULL : end + 1;
    if (end == NULL)
        end = begin + strlen(begin);
    while (end > begin && is_blank(end[-1]))
        --end;
    *end = '\0';
    *field = begin;
    return 0;
}
