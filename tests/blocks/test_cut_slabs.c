

#include "blocks/cut_masses.h"
#include "blocks/plaquettes.h"
#include "tests/support/cell_rooms.h"
#include "tests/support/outcome.h"
#include "tests/accuracy/wide_operator.h"

/* Both ways of packing a box for the isotropic operator. */
struct both {
    struct block_grid kept, merged;
    struct cut_masses kept_masses, masses;
};

static void widen(struct block_grid *grid, struct cut_masses *masses)
{
    MUST(block_grid_check(grid, &failure));
    MUST(block_grid_widen(grid, &failure));
    MUST(cut_masses_make(grid, 0.6, masses, &failure));
    MUST(block_grid_check(grid, &failure));
}

/* A box from `low` to `high`, about z turned around its middle. */
static struct both box(const double low[3], const double high[3], double turn)
{
    const double angle[3] = {0, 0, turn};
    struct both both = {0};
    struct cell_plane plane[6];
    double centre[3], size[3];
    for (int a = 0; a < 3; a++) {
        centre[a] = (low[a] + high[a]) / 2;
        size[a] = high[a] - low[a];
    }
    cell_box_planes(centre, size, turn == 0 ? NULL : angle, 6, plane);
    struct voxels voxels = cell_room_convex(plane, 6);
    MUST(block_grid_pack(&voxels, &both.kept, &failure));
    MUST(block_grid_pack_slabs(&voxels, &both.merged, &failure));
    widen(&both.kept, &both.kept_masses);
    widen(&both.merged, &both.masses);
    voxels_free(&voxels);
    return both;
}

static void both_free(struct both *both)
{
    block_grid_free(&both->kept);
    block_grid_free(&both->merged);
}

/* Area of each material, as wall entries have it. */
static void areas_of(const struct block_grid *grid, double area[6])
{
    memset(area, 0, 6 * sizeof *area);
    for (uint64_t w = 0; w < grid->walls; w++)
        area[grid->wall[w].material] += (double)grid->wall[w].weight;
}

/* u' K u of a field that is linear in the places of voxels. */
static double energy_along(const struct block_grid *grid, const double slope[3])
{
    struct wide_operator of = wide_operator_of(grid);
    double *field = calloc(of.nodes, sizeof *field), *out = malloc(of.nodes * sizeof *out), sum = 0;
    cr_assert(field != NULL && out != NULL);
    for (block_id b = 1; b < block_list_first(grid); b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            int64_t node[3];
            block_node(&grid->block[b], slot, node);
            for (int a = 0; a < 3 && block_is_air(grid, b, slot); a++)
                field[(size_t)b * BLOCK_NODES + slot] += slope[a] * (double)node[a];
        }
    wide_operate(&of, field, out);
    for (size_t i = 0; i < of.nodes; i++)
        sum += field[i] * out[i];
    free(field);
    free(out);
    wide_operator_free(&of);
    return sum;
}

struct joined {
    uint64_t end[2];
    double weight, parts;
};

static int by_ends(const void *a, const void *b)
{
    const struct joined *left = a, *right = b;
    if (left->end[0] != right->end[0])
        return left->end[0] < right->end[0] ? -1 : 1;
    return (left->end[1] > right->end[1]) - (left->end[1] < right->end[1]);
}

/* Links of a grid by where their ends are in the merged one, each pair once. */
static size_t links_of(const struct block_grid *grid, const struct block_grid *merged, struct joined **out)
{
    struct wide_operator of = wide_operator_of(grid);
    struct joined *const link = *out = malloc((of.links + 1) * sizeof *link);
    size_t count = 0, sums = 0;
    cr_assert(link != NULL);
    for (size_t n = 0; n < of.links; n++) {
        uint64_t home[2];
        for (int e = 0; e < 2; e++) {
            int64_t node[3];
            block_node(&grid->block[of.link[n].end[e] / BLOCK_NODES], of.link[n].end[e] % BLOCK_NODES, node);
            home[e] = block_grid_home(merged, node);
        }
        if (home[0] != home[1])
            link[count++] = (struct joined){
                .end = {home[0] < home[1] ? home[0] : home[1], home[0] < home[1] ? home[1] : home[0]},
                .weight = of.link[n].weight,
                .parts = 1};
    }
    qsort(link, count, sizeof *link, by_ends);
    for (size_t n = 0; n < count; n++)
        if (sums > 0 && by_ends(&link[sums - 1], &link[n]) == 0) {
            link[sums - 1].weight += link[n].weight;
            link[sums - 1].parts++;
        } else {
            link[sums++] = link[n];
        }
    wide_operator_free(&of);
    return sums;
}

