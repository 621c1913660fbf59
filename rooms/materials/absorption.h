/** Converts absorption that is the same at every frequency to the admittance of a wall, and back. */
#ifndef ROOMS_ABSORPTION_H
#define ROOMS_ABSORPTION_H

#include <stdbool.h>

/* The largest absorption of a real admittance in a diffuse field, and that admittance (the zero of the
 * derivative of Paris' formula, to 50 digits). */
#define ABSORPTION_MAX    0.95122201384441817352
#define ABSORPTION_MAX_AT 0.63819297689176335087

/** Real specific admittance g whose random-incidence absorption (Paris' formula, 8 g [1 + g/(1+g) - 2 g
 * ln((1+g)/g)], numerics.md section 1) is `absorption`; of the two solutions, the smaller (the harder wall).
 * The largest reachable value is ABSORPTION_MAX: above it `*clamped` (may be NULL) is set and g is
 * ABSORPTION_MAX_AT. The inverse is accurate to 1e-12 in absorption. */
double admittance_from_absorption(double absorption, bool *clamped);
double absorption_from_admittance(double admittance);

#endif
