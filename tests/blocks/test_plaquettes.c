
#include <omp.h>

#include "blocks/box_grid.h"
#include "blocks/cut_masses.h"
#include "blocks/plaquettes.h"
#include "tests/support/cell_grids.h"
#include "tests/support/cell_rooms.h"
#include "tests/support/outcome.h"
#include "tests/support/voxel_room.h"
#include "tests/accuracy/wide_operator.h"

#define LAMBDA2 0.6

/* A box in a grid for the isotropic operator, with masses; staircase where it is not turned and cells are
 * dropped. */
static struct block_grid box(const double size[3], const double angle[3], struct cut_masses *masses)
{
    const double centre[3] = {0.13, 0.27, 0.41};
    struct cell_plane plane[6];
    struct block_grid grid = {0};
    cell_box_planes(centre, size, angle, 3, plane);
    struct voxels voxels = cell_room_convex(plane, 6);
    MUST(block_grid_pack(&voxels, &grid, &failure));
    MUST(block_grid_widen(&grid, &failure));
    MUST(block_grid_check(&grid, &failure));
    MUST(cut_masses_make(&grid, LAMBDA2, masses, &failure));
    MUST(block_grid_check(&grid, &failure));
    voxels_free(&voxels);
    return grid;
}

/* The same of random links. */
static struct block_grid stairs(uint64_t seed)
{
    struct voxel_room room = voxel_room_make(seed);
    struct cut_masses masses;
    struct voxels voxels = link_voxels(room.low, room.nodes, room.links, room.air, voxel_room_wall_at, &room);
    struct block_grid grid = {0};
    MUST(block_grid_pack(&voxels, &grid, &failure));
    MUST(block_grid_widen(&grid, &failure));
    MUST(block_grid_check(&grid, &failure));
    MUST(cut_masses_make(&grid, LAMBDA2, &masses, &failure));
    MUST(block_grid_check(&grid, &failure));
    voxels_free(&voxels);
    voxel_room_free(&room);
    return grid;
}

/* Of a lattice node: opening of a link, b of a plaquette; by the lattice alone. */
static unsigned open_at(const struct block_grid *grid, const int64_t node[3], unsigned d)
{
    const uint64_t index = block_grid_index(grid, node);
    if (index == UINT64_MAX)
        return 0;
    const block_id b = (block_id)(index / BLOCK_NODES);
    const unsigned slot = (unsigned)(index % BLOCK_NODES);
    const uint32_t tile = grid->block[b].tile;
    if (grid->marks[tile].cut[slot >> 6] >> (slot & 63) & 1)
        return grid->cut[block_cut_record(grid, b, slot)].open[d];
    return grid->tile[tile][slot] >> d & 1 ? CUT_WHOLE : 0;
}

static void step(const int64_t from[3], unsigned d, int64_t to[3])
{
    memcpy(to, from, 3 * sizeof *to);
    to[d / 2] += d & 1 ? 1 : -1;
}

/* Every plaquette as the lattice has it, from the node's own record; whole nodes have no record until they
 * lend. */
static void must_have_its_plaquettes(const struct block_grid *grid)
{
    uint64_t shut = 0, narrow = 0;
    for (block_id b = 1; b < block_list_first(grid); b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            const bool has = grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63) & 1;
            int64_t node[3], at_first[3], at_second[3];
            if (!block_is_air(grid, b, slot))
                continue;
            block_node(&grid->block[b], slot, node);
            for (unsigned e = 0; e < EDGES; e++) {
                const unsigned d = edge_first_direction(e), f = edge_second_direction(e);
                step(node, d, at_first);
                step(node, f, at_second);
                const double q[4] = {open_at(grid, node, d), open_at(grid, at_second, d),
                                     open_at(grid, node, f), open_at(grid, at_first, f)};
                const double least = fmin(fmin(q[0], q[1]), fmin(q[2], q[3]));
                const double most =
                    least == 0 ? 0 : 1.25 * (q[0] * q[1] / (q[0] + q[1]) + q[2] * q[3] / (q[2] + q[3]));
                const unsigned b_of_links = (unsigned)floor(fmin(fmax(200, least), most) + 1e-9);
                const unsigned stored = has ? grid->plaquette[block_cut_record(grid, b, slot)][e] : 200;
                cr_assert(stored == b_of_links, "block %u slot %u edge %u: %u, not %u", b, slot, e, stored,
                          b_of_links);
                shut += stored == 0;
                narrow += stored > 0 && stored != 200;
            }
        }
    cr_assert(shut > 100);
    cr_log_info("%llu shut, %llu narrow", (unsigned long long)shut, (unsigned long long)narrow);
}

