#include "src/cli/analysis_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/response/further/echo_criterion.h"
#include "src/response/acoustics/figure_summary.h"
#include "src/response/further/interaural.h"
#include "src/response/acoustics/kept_response.h"
#include "src/base/interrupt.h"
#include "src/base/progress_json.h"
#include "src/base/path_text.h"
#include "src/cli/commands.h"
#include "src/listen/foreign_onset.h"
#include "src/listen/foreign_response.h"
#include "src/run_folder/figure_record.h"
#include "src/run_folder/map_table_read.h"
#include "src/run_folder/record_error.h"
#include "src/response/signal/wav_file.h"

void analysis_list_free(struct analysis_list *list)
{
    for (size_t r = 0; r < list->count; r++) {
        free(list->response[r].file);
        free(list->response[r].source);
        free(list->response[r].receiver);
        free(list->response[r].trace);
        free(list->response[r].thirds);
        json_free_members(&record_figures_table, &list->response[r].record);
    }
    free(list->response);
    measured_source_free(&list->measured);
    room_notices_free(&list->notices);
    *list = (struct analysis_list){0};
}

/* ---- one channel ---- */

/* A file, and its run, if any. */
struct input {
    const char *path;
    const struct run_model *run;
    const struct record_response *known;
    const struct record_map *map; /* of a receiver grid, with .. */
    struct map_rows rows;         /* .. its table: a row for every channel; owned */
};

static int find_onset(const struct input *input, const struct options *options, const float *sample,
                      struct analysis_response *out, struct foreign_onset *found, struct failure *failure)
{
    *found = (struct foreign_onset){0};
    out->onset_from = options->onset > 0.0                                    ? ANALYSIS_OPTION
                      : input->known != NULL && isfinite(input->known->onset) ? ANALYSIS_RUN
                                                                              : ANALYSIS_FILE;
    if (out->onset_from == ANALYSIS_OPTION)
        out->onset = options->onset;
    else if (out->onset_from == ANALYSIS_RUN)
        out->onset = fmax(input->known->onset, 1.0 / out->rate);
    else
        TRY(foreign_onset_find(sample, out->samples, out->rate, found, failure));
    if (out->onset_from == ANALYSIS_FILE)
        out->onset = found->time;
    const double length = (double)out->samples / out->rate;
    if (out->onset < length)
        return 0;
    return failure_set(failure, FAILURE_INPUT, "%s: is %.4g s long, but the onset is given as %.4g s%s",
                       input->path, length, out->onset,
                       out->onset_from == ANALYSIS_OPTION ? ": give another --onset" : "");
}

static int find_highest(const struct input *input, const struct options *options, const float *sample,
                        struct analysis_response *out, struct failure *failure)
{
    const double carried = foreign_carried(out->rate);
    out->fmax_from = options->request.grid.fmax > 0.0 ? ANALYSIS_OPTION
                     : input->known != NULL           ? ANALYSIS_RUN
                                                      : ANALYSIS_FILE;
    if (out->fmax_from == ANALYSIS_FILE)
        return foreign_highest(sample, out->samples, out->rate, &out->fmax, failure);
    out->fmax = out->fmax_from == ANALYSIS_OPTION ? options->request.grid.fmax
                                                  : fmin(run_model_highest(input->run), carried);
    if (out->fmax <= carried)
        return 0;
    return failure_set(failure, FAILURE_INPUT,
                       "%s: has %g samples per second, which represent frequencies up to %.5g Hz, not %s%.5g",
                       input->path, out->rate, carried,
                       out->fmax_from == ANALYSIS_OPTION ? "--fmax " : "the fmax of its run, ", out->fmax);
}

