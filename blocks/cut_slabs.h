/** Merges slabs of air along walls in grid planes with their neighbours, for the isotropic operator. Private
 * to blocks/.
 *
 * A floor that leaves f < .2 of its layer of voxels makes a layer of nodes of mass f and openings f between
 * them. They are right to second order, but other nodes must lend them mass, which changes the decay (a
 * carpet at f = 1/8 makes it 7 % too short). Such a layer is the same prism as the next one, only lower, so
 * the two can be merged without loss. A cell i is a slab in direction k, towards its neighbour j, if its face
 * away from j is closed, f = volume / opening to j < .2, and its other four openings and its volume are f
 * times those of j, to 1e-3. Then j takes volume, areas and openings. Its openings exceed 1 (f adds up along
 * edges of the room); no node takes more than 255 / 200 in all.
 *
 * No link is cut. A link from a slab to another node then leads to j; it becomes an extra link if the two are
 * not neighbours. So does the excess of an opening over 255 / 200. */
#ifndef BLOCKS_CUT_SLABS_H
#define BLOCKS_CUT_SLABS_H

#include "blocks/cut_slivers.h"

/** The new opening of a node. */
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
