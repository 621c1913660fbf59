/** How far apart sums may be that add the same terms in different orders, as energies and ledgers of a room
 * in parts or on a device are added up: of n terms each sum is off by at most (n - 1) u of the sum of their
 * magnitudes, u = DBL_EPSILON / 2 (Higham, Accuracy and Stability of Numerical Algorithms, 4.2). */
#ifndef TESTS_SUM_ORDER_H
#define TESTS_SUM_ORDER_H

#include <float.h>
#include <math.h>

#include "blocks/block_grid.h"
#include "kernels/engine/engine_state.h"

static inline double sum_order(double terms, double magnitudes)
{
    return terms * DBL_EPSILON * magnitudes;
}

/** Relative error of an entry's weight that a device works out from its share (device_engine.h), which is
 * rounded to the run's real; kappa is at most some tens. */
static inline double weight_error(const struct engine *engine)
{
    const bool device = engine->device != NULL || engine->options.backend == BACKEND_CUDA;
    return !device ? 0.0 : engine->real_bytes == sizeof(float) ? 1e-5 : 1e-12;
}

/** What a material has absorbed: all terms are positive. */
static inline double absorbed_order(const struct block_grid *grid, double absorbed)
{
    return sum_order((double)grid->walls + (double)grid->sheets, absorbed);
}

/** Energy: the magnitudes of its terms are at most as here, from the field of an engine on the host that
 * holds all of it. Of a node u, before it v, they are (u - v)^2 / (2 lambda^2) <= (u^2 + v^2) / lambda^2, and
 * half of a pair's |(u_i - u_j) (v_i - v_j)| <= u_i^2 + u_j^2 + v_i^2 + v_j^2, of which a node has six at
 * most, or their weight in plaquettes; what walls and sheets hold is the energy less these. */
static inline double energy_order(const struct engine *engine, double energy)
{
    const struct block_grid *const grid = engine->room.blocks;
    double squares = 0.0;
    for (uint64_t n = 0; n < engine->length; n++) {
        const double u = engine_value(engine, engine->u, n), v = engine_value(engine, engine->u_old, n);
        squares += u * u + v * v;
    }
    return sum_order(10 * (double)grid->air_nodes + (double)grid->walls + (double)grid->sheets,
                     fabs(energy) + 2 * (1 / engine->room.lambda2 + 6) * squares);
}

#endif
