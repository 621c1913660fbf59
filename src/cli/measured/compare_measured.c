#include "src/cli/measured/compare_measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/whole_file.h"
#include "src/base/options/messages.h"
#include "src/base/path_text.h"
#include "src/base/table/json_values.h"
#include "src/base/words/words.h"
#include "src/cli/commands.h"
#include "src/cli/compared_response.h"
#include "src/draw/decay_drawing.h"
#include "src/present/compare/run_compare.h"
#include "src/present/compare/run_compare_json.h"
#include "src/present/compare/run_compare_print.h"
#include "src/run_folder/run_read.h"

bool compare_is_of_measured(const struct options *options)
{
    if (options->subjects.count < 2 || compared_is_response(options->subjects.text[0]))
        return false;
    for (size_t s = 1; s < options->subjects.count; s++)
        if (!measured_is_file(options->subjects.text[s]))
            return false;
    return true;
}

/* ---- decays ---- */

/* The responses of the run that were measured, with their decays: (pairs). */
static int read_simulated(const struct options *options, const struct run_folder *run,
                          const struct measured_run *measured, struct analysis_list *out,
                          struct failure *failure)
{
    struct options plain = *options;
    plain.output = plain.sweep = plain.mls = plain.reference = NULL;
    plain.reference_distance = plain.reference_gate = 0.0;
    for (size_t p = 0; measured->files > 0 && p < measured->pairs; p++) {
        char *path = run_folder_file(run, measured->file[measured->first[p]].response->file);
        if (path == NULL)
            return failure_memory(failure, strlen(run->path), "a path");
        const int code = analysis_list_of(&plain, path, DECAY_TRACE_POINTS, &out[p], failure);
        free(path);
        TRY(code);
    }
    return 0;
}

static int draw_decays(const char *path, const struct run_folder *run, const struct measured_run *measured,
                       const struct analysis_list *simulated, struct failure *failure)
{
    const char *const name[2] = {T("simulated"), T("measured")};
    struct decay_pair *pair = calloc(measured->pairs, sizeof *pair);
    char(*title)[2 * OPTION_NAME_MAX + 8] = calloc(measured->pairs, sizeof *title);
    struct whole_file file = {0};
    int code = pair == NULL || title == NULL
                   ? failure_memory(failure, measured->pairs * sizeof *pair, "decays")
                   : whole_file_open(&file, path, failure);
    for (size_t p = 0; code == 0 && p < measured->pairs; p++) {
        const struct analysis_response *of[2] = {simulated[p].response,
                                                 measured->file[measured->first[p]].analysis.response};
        snprintf(title[p], sizeof title[p], "%s, %s", measured->item[p].source, measured->item[p].receiver);
        pair[p] = (struct decay_pair){.title = title[p],
                                      .bands = {of[0]->figures.bands, of[1]->figures.bands},
                                      .trace = {of[0]->trace, of[1]->trace}};
    }
    if (code == 0) {
        decay_drawing_page(file.stream, run->name, name, pair, measured->pairs);
        code = whole_file_settle(&file, failure);
    }
    if (code == 0)
        code = whole_file_commit(&file, failure);
    else
        whole_file_abandon(&file);
    free(pair);
    free(title);
    return code;
}

/* ---- what was paired ---- */

static void print_file(const struct measured_file *file)
{
    const struct analysis_response *response = &file->analysis.response[0];
    char how[60] = "", text[MEASURED_TEXT];
    if (isfinite(file->distance))
        snprintf(how, sizeof how, ", %.2g m from there", file->distance);
    measured_facts_tell(&response->measured, text);
    printf("%s: %s at %s%s, direct sound at %.4f s%s%s\n", PATH_SHOWN(file->path), file->response->source,
           file->response->receiver, how, response->onset, text[0] != '\0' ? ", " : "", text);
}

