/** Calibrates the level of measured responses by one that was measured with the same source and gain at a
 * known distance, in free field or before the first reflection (ISO 3382-1, annex A.2.1): so G is known.
 *
 *     G = 10 lg(E / E10)      E10 = E(reference) (distance / 10 m)^2, octave by octave */
#ifndef SRC_REFERENCE_LEVEL_H
#define SRC_REFERENCE_LEVEL_H

#include "src/response/acoustics/acoustic_figures.h"

/** Energies of the source at 10 m, sums of squares of samples. */
struct reference_level {
    double rate, highest; /* of the reference [Hz] */
    size_t bands;
    double octave[OCTAVE_BANDS_MAX];
    double whole; /* up to `highest` */
};

/** @param sample   (count) of the response at the distance [m] > 0, at `rate`, up to `highest` [Hz]
 * @param onset    of its direct sound [s]
 * @param gate     what comes later than this after the onset does not count [s]; infinite: all counts
 * FAILURE_INPUT if an octave has no energy; FAILURE_CAPACITY. */
int reference_level_make(const float *sample, size_t count, double rate, double highest, double onset,
                         double distance, double gate, struct reference_level *out, struct failure *failure);

/** Give G and the strength of figures that acoustic_figures_make() found at the same rate with the reference
 * 1, up to `highest` [Hz]. Octaves that the reference lacks have no G; without the same highest frequency
 * there is no strength. */
void reference_level_apply(const struct reference_level *reference, double highest,
                           struct acoustic_figures *figures);

#endif
