#include "src/listen/heard_response.h"

#include <math.h>
#include <samplerate.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/path_text.h"
#include "src/listen/dry_sound.h"
#include "src/response/signal/band_filters.h"
#include "src/response/signal/convolution.h"
#include "src/response/signal/low_pass.h"
#include "src/response/signal/response.h"

#define PI     3.14159265358979323846
#define RUMBLE 44.6 /* lower edge of the 63 Hz octave [Hz] */

#define RATE_LEAST 200 /* [Hz]: receiver grids are kept at the rate that their band needs */

/* Channel `number`, from 1, of the file alone. */
static int keep_channel(const char *path, int number, struct wav_sound *sound, struct failure *failure)
{
    const size_t channels = (size_t)sound->channels;
    if (number > sound->channels)
        return failure_set(failure, FAILURE_INPUT, "%s: has %d channels, and %d was asked for", path,
                           sound->channels, number);
    for (size_t n = 0; n < sound->frames; n++)
        sound->sample[n] = sound->sample[n * channels + (size_t)number - 1];
    sound->channels = 1;
    return 0;
}

static int check_response(const char *path, const struct wav_sound *sound, struct failure *failure)
{
    if (sound->channels > HEARD_CHANNELS_MOST)
        return failure_set(failure, FAILURE_INPUT,
                           "%s: has %d channels: a response to listen to has at most %d", path,
                           sound->channels, HEARD_CHANNELS_MOST);
    if (sound->rate < RATE_LEAST || sound->rate > DRY_RATE_MOST)
        return failure_set(failure, FAILURE_INPUT,
                           "%s: has %d samples a second: a response needs at least %d and at most %d", path,
                           sound->rate, RATE_LEAST, DRY_RATE_MOST);
    for (size_t n = 0; n < sound->frames * (size_t)sound->channels; n++)
        if (sound->sample[n] != 0.0f)
            return 0;
    return failure_set(failure, FAILURE_INPUT, "%s: is silent: there is nothing to hear", path);
}

/* To 48 kHz. A sample lasts one over its rate, so samples shrink as the rate grows. */
static int convert_rate(const char *path, struct wav_sound *sound, struct failure *failure)
{
    const double ratio = (double)RESPONSE_RATE / sound->rate;
    const size_t channels = (size_t)sound->channels;
    const size_t frames = (size_t)ceil((double)sound->frames * ratio);
    float *converted = calloc(frames * channels, sizeof *converted);
    if (converted == NULL)
        return failure_memory(failure, frames * channels * sizeof *converted, path);
    SRC_DATA data = {.data_in = sound->sample,
                     .data_out = converted,
                     .input_frames = (long)sound->frames,
                     .output_frames = (long)frames,
                     .src_ratio = ratio};
    const int error = src_simple(&data, SRC_SINC_BEST_QUALITY, sound->channels);
    if (error != 0) {
        free(converted);
        return failure_set(failure, FAILURE_INPUT, "%s: its rate of %d Hz cannot be converted: %s", path,
                           sound->rate, src_strerror(error));
    }
    for (size_t n = 0; n < frames * channels; n++)
        converted[n] = (float)(converted[n] / ratio);
    free(sound->sample);
    *sound = (struct wav_sound){
        .sample = converted, .frames = frames, .channels = (int)channels, .rate = RESPONSE_RATE};
    return 0;
}

int heard_response_read(const char *path, struct foreign_damage *damage, struct wav_sound *out,
                        struct failure *failure)
{
    struct wav_sound sound = {0};
    int channel;
    char *file = strndup(path, path_channel(path, &channel));
    int code = file == NULL
                   ? failure_memory(failure, strlen(path), "a path")
                   : wav_response_read(file, "if it is the dry sound, name it last", &sound, failure);
    free(file);
    TRY(code);
    if (channel > 0)
        code = keep_channel(path, channel, &sound, failure);
    if (code == 0 && damage != NULL)
        foreign_mend(&sound, damage);
    if (code == 0)
        code = check_response(path, &sound, failure);
    if (code == 0 && sound.rate != RESPONSE_RATE)
        code = convert_rate(path, &sound, failure);
    if (code != 0) {
        wav_sound_free(&sound);
        return code;
    }
    *out = sound;
    return 0;
}

/* High-pass, Butterworth of second order (bilinear). Below the 63 Hz octave sound rings long in large rooms,
 * no automatic duration waits for it, and its end is inaudible. */
static struct biquad rumble_filter(double rate)
{
    const double k = tan(PI * RUMBLE / rate), norm = 1.0 / (1.0 + sqrt(2.0) * k + k * k);
    return (struct biquad){.b0 = norm,
                           .b1 = -2.0 * norm,
                           .b2 = norm,
                           .a1 = 2.0 * (k * k - 1.0) * norm,
                           .a2 = (1.0 - sqrt(2.0) * k + k * k) * norm};
}

