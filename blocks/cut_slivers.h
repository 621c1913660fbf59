/** Chooses the node with which each sliver of air is merged. Private to blocks/.
 *
 * A cell or piece whose volume rounds to 0 of CUT_WHOLE is a sliver. With one opening that a byte can hold,
 * or with none, it is merged: the node across its widest opening takes its volume and its areas, and the
 * opening closes. So a wall on the faces of voxels gives the same nodes whichever way snapping moves it by a
 * thousandth. With m -> 0 the pressure of such a node is that of its neighbour, so nothing is lost. No other
 * opening changes, so connected air stays connected. Slivers with two or more openings stay nodes: they
 * connect other nodes, and without their openings walls would be first-order.
 *
 * Slivers without openings are merged with slivers beside them, and these with their neighbours (edges of
 * boxes). Not merged are: two slivers that are most open to each other, the only neighbour of a node, and
 * nodes that open to a further piece, since sources and receivers could not be located there. */
#ifndef BLOCKS_CUT_SLIVERS_H
#define BLOCKS_CUT_SLIVERS_H

#include "blocks/block_layout.h"
#include "geometry/voxel/voxels.h"

/** An area or volume in parts of CUT_WHOLE, to the nearest. */
static inline uint8_t cut_parts(float share)
{
    const double parts = CUT_WHOLE * (double)share + 0.5;
    return parts < 1 ? 0 : parts < UINT8_MAX ? (uint8_t)parts : UINT8_MAX;
}

/** An opening from one end. */
struct opening_side {
    uint64_t end;
    size_t opening;
};

/** Ends are those of struct voxel_opening. */
struct merged_sliver {
    uint64_t into, from;
    const struct voxel_cell *cell;
    const struct voxel_area *area; /* (cell->areas) */
    uint8_t direction;             /* of the opening of `into` that closes; DIRECTIONS: none of the six */
};

/** Owned, cut_slivers_free(); zeroed is empty. */
struct cut_slivers {
    size_t count, nodes;           /* nodes: not pieces, the first of by_from[] */
    struct merged_sliver *merged;  /* (count) rising in (into, from) */
    struct merged_sliver *by_from; /* (count) rising in from */
};

/** @param side  (sides) both ends of all openings, rising in end
 * FAILURE_CAPACITY for memory. O(cells), and O(s log s) for s slivers. */
int cut_slivers_find(const struct voxels *voxels, const struct opening_side *side, size_t sides,
                     struct cut_slivers *out, struct failure *failure);
void cut_slivers_free(struct cut_slivers *slivers);

/** Cell of a node or piece; NULL for a voxel that is whole. */
const struct voxel_cell *cut_cell_of(const struct voxels *voxels, uint64_t end);

/** The node beside one, whose block must be there if it is another one. */
uint64_t cut_end_beside(const struct voxels *voxels, uint64_t end, unsigned d);

/** First of side[] whose end is not below `end`. */
size_t opening_sides_from(const struct opening_side *side, size_t sides, uint64_t end);

/** First of merged[] whose `into` is not below `into`. */
size_t cut_slivers_into(const struct cut_slivers *slivers, uint64_t into);

/** Sort the list in `merged`, and make by_from[] and `nodes` from it. */
void cut_slivers_sort(struct cut_slivers *slivers);

/** First of by_from[] whose `from` is not below `from`. */
size_t cut_slivers_from(const struct cut_slivers *slivers, uint64_t from);

/** The sliver of that end, NULL for one that is not merged. */
const struct merged_sliver *cut_slivers_gone(const struct cut_slivers *slivers, uint64_t from);

/** Add the second list of areas to the first, by material, rising. If there are more than VOXELS_AREAS_MAX,
 * the rest is added to the largest. Returns the number of areas. */
unsigned cut_slivers_add_areas(struct voxel_area area[VOXELS_AREAS_MAX], unsigned areas,
                               const struct voxel_area *more, unsigned count);

#endif
