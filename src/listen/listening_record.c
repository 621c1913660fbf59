#include "src/listen/listening_record.h"

#include <math.h>
#include <string.h>

#include "src/signal/response.h"

#define FALL_TOLD 40.0 /* [dB] */

static double decibels(double ratio)
{
    return 20.0 * log10(ratio);
}

static const char *kind_name(enum heard_kind kind)
{
    static const char *const name[] = {[HEARD_RESPONSE] = "wet",
                                       [HEARD_EXTENDED] = "wet_extended",
                                       [HEARD_DRY_LOW_PASSED] = "dry_lowpassed",
                                       [HEARD_DRY] = "dry"};
    return name[kind];
}

/* ---- listen.json ---- */

static void add_number(cJSON *object, const char *name, double value)
{
    if (isfinite(value))
        cJSON_AddNumberToObject(object, name, value);
    else
        cJSON_AddNullToObject(object, name);
}

static void add_text(cJSON *object, const char *name, const char *text)
{
    if (text != NULL)
        cJSON_AddStringToObject(object, name, text);
    else
        cJSON_AddNullToObject(object, name);
}

static void record_origin(cJSON *entry, const struct listening_item *item, const struct heard *heard)
{
    add_text(entry, "response", item->response);
    add_text(entry, "source", heard->of != NULL ? heard->of->source : NULL);
    add_text(entry, "receiver", heard->of != NULL ? heard->of->receiver : NULL);
    add_number(entry, "distance_m", heard->distance);
}

/* The band that is in the file, as far as the room or the low-pass decides it. */
static void record_band(cJSON *entry, const struct heard *heard)
{
    const bool whole = heard->kind == HEARD_DRY;
    add_number(entry, "fmax_hz", heard->fmax);
    if (isnan(heard->fmax))
        cJSON_AddStringToObject(entry, "fmax_why",
                                whole ? "the dry sound is not low-passed"
                                      : "no run.json beside the response tells it, and no --fmax was given");
}

static void record_loudness(cJSON *entry, const struct heard *heard)
{
    cJSON_AddNumberToObject(entry, "gain_db", decibels(heard->gain));
    add_number(entry, "loudness_lufs", heard->loudness.lufs);
    if (isnan(heard->loudness.lufs))
        cJSON_AddStringToObject(entry, "loudness_why", "shorter than 0.4 s, or nowhere louder than -70 LUFS");
    add_number(entry, "true_peak_dbfs", decibels(heard->loudness.peak));
}

/* How what is above fmax was made. */
static void record_extension(cJSON *object, const struct extension_record *extension)
{
    cJSON *entry = cJSON_AddObjectToObject(object, "extended");
    cJSON_AddNumberToObject(entry, "from_hz", extension->fmax);
    cJSON_AddStringToObject(entry, "method",
                            "not simulated: noise that decays, with the energy of the octave below from_hz");
    cJSON_AddBoolToObject(entry, "direct_sound", extension->direct);
    cJSON_AddStringToObject(entry, "decay_from",
                            extension->materials ? "that octave, and the materials and air of the run"
                                                 : "that octave, and air");
    cJSON_AddNumberToObject(entry, "octave_below_hz", extension->middle);
    cJSON_AddNumberToObject(entry, "octave_below_t_s", extension->decay);
    cJSON_AddItemToObject(entry, "octaves_hz",
                          cJSON_CreateDoubleArray(extension->centre, (int)extension->octaves));
    cJSON_AddItemToObject(entry, "t_s", cJSON_CreateDoubleArray(extension->time, (int)extension->octaves));
}

static cJSON *record_file(const struct listening_item *item, const struct heard *heard)
{
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddStringToObject(entry, "file", item->name);
    cJSON_AddStringToObject(entry, "kind", kind_name(heard->kind));
    record_origin(entry, item, heard);
    record_band(entry, heard);
    cJSON_AddNumberToObject(entry, "channels", (double)heard->channels);
    cJSON_AddNumberToObject(entry, "seconds", heard->seconds);
    add_number(entry, "response_fall_db", heard->fall);
    record_loudness(entry, heard);
    if (heard->kind == HEARD_EXTENDED)
        record_extension(entry, &heard->extension);
    return entry;
}

static void record_dry(cJSON *object, const struct listening_list *list, const struct dry_sound *dry)
{
    cJSON *entry = cJSON_AddObjectToObject(object, "dry");
    cJSON_AddStringToObject(entry, dry_sound_is_word(list->dry) ? "synthesised" : "file", list->dry);
    cJSON_AddNumberToObject(entry, "rate_hz", dry->rate);
    cJSON_AddNumberToObject(entry, "channels", dry->channels);
    cJSON_AddNumberToObject(entry, "seconds", dry->seconds);
    cJSON_AddNumberToObject(entry, "mean_of_channels_db", -dry->cancelled);
}

