

#include "blocks/block_grid.h"
#include "kernels/scheme/stencil.h"
#include "tests/support/cell_rooms.h"
#include "tests/support/outcome.h"

#define MATERIALS 6
#define SLIVER    0.0025f /* rounds to 0 of 200 */

/* Node or piece of the voxels: what the grid must make of it. */
struct expected {
    double volume, area[MATERIALS];
};

static void expect(struct expected *expected, const struct voxel_cell *cell, const struct voxel_area *area)
{
    expected->volume += (double)cell->volume;
    for (int m = 0; m < cell->areas; m++)
        expected->area[area[m].material] += (double)area[m].area;
}

/* Index in the grid of the node of a voxel or of what took it, UINT64_MAX for neither. */
static uint64_t home_of(const struct voxels *voxels, const struct block_grid *grid, uint64_t end)
{
    const int32_t *const place = voxels->block[end / BLOCK_NODES].place;
    const struct block block = {.place = {place[0], place[1], place[2]}};
    int64_t node[3];
    block_node(&block, (unsigned)(end % BLOCK_NODES), node);
    return block_grid_home(grid, node);
}

static uint64_t own_index(const struct voxels *voxels, const struct block_grid *grid, uint64_t end)
{
    return block_grid_find(grid, voxels->block[end / BLOCK_NODES].place) * (uint64_t)BLOCK_NODES +
           end % BLOCK_NODES;
}

/* All nodes of a room without pieces against what they and the slivers that they took have; the area that no
 * node has. */
static double expect_sums(const struct voxels *voxels, const struct block_grid *grid)
{
    struct expected *expected = calloc(((size_t)grid->blocks + 1) * BLOCK_NODES, sizeof *expected);
    double lost = 0;
    uint64_t merged = 0;
    cr_assert(expected != NULL);
    for (size_t b = 0; b < voxels->block_count; b++) {
        const struct voxel_detail *const detail =
            voxels->block[b].detail == VOXELS_OPEN_AIR ? NULL : &voxels->detail[voxels->block[b].detail];
        const struct voxel_area *area = detail == NULL ? NULL : voxels->area + detail->first_area;
        const struct voxel_cell *cell = detail == NULL ? NULL : voxels->cell + detail->first_cell;
        uint32_t cells = 0;
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            const uint64_t end = b * BLOCK_NODES + slot, home = home_of(voxels, grid, end);
            if (detail != NULL && !(detail->air[slot >> 6] >> (slot & 63) & 1))
                continue;
            if (detail == NULL || cells == detail->cell_count || cell->slot != slot) {
                cr_assert(eq(u64, home, own_index(voxels, grid, end)));
                expected[home].volume += 1;
                continue;
            }
            int ways = 0;
            for (int d = 0; d < DIRECTIONS; d++)
                ways += cell->open[d] >= SLIVER;
            if (home == UINT64_MAX) {
                cr_assert(eq(int, ways, 0));
                for (int m = 0; m < cell->areas; m++)
                    lost += (double)area[m].area;
            } else {
                const bool own = home == own_index(voxels, grid, end);
                cr_assert(own || (cell->volume < SLIVER && ways < 2));
                merged += !own;
                expect(&expected[home], cell, area);
            }
            area += cell->areas;
            cell++;
            cells++;
        }
    }
    cr_assert(eq(u64, merged, grid->merged));
    for (block_id b = 1; b <= grid->blocks; b++) {
        uint64_t wall = grid->wall_first[b];
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            struct expected *const want = &expected[(size_t)b * BLOCK_NODES + slot];
            if (!block_is_air(grid, b, slot)) {
                cr_assert(want->volume == 0);
                continue;
            }
            const bool has = grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63) & 1;
            const int volume = has ? grid->cut[block_cut_record(grid, b, slot)].volume : CUT_WHOLE;
            cr_assert(test_at_most(fabs(volume - fmax(1, 200 * want->volume)), 0.5001));
            for (; wall < grid->wall_first[b + 1] && (grid->wall[wall].slot & WALL_SLOT) == slot; wall++)
                want->area[grid->wall[wall].material] -= (double)grid->wall[wall].weight;
            for (int m = 0; m < MATERIALS; m++)
                cr_assert(test_at_most(fabs(want->area[m]), 1e-6));
        }
        cr_assert(eq(u64, wall, grid->wall_first[b + 1]));
    }
    free(expected);
    return lost;
}

