/* The layer behind open faces in scenes of chance: energy, bits on every back end, images, and that nothing
 * grows. */
#include <math.h>
#include <stdio.h>

#include "tests/layer/chance_scene.h"

static const struct wall_material lossy = {
    3, {{0.4 / 343.2, 3.0, 100.0}, {.E = 20.0}, {0.1 / 343.2, 1.0, 30.0}}};

TEST_SCHEMES(layer_rooms, what_walls_and_open_faces_take_is_all_that_the_energy_loses)
{
    const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
    const struct wall_materials walls = {1, &lossy, scheme == SCHEME_STANDARD, true};
    double worst = 0.0;
    for (int layout = 0; layout < 2; ++layout) {
        struct chance_scene *scene = chance_scene_make(3, 0x2b, 18, false, &step);
        const struct engine_options options = {(enum layout)layout, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO,
                                               2};
        struct engine *engine = chance_scene_engine(scene, &step, &walls, &options);
        double absorbed[2];
        engine_run(engine, 1, NULL, NULL);
        engine_absorbed(engine, absorbed);
        const double start = engine_energy(engine) + absorbed[0] + absorbed[1];
        for (int batch = 0; batch < 12; ++batch) {
            engine_run(engine, 17, NULL, NULL);
            engine_absorbed(engine, absorbed);
            worst = fmax(worst, fabs(engine_energy(engine) + absorbed[0] + absorbed[1] - start) / start);
        }
        cr_assert(absorbed[1] > 0.1 * start && absorbed[0] > 0.1 * start, "%g %g", absorbed[0] / start,
                  absorbed[1] / start);
        cr_assert(worst < 1e-13, "the balance is off by %g", worst);
        engine_free(engine);
        chance_scene_free(scene);
    }
    (void)fprintf(stderr, "energy of open scenes: off by %.1e at most\n", worst);
}

TEST_SCHEMES(layer_rooms, every_back_end_gives_the_bits_of_the_reference_and_goes_on_from_its_image)
{
    const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
    const struct wall_materials walls = {1, &lossy, scheme == SCHEME_STANDARD, true};
    struct chance_scene *scene = chance_scene_make(4, 0x3e, 18, false, &step);
    for (int precision = 0; precision < 2; ++precision) {
        struct taken first = {0};
        uint64_t hash = 0;
        struct back_ends all = {
            .mask = BACK_ENDS_EVERY, .one_precision = true, .precision = (enum precision)precision};
        while (back_ends_next(&all)) {
            struct engine *engine = chance_scene_engine(scene, &step, &walls, &all.options);
            struct taken taken = {0};
            engine_run(engine, 31, NULL, NULL);
            take(engine, 3, &taken);
            engine_run(engine, 20, NULL, NULL);
            back_ends_sound(engine);
            if (first.image == NULL) {
                first = taken;
                hash = engine_hash(engine);
            }
            cr_assert(same_reals(&first, &taken), "%s: another image", engine_description(engine));
            cr_assert(engine_hash(engine) == hash, "%s: another field", engine_description(engine));
            engine_reset(engine);
            put(engine, 2, &first);
            engine_run(engine, 20, NULL, NULL);
            cr_assert(engine_hash(engine) == hash, "%s: another field from an image",
                      engine_description(engine));
            if (taken.image != first.image)
                free(taken.image);
            engine_free(engine);
        }
        free(first.image);
    }
    chance_scene_free(scene);
}

/* Hard walls and hardly any: what stays is in corners that nothing leads out of.
 * open_stability makes 10^5 steps and more of it. */
TEST_SCHEMES(layer_rooms, nothing_grows_whatever_stands_in_the_layer)
{
    static const struct wall_material hard = {0};
    const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
    const struct wall_materials walls = {1, &hard, false, true};
    for (unsigned n = 0; n < 4; ++n) {
        struct chance_scene *scene =
            chance_scene_make(10 + n, n == 0 ? 0x3f : 0x15 + 9 * n, 19, n == 0, &step);
        const struct engine_options options = {LAYOUT_BLOCKS, (enum precision)(n & 1), BACKEND_CPU, SIMD_AUTO,
                                               2};
        struct engine *engine = chance_scene_engine(scene, &step, &walls, &options);
        const double start = engine_energy(engine);
        engine_run(engine, 600, NULL, NULL);
        const double then = engine_energy(engine);
        engine_run(engine, 600, NULL, NULL);
        const double last = engine_energy(engine);
        cr_assert(then < 0.9 * start && last <= then * (1 + 1e-9), "scene %u: energy %g, %g, %g", n, start,
                  then, last);
        cr_assert(n > 0 || last < 0.02 * start, "%g of the energy is left in free air", last / start);
        engine_free(engine);
        chance_scene_free(scene);
    }
}
