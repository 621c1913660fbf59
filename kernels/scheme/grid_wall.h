/** The effect of a grid of the isotropic scheme on a wall, after the warp.
 *
 * A run's damping is first order in a wall's admittance Y_d: a mode u of a room gets d(theta) = j lambda/2
 * Y_d sum(s u^2) / sum(mass u^2), and once its frequency is warped back d(kappa) = 2 sin(theta) / (lambda2
 * dF/dkappa) d(theta). The correct value is d(kappa) = j/2 Y S with the pressure at the wall in S. This gives
 * with x = kappa^2, F' = dF/dx (kernels/scheme/dispersion.h)
 *
 *   Y_d(j 2/T tan(theta/2)) = c Y(j omega),   c = lambda kappa F' / (sin(theta) node).
 *
 * node is the pressure squared at nodes over that at the wall: cos^2(k_n d) for a standing wave of the normal
 * wavenumber k_n with its nodes d before the wall, in a diffuse field (1 + sin(2 kappa d) / (2 kappa d)) / 2.
 * At a wall along the grid the nodes have one distance d (or reach, where they borrowed mass; cosh where it
 * is negative): half a cell of staircases, the open part of the last cell less half of conformal walls. Nodes
 * of a slanting wall have many distances, before it and behind, and a reach of their own
 * (blocks/wall_kinds.h).
 *
 * Second order: nodes at d meet the wall through so much air, 1/Y_d = (1/Y + j kappa d) / c at any angle (the
 * pressure cos(k_n d) + j Y sin(k_n d) / cos(angle) that they hold, expanded for small k_n d). At many
 * distances z the air between the nodes cancels except for its square, and nodes in front shield those
 * behind: c is also divided by 1 - chi kappa^2 Y^2, chi = 2 mean z^2 = 1/6 (mean z^2 = 1/12; .18 fits the
 * complex modes of turned boxes, tests/ACCURACY.md). Y^2 is here the real part of the square of the wall's
 * own admittance, the target of a fit, limited to that of the most absorption. So c is real, and no wall
 * seems to emit energy.
 */
#ifndef KERNELS_GRID_WALL_H
#define KERNELS_GRID_WALL_H

#include "kernels/scheme/time_step.h"
#include "kernels/scheme/wall_material.h"

/** The low-pass of responses ends at this times fmax; beyond it c and the ratio of the frequencies are
 * constant. */
#define GRID_WALL_EDGE 1.15

/** chi, and the limit of Y^2, of either sign. */
#define GRID_WALL_SHADE      (1.0 / 6)
#define GRID_WALL_SHADE_MOST 0.4

struct grid_wall {
    struct time_step step;
    double fmax;     /* of the run [Hz] */
    double distance; /* d, from the nodes to the wall; negative where they are behind it [h] */
    double reach;    /* and that at which a hard wall's cosine has their pressure: d, unless they borrowed
                        mass (blocks/wall_kinds.h); negative where it is above that at the wall [h] */
    const struct wall_material *slanting; /* a slanting wall's own branches [s]; NULL along the grid */
};

/** At one true frequency: 1/Y = factor / Y_d - j reactance, Y_d at the frequency `numerical`, which is that
 * of the bilinear transform. */
struct grid_wall_sight {
    double numerical; /* [Hz] */
    double factor;    /* c, above 0 (-) */
    double reactance; /* kappa d (-) */
};

/** For a true `frequency` > 0 [Hz]. The standard scheme keeps its dispersion in its responses, and its
 * staircases have inertance of their own: factor 1, no reactance. */
struct grid_wall_sight grid_wall_at(const struct grid_wall *wall, double frequency);

#endif
