/** Lists the enclosed cavities of a model by volume, with their properties, and finds the cavity of a
 * position.
 *
 * A cavity is a set of nodes that uncut links join to one another but not to the outside of the lattice's
 * box. In an open scene links out of the box count as cut, so the outside is a cavity too. Nodes whose six
 * links are all cut belong to no cavity. */
#ifndef GEOMETRY_CAVITY_MAP_H
#define GEOMETRY_CAVITY_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/mesh/mesh.h"
#include "geometry/voxel/lattice.h"
#include "geometry/voxel/voxel_findings.h"

struct cavity {
    double position[3]; /* a node of it, well clear of walls [m] */
    uint64_t air_nodes;
    double volume;          /* air_nodes h^3 [m3] */
    double low[3], high[3]; /* bounding box of its cells [m] */
    double surface;   /* of its walls, seen from inside: h^2 times the sum of |n.e| over its cut links, n
                         the wall's normal and e the link's direction; right on average for walls at any
                         angle. Both sides of a thin panel in it count [m2] */
    double thickness; /* volume over half of surface [m]: the width of a gap between two large walls; a third
                         of the side of a cube */
};

/** Place of a position outside all listed cavities. */
enum cavity_elsewhere {
    CAVITY_OUTSIDE = -1, /* beyond the box, or a path leads from it to the outside of the model */
    CAVITY_IN_WALL = -2, /* it sees no node of its cell (seed_corners) */
    CAVITY_FURTHER = -3, /* in one of the small cavities past the limit */
};

/** Arrays are owned, freed by cavity_map_free(); zeroed is empty. */
struct cavity_map {
    size_t count;
    struct cavity *cavity; /* (count) largest first, ties in order of discovery by (z,y,x) */
    size_t further_count;  /* cavities past the limit */
    uint64_t further_air_nodes;
    double further_volume; /* [m3] */
    size_t place_count;
    int32_t *place_cavity; /* (place_count) index into cavity of each position, or enum cavity_elsewhere */
};

/** Map all cavities, of which the `limit` largest are listed (at most CAVITY_MAP_LIMIT).
 * @param[in] place  (place_count) positions to look up, in room axes [m]; may be NULL when there is none
 * @param[out] out   owned by the caller on success, untouched on failure
 * `options` as for voxelise(); with seal_width cracks are closed first. Without enclosed air, count is 0;
 * this is not a failure. FAILURE_CAPACITY for memory; failures of cut_field_make() and seal_mesh(). Time: one
 * voxelisation, and for each listed cavity one more flood of that cavity. */
#define CAVITY_MAP_LIMIT 1024
int cavity_map_make(const struct mesh *mesh, const struct lattice *lattice,
                    const struct voxelise_options *options, size_t limit, const double (*place)[3],
                    size_t place_count, struct cavity_map *out, struct failure *failure);
void cavity_map_free(struct cavity_map *map);

#endif
