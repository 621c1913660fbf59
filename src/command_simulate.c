#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/commands.h"
#include "src/onset.h"
#include "src/output_folder.h"
#include "src/progress_line.h"
#include "src/response.h"
#include "src/run_record.h"
#include "src/source_run.h"
#include "src/wav_file.h"

/* One response, written. */
struct pair {
    char file[2 * OPTION_NAME_MAX + 8]; /* empty: not written */
    struct onset_path path;
    double distance; /* straight [m] */
    size_t samples;
    double strength; /* energy relative to the same source at 10 m in free field [dB] */
};

/* One source, run. */
struct source_report {
    uint64_t steps;
    double seconds;
    bool capped, interrupted;
    double energy_start, energy_end; /* discrete energy after the drive and at the end (-) */
};

struct simulation {
    struct room_setup setup;
    struct room_estimate estimate;
    struct room_needs needs;
    struct tap *tap; /* per point */
    struct box_grid box;
    struct engine *engine;
    struct output_folder folder;
    struct pair *pair;            /* (sources, receivers) */
    struct source_report *report; /* (sources) */
    size_t sources_run;
    bool partial;
};

static void simulation_free(struct simulation *run)
{
    engine_free(run->engine);
    box_grid_free(&run->box);
    free(run->tap);
    free(run->pair);
    free(run->report);
    room_setup_free(&run->setup);
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* ---- before the first step ---- */

static int find_taps(struct simulation *run, struct failure *failure)
{
    struct room_setup *setup = &run->setup;
    const size_t count = setup->sources + setup->receivers;
    run->tap = calloc(count, sizeof *run->tap);
    if (run->tap == NULL)
        return failure_memory(failure, count * sizeof *run->tap, "sources and receivers");
    for (size_t i = 0; i < count; i++) {
        const struct room_point *point = &setup->point[i];
        TRY(tap_make(&setup->grid, point->position, setup->findings.seed_node[i],
                     (enum interpolation)setup->options->interpolation, &run->tap[i], failure));
        if (run->tap[i].shift > 1e-9)
            room_warn(setup, "%s %s is so near a wall that it is heard %.2g m beside its place",
                      point->kind == SEED_SOURCE ? "source" : "receiver", point->name, run->tap[i].shift);
    }
    return 0;
}

static int find_paths(struct simulation *run, struct failure *failure)
{
    struct room_setup *setup = &run->setup;
    const size_t receivers = setup->receivers;
    double(*to)[3] = calloc(receivers, sizeof *to);
    struct onset_path *path = calloc(receivers, sizeof *path);
    struct failure inner = {0};
    int code = to == NULL || path == NULL ? failure_memory(failure, receivers * sizeof *to, "positions") : 0;
    for (size_t r = 0; code == 0 && r < receivers; r++)
        memcpy(to[r], setup->point[setup->sources + r].position, sizeof to[r]);
    for (size_t s = 0; code == 0 && s < setup->sources; s++) {
        const double *from = setup->point[s].position;
        code = onset_find(&setup->mesh, &setup->grid, from, setup->findings.seed_node[s], receivers,
                          (const double(*)[3])to,
                          (const int64_t(*)[3])setup->findings.seed_node + setup->sources, path, &inner);
        if (code != 0)
            failure_set(failure, code, "source \"%s\": %s", setup->point[s].name, inner.sentence);
        for (size_t r = 0; code == 0 && r < receivers; r++) {
            struct pair *pair = &run->pair[s * receivers + r];
            pair->path = path[r];
            pair->distance = distance(from, to[r]);
            if (pair->distance < setup->step.spacing)
                room_warn(setup,
                          "receiver %s stands %.2g m from source %s, less than the grid's spacing of %.3g m: "
                          "its level is the grid's own",
                          setup->point[setup->sources + r].name, pair->distance, setup->point[s].name,
                          setup->step.spacing);
        }
    }
    free(path);
    free(to);
    return code;
}

/* Room, air, engine: everything that can be refused, before the folder is made. */
static int prepare(struct simulation *run, const struct options *options, struct failure *failure)
{
    struct room_setup *setup = &run->setup;
    TRY(room_setup_read(options, true, setup, failure));
    TRY(estimate_choose_resolution(setup, true, &run->estimate, failure));
    TRY(room_setup_fill(setup, failure));
    estimate_from_grid(setup, &run->estimate);
    run->needs = estimate_needs_of_grid(setup, &run->estimate);
    TRY(estimate_refuse_too_large(setup, &run->estimate, &run->needs, failure));
    char blocks[32], box[32];
    room_say(setup, "spacing %.4g m, %.0f air nodes, %.0f blocks; %s in blocks, %s in a box",
             setup->step.spacing, run->needs.air_nodes, run->needs.blocks,
             format_bytes(run->needs.bytes_blocks, blocks), format_bytes(run->needs.bytes_box, box));
    run->pair = calloc(setup->sources * setup->receivers, sizeof *run->pair);
    run->report = calloc(setup->sources, sizeof *run->report);
    if (run->pair == NULL || run->report == NULL)
        return failure_memory(failure, setup->sources * setup->receivers * sizeof *run->pair, "responses");
    TRY(find_taps(run, failure));
    TRY(find_paths(run, failure));
    const struct engine_options engine_options = room_engine_options(options, run->needs.stored_nodes);
    const bool boxed = engine_options.layout == LAYOUT_BOX;
    if (boxed)
        TRY(box_grid_from_blocks(&setup->grid, &run->box, failure));
    TRY(engine_create(&run->engine, &setup->grid, boxed ? &run->box : NULL, &setup->step, setup->admittance,
                      setup->mesh.material_count, &engine_options, failure));
    for (size_t i = 0; i < setup->sources + setup->receivers; i++)
        TRY(i < setup->sources ? engine_add_source(run->engine, &run->tap[i], NULL, failure)
                               : engine_add_receiver(run->engine, &run->tap[i], NULL, failure));
    return room_interrupted(failure);
}

/* ---- running ---- */

/* Energy relative to what the source gives at 10 m in free field, |X| = 0.1 up to fmax. */
static double strength_of(const float *sample, size_t count, double fmax)
{
    double energy = 0;
    for (size_t i = 0; i < count; i++)
        energy += (double)sample[i] * (double)sample[i];
    return 10 * log10(energy / (0.01 * 2 * fmax / RESPONSE_RATE));
}

static int write_pair(struct simulation *run, size_t source, size_t receiver, const double *raw,
                      uint64_t steps, struct failure *failure)
{
    const struct room_setup *setup = &run->setup;
    struct pair *pair = &run->pair[source * setup->receivers + receiver];
    float *sample = NULL;
    char name[sizeof pair->file];
    snprintf(name, sizeof name, "ir_%s_%s.wav", setup->point[source].name,
             setup->point[setup->sources + receiver].name);
    char *path = output_folder_file(&run->folder, name);
    int code = path == NULL ? failure_memory(failure, sizeof name, "a path") : 0;
    if (code == 0)
        code = response_make(raw, (size_t)steps, setup->step.rate, setup->fmax, &sample, &pair->samples,
                             failure);
    if (code == 0)
        code = output_folder_clear(&run->folder, failure);
    if (code == 0)
        code = wav_write(path, sample, pair->samples, RESPONSE_RATE, failure);
    if (code == 0) {
        memcpy(pair->file, name, sizeof name);
        pair->strength = strength_of(sample, pair->samples, setup->fmax);
    }
    free(sample);
    free(path);
    return code;
}

/* The energy that the drive leaves in the room, for run.json: two steps, undone by the run's own reset. */
static double energy_after_drive(struct simulation *run, size_t source)
{
    enum { STEPS = 2 };
    const size_t sources = run->setup.sources;
    double *drive = calloc(sources * STEPS, sizeof *drive);
    double *output = calloc(run->setup.receivers * STEPS, sizeof *output);
    double energy = NAN;
    if (drive != NULL && output != NULL) {
        for (uint64_t n = 0; n < STEPS; n++)
            drive[source * STEPS + n] = response_drive(n);
        engine_reset(run->engine);
        engine_run(run->engine, STEPS, drive, output);
        energy = engine_energy(run->engine);
    }
    free(drive);
    free(output);
    return energy;
}

static int run_source(struct simulation *run, size_t source, struct failure *failure)
{
    struct room_setup *setup = &run->setup;
    const struct options *options = setup->options;
    struct source_report *report = &run->report[source];
    char label[OPTION_NAME_MAX + 60];
    snprintf(label, sizeof label, "%s (%zu of %zu)", setup->point[source].name, source + 1, setup->sources);
    const struct source_run_settings settings = {
        .rate = setup->step.rate,
        .fmax = setup->fmax,
        .duration = options->duration,
        .first_duration = run->needs.duration,
        .longest_duration = DURATION_LONGEST,
        .stored_nodes =
            (uint64_t)(options->layout == LAYOUT_BOX ? run->needs.box_nodes : run->needs.stored_nodes),
        .label = label,
        .progress = options->quiet ? NULL : stderr,
        .interrupt = &interrupt_seen,
    };
    struct source_run_result result = {0};
    report->energy_start = energy_after_drive(run, source);
    int code = source_run(run->engine, &setup->lattice, source, setup->sources, setup->receivers, &settings,
                          &result, failure);
    report->steps = result.steps;
    report->seconds = result.seconds;
    report->capped = result.capped;
    report->interrupted = result.interrupted;
    report->energy_end = engine_energy(run->engine);
    run->sources_run = source + 1;
    if (result.capped)
        room_warn(
            setup,
            "%s: stopped at %.0f s, after the quietest fall of an octave of %.1f dB; 50 dB were asked for",
            setup->point[source].name, DURATION_LONGEST, result.fall);
    for (size_t r = 0; code == 0 && result.steps > 0 && r < setup->receivers; r++)
        code = write_pair(run, source, r, result.raw + r * result.steps, result.steps, failure);
    if (code == 0 && result.interrupted)
        code = FAILURE_INTERRUPTED;
    free(result.raw);
    return code;
}

/* ---- what is left behind ---- */

static size_t written(const struct simulation *run)
{
    size_t count = 0;
    for (size_t p = 0; p < run->setup.sources * run->setup.receivers; p++)
        count += run->pair[p].file[0] != '\0';
    return count;
}

static void record_runs(cJSON *object, const struct simulation *run)
{
    const struct room_setup *setup = &run->setup;
    uint64_t steps = 0, longest = 0;
    double seconds = 0;
    cJSON *runs = cJSON_AddArrayToObject(object, "runs");
    for (size_t s = 0; s < run->sources_run; s++) {
        const struct source_report *report = &run->report[s];
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "source", setup->point[s].name);
        cJSON_AddNumberToObject(entry, "steps", (double)report->steps);
        cJSON_AddNumberToObject(entry, "seconds", report->seconds);
        cJSON_AddNumberToObject(entry, "energy_start", report->energy_start);
        cJSON_AddNumberToObject(entry, "energy_end", report->energy_end);
        cJSON_AddNumberToObject(entry, "energy_change", report->energy_end / report->energy_start - 1);
        cJSON_AddBoolToObject(entry, "capped", report->capped);
        cJSON_AddBoolToObject(entry, "interrupted", report->interrupted);
        cJSON_AddItemToArray(runs, entry);
        steps += report->steps;
        longest = report->steps > longest ? report->steps : longest;
        seconds += report->seconds;
    }
    const bool boxed = setup->options->layout == LAYOUT_BOX;
    cJSON_AddNumberToObject(object, "steps", (double)longest);
    cJSON_AddNumberToObject(object, "duration_s", (double)longest / setup->step.rate);
    cJSON_AddBoolToObject(object, "duration_automatic", setup->options->duration == 0);
    cJSON_AddNumberToObject(object, "seconds", seconds);
    cJSON_AddNumberToObject(object, boxed ? "seconds_per_step_box" : "seconds_per_step_blocks",
                            seconds / (double)steps);
    cJSON_AddNumberToObject(object, "node_updates_per_second",
                            (double)steps * (boxed ? run->needs.box_nodes : run->needs.stored_nodes) /
                                seconds);
    if (run->needs.seconds > 0)
        cJSON_AddNumberToObject(object, "seconds_predicted", run->needs.seconds);
}

