#include "geometry/import/gltf_plain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/text_buffer.h"

void gltf_plain_free(struct gltf_plain *plain)
{
    for (size_t b = 0; b < plain->buffer_count; ++b) {
        free(plain->buffer[b].path);
        free(plain->buffer[b].decoded);
    }
    free(plain->buffer);
    free(plain->indices);
    free(plain->instances);
    free(plain->text);
    *plain = (struct gltf_plain){0};
}

void gltf_buffer_name(size_t index, char name[GLTF_BUFFER_NAME_SIZE])
{
    (void)snprintf(name, GLTF_BUFFER_NAME_SIZE, "buffer%zu", index);
}

unsigned gltf_component_bytes(int component)
{
    switch (component) {
    case GLTF_BYTE:
    case GLTF_UBYTE:
        return 1;
    case GLTF_SHORT:
    case GLTF_USHORT:
        return 2;
    case GLTF_UINT:
    case GLTF_FLOAT:
        return 4;
    default:
        return 0;
    }
}

/* ---- once the buffers are read ---- */

int gltf_check_indices(const struct gltf_plain *plain, struct failure *failure)
{
    for (size_t i = 0; i < plain->indices_count; ++i) {
        const struct gltf_indices *indices = &plain->indices[i];
        const unsigned char *at = plain->buffer[indices->buffer].bytes + indices->offset;
        for (uint64_t k = 0; k < indices->count; ++k, at += indices->stride) {
            uint32_t index = at[0];
            for (unsigned byte = 1; byte < indices->bytes; ++byte)
                index |= (uint32_t)at[byte] << 8 * byte;
            if (index >= indices->limit)
                return failure_set(failure, FAILURE_INPUT,
                                   "accessors[%zu]: index %u at place %llu is not a vertex: its mesh has "
                                   "%llu, counted from 0",
                                   indices->accessor, index, (unsigned long long)k,
                                   (unsigned long long)indices->limit);
        }
    }
    return 0;
}

static double number_at(const unsigned char *at, const struct gltf_values *values)
{
    uint32_t bits = 0;
    float real;
    for (unsigned byte = 0; byte < values->bytes; ++byte)
        bits |= (uint32_t)at[byte] << 8 * byte;
    if (values->component == GLTF_BYTE)
        return fmax((double)(int8_t)bits / 127, -1);
    if (values->component == GLTF_SHORT)
        return fmax((double)(int16_t)bits / 32767, -1);
    memcpy(&real, &bits, sizeof real);
    return (double)real;
}

static int put_place(struct text_buffer *text, const struct gltf_plain *plain,
                     const struct gltf_instances *instances, uint64_t number, struct failure *failure)
{
    static const char *const key[3] = {"translation", "rotation", "scale"};
    TRY(text_print(text, failure, ",{\"mesh\":%u", instances->mesh));
    for (int v = 0; v < 3; ++v) {
        const struct gltf_values *values = &instances->value[v];
        if (values->components == 0)
            continue;
        const unsigned char *at =
            plain->buffer[values->buffer].bytes + values->offset + number * values->stride;
        TRY(text_print(text, failure, ",\"%s\":[", key[v]));
        for (unsigned c = 0; c < values->components; ++c, at += values->bytes) {
            const double value = number_at(at, values);
            if (!isfinite(value))
                return failure_set(failure, FAILURE_INPUT,
                                   "nodes[%zu]: the %s of its instance %llu, counted from 0, is not finite",
                                   instances->node, key[v], (unsigned long long)number);
            TRY(text_print(text, failure, "%s%.9g", c > 0 ? "," : "", value));
        }
        TRY(text_print(text, failure, "]"));
    }
    return text_print(text, failure, "}");
}

int gltf_place_instances(struct gltf_plain *plain, struct failure *failure)
{
    int status = 0;
    struct text_buffer text = {0};
    if (plain->instances_count == 0)
        return 0;
    status = text_put(&text, plain->text, plain->placed_at, failure);
    for (size_t i = 0; status == 0 && i < plain->instances_count; ++i)
        for (uint64_t k = 0; status == 0 && k < plain->instances[i].count; ++k)
            status = put_place(&text, plain, &plain->instances[i], k, failure);
    if (status == 0)
        status = text_print(&text, failure, "]}\n");
    if (status != 0) {
        free(text.data);
        return status;
    }
    free(plain->text);
    plain->text = text.data;
    plain->size = text.size;
    return 0;
}
