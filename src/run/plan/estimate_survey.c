/* A coarse grid of a room, from which the cost of a finer one is predicted. */
#include <math.h>

#include "src/base/interrupt.h"
#include "src/base/progress_line.h"
#include "src/base/options/failure_text.h"
#include "src/run/plan/estimate.h"
#include "src/setup/room_voxelise.h"

/* A grid with about so many nodes in the bounding box; without `grid` it is the room's own. */
static int make_coarse_grid(struct room_setup *setup, double nodes, struct block_grid *grid, uint64_t *voxels,
                            struct failure *failure)
{
    double spacing = room_spacing_of_nodes(&setup->model, nodes);
    int code = 0;
    for (int attempt = 0; attempt < 3; attempt++, spacing *= 0.6) {
        TRY(room_grid_spacing(&setup->request, &setup->model, spacing, &setup->grid, failure));
        code =
            grid == NULL ? room_voxelise(setup, failure) : room_voxelise_survey(setup, grid, voxels, failure);
        if (code != FAILURE_INPUT || (grid == NULL && setup->grid.packed.blocks > 0))
            break;
        TRY(interrupt_stop(failure));
    }
    return code;
}

int estimate_voxelise_survey(struct room_setup *setup, struct failure *failure)
{
    const bool paths = setup->request.grid.find_leak_paths;
    setup->request.grid.find_leak_paths = false;
    const int code = make_coarse_grid(setup, ESTIMATE_SURVEY_NODES, NULL, NULL, failure);
    setup->request.grid.find_leak_paths = paths;
    return code;
}

/* For `auto`: the speed of a device too, where there is one, unless even the longest run would be short. */
static void measure_on_device(struct room_setup *setup, const struct block_grid *grid,
                              struct room_estimate *estimate)
{
    struct failure failure = {0};
    const double highest = octave_edge[OCTAVE_EDGES - 1];
    const enum backend before = estimate->backend;
    if (estimate_needs(setup, estimate, highest).updates < ESTIMATE_SHORT_UPDATES)
        return;
    if (!backend_choice_look(&setup->backend))
        return;
    estimate->backend = setup->backend.devices;
    estimate->device_available = (double)setup->backend.device.bytes_free;
    if (estimate_measure(setup, grid, estimate, &failure) != 0) {
        estimate->speed[setup->backend.devices] = (struct step_speed){0};
        char text[FAILURE_TEXT_MAX];
        backend_choice_lose(&setup->backend, failure_text(&failure, text));
    }
    estimate->backend = before;
}

/* The grid that a room without a frequency is refused on. */
static int take_unknown(struct room_setup *setup, struct failure *failure)
{
    const struct grid_request *request = &setup->request.grid;
    const double spacing =
        setup->model.sound_speed / (room_points_per_wavelength(request) * ESTIMATE_FMAX_UNKNOWN);
    return request->fmax == 0 && request->spacing == 0 && spacing > setup->grid.lattice.spacing
               ? room_grid_spacing(&setup->request, &setup->model, spacing, &setup->grid, failure)
               : 0;
}

int estimate_survey(struct room_setup *setup, bool with_speed, struct room_estimate *estimate,
                    struct failure *failure)
{
    struct block_grid grid = {0};
    uint64_t voxels = 0;
    struct failure first = {0};
    const double begun = progress_clock();
    int code = make_coarse_grid(setup, ESTIMATE_SAMPLE_NODES, &grid, &voxels, &first);
    if (code == FAILURE_INPUT) {
        /* Refused as the run itself would be, with the path of a leak. */
        TRY(take_unknown(setup, failure));
        TRY(room_voxelise(setup, failure));
        estimate_from_grid(setup, estimate);
        return 0;
    }
    if (code != 0) {
        *failure = first;
        return code;
    }
    estimate_count(setup, &grid, voxels, progress_clock() - begun, estimate);
    if (with_speed)
        code = estimate_measure(setup, &grid, estimate, failure);
    if (code == 0 && with_speed && !setup->backend.settled)
        measure_on_device(setup, &grid, estimate);
    block_grid_free(&grid);
    return code;
}

int estimate_measure_room(struct room_setup *setup, struct room_estimate *estimate, struct failure *failure)
{
    const double large = (double)ESTIMATE_SPEED_BYTES / (2 * estimate_real_bytes(setup)) / 4;
    const double nodes = (double)setup->grid.packed.blocks * BLOCK_NODES;
    const struct step_speed *speed = &estimate->speed[estimate->backend];
    if (speed->samples == 0 || nodes < large)
        TRY(estimate_measure(setup, &setup->grid.packed, estimate, failure));
    if (nodes < large && speed->samples < 2) {
        const struct lattice lattice = setup->grid.lattice;
        const struct time_step step = setup->grid.step;
        const struct room_point first = setup->points.point[0];
        struct block_grid grid = {0};
        uint64_t voxels = 0;
        /* If this fails, times at other fmax are predicted from the small grid alone. */
        if (make_coarse_grid(setup, ESTIMATE_SAMPLE_NODES, &grid, &voxels, NULL) == 0)
            (void)estimate_measure(setup, &grid, estimate, NULL);
        block_grid_free(&grid);
        setup->grid.lattice = lattice;
        setup->grid.step = step;
        setup->points.point[0] = first;
    }
    estimate_from_grid(setup, estimate);
    return 0;
}
