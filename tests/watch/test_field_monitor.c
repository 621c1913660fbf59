/* Energy and mean pressure under watch: sequences made up so that one thing is wrong, and rooms in which
 * nothing is. */
#include "kernels/scheme/stencil.h"
#include "src/run/watch/field_monitor.h"
#include "tests/support/back_ends.h"
#include "tests/support/cell_grids.h"
#include "tests/support/lossy_room.h"
#include "tests/support/outcome.h"

#define NODES   6000000
#define START   2
#define LAMBDA2 0.3327
#define MEAN    (LAMBDA2 / NODES)
#define LEVEL   (LAMBDA2 / 2449.489742783178) /* root mean square: of (1, -1) at one node */

static const double click[2] = {1.0, -1.0};

static struct field_room make_room(bool hard, enum precision precision)
{
    return (struct field_room){.lambda2 = LAMBDA2,
                               .spacing = 1,
                               .air_nodes = NODES,
                               .mass = NODES,
                               .push = 1,
                               .precision = precision,
                               .hard = hard};
}

/* A look at a field whose level is `share` of LEVEL and whose energy goes with it. */
static struct field_look look_at(uint64_t step, double share, double mean)
{
    const double square = share * share * LEVEL * LEVEL;
    return (struct field_look){
        .step = step, .energy = square * NODES / LAMBDA2, .mean = mean, .mean_square = square};
}

/* Looks every 100 steps up to `end`; level falls by exp(-fall n), energy is multiplied by exp(rise n),
 * and the mean moves by `slope` a step. The code of the first that is refused, and its step. */
struct course {
    bool hard;
    enum precision precision;
    double fall, rise, slope;
};
static int follow(const struct course *course, uint64_t end, struct field_monitor *monitor, uint64_t *step)
{
    const struct field_room room = make_room(course->hard, course->precision);
    field_monitor_start(&room, click, 2, monitor);
    int code = 0;
    for (*step = START; code == 0 && *step <= end; *step += 100) {
        const double n = (double)(*step - START);
        struct field_look look = look_at(*step, exp(-course->fall * n), MEAN + course->slope * n);
        look.energy *= exp(course->rise * n);
        code = field_monitor_look(monitor, &look, &failure);
    }
    *step -= 100;
    return code;
}

Test(field_monitor, energy_that_grows_ends_a_run_and_the_sentence_says_by_how_much_and_when)
{
    static const struct {
        enum precision precision;
        double rise;
        uint64_t before; /* seen by this step */
    } growth[] = {{PRECISION_SINGLE, 1e-3, 102},
                  {PRECISION_SINGLE, 1e-5, 10000},
                  {PRECISION_SINGLE, 2e-6, 50000},
                  {PRECISION_DOUBLE, 1e-9, 10000}};
    for (size_t g = 0; g < sizeof growth / sizeof *growth; g++) {
        const struct course course = {.precision = growth[g].precision, .rise = growth[g].rise};
        struct field_monitor monitor;
        uint64_t step;
        MUST_FAIL(follow(&course, 150000, &monitor, &step), FAILURE_SIMULATION, "energy");
        cr_assert(step <= growth[g].before, "%g a step: seen at step %llu", growth[g].rise,
                  (unsigned long long)step);
        double from = 0, by = 0, allowed = 0;
        unsigned long long first = 0, last = 0;
        cr_assert(sscanf(failure.sentence,
                         "the energy of the field grew from %lf at step %llu by %lf up to step %llu without "
                         "a source; rounding explains at most %lf",
                         &from, &first, &by, &last, &allowed) == 5,
                  "%s", failure.sentence);
        cr_assert(first == START && last == step && by > 0.98 * allowed, "%s", failure.sentence);
        cr_assert(test_near(by, from * expm1(growth[g].rise * (double)(step - START)), 1e-2 * by));
        cr_assert(failure.advice == ADVICE_STEADIER || failure.advice == ADVICE_STEADIER_OR_SHORTER);
    }
}

Test(field_monitor, a_fall_is_what_growth_is_measured_from)
{
    /* 60 dB down, and from there up again by a tenth: still a thousandth of a thousandth of the start. */
    const struct field_room room = make_room(false, PRECISION_SINGLE);
    struct field_monitor monitor;
    field_monitor_start(&room, click, 2, &monitor);
    for (int n = 0; n <= 60; n++) {
        const struct field_look look = look_at(START + 100 * (uint64_t)n, pow(10.0, -n / 20.0), 0);
        MUST(field_monitor_look(&monitor, &look, &failure));
    }
    cr_assert(monitor.record.energy_rise == 0.0);
    const struct field_look more = look_at(START + 6100, 1e-3 * sqrt(1.1), 0);
    cr_assert(field_monitor_look(&monitor, &more, &failure) == FAILURE_SIMULATION);
    cr_assert(test_near(monitor.record.energy_rise, 1e-7, 1e-12), "%g", monitor.record.energy_rise);
    cr_assert(test_near(monitor.record.energy_end, 1.1e-6 * monitor.record.energy_start,
                        1e-12 * monitor.record.energy_start));
}

