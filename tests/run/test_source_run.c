/* The driver of a run with an engine whose operations are fakes: a field fails, is slow or never dies away on
 * order. */
#define _XOPEN_SOURCE 700 /* for a pseudo-terminal */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "kernels/engine/engine_ops.h"
#include "kernels/engine/engine_recheck.h"
#include "kernels/engine/engine_state.h"
#include "src/run/source_run.h"
#include "src/response/signal/response.h"
#include "tests/support/outcome.h"
#include "tests/support/driven.h"

#define PI      3.14159265358979323846
#define RATE    3222.0
#define FMAX    177.0
#define LEAD    response_lead(&(struct time_step){.rate = RATE}, FMAX)
#define NEVER   UINT64_MAX
#define SOURCES 3

/* An engine that computes nothing, of a block alone: its operations fail, wait and count on order. */
struct fake_engine {
    struct engine base;
    double (*sound)(size_t receiver, uint64_t step);
    uint64_t field_fails;    /* from this step on the field is not finite */
    uint64_t receiver_fails; /* from this step on receiver 1 is not finite */
    uint64_t device_fails;   /* from this step on the device is lost */
    bool look_fails;         /* a look at the field loses it, not a step */
    bool energy_fails;       /* not the look for what is finite, but the one for the energy */
    uint64_t energy_grows;   /* from this step on there is twice as much energy */
    uint64_t interrupts;     /* the flag is set in the batch that reaches this step */
    volatile sig_atomic_t flag;
    uint64_t recheck_fails; /* from this step on a check finds a difference */
    uint64_t copied;        /* the step before which blocks were copied last */
    unsigned rechecks;
    long nanoseconds;        /* per step */
    long health_nanoseconds; /* per look at the field */
    unsigned health_calls, batches, resets;
    uint64_t looked_at[8]; /* steps of the first looks */
    bool drive_wrong;
    struct response_drive drive;
};

static struct fake_engine *fake_of(struct engine *engine)
{
    return (struct fake_engine *)engine;
}

static void sleep_for(long nanoseconds)
{
    const struct timespec pause = {.tv_sec = nanoseconds / 1000000000L, .tv_nsec = nanoseconds % 1000000000L};
    if (nanoseconds > 0)
        (void)nanosleep(&pause, NULL);
}

static bool is_lost(const struct engine *engine)
{
    return engine->failure.code != FAILURE_NONE;
}

static void lose(struct engine *engine, bool loses)
{
    struct failure why = {0};
    if (loses && !is_lost(engine))
        (void)engine_keep(engine, failure_set(&why, FAILURE_OUTPUT, "the device fell off the bus"), &why);
}

static void fake_reset(struct engine *engine)
{
    fake_of(engine)->resets++;
}

static void fake_run(struct engine *engine, uint64_t steps, const double *drive, double *output)
{
    struct fake_engine *const fake = fake_of(engine);
    lose(engine, !fake->look_fails && engine->steps + steps > fake->device_fails);
    for (uint64_t n = 0; n < steps; n++) {
        const uint64_t step = engine->steps + n;
        for (size_t s = 0; s < SOURCES; s++) {
            const double expected = s == 1 && step < fake->drive.count ? fake->drive.sample[step] : 0.0;
            if (drive[s * steps + n] != expected)
                fake->drive_wrong = true;
        }
        for (size_t r = 0; r < engine->receivers; r++)
            output[r * steps + n] = is_lost(engine) || (r == 1 && step >= fake->receiver_fails)
                                        ? (double)NAN
                                        : fake->sound(r, step);
    }
    engine->steps += steps;
    fake->batches++;
    if (engine->steps > fake->interrupts)
        fake->flag = 1;
    sleep_for(fake->nanoseconds * (long)steps);
}

static struct engine_partial fake_measure(struct engine *engine)
{
    struct fake_engine *const fake = fake_of(engine);
    if (fake->health_calls < sizeof fake->looked_at / sizeof *fake->looked_at)
        fake->looked_at[fake->health_calls] = engine->steps;
    fake->health_calls++;
    lose(engine, fake->look_fails && !fake->energy_fails && engine->steps > fake->device_fails);
    sleep_for(fake->health_nanoseconds);
    const bool finite =
        !is_lost(engine) && engine->steps <= fake->field_fails && engine->steps <= fake->receiver_fails;
    return (struct engine_partial){.bad = finite ? UINT64_MAX : BLOCK_NODES + block_slot(3, 4, 5),
                                   .largest = 1.0,
                                   .sum = pow(10.0, -0.001 * (double)engine->steps)};
}

