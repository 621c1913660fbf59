/* Directional receivers in the program: what is written, in which orientation, and that nothing else of a run
 * changes. That waves come from where they come from is test_gradient_response's. */
#define _XOPEN_SOURCE 700
#include "tests/support/program_run.h"

#include "src/response/signal/ambisonic_response.h"
#include "tests/support/json_path.h"
#include "tests/support/sounds.h"

/* A cube of 30 cells of 0.1 m, whose walls stand on grid points, source and receiver on its plane of symmetry
 * y = 1.5 m. */
#define ROOM                                                                                                 \
    "cube.obj", "--spacing", "0.1", "--grid-origin", "0,0,0", "--fmax", "310", "--backend", "cpu",           \
        "--absorption", "0.3"
#define PAIR   "--source", "0.6,1.5,1.1,organ", "--receiver", "2.2,1.5,1.1,pew"
#define RUN_OF ROOM, PAIR, "--duration", "0.15"

static void enter_cube(void)
{
    enter_folder();
    write_cube();
}

TestSuite(simulate_ambisonics, .init = enter_cube, .fini = leave_folder);

/* The record of a run. */
#define SIMULATE(results, ...)                                                                               \
    (expect_status(RUN("simulate", __VA_ARGS__, "--force", "-o", results), 0), read_json(results "/run."     \
                                                                                                 "json"))

/* Sum of squares of a channel, and of its product with W. */
static double energy(const struct wav_sound *sound, int channel)
{
    double sum = 0.0;
    for (size_t n = 0; n < sound->frames; n++)
        sum += pow((double)sound->sample[4 * n + (size_t)channel], 2.0);
    return sum;
}
static double likeness(const struct wav_sound *sound, int channel, size_t frames)
{
    double sum = 0.0, squares = 0.0;
    for (size_t n = 0; n < frames; n++) {
        const double w = (double)sound->sample[4 * n + AMBISONIC_W];
        sum += w * (double)sound->sample[4 * n + (size_t)channel];
        squares += w * w;
    }
    return sum / squares;
}

/* Frames in which the direct sound, 1.6 m long, is heard and the floor, 2.7 m, has only begun. */
#define DIRECT ((size_t)(48000 * 2.6 / 343.2))

Test(simulate_ambisonics, it_looks_at_the_source_and_the_rest_of_the_run_stays_as_it_is)
{
    (void)SIMULATE("plain", RUN_OF);
    cJSON *record = SIMULATE("run", RUN_OF, "--ambisonics");
    expect_words("out", "\nLFC                          0.00     0.00\n");
    const cJSON *entry = record_at(record, "responses.0");
    cr_assert(eq(str, (char *)text_of(entry, "file_ambix"), (char *)"ir_organ_pew_ambix.wav"));
    cr_assert(eq(str, (char *)text_of(entry, "look"), (char *)"organ"));
    cr_assert(test_near(number(entry, "look_azimuth_deg"), 180.0, 1e-9));
    struct wav_sound plain = read_sound("plain/ir_organ_pew.wav"), mono = read_sound("run/ir_organ_pew.wav"),
                     frames = read_sound("run/ir_organ_pew_ambix.wav");
    cr_assert(frames.channels == 4 && frames.rate == 48000 && frames.frames == mono.frames);
    cr_assert(mono.frames == plain.frames &&
              memcmp(mono.sample, plain.sample, mono.frames * sizeof *mono.sample) == 0);
    for (size_t n = 0; n < mono.frames; n++)
        cr_assert(frames.sample[4 * n] == mono.sample[n]);
    /* From the front, louder for the curvature of a wave 1.6 m from its source; nothing from the sides. */
    const double front = likeness(&frames, AMBISONIC_X, DIRECT);
    cr_assert(front > 0.9 && front < 1.6, "%g", front);
    cr_assert(energy(&frames, AMBISONIC_Y) < 1e-6 * energy(&frames, AMBISONIC_W));
    cr_assert(energy(&frames, AMBISONIC_Z) > 1e-3 * energy(&frames, AMBISONIC_W));
    cr_assert(test_near(record_number(entry, "lf.1"), 0.0, 1e-6));
    cr_assert(cJSON_IsNull(record_at(entry, "lf_single")));
    cr_assert(record_number(record, "means.lfc.0") == record_number(entry, "lfc.0") &&
              record_number(record, "means.lfc.1") == record_number(entry, "lfc.1"));
}

/* 1 mm from a hard wall of x = 3 m next to nothing moves along x, and along the wall as much as elsewhere. A
 * wall on faces of cells cuts slivers, which move like lambda^2 / 2 <= 0.15 of a cell: X is 0.15 k h of W, at
 * 310 Hz 0.085. */
Test(simulate_ambisonics, at_a_hard_wall_the_normal_channel_is_silent)
{
    cJSON_Delete(SIMULATE("run", "cube.obj", "--spacing", "0.1", "--fmax", "310", "--backend", "cpu",
                          "--absorption", "0.01", "--source", "0.6,1.1,1.4", "--receiver", "2.999,1.9,0.8",
                          "--duration", "0.3", "--ambisonics", "--look", "R1=0"));
    struct wav_sound frames = read_sound("run/ir_S1_R1_ambix.wav");
    const double pressure = energy(&frames, AMBISONIC_W);
    cr_assert(energy(&frames, AMBISONIC_X) < 0.085 * 0.085 * pressure, "%g",
              energy(&frames, AMBISONIC_X) / pressure);
    cr_assert(energy(&frames, AMBISONIC_Y) > 0.02 * pressure &&
              energy(&frames, AMBISONIC_Z) > 0.02 * pressure);
}

