/* Several steps a pass: the order of steps itself, and the bits of an engine that steps in it. */
#include <math.h>

#include "kernels/cpu/step_fronts.h"
#include "kernels/engine/engine_fill.h"
#include "kernels/engine/engine_passes.h"
#include "kernels/engine/engine_walls.h"
#include "tests/support/back_ends.h"
#include "tests/support/branch_materials.h"
#include "tests/support/cell_grids.h"

#define MATERIALS 4
#define SOURCES   3
#define RECEIVERS 5
#define STEPS     24

static const int64_t low[3] = {3, -5, 2};
static const int threads_of[] = {1, 2, 3, 5};
static const double admittance[MATERIALS] = {0.0, 0.03, 0.5, 2.5};

/* A tap at air nodes drawn at random; of a source, the first is at a wall. */
static void add_taps(const struct block_grid *grid, struct engine *engine)
{
    uint64_t random = 9;
    for (unsigned n = 0; n < SOURCES + RECEIVERS; ++n) {
        struct stencil stencil = {.count = 0};
        while (stencil.count == 0) {
            int64_t node[3];
            double position[3];
            for (int a = 0; a < 3; ++a)
                node[a] = grid->air_low[a] + (int64_t)(test_random(&random) %
                                                       (uint64_t)(grid->air_high[a] - grid->air_low[a] + 1));
            const uint64_t index = block_grid_index(grid, node);
            uint64_t wall;
            if (index == UINT64_MAX ||
                !block_is_air(grid, (block_id)(index / BLOCK_NODES), (unsigned)(index % BLOCK_NODES)) ||
                (n == 0 && engine_wall_at(engine, index, &wall) == 0))
                continue;
            for (int a = 0; a < 3; ++a)
                position[a] = grid->lattice.origin[a] +
                              grid->lattice.spacing * ((double)node[a] + test_uniform(&random, -0.5, 0.5));
            MUST(stencil_make(grid, position, node, INTERPOLATION_CUBIC, &stencil, &failure));
        }
        MUST(n < SOURCES ? engine_add_source(engine, &stencil, &failure)
                         : engine_add_receiver(engine, &stencil, &failure));
    }
}

/* ---- the order ----------------------------------------------------------------------------------------- */

/* What a step of a block reads, from places and links alone; and all blocks of its receivers. */
struct around {
    block_id id[4096];
    size_t count;
};