static double energy_fall(uint64_t step)
{
    return 1e-9 * (double)step;
}

static double fake_energy(struct engine *engine)
{
    const struct fake_engine *const fake = fake_of(engine);
    lose(engine, fake->energy_fails && engine->steps > fake->device_fails);
    return is_lost(engine) ? (double)NAN
                           : (engine->steps > fake->energy_grows ? 2.0 : 1.0) - energy_fall(engine->steps);
}

static uint32_t fake_threads(const struct engine *engine)
{
    (void)engine;
    return 1;
}

static bool fake_begin_recheck(struct engine *engine)
{
    fake_of(engine)->copied = engine->steps;
    return true;
}

static int fake_end_recheck(struct engine *engine, struct failure *why)
{
    struct fake_engine *const fake = fake_of(engine);
    /* One step, which nothing drives, and those that are due. */
    cr_assert(engine->steps == fake->copied + 1 && fake->copied >= fake->drive.count &&
                  fake->copied % engine_recheck_apart(engine) == 0,
              "copied before step %llu, compared after %llu", (unsigned long long)fake->copied,
              (unsigned long long)engine->steps);
    fake->rechecks++;
    return engine->steps > fake->recheck_fails ? failure_set(why, FAILURE_SIMULATION, "a bit flipped") : 0;
}

static void fake_absorbed(struct engine *engine, double *absorbed)
{
    absorbed[0] = energy_fall(engine->steps);
}

static const struct engine_ops fake_ops = {.reset = fake_reset,
                                           .run = fake_run,
                                           .measure = fake_measure,
                                           .energy = fake_energy,
                                           .absorbed = fake_absorbed,
                                           .threads = fake_threads,
                                           .begin_recheck = fake_begin_recheck,
                                           .end_recheck = fake_end_recheck};

static double counting(size_t receiver, uint64_t step)
{
    return 1e6 * (double)receiver + (double)step;
}

static const struct lattice lattice = {.spacing = 0.5, .origin = {10.0, 20.0, 30.0}, .nodes = {9, 9, 9}};

/* Of so many blocks that a check is due every `apart` steps (engine_recheck_apart()), at least 64. */
static struct fake_engine fake_engine_every(uint64_t apart, double (*sound)(size_t, uint64_t),
                                            size_t receivers)
{
    static struct block block[2];
    static struct block_grid grid = {.block = block};
    grid.blocks = (uint32_t)(160000 / apart);
    return (struct fake_engine){.base = {.ops = &fake_ops,
                                         .options = {.backend = BACKEND_CPU},
                                         .room = {.blocks = &grid},
                                         .sources = SOURCES,
                                         .receivers = receivers},
                                .sound = sound,
                                .field_fails = NEVER,
                                .receiver_fails = NEVER,
                                .device_fails = NEVER,
                                .energy_grows = NEVER,
                                .recheck_fails = NEVER,
                                .interrupts = NEVER};
}

static struct fake_engine fake_engine(double (*sound)(size_t, uint64_t), size_t receivers)
{
    return fake_engine_every(160000, sound, receivers); /* one block: later than any run is long */
}

static const struct field_room watched_room = {
    .lambda2 = 0.3, .spacing = 0.5, .air_nodes = 1, .mass = 1, .push = 1, .precision = PRECISION_DOUBLE};

/* Of the last run; every test has a process of its own. */
static struct source_progress out;

static int run(struct fake_engine *engine, struct source_run_settings settings)
{
    settings.step = step_at(RATE);
    settings.fmax = FMAX;
    settings.interrupt = &engine->flag;
    engine->base.failure = (struct failure){0};
    MUST(response_drive_make(&settings.step, FMAX, &engine->drive, &failure));
    free(out.raw);
    const int code =
        source_run(&engine->base, &lattice, 1, SOURCES, engine->base.receivers, &settings, &out, &failure);
    response_drive_free(&engine->drive);
    cr_assert(out.lead == LEAD);
    return code;
}

static void expect_rows(double (*sound)(size_t receiver, uint64_t step), size_t receivers)
{
    for (size_t r = 0; r < receivers; r++)
        for (uint64_t n = 0; n < out.steps; n++)
            cr_assert(out.raw[r * out.steps + n] == sound(r, n), "receiver %zu, step %llu", r,
                      (unsigned long long)n);
}

