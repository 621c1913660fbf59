#include "geometry/import/mesh_import.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "geometry/import/model_file.h"

static const struct {
    const char *ending, *name;
    enum up_axis up;
} known_formats[] = {
    {".obj", "OBJ", UP_Z}, {".gltf", "glTF", UP_Y}, {".glb", "GLB", UP_Y},
    {".ply", "PLY", UP_Z}, {".stl", "STL", UP_Z},
};
#define KNOWN_FORMATS (sizeof known_formats / sizeof known_formats[0])

static size_t find_format(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *ending = strrchr(slash == NULL ? path : slash, '.');
    size_t format = 0;
    while (format < KNOWN_FORMATS &&
           (ending == NULL || strcasecmp(ending, known_formats[format].ending) != 0))
        ++format;
    return format;
}

static void to_room(double position[3], double metres_per_unit, enum up_axis up)
{
    for (int axis = 0; axis < 3; ++axis)
        position[axis] *= metres_per_unit;
    if (up == UP_Y) {
        const double y = position[1];
        position[1] = 0.0 - position[2]; /* not -z: a wall at z = 0 shall stand at y = 0, not at -0 */
        position[2] = y;
    }
}

/* A room's largest extent is between the first two; a unit is a guess where all extents are between the next
 * two, and the better guess the nearer the smallest, most often the height, comes to what is common. */
#define ROOM_SMALLEST 1.0
#define ROOM_LARGEST  300.0
#define GUESS_LOW     1.0
#define GUESS_HIGH    150.0
#define GUESS_TYPICAL 4.0

static void judge_size(struct mesh_import_facts *facts)
{
    /* Inches and feet are never the guess: a model in inches measures like one in centimetres of half the
     * size. */
    static const struct {
        const char *option, *name;
        double metres;
    } units[] = {{"m", "metres", 1}, {"cm", "centimetres", 0.01}, {"mm", "millimetres", 0.001}};
    enum { UNITS = sizeof units / sizeof units[0] };
    const double *size = facts->size;
    const double largest = fmax(size[0], fmax(size[1], size[2]));
    const double smallest = fmin(size[0], fmin(size[1], size[2]));
    if (largest >= ROOM_SMALLEST && largest <= ROOM_LARGEST)
        return;
    int first = -1, second = -1;
    double best = INFINITY;
    for (int unit = 0; unit < UNITS; ++unit) {
        const double scale = units[unit].metres / facts->metres_per_unit;
        if (scale == 1 || smallest * scale < GUESS_LOW || largest * scale > GUESS_HIGH)
            continue;
        const double distance = fabs(log(smallest * scale / GUESS_TYPICAL));
        if (distance < best) {
            second = first;
            first = unit;
            best = distance;
        } else {
            second = unit;
        }
    }
    (void)snprintf(facts->warning, sizeof facts->warning,
                   "the model measures %.5g x %.5g x %.5g m, which is an unlikely size for a room", size[0],
                   size[1], size[2]);
    facts->wrong_unit = first >= 0;
    const int guess[2] = {first, second};
    size_t used = 0;
    for (int i = 0; i < 2 && guess[i] >= 0; ++i) {
        const double scale = units[guess[i]].metres / facts->metres_per_unit;
        (void)snprintf(facts->advice + used, sizeof facts->advice - used,
                       "%s %s (%.4g x %.4g x %.4g m; say --units %s)", i == 0 ? "its unit is likely" : " or",
                       units[guess[i]].name, size[0] * scale, size[1] * scale, size[2] * scale,
                       units[guess[i]].option);
        used = strlen(facts->advice);
    }
    if (first < 0)
        (void)snprintf(facts->advice, sizeof facts->advice,
                       "check its unit (--units m, cm, mm, in or ft) and whether something far from the "
                       "room, like terrain, is part of the model");
}

/* Materials that only redundant triangles had are no surfaces of the room. */
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

/* From the file's unit and axes to a clean room. */
static int finish(struct mesh *mesh, struct mesh_import_facts *facts, struct failure *failure)
{
    double low[3], high[3];
    for (size_t v = 0; v < mesh->vertex_count; ++v)
        to_room(mesh->vertex[v], facts->metres_per_unit, facts->up);
    for (size_t m = 0; m < mesh->marker_count; ++m)
        to_room(mesh->marker[m].position, facts->metres_per_unit, facts->up);
    TRY(mesh_check(mesh, failure));
    TRY(mesh_weld(mesh, failure));
    TRY(mesh_count_oddities(mesh, &facts->census, failure));
    TRY(mesh_drop_redundant(mesh, failure));
    TRY(mesh_weld(mesh, failure)); /* corners that only dropped triangles used */
    TRY(drop_unused_materials(mesh, failure));
    TRY(mesh_bounds(mesh, low, high, failure));
    for (int axis = 0; axis < 3; ++axis)
        facts->size[axis] = high[axis] - low[axis];
    judge_size(facts);
    return 0;
}

int mesh_import(const char *path, const struct mesh_import_options *options, struct mesh *out,
                struct mesh_import_facts *facts, struct failure *failure)
{
    int status;
    struct model_file model = {0};
    struct mesh_import_facts found = {0};
    struct failure inner = {0};
    const size_t format = find_format(path);
    if (format == KNOWN_FORMATS)
        return failure_set(failure, FAILURE_INPUT,
                           "%s: a room is a mesh whose name ends in .obj, .gltf, .glb, .ply or .stl", path);
    found.metres_per_unit = options->metres_per_unit == 0 ? 1 : options->metres_per_unit;
    if (!(found.metres_per_unit > 0) || !isfinite(found.metres_per_unit))
        return failure_set(failure, FAILURE_INPUT, "a unit of %g metres is not possible",
                           options->metres_per_unit);
    found.up = options->up == UP_AUTO ? known_formats[format].up : options->up;
    (void)snprintf(found.format, sizeof found.format, "%s", known_formats[format].name);

    if ((status = model_file_read(path, found.format, options->memory_bytes, options->interrupted, &model,
                                  failure)) != 0)
        goto done;
    found.polygons = model.polygons;
    found.instances = model.instances;
    found.lines_and_points = model.lines_and_points;
    if ((status = finish(&model.mesh, &found, &inner)) != 0) {
        (void)failure_wrap(failure, &inner, "%s: ", path);
        goto done;
    }
    *out = model.mesh;
    model.mesh = (struct mesh){0};
    if (facts != NULL)
        *facts = found;
done:
    mesh_free(&model.mesh);
    return status;
}
