#include "src/run_folder/figure_record.h"

#include <math.h>
#include <string.h>

#include "src/response/further/echo_criterion.h"
#include "src/run_folder/record_error.h"

/* ---- one response ---- */

/* One figure by octave and, with `shifted` (may be NULL), how far the two are apart. */
static bool set_octaves(struct record_response *response, int figure, size_t bands, const double *value,
                        const double *shifted)
{
    double spread[BANDS_MAX];
    for (size_t b = 0; shifted != NULL && b < bands; b++)
        spread[b] = fabs(shifted[b] - value[b]);
    return json_numbers_set(&response->figures.octave[figure], value, bands) &&
           (shifted == NULL || json_numbers_set(&response->spread.octave[figure], spread, bands));
}

static bool fill_octaves(struct record_response *response, const struct band_figures *figures, size_t bands,
                         const struct band_figures *shifted, size_t shifted_bands)
{
    double value[BANDS_MAX], other[BANDS_MAX];
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        for (size_t b = 0; b < bands; b++) {
            value[b] = acoustic_figure_of(&figures[b], (enum figure)f);
            other[b] = shifted != NULL && b < shifted_bands /* they are fewer if it has no rays */
                           ? acoustic_figure_of(&shifted[b], (enum figure)f)
                           : NAN;
        }
        if (!set_octaves(response, f, bands, value, shifted != NULL ? other : NULL))
            return false;
    }
    return true;
}

static bool fill_why(struct record_response *response, const struct band_figures *figures, size_t bands,
                     bool calibrated)
{
    char text[BANDS_MAX][FIGURE_WHY_MAX];
    const char *why[BANDS_MAX];
    for (size_t b = 0; b < bands; b++) {
        figure_why(&figures[b], calibrated, text[b]);
        why[b] = text[b][0] != '\0' ? text[b] : NULL;
    }
    return json_texts_set(&response->why, why, bands);
}

/* How the decays are. */
static bool fill_decays(struct record_response *response, const struct band_figures *figures, size_t bands)
{
    enum { CENTRE, RANGE, CURVATURE, NONLINEARITY, EARLY, LATE, CROSSING, KINDS };
    double value[KINDS][BANDS_MAX];
    char text[BANDS_MAX][FIGURE_MARKS_MAX];
    const char *marks[BANDS_MAX];
    for (size_t b = 0; b < bands; b++) {
        const struct band_times *times = &figures[b].times;
        const bool two = times->slopes.found;
        marks[b] = figure_marks_text(figure_marks_of(times), text[b])[0] != '\0' ? text[b] : NULL;
        value[CENTRE][b] = times->centre;
        value[RANGE][b] = times->range;
        value[CURVATURE][b] = times->curvature;
        value[NONLINEARITY][b] = times->nonlinearity;
        value[EARLY][b] = two ? times->slopes.early : NAN;
        value[LATE][b] = two ? times->slopes.late : NAN;
        value[CROSSING][b] = two ? times->slopes.level : NAN;
    }
    return json_numbers_set(&response->octaves, value[CENTRE], bands) &&
           json_numbers_set(&response->decay_range, value[RANGE], bands) &&
           json_numbers_set(&response->curvature, value[CURVATURE], bands) &&
           json_numbers_set(&response->nonlinearity, value[NONLINEARITY], bands) &&
           json_numbers_set(&response->slope_early, value[EARLY], bands) &&
           json_numbers_set(&response->slope_late, value[LATE], bands) &&
           json_numbers_set(&response->slope_crossing, value[CROSSING], bands) &&
           json_texts_set(&response->marks, marks, bands);
}

unsigned record_marks(const struct record_response *response, size_t band)
{
    return figure_marks(json_number_of(&response->curvature, band),
                        json_number_of(&response->nonlinearity, band),
                        isfinite(json_number_of(&response->slope_late, band)));
}

