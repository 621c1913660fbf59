#include "src/run/setup_record.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rooms/materials/absorption_bands.h"
#include "src/response/acoustics/octave_edges.h"
#include "src/base/json_memory.h"
#include "src/setup/project/project.h"
#include "src/setup/project/project_input.h"
#include "src/run_folder/figure_record.h"
#include "src/response/signal/air_filter.h"

static bool set_hash(char **to, uint64_t hash)
{
    char text[40];
    snprintf(text, sizeof text, "fnv1a64:%016" PRIx64, hash);
    return json_text_set(to, text);
}

/* ---- the model of the room ---- */

/* The project, its variant, and of a built-in room its measures. */
static bool fill_project(struct record_room *room, const struct project *project)
{
    struct record_project *record = room->project = json_make(&record_project_table);
    if (record == NULL || !json_text_set(&record->file, project->file) ||
        !json_text_set(&record->text, project_input_text()) || !set_hash(&record->hash, project->hash) ||
        !json_text_set(&record->variant, project->name[0] != '\0' ? project->name : NULL))
        return false;
    if (project->shape == NULL)
        return true;
    const size_t measures = project->shape->parameter_count;
    record->measure = json_memory_take((measures + 1) * sizeof *record->measure);
    if (record->measure == NULL || !json_text_set(&record->shape, project->shape->name))
        return false;
    for (size_t p = 0; p < measures; p++) {
        const struct room_parameter *parameter = &project->shape->parameter[p];
        struct record_measure *measure = &record->measure[record->measure_count++];
        measure->number = project->measure[p];
        if (!json_text_set(&measure->name, parameter->name) ||
            !json_text_set(&measure->word,
                           parameter->words != NULL ? parameter->words[(int)measure->number] : NULL))
            return false;
    }
    return true;
}

static bool fill_mesh(struct record_room *room, const struct room_setup *setup)
{
    const struct mesh_import_facts *facts = &setup->model.facts;
    struct record_mesh *mesh = room->mesh = json_make(&record_mesh_table);
    if (mesh == NULL)
        return false;
    mesh->metres_per_unit = facts->metres_per_unit;
    memcpy(mesh->low, setup->model.low, sizeof mesh->low);
    memcpy(mesh->high, setup->model.high, sizeof mesh->high);
    mesh->triangles = (double)(setup->model.mesh.triangle_count + setup->model.mesh.sheet_count);
    mesh->degenerate_triangles = (double)facts->census.degenerate;
    mesh->duplicate_triangles = (double)facts->census.duplicate;
    mesh->open_edges = (double)facts->census.open_edges;
    return json_text_set(&mesh->file, setup->request.model.file) &&
           set_hash(&mesh->hash, setup->model.file_hash) &&
           set_hash(&mesh->mesh_hash, setup->model.mesh_hash) &&
           json_text_set(&mesh->format, facts->format) &&
           json_text_set(&mesh->up, facts->up == UP_Y ? "y" : "z");
}

/* The area of a surface that faces air, and the correction of its area on the grid. */
static bool fill_areas(struct record_material *material, const struct room_setup *setup, size_t m)
{
    const bool staircase = setup->request.engine.walls != WALLS_CONFORMAL;
    if (m < setup->grid.areas.materials)
        material->area_exposed = setup->grid.areas.material[m].exposed;
    if (m < setup->grid.areas.materials && staircase) {
        const struct wall_area *area = &setup->grid.areas.material[m];
        material->area_staircase = area->staircase;
        material->area_factor = area->factor;
        material->area_residual = 100 * area->residual;
    }
    return setup->model.back_material == NULL || setup->model.back_material[m] == m ||
           json_text_set(&material->back, setup->model.mesh.material[setup->model.back_material[m]]);
}

/* `absorption` and `absorption_used` are those at 500 Hz: one number to look at. */
/* The document of a material's absorption, and its row there. */
static bool fill_document(struct record_material *material, const struct material *of)
{
    char text[600];
    if (of == NULL || of->source == NULL)
        return true;
    (void)snprintf(text, sizeof text, "%s%s%s", of->source->title, of->row != NULL ? "; " : "",
                   of->row != NULL ? of->row : "");
    return json_text_set(&material->document, text);
}

