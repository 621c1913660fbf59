#include "src/setup/receiver_grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/path/shortest_path.h"
#include "src/setup/receiver_area.h"

#define OFF_THE_FLOOR 1e-3 /* [m]: where the line from the floor to the ears begins */
#define MOVED         1e-6 /* [m]: an interpolation stencil that is shifted by more is cut off by a wall */

void receiver_grid_free(struct receiver_grid *grid)
{
    free(grid->position);
    free(grid->node);
    *grid = (struct receiver_grid){0};
}

const char *receiver_grid_name(const struct receiver_grid *grid, size_t index,
                               char name[RECEIVER_GRID_NAME_MAX])
{
    snprintf(name, RECEIVER_GRID_NAME_MAX, "%s-%zu", grid->name, index + 1);
    return name;
}

/* ---- where a point may stand ---- */

struct view {
    const struct mesh *mesh;
    double from[3], to[3];
    bool blocked;
};

static void block_view(uint32_t triangle, void *context)
{
    struct view *view = context;
    const uint32_t *corner = view->mesh->triangle[triangle];
    view->blocked =
        view->blocked || segment_meets_triangle(view->from, view->to, view->mesh->vertex[corner[0]],
                                                view->mesh->vertex[corner[1]], view->mesh->vertex[corner[2]]);
}

static bool is_covered(const struct clearance *tree, const double floor[3], const double ears[3])
{
    struct view view = {.mesh = tree->mesh};
    memcpy(view.from, floor, sizeof view.from);
    memcpy(view.to, ears, sizeof view.to);
    view.from[2] += OFF_THE_FLOOR;
    clearance_visit(tree, view.from, view.to, block_view, &view);
    return view.blocked;
}

/* A cell away from every surface no wall comes between the place and the node nearest to it. A stencil that
 * is shifted is that of a cell with a corner behind a wall. */
static bool is_free(const struct receiver_air *air, const double position[3], const int64_t node[3])
{
    const double h = air->grid->lattice.spacing;
    struct stencil tap;
    for (size_t s = 0; s < air->sources; s++)
        if (!(vector_distance(position, air->source[s]) >= h))
            return false;
    return clearance_at(air->tree, position, h) >= h &&
           stencil_make(air->grid, position, node, INTERPOLATION_LINEAR, &tap, NULL) == 0 &&
           tap.shift <= MOVED;
}

/* ---- laying out ---- */

struct floor_layout {
    const struct receiver_air *air;
    const struct option_grid *asked;
    const struct receiver_area *area;
};

/* The points at `spacing`: all that stay are counted, the first RECEIVER_GRID_POINTS_MAX kept. */
static int lay_out(const struct floor_layout *layout, double spacing, double height,
                   struct receiver_grid *out, struct failure *failure)
{
    struct floor_point *floor = NULL;
    size_t floors = 0;
    TRY(receiver_area_points(layout->area, spacing, &floor, &floors, failure));
    int code = 0;
    out->spacing = spacing;
    out->height = height;
    out->position = calloc(RECEIVER_GRID_POINTS_MAX, sizeof *out->position);
    out->node = calloc(RECEIVER_GRID_POINTS_MAX, sizeof *out->node);
    if (out->position == NULL || out->node == NULL)
        code = failure_memory(failure, RECEIVER_GRID_POINTS_MAX * sizeof *out->position, "a receiver grid");
    for (size_t i = 0; code == 0 && i < floors; i++) {
        const double ears[3] = {floor[i].position[0], floor[i].position[1], floor[i].position[2] + height};
        int64_t node[3];
        lattice_nearest(&layout->air->grid->lattice, ears, node);
        if (layout->asked->material != NULL && is_covered(layout->air->tree, floor[i].position, ears)) {
            out->covered++;
        } else if (block_grid_links(layout->air->grid, node) == 0) {
            out->solid++;
        } else if (!is_free(layout->air, ears, node)) {
            out->confined++;
        } else {
            if (out->count < RECEIVER_GRID_POINTS_MAX) {
                memcpy(out->position[out->count], ears, sizeof ears);
                memcpy(out->node[out->count], node, sizeof node);
            }
            out->count++;
        }
    }
    free(floor);
    return code;
}

