#include "geometry/import/gltf_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/import/gltf_parts.h"
#include "geometry/import/resource_uri.h"
#include "geometry/mesh/mesh.h"

#define WHOLE_MAX (UINT64_C(1) << 53) /* whole numbers that a double holds */
#define WHOLE     "it must be a whole number from 0"

enum { MODE_TRIANGLES = 4, MODE_STRIP, MODE_FAN, MODES };

static void *allocate_parts(const struct gltf_parts *parts, size_t count, size_t size)
{
    void *made = calloc(count + 1, size);
    if (made == NULL)
        (void)failure_memory(parts->failure, (count + 1) * size, "the parts of a glTF file");
    return made;
}

/* ---- lists ---- */

static int find_list(struct gltf_parts *parts, const char *key, size_t limit, struct gltf_list *list)
{
    const cJSON *array = gltf_item(parts->root, key);
    if (array != NULL && !cJSON_IsArray(array))
        return failure_set(parts->failure, FAILURE_INPUT, "\"%s\" is not a list", key);
    size_t count = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, array)++ count;
    if (count > limit)
        return failure_set(parts->failure, FAILURE_INPUT, "\"%s\" holds %zu objects; the limit is %zu", key,
                           count, limit);
    list->item = allocate_parts(parts, count, sizeof list->item[0]);
    if (list->item == NULL)
        return FAILURE_CAPACITY;
    cJSON_ArrayForEach(item, array)
    {
        if (!cJSON_IsObject(item))
            return gltf_refuse(parts, key, list->count, "it is not an object");
        list->item[list->count++] = item;
    }
    return 0;
}

static int find_lists(struct gltf_parts *parts)
{
    const size_t any = GLTF_JSON_VALUES_MAX;
    TRY(find_list(parts, "nodes", GLTF_NODES_MAX, &parts->nodes));
    TRY(find_list(parts, "meshes", any, &parts->meshes));
    TRY(find_list(parts, "materials", MESH_MATERIALS_MAX, &parts->materials));
    TRY(find_list(parts, "accessors", any, &parts->accessors));
    TRY(find_list(parts, "bufferViews", any, &parts->views));
    return find_list(parts, "buffers", GLTF_BUFFERS_MAX, &parts->buffers);
}

/* ---- version ---- */

static bool begins_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static int check_asset(const struct gltf_parts *parts)
{
    const cJSON *asset = gltf_item(parts->root, "asset");
    const cJSON *version = gltf_item(asset, "version");
    if (!cJSON_IsString(version))
        return failure_set(parts->failure, FAILURE_INPUT,
                           "it has no asset.version, so it is not glTF: export it as glTF 2.0");
    if (!begins_with(version->valuestring, "2."))
        return failure_set(parts->failure, FAILURE_INPUT,
                           "it is glTF %.20s, and only glTF 2.0 is read: export it as 2.0",
                           version->valuestring);
    return gltf_check_extensions(parts);
}

/* ---- buffers, views, accessors ---- */