static void free_rows(void)
{
    free(out.raw);
}

TestSuite(source_run, .fini = free_rows);

Test(source_run, one_source_is_driven_with_the_low_pass_and_every_output_lands_in_its_row)
{
    struct fake_engine engine = fake_engine(counting, 3);
    MUST(run(&engine, (struct source_run_settings){.duration = 1.0}));
    cr_assert(out.steps == LEAD + 3222 && engine.resets == 1 && engine.base.steps == out.steps);
    cr_assert(engine.batches > 5);
    cr_assert(not(engine.drive_wrong));
    cr_assert(out.interrupted == false && out.capped == false);
    expect_rows(counting, 3);

    MUST(run(&engine, (struct source_run_settings){.duration = 0.99991 / RATE}));
    cr_assert(out.steps == LEAD + 1);
    MUST(run(&engine, (struct source_run_settings){.duration = 7.5 / RATE}));
    cr_assert(out.steps == LEAD + 8);
}

Test(source_run, the_energy_is_taken_when_the_source_falls_silent)
{
    struct fake_engine engine = fake_engine(counting, 1);
    struct source_run_settings settings = {.duration = 1.0, .room = &watched_room};
    MUST(run(&engine, settings));
    cr_assert(out.monitor.record.energy_start == 1.0 - energy_fall(2 * LEAD + 2));
    cr_assert(out.monitor.record.energy_end == 1.0 - energy_fall(out.steps) &&
              out.monitor.record.energy_rise == 0);
    settings.duration = 10.0 / RATE;
    MUST(run(&engine, settings));
    cr_assert(isnan(out.monitor.record.energy_start), "a run that ended before that has none");
}

Test(source_run, a_field_that_is_not_finite_is_named_by_steps_node_and_place)
{
    struct fake_engine engine = fake_engine(counting, 2);
    engine.field_fails = 2000;
    engine.nanoseconds = 500000;
    cr_assert(run(&engine, (struct source_run_settings){.duration = 1.2}) == FAILURE_SIMULATION);
    unsigned long long finite = 0, broken = 0;
    cr_assert(
        sscanf(failure.sentence,
               "the pressure is not finite at node (3, 4, 5), at 11.500, 22.000, 32.500 m; it became so "
               "between step %llu and step %llu",
               &finite, &broken) == 2,
        "%s", failure.sentence);
    cr_assert(finite <= 2000 && broken > 2000 && broken < 3000, "%s", failure.sentence);
    cr_assert(out.steps == broken);
    expect_rows(counting, 2);
}

Test(source_run, a_field_whose_energy_grows_ends_the_run_and_what_was_computed_is_kept)
{
    struct fake_engine engine = fake_engine(counting, 2);
    engine.energy_grows = 2000;
    engine.nanoseconds = 500000;
    const struct source_run_settings settings = {.duration = 1.2, .room = &watched_room};
    cr_assert(run(&engine, settings) == FAILURE_SIMULATION);
    unsigned long long from = 0, to = 0;
    double energy = 0, rise = 0;
    cr_assert(
        sscanf(failure.sentence,
               "the energy of the field grew from %lf at step %llu by %lf up to step %llu without a source",
               &energy, &from, &rise, &to) == 4,
        "%s", failure.sentence);
    cr_assert(from > 2 * LEAD && from <= 2000 && to > 2000 && to < 3000 && out.steps == to, "%s",
              failure.sentence);
    cr_assert(test_near(energy, 1, 1e-5) && test_near(rise, 1, 1e-2), "%s", failure.sentence);
    cr_assert(test_near(out.monitor.record.energy_rise, 1, 1e-5));
    expect_rows(counting, 2);

    /* Energy that the drive brings is none that grew: it is watched from the end of the drive on. */
    engine.energy_grows = 1;
    MUST(run(&engine, settings));
    cr_assert(test_near(out.monitor.record.energy_start, 2, 1e-5) && out.monitor.record.energy_rise == 0);

    /* And from there on at once, however soon it grows. */
    engine.energy_grows = 2 * LEAD + 3;
    cr_assert(run(&engine, settings) == FAILURE_SIMULATION);
    cr_assert(
        sscanf(failure.sentence, "the energy of the field grew from %lf at step %llu", &energy, &from) == 2);
    cr_assert(from == 2 * LEAD + 2, "%s", failure.sentence);
}

