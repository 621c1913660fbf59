/** Locates the narrowest place of a path between walls, to a fraction of the lattice's spacing. */
#ifndef GEOMETRY_GAP_H
#define GEOMETRY_GAP_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/voxel/clearance.h"

struct gap {
    double position[3]; /* [m] */
    double size;        /* twice the clearance there [m] */
};

/** A path that narrows by less than this ratio has no gap. */
#define GAP_NARROWING 1.1

/** The entry of `clearance[0..count)` where a path narrows most, seen from its start: the q with the largest
 * clearance[p] / clearance[q] over p < q. `floor` is added to both to suppress noise below it. Returns
 * `count` if the path never narrows. */
size_t gap_trough(const double *clearance, size_t count, double floor);

/** Search the saddle of the clearance near point[trough] of a path that no wall cuts: among all paths that
 * join the parts of `point` before and after it, the one whose smallest clearance is largest, on successively
 * finer samples.
 * @param[in] point    (count) neighbours at most `spacing` apart; should lead well past the gap on both sides
 * @param[in] rough    a guess of the clearance at the saddle [m]; sets the reach of the search, 2 rough or
 *                     rough + 3 spacing, whichever is more, and again from a saddle near its border
 * @return 0, or FAILURE_CAPACITY. One distance a point, and some 1e4 to 1e6 more whatever the sizes. */
int gap_refine(const struct clearance *tree, const double (*point)[3], size_t count, size_t trough,
               double spacing, double rough, struct gap *out, struct failure *failure);

#endif
