#include "tests/support/cell_rooms.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/cut_masses.h"
#include "tests/support/outcome.h"

#define FLAT         1e-12 /* as near to a plane is on it; as small is nothing */
#define PLANES_MOST  32
#define CORNERS_MOST 48
#define FACES_MOST   (DIRECTIONS + PLANES_MOST)

/* ---- dense voxels, and the format that they are handed over in ------------------------------------------
 */

struct dense_cell {
    double volume; /* 0: no air */
    double open[DIRECTIONS];
    unsigned areas;
    struct voxel_area area[VOXELS_AREAS_MAX];
};

struct dense {
    int64_t low[3], nodes[3];
    struct dense_cell *cell; /* x fastest */
};

static struct dense dense_make(const int64_t low[3], const int64_t nodes[3])
{
    struct dense dense = {.cell = calloc((size_t)(nodes[0] * nodes[1] * nodes[2]), sizeof *dense.cell)};
    cr_assert(dense.cell != NULL);
    memcpy(dense.low, low, sizeof dense.low);
    memcpy(dense.nodes, nodes, sizeof dense.nodes);
    return dense;
}

/* NULL outside. */
static struct dense_cell *dense_at(const struct dense *dense, const int64_t node[3])
{
    int64_t at[3];
    for (int a = 0; a < 3; a++) {
        at[a] = node[a] - dense->low[a];
        if (at[a] < 0 || at[a] >= dense->nodes[a])
            return NULL;
    }
    return &dense->cell[(at[2] * dense->nodes[1] + at[1]) * dense->nodes[0] + at[0]];
}

static struct dense_cell *dense_beside(const struct dense *dense, const int64_t node[3], int direction)
{
    int64_t beside[3] = {node[0], node[1], node[2]};
    lattice_step(beside, direction);
    return dense_at(dense, beside);
}

static void dense_node(const struct dense *dense, size_t n, int64_t node[3])
{
    for (int a = 0; a < 3; a++) {
        node[a] = dense->low[a] + (int64_t)n % dense->nodes[a];
        n /= (size_t)dense->nodes[a];
    }
}

static bool is_whole(const struct dense_cell *cell)
{
    bool whole = cell->areas == 0 && (float)cell->volume == 1;
    for (int d = 0; d < DIRECTIONS; d++)
        whole = whole && (float)cell->open[d] == 1;
    return whole;
}

static void *grown(void *array, size_t count, size_t each)
{
    if ((count & (count - 1)) != 0)
        return array;
    void *more = realloc(array, (count == 0 ? 1 : 2 * count) * each);
    cr_assert(more != NULL);
    return more;
}

static void add_areas(struct voxels *voxels, const struct voxel_area *area, unsigned areas)
{
    for (unsigned m = 0; m < areas; m++) {
        voxels->area = grown(voxels->area, voxels->area_count, sizeof *voxels->area);
        voxels->area[voxels->area_count++] = area[m];
    }
}

/* One block; false where it holds no air. */
static bool add_block(const struct dense *dense, const int32_t place[3], struct voxels *voxels)
{
    const struct block block = {.place = {place[0], place[1], place[2]}};
    struct voxel_detail detail = {.first_cell = voxels->cell_count, .first_area = voxels->area_count};
    unsigned air = 0;
    for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
        int64_t node[3];
        block_node(&block, slot, node);
        const struct dense_cell *const cell = dense_at(dense, node);
        const uint64_t bit = UINT64_C(1) << (slot & 63);
        if (cell == NULL || !(cell->volume > 0))
            continue;
        air++;
        detail.air[slot >> 6] |= bit;
        for (int a = 0; a < 3; a++) {
            voxels->air_low[a] = node[a] < voxels->air_low[a] ? node[a] : voxels->air_low[a];
            voxels->air_high[a] = node[a] > voxels->air_high[a] ? node[a] : voxels->air_high[a];
        }
        for (int d = 0; d < DIRECTIONS; d++)
            detail.cut[d][slot >> 6] |= cell->open[d] > 0 ? 0 : bit;
        if (is_whole(cell))
            continue;
        struct voxel_cell out = {
            .volume = (float)cell->volume, .slot = (uint16_t)slot, .areas = (uint16_t)cell->areas};
        for (int d = 0; d < DIRECTIONS; d++)
            out.open[d] = (float)cell->open[d];
        voxels->cell = grown(voxels->cell, voxels->cell_count, sizeof *voxels->cell);
        voxels->cell[voxels->cell_count++] = out;
        add_areas(voxels, cell->area, cell->areas);
        detail.cell_count++;
    }
    voxels->air_nodes += air;
    if (air == 0)
        return false;
    const bool open = air == BLOCK_NODES && detail.cell_count == 0;
    voxels->block = grown(voxels->block, voxels->block_count, sizeof *voxels->block);
    voxels->block[voxels->block_count++] =
        (struct voxel_block){.place = {place[0], place[1], place[2]},
                             .detail = open ? VOXELS_OPEN_AIR : (uint32_t)voxels->detail_count};
    if (!open) {
        voxels->detail = grown(voxels->detail, voxels->detail_count, sizeof *voxels->detail);
        voxels->detail[voxels->detail_count++] = detail;
    }
    return true;
}

