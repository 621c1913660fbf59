/** Sound that bends round the edge of a rigid wedge or screen, exactly, and a room in which it does.
 *
 * The wedge is infinite: M. A. Biot and I. Tolstoy, J. Acoust. Soc. Am. 29, 1957, in the form of U. P.
 * Svensson, R. I. Fred and J. Vanderkooy, J. Acoust. Soc. Am. 106, 1999. With the air between the angles 0
 * and `air`, nu = pi / air, a source at (r, a, 0) and a receiver at (s, b, z), the edge sends, where the free
 * field is delta(t - d/c) / d,
 *
 *   -(c nu / 2 pi) beta / (r s sinh eta),  beta = sum over the four p = pi +- a +- b of
 *                                          sin(nu p) / (cosh(nu eta) - cos(nu p)),
 *   cosh eta = (c^2 t^2 - r^2 - s^2 - z^2) / (2 r s),
 *
 * beside the source itself and its images at 2 n air +- a, each heard where it is less than pi from b.
 */
#ifndef TESTS_WEDGE_DIFFRACTION_H
#define TESTS_WEDGE_DIFFRACTION_H

#include <complex.h>
#include <stddef.h>

/** Cylindrical places about the edge, which is the z axis: radius [m], angle [rad], height [m]. */
struct wedge {
    double air; /* angle of the air, above 0 to 2 pi [rad] */
    double source[3], receiver[3];
    double speed; /* of sound [m/s] */
    double until; /* what comes later is left out: faded over the WEDGE_FADE before it [s] */
};
#define WEDGE_FADE 0.0008

/** Weight of what comes at a time. */
double wedge_fade(const struct wedge *wedge, double t);

/** Spectrum of what is heard up to that time, exp(+j omega t). Places on a boundary of shadow or reflection
 * have none. */
double complex wedge_spectrum(const struct wedge *wedge, double frequency);

/* ---- a room with an edge ---- */

/** A box of 2 x 2 x 1.6 m with absorbing walls, the edge upright in its middle; of a wedge a quarter of it is
 * solid, a screen has no thickness. All of it is turned about z, then about x. */
struct wedge_room {
    double air;     /* 3 pi / 2, or 2 pi for a screen [rad] */
    double turn[2]; /* about z, x [degrees] */
};

#define WEDGE_RECEIVERS 8
/** Angle of the receiver of that number, 0 .. WEDGE_RECEIVERS - 1 [degrees]. */
double wedge_room_angle(const struct wedge_room *room, size_t receiver);

/** The source and a receiver about the edge, up to the first reflection from the walls. */
struct wedge wedge_room_case(const struct wedge_room *room, size_t receiver, double speed);

/** Write the model, surfaces `rigid` and `wall`; 0, or -1 where that fails. Positions are in it: source:S and
 * receiver:P0 .. */
int wedge_room_write(const struct wedge_room *room, const char *path);

/** Level in a third of an octave of what is heard (count samples at 48 kHz) over the exact one [dB]. */
double wedge_room_off(const struct wedge *wedge, const float *sample, size_t count, double centre);

#endif
