/** Computes eight filters, from each channel of an AmbiX sound to each ear, from measured head responses.
 *
 * First-order ambisonics represents the field near the head's middle. For each frequency the filters F of one
 * ear are those with the least squares over all measured directions (weights: the solid angle nearest to
 * each)
 *
 *     sum w |F_W + F_X x + F_Y y + F_Z z - H(x, y, z)|^2,     (x, y, z) the unit vector to the source
 *
 * and from HEAD_MAGNITUDE_FROM on those whose magnitude alone fits |H|, with the phase continued from the
 * frequency below (magnitude least squares: C. Schoerkhuber, M. Zaunschirm, R. Hoeldrich, Binaural rendering
 * of Ambisonic signals via magnitude least squares, DAGA 2018): when the wavelength approaches the head's
 * size four channels cannot represent the phase at both ears, and a fit of it would also lose the level. For
 * a KEMAR (libmysofa's), over all directions: interaural time differences in the horizontal plane are 20 us
 * off at 250 Hz, 60 at 500, 80 at 700, and above dwindle; the level of an ear is 1.1 dB off at 250 Hz, 2.2 at
 * 700, 1.6 at 1000, 1.7 at 1700, 2.6 at 2800 (rms). Fitted with its phase throughout it would be 4.4 dB off
 * at 1000 Hz.
 *
 * Measured responses include the loudspeaker and the ear canal and lack bass, and headphones play into ears
 * with their own canals. So:
 * - level: the filters are equalised to the diffuse field. At every frequency, in sound from all directions
 * alike, the mean energy at the two ears is that of W: |F_W|^2 + (|F_X|^2 + |F_Y|^2 + |F_Z|^2) / 3 = 1 on
 * their mean. This keeps the calibration of a response and removes the colour of measurement and canal;
 * - time: the common delay of the measurement and a reversed polarity are removed, so that F_W has no phase
 * from 200 to 500 Hz: sound arrives as at the middle of the head;
 * - bass: below 200 Hz, fading to 400 Hz, F_W is real and the others are j times frequency, as at any small
 * body (R. Duda, W. Martens, Range dependence of the response of a spherical head model, J. Acoust. Soc. Am.
 * 104, 3048, 1998), with the slopes measured from 200 to 400 Hz. */
#ifndef SRC_HEAD_FILTERS_H
#define SRC_HEAD_FILTERS_H

#include <stddef.h>

#include "src/response/signal/ambisonic_response.h"
#include "src/response/signal/head_data.h"

#define HEAD_MAGNITUDE_FROM 750.0 /* [Hz] */

/** Zeroed is empty; owned, freed by head_filters_free(). y[n] = sum over channels and k of tap[k] x[n + lead
 * - k], x in the axes of the head. */
struct head_filters {
    double rate;  /* [Hz] */
    size_t count; /* taps of a filter */
    size_t lead;  /* index of the tap at time 0 */
    double *tap;  /* (EARS, AMBISONIC_CHANNELS, count) */
};

/** @param rate of the sound, 8000 to 400000 [Hz]
 * FAILURE_INPUT where the directions of the head lie too close to a plane or a point to distinguish front
 * from back, left from right and up from down, or where it has no sound between 200 and 500 Hz;
 * FAILURE_CAPACITY without memory. 710 directions of 512 samples take 0.3 s. */
int head_filters_make(const struct head_data *head, double rate, struct head_filters *out,
                      struct failure *failure);
void head_filters_free(struct head_filters *filters);

#endif