Test(cut_slivers, a_node_has_the_volume_and_the_areas_of_the_slivers_that_it_took)
{
    struct cell_soup soup = cell_soup_usual;
    soup.pieces = 0;
    soup.shut = 0.75;
    soup.slivers = 0.3;
    uint64_t merged = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct voxels voxels = cell_room_soup(seed, &soup);
        struct block_grid grid;
        cell_room_grids(&voxels, 0, &grid, NULL);
        (void)expect_sums(&voxels, &grid);
        merged += grid.merged;
        block_grid_free(&grid);
        voxels_free(&voxels);
    }
    cr_assert(test_above((double)merged, 2000.0), "%llu", (unsigned long long)merged);
}

/* A room with walls on the faces of voxels, or displaced out of them or into them. */
static struct voxels box_voxels(const int nodes[3], double out, struct cell_plane plane[6])
{
    double centre[3], size[3];
    for (int a = 0; a < 3; a++) {
        centre[a] = (nodes[a] - 1) / 2.0;
        size[a] = nodes[a] + 2 * out;
    }
    cell_box_planes(centre, size, NULL, 6, plane);
    return cell_room_convex(plane, 6);
}

Test(cut_slivers, walls_beside_the_faces_of_voxels_make_the_nodes_of_walls_on_them)
{
    static const int nodes[][3] = {{8, 5, 6}, {8, 8, 8}, {17, 16, 15}};
    static const double out[] = {0, -1.0 / 1024, 1.0 / 1024, 1.0 / 401};
    for (size_t n = 0; n < sizeof nodes / sizeof *nodes; n++)
        for (size_t o = 0; o < sizeof out / sizeof *out; o++) {
            struct cell_plane plane[6];
            struct voxels voxels = box_voxels(nodes[n], out[o], plane);
            struct block_grid grid;
            double area[6] = {0}, size[3];
            uint64_t whole = 1, beyond = 1;
            cell_room_grids(&voxels, 0, &grid, NULL);
            for (int a = 0; a < 3; a++) {
                size[a] = nodes[n][a] + 2 * out[o];
                whole *= (uint64_t)nodes[n][a];
                beyond *= (uint64_t)nodes[n][a] + 2;
            }
            cr_assert(eq(u64, grid.air_nodes, whole));
            cr_assert(eq(u64, grid.merged, out[o] > 0 ? beyond - whole : 0));
            for (uint64_t c = 0; c < grid.cuts; c++) {
                cr_assert(test_at_most(abs(grid.cut[c].volume - CUT_WHOLE), out[o] > 0.001 ? 2 : 1));
                for (int d = 0; d < DIRECTIONS; d++)
                    cr_assert(grid.cut[c].open[d] == 0 || grid.cut[c].open[d] == CUT_WHOLE);
            }
            cr_assert(expect_sums(&voxels, &grid) == 0);
            for (uint64_t w = 0; w < grid.walls; w++)
                area[grid.wall[w].material] += (double)grid.wall[w].weight;
            for (int d = 0; d < 6; d++) {
                const double exact = size[(d / 2 + 1) % 3] * size[(d / 2 + 2) % 3];
                cr_assert(test_at_most(fabs(area[d] - exact), 1e-5 * exact));
            }
            block_grid_free(&grid);
            voxels_free(&voxels);
        }
}

