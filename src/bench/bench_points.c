#include "src/bench/bench_points.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/scheme/fitted_stencil.h"
#include "src/base/options/scheme_options.h"
#include "src/run/plan/step_time.h"

#define PI 3.14159265358979323846

#define MIDDLE_SLOT                                                                                          \
    219 /* node (3,3,3) of a block: the four or six nodes around it along each axis are its own too */

/* The next block of open air from `id` on, round the end; `id` itself where there is none. */
static block_id find_open_air(const struct block_grid *grid, block_id id)
{
    for (block_id n = 0; n < grid->blocks; n++) {
        const block_id b = (block_id)(((uint64_t)id - 1 + n) % grid->blocks) + 1;
        if (grid->block[b].tile == TILE_FULL)
            return b;
    }
    return id;
}

/* The stencil of a place near the part `share` (0 .. 1) of all blocks, as a run of the grid's scheme has it.
 */
static int make_stencil(const struct block_grid *grid, double share, struct stencil *stencil,
                        struct failure *failure)
{
    static const double beside[3] = {0.3, 0.4, 0.2}; /* of a spacing, off the node */
    const block_id id = find_open_air(grid, (block_id)(share * (double)(grid->blocks - 1)) + 1);
    const struct block *const block = &grid->block[id];
    const bool open = block->tile == TILE_FULL;
    unsigned slot = open ? MIDDLE_SLOT : 0;
    int64_t node[3];
    double position[3];
    while (grid->tile[block->tile][slot] == 0) /* no block is without air */
        slot++;
    block_node(block, slot, node);
    lattice_position(&grid->lattice, node, position);
    for (int axis = 0; open && axis < 3; axis++)
        position[axis] += beside[axis] * grid->lattice.spacing;
    if (!grid->isotropic)
        return stencil_make(grid, position, node, INTERPOLATION_CUBIC, stencil, failure);
    const double band = 2 * PI / ISOTROPIC_POINTS;
    return stencil_make_fitted(grid, position, node, band, stencil, failure);
}

int bench_add_points(const struct bench_room *room, struct engine *engine, struct failure *failure)
{
    struct stencil stencil;
    TRY(make_stencil(&room->blocks, 0.5, &stencil, failure));
    TRY(engine_add_source(engine, &stencil, failure));
    for (int r = 0; r < BENCH_RECEIVERS; r++) {
        TRY(make_stencil(&room->blocks, (r + 0.5) / BENCH_RECEIVERS, &stencil, failure));
        TRY(engine_add_receiver(engine, &stencil, failure));
    }
    return 0;
}

int bench_run_points(struct engine *engine, uint64_t steps, double *seconds, struct failure *failure)
{
    double drive[BENCH_BATCH], taken = 0;
    double *output = malloc(BENCH_RECEIVERS * BENCH_BATCH * sizeof *output);
    int code = 0;
    if (output == NULL)
        return failure_memory(failure, BENCH_RECEIVERS * BENCH_BATCH * sizeof *output, "samples");
    for (int n = 0; n < BENCH_BATCH; n++)
        drive[n] = cos(0.1 * n);
    for (uint64_t done = 0; code == 0 && done < steps;) {
        const uint64_t batch = steps - done < BENCH_BATCH ? steps - done : BENCH_BATCH;
        taken += (double)batch * step_time(engine, batch, drive, output);
        done += batch;
        code = engine_failed(engine, failure);
    }
    if (seconds != NULL)
        *seconds = taken;
    free(output);
    return code;
}
