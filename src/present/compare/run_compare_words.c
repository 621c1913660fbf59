#include "src/present/compare/run_compare_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rooms/text/table_text.h"
#include "src/response/acoustics/figure_table.h"
#include "src/base/cut_text.h"
#include "src/base/options/scheme_options.h"
#include "src/base/words/words.h"

#define NAME(text) CUT_TEXT(text, 60)

/* Audible effect of less [0] and of more [1] of an aspect. */
static const char *const noticed[ASPECTS][2] = {
    [ASPECT_REVERBERATION] = {T_LATER("shorter reverberation"), T_LATER("longer reverberation")},
    [ASPECT_CLARITY] = {T_LATER("less clear sound"), T_LATER("clearer sound")},
    [ASPECT_LOUDNESS] = {T_LATER("quieter sound"), T_LATER("louder sound")},
    [ASPECT_WIDTH] = {T_LATER("narrower sound"), T_LATER("wider sound")},
    [ASPECT_SPEECH] = {T_LATER("speech that is harder to follow"),
                       T_LATER("speech that is easier to follow")},
};

/* A value of the comparison, and the row that it is of. */
struct candidate {
    const struct compared_value *value; /* NULL: none */
    const struct compared_row *row;
};

static double jnds_of(const struct candidate *candidate)
{
    return candidate->value != NULL ? fabs(candidate->value->jnds) : 0;
}

/* Keep the larger one. NaN is never larger. */
static void take_larger(struct candidate *most, struct candidate other)
{
    if (jnds_of(&other) > jnds_of(most))
        *most = other;
}

/* Modulation below 500 Hz contributes little to the intelligibility of speech. */
#define SPEECH_FROM 500

static bool says_nothing(const struct compared_row *row)
{
    return compared_is_repeated(row) ||
           (figure_kind[row->figure].aspect == ASPECT_SPEECH && row->octave > 0 && row->octave < SPEECH_FROM);
}

/* ---- the finding ---- */

struct finding {
    struct candidate noticed[ASPECTS][2], any;
    struct candidate within[2]; /* what an offset of the grid changes as much; the error bars of rays */
    bool compared;              /* some figure is in both */
};

static void add_rows(struct finding *finding, const struct compared_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct compared_row *row = &rows->row[i];
        const struct figure_kind *kind = &figure_kind[row->figure];
        const struct candidate here = {&row->value, row};
        if (!isfinite(row->value.jnds) || says_nothing(row))
            continue;
        finding->compared = true;
        take_larger(&finding->any, here);
        if (!(fabs(row->value.jnds) >= 1))
            continue;
        if (compared_certainty(&row->value) == CERTAINTY_WITHIN)
            take_larger(&finding->within[compared_is_within_error(&row->value)], here);
        else
            take_larger(&finding->noticed[kind->aspect][kind->sense * row->value.jnds > 0], here);
    }
}

static struct finding make_finding(const struct run_comparison *comparison)
{
    struct finding finding = {0};
    add_rows(&finding, &comparison->rows);
    for (size_t g = 0; comparison->pairs == 0 && g < comparison->grids; g++)
        add_rows(&finding, &comparison->grid[g].rows);
    return finding;
}

/* "T30 at 500 Hz, 4.3 JND" */
#define FIGURE_WORDS 96
static const char *figure_words(const struct candidate *candidate, char text[FIGURE_WORDS])
{
    snprintf(text, FIGURE_WORDS, "%s", T(figure_kind[candidate->row->figure].word));
    if (candidate->row->octave > 0)
        text_append(text, FIGURE_WORDS, T(" at %d Hz"), candidate->row->octave);
    text_append(text, FIGURE_WORDS, ", %s JND", words_number("%.1f", jnds_of(candidate)).text);
    return text;
}

/* The largest first. Returns how many. */
static int put_noticed(struct finding *finding, char *text)
{
    for (int count = 0;; count++) {
        struct candidate most = {0};
        int aspect = 0, more = 0;
        for (int a = 0; a < ASPECTS; a++)
            for (int m = 0; m < 2; m++)
                if (jnds_of(&finding->noticed[a][m]) > jnds_of(&most)) {
                    most = finding->noticed[a][m];
                    aspect = a;
                    more = m;
                }
        if (most.value == NULL)
            return count;
        char figure[FIGURE_WORDS];
        text_append(text, RUN_FINDING_MAX, "%s%s (%s)", count == 0 ? T("a listener would notice: ") : ", ",
                    T(noticed[aspect][more]), figure_words(&most, figure));
        finding->noticed[aspect][more].value = NULL;
    }
}

