/** The low-pass of the drives of sources: flat to fmax, zero-phase; and its version in responses, which never
 * begins before sample 0.
 *
 * A zero-phase filter responds before its input: here up to LOW_PASS_REACH / fmax seconds (74 ms at 177 Hz),
 * while sound takes 2.9 ms to 1 m. A file that begins with the emission would cut that part off, and up to 2
 * dB of the spectrum with it. So the filter is designed for its lead, the free time before the first sound.
 *
 * - lead >= low_pass_lead(): linear phase, symmetric about 0 (Kaiser window). Sources are driven with this.
 * - a smaller lead: the same magnitude in a response that starts `lead` before 0. It is the maximum-phase
 * root of the magnitude, faded out within the lead, times the minimum-phase filter that restores the
 * magnitude.
 *
 * Remaining phase of the second, measured [rad] (lead in periods of fmax):
 *
 *     lead    at fmax / 3   0.5 fmax   0.7 fmax   0.9 fmax
 *     0.5       -1.03        -1.66      -2.67      -3.38
 *     1         -0.22        -0.44      -0.98      -2.20
 *     2         +0.04        +0.08      +0.01      -0.62
 *     4         +0.01        +0.02      +0.05      +0.09
 *     8          0.00        +0.01      +0.01      +0.05 */
#ifndef SRC_LOW_PASS_H
#define SRC_LOW_PASS_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "src/response/signal/fourier.h"

#define LOW_PASS_STOP_RATIO  1.15 /* the stop band begins at this times fmax */
#define LOW_PASS_ATTENUATION 64.0 /* of the Kaiser design [dB]; the finished filter keeps 60 */
#define LOW_PASS_REACH       13.1 /* half length of the linear-phase filter [periods of fmax] */

/** Taps are owned, freed by low_pass_free(); zeroed is empty. y[n] = sum over k of tap[k] x[n + lead - k]. */
struct low_pass {
    size_t count;
    size_t lead; /* index of the tap at time 0 */
    double *tap; /* (count) */
};
void low_pass_free(struct low_pass *filter);

/** Flat within 0.02 dB from 0 to fmax, at most -60 dB from 1.15 fmax, -80 dB from 2 fmax.
 * @param fmax,rate [Hz], 1.15 fmax < rate / 2
 * @param lead      samples that may be used before time 0
 * FAILURE_CAPACITY without memory. */
int low_pass_design(double fmax, double rate, size_t lead, struct low_pass *out, struct failure *failure);

/** Half length of the linear-phase filter: LOW_PASS_REACH / fmax [samples], 1 at least. */
size_t low_pass_lead(double fmax, double rate);

/** The drive of a scheme that damps frequencies above its band slowly: linear phase, at most -100 dB from
 * edge[1] on, flat within 0.001 dB up to edge[0] [Hz] (Kaiser; the design value is LOW_PASS_SHARP dB). Half
 * its length is low_pass_sharp_lead(), 3.4 over the width of the transition [samples]. */
#define LOW_PASS_SHARP 106.0
size_t low_pass_sharp_lead(const double edge[2], double rate);
int low_pass_sharp(const double edge[2], double rate, struct low_pass *out, struct failure *failure);

/** Common data of all filters of one magnitude, for any lead: half the work of each. Freed by
 * low_pass_roots_free(); zeroed is empty. */
struct low_pass_roots {
    struct low_pass filter; /* linear phase; owned */
    struct fourier fourier; /* owned */
    double *level;          /* (length) of the filter's transform; owned, with the next two */
    double *magnitude;      /* (length) raised to a least value for division */
    double *early;          /* (length) minimum-phase response with the root of it */
};

/** Roots of the low-pass that ends at 1.15 fmax as in low_pass_sharp(). As low_pass_design(). */
int low_pass_roots_sharp(double fmax, double rate, struct low_pass_roots *out, struct failure *failure);

/** As low_pass_design(). */
int low_pass_roots_make(double fmax, double rate, struct low_pass_roots *out, struct failure *failure);
void low_pass_roots_free(struct low_pass_roots *roots);

/** The quotient of the filter of this `lead` and the linear-phase one, for signals that have passed the
 * latter. In the band it changes phases only; deep in the stop band it attenuates more than required.
 * @param lead below low_pass_lead() FAILURE_CAPACITY without memory. */
int low_pass_change_lead(const struct low_pass_roots *roots, size_t lead, struct low_pass *out,
                         struct failure *failure);

/** Filter a signal in place; before and after it is silence. Overlap-add with Fourier transforms: O(count log
 * taps). */
int low_pass_apply(const struct low_pass *filter, double *signal, size_t count, struct failure *failure);

#endif
