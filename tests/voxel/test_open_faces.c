/* How well the faces of an open scene absorb, held against the exact discrete reflection coefficient of a
 * wall with admittance 1, half a cell behind the last node (numerics of the scheme): on an axis with the
 * wavenumber k (x h)
 *
 *     R = (S - W e^{jk/2}) / (S + W e^{-jk/2}),   S = 2 lambda sin(k/2),   W = sin(omega T).
 *
 * In the corner of a scene whose faces are open or rigid walls the scheme is solved exactly by the product of
 * e^{jkx} + R e^{-jkx} over the axes, x counted from the face and R = 1 at a rigid wall: the wall terms of an
 * edge or corner node add up. A scene is started with that field at two steps and must keep to it as far as
 * the other end of the scene is not heard, one node a step. */
#include <complex.h>

#include "blocks/block_grid.h"
#include "blocks/box_grid.h"
#include "geometry/room/voxeliser.h"
#include "kernels/engine/engine.h"
#include "tests/support/back_ends.h"
#include "tests/support/outcome.h"
#include "tests/support/solid_mesh.h"

#define PI    3.14159265358979323846
#define NODES 44
#define STEPS 30

struct scene {
    struct block_grid blocks;
    struct box_grid box;
    uint64_t open_links;
};

/* A cube of NODES metres and nodes whose high faces are open where `open` says so. */
static void make_scene(const bool open[3], struct scene *scene)
{
    struct mesh mesh = {0};
    const uint16_t wall = solid_material(&mesh, "wall");
    const double corner[2] = {0.0, 0.0}, opposite[2] = {NODES, NODES};
    for (int axis = 0; axis < 3; ++axis) {
        solid_panel(&mesh, NULL, axis, 0.0, corner, opposite, wall);
        if (!open[axis])
            solid_panel(&mesh, NULL, axis, NODES, corner, opposite, wall);
    }
    const struct voxel_seed seed = {.kind = SEED_SOURCE, .name = "source", .position = {20.3, 20.4, 20.2}};
    const struct voxelise_options options = {.open = true};
    struct voxel_findings findings = {0};
    struct voxels voxels = {0};
    struct lattice lattice;
    double low[3], high[3];
    cr_assert(mesh_bounds(&mesh, low, high, &failure) == 0 &&
                  lattice_fit(low, high, 1.0, NULL, &lattice, &failure) == 0 &&
                  voxelise(&mesh, &lattice, &seed, 1, &options, &voxels, &findings, NULL, &failure) == 0 &&
                  block_grid_pack(&voxels, &scene->blocks, &failure) == 0 &&
                  box_grid_from_blocks(&scene->blocks, &scene->box, &failure) == 0,
              "%s", failure.sentence);
    scene->open_links = findings.open_face_links;
    voxel_findings_free(&findings);
    voxels_free(&voxels);
    mesh_free(&mesh);
}

/* A plane wave against the high corner, and what comes back. */
struct wave {
    double k[3]; /* x h */
    double turn; /* omega T */
    double complex reflection[3];
};

static struct wave make_wave(const double direction[3], double points, const bool open[3],
                             const struct time_step *step)
{
    struct wave wave;
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        wave.k[axis] = 2.0 * PI / points * direction[axis];
        sum += pow(sin(0.5 * wave.k[axis]), 2.0);
    }
    wave.turn = 2.0 * asin(step->courant * sqrt(sum));
    for (int axis = 0; axis < 3; ++axis) {
        const double s = 2.0 * step->courant * sin(0.5 * wave.k[axis]), w = sin(wave.turn);
        wave.reflection[axis] =
            open[axis] ? (s - w * cexp(I * 0.5 * wave.k[axis])) / (s + w * cexp(-I * 0.5 * wave.k[axis]))
                       : 1.0;
    }
    return wave;
}

static double wave_at(const struct wave *wave, const int64_t node[3], int n)
{
    double complex value = cexp(I * wave->turn * n);
    for (int axis = 0; axis < 3; ++axis) {
        const double x = NODES - 0.5 - (double)node[axis];
        value *= cexp(I * wave->k[axis] * x) + wave->reflection[axis] * cexp(-I * wave->k[axis] * x);
    }
    return creal(value);
}