static void record_responses(cJSON *object, const struct simulation *run)
{
    const struct room_setup *setup = &run->setup;
    cJSON *responses = cJSON_AddArrayToObject(object, "responses");
    for (size_t p = 0; p < setup->sources * setup->receivers; p++) {
        const struct pair *pair = &run->pair[p];
        if (pair->file[0] == '\0')
            continue;
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "file", pair->file);
        cJSON_AddStringToObject(entry, "source", setup->point[p / setup->receivers].name);
        cJSON_AddStringToObject(entry, "receiver", setup->point[setup->sources + p % setup->receivers].name);
        cJSON_AddNumberToObject(entry, "distance_m", pair->distance);
        cJSON_AddBoolToObject(entry, "direct_path_clear", pair->path.straight);
        cJSON_AddNumberToObject(entry, "path_m", pair->path.length);
        cJSON_AddNumberToObject(entry, "onset_s", pair->path.length / setup->sound_speed);
        cJSON_AddNumberToObject(entry, "samples", (double)pair->samples);
        cJSON_AddNumberToObject(entry, "strength_db", pair->strength);
        cJSON_AddItemToArray(responses, entry);
    }
}

static cJSON *make_record(const struct simulation *run, const struct failure *failure)
{
    cJSON *object = cJSON_CreateObject();
    record_room(object, "simulate", &run->setup);
    cJSON_AddBoolToObject(object, "partial", run->partial);
    if (run->partial)
        cJSON_AddStringToObject(object, "partial_because",
                                failure->sentence[0] != '\0' ? failure->sentence : "interrupted");
    record_size(object, &run->setup, &run->needs);
    cJSON_AddStringToObject(object, "engine", engine_description(run->engine));
    record_runs(object, run);
    record_points(object, &run->setup, run->tap);
    cJSON *calibration = cJSON_AddObjectToObject(object, "calibration");
    cJSON_AddStringToObject(calibration, "quantity",
                            "in free field at r metres |sum x[n] exp(-j 2 pi f n / rate_hz)| = 1/r");
    cJSON_AddNumberToObject(calibration, "rate_hz", RESPONSE_RATE);
    cJSON_AddNumberToObject(calibration, "from_hz", 30);
    cJSON_AddNumberToObject(calibration, "to_hz", run->setup.fmax);
    cJSON_AddStringToObject(calibration, "time_zero", "sample 0 is the emission");
    record_responses(object, run);
    return object;
}

