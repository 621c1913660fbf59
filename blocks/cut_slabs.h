/** Slabs of air along walls that lie in the planes of the grid: nodes for the isotropic operator to do
 * without. Private to blocks/.
 *
 * A floor that leaves f < .2 of its layer of voxels makes a layer of nodes of mass f and openings f between
 * them. They are right to second order, but masses must be lent to them, and what is lent shows (a carpet at
 * f = 1/8 rings 7 % too short). Such a layer is the same prism as the next one, only lower, so it can be
 * merged with it and nothing is lost: a cell i is a slab in direction k, towards its neighbour j, when its
 * face away from j is closed, f = volume / opening to j < .2, and its other four openings and its volume are
 * f times those of j, to 1e-3. Then j takes volume, areas and openings. Its openings exceed 1 (f adds up
 * along edges of the room); no node takes more than 255 / 200 in all.
 *
 * No link is cut. One of a slab to a node that is no slab leads from there to j, and becomes an extra link
 * where these are not neighbours; so does what an opening has beyond 255 / 200.
 */
#ifndef BLOCKS_CUT_SLABS_H
#define BLOCKS_CUT_SLABS_H

#include "blocks/cut_slivers.h"

/** What an opening of a node has become. */
struct slab_face {
    uint64_t node;
    float open;
    uint8_t direction;
};

/** Owned, cut_slabs_free(); zeroed is empty. */
struct cut_slabs {
    size_t faces;
    struct slab_face *face; /* (faces) rising in (node, direction) */
    size_t openings;
    struct voxel_opening *opening; /* (openings) as in the voxels, between nodes of blocks */
};

/** Find slabs and add them to the slivers as further nodes that are merged.
 * @param side  (sides) both ends of all openings, rising in end
 * FAILURE_CAPACITY for memory; then the slivers are as they were. O(cells), and O(s log s) for s slabs. */
int cut_slabs_find(const struct voxels *voxels, const struct opening_side *side, size_t sides,
                   struct cut_slivers *slivers, struct cut_slabs *out, struct failure *failure);
void cut_slabs_free(struct cut_slabs *slabs);

/** First of face[] whose node is not below `node`. */
size_t cut_slabs_from(const struct cut_slabs *slabs, uint64_t node);

#endif
