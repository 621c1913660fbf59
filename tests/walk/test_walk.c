/* What a walking listener hears, from responses and from a room that is stepped: Doppler, levels, places. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include "src/base/interrupt.h"
#include "src/listen/heard_response.h"
#include "src/response/signal/integrator.h"
#include "src/response/signal/loudness.h"
#include "src/response/signal/band_filters.h"
#include "src/run/walk/walk_responses.h"
#include "src/run/walk/walk_run.h"
#include "tests/support/back_ends.h"
#include "tests/support/json_path.h"
#include "tests/support/outcome.h"
#include "tests/support/program_run.h"
#include "tests/support/sounds.h"

#define RATE 48000
#define PI   3.14159265358979323846
#define C    343.2 /* [m/s] at 20 C */

TestSuite(walk, .init = enter_folder, .fini = leave_folder);

/* ---- sounds ---- */

/* A tone, or (frequency 0) noise that falls. */
static void write_dry(const char *path, double seconds, double frequency, double fall, uint64_t seed)
{
    const size_t frames = (size_t)(seconds * RATE);
    float *sample = test_keep(malloc(frames * sizeof *sample));
    for (size_t n = 0; n < frames; n++) {
        const double x =
            frequency > 0.0 ? sin(2 * PI * frequency * (double)n / RATE) : test_uniform(&seed, -1, 1);
        sample[n] = (float)(0.02 * x * exp(-fall * (double)n / RATE));
    }
    write_sound(path, sample, frames, 1, RATE);
}

static void write_tone(const char *path, double seconds, double frequency)
{
    write_dry(path, seconds, frequency, 0.0, 0);
}

static void write_noise(const char *path, double seconds, double fall, uint64_t seed)
{
    write_dry(path, seconds, 0.0, fall, seed);
}

/* 80 and 110 Hz that come and go. */
static void write_swell(const char *path)
{
    static float sample[RATE / 2];
    for (size_t n = 0; n < RATE / 2; n++) {
        const double t = (double)n / RATE;
        sample[n] =
            (float)(0.01 * pow(sin(2 * PI * t), 2.0) * (sin(2 * PI * 80 * t) + sin(2 * PI * 110 * t)));
    }
    write_sound(path, sample, RATE / 2, 1, RATE);
}

/* Phase of the first channel about `seconds`, over 0.15 s, as that of a tone that began with 0. */
static double phase_at(const struct wav_sound *sound, double frequency, double seconds)
{
    const double half = 0.075 * sound->rate, middle = seconds * sound->rate;
    double complex sum = 0.0;
    for (double n = ceil(middle - half); n <= middle + half; n++) {
        const double window = pow(cos(0.5 * PI * (n - middle) / half), 2.0);
        sum += window * (double)sound->sample[(size_t)n * (size_t)sound->channels] *
               cexp(-2.0 * PI * I * frequency * n / sound->rate);
    }
    return carg(sum);
}

/* The frequency between two times, about `expected`. */
static double frequency_between(const struct wav_sound *sound, double expected, double from, double to)
{
    const double turned =
        remainder(phase_at(sound, expected, to) - phase_at(sound, expected, from), 2.0 * PI);
    return expected + turned / (2.0 * PI * (to - from));
}

static double energy_between(const struct wav_sound *sound, double from, double to)
{
    double energy = 0.0;
    for (size_t n = (size_t)(from * sound->rate); n < (size_t)(to * sound->rate) && n < sound->frames; n++)
        energy += pow((double)sound->sample[n * (size_t)sound->channels], 2.0);
    return energy;
}

/* Of both sounds in an octave [dB]. */
static double octave_apart(const struct wav_sound *one, const struct wav_sound *other, double centre)
{
    const struct wav_sound *both[2] = {one, other};
    double energy[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        struct biquad section[4] = {{0}};
        band_filter_make(BANDS_OCTAVE, centre, RATE, 4, section);
        for (size_t n = 0; n < both[i]->frames; n++) {
            double x = (double)both[i]->sample[n * (size_t)both[i]->channels];
            for (int s = 0; s < 4; s++)
                x = biquad_step(&section[s], x);
            energy[i] += x * x;
        }
    }
    return 10.0 * log10(energy[1] / energy[0]);
}

/* The greatest difference over the greatest value. */
static double difference(const struct wav_sound *one, const struct wav_sound *other)
{
    double apart = 0.0, most = 0.0;
    const size_t frames = one->frames < other->frames ? one->frames : other->frames;
    for (size_t n = 0; n < frames * (size_t)one->channels; n++) {
        apart = fmax(apart, fabs((double)one->sample[n] - (double)other->sample[n]));
        most = fmax(most, fabs((double)one->sample[n]));
    }
    return apart / most;
}

