#include "src/setup/room_sheets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "blocks/sheet_links.h"
#include "kernels/engine/engine_sheets.h"
#include "kernels/scheme/grid_wall.h"

struct sheet room_sheet(const struct room_model *model, size_t m)
{
    const struct material_sheet *const sheet = &model->surface[m].sheet;
    return (struct sheet){
        .flow_resistance = sheet->flow_resistance, .mass = sheet->mass, .series = sheet->series};
}

int room_sheets_tell(struct room_model *model, struct failure *failure)
{
    const size_t count = model->mesh.material_count;
    bool any = false;
    bool *sheet = calloc(count + 1, sizeof *sheet);
    if (sheet == NULL)
        return failure_memory(failure, count * sizeof *sheet, "the sheets of the model");
    int code = 0;
    for (size_t m = 0; m < count; m++) {
        sheet[m] = model->surface[m].is_sheet;
        any = any || sheet[m];
        const uint16_t back = model->back_material != NULL ? model->back_material[m] : (uint16_t)m;
        if (code == 0 && back != m && (sheet[m] || model->surface[back].is_sheet))
            code = failure_set(
                failure, FAILURE_INPUT,
                "\"%.100s\" is given the back \"%.100s\": a sheet that sound goes through has no back, "
                "so take it out of --two-sided",
                model->mesh.material[m], model->mesh.material[back]);
    }
    if (code == 0 && any)
        code = mesh_set_sheets(&model->mesh, sheet, failure);
    if (code == 0 && any && model->mesh.triangle_count == 0)
        code =
            failure_set(failure, FAILURE_INPUT,
                        "all surfaces of the model are sheets that sound goes through: a room needs walls");
    free(sheet);
    return code;
}

static struct sheet_place place_of(const struct room_setup *setup, const struct time_step *step)
{
    return (struct sheet_place){
        .step = *step, .impedance = air_impedance(&setup->model.air), .fmax = setup->grid.fmax};
}

/* Where share_of() looks. */
struct hung {
    const struct room_model *model;
    struct sheet_place place;
};

static double share_of(const void *of, uint16_t material, double layers)
{
    const struct hung *const hung = of;
    const struct sheet sheet = room_sheet(hung->model, material);
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
            const struct sheet sheet = room_sheet(&setup->model, m);
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
            const double area = 2 * face * sheet_links_area(packed, (uint16_t)m);
            areas->material[m] = (struct wall_area){.exposed = area, .staircase = area, .factor = 1};
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
        const struct sheet sheet = room_sheet(&setup->model, m);
        const struct sheet_fit fit = sheet_fit(&sheet, &place);
        char made[80];
        if (isfinite(sheet.mass))
            (void)snprintf(made, sizeof made, "%.4g Pa s/m, %.3g kg/m2 in %s", sheet.flow_resistance,
                           sheet.mass, sheet.series ? "series" : "parallel");
        else
            (void)snprintf(made, sizeof made, "%.4g Pa s/m, held still", sheet.flow_resistance);
        room_say(
            &setup->notices,
            "  %s: sound goes through its %.4g m2 (%.4g m2 in the grid; %s), what passes is right to %.2g on "
            "average up to %.5g Hz",
            setup->model.mesh.material[m], setup->model.area[m],
            setup->grid.areas.material != NULL ? setup->grid.areas.material[m].exposed / 2 : 0, made, fit.rms,
            GRID_WALL_EDGE * setup->grid.fmax);
    }
}
