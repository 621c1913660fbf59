/** An initial field for checks and benchmarks, equal for all layouts and back ends: small integers that
 * depend only on the node. No node stays zero or becomes denormal, and at lambda^2 = 1/4 some steps are
 * exact.
 */
#ifndef KERNELS_ENGINE_FILL_H
#define KERNELS_ENGINE_FILL_H

#include "kernels/engine/engine.h"

/** The value of an air node: -3 .. 3. @param level 0 for u, 1 for u_old */
int engine_fill_value(const int64_t node[3], int level, uint64_t seed);

/** Fill both levels of every air node; list nodes as fill_list_bits() says. O(stored nodes), threads. */
void engine_fill(struct engine *engine, uint64_t seed);

#endif
