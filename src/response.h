/** From what the engine puts out to a calibrated impulse response at 48 kHz.
 *
 * Drive: q = (1, -1), zero mean. Chain, all in double but the rate conversion:
 * - running sum joined to a 10 Hz fourth-order Butterworth high-pass (integrator.h);
 * - low-pass at the engine's rate (low_pass.h): flat to fmax, -60 dB from 1.15 fmax;
 * - times 4 pi rate / 48000;
 * - losses of the air, if asked for (air_filter.h): the signal is a band by now, and as thin as that allows;
 * - rate to 48 kHz (libsamplerate, best sinc; it takes float, as the file does). It comes last, where nothing
 *   is left near either Nyquist frequency and no high-frequency noise of the lattice to round against.
 *
 * Result: in free field at r metres |sum x[n] exp(-2 pi j f n / 48000)| = 1/r from 30 Hz to fmax (the
 * lattice's own error apart), with losses exp(-alpha(f) r) / r; sample 0 is the emission. Where at least 13.1
 * / fmax seconds pass before the first sound (74 ms at 177 Hz, 9.2 ms at 1420 Hz) the low-pass is zero-phase
 * and sound arrives at sample 48000 r / c. Nearer to the source its ringing would begin before the emission
 * and be cut off, and up to 2 dB of the spectrum with it: there the magnitude is kept and the phase gives way
 * near fmax (low_pass.h). At 1 m that is at most 0.1 rad up to 0.7 fmax for fmax of 710 Hz and more; at 177
 * Hz, whose period is twice the way, the sound comes 2 to 3 ms late.
 */
#ifndef SRC_RESPONSE_H
#define SRC_RESPONSE_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/failure.h"
#include "src/air_filter.h"

#define RESPONSE_RATE 48000

/** Drive sample n of every source. */
static inline double response_drive(uint64_t n)
{
    return n == 0 ? 1.0 : n == 1 ? -1.0 : 0.0;
}

/** Can a run at `rate` give responses up to `fmax`? FAILURE_INPUT unless 20 < fmax <= 20000, 1.15 fmax < rate
 * / 2 and rate >= 200 [Hz]. To be asked before a run rather than after it. */
int response_check(double rate, double fmax, struct failure *failure);

/** @param raw     engine output (count), sample n at n / rate
 * @param rate     [Hz], of the engine
 * @param fmax     low-pass [Hz]; FAILURE_INPUT as response_check()
 * @param out      owned by the caller (free); `*out_count` = ceil(count 48000 / rate) float samples
 * FAILURE_SIMULATION where `raw` is not finite. 15 s of sound take under a second; about 30 bytes
 * a sample of `raw` while it runs. */
int response_make(const double *raw, size_t count, double rate, double fmax, float **out, size_t *out_count,
                  struct failure *failure);

/** The same in air that takes its part of the sound: sample n has been under way for n / 48000 s. */
int response_make_in_air(const double *raw, size_t count, double rate, double fmax, enum air_method method,
                         const struct air *air, float **out, size_t *out_count, struct failure *failure);

#endif
