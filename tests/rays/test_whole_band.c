/** Runs whose responses are whole: waves to fmax, rays above. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "src/rays/ray_wall.h"
#include "src/rays/ray_scene.h"
#include "src/response/signal/wav_file.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"
#include "tests/support/sounds.h"
#include "tests/rays/with_rays.h"

#define ROOM                                                                                                 \
    "cube.obj", "--fmax", "355", "--absorption", "0.15", "--source", "0.8,1,1.1", "--receiver", "2,2.2,1.7", \
        "--receiver", "1.2,2.1,2.2", "--quiet", "--backend", "cpu", "--threads", "1"

TestSuite(whole_band, .init = enter_folder, .fini = leave_folder, .timeout = 300);

static struct wav_sound sound_of(const char *path)
{
    struct wav_sound sound;
    MUST(wav_response_read(path, "", &sound, &failure));
    return sound;
}

static double complex pressure_at(const struct wav_sound *sound, double f)
{
    double complex sum = 0;
    for (size_t n = 0; n < sound->frames; n++)
        sum += (double)sound->sample[n] * cexp(-2 * acos(-1) * I * f * (double)n / 48000);
    return sum;
}

static double square_of(double complex value)
{
    return creal(value * conj(value));
}

static double band_level(const struct wav_sound *sound, double low, double high)
{
    double sum = 0;
    for (int i = 0; i < 64; i++)
        sum += square_of(pressure_at(sound, low * pow(high / low, (i + 0.5) / 64))) / 64;
    return 10 * log10(sum);
}

Test(whole_band, waves_stay_below_the_crossover_and_rays_go_on_above)
{
    if (!rays_are_here())
        return;
    write_cube();
    expect_status(RUN("simulate", ROOM, "-o", "waves"), 0);
    expect_status(RUN("simulate", ROOM, "-o", "whole", "--rays", "on"), 0);
    struct wav_sound waves = sound_of("waves/ir_S1_R1.wav"), whole = sound_of("whole/ir_S1_R1.wav");
    cr_assert(eq(sz, waves.frames, whole.frames));
    double change = 0, all = 0; /* what filters ring before the emission is cut */
    for (double f = 60; f < 355 / sqrt(2); f *= 1.02) {
        change += square_of(pressure_at(&whole, f) - pressure_at(&waves, f));
        all += square_of(pressure_at(&waves, f));
    }
    cr_assert(test_at_most(change / all, 1e-3));
    /* A diffuse field is as loud at 4 kHz as at 250 Hz, but for the air and the interference of modes. */
    cr_assert(test_at_most(band_level(&waves, 2800, 5600), -40));
    const double low = band_level(&whole, 125, 250), high = band_level(&whole, 2800, 5600);
    cr_assert(test_near(high, low, 4), "%g and %g dB", low, high);
    wav_sound_free(&waves);
    wav_sound_free(&whole);
}

Test(whole_band, figures_tell_where_they_come_from)
{
    if (!rays_are_here())
        return;
    write_cube();
    expect_status(RUN("simulate", ROOM, "-o", "waves"), 0);
    expect_status(RUN("simulate", ROOM, "-o", "whole", "--rays", "on", "--bands", "third"), 0);
    const cJSON *waves = read_json("waves/run.json"), *whole = read_json("whole/run.json");
    cr_assert(record_at(waves, "rays") == NULL && record_at(waves, "responses.0.from") == NULL);
    for (int o = 0; o < RAY_OCTAVES; o++) {
        char from[40], edt[40], scattering[60];
        snprintf(from, sizeof from, "responses.1.from.%d", o);
        snprintf(edt, sizeof edt, "responses.1.g_db.%d", o);
        snprintf(scattering, sizeof scattering, "responses.1.g_db_scattering.%d", o);
        cr_assert(eq(str, (char *)record_text(whole, from), o < 3 ? "waves" : "rays"));
        cr_assert(isfinite(record_number(whole, edt)));
        cr_assert(eq(int, isfinite(record_number(whole, scattering)), o >= 3));
        if (o < 3)
            cr_assert(eq(dbl, record_number(whole, edt), record_number(waves, edt)));
    }
    cr_assert(test_near(record_number(whole, "rays.octave_hz"), 251.19, 0.01));
    cr_assert(isfinite(record_number(whole, "rays.sources.0.level_db")));
    cr_assert(test_at_most(fabs(record_number(whole, "rays.sources.0.level_db")), 4));
    cr_assert(isfinite(record_number(whole, "responses.0.sti")));
    /* Thirds are of waves: to 315 Hz in the run, and in its files as far as these have waves alone. */
    expect_status(RUN("analyse", "whole", "--bands", "third", "--json"), 0);
    const cJSON *third = read_json("whole/run.json"), *files = read_json("out");
    cr_expect(eq(dbl, record_number(third, "responses.0.thirds.nominal_hz.8"), 315));
    cr_expect(eq(int, cJSON_GetArraySize(record_at(third, "responses.0.thirds.nominal_hz")), 9));
    cr_expect(eq(int, cJSON_GetArraySize(record_at(files, "responses.0.thirds.nominal_hz")), 8));
    cr_expect(test_near(record_number(files, "responses.0.thirds.g_db.4"),
                        record_number(third, "responses.0.thirds.g_db.4"), 0.1));
}

