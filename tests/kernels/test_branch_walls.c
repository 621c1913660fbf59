/* Frequency-dependent walls: energy, and what an engine keeps for them. Their bits: test_bits. */
#include <math.h>

#include "kernels/engine/engine_walls.h"
#include "tests/support/back_ends.h"
#include "tests/support/branch_materials.h"

#define COURANT 0.57

Test(branch_walls, hard_and_first_order_resistive_walls_run_as_plain_ones)
{
    struct lossy_room *room = room_ragged(13, 23, 21, 20, 0.1, 0.05, 17);
    struct wall_material material[ROOM_MATERIALS] = {{0}};
    for (size_t m = 0; m < ROOM_MATERIALS; ++m)
        if (room_admittance[m] > 0.0)
            material[m] =
                (struct wall_material){2, {{.E = 1.5 / room_admittance[m]}, {.E = 3.0 / room_admittance[m]}}};
    const struct wall_materials walls = {.count = ROOM_MATERIALS, .material = material};
    struct back_ends all = {.mask = BACK_ENDS_ALL};
    while (back_ends_next(&all)) {
        struct engine *engine = room_engine_of(room, COURANT, &walls, &all.options);
        struct engine *plain = room_engine(room, COURANT, &all.options);
        cr_assert(engine->room.walls == NULL);
        room_excite(room, engine, 9);
        room_excite(room, plain, 9);
        engine_run(engine, 40, NULL, NULL);
        engine_run(plain, 40, NULL, NULL);
        /* 1/E summed is the admittance but for a rounding. */
        int64_t node[3];
        for (size_t n = 0; room_air(room, &n, node); n += 7)
            cr_assert(test_near(engine_get(engine, 0, node), engine_get(plain, 0, node),
                                all.options.precision == PRECISION_SINGLE ? 1e-5 : 1e-13));
        engine_free(engine);
        engine_free(plain);
    }
    room_free(room);
}

Test(branch_walls, hard_walls_with_a_ledger_give_the_bits_of_plain_ones_and_take_nothing)
{
    struct lossy_room *room = room_ragged(14, 23, 21, 20, 0.1, 0.05, 17);
    const struct wall_material hard[ROOM_MATERIALS] = {{0}};
    const struct wall_materials walls = {ROOM_MATERIALS, hard, true, true};
    room_harden(room);
    struct back_ends all = {.mask = BACK_ENDS_EVERY};
    while (back_ends_next(&all)) {
        struct engine *engine = room_engine_of(room, COURANT, &walls, &all.options);
        struct engine *plain = room_engine(room, COURANT, &all.options);
        cr_assert(engine->room.walls != NULL && plain->room.walls == NULL);
        double absorbed[ROOM_MATERIALS + 1];
        room_excite(room, engine, 9);
        room_excite(room, plain, 9);
        engine_run(engine, 30, NULL, NULL);
        engine_run(plain, 30, NULL, NULL);
        engine_absorbed(engine, absorbed);
        cr_assert(engine_hash(engine) == engine_hash(plain) && absorbed[0] == 0.0, "%s",
                  engine_description(engine));
        back_ends_sound(engine);
        engine_free(engine);
        engine_free(plain);
    }
    room_free(room);
}

/* ---- energy -------------------------------------------------------------------------------------------- */

/* V of every branch of a node's entries, (entries, branches), as they are now. */
static void read_flows(struct engine *engine, uint64_t first, unsigned entries, double *flow)
{
    const struct step_walls *walls = &engine->walls;
    double state[2 * WALL_BRANCHES_MAX * STEP_NODE_ENTRIES];
    cr_assert(entries <= STEP_NODE_ENTRIES && engine_read_states(engine, first, entries, state, entries));
    for (unsigned e = 0; e < entries; ++e)
        for (unsigned m = 0; m < walls->branches; ++m)
            flow[e * WALL_BRANCHES_MAX + m] = engine_value(engine, state, m * entries + e);
}

struct source_node {
    double before; /* pressure a step before */
    double flow[STEP_NODE_ENTRIES * WALL_BRANCHES_MAX];
};

static const struct wall *entries_of(const struct engine *engine, uint64_t first)
{
    cr_assert(engine->room.box == NULL);
    return &engine->room.blocks->wall[first];
}

