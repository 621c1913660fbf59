/** Rays of whole rooms: how many there are, what they depend on, and the figures of their energy. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "src/base/options/options.h"
#include "src/rays/ray_cost.h"
#include "src/rays/ray_room.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"
#include "tests/rays/ray_decays.h"
#include "tests/rays/with_rays.h"

#define SOUND_SPEED 343.2
#define ROOM        "room.obj", "--source", "1,1,1", "--receiver", "2.2,2,1.8", "--receiver", "1.8,0.9,2.1"

static struct options options;
static struct room_setup setup;
static struct ray_room room;

static void leave_room(void)
{
    ray_room_free(&room);
    room_setup_free(&setup);
    options_free(&options);
    leave_folder();
}

TestSuite(ray_room, .init = enter_folder, .fini = leave_room);

/* A box 3 m high of one material, or of an absorbing floor (`floor`) and hard walls. */
static void write_floor_box(double length, double width, bool floor)
{
    FILE *file = fopen("room.obj", "w");
    cr_assert(file != NULL);
    fprintf(file, "o room\nusemtl wall\n");
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %g %g %g\n", i & 1 ? length : 0, i & 2 ? width : 0, i & 4 ? 3.0 : 0);
    fprintf(file, "f 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 5 6 8 7\n%sf 1 3 4 2\n",
            floor ? "usemtl floor\n" : "");
    fclose(file);
}

static void write_room(bool floor)
{
    write_floor_box(3, 4, floor);
}

static void read_room(size_t count, const char *const *argument)
{
    const double(*place)[3] = NULL;
    static double position[4][3];
    MUST(
        options_parse(COMMAND_RAYS, "rays", "ROOM", (int)count, (char **)argument, NULL, &options, &failure));
    MUST(room_setup_read(&options.request, &setup, &failure));
    for (size_t r = 0; r < setup.points.receivers; r++)
        memcpy(position[r], setup.points.point[setup.points.sources + r].position, sizeof position[r]);
    place = (const double(*)[3])position;
    MUST(ray_room_make(&setup, place, setup.points.receivers, &room, &failure));
}

#define READ(...)                                                                                            \
    read_room(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), (const char *const[]){__VA_ARGS__})

static struct ray_result trace(size_t source, double noise)
{
    struct ray_result result;
    const struct ray_room_settings settings = {.noise = noise, .label = ""};
    MUST(ray_room_trace(&room, source, &settings, &result, &failure));
    return result;
}

Test(ray_room, rays_end_when_their_noise_is_as_small_as_asked_for)
{
    if (!rays_are_here())
        return;
    write_room(false);
    READ(ROOM, "--quiet", "--absorption", "0.2");
    struct ray_result coarse = trace(0, 0.04), fine = trace(0, 0.01);
    cr_assert(test_at_most(coarse.noise_reached, 0.04));
    cr_assert(test_at_most(fine.noise_reached, 0.01));
    const double more = (double)fine.energy.rays / (double)coarse.energy.rays;
    cr_assert(more > 4 && more < 64, "16 times as many are enough: %g", more);
    for (size_t r = 0; r < 2; r++)
        for (int o = 1; o < 7; o++)
            cr_assert(
                test_at_most(fabs(fine.figures[r].value[FIGURE_G][o] - coarse.figures[r].value[FIGURE_G][o]),
                             5 * coarse.noise[r].value[FIGURE_G][o]));
    ray_result_free(&coarse);
    ray_result_free(&fine);
}

/* Eyring's time of the box is 0.39 s; its places are clear of all walls. */
Test(ray_room, what_rays_will_take_is_known_before)
{
    if (!rays_are_here())
        return;
    write_room(false);
    READ(ROOM, "--quiet", "--absorption", "0.2");
    double radius;
    MUST(ray_cost_radius(&setup, &radius, &failure));
    cr_assert(test_near(radius, 0.05 * cbrt(36), 1e-9));
    struct ray_cost_room cost = {.surface = 66,
                                 .longest = 0.4,
                                 .noise = 0.01,
                                 .radius = radius,
                                 .places = 2,
                                 .directional = 0,
                                 .threads = 1};
    struct ray_result result = trace(0, 0.2);
    const double bytes = (double)(RAY_PARTS * 2 * result.energy.bins * RAY_OCTAVES * sizeof(int64_t));
    cr_assert(test_near(ray_cost_bytes(&cost), bytes * (1 + 1.0 / RAY_PARTS), 0.3 * bytes));
    ray_result_free(&result);
    cost.radius /= 2;
    const double small = ray_cost_seconds(&cost);
    cost.radius *= 2;
    cr_assert(test_near(ray_cost_seconds(&cost), small / 4, 0.02 * small));
}

