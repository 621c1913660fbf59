/* The driver of a run against an engine made for it: what it drives, keeps, watches and prints. The engine
 * here is a stand-in with the same interface, so that a field can fail, be slow or never die away on order.
 */
#define _XOPEN_SOURCE 700 /* for a pseudo-terminal */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "kernels/engine/engine_recheck.h"
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

struct engine {
    uint64_t steps;
    size_t receivers;
    double (*sound)(size_t receiver, uint64_t step);
    uint64_t field_fails;    /* from this step on the field is not finite */
    uint64_t receiver_fails; /* from this step on receiver 1 is not finite */
    uint64_t device_fails;   /* from this step on the device is lost */
    bool look_fails;         /* a look at the field loses it, not a step */
    bool energy_fails;       /* not the look for what is finite, but the one for the energy */
    uint64_t energy_grows;   /* from this step on there is twice as much energy */
    uint64_t interrupts;     /* the flag is set in the batch that reaches this step */
    volatile sig_atomic_t flag;
    uint64_t recheck_apart, recheck_fails; /* from this step on a check finds a difference */
    uint64_t copied;                       /* the step before which blocks were copied last */
    unsigned rechecks;
    long nanoseconds;        /* per step */
    long health_nanoseconds; /* per look at the field */
    unsigned health_calls, batches, resets;
    uint64_t looked_at[8]; /* steps of the first looks */
    bool lost;
    bool drive_wrong;
    struct response_drive drive;
};

static void sleep_for(long nanoseconds)
{
    const struct timespec pause = {.tv_sec = nanoseconds / 1000000000L, .tv_nsec = nanoseconds % 1000000000L};
    if (nanoseconds > 0)
        (void)nanosleep(&pause, NULL);
}

void engine_reset(struct engine *engine)
{
    engine->steps = 0;
    engine->resets++;
}

size_t engine_sources(const struct engine *engine)
{
    (void)engine;
    return SOURCES;
}

size_t engine_receivers(const struct engine *engine)
{
    return engine->receivers;
}

uint64_t engine_steps(const struct engine *engine)
{
    return engine->steps;
}

void engine_run(struct engine *engine, uint64_t steps, const double *drive, double *output)
{
    engine->lost = engine->lost || (!engine->look_fails && engine->steps + steps > engine->device_fails);
    for (uint64_t n = 0; n < steps; n++) {
        const uint64_t step = engine->steps + n;
        for (size_t s = 0; s < SOURCES; s++) {
            const double expected = s == 1 && step < engine->drive.count ? engine->drive.sample[step] : 0.0;
            if (drive[s * steps + n] != expected)
                engine->drive_wrong = true;
        }
        for (size_t r = 0; r < engine->receivers; r++)
            output[r * steps + n] = engine->lost || (r == 1 && step >= engine->receiver_fails)
                                        ? (double)NAN
                                        : engine->sound(r, step);
    }
    engine->steps += steps;
    engine->batches++;
    if (engine->steps > engine->interrupts)
        engine->flag = 1;
    sleep_for(engine->nanoseconds * (long)steps);
}

struct engine_health engine_health(const struct engine *engine)
{
    struct engine *const own = (struct engine *)engine;
    if (own->health_calls < sizeof own->looked_at / sizeof *own->looked_at)
        own->looked_at[own->health_calls] = own->steps;
    own->health_calls++;
    if (engine->look_fails && !engine->energy_fails && engine->steps > engine->device_fails)
        ((struct engine *)engine)->lost = true;
    sleep_for(engine->health_nanoseconds);
    const bool finite =
        !engine->lost && engine->steps <= engine->field_fails && engine->steps <= engine->receiver_fails;
    return (struct engine_health){.finite = finite,
                                  .bad_node = {3, 4, 5},
                                  .largest = 1.0,
                                  .mean_square = pow(10.0, -0.001 * (double)engine->steps)};
}

static double energy_fall(uint64_t step)
{
    return 1e-9 * (double)step;
}

double engine_energy(const struct engine *engine)
{
    if (engine->energy_fails && engine->steps > engine->device_fails)
        ((struct engine *)engine)->lost = true;
    return engine->lost ? (double)NAN
                        : (engine->steps > engine->energy_grows ? 2.0 : 1.0) - energy_fall(engine->steps);
}

int engine_failed(const struct engine *engine, struct failure *why)
{
    return engine->lost ? failure_set(why, FAILURE_OUTPUT, "the device fell off the bus") : 0;
}

uint64_t engine_recheck_apart(const struct engine *engine)
{
    return engine->recheck_apart;
}

