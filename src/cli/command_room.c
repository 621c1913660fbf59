#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "geometry/mesh/mesh_write.h"
#include "rooms/shapes/room_shape.h"
#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/cli/commands.h"
#include "src/base/options/option_values.h"
#include "src/base/options/shape_options.h"
#include "src/base/table/json_values.h"

static bool is_shape(const char *text)
{
    return room_shape_find(text) != NULL;
}

static int unknown_shape(const char *name, struct failure *failure)
{
    size_t count = 0;
    const struct room_shape *shape = room_shapes(&count);
    const char *names[32];
    char list[400] = "";
    for (size_t i = 0; i < count && i < 32; i++) {
        names[i] = shape[i].name;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i == 0 ? "" : ", ", shape[i].name);
    }
    const char *nearest = options_nearest(name, names, count < 32 ? count : 32);
    return failure_set(failure, FAILURE_INPUT, "there is no room %s%s%s; the rooms are %s", name,
                       nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "", list);
}

/* Neither the file nor, for OBJ, the material file beside it may be there already. */
static int refuse_existing(const char *path, bool force, struct failure *failure)
{
    const size_t length = strlen(path);
    TRY(command_refuse_existing(path, force, failure));
    if (!force && length > 4 && strcasecmp(path + length - 4, ".obj") == 0) {
        char *beside = malloc(length + 1);
        if (beside == NULL)
            return failure_memory(failure, length, "a path");
        memcpy(beside, path, length + 1);
        memcpy(beside + length - 4, ".mtl", 4);
        struct stat about;
        const bool there = lstat(beside, &about) == 0;
        const int code =
            there ? failure_fix(failure_about(failure_set(failure, FAILURE_INPUT,
                                                          "%s exists, and the materials of %s would go there",
                                                          beside, path),
                                              failure, SUBJECT_FILE, beside),
                                failure, "--force replaces it")
                  : 0;
        free(beside);
        return code;
    }
    return 0;
}

/* "pew 12" -> "pew_12": as --source and --receiver take it. */
static void paste_name(const char *name, char out[OPTION_NAME_MAX])
{
    size_t n = 0;
    for (; *name != '\0' && n + 1 < OPTION_NAME_MAX; name++) {
        const char c[2] = {*name, '\0'};
        out[n++] = option_name_is_valid(c) ? *name : '_';
    }
    out[n] = '\0';
}

static double volume_of(const struct mesh *mesh)
{
    double six = 0; /* signed; the shapes are closed and wound one way, whichever */
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const double *a = mesh->vertex[mesh->triangle[t][0]];
        const double *b = mesh->vertex[mesh->triangle[t][1]];
        const double *c = mesh->vertex[mesh->triangle[t][2]];
        six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return (six < 0 ? -six : six) / 6;
}

static void print_words(const char *path, const char *shape, const struct mesh *mesh, const double size[3],
                        const double *area)
{
    printf("%s: %s, %.4g x %.4g x %.4g m, %.5g m3, %zu triangles\n", PATH_SHOWN(path), shape, size[0],
           size[1], size[2], volume_of(mesh), mesh->triangle_count);
    printf("materials:\n");
    for (size_t m = 0; m < mesh->material_count; m++)
        printf("  %-20s %9.2f m2\n", mesh->material[m], area[m]);
    if (mesh->marker_count > 0)
        printf("positions (also in the file; to use others, change these):\n");
    for (size_t i = 0; i < mesh->marker_count; i++) {
        const struct mesh_marker *marker = &mesh->marker[i];
        char name[OPTION_NAME_MAX];
        paste_name(marker->name, name);
        printf("  --%s %.4g,%.4g,%.4g,%s\n", marker->kind == MARKER_SOURCE ? "source" : "receiver",
               marker->position[0], marker->position[1], marker->position[2], name);
    }
}

