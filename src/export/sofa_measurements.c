#include "src/export/sofa_measurements.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/name_index.h"
#include "src/response/signal/ambisonic_response.h"
#include "src/response/signal/response.h"
#include "src/response/signal/wav_file.h"

#define PI 3.14159265358979323846

void sofa_measurements_free(struct sofa_measurements *all)
{
    free(all->response);
    free(all->source);
    free(all->listener);
    *all = (struct sofa_measurements){0};
}

/* ---- which is which ---- */

/* The points of a run by their names. */
struct points {
    const struct run_folder *folder;
    struct name_index sources, receivers;
};

static void points_free(struct points *points)
{
    name_index_free(&points->sources);
    name_index_free(&points->receivers);
}

static int index_points(const struct record_point *point, size_t count, struct name_index *out,
                        struct failure *failure)
{
    for (size_t p = 0; p < count; p++)
        TRY(name_index_add(out, point[p].name, p, failure));
    name_index_sort(out);
    return 0;
}

static int points_make(const struct run_folder *folder, struct points *out, struct failure *failure)
{
    const struct record_points *points = &folder->model.points;
    *out = (struct points){.folder = folder};
    TRY(index_points(points->sources.item, points->sources.count, &out->sources, failure));
    return index_points(points->receivers.item, points->receivers.count, &out->receivers, failure);
}

/* Its number among `point`; NAME_INDEX_NONE where it is not there or has no position. */
static size_t find_point(const struct name_index *index, const struct record_point *point, const char *name)
{
    const size_t p = name_index_find(index, name);
    return p != NAME_INDEX_NONE &&
                   isfinite(point[p].position[0] + point[p].position[1] + point[p].position[2])
               ? p
               : NAME_INDEX_NONE;
}

/* The points of a response, by number, or the sentence that it has none. */
static int find_points(const struct points *points, const struct record_response *response, size_t *source,
                       size_t *listener, struct failure *failure)
{
    const struct record_points *of = &points->folder->model.points;
    *source = find_point(&points->sources, of->sources.item, response->source);
    *listener = find_point(&points->receivers, of->receivers.item, response->receiver);
    return *source != NAME_INDEX_NONE && *listener != NAME_INDEX_NONE
               ? 0
               : failure_set(failure, FAILURE_INPUT,
                             "%s: run.json has no position of the %s of %s, which SOFA needs: simulate once "
                             "more",
                             points->folder->path, *source == NAME_INDEX_NONE ? "source" : "receiver",
                             response->file);
}

/* Room for so many of each. */
static int take_room(struct sofa_measurements *all, size_t most, struct failure *failure)
{
    all->response = calloc(most, sizeof *all->response);
    all->source = calloc(most, sizeof *all->source);
    all->listener = calloc(most, sizeof *all->listener);
    return all->response != NULL && all->source != NULL && all->listener != NULL
               ? 0
               : failure_memory(failure, most * 3 * sizeof(void *), "the list of responses");
}

static int list_single(struct sofa_measurements *all, const struct points *points, struct failure *failure)
{
    const struct run_model *run = &all->folder->model;
    all->measurements = run->responses.count;
    all->emitters = 1;
    TRY(take_room(all, all->measurements, failure));
    for (size_t m = 0; m < all->measurements; m++) {
        size_t source, listener;
        all->response[m] = &run->responses.item[m];
        TRY(find_points(points, all->response[m], &source, &listener, failure));
        all->source[m] = &run->points.sources.item[source];
        all->listener[m] = &run->points.receivers.item[listener];
    }
    return 0;
}

static int refuse_hole(const struct sofa_measurements *all, size_t measurement, size_t emitter,
                       struct failure *failure)
{
    return failure_set(failure, FAILURE_INPUT,
                       "%s has no response from %s to %s: SingleRoomMIMOSRIR needs one of every source at "
                       "every receiver, which SingleRoomSRIR does not",
                       all->folder->path, all->source[emitter]->name, all->listener[measurement]->name);
}

/* Numbers from 1, in the order in which responses name points first: `emitter` and `measurement` are zeros,
 * one for each source and receiver of the run. */
static int list_pairs(struct sofa_measurements *all, const struct points *points, size_t *emitter,
                      size_t *measurement, struct failure *failure)
{
    const struct run_model *run = &all->folder->model;
    const size_t most = run->responses.count;
    size_t source, listener;
    for (size_t r = 0; r < most; r++) {
        TRY(find_points(points, &run->responses.item[r], &source, &listener, failure));
        emitter[source] = emitter[source] == 0 ? ++all->emitters : emitter[source];
        measurement[listener] = measurement[listener] == 0 ? ++all->measurements : measurement[listener];
    }
    TRY(take_room(all, most + all->emitters, failure));
    /* With more pairs than responses, the first rows are enough: at least one pair in them has no
     * response. */
    const size_t rows =
        most / all->emitters + 1 < all->measurements ? most / all->emitters + 1 : all->measurements;
    for (size_t r = 0; r < most; r++) {
        TRY(find_points(points, &run->responses.item[r], &source, &listener, failure));
        const size_t e = emitter[source] - 1, m = measurement[listener] - 1;
        all->source[e] = &run->points.sources.item[source];
        all->listener[m] = &run->points.receivers.item[listener];
        if (m < rows)
            all->response[m * all->emitters + e] = &run->responses.item[r];
    }
    for (size_t i = 0; i < rows * all->emitters; i++)
        if (all->response[i] == NULL)
            return refuse_hole(all, i / all->emitters, i % all->emitters, failure);
    return 0;
}

