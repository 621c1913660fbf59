#include "src/setup/area/audience_floor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "rooms/text/table_text.h"
#include "src/setup/path/shortest_path.h"

#define SAMPLE        0.25 /* [m]: between samples, in rooms of some 2000 m2 and less */
#define SEAT          4    /* samples */
#define EARS          1.2  /* [m] over the floor, of people who look and are looked for */
#define HEADROOM      1.8  /* [m] */
#define OFF_THE_FLOOR 1e-3 /* [m]: where a line from the floor begins */
#define SAME_HEIGHT   1e-3 /* [m] */
#define BLOCK         0.6  /* [m]: a lower step is the next row, not a block of people */
#define LEVEL         0.05 /* [m]: steps within a level */
#define STEP          0.5  /* [m]: highest step for people */
#define RAISED        0.1  /* [m] */
#define RAISED_MOST   1.6  /* [m]: of a stage over the floor before it */
#define SEAT_LOW      0.3  /* [m]: of a seat over its floor */
#define SEAT_HIGH     0.6
#define LEAST_AREA    6.0 /* [m2]: of a level for people, or a quarter of the largest */
#define LEAST_WIDE    8   /* samples whose neighbours are all of their level */
#define STANDS_BELOW  2.5 /* [m]: a source hangs that is higher over any floor */
#define STANDS_BESIDE 1.5 /* [m]: a source over furniture stands on the floor this near to it */
#define SEEN          0.2 /* least part of a level */
#define LOOKS         48  /* samples of a level that are asked what they see */
#define SKY           60  /* [m] over a floor without a roof */
#define SOURCES_MOST  16  /* that are looked for */
#define PLACES        6   /* on the main floor from which other levels are looked for */
#define NONE          UINT32_MAX

/* ---- lines of sight ---- */

struct view {
    const struct receiver_air *air;
    double from[3], to[3];
    bool blocked;
};

static bool is_seats(const struct receiver_air *air, uint16_t material)
{
    return air->use != NULL && air->use[material] == SURFACE_SEATS;
}

