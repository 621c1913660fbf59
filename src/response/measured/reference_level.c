#include "src/response/measured/reference_level.h"

#include <math.h>

#include "src/response/acoustics/band_energy.h"

#define BEFORE                                                                                               \
    0.05 /* a loudspeaker, and a deconvolved sweep, ring before their sound at low frequencies [s] */

int reference_level_make(const float *sample, size_t count, double rate, double highest, double onset,
                         double distance, double gate, struct reference_level *out, struct failure *failure)
{
    struct band_energy energy;
    double centre[OCTAVE_BANDS_MAX];
    const size_t from = sample_at(onset - BEFORE, rate, count);
    const size_t to = isfinite(gate) ? sample_at(onset + gate, rate, count) : count;
    const double farther = distance * distance / 100.0;
    TRY(band_energy_make(BANDS_OCTAVE, sample, from, to, rate, highest, onset, &energy, failure));
    *out =
        (struct reference_level){.rate = rate, .highest = highest, .bands = octave_centres(highest, centre)};
    for (size_t b = 0; b < out->bands; b++) {
        out->octave[b] = farther * energy.energy[b];
        if (!(out->octave[b] > 0.0))
            return failure_set(failure, FAILURE_INPUT, "the reference has no sound in the octave of %d Hz",
                               band_nominal(centre[b]));
    }
    for (size_t n = from; n < to; n++)
        out->whole += farther * (double)sample[n] * (double)sample[n];
    return 0;
}

void reference_level_apply(const struct reference_level *reference, double highest,
                           struct acoustic_figures *figures)
{
    for (size_t b = 0; b < figures->bands; b++) {
        struct band_figures *octave = &figures->octave[b];
        const double flat =
            band_energy_of_impulse(BANDS_OCTAVE, octave->times.centre, reference->rate, highest);
        octave->g += b < reference->bands ? 10.0 * log10(flat / reference->octave[b]) : (double)NAN;
    }
    figures->strength += fabs(highest / reference->highest - 1.0) < 0.01
                             ? 10.0 * log10(2.0 * highest / reference->rate / reference->whole)
                             : (double)NAN;
}
