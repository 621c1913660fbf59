/** One branch of a wall's admittance: mass, resistance and stiffness in series. */
#ifndef GEOMETRY_WALL_BRANCH_H
#define GEOMETRY_WALL_BRANCH_H

/** Most branches of one material. */
#define WALL_BRANCHES_MAX 12

/** The specific admittance of a wall (air's rho c times velocity into the wall over pressure, time factor
 * exp(+j omega t)) is Y(omega) = sum over its branches of 1 / (j omega D + E + F / (j omega)), D, E, F >= 0.
 */
struct wall_branch {
    double D; /* mass [s] */
    double E; /* resistance (-) */
    double F; /* stiffness [1/s] */
};

#endif
