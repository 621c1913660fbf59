/* The filters of octaves and thirds of the decay figures, by their transfer function and by what they do to a
 * decay. */
#include <complex.h>

#include "src/response/acoustics/octave_edges.h"
#include "src/response/signal/band_filters.h"
#include "tests/support/test_support.h"

#define PI   3.14159265358979323846
#define RATE 48000.0

static double attenuation(enum band_kind kind, double centre, double rate, int order, double f)
{
    struct biquad section[BAND_FILTER_ORDER];
    band_filter_make(kind, centre, rate, order, section);
    const double complex delay = cexp(-2 * PI * I * f / rate);
    double complex value = 1;
    for (int s = 0; s < order; s++)
        value *= (section[s].b0 + (section[s].b1 + section[s].b2 * delay) * delay) /
                 (1 + (section[s].a1 + section[s].a2 * delay) * delay);
    return -20 * log10(cabs(value));
}

/* IEC 61260-1:2014, class 1: the attenuation at G^(+-x) of the middle lies between least and most, in between
 * on straight lines over lg f; G = 10^0.3. Inside the edges it may be anything from -0.4 dB to 5.3 dB there.
 * A limit of octaves at W times the middle is one of thirds at 1 + (G^(1/6) - 1) / (G^(1/2) - 1) (W - 1). */
static void expect_class_1(enum band_kind kind, double centre)
{
    enum { LIMITS = 10, STEPS = 1800 };
    static const double of_octave[LIMITS] = {0, 0.125, 0.25, 0.375, 0.5, 0.5, 1, 2, 3, 4};
    static const double least[LIMITS] = {-0.4, -0.4, -0.4, -0.4, -0.4, 1.2, 16.6, 40.5, 60, 70};
    static const double most[LIMITS] = {0.4, 0.5, 0.7, 1.4, 5.3, 1e9, 1e9, 1e9, 1e9, 1e9};
    const double narrower = (pow(10, 0.05) - 1) / (pow(10, 0.15) - 1);
    double at[LIMITS];
    for (int n = 0; n < LIMITS; n++)
        at[n] = kind == BANDS_OCTAVE ? of_octave[n]
                                     : log10(1 + narrower * (pow(10, 0.3 * of_octave[n]) - 1)) / 0.3;
    for (int i = -STEPS; i <= STEPS; i++) {
        const double x = 4.5 * abs(i) / STEPS, f = centre * pow(10, 0.3 * 4.5 * i / STEPS);
        if (f >= 0.499 * RATE || fabs(x - at[4]) < 1e-9)
            continue;
        int n = 0;
        while (n < 8 && !(x >= at[n] && x < at[n + 1]))
            n++;
        const double part = x < at[9] ? (x - at[n]) / (at[n + 1] - at[n]) : 0;
        const int low = x < at[9] ? n : 9, high = x < at[9] ? n + 1 : 9;
        const double a = attenuation(kind, centre, RATE, BAND_FILTER_ORDER, f);
        cr_assert(a >= least[low] + part * (least[high] - least[low]) &&
                      a <= most[low] + part * (most[high] - most[low]),
                  "band %g, %g Hz: %g dB", centre, f, a);
    }
}

static void expect_all_class_1(enum band_kind kind, size_t count)
{
    struct bands bands;
    bands_make(kind, 11300, &bands);
    cr_assert(bands.count == count);
    for (size_t b = 0; b < bands.count; b++)
        expect_class_1(kind, bands.centre[b]);
}

Test(band_filters, every_octave_from_63_Hz_to_8_kHz_is_class_1)
{
    expect_all_class_1(BANDS_OCTAVE, 8);
}

Test(band_filters, every_third_from_50_Hz_to_10_kHz_is_class_1)
{
    expect_all_class_1(BANDS_THIRD, 24);
}