static void fill_single(struct record_response *response, enum figure figure, double value,
                        const double *shifted)
{
    figure_values_single(&response->figures, figure, value);
    if (shifted != NULL)
        figure_values_single(&response->spread, figure, fabs(*shifted - value));
}

static bool fill_singles(struct record_response *response, const struct acoustic_figures *figures,
                         const struct acoustic_figures *shifted)
{
    bool absent = false;
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        if (figure_kind[f].single == NULL)
            continue;
        const double value = acoustic_figure_single(figures, (enum figure)f);
        const double other = shifted != NULL ? acoustic_figure_single(shifted, (enum figure)f) : NAN;
        fill_single(response, (enum figure)f, value, shifted != NULL ? &other : NULL);
        absent = absent || !isfinite(value);
    }
    fill_single(response, FIGURE_STRENGTH, figures->strength, shifted != NULL ? &shifted->strength : NULL);
    return json_text_set(&response->single_why,
                         figures->bands <= 4
                             ? "they are means of 500 and 1000 Hz, and the response ends below 1420 Hz"
                         : absent ? "absent at 500 or at 1000 Hz: see why there"
                                  : NULL);
}

bool record_fill_figures(struct record_response *response, const struct acoustic_figures *figures,
                         const struct acoustic_figures *shifted)
{
    const bool calibrated = acoustic_figures_is_calibrated(figures);
    return fill_octaves(response, figures->octave, figures->bands, shifted != NULL ? shifted->octave : NULL,
                        shifted != NULL ? shifted->bands : 0) &&
           fill_why(response, figures->octave, figures->bands, calibrated) &&
           fill_decays(response, figures->octave, figures->bands) && fill_singles(response, figures, shifted);
}

bool record_fill_thirds(struct record_response *response, const struct third_figures *figures,
                        const struct third_figures *shifted)
{
    if (figures == NULL)
        return true;
    struct record_response *thirds = response->thirds = json_make(&record_thirds_table);
    if (thirds == NULL)
        return false;
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        if (figure_kind[f].single == NULL)
            continue;
        const double value = band_figure_single(BANDS_THIRD, figures->third, figures->bands, (enum figure)f);
        const double other =
            shifted != NULL ? band_figure_single(BANDS_THIRD, shifted->third, shifted->bands, (enum figure)f)
                            : NAN;
        fill_single(thirds, (enum figure)f, value, shifted != NULL ? &other : NULL);
    }
    return fill_octaves(thirds, figures->third, figures->bands, shifted != NULL ? shifted->third : NULL,
                        shifted != NULL ? shifted->bands : 0) &&
           fill_why(thirds, figures->third, figures->bands, figures->reference > 0.0) &&
           fill_decays(thirds, figures->third, figures->bands);
}

bool record_fill_speech(struct record_response *response, const struct speech_transmission *speech,
                        size_t bands)
{
    double mti[OCTAVE_BANDS_MAX];
    const char *why[OCTAVE_BANDS_MAX];
    for (size_t b = 0; b < bands; b++) {
        const struct speech_octave *octave = b >= 1 && b <= SPEECH_OCTAVES ? &speech->octave[b - 1] : NULL;
        mti[b] = octave != NULL ? octave->mti : NAN;
        why[b] = octave == NULL           ? "no octave of speech, which has 125 Hz to 8 kHz"
                 : octave->why[0] != '\0' ? octave->why
                                          : NULL;
    }
    figure_values_single(&response->figures, FIGURE_STI, speech->sti);
    return json_numbers_set(&response->figures.octave[FIGURE_MTI], mti, bands) &&
           json_texts_set(&response->mti_why, why, bands) &&
           json_text_set(&response->sti_why, speech->why[0] != '\0' ? speech->why : NULL);
}

