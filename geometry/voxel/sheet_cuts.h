/** Finds the links of a lattice that the sheets of a mesh, permeable surfaces (mesh.h), cut.
 *
 * The exact closed test is that of walls (link_test.h), so no path of links avoids a sheet without holes, and
 * a sheet on nodes cuts each line once. A sheet at an angle cuts more links than it has area: per area 1/h^2
 * and axis d there are |n_d| of them. Each has the impedance Z / |n_d|, so that the mean flow over the axes
 * equals that through the sheet (sum n_d^2 = 1), and a transparent sheet leaves all links unchanged. */
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
    uint8_t sheets;    /* number of these, 1 or 2; sheets of another material are ignored */
};

/** Owned: sheet_cuts_free(); zeroed is empty. */
struct sheet_cuts {
    size_t count;
    struct sheet_cut *cut; /* (count) rising in block of 8x8x8 nodes (z,y,x), then axis, then node (z,y,x) */
    /* Cuts of lines SHEET_ASIDE of a cell beside the link, in each direction across it. A link in cells
     * mostly inside a wall lies in the wall; these cuts show if the sheet ends at the wall. */
    size_t edge_count;
    struct sheet_cut *edge; /* (edge_count) */
};

#define SHEET_ASIDE (31.0 / 64.0) /* nearly the border of the cell; a whole number of sub-steps */

/** A sheet that a link meets at less than this |n.e| runs along it and is ignored; links of other axes are
 * cut. */
#define SHEET_GRAZING 0.05

/** FAILURE_INPUT and FAILURE_CAPACITY as triangle_bins_make(). Nothing for a mesh without sheets. */
int sheet_cuts_find(const struct mesh *mesh, const struct lattice *lattice, struct sheet_cuts *out,
                    struct failure *failure);
void sheet_cuts_free(struct sheet_cuts *cuts);

#endif