static bool fill_surface(struct record_material *material, const struct surface *surface)
{
    enum { HZ_500 = 3 };
    material->guessed = surface->guessed;
    material->audience = surface->audience;
    material->absorption = surface->octave[HZ_500];
    material->absorption_used = surface->used[HZ_500];
    if (!JSON_LIST_MAKE(&record_branch_table, &material->branches, surface->branches))
        return false;
    for (size_t b = 0; b < surface->branches; b++) {
        const struct wall_branch *branch = &surface->branch[b];
        material->branches.item[b] = (struct record_branch){branch->D, branch->E, branch->F};
    }
    material->flow_resistance = surface->is_sheet ? surface->sheet.flow_resistance : NAN;
    material->sheet_mass = surface->is_sheet && isfinite(surface->sheet.mass) ? surface->sheet.mass : NAN;
    if (surface->is_sheet &&
        !json_text_set(&material->combination, surface->sheet.series ? "series" : "parallel"))
        return false;
    return json_text_set(&material->origin, surface_origin_name(surface->origin)) &&
           json_text_set(&material->library_name,
                         surface->material != NULL ? surface->material->name : NULL) &&
           fill_document(material, surface->material) && json_text_set(&material->build, surface->build) &&
           json_numbers_set(&material->octaves_asked, surface->octave, MATERIAL_OCTAVES) &&
           json_numbers_set(&material->octaves_used, surface->used, MATERIAL_OCTAVES) &&
           json_numbers_set(&material->uncertainty, surface->uncertainty, MATERIAL_OCTAVES) &&
           json_text_set(&material->uncertainty_from, uncertainty_origin_name(surface->uncertain)) &&
           (!surface->in_thirds ||
            (json_numbers_set(&material->thirds_asked, surface->third, MATERIAL_THIRDS) &&
             json_numbers_set(&material->thirds_used, surface->used_third, MATERIAL_THIRDS))) &&
           (surface->scattering.given == 0 ||
            json_numbers_set(&material->scattering, surface->scattering.octave, SCATTERING_OCTAVES));
}

static bool fill_materials(struct record_room *room, const struct room_setup *setup)
{
    double octave[MATERIAL_OCTAVES], third[MATERIAL_THIRDS], of_scattering[SCATTERING_OCTAVES];
    bool scatters = false, in_thirds = false;
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        octave[o] = material_octave[o];
    for (size_t o = 0; o < SCATTERING_OCTAVES; o++)
        of_scattering[o] = scattering_octave[o];
    for (size_t t = 0; t < MATERIAL_THIRDS; t++)
        third[t] = absorption_band[t];
    for (size_t m = 0; m < setup->model.mesh.material_count; m++) {
        scatters = scatters || setup->model.surface[m].scattering.given != 0;
        in_thirds = in_thirds || setup->model.surface[m].in_thirds;
    }
    if (!json_numbers_set(&room->material_octaves, octave, MATERIAL_OCTAVES) ||
        (in_thirds && !json_numbers_set(&room->material_thirds, third, MATERIAL_THIRDS)) ||
        (scatters && !json_numbers_set(&room->scattering_octaves, of_scattering, SCATTERING_OCTAVES)) ||
        !json_text_set(&room->walls, project_option("walls")->words[setup->request.engine.walls]) ||
        !JSON_LIST_MAKE(&record_material_table, &room->materials, setup->model.mesh.material_count))
        return false;
    for (size_t m = 0; m < setup->model.mesh.material_count; m++) {
        struct record_material *material = &room->materials.item[m];
        material->area = setup->model.area[m];
        if (!json_text_set(&material->name, setup->model.mesh.material[m]) ||
            !fill_areas(material, setup, m) || !fill_surface(material, &setup->model.surface[m]))
            return false;
    }
    if (setup->request.surfaces.materials == NULL)
        return true;
    struct record_materials_file *file = room->materials_file = json_make(&record_materials_file_table);
    return file != NULL && json_text_set(&file->file, setup->request.surfaces.materials) &&
           set_hash(&file->hash, setup->model.materials_hash) &&
           json_text_set(&file->used, setup->model.table.source);
}

/* ---- how it is run ---- */

static bool set_version(char **to, int major, int minor)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d", major, minor);
    return json_text_set(to, text);
}

