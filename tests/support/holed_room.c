#include "tests/support/holed_room.h"

#include <math.h>
#include <string.h>

#include "tests/support/solid_mesh.h"
#include "tests/support/test_support.h"

static const double TURN = 6.283185307179586;

struct room_pose room_pose_none(void)
{
    return (struct room_pose){.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

struct room_pose room_pose_random(uint64_t *state)
{
    struct room_pose pose;
    /* Shoemake's uniform unit quaternion. */
    const double u = test_uniform(state, 0, 1), a = test_uniform(state, 0, TURN),
                 b = test_uniform(state, 0, TURN);
    const double x = sqrt(1 - u) * sin(a), y = sqrt(1 - u) * cos(a), z = sqrt(u) * sin(b),
                 w = sqrt(u) * cos(b);
    const double rotation[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                                   {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                                   {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    memcpy(pose.rotation, rotation, sizeof rotation);
    for (int axis = 0; axis < 3; ++axis)
        pose.shift[axis] = test_uniform(state, -1, 1);
    return pose;
}

void room_pose_place(const struct room_pose *pose, const double local[3], double out[3])
{
    for (int axis = 0; axis < 3; ++axis)
        out[axis] = pose->rotation[axis][0] * local[0] + pose->rotation[axis][1] * local[1] +
                    pose->rotation[axis][2] * local[2] + pose->shift[axis];
}

/* Vertices at the same place are one, so panels that meet share their corners. */
static uint32_t add_vertex(struct mesh *mesh, const struct room_pose *pose, const double local[3])
{
    double place[3];
    room_pose_place(pose, local, place);
    for (size_t n = 0; n < mesh->vertex_count; ++n)
        if (memcmp(mesh->vertex[n], place, sizeof place) == 0)
            return (uint32_t)n;
    return solid_vertex(mesh, NULL, place);
}

static void add_triangle(struct mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    solid_triangle(mesh, a, b, c, solid_material(mesh, "wall"));
}

void room_add_panel(struct mesh *mesh, const struct room_pose *pose, const double corner[3],
                    const double side_u[3], const double side_v[3], const double (*hole)[2], size_t count)
{
    uint32_t outer[4], inner[32];
    const double length_u = sqrt(side_u[0] * side_u[0] + side_u[1] * side_u[1] + side_u[2] * side_u[2]);
    const double length_v = sqrt(side_v[0] * side_v[0] + side_v[1] * side_v[1] + side_v[2] * side_v[2]);
    const double flat[4][2] = {{0, 0}, {length_u, 0}, {length_u, length_v}, {0, length_v}};
    for (int n = 0; n < 4; ++n) {
        double local[3];
        for (int axis = 0; axis < 3; ++axis)
            local[axis] =
                corner[axis] + (n == 1 || n == 2 ? side_u[axis] : 0.0) + (n >= 2 ? side_v[axis] : 0.0);
        outer[n] = add_vertex(mesh, pose, local);
    }
    if (count == 0) {
        add_triangle(mesh, outer[0], outer[1], outer[2]);
        add_triangle(mesh, outer[0], outer[2], outer[3]);
        return;
    }
    for (size_t n = 0; n < count; ++n) {
        double local[3];
        for (int axis = 0; axis < 3; ++axis)
            local[axis] =
                corner[axis] + side_u[axis] / length_u * hole[n][0] + side_v[axis] / length_v * hole[n][1];
        inner[n] = add_vertex(mesh, pose, local);
    }
    /* Each side of the hole joins the outer corner that lies furthest out in its direction; where that corner
     * changes from one side to the next, a triangle on the outer side fills up. */
    int previous = -1;
    for (size_t n = 0; n <= count; ++n) {
        const double *a = hole[n % count], *b = hole[(n + 1) % count];
        int best = 0;
        double far = -INFINITY;
        for (int k = 0; k < 4; ++k) {
            const double out = (b[1] - a[1]) * flat[k][0] - (b[0] - a[0]) * flat[k][1];
            if (out > far) {
                far = out;
                best = k;
            }
        }
        for (; previous >= 0 && previous != best; previous = (previous + 1) % 4)
            add_triangle(mesh, outer[previous], outer[(previous + 1) % 4], inner[n % count]);
        if (n < count)
            add_triangle(mesh, inner[n], outer[best], inner[(n + 1) % count]);
        previous = best;
    }
}

void room_add_box(struct mesh *mesh, const struct room_pose *pose, const double low[3], const double high[3],
                  int face, const double (*hole)[2], size_t count)
{
    for (int n = 0; n < 6; ++n) {
        const int axis = n / 2, u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
        double corner[3] = {low[0], low[1], low[2]}, side_u[3] = {0, 0, 0}, side_v[3] = {0, 0, 0};
        if (n % 2)
            corner[axis] = high[axis];
        side_u[u] = high[u] - low[u];
        side_v[v] = high[v] - low[v];
        room_add_panel(mesh, pose, corner, side_u, side_v, n == face ? hole : NULL, n == face ? count : 0);
    }
}

size_t room_hole(int round, double width, double angle, const double centre[2], double (*hole)[2])
{
    const size_t count = round ? 32 : 4;
    const double radius = 0.5 * width / cos(0.5 * TURN / (double)count);
    for (size_t n = 0; n < count; ++n) {
        hole[n][0] = centre[0] + radius * cos(angle + TURN * (double)n / (double)count);
        hole[n][1] = centre[1] + radius * sin(angle + TURN * (double)n / (double)count);
    }
    return count;
}
