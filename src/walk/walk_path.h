/** The way that a listener walks: straight from corner to corner, at one speed, and then standing still. */
#ifndef SRC_WALK_PATH_H
#define SRC_WALK_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "geometry/mesh/mesh.h"

#define WALK_SPEED_LEAST  0.05 /* [m/s] */
#define WALK_SPEED_MOST   30.0 /* a tenth of that of sound, less than what any filter here leaves room for */
#define WALK_LENGTH_MOST  2000.0 /* [m] */
#define WALK_SECONDS_MOST 3600.0 /* of the walk, and of what is heard */

/** Zeroed is empty; freed by walk_path_free(). A walk of one corner stands still. */
struct walk_path {
    size_t corners;
    double (*corner)[3]; /* (corners) no two that follow each other are one place [m]; owned */
    double *along;       /* (corners) from the start to each [m]; owned */
    double *azimuth;     /* (corners) of the leg to each, turned on from the one before [degrees]; owned */
    double speed;        /* [m/s] */
};

/** @param text  "x,y,z;x,y,z;..", one place at least, in metres in room axes
 * @param speed [m/s]
 * FAILURE_INPUT says which place is none, or what is too slow, too fast or too far; FAILURE_CAPACITY. */
int walk_path_read(const char *text, double speed, struct walk_path *out, struct failure *failure);
void walk_path_free(struct walk_path *path);

/** How far it is to the end [m], and when the listener is there [s]. */
double walk_path_length(const struct walk_path *path);
double walk_path_seconds(const struct walk_path *path);

/** Where the listener is `along` metres from the start: beyond the ends, at them. */
void walk_path_place(const struct walk_path *path, double along, double out[3]);

/** Where to it goes there [degrees, from +x towards +y; beyond 180 after turns]: each corner is turned evenly
 * over the metre about it, the shorter way, to the left where both are as long. Straight up or down it stays
 * as it was; 0 where no leg goes anywhere else. O(corners). */
double walk_path_azimuth(const struct walk_path *path, double along);

/** FAILURE_INPUT where the walk goes through a triangle of `mesh`, a sheet or a wall: which material, and
 * where. O(corners x triangles). */
int walk_path_refuse_walls(const struct walk_path *path, const struct mesh *mesh, struct failure *failure);

/** Is no triangle of `mesh` between the two, but within a centimetre of `point`? O(triangles). */
bool walk_path_sees(const double place[3], const double point[3], const struct mesh *mesh);

#endif
