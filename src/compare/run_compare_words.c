#include "src/compare/run_compare_words.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "src/base/told_apart.h"

#define NAME(text) TOLD_TEXT(text, 60)

/* What is heard, when there is less of it [0] and more of it [1]. */
static const char *const heard[ASPECTS][2] = {
    [ASPECT_REVERBERATION] = {"shorter reverberation", "longer reverberation"},
    [ASPECT_CLARITY] = {"less clear sound", "clearer sound"},
    [ASPECT_LOUDNESS] = {"quieter sound", "louder sound"},
    [ASPECT_WIDTH] = {"narrower sound", "wider sound"},
    [ASPECT_SPEECH] = {"speech that is harder to follow", "speech that is easier to follow"},
};

/* A figure of the comparison, in an octave or as it is. */
struct candidate {
    const struct compared_value *value; /* NULL: none */
    int figure, octave;                 /* octave 0: a single number */
};

static double jnds_of(const struct candidate *candidate)
{
    return candidate->value != NULL ? fabs(candidate->value->jnds) : 0;
}

/* What is larger; NaN never is. */
static void take_larger(struct candidate *most, const struct compared_value *value, int figure, int octave)
{
    if (fabs(value->jnds) > jnds_of(most))
        *most = (struct candidate){value, figure, octave};
}

/* ---- the finding ---- */

struct finding {
    struct candidate heard[ASPECTS][2], any, within;
    bool compared; /* some figure is in both */
};

static void consider(struct finding *finding, const struct compared_value *value, int figure, int octave)
{
    const struct figure_kind *kind = &figure_kind[figure];
    if (!isfinite(value->jnds))
        return;
    finding->compared = true;
    take_larger(&finding->any, value, figure, octave);
    if (fabs(value->jnds) >= 1 && compared_certainty(value) == CERTAINTY_WITHIN)
        take_larger(&finding->within, value, figure, octave);
    else if (fabs(value->jnds) >= 1)
        take_larger(&finding->heard[kind->aspect][kind->sense * value->jnds > 0], value, figure, octave);
}

static struct finding find(const struct run_comparison *comparison)
{
    struct finding finding = {0};
    for (int f = 0; f < ALL_FIGURES; f++) {
        for (size_t b = 0; f < OCTAVE_FIGURES && b < comparison->bands; b++)
            consider(&finding, &comparison->mean[f][b].value, f, comparison->octave[b]);
        if (f >= OCTAVE_FIGURES)
            consider(&finding, &comparison->single[f].value, f, 0);
    }
    for (size_t g = 0; comparison->pairs == 0 && g < comparison->grids; g++)
        for (int f = 0; f < PRESSURE_FIGURES; f++)
            for (size_t b = 0; b < comparison->bands; b++)
                consider(&finding, &comparison->grid[g].mean[f][b].value, f, comparison->octave[b]);
    return finding;
}

/* "T30 at 500 Hz, 4.3 JND" */
static void figure_words(const struct candidate *candidate, char text[96])
{
    char octave[32] = "";
    if (candidate->octave > 0)
        snprintf(octave, sizeof octave, " at %d Hz", candidate->octave);
    snprintf(text, 96, "%s%s, %.1f JND", figure_kind[candidate->figure].word, octave,
             jnds_of(candidate));
}

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text + used, size - used, format, values);
    va_end(values);
}

/* The largest first. Returns how many. */
static int put_heard(struct finding *finding, char *text)
{
    int count = 0;
    for (;; count++) {
        int hearing = -1, way = 0;
        for (int h = 0; h < ASPECTS; h++)
            for (int w = 0; w < 2; w++)
                if (finding->heard[h][w].value != NULL &&
                    (hearing < 0 ||
                     jnds_of(&finding->heard[h][w]) > jnds_of(&finding->heard[hearing][way]))) {
                    hearing = h;
                    way = w;
                }
        if (hearing < 0)
            return count;
        char figure[96];
        figure_words(&finding->heard[hearing][way], figure);
        append(text, RUN_FINDING_MAX, "%s%s (%s)", count == 0 ? "a listener would notice: " : ", ",
               heard[hearing][way], figure);
        finding->heard[hearing][way].value = NULL;
    }
}

