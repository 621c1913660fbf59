/* Runs of the program from a mesh to figures: run.json says what the files hold, the air takes what it
 * should, sound is as fast as the temperature says, and an automatic run lasts long enough. */
#define _XOPEN_SOURCE 700
#include "tests/support/program_run.h"

#include "src/response/acoustics/acoustic_figures.h"
#include "src/response/signal/air.h"
#include "src/response/signal/wav_file.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"
#include "tests/support/sounds.h"

/* A cube of exactly 30 cells of 0.1 m: 27 m3 and 54 m2. */
#define ROOM "simulate", "cube.obj", "--spacing", "0.1", "--fmax", "310", "--backend", "cpu"

static void enter_cube(void)
{
    enter_folder();
    write_cube();
}

TestSuite(simulate_air, .init = enter_cube, .fini = leave_folder);

/* The record of a run. */
#define SIMULATE(...) (expect_status(RUN(__VA_ARGS__, "-o", "run", "--force"), 0), read_json("run/run.json"))

static float *read_file(const char *name, size_t *count)
{
    char path[200];
    int rate = 0;
    snprintf(path, sizeof path, "run/%s", name);
    float *sample = read_mono(path, count, &rate);
    cr_assert(eq(int, rate, 48000));
    return sample;
}

static double at(const cJSON *object, const char *name, size_t b)
{
    char key[80];
    snprintf(key, sizeof key, "%s.%zu", name, b);
    cr_assert(record_at(object, key) != NULL, "there is no %s", key);
    return record_number(object, key);
}

static void expect_figure(const cJSON *object, const char *name, size_t b, double expected)
{
    const double found = at(object, name, b);
    cr_assert(test_near(found, expected, 1e-9 * fabs(expected)) || (isnan(found) && isnan(expected)),
              "%s, octave %zu: %.12g for %.12g", name, b, found, expected);
}

/* Each response once more from its file and its stored onset; the means from the figures. */
Test(simulate_air, the_figures_of_run_json_are_those_of_the_files)
{
    cJSON *record = SIMULATE(ROOM, "--absorption", "0.15", "--source", "0.5,0.6,0.7", "--receiver", "2,2,1.2",
                             "--receiver", "1,2.2,2.3");
    const cJSON *responses = record_at(record, "responses"), *means = record_at(record, "means");
    double sum[2] = {0}, first[2] = {0};
    cr_assert(eq(int, cJSON_GetArraySize(responses), 2));
    for (int r = 0; r < 2; r++) {
        const cJSON *entry = cJSON_GetArrayItem(responses, r);
        size_t count = 0;
        float *sample = read_file(text_of(entry, "file"), &count);
        cr_assert(number(entry, "samples") == (double)count);
        cr_assert(test_near(number(entry, "onset_s"), number(entry, "distance_m") / 343.2, 1e-12));
        struct acoustic_figures figures;
        MUST(acoustic_figures_make(sample, count, 48000, 310, number(entry, "onset_s"), FIGURES_REFERENCE,
                                   &figures, &failure));
        cr_assert(eq(sz, figures.bands, 2));
        cr_assert(test_near(number(entry, "strength_db"), figures.strength, 1e-9));
        for (size_t b = 0; b < figures.bands; b++) {
            const struct band_times *octave = &figures.octave[b].times;
            cr_assert(isfinite(octave->edt) && isfinite(octave->t30));
            expect_figure(entry, "octaves_hz", b, octave->centre);
            expect_figure(entry, "curvature_percent", b, octave->curvature);
            expect_figure(entry, "nonlinearity_permille", b, octave->nonlinearity);
            for (int f = 0; f < PRESSURE_FIGURES; f++)
                expect_figure(entry, figure_kind[f].name, b,
                              acoustic_figure_of(&figures.octave[b], (enum figure)f));
            sum[b] += octave->t20;
            first[b] = r == 0 ? octave->t20 : first[b];
        }
        free(sample);
    }
    for (size_t b = 0; b < 2; b++) {
        expect_figure(means, "t20_s", b, sum[b] / 2);
        /* Of two the deviation is their distance over the root of two. */
        expect_figure(means, "t20_s_deviation", b, fabs(2 * first[b] - sum[b]) / sqrt(2));
    }
}

/* 24 ln 10 / c = 0.161020 s/m; 54 m2 take `absorption` each, and the air 4 m V. V is that of the cells: of
 * cut ones in parts of 1/200, none of which is 0. What is less than 1/400 of a cell wide along an edge is
 * closed. */
