#include <stdlib.h>
#include <string.h>

#include "geometry/base/text_buffer.h"
#include "geometry/import/gltf_parts.h"

#define NAME_BYTES_MAX 1000 /* Assimp's strings end before 1024 */

struct writing {
    const struct gltf_parts *parts;
    struct text_buffer text;
};

#define PRINT(writing, ...) TRY(text_print(&(writing)->text, (writing)->parts->failure, __VA_ARGS__))

static int put_name(struct writing *writing, const cJSON *object)
{
    const cJSON *name = gltf_item(object, "name");
    if (!cJSON_IsString(name) || name->valuestring[0] == '\0')
        return 0;
    PRINT(writing, "\"name\":\"");
    const char *text = name->valuestring;
    for (size_t k = 0; text[k] != '\0' && k < NAME_BYTES_MAX; ++k) {
        const unsigned char c = (unsigned char)text[k];
        if (c == '"' || c == '\\')
            PRINT(writing, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            PRINT(writing, " ");
        else
            TRY(text_put(&writing->text, text + k, 1, writing->parts->failure));
    }
    PRINT(writing, "\",");
    return 0;
}

/* Write the checked numbers of the list `key`. Nine digits identify a float. */
static int put_numbers(struct writing *writing, const cJSON *object, const char *key)
{
    const cJSON *item, *list = gltf_item(object, key);
    const char *between = "";
    if (list == NULL || cJSON_GetArraySize(list) == 0)
        return 0;
    PRINT(writing, "\"%s\":[", key);
    cJSON_ArrayForEach(item, list)
    {
        PRINT(writing, "%s%.9g", between, (double)(float)item->valuedouble);
        between = ",";
    }
    PRINT(writing, "],");
    return 0;
}

/* Write the numbers of nodes of the list `key`, and `more` numbers from `first` on. */
static int put_references(struct writing *writing, const cJSON *object, const char *key, size_t first,
                          uint64_t more)
{
    const cJSON *item, *list = gltf_item(object, key);
    const char *between = "";
    if ((list == NULL || list->child == NULL) && more == 0)
        return 0;
    PRINT(writing, "\"%s\":[", key);
    cJSON_ArrayForEach(item, list)
    {
        PRINT(writing, "%s%.0f", between, item->valuedouble);
        between = ",";
    }
    for (uint64_t k = 0; k < more; ++k) {
        PRINT(writing, "%s%zu", between, first + (size_t)k);
        between = ",";
    }
    PRINT(writing, "],");
    return 0;
}

static int put_node(struct writing *writing, size_t n)
{
    const struct gltf_parts *parts = writing->parts;
    const cJSON *item = parts->nodes.item[n];
    const struct gltf_instances *instances =
        parts->instanced[n] != GLTF_NONE ? &parts->instances[parts->instanced[n]] : NULL;
    uint32_t mesh;
    PRINT(writing, "%s{", n > 0 ? "," : "");
    if (!parts->hidden[n])
        TRY(put_name(writing, item));
    TRY(put_references(writing, item, "children", instances != NULL ? instances->first : 0,
                       instances != NULL ? instances->count : 0));
    TRY(put_numbers(writing, item, "matrix"));
    TRY(put_numbers(writing, item, "translation"));
    TRY(put_numbers(writing, item, "rotation"));
    TRY(put_numbers(writing, item, "scale"));
    TRY(gltf_read_reference(parts, "nodes", n, item, "mesh", parts->meshes.count, &mesh));
    if (mesh != GLTF_NONE && parts->mesh[mesh].count > 0 && !parts->hidden[n] && instances == NULL)
        PRINT(writing, "\"mesh\":%u,", mesh);
    PRINT(writing, "\"extras\":{}}"); /* closes the last comma */
    return 0;
}

static int put_nodes(struct writing *writing, struct gltf_plain *plain)
{
    const struct gltf_parts *parts = writing->parts;
    PRINT(writing, "\"nodes\":[");
    for (size_t n = 0; n < parts->nodes.count; ++n)
        TRY(put_node(writing, n));
    plain->placed_at = writing->text.size;
    for (size_t i = 0; i < parts->instances_count; ++i)
        for (uint64_t k = 0; k < parts->instances[i].count; ++k)
            PRINT(writing, ",{\"mesh\":%u}", parts->instances[i].mesh);
    PRINT(writing, "]}\n");
    return 0;
}

static int put_meshes(struct writing *writing)
{
    const struct gltf_parts *parts = writing->parts;
    PRINT(writing, "\"meshes\":[");
    for (size_t m = 0; m < parts->meshes.count; ++m) {
        PRINT(writing, "%s{\"primitives\":[", m > 0 ? "," : "");
        for (size_t p = 0; p < parts->mesh[m].count; ++p) {
            const struct gltf_primitive *primitive = &parts->primitive[parts->mesh[m].first + p];
            PRINT(writing, "%s{\"attributes\":{\"POSITION\":%u}", p > 0 ? "," : "", primitive->position);
            if (primitive->indices != GLTF_NONE)
                PRINT(writing, ",\"indices\":%u", primitive->indices);
            if (primitive->material != GLTF_NONE)
                PRINT(writing, ",\"material\":%u", primitive->material);
            PRINT(writing, ",\"mode\":%d}", primitive->mode);
        }
        PRINT(writing, "]}");
    }
    PRINT(writing, "],\n\"materials\":[");
    for (size_t m = 0; m < parts->materials.count; ++m) {
        PRINT(writing, "%s{", m > 0 ? "," : "");
        TRY(put_name(writing, parts->materials.item[m]));
        PRINT(writing, "\"extras\":{}}");
    }
    PRINT(writing, "],\n");
    return 0;
}

static const char *type_of(unsigned components)
{
    static const char *const names[5] = {"SCALAR", "SCALAR", "VEC2", "VEC3", "VEC4"};
    return components <= 4 ? names[components] : components == 9 ? "MAT3" : "MAT4";
}

static int put_data(struct writing *writing)
{
    const struct gltf_parts *parts = writing->parts;
    PRINT(writing, "\"accessors\":[");
    for (size_t a = 0; a < parts->accessors.count; ++a) {
        const struct gltf_accessor *accessor = &parts->accessor[a];
        PRINT(writing, "%s{", a > 0 ? "," : "");
        if (accessor->view != GLTF_NONE)
            PRINT(writing, "\"bufferView\":%u,\"byteOffset\":%llu,", accessor->view,
                  (unsigned long long)accessor->offset);
        PRINT(writing, "\"componentType\":%d,\"count\":%llu,\"type\":\"%s\"}", accessor->component,
              (unsigned long long)accessor->count, type_of(accessor->components));
    }
    PRINT(writing, "],\n\"bufferViews\":[");
    for (size_t v = 0; v < parts->views.count; ++v) {
        const struct gltf_view *view = &parts->view[v];
        PRINT(writing, "%s{\"buffer\":%u,\"byteOffset\":%llu,\"byteLength\":%llu", v > 0 ? "," : "",
              view->buffer, (unsigned long long)view->offset, (unsigned long long)view->length);
        if (view->stride > 0)
            PRINT(writing, ",\"byteStride\":%llu", (unsigned long long)view->stride);
        PRINT(writing, "}");
    }
    PRINT(writing, "],\n\"buffers\":[");
    for (size_t b = 0; b < parts->buffers.count; ++b) {
        char name[GLTF_BUFFER_NAME_SIZE];
        const cJSON *length = gltf_item(parts->buffers.item[b], "byteLength");
        gltf_buffer_name(b, name);
        PRINT(writing, "%s{\"byteLength\":%.0f,\"uri\":\"%s\"}", b > 0 ? "," : "", length->valuedouble, name);
    }
    PRINT(writing, "],\n");
    return 0;
}

static int put_scene(struct writing *writing, struct gltf_plain *plain)
{
    PRINT(writing, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{");
    TRY(put_references(writing, writing->parts->scene, "nodes", 0, 0));
    PRINT(writing, "\"extras\":{}}],\n");
    TRY(put_meshes(writing));
    TRY(put_data(writing));
    return put_nodes(writing, plain);
}

int gltf_write_plain(const struct gltf_parts *parts, struct gltf_plain *plain)
{
    struct writing writing = {.parts = parts};
    const int status = put_scene(&writing, plain);
    if (status != 0) {
        free(writing.text.data);
        return status;
    }
    plain->text = writing.text.data;
    plain->size = writing.text.size;
    return 0;
}
