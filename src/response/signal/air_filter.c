#include "src/response/signal/air_filter.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/signal/decay_basis.h"
#include "src/response/signal/fourier.h"
#include "src/response/signal/low_pass.h"

#define PI     3.14159265358979323846
#define PAD    0.1 /* silence after the end, so that sound that is spread beyond it does not come back [s] */
#define STRIDE 16  /* samples between two points of the table of weights, which is interpolated cubically */
#define STEP   0.0128 /* of the fast filter, at most; rounded down to a power of two of samples [s] */
#define STEPS  8      /* to a transform */

/* ---- by modes ---- */

/* All data of one response. */
struct modes {
    size_t length; /* of the transforms */
    size_t lossy;  /* lines below 1.15 fmax; the others are damped as the last of these */
    size_t count;  /* samples of the response */
    struct decay_basis basis;
    struct fourier fourier;
    double *line;            /* (length) spectrum; owned, with the next two */
    double *damping;         /* (lossy) [1/s] */
    double *weight;          /* (points, rank) of the basis at (point - 1) STRIDE samples */
    double complex *value;   /* (length); owned, with the next */
    double complex *quarter; /* (length) exp(j pi q / (2 length)) */
};

static void modes_free(struct modes *modes)
{
    fourier_free(&modes->fourier);
    free(modes->line);
    free(modes->value);
}

static int modes_make(const struct air *air, double rate, double fmax, size_t count, struct modes *out,
                      struct failure *failure)
{
    const size_t length = fourier_length(count + (size_t)ceil(PAD * rate));
    const double spacing = rate / (2.0 * (double)length);
    const double lines = LOW_PASS_STOP_RATIO * fmax / spacing;
    struct air_losses losses;
    air_losses_make(air, &losses);
    out->length = length;
    out->count = count;
    out->lossy = lines < (double)length - 1.0 ? (size_t)lines + 1 : length;
    const double top = air_losses_damping(&losses, spacing * (double)(out->lossy - 1));
    TRY(decay_basis_make(top, (double)count / rate, &out->basis, failure));
    TRY(fourier_make(length, &out->fourier, failure));
    const size_t points = count / STRIDE + 4;
    const size_t reals = length + out->lossy + points * out->basis.rank;
    out->line = malloc(reals * sizeof *out->line);
    out->value = malloc(2 * length * sizeof *out->value);
    if (out->line == NULL || out->value == NULL)
        return failure_memory(failure, (unsigned long long)(length * 4 + reals) * sizeof(double),
                              "the losses of the air");
    out->damping = out->line + length;
    out->weight = out->damping + out->lossy;
    out->quarter = out->value + length;
    for (size_t q = 0; q < out->lossy; q++)
        out->damping[q] = air_losses_damping(&losses, spacing * (double)q);
    for (size_t q = 0; q < length; q++)
        out->quarter[q] =
            cos(0.5 * PI * (double)q / (double)length) + I * sin(0.5 * PI * (double)q / (double)length);
    for (size_t p = 0; p < points; p++)
        decay_basis_weights(&out->basis, ((double)p - 1.0) * STRIDE / rate,
                            out->weight + p * out->basis.rank);
    return 0;
}

/* The place of sample n of a signal of `length` in the transform that makes a cosine transform (Makhoul,
 * IEEE Trans. ASSP 28, 1980): even samples forwards, odd ones backwards. */
static size_t place_of_sample(size_t n, size_t length)
{
    return n % 2 == 0 ? n / 2 : length - (n + 1) / 2;
}

/* line[q] = sum x[n] cos(pi q (n + 1/2) / length) */
static void transform_cosines(struct modes *modes, const double *signal)
{
    memset(modes->value, 0, modes->length * sizeof *modes->value);
    for (size_t n = 0; n < modes->count; n++)
        modes->value[place_of_sample(n, modes->length)] = signal[n];
    fourier_forward(&modes->fourier, modes->value);
    for (size_t q = 0; q < modes->length; q++)
        modes->line[q] = creal(fourier_product(modes->value[q], conj(modes->quarter[q])));
}

/* The signals of two spectra, which are the lines after their decay at two times of the basis: one is the
 * real, the other the imaginary part of `value`, in the order of place_of_sample(). */
static void two_times(struct modes *modes, double first, double second)
{
    const size_t length = modes->length;
    double complex *value = modes->value;
    double a = 0.0, b = 0.0;
    for (size_t q = 0; q < length; q++) {
        if (q < modes->lossy) {
            a = exp(-modes->damping[q] * first);
            b = exp(-modes->damping[q] * second);
        }
        value[q] = modes->line[q] * (a + I * b);
    }
    /* For real signals V[q] = (C[q] - j C[length - q]) exp(j pi q / (2 length)), C[length] = 0. */
    for (size_t q = 1; q <= length / 2; q++) {
        const double complex low = value[q], high = value[length - q];
        value[q] = fourier_product(low - I * high, modes->quarter[q]);
        if (q != length - q)
            value[length - q] = fourier_product(high - I * low, modes->quarter[length - q]);
    }
    fourier_inverse(&modes->fourier, value);
}

/* Lagrange's cubic through the points -1, 0, 1, 2. */
static void cubic_shares(double x, double share[4])
{
    share[0] = -x * (x - 1.0) * (x - 2.0) / 6.0;
    share[1] = (x + 1.0) * (x - 1.0) * (x - 2.0) / 2.0;
    share[2] = -(x + 1.0) * x * (x - 2.0) / 2.0;
    share[3] = (x + 1.0) * x * (x - 1.0) / 6.0;
}