/* ---- from responses ---- */

#define STATIONS 14

static struct walk_station station[STATIONS];
static char file[STATIONS][16];

/* Every metre from x = 3 on, with the source at 0. */
static struct walk_field stand_in_line(double fmax)
{
    struct walk_field field = {
        .stations = STATIONS, .station = station, .sound_speed = C, .fmax = fmax, .channels = 1};
    for (size_t i = 0; i < STATIONS; i++) {
        (void)snprintf(file[i], sizeof file[i], "ir_%zu.wav", i);
        station[i] = (struct walk_station){
            .name = file[i], .position = {3.0 + (double)i, 0, 0}, .path = file[i], .onset = NAN};
    }
    return field;
}

static void write_open_air(double fmax)
{
    for (size_t i = 0; i < STATIONS; i++) {
        struct wav_sound sound = {0};
        MUST(heard_response_low_passed(3.0 + (double)i, C, fmax, &sound, &failure));
        test_keep(sound.sample);
        write_sound(file[i], sound.sample, sound.frames, 1, RATE);
    }
}

static void write_decays(void)
{
    for (size_t i = 0; i < STATIONS; i++)
        write_noise(file[i], 0.5, 14.0, 100 + i);
}

/* At 48 kHz. */
static struct wav_sound walked(const struct walk_field *field, const char *way, double speed, const char *dry)
{
    struct walk_path path = {0};
    struct walk_sound sound = {0};
    struct dry_sound open = {0};
    struct walk_responses_facts facts;
    MUST(walk_path_read(way, speed, &path, &failure));
    MUST(dry_sound_open(dry, ".", &interrupt_seen, &open, &failure));
    MUST(walk_responses_make(field, &path, &open, &interrupt_seen, &sound, &facts, &failure));
    MUST(walk_sound_convert(&sound, &failure));
    dry_sound_close(&open);
    walk_path_free(&path);
    test_keep(sound.sample);
    return (struct wav_sound){
        .sample = sound.sample, .frames = sound.frames, .channels = (int)sound.channels, .rate = RATE};
}

Test(walk, between_responses_a_tone_in_the_open_is_heard_at_f_times_1_plus_or_minus_v_over_c)
{
    const struct walk_field field = stand_in_line(1000);
    const double f = 440, v = 10;
    write_open_air(1000);
    write_tone("tone.wav", 1.2, f);
    for (int way = 0; way < 2; way++) {
        struct wav_sound sound =
            walked(&field, way == 0 ? "3.5,0,0;15.5,0,0" : "15.5,0,0;3.5,0,0", v, "tone.wav");
        const double expected = f * (1.0 + (way == 0 ? -v : v) / C);
        const double heard = frequency_between(&sound, expected, 0.2, 1.1);
        cr_assert(test_near(heard, expected, 1e-5 * expected), "%.4f Hz, and it should be %.4f", heard,
                  expected);
    }
}

Test(walk, between_responses_the_direct_sound_falls_with_the_distance)
{
    const struct walk_field field = stand_in_line(1000);
    write_open_air(1000);
    write_tone("tone.wav", 2.4, 440);
    struct wav_sound sound = walked(&field, "3,0,0;8,0,0", 2.0, "tone.wav");
    for (double t = 0.1; t < 2.3; t += 0.05) {
        const double x = 3.0 + 2.0 * t;
        const double amplitude =
            sqrt(2.0 * energy_between(&sound, t - 0.025, t + 0.025) / (0.05 * RATE)) / 0.02;
        cr_assert(test_near(20 * log10(amplitude * x), 0.0, 0.2), "at %g m %g of 1/r", x, amplitude * x);
    }
}

Test(walk, between_responses_that_differ_no_level_is_lost)
{
    const struct walk_field field = stand_in_line(1000);
    double standing = 0.0;
    write_decays();
    write_noise("dry.wav", 4.0, 0.0, 7);
    for (size_t i = 0; i < STATIONS; i += 3) {
        char way[32];
        (void)snprintf(way, sizeof way, "%g,0,0", 3.0 + (double)i);
        struct wav_sound sound = walked(&field, way, 1.0, "dry.wav");
        standing += energy_between(&sound, 0.5, 3.9) / 5;
    }
    struct wav_sound sound = walked(&field, "3,0,0;16,0,0", 3.3, "dry.wav");
    const double moved = energy_between(&sound, 0.5, 3.9);
    cr_assert(test_near(10 * log10(moved / standing), 0.0, 0.3), "%g dB", 10 * log10(moved / standing));
}