static bool fill_backend(struct record_backend *record, const struct backend_choice *choice)
{
    if (!json_text_set(&record->backend, backend_word(choice->backend)) ||
        !json_text_set(&record->asked, backend_asked_word(choice->asked)) ||
        !json_text_set(&record->because, choice->because))
        return false;
    if (!backend_is_device(choice->backend))
        return true;
    const struct device *device = &choice->device;
    const char *const toolkit = device_toolkit(backend_choice_devices(choice));
    struct record_device *entry = record->device = json_make(&record_device_table);
    if (entry == NULL)
        return false;
    entry->bytes = (double)device->bytes_total;
    entry->bytes_free = (double)device->bytes_free;
    entry->bytes_cache = (double)device->cache;
    entry->processors = device->processors;
    if (device->driver[0] != 0)
        return json_text_set(&entry->name, device->name) && json_text_set(&entry->opencl, device->driver);
    return json_text_set(&entry->name, device->name) &&
           set_version(&entry->compute_capability, device->compute_major, device->compute_minor) &&
           set_version(&entry->driver_cuda, device->driver_version / 1000,
                       device->driver_version % 1000 / 10) &&
           json_text_set(&entry->toolkit_cuda, toolkit != NULL ? toolkit : "no");
}

/* The voxeliser's findings about the room's air; absent if `check` found no air. A link at an open face has
 * the area of a square of the grid. */
static void fill_cuts(struct record_room *room, const struct room_setup *setup)
{
    const struct voxel_findings *findings = &setup->grid.findings;
    const double h = setup->grid.lattice.spacing, known = findings->exposure != NULL ? 1 : NAN;
    room->open = setup->request.grid.open;
    room->open_face_links = known * (double)findings->open_face_links;
    room->open_face_area = known * h * h * (double)findings->open_face_links;
    room->seal = setup->request.grid.seal;
    room->sealed_links = known * (double)findings->sealed_links;
    room->seconds_voxelise = setup->grid.fill_seconds > 0 ? setup->grid.fill_seconds : NAN;
}

static bool fill_larger(struct record_room *room, const struct larger_space *larger)
{
    if (larger->volume == 0)
        return true;
    struct record_larger_space *space = room->larger_space = json_make(&record_larger_space_table);
    if (space == NULL)
        return false;
    space->volume = larger->volume;
    memcpy(space->position, larger->position, sizeof space->position);
    space->open = larger->open;
    if (larger->open) {
        memcpy(space->gap_position, larger->gap, sizeof space->gap_position);
        space->gap = larger->gap_size;
    }
    return true;
}

static bool fill_room(struct record_room *room, const char *command, const struct room_setup *setup)
{
    const struct room_request *request = &setup->request;
    room->fmax = setup->grid.fmax;
    room->fmax_automatic = setup->grid.fmax_automatic;
    room->points_per_wavelength = setup->grid.points_per_wavelength;
    room->spacing = setup->grid.step.spacing;
    room->rate = setup->grid.step.rate;
    room->courant = setup->grid.step.courant;
    room->courant_share = setup->grid.step.courant / time_step_limit(setup->grid.step.scheme);
    room->lambda2 = setup->grid.step.lambda2;
    memcpy(room->grid_origin, setup->grid.lattice.origin, sizeof room->grid_origin);
    room->temperature = request->model.air.temperature;
    room->sound_speed = setup->model.sound_speed;
    fill_cuts(room, setup);
    return json_text_set(&room->program, "transept") && json_text_set(&room->version, TRANSEPT_VERSION) &&
           json_text_set(&room->command, command) &&
           json_texts_set(&room->arguments, (const char *const *)request->argument,
                          (size_t)request->argument_count) &&
           (request->model.project == NULL || fill_project(room, request->model.project)) &&
           fill_mesh(room, setup) && fill_materials(room, setup) &&
           json_text_set(&room->scheme, scheme_words[request->grid.scheme]) &&
           json_text_set(&room->quality,
                         request->grid.quality_given ? quality_words[request->grid.quality] : NULL) &&
           json_text_set(&room->layout, request->engine.layout == LAYOUT_BOX ? "box" : "blocks") &&
           json_text_set(&room->precision,
                         request->engine.precision == PRECISION_DOUBLE ? "double" : "single") &&
           fill_backend(&room->backend, &setup->backend) &&
           json_text_set(&room->interpolation,
                         stencil_interpolation(setup->grid.packed.isotropic &&
                                                       request->engine.interpolation == INTERPOLATION_CUBIC
                                                   ? INTERPOLATION_FITTED
                                                   : request->engine.interpolation)) &&
           fill_larger(room, &setup->grid.larger) &&
           json_texts_set(&room->warnings, (const char *const *)setup->notices.warning,
                          setup->notices.warning_count);
}

