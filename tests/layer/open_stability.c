/* Is the layer behind open faces stable, whatever stands in it? Scenes of chance
 * (tests/layer/chance_scene.h), both schemes and precisions, hard walls, all faces open or some.
 *
 *   open_stability [SCENES [STEPS [FIRST]]]      8 100000 1
 *
 * A line each; status 1 where the energy was larger at any of 20 looks than at the one before, rounding
 * aside, or the loudest pressure than ten times the start's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/layer/chance_scene.h"

#define LOOKS 20

static bool only_loses(uint64_t n, uint64_t steps)
{
    static const struct wall_material hard = {0};
    const enum scheme scheme = n & 1 ? SCHEME_ISOTROPIC : SCHEME_STANDARD;
    const enum precision precision = n >> 1 & 1 ? PRECISION_DOUBLE : PRECISION_SINGLE;
    const unsigned open = n % 3 == 0 ? 0x3f : (unsigned)(n * 37 % 62 + 1);
    const struct time_step step = time_step_for(scheme, 1.0, 343.2, exact_courant(scheme));
    const struct wall_materials walls = {1, &hard, false, true};
    struct chance_scene *scene = chance_scene_make(n, open, 18 + (int64_t)(n % 5), n % 7 == 0, &step);
    const struct engine_options options = {LAYOUT_BLOCKS, precision, BACKEND_CPU, SIMD_AUTO, 1};
    struct engine *engine = chance_scene_engine(scene, &step, &walls, &options);
    const double start = engine_energy(engine), rounding = precision == PRECISION_SINGLE ? 1e-14 : 1e-28;
    double least = start, energy = start, loudest = 0.0;
    bool sound = true;
    for (int look = 0; look < LOOKS; ++look) {
        engine_run(engine, steps / LOOKS, NULL, NULL);
        energy = engine_energy(engine);
        loudest = engine_health(engine).largest;
        sound = sound && energy <= 2.0 * least + rounding * start;
        least = fmin(least, energy);
    }
    printf("scene %llu: %s points, %s, faces %#x, %llu nodes, %llu steps: %.3g of the energy left, loudest "
           "%.3g%s\n",
           (unsigned long long)n, scheme == SCHEME_STANDARD ? "7" : "19",
           precision == PRECISION_SINGLE ? "single" : "double", open,
           (unsigned long long)scene->blocks.air_nodes, (unsigned long long)engine_steps(engine),
           energy / start, loudest, sound ? "" : ": GREW");
    (void)fflush(stdout);
    engine_free(engine);
    chance_scene_free(scene);
    return sound;
}

int main(int argc, char **argv)
{
    const uint64_t scenes = argc > 1 ? strtoull(argv[1], NULL, 10) : 8,
                   steps = argc > 2 ? strtoull(argv[2], NULL, 10) : 100000,
                   first = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    bool sound = true;
    for (uint64_t n = first; n < first + scenes; ++n)
        sound = only_loses(n, steps) && sound;
    return sound ? 0 : 1;
}
