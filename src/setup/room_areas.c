#include "src/setup/room_areas.h"
#include "src/base/words/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "blocks/sheets/sheet_links.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/scheme/grid_wall.h"
#include "rooms/text/table_text.h"

/* From here on an area is reported as wrong, or as partly hidden. */
#define RESIDUAL_WARNED 0.03
#define HIDDEN_PRINTED  0.02
#define HIDDEN_WARNED   0.10

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
                  "no air is in front of \"%.100s\", so only its back, \"%.100s\", has an effect: flip its "
                  "faces, or swap the two materials",
                  name, setup->model.mesh.material[setup->model.back_material[m]]);
    else if (area > 0 && exposed >= (2 - HIDDEN_PRINTED) * area)
        room_say(&setup->notices, "  %s: both sides of its %.4g m2 face the air", name, area);
    else if (area > 0 && fabs(exposed - area) > HIDDEN_PRINTED * area)
        room_say(&setup->notices, "  %s: of its %.4g m2, %.4g m2 face the air%s", name, area, exposed,
                 exposed <= area            ? ""
                 : setup->request.grid.open ? ", both sides, and up to a cell beyond open faces, counted"
                                            : ", both sides counted");
}

/* The material that covers most of a material, or NULL. */
static const char *cover_of(const struct mesh *mesh, size_t m, double *area)
{
    const struct face_overlap *most = NULL;
    *area = 0;
    for (size_t i = 0; mesh->overlaps != NULL && i < mesh->overlaps->count; i++) {
        const struct face_overlap *overlap = &mesh->overlaps->overlap[i];
        if (overlap->under != m)
            continue;
        most = most == NULL ? overlap : most; /* they come by falling area */
        *area += overlap->area;
    }
    return most != NULL ? mesh->material[most->over] : NULL;
}

/* Warn of materials with a part that has no effect. */
static void warn_of_hidden(struct room_setup *setup)
{
    enum { LISTED = 6 };
    const struct room_model *model = &setup->model;
    char text[1000] = "";
    size_t hidden = 0;
    for (size_t m = 0; m < setup->grid.areas.materials; m++) {
        const double exposed = setup->grid.areas.material[m].exposed, area = model->area[m];
        const bool has_back = model->back_material != NULL && model->back_material[m] != m;
        double covered;
        if (model->surface[m].is_sheet || has_back || !(exposed < (1 - HIDDEN_WARNED) * area) ||
            ++hidden > LISTED)
            continue;
        const char *cover = cover_of(&model->mesh, m, &covered);
        text_append(text, sizeof text, "%s \"%.100s\" %.4g of %.4g m2", hidden > 1 ? "," : "",
                    model->mesh.material[m], exposed, area);
        if (cover != NULL)
            text_append(text, sizeof text, " (%.4g m2 under \"%.100s\"%s)", covered, cover,
                        covered > 0 && exposed + covered < (1 - HIDDEN_PRINTED) * area
                            ? SAID(" and what else hides it")
                            : "");
    }
    if (hidden > LISTED)
        text_append(text, sizeof text, " and %zu more", hidden - LISTED);
    if (hidden > 0)
        room_warn(&setup->notices,
                  "less than nine tenths of these surfaces is in effect; the rest is under other faces or "
                  "has no air in front:%s",
                  text);
}

/* Print the changes of the grid by conformal walls. */
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
            "small cells at the walls needed additional volume, %.2g %% of the room's, which lowers its "
            "modes by about half of that; a time step below %.4g %% of the longest needs less",
            added, share);
}

