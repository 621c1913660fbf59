/* Rooms that no lattice fits: eigenfrequencies of a rigid sphere and a rigid cylinder, meshed, voxelised and
 * stepped as any room, against the zeros of j_n' and J_m'.
 *
 * The stairs that the walls become cost first order: f comes out low in proportion to h. Their area is too
 * large and the air between them moves with less freedom, and how the circle happens to meet the lattice adds
 * a scatter (the lattice points in a ball). So each spacing is an average over draws of R/h within 6 % and
 * over both places of the centre that keep the lattice's symmetry, on a node and between eight; and three
 * spacings, each half of the one before, are extrapolated to 0 with terms in h and h^2.
 *
 * All modes of a room sound at once and each has a microphone of its own: the nodes that the lattice's
 * symmetries make of one node, weighted by the mode's shape, pick up no mode that transforms otherwise
 * (hardly: the facets of the sphere are not the lattice's); modes that transform alike lie a quarter of their
 * frequency apart and are separated by a Blackman window of 24 periods. */
#include <complex.h>

#include "blocks/cut_masses.h"
#include "geometry/room/voxeliser.h"
#include "tests/support/back_ends.h"
#include "tests/support/closed_mesh.h"
#include "tests/support/solid_mesh.h"
#include "tests/support/test_support.h"

#define PI          3.14159265358979323846
#define SOUND_SPEED 343.2
#define PERIODS     24 /* of the lowest mode */
#define MODES_MAX   8
#define SIDES       256  /* of the prism that stands for a cylinder */
#define CELLS_SHARE 0.85 /* of the largest lambda^2, with conformal walls */

/* Draws of R/h for each spacing, and how much wider the bounds are where there is time for few only. */
#if defined(__SANITIZE_ADDRESS__)
#define SPHERES 2
#define SLACK   3.0
#else
#define SPHERES 6
#define SLACK   1.0
#endif

/* ---- modes ---- */

/* R = 1 m throughout. A mode is `shape`, a homogeneous solution of Laplace's equation of degree `order`,
 * times a function of the distance from the centre (sphere) or axis (cylinder). */
struct mode {
    const char *name;
    double zero; /* of j_n' or J_m' */
    int order;   /* n or m */
    double (*shape)(const double p[3]);
    double share; /* of the modes of its order that the lattice's symmetry makes equal to it */
};

#define SHAPE(name, formula)                                                                                 \
    static double shape_##name(const double p[3])                                                            \
    {                                                                                                        \
        (void)p;                                                                                             \
        return formula;                                                                                      \
    }
SHAPE(one, 1.0)
SHAPE(x, p[0])
SHAPE(z, p[2])
SHAPE(xy, p[0] * p[1])
SHAPE(x2_y2, p[0] * p[0] - p[1] * p[1])
SHAPE(xyz, p[0] * p[1] * p[2])
SHAPE(z3, p[2] * (2.0 * p[2] * p[2] - 3.0 * p[0] * p[0] - 3.0 * p[1] * p[1]))
SHAPE(z_x2_y2, p[2] * (p[0] * p[0] - p[1] * p[1]))
SHAPE(x3, p[0] * (p[0] * p[0] - 3.0 * p[1] * p[1]))

/* Modes of one order follow one another; a cube's symmetry splits the five of n = 2 into 3 + 2 and the seven
 * of n = 3 into 1 + 3 + 3, a square's the two of m = 2 into 1 + 1. */
static const struct mode sphere_mode[] = {{"n = 1", 2.081576, 1, shape_z, 1.0},
                                          {"n = 2", 3.342094, 2, shape_xy, 0.6},
                                          {"n = 2", 3.342094, 2, shape_x2_y2, 0.4},
                                          {"n = 0", 4.493409, 0, shape_one, 1.0},
                                          {"n = 3", 4.514100, 3, shape_xyz, 1.0 / 7.0},
                                          {"n = 3", 4.514100, 3, shape_z3, 3.0 / 7.0},
                                          {"n = 3", 4.514100, 3, shape_z_x2_y2, 3.0 / 7.0}};
