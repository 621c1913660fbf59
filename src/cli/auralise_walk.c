#include "src/cli/auralise_walk.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "geometry/base/vector.h"
#include "src/base/interrupt.h"
#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/listen/auralisation.h"
#include "src/listen/listening_list.h"
#include "src/base/options/messages.h"
#include "src/base/options/option_values.h"
#include "src/setup/project/project.h"
#include "src/run_folder/output_folder.h"
#include "src/run_folder/run_read.h"
#include "src/base/table/json_values.h"
#include "src/run/walk/walk_files.h"
#include "src/run/walk/walk_run.h"
#include "src/run/walk/walk_steps.h"

#define RECORD "walk.json"
#define PI     3.14159265358979323846

struct walk {
    const struct options *options;
    const char *subject, *dry_name, *folder;
    bool is_run;                   /* the subject is a run's folder */
    struct walk_path path, sounds; /* of the listener; of the source, empty where it stands */
    struct dry_sound dry;
    struct run_model model; /* of a run */
    struct mesh walls;
    struct head_data head;
    struct head_filters filters;
    struct option_text_list {
        size_t count;
        char **text;
    } arguments, aims;   /* of the run that is set up again; owned except the arguments' texts */
    struct options room; /* parsed from them */
    struct project *project;
    struct walk_steps steps;
    size_t sources;
    struct walked_source *source; /* owned */
    struct walk_files files;
    struct output_folder out;
    struct walk_summary summary;
};

static void walk_free(struct walk *walk)
{
    walk_files_free(&walk->files);
    for (size_t s = 0; s < walk->sources; s++)
        walked_source_free(&walk->source[s]);
    for (size_t i = 0; i < walk->aims.count; i++)
        free(walk->aims.text[i]);
    free(walk->aims.text);
    free(walk->arguments.text);
    free(walk->source);
    walk_steps_free(&walk->steps);
    options_free(&walk->room);
    project_close(walk->project);
    head_filters_free(&walk->filters);
    head_data_free(&walk->head);
    mesh_free(&walk->walls);
    run_model_free(&walk->model);
    dry_sound_close(&walk->dry);
    walk_path_free(&walk->path);
    walk_path_free(&walk->sounds);
    output_folder_undo(&walk->out);
}

static size_t channels_of(const struct options *options)
{
    return options->request.listening.ambisonics || options->request.listening.head != NULL
               ? AMBISONIC_CHANNELS
               : 1;
}

/* ---- the request ---- */

int auralise_check_walk(const struct options *options, struct failure *failure)
{
    static const char *const goes_with[] = {"speed",       "look",         "ambisonics", "head",
                                            "stepped",     "backend",      "devices",    "device",
                                            "source-walk", "source-speed", "air"};
    const size_t of_steps = 5; /* the others are for rooms that are stepped */
    for (size_t i = 0; i < sizeof goes_with / sizeof *goes_with; i++) {
        if (options->walk == NULL && options_given(options, goes_with[i]))
            return failure_fix(failure_set(failure, FAILURE_INPUT, "--%s needs a walk", goes_with[i]),
                               failure, "give its places with --walk");
        if (i >= of_steps && options_given(options, goes_with[i]) && run_is_in(options->subject) &&
            !options->stepped)
            return failure_fix(failure_set(failure, FAILURE_INPUT,
                                           "--%s is only for a walk with --stepped, but %s has responses",
                                           goes_with[i], options->subject),
                               failure, "leave it out, or add --stepped");
    }
    return 0;
}