static struct voxels dense_voxels(const struct dense *dense)
{
    struct voxels voxels = {.lattice = {.spacing = 1}, .cells = true};
    int32_t first[3], last[3];
    for (int a = 0; a < 3; a++) {
        first[a] = (int32_t)floor((double)dense->low[a] / BLOCK_EDGE);
        last[a] = (int32_t)floor((double)(dense->low[a] + dense->nodes[a] - 1) / BLOCK_EDGE);
        voxels.lattice.nodes[a] = dense->low[a] + dense->nodes[a];
        voxels.air_low[a] = INT64_MAX;
        voxels.air_high[a] = INT64_MIN;
    }
    for (int32_t z = first[2]; z <= last[2]; z++)
        for (int32_t y = first[1]; y <= last[1]; y++)
            for (int32_t x = first[0]; x <= last[0]; x++) {
                const int32_t place[3] = {x, y, z};
                (void)add_block(dense, place, &voxels);
            }
    return voxels;
}

/* ---- convex rooms ----------------------------------------------------------------------------------------
 */

void cell_box_axes(const double angle[3], double axes[3][3])
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            axes[a][b] = a == b;
    for (int about = 0; angle != NULL && about < 3; about++) {
        const double c = cos(angle[about]), s = sin(angle[about]);
        const int u = (about + 1) % 3, v = (about + 2) % 3;
        for (int a = 0; a < 3; a++) {
            const double was[2] = {axes[a][u], axes[a][v]};
            axes[a][u] = c * was[0] - s * was[1];
            axes[a][v] = s * was[0] + c * was[1];
        }
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

void cell_box_planes(const double centre[3], const double size[3], const double angle[3], unsigned materials,
                     struct cell_plane plane[6])
{
    double axes[3][3];
    cell_box_axes(angle, axes);
    for (int d = 0; d < DIRECTIONS; d++) {
        plane[d] = (struct cell_plane){.material = (uint16_t)((unsigned)d % materials)};
        for (int a = 0; a < 3; a++)
            plane[d].normal[a] = d % 2 == 0 ? -axes[d / 2][a] : axes[d / 2][a];
        plane[d].offset = dot(plane[d].normal, centre) + size[d / 2] / 2;
    }
}

/* A convex polygon, and what a convex body shows of the plane that it lies in: a face of the voxel, or
 * DIRECTIONS + a plane of the room. */
struct polygon {
    unsigned corners, of;
    double corner[CORNERS_MOST][3];
};
struct body {
    unsigned faces;
    struct polygon face[FACES_MOST];
};

static double above(const struct cell_plane *plane, const double point[3])
{
    const double height = dot(plane->normal, point) - plane->offset;
    return fabs(height) <= FLAT ? 0 : height;
}

static void put_corner(struct polygon *polygon, const double corner[3])
{
    cr_assert(polygon->corners < CORNERS_MOST);
    memcpy(polygon->corner[polygon->corners++], corner, sizeof polygon->corner[0]);
}

/* What is left of a polygon below a plane. */
static void clip_polygon(struct polygon *polygon, const struct cell_plane *plane)
{
    const struct polygon was = *polygon;
    polygon->corners = 0;
    for (unsigned c = 0; c < was.corners; c++) {
        const double *const here = was.corner[c], *const next = was.corner[(c + 1) % was.corners];
        const double h = above(plane, here), n = above(plane, next);
        if (h <= 0)
            put_corner(polygon, here);
        if ((h < 0 && n > 0) || (h > 0 && n < 0)) {
            double between[3];
            for (int a = 0; a < 3; a++)
                between[a] = (here[a] * n - next[a] * h) / (n - h);
            put_corner(polygon, between);
        }
    }
    if (polygon->corners < 3)
        polygon->corners = 0;
}

/* Area times unit normal, by the right hand. */
static void area_vector(const struct polygon *polygon, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (unsigned c = 2; c < polygon->corners; c++) {
        double u[3], v[3], twice[3];
        for (int a = 0; a < 3; a++) {
            u[a] = polygon->corner[c - 1][a] - polygon->corner[0][a];
            v[a] = polygon->corner[c][a] - polygon->corner[0][a];
        }
        cross(u, v, twice);
        for (int a = 0; a < 3; a++)
            out[a] += twice[a] / 2;
    }
}

static double area_of(const struct polygon *polygon)
{
    double vector[3];
    area_vector(polygon, vector);
    return sqrt(dot(vector, vector));
}

/* The wall itself inside a cube: a square that holds the cube's whole section, clipped by the faces of the
 * cube and by all other walls. */
static double wall_in_cube(const struct cell_plane *plane, size_t planes, size_t which,
                           const double centre[3])
{
    const struct cell_plane *const wall = &plane[which];
    const double height = dot(wall->normal, centre) - wall->offset;
    int least = 0;
    for (int a = 1; a < 3; a++)
        least = fabs(wall->normal[a]) < fabs(wall->normal[least]) ? a : least;
    double axis[3] = {0}, u[3], v[3];
    axis[least] = 1;
    cross(wall->normal, axis, u);
    const double length = sqrt(dot(u, u));
    for (int a = 0; a < 3; a++)
        u[a] /= length;
    cross(wall->normal, u, v);
    struct polygon section = {0};
    for (int c = 0; c < 4; c++) {
        double corner[3];
        for (int a = 0; a < 3; a++)
            corner[a] = centre[a] - height * wall->normal[a] + (c == 0 || c == 3 ? -1 : 1) * u[a] +
                        (c < 2 ? -1 : 1) * v[a];
        put_corner(&section, corner);
    }
    for (int d = 0; d < DIRECTIONS; d++) {
        struct cell_plane face = {0};
        face.normal[d / 2] = d % 2 == 0 ? -1 : 1;
        face.offset = face.normal[d / 2] * centre[d / 2] + 0.5;
        /* On a face of voxels a wall belongs to the one below it. */
        const bool on_face =
            fabs(fabs(wall->normal[d / 2]) - 1) <= FLAT &&
            fabs(face.normal[d / 2] * wall->offset * wall->normal[d / 2] - face.offset) <= FLAT;
        if (on_face && face.normal[d / 2] * wall->normal[d / 2] < 0)
            return 0;
        if (!on_face)
            clip_polygon(&section, &face);
    }
    for (size_t p = 0; p < planes; p++)
        if (p != which)
            clip_polygon(&section, &plane[p]);
    return area_of(&section);
}

/* The face of a cube between it and the next, clipped by the walls. */
static void face_in_room(const struct cell_plane *plane, size_t planes, const double centre[3], int direction,
                         struct polygon *face)
{
    const int axis = direction / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double side = direction % 2 == 0 ? -0.5 : 0.5;
    *face = (struct polygon){0};
    for (int c = 0; c < 4; c++) {
        double corner[3];
        corner[axis] = centre[axis] + side;
        corner[u] = centre[u] + (c == 0 || c == 3 ? -0.5 : 0.5);
        corner[v] = centre[v] + (c < 2 ? -0.5 : 0.5);
        put_corner(face, corner);
    }
    for (size_t p = 0; p < planes; p++)
        clip_polygon(face, &plane[p]);
    /* In the plane of a wall: shut. */
    for (size_t p = 0; p < planes; p++) {
        bool inside = face->corners > 0;
        for (unsigned c = 0; c < face->corners; c++)
            inside = inside && above(&plane[p], face->corner[c]) == 0;
        if (inside)
            face->corners = 0;
    }
}

/* Volume by the divergence theorem about the centre: every face's area times its distance. */
static void clip_cube(const struct cell_plane *plane, size_t planes, const int64_t node[3],
                      struct dense_cell *cell)
{
    const double centre[3] = {(double)node[0], (double)node[1], (double)node[2]};
    for (int d = 0; d < DIRECTIONS; d++) {
        struct polygon face;
        face_in_room(plane, planes, centre, d, &face);
        cell->open[d] = area_of(&face);
        cell->volume += cell->open[d] * 0.5 / 3;
    }
    for (size_t p = 0; p < planes; p++) {
        const double area = wall_in_cube(plane, planes, p, centre);
        cell->volume += area * (plane[p].offset - dot(plane[p].normal, centre)) / 3;
        if (!(area > FLAT))
            continue;
        unsigned at = 0;
        while (at < cell->areas && cell->area[at].material < plane[p].material)
            at++;
        if (at == cell->areas || cell->area[at].material != plane[p].material) {
            cr_assert(cell->areas < VOXELS_AREAS_MAX);
            memmove(cell->area + at + 1, cell->area + at, (cell->areas - at) * sizeof *cell->area);
            cell->area[at] = (struct voxel_area){.material = plane[p].material};
            cell->areas++;
        }
        cell->area[at].area += (float)area;
    }
    if (!(cell->volume > FLAT))
        *cell = (struct dense_cell){0};
}

/* The corners of the room: where three planes meet that none cuts off. */
static void room_bounds(const struct cell_plane *plane, size_t planes, int64_t low[3], int64_t nodes[3])
{
    double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t p = 0; p < planes; p++)
        for (size_t q = p + 1; q < planes; q++)
            for (size_t r = q + 1; r < planes; r++) {
                double qr[3], rp[3], pq[3], corner[3];
                cross(plane[q].normal, plane[r].normal, qr);
                cross(plane[r].normal, plane[p].normal, rp);
                cross(plane[p].normal, plane[q].normal, pq);
                const double det = dot(plane[p].normal, qr);
                if (fabs(det) < 1e-9)
                    continue;
                bool in = true;
                for (int a = 0; a < 3; a++)
                    corner[a] =
                        (plane[p].offset * qr[a] + plane[q].offset * rp[a] + plane[r].offset * pq[a]) / det;
                for (size_t s = 0; s < planes; s++)
                    in = in && dot(plane[s].normal, corner) - plane[s].offset < 1e-9;
                for (int a = 0; in && a < 3; a++) {
                    least[a] = fmin(least[a], corner[a]);
                    most[a] = fmax(most[a], corner[a]);
                }
            }
    for (int a = 0; a < 3; a++) {
        cr_assert(isfinite(least[a]), "a convex room needs a wall on every side");
        low[a] = (int64_t)floor(least[a] + 0.5 - 1e-9);
        nodes[a] = (int64_t)floor(most[a] + 0.5 + 1e-9) - low[a] + 1;
    }
}

