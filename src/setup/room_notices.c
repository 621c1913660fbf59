#include "src/setup/room_notices.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/options/failure_text.h"
#include "src/base/options/messages.h"
#include "src/base/words/words.h"

void room_notices_free(struct room_notices *notices)
{
    for (size_t i = 0; i < notices->warning_count; i++)
        free(notices->warning[i]);
    free(notices->warning);
    *notices = (struct room_notices){0};
}

void room_say(const struct room_notices *notices, const char *format, ...)
{
    if (notices->quiet)
        return;
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    blot_control_characters(text);
    fprintf(stderr, "%s\n", text);
}

void room_warn_advise(struct room_notices *notices, enum failure_advice advice, double value,
                      const char *format, ...)
{
    char text[1000], mends[ADVICE_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    blot_control_characters(text);
    advice_text_for(notices->command, advice, value, mends);
    if (!notices->silent)
        message_warning(stderr, mends, "%s", text);
    const size_t used = strlen(text);
    if (mends[0] != '\0')
        snprintf(text + used, sizeof text - used, "; %s", mends);
    /* A warning that cannot be kept was still printed. */
    char **grown = realloc(notices->warning, (notices->warning_count + 1) * sizeof *grown);
    if (grown == NULL)
        return;
    notices->warning = grown;
    grown[notices->warning_count] = strdup(text);
    if (grown[notices->warning_count] != NULL)
        notices->warning_count++;
}

const char *room_place(const double position[3], char text[ROOM_PLACE_MAX])
{
    double rounded[3];
    for (int axis = 0; axis < 3; axis++)
        rounded[axis] = round(position[axis] * 1000) / 1000 + 0.0; /* no -0 */
    snprintf(text, ROOM_PLACE_MAX, SAID("%.10g, %.10g, %.10g m"), rounded[0], rounded[1], rounded[2]);
    return text;
}
