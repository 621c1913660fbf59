/* Source and receiver may change places: also at walls that absorb, anywhere in a cell. */
#include <math.h>

#include "tests/support/back_ends.h"
#include "tests/support/lossy_room.h"

enum { STEPS = 1500 };

static double one_way(const struct lossy_room *room, const struct engine_options *options,
                      const struct stencil *from, const struct stencil *to, double *sampled)
{
    struct engine *engine = room_engine(
        room, exact_courant(room->blocks.isotropic ? SCHEME_ISOTROPIC : SCHEME_STANDARD), options);
    static const double drive[STEPS] = {1.0, -1.0};
    double largest = 0.0;
    MUST(engine_add_source(engine, from, &failure));
    MUST(engine_add_receiver(engine, to, &failure));
    back_ends_run(engine, room_admittance, ROOM_MATERIALS, STEPS, drive, sampled);
    for (int n = 0; n < STEPS; ++n)
        largest = fmax(largest, fabs(sampled[n]));
    engine_free(engine);
    return largest;
}

/* A random position in the cell of an air node for which `wanted` holds: 1 at an absorbing wall, 0 in the
 * clear. */
static void random_stencil(const struct lossy_room *room, bool at_wall, uint64_t *random,
                           struct stencil *stencil)
{
    for (;;) {
        const size_t n = (size_t)(test_random(random) % room_size(room));
        int64_t node[3];
        double position[3];
        room_node(room, n, node);
        if (room->link[n] == 0 || (room_wall_sum(room, n) > 0.5) != at_wall)
            continue;
        for (int axis = 0; axis < 3; ++axis)
            position[axis] = (double)node[axis] + test_uniform(random, -0.5, 0.5);
        MUST(stencil_make(&room->blocks, position, node, INTERPOLATION_CUBIC, stencil, &failure));
        if (at_wall || stencil->used == INTERPOLATION_CUBIC)
            return;
    }
}

TEST_SCHEMES(reciprocity, swapping_source_and_receiver_changes_nothing)
{
    static double there[STEPS], back[STEPS];
    struct lossy_room *room = room_for(scheme, room_ragged(41, 23, 19, 21, 0.08, 0.04, 13));
    uint64_t random = 17;
    for (int trial = 0; trial < 6; ++trial) {
        const struct engine_options options = {trial % 2 ? LAYOUT_BOX : LAYOUT_BLOCKS, PRECISION_DOUBLE,
                                               BACKEND_CPU, SIMD_AUTO, 1};
        struct stencil a, b;
        random_stencil(room, trial < 4, &random, &a);
        random_stencil(room, trial < 2, &random, &b);
        const double largest = one_way(room, &options, &a, &b, there);
        cr_assert(largest > 1e-5, "trial %d is silent", trial);
        (void)one_way(room, &options, &b, &a, back);
        for (int n = 0; n < STEPS; ++n)
            cr_assert(test_near(there[n], back[n], 1e-12 * largest), "trial %d, sample %d: %.15g and %.15g",
                      trial, n, there[n], back[n]);
    }
    room_free(room);
}
