#include "blocks/wall_areas.h"

#include <math.h>
#include <stdlib.h>

void wall_areas_free(struct wall_areas *areas)
{
    free(areas->material);
    *areas = (struct wall_areas){0};
}

void wall_areas_exposed(size_t materials, const double *mesh_area, const struct voxel_exposure *exposure,
                        const uint16_t *back, double *exposed)
{
    for (size_t m = 0; m < materials; m++)
        exposed[m] = 0;
    for (size_t m = 0; m < materials; m++) {
        const struct voxel_exposure *of = &exposure[m];
        if (!(of->met > 0)) {
            exposed[m] += mesh_area[m];
            continue;
        }
        const double seen = (of->front + of->back) / of->met, whole = round(seen);
        const bool is_whole = (whole == 1 || whole == 2) && fabs(seen - whole) <= WALL_AREAS_WHOLE;
        const double per_met = mesh_area[m] / of->met * (is_whole ? whole / seen : 1);
        exposed[m] += of->front * per_met;
        exposed[back != NULL ? back[m] : m] += of->back * per_met;
    }
}

static double factor_of(const struct wall_area *area)
{
    if (!(area->exposed > 0) || !(area->staircase > 0))
        return 1;
    return fmin(fmax(area->exposed / area->staircase, 1 / WALL_SCALE_MAX), WALL_SCALE_MAX);
}

static double residual_of(double exposed, double area)
{
    return exposed > 0 ? (area - exposed) / exposed : 0;
}

/* True in the layer of an open scene, into which walls are extended; that area does not count. */
static bool is_in_layer(const struct block_grid *grid, block_id b, uint16_t slot)
{
    int64_t node[3];
    if (b >= block_list_first(grid))
        return false;
    block_node(&grid->block[b], slot & (BLOCK_NODES - 1), node);
    return block_in_layer(grid, node);
}

int wall_areas_measure(const struct block_grid *grid, size_t materials, const double *exposed,
                       struct wall_areas *out, struct failure *failure)
{
    const double cell = grid->lattice.spacing * grid->lattice.spacing;
    struct wall_area *material = calloc(materials + 1, sizeof *material);
    if (material == NULL)
        return failure_memory(failure, (materials + 1) * sizeof *material, "the areas of materials");
    const bool layer = block_has_layer(grid);
    for (block_id b = 1; b <= grid->blocks; b++)
        for (uint64_t w = grid->wall_first[b]; w < grid->wall_first[b + 1]; w++)
            if (grid->wall[w].material < materials && !(layer && is_in_layer(grid, b, grid->wall[w].slot)))
                material[grid->wall[w].material].staircase += (double)grid->wall[w].weight;
    for (size_t m = 0; m < materials; m++) {
        const double area = material[m].staircase * cell;
        material[m] = (struct wall_area){
            .exposed = exposed[m], .staircase = area, .factor = 1, .residual = residual_of(exposed[m], area)};
    }
    *out = (struct wall_areas){materials, material};
    return 0;
}

int wall_areas_rescale(struct block_grid *grid, size_t materials, const double *exposed,
                       struct wall_areas *out, struct failure *failure)
{
    const double cell = grid->lattice.spacing * grid->lattice.spacing;
    TRY(wall_areas_measure(grid, materials, exposed, out, failure));
    struct wall_area *material = out->material;
    for (size_t m = 0; m < materials; m++) {
        material[m].factor = factor_of(&material[m]);
        material[m].residual = 0; /* holds the area of the weights until all are added */
    }
    for (uint64_t w = 0; w < grid->walls; w++) {
        struct wall *wall = &grid->wall[w];
        if (wall->material >= materials)
            continue;
        wall->weight = (float)((double)wall->weight * material[wall->material].factor);
        material[wall->material].residual += cell * (double)wall->weight;
    }
    for (size_t m = 0; m < materials; m++)
        material[m].residual = residual_of(exposed[m], material[m].residual);
    return 0;
}
