#include "src/setup/room_setup.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "geometry/base/regular_file.h"
#include "kernels/machine/machine_memory.h"
#include "src/base/byte_hash.h"
#include "src/base/interrupt.h"
#include "src/options/options.h"
#include "src/project/project.h"
#include "src/setup/room_walls.h"
#include "src/signal/air_filter.h"

/* ---- words ---- */

void room_say(const struct room_setup *setup, const char *format, ...)
{
    if (setup->options->quiet)
        return;
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    blot_control_characters(text);
    fprintf(stderr, "%s\n", text);
}

void room_warn(struct room_setup *setup, const char *format, ...)
{
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    blot_control_characters(text);
    if (!setup->silent)
        fprintf(stderr, "transept: warning: %s\n", text);
    /* A warning that cannot be kept was still printed. */
    char **grown = realloc(setup->warning, (setup->warning_count + 1) * sizeof *grown);
    if (grown == NULL)
        return;
    setup->warning = grown;
    grown[setup->warning_count] = strdup(text);
    if (grown[setup->warning_count] != NULL)
        setup->warning_count++;
}

const char *room_place(const double position[3], char text[ROOM_PLACE_MAX])
{
    double rounded[3];
    for (int axis = 0; axis < 3; axis++)
        rounded[axis] = round(position[axis] * 1000) / 1000 + 0.0; /* no -0 */
    snprintf(text, ROOM_PLACE_MAX, "%.10g, %.10g, %.10g m", rounded[0], rounded[1], rounded[2]);
    return text;
}

int room_interrupted(struct failure *failure)
{
    return interrupt_seen ? failure_set(failure, FAILURE_INTERRUPTED, "interrupted; nothing was written") : 0;
}

/* ---- hashes ---- */

static uint64_t hash_mesh(const struct mesh *mesh)
{
    uint64_t hash = HASH_START;
    hash = hash_bytes(hash, mesh->vertex, mesh->vertex_count * sizeof *mesh->vertex);
    hash = hash_bytes(hash, mesh->triangle, mesh->triangle_count * sizeof *mesh->triangle);
    hash = hash_bytes(hash, mesh->triangle_material, mesh->triangle_count * sizeof *mesh->triangle_material);
    for (size_t m = 0; m < mesh->material_count; m++)
        hash = hash_bytes(hash, mesh->material[m], strlen(mesh->material[m]) + 1);
    return hash;
}

/* ---- the model ---- */

static const struct {
    const char *name;
    double metres;
} units[] = {
    [UNIT_M] = {"metres", 1},       [UNIT_CM] = {"centimetres", 0.01}, [UNIT_MM] = {"millimetres", 0.001},
    [UNIT_IN] = {"inches", 0.0254}, [UNIT_FT] = {"feet", 0.3048},
};

/* Coordinates are read as floats; far from the origin, where surveyed models stand, that moves walls. Said
 * from here on. */
#define ROUNDING_SAID 1e-3 /* [m] */

static void warn_of_rounding(struct room_setup *setup)
{
    double farthest = 0;
    for (int axis = 0; axis < 3; axis++)
        farthest = fmax(farthest, fmax(fabs(setup->low[axis]), fabs(setup->high[axis])));
    const double rounding = farthest * FLT_EPSILON / 2;
    /* A model in the wrong unit is told that first. */
    if (rounding > ROUNDING_SAID && setup->facts.warning[0] == '\0')
        room_warn(
            setup,
            "the model stands %.3g km from the origin, where its coordinates are rounded by up to %.1g m: "
            "move it to the origin and export it again",
            farthest / 1000, rounding);
}

/* A built-in room of a project: its mesh, and the facts that an import would find. */
static int build_shape(struct room_setup *setup, const struct project *project, struct failure *failure)
{
    struct mesh_import_facts *facts = &setup->facts;
    double low[3], high[3];
    TRY(room_build(project->shape, project->measure, &setup->mesh, failure));
    TRY(mesh_bounds(&setup->mesh, low, high, failure));
    *facts = (struct mesh_import_facts){.metres_per_unit = 1, .up = UP_Z};
    (void)snprintf(facts->format, sizeof facts->format, "built-in %.6s", project->shape->name);
    for (int axis = 0; axis < 3; axis++)
        facts->size[axis] = high[axis] - low[axis];
    setup->file_hash = project->hash;
    return mesh_count_oddities(&setup->mesh, &facts->census, failure);
}

