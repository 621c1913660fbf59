#include "src/listen/auralisation.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/progress_json.h"
#include "src/listen/heard_response.h"
#include "src/listen/response_tail.h"
#include "src/response/signal/convolution.h"
#include "src/response/signal/response.h"
#include "src/response/signal/wav_stream.h"

bool heard_begin(struct heard *out, const struct heard *given)
{
    static const char *const kind[] = {
        [HEARD_RESPONSE] = "wet", [HEARD_DRY_LOW_PASSED] = "dry_lowpassed", [HEARD_DRY] = "dry"};
    const struct record_response *const of = given->of;
    struct listened_file *const record = &out->record;
    *out = *given;
    *record = (struct listened_file){
        .fmax = given->record.fmax, .distance = given->record.distance, .tail_from = NAN};
    return json_text_set(&record->kind, kind[given->kind]) &&
           json_text_set(&record->response, given->record.response) &&
           json_text_set(&record->source, of != NULL ? of->source : NULL) &&
           json_text_set(&record->receiver, of != NULL ? of->receiver : NULL);
}

static int make_response(struct heard *heard, struct wav_sound *out, struct failure *failure)
{
    struct foreign_damage *damage = heard->of == NULL ? &heard->damage : NULL;
    switch (heard->kind) {
    case HEARD_RESPONSE:
        TRY(heard_response_read(heard->record.response, damage, out, failure));
        return heard->of == NULL ? 0
                                 : response_tail_add(out, heard->record.fmax, heard->of->onset,
                                                     &heard->record.tail_from, failure);
    case HEARD_DRY_LOW_PASSED:
        return heard_response_low_passed(heard->record.distance, heard->sound_speed, heard->record.fmax, out,
                                         failure);
    case HEARD_DRY:
        return heard_response_open(heard->record.distance, heard->sound_speed, out, failure);
    }
    return 0;
}

/* Takes the blocks of one sound: into a meter and, once the gain is known, into a file. */
struct sink {
    double gain;
    struct loudness_meter meter;
    struct wav_stream *stream; /* or NULL */
};

static int take_block(struct sink *sink, double *sample, size_t frames, size_t channels,
                      struct failure *failure)
{
    for (size_t n = 0; n < frames * channels; n++)
        sample[n] *= sink->gain;
    if (sink->stream != NULL)
        TRY(wav_stream_add(sink->stream, sample, frames, failure));
    return loudness_add(&sink->meter, sample, frames, failure);
}

/* Block by block until the response has died away. */
static int convolve_blocks(struct convolution *convolution, struct dry_sound *dry, uint64_t frames,
                           const volatile sig_atomic_t *stop, struct sink *sink, struct failure *failure)
{
    const size_t block = convolution->block, channels = convolution->channels;
    double *in = malloc(block * sizeof *in), *out = malloc(block * channels * sizeof *out);
    int code = 0;
    if (in == NULL || out == NULL)
        code = failure_memory(failure, block * (channels + 1) * sizeof *in, "a block of sound");
    for (uint64_t first = 0; code == 0 && first < frames; first += block) {
        if (*stop != 0)
            code = failure_interrupted(failure);
        progress_json_show((double)first / (double)frames);
        if (code == 0)
            code = dry_sound_read(dry, first, block, in, failure);
        if (code == 0) {
            convolution_step(convolution, in, out);
            const uint64_t left = frames - first;
            code = take_block(sink, out, left < block ? (size_t)left : block, channels, failure);
        }
    }
    free(in);
    free(out);
    return code;
}

/* One pass: to `path` where it is not NULL. */
static int run_pass(struct heard *heard, struct dry_sound *dry, const char *path, double gain,
                    const volatile sig_atomic_t *stop, struct whole_file *out, struct loudness *loudness,
                    struct failure *failure)
{
    struct wav_sound response = {0};
    struct convolution convolution = {0};
    struct wav_stream stream = {0};
    struct sink sink = {.gain = gain, .stream = path != NULL ? &stream : NULL};
    int code;
    if ((code = make_response(heard, &response, failure)))
        goto done;
    const uint64_t frames = dry->frames + response.frames - 1;
    const size_t channels = (size_t)response.channels;
    heard->record.channels = response.channels;
    heard->record.response_fall = heard->record.response != NULL ? heard_response_fall(&response) : INFINITY;
    heard->record.seconds = (double)frames / RESPONSE_RATE;
    if ((code = convolution_make(response.sample, response.frames, channels, &convolution, failure)) ||
        (code = loudness_begin(&sink.meter, path != NULL ? LOUDNESS_LUFS : LOUDNESS_PEAK, channels,
                               RESPONSE_RATE, failure)) ||
        (path != NULL &&
         (code = wav_stream_begin(&stream, path, frames, channels, RESPONSE_RATE, failure))) ||
        (code = convolve_blocks(&convolution, dry, frames, stop, &sink, failure)) ||
        (code = loudness_end(&sink.meter, loudness, failure)))
        goto done;
    if (path != NULL)
        code = wav_stream_end(&stream, out, failure);
done:
    wav_stream_abandon(&stream);
    loudness_free(&sink.meter);
    convolution_free(&convolution);
    wav_sound_free(&response);
    return code;
}

int auralisation_measure(struct heard *heard, struct dry_sound *dry, const volatile sig_atomic_t *stop,
                         struct failure *failure)
{
    struct loudness loudness = {0};
    TRY(run_pass(heard, dry, NULL, 1.0, stop, NULL, &loudness, failure));
    heard->peak = loudness.peak;
    return 0;
}

/* The peak of a file at AURALISATION_PEAK. */
static double gain_most(double peak)
{
    return pow(10.0, AURALISATION_PEAK / 20.0) / peak;
}

double auralisation_gain(double peak, enum auralisation_level level)
{
    const double gain = peak > 0.0 ? gain_most(peak) : 1.0;
    return level == LEVEL_TRUE ? fmin(gain, 1.0) : gain;
}

double auralisation_set_gains(struct heard *heard, size_t count, enum auralisation_level level)
{
    double peak = 0.0;
    for (size_t i = 0; i < count; i++)
        if (heard[i].kind != HEARD_DRY)
            peak = fmax(peak, heard[i].peak);
    const double gain = auralisation_gain(peak, level);
    for (size_t i = 0; i < count; i++)
        heard[i].gain =
            heard[i].kind == HEARD_DRY && heard[i].peak > 0.0 ? fmin(gain, gain_most(heard[i].peak)) : gain;
    return gain;
}

int auralisation_stage(struct heard *heard, struct dry_sound *dry, const char *path,
                       const volatile sig_atomic_t *stop, struct whole_file *out, struct failure *failure)
{
    struct loudness loudness = {0};
    TRY(run_pass(heard, dry, path, heard->gain, stop, out, &loudness, failure));
    heard->record.gain = loudness_decibels(heard->gain);
    heard->record.loudness = loudness.lufs;
    heard->record.true_peak = loudness_decibels(heard->gain * heard->peak);
    return 0;
}