/* To 16 kHz, as random sounds of rays are. */
Test(walk, midway_between_responses_that_differ_octaves_have_their_level)
{
    const struct walk_field field = stand_in_line(22387);
    write_decays();
    write_noise("dry.wav", 2.0, 0.0, 7);
    const struct wav_sound one = walked(&field, "9,0,0", 1.0, "dry.wav"),
                           between = walked(&field, "9.5,0,0", 1.0, "dry.wav"),
                           other = walked(&field, "10,0,0", 1.0, "dry.wav");
    for (int band = 1; band < OCTAVE_BANDS_MAX; band++) {
        const double apart = 0.5 * (octave_apart(&one, &between, octave_middle(band)) +
                                    octave_apart(&other, &between, octave_middle(band)));
        cr_assert(test_at_most(fabs(apart), 0.7), "%g dB at %.0f Hz", apart, octave_middle(band));
    }
}

Test(walk, who_stands_at_a_response_hears_it_as_it_is)
{
    const struct walk_field field = stand_in_line(NAN);
    write_decays();
    write_noise("dry.wav", 1.0, 0.0, 7);
    struct wav_sound sound = walked(&field, "5,0,0", 1.0, "dry.wav");
    expect_status(RUN("auralise", "ir_2.wav", "dry.wav", "-o", "wet.wav", "--level", "true"), 0);
    struct wav_sound wet = read_sound("wet.wav");
    const double apart = difference(&wet, &sound);
    cr_assert(test_at_most(apart, 1e-5), "%g of the peak", apart);
}

/* Eight that are as far, so that no weight falls to nothing at the fifth. */
Test(walk, in_the_middle_of_a_cube_of_responses_it_is_not_silent)
{
    struct walk_field field = stand_in_line(NAN);
    field.stations = 8;
    write_tone("tone.wav", 0.5, 440);
    for (size_t i = 0; i < field.stations; i++) {
        const double corner[3] = {i & 1 ? 5.5 : 4.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5};
        memcpy(station[i].position, corner, sizeof corner);
        write_noise(file[i], 0.5, 14.0, 100);
    }
    struct wav_sound middle = walked(&field, "5,0,0", 1.0, "tone.wav"),
                     near = walked(&field, "4.51,-0.49,-0.49", 1.0, "tone.wav");
    const double apart = 10 * log10(energy_between(&middle, 0.1, 0.5) / energy_between(&near, 0.1, 0.5));
    cr_assert(test_near(apart, 0.0, 3.0), "%g dB", apart);
}

Test(walk, far_from_any_response_it_is_refused_with_the_place)
{
    const struct walk_field field = stand_in_line(1000);
    struct walk_path path = {0};
    struct walk_responses_facts facts;
    MUST(walk_path_read("3,0,0;3,4,0", 1.0, &path, &failure));
    MUST_FAIL(
        walk_responses_check(&field, &path, &facts, &failure), FAILURE_INPUT,
        "at 3.00,2.05,0.00 m, 2.0 m from its start, the walk is 2.0 m from the nearest response (ir_0.wav)");
    walk_path_free(&path);
}

Test(walk, responses_behind_a_wall_are_not_heard)
{
    struct walk_field field = stand_in_line(NAN);
    struct mesh wall = {0};
    uint16_t material;
    MUST(mesh_add_material(&wall, "plaster", &material, &failure));
    for (int c = 0; c < 3; c++)
        MUST(mesh_add_vertex(&wall, (const double[]){6.5, c == 1 ? 5 : -5, c == 2 ? 5 : -5}, NULL, &failure));
    MUST(mesh_add_triangle(&wall, (const uint32_t[]){0, 1, 2}, material, &failure));
    write_decays();
    write_tone("tone.wav", 0.5, 440);
    field.walls = &wall;
    struct wav_sound hidden = walked(&field, "6.2,-1,-1", 1.0, "tone.wav");
    field.walls = NULL;
    field.stations = 4;
    struct wav_sound alone = walked(&field, "6.2,-1,-1", 1.0, "tone.wav");
    const double apart = difference(&alone, &hidden);
    cr_assert(test_at_most(apart, 1e-6), "%g of the peak", apart);
    mesh_free(&wall);
}

