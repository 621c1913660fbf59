/* An icosphere: the twenty faces of an icosahedron, each cut into segments^2 triangles, pushed out to the
 * sphere. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "rooms/shapes/room_builders.h"

#define FACES 20

static const int face_corner[FACES][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                          {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                          {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                          {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};

struct icosphere {
    double radius;
    int segments;
    double corner[12][3];
    uint32_t corner_vertex[12];
    uint32_t *edge_vertex; /* (12 x 12, segments - 1): inner points of edge a < b, from a; filled on demand */
    bool edge_known[12][12];
    struct mesh mesh;
};

static int add_point(struct icosphere *sphere, const double direction[3], uint32_t *index,
                     struct failure *failure)
{
    const double length =
        sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
    double position[3];
    for (int axis = 0; axis < 3; ++axis)
        position[axis] = sphere->radius * (1 + direction[axis] / length);
    return mesh_add_vertex(&sphere->mesh, position, index, failure);
}

/* Vertex at `step` of segments on the way from corner a to corner b, made once for both faces of the edge. */
static int edge_point(struct icosphere *sphere, int a, int b, int step, uint32_t *index,
                      struct failure *failure)
{
    if (step == 0 || step == sphere->segments) {
        *index = sphere->corner_vertex[step == 0 ? a : b];
        return 0;
    }
    if (a > b)
        return edge_point(sphere, b, a, sphere->segments - step, index, failure);
    uint32_t *row = &sphere->edge_vertex[(size_t)(a * 12 + b) * (size_t)(sphere->segments - 1)];
    if (!sphere->edge_known[a][b]) {
        for (int i = 1; i < sphere->segments; ++i) {
            double direction[3];
            for (int axis = 0; axis < 3; ++axis)
                direction[axis] =
                    (sphere->segments - i) * sphere->corner[a][axis] + i * sphere->corner[b][axis];
            TRY(add_point(sphere, direction, &row[i - 1], failure));
        }
        sphere->edge_known[a][b] = true;
    }
    *index = row[step - 1];
    return 0;
}

/* Points of one face in rows: row i holds i + 1 of them, from edge a-b to edge a-c. */
static int add_face(struct icosphere *sphere, const int corner[3], uint32_t *point, uint16_t material,
                    struct failure *failure)
{
    const int n = sphere->segments, a = corner[0], b = corner[1], c = corner[2];
    size_t at = 0;
    for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= i; ++j, ++at) {
            if (j == 0) {
                TRY(edge_point(sphere, a, b, i, &point[at], failure));
            } else if (j == i) {
                TRY(edge_point(sphere, a, c, i, &point[at], failure));
            } else if (i == n) {
                TRY(edge_point(sphere, b, c, j, &point[at], failure));
            } else {
                double direction[3];
                for (int axis = 0; axis < 3; ++axis)
                    direction[axis] = (n - i) * sphere->corner[a][axis] + (i - j) * sphere->corner[b][axis] +
                                      j * sphere->corner[c][axis];
                TRY(add_point(sphere, direction, &point[at], failure));
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        const uint32_t *upper = &point[(size_t)i * (size_t)(i + 1) / 2];
        const uint32_t *lower = &point[(size_t)(i + 1) * (size_t)(i + 2) / 2];
        for (int j = 0; j <= i; ++j) {
            /* Corners are listed counter-clockwise seen from outside; the front looks inwards. */
            const uint32_t down[3] = {upper[j], lower[j + 1], lower[j]};
            TRY(mesh_add_triangle(&sphere->mesh, down, material, failure));
            if (j < i) {
                const uint32_t up[3] = {upper[j], upper[j + 1], lower[j + 1]};
                TRY(mesh_add_triangle(&sphere->mesh, up, material, failure));
            }
        }
    }
    return 0;
}

static int add_all(struct icosphere *sphere, uint32_t *point, struct failure *failure)
{
    const double golden = (1 + sqrt(5)) / 2;
    const double corner[12][3] = {{-1, golden, 0}, {1, golden, 0}, {-1, -golden, 0}, {1, -golden, 0},
                                  {0, -1, golden}, {0, 1, golden}, {0, -1, -golden}, {0, 1, -golden},
                                  {golden, 0, -1}, {golden, 0, 1}, {-golden, 0, -1}, {-golden, 0, 1}};
    uint16_t material;
    TRY(mesh_add_material(&sphere->mesh, "plaster_wall", &material, failure));
    for (int i = 0; i < 12; ++i) {
        for (int axis = 0; axis < 3; ++axis)
            sphere->corner[i][axis] = corner[i][axis];
        TRY(add_point(sphere, corner[i], &sphere->corner_vertex[i], failure));
    }
    for (int face = 0; face < FACES; ++face)
        TRY(add_face(sphere, face_corner[face], point, material, failure));
    const double r = sphere->radius;
    TRY(mesh_add_marker(&sphere->mesh, MARKER_SOURCE, "west", (const double[3]){0.71 * r, 0.83 * r, r},
                        failure));
    return mesh_add_marker(&sphere->mesh, MARKER_RECEIVER, "east",
                           (const double[3]){1.31 * r, 1.17 * r, 0.8 * r}, failure);
}

int build_sphere(const double *value, struct mesh *out, struct failure *failure)
{
    struct icosphere sphere = {.radius = value[0], .segments = (int)value[1]};
    const size_t n = (size_t)sphere.segments;
    uint32_t *point = malloc((n + 1) * (n + 2) / 2 * sizeof *point);
    sphere.edge_vertex = malloc(144 * n * sizeof *sphere.edge_vertex);
    int code;
    if (!point || !sphere.edge_vertex)
        code = failure_memory(failure, 144 * n * sizeof *point, "the corners of a sphere");
    else
        code = add_all(&sphere, point, failure);
    if (code == 0)
        *out = sphere.mesh;
    else
        mesh_free(&sphere.mesh);
    free(point);
    free(sphere.edge_vertex);
    return code;
}
