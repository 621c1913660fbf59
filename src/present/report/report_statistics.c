#include "src/base/table/number_text.h"
#include "src/present/report/report_statistics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/response/acoustics/octave_decay.h"
#include "src/response/acoustics/octave_decay.h"
#include "src/run_folder/run_read.h"
#include "src/present/report/report_figures.h"
#include "src/base/words/words.h"

#define DECAY_60    13.815510557964274 /* 6 ln(10) */
#define EXPECTED_TO 5680.0             /* [Hz]: the edge of the octave of 4 kHz */
#define SHARE_OF    2                  /* octaves */

/* ---- mathematics ---- */

double report_walls_share(double simulated, double without_air, double with_air)
{
    const double walls = DECAY_60 / without_air, air = DECAY_60 / with_air - walls;
    const double share = (DECAY_60 / simulated - air) / walls;
    return walls > 0 && isfinite(share) ? fmin(fmax(share, 1 / REPORT_SHARE_MOST), REPORT_SHARE_MOST) : NAN;
}

double report_walls_scaled(double share, double without_air, double with_air)
{
    const double walls = DECAY_60 / without_air;
    return DECAY_60 / (DECAY_60 / with_air + (share - 1) * walls);
}

/* ---- the octaves of a run ---- */

/* A formula's times by octave. */
struct formula {
    const double *without_air, *with_air;
};

struct octaves {
    size_t count;
    double centre[OCTAVE_BANDS_MAX];
    bool there[OCTAVE_BANDS_MAX];       /* simulated */
    double simulated[OCTAVE_BANDS_MAX]; /* NaN: no time could be read */
    unsigned marks[OCTAVE_BANDS_MAX];   /* of these times: figure_table.h */
};

static int octave_of(const struct json_numbers *octaves, int nominal)
{
    for (size_t b = 0; b < octaves->count; b++)
        if (octave_nominal(json_number_of(octaves, b)) == nominal)
            return (int)b;
    return -1;
}

/* Over the points of all maps of a run without responses: of T30 or, where fewer than half have that, of T20.
 */
static void find_of_maps(const struct run_model *model, size_t b, struct octaves *out)
{
    static const enum figure figure[] = {FIGURE_T30, FIGURE_T20};
    for (size_t f = 0; f < 2 && isnan(out->simulated[b]); f++) {
        double sum = 0, known = 0, all = 0;
        for (size_t g = 0; g < model->grids.count; g++)
            for (size_t m = 0; m < model->grids.item[g].maps.count; m++) {
                const struct record_map *map = &model->grids.item[g].maps.item[m];
                const int band = octave_of(&map->octaves, octave_nominal(out->centre[b]));
                const double points =
                    band >= 0 ? figure_values_octave(&map->points, figure[f], (size_t)band) : 0;
                out->there[b] |= band >= 0;
                all += model->grids.item[g].points;
                const char *marks = band >= 0 ? json_text_of(&map->marks, (size_t)band) : NULL;
                out->marks[b] |= marks != NULL ? figure_marks_read(marks) : 0;
                if (points > 0) {
                    known += points;
                    sum += points * figure_values_octave(&map->mean, figure[f], (size_t)band);
                }
            }
        if (known > 0 && known >= 0.5 * all)
            out->simulated[b] = sum / known;
    }
}

static void find_simulated(const struct report_run *run, struct octaves *out)
{
    const double highest = fmax(run->model->room.fmax, EXPECTED_TO);
    out->count = octave_centres(highest, out->centre);
    for (size_t b = 0; b < out->count; b++) {
        const int band = report_octave_band(run, octave_nominal(out->centre[b]));
        const struct report_reverberation time = report_reverberation_at(run, band);
        out->there[b] = band >= 0;
        out->simulated[b] = NAN;
        out->marks[b] = 0;
        if (band >= 0 && time.there && time.figure != FIGURE_EDT) {
            const struct report_spread spread = report_figure_spread(run, time.figure, band, NULL);
            out->simulated[b] = spread.mean;
            out->marks[b] = spread.marks;
        }
        if (run->responses.count == 0)
            find_of_maps(run->model, b, out);
    }
}

/* The share in the highest octave that has both, and that octave; 1 and NaN if none has. A time that is
 * marked describes no decay, so it corrects nothing. */
static double share_of(const struct octaves *octaves, const struct formula *formula, double *at)
{
    for (size_t b = octaves->count; b-- > 0;) {
        const double share =
            report_walls_share(octaves->simulated[b], formula->without_air[b], formula->with_air[b]);
        *at = octave_nominal(octaves->centre[b]);
        if (octaves->there[b] && octaves->marks[b] == 0 && isfinite(share))
            return share;
    }
    *at = NAN;
    return 1;
}

static bool set_formula(const struct octaves *octaves, const struct formula *formula,
                        struct json_numbers *plain, struct json_numbers *scaled, double *share,
                        double *scaled_at)
{
    double time[OCTAVE_BANDS_MAX], above[OCTAVE_BANDS_MAX];
    *share = share_of(octaves, formula, scaled_at);
    for (size_t b = 0; b < octaves->count; b++) {
        const double value = report_walls_scaled(*share, formula->without_air[b], formula->with_air[b]);
        time[b] = report_rounded(formula->with_air[b], 4);
        above[b] = octaves->there[b] ? NAN : report_rounded(value, 4);
    }
    *share = report_rounded(*share, 4);
    return json_numbers_set(plain, time, octaves->count) && json_numbers_set(scaled, above, octaves->count);
}

