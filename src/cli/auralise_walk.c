#include "src/cli/auralise_walk.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/interrupt.h"
#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/cli/request_from_options.h"
#include "src/listen/auralisation.h"
#include "src/listen/listening_list.h"
#include "src/options/messages.h"
#include "src/options/option_values.h"
#include "src/project/project.h"
#include "src/record/output_folder.h"
#include "src/record/run_folder.h"
#include "src/record/run_geometry.h"
#include "src/record/run_read.h"
#include "src/signal/wav_stream.h"
#include "src/walk/walk_record.h"
#include "src/walk/walk_responses.h"
#include "src/walk/walk_steps.h"

#define RECORD "walk.json"
#define PI     3.14159265358979323846
#define PIECE  4096 /* frames written at once */

/* What is heard of one source, at 48 kHz. */
struct walked_source {
    char name[OPTION_NAME_MAX];
    struct walk_sound sound, extended; /* above fmax, mono, where it is asked for */
    float *mono, *ears;                /* (frames), of four channels the first; (frames, EARS); owned */
};

struct walk {
    const struct options *options;
    const char *subject, *dry_name, *folder;
    bool is_run; /* the subject is a run's folder */
    struct walk_path path;
    struct dry_sound dry;
    struct run_model model; /* of a run */
    struct run_losses losses;
    struct head_data head;
    struct head_filters filters;
    struct option_text_list {
        size_t count;
        char **text;
    } arguments, aims;   /* of the run that is set up again; owned but the arguments' texts */
    struct options room; /* parsed from them */
    struct project *project;
    struct walk_steps steps;
    size_t sources;
    struct walked_source *source; /* owned */
    struct walk_made *made;       /* (files) */
    char (*name)[OPTION_NAME_MAX + 32];
    struct whole_file *file; /* (files + 1), the record last */
    size_t files;
    struct output_folder out;
    struct walk_told told;
};

static void walk_free(struct walk *walk)
{
    for (size_t i = 0; walk->file != NULL && i <= walk->files; i++)
        whole_file_abandon(&walk->file[i]);
    for (size_t s = 0; s < walk->sources; s++) {
        walk_sound_free(&walk->source[s].sound);
        walk_sound_free(&walk->source[s].extended);
        free(walk->source[s].mono);
        free(walk->source[s].ears);
    }
    for (size_t i = 0; i < walk->aims.count; i++)
        free(walk->aims.text[i]);
    free(walk->aims.text);
    free(walk->arguments.text);
    free(walk->source);
    free(walk->made);
    free(walk->name);
    free(walk->file);
    walk_steps_free(&walk->steps);
    options_free(&walk->room);
    project_close(walk->project);
    head_filters_free(&walk->filters);
    head_data_free(&walk->head);
    run_losses_free(&walk->losses);
    run_model_free(&walk->model);
    dry_sound_close(&walk->dry);
    walk_path_free(&walk->path);
    output_folder_undo(&walk->out);
}

static size_t channels_of(const struct options *options)
{
    return options->ambisonics || options->head != NULL ? AMBISONIC_CHANNELS : 1;
}

/* ---- what is asked ---- */

int auralise_check_walk(const struct options *options, struct failure *failure)
{
    static const char *const goes_with[] = {"speed",   "look",    "ambisonics", "head",
                                            "stepped", "backend", "devices"};
    const size_t of_steps = 6; /* the rest is of rooms that are stepped */
    for (size_t i = 0; i < sizeof goes_with / sizeof *goes_with; i++) {
        if (options->walk == NULL && options_given(options, goes_with[i]))
            return failure_fix(
                failure_set(failure, FAILURE_INPUT, "--%s is for a walk, and there is none", goes_with[i]),
                failure, "give its places with --walk");
        if (i >= of_steps && options_given(options, goes_with[i]) && run_is_in(options->subject) &&
            !options->stepped)
            return failure_fix(failure_set(failure, FAILURE_INPUT,
                                           "--%s is for a walk that is stepped, and %s has responses",
                                           goes_with[i], options->subject),
                               failure, "leave it out, or add --stepped");
    }
    if (options->walk != NULL && options->extend && (options->stepped || !run_is_in(options->subject)))
        return failure_fix(
            failure_set(failure, FAILURE_INPUT,
                        "responses are filled above their highest frequency, and a walk that is "
                        "stepped has none"),
            failure, "leave out --extend");
    return 0;
}

