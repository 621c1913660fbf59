/** The orientation of directional receivers: the front of their ambisonic frame.
 *
 * Azimuths are horizontal, from the room's +x towards +y (counter-clockwise from above). By default a
 * receiver faces the source of each response, so that every response has its own frame. NAME=SOURCE turns it
 * to one source for all responses, NAME=DEGREES to an azimuth.
 */
#ifndef SRC_ORIENTATION_H
#define SRC_ORIENTATION_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "src/setup/room_points.h"

struct orientation {
    enum { FACING_WHAT_SOUNDS, FACING_SOURCE, FACING_AZIMUTH } kind;
    size_t source;  /* of FACING_SOURCE */
    double azimuth; /* of FACING_AZIMUTH [degrees], 0 to 360 */
};

/** Read the orientation of every receiver of `points`.
 * @param out (receivers), overwritten
 * FAILURE_INPUT: a text without =, an unknown receiver or one that occurs twice, and a value that is neither
 * a source nor a number from -360 to 360. */
int orientation_read(const struct option_texts *texts, const struct room_points *points,
                     struct orientation *out, struct failure *failure);

/** Refuse, before a grid is made, what orientation_read() refuses, orientations without directional
 * receivers, and a turned head without a head. */
int orientation_check(const struct listening_request *request, const struct room_points *points,
                      struct failure *failure);

/** Azimuth from one place to another, 0 to 360 [degrees]; NaN if that is straight up or down, within a
 * thousandth of the distance. */
double azimuth_to(const double from[3], const double to[3]);

/** Azimuth that `receiver` faces while `source` sounds, 0 to 360 [degrees]; +x if its source is straight
 * above or below. */
double orientation_azimuth(const struct orientation *orientation, const struct room_points *points,
                           size_t source, size_t receiver);

/** The source that a receiver faces, by its number; points->sources: none. */
size_t orientation_source(const struct orientation *orientation, const struct room_points *points,
                          size_t source);

#endif
