#include "src/setup/receiver_grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/draw/map_drawing.h"
#include "src/setup/area/receiver_area.h"

#define SLAB          0.1  /* [m]: faces this near above one another are one floor */
#define OFF_THE_FLOOR 1e-3 /* [m]: where the line from the floor to the ears begins */
#define MOVED         1e-6 /* [m]: an interpolation stencil that is shifted by more is cut off by a wall */

void receiver_grid_free(struct receiver_grid *grid)
{
    free(grid->position);
    free(grid->node);
    audience_floor_free(&grid->floor);
    *grid = (struct receiver_grid){0};
}

/* ---- where a point may be ---- */

static bool is_covered(const struct receiver_air *air, const struct floor_point *floor, const double ears[3])
{
    const double from[3] = {ears[0], ears[1], floor->face + OFF_THE_FLOOR};
    return !audience_sees(air, from, ears);
}

/* `cells` away from every surface. At one cell no wall comes between the place and the node nearest to it. A
 * stencil that is shifted is that of a cell with a corner behind a wall. */
static bool is_free(const struct receiver_air *air, const double position[3], const int64_t node[3],
                    double cells)
{
    const double h = air->grid->lattice.spacing;
    struct stencil tap;
    for (size_t s = 0; s < air->sources; s++)
        if (!(vector_distance(position, air->source[s]) >= h))
            return false;
    return clearance_at(air->tree, position, h) >= cells * h &&
           stencil_make(air->grid, position, node, INTERPOLATION_LINEAR, &tap, NULL) == 0 &&
           tap.shift <= MOVED;
}

/* ---- laying out ---- */

#define CLEAR_OF_SEATS 0.5  /* cells */
#define AUDIENCE_APART 1.0  /* [m], at least */
#define AUDIENCE_UNIT  0.1  /* [m]: of a spacing that is chosen */
#define SPACING_UNIT   0.01 /* [m]: of one that is advised */

struct floor_layout {
    const struct receiver_air *air;
    const struct option_grid *asked;
    const struct receiver_area *area;
    const struct audience_floor *audience; /* NULL: not one */
};

/* True for a grid where people sit. */
static bool is_audience(const struct option_grid *asked)
{
    return asked->material == NULL && asked->corners == 0;
}

bool receiver_grid_spacing_given(const struct point_request *request, const struct option_grid *asked)
{
    return asked->spacing > 0 || request->grid_spacing_given || !is_audience(asked);
}

double receiver_grid_spacing(const struct point_request *request, const struct option_grid *asked)
{
    return asked->spacing > 0                            ? asked->spacing
           : receiver_grid_spacing_given(request, asked) ? request->grid_spacing
                                                         : AUDIENCE_APART;
}

/* The ears over a point of the floor. */
static void place_ears(const struct floor_point *floor, double height, double ears[3])
{
    memcpy(ears, floor->position, sizeof floor->position);
    ears[2] += height;
}

/* Is it the floor of the last point kept in this square? */
static bool is_there(const struct floor_point *floor, size_t kept, const struct floor_point *point)
{
    return kept > 0 && floor[kept - 1].row == point->row && floor[kept - 1].column == point->column &&
           fabs(floor[kept - 1].position[2] - point->position[2]) <= SLAB;
}

