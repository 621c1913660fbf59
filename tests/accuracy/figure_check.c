/* Do the figures of single points depend on half a millisecond? Those of every point of the receiver grids of
 * runs, with the onset as the run has it and 0.5 ms earlier and later.
 *
 *   figure_check RUN..      folders of `transept simulate .. --receiver-grid ..`
 *
 * A line for every octave and figure of a run: at how many points it is there with all three onsets, with
 * some and with none; how far it moves in just noticeable differences from one onset to the next, at 99 of
 * 100 points and at most, and where. Then why figures were absent, and how often. Figures are made anew from
 * the responses in the folder, as maps make theirs. Status: 0 no figure moves by a difference or more and
 * what is absent has its reason, 1 otherwise, else that of the failure. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/base/regular_file.h"
#include "src/response/acoustics/kept_response.h"
#include "src/base/options/failure_text.h"
#include "src/run_folder/run_folder.h"
#include "src/response/signal/wav_file.h"

enum { EARLIER, AS_IT_IS, LATER, ONSETS };
static const double shift[ONSETS] = {-0.0005, 0, 0.0005}; /* [s] */

enum { REASONS_MAX = 100, REASON_MAX = 300 };

struct check {
    double highest;
    size_t points;
    double *onset; /* (points) [s] */
    struct wav_sound sound;
    struct acoustic_figures (*figures)[ONSETS]; /* (points) */
    struct {
        char text[REASON_MAX];
        size_t count;
    } reason[REASONS_MAX];
};

static void check_free(struct check *check)
{
    free(check->onset);
    free(check->figures);
    wav_sound_free(&check->sound);
}

/* The last column of a map's table. */
static int read_onsets(const char *path, struct check *check, struct failure *failure)
{
    char *text = NULL;
    size_t length = 0;
    TRY(regular_file_read(path, (uint64_t)1 << 26, &text, &length, failure));
    char *line = strchr(text, '\n');
    for (size_t p = 0; p < check->points && line != NULL; p++) {
        char *end = strchr(line + 1, '\n');
        if (end != NULL)
            *end = '\0';
        const char *last = strrchr(line + 1, ',');
        check->onset[p] = last != NULL ? strtod(last + 1, NULL) : NAN;
        line = end;
    }
    free(text);
    return 0;
}

static int make_figures(struct check *check, size_t p, struct failure *failure)
{
    const struct wav_sound *sound = &check->sound;
    const size_t every = RESPONSE_RATE / (size_t)sound->rate, count = kept_restored(sound->frames, every);
    float *alone = malloc((2 * count + 1) * sizeof *alone);
    if (alone == NULL)
        return failure_memory(failure, count * sizeof *alone, "a response");
    int code = kept_restore(sound->sample + p, sound->frames, (size_t)sound->channels, every, alone, failure);
    for (int o = 0; o < ONSETS && code == 0; o++)
        code = kept_figures(alone, count, 1, check->highest, fmax(0, check->onset[p] + shift[o]),
                            alone + count, &check->figures[p][o], failure);
    free(alone);
    return code;
}

