/** Energy rays: from a source over the surfaces of a room into receivers, all octaves on each ray.
 *
 * A ray leaves in a quasi-random direction and loses energy to the air (exp(-2 a l), a of air.h) and to each
 * surface that it meets (ray_wall.h), where a random number decides whether it is mirrored, scattered or, at
 * a sheet, transmitted. A receiver is a sphere of volume V: a ray of the energy e that crosses it along a
 * chord adds 4 pi e chord / V to the bin of its time, so that the free field of one source of `rays` rays of
 * 1/rays is 1/r^2, as |X|^2 of a calibrated response. The direct sound is not traced but exact: 1/r^2 where
 * no wall is between.
 *
 * All sums are integers, units of 2^-34, and each random number follows from the seed, the ray and its
 * reflection alone: a result does not depend on the number of threads. O(rays x reflections x (log triangles
 * + receivers)).
 */
#ifndef SRC_RAY_TRACE_H
#define SRC_RAY_TRACE_H

#include <complex.h>
#include <signal.h>
#include <stdint.h>

#include "kernels/scheme/solid_harmonics.h"
#include "src/rays/ray_scene.h"
#include "src/rays/ray_wall.h"

/** Results are kept in so many parts, ray i in part i mod RAY_PARTS: their scatter is the noise of the whole.
 */
#define RAY_PARTS 8

/** Most rays of one source: integers cannot overflow. */
#define RAYS_MAX ((uint64_t)1 << 25)

struct ray_receiver {
    double position[3]; /* room axes [m] */
    double radius;      /* of its sphere [m]; the sphere must touch no surface */
};

/** All borrowed. */
struct ray_task {
    const struct ray_scene *scene;
    const struct ray_wall *wall; /* (material_count) */
    double source[3];            /* room axes [m] */
    /* (RAY_OCTAVES) the source in the axes of the room, as pattern.h has it; NULL: alike in all directions */
    const double complex (*harmonic)[HARMONICS];
    double sound_speed;      /* [m/s] */
    double air[RAY_OCTAVES]; /* loss of energy [1/m] */
    size_t receivers;
    const struct ray_receiver *receiver;
    double bin;  /* [s] */
    size_t bins; /* rays end at bin x bins */
    uint64_t seed;
    const volatile sig_atomic_t *stop; /* rays end early once it is set; NULL: never */
};

/** Where the energy of all rays went, by octave, as shares of what the source gave. */
struct ray_account {
    double given[RAY_OCTAVES];       /* of a ray; 1 of a source without directivity */
    double (*absorbed)[RAY_OCTAVES]; /* (material_count) owned */
    double air[RAY_OCTAVES], escaped[RAY_OCTAVES], left[RAY_OCTAVES]; /* left: at the end of the last bin, or
                                                                         below 1e-7 of the start */
};

/** Owned: ray_energy_free(); zeroed is empty. */
struct ray_energy {
    size_t receivers, bins, materials;
    double bin;
    uint64_t rays;
    int64_t *sum;                  /* (RAY_PARTS, receivers, bins, RAY_OCTAVES) */
    double (*direct)[RAY_OCTAVES]; /* (receivers) [1/m2] */
    double *arrival;               /* (receivers) of the direct sound, behind walls of the first energy [s] */
    int64_t *taken;                /* (materials + 4, RAY_OCTAVES): absorbed; given, air, escaped, left */
};

/** Allocate for a task, and trace the direct sound. FAILURE_CAPACITY for memory. */
int ray_energy_make(const struct ray_task *task, struct ray_energy *out, struct failure *failure);
void ray_energy_free(struct ray_energy *energy);

/** Trace `rays` more of the task that `energy` was made for, on all threads of OpenMP; at most RAYS_MAX in
 * all. FAILURE_CAPACITY for memory. After `stop` the result is not usable. */
int ray_trace(const struct ray_task *task, uint64_t rays, struct ray_energy *energy, struct failure *failure);

/** The energy of a receiver in a bin, without direct sound, of one part or of all (RAY_PARTS) [1/m2]. */
double ray_energy_at(const struct ray_energy *energy, size_t part, size_t receiver, size_t bin, int octave);

/** FAILURE_CAPACITY for memory; `absorbed` is the caller's to free. */
int ray_account_make(const struct ray_energy *energy, struct ray_account *out, struct failure *failure);

#endif
