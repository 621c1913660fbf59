/* Random sound of given energies: its figures, its spectrum, its scatter, its directions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/scheme/solid_harmonics.h"
#include "src/response/diffuse/random_sound.h"
#include "src/response/acoustics/band_energy.h"
#include "src/response/signal/fourier.h"
#include "src/response/signal/response.h"
#include "tests/rays/ray_decays.h"

#define LIMIT 22500.0 /* of frequencies in figures [Hz] */

static struct random_sound_task task_of(const struct test_decay *decay)
{
    return (struct random_sound_task){.bin = decay->bin,
                                      .bins = decay->bins,
                                      .energy = &decay->energy[0][0],
                                      .volume = 2000,
                                      .sound_speed = 343,
                                      .seed = 1};
}

static float *sound_of(const struct random_sound_task *task, size_t count)
{
    float *const out = test_keep(calloc(count * random_sound_channels(task), sizeof *out));
    MUST(random_sound_make(task, count, out, &failure));
    return out;
}

/* ---- figures ---- */

/* From 500 Hz on, where one draw scatters little. Times of neighbouring octaves differ little, since the
 * octave filters of figures pass some of each neighbour. */
Test(random_sound, figures_of_many_draws_are_those_of_the_energies)
{
    enum { SEEDS = 40, FIRST = 3, COUNT = 2 * RESPONSE_RATE };
    static const enum figure figure[] = {FIGURE_T30, FIGURE_EDT, FIGURE_C80, FIGURE_D50, FIGURE_G};
    static const double time[RAY_OCTAVES] = {1.6, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1.0, 0.9};
    const struct test_decay decay = test_decay_make(0.002, 2, 0.02, 0.1, time);
    const double direct = 0.02, arrival = 840.0 / RESPONSE_RATE;
    struct ray_figures expected;
    test_decay_figures(&decay, direct, arrival, &expected);
    struct random_sound_task task = task_of(&decay);
    double bias[5][RAY_OCTAVES] = {{0}}, square[5][RAY_OCTAVES] = {{0}};
    for (task.seed = 0; task.seed < SEEDS; task.seed++) {
        float *const sound = sound_of(&task, COUNT);
        sound[840] += (float)sqrt(direct);
        struct acoustic_figures found;
        MUST(acoustic_figures_make(sound, COUNT, RESPONSE_RATE, LIMIT, arrival, FIGURES_REFERENCE, &found,
                                   &failure));
        for (int f = 0; f < 5; f++)
            for (int o = FIRST; o < RAY_OCTAVES; o++) {
                const double step = ray_figure_steps(figure[f], expected.value[figure[f]][o],
                                                     acoustic_figure_of(&found.octave[o], figure[f]));
                bias[f][o] += step / SEEDS;
                square[f][o] += step * step / SEEDS;
            }
    }
    for (int f = 0; f < 5; f++) {
        double mean = 0;
        for (int o = FIRST; o < RAY_OCTAVES; o++) {
            const double sure = sqrt((square[f][o] - bias[f][o] * bias[f][o]) / SEEDS);
            mean += bias[f][o] / (RAY_OCTAVES - FIRST);
            cr_assert(lt(dbl, fabs(bias[f][o]), 0.2 + 2 * sure), "%s of octave %d: %g JND",
                      figure_kind[figure[f]].word, o, bias[f][o]);
        }
        cr_assert(lt(dbl, fabs(mean), 0.1), "%s: %g JND", figure_kind[figure[f]].word, mean);
    }
}

Test(random_sound, octaves_go_on_after_the_last_bin_with_their_decay)
{
    enum { COUNT = RESPONSE_RATE, END = RESPONSE_RATE * 2 / 5, FIRST = 3 };
    static const double time[RAY_OCTAVES] = {0.8, 0.8, 0.8, 0.8, 0.7, 0.7, 0.6, 0.6, 0.6};
    const struct test_decay decay = test_decay_make(0.002, 0.4, 0.02, 1, time);
    const struct random_sound_task task = task_of(&decay);
    const float *const sound = sound_of(&task, COUNT);
    for (int o = FIRST; o < RAY_OCTAVES - 1; o++) {
        const size_t step = RESPONSE_RATE / 4;
        struct band_energy early, late;
        MUST(band_energy_make(BANDS_OCTAVE, sound + END, 0, step, RESPONSE_RATE, LIMIT, 0, &early, &failure));
        MUST(band_energy_make(BANDS_OCTAVE, sound + END + step, 0, step, RESPONSE_RATE, LIMIT, 0, &late,
                              &failure));
        const double fall = 10 * log10(early.energy[o] / late.energy[o]);
        cr_assert(lt(dbl, fabs(fall - 60 * 0.25 / time[o]), 3), "octave %d: %g dB", o, fall);
    }
}

