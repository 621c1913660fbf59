#include "src/run/run_record.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "src/acoustics/octave_decay.h"
#include "src/base/json_memory.h"
#include "src/project/project.h"
#include "src/setup/material_fit.h"
#include "src/signal/air_filter.h"

static void add_hash(cJSON *object, const char *name, uint64_t hash)
{
    char text[40];
    snprintf(text, sizeof text, "fnv1a64:%016" PRIx64, hash);
    cJSON_AddStringToObject(object, name, text);
}

static void add_vector(cJSON *object, const char *name, const double vector[3])
{
    cJSON_AddItemToObject(object, name, cJSON_CreateDoubleArray(vector, 3));
}

/* The project, its variant, and of a built-in room its measures. */
static void record_project(cJSON *object, const struct project *project)
{
    cJSON *entry = cJSON_AddObjectToObject(object, "project");
    cJSON_AddStringToObject(entry, "file", project->file);
    add_hash(entry, "hash", project->hash);
    if (project->name[0] != '\0')
        cJSON_AddStringToObject(entry, "variant", project->name);
    else
        cJSON_AddNullToObject(entry, "variant");
    if (project->shape == NULL)
        return;
    cJSON_AddStringToObject(entry, "shape", project->shape->name);
    cJSON *measures = cJSON_AddObjectToObject(entry, "measures");
    for (size_t p = 0; p < project->shape->parameter_count; p++) {
        const struct room_parameter *parameter = &project->shape->parameter[p];
        if (parameter->words != NULL)
            cJSON_AddStringToObject(measures, parameter->name, parameter->words[(int)project->measure[p]]);
        else
            cJSON_AddNumberToObject(measures, parameter->name, project->measure[p]);
    }
}

static void record_model(cJSON *object, const struct room_setup *setup)
{
    const struct mesh_import_facts *facts = &setup->model.facts;
    cJSON *room = cJSON_AddObjectToObject(object, "room");
    cJSON_AddStringToObject(room, "file", setup->request.model.file);
    add_hash(room, "hash", setup->model.file_hash);
    add_hash(room, "mesh_hash", setup->model.mesh_hash);
    cJSON_AddStringToObject(room, "format", facts->format);
    cJSON_AddNumberToObject(room, "metres_per_unit", facts->metres_per_unit);
    cJSON_AddStringToObject(room, "up", facts->up == UP_Y ? "y" : "z");
    add_vector(room, "low_m", setup->model.low);
    add_vector(room, "high_m", setup->model.high);
    cJSON_AddNumberToObject(room, "triangles", (double)setup->model.mesh.triangle_count);
    cJSON_AddNumberToObject(room, "degenerate_triangles", (double)facts->census.degenerate);
    cJSON_AddNumberToObject(room, "duplicate_triangles", (double)facts->census.duplicate);
    cJSON_AddNumberToObject(room, "open_edges", (double)facts->census.open_edges);
}

/* What of a surface faces air, and how its area on the grid was brought to that. */
static void record_areas(cJSON *entry, const struct room_setup *setup, size_t m)
{
    if (setup->model.back_material != NULL && setup->model.back_material[m] != m)
        cJSON_AddStringToObject(entry, "back", setup->model.mesh.material[setup->model.back_material[m]]);
    if (m >= setup->grid.areas.materials)
        return;
    const struct wall_area *area = &setup->grid.areas.material[m];
    cJSON_AddNumberToObject(entry, "area_exposed_m2", area->exposed);
    cJSON_AddNumberToObject(entry, "area_staircase_m2", area->staircase);
    cJSON_AddNumberToObject(entry, "area_factor", area->factor);
    cJSON_AddNumberToObject(entry, "area_residual_percent", 100 * area->residual);
}

