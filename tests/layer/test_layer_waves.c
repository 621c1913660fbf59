/* Reflection of an open face with its layer in a duct, compared with the exact discrete theory. */
#define DUCT_STEPS 30000 /* the slowest waves stay in the layer for long */
#include "tests/accuracy/duct_waves.h"
#include "tests/support/back_ends.h"
#include "tests/layer/layer_theory.h"
#include "tests/support/test_support.h"
#include "tests/support/walled_box.h"

static const int64_t across[2] = {4, 5};
static const double degrees[] = {25.0, 45.0, 70.0}; /* between wave and normal */
static const double end_admittance = 0.4;           /* of the other end: takes most of what it gets */

/* Mode (1, 1) of the duct along `direction`, over time. */
static void run(const struct time_step *step, unsigned direction, enum layout layout, double *output)
{
    const unsigned axis = direction / 2, order[2] = {(axis + 1) % 3, (axis + 2) % 3};
    const struct engine_options options = {layout, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO, 1};
    int64_t nodes[3];
    uint16_t face[DIRECTIONS];
    memcpy(face, walled_box_rigid, sizeof face);
    face[direction] = VOXELS_OPEN_FACE;
    face[direction ^ 1U] = 0;
    nodes[axis] = DUCT_LENGTH + LAYER_CELLS;
    for (int t = 0; t < 2; ++t)
        nodes[order[t]] = across[t];
    struct walled_box *room = walled_box_for(nodes, face, step);
    room->blocks.layer[direction] = LAYER_CELLS;
    struct engine *engine = walled_box_engine(room, step, &end_admittance, 1, &options);
    for (int64_t i = 0; i < DUCT_LENGTH; ++i) {
        int64_t node[3];
        node[axis] = direction & 1U ? i : nodes[axis] - 1 - i;
        for (int64_t b = 0; b < across[1]; ++b)
            for (int64_t a = 0; a < across[0]; ++a) {
                node[order[0]] = a;
                node[order[1]] = b;
                const double value = duct_start(i) * cos(PI * ((double)a + 0.5) / (double)across[0]) *
                                     cos(PI * ((double)b + 0.5) / (double)across[1]);
                engine_set(engine, 0, node, value);
                engine_set(engine, 1, node, value);
            }
        node[order[0]] = node[order[1]] = 0;
        const struct stencil stencil = walled_box_stencil(node);
        MUST(engine_add_receiver(engine, &stencil, &failure));
    }
    back_ends_run(engine, &end_admittance, 1, DUCT_STEPS, NULL, output);
    engine_free(engine);
    walled_box_free(room);
}

TEST_SCHEMES(layer_waves, an_open_face_reflects_as_its_theory_says)
{
    static double output[DUCT_LENGTH * DUCT_STEPS];
    const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
    const double k[2] = {PI / (double)across[0], PI / (double)across[1]}, along = hypot(k[0], k[1]);
    double worst = 0.0;
    const unsigned direction = scheme == SCHEME_STANDARD ? 0 : 5;
    run(&step, direction, scheme == SCHEME_STANDARD ? LAYOUT_BOX : LAYOUT_BLOCKS, output);
    duct_must_die(output);
    for (size_t a = 0; a < sizeof degrees / sizeof *degrees; ++a) {
        struct layer_wave wave;
        const double angle = degrees[a] * PI / 180.0;
        const double normal = layer_theory_wave(scheme, step.courant, 2.0 * PI * sin(angle) / along, angle,
                                                atan2(k[1], k[0]), &wave);
        const double complex exact = layer_theory_reflection(&wave, normal);
        const double off = cabs(duct_reflection(output, wave.turn, normal, DUCT_LENGTH - 0.5) - exact);
        cr_assert(off <= 1e-9, "direction %u, %.0f degrees: off by %g", direction, degrees[a], off);
        worst = fmax(worst, off);
    }
    (void)fprintf(stderr, "layer: off by %.1e at most\n", worst);
}
