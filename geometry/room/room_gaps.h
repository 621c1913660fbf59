/** Which cracks beside free edges does the air of a room leave it by?
 *
 * With all of them closed the model's air falls into spaces, and each crack joins the two that its sides are
 * in. From the widest to the narrowest they are opened again, except where that would join the room to the
 * outside: such a crack is the narrowest on every way out that passes it, and an opening of the room. So a
 * gap between two reflectors, or into a closed void, is none.
 */
#ifndef GEOMETRY_ROOM_GAPS_H
#define GEOMETRY_ROOM_GAPS_H

#include "geometry/leak/edge_gaps.h"
#include "geometry/voxel/lattice.h"
#include "geometry/voxel/voxel_findings.h"

/** Cracks that are judged, the widest. */
#define ROOM_GAPS_MOST 1000

/** Keep in `closed` (gap_count), which says what cracks `mesh` has closed, those that are openings of the
 * room around `source`. `*judged` is false where that has no closed air on this lattice; `closed` is
 * untouched then. Cracks whose sides the lattice does not tell are none. Failures of cavity_map_make(). */
int room_gaps_judge(const struct mesh *mesh, const struct lattice *lattice, const double source[3],
                    const struct voxelise_options *options, const struct edge_gaps *gaps, bool *closed,
                    bool *judged, struct failure *failure);

#endif
