#include "src/rays/ray_cost.h"

#include <math.h>
#include <stdlib.h>

#include "geometry/voxel/clearance.h"
#include "src/rays/ray_room.h"

#define PI             3.14159265358979323846
#define VARIED         1.25              /* with the rays of half and twice the scattering */
#define REFLECTION     1e-6              /* [s] */
#define PASSING        14e-9             /* of a place, a reflection [s] */
#define PLACE_BIN      22e-6             /* figures, of a place and bin [s] */
#define SAMPLE         500               /* places that are looked at, at most */
#define PLACE_INTEGERS (RAY_PARTS + 1.0) /* of a bin and octave: the result, and a variant without parts */

static int compare_doubles(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* Of every so many places. */
struct sample {
    const struct room_setup *setup;
    const struct clearance *tree;
    size_t apart, seen, count;
    double radius[SAMPLE];
};

static void sample_place(struct sample *sample, const double position[3])
{
    if (sample->seen++ % sample->apart != 0 || sample->count == SAMPLE)
        return;
    const double radius = ray_place_radius(&sample->setup->model, sample->tree, position);
    if (radius > 0)
        sample->radius[sample->count++] = radius;
}

int ray_cost_radius(const struct room_setup *setup, double *radius, struct failure *failure)
{
    const struct room_points *points = &setup->points;
    const struct mesh whole = mesh_whole(&setup->model.mesh);
    struct clearance tree = {0};
    struct sample sample = {
        .setup = setup, .tree = &tree, .apart = 1 + (points->receivers + setup->grid.grid_points) / SAMPLE};
    TRY(clearance_make(&whole, &tree, failure));
    for (size_t r = 0; r < points->receivers; r++)
        sample_place(&sample, points->point[points->sources + r].position);
    for (size_t g = 0; g < setup->grid.receiver_grids; g++)
        for (size_t i = 0; i < setup->grid.receiver_grid[g].count; i++)
            sample_place(&sample, setup->grid.receiver_grid[g].position[i]);
    clearance_free(&tree);
    qsort(sample.radius, sample.count, sizeof *sample.radius, compare_doubles);
    *radius = sample.count > 0 ? sample.radius[sample.count / 2] : ray_radius_most(&setup->model);
    return 0;
}

static double bins_of(const struct ray_cost_room *room)
{
    return fmin(room->longest, RAY_DURATION_MAX) / RAY_BIN;
}

double ray_cost_seconds(const struct ray_cost_room *room)
{
    const double noise = room->radius * room->noise;
    const double reflections = VARIED * room->surface / (2 * PI * noise * noise);
    return (reflections * (REFLECTION + PASSING * room->places) + room->places * bins_of(room) * PLACE_BIN) /
           room->threads;
}

double ray_cost_bytes(const struct ray_cost_room *room)
{
    return bins_of(room) * sizeof(int64_t) *
           (room->places * RAY_OCTAVES * PLACE_INTEGERS + room->directional * RAY_CELLS * RAY_GROUPS);
}
