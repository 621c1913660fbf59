#include "geometry/import/gltf_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void gltf_parts_free(struct gltf_parts *parts)
{
    free(parts->nodes.item);
    free(parts->meshes.item);
    free(parts->materials.item);
    free(parts->accessors.item);
    free(parts->views.item);
    free(parts->buffers.item);
    free(parts->view);
    free(parts->accessor);
    free(parts->primitive);
    free(parts->mesh);
    free(parts->needed);
    free(parts->no_data);
    free(parts->hidden);
    free(parts->instanced);
    free(parts->instances);
    cJSON_Delete(parts->root);
    *parts = (struct gltf_parts){0};
}

int gltf_refuse(const struct gltf_parts *parts, const char *list, size_t index, const char *format, ...)
{
    char why[1500];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return failure_set(parts->failure, FAILURE_INPUT, "%s[%zu]: %s", list, index, why);
}

bool gltf_is_index(const cJSON *item, uint64_t count, double *number)
{
    *number = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    return *number >= 0 && *number == floor(*number) && *number < (double)count;
}

int gltf_read_number(const struct gltf_parts *parts, const char *list, size_t index, const cJSON *object,
                     const char *key, uint64_t limit, const char *what, uint64_t *value)
{
    const cJSON *item = gltf_item(object, key);
    if (item == NULL)
        return 0;
    if (!cJSON_IsNumber(item))
        return gltf_refuse(parts, list, index, "%s is not a number", key);
    double number;
    if (!gltf_is_index(item, limit, &number))
        return gltf_refuse(parts, list, index, "%s is %.17g, but %s", key, number, what);
    *value = (uint64_t)number;
    return 0;
}

int gltf_read_reference(const struct gltf_parts *parts, const char *list, size_t index, const cJSON *object,
                        const char *key, size_t count, uint32_t *value)
{
    char what[80];
    uint64_t number = GLTF_NONE;
    (void)snprintf(what, sizeof what, "the file has %zu of them, counted from 0", count);
    TRY(gltf_read_number(parts, list, index, object, key, count, what, &number));
    *value = (uint32_t)number;
    return 0;
}

int gltf_add_elements(struct gltf_parts *parts, uint64_t times, uint64_t vertices, uint64_t triangles)
{
    parts->vertices += times * vertices;
    parts->triangles += times * triangles;
    if (parts->vertices <= GLTF_ELEMENTS_MAX && parts->triangles <= GLTF_ELEMENTS_MAX)
        return 0;
    return failure_set(parts->failure, FAILURE_INPUT,
                       "its meshes and their instances have more than 2^31 triangles or vertices: export it "
                       "simpler");
}
