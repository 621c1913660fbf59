

#include "blocks/cube_bound.h"
#include "blocks/plaquettes.h"
#include "tests/support/cell_rooms.h"
#include "tests/support/outcome.h"
#include "tests/support/voxel_room.h"
#include "tests/accuracy/wide_operator.h"

/* ---- one cube --------------------------------------------------------------------------------------------
 */

/* u' K_c u from corners and the directions of links alone. */
static double energy(const uint8_t open[CUBE_LINKS], const double u[CUBE_CORNERS])
{
    static const int other[3][2] = {{1, 2}, {0, 2}, {0, 1}};
    double sum = 0;
    for (unsigned a = 0; a < 3; a++)
        for (unsigned n = 0; n < 4; n++) {
            const unsigned i = (n & 1) << other[a][0] | (n >> 1) << other[a][1], j = i | 1u << a;
            sum += open[4 * a + n] / 200.0 * (u[i] - u[j]) * (u[i] - u[j]) / 4;
        }
    for (unsigned normal = 0; normal < 3; normal++)
        for (unsigned side = 0; side < 2; side++) {
            unsigned q[2][2];
            const unsigned e = 1u << other[normal][0], f = 1u << other[normal][1], o = side << normal;
            for (unsigned a = 0; a < 2; a++)
                for (unsigned s = 0; s < 2; s++) {
                    const unsigned axis = (unsigned)other[normal][a], across = (unsigned)other[normal][1 - a],
                                   corner = s << across | o;
                    const unsigned low = (unsigned)other[axis][0], high = (unsigned)other[axis][1];
                    q[a][s] = open[4 * axis + (corner >> low & 1) + 2 * (corner >> high & 1)];
                }
            const double twist = u[o] - u[o | e] - u[o | f] + u[o | e | f];
            sum -= plaquette_weight(q[0], q[1]) / 200.0 / 12 * twist * twist;
        }
    return sum;
}

/* K_c by polarisation. */
static void matrix_of(const uint8_t open[CUBE_LINKS], double k[CUBE_CORNERS][CUBE_CORNERS])
{
    for (int i = 0; i < CUBE_CORNERS; i++)
        for (int j = 0; j < CUBE_CORNERS; j++) {
            double plus[CUBE_CORNERS] = {0}, minus[CUBE_CORNERS] = {0};
            plus[i] += 1, plus[j] += 1;
            minus[i] += 1, minus[j] -= 1;
            k[i][j] = (energy(open, plus) - energy(open, minus)) / 4;
        }
}

/* Eigenvalues of a symmetric matrix, on its diagonal (Jacobi). */
static void turn_to_diagonal(double a[CUBE_CORNERS][CUBE_CORNERS])
{
    for (int round = 0; round < 30; round++)
        for (int p = 0; p < CUBE_CORNERS; p++)
            for (int q = p + 1; q < CUBE_CORNERS; q++) {
                if (a[p][q] == 0)
                    continue;
                const double angle = atan2(2 * a[p][q], a[q][q] - a[p][p]) / 2, c = cos(angle),
                             s = sin(angle);
                for (int k = 0; k < CUBE_CORNERS; k++) {
                    const double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < CUBE_CORNERS; k++) {
                    const double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
                }
            }
}

static double least_eigenvalue(double a[CUBE_CORNERS][CUBE_CORNERS])
{
    double least = INFINITY;
    turn_to_diagonal(a);
    for (int i = 0; i < CUBE_CORNERS; i++)
        least = fmin(least, a[i][i]);
    return least;
}

/* Most that K_c makes of pressures of 1 with any signs: no bound can have a smaller sum. */
static double best_signs(const uint8_t open[CUBE_LINKS])
{
    double best = 0;
    for (unsigned signs = 0; signs < 128; signs++) {
        double u[CUBE_CORNERS];
        for (unsigned i = 0; i < CUBE_CORNERS; i++)
            u[i] = signs >> i & 1 ? -1 : 1;
        best = fmax(best, energy(open, u));
    }
    return best;
}

static void some_cube(uint64_t *seed, uint8_t open[CUBE_LINKS])
{
    const uint64_t kind = test_random(seed) % 4;
    for (int n = 0; n < CUBE_LINKS; n++) {
        const uint64_t pick = test_random(seed);
        const bool shut = pick >> 20 & 1 && (kind == 1 || kind == 3);
        const unsigned some = kind < 2    ? CUT_WHOLE
                              : kind == 2 ? 1 + (unsigned)(pick % 255)
                                          : 1 + (unsigned)(pick % 200);
        open[n] = shut ? 0 : (uint8_t)some;
    }
}

Test(cube_bound, a_whole_cube_has_its_largest_eigenvalue_at_every_corner)
{
    uint8_t open[CUBE_LINKS];
    uint32_t need[CUBE_CORNERS];
    double k[CUBE_CORNERS][CUBE_CORNERS], largest = 0, sum = 0;
    memset(open, CUT_WHOLE, sizeof open);
    cube_bound((const uint8_t(*)[CUBE_LINKS]) & open, 1, &need);
    matrix_of(open, k);
    turn_to_diagonal(k);
    for (int i = 0; i < CUBE_CORNERS; i++)
        largest = fmax(largest, k[i][i]);
    cr_assert(test_at_most(fabs((double)CUBE_NEED_WHOLE / CUBE_NEED_ONE - largest), 1e-8));
    for (int i = 0; i < CUBE_CORNERS; i++)
        sum += (double)need[i] / CUBE_NEED_ONE;
    cr_assert(test_at_most(8 * largest, sum) && test_at_most(sum, 8 * largest * 1.0011), "%.9g", sum / 8);
    /* Eight of them make the limit of lambda^2. */
    cr_assert(test_at_most(fabs(4 / (8 * largest) - 0.75), 1e-8));
}

