/** Decides which cracks beside free edges are openings of the room.
 *
 * With all cracks closed the model's air falls into spaces, and each crack joins the two spaces at its sides.
 * Cracks are opened again from the widest to the narrowest, unless that would join the room to the outside.
 * Such a crack is the narrowest on every way out that passes it, and is an opening of the room. A gap between
 * two reflectors, or into a closed void, is not. */
#ifndef GEOMETRY_ROOM_GAPS_H
#define GEOMETRY_ROOM_GAPS_H

#include "geometry/leak/edge_gaps.h"
#include "geometry/voxel/lattice.h"
#include "geometry/voxel/voxel_findings.h"

/** Most cracks judged, the widest first. */
#define ROOM_GAPS_MOST 1000

/** Keep in `closed` (gap_count), the flags of cracks that `mesh` has closed, only openings of the room around
 * `source`. `*judged` is false, and `closed` untouched, if the room has no closed air on this lattice. Cracks
 * whose sides the lattice does not resolve are not openings. Failures of cavity_map_make(). */
int room_gaps_judge(const struct mesh *mesh, const struct lattice *lattice, const double source[3],
                    const struct voxelise_options *options, const struct edge_gaps *gaps, bool *closed,
                    bool *judged, struct failure *failure);

#endif