static int list_all_pairs(struct sofa_measurements *all, const struct points *points, struct failure *failure)
{
    const struct record_points *of = &all->folder->model.points;
    const size_t count = of->sources.count + of->receivers.count;
    size_t *const number = calloc(count + 1, sizeof *number);
    const int code = number == NULL ? failure_memory(failure, count * sizeof *number, "the list of responses")
                                    : list_pairs(all, points, number, number + of->sources.count, failure);
    free(number);
    return code;
}

static const char *name_or(const char *name)
{
    return name != NULL ? name : "?";
}

int sofa_measurements_make(const struct run_folder *folder, enum sofa_convention convention,
                           struct sofa_measurements *out, struct failure *failure)
{
    const struct run_model *run = &folder->model;
    struct sofa_measurements all = {
        .folder = folder, .convention = convention, .receivers = AMBISONIC_CHANNELS, .rate = RESPONSE_RATE};
    if (run->responses.count == 0)
        return failure_set(failure, FAILURE_INPUT,
                           run->grids.count > 0 ? "%s has responses of receiver grids alone: name the file "
                                                  ".h5 to export these, or simulate with a receiver"
                                                : "%s: run.json names no response: simulate with a receiver",
                           folder->path);
    for (size_t r = 0; r < run->responses.count; r++) {
        const struct record_response *response = &run->responses.item[r];
        if (response->file_ambix == NULL)
            all.receivers = 1;
        if (response->samples > (double)all.samples)
            all.samples = (size_t)response->samples;
    }
    int code = all.samples > 0 && all.samples <= (size_t)(WAV_RESPONSE_SECONDS * RESPONSE_RATE)
                   ? 0
                   : failure_set(failure, FAILURE_INPUT,
                                 "%s: run.json has responses of %zu samples, and those of a run have from 1 "
                                 "to %.0f s: simulate once more",
                                 folder->path, all.samples, WAV_RESPONSE_SECONDS);
    for (size_t r = 0; code == 0 && all.receivers == 1 && r < run->responses.count; r++)
        if (run->responses.item[r].file == NULL)
            code = failure_set(failure, FAILURE_INPUT,
                               "%s: run.json names no file of the response from %s to %s: simulate once more",
                               folder->path, name_or(run->responses.item[r].source),
                               name_or(run->responses.item[r].receiver));
    struct points points = {0};
    if (code == 0)
        code = points_make(folder, &points, failure);
    if (code == 0)
        code = convention == SOFA_SINGLE_ROOM_SRIR ? list_single(&all, &points, failure)
                                                   : list_all_pairs(&all, &points, failure);
    points_free(&points);
    if (code != 0) {
        sofa_measurements_free(&all);
        return code;
    }
    *out = all;
    return 0;
}

/* ---- samples ---- */

static double azimuth_of(const struct record_response *response)
{
    return isfinite(response->look_azimuth) ? response->look_azimuth : 0.0;
}

double sofa_listener_azimuth(const struct sofa_measurements *all, size_t measurement)
{
    return all->convention == SOFA_SINGLE_ROOM_SRIR && all->receivers > 1
               ? azimuth_of(all->response[measurement])
               : 0.0;
}

/* W, Y, Z, X of a front at `turn` from the one that is wanted. */
static void lay_ambisonic(const struct sofa_measurements *all, const struct wav_sound *sound, double turn,
                          double *sample)
{
    const double pressure = sqrt(1.0 / (4.0 * PI)), gradient = sqrt(3.0 / (4.0 * PI));
    const double cosine = turn == 0.0 ? 1.0 : cos(turn), sine = turn == 0.0 ? 0.0 : sin(turn);
    const size_t n = all->samples;
    for (size_t i = 0; i < sound->frames; i++) {
        const float *at = sound->sample + i * AMBISONIC_CHANNELS;
        sample[i] = pressure * at[0];
        sample[n + i] = gradient * (sine * at[3] + cosine * at[1]);
        sample[2 * n + i] = gradient * at[2];
        sample[3 * n + i] = gradient * (cosine * at[3] - sine * at[1]);
    }
}

int sofa_measurement_read(const struct sofa_measurements *all, size_t measurement, size_t emitter,
                          double *sample, struct failure *failure)
{
    const struct record_response *response = all->response[measurement * all->emitters + emitter];
    const char *file = all->receivers > 1 ? response->file_ambix : response->file;
    struct wav_sound sound = {0};
    char *path = run_folder_file(all->folder, file);
    if (path == NULL)
        return failure_memory(failure, strlen(all->folder->path), "a path");
    int code = wav_response_read(path, "simulate once more", &sound, failure);
    if (code == 0 && (sound.rate != RESPONSE_RATE || (size_t)sound.channels != all->receivers ||
                      (double)sound.frames != response->samples))
        code =
            failure_set(failure, FAILURE_INPUT,
                        "%s: has %zu samples of %d channel%s at %d Hz, and run.json says %.0f of %zu at %d "
                        "Hz: simulate once more",
                        path, sound.frames, sound.channels, sound.channels == 1 ? "" : "s", sound.rate,
                        response->samples, all->receivers, RESPONSE_RATE);
    if (code == 0) {
        memset(sample, 0, all->receivers * all->samples * sizeof *sample);
        if (all->receivers > 1)
            lay_ambisonic(all, &sound,
                          (azimuth_of(response) - sofa_listener_azimuth(all, measurement)) * PI / 180.0,
                          sample);
        else
            for (size_t i = 0; i < sound.frames; i++)
                sample[i] = sound.sample[i];
    }
    wav_sound_free(&sound);
    free(path);
    return code;
}
