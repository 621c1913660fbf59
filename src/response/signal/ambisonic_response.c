#include "src/response/signal/ambisonic_response.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

void ambisonic_turn(const float *pressure, const float *along, size_t count, double front, float *out)
{
    const double c = cos(front * PI / 180.0), s = sin(front * PI / 180.0);
    for (size_t n = 0; n < count; n++) {
        const double x = (double)along[3 * n], y = (double)along[3 * n + 1];
        float *frame = out + n * AMBISONIC_CHANNELS;
        frame[AMBISONIC_W] = pressure[n];
        frame[AMBISONIC_Y] = (float)(c * y - s * x);
        frame[AMBISONIC_Z] = along[3 * n + 2];
        frame[AMBISONIC_X] = (float)(c * x + s * y);
    }
}

int ambisonic_response_make(const float *pressure, size_t count, const double *const gradient[3],
                            size_t steps, const struct response_chain *chain, double first, double front,
                            float **out, struct failure *failure)
{
    float *along = malloc((3 * count + 1) * sizeof *along);
    float *frames = malloc((AMBISONIC_CHANNELS * count + 1) * sizeof *frames);
    int code = 0;
    if (along == NULL || frames == NULL)
        code = failure_memory(failure, (unsigned long long)((3 + AMBISONIC_CHANNELS) * count * sizeof *along),
                              "a directional response");
    if (code == 0)
        code = response_make_gradient(chain, gradient, 3, steps, first, along, failure);
    if (code == 0) {
        assert(count == response_samples(chain, steps));
        ambisonic_turn(pressure, along, count, front, frames);
        *out = frames;
    } else
        free(frames);
    free(along);
    return code;
}
