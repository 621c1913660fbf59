/* Walls along the grid and walls that slant, told apart by what they leave of voxels. */
#include "blocks/block_grid.h"
#include "blocks/cut_masses.h"
#include "blocks/plaquettes.h"
#include "blocks/wall_kinds.h"
#include "tests/support/cell_rooms.h"
#include "tests/support/outcome.h"

static struct block_grid box_of(const double centre[3], const double size[3], const double angle[3],
                                unsigned materials)
{
    struct cell_plane plane[6];
    struct block_grid grid;
    cell_box_planes(centre, size, angle, materials, plane);
    struct voxels voxels = cell_room_convex(plane, 6);
    cell_room_grids(&voxels, 0.25, &grid, NULL);
    voxels_free(&voxels);
    return grid;
}

/* Area of every material, or of the kinds of it. */
static void areas_of(const struct block_grid *grid, const struct wall_kinds *kinds, double area[6])
{
    for (int m = 0; m < 6; m++)
        area[m] = 0;
    for (uint64_t w = 0; w < grid->walls; w++)
        area[kinds != NULL ? kinds->kind[grid->wall[w].material].material : grid->wall[w].material] +=
            (double)grid->wall[w].weight;
}

/* The walls of a straight box stand at known fractions of voxels: node i's voxel ends at i + 1/2. A sliver
 * may go to the node behind it, which then reaches so much further. */
static bool stands(double found, double wall)
{
    const double part = wall + 0.5 - floor(wall + 0.5);
    return fabs(found - (part - 0.5)) < 0.075 || (part < 0.2 && fabs(found - (part + 0.5)) < 0.075);
}

Test(wall_kinds, a_straight_box_has_a_kind_for_every_distance_of_its_walls)
{
    for (int n = 0; n < 12; n++) {
        const double centre[3] = {0.21 + 0.13 * n, -3.37 + 0.29 * n, 1.83 - 0.11 * n};
        const double size[3] = {17.3, 12.9 + 0.07 * n, 14.1};
        struct block_grid grid = box_of(centre, size, NULL, 6);
        struct wall_kinds kinds = {0};
        double before[6], after[6], off[6] = {0};
        areas_of(&grid, NULL, before);
        MUST(wall_kinds_sort(&grid, true, 6, &kinds, &failure));
        MUST(block_grid_check(&grid, &failure));
        areas_of(&grid, &kinds, after);
        for (uint64_t w = 0; w < grid.walls; w++) {
            const struct wall_kind *kind = &kinds.kind[grid.wall[w].material];
            const unsigned axis = kind->material / 2u;
            const double sign = kind->material & 1u ? 1 : -1;
            const double found = (double)kind->steps / WALL_KIND_STEPS;
            /* a step, and what parts are rounded to; edges and corners of slivers are too small to tell */
            if (grid.wall[w].weight > 0.9F && !stands(found, sign * centre[axis] + size[axis] / 2))
                off[kind->material] += (double)grid.wall[w].weight;
        }
        for (int m = 0; m < 6; m++) {
            cr_expect(test_near(after[m], before[m], 1e-9 * before[m]));
            cr_expect(test_at_most(off[m], 0.03 * before[m]), "place %d, wall %d: %g of %g are elsewhere", n,
                      m, off[m], before[m]);
        }
        block_grid_free(&grid);
        wall_kinds_free(&kinds);
    }
}

Test(wall_kinds, the_walls_of_a_turned_box_keep_their_materials)
{
    static const double centre[3] = {0.3, -7.6, 4.1}, size[3] = {19.2, 14.7, 12.3};
    static const double angle[][3] = {{0.4, 0.7, 0.2}, {0.1, 0.15, 0.6}, {0, 0.5, 1.1}};
    for (int n = 0; n < 3; n++) {
        struct block_grid grid = box_of(centre, size, angle[n], 6);
        struct wall_kinds kinds = {0};
        double area = 0, moved = 0;
        MUST(wall_kinds_sort(&grid, true, 6, &kinds, &failure));
        MUST(block_grid_check(&grid, &failure));
        for (uint64_t w = 0; w < grid.walls; w++) {
            area += (double)grid.wall[w].weight;
            moved += kinds.kind[grid.wall[w].material].steps != 0 ? (double)grid.wall[w].weight : 0;
        }
        cr_expect(test_at_most(moved, 0.02 * area), "%d: %g of %g", n, moved, area);
        block_grid_free(&grid);
        wall_kinds_free(&kinds);
    }
}

