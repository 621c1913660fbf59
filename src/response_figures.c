#include "src/response_figures.h"

#include <math.h>

#include "src/biquad.h"
#include "src/response.h"

/* |X|^2 at 10 m in free field. */
#define REFERENCE 0.01

/* Energy of a unit impulse through the octave filter: what a flat spectrum of 1 leaves in the band. */
static double band_energy(double centre)
{
    struct biquad section[OCTAVE_SECTIONS];
    biquad_octave(centre, RESPONSE_RATE, section);
    const size_t enough = (size_t)(100 * RESPONSE_RATE / centre); /* a hundred periods */
    double energy = 0;
    for (size_t n = 0; n < enough; n++) {
        double x = n == 0 ? 1.0 : 0.0;
        for (int s = 0; s < OCTAVE_SECTIONS; s++)
            x = biquad_step(&section[s], x);
        energy += x * x;
    }
    return energy;
}

static double octave_energy(const float *sample, size_t count, double centre)
{
    struct biquad section[OCTAVE_SECTIONS];
    biquad_octave(centre, RESPONSE_RATE, section);
    double energy = 0;
    for (size_t n = 0; n < count; n++) {
        double x = (double)sample[n];
        for (int s = 0; s < OCTAVE_SECTIONS; s++)
            x = biquad_step(&section[s], x);
        energy += x * x;
    }
    return energy;
}

void response_figures_make(const float *sample, size_t count, double fmax, struct response_figures *out)
{
    *out = (struct response_figures){0};
    double energy = 0;
    for (size_t n = 0; n < count; n++)
        energy += (double)sample[n] * (double)sample[n];
    /* A flat |X| of 1 up to fmax has the energy 2 fmax / rate. */
    out->strength = 10 * log10(energy / (REFERENCE * 2 * fmax / RESPONSE_RATE));
    out->bands = octave_centres(fmax, out->centre);
    for (size_t b = 0; b < out->bands; b++)
        out->octave[b] = 10 * log10(octave_energy(sample, count, out->centre[b]) /
                                    (REFERENCE * band_energy(out->centre[b])));
}
