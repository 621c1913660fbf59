/** The orientation of directional receivers: the front of their ambisonic frame.
 *
 * Azimuths are horizontal, from the room's +x towards +y (counter-clockwise from above). By default a
 * receiver faces the source that sounds, so that each of its responses has a frame of its own; NAME=SOURCE
 * turns it to one source whatever sounds, NAME=DEGREES to an azimuth.
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

/** From the texts that are given, for every receiver of `points`.
 * @param out (receivers), overwritten
 * FAILURE_INPUT for a text without =, a receiver that is none or occurs twice, and what is neither a source
 * nor a number from -360 to 360. */
int orientation_read(const struct option_texts *texts, const struct room_points *points,
                     struct orientation *out, struct failure *failure);

/** What orientation_read() would refuse, orientations without directional receivers and a turned head without
 * a head, before a grid is made. */
int orientation_check(const struct listening_request *request, const struct room_points *points,
                      struct failure *failure);

/** Azimuth from one place to another, 0 to 360 [degrees]; NaN where that is straight up or down, within a
 * thousandth of the distance. */
double azimuth_to(const double from[3], const double to[3]);

/** Azimuth that `receiver` faces while `source` sounds, 0 to 360 [degrees]; +x where its source is straight
 * above or below. */
double orientation_azimuth(const struct orientation *orientation, const struct room_points *points,
                           size_t source, size_t receiver);

/** The source that a receiver faces, by its number; points->sources where it is none. */
size_t orientation_source(const struct orientation *orientation, const struct room_points *points,
                          size_t source);

#endif
