/** Scales the area of every material in a grid to its area in the mesh.
 *
 * A wall of a grid is a staircase; weights |n.e| make its area h^2 sum(weight) right on average over places
 * and angles (numerics.md section 2), and wrong by some per cent on one grid: a wall of 10.4 cells meets 10
 * or 11 lines, and corners without a node meet none. So the entries of a material are multiplied by
 *
 *   factor  = exposed / (h^2 sum(weight))
 *   exposed = mesh area x (seen / met), by side: struct voxel_exposure
 *
 * seen / met compares one sample of lines with itself. It is exactly 1 if all of a surface faces air, and 2
 * if both sides do. Else it is the exposed share of a surface that is partly in another body or outside. The
 * scheme is stable for any factor that is not negative (numerics.md section 1). */
#ifndef BLOCKS_WALL_AREAS_H
#define BLOCKS_WALL_AREAS_H

#include <stddef.h>
#include <stdint.h>

#include "blocks/block_grid.h"
#include "geometry/room/voxeliser.h"

/** If seen over met is this near to 1 or 2, one whole side or both are exposed; the difference is due to
 * crossings of more than two walls between two nodes. The chairs of a church, 4 cm boards on a grid of 65 mm,
 * reach 0.9986. */
#define WALL_AREAS_WHOLE 0.005

struct wall_area {
    double exposed;   /* area that faces air, both sides included; the target of the weights [m2] */
    double staircase; /* h^2 sum(weight) before [m2] */
    double factor;    /* applied to the weights, 1 / WALL_SCALE_MAX to WALL_SCALE_MAX (-) */
    double residual;  /* (area afterwards - exposed) / exposed; 0 where nothing is exposed (-) */
};

/** `material` is owned, freed by wall_areas_free(); zeroed is empty. */
struct wall_areas {
    size_t materials;
    struct wall_area *material; /* (materials) */
};

/** Compute the area of every material that faces air [m2], into `exposed` (materials).
 * @param mesh_area  of the triangles of every material [m2]
 * @param exposure   of voxel_findings
 * @param back       the material behind every material; NULL: the same
 * A material that no line met is tiny and counts as exposed on one side. */
void wall_areas_exposed(size_t materials, const double *mesh_area, const struct voxel_exposure *exposure,
                        const uint16_t *back, double *exposed);

/** Multiply the weights of `grid`, fresh from block_grid_pack(), so that every material has the area
 * `exposed` [m2] (materials). Materials past the last, such as open faces and links without a wall, stay
 * unchanged. FAILURE_CAPACITY for memory; the grid is then untouched. `out` is owned by the caller on
 * success. Deterministic. O(wall entries). */
int wall_areas_rescale(struct block_grid *grid, size_t materials, const double *exposed,
                       struct wall_areas *out, struct failure *failure);

/** The same figures for a grid whose weights stay: every factor is 1, and the residual is the error of the
 * staircase. */
int wall_areas_measure(const struct block_grid *grid, size_t materials, const double *exposed,
                       struct wall_areas *out, struct failure *failure);
void wall_areas_free(struct wall_areas *areas);

#endif
