/* The account of a run's energy: by itself, with works added up here, and in rooms, where what the source
 * gave must be in the air or in a wall. */
#include "src/run/watch/energy_ledger.h"
#include "src/run/source_run.h"
#include "tests/support/back_ends.h"
#include "tests/support/outcome.h"
#include "tests/support/walled_box.h"

#define SOUND_SPEED 343.2
#define FMAX        355.0
#define SPACING     (SOUND_SPEED / (10.5 * FMAX))

/* ---- by itself ---- */

Test(energy_ledger, a_sample_holds_the_work_of_the_steps_before_it)
{
    enum { STEPS = 1000, DRIVEN = 600 };
    const double h = 0.25;
    struct energy_ledger ledger = {0};
    double drive[STEPS] = {0}, pressure[STEPS + 1], work[STEPS + 1] = {0};
    uint64_t seed = 11;
    MUST(energy_ledger_make(h, 1, &ledger, &failure));
    for (int n = 0; n <= STEPS; n++)
        pressure[n] = n == 0 ? 0.0 : test_uniform(&seed, -1.0, 1.0);
    for (int n = 0; n < DRIVEN; n++)
        drive[n] = test_uniform(&seed, -1.0, 1.0);
    for (int n = 0; n < STEPS; n++)
        work[n + 1] = work[n] + drive[n] * (pressure[n + 1] - (n > 0 ? pressure[n - 1] : 0.0)) / (2.0 * h);
    for (int twice = 0; twice < 2; twice++) {
        energy_ledger_clear(&ledger, 100); /* samples at every step, later at every second, .. */
        for (int n = 0; n < STEPS; n++) {
            if (n % (int)ledger.apart == 0) {
                ledger.scratch[0] = -(double)n;
                energy_ledger_sample(&ledger, (uint64_t)n, work[n] + (double)n);
            }
            energy_ledger_step(&ledger, &drive[n], &pressure[n]);
        }
        cr_assert(ledger.samples > LEDGER_SAMPLES / 2 && ledger.samples <= LEDGER_SAMPLES &&
                  ledger.apart == 8);
        for (size_t n = 0; n < ledger.samples; n++) {
            const uint64_t step = ledger.sample[n].step;
            cr_assert(step == n * ledger.apart);
            cr_assert(test_near(ledger.sample[n].injected, work[step], 1e-12), "step %llu: %g for %g",
                      (unsigned long long)step, ledger.sample[n].injected, work[step]);
            cr_assert(energy_ledger_absorbed(&ledger, n)[0] == -(double)step);
        }
        cr_assert(test_near(ledger.injected, work[STEPS], 1e-12));
        cr_assert(test_above(work[STEPS], 0.0)); /* else it is no account: other seeds give less than none */
        cr_assert(test_near(energy_ledger_imbalance(&ledger), 0.0, 1e-12 / work[STEPS]));
    }
    energy_ledger_free(&ledger);
}

Test(energy_ledger, the_last_sample_is_dropped_only_where_its_work_is_not_known)
{
    struct energy_ledger ledger = {0};
    MUST(energy_ledger_make(1.0, 0, &ledger, &failure));
    for (int silent = 0; silent < 2; silent++) {
        energy_ledger_clear(&ledger, 1);
        energy_ledger_step(&ledger, &(double){1.0}, &(double){0.0});
        energy_ledger_step(&ledger, &(double){silent ? 0.0 : 1.0}, &(double){3.0});
        energy_ledger_sample(&ledger, 2, 1.5);
        cr_assert(energy_ledger_ends_at(&ledger, 2));
        energy_ledger_close(&ledger);
        cr_assert(ledger.samples == (silent ? 1 : 0));
        cr_assert(silent == 0 ||
                  (ledger.sample[0].injected == 1.5 && energy_ledger_imbalance(&ledger) == 0.0));
        cr_assert(silent || isnan(energy_ledger_imbalance(&ledger)), "without samples there is no balance");
    }
    energy_ledger_free(&ledger);
}

