#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/film/film.h"
#include "src/film/vtkhdf_file.h"

static const char field_name[] = "field";

/* ---- names ---- */

void film_png_name(const struct film *film, const struct film_slice *slice, const struct film_look *look,
                   char name[FILM_NAME_MAX])
{
    snprintf(name, FILM_NAME_MAX, "%s_%0*.*fms.png", slice->name, 5 + film->digits, film->digits,
             1000.0 * look->asked);
}

void film_vtkhdf_name(const char *of, size_t index, char name[FILM_NAME_MAX])
{
    snprintf(name, FILM_NAME_MAX, "%s_%05zu.vtkhdf", of, index);
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with)
{
    const size_t length = strlen(text), tail = strlen(with);
    return length >= tail && strcmp(text + length - tail, with) == 0;
}

bool film_name_is_ours(const char *name)
{
    const bool vtkhdf = ends(name, ".vtkhdf") || ends(name, ".hdf.series");
    return (starts(name, "slice_") && (vtkhdf || ends(name, ".png"))) || (starts(name, "field") && vtkhdf) ||
           strcmp(name, FILM_RECORD_FILE) == 0;
}

/* ---- one file each ---- */

/* A file of the folder from whoever staged it. */
static int put(struct film *film, const char *name, int code, struct whole_file *file,
               struct failure *failure)
{
    if (code == 0)
        code = output_folder_put(film->folder, name, file, failure);
    film->files += code == 0;
    return code;
}

static int put_png(struct film *film, const struct film_slice *slice, const struct film_look *look,
                   struct failure *failure)
{
    char name[FILM_NAME_MAX], title[120], time[60], plane[60], scale[160];
    film_png_name(film, slice, look, name);
    snprintf(title, sizeof title, "Sound from %s, %.1f ms after the emission",
             film->setup->points.point[0].name, 1000.0 * look->asked);
    snprintf(time, sizeof time, "%.9g s", film_time(film, look->step));
    snprintf(plane, sizeof plane, "%c = %.6g m", "xyz"[slice->plane.axis], slice -> plane.position);
    snprintf(scale, sizeof scale,
             "%s, full colour at %.6g; 1 is the crest of the pulse at 1 m in free field; red is above the "
             "pressure at "
             "rest",
             slice->paint.scale == PAINT_LINEAR ? "linear" : "logarithmic, 40 dB", slice->paint.full);
    const struct picture_text text[] = {{"Title", title},
                                        {"Time", time},
                                        {"Plane", plane},
                                        {"Scale", scale},
                                        {"Software", "transept " TRANSEPT_VERSION}};
    char *path = output_folder_file(film->folder, name);
    struct whole_file file = {0};
    const int code = path == NULL ? failure_memory(failure, sizeof name, "a path")
                                  : picture_stage(path, &slice->plane, &slice->paint, text,
                                                  sizeof text / sizeof *text, &file, failure);
    free(path);
    return put(film, name, code, &file, failure);
}

static int put_vtkhdf(struct film *film, const struct film_slice *slice, const struct engine *engine,
                      size_t index, struct failure *failure)
{
    char name[FILM_NAME_MAX];
    film_vtkhdf_name(slice != NULL ? slice->name : field_name, index, name);
    char *path = output_folder_file(film->folder, name);
    const struct block_grid *grid = &film->setup->grid.packed;
    struct whole_file file = {0};
    int code = path == NULL ? failure_memory(failure, sizeof name, "a path") : 0;
    if (code == 0)
        code = slice != NULL ? vtkhdf_stage_plane(path, &slice->plane, &grid->lattice, &file, failure)
                             : vtkhdf_stage_blocks(path, grid, engine, FILM_PRESSURE, &file, failure);
    free(path);
    return put(film, name, code, &file, failure);
}

int film_take(void *context, const struct engine *engine, size_t index, struct failure *failure)
{
    struct film *film = context;
    const struct film_look *look = &film->look[index];
    for (size_t s = 0; look->slices && s < film->slices; s++) {
        struct film_slice *slice = &film->slice[s];
        TRY(picture_plane_read(&slice->plane, &film->setup->grid.packed, engine, FILM_PRESSURE, failure));
        if (film->own->files != FILM_VTKHDF)
            TRY(put_png(film, slice, look, failure));
        if (film->own->files != FILM_PNG)
            TRY(put_vtkhdf(film, slice, engine, look->index, failure));
    }
    if (look->field)
        TRY(put_vtkhdf(film, NULL, engine, look->field_index, failure));
    film->taken = index + 1;
    return 0;
}

/* ---- what is known at the end ---- */

