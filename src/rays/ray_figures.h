/** Figures of ISO 3382-1 from the energy that rays leave at a receiver, octave by octave.
 *
 *     E(t) = the energy after t, the direct sound included at its arrival, L(t) = 10 lg(E(t) / E)
 *
 * T = -60 / slope of the straight line of least squares through L at the edges of bins: EDT 0 to -10 dB, T20
 * -5 to -25, T30 -5 to -35. C50, C80, D50 and Ts count from the arrival of the direct sound, and within a bin
 * energy is spread evenly. G = 10 lg(E / 0.01 m^-2): the source at 10 m in free field.
 */
#ifndef SRC_RAY_FIGURES_H
#define SRC_RAY_FIGURES_H

#include "src/rays/ray_trace.h"
#include "src/response/acoustics/acoustic_figures.h"
#include "src/response/acoustics/figure_table.h"
#include "src/response/acoustics/speech_transmission.h"

/** By octave, 63 Hz first; NaN where the decay does not reach the range of a figure. Of the pressure figures.
 */
struct ray_figures {
    double value[PRESSURE_FIGURES][RAY_OCTAVES];
};

/** Of one part of the rays, or of all (RAY_PARTS). FAILURE_CAPACITY for memory. O(bins). */
int ray_figures_make(const struct ray_energy *energy, size_t part, size_t receiver, struct ray_figures *out,
                     struct failure *failure);

/** Standard error of each figure by the scatter of the parts: the noise of all rays. */
int ray_figures_noise(const struct ray_energy *energy, size_t receiver, struct ray_figures *out,
                      struct failure *failure);

/** Standard deviation of each figure by interference: a response is a draw of an interference pattern, of
 * which energy has only the envelope. Found from draws of Gaussian noise with that envelope: the energy of a
 * bin is that of bandwidth x bin degrees of freedom (an octave's is 0.707 of its centre). Octaves as wide as
 * a response is measured; the direct sound is certain. Draws follow from the receiver's number. */
int ray_figures_interference(const struct ray_energy *energy, size_t receiver, struct ray_figures *out,
                             struct failure *failure);

/** Put octaves from number `first` (0: 63 Hz) on into the figures of a response, which has those below. */
void ray_figures_put(const struct ray_figures *figures, size_t first, struct acoustic_figures *out);

/** Speech transmission in octaves from 125 Hz number `first` (0 to 7) on by m(F) = |sum of E exp(-j 2 pi F
 * t)| / sum of E, and with all octaves STI; those below are left as they are. */
void ray_speech_put(const struct ray_energy *energy, size_t receiver, size_t first,
                    struct speech_transmission *out);

/** The difference of two values of a figure in just noticeable differences; NaN where one is absent. */
double ray_figure_steps(enum figure figure, double one, double other);

#endif
