/** The directivity of a source: spherical harmonics to order 3 over frequency, 1 on its axis.
 *
 * Axes of a source: x is its axis (front), y left, z up. In the far field in the direction d it radiates p(f,
 * d) = sum of harmonic[i] Y_i(d) times the field of an omnidirectional source, the harmonics Y those of
 * solid_harmonics.h.
 *
 * The cardioid is (1 + cos) / 2 at all frequencies. The voice is measured: long-term levels of normal speech
 * in octaves from 125 Hz to 8 kHz, every 15 degrees around the head (Monson, Hunter and Story, Horizontal
 * directivity of low- and high-frequency energy in speech and singing, J. Acoust. Soc. Am. 132, 433, 2012,
 * table I). It is taken as a figure of revolution about the mouth's axis, without phase, and is constant
 * below 125 Hz and above 8 kHz; the effect of the torso above and below is missing. The table scatters by a
 * decibel between angles. The pattern is the smooth one of order 3 through it, within 1.5 dB above -15 dB,
 * except at 1 and 2 kHz straight behind, with up to 3.1 dB less. */
#ifndef SRC_PATTERN_H
#define SRC_PATTERN_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/failure.h"
#include "kernels/scheme/solid_harmonics.h"

/** Zeroed is omnidirectional; owned, pattern_free(). */
struct pattern {
    size_t lines;
    double *frequency; /* (lines) rising, > 0 [Hz] */
    double complex (*harmonic)[HARMONICS];
    /* Above this frequency order 3 no longer represents the measurement within PATTERN_WITHIN at levels above
     * PATTERN_LOUD or, elsewhere, PATTERN_QUIET of the axis. INFINITY: it does everywhere [Hz] */
    double carried;
};

#define PATTERN_WITHIN 0.5   /* dB */
#define PATTERN_LOUD   -15.0 /* dB re the axis */
#define PATTERN_QUIET  -25.0 /* dB re the axis, of the difference */

int pattern_make_cardioid(struct pattern *out, struct failure *failure);
int pattern_make_voice(struct pattern *out, struct failure *failure);
void pattern_free(struct pattern *pattern);

/** Allocate a pattern of `lines` lines. FAILURE_CAPACITY. */
int pattern_allocate(size_t lines, struct pattern *out, struct failure *failure);

/** Fit measured values at one frequency: values in directions (unit vectors in the source's axes), each for
 * `weight` of the sphere; value `axis` is that of the axis, and not 0. Least squares with harmonics to order
 * 3, errors weighted over the level down to PATTERN_LOUD, with the axis fixed at 1.
 * @return true if the fit is as close as stated at `carried` */
bool pattern_fit(size_t count, const double (*direction)[3], const double *weight,
                 const double complex *value, size_t axis, double complex harmonic[HARMONICS]);

/** Harmonics at a frequency [Hz]: interpolated by the logarithm of frequency, constant beyond the ends.
 * Orders 2 and 3 fade below pattern_fade(fmax, order), since their near field would be unbounded there. 1 on
 * the axis, unless the faded orders leave less than PATTERN_AXIS_KEPT (real part): from there to half of that
 * the value changes over to the remainder. */
#define PATTERN_AXIS_KEPT 0.5
void pattern_at(const struct pattern *pattern, double fmax, double frequency,
                double complex harmonic[HARMONICS]);

/** Frequency at which an order has faded to 1 - 1/e (2) or the square of it (3) [Hz]: fmax / 40 and / 20, at
 * least 20 and 40 Hz. From twice that on less than 2 or 4 % are missing. */
double pattern_fade(double fmax, int order);

/** The directivity index: level on the axis over that of the mean energy of all directions [dB]. */
double pattern_index(const double complex harmonic[HARMONICS]);

/** Value in a direction, in the axes of `harmonic`. */
double complex pattern_value(const double complex harmonic[HARMONICS], const double direction[3]);

/** Turn: harmonics of a source whose axis points along `front` (a unit vector) and whose left is level. */
void pattern_turn(const double front[3], double matrix[HARMONICS][HARMONICS]);
void pattern_turned(double matrix[HARMONICS][HARMONICS], const double complex harmonic[HARMONICS],
                    double complex out[HARMONICS]);

#endif