Test(source_run, a_receiver_that_is_not_finite_ends_the_run_at_once_and_keeps_what_was_sound)
{
    struct fake_engine engine = fake_engine(counting, 2);
    engine.receiver_fails = 700;
    cr_assert(run(&engine, (struct source_run_settings){.duration = 3.0}) == FAILURE_SIMULATION);
    cr_assert(out.steps == 700 && engine.base.steps < 700 + 513);
    expect_rows(counting, 2);
}

Test(source_run, a_device_that_fails_ends_the_run_with_its_own_sentence_and_keeps_the_batches_before)
{
    for (int look_fails = 0; look_fails < 3; look_fails++)
        for (size_t receivers = 0; receivers < 3; receivers += 2) {
            struct fake_engine engine = fake_engine(counting, receivers);
            engine.device_fails = 2000;
            engine.look_fails = look_fails != 0;
            engine.energy_fails = look_fails == 2;
            const struct source_run_settings settings = {.duration = 3.0, .room = &watched_room};
            cr_assert(run(&engine, settings) == FAILURE_OUTPUT);
            cr_assert(eq(str, failure.sentence, "the device fell off the bus"));
            if (look_fails == 0)
                cr_assert(out.steps > 0 && out.steps <= 2000 && engine.base.steps < 2000 + 513, "%llu",
                          (unsigned long long)out.steps);
            else
                cr_assert(out.steps > 2000 && out.steps == engine.base.steps);
            expect_rows(counting, receivers);
        }
}

Test(source_run, some_blocks_are_computed_again_at_equal_distances_and_a_difference_ends_the_run)
{
    const struct source_run_settings settings = {.duration = 3.0};
    const struct time_step step = step_at(RATE);
    struct response_drive drive;
    MUST(response_drive_make(&step, FMAX, &drive, &failure));
    const uint64_t driven = drive.count;
    response_drive_free(&drive);
    static const uint64_t every[] = {64, 500, 4000};
    for (int n = 0; n < 3; n++) {
        const uint64_t apart = every[n];
        struct fake_engine engine = fake_engine_every(apart, counting, 2);
        MUST(run(&engine, settings));
        const uint64_t first = (driven + apart - 1) / apart;
        cr_assert(eq(u64, engine.rechecks, (out.steps + apart - 1) / apart - first), "every %llu steps",
                  (unsigned long long)apart);
        expect_rows(counting, 2);
        cr_assert(not(engine.drive_wrong));
    }
    struct fake_engine engine = fake_engine_every(500, counting, 2);
    engine.recheck_fails = 4000;
    MUST_FAIL(run(&engine, settings), FAILURE_SIMULATION, "a bit flipped");
    cr_assert(eq(u64, out.steps, 4000)); /* the step at fault is left out */
    expect_rows(counting, 2);
}

Test(source_run, an_interrupt_ends_the_run_with_the_batch_and_keeps_it)
{
    struct fake_engine engine = fake_engine(counting, 2);
    engine.interrupts = 1000;
    MUST(run(&engine, (struct source_run_settings){.duration = 3.0}));
    cr_assert(out.interrupted);
    cr_assert(out.steps > 1000 && out.steps <= 1000 + 512);
    cr_assert(engine.base.steps == out.steps);
    expect_rows(counting, 2);

    engine.flag = 1; /* before the first step */
    MUST(run(&engine, (struct source_run_settings){.duration = 3.0}));
    cr_assert(out.interrupted && out.steps == 0);
}

/* Tones in the 63 and 125 Hz octaves; at receiver 1 the upper one takes 2 s for 60 dB, so 45 dB take 1.5 s.
 */
static double dying(size_t receiver, uint64_t step)
{
    const double t = (double)step / RATE;
    return sin(2.0 * PI * 65.0 * t) * pow(10.0, -3.0 * t / 0.7) +
           sin(2.0 * PI * 120.0 * t) * pow(10.0, -3.0 * t / (receiver == 1 ? 2.0 : 0.5));
}

static double lasting(size_t receiver, uint64_t step)
{
    return receiver == 0 ? dying(0, step) : sin(2.0 * PI * 120.0 * (double)step / RATE);
}

/* As a run of automatic length that follows these rows. */
static int run_followed(struct fake_engine *engine, struct source_run_settings settings, size_t count,
                        const size_t *row)
{
    static const double onset[3];
    const struct decay_rows decay = {.chain = {.step = step_at(RATE), .fmax = FMAX, .method = AIR_OFF},
                                     .count = count,
                                     .row = row,
                                     .onset = onset,
                                     .threads = 1};
    settings.decay = &decay;
    return run(engine, settings);
}

