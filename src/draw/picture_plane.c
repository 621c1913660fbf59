#include "src/draw/picture_plane.h"

#include <math.h>
#include <stdlib.h>

void picture_plane_free(struct picture_plane *plane)
{
    free(plane->links);
    free(plane->value);
    free(plane->block);
    *plane = (struct picture_plane){0};
}

static unsigned layer_in_block(const struct picture_plane *plane)
{
    return (unsigned)(plane->layer & (BLOCK_EDGE - 1));
}

/* Slot of the node `a` to the right of and `b` above the block's first, in the plane. */
static unsigned slot_at(const struct picture_plane *plane, unsigned a, unsigned b)
{
    int64_t at[3];
    at[plane->axis] = layer_in_block(plane);
    at[plane->across] = a;
    at[plane->up] = b;
    return block_slot(at[0], at[1], at[2]);
}

/* Pixel of such a node of block `id`, or SIZE_MAX beyond the picture. */
static size_t pixel_at(const struct picture_plane *plane, const struct block *block, unsigned a, unsigned b)
{
    const int64_t x = (int64_t)block->place[plane->across] * BLOCK_EDGE + a - plane->low[0];
    const int64_t y = (int64_t)block->place[plane->up] * BLOCK_EDGE + b - plane->low[1];
    if (x < 0 || y < 0 || x >= (int64_t)plane->size[0] || y >= (int64_t)plane->size[1])
        return SIZE_MAX;
    return (size_t)y * plane->size[0] + (size_t)x;
}

static bool goes_through(const struct picture_plane *plane, const struct block *block)
{
    return (int64_t)block->place[plane->axis] * BLOCK_EDGE == plane->layer - layer_in_block(plane);
}

static int find_blocks(const struct block_grid *grid, struct picture_plane *plane, struct failure *failure)
{
    for (uint32_t b = 1; b < block_list_first(grid); b++)
        plane->blocks += goes_through(plane, &grid->block[b]);
    const size_t pixels = plane->size[0] * plane->size[1];
    plane->block = malloc((plane->blocks + 1) * sizeof *plane->block);
    plane->links = calloc(pixels, sizeof *plane->links);
    plane->value = malloc(pixels * sizeof *plane->value);
    if (plane->block == NULL || plane->links == NULL || plane->value == NULL)
        return failure_memory(failure, pixels * (sizeof *plane->links + sizeof *plane->value), "a slice");
    plane->blocks = 0;
    for (uint32_t b = 1; b < block_list_first(grid); b++)
        if (goes_through(plane, &grid->block[b]))
            plane->block[plane->blocks++] = b;
    return 0;
}

/* Link bytes; true where there is air. */
static bool find_air(const struct block_grid *grid, struct picture_plane *plane)
{
    bool any = false;
    for (size_t pixel = 0; pixel < plane->size[0] * plane->size[1]; pixel++)
        plane->value[pixel] = NAN;
    for (size_t i = 0; i < plane->blocks; i++) {
        const struct block *block = &grid->block[plane->block[i]];
        for (unsigned b = 0; b < BLOCK_EDGE; b++)
            for (unsigned a = 0; a < BLOCK_EDGE; a++) {
                const uint8_t links = grid->tile[block->tile][slot_at(plane, a, b)];
                const size_t pixel = pixel_at(plane, block, a, b);
                if (links == 0 || pixel == SIZE_MAX)
                    continue;
                plane->links[pixel] = links;
                any = true;
            }
    }
    return any;
}

int picture_plane_make(const struct block_grid *grid, int axis, double position, struct picture_plane *out,
                       struct failure *failure)
{
    const struct lattice *lattice = &grid->lattice;
    struct picture_plane plane = {.axis = axis, .across = axis == 0 ? 1 : 0, .up = axis == 2 ? 1 : 2};
    const double layer = round((position - lattice->origin[axis]) / lattice->spacing);
    if (!(layer >= (double)grid->air_low[axis] && layer <= (double)grid->air_high[axis]))
        return failure_set(failure, FAILURE_INPUT,
                           "a slice at %c = %.6g m does not meet the air, which reaches from %.6g to %.6g m "
                           "there",
                           "xyz"[axis], position,
                           lattice -> origin[axis] + ((double)grid->air_low[axis] - 0.5) * lattice -> spacing,
                           lattice -> origin[axis] +
                                          ((double)grid->air_high[axis] + 0.5) * lattice -> spacing);
    plane.layer = (int64_t)layer;
    plane.position = lattice->origin[axis] + layer * lattice->spacing;
    for (int d = 0; d < 2; d++) {
        const int along = d == 0 ? plane.across : plane.up;
        plane.low[d] = grid->air_low[along] - 1;
        plane.size[d] = (size_t)(grid->air_high[along] - grid->air_low[along] + 3);
    }
    int code = find_blocks(grid, &plane, failure);
    if (code == 0 && !find_air(grid, &plane))
        code = failure_set(failure, FAILURE_INPUT, "a slice at %c = %.6g m goes through walls only",
                           "xyz"[axis], position);
    if (code != 0)
        picture_plane_free(&plane);
    else
        *out = plane;
    return code;
}

void picture_read_block(const struct engine *engine, uint32_t block, const struct picture_pressure *pressure,
                        double values[BLOCK_NODES])
{
    double before[BLOCK_NODES] = {0};
    engine_read_block(engine, block, values);
    if (pressure->rises)
        (void)engine_read_level(engine, 1, block, before);
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
        values[slot] = pressure->factor * (values[slot] - before[slot]);
}

int picture_plane_read(struct picture_plane *plane, const struct block_grid *grid,
                       const struct engine *engine, const struct picture_pressure *pressure,
                       struct failure *failure)
{
    double values[BLOCK_NODES];
    for (size_t i = 0; i < plane->blocks; i++) {
        const struct block *block = &grid->block[plane->block[i]];
        picture_read_block(engine, plane->block[i], pressure, values);
        for (unsigned b = 0; b < BLOCK_EDGE; b++)
            for (unsigned a = 0; a < BLOCK_EDGE; a++) {
                const size_t pixel = pixel_at(plane, block, a, b);
                if (pixel != SIZE_MAX && plane->links[pixel] != 0)
                    plane->value[pixel] = (float)values[slot_at(plane, a, b)];
            }
    }
    return engine_failed(engine, failure);
}
