/** Stores responses of receiver grids at the rate that their band needs, a small part of 48 kHz.
 *
 * A response ends at 1.15 fmax, 60 dB down, and is 80 dB down from 2 fmax on (signal/response.h): every n-th
 * sample of it, times n, has the same spectrum in the band, with aliasing of at most -80 dB, if there are
 * four samples to a period of fmax. Up to 177 Hz every 64th sample is enough. */
#ifndef SRC_KEPT_RESPONSE_H
#define SRC_KEPT_RESPONSE_H

#include "src/response/acoustics/acoustic_figures.h"
#include "src/response/signal/response.h"

/** Interval of the stored samples of a response to `highest` [Hz], its fmax. Divides RESPONSE_RATE; the
 * remaining rate is at least 200 Hz, and at least four times fmax if 48 kHz is. */
size_t kept_every(double highest);

/** Number of stored samples of `count`, and of samples restored from `count`: up to the last one stored. */
size_t kept_samples(size_t count, size_t every);
size_t kept_restored(size_t count, size_t every);

/** Interpolate the samples at RESPONSE_RATE (libsamplerate, best sinc).
 * @param kept (count), each `stride` behind the one before
 * @param out  (kept_restored(count, every)), the caller's
 * FAILURE_CAPACITY without memory; FAILURE_OUTPUT if the conversion fails. */
int kept_restore(const float *kept, size_t count, size_t stride, size_t every, float *out,
                 struct failure *failure);

/** Figures for a run's maps of a response at RESPONSE_RATE, before or after storing. Up to 1500 Hz only every
 * second sample is used, in half the time; the difference is at most a fortieth of a JND.
 * @param sample (count), each `stride` behind the one before
 * @param onset  of the sound, as in acoustic_figures_make() [s]
 * @param alone  room for `count` samples
 * @param thirds their figures, too; NULL: none
 * Failures of acoustic_figures_make(). */
int kept_figures(const float *sample, size_t count, size_t stride, double highest, double onset, float *alone,
                 struct acoustic_figures *out, struct third_figures *thirds, struct failure *failure);

#endif
