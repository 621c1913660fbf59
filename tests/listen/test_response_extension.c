/* What fills a response above its highest frequency: where it begins, how loud it is, how fast it decays. */
#include "src/response/acoustics/decay_times.h"
#include "src/listen/extension_rates.h"
#include "src/listen/heard_response.h"
#include "src/listen/response_extension.h"
#include "src/response/signal/fourier.h"
#include "src/response/signal/low_pass.h"
#include "tests/support/outcome.h"

#define RATE  48000
#define COUNT (3 * RATE)
#define FMAX  2840.0
#define ONSET 0.03 /* [s] */

static uint64_t first_seed = 5;

/* Noise that decays with `time` from the onset on, low-passed, and a direct sound of `direct` / r. */
static struct wav_sound make_response(double time, double strength, double distance)
{
    double *noise = test_keep(calloc(COUNT, sizeof *noise));
    uint64_t seed = first_seed;
    for (size_t n = (size_t)(ONSET * RATE); n < COUNT; n++) {
        const double t = (double)n / RATE;
        noise[n] = strength * test_uniform(&seed, -1.0, 1.0) * exp(-3 * log(10.0) * t / time);
    }
    struct low_pass filter = {0};
    MUST(low_pass_design(FMAX, RATE, 2 * RATE / 100, &filter, &failure));
    MUST(low_pass_apply(&filter, noise, COUNT, &failure));
    low_pass_free(&filter);
    struct wav_sound response = {
        .sample = test_keep(calloc(COUNT, sizeof(float))), .frames = COUNT, .channels = 1, .rate = RATE};
    for (size_t n = 0; n < COUNT; n++)
        response.sample[n] = (float)noise[n];
    if (distance > 0) {
        struct wav_sound direct = {0};
        MUST(heard_response_low_passed(distance, distance / ONSET, FMAX, &direct, &failure));
        test_keep(direct.sample);
        for (size_t n = 0; n < direct.frames; n++)
            response.sample[n] += direct.sample[n];
    }
    return response;
}

/* The extended response; `record` may be NULL. */
static struct wav_sound extend(const struct wav_sound *response, const struct run_losses *facts,
                               const struct record_response *of, struct extension_record *record)
{
    struct wav_sound extended = *response;
    struct extension_record unread;
    extended.sample = test_keep(malloc(COUNT * sizeof(float)));
    memcpy(extended.sample, response->sample, COUNT * sizeof(float));
    MUST(response_extend("file", FMAX, facts, of, &extended, record != NULL ? record : &unread, &failure));
    return extended;
}

/* Energy between two frequencies, per hertz, of `count` samples from `first` on. */
static double density(const float *sample, size_t first, size_t count, double low, double high)
{
    const size_t length = fourier_length(count);
    struct fourier fourier = {0};
    double complex *value = test_keep(calloc(length, sizeof *value));
    MUST(fourier_make(length, &fourier, &failure));
    for (size_t n = 0; n < count; n++)
        value[n] = sample[first + n];
    fourier_forward(&fourier, value);
    double sum = 0;
    size_t lines = 0;
    for (size_t k = 0; k < length / 2; k++) {
        const double f = (double)k * RATE / (double)length;
        if (f >= low && f < high) {
            sum += creal(value[k] * conj(value[k]));
            lines++;
        }
    }
    fourier_free(&fourier);
    return sum / (double)lines;
}

static double decibels(double ratio)
{
    return 10 * log10(ratio);
}

/* Air without losses and no materials: rates are those of the octave below at all frequencies. */
static const struct run_losses lossless = {.air = {20, 50, 101.325}};

Test(response_extension, below_fmax_the_spectrum_is_what_it_was)
{
    const struct record_response of = {.distance = 10, .onset = ONSET, .direct_path_clear = true};
    struct wav_sound response = make_response(1.2, 0.01, 10),
                     extended = extend(&response, &lossless, &of, NULL);
    for (size_t n = 0; n < COUNT; n++)
        extended.sample[n] -= response.sample[n];
    const double below = density(extended.sample, 0, COUNT, 0, FMAX),
                 above = density(extended.sample, 0, COUNT, 1.2 * FMAX, 2 * FMAX);
    cr_assert(test_at_most(decibels(below / above), -50), "%g dB", decibels(below / above));
}