Test(energy_ledger, what_is_not_finite_is_no_balance)
{
    struct energy_ledger ledger = {0};
    MUST(energy_ledger_make(1.0, 2, &ledger, &failure));
    for (int bad = 0; bad < 5; bad++) {
        energy_ledger_clear(&ledger, 1);
        energy_ledger_step(&ledger, &(double){1.0}, &(double){0.0});
        energy_ledger_step(&ledger, &(double){0.0}, &(double){bad == 1 ? (double)NAN : 2.0});
        for (uint64_t step = 2; step < 6; step++) {
            ledger.scratch[1] = bad == 2 && step == 3 ? (double)NAN : 0.25;
            energy_ledger_sample(&ledger, step,
                                 bad == 3 && step == 3 ? (double)NAN
                                 : bad == 4            ? INFINITY
                                                       : 0.75);
            energy_ledger_step(&ledger, &(double){0.0}, &(double){0.0});
        }
        energy_ledger_close(&ledger);
        const double imbalance = energy_ledger_imbalance(&ledger);
        cr_assert(bad == 0 ? imbalance == 0.0 : isnan(imbalance), "%d: %g", bad, imbalance);
    }
    energy_ledger_free(&ledger);
}

/* ---- in rooms ---- */

/* A run of a source at `node` in a box with the materials. The ledger is the caller's. */
static void run_room(const struct walled_box *room, const struct wall_materials *walls,
                     const struct engine_options *options, const double place[3], double duration,
                     struct energy_ledger *ledger)
{
    struct time_step step;
    struct source_progress out = {0};
    const int64_t receiver_node[3] = {3, 4, 2};
    const struct stencil receiver = walled_box_stencil(receiver_node);
    struct stencil source;
    int64_t base[3];
    for (int axis = 0; axis < 3; axis++)
        base[axis] = (int64_t)floor(place[axis]);
    const double position[3] = {place[0] * SPACING, place[1] * SPACING, place[2] * SPACING};
    MUST(time_step_choose(SCHEME_STANDARD, SPACING, SOUND_SPEED, 0.0, &step, &failure));
    MUST(stencil_make(&room->blocks, position, base, INTERPOLATION_CUBIC, &source, &failure));
    struct engine *engine = engine_of(&room->blocks, &room->box, &step, NULL, 0, walls, options);
    const struct lattice lattice = {.spacing = SPACING};
    MUST(engine_add_source(engine, &source, &failure));
    MUST(engine_add_receiver(engine, &receiver, &failure));
    MUST(engine_add_receiver(engine, &source, &failure));
    MUST(energy_ledger_make(SPACING, walls->ledger ? walls->count + 1 : 0, &out.ledger, &failure));
    const struct source_run_settings settings = {.step = step, .fmax = FMAX, .duration = duration};
    MUST(source_run(engine, &lattice, 0, 1, 1, &settings, &out, &failure));
    *ledger = out.ledger;
    cr_assert(energy_ledger_ends_at(ledger, out.steps));
    free(out.raw);
    engine_free(engine);
}

static struct walled_box *room_of(const int64_t nodes[3], const uint16_t face[DIRECTIONS])
{
    struct walled_box *room = walled_box_make(nodes, face);
    room->blocks.lattice.spacing = SPACING;
    return room;
}

static double taken(const struct energy_ledger *ledger, size_t surface)
{
    return energy_ledger_absorbed(ledger, ledger->samples - 1)[surface] / ledger->injected;
}