Test(walk, ears_of_a_dummy_head_are_no_places)
{
    struct record_response response[2] = {{.source = "S", .receiver = "left"},
                                          {.source = "S", .receiver = "right"}};
    struct record_dummy_head head = {.left = "left", .right = "right"};
    struct record_point source[2] = {{.name = "S"}, {.name = "silent"}};
    struct run_model run;
    bool heard[2];
    run_model_clear(&run);
    run.responses.count = 2;
    run.responses.item = response;
    run.points.sources.count = 2;
    run.points.sources.item = source;
    MUST(walk_run_sources(&run, heard, &failure));
    cr_assert(heard[0] && heard[1] == false);
    run.points.heads.count = 1;
    run.points.heads.item = &head;
    MUST(walk_run_sources(&run, heard, &failure));
    cr_assert(heard[0] == false && heard[1] == false);
}

/* ---- stepped ---- */

/* A swing of 80 Hz about 9 ms, which is all but over when walls are heard. */
static double swing(double t)
{
    const double x = (t - 0.009) / 0.004;
    return 0.1 * exp(-x * x) * sin(2 * PI * 80 * (t - 0.009));
}

/* In the middle of a hall of 9 m, faster than any walk. No reflection comes before 20 ms. */
static void expect_swing_on_the_way(const char *way, double from, double speed)
{
    double apart = 0.0, most = 0.0, left[RATE / 20];
    struct integrator high_pass;
    integrator_make(RATE, &high_pass); /* that all responses have */
    for (size_t n = 0; n < RATE / 20; n++)
        left[n] = swing((double)n / RATE) - (n > 0 ? swing(((double)n - 1) / RATE) : 0.0);
    integrator_run(&high_pass, left, RATE / 20);
    expect_status(RUN("auralise", "hall.yaml", "--walk", way, "--speed", "30", "--dry", "swing.wav",
                      "--level", "true", "-o", "heard", "--force"),
                  0);
    struct wav_sound sound = read_sound("heard/walk_S.wav");
    for (size_t n = 0; n < (size_t)(0.0195 * RATE); n++) {
        const double t = (double)n / RATE, r = from + speed * t, at = (t - r / C) * RATE;
        if (at < 0.0)
            continue;
        const double share = at - floor(at), *before = &left[(size_t)at];
        const double exact = ((1.0 - share) * before[0] + share * before[1]) / r;
        apart = fmax(apart, fabs((double)sound.sample[n] - exact));
        most = fmax(most, fabs(exact));
    }
    cr_assert(test_at_most(apart, 0.005 * most), "%g of %g", apart / most, most);
}

/* The frequency is right to 0.1 % then: as wrong as that, the phase would be so by .7 % at the middle of it.
 */
Test(walk, stepped_what_sounds_in_the_open_is_heard_as_it_was_when_it_left)
{
    float sample[RATE / 50];
    for (size_t n = 0; n < RATE / 50; n++)
        sample[n] = (float)swing((double)n / RATE);
    write_sound("swing.wav", sample, RATE / 50, 1, RATE);
    write_text("hall.yaml", "room: hall.obj\nmaterials:\n  wall: 0.9\nfmax_hz: 300\nduration_s: 0.02\n"
                            "sources:\n- name: S\n  position: [4.5, 4.5, 4.5]\n");
    write_box("hall.obj", 9, 9, 9, true);
    expect_swing_on_the_way("5.5,4.5,4.5;6.7,4.5,4.5", 1.0, 30);
    expect_swing_on_the_way("6.7,4.5,4.5;5.5,4.5,4.5", 2.2, -30);
    cJSON *record = read_json("heard/walk.json");
    cr_assert(eq(str, (char *)text_of(record, "method"), "stepped"));
    cr_assert(test_near(number(record, "length_m"), 1.2, 1e-9));
}

/* ---- a source that moves ---- */

/* As every response has passed it. */
static void pass_high(double *sound, size_t count)
{
    struct integrator high_pass;
    integrator_make(RATE, &high_pass);
    for (size_t n = count; n-- > 1;)
        sound[n] -= sound[n - 1];
    integrator_run(&high_pass, sound, count);
}

/* The swing at 1 m from a source at rest, and its integral over time, which is the volume velocity. */
static void make_flow(double sound[RATE / 20], double flow[RATE / 20])
{
    double sum = 0.0;
    for (size_t n = 0; n < RATE / 20; n++)
        sound[n] = swing((double)n / RATE);
    pass_high(sound, RATE / 20);
    for (size_t n = 0; n < RATE / 20; n++) {
        flow[n] = (sum + 0.5 * sound[n]) / RATE;
        sum += sound[n];
    }
}

