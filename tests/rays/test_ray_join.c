/* Waves and rays in one response: levels at the join, direct sound, what waves and rays differ by. */
#include <complex.h>
#include <string.h>

#include "src/rays/ray_join.h"
#include "src/rays/ray_room.h"
#include "src/response/diffuse/random_sound.h"
#include "src/response/acoustics/band_energy.h"
#include "src/response/signal/fourier.h"
#include "src/response/signal/low_pass.h"
#include "src/response/signal/noise.h"
#include "src/response/signal/response.h"
#include "tests/rays/ray_decays.h"

#define FMAX 1420.0

/* As a run has it: nothing changes up to fmax, nothing is left above. */
static void low_pass(const float *sample, size_t count, float *out)
{
    const size_t length = fourier_length(2 * count);
    double complex *const value = test_keep(calloc(length, sizeof *value));
    struct fourier fourier;
    MUST(fourier_make(length, &fourier, &failure));
    for (size_t n = 0; n < count; n++)
        value[n] = (double)sample[n];
    fourier_forward(&fourier, value);
    for (size_t k = 0; k < length; k++) {
        const double f = (double)(k <= length / 2 ? k : length - k) * RESPONSE_RATE / (double)length;
        const double x = (f / FMAX - 1) / (LOW_PASS_STOP_RATIO - 1);
        value[k] *= 0.5 + 0.5 * cos(TEST_PI * fmin(fmax(x, 0), 1));
    }
    fourier_inverse(&fourier, value);
    for (size_t n = 0; n < count; n++)
        out[n] = (float)creal(value[n]);
    fourier_free(&fourier);
}

/* Gaussian noise of the energy 1 that falls by 60 dB in `time` [s] from `start` [s] on. */
static void draw_decay(struct noise *noise, double start, double time, size_t count, float *out)
{
    const double fall = log(1e6) / (time * RESPONSE_RATE);
    const size_t first = (size_t)(start * RESPONSE_RATE);
    for (size_t n = 0; n < count; n++)
        out[n] =
            n < first
                ? 0
                : (float)(sqrt(-expm1(-fall)) * exp(-fall * (double)(n - first) / 2) * noise_normal(noise));
}

static double energy_of(const float *sample, size_t count, int octave)
{
    struct band_energy energy;
    MUST(band_energy_make(BANDS_OCTAVE, sample, 0, count, RESPONSE_RATE, 20000, 0, &energy, &failure));
    return energy.energy[octave];
}

/* The direct sound has a third of the energy of the decay. The join is in the octave of 1 kHz; the one below
 * is that of the waves. */
Test(ray_join, octaves_at_the_join_have_their_level)
{
    enum { DECAYS = 60, COUNT = RESPONSE_RATE, DIRECT = 840, OCTAVE = 4 };
    static const double time[RAY_OCTAVES] = {1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2};
    static float truth[COUNT], wave[COUNT], random[COUNT], coherent[COUNT], out[COUNT];
    const struct test_decay decay = test_decay_make(0.001, 1, 0.02, 1, time);
    struct random_sound_task task = {.bin = decay.bin,
                                     .bins = decay.bins,
                                     .energy = &decay.energy[0][0],
                                     .volume = 500,
                                     .sound_speed = 343};
    const struct ray_join_parts parts = {FMAX, 1, 1, COUNT, wave, random, coherent};
    struct noise noise = noise_start(38);
    double joined[2] = {0}, whole[2] = {0};
    coherent[DIRECT] = (float)sqrt(1.0 / 3);
    for (task.seed = 0; task.seed < DECAYS; task.seed++) {
        draw_decay(&noise, 0.02, time[0], COUNT, truth);
        truth[DIRECT] += coherent[DIRECT];
        low_pass(truth, COUNT, wave);
        MUST(random_sound_make(&task, COUNT, random, &failure));
        MUST(ray_join_make(&parts, COUNT, out, &failure));
        for (int i = 0; i < 2; i++) {
            joined[i] += energy_of(out, COUNT, OCTAVE - i);
            whole[i] += energy_of(truth, COUNT, OCTAVE - i);
        }
    }
    for (int i = 0; i < 2; i++) {
        const double level = 10 * log10(joined[i] / whole[i]);
        cr_assert(lt(dbl, fabs(level), 0.05), "octave %d: %g dB", OCTAVE - i, level);
    }
}

Test(ray_join, sound_that_waves_and_paths_have_alike_is_exact)
{
    enum { COUNT = 8192, DIRECT = 3000 };
    static float wave[COUNT], random[COUNT], coherent[COUNT], out[COUNT];
    coherent[DIRECT] = 0.25F;
    low_pass(coherent, COUNT, wave);
    const struct ray_join_parts parts = {FMAX, 1, 1, COUNT, wave, random, coherent};
    MUST(ray_join_make(&parts, COUNT, out, &failure));
    struct fourier fourier;
    MUST(fourier_make(COUNT, &fourier, &failure));
    static double complex value[COUNT];
    for (size_t n = 0; n < COUNT; n++)
        value[n] = (double)out[n];
    fourier_forward(&fourier, value);
    fourier_free(&fourier);
    for (size_t k = 0; k <= COUNT / 2; k++) {
        const double turn = 2 * TEST_PI * (double)k * DIRECT / COUNT;
        const double complex step = value[k] / (0.25 * cexp(-I * turn));
        cr_assert(lt(dbl, cabs(step - 1), 1e-4), "line %zu: %g", k, cabs(step - 1)); /* 1e-3 dB */
    }
}

