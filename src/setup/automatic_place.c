#include "src/setup/automatic_place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/base/sorted_doubles.h"

struct candidate {
    struct automatic_place place;
    double floor; /* below it [m]; unused for a node in mid-air */
};

/* ---- nodes, evenly spread ---- */

/* True for a node of the search, by its link byte. */
typedef bool node_filter(unsigned links);

static bool is_air(unsigned links)
{
    return links != 0;
}

static bool is_on_floor(unsigned links)
{
    return links != 0 && (links >> DIRECTION_ZM & 1) == 0;
}

typedef void node_visit(const int64_t node[3], void *context);

/* Visit every n-th of the nodes that `filter` accepts, in storage order, so that at most AUTOMATIC_CANDIDATES
 * are visited. Blocks without a visited node are skipped, by the count of their tile. */
static int visit_evenly(const struct block_grid *grid, node_filter *filter, node_visit *visit, void *context,
                        struct failure *failure)
{
    uint32_t *in_tile = calloc((size_t)grid->tiles + 1, sizeof *in_tile);
    if (in_tile == NULL)
        return failure_memory(failure, grid->tiles * sizeof *in_tile, "nodes for positions");
    for (uint32_t t = 0; t < grid->tiles; t++)
        for (int slot = 0; slot < BLOCK_NODES; slot++)
            in_tile[t] += filter(grid->tile[t][slot]);
    uint64_t total = 0;
    for (block_id b = 1; b <= grid->blocks; b++)
        total += in_tile[grid->block[b].tile];
    const uint64_t every = total / AUTOMATIC_CANDIDATES + 1;
    uint64_t index = 0, next = every / 2;
    for (block_id b = 1; b <= grid->blocks; b++) {
        const struct block *block = &grid->block[b];
        const uint32_t count = in_tile[block->tile];
        if (next >= index + count) {
            index += count;
            continue;
        }
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            if (!filter(grid->tile[block->tile][slot]) || index++ != next)
                continue;
            int64_t node[3];
            for (int axis = 0; axis < 3; axis++)
                node[axis] = (int64_t)block->place[axis] * BLOCK_EDGE + (slot >> (3 * axis) & 7);
            visit(node, context);
            next += every;
        }
    }
    free(in_tile);
    return 0;
}

/* ---- the floor below ---- */

struct drop {
    const struct mesh *mesh;
    double at[3];  /* straight down from here [m] */
    double lowest; /* to here [m] */
    double floor;  /* the highest triangle so far [m]; -infinity: none */
};

/* True if the line through `at` along `axis` meets the triangle; also where on that axis. */
static bool line_meets(const struct mesh *mesh, uint32_t triangle, const double at[3], int axis,
                       double *height)
{
    const uint32_t *corner = mesh->triangle[triangle];
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double edge[3], area = 0;
    *height = 0;
    for (int i = 0; i < 3; i++) {
        const double *a = mesh->vertex[corner[(i + 1) % 3]], *b = mesh->vertex[corner[(i + 2) % 3]];
        edge[i] = (a[u] - at[u]) * (b[v] - at[v]) - (a[v] - at[v]) * (b[u] - at[u]);
        area += edge[i];
        *height += edge[i] * mesh->vertex[corner[i]][axis];
    }
    const bool inside =
        (edge[0] >= 0 && edge[1] >= 0 && edge[2] >= 0) || (edge[0] <= 0 && edge[1] <= 0 && edge[2] <= 0);
    if (!inside || area == 0)
        return false;
    *height /= area;
    return true;
}

static void drop_on_triangle(uint32_t triangle, void *context)
{
    struct drop *drop = context;
    double height;
    if (!line_meets(drop->mesh, triangle, drop->at, 2, &height))
        return;
    if (height <= drop->at[2] && height >= drop->lowest && height > drop->floor)
        drop->floor = height;
}

/* Height of the floor right below a node whose link downwards is cut. */
static double floor_below(const struct clearance *tree, const double position[3], double spacing,
                          bool has_records)
{
    /* A wall may lie a sub-step beyond the node that it is snapped to, and in a cell that it cuts above it.
     */
    const double slack = spacing / LATTICE_SUBSTEPS, above = has_records ? spacing / 2 : 2 * slack;
    struct drop drop = {.mesh = tree->mesh,
                        .at = {position[0], position[1], position[2] + above},
                        .lowest = position[2] - spacing - 2 * slack,
                        .floor = -INFINITY};
    const double low[3] = {position[0], position[1], drop.lowest};
    clearance_visit(tree, low, drop.at, drop_on_triangle, &drop);
    return isfinite(drop.floor) ? drop.floor : position[2] - spacing / 2;
}

