/** Two ears on a rigid sphere: what they hear of a sound from one direction, and of random sound from all.
 *
 * Above the waves of a run a dummy head is such a sphere, of its radius, also if it is a mesh. Exact (R. O.
 * Duda and W. L. Martens, J. Acoust. Soc. Am. 104, 1998, equation 1), over the free field at its centre:
 *
 *   H = -r exp(j k r) / (k a^2) sum of (2 m + 1) P_m(cosine) h_m(k r) / h'_m(k a)
 *
 * h_m spherical Hankel functions of the second kind, time factor exp(+j omega t), a the radius, r the
 * distance of the source, cosine that of the angle between source and ear.
 */
#ifndef SRC_RAY_HEAD_H
#define SRC_RAY_HEAD_H

#include <complex.h>

#include "src/rays/ray_wall.h"
#include "src/response/diffuse/random_sound.h"

struct ray_head {
    double radius, sound_speed; /* [m], [m/s] */
    double ear[3];              /* of one: unit vector from the centre, room axes */
};

/** H at a frequency > 0, for `count` cosines at once. */
void ray_head_at(const struct ray_head *head, double frequency, double distance, size_t count,
                 const double *cosine, double complex *out);

/** The mean of |H|^2 over each octave. */
void ray_head_energy(const struct ray_head *head, double distance, double cosine, double out[RAY_OCTAVES]);

/** Of random sound [m]. */
#define RAY_HEAD_FAR 30.0

/** Random sound at the ear: as random_sound_make() of order 0, whose directions are needed. Equal tasks give
 * both ears of a head the same sound. `out` (count), the caller's. FAILURE_CAPACITY without memory. 3 s take
 * 5 s of one processor. */
int ray_head_sound(const struct ray_head *head, const struct random_sound_task *task, size_t count,
                   float *out, struct failure *failure);

#endif
