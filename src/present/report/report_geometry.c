#include "src/present/report/report_geometry.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/import/mesh_import.h"
#include "geometry/mesh/material_colour.h"
#include "geometry/mesh/material_order.h"
#include "src/base/interrupt.h"
#include "src/base/json_entries.h"
#include "src/base/json_memory.h"
#include "src/base/options/failure_text.h"
#include "src/run_folder/run_geometry.h"
#include "src/base/words/words.h"

#define BLOCKS_MOST ((size_t)64 << 20) /* bytes of blocks.json */

/* Record why a part is absent: the sentence of a failure without its paths. */
static int set_why(char **to, const struct run_folder *folder, const char *why, struct failure *failure)
{
    return report_reason_set(to, folder, why) ? 0 : report_no_memory(failure);
}

/* ---- the mesh ---- */

static const char *library_name_of(const struct run_model *model, const char *name)
{
    for (size_t m = 0; m < model->room.materials.count; m++)
        if (same_name(model->room.materials.item[m].name, name))
            return model->room.materials.item[m].library_name;
    return NULL;
}

void report_surface_colour(const struct run_model *model, const char *name, double rgb[3])
{
    const char *const known = library_name_of(model, name);
    material_colour(known != NULL ? known : name, rgb);
}

static bool fill_surfaces(struct report_mesh *out, const struct run_model *model, const struct mesh *mesh,
                          const struct material_order *order)
{
    if (!JSON_LIST_MAKE(&report_surface_table, &out->surfaces, mesh->material_count))
        return false;
    for (size_t m = 0; m < mesh->material_count; m++) {
        struct report_surface *surface = &out->surfaces.item[m];
        double rgb[3];
        report_surface_colour(model, mesh->material[m], rgb);
        surface->library_name = library_name_of(model, mesh->material[m]);
        for (int c = 0; c < 3; c++)
            surface->colour[c] = report_rounded(rgb[c], 4);
        surface->first_triangle = (double)order->begin[m];
        surface->triangles = (double)(order->begin[m + 1] - order->begin[m]);
        if (!report_name_set(&surface->name, mesh->material[m]))
            return false;
    }
    return true;
}

static int fill_mesh(struct report_mesh *out, const struct run_model *model, const struct mesh *mesh,
                     struct failure *failure)
{
    struct material_order order = {0};
    float(*position)[3] = out->positions.data = malloc((mesh->vertex_count + 1) * sizeof *position);
    uint32_t(*index)[3] = out->indices.data = malloc((mesh->triangle_count + 1) * sizeof *index);
    if (position == NULL || index == NULL)
        return report_no_memory(failure);
    TRY(material_order_make(mesh, &order, failure));
    out->positions.size = mesh->vertex_count * sizeof *position;
    out->indices.size = mesh->triangle_count * sizeof *index;
    for (size_t v = 0; v < mesh->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++)
            position[v][axis] = (float)mesh->vertex[v][axis];
    for (size_t t = 0; t < mesh->triangle_count; t++)
        memcpy(index[t], mesh->triangle[order.triangle[t]], sizeof index[t]);
    const bool done = fill_surfaces(out, model, mesh, &order);
    material_order_free(&order);
    return done ? 0 : report_no_memory(failure);
}

static int add_mesh(struct report_run *run, const struct run_folder *folder, struct failure *failure)
{
    char text[FAILURE_TEXT_MAX];
    struct failure why = {0};
    const struct mesh_import_options options = {.interrupted = &interrupt_seen};
    char *path = run_folder_file(folder, RUN_MESH_FILE);
    if (path == NULL)
        return report_no_memory(failure);
    const int code = mesh_import(path, &options, &run->shape, NULL, &why);
    free(path);
    if (code == FAILURE_INPUT)
        return set_why(&run->mesh_why, folder, failure_text(&why, text), failure);
    if (code != 0)
        return failure_forward(failure, &why);
    if (run->shape.triangle_count > REPORT_TRIANGLES_MOST)
        return set_why(&run->mesh_why, folder, T("the model has too many triangles for a page"), failure);
    run->mesh = json_make(&report_mesh_table);
    return run->mesh != NULL ? fill_mesh(run->mesh, run->model, &run->shape, failure)
                             : report_no_memory(failure);
}

/* ---- the blocks ---- */

static bool read_lines(void *member, const cJSON *object, const void *with)
{
    const cJSON *lines = cJSON_GetObjectItemCaseSensitive(object, "runs"), *entry, *item;
    const size_t count = (size_t)cJSON_GetArraySize(lines);
    struct report_bytes *out = member;
    (void)with;
    int32_t *to = out->data = malloc((4 * count + 1) * sizeof *to);
    if (to == NULL)
        return false;
    cJSON_ArrayForEach(entry, lines)
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
    out->size = 4 * count * sizeof *to;
    if (to != (int32_t *)out->data + 4 * count) {
        free(out->data);
        out->data = NULL;
    }
    return true;
}

static void free_lines(void *member)
{
    free(((struct report_bytes *)member)->data);
}

static const struct json_own lines_json = {.read = read_lines, .free = free_lines};

/* The content of blocks.json; `lines` is absent if one of them is not valid. */
#define TYPE report_blocks
OWN_TABLE(blocks_file, POINT("origin_m", origin), NUMBER("edge_m", edge),
          JSON_FIELD_OWN(struct TYPE, lines, lines_json, NULL));
#undef TYPE

/* Why a page cannot show them; NULL: it can. */
static const char *fault_of(const struct report_blocks *blocks)
{
    const size_t count = blocks->lines.size / (4 * sizeof(int32_t));
    if (!(blocks->edge > 0) || isnan(blocks->origin[0]) || count == 0)
        return RUN_BLOCKS_FILE " holds no blocks";
    if (count > REPORT_BLOCK_RUNS_MOST)
        return T("there are too many blocks for a page");
    return blocks->lines.data == NULL ? RUN_BLOCKS_FILE " has an entry that is not a block" : NULL;
}

static int add_blocks(struct report_run *run, const struct run_folder *folder, struct failure *failure)
{
    struct failure why = {0};
    cJSON *root = NULL;
    char *path = run_folder_file(folder, RUN_BLOCKS_FILE);
    if (path == NULL)
        return report_no_memory(failure);
    int code = json_file_read(path, BLOCKS_MOST, &root, &why);
    free(path);
    if (code == FAILURE_INPUT)
        return set_why(&run->blocks_why, folder, why.sentence, failure);
    if (code != 0)
        return failure_forward(failure, &why);
    run->blocks = json_make(&report_blocks_table);
    if (run->blocks == NULL || !json_read(&blocks_file_table, root, run->blocks))
        code = report_no_memory(failure);
    cJSON_Delete(root);
    const char *fault = code == 0 ? fault_of(run->blocks) : NULL;
    if (fault == NULL)
        return code;
    json_free_members(&report_blocks_table, run->blocks);
    free(run->blocks);
    run->blocks = NULL;
    return set_why(&run->blocks_why, folder, fault, failure);
}

int report_geometry_add(struct report_run *run, const struct run_folder *folder, struct failure *failure)
{
    TRY(add_mesh(run, folder, failure));
    return add_blocks(run, folder, failure);
}