/* y of a cube holds by eigenvalues; adds to its sum and to the most of all signs. */
static void must_hold(const uint8_t open[CUBE_LINKS], const uint32_t need[CUBE_CORNERS], double sum[2])
{
    double k[CUBE_CORNERS][CUBE_CORNERS];
    matrix_of(open, k);
    for (int i = 0; i < CUBE_CORNERS; i++) {
        cr_assert(k[i][i] != 0 ? need[i] > 0 : need[i] == 0);
        for (int j = 0; j < CUBE_CORNERS; j++)
            k[i][j] = (i == j ? (double)need[i] / CUBE_NEED_ONE : 0) - k[i][j];
        sum[0] += (double)need[i] / CUBE_NEED_ONE;
    }
    const double least = least_eigenvalue(k);
    cr_assert(test_at_most(-least, 1e-14), "%g", least);
    sum[1] += best_signs(open);
}

Test(cube_bound, holds_and_is_tight_for_random_cubes)
{
    uint64_t seed = 19;
    double sum[2] = {0};
    for (int round = 0; round < 1000; round++) {
        uint8_t open[CUBE_LANES][CUBE_LINKS];
        uint32_t need[CUBE_LANES][CUBE_CORNERS], alone[CUBE_CORNERS];
        for (int n = 0; n < CUBE_LANES; n++)
            some_cube(&seed, open[n]);
        cube_bound((const uint8_t(*)[CUBE_LINKS])open, CUBE_LANES, need);
        for (int n = 0; n < CUBE_LANES; n++)
            must_hold(open[n], need[n], sum);
        cube_bound((const uint8_t(*)[CUBE_LINKS])open + 3, 1, &alone);
        cr_assert(memcmp(alone, need[3], sizeof alone) == 0, "what a cube gets depends on those beside it");
    }
    cr_log_info("sum of y over the most of all signs: %.5f", sum[0] / sum[1]);
    cr_assert(test_at_most(sum[0], 1.006 * sum[1]), "%g", sum[0] / sum[1]);
}

/* ---- whole grids -----------------------------------------------------------------------------------------
 */

static const double *shares(void)
{
    size_t count;
    return cut_masses_shares(true, &count);
}

/* Masses for a lambda^2, and then the spectrum of M^-1 K times lambda^2 / 4: at most 1, at least 0. */
static void must_be_stable(struct voxels *voxels, double lambda2, double reaches)
{
    struct block_grid grid = {0};
    struct cut_masses masses;
    double ends[2];
    MUST(block_grid_pack(voxels, &grid, &failure));
    MUST(block_grid_widen(&grid, &failure));
    MUST(cut_masses_make(&grid, lambda2, &masses, &failure));
    MUST(block_grid_check(&grid, &failure));
    struct wide_operator of = wide_operator_of(&grid);
    wide_spectrum(&of, 300, 5, ends);
    cr_log_info("%llu cut nodes: spectrum %.3g to %.6f, added %.3g of %.6g", (unsigned long long)grid.cuts,
                ends[0], ends[1] * lambda2 / 4, masses.added, masses.volume);
    cr_assert(test_at_most(ends[1] * lambda2 / 4, 1), "%.17g", ends[1] * lambda2 / 4);
    cr_assert(test_at_most(-ends[0], 1e-12), "%.17g", ends[0]);
    cr_assert(test_above(ends[1] * lambda2 / 4, reaches), "%.17g", ends[1] * lambda2 / 4);
    wide_operator_free(&of);
    block_grid_free(&grid);
    voxels_free(voxels);
}

Test(cube_bound, no_field_of_a_room_of_random_links_exceeds_it)
{
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct voxel_room room = voxel_room_make(seed);
        struct voxels voxels =
            link_voxels(room.low, room.nodes, room.links, room.air, voxel_room_wall_at, &room);
        must_be_stable(&voxels, 0.75 * shares()[seed - 1], 0.8);
        voxel_room_free(&room);
    }
}

Test(cube_bound, no_field_of_turned_boxes_exceeds_it)
{
    const double centre[3] = {0.13, 0.27, 0.41}, size[3] = {20, 15, 13};
    for (int n = 0; n < 4; n++) {
        const double angle[3] = {0.1 * n, 0.2 * n, 0.47};
        struct cell_plane plane[6];
        cell_box_planes(centre, size, angle, 3, plane);
        struct voxels voxels = cell_room_convex(plane, 6);
        must_be_stable(&voxels, 0.75 * (n == 3 ? 1 : shares()[n]), 0.8);
    }
}

Test(cube_bound, no_field_of_a_soup_with_pieces_exceeds_it)
{
    for (uint64_t seed = 31; seed < 33; seed++) {
        struct voxels voxels = cell_room_soup(seed, &cell_soup_usual);
        must_be_stable(&voxels, 0.6, 0.9);
    }
}
