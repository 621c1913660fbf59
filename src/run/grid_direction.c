#include "src/run/grid_direction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/further/interaural.h"
#include "src/run/whole_band.h"
#include "src/run_folder/figure_record.h"
#include "src/run_folder/result_file.h"
#include "src/setup/room_engine.h"
#include "src/response/signal/ambisonic_response.h"
#include "src/response/signal/binaural.h"
#include "src/response/signal/response.h"

int grid_direction_place(struct grid_run *run, struct failure *failure)
{
    const struct room_setup *setup = run->setup;
    const size_t gradients = 3 * run->rows.directional;
    if (gradients == 0)
        return 0;
    run->gradient = calloc(gradients, sizeof *run->gradient);
    run->look = calloc(setup->points.receivers, sizeof *run->look);
    run->direction = calloc(setup->points.sources * setup->points.receivers, sizeof *run->direction);
    if (run->gradient == NULL || run->look == NULL || run->direction == NULL)
        return failure_memory(failure,
                              gradients * sizeof *run->gradient +
                                  setup->points.sources * setup->points.receivers * sizeof *run->direction,
                              "directional receivers");
    for (size_t g = 0; g < gradients; g++) {
        const size_t i = setup->points.sources + g / 3;
        TRY(room_gradient_tap(setup, run->grid, setup->points.point[i].position,
                              run->grid->findings.seed_node[i], (int)(g % 3), &run->gradient[g], failure));
    }
    return orientation_read(&setup->request.listening.look, &setup->points, run->look, failure);
}

#define EAR_SOONER 0.0003 /* than at the middle of a head [s] */

/* IACC of a pair from both ears (count, 2), up to `highest` [Hz]. */
static int find_interaural(struct grid_run *run, size_t pair, const float *ears, size_t count, double onset,
                           double highest, struct failure *failure)
{
    return interaural_make(ears, count, RESPONSE_RATE, highest, fmax(onset, 1.0 / RESPONSE_RATE), NULL,
                           &run->pair[pair].further, failure);
}

static int write_ears(struct grid_run *run, size_t pair, const float *frames, size_t count, const char *name,
                      struct output_folder *folder, struct failure *failure)
{
    const double first = run->pair[pair].path.length / run->setup->model.sound_speed;
    const struct listening_request *asked = &run->setup->request.listening;
    const struct head_orientation orientation = {asked->yaw, asked->pitch, asked->roll};
    float *ears = NULL;
    TRY(binaural_make(frames, count, run->ears, &orientation, &ears, failure));
    int code = result_put_wav(folder, name, ears, count, EARS, RESPONSE_RATE, failure);
    if (code == 0)
        code = find_interaural(run, pair, ears, count, first - EAR_SOONER,
                               run->whole != NULL ? WHOLE_BAND_HIGHEST : run->grid->fmax, failure);
    free(ears);
    return code;
}

/* "<prefix><source>_<receiver>_<kind>.wav" */
static void file_name(const struct room_setup *setup, size_t pair, const char *prefix, const char *kind,
                      char name[GRID_FILE_MAX])
{
    snprintf(name, GRID_FILE_MAX, "%s%s_%s_%s.wav", prefix,
             setup->points.point[pair / setup->points.receivers].name,
             setup->points.point[setup->points.sources + pair % setup->points.receivers].name, kind);
}

static int find_lateral(const struct grid_run *run, size_t pair, const float *frames, double highest,
                        const struct acoustic_figures *figures, struct lateral_figures *out,
                        struct failure *failure)
{
    const struct room_setup *setup = run->setup;
    const struct room_point *source = &setup->points.point[pair / setup->points.receivers],
                            *receiver =
                                &setup->points.point[setup->points.sources + pair % setup->points.receivers];
    const double onset = fmax(run->pair[pair].path.length / setup->model.sound_speed, 1.0 / RESPONSE_RATE),
                 towards = azimuth_to(receiver->position, source->position) - run->direction[pair].azimuth;
    return lateral_figures_make(frames, run->pair[pair].samples, RESPONSE_RATE, highest, onset, towards,
                                FIGURES_REFERENCE, figures, out, failure);
}

static int write_frames(struct grid_run *run, size_t pair, const struct run_output *output,
                        const float *frames, struct failure *failure)
{
    struct grid_direction *direction = &run->direction[pair];
    const size_t count = run->pair[pair].samples;
    char name[GRID_FILE_MAX];
    file_name(run->setup, pair, output->prefix, "ambix", name);
    TRY(result_put_wav(output->folder, name, frames, count, AMBISONIC_CHANNELS, RESPONSE_RATE, failure));
    memcpy(direction->file, name, sizeof name);
    if (run->ears == NULL)
        return 0;
    file_name(run->setup, pair, output->prefix, "binaural", name);
    TRY(write_ears(run, pair, frames, count, name, output->folder, failure));
    memcpy(direction->file_binaural, name, sizeof name);
    return 0;
}