static int read_model(struct room_setup *setup, struct failure *failure)
{
    const struct options *options = setup->options;
    const struct mesh_import_options import = {
        .metres_per_unit = units[options->units].metres,
        .up = (enum up_axis)options->up,
        .memory_bytes = machine_memory_available(),
        .interrupted = &interrupt_seen,
    };
    const struct project *project = options->project;
    if (project != NULL && project->shape != NULL) {
        TRY(build_shape(setup, project, failure));
    } else {
        TRY(mesh_import(options->subject, &import, &setup->mesh, &setup->facts, failure));
        TRY(hash_file(options->subject, &setup->file_hash, failure));
    }
    setup->mesh_hash = hash_mesh(&setup->mesh);
    TRY(mesh_bounds(&setup->mesh, setup->low, setup->high, failure));
    const struct mesh_import_facts *facts = &setup->facts;
    room_say(setup, "%s: %s in %s, %c up; %.4g x %.4g x %.4g m, %zu triangles", options->subject,
             facts->format, units[options->units].name, facts->up == UP_Y ? 'y' : 'z', facts->size[0],
             facts->size[1], facts->size[2], setup->mesh.triangle_count);
    if (facts->census.degenerate > 0 || facts->census.duplicate > 0 || facts->lines_and_points > 0)
        room_say(setup,
                 "dropped without harm: %zu triangles without area, %zu duplicates, %zu lines and points",
                 facts->census.degenerate, facts->census.duplicate, facts->lines_and_points);
    if (facts->census.open_edges > 0 || facts->census.nonmanifold_edges > 0)
        room_say(setup,
                 "edges: %zu open (a gap, or a surface without thickness), %zu shared by more than two "
                 "triangles",
                 facts->census.open_edges, facts->census.nonmanifold_edges);
    if (facts->warning[0] != '\0')
        room_warn(setup, "%s: %s", facts->warning, facts->advice);
    warn_of_rounding(setup);
    return 0;
}

/* Losses are put on responses only, so only who makes them is told. */
static void warn_of_air(struct room_setup *setup, bool strict)
{
    char doubt[AIR_DOUBT_MAX];
    if (strict && setup->options->air != AIR_OFF && air_doubt(&setup->air, doubt) != NULL)
        room_warn(setup, "the losses of the air may be wrong by more than 10 %%: %s", doubt);
}

int room_setup_read(const struct options *options, bool strict, struct room_setup *setup,
                    struct failure *failure)
{
    *setup = (struct room_setup){.options = options, .silent = setup->silent};
    setup->air = (struct air){options->temperature, options->humidity, options->pressure};
    setup->sound_speed = air_sound_speed(options->temperature);
    TRY(backend_choice_begin((enum option_backend)options->backend, &setup->backend, failure));
    TRY(read_model(setup, failure));
    TRY(room_two_sided(setup, failure));
    TRY(room_walls_read(setup, strict, failure));
    TRY(room_points_collect(setup, strict, failure));
    TRY(room_receiver_grids_check(setup, failure));
    warn_of_air(setup, strict);
    return room_interrupted(failure);
}

struct voxelise_options room_voxelise_options(const struct room_setup *setup)
{
    const struct options *options = setup->options;
    return (struct voxelise_options){
        .seal_width = options->seal,
        .open = options->open,
        .threads = (int)options->threads,
        .back_material = setup->back_material,
        .interrupted = &interrupt_seen,
    };
}

void room_setup_free(struct room_setup *setup)
{
    mesh_free(&setup->mesh);
    room_walls_free(setup);
    free(setup->back_material);
    wall_areas_free(&setup->areas);
    free(setup->point);
    room_receiver_grids_free(setup);
    voxel_findings_free(&setup->findings);
    block_grid_free(&setup->grid);
    for (size_t i = 0; i < setup->warning_count; i++)
        free(setup->warning[i]);
    free(setup->warning);
    *setup = (struct room_setup){0};
}

struct engine_options room_engine_options(const struct room_setup *setup, double stored_nodes)
{
    const struct options *options = setup->options;
    const bool few = options->threads == 0 && stored_nodes < 2 * ROOM_NODES_PER_THREAD;
    return (struct engine_options){
        .layout = (enum layout)options->layout,
        .precision = (enum precision)options->precision,
        .backend = setup->backend.backend,
        .simd = SIMD_AUTO,
        .threads = few ? 1 : (int)options->threads,
    };
}
