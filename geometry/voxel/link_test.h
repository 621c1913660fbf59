/** The exact closed test of a triangle against the links of one block.
 *
 * Inside the voxeliser only. Links along axis d run on lattice lines (u, v) with u = d + 1, v = d + 2 (mod
 * 3). Source: closed integer edge functions, numerics "Voxelisation"; here also for triangles that contain
 * the direction of the link, so a link is cut exactly when its closed segment meets a triangle that has an
 * area. An end keeps the nearest hit; of faces that overlap in one plane the smallest (coplanar.h), and of
 * hits at one depth a triangle whose front faces it, then the lower index. */
#ifndef GEOMETRY_LINK_TEST_H
#define GEOMETRY_LINK_TEST_H

#include <stdint.h>

#include "geometry/voxel/triangle_bins.h"

/** Weight of one crossing of a lattice line and a triangle in block_cuts.met. A crossing on the common side
 * of two triangles counts half for each, one on a node half for each link. */
#define CROSSING_WHOLE 4u

/** Cuts of one block while its triangles are applied in rising order; about 36 KiB. `cut` and `met` start
 * zeroed, the rest is valid only where a bit of `cut` is set. Depths are sub-steps from the low end of the
 * link. */
struct block_cuts {
    int32_t place[3];
    uint64_t cut[3][8];
    uint32_t low_triangle[3][512], high_triangle[3][512];
    double low_depth[3][512], high_depth[3][512];
    uint64_t
        met[3]; /* by axis: crossings of links of the block with triangles so far, by CROSSING_WHOLE; those
                   that a nearer hit hides count too, triangles that contain the direction do not */
};

/** Cut the links of the block that triangle `index` meets, and keep it where it is the nearest hit. */
void link_test_apply(const struct snapped_triangle *triangles, uint32_t index, struct block_cuts *cuts);

#endif
