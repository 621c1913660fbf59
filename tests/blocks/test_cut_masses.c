

#include "blocks/block_grid.h"
#include "blocks/cut_masses.h"
#include "blocks/plaquettes.h"
#include "tests/accuracy/wide_operator.h"
#include "tests/support/cell_rooms.h"
#include "tests/support/outcome.h"

#define MARGIN (1025.0 / 1024)

/* Sum of the openings of a node's links. */
static unsigned openings(const struct block_grid *grid, uint64_t record, block_id b, unsigned slot)
{
    unsigned sum = 0;
    for (int d = 0; d < DIRECTIONS; d++)
        sum += grid->cut[record].open[d];
    for (uint64_t n = 0; n < grid->extra_nodes; n++)
        if (grid->extra_node[n].block == b && grid->extra_node[n].slot == slot)
            for (unsigned k = 0; k < grid->extra_node[n].links; k++)
                sum += grid->extra_link[grid->extra_node[n].first + k].open;
    return sum;
}

/* What a ledger of its own shares out. */
static struct cut_masses measure(const struct block_grid *grid, double lambda2)
{
    struct cut_ledger *ledger = NULL;
    struct cut_masses masses;
    MUST(cut_ledger_make(grid, &ledger, &failure));
    MUST(cut_ledger_share_out(ledger, lambda2, &masses, &failure));
    cut_ledger_free(ledger);
    return masses;
}

Test(cut_masses, every_mass_holds_its_bound_as_stored)
{
    size_t shares;
    const double *const share = cut_masses_shares(false, &shares);
    for (size_t n = 0; n < shares; n++) {
        struct voxels voxels = cell_room_soup(7 + n, &cell_soup_usual);
        struct block_grid grid;
        cell_room_grids(&voxels, share[n] / 3, &grid, NULL);
        double tightest = 0;
        for (block_id b = 1; b <= grid.blocks; b++)
            for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
                if (!(grid.marks[grid.block[b].tile].cut[slot >> 6] >> (slot & 63) & 1))
                    continue;
                const uint64_t record = block_cut_record(&grid, b, slot);
                const unsigned open = openings(&grid, record, b, slot);
                const double filled = (double)grid.gain[record] * open / 2 * (open == 1200 ? 1 : MARGIN);
                cr_assert(grid.gain[record] > 0);
                cr_assert(filled <= 1, "block %u slot %u: %.17g", b, slot, filled);
                tightest = fmax(tightest, filled);
            }
        cr_assert(test_above(tightest, 1 - 1e-5), "masses are larger than they need");
        block_grid_free(&grid);
        voxels_free(&voxels);
    }
}

Test(cut_masses, what_is_lent_and_added_makes_the_masses)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct voxels voxels = cell_room_soup(seed, &cell_soup_usual);
        struct block_grid grid = {0};
        struct cut_masses masses;
        MUST(block_grid_pack(&voxels, &grid, &failure));
        double volume = (double)(grid.air_nodes - grid.cuts), mass = 0;
        for (uint64_t c = 0; c < grid.cuts; c++)
            volume += grid.cut[c].volume / 200.0;
        MUST(cut_masses_make(&grid, 0.3, &masses, &failure));
        for (uint64_t c = 0; c < grid.cuts; c++)
            mass += cut_mass(&grid, c);
        mass += (double)(grid.air_nodes - grid.cuts);
        cr_assert(test_at_most(fabs(masses.volume - volume), 1e-7 * volume));
        cr_assert(test_at_most(fabs(mass - volume - masses.added), 1e-7 * volume));
        cr_assert(masses.lent > 0 && masses.added > 0 && masses.borrowers > 1000 && masses.lenders > 100);
        block_grid_free(&grid);
        voxels_free(&voxels);
    }
}

