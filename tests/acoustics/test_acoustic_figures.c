/* C50, C80, D50, Ts and G of responses whose figures are known: to a tenth of a just noticeable difference.
 */
#include "src/response/acoustics/acoustic_figures.h"
#include "src/response/acoustics/band_energy.h"
#include "tests/support/sounds.h"
#include "tests/support/test_support.h"

#define PI     3.14159265358979323846
#define RATE   48000.0
#define OF_JND 0.1 /* of a just noticeable difference */
#define TOP    11360.0

static struct acoustic_figures figures_of(const float *sample, size_t count, double rate, double highest,
                                          double onset, double reference)
{
    struct acoustic_figures out;
    MUST(acoustic_figures_make(sample, count, rate, highest, onset, reference, &out, &failure));
    return out;
}

/* What every octave's figures must be. */
struct wanted {
    double c50, c80, d50, ts, g;
};

static void check(const struct band_figures *found, struct wanted wanted, const char *what, double t)
{
    cr_expect(test_near(found->c50, wanted.c50, OF_JND * JND_CLARITY) &&
                  test_near(found->c80, wanted.c80, OF_JND * JND_CLARITY) &&
                  test_near(found->d50, wanted.d50, OF_JND * JND_D50) &&
                  test_near(found->ts, wanted.ts, OF_JND * JND_TS) &&
                  test_near(found->g, wanted.g, OF_JND * JND_G),
              "%s %g s, %g Hz: C50 %g for %g, C80 %g for %g, D50 %g for %g, Ts %g for %g, G %g for %g; %s",
              what, t, found->times.centre, found->c50, wanted.c50, found->c80, wanted.c80, found->d50,
              wanted.d50, found->ts, wanted.ts, found->g, wanted.g, found->why);
    cr_expect(found->why[0] == '\0', "%s", found->why);
}

/* ---- pulses: the sums are those of a few squares, in every octave ---- */

/* Modified Bessel function of order 0, for Kaiser's window. */
static double bessel(double x)
{
    double term = 1, sum = 1;
    for (int k = 1; k < 40; k++) {
        term *= 0.25 * x * x / (k * k);
        sum += term;
    }
    return sum;
}

/* A pulse of |X| = `amplitude` up to `highest` at a moment between two samples, as the low-pass of a run
 * leaves it: it responds 13 periods of `highest` early and late. */
static void add_pulse(float *sample, size_t count, double rate, double highest, double time, double amplitude)
{
    const double reach = 13.1 / highest, cutoff = 1.075 * highest;
    for (size_t n = 0; n < count; n++) {
        const double t = (double)n / rate - time, part = t / reach;
        if (fabs(part) >= 1)
            continue;
        const double x = 2 * PI * cutoff * t, sinc = fabs(x) < 1e-9 ? 1 : sin(x) / x;
        const double window = bessel(6.3 * sqrt(1 - part * part)) / bessel(6.3);
        sample[n] += (float)(amplitude * 2 * cutoff / rate * sinc * window);
    }
}

/* Two pulses, and silence: C is the quotient of their squares, Ts the delay's share, G their sum. */
Test(acoustic_figures, two_pulses_give_the_quotient_of_their_squares_in_every_octave)
{
    static const size_t bands[] = {3, 5, 7, 8};
    static const double tops[] = {355, 1420, 5680, TOP}, onsets[] = {0.2, 0.20000827, 0.2123456};
    enum { COUNT = 48000 };
    for (int o = 0; o < 3; o++)
        for (int h = 0; h < 4; h++) {
            const double a = 0.1, b = 0.07, second = 0.16;
            float *sample = calloc(COUNT, sizeof *sample);
            add_pulse(sample, COUNT, RATE, tops[h], onsets[o], a);
            add_pulse(sample, COUNT, RATE, tops[h], onsets[o] + second, -b);
            const struct acoustic_figures found =
                figures_of(sample, COUNT, RATE, tops[h], onsets[o], FIGURES_REFERENCE);
            const double c = 20 * log10(a / b), whole = a * a + b * b;
            const struct wanted wanted = {c, c, a * a / whole, second * b * b / whole,
                                          10 * log10(whole / 0.01)};
            cr_assert(eq(sz, found.bands, bands[h]), "%zu", found.bands);
            for (size_t band = 0; band < found.bands; band++)
                check(&found.octave[band], wanted, "pulses", tops[h]);
            free(sample);
        }
}

