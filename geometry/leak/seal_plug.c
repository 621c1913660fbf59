/* Fills holes between ribbons that are too narrow for a ball of the sealed width. */
#include <math.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/leak/seal.h"

#define CELLS_PER_WIDTH 12
#define HALF_CELLS      9 /* reaches three quarters of the width */
#define SIDE            (2 * HALF_CELLS + 1)
#define NO_TRIANGLE     UINT32_MAX /* a cell that is not filled */
/* A cell is no thinner than this part of the spacing, so that snapping does not remove it. */
#define CELL_SPACINGS (4.0 / LATTICE_SUBSTEPS)

/* A place on the path within half the width of a wall, as near to `gap` as possible, after the path has left
 * the wall beside which it begins. */
struct narrow_place {
    const struct clearance *walls;
    const double *low, *high, *gap;
    double half; /* the width */
    bool clear;  /* the path has been farther from the walls than that */
    double place[3], distance;
};

/* Search the part of a step of the path inside the model's box, in strides that miss nothing. */
static void search_along(struct narrow_place *narrow, const double from[3], const double to[3])
{
    double along[3], first = 0, last = 1;
    vector_subtract(to, from, along);
    for (int axis = 0; axis < 3; ++axis) {
        if (along[axis] == 0) {
            if (from[axis] < narrow->low[axis] || from[axis] > narrow->high[axis])
                return;
            continue;
        }
        const double at_low = (narrow->low[axis] - from[axis]) / along[axis];
        const double at_high = (narrow->high[axis] - from[axis]) / along[axis];
        first = larger(first, smaller(at_low, at_high));
        last = smaller(last, larger(at_low, at_high));
    }
    const double length = vector_length(along);
    for (double at = first; length > 0 && at <= last;) {
        double place[3];
        vector_along(from, at, along, place);
        const double clear = clearance_at(narrow->walls, place, INFINITY);
        const double to_gap = vector_distance(place, narrow->gap);
        narrow->clear = narrow->clear || clear > narrow->half;
        if (narrow->clear && clear <= narrow->half && to_gap < narrow->distance) {
            narrow->distance = to_gap;
            memcpy(narrow->place, place, sizeof place);
        }
        const double stride = larger(clear - narrow->half, narrow->half / CELLS_PER_WIDTH) / length;
        at = at < last ? smaller(last, at + stride) : INFINITY;
    }
}

/* The face of a cell towards `direction`, as two triangles. */
static int add_face(struct mesh *mesh, const struct narrow_place *narrow, const int cell[3], int direction,
                    double size, uint16_t material, struct failure *failure)
{
    const int axis = direction / 2, first = (axis + 1) % 3, second = (axis + 2) % 3;
    uint32_t index[4];
    for (int n = 0; n < 4; ++n) {
        double at[3] = {cell[0] - HALF_CELLS, cell[1] - HALF_CELLS, cell[2] - HALF_CELLS}, corner[3];
        at[axis] += direction % 2 ? 0.5 : -0.5;
        at[first] += n == 1 || n == 2 ? 0.5 : -0.5;
        at[second] += n >= 2 ? 0.5 : -0.5;
        for (int other = 0; other < 3; ++other)
            corner[other] = larger(narrow->low[other],
                                   smaller(narrow->high[other], narrow->place[other] + size * at[other]));
        TRY(mesh_add_vertex(mesh, corner, &index[n], failure));
    }
    TRY(mesh_add_triangle(mesh, (const uint32_t[3]){index[0], index[1], index[2]}, material, failure));
    return mesh_add_triangle(mesh, (const uint32_t[3]){index[0], index[2], index[3]}, material, failure);
}

/* Fill the cells around the place that a ball of the width does not reach; their outer faces have the
 * material of the nearest wall. */
static int fill_place(struct mesh *mesh, const struct narrow_place *narrow, double size,
                      struct failure *failure)
{
    uint32_t nearest[SIDE + 2][SIDE + 2][SIDE + 2];
    memset(nearest, 0xff, sizeof nearest);
    for (int n = 0; n < SIDE * SIDE * SIDE; ++n) {
        const int cell[3] = {n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE};
        const bool middle =
            n == SIDE * SIDE * SIDE / 2; /* it is on the path, and may be cut short by the box */
        double centre[3];
        for (int axis = 0; axis < 3; ++axis)
            centre[axis] = narrow->place[axis] + size * (cell[axis] - HALF_CELLS);
        (void)clearance_nearest(narrow->walls, centre, narrow->half * (middle ? 2 : 1),
                                &nearest[cell[2] + 1][cell[1] + 1][cell[0] + 1]);
    }
    for (int n = 0; n < SIDE * SIDE * SIDE; ++n) {
        const int cell[3] = {n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE};
        const uint32_t triangle = nearest[cell[2] + 1][cell[1] + 1][cell[0] + 1];
        for (int direction = 0; direction < DIRECTIONS && triangle != NO_TRIANGLE; ++direction) {
            int next[3] = {cell[0] + 1, cell[1] + 1, cell[2] + 1};
            next[direction / 2] += direction % 2 ? 1 : -1;
            if (nearest[next[2]][next[1]][next[0]] == NO_TRIANGLE)
                TRY(add_face(mesh, narrow, cell, direction, size,
                             narrow->walls->mesh->triangle_material[triangle], failure));
        }
    }
    return 0;
}

int seal_plug(const struct clearance *walls, const struct voxel_leak *path, double width, double spacing,
              struct mesh *sealed, bool *plugged, struct failure *failure)
{
    double low[3], high[3];
    struct narrow_place narrow = {.walls = walls,
                                  .low = low,
                                  .high = high,
                                  .gap = path->gap,
                                  .half = 0.5 * width,
                                  .distance = INFINITY};
    TRY(mesh_bounds(walls->mesh, low, high, failure));
    for (size_t n = 0; n + 1 < path->point_count; ++n)
        search_along(&narrow, path->point[n], path->point[n + 1]);
    *plugged = isfinite(narrow.distance);
    if (!*plugged)
        return 0;
    return fill_place(sealed, &narrow, larger(width / CELLS_PER_WIDTH, CELL_SPACINGS * spacing), failure);
}