/* A reason without its numbers, counted. */
static void count_reason(struct check *check, const char *from)
{
    char text[REASON_MAX];
    size_t used = 0;
    for (; *from != '\0' && used + 2 < sizeof text; from++) {
        const bool digit = *from >= '0' && *from <= '9', inside = used > 0 && text[used - 1] == '#';
        if (digit && (used == 0 || strchr("TCDs5823", text[used - 1]) == NULL || text[used - 1] == '#')) {
            if (!inside)
                text[used++] = '#';
        } else if (!(inside && *from == '.'))
            text[used++] = *from;
    }
    text[used] = '\0';
    size_t r = 0;
    while (r + 1 < REASONS_MAX && check->reason[r].count > 0 && strcmp(check->reason[r].text, text) != 0)
        r++;
    memcpy(check->reason[r].text, text, used + 1);
    check->reason[r].count++;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Status 1 where it moves, or is absent without a word. */
static int print_figure(const struct check *check, size_t band, enum figure f, double *move)
{
    const struct figure_kind *kind = &figure_kind[f];
    size_t all = 0, none = 0, silent = 0, most = 0, over = 0;
    double largest = 0;
    for (size_t p = 0; p < check->points; p++) {
        const struct acoustic_figures *figures = check->figures[p];
        double value[ONSETS];
        int there = 0;
        move[p] = 0;
        for (int o = 0; o < ONSETS; o++) {
            const struct octave_figures *octave = &figures[o].octave[band];
            value[o] = acoustic_figure_of(octave, f);
            there += !isnan(value[o]);
            const char *why = f <= FIGURE_T30 ? octave->times.why : octave->why;
            silent += isnan(value[o]) && strstr(why, kind->word) == NULL;
            if (o > 0 && !isnan(value[o]) && !isnan(value[o - 1]))
                move[p] = fmax(move[p],
                               fabs(value[o] - value[o - 1]) / (kind->jnd * (kind->relative ? value[o] : 1)));
        }
        all += there == ONSETS;
        none += there == 0;
        over += move[p] >= 1;
        if (move[p] > largest) {
            largest = move[p];
            most = p;
        }
    }
    qsort(move, check->points, sizeof *move, by_size);
    (void)printf("%6d Hz  %-4s %5zu %5zu %5zu  %7.2f %9.2f %6zu  %s-%zu%s\n",
                 octave_nominal(check->figures[0][0].octave[band].times.centre), kind->word, all,
                 check->points - all - none, none, move[(check->points - 1) * 99 / 100], largest, over,
                 "point", most + 1, silent > 0 ? "  ABSENT WITHOUT A REASON" : "");
    return over > 0 || silent > 0;
}

static int print_figures(struct check *check, int *missed, struct failure *failure)
{
    double *move = malloc(check->points * sizeof *move);
    if (move == NULL)
        return failure_memory(failure, check->points * sizeof *move, "a table");
    (void)printf("   octave  figure  all  some  none   99 of 100   most  >= 1 JND\n");
    for (size_t b = 0; b < check->figures[0][0].bands; b++)
        for (int f = 0; f < PRESSURE_FIGURES; f++)
            *missed |= print_figure(check, b, (enum figure)f, move);
    for (size_t p = 0; p < check->points; p++)
        for (int o = 0; o < ONSETS; o++)
            for (size_t b = 0; b < check->figures[p][o].bands; b++) {
                const struct octave_figures *octave = &check->figures[p][o].octave[b];
                if (octave->times.why[0] != '\0')
                    count_reason(check, octave->times.why);
                if (octave->why[0] != '\0')
                    count_reason(check, octave->why);
            }
    for (size_t r = 0; r < REASONS_MAX && check->reason[r].count > 0; r++)
        (void)printf("%6zu of %zu: %s\n", check->reason[r].count,
                     check->points * ONSETS * check->figures[0][0].bands, check->reason[r].text);
    free(move);
    return 0;
}

static int check_map(const struct run_folder *folder, const char *sound, const char *table, int *missed,
                     struct failure *failure)
{
    struct check check = {.highest = folder->model.room.fmax};
    char *path = run_folder_file(folder, sound), *table_path = run_folder_file(folder, table);
    int code = path == NULL || table_path == NULL ? failure_memory(failure, 1000, "a path")
                                                  : wav_sound_read(path, &check.sound, failure);
    if (code == 0) {
        check.points = (size_t)check.sound.channels;
        check.onset = calloc(check.points, sizeof *check.onset);
        check.figures = calloc(check.points, sizeof *check.figures);
        code = check.onset == NULL || check.figures == NULL
                   ? failure_memory(failure, check.points * sizeof *check.figures, "the figures")
                   : read_onsets(table_path, &check, failure);
    }
    int result = 0;
#pragma omp parallel for schedule(dynamic)
    for (size_t p = 0; p < (code == 0 ? check.points : 0); p++) {
        struct failure own = {0};
        const int one = make_figures(&check, p, &own);
#pragma omp critical
        if (one != 0 && result == 0)
            result = failure_forward(failure, &own);
    }
    code = code != 0 ? code : result;
    if (code == 0) {
        (void)printf("%s/%s, %zu points, to %.4g Hz\n", folder->name, sound, check.points, check.highest);
        code = print_figures(&check, missed, failure);
    }
    free(path);
    free(table_path);
    check_free(&check);
    return code;
}

static int check_run(const char *path, int *missed, struct failure *failure)
{
    struct run_folder folder = {0};
    TRY(run_folder_read(path, &folder, failure));
    int code = 0;
    size_t found = 0;
    for (size_t g = 0; g < folder.model.grids.count; g++) {
        const struct record_grid *grid = &folder.model.grids.item[g];
        for (size_t m = 0; code == 0 && m < grid->maps.count; m++) {
            const struct record_map *map = &grid->maps.item[m];
            if (map->file == NULL || map->table == NULL)
                continue;
            found++;
            code = check_map(&folder, map->file, map->table, missed, failure);
        }
    }
    if (code == 0 && found == 0)
        code = failure_set(failure, FAILURE_INPUT, "%s has no receiver grid: simulate with --receiver-grid",
                           path);
    run_folder_free(&folder);
    return code;
}

int main(int argc, char **argv)
{
    struct failure failure = {0};
    char text[FAILURE_TEXT_MAX];
    int missed = 0, code = argc < 2 ? failure_set(&failure, FAILURE_INPUT, "usage: figure_check RUN..") : 0;
    for (int n = 1; n < argc && code == 0; n++)
        code = check_run(argv[n], &missed, &failure);
    if (code != 0)
        (void)fprintf(stderr, "figure_check: %s\n", failure_text(&failure, text));
    return code != 0 ? code : missed;
}
