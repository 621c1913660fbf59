#include "geometry/mesh/gltf_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/base64.h"
#include "geometry/base/utf8.h"
#include "geometry/base/whole_file.h"
#include "geometry/mesh/marker_name.h"
#include "geometry/mesh/material_colour.h"
#include "geometry/mesh/material_order.h"

enum { TYPE_FLOAT = 5126, TYPE_UINT32 = 5125, TARGET_VERTICES = 34962, TARGET_INDICES = 34963 };

/* One material's part of the buffer: its positions, then its indices. */
struct part {
    uint16_t material;
    uint32_t vertices, indices;
    uint64_t offset; /* of the positions [bytes] */
    float low[3], high[3];
};

struct buffer {
    unsigned char *data;
    uint64_t size;
    size_t part_count;
    struct part *part;
};

/* All numbers of glTF are little-endian. */
static void put_u32(unsigned char *to, uint32_t value)
{
    for (int byte = 0; byte < 4; ++byte)
        to[byte] = (unsigned char)(value >> (8 * byte));
}

static void put_float(unsigned char *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(to, bits);
}

static void to_gltf_axes(const double position[3], double out[3])
{
    out[0] = position[0];
    out[1] = position[2];
    out[2] = 0.0 - position[1]; /* no -0 */
}

/* local[v] is the index of mesh vertex v in the part; UINT32_MAX: none yet. */
static void fill_part(const struct mesh *mesh, const struct material_order *order, struct part *part,
                      uint32_t *local, unsigned char *data)
{
    const size_t begin = order->begin[part->material], end = order->begin[part->material + 1u];
    unsigned char *vertex = data + part->offset;
    unsigned char *index = vertex + UINT64_C(12) * part->vertices;
    uint32_t made = 0;
    for (size_t k = begin; k < end; ++k)
        for (int corner = 0; corner < 3; ++corner) {
            const uint32_t v = mesh->triangle[order->triangle[k]][corner];
            if (local[v] == UINT32_MAX) {
                double turned[3];
                to_gltf_axes(mesh->vertex[v], turned);
                for (int axis = 0; axis < 3; ++axis) {
                    const float value = (float)turned[axis];
                    part->low[axis] = made == 0 || value < part->low[axis] ? value : part->low[axis];
                    part->high[axis] = made == 0 || value > part->high[axis] ? value : part->high[axis];
                    put_float(vertex + UINT64_C(12) * made + 4 * axis, value);
                }
                local[v] = made++;
            }
            put_u32(index, local[v]);
            index += 4;
        }
    for (size_t k = begin; k < end; ++k)
        for (int corner = 0; corner < 3; ++corner)
            local[mesh->triangle[order->triangle[k]][corner]] = UINT32_MAX;
}

static uint32_t count_vertices(const struct mesh *mesh, const struct material_order *order, uint16_t material,
                               uint32_t *local)
{
    uint32_t count = 0;
    const size_t begin = order->begin[material], end = order->begin[material + 1u];
    for (size_t k = begin; k < end; ++k)
        for (int corner = 0; corner < 3; ++corner) {
            uint32_t *seen = &local[mesh->triangle[order->triangle[k]][corner]];
            count += *seen == UINT32_MAX ? 1 : 0;
            *seen = 0;
        }
    for (size_t k = begin; k < end; ++k)
        for (int corner = 0; corner < 3; ++corner)
            local[mesh->triangle[order->triangle[k]][corner]] = UINT32_MAX;
    return count;
}

static int make_buffer(const struct mesh *mesh, struct buffer *out, struct failure *failure)
{
    int status;
    struct material_order order = {0};
    struct buffer buffer = {0};
    uint32_t *local = malloc(mesh->vertex_count * sizeof local[0]);
    buffer.part = calloc(mesh->material_count, sizeof buffer.part[0]);
    if (local == NULL || buffer.part == NULL) {
        status = failure_memory(
            failure, mesh->vertex_count * sizeof local[0] + mesh->material_count * sizeof buffer.part[0],
            "the buffer of a glTF file");
        goto done;
    }
    memset(local, 0xFF, mesh->vertex_count * sizeof local[0]);
    if ((status = material_order_make(mesh, &order, failure)) != 0)
        goto done;
    for (size_t m = 0; m < mesh->material_count; ++m) {
        const size_t triangles = order.begin[m + 1] - order.begin[m];
        if (triangles == 0)
            continue;
        if (triangles > UINT32_MAX / 12) {
            status = failure_set(failure, FAILURE_OUTPUT,
                                 "%zu triangles of one material do not fit into glTF", triangles);
            goto done;
        }
        struct part *part = &buffer.part[buffer.part_count++];
        part->material = (uint16_t)m;
        part->vertices = count_vertices(mesh, &order, part->material, local);
        part->indices = (uint32_t)(3 * triangles);
        part->offset = buffer.size;
        buffer.size += UINT64_C(12) * part->vertices + UINT64_C(4) * part->indices;
    }
    buffer.data = malloc(buffer.size);
    if (buffer.data == NULL) {
        status = failure_memory(failure, buffer.size, "the buffer of a glTF file");
        goto done;
    }
    for (size_t p = 0; p < buffer.part_count; ++p)
        fill_part(mesh, &order, &buffer.part[p], local, buffer.data);
    *out = buffer;
    buffer = (struct buffer){0};
done:
    free(local);
    free(buffer.part);
    free(buffer.data);
    material_order_free(&order);
    return status;
}

