#include "src/setup/area/audience_floor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAME_HEIGHT 1e-3 /* [m] */
#define BLOCK       0.6  /* [m]: a lower step is the next row, not a block of people */
#define STEP        0.5  /* [m]: highest step for people */
#define LEDGE       6.0  /* [m2] */

/* ---- the floor under seats ---- */

struct drop {
    const struct clearance *tree;
    const enum surface_use *use;
    double from[3]; /* [m] */
    double floor;   /* the highest so far [m]; -infinity: none */
};

static void meet(uint32_t triangle, void *context)
{
    struct drop *drop = context;
    const struct mesh *mesh = drop->tree->mesh;
    double corner[3][3], height;
    if (drop->use[mesh->triangle_material[triangle]] == SURFACE_SEATS)
        return;
    for (int c = 0; c < 3; c++)
        memcpy(corner[c], mesh->vertex[mesh->triangle[triangle][c]], sizeof corner[c]);
    if (receiver_area_height((const double(*)[3])corner, drop->from[0], drop->from[1], &height) &&
        height <= drop->from[2] + SAME_HEIGHT && height > drop->floor)
        drop->floor = height;
}

/* The level of the nearest floor below a block of people; the point's own if it is not on a block. */
static double floor_beside(const struct floor_point *of, double height, const struct floor_point *point,
                           size_t count)
{
    double nearest = INFINITY, level = of->face;
    for (size_t i = 0; of->level && i < count; i++) {
        const double apart =
            hypot(point[i].position[0] - of->position[0], point[i].position[1] - of->position[1]);
        if (!point[i].seats && apart < nearest && point[i].face <= of->face - BLOCK &&
            point[i].face >= of->face - height) {
            nearest = apart;
            level = point[i].face;
        }
    }
    return level;
}

static double floor_under(const struct clearance *tree, const enum surface_use *use, double height,
                          const struct floor_point *of, const struct floor_point *point, size_t count)
{
    struct drop drop = {.tree = tree, .use = use, .floor = -INFINITY};
    memcpy(drop.from, of->position, sizeof drop.from);
    const double low[3] = {drop.from[0], drop.from[1], of->face - height};
    clearance_visit(tree, low, drop.from, meet, &drop);
    return drop.floor >= low[2] ? drop.floor : floor_beside(of, height, point, count);
}

/* Do the last points kept include one of this floor in the same square? */
static bool is_there(const struct floor_point *point, size_t kept, const struct floor_point *new)
{
    for (; kept > 0 && point[kept - 1].row == new->row &&point[kept - 1].column == new->column; kept--)
        if (fabs(point[kept - 1].position[2] - new->position[2]) <= SAME_HEIGHT)
            return true;
    return false;
}

void audience_stand(const struct clearance *tree, const enum surface_use *use, double height,
                    struct floor_point *point, size_t *count)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (point[i].seats)
            point[i].position[2] = floor_under(tree, use, height, &point[i], point, *count);
    for (size_t i = 0; i < *count; i++)
        if (!is_there(point, kept, &point[i]))
            point[kept++] = point[i];
    *count = kept;
}

/* ---- ledges ---- */

static double between(uint32_t a, uint32_t b)
{
    return fabs((double)a - (double)b);
}

static bool can_step(const struct floor_point *a, const struct floor_point *b)
{
    return between(a->row, b->row) <= 1 && between(a->column, b->column) <= 1 &&
           fabs(a->position[2] - b->position[2]) <= STEP;
}

/* Number the parts that hang together, and count their points. Room for `count` in each. */
static void number_parts(const struct floor_point *point, size_t count, size_t *part, size_t *size,
                         size_t *queue)
{
    for (size_t i = 0; i < count; i++)
        part[i] = SIZE_MAX;
    for (size_t i = 0, parts = 0; i < count; i++) {
        size_t waiting = 0;
        if (part[i] != SIZE_MAX)
            continue;
        part[i] = parts;
        queue[waiting++] = i;
        while (waiting > 0) {
            const size_t at = queue[--waiting];
            size[parts]++;
            for (size_t j = 0; j < count; j++)
                if (part[j] == SIZE_MAX && can_step(&point[at], &point[j])) {
                    part[j] = parts;
                    queue[waiting++] = j;
                }
        }
        parts++;
    }
}

/* True if the larger neighbour of a small part is more than a step below it. */
static bool is_ledge(const struct floor_point *point, size_t count, const size_t *part, const size_t *size,
                     size_t of)
{
    double nearest = INFINITY, below = 0;
    for (size_t j = 0; j < count; j++) {
        const double apart =
            hypot(between(point[j].row, point[of].row), between(point[j].column, point[of].column));
        if (size[part[j]] > size[part[of]] && apart < nearest) {
            nearest = apart;
            below = point[of].position[2] - point[j].position[2];
        }
    }
    return below > STEP;
}

int audience_drop_ledges(double spacing, struct floor_point *point, size_t *count, size_t *dropped,
                         struct failure *failure)
{
    const size_t all = *count;
    size_t *part = calloc(3 * all + 1, sizeof *part);
    bool *ledge = calloc(all + 1, sizeof *ledge);
    *dropped = 0;
    if (part == NULL || ledge == NULL) {
        free(part);
        free(ledge);
        return failure_memory(failure, 3 * all * sizeof *part, "the points of a receiver grid");
    }
    size_t *size = part + all;
    number_parts(point, all, part, size, size + all);
    for (size_t i = 0; i < all; i++)
        ledge[i] = (double)size[part[i]] * spacing * spacing < LEDGE && is_ledge(point, all, part, size, i);
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        *dropped += ledge[i];
        if (!ledge[i])
            point[(*count)++] = point[i];
    }
    free(part);
    free(ledge);
    return 0;
}
