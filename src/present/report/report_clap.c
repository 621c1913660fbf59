#include "src/present/report/report_clap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/interrupt.h"
#include "src/base/path_text.h"
#include "src/base/progress_json.h"
#include "src/listen/heard_response.h"
#include "src/run_folder/run_read.h"
#include "src/present/report/report_model.h"

#define RECEIVERS 3                                     /* of a source: nearest, middle, farthest */
#define HEARD     (REPORT_CLAP_SOURCES * RECEIVERS + 2) /* of a run, dry ones last */

/* The sounds, run by run. */
struct clap {
    const struct run_folder *folder;
    size_t runs;
    const char *scratch; /* a folder for temporary files; borrowed */
    struct run_model model[REPORT_RUNS_MOST];
    struct dry_sound dry;
    size_t count;
    struct heard heard[REPORT_RUNS_MOST * HEARD];
    size_t run_of[REPORT_RUNS_MOST * HEARD];
};

/* ---- takes ---- */

static void free_take(struct report_take *take)
{
    json_free_members(&listened_file_table, &take->record);
    wav_sound_free(&take->sound);
}

void report_takes_drop(struct report_takes *takes, const char *kind)
{
    size_t kept = 0;
    for (size_t i = 0; i < takes->count; i++)
        if (strcmp(takes->take[i].record.kind, kind) == 0)
            free_take(&takes->take[i]);
        else
            takes->take[kept++] = takes->take[i];
    takes->count = kept;
}

int report_takes_add(struct report_takes *takes, struct report_take take, struct failure *failure)
{
    struct report_take *grown = realloc(takes->take, (takes->count + 1) * sizeof *grown);
    if (grown == NULL) {
        free_take(&take);
        return report_no_memory(failure);
    }
    takes->take = grown;
    grown[takes->count++] = take;
    return 0;
}

void report_takes_free(struct report_takes *takes)
{
    for (size_t i = 0; i < takes->count; i++)
        free_take(&takes->take[i]);
    free(takes->take);
    *takes = (struct report_takes){0};
}

/* ---- which responses ---- */

/* A response that may be played, with its sort key. */
struct candidate {
    const struct record_response *response;
    double distance; /* in the first run that has it, so that of two runs the same places are heard */
    bool shared;
};

static int compare_distances(const void *a, const void *b)
{
    const struct candidate *p = a, *q = b;
    return (p->distance > q->distance) - (p->distance < q->distance);
}

static int add_heard(struct clap *clap, size_t run, const struct record_response *of, struct failure *failure)
{
    char *path = run_folder_file(&clap->folder[run], of->file);
    const struct heard heard = {
        .kind = HEARD_RESPONSE,
        .sounds = 1,
        .of = of,
        .record = {.response = path, .fmax = run_model_highest(&clap->model[run]), .distance = of->distance}};
    clap->run_of[clap->count] = run;
    const bool whole = heard_begin(&clap->heard[clap->count++], &heard) && path != NULL;
    free(path);
    return whole ? 0 : report_no_memory(failure);
}

/* An unreadable file does not affect the others. Its fault is written beside its figures. */
static bool can_be_heard(const struct clap *clap, size_t run, const struct record_response *response)
{
    struct wav_sound sound = {0};
    struct failure why = {0};
    char *path = run_folder_file(&clap->folder[run], response->file);
    const bool readable = path != NULL && heard_response_read(path, NULL, &sound, &why) == 0;
    wav_sound_free(&sound);
    free(path);
    return readable;
}

/* The response of the same source and receiver in another run, or NULL. */
static const struct record_response *find_counterpart(const struct clap *clap, size_t run,
                                                      const struct record_response *of)
{
    const struct run_model *model = &clap->model[run];
    for (size_t i = 0; i < model->responses.count; i++) {
        const struct record_response *other = &model->responses.item[i];
        if (same_name(other->source, of->source) && same_name(other->receiver, of->receiver) &&
            can_be_heard(clap, run, other))
            return other;
    }
    return NULL;
}

static struct candidate make_candidate(const struct clap *clap, size_t run,
                                       const struct record_response *response)
{
    const struct record_response *other = clap->runs == 2 ? find_counterpart(clap, 1 - run, response) : NULL;
    return (struct candidate){.response = response,
                              .distance = run == 1 && other != NULL ? other->distance : response->distance,
                              .shared = other != NULL};
}

/* If two runs share places, keep only those, for comparison. Returns the number kept. */
static size_t keep_shared(struct candidate *of, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (of[i].shared)
            of[kept++] = of[i];
    return kept > 0 ? kept : count;
}

/* Nearest, middle and farthest receiver of one source. */
static int choose_of_source(struct clap *clap, size_t run, const char *source, struct failure *failure)
{
    const struct run_model *model = &clap->model[run];
    struct candidate *of = malloc((model->responses.count + 1) * sizeof *of);
    size_t count = 0;
    int code = of == NULL ? failure_memory(failure, model->responses.count * sizeof *of, "responses") : 0;
    for (size_t i = 0; code == 0 && i < model->responses.count; i++) {
        const struct record_response *response = &model->responses.item[i];
        if (same_name(response->source, source) && can_be_heard(clap, run, response))
            of[count++] = make_candidate(clap, run, response);
    }
    count = code == 0 ? keep_shared(of, count) : 0;
    if (code == 0)
        qsort(of, count, sizeof *of, compare_distances);
    const size_t chosen = count < RECEIVERS ? count : RECEIVERS;
    for (size_t i = 0; code == 0 && i < chosen; i++)
        code = add_heard(clap, run, of[chosen > 1 ? i * (count - 1) / (chosen - 1) : 0].response, failure);
    free(of);
    return code;
}

