/** Energies of rays that decay exponentially, and their figures. */
#ifndef TESTS_RAY_DECAYS_H
#define TESTS_RAY_DECAYS_H

#include <math.h>
#include <stdlib.h>

#include "src/rays/ray_figures.h"
#include "src/response/acoustics/acoustic_figures.h"
#include "tests/support/outcome.h"

#define TEST_PI 3.14159265358979323846

struct test_decay {
    double bin;
    size_t bins;
    double (*energy)[RAY_OCTAVES]; /* (bins) kept */
};

/** `whole` in each octave, falling by 60 dB in `time` [s] from `start` on, a border of bins. */
static inline struct test_decay test_decay_make(double bin, double seconds, double start, double whole,
                                                const double time[RAY_OCTAVES])
{
    struct test_decay decay = {bin, (size_t)round(seconds / bin), NULL};
    decay.energy = test_keep(calloc(decay.bins, sizeof *decay.energy));
    const size_t first = (size_t)round(start / bin);
    for (size_t b = first; b < decay.bins; b++)
        for (int o = 0; o < RAY_OCTAVES; o++) {
            const double fall = log(1e6) * bin / time[o];
            decay.energy[b][o] = -whole * expm1(-fall) * exp(-fall * (double)(b - first));
        }
    return decay;
}

/** As rays have them. */
static inline void test_decay_figures(const struct test_decay *decay, double direct, double arrival,
                                      struct ray_figures *out)
{
    int64_t(*const sum)[RAY_OCTAVES] = test_keep(calloc(RAY_PARTS * decay->bins, sizeof *sum));
    double straight[1][RAY_OCTAVES];
    for (int o = 0; o < RAY_OCTAVES; o++) {
        straight[0][o] = direct;
        for (size_t b = 0; b < decay->bins; b++)
            sum[b][o] = llrint(decay->energy[b][o] * 0x1p34);
    }
    const struct ray_energy energy = {.receivers = 1,
                                      .bins = decay->bins,
                                      .bin = decay->bin,
                                      .emitters = 1,
                                      .rays = 1,
                                      .sum = &sum[0][0],
                                      .direct = straight,
                                      .arrival = &arrival};
    MUST(ray_figures_make(&energy, RAY_PARTS, 0, out, &failure));
}

#endif
