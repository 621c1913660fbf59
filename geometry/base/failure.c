#include "geometry/base/failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "geometry/base/name_text.h"

void blot_control_characters(char *text)
{
    blot_all_but(text, "");
}

int failure_set(struct failure *failure, enum failure_code code, const char *format, ...)
{
    if (failure != NULL) {
        va_list arguments;
        va_start(arguments, format);
        failure->code = code;
        (void)vsnprintf(failure->sentence, sizeof failure->sentence, format, arguments);
        va_end(arguments);
        blot_control_characters(failure->sentence);
        failure->file[0] = failure->fix[0] = failure->note[0] = failure->subject[0] = '\0';
        failure->line = 0;
        failure->advice = ADVICE_NONE;
        failure->advice_value = 0;
        failure->memory_short = false;
        failure->about = SUBJECT_NONE;
    }
    return (int)code;
}

int failure_at(int code, struct failure *failure, const char *file, size_t line)
{
    if (failure != NULL && file != NULL) {
        (void)snprintf(failure->file, sizeof failure->file, "%s", file);
        blot_control_characters(failure->file);
    }
    if (failure != NULL && line > 0)
        failure->line = line;
    return code;
}

int failure_advise(int code, struct failure *failure, enum failure_advice advice, double value)
{
    if (failure != NULL) {
        failure->advice = advice;
        failure->advice_value = value;
    }
    return code;
}

int failure_fix(int code, struct failure *failure, const char *format, ...)
{
    if (failure != NULL) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(failure->fix, sizeof failure->fix, format, arguments);
        va_end(arguments);
        blot_control_characters(failure->fix);
    }
    return code;
}

int failure_about(int code, struct failure *failure, enum failure_subject about, const char *name)
{
    size_t used = failure != NULL && failure->about == about ? strlen(failure->subject) : 0;
    if (failure == NULL || used + strlen(name) + 2 > sizeof failure->subject)
        return code;
    failure->about = about;
    if (used > 0)
        failure->subject[used++] = '\n';
    (void)snprintf(failure->subject + used, sizeof failure->subject - used, "%s", name);
    blot_control_characters(failure->subject + used);
    return code;
}

int failure_forward(struct failure *failure, const struct failure *inner)
{
    if (failure != NULL)
        *failure = *inner;
    return (int)inner->code;
}

int failure_wrap(struct failure *failure, const struct failure *inner, const char *format, ...)
{
    if (failure != NULL) {
        const struct failure carried = *inner; /* may be `failure` itself */
        va_list arguments;
        *failure = carried;
        va_start(arguments, format);
        (void)vsnprintf(failure->sentence, sizeof failure->sentence, format, arguments);
        va_end(arguments);
        blot_control_characters(failure->sentence);
        const size_t used = strlen(failure->sentence);
        (void)snprintf(failure->sentence + used, sizeof failure->sentence - used, "%s", carried.sentence);
    }
    return (int)inner->code;
}

const char *failure_where(const struct failure *failure, char text[FAILURE_WHERE_MAX])
{
    char line[32] = "";
    const bool of_file = failure->file[0] != '\0';
    if (failure->line > 0)
        (void)snprintf(line, sizeof line, "%sline %zu", of_file ? ", " : "", failure->line);
    (void)snprintf(text, FAILURE_WHERE_MAX, "%s%s%s", failure->file, line,
                   of_file || failure->line > 0 ? ": " : "");
    return text;
}

int failure_join(int code, struct failure *failure, const struct failure *next)
{
    static const char more[] = "\nand more";
    char where[FAILURE_WHERE_MAX];
    if (next->code == FAILURE_NONE || (code != 0 && code != FAILURE_INPUT))
        return code;
    if (code == 0 || next->code != FAILURE_INPUT)
        return failure_forward(failure, next);
    if (failure == NULL)
        return code;
    const char *lines = strchr(next->note, '\n');
    const size_t used = strlen(failure->note), room = sizeof failure->note - sizeof more - used;
    const bool full = used >= strlen(more) && strcmp(failure->note + used - strlen(more), more) == 0;
    if (full)
        return code;
    const int taken =
        snprintf(failure->note + used, room, "\n%s%s%s%s%s", failure_where(next, where), next->sentence,
                 next->fix[0] != '\0' ? "; " : "", next->fix, lines != NULL ? lines : "");
    if (taken < 0 || (size_t)taken >= room)
        memcpy(failure->note + used, more, sizeof more);
    return code;
}

int failure_memory(struct failure *failure, unsigned long long bytes, const char *purpose)
{
    int code;
    if (bytes == 0)
        code = failure_set(failure, FAILURE_CAPACITY, "out of memory for %s", purpose);
    else
        code = failure_advise(failure_set(failure, FAILURE_CAPACITY,
                                          "out of memory: %llu bytes for %s could not be allocated", bytes,
                                          purpose),
                              failure, ADVICE_LESS_MEMORY, 0);
    if (failure != NULL)
        failure->memory_short = true;
    return code;
}

int failure_interrupted(struct failure *failure)
{
    return failure_set(failure, FAILURE_INTERRUPTED, "interrupted; no result was written");
}

enum failure_code failure_of_errno(int error, enum failure_code otherwise)
{
    return error == ENOMEM || error == EMFILE || error == ENFILE ? FAILURE_CAPACITY : otherwise;
}
