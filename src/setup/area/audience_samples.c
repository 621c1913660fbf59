#include "src/setup/area/audience_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/setup/path/shortest_path.h"

#define SAMPLE        0.25 /* [m] */
#define LEAST         4    /* samples of a room */
#define HEADROOM      1.8  /* [m] */
#define OFF_THE_FLOOR 1e-3 /* [m]: where a line from the floor begins */
#define SAME_HEIGHT   1e-3 /* [m] */
#define BLOCK         0.6  /* [m]: a lower step is the next row, not a block of people */

bool audience_is_seats(const struct receiver_air *air, uint16_t material)
{
    return air->use != NULL && air->use[material] == SURFACE_SEATS;
}

/* ---- lines of sight ---- */

struct view {
    const struct receiver_air *air;
    double from[3], to[3];
    bool blocked;
};

static void block_view(uint32_t triangle, void *context)
{
    struct view *view = context;
    const struct mesh *mesh = view->air->tree->mesh;
    const uint32_t *corner = mesh->triangle[triangle];
    if (!view->blocked && !audience_is_seats(view->air, mesh->triangle_material[triangle]))
        view->blocked = segment_meets_triangle(view->from, view->to, mesh->vertex[corner[0]],
                                               mesh->vertex[corner[1]], mesh->vertex[corner[2]]);
}

/* In pieces of a metre, since the tree is asked for all triangles in the box around each. */
bool audience_sees(const struct receiver_air *air, const double from[3], const double to[3])
{
    const int pieces = (int)ceil(fmin(vector_distance(from, to), 1000)) + 1;
    struct view view = {.air = air};
    for (int p = 0; p < pieces && !view.blocked; p++) {
        double low[3], high[3];
        for (int axis = 0; axis < 3; axis++) {
            view.from[axis] = from[axis] + (to[axis] - from[axis]) * p / pieces;
            view.to[axis] = from[axis] + (to[axis] - from[axis]) * (p + 1) / pieces;
            low[axis] = fmin(view.from[axis], view.to[axis]);
            high[axis] = fmax(view.from[axis], view.to[axis]);
        }
        clearance_visit(air->tree, low, high, block_view, &view);
    }
    return !view.blocked;
}

bool audience_sees_up(const struct receiver_air *air, const double from[3], double height)
{
    return audience_sees(air, from, (const double[3]){from[0], from[1], from[2] + height});
}

bool audience_is_air(const struct receiver_air *air, double x, double y, double z)
{
    int64_t node[3];
    lattice_nearest(&air->grid->lattice, (const double[3]){x, y, z}, node);
    return block_grid_links(air->grid, node) != 0;
}

/* ---- squares ---- */