bool record_fill_page(struct record_page **out, const struct project *project)
{
    const struct project_page *page = project != NULL ? &project->page : NULL;
    if (page == NULL || (page->title == NULL && page->language == NULL && page->name == NULL &&
                         page->lines == 0 && page->logo == NULL))
        return true;
    struct record_page *record = *out = json_make(&record_page_table);
    return record != NULL && json_text_set(&record->title, page->title) &&
           json_text_set(&record->language, page->language) && json_text_set(&record->name, page->name) &&
           json_texts_set(&record->lines, page->line, page->lines) &&
           json_text_set(&record->logo, page->logo);
}

static bool fill_directivity(struct record_point *point, const struct room_setup *setup,
                             const struct source_direction *direction)
{
    double centre[OCTAVE_BANDS_MAX], index[OCTAVE_BANDS_MAX];
    const double highest = setup->grid.fmax;
    const size_t bands = octave_centres(highest, centre);
    struct record_directivity *record = point->directivity = json_make(&record_directivity_table);
    if (record == NULL)
        return false;
    for (size_t b = 0; b < bands; b++) {
        double complex harmonic[HARMONICS];
        pattern_at(&direction->pattern, highest, centre[b], harmonic);
        index[b] = pattern_index(harmonic);
    }
    if (direction->placed)
        memcpy(record->axis, direction->front, sizeof record->axis);
    if (isfinite(direction->pattern.carried))
        record->carried = direction->pattern.carried;
    if (source_channels(direction) > 4 && highest > 0) {
        record->fade_second = pattern_fade(highest, 2);
        record->fade_third = pattern_fade(highest, 3);
    }
    return json_text_set(&record->pattern, direction->what) &&
           (direction->hash == 0 || set_hash(&record->hash, direction->hash)) &&
           json_numbers_set(&record->octaves, centre, bands) &&
           json_numbers_set(&record->index, index, bands);
}

static bool fill_together(struct record_point *point, const struct room_setup *setup,
                          const struct source_direction *direction)
{
    if (!JSON_LIST_MAKE(&record_member_table, &point->together, direction->members))
        return false;
    for (size_t m = 0; m < direction->members; m++) {
        const struct source_member *member = &direction->member[m];
        struct record_member *record = &point->together.item[m];
        record->gain = 20.0 * log10(member->gain);
        record->delay = 1e3 * member->delay;
        if (!json_text_set(&record->source, setup->points.point[member->source].name))
            return false;
    }
    return true;
}

static bool fill_source(struct record_point *point, const struct room_setup *setup, size_t source)
{
    const struct source_direction *direction =
        source < setup->directions.count ? &setup->directions.of[source] : NULL;
    for (size_t s = 0; s < setup->directions.count; s++)
        for (size_t m = 0; m < setup->directions.of[s].members; m++)
            if (setup->directions.of[s].member[m].source == source &&
                !json_text_set(&point->sounds_in, setup->points.point[s].name))
                return false;
    if (direction != NULL && direction->members > 0)
        return fill_together(point, setup, direction);
    return direction == NULL || !source_has_direction(direction) || fill_directivity(point, setup, direction);
}

static bool fill_points(struct record_points *points, const struct room_setup *setup,
                        const struct stencil *tap)
{
    const size_t named = room_points_named(&setup->points);
    if (!JSON_LIST_MAKE(&record_point_table, &points->sources, named) ||
        !JSON_LIST_MAKE(&record_point_table, &points->receivers, setup->points.receivers))
        return false;
    for (size_t i = 0; i < setup->points.sources + setup->points.receivers; i++) {
        if (i >= named && i < setup->points.sources)
            continue;
        struct record_point *point = i < setup->points.sources
                                         ? &points->sources.item[i]
                                         : &points->receivers.item[i - setup->points.sources];
        memcpy(point->position, setup->points.point[i].position, sizeof point->position);
        if (!json_text_set(&point->name, setup->points.point[i].name) ||
            (i < setup->points.sources && !fill_source(point, setup, i)))
            return false;
        if (tap == NULL)
            continue;
        point->shift = tap[i].shift;
        if (!json_text_set(&point->interpolation, stencil_interpolation(tap[i].used)))
            return false;
    }
    return true;
}