static void find_around(const struct engine *engine, block_id b, struct around *around)
{
    const struct block_grid *const grid = engine->room.blocks;
    around->count = 0;
    for (int n = 0; n < 27 && grid->block[b].place[0] != BLOCK_NO_PLACE; ++n) {
        const int at[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        const int off = abs(at[0]) + abs(at[1]) + abs(at[2]);
        int32_t place[3];
        for (int a = 0; a < 3; ++a)
            place[a] = grid->block[b].place[a] + at[a];
        if (off > 0 && off <= (grid->isotropic ? 2 : 1) && block_grid_find(grid, place) != 0)
            around->id[around->count++] = block_grid_find(grid, place);
    }
    for (uint64_t n = block_extra_from(grid, b); n < grid->extra_nodes && grid->extra_node[n].block == b; ++n)
        for (unsigned k = 0; k < grid->extra_node[n].links; ++k) {
            cr_assert(around->count < 4096);
            around->id[around->count++] = grid->extra_link[grid->extra_node[n].first + k].block;
        }
    for (size_t r = 0; r < engine->receivers; ++r) {
        const struct engine_tap *const tap = &engine->receiver[r];
        bool of = false;
        for (unsigned k = 0; k < tap->count; ++k)
            of = of || tap->index[k] / BLOCK_NODES == b;
        for (unsigned k = 0; of && k < tap->count; ++k)
            around->id[around->count++] = (block_id)(tap->index[k] / BLOCK_NODES);
    }
}

/* Follow every list of every round. The others' steps of the same round count for nothing. */
static void must_be_in_order(const struct engine *engine, const struct step_fronts *fronts)
{
    const struct block_grid *const grid = engine->room.blocks;
    const unsigned steps = fronts->steps;
    struct around *const around = malloc(sizeof *around);
    uint8_t *const before = calloc(3 * ((size_t)grid->blocks + 1), 1),
                   *const made = before + grid->blocks + 1, *const after = made + grid->blocks + 1;
    cr_assert(around != NULL && before != NULL);
    for (unsigned round = 0; round < steps; ++round) {
        for (int thread = 0; thread < fronts->lists; ++thread) {
            const struct front_list *const list = step_fronts_list(fronts, round, thread);
            memcpy(made, before, (size_t)grid->blocks + 1);
            for (size_t n = 0; n < list->runs; ++n) {
                const struct front_run *const run = &list->run[n];
                cr_assert(0 < run->first && run->first < run->last && run->last <= grid->blocks + 1);
                for (block_id b = run->first; b < run->last; ++b) {
                    cr_assert(made[b] + 1 == run->step && after[b] + 1 == run->step,
                              "block %u makes step %u after %u", b, run->step, made[b]);
                    find_around(engine, b, around);
                    for (size_t k = 0; k < around->count; ++k)
                        cr_assert(made[around->id[k]] + 1 >= run->step,
                                  "round %u, thread %d of %d: step %u of block %u, and block %u has made %u",
                                  round, thread, engine->threads, run->step, b, around->id[k],
                                  made[around->id[k]]);
                    bool driven = false;
                    for (size_t s = 0; s < engine->sources; ++s)
                        for (unsigned k = 0; k < engine->source[s].count; ++k)
                            driven = driven || engine->source[s].index[k] / BLOCK_NODES == b;
                    cr_assert(run->driven || !driven);
                }
                for (block_id b = run->first; b < run->last; ++b)
                    made[b] = after[b] = run->step;
            }
        }
        memcpy(before, after, (size_t)grid->blocks + 1);
    }
    for (block_id b = 1; b <= grid->blocks; ++b)
        cr_assert(after[b] == steps, "block %u has made %u steps of %u", b, after[b], steps);
    free(before);
    free(around);
}

static void must_be_made_in_order(const struct engine *engine, unsigned steps)
{
    const struct front_taps taps = {engine->sources, engine->receivers, engine->source, engine->receiver};
    struct step_fronts fronts;
    cr_assert(step_fronts_make(engine->room.blocks, &taps, engine->threads, steps, &fronts));
    must_be_in_order(engine, &fronts);
    step_fronts_free(&fronts);
}

static void follow(const struct block_grid *grid, const struct time_step *step)
{
    for (size_t n = 0; n < sizeof threads_of / sizeof *threads_of; ++n) {
        const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO,
                                               threads_of[n]};
        if ((uint32_t)threads_of[n] >= block_list_first(grid))
            continue;
        struct engine *engine = engine_of(grid, NULL, step, admittance, MATERIALS, NULL, &options);
        add_taps(grid, engine);
        for (unsigned steps = 2; steps <= FRONT_STEPS_MOST; ++steps)
            must_be_made_in_order(engine, steps);
        engine_free(engine);
    }
}

TEST_SCHEMES(step_fronts, a_block_steps_after_all_around_it_whatever_the_room_and_the_threads)
{
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        struct cell_grids *cells = cell_grids_soup_for(seed, MATERIALS, scheme);
        cr_assert(cells->blocks.extra_links > 0 && cells->blocks.list_blocks > 0);
        follow(&cells->blocks, &cells->step);
        cell_grids_free(cells);
    }
    const int64_t size[][3] = {{3, 2, 5}, {17, 9, 8}, {61, 52, 70}, {140, 101, 123}};
    for (size_t n = 0; n < sizeof size / sizeof *size; ++n) {
        struct lossy_room *room = room_for(scheme, room_box(size[n][0], size[n][1], size[n][2], low));
        const struct time_step step = room_step(room, exact_courant(scheme));
        follow(&room->blocks, &step);
        room_free(room);
    }
}

/* ---- bits ---------------------------------------------------------------------------------------------- */

struct trace {
    uint64_t hash;
    double output[RECEIVERS * STEPS], energy, absorbed[MATERIALS + 1];
};