/* Resistance alone, a resonance, two branches, a hard wall and an open face. */
Test(energy_ledger, what_the_source_gave_is_in_the_air_or_in_a_wall)
{
    enum { MATERIALS = 4, HARD = 3 };
    const struct wall_material material[MATERIALS] = {
        {1, {{0.0, 8.0, 0.0}}},
        {1, {{2e-3, 3.0, 2000.0}}},
        {2, {{1e-3, 12.0, 0.0}, {0.0, 30.0, 9000.0}}},
        {0},
    };
    const uint16_t face[DIRECTIONS] = {0, 1, 2, HARD, VOXELS_OPEN_FACE, 1};
    const int64_t nodes[3] = {21, 17, 14};
    const double place[3] = {9.3, 7.8, 6.4};
    struct walled_box *room = room_of(nodes, face);
    struct back_ends all = {.mask = BACK_ENDS_ALL};
    double worst[2] = {0.0, 0.0};
    while (back_ends_next(&all)) {
        for (int inertance = 0; inertance < 2; inertance++) {
            const struct wall_materials walls = {MATERIALS, material, inertance != 0, true};
            const bool single = all.options.precision == PRECISION_SINGLE;
            struct energy_ledger ledger = {0};
            run_room(room, &walls, &all.options, place, 0.15, &ledger);
            const double imbalance = energy_ledger_imbalance(&ledger);
            cr_assert(ledger.injected > 0.0 && ledger.samples >= 4 && ledger.samples <= LEDGER_SAMPLES);
            cr_assert(test_near(imbalance, 0.0, single ? 1e-5 : 1e-12), "%g is missing", imbalance);
            worst[single ? 1 : 0] = fmax(worst[single ? 1 : 0], imbalance);
            for (size_t n = 1; n < ledger.samples; n++) {
                cr_assert(ledger.sample[n].step > ledger.sample[n - 1].step);
                for (size_t s = 0; s <= MATERIALS; s++)
                    cr_assert(energy_ledger_absorbed(&ledger, n)[s] >=
                              energy_ledger_absorbed(&ledger, n - 1)[s]);
            }
            for (size_t s = 0; s <= MATERIALS; s++)
                cr_assert(s == HARD ? taken(&ledger, s) == 0.0 : test_above(taken(&ledger, s), 0.01));
            energy_ledger_free(&ledger);
        }
    }
    (void)fprintf(stderr, "imbalance: double %.1e, single %.1e\n", worst[0], worst[1]);
    walled_box_free(room);
}

/* The source in the middle of a box of odd sides: opposite walls get the same. */
Test(energy_ledger, equal_walls_take_equal_shares_and_twice_the_admittance_takes_more)
{
    enum { MATERIALS = 5, HARD = 4 };
    const struct wall_material material[MATERIALS] = {{1, {{1e-3, 40.0, 0.0}}},
                                                      {1, {{1e-3, 40.0, 0.0}}},
                                                      {2, {{1e-3, 40.0, 0.0}, {1e-3, 40.0, 0.0}}},
                                                      {2, {{1e-3, 40.0, 0.0}, {1e-3, 40.0, 0.0}}},
                                                      {0}};
    const uint16_t face[DIRECTIONS] = {0, 1, 2, 3, HARD, HARD};
    const int64_t nodes[3] = {15, 15, 15};
    const double middle[3] = {7.0, 7.0, 7.0};
    struct walled_box *room = room_of(nodes, face);
    struct back_ends all = {.mask = BACK_ENDS_CPU};
    while (back_ends_next(&all)) {
        const struct wall_materials walls = {MATERIALS, material, true, true};
        const double off = all.options.precision == PRECISION_SINGLE ? 1e-5 : 1e-12;
        struct energy_ledger ledger = {0};
        run_room(room, &walls, &all.options, middle, 0.3, &ledger);
        cr_assert(test_near(taken(&ledger, 0), taken(&ledger, 1), off));
        cr_assert(test_near(taken(&ledger, 2), taken(&ledger, 3), off));
        cr_assert(test_above(taken(&ledger, 2), 1.5 * taken(&ledger, 0)), "%g and %g", taken(&ledger, 2),
                  taken(&ledger, 0));
        cr_assert(taken(&ledger, HARD) == 0.0);
        energy_ledger_free(&ledger);
    }
    walled_box_free(room);
}

