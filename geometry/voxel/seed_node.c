#include "geometry/voxel/seed_node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "geometry/voxel/flood.h"

/* If a flood escapes and fewer directions than this from the source meet a wall, the source is outside. In
 * the middle of a cube without one face 82 to 84 of 100 directions meet a wall; seven tenths of the way to
 * the missing face 74 do; outside a convex building at most half do. */
#define DIRECTIONS_MET_INSIDE 67

/* Above the square of a cell's diagonal [sub-step^2]. */
#define SQUARED_MOST (INT64_C(4) * LATTICE_SUBSTEPS * LATTICE_SUBSTEPS)

__extension__ typedef __int128 int128;

static void subtract_nodes(const int64_t a[3], const int64_t b[3], int64_t out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = a[axis] - b[axis];
}

/** Sign of the volume spanned by b - a, c - a, d - a. Differences below 2^31 keep the products inside 128
 * bits. */
static int volume_sign(const int64_t a[3], const int64_t b[3], const int64_t c[3], const int64_t d[3])
{
    int64_t ab[3], ac[3], ad[3];
    subtract_nodes(b, a, ab);
    subtract_nodes(c, a, ac);
    subtract_nodes(d, a, ad);
    int128 volume = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        volume += (int128)ad[axis] * ((int128)ab[u] * ac[v] - (int128)ab[v] * ac[u]);
    }
    return (volume > 0) - (volume < 0);
}

/** Sign of the area of a, b, c projected along an axis. */
static int area_sign(const int64_t a[3], const int64_t b[3], const int64_t c[3], int axis)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int128 area = (int128)(b[u] - a[u]) * (c[v] - a[v]) - (int128)(b[v] - a[v]) * (c[u] - a[u]);
    return (area > 0) - (area < 0);
}

static bool point_in_triangle(const int64_t corner[3][3], const int64_t point[3], int axis)
{
    bool left = false, right = false;
    for (int i = 0; i < 3; i++) {
        const int side = area_sign(corner[i], corner[(i + 1) % 3], point, axis);
        left = left || side > 0;
        right = right || side < 0;
    }
    return !(left && right);
}

static bool segments_cross(const int64_t a[3], const int64_t b[3], const int64_t c[3], const int64_t d[3],
                           int axis)
{
    const int ac = area_sign(a, b, c, axis), ad = area_sign(a, b, d, axis);
    const int ca = area_sign(c, d, a, axis), cb = area_sign(c, d, b, axis);
    if (ac == 0 && ad == 0) {
        if (ca != 0 || cb != 0)
            return false; /* a and b coincide, beside the line through c and d */
        /* All on one line: they meet if their ranges do. */
        for (int other = 0; other < 3; other++) {
            if (other == axis)
                continue;
            const int64_t low = a[other] < b[other] ? a[other] : b[other];
            const int64_t high = a[other] < b[other] ? b[other] : a[other];
            if ((c[other] < low && d[other] < low) || (c[other] > high && d[other] > high))
                return false;
        }
        return true;
    }
    return ac * ad <= 0 && ca * cb <= 0;
}

/** True if the closed segment from `from` to `to` meets the closed triangle. Exact. As in the link test,
 * triangles without area meet nothing. */
static bool segment_meets(const int64_t corner[3][3], const int64_t from[3], const int64_t to[3])
{
    int widest = -1; /* an axis along which the triangle has a projected area */
    for (int axis = 0; axis < 3; axis++)
        if (area_sign(corner[0], corner[1], corner[2], axis) != 0)
            widest = axis;
    if (widest < 0)
        return false;
    const int start = volume_sign(corner[0], corner[1], corner[2], from);
    const int end = volume_sign(corner[0], corner[1], corner[2], to);
    if (start * end > 0)
        return false;
    if (start == 0 && end == 0) {
        if (point_in_triangle(corner, from, widest) || point_in_triangle(corner, to, widest))
            return true;
        for (int i = 0; i < 3; i++)
            if (segments_cross(from, to, corner[i], corner[(i + 1) % 3], widest))
                return true;
        return false;
    }
    bool left = false, right = false;
    for (int i = 0; i < 3; i++) {
        const int side = volume_sign(from, to, corner[i], corner[(i + 1) % 3]);
        left = left || side > 0;
        right = right || side < 0;
    }
    return !(left && right);
}

/** True if the point is within `reach` of the triangle. In double: walls as they are in the mesh. */
static bool lies_on(const double corner[3][3], const double point[3], double reach)
{
    double edge[3][3], offset[3], normal[3];
    for (int i = 0; i < 3; i++)
        vector_subtract(corner[(i + 1) % 3], corner[i], edge[i]);
    vector_subtract(point, corner[0], offset);
    vector_cross(edge[0], edge[1], normal);
    const double squared = vector_dot(normal, normal), height = vector_dot(normal, offset);
    if (!(squared > 0) || height * height > reach * reach * squared)
        return false;
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        double from[3], across[3], rest[3];
        vector_subtract(point, corner[i], from);
        vector_cross(edge[i], from, across);
        inside = inside && vector_dot(across, normal) >= 0;
        const double length = vector_dot(edge[i], edge[i]);
        const double along = length > 0 ? fmin(fmax(vector_dot(from, edge[i]) / length, 0), 1) : 0;
        vector_along(from, -along, edge[i], rest);
        if (vector_dot(rest, rest) <= reach * reach)
            return true;
    }
    return inside;
}

static bool reaches_cell(const int64_t wide[3][3], const int64_t low[3])
{
    for (int axis = 0; axis < 3; axis++) {
        int64_t first = INT64_MAX, last = INT64_MIN;
        for (int i = 0; i < 3; i++) {
            first = wide[i][axis] < first ? wide[i][axis] : first;
            last = wide[i][axis] > last ? wide[i][axis] : last;
        }
        if (last < low[axis] * LATTICE_SUBSTEPS - 2 || first > (low[axis] + 1) * LATTICE_SUBSTEPS + 2)
            return false;
    }
    return true;
}

