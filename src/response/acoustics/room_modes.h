/** Finds the modes of a room from the responses of a run: frequency, decay and level of each, up to the limit
 * of overlap.
 *
 * Once its source is silent the field of a room with constant losses is a sum of damped waves, the same at
 * every receiver. A filter of finite length, which keeps frequency and decay of damped waves, cuts a short
 * band out of every response. The band is decimated, and damped_waves.h finds the waves common to all
 * responses. Each band is 20 / T wide, T the reverberation time, with edges of 40 / T, so that the filter
 * ends while the room still rings.
 *
 * A wave is a mode if a second search, which begins later, finds it again. Two modes of one frequency and
 * decay, as the three axial ones of a cube, are one here.
 *
 * Limit: modes overlap by their bandwidth decay / pi times their number per Hz,
 *
 *     4 pi V f^2 / c^3 + pi S f / (2 c^2)       (Kuttruff, Room Acoustics; Maa, JASA 10, 1939)
 *
 * From an overlap of a third a peak of the spectrum may be several modes. Above MODES_OVERLAP a mode is wider
 * than its distance to the next, and peaks are random sums of several (at the Schroeder frequency 2000 sqrt(T
 * / V) it is 2.7): the search ends there. Modes of a box with walls that absorb come out within 1e-3 of their
 * half-width up to a third, within 1e-2 up to 1, except that four within a quarter of a width appear as
 * three. */
#ifndef SRC_ROOM_MODES_H
#define SRC_ROOM_MODES_H

#include <stddef.h>

#include "geometry/base/failure.h"

#define MODES_OVERLAP 1.0
#define MODES_LOWEST  15.0 /* [Hz]; the responses' high-pass is 10 dB down here */

/** A response, borrowed. */
struct mode_record {
    const float *sample;
    size_t count;
    double start; /* start of the free decay: the direct sound is over [s] */
};

/** Input of the mode density. */
struct mode_space {
    double volume, surface; /* [m3], [m2] */
    double sound_speed;     /* [m/s] */
    double highest;         /* of the responses [Hz] */
};

struct room_mode {
    double frequency; /* [Hz] */
    double decay;     /* pressure falls as exp(-decay t) [1/s]; reverberation time 6.91 / decay */
    double quality;   /* Q = pi frequency / decay */
    double level;     /* of its peak in the spectrum, mean square of the responses, over |X| at 10 m in free
                         field [dB] */
    double overlap;   /* of modes around this one */
};

/** Owned, freed by room_modes_free(); zeroed is empty. */
struct room_modes {
    size_t count;
    struct room_mode *mode; /* (count), by frequency */
    double reverberation;   /* T of all responses together; NaN without a decay [s] */
    double schroeder;       /* 2000 sqrt(T / V) [Hz] */
    double limit;           /* the search ended here [Hz] */
    char why[200];          /* reason for the end of the search, or for no modes */
};

/** @param record (records), at `rate` [Hz], 4 highest < rate No modes, with the reason in `why`, if the
 * responses are silent, do not fall by 15 dB or are too short. FAILURE_CAPACITY without memory. A response of
 * 3 s up to 250 Hz takes about 0.1 s. */
int room_modes_find(const struct mode_record *record, size_t records, double rate,
                    const struct mode_space *space, struct room_modes *out, struct failure *failure);
void room_modes_free(struct room_modes *modes);

#endif