Test(ray_join, channels_are_joined_each_for_itself_and_without_waves_where_there_are_none)
{
    enum { COUNT = 4096, CHANNELS = 3, WAVES = 2, SHORT = 3000 };
    static float wave[SHORT][WAVES], random[COUNT][CHANNELS], coherent[COUNT][CHANNELS], out[COUNT][CHANNELS];
    static float one[3][COUNT], alone[COUNT];
    struct noise noise = noise_start(7);
    for (size_t n = 0; n < COUNT; n++)
        for (size_t c = 0; c < CHANNELS; c++) {
            if (n < SHORT && c < WAVES)
                wave[n][c] = (float)noise_normal(&noise);
            random[n][c] = (float)noise_normal(&noise);
            coherent[n][c] = (float)noise_normal(&noise);
        }
    const struct ray_join_parts parts = {FMAX,        CHANNELS,      WAVES,          SHORT,
                                         &wave[0][0], &random[0][0], &coherent[0][0]};
    MUST(ray_join_make(&parts, COUNT, &out[0][0], &failure));
    for (size_t c = 0; c < CHANNELS; c++) {
        for (size_t n = 0; n < COUNT; n++) {
            one[0][n] = n < SHORT && c < WAVES ? wave[n][c] : 0;
            one[1][n] = random[n][c];
            one[2][n] = coherent[n][c];
        }
        const struct ray_join_parts of_one = {FMAX, 1, 1, COUNT, one[0], one[1], one[2]};
        MUST(ray_join_make(&of_one, COUNT, alone, &failure));
        for (size_t n = 0; n < COUNT; n++)
            cr_assert(epsilon_eq(flt, out[n][c], alone[n], 1e-5F), "channel %zu, sample %zu", c, n);
    }
}

/* ---- what it is worth ---- */

Test(ray_join, the_octave_of_the_join_is_the_highest_that_waves_hold_whole)
{
    cr_assert(eq(int, ray_join_octave(80), -1));
    cr_assert(eq(int, ray_join_octave(177), 1));
    cr_assert(eq(int, ray_join_octave(1390), 3));
    cr_assert(eq(int, ray_join_octave(1420), 4));
}

Test(ray_join, rays_are_compared_with_waves_by_t30_or_else_t20)
{
    struct band_figures waves = {.times = {.t20 = 1, .t30 = 2}, .g = 12};
    struct ray_figures rays;
    rays.value[FIGURE_G][4] = 12.5;
    rays.value[FIGURE_T20][4] = 1.1;
    rays.value[FIGURE_T30][4] = 1.9;
    struct ray_join_difference pair = ray_join_compare(&waves, &rays, 4);
    cr_assert(epsilon_eq(dbl, pair.level, 0.5, 1e-12));
    cr_assert(epsilon_eq(dbl, pair.decay, -1, 1e-12));
    cr_assert(epsilon_eq(dbl, pair.rate, log(1e6) * (1 / 2.0 - 1 / 1.9), 1e-12));
    waves.times.t30 = NAN;
    pair = ray_join_compare(&waves, &rays, 4);
    cr_assert(epsilon_eq(dbl, pair.decay, 2, 1e-12));
    waves.times.t20 = NAN;
    cr_assert(isnan(ray_join_compare(&waves, &rays, 4).decay));
}

Test(ray_join, a_check_has_the_means_of_all_pairs_and_says_when_they_are_far_apart)
{
    struct ray_join_difference pair[3] = {{1, 4, 0}, {NAN, 2, 0}, {2.5, -3, 0}};
    struct ray_join_check check = ray_join_check_make(pair, 3);
    cr_assert(eq(sz, check.levels, 2));
    cr_assert(epsilon_eq(dbl, check.level, 1.75, 1e-12));
    cr_assert(epsilon_eq(dbl, check.decay, 1, 1e-12));
    cr_assert(not(check.far_apart));
    pair[1].level = -8;
    cr_assert(not(ray_join_check_make(pair, 3).far_apart));
    pair[1].level = -10;
    cr_assert(ray_join_check_make(pair, 3).far_apart);
    pair[1] = (struct ray_join_difference){NAN, 9, 0};
    cr_assert(ray_join_check_make(pair, 3).far_apart);
    check = ray_join_check_make(pair, 0);
    cr_assert(isnan(check.level) && isnan(check.decay) && !check.far_apart);
}