bool record_fill_lateral(struct record_response *response, const struct lateral_figures *figures,
                         const struct lateral_figures *shifted)
{
    double value[OCTAVE_BANDS_MAX], other[OCTAVE_BANDS_MAX];
    const char *why[OCTAVE_BANDS_MAX];
    for (int f = PRESSURE_FIGURES; f < LATERAL_FIGURES; f++) {
        const enum figure figure = (enum figure)f;
        for (size_t b = 0; b < figures->bands; b++) {
            value[b] = lateral_figure_of(&figures->octave[b], figure);
            other[b] =
                shifted != NULL && b < shifted->bands ? lateral_figure_of(&shifted->octave[b], figure) : NAN;
        }
        figure_values_single(&response->figures, figure, lateral_figure_single(figures, figure));
        if (!set_octaves(response, f, figures->bands, value, shifted != NULL ? other : NULL))
            return false;
    }
    for (size_t b = 0; b < figures->bands; b++)
        why[b] = figures->octave[b].why[0] != '\0' ? figures->octave[b].why : NULL;
    return json_texts_set(&response->lateral_why, why, figures->bands);
}

bool record_fill_further(struct record_response *response, const struct further_figures *figures)
{
    const size_t bands = response->octaves.count;
    for (int f = FURTHER_FIRST; f < FURTHER_FIGURES; f++) {
        bool any = false;
        for (size_t b = 0; f < OCTAVE_FIGURES && b < bands; b++)
            any = any || isfinite(figures->octave[f][b]);
        if (any && !json_numbers_set(&response->figures.octave[f], figures->octave[f], bands))
            return false;
        if (isfinite(figures->single[f]))
            figure_values_single(&response->figures, (enum figure)f, figures->single[f]);
    }
    response->echo_speech_time = figures->echo_time[ECHO_SPEECH];
    response->echo_music_time = figures->echo_time[ECHO_MUSIC];
    return true;
}

/* ---- rays ---- */

/* One figure above `waves` octaves; null below. */
static bool set_above(struct json_numbers *out, size_t waves, const double value[OCTAVE_BANDS_MAX])
{
    double above[OCTAVE_BANDS_MAX];
    for (size_t b = 0; b < OCTAVE_BANDS_MAX; b++)
        above[b] = b < waves ? NAN : value[b];
    return json_numbers_set(out, above, OCTAVE_BANDS_MAX);
}

bool record_fill_rays(struct record_response *response, size_t waves, const double *change,
                      const double *error, const double *interference, double sti_error)
{
    const char *from[OCTAVE_BANDS_MAX];
    for (size_t b = 0; b < OCTAVE_BANDS_MAX; b++)
        from[b] = b < waves ? "waves" : "rays";
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        if (!set_above(&response->scattering.octave[f], waves, change + f * OCTAVE_BANDS_MAX) ||
            !set_above(&response->error.octave[f], waves, error + f * OCTAVE_BANDS_MAX) ||
            (interference != NULL &&
             !set_above(&response->interference.octave[f], waves, interference + f * OCTAVE_BANDS_MAX)))
            return false;
    figure_values_single(&response->error, FIGURE_STI, sti_error);
    return json_texts_set(&response->from, from, OCTAVE_BANDS_MAX);
}

static const char *origin_of(const struct run_model *run, size_t band)
{
    const char *found = NULL;
    for (size_t r = 0; r < run->responses.count; r++) {
        const struct record_response *response = &run->responses.item[r];
        const char *from = json_text_of(&response->from, band);
        if (band >= response->octaves.count)
            continue;
        from = from != NULL ? from : "waves";
        if (found != NULL && strcmp(found, from) != 0)
            return "mixed";
        found = from;
    }
    return found;
}

bool record_fill_bars(const struct run_model *run, struct figure_bars *out)
{
    bool any = false;
    for (size_t b = 0; b < OCTAVE_BANDS_MAX; b++) {
        out->from[b] = origin_of(run, b);
        for (int f = 0; f < PRESSURE_FIGURES; f++) {
            out->error[f][b] = record_mean_error(run, (enum figure)f, b);
            any = any || isfinite(out->error[f][b]);
            out->steps[f][b] = record_mean_scattering_steps(run, (enum figure)f, b);
        }
    }
    for (int f = 0; f < ALL_FIGURES; f++)
        out->single[f] = record_mean_single_error(run, (enum figure)f);
    return any;
}