cJSON *listening_record(const struct options *options, const struct listening_list *list,
                        const struct dry_sound *dry, double gain)
{
    cJSON *object = cJSON_CreateObject();
    if (object == NULL)
        return NULL;
    cJSON_AddStringToObject(object, "program", "transept");
    cJSON_AddStringToObject(object, "version", TRANSEPT_VERSION);
    cJSON_AddStringToObject(object, "command", "auralise");
    cJSON *arguments = cJSON_AddArrayToObject(object, "arguments");
    for (int i = 0; i < options->argument_count; i++)
        cJSON_AddItemToArray(arguments, cJSON_CreateString(options->argument[i]));
    record_dry(object, list, dry);
    cJSON_AddStringToObject(object, "level", options->level == LEVEL_TRUE ? "true" : "normalised");
    cJSON_AddNumberToObject(object, "gain_db", decibels(gain));
    cJSON_AddNumberToObject(object, "true_peak_most_dbfs", AURALISATION_PEAK);
    cJSON_AddNumberToObject(object, "rate_hz", RESPONSE_RATE);
    cJSON_AddNumberToObject(object, "bits", 24);
    cJSON *files = cJSON_AddArrayToObject(object, "files");
    for (size_t i = 0; i < list->count; i++)
        cJSON_AddItemToArray(files, record_file(&list->item[i], &list->heard[i]));
    return object;
}

/* ---- words ---- */

/* In 12 columns. */
static void print_loudness(FILE *stream, const struct loudness *loudness)
{
    if (isfinite(loudness->lufs))
        fprintf(stream, "%7.1f LUFS", loudness->lufs);
    else
        fprintf(stream, "%12s", "-");
    fprintf(stream, "  peak %6.1f dBFS", decibels(loudness->peak));
}

static void print_file(FILE *stream, const struct listening_item *item, const struct heard *heard, int width,
                       double gain)
{
    fprintf(stream, "  %-*s", width, item->name);
    print_loudness(stream, &heard->loudness);
    if (heard->channels > 1)
        fprintf(stream, ", %zu channels", heard->channels);
    if (heard->kind == HEARD_EXTENDED)
        fprintf(stream, ", above %g Hz a statistical tail", heard->fmax);
    if (heard->kind == HEARD_DRY_LOW_PASSED)
        fprintf(stream, ", up to %g Hz like the responses", heard->fmax);
    if (heard->gain != gain)
        fprintf(stream, ", gain %.1f dB lower", decibels(gain / heard->gain));
    fputc('\n', stream);
}

static void print_level(FILE *stream, const struct options *options, double gain)
{
    if (options->level != LEVEL_TRUE)
        fprintf(stream, "one gain for all, %+.1f dB: the highest peak is at %g dBFS\n", decibels(gain),
                AURALISATION_PEAK);
    else if (gain < 1.0)
        fprintf(stream, "level-true less %.1f dB, for all alike, so that no peak is above %g dBFS\n",
                -decibels(gain), AURALISATION_PEAK);
    else
        fprintf(stream, "level-true: 0 dB is the dry sound at 1 m from the source\n");
}

/* A response that is cut off is heard to be. */
static void print_fall(FILE *stream, const struct listening_list *list)
{
    double least = INFINITY;
    for (size_t i = 0; i < list->count; i++)
        least = fmin(least, list->heard[i].fall);
    if (least < FALL_TOLD)
        fprintf(stream,
                "a response has decayed by only %.0f dB when it ends, and the cut can be heard: simulate "
                "with a longer --duration\n",
                least);
}

void listening_print(FILE *stream, const struct options *options, const struct listening_list *list,
                     const struct dry_sound *dry, double gain)
{
    int width = 0;
    double distance = NAN;
    for (size_t i = 0; i < list->count; i++) {
        width = (int)fmax(width, (double)strlen(list->item[i].name));
        if (list->heard[i].kind == HEARD_DRY)
            distance = list->heard[i].distance;
    }
    fprintf(stream, "%s, %.3g s of sound, 48 kHz, 24 bit", list->dry, dry->seconds);
    if (list->folder != NULL)
        fprintf(stream, ", into %s", list->folder);
    fputc('\n', stream);
    print_level(stream, options, gain);
    for (size_t i = 0; i < list->count; i++)
        print_file(stream, &list->item[i], &list->heard[i], width + 1, gain);
    print_fall(stream, list);
    fprintf(stream, "dry sounds are as in free field, %.3g m from the source; %s has all figures\n", distance,
            list->record);
}