struct voxels cell_room_convex(const struct cell_plane *plane, size_t planes)
{
    int64_t low[3], nodes[3];
    cr_assert(planes <= PLANES_MOST);
    room_bounds(plane, planes, low, nodes);
    struct dense dense = dense_make(low, nodes);
    const size_t count = (size_t)(nodes[0] * nodes[1] * nodes[2]);
    for (size_t n = 0; n < count; n++) {
        struct dense_cell *const cell = &dense.cell[n];
        int64_t node[3];
        bool whole = true, none = false;
        dense_node(&dense, n, node);
        const double centre[3] = {(double)node[0], (double)node[1], (double)node[2]};
        for (size_t p = 0; p < planes; p++) {
            const double *const normal = plane[p].normal, height = dot(normal, centre) - plane[p].offset,
                                reach = (fabs(normal[0]) + fabs(normal[1]) + fabs(normal[2])) / 2;
            whole = whole && height < -reach - 1e-9;
            none = none || height > reach + 1e-9;
        }
        if (whole)
            *cell = (struct dense_cell){.volume = 1, .open = {1, 1, 1, 1, 1, 1}};
        else if (!none)
            clip_cube(plane, planes, node, cell);
    }
    /* Both ends of an opening have what its lower end has, and none leads to what is not air. */
    for (size_t n = 0; n < count; n++) {
        int64_t node[3];
        dense_node(&dense, n, node);
        for (int d = 1; d < DIRECTIONS; d += 2) {
            struct dense_cell *const here = &dense.cell[n], *const there = dense_beside(&dense, node, d);
            const double open =
                there == NULL || !(here->volume > 0) || !(there->volume > 0) ? 0 : here->open[d];
            here->open[d] = open > FLAT ? open : 0;
            if (there != NULL)
                there->open[d ^ 1] = here->open[d];
        }
        for (int a = 0; a < 3; a++)
            if (node[a] == low[a])
                dense.cell[n].open[2 * a] = 0;
    }
    struct voxels voxels = dense_voxels(&dense);
    free(dense.cell);
    return voxels;
}

