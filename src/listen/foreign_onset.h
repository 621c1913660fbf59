/** Finds the arrival of sound in a response of unknown origin.
 *
 * ISO 3382-1 begins a response where its level first rises significantly above the background, but is more
 * than 20 dB below its maximum. The rule of most programs, the first sample within 20 dB of the largest, is
 * used unless other signals within 20 dB precede the sound. There are three kinds:
 *
 * - low-frequency sound (hum, rumble): the last arrival counts among the response and its high-passes at 45,
 * 89 and 178 Hz that keep half of the largest sample. Sound of a room does not arrive earlier at low
 * frequencies than at high ones by more than 5 ms;
 * - steady noise: if the end of the file is within 22 dB of the largest sample, and as loud before the sound,
 * the threshold is twice the largest sample of that end;
 * - weaker sound that ends: if the mean power is 13 dB less between the first sample within 20 dB and the
 * first within 9 dB, 50 ms or more later, than in the 20 ms after that, it is the pre-response of a sweep
 * (its harmonics) or garbage of a deconvolution, and sound arrives with the rise. From 20 to 50 ms it may
 * also be a weak direct sound before a strong reflection: the rule is applied, with a warning.
 *
 * If less than 3 % of the energy arrives within 80 ms of the onset (C80 below -15 dB: a decay of 35 s), a
 * warning says that the response may be reversed in time or wrapped around. */
#ifndef SRC_FOREIGN_ONSET_H
#define SRC_FOREIGN_ONSET_H

#include <stddef.h>

#include "geometry/base/failure.h"

enum foreign_before {
    BEFORE_NOTHING,
    BEFORE_LOW,
    BEFORE_NOISE,
    BEFORE_WEAKER,
    BEFORE_PERHAPS,
    BEFORE_RISING
};

struct foreign_onset {
    double time; /* [s]; 0 for silence */
    enum foreign_before
        before; /* kind of earlier signal within 20 dB; BEFORE_PERHAPS and BEFORE_RISING: anomaly after it */
    double first; /* onset by the rule of 20 dB alone [s] */
    double rise;  /* of BEFORE_PERHAPS: when the level rises again [s] */
};

/** FAILURE_CAPACITY without memory: 16 bytes a sample. */
int foreign_onset_find(const float *sample, size_t count, double rate, struct foreign_onset *out,
                       struct failure *failure);

/** Warning about the onset, without its source; empty if nothing precedes it. */
#define FOREIGN_ONSET_TEXT 240
void foreign_onset_tell(const struct foreign_onset *onset, char text[FOREIGN_ONSET_TEXT]);

#endif
