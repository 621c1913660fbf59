/** What the harmonics of a source are driven with, so that its responses have its pattern.
 *
 * A run's drive (response_drive_make()) has the spectrum P(theta) (1 - e^(-j theta)), P its low-pass;
 * responses are what is left once the second factor is divided out (response.h, warp.h). Harmonic i, of order
 * n, is pushed by taps that radiate (j k h)^n Y_i of what drives them (stencil_make_multipole()). So it is
 * driven by
 *
 *     P (1 - e^(-j theta)) a_i(f) g e^(-2 pi j f t) / (j k h)^n
 *
 * with a_i the pattern's at the true frequency f of theta (dispersion.h), g and t the gain and the delay of
 * the source among others, and k h what the grid has at theta: of the isotropic scheme kappa, of the standard
 * scheme the mean over directions. The division sums order n n times. For order 1 that makes the pulse of
 * (1, -1), which ends; orders 2 and 3 fade towards low frequencies (pattern_fade()), and their drives begin
 * and end 1 / pattern_fade(fmax, 2) before and after the others, so the lead of a run with them is longer.
 */
#ifndef SRC_PATTERN_DRIVE_H
#define SRC_PATTERN_DRIVE_H

#include <stddef.h>

#include "kernels/scheme/time_step.h"
#include "src/radiation/pattern.h"
#include "src/signal/response.h"

struct pattern_drive {
    struct time_step step;
    double fmax;                   /* [Hz] */
    const struct pattern *pattern; /* borrowed */
    double front[3];               /* where its axis points: a unit vector */
    double gain, delay;            /* (-), [s], 0 or more */
    size_t lead;                   /* of the run: response_lead() and at least pattern_drive_lead() */
};

/** Steps by which the lead of a run with this pattern is longer than response_lead(). */
size_t pattern_drive_lead(const struct time_step *step, double fmax, const struct pattern *pattern);

/** Samples of such a drive, whatever the pattern and the front. */
size_t pattern_drive_count(const struct pattern_drive *of);

/** Drives of all harmonics, of one length; of those that the pattern lacks at every frequency (1e-6 of the
 * axis) `sample` is NULL. That of harmonic 0 adds up to 0. What a tail still has where it is cut off is
 * faded. FAILURE_INPUT as response_check(), FAILURE_CAPACITY. Caller: response_drive_free() each. */
int pattern_drive_make(const struct pattern_drive *of, struct response_drive out[HARMONICS],
                       struct failure *failure);

#endif
