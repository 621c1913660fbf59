/** The effective admittance of a wall in a run at every true frequency.
 *
 * In a run sound of a true frequency f has a numerical one, at which the wall's branches have Y_d. After the
 * correction of dispersion the effective admittance Y follows from
 *
 *   1 / Y = factor / Y_d - j reactance,
 *
 * factor for the effect of the grid on a loss at its nodes, reactance for the air between the nodes and the
 * wall. The three numbers depend on the grid (src/setup/grid_wall.h). */
#ifndef ROOMS_WALL_VIEW_H
#define ROOMS_WALL_VIEW_H

#include "rooms/materials/wall_branches.h"

/** At one true frequency. */
struct wall_sight {
    double numerical; /* frequency at which the branches respond [Hz] */
    double factor;    /* > 0 (-) */
    double reactance; /* of either sign (-) */
};

struct wall_view {
    void (*at)(const void *grid, double frequency, struct wall_sight *sight); /* frequency > 0 [Hz] */
    const void *grid;                                                         /* passed to `at`; borrowed */
    double top; /* of the audible band of a run [Hz]: above it a fit may be less accurate */
};

/** Y for branches with admittance `branches`, and its complex derivative by that. */
struct wall_admittance wall_sight_admittance(const struct wall_sight *sight, struct wall_admittance branches);
struct wall_admittance wall_sight_slope(const struct wall_sight *sight, struct wall_admittance branches);

#endif