Test(field_monitor, rounding_as_it_was_measured_ends_no_run)
{
    /* 1.4e-6 of the energy in 20,000 steps; the rises of all looks together. */
    const struct course course = {.hard = true, .rise = 1.4e-6 / 20000};
    struct field_monitor monitor;
    uint64_t step;
    MUST(follow(&course, 150000, &monitor, &step));
    cr_assert(test_near(monitor.record.energy_rise, 1.4e-6 * 7.5, 1e-8), "%g", monitor.record.energy_rise);
    cr_assert(monitor.record.near == 0);
    /* Nor does a field that has gone below the smallest normal number, where it may hang. */
    const struct field_room room = make_room(false, PRECISION_SINGLE);
    field_monitor_start(&room, click, 2, &monitor);
    for (uint64_t n = 0; n < 100; n++) {
        const double share = fmax(pow(10.0, -0.5 * (double)n), 2e-45 / LEVEL);
        const struct field_look look = look_at(START + 1000 * n, n % 2 == 0 ? share : 2.0 * share, 0);
        if (share > 1e-36 / LEVEL && n % 2 != 0)
            continue;
        MUST(field_monitor_look(&monitor, &look, &failure));
    }
}

Test(field_monitor, a_mean_that_moves_in_a_hard_room_ends_a_run_before_it_is_audible)
{
    const struct course course = {.hard = true, .slope = 5e-8 * LEVEL};
    struct field_monitor monitor;
    uint64_t step;
    cr_assert(follow(&course, 150000, &monitor, &step) == FAILURE_SIMULATION);
    cr_assert(step < 20000, "step %llu", (unsigned long long)step);
    double to = 0, limit = 0, from = 0;
    unsigned long long before = 0, after = 0;
    cr_assert(sscanf(failure.sentence,
                     "the mean pressure drifted to %lf between step %llu and step %llu; between rigid walls "
                     "only rounding changes it, so it must lie within %lf of %lf",
                     &to, &before, &after, &limit, &from) == 5,
              "%s", failure.sentence);
    cr_assert(test_near(from, MEAN, 1e-5 * MEAN) && after == step && before + 100 == after);
    cr_assert(to - from > 0.99 * limit && limit < 0.02 * LEVEL, "%s", failure.sentence);
    /* The drive alone says what it is from the start. */
    const struct field_look wrong = look_at(START, 1, 0.5 * MEAN);
    const struct field_room room = make_room(true, PRECISION_DOUBLE);
    field_monitor_start(&room, click, 2, &monitor);
    cr_assert(field_monitor_look(&monitor, &wrong, &failure) == FAILURE_SIMULATION);
}

Test(field_monitor, where_walls_take_something_the_mean_may_go_with_the_sound_and_no_farther)
{
    struct field_monitor monitor;
    uint64_t step;
    const struct course with_it = {.fall = 1e-4, .slope = 0.9e-5 * LEVEL};
    MUST(follow(&with_it, 100000, &monitor, &step));
    cr_assert(test_near(monitor.record.mean_drift, 0.9 * LEVEL, 0.01 * LEVEL));
    const struct course away = {.fall = 1e-4, .slope = 1e-4 * LEVEL};
    MUST_FAIL(follow(&away, 100000, &monitor, &step), FAILURE_SIMULATION,
              "walls only absorb, so it must lie within");
    cr_assert(step >= 10000 && step < 10200, "step %llu", (unsigned long long)step);
}

Test(field_monitor, a_drift_that_nears_what_is_left_of_the_sound_is_recorded_and_a_mean_that_stays_is_not)
{
    struct field_monitor monitor;
    uint64_t step;
    /* The level falls 70 dB, to the mean and below: walls that are hard for constant pressure leave it. */
    const struct course stays = {.fall = 1.6e-4};
    MUST(follow(&stays, 100000, &monitor, &step));
    cr_assert(monitor.record.near == 0 && monitor.record.mean_drift == 0.0);
    /* One that creeps is a tenth of it at some step. */
    const struct course creeps = {.fall = 1e-4, .slope = 1e-7 * LEVEL};
    MUST(follow(&creeps, 100000, &monitor, &step));
    const double n = (double)monitor.record.near, mean = MEAN + LEVEL * 1e-7 * n,
                 level = LEVEL * exp(-1e-4 * n);
    cr_assert(monitor.record.near > 0 && mean >= 0.1 * level * 0.98 && mean < 0.2 * level, "step %g", n);
    cr_assert(test_near(monitor.record.near_share, mean / level, 0.01));
}

