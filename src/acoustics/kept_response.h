/** Responses of receiver grids as they are kept: at the rate that their band needs, a small part of 48 kHz.
 *
 * A response ends at 1.15 fmax, 60 dB down, and is 80 dB down from 2 fmax on (signal/response.h): every n-th
 * sample of it, n times as large, has the same spectrum in the band, with what folds back at most -80 dB of
 * it, as long as there are four samples to a period of fmax. To 177 Hz that is every 64th.
 */
#ifndef SRC_KEPT_RESPONSE_H
#define SRC_KEPT_RESPONSE_H

#include "src/acoustics/acoustic_figures.h"
#include "src/signal/response.h"

/** Every how-manieth sample is kept of a response to `highest` [Hz], its fmax. Divides RESPONSE_RATE; the
 * rate that is left is 200 Hz at least, and four times fmax at least where 48 kHz is. */
size_t kept_every(double highest);

/** Samples that are kept of `count`, and of a response that was restored from `count`: up to the last one
 * kept. */
size_t kept_samples(size_t count, size_t every);
size_t kept_restored(size_t count, size_t every);

/** The samples at RESPONSE_RATE again: what was left out is interpolated (libsamplerate, best sinc).
 * @param kept (count), each `stride` behind the one before
 * @param out  (kept_restored(count, every)), the caller's
 * FAILURE_CAPACITY without memory; FAILURE_OUTPUT where the conversion fails. */
int kept_restore(const float *kept, size_t count, size_t stride, size_t every, float *out,
                 struct failure *failure);

/** Figures of a response at RESPONSE_RATE, before or after it was kept: those of a run's maps. Up to 1500 Hz
 * of every second sample, in half the time; they differ from those of all by a fortieth of a JND at most.
 * @param sample (count), each `stride` behind the one before
 * @param onset  of the sound, as acoustic_figures_make() has it [s]
 * @param alone  room for `count` samples
 * Failures of acoustic_figures_make(). */
int kept_figures(const float *sample, size_t count, size_t stride, double highest, double onset, float *alone,
                 struct acoustic_figures *out, struct failure *failure);

#endif
