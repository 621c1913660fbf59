#include "src/record/run_facts.h"

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
#include "src/record/output_folder.h"

#define NAMED 3 /* runs of a folder */

/* "FOLDER/run.json", owned by the caller; NULL without memory. */
static char *path_of(const char *folder)
{
    static const char name[] = "/" RUN_RECORD_FILE;
    char *path = malloc(strlen(folder) + sizeof name);
    if (path != NULL) {
        strcpy(path, folder);
        strcat(path, name);
    }
    return path;
}

bool run_facts_are_in(const char *folder)
{
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/" RUN_RECORD_FILE, folder);
    return (length > 0 && (size_t)length < sizeof path && access(path, F_OK) == 0) ||
           output_folder_waits(folder);
}

static bool is_run_within(const char *folder, const char *name)
{
    const size_t length = strlen(folder) + strlen(name) + 2;
    char *path = name[0] == '.' ? NULL : malloc(length);
    if (path == NULL)
        return false;
    snprintf(path, length, "%s/%s", folder, name);
    const bool is_run = run_facts_are_in(path);
    free(path);
    return is_run;
}

size_t run_facts_within(const char *folder, char *text, size_t size)
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

void run_facts_free(struct run_facts *facts)
{
    for (size_t r = 0; r < facts->response_count; r++) {
        free(facts->response[r].file);
        free(facts->response[r].source);
        free(facts->response[r].receiver);
    }
    free(facts->response);
    free(facts->surface);
    *facts = (struct run_facts){0};
}

/* NaN where there is no such number. */
static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) && isfinite(item->valuedouble) ? item->valuedouble : NAN;
}

static const char *text(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

/* ---- responses ---- */

static int add_response(struct run_facts *facts, const cJSON *entry, const cJSON *item, const char *path,
                        struct failure *failure)
{
    const char *file = item->valuestring;
    if (file[0] == '\0' || strchr(file, '/') != NULL)
        return failure_set(failure, FAILURE_INPUT, "%s: names a response \"%s\", which is no file beside it",
                           path, file);
    const char *source = text(entry, "source"), *receiver = text(entry, "receiver");
    struct run_response *grown =
        realloc(facts->response, (facts->response_count + 1) * sizeof *facts->response);
    if (grown == NULL)
        return failure_memory(failure, (facts->response_count + 1) * sizeof *grown, "a list of responses");
    facts->response = grown;
    struct run_response *added = &grown[facts->response_count++];
    *added = (struct run_response){
        .file = strdup(file),
        .source = source != NULL ? strdup(source) : NULL,
        .receiver = receiver != NULL ? strdup(receiver) : NULL,
        .mono = strcmp(item->string, "file") == 0,
        .distance = number(entry, "distance_m"),
        .onset = number(entry, "onset_s"),
        .clear = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(entry, "direct_path_clear")),
    };
    if (added->file == NULL)
        return failure_memory(failure, strlen(file), "the name of a response");
    if (!(added->distance > 0.0))
        added->distance = NAN;
    if (!(added->onset >= 0.0))
        added->onset = NAN;
    return 0;
}

/* `file`, and `file_ambix`, `file_binaural` and what else there is in other channels. */
static int read_responses(struct run_facts *facts, const cJSON *object, const char *path,
                          struct failure *failure)
{
    const cJSON *entry = NULL, *item = NULL;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItemCaseSensitive(object, "responses"))
    {
        if (text(entry, "file") == NULL)
            return failure_set(failure, FAILURE_INPUT, "%s: has a response without a file", path);
        cJSON_ArrayForEach(item, entry)
        {
            const bool named = item->string != NULL && cJSON_IsString(item) &&
                               (strcmp(item->string, "file") == 0 || strncmp(item->string, "file_", 5) == 0);
            if (named && strstr(item->string, "_shifted") == NULL)
                TRY(add_response(facts, entry, item, path, failure));
        }
    }
    return 0;
}

/* ---- the room ---- */

/* The octaves of one material; above the last as there. False where they are not all there. */
static bool read_surface(const cJSON *entry, struct statistical_surface *surface)
{
    const cJSON *octaves = cJSON_GetObjectItemCaseSensitive(entry, "absorption_used_octaves");
    const double exposed = number(entry, "area_exposed_m2");
    surface->area = exposed >= 0.0 ? exposed : number(entry, "area_m2");
    if (!(surface->area >= 0.0) || cJSON_GetArraySize(octaves) != MATERIAL_OCTAVES)
        return false;
    for (int b = 0; b < OCTAVE_BANDS_MAX; b++) {
        const cJSON *item = cJSON_GetArrayItem(octaves, b < MATERIAL_OCTAVES ? b : MATERIAL_OCTAVES - 1);
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0.0 && item->valuedouble <= 1.0))
            return false;
        surface->absorption[b] = item->valuedouble;
    }
    return true;
}