static double between(const double *of, double at)
{
    const double share = at - floor(at), *before = &of[(size_t)at];
    return (1.0 - share) * before[0] + share * before[1];
}

/* The sound of a monopole of volume velocity that moves uniformly (walk_steps.h): heard at `t`, `ahead` and
 * `aside` of where it starts; 0 before it begins. */
static double moving_monopole(const double *sound, const double *flow, double t, double ahead, double aside,
                              double speed)
{
    double tau = t;
    for (int i = 0; i < 60; i++) /* t = tau + R(tau) / c: each time nearer by a factor of speed / c */
        tau = t - hypot(ahead - speed * tau, aside) / C;
    if (tau < 0.0)
        return 0.0;
    const double x = ahead - speed * tau, r = hypot(x, aside), m = speed / C, towards = m * x / r;
    return between(sound, tau * RATE) / (r * pow(1.0 - towards, 2.0)) +
           between(flow, tau * RATE) * C * (towards - m * m) / (r * r * pow(1.0 - towards, 3.0));
}

#define FREE (RATE / 1000 * 39 / 2) /* frames before any reflection */

/* How `heard` differs from `exact` by least squares, as level * exact(t + (t - middle) * scale + delay). */
static void fit_to(const double *heard, const double *exact, double *level, double *scale)
{
    static double of[3][FREE];
    double middle = 0.0, energy = 0.0, m[3][4] = {{0.0}};
    for (size_t n = 0; n < FREE; n++) {
        middle += (double)n / RATE * exact[n] * exact[n];
        energy += exact[n] * exact[n];
    }
    for (size_t n = 0; n < FREE; n++) {
        of[0][n] = exact[n];
        of[1][n] = n > 0 && n + 1 < FREE ? 0.5 * RATE * (exact[n + 1] - exact[n - 1]) : 0.0;
        of[2][n] = ((double)n / RATE - middle / energy) * of[1][n];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j <= i; j++)
                m[i][j] = m[j][i] += of[i][n] * of[j][n];
        for (int i = 0; i < 3; i++)
            m[i][3] += of[i][n] * heard[n];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double factor = m[j][i] / m[i][i];
            for (int k = i; k < 4 && j != i; k++)
                m[j][k] -= factor * m[i][k];
        }
    *level = m[0][3] / m[0][0];
    *scale = m[2][3] / m[2][2];
}

/* From a source on its way, at rest or at 30 m/s, to the middle of a hall of 9 m. */
static void expect_swing_of_moving(const char *way, double ahead, double aside, double speed)
{
    static double sound[RATE / 20], flow[RATE / 20], exact[FREE], left[FREE];
    double apart = 0.0, most = 0.0, level, scale;
    make_flow(sound, flow);
    for (size_t n = 0; n < FREE; n++)
        exact[n] = moving_monopole(sound, flow, (double)n / RATE, ahead, aside, speed);
    pass_high(exact, FREE);
    expect_status(RUN("auralise", "hall.yaml", "--walk", "4.5,4.5,4.5", "--source-walk", way,
                      "--source-speed", "30", "--dry", "swing.wav", "--level", "true", "-o", "heard",
                      "--force"),
                  0);
    struct wav_sound heard = read_sound("heard/walk_S.wav");
    for (size_t n = 0; n < FREE; n++) {
        left[n] = (double)heard.sample[n];
        apart = fmax(apart, fabs(left[n] - exact[n]));
        most = fmax(most, fabs(exact[n]));
    }
    fit_to(left, exact, &level, &scale);
    cr_assert(test_at_most(fabs(20.0 * log10(level)), 0.05), "%s: %g dB", way, 20.0 * log10(level));
    cr_assert(test_at_most(fabs(scale), 0.001), "%s: the pitch by %g", way, scale);
    cr_assert(test_at_most(apart, 0.008 * most), "%s: %g of %g", way, apart / most, most);
}

