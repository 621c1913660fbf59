/** How much energy a surface returns to rays: |R|^2 and |T|^2 by octave and angle, from the same admittance
 * or impedance that the wave run has.
 *
 *   wall:   R = (m - Y) / (m + Y)                 m = cos of the angle, Y the specific admittance
 *   sheet:  R = z m / (2 + z m),  T = 2 / (2 + z m)     z its specific impedance
 *
 * Both are averaged over each octave, uniformly in log f, for each angle. The mean over a diffuse field is
 * 2 integral of |R|^2 m dm (Paris).
 *
 * A share `scattering` of what is returned leaves by a law that is Lambert's times |R|^2 of the angle at
 * which it leaves, over that mean: it returns |R(m)|^2 for each angle of incidence and is reciprocal.
 */
#ifndef SRC_RAY_WALL_H
#define SRC_RAY_WALL_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "geometry/base/wall_branch.h"
#include "rooms/materials/material.h"

#define RAY_OCTAVES SCATTERING_OCTAVES /* OCTAVE_BANDS_MAX: 63 Hz to 16 kHz */
#define RAY_ANGLES  65                 /* sqrt(cos) = 0, 1/64 .. 1: near 0 a hard wall changes fastest */

struct ray_wall {
    float reflected[RAY_ANGLES][RAY_OCTAVES];
    float transmitted[RAY_ANGLES][RAY_OCTAVES]; /* of a sheet; else 0 */
    float mean[RAY_OCTAVES];                    /* of `reflected` in a diffuse field */
    float scattering[RAY_OCTAVES];              /* share of what is reflected, 0..1 */
    float lobe[RAY_ANGLES]; /* share of scattered rays whose cosine is below that of an angle */
    bool is_sheet;
};

/** The law of a surface at all frequencies; borrowed. A sheet where `sheet` is not NULL; else a wall of
 * `count` branches, rigid without any. */
struct ray_law {
    const struct wall_branch *branch;
    size_t count;
    const struct material_sheet *sheet;
    double rho_c; /* of the air about a sheet [Pa s/m] */
};

/** Y of a wall or z of a sheet at a frequency > 0 [Hz], time factor exp(+j omega t). */
double complex ray_law_at(const struct ray_law *law, double frequency);

/** R and T of a pressure, from that value and the cosine `m`; a wall has no T. */
double complex ray_law_reflected(bool is_sheet, double complex value, double m);
double complex ray_law_transmitted(double complex value, double m);

/** Exact centre of an octave, 0 to 8, and its nominal frequency [Hz]. */
double ray_octave_centre(int octave);

/** A wall of `count` branches; none: rigid. */
void ray_wall_make(const struct wall_branch *branch, size_t count, const double scattering[RAY_OCTAVES],
                   struct ray_wall *out);

/** A sheet in air of the impedance `rho_c` [Pa s/m]. */
void ray_wall_make_sheet(const struct material_sheet *sheet, double rho_c,
                         const double scattering[RAY_OCTAVES], struct ray_wall *out);

/** Absorption that is the same at all angles and octaves, and one scattering: for closed forms, which assume
 * that. */
void ray_wall_make_even(double absorption, double scattering, struct ray_wall *out);

/** Energies at the cosine `m`, 0..1, interpolated. */
void ray_wall_reflected(const struct ray_wall *wall, float m, float out[RAY_OCTAVES]);
void ray_wall_transmitted(const struct ray_wall *wall, float m, float out[RAY_OCTAVES]);

/** Draw the cosine at which a scattered ray leaves by `u`, 0..1, and what multiplies its energies: rays leave
 * by the mean of the law over octaves. */
float ray_wall_scatter(const struct ray_wall *wall, float u, float factor[RAY_OCTAVES]);

#endif