/* ---- scatter ---- */

/* Of octaves that fall slowly beside their filters, from 250 Hz on: 1 / (B t), the variance over the square
 * of the energy of Gaussian noise: B of the octave filter, t = 2 tau of exp(-t / tau). */
static double interference_floor(double centre, double time)
{
    double sum = 0, square = 0;
    for (double f = 1; f < LIMIT; f++) {
        const double power = band_energy_passed(BANDS_OCTAVE, f, centre);
        sum += power;
        square += power * power;
    }
    return square / (sum * sum) * log(1e6) / (2 * time);
}

Test(random_sound, energies_of_single_draws_scatter_as_those_of_gaussian_noise)
{
    enum { SEEDS = 200, FIRST = 2, COUNT = RESPONSE_RATE / 2 };
    static const double time[RAY_OCTAVES] = {0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3};
    const struct test_decay decay = test_decay_make(0.001, 0.5, 0.02, 1, time);
    struct random_sound_task task = task_of(&decay);
    task.volume = 1;
    double ratio[RAY_OCTAVES] = {0};
    for (task.seed = 0; task.seed < SEEDS; task.seed++) {
        struct band_energy found;
        MUST(band_energy_make(BANDS_OCTAVE, sound_of(&task, COUNT), 0, COUNT, RESPONSE_RATE, LIMIT, 0, &found,
                              &failure));
        for (int o = 0; o < RAY_OCTAVES; o++) {
            const double centre = ray_octave_centre(o);
            const double of_one = band_energy_of_impulse(BANDS_OCTAVE, centre, RESPONSE_RATE, LIMIT);
            ratio[o] += pow(found.energy[o] / of_one - 1, 2) / interference_floor(centre, 0.3) / SEEDS;
        }
    }
    double mean = 0;
    for (int o = FIRST; o < RAY_OCTAVES; o++) {
        mean += ratio[o] / (RAY_OCTAVES - FIRST);
        cr_assert(lt(dbl, fabs(ratio[o] - 1), 0.35), "octave %d: %g", o, ratio[o]);
    }
    cr_assert(lt(dbl, fabs(mean - 1), 0.15), "%g", mean);
}

/* ---- spectrum and envelope ---- */

/* Third octaves from 31 Hz up, those at the borders of octaves among them. */
Test(random_sound, equal_energies_have_a_flat_spectrum)
{
    enum { SEEDS = 60, COUNT = RESPONSE_RATE, BANDS = 28 };
    static const double time[RAY_OCTAVES] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const struct test_decay decay = test_decay_make(0.001, 1, 0.02, 1, time);
    struct random_sound_task task = task_of(&decay);
    const size_t length = fourier_length(COUNT);
    struct fourier fourier;
    MUST(fourier_make(length, &fourier, &failure));
    double complex *const value = test_keep(calloc(length, sizeof *value));
    double power[BANDS] = {0}, lines[BANDS] = {0};
    for (task.seed = 0; task.seed < SEEDS; task.seed++) {
        const float *const sound = sound_of(&task, COUNT);
        for (size_t n = 0; n < length; n++)
            value[n] = n < COUNT ? (double)sound[n] : 0;
        fourier_forward(&fourier, value);
        for (size_t k = 1; k < length / 2; k++) {
            const double band = 3 * log2((double)k * RESPONSE_RATE / (double)length / 31.25);
            if (band >= 0 && band < BANDS) {
                power[(int)band] += pow(cabs(value[k]), 2);
                lines[(int)band]++;
            }
        }
    }
    fourier_free(&fourier);
    for (int b = 0; b < BANDS; b++) {
        const double level = 10 * log10(power[b] / lines[b]);
        /* Of noise: 1 / (B t), B .23 of the middle and t .145 s, in dB. */
        const double sure = 10 / log(10) / sqrt(SEEDS * 0.23 * 0.145 * 31.25 * pow(2, (b + 0.5) / 3));
        cr_assert(lt(dbl, fabs(level), 0.05 + 3 * sure), "third octave %d: %g dB", b, level);
    }
}