static void add_file(cJSON *list, const struct measured_file *file)
{
    cJSON *entry = json_append_object(list);
    JSON_PUT(entry, {"file", OF_TEXT(file->path)}, {"source", OF_TEXT(file->response->source)},
             {"receiver", OF_TEXT(file->response->receiver)},
             {"onset_s", OF_NUMBER(file->analysis.response[0].onset)});
    if (isfinite(file->distance))
        JSON_PUT(entry, {"distance_m", OF_NUMBER(file->distance)});
}

static void add_decays(cJSON *list, const struct measured_run *measured, size_t pair,
                       const struct analysis_list *simulated)
{
    cJSON *entry = json_append_object(list);
    JSON_PUT(entry, {"source", OF_TEXT(measured->item[pair].source)},
             {"receiver", OF_TEXT(measured->item[pair].receiver)},
             {"first", compared_decays(&simulated->response[0])},
             {"second", compared_decays(&measured->file[measured->first[pair]].analysis.response[0])});
}

static void warn(const struct measured_run *measured)
{
    for (size_t i = 0; i < measured->files; i++) {
        const struct room_notices *notices = &measured->file[i].analysis.notices;
        for (size_t w = 0; w < notices->warning_count; w++)
            message_warning(stderr, "", "%s", notices->warning[w]);
    }
}

static int tell(const struct options *options, const struct run_comparison *comparison,
                const struct measured_run *measured, const struct analysis_list *simulated, cJSON *object,
                cJSON *comparisons)
{
    if (options->json) {
        cJSON *files = json_list_in(object, "measured"), *decays = json_list_in(object, "decays");
        json_append(comparisons, run_comparison_json(comparison));
        for (size_t i = 0; i < measured->files; i++)
            add_file(files, &measured->file[i]);
        for (size_t p = 0; measured->files > 0 && p < measured->pairs; p++)
            add_decays(decays, measured, p, &simulated[p]);
    } else if (!options->request.quiet) {
        for (size_t i = 0; i < measured->files; i++)
            print_file(&measured->file[i]);
        if (measured->table.left_out + measured->unknown > 0)
            printf("left out of the table: %zu rows of other quantities, %zu places that the run lacks\n",
                   measured->table.left_out, measured->unknown);
        run_comparison_print(stdout, comparison);
    }
    return 0;
}

int compare_measured(const struct options *options, cJSON *object, cJSON *comparisons,
                     struct failure *failure)
{
    struct run_folder run = {0};
    struct measured_run measured = {0};
    struct run_comparison comparison = {0};
    struct analysis_list *simulated = NULL;
    if (options->output != NULL)
        TRY(command_refuse_existing(options->output, options->request.force, failure));
    int code = run_folder_read(options->subjects.text[0], &run, failure);
    if (code == 0)
        code = measured_run_read(options, &run, options->subjects.text + 1, options->subjects.count - 1,
                                 &measured, failure);
    warn(&measured);
    if (code == 0 && measured.files == 0 && options->output != NULL)
        code = failure_set(failure, FAILURE_INPUT, "-o %s draws decays, and a table of figures has none",
                           options->output);
    if (code == 0 && (simulated = calloc(measured.pairs, sizeof *simulated)) == NULL)
        code = failure_memory(failure, measured.pairs * sizeof *simulated, "decays");
    if (code == 0)
        code = read_simulated(options, &run, &measured, simulated, failure);
    if (code == 0)
        code = run_compare(&run, &measured.shown, &comparison, failure);
    if (code == 0 && options->output != NULL)
        code = draw_decays(options->output, &run, &measured, simulated, failure);
    if (code == 0)
        code = tell(options, &comparison, &measured, simulated, object, comparisons);
    run_comparison_free(&comparison);
    for (size_t p = 0; simulated != NULL && p < measured.pairs; p++)
        analysis_list_free(&simulated[p]);
    free(simulated);
    measured_run_free(&measured);
    run_folder_free(&run);
    return code;
}
