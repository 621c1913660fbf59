#include "src/setup/room_areas.h"

#include <math.h>
#include <stdlib.h>

#include "rooms/text/table_text.h"

/* From here on an area is reported as wrong, or as partly hidden. */
#define RESIDUAL_WARNED 0.03
#define HIDDEN_PRINTED  0.02

/* "A (2.5 m2 of wall, 2 m2 in the grid), B (..) and 3 more" of materials whose area is not right. */
static size_t list_wrong(const struct room_setup *setup, char *text, size_t size)
{
    enum { LISTED = 3 };
    size_t wrong = 0;
    text[0] = '\0';
    for (size_t m = 0; m < setup->grid.areas.materials; m++) {
        const struct wall_area *area = &setup->grid.areas.material[m];
        if (fabs(area->residual) > RESIDUAL_WARNED && ++wrong <= LISTED)
            text_append(text, size, "%s%.100s (%.3g m2 face the air, %.3g m2 in the grid)",
                        wrong > 1 ? ", " : "", setup->model.mesh.material[m], area->exposed,
                        area->exposed * (1 + area->residual));
    }
    if (wrong > LISTED)
        text_append(text, size, " and %zu more", wrong - LISTED);
    return wrong;
}

/* How much of one surface faces air, where that is not one side of it. */
static void print_exposed(struct room_setup *setup, size_t m)
{
    const double exposed = setup->grid.areas.material[m].exposed, area = setup->model.area[m];
    const char *name = setup->model.mesh.material[m];
    const bool has_back = setup->model.back_material != NULL && setup->model.back_material[m] != m;
    if (setup->model.surface[m].is_sheet)
        return; /* room_sheets_print() */
    if (has_back && exposed < HIDDEN_PRINTED * area)
        room_warn(&setup->notices,
                  "no air is in front of \"%.100s\", so all of it that sound reaches is its back, "
                  "\"%.100s\": turn its faces round, or name the materials the other way",
                  name, setup->model.mesh.material[setup->model.back_material[m]]);
    else if (area > 0 && exposed >= (2 - HIDDEN_PRINTED) * area)
        room_say(&setup->notices, "  %s: both sides of its %.4g m2 face the air", name, area);
    else if (area > 0 && fabs(exposed - area) > HIDDEN_PRINTED * area)
        room_say(&setup->notices, "  %s: of its %.4g m2, %.4g m2 face the air%s", name, area, exposed,
                 exposed > area ? ", both sides counted" : "");
}

/* What conformal walls made of the grid. */
static void print_masses(struct room_setup *setup)
{
    const struct room_grid *grid = &setup->grid;
    if (!room_has_masses(&setup->request))
        return;
    const double share = 100 * grid->step.courant / time_step_limit(grid->step.scheme),
                 added = 100 * grid->masses.added / grid->masses.volume;
    room_say(&setup->notices,
             "%s walls: they cut %llu cells, or take volume from them; time step %.4g %% of the longest",
             setup->request.engine.walls == WALLS_CONFORMAL ? "conformal" : "staircase",
             (unsigned long long)grid->packed.cuts, share);
    if (grid->masses.added > CUT_MASSES_ADDED_MOST * grid->masses.volume)
        room_warn_advise(
            &setup->notices, ADVICE_FINER_GRID, 0,
            "small cells at the walls had to be given %.2g %% of the room's volume, which lowers its "
            "modes by about half of that; a shorter time step than %.4g %% of the longest "
            "needs less",
            added, share);
}

void room_print_areas(struct room_setup *setup)
{
    char text[600];
    print_masses(setup);
    for (size_t m = 0; m < setup->grid.areas.materials; m++)
        print_exposed(setup, m);
    if (list_wrong(setup, text, sizeof text) == 0)
        return;
    if (setup->request.engine.walls == WALLS_FIRST_ORDER)
        room_warn(&setup->notices, "first-order walls leave areas as the staircase of the grid has them: %s",
                  text);
    else
        room_warn_advise(&setup->notices, ADVICE_FINER_GRID, 0,
                         "surfaces too small for a grid of %.3g m absorb too much or too little: %s",
                         setup->grid.step.spacing, text);
}

/* Cells have their areas from the triangles themselves. */
static int measure_cells(const struct block_grid *packed, size_t materials, double *exposed,
                         struct wall_areas *out, struct failure *failure)
{
    TRY(wall_areas_measure(packed, materials, exposed, out, failure));
    for (size_t m = 0; m < materials; m++) {
        out->material[m].exposed = out->material[m].staircase;
        out->material[m].residual = 0;
    }
    return 0;
}

int room_rescale_areas(const struct room_setup *setup, struct block_grid *packed,
                       const struct voxel_findings *findings, struct wall_areas *out, struct failure *failure)
{
    const size_t materials = setup->model.mesh.material_count;
    const enum option_walls walls = setup->request.engine.walls;
    double *mesh_area = malloc((materials + 1) * sizeof *mesh_area);
    double *exposed = malloc((materials + 1) * sizeof *exposed);
    int code = 0;
    if (mesh_area == NULL || exposed == NULL) {
        code = failure_memory(failure, 2 * materials * sizeof *exposed, "the areas of materials");
    } else {
        mesh_material_areas(&setup->model.mesh, mesh_area);
        wall_areas_exposed(materials, mesh_area, findings->exposure, setup->model.back_material, exposed);
        /* First-order walls are those of published schemes, to compare with: their staircase stays. */
        code = walls == WALLS_CONFORMAL     ? measure_cells(packed, materials, exposed, out, failure)
               : walls == WALLS_FIRST_ORDER ? wall_areas_measure(packed, materials, exposed, out, failure)
                                            : wall_areas_rescale(packed, materials, exposed, out, failure);
    }
    free(mesh_area);
    free(exposed);
    return code;
}