static void expect_estimates(const cJSON *record, size_t b, double absorption, double tolerance)
{
    const double volume = number(record, "cells_volume_m3"), h = number(record, "spacing_m"),
                 area = record_number(record, "materials.0.area_exposed_m2");
    cr_assert(test_near(volume, 27, 54 * h / 200));
    cr_assert(test_near(area, 54, 36 * 2 * h / 400));
    const double in_air = 4 * volume * at(record, "air.loss_db_m", b) / (10 / log(10));
    const double sabine = 0.161020 * volume / (area * absorption + in_air),
                 eyring = 0.161020 * volume / (-area * log(1 - absorption) + in_air);
    cr_assert(test_near(at(record, "sabine_s", b), sabine, tolerance), "octave %zu: %g for %g", b,
              at(record, "sabine_s", b), sabine);
    cr_assert(test_near(at(record, "eyring_s", b), eyring, tolerance), "octave %zu: %g for %g", b,
              at(record, "eyring_s", b), eyring);
}

Test(simulate_air, sabine_and_eyring_are_beside_them_from_the_same_walls_and_air)
{
    cJSON *record =
        SIMULATE(ROOM, "--absorption", "0.15", CUBE_PLACES, "--duration", "0.1", "--humidity", "30");
    const cJSON *air = cJSON_GetObjectItem(record, "air");
    struct air_losses losses;
    air_losses_make(&(struct air){20, 30, 101.325}, &losses);
    cr_assert(eq(str, (char *)text_of(air, "method"), "modal"));
    cr_assert(number(air, "temperature_c") == 20 && number(air, "humidity_percent") == 30 &&
              number(air, "pressure_kpa") == 101.325);
    cr_assert(test_near(number(record, "air_volume_m3"), 27, 1e-9));
    for (size_t b = 0; b < 2; b++) {
        const double centre = 1000 * pow(10, 0.3 * ((double)b - 4));
        expect_figure(air, "loss_db_m", b, air_losses_decibels(&losses, centre));
        expect_estimates(record, b, 0.15, 1e-5);
    }
}

/* Walls that take four times as much at 250 Hz as at 63 Hz: the estimates have what the walls that were made
 * of them take by octave, and so has the sound. */
Test(simulate_air, walls_that_take_more_of_one_octave_shorten_that_octave)
{
    write_text("walls.csv", "material,63,125,250,500,1000,2000,4000,8000\n"
                            "wall,0.05,0.1,0.2,0.2,0.2,0.2,0.2,0.2\n");
    cJSON *record = SIMULATE("simulate", "cube.obj", "--spacing", "0.075", "--fmax", "400", "--backend",
                             "cpu", "--materials", "walls.csv", CUBE_PLACES);
    const cJSON *entry = record_at(record, "responses.0");
    for (size_t b = 0; b < 3; b++) {
        const double absorption = at(record, "materials.0.absorption_used_octaves", b);
        cr_assert(test_near(absorption, 0.05 * pow(2, (double)b), 0.15 * absorption));
        expect_estimates(record, b, absorption, 1e-4);
    }
    cr_assert(test_above(at(entry, "t20_s", 0), 2 * at(entry, "t20_s", 2)), "%g and %g s",
              at(entry, "t20_s", 0), at(entry, "t20_s", 2));
}

/* The same room in dry air, which takes most: decay rates add, 60 / T = 60 / T without + c alpha. */
Test(simulate_air, the_air_shortens_a_decay_by_what_it_takes_and_both_filters_agree)
{
    static const char *const method[3] = {"off", "modal", "fast"};
    double t30[3][3], loss = 0, strength[3], sabine[3];
    struct air_losses losses;
    air_losses_make(&(struct air){20, 10, 101.325}, &losses);
    for (int m = 0; m < 3; m++) {
        cJSON *record =
            SIMULATE("simulate", "cube.obj", "--fmax", "355", "--backend", "cpu", "--absorption", "0.04",
                     CUBE_PLACES, "--duration", "2.4", "--humidity", "10", "--air", method[m]);
        cr_assert(eq(str, (char *)record_text(record, "air.method"), (char *)method[m]));
        for (size_t b = 0; b < 3; b++) {
            t30[m][b] = at(record, "responses.0.t30_s", b);
            cr_assert(m > 0 || at(record, "air.loss_db_m", b) == 0);
        }
        loss = at(record, "air.loss_db_m", 2);
        strength[m] = record_number(record, "responses.0.strength_db");
        sabine[m] = at(record, "sabine_s", 2);
    }
    for (size_t b = 0; b < 3; b++) {
        /* Each mode loses what its frequency says, so an octave loses between what its edges say; a tenth for
         * what T30 makes of modes that die away at different rates. */
        const double taken = 60 / t30[1][b] - 60 / t30[0][b], middle = 1000 * pow(10, 0.3 * ((double)b - 4));
        const double low = air_losses_decibels(&losses, middle * pow(10, -0.15)) * losses.sound_speed;
        const double high = air_losses_decibels(&losses, middle * pow(10, 0.15)) * losses.sound_speed;
        cr_assert(test_above(taken, 0.9 * low) && test_above(1.1 * high, taken),
                  "octave %zu: %g of %g to %g dB/s", b, taken, low, high);
        cr_assert(test_near(t30[2][b], t30[1][b], 1e-4 * t30[1][b]), "octave %zu: %g for %g s", b, t30[2][b],
                  t30[1][b]);
    }
    cr_assert(strength[1] < strength[0] && test_near(strength[1], strength[2], 1e-3));
    cr_assert(test_near(60 / sabine[1] - 60 / sabine[0], 343.2 * loss, 1e-3));
}

