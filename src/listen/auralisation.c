#include "src/listen/auralisation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* What dry sound `i` goes through. */
static int make_response(struct heard *heard, size_t i, struct wav_sound *out, struct failure *failure)
{
    struct listened_file *const record = &heard->record;
    const struct listened_part *const part = record->mixed.count > 0 ? &record->mixed.item[i] : NULL;
    const struct record_response *const of = part != NULL ? part->of : heard->of;
    double tail_from = NAN;
    switch (heard->kind) {
    case HEARD_RESPONSE:
        TRY(heard_response_read(part != NULL ? part->response : record->response,
                                of == NULL ? &heard->damage : NULL, out, failure));
        if (of != NULL)
            TRY(response_tail_add(out, record->fmax, of->onset, &tail_from, failure));
        record->tail_from = fmin(record->tail_from, tail_from);
        record->response_fall = fmin(record->response_fall, heard_response_fall(out));
        return 0;
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

/* The dry sounds of a pass, and what each goes through. */
struct voices {
    size_t count;
    struct dry_sound *dry;           /* (count) */
    struct wav_sound *response;      /* (count) of one length; owned */
    struct convolution *convolution; /* (count) owned */
    uint64_t frames;                 /* until the last has died away */
};

static void voices_free(struct voices *voices)
{
    for (size_t v = 0; voices->response != NULL && v < voices->count; v++)
        wav_sound_free(&voices->response[v]);
    for (size_t v = 0; voices->convolution != NULL && v < voices->count; v++)
        convolution_free(&voices->convolution[v]);
    free(voices->response);
    free(voices->convolution);
}

/* With silence to `frames`, so that all have blocks of one length. */
static int lengthen(struct wav_sound *sound, size_t frames, struct failure *failure)
{
    const size_t channels = (size_t)sound->channels, had = sound->frames * channels;
    float *grown =
        frames > sound->frames ? realloc(sound->sample, frames * channels * sizeof *grown) : sound->sample;
    if (grown == NULL)
        return failure_memory(failure, frames * channels * sizeof *grown, "a response");
    memset(grown + had, 0, (frames * channels - had) * sizeof *grown);
    sound->sample = grown;
    sound->frames = frames;
    return 0;
}

static int make_voices(struct heard *heard, struct dry_sound *dry, struct voices *out,
                       struct failure *failure)
{
    struct listened_file *const record = &heard->record;
    size_t longest = 0;
    *out = (struct voices){.count = heard->sounds, .dry = dry};
    out->response = calloc(out->count, sizeof *out->response);
    out->convolution = calloc(out->count, sizeof *out->convolution);
    if (out->response == NULL || out->convolution == NULL)
        return failure_memory(failure, out->count * sizeof *out->convolution, "sounds at once");
    record->response_fall = INFINITY;
    for (size_t v = 0; v < out->count; v++) {
        struct wav_sound *response = &out->response[v];
        TRY(make_response(heard, v, response, failure));
        if (response->channels != out->response[0].channels)
            return failure_set(failure, FAILURE_INPUT,
                               "%s has %d channels, but %s has %d, so they do not mix",
                               record->mixed.item[v].response, response->channels,
                               record->mixed.item[0].response, out->response[0].channels);
        longest = response->frames > longest ? response->frames : longest;
        const uint64_t frames = dry[v].frames + response->frames - 1;
        out->frames = frames > out->frames ? frames : out->frames;
    }
    for (size_t v = 0; v < out->count; v++) {
        TRY(lengthen(&out->response[v], longest, failure));
        TRY(convolution_make(out->response[v].sample, longest, (size_t)out->response[v].channels,
                             &out->convolution[v], failure));
    }
    return 0;
}

/* Block by block until the responses have died away. */
static int convolve_blocks(struct voices *voices, const volatile sig_atomic_t *stop, struct sink *sink,
                           struct failure *failure)
{
    const size_t block = voices->convolution[0].block, channels = voices->convolution[0].channels;
    double *in = malloc(block * sizeof *in), *out = malloc(block * channels * sizeof *out),
           *sum = malloc(block * channels * sizeof *sum);
    int code = 0;
    if (in == NULL || out == NULL || sum == NULL)
        code = failure_memory(failure, block * (2 * channels + 1) * sizeof *in, "a block of sound");
    for (uint64_t first = 0; code == 0 && first < voices->frames; first += block) {
        if (*stop != 0)
            code = failure_interrupted(failure);
        progress_json_show((double)first / (double)voices->frames);
        for (size_t v = 0; code == 0 && v < voices->count; v++) {
            code = dry_sound_read(&voices->dry[v], first, block, in, failure);
            if (code != 0)
                break;
            convolution_step(&voices->convolution[v], in, v == 0 ? sum : out);
            for (size_t n = 0; v > 0 && n < block * channels; n++)
                sum[n] += out[n];
        }
        const uint64_t left = voices->frames - first;
        if (code == 0)
            code = take_block(sink, sum, left < block ? (size_t)left : block, channels, failure);
    }
    free(in);
    free(out);
    free(sum);
    return code;
}

/* One pass: to `path` where it is not NULL. */
static int run_pass(struct heard *heard, struct dry_sound *dry, const char *path, double gain,
                    const volatile sig_atomic_t *stop, struct whole_file *out, struct loudness *loudness,
                    struct failure *failure)
{
    struct voices voices = {0};
    struct wav_stream stream = {0};
    struct sink sink = {.gain = gain, .stream = path != NULL ? &stream : NULL};
    int code;
    if ((code = make_voices(heard, dry, &voices, failure)))
        goto done;
    const size_t channels = (size_t)voices.response[0].channels;
    heard->record.channels = (double)channels;
    heard->record.seconds = (double)voices.frames / RESPONSE_RATE;
    if ((code = loudness_begin(&sink.meter, path != NULL ? LOUDNESS_LUFS : LOUDNESS_PEAK, channels,
                               RESPONSE_RATE, failure)) ||
        (path != NULL &&
         (code = wav_stream_begin(&stream, path, voices.frames, channels, RESPONSE_RATE, failure))) ||
        (code = convolve_blocks(&voices, stop, &sink, failure)) ||
        (code = loudness_end(&sink.meter, loudness, failure)))
        goto done;
    if (path != NULL)
        code = wav_stream_end(&stream, out, failure);
done:
    wav_stream_abandon(&stream);
    loudness_free(&sink.meter);
    voices_free(&voices);
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
