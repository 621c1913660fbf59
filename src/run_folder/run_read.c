#include "src/run_folder/run_read.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rooms/materials/material_library.h"
#include "src/base/json_memory.h"
#include "src/base/path_text.h"
#include "src/run_folder/output_folder.h"

#define NAMED 3 /* runs of a folder */

bool run_is_in(const char *folder)
{
    char path[PATH_MAX]; /* for want of memory no run is missing */
    const int length = snprintf(path, sizeof path, "%s/" RUN_RECORD_FILE, folder);
    return (length > 0 && (size_t)length < sizeof path && access(path, F_OK) == 0) ||
           output_folder_waits(folder);
}

static bool is_run_within(const char *folder, const char *name)
{
    char *path = name[0] == '.' ? NULL : path_in(folder, "%s", name);
    const bool is_run = path != NULL && run_is_in(path);
    free(path);
    return is_run;
}

size_t runs_within(const char *folder, char *text, size_t size)
{
    struct dirent **entry = NULL;
    const int entries = scandir(folder, &entry, NULL, alphasort);
    size_t count = 0, used = 0;
    text[0] = '\0';
    for (int e = 0; e < entries; e++) {
        if (is_run_within(folder, entry[e]->d_name) && count++ <= NAMED && used < size) {
            const bool more = count > NAMED;
            const int put = snprintf(text + used, size - used, "%s%s",
                                     count == 1 ? ""
                                     : more     ? " and "
                                                : ", ",
                                     more ? "others" : entry[e]->d_name);
            const bool whole = put >= 0 && (size_t)put < size - used;
            if (!whole)
                text[used] = '\0'; /* no part of a name */
            used = whole ? used + (size_t)put : size;
        }
        free(entry[e]);
    }
    free(entry);
    return count;
}

/* ---- limits of values that are read ---- */

size_t run_response_files(const struct record_response *response, const char *file[RUN_RESPONSE_FILES])
{
    const char *const name[] = {response->file, response->file_ambix, response->file_binaural,
                                response->file_ears};
    size_t count = 0;
    for (size_t n = 0; n < sizeof name / sizeof *name; n++)
        if (name[n] != NULL)
            file[count++] = name[n];
    return count;
}

static int check_files(const struct record_response *response, const char *path, struct failure *failure)
{
    const char *file[RUN_RESPONSE_FILES];
    if (response->file == NULL)
        return failure_set(failure, FAILURE_INPUT, "%s: has a response without a file", path);
    for (size_t n = 0; n < run_response_files(response, file); n++)
        if (file[n][0] == '\0' || strchr(file[n], '/') != NULL)
            return failure_set(failure, FAILURE_INPUT,
                               "%s: names a response \"%s\", which is not a file beside it", path, file[n]);
    return 0;
}

/* The air of the run, or of a usual room if it is absent or impossible. */
static struct air air_of(const struct record_air *air)
{
    const double temperature = air != NULL ? air->temperature : NAN,
                 humidity = air != NULL ? air->humidity : NAN, pressure = air != NULL ? air->pressure : NAN;
    return (struct air){
        .temperature = temperature >= -50.0 && temperature <= 100.0 ? temperature : 20.0,
        .humidity = humidity >= 0.0 && humidity <= 100.0 ? humidity : 50.0,
        .pressure = pressure >= 30.0 && pressure <= 200.0 ? pressure : 101.325,
    };
}

int run_format_check(const struct run_model *run, const char *path, struct failure *failure)
{
    if (run->format == RUN_FORMAT)
        return 0;
    const int code =
        failure_set(failure, FAILURE_INPUT, "%s was written by another version of transept", path);
    return failure_fix(code, failure, "simulate the room again");
}