/* The largest difference in a pair; with `certain`, of those that are not within their uncertainty. */
static struct candidate most_of_pair(const struct run_comparison *comparison, size_t p, bool certain)
{
    struct candidate most = {0};
    for (size_t i = 0; i < comparison->rows.count; i++) {
        const struct compared_row *row = &comparison->rows.row[i];
        const struct compared_value *value = compared_of_pair(&comparison->pair[p], row);
        if (!says_nothing(row) && (!certain || compared_certainty(value) != CERTAINTY_WITHIN))
            take_larger(&most, (struct candidate){value, row});
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
    char figure[FIGURE_WORDS];
    text_append(text, RUN_FINDING_MAX, T("; at single places one may: %s from %.*s to %.*s"),
                figure_words(&most, figure), NAME(comparison->pair[where].source),
                NAME(comparison->pair[where].receiver));
}

/* Between schemes, differences of figures include the errors of both: they allow no verdict on the room. */
static bool schemes_differ(const struct run_comparison *comparison)
{
    const char *scheme[2];
    for (int r = 0; r < 2; r++)
        scheme[r] = comparison->run[r]->model.room.scheme;
    return scheme_of_word(scheme[0]) != scheme_of_word(scheme[1]);
}

/* Limits of "no difference": " at 63 to 125 Hz" and "; nothing above 177 Hz was compared". Nothing if all
 * octaves of speech and music were compared. */
#define BAND_WHOLE 4000

static bool band_is_part(const struct octave_list *octaves)
{
    return octaves->count > 0 && octaves->hz[octaves->count - 1] < BAND_WHOLE;
}

static void put_octaves(const struct octave_list *octaves, char *text)
{
    if (!band_is_part(octaves))
        return;
    text_append(text, RUN_FINDING_MAX, T(" at %d"), octaves->hz[0]);
    if (octaves->count > 1)
        text_append(text, RUN_FINDING_MAX, T(" to %d"), octaves->hz[octaves->count - 1]);
    text_append(text, RUN_FINDING_MAX, " Hz");
}

static void put_limit(const struct run_comparison *comparison, char *text)
{
    const double fmax[2] = {run_model_highest(&comparison->run[0]->model),
                            run_model_highest(&comparison->run[1]->model)};
    const double lower = fmin(fmax[0], fmax[1]); /* NaN: not known */
    if (!band_is_part(&comparison->octaves))
        return;
    if (lower > 0)
        text_append(text, RUN_FINDING_MAX,
                    fmax[0] == fmax[1] ? T("; nothing above %s Hz was computed")
                                       : T("; nothing above %s Hz was computed in both"),
                    words_number("%.4g", lower).text);
    else
        text_append(text, RUN_FINDING_MAX, T("; nothing above these octaves was compared"));
}

const char *run_finding(const struct run_comparison *comparison, char text[RUN_FINDING_MAX])
{
    struct finding finding = make_finding(comparison);
    char figure[FIGURE_WORDS];
    text[0] = '\0';
    if (finding.any.value != NULL && schemes_differ(comparison)) {
        text_append(text, RUN_FINDING_MAX,
                    T("no verdict: the runs have different schemes, whose errors are part of the "
                      "differences; the largest is %s"),
                    figure_words(&finding.any, figure));
        return text;
    }
    if (finding.any.value == NULL) {
        text_append(text, RUN_FINDING_MAX, "%s",
                    finding.compared ? T("the runs are alike: no figure differs")
                                     : T("no figure is in both runs"));
        if (finding.compared) {
            put_octaves(&comparison->octaves, text);
            put_limit(comparison, text);
        }
        return text;
    }
    if (put_noticed(&finding, text) == 0) {
        text_append(text, RUN_FINDING_MAX, "%s", T("a listener would notice no difference on average"));
        put_octaves(&comparison->octaves, text);
        text_append(text, RUN_FINDING_MAX, T(": the largest is %s"), figure_words(&finding.any, figure));
        put_single_place(comparison, text);
    }
    if (finding.within[0].value != NULL)
        text_append(text, RUN_FINDING_MAX,
                    T("; not certain, since an offset of the grid changes as much: %s"),
                    figure_words(&finding.within[0], figure));
    if (finding.within[1].value != NULL)
        text_append(text, RUN_FINDING_MAX, T("; within the error bar: %s"),
                    figure_words(&finding.within[1], figure));
    put_limit(comparison, text);
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
    const struct figure_kind *figure = &figure_kind[most.row->figure];
    const char *space = figure->unit[0] != '\0' ? " " : "";
    char marks[2][FIGURE_MARKS_MAX];
    bool several = false;
    for (size_t p = 0; p < comparison->pairs; p++)
        several = several || strcmp(comparison->pair[p].source, at->source) != 0;
    if (several)
        text_append(text, RUN_PLACE_MAX, "%.*s to ", NAME(at->source));
    text_append(text, RUN_PLACE_MAX, "%.*s: %s", NAME(at->receiver), figure->word);
    if (most.row->octave > 0)
        text_append(text, RUN_PLACE_MAX, " at %d Hz", most.row->octave);
    text_append(text, RUN_PLACE_MAX, " %.*f%s%s%s -> %.*f%s%s%s, %.1f JND %s", figure->decimals,
                most.value->first, figure_marks_text(most.value->marks[0], marks[0]), space, figure->unit,
                figure->decimals, most.value->second, figure_marks_text(most.value->marks[1], marks[1]),
                space, figure->unit, jnds_of(&most), most.value->jnds > 0 ? figure->more : figure->less);
    if (compared_certainty(most.value) == CERTAINTY_WITHIN)
        text_append(text, RUN_PLACE_MAX, "%s",
                    compared_is_within_error(most.value) ? ", within its error bar"
                                                         : ", not more than by an offset of the grid");
    blot_control_characters(text);
    return text;
}
