/** film.json: a struct, its table, and how it is filled. */
#include <stdio.h>

#include "src/base/json_table.h"
#include "src/film/film.h"

struct slice_record {
    char *axis;
    double position, blocks; /* [m], .. */
    struct json_numbers nodes;
    char *frames; /* a pattern; with pixels, of slices that are drawn */
    struct json_numbers pixels;
    double pixels_a_node;
    char *series; /* of slices for ParaView */
};

struct picture_record {
    double asked, time, step; /* [s], [s], .. */
    bool slices, field;
};

struct shown_record {
    char *source, *pulse, *unit, *scale;
    double pulse_peak, full, steps_before_emission; /* [Hz], .. */
    JSON_LIST_OF(struct slice_record) slices;
    char *field_series;
    JSON_LIST_OF(struct picture_record) pictures;
};

struct film_model {
    bool partial;
    double steps, seconds;
    struct shown_record *film;
};

#define TYPE struct slice_record
static const struct json_field slice_field[] = {
    JSON_FIELD_TEXT("axis", TYPE, axis, JSON_NULL),
    JSON_FIELD_NUMBER("position_m", TYPE, position, JSON_NULL),
    JSON_FIELD_NUMBER("blocks", TYPE, blocks, JSON_NULL),
    JSON_FIELD_NUMBERS("nodes", TYPE, nodes, JSON_NULL),
    JSON_FIELD_TEXT("frames", TYPE, frames, JSON_LEFT_OUT),
    JSON_FIELD_NUMBERS("pixels", TYPE, pixels, JSON_LEFT_OUT),
    JSON_FIELD_NUMBER("pixels_a_node", TYPE, pixels_a_node, JSON_LEFT_OUT),
    JSON_FIELD_TEXT("series", TYPE, series, JSON_LEFT_OUT),
};
static const struct json_table slice_table = JSON_TABLE(TYPE, slice_field);
#undef TYPE

#define TYPE struct picture_record
static const struct json_field picture_field[] = {
    JSON_FIELD_NUMBER("asked_s", TYPE, asked, JSON_NULL),
    JSON_FIELD_NUMBER("time_s", TYPE, time, JSON_NULL),
    JSON_FIELD_NUMBER("step", TYPE, step, JSON_NULL),
    JSON_FIELD_BOOL("slices", TYPE, slices),
    JSON_FIELD_BOOL("field", TYPE, field),
};
static const struct json_table picture_table = JSON_TABLE(TYPE, picture_field);
#undef TYPE

#define TYPE struct shown_record
static const struct json_field shown_field[] = {
    JSON_FIELD_TEXT("source", TYPE, source, JSON_NULL),
    JSON_FIELD_TEXT("pulse", TYPE, pulse, JSON_NULL),
    JSON_FIELD_NUMBER("pulse_peak_hz", TYPE, pulse_peak, JSON_NULL),
    JSON_FIELD_TEXT("unit", TYPE, unit, JSON_NULL),
    JSON_FIELD_TEXT("scale", TYPE, scale, JSON_NULL),
    JSON_FIELD_NUMBER("full", TYPE, full, JSON_NULL),
    JSON_FIELD_NUMBER("steps_before_emission", TYPE, steps_before_emission, JSON_NULL),
    JSON_FIELD_LIST("slices", TYPE, slices, JSON_NULL, slice_table),
    JSON_FIELD_TEXT("field_series", TYPE, field_series, JSON_NULL),
    JSON_FIELD_LIST("pictures", TYPE, pictures, JSON_NULL, picture_table),
};
static const struct json_table shown_table = JSON_TABLE(TYPE, shown_field);
#undef TYPE

#define TYPE struct film_model
static const struct json_field film_field[] = {
    JSON_FIELD_BOOL("partial", TYPE, partial),
    JSON_FIELD_NUMBER("steps", TYPE, steps, JSON_NULL),
    JSON_FIELD_NUMBER("seconds", TYPE, seconds, JSON_NULL),
    JSON_FIELD_OBJECT("film", TYPE, film, JSON_NULL, shown_table),
};
static const struct json_table film_table = JSON_TABLE(TYPE, film_field);
#undef TYPE

/* Two numbers. */
static bool set_pair(struct json_numbers *to, const size_t pair[2])
{
    return json_numbers_set(to, (const double[]){(double)pair[0], (double)pair[1]}, 2);
}

/* "slice_z1.20" and what follows. */
static bool set_file(char **to, const struct film_slice *slice, const char *ending)
{
    char file[FILM_NAME_MAX];
    snprintf(file, sizeof file, "%s%s", slice->name, ending);
    return json_text_set(to, file);
}

static bool fill_slice(struct slice_record *record, const struct film_slice *slice, enum film_files files)
{
    const char axis[] = {"xyz"[slice->plane.axis], '\0'};
    size_t pixels[2];
    picture_size(&slice->plane, &slice->paint, pixels);
    record->position = slice->plane.position;
    record->blocks = (double)slice->plane.blocks;
    bool whole = json_text_set(&record->axis, axis) && set_pair(&record->nodes, slice->plane.size);
    if (whole && files != FILM_VTKHDF) {
        record->pixels_a_node = slice->paint.zoom;
        whole = set_file(&record->frames, slice, "_*ms.png") && set_pair(&record->pixels, pixels);
    }
    if (whole && files != FILM_PNG)
        whole = set_file(&record->series, slice, ".hdf.series");
    return whole;
}

static bool fill_shown(struct shown_record *record, const struct film *film)
{
    record->pulse_peak = film->setup->grid.fmax / FILM_PULSE_PEAK;
    record->full = film->own->full;
    record->steps_before_emission = (double)film->pulse.lead;
    if (!json_text_set(&record->source, film->setup->points.point[0].name) ||
        !json_text_set(&record->pulse, "Ricker") ||
        !json_text_set(&record->unit, "crest of the pulse at 1 m in free field") ||
        !json_text_set(&record->scale, film->own->scale == PAINT_LINEAR ? "linear" : "db") ||
        !json_text_set(&record->field_series, film->own->field_times > 0 ? "field.hdf.series" : NULL) ||
        !JSON_LIST_MAKE(&slice_table, &record->slices, film->slices) ||
        !JSON_LIST_MAKE(&picture_table, &record->pictures, film->taken))
        return false;
    for (size_t i = 0; i < film->taken; i++) {
        const struct film_frame *frame = &film->frame[i];
        record->pictures.item[i] = (struct picture_record){.asked = frame->asked,
                                                           .time = film_time(film, frame->step),
                                                           .step = (double)frame->step,
                                                           .slices = frame->slices,
                                                           .field = frame->field};
    }
    for (size_t s = 0; s < film->slices; s++)
        if (!fill_slice(&record->slices.item[s], &film->slice[s], (enum film_files)film->own->files))
            return false;
    return true;
}

void film_record(cJSON *object, const struct film *film, const struct source_run_result *result, bool partial)
{
    struct film_model model;
    json_clear(&film_table, &model);
    model.partial = partial;
    model.steps = (double)result->steps;
    model.seconds = result->seconds;
    model.film = json_make(&shown_table);
    if (model.film != NULL && fill_shown(model.film, film))
        (void)json_write(&film_table, &model, object);
    json_free_members(&film_table, &model);
}