Test(plaquettes, every_node_of_a_staircase_has_its_plaquettes)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct block_grid grid = stairs(seed);
        must_have_its_plaquettes(&grid);
        block_grid_free(&grid);
    }
}

Test(plaquettes, every_node_of_a_turned_box_has_its_plaquettes)
{
    struct cut_masses masses;
    struct block_grid grid = box((const double[]){30, 25, 21}, (const double[]){0.3, 0.2, 0.47}, &masses);
    must_have_its_plaquettes(&grid);
    cr_assert(test_at_most(masses.added, 1e-4 * masses.volume), "%g of %g", masses.added, masses.volume);
    block_grid_free(&grid);
}

Test(plaquettes, a_box_has_the_plaquettes_of_its_blocks)
{
    struct cut_masses masses;
    struct block_grid grid = box((const double[]){19, 25, 21}, (const double[]){0.1, 0.2, 0.3}, &masses);
    struct box_grid dense = {0};
    MUST(box_grid_from_blocks(&grid, &dense, &failure));
    cr_assert(dense.isotropic && dense.cuts == grid.cuts);
    for (block_id b = 1; b < block_list_first(&grid); b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            if (!(grid.marks[grid.block[b].tile].cut[slot >> 6] >> (slot & 63) & 1))
                continue;
            const uint64_t record = block_cut_record(&grid, b, slot),
                           node = box_grid_block_index(&dense, &grid, b, slot);
            uint64_t low = 0, high = dense.cuts;
            LOWER_BOUND(low, high, at, dense.cut_node[at] < node);
            cr_assert(dense.cut_node[low] == node && dense.gain[low] == grid.gain[record]);
            cr_assert(memcmp(dense.plaquette[low], grid.plaquette[record], EDGES) == 0);
        }
    box_grid_free(&dense);
    block_grid_free(&grid);
}

/* A record whose node has a plaquette towards +x +y, and neighbours in its own block. */
static uint64_t record_within(const struct block_grid *grid, block_id *block)
{
    for (block_id b = 1; b < block_list_first(grid); b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++)
            if (grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63) & 1 && (slot & 7) < 7 &&
                (slot >> 3 & 7) < 7 && grid->plaquette[block_cut_record(grid, b, slot)][3] != 0) {
                *block = b;
                return block_cut_record(grid, b, slot);
            }
    cr_assert(false, "no such record");
    return 0;
}

Test(plaquettes, the_validator_finds_what_is_wrong_and_the_hash_sees_it)
{
    struct cut_masses masses;
    struct block_grid grid = box((const double[]){19, 25, 21}, (const double[]){0.1, 0.2, 0.3}, &masses);
    const uint64_t hash = block_grid_hash(&grid);
    block_id b = 0;
    const uint64_t record = record_within(&grid, &b);
    for (unsigned e = 0; e < EDGES; e++) {
        uint8_t *const at = &grid.plaquette[record][e];
        *at ^= 1;
        MUST_FAIL(block_grid_check(&grid, &failure), FAILURE_ANSWER_NO, "plaquette");
        cr_assert(block_grid_hash(&grid) != hash);
        *at ^= 1;
    }
    const float gain = grid.gain[record];
    grid.gain[record] *= 16;
    MUST_FAIL(block_grid_check(&grid, &failure), FAILURE_ANSWER_NO, "mass");
    grid.gain[record] = gain;
    for (unsigned e = 0; e < EDGES; e++)
        if (grid.edge[b][e] != 0) {
            const block_id there = grid.edge[b][e];
            grid.edge[b][e] = 0;
            MUST_FAIL(block_grid_check(&grid, &failure), FAILURE_ANSWER_NO, "across edge");
            grid.edge[b][e] = there;
        }
    MUST(block_grid_check(&grid, &failure));
    cr_assert(block_grid_hash(&grid) == hash);
    block_grid_free(&grid);
}

Test(plaquettes, one_thread_and_many_make_the_same_bits)
{
    struct cut_masses masses;
    uint64_t hash = 0;
    for (int threads = 1; threads <= 4; threads += 3) {
        omp_set_num_threads(threads);
        struct block_grid turned =
                              box((const double[]){19, 25, 21}, (const double[]){0.1, 0.2, 0.3}, &masses),
                          random = stairs(5);
        const uint64_t sum = block_grid_hash(&turned) + block_grid_hash(&random);
        cr_assert(threads == 1 || sum == hash);
        hash = sum;
        block_grid_free(&turned);
        block_grid_free(&random);
    }
}