struct engine_recheck *engine_recheck_begin(const struct engine *engine)
{
    ((struct engine *)engine)->copied = engine->steps;
    return (struct engine_recheck *)(uintptr_t)engine;
}

int engine_recheck_end(struct engine_recheck *check, const struct engine *engine, struct failure *why)
{
    if (check == NULL || engine->lost)
        return engine_failed(engine, why);
    /* One step, which nothing drives, and those that are due. */
    cr_assert(engine->steps == engine->copied + 1 && engine->copied >= engine->drive.count &&
                  engine->copied % engine->recheck_apart == 0,
              "copied before step %llu, compared after %llu", (unsigned long long)engine->copied,
              (unsigned long long)engine->steps);
    ((struct engine *)engine)->rechecks++;
    return engine->steps > engine->recheck_fails ? failure_set(why, FAILURE_SIMULATION, "a bit flipped") : 0;
}

void engine_absorbed(struct engine *engine, double *absorbed)
{
    absorbed[0] = energy_fall(engine->steps);
}

static double counting(size_t receiver, uint64_t step)
{
    return 1e6 * (double)receiver + (double)step;
}

static const struct lattice lattice = {.spacing = 0.5, .origin = {10.0, 20.0, 30.0}, .nodes = {9, 9, 9}};

static struct engine stand_in(double (*sound)(size_t, uint64_t), size_t receivers)
{
    return (struct engine){.sound = sound,
                           .receivers = receivers,
                           .field_fails = NEVER,
                           .receiver_fails = NEVER,
                           .device_fails = NEVER,
                           .energy_grows = NEVER,
                           .recheck_apart = NEVER,
                           .recheck_fails = NEVER,
                           .interrupts = NEVER};
}

static const struct field_room watched_room = {
    .lambda2 = 0.3, .spacing = 0.5, .air_nodes = 1, .mass = 1, .push = 1, .precision = PRECISION_DOUBLE};

/* Of the last run; every test has a process of its own. */
static struct source_run_result out;

static int run(struct engine *engine, struct source_run_settings settings)
{
    settings.step = step_at(RATE);
    settings.fmax = FMAX;
    settings.interrupt = &engine->flag;
    MUST(response_drive_make(&settings.step, FMAX, &engine->drive, &failure));
    free(out.raw);
    const int code = source_run(engine, &lattice, 1, SOURCES, engine->receivers, &settings, &out, &failure);
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
    struct engine engine = stand_in(counting, 3);
    MUST(run(&engine, (struct source_run_settings){.duration = 1.0}));
    cr_assert(out.steps == LEAD + 3222 && engine.resets == 1 && engine.steps == out.steps);
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
    struct engine engine = stand_in(counting, 1);
    struct source_run_settings settings = {.duration = 1.0, .room = &watched_room};
    MUST(run(&engine, settings));
    cr_assert(out.field.energy_start == 1.0 - energy_fall(2 * LEAD + 2));
    cr_assert(out.field.energy_end == 1.0 - energy_fall(out.steps) && out.field.energy_rise == 0);
    settings.duration = 10.0 / RATE;
    MUST(run(&engine, settings));
    cr_assert(isnan(out.field.energy_start), "a run that ended before that has none");
}

Test(source_run, a_field_that_is_not_finite_is_named_by_steps_node_and_place)
{
    struct engine engine = stand_in(counting, 2);
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
    struct engine engine = stand_in(counting, 2);
    engine.energy_grows = 2000;
    engine.nanoseconds = 500000;
    const struct source_run_settings settings = {.duration = 1.2, .room = &watched_room};
    cr_assert(run(&engine, settings) == FAILURE_SIMULATION);
    unsigned long long from = 0, to = 0;
    double energy = 0, rise = 0;
    cr_assert(
        sscanf(
            failure.sentence,
            "the energy of the field grew from %lf at step %llu by %lf up to step %llu while nothing drove",
            &energy, &from, &rise, &to) == 4,
        "%s", failure.sentence);
    cr_assert(from > 2 * LEAD && from <= 2000 && to > 2000 && to < 3000 && out.steps == to, "%s",
              failure.sentence);
    cr_assert(test_near(energy, 1, 1e-5) && test_near(rise, 1, 1e-2), "%s", failure.sentence);
    cr_assert(test_near(out.field.energy_rise, 1, 1e-5));
    expect_rows(counting, 2);

    /* Energy that the drive brings is none that grew: it is watched from the end of the drive on. */
    engine.energy_grows = 1;
    MUST(run(&engine, settings));
    cr_assert(test_near(out.field.energy_start, 2, 1e-5) && out.field.energy_rise == 0);

    /* And from there on at once, however soon it grows. */
    engine.energy_grows = 2 * LEAD + 3;
    cr_assert(run(&engine, settings) == FAILURE_SIMULATION);
    cr_assert(
        sscanf(failure.sentence, "the energy of the field grew from %lf at step %llu", &energy, &from) == 2);
    cr_assert(from == 2 * LEAD + 2, "%s", failure.sentence);
}