/* The first mode of a hard cube of 3 m vibrates at c / 6. */
Test(simulate_air, sound_is_as_fast_as_the_temperature_says)
{
    static const struct {
        const char *celsius;
        double speed; /* 331.29 m/s at 0 C, as the root of the temperature from there */
    } air[] = {{"-10", 325.17}, {"20", 343.20}, {"35", 351.87}};
    for (size_t t = 0; t < 3; t++) {
        cJSON *record = SIMULATE("simulate", "cube.obj", "--spacing", "0.1", "--fmax", "100", "--absorption",
                                 "0.02", "--duration", "1.5", "--source", "0.1,1.4,1.4", "--receiver",
                                 "2.8,1.6,1.3", "--temperature", air[t].celsius);
        cr_assert(test_near(number(record, "sound_speed_m_s"), air[t].speed, 0.01));
        cr_assert(test_near(record_number(record, "responses.0.onset_s"),
                            sqrt(2.7 * 2.7 + 0.05) / air[t].speed, 1e-6));
        size_t count = 0;
        float *sample = read_file("ir_S1_R1.wav", &count);
        double best = 0, at_best = 0;
        for (double f = 48; f < 64; f += 0.05) {
            const double level = cabs(spectrum_at(sample, count, f, 48000));
            at_best = level > best ? f : at_best;
            best = fmax(level, best);
        }
        cr_assert(test_near(at_best, air[t].speed / 6, 2e-3 * at_best), "%s C: %g Hz for %g", air[t].celsius,
                  at_best, air[t].speed / 6);
        free(sample);
    }
}

Test(simulate_air, an_automatic_run_lasts_until_its_figures_have_45_dB_of_range)
{
    expect_status(RUN("plan", "cube.obj", "--spacing", "0.1", "--fmax", "310", "--absorption", "0.15",
                      CUBE_PLACES, "--json"),
                  0);
    cJSON *plan = read_json("out");
    const double longest = fmax(at(plan, "sabine_s", 0), at(plan, "eyring_s", 0));
    cr_assert(longest >= at(plan, "sabine_s", 1) && longest >= at(plan, "eyring_s", 1));
    cr_assert(test_near(number(plan, "duration_s"), 0.9 * longest, 1e-9));
    cJSON *record = SIMULATE(ROOM, "--absorption", "0.15", CUBE_PLACES);
    cr_assert(test_at_least(number(record, "duration_s"), 0.7 * longest));
    /* It is the range of the figures that ended it, to the last digit. */
    for (size_t b = 0; b < 2; b++) {
        const double range = at(record_at(record, "responses.0"), "decay_range_db", b);
        cr_assert(test_at_least(range, 45), "octave %zu: %g dB", b, range);
        cr_assert(test_near(at(record_at(record, "runs.0"), "decay_range_db", b), range, 1e-6));
        cr_assert(test_at_least(at(record_at(record, "responses.0"), "t30_s", b), 0.1));
    }
}

Test(simulate_air, a_room_that_does_not_die_away_is_cut_at_15_s_with_a_warning)
{
    cJSON *record = SIMULATE("simulate", "cube.obj", "--fmax", "100", "--absorption", "0", CUBE_PLACES,
                             "--backend", "cpu", "--air", "off");
    expect_words("err", "stopped at 15 s");
    expect_words("out", "\nSabine, expected [s]            -\n");
    cr_assert(cJSON_IsTrue(record_at(record, "runs.0.capped")));
    cr_assert(cJSON_IsNull(record_at(record, "sabine_s.0")));
    cr_assert(test_near(number(record, "duration_s"), 15, 0.01));
}

Test(simulate_air, air_outside_the_standard_is_warned_of)
{
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--humidity", "0.5"), 0);
    expect_words("err", "wrong by more than 10 %: ISO 9613-1 goes from 0.05 to 5 % of vapour");
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--force", "--temperature", "-25"), 0);
    expect_words("err", "ISO 9613-1 goes from -20 to 50 C, and it is -25 C");
    expect_status(RUN("simulate", CUBE, CUBE_PLACES, "-o", "run", "--force"), 0);
    char *err = read_text("err");
    cr_assert(strstr(err, "ISO 9613") == NULL, "%s", err);
}