/* Points of a receiver grid are rows between the pressures and the gradients. */
Test(simulate_ambisonics, beside_a_receiver_grid_and_in_either_layout_it_is_the_same_file)
{
    static const char *const more[][2] = {{"--receiver-grid", "pews=0.5,0.5,0;2.5,0.5,0;2.5,2.5,0"},
                                          {"--layout", "box"},
                                          {"--receiver", "0.4,2.2,0.3,second"}};
    (void)SIMULATE("run", RUN_OF, "--ambisonics");
    struct wav_sound alone = read_sound("run/ir_organ_pew_ambix.wav");
    for (size_t n = 0; n < sizeof more / sizeof more[0]; n++) {
        (void)SIMULATE("run", RUN_OF, "--ambisonics", more[n][0], more[n][1]);
        struct wav_sound beside = read_sound("run/ir_organ_pew_ambix.wav");
        cr_assert(beside.frames == alone.frames &&
                      memcmp(beside.sample, alone.sample, 4 * alone.frames * sizeof *alone.sample) == 0,
                  "another response with %s", more[n][0]);
    }
}

/* With the front along +y the source, at -x, is to the left. Where the front is changes no figure. */
Test(simulate_ambisonics, a_front_can_be_given_as_an_azimuth_or_a_source)
{
#define TWO RUN_OF, "--source", "1.2,0.4,1.1,choir", "--ambisonics"
    cJSON *first = SIMULATE("first", TWO), *record = SIMULATE("run", TWO, "--look", "pew=-270"),
          *other = SIMULATE("other", TWO, "--look", "pew=choir");
    cr_assert(test_near(record_number(record, "responses.0.look_azimuth_deg"), 90.0, 1e-9));
    cr_assert(cJSON_IsNull(record_at(record, "responses.0.look")));
    cr_assert(eq(str, (char *)record_text(other, "responses.0.look"), (char *)"choir"));
    cr_assert(test_near(record_number(other, "responses.0.look_azimuth_deg"),
                        180.0 + atan2(1.1, 1.0) * 180.0 / 3.14159265358979, 1e-6));
    struct wav_sound frames = read_sound("run/ir_organ_pew_ambix.wav");
    cr_assert(likeness(&frames, AMBISONIC_Y, DIRECT) > 0.9 &&
              fabs(likeness(&frames, AMBISONIC_X, DIRECT)) < 1e-3);
    static const char *const figure[] = {"responses.0.lf.0", "responses.0.lf.1", "responses.1.lf.0",
                                         "responses.1.lf.1"};
    for (int f = 0; f < 4; f++)
        cr_assert(test_near(record_number(first, figure[f]), record_number(record, figure[f]), 1e-5),
                  "%s is %.9g and %.9g", figure[f], record_number(first, figure[f]),
                  record_number(record, figure[f]));
}

Test(simulate_ambisonics, fronts_that_make_no_sense_are_refused)
{
    static const struct {
        const char *look, *words;
    } bad[] = {{"pew", "NAME=SOURCE"},       {"pew=", "NAME=SOURCE"},
               {"pulpit=20", "no receiver"}, {"pew=choir", "neither a source (organ)"},
               {"pew=400", "azimuth"},       {"pew=nan", "azimuth"},
               {"pew=20deg", "azimuth"}};
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        expect_status(RUN("simulate", RUN_OF, "--ambisonics", "--look", bad[n].look, "-o", "run"), 2);
        expect_words("err", bad[n].words);
    }
    expect_status(RUN("simulate", RUN_OF, "--ambisonics", "--look", "pew=1", "--look", "pew=2", "-o", "run"),
                  2);
    expect_words("err", "twice");
    expect_status(RUN("simulate", RUN_OF, "--look", "pew=1", "-o", "run"), 2);
    expect_words("err", "--ambisonics");
    expect_status(RUN("simulate", RUN_OF, "--receiver", "2.2,1.1,1.1,pew_ambix", "--ambisonics", "-o", "run"),
                  2);
    expect_words("err", "ir_organ_pew_ambix.wav");
    cr_assert(exists("run") == false);
}

Test(simulate_ambisonics, plan_counts_the_gradients)
{
    double bytes[2], steps = 0;
    for (int n = 0; n < 2; n++) {
        expect_status(
            n == 0 ? RUN("plan", ROOM, PAIR, "--waves-only", "--duration", "10", "--json")
                   : RUN("plan", ROOM, PAIR, "--waves-only", "--duration", "10", "--json", "--ambisonics"),
            0);
        cJSON *plan = read_json("out");
        bytes[n] = number(plan, "bytes_peak");
        steps = number(plan, "steps");
    }
    /* Three doubles a step, of 10 s, of what the warp takes and of the time before the emission. */
    cr_assert(bytes[1] - bytes[0] >= 24 * steps && bytes[1] - bytes[0] < 24 * 1.02 * steps, "%g, %g steps",
              bytes[1] - bytes[0], steps);
}