Test(cut_masses, one_ledger_shares_out_every_lambda2_as_if_it_were_the_first)
{
    static const double lambda2[] = {0.33, 0.2, 0.3};
    enum { TRIED = sizeof lambda2 / sizeof *lambda2 };
    for (int isotropic = 0; isotropic < 2; isotropic++) {
        struct voxels voxels = cell_room_soup(2, &cell_soup_usual);
        struct block_grid grid[2];
        memset(grid, 0, sizeof grid);
        struct cut_ledger *ledger = NULL;
        struct cut_masses alone, masses;
        for (int g = 0; g < 2; g++) {
            MUST(block_grid_pack(&voxels, &grid[g], &failure));
            if (isotropic)
                MUST(block_grid_widen(&grid[g], &failure));
        }
        MUST(cut_ledger_make(&grid[0], &ledger, &failure));
        for (int n = 0; n < TRIED; n++) {
            MUST(cut_ledger_share_out(ledger, lambda2[n], &masses, &failure));
            alone = measure(&grid[0], lambda2[n]);
            cr_assert(masses.lent > 0 && memcmp(&masses, &alone, sizeof masses) == 0, "lambda^2 %g",
                      lambda2[n]);
        }
        MUST(cut_ledger_give(ledger, &grid[0], &failure));
        MUST(cut_masses_make(&grid[1], lambda2[TRIED - 1], &alone, &failure));
        cr_assert(block_grid_hash(&grid[0]) == block_grid_hash(&grid[1]));
        MUST(block_grid_check(&grid[0], &failure));
        cut_ledger_free(ledger);
        for (int g = 0; g < 2; g++)
            block_grid_free(&grid[g]);
        voxels_free(&voxels);
    }
}

/* Voxels in a row with these volumes and whole faces between them, of a corridor as wide as a voxel. */
static struct block_grid corridor(int voxels_in_row, const float *volume, struct cut_masses *masses)
{
    const double centre[3] = {(voxels_in_row - 1) / 2.0, 0, 0}, size[3] = {voxels_in_row, 1, 1};
    struct cell_plane plane[6];
    struct block_grid grid = {0};
    cell_box_planes(centre, size, NULL, 1, plane);
    struct voxels voxels = cell_room_convex(plane, 6);
    cr_assert(voxels.cell_count == (size_t)voxels_in_row);
    for (int n = 0; n < voxels_in_row; n++)
        voxels.cell[n].volume = volume[n];
    MUST(block_grid_pack(&voxels, &grid, &failure));
    MUST(cut_masses_make(&grid, 0.3, masses, &failure));
    MUST(block_grid_check(&grid, &failure));
    voxels_free(&voxels);
    return grid;
}

static void must_weigh(const struct block_grid *grid, uint64_t nodes, const double *mass)
{
    cr_assert(grid->cuts == nodes);
    for (uint64_t n = 0; n < nodes; n++)
        cr_assert(test_at_most(fabs(cut_mass(grid, n) - mass[n]), 3e-7), "node %d weighs %.9g, not %g",
                  (int)n, cut_mass(grid, n), mass[n]);
}

/* What two whole faces need at lambda^2 = 0.3, and what one needs. */
#define TWO (0.3 * MARGIN)
#define ONE (0.15 * MARGIN)

Test(cut_masses, neighbours_lend_in_proportion_to_what_they_have)
{
    struct cut_masses masses;
    struct block_grid grid = corridor(5, (const float[]){1, 0.5F, 0.05F, 0.9F, 1}, &masses);
    const double lack = TWO - 0.05, have = 0.5 + 0.9 - 2 * TWO;
    must_weigh(&grid, 5,
               (const double[]){1, 0.5 - lack * (0.5 - TWO) / have, TWO, 0.9 - lack * (0.9 - TWO) / have, 1});
    cr_assert(test_at_most(fabs(masses.lent - lack), 2e-7) && masses.added == 0);
    cr_assert(masses.borrowers == 1 && masses.lenders == 2);
    cr_assert(test_at_most(fabs(masses.largest - TWO / 0.05), 1e-5));
    block_grid_free(&grid);
}

