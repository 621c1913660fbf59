#include "geometry/air/air_hits.h"

#include <math.h>
#include <string.h>

#include "geometry/base/vector.h"

void air_hits_cosines(const struct mesh *mesh, size_t triangle, double cosine[3])
{
    const uint32_t *corner = mesh->triangle[triangle];
    double first[3], second[3], normal[3];
    vector_subtract(mesh->vertex[corner[1]], mesh->vertex[corner[0]], first);
    vector_subtract(mesh->vertex[corner[2]], mesh->vertex[corner[0]], second);
    vector_cross(first, second, normal);
    const double length = vector_length(normal);
    for (int axis = 0; axis < 3; axis++)
        cosine[axis] = length > 0 ? fabs(normal[axis]) / length : 0;
}

/** Air of the block at any place; none past the box. */
static void air_at(const struct flood *flood, const int32_t place[3], uint64_t air[8])
{
    memset(air, 0, 8 * sizeof *air);
    for (int axis = 0; axis < 3; axis++)
        if (place[axis] < 0 || place[axis] >= flood->field->blocks[axis])
            return;
    flood_block_air(flood, place, air);
}

void air_ends_of(const struct flood *flood, size_t block, struct air_ends *ends)
{
    const int32_t *place = flood->field->block[block].place;
    uint64_t any = 0;
    air_at(flood, place, ends->own);
    for (int z = 0; z < 8; z++)
        any |= ends->own[z];
    for (int axis = 0; axis < 3; axis++) {
        int32_t next[3] = {place[0], place[1], place[2]};
        next[axis]++;
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
        const struct cut_block *block = &field->block[b];
        struct air_ends ends;
        air_ends_of(flood, b, &ends);
        for (uint32_t i = 0; i < block->hit_count && ends.any; i++) {
            const struct cut_hit *hit = &field->hit[block->first_hit + i];
            if (air_ends_low(&ends, hit))
                visit(hit->low_triangle, (enum direction)(2 * hit->axis + 1), context);
            if (air_ends_high(&ends, hit))
                visit(hit->high_triangle, (enum direction)(2 * hit->axis), context);
        }
    }
}
