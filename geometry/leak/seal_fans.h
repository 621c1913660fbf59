/** What seal_mesh() adds to a mesh, and the part of it at the ends of edges.
 *
 * Inside seal*.c only.
 */
#ifndef GEOMETRY_SEAL_FANS_H
#define GEOMETRY_SEAL_FANS_H

#include "geometry/voxel/clearance.h"

/** A ribbon goes past the wall it meets by this part of the width. */
#define SEAL_MARGIN 0.1

/** What ribbons are added to. */
struct seal_ribbons {
    struct mesh *mesh;
    double low[3], high[3]; /* of the model: nothing may be outside */
    uint16_t material;
};

/** Add a vertex at `place`, or where the box ends. FAILURE_CAPACITY. */
int seal_add_corner(const struct seal_ribbons *ribbons, const double place[3], uint32_t *index,
                    struct failure *failure);

/** Close the corner between the ribbons of edges that end at `place`: triangles from there to any two points,
 * nearest to it on different triangles of the model, that lie with it in a ball of diameter `width`; so a
 * hole where the corners of three panels meet is no wider than any one crack between two. The first side of
 * each is the shorter one, with the margin. `across` is where the edge's own ribbon ends (zero: none).
 * FAILURE_CAPACITY. */
int seal_fans(const struct seal_ribbons *ribbons, const struct clearance *tree, double width,
              const double place[3], const double across[3], struct failure *failure);

#endif
