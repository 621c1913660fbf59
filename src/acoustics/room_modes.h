/** Modes of a room, from the responses of a run: frequency, decay and level of each, up to where they overlap
 * too much to be separated.
 *
 * Once its source is silent a room of losses that do not change is a sum of damped waves, the same ones at
 * every receiver. A short piece of the spectrum is cut out of every response by a filter of finite length,
 * which leaves a damped wave one, with its frequency and decay, and decimated as far as its width allows;
 * there damped_waves.h finds what all responses have in common. Band by band: each is 20 / T wide, T the
 * reverberation time, with edges of 40 / T, so that the filter is over while the room still rings.
 *
 * A wave is a mode where a second search, that begins later, finds it again. Two modes of one frequency and
 * decay, as the three axial ones of a cube, are one here.
 *
 * How far this reaches: modes overlap by their bandwidth decay / pi times how many there are per Hz,
 *
 *     4 pi V f^2 / c^3 + pi S f / (2 c^2)       (Kuttruff, Room Acoustics; Maa, JASA 10, 1939)
 *
 * From a third on a peak of the spectrum may be several modes. Above MODES_OVERLAP a mode is wider than its
 * distance to the next, and peaks are sums of several, by chance (at the Schroeder frequency 2000 sqrt(T / V)
 * it is 2.7): the search ends there. Modes of a box with walls that absorb come out within 1e-3 of their
 * half-width up to a third, within 1e-2 up to 1, but where four stood within a quarter of a width, as three.
 */
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
    double start; /* from here on nothing drives the room: the direct sound is over [s] */
};

/** What the number of modes is counted from. */
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
    double reverberation;   /* T of all responses together; NaN where nothing falls [s] */
    double schroeder;       /* 2000 sqrt(T / V) [Hz] */
    double limit;           /* the search ended here [Hz] */
    char why[200];          /* it ended here, or found nothing */
};

/** @param record (records), at `rate` [Hz], 4 highest < rate
 * None where the responses are silent, do not fall by 15 dB or are too short: then `why` has the reason.
 * FAILURE_CAPACITY without memory. A response of 3 s up to 250 Hz takes about 0.1 s. */
int room_modes_find(const struct mode_record *record, size_t records, double rate,
                    const struct mode_space *space, struct room_modes *out, struct failure *failure);
void room_modes_free(struct room_modes *modes);

#endif