/* ---- what K does -----------------------------------------------------------------------------------------
 */

static void operate(const struct wide_operator *of, double *field, double *out)
{
    for (size_t i = 0; i < of->nodes; i++)
        field[i] = of->air[i] ? field[i] : 0;
    wide_operate(of, field, out);
}

Test(plaquettes, constants_are_at_rest)
{
    struct cut_masses masses;
    struct block_grid grid = box((const double[]){19, 25, 21}, (const double[]){0.1, 0.2, 0.3}, &masses);
    struct wide_operator of = wide_operator_of(&grid);
    double *field = malloc(of.nodes * sizeof *field), *out = malloc(of.nodes * sizeof *out);
    cr_assert(field != NULL && out != NULL);
    for (size_t i = 0; i < of.nodes; i++)
        field[i] = 0.1;
    operate(&of, field, out);
    for (size_t i = 0; i < of.nodes; i++)
        cr_assert(out[i] == 0);
    free(field);
    free(out);
    wide_operator_free(&of);
    block_grid_free(&grid);
}

static void voxel_of(const struct block_grid *grid, uint32_t block, unsigned slot, int64_t voxel[3])
{
    if (block < block_list_first(grid))
        block_node(&grid->block[block], slot, voxel);
    else
        memcpy(voxel, grid->list_voxel[(size_t)(block - block_list_first(grid)) * BLOCK_NODES + slot],
               3 * sizeof *voxel);
}

/* What plaquettes of list nodes give and take from links: nothing in a field that is linear, at any node. */
Test(plaquettes, those_of_further_pieces_leave_linear_fields_at_rest)
{
    for (uint64_t seed = 31; seed < 34; seed++) {
        struct cell_grids *const room = cell_grids_soup_for(seed, 3, SCHEME_ISOTROPIC);
        const struct block_grid *const grid = &room->blocks;
        uint64_t diagonals = 0;
        for (uint64_t n = 0; n < grid->extra_nodes; n++) {
            const struct extra_node *const node = &grid->extra_node[n];
            int64_t sum[3] = {0}, here[3], there[3];
            voxel_of(grid, node->block, node->slot, here);
            for (unsigned k = 0; k < node->links; k++) {
                const struct extra_link *const link = &grid->extra_link[node->first + k];
                voxel_of(grid, link->block, link->slot, there);
                for (int a = 0; a < 3; a++)
                    sum[a] += link->crossed * (there[a] - here[a]);
                diagonals += link->open == 0 && link->crossed < 0;
            }
            cr_assert(sum[0] == 0 && sum[1] == 0 && sum[2] == 0, "block %u slot %u", node->block, node->slot);
        }
        cr_assert(diagonals > 200, "%llu", (unsigned long long)diagonals);
        cell_grids_free(room);
    }
}

/* A box that is not turned, its walls anywhere in their voxels: fields that are linear along x and y are at
 * rest but at the walls that they run into. */
Test(plaquettes, fields_that_are_linear_along_a_wall_are_at_rest)
{
    struct cut_masses masses;
    struct block_grid grid = box((const double[]){19.3, 24.1, 20.6}, NULL, &masses);
    struct wide_operator of = wide_operator_of(&grid);
    double *field = calloc(of.nodes, sizeof *field), *out = malloc(of.nodes * sizeof *out);
    uint64_t looked_at = 0;
    cr_assert(field != NULL && out != NULL);
    for (block_id b = 1; b <= grid.blocks; b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            int64_t node[3];
            block_node(&grid.block[b], slot, node);
            field[(size_t)b * BLOCK_NODES + slot] = (double)(3 * node[0] - 5 * node[1]);
        }
    operate(&of, field, out);
    for (block_id b = 1; b <= grid.blocks; b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            int64_t node[3];
            const size_t i = (size_t)b * BLOCK_NODES + slot;
            block_node(&grid.block[b], slot, node);
            if (!of.air[i] || node[0] == grid.air_low[0] || node[0] == grid.air_high[0] ||
                node[1] == grid.air_low[1] || node[1] == grid.air_high[1])
                continue;
            looked_at += node[2] == grid.air_low[2] || node[2] == grid.air_high[2];
            cr_assert(test_at_most(fabs(out[i]), 1e-13), "%g", out[i]);
        }
    cr_assert(looked_at > 500);
    free(field);
    free(out);
    wide_operator_free(&of);
    block_grid_free(&grid);
}
