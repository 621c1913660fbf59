/** Which links of a lattice the sheets of a mesh cut: surfaces that sound goes through (mesh.h).
 *
 * By the same exact closed test as walls (link_test.h), so a sheet without holes lets no path of links pass
 * by it, and one that lies on nodes is cut once. A sheet at an angle cuts more links than it has area: per
 * area 1/h^2 and axis d there are |n_d| of them. Each stands for Z / |n_d| of the sheet, so that in the mean
 * over the axes as much flows as through the sheet (sum n_d^2 = 1), and a sheet that lets all pass leaves all
 * links.
 */
#ifndef GEOMETRY_SHEET_CUTS_H
#define GEOMETRY_SHEET_CUTS_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/mesh/mesh.h"
#include "geometry/voxel/lattice.h"

/** The link from `node` in the + direction of `axis`. */
struct sheet_cut {
    int64_t node[3];
    uint8_t axis;
    uint16_t material; /* of the nearest sheet to the node */
    double layers;     /* sum of 1 / |n.e| over the sheets of that material on it (-) */
    uint8_t sheets;    /* how many these are, 1 or 2; of another material's there is nothing */
};

/** Owned: sheet_cuts_free(); zeroed is empty. */
struct sheet_cuts {
    size_t count;
    struct sheet_cut *cut; /* (count) rising in block of 8x8x8 nodes (z,y,x), then axis, then node (z,y,x) */
    /* What cuts a line that is SHEET_ASIDE of a cell beside the link, in each direction across it. A link in
     * cells that a wall has most of lies in the wall: there it tells whether the sheet ends at the wall. */
    size_t edge_count;
    struct sheet_cut *edge; /* (edge_count) */
};

#define SHEET_ASIDE                                                                                          \
    (31.0 / 64.0) /* nearly the border of the cell; a whole number of the lattice's sub-steps */

/** A sheet that a link meets at less than this |n.e| runs along it and is none to it: other axes cut there.
 */
#define SHEET_GRAZING 0.05

/** FAILURE_INPUT and FAILURE_CAPACITY as triangle_bins_make(). Nothing for a mesh without sheets. */
int sheet_cuts_find(const struct mesh *mesh, const struct lattice *lattice, struct sheet_cuts *out,
                    struct failure *failure);
void sheet_cuts_free(struct sheet_cuts *cuts);

#endif
