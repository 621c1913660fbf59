#include "src/run/receiver_map.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/response/acoustics/kept_response.h"
#include "src/base/interrupt.h"
#include "src/base/progress_json.h"
#include "src/base/progress_line.h"
#include "src/run_folder/result_file.h"
#include "src/setup/engine_rows.h"
#include "src/run/whole_band.h"

int receiver_map_start(size_t points, struct receiver_map *out, struct failure *failure)
{
    struct receiver_map map = {.points = points};
    map.path = calloc(points + 1, sizeof *map.path);
    map.distance = calloc(points + 1, sizeof *map.distance);
    if (map.path == NULL || map.distance == NULL) {
        receiver_map_free(&map);
        return failure_memory(failure, points * sizeof *map.path, "a receiver grid");
    }
    *out = map;
    return 0;
}

void receiver_map_free(struct receiver_map *map)
{
    free(map->path);
    free(map->distance);
    free(map->figures);
    free(map->third);
    *map = (struct receiver_map){0};
}

size_t receiver_map_third(const struct receiver_map *map, size_t third)
{
    return map->figures[0].bands + 1 + third;
}

double receiver_map_value(const struct receiver_map *map, size_t point, enum figure figure, size_t band)
{
    const struct acoustic_figures *figures = &map->figures[point];
    if (band > figures->bands)
        return map->third[point][figure][band - receiver_map_third(map, 0)];
    return band < figures->bands ? acoustic_figure_of(&figures->octave[band], figure)
                                 : acoustic_figure_single(figures, figure);
}

double receiver_map_spread(const struct receiver_map *map, const struct receiver_map *other, size_t point,
                           enum figure figure, size_t band)
{
    const size_t bands = map->figures[point].bands, others = other->figures[point].bands;
    if (band < bands && band >= others)
        return NAN;
    return fabs(receiver_map_value(other, point, figure, band < bands ? band : band - bands + others) -
                receiver_map_value(map, point, figure, band));
}

/* Shared by the threads. */
struct work {
    const struct room_setup *setup;
    const struct whole_band *whole; /* or NULL */
    size_t source, row;             /* row of the first point, and its number among the places of rays */
    struct response_chain chain;
    const double *raw;
    size_t steps, samples, points;
    size_t every, kept; /* of the samples every so-manieth is kept, so many (kept_response.h) */
    const struct receiver_map *map;
    float *sample; /* (kept, points) */
    struct acoustic_figures *figures;
    double (*third)[PRESSURE_FIGURES][BANDS_MAX]; /* NULL: no thirds */
};

static double onset_of(const struct work *work, size_t point)
{
    return work->map->path[point].length / work->setup->model.sound_speed;
}

/* Channel `c` of `together` becomes whole. `alone` (samples) is scratch. */
static int join_rays(const struct work *work, size_t point, float *together, size_t channels, size_t c,
                     float *alone, struct failure *failure)
{
    float *wave = malloc((work->samples + 1) * sizeof *wave);
    if (wave == NULL)
        return failure_memory(failure, work->samples * sizeof *wave, "a response");
    for (size_t n = 0; n < work->samples; n++)
        wave[n] = together[n * channels + c];
    const int code = whole_band_response(work->whole, work->source, work->row + point, 1, 0, wave,
                                         work->samples, alone, failure);
    for (size_t n = 0; code == 0 && n < work->samples; n++)
        together[n * channels + c] = alone[n];
    free(wave);
    return code;
}

/* The figures of a channel of `together`. `alone` (samples) is scratch. */
static int measure_point(const struct work *work, size_t point, const float *together, size_t channels,
                         double onset, float *alone, struct failure *failure)
{
    struct third_figures *thirds = work->third != NULL ? malloc(sizeof *thirds) : NULL;
    if (work->third != NULL && thirds == NULL)
        return failure_memory(failure, sizeof *thirds, "the figures of thirds");
    const int code =
        kept_figures(together, kept_restored(work->kept, work->every), channels, work->setup->grid.fmax,
                     onset, alone, &work->figures[point], thirds, failure);
    for (int f = 0; code == 0 && thirds != NULL && f < PRESSURE_FIGURES; f++)
        for (size_t t = 0; t < thirds->bands; t++)
            work->third[point][f][t] = acoustic_figure_of(&thirds->third[t], (enum figure)f);
    free(thirds);
    return code;
}