/* What walls took of the push itself, which the ledger leaves out: for each branch s E / (4 lambda) times
 * (V before + V after)^2 less the same without what the push has added; the like where a conductance stands
 * for branches. `moved` is u+ - u-. */
static double push_loss(struct engine *engine, uint64_t first, unsigned entries, double push, double moved,
                        const double *before)
{
    double after[STEP_NODE_ENTRIES * WALL_BRANCHES_MAX], loss = 0.0;
    read_flows(engine, first, entries, after);
    for (unsigned e = 0; e < entries; ++e) {
        const struct wall *wall = entries_of(engine, first + e);
        const struct wall_terms *terms = &engine->terms[step_wall_row(&engine->walls, wall->material)];
        loss += (double)wall->weight / (4.0 * engine->step.courant) * terms->scheme.conductance *
                (moved * moved - (moved - push) * (moved - push));
        for (unsigned m = 0; m < terms->scheme.branches; ++m) {
            const unsigned at = e * WALL_BRANCHES_MAX + m;
            const double whole = before[at] + after[at],
                         part = whole - terms->scheme.branch[m].gain * terms->scheme.drive * push;
            loss += (double)wall->weight / (4.0 * engine->step.courant) * terms->scheme.branch[m].resistance *
                    (whole * whole - part * part);
        }
    }
    return loss;
}

/* Largest |H + absorbed - work - H_0| over the steps, by the largest H. `at_wall`: the source is joined to
 * wall nodes. */
static double imbalance(const struct engine_options *options, bool inertance, bool at_wall, uint64_t seed)
{
    enum { RUN = 200, DRIVEN = 60 };
    struct lossy_room *room = room_ragged(seed, 21, 14, 18, 0.12, 0.05, 11);
    struct wall_material material[ROOM_MATERIALS];
    uint64_t random = seed;
    draw_materials(&random, COURANT / 340.0, ROOM_MATERIALS, 6, material);
    const struct wall_materials walls = {ROOM_MATERIALS, material, inertance, true};
    struct engine *engine = room_engine_of(room, COURANT, &walls, options);
    struct stencil stencil;
    const double corner = at_wall ? 0.3 : 5.3;
    int64_t base[3];
    double position[3];
    for (int axis = 0; axis < 3; ++axis) {
        position[axis] = (double)room->low[axis] + corner;
        base[axis] = room->low[axis] + (int64_t)corner;
    }
    MUST(stencil_make(&room->blocks, position, base, INTERPOLATION_CUBIC, &stencil, &failure));
    MUST(engine_add_source(engine, &stencil, &failure));
    const struct engine_tap *source = &engine->source[0];
    cr_assert(at_wall == (source->walls[0] > 0));

    room_excite(room, engine, 8);
    const double start = engine_energy(engine);
    double largest = start, worst = 0.0, absorbed[ROOM_MATERIALS + 1], all_absorbed = 0.0;
    long double work = 0.0L;
    struct source_node node[STENCIL_NODES_MAX];
    for (int n = 0; n < RUN; ++n) {
        const double drive = n < DRIVEN ? test_uniform(&random, -30.0, 30.0) : 0.0;
        for (unsigned k = 0; k < stencil.count; ++k) {
            node[k].before = engine_get(engine, 1, stencil.node[k]);
            if (at_wall)
                read_flows(engine, source->wall[k], source->walls[k], node[k].flow);
        }
        engine_run(engine, 1, &drive, NULL);
        for (unsigned k = 0; k < stencil.count; ++k) {
            /* (1 + kappa) f (u+ - u-) / (2 lambda2) with f = lambda2 / h w q / (1 + kappa), h = 1. */
            const double moved = engine_get(engine, 0, stencil.node[k]) - node[k].before;
            work += 0.5 * stencil.weight[k] * drive * moved;
            if (at_wall)
                work -= push_loss(engine, source->wall[k], source->walls[k], source->weight[k] * drive, moved,
                                  node[k].flow);
        }
        const double now = engine_energy(engine);
        engine_absorbed(engine, absorbed);
        all_absorbed = 0.0;
        for (size_t m = 0; m <= ROOM_MATERIALS; ++m)
            all_absorbed += absorbed[m];
        largest = fmax(largest, now);
        cr_assert(isfinite(now) && isfinite(all_absorbed));
        worst = fmax(worst, fabs((double)((long double)now + all_absorbed - work - start)));
    }
    cr_assert(all_absorbed > 0.3 * largest, "the walls took nothing");
    back_ends_sound(engine);
    engine_free(engine);
    room_free(room);
    return worst / largest;
}

