#include "geometry/voxel/wall_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/array_room.h"
#include "geometry/base/lower_bound.h"
#include "geometry/base/whole_file.h"
#include "geometry/voxel/block_bits.h"
#include "geometry/voxel/surface_ply.h"
#include "geometry/voxel/triangle_bins.h"

#define CORNERS_MAX 9    /* of a triangle in a cube */
#define AREA_LEAST  1e-9 /* h^2: smaller areas are rounding at triangles that touch a voxel */

static const char purpose[] = "the surface of the walls";

struct wall_polygon {
    float volume;
    uint16_t material;
    uint16_t corners;
};

struct drawing {
    const struct voxels *voxels;
    const struct mesh *mesh;
    const uint16_t *back;
    struct failure *failure;
    size_t *first_area; /* (cell_count) into voxels->area */
    const struct snapped_triangle *triangle;
    uint16_t material; /* its length */
    size_t polygons, polygon_room, corners, corner_room;
    struct wall_polygon *polygon;
    float (*corner)[3]; /* spacings from node (0,0,0) */
};

/* ---- materials at a voxel's cells ---- */

static int find_areas(struct drawing *drawing)
{
    const struct voxels *voxels = drawing->voxels;
    drawing->first_area = malloc((voxels->cell_count + 1) * sizeof *drawing->first_area);
    if (drawing->first_area == NULL)
        return failure_memory(drawing->failure, voxels->cell_count * sizeof *drawing->first_area, purpose);
    for (size_t d = 0; d < voxels->detail_count; d++) {
        const struct voxel_detail *detail = &voxels->detail[d];
        size_t area = detail->first_area;
        for (size_t c = detail->first_cell; c < detail->first_cell + detail->cell_count; c++) {
            drawing->first_area[c] = area;
            area += voxels->cell[c].areas;
        }
    }
    return 0;
}

/* Raise `*volume` to that of the cell if it touches the material or the one behind it. */
static void raise_volume(const struct drawing *drawing, const struct voxel_cell *cell, size_t first_area,
                         float *volume)
{
    const uint16_t front = drawing->material, back = drawing->back != NULL ? drawing->back[front] : front;
    const struct voxel_area *area = &drawing->voxels->area[first_area];
    for (unsigned a = 0; a < cell->areas; a++)
        if ((area[a].material == front || area[a].material == back) && cell->volume > *volume)
            *volume = cell->volume;
}

/* Largest volume of a voxel's cells that touch the triangle's material; 0 if none does. */
static float touching_volume(const struct drawing *drawing, const int64_t node[3])
{
    const struct voxels *voxels = drawing->voxels;
    const int32_t place[3] = {(int32_t)(node[0] >> 3), (int32_t)(node[1] >> 3), (int32_t)(node[2] >> 3)};
    const unsigned slot = (unsigned)((node[0] & 7) | (node[1] & 7) << 3 | (node[2] & 7) << 6);
    const size_t block = voxels_find(voxels, place);
    float volume = 0;
    if (block == SIZE_MAX || voxels->block[block].detail == VOXELS_OPEN_AIR)
        return 0;
    const struct voxel_detail *detail = &voxels->detail[voxels->block[block].detail];
    size_t low = detail->first_cell, high = low + detail->cell_count;
    LOWER_BOUND(low, high, at, voxels->cell[at].slot < slot);
    if (low < detail->first_cell + detail->cell_count && voxels->cell[low].slot == slot)
        raise_volume(drawing, &voxels->cell[low], drawing->first_area[low], &volume);
    low = 0;
    high = voxels->piece_count;
    LOWER_BOUND(low, high, at,
                voxels->piece[at].block < block ||
                    (voxels->piece[at].block == block && voxels->piece[at].cell.slot < slot));
    for (; low < voxels->piece_count && voxels->piece[low].block == block &&
           voxels->piece[low].cell.slot == slot;
         low++)
        raise_volume(drawing, &voxels->piece[low].cell, voxels->piece[low].first_area, &volume);
    return volume;
}

/* ---- polygons ---- */

