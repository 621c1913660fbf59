/** The modes of a room as it is stepped, near modes that are known.
 *
 * From shapes that are nearly its modes a room rings in its own. Each of m shapes is started by itself, and
 * what rings is read with all of them: m x m numbers at step n, C(n). If the room rings in m modes, then
 * C(n + s) v = z^s C(n) v for each, so a generalised eigenvalue problem gives their complex frequencies even
 * where they lie close and each shape sets off several, as stairs make them do. What else rings is set off
 * weakly and read weakly, so it counts with the square.
 */
#ifndef TESTS_MODE_PENCIL_H
#define TESTS_MODE_PENCIL_H

#include <complex.h>

#include "kernels/engine/engine.h"

/** Value at a node of a shape as it sounds, and of one like it that is real, to be read with. */
typedef void mode_shape_at(const void *context, size_t mode, const int64_t node[3], double complex *sounds,
                           double *heard);

struct mode_pencil {
    const struct block_grid *blocks;
    const double *mass;           /* (blocks + 1, 512) 0 of what is not air */
    const struct time_step *step; /* spacing 1, sound speed 1 */
    const struct wall_materials *walls;
    mode_shape_at *shape;
    const void *context;
    size_t modes;
    double settle, span; /* what is let pass before, and between the two readings [h/c] */
};

/** @param kappa (modes) wavenumbers of the shapes, omega h/c; overwritten with those of the room's modes,
 * each by the shape that has most of it, as they are after the warp (of the standard scheme as they ring). */
void mode_pencil_solve(const struct mode_pencil *pencil, double complex *kappa);

/** theta(kappa) and back for what decays: the symbol of dispersion.h continued to complex numbers. */
double complex mode_theta(const struct time_step *step, double complex kappa);
double complex mode_kappa(const struct time_step *step, double complex theta);

#endif
