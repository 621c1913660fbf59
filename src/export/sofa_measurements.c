#include "src/export/sofa_measurements.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/signal/ambisonic_response.h"
#include "src/signal/response.h"
#include "src/signal/wav_file.h"

#define PI 3.14159265358979323846

void sofa_measurements_free(struct sofa_measurements *all)
{
    free(all->response);
    free(all->source);
    free(all->listener);
    *all = (struct sofa_measurements){0};
}

/* ---- which is which ---- */

static const struct record_point *find_point(const struct record_point *point, size_t count, const char *name)
{
    for (size_t p = 0; p < count; p++)
        if (name != NULL && point[p].name != NULL && strcmp(point[p].name, name) == 0)
            return isfinite(point[p].position[0] + point[p].position[1] + point[p].position[2]) ? &point[p]
                                                                                                : NULL;
    return NULL;
}

/* The points of a response, or the sentence that it has none. */
static int place(const struct run_folder *folder, const struct record_response *response,
                 const struct record_point **source, const struct record_point **listener,
                 struct failure *failure)
{
    const struct record_points *points = &folder->model.points;
    *source = find_point(points->sources.item, points->sources.count, response->source);
    *listener = find_point(points->receivers.item, points->receivers.count, response->receiver);
    return *source != NULL && *listener != NULL
               ? 0
               : failure_set(failure, FAILURE_INPUT,
                             "%s: run.json has no position of the %s of %s, without which SOFA has no place "
                             "for it: simulate once more",
                             folder->path, *source == NULL ? "source" : "receiver", response->file);
}

static int take_room(struct sofa_measurements *all, size_t measurements, size_t emitters,
                     struct failure *failure)
{
    const size_t sources = emitters > measurements ? emitters : measurements;
    all->response = calloc(measurements * emitters, sizeof *all->response);
    all->source = calloc(sources, sizeof *all->source);
    all->listener = calloc(measurements, sizeof *all->listener);
    return all->response != NULL && all->source != NULL && all->listener != NULL
               ? 0
               : failure_memory(failure, (measurements * emitters + sources) * 2 * sizeof(void *),
                                "the list of responses");
}

static int list_single(struct sofa_measurements *all, struct failure *failure)
{
    const struct run_model *run = &all->folder->model;
    all->measurements = run->responses.count;
    all->emitters = 1;
    TRY(take_room(all, all->measurements, 1, failure));
    for (size_t m = 0; m < all->measurements; m++) {
        all->response[m] = &run->responses.item[m];
        TRY(place(all->folder, all->response[m], &all->source[m], &all->listener[m], failure));
    }
    return 0;
}

/* Place of `point` in a list, at its end where it is not there yet. */
static size_t place_in(const struct record_point **list, size_t *count, const struct record_point *point)
{
    size_t at = 0;
    while (at < *count && list[at] != point)
        at++;
    if (at == *count)
        list[(*count)++] = point;
    return at;
}

static int list_all_pairs(struct sofa_measurements *all, struct failure *failure)
{
    const struct run_model *run = &all->folder->model;
    const size_t most = run->responses.count;
    TRY(take_room(all, most, most, failure));
    for (size_t r = 0; r < most; r++) {
        const struct record_point *source, *listener;
        TRY(place(all->folder, &run->responses.item[r], &source, &listener, failure));
        (void)place_in(all->source, &all->emitters, source);
        (void)place_in(all->listener, &all->measurements, listener);
    }
    for (size_t r = 0; r < most; r++) {
        const struct record_point *source, *listener;
        TRY(place(all->folder, &run->responses.item[r], &source, &listener, failure));
        const size_t e = place_in(all->source, &all->emitters, source),
                     m = place_in(all->listener, &all->measurements, listener);
        all->response[m * all->emitters + e] = &run->responses.item[r];
    }
    for (size_t m = 0; m < all->measurements; m++)
        for (size_t e = 0; e < all->emitters; e++)
            if (all->response[m * all->emitters + e] == NULL)
                return failure_set(failure, FAILURE_INPUT,
                                   "%s has no response from %s to %s: SingleRoomMIMOSRIR needs one of every "
                                   "source at every receiver, which SingleRoomSRIR does not",
                                   all->folder->path, all->source[e]->name, all->listener[m]->name);
    return 0;
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
    if (code == 0)
        code =
            convention == SOFA_SINGLE_ROOM_SRIR ? list_single(&all, failure) : list_all_pairs(&all, failure);
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