/* `absorption` and `absorption_used` are those at 500 Hz: one number to look at. */
static void record_surface(cJSON *entry, const struct surface *surface)
{
    enum { HZ_500 = 3 };
    cJSON_AddStringToObject(entry, "origin", surface_origin_name(surface->origin));
    if (surface->material != NULL)
        cJSON_AddStringToObject(entry, "library_name", surface->material->name);
    else
        cJSON_AddNullToObject(entry, "library_name");
    cJSON_AddBoolToObject(entry, "guessed", surface->guessed);
    cJSON_AddItemToObject(entry, "audience", cJSON_CreateNumber(surface->audience)); /* NaN is null */
    cJSON_AddNumberToObject(entry, "absorption", surface->octave[HZ_500]);
    cJSON_AddNumberToObject(entry, "absorption_used", surface->used[HZ_500]);
    cJSON_AddItemToObject(entry, "absorption_octaves",
                          cJSON_CreateDoubleArray(surface->octave, MATERIAL_OCTAVES));
    cJSON_AddItemToObject(entry, "absorption_used_octaves",
                          cJSON_CreateDoubleArray(surface->used, MATERIAL_OCTAVES));
    cJSON *branches = cJSON_AddArrayToObject(entry, "branches");
    for (size_t b = 0; b < surface->branches; b++)
        cJSON_AddItemToArray(branches, material_branch_json(&surface->branch[b]));
}

static void record_materials(cJSON *object, const struct room_setup *setup)
{
    if (setup->request.surfaces.materials != NULL) {
        cJSON *file = cJSON_AddObjectToObject(object, "materials_file");
        cJSON_AddStringToObject(file, "file", setup->request.surfaces.materials);
        add_hash(file, "hash", setup->model.materials_hash);
        cJSON_AddStringToObject(file, "used", setup->model.table.source);
    }
    cJSON_AddStringToObject(object, "walls",
                            setup->request.engine.walls == WALLS_FIRST_ORDER ? "first-order" : "inertance");
    cJSON *octaves = cJSON_AddArrayToObject(object, "material_octaves_hz");
    for (size_t o = 0; o < MATERIAL_OCTAVES; o++)
        cJSON_AddItemToArray(octaves, cJSON_CreateNumber(material_octave[o]));
    cJSON *materials = cJSON_AddArrayToObject(object, "materials");
    for (size_t m = 0; m < setup->model.mesh.material_count; m++) {
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "name", setup->model.mesh.material[m]);
        cJSON_AddNumberToObject(entry, "area_m2", setup->model.area[m]);
        record_areas(entry, setup, m);
        record_surface(entry, &setup->model.surface[m]);
        cJSON_AddItemToArray(materials, entry);
    }
}

static void add_version(cJSON *object, const char *name, int major, int minor)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d", major, minor);
    cJSON_AddStringToObject(object, name, text);
}

void record_backend(cJSON *object, const struct backend_choice *choice)
{
    cJSON_AddStringToObject(object, "backend", backend_word(choice->backend));
    cJSON_AddStringToObject(object, "backend_asked", backend_asked_word(choice->asked));
    cJSON_AddStringToObject(object, "backend_because", choice->because);
    if (choice->backend != BACKEND_CUDA)
        return;
    const struct device *device = &choice->device;
    cJSON *entry = cJSON_AddObjectToObject(object, "device");
    cJSON_AddStringToObject(entry, "name", device->name);
    add_version(entry, "compute_capability", device->compute_major, device->compute_minor);
    add_version(entry, "driver_cuda", device->driver_version / 1000, device->driver_version % 1000 / 10);
    cJSON_AddStringToObject(entry, "toolkit_cuda", device_toolkit() != NULL ? device_toolkit() : "no");
    cJSON_AddNumberToObject(entry, "bytes", (double)device->bytes_total);
    cJSON_AddNumberToObject(entry, "bytes_free", (double)device->bytes_free);
    cJSON_AddNumberToObject(entry, "bytes_cache", (double)device->cache);
    cJSON_AddNumberToObject(entry, "processors", device->processors);
}

/* What the voxeliser found of the room's air; NaN, which is null, where `check` had none to look at. A link
 * at an open face stands for a square of the grid. */
static void record_cuts(cJSON *object, const struct room_setup *setup)
{
    const struct voxel_findings *findings = &setup->grid.findings;
    const double h = setup->grid.lattice.spacing, known = findings->exposure != NULL ? 1 : NAN;
    cJSON_AddNumberToObject(object, "open_face_links", known * (double)findings->open_face_links);
    cJSON_AddNumberToObject(object, "open_face_area_m2", known * h * h * (double)findings->open_face_links);
    cJSON_AddNumberToObject(object, "seal_m", setup->request.grid.seal);
    cJSON_AddNumberToObject(object, "sealed_links", known * (double)findings->sealed_links);
    cJSON_AddNumberToObject(object, "seconds_voxelise",
                            setup->grid.fill_seconds > 0 ? setup->grid.fill_seconds : NAN);
}

