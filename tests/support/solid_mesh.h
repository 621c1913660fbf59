/** Closed bodies for voxeliser tests: boxes in any pose and icospheres, with a material of their choice per
 * face. */
#ifndef TESTS_SOLID_MESH_H
#define TESTS_SOLID_MESH_H

#include "geometry/mesh/mesh.h"
#include "tests/support/test_support.h"

/** Rows of a rotation by `turn` about z, then `tilt` about x, and a shift. */
struct solid_pose {
    double rotation[3][3], shift[3];
};

static inline struct solid_pose solid_pose_make(double turn, double tilt, const double shift[3])
{
    struct solid_pose pose = {.rotation = {{cos(turn), -sin(turn), 0},
                                           {cos(tilt) * sin(turn), cos(tilt) * cos(turn), -sin(tilt)},
                                           {sin(tilt) * sin(turn), sin(tilt) * cos(turn), cos(tilt)}}};
    memcpy(pose.shift, shift, sizeof pose.shift);
    return pose;
}

/** Position of a local point; `pose` NULL leaves it where it is. */
static inline void solid_place(const struct solid_pose *pose, const double local[3], double out[3])
{
    if (pose == NULL) {
        memcpy(out, local, 3 * sizeof *out);
        return;
    }
    for (int axis = 0; axis < 3; axis++)
        out[axis] = pose->rotation[axis][0] * local[0] + pose->rotation[axis][1] * local[1] +
                    pose->rotation[axis][2] * local[2] + pose->shift[axis];
}

/** Local coordinates of a point: the inverse of solid_place(). */
static inline void solid_unplace(const struct solid_pose *pose, const double point[3], double local[3])
{
    for (int axis = 0; axis < 3; axis++) {
        local[axis] = 0;
        for (int row = 0; row < 3; row++)
            local[axis] += pose->rotation[row][axis] * (point[row] - pose->shift[row]);
    }
}

static inline void solid_demand(int code)
{
    if (code != 0) {
        (void)fprintf(stderr, "test mesh: it cannot be made\n");
        abort();
    }
}

static inline uint16_t solid_material(struct mesh *mesh, const char *name)
{
    uint16_t material = 0;
    solid_demand(mesh_add_material(mesh, name, &material, NULL));
    return material;
}

static inline uint32_t solid_vertex(struct mesh *mesh, const struct solid_pose *pose, const double local[3])
{
    double place[3];
    uint32_t index = 0;
    solid_place(pose, local, place);
    solid_demand(mesh_add_vertex(mesh, place, &index, NULL));
    return index;
}

static inline void solid_triangle(struct mesh *mesh, uint32_t a, uint32_t b, uint32_t c, uint16_t material)
{
    solid_demand(mesh_add_triangle(mesh, (const uint32_t[3]){a, b, c}, material, NULL));
}

/** Two triangles on four corners given in turn. */
static inline void solid_quad(struct mesh *mesh, const struct solid_pose *pose, const double corner[4][3],
                              uint16_t material)
{
    uint32_t index[4];
    for (int i = 0; i < 4; i++)
        index[i] = solid_vertex(mesh, pose, corner[i]);
    solid_triangle(mesh, index[0], index[1], index[2], material);
    solid_triangle(mesh, index[0], index[2], index[3], material);
}

/** The rectangle low..high in the plane axis = at. */
static inline void solid_panel(struct mesh *mesh, const struct solid_pose *pose, int axis, double at,
                               const double low[2], const double high[2], uint16_t material)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    double corner[4][3];
    for (int i = 0; i < 4; i++) {
        corner[i][axis] = at;
        corner[i][u] = i == 1 || i == 2 ? high[0] : low[0];
        corner[i][v] = i >= 2 ? high[1] : low[1];
    }
    solid_quad(mesh, pose, (const double(*)[3])corner, material);
}