/* Properties that were found from the file itself may be wrong. */
static void warn_of_response(struct analysis_list *list, const struct analysis_response *response,
                             const struct foreign_onset *found)
{
    char what[FOREIGN_ONSET_TEXT];
    char which[40] = "";
    if (response->channels > 1)
        snprintf(which, sizeof which, ", channel %d", response->channel);
    if (response->fmax_from == ANALYSIS_FILE && response->fmax < foreign_carried(response->rate))
        room_warn(&list->notices,
                  "%s%s: its spectrum ends at about %.3g Hz, which is taken as its highest frequency; --fmax "
                  "overrides it",
                  response->file, which, response->fmax);
    foreign_onset_tell(found, what);
    if (what[0] != '\0')
        room_warn(&list->notices, "%s%s: %s; --onset overrides it", response->file, which, what);
    else if (response->onset_from == ANALYSIS_FILE && response->fmax < FOREIGN_ONSET_BAND)
        room_warn(&list->notices,
                  "%s%s: the onset is taken at %.4g s, 20 dB below the largest sample, which is early for a "
                  "response that ends at %.4g Hz; --onset overrides it",
                  response->file, which, response->onset, response->fmax);
}

/* The file of a receiver grid has one sample of several at 48 kHz. */
static size_t every_of(const struct wav_sound *sound)
{
    return RESPONSE_RATE / (size_t)sound->rate;
}

static size_t samples_of(const struct input *input, const struct wav_sound *sound)
{
    return input->map != NULL ? kept_restored(sound->frames, every_of(sound)) : sound->frames;
}

static int take_channel(const struct input *input, const struct wav_sound *sound, size_t channel,
                        float *sample, struct failure *failure)
{
    const size_t channels = (size_t)sound->channels;
    if (input->map != NULL)
        return kept_restore(sound->sample + channel, sound->frames, channels, every_of(sound), sample,
                            failure);
    for (size_t n = 0; n < sound->frames; n++)
        sample[n] = sound->sample[n * channels + channel];
    return 0;
}

/* ---- figures that the run recorded ---- */

static bool is_recorded(const struct input *input, const struct analysis_response *response)
{
    const struct record_response *known = input->known;
    const char *name = path_name(input->path);
    return known != NULL && known->from.count > 0 && response->onset_from == ANALYSIS_RUN &&
           response->channel == 1 &&
           ((known->file != NULL && strcmp(name, known->file) == 0) ||
            (known->file_ambix != NULL && strcmp(name, known->file_ambix) == 0));
}

static void take_octave(const struct record_response *known, size_t band, struct band_figures *out)
{
    const char *why = json_text_of(&known->why, band);
    const struct figure_values *of = &known->figures;
    *out = (struct band_figures){.times = {.centre = out->times.centre,
                                           .edt = figure_values_octave(of, FIGURE_EDT, band),
                                           .t20 = figure_values_octave(of, FIGURE_T20, band),
                                           .t30 = figure_values_octave(of, FIGURE_T30, band),
                                           .range = NAN,
                                           .floor = -INFINITY,
                                           .end = NAN,
                                           .tail = NAN,
                                           .curvature = json_number_of(&known->curvature, band),
                                           .nonlinearity = json_number_of(&known->nonlinearity, band)},
                                 .c50 = figure_values_octave(of, FIGURE_C50, band),
                                 .c80 = figure_values_octave(of, FIGURE_C80, band),
                                 .d50 = figure_values_octave(of, FIGURE_D50, band),
                                 .ts = figure_values_octave(of, FIGURE_TS, band),
                                 .g = figure_values_octave(of, FIGURE_G, band)};
    snprintf(out->why, sizeof out->why, "%s", why != NULL ? why : "");
}

static void take_speech(const struct record_response *known, size_t bands, struct speech_transmission *out)
{
    for (size_t k = 0; k < SPEECH_OCTAVES && k + 1 < bands; k++)
        if (record_is_from_rays(known, k + 1))
            out->octave[k] =
                (struct speech_octave){.centre = out->octave[k].centre,
                                       .mti = figure_values_octave(&known->figures, FIGURE_MTI, k + 1)};
    if (bands <= SPEECH_OCTAVES)
        return;
    out->sti = known->figures.single[FIGURE_STI];
    snprintf(out->why, sizeof out->why, "%s", known->sti_why != NULL ? known->sti_why : "");
}

/* The first `bands` of them. */
static bool copy_values(const struct figure_values *from, size_t bands, struct figure_values *to)
{
    for (int f = 0; f < PRESSURE_FIGURES; f++) {
        const struct json_numbers *of = &from->octave[f];
        if (of->value != NULL &&
            !json_numbers_set(&to->octave[f], of->value, of->count < bands ? of->count : bands))
            return false;
    }
    if (from->single_there[FIGURE_STI])
        figure_values_single(to, FIGURE_STI, from->single[FIGURE_STI]);
    return true;
}

