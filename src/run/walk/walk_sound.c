#include "src/run/walk/walk_sound.h"

#include <math.h>
#include <samplerate.h>
#include <stdlib.h>

#include "src/setup/orientation.h"
#include "src/response/signal/binaural.h"
#include "src/response/signal/response.h"

#define PI    3.14159265358979323846
#define PIECE 16384 /* frames read at once */
#define TAIL                                                                                                 \
    512 /* silence behind a signal, of which a converter holds back some [samples of either rate]            \
         */

void walk_sound_free(struct walk_sound *sound)
{
    free(sound->sample);
    *sound = (struct walk_sound){0};
}

/* From one beginning of the dry sound to the next [frames at 48 kHz]. */
static uint64_t repeat_period(const struct dry_sound *dry)
{
    return dry->frames > RESPONSE_RATE ? dry->frames : RESPONSE_RATE;
}

size_t walk_dry_times(const struct dry_sound *dry, const struct walk_path *path, double *seconds)
{
    const double every = (double)repeat_period(dry) / RESPONSE_RATE;
    const double times = fmax(1.0, ceil(walk_path_seconds(path) / every));
    *seconds = (times - 1.0) * every + (double)dry->frames / RESPONSE_RATE;
    return (size_t)times;
}

/* `count` frames from `first` on of the sound that begins again and again. */
static int read_again(struct dry_sound *dry, size_t times, uint64_t first, size_t count, double *out,
                      struct failure *failure)
{
    const uint64_t every = repeat_period(dry);
    for (size_t done = 0; done < count;) {
        const uint64_t at = first + done, into = at % every;
        const size_t left = count - done, some = every - into < left ? (size_t)(every - into) : left;
        if (at / every < times)
            TRY(dry_sound_read(dry, into, some, out + done, failure));
        else
            for (size_t n = 0; n < some; n++)
                out[done + n] = 0.0;
        done += some;
    }
    return 0;
}

static int convert_dry(struct dry_sound *dry, size_t times, SRC_STATE *converter, double ratio, size_t count,
                       double *out, struct failure *failure)
{
    double piece[PIECE];
    float in[PIECE], made[PIECE];
    uint64_t first = 0;
    for (size_t done = 0; done < count; first += PIECE) {
        TRY(read_again(dry, times, first, PIECE, piece, failure));
        for (size_t n = 0; n < PIECE; n++)
            in[n] = (float)piece[n];
        SRC_DATA data = {.data_in = in, .input_frames = PIECE, .src_ratio = ratio};
        do {
            data.data_out = made;
            data.output_frames = PIECE;
            const int error = src_process(converter, &data);
            if (error != 0)
                return failure_set(failure, FAILURE_OUTPUT, "the dry sound could not be converted: %s",
                                   src_strerror(error));
            for (long n = 0; n < data.output_frames_gen && done < count; n++)
                out[done++] = (double)made[n];
            data.data_in += data.input_frames_used;
            data.input_frames -= data.input_frames_used;
        } while (done < count && data.input_frames > 0);
    }
    return 0;
}

int walk_dry_at(struct dry_sound *dry, size_t times, double rate, size_t count, double **out,
                struct failure *failure)
{
    const double ratio = rate / RESPONSE_RATE;
    double *sample = malloc((count + 1) * sizeof *sample);
    if (sample == NULL)
        return failure_memory(failure, (count + 1) * sizeof *sample, "the dry sound");
    int error = 0, code = 0;
    if (ratio == 1.0) {
        code = read_again(dry, times, 0, count, sample, failure);
    } else {
        SRC_STATE *converter = src_new(SRC_SINC_BEST_QUALITY, 1, &error);
        code = converter == NULL ? failure_memory(failure, 0, "rate conversion")
                                 : convert_dry(dry, times, converter, ratio, count, sample, failure);
        if (converter != NULL)
            src_delete(converter);
    }
    if (code != 0) {
        free(sample);
        return code;
    }
    *out = sample;
    return 0;
}

int walk_sound_convert(struct walk_sound *sound, struct failure *failure)
{
    const double ratio = RESPONSE_RATE / sound->rate;
    if (ratio == 1.0)
        return 0;
    const size_t channels = sound->channels, silence = TAIL + (size_t)(TAIL / fmin(ratio, 1.0));
    const size_t frames = (size_t)ceil((double)sound->frames * ratio);
    float *in = realloc(sound->sample, (sound->frames + silence) * channels * sizeof *in);
    if (in == NULL)
        return failure_memory(failure, (sound->frames + silence) * channels * sizeof *in, "rate conversion");
    sound->sample = in;
    for (size_t n = sound->frames * channels; n < (sound->frames + silence) * channels; n++)
        in[n] = 0.0F;
    float *made = calloc(frames * channels, sizeof *made);
    if (made == NULL)
        return failure_memory(failure, frames * channels * sizeof *made, "what is heard on the walk");
    SRC_DATA data = {.data_in = in,
                     .data_out = made,
                     .input_frames = (long)(sound->frames + silence),
                     .output_frames = (long)frames,
                     .src_ratio = ratio};
    const int error = src_simple(&data, SRC_SINC_BEST_QUALITY, (int)channels);
    if (error != 0) {
        free(made);
        return failure_set(failure, FAILURE_OUTPUT, "converting from %g to %d Hz failed: %s", sound->rate,
                           RESPONSE_RATE, src_strerror(error));
    }
    free(in);
    *sound =
        (struct walk_sound){.rate = RESPONSE_RATE, .frames = frames, .channels = channels, .sample = made};
    return 0;
}

/* Which way the listener looks at a time [degrees]. */
static double azimuth_at(const struct walk_path *path, const struct walk_look *look, double seconds)
{
    const double along = path->speed * seconds;
    double place[3];
    if (look->kind == WALK_LOOKS_TO)
        return look->azimuth;
    if (look->kind == WALK_LOOKS_AHEAD)
        return walk_path_azimuth(path, along);
    walk_path_place(path, along, place);
    const double azimuth = azimuth_to(place, look->source);
    return isfinite(azimuth) ? azimuth : 0.0;
}

int walk_sound_ears(const struct walk_sound *sound, const struct walk_path *path,
                    const struct walk_look *look, const struct head_filters *filters, float **out,
                    struct failure *failure)
{
    static const struct head_orientation straight = {0};
    float *turned = malloc((sound->frames * AMBISONIC_CHANNELS + 1) * sizeof *turned);
    if (turned == NULL)
        return failure_memory(failure, sound->frames * AMBISONIC_CHANNELS * sizeof *turned,
                              "a field about a head");
    for (size_t n = 0; n < sound->frames; n++) {
        const float *in = sound->sample + n * AMBISONIC_CHANNELS;
        float *to = turned + n * AMBISONIC_CHANNELS;
        const double front = azimuth_at(path, look, (double)n / sound->rate) * PI / 180.0;
        const double c = cos(front), s = sin(front);
        const double x = (double)in[AMBISONIC_X], y = (double)in[AMBISONIC_Y];
        to[AMBISONIC_W] = in[AMBISONIC_W];
        to[AMBISONIC_Z] = in[AMBISONIC_Z];
        to[AMBISONIC_X] = (float)(c * x + s * y);
        to[AMBISONIC_Y] = (float)(c * y - s * x);
    }
    const int code = binaural_make(turned, sound->frames, filters, &straight, out, failure);
    free(turned);
    return code;
}