static int read_buffers(struct gltf_parts *parts, const unsigned char *chunk, size_t chunk_size,
                        struct gltf_plain *plain)
{
    static const char key[] = "buffers";
    plain->buffer = allocate_parts(parts, parts->buffers.count, sizeof plain->buffer[0]);
    parts->no_data = allocate_parts(parts, parts->buffers.count, sizeof parts->no_data[0]);
    if (plain->buffer == NULL || parts->no_data == NULL)
        return FAILURE_CAPACITY;
    plain->buffer_count = parts->buffers.count;
    for (size_t b = 0; b < parts->buffers.count; ++b) {
        struct gltf_buffer *buffer = &plain->buffer[b];
        struct failure inner = {0};
        uint64_t length = 0;
        TRY(gltf_read_number(parts, key, b, parts->buffers.item[b], "byteLength", GLTF_BUFFER_BYTES_MAX + 1,
                             "it must be a whole number of at most 4 GiB", &length));
        if (length == 0)
            return gltf_refuse(parts, key, b, "it has no byteLength, or one of 0");
        buffer->size = (size_t)length;
        const cJSON *uri = gltf_item(parts->buffers.item[b], "uri");
        if (uri != NULL && !cJSON_IsString(uri))
            return gltf_refuse(parts, key, b, "uri is not text");
        /* Only a reader of the extension can fill it. */
        if (uri == NULL && (parts->no_data[b] = gltf_packed_by(parts->buffers.item[b])) != NULL)
            continue;
        if (uri == NULL && (b > 0 || chunk == NULL))
            return gltf_refuse(parts, key, b, "it has no uri%s",
                               b > 0 ? "" : ", and the file has no binary chunk");
        if (uri == NULL && chunk_size < buffer->size)
            return gltf_refuse(parts, key, b, "byteLength is %zu, but the binary chunk has %zu bytes",
                               buffer->size, chunk_size);
        if (uri == NULL) {
            buffer->bytes = chunk;
            continue;
        }
        int status;
        if (resource_uri_is_data(uri->valuestring)) {
            size_t decoded;
            status = resource_uri_data(uri->valuestring, buffer->size, &buffer->decoded, &decoded, &inner);
            buffer->bytes = buffer->decoded;
        } else {
            status = resource_uri_path(uri->valuestring, &buffer->path, &inner);
        }
        if (status != 0)
            return inner.code == FAILURE_INPUT ? gltf_refuse(parts, key, b, "%s", inner.sentence)
                                               : failure_forward(parts->failure, &inner);
    }
    return 0;
}

static int read_views(struct gltf_parts *parts, const struct gltf_plain *plain)
{
    static const char key[] = "bufferViews";
    parts->view = allocate_parts(parts, parts->views.count, sizeof parts->view[0]);
    if (parts->view == NULL)
        return FAILURE_CAPACITY;
    for (size_t v = 0; v < parts->views.count; ++v) {
        const cJSON *item = parts->views.item[v];
        struct gltf_view *view = &parts->view[v];
        TRY(gltf_read_reference(parts, key, v, item, "buffer", parts->buffers.count, &view->buffer));
        TRY(gltf_read_number(parts, key, v, item, "byteOffset", WHOLE_MAX, WHOLE, &view->offset));
        TRY(gltf_read_number(parts, key, v, item, "byteLength", WHOLE_MAX, WHOLE, &view->length));
        TRY(gltf_read_number(parts, key, v, item, "byteStride", 253, "it must be 4 to 252", &view->stride));
        if (view->buffer == GLTF_NONE)
            return gltf_refuse(parts, key, v, "it has no buffer");
        if (view->length == 0)
            return gltf_refuse(parts, key, v, "it has no byteLength, or one of 0");
        const size_t size = plain->buffer[view->buffer].size;
        if (view->length > size || view->offset > size - view->length)
            return gltf_refuse(
                parts, key, v, "byteOffset %llu and byteLength %llu reach past the %zu bytes of buffers[%u]",
                (unsigned long long)view->offset, (unsigned long long)view->length, size, view->buffer);
    }
    return 0;
}