static void record_larger(cJSON *object, const struct larger_space *larger)
{
    if (larger->volume == 0) {
        cJSON_AddNullToObject(object, "larger_space");
        return;
    }
    cJSON *entry = cJSON_AddObjectToObject(object, "larger_space");
    cJSON_AddNumberToObject(entry, "volume_m3", larger->volume);
    add_vector(entry, "position_m", larger->position);
    cJSON_AddBoolToObject(entry, "open", larger->open);
    if (!larger->open)
        return;
    add_vector(entry, "gap_position_m", larger->gap);
    cJSON_AddNumberToObject(entry, "gap_m", larger->gap_size);
}

void record_room(cJSON *object, const char *command, const struct room_setup *setup)
{
    const struct room_request *request = &setup->request;
    cJSON_AddStringToObject(object, "program", "transept");
    cJSON_AddStringToObject(object, "version", TRANSEPT_VERSION);
    cJSON_AddStringToObject(object, "command", command);
    cJSON *arguments = cJSON_AddArrayToObject(object, "arguments");
    for (int i = 0; i < request->argument_count; i++)
        cJSON_AddItemToArray(arguments, cJSON_CreateString(request->argument[i]));
    if (request->model.project != NULL)
        record_project(object, request->model.project);
    record_model(object, setup);
    record_materials(object, setup);
    cJSON_AddNumberToObject(object, "fmax_hz", setup->grid.fmax);
    cJSON_AddBoolToObject(object, "fmax_automatic", setup->grid.fmax_automatic);
    cJSON_AddNumberToObject(object, "points_per_wavelength", setup->grid.points_per_wavelength);
    cJSON_AddNumberToObject(object, "spacing_m", setup->grid.step.spacing);
    cJSON_AddNumberToObject(object, "rate_hz", setup->grid.step.rate);
    cJSON_AddNumberToObject(object, "courant", setup->grid.step.courant);
    cJSON_AddNumberToObject(object, "lambda2", setup->grid.step.lambda2);
    add_vector(object, "grid_origin_m", setup->grid.lattice.origin);
    cJSON_AddNumberToObject(object, "temperature_c", request->model.air.temperature);
    cJSON_AddNumberToObject(object, "sound_speed_m_s", setup->model.sound_speed);
    cJSON_AddStringToObject(object, "layout", request->engine.layout == LAYOUT_BOX ? "box" : "blocks");
    cJSON_AddStringToObject(object, "precision",
                            request->engine.precision == PRECISION_DOUBLE ? "double" : "single");
    record_backend(object, &setup->backend);
    cJSON_AddStringToObject(object, "interpolation",
                            request->engine.interpolation == INTERPOLATION_LINEAR ? "linear" : "cubic");
    cJSON_AddBoolToObject(object, "open", request->grid.open);
    record_cuts(object, setup);
    record_larger(object, &setup->grid.larger);
    cJSON *warnings = cJSON_AddArrayToObject(object, "warnings");
    for (size_t i = 0; i < setup->notices.warning_count; i++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(setup->notices.warning[i]));
}

void record_air(cJSON *object, const struct room_setup *setup)
{
    static const char *const method[] = {[AIR_MODAL] = "modal", [AIR_FAST] = "fast", [AIR_OFF] = "off"};
    struct air_losses losses;
    double centre[OCTAVE_BANDS_MAX], loss[OCTAVE_BANDS_MAX];
    const size_t bands = octave_centres(setup->grid.fmax, centre);
    air_losses_make(&setup->model.air, &losses);
    for (size_t b = 0; b < bands; b++)
        loss[b] = setup->request.model.air_method == AIR_OFF ? 0.0 : air_losses_decibels(&losses, centre[b]);
    cJSON *air = cJSON_AddObjectToObject(object, "air");
    cJSON_AddStringToObject(air, "method", method[setup->request.model.air_method]);
    cJSON_AddNumberToObject(air, "temperature_c", setup->model.air.temperature);
    cJSON_AddNumberToObject(air, "humidity_percent", setup->model.air.humidity);
    cJSON_AddNumberToObject(air, "pressure_kpa", setup->model.air.pressure);
    cJSON_AddItemToObject(air, "octaves_hz", cJSON_CreateDoubleArray(centre, (int)bands));
    cJSON_AddItemToObject(air, "loss_db_m", cJSON_CreateDoubleArray(loss, (int)bands));
}

