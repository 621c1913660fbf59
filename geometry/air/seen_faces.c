#include "geometry/air/seen_faces.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "geometry/air/air_hits.h"
#include "geometry/voxel/block_bits.h"

struct survey {
    const struct mesh *mesh;
    const struct flood *flood;
    const struct contact_face *face; /* (triangle_count) */
    uint8_t *seen;                   /* (triangle_count) bit by side: it ends a link of an air node */
    uint8_t *has_gaps;               /* (block_count) a link of the block ends on two triangles */
    struct seen_face *out;           /* (triangle_count) */
};

/** Position where the plane of a triangle meets a link [h / LATTICE_SUBSTEPS], clamped to the link after
 * snapping. */
static int64_t place_on(const struct survey *survey, const struct cut_block *block, const struct cut_hit *hit,
                        uint32_t triangle)
{
    const struct lattice *lattice = &survey->flood->field->lattice;
    const double *at = survey->mesh->vertex[survey->mesh->triangle[triangle][0]];
    double normal[3], across = 0;
    int64_t node[3];
    mesh_normal(survey->mesh, triangle, normal);
    block_bits_node(block->place, hit->slot, node);
    for (int axis = 0; axis < 3; axis++)
        if (axis != hit->axis)
            across +=
                normal[axis] * (lattice->origin[axis] + (double)node[axis] * lattice->spacing - at[axis]);
    const int axis = hit->axis;
    const double depth =
        (at[axis] - across / normal[axis] - lattice->origin[axis]) / lattice->spacing - (double)node[axis];
    /* Also if the normal is 0 along the link, which gives NaN. */
    const double inside = depth >= 0 ? fmin(depth, 1) : 0;
    return node[axis] * LATTICE_SUBSTEPS + llrint(inside * LATTICE_SUBSTEPS);
}

/** Count the side of a triangle that is visible along `direction`. */
static void mark_side(const struct survey *survey, const struct cut_block *block, const struct cut_hit *hit,
                      uint32_t triangle, int direction)
{
    const int axis = direction / 2;
    const uint8_t side = survey->face[triangle].side[direction], bit = (uint8_t)(1u << side);
    struct seen_face *out = &survey->out[triangle];
    (void)__atomic_fetch_add(&out->crossings[axis][side], 1, __ATOMIC_RELAXED);
    (void)__atomic_fetch_add(&out->places[axis][side], place_on(survey, block, hit, triangle),
                             __ATOMIC_RELAXED);
    if ((__atomic_load_n(&survey->seen[triangle], __ATOMIC_RELAXED) & bit) == 0)
        (void)__atomic_fetch_or(&survey->seen[triangle], bit, __ATOMIC_RELAXED);
}

static void mark_block_sides(const struct survey *survey, size_t b)
{
    const struct cut_field *field = survey->flood->field;
    const struct cut_block *block = &field->block[b];
    struct air_ends ends;
    air_ends_of(survey->flood, b, &ends);
    uint8_t gaps = 0;
    for (uint64_t i = field->first_hit[b]; i < field->first_hit[b + 1]; i++) {
        const struct cut_hit *hit = &field->hit[i];
        gaps |= hit->low_triangle != hit->high_triangle;
        if (!ends.any)
            continue;
        if (air_ends_low(&ends, hit))
            mark_side(survey, block, hit, hit->low_triangle, 2 * hit->axis + 1);
        if (air_ends_high(&ends, hit))
            mark_side(survey, block, hit, hit->high_triangle, 2 * hit->axis);
    }
    survey->has_gaps[b] = gaps;
}

/** Count corners of the room between two nodes, once visible sides are known. */
static void mark_corner_sides(const struct survey *survey, size_t b)
{
    const struct cut_field *field = survey->flood->field;
    const struct cut_block *block = &field->block[b];
    for (uint64_t i = field->first_hit[b]; i < field->first_hit[b + 1]; i++) {
        const struct cut_hit *hit = &field->hit[i];
        const uint32_t low = hit->low_triangle, high = hit->high_triangle;
        const int up = 2 * hit->axis + 1, down = 2 * hit->axis;
        if (low != high && (survey->seen[low] >> survey->face[low].side[down] & 1) != 0 &&
            (survey->seen[high] >> survey->face[high].side[up] & 1) != 0) {
            mark_side(survey, block, hit, low, down);
            mark_side(survey, block, hit, high, up);
        }
    }
}

static void mark_all_sides(const struct survey *survey, int team)
{
    const size_t blocks = survey->flood->field->block_count;
#pragma omp parallel num_threads(team)
    {
#pragma omp for schedule(dynamic, 256)
        for (size_t b = 0; b < blocks; b++)
            mark_block_sides(survey, b);
#pragma omp for schedule(dynamic, 256)
        for (size_t b = 0; b < blocks; b++)
            if (survey->has_gaps[b])
                mark_corner_sides(survey, b);
    }
}

int seen_faces_find(const struct mesh *mesh, const struct flood *flood, const struct contact_face *face,
                    int threads, struct seen_face **out, struct failure *failure)
{
    const size_t triangles = mesh->triangle_count + 1, blocks = flood->field->block_count + 1;
    struct survey survey = {.mesh = mesh, .flood = flood, .face = face};
    int result = 0;
    survey.seen = calloc(triangles, 1);
    survey.has_gaps = calloc(blocks, 1);
    survey.out = calloc(triangles, sizeof *survey.out);
    if (survey.seen == NULL || survey.has_gaps == NULL || survey.out == NULL)
        result = failure_memory(failure, triangles * (sizeof *survey.out + 1) + blocks,
                                "what the air sees of the walls");
    else {
        mark_all_sides(&survey, threads > 0 ? threads : omp_get_max_threads());
        *out = survey.out;
        survey.out = NULL;
    }
    free(survey.seen);
    free(survey.has_gaps);
    free(survey.out);
    return result;
}
