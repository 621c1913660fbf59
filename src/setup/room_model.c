#include "src/setup/room_model.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/machine/machine_memory.h"
#include "rooms/text/table_text.h"
#include "geometry/base/byte_hash.h"
#include "src/base/interrupt.h"
#include "src/setup/project/project.h"

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
    [UNIT_AUTO] = {"metres", 0},        [UNIT_M] = {"metres", 1},       [UNIT_CM] = {"centimetres", 0.01},
    [UNIT_MM] = {"millimetres", 0.001}, [UNIT_IN] = {"inches", 0.0254}, [UNIT_FT] = {"feet", 0.3048},
};

enum option_unit room_unit(const struct mesh_import_facts *facts)
{
    enum option_unit unit = UNIT_FT;
    while (unit > UNIT_M && units[unit].metres != facts->metres_per_unit)
        unit--;
    return unit;
}

const char *room_unit_words(const struct mesh_import_facts *facts, char words[ROOM_UNIT_WORDS_MAX])
{
    (void)snprintf(words, ROOM_UNIT_WORDS_MAX, "%s%s", units[room_unit(facts)].name,
                   facts->unit_stated ? " (as it says)" : "");
    return words;
}

/* Coordinates are read as floats; far from the origin, where surveyed models are, that moves walls. Warned
 * of from here on. */
#define ROUNDING_WARNED 1e-3 /* [m] */

static void warn_of_rounding(const struct room_model *model, struct room_notices *notices)
{
    double farthest = 0;
    for (int axis = 0; axis < 3; axis++)
        farthest = fmax(farthest, fmax(fabs(model->low[axis]), fabs(model->high[axis])));
    const double rounding = farthest * FLT_EPSILON / 2;
    /* A wrong unit is reported first. */
    if (rounding > ROUNDING_WARNED && model->facts.warning[0] == '\0')
        room_warn(notices,
                  "the model is %.3g km from the origin, where its coordinates are rounded by up to %.1g m: "
                  "move it to the origin and export it again",
                  farthest / 1000, rounding);
}

static void say_dropped(const struct room_notices *notices, const struct mesh_import_facts *facts)
{
    const struct {
        size_t count;
        const char *what, *many;
    } kind[] = {{facts->census.degenerate, "triangle without area", "triangles without area"},
                {facts->census.duplicate, "duplicate", "duplicates"},
                {facts->lines_and_points, "line or point", "lines and points"}};
    char list[200] = "";
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
        if (kind[k].count > 0)
            text_append(list, sizeof list, "%s%zu %s", list[0] != '\0' ? ", " : "", kind[k].count,
                        kind[k].count == 1 ? kind[k].what : kind[k].many);
    if (list[0] != '\0')
        room_say(notices, "dropped without harm: %s", list);
}

void room_model_say_unread(struct room_notices *notices, const struct mesh_import_facts *facts)
{
    for (size_t n = 0; n < facts->notes.count; n++) {
        const struct import_note *note = &facts->notes.note[n];
        const char *between = note->fix[0] != '\0' ? "; " : "";
        if (note->weight == IMPORT_HARMLESS)
            room_say(notices, "%s%s%s", note->what, between, note->fix);
        else
            room_warn(notices, "%s%s%s", note->what, between, note->fix);
    }
}

/* The facts that an import of the model's mesh would find. */
static int find_facts(struct room_model *model, struct failure *failure)
{
    struct mesh_import_facts *facts = &model->facts;
    double low[3], high[3];
    TRY(mesh_bounds(&model->mesh, low, high, failure));
    facts->metres_per_unit = 1;
    facts->up = UP_Z;
    for (int axis = 0; axis < 3; axis++)
        facts->size[axis] = high[axis] - low[axis];
    return mesh_count_oddities(&model->mesh, &facts->census, failure);
}

/* A built-in room of a project. */
static int build_shape(struct room_model *model, const struct project *project, struct failure *failure)
{
    TRY(room_build(project->shape, project->measure, &model->mesh, failure));
    (void)snprintf(model->facts.format, sizeof model->facts.format, "built-in %.6s", project->shape->name);
    model->file_hash = project->hash;
    return find_facts(model, failure);
}

