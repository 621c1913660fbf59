#include "geometry/air/air_hits.h"

#include <math.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/voxel/block_bits.h"

void air_hits_cosines(const struct mesh *mesh, size_t triangle, double cosine[3])
{
    double normal[3];
    mesh_normal(mesh, triangle, normal);
    const double length = vector_length(normal);
    for (int axis = 0; axis < 3; axis++)
        cosine[axis] = length > 0 ? fabs(normal[axis]) / length : 0;
}

/** Air of the block at any place; none past the box. */
static void air_at(const struct flood *flood, const int32_t place[3], uint64_t air[8])
{
    if (box_has_place(flood->field->blocks, place))
        flood_block_air(flood, place, air);
    else
        memset(air, 0, 8 * sizeof *air);
}

void air_ends_of(const struct flood *flood, size_t block, struct air_ends *ends)
{
    const int32_t *place = flood->field->block[block].place;
    uint64_t any = 0;
    air_at(flood, place, ends->own);
    for (int z = 0; z < 8; z++)
        any |= ends->own[z];
    for (int axis = 0; axis < 3; axis++) {
        int32_t next[3];
        box_place_next(place, 2 * axis + 1, next);
        air_at(flood, next, ends->behind[axis]);
        for (int z = 0; z < 8; z++)
            any |= ends->behind[axis][z];
    }
    ends->any = any != 0;
}

void air_hits_visit(const struct flood *flood,
                    void (*visit)(uint32_t triangle, enum direction direction, void *context), void *context)
{
    const struct cut_field *field = flood->field;
    for (size_t b = 0; b < field->block_count; b++) {
        struct air_ends ends;
        air_ends_of(flood, b, &ends);
        for (uint64_t i = field->first_hit[b]; i < field->first_hit[b + 1] && ends.any; i++) {
            const struct cut_hit *hit = &field->hit[i];
            if (air_ends_low(&ends, hit))
                visit(hit->low_triangle, (enum direction)(2 * hit->axis + 1), context);
            if (air_ends_high(&ends, hit))
                visit(hit->high_triangle, (enum direction)(2 * hit->axis), context);
        }
    }
}