/* CPU time a ray [s] in a room of 6 x 8 x 3 m. */
static double time_a_ray(const char *floor)
{
    char absorption[32];
    (void)snprintf(absorption, sizeof absorption, "floor=%s", floor);
    write_floor_box(6, 8, true);
    READ(ROOM, "--quiet", "--absorption", "0.03", "--absorption", absorption);
    const clock_t begun = clock();
    struct ray_result result = trace(0, 0.05);
    const double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC / (double)result.energy.rays;
    ray_result_free(&result);
    ray_room_free(&room);
    room_setup_free(&setup);
    options_free(&options);
    return seconds;
}

/* Rays between hard walls outlast the others by far. A window for a decay that ends as it began splits them
 * so often that a ray takes 300 times as long. */
Test(ray_room, a_ray_costs_as_much_where_absorption_is_uneven)
{
    if (rays_are_here())
        cr_assert(test_at_most(time_a_ray("0.7"), 10 * time_a_ray("0.03")));
}

/* The window of ray_room_trace() against rays that are traced to their end. */
Test(ray_room, ending_faint_rays_and_splitting_strong_ones_keeps_the_mean)
{
    if (!rays_are_here())
        return;
    write_room(true);
    READ(ROOM, "--quiet", "--absorption", "0.05", "--absorption", "floor=0.8");
    struct ray_result result = trace(0, 0.01);
    struct ray_emitter emitter = {.position = {1, 1, 1}, .gain = 1};
    struct ray_task task = {.scene = &room.scene,
                            .wall = room.wall[0],
                            .emitters = 1,
                            .emitter = &emitter,
                            .sound_speed = setup.model.sound_speed,
                            .receivers = 2,
                            .receiver = room.place,
                            .bin = result.energy.bin,
                            .bins = result.energy.bins,
                            .seed = 99};
    memcpy(task.air, room.air, sizeof task.air);
    struct ray_energy whole;
    MUST(ray_energy_make(&task, &whole, &failure));
    MUST(ray_trace(&task, 60000, &whole, &failure));
    for (size_t r = 0; r < 2; r++) {
        struct ray_figures figures, noise;
        MUST(ray_figures_make(&whole, RAY_PARTS, r, &figures, &failure));
        MUST(ray_figures_noise(&whole, r, &noise, &failure));
        for (int o = 1; o < 7; o += 2)
            for (int f = 0; f < PRESSURE_FIGURES; f++) {
                const double sure = hypot(noise.value[f][o], result.noise[r].value[f][o]);
                const double change = figures.value[f][o] - result.figures[r].value[f][o];
                cr_assert(test_at_most(fabs(change), 6 * sure), "%s: %g, noise %g", figure_kind[f].word,
                          change, sure);
            }
    }
    ray_energy_free(&whole);
    ray_result_free(&result);
}

Test(ray_room, scattering_decides_where_absorption_is_uneven)
{
    if (!rays_are_here())
        return;
    write_room(true);
    READ(ROOM, "--quiet", "--absorption", "0.03", "--absorption", "floor=0.9");
    struct ray_result uneven = trace(0, 0.02);
    const double unsure =
        ray_figure_steps(FIGURE_T30, uneven.figures[0].value[FIGURE_T30][4],
                         uneven.figures[0].value[FIGURE_T30][4] + uneven.spread[0].value[FIGURE_T30][4]);
    cr_assert(unsure > FIGURE_UNSURE, "%g JND", unsure);
    ray_result_free(&uneven);
    ray_room_free(&room);
    room_setup_free(&setup);
    options_free(&options);
    READ(ROOM, "--quiet", "--absorption", "0.3");
    struct ray_result even = trace(0, 0.02);
    const double sure =
        ray_figure_steps(FIGURE_T30, even.figures[0].value[FIGURE_T30][4],
                         even.figures[0].value[FIGURE_T30][4] + even.spread[0].value[FIGURE_T30][4]);
    cr_assert(sure < FIGURE_UNSURE, "%g JND", sure);
    ray_result_free(&even);
}

