/** Interference of sources that sound together: in an octave their sound adds in phase as far as it arrives
 * at about the same time, compared with the inverse of the bandwidth, and by energy otherwise. */
#ifndef SRC_RAY_INTERFERENCE_H
#define SRC_RAY_INTERFERENCE_H

#include <complex.h>
#include <stddef.h>

#include "src/rays/ray_wall.h"

/** Most sources that interfere; the time grows by their square. */
#define RAY_INTERFERE_MOST 64

/** The energy of the sum of `count` sounds over the sum of their energies: the mean over the frequencies of
 * each octave. Sound n has the pressure `pressure[n]` and comes at `time[n]` [s], or never. 1 in silence, and
 * for more than RAY_INTERFERE_MOST sounds. */
void ray_interference(size_t count, const double complex (*pressure)[RAY_OCTAVES], const double *time,
                      double over[RAY_OCTAVES]);

#endif