static void take_recorded(const struct record_response *known, bool speech, struct analysis_response *out)
{
    out->recorded = true;
    for (size_t b = 0; b < out->figures.bands; b++)
        if (record_is_from_rays(known, b))
            take_octave(known, b, &out->figures.octave[b]);
    if (speech)
        take_speech(known, out->figures.bands, &out->speech);
}

/* Those of the channel itself; those of both ears as they were recorded. */
static int find_further(const struct input *input, const float *sample, struct analysis_response *out,
                        struct failure *failure)
{
    const struct run_model *run = input->run;
    further_figures_clear(&out->further);
    further_figures_derive(&out->figures, out->distance, run != NULL ? run->size.air_volume : (double)NAN,
                           run != NULL ? run->room.sound_speed : (double)NAN, &out->further);
    for (int f = FIGURE_IACC_EARLY; input->known != NULL && f <= FIGURE_IACC_LATE; f++) {
        for (size_t b = 0; b < out->figures.bands; b++)
            out->further.octave[f][b] = figure_values_octave(&input->known->figures, (enum figure)f, b);
        out->further.single[f] = input->known->figures.single[f];
    }
    return echo_criterion_make(sample, out->samples, out->rate, out->fmax, out->onset, &out->further,
                               failure);
}

static int fill_record(const struct record_response *known, struct analysis_response *out,
                       struct failure *failure)
{
    struct record_response *record = &out->record;
    const size_t bands = out->figures.bands;
    bool filled =
        record_fill_figures(record, &out->figures, NULL) && record_fill_thirds(record, out->thirds, NULL) &&
        record_fill_speech(record, &out->speech, bands) && record_fill_further(record, &out->further);
    if (filled && out->recorded)
        filled = json_texts_set(&record->from, (const char *const *)known->from.text,
                                known->from.count < bands ? known->from.count : bands) &&
                 copy_values(&known->scattering, bands, &record->scattering) &&
                 copy_values(&known->error, bands, &record->error) &&
                 copy_values(&known->interference, bands, &record->interference) &&
                 copy_values(&known->absorption, bands, &record->absorption);
    return filled ? 0 : failure_memory(failure, sizeof *record, "the figures of a response");
}

/* ---- one file ---- */

static int trace_decays(size_t points, const float *sample, struct analysis_response *out,
                        struct failure *failure)
{
    struct decay_times times;
    out->trace = calloc(OCTAVE_BANDS_MAX, sizeof *out->trace);
    if (out->trace == NULL)
        return failure_memory(failure, OCTAVE_BANDS_MAX * sizeof *out->trace, "decays");
    return decay_times_trace(BANDS_OCTAVE, sample, out->samples, out->rate, out->fmax, out->onset, points,
                             &times, out->trace, failure);
}

/* Where rays begin, the sound of a file is random, with octaves' energy. */
static int make_thirds(const struct options *options, const struct input *input, const float *sample,
                       struct analysis_response *out, struct failure *failure)
{
    const struct record_rays *rays = input->known != NULL ? input->run->rays : NULL;
    const double highest = rays != NULL ? fmin(rays->crossover, out->fmax) : out->fmax;
    if (options->request.plan.bands != BANDS_THIRD)
        return 0;
    out->thirds = calloc(1, sizeof *out->thirds);
    if (out->thirds == NULL)
        return failure_memory(failure, sizeof *out->thirds, "the figures of thirds");
    return third_figures_make(sample, out->samples, out->rate, highest, out->onset, out->figures.reference,
                              out->thirds, failure);
}

/* The level of the source, as acoustic_figures_make() takes it. */
static double reference_of(const struct analysis_list *list, const struct options *options,
                           const struct input *input)
{
    if (input->known != NULL || options->calibrated)
        return FIGURES_REFERENCE;
    return list->measured.referenced ? 1.0 : NAN;
}