/* Where their sound comes at other times than the inverse of the bandwidth tells apart. */
Test(ray_room, sources_that_sound_together_far_from_one_another_add_their_energy)
{
    if (!rays_are_here())
        return;
    write_room(false);
    READ("room.obj", "--source", "1,1,1,A", "--source", "2,3,2,B", "--together", "AB=A:-3,B:0:50",
         "--receiver", "2.2,2,1.8", "--quiet", "--absorption", "0.2");
    struct ray_result all = trace(2, 0.02); /* groups are last */
    cr_assert(eq(sz, all.energy.emitters, 2));
    struct ray_result a = trace(0, 0.02), b = trace(1, 0.02);
    for (int o = 1; o < 7; o++) {
        const double sum = 10 * log10(pow(10, (a.figures[0].value[FIGURE_G][o] - 3) / 10) +
                                      pow(10, b.figures[0].value[FIGURE_G][o] / 10));
        cr_assert(test_near(all.figures[0].value[FIGURE_G][o], sum, 0.4));
    }
    ray_result_free(&all);
    ray_result_free(&a);
    ray_result_free(&b);
}

/* Eight above one another, 12 cm apart. In the mean over all directions the energy of two over that of both
 * alone is 1 + the mean of sin(kd) / (kd) over the octave; the direct sound is a sum over distances. */
Test(ray_room, a_column_sends_rays_as_its_interference_says)
{
    enum { SOURCES = 8, STEPS = 500 };
    if (!rays_are_here())
        return;
    char text[SOURCES][40], group[200] = "column=";
    const char *command[2 * SOURCES + 12] = {"room.obj"};
    size_t count = 1;
    write_room(false);
    for (int s = 0; s < SOURCES; s++) {
        (void)snprintf(text[s], sizeof text[s], "1,1,%.2f,S%d", 0.8 + 0.12 * s, s);
        (void)snprintf(group + strlen(group), sizeof group - strlen(group), "%sS%d", s > 0 ? "," : "", s);
        command[count++] = "--source";
        command[count++] = text[s];
    }
    const char *const rest[] = {"--together", group,          "--receiver", "2.2,2,2",
                                "--quiet",    "--absorption", "0.2"};
    memcpy(&command[count], rest, sizeof rest);
    read_room(count + sizeof rest / sizeof *rest, command);
    struct ray_result all = trace(SOURCES, 0.05);
    struct ray_account account;
    MUST(ray_account_make(&all.energy, &account, &failure));
    for (int o = 1; o < 7; o++) {
        double given = 1, direct = 0, wanted = 0;
        for (int n = 0; n < STEPS; n++) {
            const double f = ray_octave_centre(o) *
                             (pow(10, -0.15) + (pow(10, 0.15) - pow(10, -0.15)) * (n + 0.5) / STEPS),
                         k = 2 * acos(-1) * f / setup.model.sound_speed;
            double complex sum = 0;
            for (int s = 1; s < SOURCES; s++)
                given += 2.0 * (SOURCES - s) / SOURCES * sin(k * 0.12 * s) / (k * 0.12 * s) / STEPS;
            for (int s = 0; s < SOURCES; s++) {
                const double d = hypot(hypot(1.2, 1), 1.2 - 0.12 * s);
                sum += cexp(-I * k * d) / d;
            }
            wanted += creal(sum * conj(sum)) / STEPS;
        }
        for (int s = 0; s < SOURCES; s++)
            direct += all.energy.direct[s][o];
        cr_expect(test_near(account.given[o] / SOURCES, given, 0.02 * given), "octave %d: %g, %g wanted", o,
                  account.given[o] / SOURCES, given);
        cr_expect(test_near(10 * log10(direct / wanted), 0, 0.1), "octave %d: %g, %g wanted", o, direct,
                  wanted);
    }
    free(account.absorbed);
    ray_result_free(&all);
}

/* ---- energies in closed form ---- */

#define T    1.2
#define BINS 1500

/* An exponential decay of the time T at `receivers` places, without direct sound. */
static void make_decay(size_t receivers, struct ray_energy *out)
{
    static double direct[16][RAY_OCTAVES], arrival[16];
    *out = (struct ray_energy){.receivers = receivers,
                               .bins = BINS,
                               .emitters = 1,
                               .bin = 0.002,
                               .rays = 8,
                               .direct = direct,
                               .arrival = arrival};
    out->sum = calloc(RAY_PARTS * receivers * BINS * RAY_OCTAVES, sizeof *out->sum);
    cr_assert(out->sum != NULL);
    for (size_t r = 0; r < receivers; r++)
        for (size_t b = 0; b < BINS; b++)
            for (size_t o = 0; o < RAY_OCTAVES; o++)
                out->sum[(r * BINS + b) * RAY_OCTAVES + o] =
                    llrint(8 * 0x1p34 * exp(-6 * log(10) * ((double)b + 0.5) * 0.002 / T));
}