/* The run or room, and last the dry sound unless an option names it. */
static int read_subjects(struct walk *walk, struct failure *failure)
{
    const struct options *options = walk->options;
    const struct option_texts *given = &options->subjects;
    const size_t most = options->dry.count > 0 ? 1 : 2;
    struct listening_dry dry;
    if (options->dry.count > 1)
        return failure_set(failure, FAILURE_INPUT, "a walk plays one dry sound, but --dry is given %zu times",
                           options->dry.count);
    if (options->dry.count > 0 && listening_dry_read(options->dry.text[0], &dry))
        return failure_fix(failure_set(failure, FAILURE_INPUT,
                                       "--dry %s is the sound of one source, but a walk plays one sound",
                                       options->dry.text[0]),
                           failure, "give --dry %s, and --source %s", dry.sound, dry.source);
    if (given->count > most)
        return failure_set(failure, FAILURE_INPUT, "a walk needs one run or room, but %zu are given",
                           given->count - most + 1);
    walk->subject = given->text[0];
    walk->dry_name = options->dry.count > 0 ? options->dry.text[0]
                     : given->count > 1     ? given->text[1]
                                            : "clap";
    walk->is_run = run_is_in(walk->subject);
    if (listening_is_wav(walk->subject))
        return failure_set(failure, FAILURE_INPUT, "a walk needs a run or room, but %s is a sound",
                           walk->subject);
    if (access(walk->subject, F_OK) != 0)
        return failure_set(failure, FAILURE_INPUT, "there is no file or folder %s", walk->subject);
    char within[200];
    if (!walk->is_run && runs_within(walk->subject, within, sizeof within) > 0)
        return failure_set(failure, FAILURE_INPUT, "a walk needs one run, but %s holds %s: name one",
                           walk->subject, within);
    walk->folder = options->output != NULL ? options->output : walk->is_run ? walk->subject : NULL;
    if (walk->folder == NULL)
        return failure_fix(
            failure_set(failure, FAILURE_INPUT, "%s is not a run, so its walk has no folder", walk->subject),
            failure, "give -o DIR, a folder");
    if (listening_is_wav(walk->folder))
        return failure_fix(failure_set(failure, FAILURE_INPUT,
                                       "a walk writes several files, but -o %s names one", walk->folder),
                           failure, "give -o DIR, a folder");
    return 0;
}

static int prepare_head(struct walk *walk, struct failure *failure)
{
    if (walk->options->request.listening.head == NULL)
        return 0;
    TRY(head_data_read(walk->options->request.listening.head, &walk->head, failure));
    if (walk->head.mislabelled)
        message_warning(stderr, "", HEAD_MISLABELLED_SENTENCE, walk->options->request.listening.head);
    return head_filters_make(&walk->head, RESPONSE_RATE, &walk->filters, failure);
}

/* The response of one source, which is at `at`. */
static int read_look(const struct walk *walk, const struct record_points *points, const double at[3],
                     struct walk_look *look, struct failure *failure)
{
    const char *text = walk->options->facing;
    char *end = NULL;
    *look = (struct walk_look){.kind = WALK_LOOKS_AHEAD};
    if (strcmp(text, "ahead") == 0)
        return 0;
    look->kind = WALK_LOOKS_AT_SOURCE;
    memcpy(look->source, at, sizeof look->source);
    for (size_t s = 0; points != NULL && s < points->sources.count; s++)
        if (strcmp(points->sources.item[s].name, text) == 0) {
            memcpy(look->source, points->sources.item[s].position, sizeof look->source);
            return 0;
        }
    for (size_t s = 0; points == NULL && s < walk->steps.setup.points.sources; s++)
        if (strcmp(walk->steps.setup.points.point[s].name, text) == 0) {
            memcpy(look->source, walk->steps.setup.points.point[s].position, sizeof look->source);
            return 0;
        }
    look->kind = WALK_LOOKS_TO;
    look->azimuth = strtod(text, &end);
    if (end == text || *end != '\0' || !(fabs(look->azimuth) <= 360.0))
        return failure_set(failure, FAILURE_INPUT,
                           "--look %.60s is neither ahead, nor a source, nor an azimuth from -360 to 360",
                           text);
    return 0;
}

static int add_source(struct walk *walk, const char *name, struct failure *failure)
{
    struct walked_source *grown = realloc(walk->source, (walk->sources + 1) * sizeof *grown);
    if (grown == NULL)
        return failure_memory(failure, (walk->sources + 1) * sizeof *grown, "sources");
    walk->source = grown;
    struct walked_source *source = &grown[walk->sources++];
    *source = (struct walked_source){.mono = NULL};
    (void)snprintf(source->name, sizeof source->name, "%s", name);
    return 0;
}

/* At 48 kHz, and further forms. */
static int finish_source(struct walk *walk, const struct walk_look *look, struct failure *failure)
{
    struct walked_source *source = &walk->source[walk->sources - 1];
    struct walk_sound *sound = &source->sound;
    TRY(walk_sound_convert(sound, failure));
    source->mono = malloc((sound->frames + 1) * sizeof *source->mono);
    if (source->mono == NULL)
        return failure_memory(failure, sound->frames * sizeof *source->mono, "what is heard on the walk");
    for (size_t n = 0; n < sound->frames; n++)
        source->mono[n] = sound->sample[n * sound->channels];
    return walk->options->request.listening.head != NULL
               ? walk_sound_ears(sound, &walk->path, look, &walk->filters, &source->ears, failure)
               : 0;
}