/* Move the points that stay to the front, and count them. */
static size_t keep_points(const struct floor_layout *layout, struct floor_point *floor, size_t floors,
                          struct receiver_grid *out)
{
    struct receiver_air air = *layout->air;
    size_t kept = 0;
    if (layout->audience == NULL)
        air.use = NULL; /* seats are furniture */
    for (size_t i = 0; i < floors; i++) {
        double ears[3];
        int64_t node[3];
        if (layout->audience != NULL) {
            const enum audience_verdict verdict = audience_floor_stand(layout->audience, &floor[i]);
            out->ledges += verdict != AUDIENCE_SITS && verdict != AUDIENCE_OBJECT;
            if (verdict != AUDIENCE_SITS || is_there(floor, kept, &floor[i]))
                continue;
        }
        place_ears(&floor[i], out->height, ears);
        lattice_nearest(&air.grid->lattice, ears, node);
        if (layout->asked->corners == 0 && is_covered(&air, &floor[i], ears))
            out->covered++;
        else if (block_grid_links(air.grid, node) == 0)
            out->solid++;
        else if (!is_free(&air, ears, node, layout->audience != NULL ? CLEAR_OF_SEATS : 1))
            out->confined++;
        else
            floor[kept++] = floor[i];
    }
    return kept;
}

/* The points at `spacing`. All valid ones are counted, the first RECEIVER_GRID_POINTS_MAX are kept. */
static int lay_out(const struct floor_layout *layout, double spacing, double height,
                   struct receiver_grid *out, struct failure *failure)
{
    struct floor_point *floor = NULL;
    size_t floors = 0;
    TRY(receiver_area_points(layout->area, spacing, &floor, &floors, failure));
    int code = 0;
    out->audience = layout->audience != NULL;
    out->spacing = spacing;
    out->height = height;
    out->position = calloc(RECEIVER_GRID_POINTS_MAX, sizeof *out->position);
    out->node = calloc(RECEIVER_GRID_POINTS_MAX, sizeof *out->node);
    if (out->position == NULL || out->node == NULL)
        code = failure_memory(failure, RECEIVER_GRID_POINTS_MAX * sizeof *out->position, "a receiver grid");
    if (code == 0)
        out->count = keep_points(layout, floor, floors, out);
    for (size_t i = 0; code == 0 && i < out->count && i < RECEIVER_GRID_POINTS_MAX; i++) {
        place_ears(&floor[i], height, out->position[i]);
        lattice_nearest(&layout->air->grid->lattice, out->position[i], out->node[i]);
    }
    free(floor);
    return code;
}

/* The next spacing, in whole `unit`s, that leaves about `most` points. */
static double coarsen_spacing(double spacing, size_t count, size_t most, double unit)
{
    const double wanted = spacing * sqrt((double)count / (double)most), per_metre = round(1 / unit);
    return fmax(ceil(wanted * per_metre - 1e-6), floor(spacing * per_metre + 1e-6) + 1) / per_metre;
}

/* At a coarser spacing, if need be again and again, until there are `most` points or fewer. */
static int lay_out_fewer(const struct floor_layout *layout, size_t most, double unit,
                         struct receiver_grid *made, struct failure *failure)
{
    while (made->count > most) {
        struct receiver_grid trial = {0};
        const double spacing = coarsen_spacing(made->spacing, made->count, most, unit);
        const int code = lay_out(layout, spacing, made->height, &trial, failure);
        receiver_grid_free(made);
        *made = trial;
        if (code != 0)
            return code;
    }
    return 0;
}

static int refuse_number(const struct floor_layout *layout, struct receiver_grid *made,
                         struct failure *failure)
{
    const double spacing = made->spacing;
    const size_t count = made->count;
    TRY(lay_out_fewer(layout, RECEIVER_GRID_POINTS_MAX, SPACING_UNIT, made, failure));
    return failure_set(
        failure, FAILURE_INPUT,
        "it has %zu points at a spacing of %g m; a file takes %d: a spacing of %.2f m fits (%zu points), or "
        "several grids",
        count, spacing, RECEIVER_GRID_POINTS_MAX, made->spacing, made->count);
}

static int refuse_empty(const struct receiver_grid *made, struct failure *failure)
{
    if (made->covered + made->solid + made->confined + made->ledges == 0)
        return failure_set(failure, FAILURE_INPUT,
                           "no point of a grid of %g m lies on the area: use a smaller spacing",
                           made->spacing);
    return failure_set(
        failure, FAILURE_INPUT,
        "no point is left %g m above the floor: %zu are covered by something over the floor, %zu are not in "
        "the air of the source, %zu are less than a cell from a surface or source, %zu where nobody sits; "
        "change the "
        "area or the height",
        made->height, made->covered, made->solid, made->confined, made->ledges);
}

