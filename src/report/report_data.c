#include "src/report/report_data.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/compare/run_compare.h"
#include "src/report/report_findings.h"
#include "src/report/report_geometry.h"
#include "src/report/report_maps.h"
#include "src/report/report_response.h"
#include "src/report/report_shares.h"
#include "src/report/report_targets.h"
#include "src/setup/room_setup.h"
#include "src/signal/response.h"
#include "src/signal/wav_file.h"

#define CURVE_POINTS      200 /* of a decay */
#define CURVE_POINTS_MANY 80  /* where there are more responses than */
#define MANY              48

static int no_memory(struct failure *failure)
{
    return failure_memory(failure, 0, "the data of a report");
}

static void add_points(cJSON *run, const cJSON *record)
{
    static const char *const list[2] = {"sources", "receivers"}, *const kind[2] = {"source", "receiver"};
    cJSON *points = cJSON_AddArrayToObject(run, "points");
    for (int k = 0; k < 2; k++) {
        const cJSON *entry;
        cJSON_ArrayForEach(entry, record_at(record, list[k]))
        {
            cJSON *point = cJSON_CreateObject();
            cJSON_AddStringToObject(point, "kind", kind[k]);
            cJSON_AddItemToObject(point, "name", cJSON_Duplicate(record_at(entry, "name"), true));
            cJSON_AddItemToObject(point, "position_m", cJSON_Duplicate(record_at(entry, "position_m"), true));
            cJSON_AddItemToArray(points, point);
        }
    }
}

/* ---- responses ---- */

/* A run.json that tells of curves itself is somebody else's: they are made of the files alone. */
static void drop_curves(cJSON *entry)
{
    static const char *const made[] = {"t0_s",  "dt_s",     "envelope",          "waveform",     "whole",
                                       "decay", "spectrum", "figures_from_file", "why_no_curves"};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        while (cJSON_HasObjectItem(entry, made[i]))
            cJSON_DeleteItemFromObject(entry, made[i]);
}

/* A missing or broken file is a reason, not a failure of the report. */
static int add_curves(cJSON *entry, const struct run_folder *folder, double fmax_hz, size_t points,
                      struct failure *failure)
{
    struct failure why = {0};
    struct wav_sound sound = {0};
    const char *file = record_text(entry, "file");
    char *path = file != NULL && strchr(file, '/') == NULL ? run_folder_file(folder, file) : NULL;
    int code = path == NULL ? failure_set(&why, FAILURE_INPUT, "no file is named")
                            : wav_response_read(path, "simulate once more", &sound, &why);
    if (code == 0 &&
        (sound.channels != 1 || sound.rate != RESPONSE_RATE || !(1.02 * fmax_hz < RESPONSE_RATE / 2)))
        code = failure_set(&why, FAILURE_INPUT, "%s is no response of one channel at 48 kHz", file);
    if (code == 0) {
        const double onset = record_number(entry, "onset_s");
        const double last = (double)sound.frames / RESPONSE_RATE;
        code = report_response_add(entry, sound.sample, sound.frames, fmax_hz,
                                   isfinite(onset) ? fmin(fmax(onset, 1.0 / RESPONSE_RATE), last) : 0, points,
                                   &why);
    }
    wav_sound_free(&sound);
    free(path);
    if (code == FAILURE_INPUT) {
        cJSON *words = cJSON_AddStringToObject(entry, "why_no_curves", why.sentence);
        if (words == NULL)
            return no_memory(failure);
        run_folder_strip_of(folder, words);
        return 0;
    }
    return code == 0 ? 0 : failure_forward(failure, &why);
}

static int add_responses(cJSON *run, const struct run_folder *folder, struct failure *failure)
{
    cJSON *responses = cJSON_Duplicate(record_at(folder->record, "responses"), true);
    if (responses == NULL)
        return no_memory(failure);
    cJSON_AddItemToObject(run, "responses", responses);
    const double fmax_hz = record_number(folder->record, "fmax_hz");
    const int count = cJSON_GetArraySize(responses);
    const size_t points = count > MANY ? CURVE_POINTS_MANY : CURVE_POINTS;
    int code = 0;
    cJSON **entry = calloc((size_t)count + 1, sizeof *entry);
    if (entry == NULL)
        return no_memory(failure);
    for (int i = 0; i < count; i++)
        drop_curves(entry[i] = cJSON_GetArrayItem(responses, i));
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < count; i++) {
        struct failure own = {0};
        int done = room_interrupted(&own);
        if (done == 0)
            done = add_curves(entry[i], folder, fmax_hz, points, &own);
#pragma omp critical(report_responses)
        if (done != 0 && code == 0)
            code = failure_forward(failure, &own);
    }
    free(entry);
    return code;
}

static int add_run(cJSON *runs, const struct run_folder *folder, struct mesh *mesh, struct failure *failure)
{
    cJSON *run = cJSON_CreateObject(), *record = cJSON_Duplicate(folder->record, true);
    if (!cJSON_AddItemToArray(runs, run) || record == NULL) {
        cJSON_Delete(record);
        return no_memory(failure);
    }
    cJSON_AddStringToObject(run, "name", folder->name);
    cJSON_AddItemToObject(run, "run", record);
    TRY(report_geometry_add(run, folder, mesh, failure));
    add_points(run, record);
    TRY(add_responses(run, folder, failure));
    TRY(report_shares_add(run, failure));
    report_findings_add(run);
    report_targets_add(run);
    TRY(report_maps_add(run, folder, failure));
    return cJSON_AddArrayToObject(run, "sounds") != NULL ? 0 : no_memory(failure);
}

void report_free(struct report *report)
{
    cJSON_Delete(report->root);
    for (size_t r = 0; r < REPORT_RUNS_MOST; r++)
        mesh_free(&report->mesh[r]);
    *report = (struct report){0};
}

const cJSON *report_at(const struct report *report, const char *format, ...)
{
    char key[200];
    va_list values;
    va_start(values, format);
    vsnprintf(key, sizeof key, format, values);
    va_end(values);
    return record_at(report->root, key);
}

static int add_differences(cJSON *root, const struct run_folder *folder, struct failure *failure)
{
    struct run_comparison comparison = {0};
    TRY(run_compare(&folder[0], &folder[1], &comparison, failure));
    cJSON *differences = run_comparison_json(&comparison);
    run_comparison_free(&comparison);
    return cJSON_AddItemToObject(root, "differences", differences) ? 0 : no_memory(failure);
}

int report_data_make(const struct run_folder *folder, size_t count, struct report *out,
                     struct failure *failure)
{
    struct report report = {.runs = count, .root = cJSON_CreateObject()};
    cJSON_AddNumberToObject(report.root, "version", 1);
    cJSON *runs = cJSON_AddArrayToObject(report.root, "runs");
    int code = runs == NULL ? no_memory(failure) : 0;
    for (size_t r = 0; code == 0 && r < count; r++)
        code = add_run(runs, &folder[r], &report.mesh[r], failure);
    if (code == 0 && count == 2)
        code = add_differences(report.root, folder, failure);
    if (code != 0) {
        report_free(&report);
        return code;
    }
    *out = report;
    return 0;
}
