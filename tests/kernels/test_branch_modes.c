/* A box whose walls remember decays as the exact condition between its walls says. */
#include "tests/support/box_mode.h"
#include "tests/support/outcome.h"

/* What the entry of a wall across `axis` remembers before the step from u = `here` on, at a node of a mode. A
 * branch is 2 D' (zV - V) + (E + F'/2)(zV + V) + 2 F' g = q with g = V (z + 1) / (2 (z - 1)). Of what drives
 * the wall, (z - 1/z) u, the air of half a cell takes (zV - V) / lambda summed over the branches; q is the
 * rest. */
static void remembered(const struct mode *mode, int axis, double complex here, double complex *v,
                       double complex *g)
{
    const struct wall_material *wall = &mode->wall[axis];
    const double period = mode->step->period;
    const double complex z = mode->z, spring = (1.0 + z) / (2.0 * (z - 1.0));
    double complex sum = 0.0;
    for (size_t m = 0; m < wall->branches; ++m) {
        const double mass = wall->branch[m].D / period, stiffness = wall->branch[m].F * period;
        v[m] = 1.0 / (2.0 * mass * (z - 1.0) + wall->branch[m].E * (z + 1.0) +
                      stiffness * (0.5 * (z + 1.0) + 2.0 * spring));
        sum += v[m];
    }
    const double complex air = mode->inertance ? (z - 1.0) * sum / mode->step->courant : 0.0;
    for (size_t m = 0; m < wall->branches; ++m) {
        v[m] *= (z - 1.0 / z) * here / (1.0 + air);
        g[m] = spring * v[m];
    }
}

/* Entry `entry` of the engine's layout, of material `material`, at a lattice node. */
static void set_entry(struct engine *engine, const struct lossy_room *room, const struct mode *mode,
                      uint64_t entry, uint16_t material, const int64_t node[3], double complex turn)
{
    double complex v[WALL_BRANCHES_MAX], g[WALL_BRANCHES_MAX];
    int64_t place[3];
    const int axis = material - 1;
    double *state = engine->walls.state;
    for (int d = 0; d < 3; ++d)
        place[d] = node[d] - room->low[d];
    remembered(mode, axis, turn * mode_shape(mode, place), v, g);
    unsigned kept = 0; /* without inertance a branch of resistance alone has no state */
    for (size_t m = 0; m < mode->wall[axis].branches; ++m) {
        const struct wall_branch *branch = &mode->wall[axis].branch[m];
        if (!mode->inertance && branch->D == 0.0 && branch->F == 0.0)
            continue;
        state[kept * engine->walls.stride + entry] = creal(v[m]);
        state[(engine->walls.branches + kept) * engine->walls.stride + entry] = creal(g[m]);
        ++kept;
    }
}

static void set_walls(struct engine *engine, const struct lossy_room *room, const struct mode *mode,
                      double complex turn)
{
    int64_t node[3];
    if (engine->room.box != NULL) {
        const struct box_grid *box = engine->room.box;
        const uint64_t row = (uint64_t)box->nodes[0] + 2, rows = (uint64_t)box->nodes[1] + 2;
        for (uint64_t w = 0; w < box->walls; ++w) {
            const uint64_t at = box->wall[w].node & ~BOX_WALL_CONTINUES;
            node[0] = box->low[0] + (int64_t)(at % row) - 1;
            node[1] = box->low[1] + (int64_t)(at / row % rows) - 1;
            node[2] = box->low[2] + (int64_t)(at / row / rows) - 1;
            set_entry(engine, room, mode, w, box->wall[w].material, node, turn);
        }
        return;
    }
    const struct block_grid *grid = engine->room.blocks;
    for (uint32_t b = 1; b <= grid->blocks; ++b)
        for (uint64_t w = grid->wall_first[b]; w < grid->wall_first[b + 1]; ++w) {
            const unsigned slot = grid->wall[w].slot & WALL_SLOT;
            block_node(&grid->block[b], slot, node);
            set_entry(engine, room, mode, w, grid->wall[w].material, node, turn);
        }
}

/* Of resonance `turn` = omega T. */
static struct wall_branch resonance(const struct time_step *step, double turn, double resistance,
                                    double width)
{
    return (struct wall_branch){resistance * width / turn * step->period, resistance,
                                resistance * width * turn / step->period};
}

Test(branch_modes, a_box_with_walls_of_branches_decays_as_the_exact_condition_says)
{
    struct time_step step;
    MUST(time_step_choose(1.0, 340.0, 0.0, &step, &failure));
    const struct wall_material wall[3] = {
        {2, {resonance(&step, 0.9, 60.0, 0.5), {.E = 90.0}}},
        {3, {resonance(&step, 0.05, 80.0, 2.0), resonance(&step, 1.5, 70.0, 1.5), {.E = 200.0, .D = 0.03}}},
        {1, {resonance(&step, 0.7, 150.0, 0.4)}}};
    const struct wall_material heavy[3] = {
        {2, {resonance(&step, 0.9, 6.0, 0.5), {.E = 9.0}}}, {0}, {1, {resonance(&step, 1.3, 4.0, 1.0)}}};
    struct mode mode[] = {
        {.q = {2, 2, 4}, .wall = wall, .steps = 1500},
        {.q = {1, 0, 3}, .wall = wall, .steps = 1500},
        {.q = {3, 2, 7}, .wall = heavy, .steps = 150},
    };
    const int64_t low[3] = {0, 3, 6};
    struct lossy_room *room = room_box(lossy_size[0], lossy_size[1], lossy_size[2], low);
    for (size_t m = 0; m < 2 * (sizeof mode / sizeof *mode); ++m) {
        struct mode *const under = &mode[m / 2];
        under->inertance = m & 1;
        under->step = &step;
        for (int axis = 0; axis < 3; ++axis)
            under->g[axis] = 1.0;
        solve_mode(under, step.courant);
        struct wall_material material[ROOM_MATERIALS] = {{0}};
        memcpy(&material[1], under->wall, 3 * sizeof *material);
        const struct wall_materials walls = {ROOM_MATERIALS, material, under->inertance, false};
        /* A device's walls cannot be set; its bits are those of the others (test_branch_walls.c). */
        struct back_ends all = {.mask = BACK_ENDS_REFERENCE | BACK_ENDS_CPU,
                                .one_precision = true,
                                .precision = PRECISION_DOUBLE};
        while (back_ends_next(&all)) {
            struct engine *engine[2];
            for (int part = 0; part < 2; ++part) {
                cr_assert(engine_create_walls(&engine[part], &room->blocks,
                                              all.options.layout == LAYOUT_BOX ? &room->box : NULL, &step,
                                              &walls, &all.options, &failure) == 0,
                          "%s", failure.sentence);
                set_mode(engine[part], room, under, part == 0 ? 1.0 : -I);
                set_walls(engine[part], room, under, part == 0 ? 1.0 : -I);
            }
            follow_mode(room, under, engine);
            engine_free(engine[0]);
            engine_free(engine[1]);
        }
        (void)fprintf(stderr, "mode (%d,%d,%d), inertance %d: decays by %.3e a step\n", under->q[0],
                      under->q[1], under->q[2], under->inertance, -log(cabs(under->z)));
    }
    room_free(room);
}
