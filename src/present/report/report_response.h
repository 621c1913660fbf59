/** One response as a report holds it: the record of it, and its curves. */
#ifndef SRC_REPORT_RESPONSE_H
#define SRC_REPORT_RESPONSE_H

#include "src/present/report/report_model.h"

#define REPORT_ENVELOPE_BINS  2000
#define REPORT_WAVEFORM       0.1 /* [s] of it, from a hundredth before the onset on */
#define REPORT_STRETCHES      800
#define REPORT_SPECTRUM_BANDS 24 /* of an octave */
#define REPORT_LOWEST         30 /* [Hz]: a response is right from there on (response.h) */

/** Add to `response`, which has its record:
 *
 * - the envelope: the largest level in bins, 0 dB is the loudest bin; at most REPORT_ENVELOPE_BINS of them;
 * - `waveform`, the first REPORT_WAVEFORM, and `whole`: the lowest and highest sample of each stretch, at
 * most REPORT_STRETCHES of them;
 * - the decay of each octave with the lines through it;
 * - the spectrum: means of energy over 1/24 octave from REPORT_LOWEST on, 0 dB is |X| = 1;
 * - and those figures of acoustic_figures.h that the record lacks.
 *
 * @param sample,count at 48 kHz
 * @param fmax_hz [Hz] of the run
 * @param onset [s]
 * @param points of a decay curve at most
 * FAILURE_CAPACITY without memory. About 0.1 s of one processor for 2 s of sound. */
int report_response_add(struct report_response *response, const float *sample, size_t count, double fmax_hz,
                        double onset, size_t points, struct failure *failure);

#endif
