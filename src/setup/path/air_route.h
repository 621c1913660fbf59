/** Finds shortest routes through the air of a block grid, for places without a line of sight.
 *
 * The graph: the connected parts of every 8x8x8 block (a thin wall may split a block into several), each
 * joined to the parts it touches through uncut links in its 26 neighbouring blocks. The place of a part is
 * one of its air nodes. */
#ifndef SRC_AIR_ROUTE_H
#define SRC_AIR_ROUTE_H

#include <stddef.h>
#include <stdint.h>

#include "blocks/block_grid.h"

/** Parts of a tile: they depend on its links only. */
struct tile_parts {
    uint16_t count;
    uint16_t first; /* slot of the place of part 0 */
    uint16_t *slot; /* (count) slots of the places of the parts; NULL for one part */
    uint16_t *part; /* (512) part of every slot; NULL for one part */
};

/** Owned, freed by air_route_free(); start zeroed. Borrows the grid. */
struct air_route {
    const struct block_grid *grid;
    struct tile_parts *tile; /* (tiles) */
    uint64_t *first;         /* (blocks + 2) number of a block's first part */
    double *length;          /* (parts) from the start [m] */
    uint64_t *previous;      /* (parts) */
    int64_t start_node[3];
};

/** Distances from `node` (air) to every part. O(blocks log blocks). FAILURE_CAPACITY for memory. */
int air_route_search(const struct block_grid *grid, const int64_t node[3], struct air_route *out,
                     struct failure *failure);

/** A polyline from `from` (whose node was searched from) over air nodes joined by uncut links to `to`, whose
 * node is `to_node`. `*point` is owned by the caller. FAILURE_INPUT when the air does not join them. */
int air_route_trace(const struct air_route *route, const double from[3], const double to[3],
                    const int64_t to_node[3], double (**point)[3], size_t *count, struct failure *failure);

void air_route_free(struct air_route *route);

#endif