Test(walk, stepped_a_source_that_moves_in_the_open_is_the_monopole_of_theory)
{
    float sample[RATE / 50];
    for (size_t n = 0; n < RATE / 50; n++)
        sample[n] = (float)swing((double)n / RATE);
    write_sound("swing.wav", sample, RATE / 50, 1, RATE);
    write_text("hall.yaml", "room: hall.obj\nmaterials:\n  wall: 0.9\nfmax_hz: 300\nduration_s: 0.02\n"
                            "sources:\n- name: S\n  position: [2, 2, 2]\n");
    write_box("hall.obj", 9, 9, 9, true);
    expect_swing_of_moving("2.9,4.5,4.5;4.1,4.5,4.5", 1.6, 0.0, 30);
    expect_swing_of_moving("5.5,4.5,4.5;6.7,4.5,4.5", -1.0, 0.0, 30);
    expect_swing_of_moving("4.2,5.7,4.5;5.4,5.7,4.5", 0.3, 1.2, 30);
    expect_swing_of_moving("5.5,4.5,4.5", 1.0, 0.0, 0);
    cJSON *record = read_json("heard/walk.json");
    cr_assert(eq(dbl, number(record, "source_speed_m_s"), 30.0));
}

/* Both walk round a corner, and meet nowhere at one time. */
static void walk_both_on(const char *back_end, const char *threads, const char *out)
{
    cr_assert(setenv("OMP_NUM_THREADS", threads, 1) == 0);
    expect_status(RUN("auralise", "hall.yaml", "--walk", "1,1,1;2,1.5,1;2,2,1", "--source-walk",
                      "0.5,0.6,1.1;2.4,0.5,1.2;1,1,1", "--source-speed", "4", "--dry", "dry.wav",
                      "--ambisonics", "--backend", back_end, "-o", out),
                  0);
}

Test(walk, stepped_a_source_that_moves_is_the_same_file_on_any_back_end_and_number_of_threads)
{
    write_noise("dry.wav", 0.5, 0.0, 5);
    write_box("hall.obj", 3, 2.5, 2, true);
    write_text("hall.yaml", "room: hall.obj\nmaterials:\n  wall: 0.3\nfmax_hz: 200\nduration_s: 0.1\n"
                            "sources:\n- name: S\n  position: [0.5, 0.6, 1.1]\n");
    walk_both_on("cpu", "1", "one");
    walk_both_on("cpu", "2", "two");
    walk_both_on("reference", "2", "reference");
    cr_assert(same_file("one/walk_S_ambix.wav", "two/walk_S_ambix.wav"));
    cr_assert(same_file("one/walk_S_ambix.wav", "reference/walk_S_ambix.wav"));
    if (!back_ends_is_thorough(false) || back_ends_device() == NULL)
        return;
    walk_both_on(back_ends_word(), "2", "device");
    cr_assert(same_file("one/walk_S_ambix.wav", "device/walk_S_ambix.wav"));
}

Test(walk, what_no_source_can_walk_is_one_sentence)
{
    write_noise("dry.wav", 0.1, 0.0, 5);
    write_box("hall.obj", 3, 2.5, 2, true);
    write_text("hall.yaml", "room: hall.obj\nmaterials:\n  wall: 0.3\nfmax_hz: 200\nduration_s: 0.1\n"
                            "sources:\n- name: S\n  position: [0.5, 0.6, 1.1]\n- name: voice\n"
                            "  position: [2, 0.6, 1.1]\n  directivity: cardioid\n");
#define NO_SOURCE_WALK(words, way, ...)                                                                      \
    REFUSED(words, "auralise", "hall.yaml", "--walk", "1,1.5,1", "--dry", "dry.wav", "-o", "no",             \
            "--source-walk", way, __VA_ARGS__)
    NO_SOURCE_WALK("one source walks, but hall.yaml has several", "1,1,1;2,1,1", "--level", "true");
    NO_SOURCE_WALK("source voice cannot walk, since it is directed", "1,1,1;2,1,1", "--source", "voice");
    NO_SOURCE_WALK("looks at the place of that source, but it walks", "1,1,1;2,1,1", "--source", "S",
                   "--look", "S");
    NO_SOURCE_WALK("the source meets the listener at 1.000,1.500,1.000 m after 0.", "1,1,1;1,2,1", "--source",
                   "S");
    NO_SOURCE_WALK("--source-walk '' is not a walk: give places", "", "--source", "S");
    NO_SOURCE_WALK("--source-walk: place 2 of the walk, \"x\", is not three numbers", "1,1,1;x;2,1,1",
                   "--source", "S");
    NO_SOURCE_WALK("the source cannot walk: the walk goes through wall at 3.000,1.000", "1,1,1;4,1,1",
                   "--source", "S");
    NO_SOURCE_WALK("place \"source-walk-0\" at (4, 1, 1) m is outside the room", "4,1,1", "--source", "S");
    NO_SOURCE_WALK("--source-speed", "1,1,1;2,1,1", "--source-speed", "31");
    REFUSED("--source-speed needs a source that walks", "auralise", "hall.yaml", "--walk", "1,1,1", "-o",
            "no", "--source-speed", "3");
    REFUSED("--source-walk needs a walk", "auralise", "hall.yaml", "--source-walk", "1,1,1", "-o", "no");
}