static void put_json_text(FILE *stream, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at != '\0') {
        const size_t length = utf8_length(at, NULL);
        if (length == 0) {
            (void)fputc('_', stream);
            ++at;
        } else if (*at < 0x20) {
            (void)fprintf(stream, "\\u%04x", *at++);
        } else {
            if (*at == '"' || *at == '\\')
                (void)fputc('\\', stream);
            (void)fwrite(at, 1, length, stream);
            at += length;
        }
    }
}

static void put_nodes(FILE *stream, const struct mesh *mesh)
{
    (void)fputs("\"scene\": 0,\n\"scenes\": [{\"nodes\": [0", stream);
    for (size_t m = 0; m < mesh->marker_count; ++m)
        (void)fprintf(stream, ", %zu", m + 1);
    (void)fputs("]}],\n\"nodes\": [\n {\"name\": \"room\", \"mesh\": 0}", stream);
    for (size_t m = 0; m < mesh->marker_count; ++m) {
        const struct mesh_marker *marker = &mesh->marker[m];
        double turned[3];
        to_gltf_axes(marker->position, turned);
        (void)fprintf(stream, ",\n {\"name\": \"%s:", marker_kind_name(marker->kind));
        put_json_text(stream, marker->name);
        (void)fprintf(stream, "\", \"translation\": [%.17g, %.17g, %.17g]}", turned[0], turned[1], turned[2]);
    }
    (void)fputs("\n],\n", stream);
}

static void put_materials(FILE *stream, const struct mesh *mesh, const struct buffer *buffer)
{
    (void)fputs("\"materials\": [", stream);
    for (size_t p = 0; p < buffer->part_count; ++p) {
        double rgb[3];
        const char *name = mesh->material[buffer->part[p].material];
        material_colour(name, rgb);
        (void)fprintf(stream, "%s\n {\"name\": \"", p > 0 ? "," : "");
        put_json_text(stream, name);
        /* glTF's colours are linear, the palette is sRGB. */
        (void)fprintf(stream,
                      "\", \"doubleSided\": true, \"pbrMetallicRoughness\": {\"baseColorFactor\": "
                      "[%.4f, %.4f, %.4f, 1], \"metallicFactor\": 0, \"roughnessFactor\": 1}}",
                      pow(rgb[0], 2.2), pow(rgb[1], 2.2), pow(rgb[2], 2.2));
    }
    (void)fputs("\n],\n", stream);
}

/* Buffer view and accessor 2p are the positions of part p, 2p + 1 its indices. */
static void put_parts(FILE *stream, const struct buffer *buffer)
{
    (void)fputs("\"meshes\": [{\"name\": \"room\", \"primitives\": [", stream);
    for (size_t p = 0; p < buffer->part_count; ++p)
        (void)fprintf(stream,
                      "%s\n {\"attributes\": {\"POSITION\": %zu}, \"indices\": %zu, \"material\": %zu}",
                      p > 0 ? "," : "", 2 * p, 2 * p + 1, p);
    (void)fputs("\n]}],\n\"accessors\": [", stream);
    for (size_t p = 0; p < buffer->part_count; ++p) {
        const struct part *part = &buffer->part[p];
        (void)fprintf(stream,
                      "%s\n {\"bufferView\": %zu, \"componentType\": %d, \"count\": %u, \"type\": \"VEC3\", "
                      "\"min\": [%.9g, %.9g, %.9g], \"max\": [%.9g, %.9g, %.9g]}",
                      p > 0 ? "," : "", 2 * p, TYPE_FLOAT, part->vertices, (double)part->low[0],
                      (double)part->low[1], (double)part->low[2], (double)part->high[0],
                      (double)part->high[1], (double)part->high[2]);
        (void)fprintf(stream,
                      ",\n {\"bufferView\": %zu, \"componentType\": %d, \"count\": %u, \"type\": \"SCALAR\"}",
                      2 * p + 1, TYPE_UINT32, part->indices);
    }
    (void)fputs("\n],\n\"bufferViews\": [", stream);
    for (size_t p = 0; p < buffer->part_count; ++p) {
        const struct part *part = &buffer->part[p];
        const unsigned long long positions = 12ull * part->vertices, offset = part->offset;
        (void)fprintf(stream,
                      "%s\n {\"buffer\": 0, \"byteOffset\": %llu, \"byteLength\": %llu, \"target\": %d},"
                      "\n {\"buffer\": 0, \"byteOffset\": %llu, \"byteLength\": %llu, \"target\": %d}",
                      p > 0 ? "," : "", offset, positions, TARGET_VERTICES, offset + positions,
                      4ull * part->indices, TARGET_INDICES);
    }
    (void)fputs("\n],\n", stream);
}

