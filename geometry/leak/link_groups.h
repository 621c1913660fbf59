/** Groups links that are close to each other. */
#ifndef GEOMETRY_LINK_GROUPS_H
#define GEOMETRY_LINK_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/base/failure.h"
#include "geometry/voxel/lattice.h"
#include "geometry/voxel/voxel_findings.h"

/** The link from a node to the next one along an axis. */
struct lattice_link {
    int64_t low[3];
    uint8_t axis;
};

/** Middle of a link [m]. */
void lattice_link_middle(const struct lattice *lattice, const struct lattice_link *link, double middle[3]);

/** Number the groups of links whose low ends are within two nodes of each other along every axis, directly or
 * over other links. group[n] of `count` receives the number of link n: numbers rise in the order of first
 * links. FAILURE_CAPACITY for memory or 2^32 - 1 links. O(count). */
int link_groups_make(const struct lattice_link *link, size_t count, uint32_t *group, size_t *groups,
                     struct failure *failure);

/** Number of links of each group, and the middle of the link nearest to the group's centre as position;
 * `place` has `groups` entries, width 0. FAILURE_CAPACITY for memory. */
int link_groups_places(const struct lattice *lattice, const struct lattice_link *link, size_t count,
                       const uint32_t *group, size_t groups, struct voxel_place *place,
                       struct failure *failure);

#endif