/* True if the listener hears this source. */
static bool is_heard(const struct walk *walk, const char *source)
{
    const char *asked = walk->options->sounding;
    return source != NULL && (asked == NULL || strcmp(asked, source) == 0);
}

/* ---- from responses ---- */

static int walk_source(struct walk *walk, const struct record_point *from, struct failure *failure)
{
    const struct walk_run run = {walk->subject, &walk->model, &walk->walls};
    struct walk_responses_facts facts;
    struct walk_look look;
    TRY(read_look(walk, &walk->model.points, from->position, &look, failure));
    TRY(add_source(walk, from->name, failure));
    TRY(walk_run_hear(&run, from, &walk->path, channels_of(walk->options), &walk->dry,
                      &walk->source[walk->sources - 1].sound, &facts, failure));
    walk->summary.responses = (double)facts.used;
    walk->summary.farthest = facts.farthest;
    walk->summary.fmax = run_model_highest(&walk->model);
    walk->summary.rays = walk->model.rays != NULL;
    return finish_source(walk, &look, failure);
}

static int walk_through_responses(struct walk *walk, struct failure *failure)
{
    const struct record_points *points = &walk->model.points;
    size_t walked = 0;
    TRY(walk_run_read_walls(walk->subject, &walk->walls, failure));
    TRY(walk_path_refuse_walls(&walk->path, &walk->walls, failure));
    bool *const heard = calloc(points->sources.count + 1, sizeof *heard);
    int code = heard == NULL ? failure_memory(failure, points->sources.count, "a list of sources")
                             : walk_run_sources(&walk->model, heard, failure);
    for (size_t s = 0; code == 0 && s < points->sources.count; s++)
        if (is_heard(walk, points->sources.item[s].name) && heard[s]) {
            walked++;
            code = walk_source(walk, &points->sources.item[s], failure);
        }
    free(heard);
    TRY(code);
    if (walked == 0)
        return failure_fix(failure_set(failure, FAILURE_INPUT, "%s has no response%s%s to walk through",
                                       walk->subject, walk->options->sounding != NULL ? " of " : "",
                                       walk->options->sounding != NULL ? walk->options->sounding : ""),
                           failure,
                           "simulate with receivers along the walk, or step the room with --stepped");
    return 0;
}

/* ---- stepped ---- */

/* Append a text for --aim; axis: a vector. */
static int add_aim(struct walk *walk, const char *source, const double axis[3], struct failure *failure)
{
    char text[OPTION_NAME_MAX + 64];
    (void)snprintf(text, sizeof text, "%s=%.9g,%.9g", source, atan2(axis[1], axis[0]) * 180.0 / PI,
                   atan2(axis[2], hypot(axis[0], axis[1])) * 180.0 / PI);
    char **grown = realloc(walk->aims.text, (walk->aims.count + 1) * sizeof *grown);
    if (grown != NULL)
        walk->aims.text = grown;
    if (grown == NULL || (grown[walk->aims.count] = strdup(text)) == NULL)
        return failure_memory(failure, sizeof text, "aims");
    walk->aims.count++;
    return 0;
}

static int add_aims_of_run(struct walk *walk, struct failure *failure)
{
    const struct record_points *points = &walk->model.points;
    for (size_t s = 0; s < points->sources.count; s++) {
        const struct record_point *source = &points->sources.item[s];
        if (source->directivity != NULL && !isnan(source->directivity->axis[0]))
            TRY(add_aim(walk, source->name, source->directivity->axis, failure));
    }
    return 0;
}

/* Aim the sources of a room that was not run from its own receivers. Those of receiver grids are not
 * placed yet. Without other receivers, a source without an aim faces the walk. */