Test(cut_masses, what_neighbours_do_not_have_comes_from_across_two_links_then_three)
{
    struct cut_masses masses;
    struct block_grid grid = corridor(5, (const float[]){1, 0.35F, 0.05F, 0.35F, 0.2F}, &masses);
    /* All that both beside it have, the rest of both ends. */
    const double lack = TWO - 0.05 - 2 * (0.35 - TWO), have = 1 + 0.2 - 2 * ONE;
    must_weigh(&grid, 5,
               (const double[]){1 - lack * (1 - ONE) / have, TWO, TWO, TWO, 0.2 - lack * (0.2 - ONE) / have});
    block_grid_free(&grid);
    grid = corridor(5, (const float[]){1, 0.3F, 0.3F, 0.05F, 0.15F}, &masses);
    must_weigh(&grid, 5, (const double[]){1 - (3 * TWO + ONE - 0.8), TWO, TWO, TWO, ONE});
    cr_assert(test_at_most(masses.added, 1e-7));
    block_grid_free(&grid);
}

Test(cut_masses, what_is_further_than_five_links_is_not_lent_but_added)
{
    struct cut_masses masses;
    struct block_grid grid = corridor(7, (const float[]){1, 0.3F, 0.3F, 0.3F, 0.3F, 0.3F, 0.05F}, &masses);
    must_weigh(&grid, 7, (const double[]){1 - 5 * (TWO - 0.3), TWO, TWO, TWO, TWO, TWO, ONE});
    cr_assert(test_at_most(fabs(masses.added - (ONE - 0.05)), 2e-7));
    cr_assert(test_at_most(fabs(masses.lent - 5 * (TWO - 0.3)), 1e-6));
    block_grid_free(&grid);
}

/* At most 4 / lambda^2. */
Test(cut_masses, no_field_has_more_than_the_energy_that_leapfrog_can_step)
{
    struct voxels voxels = cell_room_soup(31, &cell_soup_usual);
    struct block_grid grid;
    double ends[2];
    cell_room_grids(&voxels, 0.3, &grid, NULL);
    struct wide_operator of = wide_operator_of(&grid);
    wide_spectrum(&of, 200, 5, ends);
    cr_assert(test_at_most(ends[1] * 0.3 / 4, 1) && test_above(ends[1] * 0.3 / 4, 0.9), "%.17g", ends[1]);
    wide_operator_free(&of);
    block_grid_free(&grid);
    voxels_free(&voxels);
}

Test(cut_masses, a_turned_room_lends_all_that_its_small_cells_need)
{
    const double centre[3] = {0.13, 0.27, 0.41}, size[3] = {30, 25, 21}, angle[3] = {0.3, 0.2, 0.47};
    struct cell_plane plane[6];
    cell_box_planes(centre, size, angle, 3, plane);
    struct voxels voxels = cell_room_convex(plane, 6);
    struct block_grid grid = {0};
    MUST(block_grid_pack(&voxels, &grid, &failure));
    const uint64_t cuts = grid.cuts;
    size_t shares;
    const double *const share = cut_masses_shares(false, &shares);
    for (size_t n = 0; n < shares; n++) {
        const struct cut_masses masses = measure(&grid, share[n] / 3);
        cr_assert(masses.added == 0 && masses.borrowers > 500);
        cr_assert(test_at_most(fabs(masses.volume / (30 * 25 * 21) - 1), 2e-4));
    }
    cr_assert(grid.lambda2 == 0 && grid.cuts == cuts, "measuring leaves the grid alone");
    struct cut_masses masses;
    MUST(cut_masses_make(&grid, 0.9 / 3, &masses, &failure));
    MUST(block_grid_check(&grid, &failure));
    cr_assert(test_above((double)grid.cuts, (double)cuts), "whole open nodes lend too");
    block_grid_free(&grid);
    voxels_free(&voxels);
}