/* Where the results are, how large they are, and what they show. */
static void print_words(const struct simulation *run)
{
    const struct room_setup *setup = &run->setup;
    double least = INFINITY, most = -INFINITY, samples = 0, longest = 0;
    for (size_t p = 0; p < setup->sources * setup->receivers; p++) {
        const struct pair *pair = &run->pair[p];
        if (pair->file[0] == '\0')
            continue;
        least = fmin(least, pair->strength);
        most = fmax(most, pair->strength);
        samples += (double)pair->samples;
        longest = fmax(longest, (double)pair->samples);
    }
    double seconds = 0, steps = 0;
    for (size_t s = 0; s < run->sources_run; s++) {
        seconds += run->report[s].seconds;
        steps += (double)run->report[s].steps;
    }
    char bytes[32], time[32];
    const size_t count = written(run);
    printf("%s: %zu response%s ir_<source>_<receiver>.wav, %s%s\n", run->folder.path, count,
           count == 1 ? "" : "s", format_bytes(4 * samples, bytes),
           run->partial ? "; partial, see run.json" : "");
    printf("each is the sound of one source at one receiver: 30 to %.5g Hz, %.3g s long, 48 kHz\n",
           setup->fmax, longest / RESPONSE_RATE);
    if (least < most - 0.05)
        printf("level %.1f to %.1f dB", least, most);
    else
        printf("level %.1f dB", most);
    printf(" over the band; 0 dB is the same source heard 10 m away in the open\n");
    printf("computed in %s", format_seconds(seconds, time));
    if (run->needs.seconds > 0)
        printf(" (%s was predicted)", format_seconds(run->needs.seconds, time));
    printf(", %.0f million node updates a second; run.json holds every figure\n",
           steps * (setup->options->layout == LAYOUT_BOX ? run->needs.box_nodes : run->needs.stored_nodes) /
               fmax(seconds, 1e-9) / 1e6);
}