static const struct mode disc_mode[] = {{"m = 1", 1.841184, 1, shape_x, 1.0},
                                        {"m = 2", 3.054237, 2, shape_xy, 0.5},
                                        {"m = 2", 3.054237, 2, shape_x2_y2, 0.5},
                                        {"m = 0", 3.831706, 0, shape_one, 1.0},
                                        {"m = 3", 4.201189, 3, shape_x3, 1.0}};
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* 0F1(b; x): j_n(s) / s^n and J_m(s) / s^m are multiples of it with b = n + 3/2, m + 1 and x = -s^2 / 4. */
static double confluent(double b, double x)
{
    double sum = 1.0, term = 1.0;
    for (int k = 1; k < 60; ++k) {
        term *= x / (k * (b + k - 1.0));
        sum += term;
    }
    return sum;
}

/* `length` of the cylinder, 0 for a sphere; the origin is in the middle. */
static double pressure(const struct mode *mode, double length, const double p[3])
{
    const bool sphere = length == 0.0;
    const double distance2 = p[0] * p[0] + p[1] * p[1] + (sphere ? p[2] * p[2] : 0.0);
    return mode->shape(p) *
           confluent(mode->order + (sphere ? 1.5 : 1.0), -0.25 * mode->zero * mode->zero * distance2);
}

static double exact_frequency(const struct mode *mode)
{
    return SOUND_SPEED / (2.0 * PI) * mode->zero;
}

/* ---- rooms ---- */

/* Facets lie inside the round: the mesh is blown up until it holds the round's volume. */
static void make_sphere(struct mesh *mesh)
{
    solid_icosphere(mesh, (const double[3]){0.0, 0.0, 0.0}, 1.0, 4);
    const double scale = cbrt(4.0 * PI / 3.0 / fabs(enclosed_volume(mesh)));
    for (size_t v = 0; v < mesh->vertex_count; ++v)
        for (int axis = 0; axis < 3; ++axis)
            mesh->vertex[v][axis] *= scale;
}

static void make_cylinder(struct mesh *mesh, double length)
{
    const uint16_t wall = solid_material(mesh, "wall");
    const double radius = sqrt(PI / (0.5 * SIDES * sin(2.0 * PI / SIDES)));
    uint32_t ring[2][SIDES], hub[2];
    for (int end = 0; end < 2; ++end) {
        const double z = (end - 0.5) * length;
        hub[end] = solid_vertex(mesh, NULL, (const double[3]){0.0, 0.0, z});
        for (int k = 0; k < SIDES; ++k) {
            const double angle = 2.0 * PI * k / SIDES;
            ring[end][k] =
                solid_vertex(mesh, NULL, (const double[3]){radius * cos(angle), radius * sin(angle), z});
        }
    }
    for (int k = 0; k < SIDES; ++k) {
        const int next = (k + 1) % SIDES;
        solid_triangle(mesh, hub[0], ring[0][next], ring[0][k], wall);
        solid_triangle(mesh, hub[1], ring[1][k], ring[1][next], wall);
        solid_triangle(mesh, ring[0][k], ring[0][next], ring[1][next], wall);
        solid_triangle(mesh, ring[0][k], ring[1][next], ring[1][k], wall);
    }
}

/* Air of a round room with R = `ratio` spacings; its middle stands on a node or between nodes, in a cylinder
 * of whole layers between its ends. */
static void fill_room(double ratio, int64_t layers, bool on_node, bool cells, struct block_grid *blocks)
{
    const double h = 1.0 / ratio, length = (double)layers * h;
    const double drawn = cells ? 0.98 * length : length; /* clear of the faces of voxels */
    struct mesh mesh = {0};
    if (layers == 0)
        make_sphere(&mesh);
    else
        make_cylinder(&mesh, drawn);
    const double across = on_node ? 0.0 : 0.5 * h,
                 phase[3] = {across, across, layers == 0 ? across : 0.5 * (h - length)};
    const struct voxel_seed seed = {.kind = SEED_SOURCE,
                                    .name = "middle",
                                    .position = {0.1 * h, 0.2 * h, layers % 2 ? 0.1 * h : 0.4 * h}};
    const struct voxelise_options options = {.cells = cells};
    double low[3], high[3];
    struct lattice lattice;
    struct voxels voxels = {0};
    MUST(mesh_bounds(&mesh, low, high, &failure));
    MUST(lattice_fit(low, high, h, phase, &lattice, &failure));
    MUST(voxelise(&mesh, &lattice, &seed, 1, &options, &voxels, NULL, NULL, &failure));
    MUST(block_grid_pack(&voxels, blocks, &failure));
    voxels_free(&voxels);
    mesh_free(&mesh);
}

