#include <stdlib.h>

#include "src/report/sections/report_page.h"

/* What a part writes of one run, owned by the caller; NULL without memory. */
static char *written(const struct report *report, report_part part, size_t run)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return NULL;
    part(stream, report, run);
    if (fclose(stream) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Keys say which run a value is of; what is read is the rest. */
static bool read_alike(const char *first, const char *second)
{
    static const char key[] = "data-key=\"runs.";
    while (*first == *second && *first != '\0') {
        if (strncmp(first, key, sizeof key - 1) == 0 && strncmp(second, key, sizeof key - 1) == 0) {
            first += sizeof key - 1;
            second += sizeof key - 1;
            if (*first == '0' && *second == '1')
                second++, first++;
            continue;
        }
        first++;
        second++;
    }
    return *first == *second;
}

bool report_part_alike(const struct report *report, report_part part)
{
    if (report->runs != 2)
        return false;
    char *first = written(report, part, 0), *second = written(report, part, 1);
    const bool alike = first != NULL && second != NULL && read_alike(first, second);
    free(first);
    free(second);
    return alike;
}
