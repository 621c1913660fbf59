/* Aisles, and between them and the nave the arcade: columns as places without a cell, arches as low ceilings.
 */
#include <math.h>

#include "rooms/shapes/church.h"

#define PI                3.14159265358979323846
#define COLUMN_SIDES_MAX  24
#define ARCH_SEGMENTS_MAX 48
#define SPRINGER          0.05 /* from the column to the foot of the arch [m] */

struct arcade {
    const struct church *church;
    struct floor_plan *plan;
    double side; /* 1 north, -1 south */
};

static int column_sides(const struct church *c)
{
    return c->value[COLUMNS] == COLUMNS_ROUND ? COLUMN_SIDES_MAX : 8;
}

/* Half the length of the side of a column that is flush with the wall. */
static double flush_half(const struct church *c)
{
    return c->value[COLUMN_RADIUS] * sin(PI / column_sides(c));
}

/* The floor between a column and the foot of an arch: from the column's half round to the line x = foot.
 * `way` is 1 where the arch lies east of the column, -1 where it lies west. */
static void draw_column_side(const struct arcade *a, double centre, double foot, double way)
{
    const struct church *c = a->church;
    const struct plan_finish finish = {"stone_floor", "stone_arch", "stone_column", "stone_floor"};
    const double spring = c->value[COLUMN_HEIGHT], radius = c->value[COLUMN_RADIUS];
    const double middle = (c->w + c->ya) / 2;
    const int sides = column_sides(c), half = sides / 2;
    struct plan_corner round[COLUMN_SIDES_MAX / 2];
    for (int k = 0; k < half; ++k) {
        const double angle = (k + 0.5) * 2 * PI / sides - PI / 2;
        const double y = k == 0 ? c->w : k == half - 1 ? c->ya : middle + radius * sin(angle);
        round[k] = (struct plan_corner){centre + way * radius * cos(angle), a->side * y, 0, spring};
    }
    const struct plan_corner inner = {foot, a->side * c->w, 0, spring},
                             outer = {foot, a->side * c->ya, 0, spring};
    for (int k = 0; k + 1 < half; ++k) {
        if (k == half / 2 - 1) {
            const struct plan_corner middle_piece[3] = {round[k], inner, outer};
            floor_plan_cell(a->plan, middle_piece, 3, &finish);
        }
        const struct plan_corner piece[3] = {round[k], k < half / 2 - 1 ? inner : outer, round[k + 1]};
        floor_plan_cell(a->plan, piece, 3, &finish);
    }
}

static void draw_arch(const struct arcade *a, double west, double east)
{
    const struct church *c = a->church;
    const struct plan_finish finish = {"stone_floor", "stone_arch", "plaster_wall", "stone_floor"};
    const int segments = (int)c->value[SEGMENTS];
    double x[ARCH_SEGMENTS_MAX + 1], z[ARCH_SEGMENTS_MAX + 1];
    for (int k = 0; k <= segments; ++k) {
        double u, height;
        arch_point((int)c->value[ARCHES], segments, k, &u, &height);
        x[k] = k == 0 ? west : k == segments ? east : (west + east) / 2 + u * (east - west) / 2;
        z[k] = c->value[COLUMN_HEIGHT] + height * c->arch_rise;
    }
    const double y0 = a->side > 0 ? c->w : -c->ya, y1 = a->side > 0 ? c->ya : -c->w;
    for (int k = 0; k < segments; ++k)
        floor_plan_rectangle(a->plan, x[k], y0, x[k + 1], y1, 0,
                             (const double[4]){z[k], z[k + 1], z[k + 1], z[k]}, &finish);
}

static void draw_arcade(const struct arcade *a)
{
    const struct church *c = a->church;
    const int bays = (int)c->value[BAYS];
    const double radius = c->value[COLUMN_RADIUS];
    for (int i = 0; i < bays; ++i) {
        /* A pier ends the arcade at the west wall and at the crossing. */
        double west = radius, east = c->x1 - radius;
        if (i > 0) {
            west = i * c->bay + radius + SPRINGER;
            draw_column_side(a, i * c->bay, west, 1);
        }
        if (i + 1 < bays) {
            east = (i + 1) * c->bay - radius - SPRINGER;
            draw_column_side(a, (i + 1) * c->bay, east, -1);
        }
        draw_arch(a, west, east);
    }
    for (int i = 1; i < bays; ++i) {
        for (int face = 0; face < 2; ++face) {
            const double y = a->side * (face == 0 ? c->w : c->ya), half = flush_half(c);
            floor_plan_face(a->plan, (const double[2]){i * c->bay - half, y},
                            (const double[2]){i * c->bay + half, y}, 0, c->value[COLUMN_HEIGHT],
                            c->value[COLUMN_HEIGHT], "stone_column");
        }
    }
}

void church_draw_aisles(const struct church *c, struct floor_plan *plan)
{
    if (!c->aisles)
        return;
    const struct plan_finish finish = {"stone_floor", "timber_roof", "plaster_wall", "stone_floor"};
    const double low = c->value[AISLE_HEIGHT], high = c->aisle_inner;
    const int bays = (int)c->value[BAYS];
    for (int i = 0; i < bays; ++i) {
        const double west = i == 0 ? 0 : i * c->bay, east = i + 1 == bays ? c->x1 : (i + 1) * c->bay;
        floor_plan_rectangle(plan, west, c->ya, east, c->yb, 0, (const double[4]){high, high, low, low},
                             &finish);
        floor_plan_rectangle(plan, west, -c->yb, east, -c->ya, 0, (const double[4]){low, low, high, high},
                             &finish);
    }
    for (int side = -1; side <= 1; side += 2)
        draw_arcade(&(struct arcade){.church = c, .plan = plan, .side = side});
}