/* In batches of several lengths: multiples of a pass, and others. */
static void run_trace(const struct block_grid *grid, const struct time_step *step,
                      const struct wall_materials *walls, const struct engine_options *options, unsigned pass,
                      struct trace *trace)
{
    static const unsigned batch[] = {1, 12, 4, 7};
    static double drive[SOURCES * STEPS];
    struct engine *engine = engine_of(grid, NULL, step, admittance, MATERIALS, walls, options);
    uint64_t random = 77, done = 0;
    engine_set_pass(engine, pass);
    cr_assert(engine_pass(engine) == pass);
    add_taps(grid, engine);
    engine_fill(engine, 5);
    *trace = (struct trace){.hash = 0};
    for (size_t n = 0; n < sizeof batch / sizeof *batch; ++n) {
        for (size_t k = 0; k < SOURCES * batch[n]; ++k)
            drive[k] = test_uniform(&random, -1.0, 1.0);
        engine_run(engine, batch[n], drive, trace->output + RECEIVERS * done);
        done += batch[n];
    }
    cr_assert(done == STEPS && engine_steps(engine) == STEPS);
    trace->hash = engine_hash(engine);
    trace->energy = engine_energy(engine); /* of walls too */
    if (walls != NULL)
        engine_absorbed(engine, trace->absorbed);
    cr_assert(engine_health(engine).finite && engine_health(engine).largest > 1e-3);
    engine_free(engine);
}

static void compare_passes(const struct block_grid *grid, const struct time_step *step,
                           const struct wall_materials *walls, enum precision precision)
{
    static struct trace single, several;
    struct engine_options options = {LAYOUT_BLOCKS, precision, BACKEND_CPU, SIMD_AUTO, 2};
    run_trace(grid, step, walls, &options, 1, &single);
    for (size_t n = 0; n < sizeof threads_of / sizeof *threads_of; ++n)
        for (unsigned pass = 1; pass <= FRONT_STEPS_MOST; ++pass) {
            options.threads = threads_of[n];
            run_trace(grid, step, walls, &options, pass, &several);
            cr_assert(memcmp(&single, &several, sizeof single) == 0, "%d threads, %u steps a pass%s",
                      threads_of[n], pass, walls != NULL ? ", walls with states" : "");
        }
}

static void compare_walls(const struct block_grid *grid, const struct time_step *step,
                          enum precision precision)
{
    struct wall_material material[MATERIALS];
    uint64_t random = 3;
    draw_materials(&random, step->period, MATERIALS, 6, material);
    const struct wall_materials walls = {.count = MATERIALS, .material = material, .ledger = true};
    compare_passes(grid, step, NULL, precision);
    compare_passes(grid, step, &walls, precision);
}

TEST_SCHEMES(step_fronts, several_steps_a_pass_have_the_bits_of_single_ones)
{
    for (int precision = 0; precision < 2; ++precision) {
        struct cell_grids *cells = cell_grids_soup_for(11 + (uint64_t)precision, MATERIALS, scheme);
        compare_walls(&cells->blocks, &cells->step, (enum precision)precision);
        cell_grids_free(cells);
        const int64_t size[][3] = {{5, 4, 7}, {71, 52, 60}};
        for (size_t n = 0; n < sizeof size / sizeof *size; ++n) {
            struct lossy_room *room = room_for(scheme, room_box(size[n][0], size[n][1], size[n][2], low));
            const struct time_step step = room_step(room, exact_courant(scheme));
            compare_walls(&room->blocks, &step, (enum precision)precision);
            room_free(room);
        }
    }
}

Test(step_fronts, thousands_of_blocks_have_the_bits_of_single_steps)
{
    struct lossy_room *room = room_for(SCHEME_ISOTROPIC, room_box(130, 121, 109, low));
    const struct time_step step = room_step(room, exact_courant(SCHEME_ISOTROPIC));
    cr_assert(room->blocks.blocks > 3000);
    compare_passes(&room->blocks, &step, NULL, PRECISION_SINGLE);
    room_free(room);
}