static int add_aims_of_room(struct walk *walk, const struct room_setup *setup, struct failure *failure)
{
    const struct room_points *points = &setup->points;
    double middle[3] = {0.0};
    for (size_t r = 0; r < points->receivers; r++)
        vector_along(middle, 1.0 / (double)points->receivers, points->point[points->sources + r].position,
                     middle);
    for (size_t s = 0; s < points->sources; s++) {
        const struct source_direction *direction = &setup->directions.of[s];
        double front[3];
        if (!source_has_direction(direction) ||
            (direction->aim == AIM_RECEIVERS && (points->receivers == 0 || points->receiver_is_placed)))
            continue;
        source_front(direction, points->point[s].position, middle, front);
        TRY(add_aim(walk, points->point[s].name, front, failure));
    }
    return 0;
}

/* Directed sources keep their aim, which may be a receiver. The default aim is the middle of the
 * receivers, which the walk replaces. */
static int keep_aims(struct walk *walk, struct failure *failure)
{
    if (walk->is_run) {
        TRY(add_aims_of_run(walk, failure));
    } else if (walk->room.request.radiation.directivity.count > 0) {
        struct room_setup setup = {0};
        struct room_request request = walk->room.request;
        request.model.complete = false;
        request.silent = true;
        int code = room_setup_read(&request, &setup, failure);
        if (code == 0)
            code = add_aims_of_room(walk, &setup, failure);
        room_setup_free(&setup);
        TRY(code);
    }
    struct option_texts *aim = &walk->room.request.radiation.aim;
    option_texts_free(aim);
    *aim = (struct option_texts){.count = walk->aims.count, .option = "aim"};
    aim->text = calloc(walk->aims.count + 1, sizeof *aim->text);
    if (aim->text == NULL)
        return failure_memory(failure, walk->aims.count * sizeof *aim->text, "aims");
    for (size_t i = 0; i < walk->aims.count; i++)
        aim->text[i] = walk->aims.text[i];
    return 0;
}

/* The arguments of `simulate` that made the run, or that would run the room. */
static int list_arguments(struct walk *walk, struct failure *failure)
{
    const struct json_texts *made_by = &walk->model.room.arguments;
    const size_t count = walk->is_run ? made_by->count : 1;
    walk->arguments.text = calloc(count + 1, sizeof *walk->arguments.text);
    if (walk->arguments.text == NULL)
        return failure_memory(failure, count * sizeof *walk->arguments.text, "arguments");
    for (size_t i = 0; i < count; i++)
        walk->arguments.text[i] = walk->is_run ? made_by->text[i] : (char *)(uintptr_t)walk->subject;
    walk->arguments.count = count;
    return 0;
}

/* Set up the room of the run, without the options for stepping a walk. */
static int parse_room(struct walk *walk, struct failure *failure)
{
    const char *nearest;
    const struct command *simulate = command_find("simulate", &nearest);
    struct options *room = &walk->room;
    struct grid_request *grid = &room->request.grid;
    struct plan_request *plan = &room->request.plan;
    struct engine_request *engine = &room->request.engine;
    const struct room_request *asked = &walk->options->request;
    TRY(list_arguments(walk, failure));
    TRY(options_parse(simulate->bit, simulate->name, simulate->subject, (int)walk->arguments.count,
                      walk->arguments.text, NULL, room, failure));
    TRY(command_take_project(room, &walk->project, failure));
    if (walk->is_run ? strcmp(walk->model.room.scheme, scheme_words[SCHEME_STANDARD]) != 0
                     : grid->scheme != SCHEME_STANDARD) {
        grid->quality = QUALITY_STANDARD;
        grid->points_per_wavelength = grid->courant = grid->courant_share = 0.0;
        grid->spacing = 0.0;
    }
    grid->scheme = SCHEME_STANDARD;
    if (walk->is_run)
        grid->fmax = walk->model.room.fmax;
    if (options_given(walk->options, "fmax") && asked->grid.fmax != grid->fmax) {
        grid->fmax = asked->grid.fmax;
        grid->spacing = 0.0;
    }
    if (options_given(walk->options, "air"))
        room->request.model.air_method = asked->model.air_method;
    plan->duration = walk->is_run && walk->model.duration > 0.0 ? walk->model.duration : plan->duration;
    engine->layout = LAYOUT_BLOCKS;
    engine->backend = asked->engine.backend;
    engine->devices = asked->engine.devices;
    engine->device = asked->engine.device;
    plan->repeat_shifted = false;
    room->request.quiet = true;
    if (!(grid->fmax > 0.0))
        return failure_fix(
            failure_set(failure, FAILURE_INPUT, "a walk with --stepped needs a highest frequency"), failure,
            "give --fmax");
    return keep_aims(walk, failure);
}

