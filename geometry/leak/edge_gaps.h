/** Cracks between the free edges of a model and what they face.
 *
 * A free edge belongs to one triangle. Beside it is a crack where another wall stands in front of it, in the
 * plane across the edge, no farther than a given width. The width is exact, whatever it is, and needs no
 * grid. Cracks between bodies without free edges are not among them.
 *
 * Every stretch of an edge with a wall in front of it is a strip that bridges the crack. Strips of one line,
 * and of the two sides of a crack, are one gap; so are strips that meet at a corner where they are about as
 * wide, as around a window.
 */
#ifndef GEOMETRY_EDGE_GAPS_H
#define GEOMETRY_EDGE_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"
#include "geometry/voxel/clearance.h"

/** Narrower is rounding, as of coordinates in a file, and no crack [m]. */
#define EDGE_GAP_LEAST 2e-4
/** Strips that are looked at; a model of more is one of loose faces. */
#define EDGE_STRIPS_MOST 65536

struct edge_strip {
    double at[2][3], across[2][3]; /* two places of the edge, and from each to the wall in front of it [m] */
    double middle[3], normal[3];   /* of the strip; a unit vector */
    double width;                  /* the larger of the two ends [m] */
    size_t edge, gap;              /* indices */
    uint16_t material;             /* of the edge's triangle */
    bool faced;                    /* another edge has a strip across the same place of the crack */
    bool spans;                    /* a narrower crack goes through the middle: the width is not this one's */
};

struct edge_gap {
    double position[3], normal[3]; /* the middle of the strip that is as wide as any and nearest to the middle
                                      of all; across its surface */
    double width, length;          /* the widest strip; along the crack, of a hole from end to end [m] */
};

/** Owned, freed by edge_gaps_free(); zeroed is empty. */
struct edge_gaps {
    size_t strip_count, gap_count;
    struct edge_strip *strip;
    struct edge_gap *gap;
    bool complete; /* false: too many strips, and none is kept */
};
void edge_gaps_free(struct edge_gaps *gaps);

/** Cracks up to `width` [m] of the mesh that `tree` is of. FAILURE_CAPACITY for memory. O(length of free
 * edges) searches in the tree. */
int edge_gaps_find(const struct clearance *tree, double width, struct edge_gaps *out,
                   struct failure *failure);

/** Add the strips of one gap to a mesh, a little longer and wider, so that they overlap one another and the
 * walls, inside the box `low`..`high`. FAILURE_CAPACITY. */
int edge_gap_close(const struct edge_gaps *gaps, size_t gap, const double low[3], const double high[3],
                   struct mesh *mesh, struct failure *failure);

/** Distance of a point from the middle line of a gap [m]. O(strips). */
double edge_gap_distance(const struct edge_gaps *gaps, size_t gap, const double point[3]);

#endif
