/** Checks which openings and surfaces the air of a run reaches, and whether a finer grid would leak. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/block_grid.h"
#include "blocks/sheets/sheet_links.h"
#include "geometry/base/vector.h"
#include "geometry/leak/narrow.h"
#include "geometry/room/reached.h"
#include "rooms/materials/material_words.h"
#include "src/check/check_model.h"
#include "src/check/room_check.h"
#include "src/setup/room_areas.h"

/* ---- openings ---- */

/* The lowest round frequency whose grid has NARROW_WIDTH nodes and a half over `width`: the width was
 * measured on a grid, to about half of one of its cells. */
static double resolving_fmax(const struct room_setup *setup, double width)
{
    const double points = room_points_per_wavelength(&setup->request.grid);
    const double exact = setup->model.sound_speed * (NARROW_WIDTH + 0.5) / (points * width);
    const double unit = pow(10, floor(log10(exact)) - 1);
    return ceil(exact / unit) * unit;
}

static void report_narrow(struct room_check *check)
{
    const struct voxel_findings *found = &check->setup.grid.findings;
    const size_t count = found->narrow_count;
    char spacing[CHECK_LENGTH_MAX];
    struct voxel_place narrow[NARROW_LISTED_MAX]; /* narrowest first */
    if (count == 0 || check->report.spacing > check->report.spacing_asked)
        return;
    for (size_t n = 0, at; n < count; n++) {
        for (at = n; at > 0 && narrow[at - 1].width > found->narrow[n].width; at--)
            narrow[at] = narrow[at - 1];
        narrow[at] = found->narrow[n];
    }
    struct check_finding *finding =
        check_report_add(&check->report, CHECK_DOUBTFUL, CHECK_NARROW,
                         "%zu%s opening%s less than three grid points of %s wide, so the level behind them "
                         "is up to 1.6 dB off, or they "
                         "are closed",
                         count, count == NARROW_LISTED_MAX ? " or more" : "", count == 1 ? " is" : "s are",
                         check_length(check->report.spacing, spacing));
    for (size_t n = 0; n < count; n++)
        check_finding_list(finding, ": about", narrow[n].position, narrow[n].width, "");
    if (count > CHECK_PLACES_SAID)
        check_finding_say(finding, "; and others");
    finding->value = narrow[0].width;
    const double fmax_wanted = resolving_fmax(&check->setup, finding->value);
    if (fmax_wanted <= 20000) {
        failure_fix(0, &finding->what, "widen them in the model, or close them if they are not needed");
        failure_advise(0, &finding->what, ADVICE_RESOLVE_AT_FMAX, fmax_wanted);
    } else {
        failure_fix(0, &finding->what, "no grid resolves the narrowest: widen it in the model");
        failure_advise(0, &finding->what, ADVICE_CLOSE_OR_SEAL, 0);
    }
}

static void report_sealed(struct room_check *check)
{
    const struct voxel_findings *found = &check->setup.grid.findings;
    char width[CHECK_LENGTH_MAX];
    if (check->setup.request.grid.seal > 0) {
        check_length(check->setup.request.grid.seal, width);
        struct check_finding *finding =
            found->sealed_count == 0
                ? check_report_add(&check->report, CHECK_HARMLESS, CHECK_SEALED,
                                   "no crack up to %s wide had to be closed on this grid", width)
                : check_report_add(&check->report, CHECK_HARMLESS, CHECK_SEALED,
                                   "%zu crack%s up to %s wide %s closed", found->sealed_count,
                                   found->sealed_count == 1 ? "" : "s", width,
                                   found->sealed_count == 1 ? "was" : "were");
        finding->value = (double)found->sealed_count;
        for (size_t i = 0; i < found->sealed_count; i++)
            check_finding_list(finding, ":", found->sealed[i].position, found->sealed[i].width, " wide");
    }
    if (check->setup.request.grid.open)
        check_report_add(
            &check->report, CHECK_HARMLESS, CHECK_OPEN_SCENE,
            "open scene: sound that reaches the box around the model leaves it, over %llu links of the grid",
            (unsigned long long)found->open_face_links)
            ->value = (double)found->open_face_links;
}

/* The volume and areas of the cells that conformal walls cut are exact, as are the areas in
 * check_reached(). */