Test(whole_band, the_same_command_gives_the_same_bits)
{
    if (!rays_are_here())
        return;
    write_cube();
    expect_status(RUN("simulate", ROOM, "-o", "one", "--rays", "on", "--threads", "1"), 0);
    expect_status(RUN("simulate", ROOM, "-o", "two", "--rays", "on", "--threads", "2"), 0);
    struct wav_sound one = sound_of("one/ir_S1_R2.wav"), two = sound_of("two/ir_S1_R2.wav");
    cr_assert(eq(sz, one.frames, two.frames));
    cr_assert(eq(int, memcmp(one.sample, two.sample, one.frames * sizeof *one.sample), 0));
    wav_sound_free(&one);
    wav_sound_free(&two);
}

/* In front, at the same height: the direct sound is in W and X alike, with little in Y and Z. */
Test(whole_band, directions_reach_as_high_as_the_pressure)
{
    if (!rays_are_here())
        return;
    write_cube();
    expect_status(RUN("simulate", "cube.obj", "--fmax", "355", "--absorption", "0.5", "--source",
                      "0.6,1.5,1.5", "--receiver", "2.3,1.5,1.5", "--quiet", "--backend", "cpu", "--threads",
                      "1", "-o", "run", "--rays", "on", "--ambisonics"),
                  0);
    struct wav_sound mono = sound_of("run/ir_S1_R1.wav"), all;
    MUST(wav_response_read("run/ir_S1_R1_ambix.wav", "", &all, &failure));
    cr_assert(eq(sz, all.frames, mono.frames));
    double w = 0, along[3] = {0};
    const size_t onset = (size_t)(1.7 / 343.2 * 48000);
    for (size_t n = 0; n < all.frames; n++) {
        cr_assert(test_near((double)all.sample[4 * n], (double)mono.sample[n], 1e-7));
        for (size_t i = 0; i < 3 && n > onset - 20 && n < onset + 20; i++)
            along[i] += (double)all.sample[4 * n + 1 + i] * (double)all.sample[4 * n];
        if (n > onset - 20 && n < onset + 20)
            w += (double)all.sample[4 * n] * (double)all.sample[4 * n];
    }
    cr_assert(test_near(along[2] / w, 1, 0.05), "X: %g", along[2] / w);
    cr_assert(test_near(along[0] / w, 0, 0.05), "Y: %g", along[0] / w);
    cr_assert(test_near(along[1] / w, 0, 0.05), "Z: %g", along[1] / w);
    const cJSON *record = read_json("run/run.json");
    for (int o = 0; o < RAY_OCTAVES; o++) {
        char key[60];
        snprintf(key, sizeof key, "responses.0.lf.%d", o);
        cr_assert(record_number(record, key) > 0 && record_number(record, key) < 1, "octave %d", o);
    }
    wav_sound_free(&mono);
    wav_sound_free(&all);
}

/* Rays of the church take seconds; the steps of so short a run do not. */
Test(whole_band, an_interrupted_run_keeps_its_waves)
{
    if (!rays_are_here())
        return;
    expect_status(RUN("room", "church", "-o", "church.obj", "--quiet"), 0);
    const pid_t child =
        start(NULL, (const char *const[]){TEST_PROGRAM, "simulate", "church.obj", "--fmax", "100",
                                          "--duration", "0.3", "--source", "pulpit", "-o", "run", "--rays",
                                          "on", "--checkpoint", "0", "--progress", "json", NULL});
    for (int i = 0; i < 5000 && strstr(read_text("err"), "\"rays\"") == NULL; i++)
        (void)nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    cr_assert(eq(int, kill(child, SIGINT), 0));
    cr_assert(eq(int, finish(child), 130));
    const cJSON *record = read_json("run/run.json");
    cr_assert(cJSON_IsTrue(record_at(record, "partial")));
    cr_assert(eq(int, cJSON_GetArraySize(record_at(record, "responses")), 5));
    cr_assert(record_at(record, "responses.0.from") == NULL);
    cr_assert(eq(dbl, record_number(record, "calibration.to_hz"), 100));
}

