#include "tests/accuracy/exact/rigid_sphere.h"

#include <math.h>
#include <stdlib.h>

#include "src/response/signal/fourier.h"

#define PI   3.14159265358979323846
#define RATE 48000.0

#define TERMS_MOST 2000

/* The first two of a family of spherical Hankel functions of the second kind. */
static void hankel_begin(double x, double complex h[2])
{
    h[0] = I * cexp(-I * x) / x;
    h[1] = h[0] * (1.0 / x + I);
}

double complex rigid_sphere_pressure(double k, double radius, double distance, double cosine)
{
    const double near = k * radius, far = k * distance;
    double complex at[2], from[2], sum = 0.0;
    double legendre[2] = {1.0, cosine};
    int small = 0;
    hankel_begin(near, at);
    hankel_begin(far, from);
    for (int m = 0; m < TERMS_MOST && small < 3; m++) {
        /* h'_m = m / x h_m - h_(m + 1) */
        const double complex slope = m / near * at[0] - at[1];
        const double complex term = (2 * m + 1) * legendre[0] * from[0] / slope;
        sum += term;
        small = cabs(term) < 1e-13 * cabs(sum) && m > near ? small + 1 : 0;
        const double complex next[2] = {(2 * m + 3) / near * at[1] - at[0],
                                        (2 * m + 3) / far * from[1] - from[0]};
        const double above = ((2 * m + 3) * cosine * legendre[1] - (m + 1) * legendre[0]) / (m + 2);
        at[0] = at[1];
        at[1] = next[0];
        from[0] = from[1];
        from[1] = next[1];
        legendre[0] = legendre[1];
        legendre[1] = above;
    }
    return -sum / (k * radius * radius);
}

/* ---- two ears ---- */

#define LENGTH 16384 /* of the exact response, which has died away long before */

/* A fourth-order Butterworth high-pass of 10 Hz, as every response has it. */
static double complex high_pass_at(double f)
{
    const double complex z = I * f / 10.0;
    return z * z * z * z / ((z * z + 0.76536686473 * z + 1.0) * (z * z + 1.84775906502 * z + 1.0));
}

static double low_pass_at(double f, double fmax)
{
    const double beyond = (f / fmax - 1.0) / 0.15;
    return beyond <= 0.0 ? 1.0 : beyond >= 1.0 ? 0.0 : 0.5 + 0.5 * cos(PI * beyond);
}

static void exact_response(const struct sphere_ears *of, int ear, const struct fourier *fourier,
                           double complex *value)
{
    for (size_t n = 0; n < LENGTH; n++)
        value[n] = 0.0;
    for (size_t n = 1; n < LENGTH / 2; n++) {
        const double f = (double)n * RATE / LENGTH, low = low_pass_at(f, of->fmax);
        if (low == 0.0)
            break;
        value[n] = low * high_pass_at(f) *
                   rigid_sphere_pressure(2.0 * PI * f / of->speed, of->radius, of->distance, of->cosine[ear]);
        value[LENGTH - n] = conj(value[n]);
    }
    fourier_inverse(fourier, value);
}

static double fade(const struct sphere_ears *of, double t)
{
    const double left = (of->until - t) / EARS_FADE;
    return left >= 1.0 ? 1.0 : left <= 0.0 ? 0.0 : 0.5 - 0.5 * cos(PI * left);
}

/* Of a row of samples up to the time, `apart` from one to the next. */
static double complex spectrum(const struct sphere_ears *of, const double *sample, size_t count, double f)
{
    double complex sum = 0.0;
    for (size_t n = 0; n < count; n++)
        sum += sample[n] * fade(of, (double)n / RATE) * cexp(-2.0 * PI * I * f * (double)n / RATE);
    return sum;
}

bool sphere_ears_compare(const struct sphere_ears *of, const float *frames, size_t count,
                         struct ears_heard *heard, size_t frequencies)
{
    struct fourier fourier = {0};
    const size_t most = (size_t)ceil(of->until * RATE), used = count < most ? count : most;
    double complex *value = calloc(LENGTH, sizeof *value);
    double *run = calloc(2 * (used + 1), sizeof *run), *exact = calloc(2 * (used + 1), sizeof *exact);
    const bool made =
        value != NULL && run != NULL && exact != NULL && fourier_make(LENGTH, &fourier, NULL) == 0;
    for (int ear = 0; made && ear < 2; ear++) {
        exact_response(of, ear, &fourier, value);
        for (size_t n = 0; n < used; n++) {
            run[(size_t)ear * used + n] = frames[2 * n + (size_t)ear];
            exact[(size_t)ear * used + n] = creal(value[n]);
        }
    }
    for (size_t k = 0; made && k < frequencies; k++) {
        struct ears_heard *at = &heard[k];
        const double f = at->frequency;
        double complex is[2], should[2];
        for (int ear = 0; ear < 2; ear++) {
            is[ear] = spectrum(of, run + (size_t)ear * used, used, f);
            should[ear] = spectrum(of, exact + (size_t)ear * used, used, f);
        }
        const double complex right = should[0] / should[1], off = is[0] / is[1] / right;
        at->level = 20.0 * log10(cabs(right));
        at->time = carg(right) / (2.0 * PI * f);
        at->level_off = 20.0 * log10(cabs(off));
        at->time_off = carg(off) / (2.0 * PI * f);
        at->ear_off = 20.0 * fmax(fabs(log10(cabs(is[0] / should[0]))), fabs(log10(cabs(is[1] / should[1]))));
    }
    free(value);
    free(run);
    free(exact);
    fourier_free(&fourier);
    return made;
}
