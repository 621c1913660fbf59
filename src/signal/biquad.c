#include "src/signal/biquad.h"

#include <complex.h>
#include <math.h>

#define PI 3.14159265358979323846

void biquad_octave(double centre, double rate, struct biquad section[OCTAVE_SECTIONS])
{
    const double half_octave = pow(10.0, 0.15);
    const double low = tan(PI * centre / half_octave / rate);
    const double high = tan(PI * centre * half_octave / rate);
    const double middle2 = low * high, width = high - low;
    /* s -> (s^2 + middle2) / (width s) in the third-order low-pass 1 / ((s + 1)(s - p)(s - p*)). The real
     * factor becomes one section; the two poles that p becomes make one each, together with their conjugates.
     */
    const double complex p = cexp(I * 2.0 * PI / 3.0);
    const double complex root = csqrt(p * p * width * width - 4.0 * middle2);
    const double complex pole[2] = {0.5 * (p * width + root), 0.5 * (p * width - root)};
    const double damping[OCTAVE_SECTIONS] = {width, -2.0 * creal(pole[0]), -2.0 * creal(pole[1])};
    const double square[OCTAVE_SECTIONS] = {middle2, creal(pole[0] * conj(pole[0])),
                                            creal(pole[1] * conj(pole[1]))};
    for (int n = 0; n < OCTAVE_SECTIONS; n++) {
        /* width s / (s^2 + damping s + square) */
        const double norm = 1.0 + damping[n] + square[n];
        section[n] = (struct biquad){
            .b0 = width / norm,
            .b1 = 0.0,
            .b2 = -width / norm,
            .a1 = 2.0 * (square[n] - 1.0) / norm,
            .a2 = (1.0 - damping[n] + square[n]) / norm,
        };
    }
}
