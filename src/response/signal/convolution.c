#include "src/response/signal/convolution.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_LEAST 1024
#define BLOCK_MOST  65536

void convolution_free(struct convolution *convolution)
{
    fourier_free(&convolution->fourier);
    free(convolution->part);
    free(convolution->last);
    *convolution = (struct convolution){0};
}

static size_t pairs_of(size_t channels)
{
    return (channels + 1) / 2;
}

/* The transform of one part of two channels. */
static void make_part(struct convolution *made, const float *response, size_t frames, size_t pair,
                      size_t part)
{
    const size_t length = 2 * made->block, channels = made->channels, first = part * made->block;
    double complex *value = made->part + (pair * made->parts + part) * length;
    for (size_t n = 0; n < length; n++) {
        const float *frame = n < made->block && first + n < frames ? response + (first + n) * channels : NULL;
        const double real = frame != NULL ? frame[2 * pair] : 0.0;
        const double imaginary = frame != NULL && 2 * pair + 1 < channels ? frame[2 * pair + 1] : 0.0;
        value[n] = real + I * imaginary;
    }
    fourier_forward(&made->fourier, value);
}

int convolution_make(const float *response, size_t frames, size_t channels, struct convolution *out,
                     struct failure *failure)
{
    assert(frames > 0 && channels > 0);
    struct convolution made = {.channels = channels};
    const size_t whole = fourier_length(frames);
    made.block = whole < BLOCK_LEAST ? BLOCK_LEAST : whole > BLOCK_MOST ? BLOCK_MOST : whole;
    made.parts = (frames - 1) / made.block + 1;
    const size_t length = 2 * made.block, pairs = pairs_of(channels);
    const size_t values = ((pairs + 1) * made.parts + 1) * length;
    TRY(fourier_make(length, &made.fourier, failure));
    made.part = calloc(values, sizeof *made.part);
    made.last = calloc(made.block, sizeof *made.last);
    if (made.part == NULL || made.last == NULL) {
        convolution_free(&made);
        return failure_memory(failure, (unsigned long long)(values * sizeof *made.part),
                              "convolution with a response");
    }
    made.past = made.part + pairs * made.parts * length;
    made.sum = made.past + made.parts * length;
    for (size_t pair = 0; pair < pairs; pair++)
        for (size_t part = 0; part < made.parts; part++)
            make_part(&made, response, frames, pair, part);
    *out = made;
    return 0;
}

/* Two channels of the block: what every part of the response still makes of its block of the signal. */
static void sum_parts(struct convolution *convolution, size_t pair)
{
    const size_t length = 2 * convolution->block, parts = convolution->parts;
    memset(convolution->sum, 0, length * sizeof *convolution->sum);
    for (size_t part = 0; part < parts; part++) {
        const double complex *response = convolution->part + (pair * parts + part) * length;
        const double complex *signal =
            convolution->past + (convolution->newest + parts - part) % parts * length;
        for (size_t n = 0; n < length; n++)
            convolution->sum[n] += fourier_product(response[n], signal[n]);
    }
    fourier_inverse(&convolution->fourier, convolution->sum);
}

void convolution_step(struct convolution *convolution, const double *in, double *out)
{
    const size_t block = convolution->block, channels = convolution->channels;
    convolution->newest = (convolution->newest + 1) % convolution->parts;
    double complex *value = convolution->past + convolution->newest * 2 * block;
    for (size_t n = 0; n < block; n++) {
        value[n] = convolution->last[n];
        value[block + n] = in[n];
    }
    memcpy(convolution->last, in, block * sizeof *in);
    fourier_forward(&convolution->fourier, value);
    for (size_t pair = 0; pair < pairs_of(channels); pair++) {
        sum_parts(convolution, pair);
        /* The first half is what wraps around; the second is whole. */
        for (size_t n = 0; n < block; n++) {
            out[n * channels + 2 * pair] = creal(convolution->sum[block + n]);
            if (2 * pair + 1 < channels)
                out[n * channels + 2 * pair + 1] = cimag(convolution->sum[block + n]);
        }
    }
}
