#include "src/cli/compared_response.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/path_text.h"
#include "src/base/table/json_values.h"
#include "src/present/compare/run_compare_json.h"
#include "src/run_folder/map_table_read.h"
#include "src/run_folder/run_read.h"

#define DECAY_POINTS 120

/* Both have one name, so that they are a pair; it is that of no place. */
static char only_name[] = "here";

bool compared_is_response(const char *subject)
{
    int channel;
    const size_t length = path_channel(subject, &channel);
    return length >= 4 && strncasecmp(subject + length - 4, ".wav", 4) == 0;
}

void compared_response_free(struct compared_response *response)
{
    json_free_members(&record_response_table, &response->point);
    analysis_list_free(&response->analysis);
    run_folder_free(&response->run);
    free(response->shown.name);
    *response = (struct compared_response){0};
}

/* ---- a point of a receiver grid ---- */

static bool take_part(const struct map_rows *rows, size_t row, int figure, enum map_part part,
                      const struct json_numbers *octaves, struct json_numbers *out)
{
    double value[OCTAVE_BANDS_MAX];
    const size_t count = octaves->count < OCTAVE_BANDS_MAX ? octaves->count : OCTAVE_BANDS_MAX;
    bool any = false;
    for (size_t b = 0; b < count; b++) {
        const size_t column = map_rows_column(rows, figure, band_nominal(octaves->value[b]), part);
        value[b] = column > 0 ? rows->value[row * rows->columns + column] : NAN;
        any = any || column > 0;
    }
    return !any || json_numbers_set(out, value, count);
}

static int take_point(struct compared_response *out, const struct record_map *map, size_t row,
                      struct failure *failure)
{
    struct map_rows *rows = calloc(1, sizeof *rows);
    struct record_response *point = &out->point;
    if (rows == NULL)
        return failure_memory(failure, sizeof *rows, "a map");
    int code = map_rows_read(&out->run, map->table, rows, failure);
    bool made = code == 0 && json_numbers_set(&point->octaves, map->octaves.value, map->octaves.count) &&
                (map->from.count == 0 ||
                 json_texts_set(&point->from, (const char *const *)map->from.text, map->from.count));
    for (int f = 0; made && f < PRESSURE_FIGURES; f++)
        made = take_part(rows, row, f, MAP_PART_VALUE, &map->octaves, &point->figures.octave[f]) &&
               take_part(rows, row, f, MAP_PART_SPREAD, &map->octaves, &point->spread.octave[f]) &&
               take_part(rows, row, f, MAP_PART_ERROR, &map->octaves, &point->error.octave[f]);
    if (code == 0 && !made)
        code = failure_memory(failure, sizeof *point, "the figures of a point");
    map_rows_free(rows);
    free(rows);
    return code;
}

/* ---- any response ---- */

/* As the record beside it has it, if that names it; else as it was analysed. */
static int take_figures(struct compared_response *out, struct failure *failure)
{
    const struct analysis_response *response = &out->analysis.response[0];
    out->alone = response->record;
    if (response->source == NULL) {
        run_model_clear(&out->shown.model);
        out->shown.model.room.fmax = response->fmax;
        return 0;
    }
    char *folder = path_folder(response->file);
    int code = folder == NULL ? failure_memory(failure, strlen(response->file), "a path")
                              : run_folder_read(folder, &out->run, failure);
    free(folder);
    TRY(code);
    const char *name = path_name(response->file);
    const struct record_map *map = run_model_find_map(&out->run.model, name);
    const struct record_response *known = NULL;
    for (size_t r = 0; r < out->run.model.responses.count; r++)
        if (strcmp(out->run.model.responses.item[r].file, name) == 0)
            known = &out->run.model.responses.item[r];
    if (map != NULL)
        TRY(take_point(out, map, (size_t)response->channel - 1, failure));
    if (map != NULL || known != NULL)
        out->alone = map != NULL ? out->point : *known;
    if (out->alone.thirds == NULL)
        out->alone.thirds = response->record.thirds;
    out->shown.model = out->run.model;
    out->shown.model.grids.count = 0;
    return 0;
}

int compared_response_read(const char *subject, const struct options *options, struct compared_response *out,
                           struct failure *failure)
{
    *out = (struct compared_response){0};
    json_clear(&record_response_table, &out->point);
    int code = analysis_list_of(options, subject, DECAY_POINTS, &out->analysis, failure);
    if (code == 0 && out->analysis.count != 1)
        code = failure_fix(failure_set(failure, FAILURE_INPUT, "%s: has %zu channels, and one is compared",
                                       subject, out->analysis.count),
                           failure, "give its number, like %s@1", subject);
    if (code == 0)
        code = take_figures(out, failure);
    if (code == 0 && (out->shown.name = strdup(subject)) == NULL)
        code = failure_memory(failure, strlen(subject), "a name");
    if (code != 0) {
        compared_response_free(out);
        return code;
    }
    out->alone.source = out->alone.receiver = only_name;
    out->shown.path = out->run.path;
    out->shown.model.responses.item = &out->alone;
    out->shown.model.responses.count = 1;
    return 0;
}

void compared_response_share(struct compared_response *measured, const struct compared_response *other)
{
    struct run_model *model = &measured->shown.model;
    const struct run_model own = *model;
    if (measured->run.path != NULL || other->run.path == NULL)
        return;
    *model = other->shown.model;
    model->responses.item = own.responses.item;
    model->room.fmax = own.room.fmax;
    model->room.project = NULL;
    model->room.mesh = NULL;
}

cJSON *compared_response_decays(const struct compared_response *response)
{
    return compared_decays(&response->analysis.response[0]);
}

cJSON *compared_decays(const struct analysis_response *of)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t b = 0; b < of->figures.bands; b++) {
        const struct decay_trace *trace = &of->trace[b];
        cJSON *decay = json_append_object(list), *level = NULL;
        JSON_PUT(decay, {"octave_hz", OF_NUMBER(band_nominal(of->figures.octave[b].times.centre))},
                 {"step_s", OF_NUMBER(compared_rounded(trace->step))});
        level = json_list_in(decay, "level_db");
        for (size_t i = 0; i < trace->count; i++)
            json_append(level, OF_NUMBER(round(100 * trace->level[i]) / 100));
    }
    return list;
}