/* The single numbers of 125 to 1000 Hz. */
static void mean_lateral(struct lateral_figures *figures)
{
    double energy = 0;
    figures->lf = figures->lfc = 0;
    for (size_t b = 1; b < 5; b++) {
        figures->lf += figures->octave[b].lf / 4;
        figures->lfc += figures->octave[b].lfc / 4;
        energy += pow(10, figures->octave[b].lj / 10) / 4;
    }
    figures->lj = 10 * log10(energy);
}

/* The lateral figures of the octaves above the waves, by the joined response. */
static int add_lateral(struct grid_run *run, size_t pair, const float *frames, struct failure *failure)
{
    struct lateral_figures *waves = &run->direction[pair].lateral, whole;
    struct acoustic_figures figures;
    const size_t count = run->pair[pair].samples;
    float *pressure = malloc((count + 1) * sizeof *pressure);
    if (pressure == NULL)
        return failure_memory(failure, count * sizeof *pressure, "a response");
    for (size_t n = 0; n < count; n++)
        pressure[n] = frames[AMBISONIC_CHANNELS * n + AMBISONIC_W];
    int code = acoustic_figures_make(
        pressure, count, RESPONSE_RATE, WHOLE_BAND_HIGHEST,
        fmax(run->pair[pair].path.length / run->setup->model.sound_speed, 1.0 / RESPONSE_RATE),
        FIGURES_REFERENCE, &figures, failure);
    free(pressure);
    if (code == 0)
        code = find_lateral(run, pair, frames, WHOLE_BAND_HIGHEST, &figures, &whole, failure);
    for (size_t b = waves->bands; code == 0 && b < whole.bands; b++)
        waves->octave[b] = whole.octave[b];
    if (code == 0)
        waves->bands = whole.bands;
    if (code == 0 && !isfinite(waves->lf))
        mean_lateral(waves);
    return code;
}

/* Four channels of the whole band, in place of those of the waves. */
static int join_frames(struct grid_run *run, size_t source, size_t receiver, float *frames,
                       struct failure *failure)
{
    const size_t pair = source * run->setup->points.receivers + receiver, count = run->pair[pair].samples;
    float *joined = malloc((AMBISONIC_CHANNELS * count + 1) * sizeof *joined);
    if (joined == NULL)
        return failure_memory(failure, AMBISONIC_CHANNELS * count * sizeof *joined, "a response");
    int code = whole_band_response(run->whole, source, receiver, AMBISONIC_CHANNELS,
                                   run->direction[pair].azimuth, frames, count, joined, failure);
    if (code == 0)
        memcpy(frames, joined, AMBISONIC_CHANNELS * count * sizeof *frames);
    free(joined);
    return code == 0 ? add_lateral(run, pair, frames, failure) : code;
}

int grid_direction_write(struct grid_run *run, size_t source, size_t receiver,
                         const struct run_output *output, const float *sample, struct failure *failure)
{
    const struct room_setup *setup = run->setup;
    const size_t pair = source * setup->points.receivers + receiver;
    struct grid_direction *direction = &run->direction[pair];
    const double first = run->pair[pair].path.length / setup->model.sound_speed;
    const double *gradient[3];
    for (size_t axis = 0; axis < 3; axis++)
        gradient[axis] = engine_row(output->raw, output->steps, row_of_gradient(&run->rows, receiver, axis));
    float *frames = NULL;
    direction->azimuth = orientation_azimuth(&run->look[receiver], &setup->points, source, receiver);
    direction->towards = orientation_source(&run->look[receiver], &setup->points, source);
    TRY(ambisonic_response_make(sample, run->pair[pair].samples, gradient, (size_t)output->steps,
                                &output->chain, first, direction->azimuth, &frames, failure));
    int code = find_lateral(run, pair, frames, run->grid->fmax, &run->pair[pair].figures, &direction->lateral,
                            failure);
    if (code == 0 && run->whole != NULL)
        code = join_frames(run, source, receiver, frames, failure);
    if (code == 0)
        code = write_frames(run, pair, output, frames, failure);
    free(frames);
    return code;
}

/* The name of a file; NULL for one that was not written. */
static const char *written_name(const char *file)
{
    return file[0] != '\0' ? file : NULL;
}