Test(cut_slivers, a_point_in_a_sliver_is_one_of_the_node_that_took_it)
{
    static const int nodes[3] = {8, 8, 8};
    struct cell_plane plane[6];
    struct voxels voxels = box_voxels(nodes, 1.0 / 1024, plane);
    struct block_grid grid;
    cell_room_grids(&voxels, 0, &grid, NULL);
    grid.lattice.spacing = 1;
    static const int64_t sliver[][3] = {{8, 3, 4}, {8, 8, 2}, {8, 8, 8}},
                         inside[][3] = {{7, 3, 4}, {7, 7, 2}, {7, 7, 7}};
    for (size_t n = 0; n < sizeof sliver / sizeof *sliver; n++) {
        struct stencil of, wanted;
        double at[3];
        for (int a = 0; a < 3; a++)
            at[a] = grid.lattice.origin[a] + (double)inside[n][a] + (sliver[n][a] == 8 ? 0.5005 : -0.2);
        cr_assert(eq(u64, block_grid_home(&grid, sliver[n]), block_grid_index(&grid, inside[n])));
        MUST(stencil_make(&grid, at, sliver[n], INTERPOLATION_CUBIC, &of, &failure));
        MUST(stencil_make(&grid, at, inside[n], INTERPOLATION_CUBIC, &wanted, &failure));
        cr_assert(of.count == wanted.count && of.count > 0);
        for (unsigned k = 0; k < of.count; k++)
            cr_assert(memcmp(of.node[k], wanted.node[k], sizeof of.node[k]) == 0 &&
                      of.weight[k] == wanted.weight[k]);
    }
    block_grid_free(&grid);
    voxels_free(&voxels);
}

/* In a box of whole voxels: further pieces with openings to nodes (0, 0, 0) and (1, 0, 0) of the first block.
 */
struct planted {
    float volume, open[2];
};

static struct block_grid with_piece(struct planted planted)
{
    static const int nodes[3] = {6, 6, 6};
    struct cell_plane plane[6];
    struct voxels voxels = box_voxels(nodes, 0, plane);
    struct block_grid grid;
    voxels.area = realloc(voxels.area, (voxels.area_count + 1) * sizeof *voxels.area);
    voxels.piece = calloc(1, sizeof *voxels.piece);
    voxels.opening = calloc(2, sizeof *voxels.opening);
    cr_assert(voxels.area != NULL && voxels.piece != NULL && voxels.opening != NULL);
    const struct voxel_piece piece = {
        .cell = {.volume = planted.volume, .slot = block_slot(1, 1, 0), .areas = 1},
        .first_area = voxels.area_count};
    voxels.area[voxels.area_count++] = (struct voxel_area){.area = 0.125f, .material = 1};
    voxels.piece[voxels.piece_count++] = piece;
    static const uint16_t slot[2] = {1, 8}; /* (1, 0, 0) and (0, 1, 0) */
    for (int o = 0; o < 2; o++)
        if (planted.open[o] > 0)
            voxels.opening[voxels.opening_count++] =
                (struct voxel_opening){.end = {slot[o], VOXELS_PIECE}, .open = planted.open[o]};
    MUST(voxels_check(&voxels, &failure));
    cell_room_grids(&voxels, 0, &grid, NULL);
    voxels_free(&voxels);
    return grid;
}

static double area_of(const struct block_grid *grid, uint16_t material)
{
    double area = 0;
    for (uint64_t w = 0; w < grid->walls; w++)
        area += grid->wall[w].material == material ? (double)grid->wall[w].weight : 0;
    return area;
}

Test(cut_slivers, a_sliver_between_two_nodes_stays_and_one_with_a_single_way_goes)
{
    static const struct {
        struct planted planted;
        uint64_t pieces, links;
        double area;
    } what[] = {
        {{0.002f, {0.3f, 0.2f}}, 1, 4, 36.125},   {{0.002f, {0.3f, 0}}, 0, 0, 36.125},
        {{0.002f, {0.001f, 0.2f}}, 0, 0, 36.125}, {{0.002f, {0.001f, 0.002f}}, 0, 0, 36.125},
        {{0.003f, {0.3f, 0}}, 1, 2, 36.125},      {{0.003f, {0.001f, 0}}, 0, 0, 36},
    };
    for (size_t n = 0; n < sizeof what / sizeof *what; n++) {
        struct block_grid grid = with_piece(what[n].planted);
        cr_assert(eq(u64, grid.list_nodes, what[n].pieces), "%zu", n);
        cr_assert(eq(u64, grid.extra_links, what[n].links), "%zu", n);
        cr_assert(eq(dbl, area_of(&grid, 1), what[n].area), "%zu", n);
        cr_assert(eq(u64, grid.merged, 0));
        block_grid_free(&grid);
    }
}
