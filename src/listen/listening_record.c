#include "src/listen/listening_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/text_buffer.h"
#include "src/base/json_entries.h"
#include "src/base/path_text.h"
#include "src/base/options/failure_text.h"
#include "src/run_folder/figure_values.h"
#include "src/response/signal/response.h"

#define FALL_REPORTED 40.0 /* [dB] */

/* ---- listen.json ---- */

#define TYPE listened_dry
OWN_TABLE(listened_dry, TEXT_IF("source", source), TEXT_IF("synthesised", synthesised), TEXT_IF("file", file),
          NUMBER("rate_hz", rate), NUMBER("channels", channels), NUMBER("seconds", seconds),
          NUMBER("mean_of_channels_db", mean_of_channels));
#undef TYPE

#define TYPE listened_part
TABLE(listened_part, TEXT("source", source), TEXT("response", response));
#undef TYPE

#define TYPE listened_file
TABLE(listened_file, TEXT("file", file), TEXT("kind", kind), TEXT("response", response),
      TEXT("source", source), TEXT("receiver", receiver), LIST_IF("mixed", mixed, listened_part),
      NUMBER("distance_m", distance), NUMBER("fmax_hz", fmax), TEXT_IF("fmax_why", fmax_why),
      NUMBER("channels", channels), NUMBER("seconds", seconds), NUMBER_IF("tail_from_s", tail_from),
      NUMBER("response_fall_db", response_fall), NUMBER("gain_db", gain), NUMBER("loudness_lufs", loudness),
      TEXT_IF("loudness_why", loudness_why), NUMBER("true_peak_dbfs", true_peak));
#undef TYPE

#define TYPE listened
TABLE(listened, TEXT("program", program), TEXT("version", version), TEXT("command", command),
      TEXTS("arguments", arguments), OBJECT("dry", dry, listened_dry), LIST_IF("dries", dries, listened_dry),
      TEXT("level", level), NUMBER("gain_db", gain), NUMBER("true_peak_most_dbfs", true_peak_most),
      NUMBER("rate_hz", rate), NUMBER("bits", bits), LIST("files", files, listened_file));
#undef TYPE

static bool fill_dry(struct listened_dry *record, const struct listening_dry *of, const struct dry_sound *dry)
{
    record->rate = dry->rate;
    record->channels = dry->channels;
    record->seconds = dry->seconds;
    record->mean_of_channels = -dry->cancelled;
    return json_text_set(dry_sound_is_word(of->sound) ? &record->synthesised : &record->file, of->sound) &&
           json_text_set(&record->source, of->source[0] != '\0' ? of->source : NULL);
}

static bool fill_dries(struct listened *model, const struct listening_list *list, const struct dry_sound *dry)
{
    if (list->dries == 1)
        return (model->dry = json_make(&listened_dry_table)) != NULL &&
               fill_dry(model->dry, &list->dry[0], dry);
    if (!JSON_LIST_MAKE(&listened_dry_table, &model->dries, list->dries))
        return false;
    for (size_t d = 0; d < list->dries; d++)
        if (!fill_dry(&model->dries.item[d], &list->dry[d], &dry[d]))
            return false;
    return true;
}

int listened_dry_text(const struct listened *listened, char **out, struct failure *failure)
{
    const size_t count = listened->dry != NULL ? 1 : listened->dries.count;
    const struct listened_dry *dry = listened->dry != NULL ? listened->dry : listened->dries.item;
    struct text_buffer text = {0};
    int code = 0;
    for (size_t d = 0; code == 0 && d < count; d++) {
        const char *sound = dry[d].synthesised != NULL ? dry[d].synthesised : dry[d].file;
        if (sound == NULL)
            continue;
        if (text.size > 0)
            code = text_put(&text, " + ", 3, failure);
        if (code == 0 && count > 1 && dry[d].source != NULL)
            code = text_print(&text, failure, "%s=", dry[d].source);
        if (code == 0)
            code = text_put(&text, sound, strlen(sound), failure);
    }
    if (code != 0) {
        free(text.data);
        return code;
    }
    *out = text.data;
    return 0;
}

/* Fill the members that follow from the others. */
static bool complete_file(struct heard *heard)
{
    struct listened_file *const record = &heard->record;
    const char *fmax_why = heard->kind == HEARD_DRY
                               ? "the dry sound is not low-passed"
                               : "no run.json beside the response gives it, and the command did not";
    return json_text_set(&record->fmax_why, isnan(record->fmax) ? fmax_why : NULL) &&
           json_text_set(&record->loudness_why, isnan(record->loudness) ? LOUDNESS_WHY : NULL);
}