/* 0 for an unknown type. */
static unsigned components_of(const char *type)
{
    static const struct {
        const char *name;
        unsigned components;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                 {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; ++t)
        if (strcmp(type, types[t].name) == 0)
            return types[t].components;
    return 0;
}

/* Numbers are below 2^53 and the stride below 2^8, so no product or sum of 64 bits wraps. */
static int check_reach(const struct gltf_parts *parts, size_t a)
{
    const struct gltf_accessor *accessor = &parts->accessor[a];
    const struct gltf_view *view = &parts->view[accessor->view];
    const uint64_t element = (uint64_t)gltf_component_bytes(accessor->component) * accessor->components;
    const uint64_t stride = view->stride == 0 ? element : view->stride;
    if (stride < element)
        return gltf_refuse(
            parts, "accessors", a,
            "its elements of %llu bytes are longer than the byteStride %llu of bufferViews[%u]",
            (unsigned long long)element, (unsigned long long)stride, accessor->view);
    if (accessor->count == 0 || accessor->offset + (accessor->count - 1) * stride + element <= view->length)
        return 0;
    return gltf_refuse(
        parts, "accessors", a,
        "byteOffset %llu and count %llu of elements every %llu bytes reach past the %llu bytes of "
        "bufferViews[%u]",
        (unsigned long long)accessor->offset, (unsigned long long)accessor->count, (unsigned long long)stride,
        (unsigned long long)view->length, accessor->view);
}

static int read_accessors(struct gltf_parts *parts)
{
    static const char key[] = "accessors";
    parts->accessor = allocate_parts(parts, parts->accessors.count, sizeof parts->accessor[0]);
    if (parts->accessor == NULL)
        return FAILURE_CAPACITY;
    for (size_t a = 0; a < parts->accessors.count; ++a) {
        const cJSON *item = parts->accessors.item[a];
        struct gltf_accessor *accessor = &parts->accessor[a];
        uint64_t component = 0;
        TRY(gltf_read_reference(parts, key, a, item, "bufferView", parts->views.count, &accessor->view));
        TRY(gltf_read_number(parts, key, a, item, "byteOffset", WHOLE_MAX, WHOLE, &accessor->offset));
        TRY(gltf_read_number(parts, key, a, item, "count", WHOLE_MAX, WHOLE, &accessor->count));
        TRY(gltf_read_number(parts, key, a, item, "componentType", GLTF_FLOAT + 1, "it must be 5120 to 5126",
                             &component));
        accessor->component = (int)component;
        const cJSON *type = gltf_item(item, "type");
        accessor->components = cJSON_IsString(type) ? components_of(type->valuestring) : 0;
        accessor->sparse = gltf_item(item, "sparse") != NULL;
        if (gltf_component_bytes(accessor->component) == 0)
            return gltf_refuse(parts, key, a, "componentType %d is unknown", accessor->component);
        if (accessor->components == 0)
            return gltf_refuse(parts, key, a, "type is unknown");
        if (accessor->view != GLTF_NONE)
            TRY(check_reach(parts, a));
    }
    return 0;
}

/* ---- meshes ---- */

/* Accessors of POSITION and indices must have uncompressed data in the file. */
static int check_used(struct gltf_parts *parts, uint32_t a, size_t mesh, const char *packed_by, bool indices)
{
    const struct gltf_accessor *accessor = &parts->accessor[a];
    const char *what = indices ? "indices" : "POSITION";
    if (accessor->sparse)
        return gltf_refuse(parts, "accessors", a, "it is sparse, which is not read: export it without");
    if (accessor->view == GLTF_NONE)
        return gltf_refuse(
            parts, "accessors", a,
            "it is %s of meshes[%zu] and has no bufferView: export it without compression (%s)", what, mesh,
            packed_by != NULL ? packed_by : "by Draco or others");
    const uint32_t buffer = parts->view[accessor->view].buffer;
    if (parts->no_data[buffer] != NULL)
        return gltf_refuse(
            parts, "accessors", a,
            "it is %s of meshes[%zu] and compressed by %s, which is not read: export it without", what, mesh,
            parts->no_data[buffer]);
    if (accessor->count == 0)
        return gltf_refuse(parts, "accessors", a, "it is %s of meshes[%zu], but its count is 0 or missing",
                           what, mesh);
    const bool fits = indices ? accessor->components == 1 &&
                                    (accessor->component == GLTF_UBYTE ||
                                     accessor->component == GLTF_USHORT || accessor->component == GLTF_UINT)
                              : accessor->components == 3 && accessor->component == GLTF_FLOAT;
    if (!fits)
        return gltf_refuse(parts, "accessors", a,
                           indices
                               ? "indices must be SCALAR of componentType 5121, 5123 or 5125"
                               : "positions must be VEC3 of componentType 5126 (float): export it without "
                                 "quantization (KHR_mesh_quantization)");
    parts->needed[buffer] = true;
    return 0;
}

static uint64_t triangles_of(int mode, uint64_t corners)
{
    if (mode == MODE_TRIANGLES)
        return corners / 3;
    return mode > MODE_TRIANGLES && corners > 2 ? corners - 2 : 0;
}

static int read_primitive(struct gltf_parts *parts, size_t m, const cJSON *item, struct gltf_mesh *mesh)
{
    static const char key[] = "meshes";
    struct gltf_primitive primitive = {.position = GLTF_NONE};
    const cJSON *attributes = gltf_item(item, "attributes");
    uint64_t mode = MODE_TRIANGLES;
    if (!cJSON_IsObject(attributes))
        return gltf_refuse(parts, key, m, "a primitive has no attributes");
    TRY(gltf_read_reference(parts, key, m, attributes, "POSITION", parts->accessors.count,
                            &primitive.position));
    TRY(gltf_read_reference(parts, key, m, item, "indices", parts->accessors.count, &primitive.indices));
    TRY(gltf_read_reference(parts, key, m, item, "material", parts->materials.count, &primitive.material));
    TRY(gltf_read_number(parts, key, m, item, "mode", MODES, "it must be 0 to 6", &mode));
    if (primitive.position == GLTF_NONE)
        return 0;
    TRY(check_used(parts, primitive.position, m, gltf_packed_by(item), false));
    if (primitive.indices != GLTF_NONE)
        TRY(check_used(parts, primitive.indices, m, gltf_packed_by(item), true));
    primitive.mode = (int)mode;
    const uint64_t vertices = parts->accessor[primitive.position].count;
    const uint64_t corners =
        primitive.indices == GLTF_NONE ? vertices : parts->accessor[primitive.indices].count;
    if (mode == MODE_TRIANGLES && corners % 3 != 0)
        return gltf_refuse(parts, key, m,
                           "a primitive has %llu corners of triangles, which is not a multiple of 3",
                           (unsigned long long)corners);
    if (primitive.indices != GLTF_NONE) {
        uint64_t *limit = &parts->accessor[primitive.indices].index_limit;
        *limit = *limit == 0 || vertices < *limit ? vertices : *limit;
    }
    mesh->vertices += vertices;
    mesh->triangles += triangles_of(primitive.mode, corners);
    TRY(gltf_add_elements(parts, 1, vertices, triangles_of(primitive.mode, corners)));
    parts->primitive[parts->primitive_count++] = primitive;
    ++mesh->count;
    return 0;
}

static int read_meshes(struct gltf_parts *parts)
{
    size_t primitives = 0;
    const cJSON *item;
    parts->needed = allocate_parts(parts, parts->buffers.count, sizeof parts->needed[0]);
    parts->mesh = allocate_parts(parts, parts->meshes.count, sizeof parts->mesh[0]);
    if (parts->needed == NULL || parts->mesh == NULL)
        return FAILURE_CAPACITY;
    for (size_t m = 0; m < parts->meshes.count; ++m) {
        const cJSON *list = gltf_item(parts->meshes.item[m], "primitives");
        if (!cJSON_IsArray(list))
            return gltf_refuse(parts, "meshes", m, "it has no primitives");
        cJSON_ArrayForEach(item, list)++ primitives;
    }
    parts->primitive = allocate_parts(parts, primitives, sizeof parts->primitive[0]);
    if (parts->primitive == NULL)
        return FAILURE_CAPACITY;
    for (size_t m = 0; m < parts->meshes.count; ++m) {
        parts->mesh[m].first = parts->primitive_count;
        const cJSON *list = gltf_item(parts->meshes.item[m], "primitives");
        cJSON_ArrayForEach(item, list) TRY(read_primitive(parts, m, item, &parts->mesh[m]));
    }
    return 0;
}

/* ---- the scene ---- */

static int find_scene(struct gltf_parts *parts)
{
    struct gltf_list scenes = {0};
    uint64_t number = 0;
    int status = find_list(parts, "scenes", GLTF_JSON_VALUES_MAX, &scenes);
    if (status == 0 && scenes.count == 0)
        status = failure_set(parts->failure, FAILURE_INPUT, "it has no scene");
    const cJSON *scene = gltf_item(parts->root, "scene");
    if (status == 0 && scene != NULL) {
        if (!cJSON_IsNumber(scene) || !(scene->valuedouble >= 0) ||
            !(scene->valuedouble < (double)scenes.count))
            status = failure_set(parts->failure, FAILURE_INPUT,
                                 "\"scene\" is not one of the %zu scenes, counted from 0", scenes.count);
        else
            number = (uint64_t)scene->valuedouble;
    }
    if (status == 0)
        parts->scene = scenes.item[number];
    if (status == 0 && scenes.count > 1)
        import_notes_add(parts->notes, IMPORT_HARMLESS, NULL, "only scenes[%llu] of its %zu scenes is read",
                         (unsigned long long)number, scenes.count);
    free(scenes.item);
    return status;
}

/* ---- indices ---- */

static int list_indices(const struct gltf_parts *parts, struct gltf_plain *plain)
{
    plain->indices = allocate_parts(parts, parts->accessors.count, sizeof plain->indices[0]);
    if (plain->indices == NULL)
        return FAILURE_CAPACITY;
    for (size_t a = 0; a < parts->accessors.count; ++a) {
        const struct gltf_accessor *accessor = &parts->accessor[a];
        if (accessor->index_limit == 0)
            continue;
        const struct gltf_view *view = &parts->view[accessor->view];
        const unsigned bytes = gltf_component_bytes(accessor->component);
        plain->indices[plain->indices_count++] =
            (struct gltf_indices){.accessor = a,
                                  .buffer = view->buffer,
                                  .offset = view->offset + accessor->offset,
                                  .stride = view->stride == 0 ? bytes : view->stride,
                                  .count = accessor->count,
                                  .bytes = bytes,
                                  .limit = accessor->index_limit};
    }
    return 0;
}

int gltf_check(const void *bytes, size_t size, bool binary, struct gltf_plain *out, struct failure *failure)
{
    int status;
    const char *text;
    size_t text_size, chunk_size;
    const unsigned char *chunk;
    struct gltf_plain plain = {0};
    struct gltf_parts parts = {.failure = failure, .notes = &plain.notes};
    if ((status = gltf_find_text(bytes, size, binary, &text, &text_size, &chunk, &chunk_size, failure)) !=
            0 ||
        (status = gltf_parse(text, text_size, &parts.root, failure)) != 0 ||
        (status = check_asset(&parts)) != 0 || (status = find_lists(&parts)) != 0 ||
        (status = read_buffers(&parts, chunk, chunk_size, &plain)) != 0 ||
        (status = read_views(&parts, &plain)) != 0 || (status = read_accessors(&parts)) != 0 ||
        (status = read_meshes(&parts)) != 0 || (status = find_scene(&parts)) != 0 ||
        (status = gltf_check_graph(&parts)) != 0 || (status = list_indices(&parts, &plain)) != 0 ||
        (status = gltf_write_plain(&parts, &plain)) != 0)
        goto done;
    gltf_note_variants(&parts);
    plain.instances = parts.instances;
    plain.instances_count = parts.instances_count;
    parts.instances = NULL;
    for (size_t b = 0; b < plain.buffer_count; ++b)
        if (!parts.needed[b]) {
            free(plain.buffer[b].path);
            free(plain.buffer[b].decoded);
            plain.buffer[b] = (struct gltf_buffer){0};
        }
    plain.vertices = parts.vertices;
    plain.triangles = parts.triangles;
    plain.objects = parts.nodes.count + parts.placed + parts.primitive_count + parts.materials.count;
    *out = plain;
    plain = (struct gltf_plain){0};
done:
    gltf_plain_free(&plain);
    gltf_parts_free(&parts);
    return status;
}