/* Add the result of two_times() in `value`, each with its weight. */
static void add_weighted(const struct modes *modes, size_t first, size_t second, double *signal)
{
    const size_t rank = modes->basis.rank;
    double share[STRIDE][4];
    for (int n = 0; n < STRIDE; n++)
        cubic_shares((double)n / STRIDE, share[n]);
    for (size_t n = 0; n < modes->count; n++) {
        const double *weight = modes->weight + n / STRIDE * rank, *at = share[n % STRIDE];
        double a = 0.0, b = 0.0;
        for (size_t p = 0; p < 4; p++) {
            a += at[p] * weight[p * rank + first];
            b += at[p] * weight[p * rank + second];
        }
        const double complex both = modes->value[place_of_sample(n, modes->length)];
        signal[n] += a * creal(both);
        if (second != first)
            signal[n] += b * cimag(both);
    }
}

static int filter_modal(const struct air *air, double rate, double fmax, double *signal, size_t count,
                        struct failure *failure)
{
    struct modes modes = {0};
    const int code = modes_make(air, rate, fmax, count, &modes, failure);
    if (code == 0) {
        transform_cosines(&modes, signal);
        memset(signal, 0, count * sizeof *signal);
        for (size_t k = 0; k < modes.basis.rank; k += 2) {
            const size_t other = k + 1 < modes.basis.rank ? k + 1 : k;
            two_times(&modes, modes.basis.time[k], modes.basis.time[other]);
            add_weighted(&modes, k, other, signal);
        }
    }
    modes_free(&modes);
    return code;
}

/* ---- step by step ---- */

struct frames {
    size_t step, length; /* samples: of a step; of a transform */
    struct fourier fourier;
    double complex *value; /* (length) */
    double *out;           /* (count); owned, with the next two */
    double *fall;          /* (length / 2 + 1) of each line within a step */
    double *now;           /* (length / 2 + 1) the rest of it at the start of the step */
};

static void frames_free(struct frames *frames)
{
    fourier_free(&frames->fourier);
    free(frames->value);
    free(frames->out);
}

static int frames_make(const struct air *air, double rate, double fmax, size_t count, struct frames *out,
                       struct failure *failure)
{
    struct air_losses losses;
    air_losses_make(air, &losses);
    out->step = fourier_length((size_t)(STEP * rate) / 2 + 1);
    out->length = STEPS * out->step;
    const size_t lines = out->length / 2 + 1;
    TRY(fourier_make(out->length, &out->fourier, failure));
    out->value = malloc(out->length * sizeof *out->value);
    out->out = malloc((count + 2 * lines) * sizeof *out->out);
    if (out->value == NULL || out->out == NULL)
        return failure_memory(failure, (unsigned long long)(count + 3 * out->length) * sizeof(double),
                              "the losses of the air");
    out->fall = out->out + count;
    out->now = out->fall + lines;
    for (size_t q = 0; q < lines; q++) {
        const double f = fmin(rate * (double)q / (double)out->length, LOW_PASS_STOP_RATIO * fmax);
        out->fall[q] = exp(-air_losses_damping(&losses, f) * (double)out->step / rate);
        out->now[q] = 1.0;
    }
    return 0;
}

/* The step that begins at sample `first`: filtered for its start and for its end (the filters are real,
 * so one transform holds both), blended from one to the other. */
static void filter_step(struct frames *frames, const double *signal, size_t count, size_t first)
{
    const size_t length = frames->length, reach = (length - frames->step) / 2;
    double complex *value = frames->value;
    for (size_t m = 0; m < length; m++)
        value[m] = first + m >= reach && first + m - reach < count ? signal[first + m - reach] : 0.0;
    fourier_forward(&frames->fourier, value);
    for (size_t q = 0; q <= length / 2; q++) {
        const double complex both = frames->now[q] * (1.0 + I * frames->fall[q]);
        value[q] = fourier_product(value[q], both);
        if (q != 0 && q != length / 2)
            value[length - q] = fourier_product(value[length - q], both);
        frames->now[q] *= frames->fall[q];
    }
    fourier_inverse(&frames->fourier, value);
    for (size_t m = 0; m < frames->step && first + m < count; m++) {
        const double along = (double)m / (double)frames->step;
        const double complex both = value[reach + m];
        frames->out[first + m] = creal(both) + along * (cimag(both) - creal(both));
    }
}

static int filter_fast(const struct air *air, double rate, double fmax, double *signal, size_t count,
                       struct failure *failure)
{
    struct frames frames = {0};
    const int code = frames_make(air, rate, fmax, count, &frames, failure);
    if (code == 0) {
        for (size_t first = 0; first < count; first += frames.step)
            filter_step(&frames, signal, count, first);
        memcpy(signal, frames.out, count * sizeof *signal);
    }
    frames_free(&frames);
    return code;
}

int air_filter(enum air_method method, const struct air *air, double rate, double fmax, double *signal,
               size_t count, struct failure *failure)
{
    if (method == AIR_OFF || count == 0)
        return 0;
    return (method == AIR_MODAL ? filter_modal : filter_fast)(air, rate, fmax, signal, count, failure);
}
