#include "src/run_folder/record_error.h"

#include <math.h>
#include <string.h>

#include "src/response/acoustics/octave_edges.h"

#define SAME_OCTAVE 1.1 /* ratio of two centres */

bool record_is_from_rays(const struct record_response *response, size_t band)
{
    const char *from = json_text_of(&response->from, band);
    return from != NULL && strcmp(from, "rays") == 0;
}

bool record_rays_hold(const struct run_model *run, double octave)
{
    return run->rays != NULL && octave > SAME_OCTAVE * run->rays->octave;
}

double record_octave_error(const struct record_response *response, enum figure figure, size_t band)
{
    const bool there = isfinite(figure_values_octave(&response->figures, figure, band));
    return there ? figure_values_octave(&response->error, figure, band) : NAN;
}

/* The share of an octave in the error bar of a mean of two: 0 of waves without one. */
static double octave_part(const struct record_response *response, enum figure figure, int nominal, bool *any)
{
    for (size_t b = 0; b < response->octaves.count; b++)
        if (response->octaves.value[b] > 0 && band_nominal(response->octaves.value[b]) == nominal) {
            const double error = record_octave_error(response, figure, b);
            const bool has = record_is_from_rays(response, b) || isfinite(error);
            *any = *any || has;
            return has ? error : 0;
        }
    return NAN;
}

double record_single_error(const struct record_response *response, enum figure figure)
{
    bool any = false;
    if (figure == FIGURE_STI)
        return isfinite(response->figures.single[figure]) ? response->error.single[figure] : NAN;
    if (figure >= PRESSURE_FIGURES)
        return NAN;
    const double bar =
        0.5 * (octave_part(response, figure, 500, &any) + octave_part(response, figure, 1000, &any));
    return any ? bar : NAN;
}

/* ---- means over responses ---- */

/* Sum of the error bars of those that have the figure, and how many these are. */
struct bars {
    double sum, count;
    bool any;
};

/* One response: NaN is no error bar. */
static void add_bar(struct bars *bars, double value, double bar)
{
    if (!isfinite(value))
        return;
    bars->sum += isfinite(bar) ? bar : 0;
    bars->count++;
    bars->any = bars->any || isfinite(bar);
}

static double mean_of(const struct bars *bars)
{
    return bars->any ? bars->sum / bars->count : NAN;
}

double record_mean_error(const struct run_model *run, enum figure figure, size_t band)
{
    struct bars bars = {0};
    for (size_t r = 0; r < run->responses.count; r++) {
        const struct record_response *response = &run->responses.item[r];
        add_bar(&bars, figure_values_octave(&response->figures, figure, band),
                record_octave_error(response, figure, band));
    }
    return mean_of(&bars);
}

double record_mean_single_error(const struct run_model *run, enum figure figure)
{
    struct bars bars = {0};
    for (size_t r = 0; r < run->responses.count; r++) {
        const struct record_response *response = &run->responses.item[r];
        add_bar(&bars, response->figures.single[figure], record_single_error(response, figure));
    }
    return mean_of(&bars);
}

/* ---- scattering ---- */

double record_scattering_steps(const struct record_response *response, enum figure figure, size_t band)
{
    return figure_values_octave(&response->scattering, figure, band) /
           figure_step(figure, figure_values_octave(&response->figures, figure, band));
}

double record_mean_scattering_steps(const struct run_model *run, enum figure figure, size_t band)
{
    double sum = 0, count = 0;
    for (size_t r = 0; r < run->responses.count; r++) {
        const double steps = record_scattering_steps(&run->responses.item[r], figure, band);
        sum += isfinite(steps) ? steps * steps : 0;
        count += isfinite(steps);
    }
    return sqrt(sum / count);
}