static int print_object(const char *path, const struct room_shape *shape, const double *value,
                        const struct mesh *mesh, const double size[3], const double *area,
                        struct failure *failure)
{
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(object, {"file", OF_TEXT(path)}, {"shape", OF_TEXT(shape->name)});
    cJSON *measures = json_object_in(object, "measures");
    for (size_t i = 0; i < shape->parameter_count; i++) {
        const struct room_parameter *parameter = &shape->parameter[i];
        JSON_PUT(measures,
                 {parameter->name,
                  parameter->words != NULL ? OF_TEXT(parameter->words[(int)value[i]]) : OF_NUMBER(value[i])});
    }
    JSON_PUT(object, {"size_m", OF_POINT(size)}, {"volume_m3", OF_NUMBER(volume_of(mesh))},
             {"triangles", OF_NUMBER(mesh->triangle_count)});
    cJSON *materials = json_list_in(object, "materials");
    for (size_t m = 0; m < mesh->material_count; m++)
        JSON_PUT(json_append_object(materials), {"name", OF_TEXT(mesh->material[m])},
                 {"area_m2", OF_NUMBER(area[m])});
    cJSON *sources = json_list_in(object, "sources");
    cJSON *receivers = json_list_in(object, "receivers");
    for (size_t i = 0; i < mesh->marker_count; i++) {
        cJSON *list = mesh->marker[i].kind == MARKER_SOURCE ? sources : receivers;
        JSON_PUT(json_append_object(list), {"name", OF_TEXT(mesh->marker[i].name)},
                 {"position_m", OF_POINT(mesh->marker[i].position)});
    }
    return print_json(object, failure);
}

/* Build, write and describe one room. */
static int write_room(const struct room_shape *shape, const struct shape_options *of,
                      const struct options *options, struct failure *failure)
{
    struct mesh mesh = {0};
    double *area = NULL, *value = calloc(shape->parameter_count + 1, sizeof *value);
    double low[3], high[3], size[3];
    int code = 0;
    if (value == NULL)
        return failure_memory(failure, shape->parameter_count * sizeof *value, "the measures of a room");
    for (size_t i = 0; i < shape->parameter_count; i++)
        value[i] = shape->parameter[i].words != NULL ? of->measure[i].word : of->measure[i].number;
    if ((code = refuse_existing(options->output, options->force, failure)) != 0 ||
        (code = room_build(shape, value, &mesh, failure)) != 0 ||
        (code = mesh_bounds(&mesh, low, high, failure)) != 0)
        goto done;
    area = calloc(mesh.material_count + 1, sizeof *area);
    if (area == NULL) {
        code = failure_memory(failure, mesh.material_count * sizeof *area, "areas of materials");
        goto done;
    }
    mesh_material_areas(&mesh, area);
    for (int axis = 0; axis < 3; axis++)
        size[axis] = high[axis] - low[axis];
    if ((code = mesh_write(&mesh, options->output, failure)) != 0)
        goto done;
    if (options->json)
        code = print_object(options->output, shape, value, &mesh, size, area, failure);
    else if (!options->quiet)
        print_words(options->output, shape->name, &mesh, size, area);
done:
    free(value);
    free(area);
    mesh_free(&mesh);
    return code;
}

int command_room(const struct command *command, int argc, char **argv, struct failure *failure)
{
    struct options options = {0};
    struct shape_options of = {0};
    int code = 0;
    /* Which options there are depends on the shape, so it is found before they are parsed. */
    const char *name = options_find_subject(command->bit, argc, argv, is_shape);
    const struct room_shape *shape = name != NULL ? room_shape_find(name) : NULL;
    if (shape != NULL && (code = shape_options_make(shape, &of, failure)) != 0)
        goto done;
    code = options_parse(command->bit, command->name, command->subject, argc, argv,
                         shape != NULL ? &of.set : NULL, &options, failure);
    if (options.help) {
        help_command(stdout, command, shape != NULL ? &of.set : NULL);
        size_t count = 0;
        const struct room_shape *all = room_shapes(&count);
        if (shape == NULL)
            printf("\nShapes:\n");
        for (size_t i = 0; shape == NULL && i < count; i++)
            printf("  %-8s %s\n", all[i].name, all[i].description);
        goto done;
    }
    if (shape == NULL && options.subject != NULL) {
        code = unknown_shape(options.subject, failure);
        goto done;
    }
    if (code != 0)
        goto done;
    if (options.output == NULL)
        code =
            failure_set(failure, FAILURE_INPUT, "room needs -o FILE, a name ending in .obj, .gltf or .glb");
    else
        code = write_room(shape, &of, &options, failure);
done:
    shape_options_free(&of);
    options_free(&options);
    return code;
}
