/* A signal through a response, against the sum that defines it. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdlib.h>

#include "src/signal/convolution.h"
#include "tests/support/outcome.h"
#include "tests/support/test_support.h"

/* The signal through the response, as long as it sounds; owned by the caller. */
static double *convolve(const float *response, size_t frames, size_t channels, const double *signal,
                        size_t count)
{
    struct convolution convolution = {0};
    MUST(convolution_make(response, frames, channels, &convolution, &failure));
    const size_t block = convolution.block, whole = count + frames - 1;
    const size_t blocks = (whole - 1) / block + 1;
    double *in = calloc(blocks * block, sizeof *in), *out = calloc(blocks * block * channels, sizeof *out);
    for (size_t n = 0; n < count; n++)
        in[n] = signal[n];
    for (size_t b = 0; b < blocks; b++)
        convolution_step(&convolution, in + b * block, out + b * block * channels);
    convolution_free(&convolution);
    free(in);
    return out;
}

static double *noise(size_t count, uint64_t seed)
{
    double *sample = malloc(count * sizeof *sample);
    for (size_t n = 0; n < count; n++)
        sample[n] = test_uniform(&seed, -1.0, 1.0);
    return sample;
}

static float *noise_response(size_t frames, size_t channels, uint64_t seed)
{
    float *sample = malloc(frames * channels * sizeof *sample);
    for (size_t n = 0; n < frames * channels; n++)
        sample[n] = (float)test_uniform(&seed, -1.0, 1.0);
    return sample;
}

/* Lengths around the blocks of 1024: shorter, equal, one more; and several parts of 65536. */
Test(convolution, is_the_sum_that_defines_it_for_any_length_and_number_of_channels)
{
    static const struct {
        size_t frames, channels, count;
    } cases[] = {{1, 1, 1},       {1023, 1, 3000}, {1024, 2, 1024}, {1025, 3, 1},
                 {2048, 4, 5000}, {7, 1, 4097},    {140000, 1, 300}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t frames = cases[i].frames, channels = cases[i].channels, count = cases[i].count;
        float *response = noise_response(frames, channels, 3 + i);
        double *signal = noise(count, 17 + i), *out = convolve(response, frames, channels, signal, count);
        double worst = 0;
        for (size_t n = 0; n<count + frames - 1; n += frames> 100000 ? 101 : 1)
            for (size_t c = 0; c < channels; c++) {
                double sum = 0;
                for (size_t k = n + 1 > count ? n + 1 - count : 0; k < frames && k <= n; k++)
                    sum += response[k * channels + c] * signal[n - k];
                worst = fmax(worst, fabs(sum - out[n * channels + c]));
            }
        cr_assert(test_at_most(worst, 1e-11), "%zu frames of %zu channels: off by %g", frames, channels,
                  worst);
        free(response);
        free(signal);
        free(out);
    }
}

Test(convolution, a_single_sample_delays_and_scales)
{
    enum { COUNT = 3000, DELAY = 70000 };
    float *response = calloc(DELAY + 1, sizeof *response);
    response[DELAY] = -0.25f;
    double *signal = noise(COUNT, 5), *out = convolve(response, DELAY + 1, 1, signal, COUNT);
    for (size_t n = 0; n < COUNT + DELAY; n++)
        cr_assert(test_at_most(fabs(out[n] - (n < DELAY ? 0.0 : -0.25 * signal[n - DELAY])), 1e-14));
    free(response);
    free(signal);
    free(out);
}

Test(convolution, is_linear_in_the_signal)
{
    enum { FRAMES = 3000, COUNT = 2000 };
    float *response = noise_response(FRAMES, 1, 8);
    double *a = noise(COUNT, 1), *b = noise(COUNT, 2), *both = malloc(COUNT * sizeof *both);
    for (size_t n = 0; n < COUNT; n++)
        both[n] = 3.0 * a[n] - b[n];
    double *of_a = convolve(response, FRAMES, 1, a, COUNT), *of_b = convolve(response, FRAMES, 1, b, COUNT),
           *of_both = convolve(response, FRAMES, 1, both, COUNT);
    for (size_t n = 0; n < COUNT + FRAMES - 1; n++)
        cr_assert(test_at_most(fabs(of_both[n] - 3.0 * of_a[n] + of_b[n]), 1e-11));
    free(response);
    free(a);
    free(b);
    free(both);
    free(of_a);
    free(of_b);
    free(of_both);
}