/* One source walks: that which is heard, and no source is looked at where it no longer is. */
static int check_moving_source(const struct walk *walk, struct failure *failure)
{
    const struct room_setup *setup = &walk->steps.setup;
    size_t heard = 0;
    for (size_t s = 0; s < setup->points.sources; s++) {
        const struct room_point *point = &setup->points.point[s];
        if (point->member || !is_heard(walk, point->name))
            continue;
        if (++heard > 1)
            return failure_fix(failure_set(failure, FAILURE_INPUT,
                                           "one source walks, but %s has several, such as %s", walk->subject,
                                           point->name),
                               failure, "name the one that walks with --source");
        if (point->group || source_has_direction(&setup->directions.of[s]))
            return failure_set(
                failure, FAILURE_INPUT,
                "source %s cannot walk, since it is %s: a source that walks is one point without "
                "a direction",
                point->name, point->group ? "a group" : "directed");
        if (strcmp(walk->options->facing, point->name) == 0)
            return failure_fix(failure_set(failure, FAILURE_INPUT,
                                           "--look %s looks at the place of that source, but it walks",
                                           point->name),
                               failure, "look ahead, or to an azimuth");
    }
    return 0;
}

/* The way of the source; NULL: it stands. */
static const struct walk_path *sounds_of(const struct walk *walk)
{
    return walk->sounds.corners > 0 ? &walk->sounds : NULL;
}

static int walk_through_room(struct walk *walk, struct failure *failure)
{
    struct walk_steps *steps = &walk->steps;
    struct failure why = {0};
    const int read = parse_room(walk, &why);
    if (read != 0)
        return walk->is_run
                   ? failure_wrap(failure, &why, "the room of %s cannot be set up again: ", walk->subject)
                   : failure_forward(failure, &why);
    struct room_request request = walk->room.request;
    request.model.complete = true;
    request.points.by_hand = false;
    TRY(walk_steps_prepare(&request, &walk->path, sounds_of(walk), channels_of(walk->options), steps,
                           failure));
    walk->summary.no_air = request.model.air_method != AIR_OFF && engine_air_loss(steps->run.engine) == NULL;
    steps->setup.notices.quiet = walk->options->request.quiet;
    const struct room_points *points = &steps->setup.points;
    room_say(&steps->setup.notices, "%s", steps->run.description);
    if (walk->sounds.corners > 0)
        TRY(check_moving_source(walk, failure));
    for (size_t s = 0; s < points->sources; s++) {
        struct walk_look look;
        if (points->point[s].member || !is_heard(walk, points->point[s].name))
            continue;
        TRY(read_look(walk, NULL, points->point[s].position, &look, failure));
        TRY(add_source(walk, points->point[s].name, failure));
        TRY(walk_steps_make(steps, s, &walk->dry, &walk->source[walk->sources - 1].sound, failure));
        TRY(finish_source(walk, &look, failure));
    }
    if (walk->sources == 0)
        return failure_set(failure, FAILURE_INPUT, "%s has no source called %s", walk->subject,
                           walk->options->sounding);
    walk->summary.receivers = (double)steps->heard.places;
    walk->summary.source_places = walk->sounds.corners > 0 ? (double)steps->sounds.places : NAN;
    walk->summary.spacing = steps->setup.grid.step.spacing;
    walk->summary.rate = steps->setup.grid.step.rate;
    walk->summary.fmax = steps->setup.grid.fmax;
    return 0;
}

/* ---- files ---- */

/* Results of an earlier walk in the run's folder are replaced only with --force. */
static int refuse_earlier(const struct walk *walk, struct failure *failure)
{
    DIR *folder = opendir(walk->folder);
    int code = 0;
    for (const struct dirent *entry; code == 0 && folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (!output_folder_is_of_walk(entry->d_name))
            continue;
        char *path = output_folder_file(&walk->out, entry->d_name);
        code = path == NULL ? failure_memory(failure, strlen(entry->d_name), "a path")
                            : command_refuse_existing(path, walk->options->request.force, failure);
        free(path);
    }
    if (folder != NULL)
        (void)closedir(folder);
    return code;
}