static int put_one_series(struct film *film, const char *of, bool field, struct failure *failure)
{
    char(*name)[FILM_NAME_MAX] = calloc(film->taken + 1, sizeof *name);
    const char **names = calloc(film->taken + 1, sizeof *names);
    double *time = calloc(film->taken + 1, sizeof *time);
    size_t count = 0;
    struct whole_file file = {0};
    int code = name == NULL || names == NULL || time == NULL
                   ? failure_memory(failure, film->taken * sizeof *name, "a list of files")
                   : 0;
    for (size_t i = 0; code == 0 && i < film->taken; i++) {
        const struct film_look *look = &film->look[i];
        if (!(field ? look->field : look->slices))
            continue;
        film_vtkhdf_name(of, field ? look->field_index : look->index, name[count]);
        names[count] = name[count];
        time[count++] = film_time(film, look->step);
    }
    if (code == 0 && count > 0) {
        char series[FILM_NAME_MAX];
        snprintf(series, sizeof series, "%s.hdf.series", of);
        char *path = output_folder_file(film->folder, series);
        code = path == NULL ? failure_memory(failure, sizeof series, "a path")
                            : vtkhdf_stage_series(path, names, time, count, &file, failure);
        free(path);
        code = put(film, series, code, &file, failure);
    }
    free(time);
    free(names);
    free(name);
    return code;
}

int film_put_series(struct film *film, struct failure *failure)
{
    for (size_t s = 0; s < film->slices && film->own->files != FILM_PNG; s++)
        TRY(put_one_series(film, film->slice[s].name, false, failure));
    return film->field_looks > 0 ? put_one_series(film, field_name, true, failure) : 0;
}

static void record_slice(cJSON *list, const struct film *film, const struct film_slice *slice)
{
    cJSON *entry = cJSON_CreateObject();
    char pattern[FILM_NAME_MAX];
    size_t size[2];
    picture_size(&slice->plane, &slice->paint, size);
    cJSON_AddItemToArray(list, entry);
    cJSON_AddStringToObject(entry, "axis", (const char *[]){"x", "y", "z"}[slice->plane.axis]);
    cJSON_AddNumberToObject(entry, "position_m", slice->plane.position);
    cJSON_AddNumberToObject(entry, "blocks", (double)slice->plane.blocks);
    cJSON_AddItemToObject(
        entry, "nodes",
        cJSON_CreateIntArray((const int[]){(int)slice->plane.size[0], (int)slice->plane.size[1]}, 2));
    if (film->own->files != FILM_VTKHDF) {
        snprintf(pattern, sizeof pattern, "%s_*ms.png", slice->name);
        cJSON_AddStringToObject(entry, "frames", pattern);
        cJSON_AddItemToObject(entry, "pixels",
                              cJSON_CreateIntArray((const int[]){(int)size[0], (int)size[1]}, 2));
        cJSON_AddNumberToObject(entry, "pixels_a_node", slice->paint.zoom);
    }
    if (film->own->files != FILM_PNG) {
        snprintf(pattern, sizeof pattern, "%s.hdf.series", slice->name);
        cJSON_AddStringToObject(entry, "series", pattern);
    }
}

void film_record(cJSON *object, const struct film *film)
{
    cJSON *record = cJSON_AddObjectToObject(object, "film");
    cJSON_AddStringToObject(record, "source", film->setup->points.point[0].name);
    cJSON_AddStringToObject(record, "pulse", "Ricker");
    cJSON_AddNumberToObject(record, "pulse_peak_hz", film->setup->grid.fmax / FILM_PULSE_PEAK);
    cJSON_AddStringToObject(record, "unit", "crest of the pulse at 1 m in free field");
    cJSON_AddStringToObject(record, "scale", film->own->scale == PAINT_LINEAR ? "linear" : "db");
    cJSON_AddNumberToObject(record, "full", film->own->full);
    cJSON_AddNumberToObject(record, "steps_before_emission", (double)film->pulse.lead);
    cJSON *slices = cJSON_AddArrayToObject(record, "slices");
    for (size_t s = 0; s < film->slices; s++)
        record_slice(slices, film, &film->slice[s]);
    if (film->field_looks > 0)
        cJSON_AddStringToObject(record, "field_series", "field.hdf.series");
    else
        cJSON_AddNullToObject(record, "field_series");
    cJSON *times = cJSON_AddArrayToObject(record, "pictures");
    for (size_t i = 0; i < film->taken; i++) {
        const struct film_look *look = &film->look[i];
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddItemToArray(times, entry);
        cJSON_AddNumberToObject(entry, "asked_s", look->asked);
        cJSON_AddNumberToObject(entry, "time_s", film_time(film, look->step));
        cJSON_AddNumberToObject(entry, "step", (double)look->step);
        cJSON_AddBoolToObject(entry, "slices", look->slices);
        cJSON_AddBoolToObject(entry, "field", look->field);
    }
}
