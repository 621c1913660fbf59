#include "geometry/import/mesh_import.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/base/vector.h"
#include "geometry/import/model_file.h"

static const struct {
    const char *ending, *name;
    enum up_axis up;
} known_formats[] = {
    {".obj", "OBJ", UP_Z}, {".gltf", "glTF", UP_Y}, {".glb", "GLB", UP_Y}, {".ply", "PLY", UP_Z},
    {".stl", "STL", UP_Z}, {".dae", "DAE", UP_Y},   {".fbx", "FBX", UP_Y}, {".3ds", "3DS", UP_Z},
    {".dxf", "DXF", UP_Z}, {".ifc", "IFC", UP_Z},
};
#define KNOWN_FORMATS (sizeof known_formats / sizeof known_formats[0])

/* The ending of a file's name with its point, or "". */
static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *ending = strrchr(slash == NULL ? path : slash, '.');
    return ending == NULL ? "" : ending;
}

/* Own formats of modelling programs, and what to export instead. */
static int refuse_format(const char *path, struct failure *failure)
{
    static const struct {
        const char *ending, *fix;
    } foreign[] = {
        {".skp", "in SketchUp, File > Export > 3D Model writes .glb or .obj"},
        {".3dm", "in Rhino, File > Export Selected writes .obj"},
        {".rvt", "from Revit, an add-in for glTF makes a .glb, and its own export writes IFC2x3"},
        {".pln", "from ArchiCAD, its export writes IFC2x3"},
        {".blend", "in Blender, File > Export > glTF 2.0 writes .glb"},
        {".dwg", "what wrote it can write .obj or .stl, too"},
    };
    const int code = failure_set(failure, FAILURE_INPUT,
                                 "%s: a room is a mesh whose name ends in " MESH_IMPORT_ENDINGS, path);
    for (size_t f = 0; f < sizeof foreign / sizeof *foreign; f++)
        if (strcasecmp(ending_of(path), foreign[f].ending) == 0)
            return failure_fix(code, failure, "%s", foreign[f].fix);
    return code;
}

static size_t find_format(const char *path)
{
    const char *ending = ending_of(path);
    size_t format = 0;
    while (format < KNOWN_FORMATS && strcasecmp(ending, known_formats[format].ending) != 0)
        ++format;
    return format;
}

bool mesh_import_knows(const char *path)
{
    return find_format(path) < KNOWN_FORMATS;
}

/* The unit of the model: as requested, else as the file states, else metres. */
static int choose_unit(double requested, double stated, struct mesh_import_facts *facts,
                       struct failure *failure)
{
    static const double known[] = {1, 0.01, 0.001, 0.0254, 0.3048};
    facts->unit_stated = requested == 0 && stated > 0;
    facts->metres_per_unit = requested > 0 ? requested : 1;
    if (!facts->unit_stated)
        return 0;
    size_t k = 0;
    while (k < sizeof known / sizeof known[0] && !(fabs(stated / known[k] - 1) < 1e-5))
        ++k;
    if (k == sizeof known / sizeof known[0])
        return failure_advise(
            failure_set(failure, FAILURE_INPUT,
                        "its unit is %.6g m, and only metres, centimetres, millimetres, inches "
                        "and feet are read",
                        stated),
            failure, ADVICE_UNITS, 0);
    facts->metres_per_unit = known[k];
    return 0;
}

static void convert_position(double position[3], double metres_per_unit, enum up_axis up)
{
    for (int axis = 0; axis < 3; ++axis)
        position[axis] *= metres_per_unit;
    if (up == UP_Y) {
        const double y = position[1];
        position[1] = 0.0 - position[2]; /* not -z, which would move a wall from z = 0 to y = -0 */
        position[2] = y;
    }
}

/* The largest extent of a room is between the first two. A unit is a guess if it brings all extents between
 * the next two. The better guess brings the smallest extent, usually the height, nearer to GUESS_TYPICAL. */
#define ROOM_SMALLEST 1.0
#define ROOM_LARGEST  300.0
#define GUESS_LOW     1.0
#define GUESS_HIGH    150.0
#define GUESS_TYPICAL 4.0