/* ---- in the room, or in the air around it ---- */

/* Lines along the axes that meet a wall around a place in a room whose door or roof is open. */
#define WALLS_AROUND 4

struct look {
    const struct mesh *mesh;
    double from[3];
    int axis;
    bool met[2]; /* below and above along the axis */
};

static void look_at_triangle(uint32_t triangle, void *context)
{
    struct look *look = context;
    double height;
    if (line_meets(look->mesh, triangle, look->from, look->axis, &height))
        look->met[height > look->from[look->axis]] = true;
}

/* ---- candidates ---- */

struct search {
    int walls_around;       /* that a place needs; 0: none; -1: it may be beyond the mesh, too */
    double low[3], high[3]; /* of the mesh [m] */
    const struct block_grid *grid;
    const struct clearance *tree;
    const struct automatic_wish *wish;
    size_t count;
    struct candidate *candidate; /* (AUTOMATIC_CANDIDATES + 1) owned */
};

/* Are the nodes above `node` joined to it, one to the next, up to `top` [m]? Then a place that high above it
 * is over the same floor. */
static bool column_is_free(const struct block_grid *grid, const int64_t node[3], double top)
{
    int64_t at[3] = {node[0], node[1], node[2]};
    double position[3];
    for (lattice_position(&grid->lattice, at, position); position[2] < top;
         lattice_position(&grid->lattice, at, position)) {
        if ((block_grid_links(grid, at) >> DIRECTION_ZP & 1) == 0)
            return false;
        at[2]++;
    }
    return true;
}

static bool may_stand(const struct search *search, const double position[3])
{
    int walls = 0;
    for (int axis = 0; axis < 3 && search->walls_around >= 0; axis++)
        if (!(position[axis] > search->low[axis] && position[axis] < search->high[axis]))
            return false;
    for (int axis = 0; axis < 3 && search->walls_around > 0; axis++) {
        struct look look = {
            .mesh = search->tree->mesh, .from = {position[0], position[1], position[2]}, .axis = axis};
        double low[3] = {position[0], position[1], position[2]}, high[3] = {low[0], low[1], low[2]};
        low[axis] = search->low[axis];
        high[axis] = search->high[axis];
        clearance_visit(search->tree, low, high, look_at_triangle, &look);
        walls += look.met[0] + look.met[1];
    }
    return walls >= search->walls_around;
}

/* A node over a floor: the place at the wished height above it. */
static void add_floor_node(const int64_t node[3], void *context)
{
    struct search *search = context;
    const double h = search->grid->lattice.spacing;
    struct candidate one;
    double position[3];
    lattice_position(&search->grid->lattice, node, position);
    one.floor = floor_below(search->tree, position, h, search->grid->has_records);
    position[2] = one.floor + search->wish->height;
    if (!column_is_free(search->grid, node, position[2]) || !may_stand(search, position))
        return;
    for (int axis = 0; axis < 3; axis++)
        one.place.position[axis] = round(position[axis] * 1000) / 1000 + 0.0;
    lattice_nearest(&search->grid->lattice, one.place.position, one.place.node);
    one.place.clearance = clearance_at(search->tree, one.place.position, INFINITY);
    /* Then no wall comes between it and any corner of its cell, or between these. */
    if (one.place.clearance > 1.8 * h && block_grid_links(search->grid, one.place.node) != 0)
        search->candidate[search->count++] = one;
}

/* Add any node of the air, unchanged. */
static void add_air_node(const int64_t node[3], void *context)
{
    struct search *search = context;
    struct candidate one = {.floor = 0};
    memcpy(one.place.node, node, sizeof one.place.node);
    lattice_position(&search->grid->lattice, node, one.place.position);
    if (!may_stand(search, one.place.position))
        return;
    one.place.clearance = clearance_at(search->tree, one.place.position, INFINITY);
    search->candidate[search->count++] = one;
}

/* ---- choosing ---- */

/* Floors within this are one level [m]. */
#define LEVEL 0.3