/* The corners of the cell that a triangle hides: bit x + 2y + 4z. */
static unsigned hidden_by(const int64_t wide[3][3], const int64_t low[3], const int64_t from[3])
{
    unsigned hidden = 0;
    for (unsigned i = 0; i < 8; i++) {
        const int64_t to[3] = {(low[0] + (i & 1)) * LATTICE_SUBSTEPS,
                               (low[1] + (i >> 1 & 1)) * LATTICE_SUBSTEPS,
                               (low[2] + (i >> 2)) * LATTICE_SUBSTEPS};
        if (segment_meets(wide, from, to))
            hidden |= 1u << i;
    }
    return hidden;
}

/* The corners on the other side of sheets. */
static unsigned behind_sheets(const struct cut_field *field, const struct mesh *mesh, const int64_t low[3],
                              const int64_t from[3])
{
    const struct mesh sheets = mesh_sheets(mesh);
    unsigned behind = 0;
    for (size_t t = 0; t < sheets.triangle_count; t++) {
        int64_t wide[3][3];
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 3; axis++)
                wide[i][axis] =
                    lattice_snap(&field->lattice, axis, sheets.vertex[sheets.triangle[t][i]][axis]);
        if (reaches_cell((const int64_t(*)[3])wide, low))
            behind |= hidden_by((const int64_t(*)[3])wide, low, from);
    }
    return behind;
}

int seed_corners(const struct cut_field *field, const struct mesh *mesh,
                 const struct snapped_triangle *triangles, const double position[3], int64_t corner[8][3])
{
    int64_t from[3], low[3];
    bool is_node = true;
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = lattice_substep(&field->lattice, axis, position[axis]);
        is_node = is_node && from[axis] % LATTICE_SUBSTEPS == 0;
        low[axis] = from[axis] >> 10;
        if (low[axis] < -1 || low[axis] >= field->lattice.nodes[axis])
            return 0;
    }
    unsigned hidden = 0; /* bit x + 2y + 4z */
    for (size_t t = 0; t < mesh->triangle_count && hidden != 0xFF; t++) {
        int64_t wide[3][3];
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 3; axis++)
                wide[i][axis] = triangles[t].corner[i][axis];
        if (!reaches_cell((const int64_t(*)[3])wide, low))
            continue;
        if (!is_node) {
            double wall[3][3];
            for (int i = 0; i < 3; i++)
                memcpy(wall[i], mesh->vertex[mesh->triangle[t][i]], sizeof wall[i]);
            if (lies_on((const double(*)[3])wall, position, field->lattice.spacing / LATTICE_SUBSTEPS))
                return 0;
        }
        hidden |= hidden_by((const int64_t(*)[3])wide, low, from);
    }
    const unsigned behind = behind_sheets(field, mesh, low, from);
    int count = 0;
    int64_t distance[8];
    for (unsigned i = 0; i < 8; i++) {
        const int64_t node[3] = {low[0] + (i & 1), low[1] + (i >> 1 & 1), low[2] + (i >> 2)};
        if ((hidden >> i & 1) != 0 || !lattice_has(&field->lattice, node) || flood_is_isolated(field, node))
            continue;
        int64_t squared = (behind >> i & 1) != 0 ? SQUARED_MOST : 0;
        for (int axis = 0; axis < 3; axis++) {
            const int64_t offset = node[axis] * LATTICE_SUBSTEPS - from[axis];
            squared += offset * offset;
        }
        int at = count++;
        for (; at > 0 && distance[at - 1] > squared; at--) {
            distance[at] = distance[at - 1];
            memcpy(corner[at], corner[at - 1], sizeof corner[at]);
        }
        distance[at] = squared;
        memcpy(corner[at], node, sizeof corner[at]);
    }
    return count;
}

static bool ray_meets(const double corner[3][3], const double from[3], const double direction[3])
{
    double edge[2][3], offset[3], across[3], around[3];
    vector_subtract(corner[1], corner[0], edge[0]);
    vector_subtract(corner[2], corner[0], edge[1]);
    vector_subtract(from, corner[0], offset);
    vector_cross(direction, edge[1], across);
    vector_cross(offset, edge[0], around);
    const double scale = vector_dot(edge[0], across);
    if (scale == 0)
        return false;
    const double u = vector_dot(offset, across) / scale, v = vector_dot(direction, around) / scale;
    return u >= 0 && v >= 0 && u + v <= 1 && vector_dot(edge[1], around) / scale >= 0;
}

int seed_directions_met(const struct mesh *mesh, const double position[3])
{
    int met = 0;
    for (int i = 0; i < SEED_DIRECTIONS; i++) {
        /* Points on a sphere along a spiral that turns by the golden angle, which spaces them evenly. */
        const double height = 1 - (2 * i + 1) / (double)SEED_DIRECTIONS, radius = sqrt(1 - height * height);
        const double turn = i * 2.399963229728653;
        const double direction[3] = {radius * cos(turn), radius * sin(turn), height};
        for (size_t t = 0; t < mesh->triangle_count; t++) {
            double corner[3][3];
            for (int k = 0; k < 3; k++)
                memcpy(corner[k], mesh->vertex[mesh->triangle[t][k]], sizeof corner[k]);
            if (ray_meets((const double(*)[3])corner, position, direction)) {
                met++;
                break;
            }
        }
    }
    return met;
}

bool seed_stands_inside(const struct mesh *mesh, const double position[3])
{
    return seed_directions_met(mesh, position) >= DIRECTIONS_MET_INSIDE;
}