Test(whole_band, maps_have_figures_of_all_octaves)
{
    if (!rays_are_here())
        return;
    write_cube();
    expect_status(RUN("simulate", ROOM, "--receiver-grid", "floor=wall", "--grid-spacing", "0.8", "-o", "map",
                      "--rays", "on"),
                  0);
    expect_words("map/map_S1_floor.csv", "t30_s_250", "t30_s_4000", "g_db_16000");
    const cJSON *record = read_json("map/run.json");
    for (int o = 0; o < RAY_OCTAVES; o++) {
        char key[60];
        snprintf(key, sizeof key, "grids.0.maps.0.g_db.%d", o);
        cr_assert(isfinite(record_number(record, key)), "octave %d", o);
    }
}

static double energy_between(const float *sample, const float *other, double from, double to)
{
    double sum = 0;
    for (size_t n = (size_t)(from * 48000); n < (size_t)(to * 48000); n++)
        sum += pow((double)sample[n] - (other != NULL ? (double)other[n] : 0), 2);
    return sum;
}

/* But for its random sound: waves, direct sound and first reflections are alike, and so are octave levels. */
Test(whole_band, the_response_of_a_point_is_that_of_a_receiver_there_and_so_is_a_walk)
{
    if (!rays_are_here())
        return;
    write_cube();
    expect_status(RUN("simulate", ROOM, "--receiver-grid", "spot=0.8,1.7,0;1.6,1.7,0;1.6,2.5,0;0.8,2.5,0",
                      "--grid-spacing", "0.8", "--grid-height", "2.2", "-o", "run", "--rays", "on"),
                  0);
    const cJSON *record = read_json("run/run.json");
    cr_assert(eq(int, cJSON_GetArraySize(record_at(record, "grids.0.positions_m")), 1));
    struct wav_sound receiver = sound_of("run/ir_S1_R2.wav"), point = sound_of("run/ir_S1_spot.wav");
    cr_assert(eq(sz, receiver.frames, point.frames));
    cr_assert(eq(int, point.channels, 1));
    cr_assert(eq(int, point.rate, 48000));
    double change = 0, all = 0;
    for (double f = 60; f < 355 / sqrt(2); f *= 1.02) {
        change += square_of(pressure_at(&point, f) - pressure_at(&receiver, f));
        all += square_of(pressure_at(&receiver, f));
    }
    cr_assert(test_at_most(change / all, 1e-3), "below the crossover %g", change / all);
    const double onset = sqrt(0.4 * 0.4 + 1.1 * 1.1 + 1.1 * 1.1) / 343.2;
    change = energy_between(point.sample, receiver.sample, onset - 0.0005, onset + 0.0005) /
             energy_between(receiver.sample, NULL, onset - 0.0005, onset + 0.0005);
    cr_assert(test_at_most(change, 0.05), "the direct sound differs by %g", change);
    for (int o = 3; o < RAY_OCTAVES; o++) {
        const double middle = ray_octave_centre(o), edge = sqrt(2);
        const double apart = band_level(&point, middle / edge, middle * edge) -
                             band_level(&receiver, middle / edge, middle * edge);
        cr_assert(test_at_most(fabs(apart), 3), "%.0f Hz: %g dB", middle, apart);
    }
    write_sound("click.wav", (const float[]){0.5F}, 1, 1, 48000);
    expect_status(RUN("auralise", "run", "--walk", "1.2,2.1,2.2", "--dry", "click.wav", "--level", "true",
                      "-o", "walk"),
                  0);
    struct wav_sound walk = sound_of("walk/walk_S1.wav");
    const double fall = band_level(&receiver, 5600, 11200) - band_level(&walk, 5600, 11200);
    cr_assert(test_near(fall, 20 * log10(2), 0.1), "a walk there lacks %g dB at 8 kHz", fall);
    cr_assert(eq(str, (char *)record_text(read_json("walk/walk.json"), "from"), "waves and rays"));
    wav_sound_free(&walk);
    wav_sound_free(&receiver);
    wav_sound_free(&point);
}

Test(whole_band, the_second_grid_is_compared_by_waves)
{
    if (!rays_are_here())
        return;
    write_cube();
    expect_status(RUN("simulate", ROOM, "--repeat-shifted", "-o", "waves"), 0);
    expect_status(RUN("simulate", ROOM, "--repeat-shifted", "-o", "whole", "--rays", "on", "--receiver-grid",
                      "floor=wall", "--grid-spacing", "1.2"),
                  0);
    struct wav_sound one = sound_of("waves/shifted_ir_S1_R1.wav"),
                     two = sound_of("whole/shifted_ir_S1_R1.wav");
    cr_assert(eq(sz, one.frames, two.frames));
    cr_assert(eq(int, memcmp(one.sample, two.sample, one.frames * sizeof *one.sample), 0));
    const cJSON *waves = read_json("waves/run.json"), *whole = read_json("whole/run.json");
    for (int o = 0; o < RAY_OCTAVES; o++) {
        static const char *const key[] = {"responses.0.g_db_spread.%d", "grids.0.maps.0.g_db_spread.%d"};
        for (int k = 0; k < 2; k++) {
            char name[60];
            snprintf(name, sizeof name, key[k], o);
            cr_assert(eq(int, isfinite(record_number(whole, name)), o < 3), "%s", name);
            if (k == 0 && o < 3)
                cr_assert(eq(dbl, record_number(whole, name), record_number(waves, name)));
        }
    }
    wav_sound_free(&one);
    wav_sound_free(&two);
}

