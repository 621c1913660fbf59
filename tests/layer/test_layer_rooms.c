/* The layer behind open faces in random scenes: energy, bits on every back end, images, stability. */
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

struct open_room {
    const struct chance_scene *scene;
    const struct time_step *step;
    const struct wall_materials *walls;
};

static struct engine *make_engine(const void *context, const struct engine_options *options)
{
    const struct open_room *room = context;
    return chance_scene_engine(room->scene, room->step, room->walls, options);
}

TEST_SCHEMES(layer_rooms, every_back_end_gives_the_bits_of_the_reference_and_goes_on_from_its_image)
{
    const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
    const struct wall_materials walls = {1, &lossy, scheme == SCHEME_STANDARD, true};
    struct chance_scene *scene = chance_scene_make(4, 0x3e, 18, false, &step);
    back_ends_agree(make_engine, &(const struct open_room){scene, &step, &walls});
    chance_scene_free(scene);
}

/* Rigid walls; sound that stays is in closed corners. */
TEST_SCHEMES(layer_rooms, nothing_grows_whatever_stands_in_the_layer)
{
    static const struct wall_material hard = {0};
    const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
    const struct wall_materials walls = {1, &hard, false, true};
    const bool whole = test_share(10) == 10;
    for (unsigned n = 0; n < (whole ? 20 : 4); ++n) {
        struct chance_scene *scene =
            chance_scene_make(10 + n, n == 0 ? 0x3f : 0x15 + 9 * n, 19, n == 0, &step);
        const struct engine_options options = {LAYOUT_BLOCKS, (enum precision)(n & 1), BACKEND_CPU, SIMD_AUTO,
                                               2};
        struct engine *engine = chance_scene_engine(scene, &step, &walls, &options);
        const double start = engine_energy(engine);
        engine_run(engine, 600, NULL, NULL);
        const double then = engine_energy(engine);
        engine_run(engine, whole ? 99400 : 600, NULL, NULL);
        const double last = engine_energy(engine);
        cr_assert(then < 0.9 * start && last <= then * (1 + 1e-9), "scene %u: energy %g, %g, %g", n, start,
                  then, last);
        cr_assert(n > 0 || last < 0.02 * start, "%g of the energy is left in free air", last / start);
        engine_free(engine);
        chance_scene_free(scene);
    }
}