static int read_surfaces(struct run_facts *facts, const cJSON *object, struct failure *failure)
{
    const cJSON *materials = cJSON_GetObjectItemCaseSensitive(object, "materials"), *entry = NULL;
    const size_t count = (size_t)cJSON_GetArraySize(materials);
    if (count == 0)
        return 0;
    facts->surface = calloc(count, sizeof *facts->surface);
    if (facts->surface == NULL)
        return failure_memory(failure, count * sizeof *facts->surface, "the surfaces of a run");
    cJSON_ArrayForEach(entry, materials)
    {
        if (!read_surface(entry, &facts->surface[facts->surface_count])) {
            facts->surface_count = 0;
            return 0;
        }
        facts->surface_count++;
    }
    return 0;
}

static void read_air(struct run_facts *facts, const cJSON *object)
{
    const cJSON *air = cJSON_GetObjectItemCaseSensitive(object, "air");
    const char *method = text(air, "method");
    const double temperature = number(air, "temperature_c"), humidity = number(air, "humidity_percent"),
                 pressure = number(air, "pressure_kpa"), speed = number(object, "sound_speed_m_s");
    facts->lossy = method != NULL && strcmp(method, "off") != 0;
    facts->air = (struct air){
        .temperature = temperature >= -50.0 && temperature <= 100.0 ? temperature : 20.0,
        .humidity = humidity >= 0.0 && humidity <= 100.0 ? humidity : 50.0,
        .pressure = pressure >= 30.0 && pressure <= 200.0 ? pressure : 101.325,
    };
    facts->sound_speed = speed >= 100.0 && speed <= 1000.0 ? speed : air_sound_speed(facts->air.temperature);
}

static void read_box(struct run_facts *facts, const cJSON *object)
{
    const cJSON *size = cJSON_GetObjectItemCaseSensitive(object, "box_size_m");
    for (int d = 0; d < 3; d++) {
        const cJSON *item = cJSON_GetArrayItem(size, d);
        const bool good = cJSON_IsNumber(item) && item->valuedouble > 0.0 && item->valuedouble < 1e6;
        facts->box_size[d] = good ? item->valuedouble : NAN;
    }
}

static int read_object(struct run_facts *facts, const cJSON *object, const char *path,
                       struct failure *failure)
{
    facts->fmax = number(object, "fmax_hz");
    if (!cJSON_IsObject(object) || !(facts->fmax > 20.0 && facts->fmax <= 20000.0))
        return failure_set(failure, FAILURE_INPUT,
                           "%s: is not of a run: it lacks fmax_hz, the highest frequency of its responses",
                           path);
    facts->volume = number(object, "air_volume_m3");
    facts->cells_volume = number(object, "cells_volume_m3");
    if (!isfinite(facts->cells_volume))
        facts->cells_volume = facts->volume; /* earlier versions told no other */
    facts->spacing = number(object, "spacing_m");
    facts->courant = number(object, "courant");
    read_box(facts, object);
    read_air(facts, object);
    TRY(read_surfaces(facts, object, failure));
    return read_responses(facts, object, path, failure);
}

int run_facts_read(const char *folder, struct run_facts *out, struct failure *failure)
{
    struct run_facts facts = {0};
    cJSON *object = NULL;
    char *path = path_of(folder);
    if (path == NULL)
        return failure_memory(failure, strlen(folder), "a path");
    int code = output_folder_finish(folder, failure);
    if (code == 0)
        code = json_file_read(path, RUN_RECORD_MOST, &object, failure);
    if (code == 0)
        code = read_object(&facts, object, path, failure);
    cJSON_Delete(object);
    free(path);
    if (code != 0) {
        run_facts_free(&facts);
        return code;
    }
    *out = facts;
    return 0;
}

const struct run_response *run_facts_find(const struct run_facts *facts, const char *file)
{
    for (size_t r = 0; r < facts->response_count; r++)
        if (strcmp(facts->response[r].file, file) == 0)
            return &facts->response[r];
    return NULL;
}