/* Up to RESPONSE_GROUP points from `first` on. */
static int make_group(const struct work *work, size_t first, struct failure *failure)
{
    const size_t left = work->points - first, channels = left < RESPONSE_GROUP ? left : RESPONSE_GROUP;
    const double *raw[RESPONSE_GROUP];
    double onset[RESPONSE_GROUP];
    float *together = malloc((work->samples * channels + 1) * sizeof *together);
    float *alone = malloc((work->samples + 1) * sizeof *alone);
    int code = together == NULL || alone == NULL
                   ? failure_memory(failure, work->samples * (channels + 1) * sizeof *together, "responses")
                   : 0;
    for (size_t c = 0; c < channels; c++) {
        raw[c] = work->raw + (first + c) * work->steps;
        onset[c] = onset_of(work, first + c);
    }
    if (code == 0)
        code = response_make_group(&work->chain, raw, channels, work->steps, onset, together, failure);
    for (size_t c = 0; code == 0 && c < channels; c++) {
        code = response_check_time(&work->chain);
        if (code == 0)
            code = measure_point(work, first + c, together + c, channels, onset[c], alone, failure);
        if (code == 0 && work->whole != NULL)
            code = join_rays(work, first + c, together, channels, c, alone, failure);
    }
    for (size_t n = 0; code == 0 && n < work->kept; n++)
        for (size_t c = 0; c < channels; c++)
            work->sample[n * work->points + first + c] =
                (float)work->every * together[n * work->every * channels + c];
    free(alone);
    free(together);
    return code;
}

static int make_all(const struct work *work, struct failure *failure)
{
    const int asked = (int)work->setup->request.engine.threads,
              threads = asked > 0 ? asked : omp_get_max_threads();
    int code = 0;
    size_t done = 0;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t first = 0; first < work->points; first += RESPONSE_GROUP) {
        struct failure own = {0};
        int so_far;
#pragma omp atomic read
        so_far = code;
        const int own_code = so_far == 0 ? make_group(work, first, &own) : 0;
        size_t so_many;
#pragma omp atomic capture
        so_many = done += RESPONSE_GROUP;
        progress_json_show((double)so_many / (double)work->points);
        if (own_code != 0) {
#pragma omp critical
            if (code == 0) {
                code = own_code;
                failure_forward(failure, &own);
            }
        }
    }
    return code;
}

int receiver_map_write(const struct room_setup *setup, size_t source, size_t grid,
                       const struct run_output *output, size_t row, struct receiver_map *map,
                       struct failure *failure)
{
    const double begin = progress_clock();
    const size_t steps = (size_t)output->steps, samples = response_samples(&output->chain, steps);
    const size_t every = kept_every(output->whole != NULL ? WHOLE_BAND_HIGHEST : output->chain.fmax),
                 kept = kept_samples(samples, every);
    char name[sizeof map->file];
    snprintf(name, sizeof name, "%s%s_%s.wav", output->prefix, setup->points.point[source].name,
             setup->grid.receiver_grid[grid].name);
    struct work work = {.setup = setup,
                        .whole = output->whole,
                        .source = source,
                        .row = row,
                        .chain = output->chain,
                        .raw = engine_row(output->raw, steps, row),
                        .steps = steps,
                        .samples = samples,
                        .points = map->points,
                        .every = every,
                        .kept = kept,
                        .map = map,
                        .sample = malloc((kept * map->points + 1) * sizeof *work.sample),
                        .figures = calloc(map->points + 1, sizeof *work.figures)};
    const bool thirds = setup->request.plan.bands == BANDS_THIRD;
    if (thirds)
        work.third = calloc(map->points + 1, sizeof *work.third);
    work.chain.check = interrupt_check;
    progress_json_begin("points", setup->points.point[source].name);
    int code = work.sample == NULL || work.figures == NULL || (thirds && work.third == NULL)
                   ? failure_memory(failure, kept * map->points * sizeof *work.sample,
                                    "the responses of a receiver grid")
                   : make_all(&work, failure);
    if (code == 0)
        code = interrupt_check();
    if (code == 0)
        code = result_put_wav(output->folder, name, work.sample, kept, (int)map->points,
                              RESPONSE_RATE / (int)every, failure);
    free(work.sample);
    if (code != 0) {
        free(work.figures);
        free(work.third);
        return code;
    }
    memcpy(map->file, name, sizeof name);
    map->samples = kept;
    map->rate = RESPONSE_RATE / (double)every;
    map->figures = work.figures;
    map->third = work.third;
    if (thirds)
        bands_make(BANDS_THIRD, setup->grid.fmax, &map->thirds);
    map->seconds = progress_clock() - begin;
    return 0;
}