/* A cross whose arms are 1.5 m wide. */
static void run_cross(const char *scheme, bool four_channels)
{
    const char *kind = four_channels ? "--ambisonics" : "--quiet";
    const char *look = four_channels ? "--look=B=50" : "--quiet";
    expect_status(RUN("room", "cross", "--size", "1.5", "-o", "cross.obj"), 0);
    expect_status(RUN("simulate", "cross.obj", "-o", "run", "--fmax", "355", "--scheme", scheme, "--air",
                      "off", "--absorption", "plaster_wall=0.2", "--absorption", "stone_floor=0.1",
                      "--source", "0.5,2.1,0.8,S", kind, look, "--receiver", "2.5,2.3,0.7,A", "--receiver",
                      "3,2.2,0.7,B", "--receiver", "3.5,2.1,0.7,C", "--receiver", "4,2,0.7,D", "--duration",
                      "0.5", "--quiet"),
                  0);
    write_swell("dry.wav");
}

#define WALK(way, ...)                                                                                       \
    RUN("auralise", "run", "--dry", "dry.wav", "--level", "true", "--walk", way, __VA_ARGS__)

Test(walk, stepped_or_from_responses_it_sounds_alike_within_1_dB_by_octave)
{
    run_cross("isotropic", false);
    write_noise("dry.wav", 1.0, 0.0, 5);
    expect_status(WALK("2.5,2.3,0.7;4,2,0.7", "--speed", "1.5", "-o", "responses"), 0);
    expect_status(WALK("2.5,2.3,0.7;4,2,0.7", "--speed", "1.5", "-o", "stepped", "--stepped"), 0);
    struct wav_sound one = read_sound("responses/walk_S.wav"), other = read_sound("stepped/walk_S.wav");
    for (int band = 0; band < 3; band++) {
        const double apart = octave_apart(&one, &other, octave_middle(band));
        cr_assert(test_at_most(fabs(apart), 1.0), "%g dB at %.0f Hz", apart, octave_middle(band));
    }
}

/* Of four channels, so that gradients count too; the frame of both is that of the room. Well below fmax,
 * where the low-pass of a response has no phase even so near the source. */
Test(walk, stepped_who_stands_still_hears_what_the_response_there_gives)
{
    run_cross("standard", true);
    expect_status(WALK("3,2.2,0.7", "--ambisonics", "-o", "responses"), 0);
    expect_status(WALK("3,2.2,0.7", "--ambisonics", "-o", "stepped", "--stepped"), 0);
    struct wav_sound one = read_sound("responses/walk_S_ambix.wav"),
                     other = read_sound("stepped/walk_S_ambix.wav");
    const double apart = difference(&one, &other);
    cr_assert(test_at_most(apart, 0.02), "%g of the peak", apart);
}

static void walk_on(const char *back_end, const char *air, const char *out)
{
    expect_status(RUN("auralise", "hall.yaml", "--walk", "1,1,1;2,1.5,1;2,2,1", "--dry", "dry.wav",
                      "--ambisonics", "--progress", "json", "--backend", back_end, "--air", air, "-o", out),
                  0);
    expect_words("err", "{\"phase\":\"steps\",\"fraction\":1,\"seconds_left\":0,\"variant\":null,\"source\":"
                        "\"S\",\"level_db\":");
    expect_words(
        "err",
        "{\"phase\":\"record\",\"fraction\":1,\"seconds_left\":null,\"variant\":null,\"source\":null}");
}

Test(walk, stepped_on_any_back_end_it_is_the_same_file)
{
    write_noise("dry.wav", 0.5, 0.0, 5);
    write_box("hall.obj", 3, 2.5, 2, true);
    write_text("hall.yaml", "room: hall.obj\nmaterials:\n  wall: 0.3\nfmax_hz: 200\nduration_s: 0.1\n"
                            "sources:\n- name: S\n  position: [0.5, 0.6, 1.1]\n");
    walk_on("cpu", "modal", "cpu");
    walk_on("reference", "modal", "reference");
    walk_on("cpu", "off", "off");
    cr_assert(same_file("cpu/walk_S_ambix.wav", "reference/walk_S_ambix.wav"));
    cr_assert(same_file("cpu/walk_S_ambix.wav", "off/walk_S_ambix.wav") == false);
    if (!back_ends_is_thorough(false) || back_ends_device() == NULL)
        return;
    walk_on(back_ends_word(), "modal", "device");
    cr_assert(same_file("cpu/walk_S_ambix.wav", "device/walk_S_ambix.wav"));
}

