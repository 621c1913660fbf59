/** `transept calibrate`: the absorption that gives the reverberation times measured in a room. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/interrupt.h"
#include "src/base/json_memory.h"
#include "src/base/options/messages.h"
#include "src/base/options/option_values.h"
#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/base/table/json_values.h"
#include "src/calibrate/calibration_runs.h"
#include "src/calibrate/calibration_words.h"
#include "src/calibrate/variant_write.h"
#include "src/cli/analysis_list.h"
#include "src/cli/commands.h"
#include "src/setup/project/project_input.h"

struct calibrate_options {
    struct option_texts measured; /* files */
    int figure;                   /* index of figure_words */
    const char *name;             /* of the variant */
};

static const char *const figure_words[] = {"t30", "t20", "edt", NULL};
static const enum figure figure_of_word[] = {FIGURE_T30, FIGURE_T20, FIGURE_EDT};

static const struct option_spec calibrate_option_table[] = {
    {.name = "measured",
     .kind = OPTION_TEXTS,
     .value = "FILE.csv|IR.wav|DIR",
     .at = offsetof(struct calibrate_options, measured),
     .group = "Measurement",
     .help =
         "what was measured: a table of reverberation times in seconds by octave, or impulse responses, as "
         "`analyse` takes them; ir_<source>_<receiver>.wav is of that pair, other files are of all; "
         "repeatable"},
    {.name = "figure",
     .kind = OPTION_WORD,
     .value = "WORD",
     .standard = "t30",
     .words = figure_words,
     .at = offsetof(struct calibrate_options, figure),
     .help = "the reverberation time that the runs are to have"},
    {.name = "name",
     .kind = OPTION_TEXT,
     .value = "NAME",
     .standard = "calibrated",
     .at = offsetof(struct calibrate_options, name),
     .help = "name of the variant that is added to the project"},
};
#define OWN_OPTIONS (sizeof calibrate_option_table / sizeof *calibrate_option_table)

struct option_set calibrate_option_set(void *base)
{
    return (struct option_set){.count = OWN_OPTIONS, .spec = calibrate_option_table, .base = base};
}

/* ---- what was measured ---- */

static void take_response(const struct analysis_response *response, enum figure figure,
                          struct measured_row *row)
{
    *row = (struct measured_row){.of_file = response->source == NULL};
    for (int o = 0; o < MATERIAL_OCTAVES; o++)
        row->seconds[o] = NAN;
    for (size_t b = 0; b < response->record.octaves.count; b++) {
        const int octave = measured_octave(json_number_of(&response->record.octaves, b));
        if (octave >= 0)
            row->seconds[octave] = figure_values_octave(&response->record.figures, figure, b);
    }
    const char *name = path_name(response->file), *end = strrchr(name, '.');
    (void)snprintf(row->place, sizeof row->place, "%.150s", response->file);
    if (response->source != NULL) {
        (void)snprintf(row->source, sizeof row->source, "%s", response->source);
        (void)snprintf(row->receiver, sizeof row->receiver, "%s", response->receiver);
    } else {
        (void)snprintf(row->label, sizeof row->label, "%.*s",
                       (int)(end != NULL ? end - name : (ptrdiff_t)strlen(name)), name);
    }
}

static int read_responses(const char *path, struct measured_times *times, struct failure *failure)
{
    static const struct options plain; /* of `analyse`, without any */
    struct analysis_list list = {0};
    struct measured_row row;
    int code = analysis_list_of(&plain, path, 0, &list, failure);
    for (size_t w = 0; w < list.notices.warning_count; w++)
        message_warning(stderr, "", "%s", list.notices.warning[w]);
    for (size_t r = 0; code == 0 && r < list.count; r++) {
        take_response(&list.response[r], times->figure, &row);
        code = measured_times_add(times, &row, failure);
    }
    analysis_list_free(&list);
    return code;
}

static int read_measured(const struct calibrate_options *own, struct measured_times *times,
                         struct failure *failure)
{
    if (own->measured.count == 0)
        return failure_set(failure, FAILURE_INPUT,
                           "calibrate needs --measured FILE, the reverberation times of the room");
    times->figure = figure_of_word[own->figure];
    for (size_t f = 0; f < own->measured.count; f++) {
        const char *path = own->measured.text[f], *end = strrchr(path, '.');
        TRY(end != NULL && strcasecmp(end, ".csv") == 0 ? measured_times_read(times, path, failure)
                                                        : read_responses(path, times, failure));
    }
    return 0;
}

/* ---- results ---- */

/* "T.csv", "T.csv and 2 more". */
static const char *name_measured(const struct calibrate_options *own, char text[200])
{
    const size_t more = own->measured.count - 1;
    (void)snprintf(text, 200, "%.120s", path_name(own->measured.text[0]));
    if (more > 0)
        (void)snprintf(text + strlen(text), 60, " and %zu more", more);
    return text;
}

static int add_variant(const struct calibration *calibration, const struct calibrate_options *own,
                       const struct project *project, struct failure *failure)
{
    char *body = NULL, from[200];
    size_t size = 0;
    FILE *stream = open_memstream(&body, &size);
    if (stream == NULL)
        return failure_memory(failure, sizeof from, "a variant");
    calibration_put_variant(stream, calibration, name_measured(own, from));
    int code = fclose(stream) == 0 ? 0 : failure_memory(failure, sizeof from, "a variant");
    if (code == 0)
        code = variant_write(project, own->name, body, false, failure);
    free(body);
    return code;
}