/* `sample` has room for twice the samples of a channel. */
static int add_channel(struct analysis_list *list, const struct options *options, const struct input *input,
                       const struct wav_sound *sound, int channel, float *sample, struct failure *failure)
{
    struct analysis_response *grown = realloc(list->response, (list->count + 1) * sizeof *grown);
    if (grown == NULL)
        return failure_memory(failure, (list->count + 1) * sizeof *grown, "a list of responses");
    list->response = grown;
    struct analysis_response *out = &grown[list->count++];
    *out = (struct analysis_response){.file = strdup(input->path),
                                      .channel = channel,
                                      .channels = sound->channels,
                                      .rate = input->map != NULL ? RESPONSE_RATE : sound->rate,
                                      .samples = samples_of(input, sound),
                                      .file_rate = sound->rate,
                                      .file_samples = sound->frames,
                                      .distance = input->known != NULL ? input->known->distance : NAN};
    json_clear(&record_figures_table, &out->record);
    if (input->known != NULL && input->known->source != NULL)
        out->source = strdup(input->known->source);
    if (input->known != NULL && input->known->receiver != NULL)
        out->receiver = strdup(input->known->receiver);
    if (out->file == NULL || (input->known != NULL && input->known->source != NULL && out->source == NULL) ||
        (input->known != NULL && input->known->receiver != NULL && out->receiver == NULL))
        return failure_memory(failure, strlen(input->path), "the names of a response");
    TRY(take_channel(input, sound, (size_t)channel - 1, sample, failure));
    out->silent = true;
    for (size_t n = 0; n < out->samples && out->silent; n++)
        out->silent = sample[n] == 0.0F;
    struct foreign_onset found;
    TRY(find_onset(input, options, sample, out, &found, failure));
    TRY(find_highest(input, options, sample, out, failure));
    warn_of_response(list, out, &found);
    if (list->points > 0 && list->count == 1)
        TRY(trace_decays(list->points, sample, out, failure));
    if (input->map != NULL)
        TRY(kept_figures(sample, out->samples, 1, out->fmax, out->onset, sample + out->samples, &out->figures,
                         NULL, failure));
    else
        TRY(acoustic_figures_make(sample, out->samples, out->rate, out->fmax, out->onset,
                                  reference_of(list, options, input), &out->figures, failure));
    if (input->known == NULL && list->measured.referenced)
        reference_level_apply(&list->measured.reference, out->fmax, &out->figures);
    TRY(make_thirds(options, input, sample, out, failure));
    TRY(speech_transmission_make(sample, out->samples, out->rate, out->fmax, out->onset, &list->levels,
                                 &out->speech, failure));
    if (is_recorded(input, out))
        take_recorded(input->known, !list->levels.with_speech, out);
    TRY(find_further(input, sample, out, failure));
    return fill_record(input->known, out, failure);
}

/* ---- files and folders ---- */

/* Take the values in the table of a map for the point of a channel. The onset is the last column. Some points
 * of an area are always near the source, so no warning is needed. */
static struct record_response point_of(const struct input *input, size_t channel)
{
    const struct map_rows *rows = &input->rows;
    return (struct record_response){.source = input->map->source,
                                    .receiver = (char *)rows->name[channel],
                                    .distance = NAN,
                                    .onset = rows->value[(channel + 1) * rows->columns - 1]};
}

static int check_map(const struct input *input, const struct wav_sound *sound, struct failure *failure)
{
    if (input->map == NULL ||
        (input->rows.rows == (size_t)sound->channels && RESPONSE_RATE % sound->rate == 0))
        return 0;
    return failure_set(
        failure, FAILURE_INPUT,
        "%s: has %d channels at %d Hz, and its map has %zu points at %g Hz: simulate once more", input->path,
        sound->channels, sound->rate, input->rows.rows, input->map->rate);
}

/* 0: all. */
static int read_channel(const struct options *options, int *out, struct failure *failure)
{
    const char *text = options->channel;
    *out = 0;
    if (text == NULL || strcmp(text, "all") == 0)
        return 0;
    const size_t length = strlen(text);
    if (length > 0 && length <= 4 && strspn(text, "0123456789") == length)
        *out = (int)strtol(text, NULL, 10);
    if (*out >= 1 && *out <= WAV_CHANNELS_MAX)
        return 0;
    return failure_set(failure, FAILURE_INPUT,
                       "--channel %s is neither `all` nor a whole number from 1 to %d", text,
                       WAV_CHANNELS_MAX);
}