/* The next spacing, in whole centimetres, at which about as many points as may be are left. */
static double coarser(double spacing, size_t count)
{
    const double wanted = spacing * sqrt((double)count / RECEIVER_GRID_POINTS_MAX);
    return fmax(ceil(wanted * 100 - 1e-6), floor(spacing * 100) + 1) / 100;
}

static int refuse_number(const struct floor_layout *layout, const struct receiver_grid *made,
                         struct failure *failure)
{
    double spacing = made->spacing;
    size_t count = made->count;
    while (count > RECEIVER_GRID_POINTS_MAX) {
        struct receiver_grid trial = {0};
        spacing = coarser(spacing, count);
        const int code = lay_out(layout, spacing, made->height, &trial, failure);
        count = trial.count;
        receiver_grid_free(&trial);
        if (code != 0)
            return code;
    }
    return failure_set(
        failure, FAILURE_INPUT,
        "it has %zu points at a spacing of %g m; a file takes %d: a spacing of %.2f m fits (%zu "
        "points), or several grids",
        made->count, made->spacing, RECEIVER_GRID_POINTS_MAX, spacing, count);
}

static int refuse_empty(const struct receiver_grid *made, struct failure *failure)
{
    if (made->covered + made->solid + made->confined == 0)
        return failure_set(failure, FAILURE_INPUT,
                           "no point of a grid of %g m lies on the area: use a smaller spacing",
                           made->spacing);
    return failure_set(
        failure, FAILURE_INPUT,
        "no point is left %g m above the floor: %zu are covered by something over the floor, %zu "
        "are not in the air of the source, %zu are less than a cell from a surface or source; "
        "change the area or the height",
        made->height, made->covered, made->solid, made->confined);
}

int receiver_grid_make(const struct receiver_air *air, const struct point_request *request,
                       const struct option_grid *asked, struct receiver_grid *out, struct failure *failure)
{
    struct receiver_area area = {0};
    struct receiver_grid made = {0};
    struct failure why = {0};
    TRY(receiver_area_make(air->tree->mesh, asked, &area, failure));
    const struct floor_layout layout = {.air = air, .asked = asked, .area = &area};
    memcpy(made.name, asked->name, sizeof made.name);
    int code = lay_out(&layout, asked->spacing > 0 ? asked->spacing : request->grid_spacing,
                       asked->height > 0 ? asked->height : request->grid_height, &made, &why);
    if (code == 0 && made.count == 0)
        code = refuse_empty(&made, &why);
    if (code == 0 && made.count > RECEIVER_GRID_POINTS_MAX)
        code = refuse_number(&layout, &made, &why);
    receiver_area_free(&area);
    if (code == 0) {
        *out = made;
        return 0;
    }
    receiver_grid_free(&made);
    return failure_wrap(failure, &why, "receiver grid %s: ", asked->name);
}

int receiver_grid_move(const struct receiver_grid *from, const struct block_grid *grid,
                       struct receiver_grid *out, struct failure *failure)
{
    struct receiver_grid moved = *from;
    moved.position = malloc(from->count * sizeof *moved.position);
    moved.node = malloc(from->count * sizeof *moved.node);
    if (moved.position == NULL || moved.node == NULL) {
        receiver_grid_free(&moved);
        return failure_memory(failure, from->count * sizeof *moved.position, "a receiver grid");
    }
    memcpy(moved.position, from->position, from->count * sizeof *moved.position);
    for (size_t i = 0; i < from->count; i++) {
        char name[RECEIVER_GRID_NAME_MAX];
        const double *at = from->position[i];
        lattice_nearest(&grid->lattice, at, moved.node[i]);
        if (block_grid_links(grid, moved.node[i]) != 0)
            continue;
        failure_set(failure, FAILURE_INPUT,
                    "point %s of a receiver grid, at %.4g, %.4g, %.4g m, is in no air",
                    receiver_grid_name(from, i, name), at[0], at[1], at[2]);
        receiver_grid_free(&moved);
        return FAILURE_INPUT;
    }
    *out = moved;
    return 0;
}
