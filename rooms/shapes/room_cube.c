/* Cube and cross: one floor plan cell, and five of them. */
#include "rooms/shapes/floor_plan.h"
#include "rooms/shapes/room_builders.h"

static const struct plan_finish finish = {
    .floor = "stone_floor", .ceiling = "plaster_ceiling", .wall = "plaster_wall", .riser = "stone_floor"};

struct spot {
    enum marker_kind kind;
    const char *name;
    double x, y, z; /* in cube edges */
};

/* `plan` is freed. Positions are off the planes of symmetry, where modes would vanish. */
static int finish_room(struct floor_plan *plan, double size, const struct spot *spot, size_t spots,
                       struct mesh *out, struct failure *failure)
{
    struct mesh mesh = {0};
    int code = floor_plan_raise(plan, &mesh, failure);
    for (size_t i = 0; code == 0 && i < spots; ++i)
        code =
            mesh_add_marker(&mesh, spot[i].kind, spot[i].name,
                            (const double[3]){spot[i].x * size, spot[i].y * size, spot[i].z * size}, failure);
    if (code == 0)
        *out = mesh;
    else
        mesh_free(&mesh);
    floor_plan_free(plan);
    return code;
}

/* 1.5 m and 1.2 m above the floor in a room of 3 m. */
#define SOURCE_HEIGHT   0.5
#define RECEIVER_HEIGHT 0.4

int build_cube(const double *value, struct mesh *out, struct failure *failure)
{
    const double size = value[0];
    struct floor_plan plan = {0};
    floor_plan_rectangle(&plan, 0, 0, size, size, 0, (const double[4]){size, size, size, size}, &finish);
    const struct spot spot[] = {
        {MARKER_SOURCE, "corner", 0.36, 0.37, SOURCE_HEIGHT},
        {MARKER_RECEIVER, "far", 0.61, 0.65, RECEIVER_HEIGHT},
    };
    return finish_room(&plan, size, spot, sizeof spot / sizeof *spot, out, failure);
}

int build_cross(const double *value, struct mesh *out, struct failure *failure)
{
    const double size = value[0];
    const double ceiling[4] = {size, size, size, size};
    static const int corner[5][2] = {{1, 1}, {0, 1}, {2, 1}, {1, 0}, {1, 2}};
    struct floor_plan plan = {0};
    for (int i = 0; i < 5; ++i) {
        const double x = corner[i][0] * size, y = corner[i][1] * size;
        floor_plan_rectangle(&plan, x, y, x + size, y + size, 0, ceiling, &finish);
    }
    const struct spot spot[] = {
        {MARKER_SOURCE, "west", 0.36, 1.43, SOURCE_HEIGHT},
        {MARKER_RECEIVER, "crossing", 1.61, 1.57, RECEIVER_HEIGHT},
        {MARKER_RECEIVER, "north", 1.43, 2.62, RECEIVER_HEIGHT},
        {MARKER_RECEIVER, "east", 2.6, 1.44, RECEIVER_HEIGHT},
    };
    return finish_room(&plan, size, spot, sizeof spot / sizeof *spot, out, failure);
}
