#include "tests/support/panel_hall.h"

#include <math.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/room/voxeliser.h"
#include "tests/support/holed_room.h"
#include "tests/support/solid_mesh.h"
#include "tests/support/test_support.h"

/* Where three planes normal . x = level meet. */
static void meet(double normal[3][3], const double level[3], double out[3])
{
    double cross[3];
    vector_cross(normal[1], normal[2], cross);
    const double volume = vector_dot(normal[0], cross);
    memset(out, 0, 3 * sizeof out[0]);
    for (int n = 0; n < 3; ++n) {
        vector_cross(normal[(n + 1) % 3], normal[(n + 2) % 3], cross);
        vector_along(out, level[n] / volume, cross, out);
    }
}

static void blend(const double a[3], const double b[3], double t, double out[3])
{
    for (int axis = 0; axis < 3; ++axis)
        out[axis] = (1 - t) * a[axis] + t * b[axis];
}

static void add_quad(struct mesh *mesh, double corner[4][3])
{
    solid_quad(mesh, NULL, (const double(*)[3])corner, solid_material(mesh, "wall"));
}

/* Move the corners of a panel, and make a slab of it. */
static void add_panel(struct panel_hall *hall, double corner[4][3], uint64_t *state)
{
    double centre[3], side[2][3], normal[3], moved[4][3], back[4][3];
    for (int axis = 0; axis < 3; ++axis)
        centre[axis] = 0.25 * (corner[0][axis] + corner[1][axis] + corner[2][axis] + corner[3][axis]);
    vector_subtract(corner[2], corner[0], side[0]);
    vector_subtract(corner[3], corner[1], side[1]);
    vector_cross(side[0], side[1], normal);
    const double area = vector_length(normal), tight = test_uniform(state, 0, 1);
    const double depth = test_uniform(state, -0.6, 0.6);
    for (int n = 0; n < 4; ++n) {
        /* Mostly inwards, with the panel's own offset in depth. */
        double way[3];
        vector_subtract(centre, corner[n], way);
        const double length = vector_length(way), inward = test_uniform(state, 0, 1) < 0.2 ? -1 : 1;
        for (int axis = 0; axis < 3; ++axis)
            way[axis] =
                inward * way[axis] / length + depth * normal[axis] / area + test_uniform(state, -0.4, 0.4);
        const double least = 1e-4 / hall->gap; /* of all cracks, against the widest */
        const double far = 0.5 * hall->gap *
                           (tight < 0.4  ? 1
                            : hall->even ? test_uniform(state, 0, 1)
                                         : pow(least, test_uniform(state, 0, 1))) /
                           vector_length(way);
        vector_along(corner[n], far, way, moved[n]);
        vector_along(moved[n], 0.03 / area, normal, back[n]);
    }
    add_quad(&hall->mesh, moved);
    if (!hall->solid)
        return;
    for (int n = 0; n < 4; ++n) {
        const int next = (n + 1) % 4;
        double edge[4][3];
        memcpy(edge[0], moved[n], sizeof edge[0]);
        memcpy(edge[1], moved[next], sizeof edge[0]);
        memcpy(edge[2], back[next], sizeof edge[0]);
        memcpy(edge[3], back[n], sizeof edge[0]);
        add_quad(&hall->mesh, edge);
    }
    add_quad(&hall->mesh, back);
}

static void add_wall(struct panel_hall *hall, double corner[4][3], uint64_t *state)
{
    const int rows = 1 + (int)(test_random(state) % 3);
    double low[2][3], high[2][3];
    blend(corner[0], corner[3], 0, low[0]);
    blend(corner[1], corner[2], 0, low[1]);
    for (int row = 0; row < rows; ++row) {
        for (int end = 0; end < 2; ++end) {
            const double at = row + 1 == rows ? 1 : (row + test_uniform(state, 0.7, 1.3)) / rows;
            blend(corner[end], corner[3 - end], at, high[end]);
        }
        const int panels = 1 + (int)(test_random(state) % 3);
        double from[2] = {0, 0};
        for (int n = 0; n < panels; ++n) {
            double to[2], panel[4][3];
            for (int end = 0; end < 2; ++end)
                to[end] = n + 1 == panels ? 1 : (n + test_uniform(state, 0.7, 1.3)) / panels;
            blend(low[0], low[1], from[0], panel[0]);
            blend(low[0], low[1], to[0], panel[1]);
            blend(high[0], high[1], to[1], panel[2]);
            blend(high[0], high[1], from[1], panel[3]);
            add_panel(hall, panel, state);
            memcpy(from, to, sizeof from);
        }
        memcpy(low, high, sizeof low);
    }
}

void panel_hall_make(uint64_t seed, struct panel_hall *out)
{
    uint64_t state = seed;
    const struct room_pose pose = room_pose_random(&state);
    struct panel_hall hall = {.gap = 5e-3 * pow(40, test_uniform(&state, 0, 1))};
    hall.even = test_random(&state) % 2 == 0;
    hall.solid = test_random(&state) % 3 == 0;
    /* Planes a little off those of a box around the origin. */
    double normal[6][3], level[6], corner[8][3];
    for (int n = 0; n < 6; ++n) {
        for (int axis = 0; axis < 3; ++axis)
            normal[n][axis] = axis == n / 2 ? (n % 2 ? 1 : -1) : test_uniform(&state, -0.2, 0.2);
        level[n] = test_uniform(&state, 0.45, 0.75);
    }
    for (int n = 0; n < 8; ++n) {
        double planes[3][3], levels[3], local[3];
        for (int axis = 0; axis < 3; ++axis) {
            const int plane = 2 * axis + (n >> axis & 1);
            memcpy(planes[axis], normal[plane], sizeof planes[axis]);
            levels[axis] = level[plane];
        }
        meet(planes, levels, local);
        room_pose_place(&pose, local, corner[n]);
    }
    for (int n = 0; n < 6; ++n) {
        const int u = 1 << (n / 2 + 1) % 3, v = 1 << (n / 2 + 2) % 3, base = n % 2 ? 1 << n / 2 : 0;
        const int index[4] = {base, base | u, base | u | v, base | v};
        double wall[4][3];
        for (int k = 0; k < 4; ++k)
            memcpy(wall[k], corner[index[k]], sizeof wall[k]);
        add_wall(&hall, wall, &state);
    }
    room_pose_place(&pose, (const double[3]){0.05, 0.02, -0.03}, hall.source);
    *out = hall;
}

int panel_hall_seal(const struct panel_hall *hall, double spacing, double width, uint64_t *air_nodes,
                    struct failure *failure)
{
    const struct voxelise_options options = {.seal_width = width, .threads = 2};
    struct voxel_seed source = {.kind = SEED_SOURCE, .name = "S1"};
    struct voxels voxels = {0};
    struct lattice lattice;
    double low[3], high[3];
    memcpy(source.position, hall->source, sizeof source.position);
    solid_demand(mesh_bounds(&hall->mesh, low, high, NULL));
    solid_demand(lattice_fit(low, high, spacing, NULL, &lattice, NULL));
    const int code = voxelise(&hall->mesh, &lattice, &source, 1, &options, &voxels, NULL, NULL, failure);
    if (code == 0) {
        solid_demand(voxels_check(&voxels, NULL));
        if (air_nodes != NULL)
            *air_nodes = voxels.air_nodes;
        voxels_free(&voxels);
    }
    return code;
}
