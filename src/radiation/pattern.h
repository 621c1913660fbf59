/** How a source radiates: spherical harmonics to order 3 over frequency, 1 on its axis.
 *
 * Axes of a source: x is its axis (front), y left, z up. Far away in the direction d it radiates p(f, d) =
 * sum of harmonic[i] Y_i(d) times what a source without direction radiates, the harmonics Y those of
 * solid_harmonics.h.
 *
 * The cardioid is (1 + cos) / 2 at all frequencies. The voice is measured: long-term levels of normal speech
 * in octaves from 125 Hz to 8 kHz, every 15 degrees around the head (Monson, Hunter and Story, Horizontal
 * directivity of low- and high-frequency energy in speech and singing, J. Acoust. Soc. Am. 132, 433, 2012,
 * table I). It is taken as a figure of revolution about the mouth's axis, without phase, and is constant
 * below 125 Hz and above 8 kHz: what the torso does above and below is not in it. The table scatters by a
 * decibel from one angle to the next; the pattern is the smooth one of order 3 in its middle, within 1.5 dB
 * of it where it is above -15 dB, but for 1 and 2 kHz straight behind, where it is up to 3.1 dB lower.
 */
#ifndef SRC_PATTERN_H
#define SRC_PATTERN_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/solid_harmonics.h"

/** Zeroed is one without direction; owned, pattern_free(). */
struct pattern {
    size_t lines;
    double *frequency; /* (lines) rising, > 0 [Hz] */
    double complex (*harmonic)[HARMONICS];
    /* From here on the pattern is the order's own: what is measured is farther from it than PATTERN_WITHIN
     * where it is above PATTERN_LOUD, or, elsewhere, than PATTERN_QUIET of the axis. INFINITY: nowhere [Hz]
     */
    double carried;
};

#define PATTERN_WITHIN 0.5   /* dB */
#define PATTERN_LOUD   -15.0 /* dB re the axis */
#define PATTERN_QUIET  -25.0 /* dB re the axis, of the difference */

int pattern_make_cardioid(struct pattern *out, struct failure *failure);
int pattern_make_voice(struct pattern *out, struct failure *failure);
void pattern_free(struct pattern *pattern);

/** Room for `lines` lines, for a pattern that is made. FAILURE_CAPACITY. */
int pattern_allocate(size_t lines, struct pattern *out, struct failure *failure);

/** What was measured at one frequency: values in directions (unit vectors in the source's axes), each for
 * `weight` of the sphere; value `axis` is that of the axis, and not 0. Harmonics to order 3 in the least
 * squares, errors weighed over the level down to PATTERN_LOUD, with the axis held; 1 there.
 * @return whether they are as near to it as pattern.h says above */
bool pattern_fit(size_t count, const double (*direction)[3], const double *weight,
                 const double complex *value, size_t axis, double complex harmonic[HARMONICS]);

/** Of a frequency [Hz]: between lines by the logarithm of frequency, beyond them as at the last. Orders 2
 * and 3 fade below pattern_fade(fmax, order), where a near field without measure would belong to them. 1 on
 * the axis, but where what orders 0 to 3 have left of it (its real part) is less than PATTERN_AXIS_KEPT: from
 * there to half of that it goes over to what is left. */
#define PATTERN_AXIS_KEPT 0.5
void pattern_at(const struct pattern *pattern, double fmax, double frequency,
                double complex harmonic[HARMONICS]);

/** Where an order has faded to 1 - 1/e (2) or the square of it (3) [Hz]: fmax / 40 and / 20, at least 20 and
 * 40 Hz. From twice that on less than 2 or 4 % are missing. */
double pattern_fade(double fmax, int order);

/** The directivity index: level on the axis over that of the mean energy of all directions [dB]. */
double pattern_index(const double complex harmonic[HARMONICS]);

/** Value in a direction, in the axes that `harmonic` is in. */
double complex pattern_value(const double complex harmonic[HARMONICS], const double direction[3]);

/** Turn: harmonics of a source whose axis points along `front` (a unit vector) and whose left is level. */
void pattern_turn(const double front[3], double matrix[HARMONICS][HARMONICS]);
void pattern_turned(double matrix[HARMONICS][HARMONICS], const double complex harmonic[HARMONICS],
                    double complex out[HARMONICS]);

#endif
