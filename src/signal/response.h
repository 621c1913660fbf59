/** What a source is driven with, and how the engine's output becomes a calibrated impulse response at 48 kHz.
 *
 * Drive: (1, -1), zero mean, through the linear-phase low-pass at the engine's rate (low_pass.h): flat to
 * fmax, -60 dB from 1.15 fmax, in samples that begin 13.1 / fmax seconds before the emission (74 ms at 177
 * Hz, 9.2 ms at 1420 Hz) and end as long after it. So the field holds the sound that is asked for and nothing
 * of the lattice's own high frequencies, and its energy is that of the sound.
 *
 * Chain, all in double but the rate conversion:
 * - running sum joined to a 10 Hz fourth-order Butterworth high-pass (integrator.h);
 * - the samples before the emission are dropped; where sound arrives so early that its ringing is in
 *   them, the lead is changed first (low_pass_change_lead());
 * - times 4 pi rate / 48000;
 * - losses of the air, if asked for (air_filter.h): the signal is a band by now, and decimated as far as that
 * allows;
 * - rate to 48 kHz (libsamplerate, best sinc; it takes float, as the file does). It comes last, where nothing
 *   is left near either Nyquist frequency.
 *
 * Of the isotropic scheme the low-pass has its edges where a run has them, at theta(fmax) and theta(1.15
 * fmax), and keeps -100 dB beyond, because that scheme keeps what is above the band for long: samples begin
 * some 23 / fmax before the emission. The chain is another (warp.h): the spectrum of the output at true
 * frequencies, over that of the drive's difference (1, -1), with the same high-pass, the change of lead and 4
 * pi, and from it samples at 48 kHz; then the losses of the air. Its low-pass is the drive's own, zero-phase,
 * and the lead is changed under the same condition.
 *
 * Result: in free field at r metres |sum x[n] exp(-2 pi j f n / 48000)| = 1/r from 30 Hz to fmax (the
 * lattice's own error apart), with losses exp(-alpha(f) r) / r; sample 0 is the emission. Where at least 13.1
 * / fmax seconds pass before the first sound the low-pass is zero-phase and sound arrives at sample 48000 r /
 * c. Nearer to the source its ringing would begin before the emission and be cut off, and up to 2 dB of the
 * spectrum with it: there the magnitude is kept and the phase gives way near fmax (low_pass.h). At 1 m that
 * is at most 0.1 rad up to 0.7 fmax for fmax of 710 Hz and more; at 177 Hz, whose period is twice the travel
 * time, the sound comes 2 to 3 ms late.
 */
#ifndef SRC_RESPONSE_H
#define SRC_RESPONSE_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/time_step.h"
#include "src/signal/air_filter.h"

struct warp;

#define RESPONSE_RATE 48000

/** Can a run give responses up to `fmax`? FAILURE_INPUT unless 20 < fmax <= 20000, rate >= 200 [Hz] and 1.15
 * fmax is below half the rate, or, of the isotropic scheme, below what dispersion_kappa_limit() lets pass. To
 * be asked before a run rather than after it. */
int response_check(const struct time_step *step, double fmax, struct failure *failure);

/** Steps of a run before the emission. */
size_t response_lead(const struct time_step *step, double fmax);

/** Seconds of a response for one of a run after the emission: 1, of the isotropic scheme WARP_KEPT times the
 * stretch at fmax (.868 at 5 points per wavelength and lambda2 .6, .895 at 6). So the warp uses up the rest.
 */
double response_share(const struct time_step *step, double fmax);

/** Drives of a run at once, each of its own tap, at most: 32 sources of order 3, or 512 without direction. */
#define RESPONSE_DRIVES_MOST 512

/** Zeroed is empty. */
struct response_drive {
    size_t lead;    /* sample of the emission: response_lead() */
    size_t count;   /* 2 lead + 2; silence follows */
    double *sample; /* (count) of one source, from the run's step 0 on; they add up to 0; owned */
};

/** FAILURE_INPUT as response_check(); FAILURE_CAPACITY without memory. */
int response_drive_make(const struct time_step *step, double fmax, struct response_drive *out,
                        struct failure *failure);