static bool fill_heads(struct record_points *record, const struct room_setup *setup)
{
    const struct room_points *points = &setup->points;
    if (!JSON_LIST_MAKE(&record_dummy_head_table, &record->heads, points->heads))
        return false;
    for (size_t h = 0; h < points->heads; h++) {
        const struct dummy_head *head = &points->head[h];
        const struct room_point *left = &points->point[points->sources + room_points_left_ear(points, head)];
        struct record_dummy_head *own = &record->heads.item[h];
        memcpy(own->position, head->position, sizeof own->position);
        own->radius = head->radius;
        own->azimuth = head->azimuth;
        own->sphere_above = setup->request.plan.rays ? setup->grid.fmax : NAN;
        if (!json_text_set(&own->name, head->name) || !json_text_set(&own->left, left[0].name) ||
            !json_text_set(&own->right, left[1].name) || !json_text_set(&own->file, head->file) ||
            (head->file != NULL && !set_hash(&own->hash, head->hash)))
            return false;
    }
    return true;
}

bool record_fill_subject(struct run_model *run, const char *command, const struct room_setup *setup,
                         const struct stencil *tap)
{
    return fill_room(&run->room, command, setup) && fill_points(&run->points, setup, tap) &&
           fill_heads(&run->points, setup);
}

/* ---- its size, its air, its receiver grids ---- */

static bool fill_volume(struct record_size *size, const struct voxel_findings *findings, double cells)
{
    size->air_volume = findings->air_volume;
    size->cells_volume = cells;
    return json_text_set(&size->air_volume_from, findings->air_volume_is_cells ? "cells" : "walls");
}

static bool fill_cut_cells(struct record_size *size, const struct room_grid *grid)
{
    const struct cut_masses *masses = &grid->masses;
    const double h = grid->step.spacing, cell = h * h * h;
    if (masses->lambda2 == 0)
        return true;
    struct record_cut_cells *cells = size->cut_cells = json_make(&record_cut_cells_table);
    if (cells == NULL)
        return false;
    cells->nodes = (double)grid->packed.cuts;
    cells->pieces = (double)grid->packed.list_nodes;
    cells->merged = (double)grid->packed.merged;
    cells->extra_links = (double)grid->packed.extra_links / 2; /* kept at both ends */
    cells->volume = masses->volume * cell;
    cells->volume_lent = masses->lent * cell;
    cells->volume_added = masses->added * cell;
    cells->added_percent = 100 * masses->added / masses->volume;
    cells->borrowers = (double)masses->borrowers;
    cells->lenders = (double)masses->lenders;
    cells->largest = masses->largest;
    cells->lambda2_share = masses->lambda2 / pow(time_step_limit(grid->step.scheme), 2);
    return true;
}

/* The box around the cells of the air; those that conformal walls cut end at the model's own bounds. */
static double box_edge(const struct room_grid *grid, const struct room_setup *setup, int axis)
{
    const struct room_model *model = &setup->model;
    const struct block_grid *packed = &grid->packed;
    const double h = packed->lattice.spacing, origin = packed->lattice.origin[axis];
    if (setup->request.engine.walls != WALLS_CONFORMAL)
        return h * (double)(packed->air_high[axis] - packed->air_low[axis] + 1);
    return fmin(origin + h * ((double)packed->air_high[axis] + 0.5), model->high[axis]) -
           fmax(origin + h * ((double)packed->air_low[axis] - 0.5), model->low[axis]);
}

bool record_fill_size(struct record_size *size, const struct room_grid *grid, const struct room_setup *setup,
                      const struct room_needs *needs)
{
    const double h = grid->packed.lattice.spacing;
    for (int d = 0; d < 3; d++)
        size->box_size[d] = box_edge(grid, setup, d);
    size->box_nodes = needs->box_nodes;
    size->air_nodes = needs->air_nodes;
    size->stored_nodes = needs->stored_nodes;
    size->blocks = needs->blocks;
    size->occupancy = needs->stored_nodes / needs->box_nodes;
    size->wall_nodes = needs->wall_nodes;
    size->bytes_box = needs->bytes_box;
    size->bytes_blocks = needs->bytes_blocks;
    size->bytes_walls = needs->bytes_walls;
    size->bytes_ideal = needs->bytes_ideal;
    size->bytes_seed_blocks = needs->bytes_seed_blocks;
    size->bytes_peak = needs->bytes_peak;
    if (backend_is_device(setup->backend.backend))
        size->bytes_device = needs->bytes_device;
    if (needs->bytes_rank > 0) {
        size->bytes_first = needs->bytes_first;
        size->bytes_rank = needs->bytes_rank;
    }
    if (setup->request.plan.scaled_to > 0) /* it is another grid that was counted */
        return fill_volume(size, &grid->findings, room_cells(&grid->packed) * h * h * h);
    char hash[40];
    snprintf(hash, sizeof hash, "%016" PRIx64, room_grid_hash(grid));
    return json_text_set(&size->grid_hash, hash) && fill_cut_cells(size, grid) &&
           fill_volume(size, &grid->findings, room_cells(&grid->packed) * h * h * h);
}

