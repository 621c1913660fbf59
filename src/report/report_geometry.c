#include "src/report/report_geometry.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/base64.h"
#include "geometry/import/mesh_import.h"
#include "geometry/mesh/material_colour.h"
#include "geometry/mesh/material_order.h"
#include "src/base/interrupt.h"
#include "src/base/json_memory.h"
#include "src/record/run_geometry.h"
#include "src/report/report_data.h"
#include "src/report/report_response.h"

#define BLOCKS_MOST ((size_t)64 << 20) /* bytes of blocks.json */

static int add_base64(cJSON *object, const char *name, const void *data, size_t size, struct failure *failure)
{
    char *text = base64_text(data, size);
    cJSON *item = text != NULL ? cJSON_AddStringToObject(object, name, text) : NULL;
    free(text);
    return item != NULL ? 0 : failure_memory(failure, size, "the geometry of a report");
}

/* What is not there, and why: the sentence of a failure without its paths. */
static int add_absent(cJSON *run, const struct run_folder *folder, const char *name, const char *why,
                      struct failure *failure)
{
    char why_name[20];
    snprintf(why_name, sizeof why_name, "%s_why", name);
    cJSON_AddNullToObject(run, name);
    cJSON *words = cJSON_AddStringToObject(run, why_name, why);
    if (words == NULL)
        return failure_memory(failure, 0, "the geometry of a report");
    run_folder_strip_of(folder, words);
    return 0;
}

/* ---- the mesh ---- */

static void add_materials(cJSON *object, const struct mesh *mesh, const struct material_order *order)
{
    cJSON *materials = cJSON_AddArrayToObject(object, "materials");
    for (size_t m = 0; m < mesh->material_count; m++) {
        double rgb[3];
        cJSON *entry = cJSON_CreateObject(), *colour = cJSON_AddArrayToObject(entry, "color");
        material_colour(mesh->material[m], rgb);
        for (int c = 0; c < 3; c++)
            cJSON_AddItemToArray(colour, report_rounded(rgb[c], 4));
        run_folder_strip(cJSON_AddStringToObject(entry, "name", mesh->material[m]));
        cJSON_AddNumberToObject(entry, "first_triangle", (double)order->begin[m]);
        cJSON_AddNumberToObject(entry, "triangles", (double)(order->begin[m + 1] - order->begin[m]));
        cJSON_AddItemToArray(materials, entry);
    }
}

static int put_mesh(cJSON *run, const struct mesh *mesh, struct failure *failure)
{
    struct material_order order = {0};
    float(*position)[3] = malloc((mesh->vertex_count + 1) * sizeof *position);
    uint32_t(*index)[3] = malloc((mesh->triangle_count + 1) * sizeof *index);
    cJSON *object = cJSON_AddObjectToObject(run, "mesh");
    int code =
        position == NULL || index == NULL || object == NULL
            ? failure_memory(failure, mesh->vertex_count * sizeof *position, "the geometry of a report")
            : material_order_make(mesh, &order, failure);
    if (code == 0) {
        for (size_t v = 0; v < mesh->vertex_count; v++)
            for (int axis = 0; axis < 3; axis++)
                position[v][axis] = (float)mesh->vertex[v][axis];
        for (size_t t = 0; t < mesh->triangle_count; t++)
            memcpy(index[t], mesh->triangle[order.triangle[t]], sizeof index[t]);
        code = add_base64(object, "positions", position, mesh->vertex_count * sizeof *position, failure);
    }
    if (code == 0)
        code = add_base64(object, "indices", index, mesh->triangle_count * sizeof *index, failure);
    if (code == 0)
        add_materials(object, mesh, &order);
    material_order_free(&order);
    free(position);
    free(index);
    return code;
}

static int add_mesh(cJSON *run, const struct run_folder *folder, struct mesh *kept, struct failure *failure)
{
    struct mesh mesh = {0};
    struct failure why = {0};
    const struct mesh_import_options options = {.interrupted = &interrupt_seen};
    char *path = run_folder_file(folder, RUN_MESH_FILE);
    if (path == NULL)
        return failure_memory(failure, 100, "a path");
    int code = mesh_import(path, &options, &mesh, NULL, &why);
    free(path);
    if (code == FAILURE_INPUT)
        return add_absent(run, folder, "mesh", why.sentence, failure);
    if (code != 0)
        return failure_forward(failure, &why);
    if (mesh.triangle_count > REPORT_TRIANGLES_MOST)
        code = add_absent(run, folder, "mesh", "the model has too many triangles for a page", failure);
    else
        code = put_mesh(run, &mesh, failure);
    *kept = mesh;
    return code;
}

/* ---- the blocks ---- */

/* The runs of blocks, owned by the caller; NULL where one is none, or without memory. */
static int32_t *read_runs(const cJSON *runs, size_t count)
{
    int32_t *number = malloc((4 * count + 1) * sizeof *number), *to = number;
    const cJSON *entry, *item;
    if (number == NULL)
        return NULL;
    cJSON_ArrayForEach(entry, runs)
    {
        if (cJSON_GetArraySize(entry) != 4)
            break;
        cJSON_ArrayForEach(item, entry)
        {
            if (!cJSON_IsNumber(item) || !(fabs(item->valuedouble) < 1e9))
                break;
            *to++ = (int32_t)item->valuedouble;
        }
    }
    if (to != number + 4 * count) {
        free(number);
        return NULL;
    }
    return number;
}

static int put_blocks(cJSON *run, const struct run_folder *folder, const cJSON *file, struct failure *failure)
{
    const cJSON *runs = record_at(file, "runs");
    const size_t count = (size_t)cJSON_GetArraySize(runs);
    if (!(record_number(file, "edge_m") > 0) || cJSON_GetArraySize(record_at(file, "origin_m")) != 3 ||
        count == 0)
        return add_absent(run, folder, "blocks", RUN_BLOCKS_FILE " holds no blocks", failure);
    if (count > REPORT_BLOCK_RUNS_MOST)
        return add_absent(run, folder, "blocks", "there are too many blocks for a page", failure);
    int32_t *number = read_runs(runs, count);
    if (number == NULL)
        return add_absent(run, folder, "blocks", RUN_BLOCKS_FILE " holds what is no block", failure);
    cJSON *object = cJSON_AddObjectToObject(run, "blocks");
    cJSON_AddItemToObject(object, "origin_m", cJSON_Duplicate(record_at(file, "origin_m"), true));
    cJSON_AddNumberToObject(object, "edge_m", record_number(file, "edge_m"));
    const int code = add_base64(object, "runs", number, 4 * count * sizeof *number, failure);
    free(number);
    return code;
}

static int add_blocks(cJSON *run, const struct run_folder *folder, struct failure *failure)
{
    struct failure why = {0};
    cJSON *file = NULL;
    char *path = run_folder_file(folder, RUN_BLOCKS_FILE);
    if (path == NULL)
        return failure_memory(failure, 100, "a path");
    int code = json_file_read(path, BLOCKS_MOST, &file, &why);
    free(path);
    if (code == FAILURE_INPUT)
        return add_absent(run, folder, "blocks", why.sentence, failure);
    if (code != 0)
        return failure_forward(failure, &why);
    code = put_blocks(run, folder, file, failure);
    cJSON_Delete(file);
    return code;
}

int report_geometry_add(cJSON *run, const struct run_folder *folder, struct mesh *kept,
                        struct failure *failure)
{
    TRY(add_mesh(run, folder, kept, failure));
    return add_blocks(run, folder, failure);
}
