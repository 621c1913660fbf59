/** Renders an AmbiX sound for two ears: head_filters.h applied to a field turned about the head.
 *
 * The head is at the receiver. It first turns to the left by `yaw`, then lifts its nose by `pitch`, then
 * leans to the right by `roll` [degrees]. With all 0 it faces the front of the AmbiX frame. Turning the head
 * to the left turns the field about it to the right. */
#ifndef SRC_BINAURAL_H
#define SRC_BINAURAL_H

#include "src/response/signal/head_filters.h"

struct head_orientation {
    double yaw, pitch, roll; /* [degrees] */
};

/** @param frames (count, 4) AmbiX at filters->rate
 * @param out    (count, 2) left, right; owned by the caller (free). Sound keeps its time: it arrives as at
 * the middle of the head. Ringing after the end is lost. FAILURE_CAPACITY without memory. 2 s at 48 kHz take
 * 0.1 s. */
int binaural_make(const float *frames, size_t count, const struct head_filters *filters,
                  const struct head_orientation *orientation, float **out, struct failure *failure);

#endif
