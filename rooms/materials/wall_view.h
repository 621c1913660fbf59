/** How a grid sees a wall: what of a wall's admittance a run has at every true frequency.
 *
 * A run holds sound of a true frequency f at a numerical one, where the wall's branches answer with Y_d. What
 * sound finds there is, once the run's dispersion is taken out again, a wall of admittance Y with
 *
 *   1 / Y = factor / Y_d - j reactance,
 *
 * factor for what the grid makes of a loss at its nodes, reactance for air between the nodes at the wall and
 * the wall itself. Who knows the grid knows the three (src/setup/grid_wall.h); here they are numbers.
 */
#ifndef ROOMS_WALL_VIEW_H
#define ROOMS_WALL_VIEW_H

#include "rooms/materials/wall_branches.h"

/** At one true frequency. */
struct wall_sight {
    double numerical; /* frequency at which the branches answer [Hz] */
    double factor;    /* > 0 (-) */
    double reactance; /* of either sign (-) */
};

struct wall_view {
    void (*at)(const void *grid, double frequency, struct wall_sight *sight); /* frequency > 0 [Hz] */
    const void *grid;                                                         /* handed to `at`; borrowed */
    double top; /* of what is heard of a run [Hz]: beyond it a fit may be loose */
};

/** Y of branches that answered with `branches`, and its derivative by that, which is complex. */
struct wall_admittance wall_sight_admittance(const struct wall_sight *sight, struct wall_admittance branches);
struct wall_admittance wall_sight_slope(const struct wall_sight *sight, struct wall_admittance branches);

#endif
