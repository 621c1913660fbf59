#include "geometry/base/failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

void blot_control_characters(char *text)
{
    for (; *text != '\0'; ++text)
        if ((unsigned char)*text < ' ' || *text == 0x7F)
            *text = '?';
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
    }
    return (int)code;
}

int failure_memory(struct failure *failure, unsigned long long bytes, const char *purpose)
{
    if (bytes == 0)
        return failure_set(failure, FAILURE_CAPACITY, "out of memory for %s", purpose);
    return failure_set(failure, FAILURE_CAPACITY,
                       "out of memory: %llu bytes for %s could not be had; use a lower --fmax or a larger "
                       "--spacing, or a machine with more memory",
                       bytes, purpose);
}

enum failure_code failure_of_errno(int error, enum failure_code otherwise)
{
    return error == ENOMEM || error == EMFILE || error == ENFILE ? FAILURE_CAPACITY : otherwise;
}
