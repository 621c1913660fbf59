/** What the rays of a source will take, before any is traced.
 *
 * While it counts, a ray meets c S T / (27.6 V) surfaces and crosses the sphere of a place c pi R^2 T /
 * (13.8 V) times; its number falls as the root of its energy. A noise takes noise^-2 crossings, so
 *
 *     reflections = S / (2 pi R^2 noise^2)
 *
 * with R of the median place, whatever the reverberation time T and the volume V. Each takes about 1 us of a
 * thread and 14 ns for each place; figures and their noise take 22 us for each place and bin. That is right
 * within a factor of two in the built-in church with 5 and with 143 places, in the chapel of the tutorial
 * with 62, and in the studio and the church of tests/ACCURACY.md. Empty boxes take down to a quarter.
 */
#ifndef SRC_RAY_COST_H
#define SRC_RAY_COST_H

#include "src/setup/room_setup.h"

/** All that the cost follows from. */
struct ray_cost_room {
    double surface;     /* that faces the air [m2] */
    double longest;     /* reverberation time of any octave [s] */
    double noise;       /* as noise of ray_room_settings */
    double radius;      /* of the sphere of the median place [m] */
    double places;      /* receivers and points of receiver grids */
    double directional; /* places for which directions are kept */
    int threads;
};

/** The radius of the median place: of receivers, and of points of receiver grids once there is a grid [m].
 * FAILURE_CAPACITY for memory. O(triangles log triangles). */
int ray_cost_radius(const struct room_setup *setup, double *radius, struct failure *failure);

/** Seconds of all rays of a source to that noise, scattering varied; and the most bytes that they take. */
double ray_cost_seconds(const struct ray_cost_room *room);
double ray_cost_bytes(const struct ray_cost_room *room);

#endif