/* The run or room, and last the dry sound unless it is named. */
static int read_subjects(struct walk *walk, struct failure *failure)
{
    const struct options *options = walk->options;
    const struct option_texts *given = &options->subjects;
    const size_t most = options->dry != NULL ? 1 : 2;
    if (given->count > most)
        return failure_set(failure, FAILURE_INPUT, "a walk goes through one run or room, and there are %zu",
                           given->count - most + 1);
    walk->subject = given->text[0];
    walk->dry_name = options->dry != NULL ? options->dry : given->count > 1 ? given->text[1] : "clap";
    walk->is_run = run_is_in(walk->subject);
    char within[200];
    if (!walk->is_run && runs_within(walk->subject, within, sizeof within) > 0)
        return failure_set(failure, FAILURE_INPUT,
                           "a walk goes through one run, and in %s there are %s: name one", walk->subject,
                           within);
    walk->folder = options->output != NULL ? options->output : walk->is_run ? walk->subject : NULL;
    if (walk->folder == NULL)
        return failure_fix(failure_set(failure, FAILURE_INPUT, "%s is no run, so its walk has no place to go",
                                       walk->subject),
                           failure, "give -o DIR, a folder");
    if (listening_is_wav(walk->folder))
        return failure_fix(
            failure_set(failure, FAILURE_INPUT, "a walk is several files, and %s is one", walk->folder),
            failure, "give -o DIR, a folder");
    return 0;
}

static int prepare_head(struct walk *walk, struct failure *failure)
{
    if (walk->options->head == NULL)
        return 0;
    TRY(head_data_read(walk->options->head, &walk->head, failure));
    return head_filters_make(&walk->head, RESPONSE_RATE, &walk->filters, failure);
}

/* Of one source; its place is `at`. */
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

/* At 48 kHz, and what else is made of it. */
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
    return walk->options->head != NULL
               ? walk_sound_ears(sound, &walk->path, look, &walk->filters, &source->ears, failure)
               : 0;
}

/* Is the listener to hear this one? */
static bool is_heard(const struct walk *walk, const char *source)
{
    const char *asked = walk->options->sounding;
    return source != NULL && (asked == NULL || strcmp(asked, source) == 0);
}

/* ---- from responses ---- */

static const struct record_point *find_point(const struct record_point *point, size_t count, const char *name)
{
    for (size_t i = 0; name != NULL && i < count; i++)
        if (point[i].name != NULL && strcmp(point[i].name, name) == 0)
            return &point[i];
    return NULL;
}

/* Places whose responses to one source are known; paths are owned. */
struct places {
    size_t count, grid; /* those of receivers come first */
    struct walk_station *station;
    char **path;
    size_t paths;
};

static void places_free(struct places *places)
{
    for (size_t i = 0; i < places->paths; i++)
        free(places->path[i]);
    free(places->path);
    free(places->station);
}

static int add_path(struct places *places, const struct walk *walk, const char *file, struct failure *failure)
{
    const struct run_folder folder = {.path = (char *)(uintptr_t)walk->subject};
    char **grown = realloc(places->path, (places->paths + 1) * sizeof *grown);
    if (grown != NULL)
        places->path = grown;
    if (grown == NULL || (grown[places->paths] = run_folder_file(&folder, file)) == NULL)
        return failure_memory(failure, strlen(file), "a path");
    places->paths++;
    return 0;
}

static int add_place(struct places *places, struct walk_station station, struct failure *failure)
{
    struct walk_station *grown = realloc(places->station, (places->count + 1) * sizeof *grown);
    if (grown == NULL)
        return failure_memory(failure, (places->count + 1) * sizeof *grown, "responses");
    station.path = places->path[places->paths - 1];
    places->station = grown;
    grown[places->count++] = station;
    return 0;
}

