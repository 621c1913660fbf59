/** Computes the drives of the harmonics of a source, so that its responses have its pattern.
 *
 * A run's drive (response_drive_make()) has the spectrum P(theta) (1 - e^(-j theta)), P its low-pass;
 * responses result from division by the second factor (response.h, warp.h). The taps of harmonic i, of order
 * n, radiate (j k h)^n Y_i times their drive (stencil_make_multipole()). So the drive is
 *
 *     P (1 - e^(-j theta)) a_i(f) g e^(-2 pi j f t) / (j k h)^n
 *
 * with a_i the pattern's at the true frequency f of theta (dispersion.h), g and t the gain and the delay of
 * the source among others, and k h that of the grid at theta: kappa for the isotropic scheme, the mean over
 * directions for the standard scheme. The division sums order n n times. For order 1 that makes the pulse of
 * (1, -1), which ends; orders 2 and 3 fade towards low frequencies (pattern_fade()), and their drives begin
 * and end 1 / pattern_fade(fmax, 2) before and after the others, so the lead of a run with them is longer. */
#ifndef SRC_PATTERN_DRIVE_H
#define SRC_PATTERN_DRIVE_H

#include <stddef.h>

#include "kernels/scheme/time_step.h"
#include "src/setup/radiation/pattern.h"
#include "src/response/signal/response.h"

struct pattern_drive {
    struct time_step step;
    double fmax;                   /* [Hz] */
    const struct pattern *pattern; /* borrowed */
    double front[3];               /* direction of its axis: a unit vector */
    double gain, delay;            /* (-), [s], 0 or more */
    size_t lead;                   /* of the run: response_lead() and at least pattern_drive_lead() */
};

/** Extra steps of lead for this pattern, beyond response_lead(). */
size_t pattern_drive_lead(const struct time_step *step, double fmax, const struct pattern *pattern);

/** Samples of such a drive, for any pattern and front. */
size_t pattern_drive_count(const struct pattern_drive *of);

/** Make the drives of all harmonics, of one length; `sample` is NULL for harmonics below 1e-6 of the axis at
 * every frequency. The drive of harmonic 0 sums to 0. Tails are faded at their ends. FAILURE_INPUT as
 * response_check(), FAILURE_CAPACITY. Caller: response_drive_free() each. */
int pattern_drive_make(const struct pattern_drive *of, struct response_drive out[HARMONICS],
                       struct failure *failure);

#endif
