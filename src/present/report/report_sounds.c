#include "src/present/report/report_sounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/interrupt.h"
#include "src/base/json_memory.h"
#include "src/listen/heard_response.h"
#include "src/listen/listening_record.h"
#include "src/base/options/failure_text.h"
#include "src/present/report/report_clap.h"
#include "src/response/signal/sound_encode.h"
#include "src/base/words/words.h"

#define RECORD_MOST ((size_t)16 << 20) /* bytes of listen.json */
#define CHANNELS    2

/* ---- files of auralise ---- */

/* Empty where it left none that can be read. */
static int read_listened(const struct run_folder *folder, struct listened *out, struct failure *failure)
{
    struct failure why = {0};
    cJSON *root = NULL;
    char *path = run_folder_file(folder, "listen.json");
    if (path == NULL)
        return report_no_memory(failure);
    int code = json_file_read(path, RECORD_MOST, &root, &why);
    free(path);
    if (code == FAILURE_INPUT)
        return 0;
    if (code != 0)
        return failure_forward(failure, &why);
    run_folder_strip(root);
    if (!json_read(&listened_table, root, out))
        code = report_no_memory(failure);
    cJSON_Delete(root);
    return code;
}

/* NULL where it is of no kind that a report has. */
static const char *kind_of(const struct listened_file *entry)
{
    static const char *const kind[] = {"wet", "dry", "dry_lowpassed"};
    for (size_t k = 0; entry->kind != NULL && k < 3; k++)
        if (strcmp(entry->kind, kind[k]) == 0)
            return kind[k];
    return NULL;
}

static int take_file(struct report_takes *takes, const struct run_folder *folder, size_t run,
                     struct listened_file *entry, double gain, struct failure *failure)
{
    struct report_take take = {.run = run, .gain = gain};
    if (entry->file == NULL || strchr(entry->file, '/') != NULL || kind_of(entry) == NULL ||
        !(entry->seconds <= REPORT_SOUND_SECONDS) || !(entry->channels <= CHANNELS))
        return 0;
    struct failure why = {0};
    char *path = run_folder_file(folder, entry->file);
    const int code = path == NULL ? report_no_memory(failure) : wav_sound_read(path, &take.sound, &why);
    free(path);
    if (code == FAILURE_INPUT) /* missing, or not a sound: left out */
        return 0;
    if (code != 0)
        return code;
    take.record = *entry;
    json_clear(&listened_file_table, entry);
    return report_takes_add(takes, take, failure);
}

/* Whether every run was auralised with the same dry sound. */
static bool same_dry(char *const *dry, size_t runs)
{
    for (size_t r = 0; r < runs; r++)
        if (!same_name(dry[0], dry[r]))
            return false;
    return true;
}

/* A file that peaked too high was written with less than the others' gain. */
static double least_gain(const struct listened *listened, size_t runs)
{
    double least = INFINITY;
    for (size_t r = 0; r < runs; r++)
        for (size_t i = 0; i < listened[r].files.count; i++)
            least = fmin(least, listened[r].files.item[i].gain);
    return least;
}

/* Two runs have the same dry sound: the whole one is taken of the first, the low-passed one of the lower
 * band. */
static bool is_wanted(const struct listened_file *entry, size_t run, size_t lowest)
{
    const char *kind = entry->kind;
    return kind != NULL && (strcmp(kind, "wet") == 0 || run == (strcmp(kind, "dry") == 0 ? 0 : lowest));
}

static int take_listened(struct report_takes *takes, const struct run_folder *folder, size_t runs,
                         struct listened *listened, struct failure *failure)
{
    const double least = least_gain(listened, runs);
    size_t lowest = 0;
    for (size_t r = 1; r < runs; r++)
        if (run_model_highest(&folder[r].model) < run_model_highest(&folder[lowest].model))
            lowest = r;
    for (size_t r = 0; r < runs; r++)
        for (size_t i = 0; i < listened[r].files.count; i++) {
            struct listened_file *entry = &listened[r].files.item[i];
            if (isfinite(entry->gain) && is_wanted(entry, r, lowest))
                TRY(take_file(takes, &folder[r], r, entry, pow(10, (least - entry->gain) / 20), failure));
        }
    return 0;
}

/* ---- of two runs ---- */

/* Runs up to different pitches would be distinguished by those alone: all are heard up to the lowest. */
static int limit_band(const struct report_takes *takes, const struct run_folder *folder, size_t runs,
                      double *band, struct failure *failure)
{
    *band = INFINITY;
    for (size_t r = 0; r < runs; r++)
        *band = fmin(*band, run_model_highest(&folder[r].model));
    for (size_t i = 0; i < takes->count; i++) {
        struct report_take *take = &takes->take[i];
        if (strcmp(take->record.kind, "wet") != 0 ||
            !(run_model_highest(&folder[take->run].model) > *band * (1 + 1e-6)))
            continue;
        TRY(heard_response_limit(&take->sound, *band, failure));
        TRY(interrupt_stop(failure));
    }
    return 0;
}

/* A low-pass may raise a peak: then all are quieter, by one gain. */
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

static int encode_takes(const struct report_takes *takes, enum sound_codec codec, struct report_sounds *out,
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
        TRY(interrupt_stop(failure));
    }
    out->type = sound_codec_type(codec);
    return 0;
}