/* No link is cut, none is made: what joins two nodes is the sum of what joined those that they took. */
static void must_have_the_links(const struct both *both)
{
    struct joined *kept, *merged;
    const size_t count = links_of(&both->kept, &both->merged, &kept);
    cr_assert(links_of(&both->merged, &both->merged, &merged) == count);
    for (size_t n = 0; n < count; n++) {
        cr_assert(by_ends(&kept[n], &merged[n]) == 0);
        cr_assert(
            test_at_most(fabs(kept[n].weight - merged[n].weight), 0.0026 * (kept[n].parts + merged[n].parts)),
            "%g %g", kept[n].weight, merged[n].weight);
    }
    free(kept);
    free(merged);
}

static void must_have_the_same(const struct both *both)
{
    must_have_the_links(both);
    double kept[6], merged[6];
    areas_of(&both->kept, kept);
    areas_of(&both->merged, merged);
    for (int m = 0; m < 6; m++)
        cr_assert(test_at_most(fabs(kept[m] - merged[m]), 1e-5 * kept[m]), "material %d", m);
    cr_assert(
        test_at_most(fabs(both->masses.volume - both->kept_masses.volume), 1e-3 * both->kept_masses.volume),
        "%g %g", both->masses.volume, both->kept_masses.volume);
    cr_assert(both->merged.air_nodes + both->merged.merged == both->kept.air_nodes + both->kept.merged);
}

Test(cut_slabs, a_low_layer_is_taken_by_the_one_beside_it)
{
    /* The floor leaves an eighth of its voxels. */
    struct both both = box((const double[]){-0.5, -0.5, 0.375}, (const double[]){11.5, 8.5, 9.5}, 0);
    must_have_the_same(&both);
    cr_assert(both.merged.merged == 12 * 9 && both.merged.extra_links == 0);
    for (int64_t y = 0; y < 9; y++)
        for (int64_t x = 0; x < 12; x++) {
            const uint64_t home = block_grid_home(&both.merged, (const int64_t[]){x, y, 0});
            cr_assert(home == block_grid_index(&both.merged, (const int64_t[]){x, y, 1}));
            const uint64_t record = block_cut_record(&both.merged, (block_id)(home / BLOCK_NODES),
                                                     (unsigned)(home % BLOCK_NODES));
            const struct cut_cell *const cut = &both.merged.cut[record];
            cr_assert(cut->volume == 225 && cut->open[4] == 0 && cut->open[5] == 200);
            cr_assert(cut->open[1] == (x < 11 ? 225 : 0) && cut->open[2] == (y > 0 ? 225 : 0));
            cr_assert(both.merged.plaquette[record][3] == (x < 11 && y < 8 ? 225 : 0));
            cr_assert(both.merged.plaquette[record][7] == (x < 11 ? 200 : 0));
        }
    cr_assert(test_at_most(both.masses.lent, 0) && test_above(both.kept_masses.lent, 1));
    both_free(&both);
}

/* Links that go from one node to another keep all their weight, and what they join is as far apart. */
Test(cut_slabs, fields_along_a_floor_keep_their_energy)
{
    struct both both = box((const double[]){-0.5, -0.5, 0.4}, (const double[]){15.5, 12.5, 9.5}, 0.47);
    must_have_the_same(&both);
    cr_assert(both.merged.merged > 150);
    const double slope[2][3] = {{1, 0, 0}, {0.3, -1, 0}};
    for (int n = 0; n < 2; n++) {
        const double kept = energy_along(&both.kept, slope[n]), merged = energy_along(&both.merged, slope[n]);
        cr_assert(test_at_most(fabs(kept - merged), 2e-3 * kept), "%g %g", kept, merged);
    }
    both_free(&both);
}

/* Fractions of .05 to .19 on all sides: edges and corners, where no node may take more than 255 of 200. */
Test(cut_slabs, edges_and_corners_of_a_room_take_what_they_can)
{
    static const double part[5][3] = {
        {0.1, 0.1, 0.1}, {0.19, 0.19, 0.19}, {0.05, 0.19, 0.1}, {0.19, 0.1, 0.05}, {0.13, 0.05, 0.15}};
    for (int n = 0; n < 5; n++) {
        double low[3], high[3], ends[2];
        for (int a = 0; a < 3; a++) {
            low[a] = 0.5 - part[n][a];
            high[a] = 9.5 + a + part[n][(a + 1) % 3];
        }
        struct both both = box(low, high, 0);
        must_have_the_same(&both);
        cr_assert(both.merged.merged > 400);
        struct wide_operator of = wide_operator_of(&both.merged);
        wide_spectrum(&of, 200, 3, ends);
        cr_assert(test_at_most(ends[1] * 0.6 / 4, 1) && test_at_most(-ends[0], 1e-12), "%g %g", ends[0],
                  ends[1]);
        cr_log_info("%llu merged, %llu extra links, lent %g, added %g (%g without)",
                    (unsigned long long)both.merged.merged, (unsigned long long)both.merged.extra_links,
                    both.masses.lent, both.masses.added, both.kept_masses.added);
        wide_operator_free(&of);
        both_free(&both);
    }
}