/** Box low..high; `material` by face -x +x -y +y -z +z, or NULL for "wall" everywhere. Skips face `skip` (-1:
 * none). Corners of different faces are different vertices at the same position. */
static inline void solid_box(struct mesh *mesh, const struct solid_pose *pose, const double low[3],
                             const double high[3], const uint16_t material[6], int skip)
{
    const uint16_t wall = material == NULL ? solid_material(mesh, "wall") : 0;
    for (int face = 0; face < 6; face++) {
        const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        if (face != skip)
            solid_panel(mesh, pose, axis, face % 2 == 0 ? low[axis] : high[axis],
                        (const double[2]){low[u], low[v]}, (const double[2]){high[u], high[v]},
                        material != NULL ? material[face] : wall);
    }
}

static inline uint32_t solid_midpoint(struct mesh *mesh, uint32_t a, uint32_t b, const double centre[3],
                                      double radius)
{
    double point[3], length = 0;
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = (mesh->vertex[a][axis] + mesh->vertex[b][axis]) / 2 - centre[axis];
        length += point[axis] * point[axis];
    }
    for (int axis = 0; axis < 3; axis++)
        point[axis] = centre[axis] + point[axis] * (radius / sqrt(length));
    /* Shared by the two triangles of the edge, so that both see the same position. */
    for (uint32_t n = 0; n < mesh->vertex_count; n++) {
        double apart = 0;
        for (int axis = 0; axis < 3; axis++)
            apart = fmax(apart, fabs(mesh->vertex[n][axis] - point[axis]));
        if (apart < 1e-9 * radius)
            return n;
    }
    return solid_vertex(mesh, NULL, point);
}

/** Icosphere of 20 x 4^level triangles around `centre`, in a mesh that holds nothing else. */
static inline void solid_icosphere(struct mesh *mesh, const double centre[3], double radius, int level)
{
    static const int face[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                    {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                    {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                    {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const double golden = (1 + sqrt(5)) / 2, scale = radius / sqrt(1 + golden * golden);
    const uint16_t wall = solid_material(mesh, "wall");
    for (int i = 0; i < 12; i++) {
        /* (+-1, +-golden, 0) and its cyclic permutations in the usual order of the faces above. */
        const double one = i % 2 == 0 ? -1 : 1, long_side = i % 4 < 2 ? golden : -golden;
        double point[3] = {0};
        const int axis = i / 4;
        point[axis] = one;
        point[(axis + 1) % 3] = long_side;
        for (int k = 0; k < 3; k++)
            point[k] = centre[k] + scale * point[k];
        (void)solid_vertex(mesh, NULL, point);
    }
    uint32_t(*triangle)[3] = malloc(sizeof *triangle * 20);
    size_t count = 20;
    for (int i = 0; triangle != NULL && i < 20; i++)
        for (int k = 0; k < 3; k++)
            triangle[i][k] = (uint32_t)face[i][k];
    for (int pass = 0; triangle != NULL && pass < level; pass++) {
        uint32_t(*finer)[3] = malloc(sizeof *finer * 4 * count);
        for (size_t t = 0; finer != NULL && t < count; t++) {
            uint32_t middle[3];
            for (int k = 0; k < 3; k++)
                middle[k] = solid_midpoint(mesh, triangle[t][k], triangle[t][(k + 1) % 3], centre, radius);
            for (int k = 0; k < 3; k++)
                memcpy(finer[4 * t + (size_t)k],
                       (const uint32_t[3]){triangle[t][k], middle[k], middle[(k + 2) % 3]}, sizeof *finer);
            memcpy(finer[4 * t + 3], middle, sizeof *finer);
        }
        free(triangle);
        triangle = finer;
        count *= 4;
    }
    if (triangle == NULL)
        abort();
    for (size_t t = 0; t < count; t++)
        solid_triangle(mesh, triangle[t][0], triangle[t][1], triangle[t][2], wall);
    free(triangle);
}

#endif