static void put_json(FILE *stream, const struct mesh *mesh, const struct buffer *buffer, bool embedded)
{
    (void)fputs("{\n\"asset\": {\"version\": \"2.0\", \"generator\": \"transept\"},\n", stream);
    put_nodes(stream, mesh);
    put_materials(stream, mesh, buffer);
    put_parts(stream, buffer);
    (void)fprintf(stream, "\"buffers\": [{\"byteLength\": %llu", (unsigned long long)buffer->size);
    if (embedded) {
        (void)fputs(", \"uri\": \"data:application/octet-stream;base64,", stream);
        base64_write(stream, buffer->data, buffer->size);
        (void)fputc('"', stream);
    }
    (void)fputs("}]\n}\n", stream);
}

/* Header, JSON chunk padded with blanks, binary chunk (always a multiple of 4 bytes). */
static int put_glb(FILE *stream, const struct mesh *mesh, const struct buffer *buffer, const char *path,
                   struct failure *failure)
{
    int status = 0;
    char *json = NULL;
    size_t json_size = 0;
    unsigned char word[20];
    FILE *text = open_memstream(&json, &json_size);
    if (text == NULL)
        return failure_memory(failure, 0, "the text of a glTF file");
    put_json(text, mesh, buffer, false);
    while (ftell(text) % 4 != 0 && !ferror(text))
        (void)fputc(' ', text);
    const bool incomplete = ferror(text) != 0;
    if (fclose(text) != 0 || incomplete || json == NULL) { /* glibc shrinks it at the end */
        status = failure_memory(failure, json_size, "the text of a glTF file");
        goto done;
    }
    const uint64_t total = 12 + 8 + json_size + 8 + buffer->size;
    if (total > UINT32_MAX) {
        status = failure_set(failure, FAILURE_OUTPUT,
                             "%s would have %llu bytes; GLB holds 4 GiB at most: write an .obj", path,
                             (unsigned long long)total);
        goto done;
    }
    memcpy(word, "glTF", 4);
    put_u32(word + 4, 2);
    put_u32(word + 8, (uint32_t)total);
    put_u32(word + 12, (uint32_t)json_size);
    memcpy(word + 16, "JSON", 4);
    (void)fwrite(word, 1, 20, stream);
    (void)fwrite(json, 1, json_size, stream);
    put_u32(word, (uint32_t)buffer->size);
    memcpy(word + 4, "BIN\0", 4);
    (void)fwrite(word, 1, 8, stream);
    (void)fwrite(buffer->data, 1, buffer->size, stream);
done:
    free(json);
    return status;
}

int gltf_stage(const struct mesh *mesh, const char *path, bool binary, struct whole_file *out,
               struct failure *failure)
{
    int status;
    struct whole_file file = {0};
    struct buffer buffer = {0};
    if ((status = make_buffer(mesh, &buffer, failure)) != 0 ||
        (status = whole_file_open(&file, path, failure)) != 0)
        goto done;
    if (!binary)
        put_json(file.stream, mesh, &buffer, true);
    else if ((status = put_glb(file.stream, mesh, &buffer, path, failure)) != 0)
        goto done;
    if ((status = whole_file_settle(&file, failure)) == 0) {
        *out = file;
        file = (struct whole_file){0};
    }
done:
    whole_file_abandon(&file);
    free(buffer.part);
    free(buffer.data);
    return status;
}

int gltf_write(const struct mesh *mesh, const char *path, bool binary, struct failure *failure)
{
    struct whole_file file = {0};
    int status = gltf_stage(mesh, path, binary, &file, failure);
    if (status == 0)
        status = whole_file_commit(&file, failure);
    whole_file_abandon(&file);
    return status;
}
