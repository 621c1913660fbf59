#include "src/setup/room_engine.h"

#include <stdlib.h>

#include "kernels/mpi/ranks.h"
#include "kernels/parts/local_parts.h"
#include "kernels/scheme/fitted_stencil.h"
#include "rooms/materials/absorption.h"

#define PI 3.14159265358979323846

struct engine_options room_engine_options(const struct room_setup *setup, double stored_nodes)
{
    const struct engine_request *request = &setup->request.engine;
    const bool few = request->threads == 0 && stored_nodes < 2 * ROOM_NODES_PER_THREAD;
    return (struct engine_options){
        .layout = request->layout,
        .precision = request->precision,
        .backend = setup->backend.backend,
        .simd = SIMD_AUTO,
        .threads = few ? 1 : (int)request->threads,
    };
}

struct engine_rows room_engine_rows(const struct room_setup *setup, size_t grid_points, bool ledger)
{
    return (struct engine_rows){
        .receivers = setup->points.receivers,
        .grid_points = grid_points,
        .directional = room_has_gradients(&setup->request) ? setup->points.receivers : 0,
        .sources = ledger ? source_first_channel(&setup->directions, setup->points.sources) : 0};
}

double *room_plain_walls(const struct room_setup *setup)
{
    enum { HZ_500 = 3 };
    const struct room_model *model = &setup->model;
    const struct wall_kinds *kinds = &setup->grid.kinds;
    const size_t count = kinds->count > 0 ? kinds->count : model->mesh.material_count;
    double *admittance = calloc(count + 1, sizeof *admittance);
    for (size_t m = 0; admittance != NULL && m < count; m++) {
        const size_t material = kinds->count > 0 ? kinds->kind[m].material : m;
        admittance[m] = admittance_from_absorption(model->surface[material].used[HZ_500], NULL);
    }
    return admittance;
}

bool room_walls_hard(const struct room_setup *setup)
{
    bool hard = !setup->request.grid.open && setup->model.mesh.sheet_count == 0;
    for (size_t m = 0; m < setup->model.mesh.material_count; m++)
        hard = hard && setup->model.wall[m].branches == 0;
    return hard;
}

size_t room_ledger_surfaces(const struct room_setup *setup)
{
    return room_walls_hard(setup) ? 0 : setup->model.mesh.material_count + 1;
}

struct wall_materials room_wall_materials(const struct room_setup *setup, const struct room_grid *grid,
                                          bool ledger)
{
    const bool own = grid->wall != NULL;
    return (struct wall_materials){
        .count = own ? grid->kinds.count : setup->model.mesh.material_count,
        .material = own ? grid->wall : setup->model.wall,
        .inertance =
            setup->request.engine.walls == WALLS_STAIRCASE && setup->request.grid.scheme == SCHEME_STANDARD,
        .ledger = ledger && !room_walls_hard(setup),
    };
}

int room_engine_create(struct engine **out, const struct room_setup *setup, const struct room_grid *grid,
                       const struct block_grid *packed, const struct box_grid *box,
                       const struct time_step *step, const struct engine_options *options, bool ledger,
                       struct failure *failure)
{
    const struct wall_materials walls = room_wall_materials(setup, grid, ledger);
    const struct engine_settings settings = {.back_ends = setup->backend.back_ends,
                                             .blocks = packed,
                                             .box = box,
                                             .step = step,
                                             .walls = &walls,
                                             .options = options,
                                             .card = setup->backend.card[0],
                                             .any_rounding = setup->request.engine.bits == OPTION_BITS_ANY};
    return engine_create_with(out, &settings, failure);
}

bool room_engine_is_in_parts(const struct room_setup *setup)
{
    return ranks_count() > 1 || backend_choice_parts(&setup->backend) > 1;
}

int room_engine_in_parts(struct engine **out, const struct room_setup *setup, const struct room_grid *grid,
                         struct block_grid *packed, const struct time_step *step,
                         const struct engine_options *options, bool ledger, struct failure *failure)
{
    const struct wall_materials walls = room_wall_materials(setup, grid, ledger);
    const struct part_setup parts = {.options = *options,
                                     .step = *step,
                                     .materials = walls.count,
                                     .walls = &walls,
                                     .back_ends = setup->backend.back_ends,
                                     .spare = ranks_count() > 1 ? packed : NULL};
    const struct backend_choice *const choice = &setup->backend;
    const struct device_table *const table = backend_choice_devices(choice);
    struct part_link link;
    if (options->layout != LAYOUT_BLOCKS && ranks_count() == 1)
        return device_choice_in_box(failure);
    if (options->layout != LAYOUT_BLOCKS)
        return failure_set(failure, FAILURE_INPUT,
                           "%u processes step a room in blocks, not in a bounding box", ranks_count());
    if (ranks_count() > 1)
        TRY(ranks_table->parts(&link, failure));
    else
        TRY(local_devices(table, choice->cards, choice->card,
                          local_devices_way(table, choice->cards, choice->card), &link, failure));
    return engine_in_parts(out, packed, &parts,
                           backend_is_device(options->backend) ? PARTITION_WALL_COST_DEVICE
                                                               : PARTITION_WALL_COST,
                           &link, failure);
}

bool room_loses_in_steps(const struct room_setup *setup)
{
    return setup->request.model.air_in_steps && setup->request.model.air_method != AIR_OFF;
}

void room_air_loss(const struct room_setup *setup, double rate, double fmax, struct air_loss *out)
{
    struct air_losses losses;
    *out = (struct air_loss){0};
    if (!room_loses_in_steps(setup))
        return;
    air_losses_make(&setup->model.air, &losses);
    (void)air_loss_fit(&losses, rate, fmax, out);
}

int room_engine_lose_in_air(struct engine *engine, const struct room_setup *setup, struct failure *failure)
{
    struct air_loss loss;
    room_air_loss(setup, setup->grid.step.rate, setup->grid.fmax, &loss);
    return loss.states > 0 ? engine_set_air(engine, &loss, failure) : 0;
}

const char *room_engine_air_losses(const struct engine *engine)
{
    return engine_air_loss(engine) != NULL ? "within the steps" : "none";
}

/* The greatest wavenumber of the band times the spacing; 0 where taps are not fitted to it. */
static double band_of(const struct room_setup *setup, const struct room_grid *grid)
{
    return grid->packed.isotropic && setup->request.engine.interpolation != INTERPOLATION_LINEAR
               ? 2.0 * PI / grid->points_per_wavelength
               : 0.0;
}

int room_tap(const struct room_setup *setup, const struct room_grid *grid, const double position[3],
             const int64_t node[3], struct stencil *out, struct failure *failure)
{
    const double band = band_of(setup, grid);
    return band > 0.0 ? stencil_make_fitted(&grid->packed, position, node, band, out, failure)
                      : stencil_make(&grid->packed, position, node, setup->request.engine.interpolation, out,
                                     failure);
}

int room_gradient_tap(const struct room_setup *setup, const struct room_grid *grid, const double position[3],
                      const int64_t node[3], int axis, struct stencil *out, struct failure *failure)
{
    const double band = band_of(setup, grid);
    return band > 0.0 ? stencil_make_fitted_gradient(&grid->packed, position, node, band, axis, out, failure)
                      : stencil_make_gradient(&grid->packed, position, node,
                                              setup->request.engine.interpolation, axis, out, failure);
}