/* Largest departure from the wave after STEPS steps, near the corner. */
static double departure(const struct scene *scene, const struct wave *wave, const struct time_step *step,
                        enum layout layout)
{
    const struct engine_options options = {layout, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    const double rigid = 0.0;
    struct engine *engine = NULL;
    double worst = 0.0;
    cr_assert(engine_create(&engine, &scene->blocks, layout == LAYOUT_BOX ? &scene->box : NULL, step, &rigid,
                            1, &options, &failure) == 0,
              "%s", failure.sentence);
    for (int pass = 0; pass < 2; ++pass) {
        const int64_t first = pass == 0 ? 0 : STEPS + 1;
        for (int64_t z = first; z < NODES; ++z)
            for (int64_t y = first; y < NODES; ++y)
                for (int64_t x = first; x < NODES; ++x) {
                    const int64_t node[3] = {x, y, z};
                    if (pass == 0) {
                        engine_set(engine, 0, node, wave_at(wave, node, 0));
                        engine_set(engine, 1, node, wave_at(wave, node, -1));
                    } else {
                        const double apart = fabs(engine_get(engine, 0, node) - wave_at(wave, node, STEPS));
                        worst = apart <= worst ? worst : apart;
                    }
                }
        if (pass == 0)
            back_ends_run(engine, &rigid, 1, STEPS, NULL, NULL);
    }
    engine_free(engine);
    return worst;
}

Test(open_faces, reflect_as_the_discrete_theory_of_admittance_one_says)
{
    static const double degrees[] = {0.0, 30.0, 45.0, 60.0}, points[] = {10.5, 21.0, 42.0};
    struct time_step step;
    cr_assert(time_step_choose(SCHEME_STANDARD, 1.0, 343.2, 0.0, &step, NULL) == 0);
    (void)fprintf(stderr, "reflection of an open face: angle, points per wavelength, level\n");
    for (int axis = 0; axis < 3; ++axis) {
        const bool open[3] = {axis == 0, axis == 1, axis == 2};
        struct scene scene = {0};
        make_scene(open, &scene);
        cr_assert(scene.open_links == NODES * NODES);
        for (size_t a = 0; a < sizeof degrees / sizeof *degrees; ++a)
            for (size_t p = 0; p < sizeof points / sizeof *points; ++p) {
                const double angle = degrees[a] * PI / 180.0;
                double direction[3];
                direction[axis] = cos(angle);
                direction[(axis + 1) % 3] = 0.8 * sin(angle);
                direction[(axis + 2) % 3] = 0.6 * sin(angle);
                const struct wave wave = make_wave(direction, points[p], open, &step);
                const double worst = departure(&scene, &wave, &step, p == 0 ? LAYOUT_BOX : LAYOUT_BLOCKS);
                if (axis == 0)
                    (void)fprintf(stderr, "  %2.0f deg  %4.1f  %6.1f dB\n", degrees[a], points[p],
                                  20.0 * log10(cabs(wave.reflection[0])));
                cr_expect(test_near(worst, 0.0, 1e-12), "axis %d, %.0f deg, %.1f points: %g off", axis,
                          degrees[a], points[p], worst);
            }
        box_grid_free(&scene.box);
        block_grid_free(&scene.blocks);
    }
}

Test(open_faces, at_an_edge_and_in_a_corner_each_face_takes_its_own_share)
{
    static const bool open[2][3] = {{true, false, true}, {true, true, true}};
    static const double direction[3] = {0.62, 0.48, 0.62};
    struct time_step step;
    cr_assert(time_step_choose(SCHEME_STANDARD, 1.0, 343.2, 0.0, &step, NULL) == 0);
    for (int n = 0; n < 2; ++n) {
        struct scene scene = {0};
        make_scene(open[n], &scene);
        cr_assert(scene.open_links == (uint64_t)(n + 2) * NODES * NODES);
        for (int layout = 0; layout < 2; ++layout) {
            const struct wave wave = make_wave(direction, 14.0, open[n], &step);
            const double worst = departure(&scene, &wave, &step, (enum layout)layout);
            cr_expect(test_near(worst, 0.0, 1e-12), "%d open faces, layout %d: %g off", n + 2, layout, worst);
        }
        box_grid_free(&scene.box);
        block_grid_free(&scene.blocks);
    }
}
