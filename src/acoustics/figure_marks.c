#include "src/acoustics/figure_marks.h"

#include <string.h>

static const char letter[] = "cud"; /* in the order of enum figure_mark */

unsigned figure_marks(double curvature, double nonlinearity, bool two_slopes)
{
    return (curvature > REVERBERATION_CURVATURE ? FIGURE_CURVED : 0u) |
           (nonlinearity > REVERBERATION_NONLINEARITY ? FIGURE_UNEVEN : 0u) |
           (two_slopes ? FIGURE_TWO_SLOPES : 0u);
}

unsigned figure_marks_of(const struct octave_times *times)
{
    return figure_marks(times->curvature, times->nonlinearity, times->slopes.found);
}

const char *figure_marks_text(unsigned marks, char text[FIGURE_MARKS_MAX])
{
    size_t used = 0;
    for (size_t i = 0; letter[i] != '\0'; i++)
        if ((marks >> i & 1) != 0)
            text[used++] = letter[i];
    text[used] = '\0';
    return text;
}

unsigned figure_marks_read(const char *text)
{
    unsigned marks = 0;
    for (size_t i = 0; letter[i] != '\0'; i++)
        marks |= strchr(text, letter[i]) != NULL ? 1u << i : 0;
    return marks;
}

bool figure_is_marked(enum figure figure)
{
    return figure == FIGURE_T20 || figure == FIGURE_T30;
}
