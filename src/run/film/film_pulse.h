/** The pulse of a film: the drive of the source, short enough to show wave fronts.
 *
 * Second derivative of a Gaussian, upside down (Ricker 1953):
 *
 *     q(t) = (1 - 2 a^2) exp(-a^2),  a = pi f_p t,  f_p = fmax / 2.5
 *
 * One crest between two shallow troughs, without ringing; the drive of responses (response.h), flat to fmax,
 * would ring for 13 periods on either side of every front. It adds up to 0, so no mean pressure stays in a
 * closed room. Its spectrum (f/f_p)^2 exp(1 - (f/f_p)^2) is strongest at f_p, -30 dB at fmax, and the crest
 * in space is about 0.45 c / f_p = 1.1 c / fmax wide.
 *
 * In free field the engine's pressure at r metres is q(t - r/c) / (4 pi r); pictures show 4 pi times that: 1
 * is the crest as it passes at 1 m in the open, and it falls as 1/r. */
#ifndef SRC_FILM_PULSE_H
#define SRC_FILM_PULSE_H

#include "src/response/signal/response.h"

#define FILM_PULSE_PEAK 2.5 /* fmax is so many times the frequency of the strongest part */

/** Factor from an engine's pressure to that of a picture. */
#define FILM_PRESSURE (4.0 * 3.14159265358979323846)

/** The crest is sample `lead`; where q is below 1e-9 on either side it ends. Free with response_drive_free().
 * FAILURE_INPUT unless 0 < fmax < rate / 4; FAILURE_CAPACITY without memory. */
int film_pulse_make(double rate, double fmax, struct response_drive *out, struct failure *failure);

#endif
