#include "src/response/signal/octave_filters.h"

#include <complex.h>
#include <math.h>

#define PI 3.14159265358979323846

double octave_bandwidth(double centre)
{
    return centre * (pow(10.0, 0.15) - pow(10.0, -0.15));
}

double octave_ringing(double centre)
{
    /* The slowest poles are at -sin(22.5 degrees) of half the bandwidth: exp(-0.383 pi B t), e^-4.8 here. */
    return 4.0 / octave_bandwidth(centre);
}

/* width s / (s^2 + damping s + square), s = (1 - z) / (1 + z) */
static struct biquad bilinear_section(double width, double damping, double square)
{
    const double norm = 1.0 + damping + square;
    return (struct biquad){
        .b0 = width / norm,
        .b1 = 0.0,
        .b2 = -width / norm,
        .a1 = 2.0 * (square - 1.0) / norm,
        .a2 = (1.0 - damping + square) / norm,
    };
}

/* Edges as the bilinear transform has them. */
static void band_pass(double low, double high, int order, struct biquad *section)
{
    const double middle2 = low * high, width = high - low;
    /* s -> (s^2 + middle2) / (width s) makes one section of the low-pass's real pole, and two poles of each
     * pole p of its upper half plane: one section for each of them and its conjugate. */
    if (order % 2 != 0)
        *section++ = bilinear_section(width, width, middle2);
    for (int k = 0; k < order / 2; k++) {
        const double complex p = cexp(I * PI * (order + 1 + 2 * k) / (2.0 * order));
        const double complex root = csqrt(p * p * width * width - 4.0 * middle2);
        for (int sign = 1; sign >= -1; sign -= 2) {
            const double complex pole = 0.5 * (p * width + sign * root);
            *section++ = bilinear_section(width, -2.0 * creal(pole), creal(pole * conj(pole)));
        }
    }
}

void octave_filter_make(double centre, double rate, int order, struct biquad *section)
{
    const double half_octave = pow(10.0, 0.15);
    band_pass(tan(PI * centre / half_octave / rate), tan(PI * centre * half_octave / rate), order, section);
}

void octave_filter_between(const double edge[2], double rate, int order, struct biquad *section)
{
    band_pass(tan(PI * edge[0] / rate), tan(PI * edge[1] / rate), order, section);
}

void octave_filter_backwards(const float *sample, size_t count, double rate, double centre, double *out)
{
    struct biquad section[OCTAVE_FILTER_ORDER];
    octave_filter_make(centre, rate, OCTAVE_FILTER_ORDER, section);
    for (size_t n = count; n-- > 0;) {
        double x = (double)sample[n];
        for (int s = 0; s < OCTAVE_FILTER_ORDER; s++)
            x = biquad_step(&section[s], x);
        out[n] = x;
    }
}