void response_drive_free(struct response_drive *drive);

/** What the responses of one grid are made with. */
struct response_chain {
    struct time_step step;  /* of the engine; of the standard scheme the rate, and of gradients sound_speed */
    double fmax;            /* [Hz] */
    size_t longer;          /* steps by which the run's lead is longer than response_lead() */
    enum air_method method; /* AIR_OFF: `air` may be NULL */
    const struct air *air;  /* sample n has travelled in it for n / 48000 s */
    const struct warp *warp; /* of the isotropic scheme, made for `count` steps and shared by many responses;
                                NULL: each makes its own. Borrowed */
    int (*check)(void);      /* asked now and then: what is not 0 ends it as a failure without a sentence;
                                NULL: nothing does */
};

/** Steps of its runs before the emission. */
static inline size_t response_chain_lead(const struct response_chain *chain)
{
    return response_lead(&chain->step, chain->fmax) + chain->longer;
}

/** What chain->check says. */
static inline int response_check_time(const struct response_chain *chain)
{
    return chain->check != NULL ? chain->check() : 0;
}

/** Samples of a response of `count` steps: ceil((count - lead) response_share() 48000 / rate), 0 when the run
 * ended before the emission. Step and fmax as response_check() lets them pass. */
size_t response_samples(const struct response_chain *chain, size_t count);

/** @param raw   engine output (count), from step 0 of a run with that drive: sample n is at time
 *               (n - response_chain_lead()) / rate of the run
 * @param first  when sound may arrive first, after the emission: r/c by the shortest path [s], >= 0
 * @param out    (response_samples()), owned by the caller (free)
 * FAILURE_INPUT as response_check(), FAILURE_SIMULATION where `raw` is not finite. 15 s of sound take under a
 * second; about 30 bytes a sample of `raw` while it runs, in air about 60; of the isotropic scheme 50 a
 * sample of 48 kHz, and what warp.h says of a warp. */
int response_make(const struct response_chain *chain, const double *raw, size_t count, double first,
                  float **out, size_t *out_count, struct failure *failure);

/** The same for several receivers at once, bit for bit, in a third of the time: rate conversion shares its
 * coefficients.
 * @param raw    (channels) rows (count); at most RESPONSE_GROUP
 * @param first  (channels)
 * @param out    (response_samples(), channels), the caller's */
#define RESPONSE_GROUP 4
int response_make_group(const struct response_chain *chain, const double *const *raw, size_t channels,
                        size_t count, const double *first, float *out, struct failure *failure);

/** The same of one receiver from gradients (stencil_make_gradient()): sound_speed times the integral of dp/dx
 * over time, so that of a plane wave that comes from where x points it is what response_make() makes of the
 * pressure, and of one from elsewhere as much of it as the cosine says; of a spherical wave of radius r, by
 * its curvature, 1 + sound_speed / (2 pi j f r) times as much. The integral is the scheme's own, in which the
 * three of a plane wave are exactly as long as its pressure: with the link differences 2 sin(k h/2) / h goes
 * (rate / 2) / (j sin(pi f / rate)), the trapezoidal rule of integrator.h over cos(pi f / rate), for which
 * two terms of the binomial series are taken (right to 1e-5 at 10 points per wavelength). Of the isotropic
 * scheme gradients are fitted to k itself (fitted_stencil.h), and it is 1 / (j omega) at true frequencies. */
int response_make_gradient(const struct response_chain *chain, const double *const *raw, size_t channels,
                           size_t count, double first, float *out, struct failure *failure);

/** Sound as it is at a receiver, not a response: low-passed at `fmax` with zero phase and converted to
 * RESPONSE_RATE with its amplitude kept; sample 0 stays sample 0. What lies before and after is silence.
 * @param signal (count) at `rate`; low-passed in place
 * @param out    (floor((count - 1) 48000 / rate) + 1), owned by the caller (free)
 * FAILURE_SIMULATION where it is not finite; FAILURE_CAPACITY. */
int response_of_sound(double *signal, size_t count, double rate, double fmax, float **out, size_t *out_count,
                      struct failure *failure);

#endif
