#include "src/cli/measured/measured_sound.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/listen/foreign_onset.h"
#include "src/listen/foreign_response.h"
#include "src/response/measured/mls_response.h"

#define LOWEST_EDGE 44.7 /* of the octave of 63 Hz [Hz] */

void measured_source_free(struct measured_source *source)
{
    free(source->played);
    *source = (struct measured_source){0};
}

/* ---- what was played ---- */

static int read_played(const char *option, const char *path, struct measured_source *out,
                       struct failure *failure)
{
    struct wav_sound sound = {0};
    TRY(wav_response_read(path, "cut it", &sound, failure));
    out->rate = sound.rate;
    out->count = sound.frames;
    out->played = malloc(sound.frames * sizeof *out->played);
    int code = out->played == NULL ? failure_memory(failure, sound.frames * sizeof *out->played, path) : 0;
    for (size_t n = 0; code == 0 && n < sound.frames; n++)
        out->played[n] = sound.sample[n * (size_t)sound.channels];
    for (size_t n = 0; code == 0 && n < sound.frames * (size_t)sound.channels; n++)
        if (sound.sample[n] != out->played[n / (size_t)sound.channels])
            code = failure_set(failure, FAILURE_INPUT,
                               "--%s %s: its %d channels differ: give the one that was played", option, path,
                               sound.channels);
    wav_sound_free(&sound);
    return code;
}

/* "15", or a file. */
static int read_mls(const char *text, struct measured_source *out, struct failure *failure)
{
    out->periodic = true;
    if (strspn(text, "0123456789") == strlen(text)) {
        const int order = (int)strtol(text, NULL, 10);
        TRY(mls_make(order, &out->played, failure));
        out->count = ((size_t)1 << order) - 1;
        return 0;
    }
    TRY(read_played("mls", text, out, failure));
    return mls_find(out->played, out->count, &out->count, failure);
}

static void tell_sweep(const char *path, const struct measured_source *source, struct room_notices *notices)
{
    struct sweep_facts facts;
    sweep_facts_find(source->played, source->count, source->rate, &facts);
    if (!facts.exponential)
        room_warn(
            notices,
            "%s: is no exponential sweep, so that the harmonics of the loudspeaker cannot be set aside and "
            "stay in the response",
            path);
    else if (facts.low > LOWEST_EDGE)
        room_warn(notices, "%s: begins at %.3g Hz: figures of octaves that reach below are not of the room",
                  path, facts.low);
}

/* ---- the reference ---- */

static int find_reference(const struct options *options, const struct wav_sound *sound,
                          struct measured_source *out, struct failure *failure)
{
    struct foreign_onset onset;
    double highest;
    if (sound->channels != 1)
        return failure_set(failure, FAILURE_INPUT, "--reference %s: has %d channels, and one is needed",
                           options->reference, sound->channels);
    TRY(foreign_onset_find(sound->sample, sound->frames, sound->rate, &onset, failure));
    TRY(foreign_highest(sound->sample, sound->frames, sound->rate, &highest, failure));
    out->referenced = true;
    return reference_level_make(
        sound->sample, sound->frames, sound->rate, highest, onset.time, options->reference_distance,
        options->reference_gate > 0.0 ? options->reference_gate : INFINITY, &out->reference, failure);
}

static int read_reference(const struct options *options, struct measured_source *out,
                          struct room_notices *notices, struct failure *failure)
{
    struct wav_sound sound = {0};
    struct measured_facts facts;
    if (!(options->reference_distance > 0.0))
        return failure_set(failure, FAILURE_INPUT,
                           "--reference needs --reference-distance, how far from the source it was recorded");
    TRY(wav_response_read(options->reference, "cut it", &sound, failure));
    int code = measured_sound_make(out, options->reference, &sound, &facts, notices, failure);
    if (code == 0)
        code = find_reference(options, &sound, out, failure);
    wav_sound_free(&sound);
    return code;
}

