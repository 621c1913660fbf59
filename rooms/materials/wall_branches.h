/** A wall's admittance as a sum of parallel branches, and its absorption.
 *
 * The specific admittance (air's rho c times velocity into the wall over pressure, time factor exp(+j omega
 * t)) is Y(omega) = sum over branches of 1 / (j omega D + E + F / (j omega)),   D [s], E (-), F [1/s], all >=
 * 0: mass, resistance and stiffness in series, such series in parallel. For all values Re Y >= 0 at every
 * frequency: the wall is passive. */
#ifndef ROOMS_WALL_BRANCHES_H
#define ROOMS_WALL_BRANCHES_H

#include <stddef.h>

#include "geometry/base/failure.h"
#include "geometry/base/wall_branch.h"

/** Y = g + j b: conductance and susceptance, specific (-). */
struct wall_admittance {
    double g, b;
};

/** Limits of wall_branches_check(). */
#define WALL_RESISTANCE_LEAST 1e-9
#define WALL_BRANCH_MOST      1e20

/** FAILURE_INPUT naming `material`, the branch (from 1) and the value unless D, E and F are finite and >= 0
 * and E > 0 in every branch: without resistance a branch is undamped. The same for E below
 * WALL_RESISTANCE_LEAST and values above WALL_BRANCH_MOST. An engine can step all accepted branches. */
int wall_branches_check(const struct wall_branch *branch, size_t count, const char *material,
                        struct failure *failure);

/** Y of `count` branches that wall_branches_check() accepts, at `frequency` > 0 [Hz]; 0 for no branches. */
struct wall_admittance wall_admittance_at(const struct wall_branch *branch, size_t count, double frequency);

/** Random-incidence absorption of a locally reacting wall, 0 for g <= 0. For a plane wave at cos(angle) = m
 * it is 1 - |(m - Y)/(m + Y)|^2 = 4 g m / |m + Y|^2; averaged over a diffuse field (weight 2 m over 0..1)
 * that is 8 g I,   I = integral over 0..1 of m^2 / |m + Y|^2 = 1 - g ln(|1 + Y|^2 / |Y|^2) + (g^2 - b^2)/b
 * atan(b / (g^2 + b^2 + g)), the closed form with real r and x of 1/Y, without its poles. For soft walls (|Y|
 * above 16) I is summed as a series in 1/Y, because the closed form cancels. Relative error below 1e-12; for
 * b = 0 absorption_from_admittance(). */
double wall_absorption_diffuse(struct wall_admittance admittance);

/** The same by the closed form alone, g > 0, and its derivatives by g and b into `slope`: for optimisers, |Y|
 * below 1e3. */
double wall_absorption_slope(struct wall_admittance admittance, struct wall_admittance *slope);

#endif
