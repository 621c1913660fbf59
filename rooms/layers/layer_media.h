/** The air in and between layers of a wall. Each formula is for exp(+j omega t), one frequency [Hz]. */
#ifndef ROOMS_LAYER_MEDIA_H
#define ROOMS_LAYER_MEDIA_H

#include <complex.h>

#include "rooms/layers/wall_layer.h"

/** Of air at 20 degrees C and 101,325 Pa. */
#define LAYER_DENSITY   1.204   /* [kg/m3] */
#define LAYER_SPEED     343.2   /* [m/s] */
#define LAYER_VISCOSITY 1.82e-5 /* [Pa s] */
#define LAYER_IMPEDANCE (LAYER_DENSITY * LAYER_SPEED)

/** An equivalent fluid. */
struct layer_medium {
    double complex wavenumber; /* [1/m] */
    double complex impedance;  /* characteristic [Pa s/m] */
};

/** Of air or of a porous layer. From the flow resistivity alone by Y. Miki (J. Acoust. Soc. Jpn. (E) 11,
 * 1990, 19-24), fitted for frequency / resistivity from 0.01 to 1 m3/kg, well-behaved below. With porosity,
 * tortuosity and lengths by D. L. Johnson et al. (J. Fluid Mech. 176, 1987, 379-402) and Y. Champoux and
 * J.-F. Allard (J. Appl. Phys. 70, 1991, 1975-1979). */
struct layer_medium layer_medium_of(const struct wall_layer *layer, double frequency);

/** Impedance of a thin layer, the pressure difference over the velocity [Pa s/m]; `sine` of the angle.
 *
 * Holes: D.-Y. Maa (J. Acoust. Soc. Am. 104, 1998, 2861-2866), with the exact quotient of Bessel functions, a
 * resistance sqrt(2 omega rho eta) / 2 of both ends, and 0.85 diameters of air at them, less by Fok's
 * function of sqrt(open share) for the holes beside. Slits: the same with the hyperbolic tangent, and -(2 /
 * pi) ln sin(pi / 2 open share) widths of air (J. M. A. Smits and C. W. Kosten, Acustica 1, 1951, 114-122).
 * The air at each end is that of the layer beside it, `front` and `back` (N. Atalla and F. Sgard, J. Sound
 * Vib. 303, 2007, 195-208). A screen: its flow resistance. Their mass is in parallel. A panel: its mass, with
 * the stiffness of a thin plate if it bends. */
double complex layer_thin_impedance(const struct wall_layer *layer, const struct layer_medium *front,
                                    const struct layer_medium *back, double frequency, double sine);

#endif
