/* Is the scheme stable with conformal walls, whatever the room? Rooms of chance (slivers, further pieces,
 * extra links) and small turned boxes, walls with branches drawn at random, 200,000 steps in both precisions:
 * energy only falls, and what rounding feeds does not grow.
 *
 *   cut_stability [ROOMS [STEPS [FIRST]]]      4 200000 1
 *
 * Room n, from FIRST on, is a soup where n is odd and a box where it is even; precision alternates every two.
 * A line each; status 1 where energy grew or pressures exceeded LOUDEST. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/engine/engine_fill.h"
#include "tests/support/branch_materials.h"
#include "tests/support/cell_grids.h"

#define MATERIALS 5
#define LOOKS     20
#define LOUDEST   100.0 /* fields start within 3 */

static bool only_loses(uint64_t room, uint64_t steps)
{
    uint64_t random = 1000 + room;
    const double size[3] = {test_uniform(&random, 2.2, 9.0), test_uniform(&random, 2.2, 9.0),
                            test_uniform(&random, 2.2, 9.0)};
    const enum precision precision = room >> 1 & 1 ? PRECISION_DOUBLE : PRECISION_SINGLE;
    const double rounding = precision == PRECISION_SINGLE ? 1e-6 : 1e-14;
    struct cell_grids *grids =
        room & 1 ? cell_grids_soup(room, MATERIALS) : cell_grids_box(size[0], size[1], size[2], MATERIALS);
    const struct time_step step = time_step_of(1.0, 340.0, 0.0);
    struct wall_material material[MATERIALS] = {{0}};
    draw_materials(&random, step.period, MATERIALS, 4, material);
    const struct wall_materials walls = {MATERIALS, material, false, false};
    const struct engine_options options = {LAYOUT_BLOCKS, precision, BACKEND_CPU, SIMD_AUTO, 1};
    struct engine *engine = engine_of(&grids->blocks, &grids->box, &step, NULL, MATERIALS, &walls, &options);
    engine_fill(engine, room);
    /* At rest, so that the mean of no part of the room that is closed and hard moves. */
    for (uint64_t index = 0; index < engine->length; ++index)
        if (engine_is_air(engine, index))
            engine_put(engine, engine->u_old, index, engine_value(engine, engine->u, index));
    const double start = engine_energy(engine);
    double previous = start, loudest = 0.0;
    bool sound = start > 0.0;
    for (int look = 0; sound && look < LOOKS; ++look) {
        engine_run(engine, steps / LOOKS, NULL, NULL);
        const double energy = engine_energy(engine);
        loudest = fmax(loudest, engine_health(engine).largest);
        sound = energy <= previous * (1.0 + rounding) + 1e-6 * rounding * start && loudest < LOUDEST;
        previous = energy;
    }
    printf(
        "room %llu: %llu nodes, %llu cut, %llu extra links, %llu merged, %s, %llu steps: %.3g of the energy "
        "left, loudest %.3g%s\n",
        (unsigned long long)room, (unsigned long long)grids->blocks.air_nodes,
        (unsigned long long)grids->blocks.cuts, (unsigned long long)grids->blocks.extra_links / 2,
        (unsigned long long)grids->blocks.merged, precision == PRECISION_SINGLE ? "single" : "double",
        (unsigned long long)engine_steps(engine), previous / start, loudest, sound ? "" : ": GREW");
    (void)fflush(stdout);
    engine_free(engine);
    cell_grids_free(grids);
    return sound;
}

int main(int count, char **word)
{
    const uint64_t rooms = count > 1 ? strtoull(word[1], NULL, 10) : 4,
                   steps = count > 2 ? strtoull(word[2], NULL, 10) : 200000,
                   first = count > 3 ? strtoull(word[3], NULL, 10) : 1;
    bool sound = true;
    for (uint64_t room = first; room < first + rooms; ++room)
        sound = only_loses(room, steps) && sound;
    return sound ? 0 : 1;
}
