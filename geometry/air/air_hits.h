/** The walls that the air of a flood touches: every cut link of its nodes, with the triangle behind it.
 *
 * Inside the voxeliser only.
 */
#ifndef GEOMETRY_AIR_HITS_H
#define GEOMETRY_AIR_HITS_H

#include "geometry/mesh/mesh.h"
#include "geometry/voxel/flood.h"

/** Air at both ends of the links of one block of a cut field: of its own nodes, and of those of the three
 * blocks behind it. */
struct air_ends {
    uint64_t own[8], behind[3][8];
    bool any;
};
void air_ends_of(const struct flood *flood, size_t block, struct air_ends *ends);

/** True if the low (high) end of a link of that block is air. */
static inline bool air_ends_low(const struct air_ends *ends, const struct cut_hit *hit)
{
    return (ends->own[hit->slot >> 6] >> (hit->slot & 63) & 1) != 0;
}

static inline bool air_ends_high(const struct air_ends *ends, const struct cut_hit *hit)
{
    const unsigned step = 1u << 3 * hit->axis;
    const bool last = (hit->slot >> 3 * hit->axis & 7) == 7;
    const uint64_t *air = last ? ends->behind[hit->axis] : ends->own;
    const unsigned slot = last ? hit->slot - 7 * step : hit->slot + step;
    return (air[slot >> 6] >> (slot & 63) & 1) != 0;
}

/** Call `visit` for each air end of a cut link, with the triangle hit nearest to it. In an open scene, links
 * out of the box have no triangle and are skipped. O(cut links of blocks with air). */
void air_hits_visit(const struct flood *flood,
                    void (*visit)(uint32_t triangle, enum direction direction, void *context), void *context);

/** |n.e| of a triangle's unit normal and the three axes; 0 for a triangle without area. */
void air_hits_cosines(const struct mesh *mesh, size_t triangle, double cosine[3]);

#endif