Test(energy_ledger, between_hard_walls_all_of_it_stays)
{
    const int64_t nodes[3] = {13, 11, 12};
    const double place[3] = {5.5, 5.2, 6.0};
    struct walled_box *room = room_of(nodes, walled_box_rigid);
    struct back_ends all = {.mask = BACK_ENDS_CPU};
    while (back_ends_next(&all)) {
        const struct wall_materials walls = {0, NULL, false, false};
        const bool single = all.options.precision == PRECISION_SINGLE;
        struct energy_ledger ledger = {0};
        run_room(room, &walls, &all.options, place, 0.2, &ledger);
        cr_assert(test_near(energy_ledger_imbalance(&ledger), 0.0, single ? 1e-5 : 1e-12), "%g",
                  energy_ledger_imbalance(&ledger));
        cr_assert(test_near(ledger.sample[ledger.samples - 1].stored / ledger.injected, 1.0,
                            single ? 1e-5 : 1e-12));
        energy_ledger_free(&ledger);
    }
    walled_box_free(room);
}

/* More wall entries than one thread adds up at a time. */
Test(energy_ledger, threads_do_not_change_what_the_walls_of_a_large_room_took)
{
    enum { EDGE = 112, STEPS = 60 };
    const struct wall_material material[2] = {{1, {{0.0, 2.0, 0.0}}}, {1, {{1e-4, 1.0, 500.0}}}};
    const struct wall_materials walls = {2, material, true, true};
    const uint16_t face[DIRECTIONS] = {0, 1, 0, 1, 1, 0};
    const int64_t nodes[3] = {EDGE, EDGE, EDGE};
    struct walled_box *room = room_of(nodes, face);
    struct time_step step;
    double absorbed[2][3] = {{0.0}};
    MUST(time_step_choose(SCHEME_STANDARD, SPACING, SOUND_SPEED, 0.0, &step, &failure));
    cr_assert(room->blocks.walls > (1u << 16));
    for (int threads = 0; threads < 2; threads++) {
        const struct engine_options options = {LAYOUT_BLOCKS, PRECISION_DOUBLE, BACKEND_CPU, SIMD_AUTO,
                                               1 + 2 * threads};
        struct engine *engine = engine_of(&room->blocks, &room->box, &step, NULL, 0, &walls, &options);
        for (int64_t n = 1; n < EDGE; n += 10) { /* along the edges of all faces */
            const int64_t node[3][3] = {{n, 1, EDGE - 1}, {0, n, 1}, {EDGE - 1, EDGE - 1, n}};
            for (int edge = 0; edge < 3; edge++)
                engine_set(engine, 0, node[edge], 1.0);
        }
        const double before = engine_energy(engine);
        engine_run(engine, STEPS, NULL, NULL);
        engine_absorbed(engine, absorbed[threads]);
        const double after = engine_energy(engine);
        cr_assert(
            test_near((before - after - absorbed[threads][0] - absorbed[threads][1]) / before, 0.0, 1e-12));
        cr_assert(test_above(absorbed[threads][0], 0.05 * before) &&
                  test_above(absorbed[threads][1], 0.05 * before));
        engine_free(engine);
    }
    cr_assert(memcmp(absorbed[0], absorbed[1], sizeof absorbed[0]) == 0);
    walled_box_free(room);
}

/* Kinds of walls are surfaces at distances: their parts of what was absorbed belong together, and the open
 * faces come last. */
Test(energy_ledger, kinds_of_a_surface_are_added_up)
{
    struct energy_ledger ledger = {0};
    struct wall_kind kind[5] = {{0, 0, 0}, {1, 0, 0}, {1, 3, 3}, {0, -2, -4}, {1, 5, 5}};
    const struct wall_kinds kinds = {5, kind};
    static const double absorbed[6] = {1, 2, 4, 8, 16, 32};
    MUST(energy_ledger_make(1.0, 3, &ledger, &failure));
    MUST(energy_ledger_of_kinds(&ledger, &kinds, &failure));
    memcpy(ledger.scratch, absorbed, sizeof absorbed);
    energy_ledger_sample(&ledger, 0, 0.0);
    const double *sum = energy_ledger_absorbed(&ledger, 0);
    cr_assert(sum[0] == 9 && sum[1] == 22 && sum[2] == 32);
    energy_ledger_free(&ledger);
}