static void walk_project(const char *more_of_source, const char *more, const char *out)
{
    char text[600];
    (void)snprintf(text, sizeof text,
                   "room: hall.obj\nmaterials:\n  wall: 0.3\nfmax_hz: 200\nduration_s: 0.1\n%ssources:\n"
                   "- name: S\n  position: [0.5, 0.6, 1.1]\n%sreceivers:\n- name: P\n"
                   "  position: [0.5, 2, 1.1]\n",
                   more, more_of_source);
    write_text("hall.yaml", text);
    expect_status(RUN("auralise", "hall.yaml", "--walk", "1,1,1;2,1.5,1", "--dry", "dry.wav", "-o", out), 0);
}

Test(walk, stepped_a_project_keeps_where_it_aims_and_no_points_of_another_scheme)
{
    write_noise("dry.wav", 0.1, 0.0, 5);
    write_box("hall.obj", 3, 2.5, 2, true);
    walk_project("  directivity: cardioid\n  aim: P\n", "", "at_receiver");
    walk_project("  directivity: cardioid\n  aim: [90, 0]\n", "", "along_y");
    walk_project("  directivity: cardioid\n", "points_per_wavelength: 6\n", "at_middle");
    cr_assert(same_file("at_receiver/walk_S.wav", "along_y/walk_S.wav"));
    cr_assert(same_file("at_middle/walk_S.wav", "along_y/walk_S.wav"));
}

Test(walk, stepped_what_is_too_faint_for_a_loudness_says_why)
{
    write_noise("dry.wav", 0.1, 0.0, 5);
    write_box("hall.obj", 3, 2.5, 2, true);
    walk_project("", "", "loud");
    write_sound("dry.wav", (const float[]){1e-6F}, 1, 1, RATE);
    expect_status(
        RUN("auralise", "hall.yaml", "--walk", "1,1,1", "--dry", "dry.wav", "-o", "faint", "--level", "true"),
        0);
    expect_words("out", "s  -  peak");
    cJSON *record = read_json("faint/walk.json");
    cr_assert(eq(str, (char *)record_text(record, "files.0.loudness_why"), (char *)LOUDNESS_WHY));
}

Test(walk, what_cannot_be_walked_is_one_sentence)
{
#define AT_REST                   "3,2.2,0.7"
#define NO_WALK(words, what, ...) REFUSED(words, "auralise", what, "--walk", __VA_ARGS__)
    run_cross("isotropic", false);
    NO_WALK("goes through plaster_wall at 3.500,3.000,0.700 m, 0.80 m from its start", "run",
            "3.5,2.2,0.7;3.5,4,0.7");
    NO_WALK("goes through plaster_wall at 3.500,3.000", "run", "3.5,2.2,0.7;3.5,4,0.7", "--stepped");
    NO_WALK("is outside the room", "run", "9,9,9", "--stepped");
    NO_WALK("from the nearest response", "run", "2.5,2.2,0.7;0.3,2.2,0.7");
    NO_WALK("inside a wall, or one is between it and each of 4 responses", "run", "3.5,4,0.7");
    NO_WALK("--speed", "run", "2.5,2.2,0.7;3,2.2,0.7", "--speed", "40");
    REFUSED("--stepped needs a walk", "auralise", "run", "--stepped");
    NO_WALK("--source-walk is only for a walk with --stepped", "run", AT_REST, "--source-walk", AT_REST);
    NO_WALK("--backend is only for a walk with --stepped", "run", AT_REST, "--backend", "cpu");
    NO_WALK("--look nave is neither", "run", AT_REST, "--look", "nave");
    NO_WALK("has no source called flute", "run", AT_REST, "--stepped", "--source", "flute");
    NO_WALK("give -o DIR", "cross.obj", AT_REST);
    NO_WALK("give -o DIR", "run", AT_REST, "-o", "walk.wav");
    NO_WALK("no file or folder nope", "nope", AT_REST, "-o", "walk");
    NO_WALK("but dry.wav is a sound", "dry.wav", AT_REST, "-o", "walk");
    NO_WALK("give --fmax", "cross.obj", AT_REST, "-o", "walk");
    NO_WALK("no response with four channels", "run", AT_REST, "--ambisonics");
    cr_assert(eq(int, access("run/walk.json", F_OK), -1));
}
