/** Interaural cross correlation (ISO 3382-1, annex B), octave by octave.
 *
 *     IACF(tau) = integral of p_left(t) p_right(t + tau) dt / sqrt(integral p_left^2 dt  integral p_right^2
 * dt) IACC = max |IACF(tau)|, |tau| <= 1 ms
 *
 * Early: 0 to 80 ms after the onset; late: from 80 ms on. Parts are cut first and then filtered, as in
 * band_energy.h. Between samples the largest value is that of a parabola. 1: both ears hear the same;
 * sources of equal energy that only one ear hears make it small. */
#ifndef SRC_INTERAURAL_H
#define SRC_INTERAURAL_H

#include "src/response/further/further_figures.h"

/** Fill IACC early and late, and their single numbers. A part without sound at one ear has none; a late part
 * neither where C80 is absent in `pressure`, since noise of a recording would be taken for sound.
 * @param frames   (count, 2) left, right, at `rate` [Hz], low-passed at `highest` [Hz]
 * @param onset    when sound arrives at the nearer ear, after sample 0 [s]
 * @param pressure figures of one of the ears; NULL: there is no noise
 * FAILURE_CAPACITY without memory. 2 s at 48 kHz in 9 octaves take 0.4 s. */
int interaural_make(const float *frames, size_t count, double rate, double highest, double onset,
                    const struct acoustic_figures *pressure, struct further_figures *out,
                    struct failure *failure);

#endif
