#include "src/response/acoustics/kept_response.h"

#include <math.h>
#include <samplerate.h>
#include <stdlib.h>

#define SAMPLES_A_PERIOD 4.0   /* of fmax, at least */
#define RATE_LEAST       200.0 /* [Hz]: libsamplerate converts by at most 256 */

size_t kept_every(double highest)
{
    const double least = fmax(SAMPLES_A_PERIOD * highest, RATE_LEAST);
    size_t every = (size_t)fmax(1.0, floor(RESPONSE_RATE / least));
    while (RESPONSE_RATE % every != 0)
        every--;
    return every;
}

size_t kept_samples(size_t count, size_t every)
{
    return (count + every - 1) / every;
}

size_t kept_restored(size_t count, size_t every)
{
    return count > 0 ? (count - 1) * every + 1 : 0;
}

/* libsamplerate holds back the end of its filter, hence the silence behind the input. */
#define SILENCE 256

int kept_restore(const float *kept, size_t count, size_t stride, size_t every, float *out,
                 struct failure *failure)
{
    const size_t wanted = kept_restored(count, every);
    float *in = calloc(count + SILENCE, sizeof *in);
    if (in == NULL)
        return failure_memory(failure, (count + SILENCE) * sizeof *in, "rate conversion");
    for (size_t n = 0; n < count; n++)
        in[n] = kept[n * stride] / (float)every;
    SRC_DATA data = {.data_in = in,
                     .data_out = out,
                     .input_frames = (long)(count + SILENCE),
                     .output_frames = (long)wanted,
                     .src_ratio = (double)every};
    const int error = every > 1 ? src_simple(&data, SRC_SINC_BEST_QUALITY, 1) : 0;
    for (size_t n = 0; every == 1 && n < wanted; n++)
        out[n] = in[n];
    free(in);
    if (error != 0 || (every > 1 && data.output_frames_gen != (long)wanted))
        return failure_set(failure, FAILURE_OUTPUT, "converting %zu samples to %d Hz failed: %s", count,
                           RESPONSE_RATE,
                           error != 0 ? src_strerror(error) : "libsamplerate gave fewer samples than asked");
    return 0;
}

/* A response is a band that ends far below half the rate, so that nothing folds back. The samples that
 * stay are those at the onset and at the limits of clarity. With every fourth sample, the end of a
 * response that is cut off is sometimes judged differently. */
#define MEASURED_PERIOD 16.0 /* samples of fmax, at least */
#define MEASURED_EVERY  2

int kept_figures(const float *sample, size_t count, size_t stride, double highest, double onset, float *alone,
                 struct acoustic_figures *out, struct third_figures *thirds, struct failure *failure)
{
    const size_t every = MEASURED_EVERY * MEASURED_PERIOD * highest <= RESPONSE_RATE ? MEASURED_EVERY : 1;
    const double from = fmax(onset, 1.0 / RESPONSE_RATE);
    const size_t first = (size_t)lround(from * RESPONSE_RATE), begin = first % every;
    size_t taken = 0;
    for (size_t n = begin; n < count; n += every)
        alone[taken++] = (float)every * sample[n * stride];
    const double rate = (double)RESPONSE_RATE / (double)every,
                 at = every == 1 ? from : (double)(first - begin) / RESPONSE_RATE;
    TRY(acoustic_figures_make(alone, taken, rate, highest, at, FIGURES_REFERENCE, out, failure));
    return thirds == NULL
               ? 0
               : third_figures_make(alone, taken, rate, highest, at, FIGURES_REFERENCE, thirds, failure);
}