Test(field_monitor, what_no_number_can_hold_ends_a_run)
{
    const struct field_room room = make_room(true, PRECISION_DOUBLE);
    for (int which = 0; which < 4; which++) {
        struct field_monitor monitor;
        struct field_look look = look_at(START, 1, MEAN);
        field_monitor_start(&room, click, 2, &monitor);
        cr_assert(isnan(monitor.record.energy_start) && isnan(monitor.record.mean_start));
        if (which % 2 == 0)
            MUST(field_monitor_look(&monitor, &look, &failure));
        look.step += 100;
        *(which < 2 ? &look.energy : &look.mean) = which % 2 == 0 ? INFINITY : NAN;
        MUST_FAIL(field_monitor_look(&monitor, &look, &failure), FAILURE_SIMULATION, "step");
    }
}

/* ---- real fields ---- */

#define COURANT 0.0 /* the default */

/* A room of random shape, driven as a run is. */
struct watched {
    struct engine *engine;
    struct field_monitor monitor;
};

static struct watched watch(struct lossy_room *room, bool hard, const struct engine_options *options)
{
    struct watched watched = {.engine = room_engine(room, COURANT, options)};
    struct time_step step;
    MUST(time_step_choose(SCHEME_STANDARD, 1.0, 340.0, COURANT, &step, &failure));
    const struct field_room facts = {.lambda2 = step.lambda2,
                                     .spacing = step.spacing,
                                     .air_nodes = room->blocks.air_nodes,
                                     .mass = (double)room->blocks.air_nodes,
                                     .push = 1,
                                     .precision = options->precision,
                                     .hard = hard};
    field_monitor_start(&facts, click, 2, &watched.monitor);
    const int64_t node[3] = {room->low[0] + 4, room->low[1] + 5, room->low[2] + 3};
    const double place[3] = {(double)node[0] + 0.3, (double)node[1] + 0.2, (double)node[2] - 0.25};
    struct stencil tap;
    MUST(stencil_make(&room->blocks, place, node, INTERPOLATION_CUBIC, &tap, &failure));
    MUST(engine_add_source(watched.engine, &tap, &failure));
    engine_run(watched.engine, 2, click, NULL);
    return watched;
}

static int look(struct watched *watched)
{
    const struct engine_health health = engine_health(watched->engine);
    const struct field_look found = {.step = engine_steps(watched->engine),
                                     .energy = engine_energy(watched->engine),
                                     .mean = health.mean,
                                     .mean_square = health.mean_square};
    cr_assert(health.finite);
    back_ends_sound(watched->engine);
    return field_monitor_look(&watched->monitor, &found, &failure);
}

Test(field_monitor, sound_rooms_pass_over_many_steps_hard_lossy_or_open)
{
    static const char *const name[] = {"hard", "lossy", "open"};
    enum { STRIDE = 97, LOOKS = 100 };
    for (int kind = 0; kind < 3; kind++) {
        struct lossy_room *room = room_ragged(31, 21, 14, 18, 0.12, 0.05, 9);
        if (kind == 0)
            room_harden(room);
        for (uint64_t w = 0; kind == 2 && w < room->blocks.walls; ++w)
            room->blocks.wall[w].material = w % 3 == 0 ? VOXELS_OPEN_FACE : 0;
        struct back_ends all = {.mask = BACK_ENDS_CPU | BACK_ENDS_DEVICE};
        while (back_ends_next(&all)) {
            if (kind == 2 && all.options.layout == LAYOUT_BOX)
                continue;
            struct watched watched = watch(room, kind == 0, &all.options);
            for (int n = 0; n < LOOKS; n++) {
                cr_assert(look(&watched) == 0, "%s: %s", name[kind], failure.sentence);
                engine_run(watched.engine, STRIDE, NULL, NULL);
            }
            const struct field_record *record = &watched.monitor.record;
            (void)fprintf(stderr, "%s, %s: rise %.1e of the energy, the mean moved by %.1e of the level\n",
                          name[kind], engine_description(watched.engine), record->energy_rise,
                          record->mean_drift / sqrt(record->energy_start / (double)room->blocks.air_nodes));
            cr_assert(record->near == 0 || kind != 0);
            if (kind == 0)
                cr_assert(test_near(record->energy_end, record->energy_start, 1e-4 * record->energy_start));
            else
                cr_assert(record->energy_end < 1e-3 * record->energy_start);
            engine_free(watched.engine);
        }
        room_free(room);
    }
}

/* The source at the cut node of least mass of a small turned room, whose walls take a little, so that the
 * mean moves with what that node was given. */