/* For an audience: find it, and lay points over it alone. */
static int find_audience(const struct receiver_air *air, struct receiver_area *area,
                         struct audience_floor *out, struct failure *failure)
{
    TRY(audience_floor_find(air, out, failure));
    double low[2], high[2];
    audience_floor_box(out, low, high);
    for (int axis = 0; axis < 2; axis++) {
        area->low[axis] = fmax(area->low[axis], low[axis]);
        area->high[axis] = fmin(area->high[axis], high[axis]);
    }
    area->size = fmin(area->size, 4 * (area->high[0] - area->low[0]) * (area->high[1] - area->low[1]));
    return 0;
}

int receiver_grid_make(const struct receiver_air *air, const struct point_request *request,
                       const struct option_grid *asked, struct receiver_grid *out, struct failure *failure)
{
    struct receiver_area area = {0};
    struct audience_floor floor = {0};
    struct receiver_grid made = {0};
    struct failure why = {0};
    TRY(receiver_area_make(air->tree->mesh, asked, &area, failure));
    const double height = asked->height > 0 ? asked->height : request->grid_height;
    int code = is_audience(asked) ? find_audience(air, &area, &floor, &why) : 0;
    const struct floor_layout layout = {
        .air = air, .asked = asked, .area = &area, .audience = is_audience(asked) ? &floor : NULL};
    const bool given = receiver_grid_spacing_given(request, asked);
    const double spacing = receiver_grid_spacing(request, asked),
                 least = receiver_area_spacing_least(&area, AUDIENCE_UNIT);
    if (code == 0)
        code = lay_out(&layout, given ? spacing : fmax(spacing, least), height, &made, &why);
    if (code == 0 && !given)
        code = lay_out_fewer(&layout, AUDIENCE_POINTS, AUDIENCE_UNIT, &made, &why);
    if (code == 0 && made.count == 0)
        code = refuse_empty(&made, &why);
    if (code == 0 && made.count > RECEIVER_GRID_POINTS_MAX)
        code = refuse_number(&layout, &made, &why);
    receiver_area_free(&area);
    if (code == 0) {
        memcpy(made.name, asked->name, sizeof made.name);
        made.floor = floor;
        *out = made;
        return 0;
    }
    audience_floor_free(&floor);
    receiver_grid_free(&made);
    return failure_wrap(failure, &why, "receiver grid %s: ", asked->name);
}

int receiver_grid_move(const struct receiver_grid *from, const struct block_grid *grid,
                       struct receiver_grid *out, struct failure *failure)
{
    struct receiver_grid moved = *from;
    moved.floor = (struct audience_floor){0};
    moved.position = malloc(from->count * sizeof *moved.position);
    moved.node = malloc(from->count * sizeof *moved.node);
    if (moved.position == NULL || moved.node == NULL) {
        receiver_grid_free(&moved);
        return failure_memory(failure, from->count * sizeof *moved.position, "a receiver grid");
    }
    memcpy(moved.position, from->position, from->count * sizeof *moved.position);
    for (size_t i = 0; i < from->count; i++) {
        char name[MAP_POINT_NAME_MAX];
        const double *at = from->position[i];
        lattice_nearest(&grid->lattice, at, moved.node[i]);
        if (block_grid_links(grid, moved.node[i]) != 0)
            continue;
        failure_set(failure, FAILURE_INPUT,
                    "point %s of a receiver grid, at %.4g, %.4g, %.4g m, is not in air",
                    map_point_name(from->name, i, name), at[0], at[1], at[2]);
        receiver_grid_free(&moved);
        return FAILURE_INPUT;
    }
    *out = moved;
    return 0;
}