Test(response_extension, the_level_goes_on_across_fmax_at_all_times)
{
    struct wav_sound response = make_response(1.2, 0.01, 0),
                     extended = extend(&response, &lossless, NULL, NULL);
    static const double from[] = {0.04, 0.3, 0.7};
    for (int i = 0; i < 3; i++) {
        const size_t first = (size_t)(from[i] * RATE), count = (size_t)(0.25 * RATE);
        const double below = density(extended.sample, first, count, 0.5 * FMAX, 0.98 * FMAX);
        const double above = density(extended.sample, first, count, 1.17 * FMAX, 2 * FMAX);
        const double far = density(extended.sample, first, count, 10000, 19000);
        const double between = density(extended.sample, first, count, FMAX, 1.15 * FMAX);
        cr_assert(test_near(decibels(above / below), 0, 0.8), "%g s: %g dB", from[i],
                  decibels(above / below));
        cr_assert(test_near(decibels(far / below), 0, 0.8), "%g s: %g dB", from[i], decibels(far / below));
        cr_assert(test_near(decibels(between / below), 0, 1.8), "%g s: %g dB", from[i],
                  decibels(between / below));
    }
}

/* Walls that take three times as much above 2 kHz, and air. */
Test(response_extension, an_octave_above_decays_as_walls_and_air_would_have_it)
{
    struct statistical_surface surface = {.area = 100};
    for (int b = 0; b < OCTAVE_BANDS_MAX; b++)
        surface.absorption[b] = b <= 5 ? 0.1 : 0.3;
    const struct run_losses facts = {
        .air = {20, 50, 101.325}, .lossy = true, .surface_count = 1, .surface = &surface};
    struct extension_record record;
    struct wav_sound response = make_response(2.0, 0.01, 0),
                     extended = extend(&response, &facts, NULL, &record);
    struct decay_times times;
    MUST(decay_times_make(extended.sample, COUNT, RATE, 16000, ONSET, &times, &failure));
    cr_assert(record.materials && record.direct == false && test_near(record.decay, 2.0, 0.1));
    cr_assert(record.octaves == 3 && test_near(record.centre[1], 7943, 1));
    /* The octave of 4 kHz begins below fmax. */
    cr_assert(times.bands == 8 && test_near(times.octave[7].centre, record.centre[1], 1));
    cr_assert(test_near(times.octave[7].t30 / record.time[1], 1, 0.06), "%g s, designed %g s",
              times.octave[7].t30, record.time[1]);
    /* By hand: the wall's rate at 2 kHz (f0 is 2.01 kHz) is what 2 s leave beside the air's. */
    struct air_losses air;
    air_losses_make(&facts.air, &air);
    const double measured = 6 * log(10.0) / record.decay,
                 at_middle = 2 * air_losses_damping(&air, record.middle),
                 at_8 = 2 * air_losses_damping(&air, record.centre[1]);
    const double share = log10(record.middle / 1995.262) / 0.3;
    const double taken = (1 - share) * -log(0.9) + share * -log(0.7);
    const double wanted = 6 * log(10.0) / ((measured - at_middle) * -log(0.7) / taken + at_8);
    cr_assert(test_near(record.time[1], wanted, 1e-3 * wanted), "%g s, not %g s", record.time[1], wanted);
}

/* 40 dB fast and then slow, as in a room beside another; walls that take twice as much above make both twice
 * as fast: every part of the sound has met as many walls as below. */
Test(response_extension, a_decay_of_two_slopes_has_two_slopes_above)
{
    struct statistical_surface surface = {.area = 100};
    for (int b = 0; b < OCTAVE_BANDS_MAX; b++)
        surface.absorption[b] = b <= 5 ? 0.1 : 0.19; /* 1 - 0.9^2 */
    const struct run_losses facts = {.air = {20, 50, 101.325}, .surface_count = 1, .surface = &surface};
    struct wav_sound response = make_response(0.4, 0.1, 0);
    first_seed = 6; /* or the two would add up as pressures */
    struct wav_sound late = make_response(2.0, 0.001, 0);
    for (size_t n = 0; n < COUNT; n++)
        response.sample[n] += late.sample[n];
    struct wav_sound extended = extend(&response, &facts, NULL, NULL);
    const double fast = 6 * log(10.0) / 0.4, slow = 6 * log(10.0) / 2.0, share = 1e-4;
    const double at_onset = exp(-fast * ONSET) / fast + share * exp(-slow * ONSET) / slow;
    static const double from[] = {0.08, 0.2, 0.5};
    for (int i = 0; i < 3; i++) {
        /* Energies of the window, below and above: there every part times what is left of all. */
        double all = 0, above_all = 0;
        for (int k = 0; k < 100; k++) {
            const double t = from[i] + 0.1 * (k + 0.5) / 100;
            const double now = exp(-fast * t) + share * exp(-slow * t);
            all += now;
            above_all += now * (exp(-fast * t) / fast + share * exp(-slow * t) / slow) / at_onset;
        }
        const double left = above_all / all;
        const double below =
            density(response.sample, (size_t)(from[i] * RATE), RATE / 10, 0.5 * FMAX, 0.98 * FMAX);
        const double above = density(extended.sample, (size_t)(from[i] * RATE), RATE / 10, 9000, 19000);
        cr_assert(test_near(decibels(above / below), decibels(left), 2.0), "%g s: %g dB, not %g dB", from[i],
                  decibels(above / below), decibels(left));
    }
}

