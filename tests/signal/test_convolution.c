/* A signal through a response, against the sum that defines it. */
#include "src/response/signal/convolution.h"
#include "tests/support/outcome.h"

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

/* Lengths around the blocks of 1024: shorter, equal, one more; and several parts of 65536. It is linear and
 * delays as a sum does. */
Test(convolution, is_the_sum_that_defines_it_for_any_length_and_number_of_channels)
{
    static const struct {
        size_t frames, channels, count;
    } cases[] = {{1, 1, 1},       {1023, 1, 3000}, {1024, 2, 1024},  {1025, 3, 1},
                 {2048, 4, 5000}, {7, 1, 4097},    {70001, 1, 1000}, {140000, 1, 300}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t frames = cases[i].frames, channels = cases[i].channels, count = cases[i].count;
        uint64_t seed = 3 + i;
        float *response = malloc(frames * channels * sizeof *response);
        double *signal = malloc(count * sizeof *signal);
        for (size_t n = 0; n < frames * channels; n++)
            response[n] = (float)test_uniform(&seed, -1.0, 1.0);
        for (size_t n = 0; n < count; n++)
            signal[n] = test_uniform(&seed, -1.0, 1.0);
        double *out = convolve(response, frames, channels, signal, count);
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