/* With names, but without the paths that a modelling program may have left in them. */
static bool describe_take(struct report *report, const struct report_take *take, size_t index)
{
    char label[300], id[32];
    struct report_sound_entry *entry =
        report_list_add(&report_sound_entry_table, &report->run[take->run].sounds);
    if (entry == NULL ||
        (take->record.source != NULL && !report_name_set(&entry->source, take->record.source)) ||
        (take->record.receiver != NULL && !report_name_set(&entry->receiver, take->record.receiver)))
        return false;
    entry->kind = kind_of(&take->record);
    if (strcmp(entry->kind, "wet") == 0)
        snprintf(label, sizeof label, T("%s heard at %s"),
                 entry->source != NULL ? entry->source : T("the source"),
                 entry->receiver != NULL ? entry->receiver : T("the receiver"));
    else
        snprintf(label, sizeof label, "%s",
                 strcmp(entry->kind, "dry") == 0 ? T("dry, as in the open")
                                                 : T("dry, as muffled as the simulated sounds"));
    snprintf(id, sizeof id, "sound-%zu", index);
    entry->run = (double)take->run;
    entry->seconds = report_rounded((double)take->sound.frames / take->sound.rate, 3);
    return json_text_set(&entry->label, label) && json_text_set(&entry->audio_id, id);
}

static int put_takes(struct report *report, const struct report_takes *takes, const char *dry,
                     struct report_sounds *out, struct failure *failure)
{
    size_t bytes = 0;
    out->sound = calloc(takes->count + 1, sizeof *out->sound);
    if (out->sound == NULL)
        return report_no_memory(failure);
    out->count = takes->count;
    enum sound_codec codec = SOUND_FLAC;
    TRY(encode_takes(takes, codec, out, &bytes, failure));
    if (bytes > REPORT_SOUND_BYTES) {
        codec = SOUND_OPUS;
        TRY(encode_takes(takes, codec, out, &bytes, failure));
    }
    while (bytes > REPORT_SOUND_BYTES && out->count > 0) {
        struct report_sound *last = &out->sound[--out->count];
        bytes -= last->size;
        free(last->data);
        *last = (struct report_sound){0};
    }
    for (size_t i = 0; i < out->count; i++)
        if (!describe_take(report, &takes->take[i], i))
            return report_no_memory(failure);
    report->audio->codec = codec == SOUND_FLAC ? "flac" : "opus";
    report->audio->left_out = (double)(takes->count - out->count);
    return json_text_set(&report->audio->dry, dry) ? 0 : report_no_memory(failure);
}

/* A run that nothing can be heard of. */
static int set_why(struct report *report, const struct run_folder *folder, const char *why,
                   struct failure *failure)
{
    char *words = strdup(why);
    for (size_t r = 0; words != NULL && r < report->runs; r++) {
        char *longer = words;
        words = NULL;
        report_reason_set(&words, &folder[r], longer);
        free(longer);
    }
    report->audio->why = words;
    return words != NULL ? 0 : report_no_memory(failure);
}

static int make_sounds(struct report *report, const struct run_folder *folder, const char *scratch,
                       struct listened *listened, char *const *dry, struct report_takes *takes,
                       struct report_sounds *out, struct failure *failure)
{
    struct failure why = {0};
    char text[FAILURE_TEXT_MAX];
    double band = NAN;
    const bool there = same_dry(dry, report->runs);
    if (there) {
        TRY(take_listened(takes, folder, report->runs, listened, failure));
    } else {
        const int code = report_clap_take(folder, report->runs, scratch, takes, &why);
        if (code == FAILURE_INPUT)
            return set_why(report, folder, failure_text(&why, text), failure);
        if (code != 0)
            return failure_forward(failure, &why);
    }
    TRY(limit_band(takes, folder, report->runs, &band, failure));
    if (report->runs > 1)
        keep_below_full_scale(takes);
    report->audio->band = report_rounded(band, 6);
    if (band > REPORT_WHOLE_BAND)
        report_takes_drop(takes, "dry_lowpassed");
    return put_takes(report, takes, there ? dry[0] : "clap", out, failure);
}

int report_sounds_make(struct report *report, const struct run_folder *folder, const char *scratch,
                       struct report_sounds *out, struct failure *failure)
{
    struct report_takes takes = {0};
    struct listened listened[REPORT_RUNS_MOST];
    char *dry[REPORT_RUNS_MOST] = {NULL};
    for (size_t r = 0; r < REPORT_RUNS_MOST; r++)
        json_clear(&listened_table, &listened[r]);
    report->audio = json_make(&report_audio_table);
    int code = report->audio == NULL ? report_no_memory(failure) : 0;
    for (size_t r = 0; code == 0 && r < report->runs; r++)
        code = read_listened(&folder[r], &listened[r], failure);
    for (size_t r = 0; code == 0 && r < report->runs; r++)
        code = listened_dry_text(&listened[r], &dry[r], failure);
    if (code == 0)
        code = make_sounds(report, folder, scratch, listened, dry, &takes, out, failure);
    report_takes_free(&takes);
    for (size_t r = 0; r < report->runs; r++) {
        json_free_members(&listened_table, &listened[r]);
        free(dry[r]);
    }
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
