/** A field that every layout and back end can start from: small whole numbers that depend on the node alone.
 *
 * For checks and benchmarks: no node is zero for long or denormal, whole numbers stay exact for some steps at
 * lambda^2 = 1/4, and filling takes no table of nodes.
 */
#ifndef KERNELS_ENGINE_FILL_H
#define KERNELS_ENGINE_FILL_H

#include "kernels/engine/engine.h"

/** What engine_fill() gives a node of the air: -3 .. 3. @param level 0 for u, 1 for u_old */
int engine_fill_value(const int64_t node[3], int level, uint64_t seed);

/** Fill both levels of every air node; list nodes as fill_list_bits() says. O(stored nodes), threads. */
void engine_fill(struct engine *engine, uint64_t seed);

#endif