/* A corner of three walls, an edge of two, a flat one: openings and volume of a box of .5 x .8 x .3. */
Test(wall_kinds, the_sides_of_a_cut_voxel_are_volume_over_opening)
{
    double distance[3];
    const struct cut_cell corner = {{48, 0, 0, 30, 80, 0}, 24, 0};
    wall_kinds_distances(&corner, distance);
    cr_assert(test_near(distance[0], 0, 0.01) && test_near(distance[1], 0.3, 0.01) &&
              test_near(distance[2], -0.2, 0.01));
    const struct cut_cell edge = {{160, 0, 0, 100, 80, 80}, 80, 0};
    wall_kinds_distances(&edge, distance);
    cr_assert(test_near(distance[0], 0, 1e-9) && test_near(distance[1], 0.3, 1e-9) && isnan(distance[2]));
    const struct cut_cell flat = {{60, 60, 60, 60, 0, 200}, 60, 0};
    wall_kinds_distances(&flat, distance);
    cr_assert(isnan(distance[0]) && isnan(distance[1]) && test_near(distance[2], -0.2, 1e-9));
    /* half of a square, cut along its diagonal; a slit; a voxel that stands alone */
    const struct cut_cell slanting = {{200, 0, 0, 200, 100, 100}, 100, 0},
                          slit = {{60, 60, 60, 60, 0, 0}, 60, 0}, alone = {{0}, 100, 0};
    wall_kinds_distances(&slanting, distance);
    cr_assert(isnan(distance[0]) && isnan(distance[1]) && isnan(distance[2]));
    wall_kinds_distances(&slit, distance);
    cr_assert(isnan(distance[0]) && isnan(distance[1]) && isnan(distance[2]));
    wall_kinds_distances(&alone, distance);
    cr_assert(isnan(distance[0]) && isnan(distance[1]) && isnan(distance[2]));
}

Test(wall_kinds, kinds_of_a_room_of_chance_are_sound)
{
    struct cell_soup soup = cell_soup_usual;
    soup.materials = 5;
    struct voxels voxels = cell_room_soup(11, &soup);
    struct block_grid grid;
    struct wall_kinds kinds = {0};
    double before[6], after[6];
    cell_room_grids(&voxels, 0.25, &grid, NULL);
    voxels_free(&voxels);
    areas_of(&grid, NULL, before);
    MUST(wall_kinds_sort(&grid, true, 5, &kinds, &failure));
    MUST(block_grid_check(&grid, &failure));
    areas_of(&grid, &kinds, after);
    for (int m = 0; m < 5; m++)
        cr_expect(test_near(after[m], before[m], 1e-9 * before[m]));
    for (size_t k = 0; k < kinds.count; k++)
        cr_assert(k < 5 ? kinds.kind[k].material == k && kinds.kind[k].steps == 0 && kinds.kind[k].reach == 0
                        : kinds.kind[k].steps != 0 || kinds.kind[k].reach != 0);
    block_grid_free(&grid);
    wall_kinds_free(&kinds);
}

/* A line of nodes with the masses of a real one, its lowest mode by hand: u_n - u_n+1 = k^2 (mass_1 u_1 + ..
 * + mass_n u_n). The pressure at the wall node over the field's cosine as the middle has it is 1 - k^2 q / 2.
 */