static const size_t first_rows[] = {0, 1, 2};

static double seconds_run(void)
{
    return (double)(out.steps - out.lead) / RATE;
}

/* Filters of the figures ring at the end of a response, and that is not evaluated. */
static double seconds_seen(double centre)
{
    return seconds_run() - band_ringing(BANDS_OCTAVE, centre);
}

Test(source_run, an_automatic_run_ends_within_a_piece_after_the_slowest_octave_has_45_dB_of_range)
{
    struct fake_engine engine = fake_engine(dying, 2);
    const struct source_run_settings settings = {.first_duration = 0.4, .longest_duration = 15.0};
    MUST(run_followed(&engine, settings, 2, first_rows));
    const double centre = 1000 * pow(10, -0.9), most = 1.5 + DECAY_PIECE_LEAST * seconds_run() + 0.03;
    cr_assert(seconds_seen(centre) > 1.47 && seconds_seen(centre) < most, "%g s", seconds_seen(centre));
    cr_assert(test_near(out.range[1], 30.0 * seconds_seen(centre), 1.0), "%g dB", out.range[1]);
    cr_assert(out.range[1] >= 45.0 && out.range[0] >= 45.0 && isinf(out.range[2]) && out.capped == false);
    expect_rows(dying, 2);

    /* Already quiet after the first piece: not a step more. */
    const struct source_run_settings longer = {.first_duration = 3.0, .longest_duration = 15.0};
    MUST(run_followed(&engine, longer, 2, first_rows));
    cr_assert(out.steps == LEAD + 9666);

    /* As without receivers to follow. */
    MUST(run_followed(&engine, settings, 0, first_rows));
    cr_assert(out.steps == LEAD + 1289 && out.capped == false);

    /* A fixed length is not changed, nor is its decay measured. */
    MUST(run_followed(&engine, (struct source_run_settings){.duration = 0.5}, 2, first_rows));
    cr_assert(out.steps == LEAD + 1611 && isnan(source_least_range(&out)));
}

/* A decay of .5 s, and 20 dB under it one of 1.5 s: E(t), the energy after t over all, has fallen by 45 dB at
 * .75 s and not at .37 s, where it would have by the first. */
static double sloping(size_t receiver, uint64_t step)
{
    const double t = ((double)step - (double)LEAD) / RATE;
    (void)receiver;
    return t < 0 ? 0
                 : sin(2.0 * PI * 125.0 * t) * (pow(10.0, -3.0 * t / 0.5) + pow(10.0, -1.0 - 3.0 * t / 1.5));
}

Test(source_run, a_decay_of_two_slopes_is_followed_down_the_second)
{
    struct fake_engine engine = fake_engine(sloping, 1);
    const struct source_run_settings settings = {.first_duration = 0.4, .longest_duration = 15.0};
    MUST(run_followed(&engine, settings, 1, first_rows));
    double all = 0, left = 0;
    const uint64_t seen = out.lead + (uint64_t)(seconds_seen(1000 * pow(10, -0.9)) * RATE);
    for (uint64_t n = out.lead; n < out.lead + (uint64_t)(6 * RATE); n++) {
        all += pow(sloping(0, n), 2);
        left += n >= seen ? pow(sloping(0, n), 2) : 0;
    }
    cr_assert(test_near(10 * log10(all / left), 46, 1.5), "%g dB after %g s", 10 * log10(all / left),
              seconds_run());
}

/* A sound of .3 s that stops has no decay, and no longer response would give it one. */
static double stopping(size_t receiver, uint64_t step)
{
    const double t = ((double)step - (double)LEAD) / RATE;
    (void)receiver;
    return t < 0.0 || t > 0.3 ? 0.0 : sin(2.0 * PI * 89.0 * t);
}

Test(source_run, an_octave_without_a_decay_is_not_waited_for)
{
    struct fake_engine engine = fake_engine(stopping, 1);
    const struct source_run_settings settings = {.first_duration = 0.6, .longest_duration = 2.0};
    MUST(run_followed(&engine, settings, 1, first_rows));
    cr_assert(seconds_run() < 0.7 && out.capped == false, "%g s", seconds_run());
    cr_assert(source_least_range(&out) >= DECAY_FALL_ENOUGH);
}

