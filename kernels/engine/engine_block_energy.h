/** The energy of a block, from a copy of what its links and plaquettes reach: the sums of engine_energy()
 * over pairs, without looking for the other end of each. Private to the engine. */
#ifndef KERNELS_ENGINE_BLOCK_ENERGY_H
#define KERNELS_ENGINE_BLOCK_ENERGY_H

#include "kernels/engine/engine_state.h"

struct block_energy {
    double moving;    /* sum of mass (u - u_old)^2 */
    double stretched; /* sum over pairs, extra links apart, of weight (u_j - u_i) (u_old_j - u_old_i) */
};

/** Of an engine on the host that steps blocks: pairs that begin in the block, at their low end. O(512). */
struct block_energy engine_block_energy(const struct engine *engine, uint64_t id);

#endif
