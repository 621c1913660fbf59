#include "geometry/exposure.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/air_hits.h"
#include "geometry/contact_face.h"
#include "geometry/link_test.h"

struct survey {
    const struct mesh *mesh;
    const struct flood *flood;
    struct contact_face *face; /* (triangle_count) */
    uint8_t *seen;             /* (triangle_count) bit by side: it ends a link of an air node */
    uint8_t *has_gaps;         /* (block_count) a link of the block ends on two triangles */
    uint64_t *sum;             /* (material_count, 2) of cosines, by side */
};

/** See the side of a triangle that faces who looks along `direction`. */
static void see(const struct survey *survey, uint32_t triangle, int direction, uint64_t *sum)
{
    if (triangle >= survey->mesh->triangle_count)
        return;
    const struct contact_face *face = &survey->face[triangle];
    const uint8_t side = face->side[direction], bit = (uint8_t)(1u << side);
    sum[(size_t)face->material[FACE_FRONT] * FACE_SIDES + side] += face->cosine[direction / 2];
    if ((__atomic_load_n(&survey->seen[triangle], __ATOMIC_RELAXED) & bit) == 0)
        (void)__atomic_fetch_or(&survey->seen[triangle], bit, __ATOMIC_RELAXED);
}

static void see_block(const struct survey *survey, size_t b, uint64_t *sum)
{
    const struct cut_field *field = survey->flood->field;
    const struct cut_block *block = &field->block[b];
    struct air_ends ends;
    air_ends_of(survey->flood, b, &ends);
    uint8_t gaps = 0;
    for (uint32_t i = 0; i < block->hit_count; i++) {
        const struct cut_hit *hit = &field->hit[block->first_hit + i];
        gaps |= hit->low_triangle != hit->high_triangle;
        if (!ends.any)
            continue;
        if (air_ends_low(&ends, hit))
            see(survey, hit->low_triangle, 2 * hit->axis + 1, sum);
        if (air_ends_high(&ends, hit))
            see(survey, hit->high_triangle, 2 * hit->axis, sum);
    }
    survey->has_gaps[b] = gaps;
}

/** Corners of the room between two nodes, now that it is known who is seen. */
static void see_gaps(const struct survey *survey, size_t b, uint64_t *sum)
{
    const struct cut_field *field = survey->flood->field;
    const struct cut_block *block = &field->block[b];
    for (uint32_t i = 0; i < block->hit_count; i++) {
        const struct cut_hit *hit = &field->hit[block->first_hit + i];
        const uint32_t low = hit->low_triangle, high = hit->high_triangle;
        if (low == high || low >= survey->mesh->triangle_count || high >= survey->mesh->triangle_count)
            continue;
        const int up = 2 * hit->axis + 1, down = 2 * hit->axis;
        if ((survey->seen[low] >> survey->face[low].side[down] & 1) != 0 &&
            (survey->seen[high] >> survey->face[high].side[up] & 1) != 0) {
            see(survey, low, down, sum);
            see(survey, high, up, sum);
        }
    }
}

/** One pass over all blocks. False when memory runs out. */
static bool pass(const struct survey *survey, int team, bool gaps)
{
    const size_t sums = survey->mesh->material_count * FACE_SIDES;
    bool complete = true;
#pragma omp parallel num_threads(team) reduction(&& : complete)
    {
        uint64_t *sum = calloc(sums + 1, sizeof *sum);
        complete = sum != NULL;
#pragma omp for schedule(dynamic, 256)
        for (size_t b = 0; b < survey->flood->field->block_count; b++) {
            if (complete && !gaps)
                see_block(survey, b, sum);
            else if (complete && survey->has_gaps[b])
                see_gaps(survey, b, sum);
        }
#pragma omp critical(exposure_sum)
        for (size_t i = 0; i < sums && sum != NULL; i++)
            survey->sum[i] += sum[i];
        free(sum);
    }
    return complete;
}

static void convert(const struct survey *survey, struct voxel_exposure *exposure)
{
    const struct cut_field *field = survey->flood->field;
    const double cell = field->lattice.spacing * field->lattice.spacing / VOXELS_COSINE_ONE;
    const size_t materials = survey->mesh->material_count;
    for (size_t m = 0; m < materials; m++)
        exposure[m] =
            (struct voxel_exposure){.front = cell * (double)survey->sum[m * FACE_SIDES + FACE_FRONT],
                                    .back = cell * (double)survey->sum[m * FACE_SIDES + FACE_BACK]};
    memset(survey->sum, 0, materials * FACE_SIDES * sizeof *survey->sum);
    for (size_t t = 0; t < survey->mesh->triangle_count; t++)
        for (int axis = 0; axis < 3; axis++)
            survey->sum[survey->face[t].material[FACE_FRONT]] +=
                field->met[t][axis] * survey->face[t].cosine[axis];
    for (size_t m = 0; m < materials; m++)
        exposure[m].met = cell * (double)survey->sum[m] / CROSSING_WHOLE;
}

int exposure_measure(const struct mesh *mesh, const struct flood *flood, int threads,
                     struct voxel_exposure *exposure, struct failure *failure)
{
    struct survey survey = {.mesh = mesh, .flood = flood};
    const int team = threads > 0 ? threads : omp_get_max_threads();
    int result = contact_faces_make(mesh, &flood->field->lattice, NULL, &survey.face, failure);
    if (result != 0)
        return result;
    survey.seen = calloc(mesh->triangle_count + 1, 1);
    survey.has_gaps = calloc(flood->field->block_count + 1, 1);
    survey.sum = calloc(mesh->material_count * FACE_SIDES + 1, sizeof *survey.sum);
    if (survey.seen == NULL || survey.has_gaps == NULL || survey.sum == NULL || !pass(&survey, team, false) ||
        !pass(&survey, team, true))
        result = failure_memory(failure, mesh->triangle_count + flood->field->block_count,
                                "what the air sees of the walls");
    else
        convert(&survey, exposure);
    free(survey.face);
    free(survey.seen);
    free(survey.has_gaps);
    free(survey.sum);
    return result;
}
