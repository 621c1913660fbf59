#include "src/setup/room_grid.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/drum/drum.h"
#include "kernels/scheme/scheme.h"
#include "src/base/interrupt.h"

uint64_t room_grid_hash(const struct room_grid *grid)
{
    return grid->hash != 0 ? grid->hash : block_grid_hash(&grid->packed);
}

void room_grid_clear(struct room_grid *grid)
{
    voxel_findings_free(&grid->findings);
    block_grid_free(&grid->packed);
    wall_areas_free(&grid->areas);
    wall_kinds_free(&grid->kinds);
    free(grid->wall);
    grid->wall = NULL;
    for (size_t g = 0; g < grid->receiver_grids; g++)
        receiver_grid_free(&grid->receiver_grid[g]);
    free(grid->receiver_grid);
    grid->receiver_grid = NULL;
    grid->masses = (struct cut_masses){0};
    grid->hash = 0;
    grid->receiver_grids = grid->grid_points = 0;
}

void room_grid_free(struct room_grid *grid)
{
    room_grid_clear(grid);
    *grid = (struct room_grid){0};
}

int room_lattice(const struct grid_request *request, const struct room_model *model, double spacing,
                 struct lattice *out, struct failure *failure)
{
    const struct option_point *origin = &request->origin;
    return lattice_fit(model->low, model->high, spacing, origin->given ? origin->position : NULL, out,
                       failure);
}

double room_spacing_of_nodes(const struct room_model *model, double nodes)
{
    double volume = 1;
    for (int axis = 0; axis < 3; axis++)
        volume *= fmax(model->high[axis] - model->low[axis], 1e-3);
    return cbrt(volume / nodes);
}

bool room_has_masses(const struct room_request *request)
{
    return request->grid.scheme == SCHEME_ISOTROPIC || request->engine.walls == WALLS_CONFORMAL;
}

/* Shares of the largest lambda^2 in the order in which they are tried. */
static const double *get_shares(const struct grid_request *request, size_t *count)
{
    const double *share = cut_masses_shares(request->scheme == SCHEME_ISOTROPIC, count);
    for (; request->drums && request->scheme == SCHEME_ISOTROPIC && *share > DRUM_SHARE_MOST; share++)
        --*count;
    return share;
}

double room_courant_first(const struct room_request *request)
{
    const struct grid_request *grid = &request->grid;
    const double limit = time_step_limit(grid->scheme);
    if (grid->courant > 0)
        return grid->courant;
    if (grid->courant_share > 0)
        return grid->courant_share * limit;
    size_t count = 0;
    return room_has_masses(request) ? sqrt(get_shares(grid, &count)[0]) * limit : 0;
}

int room_grid_spacing(const struct room_request *request, const struct room_model *model, double spacing,
                      struct room_grid *out, struct failure *failure)
{
    TRY(time_step_choose(request->grid.scheme, spacing, model->sound_speed, room_courant_first(request),
                         &out->step, failure));
    return room_lattice(&request->grid, model, spacing, &out->lattice, failure);
}

double room_layer_cells(const struct block_grid *grid, uint64_t *nodes)
{
    uint64_t parts = 0;
    int64_t node[3];
    *nodes = 0;
    for (block_id b = 1; block_has_layer(grid) && b < block_list_first(grid); b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            block_node(&grid->block[b], slot, node);
            if (!block_is_air(grid, b, slot) || !block_in_layer(grid, node))
                continue;
            ++*nodes;
            const bool cut = grid->has_records &&
                             (grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63) & 1) != 0;
            parts += cut ? grid->cut[block_cut_record(grid, b, slot)].volume : CUT_WHOLE;
        }
    return (double)parts / CUT_WHOLE;
}

double room_cells(const struct block_grid *grid)
{
    uint64_t layer, parts = (grid->air_nodes - grid->cuts) * CUT_WHOLE;
    for (uint64_t n = 0; n < grid->cuts; n++)
        parts += grid->cut[n].volume;
    return (double)parts / CUT_WHOLE - room_layer_cells(grid, &layer);
}

#define FMAX_LEAST 20.0
#define FMAX_MOST  20000.0

int room_masses_settle(const struct grid_request *request, struct block_grid *packed, double sound_speed,
                       struct time_step *out, struct cut_masses *masses, struct failure *failure)
{
    const enum scheme scheme = request->scheme;
    size_t count = 0;
    const double *const share = get_shares(request, &count);
    struct cut_ledger *ledger = NULL;
    TRY(cut_ledger_make(packed, &ledger, failure));
    int code = 0;
    for (size_t s = 0; code == 0 && s < count; s++) {
        const double courant = sqrt(share[s]) * time_step_limit(scheme);
        code = time_step_choose(scheme, packed->lattice.spacing, sound_speed, courant, out, failure);
        if (code == 0)
            code = cut_ledger_share_out(ledger, out->lambda2, masses, failure);
        if (code == 0 && masses->added <= CUT_MASSES_ADDED_MOST * masses->volume)
            break;
    }
    if (code == 0)
        code = cut_ledger_give(ledger, packed, failure);
    cut_ledger_free(ledger);
    return code;
}

/* fmax of a given spacing; 0 is replaced by the highest that it supports. */
static int fmax_of_spacing(const struct grid_request *request, double sound_speed, double *fmax,
                           struct failure *failure)
{
    const double points = room_points_of_quality(request, QUALITY_STANDARD),
                 least = scheme_points_least[request->scheme], spacing = request->spacing,
                 carries = sound_speed / (points * spacing);
    if (*fmax == 0)
        *fmax = carries < FMAX_MOST ? carries : FMAX_MOST;
    if (!(*fmax > FMAX_LEAST))
        return failure_set(failure, FAILURE_INPUT,
                           "a spacing of %.4g m supports only %.3g Hz; at least %.0f Hz need %.4g m or less",
                           spacing, carries, FMAX_LEAST, sound_speed / (points * FMAX_LEAST));
    if (sound_speed / (*fmax * spacing) < least)
        return failure_set(failure, FAILURE_INPUT,
                           "a spacing of %.4g m gives %.3g points per wavelength at %.5g Hz, but at least "
                           "%.3g are needed: use a spacing of %.4g m or %.5g Hz",
                           spacing, sound_speed / (*fmax * spacing), *fmax, least,
                           sound_speed / (least * *fmax), sound_speed / (least * spacing));
    return 0;
}

int room_grid_resolution(const struct room_request *request, const struct room_model *model, double fmax,
                         struct room_grid *out, struct failure *failure)
{
    const double c = model->sound_speed;
    double spacing = request->grid.spacing;
    if (spacing > 0)
        TRY(fmax_of_spacing(&request->grid, c, &fmax, failure));
    else
        spacing = c / (room_points_per_wavelength(&request->grid) * fmax);
    out->fmax = fmax;
    out->points_per_wavelength = c / (fmax * spacing);
    return room_grid_spacing(request, model, spacing, out, failure);
}

struct voxelise_options room_voxelise_options(const struct room_request *request,
                                              const struct room_model *model)
{
    return (struct voxelise_options){
        .seal_width = request->grid.seal,
        .open = request->grid.open,
        .threads = (int)request->engine.threads,
        .back_material = model->back_material,
        .interrupted = &interrupt_seen,
    };
}
