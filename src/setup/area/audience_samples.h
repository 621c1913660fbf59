/** Samples of all that people could sit or stand on, and lines of sight.
 *
 * All faces flatter than 45 degrees are sampled on a square grid in plan. A sample is kept if ears over it
 * are in the air of the sources, with headroom that nothing but seats enters. A seat by name is given the
 * floor beneath it; a block of people, drawn without one, the floor beside it. */
#ifndef SRC_AUDIENCE_SAMPLES_H
#define SRC_AUDIENCE_SAMPLES_H

#include "blocks/block_grid.h"
#include "geometry/voxel/clearance.h"
#include "rooms/materials/surface_use.h"
#include "src/setup/area/receiver_area.h"

#define AUDIENCE_EARS 1.2 /* [m] over the floor, of people who look and are looked for */

/** The air around the points of a receiver grid. */
struct receiver_air {
    const struct clearance *tree; /* of the room's mesh */
    const enum surface_use
        *use; /* (material_count) of its materials, as their names say; NULL: none is known */
    const struct block_grid *grid; /* the run's */
    size_t sources;
    const double (*source)[3]; /* (sources) positions [m]: less than a cell from one no point is kept */
};

/** Zeroed is empty. */
struct audience_samples {
    double spacing;  /* [m]: 0.25 in rooms of some 2000 m2 and less */
    double first[2]; /* plan of column 0, row 0 [m] */
    size_t count;
    struct floor_point *point; /* (count) sorted by row, column; `position` on the floor; owned (free) */
};

/** FAILURE_INPUT if nobody can be anywhere; FAILURE_CAPACITY for memory. O(samples log triangles); at most
 * about RECEIVER_AREA_POINTS_MAX samples. */
int audience_samples_take(const struct receiver_air *air, struct audience_samples *out,
                          struct failure *failure);

/** The first sample at or after a square: `for (j = audience_samples_from(..); audience_samples_in(..); j++)`
 * visits those of the square. */
size_t audience_samples_from(const struct audience_samples *samples, uint32_t row, uint32_t column);
bool audience_samples_in(const struct audience_samples *samples, size_t j, uint32_t row, uint32_t column);

/** True if the material is one of seats, by name. */
bool audience_is_seats(const struct receiver_air *air, uint16_t material);

/** True if nothing but seats by name is on the way between two places; or between one and so far above it
 * [m].
 */
bool audience_sees(const struct receiver_air *air, const double from[3], const double to[3]);
bool audience_sees_up(const struct receiver_air *air, const double from[3], double height);

bool audience_is_air(const struct receiver_air *air, double x, double y, double z);

#endif