static int list_places(const struct walk *walk, const char *source, size_t channels, struct places *out,
                       struct failure *failure)
{
    const struct run_model *run = &walk->model;
    for (size_t r = 0; r < run->responses.count; r++) {
        const struct record_response *of = &run->responses.item[r];
        const char *file = channels > 1 ? of->file_ambix : of->file;
        const struct record_point *at =
            find_point(run->points.receivers.item, run->points.receivers.count, of->receiver);
        if (file == NULL || at == NULL || of->source == NULL || strcmp(of->source, source) != 0)
            continue;
        struct walk_station station = {
            .name = at->name, .front = of->look_azimuth, .onset = of->onset, .of = of};
        memcpy(station.position, at->position, sizeof station.position);
        TRY(add_path(out, walk, file, failure));
        TRY(add_place(out, station, failure));
    }
    for (size_t g = 0; channels == 1 && g < run->grids.count; g++) {
        const struct record_grid *grid = &run->grids.item[g];
        for (size_t m = 0; m < grid->maps.count; m++) {
            const struct record_map *map = &grid->maps.item[m];
            if (map->file == NULL || map->source == NULL || strcmp(map->source, source) != 0)
                continue;
            TRY(add_path(out, walk, map->file, failure));
            for (size_t p = 0; p < grid->positions.count; p++) {
                struct walk_station station = {.name = grid->name, .channel = p, .onset = NAN};
                memcpy(station.position, grid->positions.point[p], sizeof station.position);
                TRY(add_place(out, station, failure));
            }
        }
    }
    if (out->count == 0)
        return failure_fix(failure_set(failure, FAILURE_INPUT, "%s has no response%s of %s to walk through",
                                       walk->subject, channels > 1 ? " with four channels" : "", source),
                           failure,
                           channels > 1
                               ? "simulate with --ambisonics and receivers along the walk, or step the "
                                 "room with --stepped"
                               : "simulate with receivers along the walk, or step the room with "
                                 "--stepped");
    return 0;
}

static int hear(struct walk *walk, const struct record_point *from, size_t channels, bool extended,
                struct walk_sound *out, struct failure *failure)
{
    struct places places = {0};
    struct walk_responses_facts facts;
    int code = list_places(walk, from->name, channels, &places, failure);
    struct walk_field field = {.stations = places.count,
                               .station = places.station,
                               .sound_speed = walk->model.room.sound_speed,
                               .fmax = walk->model.room.fmax,
                               .channels = channels,
                               .extended = extended,
                               .losses = &walk->losses};
    memcpy(field.source, from->position, sizeof field.source);
    progress_json_begin("sounds", from->name);
    if (code == 0)
        code = walk_responses_make(&field, &walk->path, &walk->dry, &interrupt_seen, out, &facts, failure);
    if (code == 0) {
        walk->told.responses = (double)facts.used;
        walk->told.farthest = facts.farthest;
        walk->told.fmax = field.fmax;
    }
    places_free(&places);
    return code;
}

static int walk_source(struct walk *walk, const struct record_point *from, struct failure *failure)
{
    struct walk_look look;
    TRY(read_look(walk, &walk->model.points, from->position, &look, failure));
    TRY(add_source(walk, from->name, failure));
    struct walked_source *source = &walk->source[walk->sources - 1];
    if (walk->options->extend)
        TRY(hear(walk, from, 1, true, &source->extended, failure));
    TRY(hear(walk, from, channels_of(walk->options), false, &source->sound, failure));
    return finish_source(walk, &look, failure);
}

/* Where the run keeps its room. */
static int refuse_walls(const struct walk *walk, struct failure *failure)
{
    const struct run_folder folder = {.path = (char *)(uintptr_t)walk->subject};
    const struct mesh_import_options options = {.interrupted = &interrupt_seen};
    struct mesh mesh = {0};
    struct failure unread;
    char *path = run_folder_file(&folder, RUN_MESH_FILE);
    if (path == NULL)
        return failure_memory(failure, strlen(RUN_MESH_FILE), "a path");
    int code = mesh_import(path, &options, &mesh, NULL, &unread);
    free(path);
    if (code != 0) /* an older run, or one without its model: the walk is the user's */
        return code == FAILURE_INPUT ? 0 : failure_forward(failure, &unread);
    code = walk_path_refuse_walls(&walk->path, &mesh, failure);
    mesh_free(&mesh);
    return code;
}

