/** The sounds of a play. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/interrupt.h"
#include "src/base/path_text.h"
#include "src/base/table/number_text.h"
#include "src/response/signal/ambisonic_response.h"
#include "src/response/signal/binaural.h"
#include "src/response/signal/integrator.h"
#include "src/run/instruments/play.h"
#include "src/run/plan/estimate.h"
#include "src/run_folder/result_file.h"
#include "src/setup/orientation.h"

/* One receiver while its files are made. */
struct hearing {
    const struct play *play;
    const struct grid_run *run;
    struct output_folder *folder;
    size_t receiver, count; /* of its sounds, in steps */
    double *signal;         /* (count) */
    float *pressure;        /* (frames) */
    float *left;            /* (frames) at the receiver before; NULL: there was none */
    size_t frames;
};

static const double *row_of(const struct hearing *hearing, size_t row)
{
    return engine_row(hearing->play->progress.raw, hearing->play->progress.steps, row);
}

/* Sample n is at time n k: the gain of u from step n to step n + 1 (drum.h). */
static int make_pressure(struct hearing *hearing, struct failure *failure)
{
    TRY(interrupt_check());
    const struct time_step *const step = &hearing->run->grid->step;
    const double *const u = row_of(hearing, row_of_receiver(&hearing->run->rows, hearing->receiver));
    for (size_t n = 0; n < hearing->count; n++)
        hearing->signal[n] = hearing->play->air_density * step->rate * (u[n + 1] - u[n]);
    return response_of_sound(hearing->signal, hearing->count, step->rate, hearing->run->grid->fmax,
                             &hearing->pressure, &hearing->frames, failure);
}

/* rho c grad u at the same times, along the axes: (frames, 3). */
static int make_along(struct hearing *hearing, float *along, struct failure *failure)
{
    const struct time_step *const step = &hearing->run->grid->step;
    for (size_t axis = 0; axis < 3; axis++) {
        const double *const slope =
            row_of(hearing, row_of_gradient(&hearing->run->rows, hearing->receiver, axis));
        float *sound = NULL;
        size_t frames;
        TRY(interrupt_check());
        for (size_t n = 0; n < hearing->count; n++)
            hearing->signal[n] =
                hearing->play->air_density * step->sound_speed * (slope[n] + slope[n + 1]) / 2;
        integrator_over_cosine(hearing->signal, hearing->count);
        TRY(response_of_sound(hearing->signal, hearing->count, step->rate, hearing->run->grid->fmax, &sound,
                              &frames, failure));
        for (size_t n = 0; n < frames; n++)
            along[3 * n + axis] = sound[n];
        free(sound);
    }
    return 0;
}

static int put_sound(const struct hearing *hearing, const char *name, const char *kind, const float *sample,
                     int channels, struct failure *failure)
{
    char file[OPTION_NAME_MAX + 24];
    (void)snprintf(file, sizeof file, PLAY_SOUND_NAME, name, kind);
    return result_put_wav(hearing->folder, file, sample, hearing->frames, channels, RESPONSE_RATE, failure);
}

static int put_ears(const struct hearing *hearing, const float *frames, struct failure *failure)
{
    const struct listening_request *const asked = &hearing->run->setup->request.listening;
    const struct head_orientation orientation = {asked->yaw, asked->pitch, asked->roll};
    float *ears = NULL;
    TRY(interrupt_check());
    TRY(binaural_make(frames, hearing->frames, hearing->run->ears, &orientation, &ears, failure));
    const int code =
        put_sound(hearing, hearing->play->sound[hearing->receiver].name, "_binaural", ears, EARS, failure);
    free(ears);
    return code;
}

static int put_directions(struct hearing *hearing, struct failure *failure)
{
    float *const along = malloc((3 * hearing->frames + 1) * sizeof *along),
                 *const frames = malloc((AMBISONIC_CHANNELS * hearing->frames + 1) * sizeof *frames);
    int code = along == NULL || frames == NULL
                   ? failure_memory(failure, (3 + AMBISONIC_CHANNELS) * hearing->frames * sizeof *along,
                                    "a directional sound")
                   : make_along(hearing, along, failure);
    if (code == 0) {
        ambisonic_turn(hearing->pressure, along, hearing->frames,
                       hearing->play->sound[hearing->receiver].azimuth, frames);
        code = put_sound(hearing, hearing->play->sound[hearing->receiver].name, "_ambix", frames,
                         AMBISONIC_CHANNELS, failure);
    }
    if (code == 0 && hearing->play->at_ears)
        code = put_ears(hearing, frames, failure);
    free(along);
    free(frames);
    return code;
}