Test(source_run, sound_that_does_not_die_away_is_cut_at_the_longest_duration_and_reported)
{
    struct fake_engine engine = fake_engine(lasting, 2);
    const struct source_run_settings settings = {.first_duration = 0.4, .longest_duration = 2.0};
    MUST(run_followed(&engine, settings, 2, first_rows));
    cr_assert(out.capped && out.steps == LEAD + 6444 && source_least_range(&out) < 45.0);
    const struct source_run_settings shorter = {.first_duration = 20.0, .longest_duration = 1.0};
    MUST(run_followed(&engine, shorter, 2, first_rows));
    cr_assert(out.capped && out.steps == LEAD + 3222);
}

/* Receiver 1 sounds for ever, receiver 0 does not: who is followed decides, and both are kept. */
Test(source_run, only_followed_receivers_decide_when_an_automatic_run_ends)
{
    struct fake_engine engine = fake_engine(lasting, 3);
    static const size_t quiet[] = {0}, loud[] = {2};
    const struct source_run_settings settings = {.first_duration = 0.4, .longest_duration = 4.0};
    MUST(run_followed(&engine, settings, 1, quiet));
    cr_assert(out.capped == false && source_least_range(&out) >= 45.0, "it went on for %llu steps",
              (unsigned long long)out.steps);
    expect_rows(lasting, 3);
    MUST(run_followed(&engine, settings, 1, loud));
    cr_assert(out.capped && source_least_range(&out) < 45.0);
}

/* Memory ends when the planned steps are over: rows are long enough not to lie in the heap. */
static double lasting_until_memory_ends(size_t receiver, uint64_t step)
{
    const struct rlimit none = {.rlim_cur = 1 << 20, .rlim_max = RLIM_INFINITY};
    if (step == 1000)
        cr_assert(setrlimit(RLIMIT_AS, &none) == 0);
    return lasting(receiver, step);
}

Test(source_run, an_automatic_run_that_finds_no_memory_to_go_on_keeps_what_it_has)
{
    struct fake_engine engine = fake_engine(lasting_until_memory_ends, 3);
    const int code =
        run_followed(&engine, (struct source_run_settings){.first_duration = 10.0, .longest_duration = 40.0},
                     3, first_rows);
    const struct rlimit all = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    cr_assert(setrlimit(RLIMIT_AS, &all) == 0);
    cr_assert(eq(int, code, FAILURE_CAPACITY));
    cr_assert(out.steps == LEAD + 32220);
    expect_rows(lasting, 3);
}

/* Every 512 steps, where the source falls silent, and at the end, whatever the clock says. */
Test(source_run, the_field_is_looked_at_at_the_same_steps_however_long_steps_and_looks_take)
{
    static const long step_takes[] = {0, 200000}, look_takes[] = {0, 20000000};
    for (int slow = 0; slow < 2; slow++) {
        struct fake_engine engine = fake_engine(counting, 1);
        engine.nanoseconds = step_takes[slow];
        engine.health_nanoseconds = look_takes[slow];
        MUST(run(&engine, (struct source_run_settings){.duration = 1290.0 / RATE}));
        const uint64_t expected[] = {2 * LEAD + 2, 512, 1024, out.steps};
        cr_assert(2 * LEAD + 2 < 512 && out.steps > 1024 && out.steps < 1536);
        cr_assert(engine.health_calls == 4, "%u", engine.health_calls);
        for (int n = 0; n < 4; n++)
            cr_assert(engine.looked_at[n] == expected[n], "%llu", (unsigned long long)engine.looked_at[n]);
    }
}

Test(source_run, a_log_gets_whole_lines_with_share_rate_time_and_level)
{
    struct fake_engine engine = fake_engine(counting, 1);
    FILE *log = tmpfile();
    cr_assert(run(&engine,
                  (struct source_run_settings){
                      .duration = 0.5, .progress = log, .stored_nodes = 1000000, .label = "S1 (1 of 2)"}) ==
              0);
    rewind(log);
    char line[300];
    cr_assert(fgets(line, sizeof line, log) != NULL);
    cr_assert(strstr(line, "S1 (1 of 2)") == line && strstr(line, "100 %") != NULL, "%s", line);
    cr_assert(strstr(line, "node/s") != NULL && strstr(line, "0:00 left") != NULL, "%s", line);
    cr_assert(strstr(line, "level ") != NULL && strstr(line, " dB") != NULL && strchr(line, '\r') == NULL);
    cr_assert(fgets(line, sizeof line, log) == NULL, "a short run has one line in a log");
    (void)fclose(log);
}

