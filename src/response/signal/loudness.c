#include "src/response/signal/loudness.h"

#include <ebur128.h>
#include <math.h>
#include <stdbool.h>

static int refuse_sound(int error, struct failure *failure)
{
    return failure_set(failure, FAILURE_CAPACITY, "the loudness of a sound cannot be measured: %s",
                       error == EBUR128_ERROR_NOMEM ? "memory ran out" : "libebur128 refuses it");
}

int loudness_begin(struct loudness_meter *meter, enum loudness_what what, size_t channels, int rate,
                   struct failure *failure)
{
    const int mode = what == LOUDNESS_PEAK ? EBUR128_MODE_TRUE_PEAK : EBUR128_MODE_I;
    ebur128_state *state = ebur128_init((unsigned)channels, (unsigned long)rate, mode);
    if (state == NULL)
        return refuse_sound(EBUR128_ERROR_NOMEM, failure);
    int error = 0;
    if (channels == 1)
        error = ebur128_set_channel(state, 0, EBUR128_DUAL_MONO);
    for (unsigned c = 0; error == 0 && channels > 2 && c < channels; c++)
        error = ebur128_set_channel(state, c, c == 0 ? EBUR128_LEFT : EBUR128_UNUSED);
    *meter = (struct loudness_meter){.state = state, .what = what, .channels = channels};
    return error == 0 ? 0 : refuse_sound(error, failure);
}

void loudness_free(struct loudness_meter *meter)
{
    ebur128_state *state = meter->state;
    if (state != NULL)
        ebur128_destroy(&state);
    *meter = (struct loudness_meter){0};
}

int loudness_add(struct loudness_meter *meter, const double *sample, size_t frames, struct failure *failure)
{
    const int error = ebur128_add_frames_double(meter->state, sample, frames);
    return error == 0 ? 0 : refuse_sound(error, failure);
}

int loudness_end(const struct loudness_meter *meter, struct loudness *out, struct failure *failure)
{
    ebur128_state *state = meter->state;
    const bool peaks = meter->what == LOUDNESS_PEAK;
    *out = (struct loudness){.lufs = NAN, .peak = peaks ? 0.0 : NAN};
    int error = peaks ? 0 : ebur128_loudness_global(state, &out->lufs);
    if (!isfinite(out->lufs))
        out->lufs = NAN;
    else if (meter->channels > 2)
        out->lufs += 10.0 * log10(2.0); /* the library counts a channel twice only where it is the only one */
    for (unsigned c = 0; error == 0 && peaks && c < meter->channels; c++) {
        double peak = 0;
        error = ebur128_true_peak(state, c, &peak); /* never below that of the samples */
        out->peak = fmax(out->peak, peak);
    }
    return error == 0 ? 0 : refuse_sound(error, failure);
}
