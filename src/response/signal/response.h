/** Makes the drive of a source, and converts the engine's output to a calibrated impulse response at 48 kHz.
 *
 * Drive: (1, -1), zero mean, through the linear-phase low-pass at the engine's rate (low_pass.h): flat to
 * fmax, -60 dB from 1.15 fmax, in samples that begin 13.1 / fmax seconds before the emission (74 ms at 177
 * Hz, 9.2 ms at 1420 Hz) and end as long after it. So the field holds only the requested band, without the
 * lattice's own high frequencies, and its energy is that of the sound.
 *
 * Chain, all in double but the rate conversion:
 * - running sum joined to a 10 Hz fourth-order Butterworth high-pass (integrator.h);
 * - the samples before the emission are dropped; if sound arrives so early that they hold its ringing, the
 * lead is changed first (low_pass_change_lead());
 * - times 4 pi rate / 48000;
 * - losses of the air, on request (air_filter.h), on the signal decimated as far as its band allows;
 * - rate to 48 kHz (libsamplerate, best sinc; it takes float, as the file does). This is last, when nothing
 * is left near either Nyquist frequency.
 *
 * For the isotropic scheme the edges of the low-pass are at theta(fmax) and theta(1.15 fmax), with -100 dB
 * beyond, because that scheme damps frequencies above the band slowly. Samples begin about 23 / fmax before
 * the emission. The chain is different (warp.h): the spectrum of the output at true frequencies, over that of
 * the drive's difference (1, -1), with the same high-pass, the change of lead and 4 pi, and from it samples
 * at 48 kHz; then the losses of the air. Its low-pass is the drive's own, zero-phase, and the lead is changed
 * under the same condition.
 *
 * Result: in free field at r metres |sum x[n] exp(-2 pi j f n / 48000)| = 1/r from 30 Hz to fmax (the
 * lattice's own error apart), with losses exp(-alpha(f) r) / r; sample 0 is the emission. If at least 13.1 /
 * fmax seconds pass before the first sound, the low-pass is zero-phase and sound arrives at sample 48000 r /
 * c. Nearer to the source its ringing would begin before the emission and be cut off, with up to 2 dB of the
 * spectrum. There the magnitude is kept and the phase changes near fmax (low_pass.h). At 1 m that is at most
 * 0.1 rad up to 0.7 fmax for fmax of 710 Hz and more; at 177 Hz, whose period is twice the travel time, the
 * sound is delayed by 2 to 3 ms. */
#ifndef SRC_RESPONSE_H
#define SRC_RESPONSE_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/time_step.h"
#include "src/response/signal/air_filter.h"

struct warp;

#define RESPONSE_RATE 48000

/** Check that a run can give responses up to `fmax`. FAILURE_INPUT unless 20 < fmax <= 20000, rate >= 200
 * [Hz] and 1.15 fmax is below half the rate, or, for the isotropic scheme, below dispersion_kappa_limit().
 * Call it before a run. */
int response_check(const struct time_step *step, double fmax, struct failure *failure);

/** Steps of a run before the emission. */
size_t response_lead(const struct time_step *step, double fmax);

/** Seconds of a response for one second of a run after the emission: 1; for the isotropic scheme WARP_KEPT
 * times the stretch at fmax (.868 at 5 points per wavelength and lambda2 .6, .895 at 6), since the warp uses
 * the rest. */
double response_share(const struct time_step *step, double fmax);

/** Most drives of a run at once, each with its own tap: 32 sources of order 3, or 512 omnidirectional ones.
 */
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

/** Settings for the responses of one grid. */
struct response_chain {
    struct time_step step;   /* of the engine; the standard scheme uses the rate, and gradients sound_speed */
    double fmax;             /* [Hz] */
    size_t longer;           /* steps by which the run's lead is longer than response_lead() */
    enum air_method method;  /* AIR_OFF: `air` may be NULL */
    const struct air *air;   /* sample n has travelled in it for n / 48000 s */
    const struct warp *warp; /* for the isotropic scheme, made for `count` steps and shared by many responses;
                                NULL: each makes its own. Borrowed */
    int (*check)(void); /* called from time to time: a value other than 0 ends the work as a failure without a
                           sentence; NULL: no check */
};

/** Steps of its runs before the emission. */
static inline size_t response_chain_lead(const struct response_chain *chain)
{
    return response_lead(&chain->step, chain->fmax) + chain->longer;
}

/** Result of chain->check. */
static inline int response_check_time(const struct response_chain *chain)
{
    return chain->check != NULL ? chain->check() : 0;
}

/** Samples of a response of `count` steps: ceil((count - lead) response_share() 48000 / rate), 0 if the run
 * ended before the emission. Step and fmax accepted by response_check(). */
size_t response_samples(const struct response_chain *chain, size_t count);

/** @param raw   engine output (count), from step 0 of a run with that drive: sample n is at time
 *               (n - response_chain_lead()) / rate of the run
 * @param first  when sound may arrive first, after the emission: r/c by the shortest path [s], >= 0
 * @param out    (response_samples()), owned by the caller (free)
 * FAILURE_INPUT as response_check(), FAILURE_SIMULATION if `raw` is not finite. 15 s of sound take under a
 * second; about 30 bytes a sample of `raw` while it runs, in air about 60; for the isotropic scheme 50 a
 * sample of 48 kHz, and those of a warp (warp.h). */
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

/** The same for one receiver from gradients (stencil_make_gradient()): sound_speed times the integral of
 * dp/dx over time. For a plane wave from the direction of x this equals the result of response_make() for the
 * pressure; from other directions it is multiplied by the cosine. For a spherical wave of radius r it is 1 +
 * sound_speed / (2 pi j f r) times as much. The integral is that of the scheme, so that the three components
 * of a plane wave have exactly the length of its pressure: with the link differences 2 sin(k h/2) / h goes
 * (rate / 2) / (j sin(pi f / rate)), the trapezoidal rule of integrator.h over cos(pi f / rate), for which
 * two terms of the binomial series are taken (right to 1e-5 at 10 points per wavelength). For the isotropic
 * scheme gradients are fitted to k itself (fitted_stencil.h), and it is 1 / (j omega) at true frequencies. */
int response_make_gradient(const struct response_chain *chain, const double *const *raw, size_t channels,
                           size_t count, double first, float *out, struct failure *failure);

/** Convert the sound at a receiver (not a response): low-passed at `fmax` with zero phase and converted to
 * RESPONSE_RATE with its amplitude kept; sample 0 stays sample 0. Before and after is silence.
 * @param signal (count) at `rate`; low-passed in place
 * @param out    (floor((count - 1) 48000 / rate) + 1), owned by the caller (free)
 * FAILURE_SIMULATION if it is not finite; FAILURE_CAPACITY. */
int response_of_sound(double *signal, size_t count, double rate, double fmax, float **out, size_t *out_count,
                      struct failure *failure);

#endif
