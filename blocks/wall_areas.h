/** Bring the area of every material in a grid to the area that the mesh has of it.
 *
 * A wall of a grid is a staircase; weights |n.e| make its area h^2 sum(weight) right on average over places
 * and angles (numerics.md section 2), and off by some per cent on one grid: a wall of 10.4 cells meets 10 or
 * 11 lines, and corners of the room that no node lies in meet none. So the entries of a material are
 * multiplied by
 *
 *   factor  = exposed / (h^2 sum(weight))
 *   exposed = mesh area x (seen / met), by side: struct voxel_exposure
 *
 * seen / met compares one sample of lines with itself, so it is 1 without noise where all of a surface faces
 * air, 2 where both sides do, and the exposed share of one that is half in another body or outside. No
 * factor that is not negative makes the scheme unstable (numerics.md section 1).
 */
#ifndef BLOCKS_WALL_AREAS_H
#define BLOCKS_WALL_AREAS_H

#include <stddef.h>
#include <stdint.h>

#include "blocks/block_grid.h"
#include "geometry/room/voxeliser.h"

/** Seen over met that is this near to 1 or 2 means all of one side, or of both: what crossings of more than
 * two walls between two nodes leave. The chairs of a church, 4 cm boards on a grid of 65 mm, reach 0.9986. */
#define WALL_AREAS_WHOLE 0.005

struct wall_area {
    double exposed;   /* that faces air, both sides where both do: what the weights are to make [m2] */
    double staircase; /* h^2 sum(weight) before [m2] */
    double factor;    /* that the weights were multiplied by, 1 / WALL_SCALE_MAX to WALL_SCALE_MAX (-) */
    double residual;  /* (area afterwards - exposed) / exposed; 0 where nothing is exposed (-) */
};

/** `material` is owned, freed by wall_areas_free(); zeroed is empty. */
struct wall_areas {
    size_t materials;
    struct wall_area *material; /* (materials) */
};

/** What of every material faces air [m2], into `exposed` (materials).
 * @param mesh_area  of the triangles of every material [m2]
 * @param exposure   of voxel_findings
 * @param back       the material behind every material; NULL: the same
 * A material that no line met, tiny as it must be, counts as exposed once. */
void wall_areas_exposed(size_t materials, const double *mesh_area, const struct voxel_exposure *exposure,
                        const uint16_t *back, double *exposed);

/** Multiply the weights of `grid`, fresh from block_grid_pack(), so that every material has the area
 * `exposed` [m2] (materials). Materials past the last, of which open faces and links without a wall are two,
 * are left alone. FAILURE_CAPACITY for memory, with the grid untouched. `out` is owned by the caller on
 * success. Deterministic. O(wall entries). */
int wall_areas_rescale(struct block_grid *grid, size_t materials, const double *exposed,
                       struct wall_areas *out, struct failure *failure);

/** The same figures of a grid whose weights stay as they are: every factor is 1, and the residual is what the
 * staircase is off by. */
int wall_areas_measure(const struct block_grid *grid, size_t materials, const double *exposed,
                       struct wall_areas *out, struct failure *failure);
void wall_areas_free(struct wall_areas *areas);

#endif
