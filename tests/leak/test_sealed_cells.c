/** Cells of rooms with cracks: they leak where, and only where, the links of the grid do, sealed or not. */
#include "geometry/voxel/block_bits.h"
#include "tests/support/flooded_room.h"
#include "tests/support/holed_room.h"
#include "tests/support/panel_hall.h"
#include "tests/support/test_support.h"

/* The room: a box with a hole in one wall, in any pose. */
static const double size[3] = {0.6, 0.5, 0.4};
#define VOLUME  (0.6 * 0.5 * 0.4)
#define SURFACE (2 * (0.6 * 0.5 + 0.6 * 0.4 + 0.5 * 0.4))

struct outcome {
    int code;
    struct voxels voxels;
    struct voxel_leak leak;
};

static struct outcome flood(const struct mesh *mesh, double spacing, const double source[3], double seal,
                            bool cells)
{
    const struct voxelise_options options = {.seal_width = seal, .cells = cells, .threads = 2};
    const struct lattice lattice = fit(mesh, spacing);
    const struct voxel_seed seed = source_at(source[0], source[1], source[2]);
    struct outcome out = {0};
    out.code = voxelise(mesh, &lattice, &seed, 1, &options, &out.voxels, NULL, &out.leak, &failure);
    if (out.code == 0)
        MUST(voxels_check(&out.voxels, &failure));
    return out;
}

static void outcome_free(struct outcome *outcome)
{
    voxels_free(&outcome->voxels);
    voxel_leak_free(&outcome->leak);
}

/* [m3] */
static double volume_of(const struct voxels *voxels)
{
    double volume = (double)(voxels->air_nodes - voxels->cell_count);
    for (size_t c = 0; c < voxels->cell_count; c++)
        volume += (double)voxels->cell[c].volume;
    for (size_t p = 0; p < voxels->piece_count; p++)
        volume += (double)voxels->piece[p].cell.volume;
    return volume * pow(voxels->lattice.spacing, 3);
}

/* How far the node of a voxel of air is outside the room, at most [m]. */
static double farthest(const struct voxels *voxels, const struct room_pose *pose)
{
    double most = 0;
    for (size_t b = 0; b < voxels->block_count; b++)
        for (unsigned slot = 0; slot < 512; slot++) {
            int64_t node[3];
            double position[3];
            block_bits_node(voxels->block[b].place, slot, node);
            if (!voxels_is_air(voxels, node))
                continue;
            lattice_position(&voxels->lattice, node, position);
            for (int axis = 0; axis < 3; axis++) {
                double local = 0;
                for (int row = 0; row < 3; row++)
                    local += pose->rotation[row][axis] * (position[row] - pose->shift[row]);
                most = fmax(most, fmax(-local, local - size[axis]));
            }
        }
    return most;
}

/* Random holes against random grids: what stairs lose, cells lose at the same place, and what they keep,
 * cells keep, but for half of each voxel at the hole's rim. */
Test(sealed_cells, rooms_with_a_hole_leak_where_links_do_and_not_when_sealed)
{
    uint64_t state = 2;
    int leaks = 0, tight = 0, sealed = 0;
    for (int round = 0; round < 40; round++) {
        const struct room_pose pose = round % 3 == 0 ? room_pose_none() : room_pose_random(&state);
        const double h = test_uniform(&state, 0.02, 0.05), width = h * test_uniform(&state, 0.6, 2),
                     middle[2] = {0.245, 0.205};
        double hole[32][2], source[3];
        const size_t corners = room_hole(round % 2, width, test_uniform(&state, 0, 1), middle, hole);
        struct mesh mesh = {0};
        room_add_box(&mesh, &pose, (const double[3]){0, 0, 0}, size, 0, (const double(*)[2])hole, corners);
        room_pose_place(&pose, (const double[3]){0.31, 0.23, 0.21}, source);
        for (int seals = 0; seals < 2; seals++) {
            const double seal = seals == 1 ? 1.15 * width : 0;
            struct outcome stairs = flood(&mesh, h, source, seal, false),
                           cells = flood(&mesh, h, source, seal, true);
            cr_assert(eq(int, stairs.code, cells.code));
            if (cells.code == 0) {
                /* Half a voxel at the hole and its rim, and what snapping moves. */
                const double area = width * width + 4 * width * h + 4 * h * h,
                             allowed = area * h / 2 + SURFACE * h / LATTICE_SUBSTEPS;
                cr_expect(test_near(volume_of(&cells.voxels), VOLUME, allowed),
                          "round %d, h %g, hole %g, seal %g: %.6g m3", round, h, width, seal,
                          volume_of(&cells.voxels));
                cr_expect(farthest(&cells.voxels, &pose) < 0.87 * h, "%g",
                          farthest(&cells.voxels, &pose) / h);
                *(seals == 1 ? &sealed : &tight) += 1;
            } else {
                cr_assert(eq(int, seals, 0), "%s", failure.sentence);
                cr_expect(memcmp(stairs.leak.gap, cells.leak.gap, sizeof cells.leak.gap) == 0 &&
                          stairs.leak.point_count == cells.leak.point_count);
                leaks++;
            }
            outcome_free(&stairs);
            outcome_free(&cells);
        }
        mesh_free(&mesh);
    }
    cr_expect(leaks > 5 && tight > 5 && sealed == 40, "%d %d %d", leaks, tight, sealed);
}

/* Halls of free panels with a crack at every edge: sealed cells are the hall up to its ribbons, as are nodes.
 */
Test(sealed_cells, halls_of_free_panels_are_tight_when_sealed)
{
    static const double grid[3] = {0.12, 0.07, 0.046};
    for (uint64_t n = 1; n <= 6; n++) {
        struct panel_hall hall;
        panel_hall_make(n, &hall);
        for (int g = 0; g < 3; g++) {
            struct outcome stairs = flood(&hall.mesh, grid[g], hall.source, hall.gap, false),
                           cells = flood(&hall.mesh, grid[g], hall.source, hall.gap, true);
            cr_assert(eq(int, cells.code, 0), "hall %d at %g m: %s", (int)n, grid[g], failure.sentence);
            cr_assert(eq(int, stairs.code, 0));
            const double nodes = (double)stairs.voxels.air_nodes * pow(grid[g], 3);
            cr_expect(test_near(volume_of(&cells.voxels), nodes, 0.01 * nodes),
                      "hall %d at %g m: %g m3, not %g", (int)n, grid[g], volume_of(&cells.voxels), nodes);
            outcome_free(&stairs);
            outcome_free(&cells);
        }
        mesh_free(&hall.mesh);
    }
}