/* Cut a polygon at a face of the voxel around the origin. */
static unsigned clip_polygon(double (*corner)[3], unsigned corners, enum direction face)
{
    const int axis = (int)face / 2;
    const double sign = face % 2 == 0 ? -1 : 1;
    double kept[CORNERS_MAX + 1][3];
    unsigned count = 0;
    for (unsigned i = 0; i < corners; i++) {
        const double *from = corner[i], *to = corner[(i + 1) % corners];
        const double here = 0.5 - sign * from[axis], there = 0.5 - sign * to[axis];
        if (here >= 0)
            memcpy(kept[count++], from, sizeof *kept);
        if ((here > 0 && there < 0) || (here < 0 && there > 0)) {
            for (int k = 0; k < 3; k++)
                kept[count][k] = from[k] + (to[k] - from[k]) * (here / (here - there));
            kept[count++][axis] = 0.5 * sign;
        }
    }
    memcpy(corner, kept, count * sizeof *kept);
    return count;
}

static double area_of(const double (*corner)[3], unsigned corners)
{
    double sum[3] = {0, 0, 0};
    for (unsigned i = 1; i + 1 < corners; i++)
        for (int k = 0; k < 3; k++) {
            const int u = (k + 1) % 3, v = (k + 2) % 3;
            sum[k] += (corner[i][u] - corner[0][u]) * (corner[i + 1][v] - corner[0][v]) -
                      (corner[i][v] - corner[0][v]) * (corner[i + 1][u] - corner[0][u]);
        }
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / 2;
}

static int add_polygon(struct drawing *drawing, const int64_t node[3], const double (*corner)[3],
                       unsigned corners, float volume, uint16_t material)
{
    if (drawing->corners + corners > INT32_MAX)
        return failure_advise(failure_set(drawing->failure, FAILURE_CAPACITY,
                                          "the surface of the walls has more than %d corners, which viewers "
                                          "cannot number",
                                          INT32_MAX),
                              drawing->failure, ADVICE_LARGER_SPACING, 0);
    struct wall_polygon *polygon = array_room(drawing->polygon, &drawing->polygon_room, drawing->polygons + 1,
                                              sizeof *polygon, purpose, drawing->failure);
    if (polygon == NULL)
        return FAILURE_CAPACITY;
    drawing->polygon = polygon;
    float(*grown)[3] = array_room(drawing->corner, &drawing->corner_room, drawing->corners + corners,
                                  sizeof *grown, purpose, drawing->failure);
    if (grown == NULL)
        return FAILURE_CAPACITY;
    drawing->corner = grown;
    for (unsigned i = 0; i < corners; i++, drawing->corners++)
        for (int axis = 0; axis < 3; axis++)
            grown[drawing->corners][axis] = (float)((double)node[axis] + corner[i][axis]);
    drawing->polygon[drawing->polygons++] = (struct wall_polygon){volume, material, (uint16_t)corners};
    return 0;
}

/* The part of the triangle in a voxel. */
static int draw_in_voxel(void *context, const int32_t place[3])
{
    struct drawing *drawing = context;
    double corner[CORNERS_MAX + 1][3];
    unsigned corners = 3;
    const int64_t node[3] = {place[0], place[1], place[2]};
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++)
            corner[i][axis] = (double)(drawing->triangle->corner[i][axis] - node[axis] * LATTICE_SUBSTEPS) /
                              LATTICE_SUBSTEPS;
    for (int face = 0; face < DIRECTIONS && corners > 0; face++)
        corners = clip_polygon(corner, corners, (enum direction)face);
    if (corners < 3 || area_of((const double(*)[3])corner, corners) < AREA_LEAST)
        return 0;
    const float volume = touching_volume(drawing, node);
    return volume > 0
               ? add_polygon(drawing, node, (const double(*)[3])corner, corners, volume, drawing->material)
               : 0;
}

static int draw_triangles(struct drawing *drawing)
{
    const struct mesh *mesh = drawing->mesh;
    struct cube_range range = {.log2 = 10, .shift = LATTICE_SUBSTEPS / 2, .first = {-1, -1, -1}};
    struct snapped_triangle *snapped = malloc((mesh->triangle_count + 1) * sizeof *snapped);
    if (snapped == NULL)
        return failure_memory(drawing->failure, mesh->triangle_count * sizeof *snapped, purpose);
    for (int axis = 0; axis < 3; axis++)
        range.last[axis] = (int32_t)drawing->voxels->lattice.nodes[axis];
    int code = snap_triangles(mesh, &drawing->voxels->lattice, snapped, drawing->failure);
    for (size_t t = 0; code == 0 && t < mesh->triangle_count; t++) {
        drawing->triangle = &snapped[t];
        drawing->material = mesh->triangle_material[t];
        code = triangle_cubes(&snapped[t], &range, draw_in_voxel, drawing);
    }
    free(snapped);
    return code;
}

