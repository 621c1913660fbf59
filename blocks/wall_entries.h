/** From the wall contacts of one node to its wall entries. Private to blocks/. */
#ifndef BLOCKS_WALL_ENTRIES_H
#define BLOCKS_WALL_ENTRIES_H

#include "blocks/block_layout.h"
#include "geometry/voxel/voxels.h"

/** Merge the contacts (at most six) of one node by material: one entry each, by rising material, the weight
 * being the sum of the cosines. Returns the number of entries written. */
unsigned wall_entries_merge(const struct voxel_contact *contact, unsigned count, struct wall *entry);

#endif
