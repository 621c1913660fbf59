#include "src/draw/map_model.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/draw/map_scale.h"

enum { CORNERS = 4, INDICES = 6, AXES = 3, COLOURS = 4 };

/* From a corner of a square to its middle, in sides. */
static const double beside[CORNERS][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};

/* Squares of the points that have a figure. */
struct squares {
    const struct map_drawing *map;
    size_t count;
    struct map_scale scale;
};

static int begin_squares(const struct map_drawing *map, struct squares *out, struct failure *failure)
{
    *out = (struct squares){.map = map};
    for (size_t i = 0; i < map->grid.count; i++)
        out->count += isfinite(map->value[i]) ? 1 : 0;
    return out->count == 0 ? 0
                           : map_scale_make(map->figure, map->value, map->grid.count, &out->scale, failure);
}

/* 0 to 255, as a screen has them. */
static void colour_of(const struct squares *squares, size_t point, unsigned rgb[AXES])
{
    char text[MAP_COLOUR_MAX];
    const size_t class = map_scale_class(&squares->scale, squares->map->value[point]);
    (void)sscanf(map_scale_colour(&squares->scale, class, text), "#%2x%2x%2x", &rgb[0], &rgb[1], &rgb[2]);
}

static void corner_of(const struct squares *squares, size_t point, int corner, double out[AXES])
{
    const struct map_points *grid = &squares->map->grid;
    for (int axis = 0; axis < AXES; axis++)
        out[axis] = grid->position[point][axis] + (axis < 2 ? beside[corner][axis] * grid->spacing : 0);
}

/* ---- PLY ---- */

int map_model_ply(const struct map_drawing *map, struct text_buffer *out, struct failure *failure)
{
    struct squares squares;
    TRY(begin_squares(map, &squares, failure));
    if (squares.count == 0)
        return 0;
    TRY(text_print(out, failure,
                   "ply\nformat ascii 1.0\ncomment %s, %s\nelement vertex %zu\nproperty float x\n"
                   "property float y\nproperty float z\nproperty uchar red\nproperty uchar green\n"
                   "property uchar blue\nproperty float value\nelement face %zu\n"
                   "property list uchar int vertex_indices\nend_header\n",
                   figure_kind[map->figure].name, map->octave, squares.count * CORNERS, squares.count));
    for (size_t i = 0; i < map->grid.count; i++)
        for (int corner = 0; isfinite(map->value[i]) && corner < CORNERS; corner++) {
            double at[AXES];
            unsigned rgb[AXES];
            corner_of(&squares, i, corner, at);
            colour_of(&squares, i, rgb);
            TRY(text_print(out, failure, "%.9g %.9g %.9g %u %u %u %.9g\n", at[0], at[1], at[2], rgb[0],
                           rgb[1], rgb[2], map->value[i]));
        }
    for (size_t n = 0; n < squares.count; n++)
        TRY(text_print(out, failure, "4 %zu %zu %zu %zu\n", CORNERS * n, CORNERS * n + 1, CORNERS * n + 2,
                       CORNERS * n + 3));
    return 0;
}

/* ---- GLB ---- */

static int put_u32(struct text_buffer *out, uint32_t value, struct failure *failure)
{
    char byte[4];
    for (int b = 0; b < 4; b++)
        byte[b] = (char)(value >> (8 * b) & 0xff);
    return text_put(out, byte, sizeof byte, failure);
}

static int put_float(struct text_buffer *out, double value, struct failure *failure)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return put_u32(out, bits, failure);
}