static bool fill_record(struct listened *model, const struct options *options, struct listening_list *list,
                        const struct dry_sound *dry, double gain)
{
    model->gain = loudness_decibels(gain);
    model->true_peak_most = AURALISATION_PEAK;
    model->rate = RESPONSE_RATE;
    model->bits = 24;
    if (!fill_dries(model, list, dry) || !json_text_set(&model->program, "transept") ||
        !json_text_set(&model->version, TRANSEPT_VERSION) || !json_text_set(&model->command, "auralise") ||
        !json_texts_set(&model->arguments, (const char *const *)options->request.argument,
                        (size_t)options->request.argument_count) ||
        !json_text_set(&model->level, options->level == LEVEL_TRUE ? "true" : "normalised") ||
        !JSON_LIST_MAKE(&listened_file_table, &model->files, list->count))
        return false;
    for (size_t i = 0; i < list->count; i++) {
        if (!complete_file(&list->heard[i]))
            return false;
        model->files.item[i] = list->heard[i].record;
    }
    return true;
}

cJSON *listening_record(const struct options *options, struct listening_list *list,
                        const struct dry_sound *dry, double gain)
{
    struct listened model;
    cJSON *object = cJSON_CreateObject();
    json_clear(&listened_table, &model);
    if (object != NULL && fill_record(&model, options, list, dry, gain))
        (void)json_write(&listened_table, &model, object);
    free(model.files.item); /* their members are the list's */
    model.files.item = NULL;
    model.files.count = 0;
    json_free_members(&listened_table, &model);
    return object;
}

/* ---- words ---- */

static void print_tail(FILE *stream, const struct listening_list *list)
{
    double first = INFINITY;
    for (size_t i = 0; i < list->count; i++)
        first = fmin(first, list->heard[i].record.tail_from);
    if (isfinite(first))
        fprintf(stream,
                "where a response ends, the earliest after %.2f s, each octave goes on by its own decay, as "
                "random sound\n",
                first);
}

static void print_file(FILE *stream, const struct heard *heard, int width, double gain)
{
    const struct listened_file *const record = &heard->record;
    char loudness[32] = "-";
    if (isfinite(record->loudness))
        snprintf(loudness, sizeof loudness, "%.1f LUFS", record->loudness);
    fprintf(stream, "  %-*s%12s  peak %6.1f dBFS", width, PATH_SHOWN(record->file), loudness,
            record->true_peak);
    if (record->channels > 1)
        fprintf(stream, ", %g channels", record->channels);
    if (heard->kind == HEARD_DRY_LOW_PASSED)
        fprintf(stream, ", up to %g Hz like the responses", record->fmax);
    if (heard->gain != gain)
        fprintf(stream, ", gain %.1f dB lower", loudness_decibels(gain / heard->gain));
    fputc('\n', stream);
}

static void print_level(FILE *stream, const struct options *options, double gain)
{
    if (options->level != LEVEL_TRUE)
        fprintf(stream, "one gain for all, %+.1f dB: the highest peak is at %g dBFS\n",
                loudness_decibels(gain), AURALISATION_PEAK);
    else if (gain < 1.0)
        fprintf(stream, "level-true less %.1f dB for all sounds, so that no peak is above %g dBFS\n",
                -loudness_decibels(gain), AURALISATION_PEAK);
    else
        fprintf(stream, "level-true: 0 dB is the dry sound at 1 m from the source\n");
}

static void print_fall(FILE *stream, const struct listening_list *list)
{
    double least = INFINITY;
    for (size_t i = 0; i < list->count; i++)
        least = fmin(least, list->heard[i].record.response_fall);
    char advice[ADVICE_TEXT_MAX];
    if (least < FALL_REPORTED)
        fprintf(stream, "a response has decayed by only %.0f dB when it ends, and the cut can be heard: %s\n",
                least, advice_text(ADVICE_LONGER_DURATION, 0, advice));
}

void listening_print(FILE *stream, const struct options *options, const struct listening_list *list,
                     const struct dry_sound *dry, double gain)
{
    int width = 0;
    double distance = NAN;
    for (size_t i = 0; i < list->count; i++) {
        width = (int)fmax(width, (double)strlen(list->heard[i].record.file));
        if (list->heard[i].kind == HEARD_DRY)
            distance = list->heard[i].record.distance;
    }
    for (size_t d = 0; d < list->dries; d++)
        fprintf(stream, "%s%s%s, %.3g s of sound, ", list->dry[d].source,
                list->dry[d].source[0] != '\0' ? " plays " : "", PATH_SHOWN(list->dry[d].sound),
                dry[d].seconds);
    fprintf(stream, "48 kHz, 24 bit");
    if (list->folder != NULL)
        fprintf(stream, ", into %s", PATH_SHOWN(list->folder));
    fputc('\n', stream);
    print_level(stream, options, gain);
    for (size_t i = 0; i < list->count; i++)
        print_file(stream, &list->heard[i], width + 1, gain);
    print_tail(stream, list);
    print_fall(stream, list);
    fprintf(stream, "dry sounds are as in free field, %.3g m from the source; %s has all figures\n", distance,
            PATH_SHOWN(list->record));
}
