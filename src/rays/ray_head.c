#include "src/rays/ray_head.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/signal/fourier.h"
#include "src/response/signal/response.h"

#define PI         3.14159265358979323846
#define TERMS_MOST 2000
#define TERM_END   1e-12 /* of the sum */
#define LINES      24    /* frequencies of an octave */
#define KERNEL     2048  /* samples of H about the arrival at the centre */

/* The first two spherical Hankel functions. */
static void begin_hankel(double x, double complex h[2])
{
    h[0] = I * cexp(-I * x) / x;
    h[1] = h[0] * (1 / x + I);
}

static void next_hankel(int m, double x, double complex h[2])
{
    const double complex above = (2 * m + 3) / x * h[1] - h[0];
    h[0] = h[1];
    h[1] = above;
}

static double next_legendre(int m, double cosine, double p[2])
{
    const double own = p[0], above = ((2 * m + 3) * cosine * p[1] - (m + 1) * p[0]) / (m + 2);
    p[0] = p[1];
    p[1] = above;
    return own;
}

/* The factors of P_m; how many. */
static int make_terms(double near, double far, double complex *term)
{
    double complex at[2], from[2];
    double most = 0;
    int m = 0;
    begin_hankel(near, at);
    begin_hankel(far, from);
    for (; m < TERMS_MOST; m++) {
        term[m] = (2 * m + 1) * from[0] / (m / near * at[0] - at[1]); /* h'_m = m / x h_m - h_(m + 1) */
        most = fmax(most, cabs(term[m]));
        if (m > near && cabs(term[m]) < TERM_END * most)
            break;
        next_hankel(m, near, at);
        next_hankel(m, far, from);
    }
    return m;
}

void ray_head_at(const struct ray_head *head, double frequency, double distance, size_t count,
                 const double *cosine, double complex *out)
{
    double complex term[TERMS_MOST + 1];
    const double k = 2 * PI * frequency / head->sound_speed, a = head->radius;
    const int terms = make_terms(k * a, k * distance, term);
    const double complex over = -distance * cexp(I * k * distance) / (k * a * a);
    for (size_t c = 0; c < count; c++) {
        double p[2] = {1, cosine[c]};
        double complex sum = 0;
        for (int m = 0; m < terms; m++)
            sum += term[m] * next_legendre(m, cosine[c], p);
        out[c] = over * sum;
    }
}

void ray_head_energy(const struct ray_head *head, double distance, double cosine, double out[RAY_OCTAVES])
{
    for (int o = 0; o < RAY_OCTAVES; o++) {
        out[o] = 0;
        for (int line = 0; line < LINES; line++) {
            const double f = ray_octave_centre(o) * pow(10, 0.3 * ((line + 0.5) / LINES - 0.5));
            double complex h;
            ray_head_at(head, f, distance, 1, &cosine, &h);
            out[o] += (creal(h) * creal(h) + cimag(h) * cimag(h)) / LINES;
        }
    }
}

/* ---- random sound ---- */

/* H of each cell as sound, its middle the arrival at the centre: (cells, KERNEL). */
static int make_kernels(const struct ray_head *head, const struct sound_directions *directions, float *out,
                        struct failure *failure)
{
    const size_t cells = directions->cells, half = KERNEL / 2;
    struct fourier fourier = {0};
    double complex *line = malloc(half * cells * sizeof *line), *value = malloc(KERNEL * sizeof *value);
    double *cosine = malloc(cells * sizeof *cosine);
    int code = line == NULL || value == NULL || cosine == NULL
                   ? failure_memory(failure, half * cells * sizeof *line, "the ears of a head")
                   : fourier_make(KERNEL, &fourier, failure);
    for (size_t c = 0; code == 0 && c < cells; c++) {
        const double *toward = &directions->toward[3 * c];
        cosine[c] = toward[0] * head->ear[0] + toward[1] * head->ear[1] + toward[2] * head->ear[2];
    }
    for (size_t k = 1; code == 0 && k < half; k++)
        ray_head_at(head, (double)k * RESPONSE_RATE / KERNEL, RAY_HEAD_FAR, cells, cosine, &line[k * cells]);
    for (size_t c = 0; code == 0 && c < cells; c++) {
        value[0] = 1;
        value[half] = 0;
        for (size_t k = 1; k < half; k++) {
            value[k] = k % 2 == 0 ? line[k * cells + c] : -line[k * cells + c]; /* later by half */
            value[KERNEL - k] = conj(value[k]);
        }
        fourier_inverse(&fourier, value);
        for (size_t n = 0; n < KERNEL; n++)
            out[c * KERNEL + n] = (float)creal(value[n]);
    }
    fourier_free(&fourier);
    free(line);
    free(value);
    free(cosine);
    return code;
}

/* The sum over cells of sound and kernel. */
static int add_cells(const float *sound, const float *kernel, size_t cells, size_t count, float *out,
                     struct failure *failure)
{
    struct fourier fourier = {0};
    TRY(fourier_make(fourier_length(count + KERNEL), &fourier, failure));
    const size_t length = fourier.length;
    double complex *one = malloc(3 * length * sizeof *one), *other = one + length, *sum = other + length;
    if (one == NULL) {
        fourier_free(&fourier);
        return failure_memory(failure, 3 * length * sizeof *one, "the sound at an ear");
    }
    memset(sum, 0, length * sizeof *sum);
    for (size_t c = 0; c < cells; c++) {
        memset(one, 0, 2 * length * sizeof *one);
        for (size_t n = 0; n < count; n++)
            one[n] = (double)sound[n * cells + c];
        for (size_t n = 0; n < KERNEL; n++)
            other[n] = (double)kernel[c * KERNEL + n];
        fourier_forward(&fourier, one);
        fourier_forward(&fourier, other);
        for (size_t k = 0; k < length; k++)
            sum[k] += one[k] * other[k];
    }
    fourier_inverse(&fourier, sum);
    for (size_t n = 0; n < count; n++)
        out[n] = (float)creal(sum[n + KERNEL / 2]);
    free(one);
    fourier_free(&fourier);
    return 0;
}

int ray_head_sound(const struct ray_head *head, const struct random_sound_task *task, size_t count,
                   float *out, struct failure *failure)
{
    struct random_sound_task apart = *task;
    const size_t cells = task->directions->cells;
    apart.apart = true;
    float *sound = malloc((count * cells + 1) * sizeof *sound),
          *kernel = malloc(cells * KERNEL * sizeof *kernel);
    int code = sound == NULL || kernel == NULL
                   ? failure_memory(failure, count * cells * sizeof *sound, "the sound at an ear")
                   : make_kernels(head, task->directions, kernel, failure);
    if (code == 0)
        code = random_sound_make(&apart, count, sound, failure);
    if (code == 0)
        code = add_cells(sound, kernel, cells, count, out, failure);
    free(sound);
    free(kernel);
    return code;
}
