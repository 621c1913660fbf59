#include "geometry/cell/cell_plane.h"

#include <math.h>
#include <string.h>

#include "geometry/base/array_room.h"
#include "geometry/base/vector.h"
#include "geometry/cell/cell_wall.h"
#include "geometry/cell/convex.h"

#define SMALL       1e-9 /* of areas and volumes: larger than anything that is left out */
#define FACE_CORNER 6    /* most corners of a part in a face */

/** The parts of a face of the voxel below [0] and above [1] the plane. */
struct halves {
    uint32_t corners[2];
    double corner[2][FACE_CORNER][2];
    double area[2];
};

static const double square[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};

static void add_corner(struct halves *halves, int side, const double at[2])
{
    double *corner = halves->corner[side][halves->corners[side]++];
    corner[0] = at[0];
    corner[1] = at[1];
}

/** As convex_area(). */
static double area_of(const double (*corner)[2], uint32_t corners)
{
    double area = 0, last[2] = {corner[1][0] - corner[0][0], corner[1][1] - corner[0][1]};
    for (uint32_t i = 2; i < corners; i++) {
        const double next[2] = {corner[i][0] - corner[0][0], corner[i][1] - corner[0][1]};
        area += last[0] * next[1] - last[1] * next[0];
        memcpy(last, next, sizeof last);
    }
    return 0.5 * fabs(area);
}

/** As convex_split(). False where a half is small. */
static bool split_face(const struct plane *plane, int face, struct halves *out)
{
    const int axis = face / 2;
    double height[4];
    int sides = 0;
    for (int i = 0; i < 4; i++) {
        double at[3];
        at[axis] = face % 2 == 0 ? -0.5 : 0.5;
        at[(axis + 1) % 3] = square[i][0];
        at[(axis + 2) % 3] = square[i][1];
        height[i] = vector_dot(plane->normal, at) - plane->offset;
        sides |= height[i] > CONVEX_TOUCH ? CONVEX_ABOVE : height[i] < -CONVEX_TOUCH ? CONVEX_BELOW : 0;
    }
    out->corners[0] = out->corners[1] = 0;
    out->area[0] = out->area[1] = 0;
    if (sides != (CONVEX_BELOW | CONVEX_ABOVE)) {
        const int side = sides == CONVEX_ABOVE;
        out->corners[side] = 4;
        out->area[side] = 1;
        memcpy(out->corner[side], square, sizeof square);
        return sides != 0;
    }
    for (int to = 0, from = 3; to < 4; from = to++) {
        if ((height[from] < -CONVEX_TOUCH && height[to] > CONVEX_TOUCH) ||
            (height[from] > CONVEX_TOUCH && height[to] < -CONVEX_TOUCH)) {
            const int low = height[from] < 0 ? from : to, high = low == from ? to : from;
            const double part = height[low] / (height[low] - height[high]);
            const double at[2] = {square[low][0] + part * (square[high][0] - square[low][0]),
                                  square[low][1] + part * (square[high][1] - square[low][1])};
            add_corner(out, 0, at);
            add_corner(out, 1, at);
        }
        if (height[to] <= CONVEX_TOUCH)
            add_corner(out, 0, square[to]);
        if (height[to] >= -CONVEX_TOUCH)
            add_corner(out, 1, square[to]);
    }
    for (int side = 0; side < 2; side++) {
        out->area[side] = area_of((const double(*)[2])out->corner[side], out->corners[side]);
        if (!(out->area[side] > SMALL && out->area[side] < 1 - SMALL))
            return false;
    }
    return true;
}

/** The section of the voxel, if it lies wholly on the triangle. */
static bool section_of(const struct cell_wall *wall, struct convex *section, double *area, double moment[3])
{
    convex_section(&wall->plane, section);
    if (section->corners < 3)
        return false;
    for (int edge = 0; edge < 3; edge++)
        if ((convex_sides(&wall->edge[edge], convex_outline(section)) & CONVEX_BELOW) != 0)
            return false;
    *area = convex_moment(wall->plane.normal, convex_outline(section), moment);
    return *area > SMALL;
}

/** Whole faces come first. */
static void put_faces(const struct halves *face, int side, struct cell_part *part, struct cell_parts *out)
{
    part->first_polygon = (uint32_t)out->polygons;
    for (int turn = 0; turn < 2; turn++)
        for (int f = 0; f < DIRECTIONS; f++) {
            const uint32_t corners = face[f].corners[side];
            if (corners == 0 || (face[f].area[side] < 1) != turn)
                continue;
            part->face[f] = face[f].area[side];
            out->polygon[out->polygons++] = (struct cell_polygon){
                .face = (uint8_t)f, .first = (uint32_t)out->corners, .corners = corners};
            memcpy(out->corner[out->corners], face[f].corner[side], corners * sizeof out->corner[0]);
            out->corners += corners;
        }
    part->polygons = (uint32_t)out->polygons - part->first_polygon;
}

#define ROOM(array, room, count)                                                                             \
    do {                                                                                                     \
        void *room_ = (count) <= (room) ? (void *)(array)                                                    \
                                        : array_room((array), &(room), (count), sizeof *(array),             \
                                                     "the parts of a voxel", failure);                       \
        if (room_ == NULL)                                                                                   \
            return FAILURE_CAPACITY;                                                                         \
        (array) = room_;                                                                                     \
    } while (0)

int cell_plane_cut(const int64_t node[3], const struct snapped_triangle *snapped, uint32_t triangle,
                   struct cell_parts *out, bool *done, struct failure *failure)
{
    struct cell_wall wall;
    struct convex section;
    struct halves face[DIRECTIONS];
    double area, moment[3], volume[2] = {0, 0};
    *done = false;
    if (!cell_wall_make(node, snapped, &wall) || !section_of(&wall, &section, &area, moment))
        return 0;
    for (int f = 0; f < DIRECTIONS; f++) {
        if (!split_face(&wall.plane, f, &face[f]))
            return 0;
        for (int side = 0; side < 2; side++)
            volume[side] += 0.5 * face[f].area[side] / 3;
    }
    volume[0] += wall.plane.offset * area / 3;
    volume[1] += -wall.plane.offset * area / 3;
    if (!(volume[0] > SMALL && volume[1] > SMALL))
        return 0;
    ROOM(out->part, out->part_room, 2);
    ROOM(out->patch, out->patch_room, 2);
    ROOM(out->polygon, out->polygon_room, 2 * DIRECTIONS);
    ROOM(out->corner, out->corner_room, 2 * DIRECTIONS * FACE_CORNER);
    out->polygons = out->corners = 0;
    for (uint32_t p = 0; p < 2; p++) {
        const int side = (volume[1] > volume[0]) != (p == 1);
        struct cell_part *part = &out->part[p];
        struct cell_patch *patch = &out->patch[p];
        *part = (struct cell_part){.volume = volume[side], .first_patch = p, .patches = 1};
        part->holds_centre = wall.centre != 0 && (wall.centre > 0) == (side == 1);
        *patch = (struct cell_patch){.triangle = triangle, .back = side == 0, .area = area};
        for (int axis = 0; axis < 3; axis++) {
            patch->projected[axis] = fabs(wall.plane.normal[axis]) * area;
            patch->moment[axis] += fabs(wall.plane.normal[axis]) * moment[axis];
        }
        put_faces(face, side, part, out);
    }
    out->parts = out->patches = 2;
    *done = true;
    return 0;
}