Test(source_run, a_receiver_that_is_not_finite_ends_the_run_at_once_and_keeps_what_was_sound)
{
    struct engine engine = stand_in(counting, 2);
    engine.receiver_fails = 700;
    cr_assert(run(&engine, (struct source_run_settings){.duration = 3.0}) == FAILURE_SIMULATION);
    cr_assert(out.steps == 700 && engine.steps < 700 + 513);
    expect_rows(counting, 2);
}

Test(source_run, a_device_that_fails_ends_the_run_with_its_own_sentence_and_keeps_the_batches_before)
{
    for (int look_fails = 0; look_fails < 3; look_fails++)
        for (size_t receivers = 0; receivers < 3; receivers += 2) {
            struct engine engine = stand_in(counting, receivers);
            engine.device_fails = 2000;
            engine.look_fails = look_fails != 0;
            engine.energy_fails = look_fails == 2;
            const struct source_run_settings settings = {.duration = 3.0, .room = &watched_room};
            cr_assert(run(&engine, settings) == FAILURE_OUTPUT);
            cr_assert(eq(str, failure.sentence, "the device fell off the bus"));
            if (look_fails == 0)
                cr_assert(out.steps > 0 && out.steps <= 2000 && engine.steps < 2000 + 513, "%llu",
                          (unsigned long long)out.steps);
            else
                cr_assert(out.steps > 2000 && out.steps == engine.steps);
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
    for (uint64_t apart = 1; apart < 3000; apart = 7 * apart + 3) {
        struct engine engine = stand_in(counting, 2);
        engine.recheck_apart = apart;
        MUST(run(&engine, settings));
        const uint64_t first = (driven + apart - 1) / apart;
        cr_assert(eq(u64, engine.rechecks, (out.steps + apart - 1) / apart - first), "every %llu steps",
                  (unsigned long long)apart);
        expect_rows(counting, 2);
        cr_assert(not(engine.drive_wrong));
    }
    struct engine engine = stand_in(counting, 2);
    engine.recheck_apart = 500;
    engine.recheck_fails = 4000;
    MUST_FAIL(run(&engine, settings), FAILURE_SIMULATION, "a bit flipped");
    cr_assert(eq(u64, out.steps, 4000)); /* the step at fault is left out */
    expect_rows(counting, 2);
}

Test(source_run, an_interrupt_ends_the_run_with_the_batch_and_keeps_it)
{
    struct engine engine = stand_in(counting, 2);
    engine.interrupts = 1000;
    MUST(run(&engine, (struct source_run_settings){.duration = 3.0}));
    cr_assert(out.interrupted);
    cr_assert(out.steps > 1000 && out.steps <= 1000 + 512);
    cr_assert(engine.steps == out.steps);
    expect_rows(counting, 2);

    engine.flag = 1; /* before the first step */
    MUST(run(&engine, (struct source_run_settings){.duration = 3.0}));
    cr_assert(out.interrupted && out.steps == 0);
}

/* Tones in the 63 and 125 Hz octaves; at receiver 1 the upper one takes 2 s for 60 dB, so 50 dB take 1.67 s.
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

Test(source_run, an_automatic_run_ends_when_the_slowest_octave_has_fallen_by_50_dB)
{
    struct engine engine = stand_in(dying, 2);
    const struct source_run_settings settings = {.first_duration = 0.4, .longest_duration = 15.0};
    MUST(run(&engine, settings));
    const double seconds = (double)out.steps / RATE; /* sound begins with the first step here */
    cr_assert(seconds > 1.6 && seconds < 2.1, "%g s", seconds);
    cr_assert(out.fall >= 50.0 && out.capped == false);
    expect_rows(dying, 2);

    /* Already quiet after the first piece: not a step more. */
    const struct source_run_settings longer = {.first_duration = 3.0, .longest_duration = 15.0};
    MUST(run(&engine, longer));
    cr_assert(out.steps == LEAD + 9666);
}

/* Air that takes 40 dB a second at 89 Hz, where the 125 Hz octave begins, whatever its other octaves lose:
 * what took 1.67 s without it takes 50 / (30 + 40) s. */