/* Half a millisecond of the second pulse decides whether it is early: of C50 and D50, not of C80. */
Test(acoustic_figures, clarity_is_absent_with_its_reason_if_a_pulse_stands_at_the_time_limit)
{
    enum { COUNT = 48000 };
    float *sample = calloc(COUNT, sizeof *sample);
    add_pulse(sample, COUNT, RATE, 355, 0.2, 0.1);
    add_pulse(sample, COUNT, RATE, 355, 0.2 + 0.05, 0.1);
    add_pulse(sample, COUNT, RATE, 355, 0.2 + 0.16, 0.1);
    const struct acoustic_figures found = figures_of(sample, COUNT, RATE, 355, 0.2, FIGURES_REFERENCE);
    for (size_t b = 0; b < found.bands; b++) {
        const struct band_figures *octave = &found.octave[b];
        cr_expect(isnan(octave->c50) && isnan(octave->d50) && isfinite(octave->c80),
                  "%g Hz: C50 %g D50 %g C80 %g", octave->times.centre, octave->c50, octave->d50, octave->c80);
        cr_expect(strstr(octave->why, "C50 and D50: the sound at the time limit decides") != NULL, "%s",
                  octave->why);
    }
    free(sample);
}

Test(acoustic_figures, a_source_ten_metres_away_in_the_open_has_a_strength_of_0_and_no_clarity)
{
    enum { COUNT = 48000 };
    float *sample = calloc(COUNT, sizeof *sample);
    add_pulse(sample, COUNT, RATE, 1420, 10 / 343.2, 0.1);
    const struct acoustic_figures found =
        figures_of(sample, COUNT, RATE, 1420, 10 / 343.2, FIGURES_REFERENCE);
    cr_assert(eq(sz, found.bands, 5));
    for (size_t b = 2; b < found.bands; b++) {
        const struct band_figures *octave = &found.octave[b];
        cr_expect(test_near(octave->g, 0, OF_JND * JND_G) && test_near(octave->d50, 1, OF_JND * JND_D50),
                  "%g Hz: G %g, D50 %g; %s", octave->times.centre, octave->g, octave->d50, octave->why);
    }
    /* Of exact silence there is no quotient. */
    memset(sample, 0, COUNT * sizeof *sample);
    sample[4800] = 1;
    const struct acoustic_figures one = figures_of(sample, COUNT, RATE, 1420, 0.1, NAN);
    for (size_t b = 0; b < one.bands; b++) {
        const struct band_figures *octave = &one.octave[b];
        cr_expect(isnan(octave->c50) && isnan(octave->c80) && isnan(octave->g) && octave->d50 == 1);
        cr_expect(strcmp(octave->why, "C50 and C80: no sound that late") == 0, "%s", octave->why);
    }
    free(sample);
}

/* ---- exponential decays ---- */

/* A decay of 60 dB in `time`, on a carrier in the middle of an octave, cut `length` after the onset. */
struct decay {
    double f, time, onset, length;
    double direct; /* amplitude of an impulse at the onset */
    double floor;  /* amplitude of noise, uniform within +- sqrt(3) of it */
};

static struct band_figures decayed(struct decay decay, double quarter)
{
    const size_t count = (size_t)((decay.onset + decay.length) * RATE);
    float *sample = calloc(count, sizeof *sample);
    const size_t first = (size_t)ceil(decay.onset * RATE);
    uint64_t seed = 77;
    for (size_t n = 0; n < count; n++)
        sample[n] = (float)(decay.floor * sqrt(3) * test_uniform(&seed, -1, 1));
    for (size_t n = first; n < count; n++) {
        const double t = (double)n / RATE - decay.onset;
        sample[n] += (float)(fallen(t, decay.time) * cos(2 * PI * decay.f * t + 0.5 * PI * quarter));
    }
    sample[first] += (float)decay.direct;
    const struct acoustic_figures found = figures_of(sample, count, RATE, 1.42 * decay.f, decay.onset, 1);
    free(sample);
    return found.octave[found.bands - 1];
}

/* Squares of carriers a quarter of a turn apart add up to the envelope's, and with the impulse to the sum of
 * both. */