static int choose_responses(struct clap *clap, size_t run, struct failure *failure)
{
    const struct record_points *points = &clap->folder[run].model.points;
    const size_t first = clap->count;
    int sources = 0;
    for (size_t s = 0; s < points->sources.count; s++) {
        const char *name = points->sources.item[s].name;
        if (name != NULL && sources++ < REPORT_CLAP_SOURCES)
            TRY(choose_of_source(clap, run, name, failure));
    }
    if (clap->count == first)
        return failure_set(failure, FAILURE_INPUT,
                           clap->folder[run].model.responses.count == 0 &&
                                   clap->folder[run].model.grids.count > 0
                               ? "%s has maps alone, and no receiver to listen at"
                               : "no response of %s can be read",
                           clap->folder[run].name);
    return 0;
}

/* The clap in the open beside them, once for all runs: at the nearest distance, in the lowest of their bands.
 */
static int choose_dry(struct clap *clap, struct failure *failure)
{
    double nearest = INFINITY;
    size_t lowest = 0;
    for (size_t i = 0; i < clap->count; i++)
        nearest = fmin(nearest, clap->heard[i].record.distance);
    for (size_t r = 1; r < clap->runs; r++)
        if (run_model_highest(&clap->model[r]) < run_model_highest(&clap->model[lowest]))
            lowest = r;
    if (!isfinite(nearest) || !(nearest > 0))
        return failure_set(failure, FAILURE_INPUT,
                           "run.json of %s lacks the distances of its receivers from its sources",
                           clap->folder[0].name);
    static const enum heard_kind kind[2] = {HEARD_DRY, HEARD_DRY_LOW_PASSED};
    for (int k = 0; k < 2; k++) {
        const struct heard heard = {
            .kind = kind[k],
            .sounds = 1,
            .sound_speed = clap->model[lowest].room.sound_speed,
            .record = {.fmax = run_model_highest(&clap->model[lowest]), .distance = nearest}};
        if (!heard_begin(&clap->heard[clap->count++], &heard))
            return report_no_memory(failure);
    }
    return 0;
}

/* ---- playing ---- */

static int play_response(struct clap *clap, size_t i, double gain, struct report_takes *out,
                         struct failure *failure)
{
    struct heard *heard = &clap->heard[i];
    struct whole_file file = {0};
    struct report_take take = {.run = clap->run_of[i], .gain = gain};
    char *path = path_in(clap->scratch, "report-sound.wav");
    if (path == NULL)
        return report_no_memory(failure);
    int code = auralisation_stage(heard, &clap->dry, path, &interrupt_seen, &file, failure);
    if (code == 0)
        code = wav_sound_read(file.temporary, &take.sound, failure);
    whole_file_abandon(&file);
    free(path);
    if (code != 0)
        return code;
    take.record = heard->record;
    heard->record = (struct listened_file){0};
    return report_takes_add(out, take, failure);
}

int report_clap_take(const struct run_folder *folder, size_t runs, const char *scratch,
                     struct report_takes *out, struct failure *failure)
{
    struct clap *clap = calloc(1, sizeof *clap);
    if (clap == NULL)
        return failure_memory(failure, sizeof *clap, "sounds");
    double least = 1;
    clap->folder = folder;
    clap->scratch = scratch;
    clap->runs = runs;
    for (size_t r = 0; r < runs; r++)
        run_model_clear(&clap->model[r]);
    int code = dry_sound_open("clap", scratch, &interrupt_seen, &clap->dry, failure);
    for (size_t r = 0; code == 0 && r < runs; r++)
        code = run_model_read(folder[r].path, &clap->model[r], failure);
    for (size_t r = 0; code == 0 && r < runs; r++)
        code = choose_responses(clap, r, failure);
    if (code == 0)
        code = choose_dry(clap, failure);
    for (size_t i = 0; code == 0 && i < clap->count; i++) {
        progress_json_piece(i, 2 * clap->count);
        code = auralisation_measure(&clap->heard[i], &clap->dry, &interrupt_seen, failure);
    }
    /* The whole dry sound may have had to be made quieter than the others: then all are. */
    if (code == 0)
        least = auralisation_set_gains(clap->heard, clap->count, LEVEL_NORMALISED);
    for (size_t i = 0; code == 0 && i < clap->count; i++)
        least = fmin(least, clap->heard[i].gain);
    for (size_t i = 0; code == 0 && i < clap->count; i++) {
        progress_json_piece(clap->count + i, 2 * clap->count);
        code = play_response(clap, i, least / clap->heard[i].gain, out, failure);
    }
    for (size_t i = 0; i < clap->count; i++)
        json_free_members(&listened_file_table, &clap->heard[i].record);
    for (size_t r = 0; r < runs; r++)
        run_model_free(&clap->model[r]);
    dry_sound_close(&clap->dry);
    free(clap);
    return code;
}