/* Energies of one channel in windows that are counted from the end are added to `energy` (windows). */
static void add_energies(const struct wav_sound *sound, size_t channel, size_t window, size_t windows,
                         double *energy)
{
    const size_t channels = (size_t)sound->channels, first = sound->frames - windows * window;
    struct biquad filter[2] = {rumble_filter(sound->rate), rumble_filter(sound->rate)};
    for (size_t n = 0; n < sound->frames; n++) {
        const double x = biquad_step(&filter[0], sound->sample[n * channels + channel]);
        const double y = biquad_step(&filter[1], x);
        if (n >= first)
            energy[(n - first) / window] += y * y;
    }
}

double heard_response_fall(const struct wav_sound *sound)
{
    const size_t window = (size_t)sound->rate / 20, windows = window > 0 ? sound->frames / window : 0;
    double *energy = windows >= 2 ? calloc(windows, sizeof *energy) : NULL;
    if (energy == NULL) /* without memory there is no warning */
        return INFINITY;
    for (size_t c = 0; c < (size_t)sound->channels; c++)
        add_energies(sound, c, window, windows, energy);
    double largest = 0.0;
    for (size_t w = 0; w < windows; w++)
        largest = fmax(largest, energy[w]);
    const double last = energy[windows - 1];
    free(energy);
    return last > 0.0 ? 10.0 * log10(largest / last) : INFINITY;
}

static int make_sound(size_t frames, struct wav_sound *out, struct failure *failure)
{
    *out = (struct wav_sound){
        .sample = calloc(frames, sizeof(float)), .frames = frames, .channels = 1, .rate = RESPONSE_RATE};
    return out->sample != NULL ? 0 : failure_memory(failure, frames * sizeof(float), "a free field");
}

static size_t delay_of(double distance, double sound_speed)
{
    return (size_t)lround(RESPONSE_RATE * distance / sound_speed);
}

int heard_response_open(double distance, double sound_speed, struct wav_sound *out, struct failure *failure)
{
    const size_t delay = delay_of(distance, sound_speed);
    TRY(make_sound(delay + 1, out, failure));
    out->sample[delay] = (float)(1.0 / distance);
    return 0;
}

int heard_response_low_passed(double distance, double sound_speed, double fmax, struct wav_sound *out,
                              struct failure *failure)
{
    const size_t delay = delay_of(distance, sound_speed);
    struct low_pass filter = {0};
    TRY(low_pass_design(fmax, RESPONSE_RATE, delay, &filter, failure));
    const size_t start = delay - filter.lead;
    const int code = make_sound(start + filter.count, out, failure);
    for (size_t k = 0; code == 0 && k < filter.count; k++)
        out->sample[start + k] = (float)(filter.tap[k] / distance);
    low_pass_free(&filter);
    return code;
}

/* Frames before anything is heard. */
static size_t quiet_frames(const struct wav_sound *sound)
{
    const size_t channels = (size_t)sound->channels, samples = sound->frames * channels;
    float largest = 0;
    size_t first = 0;
    for (size_t i = 0; i < samples; i++)
        largest = fmaxf(largest, fabsf(sound->sample[i]));
    while (first < samples && fabsf(sound->sample[first]) < 0.1F * largest)
        first++;
    return first / channels;
}

/* One channel through the filter, `lead` earlier than it comes out. */
static void filter_channel(struct convolution *filter, size_t lead, struct wav_sound *sound, size_t channel,
                           double *in, double *out)
{
    const size_t channels = (size_t)sound->channels, frames = sound->frames;
    for (size_t begin = 0; begin < frames + lead; begin += filter->block) {
        for (size_t n = 0; n < filter->block; n++)
            in[n] = begin + n < frames ? (double)sound->sample[(begin + n) * channels + channel] : 0;
        convolution_step(filter, in, out);
        for (size_t n = 0; n < filter->block; n++)
            if (begin + n >= lead && begin + n - lead < frames)
                sound->sample[(begin + n - lead) * channels + channel] = (float)out[n];
    }
}

int heard_response_limit(struct wav_sound *sound, double fmax, struct failure *failure)
{
    struct low_pass filter = {0};
    if (!(fmax > 20 && fmax < 20000) || sound->rate != RESPONSE_RATE || sound->frames == 0)
        return 0;
    TRY(low_pass_design(fmax, RESPONSE_RATE, quiet_frames(sound), &filter, failure));
    float *tap = malloc(filter.count * sizeof *tap);
    int code = tap == NULL ? failure_memory(failure, filter.count * sizeof *tap, "a low-pass") : 0;
    for (size_t k = 0; code == 0 && k < filter.count; k++)
        tap[k] = (float)filter.tap[k];
    for (size_t c = 0; code == 0 && c < (size_t)sound->channels; c++) {
        struct convolution convolution = {0};
        code = convolution_make(tap, filter.count, 1, &convolution, failure);
        double *block = code == 0 ? malloc(2 * convolution.block * sizeof *block) : NULL;
        if (code == 0 && block == NULL)
            code = failure_memory(failure, 2 * convolution.block * sizeof *block, "a low-pass");
        if (code == 0)
            filter_channel(&convolution, filter.lead, sound, c, block, block + convolution.block);
        free(block);
        convolution_free(&convolution);
    }
    free(tap);
    low_pass_free(&filter);
    return code;
}