static struct band_figures smooth(struct decay decay)
{
    struct band_figures sum = {0};
    for (int q = 0; q < 4; q++) {
        const struct band_figures one = decayed(decay, q);
        sum.times = one.times;
        sum.c50 += 0.25 * one.c50;
        sum.c80 += 0.25 * one.c80;
        sum.d50 += 0.25 * one.d50;
        sum.ts += 0.25 * one.ts;
        sum.g += 0.25 * one.g;
        memcpy(sum.why, one.why, sizeof sum.why);
    }
    return sum;
}

/* Energy `decay` from the onset on, falling by exp(-k t), and `direct` at the onset. */
static struct wanted closed_form(double direct, double decay, double time, double reference)
{
    const double k = 6 * log(10) / time, whole = direct + decay;
    const double late50 = decay * exp(-k * 0.05), late80 = decay * exp(-k * 0.08);
    return (struct wanted){.c50 = 10 * log10((whole - late50) / late50),
                           .c80 = 10 * log10((whole - late80) / late80),
                           .d50 = 1 - late50 / whole,
                           .ts = decay / k / whole,
                           .g = 10 * log10(whole / reference)};
}

Test(acoustic_figures, exponential_decays_with_and_without_direct_sound_have_their_closed_forms)
{
    static const double times[] = {0.5, 1.5}, onsets[] = {0.1, 0.03170713};
    for (int b = 3; b < 8; b++) /* below, a cut carrier leaves the octave: see the next test */
        for (int i = 0; i < 2; i++)
            for (int o = 0; o < 2; o++)
                for (int d = 0; d < 2; d++) {
                    const double time = times[i],
                                 impulse = band_energy_of_impulse(BANDS_OCTAVE, octave_middle(b), RATE,
                                                                  1.42 * octave_middle(b));
                    const double energy = 0.5 * RATE * time / (6 * log(10));
                    const struct decay decay = {.f = octave_middle(b),
                                                .time = time,
                                                .onset = onsets[o],
                                                .length = time + 0.2,
                                                .direct = d == 0 ? 0 : sqrt(energy / impulse)};
                    const struct band_figures found = smooth(decay);
                    check(&found, closed_form(d == 0 ? 0 : energy, energy, time, impulse),
                          d == 0 ? "decay" : "direct and decay", time);
                }
}

/* In the low octaves noise of 50 ms is a few values: the mean of many decays has the closed form. */
Test(acoustic_figures, the_mean_of_many_decays_of_noise_has_the_closed_form_in_the_low_octaves)
{
    enum { SEEDS = 3000 };
    const double rate = 2000, onset = 0.1, time = 1.2, k = 6 * log(10) / time;
    const size_t count = (size_t)((onset + 1.3 * time) * rate), first = (size_t)(onset * rate);
    double early50[3] = {0}, early80[3] = {0}, whole[3] = {0}, moment[3] = {0};
    float *sample = calloc(count, sizeof *sample);
    uint64_t seed = 99;
    for (int i = 0; i < SEEDS; i++) {
        struct band_energy part[3];
        for (size_t n = first; n < count; n++)
            sample[n] = (float)(test_uniform(&seed, -1, 1) * exp(-0.5 * k * (double)(n - first) / rate));
        const size_t end[3] = {first + (size_t)(0.05 * rate), first + (size_t)(0.08 * rate), count};
        for (int p = 0; p < 3; p++)
            MUST(band_energy_make(BANDS_OCTAVE, sample, first, end[p], rate, 355, onset, &part[p], &failure));
        for (int b = 0; b < 3; b++) {
            early50[b] += part[0].energy[b];
            early80[b] += part[1].energy[b];
            whole[b] += part[2].energy[b];
            moment[b] += part[2].moment[b];
        }
    }
    free(sample);
    for (int b = 0; b < 3; b++) {
        const double c50 = 10 * log10(early50[b] / (whole[b] - early50[b]));
        const double c80 = 10 * log10(early80[b] / (whole[b] - early80[b]));
        const struct wanted wanted = closed_form(0, 1, time, 1);
        cr_expect(test_near(c50, wanted.c50, 2 * OF_JND) && test_near(c80, wanted.c80, 2 * OF_JND) &&
                      test_near(moment[b] / whole[b], wanted.ts, OF_JND * JND_TS),
                  "%g Hz: C50 %g for %g, C80 %g for %g, Ts %g for %g", octave_middle(b), c50, wanted.c50, c80,
                  wanted.c80, moment[b] / whole[b], wanted.ts);
    }
}

/* ---- the end of a response ---- */