bool grid_direction_record(struct record_response *response, const struct grid_run *run, size_t pair,
                           const struct grid_run *shifted)
{
    static const struct grid_direction none;
    const struct room_points *points = &run->setup->points;
    const struct grid_direction *direction = run->direction != NULL ? &run->direction[pair] : &none;
    const struct grid_direction *other =
        shifted != NULL && shifted->direction != NULL ? &shifted->direction[pair] : &none;
    if (written_name(direction->file) == NULL)
        return true;
    response->look_azimuth = direction->azimuth;
    return json_text_set(&response->file_ambix, direction->file) &&
           json_text_set(&response->file_ambix_shifted, written_name(other->file)) &&
           json_text_set(&response->file_binaural, written_name(direction->file_binaural)) &&
           json_text_set(&response->file_binaural_shifted, written_name(other->file_binaural)) &&
           json_text_set(&response->look, direction->towards < points->sources
                                              ? points->point[direction->towards].name
                                              : NULL) &&
           record_fill_lateral(response, &direction->lateral,
                               written_name(other->file) != NULL ? &other->lateral : NULL);
}

/* ---- dummy heads ---- */

double grid_ears_first(const struct grid_run *run, size_t source, size_t receiver)
{
    const struct room_points *points = &run->setup->points;
    const struct grid_pair *pair = &run->pair[source * points->receivers];
    const struct dummy_head *head = room_points_head_of(points, receiver);
    double length = pair[receiver].path.length;
    if (head != NULL) {
        const size_t left = room_points_left_ear(points, head);
        length = fmin(pair[left].path.length, pair[left + 1].path.length);
    }
    return length / run->setup->model.sound_speed;
}

static void ears_file_name(const struct room_points *points, const struct dummy_head *head, size_t source,
                           const char *prefix, char name[GRID_FILE_MAX])
{
    (void)snprintf(name, GRID_FILE_MAX, "%s%s_%s_binaural.wav", prefix, points->point[source].name,
                   head->name);
}

/* Both ears of a head, the right one of which is that of `receiver`. */
static int write_both(struct grid_run *run, size_t source, size_t receiver, size_t count, const char *name,
                      const float *right, double highest, struct output_folder *folder,
                      struct failure *failure)
{
    const size_t pair = source * run->setup->points.receivers + receiver;
    float *frames = malloc((EARS * count + 1) * sizeof *frames);
    if (frames == NULL)
        return failure_memory(failure, EARS * count * sizeof *frames, "two ears");
    for (size_t n = 0; n < count; n++) {
        frames[EARS * n + EAR_LEFT] = run->left_ear[n];
        frames[EARS * n + EAR_RIGHT] = right[n];
    }
    int code = result_put_wav(folder, name, frames, count, EARS, RESPONSE_RATE, failure);
    for (size_t ear = 0; code == 0 && ear < EARS; ear++)
        code = find_interaural(run, pair - 1 + ear, frames, count, grid_ears_first(run, source, receiver),
                               highest, failure);
    free(frames);
    return code;
}

int grid_ears_write(struct grid_run *run, size_t source, size_t receiver, const struct run_output *output,
                    const float *sample, double highest, struct failure *failure)
{
    const struct room_points *points = &run->setup->points;
    const struct dummy_head *head = room_points_head_of(points, receiver);
    const size_t count = run->pair[source * points->receivers + receiver].samples;
    char name[GRID_FILE_MAX];
    if (head == NULL)
        return 0;
    if (receiver == room_points_left_ear(points, head)) {
        free(run->left_ear);
        run->left_ear = malloc((count + 1) * sizeof *run->left_ear);
        if (run->left_ear == NULL)
            return failure_memory(failure, count * sizeof *run->left_ear, "two ears");
        memcpy(run->left_ear, sample, count * sizeof *sample);
        return 0;
    }
    ears_file_name(points, head, source, output->prefix, name);
    return write_both(run, source, receiver, count, name, sample, highest, output->folder, failure);
}

/* True if the response of the right ear was written, which comes after the file of both. */
static bool has_both(const struct grid_run *run, const struct dummy_head *head, size_t source)
{
    const struct room_points *points = &run->setup->points;
    return run->pair[source * points->receivers + room_points_left_ear(points, head) + 1].file[0] != '\0';
}

bool grid_ears_record(struct record_response *response, const struct grid_run *run, size_t pair,
                      const struct grid_run *shifted)
{
    const struct room_points *points = &run->setup->points;
    const size_t source = pair / points->receivers;
    const struct dummy_head *head = room_points_head_of(points, pair % points->receivers);
    char name[GRID_FILE_MAX];
    if (head == NULL || !has_both(run, head, source))
        return true;
    ears_file_name(points, head, source, "ir_", name);
    if (!json_text_set(&response->file_ears, name))
        return false;
    ears_file_name(points, head, source, "shifted_ir_", name);
    return shifted == NULL || !has_both(shifted, head, source) ||
           json_text_set(&response->file_ears_shifted, name);
}
