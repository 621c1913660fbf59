/** Waves below a frequency, rays above: one response, and what the join is worth.
 *
 * Three zero-phase filters cross half an octave below fmax, so that no low-pass of the waves takes part:
 *
 *     waves L,  random sound sqrt(1 - L^2),  paths 1 - L        L = octave_crossover(f, fmax 2^(-1/4))
 *
 * Random sound is incoherent with the waves: powers add. Direct sound and images are what the waves have
 * too, in phase: amplitudes add.
 *
 * In the highest octave that the waves hold whole, f0, both are known. Rays lack the interference at
 * surfaces and are too loud, less with rising frequency: the mean difference over all pairs of source and
 * receiver, times f0 / f, is taken off the random sound above. A difference of a single pair is interference,
 * and is not. Rays lack the diffraction at the edges of absorbers too, which then absorb more (edge effect,
 * proportional to the wavelength: ten Wolde 1967): the mean difference of the decay rates, times f0 / f, is
 * added to that of the random sound. If scattering changes the decay in that octave, it may explain the
 * difference instead, and less is added.
 */
#ifndef SRC_RAY_JOIN_H
#define SRC_RAY_JOIN_H

#include "src/rays/ray_figures.h"
#include "src/response/acoustics/acoustic_figures.h"

/** Of a decay that half or twice the scattering changes by so much, half the difference is corrected [JND].
 */
#define RAY_JOIN_SPREAD 2.0

/** The highest octave that waves up to `fmax` [Hz] hold whole, as ray_octave_centre(); -1: none. */
int ray_join_octave(double fmax);

/** Rays against waves in one octave; NaN where either has no figure. */
struct ray_join_difference {
    double level; /* of the rays over the waves [dB] */
    double decay; /* by T30, or else T20, positive where rays last longer [JND] */
    double rate;  /* of the waves' energy over that of rays [1/s] */
};

struct ray_join_difference ray_join_compare(const struct band_figures *waves, const struct ray_figures *rays,
                                            int octave);

/** Means over pairs. */
struct ray_join_check {
    size_t levels, decays;     /* pairs that have each */
    double level, decay, rate; /* NaN of none */
    bool far_apart;            /* beyond FIGURE_JOIN_LEVEL_MOST or FIGURE_JOIN_DECAY_MOST */
};

/** The difference of each figure of rays from that of waves in an octave: root of the mean square over pairs
 * [JND]; 0 if no pair has both. `waves`: the octave of each pair. */
void ray_join_errors(const struct band_figures *const waves[], const struct ray_figures *rays, size_t pairs,
                     int octave, double out[PRESSURE_FIGURES]);

struct ray_join_check ray_join_check_make(const struct ray_join_difference *pair, size_t pairs);

/** What to add to the level of rays, direct sound excepted, in each octave [dB]: -level f0 / f, below f0 as
 * there; 0 if `level` is NaN. */
void ray_join_correction(double level, int octave, double out[RAY_OCTAVES]);

/** What to add to the decay rate of their energy [1/s]: rate f0 / f / (1 + (spread / RAY_JOIN_SPREAD)^2),
 * below f0 as there. `spread`: change of T30 in that octave by scattering [JND]. 0 if either is NaN. */
void ray_join_decay(double rate, double spread, int octave, double out[RAY_OCTAVES]);

/** All at RESPONSE_RATE, sample 0 the emission; borrowed. */
struct ray_join_parts {
    double fmax;           /* of the waves [Hz] */
    size_t channels;       /* of the result */
    size_t wave_channels;  /* at most `channels`: the others have no sound below */
    size_t wave_count;     /* samples; silence follows */
    const float *wave;     /* (wave_count, wave_channels) */
    const float *random;   /* (count, channels) */
    const float *coherent; /* (count, channels) direct sound and images, of the whole band */
};

/** @param out (count, channels), the caller's
 * FAILURE_CAPACITY without memory. 3 s of one channel take .06 s, of 16 .22 s; 90 bytes a sample. */
int ray_join_make(const struct ray_join_parts *parts, size_t count, float *out, struct failure *failure);

#endif