Test(cut_slabs, slopes_and_thicker_layers_are_left_alone)
{
    struct both both = box((const double[]){-0.5, -0.5, 0.29}, (const double[]){11.5, 8.5, 9.5}, 0);
    cr_assert(both.merged.merged == 0 && block_grid_hash(&both.merged) == block_grid_hash(&both.kept));
    both_free(&both);
    const double centre[3] = {0.13, 0.27, 0.41}, size[3] = {17, 12, 13}, angle[3] = {0.1, 0.2, 0.47};
    struct cell_plane plane[6];
    struct block_grid kept = {0}, merged = {0};
    cell_box_planes(centre, size, angle, 6, plane);
    struct voxels voxels = cell_room_convex(plane, 6);
    MUST(block_grid_pack(&voxels, &kept, &failure));
    MUST(block_grid_pack_slabs(&voxels, &merged, &failure));
    cr_assert(block_grid_hash(&kept) == block_grid_hash(&merged));
    block_grid_free(&kept);
    block_grid_free(&merged);
    voxels_free(&voxels);
}

/* ---- what it is worth ------------------------------------------------------------------------------------
 */

/* K x = M b by conjugate gradients; both without their mean. */
static void solve(const struct wide_operator *of, const double *b, double *x, double *work)
{
    double *const rest = work, *const way = work + of->nodes, *const out = work + 2 * of->nodes, length = 0;
    memset(x, 0, of->nodes * sizeof *x);
    for (size_t i = 0; i < of->nodes; i++) {
        way[i] = rest[i] = of->air[i] ? of->mass[i] * b[i] : 0;
        length += rest[i] * rest[i];
    }
    const double first = length;
    for (int round = 0; round < 500 && length > 1e-20 * first; round++) {
        double bend = 0, next = 0;
        wide_operate(of, way, out);
        for (size_t i = 0; i < of->nodes; i++)
            bend += way[i] * out[i];
        for (size_t i = 0; i < of->nodes; i++) {
            x[i] += length / bend * way[i];
            rest[i] -= length / bend * out[i];
            next += rest[i] * rest[i];
        }
        for (size_t i = 0; i < of->nodes; i++)
            way[i] = rest[i] + next / length * way[i];
        length = next;
    }
}

/* Lowest eigenvalue of M^-1 K but that of constants, by inverse iteration. */
static double lowest_mode(const struct block_grid *grid)
{
    struct wide_operator of = wide_operator_of(grid);
    double *const field = calloc(5 * of.nodes, sizeof *field), *const next = field + of.nodes, value = 0;
    uint64_t seed = 3;
    cr_assert(field != NULL);
    for (size_t i = 0; i < of.nodes; i++)
        field[i] = of.air[i] ? test_uniform(&seed, -1, 1) : 0;
    for (int round = 0; round < 25; round++) {
        double mean = 0, mass = 0, norm = 0;
        for (size_t i = 0; i < of.nodes; i++) {
            mean += of.air[i] ? of.mass[i] * field[i] : 0;
            mass += of.air[i] ? of.mass[i] : 0;
        }
        for (size_t i = 0; i < of.nodes; i++) {
            field[i] -= of.air[i] ? mean / mass : 0;
            norm += of.air[i] ? of.mass[i] * field[i] * field[i] : 0;
        }
        for (size_t i = 0; i < of.nodes; i++)
            field[i] /= sqrt(norm);
        solve(&of, field, next, field + 2 * of.nodes);
        double dot = 0;
        for (size_t i = 0; i < of.nodes; i++)
            dot += of.air[i] ? of.mass[i] * field[i] * next[i] : 0;
        value = 1 / dot;
        memcpy(field, next, of.nodes * sizeof *field);
    }
    free(field);
    wide_operator_free(&of);
    return value;
}

/* The mode between floor and ceiling of a room of six voxels and a layer of .025 to .125, against the exact
 * one with the dispersion of the lattice along an axis.
 */
Test(cut_slabs, the_mode_across_a_low_layer_is_nearer_by_a_third_and_more)
{
    for (int part = 2; part <= 10; part += 4) {
        const double height = 6 + 0.0125 * part;
        struct both both =
            box((const double[]){-0.5, -0.5, 0.5 - 0.0125 * part}, (const double[]){3.5, 2.5, 6.5}, 0);
        cr_assert(both.merged.merged > 0);
        const double k = acos(-1) / height, exact = 4 * sin(k / 2) * sin(k / 2);
        const double kept = lowest_mode(&both.kept) / exact - 1,
                     merged = lowest_mode(&both.merged) / exact - 1;
        cr_log_info("height %g: frequency off by %.4f %%, and %.4f %% with the slab kept", height,
                    50 * merged, 50 * kept);
        cr_assert(test_at_most(fabs(merged), 0.65 * fabs(kept)));
        both_free(&both);
    }
}