Test(acoustic_figures, a_cut_tail_is_added_and_noise_subtracted)
{
    for (int b = 4; b < 7; b++) {
        const double time = 1.5, impulse = band_energy_of_impulse(BANDS_OCTAVE, octave_middle(b), RATE,
                                                                  1.42 * octave_middle(b));
        const struct wanted wanted = closed_form(0, 0.5 * RATE * time / (6 * log(10)), time, impulse);
        const struct decay cut = {.f = octave_middle(b), .time = time, .onset = 0.1, .length = 0.5 * time};
        const struct band_figures found = smooth(cut);
        check(&found, wanted, "cut at -30 dB", time);
        /* Noise in this octave alone counts: 30 dB below the start of the decay, 2 s longer than it. */
        const double share = 2 * 1.4 * octave_middle(b) / RATE;
        const struct decay noisy = {.f = octave_middle(b),
                                    .time = time,
                                    .onset = 0.1,
                                    .length = time + 2,
                                    .floor = sqrt(0.5 * 1e-3 / share)};
        const struct band_figures over = smooth(noisy);
        cr_expect(isfinite(over.times.floor), "%s", over.times.why);
        check(&over, wanted, "noise", time);
    }
}

Test(acoustic_figures, a_figure_that_may_be_wrong_by_a_jnd_is_absent_with_its_reason)
{
    const struct decay cut = {.f = 1000, .time = 2, .onset = 0.1, .length = 0.3}; /* 9 dB */
    const struct band_figures found = decayed(cut, 0);
    cr_expect(isnan(found.c80) && isnan(found.ts) && isnan(found.times.edt), "%g %g %g", found.c80, found.ts,
              found.times.edt);
    cr_expect(strstr(found.why, "C80") != NULL && strstr(found.why, "ends after") != NULL, "%s", found.why);
    /* A short response may level off without any noise: no cause is claimed. */
    const struct decay level = {.f = 1000, .time = 2, .onset = 0.1, .length = 2, .floor = 0.6};
    const struct band_figures off = decayed(level, 0);
    cr_expect(strstr(off.why, "levels off after") != NULL &&
                  strstr(off.why, "noise, or it is too short") != NULL,
              "%s", off.why);
    /* A tone that does not die away has none at all. */
    const struct decay steady = {.f = 1000, .time = 1e6, .onset = 0.1, .length = 1};
    const struct band_figures none = decayed(steady, 0);
    for (int f = 0; f < PRESSURE_FIGURES; f++)
        cr_expect(isnan(acoustic_figure_of(&none, (enum figure)f)));
    cr_expect(
        strstr(none.why,
               "C50, C80, D50, Ts and G: the sound after the end is unknown, since no decay is found") !=
            NULL,
        "%s", none.why);
}

Test(acoustic_figures, noise_alone_has_no_figures)
{
    enum { COUNT = 8000 };
    float *sample = malloc(COUNT * sizeof *sample);
    uint64_t seed = 31;
    for (int i = 0; i < 40; i++) {
        for (int n = 0; n < COUNT; n++)
            sample[n] = (float)test_uniform(&seed, -1, 1);
        const struct acoustic_figures found = figures_of(sample, COUNT, 8000, 3600, 0.01, 1);
        for (size_t b = 0; b < found.bands; b++)
            for (int f = 0; f < PRESSURE_FIGURES; f++)
                cr_expect(isnan(acoustic_figure_of(&found.octave[b], (enum figure)f)), "%s, octave %zu",
                          figure_kind[f].word, b);
    }
    free(sample);
}

Test(acoustic_figures, single_numbers_are_means_of_500_and_1000_hz_and_need_both)
{
    struct acoustic_figures figures = {.bands = 5};
    figures.octave[3].c80 = 1;
    figures.octave[4].c80 = 4;
    cr_assert(test_near(acoustic_figure_single(&figures, FIGURE_C80), 2.5, 1e-12));
    figures.octave[3].c80 = (double)NAN;
    cr_assert(isnan(acoustic_figure_single(&figures, FIGURE_C80)));
    figures.bands = 4;
    cr_assert(isnan(acoustic_figure_single(&figures, FIGURE_EDT)));
}

/* ---- the level of the whole band ---- */

