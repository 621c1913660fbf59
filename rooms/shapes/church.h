/** The dimensions of a church: its options, and the lines in plan that follow from them.
 *
 *     y ^            yt  ____
 *       |               |    |      transept
 *       |  yb ________  |    |
 *       |    |  aisle  || x  |
 *       |  ya|o o o o o||    |      arcade: columns between w and ya
 *       |   w|__________|    |_______
 *       |    |  nave      crossing   \      apse
 *       |  0 |- - - - - - - - - - - - )---> x
 *            0         x1   x2     xe
 *
 * x runs east from the inside of the west wall, y = 0 is the axis of the nave, z = 0 its floor. The south (y
 * < 0) mirrors the north. */
#ifndef ROOMS_CHURCH_H
#define ROOMS_CHURCH_H

#include <stdbool.h>
#include <stddef.h>

#include "rooms/shapes/floor_plan.h"

/** Options of the church, in the order of its table in room_shape.c. */
enum church_option {
    NAVE_LENGTH,
    NAVE_WIDTH,
    NAVE_HEIGHT,
    ROOF,
    ROOF_PITCH,
    VAULT_RISE,
    SEGMENTS,
    AISLES,
    AISLE_WIDTH,
    AISLE_HEIGHT,
    AISLE_PITCH,
    BAYS,
    COLUMNS,
    COLUMN_RADIUS,
    COLUMN_HEIGHT,
    ARCHES,
    TRANSEPT,
    TRANSEPT_LENGTH,
    TRANSEPT_WIDTH,
    TRANSEPT_HEIGHT,
    CHANCEL_LENGTH,
    APSE,
    APSE_RADIUS,
    APSE_HEIGHT,
    APSE_SEGMENTS,
    APSE_ROOF,
    TOWER,
    TOWER_HEIGHT,
    SPIRE_HEIGHT,
    WINDOW_WIDTH,
    DOOR_WIDTH,
    DOOR_HEIGHT,
    PEWS,
    PEW_HEIGHT,
    GANGWAY,
    CHURCH_OPTIONS
};

enum { ROOF_PITCHED, ROOF_VAULTED };
enum { COLUMNS_OCTAGONAL, COLUMNS_ROUND };
enum { ARCHES_ROUND, ARCHES_POINTED };
enum { APSE_DOME, APSE_CONE };

/** Half of a roof's section: from the wall (`across` = half the width, height of the eaves) up to the middle
 * (0, ridge); heights rise strictly and are whole steps of the floor plan. */
#define PROFILE_POINTS_MAX 160
struct roof_profile {
    size_t count;
    double across[PROFILE_POINTS_MAX], height[PROFILE_POINTS_MAX]; /* [m] */
};

/** A low solid on the floor: pews, an altar. */
struct church_block {
    double x0, x1, y0, y1, height; /* [m] */
    const char *material;
};
#define CHURCH_BLOCKS_MAX 8

struct church {
    const double *value; /* by enum church_option; borrowed */
    bool aisles, transept, apse, tower, crossing;
    double w, ya, yb, yt; /* half widths in plan; missing ones equal the one before [m] */
    double x1, x2, xe;    /* west and east of the crossing, chord of the apse [m] */
    double bay;           /* from column to column [m] */
    double aisle_inner;   /* height of the aisle's ceiling at the arcade [m] */
    double arch_rise;     /* of the arcade above its columns [m] */
    double tower_top;     /* of the tower's walls [m] */
    double altar_x0;      /* its west side [m] */
    struct roof_profile nave, arm;
    size_t block_count;
    struct church_block block[CHURCH_BLOCKS_MAX];
};

/** Compute the plan. FAILURE_INPUT if options contradict one another. */
int church_measure(const double *value, struct church *church, struct failure *failure);

/** Height of a roof at a distance from its middle line [m]. */
double roof_height(const struct roof_profile *profile, double across);

/** Point k of 0..segments of an arch over u = -1 .. 1 with its crown at height 1. */
void arch_point(int arches, int segments, int k, double *u, double *height);

/** Positions along a wall of the apse, 0..1, of the corners of its window. */
#define APSE_WINDOW_CORNERS 7
static inline double apse_window_corner(int i)
{
    return 0.26 + 0.48 * i / (APSE_WINDOW_CORNERS - 1);
}

/** The parts, each drawn into the plan. */
void church_draw_nave(const struct church *church, struct floor_plan *plan); /* nave, chancel */
void church_draw_crossing(const struct church *church,
                          struct floor_plan *plan); /* crossing, transept, tower */
void church_draw_apse(const struct church *church, struct floor_plan *plan);
void church_draw_aisles(const struct church *church, struct floor_plan *plan); /* aisles, arcades, columns */
void church_draw_openings(const struct church *church, struct floor_plan *plan); /* windows and doors */

#endif
