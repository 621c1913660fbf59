/** The size of a part of a room before it is cut: counted on the grid of the whole room, or predicted from
 * the counts of that grid alone.
 *
 * A part is a range of the Hilbert curve, so its surface is that of a compact body, (blocks)^(2/3) times a
 * factor. With g blocks across its surface, v values received in a step, pressures of r bytes and e bytes
 * kept by wall entry it takes
 *
 *   2 x 512 r (blocks + g)                    pressures of both levels, of ghosts too
 *   (40 + 48i) (blocks + g) + 4 f             blocks, blocks across edges (i: isotropic); the find table
 *   (8 + 8c) blocks + (512 + 128c) tiles      ranges of walls and records (c: has records); tiles and marks
 *   (8 + e) walls                             wall entries
 *   (12 + 12i) cuts                           records, gains, plaquettes
 *   24 list + 16 linked + 8 links             further pieces of air
 *   16 sheets                                 links that sheets cut
 *   2 (8 + r) v + blocks + 4 g                indices and values of the exchange; the surface
 *
 * bytes. Parts are cut by weight (partition.h). The largest part has no wall and at most W / (512 n) blocks,
 * W the weight of the room and n the number of parts. The prediction is for this part, with all sheets, since
 * these may lie in one part. */
#ifndef BLOCKS_PART_COUNT_H
#define BLOCKS_PART_COUNT_H

#include "blocks/parts/partition.h"

/** Doubles, since predicted counts are not whole numbers. */
struct part_counts {
    double blocks, ghosts; /* without block 0 */
    double tiles, walls, cuts, list_nodes, linked_nodes, extra_links, sheets;
    double values; /* received in a step, and as many sent, at most: nodes of edges that are in faces count
                      twice */
    bool has_records, isotropic;
};

/** Bounds: a part of so many blocks has at most this factor times blocks^(2/3) blocks across its surface, and
 * reads so many values of each. Measured at most 11.2 and 95.4, in the built-in church with 1.6 x 10^7
 * and 9.8 x 10^7 nodes in 2 to 64 parts. */
#define PART_GHOSTS       12.0
#define PART_GHOST_VALUES 96.0

/** The whole room. O(1). */
void part_count_whole(const struct block_grid *whole, struct part_counts *out);

/** Counts of part `part`, exact except `values`. FAILURE_MEMORY; O(blocks of the part), a bit a block of the
 * room. */
int part_count(const struct block_grid *whole, const struct partition *partition, unsigned part,
               struct part_counts *out, struct failure *failure);

/** The largest of so many parts, from the counts of the whole room. */
void part_count_largest(const struct part_counts *whole, unsigned parts, double wall_cost,
                        struct part_counts *out);

/** Bytes of the grid, as above without pressures and data by wall entry; and of everything, with `levels`
 * reals a node: 2 of pressure, and those of losses of the air. */
double part_grid_bytes(const struct part_counts *part);
double part_bytes(const struct part_counts *part, unsigned levels, unsigned real_bytes,
                  double wall_entry_bytes);

#endif
