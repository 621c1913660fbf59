/* Windows and doors: faces of other materials on the walls. One that does not fit is left out. */
#include <math.h>

#include "rooms/shapes/church.h"

#define PI   3.14159265358979323846
#define SILL 2.0 /* of windows above the floor [m] */

/* An opening in a straight wall along x (`along` 0) or y (1), at `line` on the other axis, centred on
 * `centre`. */
struct opening {
    int along;
    double line, centre, width;
    double bottom, top; /* top: of the crown [m] */
    const char *material;
};

/* A point of a pane's upper edge. */
struct head {
    double at[2], top; /* in plan, and its height [m] */
};
#define HEADS_MAX 49

static void draw_panes(struct floor_plan *plan, const struct head *head, int panes, double bottom,
                       const char *material)
{
    for (int k = 0; k < panes; ++k)
        floor_plan_face(plan, head[k].at, head[k + 1].at, bottom, head[k].top, head[k + 1].top, material);
}

static void draw_opening(const struct church *c, struct floor_plan *plan, const struct opening *o)
{
    const double pointed = c->value[ARCHES] == ARCHES_POINTED ? sqrt(3) : 1;
    const double rise = fmin(o->width / 2 * pointed, (o->top - o->bottom) / 2);
    const int segments = (int)c->value[SEGMENTS];
    struct head head[HEADS_MAX];
    if (!(o->top - o->bottom >= 0.6 && o->width >= 0.3))
        return;
    for (int k = 0; k <= segments; ++k) {
        double u, height;
        arch_point((int)c->value[ARCHES], segments, k, &u, &height);
        head[k].at[o->along] = o->centre + u * o->width / 2;
        head[k].at[1 - o->along] = o->line;
        head[k].top = o->top - rise + rise * height;
    }
    draw_panes(plan, head, segments, o->bottom, o->material);
}

/* The same window in the north and in the south wall. */
static void draw_pair(const struct church *c, struct floor_plan *plan, double y, double x, double width,
                      double bottom, double top)
{
    for (int side = -1; side <= 1; side += 2)
        draw_opening(c, plan, &(struct opening){0, side * y, x, width, bottom, top, "window_glass"});
}

static void draw_nave_windows(const struct church *c, struct floor_plan *plan)
{
    const double width = fmin(c->value[WINDOW_WIDTH], c->bay / 2), eaves = c->value[NAVE_HEIGHT];
    for (int i = 0; i < (int)c->value[BAYS]; ++i) {
        const double x = (i + 0.5) * c->bay;
        if (c->aisles) {
            draw_pair(c, plan, c->w, x, width, c->aisle_inner + 0.6, eaves - 0.5);
            draw_pair(c, plan, c->yb, x, width, fmin(SILL, 0.45 * c->value[AISLE_HEIGHT]),
                      c->value[AISLE_HEIGHT] - 0.4);
        } else {
            draw_pair(c, plan, c->w, x, width, fmin(SILL, 0.45 * eaves), eaves - 0.6);
        }
    }
    const int chancel = c->value[CHANCEL_LENGTH] < 6 ? 1 : 2;
    for (int i = 0; i < chancel; ++i)
        draw_pair(c, plan, c->w, c->x2 + (i + 0.5) * c->value[CHANCEL_LENGTH] / chancel,
                  fmin(c->value[WINDOW_WIDTH], 1.5), fmin(SILL, 0.45 * eaves), eaves - 0.6);
}

static void draw_ends(const struct church *c, struct floor_plan *plan)
{
    const double eaves = c->value[NAVE_HEIGHT];
    const double door = fmin(c->value[DOOR_HEIGHT], eaves - 0.5);
    draw_opening(c, plan, &(struct opening){1, 0, 0, c->value[DOOR_WIDTH], 0, door, "oak_door"});
    const double wide = 0.36 * c->value[NAVE_WIDTH];
    const double top = fmin(roof_height(&c->nave, wide / 2), roof_height(&c->nave, 0) - wide / 2) - 0.4;
    draw_opening(c, plan, &(struct opening){1, 0, 0, wide, door + 0.9, top, "window_glass"});
    if (!c->apse)
        draw_opening(c, plan,
                     &(struct opening){1, c->xe, 0, wide, fmin(2.5, 0.5 * eaves), top, "window_glass"});
}

