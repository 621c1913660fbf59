#include "src/run/walk/walk_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/import/mesh_import.h"
#include "src/base/interrupt.h"
#include "src/base/name_index.h"
#include "src/base/progress_json.h"
#include "src/run_folder/run_folder.h"
#include "src/run_folder/run_geometry.h"

/* Names in a run: receivers, those that are ears of a dummy head, and sources. */
struct names {
    struct name_index receivers, ears, sources;
};

static void names_free(struct names *names)
{
    name_index_free(&names->receivers);
    name_index_free(&names->ears);
    name_index_free(&names->sources);
}

static int names_make(const struct run_model *run, struct names *out, struct failure *failure)
{
    const struct record_points *points = &run->points;
    *out = (struct names){0};
    /* A head is in the way at its ears, and the listener brings one. */
    for (size_t h = 0; h < points->heads.count; h++) {
        TRY(name_index_add(&out->ears, points->heads.item[h].left, h, failure));
        TRY(name_index_add(&out->ears, points->heads.item[h].right, h, failure));
    }
    for (size_t r = 0; r < points->receivers.count; r++)
        TRY(name_index_add(&out->receivers, points->receivers.item[r].name, r, failure));
    for (size_t s = 0; s < points->sources.count; s++)
        TRY(name_index_add(&out->sources, points->sources.item[s].name, s, failure));
    name_index_sort(&out->ears);
    name_index_sort(&out->receivers);
    name_index_sort(&out->sources);
    return 0;
}

static void mark_heard(const struct names *names, const char *source, bool *heard)
{
    const size_t s = name_index_find(&names->sources, source);
    if (s != NAME_INDEX_NONE)
        heard[s] = true;
}

int walk_run_sources(const struct run_model *run, bool *heard, struct failure *failure)
{
    const struct record_points *points = &run->points;
    struct names names;
    const int code = names_make(run, &names, failure);
    for (size_t s = 0; s < points->sources.count; s++)
        heard[s] = false;
    for (size_t r = 0; code == 0 && r < run->responses.count; r++)
        if (name_index_find(&names.ears, run->responses.item[r].receiver) == NAME_INDEX_NONE)
            mark_heard(&names, run->responses.item[r].source, heard);
    for (size_t g = 0; code == 0 && g < run->grids.count; g++)
        for (size_t m = 0; m < run->grids.item[g].maps.count; m++)
            mark_heard(&names, run->grids.item[g].maps.item[m].source, heard);
    names_free(&names);
    return code;
}

int walk_run_read_walls(const char *in, struct mesh *out, struct failure *failure)
{
    const struct run_folder folder = {.path = (char *)(uintptr_t)in};
    const struct mesh_import_options options = {.interrupted = &interrupt_seen};
    struct failure unread;
    char *path = run_folder_file(&folder, RUN_MESH_FILE);
    if (path == NULL)
        return failure_memory(failure, strlen(RUN_MESH_FILE), "a path");
    *out = (struct mesh){0};
    const int code = mesh_import(path, &options, out, NULL, &unread);
    free(path);
    if (code != 0) /* a run without its model: the walk is the user's */
        return code == FAILURE_INPUT ? 0 : failure_forward(failure, &unread);
    return 0;
}

/* Places whose responses to one source are known; paths are owned. */
struct places {
    size_t count, grid; /* those of receivers come first */
    struct walk_station *station;
    char **path;
    size_t paths;
};

static void places_free(struct places *places)
{
    for (size_t i = 0; i < places->paths; i++)
        free(places->path[i]);
    free(places->path);
    free(places->station);
}

static int add_path(struct places *places, const struct walk_run *run, const char *file,
                    struct failure *failure)
{
    const struct run_folder folder = {.path = (char *)(uintptr_t)run->folder};
    char **grown = realloc(places->path, (places->paths + 1) * sizeof *grown);
    if (grown != NULL)
        places->path = grown;
    if (grown == NULL || (grown[places->paths] = run_folder_file(&folder, file)) == NULL)
        return failure_memory(failure, strlen(file), "a path");
    places->paths++;
    return 0;
}

static int add_place(struct places *places, struct walk_station station, struct failure *failure)
{
    struct walk_station *grown = realloc(places->station, (places->count + 1) * sizeof *grown);
    if (grown == NULL)
        return failure_memory(failure, (places->count + 1) * sizeof *grown, "responses");
    station.path = places->path[places->paths - 1];
    places->station = grown;
    grown[places->count++] = station;
    return 0;
}

static int list_places(const struct walk_run *run, const struct names *names, const char *source,
                       size_t channels, struct places *out, struct failure *failure)
{
    const struct run_model *model = run->model;
    for (size_t r = 0; r < model->responses.count; r++) {
        const struct record_response *of = &model->responses.item[r];
        const char *file = channels > 1 ? of->file_ambix : of->file;
        if (file == NULL || of->source == NULL || strcmp(of->source, source) != 0 ||
            name_index_find(&names->ears, of->receiver) != NAME_INDEX_NONE)
            continue;
        const size_t receiver = name_index_find(&names->receivers, of->receiver);
        if (receiver == NAME_INDEX_NONE)
            continue;
        const struct record_point *at = &model->points.receivers.item[receiver];
        struct walk_station station = {.name = at->name, .front = of->look_azimuth, .onset = of->onset};
        memcpy(station.position, at->position, sizeof station.position);
        TRY(add_path(out, run, file, failure));
        TRY(add_place(out, station, failure));
    }
    for (size_t g = 0; channels == 1 && g < model->grids.count; g++) {
        const struct record_grid *grid = &model->grids.item[g];
        for (size_t m = 0; m < grid->maps.count; m++) {
            const struct record_map *map = &grid->maps.item[m];
            if (map->file == NULL || map->source == NULL || strcmp(map->source, source) != 0)
                continue;
            TRY(add_path(out, run, map->file, failure));
            for (size_t p = 0; p < grid->positions.count; p++) {
                struct walk_station station = {.name = grid->name, .channel = p, .onset = NAN};
                memcpy(station.position, grid->positions.point[p], sizeof station.position);
                TRY(add_place(out, station, failure));
            }
        }
    }
    if (out->count == 0)
        return failure_fix(
            failure_set(failure, FAILURE_INPUT, "%s has no response%s of %s for a walk", run->folder,
                        channels > 1 ? " with four channels" : "", source),
            failure,
            "simulate with %sreceivers along the walk, or compute the sound while the room is stepped",
            channels > 1 ? "directional " : "");
    return 0;
}

int walk_run_hear(const struct walk_run *run, const struct record_point *from, const struct walk_path *path,
                  size_t channels, struct dry_sound *dry, struct walk_sound *out,
                  struct walk_responses_facts *facts, struct failure *failure)
{
    struct places places = {0};
    struct names names;
    int code = names_make(run->model, &names, failure);
    if (code == 0)
        code = list_places(run, &names, from->name, channels, &places, failure);
    names_free(&names);
    struct walk_field field = {.stations = places.count,
                               .station = places.station,
                               .walls = run->walls,
                               .sound_speed = run->model->room.sound_speed,
                               .fmax = run_model_highest(run->model),
                               .channels = channels};
    memcpy(field.source, from->position, sizeof field.source);
    progress_json_begin("sounds", from->name);
    if (code == 0)
        code = walk_responses_make(&field, path, dry, &interrupt_seen, out, facts, failure);
    places_free(&places);
    return code;
}
