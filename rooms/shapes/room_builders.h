/** The builders of shapes, called with values in the order of each table, already checked against their
 * limits. */
#ifndef ROOMS_ROOM_BUILDERS_H
#define ROOMS_ROOM_BUILDERS_H

#include "geometry/mesh/mesh.h"

int build_cube(const double *value, struct mesh *out, struct failure *failure);
int build_sphere(const double *value, struct mesh *out, struct failure *failure);
int build_cross(const double *value, struct mesh *out, struct failure *failure);
int build_church(const double *value, struct mesh *out, struct failure *failure);

#endif