bool record_fill_air(struct run_model *run, const struct room_setup *setup)
{
    static const char *const method[] = {[AIR_MODAL] = "modal", [AIR_FAST] = "fast", [AIR_OFF] = "off"};
    struct air_losses losses;
    double centre[OCTAVE_BANDS_MAX], loss[OCTAVE_BANDS_MAX];
    const size_t bands = octave_centres(setup->grid.fmax, centre);
    air_losses_make(&setup->model.air, &losses);
    for (size_t b = 0; b < bands; b++)
        loss[b] = setup->request.model.air_method == AIR_OFF ? 0.0 : air_losses_decibels(&losses, centre[b]);
    struct record_air *air = run->air = json_make(&record_air_table);
    if (air == NULL)
        return false;
    air->temperature = setup->model.air.temperature;
    air->humidity = setup->model.air.humidity;
    air->pressure = setup->model.air.pressure;
    return json_text_set(&air->method, method[setup->request.model.air_method]) &&
           json_numbers_set(&air->octaves, centre, bands) && json_numbers_set(&air->loss, loss, bands);
}

static bool fill_grid(struct record_grid *record, const struct receiver_grid *grid,
                      const struct option_grid *asked)
{
    struct record_left_out *left = record->left_out = json_make(&record_left_out_table);
    if (left == NULL)
        return false;
    left->covered = (double)grid->covered;
    left->no_air = (double)grid->solid;
    left->near_a_surface = (double)grid->confined;
    left->ledges = grid->audience ? (double)grid->ledges : NAN;
    record->spacing = grid->spacing;
    record->height = grid->height;
    record->points = (double)grid->count;
    return json_text_set(&record->name, grid->name) && json_text_set(&record->material, asked->material) &&
           (asked->corners == 0 ||
            json_points_set(&record->polygon, (const double(*)[3])asked->corner, asked->corners)) &&
           json_points_set(&record->positions, (const double(*)[3])grid->position, grid->count);
}

bool record_fill_grids(struct run_model *run, const struct room_setup *setup)
{
    if (!JSON_LIST_MAKE(&record_grid_table, &run->grids, setup->grid.receiver_grids))
        return false;
    for (size_t g = 0; g < setup->grid.receiver_grids; g++)
        if (!fill_grid(&run->grids.item[g], &setup->grid.receiver_grid[g],
                       &setup->request.points.receiver_grid.grid[g]))
            return false;
    return true;
}

/* ---- into objects of others ---- */

/* Unless memory ran out, as json_memory.h knows then. */
static void write_members(cJSON *object, const struct json_table *table, void *members, bool whole)
{
    if (whole)
        (void)json_write(table, members, object);
    json_free_members(table, members);
}

void record_subject(cJSON *object, const char *command, const struct room_setup *setup)
{
    struct run_model run;
    run_model_clear(&run);
    write_members(object, &record_subject_table, &run, record_fill_subject(&run, command, setup, NULL));
}

void record_setup(cJSON *object, const char *command, const struct room_setup *setup,
                  const struct stencil *tap, const struct room_needs *needs)
{
    struct run_model run;
    run_model_clear(&run);
    write_members(object, &record_setup_table, &run,
                  record_fill_subject(&run, command, setup, tap) &&
                      record_fill_size(&run.size, &setup->grid, setup, needs));
}

void record_plan(cJSON *object, const struct room_setup *setup, const struct room_estimate *estimate,
                 const struct room_needs *needs)
{
    struct run_model run;
    run_model_clear(&run);
    write_members(object, &record_plan_table, &run,
                  record_fill_subject(&run, "plan", setup, NULL) &&
                      record_fill_size(&run.size, &setup->grid, setup, needs) &&
                      record_fill_grids(&run, setup) && record_fill_air(&run, setup) &&
                      record_fill_expected(&run, needs->fmax, &estimate->reverberation));
}

void record_volume(cJSON *object, const struct voxel_findings *findings, double cells)
{
    struct record_size size;
    json_clear(&record_volume_table, &size);
    write_members(object, &record_volume_table, &size, fill_volume(&size, findings, cells));
}

void record_backend(cJSON *object, const struct backend_choice *choice)
{
    struct record_backend record;
    json_clear(&record_backend_table, &record);
    write_members(object, &record_backend_table, &record, fill_backend(&record, choice));
}
