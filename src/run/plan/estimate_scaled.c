#include "src/run/plan/estimate_scaled.h"

#include "src/base/interrupt.h"
#include "src/setup/room_voxelise.h"

#define ATTEMPTS 3
#define FINER    0.6 /* spacing of one to that of the one before */

int estimate_voxelise(struct room_setup *setup, struct failure *failure)
{
    if (!estimate_is_scaled(setup))
        return room_voxelise(setup, failure);
    const double fmax = setup->grid.fmax;
    double spacing = room_spacing_of_nodes(&setup->model, setup->request.plan.counted / 3);
    int code = 0;
    setup->request.plan.scaled_to = setup->grid.step.spacing;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++, spacing *= FINER) {
        TRY(room_grid_spacing(&setup->request, &setup->model, spacing, &setup->grid, failure));
        /* Walls are fitted as far up as this grid carries. */
        setup->grid.fmax = fmax * setup->request.plan.scaled_to / setup->grid.step.spacing;
        code = room_voxelise(setup, failure);
        setup->grid.fmax = fmax;
        if (code != FAILURE_INPUT)
            break;
        TRY(interrupt_stop(failure));
    }
    return code;
}

void estimate_scaled_end(struct room_setup *setup)
{
    struct room_grid *grid = &setup->grid;
    const double spacing = setup->request.plan.scaled_to;
    if (spacing > 0)
        (void)time_step_choose(setup->request.grid.scheme, spacing, setup->model.sound_speed,
                               grid->step.courant, &grid->step, NULL);
}