TEST_SCHEMES(step_fronts, a_trial_has_the_bits_of_single_steps)
{
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 2};
    struct cell_grids *cells = cell_grids_soup_for(5, MATERIALS, scheme);
    uint64_t hash[2];
    for (unsigned fixed = 0; fixed < 2; ++fixed) {
        struct engine *engine =
            engine_of(&cells->blocks, NULL, &cells->step, admittance, MATERIALS, NULL, &options);
        engine->passes->cache = 1;
        engine_set_pass(engine, fixed);
        add_taps(&cells->blocks, engine);
        engine_fill(engine, 5);
        engine_run(engine, ENGINE_TRIAL_STEPS + 4, NULL, NULL);
        hash[fixed] = engine_hash(engine);
        engine_free(engine);
    }
    cr_assert(hash[0] == hash[1]);
    cell_grids_free(cells);
}

/* ---- the choice ---------------------------------------------------------------------------------------- */

/* Run the trial of an engine, as if a step took so long in each way; returns how it goes on. */
static struct engine_stretch choose(const double seconds[WAYS])
{
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 2};
    struct lossy_room *room = room_box(40, 30, 20, low);
    struct engine *engine = room_engine(room, 0.0, &options);
    cr_assert(engine_trial_left(engine) == 0);
    engine->passes->cache = 1;
    cr_assert(engine_pass(engine) == FRONT_STEPS_MOST && engine_trial_left(engine) == ENGINE_TRIAL_STEPS);
    for (uint64_t left = ENGINE_TRIAL_STEPS; left > 0;) {
        const struct engine_stretch stretch = engine_next_stretch(engine, left);
        const unsigned way = stretch.fetchless ? WAY_FETCHLESS : stretch.pass;
        cr_assert(stretch.steps > 0 && stretch.steps % stretch.pass == 0 && stretch.timed);
        engine_keep_turn(engine, &stretch, seconds[way] * (double)stretch.steps);
        left -= stretch.steps;
        cr_assert(engine_trial_left(engine) == left);
    }
    const struct engine_stretch next = engine_next_stretch(engine, 6);
    cr_assert(engine_pass(engine) == next.pass && !next.timed);
    engine_free(engine);
    room_free(room);
    return next;
}

static bool goes_on(const double seconds[WAYS], unsigned pass, bool fetchless)
{
    const struct engine_stretch next = choose(seconds);
    return next.pass == pass && next.fetchless == fetchless;
}

Test(step_fronts, the_fastest_way_of_the_trial_is_kept)
{
    cr_assert(goes_on((const double[WAYS]){1.2, 1.0, 0.8, 0.7}, 3, false));
    cr_assert(goes_on((const double[WAYS]){1.2, 1.0, 0.7, 0.8}, 2, false));
    cr_assert(goes_on((const double[WAYS]){1.2, 1.0, 1.1, 1.2}, 1, false));
    cr_assert(goes_on((const double[WAYS]){0.98, 1.0, 0.97, 0.98}, 1, false)); /* no gain */
    cr_assert(goes_on((const double[WAYS]){NAN, 1.0, NAN, NAN}, 1, false));
    cr_assert(goes_on((const double[WAYS]){0.9, 1.0, 1.1, 1.2}, 1, true));
    cr_assert(goes_on((const double[WAYS]){0.9, 1.0, 0.8, 1.2}, 2, false));
}

Test(step_fronts, small_rooms_boxes_and_the_reference_make_single_steps)
{
    struct lossy_room *room = room_box(40, 30, 20, low);
    for (int way = 0; way < 3; ++way) {
        const struct engine_options options = {way == 1 ? LAYOUT_BOX : LAYOUT_BLOCKS, PRECISION_SINGLE,
                                               way == 2 ? BACKEND_REFERENCE : BACKEND_CPU, SIMD_AUTO, 2};
        struct engine *engine = room_engine(room, 0.0, &options);
        cr_assert(engine_pass(engine) == 1);
        engine->passes->cache = way == 0 ? UINT64_MAX : 1;
        cr_assert(engine_pass(engine) == 1);
        engine_set_pass(engine, 3);
        cr_assert(engine_pass(engine) == (way == 0 ? 3u : 1u));
        engine_free(engine);
    }
    room_free(room);
}