Test(wall_kinds, the_reach_is_where_a_hard_walls_field_has_the_nodes_pressure)
{
    int borrowed = 0;
    for (int n = 0; n < 8; n++) {
        const double centre[3] = {0.3, 0.3, 0.3}, size[3] = {16 + 0.2 * n, 30, 30};
        struct cell_plane plane[6];
        struct block_grid grid = {0};
        struct cut_masses masses;
        cell_box_planes(centre, size, NULL, 1, plane);
        struct voxels voxels = cell_room_convex(plane, 6);
        MUST(block_grid_pack(&voxels, &grid, &failure));
        MUST(block_grid_widen(&grid, &failure));
        MUST(cut_masses_make(&grid, 0.6, &masses, &failure));
        voxels_free(&voxels);
        int64_t node[3] = {grid.air_high[0], 0, 0};
        double distance[3], u = 1, flow = 0, out = 0, at = 0;
        const double k = 0.02;
        for (int layer = 0; layer < 6; layer++, node[0]--) {
            int32_t place[3];
            for (int a = 0; a < 3; a++)
                place[a] = (int32_t)floor((double)node[a] / 8);
            const block_id b = block_grid_find(&grid, place);
            const unsigned slot = block_slot(node[0], node[1], node[2]);
            const bool cut = (grid.marks[grid.block[b].tile].cut[slot >> 6] >> (slot & 63) & 1) != 0;
            const uint64_t record = cut ? block_cut_record(&grid, b, slot) : 0;
            if (layer == 0) {
                wall_kinds_distances(&grid.cut[record], distance);
                out = wall_kinds_reach(&grid, b, slot, 0, distance[0]);
                at = distance[0];
                borrowed += cut_mass(&grid, record) > grid.cut[record].volume / 200.0 + 0.02;
            }
            flow += k * k * u * (cut ? cut_mass(&grid, record) : 1);
            u -= flow;
        }
        /* u is now that of the seventh node, which the field from the wall on has as cos(k (d + 6)) */
        const double wall = u / cos(k * (at + 6)), q = 2 * (1 - 1 / wall) / (k * k);
        /* at right angles d^2 - 2 s, of which the reach has d^2 - 6 s */
        const double wanted = at * at - 3 * (at * at - q);
        cr_expect(test_near(out * fabs(out), wanted, 0.03), "%g: %g, %g", size[0], out * fabs(out), wanted);
        block_grid_free(&grid);
    }
    cr_assert(borrowed > 0);
}

/* From the planes that the box was made of: a node's wall is the nearest. */
static double slant_of(const struct block_grid *grid, const struct cell_plane plane[6])
{
    double moment = 0, area = 0, square = 0;
    for (block_id b = 1; b <= grid->blocks; b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            if ((grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63) & 1) == 0)
                continue;
            const uint64_t record = block_cut_record(grid, b, slot);
            int64_t node[3];
            double z = INFINITY;
            block_node(&grid->block[b], slot, node);
            for (int p = 0; p < 6; p++) {
                double height = plane[p].offset;
                for (int a = 0; a < 3; a++)
                    height -= plane[p].normal[a] * (double)node[a];
                z = fmin(z, height);
            }
            moment += z * (cut_mass(grid, record) - grid->cut[record].volume / 200.0);
            for (uint64_t w = grid->wall_first[b]; w < grid->wall_first[b + 1]; w++) {
                const double touched =
                    (grid->wall[w].slot & WALL_SLOT) == slot ? (double)grid->wall[w].weight : 0;
                area += touched;
                square += touched * z * z;
            }
        }
    return (square + 6 * moment) / area;
}

Test(wall_kinds, the_reach_of_slanting_walls_is_the_moment_of_what_nodes_lent)
{
    static const double centre[3] = {0.13, 0.27, 0.41}, size[3] = {26, 21.6, 17.9};
    static const double angle[][3] = {{0.61, 0, 0.47}, {0.4, 0.7, 0.2}, {0.1, 0.15, 0.6}};
    for (int n = 0; n < 3; n++) {
        struct cell_plane plane[6];
        struct block_grid grid = {0};
        struct cut_masses masses;
        struct wall_kinds kinds = {0};
        float reach[1] = {0};
        cell_box_planes(centre, size, angle[n], 1, plane);
        struct voxels voxels = cell_room_convex(plane, 6);
        MUST(block_grid_pack_slabs(&voxels, &grid, &failure));
        voxels_free(&voxels);
        MUST(block_grid_widen(&grid, &failure));
        MUST(cut_masses_make(&grid, 0.6, &masses, &failure));
        MUST(wall_kinds_slanting(&grid, 1, reach, &failure));
        const double q = (double)(reach[0] * fabsf(reach[0])), wanted = slant_of(&grid, plane);
        cr_expect(test_near(q, wanted, 0.01) && wanted < -0.05, "%d: %g, %g", n, q, wanted);
        MUST(wall_kinds_sort(&grid, true, 1, &kinds, &failure));
        double area = 0, slanting = 0;
        for (uint64_t w = 0; w < grid.walls; w++) {
            const struct wall_kind *const kind = &kinds.kind[grid.wall[w].material];
            area += (double)grid.wall[w].weight;
            slanting += kind->steps == 0 && kind->reach == reach[0] ? (double)grid.wall[w].weight : 0;
        }
        cr_expect(test_at_most(0.98 * area, slanting), "%d: %g of %g", n, slanting, area);
        block_grid_free(&grid);
        wall_kinds_free(&kinds);
    }
}
