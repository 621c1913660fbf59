/** Flood fill over uncut links, 64 nodes at a time.
 *
 * Blocks that no wall cuts fill at once and cost one byte; blocks with cuts hold 512 bits. Several floods may
 * run in one struct one after the other; they share their air, whatever the order. */
#ifndef GEOMETRY_FLOOD_H
#define GEOMETRY_FLOOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/voxel/cut_field.h"

/** Freed by flood_free(); zeroed is empty. */
struct flood {
    const struct cut_field *field; /* borrowed: must outlive the flood */
    bool open;                     /* links out of the lattice's box count as cut */
    uint8_t *state;                /* (blocks[2], blocks[1], blocks[0]) bits FLOOD_* */
    uint64_t (*air)[8];            /* (field->block_count) air of blocks with cuts */
    bool outside_in;      /* flood_from_outside() has run: paths out of the box no longer stop a flood */
    bool escaped;         /* air has a path out of the box; the flood stopped there */
    int64_t exit_node[3]; /* last node inside on that path */
    enum direction exit_direction;
};

#define FLOOD_HAS_CUTS 1u /* the block is in the cut field */
#define FLOOD_REACHED  2u /* the block holds air; without cuts all of its nodes inside the box are air */
#define FLOOD_QUEUED   4u /* used while flooding */

/** Start without air. `open`: links that leave the box count as cut. FAILURE_CAPACITY for memory. */
int flood_start(const struct cut_field *field, bool open, struct flood *out, struct failure *failure);
void flood_free(struct flood *flood);

/** Add all nodes that uncut links join to `node`, which must lie in the box. Unless the flood is open it
 * stops with `escaped` set at a link out of the box; its air is then incomplete. `*count` (may be NULL)
 * receives the number of new nodes. O(blocks reached). */
int flood_from(struct flood *flood, const int64_t node[3], uint64_t *count, struct failure *failure);

/** Add all nodes that uncut links join to the outside of the box, to find enclosed cavities. */
int flood_from_outside(struct flood *flood, struct failure *failure);

bool flood_is_air(const struct flood *flood, const int64_t node[3]);

/** Air of the block at a place inside the box. */
void flood_block_air(const struct flood *flood, const int32_t place[3], uint64_t air[8]);

/** True if all six links of the node are cut. Such a node is never air. */
bool flood_is_isolated(const struct cut_field *field, const int64_t node[3]);

#endif