static bool expect_times(const struct run_model *model, const struct run_losses *losses,
                         const struct octaves *octaves, struct report_statistics *out)
{
    struct statistical_reverberation in_air, without;
    const double volume = model->size.cells_volume;
    statistical_reverberation_make(volume, losses->surface, losses->surface_count, octaves->count,
                                   octaves->centre, &losses->air, losses->lossy, &in_air);
    statistical_reverberation_make(volume, losses->surface, losses->surface_count, octaves->count,
                                   octaves->centre, &losses->air, false, &without);
    return set_formula(octaves, &(struct formula){without.sabine, in_air.sabine}, &out->sabine,
                       &out->sabine_scaled, &out->sabine_share, &out->scaled_at) &&
           set_formula(octaves, &(struct formula){without.eyring, in_air.eyring}, &out->eyring,
                       &out->eyring_scaled, &out->eyring_share, &out->scaled_at);
}

/* Why a run lets nothing be expected, or NULL. */
static const char *find_reason(const struct run_model *model, const struct run_losses *losses)
{
    return report_lets_out(model) ? T("sound leaves this room, and the formulas are for closed ones")
           : !(model->size.cells_volume > 0) ? T("this run does not record the volume of its air")
           : losses->surface_count == 0 ? T("this run does not record what its surfaces absorb by octave")
                                        : NULL;
}

/* ---- the next octave ---- */

/* Memory that grows with the volume of the grid. The rest is assumed constant. */
static double growing_bytes(const struct run_model *model)
{
    const bool boxed = model->room.layout != NULL && strcmp(model->room.layout, "box") == 0;
    return boxed ? model->size.bytes_box : model->size.bytes_blocks + model->size.bytes_walls;
}

static bool add_next(const struct run_model *model, struct report_statistics *out)
{
    const double fmax = model->room.fmax;
    if (!(fmax > 0) || !octave_above(fmax, &out->next_octave, &out->next_fmax)) {
        out->next_octave = out->next_fmax = 0;
        return true;
    }
    const double times = out->next_fmax / fmax;
    const double seconds = pow(times, 4) * model->seconds;
    const double bytes = model->size.bytes_peak + (pow(times, 3) - 1) * growing_bytes(model);
    char hertz[32], duration[32], memory[32], text[300];
    out->next_seconds = report_rounded(seconds, 3);
    out->next_bytes = report_rounded(bytes, 0);
    const int used =
        snprintf(text, sizeof text, T("Simulating the next octave, %.0f Hz, needs a run up to %s Hz"),
                 out->next_octave, format_hertz(out->next_fmax, hertz));
    if (seconds > 0 && bytes > 0) {
        format_seconds(seconds, duration);
        format_bytes(bytes, memory);
        words_point(duration);
        words_point(memory);
        snprintf(text + used, sizeof text - (size_t)used,
                 T(": about %s and %s where this run was made, by its own time and memory."), duration,
                 memory);
    } else {
        snprintf(text + used, sizeof text - (size_t)used, ".");
    }
    return json_text_set(&out->next, text);
}

/* ---- all ---- */

static bool fill_statistics(const struct report_run *run, const struct run_losses *losses,
                            struct report_statistics *out)
{
    struct octaves octaves;
    const char *why = find_reason(run->model, losses);
    find_simulated(run, &octaves);
    double simulated[OCTAVE_BANDS_MAX];
    char text[OCTAVE_BANDS_MAX][FIGURE_MARKS_MAX];
    const char *marks[OCTAVE_BANDS_MAX];
    for (size_t b = 0; b < octaves.count; b++) {
        marks[b] = octaves.marks[b] != 0 ? figure_marks_text(octaves.marks[b], text[b]) : NULL;
        simulated[b] = report_rounded(octaves.simulated[b], 4);
        out->missing = out->missing || !octaves.there[b];
    }
    return json_numbers_set(&out->octaves, octaves.centre, octaves.count) &&
           json_numbers_set(&out->simulated, simulated, octaves.count) &&
           json_texts_set(&out->marks, marks, octaves.count) && json_text_set(&out->why, why) &&
           (why != NULL || expect_times(run->model, losses, &octaves, out)) && add_next(run->model, out);
}

int report_statistics_add(struct report_run *run, struct failure *failure)
{
    struct run_losses losses = {0};
    TRY(run_losses_make(run->model, &losses, failure));
    run->statistics = json_make(&report_statistics_table);
    const bool whole = run->statistics != NULL && fill_statistics(run, &losses, run->statistics);
    run_losses_free(&losses);
    return whole ? 0 : report_no_memory(failure);
}

double report_statistics_middle(const struct report_run *run)
{
    const struct report_statistics *statistics = run->statistics;
    double sum = 0;
    int count = 0, expected = 0;
    for (size_t b = 0; statistics != NULL && b < statistics->octaves.count; b++) {
        const int octave = octave_nominal(statistics->octaves.value[b]);
        if (octave != 500 && octave != 1000)
            continue;
        const double scaled = json_number_of(&statistics->eyring_scaled, b);
        sum += isfinite(scaled) ? scaled : json_number_of(&statistics->simulated, b);
        expected += isfinite(scaled);
        count++;
    }
    return count == 2 && expected > 0 ? sum / 2 : NAN;
}