/* Treat a mesh from memory as an import treats a file. */
static int copy_mesh(struct room_model *model, const struct mesh *mesh, struct failure *failure)
{
    TRY(mesh_check(mesh, failure));
    TRY(mesh_copy(mesh, &model->mesh, failure));
    for (size_t m = 0; m < mesh->marker_count; m++)
        TRY(mesh_add_marker(&model->mesh, mesh->marker[m].kind, mesh->marker[m].name,
                            mesh->marker[m].position, failure));
    (void)snprintf(model->facts.format, sizeof model->facts.format, "memory");
    TRY(find_facts(model, failure)); /* before triangles are dropped */
    TRY(mesh_drop_redundant(&model->mesh, failure));
    TRY(mesh_weld(&model->mesh, failure));
    model->file_hash = hash_mesh(&model->mesh);
    return 0;
}

/* Add surfaces to the model's mesh. */
static int add_to_model(struct room_model *model, const struct mesh *addition, struct failure *failure)
{
    struct mesh both = {0};
    model->own_vertices = model->mesh.vertex_count;
    model->own_triangles = model->mesh.triangle_count;
    int code = mesh_copy(&model->mesh, &both, failure);
    for (size_t m = 0; code == 0 && m < model->mesh.marker_count; m++)
        code = mesh_add_marker(&both, model->mesh.marker[m].kind, model->mesh.marker[m].name,
                               model->mesh.marker[m].position, failure);
    for (size_t v = 0; code == 0 && v < addition->vertex_count; v++)
        code = mesh_add_vertex(&both, addition->vertex[v], NULL, failure);
    for (size_t t = 0; code == 0 && t < addition->triangle_count; t++) {
        uint16_t material;
        uint32_t corner[3];
        for (int c = 0; c < 3; c++)
            corner[c] = (uint32_t)(model->own_vertices + addition->triangle[t][c]);
        code =
            mesh_add_material(&both, addition->material[addition->triangle_material[t]], &material, failure);
        if (code == 0)
            code = mesh_add_triangle(&both, corner, material, failure);
    }
    if (code == 0)
        mesh_free(&model->mesh);
    if (code == 0)
        model->mesh = both;
    else
        mesh_free(&both);
    return code;
}

int room_model_read(const struct model_request *request, struct room_notices *notices, struct room_model *out,
                    struct failure *failure)
{
    struct room_model *const model = out;
    const struct mesh_import_options import = {
        .metres_per_unit = units[request->units].metres,
        .up = request->up,
        .memory_bytes = machine_memory_available(),
        .interrupted = &interrupt_seen,
    };
    const struct project *project = request->project;
    model->air = request->air;
    model->sound_speed = air_sound_speed(request->air.temperature);
    if (project != NULL && project->shape != NULL) {
        TRY(build_shape(model, project, failure));
    } else if (request->mesh != NULL) {
        TRY(copy_mesh(model, request->mesh, failure));
    } else {
        TRY(mesh_import(request->file, &import, &model->mesh, &model->facts, failure));
        TRY(hash_file(request->file, &model->file_hash, failure));
    }
    if (request->addition != NULL)
        TRY(add_to_model(model, request->addition, failure));
    model->mesh_hash = hash_mesh(&model->mesh);
    TRY(mesh_bounds(&model->mesh, model->low, model->high, failure));
    const struct mesh_import_facts *facts = &model->facts;
    char unit[ROOM_UNIT_WORDS_MAX];
    room_say(notices, "%s: %s in %s, %s; %.4g x %.4g x %.4g m, %zu triangles", request->file, facts->format,
             room_unit_words(facts, unit), facts->up == UP_Y ? "turned from y up to z up" : "z up",
             facts->size[0], facts->size[1], facts->size[2], model->mesh.triangle_count);
    say_dropped(notices, facts);
    room_model_say_unread(notices, facts);
    if (facts->census.open_edges > 0 || facts->census.nonmanifold_edges > 0)
        room_say(notices,
                 "edges: %zu open (a gap, or a surface without thickness), %zu shared by more than two "
                 "triangles",
                 facts->census.open_edges, facts->census.nonmanifold_edges);
    if (facts->warning[0] != '\0')
        room_warn_advise(notices, facts->advice, facts->likely_unit, "%s", facts->warning);
    warn_of_rounding(model, notices);
    return 0;
}

void room_model_free(struct room_model *model)
{
    mesh_free(&model->mesh);
    surface_table_free(&model->table);
    material_library_free(&model->library);
    free(model->area);
    free(model->surface);
    free(model->use);
    free(model->wall);
    free(model->back_material);
    *model = (struct room_model){0};
}

double box_volume(const double low[3], const double high[3])
{
    return (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
}

double room_box_volume(const struct room_model *model)
{
    return box_volume(model->low, model->high);
}
