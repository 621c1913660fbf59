/** Convolves a signal of any length with a response, block by block, by Fourier transforms.
 *
 *     y[n, c] = sum over k of h[k, c] x[n - k]
 *
 * The response is cut into parts of one block each, whose transforms are kept; a block of the signal is
 * transformed once, multiplied with all parts as it grows older, and the sum is transformed back
 * (overlap-save with uniform partitions: Stockham 1966; Gardner, J. Audio Eng. Soc. 43(3), 1995). Memory is
 * that of the response, whatever the signal's length. All in double: the result is that of the sum to 1e-14
 * of its largest terms. */
#ifndef SRC_CONVOLUTION_H
#define SRC_CONVOLUTION_H

#include <stddef.h>

#include "src/response/signal/fourier.h"

/** Zeroed is empty; freed by convolution_free(). */
struct convolution {
    size_t block;           /* frames that convolution_step() takes, a power of two */
    size_t channels;        /* of the response */
    size_t parts;           /* of one block that the response is cut into */
    size_t newest;          /* of `past`: the row of the block that came last */
    struct fourier fourier; /* of length 2 block */
    double complex *part; /* (pairs of channels, parts, 2 block), a pair as real and imaginary part; owned */
    double complex *past; /* (parts, 2 block) transforms of past blocks still in use; in `part` */
    double complex *sum;  /* (2 block); in `part` */
    double *last;         /* (block) the block before; owned */
};

/** @param response (frames, channels) as in struct wav_sound, frames >= 1, channels >= 1; borrowed for the
 * call. FAILURE_CAPACITY without memory: about 48 bytes a frame of a mono response, 32 a channel of others. A
 * block is as long as the response, but 1024 to 65536 frames. */
int convolution_make(const float *response, size_t frames, size_t channels, struct convolution *out,
                     struct failure *failure);
void convolution_free(struct convolution *convolution);

/** The next block: `in` (block) gives `out` (block, channels) of the same times. After the end of the signal
 * blocks of zeros return the remaining response. A block of 65536 frames takes about 10 ms and 1 ms a part.
 */
void convolution_step(struct convolution *convolution, const double *in, double *out);

#endif
