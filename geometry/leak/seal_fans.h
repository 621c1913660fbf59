/** The target of seal_mesh(), and fans at the ends of edges.
 *
 * Inside seal*.c only. */
#ifndef GEOMETRY_SEAL_FANS_H
#define GEOMETRY_SEAL_FANS_H

#include "geometry/voxel/clearance.h"

/** A ribbon extends beyond the wall it meets by this part of the width. */
#define SEAL_MARGIN 0.1

/** The mesh that receives ribbons. */
struct seal_ribbons {
    struct mesh *mesh;
    double low[3], high[3]; /* of the model: ribbons stay inside */
    uint16_t material;
};

/** Add a vertex at `place`, clamped to the box. FAILURE_CAPACITY. */
int seal_add_corner(const struct seal_ribbons *ribbons, const double place[3], uint32_t *index,
                    struct failure *failure);

/** Close the corner between the ribbons of edges that end at `place`. Triangles go from there to any two
 * points that lie with it in a ball of diameter `width`, each the nearest on a different triangle of the
 * model. So a hole between the corners of three panels is no wider than the cracks between two. The first
 * side of each is the shorter one, with the margin. `across` is where the edge's own ribbon ends (zero:
 * none). FAILURE_CAPACITY. */
int seal_fans(const struct seal_ribbons *ribbons, const struct clearance *tree, double width,
              const double place[3], const double across[3], struct failure *failure);

#endif