/* A file that is not of a run may be damaged, or a recording that is no response yet. */
static int take_measured(struct analysis_list *list, const struct options *options, const struct input *input,
                         struct wav_sound *sound, struct measured_facts *facts, struct failure *failure)
{
    struct whole_file file = {0};
    *facts = (struct measured_facts){0};
    if (input->known != NULL || input->map != NULL)
        return 0;
    TRY(measured_sound_make(&list->measured, input->path, sound, facts, &list->notices, failure));
    if (options->output == NULL)
        return 0;
    TRY(wav_stage(options->output, sound->sample, sound->frames, sound->channels, sound->rate, WAV_FLOAT32,
                  &file, failure));
    return whole_file_commit(&file, failure);
}

/* IACC of the last two responses of the list, which are the ears of a file. */
static int compare_ears(struct analysis_list *list, const struct wav_sound *sound, struct failure *failure)
{
    struct analysis_response *ear = &list->response[list->count - 2];
    const double onset = fmin(ear[0].onset, ear[1].onset), highest = fmin(ear[0].fmax, ear[1].fmax);
    for (int e = 0; e < 2; e++) {
        TRY(interaural_make(sound->sample, sound->frames, sound->rate, highest, onset, &ear[e].figures,
                            &ear[e].further, failure));
        if (!record_fill_further(&ear[e].record, &ear[e].further))
            return failure_memory(failure, sizeof ear->record, "the figures of a response");
    }
    return 0;
}

static int refuse_ears(const struct options *options, const struct input *input,
                       const struct wav_sound *sound, struct failure *failure)
{
    if (!options->ears || (sound->channels == 2 && options->channel == NULL))
        return 0;
    return failure_set(failure, FAILURE_INPUT,
                       "%s: --ears is for a file of two channels, left and right, and all of them; it has %d",
                       input->path, sound->channels);
}

static int add_file(struct analysis_list *list, const struct options *options, const struct input *input,
                    struct failure *failure)
{
    struct wav_sound sound = {0};
    int asked = 0;
    TRY(read_channel(options, &asked, failure));
    TRY(wav_response_read(input->path, "cut it", &sound, failure));
    struct measured_facts facts;
    int code = take_measured(list, options, input, &sound, &facts, failure);
    int first = 1, last = sound.channels;
    if (code == 0)
        code = check_map(input, &sound, failure);
    if (code == 0)
        code = refuse_ears(options, input, &sound, failure);
    if (code == 0 && asked > sound.channels)
        code = failure_set(failure, FAILURE_INPUT, "%s: has %d channel%s, and --channel %d was asked for",
                           input->path, sound.channels, sound.channels == 1 ? "" : "s", asked);
    else if (asked > 0)
        first = last = asked;
    else if (input->known != NULL &&
             !options->ears) /* a run's: the pressure comes before the directional channels */
        last = 1;
    const size_t room = code == 0 ? 2 * samples_of(input, &sound) + 1 : 1;
    float *sample = malloc(room * sizeof *sample);
    if (code == 0 && sample == NULL)
        code = failure_memory(failure, room * sizeof *sample, input->path);
    for (int channel = first; code == 0 && channel <= last; channel++) {
        struct input one = *input;
        struct record_response point;
        if (input->map != NULL) {
            point = point_of(input, (size_t)channel - 1);
            one.known = &point;
        }
        code = add_channel(list, options, &one, &sound, channel, sample, failure);
        if (code == 0)
            list->response[list->count - 1].measured = facts;
        if (code == 0 && interrupt_seen)
            code = failure_set(failure, FAILURE_INTERRUPTED, "interrupted");
    }
    if (code == 0 && options->ears)
        code = compare_ears(list, &sound, failure);
    free(sample);
    wav_sound_free(&sound);
    return code;
}

static void note_room(struct analysis_list *list, const struct run_model *run)
{
    list->volume = run->size.air_volume;
    list->sound_speed = run->room.sound_speed;
}