static void block_view(uint32_t triangle, void *context)
{
    struct view *view = context;
    const struct mesh *mesh = view->air->tree->mesh;
    const uint32_t *corner = mesh->triangle[triangle];
    if (!view->blocked && !is_seats(view->air, mesh->triangle_material[triangle]))
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

static bool sees_up(const struct receiver_air *air, const double from[3], double height)
{
    return audience_sees(air, from, (const double[3]){from[0], from[1], from[2] + height});
}

static bool is_air(const struct receiver_air *air, double x, double y, double z)
{
    int64_t node[3];
    lattice_nearest(&air->grid->lattice, (const double[3]){x, y, z}, node);
    return block_grid_links(air->grid, node) != 0;
}

/* ---- samples ---- */

static void place(const struct floor_point *of, double above, double at[3])
{
    memcpy(at, of->position, sizeof of->position);
    at[2] += above;
}

/* The surface at x, y that is nearest to a height. */
struct drop {
    const struct mesh *mesh;
    const struct receiver_air *air; /* NULL: seats count, too */
    const double *at;
    double floor, most; /* of what lies between [m]; -infinity: none */
};

static void meet(uint32_t triangle, void *context)
{
    struct drop *drop = context;
    double corner[3][3], height;
    if (drop->air != NULL && is_seats(drop->air, drop->mesh->triangle_material[triangle]))
        return;
    for (int c = 0; c < 3; c++)
        memcpy(corner[c], drop->mesh->vertex[drop->mesh->triangle[triangle][c]], sizeof corner[c]);
    if (receiver_area_height((const double(*)[3])corner, drop->at[0], drop->at[1], &height) &&
        height <= drop->most && height > drop->floor)
        drop->floor = height;
}

/* The highest surface from `low` to `high`, without seats if `air` is given; -infinity: none. */
static double surface_within(const struct clearance *tree, const struct receiver_air *air, const double at[3],
                             double low, double high)
{
    struct drop drop = {.mesh = tree->mesh, .air = air, .at = at, .floor = -INFINITY, .most = high};
    clearance_visit(tree, (const double[3]){at[0], at[1], low}, (const double[3]){at[0], at[1], high}, meet,
                    &drop);
    return drop.floor >= low ? drop.floor : -INFINITY;
}

/* The level of the nearest floor below a block of people; the point's own if it is not on a block. */
static double floor_beside(const struct receiver_air *air, const struct audience_floor *floor,
                           const struct floor_point *of)
{
    double nearest = INFINITY, level = of->face;
    for (size_t i = 0; of->level && i < floor->count; i++) {
        const struct floor_point *point = &floor->point[i];
        const double apart =
            hypot(point->position[0] - of->position[0], point->position[1] - of->position[1]);
        if (!is_seats(air, point->material) && apart < nearest && point->face <= of->face - BLOCK &&
            point->face >= of->face - EARS) {
            nearest = apart;
            level = point->face;
        }
    }
    return level;
}

/* The floor beneath a seat by name; `point->face` if there is none. */
static double floor_under(const struct receiver_air *air, const struct floor_point *point)
{
    const double under =
        surface_within(air->tree, air, point->position, point->face - EARS, point->face + SAME_HEIGHT);
    return isfinite(under) ? under : point->face;
}

/* Put seats by name on the floor beneath them. Of the samples of one floor in a square a seat's is kept. */
static void stand_on_floors(const struct receiver_air *air, struct audience_floor *floor)
{
    size_t kept = 0;
    for (size_t i = 0; i < floor->count; i++) {
        struct floor_point *point = &floor->point[i];
        if (!is_seats(air, point->material))
            continue;
        point->position[2] = floor_under(air, point);
        if (point->position[2] == point->face)
            point->position[2] = floor_beside(air, floor, point);
    }
    for (size_t i = 0; i < floor->count; i++) {
        const struct floor_point *point = &floor->point[i];
        size_t same = kept;
        for (size_t k = kept;
             k > 0 && floor->point[k - 1].row == point->row && floor->point[k - 1].column == point->column;
             k--)
            if (fabs(floor->point[k - 1].position[2] - point->position[2]) <= SAME_HEIGHT)
                same = k - 1;
        if (same == kept || is_seats(air, point->material))
            floor->point[same] = *point;
        kept += same == kept;
    }
    floor->count = kept;
}

/* Could somebody be there? The line up begins on the face, that of a seat for one. */
static bool has_room(const struct receiver_air *air, const struct floor_point *point)
{
    double from[3];
    place(point, OFF_THE_FLOOR, from);
    return is_air(air, from[0], from[1], point->face + EARS) && sees_up(air, from, HEADROOM);
}

static int take_samples(const struct receiver_air *air, struct audience_floor *floor, struct failure *failure)
{
    struct receiver_area area = {0};
    struct option_grid all = {.name = "audience"};
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
    floor->spacing = fmax(SAMPLE, receiver_area_spacing_least(&area, 0));
    const int code = receiver_area_points(&area, floor->spacing, &floor->point, &floor->count, failure);
    receiver_area_free(&area);
    TRY(code);
    size_t kept = 0;
    for (size_t i = 0; i < floor->count; i++)
        if (has_room(air, &floor->point[i]))
            floor->point[kept++] = floor->point[i];
    floor->count = kept;
    if (kept < SEAT)
        return failure_set(
            failure, FAILURE_INPUT,
            "nobody can sit in the air of the source: nowhere is %g m of it over %g m2 of faces flatter "
            "than 45 degrees",
            HEADROOM, SEAT * SAMPLE * SAMPLE);
    for (int axis = 0; axis < 2; axis++)
        floor->first[axis] =
            floor->point[0].position[axis] -
            floor->spacing * (double)(axis == 0 ? floor->point[0].column : floor->point[0].row);
    stand_on_floors(air, floor);
    return 0;
}

/* The first sample at or after a square. */
static size_t find_square(const struct audience_floor *floor, uint32_t row, uint32_t column)
{
    size_t low = 0, high = floor->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const struct floor_point *at = &floor->point[middle];
        if (at->row < row || (at->row == row && at->column < column))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- levels ---- */

struct level {
    enum audience_verdict verdict;
    uint32_t part, material; /* of most of it, by majority vote */
    size_t count, first, wide, seats, votes;
    double sum[3], low, high;      /* of its samples' positions; heights [m] */
    double area;                   /* [m2] */
    double seen;                   /* part of it */
    bool big, settled, goes_on_up; /* an object with a step on to something higher is no seat */
};

struct levels {
    const struct receiver_air *air;
    struct receiver_air sight; /* the same, but nothing is looked through */
    struct audience_floor *floor;
    uint32_t *of;    /* (samples) number of the level; owned */
    uint32_t *group; /* (samples) owned */
    size_t count;
    struct level *level; /* (count) owned */
    uint32_t main;
    double middle[2]; /* of the audience [m] */
};

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

typedef void pair_visit(struct levels *levels, size_t a, size_t b, void *context);

/* Visit all pairs of samples in squares side by side. */
static void visit_pairs(struct levels *levels, pair_visit *visit, void *context)
{
    const struct audience_floor *floor = levels->floor;
    for (size_t i = 0; i < floor->count; i++) {
        const struct floor_point *at = &floor->point[i];
        for (int side = 0; side < 2; side++) {
            const uint32_t row = at->row + (side == 1), column = at->column + (side == 0);
            for (size_t j = find_square(floor, row, column);
                 j < floor->count && floor->point[j].row == row && floor->point[j].column == column; j++)
                visit(levels, i, j, context);
        }
    }
}

static double rise(const struct levels *levels, size_t from, size_t to)
{
    return levels->floor->point[to].position[2] - levels->floor->point[from].position[2];
}

static void join_level(struct levels *levels, size_t a, size_t b, void *context)
{
    uint32_t *parent = context;
    const bool even = levels->floor->point[a].level && levels->floor->point[b].level;
    if (fabs(rise(levels, a, b)) <= (even ? LEVEL : levels->floor->spacing))
        parent[root_of(parent, (uint32_t)b)] = root_of(parent, (uint32_t)a);
}

/* Of the same level in the square next to it? */
static bool has_neighbour(const struct levels *levels, size_t of, int along, int across)
{
    const struct audience_floor *floor = levels->floor;
    const uint32_t row = floor->point[of].row + (uint32_t)across,
                   column = floor->point[of].column + (uint32_t)along;
    for (size_t j = find_square(floor, row, column);
         j < floor->count && floor->point[j].row == row && floor->point[j].column == column; j++)
        if (levels->of[j] == levels->of[of])
            return true;
    return false;
}

static bool is_wide(const struct levels *levels, size_t of)
{
    for (int n = 0; n < 9; n++)
        if (n != 4 && !has_neighbour(levels, of, n % 3 - 1, n / 3 - 1))
            return false;
    return true;
}

static void measure_level(struct levels *levels, size_t i)
{
    const struct floor_point *at = &levels->floor->point[i];
    struct level *level = &levels->level[levels->of[i]];
    if (level->count++ == 0) {
        level->first = i;
        level->low = level->high = at->position[2];
    }
    if (level->votes == 0)
        level->material = at->material;
    level->votes += level->material == at->material ? 1 : (size_t)-1;
    level->seats += is_seats(levels->air, at->material);
    for (int axis = 0; axis < 3; axis++)
        level->sum[axis] += at->position[axis];
    level->low = fmin(level->low, at->position[2]);
    level->high = fmax(level->high, at->position[2]);
    level->wide += is_wide(levels, i);
}

/* Which are more than objects? In a closet the largest is. */
static void choose_big(struct levels *levels)
{
    double largest = 0;
    bool any = false;
    for (size_t l = 0; l < levels->count; l++)
        largest = fmax(largest, levels->level[l].area);
    for (size_t l = 0; l < levels->count; l++) {
        struct level *level = &levels->level[l];
        any |= level->big = level->area >= fmin(LEAST_AREA, largest / 4) && level->wide >= LEAST_WIDE;
    }
    for (size_t l = 0; !any && l < levels->count; l++)
        levels->level[l].big = levels->level[l].area == largest;
}

static int find_levels(struct levels *levels, struct failure *failure)
{
    const size_t count = levels->floor->count;
    levels->of = malloc((count + 1) * sizeof *levels->of);
    levels->group = malloc((count + 1) * sizeof *levels->group);
    levels->level = calloc(count + 1, sizeof *levels->level);
    if (levels->of == NULL || levels->group == NULL || levels->level == NULL)
        return failure_memory(failure, count * sizeof *levels->level, "levels of the floor");
    for (size_t i = 0; i < count; i++)
        levels->group[i] = (uint32_t)i;
    visit_pairs(levels, join_level, levels->group);
    for (size_t i = 0; i < count; i++) /* a root is not always the first of its level */
        levels->of[i] = NONE;
    for (size_t i = 0; i < count; i++) {
        const uint32_t root = root_of(levels->group, (uint32_t)i);
        if (levels->of[root] == NONE)
            levels->of[root] = (uint32_t)levels->count++;
        levels->of[i] = levels->of[root];
    }
    for (size_t i = 0; i < count; i++)
        measure_level(levels, i);
    for (size_t l = 0; l < levels->count; l++)
        levels->level[l].area =
            (double)levels->level[l].count * levels->floor->spacing * levels->floor->spacing;
    choose_big(levels);
    return 0;
}

/* ---- what a source sees ---- */

/* Does somebody see one of these places, or the air above it up to what is there? */
static bool sees_any(const struct receiver_air *air, const double ears[3], size_t count,
                     const double (*place)[3])
{
    for (size_t p = 0; p < count; p++) {
        double last = 0;
        for (double up = 0; up <= 8; up = up == 0 ? 1 : 2 * up) {
            const double *at = place[p], to[3] = {at[0], at[1], at[2] + up};
            if (up > 0 && !audience_sees(air, (const double[3]){at[0], at[1], at[2] + last}, to))
                break;
            if (audience_sees(air, ears, to))
                return true;
            last = up;
        }
    }
    return false;
}

/* The part of a level that sees one of these places. */
static double part_seen(const struct levels *levels, uint32_t number, size_t count, const double (*at)[3])
{
    const struct level *level = &levels->level[number];
    const size_t every = level->count / LOOKS + 1;
    size_t asked = 0, met = 0, seen = 0;
    for (size_t i = level->first; met < level->count; i++) {
        double ears[3];
        if (levels->of[i] != number || met++ % every != 0)
            continue;
        place(&levels->floor->point[i], EARS, ears);
        asked++;
        seen += sees_any(&levels->sight, ears, count, at);
    }
    return (double)seen / (double)asked;
}

/* From the sources; all, if there is none or it sees nothing, as one in a cupboard. */
static void look_from_sources(struct levels *levels)
{
    const size_t sources = levels->air->sources < SOURCES_MOST ? levels->air->sources : SOURCES_MOST;
    bool any = false;
    for (uint32_t l = 0; l < levels->count; l++)
        if (levels->level[l].big) {
            levels->level[l].seen = part_seen(levels, l, sources, levels->air->source);
            any |= levels->level[l].seen >= SEEN;
        }
    for (size_t l = 0; !any && l < levels->count; l++)
        levels->level[l].seen = 1;
}

/* From the main floor: the source may be under a gallery. */
static void look_from_main(struct levels *levels)
{
    const struct level *main = &levels->level[levels->main];
    double at[PLACES][3];
    size_t met = 0, count = 0;
    for (size_t i = main->first; met < main->count; i++)
        if (levels->of[i] == levels->main && met++ % (main->count / PLACES + 1) == main->count / PLACES / 2)
            place(&levels->floor->point[i], EARS, at[count++]);
    for (uint32_t l = 0; l < levels->count; l++)
        if (levels->level[l].big && levels->level[l].seen < SEEN)
            levels->level[l].seen = part_seen(levels, l, count, (const double(*)[3])at);
}

static bool is_floor(const struct level *level)
{
    return level->big && level->seen >= SEEN;
}

/* ---- stages ---- */

/* The big level on which a source stands. */
static uint32_t level_below(const struct levels *levels, const double source[3])
{
    uint32_t below = NONE;
    double nearest = STANDS_BESIDE;
    for (size_t i = 0; i < levels->floor->count; i++) {
        const double *at = levels->floor->point[i].position,
                     apart = hypot(at[0] - source[0], at[1] - source[1]);
        if (levels->level[levels->of[i]].big && apart < nearest && at[2] <= source[2] &&
            at[2] >= source[2] - STANDS_BELOW) {
            nearest = apart;
            below = levels->of[i];
        }
    }
    return below;
}

struct without {
    uint32_t stage;
    double *area; /* (samples) of groups; NULL while they are joined */
    double largest;
};

static void join_group(struct levels *levels, size_t a, size_t b, void *context)
{
    const struct without *without = context;
    if (fabs(rise(levels, a, b)) <= STEP && levels->of[a] != without->stage &&
        levels->of[b] != without->stage)
        levels->group[root_of(levels->group, (uint32_t)b)] = root_of(levels->group, (uint32_t)a);
}

static void look_down(struct levels *levels, size_t a, size_t b, void *context)
{
    struct without *without = context;
    const bool down = levels->of[a] == without->stage;
    if (down == (levels->of[b] == without->stage))
        return;
    const size_t from = down ? a : b, to = down ? b : a;
    const double fall = rise(levels, to, from);
    if (fall > RAISED && fall <= RAISED_MOST)
        without->largest = fmax(without->largest, without->area[root_of(levels->group, (uint32_t)to)]);
}

/* Is a level raised over floors at its edge that hold as many people or more? */
static int judge_stage(struct levels *levels, uint32_t stage, struct failure *failure)
{
    const size_t count = levels->floor->count;
    struct without without = {.stage = stage, .area = calloc(count + 1, sizeof *without.area)};
    if (without.area == NULL)
        return failure_memory(failure, count * sizeof *without.area, "levels of the floor");
    for (size_t i = 0; i < count; i++)
        levels->group[i] = (uint32_t)i;
    visit_pairs(levels, join_group, &without);
    for (size_t i = 0; i < count; i++)
        without.area[root_of(levels->group, (uint32_t)i)] += levels->floor->spacing * levels->floor->spacing;
    visit_pairs(levels, look_down, &without);
    free(without.area);
    struct level *level = &levels->level[stage];
    if (without.largest >= level->area) {
        level->verdict = AUDIENCE_STAGE;
        level->settled = true;
    }
    return 0;
}

static int find_stages(struct levels *levels, struct failure *failure)
{
    for (size_t s = 0; s < levels->air->sources; s++) {
        const uint32_t below = level_below(levels, levels->air->source[s]);
        if (below != NONE && !levels->level[below].settled)
            TRY(judge_stage(levels, below, failure));
    }
    return 0;
}

static double share_of_seats(const struct level *level)
{
    return (double)level->seats / (double)level->count;
}

/* As a gallery is, or a roof. */
static bool is_above_sources(const struct levels *levels, const struct level *level)
{
    bool above = levels->air->sources > 0;
    for (size_t s = 0; s < levels->air->sources; s++)
        above = above && level->low > levels->air->source[s][2];
    return above;
}

/* The largest low floor without a source on it, and the middle of all low floors. */
static void find_main(struct levels *levels)
{
    double sum[2] = {0, 0}, area = 0;
    levels->main = NONE;
    for (int attempt = 0; attempt < 2 && levels->main == NONE; attempt++)
        for (size_t l = 0; l < levels->count; l++) {
            struct level *level = &levels->level[l];
            if (!is_floor(level) || (attempt == 0 && (level->settled || is_above_sources(levels, level))))
                continue;
            area += level->area;
            for (int axis = 0; axis < 2; axis++)
                sum[axis] += level->area * level->sum[axis] / (double)level->count;
            if (levels->main == NONE || level->area > levels->level[levels->main].area)
                levels->main = (uint32_t)l;
        }
    for (int axis = 0; axis < 2; axis++)
        levels->middle[axis] = sum[axis] / area;
    struct level *main = &levels->level[levels->main];
    main->verdict = AUDIENCE_SITS;
    main->settled = true;
}

/* Height of a level over the main one, where that is nearest. */
static double rise_over_main(const struct levels *levels, const struct level *level)
{
    double nearest = INFINITY, height = 0;
    const double n = (double)level->count, *sum = level->sum;
    for (size_t i = 0; i < levels->floor->count; i++) {
        const double *at = levels->floor->point[i].position;
        const double apart = hypot(at[0] - sum[0] / n, at[1] - sum[1] / n);
        if (levels->of[i] == levels->main && apart < nearest) {
            nearest = apart;
            height = at[2];
        }
    }
    return sum[2] / n - height;
}

/* ---- verdicts ---- */

struct beside {
    uint32_t of;
    bool sits, tier;
};

/* What a level has beside it, a step up or down. */
static void look_beside(struct levels *levels, size_t a, size_t b, void *context)
{
    struct beside *beside = context;
    if ((levels->of[a] == beside->of) == (levels->of[b] == beside->of) || fabs(rise(levels, a, b)) > STEP)
        return;
    const uint32_t other = levels->of[levels->of[a] == beside->of ? b : a];
    const struct level *level = &levels->level[other];
    beside->sits |= level->big && level->settled && level->verdict == AUDIENCE_SITS;
    beside->tier |= level->big && other != levels->main;
}

/* Is the level's middle much nearer to the middle of the audience than to every source? */
static bool is_far(const struct levels *levels, const struct level *level)
{
    const double x = level->sum[0] / (double)level->count, y = level->sum[1] / (double)level->count;
    const double near = 1.25 * hypot(x - levels->middle[0], y - levels->middle[1]);
    for (size_t s = 0; s < levels->air->sources; s++)
        if (hypot(x - levels->air->source[s][0], y - levels->air->source[s][1]) < near)
            return false;
    return true;
}

/* A gallery hangs in the air under a roof and meets a wall: a cloud meets none, a case has no air of the room
 * in it, and a roof has the sky above. */
static bool hangs_at_wall(const struct levels *levels, uint32_t number)
{
    static const int side[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const struct audience_floor *floor = levels->floor;
    size_t all = 0, hung = 0, roofed = 0, edges = 0, walls = 0;
    for (size_t i = 0; i < floor->count; i++) {
        double ears[3];
        if (levels->of[i] != number)
            continue;
        place(&floor->point[i], EARS, ears);
        const double z = floor->point[i].position[2];
        all++;
        roofed += !sees_up(&levels->sight, ears, SKY);
        hung += is_air(levels->air, ears[0], ears[1], z - 0.6) ||
                is_air(levels->air, ears[0], ears[1], z - 1) ||
                is_air(levels->air, ears[0], ears[1], z - 1.6);
        for (int s = 0; s < 4; s++) {
            if (has_neighbour(levels, i, side[s][0], side[s][1]))
                continue;
            const double reach = 2 * floor->spacing,
                         to[3] = {ears[0] + reach * side[s][0], ears[1] + reach * side[s][1], ears[2]};
            edges++;
            walls += !audience_sees(&levels->sight, ears, to);
        }
    }
    return 2 * hung >= all && 2 * roofed >= all && 10 * walls >= edges;
}

static enum audience_verdict judge_high(struct levels *levels, uint32_t number, const struct beside *beside)
{
    const struct level *level = &levels->level[number];
    const enum surface_use *use = levels->air->use;
    const char *name = levels->air->tree->mesh->material[level->material];
    const bool named = (use != NULL && use[level->material] != SURFACE_OTHER) || share_of_seats(level) > 0.25,
               refused = !named && surface_use_is_named(name);
    return beside->sits || named || (!refused && hangs_at_wall(levels, number)) ? AUDIENCE_SITS
                                                                                : AUDIENCE_OBJECT;
}

static void judge(struct levels *levels, uint32_t number)
{
    struct level *level = &levels->level[number];
    const double up = rise_over_main(levels, level);
    level->settled = true;
    if (level->seen < SEEN)
        level->verdict = AUDIENCE_HIDDEN;
    else if (up <= RAISED)
        level->verdict = AUDIENCE_SITS;
    else {
        struct beside beside = {.of = number};
        visit_pairs(levels, look_beside, &beside);
        const bool large = level->area >= levels->level[levels->main].area / 4;
        if (up > RAISED_MOST)
            level->verdict = judge_high(levels, number, &beside);
        else
            level->verdict =
                share_of_seats(level) >= 0.25 ||
                        (is_far(levels, level) && (beside.tier || (large && levels->air->sources > 0)))
                    ? AUDIENCE_SITS
                    : AUDIENCE_STAGE;
    }
}

/* A small piece of the main floor, between furniture? */
static bool is_of_main(const struct levels *levels, const struct level *level)
{
    const struct level *main = &levels->level[levels->main];
    return level->low >= main->low - LEVEL && level->high <= main->high + LEVEL &&
           (main->high - main->low <= LEVEL || fabs(rise_over_main(levels, level)) <= RAISED);
}

/* From the lowest to the highest, since tiers go on from lower ones. */
static void judge_all(struct levels *levels)
{
    for (size_t l = 0; l < levels->count; l++) {
        struct level *level = &levels->level[l];
        if (level->big)
            continue;
        level->settled = true;
        level->verdict = is_of_main(levels, level) ? AUDIENCE_SITS : AUDIENCE_OBJECT;
    }
    for (uint32_t next = 0; next != NONE;) {
        next = NONE;
        for (uint32_t l = 0; l < levels->count; l++)
            if (!levels->level[l].settled && (next == NONE || levels->level[l].low < levels->level[next].low))
                next = l;
        if (next != NONE)
            judge(levels, next);
    }
}

/* ---- seats without a name ---- */

static void look_up(struct levels *levels, size_t a, size_t b, void *context)
{
    (void)context;
    const double up = rise(levels, a, b);
    if (fabs(up) > LEVEL && fabs(up) <= SEAT_LOW)
        levels->level[levels->of[up > 0 ? a : b]].goes_on_up = true;
}

/* A sample of an object at the height of a seat over a floor in the squares around it. */
static void stand_beside(struct levels *levels, size_t i)
{
    struct audience_floor *floor = levels->floor;
    struct floor_point *point = &floor->point[i];
    const struct level *own = &levels->level[levels->of[i]];
    if (own->verdict != AUDIENCE_OBJECT || own->goes_on_up || own->wide >= LEAST_WIDE)
        return;
    for (int n = 0; n < 25; n++) {
        const uint32_t row = point->row + (uint32_t)(n / 5 - 2),
                       column = point->column + (uint32_t)(n % 5 - 2);
        for (size_t j = find_square(floor, row, column);
             j < floor->count && floor->point[j].row == row && floor->point[j].column == column; j++) {
            const double up = point->face - floor->point[j].position[2];
            if (levels->level[levels->of[j]].verdict == AUDIENCE_SITS && up >= SEAT_LOW && up <= SEAT_HIGH) {
                point->position[2] = floor->point[j].position[2];
                floor->part[i] = levels->level[levels->of[j]].part;
                floor->part_of[floor->part[i]].area += floor->spacing * floor->spacing;
                return;
            }
        }
    }
}

/* ---- parts ---- */

static void join_part(struct levels *levels, size_t a, size_t b, void *context)
{
    uint32_t *parent = context;
    const uint32_t one = levels->of[a], other = levels->of[b];
    if (levels->level[one].verdict == AUDIENCE_SITS && levels->level[other].verdict == AUDIENCE_SITS &&
        fabs(rise(levels, a, b)) <= STEP)
        parent[root_of(parent, other)] = root_of(parent, one);
}

struct ranked {
    struct audience_part part;
    double largest; /* of its levels [m2] */
    uint32_t root;
};

static int compare_parts(const void *a, const void *b)
{
    const struct ranked *one = a, *other = b;
    if (one->part.verdict != other->part.verdict)
        return (int)one->part.verdict - (int)other->part.verdict;
    return (one->part.area < other->part.area) - (one->part.area > other->part.area);
}

static void add_to_part(struct ranked *ranked, const struct level *level, uint32_t root)
{
    struct audience_part *part = &ranked->part;
    if (part->area == 0)
        *ranked = (struct ranked){.part = {.verdict = level->verdict, .low = level->low, .high = level->high},
                                  .root = root};
    part->height = (part->height * part->area + level->sum[2] / (double)level->count * level->area) /
                   (part->area + level->area);
    part->area += level->area;
    part->low = fmin(part->low, level->low);
    part->high = fmax(part->high, level->high);
    if (level->area > ranked->largest) {
        ranked->largest = level->area;
        part->material = (uint16_t)level->material;
    }
}

/* Sort the parts, and number the levels by them. */
static int rank_parts(struct levels *levels, uint32_t *parent, struct failure *failure)
{
    struct audience_floor *floor = levels->floor;
    struct ranked *ranked = calloc(levels->count + 1, sizeof *ranked);
    if (ranked == NULL)
        return failure_memory(failure, levels->count * sizeof *ranked, "levels of the floor");
    for (uint32_t l = 0; l < levels->count; l++) {
        const uint32_t root = root_of(parent, l);
        levels->level[l].part = NONE;
        if (levels->level[l].verdict != AUDIENCE_OBJECT)
            add_to_part(&ranked[root], &levels->level[l], root);
    }
    for (size_t l = 0; l < levels->count; l++)
        if (ranked[l].part.area > 0)
            ranked[floor->parts++] = ranked[l];
    qsort(ranked, floor->parts, sizeof *ranked, compare_parts);
    for (uint32_t p = 0; p < floor->parts; p++) {
        floor->part_of[p] = ranked[p].part;
        levels->level[ranked[p].root].part = p;
    }
    for (uint32_t l = 0; l < levels->count; l++)
        if (levels->level[l].verdict != AUDIENCE_OBJECT)
            levels->level[l].part = levels->level[root_of(parent, l)].part;
    free(ranked);
    return 0;
}

static int find_parts(struct levels *levels, struct failure *failure)
{
    struct audience_floor *floor = levels->floor;
    uint32_t *parent = malloc((levels->count + 1) * sizeof *parent);
    floor->part = malloc((floor->count + 1) * sizeof *floor->part);
    floor->part_of = calloc(levels->count + 1, sizeof *floor->part_of);
    if (parent == NULL || floor->part == NULL || floor->part_of == NULL) {
        free(parent);
        return failure_memory(failure, floor->count * sizeof *floor->part, "levels of the floor");
    }
    for (uint32_t l = 0; l < levels->count; l++) {
        const struct level *level = &levels->level[l];
        parent[l] = !level->big && level->verdict == AUDIENCE_SITS ? levels->main : l;
    }
    visit_pairs(levels, join_part, parent);
    const int code = rank_parts(levels, parent, failure);
    free(parent);
    for (size_t i = 0; code == 0 && i < floor->count; i++)
        floor->part[i] = levels->level[levels->of[i]].part;
    return code;
}

/* ---- all of it ---- */

void audience_floor_free(struct audience_floor *floor)
{
    free(floor->point);
    free(floor->part);
    free(floor->part_of);
    *floor = (struct audience_floor){0};
}

static int find_people(struct levels *levels, struct failure *failure)
{
    TRY(find_levels(levels, failure));
    look_from_sources(levels);
    TRY(find_stages(levels, failure));
    find_main(levels);
    look_from_main(levels);
    judge_all(levels);
    TRY(find_parts(levels, failure));
    visit_pairs(levels, look_up, NULL);
    for (size_t i = 0; i < levels->floor->count; i++)
        stand_beside(levels, i);
    return 0;
}

int audience_floor_find(const struct receiver_air *air, struct audience_floor *out, struct failure *failure)
{
    struct audience_floor floor = {0};
    struct levels levels = {.air = air, .sight = *air, .floor = &floor};
    levels.sight.use = NULL;
    int code = take_samples(air, &floor, failure);
    if (code == 0)
        code = find_people(&levels, failure);
    free(levels.of);
    free(levels.group);
    free(levels.level);
    if (code == 0)
        *out = floor;
    else
        audience_floor_free(&floor);
    return code;
}

enum audience_verdict audience_floor_stand(const struct audience_floor *floor, const struct receiver_air *air,
                                           struct floor_point *point)
{
    const double x = round((point->position[0] - floor->first[0]) / floor->spacing),
                 y = round((point->position[1] - floor->first[1]) / floor->spacing);
    double nearest = 2 * floor->spacing;
    size_t found = SIZE_MAX;
    if (is_seats(air, point->material))
        point->position[2] = floor_under(air, point);
    for (int n = 0; n < 9; n++) {
        const double row = y + n / 3 - 1, column = x + n % 3 - 1;
        if (row < 0 || column < 0)
            continue;
        for (size_t j = find_square(floor, (uint32_t)row, (uint32_t)column);
             j < floor->count && floor->point[j].row == (uint32_t)row &&
             floor->point[j].column == (uint32_t)column;
             j++) {
            const struct floor_point *at = &floor->point[j];
            const double slope = at->level && point->level ? LEVEL : floor->spacing,
                         across =
                             fmin(fabs(at->face - point->face), fabs(at->position[2] - point->position[2])),
                         apart = hypot(at->position[0] - point->position[0],
                                       at->position[1] - point->position[1]) +
                                 across;
            if (across <= slope && apart < nearest) {
                nearest = apart;
                found = j;
            }
        }
    }
    if (found == SIZE_MAX || floor->part[found] == NONE)
        return AUDIENCE_OBJECT;
    const double beneath = floor->point[found].position[2];
    if (fabs(beneath - point->position[2]) > SEAT_LOW) { /* a seat without a name, or a block */
        const double under =
            surface_within(air->tree, air, point->position, beneath - SEAT_LOW / 2, beneath + SEAT_LOW / 2);
        point->position[2] = isfinite(under) ? under : beneath;
    }
    return floor->part_of[floor->part[found]].verdict;
}

void audience_floor_box(const struct audience_floor *floor, double low[2], double high[2])
{
    for (int axis = 0; axis < 2; axis++) {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
    }
    for (size_t i = 0; i < floor->count; i++)
        for (int axis = 0;
             floor->part[i] != NONE && floor->part_of[floor->part[i]].verdict == AUDIENCE_SITS && axis < 2;
             axis++) {
            low[axis] = fmin(low[axis], floor->point[i].position[axis] - floor->spacing / 2);
            high[axis] = fmax(high[axis], floor->point[i].position[axis] + floor->spacing / 2);
        }
}

const char *audience_floor_words(const struct audience_floor *floor, const struct mesh *mesh,
                                 char words[AUDIENCE_WORDS_MAX])
{
    static const char *const why[] = {
        [AUDIENCE_STAGE] = "raised like a stage", [AUDIENCE_HIDDEN] = "out of sight"};
    words[0] = '\0';
    for (size_t p = 0; p < floor->parts; p++) {
        const struct audience_part *part = &floor->part_of[p];
        const bool sits = part->verdict == AUDIENCE_SITS;
        const char *comma = p == 0 ? "" : !sits && part[-1].verdict == AUDIENCE_SITS ? "; nobody on " : ", ";
        char height[60];
        if (part->high - part->low > LEVEL)
            (void)snprintf(height, sizeof height, "%.3g to %.3g", part->low, part->high);
        else
            (void)snprintf(height, sizeof height, "%.3g", round(part->height * 100) / 100 + 0.0);
        text_append(words, AUDIENCE_WORDS_MAX, "%s%.3g m2 at %s m (%.60s%s%s)", comma, part->area, height,
                    mesh->material[part->material], sits ? "" : ": ", sits ? "" : why[part->verdict]);
    }
    blot_control_characters(words);
    return words;
}
