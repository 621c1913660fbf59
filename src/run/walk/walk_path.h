/** The path of a walking listener or source: straight from corner to corner, at one speed, then at rest. */
#ifndef SRC_WALK_PATH_H
#define SRC_WALK_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/mesh/mesh.h"

#define WALK_SPEED_LEAST  0.05   /* [m/s] */
#define WALK_SPEED_MOST   30.0   /* a tenth of the speed of sound, within the range of all filters here */
#define WALK_LENGTH_MOST  2000.0 /* [m] */
#define WALK_SECONDS_MOST 3600.0 /* of the walk, and of the sound */

/** Zeroed is empty; freed by walk_path_free(). A walk of one corner is at rest. */
struct walk_path {
    size_t corners;
    double (*corner)[3]; /* (corners) no two that follow each other are one place [m]; owned */
    double *along;       /* (corners) from the start to each [m]; owned */
    double *azimuth;     /* (corners) of the leg to each, turned on from the one before [degrees]; owned */
    double speed;        /* [m/s] */
};

/** @param text  "x,y,z;x,y,z;..", one place at least, in metres in room axes
 * @param speed [m/s] FAILURE_INPUT names an invalid place, or a speed or length out of range;
 * FAILURE_CAPACITY. */
int walk_path_read(const char *text, double speed, struct walk_path *out, struct failure *failure);
void walk_path_free(struct walk_path *path);

/** Length of the path [m], and its duration [s]. */
double walk_path_length(const struct walk_path *path);
double walk_path_seconds(const struct walk_path *path);

/** Whichever takes longer; `other` may be NULL. */
const struct walk_path *walk_path_longer(const struct walk_path *path, const struct walk_path *other);

/** Position of the walker `along` metres from the start, clamped to the ends. */
void walk_path_place(const struct walk_path *path, double along, double out[3]);

/** Direction of motion there [degrees, from +x towards +y; beyond 180 after turns]. Each corner is turned
 * evenly over the metre around it, the shorter way, to the left if both are equal. Unchanged on vertical
 * legs; 0 if there is no other leg. O(corners). */
double walk_path_azimuth(const struct walk_path *path, double along);

/** FAILURE_INPUT if the walk passes through a triangle of `mesh`, a sheet or a wall: names material and
 * place. O(corners x triangles). */
int walk_path_refuse_walls(const struct walk_path *path, const struct mesh *mesh, struct failure *failure);

/** True if no triangle of `mesh` is between the two, except within a centimetre of `point`. O(triangles). */
bool walk_path_sees(const double place[3], const double point[3], const struct mesh *mesh);

#endif
