/** One response as a report holds it: what a run's record says of it, and its curves. */
#ifndef SRC_REPORT_RESPONSE_H
#define SRC_REPORT_RESPONSE_H

#include <cjson/cJSON.h>
#include <stddef.h>

#include "geometry/base/failure.h"

#define REPORT_ENVELOPE_BINS  2000
#define REPORT_WAVEFORM       0.1 /* [s] of it, from a hundredth before the onset on */
#define REPORT_STRETCHES      800
#define REPORT_SPECTRUM_BANDS 24 /* of an octave */
#define REPORT_LOWEST         30 /* [Hz]: a response is right from there on (response.h) */

/** Add to `entry` (a copy of the response's entry in run.json):
 *
 * - `t0_s`, `dt_s`, `envelope`: the largest level in bins of dt, 0.01 dB as 16-bit whole numbers,
 * little-endian, in base64; 0 dB is the loudest bin; -32768 is silence; at most REPORT_ENVELOPE_BINS of them;
 * - `waveform`, the first REPORT_WAVEFORM, and `whole`: `t0_s`, `dt_s`, `low` and `high`, 32-bit floats in
 * base64: the lowest and highest sample of each stretch of dt from t0 on, at most REPORT_STRETCHES of them;
 * - `decay`: for each octave `t_s` (after the onset), `level_db` and `fits` (`figure`, `from_s`, `to_s`,
 * `slope_db_per_s`, `intercept_db`);
 * - `spectrum`: `f_hz`, `level_db`, means of energy over 1/24 octave from REPORT_LOWEST on, 0 dB is |X| = 1;
 * - and those figures of acoustic_figures.h that run.json lacks, with `figures_from_file` true.
 *
 * @param sample,count at 48 kHz
 * @param fmax_hz [Hz] of the run
 * @param onset [s]
 * @param points of a decay curve at most
 * FAILURE_CAPACITY without memory. About 0.1 s of one processor for 2 s of sound. */
int report_response_add(cJSON *entry, const float *sample, size_t count, double fmax_hz, double onset,
                        size_t points, struct failure *failure);

/** A number rounded to `decimals`, as JSON; null where it is not finite. */
cJSON *report_rounded(double value, int decimals);

#endif