/* The variance of the energy of a draw over its square: 1 / (2 B tau), energy falling by e in tau. */
Test(ray_room, interference_of_a_decay_is_that_of_its_bandwidth)
{
    struct ray_energy energy;
    struct ray_figures drawn;
    make_decay(16, &energy);
    for (int o = 0; o < RAY_OCTAVES; o += 2) {
        double sum = 0;
        for (size_t r = 0; r < 16; r++) {
            MUST(ray_figures_interference(&energy, r, &drawn, &failure));
            sum += drawn.value[FIGURE_G][o] / 16;
        }
        const double tau = T / (6 * log(10)), bandwidth = ray_octave_centre(o) * sqrt(0.5);
        const double exact = 10 / log(10) / sqrt(2 * bandwidth * tau);
        cr_assert(test_near(sum / exact, 1, 0.15), "octave %d: %g dB, %g expected", o, sum, exact);
    }
    free(energy.sum);
}

Test(ray_room, figures_of_an_exponential_decay_are_those_of_its_formula)
{
    struct ray_energy energy;
    struct ray_figures figures;
    struct speech_transmission speech = {0};
    make_decay(1, &energy);
    MUST(ray_figures_make(&energy, RAY_PARTS, 0, &figures, &failure));
    ray_speech_put(&energy, 0, 0, &speech);
    const double rate = 6 * log(10) / T;
    for (int o = 0; o < RAY_OCTAVES; o++) {
        cr_assert(test_near(figures.value[FIGURE_EDT][o], T, 0.001));
        cr_assert(test_near(figures.value[FIGURE_T30][o], T, 0.001));
        cr_assert(test_near(figures.value[FIGURE_C80][o], 10 * log10(exp(rate * 0.08) - 1), 0.01));
        cr_assert(test_near(figures.value[FIGURE_TS][o], 1 / rate, 1e-3));
    }
    for (size_t f = 0; f < SPEECH_MODULATIONS; f++)
        cr_assert(test_near(speech.octave[3].transfer[f],
                            1 / sqrt(1 + pow(2 * acos(-1) * speech_modulation[f] / rate, 2)), 1e-3));
    free(energy.sum);
}

Test(ray_room, two_arrivals_have_no_reverberation_time)
{
    struct ray_figures figures;
    struct test_decay two = {.bin = 0.002, .bins = 400};
    two.energy = test_keep(calloc(two.bins, sizeof *two.energy));
    for (int o = 0; o < RAY_OCTAVES; o++)
        two.energy[300][o] = 0.05 / (o + 1);
    test_decay_figures(&two, 1, 0.0101, &figures);
    for (int o = 0; o < RAY_OCTAVES; o++) {
        cr_assert(isnan(figures.value[FIGURE_T20][o]), "octave %d: %g s", o, figures.value[FIGURE_T20][o]);
        cr_assert(isnan(figures.value[FIGURE_T30][o]), "octave %d: %g s", o, figures.value[FIGURE_T30][o]);
    }
}

/* ---- the command ---- */

Test(ray_room, the_command_answers_in_all_octaves)
{
    if (!rays_are_here())
        return;
    write_room(false);
    expect_status(run("rays.json", (const char *const[]){TEST_PROGRAM, "rays", ROOM, "--absorption", "0.2",
                                                         "--ray-noise", "5", "--json", NULL}),
                  0);
    const cJSON *answer = read_json("rays.json");
    cr_assert(eq(int, cJSON_GetArraySize(record_at(answer, "responses")), 2));
    cr_assert(eq(int, cJSON_GetArraySize(record_at(answer, "responses.1.t30_s")), RAY_OCTAVES));
    cr_assert(test_at_most(record_number(answer, "runs.0.noise"), 0.05));
    cr_assert(isfinite(record_number(answer, "responses.1.sti")));
    expect_status(RUN("rays", ROOM, "--absorption", "0.2", "--ray-noise", "5"), 0);
    expect_words("out", "16 kHz", "STI", "\nfrom                        rays", "  error bar");
    cr_assert(eq(str, (char *)record_text(answer, "responses.0.from.0"), "rays"));
    cr_assert(record_number(answer, "responses.1.t30_s_error.4") > 0);
    cr_assert(record_number(answer, "responses.1.noise.t30_s.4") > 0);
}

static int places_traced(void)
{
    return cJSON_GetArraySize(record_at(read_json("rays.json"), "responses"));
}

