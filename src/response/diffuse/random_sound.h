/** Random sound that has given energies: by time, octave and direction, as rays leave them, or as a decay
 * goes on after the end of a response.
 *
 * Reflections follow one another as a Poisson process of a room's density,
 *
 *     dN/dt = 4 pi c^3 t^2 / V, at most RANDOM_SOUND_DENSEST        (Kuttruff, Room Acoustics, section 4.2)
 *
 * which divides time into stretches, of whole samples. In each stretch each octave has one event of all its
 * energy there, at a time drawn by that energy. Its sign is random; where several reflections are in one
 * sample its amplitude is that of their sum. So the energy of each octave is right at each time in the mean,
 * and one signal is one draw of an interference: its figures scatter as those of Gaussian noise do. Energy is
 * drawn straight between the middles of bins, so that bins are not heard. After the last bin each octave goes
 * on with the decay between the two last eighths of the bins, from the directions of the last.
 *
 * Octaves are cut by zero-phase filters whose powers add up to 1 (octave_crossover()). Because their signs
 * are independent, so do the energies where they overlap: one noise for all would be 1 dB too loud. The
 * lowest octave reaches down to 22 Hz, the highest up to half the rate.
 */
#ifndef SRC_RANDOM_SOUND_H
#define SRC_RANDOM_SOUND_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "src/response/signal/band_filters.h"

#define RANDOM_SOUND_DENSEST   192000.0 /* reflections [1/s]: four in a sample are as good as more */
#define OCTAVE_CROSSOVER_WIDTH 0.5      /* octaves, about the middle */

/** Amplitude of the part below `middle` [Hz]: cos(pi x / 2), x = log2(f / middle) / OCTAVE_CROSSOVER_WIDTH +
 * 1/2 within 0..1. */
static inline double octave_crossover(double f, double middle)
{
    const double x = log2(f / middle) / OCTAVE_CROSSOVER_WIDTH + 0.5;
    return x <= 0 ? 1 : x >= 1 ? 0 : cos(0.5 * 3.14159265358979323846 * x);
}

/** Where sound comes from; all borrowed. */
struct sound_directions {
    size_t cells;                   /* of the sphere */
    const double *toward;           /* (cells, 3) unit vectors from the receiver, room axes */
    size_t groups;                  /* of octaves that share directions */
    size_t group[OCTAVE_BANDS_MAX]; /* of each octave */
    const float *energy; /* (bins, groups, cells) only ratios within a bin and group count; none: all
                            cells alike */
};

/** All borrowed. */
struct random_sound_task {
    double bin; /* [s], 1 to 2 ms; the first begins at the emission, sample 0 */
    size_t bins;
    const double *energy;       /* (bins, OCTAVE_BANDS_MAX) |X|^2 of a calibrated response, >= 0 [1/m2] */
    double volume, sound_speed; /* [m3], [m/s] */
    uint64_t seed;
    int order;                                 /* ambisonics, 0 to HARMONICS_ORDER */
    bool apart;                                /* no ambisonics: a channel for the sound of each cell */
    const struct sound_directions *directions; /* order 0, and not apart: not used */
    double front;                              /* azimuth of the front, as ambisonic_response.h [degrees] */
};

/** (order + 1)^2, or as many as cells. */
size_t random_sound_channels(const struct random_sound_task *task);

/** @param count samples at RESPONSE_RATE
 * @param out   (count, channels) ACN, SN3D, the first the response without directions; the caller's
 * Equal tasks give equal bits. FAILURE_CAPACITY without memory. 3 s take .3 s of one processor, of order
 * 3 1.2 s; 250 bytes a sample. */
int random_sound_make(const struct random_sound_task *task, size_t count, float *out,
                      struct failure *failure);

#endif