static void warn(const struct calibration *calibration)
{
    char list[CALIBRATION_OCTAVES_MAX];
    if (calibration_octaves(calibration, CALIBRATION_UNKNOWN, list)[0] != '\0')
        message_warning(
            stderr, "",
            "the runs have no %s at %s, or no account of what took the sound: the absorption stays there",
            figure_kind[calibration->measured->figure].word, list);
    if (calibration_octaves(calibration, CALIBRATION_OFF, list)[0] != '\0')
        message_warning(stderr, "", "after %zu runs the times still differ by more than %g %% at %s",
                        calibration->runs, 100 * CALIBRATION_NEAR, list);
    for (size_t s = 0; s < calibration->surfaces; s++)
        if (calibrated_surface_reach(&calibration->surface[s]) > CALIBRATION_LARGE)
            message_warning(stderr, "is it what the project says, and is its area right?",
                            "the absorption of %s changes by %.1f standard uncertainties",
                            calibration->surface[s].name, calibrated_surface_reach(&calibration->surface[s]));
}

static int show(const struct calibration *calibration, const struct options *options,
                const struct project *project, bool added, struct failure *failure)
{
    const struct calibrate_options *own = options->own;
    if (options->json) {
        cJSON *object = cJSON_CreateObject();
        JSON_PUT(object, {"project", OF_TEXT(project->file)}, {"variant", OF_TEXT(added ? own->name : NULL)},
                 {"directory", OF_TEXT(options->output)});
        calibration_put_json(object, calibration);
        return print_json(object, failure);
    }
    if (options->request.quiet)
        return 0;
    calibration_print(stdout, calibration);
    if (added)
        printf("variant %s added to %s; next: transept simulate %s --variant %s\n", own->name,
               PATH_SHOWN(project->file), PATH_SHOWN(project->file), own->name);
    else
        printf("the project has the measured times: nothing to change\n");
    return 0;
}

/* ---- the command ---- */

/* The runs are first looks, whatever the project asks of its own, unless the command line asks for more. */
static int take_draft(struct options *options, struct failure *failure)
{
    static const char *const draft[][2] = {{"fmax", "355"}, {"quality", "draft"}};
    for (size_t d = 0; d < 2; d++) {
        const struct option_spec *spec = project_option(draft[d][0]);
        if (options_given(options, draft[d][0]))
            continue;
        TRY(option_read_value(spec, draft[d][1], options, failure));
        options_set_given(options, spec);
    }
    return 0;
}

static int refuse_start(const struct options *options, struct failure *failure)
{
    if (!project_is_file(options->subject) || project_is_input(options->subject))
        return failure_set(failure, FAILURE_INPUT,
                           "calibrate takes a project in a file (.yaml), and %s is %s", options->subject,
                           project_is_input(options->subject) ? "standard input" : "not one");
    return options->output != NULL
               ? 0
               : failure_set(failure, FAILURE_INPUT, "calibrate needs -o DIR, a folder for its runs");
}

static int calibrate(struct options *options, struct project *project, struct failure *failure)
{
    const struct calibrate_options *own = options->own;
    struct measured_times measured = {0};
    struct calibration calibration = {0};
    bool changed = false;
    int code = read_measured(own, &measured, failure);
    if (code == 0)
        code = variant_write(project, own->name, "air: {humidity_percent: 50}\n", true, failure);
    if (code == 0)
        code = calibration_runs(&calibration, options, project, &measured, failure);
    for (size_t s = 0; s < calibration.surfaces; s++)
        changed = changed || calibrated_surface_changed(&calibration.surface[s]);
    if (code == 0 && changed)
        code = add_variant(&calibration, own, project, failure);
    if (code == 0)
        warn(&calibration);
    if (code == 0)
        code = show(&calibration, options, project, changed, failure);
    calibration_free(&calibration);
    measured_times_free(&measured);
    return code;
}

int command_calibrate(const struct command *command, int argc, char **argv, struct failure *failure)
{
    struct calibrate_options own = {.name = "calibrated"};
    struct option_set set = calibrate_option_set(&own);
    struct options options;
    struct project *project = NULL;
    int code =
        options_parse(command->bit, command->name, command->subject, argc, argv, &set, &options, failure);
    options.request.engine.back_ends = command->back_ends;
    command_show_progress(&options);
    if (code == 0 && options.help) {
        help_command(stdout, command, &set);
    } else if (code == 0) {
        interrupt_ends = 1;
        progress_json_begin("model", NULL);
        for (size_t i = 1; code == 0 && i < options.subjects.count; i++)
            code = option_text_add(options.subjects.text[i], &own.measured, failure);
        if (code == 0)
            code = refuse_start(&options, failure);
        if (code == 0)
            code = take_draft(&options, failure);
        if (code == 0)
            code = command_take_project(&options, &project, failure);
        if (code == 0)
            code = calibrate(&options, project, failure);
    }
    option_texts_free(&own.measured);
    options_free(&options);
    project_close(project);
    return code;
}
