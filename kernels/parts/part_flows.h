/** Flows through sheets on links between two parts of a room. Both parts step such a flow (part_grid.h), so
 * that it must be told where a field was set: by the part in which the link begins, to that in which it ends.
 */
#ifndef KERNELS_PART_FLOWS_H
#define KERNELS_PART_FLOWS_H

#include "blocks/parts/partition.h"

struct engine;

/** Of a part's engine the state of each link that ends in another part, in their order; SHEET_IMAGE_REALS
 * reals each (engine_sheets.h). FAILURE_CAPACITY for memory, FAILURE_OUTPUT of a device. */
int part_flows_give(struct engine *engine, void *flows, struct failure *failure);
/** And of each that begins in another one. */
int part_flows_take(struct engine *engine, const void *flows, struct failure *failure);

/** Which flows go where. What all parts give, one part after the other, and what all take are the same flows
 * in another order. Owned, freed by part_flows_free(); a zeroed one may be freed. */
struct part_flows {
    uint64_t flows;
    uint64_t *gives, *takes; /* (parts) how many */
    uint64_t *given;         /* (flows) of each that is taken, in that order, its number among the given */
};

/** O(sheets log parts). FAILURE_CAPACITY for memory. */
int part_flows_find(const struct block_grid *whole, const struct partition *partition, struct part_flows *out,
                    struct failure *failure);
void part_flows_free(struct part_flows *flows);

#endif