size_t audience_samples_from(const struct audience_samples *samples, uint32_t row, uint32_t column)
{
    size_t low = 0, high = samples->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const struct floor_point *at = &samples->point[middle];
        if (at->row < row || (at->row == row && at->column < column))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool audience_samples_in(const struct audience_samples *samples, size_t j, uint32_t row, uint32_t column)
{
    return j < samples->count && samples->point[j].row == row && samples->point[j].column == column;
}

/* ---- seats by name ---- */

/* The sample of the highest floor in the square of a seat that may be beneath it; without one that of its own
 * bottom, or its own. */
static struct floor_point *floor_beneath(const struct receiver_air *air,
                                         const struct audience_samples *samples,
                                         const struct floor_point *seat)
{
    struct floor_point *floor = NULL;
    for (size_t j = audience_samples_from(samples, seat->row, seat->column);
         audience_samples_in(samples, j, seat->row, seat->column); j++) {
        struct floor_point *point = &samples->point[j];
        if (point->position[2] >= seat->face - AUDIENCE_EARS &&
            point->position[2] <= seat->face + SAME_HEIGHT &&
            (floor == NULL || point->face > point->position[2] || !audience_is_seats(air, point->material)))
            floor = point;
    }
    return floor;
}

/* The nearest floor below a block of people; the block if there is none. */
static double floor_beside(const struct receiver_air *air, const struct audience_samples *samples,
                           const struct floor_point *of)
{
    double nearest = INFINITY, floor = of->face;
    for (size_t i = 0; of->level && i < samples->count; i++) {
        const struct floor_point *point = &samples->point[i];
        const double apart =
            hypot(point->position[0] - of->position[0], point->position[1] - of->position[1]);
        if (!audience_is_seats(air, point->material) && apart < nearest && point->face <= of->face - BLOCK &&
            point->face >= of->face - AUDIENCE_EARS) {
            nearest = apart;
            floor = point->face;
        }
    }
    return floor;
}

/* Make the sample of a floor with seats one of a seat, and leave out that of the seat. */
static void stand_on_floors(const struct receiver_air *air, struct audience_samples *samples)
{
    for (size_t i = 0; i < samples->count; i++) {
        struct floor_point *seat = &samples->point[i], *floor = audience_is_seats(air, seat->material)
                                                                    ? floor_beneath(air, samples, seat)
                                                                    : seat;
        if (floor == seat)
            continue;
        floor->material = seat->material;
        floor->face = seat->face;
        floor->level = seat->level;
        seat->face = NAN;
    }
}

/* ---- samples ---- */

/* Could somebody be there? The line up begins on the face, that of a seat for one. */
static bool has_room(const struct receiver_air *air, const struct floor_point *point)
{
    const double *at = point->position, from[3] = {at[0], at[1], point->face + OFF_THE_FLOOR};
    return audience_is_air(air, from[0], from[1], point->face + AUDIENCE_EARS) &&
           audience_sees_up(air, from, HEADROOM);
}

int audience_samples_take(const struct receiver_air *air, struct audience_samples *out,
                          struct failure *failure)
{
    struct receiver_area area = {0};
    struct audience_samples samples = {0};
    const struct option_grid all = {.name = "audience"};
    double low[3], high[3];
    TRY(receiver_area_make(air->tree->mesh, &all, &area, failure));
    lattice_position(&air->grid->lattice, air->grid->air_low, low);
    lattice_position(&air->grid->lattice, air->grid->air_high, high);
    for (int axis = 0; axis < 2; axis++) {
        area.low[axis] = fmax(area.low[axis], low[axis] - air->grid->lattice.spacing);
        area.high[axis] = fmin(area.high[axis], high[axis] + air->grid->lattice.spacing);
    }
    /* Beyond the room there may be a whole terrain. */
    area.size = fmin(area.size, 4 * (area.high[0] - area.low[0]) * (area.high[1] - area.low[1]));
    samples.spacing = fmax(SAMPLE, receiver_area_spacing_least(&area, 0));
    const int code = receiver_area_points(&area, samples.spacing, &samples.point, &samples.count, failure);
    receiver_area_free(&area);
    TRY(code);
    stand_on_floors(air, &samples);
    const size_t taken = samples.count;
    samples.count = 0;
    for (size_t i = 0; i < taken; i++)
        if (!isnan(samples.point[i].face) && has_room(air, &samples.point[i]))
            samples.point[samples.count++] = samples.point[i];
    if (samples.count < LEAST) {
        free(samples.point);
        return failure_set(
            failure, FAILURE_INPUT,
            "nobody can sit in the air of the source: nowhere is %g m of it over %g m2 of faces flatter "
            "than 45 degrees",
            HEADROOM, LEAST * SAMPLE * SAMPLE);
    }
    const struct floor_point *at = samples.point;
    samples.first[0] = at->position[0] - samples.spacing * at->column;
    samples.first[1] = at->position[1] - samples.spacing * at->row;
    for (size_t i = 0; i < samples.count; i++)
        if (audience_is_seats(air, samples.point[i].material) &&
            samples.point[i].position[2] == samples.point[i].face)
            samples.point[i].position[2] = floor_beside(air, &samples, &samples.point[i]);
    *out = samples;
    return 0;
}