static void guess_unit(struct mesh_import_facts *facts)
{
    /* Inches and feet are never guessed: a model in inches looks like one in centimetres at half the size. */
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"metres", 1}, {"centimetres", 0.01}, {"millimetres", 0.001}};
    const double *size = facts->size;
    const double most = larger(size[0], larger(size[1], size[2]));
    const double least = smaller(size[0], smaller(size[1], size[2]));
    if (most >= ROOM_SMALLEST && most <= ROOM_LARGEST)
        return;
    int guess[2] = {-1, -1};
    double best = INFINITY;
    for (int unit = 0; unit < 3; ++unit) {
        const double scale = units[unit].metres / facts->metres_per_unit;
        if (scale == 1 || least * scale < GUESS_LOW || most * scale > GUESS_HIGH)
            continue;
        const double distance = fabs(log(least * scale / GUESS_TYPICAL));
        guess[1] = distance < best ? guess[0] : unit;
        if (distance < best) {
            guess[0] = unit;
            best = distance;
        }
    }
    int used = snprintf(facts->warning, sizeof facts->warning,
                        "the model measures %.5g x %.5g x %.5g m, which is an unlikely size for a room",
                        size[0], size[1], size[2]);
    for (int i = 0; i < 2 && guess[i] >= 0; ++i) {
        const double scale = units[guess[i]].metres / facts->metres_per_unit;
        used += snprintf(facts->warning + used, sizeof facts->warning - (size_t)used,
                         "%s %s (%.4g x %.4g x %.4g m)", i == 0 ? ": its unit is likely" : " or",
                         units[guess[i]].name, size[0] * scale, size[1] * scale, size[2] * scale);
    }
    facts->advice = guess[0] >= 0 ? ADVICE_UNIT : ADVICE_UNIT_OR_FAR_PART;
    facts->likely_unit = guess[0] >= 0 ? units[guess[0]].metres : 0;
}

/* Drop materials that only redundant triangles had. */
static int drop_unused_materials(struct mesh *mesh, struct failure *failure)
{
    uint16_t *moved = calloc(mesh->material_count + 1, sizeof moved[0]);
    if (moved == NULL)
        return failure_memory(failure, (mesh->material_count + 1) * sizeof moved[0], "counting materials");
    for (size_t t = 0; t < mesh->triangle_count; ++t)
        moved[mesh->triangle_material[t]] = 1;
    size_t kept = 0;
    for (size_t m = 0; m < mesh->material_count; ++m) {
        if (moved[m] == 0) {
            free(mesh->material[m]);
            continue;
        }
        mesh->material[kept] = mesh->material[m];
        moved[m] = (uint16_t)kept++;
    }
    mesh->material_count = kept;
    for (size_t t = 0; t < mesh->triangle_count; ++t)
        mesh->triangle_material[t] = moved[mesh->triangle_material[t]];
    free(moved);
    return 0;
}

/* Convert the file's unit and axes, and clean the mesh. */
static int finish_mesh(struct mesh *mesh, struct mesh_import_facts *facts, struct failure *failure)
{
    double low[3], high[3];
    for (size_t v = 0; v < mesh->vertex_count; ++v)
        convert_position(mesh->vertex[v], facts->metres_per_unit, facts->up);
    for (size_t m = 0; m < mesh->marker_count; ++m)
        convert_position(mesh->marker[m].position, facts->metres_per_unit, facts->up);
    TRY(mesh_check(mesh, failure));
    TRY(mesh_weld(mesh, failure));
    TRY(mesh_count_oddities(mesh, &facts->census, failure));
    TRY(mesh_drop_redundant(mesh, failure));
    TRY(mesh_weld(mesh, failure)); /* corners that only dropped triangles used */
    TRY(drop_unused_materials(mesh, failure));
    TRY(mesh_bounds(mesh, low, high, failure));
    for (int axis = 0; axis < 3; ++axis)
        facts->size[axis] = high[axis] - low[axis];
    guess_unit(facts);
    return 0;
}

int mesh_import(const char *path, const struct mesh_import_options *options, struct mesh *out,
                struct mesh_import_facts *facts, struct failure *failure)
{
    struct model_file model = {0};
    struct mesh_import_facts found = {0};
    const size_t format = find_format(path);
    if (format == KNOWN_FORMATS)
        return refuse_format(path, failure);
    if (!(options->metres_per_unit >= 0) || !isfinite(options->metres_per_unit))
        return failure_set(failure, FAILURE_INPUT, "a unit of %g metres is not possible",
                           options->metres_per_unit);
    (void)snprintf(found.format, sizeof found.format, "%s", known_formats[format].name);

    TRY(model_file_read(path, found.format, options->memory_bytes, options->interrupted, &model, failure));
    found.up = options->up != UP_AUTO ? options->up
               : model.up != UP_AUTO  ? model.up
                                      : known_formats[format].up;
    found.polygons = model.polygons;
    found.instances = model.instances;
    found.lines_and_points = model.lines_and_points;
    found.notes = model.notes;
    int status = choose_unit(options->metres_per_unit, model.unit, &found, failure);
    if (status == 0)
        status = model.mesh.triangle_count == 0 ? import_notes_no_triangles(&found.notes, failure)
                                                : finish_mesh(&model.mesh, &found, failure);
    if (status != 0) {
        mesh_free(&model.mesh);
        return failure_at(status, failure, path, 0);
    }
    *out = model.mesh;
    if (facts != NULL)
        *facts = found;
    return 0;
}