/* The lower end of the floor level of most candidates. */
static int main_level(const struct search *list, double *level, struct failure *failure)
{
    double *floor = calloc(list->count + 1, sizeof *floor);
    if (floor == NULL)
        return failure_memory(failure, list->count * sizeof *floor, "levels of the floor");
    for (size_t i = 0; i < list->count; i++)
        floor[i] = list->candidate[i].floor;
    sort_doubles(floor, list->count);
    size_t most = 0;
    for (size_t first = 0, end = 0; first < list->count; first++) {
        while (end < list->count && floor[end] <= floor[first] + LEVEL)
            end++;
        if (end - first > most) {
            most = end - first;
            *level = floor[first];
        }
    }
    free(floor);
    return 0;
}

/* True if it is far enough from wish->from and from the places that are taken. */
static bool is_apart(const double position[3], const struct automatic_wish *wish, double apart)
{
    if (vector_distance(position, wish->from) < apart)
        return false;
    for (size_t t = 0; t < wish->taken_count; t++)
        if (vector_distance(position, wish->taken[t]) < apart)
            return false;
    return true;
}

/* Choose among the candidates that are clear enough, on the level (unless that is -infinity), and far enough
 * from wish->from and others. The distance from wish->from must be nearest to the wished share of the
 * largest. False if none. */
static bool choose_candidate(const struct search *list, double clearance, double level, double apart,
                             struct automatic_place *out)
{
    const struct automatic_wish *wish = list->wish;
    double largest = -1, best = INFINITY;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < list->count; i++) {
            const struct candidate *one = &list->candidate[i];
            const double far = vector_distance(one->place.position, wish->from);
            if (!(one->place.clearance >= clearance) || !is_apart(one->place.position, wish, apart) ||
                (level > -INFINITY && (one->floor < level || one->floor > level + LEVEL)))
                continue;
            if (pass == 0) {
                largest = fmax(largest, far);
            } else if (fabs(far - wish->share * largest) < best) {
                best = fabs(far - wish->share * largest);
                *out = one->place;
            }
        }
    return largest >= 0;
}

/* Rounding may take this much of a clearance that a room has exactly. */
#define CLEAR_ENOUGH (AUTOMATIC_CLEARANCE * (1 - 1e-9))
/* If no place is that clear, this share of the largest clearance is enough. */
#define NEARLY 0.7

static int find_place(struct search *search, struct automatic_place *out, bool *found,
                      struct failure *failure)
{
    const struct automatic_wish *wish = search->wish;
    double level = -INFINITY, clearest = 0;
    search->count = 0;
    *found = true;
    TRY(visit_evenly(search->grid, is_on_floor, add_floor_node, search, failure));
    TRY(main_level(search, &level, failure));
    if (choose_candidate(search, CLEAR_ENOUGH, level, wish->apart, out) ||
        choose_candidate(search, CLEAR_ENOUGH, -INFINITY, wish->apart, out))
        return 0;
    search->count = 0;
    if (wish->from_too) {
        int64_t node[3];
        lattice_nearest(&search->grid->lattice, wish->from, node);
        add_air_node(node, search);
    }
    TRY(visit_evenly(search->grid, is_air, add_air_node, search, failure));
    for (size_t i = 0; i < search->count; i++)
        clearest = fmax(clearest, search->candidate[i].place.clearance);
    if (!choose_candidate(search, CLEAR_ENOUGH, -INFINITY, wish->apart, out) &&
        !choose_candidate(search, NEARLY * clearest, -INFINITY, wish->apart, out))
        *found = choose_candidate(search, 0, -INFINITY, 0, out);
    return 0;
}

int automatic_place_find(const struct block_grid *grid, const struct clearance *tree,
                         const struct automatic_wish *wish, struct automatic_place *out,
                         struct failure *failure)
{
    struct search search = {.grid = grid, .tree = tree, .wish = wish};
    const size_t bytes = (AUTOMATIC_CANDIDATES + 1) * sizeof *search.candidate;
    search.candidate = malloc(bytes);
    int code = search.candidate == NULL ? failure_memory(failure, bytes, "places for points") : 0;
    if (code == 0 && wish->inside)
        code = mesh_bounds(tree->mesh, search.low, search.high, failure);
    bool found = false;
    const int walls[] = {WALLS_AROUND, 0, -1};
    for (int attempt = wish->inside ? 0 : 2; code == 0 && !found && attempt < 3; attempt++) {
        search.walls_around = walls[attempt];
        code = find_place(&search, out, &found, failure);
    }
    free(search.candidate);
    return code;
}