/* ---- several ---- */

static bool fill_mean(struct record_means *means, const struct figure_summary *summary, enum figure figure)
{
    double mean[BANDS_MAX], deviation[BANDS_MAX];
    for (size_t b = 0; (int)figure < OCTAVE_FIGURES && b < summary->bands; b++) {
        mean[b] = figure_mean_of(&summary->octave[b].figure[figure]);
        deviation[b] = figure_mean_deviation(&summary->octave[b].figure[figure]);
    }
    if (figure_kind[figure].single != NULL)
        figure_values_single(&means->mean, figure, figure_mean_of(&summary->single[figure]));
    if (figure_kind[figure].single != NULL &&
        ((int)figure < PRESSURE_FIGURES || (int)figure >= FURTHER_FIRST))
        figure_values_single(&means->deviation, figure, figure_mean_deviation(&summary->single[figure]));
    return (int)figure >= OCTAVE_FIGURES ||
           (json_numbers_set(&means->mean.octave[figure], mean, summary->bands) &&
            json_numbers_set(&means->deviation.octave[figure], deviation, summary->bands));
}

static bool fill_speech_means(struct record_means *means, const struct figure_summary *summary)
{
    const struct speech_summary *speech = &summary->speech;
    const double count = (double)speech->sti_count;
    double mti[OCTAVE_BANDS_MAX];
    for (size_t b = 0; b < summary->bands; b++)
        mti[b] = speech_summary_mti(speech, b);
    figure_values_single(&means->mean, FIGURE_STI, count > 0 ? speech->sti / count : NAN);
    figure_values_single(&means->deviation, FIGURE_STI, speech_summary_deviation(speech));
    return json_numbers_set(&means->mean.octave[FIGURE_MTI], mti, summary->bands);
}

/* Of octaves or of thirds. */
static bool fill_means(struct record_means *means, const struct figure_summary *summary)
{
    double centre[BANDS_MAX];
    char text[BANDS_MAX][FIGURE_MARKS_MAX];
    const char *marks[BANDS_MAX];
    const int figures = summary->lateral_responses > 0 ? LATERAL_FIGURES : PRESSURE_FIGURES;
    for (size_t b = 0; b < summary->bands; b++)
        centre[b] = summary->octave[b].centre;
    for (size_t b = 0; b < summary->bands; b++)
        marks[b] =
            figure_marks_text(figure_band_marks(&summary->octave[b]), text[b])[0] != '\0' ? text[b] : NULL;
    means->responses = (double)summary->responses;
    for (int f = 0; f < figures; f++)
        if (!fill_mean(means, summary, (enum figure)f))
            return false;
    for (int f = FURTHER_FIRST; f < FURTHER_FIGURES; f++)
        if (figure_summary_has(summary, (enum figure)f) && !fill_mean(means, summary, (enum figure)f))
            return false;
    return json_numbers_set(&means->octaves, centre, summary->bands) &&
           json_texts_set(&means->marks, marks, summary->bands);
}

bool record_fill_means(struct record_means *means, const struct figure_summary *summary)
{
    return fill_means(means, summary) &&
           (summary->speech.responses == 0 || fill_speech_means(means, summary));
}

bool record_fill_third_means(struct record_means *means, const struct figure_summary *summary)
{
    if (summary->responses == 0)
        return true;
    means->thirds = json_make(&record_third_means_table);
    return means->thirds != NULL && fill_means(means->thirds, summary);
}

bool record_fill_expected(struct run_model *run, double highest,
                          const struct statistical_reverberation *expected)
{
    double centre[OCTAVE_BANDS_MAX];
    const size_t bands = octave_centres(highest, centre);
    return json_numbers_set(&run->octaves, centre, bands) &&
           json_numbers_set(&run->sabine, expected->sabine, bands) &&
           json_numbers_set(&run->eyring, expected->eyring, bands);
}
