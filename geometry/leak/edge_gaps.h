/** Finds cracks between the free edges of a model and the walls before them.
 *
 * A free edge belongs to one triangle. It has a crack if another wall lies before it, in the plane across the
 * edge, within a given width. The width is exact, without a grid. Cracks between bodies without free edges
 * are not found.
 *
 * Every stretch of an edge with a wall before it is a strip that bridges the crack. Strips of one line, and
 * of the two sides of a crack, form one gap. So do strips of similar width that meet at a corner, as around a
 * window. */
#ifndef GEOMETRY_EDGE_GAPS_H
#define GEOMETRY_EDGE_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"
#include "geometry/voxel/clearance.h"

/** Smaller distances are rounding errors, as of coordinates in a file, not cracks [m]. */
#define EDGE_GAP_LEAST 2e-4
/** Largest number of strips; a model with more consists of loose faces. */
#define EDGE_STRIPS_MOST 65536

struct edge_strip {
    double at[2][3], across[2][3]; /* two places of the edge, and from each to the wall in front of it [m] */
    double middle[3], normal[3];   /* of the strip; a unit vector */
    double width;                  /* the larger of the two ends [m] */
    size_t edge, gap;              /* indices */
    uint16_t material;             /* of the edge's triangle */
    bool faced;                    /* another edge has a strip across the same place of the crack */
    bool spans; /* a narrower crack passes through the middle: the width is not that of this crack */
};

struct edge_gap {
    double position[3],
        normal[3]; /* the middle of the widest strip nearest to the middle of all; across its surface */
    double width, length; /* the widest strip; along the crack, of a hole from end to end [m] */
};

/** Owned, freed by edge_gaps_free(); zeroed is empty. */
struct edge_gaps {
    size_t strip_count, gap_count;
    struct edge_strip *strip;
    struct edge_gap *gap;
    bool complete; /* false: too many strips, none is stored */
};
void edge_gaps_free(struct edge_gaps *gaps);

/** Find cracks up to `width` [m] in the mesh of `tree`. FAILURE_CAPACITY for memory. O(length of free edges)
 * searches in the tree. */
int edge_gaps_find(const struct clearance *tree, double width, struct edge_gaps *out,
                   struct failure *failure);

/** Add the strips of one gap to a mesh inside the box `low`..`high`, a little longer and wider so that they
 * overlap one another and the walls. FAILURE_CAPACITY. */
int edge_gap_close(const struct edge_gaps *gaps, size_t gap, const double low[3], const double high[3],
                   struct mesh *mesh, struct failure *failure);

/** Distance of a point from the middle line of a gap [m]. O(strips). */
double edge_gap_distance(const struct edge_gaps *gaps, size_t gap, const double point[3]);

#endif
