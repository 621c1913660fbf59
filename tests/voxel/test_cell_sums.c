/** What the cells of random closed rooms add up to; of 1,000 of each kind where the whole is asked for. */
#include "geometry/base/vector.h"
#include "geometry/voxel/block_bits.h"
#include "tests/support/cell_rooms.h"
#include "tests/accuracy/closed_rooms.h"
#include "tests/support/flooded_room.h"
#include "tests/support/test_support.h"

static void expect_sums(void (*make)(uint64_t, struct closed_room *), uint64_t rooms, bool rims)
{
    for (uint64_t seed = 1; seed <= (test_share(10) == 10 ? 1000 : rooms); seed++) {
        struct closed_room room;
        struct cell_sums sums;
        make(seed, &room);
        MUST(cell_sums_make(&room, 2, &sums, &failure));
        cr_expect(cell_sums_hold(&sums, rims),
                  "%d: volume %g, area %g, parts %g, closed %g, cracks %g, too large %g", (int)seed,
                  sums.volume, sums.area, sums.parts, sums.closed, sums.cracks, sums.whole);
        mesh_free(&room.mesh);
    }
}

Test(cell_sums, cells_of_random_churches_add_up_to_the_church_and_are_closed)
{
    expect_sums(closed_room_church, 4, true);
}

Test(cell_sums, cells_of_random_closed_bodies_and_shells_add_up_to_them_and_are_closed)
{
    expect_sums(closed_room_body, 12, false);
}

/* A convex room of triangles whose corners are on the sub-lattice, as planes. */
static size_t planes_of(const struct mesh *mesh, struct cell_plane *plane)
{
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        double normal[3];
        mesh_normal(mesh, t, normal);
        const double length = vector_length(normal);
        for (int axis = 0; axis < 3; axis++)
            plane[t].normal[axis] = -normal[axis] / length;
        plane[t].offset = vector_dot(plane[t].normal, mesh->vertex[mesh->triangle[t][0]]);
        plane[t].material = mesh->triangle_material[t];
    }
    return mesh->triangle_count;
}

static const struct voxel_cell whole = {.open = {1, 1, 1, 1, 1, 1}, .volume = 1};

/* The cell of a node and the area of each material that it touches, or nothing. */
static struct voxel_cell cell_at(const struct voxels *voxels, const int64_t node[3], double area[3])
{
    int32_t place[3];
    block_bits_place(node, place);
    const size_t block = voxels_find(voxels, place);
    memset(area, 0, 3 * sizeof *area);
    if (!voxels_is_air(voxels, node))
        return (struct voxel_cell){0};
    if (voxels->block[block].detail == VOXELS_OPEN_AIR)
        return whole;
    const struct voxel_detail *const detail = &voxels->detail[voxels->block[block].detail];
    uint64_t next = detail->first_area;
    for (uint64_t c = detail->first_cell; c < detail->first_cell + detail->cell_count; c++) {
        const struct voxel_cell *const cell = &voxels->cell[c];
        if (cell->slot == block_bits_slot(node)) {
            for (uint64_t a = next; a < next + cell->areas; a++)
                area[voxels->area[a].material] += (double)voxels->area[a].area;
            return *cell;
        }
        next += cell->areas;
    }
    return whole;
}

/* What is less than 1e-9 of a voxel is not air for cells, nor open. */
static bool is_crumb(const struct voxel_cell *cell)
{
    return cell->volume > 0 && (double)cell->volume < 1e-9;
}

static void most(double *worst, double value)
{
    if (!(value <= *worst))
        *worst = value;
}

/* Another computation: every voxel clipped by the half spaces of all planes (tests/support/cell_rooms.h). */
Test(cell_sums, cells_of_random_convex_rooms_are_those_of_clipping_by_half_spaces)
{
    double worst[3] = {0};
    size_t cells = 0;
    uint64_t state = 3;
    for (int round = 0; round < 12; round++) {
        struct mesh mesh = {0};
        struct lattice lattice;
        struct voxels voxels = {0};
        struct cell_plane plane[32];
        double point[14][3], low[3], high[3], area[2][3];
        const unsigned points = 6 + (unsigned)(test_random(&state) % 9);
        for (unsigned n = 0; n < points; n++) {
            double length = 0;
            for (int axis = 0; axis < 3; axis++) {
                point[n][axis] = test_uniform(&state, -1, 1);
                length += point[n][axis] * point[n][axis];
            }
            for (int axis = 0; axis < 3; axis++) /* on a ball: dull edges, whose nodes floods reach */
                point[n][axis] =
                    (2 * floor(9 * 512 * (1 + point[n][axis] / sqrt(length))) + 1) / LATTICE_SUBSTEPS;
        }
        closed_room_hull(&mesh, (const double(*)[3])point, points, &state);
        const size_t planes = planes_of(&mesh, plane);
        MUST(mesh_bounds(&mesh, low, high, &failure));
        MUST(lattice_fit(low, high, 1, (const double[3]){0, 0, 0}, &lattice, &failure));
        const struct voxel_seed seed = source_at(9, 9, 9);
        if (voxelise(&mesh, &lattice, &seed, 1, &(struct voxelise_options){.cells = true, .threads = 2},
                     &voxels, NULL, NULL, &failure) != 0) { /* the middle of the ball is not in it */
            mesh_free(&mesh);
            continue;
        }
        struct voxels exact = cell_room_convex(plane, planes);
        int64_t node[3], shifted[3];
        for (node[2] = -1; node[2] < 20; node[2]++)
            for (node[1] = -1; node[1] < 20; node[1]++)
                for (node[0] = -1; node[0] < 20; node[0]++) {
                    for (int axis = 0; axis < 3; axis++)
                        shifted[axis] = node[axis] - (int64_t)lattice.origin[axis];
                    const struct voxel_cell a = cell_at(&voxels, shifted, area[0]),
                                            b = cell_at(&exact, node, area[1]);
                    cells += a.volume > 0 && a.volume < 1;
                    most(&worst[0], fabs((double)a.volume - (double)b.volume));
                    for (int d = 0; d < DIRECTIONS; d++) {
                        int64_t next[3] = {node[0], node[1], node[2]};
                        double ignored[3];
                        lattice_step(next, d);
                        const struct voxel_cell beside = cell_at(&exact, next, ignored);
                        if (!is_crumb(&b) && !is_crumb(&beside))
                            most(&worst[1], fabs((double)a.open[d] - (double)b.open[d]));
                    }
                    for (int m = 0; m < 3 && !is_crumb(&b); m++)
                        most(&worst[2], fabs(area[0][m] - area[1][m]));
                }
        voxels_free(&exact);
        voxels_free(&voxels);
        mesh_free(&mesh);
    }
    cr_expect(cells > 3000 && worst[0] < 1e-6 && worst[1] < 1e-6 && worst[2] < 1e-6,
              "%zu cells, worst %g %g %g", cells, worst[0], worst[1], worst[2]);
}