static struct watched watch_small_mass(struct cell_grids *cells, bool hard,
                                       const struct engine_options *options, double *least)
{
    static const double little[] = {0, 0.02, 0.02, 0.02, 0.02};
    static const double none[] = {0, 0, 0, 0, 0};
    const struct block_grid *grid = &cells->blocks;
    const struct time_step step = time_step_of(1.0, 340.0, 0.0);
    struct watched watched = {
        .engine = engine_of(grid, &cells->box, &step, hard ? none : little, 5, NULL, options)};
    struct stencil tap = {.count = 1, .weight = {1.0}};
    *least = 1;
    for (block_id b = 1; b < block_list_first(grid); b++)
        for (unsigned slot = 0; slot < BLOCK_NODES; slot++) {
            if (!(grid->marks[grid->block[b].tile].cut[slot >> 6] >> (slot & 63) & 1))
                continue;
            const double mass = cut_mass(grid, block_cut_record(grid, b, slot));
            if (mass < *least) {
                *least = mass;
                block_node(&grid->block[b], slot, tap.node[0]);
            }
        }
    cr_assert(test_near(stencil_push(grid, &tap), 1 / sqrt(*least), 1e-12));
    const struct field_room facts = {.lambda2 = step.lambda2,
                                     .spacing = 1,
                                     .air_nodes = grid->air_nodes,
                                     .mass = cut_masses_sum(grid),
                                     .push = stencil_push(grid, &tap),
                                     .precision = options->precision,
                                     .hard = hard};
    field_monitor_start(&facts, click, 2, &watched.monitor);
    MUST(engine_add_source(watched.engine, &tap, &failure));
    engine_run(watched.engine, 2, click, NULL);
    return watched;
}

Test(field_monitor, small_masses_move_farther_and_pass_and_what_grows_there_does_not)
{
    struct cell_grids *cells = cell_grids_box(5.3, 4.1, 3.7, 4);
    for (int way = 0; way < 8; way++) {
        const bool hard = way & 1, grows = way >> 2;
        const struct engine_options options = {LAYOUT_BLOCKS, (enum precision)(way >> 1 & 1), BACKEND_CPU,
                                               SIMD_AUTO, 1};
        double least;
        struct watched watched = watch_small_mass(cells, hard, &options, &least);
        const double bound = cells->blocks.lambda2 / sqrt(least * cut_masses_sum(&cells->blocks));
        cr_assert(test_at_most(least, 0.02));
        cr_assert(test_near(watched.monitor.most, bound, 1e-9 * bound)); /* Q is 1, then 0 */
        for (int n = 0; n < 100; n++) {
            MUST(look(&watched));
            engine_run(watched.engine, 37, NULL, NULL);
        }
        if (grows) {
            engine_map(watched.engine);
            for (uint64_t index = 0; index < watched.engine->length; index++)
                if (engine_is_air(watched.engine, index)) {
                    engine_put(watched.engine, watched.engine->u, index,
                               1.01 * engine_value(watched.engine, watched.engine->u, index) + 1e-4);
                    engine_put(watched.engine, watched.engine->u_old, index,
                               1.01 * engine_value(watched.engine, watched.engine->u_old, index));
                }
            cr_assert(look(&watched) == FAILURE_SIMULATION, "way %d", way);
        }
        engine_free(watched.engine);
    }
    cell_grids_free(cells);
}

Test(field_monitor, a_field_that_was_tampered_with_is_found_out)
{
    struct lossy_room *room = room_ragged(31, 21, 14, 18, 0.12, 0.05, 9);
    room_harden(room);
    const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_SINGLE, BACKEND_CPU, SIMD_AUTO, 1};
    for (int which = 0; which < 2; which++) {
        struct watched watched = watch(room, true, &options);
        engine_run(watched.engine, 400, NULL, NULL);
        MUST(look(&watched));
        MUST(look(&watched));
        engine_run(watched.engine, 400, NULL, NULL);
        /* Either one bit of the exponent of one node, or a constant added to all: energy does not see that.
         */
        size_t loud = 0;
        for (size_t n = 0; n < room_size(room); ++n) {
            int64_t node[3];
            room_node(room, n, node);
            if (room->link[n] == 0)
                continue;
            const double now = engine_get(watched.engine, 0, node), old = engine_get(watched.engine, 1, node);
            if (which == 0 && fabs(now) > 1e-3 && loud++ == 0)
                engine_set(watched.engine, 0, node, 16.0 * now);
            if (which == 1) {
                engine_set(watched.engine, 0, node, now + 0.01);
                engine_set(watched.engine, 1, node, old + 0.01);
            }
        }
        MUST_FAIL(look(&watched), FAILURE_SIMULATION, which == 0 ? "energy" : "mean pressure");
        engine_free(watched.engine);
    }
    room_free(room);
}
