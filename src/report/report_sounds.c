#include "src/options/failure_text.h"
#include "src/report/report_sounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/json_memory.h"
#include "src/listen/heard_response.h"
#include "src/report/report_clap.h"
#include "src/report/report_response.h"
#include "src/setup/room_setup.h"
#include "src/signal/sound_encode.h"

#define RECORD_MOST ((size_t)16 << 20) /* bytes of listen.json */
#define CHANNELS    2

/* ---- what auralise left ---- */

/* NULL where it left none that can be read. */
static int read_record(const struct run_folder *folder, cJSON **out, struct failure *failure)
{
    struct failure why = {0};
    char *path = run_folder_file(folder, "listen.json");
    if (path == NULL)
        return failure_memory(failure, 100, "a path");
    const int code = json_file_read(path, RECORD_MOST, out, &why);
    free(path);
    if (code != 0 && code != FAILURE_INPUT)
        return failure_forward(failure, &why);
    if (code == 0)
        run_folder_strip(*out);
    return 0;
}

/* Its name, of a word or a file; NULL where it is not told. */
static const char *dry_of(const cJSON *record)
{
    const char *word = record_text(record, "dry.synthesised");
    return word != NULL ? word : record_text(record, "dry.file");
}

static int take_file(struct report_takes *takes, const struct run_folder *folder, size_t run,
                     const cJSON *entry, double gain, struct failure *failure)
{
    static const char *const kinds[] = {"wet", "dry", "dry_lowpassed"};
    const char *file = record_text(entry, "file"), *kind = record_text(entry, "kind");
    struct report_take take = {.run = run, .gain = gain};
    for (size_t k = 0; kind != NULL && k < 3; k++)
        if (strcmp(kind, kinds[k]) == 0)
            take.kind = kinds[k];
    if (file == NULL || strchr(file, '/') != NULL || take.kind == NULL ||
        !(record_number(entry, "seconds") <= REPORT_SOUND_SECONDS) ||
        !(record_number(entry, "channels") <= CHANNELS))
        return 0;
    struct failure why = {0};
    char *path = run_folder_file(folder, file);
    int code =
        path == NULL ? failure_memory(failure, 100, "a path") : wav_sound_read(path, &take.sound, &why);
    free(path);
    if (code == FAILURE_INPUT) /* gone, or no sound: then it is not there to hear */
        return 0;
    take.source = record_text(entry, "source");
    take.receiver = record_text(entry, "receiver");
    return code == 0 ? report_takes_add(takes, &take, failure) : code;
}

/* Whether every run was auralised with the same dry sound. */
static bool same_dry(cJSON *const *record, size_t runs)
{
    const char *first = runs > 0 ? dry_of(record[0]) : NULL;
    for (size_t r = 0; r < runs; r++) {
        const char *dry = dry_of(record[r]);
        if (first == NULL || dry == NULL || strcmp(first, dry) != 0)
            return false;
    }
    return first != NULL;
}

/* A file that peaked too high was written with less than the others' gain. */
static double least_gain(cJSON *const *record, size_t runs)
{
    double least = INFINITY;
    for (size_t r = 0; r < runs; r++) {
        const cJSON *entry;
        cJSON_ArrayForEach(entry, record_at(record[r], "files")) least =
            fmin(least, record_number(entry, "gain_db"));
    }
    return least;
}

/* Two runs have the same dry sound: the whole one is taken of the first, the low-passed one of the lower
 * band. */
static bool is_wanted(const cJSON *entry, size_t run, size_t lowest)
{
    const char *kind = record_text(entry, "kind");
    return kind != NULL && (strcmp(kind, "wet") == 0 || run == (strcmp(kind, "dry") == 0 ? 0 : lowest));
}

static int take_listened(struct report_takes *takes, const struct run_folder *folder, size_t runs,
                         cJSON *const *record, struct failure *failure)
{
    const double least = least_gain(record, runs);
    size_t lowest = 0;
    for (size_t r = 1; r < runs; r++)
        if (record_number(folder[r].record, "fmax_hz") < record_number(folder[lowest].record, "fmax_hz"))
            lowest = r;
    for (size_t r = 0; r < runs; r++) {
        const cJSON *entry;
        cJSON_ArrayForEach(entry, record_at(record[r], "files"))
        {
            const double gain = record_number(entry, "gain_db");
            if (isfinite(gain) && is_wanted(entry, r, lowest))
                TRY(take_file(takes, &folder[r], r, entry, pow(10, (least - gain) / 20), failure));
        }
    }
    return 0;
}

/* ---- of two runs ---- */

/* Runs up to different pitches would be told apart by those alone: all are heard up to the lowest. */
static int limit_band(const struct report_takes *takes, const struct run_folder *folder, size_t runs,
                      double *band, struct failure *failure)
{
    *band = INFINITY;
    for (size_t r = 0; r < runs; r++)
        *band = fmin(*band, record_number(folder[r].record, "fmax_hz"));
    for (size_t i = 0; i < takes->count; i++) {
        struct report_take *take = &takes->take[i];
        if (strcmp(take->kind, "wet") != 0 ||
            !(record_number(folder[take->run].record, "fmax_hz") > *band * (1 + 1e-6)))
            continue;
        TRY(heard_response_limit(&take->sound, *band, failure));
        TRY(room_interrupted(failure));
    }
    return 0;
}

/* A low-pass may lift a peak: then all are quieter, by one gain. */
static void keep_below_full_scale(const struct report_takes *takes)
{
    double peak = 0;
    for (size_t i = 0; i < takes->count; i++) {
        const struct wav_sound *sound = &takes->take[i].sound;
        for (size_t n = 0; n < sound->frames * (size_t)sound->channels; n++)
            peak = fmax(peak, takes->take[i].gain * fabs((double)sound->sample[n]));
    }
    for (size_t i = 0; i < takes->count && peak > 1; i++)
        takes->take[i].gain /= peak;
}

