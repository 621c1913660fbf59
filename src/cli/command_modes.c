/** `transept modes`: the modes of a room, from the responses of a run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/acoustics/box_modes.h"
#include "src/base/interrupt.h"
#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/base/progress_json.h"
#include "src/cli/commands.h"
#include "src/response/acoustics/room_modes.h"
#include "src/base/options/scheme_options.h"
#include "src/run_folder/run_read.h"
#include "src/response/signal/low_pass.h"
#include "src/response/signal/response.h"
#include "src/response/signal/wav_file.h"
#include "src/base/table/json_values.h"
#include "src/base/table/table_columns.h"

#define SIXTY   6.907755278982137 /* ln 1000 */
#define FULL    0.95              /* of its box a room fills that is taken for one */
#define LEAD    2.0               /* lengths of the low-pass, after which nothing drives the room */
#define RECORDS 64                /* responses that are searched */

/* Everything of one call; freed by report_free(). */
struct report {
    const char *folder;
    struct run_model run;
    struct run_losses losses;
    size_t records;
    struct wav_sound *sound;    /* (records) */
    struct mode_record *record; /* (records) borrows from sound */
    struct mode_space space;
    struct room_modes modes;
    struct box_guess *guess; /* (modes) */
};

static void report_free(struct report *report)
{
    for (size_t r = 0; report->sound != NULL && r < report->records; r++)
        wav_sound_free(&report->sound[r]);
    free(report->sound);
    free(report->record);
    free(report->guess);
    room_modes_free(&report->modes);
    run_losses_free(&report->losses);
    run_model_free(&report->run);
}

static int read_response(const struct report *report, const char *file, struct wav_sound *out,
                         struct failure *failure)
{
    char *path = path_in(report->folder, "%s", file);
    if (path == NULL)
        return failure_memory(failure, strlen(report->folder), "a path");
    int code = wav_response_read(path, "simulate once more", out, failure);
    if (code == 0 && (out->channels != 1 || out->rate != RESPONSE_RATE)) {
        code = failure_set(failure, FAILURE_INPUT,
                           "%s: has %d channels at %d Hz, and a response of a run has one at %d Hz", path,
                           out->channels, out->rate, RESPONSE_RATE);
        wav_sound_free(out);
    }
    free(path);
    return code;
}

/* The responses of named receivers, RECORDS at most: of a hundred the first show what all would. */
static int read_responses(struct report *report, struct failure *failure)
{
    const struct run_model *run = &report->run;
    report->sound = calloc(RECORDS, sizeof *report->sound);
    report->record = calloc(RECORDS, sizeof *report->record);
    if (report->sound == NULL || report->record == NULL)
        return failure_memory(failure, RECORDS * sizeof *report->sound, "the responses");
    for (size_t r = 0; r < run->responses.count && report->records < RECORDS; r++) {
        struct wav_sound *sound = &report->sound[report->records];
        TRY(read_response(report, run->responses.item[r].file, sound, failure));
        report->record[report->records++] =
            (struct mode_record){sound->sample, sound->frames, LEAD * LOW_PASS_REACH / run->room.fmax};
    }
    if (report->records == 0)
        return failure_set(failure, FAILURE_INPUT, "%s: run.json names no response: simulate with a receiver",
                           report->folder);
    return 0;
}

static int measure_room(struct report *report, struct failure *failure)
{
    const struct record_room *room = &report->run.room;
    const double *size = report->run.size.box_size, box = size[0] * size[1] * size[2];
    const double volume = report->run.size.air_volume;
    if (!(volume > 0.0) || !(box > 0.0) || !(room->spacing > 0.0) || !(room->courant > 0.0))
        return failure_set(
            failure, FAILURE_INPUT,
            "%s: run.json lacks air_volume_m3, spacing_m, courant or box_size_m: simulate once "
            "more",
            report->folder);
    double surface = 0.0;
    TRY(run_losses_make(&report->run, &report->losses, failure));
    for (size_t s = 0; s < report->losses.surface_count; s++)
        surface += report->losses.surface[s].area;
    report->space = (struct mode_space){
        .volume = volume,
        .surface = surface > 0.0 ? surface : 6.0 * cbrt(volume) * cbrt(volume),
        .sound_speed = room->sound_speed,
        .highest = fmin(room->fmax, 0.2 * RESPONSE_RATE),
    };
    return 0;
}

static int guess_modes(struct report *report, struct failure *failure)
{
    const size_t count = report->modes.count;
    double *frequency = malloc((count + 1) * sizeof *frequency);
    report->guess = calloc(count + 1, sizeof *report->guess);
    if (frequency == NULL || report->guess == NULL) {
        free(frequency);
        return failure_memory(failure, (count + 1) * sizeof *report->guess, "the modes");
    }
    for (size_t m = 0; m < count; m++)
        frequency[m] = report->modes.mode[m].frequency;
    const struct record_room *record = &report->run.room;
    const double *size = report->run.size.box_size;
    /* Responses of the isotropic scheme have their true frequencies. */
    const bool warped = scheme_of_word(record->scheme) == SCHEME_ISOTROPIC;
    const struct box_room room = {
        {size[0], size[1], size[2]}, record->sound_speed, warped ? 0 : record->spacing, record->courant};
    const int code = box_modes_guess(&room, frequency, count, report->guess, failure);
    free(frequency);
    return code;
}

/* Share of its box that the air fills, both by their cells; the volumes of cut ones are rounded. */
static double share_of_box(const struct report *report)
{
    const double *size = report->run.size.box_size;
    return fmin(report->run.size.cells_volume / (size[0] * size[1] * size[2]), 1.0);
}

/* ---- words ---- */

