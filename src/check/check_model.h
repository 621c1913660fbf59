/** Checks a room's model before its air is searched. */
#ifndef SRC_CHECK_MODEL_H
#define SRC_CHECK_MODEL_H

#include "geometry/room/reached.h"
#include "src/check/check_report.h"
#include "src/setup/room_setup.h"

/** Units, axes, distance from the origin, edges, duplicate and flat faces, faces that cross one another.
 * FAILURE_CAPACITY for memory. */
int check_model(const struct room_setup *setup, struct check_report *report, struct failure *failure);

/** Find the materials with an absorption; makes report->material. FAILURE_CAPACITY. */
int check_absorption(const struct room_setup *setup, struct check_report *report, struct failure *failure);

/** Check whether the room lies on its side, by the materials of floors and ceilings, by the positions of
 * options, or, if neither decides, by proportions. */
void check_axes(const struct room_setup *setup, struct check_report *report);

/** Find panels, panes and carpets that are drawn on walls with another absorption and that air touches.
 * Needs report->material[].exposed. A face without air, such as the underside of a bench on the floor, is
 * left out. FAILURE_CAPACITY for memory. */
int check_coplanar(const struct room_setup *setup, const struct reached *reached, struct check_report *report,
                   struct failure *failure);

#endif
