#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/acoustics/figure_report.h"
#include "src/base/interrupt.h"
#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/base/wrapped_text.h"
#include "src/cli/analysis_list.h"
#include "src/cli/commands.h"
#include "src/base/options/messages.h"
#include "src/run_folder/figure_record.h"
#include "src/base/table/json_values.h"

#define PRINTED 20 /* most responses with a line of their own */

static const char *origin_word(enum analysis_origin origin)
{
    return origin == ANALYSIS_OPTION ? "option" : origin == ANALYSIS_RUN ? "run" : "file";
}

static void summarise_list(const struct analysis_list *list, struct figure_summary *out)
{
    *out = (struct figure_summary){0};
    for (size_t r = 0; r < list->count; r++) {
        figure_summary_add(out, &list->response[r].figures);
        further_summary_add(out, &list->response[r].further);
        speech_summary_add(&out->speech, &list->response[r].speech, &list->levels);
    }
}

/* Of no responses where no thirds were asked for. */
static void summarise_thirds(const struct analysis_list *list, struct figure_summary *out)
{
    *out = (struct figure_summary){0};
    for (size_t r = 0; r < list->count; r++)
        if (list->response[r].thirds != NULL)
            third_summary_add(out, list->response[r].thirds);
}

/* ---- words ---- */

static void print_response(const struct analysis_response *response)
{
    char channel[40] = "";
    if (response->channels > 1)
        snprintf(channel, sizeof channel, ", channel %d of %d", response->channel, response->channels);
    if (response->silent) {
        printf("%s%s: silent, %.3g s long\n", PATH_SHOWN(response->file), channel,
               (double)response->samples / response->rate);
        return;
    }
    printf("%s%s: sound at %.4f s, %.3g s long, to %.5g Hz", PATH_SHOWN(response->file), channel,
           response->onset, (double)response->samples / response->rate, response->fmax);
    if (isfinite(response->figures.strength))
        printf(", level %.1f dB", response->figures.strength);
    char text[MEASURED_TEXT];
    measured_facts_tell(&response->measured, text);
    printf(text[0] != '\0' ? "\n  %s\n" : "\n", text);
}

/* Of all responses; false if none has an octave from rays, or without memory. */
static bool fill_bars(const struct analysis_list *list, struct figure_bars *bars)
{
    struct record_response *record = calloc(list->count + 1, sizeof *record);
    const struct run_model model = {.responses = {.item = record, .count = list->count}};
    for (size_t r = 0; record != NULL && r < list->count; r++)
        record[r] = list->response[r].record;
    const bool filled = record != NULL && record_fill_bars(&model, bars);
    free(record);
    return filled;
}

static void print_words(const struct analysis_list *list)
{
    struct figure_summary summary;
    struct figure_bars bars;
    summarise_list(list, &summary);
    for (size_t r = 0; r < list->count && r < PRINTED; r++)
        print_response(&list->response[r]);
    if (list->count > PRINTED)
        printf(".. and %zu more; --json has the figures of each\n", list->count - PRINTED);
    if (summary.bands == 0)
        printf("no octave lies below the highest frequency: the first, 63 Hz, ends at 89 Hz\n");
    const bool barred = fill_bars(list, &bars);
    figure_report_print(stdout, &summary, barred ? &bars : NULL, NULL);
    if (barred)
        print_wrapped(
            stdout,
            "octaves from rays have the figures of run.json, which are those of the energy; the sound "
            "of the files is one random draw with that energy",
            2);
    struct figure_summary thirds;
    summarise_thirds(list, &thirds);
    figure_report_thirds(stdout, &thirds);
    if (barred && thirds.responses > 0)
        print_wrapped(stdout, "thirds end where the rays begin, which are traced in octaves", 2);
    if (!summary.calibrated && summary.bands > 0) {
        printf("  -  ");
        print_wrapped(stdout,
                      "G: the level of the source is not known; --calibrated states that the files are "
                      "calibrated like those of a run",
                      5);
    }
}

/* ---- JSON ---- */

static cJSON *response_json(const struct analysis_response *response)
{
    cJSON *entry = cJSON_CreateObject();
    JSON_PUT(entry, {"file", OF_TEXT(response->file)}, {"channel", OF_NUMBER(response->channel)});
    if (response->source != NULL)
        JSON_PUT(entry, {"source", OF_TEXT(response->source)});
    if (response->receiver != NULL)
        JSON_PUT(entry, {"receiver", OF_TEXT(response->receiver)});
    JSON_PUT(entry, {"rate_hz", OF_NUMBER(response->file_rate)},
             {"samples", OF_NUMBER(response->file_samples)}, {"onset_s", OF_NUMBER(response->onset)},
             {"onset_from", OF_TEXT(origin_word(response->onset_from))},
             {"fmax_hz", OF_NUMBER(response->fmax)}, {"fmax_from", OF_TEXT(origin_word(response->fmax_from))},
             {"calibrated", OF_TRUTH(acoustic_figures_is_calibrated(&response->figures))});
    if (response->measured.sweep)
        JSON_PUT(
            entry,
            {"harmonics_db", cJSON_CreateDoubleArray(response->measured.swept.harmonic, SWEEP_HARMONICS)},
            {"noise_db", OF_NUMBER(response->measured.swept.noise)});
    if (response->measured.mls)
        JSON_PUT(entry, {"periods", OF_NUMBER(response->measured.periods)});
    (void)json_write(&record_figures_table, &response->record, entry);
    return entry;
}

/* The given levels; null if missing. */
static void add_levels(cJSON *object, const struct speech_levels *levels)
{
    JSON_PUT(object,
             {"speech_level_db",
              levels->with_speech ? cJSON_CreateDoubleArray(levels->speech, SPEECH_OCTAVES) : NULL},
             {"noise_level_db",
              levels->with_noise ? cJSON_CreateDoubleArray(levels->noise, SPEECH_OCTAVES) : NULL});
}

static void add_means(cJSON *object, const struct analysis_list *list)
{
    struct figure_summary summary, thirds;
    struct record_means means;
    summarise_list(list, &summary);
    summarise_thirds(list, &thirds);
    json_clear(&record_means_table, &means);
    if (record_fill_means(&means, &summary) && record_fill_third_means(&means, &thirds))
        (void)json_write(&record_means_table, &means, json_object_in(object, "means"));
    json_free_members(&record_means_table, &means);
}

static cJSON *list_json(const struct analysis_list *list, const struct options *options)
{
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(object, {"program", OF_TEXT("transept")}, {"version", OF_TEXT(TRANSEPT_VERSION)},
             {"command", OF_TEXT("analyse")},
             {"arguments", OF_TEXTS(options->request.argument_count, options->request.argument)},
             {"warnings", OF_TEXTS(list->notices.warning_count, list->notices.warning)});
    add_levels(object, &list->levels);
    cJSON *responses = json_list_in(object, "responses");
    for (size_t r = 0; r < list->count; r++)
        json_append(responses, response_json(&list->response[r]));
    add_means(object, list);
    return object;
}

/* ---- the command ---- */

int command_analyse(const struct options *options, struct failure *failure)
{
    struct analysis_list list = {0};
    interrupt_ends = 1;
    progress_json_begin("responses", NULL);
    TRY(analysis_list_make(options, &list, failure));
    int code = 0;
    for (size_t w = 0; w < list.notices.warning_count; w++)
        message_warning(stderr, "", "%s", list.notices.warning[w]);
    if (options->json)
        code = print_json(list_json(&list, options), failure);
    else
        print_words(&list);
    analysis_list_free(&list);
    return code;
}