Test(ray_room, the_first_look_at_a_project_leaves_its_grids_out)
{
    if (!rays_are_here())
        return;
    write_room(true);
    write_text(
        "p.yaml",
        "room: room.obj\nmaterials: {wall: 0.2, floor: 0.3}\nsources: [{name: a, position: [1, 1, 1]}]\n"
        "receivers: [{name: b, position: [2.2, 2, 1.8]}]\nreceiver_grids: [{name: seats, material: "
        "floor}]\n");
    const char *look[] = {TEST_PROGRAM, "rays",   "p.yaml", "--threads", "1", "--ray-noise",
                          "50",         "--json", NULL,     NULL,        NULL};
    expect_status(run("rays.json", look), 0);
    cr_assert(eq(int, places_traced(), 1));
    expect_words("err", "left out, to be fast: 1 receiver grid of the project; --receiver-grid audience ");
    look[8] = "--receiver-grid";
    look[9] = "seats=floor";
    expect_status(run("rays.json", look), 0);
    cr_assert(test_at_least((double)places_traced(), 5));
    expect_no_words("err", "left out, to be fast");
}

Test(ray_room, absorption_that_ends_low_is_named)
{
    if (!rays_are_here())
        return;
    write_room(true);
    write_text("low.csv", "material,250,1000,4000\nwall,0.1,0.2,\nfloor,0.1,0.2,0.3\n");
    expect_status(RUN("rays", ROOM, "--materials", "low.csv", "--threads", "1", "--ray-noise", "50"), 0);
    expect_words("err", "absorption above the highest octave that is given is taken to stay as there: wall "
                        "(1000 Hz)\n");
}

Test(ray_room, the_command_refuses_a_receiver_too_near_to_a_surface)
{
    if (!rays_are_here())
        return;
    write_room(false);
    REFUSED("receiver R1 is less than 0.056 m from a surface", "rays", "room.obj", "--source", "1,1,1",
            "--receiver", "2,2,0.04", "--absorption", "0.2");
}

/* The box, whose roof of `share` of its length is in two parts, `gap` apart. */
static void write_gap(const char *path, double share, double gap)
{
    const double y[] = {0, 1.5 - gap / 2, 1.5 + gap / 2, 4 * share};
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL);
    fprintf(file, "o room\nusemtl wall\n");
    for (int i = 0; i < 8; i++)
        fprintf(file, "v %g %g %g\n", i & 1 ? 3.0 : 0, i & 2 ? 4.0 : 0, i & 4 ? 3.0 : 0);
    for (int i = 0; i < 4; i++)
        fprintf(file, "v 0 %g 3\nv 3 %g 3\n", y[i], y[i]);
    fprintf(file, "f 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\nf 1 3 4 2\nf 9 10 12 11\nf 13 14 16 15\n");
    fclose(file);
}

#define BEFORE_GAP "--source", "1,1,1", "--receiver", "2.2,2,1.8", "--absorption", "0.02", "--ray-noise", "2"

/* It would take .15 m2 beside the 1.3 m2 that absorb. */
Test(ray_room, gaps_that_the_grid_closes_are_closed_for_rays)
{
    if (!rays_are_here())
        return;
    write_gap("whole.obj", 1, 0);
    write_gap("gap.obj", 1, 0.05);
    write_gap("open.obj", 0.6, 0);
    expect_status(run("whole.json",
                      (const char *const[]){TEST_PROGRAM, "rays", "whole.obj", BEFORE_GAP, "--json", NULL}),
                  0);
    expect_status(run("gap.json", (const char *const[]){TEST_PROGRAM, "rays", "gap.obj", BEFORE_GAP, "--seal",
                                                        "6cm", "--json", NULL}),
                  0);
    expect_status(run("open.json", (const char *const[]){TEST_PROGRAM, "rays", "open.obj", BEFORE_GAP,
                                                         "--open", "--ray-noise", "20", "--json", NULL}),
                  0);
    const cJSON *whole = read_json("whole.json"), *gap = read_json("gap.json"),
                *open = read_json("open.json");
    cr_assert(eq(dbl, record_number(whole, "runs.0.gaps"), 0));
    cr_assert(test_near(record_number(gap, "runs.0.gaps"), 0.1, 0.02), "%g",
              record_number(gap, "runs.0.gaps"));
    cr_assert(eq(dbl, record_number(open, "runs.0.gaps"), 0));
    for (int o = 1; o < 7; o++) {
        char t30[40], g[40];
        snprintf(t30, sizeof t30, "responses.0.t30_s.%d", o);
        snprintf(g, sizeof g, "responses.0.g_db.%d", o);
        cr_assert(test_near(record_number(gap, t30) / record_number(whole, t30), 1, 0.07));
        cr_assert(test_near(record_number(gap, g), record_number(whole, g), 0.3));
        cr_assert(test_at_most(record_number(open, t30) / record_number(whole, t30), 0.7));
    }
    expect_status(RUN("rays", "gap.obj", BEFORE_GAP, "--seal", "6cm"), 0);
    expect_words("out", "gaps of the model would let out", "closed for rays");
}