/* ---- into the page ---- */

static int encode(const struct report_takes *takes, enum sound_codec codec, struct report_sounds *out,
                  size_t *bytes, struct failure *failure)
{
    *bytes = 0;
    for (size_t i = 0; i < takes->count; i++) {
        struct report_sound *sound = &out->sound[i];
        free(sound->data);
        *sound = (struct report_sound){0};
        TRY(sound_encode(&takes->take[i].sound, takes->take[i].gain, codec, &sound->data, &sound->size,
                         failure));
        *bytes += sound->size;
        TRY(room_interrupted(failure));
    }
    out->type = sound_codec_type(codec);
    return 0;
}

static void describe(cJSON *root, const struct report_take *take, size_t index)
{
    char label[300], id[32];
    cJSON *sounds =
        cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(root, "runs"), (int)take->run), "sounds");
    cJSON *entry = cJSON_CreateObject();
    if (strcmp(take->kind, "wet") == 0)
        snprintf(label, sizeof label, "%s heard at %s", take->source != NULL ? take->source : "the source",
                 take->receiver != NULL ? take->receiver : "the receiver");
    else
        snprintf(label, sizeof label, "%s",
                 strcmp(take->kind, "dry") == 0 ? "dry, as in the open"
                                                : "dry, with only the pitches of the simulation");
    snprintf(id, sizeof id, "sound-%zu", index);
    cJSON_AddStringToObject(entry, "label", label);
    cJSON_AddNumberToObject(entry, "run", (double)take->run);
    cJSON_AddItemToObject(entry, "source",
                          take->source != NULL ? cJSON_CreateString(take->source) : cJSON_CreateNull());
    cJSON_AddItemToObject(entry, "receiver",
                          take->receiver != NULL ? cJSON_CreateString(take->receiver) : cJSON_CreateNull());
    cJSON_AddStringToObject(entry, "kind", take->kind);
    cJSON_AddItemToObject(entry, "seconds", report_rounded((double)take->sound.frames / take->sound.rate, 3));
    cJSON_AddStringToObject(entry, "audio_id", id);
    cJSON_AddItemToArray(sounds, entry);
}

static int put(struct report *report, const struct report_takes *takes, const char *dry,
               struct report_sounds *out, struct failure *failure)
{
    size_t bytes = 0;
    out->sound = calloc(takes->count + 1, sizeof *out->sound);
    if (out->sound == NULL)
        return failure_memory(failure, takes->count * sizeof *out->sound, "sounds");
    out->count = takes->count;
    enum sound_codec codec = SOUND_FLAC;
    TRY(encode(takes, codec, out, &bytes, failure));
    if (bytes > REPORT_SOUND_BYTES) {
        codec = SOUND_OPUS;
        TRY(encode(takes, codec, out, &bytes, failure));
    }
    while (bytes > REPORT_SOUND_BYTES && out->count > 0) {
        struct report_sound *last = &out->sound[--out->count];
        bytes -= last->size;
        free(last->data);
        *last = (struct report_sound){0};
    }
    for (size_t i = 0; i < out->count; i++)
        describe(report->root, &takes->take[i], i);
    cJSON *audio = cJSON_AddObjectToObject(report->root, "audio");
    cJSON_AddStringToObject(audio, "dry", dry);
    cJSON_AddStringToObject(audio, "codec", codec == SOUND_FLAC ? "flac" : "opus");
    cJSON_AddNumberToObject(audio, "left_out", (double)(takes->count - out->count));
    return 0;
}

int report_sounds_make(struct report *report, const struct run_folder *folder, struct report_sounds *out,
                       struct failure *failure)
{
    struct report_takes takes = {0};
    struct failure why = {0};
    cJSON *record[REPORT_RUNS_MOST] = {0};
    int code = 0;
    for (size_t r = 0; code == 0 && r < report->runs; r++)
        code = read_record(&folder[r], &record[r], failure);
    const bool listened = code != 0 || same_dry(record, report->runs);
    if (code == 0)
        code = listened ? take_listened(&takes, folder, report->runs, record, failure)
                        : report_clap_take(folder, report->runs, &takes, &why);
    if (!listened && code == FAILURE_INPUT) { /* a run that nothing can be heard of */
        char text[FAILURE_TEXT_MAX];
        cJSON *words = cJSON_AddStringToObject(cJSON_AddObjectToObject(report->root, "audio"), "why",
                                               failure_text(&why, text));
        for (size_t r = 0; words != NULL && r < report->runs; r++)
            run_folder_strip_of(&folder[r], words);
        code = 0;
    } else if (!listened && code != 0) {
        failure_forward(failure, &why);
    } else if (code == 0) {
        double band = NAN;
        code = limit_band(&takes, folder, report->runs, &band, failure);
        if (report->runs > 1)
            keep_below_full_scale(&takes);
        if (code == 0)
            code = put(report, &takes, listened ? dry_of(record[0]) : "clap", out, failure);
        if (code == 0 && !cJSON_AddItemToObject(cJSON_GetObjectItem(report->root, "audio"), "band_hz",
                                                report_rounded(band, 6)))
            code = failure_memory(failure, 0, "the data of a report");
    }
    report_takes_free(&takes);
    for (size_t r = 0; r < report->runs; r++)
        cJSON_Delete(record[r]);
    if (code != 0)
        report_sounds_free(out);
    return code;
}

void report_sounds_free(struct report_sounds *sounds)
{
    for (size_t i = 0; i < sounds->count; i++)
        free(sounds->sound[i].data);
    free(sounds->sound);
    *sounds = (struct report_sounds){0};
}
