/* The losses of the air against the sum over modes that defines them, and the fast filter against that. */
#include "src/response/signal/air_filter.h"
#include "src/response/signal/decay_basis.h"
#include "src/response/signal/fourier.h"
#include "tests/support/outcome.h"

#define PI   3.14159265358979323846
#define RATE 48000.0

static const struct air room = {.temperature = 20, .humidity = 50, .pressure = 101.325};
static const enum air_method both[2] = {AIR_MODAL, AIR_FAST};

static double level(const double *x, size_t first, size_t end)
{
    double sum = 0;
    for (size_t n = first; n < end; n++)
        sum += x[n] * x[n];
    return sqrt(sum / (double)(end - first));
}

Test(air_filter, a_sum_of_products_is_the_exponential)
{
    static const double extent[] = {0, 0.3, 1, 10, 100, 1e3, 1e4, 1e6};
    uint64_t seed = 5;
    for (size_t e = 0; e < sizeof extent / sizeof extent[0]; e++) {
        const double tmax = 15, gmax = extent[e] / tmax;
        struct decay_basis basis;
        MUST(decay_basis_make(gmax, tmax, &basis, &failure));
        for (int trial = 0; trial < 20000; trial++) {
            const double t = tmax * pow(10, test_uniform(&seed, -9, 0));
            const double g = gmax * pow(10, test_uniform(&seed, -9, 0));
            double weight[DECAY_BASIS_RANK], sum = 0;
            decay_basis_weights(&basis, t, weight);
            for (size_t k = 0; k < basis.rank; k++)
                sum += weight[k] * exp(-g * basis.time[k]);
            cr_assert(test_near(sum, exp(-g * t), DECAY_BASIS_DEVIATION), "%g %g: %g", g, t, sum);
        }
    }
}

/* The definition, line by line and sample by sample, for noise over the whole band in damp and in thin air.
 */
Test(air_filter, the_fast_transform_is_the_sum_over_modes)
{
    enum { COUNT = 1500, LENGTH = 8192 }; /* 8192: the power of two above 1500 samples and 0.1 s */
    static const struct air air[] = {{20, 50, 101.325}, {35, 12, 80}, {-5, 70, 101.325}};
    static double x[COUNT], y[COUNT], line[LENGTH], damping[LENGTH];
    for (size_t a = 0; a < 3; a++) {
        uint64_t seed = 17 + a;
        struct air_losses losses;
        air_losses_make(&air[a], &losses);
        for (int n = 0; n < COUNT; n++)
            x[n] = y[n] = test_uniform(&seed, -1, 1);
        for (int q = 0; q < LENGTH; q++) {
            line[q] = 0;
            for (int n = 0; n < COUNT; n++)
                line[q] += (q > 0 ? 2.0 : 1.0) / LENGTH * x[n] * cos(PI * q * (n + 0.5) / LENGTH);
            damping[q] = air_losses_damping(&losses, q * RATE / (2 * LENGTH));
        }
        MUST(air_filter(AIR_MODAL, &air[a], RATE, RATE / 2, y, COUNT, &failure));
        for (int n = 0; n < COUNT; n += 7) {
            double sum = 0;
            for (int q = 0; q < LENGTH; q++)
                sum += line[q] * exp(-damping[q] * n / RATE) * cos(PI * q * (n + 0.5) / LENGTH);
            /* each of the weights' deviations works on what is there, spread a little */
            cr_assert(test_near(y[n], sum, 4 * DECAY_BASIS_DEVIATION), "%d: %g for %g", n, y[n], sum);
        }
    }
}

/* Of exp(-g(w) t), as a filter with 2 `length` lines: no sample that is `away` from the middle is larger than
 * this, by summation by parts, twice. */
static double reach_bound(const struct air *air, double t, size_t length, double away)
{
    struct air_losses losses;
    air_losses_make(air, &losses);
    double sum = 0, last[2] = {0};
    for (size_t k = 0; k <= 2 * length + 1; k++) {
        const size_t q = k % (2 * length), line = q <= length ? q : 2 * length - q;
        const double h = exp(-t * air_losses_damping(&losses, (double)line * RATE / (2 * (double)length)));
        if (k >= 2)
            sum += fabs(h - 2 * last[0] + last[1]);
        last[1] = last[0];
        last[0] = h;
    }
    const double s = sin(PI * away / (2 * (double)length));
    return sum / (4 * s * s) / (2 * (double)length);
}

/* Tones of one second; a tenth of a second from either end only what reaches from there (its sum over all
 * samples beyond, each as large as the bound: integral of 1 / n^2) disturbs them. The fast filter is too loud
 * by the chord's error. */
Test(air_filter, a_single_mode_decays_as_the_standard_says)
{
    enum { COUNT = 48000, EDGE = 4800 };
    static const double tone[] = {63, 250, 1000, 4000, 11300, 19000};
    static double y[COUNT];
    struct air_losses losses;
    air_losses_make(&room, &losses);
    const double step = 512 / RATE;
    for (size_t i = 0; i < sizeof tone / sizeof tone[0]; i++)
        for (int fast = 0; fast < 2; fast++) {
            const double damping = air_losses_damping(&losses, tone[i]);
            for (int n = 0; n < COUNT; n++)
                y[n] = cos(2 * PI * tone[i] * n / RATE);
            MUST(air_filter(both[fast], &room, RATE, RATE / 2, y, COUNT, &failure));
            const double edges = 2 * EDGE * reach_bound(&room, 1, 65536, EDGE);
            const double chord = fast ? damping * damping * step * step / 8 : 0;
            for (int n = EDGE; n < COUNT - EDGE; n++) {
                const double left = exp(-damping * n / RATE), exact = left * cos(2 * PI * tone[i] * n / RATE);
                cr_assert(test_near(y[n], exact, edges + 4 * DECAY_BASIS_DEVIATION + 1.1 * chord * left),
                          "%g Hz, sample %d: %g for %g, edges %g, chord %g", tone[i], n, y[n], exact, edges,
                          chord);
            }
        }
}