/* Both ears of a dummy head. */
static int put_head(const struct hearing *hearing, const char *head, struct failure *failure)
{
    float *const frames = malloc((EARS * hearing->frames + 1) * sizeof *frames);
    if (frames == NULL)
        return failure_memory(failure, EARS * hearing->frames * sizeof *frames, "two ears");
    for (size_t n = 0; n < hearing->frames; n++) {
        frames[EARS * n + EAR_LEFT] = hearing->left[n];
        frames[EARS * n + EAR_RIGHT] = hearing->pressure[n];
    }
    const int code = put_sound(hearing, head, "_binaural", frames, EARS, failure);
    free(frames);
    return code;
}

static int hear(struct hearing *hearing, struct play_sound *sound, struct failure *failure)
{
    double square = 0;
    TRY(make_pressure(hearing, failure));
    for (size_t n = 0; n < hearing->frames; n++) {
        sound->peak = fmax(sound->peak, fabs((double)hearing->pressure[n]));
        square += (double)hearing->pressure[n] * (double)hearing->pressure[n];
    }
    sound->frames = hearing->frames;
    sound->level = 10 * log10(fmax(square / (double)hearing->frames, 1e-30) / (20e-6 * 20e-6));
    TRY(put_sound(hearing, sound->name, "", hearing->pressure, 1, failure));
    if (sound->head != NULL)
        TRY(put_head(hearing, sound->head, failure));
    return hearing->play->directional ? put_directions(hearing, failure) : 0;
}

/* What a run that is resumed goes on from: the end of the steps. */
static int keep_last(const struct play *play, const struct grid_run *run, struct source_keep *keep,
                     struct failure *failure)
{
    struct source_keeper *const keeper = &keep->keeper;
    TRY(keeper->save_last(keeper, &play->progress, run->engine, failure));
    keeper->settle(keeper);
    return FAILURE_INTERRUPTED;
}

int play_write(struct play *play, const struct grid_run *run, struct source_keep *keep,
               struct output_folder *folder, struct failure *failure)
{
    const struct room_points *const points = &run->setup->points;
    const size_t count = play->progress.steps - 1;
    double *const signal = calloc(count + 1, sizeof *signal);
    play->sound = calloc(points->receivers + 1, sizeof *play->sound);
    int code = signal == NULL || play->sound == NULL
                   ? failure_memory(failure, count * sizeof *signal, "what is heard")
                   : 0;
    play->directional = run->rows.directional > 0;
    play->at_ears = run->ears != NULL;
    float *left = NULL;
    for (size_t r = 0; code == 0 && r < points->receivers; r++) {
        const struct dummy_head *const head = room_points_head_of(points, r);
        struct hearing hearing = {.play = play,
                                  .run = run,
                                  .folder = folder,
                                  .receiver = r,
                                  .count = count,
                                  .signal = signal,
                                  .left = left};
        play->sound[r].name = points->point[points->sources + r].name;
        if (head != NULL && r != room_points_left_ear(points, head))
            play->sound[r].head = head->name;
        if (play->directional)
            play->sound[r].azimuth = orientation_azimuth(&run->look[r], points, 0, r);
        code = hear(&hearing, &play->sound[r], failure);
        play->sounds = r + 1;
        free(left);
        left = hearing.pressure;
    }
    free(left);
    free(signal);
    return code == FAILURE_INTERRUPTED && keep != NULL ? keep_last(play, run, keep, failure) : code;
}

void play_print(const struct play *play, const char *folder)
{
    char time[32];
    for (size_t r = 0; r < play->sounds; r++)
        printf("%s/" PLAY_SOUND_NAME ": %.1f s, peak %.3g Pa, %.1f dB re 20 uPa\n", PATH_SHOWN(folder),
               play->sound[r].name, "", (double)play->sound[r].frames / RESPONSE_RATE, play->sound[r].peak,
               play->sound[r].level);
    for (size_t d = 0; d < play->score.drums; d++) {
        const double tension = play->score.drum[d].tension, rise = drums_facts(play->drums, d).rise;
        if (rise > 0)
            printf("drum %s: strokes raise its tension by up to %.1f %%, its pitch by %.0f cents\n",
                   play->score.drum[d].name, 100 * rise / tension, 600 * log2(1 + rise / tension));
    }
    printf("%zu stroke%s gave %.3g J; computed in %s\n", play->score.strikes,
           play->score.strikes == 1 ? "" : "s", play->work, format_seconds(play->progress.seconds, time));
}