/* ---- rooms of chance -------------------------------------------------------------------------------------
 */

const struct cell_soup cell_soup_usual = {
    .solid = 0.1, .shut = 0.3, .pieces = 0.1, .openings = 3, .slivers = 0.125, .materials = 5};

static double chance(uint64_t *seed)
{
    return (double)(test_random(seed) >> 11) * 0x1p-53;
}

/* An opening or a volume, a share of them too small for a byte. */
static double some_part(uint64_t *seed, double most, double small)
{
    return chance(seed) < small ? 0.002 * chance(seed) + 1e-5 : most * (1 - chance(seed));
}

static double some_opening(uint64_t *seed, double most)
{
    return some_part(seed, most, 0.125);
}

static unsigned some_areas(uint64_t *seed, unsigned materials, struct voxel_area area[VOXELS_AREAS_MAX])
{
    unsigned areas = 0;
    for (unsigned m = 0; m < materials && areas < VOXELS_AREAS_MAX; m++)
        if (test_random(seed) % 3 == 0)
            area[areas++] =
                (struct voxel_area){.area = (float)(1.5 * (1 - chance(seed))), .material = (uint16_t)m};
    return areas;
}

static int by_ends(const void *a, const void *b)
{
    const struct voxel_opening *left = a, *right = b;
    const int e = left->end[0] == right->end[0];
    return (left->end[e] > right->end[e]) - (left->end[e] < right->end[e]);
}

