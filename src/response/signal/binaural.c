#include "src/response/signal/binaural.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/signal/low_pass.h"

#define PI 3.14159265358979323846

/* Axes of the head in the frame: where its nose points, its left ear, its crown. */
static void head_axes(const struct head_orientation *orientation, double axis[3][3])
{
    const double y = orientation->yaw * PI / 180.0, p = orientation->pitch * PI / 180.0,
                 r = orientation->roll * PI / 180.0;
    const double nose[3] = {cos(y) * cos(p), sin(y) * cos(p), sin(p)};
    /* Before it leans: left is level, the crown is across both. */
    const double left[3] = {-sin(y), cos(y), 0.0};
    const double crown[3] = {-cos(y) * sin(p), -sin(y) * sin(p), cos(p)};
    for (int n = 0; n < 3; n++) {
        axis[0][n] = nose[n];
        axis[1][n] = cos(r) * left[n] + sin(r) * crown[n];
        axis[2][n] = cos(r) * crown[n] - sin(r) * left[n];
    }
}

/* One channel in the head's own frame; `axis` is NULL for W. */
static void turn_channel(const float *frames, size_t count, const double *axis, double *out)
{
    for (size_t n = 0; n < count; n++) {
        const float *frame = frames + AMBISONIC_CHANNELS * n;
        out[n] = axis == NULL ? (double)frame[AMBISONIC_W]
                              : axis[0] * (double)frame[AMBISONIC_X] + axis[1] * (double)frame[AMBISONIC_Y] +
                                    axis[2] * (double)frame[AMBISONIC_Z];
    }
}

int binaural_make(const float *frames, size_t count, const struct head_filters *filters,
                  const struct head_orientation *orientation, float **out, struct failure *failure)
{
    double axis[3][3];
    head_axes(orientation, axis);
    const double *const turned[AMBISONIC_CHANNELS] = {
        [AMBISONIC_X] = axis[0], [AMBISONIC_Y] = axis[1], [AMBISONIC_Z] = axis[2]};
    float *ears = calloc(EARS * count + 1, sizeof *ears);
    double *channel = malloc((count + 1) * sizeof *channel),
           *filtered = malloc((count + 1) * sizeof *filtered);
    int code = ears == NULL || channel == NULL || filtered == NULL
                   ? failure_memory(failure, (unsigned long long)(2 * count * sizeof *filtered), "two ears")
                   : 0;
    for (int c = 0; code == 0 && c < AMBISONIC_CHANNELS; c++) {
        turn_channel(frames, count, turned[c], channel);
        for (size_t ear = 0; code == 0 && ear < EARS; ear++) {
            const struct low_pass filter = {.count = filters->count,
                                            .lead = filters->lead,
                                            .tap = filters->tap +
                                                   (ear * AMBISONIC_CHANNELS + (size_t)c) * filters->count};
            memcpy(filtered, channel, count * sizeof *filtered);
            code = low_pass_apply(&filter, filtered, count, failure);
            for (size_t n = 0; code == 0 && n < count; n++)
                ears[EARS * n + ear] += (float)filtered[n];
        }
    }
    if (code == 0)
        *out = ears;
    else
        free(ears);
    free(channel);
    free(filtered);
    return code;
}
