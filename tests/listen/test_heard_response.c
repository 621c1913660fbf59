/* The open air beside a room: level, time and band of what a dry sound is compared with. */
#include <complex.h>

#include "src/listen/heard_response.h"
#include "tests/support/outcome.h"
#include "tests/support/sounds.h"

#define PI    3.14159265358979323846
#define SPEED 343.2

static double decibels(double ratio)
{
    return 20 * log10(ratio);
}

Test(heard_response, in_the_open_a_sound_has_one_over_r_and_comes_after_r_over_c)
{
    struct wav_sound open = {0};
    MUST(heard_response_open(8.0, SPEED, &open, &failure));
    cr_assert(open.frames == 1120 && open.channels == 1 &&
              open.rate == 48000); /* 48000 x 8 / 343.2 = 1118.9 */
    for (size_t n = 0; n < open.frames; n++)
        cr_assert(open.sample[n] == (n == 1119 ? 0.125f : 0.0f));
    wav_sound_free(&open);
}

/* A response that is `gain` up to 355 Hz and nothing above; `delay` is its own [frames]. */
static void expect_band(const struct wav_sound *sound, double gain, double delay, double within,
                        const char *what)
{
    static const double inside[] = {20, 100, 250, 350}, outside[] = {410, 500, 1000, 5000};
    for (int k = 0; k < 4; k++) {
        const double complex in = spectrum_at(sound->sample, sound->frames, inside[k], sound->rate),
                             out = spectrum_at(sound->sample, sound->frames, outside[k], sound->rate);
        cr_assert(test_near(decibels(cabs(in) / gain), 0, 0.03), "%s, %g Hz", what, inside[k]);
        cr_assert(test_at_most(decibels(cabs(out) / gain), -59), "%s, %g Hz", what, outside[k]);
        const double late = carg(in * cexp(2 * PI * I * inside[k] * delay / 48000));
        cr_assert(test_near(late, 0, within), "%s, %g Hz: %g rad", what, inside[k], late);
    }
}

/* Far enough for the filter of linear phase, and so near that it must give way. */
Test(heard_response, low_passed_it_is_the_same_up_to_fmax_and_nothing_above)
{
    static const double distance[] = {20.0, 2.0};
    for (int i = 0; i < 2; i++) {
        const double r = distance[i];
        struct wav_sound low = {0};
        MUST(heard_response_low_passed(r, SPEED, 355, &low, &failure));
        expect_band(&low, 1 / r, round(48000 * r / SPEED), i == 0 ? 0.001 : 4, i == 0 ? "far" : "near");
        wav_sound_free(&low);
    }
}

Test(heard_response, limited_it_holds_what_is_below_and_nothing_above_in_every_channel)
{
    enum { FRAMES = 20000, FIRST = 400 };
    for (int c = 0; c < 2; c++) {
        struct wav_sound sound = {
            .sample = calloc(2 * FRAMES, sizeof(float)), .frames = FRAMES, .channels = 2, .rate = 48000};
        cr_assert(sound.sample != NULL);
        sound.sample[2 * FIRST + c] = 0.5F;
        MUST(heard_response_limit(&sound, 355, &failure));
        struct wav_sound one = {
            .sample = calloc(FRAMES, sizeof(float)), .frames = FRAMES, .channels = 1, .rate = 48000};
        cr_assert(one.sample != NULL);
        for (size_t n = 0; n < FRAMES; n++) {
            one.sample[n] = sound.sample[2 * n + (size_t)c];
            cr_assert(sound.sample[2 * n + 1 - (size_t)c] == 0.0F);
        }
        expect_band(&one, 0.5, FIRST, 4, "limited");
        wav_sound_free(&sound);
        wav_sound_free(&one);
    }
}

Test(heard_response, a_rumble_that_nobody_hears_end_does_not_count_against_the_fall)
{
    enum { FRAMES = 48000 };
    float *sample = calloc(FRAMES, sizeof *sample);
    cr_assert(sample != NULL);
    for (size_t n = 0; n < FRAMES; n++) {
        const double t = (double)n / FRAMES;
        sample[n] = (float)(exp(-6.9 * t) * sin(2 * PI * 500 * t));
    }
    const struct wav_sound sound = {.sample = sample, .frames = FRAMES, .channels = 1, .rate = 48000};
    const double fall = heard_response_fall(&sound);
    cr_assert(fall > 55 && fall < 59, "60 dB a second, between the middles of 20 windows: %g", fall);
    for (size_t n = 0; n < FRAMES; n++)
        sample[n] += (float)(0.02 * sin(2 * PI * 8 * (double)n / FRAMES));
    const double rumbling = heard_response_fall(&sound);
    cr_assert(rumbling > 45, "with a rumble of 8 Hz, 34 dB below the start: %g", rumbling);
    free(sample);
}