static void check_balance(const struct engine_options *options, bool at_wall, uint64_t seed)
{
    for (int inertance = 0; inertance < 2; ++inertance) {
        const double off = imbalance(options, inertance, at_wall, seed);
        cr_assert(off <= (options->precision == PRECISION_SINGLE ? 1e-5 : 1e-13),
                  "layout %d, precision %d, back end %d, inertance %d: %g", (int)options->layout,
                  (int)options->precision, (int)options->backend, inertance, off);
    }
}

Test(branch_walls, ledger_and_source_account_for_every_change_of_energy)
{
    struct back_ends all = {.mask = BACK_ENDS_ALL};
    while (back_ends_next(&all))
        check_balance(&all.options, false, 31 + (uint64_t)all.options.layout);
}

Test(branch_walls, a_source_at_a_wall_balances_but_for_what_its_push_loses_there)
{
    struct back_ends all = {.mask = BACK_ENDS_ALL, .one_precision = true, .precision = PRECISION_DOUBLE};
    while (back_ends_next(&all))
        if (all.options.layout == LAYOUT_BLOCKS)
            check_balance(&all.options, true, 35);
}

/* ---- what is kept -------------------------------------------------------------------------------------- */

Test(branch_walls, a_lossy_node_of_six_branches_takes_64_bytes_in_single)
{
    struct lossy_room *room = room_ragged(73, 50, 45, 42, 0.0, 0.0, 50);
    struct wall_material material[ROOM_MATERIALS];
    uint64_t random = 3;
    draw_materials(&random, COURANT / 340.0, ROOM_MATERIALS, 6, material);
    const struct wall_materials walls = {ROOM_MATERIALS, material, true, true};
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1};
    struct engine *engine = room_engine_of(room, COURANT, &walls, &options);
    const double entries = (double)room->blocks.walls;
    const double bytes = (double)(engine_bytes(engine) - 2 * engine_level_bytes(engine) -
                                  step_plan_bytes(&engine->room, &engine->plan)) +
                         entries * (double)sizeof(struct wall);
    /* 8 of the entry itself, 4 of its share, 48 of its states, 4 of its loss; planes end on whole lines. */
    cr_assert(engine_wall_entry_bytes(&walls, PRECISION_SINGLE) == 56);
    cr_assert(bytes >= 64.0 * entries && bytes <= 64.0 * entries + 12 * 3 * 64, "%g bytes an entry",
              bytes / entries);
    engine_free(engine);
    room_free(room);
}

Test(branch_walls, a_reset_clears_the_states_of_walls_and_what_they_absorbed)
{
    struct lossy_room *room = room_ragged(41, 19, 14, 13, 0.1, 0.05, 9);
    struct wall_material material[ROOM_MATERIALS];
    uint64_t random = 5;
    draw_materials(&random, COURANT / 340.0, ROOM_MATERIALS, 6, material);
    const struct wall_materials walls = {ROOM_MATERIALS, material, true, true};
    struct back_ends all = {.mask = BACK_ENDS_ALL};
    while (back_ends_next(&all)) {
        struct engine *engine = room_engine_of(room, COURANT, &walls, &all.options);
        uint64_t hash[2];
        double absorbed[2][ROOM_MATERIALS + 1];
        for (int run = 0; run < 2; ++run) {
            room_excite(room, engine, 5);
            engine_run(engine, 30, NULL, NULL);
            hash[run] = engine_hash(engine);
            engine_absorbed(engine, absorbed[run]);
            engine_run(engine, 7, NULL, NULL); /* losses that nobody has asked for yet */
            engine_reset(engine);
            cr_assert(engine_energy(engine) == 0.0);
        }
        cr_assert(hash[0] == hash[1] && memcmp(absorbed[0], absorbed[1], sizeof absorbed[0]) == 0, "%s",
                  engine_description(engine));
        engine_absorbed(engine, absorbed[0]);
        for (size_t m = 0; m <= ROOM_MATERIALS; ++m)
            cr_assert(absorbed[0][m] == 0.0);
        engine_free(engine);
    }
    room_free(room);
}
