/** Where directional receivers look: the front of their ambisonic frame.
 *
 * Azimuths are horizontal, from the room's +x towards +y (counter-clockwise from above). By default a
 * receiver looks at the source that sounds, so that each of its responses has a frame of its own; `--look
 * NAME=SOURCE` makes it look at one source whatever sounds, `--look NAME=DEGREES` at an azimuth.
 */
#ifndef SRC_LOOK_H
#define SRC_LOOK_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "src/setup/room_points.h"

struct look {
    enum { LOOK_AT_WHAT_SOUNDS, LOOK_AT_SOURCE, LOOK_AT_AZIMUTH } kind;
    size_t source;  /* of LOOK_AT_SOURCE */
    double azimuth; /* of LOOK_AT_AZIMUTH [degrees], 0 to 360 */
};

/** From --look, for every receiver of `points`.
 * @param out (receivers), overwritten
 * FAILURE_INPUT for a text without =, a receiver that is none or stands twice, and what is neither a source
 * nor a number from -360 to 360. */
int look_read(const struct listening_request *request, const struct room_points *points, struct look *out,
              struct failure *failure);

/** What look_read() would refuse, --look without --ambisonics and a turned head without --head, before a grid
 * is made. */
int look_check(const struct listening_request *request, const struct room_points *points,
               struct failure *failure);

/** Azimuth from one place to another, 0 to 360 [degrees]; NaN where that is straight up or down, within a
 * thousandth of the distance. */
double look_azimuth_to(const double from[3], const double to[3]);

/** Where `receiver` looks while `source` sounds, 0 to 360 [degrees]; along +x where its source stands
 * straight above or below. */
double look_azimuth(const struct look *look, const struct room_points *points, size_t source,
                    size_t receiver);

/** The source that a receiver looks at, by its number; points->sources where it is none. */
size_t look_source(const struct look *look, const struct room_points *points, size_t source);

#endif