static bool has_responses(const struct run_model *run, const char *source)
{
    for (size_t r = 0; r < run->responses.count; r++)
        if (run->responses.item[r].source != NULL && strcmp(run->responses.item[r].source, source) == 0)
            return true;
    for (size_t g = 0; g < run->grids.count; g++)
        for (size_t m = 0; m < run->grids.item[g].maps.count; m++)
            if (run->grids.item[g].maps.item[m].source != NULL &&
                strcmp(run->grids.item[g].maps.item[m].source, source) == 0)
                return true;
    return false;
}

static int walk_through_responses(struct walk *walk, struct failure *failure)
{
    const struct record_points *points = &walk->model.points;
    size_t walked = 0;
    TRY(refuse_walls(walk, failure));
    TRY(run_losses_make(&walk->model, &walk->losses, failure));
    for (size_t s = 0; s < points->sources.count; s++)
        if (is_heard(walk, points->sources.item[s].name) &&
            has_responses(&walk->model, points->sources.item[s].name)) {
            walked++;
            TRY(walk_source(walk, &points->sources.item[s], failure));
        }
    if (walked == 0)
        return failure_fix(failure_set(failure, FAILURE_INPUT, "%s has no response%s%s to walk through",
                                       walk->subject, walk->options->sounding != NULL ? " of " : "",
                                       walk->options->sounding != NULL ? walk->options->sounding : ""),
                           failure,
                           "simulate with receivers along the walk, or step the room with --stepped");
    return 0;
}

/* ---- stepped ---- */

/* Sources with a direction keep where they point, which without a word is the middle of the receivers that
 * the walk replaces. */