Test(whole_band, rays_are_joined_unless_they_are_not_wanted)
{
    if (!rays_are_here())
        return;
    write_cube();
    expect_status(RUN("simulate", ROOM, "-o", "on", "--rays", "on"), 0);
    joins_rays = true;
    expect_status(RUN("simulate", ROOM, "-o", "auto"), 0);
    expect_status(RUN("simulate", ROOM, "-o", "waves", "--waves-only"), 0);
    cr_assert(same_file("on/ir_S1_R2.wav", "auto/ir_S1_R2.wav"));
    cr_assert(record_at(read_json("auto/run.json"), "rays_absent") == NULL);
    const cJSON *waves = read_json("waves/run.json");
    cr_assert(record_at(waves, "rays") == NULL && record_at(waves, "rays_absent") == NULL);
}

/* A run that cannot have rays: one by itself goes on with waves alone, one that asks for rays is refused. */
#define WITHOUT(reason, ...)                                                                                 \
    do {                                                                                                     \
        expect_status(RUN("simulate", __VA_ARGS__, "-o", "run", "--rays", "auto", "--force"), 0);            \
        const cJSON *record = read_json("run/run.json");                                                     \
        cr_assert(strstr(record_text(record, "rays_absent"), reason) != NULL, "%s",                          \
                  record_text(record, "rays_absent"));                                                       \
        cr_assert(record_at(record, "rays") == NULL && record_at(record, "responses.0.from") == NULL);       \
        cr_assert(eq(sz, count_in("err", "waves alone, up to "), 1));                                        \
        REFUSED(reason, "simulate", __VA_ARGS__, "-o", "none", "--rays", "on");                              \
        cr_assert(exists("none") == false);                                                                  \
    } while (0)

#define SHORT "cube.obj", "--absorption", "0.1", "--duration", "0.1"

Test(whole_band, a_run_that_cannot_have_rays_says_why)
{
    write_cube();
    if (!rays_are_here())
        return;
    WITHOUT("holds none; simulate up to 89 Hz at least", SHORT, "--fmax", "60", CUBE_PLACES);
    WITHOUT("receiver R1 is less than 0.056 m from a surface", SHORT, "--fmax", "200", "--source", "1,1,1",
            "--receiver", "2,2,0.03");
}

/* Histograms of a long decay. */
#define MANY                                                                                                 \
    "cube.obj", "--absorption", "0.01", "--duration", "0.1", "--fmax", "200", "--source", "1,1,1",           \
        "--receiver-grid", "floor=wall", "--grid-spacing", "0.2", "--threads", "1", "-o", "run", "--force"

Test(whole_band, rays_that_do_not_fit_the_memory_are_left_out)
{
    if (!rays_are_here())
        return;
#if defined(__SANITIZE_ADDRESS__)
    cr_skip_test("AddressSanitizer takes more address space than the limit of this test");
#endif
    write_cube();
    setenv("MALLOC_ARENA_MAX", "1", 1); /* one takes 64 MiB of addresses, with or without use */
    space_limit = (rlim_t)400 << 20;
    expect_status(RUN("simulate", MANY, "--backend", "cpu", "--rays", "auto"), 0);
    cr_assert(strstr(record_text(read_json("run/run.json"), "rays_absent"), " positions need ") != NULL);
    expect_status(RUN("simulate", MANY, "--backend", "cpu", "--rays", "on"), 3);
    expect_words("err", " beside the ", " are available; leave positions out");
    space_limit = RLIM_INFINITY;
}

Test(whole_band, a_build_without_embree_says_so)
{
    if (!rays_are_absent())
        return;
    write_cube();
    expect_status(RUN("simulate", SHORT, "--fmax", "200", CUBE_PLACES, "-o", "run", "--rays", "auto"), 0);
    cr_assert(strstr(record_text(read_json("run/run.json"), "rays_absent"), "Embree") != NULL);
    expect_status(RUN("simulate", SHORT, "--fmax", "200", CUBE_PLACES, "-o", "no", "--rays", "on"), 3);
}