static int prepare_folder(struct walk *walk, struct failure *failure)
{
    const bool beside = walk->options->output == NULL, force = walk->options->request.force;
    walk->out.path = walk->folder;
    TRY(output_folder_check(walk->folder, force || beside, failure));
    TRY(refuse_earlier(walk, failure));
    TRY(output_folder_make(&walk->out, walk->folder, force || beside, failure));
    walk->out.is_ours = force ? output_folder_is_of_walk : output_folder_is_of_none;
    return 0;
}

static int write_all(struct walk *walk, struct failure *failure)
{
    struct walk_files *files = &walk->files;
    progress_json_begin("record", NULL);
    TRY(walk_files_stage(walk->source, walk->sources, (enum auralisation_level)walk->options->level,
                         &walk->out, files, failure));
    walk->summary.gain = files->gain;
    walk->summary.files = files->count;
    walk->summary.file = files->file;
    cJSON *record = walk_record(&walk->summary);
    int code = record == NULL ? failure_memory(failure, 0, RECORD) : 0;
    for (size_t i = 0; code == 0 && i < files->count; i++)
        code = output_folder_put(&walk->out, files->file[i].name, &files->file[i].content, failure);
    if (code == 0)
        code = output_folder_put_json(&walk->out, RECORD, record, failure);
    if (code == 0)
        code = output_folder_publish(&walk->out, RECORD, stderr, failure);
    if (code == 0 && walk->options->json) {
        JSON_PUT(record, {"directory", OF_TEXT(walk->folder)});
        code = print_json(record, failure);
        record = NULL;
    } else if (code == 0 && !walk->options->request.quiet) {
        walk_print(stdout, &walk->summary);
    }
    cJSON_Delete(record);
    return code;
}

static int open_dry(struct walk *walk, struct failure *failure)
{
    double seconds;
    progress_json_begin("dry", NULL);
    TRY(dry_sound_open(walk->dry_name, walk->folder, &interrupt_seen, &walk->dry, failure));
    const struct walk_path *longer = walk_path_longer(&walk->path, sounds_of(walk));
    walk->summary.dry_times = walk_dry_times(&walk->dry, longer, &seconds);
    if (seconds > WALK_SECONDS_MOST)
        return failure_set(failure, FAILURE_INPUT, "%s lasts %.0f s; a walk plays at most %g s",
                           walk->dry_name, seconds, WALK_SECONDS_MOST);
    return 0;
}

static int run_walk(struct walk *walk, struct failure *failure)
{
    const struct options *options = walk->options;
    struct failure inner = {0};
    if (walk_path_read(options->walk, options->speed, &walk->path, &inner) != 0)
        return failure_wrap(failure, &inner, "--walk: ");
    if (options->source_walk != NULL &&
        walk_path_read(options->source_walk, options->source_speed, &walk->sounds, &inner) != 0)
        return failure_wrap(failure, &inner, "--source-walk: ");
    if (options->source_walk == NULL && options_given(options, "source-speed"))
        return failure_fix(failure_set(failure, FAILURE_INPUT, "--source-speed needs a source that walks"),
                           failure, "give its places with --source-walk");
    TRY(read_subjects(walk, failure));
    if (walk->is_run)
        TRY(run_model_read(walk->subject, &walk->model, failure));
    TRY(prepare_folder(walk, failure));
    TRY(prepare_head(walk, failure));
    walk->summary = (struct walk_summary){.options = options,
                                          .run = walk->subject,
                                          .stepped = options->stepped || !walk->is_run,
                                          .path = &walk->path,
                                          .sounds = sounds_of(walk),
                                          .source_places = NAN,
                                          .responses = NAN,
                                          .farthest = NAN,
                                          .receivers = NAN,
                                          .spacing = NAN,
                                          .rate = NAN,
                                          .dry_name = walk->dry_name,
                                          .dry = &walk->dry};
    TRY(open_dry(walk, failure));
    TRY(walk->summary.stepped ? walk_through_room(walk, failure) : walk_through_responses(walk, failure));
    return write_all(walk, failure);
}

int auralise_walk(const struct options *options, struct failure *failure)
{
    struct walk walk = {.options = options};
    run_model_clear(&walk.model);
    const int code = run_walk(&walk, failure);
    if (code != 0)
        progress_json_drop(); /* the name of its source is freed */
    walk_free(&walk);
    return code;
}