/* A file of a receiver grid, with its table. */
static int add_map(struct analysis_list *list, const struct options *options, const char *folder,
                   struct input *input, struct failure *failure)
{
    const struct run_folder where = {.path = (char *)folder};
    if (input->map->table == NULL)
        return failure_set(failure, FAILURE_INPUT, "%s: its run.json names no table of its points",
                           input->path);
    TRY(map_rows_read(&where, input->map->table, &input->rows, failure));
    const int code = add_file(list, options, input, failure);
    map_rows_free(&input->rows);
    return code;
}

/* All receiver grids of a run without other responses. */
static int add_maps(struct analysis_list *list, const struct options *options, const char *folder,
                    const struct run_model *run, struct failure *failure)
{
    int code = 0;
    for (size_t g = 0; g < run->grids.count; g++)
        for (size_t m = 0; code == 0 && m < run->grids.item[g].maps.count; m++) {
            const struct record_map *map = &run->grids.item[g].maps.item[m];
            char *path = path_in(folder, "%s", map->file);
            struct input input = {.path = path, .run = run, .map = map};
            code = path != NULL ? add_map(list, options, folder, &input, failure)
                                : failure_memory(failure, strlen(folder), "a path");
            free(path);
        }
    return code;
}

static int add_run(struct analysis_list *list, const struct options *options, const char *folder,
                   struct failure *failure)
{
    struct run_model run;
    TRY(run_model_read(folder, &run, failure));
    note_room(list, &run);
    int code = 0;
    for (size_t r = 0; code == 0 && r < run.responses.count; r++) {
        progress_json_show((double)r / (double)run.responses.count);
        const struct record_response *response = &run.responses.item[r];
        char *path = path_in(folder, "%s", response->file);
        const struct input input = {.path = path, .run = &run, .known = response};
        code = path != NULL ? add_file(list, options, &input, failure)
                            : failure_memory(failure, strlen(folder), "a path");
        free(path);
    }
    const size_t before = list->count;
    if (code == 0 && run.responses.count == 0)
        code = add_maps(list, options, folder, &run, failure);
    if (code == 0 && run.responses.count == 0 && list->count == before)
        code = failure_set(failure, FAILURE_INPUT, "%s: its run.json names no responses", folder);
    run_model_free(&run);
    return code;
}

/* The record in the folder of the last file, since files of one run follow one another. */
struct beside {
    char *folder; /* owned; NULL: none yet */
    bool is_run;
    struct run_model run;
};

static void beside_free(struct beside *beside)
{
    free(beside->folder);
    if (beside->is_run)
        run_model_free(&beside->run);
    *beside = (struct beside){0};
}

static int look_beside(struct beside *beside, const char *path, struct failure *failure)
{
    char *folder = path_folder(path);
    if (folder == NULL)
        return failure_memory(failure, strlen(path), "a path");
    if (beside->folder != NULL && strcmp(beside->folder, folder) == 0) {
        free(folder);
        return 0;
    }
    beside_free(beside);
    beside->folder = folder;
    beside->is_run = run_is_in(folder) && run_model_read(folder, &beside->run, NULL) == 0;
    return 0;
}

/* A file, with its entry in the run.json of its folder. */
static int add_path(struct analysis_list *list, const struct options *options, const char *path,
                    struct beside *beside, struct failure *failure)
{
    struct input input = {.path = path};
    TRY(look_beside(beside, path, failure));
    /* A record that does not name the file is ignored. */
    if (beside->is_run) {
        input.known = run_model_find(&beside->run, path_name(path));
        input.map = run_model_find_map(&beside->run, path_name(path));
    }
    if (input.known != NULL || input.map != NULL) {
        input.run = &beside->run;
        note_room(list, &beside->run);
    }
    return input.map != NULL ? add_map(list, options, beside->folder, &input, failure)
                             : add_file(list, options, &input, failure);
}

static void warn_near(struct analysis_list *list)
{
    struct figure_summary summary = {0};
    for (size_t r = 0; r < list->count; r++)
        figure_summary_add(&summary, &list->response[r].figures);
    const double least = figure_least_distance(&summary, list->volume, list->sound_speed);
    for (size_t r = 0; r < list->count; r++)
        if (list->response[r].distance < least && list->response[r].source != NULL &&
            list->response[r].receiver != NULL)
            room_warn(&list->notices, FIGURE_NEAR_SENTENCE, list->response[r].receiver,
                      list->response[r].distance, list->response[r].source, least);
}