static int by_falling_volume(const void *a, const void *b)
{
    const struct voxel_piece *left = a, *right = b;
    return (left->cell.volume < right->cell.volume) - (left->cell.volume > right->cell.volume);
}

/* The further pieces of every wild voxel with a node, block by block. */
static void add_pieces(const struct cell_soup *of, int64_t wild, uint64_t *seed, struct voxels *voxels)
{
    for (size_t b = 0; b < voxels->block_count; b++) {
        const struct voxel_block *const at = &voxels->block[b];
        const struct block block = {.place = {at->place[0], at->place[1], at->place[2]}};
        for (unsigned slot = 0; at->detail != VOXELS_OPEN_AIR && slot < BLOCK_NODES; slot++) {
            int64_t node[3];
            block_node(&block, slot, node);
            const size_t first = voxels->piece_count;
            if (node[0] >= wild || !voxels_is_air(voxels, node))
                continue;
            while (chance(seed) < of->pieces) {
                voxels->piece = grown(voxels->piece, voxels->piece_count, sizeof *voxels->piece);
                voxels->piece[voxels->piece_count++] = (struct voxel_piece){
                    .cell = {.volume = (float)some_part(seed, 0.4, of->slivers), .slot = (uint16_t)slot},
                    .block = (uint32_t)b};
            }
            if (voxels->piece_count > first)
                qsort(voxels->piece + first, voxels->piece_count - first, sizeof *voxels->piece,
                      by_falling_volume);
        }
    }
    for (size_t p = 0; p < voxels->piece_count; p++) {
        struct voxel_area area[VOXELS_AREAS_MAX];
        voxels->piece[p].first_area = voxels->area_count;
        voxels->piece[p].cell.areas = (uint16_t)some_areas(seed, of->materials, area);
        add_areas(voxels, area, voxels->piece[p].cell.areas);
    }
}

