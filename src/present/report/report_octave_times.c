#include "src/base/table/number_text.h"
#include "src/present/report/report_octave_times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/response/acoustics/octave_edges.h"
#include "src/run_folder/record_error.h"
#include "src/present/report/report_figures.h"
#include "src/base/words/words.h"

#define SHOWN_TO 5680.0 /* [Hz]: at least, the edge of the octave of 4 kHz */

/* ---- the octaves of a run ---- */

struct octaves {
    size_t count;
    double centre[OCTAVE_BANDS_MAX];
    bool there[OCTAVE_BANDS_MAX];     /* the run reaches it */
    double time[OCTAVE_BANDS_MAX];    /* NaN: none could be read */
    double error[OCTAVE_BANDS_MAX];   /* NaN: none, of waves */
    unsigned marks[OCTAVE_BANDS_MAX]; /* of these times: figure_table.h */
};

static int octave_of(const struct json_numbers *octaves, int nominal)
{
    for (size_t b = 0; b < octaves->count; b++)
        if (band_nominal(json_number_of(octaves, b)) == nominal)
            return (int)b;
    return -1;
}

/* Over the points of all maps of a run without responses: of T30 or, where fewer than half have that, of T20.
 */
static void find_of_maps(const struct run_model *model, size_t b, struct octaves *out)
{
    static const enum figure figure[] = {FIGURE_T30, FIGURE_T20};
    for (size_t f = 0; f < 2 && isnan(out->time[b]); f++) {
        double sum = 0, known = 0, all = 0;
        for (size_t g = 0; g < model->grids.count; g++)
            for (size_t m = 0; m < model->grids.item[g].maps.count; m++) {
                const struct record_map *map = &model->grids.item[g].maps.item[m];
                const int band = octave_of(&map->octaves, band_nominal(out->centre[b]));
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
            out->time[b] = sum / known;
    }
}

static void find_times(const struct report_run *run, struct octaves *out)
{
    const double highest = fmax(run_model_highest(run->model), SHOWN_TO);
    out->count = octave_centres(highest, out->centre);
    for (size_t b = 0; b < out->count; b++) {
        const int band = report_octave_band(run, band_nominal(out->centre[b]));
        const struct report_reverberation time = report_reverberation_at(run, band);
        out->there[b] = band >= 0;
        out->time[b] = out->error[b] = NAN;
        out->marks[b] = 0;
        if (band >= 0 && time.there && time.figure != FIGURE_EDT) {
            const struct report_spread spread = report_figure_spread(run, time.figure, band, NULL);
            out->time[b] = spread.mean;
            out->error[b] = spread.error;
            out->marks[b] = spread.marks;
        }
        if (run->responses.count == 0)
            find_of_maps(run->model, b, out);
    }
}

/* ---- the next octave ---- */

/* Memory that grows with the volume of the grid. The rest is assumed constant. */
static double growing_bytes(const struct run_model *model)
{
    const bool boxed = model->room.layout != NULL && strcmp(model->room.layout, "box") == 0;
    return boxed ? model->size.bytes_box : model->size.bytes_blocks + model->size.bytes_walls;
}

static bool add_next(const struct run_model *model, struct report_octave_times *out)
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

static bool fill_times(const struct report_run *run, struct report_octave_times *out)
{
    struct octaves octaves;
    double time[OCTAVE_BANDS_MAX], error[OCTAVE_BANDS_MAX];
    char text[OCTAVE_BANDS_MAX][FIGURE_MARKS_MAX];
    const char *marks[OCTAVE_BANDS_MAX], *from[OCTAVE_BANDS_MAX];
    bool any = false;
    find_times(run, &octaves);
    for (size_t b = 0; b < octaves.count; b++) {
        marks[b] = octaves.marks[b] != 0 ? figure_marks_text(octaves.marks[b], text[b]) : NULL;
        from[b] = !octaves.there[b]                                 ? NULL
                  : record_rays_hold(run->model, octaves.centre[b]) ? "rays"
                                                                    : "waves";
        time[b] = report_rounded(octaves.time[b], 4);
        error[b] = report_rounded(octaves.error[b], 4);
        any = any || isfinite(error[b]);
        out->missing = out->missing || !octaves.there[b];
    }
    return json_numbers_set(&out->octaves, octaves.centre, octaves.count) &&
           json_texts_set(&out->from, from, octaves.count) &&
           json_numbers_set(&out->time, time, octaves.count) &&
           (!any || json_numbers_set(&out->error, error, octaves.count)) &&
           json_texts_set(&out->marks, marks, octaves.count) && add_next(run->model, out);
}

int report_octave_times_add(struct report_run *run, struct failure *failure)
{
    run->octave_times = json_make(&report_octave_times_table);
    return run->octave_times != NULL && fill_times(run, run->octave_times) ? 0 : report_no_memory(failure);
}