static void draw_transept_windows(const struct church *c, struct floor_plan *plan)
{
    const double eaves = c->value[TRANSEPT_HEIGHT], middle = (c->x1 + c->x2) / 2;
    const double wide = 0.36 * c->value[TRANSEPT_WIDTH];
    const double top = fmin(roof_height(&c->arm, wide / 2), roof_height(&c->arm, 0) - wide / 2) - 0.4;
    draw_pair(c, plan, c->yt, middle, wide, fmin(2.5, 0.4 * eaves), top);
    /* East and west walls of each arm, where the aisles do not cover them. */
    const double width = fmin(c->value[WINDOW_WIDTH], 2);
    for (int west = 0; west < 2; ++west) {
        const double from = west ? fmax(c->w, c->yb) : c->w, free_length = c->yt - from;
        if (free_length < width + 1)
            continue;
        for (int side = -1; side <= 1; side += 2)
            draw_opening(c, plan,
                         &(struct opening){1, west ? c->x1 : c->x2, side * (from + c->yt) / 2, width,
                                           fmin(SILL, 0.45 * eaves), eaves - 0.6, "window_glass"});
    }
}

static void draw_apse_windows(const struct church *c, struct floor_plan *plan)
{
    const int sides = (int)c->value[APSE_SEGMENTS];
    const double radius = c->value[APSE_RADIUS], wall = c->value[APSE_HEIGHT];
    const double bottom = fmin(SILL, 0.4 * wall), top = wall - 0.5;
    const double wide = 2 * radius * sin(PI / 2 / sides);
    if (wide < 0.8)
        return;
    const int pieces = APSE_WINDOW_CORNERS - 1;
    const double rise = fmin(0.4 * wide, (top - bottom) / 2);
    for (int s = sides % 2; s < sides; s += 2) {
        double end[2][2];
        for (int e = 0; e < 2; ++e) {
            const double angle = PI * (s + e) / sides - PI / 2;
            end[e][0] = c->xe + radius * cos(angle);
            end[e][1] = radius * sin(angle);
        }
        struct head head[HEADS_MAX];
        for (int i = 0; i <= pieces; ++i) {
            const double part = apse_window_corner(i), u = 2.0 * i / pieces - 1;
            for (int axis = 0; axis < 2; ++axis)
                head[i].at[axis] = end[0][axis] + part * (end[1][axis] - end[0][axis]);
            head[i].top = top - rise * (c->value[ARCHES] == ARCHES_POINTED ? fabs(u) : u * u);
        }
        draw_panes(plan, head, pieces, bottom, "window_glass");
    }
}

static void draw_tower_windows(const struct church *c, struct floor_plan *plan)
{
    const double ridge = c->tower_top - c->value[TOWER_HEIGHT];
    const double bottom = ridge + 0.2 * c->value[TOWER_HEIGHT],
                 top = c->tower_top - 0.12 * c->value[TOWER_HEIGHT];
    const double middle = (c->x1 + c->x2) / 2, length = c->x2 - c->x1;
    for (int i = -1; i <= 1; i += 2) {
        draw_pair(c, plan, c->w, middle + i * length / 6, length / 7, bottom, top);
        for (int side = 0; side < 2; ++side)
            draw_opening(c, plan,
                         &(struct opening){1, side ? c->x2 : c->x1, i * c->w / 3, c->w * 2 / 7, bottom, top,
                                           "window_glass"});
    }
}

void church_draw_openings(const struct church *c, struct floor_plan *plan)
{
    draw_nave_windows(c, plan);
    draw_ends(c, plan);
    if (c->transept)
        draw_transept_windows(c, plan);
    if (c->apse)
        draw_apse_windows(c, plan);
    if (c->tower)
        draw_tower_windows(c, plan);
}