Test(ray_join, the_decay_of_rays_is_corrected_by_one_over_the_frequency_unless_scattering_explains_it)
{
    double even[RAY_OCTAVES], uneven[RAY_OCTAVES];
    ray_join_decay(3, 0, 3, even);
    ray_join_decay(3, 3 * RAY_JOIN_SPREAD, 3, uneven);
    for (int o = 0; o < RAY_OCTAVES; o++) {
        cr_assert(epsilon_eq(dbl, even[o], o <= 3 ? 3 : 3 * pow(10, -0.3 * (o - 3)), 1e-12), "octave %d", o);
        cr_assert(epsilon_eq(dbl, uneven[o], even[o] / 10, 1e-12), "octave %d", o);
    }
    ray_join_decay(3, NAN, 3, even);
    cr_assert(eq(dbl, even[8], 0));
}

Test(ray_join, a_corrected_energy_has_the_decay_of_the_waves)
{
    enum { BINS = 1500 };
    const double bin = 0.002, rate = log(1e6) * (1 / 0.8 - 1), none[RAY_OCTAVES] = {0};
    double rates[RAY_OCTAVES];
    struct ray_figures figures;
    struct ray_energy energy = {.receivers = 1, .bins = BINS, .bin = bin, .rays = 1};
    energy.sum = calloc(RAY_PARTS * BINS * RAY_OCTAVES, sizeof *energy.sum);
    cr_assert(energy.sum != NULL);
    for (size_t b = 0; b < BINS; b++)
        for (int o = 0; o < RAY_OCTAVES; o++)
            energy.sum[b * RAY_OCTAVES + (size_t)o] =
                llrint(RAY_UNIT * exp(-log(1e6) * bin * ((double)b + 0.5)));
    for (int o = 0; o < RAY_OCTAVES; o++)
        rates[o] = o == 3 ? rate : 0;
    ray_energy_correct(&energy, none, rates);
    MUST(ray_figures_make(&energy, RAY_PARTS, 0, &figures, &failure));
    cr_assert(epsilon_eq(dbl, figures.value[FIGURE_T30][3], 0.8, 1e-4));
    cr_assert(epsilon_eq(dbl, figures.value[FIGURE_T30][4], 1, 1e-4));
    free(energy.sum);
}

Test(ray_join, the_error_of_the_join_is_the_rms_of_the_pairs_that_have_a_figure)
{
    const struct band_figures one = {.times = {.t30 = 2, .edt = 1}, .c80 = 3, .g = 10},
                              two = {.times = {.t30 = NAN, .edt = 1}, .c80 = 3, .g = 10};
    const struct band_figures *const waves[] = {&one, &two};
    struct ray_figures rays[2] = {0};
    double error[PRESSURE_FIGURES];
    rays[0].value[FIGURE_T30][3] = 2.3; /* 3 JND of 5 % */
    rays[1].value[FIGURE_T30][3] = 9;
    rays[0].value[FIGURE_C80][3] = 4; /* 1 dB each */
    rays[1].value[FIGURE_C80][3] = -4;
    ray_join_errors(waves, rays, 2, 3, error);
    cr_assert(epsilon_eq(dbl, error[FIGURE_T30], 3, 1e-12));
    cr_assert(epsilon_eq(dbl, error[FIGURE_C80], sqrt((1 + 49) / 2.0), 1e-12));
    ray_join_errors(waves, rays, 0, 3, error);
    cr_assert(eq(dbl, error[FIGURE_G], 0));
}

/* 3-4-5: spread and what is random. */
Test(ray_join, an_error_bar_has_the_larger_of_interference_and_the_difference_from_waves)
{
    struct ray_figures set[5] = {0};
    const struct ray_room room = {.places = 1};
    struct ray_result result = {
        .figures = &set[0], .noise = &set[1], .chance = &set[2], .spread = &set[3], .error = &set[4]};
    double join[PRESSURE_FIGURES] = {0};
    set[3].value[FIGURE_G][5] = 3 * 1.645;
    set[2].value[FIGURE_G][5] = 4;
    join[FIGURE_G] = 1;
    ray_room_widen(&room, join, &result);
    cr_assert(epsilon_eq(dbl, set[4].value[FIGURE_G][5], 5 * 1.645, 1e-12));
    set[2].value[FIGURE_G][5] = 1;
    join[FIGURE_G] = 4;
    ray_room_widen(&room, join, &result);
    cr_assert(epsilon_eq(dbl, set[4].value[FIGURE_G][5], 5 * 1.645, 1e-12));
    ray_room_widen(&room, NULL, &result);
    cr_assert(epsilon_eq(dbl, set[4].value[FIGURE_G][5], 1.645 * sqrt(10), 1e-12));
}

Test(ray_join, the_level_of_rays_is_corrected_by_one_over_the_frequency)
{
    double out[RAY_OCTAVES];
    ray_join_correction(2, 4, out);
    const double ratio = pow(10, -0.3);
    for (int o = 0; o < RAY_OCTAVES; o++)
        cr_assert(epsilon_eq(dbl, out[o], o <= 4 ? -2 : -2 * pow(ratio, o - 4), 1e-12), "octave %d", o);
    ray_join_correction(NAN, 4, out);
    cr_assert(eq(dbl, out[8], 0));
}