Test(band_filters, three_thirds_have_the_edges_of_their_octave_and_the_names_of_the_standard)
{
    static const int name[BANDS_MAX] = {50,   63,   80,   100,  125,  160,   200,   250,   315,
                                        400,  500,  630,  800,  1000, 1250,  1600,  2000,  2500,
                                        3150, 4000, 5000, 6300, 8000, 10000, 12500, 16000, 20000};
    struct bands octaves, thirds;
    bands_make(BANDS_OCTAVE, 22387.3, &octaves);
    bands_make(BANDS_THIRD, 22387.3, &thirds);
    cr_assert(octaves.count == OCTAVE_BANDS_MAX && thirds.count == BANDS_MAX);
    for (size_t t = 0; t < BANDS_MAX; t++)
        cr_expect(eq(int, band_nominal(thirds.centre[t]), name[t]));
    for (size_t b = 0; b < OCTAVE_BANDS_MAX; b++) {
        double width = 0;
        for (size_t t = 3 * b; t < 3 * b + 3; t++)
            width += band_width(BANDS_THIRD, thirds.centre[t]);
        cr_expect(test_near(thirds.centre[3 * b + 1] / octaves.centre[b], 1, 1e-12));
        cr_expect(test_near(width / band_width(BANDS_OCTAVE, octaves.centre[b]), 1, 1e-12));
    }
    bands_make(BANDS_THIRD, 177, &thirds); /* the third of 160 Hz ends with the octave of 125 Hz */
    cr_expect(eq(sz, thirds.count, 6));
}

/* Butterworth of order n each side: |H|^2 = 1 / (1 + x^2n), x the distance from the middle on the bilinear
 * axis; so both edges are 3 dB down. */
Test(band_filters, a_band_is_a_butterworth_between_its_edges)
{
    static const double rates[] = {2.3, 4, 18.2, 300, 4000}; /* over the upper edge */
    const double centre = 1000, low = centre * pow(10, -0.15), high = centre * pow(10, 0.15);
    cr_assert(test_near(band_width(BANDS_OCTAVE, centre), 0.704592 * centre, 1e-5 * centre));
    for (int order = 3; order <= BAND_FILTER_ORDER; order++)
        for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
            const double rate = rates[r] * high, a = tan(PI * low / rate), b = tan(PI * high / rate);
            cr_assert(test_near(attenuation(BANDS_OCTAVE, centre, rate, order, low), 10 * log10(2), 1e-5));
            cr_assert(test_near(attenuation(BANDS_OCTAVE, centre, rate, order, high), 10 * log10(2), 1e-5));
            for (double f = 0.1 * centre; f < 0.49 * rate && f < 20 * centre; f *= 1.1) {
                const double t = tan(PI * f / rate), x = (t * t - a * b) / (t * (b - a));
                const double found = attenuation(BANDS_OCTAVE, centre, rate, order, f),
                             expected = 10 * log10(1 + pow(x, 2 * order));
                cr_assert(test_near(found, expected, 1e-4), "order %d, rate %g, %g Hz: %g for %g dB", order,
                          rate, f, found, expected);
            }
        }
}

/* exp(-t / tau) cos(w t) is exp(-t / tau) cos(w t + phase) times a constant as long as nothing is missing at
 * the end: faster than the filter itself rings (tau pi B = 0.8), nothing is left of forward filtering. */
Test(band_filters, a_decay_stays_the_same_decay_after_its_onset)
{
    enum { COUNT = 12000, ONSET = 4800 };
    const double centre = 1000, tau = 0.8 / (PI * band_width(BANDS_OCTAVE, centre));
    static float sample[COUNT];
    static double out[COUNT];
    for (int n = ONSET; n < COUNT; n++)
        sample[n] = (float)(exp(-(n - ONSET) / RATE / tau) * cos(2 * PI * centre * (n - ONSET) / RATE));
    band_filter_backwards(BANDS_OCTAVE, sample, COUNT, RATE, centre, out);
    const double tone = exp(-1 / RATE / tau), period = RATE / centre; /* 48 samples: the same phase */
    for (int n = ONSET; n < ONSET + 200; n++)
        cr_assert(test_near(out[n + 48] / out[n], pow(tone, period), 1e-4) ||
                      fabs(out[n]) < 1e-3 * fabs(out[ONSET]),
                  "%d: %g for %g", n, out[n + 48] / out[n], pow(tone, period));
}

Test(band_filters, it_rings_before_and_is_silent_after_and_earlier)
{
    enum { COUNT = 48000, AT = 24000 };
    static float sample[COUNT];
    static double out[COUNT];
    sample[AT] = 1;
    for (int b = -4; b <= 3; b++) {
        const double centre = 1000 * pow(10, 0.3 * b);
        band_filter_backwards(BANDS_OCTAVE, sample, COUNT, RATE, centre, out);
        double inside = 0, earlier = 0;
        for (int n = 0; n < COUNT; n++) {
            cr_assert(n <= AT || out[n] == 0);
            *(n < AT - band_ringing(BANDS_OCTAVE, centre) * RATE ? &earlier : &inside) += out[n] * out[n];
        }
        cr_assert(test_at_most(earlier, 1e-3 * inside), "%g Hz: %g of %g", centre, earlier, inside);
    }
}