static void report_cells(struct room_check *check)
{
    const struct voxels *voxels = &check->voxels;
    struct check_report *report = &check->report;
    const double h = check->report.spacing;
    double volume = (double)(voxels->air_nodes - voxels->cell_count);
    for (size_t c = 0; c < voxels->cell_count; c++)
        volume += (double)voxels->cell[c].volume;
    for (size_t p = 0; p < voxels->piece_count; p++)
        volume += (double)voxels->piece[p].cell.volume;
    report->cells_volume = volume * h * h * h;
    report->cut_cells = voxels->cell_count;
    report->cut_pieces = voxels->piece_count;
    struct check_finding *finding =
        check_report_add(report, CHECK_HARMLESS, CHECK_CUT_CELLS,
                         "the walls cut %zu of %llu cells, and leave %zu further piece%s of air in them; all "
                         "cells together have %.6g m3",
                         voxels->cell_count, (unsigned long long)voxels->air_nodes, voxels->piece_count,
                         voxels->piece_count == 1 ? "" : "s", report->cells_volume);
    finding->value = (double)voxels->cell_count;
}

static int report_sheets(struct room_check *check, struct failure *failure)
{
    const struct room_setup *setup = &check->setup;
    const double h = check->report.spacing;
    struct block_grid packed = {0};
    if (setup->model.mesh.sheet_count == 0)
        return 0;
    int code = block_grid_pack(&check->voxels, &packed, failure);
    if (code == 0)
        code = room_sheets_hang(setup, &setup->grid.lattice, &packed, failure);
    for (size_t m = 0; code == 0 && m < setup->model.mesh.material_count; m++) {
        const double area = setup->model.area[m], hung = h * h * sheet_links_area(&packed, (uint16_t)m);
        char name[CHECK_NAME_MAX];
        if (!setup->model.surface[m].is_sheet || hung >= ROOM_SHEET_HUNG * area)
            continue;
        struct check_finding *finding =
            check_report_add(&check->report, CHECK_DOUBTFUL, CHECK_SHEETS_LOST, ROOM_SHEET_LOST,
                             check_name(setup->model.mesh.material[m], name), hung, area, h);
        finding->value = area - hung;
        failure_advise(0, &finding->what, ADVICE_FINER_GRID, 0);
    }
    block_grid_free(&packed);
    return code;
}

/* The exposed area of every material, as the run reports it. */
static int find_exposed(struct room_check *check, struct failure *failure)
{
    const struct room_model *model = &check->setup.model;
    const size_t count = model->mesh.material_count;
    double *area = malloc(2 * (count + 1) * sizeof *area);
    if (area == NULL)
        return failure_memory(failure, 2 * count * sizeof *area, "the areas of materials");
    mesh_material_areas(&model->mesh, area);
    wall_areas_exposed(count, area, check->setup.grid.findings.exposure, model->back_material,
                       area + count + 1);
    for (size_t m = 0; m < count; m++)
        check->report.material[m].exposed = area[count + 1 + m];
    free(area);
    return 0;
}

int check_air(struct room_check *check, struct failure *failure)
{
    struct voxel_findings *found = &check->setup.grid.findings; /* the record needs it */
    struct voxelise_options options = check->voxelise;
    options.cells = check->setup.request.engine.walls == WALLS_CONFORMAL;
    const int code = voxelise(&check->setup.model.mesh, &check->setup.grid.lattice, check->seed,
                              check->seed_count, &options, &check->voxels, found, NULL, failure);
    /* Positions in walls are not among these seeds, so these are not the nodes of setup.points.point. */
    free(found->seed_node);
    found->seed_node = NULL;
    TRY(code);
    TRY(find_exposed(check, failure));
    check->report.air_nodes = check->voxels.air_nodes;
    check->report.cavity[check->home].volume = found->air_volume;
    check->report.cells_volume = (double)check->voxels.air_nodes * pow(check->report.spacing, 3);
    if (options.cells)
        report_cells(check);
    TRY(report_sheets(check, failure));
    report_sealed(check);
    report_narrow(check);
    return 0;
}

/* ---- surfaces ---- */

/* Less than this share of the model's area that no air reaches is not reported. */
#define UNREACHED_REPORTED 1e-3

/* Nor is an area hidden by a face drawn on the surface, below this share of the reached area: areas on the
 * grid are no more accurate. */
#define HIDDEN_TOLD 0.02

struct missed {
    double area; /* [m2] */
    size_t material;
};

static int largest_first(const void *a, const void *b)
{
    const struct missed *x = a, *y = b;
    if (x->area != y->area)
        return x->area > y->area ? -1 : 1;
    return x->material < y->material ? -1 : 1;
}

