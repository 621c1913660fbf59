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

/** h^2 sum(weight) of every material, in the order of the entries. */
static void sum_areas(const struct block_grid *grid, const struct wall_areas *areas, double *area)
{
    const double cell = grid->lattice.spacing * grid->lattice.spacing;
    for (size_t m = 0; m < areas->materials; m++)
        area[m] = 0;
    for (uint64_t w = 0; w < grid->walls; w++) {
        const struct wall *wall = &grid->wall[w];
        if (wall->material < areas->materials)
            area[wall->material] += (double)wall->weight;
    }
    for (size_t m = 0; m < areas->materials; m++)
        area[m] *= cell;
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

int wall_areas_measure(const struct block_grid *grid, size_t materials, const double *exposed,
                       struct wall_areas *out, struct failure *failure)
{
    struct wall_areas areas = {.materials = materials};
    const size_t bytes = (materials + 1) * (sizeof *areas.material + sizeof(double));
    double *area = malloc((materials + 1) * sizeof *area);
    areas.material = calloc(materials + 1, sizeof *areas.material);
    if (area == NULL || areas.material == NULL) {
        free(area);
        wall_areas_free(&areas);
        return failure_memory(failure, bytes, "the areas of materials");
    }
    sum_areas(grid, &areas, area);
    for (size_t m = 0; m < materials; m++)
        areas.material[m] = (struct wall_area){.exposed = exposed[m],
                                               .staircase = area[m],
                                               .factor = 1,
                                               .residual = residual_of(exposed[m], area[m])};
    free(area);
    *out = areas;
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
        material[m].residual = 0; /* the area that the weights make, until all are in */
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