/* First piece of a voxel, or the end of the list. */
static size_t pieces_from(const struct voxels *voxels, uint64_t voxel)
{
    size_t begin = 0, end = voxels->piece_count;
    while (begin < end) {
        const size_t middle = begin + (end - begin) / 2;
        const struct voxel_piece *const piece = &voxels->piece[middle];
        if ((uint64_t)piece->block * BLOCK_NODES + piece->cell.slot < voxel)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static void add_openings(const struct cell_soup *of, int64_t wild, uint64_t *seed, struct voxels *voxels)
{
    for (size_t p = 0; p < voxels->piece_count; p++) {
        const struct voxel_piece *const piece = &voxels->piece[p];
        const int32_t *const place = voxels->block[piece->block].place;
        const struct block block = {.place = {place[0], place[1], place[2]}};
        for (int d = 0; d < DIRECTIONS; d++) {
            int64_t node[3];
            block_node(&block, piece->cell.slot, node);
            lattice_step(node, d);
            if (test_random(seed) % 8 >= of->openings || node[0] >= wild || !voxels_is_air(voxels, node))
                continue;
            int32_t beside[3];
            for (int a = 0; a < 3; a++)
                beside[a] = (int32_t)floor((double)node[a] / BLOCK_EDGE);
            const uint64_t voxel =
                voxels_find(voxels, beside) * BLOCK_NODES + block_slot(node[0], node[1], node[2]);
            /* To the node or one of the pieces there, or to both. */
            if (test_random(seed) % 2 == 0) {
                voxels->opening = grown(voxels->opening, voxels->opening_count, sizeof *voxels->opening);
                voxels->opening[voxels->opening_count++] = (struct voxel_opening){
                    .end = {voxel, VOXELS_PIECE | p}, .open = (float)some_opening(seed, 0.6)};
            }
            for (size_t q = pieces_from(voxels, voxel); q < voxels->piece_count; q++) {
                if ((uint64_t)voxels->piece[q].block * BLOCK_NODES + voxels->piece[q].cell.slot != voxel)
                    break;
                if (q < p || test_random(seed) % 2 == 0)
                    continue;
                voxels->opening = grown(voxels->opening, voxels->opening_count, sizeof *voxels->opening);
                voxels->opening[voxels->opening_count++] = (struct voxel_opening){
                    .end = {VOXELS_PIECE | p, VOXELS_PIECE | q}, .open = (float)some_opening(seed, 0.6)};
            }
        }
    }
    if (voxels->opening_count > 0)
        qsort(voxels->opening, voxels->opening_count, sizeof *voxels->opening, by_ends);
}

struct voxels cell_room_soup(uint64_t seed, const struct cell_soup *of)
{
    const int64_t low[3] = {-19, 5, -3}, nodes[3] = {45, 23, 27}, wild = low[0] + 30;
    struct dense dense = dense_make(low, nodes);
    const size_t count = (size_t)(nodes[0] * nodes[1] * nodes[2]);
    for (size_t n = 0; n < count; n++) {
        int64_t node[3];
        dense_node(&dense, n, node);
        struct dense_cell *const cell = &dense.cell[n];
        cell->volume = node[0] >= wild ? 1 : chance(&seed) < of->solid ? 0 : some_part(&seed, 1, of->slivers);
        if (node[0] < wild && cell->volume > 0)
            cell->areas = some_areas(&seed, of->materials, cell->area);
    }
    for (size_t n = 0; n < count; n++) {
        int64_t node[3];
        dense_node(&dense, n, node);
        for (int d = 0; d < DIRECTIONS; d++) {
            struct dense_cell *const here = &dense.cell[n], *const there = dense_beside(&dense, node, d);
            if (there == NULL && node[0] >= wild) {
                here->area[0] = (struct voxel_area){.area = 1 + (here->areas > 0 ? here->area[0].area : 0)};
                here->areas = 1;
            }
            if (there == NULL || d % 2 == 0 || !(here->volume > 0) || !(there->volume > 0))
                continue;
            here->open[d] = node[0] >= wild ? 1 : chance(&seed) < of->shut ? 0 : some_opening(&seed, 1);
            there->open[d ^ 1] = here->open[d];
        }
    }
    struct voxels voxels = dense_voxels(&dense);
    free(dense.cell);
    add_pieces(of, wild, &seed, &voxels);
    add_openings(of, wild, &seed, &voxels);
    return voxels;
}

void cell_room_grids(const struct voxels *voxels, double lambda2, struct block_grid *blocks,
                     struct box_grid *box)
{
    struct cut_masses masses;
    *blocks = (struct block_grid){0};
    MUST(block_grid_pack(voxels, blocks, &failure));
    if (lambda2 > 0)
        MUST(cut_masses_make(blocks, lambda2, &masses, &failure));
    MUST(block_grid_check(blocks, &failure));
    if (box == NULL)
        return;
    *box = (struct box_grid){0};
    MUST(box_grid_from_blocks(blocks, box, &failure));
}