static int keep_aims(struct walk *walk, struct failure *failure)
{
    const struct record_points *points = &walk->model.points;
    walk->aims.text = calloc(points->sources.count + 1, sizeof *walk->aims.text);
    if (walk->aims.text == NULL)
        return failure_memory(failure, points->sources.count * sizeof *walk->aims.text, "aims");
    for (size_t s = 0; s < points->sources.count; s++) {
        const struct record_point *source = &points->sources.item[s];
        char text[OPTION_NAME_MAX + 64];
        if (source->directivity == NULL || isnan(source->directivity->axis[0]))
            continue;
        const double *axis = source->directivity->axis;
        (void)snprintf(text, sizeof text, "%s=%.9g,%.9g", source->name, atan2(axis[1], axis[0]) * 180.0 / PI,
                       atan2(axis[2], hypot(axis[0], axis[1])) * 180.0 / PI);
        if ((walk->aims.text[walk->aims.count] = strdup(text)) == NULL)
            return failure_memory(failure, sizeof text, "aims");
        walk->aims.count++;
    }
    free(walk->room.aim.text);
    walk->room.aim = (struct option_texts){.count = walk->aims.count, .option = "aim"};
    walk->room.aim.text = calloc(walk->aims.count + 1, sizeof *walk->room.aim.text);
    if (walk->room.aim.text == NULL)
        return failure_memory(failure, walk->aims.count * sizeof *walk->room.aim.text, "aims");
    for (size_t i = 0; i < walk->aims.count; i++)
        walk->room.aim.text[i] = walk->aims.text[i];
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

/* The room as it was run, but for what a walk is stepped with. */
static int parse_room(struct walk *walk, struct failure *failure)
{
    const char *nearest;
    const struct command *simulate = command_find("simulate", &nearest);
    struct options *room = &walk->room;
    TRY(list_arguments(walk, failure));
    TRY(options_parse(simulate->bit, simulate->name, simulate->subject, (int)walk->arguments.count,
                      walk->arguments.text, NULL, room, failure));
    TRY(command_take_project(room, &walk->project, failure));
    room->scheme = SCHEME_STANDARD;
    room->scheme_kept = false;
    if (walk->is_run && strcmp(walk->model.room.scheme, scheme_words[SCHEME_STANDARD]) != 0) {
        room->quality = QUALITY_STANDARD;
        room->points = room->courant = room->courant_share = 0.0;
        room->spacing = 0.0;
    }
    if (walk->is_run)
        room->fmax = walk->model.room.fmax;
    if (options_given(walk->options, "fmax") && walk->options->fmax != room->fmax) {
        room->fmax = walk->options->fmax;
        room->spacing = 0.0;
    }
    room->duration = walk->is_run && walk->model.duration > 0.0 ? walk->model.duration : room->duration;
    room->layout = LAYOUT_BLOCKS;
    room->backend = walk->options->backend;
    room->devices = walk->options->devices;
    room->repeat_shifted = false;
    room->quiet = true;
    return walk->is_run ? keep_aims(walk, failure) : 0;
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
    struct room_request request = request_from_options(&walk->room);
    request.model.complete = true;
    request.points.by_hand = false;
    walk->told.no_air = request.model.air_method != AIR_OFF;
    TRY(walk_steps_prepare(&request, &walk->path, channels_of(walk->options), steps, failure));
    steps->setup.notices.quiet = walk->options->quiet;
    const struct room_points *points = &steps->setup.points;
    room_say(&steps->setup.notices, "%s", steps->run.description);
    for (size_t s = 0; s < points->sources; s++) {
        struct walk_look look;
        if (points->point[s].member || !is_heard(walk, points->point[s].name))
            continue;
        TRY(read_look(walk, NULL, points->point[s].position, &look, failure));
        TRY(add_source(walk, points->point[s].name, failure));
        TRY(walk_steps_make(steps, &walk->path, s, &walk->dry, &walk->source[walk->sources - 1].sound,
                            failure));
        TRY(finish_source(walk, &look, failure));
    }
    if (walk->sources == 0)
        return failure_set(failure, FAILURE_INPUT, "%s has no source called %s", walk->subject,
                           walk->options->sounding);
    walk->told.receivers = (double)steps->receivers;
    walk->told.spacing = steps->setup.grid.step.spacing;
    walk->told.rate = steps->setup.grid.step.rate;
    walk->told.fmax = steps->setup.grid.fmax;
    return 0;
}

/* ---- files ---- */

/* What a file holds: (frames, channels). */
struct heard_file {
    const struct walked_source *source;
    const float *sample;
    size_t frames, channels;
    const char *kind;
};

/* The files of one source, as many as there are. */
#define FILES_MOST 4

static size_t list_kinds(const struct options *options, const struct walked_source *of,
                         struct heard_file file[FILES_MOST])
{
    const size_t frames = of->sound.frames;
    size_t count = 0;
    file[count++] = (struct heard_file){of, of->mono, frames, 1, ""};
    if (channels_of(options) > 1)
        file[count++] = (struct heard_file){of, of->sound.sample, frames, AMBISONIC_CHANNELS, "_ambix"};
    if (options->head != NULL)
        file[count++] = (struct heard_file){of, of->ears, frames, EARS, "_binaural"};
    if (options->extend)
        file[count++] = (struct heard_file){of, of->extended.sample, of->extended.frames, 1, "_extended"};
    return count;
}

static struct heard_file file_of(const struct walk *walk, size_t i)
{
    struct heard_file file[FILES_MOST];
    const size_t each = list_kinds(walk->options, &walk->source[0], file);
    (void)list_kinds(walk->options, &walk->source[i / each], file);
    return file[i % each];
}

/* Through a meter, and where `stream` is not NULL into it. */
static int pass(const struct heard_file *of, double gain, enum loudness_what what, struct wav_stream *stream,
                struct loudness *out, struct failure *failure)
{
    double piece[PIECE * AMBISONIC_CHANNELS];
    struct loudness_meter meter = {0};
    const size_t frames = of->frames;
    int code = loudness_begin(&meter, what, of->channels, RESPONSE_RATE, failure);
    for (size_t n = 0; code == 0 && n < frames; n += PIECE) {
        const size_t some = frames - n < PIECE ? frames - n : PIECE;
        for (size_t i = 0; i < some * of->channels; i++)
            piece[i] = gain * (double)of->sample[n * of->channels + i];
        if (stream != NULL)
            code = wav_stream_add(stream, piece, some, failure);
        if (code == 0)
            code = loudness_add(&meter, piece, some, failure);
    }
    if (code == 0)
        code = loudness_end(&meter, out, failure);
    loudness_free(&meter);
    return code;
}

static bool is_extended(const struct heard_file *of)
{
    return of->sample == of->source->extended.sample;
}

/* One gain for all, as of other sounds of this command. */
static int find_gain(struct walk *walk, double *gain, struct failure *failure)
{
    struct heard *heard = calloc(walk->files, sizeof *heard);
    if (heard == NULL)
        return failure_memory(failure, walk->files * sizeof *heard, "levels");
    int code = 0;
    for (size_t i = 0; code == 0 && i < walk->files; i++) {
        const struct heard_file of = file_of(walk, i);
        struct loudness loudness = {0};
        heard[i].kind = is_extended(&of) ? HEARD_EXTENDED : HEARD_RESPONSE;
        code = pass(&of, 1.0, LOUDNESS_PEAK, NULL, &loudness, failure);
        heard[i].peak = walk->made[i].loudness.peak = loudness.peak;
    }
    if (code == 0)
        *gain = auralisation_set_gains(heard, walk->files, (enum auralisation_level)walk->options->level);
    for (size_t i = 0; i < walk->files; i++)
        walk->made[i].gain = heard[i].gain;
    free(heard);
    return code;
}

static int stage_file(struct walk *walk, size_t i, struct failure *failure)
{
    const struct heard_file of = file_of(walk, i);
    struct walk_made *made = &walk->made[i];
    struct wav_stream stream = {0};
    struct loudness loudness = {0};
    char *path = output_folder_file(&walk->out, walk->name[i]);
    int code = path == NULL ? failure_memory(failure, strlen(walk->name[i]), "a path")
                            : wav_stream_begin(&stream, path, of.frames, of.channels, RESPONSE_RATE, failure);
    if (code == 0)
        code = pass(&of, made->gain, LOUDNESS_LUFS, &stream, &loudness, failure);
    if (code == 0)
        code = wav_stream_end(&stream, &walk->file[i], failure);
    wav_stream_abandon(&stream);
    free(path);
    made->loudness = (struct loudness){.lufs = loudness.lufs, .peak = made->gain * made->loudness.peak};
    return code;
}

static int list_files(struct walk *walk, struct failure *failure)
{
    struct heard_file each[FILES_MOST];
    walk->files = walk->sources * list_kinds(walk->options, &walk->source[0], each);
    walk->made = calloc(walk->files, sizeof *walk->made);
    walk->name = calloc(walk->files, sizeof *walk->name);
    walk->file = calloc(walk->files + 1, sizeof *walk->file);
    if (walk->made == NULL || walk->name == NULL || walk->file == NULL)
        return failure_memory(failure, walk->files * sizeof *walk->name, "a list of files");
    for (size_t i = 0; i < walk->files; i++) {
        const struct heard_file of = file_of(walk, i);
        (void)snprintf(walk->name[i], sizeof walk->name[i], "walk_%s%s.wav", of.source->name, of.kind);
        walk->made[i] = (struct walk_made){.name = walk->name[i],
                                           .source = of.source->name,
                                           .kind = of.kind[0] == '\0' ? "mono" : of.kind + 1,
                                           .channels = of.channels,
                                           .seconds = (double)of.frames / RESPONSE_RATE};
    }
    return 0;
}

static bool nothing_goes(const char *name)
{
    (void)name;
    return false;
}

/* What an earlier walk left in the run's folder stays without leave. */
static int refuse_earlier(const struct walk *walk, struct failure *failure)
{
    DIR *folder = opendir(walk->folder);
    int code = 0;
    for (const struct dirent *entry; code == 0 && folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (!output_folder_is_of_walk(entry->d_name))
            continue;
        char *path = output_folder_file(&walk->out, entry->d_name);
        code = path == NULL ? failure_memory(failure, strlen(entry->d_name), "a path")
                            : command_refuse_existing(path, walk->options->force, failure);
        free(path);
    }
    if (folder != NULL)
        (void)closedir(folder);
    return code;
}

static int prepare_folder(struct walk *walk, struct failure *failure)
{
    const bool beside = walk->options->output == NULL, force = walk->options->force;
    walk->out.path = walk->folder;
    TRY(output_folder_check(walk->folder, force || beside, failure));
    TRY(refuse_earlier(walk, failure));
    TRY(output_folder_make(&walk->out, walk->folder, force || beside, failure));
    walk->out.is_ours = force ? output_folder_is_of_walk : nothing_goes;
    return 0;
}

static int write_all(struct walk *walk, struct failure *failure)
{
    double gain = 1.0;
    TRY(list_files(walk, failure));
    TRY(find_gain(walk, &gain, failure));
    for (size_t i = 0; i < walk->files; i++)
        TRY(stage_file(walk, i, failure));
    walk->told.gain = gain;
    walk->told.files = walk->files;
    walk->told.file = walk->made;
    cJSON *record = walk_record(&walk->told);
    int code = record == NULL ? failure_memory(failure, 0, RECORD) : 0;
    for (size_t i = 0; code == 0 && i < walk->files; i++)
        code = output_folder_put(&walk->out, walk->name[i], &walk->file[i], failure);
    if (code == 0)
        code = output_folder_put_json(&walk->out, RECORD, record, failure);
    if (code == 0)
        code = output_folder_publish(&walk->out, RECORD, stderr, failure);
    if (code == 0 && walk->options->json) {
        cJSON_AddStringToObject(record, "directory", walk->folder);
        code = print_json(record, failure);
        record = NULL;
    } else if (code == 0 && !walk->options->quiet) {
        walk_print(stdout, &walk->told);
    }
    cJSON_Delete(record);
    return code;
}

static int open_dry(struct walk *walk, struct failure *failure)
{
    double seconds;
    progress_json_begin("dry", NULL);
    TRY(dry_sound_open(walk->dry_name, walk->folder, &interrupt_seen, &walk->dry, failure));
    walk->told.dry_times = (double)walk_dry_times(&walk->dry, &walk->path, &seconds);
    walk->told.dry_seconds = walk->dry.seconds;
    walk->told.dry_rate = walk->dry.rate;
    if (seconds > WALK_SECONDS_MOST)
        return failure_set(failure, FAILURE_INPUT, "%s lasts %.0f s; on a walk %g s are played at most",
                           walk->dry_name, seconds, WALK_SECONDS_MOST);
    return 0;
}

static int run(struct walk *walk, struct failure *failure)
{
    const struct options *options = walk->options;
    TRY(walk_path_read(options->walk, options->speed, &walk->path, failure));
    TRY(read_subjects(walk, failure));
    if (walk->is_run)
        TRY(run_model_read(walk->subject, &walk->model, failure));
    TRY(prepare_folder(walk, failure));
    TRY(prepare_head(walk, failure));
    TRY(open_dry(walk, failure));
    walk->told = (struct walk_told){.options = options,
                                    .run = walk->subject,
                                    .stepped = options->stepped || !walk->is_run,
                                    .path = &walk->path,
                                    .responses = NAN,
                                    .farthest = NAN,
                                    .receivers = NAN,
                                    .spacing = NAN,
                                    .rate = NAN,
                                    .dry = walk->dry_name,
                                    .dry_rate = walk->told.dry_rate,
                                    .dry_seconds = walk->told.dry_seconds,
                                    .dry_times = walk->told.dry_times};
    TRY(walk->told.stepped ? walk_through_room(walk, failure) : walk_through_responses(walk, failure));
    return write_all(walk, failure);
}

int auralise_walk(const struct options *options, struct failure *failure)
{
    struct walk walk = {.options = options};
    run_model_clear(&walk.model);
    const int code = run(&walk, failure);
    walk_free(&walk);
    return code;
}