static int report_unreached(struct room_check *check, const struct reached *reached, struct failure *failure)
{
    enum { NAMED = 6 };
    const struct mesh *mesh = &check->setup.model.mesh;
    double whole = 0, all_missed = 0;
    size_t named = 0, t = 0;
    struct missed *missed = malloc((reached->material_count + 1) * sizeof *missed);
    if (missed == NULL)
        return failure_memory(failure, reached->material_count * sizeof *missed, "materials");
    for (size_t m = 0; m < reached->material_count; m++) {
        const struct reached_material *of = &reached->material[m];
        missed[m] = (struct missed){of->area - of->reached_area, m};
        whole += of->area;
        all_missed += missed[m].area;
    }
    qsort(missed, reached->material_count, sizeof *missed, largest_first);
    if (all_missed > UNREACHED_REPORTED * whole) {
        struct check_finding *finding = check_report_add(
            &check->report, CHECK_HARMLESS, CHECK_UNREACHED,
            "the room's air does not reach %.4g of %.4g m2 of surface, which have no effect:", all_missed,
            whole);
        finding->value = all_missed;
        for (; named < reached->material_count && named < NAMED &&
               missed[named].area > UNREACHED_REPORTED * all_missed;
             named++) {
            const size_t m = missed[named].material;
            char name[CHECK_NAME_MAX];
            check_finding_say(finding, "%s %.4g m2 of \"%s\"%s", named > 0 ? "," : "", missed[named].area,
                              check_name(mesh->material[m], name),
                              reached->material[m].reached_triangles == 0 ? " (all of it)" : "");
        }
        if (named == NAMED)
            check_finding_say(finding, " and others");
        while (t < reached->triangle_count && reached->triangle[t])
            t++;
        if (t < reached->triangle_count) {
            double middle[3];
            const uint32_t *corner = mesh->triangle[t];
            for (int axis = 0; axis < 3; axis++)
                middle[axis] = (mesh->vertex[corner[0]][axis] + mesh->vertex[corner[1]][axis] +
                                mesh->vertex[corner[2]][axis]) /
                               3;
            check_finding_place(finding, middle, NAN);
        }
        failure_fix(0, &finding->what,
                    "nothing, if they are outer faces, terrain or the inside of bodies; else look for a "
                    "second surface in front of them");
    }
    free(missed);
    return 0;
}

/* A curtain with air on both sides of most of it. */
static void report_curtains(struct room_check *check)
{
    const struct room_model *const model = &check->setup.model;
    for (size_t m = 0; m < model->mesh.material_count; m++) {
        const struct material *const guess = material_guess(&model->library, model->mesh.material[m]);
        char name[CHECK_NAME_MAX];
        if (model->surface[m].is_sheet || guess == NULL || !material_is_curtain(guess) ||
            !(check->report.material[m].touched > 1.5 * model->area[m]))
            continue;
        struct check_finding *finding =
            check_report_add(&check->report, CHECK_HARMLESS, CHECK_CURTAIN,
                             "\"%s\", %.4g m2, has air on both sides but is a wall: it absorbs on both sides "
                             "and transmits nothing",
                             check_name(model->mesh.material[m], name), model->area[m]);
        finding->value = model->area[m];
        failure_fix(0, &finding->what,
                    "nothing, if it is dense; else make it a sheet, by flow_resistance and mass, or by a "
                    "name of the library such as \"sheet of glass cloth light\"");
    }
}

int check_reached(struct room_check *check, struct failure *failure)
{
    struct reached reached = {0};
    /* The other sources have the same air. */
    TRY(reached_find(&check->setup.model.mesh, &check->setup.grid.lattice, &check->voxelise,
                     (const double(*)[3])check->seed[0].position, 1, &reached, failure));
    for (size_t m = 0; m < reached.material_count; m++) {
        /* A back has no triangles: it is reached where the surface in front of it is. If it has two sides,
         * each is reached only where air touches it. */
        const uint16_t *back = check->setup.model.back_material;
        const bool sides = back != NULL && back[m] != m;
        if (!sides || reached.material[m].touched_area > 0)
            check->report.material[m].reached += reached.material[m].reached_area;
        if (sides && reached.material[back[m]].touched_area > 0)
            check->report.material[back[m]].reached += reached.material[m].reached_area;
        check->report.material[m].touched =
            check->voxels.cells ? 0 : reached.material[m].touched_area; /* of cells it is exact */
    }
    for (size_t m = 0; m < reached.material_count; m++)
        if (check->setup.model.surface[m].is_sheet) { /* not a wall: it has air on both sides */
            check->report.material[m].reached = check->setup.model.area[m];
            check->report.material[m].touched = 2 * check->setup.model.area[m];
        }
    const double h = check->report.spacing;
    for (size_t a = 0; a < check->voxels.area_count; a++) {
        const struct voxel_area *area = &check->voxels.area[a];
        if (area->material < reached.material_count)
            check->report.material[area->material].touched += h * h * (double)area->area;
    }
    for (size_t m = 0; m < reached.material_count; m++)
        if (check->report.material[m].exposed < (1 - HIDDEN_TOLD) * check->report.material[m].reached)
            check->report.material[m].reached = check->report.material[m].exposed;
    check->report.reached_known = true;
    int code = check_coplanar(&check->setup, &reached, &check->report, failure);
    report_curtains(check);
    if (code == 0)
        code = report_unreached(check, &reached, failure);
    reached_free(&reached);
    return code;
}
