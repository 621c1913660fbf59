/* The octave filters of the decay figures, by their transfer function and by what they do to a decay. */
#include <complex.h>

#include "src/response/acoustics/octave_decay.h"
#include "src/response/signal/octave_filters.h"
#include "tests/support/test_support.h"

#define PI   3.14159265358979323846
#define RATE 48000.0

static double attenuation(double centre, double rate, int order, double f)
{
    struct biquad section[OCTAVE_FILTER_ORDER];
    octave_filter_make(centre, rate, order, section);
    const double complex delay = cexp(-2 * PI * I * f / rate);
    double complex value = 1;
    for (int s = 0; s < order; s++)
        value *= (section[s].b0 + (section[s].b1 + section[s].b2 * delay) * delay) /
                 (1 + (section[s].a1 + section[s].a2 * delay) * delay);
    return -20 * log10(cabs(value));
}

/* IEC 61260-1:2014, class 1: the attenuation at G^(+-x) of the middle lies between least and most, in between
 * on straight lines over lg f. Inside the edges it may be anything from -0.4 dB to 5.3 dB there. */
Test(octave_filters, every_octave_from_63_Hz_to_8_kHz_is_class_1)
{
    static const double at[] = {0, 0.125, 0.25, 0.375, 0.5, 0.5, 1, 2, 3, 4};
    static const double least[] = {-0.4, -0.4, -0.4, -0.4, -0.4, 1.2, 16.6, 40.5, 60, 70};
    static const double most[] = {0.4, 0.5, 0.7, 1.4, 5.3, 1e9, 1e9, 1e9, 1e9, 1e9};
    double centre[OCTAVE_BANDS_MAX];
    cr_assert(octave_centres(11300, centre) == 8);
    for (int b = 0; b < 8; b++) {
        for (int i = -450; i <= 450; i++) {
            const double x = fabs(i / 100.0), f = centre[b] * pow(10, 0.3 * i / 100.0);
            if (f >= 0.499 * RATE || i == 50 || i == -50)
                continue;
            int n = 0;
            while (n < 8 && !(x >= at[n] && x < at[n + 1]))
                n++;
            const double part = x < 4 ? (x - at[n]) / (at[n + 1] - at[n]) : 0;
            const int low = x < 4 ? n : 9, high = x < 4 ? n + 1 : 9;
            const double a = attenuation(centre[b], RATE, OCTAVE_FILTER_ORDER, f);
            cr_assert(a >= least[low] + part * (least[high] - least[low]) &&
                          a <= most[low] + part * (most[high] - most[low]),
                      "octave %g, %g Hz: %g dB", centre[b], f, a);
        }
    }
}

/* Butterworth of order n each side: |H|^2 = 1 / (1 + x^2n), x the distance from the middle on the bilinear
 * axis; so both edges are 3 dB down. */
Test(octave_filters, a_band_is_a_butterworth_between_its_edges)
{
    static const double rates[] = {2.3, 4, 18.2, 300, 4000}; /* over the upper edge */
    const double centre = 1000, low = centre * pow(10, -0.15), high = centre * pow(10, 0.15);
    cr_assert(test_near(octave_bandwidth(centre), 0.704592 * centre, 1e-5 * centre));
    for (int order = OCTAVE_DECAY_ORDER; order <= OCTAVE_FILTER_ORDER; order++)
        for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
            const double rate = rates[r] * high, a = tan(PI * low / rate), b = tan(PI * high / rate);
            cr_assert(test_near(attenuation(centre, rate, order, low), 10 * log10(2), 1e-5));
            cr_assert(test_near(attenuation(centre, rate, order, high), 10 * log10(2), 1e-5));
            for (double f = 0.1 * centre; f < 0.49 * rate && f < 20 * centre; f *= 1.1) {
                const double t = tan(PI * f / rate), x = (t * t - a * b) / (t * (b - a));
                const double found = attenuation(centre, rate, order, f),
                             expected = 10 * log10(1 + pow(x, 2 * order));
                cr_assert(test_near(found, expected, 1e-4), "order %d, rate %g, %g Hz: %g for %g dB", order,
                          rate, f, found, expected);
            }
        }
}

/* exp(-t / tau) cos(w t) is exp(-t / tau) cos(w t + phase) times a constant as long as nothing is missing at
 * the end: faster than the filter itself rings (tau pi B = 0.8), nothing is left of forward filtering. */
Test(octave_filters, a_decay_stays_the_same_decay_after_its_onset)
{
    enum { COUNT = 12000, ONSET = 4800 };
    const double centre = 1000, tau = 0.8 / (PI * octave_bandwidth(centre));
    static float sample[COUNT];
    static double out[COUNT];
    for (int n = ONSET; n < COUNT; n++)
        sample[n] = (float)(exp(-(n - ONSET) / RATE / tau) * cos(2 * PI * centre * (n - ONSET) / RATE));
    octave_filter_backwards(sample, COUNT, RATE, centre, out);
    const double tone = exp(-1 / RATE / tau), period = RATE / centre; /* 48 samples: the same phase */
    for (int n = ONSET; n < ONSET + 200; n++)
        cr_assert(test_near(out[n + 48] / out[n], pow(tone, period), 1e-4) ||
                      fabs(out[n]) < 1e-3 * fabs(out[ONSET]),
                  "%d: %g for %g", n, out[n + 48] / out[n], pow(tone, period));
}

Test(octave_filters, it_rings_before_and_is_silent_after_and_earlier)
{
    enum { COUNT = 48000, AT = 24000 };
    static float sample[COUNT];
    static double out[COUNT];
    sample[AT] = 1;
    for (int b = -4; b <= 3; b++) {
        const double centre = 1000 * pow(10, 0.3 * b);
        octave_filter_backwards(sample, COUNT, RATE, centre, out);
        double inside = 0, earlier = 0;
        for (int n = 0; n < COUNT; n++) {
            cr_assert(n <= AT || out[n] == 0);
            *(n < AT - octave_ringing(centre) * RATE ? &earlier : &inside) += out[n] * out[n];
        }
        cr_assert(test_at_most(earlier, 1e-3 * inside), "%g Hz: %g of %g", centre, earlier, inside);
    }
}
