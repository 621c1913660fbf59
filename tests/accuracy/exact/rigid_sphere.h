/** A rigid sphere and a point source, exactly: the pressure on its surface (R. O. Duda and W. L. Martens,
 * Range dependence of the response of a spherical head model, J. Acoust. Soc. Am. 104, 1998, their equation
 * 1; W. M. Rabinowitz, J. Maxwell, Y. Shao and M. Wei, Presence 2, 1993). */
#ifndef TESTS_RIGID_SPHERE_H
#define TESTS_RIGID_SPHERE_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

/** Spectrum at a place on the surface, of time dependence exp(+j omega t), where the free field is
 * exp(-j k d) / d at the distance d of the source: what a response of a run is.
 *
 *   p = -1 / (k a^2) sum over m of (2 m + 1) P_m(cosine) h_m(k r) / h'_m(k a),  h_m spherical Hankel
 * functions
 *
 * h_m of the second kind by the recurrence upwards, which is stable for their larger part; summed until the
 * terms are 1e-13 of the sum.
 * @param k         wavenumber, above 0 [1/m]
 * @param radius    a [m]
 * @param distance  r, of the source from the centre, above a [m]
 * @param cosine    of the angle between the source and the place, seen from the centre */
double complex rigid_sphere_pressure(double k, double radius, double distance, double cosine);

/** A dummy head that is a sphere, and what is heard of it up to a time. */
struct sphere_ears {
    double radius, speed, fmax; /* [m], [m/s], [Hz] */
    double distance;            /* of the source from the centre [m] */
    double cosine[2];           /* of the angles between the source and the ears, left and right */
    double until;               /* [s] after the emission; faded out over the last EARS_FADE */
};
#define EARS_FADE 0.0006 /* [s] */

/** Of one frequency: what is louder and earlier at the left ear than at the right one, exactly; and how far
 * the run is from it. Spectra are those of the responses up to that time, of the exact one too, which is made
 * of the series by an inverse transform with the low-pass and the high-pass of a run. */
struct ears_heard {
    double frequency;   /* [Hz], the caller's */
    double level, time; /* [dB], [s], by the phase */
    double level_off, time_off;
    double ear_off; /* the most that one of the two is off by itself [dB] */
};

/** @param frames (count, 2) of the file of two ears at 48 kHz. False without memory. */
bool sphere_ears_compare(const struct sphere_ears *of, const float *frames, size_t count,
                         struct ears_heard *heard, size_t frequencies);

#endif
