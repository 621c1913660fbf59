/** Materials for the tests of walls that remember: drawn at random, from hard to soft, with every kind of
 * branch. */
#ifndef TESTS_BRANCH_MATERIALS_H
#define TESTS_BRANCH_MATERIALS_H

#include <criterion/criterion.h>
#include <math.h>

#include "kernels/engine/engine.h"
#include "tests/support/lossy_room.h"
#include "tests/support/outcome.h"

/** A branch whose resonance lies anywhere from far below to far above what a grid of time step `period`
 * carries, its admittance there within 1e-3 to 10; every third lacks one or two of D, E, F. */
static inline struct wall_branch draw_branch(uint64_t *random, double period)
{
    const double turn = exp(test_uniform(random, log(1e-4), log(10.0))); /* omega T */
    const double resistance = exp(test_uniform(random, log(0.1), log(1e3)));
    const double width = exp(test_uniform(random, log(0.1), log(10.0)));
    struct wall_branch branch = {resistance * width / turn * period, resistance,
                                 resistance * width * turn / period};
    switch (test_random(random) % 12) {
    case 0:
        branch.D = 0.0;
        break;
    case 1:
        branch.F = 0.0;
        break;
    case 2:
        branch.E = 0.0;
        break;
    case 3:
        branch.D = branch.F = 0.0;
        break;
    default:
        break;
    }
    return branch;
}

/** `count` materials of 0 to `most` branches; the first has `most`. */
static inline void draw_materials(uint64_t *random, double period, size_t count, size_t most,
                                  struct wall_material *material)
{
    for (size_t m = 0; m < count; ++m) {
        material[m].branches = m == 0 ? most : test_random(random) % (most + 1);
        for (size_t b = 0; b < material[m].branches; ++b)
            material[m].branch[b] = draw_branch(random, period);
    }
}

/** An engine for one of the rooms of lossy_room.h, on a spacing of 1 m. */
static inline struct engine *branch_engine(const struct lossy_room *room, double courant,
                                           const struct wall_materials *walls,
                                           const struct engine_options *options)
{
    struct time_step step;
    struct engine *engine = NULL;
    cr_assert(time_step_choose(1.0, 340.0, courant, &step, &failure) == 0, "%s", failure.sentence);
    cr_assert(engine_create_walls(&engine, &room->blocks, options->layout == LAYOUT_BOX ? &room->box : NULL,
                                  &step, walls, options, &failure) == 0,
              "%s", failure.sentence);
    return engine;
}

#endif