/* "1,0,0 0,1,0 and 1 more" */
static void name_guess(const struct box_guess *guess, bool sure, char text[64])
{
    int used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < guess->count && k < BOX_MODES_NAMED; k++)
        used += snprintf(text + used, (size_t)(64 - used), "%s%d,%d,%d", k > 0 ? " " : "", guess->n[k][0],
                         guess->n[k][1], guess->n[k][2]);
    if (guess->count > BOX_MODES_NAMED)
        used += snprintf(text + used, (size_t)(64 - used), " +%zu", guess->count - BOX_MODES_NAMED);
    if (guess->count > 0 && !sure)
        snprintf(text + used, (size_t)(64 - used), " ?");
}

static void print_report(const struct report *report)
{
    const struct room_modes *modes = &report->modes;
    const double *size = report->run.size.box_size;
    const bool sure = share_of_box(report) >= FULL;
    printf("modes of %s, from %zu response%s; the air fills %.0f %% of its box of %.4g x %.4g x %.4g m\n",
           PATH_SHOWN(report->folder), report->records, report->records == 1 ? "" : "s",
           100.0 * share_of_box(report), size[0], size[1], size[2]);
    struct table table;
    table_begin(&table, "modes");
    if (modes->count > 0)
        TABLE_HEADS(&table, "Hz", "Q", "T [s]", "level [dB]", "overlap", "box [Hz]", "  likely mode (x,y,z)");
    for (size_t m = 0; m < modes->count; m++) {
        const struct room_mode *mode = &modes->mode[m];
        char likely[64];
        name_guess(&report->guess[m], sure, likely);
        table_row(&table, NULL);
        TABLE_VALUE_CELL(&table, mode->frequency, 2, 1);
        TABLE_VALUE_CELL(&table, mode->quality, 1, 1);
        TABLE_VALUE_CELL(&table, SIXTY / mode->decay, 2, 1);
        TABLE_VALUE_CELL(&table, mode->level, 1, 1);
        TABLE_VALUE_CELL(&table, mode->overlap, 2, 1);
        TABLE_VALUE_CELL(&table, report->guess[m].count > 0 ? report->guess[m].frequency : NAN, 2, 1);
        TABLE_WORDS_CELL(&table, "  ");
        table_words(&table, likely);
    }
    table_columns(stdout, &table, 7, (const int[]){8, 9, 9, 12, 9, 12, 0});
    table_free(&table);
    if (modes->count > 0 && !sure)
        printf("? the room is not a box: the nearest mode of the box is a guess\n");
    if (modes->count == 0)
        printf("none up to %.4g Hz\n", modes->limit);
    if (modes->why[0] != '\0')
        printf("%s", modes->why);
    if (modes->schroeder > 0.0)
        printf("; the Schroeder frequency is %.0f Hz", modes->schroeder);
    printf("\n");
}

/* ---- JSON ---- */

static cJSON *mode_record_json(const struct room_mode *mode, const struct box_guess *guess)
{
    cJSON *entry = cJSON_CreateObject();
    JSON_PUT(entry, {"frequency_hz", OF_NUMBER(mode->frequency)}, {"q", OF_NUMBER(mode->quality)},
             {"reverberation_s", OF_NUMBER(SIXTY / mode->decay)}, {"level_db", OF_NUMBER(mode->level)},
             {"overlap", OF_NUMBER(mode->overlap)});
    cJSON *likely = json_list_in(entry, "likely");
    for (size_t k = 0; k < guess->count && k < BOX_MODES_NAMED; k++)
        json_append(likely, cJSON_CreateIntArray(guess->n[k], 3));
    JSON_PUT(entry, {"likely_count", OF_NUMBER(guess->count)},
             {"box_frequency_hz", OF_NUMBER(guess->count > 0 ? guess->frequency : NAN)});
    return entry;
}

static cJSON *make_json(const struct report *report)
{
    const struct room_modes *modes = &report->modes;
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(object, {"command", OF_TEXT("modes")}, {"directory", OF_TEXT(report->folder)},
             {"responses", OF_NUMBER(report->records)}, {"box_size_m", OF_POINT(report->run.size.box_size)},
             {"share_of_box", OF_NUMBER(share_of_box(report))},
             {"is_a_box", OF_TRUTH(share_of_box(report) >= FULL)},
             {"reverberation_s", OF_NUMBER(modes->reverberation)},
             {"schroeder_hz", OF_NUMBER(modes->schroeder)}, {"searched_from_hz", OF_NUMBER(MODES_LOWEST)},
             {"searched_to_hz", OF_NUMBER(modes->limit)}, {"searched_to_because", OF_TEXT(modes->why)});
    cJSON *list = json_list_in(object, "modes");
    for (size_t m = 0; m < modes->count; m++)
        json_append(list, mode_record_json(&modes->mode[m], &report->guess[m]));
    return object;
}

int command_modes(const struct options *options, struct failure *failure)
{
    struct report report = {.folder = options->subject};
    interrupt_ends = 1;
    progress_json_begin("responses", NULL);
    int code = run_model_read(report.folder, &report.run, failure);
    if (code == 0)
        code = measure_room(&report, failure);
    if (code == 0)
        code = read_responses(&report, failure);
    if (code == 0)
        progress_json_begin("modes", NULL);
    if (code == 0)
        code = room_modes_find(report.record, report.records, RESPONSE_RATE, &report.space, &report.modes,
                               failure);
    if (code == 0)
        code = guess_modes(&report, failure);
    if (code == 0 && options->json)
        code = print_json(make_json(&report), failure);
    else if (code == 0)
        print_report(&report);
    report_free(&report);
    return code;
}
