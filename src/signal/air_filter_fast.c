#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/signal/air_filter.h"
#include "src/signal/fourier.h"
#include "src/signal/low_pass.h"

#define STEP  0.0128 /* at most; rounded down to a power of two of samples [s] */
#define STEPS 8      /* to a transform */

struct frames {
    size_t step, length; /* samples: of a step; of a transform */
    struct fourier fourier;
    double complex *value; /* (length) */
    double *fall;          /* (length / 2 + 1) of each line within a step */
    double *now;           /* (length / 2 + 1) what is left of it at the start of the step */
    double *out;           /* (count) */
};

static void frames_free(struct frames *frames)
{
    fourier_free(&frames->fourier);
    free(frames->value);
    free(frames->fall);
    free(frames->now);
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
    out->fall = malloc(lines * sizeof *out->fall);
    out->now = malloc(lines * sizeof *out->now);
    out->out = malloc(count * sizeof *out->out);
    if (!out->value || !out->fall || !out->now || !out->out)
        return failure_memory(failure, (unsigned long long)(count + 3 * out->length) * sizeof(double),
                              "the losses of the air");
    for (size_t q = 0; q < lines; q++) {
        const double f = fmin(rate * (double)q / (double)out->length, LOW_PASS_STOP_RATIO * fmax);
        out->fall[q] = exp(-air_losses_damping(&losses, f) * (double)out->step / rate);
        out->now[q] = 1.0;
    }
    return 0;
}

/* The step that begins at sample `first`: filtered as its start and as its end ask for (the filters are real,
 * so one transform holds both), blended from one to the other. */
static void step(struct frames *frames, const double *signal, size_t count, size_t first)
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

int air_filter_fast(const struct air *air, double rate, double fmax, double *signal, size_t count,
                    struct failure *failure)
{
    struct frames frames = {0};
    if (count == 0)
        return 0;
    const int code = frames_make(air, rate, fmax, count, &frames, failure);
    if (code == 0) {
        for (size_t first = 0; first < count; first += frames.step)
            step(&frames, signal, count, first);
        memcpy(signal, frames.out, count * sizeof *signal);
    }
    frames_free(&frames);
    return code;
}
