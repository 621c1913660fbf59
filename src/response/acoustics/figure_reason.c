#include "src/response/acoustics/figure_reason.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BETWEEN "; "
#define BEHIND  ": "

static void append_text(char *why, size_t size, const char *text)
{
    strncat(why, text, size - strlen(why) - 1);
}

void figure_reason_add(char *why, size_t size, unsigned figures, const char *format, ...)
{
    if (figures == 0)
        return;
    append_text(why, size, why[0] != '\0' ? BETWEEN : "");
    for (int f = 0; f < ALL_FIGURES; f++) {
        const unsigned later = figures >> (f + 1);
        if ((figures & FIGURE_BIT(f)) == 0)
            continue;
        append_text(why, size, figure_kind[f].word);
        append_text(why, size, later == 0 ? BEHIND : (later & (later - 1)) == 0 ? " and " : ", ");
    }
    const size_t used = strlen(why);
    va_list values;
    va_start(values, format);
    vsnprintf(why + used, size - used, format, values);
    va_end(values);
}

/* Is `word` one of the names before the colon of a clause? */
static bool names_figure(const char *clause, const char *colon, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(clause, word); at != NULL && at < colon; at = strstr(at + 1, word))
        if ((at == clause || at[-1] == ' ') && strchr(", :", at[length]) != NULL)
            return true;
    return false;
}

bool figure_reason_find(const char *why, enum figure figure, char *text, size_t size)
{
    for (const char *clause = why, *end; clause != NULL && *clause != '\0'; clause = end) {
        const char *next = strstr(clause, BETWEEN), *colon = strstr(clause, BEHIND);
        const size_t length = next != NULL ? (size_t)(next - clause) : strlen(clause);
        end = next != NULL ? next + strlen(BETWEEN) : NULL;
        if (colon == NULL || colon >= clause + length ||
            !names_figure(clause, colon, figure_kind[figure].word))
            continue;
        colon += strlen(BEHIND);
        snprintf(text, size, "%.*s", (int)(clause + length - colon), colon);
        return true;
    }
    return false;
}