/* The images of a node under the symmetries of the lattice about the middle (of a cylinder: about its axis,
 * in a layer near its lower end), weighted by a mode. */
static struct stencil make_microphone(const struct block_grid *blocks, const struct mode *mode, double length)
{
    static const double sphere_place[3] = {0.60, 0.28, 0.45}, cylinder_place[3] = {0.74, 0.33, 0.0};
    static const int order[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
    const struct lattice *lattice = &blocks->lattice;
    const bool sphere = length == 0.0;
    struct stencil stencil = {0};
    double place[3];
    for (int axis = 0; axis < 3; ++axis) {
        const double wanted = sphere ? sphere_place[axis] : axis < 2 ? cylinder_place[axis] : -0.45 * length;
        place[axis] = lattice->origin[axis] +
                      round((wanted - lattice->origin[axis]) / lattice->spacing) * lattice->spacing;
    }
    for (int o = 0; o < (sphere ? 6 : 2); ++o)
        for (int mirror = 0; mirror < (sphere ? 8 : 4); ++mirror) {
            double image[3];
            for (int axis = 0; axis < 3; ++axis) {
                image[axis] = place[order[o][axis]] * (mirror >> axis & 1 ? -1.0 : 1.0);
                stencil.node[stencil.count][axis] =
                    llround((image[axis] - lattice->origin[axis]) / lattice->spacing);
            }
            cr_assert(block_grid_links(blocks, stencil.node[stencil.count]) != 0);
            stencil.weight[stencil.count++] = pressure(mode, length, image);
        }
    return stencil;
}

/* ---- frequencies ---- */

static double level_at(const double *sampled, size_t steps, double turn)
{
    double complex sum = 0.0;
    for (size_t n = 0; n < steps; ++n) {
        const double x = 2.0 * PI * ((double)n + 0.5) / (double)steps;
        sum += sampled[n] * (0.42 - 0.5 * cos(x) + 0.08 * cos(2.0 * x)) * cexp(-I * turn * (double)n);
    }
    return cabs(sum);
}

/* The strongest frequency within 12 % of `near`, in radians a step. */
static double find_peak(const double *sampled, size_t steps, double near)
{
    const double line = 2.0 * PI / (double)steps;
    double best = near, most = 0.0;
    for (double turn = 0.88 * near; turn < 1.12 * near; turn += 0.4 * line) {
        const double level = level_at(sampled, steps, turn);
        if (level > most) {
            most = level;
            best = turn;
        }
    }
    for (double step = 0.4 * line; step > 1e-7 * near; step *= 0.3) {
        const double below = level_at(sampled, steps, best - step), at = level_at(sampled, steps, best),
                     above = level_at(sampled, steps, best + step);
        best += 0.5 * step * (below - above) / (below - 2.0 * at + above);
    }
    return best;
}

/* All modes started at rest with their exact shapes; `turn` receives their frequencies [rad a step], and the
 * step is returned. `layers` is 0 for a sphere. */
static struct time_step sound_modes(const struct mode *mode, size_t modes, double ratio, int64_t layers,
                                    bool on_node, bool cells, double *turn)
{
    struct block_grid blocks = {0};
    struct box_grid box = {0};
    const double h = 1.0 / ratio, length = (double)layers * h, rigid = 0.0;
    const struct time_step step = time_step_of(h, SOUND_SPEED, cells ? sqrt(CELLS_SHARE / 3.0) : 0.0);
    /* A single layer fills an eighth of its blocks. */
    const enum layout layout = layers == 1 ? LAYOUT_BOX : LAYOUT_BLOCKS;
    const struct engine_options options = {layout, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    fill_room(ratio, layers, on_node, cells, &blocks);
    if (cells) {
        struct cut_masses masses;
        MUST(cut_masses_make(&blocks, step.lambda2, &masses, &failure));
        cr_expect(test_at_most(masses.added, CUT_MASSES_ADDED_MOST * masses.volume), "%g of %g added",
                  masses.added, masses.volume);
    }
    MUST(box_grid_from_blocks(&blocks, &box, &failure));
    struct engine *engine = engine_of(&blocks, &box, &step, &rigid, 1, NULL, &options);
    for (int64_t z = blocks.air_low[2]; z <= blocks.air_high[2]; ++z)
        for (int64_t y = blocks.air_low[1]; y <= blocks.air_high[1]; ++y)
            for (int64_t x = blocks.air_low[0]; x <= blocks.air_high[0]; ++x) {
                const int64_t node[3] = {x, y, z};
                double place[3], sum = 0.0;
                if (block_grid_links(&blocks, node) == 0)
                    continue;
                lattice_position(&blocks.lattice, node, place);
                for (size_t m = 0; m < modes; ++m)
                    sum += pressure(&mode[m], length, place);
                engine_set(engine, 0, node, sum);
                engine_set(engine, 1, node, sum);
            }
    double lowest = INFINITY;
    for (size_t m = 0; m < modes; ++m) {
        const struct stencil stencil = make_microphone(&blocks, &mode[m], length);
        MUST(engine_add_receiver(engine, &stencil, &failure));
        lowest = fmin(lowest, exact_frequency(&mode[m]));
    }
    const size_t steps = (size_t)(PERIODS * step.rate / lowest);
    double *sampled = malloc(modes * steps * sizeof *sampled);
    cr_assert(sampled != NULL);
    back_ends_run(engine, &rigid, 1, steps, NULL, sampled);
    for (size_t m = 0; m < modes; ++m)
        turn[m] = find_peak(sampled + m * steps, steps, 2.0 * PI * exact_frequency(&mode[m]) / step.rate);
    free(sampled);
    engine_free(engine);
    box_grid_free(&box);
    block_grid_free(&blocks);
    return step;
}

/* Relative error of each mode at R = about `ratio` spacings, on average. */
static void mean_errors(const struct mode *mode, size_t modes, double ratio, int64_t layers, int draws,
                        uint64_t *random, double *error)
{
    memset(error, 0, modes * sizeof *error);
    for (int draw = 0; draw < draws; ++draw) {
        double turn[MODES_MAX];
        const double drawn = ratio * (0.94 + 0.12 * (draw + test_uniform(random, 0.0, 1.0)) / draws);
        const struct time_step step = sound_modes(mode, modes, drawn, layers, draw % 2 == 0, false, turn);
        for (size_t m = 0; m < modes; ++m)
            error[m] += (turn[m] * step.rate / (2.0 * PI) / exact_frequency(&mode[m]) - 1.0) / draws;
    }
}

/* Mean errors of the modes of one order, and what is left at h = 0. */
struct trend {
    const char *name;
    double error[3];
    double limit;
};

static const double spacings[3] = {8.3, 16.6, 33.2}; /* R/h */

static size_t find_trends(const char *room, const struct mode *mode, size_t modes, int64_t layers, int draws,
                          struct trend *trend)
{
    double error[3][MODES_MAX];
    uint64_t random = 1787;
    size_t count = 0;
    for (int n = 0; n < 3; ++n)
        mean_errors(mode, modes, spacings[n], layers, draws, &random, error[n]);
    for (size_t m = 0; m < modes; ++count) {
        struct trend *t = &trend[count];
        *t = (struct trend){.name = mode[m].name};
        for (const int order = mode[m].order; m < modes && mode[m].order == order; ++m)
            for (int n = 0; n < 3; ++n)
                t->error[n] += mode[m].share * error[n][m];
        t->limit = (8.0 * t->error[2] - 6.0 * t->error[1] + t->error[0]) / 3.0;
        (void)fprintf(stderr, "%s, %s: %+.2f, %+.2f, %+.2f %% at R/h = 8.3, 16.6, 33.2; %+.3f %% at h = 0\n",
                      room, t->name, 100.0 * t->error[0], 100.0 * t->error[1], 100.0 * t->error[2],
                      100.0 * t->limit);
    }
    return count;
}

/* Low everywhere, in proportion to h from the second spacing on, and right at h = 0. `slope` is error over
 * h/R at the finest spacing, measured when the test was written. */
static void check_trend(const struct trend *trend, double slope)
{
    const double middle = trend->error[1] * spacings[1], fine = trend->error[2] * spacings[2];
    cr_expect(test_near(trend->limit, 0.0, 0.002 * SLACK), "%s: off by %g %% at h = 0", trend->name,
              100.0 * trend->limit);
    for (int n = 0; n < 3; ++n)
        cr_expect(trend->error[n] < 0.001 * (SLACK - 1.0), "%s: %g %% at R/h = %g", trend->name,
                  100.0 * trend->error[n], spacings[n]);
    cr_expect(test_near(fine, slope, 0.02 * SLACK), "%s: %g h/R, not %g", trend->name, fine, slope);
    cr_expect(test_near(middle, fine, 0.04 * SLACK), "%s: %g and then %g h/R", trend->name, middle, fine);
}

Test(round_rooms, modes_of_a_sphere_come_out_low_in_proportion_to_h_and_right_at_h_0)
{
    static const double slope[] = {-0.20, -0.275, -0.01, -0.34};
    struct trend trend[MODES_MAX];
    const size_t count = find_trends("sphere", sphere_mode, COUNT(sphere_mode), 0, SPHERES, trend);
    cr_assert(count == COUNT(slope));
    for (size_t t = 0; t < count; ++t)
        check_trend(&trend[t], slope[t]);
}

/* ---- conformal walls ---- */

/* What the lattice itself makes of waves from all sides, on average: 4 sum sin^2(k_d h/2) over k^2, in space
 * or in a plane. */
static double lattice_share(double wave, bool plane)
{
    const double square = wave * wave;
    return plane ? 1.0 - square / 16.0 + square * square / 576.0
                 : 1.0 - square / 20.0 + square * square / 840.0;
}

/* Errors of the modes of each order at two spacings, the lattice's dispersion apart. */
static void check_cells(const char *room, const struct mode *mode, size_t modes, int64_t layers, int draws,
                        const double ratio[2], double most)
{
    double error[2][MODES_MAX] = {{0}};
    uint64_t random = 1787;
    size_t orders = 0;
    for (int n = 0; n < 2; ++n)
        for (int draw = 0; draw < draws; ++draw) {
            double turn[MODES_MAX], drawn = ratio[n] * test_uniform(&random, 0.94, 1.06);
            const struct time_step step = sound_modes(mode, modes, drawn, layers, draw % 2 == 0, true, turn);
            orders = 0;
            for (size_t m = 0; m < modes; ++orders) {
                double sum = 0.0;
                for (const int order = mode[m].order; m < modes && mode[m].order == order; ++m) {
                    const double wave = mode[m].zero / drawn,
                                 symbol = wave * wave * lattice_share(wave, layers == 1);
                    sum += mode[m].share * (turn[m] / (2.0 * asin(0.5 * sqrt(step.lambda2 * symbol))) - 1.0);
                }
                error[n][orders] += sum * sum / draws;
            }
        }
    double sum[2] = {0.0, 0.0};
    for (size_t o = 0; o < orders; ++o) {
        (void)fprintf(stderr, "%s, order %zu: %.4f and %.4f %% at R/h = %g and %g\n", room, o,
                      100.0 * sqrt(error[0][o]), 100.0 * sqrt(error[1][o]), ratio[0], ratio[1]);
        for (int n = 0; n < 2; ++n)
            sum[n] += error[n][o] / (double)orders;
    }
    const double order = 0.5 * log2(sum[0] / sum[1]) / log2(ratio[1] / ratio[0]);
    (void)fprintf(stderr, "%s: order %.2f\n", room, order);
    cr_expect(test_at_most(sqrt(sum[0]), most), "%s: off by %g", room, sqrt(sum[0]));
    cr_expect(test_at_least(order, 1.8), "%s: order %g", room, order);
}

Test(round_rooms, with_conformal_walls_modes_of_a_sphere_are_right_to_second_order)
{
    static const double ratio[2] = {5.0, 12.0};
    check_cells("sphere", sphere_mode, COUNT(sphere_mode), 0, 3, ratio, 0.005);
}

Test(round_rooms, with_conformal_walls_modes_of_a_cylinder_are_right_to_second_order)
{
    static const double ratio[2] = {5.0, 12.0};
    check_cells("cylinder", disc_mode, COUNT(disc_mode), 1, 12, ratio, 0.005);
}
