/** Materials for the tests of frequency-dependent walls: drawn at random, from hard to soft, with every kind
 * of branch. */
#ifndef TESTS_BRANCH_MATERIALS_H
#define TESTS_BRANCH_MATERIALS_H

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

#endif