_Static_assert((int)OPTION_OCTAVES_COUNT == (int)SPEECH_OCTAVES, "an option has a level for each octave");

static int read_levels(const struct options *options, struct speech_levels *out, struct failure *failure)
{
    out->with_speech = options->speech_level.given;
    out->with_noise = options->noise_level.given;
    if (out->with_noise && !out->with_speech)
        return failure_set(
            failure, FAILURE_INPUT,
            "--noise-level is for noise beside speech: give --speech-level too, the level of speech at the "
            "listener in the same octaves");
    memcpy(out->speech, options->speech_level.value, sizeof out->speech);
    memcpy(out->noise, options->noise_level.value, sizeof out->noise);
    return 0;
}

static int check_output(const struct options *options, struct failure *failure)
{
    if (options->output == NULL)
        return 0;
    if ((options->sweep == NULL && options->mls == NULL) || options->subjects.count != 1)
        return failure_set(failure, FAILURE_INPUT,
                           "-o %s is for the response of one recording, with --sweep or --mls",
                           options->output);
    if (whole_file_replaces(options->output, options->subject))
        return failure_set(failure, FAILURE_INPUT, "-o %s is the file that is read: give another -o",
                           options->output);
    return command_refuse_existing(options->output, options->request.force, failure);
}

static int make_list(const struct options *options, size_t points, struct analysis_list *out,
                     struct failure *failure)
{
    struct analysis_list list = {
        .notices = {.silent = true}, .points = points, .volume = NAN, .sound_speed = NAN};
    struct beside beside = {0};
    int code = read_levels(options, &list.levels, failure);
    if (code == 0)
        code = check_output(options, failure);
    if (code == 0)
        code = measured_source_read(options, &list.measured, &list.notices, failure);
    for (size_t s = 0; code == 0 && s < options->subjects.count; s++) {
        const char *path = options->subjects.text[s];
        struct stat there;
        progress_json_piece(s, options->subjects.count);
        code = stat(path, &there) == 0 && S_ISDIR(there.st_mode)
                   ? add_run(&list, options, path, failure)
                   : add_path(&list, options, path, &beside, failure);
    }
    beside_free(&beside);
    if (code != 0) {
        analysis_list_free(&list);
        return code;
    }
    warn_near(&list);
    *out = list;
    return 0;
}

int analysis_list_make(const struct options *options, struct analysis_list *out, struct failure *failure)
{
    return make_list(options, 0, out, failure);
}

int analysis_list_of(const struct options *options, const char *subject, size_t points,
                     struct analysis_list *out, struct failure *failure)
{
    struct options one = *options;
    int channel;
    char *path = strndup(subject, path_channel(subject, &channel)), number[16];
    const char *text[] = {path};
    if (path == NULL)
        return failure_memory(failure, strlen(subject), "a path");
    snprintf(number, sizeof number, "%d", channel);
    one.subjects = (struct option_texts){.count = 1, .text = text};
    one.channel = channel > 0 ? number : one.channel;
    const int code = make_list(&one, points, out, failure);
    free(path);
    return code;
}

int analysis_thirds_add(const struct options *options, struct run_folder *folder, struct failure *failure)
{
    struct run_model *model = &folder->model;
    if (options->request.plan.bands != BANDS_THIRD || model->means == NULL || model->means->thirds != NULL ||
        model->responses.count == 0)
        return 0;
    struct options one = *options;
    const char *text[] = {folder->path};
    struct analysis_list list = {0};
    struct figure_summary summary = {0};
    one.subjects = (struct option_texts){.count = 1, .text = text};
    TRY(analysis_list_make(&one, &list, failure));
    for (size_t r = 0; r < list.count && r < model->responses.count; r++) {
        struct record_response *record = &list.response[r].record;
        third_summary_add(&summary, list.response[r].thirds);
        model->responses.item[r].thirds = record->thirds;
        record->thirds = NULL;
    }
    const bool filled = record_fill_third_means(model->means, &summary);
    analysis_list_free(&list);
    return filled ? 0 : failure_memory(failure, sizeof *model->means, "the means of thirds");
}