Test(source_run, a_terminal_gets_one_line_rewritten_at_most_5_times_a_second)
{
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0) {
        fprintf(stderr, "SKIPPED: this machine gives no terminal (/dev/ptmx, as in a bare chroot)\n");
        return;
    }
    cr_assert(grantpt(master) == 0 && unlockpt(master) == 0);
    FILE *terminal = fopen(ptsname(master), "w");
    cr_assert(terminal != NULL);
    struct fake_engine engine = fake_engine(counting, 1);
    engine.nanoseconds = 1000000;
    MUST(run(&engine,
             (struct source_run_settings){.duration = 1000.0 / RATE, .progress = terminal, .label = "S1"}));
    char text[4000];
    cr_assert(fcntl(master, F_SETFL, O_NONBLOCK) == 0);
    ssize_t length = 0;
    for (ssize_t more; (more = read(master, text + length, sizeof text - 1 - (size_t)length)) > 0;)
        length += more;
    cr_assert(length > 0);
    text[length] = '\0';
    unsigned returns = 0, lines = 0;
    for (ssize_t n = 0; n < length; n++) {
        returns += text[n] == '\r' && text[n + 1] != '\n';
        lines += text[n] == '\n';
    }
    cr_assert(returns >= 3 && (double)returns <= 5.0 * (out.seconds + 0.3) + 1.0, "%u lines in %g s", returns,
              out.seconds);
    cr_assert(lines == 1 && text[length - 1] == '\n');
    (void)fclose(terminal);
    (void)close(master);
}

/* What the warp uses up is run besides, so that the response is as long as asked; a film's own drive is in
 * the grid's time. */
Test(source_run, a_run_of_the_isotropic_scheme_is_longer_by_what_its_warp_takes)
{
    struct fake_engine engine = fake_engine(counting, 1);
    struct response_drive drive = {0};
    struct source_run_settings settings = {.fmax = FMAX, .duration = 0.5};
    MUST(time_step_choose(SCHEME_ISOTROPIC, 343.2 / (5.0 * FMAX), 343.2, 0, &settings.step, &failure));
    const double rate = settings.step.rate, share = response_share(&settings.step, FMAX);
    MUST(response_drive_make(&settings.step, FMAX, &engine.drive, &failure));
    MUST(source_run(&engine.base, &lattice, 1, SOURCES, 1, &settings, &out, &failure));
    cr_assert(out.lead == response_lead(&settings.step, FMAX));
    cr_assert(out.steps == out.lead + (uint64_t)ceil(0.5 * rate / share));
    cr_assert(not(engine.drive_wrong));
    const struct response_chain chain = {.step = settings.step, .fmax = FMAX};
    const size_t samples = response_samples(&chain, out.steps);
    cr_assert(samples >= 24000 && (double)samples <= 24000 + RESPONSE_RATE / rate + 1);
    free(out.raw);
    MUST(response_drive_make(&settings.step, FMAX, &drive, &failure));
    settings.drive = &drive;
    MUST(source_run(&engine.base, &lattice, 1, SOURCES, 1, &settings, &out, &failure));
    cr_assert(out.steps == drive.lead + (uint64_t)ceil(0.5 * rate));
    response_drive_free(&engine.drive);
    response_drive_free(&drive);
}

Test(source_run, a_band_that_no_response_could_have_is_refused_before_the_first_step)
{
    struct fake_engine engine = fake_engine(counting, 1);
    const struct source_run_settings settings = {.step = step_at(RATE), .fmax = 1500.0, .duration = 1.0};
    MUST_FAIL(source_run(&engine.base, &lattice, 1, SOURCES, 1, &settings, &out, &failure), FAILURE_INPUT,
              "1500");
    cr_assert(engine.base.steps == 0 && out.steps == 0 && out.raw == NULL);
}

#ifndef NDEBUG
/* Its rows would be behind those that there is room for, or be those of another receiver. */
Test(source_run, an_engine_without_a_receiver_at_each_source_keeps_no_ledger, .signal = SIGABRT)
{
    struct fake_engine engine = fake_engine(counting, 1);
    double absorbed[1] = {0};
    out.ledger = (struct energy_ledger){.absorbed = absorbed};
    (void)run(&engine, (struct source_run_settings){.duration = 1.0});
}
#endif