/* With hardly any reverberation what is left is 1/r at all frequencies, less what air takes over 10 m. */
Test(response_extension, a_direct_sound_becomes_whole_where_the_path_is_clear_and_only_there)
{
    struct record_response of = {.distance = 10, .onset = ONSET, .direct_path_clear = true};
    const struct run_losses facts = {.air = {20, 50, 101.325}, .lossy = true};
    struct wav_sound response = make_response(1.0, 1e-6, 10), extended = extend(&response, &facts, &of, NULL);
    struct air_losses air;
    air_losses_make(&facts.air, &air);
    static const double frequency[] = {2900, 3100, 3500, 5000, 10000, 16000, 19000};
    for (int i = 0; i < 7; i++) {
        const double f = frequency[i], level = density(extended.sample, 0, 8192, f - 30, f + 30);
        const double wanted = 0.01 * exp(-2 * 10 * air_losses_nepers(&air, f));
        cr_assert(test_near(decibels(level / wanted), 0, 0.3), "%g Hz: %g dB", f, decibels(level / wanted));
    }
    /* It is at its time: nearly all of it within 0.1 ms. */
    double near = 0, all = 0;
    for (size_t n = 0; n < 8192; n++) {
        const double square = (double)extended.sample[n] * extended.sample[n];
        all += square;
        near += fabs((double)n - ONSET * RATE) < 5 ? square : 0;
    }
    cr_assert(test_at_least(near, 0.9 * all), "%g of %g", near, all);
    of.direct_path_clear = false;
    struct wav_sound hidden = extend(&response, &facts, &of, NULL);
    double most = 0;
    for (size_t n = 0; n < COUNT; n++)
        most = fmax(most, fabs(hidden.sample[n]));
    cr_assert(test_at_most(most, 0.04), "%g", most); /* 0.1 where it is put back */
}

Test(response_extension, is_the_same_every_time)
{
    struct wav_sound response = make_response(1.2, 0.01, 0), one = extend(&response, NULL, NULL, NULL),
                     two = extend(&response, NULL, NULL, NULL);
    cr_assert(memcmp(one.sample, two.sample, COUNT * sizeof(float)) == 0);
    cr_assert(memcmp(one.sample, response.sample, COUNT * sizeof(float)) != 0);
}

Test(response_extension, a_response_that_ends_in_silence_is_extended_up_to_there)
{
    struct wav_sound response = make_response(0.3, 0.01, 0);
    memset(response.sample + RATE / 2, 0, (COUNT - RATE / 2) * sizeof(float));
    struct wav_sound extended = extend(&response, &lossless, NULL, NULL);
    for (size_t n = 0; n < COUNT; n++)
        cr_assert(isfinite(extended.sample[n]), "sample %zu", n);
    const double above = density(extended.sample, RATE / 4, RATE / 10, 1.2 * FMAX, 2 * FMAX),
                 below = density(extended.sample, RATE / 4, RATE / 10, 0.5 * FMAX, 0.98 * FMAX);
    cr_assert(test_near(decibels(above / below), 0, 1.5), "%g dB", decibels(above / below));
    const double later = density(extended.sample, 7 * RATE / 10, RATE / 10, 1.2 * FMAX, 2 * FMAX);
    cr_assert(test_at_most(decibels(later / above), -60), "%g dB", decibels(later / above));
}

Test(response_extension, what_cannot_be_extended_is_refused_by_name)
{
    struct extension_record record;
    struct wav_sound response = make_response(1.2, 0.01, 0);
    MUST_FAIL(response_extend("x.wav", 17000, NULL, NULL, &response, &record, &failure), FAILURE_INPUT,
              "x.wav: reaches 17000 Hz");
    struct wav_sound two = response;
    two.channels = 2;
    two.frames = COUNT / 2;
    MUST_FAIL(response_extend("x.wav", FMAX, NULL, NULL, &two, &record, &failure), FAILURE_INPUT,
              "has 2 channels");
    memset(response.sample, 0, COUNT * sizeof(float));
    response.sample[COUNT - 1] = 1.0f;
    MUST_FAIL(response_extend("x.wav", FMAX, NULL, NULL, &response, &record, &failure), FAILURE_INPUT,
              "does not decay");
}