Test(air_filter, nothing_precedes_a_sound_by_more_than_its_spread)
{
    enum { COUNT = 96000, AT = 72000 };
    static double y[COUNT];
    for (int fast = 0; fast < 2; fast++) {
        memset(y, 0, sizeof y);
        y[AT] = 1;
        MUST(air_filter(both[fast], &room, RATE, RATE / 2, y, COUNT, &failure));
        for (int away = 24; away < AT; away += away / 4) {
            /* Time goes on while it is spread: what comes earlier has been damped for less long. The filter's
             * mirror image and its period are farther away than AT. */
            const double bound = fmax(reach_bound(&room, (AT - away) / RATE, 131072, away),
                                      reach_bound(&room, AT / RATE, 131072, away));
            for (int n = AT - away - away / 4; n <= AT - away; n++)
                cr_assert(n < 0 || test_at_most(fabs(y[n]), 2 * bound + DECAY_BASIS_DEVIATION),
                          "%d before: %g, bound %g", AT - n, y[n], bound);
        }
        cr_assert(test_at_most(level(y, 0, AT - 480), 1e-6 * level(y, AT - 480, COUNT)), "%g of %g",
                  level(y, 0, AT - 480), level(y, AT - 480, COUNT));
    }
}

Test(air_filter, it_is_linear_and_leaves_silence_and_the_emission_alone)
{
    enum { COUNT = 20000 };
    static double a[COUNT], b[COUNT], sum[COUNT];
    for (int fast = 0; fast < 2; fast++) {
        uint64_t seed = 23;
        for (int n = 0; n < COUNT; n++) {
            a[n] = test_uniform(&seed, -1, 1);
            b[n] = test_uniform(&seed, -1, 1);
            sum[n] = 3 * a[n] - 0.25 * b[n];
        }
        MUST(air_filter(both[fast], &room, RATE, 11300, a, COUNT, &failure));
        MUST(air_filter(both[fast], &room, RATE, 11300, b, COUNT, &failure));
        MUST(air_filter(both[fast], &room, RATE, 11300, sum, COUNT, &failure));
        for (int n = 0; n < COUNT; n++)
            cr_assert(test_near(sum[n], 3 * a[n] - 0.25 * b[n], 1e-12));
        memset(a, 0, sizeof a);
        MUST(air_filter(both[fast], &room, RATE, 11300, a, COUNT, &failure));
        for (int n = 0; n < COUNT; n++)
            cr_assert(a[n] == 0);
        a[0] = 1;
        MUST(air_filter(both[fast], &room, RATE, 11300, a, COUNT, &failure));
        cr_assert(test_near(a[0], 1, 4 * DECAY_BASIS_DEVIATION));
        MUST(air_filter(both[fast], &room, RATE, 11300, a, 0, &failure));
    }
}

/* Noise that dies away by 60 dB in 2 s, each octave's middle half a second at a time: the fast filter against
 * the modal one, in level. */
Test(air_filter, the_fast_filter_is_within_its_chord_of_the_modal_one)
{
    enum { COUNT = 96000, PIECE = 24000 };
    double *modal = malloc(COUNT * sizeof *modal), *fast = malloc(COUNT * sizeof *fast);
    uint64_t seed = 29;
    for (int n = 0; n < COUNT; n++)
        modal[n] = fast[n] = test_uniform(&seed, -1, 1) * exp(-6.9078 * n / RATE / 2);
    struct air_losses losses;
    air_losses_make(&room, &losses);
    MUST(air_filter(AIR_MODAL, &room, RATE, 20000, modal, COUNT, &failure));
    MUST(air_filter(AIR_FAST, &room, RATE, 20000, fast, COUNT, &failure));
    for (int first = 0; first < COUNT; first += PIECE) {
        double error = 0;
        for (int n = first; n < first + PIECE; n++)
            error += (modal[n] - fast[n]) * (modal[n] - fast[n]);
        error = sqrt(error / PIECE) / level(modal, (size_t)first, (size_t)first + PIECE);
        const double worst = pow(air_losses_damping(&losses, 23000) * 512 / RATE, 2) / 8;
        cr_assert(test_at_most(error, worst), "%g of %g", error, worst);
    }
    free(modal);
    free(fast);
}

/* What is above 1.15 fmax is damped as at 1.15 fmax and not more. */
Test(air_filter, losses_end_at_the_band_of_the_low_pass)
{
    enum { COUNT = 48000 };
    static double y[COUNT];
    struct air_losses losses;
    air_losses_make(&room, &losses);
    const double expected = exp(-air_losses_damping(&losses, 1.15 * 2840) * 0.5);
    for (int fast = 0; fast < 2; fast++) {
        for (int n = 0; n < COUNT; n++)
            y[n] = cos(2 * PI * 12000 * n / RATE);
        MUST(air_filter(both[fast], &room, RATE, 2840, y, COUNT, &failure));
        cr_assert(test_near(level(y, 23760, 24240) * sqrt(2), expected, 1e-3), "%g for %g",
                  level(y, 23760, 24240) * sqrt(2), expected);
    }
}