void record_volume(cJSON *object, const struct voxel_findings *findings, double cells)
{
    cJSON_AddNumberToObject(object, "air_volume_m3", findings->air_volume);
    cJSON_AddStringToObject(object, "air_volume_from", findings->air_volume_is_cells ? "cells" : "walls");
    cJSON_AddNumberToObject(object, "cells_volume_m3", cells);
}

void record_size(cJSON *object, const struct room_grid *grid, const struct backend_choice *backend,
                 const struct room_needs *needs)
{
    const double h = grid->step.spacing;
    double size[3];
    for (int d = 0; d < 3; d++)
        size[d] = h * (double)(grid->packed.air_high[d] - grid->packed.air_low[d] + 1);
    add_vector(object, "box_size_m", size);
    cJSON_AddNumberToObject(object, "box_nodes", needs->box_nodes);
    cJSON_AddNumberToObject(object, "air_nodes", needs->air_nodes);
    cJSON_AddNumberToObject(object, "stored_nodes", needs->stored_nodes);
    cJSON_AddNumberToObject(object, "blocks", needs->blocks);
    cJSON_AddNumberToObject(object, "occupancy", needs->stored_nodes / needs->box_nodes);
    cJSON_AddNumberToObject(object, "wall_nodes", needs->wall_nodes);
    cJSON_AddNumberToObject(object, "bytes_box", needs->bytes_box);
    cJSON_AddNumberToObject(object, "bytes_blocks", needs->bytes_blocks);
    cJSON_AddNumberToObject(object, "bytes_walls", needs->bytes_walls);
    cJSON_AddNumberToObject(object, "bytes_ideal", needs->bytes_ideal);
    cJSON_AddNumberToObject(object, "bytes_seed_blocks", needs->bytes_seed_blocks);
    cJSON_AddNumberToObject(object, "bytes_peak", needs->bytes_peak);
    if (backend->backend == BACKEND_CUDA)
        cJSON_AddNumberToObject(object, "bytes_device", needs->bytes_device);
    record_volume(object, &grid->findings, needs->air_nodes * h * h * h);
    char hash[40];
    snprintf(hash, sizeof hash, "%016" PRIx64, block_grid_hash(&grid->packed));
    cJSON_AddStringToObject(object, "grid_hash", hash);
}

static const char *interpolation_name(enum interpolation interpolation)
{
    return interpolation == INTERPOLATION_LINEAR ? "linear" : "cubic";
}

void record_points(cJSON *object, const struct room_setup *setup, const struct tap *tap)
{
    cJSON *list[2];
    list[SEED_SOURCE] = cJSON_AddArrayToObject(object, "sources");
    list[SEED_RECEIVER] = cJSON_AddArrayToObject(object, "receivers");
    for (size_t i = 0; i < setup->points.sources + setup->points.receivers; i++) {
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "name", setup->points.point[i].name);
        add_vector(entry, "position_m", setup->points.point[i].position);
        if (tap != NULL) {
            cJSON_AddStringToObject(entry, "interpolation", interpolation_name(tap[i].used));
            cJSON_AddNumberToObject(entry, "shift_m", tap[i].shift);
        }
        cJSON_AddItemToArray(list[setup->points.point[i].kind], entry);
    }
}

int record_stage(const cJSON *object, const char *path, struct whole_file *out, struct failure *failure)
{
    struct whole_file file = {0};
    char *text = cJSON_Print(object);
    if (text == NULL || json_memory_ran_out()) {
        cJSON_free(text);
        return failure_memory(failure, 0, path);
    }
    int code = whole_file_open(&file, path, failure);
    if (code == 0) {
        fprintf(file.stream, "%s\n", text); /* an error shows when the file is settled */
        code = whole_file_settle(&file, failure);
    }
    if (code == 0) {
        *out = file;
        file = (struct whole_file){0};
    }
    whole_file_abandon(&file);
    cJSON_free(text);
    return code;
}
