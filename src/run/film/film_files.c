#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/path_text.h"
#include "src/base/print_json.h"
#include "src/run/film/film.h"
#include "src/run/film/vtkhdf_file.h"
#include "src/base/table/json_values.h"

static const char field_name[] = "field";

/* ---- names ---- */

static void vtkhdf_name(const char *of, size_t index, char name[FILM_NAME_MAX])
{
    snprintf(name, FILM_NAME_MAX, "%s_%05zu.vtkhdf", of, index);
}

bool film_name_is_ours(const char *name)
{
    const bool vtkhdf = path_ends_with(name, ".vtkhdf") || path_ends_with(name, ".hdf.series");
    return (path_begins_with(name, "slice_") && (vtkhdf || path_ends_with(name, ".png"))) ||
           (path_begins_with(name, "field") && vtkhdf) || strcmp(name, FILM_RECORD_FILE) == 0;
}

/* ---- one file each ---- */

/* Commit a staged file of the folder. */
static int put_file(struct film *film, const char *name, int code, struct whole_file *file,
                    struct failure *failure)
{
    if (code == 0)
        code = output_folder_put(film->folder, name, file, failure);
    film->files += code == 0;
    return code;
}

static int put_png(struct film *film, struct film_slice *slice, const struct film_frame *frame,
                   struct failure *failure)
{
    char name[FILM_NAME_MAX], title[120], time[60], band[60], plane[60], scale[160];
    snprintf(name, sizeof name, "%s_%0*.*fms.png", slice->name, 5 + film->digits, film->digits,
             1000.0 * frame->asked);
    snprintf(title, sizeof title, "Sound from %s, %.1f ms after the %s", film->setup->points.point[0].name,
             1000.0 * frame->asked, film->play != NULL ? "beginning" : "emission");
    snprintf(time, sizeof time, "%.9g s", film_time(film, frame->step));
    snprintf(slice->legend.line[0], LEGEND_TEXT, "%.*f ms 0-%.4g Hz", film->digits, 1000.0 * frame->asked,
             film->setup->grid.fmax);
    snprintf(band, sizeof band, "waves up to %.4g Hz, no rays", film->setup->grid.fmax);
    snprintf(plane, sizeof plane, "%c = %.6g m", "xyz"[slice->plane.axis], slice -> plane.position);
    snprintf(scale, sizeof scale, "%s, full colour at %.6g; 1 is %s; red is above the pressure at rest",
             slice->paint.scale == PAINT_LINEAR ? "linear" : "logarithmic, 40 dB", slice->paint.full,
             film_unit(film));
    const struct picture_text text[] = {{"Title", title}, {"Time", time},
                                        {"Band", band},   {"Plane", plane},
                                        {"Scale", scale}, {"Software", "transept " TRANSEPT_VERSION}};
    char *path = output_folder_file(film->folder, name);
    struct whole_file file = {0};
    const int code = path == NULL ? failure_memory(failure, sizeof name, "a path")
                                  : picture_stage(path, &slice->plane, &slice->paint, text,
                                                  sizeof text / sizeof *text, &file, failure);
    free(path);
    return put_file(film, name, code, &file, failure);
}

static int put_vtkhdf(struct film *film, const struct film_slice *slice, const struct engine *engine,
                      size_t index, struct failure *failure)
{
    char name[FILM_NAME_MAX];
    vtkhdf_name(slice != NULL ? slice->name : field_name, index, name);
    char *path = output_folder_file(film->folder, name);
    const struct block_grid *grid = &film->setup->grid.packed;
    struct whole_file file = {0};
    int code = path == NULL ? failure_memory(failure, sizeof name, "a path") : 0;
    if (code == 0)
        code = slice != NULL ? vtkhdf_stage_plane(path, &slice->plane, &grid->lattice, &file, failure)
                             : vtkhdf_stage_blocks(path, grid, engine, &film->shown, &file, failure);
    free(path);
    return put_file(film, name, code, &file, failure);
}

int film_take(void *context, const struct engine *engine, size_t index, struct failure *failure)
{
    struct film *film = context;
    const struct film_frame *frame = &film->frame[index];
    for (size_t s = 0; frame->slices && s < film->slices; s++) {
        struct film_slice *slice = &film->slice[s];
        TRY(picture_plane_read(&slice->plane, &film->setup->grid.packed, engine, &film->shown, failure));
        film_bend(film, slice);
        if (film->own->files != FILM_VTKHDF)
            TRY(put_png(film, slice, frame, failure));
        if (film->own->files != FILM_PNG)
            TRY(put_vtkhdf(film, slice, engine, frame->index, failure));
    }
    if (frame->field)
        TRY(put_vtkhdf(film, NULL, engine, frame->field_index, failure));
    film->taken = index + 1;
    return 0;
}

/* ---- files written at the end ---- */

/* Write the list of files and times [s] that ParaView opens as one film. */
static int put_one_series(struct film *film, const char *of, bool field, struct failure *failure)
{
    char series[FILM_NAME_MAX];
    struct whole_file file = {0};
    cJSON *object = cJSON_CreateObject();
    JSON_PUT(object, {"file-series-version", OF_TEXT("1.0")});
    cJSON *files = json_list_in(object, "files");
    for (size_t i = 0; i < film->taken; i++) {
        const struct film_frame *frame = &film->frame[i];
        char name[FILM_NAME_MAX];
        if (!(field ? frame->field : frame->slices))
            continue;
        cJSON *entry = json_append_object(files);
        vtkhdf_name(of, field ? frame->field_index : frame->index, name);
        JSON_PUT(entry, {"name", OF_TEXT(name)}, {"time", OF_NUMBER(film_time(film, frame->step))});
    }
    snprintf(series, sizeof series, "%s.hdf.series", of);
    char *path = output_folder_file(film->folder, series);
    int code = 0;
    if (files == NULL || files->child != NULL)
        code = path == NULL
                   ? failure_memory(failure, sizeof series, "a path")
                   : put_file(film, series, json_stage(object, path, &file, failure), &file, failure);
    free(path);
    cJSON_Delete(object);
    return code;
}

int film_put_series(struct film *film, struct failure *failure)
{
    for (size_t s = 0; s < film->slices && film->own->files != FILM_PNG; s++)
        TRY(put_one_series(film, film->slice[s].name, false, failure));
    return film->own->field_times > 0 ? put_one_series(film, field_name, true, failure) : 0;
}
