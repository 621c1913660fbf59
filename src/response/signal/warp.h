/** Converts the output of a run of the isotropic scheme to true frequencies and to 48 kHz, exactly.
 *
 * The scheme's dispersion is all but isotropic (dispersion.h), so a response at the true frequency omega
 * follows from the run at the numerical angle theta(omega):
 *
 *     X(omega) = 4 pi F'(kappa) U(theta) / Q(theta) H(omega),   kappa = omega h / c
 *
 * U and Q are the transforms of the output and of the drive, over all steps. F' makes amplitudes right: a
 * mode's residue in 1 / (F(kappa_m) - F(kappa)) is one over F' times that in 1 / (kappa_m^2 - kappa^2). H is
 * the band of a response with the high-pass of integrator.h: that of the drive, whose low-pass
 * (low_pass_sharp()) is flat to fmax and -100 dB from 1.15 fmax, so it is not divided out and nothing is
 * amplified. If sound arrives before 13.1 / fmax its lead is changed (low_pass_change_lead()). X is computed
 * at the frequencies of a discrete transform, so that the inverse one gives samples at 48 kHz; 2 % of the run
 * are faded out at its end.
 *
 * Sound takes longer in a run than it should, most at high frequencies: of a run of t seconds after the
 * emission t times dispersion_stretch() at fmax is true time. The result has WARP_KEPT of that; later sound
 * lacks the highest frequencies because of the fade. Sound that does not decay, up to 1.12 fmax, is right to
 * .004 % at the end of the result at 5 points per wavelength, to .12 % at 4. */
#ifndef SRC_WARP_H
#define SRC_WARP_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "kernels/scheme/time_step.h"
#include "src/response/signal/fourier.h"
#include "src/response/signal/low_pass.h"

#define WARP_KEPT 0.95
#define WARP_FADE 0.02 /* of the run, at its end */

/** Common data of the responses of one run: frequencies, gridding, drive, band. Zeroed is empty; read-only
 * while responses are made, so threads may share it. */
struct warp {
    struct time_step step;
    double fmax;                  /* [Hz] */
    size_t lead, steps;           /* of the run: before the emission; all */
    double rate;                  /* of the response [Hz] */
    size_t lines;                 /* frequencies, 0 to 1.15 fmax */
    struct fourier whole;         /* of the samples at 48 kHz; owned */
    struct fourier band;          /* the same spectrum at a lower rate, for changes of lead; owned */
    double band_rate;             /* [Hz] */
    struct low_pass_roots roots;  /* at that rate; owned */
    struct fourier_angles angles; /* (lines) owned */
    double complex *quotient;     /* (lines) 4 pi F' over the drive's difference, and the high-pass; owned */
};

/** @param lead  steps before the emission, response_lead(); @param steps in all
 * @param rate  of the response, RESPONSE_RATE [Hz]
 * step->scheme isotropic, fmax accepted by response_check(). FAILURE_CAPACITY without memory. O(N log N);
 * about 150 bytes a line, 60 a step, 16 a sample. */
int warp_make(const struct time_step *step, double fmax, size_t lead, size_t steps, double rate,
              struct warp *out, struct failure *failure);
void warp_free(struct warp *warp);

/** Bytes for making responses of such a run: a warp, and the memory of `at_once` responses at a time. */
double warp_bytes(const struct time_step *step, double fmax, double steps, double rate, double at_once);

/** @param raw      (channels) rows (warp->steps), finite
 * @param first    (channels) as response_make()
 * @param gradient of gradients: times c / (j omega)
 * @param out      (channels) rows (samples); at most response_samples() of them are right
 * FAILURE_CAPACITY without memory. Two channels cost a transform of at least twice the steps and one of the
 * samples: .25 s for 15 s of sound. */
int warp_apply(const struct warp *warp, const double *const *raw, size_t channels, const double *first,
               bool gradient, double *const *out, size_t samples, struct failure *failure);

#endif