/* Steps between bins would be a saw tooth of 7 % at the rate of bins, 4.4 % its fundamental. */
Test(random_sound, energy_has_no_modulation_at_the_rate_of_bins)
{
    enum { SEEDS = 200, COUNT = RESPONSE_RATE / 4, PERIOD = 96 };
    static const double time[RAY_OCTAVES] = {0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2};
    const struct test_decay decay = test_decay_make(0.002, 0.25, 0.02, 1, time);
    struct random_sound_task task = task_of(&decay);
    double complex wave = 0;
    double sum = 0;
    for (task.seed = 0; task.seed < SEEDS; task.seed++) {
        const float *const sound = sound_of(&task, COUNT);
        for (size_t n = COUNT / 5; n < COUNT - PERIOD; n++) {
            const double energy = pow((double)sound[n], 2) * exp(log(1e6) * (double)n / RESPONSE_RATE / 0.2);
            sum += energy;
            wave += 2 * energy * cexp(2 * TEST_PI * I * (double)n / PERIOD);
        }
    }
    cr_assert(lt(dbl, cabs(wave) / sum, 0.015));
}

/* In a large room events stand apart at first: clicks of the highest octave are counted. */
Test(random_sound, events_are_as_dense_as_reflections_in_a_room)
{
    enum { SEEDS = 200, FIRST = 2880, LAST = 3840, COUNT = LAST + 100, APART = 12 };
    static const double time[RAY_OCTAVES] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const struct test_decay decay = test_decay_make(0.002, 0.1, 0, 1, time);
    for (size_t b = 0; b < decay.bins; b++)
        memset(decay.energy[b], 0, (RAY_OCTAVES - 1) * sizeof(double));
    struct random_sound_task task = task_of(&decay);
    task.volume = 20000;
    size_t events = 0;
    for (task.seed = 0; task.seed < SEEDS; task.seed++) {
        const float *const sound = sound_of(&task, COUNT);
        float most = 0;
        for (size_t n = FIRST; n < LAST; n++)
            most = fmaxf(most, fabsf(sound[n]));
        /* Without an event there is nothing but the ringing of those before and after. */
        for (size_t n = FIRST, last = 0; n < LAST && most > 0.05F; n++)
            if (fabsf(sound[n]) > 0.2F * most) {
                events += n > last + APART;
                last = n;
            }
    }
    const double from = (double)FIRST / RESPONSE_RATE, to = (double)LAST / RESPONSE_RATE;
    const double expected =
        SEEDS * 4 * TEST_PI * pow(343, 3) / (3 * task.volume) * (to * to * to - from * from * from);
    cr_assert(epsilon_eq(dbl, (double)events / expected, 1, 0.15), "%zu, not %g", events, expected);
}

Test(random_sound, a_seed_gives_the_same_sound_again_and_another_seed_another)
{
    enum { COUNT = 4800 };
    static const double time[RAY_OCTAVES] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const struct test_decay decay = test_decay_make(0.001, 0.1, 0.02, 1, time);
    struct random_sound_task task = task_of(&decay);
    const float *const one = sound_of(&task, COUNT), *const again = sound_of(&task, COUNT);
    task.seed++;
    const float *const other = sound_of(&task, COUNT);
    cr_assert(eq(int, memcmp(one, again, COUNT * sizeof *one), 0));
    double product = 0, square = 0;
    for (size_t n = 0; n < COUNT; n++) {
        product += (double)one[n] * (double)other[n];
        square += pow((double)one[n], 2);
    }
    cr_assert(lt(dbl, fabs(product) / square, 0.1));
}

