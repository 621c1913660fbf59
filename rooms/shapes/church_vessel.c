/* Nave, chancel, crossing, transept and apse: floors and roofs. */
#include <math.h>
#include <stdlib.h>

#include "rooms/shapes/church.h"

#define PI        3.14159265358979323846
#define LINES_MAX (2 * PROFILE_POINTS_MAX + 4 * CHURCH_BLOCKS_MAX)

static const char *roof_material(const struct church *c)
{
    return c->value[ROOF] == ROOF_VAULTED ? "plaster_vault" : "timber_roof";
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Sort and drop repetitions, also those within a step of the floor plan. */
static size_t sort_lines(double *line, size_t count)
{
    qsort(line, count, sizeof *line, compare_doubles);
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i)
        if (kept == 0 || line[i] - line[kept - 1] > 1.0 / FLOOR_PLAN_STEPS)
            line[kept++] = line[i];
    return kept;
}

static size_t profile_lines(const struct roof_profile *profile, double *line)
{
    size_t count = 0;
    for (size_t i = 0; i < profile->count; ++i)
        line[count++] = -profile->across[i];
    for (size_t i = profile->count - 1; i-- > 0;)
        line[count++] = profile->across[i];
    return count;
}

/* A length of nave or chancel, with its furniture. */
static void draw_vessel(const struct church *c, struct floor_plan *plan, double from, double to)
{
    double x[2 * CHURCH_BLOCKS_MAX + 2], y[LINES_MAX];
    size_t xs = 0, ys = profile_lines(&c->nave, y);
    x[xs++] = from;
    x[xs++] = to;
    for (size_t i = 0; i < c->block_count; ++i) {
        const struct church_block *block = &c->block[i];
        if (block->x0 < from || block->x1 > to)
            continue;
        x[xs++] = block->x0;
        x[xs++] = block->x1;
        y[ys++] = block->y0;
        y[ys++] = block->y1;
    }
    xs = sort_lines(x, xs);
    ys = sort_lines(y, ys);
    for (size_t i = 0; i + 1 < xs; ++i) {
        for (size_t j = 0; j + 1 < ys; ++j) {
            struct plan_finish finish = {"stone_floor", roof_material(c), "plaster_wall", "stone_floor"};
            double floor = 0;
            for (size_t b = 0; b < c->block_count; ++b) {
                const struct church_block *block = &c->block[b];
                const double mx = (x[i] + x[i + 1]) / 2, my = (y[j] + y[j + 1]) / 2;
                if (mx > block->x0 && mx < block->x1 && my > block->y0 && my < block->y1) {
                    floor = block->height;
                    finish.floor = finish.riser = block->material;
                }
            }
            const double low = roof_height(&c->nave, y[j]), high = roof_height(&c->nave, y[j + 1]);
            floor_plan_rectangle(plan, x[i], y[j], x[i + 1], y[j + 1], floor,
                                 (const double[4]){low, low, high, high}, &finish);
        }
    }
}

void church_draw_nave(const struct church *c, struct floor_plan *plan)
{
    draw_vessel(c, plan, 0, c->x1);
    draw_vessel(c, plan, c->x2, c->xe);
}

/* The crossing roofs of nave and transept: the higher of the two everywhere. Both profiles have points at
 * the same heights, so in each rectangle one is above the other or they cross along a diagonal. */
static void draw_groin(const struct church *c, struct floor_plan *plan)
{
    const struct plan_finish finish = {"stone_floor", roof_material(c), "plaster_wall", "stone_floor"};
    const double middle = (c->x1 + c->x2) / 2;
    double x[LINES_MAX], y[LINES_MAX];
    const size_t xs = profile_lines(&c->arm, x), ys = profile_lines(&c->nave, y);
    for (size_t i = 0; i + 1 < xs; ++i) {
        /* The outermost lines are exactly the crossing's, without rounding. */
        const double x0 = i == 0 ? c->x1 : middle + x[i], x1 = i + 2 == xs ? c->x2 : middle + x[i + 1];
        const double arm[2] = {roof_height(&c->arm, x[i]), roof_height(&c->arm, x[i + 1])};
        for (size_t j = 0; j + 1 < ys; ++j) {
            const double nave[2] = {roof_height(&c->nave, y[j]), roof_height(&c->nave, y[j + 1])};
            const struct plan_corner corner[4] = {{x0, y[j], 0, fmax(arm[0], nave[0])},
                                                  {x1, y[j], 0, fmax(arm[1], nave[0])},
                                                  {x1, y[j + 1], 0, fmax(arm[1], nave[1])},
                                                  {x0, y[j + 1], 0, fmax(arm[0], nave[1])}};
            const bool one_above = fmin(nave[0], nave[1]) >= fmax(arm[0], arm[1]) ||
                                   fmin(arm[0], arm[1]) >= fmax(nave[0], nave[1]);
            if (one_above) {
                floor_plan_cell(plan, corner, 4, &finish);
                continue;
            }
            const int start = arm[0] == nave[0] ? 0 : 1; /* the seam's corner */
            for (int half = 0; half < 2; ++half) {
                const struct plan_corner piece[3] = {corner[start], corner[(start + 1 + half) % 4],
                                                     corner[(start + 2 + half) % 4]};
                floor_plan_cell(plan, piece, 3, &finish);
            }
        }
    }
}