void room_print_areas(struct room_setup *setup)
{
    char text[600];
    print_masses(setup);
    for (size_t m = 0; m < setup->grid.areas.materials; m++)
        print_exposed(setup, m);
    warn_of_hidden(setup);
    if (list_wrong(setup, text, sizeof text) == 0)
        return;
    if (setup->request.engine.walls == WALLS_FIRST_ORDER)
        room_warn(&setup->notices, "first-order walls have the uncorrected areas of the grid: %s", text);
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

/* ---- sheets ---- */

/* The sheet of a material; model->surface[m].is_sheet is true. */
static struct sheet sheet_of(const struct room_model *model, size_t m)
{
    const struct material_sheet *const sheet = &model->surface[m].sheet;
    return (struct sheet){
        .flow_resistance = sheet->flow_resistance, .mass = sheet->mass, .series = sheet->series};
}

static struct sheet_place place_of(const struct room_setup *setup, const struct time_step *step)
{
    return (struct sheet_place){
        .step = *step, .impedance = air_impedance(&setup->model.air), .fmax = setup->grid.fmax};
}

/* Context of share_of(). */
struct hung {
    const struct room_model *model;
    struct sheet_place place;
};

static double share_of(const void *of, uint16_t material, double layers)
{
    const struct hung *const hung = of;
    const struct sheet sheet = sheet_of(hung->model, material);
    return sheet_fit_share(&sheet, &hung->place, layers);
}

int room_sheets_hang(const struct room_setup *setup, const struct lattice *lattice, struct block_grid *packed,
                     struct failure *failure)
{
    struct sheet_cuts cuts = {0};
    TRY(sheet_cuts_find(&setup->model.mesh, lattice, &cuts, failure));
    const struct time_step step = {.scheme = setup->request.grid.scheme,
                                   .spacing = lattice->spacing,
                                   .sound_speed = setup->model.sound_speed};
    const struct hung hung = {&setup->model, place_of(setup, &step)};
    const int code = block_grid_hang(packed, &cuts, share_of, &hung, failure);
    sheet_cuts_free(&cuts);
    return code;
}

int room_sheets_give(const struct room_setup *setup, const struct time_step *step, struct block_grid *packed,
                     struct failure *failure)
{
    const size_t count = setup->model.mesh.material_count;
    const struct sheet_place place = place_of(setup, step);
    if (setup->model.mesh.sheet_count == 0)
        return 0;
    struct sheet_law *law = calloc(count + 1, sizeof *law);
    if (law == NULL)
        return failure_memory(failure, count * sizeof *law, "the laws of sheets");
    for (size_t m = 0; m < count; m++)
        if (setup->model.surface[m].is_sheet) {
            const struct sheet sheet = sheet_of(&setup->model, m);
            law[m] = sheet_fit(&sheet, &place).law;
        }
    const int code = block_grid_give_laws(packed, law, (uint32_t)count, failure);
    free(law);
    return code;
}

void room_sheets_measure(const struct room_setup *setup, const struct block_grid *packed,
                         struct wall_areas *areas)
{
    const double face = packed->lattice.spacing * packed->lattice.spacing;
    for (size_t m = 0; m < areas->materials; m++)
        if (setup->model.surface[m].is_sheet) {
            areas->material[m] =
                (struct wall_area){.exposed = face * sheet_links_faced(packed, (uint16_t)m),
                                   .staircase = 2 * face * sheet_links_area(packed, (uint16_t)m),
                                   .factor = 1};
        }
}

/* Per area of a sheet its links are sum |n_d|, 1 to sqrt(3), 3/2 in the mean. */
double room_sheet_links(const struct room_model *model, double spacing)
{
    double area = 0;
    for (size_t m = 0; model->mesh.sheet_count > 0 && m < model->mesh.material_count; m++)
        area += model->surface[m].is_sheet ? model->area[m] : 0;
    return 1.5 * area / (spacing * spacing);
}

double room_sheet_bytes(const struct room_setup *setup, double links)
{
    const unsigned real =
        setup->request.engine.precision == PRECISION_SINGLE ? sizeof(float) : sizeof(double);
    return links * (double)(sizeof(struct sheet_link) + engine_sheet_bytes_of(1, real));
}

void room_sheets_print(struct room_setup *setup)
{
    const struct sheet_place place = place_of(setup, &setup->grid.step);
    for (size_t m = 0; m < setup->model.mesh.material_count; m++) {
        if (!setup->model.surface[m].is_sheet)
            continue;
        const struct sheet sheet = sheet_of(&setup->model, m);
        const struct sheet_fit fit = sheet_fit(&sheet, &place);
        const double hung =
            setup->grid.areas.material != NULL ? setup->grid.areas.material[m].staircase / 2 : 0;
        char made[80];
        if (isfinite(sheet.mass))
            (void)snprintf(made, sizeof made, "%.4g Pa s/m, %.3g kg/m2 in %s", sheet.flow_resistance,
                           sheet.mass, sheet.series ? "series" : "parallel");
        else
            (void)snprintf(made, sizeof made, "%.4g Pa s/m, held still", sheet.flow_resistance);
        room_say(&setup->notices,
                 "  %s: a sheet of %.4g m2 (%.4g m2 in the grid; %s); its transmission is right to %.2g on "
                 "average up to %.5g Hz",
                 setup->model.mesh.material[m], setup->model.area[m], hung, made, fit.rms,
                 GRID_WALL_EDGE * setup->grid.fmax);
        if (hung < ROOM_SHEET_HUNG * setup->model.area[m])
            room_warn_advise(&setup->notices, ADVICE_FINER_GRID, 0, ROOM_SHEET_LOST,
                             setup->model.mesh.material[m], hung, setup->model.area[m],
                             setup->grid.step.spacing);
    }
}
