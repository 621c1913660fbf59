/** Energy rays: from a source over the surfaces of a room into receivers, all octaves on each ray.
 *
 * A ray leaves in a quasi-random direction and loses energy to the air (exp(-2 a l), a of air.h) and to each
 * surface that it meets (ray_wall.h), where a random number decides whether it is mirrored, scattered or, at
 * a sheet, transmitted. A receiver is a sphere of
 * volume V: a ray of the energy e that crosses it along a chord adds 4 pi e chord / V to the bin of its time,
 * so that the free field of one source of `rays` rays of 1/rays is 1/r^2, as |X|^2 of a calibrated response.
 * The direct sound is not traced but exact: 1/r^2 where no wall is between.
 *
 * All sums are integers, and each random number follows from the seed, the ray and its
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
#include "src/rays/ray_space.h"
#include "src/rays/ray_wall.h"

/** Results are kept in so many parts, ray i in part i mod RAY_PARTS: their scatter is the noise of the whole.
 */
#define RAY_PARTS 8

/** Directions of arrival are kept in cells of equal solid angle: five rings by z, of 4, 8, 8, 8 and 4; and
 * for groups of octaves: to 500 Hz, to 2 kHz, above. */
#define RAY_CELLS  32
#define RAY_GROUPS 3

/** Most rays of one source: integers cannot overflow. */
#define RAYS_MAX ((uint64_t)1 << 25)

struct ray_receiver {
    double position[3]; /* room axes [m] */
    double radius;      /* of its sphere [m]; the sphere must touch no surface */
};

/** What radiates. A source is one, or several that sound together. They interfere (ray_interference.h): at a
 * receiver by their distances, and in the direction of a ray as far away. */
struct ray_emitter {
    double position[3]; /* room axes [m] */
    double gain, delay; /* of the pressure (-), [s] */
    bool directed; /* by `harmonic`, in the axes of the room, as pattern.h has it; else omnidirectional */
    double complex harmonic[RAY_OCTAVES][HARMONICS];
};

/** Integers of an energy of 1. */
#define RAY_UNIT 0x1p34

/** The mean energy of all rays over time, for ray_window. */
struct ray_field {
    double bin; /* [s] */
    size_t bins;
    int64_t (*sum)[RAY_OCTAVES]; /* (bins) over all rays */
};

/** What energy a ray should have: fainter rays end at random, and others count for them; stronger ones are
 * split. A room whose late sound is left to few rays then has many of them. Results are the same in the mean,
 * whatever the window. */
struct ray_window {
    double bin; /* [s] */
    size_t bins;
    float (*share)[RAY_OCTAVES]; /* (bins) times the energies of a ray adds up to 1 */
};

/** All borrowed. */
struct ray_task {
    const struct ray_scene *scene;
    const struct ray_wall *wall;   /* (material_count) */
    const struct ray_space *space; /* NULL: gaps are open, as is all that is not closed */
    size_t emitters;
    const struct ray_emitter *emitter; /* (emitters) rays leave them in turn */
    double sound_speed;                /* [m/s] */
    double air[RAY_OCTAVES];           /* loss of energy at the centres of octaves [1/m] */
    /* (lengths + 1, RAY_OCTAVES) mean energy of an octave behind the air of 0, 1, 2.. times `length`, over
     * that at its centre: high octaves lose most at their upper edge. NULL: 1 */
    const float (*air_mean)[RAY_OCTAVES];
    size_t lengths;
    double length; /* [m] */
    size_t receivers;
    const struct ray_receiver *receiver;
    size_t directional; /* the first receivers, for which directions of arrival are kept */
    bool whole;         /* no parts are kept, but their sum: figures without noise */
    double bin;         /* [s] */
    size_t bins;        /* rays end at bin x bins */
    size_t early_bins;  /* the first bins, for which energy that was only mirrored is also kept by itself */
    uint64_t seed;
    const struct ray_window *window;   /* NULL: a ray ends below 1e-6 of its start in all octaves */
    struct ray_field *field;           /* is added to; NULL: none */
    const volatile sig_atomic_t *stop; /* rays end early once it is set; NULL: never */
};

/** Where the energy of all rays went, by octave, as shares of what the source gave. */
struct ray_account {
    double given[RAY_OCTAVES];       /* of a ray; 1 of a source without directivity */
    double (*absorbed)[RAY_OCTAVES]; /* (material_count) owned */
    /* left: at the end of the last bin, and what the early ends of rays change, which is 0 in the mean. */
    double air[RAY_OCTAVES], escaped[RAY_OCTAVES], left[RAY_OCTAVES];
    double gaps[RAY_OCTAVES]; /* not lost: what came back from gaps that the grid has not, each time */
};

/** Owned: ray_energy_free(); zeroed is empty. */
struct ray_energy {
    size_t receivers, bins, early_bins, directional, materials, emitters;
    bool whole;
    double bin;
    uint64_t rays;
    int64_t *sum;                  /* (RAY_PARTS, receivers, bins, RAY_OCTAVES); (1, ..) if `whole` */
    int64_t *mirrored;             /* (receivers, early_bins, RAY_OCTAVES) */
    int64_t *from;                 /* (directional, bins, RAY_CELLS, RAY_GROUPS) */
    double (*direct)[RAY_OCTAVES]; /* (receivers, emitters) [1/m2] */
    double *arrival;               /* (receivers, emitters) of that; INFINITY behind walls [s] */
    int64_t *taken; /* (materials + 5, RAY_OCTAVES): absorbed; given, air, escaped, left, gaps */
};

/** Bytes of the sums of a task. */
double ray_energy_bytes(const struct ray_task *task);

/** Allocate for a task, and trace the direct sound. FAILURE_CAPACITY for memory. */
int ray_energy_make(const struct ray_task *task, struct ray_energy *out, struct failure *failure);
void ray_energy_free(struct ray_energy *energy);

/** Keep the first `receivers` alone, as with `whole`, without directions and early bins. */
void ray_energy_shrink(struct ray_energy *energy, size_t receivers);

/** Trace `rays` more of the task that `energy` was made for, on all threads of OpenMP; at most RAYS_MAX in
 * all. FAILURE_CAPACITY for memory. After `stop` the result is not usable. */
int ray_trace(const struct ray_task *task, uint64_t rays, struct ray_energy *energy, struct failure *failure);

/** The energy of a receiver in a bin, without direct sound, of one part or of all (RAY_PARTS) [1/m2]. */
double ray_energy_at(const struct ray_energy *energy, size_t part, size_t receiver, size_t bin, int octave);

/** Change the level [dB] and the decay rate [1/s] of an energy in each octave, but for the direct sound. */
void ray_energy_correct(struct ray_energy *energy, const double decibels[RAY_OCTAVES],
                        const double rate[RAY_OCTAVES]);

/** Of that, what was only mirrored or transmitted since it left the source, in an early bin; else 0 [1/m2].
 */
double ray_mirrored_at(const struct ray_energy *energy, size_t receiver, size_t bin, int octave);

/** The cell of a direction (room axes, unit vector). */
size_t ray_cell(const double direction[3]);

/** Its middle. */
void ray_cell_middle(size_t cell, double out[3]);

/** The group of an octave. */
size_t ray_octave_group(int octave);

/** The energy that a directional receiver gets from a cell, of the whole group of an octave [1/m2]. */
double ray_from_at(const struct ray_energy *energy, size_t receiver, size_t bin, size_t cell, int octave);

/** FAILURE_CAPACITY for memory; `absorbed` is the caller's to free. */
int ray_account_make(const struct ray_energy *energy, struct ray_account *out, struct failure *failure);

#endif