Test(acoustic_figures, the_strength_of_the_band_counts_the_energy_up_to_fmax_only)
{
    /* An ideal low-pass at a twelfth of the rate, |X| = 0.1 inside: a sinc, cut where little is left. */
    enum { COUNT = 48001 };
    float *sample = calloc(COUNT, sizeof *sample);
    for (int n = 0; n < COUNT; n++) {
        const double x = (n - COUNT / 2) * PI / 6;
        sample[n] = (float)(0.1 / 6 * (fabs(x) < 1e-9 ? 1 : sin(x) / x));
    }
    const struct acoustic_figures found = figures_of(sample, COUNT, RATE, RATE / 12, 0.5, FIGURES_REFERENCE);
    cr_assert(test_near(found.strength, 0, 1e-3), "%g dB", found.strength);
    free(sample);
}

Test(acoustic_figures, twice_the_pressure_is_six_decibels_and_silence_is_minus_infinity)
{
    enum { COUNT = 4800 };
    float *sample = calloc(COUNT, sizeof *sample);
    const struct acoustic_figures silent = figures_of(sample, COUNT, RATE, 355, 0.01, FIGURES_REFERENCE);
    cr_assert(silent.strength < -1e300 && isnan(silent.octave[0].g) && silent.octave[0].why[0] != '\0');
    for (int n = 0; n < COUNT; n++)
        sample[n] = (float)sin(0.01 * n * n);
    const struct acoustic_figures once = figures_of(sample, COUNT, RATE, 355, 0.01, FIGURES_REFERENCE);
    for (int n = 0; n < COUNT; n++)
        sample[n] *= 2;
    const struct acoustic_figures twice = figures_of(sample, COUNT, RATE, 355, 0.01, FIGURES_REFERENCE);
    cr_assert(test_near(twice.strength - once.strength, 20 * log10(2), 1e-9));
    cr_assert(acoustic_figures_is_calibrated(&once));
    free(sample);
}

/* ---- what the figures of an octave say of one another ---- */

static bool is_bounded(const struct band_figures *octave)
{
    return octave->late || strstr(octave->times.why, "allow") != NULL;
}

/* Noise that decays in `time`, or in two times of equal share, under a direct sound; it comes `late` after
 * sample 4800 and, `rises`, as in a room behind a room. */
struct room {
    double time, second, direct, late;
    bool rises;
};

static float *room_response(struct room room, uint64_t seed, size_t *count)
{
    *count = (size_t)((0.1 + room.late + 1.2 * fmax(room.time, room.second)) * RATE);
    float *sample = calloc(*count, sizeof *sample);
    const size_t first = 4800 + (size_t)(room.late * RATE);
    for (size_t n = first; n < *count; n++) {
        const double t = (double)(n - first) / RATE;
        double power = pow(fallen(t, room.time), 2);
        power = room.rises        ? t * power
                : room.second > 0 ? power + 0.05 * pow(fallen(t, room.second), 2)
                                  : power;
        sample[n] = (float)(sqrt(power) * test_uniform(&seed, -1, 1));
    }
    sample[first] += (float)room.direct;
    return sample;
}

