/** The energy of a block: the sums of engine_energy() over pairs of nodes, from a copy of the block and the
 * nodes next to it. Private to the engine. */
#ifndef KERNELS_ENGINE_BLOCK_ENERGY_H
#define KERNELS_ENGINE_BLOCK_ENERGY_H

#include "kernels/engine/engine_state.h"

struct block_energy {
    double moving;    /* sum of mass (u - u_old)^2 */
    double stretched; /* sum over pairs, extra links apart, of weight (u_j - u_i) (u_old_j - u_old_i) */
};

/** Pairs whose low end is in the block, of an engine on the host that steps blocks. O(512). */
struct block_energy engine_block_energy(const struct engine *engine, uint64_t id);

#endif