/* run.json, and the same on standard output for --json. A folder without any response is taken away again. */
static int leave(struct simulation *run, int code, struct failure *failure)
{
    run->partial = code != 0;
    if (written(run) == 0) {
        output_folder_undo(&run->folder);
        if (code == FAILURE_INTERRUPTED)
            failure_set(failure, FAILURE_INTERRUPTED, "interrupted; nothing was written");
        return code;
    }
    struct failure second = {0};
    cJSON *record = make_record(run, failure);
    char *path = output_folder_file(&run->folder, "run.json");
    int written_code =
        path == NULL ? failure_memory(&second, 0, "a path") : record_write(record, path, &second);
    free(path);
    if (written_code == 0 && run->setup.options->json) {
        cJSON_AddStringToObject(record, "directory", run->folder.path);
        written_code = print_json(record, &second);
        record = NULL;
    } else if (written_code == 0 && !run->setup.options->quiet) {
        print_words(run);
    }
    cJSON_Delete(record);
    if (code == FAILURE_INTERRUPTED)
        failure_set(failure, FAILURE_INTERRUPTED, "interrupted; what was computed is in %s, marked partial",
                    run->folder.path);
    if (code == 0 && written_code != 0) {
        *failure = second;
        return written_code;
    }
    return code;
}

static int simulate(const struct options *options, struct failure *failure)
{
    struct simulation run = {0};
    int code = output_folder_check(options->output, options->force, failure);
    if (code == 0)
        code = prepare(&run, options, failure);
    if (code == 0)
        code = output_folder_make(&run.folder, options->output, failure);
    if (code == 0) {
        room_say(&run.setup, "%s", engine_description(run.engine));
        for (size_t s = 0; code == 0 && s < run.setup.sources; s++)
            code = run_source(&run, s, failure);
        code = leave(&run, code, failure);
    }
    simulation_free(&run);
    return code;
}

int command_simulate(const struct command *command, int argc, char **argv, struct failure *failure)
{
    struct options options;
    int code =
        options_parse(command->bit, command->name, command->subject, argc, argv, NULL, &options, failure);
    if (code == 0 && options.help)
        help_command(stdout, command, NULL);
    else if (code == 0 && options.output == NULL)
        code = failure_set(failure, FAILURE_INPUT, "simulate needs -o DIR, a folder for the results");
    else if (code == 0)
        code = simulate(&options, failure);
    options_free(&options);
    return code;
}
