/** What the paths of image sources carry: pressure by frequency, and energy by octave.
 *
 *   p(f) = 1/r exp(-a(f) r - j omega r / c) product of R(f, m) sqrt(K(f) (1 - s(f))) and of T(f, m)
 *
 * over the surfaces of a path of the length r: R and T of ray_wall.h, K of the size of a facet
 * (ray_patches.h), s the scattering of a reflection, linear in log f between octaves, a of air.h; time factor
 * exp(+j omega t). Energy is |p|^2 with |R|^2, |T|^2, K and s of octaves: what purely specular rays carry in
 * the mean, but for K.
 */
#ifndef SRC_RAY_PRESSURE_H
#define SRC_RAY_PRESSURE_H

#include <complex.h>

#include "src/rays/ray_images.h"
#include "src/response/signal/air.h"

/** Surfaces and air at the frequencies asked for. Owned: ray_pressure_free(); zeroed is empty. */
struct ray_pressure {
    size_t frequencies;
    const double *frequency; /* (frequencies) borrowed [Hz] */
    double sound_speed;      /* [m/s] */
    double *air;             /* (frequencies) [Np/m] */
    double complex *value;   /* (materials, frequencies) ray_law_at() */
    double *kept;            /* (materials, frequencies) sqrt(1 - s) */
    bool *is_sheet;          /* (materials) */
};

/** From the laws and walls (materials), of which only `scattering` counts. All frequencies are > 0. `air`
 * NULL: no losses. FAILURE_CAPACITY for memory. */
int ray_pressure_make(const struct ray_law *law, const struct ray_wall *wall, size_t materials,
                      double sound_speed, const struct air_losses *air, const double *frequency,
                      size_t frequencies, struct ray_pressure *out, struct failure *failure);
void ray_pressure_free(struct ray_pressure *pressure);

/** The pressure of one path: `out` (frequencies) [1/m]. O(frequencies x surfaces). */
void ray_path_pressure(const struct ray_pressure *pressure, const struct ray_images *images,
                       const struct ray_path *path, double complex *out);

/** Weights of a sum over paths; a function that is NULL weighs by 1. */
struct ray_weights {
    const void *context;
    size_t channels; /* of the receiver */
    /* of each channel for a sound from the unit vector `arrival`, room axes */
    void (*receive)(const void *context, const double arrival[3], double *weight);
    /* of each frequency for a sound that leaves the source along `departure` */
    void (*send)(const void *context, const double departure[3], double complex *weight);
    /* of each frequency for a sound along a path */
    void (*hear)(const void *context, const struct ray_path *path, double complex *weight);
};

/** The early part of a receiver: `out` (channels, frequencies), overwritten. FAILURE_CAPACITY for memory.
 * Independent of threads. */
int ray_pressure_sum(const struct ray_pressure *pressure, const struct ray_images *images, size_t receiver,
                     const struct ray_weights *weights, double complex *out, struct failure *failure);

/** The share of that energy which facets of their sizes reflect, of what planes would. */
void ray_path_share(const struct ray_images *images, const struct ray_path *path, double out[RAY_OCTAVES]);

/** The same of all reflections about a time: `carried` and `whole` (bins, RAY_OCTAVES) are added to, a path
 * evenly to the bins in which a sphere of `radius` [m] detects it. `delay` [s] and `gain` are the source's.
 */
struct ray_early {
    double bin; /* [s] */
    size_t bins;
    double radius, delay, gain, sound_speed;
    double *carried, *whole;
};
void ray_early_add(const struct ray_images *images, size_t receiver, const struct ray_wall *wall,
                   const double air[RAY_OCTAVES], const struct ray_early *early);

/** The energy of one path of a source that is alike in all directions, with the losses of energy `air` [1/m]
 * and walls as rays have them [1/m2]. */
void ray_path_energy(const struct ray_images *images, const struct ray_path *path,
                     const struct ray_wall *wall, const double air[RAY_OCTAVES], double out[RAY_OCTAVES]);

#endif
