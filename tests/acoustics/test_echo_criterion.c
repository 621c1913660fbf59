/* The echo criterion against closed forms. */
#include "src/response/further/echo_criterion.h"
#include "src/response/signal/noise.h"
#include "tests/support/outcome.h"

#define RATE  48000
#define COUNT 96000
#define ONSET 0.03

static float sample[COUNT];

static void add(double time, double size)
{
    sample[(size_t)lround((ONSET + time) * RATE)] += (float)size;
}

static struct further_figures make(double highest)
{
    struct further_figures out;
    further_figures_clear(&out);
    MUST(echo_criterion_make(sample, COUNT, RATE, highest, ONSET, &out, &failure));
    return out;
}

/* The centre of the sound so far jumps from 0 to T a^n / (1 + a^n). */
Test(echo_criterion, a_single_echo_has_its_delay_times_its_share)
{
    for (double time = 0.03; time < 0.4; time *= 2.0)
        for (double a = 0.25; a <= 1.0; a *= 2.0) {
            memset(sample, 0, sizeof sample);
            add(0.0, 1.0);
            add(time, -a);
            const struct further_figures out = make(4000.0);
            const double speech = pow(a, 2.0 / 3.0), music = a;
            const double expected[] = {time / 0.009 * speech / (1.0 + speech),
                                       time / 0.014 * music / (1.0 + music)};
            cr_assert(test_near(out.single[FIGURE_ECHO_SPEECH], expected[0], 0.02 * expected[0] + 0.02),
                      "%g %g", out.single[FIGURE_ECHO_SPEECH], expected[0]);
            cr_assert(test_near(out.single[FIGURE_ECHO_MUSIC], expected[1], 0.02 * expected[1] + 0.02),
                      "%g %g", out.single[FIGURE_ECHO_MUSIC], expected[1]);
            for (int kind = 0; kind < ECHO_KINDS; kind++)
                cr_assert(test_near(out.echo_time[kind], time, 1e-3), "%g", out.echo_time[kind]);
        }
}

/* Noise that decays with the amplitude exp(-t / u): the centre is u / n (1 - x / (e^x - 1)) at tau = u x / n,
 * which rises by less than 1/2. The chance of noise adds to it. */
Test(echo_criterion, a_decay_has_no_echo)
{
    for (double time = 0.5; time <= 4.0; time *= 2.0) {
        struct noise noise = {7};
        memset(sample, 0, sizeof sample);
        for (size_t n = 0; n < COUNT - ONSET * RATE; n++)
            sample[n + (size_t)(ONSET * RATE)] =
                (float)(noise_normal(&noise) * pow(10.0, -3.0 * (double)n / RATE / time));
        const struct further_figures out = make(4000.0);
        cr_assert(out.single[FIGURE_ECHO_SPEECH] > 0.3 && out.single[FIGURE_ECHO_SPEECH] < 0.75, "%g",
                  out.single[FIGURE_ECHO_SPEECH]);
        cr_assert(out.single[FIGURE_ECHO_MUSIC] > 0.3 && out.single[FIGURE_ECHO_MUSIC] < 0.75, "%g",
                  out.single[FIGURE_ECHO_MUSIC]);
    }
}

Test(echo_criterion, a_response_that_ends_below_its_band_has_none)
{
    memset(sample, 0, sizeof sample);
    add(0.0, 1.0);
    add(0.1, 1.0);
    const struct further_figures low = make(710.0), middle = make(1420.0);
    cr_assert(isnan(low.single[FIGURE_ECHO_SPEECH]) && isnan(low.single[FIGURE_ECHO_MUSIC]));
    cr_assert(gt(dbl, middle.single[FIGURE_ECHO_SPEECH], 5.0));
    cr_assert(isnan(middle.single[FIGURE_ECHO_MUSIC]));
    memset(sample, 0, sizeof sample);
    cr_assert(isnan(make(4000.0).single[FIGURE_ECHO_SPEECH]), "silence");
}