/* The tower's walls rise from the four sides of the crossing; a pyramid or a flat ceiling closes it. */
static void draw_lantern(const struct church *c, struct floor_plan *plan)
{
    const struct plan_finish finish = {"stone_floor", "timber_roof", "plaster_wall", "stone_floor"};
    const struct plan_corner apex = {(c->x1 + c->x2) / 2, 0, 0, c->tower_top + c->value[SPIRE_HEIGHT]};
    const struct plan_corner corner[4] = {{c->x1, -c->w, 0, c->tower_top},
                                          {c->x2, -c->w, 0, c->tower_top},
                                          {c->x2, c->w, 0, c->tower_top},
                                          {c->x1, c->w, 0, c->tower_top}};
    for (int i = 0; i < 4; ++i) {
        const struct plan_corner side[3] = {corner[i], corner[(i + 1) % 4], apex};
        floor_plan_cell(plan, side, 3, &finish);
    }
}

void church_draw_crossing(const struct church *c, struct floor_plan *plan)
{
    if (c->tower)
        draw_lantern(c, plan);
    else if (c->transept)
        draw_groin(c, plan);
    if (!c->transept)
        return;
    const struct plan_finish finish = {"stone_floor", roof_material(c), "plaster_wall", "stone_floor"};
    const double middle = (c->x1 + c->x2) / 2;
    double x[LINES_MAX];
    const size_t xs = profile_lines(&c->arm, x);
    for (size_t i = 0; i + 1 < xs; ++i) {
        const double x0 = i == 0 ? c->x1 : middle + x[i], x1 = i + 2 == xs ? c->x2 : middle + x[i + 1];
        const double low = roof_height(&c->arm, x[i]), high = roof_height(&c->arm, x[i + 1]);
        const double ceiling[4] = {low, high, high, low};
        floor_plan_rectangle(plan, x0, c->w, x1, c->yt, 0, ceiling, &finish);
        floor_plan_rectangle(plan, x0, -c->yt, x1, -c->w, 0, ceiling, &finish);
    }
}

/* Rings of a half dome or half cone over a half circle of flat walls; a wall has corners at the jambs and the
 * head of its window. */
void church_draw_apse(const struct church *c, struct floor_plan *plan)
{
    if (!c->apse)
        return;
    const bool dome = c->value[APSE_ROOF] == APSE_DOME;
    const struct plan_finish finish = {"stone_floor", dome ? "plaster_vault" : "timber_roof", "plaster_wall",
                                       "stone_floor"};
    const double radius = c->value[APSE_RADIUS], wall = c->value[APSE_HEIGHT];
    const double rise = radius * (dome ? 1 : tan(c->value[ROOF_PITCH] * PI / 180));
    const int sides = (int)c->value[APSE_SEGMENTS];
    const int rings = dome ? ((int)c->value[SEGMENTS] + 1) / 2 : 1;
    for (int s = 0; s < sides; ++s) {
        const double angle[2] = {PI * s / sides - PI / 2, PI * (s + 1) / sides - PI / 2};
        /* Directions of the two sides; the outermost ones lie exactly in the chord. */
        const double out_x[2] = {s == 0 ? 0 : cos(angle[0]), s + 1 == sides ? 0 : cos(angle[1])};
        const double out_y[2] = {sin(angle[0]), sin(angle[1])};
        for (int k = 0; k < rings; ++k) {
            const double outer = radius * cos(PI / 2 * k / rings),
                         low = wall + rise * sin(PI / 2 * k / rings);
            const bool last = k + 1 == rings;
            const double inner = last ? 0 : radius * cos(PI / 2 * (k + 1) / rings);
            const double high = last ? wall + rise : wall + rise * sin(PI / 2 * (k + 1) / rings);
            struct plan_corner corner[4 + APSE_WINDOW_CORNERS];
            size_t corners = 0;
            corner[corners++] = (struct plan_corner){c->xe + outer * out_x[0], outer * out_y[0], 0, low};
            for (int i = 0; k == 0 && i < APSE_WINDOW_CORNERS; ++i) {
                const double part = apse_window_corner(i);
                corner[corners++] =
                    (struct plan_corner){c->xe + outer * (out_x[0] + part * (out_x[1] - out_x[0])),
                                         outer * (out_y[0] + part * (out_y[1] - out_y[0])), 0, low};
            }
            corner[corners++] = (struct plan_corner){c->xe + outer * out_x[1], outer * out_y[1], 0, low};
            corner[corners++] = (struct plan_corner){c->xe + inner * out_x[1], inner * out_y[1], 0, high};
            if (!last)
                corner[corners++] = (struct plan_corner){c->xe + inner * out_x[0], inner * out_y[0], 0, high};
            floor_plan_cell(plan, corner, corners, &finish);
        }
    }
}
