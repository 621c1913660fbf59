#include "rooms/table_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

void text_append(char *list, size_t capacity, const char *format, ...)
{
    const size_t used = strlen(list);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(list + used, capacity - used, format, arguments);
    va_end(arguments);
}

/* ---- files ---- */

int table_file_open(const char *path, FILE **stream, size_t *bytes, struct failure *failure)
{
    int status = 0;
    struct stat about;
    *stream = NULL;
    /* Not blocking: a FIFO must be refused, not waited for. */
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 || fstat(descriptor, &about) != 0)
        status = failure_set(failure, FAILURE_INPUT, "%s could not be opened: %s", path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        status = failure_set(failure, FAILURE_INPUT, "%s is %s, not a file with a table in it", path,
                             S_ISDIR(about.st_mode) ? "a folder" : "a device or pipe");
    else if (about.st_size > (off_t)TABLE_MEBIBYTES_MAX << 20)
        status =
            failure_set(failure, FAILURE_INPUT, "%s has %lld bytes; a table of materials has at most %d MiB",
                        path, (long long)about.st_size, TABLE_MEBIBYTES_MAX);
    else if ((*stream = fdopen(descriptor, "r")) == NULL)
        status = failure_set(failure, FAILURE_INPUT, "%s could not be opened: %s", path, strerror(errno));
    if (*stream == NULL && descriptor >= 0)
        (void)close(descriptor);
    if (status == 0 && bytes != NULL)
        *bytes = (size_t)about.st_size;
    return status;
}

int csv_open(struct csv **out, const char *path, struct failure *failure)
{
    struct csv *csv = *out = malloc(sizeof *csv);
    if (csv == NULL)
        return failure_memory(failure, sizeof *csv, "reading a table of materials");
    csv->path = path;
    csv->line = 0;
    csv->at = NULL;
    const int code = table_file_open(path, &csv->stream, NULL, failure);
    if (code != 0) {
        free(csv);
        *out = NULL;
    }
    return code;
}

void csv_close(struct csv *csv)
{
    if (csv == NULL)
        return;
    (void)fclose(csv->stream);
    free(csv);
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
            return failure_set(failure, FAILURE_INPUT, "%s could not be read: %s", csv->path,
                               strerror(errno));
        if (length == 0) {
            *more = false;
            return 0;
        }
        ++csv->line;
        if (strlen(csv->text) < length)
            return failure_set(failure, FAILURE_INPUT,
                               "%s, line %zu holds a zero byte: save the table as CSV in UTF-8", csv->path,
                               csv->line);
        if (length + 1 == sizeof csv->text && c != '\n')
            return failure_set(failure, FAILURE_INPUT, "%s, line %zu is longer than %d bytes", csv->path,
                               csv->line, TABLE_LINE_MAX - 2);
        csv->at = csv->text;
        if (csv->line == 1 && strncmp(csv->at, "\xEF\xBB\xBF", 3) == 0)
            csv->at += 3;
        /* Spreadsheets write a row without anything as commas. */
        const char *content = csv->at + strspn(csv->at, " \t\r\n"),
                   *anything = content + strspn(content, ", \t\r\n");
        if (*anything != '\0' && *content != '#') {
            *more = true;
            return 0;
        }
    }
}

int csv_next_field(struct csv *csv, char **field, struct failure *failure)
{
    *field = NULL;
    if (csv->at == NULL)
        return 0;
    char *begin = csv->at + strspn(csv->at, " \t"), *end;
    if (*begin == '"') {
        char *to = ++begin, *from = begin;
        while (*from != '\0' && !(from[0] == '"' && from[1] != '"')) {
            from += from[0] == '"' ? 1 : 0; /* "" is one " */
            *to++ = *from++;
        }
        const char *rest = *from == '"' ? from + 1 + strspn(from + 1, " \t\r\n") : from;
        if (*from != '"' || (*rest != ',' && *rest != '\0'))
            return failure_set(failure, FAILURE_INPUT, "%s, line %zu: a quote is not closed before a comma",
                               csv->path, csv->line);
        csv->at = *rest == ',' ? (char *)rest + 1 : NULL;
        *to = '\0';
        *field = begin;
        return 0;
    }
    end = strchr(begin, ',');
    csv->at = end == NULL ? NULL : end + 1;
    if (end == NULL)
        end = begin + strlen(begin);
    while (end > begin && is_blank(end[-1]))
        --end;
    *end = '\0';
    *field = begin;
    return 0;
}