/* Colours of a glTF are linear, those of a screen are not (IEC 61966-2-1). */
static double linear_level(unsigned level)
{
    const double share = level / 255.0;
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

static int put_buffer(const struct squares *squares, struct text_buffer *out, struct failure *failure)
{
    static const uint32_t index[INDICES] = {0, 1, 2, 0, 2, 3};
    const struct map_drawing *map = squares->map;
    for (size_t i = 0; i < map->grid.count; i++)
        for (int corner = 0; isfinite(map->value[i]) && corner < CORNERS; corner++) {
            double at[AXES];
            corner_of(squares, i, corner, at);
            TRY(put_float(out, at[0], failure));
            TRY(put_float(out, at[2], failure));
            TRY(put_float(out, -at[1], failure));
        }
    for (size_t i = 0; i < map->grid.count; i++)
        for (int corner = 0; isfinite(map->value[i]) && corner < CORNERS; corner++) {
            unsigned rgb[AXES];
            colour_of(squares, i, rgb);
            for (int c = 0; c < AXES; c++)
                TRY(put_float(out, linear_level(rgb[c]), failure));
            TRY(put_float(out, 1, failure));
        }
    for (size_t n = 0; n < squares->count; n++)
        for (int k = 0; k < INDICES; k++)
            TRY(put_u32(out, (uint32_t)n * CORNERS + index[k], failure));
    return 0;
}

/* The bounding box of all corners, as glTF requires it, y up. */
static void find_box(const struct squares *squares, double low[AXES], double high[AXES])
{
    for (int axis = 0; axis < AXES; axis++) {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
    }
    for (size_t i = 0; i < squares->map->grid.count; i++)
        for (int corner = 0; isfinite(squares->map->value[i]) && corner < CORNERS; corner++) {
            double at[AXES];
            corner_of(squares, i, corner, at);
            const double turned[AXES] = {at[0], at[2], -at[1]};
            for (int axis = 0; axis < AXES; axis++) {
                low[axis] = fmin(low[axis], (double)(float)turned[axis]);
                high[axis] = fmax(high[axis], (double)(float)turned[axis]);
            }
        }
}

static int put_json(const struct squares *squares, struct text_buffer *out, struct failure *failure)
{
    const struct map_drawing *map = squares->map;
    const size_t vertices = squares->count * CORNERS, indices = squares->count * INDICES;
    const size_t colours = vertices * AXES * 4, faces = colours + vertices * COLOURS * 4,
                 all = faces + indices * 4;
    double low[AXES], high[AXES];
    find_box(squares, low, high);
    TRY(text_print(
        out, failure,
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"transept\"},\"scene\":0,\"scenes\":[{\"nodes\":"
        "[0]}],\"nodes\":[{\"name\":\"%s, %s\",\"mesh\":0}],\"extensionsUsed\":"
        "[\"KHR_materials_unlit\"],",
        figure_kind[map->figure].word, map->octave));
    TRY(text_print(
        out, failure,
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"COLOR_0\":1},\"indices\":2,"
        "\"material\":0}]}],\"materials\":[{\"name\":\"map\",\"doubleSided\":true,\"extensions\":"
        "{\"KHR_materials_unlit\":{}}}],"));
    TRY(text_print(out, failure,
                   "\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu,"
                   "\"target\":34962},{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":34962},"
                   "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":34963}],",
                   all, colours, colours, faces - colours, faces, all - faces));
    TRY(text_print(out, failure,
                   "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%zu,\"type\":\"VEC3\","
                   "\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]},",
                   vertices, low[0], low[1], low[2], high[0], high[1], high[2]));
    return text_print(out, failure,
                      "{\"bufferView\":1,\"componentType\":5126,\"count\":%zu,\"type\":\"VEC4\"},"
                      "{\"bufferView\":2,\"componentType\":5125,\"count\":%zu,\"type\":\"SCALAR\"}]}",
                      vertices, indices);
}

int map_model_glb(const struct map_drawing *map, struct text_buffer *out, struct failure *failure)
{
    enum { MAGIC = 0x46546C67, JSON = 0x4E4F534A, BINARY = 0x004E4942, HEAD = 12, CHUNK = 8 };
    struct squares squares;
    struct text_buffer json = {0}, data = {0};
    TRY(begin_squares(map, &squares, failure));
    if (squares.count == 0)
        return 0;
    int code = put_json(&squares, &json, failure);
    while (code == 0 && json.size % 4 != 0)
        code = text_put(&json, " ", 1, failure);
    if (code == 0)
        code = put_buffer(&squares, &data, failure);
    const uint32_t head[] = {MAGIC, 2, (uint32_t)(HEAD + 2 * CHUNK + json.size + data.size),
                             (uint32_t)json.size, JSON};
    for (size_t n = 0; code == 0 && n < sizeof head / sizeof head[0]; n++)
        code = put_u32(out, head[n], failure);
    if (code == 0)
        code = text_put(out, json.data, json.size, failure);
    if (code == 0)
        code = put_u32(out, (uint32_t)data.size, failure);
    if (code == 0)
        code = put_u32(out, BINARY, failure);
    if (code == 0)
        code = text_put(out, data.data, data.size, failure);
    free(json.data);
    free(data.data);
    return code;
}
