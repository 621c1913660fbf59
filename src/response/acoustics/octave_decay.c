#include "src/response/acoustics/octave_decay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/scheme/dispersion.h"

#define SHORTEST_WINDOW 0.05 /* [s] */
/* Periods of the centre frequency: with fewer, a window's energy depends on its place in a period. */
#define WINDOW_PERIODS 8.0
#define LOWEST_EDGE    89 /* of the octave of 63 Hz [Hz] */

const double octave_edge[OCTAVE_EDGES] = {177, 355, 710, 1420, 2840, 5680, 11300};

size_t octave_centres(double highest, double centre[OCTAVE_BANDS_MAX])
{
    struct bands bands;
    bands_make(BANDS_OCTAVE, highest, &bands);
    memcpy(centre, bands.centre, bands.count * sizeof *centre);
    return bands.count;
}

bool octave_above(double fmax, double *octave, double *edge)
{
    *octave = 63;
    *edge = LOWEST_EDGE;
    for (int i = 0; i < OCTAVE_EDGES && !(*edge > BANDS_EDGE_MARGIN * fmax); i++) {
        *octave = 125 << i;
        *edge = octave_edge[i];
    }
    return *edge > BANDS_EDGE_MARGIN * fmax;
}

/* A filter for a true octave, in a run. */
static void make_filter(const struct time_step *step, double centre, struct biquad *section)
{
    const double half_octave = pow(10.0, 0.15);
    const double edge[2] = {dispersion_numerical(step, centre / half_octave),
                            dispersion_numerical(step, centre * half_octave)};
    if (step->scheme == SCHEME_ISOTROPIC)
        band_filter_between(edge, step->rate, OCTAVE_DECAY_ORDER, section);
    else
        band_filter_make(BANDS_OCTAVE, centre, step->rate, OCTAVE_DECAY_ORDER, section);
}

int octave_decay_make(const struct time_step *step, double highest, size_t receivers,
                      struct octave_decay *out, struct failure *failure)
{
    struct octave_decay decay = {.receivers = receivers};
    decay.bands = octave_centres(highest, decay.centre);
    decay.integrator = calloc(receivers + 1, sizeof *decay.integrator);
    decay.level = calloc(receivers * decay.bands + 1, sizeof *decay.level);
    if (decay.integrator == NULL || decay.level == NULL) {
        octave_decay_free(&decay);
        return failure_memory(failure, (unsigned long long)(receivers * decay.bands * sizeof *decay.level),
                              "following the decay at the receivers");
    }
    for (size_t b = 0; b < decay.bands; b++) {
        const double periods = WINDOW_PERIODS / decay.centre[b];
        decay.window[b] = (uint64_t)ceil(step->rate * fmax(periods, SHORTEST_WINDOW));
    }
    for (size_t r = 0; r < receivers; r++) {
        integrator_make(step->rate, &decay.integrator[r]);
        for (size_t b = 0; b < decay.bands; b++)
            make_filter(step, decay.centre[b], decay.level[r * decay.bands + b].section);
    }
    *out = decay;
    return 0;
}

void octave_decay_in_air(struct octave_decay *decay, const struct time_step *step,
                         const struct air_losses *losses)
{
    for (size_t b = 0; b < decay->bands; b++) {
        const double edge = decay->centre[b] * pow(10.0, -0.15), upper = decay->centre[b] * pow(10.0, 0.15);
        /* True time passes more slowly than the run's, most at the upper edge. */
        const double seconds = (double)decay->window[b] / step->rate *
                               dispersion_stretch(step, dispersion_kappa_of(step, upper));
        decay->in_air[b] = 2.0 * air_losses_damping(losses, edge) * seconds;
    }
}

void octave_decay_free(struct octave_decay *decay)
{
    free(decay->integrator);
    free(decay->level);
    *decay = (struct octave_decay){0};
}

static void level_add(struct octave_level *level, uint64_t window, double in_air, double pressure)
{
    for (int s = 0; s < OCTAVE_DECAY_ORDER; s++)
        pressure = biquad_step(&level->section[s], pressure);
    level->sum += pressure * pressure;
    if (++level->filled < window)
        return;
    level->sum *= exp(-in_air * (double)level->complete);
    level->last[1] = level->last[0];
    level->last[0] = level->sum;
    level->largest = fmax(level->largest, level->sum);
    level->complete++;
    level->sum = 0.0;
    level->filled = 0;
}

void octave_decay_add(struct octave_decay *decay, size_t receiver, double *raw, size_t count)
{
    integrator_run(&decay->integrator[receiver], raw, count);
    for (size_t b = 0; b < decay->bands; b++)
        for (size_t n = 0; n < count; n++)
            level_add(&decay->level[receiver * decay->bands + b], decay->window[b], decay->in_air[b], raw[n]);
}

double octave_decay_least_fall(const struct octave_decay *decay)
{
    double least = INFINITY;
    for (size_t n = 0; n < decay->receivers * decay->bands; n++) {
        const struct octave_level *level = &decay->level[n];
        const double recent = fmax(level->last[0], level->last[1]);
        if (level->complete < 3 || !(level->largest > 0.0) || !isfinite(recent))
            return 0.0;
        least = fmin(least, 10.0 * log10(level->largest / recent));
    }
    return least;
}