Test(acoustic_figures, a_sum_of_decays_under_any_direct_sound_breaks_no_bound)
{
    static const double direct[] = {0, 5, 60};
    static const struct room row[] = {{.time = 0.3},
                                      {.time = 1.2},
                                      {.time = 2.5},
                                      {.time = 0.4, .second = 2},
                                      {.time = 0.8, .second = 2.5},
                                      {.time = 1.5, .rises = true}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        for (size_t d = 0; d < 3; d++) {
            size_t count;
            struct room room = row[i];
            room.direct = direct[d];
            float *sample = room_response(room, 11 * (i + 1) + d, &count);
            const struct acoustic_figures found = figures_of(sample, count, RATE, TOP, 0.1, 1);
            for (size_t b = 0; b < found.bands; b++)
                cr_expect(is_bounded(&found.octave[b]) == false, "%zu, direct %g, %g Hz: EDT %g, %s %s", i,
                          direct[d], found.octave[b].times.centre, found.octave[b].times.edt,
                          found.octave[b].times.why, found.octave[b].why);
            free(sample);
        }
}

/* A direct sound and reflections so weak that L falls by a little less than 10 dB at once. */
Test(acoustic_figures, no_early_decay_is_longer_than_the_energy_after_50_ms_and_the_later_decay_allow)
{
    enum { COUNT = 48000 };
    float *sample = malloc(COUNT * sizeof *sample);
    size_t stepped = 0;
    for (double first = 0.2; first < 0.5; first += 0.01) {
        memset(sample, 0, COUNT * sizeof *sample);
        sample[4800] = 1;
        for (int k = 1; k < 6; k++)
            sample[4800 + 700 * k] = (float)(-first * pow(-0.3, k - 1));
        const struct acoustic_figures found = figures_of(sample, COUNT, RATE, TOP, 0.1, 1);
        for (size_t b = 0; b < found.bands; b++) {
            const struct band_times *times = &found.octave[b].times;
            cr_expect(isnan(times->edt) || times->edt <= 0.3, "%g, %g Hz: EDT %g for T20 %g", first,
                      times->centre, times->edt, times->t20);
            stepped += strstr(times->why, "allow") != NULL;
            cr_expect(isnan(found.octave[b].ts) || found.octave[b].ts >= 0);
        }
    }
    cr_expect(stepped > 0);
    free(sample);
}

Test(acoustic_figures, figures_that_count_from_an_onset_long_before_the_sound_are_absent)
{
    size_t count;
    float *sample = room_response((struct room){.time = 1.5, .direct = 5, .late = 0.35}, 3, &count);
    const struct acoustic_figures found = figures_of(sample, count, RATE, TOP, 0.1, 1);
    for (size_t b = 0; b < found.bands; b++) {
        const struct band_figures *octave = &found.octave[b];
        cr_expect(octave->late && isnan(octave->times.edt) && isnan(octave->c50) && isnan(octave->c80) &&
                      isnan(octave->d50) && isnan(octave->ts),
                  "%g Hz: EDT %g, C80 %g", octave->times.centre, octave->times.edt, octave->c80);
        cr_expect(test_near(octave->times.t30, 1.5, 0.25) && isfinite(octave->g), "%g Hz: T30 %g",
                  octave->times.centre, octave->times.t30);
    }
    free(sample);
}

/* ---- thirds ---- */

/* The thirds of 500 and 630 Hz decay apart, the first 1.0 s and the second 0.7 s long. Filters let in the
 * neighbour 24 dB weaker, so each has its own time to 2 %; the octave has neither. */
Test(acoustic_figures, a_third_has_its_own_decay_beside_another_in_its_neighbour)
{
    enum { COUNT = 96000, ONSET = 4800 };
    static const double f[2] = {501.187, 630.957}, time[2] = {1.0, 0.7};
    float *sample = calloc(COUNT, sizeof *sample);
    struct third_figures *thirds = malloc(sizeof *thirds);
    double found[2] = {0}, octave = 0;
    for (int quarter = 0; quarter < 2; quarter++) { /* the mean of both does not sway with twice f */
        for (int n = ONSET; n < COUNT; n++) {
            const double t = (n - ONSET) / RATE;
            sample[n] = 0;
            for (int d = 0; d < 2; d++)
                sample[n] += (float)(pow(10, -3 * t / time[d]) * cos(2 * PI * f[d] * t + 0.5 * PI * quarter));
        }
        MUST(
            third_figures_make(sample, COUNT, RATE, 1420, ONSET / RATE, FIGURES_REFERENCE, thirds, &failure));
        cr_assert(eq(sz, thirds->bands, 15));
        for (int d = 0; d < 2; d++)
            found[d] += 0.5 * thirds->third[10 + d].times.t30;
        octave +=
            0.5 * figures_of(sample, COUNT, RATE, 1420, ONSET / RATE, FIGURES_REFERENCE).octave[3].times.t30;
    }
    for (int d = 0; d < 2; d++)
        cr_expect(test_near(found[d], time[d], 0.02 * time[d]), "%g Hz: %g s", f[d], found[d]);
    cr_expect(octave < 0.97 && octave > 0.75, "octave: %g s", octave);
    free(thirds);
    free(sample);
}

Test(acoustic_figures, the_single_number_of_thirds_is_the_mean_of_the_six_from_400_to_1250_hz)
{
    static struct band_figures third[15];
    for (int t = 0; t < 15; t++)
        third[t].times.t30 = t < 9 ? 100 : 1 + 0.1 * (t - 9);
    cr_expect(test_near(band_figure_single(BANDS_THIRD, third, 15, FIGURE_T30), 1.25, 1e-12));
    cr_expect(isnan(band_figure_single(BANDS_THIRD, third, 14, FIGURE_T30)));
    third[9].times.t30 = NAN;
    cr_expect(isnan(band_figure_single(BANDS_THIRD, third, 15, FIGURE_T30)));
}
