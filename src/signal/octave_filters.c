#include "src/signal/octave_filters.h"

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

void octave_filter_make(double centre, double rate, struct biquad section[OCTAVE_FILTER_SECTIONS])
{
    const double half_octave = pow(10.0, 0.15);
    const double low = tan(PI * centre / half_octave / rate);
    const double high = tan(PI * centre * half_octave / rate);
    const double middle2 = low * high, width = high - low;
    /* s -> (s^2 + middle2) / (width s) makes two poles of each pole p of the fourth-order low-pass; one
     * section for each of them and its conjugate. */
    for (int n = 0; n < OCTAVE_FILTER_SECTIONS; n++) {
        const double complex p = cexp(I * PI * (n < 2 ? 5.0 : 7.0) / 8.0);
        const double complex root = csqrt(p * p * width * width - 4.0 * middle2);
        const double complex pole = 0.5 * (p * width + (n % 2 == 0 ? root : -root));
        /* width s / (s^2 + damping s + square) */
        const double damping = -2.0 * creal(pole), square = creal(pole * conj(pole));
        const double norm = 1.0 + damping + square;
        section[n] = (struct biquad){
            .b0 = width / norm,
            .b1 = 0.0,
            .b2 = -width / norm,
            .a1 = 2.0 * (square - 1.0) / norm,
            .a2 = (1.0 - damping + square) / norm,
        };
    }
}

void octave_filter_backwards(const float *sample, size_t count, double rate, double centre, double *out)
{
    struct biquad section[OCTAVE_FILTER_SECTIONS];
    octave_filter_make(centre, rate, section);
    for (size_t n = count; n-- > 0;) {
        double x = (double)sample[n];
        for (int s = 0; s < OCTAVE_FILTER_SECTIONS; s++)
            x = biquad_step(&section[s], x);
        out[n] = x;
    }
}