Test(source_run, an_automatic_run_ends_sooner_where_the_responses_will_lose_sound_to_the_air)
{
    struct engine engine = stand_in(dying, 2);
    const struct air_losses losses = {.sound_speed = 343.2,
                                      .classical = 40.0 / (20.0 / log(10.0)) / 343.2 / (89.125 * 89.125)};
    const struct source_run_settings settings = {
        .first_duration = 0.4, .longest_duration = 15.0, .losses = &losses};
    MUST(run(&engine, settings));
    const double seconds = (double)out.steps / RATE;
    cr_assert(seconds > 0.65 && seconds < 1.1, "%g s", seconds);
    cr_assert(out.fall >= 50.0 && out.capped == false);
}

Test(source_run, sound_that_does_not_die_away_is_cut_at_the_longest_duration_and_reported)
{
    struct engine engine = stand_in(lasting, 2);
    const struct source_run_settings settings = {.first_duration = 0.4, .longest_duration = 2.0};
    MUST(run(&engine, settings));
    cr_assert(out.capped && out.steps == LEAD + 6444 && out.fall < 50.0);
    const struct source_run_settings shorter = {.first_duration = 20.0, .longest_duration = 1.0};
    MUST(run(&engine, shorter));
    cr_assert(out.capped && out.steps == LEAD + 3222);
}

/* Receiver 1 sounds for ever, receiver 0 does not: who is followed decides, and both are kept. */
Test(source_run, only_followed_receivers_decide_when_an_automatic_run_ends)
{
    struct engine engine = stand_in(lasting, 3);
    static const size_t quiet[] = {0}, loud[] = {2};
    struct source_run_settings settings = {
        .first_duration = 0.4, .longest_duration = 4.0, .followed = quiet, .followed_count = 1};
    MUST(run(&engine, settings));
    cr_assert(out.capped == false && out.fall >= 50.0, "it went on for %llu steps",
              (unsigned long long)out.steps);
    expect_rows(lasting, 3);
    settings.followed = loud;
    MUST(run(&engine, settings));
    cr_assert(out.capped && out.fall < 50.0);
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
    struct engine engine = stand_in(lasting_until_memory_ends, 3);
    const int code =
        run(&engine, (struct source_run_settings){.first_duration = 10.0, .longest_duration = 40.0});
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
        struct engine engine = stand_in(counting, 1);
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
    struct engine engine = stand_in(counting, 1);
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
    struct engine engine = stand_in(counting, 1);
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
    struct engine engine = stand_in(counting, 1);
    struct response_drive drive = {0};
    struct source_run_settings settings = {.fmax = FMAX, .duration = 0.5};
    MUST(time_step_choose(SCHEME_ISOTROPIC, 343.2 / (5.0 * FMAX), 343.2, 0, &settings.step, &failure));
    const double rate = settings.step.rate, share = response_share(&settings.step, FMAX);
    MUST(response_drive_make(&settings.step, FMAX, &engine.drive, &failure));
    MUST(source_run(&engine, &lattice, 1, SOURCES, 1, &settings, &out, &failure));
    cr_assert(out.lead == response_lead(&settings.step, FMAX));
    cr_assert(out.steps == out.lead + (uint64_t)ceil(0.5 * rate / share));
    cr_assert(not(engine.drive_wrong));
    const struct response_chain chain = {.step = settings.step, .fmax = FMAX};
    const size_t samples = response_samples(&chain, out.steps);
    cr_assert(samples >= 24000 && (double)samples <= 24000 + RESPONSE_RATE / rate + 1);
    free(out.raw);
    MUST(response_drive_make(&settings.step, FMAX, &drive, &failure));
    settings.drive = &drive;
    MUST(source_run(&engine, &lattice, 1, SOURCES, 1, &settings, &out, &failure));
    cr_assert(out.steps == drive.lead + (uint64_t)ceil(0.5 * rate));
    response_drive_free(&engine.drive);
    response_drive_free(&drive);
}

Test(source_run, a_band_that_no_response_could_have_is_refused_before_the_first_step)
{
    struct engine engine = stand_in(counting, 1);
    const struct source_run_settings settings = {.step = step_at(RATE), .fmax = 1500.0, .duration = 1.0};
    MUST_FAIL(source_run(&engine, &lattice, 1, SOURCES, 1, &settings, &out, &failure), FAILURE_INPUT, "1500");
    cr_assert(engine.steps == 0 && out.steps == 0 && out.raw == NULL);
}

#ifndef NDEBUG
/* Its rows would be behind those that there is room for, or be those of another receiver. */
Test(source_run, an_engine_without_a_receiver_at_each_source_keeps_no_ledger, .signal = SIGABRT)
{
    struct engine engine = stand_in(counting, 1);
    struct energy_ledger ledger = {0};
    (void)run(&engine, (struct source_run_settings){.duration = 1.0, .ledger = &ledger});
}
#endif