static int check_ranges(struct run_model *run, const char *path, struct failure *failure)
{
    struct record_room *room = &run->room;
    struct record_size *size = &run->size;
    if (!(room->fmax > 20.0 && room->fmax <= 20000.0))
        return failure_set(failure, FAILURE_INPUT,
                           "%s: is not of a run: it lacks fmax_hz, the highest frequency of its responses",
                           path);
    TRY(run_format_check(run, path, failure));
    if (!(room->sound_speed >= 100.0 && room->sound_speed <= 1000.0))
        room->sound_speed = air_sound_speed(air_of(run->air).temperature);
    for (int d = 0; d < 3; d++)
        if (!(size->box_size[d] > 0.0 && size->box_size[d] < 1e6))
            size->box_size[d] = NAN;
    for (size_t r = 0; r < run->responses.count; r++) {
        struct record_response *response = &run->responses.item[r];
        TRY(check_files(response, path, failure));
        if (!(response->distance > 0.0))
            response->distance = NAN;
        if (!(response->onset >= 0.0))
            response->onset = NAN;
    }
    return 0;
}

static int index_files(struct run_model *run, struct failure *failure)
{
    for (size_t r = 0; r < run->responses.count; r++) {
        const char *name[RUN_RESPONSE_FILES];
        const size_t names = run_response_files(&run->responses.item[r], name);
        for (size_t n = 0; n < names; n++)
            TRY(name_index_add(&run->files, name[n], r, failure));
    }
    name_index_sort(&run->files);
    return 0;
}

int run_model_read(const char *folder, struct run_model *out, struct failure *failure)
{
    cJSON *object = NULL;
    run_model_clear(out);
    char *path = path_in(folder, "%s", RUN_RECORD_FILE);
    if (path == NULL)
        return failure_memory(failure, strlen(folder), "a path");
    int code = output_folder_finish(folder, failure);
    if (code == 0)
        code = json_file_read(path, RUN_RECORD_MOST, &object, failure);
    if (code == 0 && !json_read(&run_model_table, object, out))
        code = failure_memory(failure, 0, path);
    if (code == 0)
        code = check_ranges(out, path, failure);
    if (code == 0)
        code = index_files(out, failure);
    cJSON_Delete(object);
    free(path);
    if (code != 0)
        run_model_free(out);
    return code;
}

const struct record_response *run_model_find(const struct run_model *run, const char *file)
{
    const size_t r = name_index_find(&run->files, file);
    return r != NAME_INDEX_NONE ? &run->responses.item[r] : NULL;
}

const struct record_map *run_model_find_map(const struct run_model *run, const char *file)
{
    for (size_t g = 0; g < run->grids.count; g++)
        for (size_t m = 0; m < run->grids.item[g].maps.count; m++) {
            const struct record_map *map = &run->grids.item[g].maps.item[m];
            if (map->file != NULL && strcmp(map->file, file) == 0)
                return map;
        }
    return NULL;
}

/* ---- losses ---- */

/* The octaves of one material; above the last as there. False where they are not all there. */
static bool make_surface(const struct record_material *material, struct statistical_surface *surface)
{
    surface->area = material->area_exposed >= 0.0 ? material->area_exposed : material->area;
    if (!(surface->area >= 0.0) || material->octaves_used.count != MATERIAL_OCTAVES)
        return false;
    for (int b = 0; b < OCTAVE_BANDS_MAX; b++) {
        const double absorption =
            material->octaves_used.value[b < MATERIAL_OCTAVES ? b : MATERIAL_OCTAVES - 1];
        if (!(absorption >= 0.0 && absorption <= 1.0))
            return false;
        surface->absorption[b] = absorption;
    }
    return true;
}

int run_losses_make(const struct run_model *run, struct run_losses *out, struct failure *failure)
{
    const char *method = run->air != NULL ? run->air->method : NULL;
    const size_t count = run->room.materials.count;
    *out =
        (struct run_losses){.air = air_of(run->air), .lossy = method != NULL && strcmp(method, "off") != 0};
    out->surface = calloc(count + 1, sizeof *out->surface);
    if (out->surface == NULL)
        return failure_memory(failure, count * sizeof *out->surface, "the surfaces of a run");
    for (size_t m = 0; m < count; m++) {
        if (!make_surface(&run->room.materials.item[m], &out->surface[m])) {
            out->surface_count = 0;
            return 0;
        }
        out->surface_count++;
    }
    return 0;
}

void run_losses_free(struct run_losses *losses)
{
    free(losses->surface);
    *losses = (struct run_losses){0};
}
