/** Rooms with conformal walls for tests, without a mesh and without the voxeliser: the voxels that
 * geometry/voxel/voxels.h describes with `cells`, from exact geometry or from chance. Lengths are in spacings
 * and node (i,j,k) stands at (i,j,k): its voxel is the cube from i - 1/2 to i + 1/2, and so on.
 *
 *   struct cell_plane plane[6];
 *   cell_box_planes(centre, size, angle, 6, plane);              a box, turned
 *   struct voxels voxels = cell_room_convex(plane, 6);           exact to 1e-12
 *   struct block_grid grid;
 *   cell_room_grids(&voxels, 0.9 / 3, &grid, NULL);              packed, with masses
 */
#ifndef TESTS_CELL_ROOMS_H
#define TESTS_CELL_ROOMS_H

#include <stddef.h>
#include <stdint.h>

#include "blocks/box_grid.h"
#include "geometry/voxel/voxels.h"

/** The room's side of a wall: the points x with normal . x <= offset. */
struct cell_plane {
    double normal[3]; /* unit, out of the room */
    double offset;
    uint16_t material;
};

/** The walls of a box: edges `size` along its own axes, turned about x, then y, then z by `angle` [rad]
 * (NULL: not at all), then moved to `centre`. Walls are -x +x -y +y -z +z of the box's own axes and the
 * material of the n-th is n modulo `materials`. Without turning, normals are exact. */
void cell_box_planes(const double centre[3], const double size[3], const double angle[3], unsigned materials,
                     struct cell_plane plane[6]);

/** The box's own axes in the room: row `a` is the unit vector of axis a. */
void cell_box_axes(const double angle[3], double axes[3][3]);

/** The voxels of a convex room that is bounded on all sides by its planes (at most 32): volumes, openings and
 * areas by clipping every voxel by them, exact to 1e-12 before they are stored as float; an opening is
 * computed once for both its ends. A wall on a face of voxels (to 1e-12) belongs to the voxels inside. No
 * pieces. voxels_free(). */
struct voxels cell_room_convex(const struct cell_plane *plane, size_t planes);

/** What a soup is made of; zero-initialised it has no pieces. */
struct cell_soup {
    double solid;      /* share of its voxels that are not air */
    double shut;       /* share of its faces that are shut */
    double pieces;     /* chance of a further piece in a voxel, and of another after that */
    unsigned openings; /* chance in eighths of an opening of a piece in a direction */
    double slivers;    /* share of its volumes that are too small for a byte */
    unsigned materials;
};
extern const struct cell_soup cell_soup_usual; /* all kinds of everything */

/** A room of chance for stress, from a seed: 45 x 23 x 27 voxels, aligned with no block. In the lower two
 * thirds along x random volumes in (0, 1], openings (some of them too narrow for a byte), areas and
 * materials, further pieces with openings to nodes and to one another; the rest is open air inside flat
 * walls. Areas and openings fit no surface: only what the voxels' format promises holds. voxels_free(). */
struct voxels cell_room_soup(uint64_t seed, const struct cell_soup *of);

/** Pack, with the masses of lambda2 (0: none), in both layouts. `box` may be NULL. */
void cell_room_grids(const struct voxels *voxels, double lambda2, struct block_grid *blocks,
                     struct box_grid *box);

#endif
