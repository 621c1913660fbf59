/** Rooms for tests of leaks, seals and narrow openings: rotated boxes, panels with convex holes. */
#ifndef TESTS_HOLED_ROOM_H
#define TESTS_HOLED_ROOM_H

#include <stddef.h>
#include <stdint.h>

#include "geometry/mesh/mesh.h"

/** room position = rotation x local position + shift */
struct room_pose {
    double rotation[3][3];
    double shift[3];
};

struct room_pose room_pose_none(void);

/** Uniformly random rotation, shift within +-1 m. */
struct room_pose room_pose_random(uint64_t *state);

void room_pose_place(const struct room_pose *pose, const double local[3], double out[3]);

/** Add a parallelogram corner + s side_u + t side_v, 0 <= s,t <= 1, with a convex hole of `count` corners
 * given counterclockwise in metres along the unit vectors of side_u and side_v from `corner`; count 0: no
 * hole. All vertices are the parallelogram's corners and the hole's. The sides must be perpendicular. */
void room_add_panel(struct mesh *mesh, const struct room_pose *pose, const double corner[3],
                    const double side_u[3], const double side_v[3], const double (*hole)[2], size_t count);

/** Add the box low..high. `face` (-x +x -y +y -z +z, or -1) has the hole; its u and v are the two other axes
 * in rising order, from the face's corner with the smallest coordinates. */
void room_add_box(struct mesh *mesh, const struct room_pose *pose, const double low[3], const double high[3],
                  int face, const double (*hole)[2], size_t count);

/** A square (turned by `angle`) of side `width`, or a circle of that diameter as a 32-gon of circumscribed
 * radius; writes the corners and returns how many. `hole` holds 32. */
size_t room_hole(int round, double width, double angle, const double centre[2], double (*hole)[2]);

#endif