/* What differs most in a pair; without what the place of the grid may have done, where `certain`. */
static struct candidate most_of_pair(const struct run_comparison *comparison, size_t p, bool certain)
{
    const struct compared_pair *pair = &comparison->pair[p];
    struct candidate most = {0};
    for (int f = 0; f < ALL_FIGURES; f++)
        for (size_t b = 0; b < (f < OCTAVE_FIGURES ? comparison->bands : 1); b++) {
            const bool octave = f < OCTAVE_FIGURES;
            const struct compared_value *value = octave ? &pair->octave[f][b] : &pair->single[f];
            if (!certain || compared_certainty(value) != CERTAINTY_WITHIN)
                take_larger(&most, value, f, octave ? comparison->octave[b] : 0);
        }
    return most;
}

static void put_single_place(const struct run_comparison *comparison, char *text)
{
    struct candidate most = {0};
    size_t where = 0;
    for (size_t p = 0; p < comparison->pairs; p++) {
        const struct candidate here = most_of_pair(comparison, p, true);
        if (jnds_of(&here) > jnds_of(&most)) {
            most = here;
            where = p;
        }
    }
    if (comparison->pairs < 2 || !(jnds_of(&most) >= 1))
        return;
    char figure[96];
    figure_words(&most, figure);
    append(text, RUN_FINDING_MAX, "; at single places one may: %s from %.*s to %.*s", figure,
           NAME(comparison->pair[where].source), NAME(comparison->pair[where].receiver));
}

const char *run_finding(const struct run_comparison *comparison, char text[RUN_FINDING_MAX])
{
    struct finding finding = find(comparison);
    char figure[96];
    text[0] = '\0';
    if (finding.any.value == NULL) {
        append(text, RUN_FINDING_MAX, "%s",
               finding.compared ? "the runs are alike: no figure differs" : "no figure is in both runs");
        return text;
    }
    if (put_heard(&finding, text) == 0) {
        figure_words(&finding.any, figure);
        append(text, RUN_FINDING_MAX, "a listener would notice no difference on average: the largest is %s",
               figure);
        put_single_place(comparison, text);
    }
    if (finding.within.value != NULL) {
        figure_words(&finding.within, figure);
        append(text, RUN_FINDING_MAX, "; not certain, since the place of the grid changes as much: %s",
               figure);
    }
    blot_control_characters(text);
    return text;
}

/* ---- one place ---- */

const char *run_place_words(const struct run_comparison *comparison, size_t pair, char text[RUN_PLACE_MAX])
{
    const struct compared_pair *at = &comparison->pair[pair];
    const struct candidate most = most_of_pair(comparison, pair, false);
    text[0] = '\0';
    if (most.value == NULL)
        return text;
    const struct figure_kind *figure = &figure_kind[most.figure];
    const char *space = figure->unit[0] != '\0' ? " " : "";
    bool several = false;
    for (size_t p = 0; p < comparison->pairs; p++)
        several = several || strcmp(comparison->pair[p].source, at->source) != 0;
    if (several)
        append(text, RUN_PLACE_MAX, "%.*s to ", NAME(at->source));
    append(text, RUN_PLACE_MAX, "%.*s: %s", NAME(at->receiver), figure->word);
    if (most.octave > 0)
        append(text, RUN_PLACE_MAX, " at %d Hz", most.octave);
    append(text, RUN_PLACE_MAX, " %.*f%s%s -> %.*f%s%s, %.1f JND %s", figure->decimals, most.value->first,
           space, figure->unit, figure->decimals, most.value->second, space, figure->unit, jnds_of(&most),
           most.value->jnds > 0 ? figure->more : figure->less);
    if (compared_certainty(most.value) == CERTAINTY_WITHIN)
        append(text, RUN_PLACE_MAX, ", not more than by the place of the grid");
    blot_control_characters(text);
    return text;
}
