#include "src/run/grid_direction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/record/figure_record.h"
#include "src/signal/ambisonic_response.h"
#include "src/signal/binaural.h"
#include "src/signal/response.h"
#include "src/signal/wav_file.h"

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
        TRY(stencil_make_gradient(&run->grid->packed, setup->points.point[i].position,
                                  run->grid->findings.seed_node[i], setup->request.engine.interpolation,
                                  (int)(g % 3), &run->gradient[g], failure));
    }
    return orientation_read(&setup->request.listening.look, &setup->points, run->look, failure);
}

static int put(const float *frames, size_t count, int channels, const char *name,
               struct output_folder *folder, struct failure *failure)
{
    struct whole_file file = {0};
    char *path = output_folder_file(folder, name);
    int code = path == NULL ? failure_memory(failure, 0, "a path") : 0;
    if (code == 0)
        code = wav_stage(path, frames, count, channels, RESPONSE_RATE, WAV_FLOAT32, &file, failure);
    if (code == 0)
        code = output_folder_put(folder, name, &file, failure);
    free(path);
    return code;
}

static int write_ears(const struct grid_run *run, const float *frames, size_t count, const char *name,
                      struct output_folder *folder, struct failure *failure)
{
    const struct listening_request *asked = &run->setup->request.listening;
    const struct head_orientation orientation = {asked->yaw, asked->pitch, asked->roll};
    float *ears = NULL;
    TRY(binaural_make(frames, count, run->ears, &orientation, &ears, failure));
    const int code = put(ears, count, EARS, name, folder, failure);
    free(ears);
    return code;
}

int grid_direction_write(struct grid_run *run, size_t source, size_t receiver, const char *prefix,
                         struct output_folder *folder, const float *sample, size_t count,
                         const double *output, uint64_t steps, const struct acoustic_figures *pressure,
                         struct failure *failure)
{
    const struct room_setup *setup = run->setup;
    const size_t p = source * setup->points.receivers + receiver;
    const struct room_point *said = &setup->points.point[source],
                            *heard = &setup->points.point[setup->points.sources + receiver];
    struct grid_direction *direction = &run->direction[p];
    const double first = run->pair[p].path.length / setup->model.sound_speed;
    const struct response_chain chain = {.rate = run->grid->step.rate,
                                         .fmax = run->grid->fmax,
                                         .sound_speed = setup->model.sound_speed,
                                         .method = setup->request.model.air_method,
                                         .air = &setup->model.air};
    const double *gradient[3];
    for (size_t axis = 0; axis < 3; axis++)
        gradient[axis] = engine_row(output, steps, row_of_gradient(&run->rows, receiver, axis));
    float *frames = NULL;
    direction->look = orientation_azimuth(&run->look[receiver], &setup->points, source, receiver);
    direction->look_source = orientation_source(&run->look[receiver], &setup->points, source);
    TRY(ambisonic_response_make(sample, count, gradient, (size_t)steps, &chain, first, direction->look,
                                &frames, failure));
    const double onset = fmax(first, 1.0 / RESPONSE_RATE);
    const double towards = azimuth_to(heard->position, said->position) - direction->look;
    int code = lateral_figures_make(frames, count, RESPONSE_RATE, run->grid->fmax, onset, towards,
                                    FIGURES_REFERENCE, pressure, &direction->lateral, failure);
    char name[sizeof direction->file];
    snprintf(name, sizeof name, "%s%s_%s_ambix.wav", prefix, said->name, heard->name);
    if (code == 0)
        code = put(frames, count, AMBISONIC_CHANNELS, name, folder, failure);
    if (code == 0)
        memcpy(direction->file, name, sizeof name);
    if (code == 0 && run->ears != NULL) {
        snprintf(name, sizeof name, "%s%s_%s_binaural.wav", prefix, said->name, heard->name);
        code = write_ears(run, frames, count, name, folder, failure);
        if (code == 0)
            memcpy(direction->file_binaural, name, sizeof name);
    }
    free(frames);
    return code;
}

bool grid_direction_record(struct record_response *response, const struct grid_run *run, size_t pair,
                           const struct grid_run *shifted)
{
    const struct room_setup *setup = run->setup;
    if (run->direction == NULL || run->direction[pair].file[0] == '\0')
        return true;
    const struct grid_direction *direction = &run->direction[pair];
    const struct grid_direction *other =
        shifted != NULL && shifted->direction != NULL && shifted->direction[pair].file[0] != '\0'
            ? &shifted->direction[pair]
            : NULL;
    response->look_azimuth = direction->look;
    return json_text_set(&response->file_ambix, direction->file) &&
           (other == NULL || json_text_set(&response->file_ambix_shifted, other->file)) &&
           (direction->file_binaural[0] == '\0' ||
            json_text_set(&response->file_binaural, direction->file_binaural)) &&
           (other == NULL || other->file_binaural[0] == '\0' ||
            json_text_set(&response->file_binaural_shifted, other->file_binaural)) &&
           json_text_set(&response->look, direction->look_source < setup->points.sources
                                              ? setup->points.point[direction->look_source].name
                                              : NULL) &&
           record_fill_lateral(response, &direction->lateral, other != NULL ? &other->lateral : NULL);
}
