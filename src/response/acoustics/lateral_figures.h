/** Measures the sound from the sides (ISO 3382-1, annex A): early lateral energy fraction LF, the same of
 * products LFC, and late lateral level LJ, octave by octave.
 *
 *     LF  = integral 5..80 ms of p_L^2 dt   / integral 0..80 ms of p^2 dt
 *     LFC = integral 5..80 ms of |p_L p| dt / integral 0..80 ms of p^2 dt
 *     LJ  = 10 lg(integral 80 ms.. of p_L^2 dt / E of the same source at 10 m)
 *
 * p_L is the signal of a figure-of-eight microphone whose axis is horizontal and whose null points at the
 * source: with the source at azimuth s in the ambisonic frame, cos s Y - sin s X. Times count from the onset.
 * Parts are cut first and then filtered, as in band_energy.h; for LFC both are filtered with zero phase.
 *
 * A plane wave at angle a from that axis has p_L = cos a p. In sound equal from all directions LF is 1/3; LFC
 * is 1/2 for single reflections and 2 / (pi sqrt 3) = 0.37 for noise-like dense ones. */
#ifndef SRC_LATERAL_FIGURES_H
#define SRC_LATERAL_FIGURES_H

#include "geometry/base/failure.h"
#include "src/response/acoustics/acoustic_figures.h"

/** One octave. NaN if absent; `why` then gives the reason. */
struct lateral_octave {
    double centre;  /* [Hz] */
    double lf, lfc; /* shares (-) */
    double lj;      /* [dB] */
    char why[200];
};

struct lateral_figures {
    size_t bands;
    struct lateral_octave octave[OCTAVE_BANDS_MAX];
    double lf, lfc; /* the standard's single numbers: means of 125 to 1000 Hz; NaN if one of them is absent */
    double lj;      /* the mean of their energies there [dB] */
};

/** @param frames    (count, 4) of an AmbiX response at `rate` [Hz] (ambisonic_response.h), low-passed at
 *                   `highest` [Hz]
 * @param onset     when the direct sound arrives, after sample 0 [s]
 * @param source    azimuth of the source in the frame, from its front to the left [degrees]; NaN: straight
 * above or below, so that no axis has its null there: all are absent
 * @param reference |X| at 10 m, as acoustic_figures_make(); NaN: unknown, no LJ
 * @param pressure  acoustic_figures_make() of the first channel: LJ is given if C80 is, since the late part
 * is then known to 1 dB LF and LFC are absent if the response ends before 80 ms. FAILURE_CAPACITY without
 * memory. 2 s at 48 kHz take 25 ms. */
int lateral_figures_make(const float *frames, size_t count, double rate, double highest, double onset,
                         double source, double reference, const struct acoustic_figures *pressure,
                         struct lateral_figures *out, struct failure *failure);

/** One of FIGURE_LF, FIGURE_LFC, FIGURE_LJ; NaN if absent. */
double lateral_figure_of(const struct lateral_octave *octave, enum figure figure);

/** Its single number. */
double lateral_figure_single(const struct lateral_figures *figures, enum figure figure);

#endif
