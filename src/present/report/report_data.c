#include "src/present/report/report_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/interrupt.h"
#include "src/base/progress_json.h"
#include "src/present/compare/run_compare.h"
#include "src/present/report/sections/report_inputs.h"
#include "src/present/report/report_decision.h"
#include "src/present/report/report_figures.h"
#include "src/present/report/report_findings.h"
#include "src/present/report/report_geometry.h"
#include "src/present/report/report_maps.h"
#include "src/present/report/report_response.h"
#include "src/present/report/report_shares.h"
#include "src/present/report/report_octave_times.h"
#include "src/present/report/report_targets.h"
#include "src/response/signal/response.h"
#include "src/response/signal/wav_file.h"

#define CURVE_POINTS      200 /* of a decay */
#define CURVE_POINTS_MANY 80  /* where there are more responses than */
#define MANY              48

/* ---- responses ---- */

/* A missing or broken file is a reason, not a failure of the report. */
static int add_curves(struct report_response *response, const struct run_folder *folder, double fmax_hz,
                      size_t points, struct failure *failure)
{
    struct failure why = {0};
    struct wav_sound sound = {0};
    const char *file = response->record->file;
    char *path = file != NULL && strchr(file, '/') == NULL ? run_folder_file(folder, file) : NULL;
    int code = path == NULL ? failure_set(&why, FAILURE_INPUT, "no file is named")
                            : wav_response_read(path, "simulate once more", &sound, &why);
    if (code == 0 &&
        (sound.channels != 1 || sound.rate != RESPONSE_RATE || !(1.02 * fmax_hz < RESPONSE_RATE / 2)))
        code = failure_set(&why, FAILURE_INPUT, "%s is not a response of one channel at 48 kHz", file);
    if (code == 0) {
        const double onset = response->record->onset;
        const double last = (double)sound.frames / RESPONSE_RATE;
        code = report_response_add(response, sound.sample, sound.frames, fmax_hz,
                                   isfinite(onset) ? fmin(fmax(onset, 1.0 / RESPONSE_RATE), last) : 0, points,
                                   &why);
    }
    wav_sound_free(&sound);
    free(path);
    if (code == FAILURE_INPUT)
        return report_reason_set(&response->why_no_curves, folder, why.sentence) ? 0
                                                                                 : report_no_memory(failure);
    return code == 0 ? 0 : failure_forward(failure, &why);
}

static int add_responses(struct report_run *run, const struct run_folder *folder, struct failure *failure)
{
    const size_t count = run->responses.count, points = count > MANY ? CURVE_POINTS_MANY : CURVE_POINTS;
    int code = 0;
    size_t done_so_far = 0;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < count; i++) {
        struct failure own = {0};
        int done = interrupt_stop(&own);
        if (done == 0)
            done = add_curves(&run->responses.item[i], folder, run_model_highest(run->model), points, &own);
#pragma omp critical(report_responses)
        {
            if (done != 0 && code == 0)
                code = failure_forward(failure, &own);
            progress_json_show((double)++done_so_far / (double)count);
        }
    }
    return code;
}

static int add_run(struct report_run *run, const struct run_folder *folder, const char *use,
                   struct failure *failure)
{
    if (!report_run_make(run, &folder->model, folder->name))
        return report_no_memory(failure);
    run->folder = folder;
    run->use = use;
    TRY(report_geometry_add(run, folder, failure));
    TRY(add_responses(run, folder, failure));
    TRY(report_shares_add(run, failure));
    TRY(report_inputs_add(run, failure));
    TRY(report_findings_add(run, failure));
    TRY(report_mean_errors_add(run, failure));
    TRY(report_octave_times_add(run, failure));
    TRY(report_targets_add(run, failure));
    return report_maps_add(run, folder, failure);
}

static int compare_runs(struct report *report, const struct run_folder *folder, struct failure *failure)
{
    report->comparison = calloc(report->given, sizeof *report->comparison);
    if (report->comparison == NULL)
        return report_no_memory(failure);
    for (size_t r = 1; r < report->given; r++)
        TRY(run_compare(&folder[0], &folder[r], &report->comparison[r - 1], failure));
    return report_decision_make(report, failure);
}

int report_data_make(const struct run_folder *folder, size_t count, const char *use, struct report *out,
                     struct failure *failure)
{
    int code = 0;
    *out = (struct report){.run = calloc(count, sizeof *out->run)};
    if (out->run == NULL)
        return report_no_memory(failure);
    out->runs = count < REPORT_RUNS_MOST ? count : REPORT_RUNS_MOST;
    out->given = count;
    for (size_t r = 0; code == 0 && r < count; r++)
        code = add_run(&out->run[r], &folder[r], use, failure);
    if (code == 0 && count > 1)
        code = compare_runs(out, folder, failure);
    if (code != 0)
        report_free(out);
    return code;
}