int measured_source_read(const struct options *options, struct measured_source *out,
                         struct room_notices *notices, struct failure *failure)
{
    *out = (struct measured_source){0};
    int code = 0;
    if (options->sweep != NULL && options->mls != NULL)
        return failure_set(failure, FAILURE_INPUT, "--sweep and --mls: one of them was played");
    if (options->reference != NULL && options->calibrated)
        return failure_set(failure, FAILURE_INPUT,
                           "--reference and --calibrated: one of them gives the level");
    if (options->reference == NULL && (options->reference_distance > 0.0 || options->reference_gate > 0.0))
        return failure_set(failure, FAILURE_INPUT,
                           "--reference-distance and --reference-gate are for --reference FILE.wav");
    if (options->sweep != NULL) {
        code = read_played("sweep", options->sweep, out, failure);
        if (code == 0)
            tell_sweep(options->sweep, out, notices);
    } else if (options->mls != NULL) {
        code = read_mls(options->mls, out, failure);
    }
    if (code == 0 && options->reference != NULL)
        code = read_reference(options, out, notices, failure);
    if (code != 0)
        measured_source_free(out);
    return code;
}

/* ---- a recording ---- */

static void mend(const char *path, bool recording, struct wav_sound *sound, struct room_notices *notices)
{
    struct foreign_damage damage;
    char text[FOREIGN_SENTENCE];
    if (recording)
        foreign_mend_recording(sound, &damage);
    else
        foreign_mend(sound, &damage);
    for (int n = 0; foreign_tell(&damage, path, n, text); n++)
        room_warn(notices, "%s", text);
}

int measured_sound_make(const struct measured_source *source, const char *path, struct wav_sound *sound,
                        struct measured_facts *facts, struct room_notices *notices, struct failure *failure)
{
    float *response = NULL;
    size_t frames = source->count;
    *facts = (struct measured_facts){.sweep = source->played != NULL && !source->periodic,
                                     .mls = source->played != NULL && source->periodic};
    mend(path, source->played != NULL, sound, notices);
    if (source->played != NULL && source->rate > 0.0 && source->rate != sound->rate)
        return failure_set(failure, FAILURE_INPUT,
                           "%s: has %d samples per second, and what was played %g: convert one of them", path,
                           sound->rate, source->rate);
    if (source->referenced && source->reference.rate != sound->rate)
        return failure_set(failure, FAILURE_INPUT,
                           "%s: has %d samples per second, and the reference %g: convert one of them", path,
                           sound->rate, source->reference.rate);
    if (source->played == NULL)
        return 0;
    const size_t channels = (size_t)sound->channels;
    struct failure inner = {0};
    const int code =
        facts->sweep ? sweep_response_make(source->played, source->count, sound->sample, sound->frames,
                                           channels, sound->rate, &facts->swept, &response, &frames, &inner)
                     : mls_response_make(source->played, source->count, sound->sample, sound->frames,
                                         channels, sound->rate, &facts->periods, &response, &inner);
    if (code != 0)
        return failure_wrap(failure, &inner, "%s: ", path);
    if (facts->mls && facts->periods < 2 && sound->frames < 2 * source->count)
        room_warn(
            notices,
            "%s: holds one period of the sequence, and the room must have been filled by another before it",
            path);
    free(sound->sample);
    sound->sample = response;
    sound->frames = frames;
    mend(path, false, sound, notices);
    return 0;
}

void measured_facts_tell(const struct measured_facts *facts, char text[MEASURED_TEXT])
{
    const struct sweep_facts *swept = &facts->swept;
    int used = 0;
    text[0] = '\0';
    if (facts->mls)
        snprintf(text, MEASURED_TEXT, "from a sequence, mean of %zu period%s", facts->periods,
                 facts->periods == 1 ? "" : "s");
    if (!facts->sweep)
        return;
    used = snprintf(text, MEASURED_TEXT, "from a sweep of %.3g s", swept->length);
    if (swept->exponential)
        used += snprintf(text + used, MEASURED_TEXT - (size_t)used,
                         ", %.3g to %.4g Hz; its harmonics 2 to 5 are set aside: %.0f, %.0f, %.0f, %.0f dB",
                         swept->low, swept->high, swept->harmonic[0], swept->harmonic[1], swept->harmonic[2],
                         swept->harmonic[3]);
    snprintf(text + used, MEASURED_TEXT - (size_t)used, "; noise at %.0f dB under the largest sample",
             -swept->noise);
}
