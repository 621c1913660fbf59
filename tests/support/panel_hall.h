/** Halls of free panels, as ray tracers have them: nothing shares a vertex with anything, and there is a
 * crack at every edge. */
#ifndef TESTS_PANEL_HALL_H
#define TESTS_PANEL_HALL_H

#include <stdbool.h>
#include <stdint.h>

#include "geometry/mesh/mesh.h"

struct panel_hall {
    struct mesh mesh; /* owned; mesh_free() */
    double gap;       /* no hole of it is wider, measured across [m]: 0.1 mm to 20 cm */
    double source[3]; /* well inside [m] */
    bool even;        /* cracks are of all widths alike, else of all orders of magnitude */
    bool solid;       /* panels are closed slabs and have no open edge */
};

/** A hall of six slanted walls, about 1.2 m long, in a random pose, each of rows of one to three slanted
 * panels that do not line up with the next row's. Every corner of a panel is moved by at most half the gap in
 * any direction, most of them apart, some over one another. So each point of the closed hall is that close to
 * a panel: a ball of the gap's diameter does not get out. The same for a seed everywhere. */
void panel_hall_make(uint64_t seed, struct panel_hall *out);

/** The result of voxelise() from the hall's source on a grid of that spacing, sealed up to `width`. Aborts if
 * the voxels are not what voxels_check() allows. `air_nodes` may be NULL. */
int panel_hall_seal(const struct panel_hall *hall, double spacing, double width, uint64_t *air_nodes,
                    struct failure *failure);

#endif