/* ---- directions ---- */

static double channel_energy(const float *sound, size_t count, size_t channels, size_t one, size_t other)
{
    double sum = 0;
    for (size_t n = 0; n < count; n++)
        sum += (double)sound[n * channels + one] * (double)sound[n * channels + other];
    return sum;
}

/* Octaves up to 500 Hz from one cell, those above from another: each is a plane wave of its direction, the
 * front turned away. */
Test(random_sound, events_of_a_cell_come_from_its_direction)
{
    enum { COUNT = RESPONSE_RATE / 2, CHANNELS = 16, BINS = 250 };
    static const double time[RAY_OCTAVES] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const double toward[3][3] = {{0.6, 0, 0.8}, {0, 0, 1}, {0.48, -0.64, 0.6}};
    static float from[BINS][2][3];
    struct test_decay decay = test_decay_make(0.002, 0.5, 0.02, 1, time);
    for (size_t b = 0; b < BINS; b++)
        from[b][0][0] = from[b][1][2] = 3;
    const struct sound_directions directions = {
        3, &toward[0][0], 2, {0, 0, 0, 0, 1, 1, 1, 1, 1}, &from[0][0][0]};
    for (int group = 0; group < 2; group++) {
        double(*const energy)[RAY_OCTAVES] = test_keep(calloc(BINS, sizeof *energy));
        for (size_t b = 0; b < BINS; b++)
            for (int o = 0; o < RAY_OCTAVES; o++)
                energy[b][o] = (o >= 4) == group ? decay.energy[b][o] : 0;
        struct random_sound_task task = task_of(&decay);
        task.energy = &energy[0][0];
        task.order = 3;
        task.directions = &directions;
        task.front = 90;
        const float *const sound = sound_of(&task, COUNT);
        task.order = 0;
        const float *const alone = sound_of(&task, COUNT);
        const double *const d = toward[2 * group], turned[3] = {d[1], -d[0], d[2]};
        double harmonic[HARMONICS];
        solid_harmonics(turned, harmonic);
        for (size_t n = 0; n < COUNT; n++)
            for (int h = 0; h < CHANNELS; h++)
                cr_assert(
                    epsilon_eq(dbl, (double)sound[n * CHANNELS + (size_t)h],
                               (double)alone[n] * harmonic[h] / harmonic[0] / sqrt(2 * harmonic_order(h) + 1),
                               1e-6),
                    "sample %zu, channel %d", n, h);
    }
}

/* Channels of order n have 1 / (2 n + 1) of the energy, and none has to do with another. */
Test(random_sound, sound_from_everywhere_has_the_energies_of_a_diffuse_field)
{
    enum { COUNT = RESPONSE_RATE, CHANNELS = 4, BINS = 500, CELLS = 6, SEEDS = 8 };
    static const double time[RAY_OCTAVES] = {2, 2, 2, 2, 2, 2, 2, 2, 2};
    static const double toward[CELLS][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                            {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    static float from[BINS][CELLS];
    const struct test_decay decay = test_decay_make(0.002, 1, 0.02, 1, time);
    for (size_t b = 0; b < BINS; b++)
        for (size_t c = 0; c < CELLS; c++)
            from[b][c] = 0.5F;
    const struct sound_directions directions = {CELLS, &toward[0][0], 1, {0}, &from[0][0]};
    struct random_sound_task task = task_of(&decay);
    task.volume = 20;
    task.order = 1;
    task.directions = &directions;
    double energy[CHANNELS][CHANNELS] = {{0}};
    for (task.seed = 0; task.seed < SEEDS; task.seed++) {
        const float *const sound = sound_of(&task, COUNT);
        for (size_t i = 0; i < CHANNELS; i++)
            for (size_t j = 0; j < CHANNELS; j++)
                energy[i][j] += channel_energy(sound, COUNT, CHANNELS, i, j);
    }
    for (size_t i = 0; i < CHANNELS; i++)
        for (size_t j = 0; j < CHANNELS; j++) {
            cr_assert(epsilon_eq(dbl, energy[i][j] / energy[0][0], i != j ? 0 : i ? 1.0 / 3 : 1, 0.02));
        }
}