/* The square of a voxel's face, with its front to the voxel. */
static int draw_face(struct drawing *drawing, const int64_t node[3], enum direction face, float volume)
{
    const int axis = (int)face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const bool positive = face % 2 != 0;
    double corner[4][3];
    for (int i = 0; i < 4; i++) {
        const int turned = positive ? 3 - i : i;
        corner[i][axis] = positive ? 0.5 : -0.5;
        corner[i][u] = turned == 1 || turned == 2 ? 0.5 : -0.5;
        corner[i][v] = turned >= 2 ? 0.5 : -0.5;
    }
    return add_polygon(drawing, node, (const double(*)[3])corner, 4, volume, VOXELS_OPEN_FACE);
}

static int draw_open_faces(struct drawing *drawing)
{
    const struct voxels *voxels = drawing->voxels;
    for (size_t b = 0; b < voxels->block_count; b++) {
        if (voxels->block[b].detail == VOXELS_OPEN_AIR)
            continue;
        const struct voxel_detail *detail = &voxels->detail[voxels->block[b].detail];
        for (size_t c = detail->first_cell; c < detail->first_cell + detail->cell_count; c++) {
            const struct voxel_cell *cell = &voxels->cell[c];
            int64_t node[3];
            bool open = false;
            for (unsigned a = 0; a < cell->areas; a++)
                open = open || voxels->area[drawing->first_area[c] + a].material == VOXELS_OPEN_FACE;
            block_bits_node(voxels->block[b].place, cell->slot, node);
            for (int face = 0; open && face < DIRECTIONS; face++) {
                const int64_t edge = face % 2 == 0 ? 0 : voxels->lattice.nodes[face / 2] - 1;
                if (node[face / 2] == edge && !(cell->open[face] > 0))
                    TRY(draw_face(drawing, node, (enum direction)face, cell->volume));
            }
        }
    }
    return 0;
}

/* ---- the file ---- */

static void write_drawing(FILE *stream, const struct drawing *drawing, const struct voxel_surface_axes *axes,
                          const struct surface_paint *paint)
{
    surface_ply_head(stream, "the walls of a room, cut along the cells that they bound", drawing->mesh, axes,
                     drawing->corners, drawing->polygons);
    (void)fputs("property float volume\n", stream);
    surface_ply_body(stream);
    for (size_t i = 0; i < drawing->corners; i++) {
        double at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = (double)drawing->corner[i][axis];
        surface_ply_vertex(stream, &drawing->voxels->lattice, axes, at);
    }
    uint32_t next = 0;
    for (size_t i = 0; i < drawing->polygons; i++) {
        const struct wall_polygon *polygon = &drawing->polygon[i];
        uint32_t index[CORNERS_MAX];
        for (unsigned k = 0; k < polygon->corners; k++)
            index[k] = next++;
        surface_ply_face(stream, polygon->corners, index, paint, polygon->material);
        surface_ply_float(stream, (double)polygon->volume);
    }
}

int wall_surface_write(const struct voxels *voxels, const struct mesh *mesh, const uint16_t *back,
                       const struct voxel_surface_axes *axes, const char *path,
                       struct voxel_surface_size *size, struct failure *failure)
{
    struct drawing drawing = {.voxels = voxels, .mesh = mesh, .back = back, .failure = failure};
    struct surface_paint paint = {0};
    struct whole_file file = {0};
    int code = 0;
    if (!voxels->cells)
        return failure_set(failure, FAILURE_INPUT, "the voxels have no cells to write to %s", path);
    if ((code = surface_paint_make(mesh, &paint, failure)) != 0 || (code = find_areas(&drawing)) != 0 ||
        (code = draw_triangles(&drawing)) != 0 || (code = draw_open_faces(&drawing)) != 0)
        goto done;
    if (drawing.polygons == 0) {
        code = failure_set(failure, FAILURE_INPUT, "the voxels have no surface to write to %s", path);
        goto done;
    }
    if ((code = whole_file_open(&file, path, failure)) != 0)
        goto done;
    write_drawing(file.stream, &drawing, axes, &paint);
    const long bytes = ftell(file.stream);
    if ((code = whole_file_commit(&file, failure)) != 0)
        goto done;
    if (size != NULL)
        *size = (struct voxel_surface_size){
            .vertices = drawing.corners, .squares = drawing.polygons, .bytes = (uint64_t)bytes};
done:
    whole_file_abandon(&file);
    surface_paint_free(&paint);
    free(drawing.first_area);
    free(drawing.polygon);
    free(drawing.corner);
    return code;
}
