/* Are the ears of a dummy head that is a sphere right, in time and level? Of runs of `simulate --dummy-head`,
 * against the exact solution for a point source in free field (rigid_sphere.h), up to the time when the first
 * reflection may arrive at an ear.
 *
 *   head_check RUN SOURCE HEAD [UNTIL [FROM]]
 *
 * RUN is a folder with run.json, SOURCE and HEAD are names in it. UNTIL: seconds after the emission that are
 * looked at (by default 0.005); FROM: the lowest frequency in Hz (by default 150). Prints exact differences
 * between the ears and how far the run is off, in thirds of an octave, and the worst of all frequencies, 10
 * Hz apart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/vector.h"
#include "src/base/path_text.h"
#include "src/run_folder/run_read.h"
#include "src/response/signal/wav_file.h"
#include "tests/accuracy/exact/rigid_sphere.h"

#define APART 10.0 /* [Hz] */

static int find(const struct run_model *model, const char *source, const char *name, struct sphere_ears *out,
                const struct record_dummy_head **head)
{
    const struct record_points *points = &model->points;
    const double *from = NULL;
    *head = NULL;
    for (size_t h = 0; h < points->heads.count; h++)
        if (strcmp(points->heads.item[h].name, name) == 0)
            *head = &points->heads.item[h];
    for (size_t s = 0; s < points->sources.count; s++)
        if (strcmp(points->sources.item[s].name, source) == 0)
            from = points->sources.item[s].position;
    if (*head == NULL || from == NULL)
        return -1;
    double to[3];
    vector_subtract(from, (*head)->position, to);
    *out = (struct sphere_ears){.radius = (*head)->radius,
                                .speed = model->room.sound_speed,
                                .fmax = model->room.fmax,
                                .distance = vector_length(to)};
    for (int ear = 0; ear < 2; ear++) {
        const double turn = ((*head)->azimuth + (ear == 0 ? 100.0 : -100.0)) * 3.14159265358979323846 / 180.0;
        out->cosine[ear] = (to[0] * cos(turn) + to[1] * sin(turn)) / out->distance;
    }
    return 0;
}

static void print(const struct ears_heard *heard, size_t count)
{
    struct ears_heard worst = {0};
    double third = 0.0;
    printf("     Hz   level [dB]  off   time [us]  off    an ear off [dB]\n");
    for (size_t k = 0; k < count; k++) {
        const struct ears_heard *at = &heard[k];
        worst.level_off = fmax(worst.level_off, fabs(at->level_off));
        worst.time_off = fmax(worst.time_off, fabs(at->time_off));
        worst.ear_off = fmax(worst.ear_off, at->ear_off);
        if (at->frequency < third * cbrt(2.0))
            continue;
        third = at->frequency;
        printf("%7.0f %9.2f %8.2f %9.1f %7.1f %9.2f\n", at->frequency, at->level, at->level_off,
               1e6 * at->time, 1e6 * at->time_off, at->ear_off);
    }
    printf("worst, every %g Hz: level %.2f dB, time %.1f us, an ear by itself %.2f dB\n", APART,
           worst.level_off, 1e6 * worst.time_off, worst.ear_off);
}

int main(int argc, char **argv)
{
    struct failure failure = {0};
    struct run_model model;
    struct sphere_ears ears;
    const struct record_dummy_head *head;
    char name[300];
    if (argc < 4 || argc > 6) {
        (void)fprintf(stderr, "usage: head_check RUN SOURCE HEAD [UNTIL [FROM]]\n");
        return 2;
    }
    if (run_model_read(argv[1], &model, &failure) != 0) {
        (void)fprintf(stderr, "%s\n", failure.sentence);
        return 2;
    }
    if (find(&model, argv[2], argv[3], &ears, &head) != 0 || head->file != NULL) {
        (void)fprintf(stderr, "there is no source %s, or no dummy head %s that is a sphere\n", argv[2],
                      argv[3]);
        return 2;
    }
    ears.until = argc > 4 ? strtod(argv[4], NULL) : 0.005;
    const double from = argc > 5 ? strtod(argv[5], NULL) : 150.0;
    (void)snprintf(name, sizeof name, "ir_%.80s_%.80s_binaural.wav", argv[2], argv[3]);
    char *path = path_in(argv[1], "%s", name);
    struct wav_sound sound = {0};
    if (path == NULL || wav_sound_read(path, &sound, &failure) != 0) {
        (void)fprintf(stderr, "%s\n", failure.sentence);
        return 2;
    }
    const size_t count = (size_t)((ears.fmax - from) / APART) + 1;
    struct ears_heard *heard = calloc(count, sizeof *heard);
    for (size_t k = 0; heard != NULL && k < count; k++)
        heard[k].frequency = from + APART * (double)k;
    if (heard == NULL || !sphere_ears_compare(&ears, sound.sample, sound.frames, heard, count))
        return 3;
    printf("%s: %.3g m from the centre, the ears %.0f and %.0f degrees from it; spacing %.4g m, to %.0f Hz\n",
           name, ears.distance, 180.0 / 3.14159265 * acos(ears.cosine[0]),
           180.0 / 3.14159265 * acos(ears.cosine[1]), model.room.spacing, ears.fmax);
    print(heard, count);
    free(heard);
    free(path);
    wav_sound_free(&sound);
    run_model_free(&model);
    return 0;
}
