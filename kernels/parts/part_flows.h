/** Flows through sheets on links between two parts of a room. Both parts step such a flow (part_grid.h).
 * After the field was set, the part in which the link begins sends the state to the part in which it ends.
 */
#ifndef KERNELS_PART_FLOWS_H
#define KERNELS_PART_FLOWS_H

#include "blocks/parts/partition.h"

struct engine;

/** Read the state of each link that ends in another part, in the order of links; SHEET_IMAGE_REALS reals each
 * (engine_sheets.h). FAILURE_CAPACITY for memory, FAILURE_OUTPUT of a device. */
int part_flows_give(struct engine *engine, void *flows, struct failure *failure);
/** Write the state of each link that begins in another part. */
int part_flows_take(struct engine *engine, const void *flows, struct failure *failure);

/** The order of these flows. All parts give them in one order, and take them in another. Owned:
 * part_flows_free(), which accepts a zeroed one. */
struct part_flows {
    uint64_t flows;
    uint64_t *gives, *takes; /* (parts) number of flows that each part gives and takes */
    uint64_t *given;         /* (flows) for each taken flow, in that order, its number among the given ones */
};

/** O(sheets log parts). FAILURE_CAPACITY for memory. */
int part_flows_find(const struct block_grid *whole, const struct partition *partition, struct part_flows *out,
                    struct failure *failure);
void part_flows_free(struct part_flows *flows);

#endif
